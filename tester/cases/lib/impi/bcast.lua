-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Words for cases about MPI_Bcast (chapter 4.11): who sends the data on to whom. Besides barrier.lua; here too the
-- cases say by themselves who must talk to whom, and job:receive_to_fence takes what comes.

local BCAST_TAG = 120
local WAIT_MS, TURN_MS = 8000, 10

-- What is broadcast unless the case says otherwise: three integers, and how they travel.
Bcast = {
  NUMBERS = { datatype = "MPI_INT", kind = "int", room = 4, values = { "16909060", "-2", "7" },
    octets = "\x01\x02\x03\x04\xff\xff\xff\xfe\x00\x00\x00\x07" },
}

-- job:start_bcast(root, from [, data [, comm]]): MPI_Bcast from this rank begins in all processes under test; the one
-- whose place in job.ranks is `from` has the data, if any, the others have zeros. `data` is like Bcast.NUMBERS.
function ImpiJob:start_bcast(root, from, data, comm)
  data = data or Bcast.NUMBERS
  self.bcasts = { data = data }
  for i = 0, self.np - 1 do
    local rank = self.ranks[i]
    local name = rank:fresh_name()
    rank:octets(name, data.room * #data.values)
    if i == from then
      rank:call("write-values", { name = name, offset = 0, type = data.kind, values = table.concat(data.values, ",") })
    end
    self.bcasts[i] = { region = name, call = self:fenced(rank):start_MPI_Bcast { buffer = name, count = #data.values,
      datatype = data.datatype, root = root, comm = comm or "MPI_COMM_WORLD", deadline = 30000 } }
  end
  return self
end

-- job:send_bcast(from [, to [, fields]]): a scripted process sends the broadcast's message to a process under test, the
-- master if not given.
function ImpiJob:send_bcast(from, to, fields)
  local packet = { tag = BCAST_TAG, cid = 1, data = self.bcasts.data.octets }
  for key, value in pairs(fields or {}) do packet[key] = value end
  from:send(to or self:master(self.rank), packet)
  return self
end

-- job:hops(count): the packets that come to scripted processes, as "A to B" by ranks in the world, sorted.
function ImpiJob:hops(count)
  local list = {}
  for i, packet in ipairs(self:receive_to_fence(count)) do list[i] = Bcast.hop(packet.src, packet.dest) end
  table.sort(list)
  return list
end

function Bcast.hop(from, to)
  return string.format("%s to %s", from.rank or "nobody", to.rank or "nobody")
end

-- job:hops_from(from, clients): what job:hops gives when a process sends to the masters of these clients.
function ImpiJob:hops_from(from, clients)
  local list = {}
  for i, client in ipairs(clients) do list[i] = Bcast.hop(from, self:master(client)) end
  table.sort(list)
  return list
end

-- Whether all calls have returned in a while; what comes meanwhile is taken and answered: job.bcasts.meanwhile.
local function all_done(job)
  local late = core.now() + WAIT_MS
  while true do
    local open = false
    for i = 0, job.np - 1 do open = open or not job.bcasts[i].call:done() end
    if not open or core.now() > late then return not open end
    local list = job.bcasts.meanwhile or {}
    job.bcasts.meanwhile = job:receive_packets(#list + 1, TURN_MS, list)
  end
end

-- t:bcast_completes(req, job): judges that all calls that job:start_bcast has begun return, and that all processes
-- under test have the data. That they return follows from statements that are known from other sources only, and a
-- warning may say otherwise; wrong data are wrong. Whether they return.
function Test:bcast_completes(req, job)
  local data = job.bcasts.data
  if not self:reconstructed(req, "MPI_Bcast has returned in all processes", all_done(job), true) then
    return false
  end
  for i = 0, job.np - 1 do
    local rank, one = job.ranks[i], job.bcasts[i]
    local rc = one.call:finish().rc
    local values = rc == "MPI_SUCCESS" and tostring(rank:call("read-values", { name = one.region, offset = 0,
      type = data.kind, count = #data.values }).values) or rc
    self:equal(req, "what " .. rank.label .. " has", values, table.concat(data.values, ","))
  end
  return true
end
