-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Scripted peers on the TCP binding (specs/portals-wire.md): the test manager plays a Portals process octet by
-- octet. It never answers by itself, apart from the HELLO of accept: what a peer does, the case does.
--
-- A message is a table: operation = "put" | "ack" | "get" | "reply" | "barrier" | "hello" (or a number that is none
-- of these) and the fields of its rows (`assay decode` shows them): initiator, target, portal, cookie, match_bits,
-- offset, md, rlength, mlength, and data. `length` may be written for rlength. A received message has `length` too.

local WAIT_MS, LOOK_MS = 5000, 10

-- md = Stream.NO_MD: PTL_MD_NONE on the wire: no acknowledgement is wanted.
Stream.NO_MD = -1
-- A gid or rid that its sender does not know.
Stream.UNKNOWN = 0xffffffff

-- t:peer{gid=, rid=, group_size=}: a peer that listens. Without gid and rid it is alone in a group of its own.
function Test:peer(given)
  given = given or {}
  local index, id = core.peer(given.gid, given.rid)
  id.kind = "both"
  return setmetatable({ index = index, id = id, label = "peer " .. index, group_size = given.group_size or 1 }, Peer)
end

local function wire_id(id)
  return { nid = id.nid or 0, pid = id.pid or 0, gid = id.gid or Stream.UNKNOWN, rid = id.rid or Stream.UNKNOWN }
end

-- peer:hello(target [, overrides]): the HELLO that this peer would send to a process, as a message.
function Peer:hello(target, overrides)
  local message = { operation = "hello", version_major = 1, version_minor = 0, initiator = self.id, target = target,
    interface = 0, group_size = self.group_size }
  for key, value in pairs(overrides or {}) do message[key] = value end
  return message
end

local function new_stream(peer, index, target)
  return setmetatable({ peer = peer, index = index, target = target }, Stream)
end

-- The stream that the system under test has opened: its HELLO is read and answered. Nil and why, where none comes.
local function greet(peer, index, ms, options)
  local stream = new_stream(peer, index, nil)
  local hello, reason = stream:receive(ms)
  if not hello then
    return nil, reason
  elseif hello.operation ~= "hello" then
    return nil, "no-hello"
  end
  stream.hello, stream.target = hello, hello.initiator
  if options.answer ~= false then
    local answer = peer:hello(hello.initiator, options.hello)
    if not (options.hello and options.hello.interface) then
      answer.interface = hello.interface -- it answers for the interface for which the stream was opened
    end
    stream:send(answer)
  end
  return stream
end

-- peer:accept([ms [, {answer=false, hello={overrides}}]]): waits for a stream that the system under test opens,
-- reads its HELLO (stream.hello) and answers it. Returns the stream, or nil and why: "timeout", "closed", "reset",
-- "malformed", "no-hello".
function Peer:accept(ms, options)
  ms = ms or WAIT_MS
  local index, reason = core.accept(self.index, ms)
  if not index then return nil, reason end
  return greet(self, index, ms, options or {})
end

-- t:accept(peer [, ms]): the same, for cases in which the stream is only a means: without one the case is
-- inconclusive.
function Test:accept(peer, ms)
  local stream, reason = peer:accept(ms)
  if not stream then
    self:inconclusive("sut", "set-up: the system under test opened no stream to " .. peer.label .. ": " .. reason)
  end
  return stream
end

-- peer:connect(rank [, overrides]): opens a stream to a rank (or to a process id) and sends HELLO with the fields
-- overridden; raw= (a Lua string, may be "") replaces it. Returns the stream, or nil and why: "refused", "timeout".
function Peer:connect(rank, overrides)
  overrides = overrides or {}
  local id = getmetatable(rank) == Rank and rank.id or rank
  local index, reason = core.connect(self.index, id.nid, id.pid, WAIT_MS)
  if not index then return nil, reason end
  local stream = new_stream(self, index, id)
  stream.opened = overrides
  if overrides.raw then
    stream:send_raw(overrides.raw)
  else
    stream:send(self:hello(id, overrides))
  end
  return stream
end

-- t:connect(peer, rank): the same with the answer read, for cases in which the stream is only a means: else
-- inconclusive.
function Test:connect(peer, rank)
  local stream, reason = peer:connect(rank)
  if stream then stream.hello, reason = stream:receive_hello() end
  if not stream or not stream.hello then
    self:inconclusive("sut",
      "set-up: no stream from " .. peer.label .. " to " .. rank.label .. ": " .. tostring(reason))
  end
  return stream
end

-- stream:with_defaults(message): the message with every field that was not given at its honest value.
function Stream:with_defaults(message)
  local full = { initiator = self.peer.id, target = self.target, portal = 0, cookie = 0, match_bits = 0, offset = 0 }
  local data = message.data or ""
  local operation = message.operation
  full.md = operation == "put" and Stream.NO_MD or 1
  full.rlength = message.length or #data
  full.mlength = message.rlength or full.rlength
  for key, value in pairs(message) do full[key] = value end
  full.length = nil
  full.initiator = wire_id(full.initiator)
  full.target = full.target and wire_id(full.target) or wire_id {}
  return full
end

-- stream:send(message): encodes and sends. Returns true, or nil and why ("closed", "reset", "timeout").
function Stream:send(message)
  local full = self:with_defaults(message)
  local octets = core.encode(full)
  return core.stream_send(self.index, octets, tostring(full.operation), core.describe(octets))
end

-- stream:send_raw(octets): as they are.
function Stream:send_raw(octets)
  return core.stream_send(self.index, octets, "octets", core.describe(octets))
end

-- stream:split(message, count): its octets but the last `count`, and these: to send something else between them.
function Stream:split(message, count)
  local octets = core.encode(self:with_defaults(message))
  return octets:sub(1, -count - 1), octets:sub(-count)
end

-- stream:send_split(message, {cuts}): the message in several segments, cut before the given offsets (ascending).
function Stream:send_split(message, cuts)
  local octets, from = core.encode(self:with_defaults(message)), 0
  for i = 1, #cuts + 1 do
    local to = cuts[i] or #octets
    local part = octets:sub(from + 1, to)
    local good, reason = core.stream_send(self.index, part, "part of " .. message.operation, core.describe(part))
    if not good then return nil, reason end
    from = to
  end
  return true
end

-- What comes next on a stream that the peer has opened, or on the one by which the system under test answers it: a
-- process may open a stream of its own rather than send on the other's (PW-18).
local function receive_either(stream, ms)
  local message, reason
  local patience = core.now() + ms
  repeat
    local left = math.floor(math.max(0, math.min(LOOK_MS, patience - core.now())))
    message, reason = core.receive(stream.index, left)
    local index = not message and not stream.back and core.accept(stream.peer.index, 0)
    if index then
      stream.back = greet(stream.peer, index, WAIT_MS, { hello = { version_minor = stream.opened.version_minor } })
    end
    if not message and stream.back then
      local instead = core.receive(stream.back.index, reason == "timeout" and left or 0)
      if instead then return instead, nil, stream.back.index end
    end
  until message or reason ~= "timeout" or core.now() >= patience
  return message, reason, stream.index
end

-- stream:receive([ms]): the next message, or nil and why: "timeout", "closed", "reset", "malformed".
function Stream:receive(ms)
  local message, reason, index
  if self.greeted then
    message, reason, index = receive_either(self, ms or WAIT_MS)
  else
    message, reason = core.receive(self.index, ms or WAIT_MS)
  end
  local number = message and message.operation == "number" and message
  if number then -- binding 4.7: it belongs to the message behind it
    message, reason = core.receive(index or self.index, ms or WAIT_MS)
  end
  if not message then return nil, reason end
  self.greeted = self.greeted or self.opened and message.operation == "hello"
  if number then message.epoch, message.number = number.epoch, number.number end
  message.length = message.rlength
  message.initiator.kind, message.target.kind = "both", "both"
  return message
end

-- stream:receive_hello([ms]): the same, and it must be a HELLO; else nil and "no-hello".
function Stream:receive_hello(ms)
  local message, reason = self:receive(ms)
  if message and message.operation ~= "hello" then return nil, "no-hello" end
  return message, reason
end

-- t:expect(req, stream, operation, fields [, ms]): judges that this message comes next and has these fields.
-- Returns it.
function Test:expect(req, stream, operation, fields, ms)
  local message, reason = stream:receive(ms)
  self:step_taken("no " .. operation .. " comes on a stream", message and message.operation == operation)
  self:check(req, "the system under test sends " .. operation, message and message.operation == operation, operation,
    message and message.operation or reason)
  self:members(req, operation, message, fields)
  return message
end

-- t:nothing_before(req, stream, request): sends a put or get that the rank takes and answers, and judges that its
-- answer is the next message: what was sent before has brought nothing. Returns the answer.
function Test:nothing_before(req, stream, request)
  stream:send(request)
  local answer, reason = stream:receive()
  local wanted = request.operation == "put" and "ack" or "reply"
  local function show(operation, md)
    return string.format("%s with the handle 0x%x", operation, md)
  end
  self:check(req, "nothing comes before the answer of a later " .. request.operation, answer
    and answer.operation == wanted and answer.md == request.md, show(wanted, request.md),
    answer and show(answer.operation, answer.md or 0) or reason)
  return answer
end

-- stream:silence(ms): true when nothing comes in that time, else false and what came (a message, or why the stream
-- ended).
function Stream:silence(ms)
  local message, reason = self:receive(ms)
  if message then return false, message end
  return reason == "timeout", reason
end

-- Stream.echo(request, answer): the answer with the tag of its request, where that has one (Portals 3.2 and 3.3).
function Stream.echo(request, answer)
  if request.uid and (answer.operation == "ack" or answer.operation == "reply") then
    answer.operation = "tagged-" .. answer.operation
    answer.uid, answer.hdr_data, answer.local_offset = request.uid, request.hdr_data, request.local_offset
  end
  return answer
end

-- stream:answer_of(request [, overrides]): the acknowledgement of a put or the reply to a get as a correct target would
-- send it; a reply carries overrides.data, or zeros. stream:answer(..) sends it.
function Stream:answer_of(request, overrides)
  local message = { operation = request.operation == "put" and "ack" or "reply", portal = request.portal,
    match_bits = request.match_bits, offset = request.offset, md = request.md, rlength = request.rlength,
    mlength = request.rlength, target = request.initiator }
  for key, value in pairs(overrides or {}) do message[key] = value end
  if message.operation == "reply" and not message.data then
    message.data = string.rep("\0", message.mlength)
  end
  return Stream.echo(request, message)
end

function Stream:answer(request, overrides)
  return self:send(self:answer_of(request, overrides))
end

-- stream:stop_reading(): reads no more, like a process that does not listen. stream:resume_reading(): reads again.
function Stream:stop_reading()
  core.stream_hold(self.index, true)
end

function Stream:resume_reading()
  core.stream_hold(self.index, false)
end

-- stream:close(): FIN. stream:reset(): RST.
function Stream:close()
  core.stream_close(self.index, false)
end

function Stream:reset()
  core.stream_close(self.index, true)
end

-- t:encode(message): its octets, honest values as far as no stream is needed.
function Test:encode(message)
  return core.encode(Stream.with_defaults({ peer = { id = {} } }, message))
end
