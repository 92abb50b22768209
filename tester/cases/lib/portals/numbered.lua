-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Numbered messages (specs/portals-wire.md, 4.7) as a scripted peer sees them: streams of which both ends say version
-- 1.1, what comes and goes on them with a number, and what is acknowledged.

Numbered = {}

local WAIT_MS, START_MS = 5000, 20000

-- Numbered.start(t): ends the case's process and goes on with another one that was asked to number its messages. The
-- variable says so to the reference; a system that does not know it ignores it, and numbers what it sends or not as it
-- likes. A network that was told to spoil what the process sends is told no longer: here each acknowledgement is
-- judged, and what is lost below would be held against the process. The case is skipped where a launcher cannot start
-- one job after the other.
function Numbered.start(t)
  t.ranks[0]:quit()
  t.ranks[0]:wait_end(WAIT_MS)
  local job = core.job_start("env.ASSAY_RELIABLE=1 unset.ASSAY_FAULT=", 1)
  local ranks, why = core.job_await(job, START_MS)
  if not ranks then
    t:skip("a second job of the system under test does not start: " .. tostring(why))
  end
  t.ranks[0] = ranks[0]
end

local function agreed(t, stream)
  if stream.hello.version_minor < 1 then
    t:skip("the system under test does not number its messages")
  end
  return stream
end

-- Numbered.connect(t, peer, rank): a stream that the peer opens and on which both ends number; else the case is
-- skipped. Numbered.accept(t, peer): one that the rank opens.
function Numbered.connect(t, peer, rank)
  local stream, reason = peer:connect(rank, { version_minor = 1 })
  if stream then stream.hello, reason = stream:receive_hello() end
  if not stream or not stream.hello then
    t:inconclusive("sut", "set-up: no stream to " .. rank.label .. ": " .. tostring(reason))
  end
  return agreed(t, stream)
end

function Numbered.accept(t, peer)
  local stream, reason = peer:accept(WAIT_MS, { hello = { version_minor = 1 } })
  if not stream then
    t:inconclusive("sut", "set-up: the system under test opened no stream to " .. peer.label .. ": " .. reason)
  end
  return agreed(t, stream)
end

-- Numbered.octets(t, stream, epoch, number, message): NUMBER and the message behind it. Numbered.send(...) sends them.
function Numbered.octets(t, stream, epoch, number, message)
  return t:encode { operation = "number", epoch = epoch, number = number } .. t:encode(stream:with_defaults(message))
end

function Numbered.send(t, stream, epoch, number, message)
  stream:send_raw(Numbered.octets(t, stream, epoch, number, message))
end

-- Numbered.acknowledge(stream, epoch, number [, {missing=, incarnation=}]): says that the peer has all up to a number.
function Numbered.acknowledge(stream, epoch, number, given)
  given = given or {}
  stream:send { operation = "acknowledge", incarnation = given.incarnation or 1, epoch = epoch, acknowledged = number,
    missing = given.missing or 0 }
end

-- Numbered.acknowledged(t, req, stream, epoch, number [, missing]): judges that the rank acknowledges this epoch up to
-- this number, perhaps after less of it, and with `missing` as given. Other messages are left out. Returns how many
-- ACKNOWLEDGEs came.
function Numbered.acknowledged(t, req, stream, epoch, number, missing)
  local count = 0
  repeat
    local message, reason = stream:receive()
    t:check(req, "number " .. number .. " of epoch " .. epoch .. " is acknowledged", message ~= nil, "ACKNOWLEDGE",
      reason)
    local done = false
    if message.operation == "acknowledge" then
      count = count + 1
      t:equal(req, "epoch that is acknowledged", message.epoch, epoch)
      t:check(req, "what is acknowledged", message.acknowledged <= number, "at most " .. number, message.acknowledged)
      done = message.acknowledged == number and (missing or message.missing) == message.missing
    end
  until done
  return count
end

-- Numbered.put(stream, fields): a put for Receiver.PORTAL that asks for no acknowledgement of its own.
function Numbered.put(stream, fields)
  local message = { operation = "put", portal = Receiver.PORTAL, cookie = Receiver.COOKIE, md = stream.NO_MD,
    data = "data" }
  for key, value in pairs(fields or {}) do message[key] = value end
  return message
end

-- Numbered.set_up(t): a rank that numbers and takes puts of everybody, and a peer.
function Numbered.set_up(t)
  Numbered.start(t)
  t:open { ptl_size = 8, acl_size = 4 }
  local rank = t.ranks[0]
  rank:ac_entry { index = Receiver.COOKIE, matchid = t.any_nid, portal = "any" }
  rank:eq("eq", 64)
  rank:region("buf", 256)
  Receiver.take_anything(rank)
  return rank, t:peer {}
end
