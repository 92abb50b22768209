-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- A Channel: one TCP connection between a scripted host and a host of the system under test, and the packets on it
-- (chapters 3.5 and 3.6). A packet is a table: type ("DATA", .. or a number), src and dest (processes of the job),
-- srqid, drqid, msglen, lsrank, tag, cid, seqnum, count, dtype, reserved, data; `len` may lie.
--
-- Flow control is automatic: packets that count are counted, a PROTOACK is sent when `ackmark` have come, sending waits
-- for one at `hiwater`. channel.by_hand = true leaves all that to the case: PROTOACKs are received like other packets.

local WAIT_MS, PATIENCE_MS = 10000, 500
local FORM = ">I4I4c16i8c16i8i8i8i8i4i4i8i8i8i8i8"
local OCTETS = 128
local LENGTH_MAX = 16 << 20

IMPI.TYPES = { DATA = 0, DATASYNC = 1, PROTOACK = 2, SYNCACK = 3, CANCEL = 4, CANCELYES = 5, CANCELNO = 6, FINI = 7 }

local TYPE_NAMES = {}
for name, number in pairs(IMPI.TYPES) do
  TYPE_NAMES[number] = name
end

local HAS_DATA = { DATA = true, DATASYNC = true }
local UNCOUNTED = { PROTOACK = true, FINI = true }

-- Channel.new(host, stream): what host.lua makes of a connection.
function Channel.new(host, stream)
  core.stream_label(stream, host.label)
  return setmetatable({ host = host, job = host.job, stream = stream, label = host.label, inbox = {}, came = {},
    unacknowledged = {} }, Channel)
end

local NOBODY = { id = string.rep("\0", 16), pid = 0 }

-- IMPI.packet(packet): its octets, data included.
function IMPI.packet(packet)
  local data, src, dest = packet.data or "", packet.src or NOBODY, packet.dest or NOBODY
  return string.pack(FORM, IMPI.TYPES[packet.type] or packet.type, (packet.len or #data) & 0xffffffff, src.id, src.pid,
    dest.id, dest.pid, packet.srqid or 0, packet.drqid or 0, packet.msglen or #data, packet.lsrank or 0,
    packet.tag or 0, packet.cid or 0, packet.seqnum or 0, packet.count or 0, packet.dtype or 0, packet.reserved or 0)
    .. data
end

local function show_process(process)
  return process.label or IMPI.show_host(process.id) .. "/" .. process.pid
end

-- IMPI.show_packet(packet): on one line.
function IMPI.show_packet(packet)
  if packet.type == "FINI" then return "FINI" end
  local text = string.format("%s %s to %s", packet.type, show_process(packet.src or NOBODY),
    show_process(packet.dest or NOBODY))
  if HAS_DATA[packet.type] then
    text = string.format("%s, tag %d, cid %d, %d of %d octets, lsrank %d", text, packet.tag or 0, packet.cid or 0,
      #(packet.data or ""), packet.msglen or #(packet.data or ""), packet.lsrank or 0)
  end
  return string.format("%s, srqid %d, drqid %d", text, packet.srqid or 0, packet.drqid or 0)
end

local function find_process(job, id, pid)
  for rank = 0, job.world_size - 1 do
    local process = job.processes[rank]
    if process.id == id and process.pid == pid then return process end
  end
  return { id = id, pid = pid }
end

-- IMPI.read_packet(job, octets): a header as a table; src and dest are processes of the job where there are such.
function IMPI.read_packet(job, octets)
  local packet, src, src_pid, dest, dest_pid = {}, nil, nil, nil, nil
  packet.number, packet.len, src, src_pid, dest, dest_pid, packet.srqid, packet.drqid, packet.msglen, packet.lsrank,
    packet.tag, packet.cid, packet.seqnum, packet.count, packet.dtype, packet.reserved = string.unpack(FORM, octets)
  packet.type = TYPE_NAMES[packet.number] or packet.number
  packet.src, packet.dest = find_process(job, src, src_pid), find_process(job, dest, dest_pid)
  packet.octets = octets
  return packet
end

-- Waits for a header. A system whose packets leave only while it is inside MPI is given the opportunity.
function Channel:take_header(ms)
  local late = core.now() + ms
  local octets, reason = core.stream_take(self.stream, OCTETS, math.min(ms, PATIENCE_MS))
  while not octets and reason == "timeout" and core.now() < late do
    local nudged = self.job:nudge()
    local left = math.max(0, math.ceil(late - core.now()))
    octets, reason = core.stream_take(self.stream, OCTETS, nudged and math.min(left, PATIENCE_MS) or left)
  end
  return octets, reason
end

-- channel:next_packet([ms]): the next packet as it comes, flow control untouched; or nil and why ("cut" inside one).
function Channel:next_packet(ms)
  local octets, reason = self:take_header(ms or WAIT_MS)
  if not octets then return nil, reason end
  local packet = IMPI.read_packet(self.job, octets)
  if HAS_DATA[packet.type] then
    if packet.len > LENGTH_MAX then return nil, "a pk_len of " .. packet.len end
    -- Whoever has sent a header may take his time with the data, in a write of their own: what was begun is awaited.
    packet.data, reason = core.stream_take(self.stream, packet.len, math.max(ms or 0, WAIT_MS))
    if not packet.data then return nil, reason == "closed" and "cut" or reason end
  end
  core.stream_said(self.stream, tostring(packet.type), IMPI.show_packet(packet))
  self:observe(octets, true)
  return packet
end

local function pair_of(packet)
  return packet.src.id .. packet.src.pid .. packet.dest.id .. packet.dest.pid
end

local function reverse_of(packet)
  return packet.dest.id .. packet.dest.pid .. packet.src.id .. packet.src.pid
end

-- Counts a packet that came, and acknowledges when it is time.
function Channel:count(packet)
  if packet.type == "PROTOACK" then
    local key = reverse_of(packet)
    self.unacknowledged[key] = (self.unacknowledged[key] or 0) - self.job.ackmark
    return
  end
  local key = pair_of(packet)
  self.came[key] = (self.came[key] or 0) + 1
  if self.came[key] == self.job.ackmark then
    self.came[key] = 0
    self:send_packet { type = "PROTOACK", src = packet.dest, dest = packet.src }
  end
end

-- channel:receive([ms]): the next packet; PROTOACKs are taken and given by the way.
function Channel:receive(ms)
  if #self.inbox > 0 then return table.remove(self.inbox, 1) end
  local late, packet, reason = core.now() + (ms or WAIT_MS), nil, nil
  repeat
    packet, reason = self:next_packet(math.max(0, math.ceil(late - core.now())))
    if packet and not self.by_hand and packet.type ~= "FINI" then self:count(packet) end
  until not packet or self.by_hand or packet.type ~= "PROTOACK"
  return packet, reason
end

-- channel:send_packet(packet): encodes and sends, whatever flow control would say. Returns true, or nil and why not;
-- and what the packet breaks, if the checker of forge.lua knows.
function Channel:send_packet(packet)
  local octets = IMPI.packet(packet)
  local broken = self:observe(octets, false)
  local good, reason = core.stream_send(self.stream, octets, tostring(packet.type), IMPI.show_packet(packet))
  return good, broken or reason
end

-- channel:under_way(from, to): how many packets that count have been sent and not acknowledged.
function Channel:under_way(from, to)
  return self.unacknowledged[pair_of { src = from, dest = to }] or 0
end

-- channel:has_room(packet): true when it does not go beyond hiwater, or flow control does not count it.
function Channel:has_room(packet)
  return self.by_hand or UNCOUNTED[packet.type] or (self.unacknowledged[pair_of(packet)] or 0) < self.job.hiwater
end

-- channel:make_room(packet): counts a packet that is to be sent, as soon as it does not go beyond hiwater.
function Channel:make_room(packet)
  if self.by_hand or UNCOUNTED[packet.type] then return end
  local key, late = pair_of(packet), core.now() + WAIT_MS
  while not self:has_room(packet) do
    local came, reason = self:next_packet(math.max(0, math.ceil(late - core.now())))
    if not came then self.job:failed("no PROTOACK comes to " .. self.label, reason) end
    if came.type ~= "FINI" then self:count(came) end
    if came.type ~= "PROTOACK" then self.inbox[#self.inbox + 1] = came end
  end
  self.unacknowledged[key] = (self.unacknowledged[key] or 0) + 1
end

-- channel:send_with_flow_control(packet): the same as an honest host does: not beyond hiwater.
function Channel:send_with_flow_control(packet)
  self:make_room(packet)
  return self:send_packet(packet)
end

-- channel:silence(ms): true when no packet comes in that time, else false and which. A PROTOACK that is due is none,
-- unless the case counts by hand.
function Channel:silence(ms)
  local packet, reason = self:receive(ms)
  if packet then return false, IMPI.show_packet(packet) end
  local begun = core.stream_waiting(self.stream)
  if reason == "timeout" and begun > 0 then
    return false, "the first " .. begun .. " octets of a packet"
  end
  return reason == "timeout", reason
end

-- t:packet(req, channel, type, fields [, ms]): judges that this packet comes next and has these fields. Returns it.
function Test:packet(req, channel, kind, fields, ms)
  local packet, reason = channel:receive(ms)
  channel.job:needs_whole(packet)
  if channel.by_hand and kind ~= "PROTOACK" and not (packet and packet.type == kind) then
    self:needs_full_window(channel.job) -- a PROTOACK is due however many packets a system lets leave itself
  end
  self:check(req, "the system under test sends " .. kind, packet and packet.type == kind, kind,
    packet and IMPI.show_packet(packet) or reason)
  self:members(req, kind, packet, fields, function(name, value)
    return (name == "src" or name == "dest") and show_process(value) or value
  end)
  return packet
end
