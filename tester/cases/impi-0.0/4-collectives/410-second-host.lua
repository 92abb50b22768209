-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Collective operations of a client under test that has two hosts: the processes of both are local to its master
-- (chapters 4.2, 4.10, 4.11 and 4.16).

local SUM, DIGITS = Operand.sum, Operand.digits

-- An open job of two clients, with four processes under test on two hosts, ranks 1 to 4.
local function two_hosts(t)
  return t:clients(1, 2, { np = 4, hosts = 2 })
end

for _, late in ipairs { 2, 3 } do
  case {
    id = "barrier-waits-for-process-" .. late .. "-of-two-hosts",
    title = string.format("A master sends nothing before process %d, of another host, has entered the barrier", late),
    purpose = "Three of four processes under test, on two hosts, are in MPI_Barrier: silence. When the fourth one enters, the message comes; behind the answer all leave.",
    role = "client", hosts = true, ranks = 4, suite = "collective", chapter = "4.10",
    requirements = { "IMPI-210" },
    run = function(t)
      local job = two_hosts(t)
      t:judging("IMPI-210")
      job:enter(nil, { (late + 1) % 4, (late + 2) % 4, (late + 3) % 4 })
      t:equal("IMPI-210", "messages while a process is missing", job:reached(0), {})
      t:inside("IMPI-210", "while a process is missing", job)
      job:enter(nil, { late })
      t:equal("IMPI-210", "messages when all are there are for", job:reached(1), { 0 })
      job:tell { 0 }
      t:left("IMPI-210", "afterwards", job)
    end,
  }
end

case {
  id = "reduce-combines-two-hosts",
  title = "The operands of processes of both hosts are combined before one message goes to the root",
  purpose = "Four processes under test on two hosts: one message, with the sum of all four, twice.",
  role = "client", hosts = true, ranks = 4, suite = "collective", chapter = "4.16",
  requirements = { "IMPI-224" },
  run = function(t)
    local job = two_hosts(t)
    t:judging("IMPI-224")
    for _ = 1, 2 do
      job:combine("MPI_Reduce", { value = DIGITS, root = 0 })
      if not t:moves("IMPI-224", "to the root", job:gathered(1), { { 1, 0, SUM { 1, 2, 3, 4 } } })
          or not t:combined("IMPI-224", "behind it", job) then
        return
      end
    end
  end,
}

case {
  id = "bcast-reaches-two-hosts",
  title = "What the master has from the root reaches the processes of both hosts",
  purpose = "Four processes under test on two hosts; the root is scripted, then it is the last one under test, whose message the other client is sent.",
  role = "client", hosts = true, ranks = 4, suite = "collective", chapter = "4.11",
  requirements = { "IMPI-222" },
  run = function(t)
    local job = two_hosts(t)
    t:judging("IMPI-222")
    job:bcast(0):hand(job.processes[0])
    if t:has_come("IMPI-222", job) then
      job:bcast(4, 3)
      t:rebuilt("IMPI-222", "messages to the other client", #job:gathered(1), 1)
      t:has_come("IMPI-222", job)
    end
  end,
}
