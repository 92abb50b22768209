-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The system under test as an IMPI server, and scripted clients that speak to it. A Client is a Link with the steps of
-- an honest client; every step can be left out, repeated or replaced by link:send_raw.

local WAIT_MS, VAIN_MS, KEEPS_MS = 5000, 1000, 300

-- Where a server has never answered AUTH, or never ended, in a run, and several cases have waited for it, the others do
-- not wait so long.
local ANSWER, END = "no answer to AUTH", "the server does not end"

-- The environment of a job, unless a case says otherwise: NONE is allowed, there is no key.
local ENVIRONMENT = { IMPI_AUTH_NONE = "1", IMPI_AUTH_KEY = false }

-- IMPI.pairs(given): pairs of the agent's `start`. `env` holds texts, or false for a variable that must not be there.
function IMPI.pairs(given)
  local words, names, environment = {}, {}, {}
  for _, name in ipairs { "client", "server", "clients", "hosts", "options" } do
    if given[name] ~= nil then
      words[#words + 1] = name .. "=" .. IMPI.escape(tostring(given[name]))
    end
  end
  for _, from in ipairs { ENVIRONMENT, given.env or {} } do
    for name, value in pairs(from) do environment[name] = value end
  end
  for name in pairs(environment) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local value = environment[name]
    words[#words + 1] = value and "env." .. name .. "=" .. IMPI.escape(tostring(value)) or "unset." .. name .. "="
  end
  return table.concat(words, " ")
end

-- t:start_server{clients=, options=, env=}: starts the server and waits for nothing.
function Test:start_server(given)
  given = given or {}
  local job = core.job_start(IMPI.pairs(given))
  core.server_started_with(job, math.tointeger(given.clients), given.env and given.env.IMPI_AUTH_KEY or nil)
  return setmetatable({ t = self, job = job, clients = given.clients or 1 }, SutServer)
end

-- t:server{clients=, options=, env=}: the same, and waits for the line with its address: server.line, .address, .port.
-- Without one the case is inconclusive: the case that judges the line will say what is wrong.
function Test:server(given)
  given = given or {}
  local server = self:start_server { clients = given.clients or 1, options = given.options, env = given.env }
  if not server:listen() then
    self:inconclusive("sut", "set-up: the server prints no address:port: " .. Values.show(server.line))
  end
  return server
end

-- server:refuses_so_many(): whether a server that has printed no address has refused its number of clients with a
-- message. No text names a limit, so it may be any above that of the document's examples.
local EXAMPLE_CLIENTS = 3

function SutServer:refuses_so_many()
  return self.clients > EXAMPLE_CLIENTS and IMPI.ended_with_error(self:ended()) and #self:output() > 0
end

-- t:server_of(clients): t:server for so many. The case is skipped where they are too many for the server.
function Test:server_of(clients)
  local server = self:start_server { clients = clients }
  if not server:listen() then
    self:skip_if(server:refuses_so_many(), string.format("the server refuses a job of %d clients", clients))
    self:inconclusive("sut", "set-up: the server prints no address:port: " .. Values.show(server.line))
  end
  return server
end

-- server:judging(req): from here on no set-up with this server may fail: it is judged by `req`.
function SutServer:judging(req)
  self.must = req
end

-- server:judging_beside_others(req): the same where others, who have not come to their end, may hold a client up. One
-- that waits in vain is judged by IMPI-246.
function SutServer:judging_beside_others(req)
  local failed = self.failed
  self:judging(req)
  function self:failed(reason)
    if reason:find("timeout", 1, true) then self:judging("IMPI-246") end
    return failed(self, reason)
  end
end

-- server:failed(reason): a set-up has failed. The case is inconclusive, or the server has failed by what it must.
function SutServer:failed(reason)
  if self.must then
    core.symptom("missing", reason:match("^[^:]+"), "", true)
    self.t:check(self.must, "a proper client", false, "is served", reason)
  end
  self.t:inconclusive("sut", "set-up: " .. reason)
end

-- server:listen([ms]): waits for the first line; true when it is an IPv4 address and a port.
function SutServer:listen(ms)
  local reason
  self.line, reason = core.job_line(self.job, 1, false, ms or 10000)
  self.line = self.line or reason
  self.address, self.port = self.line:match("^(%d+%.%d+%.%d+%.%d+):(%d+)$")
  self.port = tonumber(self.port)
  return self.port ~= nil
end

-- server:ended([ms]): "status 0" when the server has ended, or nil. server:printed(): all lines of standard output.
-- server:output(): all lines of both outputs.
function SutServer:ended(ms)
  ms = core.patience(END, ms or WAIT_MS)
  local status, kib = core.job_ended(self.job, ms)
  if status then
    core.worked(END)
  elseif ms >= VAIN_MS then
    core.missed(END)
  end
  return status, kib
end

function SutServer:printed()
  return core.job_lines(self.job, false)
end

function SutServer:output()
  return core.job_lines(self.job)
end

-- server:mark_output(): from here on, when nothing more of what was printed before is under way.
-- server:new_output([ms]): waits for a line that was printed since; nil without one.
function SutServer:mark_output()
  repeat
    self.marked = #self:output()
  until not core.job_line(self.job, self.marked + 1, nil, 150)
end

function SutServer:new_output(ms)
  return (core.job_line(self.job, self.marked + 1, nil, ms or WAIT_MS))
end

-- server:connect([label [, from]]): a client that has connected and said nothing; or nil and why.
function SutServer:connect(label, from)
  self.connections = (self.connections or 0) + 1
  label = label or "connection " .. self.connections
  local stream, own = core.connect_to(label, from, self.address, self.port, WAIT_MS, "link", self.job)
  if not stream then
    return nil, own -- why
  end
  local client = Link.new(stream, label, true)
  client.t, client.server, client.address = self.t, self, own
  return setmetatable(client, Client)
end

-- A server may say that all clients have skipped a label, by a mask of nobody above all that it has told: 2.3.5 leaves
-- open whether it does. client:pass_over_skipped(): client:receive and client:silence do from here on, and
-- client:with_skipped([ms]) is link:receive. Those of open_connection, rejoin and finish_job do. Returns the client.
local SKIPPED = 16 -- octets of such a command

local function tells_of_nobody(client, command)
  local told = client.told or 0
  client.told = math.max(told, command.label or 0)
  return command.mask == 0 and command.data == "" and command.label > told
end

local function receive_told(client, ms)
  local command, reason
  repeat
    command, reason = client:with_skipped(ms)
  until not (command and tells_of_nobody(client, command))
  return command, reason
end

local function silence_told(client, ms)
  local octets = core.stream_take(client.stream, SKIPPED, ms)
  while octets do
    local number, length = string.unpack(">I4i4", octets)
    local command = { code = IMPI.code_name(number), payload = octets:sub(9) }
    if length ~= SKIPPED - 8 or not tells_of_nobody(client, client:read_payload(command)) then
      return false, Values.show(octets .. core.stream_take(client.stream, core.stream_waiting(client.stream), 0))
    end
    core.stream_said(client.stream, "COLL", IMPI.describe(number, length, command.payload, true))
    octets = core.stream_take(client.stream, SKIPPED, ms)
  end
  return Link.silence(client, 0)
end

function Client:pass_over_skipped()
  self.with_skipped, self.receive, self.silence = Link.receive, receive_told, silence_told
  return self
end

-- server:open_connection([label]): the same as set-up.
function SutServer:open_connection(label)
  local client, reason = self:connect(label)
  if not client then
    self:failed("the server does not accept: " .. self.line .. ": " .. reason)
  end
  return client:pass_over_skipped()
end

-- client:offer(mask, ..): AUTH with these masks. client:choice([ms]): the server's answer, {which=, len=}.
function Client:offer(...)
  return self:send("AUTH", IMPI.mask(...))
end

function Client:choice(ms)
  local octets, reason = core.stream_take(self.stream, 8, core.patience(ANSWER, ms or WAIT_MS))
  if not octets then
    if reason == "timeout" then core.missed(ANSWER) end
    core.symptom("missing", ANSWER, "", true)
    return nil, reason
  end
  core.worked(ANSWER)
  local which, len = string.unpack(">i4i4", octets)
  core.stream_said(self.stream, "choice", string.format("method %d, %d octets follow", which, len))
  return { which = which, len = len, octets = octets }
end

-- client:send_key(number): the 8 octets of a key.
function Client:send_key(number)
  return core.stream_send(self.stream, IMPI.key(number), "key", string.format("key %d", number))
end

-- What a client waits for in set-up: ask(ms) gives it, or nil and why. Long only as long as the run may see it.
local function wait_for(client, what, ask, ms)
  local came, reason = ask(core.patience(what, ms or WAIT_MS))
  if came then
    core.worked(what)
    return came
  end
  if what ~= ANSWER then core.missed(what) end
  client.server:failed(what .. ": " .. client.label .. ": " .. tostring(reason))
end

-- client:authenticate([{mask=, key=, ms=}]): offer, choice and key as set-up.
function Client:authenticate(given)
  given = given or {}
  self:offer(given.mask or (given.key and IMPI.KEY_BIT or IMPI.NONE_BIT))
  local choice = wait_for(self, ANSWER, function(ms) return self:choice(ms) end, given.ms)
  if choice.which == IMPI.KEY then
    self:send_key(given.key or 0)
  end
  return self
end

-- client:join(rank): IMPI with the rank. client:size(): the job's size from the server's answer, as set-up.
function Client:join(rank)
  self.rank = rank
  return self:send("IMPI", string.pack(">i4", rank))
end

function Client:size()
  return wait_for(self, "a client is not told the job's size", function(ms)
    local command, reason = self:receive(ms)
    return command and command.code == "IMPI" and command.value, command and command.code or reason
  end)
end

-- What is nothing to a server, which relays labels unread: that some are missing, and what they say.
Client.UNREAD = { "label-missing", "version-form", "version-order", "version-first", "count-form", "count-zero",
  "datalen-form", "tagub-form", "chosen-form", "chosen-range", "limit-range", "host-count", "port-range", "host-nprocs",
  "process-count", "pid-twice", "limits-ignored", "different-choices" }
local UNREAD = Client.UNREAD

-- client:coll(label, values): a label's values. client:done(), client:fini(). No case need declare what is in UNREAD.
function Client:coll(which, values)
  local label = IMPI.label(which)
  local sent, reason = self:send("COLL", string.pack(">I4", label.number) .. IMPI.values(which, values))
  Test:ignore_violations(UNREAD, self)
  return sent, reason
end

function Client:done()
  local sent, reason = self:send("DONE")
  Test:ignore_violations(UNREAD, self)
  return sent, reason
end

function Client:fini()
  local sent, reason = self:send("FINI")
  Test:ignore_violations(UNREAD, self)
  return sent, reason
end

-- server:join_client(rank [, {mask=, key=}]): a client that has connected, authenticated and sent its rank, as set-up.
function SutServer:join_client(rank, given)
  local client = self:open_connection("client " .. rank)
  client:authenticate(given)
  client:join(rank)
  return client
end

-- server:rejoin(req, rank [, size]): a client in the place of one that the server has lost or cut off; judges that the
-- server is silent (by the row `size`, else `req`) while another client is missing, and that it
-- serves it, or has ended, or keeps the place for good: nil. What a server does behind the loss of a client is not
-- defined (2.3.7).
function SutServer:rejoin(req, rank, size)
  local client = self:connect("client " .. rank .. " again")
  if client and client:offer(IMPI.NONE_BIT) and client:choice() then
    client:pass_over_skipped():join(rank)
    local ended, seen = client:ended(KEEPS_MS)
    if ended then return nil end
    self.t:check(size or req, "with one client, which has come twice, nothing", seen == "the connection stays open",
      "is said", seen)
    return client
  end
  self.t:check(req, "a server that serves nobody in the place of a client", self:ended(), "ends", "still runs")
  return nil
end

-- server:join_all([given]): all clients of the job, [0..n-1], who have been told its size, as set-up. given.order lists
-- the ranks as they shall join.
function SutServer:join_all(given)
  given = given or {}
  local clients = {}
  for i = 0, self.clients - 1 do
    local rank = given.order and given.order[i + 1] or i
    clients[rank] = self:join_client(rank, given)
  end
  for rank = 0, self.clients - 1 do
    if clients[rank]:size() ~= self.clients then self:failed("the job's size is wrong") end
  end
  Test:sanity_shown("an honest start of all clients")
  return clients
end

-- t:joined_server(given): a server as t:server starts it, and all of its clients as server:join_all gives them.
function Test:joined_server(given)
  local server = self:server(given)
  return server, server:join_all()
end

-- t:broadcast(req, client, label, mask, values [, ms]): judges that the next command is this COLL, octet by octet.
function Test:broadcast(req, client, which, mask, values, ms)
  local expected = IMPI.broadcast(which, mask, values)
  local command, reason = client:receive(ms)
  local seen = command and IMPI.describe(command.number, command.length, command.payload, true) or reason
  local number, length = string.unpack(">I4i4", expected)
  local wanted = IMPI.describe(number, length, expected:sub(9), true)
  self:check(req, client.label .. " is sent " .. wanted, command and command.octets == expected, wanted, seen)
  return command
end

-- t:finish_job(req, server, clients): all say DONE and are told so, then FINI; judges that the server ends with status
-- 0.
function Test:finish_job(req, server, clients)
  for rank = 0, server.clients - 1 do clients[rank]:pass_over_skipped():done() end
  for rank = 0, server.clients - 1 do self:command(req, clients[rank], "DONE", { length = 0 }) end
  self:finish_job_after_done(req, server, clients)
end

-- t:finish_job_after_done(req, server, clients): all say FINI; judges that the server ends with status 0.
function Test:finish_job_after_done(req, server, clients)
  for rank = 0, server.clients - 1 do clients[rank]:fini() end
  -- It may give every client some time to close its connection.
  self:equal(req, "the server has ended with", server:ended(WAIT_MS + 500 * server.clients), "status 0")
  self:sanity_shown("a job to its end")
end

-- t:received_nothing(req, who, link): judges of a job that is over that a connection that is none of its clients has
-- been told nothing until then, however late it might have been: the server's end has ended its connection.
function Test:received_nothing(req, who, link)
  self:disconnects(req, "at the end of the job, the connection of " .. who, link)
end
