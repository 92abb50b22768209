-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What comes to scripted processes while collective operations go on, and the proof that nothing more does: a fence.
--
-- Each process under test is asked something that it must answer behind all that it has said: a synchronous message for
-- a receive that it posted before the operation began. The SYNCACK comes on the same connection, and it comes while the
-- process is inside of the operation too, for a call that waits lets messages be received meanwhile (progress, MPI-1
-- 3.5). A system that takes its time with a message takes it with the question as well, so that a fence is as patient
-- as it must be.
--
--      interpreter            process under test                 scripted processes
--        receives, posted  ->  MPI_Irecv ..
--        the operation     ->  MPI_Barrier
--        <- the receives'      is inside, may say what it must not  ------->
--           reply: so the      <------------------------------------------- DATASYNC (ROUNDS times)
--           operation begins   SYNCACK ----------------------------------->
--
-- A process may have to hear from others of its client before it says what it must not, and an answer may overtake what
-- waits for room: hence several rounds, in each of which all processes answer before the next one begins. In the last
-- round every scripted host asks, so that the answers are behind everything on all connections.
--
-- Where a thread beside the program's answers, the program itself may be a little behind, most of all on a machine that
-- has much to do. So a window follows the fence, PATIENCE times as long as the system has taken since it was asked for
-- something: LEAST_MS where it does all at once, QUIET_MS at most. What comes later still is seen by those cases that
-- go on to the end of the job (job:remaining_packets).
--
-- There is no fence, and QUIET_MS pass in any case, in MPI_Finalize, before which no receive may be left open, and
-- where a process does not answer: then it receives nothing while it is inside, and ANSWER_MS have gone by already.

local FENCE_TAG, ROUNDS, FENCES, PATIENCE = 4712, 3, 6, 8
local WAIT_MS, LEAST_MS, QUIET_MS, ANSWER_MS, TURN_MS, NUDGE_MS = 8000, 30, 300, 2000, 30, 5

-- A process of each scripted host.
local function askers(job)
  local list = {}
  for number = 0, job.host_total - 1 do
    for rank = 0, next(job.hosts[number].channels) and not job.hosts[number].sut and job.world_size - 1 or -1 do
      if job.processes[rank].host == job.hosts[number] then
        list[#list + 1] = job.processes[rank]
        break
      end
    end
  end
  return list
end

-- How many questions a fence has for each process.
local function questions(job)
  return ROUNDS - 1 + #askers(job)
end

---- receives ---------------------------------------------------------------------------------------------------------

-- job:fenced(rank): makes a rank ready for some fences while it is inside of the call that is started next: receives
-- are posted, and the reply to that tells when the call begins. Returns the rank.
function ImpiJob:fenced(rank)
  local fence = rank.fence or { left = 0, posted = {} }
  local lacking = FENCES * questions(self) - fence.left
  if not rank.fence then
    rank.fence = fence
    rank:start("alloc", { name = "fence", octets = 1 })
  end
  if lacking <= 0 then
    fence.mark = rank:start_MPI_Wtime()
    return rank
  end
  fence.posted[#fence.posted + 1], fence.left = lacking, fence.left + lacking
  fence.mark = rank:start_batch(lacking, { { "MPI_Irecv", { buf = "fence", count = 0, datatype = "MPI_BYTE",
    source = "MPI_ANY_SOURCE", tag = FENCE_TAG, comm = "MPI_COMM_WORLD",
    request = "fence" .. #fence.posted .. "-%i" } } })
  return rank
end

-- Whether all processes can be asked. Those that are inside of a call have begun it.
local function ready(job)
  local count = questions(job)
  for i = 0, job.np - 1 do
    local rank = job.ranks[i]
    local idle = rank.latest:done()
    if idle and (not rank.fence or rank.fence.left < count) then job:fenced(rank) end
    local fence = rank.fence
    if not fence or fence.left < count or not idle and rank.latest.id ~= fence.mark.id + 1 then
      return false
    end
    fence.mark:finish()
  end
  return true
end

-- The receives of a rank that nobody has asked for get something, and all are complete then.
local function close(job, rank)
  local own, from = job.processes[rank.world], askers(job)[1]
  for _ = 1, rank.fence.left do from:send_packet(own, { type = "DATA", tag = FENCE_TAG }) end
  for i, count in ipairs(rank.fence.posted) do
    local waited = rank:batch(count, { { "MPI_Wait", { request = "fence" .. i .. "-%i" } } })
    if waited.runs ~= count then
      job:failed("MPI_Wait of a receive", waited.rc or waited.reason)
    end
  end
  rank.fence = { left = 0, posted = {} }
end

---- questions --------------------------------------------------------------------------------------------------------

local function name_of(process, srqid)
  return process.rank .. "/" .. srqid
end

-- A packet that came: a question's answer is noted, anything else kept; a synchronous message is answered.
local function take(job, packet, list)
  local question = packet.type == "SYNCACK" and packet.dest.rank and name_of(packet.dest, packet.srqid)
  if question and job.questions[question] then
    job.questions[question] = "answered"
    return
  end
  if packet.type == "DATASYNC" then
    job:needs_whole(packet)
    packet.dest:answer("SYNCACK", packet, { drqid = packet.dest:request() })
  end
  list[#list + 1] = packet
end

-- Each process under test is asked by each of these. Returns the questions.
local function ask(job, by)
  local packets = {}
  for i = 0, job.np - 1 do
    for _, process in ipairs(by) do
      local packet = process:send_packet(job.processes[job.ranks[i].world], { type = "DATASYNC", tag = FENCE_TAG })
      job.questions[name_of(process, packet.srqid)] = "open"
      packets[#packets + 1] = packet
    end
    job.ranks[i].fence.left = job.ranks[i].fence.left - #by
  end
  return packets
end

-- Whether a question is answered. Who does nothing is given the opportunity.
local function answered(job, packet, list)
  local channel, late = packet.src:channel_to(packet.dest), core.now() + ANSWER_MS
  while job.questions[name_of(packet.src, packet.srqid)] == "open" do
    local came, reason = channel:receive(TURN_MS)
    if came then
      take(job, came, list)
    elseif reason ~= "timeout" or core.now() > late then
      return false
    else
      job:nudge(NUDGE_MS)
    end
  end
  return true
end

-- Whether a fence stands behind all that has been said so far; what comes meanwhile is added to the list.
local function fence(job, list)
  local all = askers(job)
  if job.unfenced or #all == 0 or not ready(job) then return false end
  for round = 1, ROUNDS do
    for _, packet in ipairs(ask(job, round < ROUNDS and { all[1] } or all)) do
      if not answered(job, packet, list) then
        job.unfenced = true
        return false
      end
    end
  end
  return true
end

---- what comes -------------------------------------------------------------------------------------------------------

-- Takes what is there. Whether a connection is open still.
local function sweep(job, list)
  local open = false
  for _, channel in ipairs(job:each_channel()) do
    local packet, reason
    repeat
      packet, reason = channel:receive(0)
      if packet then take(job, packet, list) end
    until not packet
    open = open or reason == "timeout"
  end
  return open
end

-- job:receive_packets(count, ms [, list]): the packets that come to scripted processes on whatever channel, until so
-- many have come, or for so long.
function ImpiJob:receive_packets(count, ms, list)
  local late, turn, channels = core.now() + ms, 0, self:each_channel()
  list, self.questions = list or {}, self.questions or {}
  while sweep(self, list) and #list < count and core.now() < late do
    turn = turn % #channels + 1
    local packet = channels[turn]:receive(2)
    if packet then take(self, packet, list) end
  end
  return list
end

-- job:receive_to_fence(count [, ms]): the same, and what comes up to a fence behind that, and in its window.
function ImpiJob:receive_to_fence(count, ms)
  local begun, window = core.now(), QUIET_MS
  local list = self:receive_packets(count, count > 0 and (ms or WAIT_MS) or 0)
  if fence(self, list) then
    window = math.min(math.max(PATIENCE * math.ceil(core.now() - begun), LEAST_MS), QUIET_MS)
  end
  core.note(string.format("%d packets; those that come in %d ms", #list, window))
  return self:receive_packets(math.huge, window, list)
end

-- job:remaining_packets(): the packets that still come to scripted processes until the job ends: MPI_Finalize in all
-- ranks, its barrier, FINI packets; behind these nothing can come. All calls must have returned.
function ImpiJob:remaining_packets()
  local list = self:receive_packets(0, 0)
  for i = 0, self.np - 1 do
    if self.ranks[i].fence then close(self, self.ranks[i]) end
  end
  self:start_finalize():barrier()
  for _, channel in ipairs(self:each_channel()) do
    local packet, reason
    repeat
      packet, reason = channel:receive(WAIT_MS)
      list[#list + 1] = packet and packet.type ~= "FINI" and packet or nil
    until not packet or packet.type == "FINI"
    if not packet then self:failed("the FINI packet to " .. channel.label, reason) end
  end
  return list
end
