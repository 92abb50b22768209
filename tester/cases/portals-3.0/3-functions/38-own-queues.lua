-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.7.4, 3.8 and 3.10: what a descriptor starts is told in its own queue, wherever it stands and whoever
-- answers; and a bound one stays for more. A process puts to itself.

defaults { suite = "events", chapter = "3.8" }

local PUT, GET, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"
local loopback = Descriptor.loopback

case {
  id = "event-queue-of-each-of-three",
  only = true,
  title = "Of several descriptors of an entry each is told by its own queue of what it starts",
  purpose = "Three descriptors stand in the list of one entry, each with a queue of its own. Each puts with an acknowledgement and gets; sent, acknowledgement and reply are told in its queue, and nothing in the others.",
  requirements = { "P30-219", "P30-261", "P30-262", "P30-272" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { length = 16, options = PUT .. "|" .. GET .. "|" .. REMOTE }
    rank:me_attach { index = 1, handle = "three" }
    for mark = 1, 3 do
      rank:eq("eq" .. mark, 8)
      rank:region("own" .. mark, 16)
      rank:md { region = "own" .. mark, options = PUT, eventq = "eq" .. mark }
      if mark == 1 then
        rank:md_attach { match = "three", handle = "md1" }
      else
        rank:md_insert { current = "md" .. mark - 1, handle = "md" .. mark }
      end
    end
    local function others_are_quiet(req, mark)
      for other = 1, 3 do
        if other ~= mark then
          t:equal(req, "events in queue " .. other .. " of what descriptor " .. mark .. " has started",
            rank:PtlEQCount { eventq = "eq" .. other }.count, 0)
        end
      end
    end
    for mark = 3, 1, -1 do
      t:judging("P30-261")
      t:rc("P30-261", rank:PtlPut { mem_desc = "md" .. mark, ack_req = "PTL_ACK_REQ", target = rank, portal = 0 },
        "PTL_OK")
      local types = t.types((rank:collect("eq" .. mark, 2)))
      t:check("P30-261", "the events of a put in its queue", table.concat(types, " "):find("SENT"), "PTL_EVENT_SENT",
        types)
      t:check("P30-262", "the events of a put in its queue", table.concat(types, " "):find("ACK"), "PTL_EVENT_ACK",
        types)
      others_are_quiet("P30-261", mark)
      t:judging("P30-272")
      t:rc("P30-272", rank:PtlGet { mem_desc = "md" .. mark, target = rank, portal = 0 }, "PTL_OK")
      local reply = rank:wait("eq" .. mark).event
      others_are_quiet("P30-272", mark)
      t:check("P30-219", "the event of a get of one's own", reply and reply.type == "PTL_EVENT_REPLY",
        "PTL_EVENT_REPLY", reply and reply.type or "none")
    end
  end,
}

case {
  id = "md-bound-stays-for-more",
  only = true,
  title = "A bound descriptor stays when it has got, and when it is set to zero",
  purpose = "A bound descriptor of threshold 1 gets three times and is then set to a threshold of zero: it can be read each time, and is unlinked by PtlMDUnlink alone.",
  requirements = { "P30-196" }, suite = "memory-descriptors", chapter = "3.7.4",
  run = function(t)
    local rank = loopback(t)
    rank:attach { length = 40, options = PUT .. "|" .. GET .. "|" .. REMOTE }
    rank:bind { region = "wanted", octets = 40, md = "bound", options = PUT .. "|" .. GET, eventq = "eq",
      threshold = 1 }
    -- By a known reading it goes at threshold 0.
    local function has_gone(behind, given)
      given.mem_desc, given.old = "bound", "was"
      return t:reading("P30-196", "bound_unlink", "PtlMDUpdate of a bound descriptor " .. behind .. " returns",
        rank:PtlMDUpdate(given).rc, { { "explicit", "PTL_OK" }, { "threshold", "PTL_INV_MD" } }) == "threshold"
    end
    for _ = 1, 3 do
      rank:get { mem_desc = "bound", target = rank }
      t:event("P30-196", rank, "eq", { type = "PTL_EVENT_REPLY", mlength = 40 })
      if has_gone("that has got", {}) then return end
    end
    rank:md { name = "off", region = "wanted", options = PUT .. "|" .. GET, eventq = "eq", threshold = 0 }
    if has_gone("of threshold 1", { new = "off" }) or has_gone("that was set to zero", {}) then return end
    t:rc("P30-196", rank:PtlMDUnlink { mem_desc = "bound" }, "PTL_OK")
    t:rc("P30-196", rank:PtlMDUpdate { mem_desc = "bound", old = "was" }, "PTL_INV_MD")
  end,
}
