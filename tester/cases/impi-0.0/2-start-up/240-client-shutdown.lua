-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The order in which a job comes to its end: barrier, FINI packets, connections, the FINI command (chapters 2.4 and
-- 3.8).

defaults { role = "client", suite = "shutdown", chapter = "2.4" }

local QUIET = 500

case {
  id = "client-finalize-is-a-barrier",
  title = "MPI_Finalize waits for all processes of the world",
  purpose = "The scripted master keeps its message of the barrier back: MPI_Finalize does not return, and no FINI packet comes. When the message comes, it returns.",
  requirements = { "IMPI-088", "IMPI-089" },
  run = function(t)
    local job = t:impi_job {}:open()
    local own, other = job.processes[1], job.processes[0]
    job:start_finalize()
    local message, reason = other:receive { src = own }
    t:check("IMPI-088", "the barrier's message", message and message.tag == 110 and message.cid == 1
      and #message.data == 0, "an empty one with tag 110 and cid 1", message and IMPI.show_packet(message) or reason)
    t:link_silent("IMPI-089", "no FINI packet", job:channel(), QUIET)
    t:check("IMPI-088", "MPI_Finalize", not job.finalizing[0]:done(), "has not returned", "has returned")
    other:send(own, { tag = 110, cid = 1 })
    job:send_fini():finalized()
    t:equal("IMPI-088", "MPI_Finalize returns", job.finalizing[0]:finish().rc, "MPI_SUCCESS")
  end,
}

case {
  id = "client-fini-packet-when-all-have-finished",
  title = "The FINI packet comes once on every connection, when all processes of the host have finished",
  purpose = "Two processes, two scripted hosts. While one process has not called MPI_Finalize there is silence. Then one FINI packet to each host, and nothing behind it but the end.",
  requirements = { "IMPI-089" }, ranks = 2,
  run = function(t)
    local job = t:impi_job { np = 2, others = { { hosts = { 1, 1 } } } }:open()
    local first = job.ranks[1]:start_MPI_Finalize { deadline = 30000 }
    for _, channel in ipairs(job:each_channel()) do
      t:link_silent("IMPI-089", "one process is still active", channel, QUIET)
    end
    job.finalizing = { [0] = job.ranks[0]:start_MPI_Finalize { deadline = 30000 }, first }
    job:barrier():send_fini():finalized():quit()
    for _, channel in ipairs(job:each_channel()) do
      t:packet("IMPI-089", channel, "FINI")
      t:disconnects("IMPI-089", "the connection behind the FINI packet", channel)
    end
  end,
}

case {
  id = "client-waits-for-the-fini-packet",
  title = "A host closes a connection when the other side's FINI packet has come, not before",
  purpose = "The scripted host keeps its FINI packet back: the connection stays open behind the other's FINI packet. When it comes, the connection ends.",
  requirements = { "IMPI-090" },
  run = function(t)
    local job = t:impi_job {}:open()
    job:start_finalize():barrier()
    local channel = job:channel()
    t:packet("IMPI-090", channel, "FINI")
    t:link_silent("IMPI-090", "without our FINI packet the connection stays open", channel, 1000)
    job:send_fini()
    t:disconnects("IMPI-090", "the connection behind both FINI packets", channel)
    job:finalized():quit()
    t:command("IMPI-090", job.server_link, "FINI", { length = 0 })
    t:equal("IMPI-090", "the client has ended with", job:ended(), "status 0")
  end,
}

case {
  id = "client-acknowledges-behind-its-fini",
  title = "Between its own FINI packet and the other's a host reads packets and acknowledges them",
  purpose = "Behind the FINI packet of the host under test as many messages come as one PROTOACK stands for: it is sent. The messages match nothing and are thrown away.",
  requirements = { "IMPI-091" },
  run = function(t)
    local job = t:impi_job { others = { { ackmark = 3, hiwater = 20 } } }:open()
    local own, other, channel = job.processes[1], job.processes[0], nil
    job:start_finalize():barrier()
    channel = job:channel()
    t:packet("IMPI-091", channel, "FINI")
    channel.by_hand = true
    job:needs("datalen", 4)
    -- the barrier's message was the first of three
    for i = 1, 2 do
      channel:send_packet { type = "DATA", src = other, dest = own, srqid = 100 + i, tag = 9, data = "late" }
    end
    t:packet("IMPI-091", channel, "PROTOACK", { src = own, dest = other })
    job:send_fini()
    t:disconnects("IMPI-091", "the connection behind both FINI packets", channel)
    job:finalized():quit()
    t:equal("IMPI-091", "the client has ended with", job:ended(), "status 0")
  end,
}

case {
  id = "client-fini-command-comes-last",
  title = "The FINI command waits until all connections between hosts are closed",
  purpose = "Of two scripted hosts one keeps its FINI packet back: its connection stays open and nothing comes to the server. When it comes, so does FINI, and the client ends with status 0.",
  requirements = { "IMPI-090", "IMPI-092" },
  run = function(t)
    local job = t:impi_job { others = { {}, {} } }:open()
    job:start_finalize():barrier()
    local channels = job:each_channel()
    for _, channel in ipairs(channels) do t:packet("IMPI-090", channel, "FINI") end
    channels[1]:send_packet { type = "FINI" } -- may be closed now, or when all hosts have said FINI (2.4)
    t:link_silent("IMPI-090", "the connection with one FINI packet stays open", channels[2], QUIET)
    t:judging("IMPI-092")
    t:link_silent("IMPI-092", "with one connection open", job.server_link, 1000)
    t:check("IMPI-092", "the client", not job:ended(0), "still runs", "has ended")
    channels[2]:send_packet { type = "FINI" }
    t:disconnects("IMPI-090", "the connection behind both FINI packets", channels[1])
    job:finalized():quit()
    t:command("IMPI-092", job.server_link, "FINI", { length = 0 })
    t:disconnects("IMPI-092", "the connection to the server behind FINI", job.server_link)
    t:equal("IMPI-092", "the client has ended with", job:ended(), "status 0")
  end,
}
