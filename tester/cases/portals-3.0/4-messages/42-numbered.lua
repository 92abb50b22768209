-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What chapters 1.4 and 4.2 promise, kept by counting: numbered messages as the binding has them
-- (specs/portals-wire.md, 4.7, PW-30 to PW-36). The scripted peer repeats, swaps and breaks off what it sends, and
-- withholds what it should acknowledge: what a network may do to messages, for which they have numbers; that is no
-- forgery. A system that does not number is not judged, but for what it must do with numbers that nobody agreed on.

defaults { suite = "receiving", chapter = "1.4", wire = true }

local EPOCH = 1000
local send, put, acknowledged = Numbered.send, Numbered.put, Numbered.acknowledged

case {
  id = "numbered-order",
  title = "Numbered messages are taken in the order of their numbers",
  purpose = "The second message comes first: it is not taken, and one is said to be missing. Then come the first and once more the second; both are taken in their order, each once, and nothing is counted as dropped.",
  requirements = { "P30-002" },
  run = function(t)
    local rank, peer = Numbered.set_up(t)
    local before = rank:drop_count()
    local stream = Numbered.connect(t, peer, rank)
    send(t, stream, EPOCH, 2, put(stream, { match_bits = 2 }))
    acknowledged(t, "P30-002", stream, EPOCH, 0, 1)
    t:equal("P30-002", "events before the first message has come", rank:PtlEQCount().count, 0)
    send(t, stream, EPOCH, 1, put(stream, { match_bits = 1 }))
    send(t, stream, EPOCH, 2, put(stream, { match_bits = 2 }))
    acknowledged(t, "P30-002", stream, EPOCH, 2)
    for i = 1, 2 do t:event("P30-002", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = i }) end
    t:equal("P30-002", "further events", rank:PtlEQCount().count, 0)
    t:equal("P30-002", "dropped messages", rank:drop_count() - before, 0)
  end,
}

case {
  id = "numbered-repeats",
  title = "A numbered message that comes again is not taken again",
  purpose = "The same message three times: one event, and each time it is acknowledged. The next number of an older epoch is not taken, the first of a newer epoch is. Nothing is counted as dropped.",
  requirements = { "P30-001" },
  run = function(t)
    local rank, peer = Numbered.set_up(t)
    local before = rank:drop_count()
    local stream = Numbered.connect(t, peer, rank)
    for _ = 1, 3 do
      send(t, stream, EPOCH, 1, put(stream, { match_bits = 1 }))
      acknowledged(t, "P30-001", stream, EPOCH, 1)
    end
    t:event("P30-001", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = 1 })
    t:equal("P30-001", "events of the message that came three times", rank:PtlEQCount().count, 0)
    send(t, stream, EPOCH - 1, 2, put(stream, { match_bits = 2 }))
    acknowledged(t, "P30-001", stream, EPOCH, 1)
    t:equal("P30-001", "events of an older epoch", rank:PtlEQCount().count, 0)
    send(t, stream, EPOCH + 1, 1, put(stream, { match_bits = 3 }))
    acknowledged(t, "P30-001", stream, EPOCH + 1, 1)
    t:event("P30-001", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = 3 })
    send(t, stream, EPOCH + 2, 2, put(stream, { match_bits = 4 }))
    acknowledged(t, "P30-001", stream, EPOCH + 2, 0, 1)
    t:equal("P30-001", "events of a newer epoch that begins with its second message", rank:PtlEQCount().count, 0)
    t:equal("P30-001", "dropped messages", rank:drop_count() - before, 0)
  end,
}

case {
  id = "numbered-changed",
  title = "A message that repeats a number with other contents is not accepted",
  purpose = "A put has been taken; one with other match bits, another length and the same number comes. It is acknowledged like any repetition, without an event, and nothing is counted as dropped; the next number is taken.",
  requirements = { "P30-001" }, negative = true,
  run = function(t)
    local rank, peer = Numbered.set_up(t)
    local before = rank:drop_count()
    local stream = Numbered.connect(t, peer, rank)
    send(t, stream, EPOCH, 1, put(stream, { match_bits = 1 }))
    acknowledged(t, "P30-001", stream, EPOCH, 1)
    t:sanity("the first message is taken", t:event("P30-001", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = 1 }))
    local other = put(stream, { match_bits = 2, data = "other data" })
    t:send_invalid("P30-001", stream, Numbered.octets(t, stream, EPOCH, 1, other), "number-changed")
    acknowledged(t, "P30-001", stream, EPOCH, 1)
    t:equal("P30-001", "events of the other one", rank:PtlEQCount().count, 0)
    send(t, stream, EPOCH, 2, put(stream, { match_bits = 3 }))
    acknowledged(t, "P30-001", stream, EPOCH, 2)
    t:event("P30-001", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = 3 })
    t:equal("P30-001", "dropped messages", rank:drop_count() - before, 0)
  end,
}

case {
  id = "numbered-broken-off",
  title = "A numbered message that was broken off is completed when it comes again",
  purpose = "Half of a put has come when its stream is reset. On a new stream it comes again, whole: one event, the data in the place that the first half had, nothing counted, and the next message goes behind it.",
  requirements = { "P30-001" },
  run = function(t)
    local rank, peer = Numbered.set_up(t)
    local before = rank:drop_count()
    rank:region("half", 250)
    rank:attach { index = 5, matchid = t.any_nid, ignorebits = -1, me = "half-me", md = "half-md", region = "half",
      eventq = "eq" }
    local stream = Numbered.connect(t, peer, rank)
    local message = put(stream, { portal = 5, match_bits = 1, data = t.mix(1, 100) })
    stream:send_raw(Numbered.octets(t, stream, EPOCH, 1, message):sub(1, 20 + 76 + 50))
    rank:wait_octet("half", 49, t.mix(1, 50):byte(50), 3000) -- in vain where a library keeps it until all is there
    stream:reset()
    stream = Numbered.connect(t, peer, rank)
    send(t, stream, EPOCH, 1, message)
    acknowledged(t, "P30-001", stream, EPOCH, 1)
    t:event("P30-001", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = 1, mlength = 100 })
    t:octets("P30-001", "the data", rank, "half", "mix/1", 0, 100)
    send(t, stream, EPOCH, 2, put(stream, { portal = 5, match_bits = 2, data = t.mix(2, 100) }))
    acknowledged(t, "P30-001", stream, EPOCH, 2)
    t:event("P30-001", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = 2, offset = 100 })
    t:octets("P30-001", "the data behind it", rank, "half", "mix/2", 100, 100)
    t:equal("P30-001", "dropped messages", rank:drop_count() - before, 0)
  end,
}

-- The next put or get of the rank on the stream; what it acknowledges is left out.
local function next_request(t, req, stream)
  local message, reason
  repeat
    message, reason = stream:receive()
    t:check(req, "the system under test sends a message", message ~= nil, "a message", reason)
  until message.operation ~= "acknowledge"
  return message
end

-- A rank that puts `count` times 32 octets to a peer; returns rank, peer, stream and the messages as they came first.
local function puts(t, req, count)
  local rank, peer = Numbered.set_up(t)
  local stream, seen = nil, {}
  rank:bind { desc = "out-desc", region = "out", octets = 32, fill = "mix/7", md = "out-md", eventq = "eq" }
  t:judging(req)
  for i = 1, count do
    rank:put { mem_desc = "out-md", target = t.nid(peer.id), match_bits = i }
    stream = stream or Numbered.accept(t, peer)
    repeat
      seen[i] = next_request(t, req, stream)
    until i == 1 or seen[i].match_bits ~= seen[i - 1].match_bits and seen[i].match_bits >= i
    t:equal(req, "match bits of message " .. i, seen[i].match_bits, i)
  end
  return rank, peer, stream, seen
end

case {
  id = "numbered-counting",
  title = "Messages to one peer are counted from one, without gaps, in one epoch",
  purpose = "Three puts to a peer that acknowledges nothing yet.",
  requirements = { "P30-002" },
  run = function(t)
    local rank, _, stream, seen = puts(t, "P30-002", 3)
    for i, message in ipairs(seen) do
      t:equal("P30-002", "number of message " .. i, message.number, i)
      t:check("P30-002", "epoch of message " .. i, message.epoch == seen[1].epoch and message.epoch ~= 0,
        "that of the first one, not 0", message.epoch)
    end
    Numbered.acknowledge(stream, seen[1].epoch, 3)
    for _ = 1, 3 do t:event("P30-002", rank, "eq", { type = "PTL_EVENT_SENT" }) end
  end,
}

-- What a put's header says, but for its number.
local function header_of(message)
  local fields = {}
  for i, name in ipairs { "operation", "portal", "cookie", "match_bits", "offset", "md", "rlength" } do
    fields[i] = message[name]
  end
  for _, id in ipairs { message.initiator, message.target } do
    for _, name in ipairs { "nid", "pid", "gid", "rid" } do fields[#fields + 1] = id[name] end
  end
  return fields
end

case {
  id = "numbered-again",
  title = "What is not acknowledged is sent again, and what is acknowledged is not",
  purpose = "The peer acknowledges the first of two puts. The second comes again, the same in epoch, number and octets; its stream is reset, and it comes on a new one. When it has been acknowledged, the next message is a new one.",
  requirements = { "P30-001" },
  run = function(t)
    local rank, peer, stream, seen = puts(t, "P30-001", 2)
    local epoch = seen[1].epoch
    Numbered.acknowledge(stream, epoch, 1)
    local function again(where)
      local message
      repeat
        message = next_request(t, "P30-001", stream)
      until message.number ~= 1
      t:equal("P30-001", "epoch and number of what comes again " .. where, { message.epoch, message.number },
        { epoch, 2 })
      t:equal("P30-001", "its header", header_of(message), header_of(seen[2]))
      t:equal("P30-001", "its match bits and data", { message.match_bits, message.data }, { 2, t.mix(7, 32) })
    end
    again("on the same stream")
    stream:reset()
    stream = Numbered.accept(t, peer)
    again("on a new stream")
    Numbered.acknowledge(stream, epoch, 2)
    t:equal("P30-001", "events when both are acknowledged", #(rank:collect("eq", 2)), 2)
    rank:put { mem_desc = "out-md", target = t.nid(peer.id), match_bits = 3 }
    local message
    repeat
      message = next_request(t, "P30-001", stream)
    until message.match_bits ~= 2 or message.number ~= 2
    t:equal("P30-001", "match bits and number of the next message", { message.match_bits, message.number }, { 3, 3 })
  end,
}

case {
  id = "numbered-false-acknowledgements",
  title = "An acknowledgement of another epoch, of an older process or of what was not sent acknowledges nothing",
  purpose = "Three of them come for a put. A message of the peer behind them shows that they were heard; the put comes again after that.",
  requirements = { "P30-001" }, negative = true,
  run = function(t)
    local rank, peer, stream, seen = puts(t, "P30-001", 1)
    local epoch = seen[1].epoch
    Numbered.acknowledge(stream, epoch, 0, { incarnation = 10 })
    for _, false_one in ipairs {
      { epoch - 1, 1, 10, { state = "numbering" } }, { epoch, 1, 9, { state = "numbering" } },
      { epoch, 2, 10, "acknowledge-unsent" },
    } do
      t:send_invalid("P30-001", stream, { operation = "acknowledge", epoch = false_one[1], acknowledged = false_one[2],
        incarnation = false_one[3], missing = 0 }, false_one[4])
    end
    send(t, stream, EPOCH, 1, put(stream, { match_bits = 1 }))
    acknowledged(t, "P30-001", stream, EPOCH, 1)
    local message = next_request(t, "P30-001", stream)
    t:equal("P30-001", "epoch and number of what comes again", { message.epoch, message.number }, { epoch, 1 })
    Numbered.acknowledge(stream, epoch, 1, { incarnation = 10 })
    local events = rank:collect("eq", 2)
    t:equal("P30-001", "events when it is acknowledged", #events, 2)
    t:valid_counterpart(stream, { operation = "acknowledge", epoch = epoch, acknowledged = 1, incarnation = 10,
      missing = 0 }, events[2])
  end,
}

case {
  id = "numbered-clock-gone-back",
  title = "A process that is told of a later epoch than its own begins one that is later still",
  purpose = "The peer acknowledges nothing of an epoch that lies ahead of the one in which a put has come, as if the process had lived before with a later clock. The put comes again as the first message of an epoch beyond that; a second put follows in it.",
  requirements = { "P30-001" },
  run = function(t)
    local rank, peer, stream, seen = puts(t, "P30-001", 1)
    local ahead = seen[1].epoch + 3600 * 1000000000
    Numbered.acknowledge(stream, ahead, 0)
    local message
    repeat
      message = next_request(t, "P30-001", stream)
    until message.epoch ~= seen[1].epoch
    t:check("P30-001", "the epoch in which the put comes again", message.epoch > ahead, "more than " .. ahead,
      message.epoch)
    t:equal("P30-001", "its number and match bits", { message.number, message.match_bits }, { 1, 1 })
    Numbered.acknowledge(stream, message.epoch, 1)
    t:equal("P30-001", "events when it is acknowledged", #(rank:collect("eq", 1)), 1)
    rank:put { mem_desc = "out-md", target = t.nid(peer.id), match_bits = 2 }
    local second
    repeat
      second = next_request(t, "P30-001", stream)
    until second.match_bits ~= 1
    t:equal("P30-001", "epoch, number and match bits of the next put", { second.epoch, second.number,
      second.match_bits }, { message.epoch, 2, 2 })
  end,
}

case {
  id = "numbered-another-process",
  title = "What was sent to one process is not sent to another that has taken its address",
  purpose = "A put is not acknowledged; then an acknowledgement shows a later incarnation. The put is given up, which frees its buffer, and the next one is the first message of a later epoch.",
  requirements = { "P30-001" },
  run = function(t)
    local rank, peer, stream, seen = puts(t, "P30-001", 1)
    Numbered.acknowledge(stream, seen[1].epoch, 0, { incarnation = 10 })
    Numbered.acknowledge(stream, seen[1].epoch, 0, { incarnation = 11 })
    t:event("P30-001", rank, "eq", { type = "PTL_EVENT_SENT", match_bits = 1 })
    -- Of a put that was copied, SENT says nothing: what comes behind the acknowledgements shows that they were read.
    Numbered.send(t, stream, 1000, 1, Numbered.put(stream))
    t:event("P30-001", rank, "eq", { type = "PTL_EVENT_PUT" })
    rank:put { mem_desc = "out-md", target = t.nid(peer.id), match_bits = 2 }
    local message
    repeat
      message = next_request(t, "P30-001", stream)
    until message.match_bits ~= 1 or message.epoch ~= seen[1].epoch
    t:equal("P30-001", "number and match bits of the first message to the new process",
      { message.number, message.match_bits }, { 1, 2 })
    t:check("P30-001", "its epoch", message.epoch > seen[1].epoch, "more than " .. seen[1].epoch, message.epoch)
  end,
}

-- Sends octets after which the stream cannot go on, and which break a rule; it must be closed and one message counted,
-- and a new stream served.
local function must_close(t, rank, octets, wrong, what)
  local before = rank:drop_count()
  local stream = Numbered.connect(t, t:peer {}, rank)
  t:send_invalid("P30-328", stream, octets(stream), wrong)
  local message, reason = stream:receive()
  t:check("P30-328", "the stream is closed after " .. what, message == nil
    and (reason == "closed" or reason == "reset"), "closed", message and message.operation or reason)
  t:drops("P30-328", rank, before, 1)
  local fresh = Numbered.connect(t, t:peer {}, rank)
  send(t, fresh, EPOCH, 1, put(fresh, { match_bits = 9 }))
  acknowledged(t, "P30-328", fresh, EPOCH, 1)
  t:valid_counterpart(fresh, put(fresh, { match_bits = 9 }), t:event("P30-328", rank, "eq", { type = "PTL_EVENT_PUT",
    match_bits = 9 }))
  t:equal("P30-328", "dropped messages in all", rank:drop_count() - before, 1)
end

case {
  id = "numbered-malformed",
  title = "A NUMBER that is none, or that numbers nothing, ends its stream",
  purpose = "Epoch 0, number 0, and a second NUMBER, an ACKNOWLEDGE, a HELLO and an unknown operation behind a good one: each is counted once and its stream closed; a new stream serves.",
  requirements = { "P30-328" }, chapter = "4.2", negative = true,
  run = function(t)
    local rank = Numbered.set_up(t)
    for _, row in ipairs { { 0, 1 }, { EPOCH, 0 } } do
      must_close(t, rank, function(stream)
        return Numbered.octets(t, stream, row[1], row[2], put(stream))
      end, "bad-number", "epoch " .. row[1] .. " and number " .. row[2])
    end
    local behind = {
      { "another NUMBER", { operation = "number", epoch = EPOCH, number = 2 }, "number-alone" },
      { "an ACKNOWLEDGE",
        { operation = "acknowledge", incarnation = 1, epoch = EPOCH, acknowledged = 1, missing = 0 }, "number-alone" },
      { "a HELLO", nil, "hello-again" },
    }
    local number = t:encode { operation = "number", epoch = EPOCH, number = 1 }
    for _, row in ipairs(behind) do
      must_close(t, rank, function(stream)
        local message = row[2] or stream.peer:hello(rank.id, { version_minor = 1 })
        return number .. t:encode(stream:with_defaults(message))
      end, row[3], "NUMBER and " .. row[1])
    end
    must_close(t, rank, function()
      return number .. "\0\0\0\99" .. string.rep("\0", 76)
    end, "stray-after-number", "NUMBER and an unknown operation")
  end,
}

case {
  id = "numbered-acknowledge-of-nothing",
  title = "An ACKNOWLEDGE without incarnation or epoch is discarded and counted",
  purpose = "Each is counted once; the stream goes on, and a numbered put behind it is taken.",
  requirements = { "P30-321" }, chapter = "4.2", negative = true,
  run = function(t)
    local rank, peer = Numbered.set_up(t)
    local stream = Numbered.connect(t, peer, rank)
    for i, row in ipairs { { 0, EPOCH }, { 1, 0 } } do
      local before = rank:drop_count()
      t:send_invalid("P30-321", stream, { operation = "acknowledge", incarnation = row[1], epoch = row[2],
        acknowledged = 0, missing = 0 }, "bad-acknowledge")
      t:drops("P30-321", rank, before, 1)
      send(t, stream, EPOCH, i, put(stream, { match_bits = i }))
      acknowledged(t, "P30-321", stream, EPOCH, i)
      t:valid_counterpart(stream, put(stream, { match_bits = i }), t:event("P30-321", rank, "eq",
        { type = "PTL_EVENT_PUT", match_bits = i }))
      t:equal("P30-321", "dropped messages in all", rank:drop_count() - before, 1)
    end
  end,
}

case {
  id = "numbered-not-initialised",
  title = "A numbered message for an interface that is not initialised is acknowledged, discarded and counted",
  purpose = "The process has called PtlInit alone. After PtlNIInit the drop is in the register, the data is nowhere, and the next number is taken.",
  requirements = { "P30-306" }, chapter = "4.2", negative = true,
  run = function(t)
    Numbered.start(t)
    t:init()
    local rank, peer = t.ranks[0], t:peer {}
    local stream = Numbered.connect(t, peer, rank)
    send(t, stream, EPOCH, 1, put(stream, { match_bits = 2, data = "early" }))
    t:declare_undeliverable(stream, put(stream, { match_bits = 2, data = "early" }), "interface")
    acknowledged(t, "P30-306", stream, EPOCH, 1)
    rank:ni_init { acl_size = 4 }
    t:equal_or_warn("P30-306", "the drop count after PtlNIInit", rank:drop_count(), 1,
      { [0] = "what came earlier is not counted" })
    rank:ac_entry { index = Receiver.COOKIE, matchid = t.any_nid, portal = "any" }
    rank:region("buf", 64)
    rank:eq("eq")
    Receiver.take_anything(rank)
    send(t, stream, EPOCH, 2, put(stream, { match_bits = 2, data = "later" }))
    acknowledged(t, "P30-306", stream, EPOCH, 2)
    t:valid_counterpart(stream, put(stream, { match_bits = 2, data = "later" }), t:event("P30-306", rank, "eq",
      { type = "PTL_EVENT_PUT", match_bits = 2 }))
    t:equal("P30-306", "the memory", rank:read("buf", 0, 10), "later" .. string.rep("\0", 5))
  end,
}

case {
  id = "numbered-plain-peer",
  title = "A process that numbers talks to one of version 1.0 without numbers",
  purpose = "The peer's HELLO says 1.0. A put comes without a number and is acknowledged as ever; a put of the peer is taken without one.",
  requirements = { "P30-003" },
  run = function(t)
    local rank, peer = Numbered.set_up(t)
    rank:bind { length = 0, md = "out-md", eventq = "eq" }
    rank:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id), match_bits = 1 }
    local stream = t:accept(peer)
    t:skip_if(stream.hello.version_minor < 1, "the system under test does not number its messages")
    local message = t:expect("P30-003", stream, "put", { match_bits = 1 })
    t:equal("P30-003", "number of the put", message.number, nil)
    stream:answer(message)
    t:equal("P30-003", "events of the put", #(rank:collect("eq", 2)), 2)
    stream:send(put(stream, { match_bits = 2, md = 7 }))
    message = t:expect("P30-003", stream, "ack", { match_bits = 2, md = 7 })
    t:equal("P30-003", "number of the acknowledgement", message.number, nil)
    t:event("P30-003", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = 2 })
  end,
}

case {
  id = "numbered-not-agreed",
  title = "To a process that does not number, NUMBER and ACKNOWLEDGE are unknown operations",
  purpose = "Its HELLO says version 1.0; the peer sends them all the same. Each is counted once and its stream closed; a new stream serves.",
  requirements = { "P30-328" }, chapter = "4.2", negative = true,
  run = function(t)
    local rank = Receiver.set_up(t)
    for _, message in ipairs { { operation = "number", epoch = EPOCH, number = 1 },
      { operation = "acknowledge", incarnation = 1, epoch = EPOCH, acknowledged = 0, missing = 0 } } do
      local before = rank:drop_count()
      local peer = t:peer {}
      local stream = peer:connect(rank, { version_minor = 1 })
      t:sanity("a stream can be opened", stream ~= nil)
      local hello = stream:receive_hello()
      t:sanity("the HELLO is answered", hello ~= nil)
      t:skip_if(hello.version_minor > 0, "the system under test numbers its messages")
      t:send_invalid("P30-328", stream, message, "number-unagreed")
      stream:send(put(stream))
      local answer, reason = stream:receive()
      t:check("P30-328", "the stream is closed after " .. message.operation, answer == nil
        and (reason == "closed" or reason == "reset"), "closed", answer and answer.operation or reason)
      t:drops("P30-328", rank, before, 1)
      Receiver.check_alive(t, rank, Receiver.open_another(t, rank))
      t:equal("P30-328", "dropped messages in all", rank:drop_count() - before, 1)
    end
  end,
}
