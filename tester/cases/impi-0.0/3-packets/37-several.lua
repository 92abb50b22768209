-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Several messages under way at once, of several processes: what answers one of them must not be taken for, or go to,
-- another (chapters 3.6 and 3.7).

defaults { role = "client", suite = "p2p", chapter = "3.7" }

case {
  id = "several-syncacks-to-their-senders",
  title = "A SYNCACK goes to the sender of the message that was received, whoever has sent last",
  purpose = "Three processes of two clients send a synchronous message each, with one srqid. They are received in another order: each time the SYNCACK comes to the one whose message it was, and to nobody else.",
  requirements = { "IMPI-146", "IMPI-125" },
  run = function(t)
    local job, rank, own = t:pair { others = { { hosts = { 2 } }, {} } }
    local senders = { [0] = job.processes[0], job.processes[1], job.processes[2] }
    for i = 0, 2 do senders[i]:send_short(own, 1, i, 8, { type = "DATASYNC", srqid = 77 }) end
    for i = 0, 2 do t:probed("IMPI-146", "the message of process " .. i, rank, senders[i], 1, 8) end
    for _, i in ipairs { 1, 0, 2 } do
      local post = rank:post_receive(t, senders[i], 8, { tag = 1 })
      t:packet("IMPI-146", senders[i]:channel_to(own), "SYNCACK", { srqid = 77, dest = senders[i] })
      t:receive_completes("IMPI-125", "the message of process " .. i, post, i)
    end
  end,
}

case {
  id = "several-syncacks-of-long-messages-to-their-senders",
  title = "The SYNCACK of a long message names its sender, whichever process of its host that is",
  purpose = "Three processes of one host begin a long message each, with srqids of their own. They are received in another order: each time pk_dest of the SYNCACK is the process whose message it was.",
  requirements = { "IMPI-125" },
  run = function(t)
    local job, rank, own = t:pair { others = { { hosts = { 3 }, datalen = 16 } } }
    local firsts = {}
    for i = 0, 2 do firsts[i] = job.processes[i]:send_long(own, 1, i, 40, { srqid = 70 + i }) end
    for i = 0, 2 do t:probed("IMPI-125", "the message of process " .. i, rank, job.processes[i], 1, 40) end
    for _, i in ipairs { 2, 0, 1 } do
      local sender = job.processes[i]
      local post = rank:post_receive(t, sender, 40, { tag = 1 })
      local ack = t:packet("IMPI-125", sender:channel_to(own), "SYNCACK", { src = own, dest = sender, srqid = 70 + i })
      sender:send_rest(firsts[i], ack)
      t:receive_completes("IMPI-125", "the message of process " .. i, post, i, 40)
    end
  end,
}

case {
  id = "several-syncacks-to-their-ranks",
  title = "A SYNCACK completes the send of the process that it is for",
  purpose = "Three ranks under test have a synchronous send open to one process, of which those of their first sends may have one srqid. They are acknowledged in another order: each time only the send of that rank completes.",
  requirements = { "IMPI-147" }, chapter = "3.7.1", ranks = 3,
  run = function(t)
    local job = t:pair { np = 3 }
    local other, sends, packets = job.processes[0], {}, {}
    for i = 0, 2 do sends[i] = job.ranks[i]:start_send(t, "MPI_Issend", other, 4, i, { tag = 1 }) end
    for i = 0, 2 do
      packets[i] = t:packet_to("IMPI-147", "the message of rank " .. i, other, { src = job.processes[1 + i],
        type = "DATASYNC" })
    end
    local open = { [0] = true, true, true }
    for _, i in ipairs { 1, 2, 0 } do
      other:answer("SYNCACK", packets[i])
      t:completes("IMPI-147", "the send of rank " .. i, sends[i])
      open[i] = nil
      for place in pairs(open) do t:stays_pending("IMPI-147", "the send of rank " .. place, sends[place]) end
    end
  end,
}

case {
  id = "several-messages-with-one-number",
  title = "A number comes again when the request that had it is over: every message with it is acknowledged",
  purpose = "Long and short synchronous messages of one process have the same srqid, one behind the other, each when the one before is received.",
  requirements = { "IMPI-146", "IMPI-153" }, chapter = "3.7.1",
  run = function(t)
    local _, rank, own, other, channel = t:pair { others = { { datalen = 16 } } }
    for i, octets in ipairs { 8, 8, 40, 40, 0, 60 } do
      local post = rank:post_receive(t, other, octets, { tag = 1 })
      if octets > 16 then
        local first = other:send_long(own, 1, i, octets, { srqid = 77 })
        other:send_rest(first, t:syncack("IMPI-153", other, first))
      else
        other:send_short(own, 1, i, octets, { type = "DATASYNC", srqid = 77 })
        t:packet("IMPI-146", channel, "SYNCACK", { src = own, dest = other, srqid = 77 })
      end
      t:receive_completes("IMPI-146", "message " .. i, post, i, octets)
    end
  end,
}

case {
  id = "several-long-messages-under-way",
  title = "The rest of each of three long messages names the receive of its own SYNCACK",
  purpose = "ackmark 2, hiwater 6. Three long MPI_Isend begin, and their SYNCACKs come in one write, the last first, each with a drqid of its own. The packets that follow, a few at a time, carry the drqid of their message.",
  requirements = { "IMPI-151" }, chapter = "3.7.2",
  run = function(t)
    local limit = 16
    local job, rank, own, other, channel = t:pair_with_marks(2, 6, { others = { { datalen = limit } } })
    job:needs("datalen", limit)
    local octets, acks, wanted = 5 * limit, {}, {}
    for i = 1, 3 do rank:start_send(t, "MPI_Isend", other, octets, i, { tag = i }) end
    for i = 1, 3 do
      local first = t:packet("IMPI-151", channel, "DATASYNC", { src = own, dest = other, tag = i, msglen = octets })
      wanted[first.srqid] = { drqid = 1000 * i + 7, left = octets - #first.data }
      acks[4 - i] = other:packet(own, { type = "SYNCACK", srqid = first.srqid, drqid = 1000 * i + 7 })
    end
    channel:send_together(acks)
    channel:protoack(other, own)
    local left, since = 3 * octets, 1
    for _, message in pairs(wanted) do left = left - (octets - message.left) end
    while left > 0 do
      local packet, reason = other:await { src = own, type = "DATA" }
      t:check("IMPI-151", "the system under test sends the rest", packet, "DATA", reason)
      local message = wanted[packet.srqid]
      t:check("IMPI-151", "srqid of a packet that goes on", message, "that of a message", t.hex(packet.srqid))
      t:equal("IMPI-151", "its drqid", packet.drqid, message.drqid)
      left, since = left - #packet.data, since + 1
      if since % 2 == 0 then channel:protoack(other, own) end
    end
  end,
}

case {
  id = "several-rests-of-two-senders",
  title = "The rests of long messages of two processes that number them alike are told apart",
  purpose = "Two processes of two clients send a long message each, with one srqid and one tag; both have matched before the rests come, packet by packet in turns. Then the same with two processes of one host.",
  requirements = { "IMPI-154" }, chapter = "3.7.2",
  run = function(t)
    local limit = 16
    local job, rank, own = t:pair { others = { { datalen = limit, hosts = { 2 } }, { datalen = limit } } }
    local octets = 5 * limit
    job:needs("datalen", limit)
    for _, senders in ipairs { { job.processes[0], job.processes[2] }, { job.processes[1], job.processes[0] } } do
      local posts, firsts, acks = {}, {}, {}
      for i, sender in ipairs(senders) do posts[i] = rank:post_receive(t, sender, octets, { tag = 1 }) end
      for i, sender in ipairs(senders) do firsts[i] = sender:send_long(own, 1, 10 + i, octets, { srqid = 77 }) end
      for i, sender in ipairs(senders) do acks[i] = t:syncack("IMPI-154", sender, firsts[i]) end
      while firsts[1].sent < octets do
        for i, sender in ipairs(senders) do sender:send_rest(firsts[i], acks[i], limit, 1) end
      end
      for i = 1, 2 do t:receive_completes("IMPI-154", "the message of sender " .. i, posts[i], 10 + i) end
    end
  end,
}

case {
  id = "several-cancels-of-one-message",
  title = "A CANCEL that comes again for a message that has been destroyed is answered CANCELNO",
  purpose = "A short message is destroyed: CANCELYES. The same CANCEL comes twice more, nothing is left of the message: CANCELNO each time. A later message with that srqid is cancelled again.",
  requirements = { "IMPI-171", "IMPI-167" }, chapter = "3.7.4",
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local function cancelled(kind, req)
      other:send_packet(own, { type = "CANCEL", srqid = 5 })
      t:packet(req, channel, kind, { src = own, dest = other, srqid = 5 })
    end
    for round = 1, 2 do
      other:send_short(own, 1, round, 20, { srqid = 5 })
      t:probed("IMPI-167", "message " .. round, rank, other, 1, 20)
      cancelled("CANCELYES", "IMPI-167")
      for _ = 1, 2 do cancelled("CANCELNO", "IMPI-171") end
    end
  end,
}

for ackmark, hiwater in each { { 1, 1 }, { 1, 4 } } do
  case {
    id = string.format("flow-acknowledges-each-packet-%d-%d", ackmark, hiwater),
    title = "With ackmark 1 every packet brings a PROTOACK, hiwater " .. hiwater,
    purpose = "Three messages of which none is received yet, one with data, one without, one synchronous: a PROTOACK each, and nothing else.",
    requirements = { "IMPI-129" }, chapter = "3.6",
    run = function(t)
      local _, _, own, other, channel = t:pair_with_marks(ackmark, hiwater)
      for i, row in ipairs { { 8, "DATA" }, { 0, "DATA" }, { 8, "DATASYNC" } } do
        other:send_short(own, i, i, row[1], { type = row[2] })
        t:packet("IMPI-129", channel, "PROTOACK", { src = own, dest = other })
      end
      t:channel_silent("IMPI-129", "one PROTOACK for each", channel)
    end,
  }
end

case {
  id = "flow-limits-that-are-equal",
  title = "Hosts whose ackmark is their hiwater are accepted, and these marks are in force",
  purpose = "The other client offers 4 and 4. The job starts; between ackmark and hiwater packets, which is four, leave without an acknowledgement.",
  requirements = { "IMPI-137" }, chapter = "3.9",
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(4, 4, { judging = "IMPI-137" })
    t:flood(rank, other, 6)
    t:expect_up_to("IMPI-137", channel, own, 4, 4, 1)
  end,
}

for late = 1, 2 do
  case {
    id = "fini-of-one-host-ends-no-other-channel-" .. late,
    title = "The FINI packet of one host ends no other channel, be that host the first or the last: " .. 3 - late,
    purpose = "The system under test is client 0; the other client has two hosts. One of them sends its FINI packet; the channel to the other one, which is late, stays open until its FINI packet comes.",
    requirements = { "IMPI-090" }, chapter = "3.8", incoming = true,
    run = function(t)
      local job = t:impi_job { rank = 0, others = { { hosts = { 1, 1 } } } }:open()
      local early, other = job:channel(3 - late), job:channel(late)
      job:start_shutdown()
      early:send_packet { type = "FINI" }
      t:fini_packet("IMPI-090", early) -- it may be closed now, or when all hosts have said FINI (2.4)
      t:fini_packet("IMPI-090", other)
      t:link_silent("IMPI-090", "the channel on which FINI is late", other, 600)
      other:send_packet { type = "FINI" }
      t:channel_ends("IMPI-090", early)
      t:channel_ends("IMPI-090", other)
      t:ends_in_order("IMPI-090", job)
    end,
  }
end

case {
  id = "several-clients-before-the-last",
  title = "The processes of a third client follow those of two that have different numbers of them",
  purpose = "Client 0 has one process, client 1 has three on two hosts, client 2 is the system under test with one. Each scripted process exchanges a message with it.",
  requirements = { "IMPI-073" }, chapter = "2.3.5",
  run = function(t)
    local job = t:impi_job { others = { {}, { hosts = { 2, 1 } } } }
    job:judging("IMPI-073")
    job:open()
    t:ping_pong_with("IMPI-073", job, { 3, 1, 0, 2 })
    job:finish("IMPI-073")
  end,
}
