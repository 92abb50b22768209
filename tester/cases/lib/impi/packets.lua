-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Packets and messages between one process of the system under test and scripted ones, as the cases of chapter 3 speak
-- of them. Data are patterns mix/SEED (specs/interpreter.md, 4.3), so that a message is told by seed and length.

-- A packet that a slow system sends although it must not, comes in that time.
local QUIET_MS = 400
local WAIT_MS = 8000

-- t:pair([job]): an open job (job.lua) for cases about one pair of processes. Returns job, interpreter and process
-- of the first rank under test, the first scripted process, and the channel between their hosts. With `judging`, a
-- requirement, it is judged that the job opens.
function Test:pair(given)
  local job = self:impi_job(given)
  if given and given.judging then job:judging(given.judging) end
  job:open()
  local own, other = job:master(job.rank), job:master(job.rank == 0 and 1 or 0)
  return job, job.ranks[0], own, other, other:channel_to(own)
end

---- the interpreter's side -------------------------------------------------------------------------------------------

-- rank:fresh_name(): a name that nothing has. rank:new_region(octets [, seed]): a new region, filled with mix/seed; its
-- name.
function Rank:fresh_name()
  self.names = (self.names or 0) + 1
  return "r" .. self.names
end

function Rank:new_region(octets, seed)
  local name = self:fresh_name()
  self:octets(name, math.max(octets, 1), seed and octets > 0 and "mix/" .. seed or nil)
  return name
end

-- rank:post_receive(source, octets [, given]): MPI_Irecv from a process (or MPI_ANY_SOURCE) into a new region, as
-- set-up. Returns { rank, request, buf, octets }.
function Rank:post_receive(t, source, octets, given)
  local post = { rank = self, octets = octets, buf = self:new_region(octets) }
  post.request = "q" .. post.buf
  local values = { buf = post.buf, count = octets, request = post.request,
    source = type(source) == "table" and source.rank or source }
  for key, value in pairs(given or {}) do values[key] = value end
  t:mpi(self:MPI_Irecv(values))
  return post
end

-- rank:start_send(t, call, dest, octets, seed [, given [, req]]): a send that returns at once ("MPI_Isend", ..), as
-- set-up, or judged by a requirement. Returns { rank, request, buf, octets, seed }.
function Rank:start_send(t, call, dest, octets, seed, given, req)
  local begun = { rank = self, octets = octets, seed = seed, buf = self:new_region(octets, seed) }
  begun.request = "q" .. begun.buf
  local values = { buf = begun.buf, count = octets, dest = dest.rank, request = begun.request }
  for key, value in pairs(given or {}) do values[key] = value end
  local result = self["start_" .. call](self, values):finish()
  if req then t:rc(req, result, "MPI_SUCCESS") end
  t:mpi(result)
  return begun
end

-- t:completes(req, what, begun [, ms]): judges that a request completes; returns the result. t:stays_pending(req, what,
-- begun): that it does not in a while.
function Test:completes(req, what, begun, ms)
  begun.status = "s" .. begun.request
  local flag, result = begun.rank:complete(begun.request, ms or WAIT_MS, begun.status)
  self:equal(req, what .. ": return code", result.rc, "MPI_SUCCESS")
  self:check(req, what, flag, "complete", "not complete")
  return result
end

function Test:stays_pending(req, what, begun)
  local flag, result = begun.rank:complete(begun.request, QUIET_MS)
  self:equal(req, what .. ": return code", result.rc, "MPI_SUCCESS")
  self:check(req, what, not flag, "not complete", "complete")
end

-- t:cancelled(req, what, begun, wanted): judges that a request completes and whether it was cancelled.
function Test:cancelled(req, what, begun, wanted)
  self:completes(req, what, begun)
  local result = self:mpi(begun.rank:MPI_Test_cancelled { status = begun.status })
  self:equal(req, what .. " is cancelled", result.flag, wanted)
end

-- t:settled_locally(req, what, begun): judges that a request for which MPI_Cancel was called completes, and returns
-- whether it was cancelled. Both are permitted of a send that needs nothing of its receiver: an agent may have taken it
-- (MPI-1, 3.8).
function Test:settled_locally(req, what, begun)
  self:completes(req, what, begun)
  return self:mpi(begun.rank:MPI_Test_cancelled { status = begun.status }).flag
end

-- t:never_leaves(req, channel, own, rank, other, call, octets, kind): judges that a send that waits at hiwater is
-- cancelled without a packet, and that when the way is free the message behind it leaves instead. Where the send is
-- said not to be cancelled its own packet, of this kind, leaves before: a synchronous one must be, for it would wait
-- for its receiver.
function Test:never_leaves(req, channel, own, rank, other, call, octets, kind)
  local begun = rank:start_send(self, call, other, octets, 1, { tag = 3 })
  self:flood(rank, other, 1, 4)
  self:rc(req, rank:MPI_Cancel { request = begun.request }, "MPI_SUCCESS")
  local cancelled = self:settled_locally(req, "the send", begun)
  if call == "MPI_Issend" then self:equal(req, "the send is cancelled", cancelled, true) end
  self:channel_silent(req, "no CANCEL", channel)
  channel:protoack(other, own)
  if not cancelled then self:packet(req, channel, kind, { src = own, tag = 3 }) end
  self:expect_exactly(req, channel, own, 1, 4)
end

-- t:holds(req, what, post, seed [, octets]): judges the first octets of a region.
function Test:holds(req, what, post, seed, octets)
  octets = octets or post.octets
  self:octets(req, what, post.rank, post.buf, "mix/" .. seed, 0, octets)
end

-- t:receive_completes(req, what, post, seed [, octets [, tag]]): judges that a posted receive completes, with these
-- octets.
function Test:receive_completes(req, what, post, seed, octets, tag)
  local result = self:completes(req, what, post)
  octets = octets or post.octets
  self:holds(req, what, post, seed, octets)
  local count = self:mpi(post.rank:MPI_Get_count { status = post.status, datatype = "MPI_BYTE" }).count
  self:equal(req, what .. ": count", count, octets)
  if tag then self:equal(req, what .. ": MPI_TAG", result.status.tag, tag) end
  return result
end

-- t:receives(req, what, rank, source, seed, octets [, given]): judges that a message that is there or comes is
-- received.
function Test:receives(req, what, rank, source, seed, octets, given)
  return self:receive_completes(req, what, rank:post_receive(self, source, octets, given), seed, octets)
end

-- t:not_probed(req, what, rank, source, tag): judges that MPI_Iprobe sees no such message.
function Test:not_probed(req, what, rank, source, tag)
  local result = rank:call("arrived", { source = source.rank, tag = tag, comm = "MPI_COMM_WORLD", ms = QUIET_MS })
  self:equal(req, what .. ": return code", result.rc, "MPI_SUCCESS")
  self:check(req, what, not result.flag, "no message", "a message")
end

-- t:probed(req, what, rank, source, tag, octets): judges that MPI_Iprobe tells of such a message.
function Test:probed(req, what, rank, source, tag, octets)
  local result = rank:call("arrived", { source = source.rank, tag = tag, comm = "MPI_COMM_WORLD", ms = WAIT_MS,
    status = "probed" })
  self:check(req, what, result.rc == "MPI_SUCCESS" and result.flag, "a message", result.rc .. ", no message")
  local count = self:mpi(rank:MPI_Get_count { status = "probed", datatype = "MPI_BYTE" }).count
  self:equal(req, what .. ": its length", count, octets)
  return result
end

---- the scripted side ------------------------------------------------------------------------------------------------

-- process:packet(to, fields): a packet to a process under test; what fields do not say is honest. The case is skipped
-- where the system under test takes no packets of so many octets.
function Process:packet(to, fields)
  local packet = { src = self, dest = to, lsrank = self.rank }
  for key, value in pairs(fields) do packet[key] = value end
  packet.srqid = packet.srqid or self:request()
  self.job:needs("datalen", #(packet.data or ""))
  return packet
end

-- process:send_packet(to, fields): such a packet is sent, within flow control unless the channel is by hand. Returns
-- it.
function Process:send_packet(to, fields)
  local packet = self:packet(to, fields)
  self:channel_to(to):send_with_flow_control(packet)
  return packet
end

-- process:answer(kind, packet [, fields]): an acknowledgement or cancel reply for a packet that came.
function Process:answer(kind, packet, fields)
  fields = fields or {}
  fields.type, fields.srqid = kind, packet.srqid
  return self:send_packet(packet.src, fields)
end

-- process:send_short(to, tag, seed, octets [, fields]): a short message in one DATA packet.
function Process:send_short(to, tag, seed, octets, fields)
  fields = fields or {}
  fields.type, fields.tag, fields.data = fields.type or "DATA", tag, Test.mix(seed, octets)
  return self:send_packet(to, fields)
end

-- process:send_long(to, tag, seed, octets [, fields]): the first packet of a long message. process:send_rest(first, ack
-- [, step [, limit]]): its other packets, behind a SYNCACK, of `step` octets each; at most `limit` of them.
function Process:send_long(to, tag, seed, octets, fields)
  fields = fields or {}
  local data = Test.mix(seed, octets)
  fields.type, fields.tag, fields.msglen = "DATASYNC", tag, octets
  fields.data = data:sub(1, self.job.datalen)
  local first = self:send_packet(to, fields)
  first.whole, first.sent = data, #fields.data
  return first
end

function Process:send_rest(first, ack, step, limit)
  step, limit = step or self.job.datalen, limit or math.maxinteger
  while first.sent < #first.whole and limit > 0 do
    local data = first.whole:sub(first.sent + 1, first.sent + step)
    self:send_packet(first.dest, { type = "DATA", tag = first.tag, cid = first.cid, srqid = first.srqid,
      drqid = ack.drqid, msglen = #first.whole, lsrank = first.lsrank, data = data })
    first.sent, limit = first.sent + #data, limit - 1
  end
end

-- channel:send_together(packets): several packets in one write, not beyond hiwater: where earlier ones still wait to
-- be acknowledged, what has room goes first.
function Channel:send_together(packets)
  local octets = {}
  local function write()
    local what = #octets .. " packets"
    local octets_of_all = table.concat(octets)
    octets = {}
    return self:send_raw(octets_of_all, what, what .. " in one write")
  end
  if not self.by_hand then self.job:needs("hiwater", #packets) end
  for _, packet in ipairs(packets) do
    if #octets > 0 and not self:has_room(packet) then write() end
    self:make_room(packet)
    octets[#octets + 1] = IMPI.packet(packet)
    self:observe(octets[#octets], false)
  end
  return write()
end

---- both sides -------------------------------------------------------------------------------------------------------

-- t:syncack(req, to, packet): judges that the SYNCACK for a DATASYNC comes to the scripted process that sent it.
function Test:syncack(req, to, packet)
  local ack, reason = to:await { src = packet.dest, type = "SYNCACK", srqid = packet.srqid }
  self:check(req, "the SYNCACK for srqid " .. packet.srqid, ack, "comes", reason)
  return ack
end

-- t:packet_to(req, what, to, wanted [, ms]): judges that a packet with these fields comes to a scripted process.
function Test:packet_to(req, what, to, wanted)
  local packet, reason = to:await(wanted)
  to.job:needs_whole(packet)
  self:check(req, what, packet, "comes", reason)
  return packet
end

-- t:channel_silent(req, what, channel [, ms]): judges that no packet comes; PROTOACKs count as well when the channel is
-- by hand.
function Test:channel_silent(req, what, channel, ms)
  channel.job:nudge(60)
  local packet, reason = channel:receive(ms or QUIET_MS)
  self:check(req, what, not packet and reason == "timeout", "no packet", packet and IMPI.show_packet(packet) or reason)
end

-- t:ping_pong(req, what, rank, own, other): judges that messages go both ways between a rank and a scripted process.
function Test:ping_pong(req, what, rank, own, other)
  local ping = rank:start_send(self, "MPI_Isend", other, 16, 71, { tag = 7001 }, req)
  local message, reason = other:receive { src = own, tag = 7001 }
  self:check(req, what .. ": a message from rank " .. own.rank, message, "comes", reason)
  self:same_octets(req, what .. ": its octets", message.data, self.mix(71, 16))
  self:completes(req, what .. ": the send", ping)
  other:send_short(own, 7002, 72, 16)
  self:receives(req, what .. ": a message to rank " .. own.rank, rank, other, 72, 16, { tag = 7002 })
end

-- t:ping_pong_with(req, job, numbers): the same between the first rank under test and each of these scripted processes,
-- by their ranks in the world, in this order.
function Test:ping_pong_with(req, job, numbers)
  local rank = job.ranks[0]
  for _, number in ipairs(numbers) do
    self:ping_pong(req, "with process " .. number, rank, job.processes[rank.world], job.processes[number])
  end
end
