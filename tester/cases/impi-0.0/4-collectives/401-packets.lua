-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Collective operations disturb nobody who has no part in them (chapter 4.1): on a communicator of one client nothing
-- goes to others, and on one of two clients nothing to the third. What goes between those that take part is known from
-- other sources only, and another way is a warning (t:reconstructed); that those who are left out hear nothing is not.

defaults { role = "client", suite = "collective", chapter = "4.1" }

local DIGITS, SUM = Operand.digits, Operand.sum

---- one client -------------------------------------------------------------------------------------------------------

-- The calls on the communicator "native" of three processes, and its members' regions "out" and "in".
local ONE, THREE = { "MPI_INT", 1 }, "1,1,1"
local WITHIN = {
  { "MPI_Bcast", { buffer = "out", count = 3, datatype = "MPI_INT", root = 1 } },
  { "MPI_Gather", { sendbuf = "out", recvbuf = "in", root = 2 }, ONE },
  { "MPI_Gatherv", { sendbuf = "out", sendcount = 1, sendtype = "MPI_INT", recvbuf = "in", recvcounts = THREE,
    displs = "0,2,4", recvtype = "MPI_INT", root = 1 } },
  { "MPI_Scatter", { sendbuf = "out", recvbuf = "in", root = 1 }, ONE },
  { "MPI_Scatterv", { sendbuf = "out", sendcounts = THREE, displs = "0,2,4", sendtype = "MPI_INT", recvbuf = "in",
    recvcount = 1, recvtype = "MPI_INT", root = 2 } },
  { "MPI_Allgather", { sendbuf = "out", recvbuf = "in" }, ONE },
  { "MPI_Alltoall", { sendbuf = "out", recvbuf = "in" }, ONE },
  { "MPI_Reduce_scatter", { sendbuf = "out", recvbuf = "in", recvcounts = THREE, datatype = "MPI_INT",
    op = "MPI_SUM" } },
  { "MPI_Allreduce", { sendbuf = "out", recvbuf = "in", count = 3, datatype = "MPI_INT", op = "MPI_SUM" } },
  { "MPI_Scan", { sendbuf = "out", recvbuf = "in", count = 3, datatype = "MPI_INT", op = "MPI_SUM" } },
  { "MPI_Comm_dup", { newcomm = "copy" } },
  { "MPI_Comm_split", { color = 1, key = 0, newcomm = "part" } },
  { "MPI_Comm_free", {} },
}

case {
  id = "collectives-within-one-client-send-nothing",
  title = "No collective operation on a communicator of one client sends anything to others",
  purpose = "Three processes under test have a communicator of their own. Each collective operation is called there once: there is silence between the clients, until the job ends.",
  requirements = { "IMPI-182" }, ranks = 3,
  run = function(t)
    local job = t:job_of_clients(1, 2, { np = 3 })
    job:create("native", "1,2,3")
    for i = 0, 2 do
      job.ranks[i]:octets("out", 128, "byte/0")
      job.ranks[i]:octets("in", 128, "byte/0")
    end
    for _, row in ipairs(WITHIN) do
      local verb, values, blocks, pending = row[1], { comm = "native" }, row[3], {}
      for key, value in pairs(row[2]) do values[key] = value end
      if blocks then
        values.sendtype, values.sendcount = blocks[1], blocks[2]
        values.recvtype, values.recvcount = blocks[1], blocks[2]
      end
      for i = 0, 2 do pending[i] = job:fenced(job.ranks[i])["start_" .. verb](job.ranks[i], values) end
      for i = 0, 2 do t:mpi(pending[i]:finish()) end
      t:equal("IMPI-182", verb .. ": messages to the other client", #job:receive_to_fence(0), 0)
    end
    t:equal("IMPI-182", "messages to the other client until the job ends", #job:remaining_packets(), 0)
  end,
}

---- two clients of three ---------------------------------------------------------------------------------------------

-- A job of ranks 0, 1 and 2 (under test), 3, and the communicator of ranks 1, 2 and this one.
local function job_with(t, member)
  local job = t:job_of_clients(1, 3, { np = 2 })
  job.member, job.left_out = member, 3 - member
  job.cid = job:create("c", member == 0 and "0,1,2" or "1,2,3")
  return job
end

-- Whether these packets, by ranks of the world, are what came, and none is for the process that is left out.
local function only(t, what, job, packets, expected)
  local hops, strays = {}, 0
  for i, packet in ipairs(packets) do
    hops[i] = Bcast.hop(packet.src, packet.dest)
    strays = strays + (packet.dest.rank == job.left_out and 1 or 0)
  end
  table.sort(hops)
  t:equal("IMPI-182", what .. ": messages to the client that is left out", strays, 0)
  return t:reconstructed("IMPI-182", what .. ": messages, by ranks of the world", hops, expected)
end

-- What a scripted process sends on the collective context of the communicator.
local function tell(job, tag, values)
  local lsrank = job.member == 0 and 0 or 2
  return job:send_operand(job.member, 1, values, { tag = tag, cid = job.cid + 1, lsrank = lsrank })
end

-- Each begins an operation, and says whether all has come as it should; `first`: the other client has rank 0.
local AMONG_TWO = {
  { "MPI_Barrier", function(t, job, first, what)
    job:start_barrier("c")
    if not first then tell(job, 110, {}) end
    local good = only(t, what, job, job:receive_to_fence(1), { "1 to " .. job.member })
    if good and first then tell(job, 110, {}) end
    if good then t:barrier_completes("IMPI-182", what, job) end
    return good
  end },
  { "MPI_Bcast", function(t, job, first, what)
    job:start_bcast(first and 1 or 0, 0, nil, "c")
    return only(t, what, job, job:receive_to_fence(1), { "1 to " .. job.member }) and t:bcast_completes("IMPI-182", job)
  end },
  { "MPI_Bcast of the other client", function(t, job, first, what)
    job:start_bcast(first and 0 or 2, nil, nil, "c"):send_bcast(job.processes[job.member], nil, { cid = job.cid + 1,
      lsrank = first and 0 or 2 })
    return t:bcast_completes("IMPI-182", job) and only(t, what, job, job:receive_to_fence(0), {})
  end },
  { "MPI_Allreduce", function(t, job, first, what)
    job:start_collective("MPI_Allreduce", { value = DIGITS, comm = "c" })
    if not first then tell(job, 190, DIGITS(3)) end
    if not only(t, what, job, job:receive_to_fence(1), { "1 to " .. job.member }) then return false end
    if first then tell(job, 120, SUM { 0, 1, 2 }) end
    local whole = SUM { 1, 2, job.member }
    return t:collective_completes("IMPI-182", what, job, { [0] = whole, whole })
      and only(t, what .. " afterwards", job, job.besides, {})
  end },
  { "MPI_Reduce in order", function(t, job, first, what)
    job:start_collective("MPI_Reduce", { value = DIGITS, root = 0, op = "in-order", comm = "c" })
    if first then
      return only(t, what, job, job:receive_to_fence(2), { "1 to 0", "2 to 0" })
        and t:collective_completes("IMPI-182", what, job)
    end
    tell(job, 190, DIGITS(3))
    return t:collective_completes("IMPI-182", what, job, { [0] = SUM { 1, 2, 3 } })
      and only(t, what, job, job.besides, {})
  end },
  { "MPI_Scan", function(t, job, first, what)
    job:start_collective("MPI_Scan", { value = DIGITS, comm = "c" })
    local before = first and tell(job, 200, DIGITS(0)) and { 0 } or {}
    if not only(t, what, job, job:receive_to_fence(first and 0 or 1), not first and { "2 to 3" } or {}) then
      return false
    end
    return t:collective_completes("IMPI-182", what, job, { [0] = SUM { 1, table.unpack(before) },
      SUM { 1, 2, table.unpack(before) } })
  end },
}

for member = 0, 3, 3 do
  case {
    id = "collectives-leave-out-client-" .. (member == 0 and 2 or 0),
    title = "Collective operations of two clients send nothing to the third",
    purpose = string.format("A communicator of both processes under test and rank %d of the world; each operation "
      .. "twice. The other client of one process hears nothing, and the member what it must.", member),
    requirements = { "IMPI-182" }, ranks = 2, incoming = true,
    run = function(t)
      local job = job_with(t, member)
      job:op("in-order", "sum-int", false)
      for round = 1, 2 do
        for _, row in ipairs(AMONG_TWO) do
          if not row[2](t, job, member == 0, string.format("%s, round %d", row[1], round)) then return end
        end
      end
      only(t, "until the job ends", job, job:remaining_packets(), {})
    end,
  }
end

---- new communicators ------------------------------------------------------------------------------------------------

for call, given in each { { "MPI_Comm_dup", {} }, { "MPI_Comm_create", { group = "all" } },
    { "MPI_Comm_create of one client", { group = "own" } } } do
  local verb = call:match("^%S+")
  case {
    id = "collectives-of-communicators-" .. verb:lower():match("_(%l+)$") .. (call ~= verb and "-of-one-client" or ""),
    title = call .. " sends one value and takes one, and nothing else goes between clients",
    purpose = "Two processes under test and two others, three times: one message to rank 0; behind the answer nothing, although the call returns.",
    requirements = { "IMPI-182" }, ranks = 2,
    run = function(t)
      local job = t:job_of_clients(1, 2, { np = 2, others = { { hosts = { 2 } } } })
      for i = 0, 1 do
        t:mpi(job.ranks[i]:MPI_Comm_group { group = "all" })
        t:mpi(job.ranks[i]:MPI_Group_incl { group = "all", ranks = "2,3", newgroup = "own" })
      end
      for round = 1, 3 do
        local pending, what = {}, string.format("%s, round %d: ", call, round)
        for i = 0, 1 do
          pending[i] = job:fenced(job.ranks[i])["start_" .. verb](job.ranks[i], { comm = "MPI_COMM_WORLD",
            group = given.group, newcomm = "new" .. round })
        end
        local packets, hops = job:receive_to_fence(1), {}
        for i, packet in ipairs(packets) do hops[i] = Bcast.hop(packet.src, packet.dest) end
        if not t:reconstructed("IMPI-182", what .. "messages", hops, { "2 to 0" }) then return end
        job:decide((#packets[1].data == 8 and string.unpack(">I8", packets[1].data) or 101) | 1)
        t:equal("IMPI-182", what .. "messages behind the answer", #job:receive_to_fence(0), 0)
        for i = 0, 1 do t:rc("IMPI-182", pending[i]:finish(), "MPI_SUCCESS") end
      end
    end,
  }
end
