-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- A job of which the system under test is one client. The case says who the other clients are; the ImpiJob plays the
-- server and all of them honestly, step by step, so that a case replaces the steps that it is about:
--
--   local job = t:impi_job { rank = 1, np = 2, others = { { hosts = { 1, 2 }, datalen = 1000 } } }
--   job:open()                      -- start, AUTH, IMPI, labels, DONE, connections between hosts, interpreters,
--   MPI_Init ...
--   job:finish("IMPI-...")          -- MPI_Finalize everywhere, FINI packets, FINI, the end (finish.lua)
--
-- rank     the client rank of the system under test (the last one)
-- np,hosts its processes (1) and hosts (1; more only where the case says `hosts = true`)
-- env      variables, or false for one that must not be there
-- others   the other clients in the order of their ranks, one with one host and one process if not given; of each:
--          hosts = {processes of each host}, datalen, tagub, xsize, maxlinear, ackmark, hiwater, and
--          values = { C_TAGUB = {5}, H_PORT = "octets", C_DATALEN = false }: instead of the honest values of a label;
--          false leaves it out. A label that is a number is submitted besides.
--
-- Afterwards: job.server_link (the connection to the server), job.given[label] (what the system under test submitted),
-- job.clients, job.hosts and job.processes (from 0, by their ranks in the whole job), job.ranks. A step that fails
-- makes the case inconclusive, behind job:judging(req) it fails.

local WAIT_MS = 15000
local SHORT = 64 -- octets

local DEFAULTS = { datalen = 65536, tagub = 0x7fffffff, xsize = -1, maxlinear = -1, ackmark = 10, hiwater = 20 }

local function sum(list)
  local total = 0
  for _, value in ipairs(list) do total = total + value end
  return total
end

-- A client's description with everything in it.
local function complete(description, rank)
  local client = { rank = rank, hosts = description.hosts or { 1 }, values = description.values or {},
    chosen = description }
  for key, value in pairs(DEFAULTS) do client[key] = description[key] or value end
  client.np = sum(client.hosts)
  return client
end

-- t:impi_job(given): the job; nothing is started. The manager's server and hosts listen.
function Test:impi_job(given)
  given = given or {}
  local others = given.others or { {} }
  local job = setmetatable({ t = self, clients = {}, rank = given.rank or #others, np = given.np or 1,
    host_count = given.hosts or 1, env = given.env, server = self:impi_server(), given = {} }, ImpiJob)
  local at = 0
  for rank = 0, #others do
    if rank == job.rank then
      job.clients[rank] = { rank = rank, sut = true, values = {} }
    else
      at = at + 1
      job.clients[rank] = complete(others[at], rank)
    end
  end
  job.size = #others + 1
  self.latest_job = job
  job:listen()
  return job
end

-- Gives every scripted host a port, and on one machine an address of its own: some systems tell hosts apart by that.
function ImpiJob:listen()
  local manager, number = core.manager(), 1
  for rank = 0, self.size - 1 do
    local client = self.clients[rank]
    client.listening = {}
    for i = 1, client.sut and 0 or #client.hosts do
      number = number + 1
      local address = manager:match("^127%.") and string.format("127.0.%d.%d", number // 250, number % 250) or manager
      local port, where = core.port(string.format("client %d, host %d", rank, i - 1), address, nil, "channel",
        self.server.number)
      if not port then self.t:inconclusive("configuration", where) end
      client.listening[i] = { port = port, address = address, number = where }
    end
  end
end

-- What the user of the client under test has chosen, unless the case says otherwise: nothing.
local UNSET = { "IMPI_DATALEN", "IMPI_TAGUB", "IMPI_COLL_XSIZE", "IMPI_COLL_MAXLINEAR", "IMPI_ACKMARK", "IMPI_HIWATER",
  "IMPI_HOST_NAME" }

local function environment(given)
  local variables = {}
  for _, name in ipairs(UNSET) do variables[name] = false end
  for name, value in pairs(given or {}) do variables[name] = value end
  return variables
end

-- The honest values of a scripted client, by label.
local HONEST = {
  C_VERSION = function() return { { 0, 0 } } end,
  C_NHOSTS = function(client) return { #client.hosts } end,
  C_NPROCS = function(client) return { client.np } end,
  C_DATALEN = function(client) return { client.datalen } end,
  C_TAGUB = function(client) return { client.tagub } end,
  C_COLL_XSIZE = function(client) return { client.xsize } end,
  C_COLL_MAXLINEAR = function(client) return { client.maxlinear } end,
  H_PORT = function(client)
    local ports = {}
    for i, host in ipairs(client.listening) do ports[i] = host.number end
    return ports
  end,
  H_IPV6 = function(client)
    local hosts = {}
    for i, host in ipairs(client.listening) do hosts[i] = IMPI.host(host.address) end
    return hosts
  end,
  H_NPROCS = function(client) return client.hosts end,
  H_ACKMARK = function(client) return Values.repeated(client.ackmark, #client.hosts) end,
  H_HIWATER = function(client) return Values.repeated(client.hiwater, #client.hosts) end,
  P_IPV6 = function(client)
    local processes = {}
    for i, count in ipairs(client.hosts) do
      for _ = 1, count do processes[#processes + 1] = IMPI.host(client.listening[i].address) end
    end
    return processes
  end,
  P_PID = function(client)
    local pids = {}
    for i = 1, client.np do pids[i] = 1000 * (client.rank + 1) + i end
    return pids
  end,
}

-- job:values_of(client, label): the octets that a client of the job gives for a label, or nil.
function ImpiJob:values_of(client, which)
  local label = IMPI.label(which)
  local given = client.sut and self.given[label.name] or client.values[label.name]
  if given == nil and not client.sut then given = client.values[label.number] end
  if given == nil and not client.sut and HONEST[label.name] then
    given = HONEST[label.name](client)
  end
  return given and IMPI.values(which, given) or nil
end

-- job:joined(label): mask and octets of the server's broadcast; mask 0 when nobody has given anything.
function ImpiJob:joined(which)
  local mask, parts = 0, {}
  for rank = 0, self.size - 1 do
    local octets = self:values_of(self.clients[rank], which)
    if octets then
      mask = mask | 1 << rank
      parts[#parts + 1] = octets
    end
  end
  return mask, table.concat(parts)
end

-- job:judging(req): by this requirement a crash, a hang, or a step that fails is judged from here on.
function ImpiJob:judging(req)
  core.judging(req)
  self.must = req
end

-- Ends the case: a step that only leads to what the case is about has failed, or one that the case is about.
function ImpiJob:failed(what, reason)
  if self.must then
    core.symptom("missing", what, "", true)
    core.finish("fail", "sut", self.must, what, "that the job goes on", tostring(reason))
  end
  self.t:inconclusive("sut", "set-up: " .. what .. ": " .. tostring(reason))
end

-- What has become of a client that does not do what is awaited: its launcher may have refused its arguments, or its
-- agent crashed. A reason that says so is left alone.
local function fate(job, reason)
  local status, said = job.job and job:ended(1), job.job and job:output() or {}
  if status and reason:find(status, 1, true) then return reason end
  return reason .. (status and "; its command has ended, " .. status or "")
    .. (#said > 0 and "; the first line that it printed: " .. said[1] or "")
end

-- job:wait_for(what, ms, ask): a step that many cases rest on. ask(ms) waits for it and gives what came, or nil and
-- why; a run that has missed it several times, and never seen it, waits for it no longer. A step that fails ends the
-- case.
function ImpiJob:wait_for(what, ms, ask)
  local came, reason = ask(core.patience(what, ms))
  if came then
    core.worked(what)
    return came
  end
  core.missed(what)
  self:failed(what, fate(self, tostring(reason)))
end

---- the steps ---------------------------------------------------------------------------------------------------------

-- job:launch(): starts the client under test. job:start(): the same, and takes its connection to the server.
function ImpiJob:launch(given)
  given = given or {}
  self.job = core.job_start(IMPI.pairs { client = given.client or self.rank, server = given.server or self.server.where,
    hosts = self.host_count, env = environment(self.env) }, self.np)
  return self
end

function ImpiJob:start(given)
  self:launch(given)
  self.server_link = self:wait_for("the client does not connect to the server", WAIT_MS, function(ms)
    local server_link, reason = self.server:accept(ms)
    return server_link, reason
  end)
  return self
end

-- job:next(code, what): the next command of the client under test, which must be this one.
function ImpiJob:next(code, what)
  return self:wait_for(what or code .. " of the client", WAIT_MS, function(ms)
    local command, reason = self.server_link:receive(ms)
    return command and command.code == code and command, command and command.code or reason
  end)
end

-- job:authenticate(): AUTH, answered by NONE. job:join(): IMPI in both directions.
function ImpiJob:authenticate()
  self.mask = self:next("AUTH").masks[1]
  self.server_link:choose(IMPI.NONE)
  return self
end

function ImpiJob:join()
  self:next("IMPI")
  self.server_link:size(self.size)
  return self
end

-- The labels that are not of version 0.0 and stand below `limit`, ascending: {number, mask, octets}.
function ImpiJob:extra_labels(limit)
  local numbers, seen, rows = {}, {}, {}
  for rank = 0, self.size - 1 do
    for which in pairs(self.clients[rank].values) do
      if math.type(which) == "integer" and not seen[which] and which < limit then
        seen[which], numbers[#numbers + 1] = true, which
      end
    end
  end
  table.sort(numbers)
  for i, number in ipairs(numbers) do rows[i] = { number, self:joined(number) } end
  return rows
end

-- job:send_broadcast(label): what an honest server sends for the label, if anybody has given something. A case may
-- replace this function in its job, or set job.broadcasts[label] to octets (or false: nothing is sent).
function ImpiJob:send_broadcast(which)
  local label = IMPI.label(which)
  local mask, octets = self:joined(which)
  local own = self.broadcasts and self.broadcasts[label.name]
  if own then
    self.server_link:send_raw(own, "COLL", "forged " .. label.name)
  elseif own == nil and mask ~= 0 then
    self.server_link:broadcast(which, mask, octets)
  end
end

-- Sends what is due before the label `number` of the client under test is.
function ImpiJob:catch_up(number)
  for _, row in ipairs(self:extra_labels(number)) do
    if not self.sent[row[1]] then
      self.sent[row[1]] = true
      self.server_link:broadcast(row[1], row[2], row[3])
    end
  end
  for _, row in ipairs(IMPI.LABELS) do
    if row[2] < number and not self.sent[row[2]] then
      self.sent[row[2]] = true
      self:send_broadcast(row[1])
    end
  end
end

-- job:take_label(command): notes what a COLL of the client under test holds, and answers it.
function ImpiJob:take_label(command)
  if not command.label then self:failed("a COLL of the client", "it has no label") end
  self.order = self.order or {}
  self.order[#self.order + 1] = command.label
  self:catch_up(command.label)
  self.given[IMPI.label(command.label).name] = command.data
  self.sent[command.label] = true
  self:send_broadcast(command.label)
end

-- job:labels([upto]): takes and answers labels until the client says DONE, or up to this label. Returns the last
-- command.
function ImpiJob:labels(upto)
  local last = upto and IMPI.label(upto).number
  self.sent = self.sent or {}
  repeat
    local command = self:wait_for("a label of the client", WAIT_MS, function(ms)
      local came, reason = self.server_link:receive(ms)
      return came and (came.code == "COLL" or came.code == "DONE") and came, came and came.code or reason
    end)
    if command.code == "DONE" then
      self:catch_up(math.maxinteger)
      return command
    end
    self:take_label(command)
  until command.label == last
end

-- job:collect(): all labels, DONE in both directions, and what they say about the job.
function ImpiJob:collect()
  self:labels()
  self:learn_layout()
  self.server_link:done()
  return self
end

-- job:start_up(): everything until the server has said DONE.
function ImpiJob:start_up()
  return self:start():authenticate():join():collect()
end

---- what the labels say ----------------------------------------------------------------------------------------------

local function numbers(job, name)
  local octets = job.given[name]
  local values = octets and IMPI.read_values(name, octets)
  if not values or #values == 0 then
    job:failed("the label " .. name .. " of the client", octets and Values.show(octets) or "it is missing")
  end
  return values
end

-- job:learn_layout(): fills in the client under test, and lists hosts and processes of the whole job.
function ImpiJob:learn_layout()
  local own = self.clients[self.rank]
  own.hosts, own.np = numbers(self, "H_NPROCS"), numbers(self, "C_NPROCS")[1]
  own.address, own.ports = numbers(self, "H_IPV6"), numbers(self, "H_PORT")
  own.ids, own.pids = numbers(self, "P_IPV6"), numbers(self, "P_PID")
  if sum(own.hosts) ~= own.np or #own.ports ~= #own.hosts or #own.address ~= #own.hosts or #own.ids ~= own.np
      or #own.pids ~= own.np then
    self:failed("the labels of the client", "their numbers of hosts and processes do not fit")
  end
  own.datalen, own.tagub = numbers(self, "C_DATALEN")[1], numbers(self, "C_TAGUB")[1]
  own.ackmark, own.hiwater = math.min(table.unpack(numbers(self, "H_ACKMARK"))),
    math.min(table.unpack(numbers(self, "H_HIWATER")))
  self:needs_chosen()
  self:list_hosts()
  for name in pairs(DEFAULTS) do
    self[name] = own[name]
    for rank = 0, self.size - 1 do
      local value = self.clients[rank][name]
      self[name] = self[name] and value and math.min(self[name], value) or self[name] or value
    end
  end
end

-- job:needs(limit, least): ends the case by a skip where the system under test has offered less ("datalen", "tagub",
-- "ackmark", "hiwater"): such a system is right, and what the case has in mind cannot be done with it.
function ImpiJob:needs(limit, least)
  local offered = self.clients[self.rank][limit]
  self.t:skip_if(offered < least, string.format("the case needs %s %d, and the system under test offers %d", limit,
    least, offered))
end

-- job:needs_whole(packet): the same where this is the first packet of a message that is longer than what the system
-- under test takes in one, and that cases mean to be short.
function ImpiJob:needs_whole(packet)
  if packet and packet.type == "DATASYNC" and packet.msglen <= SHORT then self:needs("datalen", packet.msglen) end
end

-- What the case has chosen for a scripted client shall be in force. More than the honest values it cannot want.
function ImpiJob:needs_chosen()
  for _, limit in ipairs { "datalen", "tagub", "ackmark", "hiwater" } do
    local chosen, least = false, DEFAULTS[limit]
    for rank = 0, self.size - 1 do
      local client = self.clients[rank]
      chosen = chosen or client.chosen and client.chosen[limit] ~= nil
      least = math.min(least, not client.sut and client[limit] or least)
    end
    if chosen then self:needs(limit, least) end
  end
end

function ImpiJob:list_hosts()
  self.hosts, self.processes = {}, {}
  local count, world = 0, 0
  for rank = 0, self.size - 1 do
    local client = self.clients[rank]
    local ids = client.ids or IMPI.read_values("P_IPV6", self:values_of(client, "P_IPV6") or "")
    local pids = client.pids or IMPI.read_values("P_PID", self:values_of(client, "P_PID") or "")
    local at = 0
    for i, np in ipairs(client.hosts) do
      local host = Host.new(self, count, client, i)
      self.hosts[count], count = host, count + 1
      for _ = 1, np do
        at = at + 1
        -- forged labels may lack them
        self.processes[world] = Process.new(self, world, host, ids[at] or host.id, pids[at] or at)
        world = world + 1
      end
    end
  end
  self.host_total, self.world_size = count, world
end

---- the whole --------------------------------------------------------------------------------------------------------

-- Who has not begun after this long never will; a case has 30 s, and must have time left to say so.
local START_MS = 20000

-- job:interpreters(): waits for the interpreters of the client under test: job.ranks.
function ImpiJob:interpreters()
  self.ranks = self:wait_for("the interpreters", START_MS, function(ms) return core.job_await(self.job, ms) end)
  return self
end

-- job:start_init(): MPI_Init begins in all of them at once: the pending calls.
function ImpiJob:start_init()
  local pending = {}
  for i = 0, self.np - 1 do pending[i] = self.ranks[i]:start_MPI_Init { deadline = START_MS } end
  return pending
end

-- job:init([pending]): MPI_Init in all of them at once (or the calls that have been begun); job.ranks is put into the
-- order of the world's ranks from 0, and rank.world is the world rank.
function ImpiJob:init(pending)
  local sorted = {}
  pending = pending or self:start_init()
  for i = 0, self.np - 1 do
    self.t:mpi(pending[i]:finish())
    local rank = self.ranks[i]
    rank.world = self.t:mpi(rank:MPI_Comm_rank()).rank
    rank.label = "rank " .. rank.world
    core.label(rank.index, rank.label, 0, 0)
    sorted[i + 1] = rank
  end
  table.sort(sorted, function(a, b) return a.world < b.world end)
  for i = 1, self.np do self.ranks[i - 1] = sorted[i] end
  self.initialized = true
  return self
end

local BEYOND_MPI = { MPI_Finalize = true, MPI_Abort = true, quit = true, abandon = true }

-- job:nudge([ms]): has every rank that does nothing call MPI_Iprobe for a while: not every system works when it is not
-- called. Whether there was such a rank.
function ImpiJob:nudge(ms)
  local pending = {}
  for i = 0, self.initialized and self.np - 1 or -1 do
    local rank = self.ranks[i]
    if rank.latest:done() and not BEYOND_MPI[rank.latest.verb] then
      pending[#pending + 1] = rank:start("progress", { comm = "MPI_COMM_WORLD", ms = ms or 100 })
    end
  end
  for _, one in ipairs(pending) do one:finish() end
  return #pending > 0
end

-- job:open(): the whole start-up, honest in every step.
function ImpiJob:open()
  self:start_up():connect_hosts():interpreters():init()
  self.t:sanity_shown("an honest start-up")
  return self
end

-- job:ended([ms]): "status 0" when the client under test has ended, or nil. job:output(): all lines that it printed.
function ImpiJob:ended(ms)
  return core.job_ended(self.job, ms or WAIT_MS)
end

function ImpiJob:output()
  return core.job_lines(self.job)
end
