-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Intercommunicators (chapters 4.5, 4.6, 4.8 and 4.9): one group is processes of the system under test, the other one
-- scripted processes, each in an order of the case's choice. The processes talk across: those above rank 0 with the
-- remote rank 0, the two ranks 0 with each other, all on the point-to-point context of the intercommunicator.
--
--   local inter = job:intercomm { own = { 2, 1 }, remote = { 3, 0 } }    -- ranks in the world
--   local pending = inter:begin("MPI_Comm_free")
--   inter:say(2, 1, { tag = 230 })                                       -- the remote rank 1 to rank 0 under test
--   local list = inter:heard(2)
--
-- inter.cid is its context identifier, inter.next what its processes have as the highest value from now on; inter.own,
-- inter.remote and inter.ranks are processes, processes and interpreters by the rank in their group (from 1: rank 0).

local CREATE_TAG, WORD = 4242, ">I8"
local WAIT_MS, TURN_MS = 8000, 10

Inter = Inter or {}
Inter.__index = Inter
Inter.FREE, Inter.DUP, Inter.MERGE = 230, 210, 220

-- { name, ranks of the world under test, scripted ones }, of a job as t:inter makes it: processes 0 to 2 are scripted.
Inter.GROUPS = {
  { "two-and-one", { 3, 4 }, { 0 } }, { "three-and-two", { 3, 4, 5 }, { 0, 1 } },
  { "three-and-three-in-another-order", { 5, 3, 4 }, { 2, 0, 1 } }, { "five-and-two", { 4, 3, 7, 5, 6 }, { 1, 0 } },
}

-- The interpreter of a rank of the world.
local function interpreter(job, world)
  for i = 0, job.np - 1 do
    if job.ranks[i].world == world then return job.ranks[i] end
  end
  job.t:inconclusive("tester", "rank " .. world .. " of the world is not one of the system under test")
end

-- An intracommunicator of the ranks under test, in this order.
local function own_group(job, own)
  if #own == 1 then return "MPI_COMM_SELF" end
  job:create("own", table.concat(own, ","))
  return "own"
end

-- What a leader under test says in MPI_Intercomm_create, as set-up.
local function words_of(job, inter, what)
  local packet, reason = inter.remote[1]:receive { src = inter.own[1], tag = CREATE_TAG, cid = 0 }
  if not packet then job:failed(what .. " in MPI_Intercomm_create", reason) end
  return packet.data
end

-- The two leaders meet: highest values and sizes, in the form that the other one uses; then the ranks in the world.
local function meet(job, inter, remote, highest)
  local leader, to = inter.remote[1], inter.own[1]
  local data = words_of(job, inter, "the highest value and the size")
  if #data ~= 16 and #data ~= 8 then
    job:failed("the highest value and the size in MPI_Intercomm_create", #data .. " octets")
  end
  local form = #data == 16 and ">I8I8" or ">I4I4"
  job.t:skip_if(#data == 8 and math.ult(0x7fffffff, highest),
    "the leaders' exchange as two MPI_INT has no room for such a value")
  inter.cid = math.max(string.unpack(form, data), highest) + 1
  inter.next = inter.cid + 1
  leader:send(to, { tag = CREATE_TAG, data = string.pack(form, highest, #remote) })
  words_of(job, inter, "the ranks")
  leader:send(to, { tag = CREATE_TAG, data = string.pack(">" .. string.rep("i4", #remote), table.unpack(remote)) })
end

-- job:intercomm(given): an intercommunicator, as set-up. `own` and `remote` are lists of ranks in the world; `name` is
-- its name in the interpreters ("inter"), `highest` the value of the remote group (61).
function ImpiJob:intercomm(given)
  local inter = setmetatable({ job = self, name = given.name or "inter", own = {}, remote = {}, ranks = {} }, Inter)
  local comm, pending = own_group(self, given.own), {}
  for i, world in ipairs(given.own) do
    inter.own[i], inter.ranks[i] = self.processes[world], interpreter(self, world)
  end
  for i, world in ipairs(given.remote) do inter.remote[i] = self.processes[world] end
  for i, rank in ipairs(inter.ranks) do
    pending[i] = rank:start_MPI_Intercomm_create { local_comm = comm, local_leader = 0, peer_comm = "MPI_COMM_WORLD",
      remote_leader = given.remote[1], tag = CREATE_TAG, newintercomm = inter.name }
  end
  meet(self, inter, given.remote, given.highest or 61)
  for _, call in ipairs(pending) do self.t:mpi(call:finish()) end
  return inter
end

-- job:raise(world, value, remote): the process under test with this rank in the world has this highest value: alone it
-- makes an intercommunicator with a scripted process. (What a native communicator does to the value is the system's own
-- matter.)
function ImpiJob:raise(world, value, remote)
  self:intercomm { own = { world }, remote = { remote }, name = "alone" .. world, highest = value - 2 }
end

-- inter:raise(rank, count): the process of this rank under test has a highest value that is greater by two for each.
-- Returns it.
function Inter:raise(rank, count)
  local value = self.next + 2 * count
  if count > 0 then self.job:raise(self.own[rank + 1].rank, value, self.remote[1].rank) end
  return value
end

-- inter:begin(call [, given]): the call begins in all ranks under test. MPI_Comm_dup makes "dup", MPI_Intercomm_merge
-- "merged".
function Inter:begin(call, given)
  local pending = {}
  for i, rank in ipairs(self.ranks) do
    local values = {}
    for key, value in pairs(given or {}) do values[key] = value end
    if call == "MPI_Intercomm_merge" then
      values.intercomm, values.newintracomm = self.name, values.newintracomm or "merged"
    else
      values.comm, values.newcomm = self.name, call == "MPI_Comm_dup" and "dup" or nil
    end
    pending[i] = self.job:fenced(rank)["start_" .. call](rank, values)
  end
  return pending
end

-- inter:say(from, to, fields): the remote process of this rank says something to a rank under test.
function Inter:say(from, to, fields)
  local packet = { cid = self.cid, lsrank = from }
  for key, value in pairs(fields) do packet[key] = value end
  return self.remote[from + 1]:send(self.own[to + 1], packet)
end

-- inter:answer(tag, offer, word): all that the remote group has to say: those above rank 0 offer something to the rank
-- 0 under test, and the remote rank 0 tells all ranks under test a word.
function Inter:answer(tag, offer, word)
  for i = 1, #self.remote - 1 do self:say(i, 0, { tag = tag, data = offer }) end
  for i = 0, #self.own - 1 do self:say(0, i, { tag = tag, data = word }) end
end

-- t:calls_block(req, what, pending): judges that none of these calls has returned.
function Test:calls_block(req, what, pending)
  for i, call in ipairs(pending) do
    self:check(req, string.format("%s: call %d", what, i), not call:done(), "has not returned", "has returned")
  end
end

-- Inter.values(..): values of eight octets.
function Inter.values(...)
  return string.pack(">" .. string.rep("I8", select("#", ...)), ...)
end

-- Inter.value(packet, place): the value of eight octets at this place (from 1), or -1 where there is none.
function Inter.value(packet, place)
  return packet and #packet.data >= 8 * place and (string.unpack(WORD, packet.data, 8 * place - 7)) or -1
end

local function rank_in(group, process)
  for i, member in ipairs(group) do
    if member == process then return i - 1 end
  end
  return -1
end

-- Inter.members(packets): those of ranks above 0. Inter.leading(packets): those of rank 0.
local function chosen(packets, of_leader)
  local list = {}
  for _, packet in ipairs(packets) do list[#list + 1] = (packet.from == 0) == of_leader and packet or nil end
  return list
end

function Inter.members(packets)
  return chosen(packets, false)
end

function Inter.leading(packets)
  return chosen(packets, true)
end

local function earlier(a, b)
  if a.from ~= b.from then return a.from < b.from end
  return a.to < b.to or a.to == b.to and a.place < b.place
end

-- inter:heard(count [, which]): the packets that come to remote processes until so many have come, and for a while
-- behind that; `which`, Inter.members or Inter.leading, says which of them count. `from` and `to` are ranks in the two
-- groups. The list is sorted by these; packets of one pair keep their order.
function Inter:heard(count, which)
  local list, lacking, more = {}, count, {}
  which = which or function(packets) return packets end
  repeat
    more = self.job:receive_to_fence(lacking)
    for _, packet in ipairs(more) do
      list[#list + 1] = packet
      packet.from, packet.to, packet.place = rank_in(self.own, packet.src), rank_in(self.remote, packet.dest), #list
    end
    lacking = count - #which(list)
  until lacking <= 0 or #more == 0
  list = which(list)
  table.sort(list, earlier)
  return list
end

-- Inter.look(packet): what packet that is. Its tag is known from other sources only, and judged by inter:tagged.
function Inter.look(packet)
  return string.format("%d to %d: %d octets, cid %d", packet.from, packet.to, packet.msglen, packet.cid)
end

-- inter:looks(packets), inter:expected(octets, pairs): lists of such texts; the second one of what must come, for pairs
-- of ranks.
function Inter:looks(packets)
  local list = {}
  for i, packet in ipairs(packets) do list[i] = self.look(packet) end
  return list
end

function Inter:expected(octets, pairs_of_ranks)
  local list = {}
  for i, pair in ipairs(pairs_of_ranks) do
    list[i] = self.look { from = pair[1], to = pair[2], msglen = octets, cid = self.cid }
  end
  return list
end

-- inter:tagged(req, packets, tag): whether all have the tag; the document as we have it lacks its number.
function Inter:tagged(req, packets, tag)
  for _, packet in ipairs(packets) do
    if not self.job.t:reconstructed(req, "the tag of the message from rank " .. packet.from, packet.tag, tag) then
      return false
    end
  end
  return true
end

-- inter:contexts_in(req, comm [, place [, first]]): the context identifiers of a message of each rank under test, from
-- this one on (0), to the remote rank 0, which has the rank `place` in `comm` (0).
function Inter:contexts_in(req, comm, place, first)
  local t, list = self.job.t, {}
  for i = 1 + (first or 0), #self.ranks do
    self.ranks[i]:start_send(t, "MPI_Isend", { rank = place or 0 }, 4, i, { tag = 4711, comm = comm })
    list[#list + 1] = t:packet_to(req, "a message of rank " .. i - 1 .. " on " .. comm, self.remote[1],
      { src = self.own[i], type = "message", tag = 4711 }).cid
  end
  return list
end

-- Takes what comes to the remote processes; a synchronous message is answered.
local function serve(job)
  for _, channel in ipairs(job:each_channel()) do
    local packet = channel:receive(TURN_MS)
    if packet and packet.type == "DATASYNC" then
      packet.dest:answer("SYNCACK", packet, { drqid = packet.dest:request() })
    end
  end
end

-- inter:all_good(req, pending): all these calls end well; what they still have to say meanwhile is taken.
function Inter:all_good(req, pending)
  local late = core.now() + WAIT_MS
  for _, call in ipairs(pending) do
    while not call:done() and core.now() < late do
      serve(self.job)
    end
    self.job.t:rc(req, call:finish(), "MPI_SUCCESS")
  end
end

-- t:inter(own, remote): an intercommunicator of these ranks in a job of its own.
function Test:inter(own, remote)
  local job = self:pair { np = #own, others = { { hosts = { 1, 2 } } } }
  return job:intercomm { own = own, remote = remote }
end
