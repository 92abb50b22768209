-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 4.1: what each message carries. A scripted peer is the other end of the stream; it sees the octets
-- themselves. To the rank the peer is a process of another group, so access control entry 2 is opened for everybody.

defaults { suite = "wire", chapter = "4.1", wire = true }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local COOKIE = 2

-- So long an event is looked for that must not come before the peer reads, but may in a system with much room.
local PATIENCE_MS = 300

-- A rank that has opened a stream to a peer: returns rank, peer, stream.
local function meet(t)
  t:open { ptl_size = 8, acl_size = 4 }
  local rank, peer = t.ranks[0], t:peer {}
  rank:ac_entry { index = COOKIE, matchid = t.any_nid, portal = "any" }
  rank:eq("eq", 64)
  rank:bind { md = "opener", length = 0 }
  rank:put { mem_desc = "opener", target = t.nid(peer.id) }
  local stream = t:accept(peer)
  local first = stream:receive()
  t:sanity("the first put arrives", first ~= nil and first.operation == "put")
  return rank, peer, stream
end

-- The rank accepts everything at portal 3 into "buf", with events to "eq".
local function accept_at_three(rank, options, octets)
  rank:region("buf", octets or 64)
  rank:attach { index = 3, matchid = { kind = "nid", nid = "any", pid = "any" }, ignorebits = -1,
    options = options or (PUT .. "|" .. REMOTE), eventq = "eq" }
end

case {
  id = "wire-hello",
  title = "A stream opens with a HELLO that names its sender",
  purpose = "The first message of a stream names the version, both processes with all four ids as PtlGetId gave them, the interface and the group's size.",
  requirements = { "P30-072", "P30-003" },
  run = function(t)
    local rank, peer, stream = meet(t)
    local hello = stream.hello
    t:equal("P30-072", "initiator of the HELLO", hello.initiator, rank.id)
    t:equal("P30-003", "node id of its target", hello.target.nid, peer.id.nid)
    t:equal("P30-003", "process id of its target", hello.target.pid, peer.id.pid)
    t:equal("P30-072", "group size", hello.group_size, 1)
    t:equal("P30-003", "interface", hello.interface, 0)
  end,
}

case {
  id = "wire-put",
  title = "A put carries what table 6 lists",
  purpose = "Each field is compared with the argument or the descriptor that it comes from.",
  requirements = { "P30-276", "P30-277", "P30-278", "P30-279", "P30-280", "P30-281", "P30-282", "P30-286", "P30-072",
    "P30-029", "P30-255", "P30-049" },
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:bind { region = "out", octets = 77, fill = "mix/4", md = "out-md", eventq = "eq" }
    rank:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id), portal = 6, cookie = 3,
      match_bits = 0x8000000000000001, offset = 1 << 33 }
    local message = t:expect("P30-276", stream, "put")
    t:equal("P30-277", "initiator", message.initiator, rank.id)
    t:equal("P30-072", "group and rank of the initiator", { message.initiator.gid, message.initiator.rid },
      { rank.id.gid, rank.id.rid })
    t:equal("P30-278", "node and process of the target", { message.target.nid, message.target.pid }, { peer.id.nid,
      peer.id.pid })
    t:equal("P30-279", "portal index", message.portal, 6)
    t:equal("P30-280", "cookie", message.cookie, 3)
    t:equal("P30-029", "the access control entry that it names", message.cookie, 3)
    t:equal("P30-281", "match bits", message.match_bits, 0x8000000000000001)
    t:equal("P30-049", "match bits, all 64", message.match_bits, 0x8000000000000001)
    t:equal("P30-282", "offset", message.offset, 1 << 33)
    t:equal("P30-286", "length", message.length, 77)
    t:equal("P30-255", "data", message.data, t.mix(4, 77))
  end,
}

case {
  id = "wire-cookie",
  title = "Put and get name the access control entry that they were called with",
  purpose = "With cookies up to the largest one, and such as are equal in their lowest bits, puts and gets carry just this value.",
  requirements = { "P30-029", "P30-280" },
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:bind { region = "out", octets = 8, md = "out-md", eventq = "eq" }
    local largest = rank:largest("ptl_ac_index_t")
    for _, cookie in ipairs { 0, 1, 2, 255, 258, 0x7fff, 0x10002, 0x1000003, largest } do
      if cookie <= largest then
        for verb, req in each { { "put", "P30-280" }, { "get", "P30-029" } } do
          rank[verb](rank, { mem_desc = "out-md", target = t.nid(peer.id), portal = 6, cookie = cookie,
            match_bits = 0 })
          local message = t:expect(req, stream, verb)
          t:equal("P30-029", "the cookie of a " .. verb, message.cookie, cookie)
        end
      end
    end
  end,
}

case {
  id = "wire-put-wants-ack",
  title = "The descriptor field of a put tells whether an acknowledgement is wanted",
  purpose = "It is PTL_MD_NONE with PTL_NOACK_REQ and when the descriptor has no event queue, and anything else with PTL_ACK_REQ and a queue.",
  requirements = { "P30-257", "P30-258", "P30-259", "P30-283", "P30-285" },
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:bind { desc = "loud", length = 0, md = "loud", eventq = "eq" }
    rank:bind { desc = "mute", length = 0, md = "mute" }
    rank:put { mem_desc = "loud", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id) }
    local message = t:expect("P30-257", stream, "put")
    t:check("P30-257", "the descriptor field with PTL_ACK_REQ", message.md ~= stream.NO_MD, "a handle", "PTL_MD_NONE")
    local handle = message.md
    rank:put { mem_desc = "loud", ack_req = "PTL_NOACK_REQ", target = t.nid(peer.id) }
    message = t:expect("P30-258", stream, "put")
    t:equal("P30-258", "the descriptor field with PTL_NOACK_REQ", message.md, stream.NO_MD)
    t:equal("P30-285", "the descriptor field with PTL_NOACK_REQ", message.md, stream.NO_MD)
    rank:put { mem_desc = "mute", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id) }
    message = t:expect("P30-259", stream, "put")
    if message.md ~= stream.NO_MD then
      t:reading("P30-259", "ack_needs_queue", "the descriptor field without an event queue", "a handle",
        { { "no", "PTL_MD_NONE" }, { "yes", "a handle" } })
    else
      t:equal("P30-259", "the descriptor field without an event queue", message.md, stream.NO_MD)
    end
    rank:put { mem_desc = "loud", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id) }
    message = t:expect("P30-283", stream, "put")
    t:equal("P30-283", "the descriptor field of a second put", message.md, handle)
  end,
}

case {
  id = "wire-ack",
  title = "An acknowledgement carries what table 7 lists",
  purpose = "The peer puts 20 octets where 12 fit; every field of the answer is compared with the put, the ids exchanged, the handle bit by bit.",
  requirements = { "P30-284", "P30-287", "P30-288", "P30-289", "P30-290", "P30-291", "P30-292", "P30-293", "P30-294",
    "P30-295" },
  run = function(t)
    local rank, peer, stream = meet(t)
    accept_at_three(rank, PUT .. "|" .. REMOTE .. "|" .. TRUNCATE, 64)
    for _, handle in ipairs { 0x0123456789abcdef, 0, 1, 0x7fffffffffffffff, -2 } do
      stream:send { operation = "put", portal = 3, cookie = COOKIE, match_bits = 0xfedcba9876543210, offset = 52,
        md = handle, data = t.mix(5, 20) }
      local ack = t:expect("P30-284", stream, "ack")
      t:equal("P30-287", "operation", ack.operation, "ack")
      t:equal("P30-288", "initiator", ack.initiator, rank.id)
      t:equal("P30-288", "target", ack.target, peer.id)
      t:equal("P30-289", "portal index", ack.portal, 3)
      t:equal("P30-290", "match bits", ack.match_bits, 0xfedcba9876543210)
      t:equal("P30-291", "offset", ack.offset, 52)
      t:equal("P30-292", "memory descriptor", ack.md, handle)
      t:equal("P30-293", "requested length", ack.rlength, 20)
      t:equal("P30-294", "manipulated length", ack.mlength, 12)
    end
    stream:send { operation = "put", portal = 3, cookie = COOKIE, md = 7, data = "x" }
    local ack = t:expect("P30-295", stream, "ack", { md = 7, mlength = 1 })
    t:octets("P30-294", "the truncated data", rank, "buf", "mix/5", 52, 12)
  end,
}

case {
  id = "wire-answer-to-partial-target",
  title = "An answer names its sender with all four ids, although the request could not",
  purpose = "The peer knows the rank by node and process id alone, which the binding allows. The acknowledgement and the reply must teach it group and rank.",
  requirements = { "P30-288", "P30-301", "P30-072" },
  run = function(t)
    local rank, peer, stream = meet(t)
    accept_at_three(rank, PUT .. "|" .. GET .. "|" .. REMOTE)
    local partial = { nid = rank.id.nid, pid = rank.id.pid, gid = stream.UNKNOWN, rid = stream.UNKNOWN }
    stream:send { operation = "put", portal = 3, cookie = COOKIE, md = 1, target = partial, data = "x" }
    local ack = t:expect("P30-288", stream, "ack", { md = 1 })
    t:equal("P30-288", "initiator of the acknowledgement", ack.initiator, rank.id)
    t:equal("P30-072", "group and rank in it", { ack.initiator.gid, ack.initiator.rid }, { rank.id.gid, rank.id.rid })
    stream:send { operation = "get", portal = 3, cookie = COOKIE, md = 2, target = partial, length = 1 }
    local reply = t:expect("P30-301", stream, "reply", { md = 2 })
    t:equal("P30-301", "initiator of the reply", reply.initiator, rank.id)
  end,
}

case {
  id = "wire-ack-echoes-offset",
  title = "An acknowledgement echoes the offset of the put, whether the target used it or not",
  purpose = "The target manages its memory itself: the put with offset 1000 is stored at 0, the next at 4; both acknowledgements show 1000.",
  requirements = { "P30-291" },
  run = function(t)
    local rank, peer, stream = meet(t)
    accept_at_three(rank, PUT)
    for i = 1, 2 do
      stream:send { operation = "put", portal = 3, cookie = COOKIE, md = i, offset = 1000, data = "four" }
      t:expect("P30-291", stream, "ack", { md = i, mlength = 4, offset = 1000 })
      t:sanity("the target used its own offset", rank:wait("eq").event.offset == 4 * (i - 1))
    end
  end,
}

case {
  id = "wire-ack-without-queue",
  title = "The manipulated length is right although the target's descriptor has no queue",
  purpose = "The same as above for a descriptor with PTL_EQ_NONE, and for one that takes nothing at all.",
  requirements = { "P30-294", "P30-333" },
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:region("buf", 10)
    rank:attach { index = 3, matchid = t.any_nid, match_bits = 1, options = PUT .. "|" .. REMOTE .. "|" .. TRUNCATE }
    rank:attach { index = 4, matchid = t.any_nid, me = "me4", md = "md4", start = "null", length = 0,
      options = PUT .. "|" .. TRUNCATE }
    stream:send { operation = "put", portal = 3, cookie = COOKIE, match_bits = 1, md = 1, data = t.mix(5, 25) }
    t:expect("P30-294", stream, "ack", { rlength = 25, mlength = 10 })
    stream:send { operation = "put", portal = 4, cookie = COOKIE, md = 2, data = t.mix(5, 25) }
    t:expect("P30-333", stream, "ack", { rlength = 25, mlength = 0 })
  end,
}

case {
  id = "wire-put-without-ack",
  title = "A put with PTL_MD_NONE is not answered",
  purpose = "The put is taken, the event shows it; the next message on the stream is the acknowledgement of a later put.",
  requirements = { "P30-285", "P30-010", "P30-170" },
  run = function(t)
    local rank, peer, stream = meet(t)
    accept_at_three(rank)
    rank:attach { index = 4, matchid = t.any_nid, me = "me4", md = "md4", options = PUT .. "|" .. REMOTE
      .. "|PTL_MD_ACK_DISABLE", eventq = "eq" }
    stream:send { operation = "put", portal = 3, cookie = COOKIE, match_bits = 1, md = stream.NO_MD, data = "one" }
    stream:send { operation = "put", portal = 4, cookie = COOKIE, match_bits = 0, md = 4, data = "two" }
    stream:send { operation = "put", portal = 3, cookie = COOKIE, match_bits = 3, md = 5, data = "three" }
    t:event("P30-285", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = 1 })
    t:event("P30-170", rank, "eq", { type = "PTL_EVENT_PUT", portal = 4 })
    t:expect("P30-010", stream, "ack", { match_bits = 3, md = 5 })
    t:nothing_before("P30-170", stream, { operation = "put", portal = 3, cookie = COOKIE, md = 6, data = "four" })
  end,
}

case {
  id = "wire-get",
  title = "A get carries what table 8 lists, and no data",
  purpose = "Each field is compared with its source; the handle is always there.",
  requirements = { "P30-296", "P30-297", "P30-298", "P30-299", "P30-270" },
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:bind { region = "in", octets = 90, md = "in-md" }
    rank:get { mem_desc = "in-md", target = t.nid(peer.id), portal = 5, cookie = 1, match_bits = 0xffffffffffffffff,
      offset = 12345 }
    local get = t:expect("P30-296", stream, "get")
    t:equal("P30-296", "initiator", get.initiator, rank.id)
    t:equal("P30-296", "portal index", get.portal, 5)
    t:equal("P30-296", "cookie", get.cookie, 1)
    t:equal("P30-296", "match bits", get.match_bits, -1)
    t:equal("P30-296", "offset", get.offset, 12345)
    t:check("P30-297", "memory descriptor", get.md ~= stream.NO_MD, "a handle", "PTL_MD_NONE")
    t:equal("P30-298", "length", get.length, 90)
    t:equal("P30-270", "length of the initiator's descriptor", get.length, 90)
    rank:put { mem_desc = "opener", target = t.nid(peer.id), match_bits = 9 }
    t:expect("P30-299", stream, "put", { match_bits = 9 })
  end,
}

case {
  id = "wire-reply",
  title = "A reply carries what table 9 lists, and the data",
  purpose = "The peer gets 30 octets where 14 are left; every field of the answer is compared with the get. A get of no octets is answered too.",
  requirements = { "P30-300", "P30-301", "P30-302", "P30-303", "P30-011", "P30-172" },
  run = function(t)
    local rank, peer, stream = meet(t)
    accept_at_three(rank, GET .. "|" .. REMOTE .. "|" .. TRUNCATE)
    rank:fill("buf", "mix/9")
    stream:send { operation = "get", portal = 3, cookie = COOKIE, match_bits = 0x1122334455667788, offset = 50,
      md = 0xcafe, length = 30 }
    local reply, reason = stream:receive()
    local seen = reply and reply.operation or reason
    t:equal_or_warn("P30-300", "operation", seen, "reply", { ack = "as table 9 prints it" })
    t:equal("P30-301", "initiator", reply.initiator, rank.id)
    t:equal("P30-301", "target", reply.target, peer.id)
    t:equal("P30-302", "portal index", reply.portal, 3)
    t:equal("P30-302", "match bits", reply.match_bits, 0x1122334455667788)
    t:equal("P30-302", "offset", reply.offset, 50)
    t:equal("P30-302", "memory descriptor", reply.md, 0xcafe)
    t:equal("P30-302", "requested length", reply.rlength, 30)
    t:equal("P30-303", "manipulated length", reply.mlength, 14)
    t:equal("P30-011", "data", reply.data, t.mix(9, 14, 50))
    stream:send { operation = "get", portal = 3, cookie = COOKIE, md = 0xe, length = 0 }
    local second, why = stream:receive()
    local kind = second and second.operation or why
    local stray = kind == "ack" and seen ~= "ack"
    t:check("P30-172", "the message behind the reply", not stray or second.md == 0xe, "no acknowledgement", kind)
    t:check("P30-300", "operation of a reply of nothing", not stray, seen, kind)
    t:equal("P30-011", "the answer to a get of nothing", kind, seen)
    t:equal("P30-011", "its descriptor and length", { second.md, second.mlength }, { 0xe, 0 })
    t:nothing_before("P30-172", stream, { operation = "get", portal = 3, cookie = COOKIE, md = 0xbeef, length = 1 })
  end,
}

case {
  id = "wire-start-is-local",
  title = "Opening an interface and making objects causes no traffic",
  purpose = "A peer that is known to the process sees nothing while another interface is opened and objects are made: what comes next is a later put, on the stream that is open.",
  requirements = { "P30-084" }, chapter = "3.4",
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:PtlNIInit { interface = 1, handle = "ni1" }
    rank:region("buf", 16)
    rank:attach {}
    rank:put { mem_desc = "opener", target = t.nid(peer.id), match_bits = 99 }
    local message, reason = stream:receive()
    t:check("P30-084", "the next message is a later put", message and message.operation == "put"
      and message.match_bits == 99, "the put with bits 99", message and message.operation or reason)
    t:equal("P30-084", "streams that PtlNIInit opened to the peer", select(2, peer:accept(50)), "timeout")
  end,
}

case {
  id = "wire-unlinked-before-answer",
  title = "An answer for a descriptor that was unlinked is dropped and counted",
  purpose = "The rank puts with an acknowledgement asked for and gets, then unlinks the descriptor; the peer answers afterwards. Neither may write or log anything. The same answers were taken as long as the descriptor was there.",
  requirements = { "P30-304", "P30-308", "P30-311" }, chapter = "4.2", negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:bind { region = "in", octets = 32, md = "in-md", eventq = "eq" }
    local function ask()
      rank:put { mem_desc = "in-md", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id) }
      local put = stream:receive()
      rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
      local get = stream:receive()
      t:sanity("both requests arrive", put and get and put.operation == "put" and get.operation == "get")
      t:sanity("the sent event comes", rank:wait("eq").event.type == "PTL_EVENT_SENT")
      return put, get
    end
    for i, request in ipairs { ask() } do
      stream:answer(request)
      local event = rank:wait("eq").event
      t:valid_counterpart(stream, stream:answer_of(request), event ~= nil
        and event.type == (i == 1 and "PTL_EVENT_ACK" or "PTL_EVENT_REPLY"))
    end
    local put, get = ask()
    local rc = rank:PtlMDUnlink { mem_desc = "in-md" }.rc
    if rc == "PTL_MD_INUSE" then
      stream:answer(put)
      stream:answer(get)
      t:skip("the descriptor stays until the answers have come")
    end
    t:equal("P30-304", "PtlMDUnlink with a reply outstanding returns", rc, "PTL_OK")
    local before = rank:drop_count()
    t:send_invalid("P30-308", stream, stream:answer_of(put), { state = "descriptor" })
    local function counts(req)
      local now = rank:wait_drop_count(before + 1)
      t:reading(req, "count_dropped_answers", "the drop count rises by", now - before, { { "yes", 1 }, { "no", 0 } })
      before = now
    end
    counts("P30-308")
    t:send_invalid("P30-311", stream, stream:answer_of(get, { data = t.mix(9, 32) }), { state = "descriptor" })
    counts("P30-311")
    t:octets("P30-304", "the memory of the dead descriptor", rank, "in", "byte/0")
    t:equal("P30-304", "events", rank:count_events("eq"), 0)
  end,
}

case {
  id = "wire-reply-of-less",
  title = "A reply that brings less than was asked for is logged as it came, also when it brings nothing",
  purpose = "The rank gets 64 octets five times. The peer answers with 0, 1, 63, 64 and again 0 octets: each time one event comes, and the octets behind those of the reply are as they were.",
  requirements = { "P30-271", "P30-272" }, chapter = "3.10.2",
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:bind { region = "in", octets = 64, md = "in-md", eventq = "eq" }
    for _, brought in ipairs { 0, 1, 63, 64, 0 } do
      rank:fill("in", "byte/0")
      rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
      local get = stream:receive()
      t:sanity("the get arrives", get and get.operation == "get")
      stream:answer(get, { mlength = brought, data = t.mix(3, brought) })
      t:event("P30-272", rank, "eq", { type = "PTL_EVENT_REPLY", rlength = 64, mlength = brought })
      if brought > 0 then t:octets("P30-271", "what the reply brought", rank, "in", "mix/3", 0, brought) end
      if brought < 64 then t:octets("P30-271", "what is behind it", rank, "in", "byte/0", brought) end
    end
    t:equal("P30-272", "further events", rank:count_events("eq"), 0)
  end,
}

case {
  id = "wire-reply-to-inactive",
  title = "A reply is taken by a descriptor that takes no requests",
  purpose = "The descriptor has no options and threshold zero when the reply comes; the data is stored and logged.",
  requirements = { "P30-314" }, chapter = "4.2",
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:bind { region = "in", octets = 64, md = "in-md", threshold = 1, options = 0, eventq = "eq" }
    rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
    local get = stream:receive()
    t:sanity("the get arrives", get and get.operation == "get")
    rank:md { name = "idle", region = "in", threshold = 0, options = 0, eventq = "eq" }
    rank:md_update { mem_desc = "in-md", new = "idle" }
    stream:answer(get, { data = t.mix(3, 64) })
    local event = rank:wait("eq").event
    if t:reading("P30-314", "reply_to_inactive", "the event of the reply", event and event.type or "none",
        { { "accept", "PTL_EVENT_REPLY" }, { "drop", "none" } }) == "accept" then
      t:equal("P30-314", "octets that were stored", event.mlength, 64)
      t:octets("P30-314", "what was stored", rank, "in", "mix/3")
    end
  end,
}

case {
  id = "wire-reply-truncated",
  title = "A reply is cut to the descriptor that receives it, whatever its options",
  purpose = "After the get the descriptor is shrunk; the full reply comes. What fits is stored, the event says how much, nothing behind it is touched, and nothing counts as dropped.",
  requirements = { "P30-140", "P30-231", "P30-313", "P30-322" }, chapter = "4.2",
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:bind { region = "in", octets = 64, md = "in-md", eventq = "eq" }
    rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
    local get = stream:receive()
    t:sanity("the get arrives", get and get.operation == "get")
    rank:md { name = "small", start = "in", length = 20, options = 0, eventq = "eq" }
    rank:md_update { mem_desc = "in-md", new = "small" }
    local before = rank:drop_count()
    stream:answer(get, { data = t.mix(3, 64) })
    local event = rank:wait("eq").event
    t:octets("P30-140", "the octets behind the descriptor that was shrunk", rank, "in", "byte/0", 20)
    if t:reading("P30-313", "reply_truncation", "the event of the reply", event and event.type or "none",
        { { "always", "PTL_EVENT_REPLY" }, { "option", "none" } }) == "always" then
      t:octets("P30-313", "what was stored", rank, "in", "mix/3", 0, 20)
      t:equal("P30-231", "mlength of the event", event.mlength, 20)
      t:equal("P30-313", "rlength of the event", event.rlength, 64)
      t:equal("P30-322", "messages dropped", rank:drop_count() - before, 0)
    else
      t:check("P30-322", "a reply that is discarded may be counted", true)
      t:check("P30-231", "a reply that is discarded tells no length", true)
    end
    t:octets("P30-140", "the octets behind it", rank, "in", "byte/0", 20)
  end,
}

case {
  id = "wire-put-does-not-block",
  title = "PtlPut of a large message returns although the peer does not read; PTL_EVENT_SENT comes when it is sent",
  purpose = "The peer stops reading. Two puts of 16 MiB and a small one must return at once. If a PTL_EVENT_SENT comes all the same, that buffer is overwritten; when the peer reads again it must get the old octets, and the messages in their order.",
  requirements = { "P30-254", "P30-256", "P30-221", "P30-002", "P30-240" }, chapter = "3.8",
  run = function(t)
    local rank, peer, stream = meet(t)
    local octets = 16777216
    stream:stop_reading()
    for i = 1, 2 do
      rank:region("big" .. i, octets, { fill = "mix/" .. i })
      rank:bind { region = "big" .. i, md = "big-md" .. i, eventq = "eq", user_ptr = i }
    end
    for i = 1, 2 do
      t:rc("P30-254", rank:PtlPut { mem_desc = "big-md" .. i, target = t.nid(peer.id), match_bits = i,
        deadline = 5000 }, "PTL_OK")
    end
    t:rc("P30-254", rank:PtlPut { mem_desc = "opener", target = t.nid(peer.id), match_bits = 3, deadline = 5000 },
      "PTL_OK")
    local sent = 0
    local early = rank:quiet("eq", PATIENCE_MS)
    while early.event do
      sent = sent + 1
      rank:fill("big" .. early.event.mem_desc.user_ptr, "byte/238")
      early = rank:quiet("eq", PATIENCE_MS)
    end
    t:equal("P30-240", "events in a queue to which those of puts under way will come",
      rank:PtlEQCount().count, 0)
    t:judging("P30-002")
    stream:resume_reading()
    for i = 1, 2 do
      local put = t:expect("P30-256", stream, "put", nil, 20000)
      t:equal("P30-002", "match bits of message " .. i, put.match_bits, i)
      t:check("P30-221", "the data of put " .. i, put.data == t.mix(i, octets),
        "what the buffer held before it was free", "something else")
    end
    t:expect("P30-002", stream, "put", { match_bits = 3 }, 20000)
    t:equal("P30-256", "events that tell of sending", sent + #(rank:collect("eq", 2 - sent)), 2)
  end,
}

case {
  id = "wire-get-event-behind-data",
  title = "After PTL_EVENT_GET the target's memory is no longer read",
  purpose = "The peer gets 16 MiB and stops reading. If PTL_EVENT_GET comes all the same, the memory is overwritten; when the peer reads again it must get the old octets.",
  requirements = { "P30-215" }, chapter = "3.8",
  run = function(t)
    local rank, peer, stream = meet(t)
    local octets = 16777216
    accept_at_three(rank, GET .. "|" .. REMOTE, octets)
    rank:fill("buf", "mix/1")
    stream:stop_reading()
    stream:send { operation = "get", portal = 3, cookie = COOKIE, md = 1, length = octets }
    local early = rank:quiet("eq", PATIENCE_MS)
    if early.event then rank:fill("buf", "byte/238") end
    stream:resume_reading()
    local reply = t:expect("P30-215", stream, "reply", { mlength = octets }, 20000)
    t:check("P30-215", "the data", reply.data == t.mix(1, octets), "what the memory held before the event",
      "something else")
    if not early.event then
      t:event("P30-215", rank, "eq", { type = "PTL_EVENT_GET", mlength = octets })
    end
  end,
}
