-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.8: what all events of an operation tell, empty operations, losses, waiting. Rank 0 acts, rank 1 answers.

defaults { suite = "events", chapter = "3.8.2", ranks = 2 }

local BOTH <const> = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE"

-- Rank 0 with a descriptor "out-md", rank 1 with one that serves it at portal 1; both with a queue "eq".
local function pair(t, octets)
  local from, to = t:open {}
  from:eq("eq", 64)
  to:eq("eq", 64)
  from:bind { region = "out", octets = 16, length = octets, fill = "mix/1", md = "out-md", eventq = "eq" }
  to:attach { index = 1, octets = 64, fill = "mix/2", ignorebits = 0xff, options = BOTH, eventq = "eq" }
  return from, to
end

-- The events of one operation, up to one of this type: those of which the type is in `kinds`.
local function events_until(t, req, rank, last, kinds)
  local found = {}
  repeat
    local event = rank:wait("eq").event
    t:check(req, rank.label .. ": " .. last .. " comes", event ~= nil, last, "no event")
    if event.type:find(kinds) then found[#found + 1] = event end
  until event.type == last
  return found
end

local PUT_AT_HOME <const> = { "PTL_EVENT_SEND_START", "PTL_EVENT_SEND_END", "PTL_EVENT_ACK" }

case {
  id = "every-event-is-numbered",
  title = "Events of every kind are numbered without a gap, and tell of no failure",
  purpose = "A put with an acknowledgement, a get and one more put; all events of both sides, those of an acknowledgement among them.",
  requirements = { "P32-349", "P32-353" },
  run = function(t)
    local from, to = pair(t)
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, portal = 1 }
    t:sanity("the put is acknowledged", #from:collect("eq", #PUT_AT_HOME) == #PUT_AT_HOME)
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, portal = 1 }
    local mine = from:collect("eq", #PUT_AT_HOME)
    t:sanity("the second put is acknowledged", #mine == #PUT_AT_HOME)
    from:get { mem_desc = "out-md", target = to, portal = 1 }
    for _, event in ipairs(events_until(t, "P32-349", from, "PTL_EVENT_REPLY_END", "^PTL")) do
      mine[#mine + 1] = event
    end
    t:flush(from, to)
    local theirs = to:collect("eq", 6)
    for _, events in ipairs { mine, theirs } do
      for i, event in ipairs(events) do
        t:equal("P32-353", "the kind of failure in " .. event.type, event.ni_fail_type, "PTL_NI_OK")
        if i > 1 then
          t:equal("P32-349", "the number of " .. event.type, event.sequence, events[i - 1].sequence + 1)
        end
      end
    end
  end,
}

case {
  id = "beginnings-tell-the-operation",
  title = "The event with which an operation begins tells what it is, as the one with which it ends",
  purpose = "A put and a get with bits, an offset and header data; portal, bits, lengths, offset and initiator in both events at the target.",
  requirements = { "P32-227", "P32-228", "P32-229", "P32-230", "P32-231", "P32-233" },
  run = function(t)
    local from, to = pair(t)
    for kind, verb in each { { "PUT", "put" }, { "GET", "get" } } do
      from[verb](from, { mem_desc = "out-md", target = to, portal = 1, match_bits = 0x55, offset = 20 })
      for _, part in ipairs { "_START", "_END" } do
        local event = t:event("P32-231", to, "eq", { type = "PTL_EVENT_" .. kind .. part, mlength = 16 })
        t:equal("P32-230", "the requested length in " .. event.type, event.rlength, 16)
        t:equal("P32-228", "the portal in " .. event.type, event.portal, 1)
        t:equal("P32-229", "the match bits in " .. event.type, event.match_bits, 0x55)
        t:equal("P32-233", "the offset in " .. event.type, event.offset, 20)
        t:equal("P32-227", "the initiator in " .. event.type, event.initiator, from.id)
      end
    end
  end,
}

case {
  id = "nothing-starts-and-ends",
  title = "Operations without octets are logged as all others",
  purpose = "A put and a get of length zero; all events of both sides, and the lengths in them.",
  chapter = "3.8.1", requirements = { "P32-214", "P32-216", "P32-219", "P32-222", "P32-232" },
  run = function(t)
    local from, to = pair(t, 0)
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, portal = 1 }
    t:equal("P32-222", "the events at the initiator", Test.types(from:collect("eq", 3)),
      { "PTL_EVENT_ACK", "PTL_EVENT_SEND_END", "PTL_EVENT_SEND_START" })
    for _, kind in ipairs { "PTL_EVENT_PUT_START", "PTL_EVENT_PUT_END" } do
      local event = t:event("P32-216", to, "eq", { type = kind })
      t:equal("P32-232", "both lengths in " .. kind, { event.rlength, event.mlength }, { 0, 0 })
    end
    from:get { mem_desc = "out-md", target = to, portal = 1 }
    local events = events_until(t, "P32-219", from, "PTL_EVENT_REPLY_END", "REPLY")
    t:equal("P32-219", "the events of the reply", Test.types(events),
      { "PTL_EVENT_REPLY_END", "PTL_EVENT_REPLY_START" })
    for _, kind in ipairs { "PTL_EVENT_GET_START", "PTL_EVENT_GET_END" } do
      t:event("P32-214", to, "eq", { type = kind })
    end
  end,
}

case {
  id = "whole-lengths",
  title = "What is not cut has two equal lengths",
  purpose = "Puts and gets of 1, 15 and 16 octets; both lengths in all events at the target.",
  requirements = { "P32-232" },
  run = function(t)
    local from, to = pair(t)
    for _, octets in ipairs { 1, 15, 16 } do
      local md = "md" .. octets
      from:bind { region = "out", length = octets, desc = "desc" .. octets, md = md }
      for _, verb in ipairs { "put", "get" } do
        from[verb](from, { mem_desc = md, target = to, portal = 1 })
        for _ = 1, 2 do
          local event = to:wait("eq").event
          t:check("P32-232", "an event comes", event ~= nil, "an event", "none")
          t:equal("P32-232", "both lengths in " .. event.type, { event.rlength, event.mlength }, { octets, octets })
        end
        t:flush(from, to)
      end
    end
  end,
}

case {
  id = "queue-just-large-enough",
  title = "A queue holds as many events as it was made for",
  purpose = "A queue of six and three puts: all six events are there, and nothing was lost.",
  chapter = "3.8.3", requirements = { "P32-236" },
  run = function(t)
    local from, to = pair(t)
    to:eq("six", 6)
    to:attach { index = 2, me = "me2", md = "md2", desc = "desc2", region = "buf2", octets = 16, options = BOTH,
      eventq = "six" }
    for _ = 1, 3 do from:put { mem_desc = "out-md", target = to, portal = 2 } end
    t:flush(from, to)
    local events = to:drain("six")
    t:equal("P32-236", "the number of events", #events, 6)
    for i, event in ipairs(events) do t:equal("P32-236", "the code of event " .. i, event.rc, "PTL_OK") end
  end,
}

-- Takes out all events of "small" and counts the calls that tell of a loss.
local function losses(rank)
  local told = 0
  for _, event in ipairs(rank:drain("small")) do told = told + (event.rc == "PTL_EQ_DROPPED" and 1 or 0) end
  return told
end

case {
  id = "each-loss-is-told-once",
  title = "Each gap in the events of a queue is told once, by the first event behind it",
  purpose = "Many more puts than a queue of four holds, then all events and one put more, twice; between them a put for which there is room.",
  chapter = "3.8.6", requirements = { "P32-246", "P32-247" }, ranks = 1, deadline = 60,
  run = function(t)
    local rank = t:open {}
    rank:eq("small", 4)
    rank:attach { octets = 8, options = BOTH, eventq = "small" }
    rank:bind { octets = 8, region = "out", md = "out-md" }
    local function puts(count)
      t:sanity("all puts were called", rank:batch(count, { { "PtlPut", { mem_desc = "out-md",
        ack_req = "PTL_NOACK_REQ", target = t.nid(rank.id), portal = 0, cookie = 0, match_bits = 0, offset = 0 } } })
        .runs == count)
      t:flush(rank, rank)
    end
    puts(1)
    t:equal("P32-247", "losses told without any", losses(rank), 0)
    for i = 1, 2 do
      puts(500)
      local told = losses(rank)
      puts(1)
      told = told + losses(rank)
      t:check("P32-246", "loss " .. i .. " is told", told > 0, "PTL_EQ_DROPPED", "PTL_OK alone")
      t:equal("P32-247", "calls that tell of loss " .. i, told, 1)
      puts(1)
      t:equal("P32-247", "calls that tell of it later", losses(rank), 0)
    end
  end,
}

case {
  id = "queue-wait-stands-still",
  title = "PtlEQWait waits for an event that comes late",
  purpose = "It must not return before another process puts, and returns with the event of that.",
  chapter = "3.8.7", requirements = { "P32-249" },
  run = function(t)
    local from, to = pair(t)
    local waiting = to:start_PtlEQWait { deadline = 20000 }
    from:pause(300)
    t:check("P32-249", "it waits while nothing comes", not waiting:done(), "waiting", "returned")
    from:put { mem_desc = "out-md", target = to, portal = 1 }
    local result = t:rc("P32-249", waiting:finish(), "PTL_OK")
    t:equal("P32-249", "the event", result.event.type, "PTL_EVENT_PUT_START")
  end,
}

case {
  id = "gone-when-it-is-logged",
  title = "What an operation exhausts is gone when the operation is logged",
  purpose = "A put uses up a descriptor with PTL_UNLINK in an entry with PTL_UNLINK; as its last event is seen, both handles are bad.",
  chapter = "2.2", requirements = { "P32-025" }, ranks = 1,
  run = function(t)
    local rank = t:open {}
    rank:eq()
    rank:attach { octets = 8, threshold = 1, unlink = "PTL_UNLINK", md_unlink = "PTL_UNLINK", eventq = "eq" }
    rank:bind { octets = 8, region = "out", md = "out-md" }
    rank:put { mem_desc = "out-md", target = rank }
    local event = rank:wait_done("eq").event
    t:check("P32-025", "the put is logged", event ~= nil, "PTL_EVENT_PUT_END", "none")
    t:md_unlinked("P32-025", rank)
    t:me_unlinked("P32-025", rank)
  end,
}

case {
  id = "cut-operations-are-operations",
  title = "What is cut counts on the threshold as all else, and has not failed",
  purpose = "On a descriptor of 10 octets that cuts, puts with an acknowledgement and gets of 16, of 10 and of nothing: every event of both sides tells of no failure, and each operation lowers the threshold at the target by one.",
  requirements = { "P32-142", "P32-353" },
  run = function(t)
    local from, to = pair(t)
    to:attach { index = 2, me = "cut-me", md = "cut", region = "ten", octets = 10, threshold = 20,
      options = BOTH .. "|PTL_MD_TRUNCATE", eventq = "eq" }
    local function look(rank, kinds, count)
      local seen = {}
      for i = 1, count do
        local event = rank:wait("eq").event
        t:check("P32-142", rank.label .. ": an event of the operation comes", event ~= nil, "an event", "none")
        t:equal("P32-353", "the kind of failure in " .. event.type, event.ni_fail_type, "PTL_NI_OK")
        if event.type:find(kinds) then seen[#seen + 1] = event end
      end
      return seen
    end
    local left -- in the last event: an event may show the descriptor as it was before its operation or after it
    for octets, offset in each { { 16, 0 }, { 10, 0 }, { 16, 4 }, { 0, 0 }, { 16, 10 } } do
      from:bind { region = "out", length = octets, desc = "some", md = "some-md", eventq = "eq" }
      for _, verb in ipairs { "put", "get" } do
        from[verb](from, { mem_desc = "some-md", ack_req = verb == "put" and "PTL_ACK_REQ" or nil, target = to,
          portal = 2, offset = offset })
        local ended = look(to, verb:upper() .. "_END", 2)[1]
        if left and ended then
          t:equal("P32-142", "what is left in " .. ended.type .. " of " .. octets .. " octets at " .. offset,
            ended.mem_desc.threshold, left - 1)
        end
        left = ended and ended.mem_desc.threshold
        for _, event in ipairs(events_until(t, "P32-353", from, verb == "put" and "PTL_EVENT_ACK" or
          "PTL_EVENT_REPLY_END", "^PTL")) do
          t:equal("P32-353", "the kind of failure in " .. event.type, event.ni_fail_type, "PTL_NI_OK")
        end
      end
      from:md_unlink { mem_desc = "some-md" }
    end
  end,
}

for name, verb, ack, types in each {
  { "put", "put", false, { "PTL_EVENT_SEND_END", "PTL_EVENT_SEND_START", "PTL_EVENT_UNLINK" } },
  { "acknowledged-put", "put", true,
    { "PTL_EVENT_ACK", "PTL_EVENT_SEND_END", "PTL_EVENT_SEND_START", "PTL_EVENT_UNLINK" } },
  { "get", "get", false, { "PTL_EVENT_REPLY_END", "PTL_EVENT_REPLY_START", "PTL_EVENT_UNLINK" } } } do
  local row = verb == "put" and "P32-222" or "P32-219"
  case {
    id = "last-operation-of-its-own-" .. name,
    title = "The operation that uses up its own descriptor is logged as all others are: " .. name,
    purpose = "A descriptor with PTL_UNLINK has a threshold that suffices for one; all events at the initiator are collected, for messages of 16 octets and of none.",
    chapter = "3.8.1", requirements = { row },
    run = function(t)
      local from, to = pair(t)
      for _, octets in ipairs { 16, 0 } do
        from:attach { index = 3, me = "own-me", md = "own", region = "out", length = octets, threshold = ack and 2 or 1,
          md_unlink = "PTL_UNLINK", eventq = "eq" }
        from[verb](from, { mem_desc = "own", ack_req = ack and "PTL_ACK_REQ" or nil, target = to, portal = 1 })
        local seen = {}
        repeat
          local event = from:wait("eq").event
          if event and not (verb == "get" and event.type:find("SEND")) then seen[#seen + 1] = event end
        until not event or event.type == "PTL_EVENT_UNLINK"
        t:equal(row, "the events of " .. octets .. " octets", Test.types(seen), types)
        from:me_unlink { entry = "own-me" }
      end
    end,
  }
end

case {
  id = "user-in-every-event",
  title = "Events of every kind tell the user of the initiator, whichever interface tells who that is",
  purpose = "PtlGetUid by the default interface and by the second one, where there is one; a put with an acknowledgement and a get, also of no octets, and the user in all events of both sides.",
  requirements = { "P32-352", "P32-340" },
  run = function(t)
    local from, to = pair(t)
    local uid = t:rc("P32-340", from:PtlGetUid(), "PTL_OK").uid
    if from:PtlNIInit { interface = 1, handle = "ni1" }.rc == "PTL_OK" then
      t:equal("P32-340", "the user by the second interface", from:PtlGetUid { interface = "ni1" }.uid, uid)
    end
    local function judge(events)
      for _, event in ipairs(events) do
        t:equal_or_warn("P32-352", "the user in " .. event.type, event.uid, uid,
          event.type == "PTL_EVENT_ACK" and { [0] = "acknowledgements name no user" } or {})
      end
    end
    from:bind { desc = "nothing", start = "null", length = 0, md = "nothing-md", eventq = "eq" }
    for _, md in ipairs { "out-md", "nothing-md" } do
      from:put { mem_desc = md, ack_req = "PTL_ACK_REQ", target = to, portal = 1 }
      judge(events_until(t, "P32-352", to, "PTL_EVENT_PUT_END", "^PTL"))
      local mine = from:collect("eq", #PUT_AT_HOME)
      t:sanity("the put is acknowledged", #mine == #PUT_AT_HOME)
      judge(mine)
      from:get { mem_desc = md, target = to, portal = 1 }
      judge(events_until(t, "P32-352", to, "PTL_EVENT_GET_END", "^PTL"))
      judge(events_until(t, "P32-352", from, "PTL_EVENT_REPLY_END", "^PTL"))
    end
  end,
}

case {
  id = "copies-in-beginnings",
  title = "The event of a beginning has the members of its descriptor, as that of the end has",
  purpose = "A put and a get between descriptors with user pointers of their own: start, length, options and user pointer in both events of each, at either side.",
  requirements = { "P32-235" },
  run = function(t)
    local from, to = t:open {}
    local own <const>, theirs <const> = 0x1122334455667788, 0x99
    for i = 0, 1 do t.ranks[i]:eq("eq", 64) end
    from:bind { region = "out", octets = 16, fill = "mix/1", md = "out-md", eventq = "eq", user_ptr = own }
    to:attach { octets = 64, options = BOTH, eventq = "eq", user_ptr = theirs }
    local function judge(rank, kind, region, length, user_ptr)
      local beginning
      for _, half in ipairs { "_START", "_END" } do
        local event
        repeat event = rank:wait("eq").event until not event or event.type == kind .. half
        t:check("P32-235", kind .. half .. " comes", event ~= nil, "an event", "none")
        beginning = beginning or event
        t:equal("P32-235", "start, length and user pointer in " .. event.type,
          { event.mem_desc.start, event.mem_desc.length, event.mem_desc.user_ptr },
          { region .. "+0", length, user_ptr })
        t:equal("P32-235", "the options in both", event.mem_desc.options, beginning.mem_desc.options)
      end
    end
    from:put { mem_desc = "out-md", target = to }
    judge(to, "PTL_EVENT_PUT", "buf", 64, theirs)
    judge(from, "PTL_EVENT_SEND", "out", 16, own)
    from:get { mem_desc = "out-md", target = to }
    judge(to, "PTL_EVENT_GET", "buf", 64, theirs)
    judge(from, "PTL_EVENT_REPLY", "out", 16, own)
  end,
}

case {
  id = "gets-of-a-full-queue",
  title = "Gets are served although the queue for their events is full",
  purpose = "A queue of four events at the target, of which none is taken, and ten gets: each brings its octets, and none is dropped.",
  chapter = "3.8.6", requirements = { "P32-356" },
  run = function(t)
    local from, to = t:open {}
    to:eq("small", 4)
    to:attach { octets = 64, fill = "mix/2", options = BOTH, eventq = "small" }
    from:eq("eq", 64)
    from:bind { region = "in", octets = 8, md = "in-md", eventq = "eq" }
    local before = to:drop_count()
    for i = 0, 9 do
      from:fill("in", "byte/0")
      from:get { mem_desc = "in-md", target = to, offset = 4 * i }
      events_until(t, "P32-356", from, "PTL_EVENT_REPLY_END", "^PTL")
      t:octets("P32-356", "the octets of get " .. i, from, "in", "mix/2/" .. 4 * i, 0, 8)
    end
    t:equal("P32-356", "discarded messages", to:drop_count(), before)
  end,
}
