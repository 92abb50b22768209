-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Short messages: one packet, sent at once; synchronous ones are acknowledged when they have matched (chapter 3.7.1).

defaults { role = "client", suite = "p2p", chapter = "3.7.1" }

local LIMIT = 100

local SMALL = { others = { { datalen = LIMIT } } }

case {
  id = "short-is-one-packet",
  title = "A message no longer than the negotiated data length is one packet",
  purpose = "Lengths 0, 1, limit less 1, limit, from MPI_Send and MPI_Ssend: pk_len equals pk_msglen, and the octets are all there.",
  requirements = { "IMPI-140" },
  run = function(t)
    local _, rank, own, other, channel = t:pair(SMALL)
    for i, octets in ipairs { 0, 1, LIMIT - 1, LIMIT } do
      local begun = rank:start_send(t, "MPI_Isend", other, octets, i, { tag = i })
      local packet = t:packet("IMPI-140", channel, "DATA", { src = own, tag = i, len = octets, msglen = octets })
      t:same_octets("IMPI-140", "its octets", packet.data, t.mix(i, octets))
      t:completes("IMPI-140", "the send of " .. octets .. " octets", begun)
      begun = rank:start_send(t, "MPI_Issend", other, octets, i, { tag = 10 + i })
      packet = t:packet("IMPI-140", channel, "DATASYNC", { src = own, tag = 10 + i, len = octets, msglen = octets })
      other:answer("SYNCACK", packet)
      t:completes("IMPI-140", "the synchronous send of " .. octets .. " octets", begun)
    end
    t:channel_silent("IMPI-140", "nothing follows", channel)
  end,
}

case {
  id = "short-is-received",
  title = "Short messages of all lengths are received",
  purpose = "Lengths 0, 1, limit less 1, limit, as DATA and as DATASYNC, before and behind the receive.",
  requirements = { "IMPI-140" },
  run = function(t)
    local _, rank, own, other = t:pair(SMALL)
    for i, octets in ipairs { 0, 1, LIMIT - 1, LIMIT } do
      for j, kind in ipairs { "DATA", "DATASYNC" } do
        local tag = 10 * i + j
        other:send_short(own, tag, tag, octets, { type = kind })
        t:receives("IMPI-140", kind .. " of " .. octets .. " octets", rank, other, tag, octets, { tag = tag })
        local post = rank:post_receive(t, other, octets, { tag = tag })
        other:send_short(own, tag, tag + 1, octets, { type = kind })
        t:receive_completes("IMPI-140", kind .. " of " .. octets .. " octets behind its receive", post, tag + 1)
      end
    end
  end,
}

case {
  id = "short-waits-for-nobody",
  title = "A short message is sent without waiting, and MPI_Send returns",
  purpose = "The scripted process receives nothing and answers nothing. Ten blocking sends return, or half of hiwater where that is fewer, and the packets come.",
  requirements = { "IMPI-141" },
  run = function(t)
    local job, rank, own, other, channel = t:pair()
    job:needs("datalen", 64)
    local buf, many = rank:new_region(50, 5), math.min(10, (job.hiwater + 1) // 2)
    for i = 1, many do
      t:rc("IMPI-141", rank:MPI_Send { buf = buf, count = 50, dest = other.rank, tag = i }, "MPI_SUCCESS")
    end
    for i = 1, many do t:packet("IMPI-141", channel, "DATA", { src = own, tag = i, len = 50 }) end
  end,
}

case {
  id = "short-of-every-length-waits-for-nobody",
  title = "Nor does any other message that one packet holds",
  purpose = "Doubled lengths up to the data length agreed, and that: each MPI_Send returns although nothing is received, and its packet is a DATA.",
  requirements = { "IMPI-141" },
  run = function(t)
    local job, rank, own, other, channel = t:pair { others = { { datalen = 1 << 16 } } }
    local lengths = {}
    for i = 0, 16 do
      if 1 << i < job.datalen then lengths[#lengths + 1] = 1 << i end
    end
    lengths[#lengths + 1] = job.datalen
    local buf = rank:new_region(job.datalen, 5)
    for i, octets in ipairs(lengths) do
      t:rc("IMPI-141", rank:MPI_Send { buf = buf, count = octets, dest = other.rank, tag = i }, "MPI_SUCCESS")
      t:packet("IMPI-141", channel, "DATA", { src = own, tag = i, len = octets })
    end
  end,
}

case {
  id = "short-of-every-length-is-one-packet",
  title = "A message of any length up to the negotiated one is one packet",
  purpose = "Doubled lengths up to the data length agreed, and that, from MPI_Isend and MPI_Issend: pk_len equals pk_msglen. Messages of these lengths are received, too.",
  requirements = { "IMPI-140" },
  run = function(t)
    local job, rank, own, other, channel = t:pair { others = { { datalen = 1 << 14 } } }
    local buf, lengths = rank:new_region(job.datalen, 5), { job.datalen }
    for i = 0, 14 do
      if 1 << i < job.datalen then lengths[#lengths + 1] = 1 << i end
    end
    for i, octets in ipairs(lengths) do
      for call, kind in each { { "MPI_Isend", "DATA" }, { "MPI_Issend", "DATASYNC" } } do
        local request = kind:lower() .. i
        t:rc("IMPI-140", rank[call](rank, { buf = buf, count = octets, dest = other.rank, tag = i,
          request = request }), "MPI_SUCCESS")
        local packet = t:packet("IMPI-140", channel, kind, { src = own, tag = i, len = octets, msglen = octets })
        if kind == "DATASYNC" then other:answer("SYNCACK", packet) end
        t:completes("IMPI-140", call .. " of " .. octets .. " octets", { rank = rank, request = request })
      end
    end
    t:channel_silent("IMPI-140", "nothing follows", channel)
  end,
}

case {
  id = "short-synchronous-is-datasync",
  title = "Short synchronous sends use DATASYNC",
  purpose = "MPI_Ssend, MPI_Issend and MPI_Ssend_init, twice started; a message of no octets waits for its SYNCACK like others.",
  requirements = { "IMPI-142" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local buf = rank:new_region(8, 1)
    local function leaves(call)
      local packet = t:packet("IMPI-142", channel, "DATASYNC", { src = own, len = 8 })
      other:answer("SYNCACK", packet)
      t:record(call, "DATASYNC")
    end
    local sending = rank:start_MPI_Ssend { buf = buf, count = 8, dest = other.rank }
    leaves("MPI_Ssend")
    t:rc("IMPI-142", sending:finish(), "MPI_SUCCESS")
    local begun = rank:start_send(t, "MPI_Issend", other, 8, 1)
    leaves("MPI_Issend")
    t:completes("IMPI-142", "MPI_Issend", begun)
    begun = rank:start_send(t, "MPI_Issend", other, 0, 0)
    local empty = t:packet("IMPI-142", channel, "DATASYNC", { src = own, len = 0, msglen = 0 })
    t:stays_pending("IMPI-142", "a synchronous send of no octets", begun)
    other:answer("SYNCACK", empty)
    t:completes("IMPI-142", "a synchronous send of no octets", begun)
    t:mpi(rank:MPI_Ssend_init { buf = buf, count = 8, dest = other.rank, request = "persistent" })
    for _ = 1, 2 do
      t:rc("IMPI-142", rank:MPI_Start { request = "persistent" }, "MPI_SUCCESS")
      leaves("MPI_Ssend_init")
      t:completes("IMPI-142", "MPI_Start", { rank = rank, request = "persistent" })
    end
    t:mpi(rank:MPI_Ssend_init { buf = buf, count = 0, dest = other.rank, request = "nothing" })
    for _ = 1, 2 do
      t:rc("IMPI-142", rank:MPI_Start { request = "nothing" }, "MPI_SUCCESS")
      empty = t:packet("IMPI-142", channel, "DATASYNC", { src = own, len = 0, msglen = 0 })
      other:answer("SYNCACK", empty)
      t:completes("IMPI-142", "MPI_Start of no octets", { rank = rank, request = "nothing" })
    end
  end,
}

case {
  id = "short-others-are-data",
  title = "All other short sends use DATA",
  purpose = "MPI_Send, MPI_Bsend, MPI_Rsend, their forms that return at once, the persistent ones, MPI_Sendrecv and MPI_Sendrecv_replace.",
  requirements = { "IMPI-143" },
  run = function(t)
    local job, rank, own, other, channel = t:pair()
    job:needs("datalen", 64)
    local buf = rank:new_region(8, 1)
    rank:octets("attached", 4096)
    t:mpi(rank:MPI_Buffer_attach { buffer = "attached", size = 4096 })
    for i, call in ipairs { "MPI_Send", "MPI_Bsend", "MPI_Rsend" } do
      t:rc("IMPI-143", rank[call](rank, { buf = buf, count = 8, dest = other.rank, tag = i }), "MPI_SUCCESS")
      t:packet("IMPI-143", channel, "DATA", { src = own, tag = i, len = 8 })
    end
    for i, call in ipairs { "MPI_Isend", "MPI_Ibsend", "MPI_Irsend" } do
      local begun = rank:start_send(t, call, other, 8, 1, { tag = i })
      t:packet("IMPI-143", channel, "DATA", { src = own, tag = i, len = 8 })
      t:completes("IMPI-143", call, begun)
    end
    for i, call in ipairs { "MPI_Send_init", "MPI_Bsend_init", "MPI_Rsend_init" } do
      t:mpi(rank[call](rank, { buf = buf, count = 8, dest = other.rank, tag = i, request = "p" .. i }))
      t:rc("IMPI-143", rank:MPI_Start { request = "p" .. i }, "MPI_SUCCESS")
      t:packet("IMPI-143", channel, "DATA", { src = own, tag = i, len = 8 })
      t:completes("IMPI-143", call, { rank = rank, request = "p" .. i })
    end
    other:send_short(own, 9, 9, 8)
    t:rc("IMPI-143", rank:MPI_Sendrecv { sendbuf = buf, sendcount = 8, sendtype = "MPI_BYTE", dest = other.rank,
      sendtag = 9, recvbuf = rank:new_region(8), recvcount = 8, recvtype = "MPI_BYTE", source = other.rank, recvtag = 9,
      comm = "MPI_COMM_WORLD" }, "MPI_SUCCESS")
    t:packet("IMPI-143", channel, "DATA", { src = own, tag = 9, len = 8 })
    local replacing = rank:start_MPI_Sendrecv_replace { buf = buf, count = 8, datatype = "MPI_BYTE", dest = other.rank,
      sendtag = 10, source = other.rank, recvtag = 10, comm = "MPI_COMM_WORLD" }
    t:packet("IMPI-143", channel, "DATA", { src = own, tag = 10, len = 8 })
    other:send_short(own, 10, 10, 8)
    t:rc("IMPI-143", replacing:finish(), "MPI_SUCCESS")
  end,
}

case {
  id = "short-collective-messages-are-data",
  title = "A short message of a collective operation uses DATA",
  purpose = "The process under test is the root of MPI_Bcast of 300 octets. Which sends it consists of is known from other sources only.",
  requirements = { "IMPI-143" },
  run = function(t)
    local job, rank, own = t:pair()
    job:needs("datalen", 300)
    local call = rank:start_MPI_Bcast { buffer = rank:new_region(300, 1), count = 300, datatype = "MPI_BYTE",
      root = own.rank, comm = "MPI_COMM_WORLD" }
    for _, packet in ipairs(job:receive_packets(1, 3000)) do
      t:reconstructed("IMPI-143", "a message of MPI_Bcast", packet.type, "DATA")
    end
    t:mpi(call:finish())
  end,
}

-- { call, its tag, what remote processes above rank 0 offer, what the remote rank 0 says }
for call, tag, offer, word in each { { "MPI_Comm_dup", Inter.DUP, Inter.values(101), Inter.values(301) },
    { "MPI_Intercomm_merge", Inter.MERGE, Inter.values(101), Inter.values(301, 0) },
    { "MPI_Comm_free", Inter.FREE, "", "" } } do
  case {
    id = "short-messages-between-groups-are-data-" .. call:lower():match("_(%l+)$"),
    title = "The messages of " .. call .. " of an intercommunicator use DATA",
    purpose = "Two processes under test and three others: the document prints MPI_Send and MPI_Sendrecv for what goes across, which are no synchronous sends.",
    requirements = { "IMPI-143" }, ranks = 2,
    run = function(t)
      local inter = t:inter({ 4, 3 }, { 2, 0, 1 })
      inter.job:needs("datalen", 16)
      local pending = inter:begin(call, call == "MPI_Intercomm_merge" and { high = 0 } or nil)
      inter:answer(tag, offer, word)
      local packets = inter:heard(4)
      t:check("IMPI-143", "messages across", #packets > 0, "come", "none")
      for _, packet in ipairs(packets) do
        t:equal("IMPI-143", "the type of a message of rank " .. packet.from, packet.type, "DATA")
      end
      for _, one in ipairs(pending) do t:rc("IMPI-143", one:finish(), "MPI_SUCCESS") end
    end,
  }
end

case {
  id = "short-data-gets-no-syncack",
  title = "A message in a DATA packet is not acknowledged by a SYNCACK",
  purpose = "One arrives before its receive, one behind. Both are received, and nothing comes back.",
  requirements = { "IMPI-143" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    other:send_short(own, 1, 1, 8)
    t:receives("IMPI-143", "a message before its receive", rank, other, 1, 8, { tag = 1 })
    local post = rank:post_receive(t, other, 8, { tag = 2 })
    other:send_short(own, 2, 2, 8)
    t:receive_completes("IMPI-143", "a message behind its receive", post, 2)
    t:channel_silent("IMPI-143", "no acknowledgement", channel)
  end,
}

for _, row in ipairs { { "ssend", "MPI_Ssend", 8 }, { "issend", "MPI_Issend", 8 },
    { "empty-ssend", "MPI_Ssend", 0 }, { "empty-issend", "MPI_Issend", 0 } } do
  case {
    id = "short-" .. row[1] .. "-waits-for-syncack",
    title = string.format("%s of %d octets is not complete before its SYNCACK has come", row[2], row[3]),
    purpose = "The SYNCACK is held back: the send stays open. A PROTOACK and a message from the same process do not complete it; the SYNCACK does.",
    requirements = { "IMPI-144" },
    run = function(t)
      local _, rank, own, other, channel = t:pair_with_marks(1, 20)
      local begun, sending
      if row[2] == "MPI_Ssend" then
        sending = rank:start_MPI_Ssend { buf = rank:new_region(8, 1), count = row[3], dest = other.rank, tag = 1 }
      else
        begun = rank:start_send(t, "MPI_Issend", other, row[3], 1, { tag = 1 })
      end
      local packet = t:packet("IMPI-144", channel, "DATASYNC", { src = own, tag = 1 })
      channel:protoack(other, own)
      other:send_short(own, 1, 2, 8)
      t:packet("IMPI-144", channel, "PROTOACK", { src = own })
      if begun then
        t:stays_pending("IMPI-144", "the send without its SYNCACK", begun)
      else
        t:channel_silent("IMPI-144", "while the SYNCACK is held back", channel)
        t:check("IMPI-144", "MPI_Ssend", not sending:done(), "has not returned", "has returned")
      end
      other:answer("SYNCACK", packet)
      if begun then
        t:completes("IMPI-144", "the send", begun)
      else
        t:rc("IMPI-144", sending:finish(), "MPI_SUCCESS")
      end
    end,
  }
end

case {
  id = "short-syncack-behind-match",
  title = "The SYNCACK of a short message comes when it has matched, not before",
  purpose = "A DATASYNC comes and is not received; a receive of another tag is posted: silence. Its own receive brings the SYNCACK.",
  requirements = { "IMPI-145" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local packet = other:send_short(own, 1, 1, 8, { type = "DATASYNC" })
    t:probed("IMPI-145", "the message", rank, other, 1, 8)
    rank:post_receive(t, other, 8, { tag = 2 })
    t:channel_silent("IMPI-145", "no receive fits", channel)
    t:receives("IMPI-145", "the message", rank, other, 1, 8, { tag = 1 })
    t:packet("IMPI-145", channel, "SYNCACK", { src = own, dest = other, srqid = packet.srqid })
  end,
}

case {
  id = "short-one-syncack-each",
  title = "Every matched DATASYNC is answered by exactly one SYNCACK with its srqid",
  purpose = "srqid 0, 1, the largest, one with the highest bit, random ones; drqid anything. Half of the messages come before their receives; half of each have no octets.",
  requirements = { "IMPI-146" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local ids, posts, wanted = { 0, 1, -1, math.mininteger, 0x0102030405060708 }, {}, {}
    local function octets(i) return i % 4 > 1 and 0 or 4 end
    for i = #ids + 1, 40 do ids[i] = t.random(1 << 40) << 20 | i end
    for i, id in ipairs(ids) do
      posts[i] = i % 2 == 1 and rank:post_receive(t, other, 4, { tag = i })
      other:send_short(own, i, i, octets(i), { type = "DATASYNC", srqid = id, drqid = id * 7 + i })
    end
    for i, id in ipairs(ids) do
      t:receive_completes("IMPI-146", "message " .. i, posts[i] or rank:post_receive(t, other, 4, { tag = i }), i,
        octets(i))
      wanted[id] = true
    end
    for _ = 1, #ids do
      local ack = t:packet("IMPI-146", channel, "SYNCACK", { src = own, dest = other })
      t:check("IMPI-146", "its srqid", wanted[ack.srqid], "of a message that is not yet acknowledged", t.hex(ack.srqid))
      wanted[ack.srqid] = nil
    end
    t:channel_silent("IMPI-146", "no second SYNCACK", channel)
  end,
}

case {
  id = "short-hundred-synchronous",
  title = "A hundred synchronous messages are acknowledged once each, in the order of their receives",
  purpose = "All have one tag and are received one after the other.",
  requirements = { "IMPI-146" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    for _ = 1, 10 do
      local sent = {}
      for i = 1, 10 do sent[i] = other:send_short(own, 1, i, 4, { type = "DATASYNC" }) end
      local buf = rank:new_region(4)
      for i = 1, 10 do
        t:rc("IMPI-146", rank:MPI_Recv { buf = buf, count = 4, source = other.rank, tag = 1 }, "MPI_SUCCESS")
        t:holds("IMPI-146", "message " .. i, { rank = rank, buf = buf, octets = 4 }, i)
        t:packet("IMPI-146", channel, "SYNCACK", { srqid = sent[i].srqid })
      end
    end
    t:channel_silent("IMPI-146", "no further SYNCACK", channel)
  end,
}

case {
  id = "short-request-found-by-srqid",
  title = "A SYNCACK completes the send that its srqid names, not the oldest",
  purpose = "Three MPI_Issend to one process are acknowledged in the order 2, 3, 1; each time only the one that is named completes.",
  requirements = { "IMPI-147" },
  run = function(t)
    local _, rank, _, other, channel = t:pair()
    local sends, packets = {}, {}
    for i = 1, 3 do
      sends[i] = rank:start_send(t, "MPI_Issend", other, 4, i, { tag = 1 })
      packets[i] = t:packet("IMPI-147", channel, "DATASYNC")
    end
    for _, i in ipairs { 2, 3, 1 } do
      other:answer("SYNCACK", packets[i])
      t:completes("IMPI-147", "send " .. i, sends[i])
      if i ~= 1 then t:stays_pending("IMPI-147", "send 1", sends[1]) end
    end
  end,
}

case {
  id = "short-request-among-600",
  title = "With 600 synchronous sends under way a SYNCACK still completes the one that its srqid names",
  purpose = "The pk_srqid of all of them differ. The last, the first and the middle one are acknowledged, and each completes alone; those that were sent 256 and 512 before or behind the one are open.",
  requirements = { "IMPI-113", "IMPI-147" }, deadline = 120, -- an agent may look for each packet at 50 ms
  run = function(t)
    local _, rank, _, other, channel = t:pair()
    local sends, packets, seen = {}, {}, {}
    for i = 1, 600 do
      sends[i] = rank:start_send(t, "MPI_Issend", other, 4, i % 200, { tag = 1 })
      packets[i] = t:packet("IMPI-147", channel, "DATASYNC")
      t:check("IMPI-113", "pk_srqid of send " .. i, not seen[packets[i].srqid], "one that no other send has",
        packets[i].srqid)
      seen[packets[i].srqid] = i
    end
    for i, neighbours in each { { 600, { 88, 344 } }, { 1, { 257, 513 } }, { 300, { 44, 556 } } } do
      other:answer("SYNCACK", packets[i])
      t:completes("IMPI-147", "send " .. i, sends[i])
      for _, open in ipairs(neighbours) do t:stays_pending("IMPI-147", "send " .. open, sends[open]) end
    end
    for i = 1, 600 do
      if i ~= 1 and i ~= 300 and i ~= 600 then other:answer("SYNCACK", packets[i]) end
    end
    t:completes("IMPI-147", "send 599", sends[599])
  end,
}

case {
  id = "short-synchronous-between-groups",
  title = "Short synchronous sends use DATASYNC on every communicator, and wait for their SYNCACK",
  purpose = "MPI_Issend of 8 octets and of none, on an intercommunicator, on a duplicate of the world and on one in another order: not complete before the SYNCACK. The same with MPI_Isend uses DATA.",
  requirements = { "IMPI-142", "IMPI-143" }, ranks = 2,
  run = function(t)
    local inter = t:inter({ 4, 3 }, { 2, 0, 1 })
    local job, rank, own = inter.job, inter.ranks[1], inter.own[1]
    job:needs("datalen", 8)
    local ways = { { inter.name, 1, inter.remote[2] } }
    job:dup("same")
    job:create("other", "4,3,2,1,0")
    ways[2] = { "same", 0, job.processes[0] }
    ways[3] = { "other", 3, job.processes[1] }
    for i, way in ipairs(ways) do
      local comm, dest, process = way[1], { rank = way[2] }, way[3]
      for _, octets in ipairs { 8, 0 } do
        local what = string.format("of %d octets on %s", octets, comm)
        local begun = rank:start_send(t, "MPI_Issend", dest, octets, 1, { tag = i, comm = comm })
        local packet = t:packet_to("IMPI-142", "MPI_Issend " .. what, process, { src = own, type = "message", tag = i })
        t:equal("IMPI-142", "the type of MPI_Issend " .. what, packet.type, "DATASYNC")
        t:stays_pending("IMPI-142", "MPI_Issend " .. what, begun)
        process:answer("SYNCACK", packet)
        t:completes("IMPI-142", "MPI_Issend " .. what, begun)
        begun = rank:start_send(t, "MPI_Isend", dest, octets, 1, { tag = i, comm = comm })
        packet = t:packet_to("IMPI-143", "MPI_Isend " .. what, process, { src = own, type = "message", tag = i })
        t:equal("IMPI-143", "the type of MPI_Isend " .. what, packet.type, "DATA")
        t:completes("IMPI-143", "MPI_Isend " .. what, begun)
      end
    end
  end,
}
