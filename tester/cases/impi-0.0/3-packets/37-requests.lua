-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Requests that live longer than one message, or shorter: persistent ones, those that are freed, and sends whose buffer
-- the program uses again (chapters 1.2.2 and 3.7).

defaults { role = "client", suite = "p2p", chapter = "3.7.1" }

local LIMIT = 64

local function small(hosts)
  return { others = { { datalen = LIMIT, hosts = hosts } } }
end

case {
  id = "request-buffer-is-used-again",
  title = "What leaves is what the program has sent, also where it has used the buffer again since",
  purpose = "hiwater 2 is reached, two short sends wait. As soon as one of them is complete the program may fill its buffer anew; when the way is free the message comes as it was.",
  requirements = { "IMPI-002" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(2, 2)
    local begun = {}
    t:flood(rank, other, 2)
    t:expect_exactly("IMPI-002", channel, own, 2, 1)
    for i = 1, 2 do begun[i] = rank:start_send(t, "MPI_Isend", other, 40, i, { tag = 2 + i }) end
    for i = 1, 2 do
      if rank:complete(begun[i].request, 200) then
        rank:call("fill", { name = begun[i].buf, offset = 0, octets = 40, pattern = "byte/90" })
        begun[i].over = true
      end
    end
    channel:protoack(other, own)
    for i = 1, 2 do
      local packet = t:packet("IMPI-002", channel, "DATA", { src = own, tag = 2 + i, len = 40 })
      t:same_octets("IMPI-002", "message " .. i, packet.data, t.mix(i, 40))
      if not begun[i].over then t:completes("IMPI-002", "send " .. i, begun[i]) end
    end
  end,
}

for _, row in ipairs { { "MPI_Send_init", "DATA" }, { "MPI_Ssend_init", "DATASYNC" }, { "MPI_Rsend_init", "DATA" } } do
  local call, kind = row[1], row[2]
  case {
    id = "request-persistent-data-" .. call:sub(5, 9):lower():gsub("_", ""),
    title = call .. ": each start sends what the buffer holds then",
    purpose = "Three MPI_INT are sent three times, and are others each time.",
    requirements = { "IMPI-002" },
    run = function(t)
      local _, rank, own, other, channel = t:pair()
      local buf = rank:new_region(12)
      t:mpi(rank[call](rank, { buf = buf, count = 3, datatype = "MPI_INT", dest = other.rank, tag = 1,
        request = "persistent" }))
      for i = 1, 3 do
        rank:call("write-values", { name = buf, offset = 0, type = "int",
          values = string.format("%d,-1,%d", i, 7 * i) })
        t:rc("IMPI-002", rank:MPI_Start { request = "persistent" }, "MPI_SUCCESS")
        local packet = t:packet("IMPI-002", channel, kind, { src = own, tag = 1 })
        t:equal("IMPI-002", "octets of start " .. i, packet.data, string.pack(">i4i4i4", i, -1, 7 * i))
        if kind == "DATASYNC" then other:answer("SYNCACK", packet) end
        t:completes("IMPI-002", "start " .. i, { rank = rank, request = "persistent" })
      end
    end,
  }
end

case {
  id = "request-buffered-data",
  title = "Buffered messages are sent in external32 like all others, short and long",
  purpose = "Two and forty MPI_INT by MPI_Bsend, where a packet holds 64 octets. The program's own buffer is overwritten as soon as the call has returned.",
  requirements = { "IMPI-002" },
  run = function(t)
    local _, rank, own, other = t:pair(small())
    rank:octets("attached", 4096)
    t:mpi(rank:MPI_Buffer_attach { buffer = "attached", size = 4096 })
    for tag, count in ipairs { 2, 40 } do
      local buf, values, octets = rank:new_region(4 * count), {}, {}
      for i = 1, count do values[i], octets[i] = 1000 * i - 1, string.pack(">i4", 1000 * i - 1) end
      rank:call("write-values", { name = buf, offset = 0, type = "int", values = table.concat(values, ",") })
      t:rc("IMPI-002", rank:MPI_Bsend { buf = buf, count = count, datatype = "MPI_INT", dest = other.rank, tag = tag },
        "MPI_SUCCESS")
      rank:call("fill", { name = buf, offset = 0, octets = 4 * count, pattern = "byte/90" })
      local message, reason = other:receive { src = own, tag = tag }
      t:check("IMPI-002", "the message", message, "comes", reason)
      t:equal("IMPI-002", "its octets", message.data, table.concat(octets))
    end
  end,
}

case {
  id = "request-persistent-from-anybody",
  title = "A persistent receive with MPI_ANY_SOURCE takes a message from any source each time that it is started",
  purpose = "Two processes of one host and one of another send synchronous messages, one for each start: every one is acknowledged and received.",
  requirements = { "IMPI-146" },
  run = function(t)
    local job, rank, own = t:pair(small { 2, 1 })
    local post = { rank = rank, octets = 20, buf = rank:new_region(20), request = "persistent" }
    t:mpi(rank:MPI_Recv_init { buf = post.buf, count = 20, source = "MPI_ANY_SOURCE", tag = "MPI_ANY_TAG",
      request = "persistent" })
    for i, number in ipairs { 1, 0, 2, 1 } do
      local other = job.processes[number]
      t:rc("IMPI-146", rank:MPI_Start { request = "persistent" }, "MPI_SUCCESS")
      local packet = other:send_short(own, 10 + i, i, 20, { type = "DATASYNC" })
      t:syncack("IMPI-146", other, packet)
      local result = t:receive_completes("IMPI-146", "message " .. i, post, i, 20, 10 + i)
      t:equal("IMPI-146", "MPI_SOURCE of message " .. i, result.status.source, number)
    end
  end,
}

case {
  id = "request-persistent-receive-of-long-messages",
  title = "Each start of a persistent receive takes a long message from its begin",
  purpose = "A receive of three packets is started three times; the messages have three packets, two, and three.",
  requirements = { "IMPI-154" }, chapter = "3.7.2",
  run = function(t)
    local _, rank, own, other = t:pair(small())
    local post = { rank = rank, octets = 3 * LIMIT, buf = rank:new_region(3 * LIMIT), request = "persistent" }
    t:mpi(rank:MPI_Recv_init { buf = post.buf, count = 3 * LIMIT, source = other.rank, tag = "MPI_ANY_TAG",
      request = "persistent" })
    for i, octets in ipairs { 3 * LIMIT, 2 * LIMIT, 3 * LIMIT } do
      t:rc("IMPI-154", rank:MPI_Start { request = "persistent" }, "MPI_SUCCESS")
      local first = other:send_long(own, i, i, octets)
      other:send_rest(first, t:syncack("IMPI-154", other, first))
      t:receive_completes("IMPI-154", "message " .. i, post, i, octets, i)
    end
  end,
}

case {
  id = "request-persistent-cancelled-once",
  title = "A persistent send that was cancelled once is not cancelled the next time",
  purpose = "Its first start is cancelled by CANCELYES. The second one is asked to be cancelled too: CANCELNO and SYNCACK come, and it finishes normally. The third one is cancelled again.",
  requirements = { "IMPI-174", "IMPI-175" }, chapter = "3.7.4",
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local begun = { rank = rank, request = "persistent" }
    t:mpi(rank:MPI_Ssend_init { buf = rank:new_region(8, 1), count = 8, dest = other.rank, tag = 1,
      request = "persistent" })
    for turn = 1, 3 do
      local req = turn == 2 and "IMPI-175" or "IMPI-174"
      t:judging(req)
      t:rc(req, rank:MPI_Start { request = "persistent" }, "MPI_SUCCESS")
      local packet = t:packet(req, channel, "DATASYNC", { src = own, tag = 1 })
      t:start_cancel(req, begun)
      t:packet(req, channel, "CANCEL", { src = own, srqid = packet.srqid })
      other:answer(turn == 2 and "CANCELNO" or "CANCELYES", packet)
      if turn == 2 then other:answer("SYNCACK", packet) end
      t:cancel_answered(req, "start " .. turn, begun, turn ~= 2)
    end
  end,
}

case {
  id = "request-freed-long-send",
  title = "A long send whose request is freed is sent to its end",
  purpose = "MPI_Request_free is called while its SYNCACK is awaited. Behind the SYNCACK the rest comes, and messages go on.",
  requirements = { "IMPI-151" }, chapter = "3.7.2",
  run = function(t)
    local _, rank, own, other, channel = t:pair(small())
    local begun = rank:start_send(t, "MPI_Isend", other, 3 * LIMIT, 1, { tag = 1 })
    local first = t:packet("IMPI-151", channel, "DATASYNC", { src = own, tag = 1 })
    t:rc("IMPI-151", rank:MPI_Request_free { request = begun.request }, "MPI_SUCCESS")
    other:answer("SYNCACK", first, { drqid = 6 })
    local data = first.data
    while #data < 3 * LIMIT do
      data = data .. t:packet("IMPI-151", channel, "DATA", { src = own, srqid = first.srqid, drqid = 6 }).data
    end
    t:same_octets("IMPI-151", "the message", data, t.mix(1, 3 * LIMIT))
    t:ping_pong("IMPI-151", "afterwards", rank, own, other)
  end,
}

case {
  id = "request-freed-at-hiwater",
  title = "A send that waits at hiwater is sent in its turn although its request is freed",
  purpose = "hiwater 2 is reached; of three sends that wait the first two are freed. The PROTOACKs bring all three.",
  requirements = { "IMPI-127" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(2, 2)
    t:flood(rank, other, 2)
    t:expect_exactly("IMPI-127", channel, own, 2, 1)
    for i = 1, 3 do
      local begun = rank:start_send(t, "MPI_Isend", other, 8, i, { tag = 2 + i })
      if i < 3 then
        t:rc("IMPI-127", rank:MPI_Request_free { request = begun.request }, "MPI_SUCCESS")
      end
    end
    channel:protoack(other, own)
    t:expect_exactly("IMPI-127", channel, own, 2, 3)
    channel:protoack(other, own)
    t:expect_exactly("IMPI-127", channel, own, 1, 5)
  end,
}

case {
  id = "request-outlives-its-communicator",
  title = "A long send goes on as it has begun when its communicator is freed meanwhile",
  purpose = "MPI_Comm_free returns while the SYNCACK of a message on that communicator is awaited. The rest of it has context identifier, rank and tag of the first packet. A receive that was posted before is filled, too.",
  requirements = { "IMPI-152" }, chapter = "3.7.2",
  run = function(t)
    local job, rank, own, other = t:pair(small())
    local cid = job:create("c", "1,0")
    local begun = rank:start_send(t, "MPI_Isend", { rank = 1 }, 3 * LIMIT, 1, { tag = 7, comm = "c" })
    local post = rank:post_receive(t, { rank = 1 }, 20, { tag = 8, comm = "c" })
    local first = t:packet_to("IMPI-152", "the first packet", other, { src = own, type = "DATASYNC", tag = 7 })
    t:equal("IMPI-152", "its rank and context identifier", { first.lsrank, first.cid }, { 0, cid })
    local free = rank:start_MPI_Comm_free { comm = "c" }
    other:send(own, { tag = 110, cid = cid + 1, lsrank = 1 })
    t:rc("IMPI-152", free:finish(), "MPI_SUCCESS")
    other:answer("SYNCACK", first, { drqid = 4 })
    local data = first.data
    while #data < 3 * LIMIT do
      local packet = t:packet_to("IMPI-152", "a later packet", other, { src = own, type = "DATA", drqid = 4 })
      t:equal("IMPI-152", "rank, context identifier, tag and srqid of a later packet",
        { packet.lsrank, packet.cid, packet.tag, packet.srqid }, { 0, cid, 7, first.srqid })
      data = data .. packet.data
    end
    t:same_octets("IMPI-152", "the message", data, t.mix(1, 3 * LIMIT))
    t:completes("IMPI-152", "the send", begun)
    other:send_short(own, 8, 2, 20, { cid = cid, lsrank = 1 })
    t:receive_completes("IMPI-152", "the receive", post, 2)
  end,
}

case {
  id = "request-freed-receive",
  title = "A receive whose request is freed takes its message all the same",
  purpose = "MPI_Request_free is called before the message comes. A synchronous and a long message are acknowledged, and stand in their buffers; a third one finds no receive.",
  requirements = { "IMPI-146", "IMPI-153" },
  run = function(t)
    local _, rank, own, other = t:pair(small())
    local posts = {}
    for i, octets in ipairs { 20, 300 } do
      posts[i] = rank:post_receive(t, other, octets, { tag = i })
      t:mpi(rank:MPI_Request_free { request = posts[i].request })
    end
    t:syncack("IMPI-146", other, other:send_short(own, 1, 1, 20, { type = "DATASYNC" }))
    local first = other:send_long(own, 2, 2, 300)
    other:send_rest(first, t:syncack("IMPI-153", other, first))
    other:send_short(own, 1, 3, 20)
    t:receives("IMPI-146", "what is sent behind them", rank, other, 3, 20, { tag = 1 })
    t:holds("IMPI-146", "the buffer of the first one", posts[1], 1)
    t:holds("IMPI-153", "the buffer of the long one", posts[2], 2)
  end,
}

case {
  id = "request-persistent-long",
  title = "Each start of a persistent long send begins anew with the first packet",
  purpose = "A send of three packets is started three times, and the buffer is another each time.",
  requirements = { "IMPI-148" }, chapter = "3.7.2",
  run = function(t)
    local _, rank, own, other, channel = t:pair(small())
    local buf = rank:new_region(3 * LIMIT)
    t:mpi(rank:MPI_Send_init { buf = buf, count = 3 * LIMIT, dest = other.rank, tag = 1, request = "persistent" })
    for i = 1, 3 do
      rank:call("fill", { name = buf, offset = 0, octets = 3 * LIMIT, pattern = "mix/" .. i })
      t:rc("IMPI-148", rank:MPI_Start { request = "persistent" }, "MPI_SUCCESS")
      local first = t:packet("IMPI-148", channel, "DATASYNC", { src = own, tag = 1, msglen = 3 * LIMIT })
      other:answer("SYNCACK", first, { drqid = i })
      local data = first.data
      while #data < 3 * LIMIT do
        data = data .. t:packet("IMPI-148", channel, "DATA", { src = own, drqid = i }).data
      end
      t:same_octets("IMPI-148", "the message of start " .. i, data, t.mix(i, 3 * LIMIT))
      t:completes("IMPI-148", "start " .. i, { rank = rank, request = "persistent" })
    end
  end,
}

for name, before in each { { "before-its-message", true }, { "half-way", false } } do
  case {
    id = "request-freed-long-receive-" .. name,
    title = "A long receive whose request is freed is filled to its end",
    purpose = "MPI_Request_free " .. (before and "before the message comes" or "when half of the message has come")
      .. ": the rest is taken, all of it lies in the buffer, and messages go on.",
    requirements = { "IMPI-154" }, chapter = "3.7.2",
    run = function(t)
      local _, rank, own, other = t:pair { others = { { datalen = 50 } } }
      local post = rank:post_receive(t, other, 300, { tag = 1 })
      t:judging("IMPI-154")
      if before then t:rc("IMPI-154", rank:MPI_Request_free { request = post.request }, "MPI_SUCCESS") end
      local first = other:send_long(own, 1, 7, 300)
      local ack = t:syncack("IMPI-154", other, first)
      if not before then
        other:send_rest(first, ack, 50, 2)
        t:rc("IMPI-154", rank:MPI_Request_free { request = post.request }, "MPI_SUCCESS")
        other:send_rest(first, ack, 50)
      else
        other:send_rest(first, ack)
      end
      t:ping_pong("IMPI-154", "behind the rest", rank, own, other)
      t:octets("IMPI-154", "the buffer of the receive", rank, post.buf, "mix/7", 0, 300)
    end,
  }
end
