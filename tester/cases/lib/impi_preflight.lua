-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The look at an IMPI system under test before any case, by its role. What is missing here is told as a matter of
-- configuration: no case could mean anything.

Preflight = {}

-- What cases cannot do without.
local FUNCTIONS = { "MPI_Init", "MPI_Finalize", "MPI_Comm_rank", "MPI_Comm_size", "MPI_Send", "MPI_Ssend", "MPI_Isend",
  "MPI_Recv", "MPI_Irecv", "MPI_Wait", "MPI_Test", "MPI_Barrier" }

-- A server must print where it listens, and accept there.
function Preflight.server(t)
  t:step("start a server for one client and connect to it")
  local server = t:start_server { clients = 1 }
  if not server:listen() then
    local said = server:said()
    t:inconclusive("configuration", "the server's first line of output is not address:port but "
      .. Values.show(server.line) .. (#said > 0 and "; it said: " .. said[#said] or ""))
  end
  local client, reason = server:connect("client 0")
  if not client then
    t:inconclusive("network", "the server printed " .. server.line .. " and cannot be connected to there: " .. reason)
  end
  core.found(true)
end

-- Whether hosts of the system under test can be connected to: it is the lower one of two.
local function look_for_connections(t)
  t:step("connect to a host of the system under test")
  local job = t:impi_job { rank = 0 }
  job:start_up()
  local channel, reason = job.hosts[1]:connect(job.hosts[0])
  core.found(channel ~= nil, "the case connects to a host of the system under test, but none can be reached from here "
    .. "at " .. job.hosts[0].address .. ":" .. job.hosts[0].number .. ": " .. tostring(reason))
end

-- A client must find the manager's server, take part in an honest start-up and bring its interpreters along.
function Preflight.client(t)
  t:step("an honest job of two clients; the system under test is the second")
  local job = t:impi_job {}
  job:start_up():dance():interpreters()
  core.look(job.job, FUNCTIONS)
  look_for_connections(t)
end
