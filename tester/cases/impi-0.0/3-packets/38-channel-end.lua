-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- A channel that ends without a FINI packet is an abnormal end (chapter 3.8), whatever the job does at that moment.
-- What a system does then is its own affair, but it does not call it a success. Channels that end inside a packet are
-- in 39-hostile-channel.lua.

defaults { role = "client", suite = "shutdown", chapter = "3.8" }

local function finalize(job)
  job.finalizing = { [0] = job.ranks[0]:start_MPI_Finalize { deadline = 60000 } }
end

-- What a job is doing: brings it there.
local MOMENTS = {
  { "before-init", "before MPI_Init is called", function(_, job)
    job:start_up():connect_hosts():interpreters()
  end },
  { "idle", "while the rank does nothing", function(t, job)
    job:open()
    t:ping_pong("IMPI-180", "before", job.ranks[0], job.processes[1], job.processes[0])
  end },
  { "receiving", "while the rank waits for a message in MPI_Recv", function(t, job)
    job:open()
    t:ping_pong("IMPI-180", "before", job.ranks[0], job.processes[1], job.processes[0])
    job.ranks[0]:start_MPI_Recv { buf = job.ranks[0]:new_region(8), count = 8, source = 0, tag = 1, deadline = 60000 }
  end },
  { "sending", "while the rank waits for a SYNCACK in MPI_Ssend", function(t, job)
    job:open()
    job.ranks[0]:start_MPI_Ssend { buf = job.ranks[0]:new_region(8), count = 8, dest = 0, tag = 1, deadline = 60000 }
    t:packet_to("IMPI-180", "the message", job.processes[0], { src = job.processes[1], type = "DATASYNC", tag = 1 })
  end },
  { "barrier", "while the rank waits for the last barrier in MPI_Finalize", function(t, job)
    job:open()
    finalize(job)
    t:packet_to("IMPI-180", "the barrier's message", job.processes[0], { src = job.processes[1], type = "message",
      tag = 110 })
  end },
  { "fini", "behind the FINI packet of the other host", function(t, job)
    job:open()
    finalize(job)
    job:barrier()
    t:fini_packet("IMPI-180", job:channel())
  end },
}

for moment, words, go_there in each(MOMENTS) do
  for _, way in ipairs { "closed", "reset" } do
    case {
      id = string.format("no-fini-%s-%s", moment, way),
      title = string.format("A channel that is %s without FINI is an abnormal end: %s", way, words),
      purpose = "The client ends with another status than 0, or it says what has happened. It does not end as if all were well.",
      requirements = { "IMPI-180" }, negative = moment ~= "before-init",
      run = function(t)
        local job = t:impi_job {}
        go_there(t, job)
        t:sanity_shown("what goes before")
        local said = #job:output()
        job:may_end(true)
        if way == "reset" then
          job:channel():reset()
        else
          job:channel():close()
        end
        if job.initialized then -- else nothing was said on the channel from which the passive checker could know it
          t:confirm_violation("closed-without-fini")
        end
        t:ends_abnormally("IMPI-180", job, said)
      end,
    }
  end
end

for suffix, which in each { { "", 2 }, { "-the-first", 0 }, { "-the-second", 1 } } do
  case {
    id = "no-fini-of-one-host-of-three" .. suffix,
    title = "One of three hosts that ends its channel without FINI is reported, although others send FINI: " .. which,
    purpose = "All processes have passed the last barrier. Two hosts send their FINI packets, the other one closes without.",
    requirements = { "IMPI-180" }, negative = true,
    run = function(t)
      local job = t:impi_job { others = { { hosts = { 1, 1, 1 } } } }:open()
      finalize(job)
      job:barrier()
      for host = 0, 2 do t:fini_packet("IMPI-180", job:channel(host)) end
      local said = #job:output()
      job:may_end(true)
      for host = 0, 2 do
        if host ~= which then job:channel(host):send_packet { type = "FINI" } end
      end
      job:channel(which):close()
      t:confirm_violation("closed-without-fini")
      t:ends_abnormally("IMPI-180", job, said)
    end,
  }
end

case {
  id = "no-fini-is-not-reported-to-the-server-as-an-end",
  title = "A client whose channel ended without FINI does not end with status 0",
  purpose = "A host resets its channel in the midst of a long message. The client ends by itself; neither its status nor its output says that all is well.",
  requirements = { "IMPI-180" }, negative = true,
  run = function(t)
    local job, rank, own, other, channel = t:pair { others = { { datalen = 100 } } }
    local post = rank:post_receive(t, other, 1000, { tag = 1 })
    local first = other:send_long(own, 1, 1, 1000)
    local ack = t:syncack("IMPI-180", other, first)
    other:send_rest(first, ack, 100, 3)
    t:stays_pending("IMPI-180", "the receive of which four tenths have come", post)
    local said = #job:output()
    job:may_end(true)
    channel:reset()
    t:confirm_violation("closed-without-fini")
    t:ends_abnormally("IMPI-180", job, said)
  end,
}

for place = 1, 3 do
  case {
    id = "no-fini-to-host-" .. place .. "-of-three-under-test",
    title = "A channel that ends without FINI is reported, whichever host of the client has it: number " .. place,
    purpose = "Three hosts are under test, with a process each. Each talks with a scripted host, which then closes one of its three channels.",
    requirements = { "IMPI-180" }, negative = true, ranks = 3, hosts = true,
    run = function(t)
      local job = t:impi_job { np = 3, hosts = 3 }:open()
      for i = 0, 2 do
        local own = job.processes[job.ranks[i].world]
        t:ping_pong("IMPI-180", "host " .. own.host.rank, job.ranks[i], own, job.processes[0])
      end
      local said = #job:output()
      job:may_end(true)
      local channel = job:channel(0, place)
      channel:close()
      t:confirm_violation("closed-without-fini", channel)
      t:ends_abnormally("IMPI-180", job, said)
    end,
  }
end
