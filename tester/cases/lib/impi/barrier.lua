-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Words for cases about MPI_Barrier and the other collective operations of chapter 4: who is sent a message and when,
-- among the masters of the clients. The honest barrier as a whole is job:barrier (finish.lua); the cases say by
-- themselves who must talk to whom.

local BARRIER_TAG = 110

-- What has returned an error takes no part in any pattern: that fails.
local function judge_refusals(t, req)
  local job = t.latest_job
  for i = 0, job and job.ranks and job.np - 1 or -1 do
    local call = job.ranks[i].called
    if call and call:done() and call:finish().rc then t:rc(req, call:finish(), "MPI_SUCCESS") end
  end
end

-- t:reconstructed(req, what, observed, expected): like equal, for a statement whose words are missing in the document
-- as it has come down to us, and that was put together from other sources: another value gives a warning, unless a call
-- has returned an error. Whether it is as expected; what follows from the statement need not be asked any more when it
-- is not.
function Test:reconstructed(req, what, observed, expected)
  if Values.same(observed, expected) then
    self:equal(req, what, observed, expected)
    return true
  end
  judge_refusals(self, req)
  core.warn(req, what .. "; this part of the document is known from other sources only", Values.show(expected),
    Values.show(observed))
  return false
end

-- job:start_barrier([comm [, ranks]]): MPI_Barrier begins in all ranks, or in those of the list (places in job.ranks).
function ImpiJob:start_barrier(comm, ranks)
  self.entered = self.entered or {}
  for i = 0, self.np - 1 do
    local chosen = not ranks
    for _, place in ipairs(ranks or {}) do chosen = chosen or place == i end
    if chosen then
      self.entered[i] = self:fenced(self.ranks[i]):start_MPI_Barrier { comm = comm, deadline = 30000 }
    end
  end
  return self
end

-- t:barrier_blocks(req, what, job), t:barrier_completes(req, what, job): judges that no call of those that
-- job:start_barrier began has returned; that all do.
function Test:barrier_blocks(req, what, job)
  for i = 0, job.np - 1 do
    if job.entered[i] then
      self:check(req, what .. ": MPI_Barrier of rank " .. job.ranks[i].world, not job.entered[i]:done(),
        "has not returned", "has returned")
    end
  end
end

function Test:barrier_completes(req, what, job)
  for i = 0, job.np - 1 do
    if job.entered[i] then
      local result = job.entered[i]:finish()
      self:equal(req, what .. ": MPI_Barrier of rank " .. job.ranks[i].world, result.rc, "MPI_SUCCESS")
    end
  end
  job.entered = {}
end

-- job:destinations(count [, ms]): the world ranks of the processes to which these packets are, ascending.
function ImpiJob:destinations(count, ms)
  local ranks = {}
  for i, packet in ipairs(self:receive_to_fence(count, ms)) do ranks[i] = packet.dest.rank or -1 end
  table.sort(ranks)
  return ranks
end

-- job:masters(clients): the world ranks of the masters of these clients, in the order of the list.
function ImpiJob:masters(clients)
  local ranks = {}
  for i, client in ipairs(clients) do ranks[i] = self:master(client).rank end
  return ranks
end

-- job:send_barrier(clients [, fields]): the masters of these clients send the barrier's message to the master under
-- test.
function ImpiJob:send_barrier(clients, fields)
  local own = self:master(self.rank)
  for _, client in ipairs(clients) do
    local packet = { tag = BARRIER_TAG, cid = 1 }
    for key, value in pairs(fields or {}) do packet[key] = value end
    self:master(client):send(own, packet)
  end
  return self
end

-- A job of so many clients, which has not begun.
local function of_clients(t, rank, count, given)
  local others = given.others or {}
  for i = 1, count - 1 do others[i] = others[i] or { maxlinear = given.maxlinear, hosts = given.each } end
  return t:impi_job { rank = rank, np = given.np, hosts = given.hosts, env = given.env, others = others }
end

-- t:job_of_clients(rank, count [, given]): an open job of so many clients with the one under test at this place.
function Test:job_of_clients(rank, count, given)
  local job = of_clients(self, rank, count, given or {}):open()
  job:needs("datalen", 8) -- no element of a type is larger
  return job
end

-- t:job_with_limit(rank, count, limit [, given]): the same, where the users of all clients have chosen this limit.
function Test:job_with_limit(rank, count, limit, given)
  given = given or {}
  local job = of_clients(self, rank, count, { env = { IMPI_COLL_MAXLINEAR = limit }, maxlinear = limit, np = given.np,
    each = given.each })
  job:start():authenticate():join():labels("C_COLL_MAXLINEAR")
  -- before it ends for this, as it must
  self:skip_if(job.given.C_COLL_MAXLINEAR ~= string.pack(">i4", limit),
    "the user of this client does not choose by IMPI_COLL_MAXLINEAR")
  job:collect():connect_hosts():interpreters():init()
  self:sanity_shown("an honest start-up")
  job:needs("datalen", 8)
  return job
end
