-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- DONE and FINI as a client has to speak them (chapters 2.3.6 and 2.3.7).

defaults { role = "client", suite = "startup", chapter = "2.3.7" }

local QUIET = 400

case {
  id = "client-fini-at-the-end",
  title = "When all its processes have ended the client says FINI with length 0, and leaves",
  purpose = "Two processes run to their normal end. Then FINI, the end of the connection, and status 0.",
  requirements = { "IMPI-077" }, ranks = 2,
  run = function(t)
    local job = t:impi_job { np = 2 }:open()
    t:link_silent("IMPI-077", "while the processes run", job.server_link, QUIET)
    job:finish("IMPI-077")
  end,
}

case {
  id = "client-fini-waits-for-each-process",
  title = "While a process goes on behind MPI_Finalize the client says no FINI, and lets it go on",
  purpose = "Three processes on one host have called MPI_Finalize, and every channel has come to its end. They do not end: no FINI. One ends, another one does: no FINI, and the last one still answers. When it ends FINI comes.",
  requirements = { "IMPI-077" }, ranks = 3,
  run = function(t)
    local job = t:impi_job { np = 3 }:open()
    job:start_shutdown()
    job:send_fini():finalized():take_fini()
    t:judging("IMPI-077")
    for i = 1, 3 do
      local last = job.ranks[i % 3]
      t:link_silent("IMPI-077", 4 - i .. " processes go on behind MPI_Finalize", job.server_link, QUIET)
      t:check("IMPI-077", "the client", not job:ended(0), "still runs", "has ended")
      last:call("describe", {})
      last:quit()
    end
    t:command("IMPI-077", job.server_link, "FINI", { length = 0 })
    t:equal("IMPI-077", "the client has ended with", job:ended(), "status 0")
  end,
}

-- The client under test must be gone without FINI and with another status than 0.
local function no_fini(t, job)
  local status = job:ended()
  t:check("IMPI-080", "the client", IMPI.ended_with_error(status), "ends with a status other than 0",
    status or "still runs")
  local command, reason = job.server_link:receive()
  t:check("IMPI-080", "the connection to the server", not command, "ends without FINI",
    command and command.code or reason)
end

-- Nor may its hosts have said on any channel that all of their processes have finished.
local function no_fini_packet(t, job)
  for _, channel in ipairs(job:each_channel()) do
    local kinds, reason = channel:read_to_end()
    for _, kind in ipairs(kinds) do
      t:check("IMPI-089", "a packet to " .. channel.label, kind ~= "FINI", "anything but FINI", kind)
    end
    t:check("IMPI-089", "the connection to " .. channel.label, reason == "closed" or reason == "reset",
      "ends without a FINI packet", reason)
  end
end

-- Which of how many processes on how many hosts it is.
local WHICH = { { "", 1, 2, 1 }, { "-of-the-first", 0, 2, 1 }, { "-of-the-third", 2, 3, 1 },
  { "-on-the-second-host", 1, 2, 2 } }

for suffix, which, processes, hosts in each(WHICH) do
  local whose = string.format("process %d of %d", which, processes) .. (hosts > 1 and ", on hosts of their own" or "")

  case {
    id = "client-no-fini-after-abort" .. suffix,
    title = "After MPI_Abort no FINI is sent: " .. whose,
    purpose = "One process calls MPI_Abort. The client ends with a status other than 0; its connection to the server ends without FINI, and so does every channel.",
    requirements = { "IMPI-080", "IMPI-089" }, ranks = processes, hosts = hosts > 1,
    run = function(t)
      local job = t:impi_job { np = processes, hosts = hosts }:open()
      core.job_excuse(job.job) -- from here on the end of processes is no failure
      job.ranks[which]:start_MPI_Abort { errorcode = 7 }
      no_fini(t, job)
      no_fini_packet(t, job)
    end,
  }

  case {
    id = "client-no-fini-after-a-death" .. suffix,
    title = "When a process ends without MPI_Finalize no FINI is said: " .. whose,
    purpose = "One process leaves with status 0 and without MPI_Finalize: neither the server nor another host is told FINI.",
    requirements = { "IMPI-080", "IMPI-089" }, ranks = processes, hosts = hosts > 1,
    run = function(t)
      local job = t:impi_job { np = processes, hosts = hosts }:open()
      core.job_excuse(job.job)
      job.ranks[which]:abandon()
      no_fini(t, job)
      no_fini_packet(t, job)
    end,
  }

  for name, finalized in each { { "a-failure", true }, { "a-signal", false }, { "a-signal-behind-finalize", true } } do
    local signal = name ~= "a-failure"
    case {
      id = "client-no-fini-after-" .. name .. suffix,
      title = (signal and "When a signal ends a process " .. (finalized and "behind MPI_Finalize " or "")
        or "When a process ends with a status other than 0 behind MPI_Finalize ") .. "no FINI is said: " .. whose,
      purpose = "One process is ended by SIGKILL or ends with status 3, the others end with status 0: not all have exited successfully.",
      requirements = { "IMPI-080" }, ranks = processes, hosts = hosts > 1,
      run = function(t)
        local job = t:impi_job { np = processes, hosts = hosts }:open()
        if finalized then job:start_finalize():barrier():send_fini():finalized() end
        core.job_excuse(job.job)
        for i = 0, processes - 1 do
          if finalized and i ~= which then job.ranks[i]:quit() end
        end
        job.ranks[which]:call("abandon", signal and { signal = 9 } or { status = 3 })
        no_fini(t, job)
      end,
    }
  end
end

case {
  id = "client-no-connections-before-done",
  title = "Hosts are connected to after the server's DONE, not before",
  purpose = "The server keeps its DONE back: no connection comes to the scripted host. With DONE the connection comes.",
  requirements = { "IMPI-076" }, chapter = "2.3.8",
  run = function(t)
    local job = t:impi_job {}:start():authenticate():join()
    job:labels()
    job:learn_layout()
    local early = core.port_accept(job.hosts[0].port, 1000)
    t:check("IMPI-076", "before DONE the scripted host", not early, "is left alone", "was connected to")
    job.server_link:done()
    local channel, reason = job.hosts[0]:accept()
    t:check("IMPI-076", "behind DONE the scripted host", channel, "is connected to", reason)
  end,
}

---- commands (IMPI-021) ----------------------------------------------------------------------------------------------

case {
  id = "client-whole-session",
  title = "A client's whole session consists of complete commands: a code, a length, and so many octets",
  purpose = "Two processes on one host. Everything from AUTH to the end of the connection is taken apart: heads of eight octets with a known code, the payload that they announce, DONE and FINI whole, and no octet besides.",
  requirements = { "IMPI-021" }, ranks = 2, chapter = "2.3.2",
  run = function(t)
    local job = t:impi_job { np = 2 }:start():authenticate():join()
    job:judging("IMPI-021")
    t:equal("IMPI-021", "octets of payload of DONE", job:labels().length, 0)
    job.must = nil
    t:link_silent("IMPI-021", "behind DONE", job.server_link, QUIET)
    job:learn_layout()
    job.server_link:done()
    job:connect_hosts():interpreters():init()
    job:start_finalize():barrier():send_fini():finalized():quit():take_fini()
    t:same_octets("IMPI-021", "the octets behind the last channel", job.server_link:take(8) or "", "FINI\0\0\0\0")
    t:disconnects("IMPI-021", "the connection behind FINI", job.server_link)
  end,
}
