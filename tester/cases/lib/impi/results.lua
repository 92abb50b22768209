-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Results of collective operations, by calls of MPI alone: one job of clients that are all the system under test, under
-- a scripted server. Where the way of an operation is lost to us, two implementations need not understand each
-- other; what its result must be is said by MPI, whatever the way. The words of a meeting (interoperability.lua) hold
-- here.

local WAIT_MS = 20000
local PACKETS_MAX = 2000
local DATALEN = 0x1300

local UNSET = { "IMPI_DATALEN", "IMPI_TAGUB", "IMPI_COLL_XSIZE", "IMPI_COLL_MAXLINEAR", "IMPI_ACKMARK", "IMPI_HIWATER",
  "IMPI_HOST_NAME", "IMPI_AUTH_KEY" }

local function environment(given, number)
  local all = { IMPI_AUTH_NONE = "1" }
  for _, name in ipairs(UNSET) do all[name] = false end
  all.IMPI_HOST_NAME = World.host_name(number)
  for name, value in pairs(given or {}) do all[name] = value end
  return all
end

-- The next command of a client, which must be one of these; else the job does not come about.
local function next_of(t, server_link, first, second)
  local command, reason = server_link:receive(WAIT_MS)
  if not command or (command.code ~= first and command.code ~= second) then
    t:inconclusive("sut", "set-up: " .. first .. " of a client: " .. tostring(command and command.code or reason))
  end
  return command
end

-- All clients have connected, and have been told the size of the job: the connections by the clients' ranks.
local function join(t, server, count)
  local server_links, found = {}, {}
  for i = 1, count do
    local server_link, reason = server:accept()
    if not server_link then
      t:inconclusive("sut", "set-up: a client does not connect to the server: " .. tostring(reason))
    end
    found[i] = server_link
  end
  for i = 1, count do
    next_of(t, found[i], "AUTH")
    found[i]:choose(IMPI.NONE)
    server_links[next_of(t, found[i], "IMPI").value or -1] = found[i]
  end
  for number = 0, count - 1 do
    if not server_links[number] then
      t:inconclusive("sut", "set-up: no client has said the rank " .. number)
    end
  end
  for number = 0, count - 1 do server_links[number]:size(count) end
  return server_links
end

-- Every label goes out to all, the lowest first, with what those clients have given that have it; then DONE. Returns
-- how many octets a packet may have.
local function collect(t, server_links)
  local waiting, datalen, last = {}, math.huge, #server_links
  repeat
    local label, mask, data = math.huge, 0, ""
    for number = 0, last do
      waiting[number] = waiting[number] or next_of(t, server_links[number], "COLL", "DONE")
      label = math.min(label, waiting[number].label or math.huge)
    end
    for number = 0, label < math.huge and last or -1 do
      if waiting[number].label == label then
        if label == DATALEN and #waiting[number].data == 4 then
          datalen = math.min(datalen, (string.unpack(">I4", waiting[number].data)))
        end
        mask, data, waiting[number] = mask | 1 << number, data .. waiting[number].data, nil
      end
    end
    for number = 0, mask ~= 0 and last or -1 do server_links[number]:broadcast(label, mask, data) end
  until mask == 0
  for number = 0, last do server_links[number]:done() end
  return datalen
end

-- t:clients_of_sizes(req, sizes [, env]): the job, behind MPI_Init: clients of so many processes, whose ranks are
-- world[0..]. As set-up until MPI_Init.
function Test:clients_of_sizes(req, sizes, env)
  local world, server = setmetatable({ t = self, req = req, clients = {}, client = {}, sizes = {} }, World),
    self:impi_server()
  local cell = { "scripted" }
  self:judging(req)
  for place, np in ipairs(sizes) do
    local number = place - 1
    cell[1 + place], world.sizes[number] = "sut", np
    world.clients[number] = core.job_start(IMPI.pairs { client = number, server = server.where, hosts = 1,
      env = environment(env, number) }, np)
  end
  world.datalen = collect(self, join(self, server, #sizes))
  world:connect_interpreters(cell)
  return world
end

-- t:two_clients(req [, env]): the same with two processes of each of two clients.
function Test:two_clients(req, env)
  return self:clients_of_sizes(req, { 2, 2 }, env)
end

-- world:fill(name, octets): octets(number) is the content of the region `name` in each process.
function World:fill(name, octets)
  for number = 0, self.size - 1 do
    local text = octets(number)
    self[number]:octets(name, math.max(#text, 1))
    for at = 1, #text, 32768 do self[number]:write(name, at - 1, text:sub(at, at + 32767)) end
  end
end

-- world:carries(octets): skips the case where a block of so many octets would be cut into too many packets.
function World:carries(octets)
  self.t:skip_if(octets > PACKETS_MAX * self.datalen, string.format(
    "a packet of the system under test has room for %d octets: blocks of %d would take too many", self.datalen, octets))
end

-- world:free(name, ..): the regions go.
function World:free(...)
  for _, name in ipairs { ... } do
    for number = 0, self.size - 1 do self[number]:free(name) end
  end
end

-- world:holds(what, name, octets): judges that the region holds octets(number) in each process; nil: not looked at.
function World:holds(what, name, octets)
  for number = 0, self.size - 1 do
    local expected, found = octets(number), {}
    for at = 0, expected and #expected - 1 or -1, 32768 do
      found[#found + 1] = self[number]:read(name, at, math.min(32768, #expected - at))
    end
    if expected then
      self.t:same_octets(self.req, what .. " at rank " .. number, table.concat(found), expected)
    end
  end
end
