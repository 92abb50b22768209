-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.7.1 and 4.2 where two messages arrive at once: of the first one only a part has come when the second one
-- comes as a whole. Which of them is first is the library's affair, as it may take a message up when its header or when
-- its last octet has come. That each is taken as if it had come by itself is not.

defaults { suite = "receiving", chapter = "3.7", wire = true, still = { "P32-141", "P32-216", "P32-219" } }

local PUT = "PTL_MD_OP_PUT"
local COOKIE = Receiver.COOKIE
local set_up, open_another, check_alive = Receiver.set_up, Receiver.open_another, Receiver.check_alive

-- A library that shows the first part of a message in memory does so in this time.
local PART_MS = 4000

-- Two puts to portal 5 arrive at once: one of 40 octets mix/1 with bits 1 in two parts, and between these one of 30
-- octets mix/2 with bits 2 on another stream. When this returns both have been handled.
local function send_both(t, rank, stream)
  local octets = t:encode(stream:with_defaults { operation = "put", portal = 5, cookie = COOKIE, match_bits = 1,
    data = t.mix(1, 40) })
  local other = open_another(t, rank)
  stream:send_raw(octets:sub(1, #octets - 20))
  rank:wait_octet("two", 19, t.mix(1, 20):byte(20), PART_MS) -- a library may hold it back until all has come
  other:send { operation = "put", portal = 5, cookie = COOKIE, match_bits = 2, data = t.mix(2, 30) }
  check_alive(t, rank, other)
  stream:send_raw(octets:sub(-20))
  check_alive(t, rank, stream)
end

-- Portal 5 takes what comes, into "two", with events to "two-eq".
local function provide(t, rank, threshold)
  rank:eq("two-eq")
  rank:region("two", 100)
  rank:attach { index = 5, matchid = t.any_nid, ignorebits = -1, me = "two-me", md = "two-md", region = "two",
    threshold = threshold, md_unlink = "PTL_UNLINK", options = PUT, eventq = "two-eq", user_ptr = 1 }
end

case {
  id = "overlap-local-offset",
  title = "Two messages that arrive at once get separate places in a descriptor with a local offset",
  purpose = "A put of 40 octets has come in part when one of 30 comes whole from another process; then comes the rest of the first. The one that was taken first lies at 0 and the other one behind it, both are logged, and the descriptor, which was for two, is gone.",
  requirements = { "P30-001", "P30-022", "P30-160" },
  run = function(t)
    local rank, _, stream = set_up(t)
    provide(t, rank, 2)
    send_both(t, rank, stream)
    local places = {}
    for _, event in ipairs((rank:collect("two-eq", 2, 2000))) do places[event.match_bits] = event.offset end
    t:check("P30-001", "both puts are logged", places[1] and places[2], "the puts with bits 1 and 2", places)
    t:check("P30-160", "the second one begins where the first one ends", places[1] == 0 and places[2] == 40
      or places[2] == 0 and places[1] == 30, "0 and 40, or 30 and 0", { places[1], places[2] })
    t:octets("P30-160", "the put that came in two parts", rank, "two", "mix/1", places[1], 40)
    t:octets("P30-160", "the put that came in between", rank, "two", "mix/2", places[2], 30)
    t:md_unlinked("P30-022", rank, "two-md")
  end,
}

case {
  id = "overlap-threshold",
  title = "Of two messages that arrive at once a descriptor for one takes one",
  purpose = "A put has come in part when another one comes whole; then comes the rest of the first. A descriptor of threshold one stands in front of one without an end: each of the two takes one of the puts.",
  requirements = { "P30-141" },
  run = function(t)
    local rank, _, stream = set_up(t)
    provide(t, rank, 1)
    rank:region("behind", 100)
    rank:me_insert { matchid = t.any_nid, ignorebits = -1, current = "two-me", handle = "behind-me" }
    rank:add_md { me = "behind-me", md = "behind-md", region = "behind", options = PUT, eventq = "two-eq",
      user_ptr = 2 }
    send_both(t, rank, stream)
    local takers = {}
    for _, event in ipairs((rank:collect("two-eq", 2, 2000))) do
      takers[#takers + 1] = event.mem_desc.user_ptr
      t:octets("P30-141", "the put with bits " .. event.match_bits, rank, event.mem_desc.user_ptr == 1 and "two"
        or "behind", "mix/" .. event.match_bits, 0, event.mlength)
    end
    table.sort(takers)
    t:equal("P30-141", "the descriptors that took the two puts", takers, { 1, 2 })
  end,
}

for name, unlink in each { { "goes", "PTL_UNLINK" }, { "stays", "PTL_RETAIN" } } do
  case {
    id = "overlap-used-up-" .. name,
    title = "What arrives is stored and logged although another message uses the descriptor up meanwhile",
    purpose = "A put has come in part when another one is the last that its descriptor serves, which then "
      .. name .. "; then comes the rest of the first. It lies in the descriptor's memory, and is logged.",
    requirements = { "P30-016" }, still = { "P32-016" },
    run = function(t)
      local rank, _, stream = set_up(t)
      rank:eq("two-eq")
      rank:region("two", 100)
      rank:attach { index = 5, matchid = t.any_nid, ignorebits = -1, me = "two-me", md = "two-md", region = "two",
        threshold = 2, md_unlink = unlink, options = PUT .. "|PTL_MD_MANAGE_REMOTE", eventq = "two-eq" }
      local other = open_another(t, rank)
      local octets = t:encode(stream:with_defaults { operation = "put", portal = 5, cookie = COOKIE, match_bits = 1,
        data = t.mix(1, 40) })
      stream:send_raw(octets:sub(1, #octets - 20))
      rank:wait_octet("two", 19, t.mix(1, 20):byte(20), PART_MS)
      other:send { operation = "put", portal = 5, cookie = COOKIE, match_bits = 2, offset = 50, data = t.mix(2, 30) }
      check_alive(t, rank, other)
      stream:send_raw(octets:sub(-20))
      check_alive(t, rank, stream)
      local bits = {}
      for i, event in ipairs((rank:collect("two-eq", 2, 2000))) do bits[i] = event.match_bits end
      table.sort(bits)
      t:equal("P30-016", "the puts that are logged", bits, { 1, 2 })
      t:octets("P30-016", "the put that came in two parts", rank, "two", "mix/1", 0, 40)
      t:octets("P30-016", "the put that came in between", rank, "two", "mix/2", 50, 30)
    end,
  }
end

case {
  id = "overlap-answers",
  title = "Of two puts that arrive at once each is acknowledged with its own values",
  purpose = "A put has come in part when another process sends one that differs in all that is echoed; then comes the rest of the first. Each of them has the acknowledgement of its own put.",
  requirements = { "P30-290", "P30-291", "P30-292", "P30-293" }, chapter = "4.1",
  run = function(t)
    local rank, _, stream = set_up(t)
    provide(t, rank, "inf")
    local other = open_another(t, rank)
    local puts = {
      { operation = "put", portal = 5, cookie = COOKIE, match_bits = 1, md = 101, offset = 11, data = t.mix(1, 40) },
      { operation = "put", portal = 5, cookie = COOKIE, match_bits = 2, md = 102, offset = 12, data = t.mix(2, 30) },
    }
    local octets = t:encode(stream:with_defaults(puts[1]))
    stream:send_raw(octets:sub(1, #octets - 20))
    rank:wait_octet("two", 19, t.mix(1, 20):byte(20), PART_MS)
    other:send(puts[2])
    for i, one in ipairs { other, stream } do
      local put = puts[3 - i]
      if i == 2 then stream:send_raw(octets:sub(-20)) end
      local ack = t:expect("P30-290", one, "ack", { match_bits = put.match_bits })
      t:equal("P30-291", "offset of the acknowledgement", ack.offset, put.offset)
      t:equal("P30-292", "handle of the acknowledgement", ack.md, put.md)
      t:equal("P30-293", "requested length of the acknowledgement", ack.rlength, #put.data)
    end
  end,
}

case {
  id = "overlap-slow-sender",
  title = "A put that is never completed does not delay the events of others",
  purpose = "A put has come in part when other processes send three to the same descriptor. These are logged while the first one still lacks its end, and it is logged when that has come.",
  requirements = { "P30-216" }, chapter = "3.8",
  run = function(t)
    local rank, _, stream = set_up(t)
    provide(t, rank, "inf")
    local octets = t:encode(stream:with_defaults { operation = "put", portal = 5, cookie = COOKIE, match_bits = 1,
      data = t.mix(1, 40) })
    stream:send_raw(octets:sub(1, #octets - 20))
    rank:wait_octet("two", 19, t.mix(1, 20):byte(20), PART_MS)
    for bits = 2, 4 do
      open_another(t, rank):send { operation = "put", portal = 5, cookie = COOKIE, match_bits = bits, data = "whole" }
      t:event("P30-216", rank, "two-eq", { type = "PTL_EVENT_PUT", match_bits = bits })
    end
    stream:send_raw(octets:sub(-20))
    t:event("P30-216", rank, "two-eq", { type = "PTL_EVENT_PUT", match_bits = 1, mlength = 40 })
  end,
}

case {
  id = "overlap-replies",
  title = "Two replies that arrive at once are each stored and logged by themselves",
  purpose = "Gets of 100 and of 40 octets are under way to two peers. The one reply has come in part when the other one comes whole, then its rest: each event tells of its own get, and each region holds its own data.",
  requirements = { "P30-219", "P30-229", "P30-231" }, chapter = "3.8",
  run = function(t)
    local rank, peer, stream = set_up(t)
    local second = t:peer {}
    local sides = { { peer = peer, stream = stream, octets = 100 }, { peer = second, octets = 40 } }
    rank:eq("in-eq")
    for i, side in ipairs(sides) do
      rank:region("in" .. i, 100)
      rank:bind { start = "in" .. i, length = side.octets, md = "in-md" .. i, eventq = "in-eq" }
      rank:get { mem_desc = "in-md" .. i, target = t.nid(side.peer.id), match_bits = i }
      side.stream = side.stream or t:accept(side.peer)
      side.get = side.stream:receive()
      t:sanity("get " .. i .. " arrives", side.get ~= nil and side.get.operation == "get")
    end
    local octets = t:encode(stream:with_defaults(stream:answer_of(sides[1].get, { data = string.rep("r", 100) })))
    stream:send_raw(octets:sub(1, #octets - 50))
    rank:wait_octet("in1", 49, ("r"):byte(), PART_MS)
    sides[2].stream:answer(sides[2].get, { data = t.mix(2, 40) })
    check_alive(t, rank, sides[2].stream)
    stream:send_raw(octets:sub(-50))
    check_alive(t, rank, stream)
    local lengths, bits = {}, {}
    for i, event in ipairs((rank:collect("in-eq", 2, 2000))) do
      lengths[i], bits[event.match_bits] = event.mlength, event.mlength
    end
    table.sort(lengths)
    t:equal("P30-231", "lengths of the two replies", lengths, { 40, 100 })
    t:equal("P30-229", "lengths by the bits of their gets", bits, { 100, 40 })
    t:octets("P30-219", "the data of the reply in two parts", rank, "in1", "byte/114")
    t:octets("P30-219", "the data of the reply in between", rank, "in2", "mix/2", 0, 40)
  end,
}

case {
  id = "overlap-replies-into-one",
  only = true,
  title = "Two replies for one descriptor that arrive at once are both taken",
  purpose = "Two gets by one descriptor are under way to two peers. The one reply has come in part when the other one comes whole, then its rest: both are logged, and nothing is counted as dropped.",
  requirements = { "P30-313" }, chapter = "4.2",
  run = function(t)
    local rank, peer, stream = set_up(t)
    local second = t:peer {}
    rank:eq("in-eq")
    rank:bind { region = "in", octets = 100, md = "in-md", eventq = "in-eq" }
    local function ask(one, through, bits)
      rank:get { mem_desc = "in-md", target = t.nid(one.id), match_bits = bits }
      through = through or t:accept(one)
      local get = through:receive()
      t:sanity("the get arrives", get ~= nil and get.operation == "get")
      return get, through
    end
    local get = ask(peer, stream, 1)
    local other_get, other = ask(second, nil, 2)
    rank:count_events("in-eq") -- a known reading has logged that they were sent: P30-223
    local before = rank:drop_count()
    local octets = t:encode(stream:with_defaults(stream:answer_of(get, { data = t.mix(1, 100) })))
    stream:send_raw(octets:sub(1, #octets - 50))
    rank:wait_octet("in", 49, t.mix(1, 50):byte(50), PART_MS)
    other:answer(other_get, { data = t.mix(2, 100) })
    check_alive(t, rank, other)
    stream:send_raw(octets:sub(-50))
    check_alive(t, rank, stream)
    local bits = {}
    for i, event in ipairs((rank:collect("in-eq", 2, 2000))) do bits[i] = event.match_bits end
    table.sort(bits)
    t:equal("P30-313", "the bits of the gets whose replies are logged", bits, { 1, 2 })
    t:equal("P30-313", "messages dropped", rank:drop_count() - before, 0)
  end,
}

-- Portal 5 serves puts and gets in "both" of 100 octets, of which the first 40 are those that something arrives into.
local function provide_both(t, rank)
  rank:eq("both-eq")
  rank:attach { index = 5, matchid = t.any_nid, ignorebits = -1, me = "both-me", md = "both-md", region = "both",
    octets = 100, fill = "mix/9", options = PUT .. "|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE", eventq = "both-eq" }
end

-- Judges that the descriptor of portal 5 serves a put and a get of another process while `what` arrives into it.
local function serves_both(t, rank, what)
  local other = open_another(t, rank)
  t:step("a put and a get of another process, while " .. what)
  t:judging("P30-153")
  other:send { operation = "put", portal = 5, cookie = COOKIE, md = 61, offset = 90, data = "put" }
  t:expect("P30-153", other, "ack", { md = 61, mlength = 3 })
  t:judging("P30-154")
  other:send { operation = "get", portal = 5, cookie = COOKIE, md = 62, offset = 50, length = 20 }
  t:expect("P30-154", other, "reply", { md = 62, mlength = 20, data = t.mix(9, 20, 50) })
end

case {
  id = "overlap-serving-beside-a-put",
  title = "While a put arrives into a descriptor it serves the puts and gets of others",
  purpose = "Of a put a part has come. A put and a get of another process to the same descriptor are answered; then the first one comes to its end and is logged.",
  requirements = { "P30-153", "P30-154" },
  run = function(t)
    local rank, _, stream = set_up(t)
    provide_both(t, rank)
    local octets = t:encode(stream:with_defaults { operation = "put", portal = 5, cookie = COOKIE, md = 60,
      data = t.mix(1, 40) })
    stream:send_raw(octets:sub(1, #octets - 20))
    rank:wait_octet("both", 19, t.mix(1, 20):byte(20), PART_MS)
    serves_both(t, rank, "half of a put is missing")
    stream:send_raw(octets:sub(-20))
    t:expect("P30-153", stream, "ack", { md = 60, mlength = 40 })
    t:octets("P30-153", "the put that came in two parts", rank, "both", "mix/1", 0, 40)
  end,
}

case {
  id = "overlap-serving-beside-a-reply",
  title = "While a reply arrives into a descriptor it serves the puts and gets of others",
  purpose = "Of a reply to a get by a listed descriptor a part has come. A put and a get of another process to that descriptor are answered; then the reply comes to its end.",
  requirements = { "P30-153", "P30-154" },
  run = function(t)
    local rank, peer, stream = set_up(t)
    provide_both(t, rank)
    rank:get { mem_desc = "both-md", target = t.nid(peer.id) }
    local get = stream:receive()
    t:sanity("the get arrives", get ~= nil and get.operation == "get")
    local octets = t:encode(stream:with_defaults(stream:answer_of(get, { data = t.mix(1, 40), mlength = 40 })))
    stream:send_raw(octets:sub(1, #octets - 20))
    rank:wait_octet("both", 19, t.mix(1, 20):byte(20), PART_MS)
    serves_both(t, rank, "half of a reply is missing")
    stream:send_raw(octets:sub(-20))
    check_alive(t, rank, stream)
    t:octets("P30-154", "the reply that came in two parts", rank, "both", "mix/1", 0, 40)
  end,
}

case {
  id = "overlap-event-order",
  title = "The events of one process come in the order of its requests, whatever holds one of them up",
  purpose = "The peer asks for 16 MiB and reads nothing, so the answers to it and to the acknowledged put behind it cannot leave; a third request wants no answer. The events come in the order of the three.",
  requirements = { "P30-002" }, chapter = "1.4",
  run = function(t)
    local rank, _, stream = set_up(t)
    local octets = 16777216
    local other = open_another(t, rank)
    rank:eq("three-eq")
    rank:told_by_starts()
    rank:region("large", octets)
    rank:attach { index = 5, matchid = t.any_nid, ignorebits = -1, me = "me5", md = "md5", region = "large",
      options = PUT .. "|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE", eventq = "three-eq" }
    stream:stop_reading()
    stream:send { operation = "get", portal = 5, cookie = COOKIE, match_bits = 1, md = 1, length = octets }
    stream:send { operation = "put", portal = 5, cookie = COOKIE, match_bits = 2, md = 2, data = "answer" }
    stream:send { operation = "put", portal = 5, cookie = COOKIE, match_bits = 3, data = "silent" }
    rank:wait_octet("large", 0, ("s"):byte(), PART_MS) -- the third request has been handled
    check_alive(t, rank, other)
    stream:resume_reading()
    t:sanity("the get is answered", (stream:receive(20000) or {}).operation == "reply")
    local order = {}
    for i, event in ipairs((rank:collect("three-eq", 3))) do order[i] = event.match_bits end
    t:equal("P30-002", "the bits of the events", order, { 1, 2, 3 })
  end,
}

case {
  id = "overlap-in-one-region",
  title = "Two processes fill one region at once, each at its own offset",
  purpose = "A put of 40 octets to offset 0 has come in part when one of 30 to offset 40 and one of 30 to offset 70 come whole from two other processes; then comes the rest of the first. All are logged, and the region holds them side by side.",
  requirements = { "P30-330" }, chapter = "2.1",
  run = function(t)
    local rank, _, stream = set_up(t)
    rank:eq("two-eq")
    rank:region("two", 100)
    rank:attach { index = 5, matchid = t.any_nid, ignorebits = -1, me = "two-me", md = "two-md", region = "two",
      options = PUT .. "|PTL_MD_MANAGE_REMOTE", eventq = "two-eq" }
    local octets = t:encode(stream:with_defaults { operation = "put", portal = 5, cookie = COOKIE, match_bits = 1,
      md = 11, data = t.mix(1, 40) })
    stream:send_raw(octets:sub(1, #octets - 20))
    rank:wait_octet("two", 19, t.mix(1, 20):byte(20), PART_MS)
    for i = 2, 3 do
      local other = open_another(t, rank)
      other:send { operation = "put", portal = 5, cookie = COOKIE, match_bits = i, md = 10 + i, offset = 30 * i - 20,
        data = t.mix(i, 30) }
      t:expect("P30-330", other, "ack", { md = 10 + i, mlength = 30 })
    end
    stream:send_raw(octets:sub(-20))
    t:expect("P30-330", stream, "ack", { md = 11, mlength = 40 })
    local bits = {}
    for i, event in ipairs((rank:collect("two-eq", 3))) do bits[i] = event.match_bits end
    table.sort(bits)
    t:equal("P30-330", "the puts that are logged", bits, { 1, 2, 3 })
    for i, at, count in each { { 1, 0, 40 }, { 2, 40, 30 }, { 3, 70, 30 } } do
      t:same_octets("P30-330", "what process " .. i .. " has put", rank:read("two", at, count), t.mix(i, count))
    end
  end,
}
