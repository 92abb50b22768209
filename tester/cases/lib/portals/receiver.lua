-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What the cases of chapter 4.2 share: a rank that takes what a scripted peer sends, the honest message that shows that
-- it lives and that its books are right, and the two ways in which it may treat a forged one.

Receiver = {}

-- Receiver.COOKIE admits everybody to Receiver.PORTAL, where the rank takes everything.
Receiver.COOKIE, Receiver.PORTAL = 2, 3

local COOKIE, PORTAL = Receiver.COOKIE, Receiver.PORTAL

-- Receiver.take_anything(rank [, portal]): whatever comes to portal 3, or to another one, is taken, by put and get,
-- with events to "eq" and acknowledged.
function Receiver.take_anything(rank, portal)
  local me, md = portal and "me" .. portal, portal and "md" .. portal
  rank:attach { index = portal or PORTAL, me = me, md = md, matchid = Test.any_nid, ignorebits = -1, eventq = "eq",
    options = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE|PTL_MD_TRUNCATE" }
end

-- Receiver.set_up(t): a rank that takes puts and gets of everybody at portal 3; a peer; a stream between them that the
-- rank opened.
function Receiver.set_up(t)
  t:open { ptl_size = 8, acl_size = 4 }
  local rank, peer = t.ranks[0], t:peer {}
  rank:ac_entry { index = COOKIE, matchid = t.any_nid, portal = "any" }
  rank:eq("eq", 64)
  rank:region("buf", 256)
  Receiver.take_anything(rank)
  rank:bind { md = "opener", length = 0 }
  rank:put { mem_desc = "opener", target = t.nid(peer.id) }
  local stream = t:accept(peer)
  local first = stream:receive()
  t:sanity("the first put arrives", first ~= nil and first.operation == "put")
  return rank, peer, stream
end

-- Receiver.open_another(t, rank): a stream that another peer opens to the rank. A process sends all that it has for
-- one peer on one stream (PW-18), so every further stream needs a peer of its own: its answers then come where they
-- are looked for.
function Receiver.open_another(t, rank)
  return t:connect(t:peer {}, rank)
end

-- Receiver.check_alive(t, rank, stream [, bits]): an honest put that must be taken and acknowledged: the sanity step,
-- and the proof that everything before it was handled.
function Receiver.check_alive(t, rank, stream, bits)
  local put = { operation = "put", portal = PORTAL, cookie = COOKIE, match_bits = bits or 0x600d, md = 77,
    data = "honest" }
  stream:send(put)
  local ack = stream:receive()
  t:valid_counterpart(stream, put, ack ~= nil and ack.operation == "ack" and ack.md == 77 and ack.mlength == 6)
  local event = rank:wait("eq").event
  t:sanity("an honest put is logged", event ~= nil and event.type == "PTL_EVENT_PUT" and event.match_bits == (bits
    or 0x600d))
end

-- Receiver.with_field(message, field, value): the message with another value in one field.
function Receiver.with_field(message, field, value)
  local copy = {}
  for key, old in pairs(message) do copy[key] = old end
  copy[field] = value
  return copy
end

-- Receiver.accepts(t, rank, stream, request): sends a put or get that the rank takes, with an event, and answers: the
-- valid counterpart of those that it must not take.
function Receiver.accepts(t, rank, stream, request)
  stream:send(request)
  local answer = stream:receive()
  local kind = request.operation == "put" and "ack" or "reply"
  t:valid_counterpart(stream, request, answer ~= nil and answer.operation == kind and answer.md == request.md)
  local event = rank:wait("eq").event
  t:sanity("it is logged", event ~= nil and event.type == "PTL_EVENT_" .. request.operation:upper())
end

-- Receiver.discards(t, req, rank, stream, message, wrong): sends a forged message (`wrong` as for t:send_invalid) and
-- judges that it is counted once, changes nothing, is not answered, and that the stream goes on.
function Receiver.discards(t, req, rank, stream, message, wrong)
  local before = rank:drop_count()
  t:send_invalid(req, stream, message, wrong)
  t:drops(req, rank, before, 1)
  stream:send { operation = "put", portal = PORTAL, cookie = COOKIE, match_bits = 0x0ff, md = 88, data = "after" }
  local ack, reason = stream:receive()
  t:check(req, "the next honest message on the stream is served, and nothing comes before its answer",
    ack ~= nil and ack.md == 88, "the acknowledgement of the honest put", ack and ack.operation or reason)
  local event = rank:wait("eq").event
  t:equal(req, "the event that follows", event and event.match_bits, 0x0ff)
  t:equal(req, "dropped messages in all", rank:drop_count() - before, 1)
end

-- Receiver.closes(t, req, rank, stream, octets, wrong): the same for a message after which the stream cannot go on: it
-- must be closed, and a new one must work.
function Receiver.closes(t, req, rank, stream, octets, wrong)
  local before = rank:drop_count()
  t:send_invalid(req, stream, octets, wrong)
  local message, reason = stream:receive()
  t:check(req, "the stream is closed", message == nil and (reason == "closed" or reason == "reset"), "closed", message
    and message.operation or reason)
  t:drops(req, rank, before, 1)
  Receiver.check_alive(t, rank, Receiver.open_another(t, rank))
  t:equal(req, "dropped messages in all", rank:drop_count() - before, 1)
end
