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

-- The client under test must be gone without FINI and with another status than 0.
local function no_fini(t, job)
  local status = job:ended()
  t:check("IMPI-080", "the client", IMPI.ended_with_error(status), "ends with a status other than 0",
    status or "still runs")
  local command, reason = job.server_link:receive()
  t:check("IMPI-080", "the connection to the server", not command, "ends without FINI",
    command and command.code or reason)
end

case {
  id = "client-no-fini-after-abort",
  title = "After MPI_Abort no FINI is sent",
  purpose = "One of two processes calls MPI_Abort. The client ends with a status other than 0; its connection to the server ends without FINI.",
  requirements = { "IMPI-080" }, ranks = 2,
  run = function(t)
    local job = t:impi_job { np = 2 }:open()
    core.job_excuse(job.job) -- from here on the end of processes is no failure
    job.ranks[1]:start_MPI_Abort { errorcode = 7 }
    no_fini(t, job)
  end,
}

case {
  id = "client-no-fini-after-a-death",
  title = "When a process ends without MPI_Finalize no FINI is said",
  purpose = "One of two processes leaves with status 0 and without MPI_Finalize.",
  requirements = { "IMPI-080" }, ranks = 2,
  run = function(t)
    local job = t:impi_job { np = 2 }:open()
    core.job_excuse(job.job)
    job.ranks[0]:abandon()
    no_fini(t, job)
  end,
}

case {
  id = "client-no-fini-after-a-failure",
  title = "When a process ends with a status other than 0 behind MPI_Finalize no FINI is said",
  purpose = "Of two processes one ends with status 0, the other with 3: not all have exited successfully.",
  requirements = { "IMPI-080" }, ranks = 2,
  run = function(t)
    local job = t:impi_job { np = 2 }:open()
    job:start_finalize():barrier():send_fini():finalized()
    core.job_excuse(job.job)
    job.ranks[0]:quit()
    job.ranks[1]:call("abandon", { status = 3 })
    no_fini(t, job)
  end,
}

for name, finalized in each { { "a-signal", false }, { "a-signal-behind-finalize", true } } do
  case {
    id = "client-no-fini-after-" .. name,
    title = "When a signal ends a process " .. (finalized and "behind MPI_Finalize " or "") .. "no FINI is said",
    purpose = "Of two processes one is ended by SIGKILL, the other ends with status 0: not all have exited successfully.",
    requirements = { "IMPI-080" }, ranks = 2,
    run = function(t)
      local job = t:impi_job { np = 2 }:open()
      if finalized then job:start_finalize():barrier():send_fini():finalized() end
      core.job_excuse(job.job)
      if finalized then job.ranks[0]:quit() end
      job.ranks[1]:call("abandon", { signal = 9 })
      no_fini(t, job)
    end,
  }
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
