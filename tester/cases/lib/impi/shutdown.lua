-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Words for cases about the end of channels (chapters 2.4 and 3.8): what comes up to the FINI packet, what comes behind
-- it, and what a job does when a channel ends otherwise. The steps of an honest end are in finish.lua.

local WAIT_MS, LOOK_MS = 15000, 100

-- job:start_shutdown([barrier_done]): MPI_Finalize begins in all ranks, and the barrier is played; as set-up. Returns
-- the first channel.
function ImpiJob:start_shutdown()
  self:start_finalize():barrier()
  return self:channel()
end

-- t:fini_packet(req, channel): judges that the FINI packet comes; what may come before it are acknowledgements. Returns
-- the list of what has come.
function Test:fini_packet(req, channel)
  local kinds, packet, reason = {}, nil, nil
  repeat
    packet, reason = channel:receive(WAIT_MS)
    kinds[#kinds + 1] = packet and packet.type
  until not packet or packet.type == "FINI"
  self:check(req, "the FINI packet to " .. channel.label, packet, "comes", reason)
  return kinds
end

-- channel:read_to_end([ms]): the types of all packets until the connection ends, and how it has ended ("closed",
-- "reset", "timeout", ..).
function Channel:read_to_end(ms)
  local kinds, packet, reason = {}, nil, nil
  local late = core.now() + (ms or WAIT_MS)
  repeat
    packet, reason = self:next_packet(math.max(0, math.ceil(late - core.now())))
    kinds[#kinds + 1] = packet and packet.type
  until not packet
  return kinds, reason
end

-- t:channel_ends(req, channel): judges that nothing but the end of the connection comes.
function Test:channel_ends(req, channel)
  local kinds, reason = channel:read_to_end()
  self:equal(req, "packets behind FINI to " .. channel.label, kinds, {})
  self:check(req, "the connection to " .. channel.label, reason == "closed" or reason == "reset", "ends", reason)
end

-- t:ends_in_order(req, job): judges that the ranks return from MPI_Finalize, that FINI comes to the server and then the
-- end of this connection, and that the client ends with status 0.
function Test:ends_in_order(req, job)
  for i = 0, job.np - 1 do self:rc(req, job.finalizing[i]:finish(), "MPI_SUCCESS") end
  job:quit()
  self:command(req, job.server_link, "FINI", { length = 0 }, WAIT_MS)
  self:disconnects(req, "the connection to the server behind FINI", job.server_link, WAIT_MS)
  self:equal(req, "the client has ended with", job:ended(WAIT_MS), "status 0")
end

-- t:ends_abnormally(req, job, said): judges that the job under test takes what has happened for an abnormal end: it
-- ends with another status than 0, or says something that it had not said before (`said` lines).
function Test:ends_abnormally(req, job, said)
  local late, status, told = core.now() + WAIT_MS, nil, false
  repeat
    status = core.job_ended(job.job, LOOK_MS)
    told = #job:output() > said
  until status or told or core.now() > late
  self:check(req, "the job", (status and status ~= "status 0") or told, "ends with a failure, or says what is wrong",
    (status or "it still runs") .. ", and nothing is said")
end

-- t:ends_or_aborts(req, job): judges that the client under test comes to its end: in order, with FINI to the server, or
-- with another status than 0 and a message. Whether in order.
function Test:ends_or_aborts(req, job)
  local status = core.job_ended(job.job, WAIT_MS)
  self:check(req, "the job", status, "ends", "still runs")
  if status == "status 0" then
    self:command(req, job.server_link, "FINI", { length = 0 }, WAIT_MS)
    return true
  end
  self:check(req, "its end", IMPI.ended_with_error(status), "status 0, or another one", status)
  self:check(req, "its output", #job:output() > 0, "a message", "nothing")
  return false
end
