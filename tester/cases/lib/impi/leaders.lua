-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Intercomm_create as the scripted processes take part in it (chapter 4.8): two groups meet. The local one is that
-- of the processes under test, and may have scripted members; the remote one is scripted. For jobs in which no
-- communicator has more masters than the linear form of the collective operations allows.
--
--      members        local leader              remote leader
--         |  offer -------> |                         |
--         |                 | <--- largest, size ---> |
--         | <--- largest, size of the remote group    |
--         |                 | <--- lists of ranks --> |
--         | <--- list of the remote group             |

local REDUCE_TAG, BROADCAST_TAG, ACROSS_TAG = 190, 120, 4711
local WAIT_MS, TURN_MS = 8000, 10
local FORMS = { [16] = ">I8I8", [8] = ">i4i4" }

local Leaders = {}
Leaders.__index = Leaders

---- communicators ----------------------------------------------------------------------------------------------------

-- The same as job:create, where rank 0 of the world is under test.
local function create_under(job, name, ranks)
  local own, pending, cid = job:master(0), {}, nil
  for i = 0, job.np - 1 do
    local rank = job.ranks[i]
    job.t:mpi(rank:MPI_Comm_group { group = "g0" .. name })
    job.t:mpi(rank:MPI_Group_incl { group = "g0" .. name, ranks = ranks, newgroup = "g1" .. name })
    pending[i + 1] = rank:start_MPI_Comm_create { group = "g1" .. name, newcomm = name }
  end
  for client = 1, job.size - 1 do
    job:master(client):send(own, { tag = REDUCE_TAG, cid = 1, data = string.pack(">I8", 1) })
  end
  for client = 1, job.size - 1 do
    local packet, reason = job:master(client):receive { src = own, tag = BROADCAST_TAG, cid = 1 }
    if not packet or #packet.data ~= 8 then
      job:failed("the choice of a context identifier", reason or #packet.data .. " octets")
    end
    cid = string.unpack(">I8", packet.data) + 1
  end
  for _, call in ipairs(pending) do job.t:mpi(call:finish()) end
  return cid
end

-- job:among(name, ranks): a communicator of these ranks of the world, in this order, as set-up: { comm, cid, ranks }.
-- The largest value that its processes have had is one above `cid` then.
function ImpiJob:among(name, ranks)
  local text = table.concat(ranks, ",")
  local cid = self.rank == 0 and create_under(self, name, text) or self:create(name, text)
  return { comm = name, cid = cid, ranks = ranks }
end

-- job:world(): the same for MPI_COMM_WORLD.
function ImpiJob:world()
  local ranks = {}
  for i = 1, self.world_size do ranks[i] = i - 1 end
  return { comm = "MPI_COMM_WORLD", cid = 0, ranks = ranks }
end

local function place_of(ranks, wanted)
  for i, rank in ipairs(ranks) do
    if rank == wanted then return i - 1 end
  end
end

---- the meeting ------------------------------------------------------------------------------------------------------

-- t:leaders(job, { group=, leader=, remote=, peer=, other=, tag=, name= }): two groups that are to meet. `group` is a
-- communicator as job:among gives it, `leader` and `other` are the leaders' ranks in the world, `remote` those of the
-- remote group. Unless given, the first ones lead, the peer communicator is the world and the tag 17.
function Test:leaders(job, given)
  local group, remote = given.group, given.remote
  local leader, other = given.leader or group.ranks[1], given.other or remote[1]
  return setmetatable({ t = self, job = job, group = group, remote = remote, peer = given.peer or job:world(),
    leader = job.processes[leader], other = job.processes[other], tag = given.tag or 17, name = given.name or "inter",
    kept = {} }, Leaders)
end

-- leaders:begin(): MPI_Intercomm_create begins in all processes under test that are in the local group.
function Leaders:begin()
  self.calls, self.callers = {}, {}
  for i = 0, self.job.np - 1 do
    local rank = self.job.ranks[i]
    if place_of(self.group.ranks, rank.world) then
      self.callers[#self.callers + 1] = rank
      self.calls[#self.calls + 1] = self.job:fenced(rank):start_MPI_Intercomm_create { local_comm = self.group.comm,
        local_leader = place_of(self.group.ranks, self.leader.rank), peer_comm = self.peer.comm,
        remote_leader = place_of(self.peer.ranks, self.other.rank), tag = self.tag, newintercomm = self.name,
        deadline = 30000 }
    end
  end
  return self
end

-- Judged when there is a requirement, else set-up.
function Leaders:must(req, what, good, expected, observed)
  if req then
    self.t:check(req, what, good, expected, observed)
  elseif not good then
    self.job:failed(what, observed)
  end
end

-- leaders:collect(): what has come to scripted processes is kept; who waits for a SYNCACK, gets it. Or nil and why.
function Leaders:collect()
  for _, channel in ipairs(self.job:each_channel()) do
    local packet, reason = channel:receive(TURN_MS)
    if packet and packet.type == "DATASYNC" then
      packet.dest:answer("SYNCACK", packet, { drqid = packet.dest:request() })
    end
    if packet then
      self.kept[#self.kept + 1] = packet
    elseif reason ~= "timeout" then
      return nil, reason
    end
  end
  return true
end

-- leaders:hear(from, to, fields): the first message between these processes that has these fields, as soon as it has
-- come; others are kept. Or nil and why.
function Leaders:hear(from, to, fields)
  local late, good, reason = core.now() + WAIT_MS, true, "timeout"
  repeat
    for i, packet in ipairs(self.kept) do
      if packet.src == from and packet.dest == to and packet.cid == (fields.cid or packet.cid)
          and packet.tag == (fields.tag or packet.tag) then
        return table.remove(self.kept, i)
      end
    end
    local over = core.now() > late or not good
    if not over then good, reason = self:collect() end
  until over
  return nil, reason or "timeout"
end

-- leaders:next(req, what [, comes]): the next message from the leader under test to the scripted one, on the peer
-- communicator with the user's tag. That there is one may be judged by another requirement.
function Leaders:next(req, what, comes)
  local packet, reason = self:hear(self.leader, self.other, {})
  self.job:needs_whole(packet)
  self:must(comes or req, what .. " for the remote leader", packet, "comes", reason)
  self:must(req, what .. ": the tag", packet.tag == self.tag, tostring(self.tag), tostring(packet.tag))
  self:must(req, what .. ": the context identifier of the peer communicator", packet.cid == self.peer.cid,
    tostring(self.peer.cid), tostring(packet.cid))
  return packet.data
end

-- leaders:sizes(req [, form_req]): the largest value and the size that the leader under test tells. leaders.form is the
-- length of that message then: 16 or 8, which is judged by form_req, else set-up. It is answered in the same form.
function Leaders:sizes(req, form_req)
  local data = self:next(req, "the largest value and the size")
  self:must(form_req, "the largest value and the size", FORMS[#data], "16 octets, or 8", #data .. " octets")
  self.form = #data
  local highest, size = string.unpack(FORMS[self.form], data)
  return highest, size
end

-- leaders:tell_sizes(highest [, size [, form]]): what the scripted leader tells.
function Leaders:tell_sizes(highest, size, form)
  local layout = FORMS[form or self.form]
  if layout == FORMS[8] and math.ult(math.maxinteger >> 32, highest) then
    self.t:skip("the leaders' exchange as two MPI_INT has no room for such a value")
  end
  self:say(string.pack(layout, highest, size or #self.remote))
  return self
end

function Leaders:say(data)
  self.other:send(self.leader, { tag = self.tag, cid = self.peer.cid, data = data,
    lsrank = place_of(self.peer.ranks, self.other.rank) })
end

-- A list of ranks as MPI_INT.
local function list_of(ranks)
  return string.pack(">" .. string.rep("i4", #ranks), table.unpack(ranks))
end

-- leaders:list(req): judges the list of ranks of the local group that the leader under test tells.
function Leaders:list(req)
  local data = self:next(req, "the list of ranks")
  self.t:same_octets(req, "ranks in the world of the local group, as MPI_INT", data, list_of(self.group.ranks))
end

function Leaders:tell_list()
  self:say(list_of(self.remote))
  return self
end

-- leaders:trade(highest [, req]): what follows the leader's first message; `highest` is the remote group's value. By
-- the requirement it is judged that this is taken, so that the list comes; nothing else is judged.
function Leaders:trade(highest, req)
  self:tell_sizes(highest):next(nil, "the list of ranks", req)
  return self:tell_list()
end

---- within the local group -------------------------------------------------------------------------------------------

-- leaders:offer(rank, value): a scripted master's part in the reduction to the leader under test.
function Leaders:offer(rank, value)
  self.job.processes[rank]:send(self.leader, { tag = REDUCE_TAG, cid = self.group.cid + 1,
    data = string.pack(">I8", value), lsrank = place_of(self.group.ranks, rank) })
  return self
end

-- leaders:heard(req, what, rank): octets that the leader under test broadcasts to a scripted master.
function Leaders:heard(req, what, rank)
  local packet, reason = self:hear(self.leader, self.job.processes[rank], { cid = self.group.cid + 1 })
  self:must(req, what .. " for process " .. rank .. " of the local group", packet, "comes", reason)
  return packet.data
end

-- leaders:heard_sizes(req, rank): the two values of the first broadcast.
function Leaders:heard_sizes(req, rank)
  local data = self:heard(req, "the first broadcast", rank)
  self:must(req, "octets of the first broadcast", #data == 16, "16", tostring(#data))
  return string.unpack(">I8I8", data)
end

-- leaders:heard_list(req, rank): judges the list in the second one.
function Leaders:heard_list(req, rank)
  local data = self:heard(req, "the broadcast of the list", rank)
  self.t:same_octets(req, "ranks in the world of the remote group, as MPI_INT", data, list_of(self.remote))
end

-- leaders:broadcast(highest): a scripted leader broadcasts to the master of the processes under test.
function Leaders:broadcast(highest)
  local master
  for _, rank in ipairs(self.group.ranks) do
    local process = self.job.processes[rank]
    master = master or process.host.client.sut and process
  end
  for _, data in ipairs { string.pack(">I8I8", highest, #self.remote), list_of(self.remote) } do
    self.leader:send(master, { tag = BROADCAST_TAG, cid = self.group.cid + 1, data = data,
      lsrank = place_of(self.group.ranks, self.leader.rank) })
  end
  return self
end

---- what comes of it -------------------------------------------------------------------------------------------------

-- leaders:made(req): all calls return MPI_SUCCESS.
function Leaders:made(req)
  local late, good, all = core.now() + WAIT_MS, true, nil
  repeat
    all = true
    for _, call in ipairs(self.calls) do all = all and call:done() end
    good = all or self:collect()
  until all or not good or core.now() > late
  for _, call in ipairs(self.calls) do
    local result = call:finish()
    self:must(req, "MPI_Intercomm_create", result.rc == "MPI_SUCCESS", "MPI_SUCCESS", result.rc)
  end
  return self
end

-- Who is in the remote group of a process under test: ranks of the world, in its order.
local function remote_group(self, req, caller)
  local ranks = {}
  for i = 1, #self.remote do ranks[i] = i - 1 end
  self.t:mpi(caller:MPI_Comm_group { comm = "MPI_COMM_WORLD", group = "everybody" })
  self.t:rc(req, caller:MPI_Comm_remote_group { comm = self.name, group = "across" }, "MPI_SUCCESS")
  self.t:equal(req, "MPI_Group_size of the remote group in rank " .. caller.world,
    self.t:mpi(caller:MPI_Group_size { group = "across" }).size, #self.remote)
  return tostring(self.t:mpi(caller:MPI_Group_translate_ranks { group1 = "across", ranks1 = table.concat(ranks, ","),
    group2 = "everybody" }).ranks2)
end

-- leaders:reaches(req [, cid]): judges that each process under test reaches, by the ranks of the new communicator, the
-- remote processes in the order of their list, of which its remote group consists; and with which context identifier,
-- where that is given.
function Leaders:reaches(req, cid)
  for _, caller in ipairs(self.callers) do
    self.t:equal(req, "the remote group in rank " .. caller.world, remote_group(self, req, caller),
      table.concat(self.remote, ","))
    self.t:equal(req, "MPI_Comm_remote_size in rank " .. caller.world,
      self.t:mpi(caller:MPI_Comm_remote_size { comm = self.name }).size, #self.remote)
    self.t:equal(req, "MPI_Comm_size in rank " .. caller.world,
      self.t:mpi(caller:MPI_Comm_size { comm = self.name }).size, #self.group.ranks)
    for i, rank in ipairs(self.remote) do
      caller:start_send(self.t, "MPI_Isend", { rank = i - 1 }, 4, 1, { tag = ACROSS_TAG, comm = self.name })
      local packet, reason = self:hear(self.job.processes[caller.world], self.job.processes[rank], { tag = ACROSS_TAG })
      self:must(req, string.format("a message to rank %d of the remote group for rank %d of the world", i - 1, rank),
        packet, "comes", reason)
      if cid then
        self.t:equal(req, "the context identifier of the new communicator", packet.cid, cid)
      end
    end
  end
end

-- leaders:remote_size(req): judges MPI_Comm_remote_size in all processes under test.
function Leaders:remote_size(req)
  for _, caller in ipairs(self.callers) do
    local result = self.t:rc(req, caller:MPI_Comm_remote_size { comm = self.name }, "MPI_SUCCESS")
    self.t:equal(req, "MPI_Comm_remote_size in rank " .. caller.world, result.size, #self.remote)
  end
end
