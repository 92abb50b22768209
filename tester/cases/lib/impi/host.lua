-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Hosts and processes of a job (job.lua), and how they are connected, chapter 2.3.8. A Channel is the one TCP
-- connection between a scripted host and a host of the system under test (channel.lua).

local WAIT_MS = 15000

-- Host.new(job, rank, client, i): the i-th host of a client; `rank` counts the hosts of the whole job. channels[rank]
-- are a scripted host's connections to hosts of the system under test.
function Host.new(job, rank, client, i)
  local host = setmetatable({ job = job, rank = rank, client = client, sut = client.sut, np = client.hosts[i],
    label = "host " .. rank, channels = {} }, Host)
  if host.sut then
    host.id, host.number = client.address[i], client.ports[i]
    host.address = IMPI.address(host.id)
  else
    host.port, host.number = client.listening[i].port, client.listening[i].number
    host.address = client.listening[i].address
    host.id = IMPI.host(host.address)
  end
  return host
end

-- Process.new(job, rank, host, id, pid): the process of that world rank.
function Process.new(job, rank, host, id, pid)
  return setmetatable({ job = job, rank = rank, host = host, id = id, pid = pid, sut = host.sut,
    label = "process " .. rank, requests = 0 }, Process)
end

-- host:accept([ms]): the next connection that comes to this host, with the rank that its other end sends,
-- channel.announced, and the addresses of both ends, channel.from and channel.to. Or nil and why.
function Host:accept(ms)
  local stream, address, _, here = core.port_accept(self.port, ms or WAIT_MS)
  if not stream then
    return nil, address -- why
  end
  local channel = Channel.new(self, stream)
  local octets, reason = core.stream_take(stream, 4, math.max(ms or 0, WAIT_MS)) -- however short the wait for it was
  if not octets then return nil, "no rank: " .. reason end
  channel.announced, channel.from, channel.to = string.unpack(">I4", octets), address, here
  core.stream_said(stream, "rank", "rank " .. channel.announced)
  return self:attach(channel, self.job.hosts[channel.announced])
end

-- host:attach(channel, other): notes who is at the other end.
function Host:attach(channel, other)
  channel.other = other
  if other then self.channels[other.rank] = channel end
  return channel
end

-- host:connect(other [, rank]): connects to a host of the system under test and sends this host's rank (or the octets
-- of `rank`, "" for none). Returns the channel, or nil and why.
function Host:connect(other, rank)
  if not other.address then
    return nil, "it announces an address that is not IPv4's: " .. IMPI.show_host(other.id)
  end
  local from = other.address:match("^127%.") and self.address:match("^127%.") and self.address or nil
  local stream, reason = core.connect_to(self.label, from, other.address, other.number, WAIT_MS, "channel",
    self.job.server.number)
  if not stream then return nil, reason end
  local channel = Channel.new(self, stream)
  local octets = type(rank) == "string" and rank or string.pack(">I4", rank or self.rank)
  if #octets > 0 then
    core.stream_send(stream, octets, "rank", "rank " .. (#octets == 4 and string.unpack(">I4", octets) or "?"))
  end
  return self:attach(channel, other)
end

-- job:own_hosts(): first and last rank of the hosts of the system under test.
function ImpiJob:own_hosts()
  local first, last
  for rank = 0, self.host_total - 1 do
    if self.hosts[rank].sut then first, last = first or rank, rank end
  end
  return first, last
end

-- job:connect_hosts(): every scripted host below those of the system under test is connected to by them, every one
-- above connects to them. As set-up.
function ImpiJob:connect_hosts()
  local first, last = self:own_hosts()
  for rank = 0, first - 1 do
    for _ = first, last do
      self:wait_for("a lower host is not connected to", WAIT_MS, function(ms)
        local channel, reason = self.hosts[rank]:accept(ms)
        return channel and channel.other and channel.other.sut and channel,
          "host " .. rank .. ": " .. (channel and "rank " .. channel.announced or tostring(reason))
      end)
    end
  end
  for rank = last + 1, self.host_total - 1 do
    for other = first, last do
      local channel, reason = self.hosts[rank]:connect(self.hosts[other])
      if not channel then
        self:failed("host " .. rank .. " cannot connect to " .. tostring(self.hosts[other].address), reason)
      end
    end
  end
  return self
end

-- job:channel([scripted [, own]]): the channel between a scripted host and one of the system under test; the only ones
-- of their kind if not given.
function ImpiJob:channel(scripted, own)
  for rank = 0, self.host_total - 1 do
    local host = self.hosts[rank]
    if not host.sut and (scripted == nil or scripted == rank) then
      for other, channel in pairs(host.channels) do
        if own == nil or own == other then return channel end
      end
    end
  end
end

-- job:each_channel(): a list of all channels, in the order of their hosts.
function ImpiJob:each_channel()
  local list = {}
  for rank = 0, self.host_total - 1 do
    for other = 0, self.host_total - 1 do
      local channel = not self.hosts[rank].sut and self.hosts[rank].channels[other]
      list[#list + 1] = channel or nil
    end
  end
  return list
end
