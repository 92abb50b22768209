-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Barrier in its local and its linear form, its masters, and what its messages are (chapters 4.2 and 4.10). Every
-- client in the job is as good as one process: its master.

defaults { role = "client", suite = "collective", chapter = "4.10" }

---- local phases -----------------------------------------------------------------------------------------------------

for late = 0, 2 do
  case {
    id = "barrier-master-waits-for-process-" .. late,
    title = string.format("A master sends nothing before process %d of its client has entered the barrier", late),
    purpose = "Two of three processes under test are in MPI_Barrier: silence. When the third one enters, the message comes.",
    requirements = { "IMPI-210" }, ranks = 3,
    run = function(t)
      local job = t:job_of_clients(1, 2, { np = 3 })
      job:start_barrier(nil, { (late + 1) % 3, (late + 2) % 3 })
      t:equal("IMPI-210", "messages while a process is missing", job:destinations(0), {})
      t:barrier_blocks("IMPI-210", "while a process is missing", job)
      job:start_barrier(nil, { late })
      t:equal("IMPI-210", "messages when all are there are for", job:destinations(1), { 0 })
      job:send_barrier { 0 }
      t:barrier_completes("IMPI-210", "afterwards", job)
    end,
  }
end

case {
  id = "barrier-first-master-waits-for-its-processes",
  title = "Master 0 answers no other master before all processes of its own client have entered",
  purpose = "Both other masters have sent their messages, and one process under test is missing: no answer. When it enters, both are answered.",
  requirements = { "IMPI-210" }, ranks = 2, incoming = true,
  run = function(t)
    local job = t:job_of_clients(0, 3, { np = 2 })
    job:start_barrier(nil, { 0 }):send_barrier { 1, 2 }
    t:equal("IMPI-210", "answers while a process is missing", job:destinations(0), {})
    job:start_barrier(nil, { 1 })
    t:equal("IMPI-210", "answers are for", job:destinations(2), { 2, 3 })
    t:barrier_completes("IMPI-210", "afterwards", job)
  end,
}

for place = 0, 1 do
  case {
    id = "barrier-processes-of-client-" .. place .. "-wait-for-the-others",
    title = string.format("No process of client %d leaves the barrier before the other clients are there", place),
    purpose = "All three processes under test have entered, the other client is late: none of them returns.",
    requirements = { "IMPI-211" }, ranks = 3, incoming = place == 0,
    run = function(t)
      local job = t:job_of_clients(place, 2, { np = 3 })
      job:start_barrier()
      job:destinations(place)
      t:barrier_blocks("IMPI-211", "while the other client is missing", job)
      job:send_barrier { 1 - place }
      t:barrier_completes("IMPI-211", "when it is there", job)
    end,
  }
end

case {
  id = "barrier-within-one-client",
  title = "A barrier of one client holds up all of its processes, and sends nothing to others",
  purpose = "MPI_Barrier on a communicator that has only processes under test: no process leaves before the last one enters, and there is silence between the clients.",
  requirements = { "IMPI-182", "IMPI-211" }, ranks = 3,
  run = function(t)
    local job = t:job_of_clients(1, 2, { np = 3 })
    job:create("native", "1,2,3")
    t:judging("IMPI-211")
    job:start_barrier("native", { 0, 1 })
    t:equal("IMPI-182", "messages to the other client", job:destinations(0), {})
    t:barrier_blocks("IMPI-211", "while a process is missing", job)
    job:start_barrier("native", { 2 })
    t:barrier_completes("IMPI-211", "when all are there", job)
    t:equal("IMPI-182", "messages to the other client until the job ends", #job:remaining_packets(), 0)
  end,
}

---- the linear form --------------------------------------------------------------------------------------------------

-- { clients, place of the client under test }
local LINEAR = { { 2, 1 }, { 3, 1 }, { 3, 2 } }

for count, place in each(LINEAR) do
  case {
    id = string.format("barrier-linear-%d-of-%d", place, count),
    title = string.format("Of %d masters, master %d sends to master 0 alone", count, place),
    purpose = "One message to master 0 and none to anybody else; behind the answer all leave, and nothing more is sent.",
    requirements = { "IMPI-182", "IMPI-214" }, incoming = place < count - 1,
    run = function(t)
      local job = t:job_of_clients(place, count)
      t:judging("IMPI-214")
      for _ = 1, 2 do
        job:start_barrier()
        t:equal("IMPI-214", "the barrier's messages are for", job:destinations(1), { 0 })
        job:send_barrier { 0 }
        t:barrier_completes("IMPI-214", "behind the answer", job)
        t:equal("IMPI-182", "further messages", job:destinations(0), {})
      end
      t:equal("IMPI-182", "further messages until the job ends", #job:remaining_packets(), 0)
    end,
  }
  case {
    id = string.format("barrier-linear-%d-of-%d-waits", place, count),
    title = string.format("Master %d of %d waits for the answer of master 0", place, count),
    purpose = "The message goes to master 0, and the call returns only when master 0 has answered.",
    requirements = { "IMPI-212" }, incoming = place < count - 1,
    run = function(t)
      local job = t:job_of_clients(place, count)
      job:start_barrier()
      if t:reconstructed("IMPI-212", "the barrier's messages are for", job:destinations(1), { 0 })
          and t:reconstructed("IMPI-212", "MPI_Barrier has returned before the answer", job.entered[0]:done(),
            false) then
        job:send_barrier { 0 }
        t:barrier_completes("IMPI-212", "behind the answer", job)
      end
    end,
  }
end

for count = 2, 3 do
  case {
    id = string.format("barrier-linear-first-of-%d", count),
    title = string.format("Of %d masters, master 0 answers all others", count),
    purpose = "All others have sent their messages: each is answered by one message, and nothing more is sent.",
    requirements = { "IMPI-182", "IMPI-214" }, incoming = true,
    run = function(t)
      local job, others = t:job_of_clients(0, count), {}
      for i = 1, count - 1 do others[i] = i end
      t:judging("IMPI-214")
      for _ = 1, 2 do
        job:start_barrier():send_barrier(others)
        t:equal("IMPI-214", "the answers are for", job:destinations(count - 1), others)
        t:barrier_completes("IMPI-214", "afterwards", job)
        t:equal("IMPI-182", "further messages", job:destinations(0), {})
      end
      t:equal("IMPI-182", "further messages until the job ends", #job:remaining_packets(), 0)
    end,
  }
  for late = 1, count - 1 do
    case {
      id = string.format("barrier-linear-first-of-%d-waits-for-%d", count, late),
      title = string.format("Master 0 of %d answers no master before master %d has sent its message", count, late),
      purpose = "All others are there. When the late one comes, all are answered.",
      requirements = { "IMPI-213" }, incoming = true,
      run = function(t)
        local job, others = t:job_of_clients(0, count), {}
        for i = 1, count - 1 do others[#others + 1] = i ~= late and i or nil end
        job:start_barrier():send_barrier(others)
        if t:reconstructed("IMPI-213", "answers while a master is missing are for", job:destinations(0), {}) then
          job:send_barrier { late }
          t:reconstructed("IMPI-213", "the number of answers", #job:destinations(count - 1), count - 1)
        end
      end,
    }
  end
end

case {
  id = "barrier-linear-first-of-unequal-clients",
  title = "Master 0 waits for the other masters and answers them where their ranks are not their numbers",
  purpose = "Two processes under test, two of the second client and one of the third: the masters have the ranks 0, 2 and 4. While one of them is missing nobody is answered; then both are.",
  requirements = { "IMPI-213" }, ranks = 2, incoming = true,
  run = function(t)
    local job = t:job_of_clients(0, 3, { np = 2, others = { { hosts = { 2 } } } })
    for late = 1, 2 do
      job:start_barrier():send_barrier { 3 - late }
      if not t:reconstructed("IMPI-213", "answers while a master is missing are for", job:destinations(0), {}) then
        return
      end
      job:send_barrier { late }
      if not t:reconstructed("IMPI-213", "answers are for", job:destinations(2), job:masters { 1, 2 }) then return end
      t:barrier_completes("IMPI-213", "afterwards", job)
    end
  end,
}

for late = 1, 5 do
  case {
    id = "barrier-linear-first-of-6-waits-for-" .. late,
    title = string.format("With a limit of eight, master 0 of six answers no master before master %d has come", late),
    purpose = "The users of all clients have chosen the limit. All others are there; when the late one comes, all are answered.",
    requirements = { "IMPI-213" }, incoming = true,
    run = function(t)
      local job, others = t:job_with_limit(0, 6, 8), {}
      for i = 1, 5 do others[#others + 1] = i ~= late and i or nil end
      job:start_barrier():send_barrier(others)
      if t:reconstructed("IMPI-213", "answers while a master is missing are for", job:destinations(0), {}) then
        job:send_barrier { late }
        t:reconstructed("IMPI-213", "the number of answers", #job:destinations(5), 5)
      end
    end,
  }
end

---- messages ---------------------------------------------------------------------------------------------------------

-- What a barrier's message is like.
local function look(packet)
  return string.format("%d octets, tag %d, cid %d", packet.msglen, packet.tag, packet.cid)
end

for _, row in ipairs { { "up", 1, 2 }, { "down", 0, 2 }, { "up-the-tree", 5, 6 }, { "down-the-tree", 0, 5 } } do
  local name, place, count = row[1], row[2], row[3]
  case {
    id = "barrier-message-" .. name,
    title = "A barrier's message is empty, has tag 110 and the context identifier 1 on MPI_COMM_WORLD",
    purpose = string.format("The messages of master %d of %d.", place, count),
    requirements = { "IMPI-209" }, incoming = place < count - 1,
    run = function(t)
      local job = t:job_of_clients(place, count)
      job:start_barrier()
      if place == 0 then job:send_barrier(count == 2 and { 1 } or { 1, 2, 4 }) end
      local packets = job:receive_to_fence(1)
      t:reconstructed("IMPI-209", "there are messages", #packets > 0, true)
      for _, packet in ipairs(packets) do
        t:reconstructed("IMPI-209", "the message to " .. packet.dest.label, look(packet), "0 octets, tag 110, cid 1")
      end
    end,
  }
end

case {
  id = "barrier-context-of-a-new-communicator",
  title = "A barrier goes over the context identifier behind that of the communicator",
  purpose = "On MPI_COMM_WORLD 1; on two new communicators the one that was agreed on, and one more.",
  requirements = { "IMPI-186" }, chapter = "4.3",
  run = function(t)
    local job = t:job_of_clients(1, 2)
    local cids = { MPI_COMM_WORLD = 0, a = job:dup("a"), b = job:dup("b", 101) }
    for _, comm in ipairs { "b", "MPI_COMM_WORLD", "a" } do
      job:start_barrier(comm)
      local packet = job:receive_to_fence(1)[1]
      if not t:reconstructed("IMPI-186", "context identifier of the barrier on " .. comm, packet and packet.cid,
          cids[comm] + 1) then
        return
      end
      job:send_barrier({ 0 }, { cid = cids[comm] + 1 })
      t:barrier_completes("IMPI-186", "on " .. comm, job)
    end
  end,
}

case {
  id = "barrier-is-not-left-by-a-message-of-the-program",
  title = "A message of the program with the barrier's tag is not the barrier's",
  purpose = "The other master sends a message with tag 110 on the context of point-to-point messages: MPI_Barrier does not return. Behind the barrier MPI_Recv receives it.",
  requirements = { "IMPI-186", "IMPI-211" }, chapter = "4.3",
  run = function(t)
    local job, rank, own, other = t:pair()
    t:judging("IMPI-211")
    job:start_barrier()
    job:destinations(1)
    other:send_short(own, 110, 5, 0)
    t:equal("IMPI-211", "messages behind it", job:destinations(0), {})
    local inside = t:reconstructed("IMPI-186", "MPI_Barrier has returned for a message on another context",
      job.entered[0]:done(), false)
    t:barrier_blocks("IMPI-211", "while the other client is missing", job)
    if inside then
      job:send_barrier { 0 }
      t:barrier_completes("IMPI-211", "behind the barrier's message", job)
      t:receives("IMPI-211", "the program's message", rank, other, 5, 0, { tag = 110 })
    end
  end,
}

case {
  id = "barrier-tags-of-collective-operations",
  title = "Barrier has tag 110, Reduce 190, Bcast 120",
  purpose = "MPI_Comm_dup on the world reduces to rank 0, which is scripted and broadcasts; then a barrier.",
  requirements = { "IMPI-238" }, chapter = "4.25",
  run = function(t)
    local job = t:job_of_clients(1, 2)
    local own, other = job.processes[1], job.processes[0]
    local call = job:fenced(job.ranks[0]):start_MPI_Comm_dup { newcomm = "a" }
    local packet = job:receive_to_fence(1)[1]
    if t:reconstructed("IMPI-238", "tag of MPI_Reduce", packet and packet.tag, 190) then
      other:send(own, { tag = 120, cid = 1, data = packet.data })
      t:rc("IMPI-238", call:finish(), "MPI_SUCCESS")
      job:start_barrier()
      packet = job:receive_to_fence(1)[1]
      t:reconstructed("IMPI-238", "tag of MPI_Barrier", packet and packet.tag, 110)
    end
  end,
}

---- MPI_Finalize -----------------------------------------------------------------------------------------------------

case {
  id = "barrier-of-finalize-is-that-of-the-world-alone",
  title = "MPI_Finalize is one barrier on the world, whatever communicators there are",
  purpose = "Two duplicates of the world are not freed. MPI_Finalize sends one message, of the barrier on the world; behind the answer come FINI packets, and no other message.",
  requirements = { "IMPI-237" }, chapter = "4.24",
  run = function(t)
    local job = t:job_of_clients(1, 2)
    job:dup("one")
    job:dup("other")
    job:start_finalize()
    local packets = job:receive_to_fence(1)
    for _, packet in ipairs(packets) do
      if packet.type ~= "FINI" then
        t:reconstructed("IMPI-237", "the context identifier of a message of MPI_Finalize", packet.cid, 1)
      end
    end
    local kinds = #packets == 1 and packets[1].type ~= "FINI" and look(packets[1]) or #packets .. " packets"
    if t:reconstructed("IMPI-237", "before the answer comes", kinds, "0 octets, tag 110, cid 1") then
      job:send_barrier { 0 }
      local before = t:fini_packet("IMPI-237", job:channel())
      t:reconstructed("IMPI-237", "packets between the answer and FINI",
        (table.concat(before, " "):gsub("PROTOACK ", "")), "FINI")
    end
  end,
}

for count, place, parent in each { { 2, 1, 0 }, { 6, 5, 1 } } do
  case {
    id = string.format("barrier-of-finalize-%d-of-%d", place, count),
    title = string.format("MPI_Finalize of master %d of %d is a barrier, then FINI", place, count),
    purpose = "Its message has tag 110 and context identifier 1; no FINI packet comes before the answer, and all come behind it.",
    requirements = { "IMPI-237" }, chapter = "4.24",
    run = function(t)
      local job = t:job_of_clients(place, count)
      job:start_finalize()
      local packets = job:receive_to_fence(1)
      local kinds = #packets == 1 and packets[1].type ~= "FINI" and look(packets[1]) or #packets .. " packets"
      if t:reconstructed("IMPI-237", "before the answer comes", kinds, "0 octets, tag 110, cid 1") then
        job:send_barrier { parent }
        for _, channel in ipairs(job:each_channel()) do t:fini_packet("IMPI-237", channel) end
      end
    end,
  }
end

---- masters ----------------------------------------------------------------------------------------------------------

case {
  id = "barrier-masters-of-a-permuted-communicator",
  title = "A client's master is its process of lowest rank in the communicator",
  purpose = "The communicator has ranks 0, 1, 4 of the first client, 2, 3, 5 of the one under test, 6, 7 of the third; rank 2 is the last process under test. It sends to rank 0, as rank 2.",
  requirements = { "IMPI-183" }, chapter = "4.2", ranks = 3, incoming = true,
  run = function(t)
    local job = t:impi_job { rank = 1, np = 3, others = { { hosts = { 3 } }, { hosts = { 2 } } } }:open()
    local cid = job:create("c", "0,1,5,4,2,3,6,7")
    job:start_barrier("c")
    local packets = job:receive_to_fence(1)
    t:equal("IMPI-183", "messages to other clients", #packets, 1)
    t:equal("IMPI-183", "world rank of the master under test", packets[1].src.rank, 5)
    t:equal("IMPI-183", "its rank in the communicator", packets[1].lsrank, 2)
    t:equal("IMPI-183", "world rank of the master that it sends to", packets[1].dest.rank, 0)
    job.processes[0]:send(job.processes[5], { tag = packets[1].tag, cid = cid + 1, lsrank = 0 })
    t:barrier_completes("IMPI-183", "behind the answer", job)
  end,
}

case {
  id = "barrier-first-master-is-rank-0",
  title = "In a communicator whose rank 0 is under test, its client has master 0",
  purpose = "The communicator has the processes of the world in reverse: the client under test, last in the world, is the first. It waits for the other's message and answers it.",
  requirements = { "IMPI-183" }, chapter = "4.2", ranks = 2,
  run = function(t)
    local job = t:impi_job { np = 2, others = { { hosts = { 2 } } } }:open()
    local cid = job:create("c", "3,2,1,0")
    job:start_barrier("c")
    t:equal("IMPI-183", "messages before the other master's", job:destinations(0), {})
    job.processes[1]:send(job.processes[3], { tag = 110, cid = cid + 1, lsrank = 2 })
    local packets = job:receive_to_fence(1)
    t:equal("IMPI-183", "messages behind it", #packets, 1)
    t:equal("IMPI-183", "world rank of the master under test", packets[1].src.rank, 3)
    t:equal("IMPI-183", "world rank of the master that it answers", packets[1].dest.rank, 1)
    t:barrier_completes("IMPI-183", "afterwards", job)
  end,
}

case {
  id = "barrier-masters-are-numbered-not-their-ranks",
  title = "The tree is that of the masters' numbers, whatever their ranks",
  purpose = "Six clients of two processes each; masters have ranks 0, 2, 4, .. Master 5, rank 10, sends to master 1, which is rank 2.",
  requirements = { "IMPI-183" }, chapter = "4.2", ranks = 2,
  run = function(t)
    local job = t:job_of_clients(5, 6, { np = 2, each = { 2 } })
    job:start_barrier()
    t:equal("IMPI-183", "the barrier's messages are for rank", job:destinations(1), { 2 })
    job:send_barrier { 1 }
    t:barrier_completes("IMPI-183", "behind the answer", job)
  end,
}

for place = 0, 1 do
  case {
    id = "barrier-one-master-for-two-hosts-of-the-other-" .. place,
    title = "A client with two hosts has one master",
    purpose = "The other client has two hosts with two processes each. There is one message of the barrier, for the lowest of its processes.",
    requirements = { "IMPI-182", "IMPI-184" }, chapter = "4.2", incoming = place == 0,
    run = function(t)
      local job = t:job_of_clients(place, 2, { each = { 2, 2 } })
      t:judging("IMPI-184")
      job:start_barrier()
      if place == 0 then
        t:equal("IMPI-184", "messages before the other master's", job:destinations(0), {})
        job:send_barrier { 1 }
      end
      t:equal("IMPI-184", "the barrier's messages are for rank", job:destinations(1), { place == 0 and 1 or 0 })
      if place == 1 then job:send_barrier { 0 } end
      t:barrier_completes("IMPI-184", "afterwards", job)
      t:equal("IMPI-182", "further messages until the job ends", #job:remaining_packets(), 0)
    end,
  }
end

case {
  id = "barrier-one-master-of-two-hosts-under-test",
  title = "Two hosts of the client under test have one master",
  purpose = "Two hosts with two processes each: one message of the barrier, from the process of lowest rank.",
  requirements = { "IMPI-184" }, chapter = "4.2", ranks = 4, hosts = true,
  run = function(t)
    local job = t:job_of_clients(1, 2, { np = 4, hosts = 2 })
    job:start_barrier()
    local packets = job:receive_to_fence(1)
    t:equal("IMPI-184", "messages of the barrier", #packets, 1)
    t:equal("IMPI-184", "the rank that sends it", packets[1].src.rank, 1)
    job:send_barrier { 0 }
    t:barrier_completes("IMPI-184", "behind the answer", job)
  end,
}
