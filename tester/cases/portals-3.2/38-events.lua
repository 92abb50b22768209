-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.8: the two events of an operation, how they belong together, and their members. Rank 0 acts, rank 1
-- answers.

defaults { suite = "events", chapter = "3.8.1", ranks = 2 }

local BOTH <const> = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE"

-- Rank 0 with a descriptor of 16 octets, rank 1 with one that serves it; both with a queue "eq".
local function pair(t)
  local from, to = t:open {}
  from:eq("eq", 64)
  to:eq("eq", 64)
  from:bind { region = "out", octets = 16, fill = "mix/1", md = "out-md", eventq = "eq" }
  to:attach { octets = 64, fill = "mix/2", options = BOTH, eventq = "eq" }
  return from, to
end

-- Judges that these events come in this order, and gives them.
local function series(t, req, rank, types, eq)
  local events = {}
  for i, type in ipairs(types) do events[i] = t:event(req, rank, eq or "eq", { type = type }) end
  return events
end

case {
  id = "put-starts-and-ends",
  title = "A put is logged twice at both sides",
  purpose = "All events of a put with an acknowledgement are collected at the target and at the initiator, and no more come.",
  requirements = { "P32-216", "P32-221", "P32-222" },
  run = function(t)
    local from, to = pair(t)
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to }
    series(t, "P32-216", to, { "PTL_EVENT_PUT_START", "PTL_EVENT_PUT_END" })
    t:octets("P32-216", "what was put, when the second event has come", to, "buf", "mix/1", 0, 16)
    local events = from:collect("eq", 3)
    t:equal("P32-221", "the first event at the initiator", events[1] and events[1].type, "PTL_EVENT_SEND_START")
    t:equal("P32-222", "the events at the initiator", Test.types(events),
      { "PTL_EVENT_ACK", "PTL_EVENT_SEND_END", "PTL_EVENT_SEND_START" })
    t:no_event("P32-222", from, "eq", 50)
    t:no_event("P32-216", to, "eq", 50)
  end,
}

case {
  id = "get-starts-and-ends",
  title = "A get is logged twice at both sides",
  purpose = "All events of a get are collected at the target and at the initiator.",
  requirements = { "P32-214", "P32-219", "P32-223" },
  run = function(t)
    local from, to = pair(t)
    from:get { mem_desc = "out-md", target = to }
    series(t, "P32-214", to, { "PTL_EVENT_GET_START", "PTL_EVENT_GET_END" })
    local seen = {}
    repeat
      local event = from:wait("eq").event
      t:check("P32-219", "the events of the reply come", event ~= nil, "PTL_EVENT_REPLY_END", "none")
      t:check("P32-223", "a get is not acknowledged", event.type ~= "PTL_EVENT_ACK", "no PTL_EVENT_ACK", event.type)
      seen[#seen + 1] = event.type:find("REPLY") and event.type or nil
    until event.type == "PTL_EVENT_REPLY_END"
    t:check("P32-219", "the beginning of the reply is told", seen[1] == "PTL_EVENT_REPLY_START",
      "PTL_EVENT_REPLY_START", seen[1])
    t:octets("P32-219", "what was asked for, when the second event has come", from, "out", "mix/2", 0, 16)
    t:equal("P32-223", "the events of the reply", seen, { "PTL_EVENT_REPLY_START", "PTL_EVENT_REPLY_END" })
  end,
}

case {
  id = "put-discarded",
  title = "A put that is discarded is logged as sent, and never as acknowledged",
  purpose = "A put with an acknowledgement to a portal that is empty, then one that arrives.",
  requirements = { "P32-224" },
  run = function(t)
    local from, to = pair(t)
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, portal = 3 }
    series(t, "P32-224", from, { "PTL_EVENT_SEND_START", "PTL_EVENT_SEND_END" })
    t:flush(from, to)
    t:no_event("P32-224", from, "eq", 0)
  end,
}

-- Judges that these events of one kind of operation are pairs of a start and an end with one link each.
local function linked(t, rank, operation, events, wanted)
  local links, count = {}, 0
  for _, event in ipairs(events) do
    if event.type:find("_" .. operation .. "_") then
      links[event.link] = links[event.link] or {}
      local types = links[event.link]
      types[#types + 1] = event.type
    end
  end
  for link, types in pairs(links) do
    count = count + 1
    t:equal("P32-348", rank.label .. ": the events of link " .. link, types,
      { "PTL_EVENT_" .. operation .. "_START", "PTL_EVENT_" .. operation .. "_END" })
  end
  t:equal("P32-348", rank.label .. ": the number of links", count, wanted)
end

case {
  id = "link-of-many-events",
  title = "Many operations have a link each",
  purpose = "Three times ten puts are started at once, and then the events are taken: thirty links at either side.",
  requirements = { "P32-348" },
  run = function(t)
    local from, to = pair(t)
    local all = { { rank = to, operation = "PUT" }, { rank = from, operation = "SEND" } }
    for _ = 1, 3 do
      for i = 1, 10 do from:put { mem_desc = "out-md", target = to, match_bits = 0, offset = i } end
      for _, side in ipairs(all) do
        local events = side.rank:collect("eq", 20)
        t:equal("P32-348", side.rank.label .. ": the number of events", #events, 20)
        table.move(events, 1, 20, #side + 1, side)
      end
    end
    for _, side in ipairs(all) do linked(t, side.rank, side.operation, side, 30) end
  end,
}

case {
  id = "link-of-two-events",
  title = "Both events of an operation have one link, and another one than other operations",
  purpose = "Four puts are started at once; the links of all events at both sides.",
  requirements = { "P32-348" },
  run = function(t)
    local from, to = pair(t)
    for i = 1, 4 do from:put { mem_desc = "out-md", target = to, match_bits = 0, offset = i } end
    for _, side in ipairs { { to, "PUT" }, { from, "SEND" } } do
      local rank, operation = side[1], side[2]
      local events = rank:collect("eq", 8)
      t:equal("P32-348", rank.label .. ": the number of events", #events, 8)
      linked(t, rank, operation, events, 4)
    end
  end,
}

case {
  id = "link-of-gets",
  title = "Both events of a get have one link at the target, and those of its reply one at the initiator",
  purpose = "Four gets are started at once; the links of the events at both sides.",
  requirements = { "P32-348" },
  run = function(t)
    local from, to = pair(t)
    for i = 1, 4 do from:get { mem_desc = "out-md", target = to, match_bits = 0, offset = i } end
    for _, side in ipairs { { to, "GET" }, { from, "REPLY" } } do
      local rank, operation, events, ended = side[1], side[2], {}, 0
      repeat
        local event = rank:wait("eq").event
        events[#events + 1] = event
        ended = ended + (event and event.type == "PTL_EVENT_" .. operation .. "_END" and 1 or 0)
      until not event or ended == 4
      linked(t, rank, operation, events, 4)
    end
  end,
}

case {
  id = "sequence-of-a-queue",
  title = "The events of a queue are numbered without a gap",
  purpose = "Puts and gets on two queues in turn; the number of each event is one more than that of the one before it in its queue.",
  chapter = "3.8.2", requirements = { "P32-349" },
  run = function(t)
    local from, to = pair(t)
    to:eq("other", 64)
    to:attach { index = 1, me = "me1", md = "md1", desc = "desc1", region = "buf1", octets = 64, options = BOTH,
      eventq = "other" }
    for _ = 1, 3 do
      for portal = 0, 1 do
        from:put { mem_desc = "out-md", target = to, portal = portal }
        from:get { mem_desc = "out-md", target = to, portal = portal }
      end
    end
    for _, eq in ipairs { "eq", "other" } do
      local events = to:collect(eq, 12)
      t:equal("P32-349", "the number of events in " .. eq, #events, 12)
      for i = 2, #events do
        t:equal("P32-349", "the number of event " .. i .. " in " .. eq, events[i].sequence, events[i - 1].sequence + 1)
      end
    end
  end,
}

for name, value in each { { "zero", 0 }, { "low", 1 }, { "high", math.mininteger }, { "all", -1 },
  { "mixed", 0x0123456789abcdef } } do
  case {
    id = "header-data-" .. name,
    title = "The target's events have the 64 bits that a put gives",
    purpose = "A put with this header data; both events at the target.",
    chapter = "3.8.2", requirements = { "P32-350" },
    run = function(t)
      local from, to = pair(t)
      from:put { mem_desc = "out-md", target = to, hdr_data = Test.hex(value) }
      t:event("P32-350", to, "eq", { type = "PTL_EVENT_PUT_START", hdr_data = value })
      t:event("P32-350", to, "eq", { type = "PTL_EVENT_PUT_END", hdr_data = value })
    end,
  }
end

case {
  id = "header-data-of-nothing",
  title = "A put of no octets has its header data too",
  purpose = "Puts of no octets, and one of 16 octets that is cut to nothing, with header data of their own; all events at the target.",
  chapter = "3.8.2", requirements = { "P32-350" },
  run = function(t)
    local from, to = pair(t)
    from:bind { desc = "void", start = "null", length = 0, md = "void-md", eventq = "eq" }
    to:attach { index = 1, me = "me1", md = "md1", desc = "desc1", region = "buf", length = 0, eventq = "eq",
      options = "PTL_MD_OP_PUT|PTL_MD_TRUNCATE" }
    for value, source, portal in each { { 0x0123456789abcdef, "void-md", 0 }, { 7, "void-md", 1 },
      { 0x7edcba9876543210, "out-md", 1 } } do
      for _, ack in ipairs { "PTL_NOACK_REQ", "PTL_ACK_REQ" } do
        from:put { mem_desc = source, target = to, portal = portal, ack_req = ack, hdr_data = Test.hex(value) }
        t:event("P32-350", to, "eq", { type = "PTL_EVENT_PUT_START", hdr_data = value, mlength = 0 })
        t:event("P32-350", to, "eq", { type = "PTL_EVENT_PUT_END", hdr_data = value, mlength = 0 })
      end
    end
  end,
}

case {
  id = "handle-in-events",
  title = "An event names the descriptor on which the operation was performed",
  purpose = "Two descriptors on one queue, a put to each; the handles in their events.",
  chapter = "3.8.2", requirements = { "P32-351", "P32-353" },
  run = function(t)
    local from, to = pair(t)
    to:attach { index = 1, me = "me1", md = "md1", desc = "desc1", region = "buf1", octets = 16, eventq = "eq" }
    for portal, handle in pairs { [0] = "md", [1] = "md1" } do
      from:put { mem_desc = "out-md", target = to, portal = portal }
      for _, event in ipairs(series(t, "P32-351", to, { "PTL_EVENT_PUT_START", "PTL_EVENT_PUT_END" })) do
        t:equal("P32-351", "the descriptor of " .. event.type, event.md_handle, handle)
        t:equal("P32-353", "the kind of failure in " .. event.type, event.ni_fail_type, "PTL_NI_OK")
      end
    end
  end,
}

case {
  id = "handle-in-every-event",
  title = "Events of every kind name their descriptor, that of its unlinking too",
  purpose = "A put with an acknowledgement and a get between two descriptors, then a put that uses up a descriptor with PTL_UNLINK; the handles in all events of both sides.",
  chapter = "3.8.2", requirements = { "P32-351" },
  run = function(t)
    local from, to = pair(t)
    to:attach { index = 1, me = "me1", md = "once-md", desc = "desc1", region = "buf1", octets = 16, threshold = 1,
      md_unlink = "PTL_UNLINK", eventq = "eq" }
    local function judge(rank, handle, last)
      repeat
        local event = rank:wait("eq").event
        t:check("P32-351", rank.label .. ": " .. last .. " comes", event ~= nil, last, "no event")
        t:equal("P32-351", rank.label .. ": the descriptor of " .. event.type, event.md_handle, handle)
      until event.type == last
    end
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to }
    judge(to, "md", "PTL_EVENT_PUT_END")
    t:flush(from, to)
    from:get { mem_desc = "out-md", target = to }
    judge(to, "md", "PTL_EVENT_GET_END")
    judge(from, "out-md", "PTL_EVENT_REPLY_END")
    from:put { mem_desc = "out-md", target = to, portal = 1 }
    judge(to, "once-md", "PTL_EVENT_UNLINK")
  end,
}

case {
  id = "handles-of-several-sources",
  title = "Events at an initiator name that source to which they belong",
  purpose = "Three descriptors with one queue are the sources of puts with acknowledgements, in this order and the other way round, then of gets; the handles in all events.",
  chapter = "3.8.2", requirements = { "P32-351" },
  run = function(t)
    local from, to = pair(t)
    local sources = {}
    for i = 1, 3 do
      sources[i] = "own-md" .. i
      from:bind { region = "own" .. i, octets = 8, md = sources[i], eventq = "eq" }
    end
    local function judge(source, last)
      local left = last
      repeat
        local event = from:wait("eq").event
        t:check("P32-351", last .. " of " .. source .. " comes", event ~= nil, last, "no event")
        local rest, found = left:gsub(event.type .. " ?", "", 1) -- a get may be told as sent, too, and late
        if found == 1 then t:equal("P32-351", "the descriptor of " .. event.type, event.md_handle, source) end
        left = rest
      until left == ""
    end
    for _, order in ipairs { { 1, 2, 3 }, { 3, 2, 1 } } do
      for _, i in ipairs(order) do
        from:put { mem_desc = sources[i], ack_req = "PTL_ACK_REQ", target = to }
        judge(sources[i], "PTL_EVENT_SEND_START PTL_EVENT_SEND_END PTL_EVENT_ACK")
      end
    end
    for i = 3, 1, -1 do
      from:get { mem_desc = sources[i], target = to }
      judge(sources[i], "PTL_EVENT_REPLY_START PTL_EVENT_REPLY_END")
    end
  end,
}

case {
  id = "links-of-what-is-under-way",
  title = "Operations that are under way at once have a link each",
  purpose = "Of three puts from different processes only a part has come at first; then the rest of the last one, of the first, and of the second. Both events of each have one link, which no other has.",
  wire = true, ranks = 1, requirements = { "P32-348" },
  run = function(t)
    local rank, _, stream = Receiver.set_up(t)
    rank:eq("links", 16)
    rank:attach { index = 5, me = "me5", md = "md5", matchid = t.any_nid, ignorebits = -1, region = "links-buf",
      octets = 256, options = "PTL_MD_OP_PUT", eventq = "links" }
    local streams, rests, links = { stream }, {}, {}
    for i = 1, 3 do
      streams[i] = streams[i] or Receiver.open_another(t, rank)
      local octets = t:encode(streams[i]:with_defaults { operation = "put", portal = 5, cookie = Receiver.COOKIE,
        match_bits = i, data = t.mix(i, 40) })
      streams[i]:send_raw(octets:sub(1, -21))
      rests[i] = octets:sub(-20)
    end
    for _, i in ipairs { 3, 1, 2 } do streams[i]:send_raw(rests[i]) end
    local events = rank:collect("links", 6)
    t:equal("P32-348", "the number of events", #events, 6)
    for _, event in ipairs(events) do
      local bits = links[event.link] or event.match_bits
      t:equal("P32-348", "the match bits of " .. event.type .. " with link " .. event.link, event.match_bits, bits)
      links[event.link] = bits
    end
    linked(t, rank, "PUT", events, 3)
  end,
}

case {
  id = "queue-that-is-full",
  title = "An operation is performed although its queue is full, and the loss is told",
  purpose = "A queue of 4 events and 8 puts; the octets of the last one are there, and one call tells of the loss.",
  chapter = "3.8.6", requirements = { "P32-356" },
  run = function(t)
    local from, to = pair(t)
    to:eq("small", 4)
    to:attach { index = 1, me = "me1", md = "md1", desc = "desc1", region = "buf1", octets = 128, options = BOTH,
      eventq = "small" }
    local before = to:drop_count()
    for i = 0, 7 do from:put { mem_desc = "out-md", target = to, portal = 1, offset = 16 * i } end
    t:flush(from, to)
    for i = 0, 7 do t:octets("P32-356", "the octets of put " .. i, to, "buf1", "mix/1", 16 * i, 16) end
    t:equal("P32-356", "discarded messages", to:drop_count(), before)
    local told, count = to:losses("small", function()
      from:put { mem_desc = "out-md", target = to, portal = 1 }
      t:flush(from, to)
    end)
    t:check("P32-356", "fewer events than were logged are left", count > 0 and count < 16, "1 to 15", count)
    t:equal("P32-356", "calls that tell of the loss", told, 1)
  end,
}

case {
  id = "queue-wait",
  title = "PtlEQWait gives the events of a queue in their order, and tells of a loss",
  purpose = "Both events of a put, then what is left in a queue of 4 behind forty puts: a loss is told, unless the queue has held all of it.",
  chapter = "3.8.7", requirements = { "P32-250", "P32-251", "P32-252" },
  run = function(t)
    local from, to = pair(t)
    from:put { mem_desc = "out-md", target = to }
    t:flush(from, to)
    for _, type in ipairs { "PTL_EVENT_PUT_START", "PTL_EVENT_PUT_END" } do
      t:judging("P32-251") -- it is there
      local result = t:rc("P32-250", to:PtlEQWait(), "PTL_OK")
      t:equal("P32-250", "the event", result.event.type, type)
    end
    to:eq("small", 4)
    to:attach { index = 1, me = "me1", md = "md1", desc = "desc1", region = "buf1", octets = 16, options = BOTH,
      eventq = "small" }
    for _ = 1, 40 do from:put { mem_desc = "out-md", target = to, portal = 1 } end
    t:flush(from, to)
    t:judging("P32-251")
    local result = to:PtlEQWait { eventq = "small" }
    t:check("P32-251", "an event comes at once", result.event ~= nil, "an event", result.rc)
    local told, others = to:losses("small", function()
      if result.rc == "PTL_EQ_DROPPED" then return end
      from:put { mem_desc = "out-md", target = to, portal = 1 }
      t:flush(from, to)
    end)
    t:check("P32-252", "the loss is told", result.rc == "PTL_EQ_DROPPED" or told > 0 or 1 + others == 2 * 40,
      "PTL_EQ_DROPPED", "PTL_OK alone")
  end,
}

case {
  id = "header-data-on-the-wire",
  title = "A put carries its header data",
  purpose = "A scripted peer receives a put with 64 bits of header data.",
  chapter = "3.10.1", wire = true, ranks = 1, requirements = { "P32-358" },
  run = function(t)
    local rank, peer = t:open {}, t:peer {}
    rank:bind { octets = 8, md = "out-md" }
    rank:put { mem_desc = "out-md", target = t.nid(peer.id), hdr_data = "0x0123456789abcdef" }
    t:expect("P32-358", t:accept(peer), "put", { hdr_data = 0x0123456789abcdef })
  end,
}
