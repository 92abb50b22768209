-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Packets that no correct peer sends. Every packet of a channel, in both directions, is shown to a checker of wire/
-- (impi_check_channel.h); a case that forges one makes sure by it that it really is invalid here and now. What only the
-- receiver can know to be invalid, the case makes certain itself.

-- The processes and limits of a job as the checker wants them.
local function describe(job, channel)
  local processes = {}
  for rank = 0, job.world_size - 1 do
    local process = job.processes[rank]
    processes[rank + 1] = { id = process.id, pid = process.pid, host = process.host.rank }
  end
  local one, other = channel.host.rank, channel.other.rank
  return { datalen = job.datalen, tagub = job.tagub, ackmark = job.ackmark, hiwater = job.hiwater,
    hosts = job.host_total, connector = math.max(one, other), acceptor = math.min(one, other) }, processes
end

-- channel:observe(octets, incoming): shows a packet to the channel's checker; what it breaks, or nil. Nothing is known
-- of a channel whose other end nobody knows.
function Channel:observe(octets, incoming)
  if not self.other or #octets < 128 then
    return nil
  end
  self.checker = self.checker or core.impi_checker(describe(self.job, self))
  local own_connects = self.host.rank > self.other.rank
  return core.impi_judge(self.checker, own_connects ~= incoming, octets:sub(1, 128))
end

-- t:forge(req, channel, packet): sends a packet that breaks a rule, which the checker confirms. A crash or hang from
-- here on is judged by `req`.
function Test:forge(req, channel, packet)
  local _, broken = channel:send_packet(packet)
  self:sanity("the forged packet is invalid" .. (broken and ": " .. broken or ""), broken ~= nil)
  core.judging(req)
end

-- t:forge_octets(req, channel, octets): the same for octets that are a packet, or the beginning of one.
function Test:forge_octets(req, channel, octets, label)
  local broken = #octets < 128 and "the octets end before the header does" or channel:observe(octets, false)
  self:sanity("the forged octets are invalid" .. (broken and ": " .. broken or ""), broken ~= nil)
  core.judging(req)
  return channel:send_raw(octets, label or "forged")
end
