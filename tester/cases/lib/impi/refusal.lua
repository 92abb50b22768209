-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Clients that have to give up: what is seen of them when something in the start-up cannot be, and the judgement that
-- they say so and end.

local WAIT_MS = 15000

-- job:try_collect(): plays the start-up to its end like job:collect, but takes it as it comes when the client leaves.
-- Returns true when the client has been told DONE, else nil and why not. From here on the client may end, and its
-- processes with it, which a launcher may have started before.
function ImpiJob:try_collect()
  self:may_end(true)
  self.sent = self.sent or {}
  while true do
    local command, reason = self.server_link:receive(WAIT_MS)
    if not command then
      return nil, reason
    elseif command.code == "DONE" then
      self:catch_up(math.maxinteger)
      return self.server_link:done()
    elseif command.code == "COLL" then
      self:take_label(command)
    end
  end
end

-- Who is free to go on or to end is looked at from both sides, so often, and no longer than a client has to begin.
local LOOK_MS, START_MS = 100, 20000

-- Asks again and again until there is an answer or the client under test has ended. One that is stuck fails the case.
local function unless_ended(job, ask)
  job.begins_by = job.begins_by or core.now() + START_MS
  repeat
    local answer = ask()
    if answer or core.job_ended(job.job, 0) then return answer end
  until core.now() > job.begins_by
  job:failed("what the client does", "neither did it begin its job nor end in " .. START_MS // 1000 .. " s")
end

-- job:initializes(): waits for the interpreters of a client that may also end, and for MPI_Init in them: whether both
-- came. Until then its end is no failure.
function ImpiJob:initializes()
  self:may_end(true)
  self.ranks = unless_ended(self, function() return (core.job_await(self.job, LOOK_MS)) end)
  if not self.ranks then return false end
  local pending = self:start_init()
  for i = 0, self.np - 1 do
    if not unless_ended(self, function() return core.job_ended(self.job, LOOK_MS) == nil and pending[i]:done() end) then
      return false
    end
  end
  self:init(pending)
  self:may_end(false)
  return true
end

-- job:continues(): whether a client that has been told DONE goes on with its job, in which host 0 is the only scripted
-- one and a lower one: it has connected there and MPI_Init is done; or false when it has ended instead.
function ImpiJob:continues()
  self:learn_layout()
  self:may_end(true)
  local channel = unless_ended(self, function() return (self.hosts[0]:accept(LOOK_MS)) end)
  return channel ~= nil and self:initializes()
end

-- t:needs_omitted(values): ends the case by a skip where the system under test takes no job in which another client
-- leaves these labels out (values as in a client's description), which is one reading of the document (switch
-- omitted_label).
function Test:needs_omitted(values)
  if self:follows("omitted_label") == "goes_on" then return end
  local job = self:impi_job { others = { { values = values } } }:start():authenticate():join()
  local taken = job:try_collect() and job:continues()
  core.job_excuse(job.job)
  core.job_kill(job.job)
  self:skip_if(not taken, "the system under test takes no job in which a client leaves a label out")
end

-- t:ends_with_error(req, job [, ms]): judges that the client under test ends with a message and a status other than 0.
function Test:ends_with_error(req, job, ms)
  local status = job:ended(ms or WAIT_MS)
  self:check(req, "the client", status, "ends", "it still runs: " .. Values.show(job:output()))
  self:check(req, "its end", IMPI.ended_with_error(status), "a status other than 0", status)
  self:check(req, "its output", #job:output() > 0, "a message", "nothing")
  return status
end

-- t:says_nothing_more(req, job): judges that no command of the client is waiting, and that its connection is ended.
function Test:says_nothing_more(req, what, job)
  self:disconnects(req, what, job.server_link, WAIT_MS)
end
