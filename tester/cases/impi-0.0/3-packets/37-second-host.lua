-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Messages of a client under test that has two hosts: what holds for its first host and process holds for all of them
-- (chapters 3.1, 3.6 and 3.7).

defaults { role = "client", suite = "p2p", ranks = 4, hosts = true }

local LIMIT = 64

-- { call, octets, the first packet }
local SENDS = { { "MPI_Isend", 20, "DATA" }, { "MPI_Issend", 20, "DATASYNC" }, { "MPI_Isend", 150, "DATASYNC" } }

-- A message of each kind from a rank under test to a scripted process.
local function leave(t, rank, own, other)
  for i, row in ipairs(SENDS) do
    local begun = rank:start_send(t, row[1], other, row[2], i, { tag = i })
    local first = t:packet_to("IMPI-099", "message " .. i, other, { src = own, type = row[3], tag = i })
    local data = first.data
    if row[3] == "DATASYNC" then other:answer("SYNCACK", first, { drqid = 6 }) end
    while #data < row[2] do
      data = data .. t:packet_to("IMPI-099", "a later packet", other, { src = own, type = "DATA", drqid = 6 }).data
    end
    t:same_octets("IMPI-099", "message " .. i, data, t.mix(i, row[2]))
    t:completes("IMPI-099", "send " .. i, begun)
  end
end

-- A synchronous and a long message the other way.
local function arrive(t, rank, own, other)
  for tag, octets in ipairs { 20, 150 } do
    local seed = 10 * own.rank + tag
    local post = rank:post_receive(t, other, octets, { tag = tag })
    local first = octets > LIMIT and other:send_long(own, tag, seed, octets)
      or other:send_short(own, tag, seed, octets, { type = "DATASYNC" })
    local ack = t:syncack("IMPI-146", other, first)
    if octets > LIMIT then other:send_rest(first, ack) end
    t:receive_completes("IMPI-146", "a message of " .. octets .. " octets", post, seed)
  end
end

case {
  id = "two-hosts-exchange-messages",
  title = "Every process of every host sends and receives messages of each kind",
  purpose = "Two hosts under test with two processes each, two scripted hosts: short, synchronous and long messages between all pairs, on the channel of their hosts.",
  requirements = { "IMPI-099", "IMPI-146" }, chapter = "3.1",
  run = function(t)
    local job = t:pair { np = 4, hosts = 2, others = { { hosts = { 1, 1 }, datalen = LIMIT } } }
    for i = 3, 0, -1 do
      local rank = job.ranks[i]
      for number = 0, 1 do
        leave(t, rank, job.processes[rank.world], job.processes[number])
        arrive(t, rank, job.processes[rank.world], job.processes[number])
      end
    end
  end,
}

case {
  id = "two-hosts-are-not-mistaken-for-each-other",
  title = "A packet for a process of one host that comes to another one reaches no process there",
  purpose = "Two hosts under test with two processes each. Messages for the processes of the second come by the channel of the first: no process of the first receives them, and honest ones go on.",
  requirements = { "IMPI-256" }, chapter = "3.5", negative = true,
  run = function(t)
    local job, rank, own, other = t:pair { np = 4, hosts = 2 }
    local trial, packets, here = t:trial(job, rank, own, other), {}, {}
    for i = 0, 3 do
      local process = job.processes[job.ranks[i].world]
      if process.host == own.host then
        here[#here + 1] = job.ranks[i]
      else
        packets[#packets + 1] = other:packet(process, { type = "DATA", tag = 1, data = "elsewhere" })
      end
    end
    t:skip_if(#packets == 0, "the system under test has all processes on one host")
    if t:survives("IMPI-256", trial, packets, "packet-dest") then
      for _, each in ipairs(here) do
        t:not_probed("IMPI-256", "a message for the other host", each, other, 1)
      end
    end
  end,
}

case {
  id = "two-hosts-control-the-flow",
  title = "Flow control holds for every process of every host",
  purpose = "ackmark 2, hiwater 3: each of four ranks on two hosts sends as many packets as it may, goes on behind its PROTOACK, and acknowledges two packets.",
  requirements = { "IMPI-126", "IMPI-129" }, suite = "packets", chapter = "3.6",
  run = function(t)
    local job = t:pair_with_marks(2, 3, { np = 4, hosts = 2, others = { { hosts = { 1, 1 } } } })
    for i = 3, 0, -1 do
      local rank, other = job.ranks[i], job.processes[i % 2]
      local own = job.processes[rank.world]
      local channel = other:channel_to(own)
      t:flood(rank, other, 5)
      t:expect_exactly("IMPI-126", channel, own, 3, 1)
      channel:protoack(other, own)
      t:expect_exactly("IMPI-126", channel, own, 2, 4)
      other:send_short(own, 1, 1, 4)
      other:send_short(own, 2, 2, 4)
      t:packet("IMPI-129", channel, "PROTOACK", { src = own, dest = other })
    end
  end,
}

case {
  id = "two-hosts-cancel",
  title = "Every process of every host cancels, and is asked to",
  purpose = "Each of four ranks on two hosts has a synchronous send cancelled by CANCELYES, and destroys a message that was never announced.",
  requirements = { "IMPI-167", "IMPI-174" }, chapter = "3.7.4",
  run = function(t)
    local job = t:pair { np = 4, hosts = 2, others = { { hosts = { 1, 1 } } } }
    for i = 3, 0, -1 do
      local rank, other = job.ranks[i], job.processes[i % 2]
      local own = job.processes[rank.world]
      t:judging("IMPI-174")
      local begun = rank:start_send(t, "MPI_Issend", other, 8, 1, { tag = 1 })
      local packet = t:packet_to("IMPI-174", "the message", other, { src = own, type = "DATASYNC" })
      t:start_cancel("IMPI-174", begun)
      t:packet_to("IMPI-174", "the CANCEL", other, { src = own, type = "CANCEL", srqid = packet.srqid })
      other:answer("CANCELYES", packet)
      t:cancel_answered("IMPI-174", "the send", begun, true)
      t:judging("IMPI-167")
      local message = other:send_short(own, 2, 2, 8)
      t:probed("IMPI-167", "the message", rank, other, 2, 8)
      other:send_packet(own, { type = "CANCEL", srqid = message.srqid })
      t:packet_to("IMPI-167", "the reply", other, { src = own, type = "CANCELYES", srqid = message.srqid })
    end
  end,
}
