-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 4.2 below the message: streams that open wrongly, carry what is no message, or end in the middle of a header.
-- None of it may bring the process down or be taken for something else.

defaults { suite = "receiving", chapter = "4.2", wire = true }

local COOKIE, PORTAL = Receiver.COOKIE, Receiver.PORTAL
local set_up, open_another, check_alive = Receiver.set_up, Receiver.open_another, Receiver.check_alive
local closes = Receiver.closes

case {
  id = "receive-segments",
  title = "A message may arrive in any number of segments, and several in one",
  purpose = "A put octet by octet, one cut inside the header and inside the data, and three in one segment: all are taken, in order.",
  requirements = { "P30-002", "P30-323" },
  run = function(t)
    local rank, peer, stream = set_up(t)
    rank:told_by_starts()
    local function message(bits)
      return { operation = "put", portal = PORTAL, cookie = COOKIE, match_bits = bits, md = bits, data = t.mix(bits,
        60) }
    end
    local cuts = {}
    for i = 1, 135 do cuts[i] = i end
    t:judging("P30-323")
    stream:send_split(message(1), cuts)
    t:expect("P30-323", stream, "ack", { md = 1, mlength = 60 })
    t:octets("P30-323", "the data of the put in single octets", rank, "buf", "mix/1", 0, 60)
    stream:send_split(message(2), { 3, 40, 76, 100 })
    t:expect("P30-323", stream, "ack", { md = 2, mlength = 60 })
    local three = {}
    for i = 1, 3 do
      three[i] = t:encode { operation = "put", initiator = peer.id, target = rank.id, portal = PORTAL, cookie = COOKIE,
        match_bits = 2 + i, md = 2 + i, data = t.mix(i, 10) }
    end
    stream:send_raw(table.concat(three))
    for i = 3, 5 do t:expect("P30-002", stream, "ack", { md = i }) end
    for i = 1, 5 do t:event("P30-002", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = i }) end
  end,
}

case {
  id = "receive-unknown-operation",
  title = "An unknown operation does not bring the process down",
  purpose = "Operations 0, 100, 255 and all ones, each on a stream of its own: counted, the stream closed, the next stream served.",
  requirements = { "P30-328", "P30-321" }, negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    check_alive(t, rank, stream)
    local before = rank:drop_count()
    for _, operation in ipairs { "00000000", "00000064", "000000ff", "ffffffff" } do
      closes(t, "P30-328", rank, open_another(t, rank), Values.octets(operation) .. string.rep("\0", 76),
        "stray-octets")
    end
    t:equal("P30-321", "dropped messages", rank:drop_count() - before, 4)
  end,
}

case {
  id = "receive-garbage",
  title = "Random octets do not bring the process down",
  purpose = "Ten streams with up to four kibibytes from the run's seed, the first four never an operation.",
  requirements = { "P30-328" }, negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    check_alive(t, rank, stream)
    for _ = 1, 10 do
      local length = 80 + t.random(4000)
      local octets = "\xff" .. t.mix(t.random(0x7fffffff), length)
      closes(t, "P30-328", rank, open_another(t, rank), octets, "stray-octets")
    end
  end,
}

case {
  id = "receive-second-hello",
  title = "A HELLO in the middle of a stream is an unknown operation",
  purpose = "The stream is closed and the message counted; a new stream works.",
  requirements = { "P30-328" }, negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    local second = open_another(t, rank)
    check_alive(t, rank, second)
    local before = rank:drop_count()
    t:send_invalid("P30-328", second, second.peer:hello(rank.id), "hello-again")
    local message, reason = second:receive()
    t:check("P30-328", "the stream is closed", message == nil and (reason == "closed" or reason == "reset"), "closed",
      message and message.operation or reason)
    t:drops("P30-328", rank, before, 1)
    check_alive(t, rank, open_another(t, rank))
  end,
}

case {
  id = "receive-over-long-length",
  title = "A length beyond the binding's maximum is refused",
  purpose = "Puts, gets, acknowledgements and replies that promise 2^40 + 1 octets and 2^64 - 1 octets: counted, the stream closed, no memory set aside, the next stream served.",
  requirements = { "P30-328", "P30-321" }, negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    check_alive(t, rank, stream)
    local before = rank:drop_count()
    for _, length in ipairs { (1 << 40) + 1, -1 } do
      for _, operation in ipairs { "put", "get", "ack", "reply" } do
        local victim = open_another(t, rank)
        local octets = t:encode { operation = operation, initiator = victim.peer.id, target = rank.id, portal = PORTAL,
          cookie = COOKIE, md = 1, rlength = length, mlength = length }
        closes(t, "P30-328", rank, victim, octets, "bad-length")
      end
    end
    t:equal("P30-321", "dropped messages", rank:drop_count() - before, 8)
  end,
}

case {
  id = "receive-truncated-header",
  title = "A stream that ends inside a header leaves nothing behind",
  purpose = "A put cut after 1, 4, 40 and 75 octets, then the end of the stream, with FIN and with RST: no message was received, nothing is counted, the process serves a new stream.",
  requirements = { "P30-328", "P30-322" }, negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    check_alive(t, rank, stream)
    local before = rank:drop_count()
    for i, cut in ipairs { 1, 4, 40, 75 } do
      local broken = open_another(t, rank)
      local octets = t:encode { operation = "put", initiator = broken.peer.id, target = rank.id, portal = PORTAL,
        cookie = COOKIE, data = "" }
      broken:send_raw(octets:sub(1, cut))
      if i % 2 == 0 then
        broken:reset() -- which a process that dies may do
      else
        broken:close()
        t:confirm_violation("cut-off", broken)
      end
      check_alive(t, rank, open_another(t, rank))
      t:equal("P30-322", "dropped messages", rank:drop_count() - before, 0)
    end
    t:equal("P30-328", "events", rank:PtlEQCount().count, 0)
  end,
}

-- Opens a stream with these octets in the place of the HELLO, which must be invalid; the stream must be closed without
-- an answer; `wrong` is the rule that they break.
local function refuses(t, req, rank, peer, what, octets, wrong)
  local opened = peer:connect(rank, { raw = "" })
  t:sanity("a connection is accepted", opened ~= nil)
  t:send_invalid(req, opened, octets, wrong)
  local message, reason = opened:receive()
  t:check(req, "a stream with " .. what .. " is closed without an answer", message == nil
    and (reason == "closed" or reason == "reset"), "closed", message and message.operation or reason)
end

case {
  id = "receive-bad-hello",
  title = "A stream that does not open with a valid HELLO is refused, and nothing is counted",
  purpose = "A wrong magic, other major versions, another target, and a put in its place: closed without an answer; a right HELLO afterwards is answered.",
  requirements = { "P30-328", "P30-322" }, negative = true,
  run = function(t)
    local rank = set_up(t)
    local before, peer = rank:drop_count(), t:peer {}
    local good = t:encode(peer:hello(rank.id))
    local id = rank.id
    refuses(t, "P30-328", rank, peer, "a wrong magic", Values.octets("50544c34") .. good:sub(5), "bad-magic")
    refuses(t, "P30-328", rank, peer, "major version 2", good:sub(1, 4) .. Values.octets("0002") .. good:sub(7),
      "bad-version")
    refuses(t, "P30-328", rank, peer, "major version 0", good:sub(1, 4) .. Values.octets("0000") .. good:sub(7),
      "bad-version")
    refuses(t, "P30-328", rank, peer, "another process as target", t:encode(peer:hello({ nid = id.nid,
      pid = (id.pid % 60000) + 1, gid = id.gid, rid = id.rid })), "wrong-peer")
    refuses(t, "P30-328", rank, peer, "a put in the place of HELLO", t:encode { operation = "put", initiator = peer.id,
      target = id, portal = PORTAL, cookie = COOKIE, data = "" }, "bad-magic")
    t:equal("P30-322", "dropped messages", rank:drop_count() - before, 0)
    check_alive(t, rank, t:connect(peer, rank))
  end,
}

case {
  id = "receive-impossible-sender",
  title = "A HELLO whose sender cannot exist is refused",
  purpose = "Node 0, node of all ones, process 0, a process above 65535, a group that is not known, a rank as large as the group, a group of none: closed without an answer, nothing counted.",
  requirements = { "P30-328", "P30-322" }, chapter = "2.3", negative = true,
  run = function(t)
    local rank = set_up(t)
    local before, peer = rank:drop_count(), t:peer {}
    local wrong = { { "nid", 0 }, { "nid", 0xffffffff }, { "pid", 0 }, { "pid", 65536 }, { "gid", 0xffffffff },
      { "rid", 1 }, { "rid", 0xffffffff } }
    for _, row in ipairs(wrong) do
      local sender = { nid = peer.id.nid, pid = peer.id.pid, gid = peer.id.gid, rid = peer.id.rid }
      sender[row[1]] = row[2]
      refuses(t, "P30-328", rank, peer, "a sender's " .. row[1] .. " of " .. row[2],
        t:encode(peer:hello(rank.id, { initiator = sender })), "bad-sender")
    end
    refuses(t, "P30-328", rank, peer, "a group of no processes", t:encode(peer:hello(rank.id, { group_size = 0 })),
      "bad-sender")
    t:equal("P30-322", "dropped messages", rank:drop_count() - before, 0)
    check_alive(t, rank, t:connect(peer, rank))
  end,
}

case {
  id = "receive-minor-version",
  title = "A HELLO of a later minor version is no reason to refuse",
  purpose = "The stream works as any other.",
  requirements = { "P30-003" },
  run = function(t)
    local rank = set_up(t)
    local stream = t:peer({}):connect(rank, { version_minor = 7 })
    t:sanity("a connection is accepted", stream ~= nil)
    local hello, reason = stream:receive_hello()
    t:check("P30-003", "the HELLO is answered", hello ~= nil, "hello", reason)
    stream.hello = hello
    stream:send { operation = "put", portal = PORTAL, cookie = COOKIE, md = 3, data = "later" }
    t:expect("P30-003", stream, "ack", { md = 3, mlength = 5 })
  end,
}
