-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- New communicators of a job (chapters 4.3, 4.4 and 4.6): how its processes agree on a context identifier. All take the
-- largest of what they have: a reduction to rank 0 and a broadcast from there, on the collective context of the old
-- communicator. For jobs whose rank 0 is scripted, and whose clients are no more than the linear limit.

local REDUCE_TAG, BROADCAST_TAG = 190, 120

-- job:offered(): the value that the client under test gives into the reduction on the world, as set-up.
function ImpiJob:offered()
  local own = self:master(self.rank)
  local packet, reason = self.processes[0]:receive { src = own, tag = REDUCE_TAG, cid = 1 }
  if not packet or #packet.data ~= 8 then
    self:failed("its part in the choice of a context identifier", reason or #packet.data .. " octets")
  end
  return string.unpack(">I8", packet.data)
end

-- job:decide(highest): tells the client under test the largest value of all. Returns the context identifier that
-- follows.
function ImpiJob:decide(highest)
  local own = self:master(self.rank)
  self.processes[0]:send(own, { tag = BROADCAST_TAG, cid = 1, data = string.pack(">I8", highest) })
  return highest + 1
end

-- job:agree(pending [, least]): both, for calls on the world that have been started, one in each rank; as set-up.
-- `least` is what the scripted processes have. Returns the context identifier.
function ImpiJob:agree(pending, least)
  local highest = math.max(self:offered(), least or 1)
  local cid = self:decide(highest | 1)
  for _, call in ipairs(pending) do self.t:mpi(call:finish()) end
  return cid
end

-- job:dup(name [, least]): MPI_Comm_dup of the world in all ranks. job:create(name, ranks [, least]): MPI_Comm_create
-- with these ranks of the world ("1,0"). Both return the context identifier.
function ImpiJob:dup(name, least)
  local pending = {}
  for i = 0, self.np - 1 do pending[i + 1] = self.ranks[i]:start_MPI_Comm_dup { newcomm = name } end
  return self:agree(pending, least)
end

function ImpiJob:create(name, ranks, least)
  local pending = {}
  for i = 0, self.np - 1 do
    local rank = self.ranks[i]
    self.t:mpi(rank:MPI_Comm_group { group = "g0" .. name })
    self.t:mpi(rank:MPI_Group_incl { group = "g0" .. name, ranks = ranks, newgroup = "g1" .. name })
    pending[i + 1] = rank:start_MPI_Comm_create { group = "g1" .. name, newcomm = name }
  end
  return self:agree(pending, least)
end

-- job:create_as_the_last(name, ranks): MPI_Comm_create of the world by the last of six clients, as set-up: in both
-- trees it has nobody below it. Its offer goes to whoever is above it, and master 1 tells it the highest of all. Who
-- goes another way there is not judged here.
function ImpiJob:create_as_the_last(name, ranks)
  local t, pending = self.t, {}
  for i = 0, self.np - 1 do
    local rank = self.ranks[i]
    t:mpi(rank:MPI_Comm_group { group = "world" })
    t:mpi(rank:MPI_Group_incl { group = "world", ranks = ranks, newgroup = "members" })
    pending[i + 1] = self:fenced(rank):start_MPI_Comm_create { group = "members", newcomm = name }
  end
  self:receive_to_fence(1)
  self:master(1):send(self:master(5), { tag = BROADCAST_TAG, cid = 1, data = string.pack(">I8", 301) })
  local late = t:now() + 6000
  for _, call in ipairs(pending) do
    while not call:done() do
      self:receive_packets(1, 50)
      t:skip_if(t:now() > late,
        "MPI_Comm_create of the system under test does not take what stands for the highest value of all")
    end
    t:mpi(call:finish())
  end
  return 302
end

-- t:inner_master(): an open job of six clients with the communicator c (job.cid), in which the client under test has
-- master 1 of the tree, and no master but the first has the rank that is its number. Masters, their ranks in c and in
-- the world:
--
--     master              0      1 (under test)    2    3    4    5
--     ranks in c          0, 1   2, 4              3    5    6    7
--     ranks in the world  0, 1   6, 7              2    3    4    5
function Test:inner_master()
  local job = self:job_of_clients(5, 6, { np = 2, others = { { hosts = { 2 } } } })
  job.cid = job:create_as_the_last("c", "0,1,6,2,7,3,4,5")
  return job
end
