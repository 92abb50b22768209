-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Between the two FINI packets of a channel (chapters 2.4 and 3.8): a host reads on, acknowledges, answers, and sends
-- nothing else. What comes late matches nothing and is thrown away.

defaults { role = "client", suite = "shutdown", chapter = "3.8" }

-- What may come behind a FINI packet.
local ANSWERS = { PROTOACK = true, SYNCACK = true, CANCELYES = true, CANCELNO = true }

-- Judges by `req` that all these packets are acknowledgements or cancel replies. Returns how many there are of each.
local function all_answers(t, req, kinds)
  local count = { PROTOACK = 0, SYNCACK = 0, CANCELYES = 0, CANCELNO = 0 }
  for i, kind in ipairs(kinds) do
    t:check(req, "packet " .. i .. " behind FINI", ANSWERS[kind], "an acknowledgement or a cancel reply", kind)
    count[kind] = count[kind] + 1
  end
  return count
end

-- A job whose host under test has sent FINI; the scripted hosts have not, and receive PROTOACKs like other packets.
local function waiting(t, req, ackmark, given)
  local job, _, own, other, channel = t:pair_with_marks(ackmark, not (given and given.room) and 20 or nil, given)
  job:acknowledge_by_hand()
  t:judging(req)
  job:start_shutdown()
  t:fini_packet(req, channel)
  return job, own, other, channel
end

-- The end of such a job: our FINI, theirs is there; what comes until the connection ends.
local function conclude(t, req, job, channel)
  job:send_fini()
  local kinds, reason = channel:read_to_end()
  t:check(req, "the connection behind both FINI packets", reason == "closed" or reason == "reset", "ends", reason)
  return kinds
end

case {
  id = "after-fini-every-packet-is-acknowledged",
  title = "A host acknowledges packets behind its FINI for as long as they come",
  purpose = "ackmark is 2. With the message of the barrier, 41 packets come in five bursts, synchronous ones and such without data among them: after each burst the PROTOACKs that are due.",
  requirements = { "IMPI-091" }, chapter = "2.4",
  run = function(t)
    local job, own, other, channel = waiting(t, "IMPI-091", 2, { room = 9 })
    for burst = 1, 5 do
      for i = 1, 8 do
        other:send_short(own, 10 * burst + i, i, i % 3 == 0 and 0 or 20,
          { type = burst % 2 == 0 and "DATASYNC" or "DATA" })
      end
      for _ = 1, 4 do t:packet("IMPI-091", channel, "PROTOACK", { src = own, dest = other }) end
    end
    t:equal("IMPI-091", "packets behind the last PROTOACK", conclude(t, "IMPI-091", job, channel), {})
    t:ends_in_order("IMPI-091", job)
  end,
}

case {
  id = "after-fini-pairs-are-acknowledged-by-themselves",
  title = "Behind its FINI a host acknowledges packets for each of its processes by itself",
  purpose = "Two processes under test, ackmark 3. Three packets for the second one are acknowledged by it; two for the first one, with the barrier's message, by that.",
  requirements = { "IMPI-091" }, chapter = "2.4", ranks = 2,
  run = function(t)
    local job, own, other, channel = waiting(t, "IMPI-091", 3, { np = 2, room = 6 })
    local second = job.processes[own.rank + 1]
    for i = 1, 3 do other:send_short(second, i, i, 4) end
    t:packet("IMPI-091", channel, "PROTOACK", { src = second, dest = other })
    for i = 1, 2 do other:send_short(own, i, i, 4) end
    t:packet("IMPI-091", channel, "PROTOACK", { src = own, dest = other })
    conclude(t, "IMPI-091", job, channel)
    t:ends_in_order("IMPI-091", job)
  end,
}

case {
  id = "after-fini-each-of-three-hosts-acknowledges",
  title = "Each of three hosts of a client acknowledges and answers behind its FINI",
  purpose = "Three hosts are under test, with a process each; ackmark is 2. When all three have sent FINI, four messages and two CANCELs come to each process: three PROTOACKs, or four with the barrier's message, two cancel replies, and nothing else.",
  requirements = { "IMPI-091", "IMPI-177" }, chapter = "2.4", ranks = 3, hosts = true,
  run = function(t)
    local job = t:pair_with_marks(2, nil, { np = 3, hosts = 3, room = 4 })
    local other = job.processes[0]
    job:acknowledge_by_hand()
    t:judging("IMPI-091")
    job:start_shutdown()
    for _, channel in ipairs(job:each_channel()) do t:fini_packet("IMPI-091", channel) end
    for world = 3, 1, -1 do
      local own = job.processes[world]
      local channel, kinds = other:channel_to(own), {}
      local function come(count)
        for _ = 1, count do
          local packet, reason = channel:receive()
          t:check("IMPI-091", "a packet of host " .. own.host.rank .. " behind its FINI", packet, "comes", reason)
          kinds[#kinds + 1] = packet.type
        end
      end
      for i = 1, 2 do
        local first = other:send_short(own, 10 * i, i, 8)
        other:send_short(own, 10 * i + 1, i, 8)
        come(1)
        other:send_packet(own, { type = "CANCEL", srqid = first.srqid })
        come(1)
      end
      channel:send_packet { type = "FINI" }
      for _, kind in ipairs(channel:read_to_end()) do kinds[#kinds + 1] = kind end
      local count = all_answers(t, "IMPI-177", kinds)
      t:check("IMPI-091", "PROTOACKs of host " .. own.host.rank, count.PROTOACK == 3 or count.PROTOACK == 4, "3 or 4",
        count.PROTOACK)
      t:equal("IMPI-177", "cancel replies of host " .. own.host.rank, count.CANCELYES + count.CANCELNO, 2)
    end
    t:ends_in_order("IMPI-091", job)
  end,
}

for last = 0, 2 do
  local place = ({ "first", "second", "third" })[last + 1]
  case {
    id = "after-fini-of-others-the-" .. place .. "-is-acknowledged",
    title = "A host acknowledges packets until FINI comes on their own channel, whatever came on others: the " .. place,
    purpose = "Three hosts of two other clients, ackmark 2. The host under test and two of them have said FINI when the third sends six packets more: three PROTOACKs, and the end behind its FINI packet.",
    requirements = { "IMPI-091" }, chapter = "2.4",
    run = function(t)
      local job, _, own = t:pair_with_marks(2, nil, { room = 4, others = { { hosts = { 1, 1 } }, {} } })
      local other = job.processes[last]
      local channel = other:channel_to(own)
      job:acknowledge_by_hand()
      t:judging("IMPI-091")
      job:start_shutdown()
      for _, each in ipairs(job:each_channel()) do
        t:fini_packet("IMPI-091", each)
        if each ~= channel then each:send_packet { type = "FINI" } end
      end
      for turn = 1, 3 do
        for i = 1, 2 do other:send_short(own, 10 * turn + i, i, 20) end
        t:packet("IMPI-091", channel, "PROTOACK", { src = own, dest = other })
      end
      channel:send_packet { type = "FINI" }
      for _, each in ipairs(job:each_channel()) do t:channel_ends("IMPI-091", each) end
      t:ends_in_order("IMPI-091", job)
    end,
  }
end

case {
  id = "after-fini-packets-of-the-largest-size",
  title = "Behind its FINI a host reads packets of the largest size",
  purpose = "ackmark is 2. Ten messages of the negotiated length, two at a time: all are read, acknowledged and thrown away.",
  requirements = { "IMPI-091", "IMPI-179" }, chapter = "2.4",
  run = function(t)
    local job, own, other, channel = waiting(t, "IMPI-091", 2, { room = 4 })
    for turn = 1, 5 do
      for i = 1, 2 do other:send_short(own, 10 * turn + i, i, job.datalen) end
      t:packet("IMPI-091", channel, "PROTOACK", { src = own, dest = other })
    end
    conclude(t, "IMPI-179", job, channel)
    t:ends_in_order("IMPI-179", job)
  end,
}

case {
  id = "after-fini-nothing-but-answers",
  title = "Behind its FINI a host sends acknowledgements and cancel replies only, whatever comes",
  purpose = "Short, synchronous and long messages, CANCELs and a SYNCACK that is not awaited come late. Every packet until the end of the channel is an acknowledgement or a cancel reply.",
  requirements = { "IMPI-177" }, negative = true,
  run = function(t)
    local job, own, other, channel = waiting(t, "IMPI-177", 1, { room = 7 })
    other:send_short(own, 1, 1, 10)
    local sync = other:send_short(own, 2, 2, 10, { type = "DATASYNC" })
    local long = other:send_long(own, 3, 3, 2 * job.datalen)
    t:send_invalid_packet("IMPI-177", channel, other:packet(own, { type = "SYNCACK", srqid = 77, drqid = 78 }),
      "syncack-unasked")
    other:send_packet(own, { type = "CANCEL", srqid = sync.srqid })
    other:send_packet(own, { type = "CANCEL", srqid = long.srqid })
    local kinds, replies = {}, 0
    while replies < 2 do
      local packet, reason = channel:receive()
      t:check("IMPI-177", "a packet behind FINI", packet, "comes: two CANCELs are open", reason)
      kinds[#kinds + 1] = packet.type
      replies = replies + ((packet.type == "CANCELYES" or packet.type == "CANCELNO") and 1 or 0)
    end
    for _, kind in ipairs(conclude(t, "IMPI-177", job, channel)) do kinds[#kinds + 1] = kind end
    local count = all_answers(t, "IMPI-177", kinds)
    t:sanity("the host under test has read what came", count.PROTOACK > 0)
    t:ends_in_order("IMPI-177", job)
  end,
}

for name, kind in each { { "short", "DATA" }, { "synchronous", "DATASYNC" } } do
  case {
    id = "after-fini-late-cancel-of-a-" .. name .. "-message",
    title = "A CANCEL that comes behind the FINI of the other host is answered, once",
    purpose = "The message came before the last barrier and was never received. Its CANCEL comes behind the FINI packet: one reply with its request's number, yes or no.",
    requirements = { "IMPI-177" },
    run = function(t)
      local job, rank, own, other, channel = t:pair()
      local message = other:send_short(own, 9, 9, 30, { type = kind })
      t:ping_pong("IMPI-177", "before", rank, own, other)
      job:start_shutdown()
      t:fini_packet("IMPI-177", channel)
      other:send_packet(own, { type = "CANCEL", srqid = message.srqid })
      local reply, reason = channel:receive()
      t:check("IMPI-177", "the reply", reply and (reply.type == "CANCELYES" or reply.type == "CANCELNO"),
        "CANCELYES or CANCELNO", reply and IMPI.show_packet(reply) or reason)
      t:equal("IMPI-177", "srqid of the reply", reply.srqid, message.srqid)
      local count = all_answers(t, "IMPI-177", conclude(t, "IMPI-177", job, channel))
      t:equal("IMPI-177", "cancel replies behind the first", count.CANCELYES + count.CANCELNO, 0)
      t:ends_in_order("IMPI-177", job)
    end,
  }
end

for name, kinds in each { { "cancelyes", { "CANCELYES" } }, { "cancelno", { "CANCELNO", "SYNCACK" } } } do
  case {
    id = "after-fini-of-the-other-its-" .. name .. "-is-taken",
    title = "What the other host answers behind its FINI is taken: " .. table.concat(kinds, ", "),
    purpose = "A synchronous send is cancelled and its request freed before MPI_Finalize. What its CANCEL is answered comes directly behind the other host's FINI packet: the job ends in order.",
    requirements = { "IMPI-177" },
    run = function(t)
      local job, rank, own, other, channel = t:pair()
      local begun = rank:start_send(t, "MPI_Issend", other, 20, 1, { tag = 9 })
      local message = t:packet("IMPI-177", channel, "DATASYNC", { tag = 9 })
      t:cancel_at_once(nil, begun)
      t:skip_if(not channel:receive(2000), "the system under test sends no CANCEL")
      t:mpi(rank:MPI_Request_free { request = begun.request })
      job:start_finalize()
      local first = channel:receive(2000)
      t:skip_if(not first, "MPI_Finalize waits for the answer before it enters the barrier")
      table.insert(channel.inbox, 1, first)
      job:barrier()
      local packets = { { type = "FINI" } }
      for i, kind in ipairs(kinds) do packets[i + 1] = other:packet(own, { type = kind, srqid = message.srqid }) end
      t:judging("IMPI-177")
      channel:send_together(packets)
      t:fini_packet("IMPI-177", channel)
      t:channel_ends("IMPI-177", channel)
      t:ends_in_order("IMPI-177", job)
    end,
  }
end

case {
  id = "after-fini-protoack-opens-nothing",
  title = "After a PROTOACK that comes behind FINI no more data is sent",
  purpose = "hiwater is 1; the barrier's message was the last that could leave. The PROTOACK for it comes behind FINI, and nothing is sent but the PROTOACK that is owed for the other message of the barrier.",
  requirements = { "IMPI-177", "IMPI-178" },
  run = function(t)
    local job, _, own, other, channel = t:pair_with_marks(1, 1)
    t:judging("IMPI-178")
    job:start_shutdown()
    t:fini_packet("IMPI-178", channel)
    t:judging("IMPI-177")
    channel:protoack(other, own)
    local packet, reason = channel:receive(400)
    local owed = not (packet and packet.type == "PROTOACK")
    if not owed then packet, reason = channel:receive(400) end
    t:check("IMPI-177", "behind FINI and PROTOACK", reason == "timeout", "silence",
      packet and IMPI.show_packet(packet) or reason)
    local kinds = conclude(t, "IMPI-177", job, channel)
    if owed and kinds[1] == "PROTOACK" then table.remove(kinds, 1) end
    t:equal("IMPI-177", "packets until the end", kinds, {})
    t:ends_in_order("IMPI-177", job)
  end,
}

case {
  id = "after-fini-no-message-that-had-to-wait",
  title = "A buffered message that could not be sent before FINI is not sent after it",
  purpose = "hiwater is 1. The second process under test sends two messages with MPI_Bsend, which are not received, and calls MPI_Finalize like the first. The PROTOACK for the one message comes when FINI has come, or when FINI or the barrier waits for it: behind FINI there is no message.",
  requirements = { "IMPI-177" }, ranks = 2,
  run = function(t)
    local job, _, own, other, channel = t:pair_with_marks(1, 1, { np = 2 })
    local second, rank = job.processes[own.rank + 1], job.ranks[1]
    rank:octets("room", 4096)
    t:mpi(rank:MPI_Buffer_attach { buffer = "room", size = 4096 })
    for i = 1, 2 do t:mpi(rank:MPI_Bsend { buf = rank:new_region(8, i), count = 8, dest = 0, tag = i }) end
    t:packet("IMPI-177", channel, "DATA", { src = second, tag = 1 })
    local function waited(packet) -- MPI_Finalize, or FINI, waits for it
      t:equal("IMPI-177", "who sends the message, and its tag", { packet.src.label, packet.tag }, { second.label, 2 })
    end
    job:start_finalize()
    local first, acknowledged, reason = channel:receive(2000), false, nil
    if not first then
      channel:protoack(other, second)
      acknowledged = true
      first, reason = channel:receive()
      t:check("IMPI-177", "the message of the barrier, or the one that had to wait", first, "comes", reason)
    end
    if acknowledged and first.src == second then
      waited(first)
      channel:protoack(other, second)
    else
      table.insert(channel.inbox, 1, first)
    end
    job:barrier()
    t:packet("IMPI-177", channel, "PROTOACK", { src = own }) -- for the barrier's message
    local packet = channel:receive(1000)
    if not acknowledged then channel:protoack(other, second) end
    packet = packet or channel:receive()
    if packet and packet.type == "DATA" then
      waited(packet)
      packet = channel:receive()
    end
    t:equal("IMPI-177", "what comes next", packet and packet.type, "FINI")
    t:link_silent("IMPI-177", "behind FINI", channel, 400)
    t:equal("IMPI-177", "packets until the end", conclude(t, "IMPI-177", job, channel), {})
    t:ends_in_order("IMPI-177", job)
  end,
}

for _, kind in ipairs { "DATA", "CANCEL" } do
  case {
    id = "after-fini-of-the-other-comes-" .. kind:lower(),
    title = kind .. " behind the FINI of its own host does not harm the other clients",
    purpose = "While the job runs, the second host of the other client says FINI and sends the packet behind it. The job goes on and talks with the first host, or ends with a message.",
    requirements = { "IMPI-177" }, negative = true,
    run = function(t)
      local job, rank, own, other = t:pair { others = { { hosts = { 1, 1 } } } }
      local second = job.processes[1]
      local channel = second:channel_to(own)
      local trial = t:trial(job, rank, own, other)
      job:may_end(true)
      channel:send_packet { type = "FINI" }
      t:send_invalid_packet("IMPI-177", channel, second:packet(own,
        { type = kind, data = kind == "DATA" and "late" or nil }),
        "data-after-fini")
      if t:survived("IMPI-177", trial) then
        job:start_shutdown()
        t:fini_packet("IMPI-177", job:channel(0))
        job:channel(0):send_packet { type = "FINI" }
        job:finalized():quit()
      end
      t:ends_or_aborts("IMPI-177", job)
    end,
  }
end

case {
  id = "unmatched-before-fini",
  title = "Messages that were never received do not fail the job",
  purpose = "A short, a synchronous and the first packet of a long message wait when MPI_Finalize is called. FINI goes both ways, and the client ends with status 0.",
  requirements = { "IMPI-179" },
  run = function(t)
    local job, rank, own, other, channel = t:pair { others = { { datalen = 1000 } } }
    other:send_short(own, 1, 1, 10)
    other:send_short(own, 2, 2, 10, { type = "DATASYNC" })
    other:send_long(own, 3, 3, 5000)
    t:ping_pong("IMPI-179", "behind them", rank, own, other)
    job:start_shutdown()
    job:send_fini()
    t:fini_packet("IMPI-179", channel)
    t:channel_ends("IMPI-179", channel)
    t:ends_in_order("IMPI-179", job)
  end,
}

case {
  id = "unmatched-in-great-number",
  title = "Two hundred messages that were never received do not fail the job",
  purpose = "Two processes send a hundred messages each to two ranks, within flow control. None is received.",
  requirements = { "IMPI-179" }, ranks = 2,
  run = function(t)
    local job, rank, own, other = t:pair { np = 2, others = { { hosts = { 1, 1 } } } }
    for i = 1, 50 do
      for from = 0, 1 do
        for to = 0, 1 do job.processes[from]:send_short(job.processes[own.rank + to], i, i, 100) end
      end
    end
    t:ping_pong("IMPI-179", "behind them", rank, own, other)
    job:start_shutdown()
    job:send_fini()
    for _, channel in ipairs(job:each_channel()) do t:fini_packet("IMPI-179", channel) end
    t:ends_in_order("IMPI-179", job)
  end,
}

case {
  id = "unmatched-behind-the-barrier",
  title = "Messages that come when MPI_Finalize has ended its barrier do not fail the job",
  purpose = "Behind the last message of the barrier, in the same write, come three messages and FINI.",
  requirements = { "IMPI-179" },
  run = function(t)
    local job, _, own, other, channel = t:pair()
    job:start_finalize()
    t:packet_to("IMPI-179", "the barrier's message", other, { src = own, type = "DATA", tag = 110, cid = 1 })
    local packets = { other:packet(own, { type = "DATA", tag = 110, cid = 1 }) }
    for i = 1, 3 do
      packets[i + 1] = other:packet(own, { type = "DATA", tag = i, data = "nobody wants this" })
    end
    packets[5] = { type = "FINI" }
    channel:send_together(packets)
    t:fini_packet("IMPI-179", channel)
    t:channel_ends("IMPI-179", channel)
    t:ends_in_order("IMPI-179", job)
  end,
}

case {
  id = "unmatched-behind-fini",
  title = "Messages that come behind FINI do not fail the job",
  purpose = "The host under test has sent FINI: short, synchronous and long messages for its finalized processes come, and then the FINI packet of the other host.",
  requirements = { "IMPI-179" }, ranks = 2,
  run = function(t)
    local job, own, other, channel = waiting(t, "IMPI-179", 2, { np = 2, datalen = 1000, room = 4 })
    for i = 0, 1 do
      local process = job.processes[own.rank + i]
      other:send_short(process, 1, 1, 10)
      other:send_short(process, 2, 2, 10, { type = "DATASYNC" })
      other:send_long(process, 3, 3, 5000)
    end
    conclude(t, "IMPI-179", job, channel)
    t:ends_in_order("IMPI-179", job)
  end,
}

case {
  id = "unmatched-on-a-communicator",
  title = "Messages on another communicator that were never received do not fail the job either",
  purpose = "On a duplicate of the world, and on a communicator in another order: a short, a synchronous and the first packet of a long message wait on each when MPI_Finalize is called. The client ends with status 0.",
  requirements = { "IMPI-179" },
  run = function(t)
    local job, rank, own, other, channel = t:pair { others = { { datalen = 1000 } } }
    for place, cid in ipairs { job:dup("copy"), job:create("turned", "1,0") } do
      local lsrank = place - 1
      other:send_short(own, 1, 1, 10, { cid = cid, lsrank = lsrank })
      other:send_short(own, 2, 2, 10, { cid = cid, lsrank = lsrank, type = "DATASYNC" })
      other:send_long(own, 3, 3, 5000, { cid = cid, lsrank = lsrank })
    end
    t:ping_pong("IMPI-179", "behind them", rank, own, other)
    job:start_shutdown()
    job:send_fini()
    t:fini_packet("IMPI-179", channel)
    t:channel_ends("IMPI-179", channel)
    t:ends_in_order("IMPI-179", job)
  end,
}
