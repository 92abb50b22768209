-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.8: events and event queues. Rank 0 acts, rank 1 answers; where one process is enough it puts to itself.

defaults { suite = "events", chapter = "3.8", deadline = 90,
  still = { "P32-214", "P32-219", "P32-221", "P32-222", "P32-224" } }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"

local function pair(t, octets)
  local from, to = t:open {}
  from:eq("eq", 64)
  from:bind { region = "out", octets = octets or 64, fill = "mix/1", md = "out-md", eventq = "eq" }
  to:eq("eq", 64)
  to:region("buf", octets or 64)
  return from, to
end

local function alone(t, count)
  local rank = t:open {}
  rank:eq("eq", count or 64)
  rank:bind { octets = 256, md = "out-md", length = 0 }
  return rank
end

case {
  id = "event-put",
  title = "The target's event holds all values of a put",
  purpose = "All members of a PTL_EVENT_PUT are compared with the request and with the descriptor; ignored match bits are shown as they came.",
  ranks = 2,
  requirements = { "P30-216", "P30-226", "P30-228", "P30-229", "P30-230", "P30-231", "P30-232", "P30-233", "P30-234",
    "P30-061" },
  run = function(t)
    local from, to = pair(t)
    local before = to:drop_count()
    to:region("big", 200)
    to:attach { index = 5, match_bits = 0x100, ignorebits = 0xff, region = "big", threshold = 7, options = PUT .. "|"
      .. REMOTE, eventq = "eq" }
    from:put { mem_desc = "out-md", target = to, portal = 5, match_bits = 0x15b, offset = 100 }
    local event = t:event("P30-216", to, "eq", { type = "PTL_EVENT_PUT" })
    t:equal("P30-226", "type", event.type, "PTL_EVENT_PUT")
    t:equal("P30-061", "initiator", event.initiator, from.id)
    t:equal("P30-228", "portal", event.portal, 5)
    t:equal("P30-229", "match bits", event.match_bits, 0x15b)
    t:equal("P30-230", "rlength", event.rlength, 64)
    t:equal("P30-232", "mlength", event.mlength, 64)
    t:equal("P30-233", "offset", event.offset, 100)
    t:reading("P30-234", "event_descriptor_copy", "threshold in the copy of the descriptor", event.mem_desc.threshold,
      { { "after", 6 }, { "before", 7 } })
    to:attach { index = 6, me = "me6", md = "md6", region = "big", eventq = "eq" }
    from:put { mem_desc = "out-md", target = to, portal = 6, offset = 100 }
    from:put { mem_desc = "out-md", target = to, portal = 6, offset = 100 }
    t:event("P30-233", to, "eq", { type = "PTL_EVENT_PUT", offset = 0 })
    t:event("P30-233", to, "eq", { type = "PTL_EVENT_PUT", offset = 64 })
    t:equal("P30-231", "dropped requests", to:drop_count() - before, 0)
  end,
}

case {
  id = "event-truncated",
  title = "For a truncated operation mlength is what was moved and rlength what was asked for",
  purpose = "A put of 64 octets into a region of 10, and a get of 64 from it.",
  requirements = { "P30-230", "P30-231", "P30-310" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    to:attach { start = "buf", length = 10, options = PUT .. "|" .. GET .. "|" .. REMOTE .. "|" .. TRUNCATE,
      eventq = "eq" }
    t:judging("P30-231")
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to }
    local event = t:event("P30-231", to, "eq", { type = "PTL_EVENT_PUT", mlength = 10 })
    t:equal("P30-230", "rlength of the put's event", event.rlength, 64)
    local ack
    for _, event in ipairs((from:collect("eq", 2))) do
      ack = event.type == "PTL_EVENT_ACK" and event or ack
    end
    t:check("P30-310", "the acknowledgement comes", ack ~= nil, "PTL_EVENT_ACK", "none")
    t:equal("P30-310", "mlength of the acknowledgement", ack.mlength, 10)
    t:equal("P30-310", "rlength of the acknowledgement", ack.rlength, 64)
    from:get { mem_desc = "out-md", target = to }
    event = t:event("P30-231", to, "eq", { type = "PTL_EVENT_GET", mlength = 10 })
    t:equal("P30-230", "rlength of the get's event", event.rlength, 64)
    event = t:event("P30-231", from, "eq", { type = "PTL_EVENT_REPLY", mlength = 10 })
    t:equal("P30-230", "rlength of the reply's event", event.rlength, 64)
  end,
}

case {
  id = "event-truncated-shows-the-whole-descriptor",
  title = "The descriptor in the event of a truncated operation is as long as it is",
  purpose = "A put and a get of 64 octets from the fifth of ten octets on: six are moved, and the descriptor's copy has the length 10.",
  requirements = { "P30-234" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    to:attach { start = "buf", length = 10, options = PUT .. "|" .. GET .. "|" .. REMOTE .. "|" .. TRUNCATE,
      eventq = "eq" }
    for kind, ask in each { { "PTL_EVENT_PUT", from.put }, { "PTL_EVENT_GET", from.get } } do
      ask(from, { mem_desc = "out-md", target = to, offset = 4 })
      local event = t:event("P30-234", to, "eq", { type = kind, mlength = 6 })
      t:equal("P30-234", "length of the descriptor in " .. kind, event.mem_desc.length, 10)
    end
  end,
}

case {
  id = "event-get-and-reply",
  title = "A get is logged at the target, its reply at the initiator, and nothing else",
  purpose = "Three gets give three PTL_EVENT_GET there and three PTL_EVENT_REPLY here; no PTL_EVENT_SENT and no PTL_EVENT_ACK.",
  requirements = { "P30-214", "P30-219", "P30-223", "P30-172", "P30-271" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    to:fill("buf", "mix/9")
    to:attach { options = GET .. "|" .. REMOTE, eventq = "eq" }
    for _ = 1, 3 do
      from:get { mem_desc = "out-md", target = to }
      t:event("P30-214", to, "eq", { type = "PTL_EVENT_GET", mlength = 64, initiator = from.id })
      local result = from:wait_any("eq")
      t:reading("P30-223", "sent_for_get", "the initiator's event", result.event and result.event.type,
        { { "no", "PTL_EVENT_REPLY" }, { "yes", "PTL_EVENT_SENT" } })
      if result.event.type == "PTL_EVENT_SENT" then result = from:wait("eq") end
      t:equal("P30-219", "the event that follows the reply's data", result.event and result.event.type,
        "PTL_EVENT_REPLY")
      t:octets_by_then("P30-219", "P30-271", "the data of the reply", from, "out", "mix/9")
    end
    from:get { mem_desc = "out-md", target = to } -- its reply comes behind all that the others have brought
    t:event("P30-172", from, "eq", { type = "PTL_EVENT_REPLY" })
    t:equal("P30-172", "further events", from:count_events("eq"), 0)
  end,
}

case {
  id = "event-put-after-data",
  only = true,
  title = "When PTL_EVENT_PUT is seen all of the data has been stored",
  purpose = "Puts of one mebibyte, each with a pattern of its own; the memory is compared the moment the event is returned.",
  requirements = { "P30-217", "P30-255" }, ranks = 2,
  run = function(t)
    local from, to = pair(t, 1048576)
    to:attach { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    for round = 1, 8 do
      from:fill("out", "mix/" .. round)
      local waiting = to:start_PtlEQWait {}
      from:put { mem_desc = "out-md", target = to }
      t:equal("P30-217", "event of round " .. round, waiting:finish().event.type, "PTL_EVENT_PUT")
      t:octets_by_then("P30-217", "P30-255", "the data of round " .. round, to, "buf", "mix/" .. round)
      t:sanity("the put was sent", from:wait("eq").event.type == "PTL_EVENT_SENT")
    end
  end,
}

case {
  id = "event-sent-buffer-free",
  title = "After PTL_EVENT_SENT the buffer can be reused",
  purpose = "The buffer of a large put is overwritten as soon as the event is seen; the target must have the old octets.",
  requirements = { "P30-221", "P30-261" }, ranks = 2,
  run = function(t)
    local from, to = pair(t, 1048576)
    to:attach { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    for round = 1, 8 do
      from:fill("out", "mix/" .. round)
      from:put { mem_desc = "out-md", target = to }
      t:event("P30-261", from, "eq", { type = "PTL_EVENT_SENT" })
      from:fill("out", "byte/238")
      t:event("P30-221", to, "eq", { type = "PTL_EVENT_PUT" })
      t:octets("P30-221", "the data of round " .. round, to, "buf", "mix/" .. round)
    end
  end,
}

case {
  id = "event-get-after-reply",
  title = "After PTL_EVENT_GET the target's memory can be reused",
  purpose = "The memory that was asked for is overwritten as soon as the event is seen, its end first, which is sent last; the initiator must get the old octets.",
  requirements = { "P30-215" }, ranks = 2,
  run = function(t)
    local octets, last = 33554432, 65536
    local from, to = pair(t, octets)
    to:attach { options = GET .. "|" .. REMOTE, eventq = "eq" }
    for round = 1, 3 do
      to:fill("buf", "mix/" .. round)
      from:get { mem_desc = "out-md", target = to }
      t:event("P30-215", to, "eq", { type = "PTL_EVENT_GET" })
      to:fill("buf", "byte/238", octets - last, last)
      t:sanity("the reply comes", from:wait("eq").event ~= nil)
      t:octets("P30-215", "what the reply brought in round " .. round, from, "out", "mix/" .. round)
    end
  end,
}

case {
  id = "event-put-counts",
  title = "A put gives one PTL_EVENT_SENT, and one PTL_EVENT_ACK when it is acknowledged",
  purpose = "Four kinds of puts: acknowledged, not asked for, dropped, and dropped although one was asked for. The order of the two events is nobody's promise.",
  requirements = { "P30-220", "P30-222", "P30-224", "P30-225", "P30-262", "P30-258" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    to:attach { match_bits = 1, options = PUT .. "|" .. REMOTE }
    local rows = {
      { "P30-222", "PTL_ACK_REQ", 1, { "PTL_EVENT_ACK", "PTL_EVENT_SENT" } },
      { "P30-258", "PTL_NOACK_REQ", 1, { "PTL_EVENT_SENT" } },
      { "P30-224", "PTL_NOACK_REQ", 2, { "PTL_EVENT_SENT" } },
      { "P30-224", "PTL_ACK_REQ", 2, { "PTL_EVENT_SENT" } },
      { "P30-220", "PTL_ACK_REQ", 1, { "PTL_EVENT_ACK", "PTL_EVENT_SENT" } },
    }
    to:me_insert { match_bits = 3, handle = "last" }
    to:add_md { me = "last", md = "last-md", options = PUT .. "|" .. REMOTE }
    for req, ack_req, bits, wanted in each(rows) do
      t:judging(req)
      from:put { mem_desc = "out-md", ack_req = ack_req, target = to, match_bits = bits }
      t:equal(req, string.format("events of a put with %s and bits %d", ack_req, bits),
        t.types((from:collect("eq", #wanted))), wanted)
      -- An answer too many is there when that of a later put is, which has bits of its own.
      from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, match_bits = 3 }
      local found = {}
      for i, event in ipairs((from:collect("eq", 2))) do
        found[i] = event.type .. " of bits " .. event.match_bits
      end
      table.sort(found)
      t:equal(req == "P30-220" and "P30-262" or req, "the events behind them", found,
        { "PTL_EVENT_ACK of bits 3", "PTL_EVENT_SENT of bits 3" })
    end
    t:equal("P30-225", "events after everything has been answered", from:count_events("eq"), 0)
  end,
}

case {
  id = "event-ack-from-message",
  title = "An acknowledgement's event is built from the acknowledgement",
  purpose = "Portal, match bits, requested and manipulated length and offset of the event are those of the put.",
  requirements = { "P30-310", "P30-220" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    to:attach { index = 6, match_bits = 0xfeed, region = "big", octets = 256, options = PUT .. "|" .. REMOTE }
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, portal = 6, match_bits = 0xfeed, offset = 17 }
    local ack
    for _, event in ipairs((from:collect("eq", 2))) do
      ack = event.type == "PTL_EVENT_ACK" and event or ack
    end
    t:check("P30-220", "the acknowledgement is logged", ack ~= nil, "PTL_EVENT_ACK", "none")
    for _, row in ipairs { { "portal", 6 }, { "match_bits", 0xfeed }, { "rlength", 64 }, { "mlength", 64 } } do
      t:equal("P30-310", row[1] .. " of the acknowledgement's event", ack[row[1]], row[2])
    end
    t:reading("P30-310", "answer_event_offset", "offset of the acknowledgement's event",
      ack.offset == 17 and 17 or "another", { { "request_then_zero", 17 }, { "unspecified", "another" } })
  end,
}

case {
  id = "event-ack-of-nothing",
  title = "A put of no octets is acknowledged like any other",
  purpose = "Three acknowledged puts of a descriptor of no octets, then one of a descriptor of 64, and two of 64 to where all is cut off: each yields its PTL_EVENT_ACK, which says how many octets were put.",
  requirements = { "P30-220", "P30-310" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    to:attach { options = PUT .. "|" .. REMOTE }
    from:bind { desc = "void", start = "null", length = 0, eventq = "eq", md = "void-md" }
    to:attach { index = 1, me = "me1", md = "md1", desc = "void", start = "null", length = 0,
      options = PUT .. "|PTL_MD_TRUNCATE" }
    for i, md in ipairs { "void-md", "void-md", "void-md", "out-md", "out-md", "out-md" } do
      from:put { mem_desc = md, ack_req = "PTL_ACK_REQ", target = to, match_bits = 0, portal = i > 4 and 1 or 0 }
      local kinds, lengths = {}, {}
      for _, event in ipairs((from:collect("eq", 2))) do
        kinds[#kinds + 1] = event.type
        lengths[event.type] = event.mlength
      end
      table.sort(kinds)
      t:equal("P30-220", "events of put " .. i, kinds, { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
      t:equal("P30-310", "octets that the acknowledgement of put " .. i .. " tells", lengths.PTL_EVENT_ACK,
        i == 4 and 64 or 0)
    end
  end,
}

case {
  id = "queue-shared",
  title = "Several descriptors can share a queue, and their events come in the order of arrival",
  purpose = "Puts to two descriptors in turn; the queue must show them in turn.",
  requirements = { "P30-213", "P30-245", "P30-244" },
  run = function(t)
    local rank = alone(t)
    for portal = 0, 1 do
      rank:me_attach { index = portal, handle = "me" .. portal }
      rank:md { options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = portal }
      t:rc("P30-213", rank:PtlMDAttach { match = "me" .. portal, handle = "md" .. portal }, "PTL_OK")
    end
    for i = 1, 12 do
      rank:put { mem_desc = "out-md", target = rank, portal = i % 2, match_bits = 0, offset = i }
    end
    for i = 1, 12 do
      local event = t:event("P30-244", rank, "eq", { type = "PTL_EVENT_PUT" })
      t:equal("P30-245", "offset of event " .. i, event.offset, i)
      t:equal("P30-213", "descriptor of event " .. i, event.mem_desc.user_ptr, i % 2)
    end
    t:equal("P30-244", "events that are left", rank:PtlEQCount().count, 0)
  end,
}

case {
  id = "queue-capacity",
  title = "A queue of n events holds n events",
  purpose = "As many puts as the queue has places are taken while nobody fetches an event, for several sizes and twice in a row, so that the queue goes round; each event comes out unharmed and in order.",
  requirements = { "P30-236" },
  run = function(t)
    local rank = alone(t)
    for _, count in ipairs { 1, 2, 5, 16, 33 } do
      rank:eq("queue", count)
      rank:attach { options = PUT .. "|" .. REMOTE, eventq = "queue" }
      for round = 0, 1 do
        for i = 1, count do rank:put { mem_desc = "out-md", target = rank, offset = round * count + i } end
        t:flush(rank, rank)
        local events = rank:collect("queue", count, 0)
        t:equal("P30-236", "events that a queue of " .. count .. " holds", #events, count)
        for i, event in ipairs(events) do
          t:equal("P30-236", "return code of event " .. i, event.rc, "PTL_OK")
          t:equal("P30-236", "offset of event " .. i, event.offset, round * count + i)
        end
      end
      rank:md_unlink {}
      rank:eq_free { eventq = "queue" }
    end
  end,
}

case {
  id = "queue-count",
  title = "PtlEQCount tells how many events wait, and takes none",
  purpose = "The count is asked for an empty queue, after each of three puts, twice in a row, and after each event that is taken out.",
  requirements = { "P30-240", "P30-241" },
  run = function(t)
    local rank = alone(t)
    rank:attach { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    t:rc("P30-240", rank:PtlEQCount {}, "PTL_OK")
    t:equal("P30-240", "events in an empty queue", rank:PtlEQCount().count, 0)
    for i = 1, 3 do
      rank:put { mem_desc = "out-md", target = rank, offset = i }
      t:flush(rank, rank)
      t:equal("P30-240", "events after put " .. i, rank:PtlEQCount().count, i)
      t:equal("P30-241", "events when asked once more", rank:PtlEQCount().count, i)
    end
    for i = 1, 3 do
      t:event("P30-241", rank, "eq", { type = "PTL_EVENT_PUT", offset = i }, 0)
      t:equal("P30-240", "events after taking " .. i, rank:PtlEQCount().count, 3 - i)
    end
  end,
}

-- A queue may hold more events than were asked for. So it is made full with so many as no library would add unasked.
local PLENTY = 3000

-- `times` puts of nothing from a descriptor to the rank itself, the number of each as its offset. All have been handled
-- when this returns.
local function put_many(t, rank, times, given)
  local values = { mem_desc = "out-md", ack_req = "PTL_NOACK_REQ", target = t.gid(rank.id), portal = 0, cookie = 0,
    match_bits = 0, offset = "%i" }
  for key, value in pairs(given or {}) do values[key] = value end
  t:sanity("all puts were called", rank:batch(times, { { "PtlPut", values } }).runs == times)
  t:flush(rank, rank)
end

case {
  id = "queue-full-refuses",
  title = "A request for whose event the queue has no room is refused",
  purpose = "A queue is filled with the events of puts that nobody fetches: those that do not fit are dropped and counted, or go to the entry behind once there is one without a queue. The events in the queue stay what they were.",
  requirements = { "P30-326", "P30-327" }, chapter = "4.2",
  run = function(t)
    local rank = alone(t)
    local before = rank:drop_count()
    rank:eq("tiny", 1)
    rank:attach { region = "wide", octets = PLENTY, options = PUT .. "|" .. REMOTE, eventq = "tiny" }
    put_many(t, rank, PLENTY)
    local dropped, held = rank:drop_count() - before, rank:PtlEQCount { eventq = "tiny" }.count
    if dropped > 0 then
      t:equal("P30-326", "puts that were logged and puts that were dropped", held + dropped, PLENTY)
    else
      t:reading("P30-326", "full_queue", "requests that were dropped", "none",
        { { "refuse", "those for which the queue of one has no place" }, { "overwrite", "none" } })
    end
    rank:me_insert { current = "me", handle = "me2" }
    rank:region("behind", 8)
    rank:add_md { me = "me2", md = "md2", region = "behind", options = PUT .. "|" .. REMOTE, eventq = "none" }
    rank:bind { region = "src", octets = 8, fill = "mix/4", md = "src-md" }
    t:judging("P30-327")
    rank:put { mem_desc = "src-md", target = rank }
    t:flush(rank, rank)
    t:equal("P30-327", "dropped requests with an entry behind that has no queue",
      rank:drop_count() - before - dropped, 0)
    if dropped > 0 then
      t:octets("P30-327", "the memory of the entry behind", rank, "behind", "mix/4")
      for i, event in ipairs(rank:drain("tiny")) do
        t:equal("P30-326", "offset of event " .. i .. " in the queue", event.offset, i - 1)
      end
    end
  end,
}

case {
  id = "queue-overflow-told",
  only = true,
  title = "A queue reports a loss of events once",
  purpose = "PTL_EVENT_SENT cannot be refused, so many of them overflow a queue of two. The events that were kept come out whole; after two more, exactly one event has come with PTL_EQ_DROPPED, and the last one with PTL_OK.",
  requirements = { "P30-246", "P30-247" },
  run = function(t)
    local rank = alone(t)
    rank:eq("tiny", 2)
    rank:bind { length = 0, desc = "sender", md = "sender", eventq = "tiny" }
    rank:attach { options = PUT .. "|" .. REMOTE }
    local dropped, kept, latest = 0, 0, nil
    local function fetch()
      for _, event in ipairs(rank:drain("tiny")) do
        t:equal("P30-246", "type of the event with " .. event.rc, event.type, "PTL_EVENT_SENT")
        dropped = dropped + (event.rc == "PTL_EQ_DROPPED" and 1 or 0)
        kept, latest = kept + 1, event.rc
      end
    end
    put_many(t, rank, PLENTY, { mem_desc = "sender" })
    fetch()
    t:skip_if(kept >= PLENTY, "a queue that was made for one holds thousands of events")
    put_many(t, rank, 2, { mem_desc = "sender" })
    fetch()
    t:check("P30-246", "the loss is told", dropped >= 1, "one PTL_EQ_DROPPED", "none")
    t:equal("P30-247", "how often it is told", dropped, 1)
    t:equal("P30-247", "the last return code", latest, "PTL_OK")
  end,
}

case {
  id = "queue-free",
  title = "PtlEQFree releases the queue",
  purpose = "All calls with its handle are refused afterwards; a descriptor that still names the queue does not bring the library down.",
  requirements = { "P30-238", "P30-239" },
  run = function(t)
    local rank = alone(t)
    rank:eq("gone")
    rank:attach { options = PUT .. "|" .. REMOTE, eventq = "gone" }
    t:rc("P30-238", rank:PtlEQFree { eventq = "gone" }, "PTL_OK")
    t:rc("P30-238", rank:PtlEQFree { eventq = "gone" }, "PTL_INV_EQ")
    t:rc("P30-238", rank:PtlEQGet { eventq = "gone" }, "PTL_INV_EQ")
    t:judging("P30-239")
    for _ = 1, 10 do t:rc("P30-239", rank:PtlPut { mem_desc = "out-md", target = rank }, "PTL_OK") end
    rank:attach { index = 1, me = "me1", md = "md1", options = PUT .. "|" .. REMOTE, eventq = "eq" }
    rank:put { mem_desc = "out-md", target = rank, portal = 1 }
    t:event("P30-239", rank, "eq", { type = "PTL_EVENT_PUT", portal = 1 })
  end,
}

case {
  id = "queue-errors",
  title = "The event queue calls have a return code of their own for each kind of bad argument",
  purpose = "Handles of another kind and of the dead, output addresses that are none.",
  requirements = { "P30-237", "P30-242", "P30-248", "P30-253" },
  run = function(t)
    local rank = alone(t)
    rank:eq("dead")
    rank:eq_free { eventq = "dead" }
    if not rank:same("eq", "ni") then -- handles of two types may be alike
      t:rc("P30-237", rank:PtlEQAlloc { interface = "eq", handle = "other" }, "PTL_INV_NI")
    end
    t:rc("P30-237", rank:PtlEQAlloc { handle = "null" }, "PTL_SEGV")
    t:judging("P30-253")
    for _, handle in ipairs { "dead", "ni", "out-md", "none" } do
      if handle == "none" or not rank:same(handle, "eq") then -- handles of two types may be alike
        t:rc("P30-242", rank:PtlEQCount { eventq = handle }, "PTL_INV_EQ")
        t:rc("P30-248", rank:PtlEQGet { eventq = handle }, "PTL_INV_EQ")
        t:rc("P30-253", rank:PtlEQWait { eventq = handle }, "PTL_INV_EQ")
      end
    end
    t:judging("P30-242")
    t:rc("P30-242", rank:PtlEQCount { count = "null" }, "PTL_SEGV")
    rank:attach { start = "null", length = 0, eventq = "eq" } -- without an event PTL_EQ_EMPTY would be as right
    rank:put { mem_desc = "out-md", target = rank }
    t:flush(rank, rank)
    t:judging("P30-248")
    t:rc("P30-248", rank:PtlEQGet { event = "null" }, "PTL_SEGV")
    t:judging("P30-253")
    t:rc("P30-253", rank:PtlEQWait { event = "null", deadline = 3000 }, "PTL_SEGV")
  end,
}

case {
  id = "queue-get-does-not-block",
  title = "PtlEQGet returns at once, and takes out what it returns",
  purpose = "On an empty queue PTL_EQ_EMPTY; with two events both are returned in order, then the queue is empty again.",
  requirements = { "P30-243", "P30-244" },
  run = function(t)
    local rank = alone(t)
    t:rc("P30-243", rank:PtlEQGet { deadline = 5000 }, "PTL_EQ_EMPTY")
    rank:attach { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    rank:put { mem_desc = "out-md", target = rank, offset = 1 }
    rank:put { mem_desc = "out-md", target = rank, offset = 2 }
    t:event("P30-244", rank, "eq", { type = "PTL_EVENT_PUT", offset = 1 })
    t:event("P30-244", rank, "eq", { type = "PTL_EVENT_PUT", offset = 2 })
    t:rc("P30-244", rank:PtlEQGet { deadline = 5000 }, "PTL_EQ_EMPTY")
  end,
}

case {
  id = "queue-wait-blocks",
  only = true,
  title = "PtlEQWait waits for an event and returns it, at once when there is one already",
  purpose = "It must not return before the peer's put, must return after it, takes the event out, and does not wait for a second one.",
  requirements = { "P30-249", "P30-250", "P30-251" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    to:attach { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    local waiting = to:start_PtlEQWait { deadline = 20000 }
    from:pause(300)
    t:check("P30-249", "it waits while nothing comes", not waiting:done(), "waiting", "returned")
    from:put { mem_desc = "out-md", target = to, match_bits = 0 }
    local result = waiting:finish()
    t:rc("P30-249", result, "PTL_OK")
    t:equal("P30-250", "type of the event", result.event.type, "PTL_EVENT_PUT")
    t:equal("P30-250", "events that are left", to:PtlEQCount().count, 0)
    t:judging("P30-251")
    for i = 1, 2 do from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, offset = 0 } end
    t:sanity("both puts are acknowledged", #(from:collect("eq", 5)) == 5)
    for i = 1, 2 do
      result = to:PtlEQWait { deadline = 5000 }
      t:rc("P30-251", result, "PTL_OK")
      t:equal("P30-250", "type of event " .. i, result.event.type, "PTL_EVENT_PUT")
    end
    t:equal("P30-250", "events that are left", to:PtlEQCount().count, 0)
  end,
}

case {
  id = "queue-wait-tells-loss",
  only = true,
  title = "PtlEQWait reports lost events as PtlEQGet does",
  purpose = "The queue of two that was overfilled is emptied with PtlEQWait, two more events included: one comes with PTL_EQ_DROPPED, all others with PTL_OK, and all are whole.",
  requirements = { "P30-252" },
  run = function(t)
    local rank = alone(t)
    rank:eq("tiny", 2)
    rank:bind { length = 0, desc = "sender", md = "sender", eventq = "tiny" }
    rank:attach { options = PUT .. "|" .. REMOTE }
    local dropped, fetched = 0, 0
    local function fetch()
      while rank:PtlEQCount { eventq = "tiny" }.count > 0 do
        local result = rank:PtlEQWait { eventq = "tiny", deadline = 5000 }
        t:equal("P30-252", "type of the event", result.event and result.event.type, "PTL_EVENT_SENT")
        dropped, fetched = dropped + (result.rc == "PTL_EQ_DROPPED" and 1 or 0), fetched + 1
      end
    end
    put_many(t, rank, PLENTY, { mem_desc = "sender" })
    fetch()
    t:skip_if(fetched >= PLENTY, "a queue that was made for one holds thousands of events")
    put_many(t, rank, 2, { mem_desc = "sender" })
    fetch()
    t:equal("P30-252", "how often the loss is told", dropped, 1)
  end,
}
