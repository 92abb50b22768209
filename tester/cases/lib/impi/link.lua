-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- A Link is one TCP connection on which a scripted peer speaks IMPI's start-up, as a client or as the server. It never
-- answers by itself. Every call that sends returns true, or nil and why: "closed", "reset", "timeout"; every call that
-- waits gives nil and why: also "cut", when the connection ended inside what was wanted.

local WAIT_MS = 5000
local LENGTH_MAX = 4 << 20
local VALUES_MAX = 4096 -- octets; longer data are for the case to compare as they are

-- Link.new(stream, label, of_server): a link; of_server tells that the other side is a server.
function Link.new(stream, label, of_server)
  return setmetatable({ stream = stream, label = label, of_server = of_server }, Link)
end

-- link:send_raw(octets [, label [, text]]): as they are. The texts are for ladder and transcript.
function Link:send_raw(octets, label, text)
  return core.stream_send(self.stream, octets, label or "octets", text or Values.show(octets))
end

-- link:send_split(octets, {cuts}): in several segments, cut behind the given offsets (ascending).
-- link:send_singly(octets): each octet by itself.
function Link:send_split(octets, cuts)
  local from = 0
  for i = 1, #cuts + 1 do
    local to = cuts[i] or #octets
    local good, reason = self:send_raw(octets:sub(from + 1, to), "part")
    if not good then return nil, reason end
    from = to
  end
  return true
end

-- The other side has a moment to read each: what waits together would be read together.
function Link:send_singly(octets)
  for i = 1, #octets do
    local good, reason = core.stream_send(self.stream, octets:sub(i, i), "octet", string.format("%02x", octets:byte(i)))
    if not good then return nil, reason end
    core.stream_take(self.stream, LENGTH_MAX, 1)
  end
  return true
end

-- link:send(code, payload [, length]): one command, in one segment if the network has room.
function Link:send(code, payload, length)
  payload = payload or ""
  local octets = IMPI.command(code, payload, length)
  local number, told = string.unpack(">I4i4", octets)
  return core.stream_send(self.stream, octets, IMPI.code_name(number),
    IMPI.describe(number, told, payload, not self.of_server))
end

-- link:take(octets [, ms]): so many octets, as they come.
function Link:take(count, ms)
  local octets, reason = core.stream_take(self.stream, count, ms or WAIT_MS)
  if octets then core.stream_said(self.stream, "octets", Values.show(octets)) end
  return octets, reason
end

local function read_head(link, octets)
  local number, length = string.unpack(">I4i4", octets)
  local command = { code = IMPI.code_name(number), number = number, length = length, octets = octets }
  if length < 0 or length > LENGTH_MAX then
    core.stream_said(link.stream, command.code, IMPI.describe(number, length, "", link.of_server))
    return nil, "a length of " .. length
  end
  return command
end

-- link:receive([ms]): the next command: code ("COLL"), number, length, payload, octets (all of it); of a COLL also
-- label, mask (of a server's), data and values (a list; nil when they are none, or long). Of AUTH masks, of IMPI value
-- (rank or size).
function Link:receive(ms)
  local head, reason = core.stream_take(self.stream, 8, ms or WAIT_MS)
  if not head then return nil, reason end
  local command
  command, reason = read_head(self, head)
  if not command then return nil, reason end
  command.payload, reason = core.stream_take(self.stream, command.length, ms or WAIT_MS)
  if not command.payload then return nil, reason == "closed" and "cut" or reason end
  command.octets = head .. command.payload
  core.stream_said(self.stream, command.code,
    IMPI.describe(command.number, command.length, command.payload, self.of_server))
  return self:read_payload(command)
end

-- link:read_payload(command): adds what the payload means.
function Link:read_payload(command)
  local payload, head = command.payload, self.of_server and 8 or 4
  if command.code == "COLL" and #payload >= head then
    command.label = string.unpack(">I4", payload)
    command.mask = self.of_server and string.unpack(">I4", payload, 5) or nil
    command.data = payload:sub(head + 1)
    command.values = #command.data <= VALUES_MAX and IMPI.read_values(command.label, command.data) or nil
  elseif command.code == "IMPI" and #payload == 4 then
    command.value = string.unpack(">i4", payload)
  elseif command.code == "AUTH" and #payload % 4 == 0 then
    command.masks = IMPI.read_values("C_NHOSTS", payload)
  end
  return command
end

-- link:silence(ms): true when nothing comes in that time, else false and what came (octets, or why the link ended).
function Link:silence(ms)
  local octets, reason = core.stream_take(self.stream, 1, ms)
  if octets then
    return false, Values.show(octets .. (core.stream_take(self.stream, core.stream_waiting(self.stream), 0) or ""))
  end
  return reason == "timeout", reason
end

-- link:ended([ms]): waits until the other side has closed or reset without saying anything more; true, or false and
-- what was seen instead.
function Link:ended(ms)
  local quiet, seen = self:silence(ms or WAIT_MS)
  if quiet then return false, "the connection stays open" end
  return seen == "closed" or seen == "reset", seen
end

-- link:stop_reading(), link:resume_reading(): reads no more; reads again. link:close(): FIN. link:reset(): RST.
function Link:stop_reading()
  core.stream_hold(self.stream, true)
end

function Link:resume_reading()
  core.stream_hold(self.stream, false)
end

function Link:close()
  core.stream_close(self.stream, false)
end

function Link:reset()
  core.stream_close(self.stream, true)
end

-- t:command(req, link, code, fields [, ms]): judges that this command comes next and has these fields. Returns it.
function Test:command(req, link, code, fields, ms)
  local command, reason = link:receive(ms)
  self:check(req, link.label .. " is sent " .. code, command and command.code == code, code,
    command and IMPI.describe(command.number, command.length, command.payload, link.of_server) or reason)
  self:members(req, code, command, fields)
  return command
end

-- t:link_silent(req, what, link, ms): judges that nothing comes. t:disconnects(req, what, link [, ms]): that the
-- connection is ended and nothing more is said on it.
function Test:link_silent(req, what, link, ms)
  local quiet, seen = link:silence(ms)
  self:check(req, what, quiet, "silence", seen)
end

function Test:disconnects(req, what, link, ms)
  local ended, seen = link:ended(ms)
  self:check(req, what, ended, "the end of the connection", seen)
end

-- t:record(what, observed): something that is told and not judged.
function Test:record(what, observed)
  core.note(what .. ": " .. Values.show(observed))
end
