-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Packets that no correct peer sends. Every packet of a channel, in both directions, is shown to a checker of wire/
-- (impi_check_channel.h); a case that forges one makes sure by it that it really is invalid here and now. What only the
-- receiver can know to be invalid, the case declares (forge.lua).

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
  if not self.other or #octets < 128 then return nil end
  self.checker = self.checker or core.impi_checker(describe(self.job, self))
  local own_connects = self.host.rank > self.other.rank
  return core.impi_judge(self.checker, own_connects ~= incoming, octets:sub(1, 128))
end

-- Makes sure that each of the rules is broken, by the word of the channel's checker, which knows the job as it is, or
-- of the passive checker, which knows what it has heard.
local function prove(t, channel, found, rules)
  for _, rule in ipairs(type(rules) == "table" and rules or { rules }) do
    local told = found:find("(" .. rule .. ")", 1, true)
    if not told or not t:note_violation(rule, channel) then
      t:confirm_violation(rule, channel)
    end
  end
end

-- t:send_invalid_packet(req, channel, packet, rule): sends a packet that breaks the rule, or each of a list, which the
-- checker confirms (forge.lua). A crash or hang from here on is judged by `req`.
function Test:send_invalid_packet(req, channel, packet, rule)
  local _, broken = channel:send_packet(packet)
  prove(self, channel, broken or "", rule)
  core.judging(req)
end

---- what a job survives ---------------------------------------------------------------------------------------------

-- Whether a job survives forged packets: it may go on, or end with a message; it may not crash, hang or fall silent. A
-- Trial is made before the packets are sent: the rank waits for a message that stands behind them, in the same write,
-- and then sends one itself.
local Trial = {}
Trial.__index = Trial

local WAIT_MS, MOMENT_MS = 15000, 400
local ASKED, ANSWERED = 7002, 7001

-- t:trial(job, rank, own, other): as set-up. What the case wants of the rank must have been begun before.
function Test:trial(job, rank, own, other)
  job:needs("datalen", 16)
  local trial = setmetatable({ job = job, rank = rank, own = own, other = other, channel = other:channel_to(own),
    buf = rank:new_region(16), answer = rank:new_region(16, 71), said = #job:output() }, Trial)
  trial.pending = {
    rank:start_MPI_Recv { buf = trial.buf, count = 16, source = other.rank, tag = ASKED, deadline = 60000 },
    rank:start_MPI_Isend { buf = trial.answer, count = 16, dest = other.rank, tag = ANSWERED,
      request = "q" .. trial.answer },
  }
  return trial
end

-- Takes the packets that have come; true when the rank's answer is among them.
function Trial:answered()
  local channel = self.channel
  while core.stream_waiting(channel.stream) >= 128 do
    local packet = channel:next_packet(1000)
    if not packet then return false end
    if packet.type ~= "FINI" and not channel.by_hand then channel:count(packet) end
    if packet.type == "DATA" and packet.tag == ANSWERED then return true end
    self.seen = self.seen or {}
    if packet.type ~= "PROTOACK" or channel.by_hand then self.seen[#self.seen + 1] = packet end
  end
  return false
end

-- Packets that count must have room below hiwater, with the honest one behind them, unless it is this that they break.
local function need_room(trial, packets, rules)
  local count = 1
  for _, rule in ipairs(type(rules) == "table" and rules or { rules }) do
    if rule:find("above-hiwater", 1, true) then return end
  end
  for _, packet in ipairs(packets) do
    count = count + (packet.type ~= "PROTOACK" and packet.type ~= "FINI" and 1 or 0)
  end
  local room = trial.job.hiwater - trial.channel:under_way(trial.other, trial.own)
  trial.job.t:skip_if(room < count, string.format("the case needs room for %d packets below hiwater, which is %d",
    count, trial.job.hiwater))
end

-- Sends octets and, behind them, the message for which the rank waits.
local function send_all(trial, octets)
  local honest = trial.other:packet(trial.own, { type = "DATA", tag = ASKED, data = Test.mix(72, 16) })
  trial.channel:observe(IMPI.packet(honest), false)
  trial.channel:send_raw(octets .. IMPI.packet(honest), "forged", "forged packets, and an honest one behind them")
end

-- Octets of the packets, and what they break.
local function forge_all(channel, packets)
  local octets, broken = {}, {}
  for i, packet in ipairs(packets) do
    octets[i] = type(packet) == "string" and packet or IMPI.packet(packet)
    local found = channel:observe(octets[i], false)
    broken[#broken + 1] = found
    core.note("forged: " .. (type(packet) == "string" and Values.show(packet) or IMPI.show_packet(packet))
      .. (found and "; " .. found or ""))
  end
  return table.concat(octets), table.concat(broken, "; ")
end

-- Judges how a job has ended that had said so many lines before.
local function ended(t, req, job, status, said)
  t:check(req, "the end of the job", IMPI.ended_with_error(status), "a status other than 0", status)
  t:check(req, "its output", #job:output() > said, "a message", "nothing more than before")
end

-- What comes of a trial behind whose forged packets the honest one has been sent; see t:survives.
local function outcome(t, req, trial)
  local late, job = core.now() + WAIT_MS, trial.job
  repeat
    local status = core.job_ended(job.job, math.max(0, math.ceil(late - core.now())), trial.channel.stream)
    if status then
      ended(t, req, job, status, trial.said)
      return false
    end
    if trial:answered() then
      job:may_end(false)
      for _, one in ipairs(trial.pending) do t:rc(req, one:finish(), "MPI_SUCCESS") end
      t:octets(req, "the message behind the forged packets", trial.rank, trial.buf, "mix/72", 0, 16)
      return true
    end
  until core.now() > late
  t:check(req, "the job", false, "goes on and talks, or ends with a message", "does neither")
end

-- t:survives(req, trial, packets, rule): sends them, which break the rule, or each of a list, and judges that the job
-- goes on and talks, or ends with a message. Returns true when it goes on; trial.seen are the packets that came
-- besides.
function Test:survives(req, trial, packets, rule)
  need_room(trial, packets, rule)
  local octets, broken = forge_all(trial.channel, packets)
  core.judging(req)
  trial.job:may_end(true)
  send_all(trial, octets)
  prove(self, trial.channel, broken, rule)
  return outcome(self, req, trial)
end

-- t:survived(req, trial): the same of what another channel has brought before, behind job:may_end(true). A job that
-- ends for it has a moment to do so.
function Test:survived(req, trial)
  local status = core.job_ended(trial.job.job, MOMENT_MS)
  if status then
    ended(self, req, trial.job, status, trial.said)
    return false
  end
  send_all(trial, "")
  return outcome(self, req, trial)
end

-- t:must_survive(req, trial, packets, rule): the same, and it must go on.
function Test:must_survive(req, trial, packets, rule)
  self:check(req, "the job", self:survives(req, trial, packets, rule), "goes on", "has ended")
end

-- job:may_end(may): from here on it is no failure, or one again, when the processes of the job under test end.
function ImpiJob:may_end(may)
  core.job_may_end(self.job, may)
end
