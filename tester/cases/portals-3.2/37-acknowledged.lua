-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.7.1 and 3.8.1: what an acknowledgement that was asked for takes of a descriptor, when it comes and when it
-- does not. A process puts to itself.

defaults { suite = "memory-descriptors", chapter = "3.7.1", ranks = 1 }

local BOTH <const> = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE"

-- A rank with a queue "eq" and a descriptor of 8 octets at portal 3.
local function alone(t)
  local rank = t:open {}
  rank:eq("eq", 64)
  rank:attach { index = 3, me = "sink-me", md = "sink-md", desc = "sink", region = "sink-buf", octets = 8,
    options = BOTH }
  rank:region("buf", 8)
  return rank
end

for where in each { { "attached" }, { "bound" } } do
  case {
    id = "unanswered-puts-count-once-" .. where,
    title = "An acknowledgement that does not come takes nothing of the threshold",
    purpose = "From a descriptor that is " .. where .. " puts with and without a wish for an acknowledgement go "
      .. "to a portal without entries and to an offset without room. Each takes one of the threshold, whatever "
        .. "it has asked for.",
    requirements = { "P32-142" },
    run = function(t)
      local rank = alone(t)
      rank[where == "bound" and "bind" or "attach"](rank, { index = 1, region = "buf", md = "md", threshold = 9,
        options = BOTH, eventq = "eq" })
      local left = 9
      for _, ack in ipairs { "PTL_NOACK_REQ", "PTL_ACK_REQ" } do
        for portal, offset in each { { 4, 0 }, { 3, 4 } } do
          local before = rank:drop_count()
          rank:put { ack_req = ack, target = rank, portal = portal, offset = offset }
          t:sanity("the put is dropped", rank:wait_drop_count(before + 1) == before + 1)
          local event
          repeat event = rank:wait("eq").event until not event or event.type == "PTL_EVENT_SEND_END"
          t:check("P32-142", "PTL_EVENT_SEND_END comes", event ~= nil, "PTL_EVENT_SEND_END", "no event")
          left = left - 1
          t:equal("P32-142", "the threshold behind a put with " .. ack .. " that nobody takes",
            Descriptor.current(t, rank).threshold, left)
        end
      end
    end,
  }

  case {
    id = "unlinked-behind-its-acknowledgement-" .. where,
    title = "A descriptor that its acknowledgement uses up is told as unlinked behind that",
    purpose = "A descriptor that is " .. where .. " and goes when it is used up, with a threshold of 2, puts "
      .. "once and asks for an acknowledgement: PTL_EVENT_UNLINK is the last of its events, and PTL_EVENT_ACK "
        .. "is among those before it.",
    chapter = "3.8.1", requirements = { "P32-354" },
    run = function(t)
      local rank = alone(t)
      local given = { index = 1, region = "buf", md = "md", threshold = 2, options = BOTH, eventq = "eq" }
      if where == "attached" or Revision.name ~= "portals-3.2" then given.md_unlink = "PTL_UNLINK" end
      rank[where == "bound" and "bind" or "attach"](rank, given)
      rank:put { ack_req = "PTL_ACK_REQ", target = rank, portal = 3 }
      local types = {}
      repeat
        local event = rank:wait("eq").event
        types[#types + 1] = event and event.type
      until not event or event.type == "PTL_EVENT_UNLINK"
      t:skip_if(where == "bound" and Revision.name == "portals-3.2" and types[#types] ~= "PTL_EVENT_UNLINK",
        "a bound descriptor does not go by itself")
      t:equal("P32-354", "the last event", types[#types], "PTL_EVENT_UNLINK")
      table.sort(types)
      t:equal("P32-354", "all events, sorted", types,
        { "PTL_EVENT_ACK", "PTL_EVENT_SEND_END", "PTL_EVENT_SEND_START", "PTL_EVENT_UNLINK" })
      t:no_event("P32-354", rank, "eq", 0)
    end,
  }
end
