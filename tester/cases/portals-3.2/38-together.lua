-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.7 and 3.8: options and thresholds together, descriptors without a queue and queues that are full, and what
-- a call that was refused has left as it was.

defaults { suite = "memory-descriptors", chapter = "3.7.1", ranks = 1 }

local BOTH <const> = "PTL_MD_OP_PUT|PTL_MD_OP_GET"
local UNNOTICED <const> = "no means of telling that an address has no memory"

-- A rank with a queue "eq" and a descriptor "out-md" of 8 octets.
local function alone(t)
  local rank = t:open {}
  rank:eq("eq", 64)
  rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md", desc = "out-desc" }
  t:flush(rank, rank) -- what it needs of its own must not get a handle that becomes free
  return rank
end

-- Whether a put to a portal is dropped.
local function drops(t, req, rank, portal)
  local before = rank:drop_count()
  rank:put { mem_desc = "out-md", target = rank, portal = portal }
  t:drops(req, rank, before, 1)
end

for name, threshold in each { { "counted", 9 }, { "endless", "inf" } } do
  for queue in each { { "eq" }, { "none" } } do
    case {
      id = "max-offset-of-" .. name .. (queue == "eq" and "" or "-without-a-queue"),
      title = "A largest offset holds whatever the threshold is, and whoever is told",
      purpose = "Descriptors of 40 octets with a maximum offset of 12, a threshold of " .. threshold .. " and "
        .. (queue == "eq" and "a queue" or "none") .. ": of three messages of 8 octets the third is dropped. One with "
        .. "PTL_UNLINK is gone then, one with PTL_RETAIN is not.",
      requirements = { "P32-347", "P32-179" }, still = {},
      run = function(t)
        local rank = alone(t)
        for portal, unlink in ipairs { "PTL_RETAIN", "PTL_UNLINK" } do
          local md = "md" .. portal
          rank:attach { index = portal, me = "me" .. portal, md = md, desc = "desc" .. portal,
            region = "buf" .. portal, octets = 40, max_offset = 12, threshold = threshold, md_unlink = unlink,
            options = BOTH, eventq = queue }
          local before = rank:drop_count()
          for _ = 1, 2 do rank:put { mem_desc = "out-md", target = rank, portal = portal } end
          t:flush(rank, rank)
          t:equal("P32-347", "dropped messages of two that have room", rank:drop_count() - before, 0)
          drops(t, "P32-347", rank, portal)
          t:rc("P32-179", rank:PtlMDUpdate { mem_desc = md, old = "was" },
            unlink == "PTL_UNLINK" and "PTL_INV_MD" or "PTL_OK")
        end
      end,
    }
  end
end

case {
  id = "unlinked-by-no-fit-without-a-queue",
  title = "A descriptor without a queue goes too when a message does not fit, if it is to",
  purpose = "A descriptor of 12 octets and another one behind it: the second message of 8 octets arrives there, and the first descriptor is gone. The same with a threshold.",
  chapter = "3.7.2", only = true, requirements = { "P32-346" },
  run = function(t)
    local rank = alone(t)
    for portal, threshold in ipairs { "inf", 9 } do
      rank:attach { index = portal, me = "me" .. portal, md = "md" .. portal, desc = "desc" .. portal,
        region = "buf" .. portal, octets = 12, threshold = threshold, nofit = "PTL_UNLINK" }
      rank:attach { index = portal, me = "me-b" .. portal, md = "md-b" .. portal, desc = "desc-b" .. portal,
        region = "behind" .. portal, octets = 8, position = "PTL_INS_AFTER" }
      for _ = 1, 2 do rank:put { mem_desc = "out-md", target = rank, portal = portal } end
      t:flush(rank, rank)
      t:octets("P32-346", "what arrives behind it", rank, "behind" .. portal, "mix/1")
      t:rc("P32-346", rank:PtlMDUpdate { mem_desc = "md" .. portal, old = "was" }, "PTL_INV_MD")
    end
  end,
}

case {
  id = "signals-are-not-acknowledged-either",
  title = "PTL_MD_ACK_DISABLE keeps back the acknowledgement of every put, also of one without octets",
  purpose = "Puts of 8 octets and of none, with PTL_ACK_REQ, to a descriptor with it; all events at the initiator.",
  requirements = { "P32-170" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    from:eq("eq", 64)
    to:attach { octets = 8, options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE|PTL_MD_ACK_DISABLE" }
    from:region("out", 8)
    for i, octets in ipairs { 0, 8, 0 } do
      local md = "md" .. i
      from:bind { region = "out", length = octets, desc = md .. "-desc", md = md, eventq = "eq" }
      from:put { mem_desc = md, ack_req = "PTL_ACK_REQ", target = to }
      t:flush(from, to)
      t:flush(to, from)
      t:equal("P32-170", "the events of a put of " .. octets .. " octets", Test.types(from:drain("eq")),
        { "PTL_EVENT_SEND_END", "PTL_EVENT_SEND_START" })
    end
  end,
}

case {
  id = "acknowledged-though-its-queue-is-full",
  title = "A put is acknowledged although no event of it finds room at the target",
  purpose = "A queue of two events at the target, of which none is taken: six puts are acknowledged.",
  suite = "events", chapter = "3.8.6", requirements = { "P32-171", "P32-356" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    from:eq("eq", 64)
    to:eq("small", 2)
    from:bind { region = "out", octets = 8, md = "out-md", eventq = "eq" }
    to:attach { octets = 8, options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE", eventq = "small" }
    for i = 1, 6 do
      t:rc("P32-356", from:PtlPut { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to }, "PTL_OK")
      t:equal("P32-171", "the events of put " .. i, Test.types(from:collect("eq", 3)),
        { "PTL_EVENT_ACK", "PTL_EVENT_SEND_END", "PTL_EVENT_SEND_START" })
    end
  end,
}

case {
  id = "event-without-a-place",
  title = "A call that has no place for the event leaves it in the queue",
  purpose = "Two events wait; PtlEQGet and PtlEQWait are called with NULL, and then both events are there.",
  suite = "return-codes", chapter = "3.8", requirements = { "P32-248", "P32-253" },
  run = function(t)
    local rank = alone(t)
    rank:attach { index = 1, octets = 8, options = BOTH .. "|PTL_MD_MANAGE_REMOTE", eventq = "eq" }
    for req, verb in each { { "P32-248", "PtlEQGet" }, { "P32-253", "PtlEQWait" } } do
      rank:put { mem_desc = "out-md", target = rank, portal = 1 }
      t:flush(rank, rank)
      for _ = 1, 2 do t:rc(req, rank[verb](rank, { event = "null" }), "PTL_SEGV") end
      t:equal(req, "the events that are left", Test.types(rank:collect("eq", 2)),
        { "PTL_EVENT_PUT_END", "PTL_EVENT_PUT_START" })
    end
  end,
}

case {
  id = "old-value-without-a-place",
  title = "An update that cannot store the old value is not done",
  purpose = "PtlMDUpdate with an address without memory for the old value and another threshold; where that is refused the descriptor is as before.",
  suite = "return-codes", chapter = "3.7.6", requirements = { "P32-210" },
  run = function(t)
    local rank = alone(t)
    rank:attach { index = 1, octets = 8, options = BOTH, threshold = 7, eventq = "eq" }
    rank:md { name = "other", region = "buf", threshold = 5, options = BOTH, eventq = "eq" }
    t:tolerate_crash(UNNOTICED)
    local result = rank:PtlMDUpdate { old = "unmapped", new = "other" }
    t:equal_or_warn("P32-210", result.call .. " returns", result.rc, "PTL_SEGV", { [result.rc] = UNNOTICED })
    if result.rc == "PTL_SEGV" then
      t:equal("P32-210", "the threshold then", Descriptor.current(t, rank).threshold, 7)
    end
  end,
}
