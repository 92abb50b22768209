-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The packet header: where its fields stand, and what the system under test writes into them (chapters 1.2, 3.3 to
-- 3.5).

defaults { role = "client", suite = "packets", chapter = "3.5" }

local ZEROS = string.rep("\0", 8)

-- How long nothing may stand behind a packet. What belongs to it is sent with it.
local SILENT_MS = 200

case {
  id = "header-octet-by-octet",
  title = "A message of five octets is a header of 128 octets and these five",
  purpose = "Every octet that the document fixes is compared with what is written here by hand: big-endian, in the order of the document, without padding.",
  requirements = { "IMPI-001", "IMPI-006", "IMPI-108", "IMPI-109" },
  run = function(t)
    local job, rank, own, other, channel = t:pair()
    local tag = job.tagub >= 0x01020304 and 0x01020304 or 0x0102
    job:needs("datalen", 64)
    rank:octets("hello", 5, "byte/90")
    t:judging("IMPI-108")
    t:rc("IMPI-108", rank:MPI_Send { buf = "hello", count = 5, dest = other.rank, tag = tag }, "MPI_SUCCESS")
    job:nudge() -- what MPI_Send has buffered may leave only while the system is called
    local octets, reason = channel:take(133)
    t:check("IMPI-108", "header and data", octets, "133 octets", reason)
    local function at(req, what, offset, expected)
      local found = octets:sub(offset + 1, offset + #expected)
      if expected ~= expected:reverse() and found == expected:reverse() then req = "IMPI-001" end -- the value is right
      t:equal(req, what .. ", octets " .. offset .. " to " .. offset + #expected - 1, found, expected)
    end
    at("IMPI-109", "pk_type", 0, "\0\0\0\0")
    at("IMPI-001", "pk_len", 4, "\0\0\0\5")
    at("IMPI-006", "pk_src: host", 8, own.id)
    at("IMPI-108", "pk_src: process", 24, string.pack(">i8", own.pid))
    at("IMPI-006", "pk_dest: host", 32, other.id)
    at("IMPI-108", "pk_dest: process", 48, string.pack(">i8", other.pid))
    at("IMPI-001", "pk_msglen", 72, Values.octets "00 00 00 00 00 00 00 05")
    at("IMPI-108", "pk_lsrank", 80, "\0\0\0\1")
    at("IMPI-001", "pk_tag", 84, Values.octets(tag == 0x0102 and "00 00 01 02" or "01 02 03 04"))
    at("IMPI-108", "pk_cid", 88, ZEROS)
    at("IMPI-108", "the data", 128, "ZZZZZ")
    t:channel_silent("IMPI-108", "nothing follows", channel)
  end,
}

case {
  id = "header-integers-of-an-answer",
  title = "Integers that the system under test gives back travel as they have come, the most significant octet first",
  purpose = "srqid and drqid have eight different octets. They are looked for in SYNCACK, CANCELNO and the later packets of a long message, and pk_cid of a new communicator beside them.",
  requirements = { "IMPI-001" },
  run = function(t)
    local job, rank, own, other, channel = t:pair { others = { { datalen = 64 } } }
    local number = 0x0102030405060708
    local order = string.pack(">i8", number)
    local function at(what, packet, offset)
      t:equal("IMPI-001", what, packet.octets:sub(offset + 1, offset + 8), order)
    end
    rank:post_receive(t, other, 8, { tag = 1 })
    other:send_short(own, 1, 1, 8, { type = "DATASYNC", srqid = number })
    at("pk_srqid of the SYNCACK", t:packet("IMPI-001", channel, "SYNCACK"), 56)
    other:send_packet(own, { type = "CANCEL", srqid = number })
    at("pk_srqid of the CANCELNO", t:packet("IMPI-001", channel, "CANCELNO"), 56)
    local cid = job:dup("copy")
    rank:start_send(t, "MPI_Isend", other, 100, 2, { tag = 2, comm = "copy" })
    local first = t:packet("IMPI-001", channel, "DATASYNC", { tag = 2 })
    t:equal("IMPI-001", "pk_cid", first.octets:sub(89, 96), string.pack(">i8", cid))
    t:equal("IMPI-001", "pk_msglen", first.octets:sub(73, 80), string.pack(">i8", 100))
    other:answer("SYNCACK", first, { drqid = number })
    at("pk_drqid of a later packet", t:packet("IMPI-001", channel, "DATA", { tag = 2 }), 64)
  end,
}

case {
  id = "header-octet-by-octet-of-an-answer",
  title = "The fields of a SYNCACK and of the rest of a long message stand where the document has them",
  purpose = "srqid and drqid have eight different octets. What is given back is compared at its place. Where it stands at another place, or what stood beside it has come back, the order of fields is wrong; else the answer is.",
  requirements = { "IMPI-108", "IMPI-146", "IMPI-151" },
  run = function(t)
    local job, rank, own, other, channel = t:pair { others = { { datalen = 64 } } }
    job:needs("datalen", 8)
    local name, answer = Values.octets "01 02 03 04 05 06 07 08", Values.octets "11 12 13 14 15 16 17 18"
    local beside = Values.octets "21 22 23 24 25 26 27 28"
    local function at(what, packet, offset, expected)
      local last = offset + #expected
      t:equal("IMPI-108", string.format("%s, octets %d to %d", what, offset, last - 1),
        packet.octets:sub(offset + 1, last), expected)
    end
    local function given_back(req, what, packet, offset, expected)
      local misplaced = packet.octets:find(expected, 1, true) or packet.octets:find(beside, 1, true)
      t:check(req, what, misplaced, "what the other side has given", "something else")
      at(what, packet, offset, expected)
    end
    rank:post_receive(t, other, 8, { tag = 1 })
    other:send_short(own, 1, 1, 8, { type = "DATASYNC", srqid = string.unpack(">i8", name),
      drqid = string.unpack(">i8", beside) })
    local ack = t:packet("IMPI-146", channel, "SYNCACK")
    given_back("IMPI-146", "pk_srqid of the SYNCACK", ack, 56, name)
    rank:start_send(t, "MPI_Isend", other, 100, 2, { tag = 2 })
    local first = t:packet("IMPI-151", channel, "DATASYNC", { tag = 2 })
    other:answer("SYNCACK", first, { drqid = string.unpack(">i8", answer) })
    local rest = t:packet("IMPI-151", channel, "DATA", { tag = 2 })
    given_back("IMPI-151", "pk_drqid of the rest", rest, 64, answer)
    for _, packet in ipairs { ack, rest } do
      at("pk_src: process", packet, 24, string.pack(">i8", own.pid))
      at("pk_dest: process", packet, 48, string.pack(">i8", other.pid))
    end
    at("pk_msglen of the rest", rest, 72, string.pack(">i8", 100))
    at("pk_tag of the rest", rest, 84, string.pack(">i4", 2))
  end,
}

case {
  id = "header-of-an-answer-alone",
  title = "Behind the 128 octets of an answer nothing comes",
  purpose = "PROTOACK, SYNCACK, CANCELNO, CANCELYES and CANCEL are provoked one after the other. Behind each the channel is silent until the next one is.",
  requirements = { "IMPI-119" },
  run = function(t)
    local job, rank, own, other, channel = t:pair_with_marks(2, nil, { room = 8 })
    job:acknowledge_by_hand()
    job:needs("datalen", 4)
    local function alone(...)
      local found = {}
      for i = 1, select("#", ...) do
        local packet, reason = channel:receive()
        if not packet then job:failed(table.concat({ ... }, " and "), reason) end
        found[i] = packet.type
      end
      table.sort(found)
      local what = table.concat(found, " and ")
      local more, why = channel:take(1, SILENT_MS)
      t:check("IMPI-119", "behind " .. what, not more and why == "timeout", "nothing",
        more and Values.digits(more) or why)
      if what ~= table.concat({ ... }, " and ") then job:failed(table.concat({ ... }, " and "), what) end
    end
    for i = 1, 2 do other:send_short(own, i, i, 4) end
    alone("PROTOACK")
    rank:post_receive(t, other, 4, { tag = 3 })
    local synchronous = other:send_short(own, 3, 3, 4, { type = "DATASYNC" })
    alone("SYNCACK")
    other:send_packet(own, { type = "CANCEL", srqid = synchronous.srqid })
    alone("CANCELNO", "PROTOACK")
    local kept = other:send_short(own, 4, 4, 4)
    t:probed("IMPI-119", "a message", rank, other, 4, 4)
    other:send_packet(own, { type = "CANCEL", srqid = kept.srqid })
    alone("CANCELYES", "PROTOACK")
    local begun = rank:start_send(t, "MPI_Issend", other, 4, 1, { tag = 1 })
    local message = t:packet("IMPI-119", channel, "DATASYNC")
    t:start_cancel(nil, begun)
    alone("CANCEL")
    other:answer("CANCELYES", message)
    t:cancel_answered("IMPI-119", "the send", begun, true)
  end,
}

case {
  id = "header-types",
  title = "pk_type is 0 to 7 for the eight kinds of packets",
  purpose = "Each kind is provoked from the system under test; its first four octets are compared.",
  requirements = { "IMPI-109", "IMPI-119", "IMPI-125" },
  run = function(t)
    local job, rank, own, other, channel = t:pair_with_marks(2, nil, { room = 8 })
    job:acknowledge_by_hand()
    job:needs("datalen", 4)
    local function kind(number, what)
      local packet, reason = channel:receive()
      t:check("IMPI-109", what, packet, "comes", reason)
      t:equal("IMPI-109", "pk_type of " .. what, packet.octets:sub(1, 4), string.char(0, 0, 0, number))
      if number ~= 7 then
        t:equal("IMPI-125", "pk_src of " .. what, packet.src.label, own.label)
        t:equal("IMPI-125", "pk_dest of " .. what, packet.dest.label, other.label)
      end
      return packet
    end
    rank:start_send(t, "MPI_Isend", other, 4, 1, { tag = 1 })
    kind(0, "a message")
    local begun = rank:start_send(t, "MPI_Issend", other, 4, 1, { tag = 1 })
    local message = kind(1, "a synchronous message")
    t:start_cancel(nil, begun)
    kind(4, "a cancel request")
    other:answer("CANCELYES", message)
    t:cancel_answered("IMPI-109", "the send", begun, true)
    other:send_short(own, 1, 1, 4)
    kind(2, "a protocol acknowledgement")
    local packet = other:send_short(own, 2, 2, 4, { type = "DATASYNC" })
    rank:post_receive(t, other, 4, { tag = 2 })
    kind(3, "a synchronization acknowledgement")
    other:send_packet(own, { type = "CANCEL", srqid = packet.srqid })
    local replies = { channel:receive(), channel:receive() }
    local no = replies[1] and replies[1].type == "PROTOACK" and replies[2] or replies[1]
    t:equal("IMPI-109", "pk_type of the reply for what has matched", no and no.octets:sub(1, 4), "\0\0\0\6")
    packet = other:send_short(own, 3, 3, 4)
    t:probed("IMPI-109", "a message", rank, other, 3, 4)
    other:send_packet(own, { type = "CANCEL", srqid = packet.srqid })
    replies = { channel:receive(), channel:receive() }
    local yes = replies[1] and replies[1].type == "PROTOACK" and replies[2] or replies[1]
    t:equal("IMPI-109", "pk_type of the reply for what is buffered", yes and yes.octets:sub(1, 4), "\0\0\0\5")
    -- all those were found where the one before ended: without data
    channel.by_hand = false
    job:start_finalize():barrier()
    kind(7, "the end")
    job:send_fini()
    t:disconnects("IMPI-119", "behind the 128 octets of FINI", channel)
  end,
}

case {
  id = "header-answers-name-who-answers",
  title = "In acknowledgements and cancel replies pk_src is the process that answers, pk_dest the one that asked",
  purpose = "Two ranks and two scripted processes: each pair's SYNCACK, PROTOACK, CANCELNO and CANCELYES are provoked, and the 48 octets compared.",
  requirements = { "IMPI-125" }, ranks = 2,
  run = function(t)
    local job, _, _, _, channel = t:pair_with_marks(2, nil, { room = 6, np = 2, others = { { hosts = { 2 } } } })
    job:acknowledge_by_hand()
    for i = 0, 3 do
      local rank, other = job.ranks[i // 2], job.processes[i % 2]
      local own = job.processes[rank.world]
      local wanted = { SYNCACK = 1, PROTOACK = 2, CANCELNO = 1, CANCELYES = 1 }
      rank:post_receive(t, other, 4, { tag = 1 })
      local first = other:send_short(own, 1, 1, 4, { type = "DATASYNC" })
      other:send_packet(own, { type = "CANCEL", srqid = first.srqid })
      local second = other:send_short(own, 2, 2, 4)
      other:send_packet(own, { type = "CANCEL", srqid = second.srqid })
      for _ = 1, 5 do
        local packet, reason = channel:receive()
        t:check("IMPI-125", "an answer", packet and (wanted[packet.type] or 0) > 0, "one of those that are due",
          packet and IMPI.show_packet(packet) or reason)
        wanted[packet.type] = wanted[packet.type] - 1
        t:equal("IMPI-125", "octets of pk_src and pk_dest of a " .. packet.type, packet.octets:sub(9, 56),
          own.id .. string.pack(">i8", own.pid) .. other.id .. string.pack(">i8", other.pid))
      end
    end
  end,
}

case {
  id = "header-lengths",
  title = "pk_len is what follows, pk_msglen the whole message, in every packet of it",
  purpose = "datalen 50: messages of 0, 7, 50 and 120 octets.",
  requirements = { "IMPI-110", "IMPI-111", "IMPI-115" },
  run = function(t)
    local _, rank, own, other, channel = t:pair { others = { { datalen = 50 } } }
    for i, octets in ipairs { 0, 7, 50, 120 } do
      rank:start_send(t, "MPI_Isend", other, octets, i, { tag = i })
      local packet = t:packet("IMPI-110", channel, octets > 50 and "DATASYNC" or "DATA", { src = own, tag = i })
      local whole = packet.data
      t:equal("IMPI-115", "pk_msglen", packet.msglen, octets)
      if octets > 50 then other:answer("SYNCACK", packet, { drqid = 1 }) end
      while #whole < octets do
        packet = t:packet("IMPI-110", channel, "DATA", { src = own, tag = i })
        t:equal("IMPI-115", "pk_msglen of a later packet", packet.msglen, octets)
        t:check("IMPI-111", "pk_len", packet.len <= 50, "at most 50", packet.len)
        whole = whole .. packet.data
      end
      t:same_octets("IMPI-110", "the data behind the headers", whole, t.mix(i, octets))
    end
  end,
}

case {
  id = "header-msglen-is-in-octets",
  title = "pk_msglen counts octets, whatever the elements of a message are",
  purpose = "datalen 50: 3 and 30 MPI_INT, 2 and 20 MPI_DOUBLE. Every packet of them says 12, 120, 16 and 160.",
  requirements = { "IMPI-115" },
  run = function(t)
    local _, rank, own, other, channel = t:pair { others = { { datalen = 50 } } }
    for tag, row in ipairs { { "MPI_INT", 3, 12 }, { "MPI_INT", 30, 120 }, { "MPI_DOUBLE", 2, 16 },
        { "MPI_DOUBLE", 20, 160 } } do
      local datatype, count, octets = row[1], row[2], row[3]
      rank:start_send(t, "MPI_Isend", other, octets, tag, { tag = tag, count = count, datatype = datatype })
      local packet = t:packet("IMPI-115", channel, octets > 50 and "DATASYNC" or "DATA", { src = own, tag = tag })
      local got = #packet.data
      t:equal("IMPI-115", "pk_msglen of " .. count .. " " .. datatype, packet.msglen, octets)
      if octets > 50 then other:answer("SYNCACK", packet, { drqid = tag }) end
      while got < octets do
        packet = t:packet("IMPI-115", channel, "DATA", { src = own, tag = tag })
        t:equal("IMPI-115", "pk_msglen of a later packet of " .. count .. " " .. datatype, packet.msglen, octets)
        got = got + #packet.data
      end
    end
  end,
}

case {
  id = "header-largest-packet-is-negotiated",
  title = "No packet is longer than the smallest data length that any client offered",
  purpose = "The others offer 1000 and 7, the system under test its own: packets have at most 7 octets, towards both.",
  requirements = { "IMPI-111" },
  run = function(t)
    local job, rank, own = t:pair { others = { { datalen = 1000 }, { datalen = 7 } } }
    for i = 0, 1 do
      local process = job.processes[i]
      rank:start_send(t, "MPI_Isend", process, 20, 1, { tag = 1 })
      local packet = t:packet("IMPI-111", process:channel_to(own), "DATASYNC", { msglen = 20 })
      t:check("IMPI-111", "pk_len", packet.len <= 7, "at most 7", packet.len)
      process:answer("SYNCACK", packet, { drqid = 1 })
      packet = t:packet("IMPI-111", process:channel_to(own), "DATA")
      t:check("IMPI-111", "pk_len", packet.len <= 7, "at most 7", packet.len)
    end
  end,
}

case {
  id = "header-own-data-length",
  title = "The data length that the system under test offered itself holds as well",
  purpose = "The others offer four times as much. A message of exactly the limit is one packet; with one octet more the first packet has at most the limit.",
  requirements = { "IMPI-111" },
  run = function(t)
    local job, rank, _, other, channel = t:pair { others = { { datalen = 1 << 20 } } }
    local limit = job.datalen
    t:skip_if(limit >= 1 << 20, "the system under test offers a data length of 1 MiB or more")
    rank:start_send(t, "MPI_Isend", other, limit, 1, { tag = 1 })
    t:packet("IMPI-111", channel, "DATA", { len = limit })
    rank:start_send(t, "MPI_Isend", other, limit + 1, 1, { tag = 2 })
    local packet = t:packet("IMPI-111", channel, "DATASYNC", { msglen = limit + 1 })
    t:check("IMPI-111", "pk_len", packet.len <= limit, "at most " .. limit, packet.len)
  end,
}

case {
  id = "header-processes-of-all-pairs",
  title = "pk_src and pk_dest are the processes as start-up named them, for every pair",
  purpose = "Two ranks, three scripted processes on two hosts: each pair exchanges a message, on the channel of its hosts.",
  requirements = { "IMPI-112", "IMPI-099" }, ranks = 2,
  run = function(t)
    local job = t:pair { np = 2, others = { { hosts = { 2, 1 } } } }
    for i = 0, 1 do
      local rank, own = job.ranks[i], job.processes[job.ranks[i].world]
      for world = 0, 2 do
        local process = job.processes[world]
        rank:start_send(t, "MPI_Isend", process, 8, 10 * i + world, { tag = 1 })
        local packet = t:packet("IMPI-112", process:channel_to(own), "DATA", { src = own, dest = process, tag = 1 })
        t:equal("IMPI-112", "octets of pk_src and pk_dest", packet.octets:sub(9, 56),
          own.id .. string.pack(">i8", own.pid) .. process.id .. string.pack(">i8", process.pid))
        process:send_short(own, 2, 50 + world, 8)
        t:receives("IMPI-112", "the answer", rank, process, 50 + world, 8, { tag = 2 })
      end
    end
    for host = 0, 1 do
      t:check("IMPI-099", "a second connection to host " .. host, not core.port_accept(job.hosts[host].port, 0),
        "is not made", "is made")
    end
  end,
}

for name, call, octets in each { { "synchronous", "MPI_Issend", 8 }, { "long", "MPI_Isend", 160 } } do
  case {
    id = "header-processes-of-a-" .. name .. "-send",
    title = "pk_src and pk_dest are those of the pair in every packet of a " .. name .. " send, and in its CANCEL",
    purpose = "Two ranks, three scripted processes on two hosts. For each pair one send goes to its end, and another one is cancelled before it is answered.",
    requirements = { "IMPI-112" }, ranks = 2,
    run = function(t)
      local job = t:pair { np = 2, others = { { hosts = { 2, 1 }, datalen = 64 } } }
      for i = 0, 5 do
        local rank, process = job.ranks[i // 3], job.processes[i % 3]
        local own = job.processes[rank.world]
        local channel, pair = process:channel_to(own), own.id .. string.pack(">i8", own.pid) .. process.id
          .. string.pack(">i8", process.pid)
        local function comes(kind, tag)
          local packet, reason = channel:receive()
          t:check("IMPI-112", "a " .. kind, packet and packet.type == kind, "comes", packet and packet.type or reason)
          t:equal("IMPI-112", "octets of pk_src and pk_dest of a " .. kind, packet.octets:sub(9, 56), pair)
          return packet
        end
        local begun = rank:start_send(t, call, process, octets, i, { tag = 1 })
        local first = comes("DATASYNC")
        process:answer("SYNCACK", first, { drqid = 5 })
        local left = octets - #first.data
        while left > 0 do left = left - #comes("DATA").data end
        t:completes("IMPI-112", "the send", begun)
        local cancelled = rank:start_send(t, call, process, octets, i, { tag = 2 })
        local second = comes("DATASYNC")
        t:start_cancel("IMPI-112", cancelled)
        comes("CANCEL")
        process:answer("CANCELYES", second)
        t:cancel_answered("IMPI-112", "the second send", cancelled, true)
      end
    end,
  }
end

case {
  id = "channel-carries-all-pairs",
  title = "One channel carries all pairs of its hosts, each message in order",
  purpose = "Two ranks and two processes of one host send each other long patterned messages at the same time.",
  requirements = { "IMPI-099" }, chapter = "3.1", ranks = 2,
  run = function(t)
    local job = t:pair { np = 2, others = { { hosts = { 2 }, datalen = 500 } } }
    local begun, posts, firsts = {}, {}, {}
    for i = 0, 1 do
      for world = 0, 1 do
        local rank, process = job.ranks[i], job.processes[world]
        local own = job.processes[rank.world]
        begun[#begun + 1] = rank:start_send(t, "MPI_Isend", process, 3000, 10 + 2 * i + world, { tag = 5 })
        posts[#posts + 1] = rank:post_receive(t, process, 2000, { tag = 6 })
        firsts[#firsts + 1] = process:send_long(own, 6, 20 + 2 * i + world, 2000)
      end
    end
    local acks = {}
    for i, first in ipairs(firsts) do acks[i] = t:syncack("IMPI-099", first.src, first) end
    for i, first in ipairs(firsts) do first.src:send_rest(first, acks[i], 500, 2) end
    for i = 0, 3 do
      local own, process = job.processes[job.ranks[i // 2].world], job.processes[i % 2]
      local message, reason = process:receive { src = own, tag = 5 }
      t:check("IMPI-099", "a message of 3000 octets", message, "comes", reason)
      t:same_octets("IMPI-099", "its octets", message.data, t.mix(10 + i, 3000))
      t:completes("IMPI-099", "the send", begun[i + 1])
    end
    for i, first in ipairs(firsts) do
      first.src:send_rest(first, acks[i])
      t:receive_completes("IMPI-099", "the receive", posts[i], 19 + i)
    end
  end,
}

case {
  id = "header-srqids-of-synchronous-sends",
  title = "pk_srqid differs between all sends that are active at one process",
  purpose = "Ten sends are open, to two processes: synchronous ones, and every third a standard one of a long message.",
  requirements = { "IMPI-113" },
  run = function(t)
    local job, rank, own, _, channel = t:pair { others = { { hosts = { 2 }, datalen = 64 } } }
    local seen = {}
    for i = 1, 10 do
      local long = i % 3 == 0
      rank:start_send(t, long and "MPI_Isend" or "MPI_Issend", job.processes[i % 2], long and 100 or 4, i, { tag = i })
      local packet = t:packet("IMPI-113", channel, "DATASYNC", { src = own, tag = i })
      t:check("IMPI-113", "its srqid", not seen[packet.srqid], "one that no other has", packet.srqid)
      seen[packet.srqid] = true
    end
  end,
}

case {
  id = "header-srqids-of-many-sends",
  title = "pk_srqid tells 280 sends apart that are active at once",
  purpose = "So many MPI_Issend are open. All but the first are acknowledged, the last one first: they are complete, and the first is not before its own SYNCACK.",
  requirements = { "IMPI-113" }, deadline = 60,
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local count, packets, seen, buf = 280, {}, {}, rank:new_region(4)
    for i = 1, count do
      t:mpi(rank:MPI_Issend { buf = buf, count = 0, dest = other.rank, tag = i, request = "q" .. i })
      packets[i] = t:packet("IMPI-113", channel, "DATASYNC", { src = own, tag = i })
      local before = seen[packets[i].srqid]
      t:check("IMPI-113", "srqid of send " .. i, not before, "one that no other has",
        "that of send " .. tostring(before))
      seen[packets[i].srqid] = i
    end
    for i = count, 2, -1 do other:answer("SYNCACK", packets[i]) end
    for _, i in ipairs { 2, 257, count } do
      t:completes("IMPI-113", "send " .. i, { rank = rank, request = "q" .. i })
    end
    t:stays_pending("IMPI-113", "the first send", { rank = rank, request = "q1" })
    other:answer("SYNCACK", packets[1])
    t:completes("IMPI-113", "the first send", { rank = rank, request = "q1" })
  end,
}

case {
  id = "header-srqids-of-sends-that-wait",
  title = "pk_srqid differs between sends that have waited together until they could leave",
  purpose = "ackmark 1, hiwater 2. Eight MPI_Issend are begun before the first is acknowledged; each PROTOACK brings another one. The last is answered by SYNCACK: it is complete, and the one before it is not.",
  requirements = { "IMPI-113" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(1, 2)
    local begun, seen, packet = {}, {}, nil
    for i = 1, 8 do begun[i] = rank:start_send(t, "MPI_Issend", other, 4, i, { tag = i }) end
    for i = 1, 8 do
      packet = t:packet("IMPI-113", channel, "DATASYNC", { src = own, tag = i })
      local before = seen[packet.srqid]
      t:check("IMPI-113", "srqid of send " .. i, not before, "one that no other has",
        "that of send " .. tostring(before))
      seen[packet.srqid] = i
      channel:protoack(other, own)
    end
    other:answer("SYNCACK", packet)
    t:completes("IMPI-113", "send 8", begun[8])
    t:stays_pending("IMPI-113", "send 7", begun[7])
  end,
}

for suffix, count in each { { "", 5 }, { "-many", 40 } } do
  case {
    id = "header-srqids-of-standard-sends" .. suffix,
    title = "pk_srqid of " .. count .. " short standard sends tells active requests apart as well",
    purpose = "The MPI_Isend are not waited for. Zero in all of them is a known reading: such messages cannot be cancelled.",
    requirements = { "IMPI-114" },
    run = function(t)
      local _, rank, own, other, channel = t:pair()
      local seen, kinds, zero = {}, 0, true
      for i = 1, count do
        rank:start_send(t, "MPI_Isend", other, 4, i, { tag = i })
        local packet = t:packet("IMPI-114", channel, "DATA", { src = own, tag = i })
        zero, kinds = zero and packet.srqid == 0, kinds + (seen[packet.srqid] and 0 or 1)
        seen[packet.srqid] = true
      end
      t:reading("IMPI-114", "eager_request_identifier", "srqid of " .. count .. " messages",
        zero and "zero" or kinds == count and "different" or "repeated",
        { { "unique", "different" }, { "zero", "zero" } })
    end,
  }
end

case {
  id = "header-reserved-field",
  title = "pk_reserved is written as zero",
  purpose = "No value is prescribed; another one is told.",
  requirements = { "IMPI-118" },
  run = function(t)
    local _, rank, _, other, channel = t:pair()
    rank:start_send(t, "MPI_Isend", other, 4, 1, { tag = 1 })
    local packet = t:packet("IMPI-118", channel, "DATA", { tag = 1 })
    t:reading("IMPI-118", "reserved_field", "pk_reserved is zero", packet.reserved == 0,
      { { "zero", true }, { "anything", false } })
  end,
}

case {
  id = "header-count",
  title = "pk_count is 0 or the count of the send call",
  purpose = "Four MPI_INT are sent: pk_count is 0, or 4; nothing may rely on it.",
  requirements = { "IMPI-117" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    rank:start_send(t, "MPI_Isend", other, 16, 1, { tag = 1, count = 4, datatype = "MPI_INT" })
    local packet = t:packet("IMPI-117", channel, "DATA", { src = own, tag = 1, msglen = 16 })
    t:check("IMPI-117", "pk_count", packet.count == 0 or packet.count == 4 or packet.count == -1,
      "unused (0 or -1), or 4", packet.count)
  end,
}
