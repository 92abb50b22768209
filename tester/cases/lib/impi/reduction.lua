-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Words for cases about MPI_Reduce, MPI_Allreduce, MPI_Scan and MPI_Reduce_scatter (chapters 4.16 to 4.18 and 4.21):
-- the call in the processes under test, the operands of scripted processes, which messages go from whom to whom.
-- Operands are lists of int unless a case says otherwise. Data in messages are external32.

local REDUCE_TAG = 190
local WAIT_MS, TURN_MS, CALL_MS = 8000, 10, 30000

Operand = {}

-- Operand.digits(world): three numbers of which each has an octal digit of its own for the process of this rank in the
-- world (up to 9): a sum tells who is in it, and how often. Operand.sum(worlds): what those of several come to.
function Operand.digits(world)
  return { 1 << 3 * world, 2 << 3 * world, 3 << 3 * world }
end

function Operand.sum(worlds)
  local total = { 0, 0, 0 }
  for _, world in ipairs(worlds) do
    for i, value in ipairs(Operand.digits(world)) do total[i] = total[i] + value end
  end
  return total
end

-- Operand.affine(world): a function x -> a*x + b as {a, b}. Operand.chain(worlds): those of several, one behind the
-- other in this order (specs/interpreter.md, 7.2): associative, and not commutative.
function Operand.affine(world)
  return { world + 2, 100 * world + 7 }
end

function Operand.chain(worlds)
  local whole = { 1, 0 }
  for _, world in ipairs(worlds) do
    local next = Operand.affine(world)
    whole = { whole[1] * next[1] % 65521, (whole[2] * next[1] + next[2]) % 65521 }
  end
  return whole
end

-- Operand.text(values), Operand.octets(values [, format]): as results are compared; as they travel (">i4" each).
function Operand.text(values)
  return table.concat(values, ",")
end

function Operand.octets(values, format)
  local parts = {}
  for i, value in ipairs(values) do parts[i] = string.pack(format or ">i4", value) end
  return table.concat(parts)
end

-- What a message of ints of this format holds, as text.
local function ints(data, format)
  if #data % 4 ~= 0 then return #data .. " octets" end
  local values = {}
  for at = 1, #data, 4 do values[#values + 1] = string.unpack(format, data, at) end
  return Operand.text(values)
end

---- the processes under test -----------------------------------------------------------------------------------------

-- job:op(name, how, commute): MPI_Op_create in all of them ("sum-int", "left", "affine", "sum-last").
function ImpiJob:op(name, how, commute)
  for i = 0, self.np - 1 do
    self.t:mpi(self.ranks[i]:MPI_Op_create { ["function"] = how, commute = commute, op = name })
  end
end

local function begin(job, rank, verb, given)
  local values = given.value(rank.world)
  local kind, room = given.kind or "int", 16 * math.max(#values, 1)
  local out = rank:fresh_name()
  local input = rank:fresh_name()
  rank:store(input, kind, room, values)
  local before = #values > 0 and rank:load(input, kind, #values)
  rank:octets(out, room, "byte/0")
  local call = job:fenced(rank)["start_" .. verb](rank, { sendbuf = input, recvbuf = out, root = given.root,
    op = given.op or "MPI_SUM", count = not given.parts and (given.count or #values) or nil,
    recvcounts = given.parts and Operand.text(given.parts), datatype = given.datatype or "MPI_INT",
    comm = given.comm or "MPI_COMM_WORLD", deadline = CALL_MS })
  return { rank = rank, call = call, out = out, kind = kind, input = input, before = before, count = #values }
end

-- job:start_collective(verb, { value =, root =, op =, comm =, datatype =, kind =, count =, parts =, places = }):
-- "MPI_Reduce", .. begins in all processes under test, or in those at these places of job.ranks. `value(world)` is the
-- operand of each, a list of numbers of the C type `kind`; the operation is MPI_SUM unless given.
function ImpiJob:start_collective(verb, given)
  local chosen = {}
  for _, place in ipairs(given.places or {}) do chosen[place] = true end
  self.combining, self.besides = self.combining or {}, {}
  for i = 0, self.np - 1 do
    if not given.places or chosen[i] then
      self.combining[i] = begin(self, self.ranks[i], verb, given)
    end
  end
  return self
end

-- job:collective_returns([ms]): whether all calls that have begun return. job.besides has the packets that come until
-- then.
function ImpiJob:collective_returns(ms)
  local late = core.now() + (ms or WAIT_MS)
  repeat
    local open = false
    for _, one in pairs(self.combining) do open = open or not one.call:done() end
    if not open then return true end
    for _, packet in ipairs(self:receive_packets(1, TURN_MS)) do self.besides[#self.besides + 1] = packet end
  until core.now() > late
  return false
end

-- t:collective_completes(req, what, job [, results]): judges that all calls return, and well, and have left the
-- operands as they were; then what is in the result regions: `results[place]` is the list of values in the process at
-- this place. That they return at all follows from a statement that is known from other sources only (t:reconstructed).
-- Whether they do.
function Test:collective_completes(req, what, job, results)
  if not self:reconstructed(req, what .. ": the calls return", job:collective_returns(), true) then
    return false
  end
  for i = 0, job.np - 1 do
    local one, expected = job.combining[i], (results or {})[i]
    if one then self:rc(req, one.call:finish(), "MPI_SUCCESS") end
    if one and one.before then
      self:equal(req, string.format("%s: the operand of rank %d afterwards", what, one.rank.world),
        one.rank:load(one.input, one.kind, one.count), one.before)
    end
    if one and expected then
      self:equal(req, string.format("%s: the result of rank %d", what, one.rank.world),
        one.rank:load(one.out, one.kind, #expected), Operand.text(expected))
    end
  end
  job.combining = {}
  return true
end

-- t:collective_blocks(req, what, job): judges that no call has returned.
function Test:collective_blocks(req, what, job)
  local returned = 0
  for _, one in pairs(job.combining) do returned = returned + (one.call:done() and 1 or 0) end
  return self:reconstructed(req, what .. ": calls that have returned", returned, 0)
end

---- the scripted processes -------------------------------------------------------------------------------------------

-- job:send_operand(from, to, values [, fields]): a scripted process sends its operand, or what it has combined, to a
-- process under test; both are ranks of the world. `fields` may say tag, cid, lsrank, format of the numbers.
function ImpiJob:send_operand(from, to, values, fields)
  fields = fields or {}
  self.processes[from]:send(self.processes[to], { tag = fields.tag or REDUCE_TAG, cid = fields.cid or 1,
    lsrank = fields.lsrank, data = Operand.octets(values, fields.format) })
  return self
end

-- Who has sent what to whom, sorted, if the messages hold ints of this format.
local function told(packets, format)
  local list = {}
  for i, packet in ipairs(packets) do
    list[i] = string.format("%d to %d: %s", packet.src.rank or -1, packet.dest.rank or -1,
      ints(packet.data or "", format))
  end
  table.sort(list)
  return list
end

-- t:expect_messages(req, what, packets, expected): judges who has sent what to whom: expected rows are { from, to,
-- values }, by ranks of the world. Another pattern than the reconstructed one is a warning; the right numbers with the
-- least significant octet first are wrong. Whether it is so.
function Test:expect_messages(req, what, packets, expected)
  local seen, wanted = told(packets, ">i4"), {}
  for i, row in ipairs(expected) do
    wanted[i] = string.format("%d to %d: %s", row[1], row[2], Operand.text(row[3]))
  end
  table.sort(wanted)
  if not Values.same(seen, wanted) and Values.same(told(packets, "<i4"), wanted) then
    self:equal(req, what .. ", in external32", seen, wanted)
  end
  return self:reconstructed(req, what, seen, wanted)
end

-- t:expect_tag_and_context(req, what, packets, tag, cid): judges tag and context identifier of each message.
function Test:expect_tag_and_context(req, what, packets, tag, cid)
  for _, packet in ipairs(packets) do
    local of = what .. ", the message to " .. packet.dest.label
    self:reconstructed(req, of .. ": tag", packet.tag, tag)
    if packet.cid == cid - 1 then
      self:equal_or_warn(req, of .. ": context identifier", packet.cid, cid, {
        [cid - 1] = "collective messages go over the context of point-to-point messages, as some implementations do" })
    else
      self:reconstructed(req, of .. ": context identifier", packet.cid, cid)
    end
  end
end
