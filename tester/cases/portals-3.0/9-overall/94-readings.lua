-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What the document leaves open and no other case asks: which reading of a switch the system under test follows
-- (specs/portals-3.0.switches.json). A reading that is known but not the default gives a warning with its name.

defaults { suite = "readings", chapter = "3.7" }

local PUT, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"

-- A process with a queue "eq", a region "buf" of 100 octets and a descriptor "forty" of 40 octets to put from.
local function alone(t)
  local rank = t:open {}
  rank:eq("eq", 64)
  rank:region("buf", 100)
  rank:bind { desc = "forty", region = "source", octets = 40, fill = "mix/1", md = "forty" }
  return rank
end

local function put(t, rank, mem_desc)
  rank:put { mem_desc = mem_desc or "forty", target = rank }
end

case {
  id = "reading-local-offset-advance",
  title = "The local offset moves on by what was moved, not by what was asked for",
  purpose = "Three puts of 40 octets into a region of 100 that truncates: the third is cut to 20. A put of nothing then shows where the offset stands: at the end, or beyond it, where the request is refused or has an offset of 120.",
  requirements = { "P30-160" },
  run = function(t)
    local rank = alone(t)
    rank:attach { options = PUT .. "|" .. TRUNCATE, eventq = "eq" }
    rank:bind { desc = "nothing", length = 0, md = "nothing" }
    for i, wanted in ipairs { 40, 40, 20 } do
      put(t, rank)
      t:event("P30-160", rank, "eq", { type = "PTL_EVENT_PUT", offset = 40 * (i - 1), mlength = wanted })
    end
    put(t, rank, "nothing")
    local event = rank:wait("eq", 2000).event
    local offset = event and event.offset or "refused"
    t:reading("P30-160", "local_offset_advance", "offset behind a request that was cut", offset,
      { { "manipulated", 100 }, { "requested", 120 }, { "requested", "refused" } })
  end,
}

case {
  id = "reading-update-keeps-offset",
  only = true,
  title = "PtlMDUpdate leaves the local offset where it is",
  purpose = "After a put of 40 octets the descriptor is given the value that it has; the next put shows where the offset stands.",
  requirements = { "P30-203" },
  run = function(t)
    local rank = alone(t)
    rank:attach { options = PUT, eventq = "eq" }
    put(t, rank)
    t:event("P30-203", rank, "eq", { type = "PTL_EVENT_PUT", offset = 0 })
    rank:md { name = "again", options = PUT, eventq = "eq" }
    t:rc("P30-203", rank:PtlMDUpdate { new = "again" }, "PTL_OK")
    put(t, rank)
    local event = t:event("P30-203", rank, "eq", { type = "PTL_EVENT_PUT" })
    t:reading("P30-203", "update_keeps_offset", "offset of a put after the update", event.offset,
      { { "yes", 40 }, { "no", 0 } })
  end,
}

case {
  id = "reading-inactive-source",
  title = "A descriptor of threshold zero can be the source of a put and of a get",
  purpose = "Inactive means that it does not respond to others; the document forbids its owner nothing.",
  requirements = { "P30-150", "P30-264", "P30-274" },
  run = function(t)
    local rank = alone(t)
    rank:attach { options = PUT .. "|PTL_MD_OP_GET|" .. REMOTE, eventq = "eq" }
    rank:bind { desc = "idle", region = "source", threshold = 0, md = "idle" }
    local rc = rank:PtlPut { mem_desc = "idle", target = rank }.rc
    t:reading("P30-264", "inactive_source", "PtlPut from an inactive descriptor returns", rc,
      { { "allowed", "PTL_OK" }, { "refused", "PTL_INV_MD" } })
    if rc == "PTL_OK" then
      t:event("P30-150", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40 })
    else
      t:equal("P30-150", "threshold after a put that was refused", t:setup(rank:PtlMDUpdate { mem_desc = "idle",
        old = "was" }).old.threshold, 0)
    end
    t:reading("P30-274", "inactive_source", "PtlGet into an inactive descriptor returns",
      rank:PtlGet { mem_desc = "idle", target = rank }.rc, { { "allowed", "PTL_OK" }, { "refused", "PTL_INV_MD" } })
  end,
}

case {
  id = "reading-lost-event",
  only = true,
  title = "When events are lost, the newest ones are",
  purpose = "A queue of two is given a thousand PTL_EVENT_SENT, numbered by their match bits. The first one that comes out tells whether the queue has kept what it held.",
  requirements = { "P30-246", "P30-252" }, chapter = "3.8", deadline = 60,
  run = function(t)
    local rank = alone(t)
    rank:attach { options = PUT .. "|" .. REMOTE, ignorebits = -1 }
    rank:attach { index = 1, me = "me1", md = "md1", options = PUT .. "|" .. REMOTE, eventq = "eq" }
    for i, verb in ipairs { "PtlEQGet", "PtlEQWait" } do
      local tiny, req = "tiny" .. i, i == 1 and "P30-246" or "P30-252"
      rank:eq(tiny, 2)
      rank:bind { desc = "sender", length = 0, md = "sender" .. i, eventq = tiny }
      t:sanity("all puts were called", rank:batch(1000, { { "PtlPut", { mem_desc = "sender" .. i,
        ack_req = "PTL_NOACK_REQ", target = t.gid(rank.id), portal = 0, cookie = 0, match_bits = "%I", offset = 0 } } })
        .runs == 1000)
      rank:put { mem_desc = "forty", target = rank, portal = 1 }
      t:sanity("a later put arrives", rank:wait("eq", 20000).event ~= nil)
      -- That they were sent may be told some time later; rank:wait asks PtlEQGet until there is one.
      local result = verb == "PtlEQGet" and rank:wait(tiny) or rank[verb](rank, { eventq = tiny, deadline = 5000 })
      t:equal(req, "type of the event that is returned", result.event and result.event.type, "PTL_EVENT_SENT")
      t:reading(req, "lost_event", "the first event that comes out of the queue",
        result.event.match_bits == 0 and "the first" or "a later one",
        { { "newest", "the first" }, { "oldest", "a later one" } })
    end
  end,
}

case {
  id = "reading-zero-event-queue",
  only = true,
  title = "A queue of size zero is refused",
  purpose = "PtlEQAlloc is asked for a queue of zero events. The document knows no code for it but PTL_NOSPACE.",
  requirements = { "P30-236" }, chapter = "3.8",
  run = function(t)
    t:open {}
    t:reading("P30-236", "zero_event_queue", "PtlEQAlloc for no events returns",
      t.ranks[0]:PtlEQAlloc { count = 0, handle = "none-eq" }.rc, { { "refuse", "PTL_NOSPACE" }, { "none", "PTL_OK" } })
    t:rc("P30-236", t.ranks[0]:PtlEQAlloc { count = 1 }, "PTL_OK")
  end,
}

case {
  id = "reading-undefined-values",
  title = "A descriptor with undefined option bits or an undefined threshold is refused",
  purpose = "PtlMDAttach is given an option bit beside the five, and a negative threshold that is not PTL_MD_THRESH_INF. The document says nothing of either; a library that takes them gives a warning.",
  requirements = { "P30-184" },
  run = function(t)
    local rank = alone(t)
    for i, row in ipairs { { "with an unknown option", 1 << 30, 1 }, { "with a negative threshold", 0, -1000 } } do
      rank:md { name = "odd", region = "buf", options = row[2], threshold = row[3] }
      rank:me_attach { index = i }
      t:reading("P30-184", "undefined_values", "PtlMDAttach of a descriptor " .. row[1] .. " returns",
        rank:PtlMDAttach { mem_desc = "odd" }.rc, { { "refuse", "PTL_ILL_MD" }, { "accept", "PTL_OK" } })
    end
    rank:md { name = "odd", region = "buf", options = PUT, threshold = 1 }
    rank:me_attach {}
    t:rc("P30-184", rank:PtlMDAttach { mem_desc = "odd" }, "PTL_OK")
  end,
}
