-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.6 to 3.8 and 4.2 with several peers at once: what they send or ask for is under way in one queue, one
-- entry or one descriptor when its events fall due, the queue is freed, the entry unlinked, or another one comes.

defaults { suite = "receiving", chapter = "4.2", wire = true, still = { "P32-130" }, deadline = 60 }

local PUT, GET, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"
local COOKIE = Receiver.COOKIE
local set_up, open_another, check_alive = Receiver.set_up, Receiver.open_another, Receiver.check_alive

-- A system shows in this time that it has begun with a message, if it ever does before all of it has come.
local PART_MS = 4000
-- So much does not leave before the peer reads.
local LARGE = 16777216

-- Sends the header and 50 of 100 octets mix/<bits> of a put to portal 5, at an offset of the region "shared". Returns a
-- function that sends the rest, and whether the part was seen in memory.
local function put_half(t, rank, stream, bits, offset)
  local octets = t:encode(stream:with_defaults { operation = "put", portal = 5, cookie = COOKIE, match_bits = bits,
    md = stream.NO_MD, offset = offset, data = t.mix(bits, 100) })
  stream:send_raw(octets:sub(1, -51))
  local seen = rank:wait_octet("shared", offset + 49, t.mix(bits, 50):byte(50), PART_MS)
  return function() stream:send_raw(octets:sub(-50)) end, seen
end

-- Portal 5 takes everything, at the offset of the request, in a region "shared" with the queue "shared-eq".
local function share(rank, octets, places)
  rank:eq("shared-eq", places)
  rank:region("shared", octets)
  rank:attach { index = 5, matchid = Test.any_nid, ignorebits = -1, me = "shared-me", md = "shared-md",
    region = "shared", options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "shared-eq" }
end

-- The peer asks for so many octets of the region "shared", and does not read the reply.
local function ask_unread(stream, octets, bits)
  stream:stop_reading()
  stream:send { operation = "get", portal = 5, cookie = COOKIE, match_bits = bits, md = bits, length = octets }
end

for what, title, second in each { { "an-entry", "an entry" },
    { "two-descriptors", "two descriptors of an entry", true } } do
  case {
    id = "peers-cut-off-in-" .. what,
    title = "What several peers send to " .. title .. " is all cut off by PtlMEUnlink",
    purpose = "Three puts have come in part when their entry is unlinked and the memory overwritten. The rest of none of them shows there, none is logged, and each stream goes on.",
    requirements = { "P30-130" }, chapter = "3.6", only = second,
    run = function(t)
      local rank, _, stream = set_up(t)
      share(rank, 400, 64)
      local streams, rests, begun = { stream, open_another(t, rank), open_another(t, rank) }, {}, 0
      for i, one in ipairs(streams) do
        if second and i == 3 then
          rank:md { name = "first", region = "shared", options = PUT .. "|" .. REMOTE, eventq = "shared-eq" }
          rank:md_insert { mem_desc = "first", current = "shared-md", position = "PTL_INS_BEFORE", handle = "first-md" }
        end
        local rest, seen = put_half(t, rank, one, i, i * 100)
        rests[i], begun = rest, begun + (seen and 1 or 0)
      end
      local before = rank:drop_count()
      if t:equal_or_warn("P30-130", "PtlMEUnlink while puts are arriving returns",
          rank:PtlMEUnlink { entry = "shared-me" }.rc, "PTL_OK",
          { PTL_INUSE = "refused until the puts have arrived", PTL_MD_INUSE = "refused until the puts have arrived" })
          ~= "PTL_OK" then
        return
      end
      rank:fill("shared", "byte/90")
      for i, one in ipairs(streams) do
        rests[i]()
        check_alive(t, rank, one)
      end
      t:octets("P30-130", "the memory that was given back", rank, "shared", "byte/90")
      if begun == #streams then
        t:equal("P30-130", "messages that were cut off and counted", rank:drop_count() - before, #streams)
      end
    end,
  }
end

for name, peers, gets in each { { "one", 1, 0 }, { "few", 2, 0 }, { "many", 6, 2 } } do
  case {
    id = "peers-queue-freed-under-" .. name,
    title = "A queue may be freed while several peers have operations under way that would be logged there",
    purpose = "Gets of a peer that does not read, " .. gets .. " of them, and puts in part of " .. peers .. " others "
      .. "take all places of a queue when it is freed and one alike is made. All come to their end: the process lives, "
      .. "nothing of them is logged in the new queue, and it serves.",
    requirements = { "P30-239" }, chapter = "3.8",
    run = function(t)
      local rank, _, stream = set_up(t)
      share(rank, LARGE, peers + gets)
      local streams, rests = {}, {}
      for bits = 1, gets do ask_unread(stream, LARGE, bits) end
      for i = 1, peers do
        streams[i] = open_another(t, rank)
        rests[i] = put_half(t, rank, streams[i], 10 + i, i * 100)
      end
      t:judging("P30-239")
      t:rc("P30-239", rank:PtlEQFree { eventq = "shared-eq" }, "PTL_OK")
      rank:eq("later-eq", peers + gets)
      stream:resume_reading()
      for bits = 1, gets do
        t:sanity("get " .. bits .. " is answered", (stream:receive(20000) or {}).operation == "reply")
      end
      for i, one in ipairs(streams) do
        rests[i]()
        check_alive(t, rank, one)
      end
      t:equal("P30-239", "events in the queue that was made later", #(rank:collect("later-eq", 1, 0)), 0)
      rank:attach { index = 6, matchid = t.any_nid, ignorebits = -1, me = "later-me", md = "later-md", region = "later",
        octets = 8, options = PUT, eventq = "later-eq" }
      stream:send { operation = "put", portal = 6, cookie = COOKIE, match_bits = 6, data = "behind" }
      t:event("P30-239", rank, "later-eq", { type = "PTL_EVENT_PUT", match_bits = 6 })
    end,
  }
end

-- A get that cannot be answered, a put of the same peer, half of the put of another one, and two more puts of the first
-- peer, to two portals and all to be logged in one queue. When this returns all have been handled.
-- Returns a function that sends the rest of the other's put.
local function hold_up(t, rank, stream, other)
  local function put(bits, portal)
    stream:send { operation = "put", portal = portal, cookie = COOKIE, match_bits = bits, offset = bits,
      md = stream.NO_MD, data = "silent" }
    rank:wait_octet(portal == 6 and "six" or "shared", bits, ("s"):byte(), PART_MS)
  end
  ask_unread(stream, LARGE, 1)
  put(2, 6)
  local rest = put_half(t, rank, other, 9, 100)
  put(3, 6)
  put(4, 5)
  check_alive(t, rank, t.third)
  return rest
end

-- What hold_up needs, with a queue of so many places.
local function ready_to_hold_up(t, places)
  local rank, _, stream = set_up(t)
  share(rank, LARGE, places)
  rank:attach { index = 6, matchid = t.any_nid, ignorebits = -1, me = "six-me", md = "six-md", region = "six",
    octets = 64, options = PUT .. "|" .. REMOTE, eventq = "shared-eq" }
  t.third = open_another(t, rank)
  return rank, stream, open_another(t, rank)
end

case {
  id = "peers-events-in-turn",
  title = "The events of one peer keep their order in a queue where another one's operation is under way between them",
  purpose = "A get that cannot be answered, a put behind it, half of another peer's put, two more puts of the first peer to two portals and one of no octets: the events of the first peer come in their order, all of them before the other put is complete, and then that of the other.",
  requirements = { "P30-002", "P30-026" }, chapter = "1.4",
  run = function(t)
    local rank, stream, other = ready_to_hold_up(t, 64)
    local rest = hold_up(t, rank, stream, other)
    stream:send { operation = "put", portal = 5, cookie = COOKIE, match_bits = 5, md = stream.NO_MD, data = "" }
    stream:resume_reading()
    t:sanity("the get is answered", (stream:receive(20000) or {}).operation == "reply")
    check_alive(t, rank, stream)
    local order = {}
    for i, event in ipairs((rank:collect("shared-eq", 5))) do order[i] = event.match_bits end
    t:equal("P30-026", "events of the peer that asked and put", #order, 5)
    t:equal("P30-002", "their bits", order, { 1, 2, 3, 4, 5 })
    rest()
    check_alive(t, rank, other)
    for i, event in ipairs((rank:collect("shared-eq", 1))) do order[5 + i] = event.match_bits end
    t:equal("P30-026", "the bits of all events", order, { 1, 2, 3, 4, 5, 9 })
  end,
}

case {
  id = "peers-room-comes-back",
  only = true,
  title = "A queue in which events have waited for each other holds as many as before",
  purpose = "Five operations of two peers are under way in a queue of five places, of which three wait for the first one. When all are done and taken out, five puts are logged again.",
  requirements = { "P30-236" }, chapter = "3.8.3",
  run = function(t)
    local rank, stream, other = ready_to_hold_up(t, 5)
    local rest = hold_up(t, rank, stream, other)
    stream:resume_reading()
    t:sanity("the get is answered", (stream:receive(20000) or {}).operation == "reply")
    rest()
    check_alive(t, rank, other)
    check_alive(t, rank, stream)
    t:equal("P30-236", "operations that are logged", #(rank:collect("shared-eq", 5)), 5)
    local before = rank:drop_count()
    for bits = 1, 5 do
      stream:send { operation = "put", portal = 5, cookie = COOKIE, match_bits = bits, md = stream.NO_MD,
        data = "more" }
    end
    check_alive(t, rank, stream)
    t:equal("P30-236", "messages that found no place", rank:drop_count() - before, 0)
    for bits = 1, 5 do t:event("P30-236", rank, "shared-eq", { type = "PTL_EVENT_PUT", match_bits = bits }) end
  end,
}

case {
  id = "peers-get-from-separate-places",
  title = "Two gets that are under way at once bring separate parts of a region with a local offset",
  purpose = "A get of 16 MiB is being answered to a peer that does not read when another peer asks for 100 octets. Whichever is taken first has the beginning of the region, and the other one what lies behind.",
  requirements = { "P30-160" }, chapter = "3.7.1",
  run = function(t)
    local rank, _, stream = set_up(t)
    local other = open_another(t, rank)
    rank:eq("shared-eq", 64)
    rank:attach { index = 5, matchid = t.any_nid, ignorebits = -1, me = "shared-me", md = "shared-md",
      region = "shared", octets = LARGE + 100, fill = "mix/1", options = GET, eventq = "shared-eq" }
    rank:attach { index = 6, matchid = t.any_nid, me = "six-me", md = "six-md", region = "six", octets = 8,
      options = PUT }
    ask_unread(stream, LARGE, 1)
    stream:send { operation = "put", portal = 6, cookie = COOKIE, md = stream.NO_MD, data = "behind" }
    rank:wait_octet("six", 0, ("b"):byte(), PART_MS) -- a library may stop at a reply that is not read
    other:send { operation = "get", portal = 5, cookie = COOKIE, match_bits = 2, md = 2, length = 100 }
    local reply = t:expect("P30-160", other, "reply", { md = 2, mlength = 100 })
    stream:resume_reading()
    t:expect("P30-160", stream, "reply", { md = 1, mlength = LARGE }, 20000)
    local places = {}
    for _, event in ipairs((rank:collect("shared-eq", 2))) do places[event.match_bits] = event.offset end
    t:check("P30-160", "the second get begins where the first one ends", places[1] == 0 and places[2] == LARGE
      or places[2] == 0 and places[1] == 100, "0 and " .. LARGE .. ", or 100 and 0", { places[1], places[2] })
    t:same_octets("P30-160", "what the get of 100 octets brings", reply.data, t.mix(1, 100, places[2]))
  end,
}

case {
  id = "peers-reply-in-another-order",
  title = "The events of replies tell each of its own get, though the later get is answered first",
  purpose = "From one descriptor a get goes to each of two peers, with other match bits and another portal. The second peer answers first.",
  requirements = { "P30-228", "P30-229" }, chapter = "3.8.2",
  run = function(t)
    local rank, peer, stream = set_up(t)
    local sides = { { peer = peer, stream = stream }, { peer = t:peer {} } }
    rank:eq("in-eq", 64)
    rank:bind { region = "in", octets = 100, md = "in-md", eventq = "in-eq" }
    for i, side in ipairs(sides) do
      rank:get { mem_desc = "in-md", target = t.nid(side.peer.id), match_bits = 10 + i, portal = 4 + i }
      side.stream = side.stream or t:accept(side.peer)
      side.get = side.stream:receive()
      t:sanity("get " .. i .. " arrives", side.get ~= nil and side.get.operation == "get")
    end
    for i = 2, 1, -1 do
      sides[i].stream:answer(sides[i].get, { data = t.mix(i, 100) })
      local event = t:event("P30-229", rank, "in-eq", { type = "PTL_EVENT_REPLY", match_bits = 10 + i })
      t:equal("P30-228", "portal of the event", event.portal, 4 + i)
    end
  end,
}

case {
  id = "event-initiator-of-other-groups",
  title = "The initiator in an event is the process that has sent it, whatever group it is of",
  purpose = "Two peers of other groups than the rank's, and of other ranks, put and get: all four members of the initiator are those of the peer.",
  requirements = { "P30-061", "P30-227" }, chapter = "3.8.2", wire = true,
  run = function(t)
    local rank = Receiver.set_up(t)
    rank:drain("eq")
    for mark, gid, rid in each { { 1, rank.id.gid ~ 4, 3 }, { 2, rank.id.gid ~ 8, 0 } } do
      local peer = t:peer { gid = gid, rid = rid, group_size = 8 }
      local stream = t:connect(peer, rank)
      for verb, message in each { { "PUT", { operation = "put", data = "hello" } },
        { "GET", { operation = "get", length = 5 } } } do
        message.portal, message.cookie, message.md, message.match_bits = Receiver.PORTAL, Receiver.COOKIE, 7, mark
        stream:send(message)
        local event = t:event("P30-227", rank, "eq", { type = "PTL_EVENT_" .. verb, match_bits = mark })
        for _, member in ipairs { "nid", "pid" } do
          t:equal("P30-227", member .. " of the initiator of a " .. verb:lower(), event.initiator[member],
            peer.id[member])
        end
        for member, value in each { { "gid", gid }, { "rid", rid } } do
          t:equal("P30-061", member .. " of the initiator of a " .. verb:lower(), event.initiator[member], value)
        end
        stream:receive()
      end
    end
  end,
}
