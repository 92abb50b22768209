-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 4.2: what happens to a message that arrives, above all to one that no correct peer would send: wrong about
-- who it is for or from, about portal, cookie or handle. A scripted peer forges it; the checker of the binding confirms
-- that it is invalid, or its valid counterpart, which finds the receiver in the right state, is accepted; and an honest
-- message on the same or a fresh stream shows that the process lives and that its books are right.

defaults { suite = "receiving", chapter = "4.2", wire = true }

local COOKIE, PORTAL = Receiver.COOKIE, Receiver.PORTAL
local set_up, check_alive, discards = Receiver.set_up, Receiver.check_alive, Receiver.discards
local accepts, with_field = Receiver.accepts, Receiver.with_field

case {
  id = "receive-other-process-put",
  title = "A put for another process or another node is discarded and counted",
  purpose = "The target of the header names a process id that nobody has, then another node.",
  requirements = { "P30-305" }, negative = true,
  run = function(t)
    local rank, _, stream = set_up(t)
    check_alive(t, rank, stream)
    local id = rank.id
    for _, other in ipairs { { id.nid, (id.pid % 60000) + 1 }, { id.nid ~ 0x100, id.pid } } do
      discards(t, "P30-305", rank, stream, { operation = "put", portal = PORTAL, cookie = COOKIE, md = 5,
        target = { nid = other[1], pid = other[2], gid = id.gid, rid = id.rid }, data = "forged" }, "wrong-target")
    end
  end,
}

case {
  id = "receive-wrong-target-put",
  only = true,
  title = "A put for another process is discarded and counted",
  purpose = "The target of the header names a process id that nobody has, another node, another group, another rank.",
  requirements = { "P30-305", "P30-321", "P30-329" }, negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    local before = rank:drop_count()
    check_alive(t, rank, stream)
    local id = rank.id
    local wrong = {
      { "wrong-target", { nid = id.nid, pid = (id.pid % 60000) + 1, gid = id.gid, rid = id.rid } },
      { "wrong-target", { nid = id.nid ~ 0x100, pid = id.pid, gid = id.gid, rid = id.rid } },
      { "wrong-rank", { nid = id.nid, pid = id.pid, gid = id.gid ~ 1, rid = id.rid } },
      { "wrong-rank", { nid = id.nid, pid = id.pid, gid = id.gid, rid = id.rid + 1 } },
    }
    for _, row in ipairs(wrong) do
      discards(t, "P30-305", rank, stream, { operation = "put", portal = PORTAL, cookie = COOKIE, md = 5,
        target = row[2], data = "forged" }, row[1])
    end
    t:equal("P30-321", "dropped messages", rank:drop_count() - before, 4)
    t:nothing_before("P30-329", stream, { operation = "put", portal = PORTAL, cookie = COOKIE, md = 6, data = "later" })
  end,
}

case {
  id = "receive-wrong-target-others",
  title = "The target is checked for gets, acknowledgements and replies as well",
  purpose = "A get for a foreign process id; then, while a put and a get of the rank are outstanding, an acknowledgement and a reply with their right handles and a foreign target. All are counted and change nothing; the honest answers that follow are taken.",
  requirements = { "P30-307" }, negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    local target = { nid = rank.id.nid, pid = (rank.id.pid % 60000) + 1, gid = rank.id.gid, rid = rank.id.rid }
    check_alive(t, rank, stream)
    discards(t, "P30-307", rank, stream, { operation = "get", portal = PORTAL, cookie = COOKIE, md = 5,
      target = target, length = 8 }, "wrong-target")
    rank:bind { region = "in", octets = 8, md = "in-md", eventq = "eq" }
    rank:put { mem_desc = "in-md", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id) }
    local put = stream:receive()
    rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
    local get = stream:receive()
    t:sanity("both requests arrive", put and get and put.operation == "put" and get.operation == "get")
    t:sanity("the sent event comes", rank:wait("eq").event.type == "PTL_EVENT_SENT")
    discards(t, "P30-307", rank, stream, { operation = "ack", portal = put.portal, md = put.md, target = target,
      rlength = 8, mlength = 8 }, "wrong-target")
    discards(t, "P30-307", rank, stream, { operation = "reply", portal = get.portal, md = get.md, target = target,
      data = "12345678" }, "wrong-target")
    t:octets("P30-307", "the memory of the get", rank, "in", "byte/0")
    stream:answer(put)
    t:event("P30-307", rank, "eq", { type = "PTL_EVENT_ACK" })
    stream:answer(get)
    t:event("P30-307", rank, "eq", { type = "PTL_EVENT_REPLY" })
  end,
}

case {
  id = "receive-wrong-initiator",
  title = "A message that names another initiator than its stream is discarded and counted",
  purpose = "Access control rests on the sender's id: a put that claims to come from the rank itself, and one that claims to come from a member of its group, must not pass by cookie 0.",
  requirements = { "P30-305", "P30-030" }, chapter = "2.3", negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    check_alive(t, rank, stream)
    discards(t, "P30-305", rank, stream, { operation = "put", portal = PORTAL, cookie = 0, md = 5,
      initiator = rank.id, data = "forged" }, "forged-initiator")
    local id = { nid = peer.id.nid, pid = peer.id.pid, gid = rank.id.gid, rid = 0 }
    discards(t, "P30-030", rank, stream, { operation = "put", portal = PORTAL, cookie = 0, md = 5, initiator = id,
      data = "forged" }, "forged-initiator")
  end,
}

case {
  id = "receive-get-without-handle",
  title = "A get with PTL_MD_NONE is discarded",
  purpose = "Its reply could not be recognised by anybody.",
  requirements = { "P30-297" }, chapter = "4.1", negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    check_alive(t, rank, stream)
    discards(t, "P30-297", rank, stream, { operation = "get", portal = PORTAL, cookie = COOKIE, md = stream.NO_MD,
      length = 8 }, "get-without-md")
  end,
}

case {
  id = "receive-unknown-portal",
  title = "A portal index outside the table is discarded and counted",
  purpose = "The last portal takes everything. The table's size, numbers that would wrap round to a portal that is open, and numbers that are negative as an int, in puts and gets. The messages obey the binding; only the target can know its table.",
  requirements = { "P30-316", "P30-329", "P30-321" }, negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    check_alive(t, rank, stream)
    Receiver.take_anything(rank, 7)
    local put = { operation = "put", portal = PORTAL, cookie = COOKIE, md = 5, data = "lost" }
    local get = { operation = "get", portal = PORTAL, cookie = COOKIE, md = 5, length = 16 }
    local before, wrong = rank:drop_count(), { state = "portal" }
    for i, portal in ipairs { 8, 8 + PORTAL, 0x7fffffff, 0x80000000 + PORTAL, 0xffffffff } do
      t:send_invalid("P30-316", stream, with_field(put, "portal", portal), wrong)
      t:send_invalid("P30-316", stream, with_field(get, "portal", portal), wrong)
      t:drops("P30-316", rank, before + 2 * (i - 1), 2)
    end
    t:nothing_before("P30-329", stream, put)
    t:valid_counterpart(stream, put, rank:wait("eq").event ~= nil)
    accepts(t, rank, stream, get)
    t:equal("P30-321", "dropped messages", rank:drop_count() - before, 10)
  end,
}

case {
  id = "receive-foreign-cookie",
  title = "A cookie that does not admit the sender is refused, whatever it is",
  purpose = "Cookie 0 (the own group), 1 (system processes), 3 (closed), one outside the table and numbers that are negative as an int; the sender is of another group.",
  requirements = { "P30-317", "P30-318", "P30-034", "P30-035", "P30-329" }, negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    check_alive(t, rank, stream)
    local put = { operation = "put", portal = PORTAL, cookie = COOKIE, md = 5, data = "lost" }
    local get = { operation = "get", portal = PORTAL, cookie = COOKIE, md = 5, length = 16 }
    local rows = { { 0, "P30-034" }, { 1, "P30-035" }, { 3, "P30-318" }, { 4, "P30-317" }, { 0x80000000, "P30-317" },
      { 0xffffffff, "P30-317" } }
    for _, row in ipairs(rows) do
      local before = rank:drop_count()
      t:send_invalid(row[2], stream, with_field(put, "cookie", row[1]), { state = "access" })
      t:send_invalid(row[2], stream, with_field(get, "cookie", row[1]), { state = "access" })
      t:drops(row[2], rank, before, 2)
    end
    t:nothing_before("P30-329", stream, put)
    t:valid_counterpart(stream, put, rank:wait("eq").event ~= nil)
    accepts(t, rank, stream, get)
  end,
}

case {
  id = "receive-no-match-not-answered",
  title = "A request that is discarded is not answered",
  purpose = "A put that wants an acknowledgement and a get, with data and without, to a portal without entries: silence, and all of them counted.",
  requirements = { "P30-329", "P30-320" }, negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    local before = rank:drop_count()
    local put = { operation = "put", portal = 5, cookie = COOKIE, md = 5, data = "lost" }
    local get = { operation = "get", portal = 5, cookie = COOKIE, md = 6, length = 16 }
    t:send_invalid("P30-329", stream, put, { state = "match" })
    t:send_invalid("P30-329", stream, get, { state = "match" })
    t:send_invalid("P30-329", stream, with_field(put, "data", ""), { state = "match" })
    t:send_invalid("P30-329", stream, with_field(get, "length", 0), { state = "match" })
    t:drops("P30-320", rank, before, 4)
    stream:send(with_field(put, "portal", PORTAL))
    t:expect("P30-329", stream, "ack", { md = 5, portal = PORTAL })
    t:valid_counterpart(stream, with_field(put, "portal", PORTAL), rank:wait("eq").event ~= nil)
    accepts(t, rank, stream, with_field(get, "portal", PORTAL))
    for _, request in ipairs { with_field(put, "data", ""), with_field(get, "length", 0) } do
      accepts(t, rank, stream, with_field(request, "portal", PORTAL))
    end
  end,
}

case {
  id = "receive-foreign-barrier",
  title = "A barrier message of a process outside the job opens no barrier",
  purpose = "The rank is alone in its group and its barrier returns; barrier messages of a foreign group, of sequence zero and of an absurd round are discarded and counted.",
  requirements = { "P30-321", "P30-090" }, chapter = "3.5", negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    check_alive(t, rank, stream)
    discards(t, "P30-321", rank, stream, { operation = "barrier", sequence = 1, round = 0 }, "foreign-barrier")
    discards(t, "P30-321", rank, stream, { operation = "barrier", sequence = 0, round = 0 }, "foreign-barrier")
    discards(t, "P30-321", rank, stream, { operation = "barrier", sequence = 1, round = 40 }, "foreign-barrier")
    t:rc("P30-090", rank:PtlNIBarrier { deadline = 10000 }, "PTL_OK")
  end,
}

case {
  id = "receive-not-initialised",
  title = "A message for an interface that is not initialised is discarded and counted",
  purpose = "The peer opens a stream to a process that has called PtlInit alone and puts; after PtlNIInit the register shows the drop, and the stream serves.",
  requirements = { "P30-306" }, negative = true,
  run = function(t)
    t:init()
    local rank, peer = t.ranks[0], t:peer {}
    local stream = t:connect(peer, rank)
    t:send_invalid("P30-306", stream, { operation = "put", portal = PORTAL, cookie = COOKIE, md = 5, match_bits = 6,
      data = "early" }, { state = "interface" })
    t:check("P30-306", "nothing is answered", stream:silence(300), "silence", "a message")
    rank:ni_init { acl_size = 4 }
    t:equal_or_warn("P30-306", "the drop count after PtlNIInit", rank:wait_drop_count(1), 1,
      { [0] = "what came earlier is not counted" })
    rank:ac_entry { index = COOKIE, matchid = t.any_nid, portal = "any" }
    rank:eq("eq")
    rank:attach { octets = 64, index = PORTAL, matchid = t.any_nid, ignorebits = -1, eventq = "eq" }
    stream:send { operation = "put", portal = PORTAL, cookie = COOKIE, md = 6, match_bits = 6, data = "later" }
    t:expect("P30-306", stream, "ack", { md = 6, mlength = 5 })
    t:valid_counterpart(stream, { operation = "put", portal = PORTAL, cookie = COOKIE, md = 6, match_bits = 6,
      data = "later" }, t:event("P30-306", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = 6 }))
    t:equal("P30-306", "the memory", rank:read("buf", 0, 10), "later" .. string.rep("\0", 5))
  end,
}
