-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Context identifiers, and the ranks that are told with messages (chapters 3.3 and 3.5).

defaults { role = "client", suite = "packets", chapter = "3.3" }

case {
  id = "context-of-the-world",
  title = "Messages on MPI_COMM_WORLD carry context identifier 0",
  purpose = "A short, a synchronous and a long one, in all packets; and what comes with 0 is received there.",
  requirements = { "IMPI-103" },
  run = function(t)
    local _, rank, own, other, channel = t:pair { others = { { datalen = 64 } } }
    for tag, row in ipairs { { "MPI_Isend", 10 }, { "MPI_Issend", 10 }, { "MPI_Isend", 100 } } do
      local begun = rank:start_send(t, row[1], other, row[2], tag, { tag = tag })
      local packet = t:packet("IMPI-103", channel, tag == 1 and "DATA" or "DATASYNC", { src = own, tag = tag, cid = 0 })
      if tag > 1 then other:answer("SYNCACK", packet, { drqid = 1 }) end
      if row[2] > 64 then
        t:packet("IMPI-103", channel, "DATA", { src = own, tag = tag, cid = 0 })
      end
      t:completes("IMPI-103", "send " .. tag, begun)
    end
    other:send_short(own, 4, 4, 10, { cid = 0 })
    t:receives("IMPI-103", "a message with 0", rank, other, 4, 10, { tag = 4 })
  end,
}

case {
  id = "context-rank-of-collective-messages",
  title = "Messages of collective operations tell the rank in their communicator too",
  purpose = "A communicator in which both processes have the other's rank: a barrier and a broadcast from its rank 0, which is rank 1 of the world. Whichever packets they send are looked at.",
  requirements = { "IMPI-116" },
  run = function(t)
    local job, rank, own, other = t:pair()
    local cid, seen = job:create("c", "1,0") + 1, 0
    local function looks(what, call)
      for _, packet in ipairs(job:receive_to_fence(1)) do
        if packet.cid == cid then
          seen = seen + 1
          t:equal("IMPI-116", "pk_lsrank of " .. what, packet.lsrank, 0)
        end
      end
      t:rc("IMPI-116", call:finish(), "MPI_SUCCESS")
    end
    local call = job:fenced(rank):start_MPI_Barrier { comm = "c" }
    other:send(own, { tag = 110, cid = cid, lsrank = 1 })
    looks("a barrier", call)
    call = job:fenced(rank):start_MPI_Bcast { buffer = rank:new_region(8), count = 2, datatype = "MPI_INT", root = 0,
      comm = "c" }
    looks("a broadcast", call)
    t:skip_if(seen == 0, "the system under test sends nothing in the collective context of the communicator")
  end,
}

case {
  id = "context-of-new-communicators",
  title = "Every communicator has a context identifier of its own, which all its processes use",
  purpose = "Three communicators are made; both ranks use the one that was agreed on, all are different, and what comes with it is received.",
  requirements = { "IMPI-104" }, ranks = 2,
  run = function(t)
    local job, _, _, other = t:pair { np = 2 }
    local cids = { a = job:dup("a"), b = job:create("b", "2,1,0"), c = job:dup("c") }
    local different = cids.a ~= cids.b and cids.b ~= cids.c and cids.a ~= cids.c
    t:check("IMPI-104", "the identifiers that were agreed on", different and math.min(cids.a, cids.b, cids.c) > 1,
      "are different, and not those of the world", string.format("%d %d %d", cids.a, cids.b, cids.c))
    for i = 0, 1 do
      local rank, own = job.ranks[i], job.processes[1 + i]
      for name, place in pairs { a = 0, b = 2, c = 0 } do
        rank:start_send(t, "MPI_Isend", { rank = place }, 4, 1, { tag = 1, comm = name })
        t:packet("IMPI-104", other:channel_to(own), "DATA", { src = own, tag = 1, cid = cids[name] })
        other:send_short(own, 2, cids[name], 4, { cid = cids[name], lsrank = place })
        t:receives("IMPI-104", "a message on " .. name, rank, { rank = place }, cids[name], 4, { tag = 2, comm = name })
      end
    end
  end,
}

for _, least in ipairs { 0xffffffff, 0x1234567890ab } do
  case {
    id = string.format("context-large-%x", least),
    title = string.format("Context identifiers above 0x%x are taken", least),
    purpose = "Another process has used up all below. Messages go both ways on the new communicator.",
    requirements = { "IMPI-104" },
    run = function(t)
      local job, rank, own, other, channel = t:pair()
      local cid = job:dup("a", least)
      t:sanity("the identifier is large", cid > 0xffffffff)
      rank:start_send(t, "MPI_Isend", other, 4, 1, { tag = 1, comm = "a" })
      t:packet("IMPI-104", channel, "DATA", { src = own, tag = 1, cid = cid })
      other:send_short(own, 1, 9, 4, { cid = cid & 0xffffffff })
      other:send_short(own, 1, 2, 4, { cid = cid })
      t:receives("IMPI-104", "a message with all 64 bits of it", rank, other, 2, 4, { tag = 1, comm = "a" })
    end,
  }
end

for name, cid in each { { "two", 2 }, { "one", 1 }, { "large", 1 << 32 }, { "ones", -1 },
    { "sign", math.mininteger } } do
  case {
    id = "context-other-" .. name,
    title = string.format("A message with context identifier 0x%x does not match a receive on MPI_COMM_WORLD", cid),
    purpose = "It has source and tag of the next one, which has 0 and is received; a receive with wildcards does not take it either.",
    requirements = { "IMPI-105" },
    run = function(t)
      local _, rank, own, other = t:pair()
      local wild = rank:post_receive(t, "MPI_ANY_SOURCE", 4, { tag = "MPI_ANY_TAG" })
      other:send_short(own, 1, 1, 4, { cid = cid })
      other:send_short(own, 1, 2, 4)
      t:receive_completes("IMPI-105", "the receive with wildcards", wild, 2)
      other:send_short(own, 3, 3, 4, { cid = cid })
      other:send_short(own, 3, 4, 4)
      t:receives("IMPI-105", "the message on the world", rank, other, 4, 4, { tag = 3 })
      t:not_probed("IMPI-105", "another message on the world", rank, other, 3)
    end,
  }
end

-- Messages that are there before their receive. The other message has come first, so that a receive which forgets its
-- communicator finds that one.
for name, source, tag in each { { "any-source", "MPI_ANY_SOURCE", 1 }, { "any-tag", nil, "MPI_ANY_TAG" },
    { "any", "MPI_ANY_SOURCE", "MPI_ANY_TAG" } } do
  case {
    id = "context-unexpected-" .. name,
    title = "A message that waits is received on its communicator alone, with wildcards too (" .. name .. ")",
    purpose = "On each of two communicators a message waits, that of the other first. A probe and a receive on one of them find the second message; on the other one, the first.",
    requirements = { "IMPI-105" },
    run = function(t)
      local job, rank, own, other = t:pair()
      job:needs("datalen", 8)
      local cids = { copy = job:dup("copy"), MPI_COMM_WORLD = 0 }
      for turn, comms in ipairs { { "copy", "MPI_COMM_WORLD" }, { "MPI_COMM_WORLD", "copy" } } do
        for i = 1, 2 do other:send_short(own, 1, 10 * turn + i, 4 * i, { cid = cids[comms[i]] }) end
        t:mpi(rank:MPI_Probe { source = other.rank, tag = 1, comm = comms[2] }) -- so both are there
        for i = 2, 1, -1 do
          local given = { source = source or other.rank, tag = tag, comm = comms[i] }
          local there = rank:call("arrived", { source = given.source, tag = tag, comm = comms[i], ms = 8000 })
          t:equal("IMPI-105", "a message is found on " .. comms[i], there.flag, true)
          local post = rank:post_receive(t, source or other, 4 * i, { tag = tag, comm = comms[i] })
          t:receive_completes("IMPI-105", "the message on " .. comms[i], post, 10 * turn + i, 4 * i, 1)
          t:equal("IMPI-105", "another one is found on " .. comms[i], t:mpi(rank:MPI_Iprobe(given)).flag, false)
        end
      end
    end,
  }
end

case {
  id = "context-tells-communicators-apart",
  title = "Messages of one source and tag belong to the receives on their communicator",
  purpose = "The world and two duplicates: messages come in one order and are received in another.",
  requirements = { "IMPI-105" },
  run = function(t)
    local job, rank, own, other = t:pair()
    local cids = { job:dup("a"), job:dup("b"), 0 }
    for i = 1, 3 do other:send_short(own, 1, i, 4, { cid = cids[i] }) end
    for i, comm in pairs { [3] = "MPI_COMM_WORLD", [2] = "b", [1] = "a" } do
      t:receives("IMPI-105", "the message on " .. comm, rank, other, i, 4, { tag = 1, comm = comm })
    end
  end,
}

case {
  id = "context-of-a-communicator-of-all",
  title = "A communicator of all processes of another one, in their order, has a context identifier of its own",
  purpose = "MPI_Comm_create with the group of the world: messages on it carry what was agreed on, and one on the world is not received there.",
  requirements = { "IMPI-104" }, ranks = 2,
  run = function(t)
    local job, _, _, other = t:pair { np = 2 }
    local cid = job:create("all", "0,1,2")
    for i = 0, 1 do
      local rank, own = job.ranks[i], job.processes[1 + i]
      rank:start_send(t, "MPI_Isend", other, 4, 1, { tag = 1, comm = "all" })
      t:packet("IMPI-104", other:channel_to(own), "DATA", { src = own, tag = 1, cid = cid })
      other:send_short(own, 2, 7, 4)
      other:send_short(own, 2, 8, 4, { cid = cid })
      t:receives("IMPI-104", "a message on it", rank, other, 8, 4, { tag = 2, comm = "all" })
      t:receives("IMPI-104", "a message on the world", rank, other, 7, 4, { tag = 2 })
    end
  end,
}

case {
  id = "context-large-within-the-client",
  title = "Large context identifiers tell communicators apart within the client, too",
  purpose = "Three copies of the world with identifiers above 32 bits, of which two differ in their upper half alone. Messages of one tag go from one rank under test to the other on all of them, and are received in another order.",
  requirements = { "IMPI-105" }, ranks = 2,
  run = function(t)
    local job, rank, own = t:pair { np = 2 }
    local least = { a = 1 << 40 | 1, b = 1 << 40 | 1001, c = 1 << 41 | 1 }
    for _, name in ipairs { "a", "b", "c" } do job:dup(name, least[name]) end
    for seed, name in ipairs { "a", "b", "c", "MPI_COMM_WORLD" } do
      job.ranks[1]:start_send(t, "MPI_Isend", own, 4, seed, { tag = 1, comm = name })
    end
    for _, row in ipairs { { 3, "c" }, { 4, "MPI_COMM_WORLD" }, { 2, "b" }, { 1, "a" } } do
      t:receives("IMPI-105", "the message on " .. row[2], rank, { rank = own.rank + 1 }, row[1], 4,
        { tag = 1, comm = row[2] })
    end
  end,
}

case {
  id = "context-not-yet-known",
  title = "Messages for a communicator that is not made yet are kept until it is",
  purpose = "A process that has finished MPI_Comm_dup sends at once to both ranks, which have not: a short message, a long one, a synchronous one with data and one without. They receive the messages when they have.",
  requirements = { "IMPI-106" }, ranks = 2,
  run = function(t)
    local job, _, _, other = t:pair { np = 2 }
    local pending = {}
    for i = 0, 1 do pending[i] = job.ranks[i]:start_MPI_Comm_dup { newcomm = "a" } end
    local highest = job:offered() | 1
    for i = 1, 2 do
      other:send_short(job.processes[i], 1, i, 8, { cid = highest + 1 })
      other:send_long(job.processes[i], 2, 10 + i, job.datalen + 5, { cid = highest + 1, srqid = 50 + i })
      other:send_short(job.processes[i], 3, 20 + i, 8, { cid = highest + 1, type = "DATASYNC", srqid = 60 + i })
      other:send_short(job.processes[i], 4, 30 + i, 0, { cid = highest + 1, type = "DATASYNC", srqid = 70 + i })
    end
    for i = 0, 1 do
      t:sanity("MPI_Comm_dup of rank " .. 1 + i .. " has not returned", not pending[i]:done())
    end
    job:decide(highest)
    for i = 0, 1 do
      local rank = job.ranks[i]
      t:rc("IMPI-106", pending[i]:finish(), "MPI_SUCCESS")
      t:receives("IMPI-106", "the early message", rank, other, i + 1, 8, { tag = 1, comm = "a" })
      for tag, row in ipairs { { 8 }, { job.datalen + 5, 50, "long" }, { 8, 60, "synchronous" },
          { 0, 70, "empty synchronous" } } do
        local post = tag > 1 and rank:post_receive(t, other, row[1], { tag = tag, comm = "a" })
        if post then
          t:packet_to("IMPI-106", "the SYNCACK of the early " .. row[3] .. " message", other,
            { src = job.processes[i + 1], type = "SYNCACK", srqid = row[2] + i + 1 })
        end
        if tag > 2 then
          t:receive_completes("IMPI-106", "the early " .. row[3] .. " message", post, 10 * (tag - 1) + i + 1, row[1])
        end
      end
    end
  end,
}

case {
  id = "context-not-yet-known-of-a-broadcast",
  title = "A collective message for a communicator that is not made yet is kept until it is",
  purpose = "A process that has finished MPI_Comm_dup broadcasts there at once. When the rank has finished it too, its MPI_Bcast takes what came. One on the world, which goes the same way, comes before.",
  requirements = { "IMPI-106" },
  run = function(t)
    local job, rank, own, other = t:pair()
    job:needs("datalen", 16)
    job:start_bcast(0):send_bcast(other)
    if not t:bcast_completes("IMPI-106", job) then return end
    local pending = rank:start_MPI_Comm_dup { newcomm = "a" }
    local highest = job:offered() | 1
    job:send_bcast(other, own, { cid = highest + 2 })
    t:sanity("MPI_Comm_dup has not returned", not pending:done())
    job:decide(highest)
    t:rc("IMPI-106", pending:finish(), "MPI_SUCCESS")
    job:start_bcast(0, nil, nil, "a")
    local late, call = t:now() + 8000, job.bcasts[0].call
    while not call:done() and t:now() < late do job:receive_packets(1, 50) end
    t:equal("IMPI-106", "MPI_Bcast on the new communicator has returned", call:done(), true)
    t:bcast_completes("IMPI-106", job)
  end,
}

case {
  id = "context-not-yet-known-in-great-number",
  title = "Forty messages for a communicator that is not made yet are all kept until it is",
  purpose = "A process that has finished MPI_Comm_dup sends them at once, within flow control. They are received when the rank has finished it too, in their order.",
  requirements = { "IMPI-106" },
  run = function(t)
    local job, rank, own, other = t:pair()
    local pending = rank:start_MPI_Comm_dup { newcomm = "a" }
    local highest = job:offered() | 1
    for i = 1, 40 do other:send_short(own, 1, i, 8, { cid = highest + 1 }) end
    t:sanity("MPI_Comm_dup has not returned", not pending:done())
    job:decide(highest)
    t:rc("IMPI-106", pending:finish(), "MPI_SUCCESS")
    for i = 1, 40 do
      t:receives("IMPI-106", "early message " .. i, rank, other, i, 8, { tag = 1, comm = "a" })
    end
  end,
}

case {
  id = "rank-in-the-world",
  title = "pk_lsrank on MPI_COMM_WORLD is the sender's rank there",
  purpose = "Two ranks of the third client. The messages are received with MPI_ANY_SOURCE, and MPI_SOURCE is the rank that was told.",
  requirements = { "IMPI-116" }, chapter = "3.5", ranks = 2,
  run = function(t)
    local job = t:pair { np = 2, others = { { hosts = { 2 } }, {} } }
    for i = 0, 1 do
      local rank, own = job.ranks[i], job.processes[3 + i]
      for world = 0, 2 do
        local process = job.processes[world]
        rank:start_send(t, "MPI_Isend", process, 4, 1, { tag = 1 })
        t:packet("IMPI-116", process:channel_to(own), "DATA", { src = own, lsrank = 3 + i })
        process:send_short(own, 1, 7, 4)
        local post = rank:post_receive(t, "MPI_ANY_SOURCE", 4, { tag = 1 })
        t:equal("IMPI-116", "MPI_SOURCE", t:receive_completes("IMPI-116", "the receive", post, 7).status.source, world)
      end
    end
  end,
}

case {
  id = "rank-in-a-communicator",
  title = "pk_lsrank is the sender's rank in the communicator that is used",
  purpose = "A communicator with the ranks of the world in reverse order: the last rank sends as 0, and what process 0 sends comes from rank 2.",
  requirements = { "IMPI-116" }, chapter = "3.5", ranks = 2,
  run = function(t)
    local job, _, _, other, channel = t:pair { np = 2 }
    local cid = job:create("r", "2,1,0")
    for i = 0, 1 do
      local rank, own = job.ranks[i], job.processes[1 + i]
      rank:start_send(t, "MPI_Isend", { rank = 2 }, 4, 1, { tag = 1, comm = "r" })
      t:packet("IMPI-116", channel, "DATA", { src = own, dest = other, cid = cid, lsrank = 1 - i })
      other:send_short(own, 1, 7, 4, { cid = cid, lsrank = 2 })
      local post = rank:post_receive(t, "MPI_ANY_SOURCE", 4, { tag = 1, comm = "r" })
      t:equal("IMPI-116", "MPI_SOURCE", t:receive_completes("IMPI-116", "the receive from anybody", post,
        7).status.source, 2)
      other:send_short(own, 1, 8, 4, { cid = cid, lsrank = 2 })
      t:receives("IMPI-116", "the receive from rank 2", rank, { rank = 2 }, 8, 4, { tag = 1, comm = "r" })
    end
  end,
}

case {
  id = "rank-in-every-kind-of-message",
  title = "pk_lsrank is the rank in the communicator that is used, in every packet of every kind of message",
  purpose = "A communicator with the ranks of the world in reverse order. Each rank sends on it empty, short and long messages, standard and synchronous ones; later packets have the rank too.",
  requirements = { "IMPI-116" }, chapter = "3.5", ranks = 2,
  run = function(t)
    local job, _, _, other, channel = t:pair { np = 2, others = { { datalen = 64 } } }
    local cid = job:create("r", "2,1,0")
    for i = 0, 1 do
      local rank, own = job.ranks[i], job.processes[1 + i]
      for tag, row in ipairs { { "MPI_Isend", 0 }, { "MPI_Isend", 4 }, { "MPI_Isend", 180 }, { "MPI_Issend", 0 },
        { "MPI_Issend", 4 }, { "MPI_Issend", 180 } } do
        local begun = rank:start_send(t, row[1], { rank = 2 }, row[2], tag, { tag = tag, comm = "r" })
        local expected = { src = own, tag = tag, cid = cid, lsrank = 1 - i }
        local acknowledged = tag > 3 or row[2] > 64
        local first = t:packet("IMPI-116", channel, acknowledged and "DATASYNC" or "DATA", expected)
        if acknowledged then other:answer("SYNCACK", first, { drqid = tag }) end
        local left = row[2] - first.len -- in packets of any length up to the limit
        while left > 0 do left = left - t:packet("IMPI-116", channel, "DATA", expected).len end
        t:completes("IMPI-116", row[1] .. " of " .. row[2] .. " octets", begun)
      end
    end
  end,
}

case {
  id = "rank-told-by-a-probe",
  title = "MPI_SOURCE of a probed message is the sender's rank in the communicator that is used",
  purpose = "A communicator with the ranks of the world in reverse order: a short, an empty and a long message of process 0 are probed with MPI_ANY_SOURCE, and then received from the rank that was told.",
  requirements = { "IMPI-116" }, chapter = "3.5", ranks = 2,
  run = function(t)
    local job, rank, own, other = t:pair { np = 2, others = { { datalen = 64 } } }
    local cid = job:create("r", "2,1,0")
    for tag, octets in ipairs { 4, 0, 100 } do
      local given, first = { cid = cid, lsrank = 2 }, nil
      if octets > 64 then
        first = other:send_long(own, tag, tag, octets, given)
      else
        other:send_short(own, tag, tag, octets, given)
      end
      local seen = rank:call("arrived", { source = "MPI_ANY_SOURCE", tag = tag, comm = "r", ms = 5000, status = "s" })
      t:check("IMPI-116", "a message of " .. octets .. " octets is probed", seen.rc == "MPI_SUCCESS" and seen.flag,
        "a message", seen.rc)
      t:equal("IMPI-116", "MPI_SOURCE of " .. octets .. " octets", seen.status and seen.status.source, 2)
      local post = rank:post_receive(t, { rank = 2 }, math.max(octets, 1), { tag = tag, comm = "r" })
      if first then other:send_rest(first, t:syncack("IMPI-116", other, first)) end
      t:receive_completes("IMPI-116", "the message of " .. octets .. " octets", post, tag, octets)
    end
  end,
}

case {
  id = "rank-in-an-intercommunicator",
  title = "pk_lsrank on an intercommunicator is the sender's rank in its own group, on both sides",
  purpose = "Each rank of a group of two sends to each of three remote ones, and is sent a message by each, which it receives with MPI_ANY_SOURCE: MPI_SOURCE is the rank in the remote group.",
  requirements = { "IMPI-116" }, chapter = "3.5", ranks = 2,
  run = function(t)
    local inter = t:inter({ 4, 3 }, { 2, 0, 1 })
    for i, rank in ipairs(inter.ranks) do
      for j, remote in ipairs(inter.remote) do
        rank:start_send(t, "MPI_Isend", { rank = j - 1 }, 4, 1, { tag = 1, comm = inter.name })
        local packet = t:packet_to("IMPI-116", string.format("a message of rank %d to rank %d", i - 1, j - 1), remote,
          { src = inter.own[i], type = "message", tag = 1, cid = inter.cid })
        t:equal("IMPI-116", "pk_lsrank", packet.lsrank, i - 1)
        remote:send_short(inter.own[i], 2, j, 4, { cid = inter.cid, lsrank = j - 1 })
        local post = rank:post_receive(t, "MPI_ANY_SOURCE", 4, { tag = 2, comm = inter.name })
        local result = t:receive_completes("IMPI-116", "a message from rank " .. j - 1, post, j)
        t:equal("IMPI-116", "MPI_SOURCE", result.status.source, j - 1)
      end
    end
  end,
}

case {
  id = "context-of-the-world-in-every-send",
  title = "Messages of every kind of send on MPI_COMM_WORLD carry context identifier 0",
  purpose = "Blocking, immediate, persistent and combined sends in each mode, of 8 octets and of none: all of their packets.",
  requirements = { "IMPI-103" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local buf, tag = rank:new_region(8, 1), 0
    rank:octets("attached", 8192)
    t:mpi(rank:MPI_Buffer_attach { buffer = "attached", size = 8192 })
    local function look(kind)
      local packet = t:packet_to("IMPI-103", "the packet of " .. kind, other, { src = own, tag = tag })
      t:equal("IMPI-103", "pk_cid of " .. kind, packet.cid, 0)
      if packet.type == "DATASYNC" then other:answer("SYNCACK", packet, { drqid = 1 }) end
    end
    for _, count in ipairs { 8, 0 } do
      for _, mode in ipairs { "send", "bsend", "rsend", "ssend" } do
        tag = tag + 1
        local call = "MPI_" .. mode:sub(1, 1):upper() .. mode:sub(2)
        local sending = rank["start_" .. call](rank, { buf = buf, count = count, dest = other.rank, tag = tag })
        look(call)
        t:rc("IMPI-103", sending:finish(), "MPI_SUCCESS")
        tag = tag + 1
        local begun = rank:start_send(t, "MPI_I" .. mode, other, count, 1, { tag = tag })
        look("MPI_I" .. mode)
        t:completes("IMPI-103", "MPI_I" .. mode, begun)
        tag = tag + 1
        local request = "p" .. tag
        t:mpi(rank[call .. "_init"](rank, { buf = buf, count = count, dest = other.rank, tag = tag,
          request = request }))
        for _ = 1, 2 do
          t:mpi(rank:MPI_Start { request = request })
          look(call .. "_init")
          t:completes("IMPI-103", call .. "_init", { rank = rank, request = request })
        end
      end
      tag = tag + 1
      other:send_short(own, tag, tag, 8)
      local both = rank:start_MPI_Sendrecv { sendbuf = buf, sendcount = count, sendtype = "MPI_BYTE", dest = other.rank,
        sendtag = tag, recvbuf = rank:new_region(8), recvcount = 8, recvtype = "MPI_BYTE", source = other.rank,
        recvtag = tag, comm = "MPI_COMM_WORLD" }
      look("MPI_Sendrecv")
      t:rc("IMPI-103", both:finish(), "MPI_SUCCESS")
    end
    t:channel_silent("IMPI-103", "nothing more comes", channel)
  end,
}
