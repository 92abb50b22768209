-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Clients that have to give up: what is seen of them when something in the start-up cannot be, and the judgement that
-- they say so and end.

local WAIT_MS = 15000

-- job:serve(): plays the start-up to its end like job:collect, but takes it as it comes when the client leaves. Returns
-- true when the client has been told DONE, else nil and why not.
function ImpiJob:serve()
  self.sent = self.sent or {}
  while true do
    local command, reason = self.guest:receive(WAIT_MS)
    if not command then
      return nil, reason
    elseif command.code == "DONE" then
      self:catch_up(math.maxinteger)
      return self.guest:done()
    elseif command.code == "COLL" then
      self:take_label(command)
    end
  end
end

-- t:gives_up(req, job [, ms]): judges that the client under test ends with a message and a status other than 0.
function Test:gives_up(req, job, ms)
  local status = job:ended(ms or WAIT_MS)
  self:check(req, "the client", status, "ends", "it still runs: " .. Values.show(job:said()))
  self:check(req, "its end", IMPI.gave_up(status), "a status other than 0", status)
  self:check(req, "its output", #job:said() > 0, "a message", "nothing")
  return status
end

-- t:says_no_more(req, job): judges that no command of the client is waiting, and that its connection is ended.
function Test:says_no_more(req, what, job)
  self:cut_off(req, what, job.guest, WAIT_MS)
end
