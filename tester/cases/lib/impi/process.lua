-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What scripted processes do on their hosts' channels (chapter 3.7): send and receive whole messages, honestly. A case
-- that is about a packet sends it itself: channel:send_packet, channel:deliver.

local WAIT_MS = 10000

-- process:channel_to(other): the channel to the host of a process of the system under test.
function Process:channel_to(other)
  local channel = self.host.channels[other.host.rank]
  if not channel then
    self.job:failed(self.label .. " has no channel to " .. other.label, "none was made")
  end
  return channel
end

-- process:request(): a number that no other request of this process has.
function Process:request()
  self.requests = self.requests + 1
  return self.requests
end

local function fits(packet, wanted)
  for _, name in ipairs { "src", "dest", "tag", "cid", "srqid", "drqid" } do
    if wanted[name] ~= nil and packet[name] ~= wanted[name] then return false end
  end
  return not wanted.type or packet.type == wanted.type or (wanted.type == "message"
    and (packet.type == "DATA" or packet.type == "DATASYNC"))
end

-- process:await{src=, type=, tag=, cid=, srqid=, drqid=, ms=}: the next packet to this process with these fields;
-- others wait in channel.inbox. `type` may be "message": DATA or DATASYNC. src must be given. Or nil and why.
function Process:await(wanted)
  local channel = self:channel_to(wanted.src)
  wanted.dest = self
  local kept, late = channel.inbox, core.now() + (wanted.ms or WAIT_MS)
  for i, packet in ipairs(kept) do
    if fits(packet, wanted) then return table.remove(kept, i) end
  end
  channel.inbox = {}
  local packet, reason
  repeat
    packet, reason = channel:receive(math.max(0, math.ceil(late - core.now())))
    if packet and not fits(packet, wanted) then kept[#kept + 1] = packet end
  until not packet or fits(packet, wanted)
  for i, other in ipairs(channel.inbox) do -- what came while something was sent
    kept[#kept + 1] = other
  end
  channel.inbox = kept
  for _, other in ipairs(not packet and wanted.type == "DATA" and not wanted.drqid and kept or {}) do
    if other.tag == wanted.tag then self.job:needs_whole(other) end
  end
  return packet, reason
end

-- process:send(to, {tag=, data=, cid=, lsrank=, sync=}): a whole message to a process of the system under test. A
-- synchronous or long one waits for its SYNCACK. Returns srqid and the SYNCACK, or nil and why.
function Process:send(to, given)
  local channel, limit = self:channel_to(to), self.job.datalen
  local data = given.data or ""
  local packet = { type = (given.sync or #data > limit) and "DATASYNC" or "DATA", src = self, dest = to,
    srqid = given.srqid or self:request(), msglen = #data, lsrank = given.lsrank or self.rank, tag = given.tag or 0,
    cid = given.cid or 0, data = data:sub(1, limit) }
  channel:send_with_flow_control(packet)
  if packet.type == "DATA" then return packet.srqid end
  local ack, reason = self:await { src = to, type = "SYNCACK", srqid = packet.srqid, ms = given.ms }
  if not ack then return nil, reason end
  packet.type, packet.drqid = "DATA", ack.drqid
  for at = limit + 1, #data, limit do
    packet.data = data:sub(at, at + limit - 1)
    channel:send_with_flow_control(packet)
  end
  return packet.srqid, ack
end

-- process:receive{src=, tag=, cid=, ms=}: a whole message from a process of the system under test: the first packet's
-- table with all of the data, and `packets`, how many there were. A DATASYNC is acknowledged. Or nil and why.
function Process:receive(wanted)
  local first, reason = self:await { src = wanted.src, type = "message", tag = wanted.tag, cid = wanted.cid,
    ms = wanted.ms }
  if not first then return nil, reason end
  first.packets = 1
  if first.type == "DATASYNC" then
    local drqid = self:request()
    self:channel_to(wanted.src):send_with_flow_control { type = "SYNCACK", src = self, dest = wanted.src,
      srqid = first.srqid, drqid = drqid }
    while #first.data < first.msglen do
      local rest
      rest, reason = self:await { src = wanted.src, type = "DATA", drqid = drqid, ms = wanted.ms }
      if not rest then return nil, reason end
      first.data, first.packets = first.data .. rest.data, first.packets + 1
    end
  end
  return first
end
