-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- FINI packets in the order that chapters 2.4 and 3.8 want: one on every channel, early, late, twice, and at hiwater.

defaults { role = "client", suite = "shutdown", chapter = "2.4" }

local QUIET = 400

for place = 0, 2 do
  case {
    id = "fini-on-every-channel-of-client-" .. place,
    title = string.format("Client %d of three sends one FINI packet to every other host, and closes", place),
    purpose = "The others have three hosts. Each is sent one FINI packet, whichever side has made the connection, and behind it the connection ends.",
    requirements = { "IMPI-089", "IMPI-090" }, incoming = place < 2,
    run = function(t)
      local job = t:impi_job { rank = place, others = { { hosts = { 1, 1 } }, {} } }:open()
      job:start_shutdown()
      job:send_fini()
      for _, channel in ipairs(job:each_channel()) do
        t:fini_packet("IMPI-089", channel)
        t:channel_ends("IMPI-090", channel)
      end
      t:ends_in_order("IMPI-090", job)
    end,
  }
end

case {
  id = "fini-of-two-hosts-of-one-client",
  title = "Each host of a client sends its FINI packet to each host of another",
  purpose = "The client under test has two hosts, the other one too: four channels, on each one FINI packet and the end.",
  requirements = { "IMPI-089", "IMPI-090" }, ranks = 2, hosts = true,
  run = function(t)
    local job = t:impi_job { np = 2, hosts = 2, others = { { hosts = { 1, 1 } } } }:open()
    job:start_shutdown()
    job:send_fini()
    for _, channel in ipairs(job:each_channel()) do
      t:fini_packet("IMPI-089", channel)
      t:channel_ends("IMPI-090", channel)
    end
    t:ends_in_order("IMPI-090", job)
  end,
}

case {
  id = "fini-not-before-the-barrier-is-over",
  title = "No host sends FINI before every process of the world has entered the last barrier",
  purpose = "Three clients; the one under test is the first. One of the others is late: MPI_Finalize does not return, and there is silence on both channels.",
  requirements = { "IMPI-088", "IMPI-089" }, incoming = true,
  run = function(t)
    local job = t:impi_job { rank = 0, others = { {}, {} } }:open()
    local own = job.processes[0]
    job:start_finalize()
    job.processes[1]:send(own, { tag = 110, cid = 1 })
    for _, channel in ipairs(job:each_channel()) do
      t:link_silent("IMPI-089", "while a process is missing", channel, QUIET)
    end
    t:check("IMPI-088", "MPI_Finalize", not job.finalizing[0]:done(), "has not returned", "has returned")
    job.processes[2]:send(own, { tag = 110, cid = 1 })
    for rank = 1, 2 do
      t:packet_to("IMPI-088", "the barrier's answer to process " .. rank, job.processes[rank],
        { src = own, type = "DATA", tag = 110, cid = 1 })
    end
    job:send_fini()
    t:ends_in_order("IMPI-088", job)
  end,
}

case {
  id = "fini-finalize-waits-for-ranks-of-its-own-client",
  title = "MPI_Finalize does not return while another process of the same client is active",
  purpose = "Three processes under test; the one of highest rank calls MPI_Finalize later than the others, who wait meanwhile. It talks with the other client before.",
  requirements = { "IMPI-088", "IMPI-089" }, ranks = 3,
  run = function(t)
    local job, _, _, other = t:pair { np = 3 }
    job.finalizing = { [0] = job.ranks[0]:start_MPI_Finalize { deadline = 30000 },
      job.ranks[1]:start_MPI_Finalize { deadline = 30000 } }
    t:ping_pong("IMPI-089", "the rank that is late", job.ranks[2], job.processes[3], other)
    t:link_silent("IMPI-089", "no FINI packet", job:channel(), QUIET)
    for i = 0, 1 do
      t:check("IMPI-088", "MPI_Finalize of rank " .. job.ranks[i].world, not job.finalizing[i]:done(),
        "has not returned", "has returned")
    end
    job.finalizing[2] = job.ranks[2]:start_MPI_Finalize { deadline = 30000 }
    job:barrier():send_fini()
    t:ends_in_order("IMPI-088", job)
  end,
}

case {
  id = "fini-early-keeps-the-channel-open",
  title = "A FINI packet that comes early does not end the channel",
  purpose = "The second host of the other client sends its FINI packet while the job still runs: its connection stays open, the first host and the rank talk on. It ends behind the FINI packet of the host under test.",
  requirements = { "IMPI-090" }, chapter = "3.8",
  run = function(t)
    local job, rank, own, other = t:pair { others = { { hosts = { 1, 1 } } } }
    local early = job:channel(1)
    early:send_packet { type = "FINI" }
    t:ping_pong("IMPI-090", "behind the FINI packet of another host", rank, own, other)
    t:link_silent("IMPI-090", "the channel on which FINI came", early, QUIET)
    job:start_shutdown()
    t:fini_packet("IMPI-090", early)
    job:channel(0):send_packet { type = "FINI" }
    t:channel_ends("IMPI-090", early)
    t:ends_in_order("IMPI-090", job)
  end,
}

case {
  id = "fini-late-on-one-of-two-channels",
  title = "A channel on which FINI has not come stays open, although on another one it has",
  purpose = "The first host sends its FINI packet, and its channel is closed. The second is late: there is silence, and the end only behind its FINI packet.",
  requirements = { "IMPI-090", "IMPI-092" },
  run = function(t)
    local job = t:impi_job { others = { { hosts = { 1, 1 } } } }:open()
    local first, second = job:channel(0), job:channel(1)
    job:start_shutdown()
    first:send_packet { type = "FINI" }
    t:fini_packet("IMPI-090", first) -- it may be closed now, or when all hosts have said FINI (2.4)
    t:fini_packet("IMPI-090", second)
    t:link_silent("IMPI-090", "the channel on which FINI is late", second, QUIET)
    t:link_silent("IMPI-092", "no FINI command", job.server_link, QUIET)
    second:send_packet { type = "FINI" }
    t:channel_ends("IMPI-090", first)
    t:channel_ends("IMPI-090", second)
    t:ends_in_order("IMPI-092", job)
  end,
}

case {
  id = "fini-command-waits-for-every-host-of-the-client",
  title = "The FINI command waits for the channels of all hosts of the client",
  purpose = "The client under test has two hosts. The FINI packet to one of them is late, first to the one, in a second job to the other: no FINI command comes before it.",
  requirements = { "IMPI-092" }, ranks = 2, deadline = 60, hosts = true,
  run = function(t)
    for late = 1, 2 do
      local job = t:impi_job { np = 2, hosts = 2 }:open()
      job:start_shutdown()
      job:channel(0, 3 - late):send_packet { type = "FINI" }
      t:link_silent("IMPI-092", "the FINI packet to host " .. late .. " is late", job.server_link, QUIET)
      t:check("IMPI-092", "the client", not job:ended(0), "still runs", "has ended")
      job:channel(0, late):send_packet { type = "FINI" }
      t:ends_in_order("IMPI-092", job)
    end
  end,
}

case {
  id = "fini-command-of-the-only-client",
  title = "A client that is alone ends its job with FINI and status 0",
  purpose = "There is no other host and no channel: MPI_Finalize in all processes, then the FINI command, and before it nothing.",
  requirements = { "IMPI-088", "IMPI-092" }, ranks = 2,
  run = function(t)
    local job = t:impi_job { np = 2, others = {} }:open()
    t:judging("IMPI-092")
    job.finalizing = { [0] = job.ranks[0]:start_MPI_Finalize { deadline = 30000 } }
    t:link_silent("IMPI-092", "while one process is active", job.server_link, QUIET)
    t:check("IMPI-088", "MPI_Finalize of rank 0", not job.finalizing[0]:done(), "has not returned", "has returned")
    job.finalizing[1] = job.ranks[1]:start_MPI_Finalize { deadline = 30000 }
    t:ends_in_order("IMPI-092", job)
  end,
}

case {
  id = "fini-at-hiwater",
  title = "The FINI packet is sent although the pair is at hiwater",
  purpose = "hiwater is 1, and no PROTOACK is sent for the message of the last barrier. FINI comes all the same, and the job ends in order.",
  requirements = { "IMPI-178" }, chapter = "3.8",
  run = function(t)
    local job, _, _, _, channel = t:pair_with_marks(1, 1)
    job:start_shutdown()
    t:fini_packet("IMPI-178", channel)
    job:send_fini()
    t:ends_in_order("IMPI-178", job)
  end,
}

case {
  id = "fini-at-hiwater-on-every-channel",
  title = "FINI packets are sent on all channels although every pair is at hiwater",
  purpose = "The client under test is the first of three, hiwater is 1: it has answered both masters, and neither acknowledges that.",
  requirements = { "IMPI-178" }, chapter = "3.8", incoming = true,
  run = function(t)
    local job = t:pair_with_marks(1, 1, { rank = 0, others = { {}, {} } })
    job:start_finalize()
    for i = 1, 2 do job.processes[i]:send(job.processes[0], { tag = 110, cid = 1 }) end
    for _, channel in ipairs(job:each_channel()) do t:fini_packet("IMPI-178", channel) end
    job:send_fini()
    t:ends_in_order("IMPI-178", job)
  end,
}

case {
  id = "fini-is-not-counted",
  title = "A FINI packet that comes is not counted",
  purpose = "ackmark is 2; the message of the last barrier and FINI have come: no PROTOACK is due, and none is sent.",
  requirements = { "IMPI-178" }, chapter = "3.8",
  run = function(t)
    local job, _, _, _, channel = t:pair_with_marks(2, nil, { room = 2 })
    job:start_shutdown()
    job:send_fini()
    t:equal("IMPI-178", "packets up to FINI", t:fini_packet("IMPI-178", channel), { "FINI" })
    t:channel_ends("IMPI-178", channel)
    t:ends_in_order("IMPI-178", job)
  end,
}

case {
  id = "fini-twice",
  title = "A second FINI packet does not harm the other clients",
  purpose = "A host sends FINI twice while the job runs. The job goes on and ends in order, or it ends with a message.",
  requirements = { "IMPI-090" }, chapter = "3.8", negative = true,
  run = function(t)
    local job, rank, own, other = t:pair { others = { { hosts = { 1, 1 } } } }
    local trial = t:trial(job, rank, own, other)
    job:may_end(true)
    job:channel(1):send_packet { type = "FINI" }
    t:send_invalid_packet("IMPI-090", job:channel(1), { type = "FINI" }, "fini-again")
    if t:survived("IMPI-090", trial) then
      job:start_shutdown()
      t:fini_packet("IMPI-090", job:channel(1))
      job:channel(0):send_packet { type = "FINI" }
      job:finalized():quit()
    end
    t:ends_or_aborts("IMPI-090", job)
  end,
}

case {
  id = "fini-and-closed-at-once",
  title = "A host that closes its channel behind its FINI packet, without waiting for the other's, does not harm the other clients",
  purpose = "The second host says FINI and closes while the job runs. The job goes on and ends in order, or it ends with a message.",
  requirements = { "IMPI-092" }, chapter = "3.8", negative = true,
  run = function(t)
    local job, rank, own, other = t:pair { others = { { hosts = { 1, 1 } } } }
    local trial = t:trial(job, rank, own, other)
    job:may_end(true)
    job:channel(1):send_packet { type = "FINI" }
    job:channel(1):close()
    t:confirm_violation("closed-before-fini")
    if t:survived("IMPI-092", trial) then
      job:start_shutdown()
      job:channel(0):send_packet { type = "FINI" }
      job:finalized():quit()
    end
    t:ends_or_aborts("IMPI-092", job)
  end,
}

case {
  id = "fini-is-a-header-and-nothing-more",
  title = "A FINI packet has 128 octets, and behind it the channel ends",
  purpose = "The client under test has two hosts, the other one too. On each channel the octets up to its end are counted.",
  requirements = { "IMPI-108" }, chapter = "3.5", ranks = 2, hosts = true,
  run = function(t)
    local job = t:impi_job { np = 2, hosts = 2, others = { { hosts = { 1, 1 } } } }:open()
    job:start_shutdown()
    job:send_fini()
    for i, channel in ipairs(job:each_channel()) do
      local octets, reason
      repeat -- what the shutdown sent before may be acknowledged
        octets, reason = channel:take(128)
        t:check("IMPI-108", "a header on channel " .. i, octets, "128 octets", reason)
      until octets:sub(1, 4) ~= "\0\0\0\2"
      t:equal("IMPI-108", "its type", octets:sub(1, 4), "\0\0\0\7")
      local more, why = channel:take(1)
      t:check("IMPI-108", "what stands behind the header on channel " .. i, not more and why == "closed", "the end",
        more and Values.digits(more) or why)
    end
  end,
}

for late = 0, 2 do
  case {
    id = "fini-command-waits-for-the-channel-to-host-" .. late,
    title = "The FINI command waits for the channel on which FINI is late, whichever it is: host " .. late,
    purpose = "Two clients have three hosts. Two of these send their FINI packets, and a process that MPI_Finalize lets go on ends: no FINI command comes.",
    requirements = { "IMPI-092" },
    run = function(t)
      local job = t:impi_job { others = { { hosts = { 1, 1 } }, {} } }:open()
      job:start_shutdown()
      for host = 0, 2 do
        if host ~= late then job:channel(host):send_packet { type = "FINI" } end
      end
      t:link_silent("IMPI-092", "FINI is late on one channel", job.server_link, QUIET)
      local ends = job.finalizing[0]:done()
      if ends then job:quit() end
      t:link_silent("IMPI-092", "FINI is late on one channel" .. (ends and ", and the process ends" or ""),
        job.server_link, QUIET)
      t:check("IMPI-092", "the client", not job:ended(0), "still runs", "has ended")
      job:channel(late):send_packet { type = "FINI" }
      if ends then
        t:command("IMPI-092", job.server_link, "FINI", { length = 0 })
        t:equal("IMPI-092", "the client has ended with", job:ended(), "status 0")
      else
        t:ends_in_order("IMPI-092", job)
      end
    end,
  }
end

for np = 1, 3 do
  case {
    id = "fini-awaited-by-" .. np .. "-hosts",
    title = string.format("Each of %d hosts says FINI unasked, and keeps its channels until it has heard it", np),
    purpose = "Two lower hosts hold their FINI packets back. Each host under test sends its own on every channel, and none of these ends, first in a short while, the last one not in three seconds either, before FINI has come on it.",
    requirements = { "IMPI-089", "IMPI-090" }, ranks = np, hosts = np > 1, deadline = 60,
    run = function(t)
      local job = t:impi_job { np = np, hosts = np, others = { { hosts = { 1, 1 } } } }:open()
      job:start_shutdown()
      local channels = job:each_channel()
      t:equal("IMPI-089", "channels", #channels, 2 * np)
      for _, channel in ipairs(channels) do t:fini_packet("IMPI-089", channel) end
      for i, channel in ipairs(channels) do
        t:link_silent("IMPI-090", "a channel on which FINI is late", channel, i < #channels and QUIET or 3000)
      end
      for _, channel in ipairs(channels) do
        channel:send_packet { type = "FINI" }
        t:channel_ends("IMPI-090", channel)
      end
      t:ends_in_order("IMPI-090", job)
    end,
  }
end

case {
  id = "fini-of-one-host-of-many",
  title = "The FINI packet of one of many hosts ends no other channel",
  purpose = "The other client has 40 hosts. The last but one says FINI while the job runs: with the hosts that are 8, 16 and 32 places below it the rank talks on, and their channels stay open.",
  requirements = { "IMPI-090" }, chapter = "3.8", deadline = 60,
  run = function(t)
    local job = t:impi_job { others = { { hosts = Values.repeated(1, 40) } } }:open()
    local early = 38
    job:channel(early):send_packet { type = "FINI" }
    t:judging("IMPI-090")
    local below = { early - 32, early - 16, early - 8 }
    t:ping_pong_with("IMPI-090", job, below)
    for _, host in ipairs(below) do
      t:link_silent("IMPI-090", "the channel to host " .. host, job:channel(host), 100)
    end
  end,
}
