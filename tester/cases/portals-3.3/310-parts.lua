-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.10: what events tell of parts of a region, how many there are, and what counts on a threshold whichever
-- events are logged. Rank 0 acts, rank 1 answers.

defaults { suite = "regions", chapter = "3.10", ranks = 2 }

local NO_START <const>, NO_END <const> = "PTL_MD_EVENT_START_DISABLE", "PTL_MD_EVENT_END_DISABLE"
local SERVES <const> = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE"
local OCTETS <const> = 100

local function pair(t)
  local from, to = t:open {}
  for i = 0, 1 do t.ranks[i]:eq("eq", 64) end
  from:bind { region = "out", octets = OCTETS, fill = "mix/1", md = "out-md", eventq = "eq" }
  to:attach { octets = OCTETS, options = SERVES, eventq = "eq" }
  return from, to
end

-- All events of both sides, when everything that was asked for is done; what a get may log of sending is left out.
local function events_of_all(t, from, to, gets)
  t:flush(from, to)
  t:flush(to, from)
  local all = {}
  for _, rank in ipairs { from, to } do
    for _, event in ipairs(rank:collect("eq", 64, 300)) do
      if not (gets and event.type:find("SEND")) then all[#all + 1] = event end
    end
  end
  return all
end

local PARTS <const> = { { "first", 0, 20 }, { "one", 33, 1 }, { "last", 90, 10 }, { "nothing", 50, 0 },
  { "nothing-at-the-end", OCTETS, 0 } }
for name, at, octets in each(PARTS) do
  case {
    id = "events-of-parts-" .. name,
    title = "The events of a part tell of the part, and there are as many as of a whole region",
    purpose = octets .. " octets at " .. at .. " of 100 are fetched, and put with an acknowledgement: all events of "
      .. "both sides, and the lengths in them.",
    suite = "events", chapter = "3.8.2", requirements = { "P33-222", "P33-223", "P33-230", "P33-231" },
    run = function(t)
      local from, to = pair(t)
      local function judge(req, events, types)
        t:equal(req, "the events of both sides", Test.types(events), types)
        for _, event in ipairs(events) do
          t:equal("P33-230", "the requested length in " .. event.type, event.rlength, octets)
          if event.type ~= "PTL_EVENT_SEND_START" then -- nothing has been moved yet
            t:equal("P33-231", "the manipulated length in " .. event.type, event.mlength, octets)
          end
        end
      end
      local part = { mem_desc = "out-md", ["local"] = at, length = octets, target = to }
      t:rc("P33-223", from:PtlGetRegion(part), "PTL_OK")
      judge("P33-223", events_of_all(t, from, to, true), { "PTL_EVENT_GET_END", "PTL_EVENT_GET_START",
        "PTL_EVENT_REPLY_END", "PTL_EVENT_REPLY_START" })
      part.ack_req = "PTL_ACK_REQ"
      t:rc("P33-222", from:PtlPutRegion(part), "PTL_OK")
      judge("P33-222", events_of_all(t, from, to), { "PTL_EVENT_ACK", "PTL_EVENT_PUT_END", "PTL_EVENT_PUT_START",
        "PTL_EVENT_SEND_END", "PTL_EVENT_SEND_START" })
    end,
  }
end

for name, option in each { { "with-all-events", "" }, { "without-starts", "|" .. NO_START },
  { "without-ends", "|" .. NO_END } } do
  case {
    id = "requests-count-" .. name,
    title = "Requests of every kind lower the threshold, whichever of their events are logged",
    purpose = "A descriptor with a threshold of 3 serves a put, a get and an exchange, and what is left is one less each time; one more of each kind is dropped.",
    suite = "memory-descriptors", chapter = "3.7.1", requirements = { "P33-142", "P33-141" },
    run = function(t)
      local from, to = pair(t)
      to:attach { index = 1, me = "few-me", md = "few", desc = "few-desc", region = "few-buf", octets = 8,
        options = SERVES .. option, threshold = 3, eventq = "eq" }
      for _, region in ipairs { "new", "old" } do
        from:bind { region = region, octets = 8, desc = region .. "-desc", md = region .. "-md" }
      end
      local KINDS <const> = { { "PtlPut", "new-md" }, { "PtlGet", "old-md" }, { "PtlGetPut", "old-md", "new-md" } }
      local function ask(kind)
        t:setup(from[kind[1]](from, { mem_desc = kind[2], put_desc = kind[3], target = to, portal = 1 }))
        t:flush(from, to)
      end
      for i, kind in ipairs(KINDS) do
        ask(kind)
        t:equal("P33-142", "what " .. kind[1] .. " has left of the threshold",
          Descriptor.current(t, to, "few").threshold, 3 - i)
      end
      local before = to:drop_count()
      for _, kind in ipairs(KINDS) do ask(kind) end
      t:drops("P33-141", to, before, 3)
    end,
  }
end
