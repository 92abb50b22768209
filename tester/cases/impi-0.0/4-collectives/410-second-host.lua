-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Collective operations of a client under test that has two hosts: the processes of both are local to its master
-- (chapters 4.2, 4.10, 4.11 and 4.16).

defaults { role = "client", suite = "collective", ranks = 4, hosts = true }

local SUM, DIGITS = Operand.sum, Operand.digits

-- An open job of two clients, with four processes under test on two hosts, ranks 1 to 4.
local function two_hosts(t)
  return t:job_of_clients(1, 2, { np = 4, hosts = 2 })
end

for _, late in ipairs { 2, 3 } do
  case {
    id = "barrier-waits-for-process-" .. late .. "-of-two-hosts",
    title = string.format("A master sends nothing before process %d, of another host, has entered the barrier", late),
    purpose = "Three of four processes under test, on two hosts, are in MPI_Barrier: silence. When the fourth one enters, the message comes; behind the answer all leave.",
    requirements = { "IMPI-210" }, chapter = "4.10",
    run = function(t)
      local job = two_hosts(t)
      job:start_barrier(nil, { (late + 1) % 4, (late + 2) % 4, (late + 3) % 4 })
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
  id = "reduce-combines-two-hosts",
  title = "The operands of processes of both hosts are combined before one message goes to the root",
  purpose = "Four processes under test on two hosts: one message, with the sum of all four, twice.",
  requirements = { "IMPI-224" }, chapter = "4.16",
  run = function(t)
    local job = two_hosts(t)
    for _ = 1, 2 do
      job:start_collective("MPI_Reduce", { value = DIGITS, root = 0 })
      if not t:expect_messages("IMPI-224", "to the root", job:receive_to_fence(1), { { 1, 0, SUM { 1, 2, 3, 4 } } })
          or not t:collective_completes("IMPI-224", "behind it", job) then
        return
      end
    end
  end,
}

case {
  id = "bcast-reaches-two-hosts",
  title = "What the master has from the root reaches the processes of both hosts",
  purpose = "Four processes under test on two hosts; the root is scripted, then it is the last one under test, whose message the other client is sent.",
  requirements = { "IMPI-222" }, chapter = "4.11",
  run = function(t)
    local job = two_hosts(t)
    job:start_bcast(0):send_bcast(job.processes[0])
    if t:bcast_completes("IMPI-222", job) then
      job:start_bcast(4, 3)
      t:reconstructed("IMPI-222", "messages to the other client", #job:receive_to_fence(1), 1)
      t:bcast_completes("IMPI-222", job)
    end
  end,
}
