-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 4.2: what happens to a message that arrives, above all to one that no correct peer would send. A scripted
-- peer forges it; the
-- checker of the binding confirms that it is invalid; and an honest message on the same or a fresh stream shows that
-- the process lives
-- and that its books are right.

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local COOKIE, PORTAL = 2, 3

-- Whatever comes to portal 3 is taken, by put and get, with events to "eq" and acknowledged.
local function take_anything(rank)
  rank:attach { index = PORTAL, matchid = Test.any_nid, ignorebits = -1, options = PUT .. "|" .. GET .. "|" .. REMOTE
    .. "|" .. TRUNCATE, eventq = "eq" }
end

-- Ends every descriptor of the rank, the named one too: from then on no handle whatever names a descriptor.
local function unlink_all(rank, also)
  for _, md in ipairs { "knock", "md", also } do
    rank:md_unlink { mem_desc = md }
  end
end

-- A rank that takes puts and gets of everybody at portal 3; a peer; a stream between them that the rank opened.
local function meet(t)
  t:open { ptl_size = 8, acl_size = 4 }
  local rank, peer = t.ranks[0], t:peer {}
  rank:ac_entry { index = COOKIE, matchid = t.any_nid, portal = "any" }
  rank:eq("eq", 64)
  rank:region("buf", 256)
  take_anything(rank)
  rank:bind { md = "knock", length = 0 }
  rank:put { mem_desc = "knock", target = t.nid(peer.id) }
  local stream = t:accept(peer)
  local first = stream:receive()
  t:sanity("the first put arrives", first ~= nil and first.operation == "put")
  return rank, peer, stream
end

-- A stream that another peer opens to the rank. A process sends all that it has for one peer on one stream (PW-18), so
-- every further stream needs a peer of its own: its answers then come where they are looked for.
local function open_another(t, rank)
  return t:connect(t:peer {}, rank)
end

-- An honest put that must be taken and acknowledged: the sanity step, and the proof that everything before it was
-- handled.
local function honest(t, rank, stream, bits)
  stream:send { operation = "put", portal = PORTAL, cookie = COOKIE, match_bits = bits or 0x600d, md = 77,
    data = "honest" }
  local ack = stream:receive()
  t:sanity("an honest put is acknowledged", ack ~= nil and ack.operation == "ack" and ack.md == 77 and ack.mlength == 6)
  local event = rank:wait("eq").event
  t:sanity("an honest put is logged", event ~= nil and event.type == "PTL_EVENT_PUT" and event.match_bits == (bits
    or 0x600d))
end

-- Sends a forged message and judges that it is counted once, changes nothing, is not answered, and that the stream goes
-- on.
local function discarded(t, req, rank, stream, message)
  local before = rank:drop_count()
  stream:send_raw(t:forged(message, req, stream))
  t:drops(req, rank, before, 1)
  stream:send { operation = "put", portal = PORTAL, cookie = COOKIE, match_bits = 0x0ff, md = 88, data = "after" }
  local ack, reason = stream:receive()
  t:check(req, "the next honest message on the stream is served, and nothing comes before its answer", ack ~= nil
    and ack.md == 88,
    "the acknowledgement of the honest put", ack and ack.operation or reason)
  local event = rank:wait("eq").event
  t:equal(req, "the event that follows", event and event.match_bits, 0x0ff)
  t:equal(req, "dropped messages in all", rank:drop_count() - before, 1)
end

-- The same for a message after which the stream cannot go on: it must be closed, and a new one must work.
local function closes(t, req, rank, stream, octets)
  local before = rank:drop_count()
  stream:send_raw(t:forged(octets, req, stream))
  local message, reason = stream:receive()
  t:check(req, "the stream is closed", message == nil and (reason == "closed" or reason == "reset"), "closed", message
    and message.operation or reason)
  t:drops(req, rank, before, 1)
  honest(t, rank, open_another(t, rank))
  t:equal(req, "dropped messages in all", rank:drop_count() - before, 1)
end

local function hex(octets)
  return (octets:gsub("%x%x", function(digits) return string.char(tonumber(digits, 16)) end))
end

case {
  id = "receive-wrong-target-put",
  title = "A put for another process is discarded and counted",
  purpose = "The target of the header names a process id that nobody has, another node, another group, another rank.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-305", "P30-321", "P30-329" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    honest(t, rank, stream)
    local id = rank.id
    local wrong = {
      { nid = id.nid, pid = (id.pid % 60000) + 1, gid = id.gid, rid = id.rid }, { nid = id.nid ~ 0x100, pid = id.pid,
        gid = id.gid, rid = id.rid },
      { nid = id.nid, pid = id.pid, gid = id.gid ~ 1, rid = id.rid }, { nid = id.nid, pid = id.pid, gid = id.gid,
        rid = id.rid + 1 },
    }
    for _, target in ipairs(wrong) do
      discarded(t, "P30-305", rank, stream, { operation = "put", portal = PORTAL, cookie = COOKIE, md = 5,
        target = target, data = "forged" })
    end
    t:equal("P30-321", "dropped messages", rank:drop_count(), 4)
    t:check("P30-329", "nothing is answered", stream:silence(50), "silence", "a message")
  end,
}

case {
  id = "receive-wrong-target-others",
  title = "The target is checked for gets, acknowledgements and replies as well",
  purpose = "A get for a foreign process id; then, while a put and a get of the rank are outstanding, an acknowledgement and a reply with their right handles and a foreign target. All are counted and change nothing; the honest answers that follow are taken.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-307" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    local target = { nid = rank.id.nid, pid = (rank.id.pid % 60000) + 1, gid = rank.id.gid, rid = rank.id.rid }
    honest(t, rank, stream)
    discarded(t, "P30-307", rank, stream, { operation = "get", portal = PORTAL, cookie = COOKIE, md = 5,
      target = target, length = 8 })
    rank:region("in", 8)
    rank:bind { region = "in", md = "in-md", eventq = "eq" }
    rank:put { mem_desc = "in-md", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id) }
    local put = stream:receive()
    rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
    local get = stream:receive()
    t:sanity("both requests arrive", put and get and put.operation == "put" and get.operation == "get")
    t:sanity("the sent event comes", rank:wait("eq").event.type == "PTL_EVENT_SENT")
    discarded(t, "P30-307", rank, stream, { operation = "ack", portal = put.portal, md = put.md, target = target,
      rlength = 8, mlength = 8 })
    discarded(t, "P30-307", rank, stream, { operation = "reply", portal = get.portal, md = get.md, target = target,
      data = "12345678" })
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
  suite = "receiving", chapter = "2.3",
  requirements = { "P30-305", "P30-030" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    honest(t, rank, stream)
    discarded(t, "P30-305", rank, stream, { operation = "put", portal = PORTAL, cookie = 0, md = 5,
      initiator = rank.id, data = "forged" })
    local id = { nid = peer.id.nid, pid = peer.id.pid, gid = rank.id.gid, rid = 0 }
    discarded(t, "P30-030", rank, stream, { operation = "put", portal = PORTAL, cookie = 0, md = 5, initiator = id,
      data = "forged" })
  end,
}

case {
  id = "receive-unknown-operation",
  title = "An unknown operation does not bring the process down",
  purpose = "Operations 0, 100, 255 and all ones, each on a stream of its own: counted, the stream closed, the next stream served.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-328", "P30-321" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    honest(t, rank, stream)
    local before = rank:drop_count()
    for _, operation in ipairs { "00000000", "00000064", "000000ff", "ffffffff" } do
      closes(t, "P30-328", rank, open_another(t, rank), hex(operation) .. string.rep("\0", 76))
    end
    t:equal("P30-321", "dropped messages", rank:drop_count() - before, 4)
  end,
}

case {
  id = "receive-garbage",
  title = "Octets of chance do not bring the process down",
  purpose = "Ten streams with up to four kibibytes from the run's seed, the first four never an operation.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-328" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    honest(t, rank, stream)
    for _ = 1, 10 do
      local length = 80 + t.random(4000)
      local octets = "\xff" .. t.mix(t.random(0x7fffffff), length)
      closes(t, "P30-328", rank, open_another(t, rank), octets)
    end
  end,
}

case {
  id = "receive-second-hello",
  title = "A HELLO in the middle of a stream is an unknown operation",
  purpose = "The stream is closed and the message counted; a new stream works.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-328" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    local second = open_another(t, rank)
    honest(t, rank, second)
    t:judging("P30-328")
    local before = rank:drop_count()
    second:send(second.peer:hello(rank.id))
    local message, reason = second:receive()
    t:check("P30-328", "the stream is closed", message == nil and (reason == "closed" or reason == "reset"), "closed",
      message and message.operation or reason)
    t:drops("P30-328", rank, before, 1)
    honest(t, rank, open_another(t, rank))
  end,
}

case {
  id = "receive-over-long-length",
  title = "A length beyond the binding's maximum is not believed",
  purpose = "Puts, gets, acknowledgements and replies that promise 2^40 + 1 octets and 2^64 - 1 octets: counted, the stream closed, no memory set aside, the next stream served.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-328", "P30-321" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    honest(t, rank, stream)
    local before = rank:drop_count()
    for _, length in ipairs { (1 << 40) + 1, -1 } do
      for _, operation in ipairs { "put", "get", "ack", "reply" } do
        local victim = open_another(t, rank)
        local octets = t:encode { operation = operation, initiator = victim.peer.id, target = rank.id, portal = PORTAL,
          cookie = COOKIE, md = 1, rlength = length, mlength = length }
        closes(t, "P30-328", rank, victim, octets)
      end
    end
    t:equal("P30-321", "dropped messages", rank:drop_count() - before, 8)
  end,
}

case {
  id = "receive-manipulated-above-requested",
  title = "An answer that moved more than was asked for is discarded",
  purpose = "The rank has a put and a get outstanding. An acknowledgement and a reply with right handles and a manipulated length above the requested one must have no effect; the honest answers that follow must be taken.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-321", "P30-310" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:region("in", 16)
    rank:bind { region = "in", md = "in-md", eventq = "eq" }
    rank:put { mem_desc = "in-md", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id) }
    local put = stream:receive()
    rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
    local get = stream:receive()
    t:sanity("both requests arrive", put and get and put.operation == "put" and get.operation == "get")
    t:sanity("the sent event comes", rank:wait("eq").event.type == "PTL_EVENT_SENT")
    local before = rank:drop_count()
    stream:send_raw(t:forged({ operation = "ack", portal = put.portal, md = put.md, rlength = 16, mlength = 17 },
      "P30-321", stream))
    stream:send_raw(t:forged({ operation = "reply", portal = get.portal, md = get.md, rlength = 16, mlength = 40,
      data = string.rep("F", 40) }, "P30-321", stream))
    t:drops("P30-321", rank, before, 2)
    t:octets("P30-321", "the memory", rank, "in", "byte/0")
    stream:answer(put)
    t:event("P30-310", rank, "eq", { type = "PTL_EVENT_ACK", mlength = 16 })
    stream:answer(get, { data = t.mix(1, 16) })
    t:event("P30-310", rank, "eq", { type = "PTL_EVENT_REPLY", mlength = 16 })
  end,
}

case {
  id = "receive-get-without-handle",
  title = "A get with PTL_MD_NONE is discarded",
  purpose = "Its reply could not be recognised by anybody.",
  suite = "receiving", chapter = "4.1",
  requirements = { "P30-297" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    honest(t, rank, stream)
    discarded(t, "P30-297", rank, stream, { operation = "get", portal = PORTAL, cookie = COOKIE, md = stream.NO_MD,
      length = 8 })
  end,
}

case {
  id = "receive-answers-without-handle",
  title = "An acknowledgement and a reply with PTL_MD_NONE are discarded",
  purpose = "They answer nothing.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-308", "P30-311" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    honest(t, rank, stream)
    discarded(t, "P30-308", rank, stream, { operation = "ack", md = stream.NO_MD, rlength = 4, mlength = 4 })
    discarded(t, "P30-311", rank, stream, { operation = "reply", md = stream.NO_MD, data = "data" })
  end,
}

-- The next two cases send answers that are well formed and honest about who sends them; what is wrong is that nobody
-- asked. The checker of
-- single messages cannot know that, so the cases show it by the handle: it is dead, or never was one.
case {
  id = "receive-ack-for-dead-handle",
  title = "An acknowledgement for a handle that names nothing is dropped and counted",
  purpose = "Invented handles, and the handle of a descriptor that was unlinked.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-308", "P30-012", "P30-321" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:bind { length = 0, md = "gone", eventq = "eq" }
    rank:put { mem_desc = "gone", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id) }
    local put = stream:receive()
    t:sanity("the put arrives and wants an answer", put and put.operation == "put" and put.md ~= stream.NO_MD)
    t:sanity("the sent event comes", rank:wait("eq").event.type == "PTL_EVENT_SENT")
    t:judging("P30-012")
    stream:answer(put, { portal = 7777 })
    t:event("P30-012", rank, "eq", { type = "PTL_EVENT_ACK" })
    local before = rank:drop_count()
    unlink_all(rank, "gone")
    t:judging("P30-308")
    stream:answer(put)
    local counts = t:reading("P30-308", "count_dropped_answers", "the drop count rises by",
      rank:status(before + 1, 2000) - before, { { "yes", 1 }, { "no", 0 } }) == "yes" and 1 or 0
    for i, handle in ipairs { put.md ~ 1, put.md ~ (1 << 32), put.md ~ (1 << 63), 0, -2 } do
      stream:answer(put, { md = handle })
      t:drops("P30-321", rank, before + i * counts, counts)
    end
    t:equal("P30-308", "events", rank:PtlEQCount().count, 0)
    take_anything(rank)
    honest(t, rank, stream)
  end,
}

case {
  id = "receive-reply-for-dead-handle",
  title = "A reply for a handle that names nothing is dropped, counted, and writes nowhere",
  purpose = "Invented handles and the handle of an unlinked descriptor, with data; guard octets and the old memory stay.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-311", "P30-013", "P30-321" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:region("in", 64)
    rank:bind { region = "in", md = "gone", eventq = "eq" }
    rank:get { mem_desc = "gone", target = t.nid(peer.id) }
    local get = stream:receive()
    t:sanity("the get arrives", get and get.operation == "get")
    rank:ac_entry { index = 0, matchid = t.gid(rank.id), portal = 0 }
    rank:ac_entry { index = COOKIE, matchid = t.gid(rank.id), portal = 0 }
    t:judging("P30-013")
    stream:answer(get, { data = t.mix(1, 64) })
    t:event("P30-013", rank, "eq", { type = "PTL_EVENT_REPLY", mlength = 64 })
    t:octets("P30-013", "the data", rank, "in", "mix/1")
    local before = rank:drop_count()
    unlink_all(rank, "gone")
    t:judging("P30-311")
    stream:answer(get, { data = t.mix(2, 64) })
    local counts = t:reading("P30-311", "count_dropped_answers", "the drop count rises by",
      rank:status(before + 1, 2000) - before, { { "yes", 1 }, { "no", 0 } }) == "yes" and 1 or 0
    for i, handle in ipairs { get.md ~ 1, get.md ~ (1 << 32), get.md ~ (1 << 63), 0, -2 } do
      stream:answer(get, { md = handle, data = t.mix(3, 64) })
      t:drops("P30-321", rank, before + i * counts, counts)
    end
    t:octets("P30-311", "the memory of the unlinked descriptor", rank, "in", "mix/1")
    t:equal("P30-311", "events", rank:PtlEQCount().count, 0)
  end,
}

case {
  id = "receive-unknown-portal",
  title = "A portal index outside the table is discarded and counted",
  purpose = "The table's size, numbers that would wrap round to a portal that is open, and numbers that are negative as an int, in puts and gets. The messages obey the binding; only the target can know its table.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-316", "P30-329", "P30-321" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    honest(t, rank, stream)
    t:judging("P30-316")
    local before = rank:drop_count()
    for i, portal in ipairs { 8, 8 + PORTAL, 0x7fffffff, 0x80000000 + PORTAL, 0xffffffff } do
      stream:send { operation = "put", portal = portal, cookie = COOKIE, md = 5, data = "lost" }
      stream:send { operation = "get", portal = portal, cookie = COOKIE, md = 5, length = 16 }
      t:drops("P30-316", rank, before + 2 * (i - 1), 2)
    end
    t:check("P30-329", "nothing is answered", stream:silence(50), "silence", "a message")
    honest(t, rank, stream)
    t:equal("P30-321", "dropped messages", rank:drop_count() - before, 10)
  end,
}

case {
  id = "receive-foreign-cookie",
  title = "A cookie that does not admit the sender is refused, whatever it is",
  purpose = "Cookie 0 (the own group), 1 (system processes), 3 (closed), one outside the table and numbers that are negative as an int; the sender is of another group.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-317", "P30-318", "P30-034", "P30-035", "P30-329" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    honest(t, rank, stream)
    local rows = { { 0, "P30-034" }, { 1, "P30-035" }, { 3, "P30-318" }, { 4, "P30-317" }, { 0x80000000, "P30-317" },
      { 0xffffffff, "P30-317" } }
    for _, row in ipairs(rows) do
      t:judging(row[2])
      local before = rank:drop_count()
      stream:send { operation = "put", portal = PORTAL, cookie = row[1], md = 5, data = "lost" }
      stream:send { operation = "get", portal = PORTAL, cookie = row[1], md = 5, length = 16 }
      t:drops(row[2], rank, before, 2)
    end
    t:check("P30-329", "nothing is answered", stream:silence(50), "silence", "a message")
    honest(t, rank, stream)
  end,
}

case {
  id = "receive-no-match-not-answered",
  title = "A request that is discarded is not answered",
  purpose = "A put that wants an acknowledgement and a get, to a portal without entries: silence, and both counted.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-329", "P30-320" },
  wire = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    local before = rank:drop_count()
    t:judging("P30-329")
    stream:send { operation = "put", portal = 5, cookie = COOKIE, md = 5, data = "lost" }
    stream:send { operation = "get", portal = 5, cookie = COOKIE, md = 6, length = 16 }
    t:drops("P30-320", rank, before, 2)
    stream:send { operation = "put", portal = PORTAL, cookie = COOKIE, md = 9, data = "good" }
    t:expect("P30-329", stream, "ack", { md = 9 })
  end,
}

case {
  id = "receive-segments",
  title = "A message may arrive in any pieces, and several in one",
  purpose = "A put octet by octet, one cut inside the header and inside the data, and three in one segment: all are taken, in order.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-002", "P30-323" },
  wire = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    local function message(bits)
      return { operation = "put", portal = PORTAL, cookie = COOKIE, match_bits = bits, md = bits, data = t.mix(bits,
        60) }
    end
    local cuts = {}
    for i = 1, 135 do
      cuts[i] = i
    end
    t:judging("P30-323")
    stream:send_split(message(1), cuts)
    t:expect("P30-323", stream, "ack", { md = 1, mlength = 60 })
    t:octets("P30-323", "the data of the put in single octets", rank, "buf", "mix/1", 0, 60)
    stream:send_split(message(2), { 3, 40, 76, 100 })
    t:expect("P30-323", stream, "ack", { md = 2, mlength = 60 })
    local three = {}
    for i = 1, 3 do
      three[i] = t:encode { operation = "put", initiator = peer.id, target = rank.id, portal = PORTAL, cookie = COOKIE,
        match_bits = 2 + i, md = 2 + i,
        data = t.mix(i, 10) }
    end
    stream:send_raw(table.concat(three))
    for i = 3, 5 do
      t:expect("P30-002", stream, "ack", { md = i })
    end
    for i = 1, 5 do
      t:event("P30-002", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = i })
    end
  end,
}

case {
  id = "receive-truncated-header",
  title = "A stream that ends inside a header leaves nothing behind",
  purpose = "A put cut after 1, 4, 40 and 75 octets, then the end of the stream, with FIN and with RST: no message was received, nothing is counted, the process serves a new stream.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-328", "P30-322" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    honest(t, rank, stream)
    local before = rank:drop_count()
    for i, cut in ipairs { 1, 4, 40, 75 } do
      local broken = open_another(t, rank)
      local octets = t:encode { operation = "put", initiator = broken.peer.id, target = rank.id, portal = PORTAL,
        cookie = COOKIE, data = "" }
      broken:send_raw(t:forged(octets:sub(1, cut), "P30-328", broken))
      if i % 2 == 0 then
        broken:reset()
      else
        broken:close()
      end
      t:judging("P30-328")
      honest(t, rank, open_another(t, rank))
      t:equal("P30-322", "dropped messages", rank:drop_count() - before, 0)
    end
    t:equal("P30-328", "events", rank:PtlEQCount().count, 0)
  end,
}

case {
  id = "receive-truncated-payload",
  title = "A stream that ends inside the data gives no event",
  purpose = "A put that promises 200 octets brings 50, then the end of the stream: no event, no acknowledgement, counted once; the descriptor can be used again.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-217", "P30-321" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    honest(t, rank, stream)
    local before = rank:drop_count()
    local broken = open_another(t, rank)
    local octets = t:encode { operation = "put", initiator = broken.peer.id, target = rank.id, portal = PORTAL,
      cookie = COOKIE, md = 5, data = t.mix(1, 200) }
    broken:send_raw(t:forged(octets:sub(1, 126), "P30-217", broken))
    broken:close()
    local dropped = rank:status(before + 1) - before
    t:equal("P30-217", "events", rank:PtlEQCount().count, 0)
    t:equal("P30-321", "dropped messages", dropped, 1)
    honest(t, rank, stream)
    honest(t, rank, open_another(t, rank))
    t:equal("P30-321", "dropped messages", rank:drop_count() - before, 1)
  end,
}

case {
  id = "receive-event-behind-the-last-octet",
  title = "An event comes when the last octet of the data has come, not before",
  purpose = "A put and a reply stop in the middle of their data. A put of another peer is served meanwhile, so the process is awake, and no event of the unfinished ones is there; with the rest of the data both events come.",
  suite = "receiving", chapter = "3.8",
  requirements = { "P30-217", "P30-219" },
  wire = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    local other = open_another(t, rank)
    rank:eq("half-eq")
    rank:region("half", 100)
    rank:attach { index = 5, matchid = t.any_nid, me = "me5", md = "md5", region = "half", eventq = "half-eq" }
    local function half_way(req, octets, kind)
      t:judging(req)
      stream:send_raw(octets:sub(1, 130))
      honest(t, rank, other)
      t:equal(req, "events while half of the data is missing", rank:PtlEQCount { eventq = "half-eq" }.count, 0)
      stream:send_raw(octets:sub(131))
      t:event(req, rank, "half-eq", { type = kind, mlength = 100 })
    end
    half_way("P30-217", t:encode { operation = "put", initiator = peer.id, target = rank.id, portal = 5,
      cookie = COOKIE, md = stream.NO_MD, data = t.mix(1, 100) }, "PTL_EVENT_PUT")
    t:octets("P30-217", "the data of the put", rank, "half", "mix/1")
    rank:region("in", 100)
    rank:bind { region = "in", md = "in-md", eventq = "half-eq" }
    rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
    local get = stream:receive()
    t:sanity("the get arrives", get ~= nil and get.operation == "get")
    half_way("P30-219", t:encode { operation = "reply", initiator = peer.id, target = rank.id, portal = get.portal,
      md = get.md, data = t.mix(2, 100) }, "PTL_EVENT_REPLY")
    t:octets("P30-219", "the data of the reply", rank, "in", "mix/2")
  end,
}

-- Sends the header and 50 of 100 octets of a put to portal 5, where "half" of 100 octets with the queue "half-eq" takes
-- it. Returns a function that sends the rest, and whether the half was seen in the memory: a library may hold it back
-- until all has come.
local function put_half(t, rank, peer, stream)
  rank:eq("half-eq")
  rank:region("half", 100)
  rank:attach { index = 5, matchid = t.any_nid, me = "half-me", md = "half-md", region = "half", eventq = "half-eq" }
  local octets = t:encode { operation = "put", initiator = peer.id, target = rank.id, portal = 5, cookie = COOKIE,
    md = stream.NO_MD, data = t.mix(1, 100) }
  stream:send_raw(octets:sub(1, 126))
  local seen = rank:memory("half", 49, t.mix(1, 50):byte(50), 1000)
  return function()
    stream:send_raw(octets:sub(127))
  end, seen
end

case {
  id = "receive-update-during-arrival",
  title = "An update is refused while a put is arriving that will be logged in the test queue",
  purpose = "Half of a put has come. The queue is still empty, yet PtlMDUpdate must not slip between the operation and its event; when the event has been taken out the update is done.",
  suite = "receiving", chapter = "3.7",
  requirements = { "P30-209", "P30-205" },
  wire = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    local send_rest, seen = put_half(t, rank, peer, stream)
    if not seen then
      t:skip("the system under test does not begin with a put before all of it has come")
    end
    rank:md { name = "new", threshold = 3, options = PUT, eventq = "eq" }
    t:judging("P30-209")
    t:equal("P30-209", "events in the test queue", rank:PtlEQCount { eventq = "half-eq" }.count, 0)
    t:rc("P30-209", rank:PtlMDUpdate { mem_desc = "md", new = "new", testq = "half-eq" }, "PTL_NOUPDATE")
    send_rest()
    t:event("P30-209", rank, "half-eq", { type = "PTL_EVENT_PUT", mlength = 100 })
    t:rc("P30-205", rank:PtlMDUpdate { mem_desc = "md", new = "new", testq = "half-eq" }, "PTL_OK")
  end,
}

case {
  id = "receive-unlink-during-arrival",
  title = "After PtlMDUnlink nothing more is written, although the rest of a put still comes",
  purpose = "Half of a put has come when its descriptor is unlinked and the memory overwritten. The rest of the put must not show there; the message is counted as dropped, not logged, and the stream goes on.",
  suite = "receiving", chapter = "3.7",
  requirements = { "P30-197", "P30-321" },
  wire = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    local send_rest = put_half(t, rank, peer, stream)
    local before = rank:drop_count()
    t:judging("P30-197")
    t:rc("P30-197", rank:PtlMDUnlink { mem_desc = "half-md" }, "PTL_OK")
    rank:fill("half", "byte/90")
    send_rest()
    honest(t, rank, stream)
    t:octets("P30-197", "the memory that was given back", rank, "half", "byte/90")
    t:equal("P30-197", "events", rank:PtlEQCount { eventq = "half-eq" }.count, 0)
    t:equal("P30-321", "dropped messages", rank:drop_count() - before, 1)
  end,
}

case {
  id = "receive-fini-during-arrival",
  title = "After PtlNIFini nothing more is written, although the rest of a put still comes",
  purpose = "Half of a put has come when the interface is closed and the memory overwritten. PtlNIFini must not wait for the rest, and the rest must not show in the memory, opened again or not.",
  suite = "receiving", chapter = "3.5",
  requirements = { "P30-089", "P30-087" },
  wire = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    local send_rest = put_half(t, rank, peer, stream)
    t:judging("P30-087")
    t:rc("P30-087", rank:PtlNIFini { deadline = 10000 }, "PTL_OK")
    rank:fill("half", "byte/90")
    t:judging("P30-089")
    send_rest()
    rank:ni_init { acl_size = 4, handle = "again" }
    rank:ac_entry { interface = "again", index = COOKIE, matchid = t.any_nid, portal = "any" }
    rank:eq_alloc { interface = "again", handle = "eq" }
    rank:me_attach { interface = "again", index = PORTAL, matchid = t.any_nid, ignorebits = -1 }
    rank:add_md { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    honest(t, rank, open_another(t, rank))
    t:octets("P30-089", "the memory that was given back", rank, "half", "byte/90")
  end,
}

case {
  id = "receive-truncated-reply",
  title = "A reply that is cut off gives no event",
  purpose = "A get is answered with half of its reply, then the end of the stream: no event, counted once, and the same get asked again is served.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-219", "P30-321" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:region("in", 100)
    rank:bind { region = "in", md = "in-md", eventq = "eq" }
    local function ask(through)
      rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
      local get = through:receive()
      t:sanity("the get arrives", get ~= nil and get.operation == "get")
      return get
    end
    local get = ask(stream)
    local before = rank:drop_count()
    local octets = t:encode { operation = "reply", initiator = peer.id, target = rank.id, portal = get.portal,
      md = get.md, data = t.mix(1, 100) }
    stream:send_raw(t:forged(octets:sub(1, 130), "P30-219", stream))
    stream:close()
    local dropped = rank:status(before + 1) - before
    t:equal("P30-219", "events", rank:PtlEQCount().count, 0)
    t:equal("P30-321", "dropped messages", dropped, 1)
    local second = t:connect(peer, rank)
    get = ask(second)
    second:answer(get, { data = t.mix(2, 100) })
    t:event("P30-219", rank, "eq", { type = "PTL_EVENT_REPLY", mlength = 100 })
    t:octets("P30-219", "the data of the second reply", rank, "in", "mix/2")
  end,
}

-- Opens a stream with these octets in the place of the HELLO, which must be invalid; the stream must be closed without
-- an answer.
local function refuses(t, req, rank, peer, what, octets)
  t:forged(octets, req, { peer = peer, target = rank.id })
  local opened = peer:connect(rank, { raw = octets })
  t:sanity("a connection is accepted", opened ~= nil)
  local message, reason = opened:receive()
  t:check(req, "a stream with " .. what .. " is closed without an answer", message == nil
    and (reason == "closed" or reason == "reset"), "closed", message and message.operation or reason)
end

case {
  id = "receive-bad-hello",
  title = "A stream that does not open with a right HELLO is refused, and counts nothing",
  purpose = "A wrong magic, other major versions, another target, and a put in its place: closed without an answer; a right HELLO afterwards is answered.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-328", "P30-322" },
  wire = true, negative = true,
  run = function(t)
    local rank = meet(t)
    local before, peer = rank:drop_count(), t:peer {}
    local good = t:encode(peer:hello(rank.id))
    local id = rank.id
    refuses(t, "P30-328", rank, peer, "a wrong magic", hex("50544c34") .. good:sub(5))
    refuses(t, "P30-328", rank, peer, "major version 2", good:sub(1, 4) .. hex("0002") .. good:sub(7))
    refuses(t, "P30-328", rank, peer, "major version 0", good:sub(1, 4) .. hex("0000") .. good:sub(7))
    refuses(t, "P30-328", rank, peer, "another process as target", t:encode(peer:hello({ nid = id.nid,
      pid = (id.pid % 60000) + 1, gid = id.gid, rid = id.rid })))
    local opened = peer:connect(rank, { raw = t:encode { operation = "put", initiator = peer.id, target = id,
      portal = PORTAL, cookie = COOKIE, data = "" } })
    t:sanity("a connection is accepted", opened ~= nil)
    local message, reason = opened:receive()
    t:check("P30-328", "a stream that begins with a put is closed", message == nil, "closed",
      message and message.operation or reason)
    t:equal("P30-322", "dropped messages", rank:drop_count() - before, 0)
    honest(t, rank, t:connect(peer, rank))
  end,
}

case {
  id = "receive-impossible-sender",
  title = "A HELLO whose sender cannot exist is refused",
  purpose = "Node 0, node of all ones, process 0, a process above 65535, a group that is not known, a rank as large as the group, a group of none: closed without an answer, nothing counted.",
  suite = "receiving", chapter = "2.3",
  requirements = { "P30-328", "P30-322" },
  wire = true, negative = true,
  run = function(t)
    local rank = meet(t)
    local before, peer = rank:drop_count(), t:peer {}
    local wrong = { { "nid", 0 }, { "nid", 0xffffffff }, { "pid", 0 }, { "pid", 65536 }, { "gid", 0xffffffff },
      { "rid", 1 }, { "rid", 0xffffffff } }
    for _, row in ipairs(wrong) do
      local sender = { nid = peer.id.nid, pid = peer.id.pid, gid = peer.id.gid, rid = peer.id.rid }
      sender[row[1]] = row[2]
      refuses(t, "P30-328", rank, peer, "a sender's " .. row[1] .. " of " .. row[2],
        t:encode(peer:hello(rank.id, { initiator = sender })))
    end
    refuses(t, "P30-328", rank, peer, "a group of no processes", t:encode(peer:hello(rank.id, { group_size = 0 })))
    t:equal("P30-322", "dropped messages", rank:drop_count() - before, 0)
    honest(t, rank, t:connect(peer, rank))
  end,
}

case {
  id = "receive-minor-version",
  title = "A HELLO of a later minor version is no reason to refuse",
  purpose = "The stream works as any other.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-003" },
  wire = true,
  run = function(t)
    local rank = meet(t)
    t:judging("P30-003")
    local stream = t:peer({}):connect(rank, { version_minor = 7 })
    t:sanity("a connection is accepted", stream ~= nil)
    local hello, reason = stream:receive_hello()
    t:check("P30-003", "the HELLO is answered", hello ~= nil, "hello", reason)
    stream.hello = hello
    stream:send { operation = "put", portal = PORTAL, cookie = COOKIE, md = 3, data = "later" }
    t:expect("P30-003", stream, "ack", { md = 3, mlength = 5 })
  end,
}

case {
  id = "receive-foreign-barrier",
  title = "A barrier message of a stranger opens no barrier",
  purpose = "The rank is alone in its group and its barrier returns; barrier messages of a foreign group, of sequence zero and of an absurd round are discarded and counted.",
  suite = "receiving", chapter = "3.5",
  requirements = { "P30-321", "P30-090" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    honest(t, rank, stream)
    discarded(t, "P30-321", rank, stream, { operation = "barrier", sequence = 1, round = 0 })
    discarded(t, "P30-321", rank, stream, { operation = "barrier", sequence = 0, round = 0 })
    discarded(t, "P30-321", rank, stream, { operation = "barrier", sequence = 1, round = 40 })
    t:rc("P30-090", rank:PtlNIBarrier { deadline = 10000 }, "PTL_OK")
  end,
}

case {
  id = "receive-not-initialised",
  title = "A message for an interface that is not initialised is discarded and counted",
  purpose = "The peer opens a stream to a process that has called PtlInit alone and puts; after PtlNIInit the register shows the drop, and the stream serves.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-306" },
  wire = true,
  run = function(t)
    t:init()
    local rank, peer = t.ranks[0], t:peer {}
    local stream = t:connect(peer, rank)
    t:judging("P30-306")
    stream:send { operation = "put", portal = PORTAL, cookie = COOKIE, md = 5, data = "early" }
    t:check("P30-306", "nothing is answered", stream:silence(100), "silence", "a message")
    rank:ni_init { acl_size = 4 }
    t:one_of("P30-306", "the drop count after PtlNIInit", rank:drop_count(), 1,
      { [0] = "what came earlier is not counted" })
    rank:ac_entry { index = COOKIE, matchid = t.any_nid, portal = "any" }
    rank:region("buf", 64)
    rank:eq("eq")
    rank:attach { index = PORTAL, matchid = t.any_nid, ignorebits = -1, eventq = "eq" }
    stream:send { operation = "put", portal = PORTAL, cookie = COOKIE, md = 6, match_bits = 6, data = "later" }
    t:expect("P30-306", stream, "ack", { md = 6, mlength = 5 })
    t:event("P30-306", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = 6 })
    t:equal("P30-306", "the memory", rank:read("buf", 0, 10), "later" .. string.rep("\0", 5))
  end,
}

case {
  id = "receive-queue-full-answers",
  title = "Answers whose event has no place are dropped and counted",
  purpose = "A queue of one, and whatever more it may hold, is full of sent events: the acknowledgement of a put and then the reply to a get cannot be logged.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-309", "P30-312" },
  wire = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:eq("tiny", 1)
    rank:region("in", 16)
    rank:bind { region = "in", md = "in-md", eventq = "tiny" }
    rank:put { mem_desc = "in-md", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id) }
    local put = stream:receive()
    rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
    local get = stream:receive()
    t:sanity("both requests arrive", put and get and put.operation == "put" and get.operation == "get")
    local plenty, lost = 1000, rank:drop_count()
    rank:bind { length = 0, desc = "void", md = "filler", eventq = "tiny" }
    rank:batch(plenty, { { "PtlPut", { mem_desc = "filler", ack_req = "PTL_NOACK_REQ", target = t.gid(rank.id),
      portal = 7, cookie = 0, match_bits = 0, offset = 0 } } })
    t:sanity("the puts that fill the queue were sent, and dropped", rank:status(lost + plenty) == lost + plenty)
    local before = lost + plenty
    local held = rank:PtlEQCount { eventq = "tiny" }.count
    t:judging("P30-309")
    stream:answer(put)
    local kept = t:reading("P30-309", "full_queue", "dropped messages after the acknowledgement",
      rank:status(before + 1, 2000) - before, { { "refuse", 1 }, { "overwrite", 0 } }) == "refuse"
    stream:answer(get, { data = t.mix(4, 16) })
    t:reading("P30-312", "full_queue", "dropped messages after the reply", rank:status(before + 2, 2000) - before,
      { { "refuse", 2 }, { "overwrite", 0 } })
    t:octets("P30-312", "the memory", rank, "in", "byte/0")
    for i = 1, kept and held or 0 do
      t:event("P30-309", rank, "tiny", { type = "PTL_EVENT_SENT" }, 0)
    end
    t:equal("P30-309", "events beyond those that the queue held", rank:PtlEQCount { eventq = "tiny" }.count, 0)
  end,
}

case {
  id = "receive-ack-not-asked-for",
  title = "An acknowledgement that nobody asked for does not pass as the answer of another put",
  purpose = "The peer acknowledges a put with the portal, bits and lengths of that put but the handle of a descriptor that is gone; the put's own acknowledgement comes later and is the only one logged.",
  suite = "receiving", chapter = "4.2",
  requirements = { "P30-308", "P30-222" },
  wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    local function ask(md)
      rank:bind { length = 0, md = md, eventq = "eq" }
      rank:put { mem_desc = md, ack_req = "PTL_ACK_REQ", target = t.nid(peer.id), match_bits = 0xabc }
      t:sanity("the sent event comes", rank:wait("eq").event.type == "PTL_EVENT_SENT")
      local put = stream:receive()
      t:sanity("the put arrives", put ~= nil and put.operation == "put")
      return put
    end
    local dead = ask("dead").md
    rank:md_unlink { mem_desc = "dead" }
    local put = ask("alive")
    local before = rank:drop_count()
    t:judging("P30-308")
    stream:answer(put, { md = dead })
    t:drops("P30-308", rank, before, 1)
    stream:answer(put)
    t:event("P30-222", rank, "eq", { type = "PTL_EVENT_ACK", match_bits = 0xabc })
    t:equal("P30-222", "further events", rank:PtlEQCount().count, 0)
  end,
}
