-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Flow control as the sender keeps it: no more than hiwater packets without an acknowledgement, and each PROTOACK lets
-- exactly ackmark more leave, for each pair of processes by itself (chapter 3.6).

defaults { role = "client", suite = "packets", chapter = "3.6" }

for ackmark, hiwater in each { { 1, 1 }, { 1, 20 }, { 5, 5 }, { 3, 5 } } do
  case {
    id = string.format("flow-stops-at-hiwater-%d-%d", ackmark, hiwater),
    title = string.format("At most %d packets leave without an acknowledgement, with ackmark %d", hiwater, ackmark),
    purpose = "Five more MPI_Isend than hiwater: they return, up to hiwater packets come, and no fewer than ackmark, then silence. One PROTOACK brings exactly ackmark more, or what is left.",
    requirements = { "IMPI-126", "IMPI-127" },
    run = function(t)
      local _, rank, own, other, channel = t:pair_with_marks(ackmark, hiwater)
      t:flood(rank, other, hiwater + 5)
      local left = t:expect_up_to("IMPI-126", channel, own, hiwater, ackmark, 1)
      channel:protoack(other, own)
      t:expect_exactly("IMPI-127", channel, own, math.min(ackmark, hiwater + 5 - left), left + 1)
    end,
  }
end

for ackmark, hiwater in each { { 2, 3 }, { 3, 8 } } do
  case {
    id = string.format("flow-stops-at-hiwater-%d-%d-within-a-message", ackmark, hiwater),
    title = string.format("At most %d packets of a long message leave without an acknowledgement", hiwater),
    purpose = string.format("A message of four packets more than hiwater goes on behind SYNCACK: %d to %d leave, and "
      .. "no more.", ackmark, hiwater),
    requirements = { "IMPI-126" },
    run = function(t)
      local _, rank, own, other, channel = t:pair_with_marks(ackmark, hiwater, { others = { { datalen = 10 } } })
      rank:start_send(t, "MPI_Isend", other, 10 * (hiwater + 4), 1, { tag = 1 })
      local first = t:packet("IMPI-126", channel, "DATASYNC", { src = own, tag = 1 })
      other:answer("SYNCACK", first, { drqid = 5 })
      local count, packet = 1, channel:receive()
      while packet do
        count = count + 1
        t:check("IMPI-126", "packet " .. count, packet.type == "DATA" and packet.srqid == first.srqid,
          "DATA of the message", IMPI.show_packet(packet))
        packet = count <= hiwater and channel:receive(1000)
      end
      t:check("IMPI-126", "packets without an acknowledgement", count >= ackmark and count <= hiwater,
        ackmark .. " to " .. hiwater, count)
    end,
  }
end

case {
  id = "flow-two-protoacks",
  title = "Two PROTOACKs release twice ackmark",
  purpose = "ackmark 3, hiwater 6. Six packets come, two PROTOACKs bring six more, and no seventh.",
  requirements = { "IMPI-127" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(3, 6)
    t:flood(rank, other, 15)
    t:expect_exactly("IMPI-127", channel, own, 6, 1)
    channel:send_together { { type = "PROTOACK", src = other, dest = own },
      { type = "PROTOACK", src = other, dest = own } }
    t:expect_exactly("IMPI-127", channel, own, 6, 7)
  end,
}

case {
  id = "flow-acknowledged-before-it-is-held",
  title = "A PROTOACK that comes while the sender is not held counts as much as any other",
  purpose = "ackmark 3, hiwater 6. How many packets leave for process 1 before the sender is held is counted. Fewer leave for process 0, and are acknowledged by one PROTOACK; then so many more leave that three are added to what is free.",
  requirements = { "IMPI-127" },
  run = function(t)
    local job, rank, own, other, channel = t:pair_with_marks(3, 6, { others = { { hosts = { 2 } } } })
    t:flood(rank, job.processes[1], 15, 101)
    local window = t:expect_up_to("IMPI-127", channel, own, 6, 3, 101)
    local first = math.max(3, window - 2)
    t:flood(rank, other, first)
    t:expect_exactly("IMPI-127", channel, own, first, 1)
    channel:protoack(other, own)
    other:send_short(own, 9, 9, 30)
    t:receives("IMPI-127", "a message behind the PROTOACK", rank, other, 9, 30, { tag = 9 })
    t:flood(rank, other, 15, first + 1)
    t:expect_exactly("IMPI-127", channel, own, window - first + 3, first + 1)
  end,
}

case {
  id = "flow-counts-pairs-of-one-source",
  title = "A pair that has reached its hiwater holds up no other pair of the same source",
  purpose = "Rank 2 sends to process 0 until it is held. Messages to process 1 of the same host go on, up to their own hiwater.",
  requirements = { "IMPI-128" },
  run = function(t)
    local job, rank, own, other, channel = t:pair_with_marks(2, 3, { others = { { hosts = { 2 } } } })
    local second = job.processes[1]
    t:flood(rank, other, 5)
    t:expect_exactly("IMPI-128", channel, own, 3, 1)
    t:flood(rank, second, 5, 101)
    for i = 1, 3 do t:packet("IMPI-128", channel, "DATA", { dest = second, tag = 100 + i }) end
    t:channel_silent("IMPI-128", "no packet beyond either hiwater", channel)
    channel:protoack(second, own)
    for i = 4, 5 do t:packet("IMPI-128", channel, "DATA", { dest = second, tag = 100 + i }) end
    t:channel_silent("IMPI-128", "a PROTOACK of one process releases nothing of another", channel)
  end,
}

case {
  id = "flow-counts-pairs-of-one-destination",
  title = "A pair that has reached its hiwater holds up no other source, nor the other direction",
  purpose = "Two ranks send to one process; each may send hiwater packets. What comes from there is received meanwhile.",
  requirements = { "IMPI-128" }, ranks = 2,
  run = function(t)
    local job, rank, own, other, channel = t:pair_with_marks(2, 3, { np = 2 })
    local second = job.processes[2]
    t:flood(rank, other, 5)
    t:expect_exactly("IMPI-128", channel, own, 3, 1)
    t:flood(job.ranks[1], other, 5, 101)
    for i = 1, 3 do t:packet("IMPI-128", channel, "DATA", { src = second, tag = 100 + i }) end
    t:channel_silent("IMPI-128", "no packet beyond either hiwater", channel)
    other:send_short(own, 9, 9, 30)
    t:receives("IMPI-128", "the other direction", rank, other, 9, 30, { tag = 9 })
  end,
}

case {
  id = "flow-acknowledges-whoever-was-overtaken",
  title = "The PROTOACK of one source takes nothing from what another one has sent",
  purpose = "ackmark 3. Two packets come from one process, then three from another of its host: one PROTOACK, for that. The third packet of the first brings its own; and so once more, the other way round.",
  requirements = { "IMPI-129" },
  run = function(t)
    local job, _, own, other, channel = t:pair_with_marks(3, 6, { others = { { hosts = { 2 } } } })
    local second = job.processes[1]
    for turn, slow in ipairs { second, other } do
      local quick = slow == other and second or other
      local function sends(source, count)
        for i = 1, count do source:send_short(own, 10 * turn + i, i, 4) end
      end
      sends(slow, 2)
      sends(quick, 3)
      t:packet("IMPI-129", channel, "PROTOACK", { src = own, dest = quick })
      t:channel_silent("IMPI-129", "one PROTOACK, turn " .. turn, channel)
      sends(slow, 1)
      t:packet("IMPI-129", channel, "PROTOACK", { src = own, dest = slow })
      t:channel_silent("IMPI-129", "two PROTOACKs, turn " .. turn, channel)
    end
  end,
}

case {
  id = "flow-acknowledges-pairs",
  title = "Packets of two sources are not added up for a PROTOACK",
  purpose = "ackmark 3. Two packets come from each of two processes, and one from each to another rank: no PROTOACK. One more of one source: one, for this pair.",
  requirements = { "IMPI-128" }, ranks = 2,
  run = function(t)
    local job, _, own, other, channel = t:pair_with_marks(3, 6, { np = 2, others = { { hosts = { 2 } } } })
    local second, own_second = job.processes[1], job.processes[3]
    for i = 1, 2 do
      other:send_short(own, i, i, 4)
      second:send_short(own, i, i, 4)
    end
    other:send_short(own_second, 1, 1, 4)
    second:send_short(own_second, 1, 1, 4)
    t:channel_silent("IMPI-128", "two of three packets of each pair", channel)
    second:send_short(own, 3, 3, 4)
    t:packet("IMPI-128", channel, "PROTOACK", { src = own, dest = second })
    t:channel_silent("IMPI-128", "one PROTOACK", channel)
  end,
}

case {
  id = "flow-every-ackmark-packets",
  title = "A PROTOACK comes for every ackmark packets, and none earlier",
  purpose = "ackmark 4: three packets bring nothing, the fourth one PROTOACK, and so again. Eight more, in one write, bring exactly two.",
  requirements = { "IMPI-129" },
  run = function(t)
    local _, _, own, other, channel = t:pair_with_marks(4, 12)
    for turn = 1, 2 do
      for i = 1, 3 do other:send_short(own, i, i, 8) end
      t:channel_silent("IMPI-129", "ackmark less one packets, turn " .. turn, channel)
      other:send_short(own, 4, 4, 8)
      t:packet("IMPI-129", channel, "PROTOACK", { src = own, dest = other })
    end
    t:channel_silent("IMPI-129", "two PROTOACKs", channel)
    local packets = {}
    for i = 1, 8 do packets[i] = other:packet(own, { type = "DATA", tag = i, data = t.mix(i, 8) }) end
    channel:send_together(packets)
    for _ = 1, 2 do t:packet("IMPI-129", channel, "PROTOACK", { src = own, dest = other }) end
    t:channel_silent("IMPI-129", "two PROTOACKs for eight packets", channel)
  end,
}

case {
  id = "flow-acknowledged-when-read",
  title = "Packets that nothing matches are acknowledged when they have been read",
  purpose = "As many messages as ackmark come while the rank is in MPI but receives none of them. The PROTOACK comes; a system that waits for the match sends it when they are received.",
  requirements = { "IMPI-130" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(3, 6)
    for i = 1, 3 do other:send_short(own, i, i, 8) end
    t:mpi(rank:call("progress", { comm = "MPI_COMM_WORLD", ms = 300 }))
    local packet, reason = channel:receive(5000)
    local when = packet and "read" or "matched"
    for i = 1, 3 do t:receives("IMPI-130", "message " .. i, rank, other, i, 8, { tag = i }) end
    if not packet then packet, reason = channel:receive(5000) end
    t:check("IMPI-130", "the acknowledgement", packet and packet.type == "PROTOACK", "PROTOACK",
      packet and IMPI.show_packet(packet) or reason)
    t:reading("IMPI-130", "acknowledged_when", "packets are acknowledged when they are", when,
      { { "read", "read" }, { "matched", "matched" } })
  end,
}

case {
  id = "flow-acknowledged-while-held",
  title = "Unmatched packets are acknowledged to a sender that is held by it",
  purpose = "hiwater unmatched messages of other tags lie before the one for which MPI_Recv waits. The PROTOACK comes, the last message too, and is received.",
  requirements = { "IMPI-130" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(2, 2)
    local post = rank:post_receive(t, other, 10, { tag = 3 })
    local waiting = rank:start("complete", { request = post.request, ms = 8000 }, { deadline = 20000 })
    other:send_short(own, 1, 1, 10)
    other:send_short(own, 2, 2, 10)
    t:packet("IMPI-130", channel, "PROTOACK", { src = own, dest = other })
    other:send_short(own, 3, 3, 10)
    t:equal("IMPI-130", "the receive is complete", waiting:finish().flag, true)
    t:holds("IMPI-130", "the receive", post, 3)
  end,
}

case {
  id = "flow-holds-collective-messages",
  title = "A message of a collective operation waits at hiwater like any other",
  purpose = "hiwater 2 is reached when MPI_Barrier is called: nothing leaves. Behind a PROTOACK the barrier's message comes, and the answer ends the barrier.",
  requirements = { "IMPI-126" },
  run = function(t)
    local job, rank, own, other, channel = t:pair_with_marks(2, 2)
    t:flood(rank, other, 2)
    t:expect_exactly("IMPI-126", channel, own, 2, 1)
    job:start_barrier()
    t:channel_silent("IMPI-126", "the barrier's message beyond hiwater", channel)
    channel:protoack(other, own)
    t:packet_to("IMPI-126", "the barrier's message", other, { src = own, type = "message", cid = 1 })
    job:send_barrier { 0 }
    t:barrier_completes("IMPI-126", "behind the answer", job)
  end,
}

case {
  id = "flow-counts-collective-messages-sent",
  title = "Messages of collective operations, and of other communicators, count for the sender with all others",
  purpose = "hiwater 4: a message on the world, one on a copy of it and the message of a barrier have left. Of three more messages one leaves; a PROTOACK of ackmark 2 brings the other two.",
  requirements = { "IMPI-131" },
  run = function(t)
    local job, rank, own, other, channel = t:pair { others = { { ackmark = 2, hiwater = 4 } } }
    t:skip_if(job.ackmark ~= 2 or job.hiwater ~= 4,
      "the case needs ackmark 2 and hiwater 4, and the system under test offers less")
    job:needs("datalen", 8)
    job:dup("a")
    job:dup("b") -- two packets have gone each way and are acknowledged: the windows are whole again
    channel.by_hand = true
    t:packet("IMPI-131", channel, "PROTOACK", { src = own })
    rank:start_send(t, "MPI_Isend", other, 4, 1, { tag = 2 })
    t:packet("IMPI-131", channel, "DATA", { src = own, tag = 2 })
    rank:start_send(t, "MPI_Isend", { rank = 0 }, 4, 1, { tag = 3, comm = "a" })
    t:packet("IMPI-131", channel, "DATA", { src = own, tag = 3 })
    job:start_barrier()
    local message = other:await { src = own, type = "message", cid = 1 }
    if not message then t:needs_full_window(job) end
    t:check("IMPI-131", "the barrier's message", message, "comes", "timeout")
    other:send_short(own, 110, 0, 0, { cid = 1 })
    t:barrier_completes("IMPI-131", "behind the answer", job)
    t:flood(rank, other, 3, 11)
    t:expect_exactly("IMPI-131", channel, own, 1, 11)
    channel:protoack(other, own)
    t:expect_exactly("IMPI-131", channel, own, 2, 12)
  end,
}

case {
  id = "flow-counts-collective-messages-received",
  title = "Messages of collective operations, and of other communicators, count for the receiver with all others",
  purpose = "ackmark 3: the message of a barrier, one on a communicator that is not known yet and one on the world bring one PROTOACK, behind the third.",
  requirements = { "IMPI-131" },
  run = function(t)
    local job, _, own, other, channel = t:pair_with_marks(3, 6)
    job:start_barrier()
    t:packet_to("IMPI-131", "the barrier's message", other, { src = own, type = "message", cid = 1 })
    other:send_short(own, 110, 0, 0, { cid = 1 })
    t:barrier_completes("IMPI-131", "behind the answer", job)
    other:send_short(own, 1, 1, 4, { cid = 40 })
    t:channel_silent("IMPI-131", "two packets of three", channel)
    other:send_short(own, 1, 1, 4)
    t:packet("IMPI-131", channel, "PROTOACK", { src = own, dest = other })
  end,
}

for _, apart in ipairs { 128, 256 } do
  case {
    id = "flow-counts-pairs-" .. apart .. "-apart",
    title = string.format("Processes whose ranks are %d apart have each its own hiwater and its own PROTOACKs", apart),
    purpose = "The other client has 300 processes. What goes to one of them is held; to another, so far above it, as much leaves. Two packets of each are acknowledged to it, and those of one are not counted for the other.",
    requirements = { "IMPI-128" }, deadline = 60,
    run = function(t)
      local job, rank, own, _, channel = t:pair_with_marks(2, 3, { others = { { hosts = { 300 } } } })
      local low, high = job.processes[3], job.processes[3 + apart]
      t:flood(rank, low, 5)
      t:expect_exactly("IMPI-128", channel, own, 3, 1)
      t:flood(rank, high, 5, 101)
      for i = 1, 3 do t:packet("IMPI-128", channel, "DATA", { dest = high, tag = 100 + i }) end
      t:channel_silent("IMPI-128", "no packet beyond either hiwater", channel)
      low:send_short(own, 1, 1, 4)
      high:send_short(own, 1, 1, 4)
      t:channel_silent("IMPI-128", "one packet of each", channel)
      high:send_short(own, 2, 2, 4)
      t:packet("IMPI-128", channel, "PROTOACK", { src = own, dest = high })
    end,
  }
end

case {
  id = "flow-acknowledges-whatever-the-communicator",
  title = "Packets of one pair are added up for a PROTOACK, whatever their communicators",
  purpose = "ackmark 3. One message comes on the world, one on a duplicate of it, one on a duplicate of that: one PROTOACK, and no more. Then two on the first duplicate and one on the world: another one.",
  requirements = { "IMPI-129" },
  run = function(t)
    local job, rank, own, other, channel = t:pair_with_marks(3, 6)
    job:acknowledge_by_hand()
    local first, second = job:dup("a"), job:dup("b", nil)
    -- What making them has left uncounted is filled up with messages on the world.
    local filled = 0
    repeat
      filled = filled + 1
      other:send_short(own, 90, filled, 4)
      local packet = channel:receive(500)
    until packet and packet.type == "PROTOACK" or filled == 4
    t:judging("IMPI-129")
    t:check("IMPI-129", "a PROTOACK within three packets", filled < 4, "comes", "does not come")
    for turn, cids in ipairs { { 0, first, second }, { first, first, 0 } } do
      for i, cid in ipairs(cids) do
        if i == 3 then t:channel_silent("IMPI-129", "two packets, turn " .. turn, channel) end
        other:send_short(own, 10 * turn + i, i, 4, { cid = cid })
      end
      t:packet("IMPI-129", channel, "PROTOACK", { src = own, dest = other })
      t:channel_silent("IMPI-129", "one PROTOACK, turn " .. turn, channel)
    end
    t:receives("IMPI-129", "a message on the second duplicate", rank, other, 3, 4, { tag = 13, comm = "b" })
  end,
}
