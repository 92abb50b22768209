-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The look at an IMPI system under test before any case, by its role. What is missing here is told as a matter of
-- configuration: no case could mean anything.

Preflight = {}

-- What cases cannot do without.
local FUNCTIONS = { "MPI_Init", "MPI_Finalize", "MPI_Comm_rank", "MPI_Comm_size", "MPI_Send", "MPI_Ssend", "MPI_Isend",
  "MPI_Recv", "MPI_Irecv", "MPI_Wait", "MPI_Test", "MPI_Barrier" }

-- Waits until a server has printed where it listens. One that does not is not started as it wants to be. How the line
-- looks is for the cases to judge.
local function await_address(t, server, who)
  if not server:listen() then
    server.address, server.port = server.line:match("(%d+%.%d+%.%d+%.%d+):(%d+)")
    server.port = tonumber(server.port)
  end
  if not server.port then
    local said = server:output()
    t:inconclusive("configuration", who .. "'s first line of output names no address:port but is "
      .. Values.show(server.line) .. (#said > 0 and "; it said: " .. said[#said] or ""))
  end
end

-- A server must print where it listens, and accept there. Where the test manager is on the same machine, no network
-- lies between that could refuse: that the server does not is then for the cases to judge.
function Preflight.server(t)
  t:step("start a server for one client and connect to it")
  local server = t:start_server { clients = 1 }
  await_address(t, server, "the server")
  local client, reason = server:connect("client 0")
  if not client and not core.manager():match("^127%.") then
    t:inconclusive("network", "the server printed " .. server.line .. " and cannot be connected to there: " .. reason)
  end
  core.found(true)
end

-- Plays the honest start-up of a job as far as it goes. What a client does wrong on this way is for the cases to judge:
-- true, or false and what did not come.
local function try(job, steps)
  function job:failed(what, reason)
    error({ what .. ": " .. tostring(reason) })
  end
  local good, problem = pcall(steps, job)
  job.failed = nil
  if not good and type(problem) ~= "table" then error(problem, 0) end
  return good, not good and problem[1] or nil
end

-- Whether hosts of the system under test can be connected to: it is the lower one of two. Those that listen too late
-- can; that this is wrong is for a case to judge. A firewall may refuse, or say nothing: asking it again only lets the
-- system under test lose patience, which is no failure of it.
local function look_for_connections(t)
  t:step("connect to a host of the system under test")
  local job = t:impi_job { rank = 0 }
  if not try(job, ImpiJob.start_up) then
    core.found(true)
    return
  end
  core.job_excuse(job.job)
  local channel, reason
  for _ = 1, 20 do
    channel, reason = job.hosts[1]:connect(job.hosts[0])
    if channel or reason == "timeout" or core.job_ended(job.job, 100) then break end
  end
  core.found(channel ~= nil, "the case connects to a host of the system under test, but none can be reached from here "
    .. "at " .. (job.hosts[0].address or "an address that is none") .. ":" .. job.hosts[0].number .. ": "
    .. tostring(reason))
end

-- A server that a vendor of clients brings along: whether the reference's clients can connect to it from here.
local function look_at_own_server(t)
  t:step("start the own server for one client and connect to it")
  local server = setmetatable({ t = t, job = core.job_start(IMPI.pairs { clients = 1, options = "" }, nil,
    "own-server"), clients = 1 }, SutServer)
  await_address(t, server, "the own server")
  local here = core.manager():match("^127%.")
  local loopback = not here and server.address:match("^127%.")
  local client, reason
  if not loopback then client, reason = server:connect("client 0") end
  core.found_server(client ~= nil, "the reference's clients connect to the own server, but it printed " .. server.line
    .. (loopback and ", which leads to its own machine only" or " and cannot be reached there from here: "
    .. tostring(reason)))
end

-- Why no client connects to the server, as far as it can be found out.
local function why_absent(job, reason)
  local status, said = job:ended(1), job:output()
  local words = #said > 0 and "; the first line that it printed: " .. said[1] or ""
  if status then
    return "the client does not connect to the server: its command has ended, " .. status .. words
  end
  job.ranks = core.job_await(job.job, 5000)
  if not job.ranks then
    return "the client does not connect to the server: " .. tostring(reason) .. "; its command runs on, and its "
      .. "processes do not connect to the test manager either" .. words
  end
  job:start_init()
  if job.server:accept() then
    return "the client connects to the server only in MPI_Init, which its processes are told later: add --initialize "
      .. "to the arguments of interp-mpi, so that they call it at once"
  end
  return "the processes connect, but the client does not, in MPI_Init neither: does the command give " .. "{server}, "
    .. job.server.where .. ", to what connects to the server" .. words
end

-- Hosts that the system under test cannot tell apart by their addresses: what to do about it, or nil.
local function collision(job)
  local own = job.clients[job.rank]
  for _, address in ipairs(own.address or {}) do
    for _, other in ipairs(job.clients[1 - job.rank].listening) do
      if address == IMPI.host(other.address) then
        return "a host of the client and one of the test manager have the same address, " .. other.address
          .. ", and a system that tells hosts apart by their addresses cannot work with both: run one of them on "
          .. "another machine or address"
      end
    end
  end
end

-- A client must find the manager's server and, where the start-up goes as it should, bring its interpreters along.
function Preflight.client(t)
  t:step("an honest job of two clients; the system under test is the second")
  local job, absent = t:impi_job {}, nil
  job:launch()
  job.server_link, absent = job.server:accept()
  if not job.server_link then t:inconclusive("configuration", why_absent(job, absent)) end
  local good, reason = try(job, function() job:authenticate():join():collect():connect_hosts() end)
  if good then
    job:interpreters()
    core.look(job.job, FUNCTIONS)
    look_for_connections(t)
  else
    local same = collision(job)
    if same then t:inconclusive("network", reason .. "; " .. same) end
    t:record("the start-up ends early, which cases will judge", reason)
    core.found(true)
  end
  if core.facts().own_server then look_at_own_server(t) end
end
