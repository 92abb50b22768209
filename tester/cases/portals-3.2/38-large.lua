-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.8: events of operations that do not come in one piece, and events behind lost ones.

defaults { suite = "events", chapter = "3.8.1" }

local BOTH <const> = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE"
local DATA <const> = 0x7edcba9876543210

-- Judges that an operation of so many octets begins and ends, as two events of one link; gives both.
local function both_ends(t, req, rank, operation, octets)
  local events = {}
  for i, part in ipairs { "START", "END" } do
    local wanted <const> = "PTL_EVENT_" .. operation .. "_" .. part
    local event
    -- what a get may log of sending is passed over
    repeat event = rank:wait("eq").event until not event or operation:find("SEND") or not event.type:find("SEND")
    t:equal(req, rank.label .. ": the next event of " .. octets .. " octets", event and event.type, wanted)
    events[i] = event
  end
  -- what is sent may begin without a length
  t:equal(req, rank.label .. ": the lengths in " .. events[2].type, { events[2].rlength, events[2].mlength },
    { octets, octets })
  t:equal("P32-348", rank.label .. ": the link of both events of " .. octets .. " octets", events[2].link,
    events[1].link)
  return events
end

for octets in each { { 8193 }, { 65537 }, { 300000 }, { 2 << 20 } } do
  case {
    id = "large-starts-and-ends-" .. octets,
    title = "What comes in many pieces is logged twice at both sides, as what comes in one",
    purpose = "A put of " .. octets .. " octets with header data, and a get; the events of both sides.",
    ranks = 2, requirements = { "P32-214", "P32-216", "P32-219", "P32-221", "P32-348", "P32-350" },
    run = function(t)
      local from, to = t:open {}
      from:eq("eq", 64)
      to:eq("eq", 64)
      from:bind { region = "out", octets = octets, fill = "mix/1", md = "out-md", eventq = "eq" }
      to:attach { octets = octets, fill = "mix/2", options = BOTH, eventq = "eq" }
      from:put { mem_desc = "out-md", target = to, hdr_data = Test.hex(DATA) }
      for _, event in ipairs(both_ends(t, "P32-216", to, "PUT", octets)) do
        t:equal("P32-350", "the header data in " .. event.type, event.hdr_data, DATA)
      end
      t:octets("P32-216", "what was put", to, "buf", "mix/1", 0, octets)
      both_ends(t, "P32-221", from, "SEND", octets)
      to:fill("buf", "mix/3")
      from:get { mem_desc = "out-md", target = to }
      both_ends(t, "P32-214", to, "GET", octets)
      both_ends(t, "P32-219", from, "REPLY", octets)
      t:octets("P32-219", "what was asked for", from, "out", "mix/3", 0, octets)
    end,
  }
end

case {
  id = "numbers-behind-a-loss",
  title = "The events that a full queue leaves, and those behind them, have growing numbers",
  purpose = "A queue of four events gets those of eight puts; what is left is taken, then the events of one put more. Each number is greater than the one before.",
  chapter = "3.8.2", requirements = { "P32-349" },
  run = function(t)
    local rank = t:open {}
    rank:eq("eq", 4)
    rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
    rank:attach { octets = 8, options = BOTH, eventq = "eq" }
    local last, count
    local function take(puts)
      for _ = 1, puts do rank:put { mem_desc = "out-md", target = rank } end
      t:flush(rank, rank)
      count = 0
      for _, event in ipairs(rank:drain("eq")) do
        t:check("P32-349", "the number of " .. event.type .. " is greater than the one before",
          not last or math.ult(last, event.sequence), last and "above " .. last or "any", event.sequence)
        last, count = event.sequence, count + 1
      end
    end
    take(8)
    t:check("P32-349", "some events are left", count > 1, "several", count)
    take(1)
    t:equal("P32-349", "events of the last put", count, 2)
  end,
}
