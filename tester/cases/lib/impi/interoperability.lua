-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- A meeting: one job of two clients, each of which is the system under test or the reference, under a server of either.
-- Nothing is scripted on the wire here; the case is an MPI program that the interpreters of all processes execute.
--
--   local world = t:interoperate({ "reference", "sut", "reference", "ring" }, "IMPI-018")
--   world:all("MPI_Barrier", { comm = "MPI_COMM_WORLD" })   -- in all processes at once
--   world[0]:MPI_Send{...}                                  -- world[RANK], world.size, world.client[RANK]
--   if world.alike then .. end                              -- both clients are of one implementation
--   world:finish("IMPI-077")                                  -- MPI_Finalize, the end of all programs
--
-- What fails once the programs have begun is judged by the requirement that the case is about.

local NP = 2
local WAIT_MS = 30000
local TURN_MS = 200

-- All agree on a key; whatever else a user could choose is left alone, unless the program wants it.
local ENVIRONMENT = { IMPI_AUTH_KEY = "5678", IMPI_AUTH_NONE = false, IMPI_DATALEN = false, IMPI_TAGUB = false,
  IMPI_COLL_XSIZE = false, IMPI_COLL_MAXLINEAR = false, IMPI_ACKMARK = false, IMPI_HIWATER = false,
  IMPI_HOST_NAME = false }

World = {}
World.__index = World

-- World.host_name(number): how client `number` names its hosts, where both run on the manager's machine: by an address
-- of its own, since some systems tell hosts apart by that. Else false: they do it as they like.
function World.host_name(number)
  return core.manager():match("^127%.") and "127.0.0." .. 1 + number or false
end

local function environment(given)
  local all = {}
  for _, from in ipairs { ENVIRONMENT, given or {} } do
    for name, value in pairs(from) do all[name] = value end
  end
  return all
end

-- The partner (core.job_start) that is not the system under test, or nil.
local function partner(who, server, role)
  if server then
    return who == "reference" and "server" or role == "client" and "own-server" or nil
  end
  return who == "reference" and "client" or nil
end

local function name_of(who)
  if who == "sut" then return "the system under test" end
  return core.facts().guest ~= "" and "the guest" or "the reference"
end

function World:fail(what, expected, observed)
  self.t:check(self.req, what, false, expected, observed)
end

-- Why something did not come, and who has ended meanwhile: who waits for another one has not caused it.
function World:standing(cell, reason)
  local words = { tostring(reason) }
  for number, job in pairs(self.clients) do
    local status, said = core.job_ended(job, 1), core.job_lines(job)
    if status then
      words[#words + 1] = string.format("client %d, %s, has ended with %s%s", number, name_of(cell[2 + number]), status,
        #said > 0 and ", and said: " .. said[#said] or "")
    end
  end
  return table.concat(words, "; ")
end

-- Starts the server; where clients find it.
function World:start_server(cell, env)
  self.server = core.job_start(IMPI.pairs { clients = 2, options = "", env = env }, nil,
    partner(cell[1], true, core.facts().role))
  local line, reason = core.job_line(self.server, 1, false, WAIT_MS)
  local address, port = (line or ""):match("(%d+%.%d+%.%d+%.%d+):(%d+)")
  if not port then
    self:fail("the server, " .. (cell[1] == "sut" and name_of("sut") or "the reference") .. ", says where it listens",
      "ADDRESS:PORT", line or reason)
  end
  return (cell[1] == "reference" and core.manager() or address) .. ":" .. port
end

-- The processes of all clients. When one has ended the others wait for it in vain, and nobody waits for them.
function World:clients_begin(cell)
  local found, step = {}, "the clients of " .. table.concat(cell, ", ", 1, 3) .. " begin"
  local late = core.now() + core.patience(step, WAIT_MS)
  while true do
    local missing, reason, over
    for number = 0, #self.sizes do
      local why
      if not found[number] then found[number], why = core.job_await(self.clients[number], TURN_MS) end
      local ended = not found[number] and core.job_ended(self.clients[number], 1)
      if not found[number] and (ended or not missing) then missing, reason, over = number, why, ended end
    end
    if not missing then
      core.worked(step)
      return found
    elseif over or core.now() > late then
      core.missed(step)
      core.symptom("missing", step, "", true)
      self:fail(string.format("client %d, %s, starts its processes", missing, name_of(cell[2 + missing])),
        self.sizes[missing], self:standing(cell, reason))
    end
  end
end

-- The interpreters of all clients, behind MPI_Init, in the order of their world ranks.
function World:connect_interpreters(cell)
  local ranks, pending, found = {}, {}, self:clients_begin(cell)
  for number = 0, #self.sizes do
    for i = 0, self.sizes[number] - 1 do ranks[#ranks + 1] = { rank = found[number][i], client = number } end
  end
  for i, one in ipairs(ranks) do pending[i] = one.rank:start_MPI_Init { deadline = WAIT_MS } end
  for i, one in ipairs(ranks) do
    self.t:rc(self.req, pending[i]:finish(), "MPI_SUCCESS")
    local world = one.rank:MPI_Comm_rank().rank
    self.t:check(self.req, "ranks of the world", math.type(world) == "integer" and not self[world], "each once", world)
    self[world], self.client[world] = one.rank, one.client
    local who = cell[2 + one.client]
    if who == "reference" and core.facts().guest ~= "" then who = "guest" end
    one.rank.label = string.format("rank %d (%s)", world, who)
    core.label(one.rank.index, one.rank.label, 0, 0)
  end
  self.size = self[0]:MPI_Comm_size().size
  self.t:equal(self.req, "MPI_Comm_size of the world", self.size, #ranks)
end

-- t:interoperate(cell, req [, env]): the job, behind MPI_Init.
function Test:interoperate(cell, req, env)
  local world = setmetatable({ t = self, req = req, clients = {}, client = {}, sizes = { [0] = NP, NP },
    alike = cell[2] == cell[3] }, World)
  self:judging(req)
  local all = environment(env)
  local where = world:start_server(cell, all)
  for number = 0, 1 do
    all.IMPI_HOST_NAME = World.host_name(number)
    world.clients[number] = core.job_start(IMPI.pairs { client = number, server = where, hosts = 1, env = all }, NP,
      partner(cell[2 + number], false))
  end
  world:connect_interpreters(cell)
  return world
end

-- world:each(action): calls action(rank, number) for every process; what it returns are pending calls, which are all
-- under way before the first is waited for. Returns their results by rank; each must be MPI_SUCCESS.
function World:each(action)
  local pending, results = {}, {}
  for number = 0, self.size - 1 do pending[number] = action(self[number], number) end
  for number = 0, self.size - 1 do
    if pending[number] then
      results[number] = self.t:rc(self.req, pending[number]:finish(), "MPI_SUCCESS")
    end
  end
  return results
end

-- world:all(verb, values): the same call in all processes at once.
function World:all(verb, values)
  return self:each(function(rank) return rank["start_" .. verb](rank, values) end)
end

-- world:must_succeed(result): a call that must succeed.
function World:must_succeed(result)
  return self.t:rc(self.req, result, "MPI_SUCCESS")
end

-- world:finish(req): MPI_Finalize everywhere; then both clients and the server end with status 0.
function World:finish(req)
  self.t:judging(req)
  self.req = req
  self:all("MPI_Finalize", { deadline = WAIT_MS })
  for number = 0, 1 do core.job_may_end(self.clients[number], true) end
  for number = 0, self.size - 1 do self[number]:quit() end
  for number = 0, 1 do
    self.t:equal(req, string.format("client %d ends with", number), core.job_ended(self.clients[number], WAIT_MS),
      "status 0")
  end
  self.t:equal(req, "the server ends with", core.job_ended(self.server, WAIT_MS), "status 0")
end

-- rank:store(name, kind, values): a region that holds values of a C type; rank:load(name, kind, count): its values.
function Rank:store(name, kind, octets, values)
  self:octets(name, octets)
  if #values > 0 then
    self:call("write-values", { name = name, offset = 0, type = kind, values = table.concat(values, ",") })
  end
end

function Rank:load(name, kind, count)
  return tostring(self:call("read-values", { name = name, offset = 0, type = kind, count = count }).values)
end
