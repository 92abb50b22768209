-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Messages that look like those of a barrier and are not due (chapter 4.10): nobody leaves a barrier for them.

defaults { role = "client", suite = "collective", chapter = "4.10" }

case {
  id = "barrier-two-messages-of-one-master",
  title = "Two messages of one master do not stand for those of two",
  purpose = "The client under test is the first of three. Master 1 sends its message twice, master 2 is late: no answer goes out. When master 2 comes, both are answered.",
  requirements = { "IMPI-211", "IMPI-213" }, incoming = true,
  run = function(t)
    local job = t:job_of_clients(0, 3, { np = 2 })
    job:start_barrier():send_barrier { 1, 1 }
    local waits = t:reconstructed("IMPI-213", "answers while master 2 is missing are for", job:destinations(0), {})
    t:barrier_blocks("IMPI-211", "while master 2 is missing", job)
    if waits then
      job:send_barrier { 2 }
      t:barrier_completes("IMPI-211", "when it is there", job)
    end
  end,
}

case {
  id = "barrier-answer-before-the-message",
  title = "A message is sent although its answer has already come",
  purpose = "Master 0 has answered before the client under test enters the barrier. It still sends its message.",
  requirements = { "IMPI-212" },
  run = function(t)
    local job, rank, own, other = t:pair()
    job:send_barrier { 0 }
    t:ping_pong("IMPI-212", "behind the answer", rank, own, other)
    job:start_barrier()
    t:reconstructed("IMPI-212", "the barrier's messages are for", job:destinations(1), { 0 })
    t:barrier_completes("IMPI-212", "afterwards", job)
  end,
}

-- What another than the master that is waited for sends, or on another context.
local UNRELATED = {
  { "another-process", "of another process of the client", { from = 1, tag = 110, cid = 1 } },
  { "another-client", "of a client that has nothing to say", { from = 2, tag = 110, cid = 1 } },
  { "another-tag", "with another tag", { from = 0, tag = 111, cid = 1 } },
  { "another-context", "of another communicator", { from = 0, tag = 110, cid = 3 } },
}

for name, words, message in each(UNRELATED) do
  case {
    id = "barrier-not-left-for-" .. name,
    title = "A message " .. words .. " is no answer in a barrier",
    purpose = "Both processes under test wait for the answer of master 0. They leave when it comes, not before.",
    requirements = { "IMPI-211" }, ranks = 2,
    run = function(t)
      local job = t:job_of_clients(2, 3, { np = 2, others = { { hosts = { 2 } } } })
      job:start_barrier()
      t:equal("IMPI-211", "the barrier's messages are for", job:destinations(1), { 0 })
      job.processes[message.from]:send(job:master(2), { tag = message.tag, cid = message.cid })
      t:equal("IMPI-211", "messages behind it", job:destinations(0), {})
      t:barrier_blocks("IMPI-211", "before the answer", job)
      job:send_barrier { 0 }
      t:barrier_completes("IMPI-211", "behind the answer", job)
    end,
  }
end

case {
  id = "barrier-in-great-number",
  title = "A hundred barriers one after the other go as the first",
  purpose = "Two processes under test, flow control with ackmark 2 and hiwater 3: each barrier costs one message each way.",
  requirements = { "IMPI-210", "IMPI-211" }, ranks = 2,
  run = function(t)
    local job, _, own, other = t:pair { np = 2, others = { { ackmark = 2, hiwater = 3 } } }
    t:judging("IMPI-211")
    for i = 1, 100 do
      job:start_barrier(nil, { i % 2 })
      if i % 25 == 0 then
        t:equal("IMPI-210", "messages while a process is missing", job:destinations(0), {})
      end
      job:start_barrier(nil, { 1 - i % 2 })
      t:packet_to("IMPI-211", "message " .. i, other, { src = own, type = "message", tag = 110, cid = 1 })
      job:send_barrier { 0 }
      t:barrier_completes("IMPI-211", "barrier " .. i, job)
    end
  end,
}
