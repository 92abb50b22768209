-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Scan (chapter 4.18): a chain from rank to rank. Only where neighbours are in different clients does it show.
-- What is printed of it elsewhere never lets rank 0 send; it must, or nobody gets anything. The operations are a sum,
-- and the composition of functions, which does not commute.

defaults { role = "client", suite = "collective", chapter = "4.18" }

local SCAN_TAG = 200

-- What each rank has, and what the first ranks have come to: { operation, datatype, elements, operand, combined }.
local OPERATIONS = {
  { "MPI_SUM", "MPI_INT", 3, Operand.digits, Operand.sum },
  { "affine", "MPI_2INT", 1, Operand.affine, Operand.chain },
}

-- A job in which the client under test has two processes at this place, and every other one has two.
local function job_of(t, place, count)
  local job = t:job_of_clients(place, count, { np = 2, each = { 2 } })
  job:op("affine", "affine", false)
  return job
end

local function scan(job, row, given)
  given = given or {}
  return job:start_collective("MPI_Scan", { value = row[4], op = row[1], datatype = row[2], count = row[3],
    comm = given.comm, places = given.places })
end

local function up_to(rank)
  local worlds = {}
  for world = 0, rank do worlds[#worlds + 1] = world end
  return worlds
end

case {
  id = "scan-of-rank-0",
  title = "Rank 0 sends what it has to rank 1, and does not wait for others",
  purpose = "One process under test, rank 0 of two: its operand comes at once, MPI_Scan returns, and the result is its own operand.",
  requirements = { "IMPI-229" }, incoming = true,
  run = function(t)
    local job = t:job_of_clients(0, 2)
    job:op("affine", "affine", false)
    for _, row in ipairs(OPERATIONS) do
      scan(job, row)
      local packets = job:receive_to_fence(1)
      if not t:expect_messages("IMPI-229", row[1], packets, { { 0, 1, row[4](0) } }) then return end
      t:expect_tag_and_context("IMPI-229", row[1], packets, SCAN_TAG, 1)
      t:collective_completes("IMPI-229", row[1], job, { [0] = row[4](0) })
    end
  end,
}

case {
  id = "scan-of-the-first-client",
  title = "The first client's last process sends to the next client",
  purpose = "Ranks 0 and 1 of six are under test: one message, from rank 1 to rank 2, with what both have come to.",
  requirements = { "IMPI-229" }, ranks = 2, incoming = true,
  run = function(t)
    local job = job_of(t, 0, 3)
    for _, row in ipairs(OPERATIONS) do
      scan(job, row)
      if not t:expect_messages("IMPI-229", row[1], job:receive_to_fence(1), { { 1, 2, row[5] { 0, 1 } } })
          or not t:collective_completes("IMPI-229", row[1], job, { [0] = row[4](0), row[5] { 0, 1 } }) then
        return
      end
    end
  end,
}

case {
  id = "scan-between-two-clients",
  title = "A client in the middle receives from the rank before it, and sends to the rank behind it",
  purpose = "Ranks 2 and 3 of six are under test. Nothing leaves before rank 1 has sent; then one message goes from rank 3 to rank 4.",
  requirements = { "IMPI-229" }, ranks = 2, incoming = true,
  run = function(t)
    local job = job_of(t, 1, 3)
    for _, row in ipairs(OPERATIONS) do
      scan(job, row)
      if not t:expect_messages("IMPI-229", row[1] .. ": before rank 1 has sent", job:receive_to_fence(0), {})
          or not t:collective_blocks("IMPI-229", row[1] .. ": before rank 1 has sent", job) then
        return
      end
      job:send_operand(1, 2, row[5] { 0, 1 }, { tag = SCAN_TAG })
      local packets = job:receive_to_fence(1)
      if not t:expect_messages("IMPI-229", row[1], packets, { { 3, 4, row[5](up_to(3)) } }) then
        return
      end
      t:expect_tag_and_context("IMPI-229", row[1], packets, SCAN_TAG, 1)
      t:collective_completes("IMPI-229", row[1], job, { [0] = row[5](up_to(2)), row[5](up_to(3)) })
    end
  end,
}

for late = 0, 1 do
  case {
    id = "scan-waits-for-process-" .. late,
    title = "A process of the client that is late holds up those behind it",
    purpose = string.format("Ranks 2 and 3 are under test, rank 1 has sent, and rank %d is late: nothing goes to "
      .. "rank 4 before it has come.", 2 + late),
    requirements = { "IMPI-229" }, ranks = 2, incoming = true,
    run = function(t)
      local job, row = job_of(t, 1, 3), OPERATIONS[2]
      scan(job, row, { places = { 1 - late } })
      job:send_operand(1, 2, row[5] { 0, 1 }, { tag = SCAN_TAG })
      if t:expect_messages("IMPI-229", "while it is late", job:receive_to_fence(0), {}) then
        scan(job, row, { places = { late } })
        t:expect_messages("IMPI-229", "behind it", job:receive_to_fence(1), { { 3, 4, row[5](up_to(3)) } })
        t:collective_completes("IMPI-229", "behind it", job, { [0] = row[5](up_to(2)), row[5](up_to(3)) })
      end
    end,
  }
end

case {
  id = "scan-of-the-last-client",
  title = "The last rank sends nothing",
  purpose = "Ranks 4 and 5 of six are under test, rank 3 sends: both have their results, and nothing comes from them.",
  requirements = { "IMPI-229" }, ranks = 2,
  run = function(t)
    local job = job_of(t, 2, 3)
    for _, row in ipairs(OPERATIONS) do
      scan(job, row):send_operand(3, 4, row[5](up_to(3)), { tag = SCAN_TAG })
      if not t:collective_completes("IMPI-229", row[1], job, { [0] = row[5](up_to(4)), row[5](up_to(5)) }) then
        return
      end
      t:expect_messages("IMPI-229", row[1] .. ": messages of the last client", job.besides, {})
      t:expect_messages("IMPI-229", row[1] .. ": messages behind that", job:receive_to_fence(0), {})
    end
    t:expect_messages("IMPI-229", "messages until the job ends", job:remaining_packets(), {})
  end,
}

-- { name, place of the client under test, processes of all three clients }
for name, place, counts in each { { "first", 0, { 3, 1, 2 } }, { "middle", 1, { 1, 3, 2 } },
    { "last", 2, { 2, 1, 3 } } } do
  case {
    id = "scan-of-unequal-clients-" .. name,
    title = "MPI_Scan passes on between clients that have different numbers of processes",
    purpose = "Three clients of " .. Operand.text(counts) .. " processes: one message at each border, with what the "
      .. "ranks before it have come to.",
    requirements = { "IMPI-229" }, ranks = 3, incoming = place < 2,
    run = function(t)
      local others, before, results = {}, 0, {}
      for i, count in ipairs(counts) do
        others[#others + 1] = i ~= place + 1 and { hosts = { count } } or nil
        before = before + (i <= place and count or 0)
      end
      local job = t:job_of_clients(place, 3, { np = 3, others = others })
      job:op("affine", "affine", false)
      for _, row in ipairs(OPERATIONS) do
        for i = 0, 2 do results[i] = row[5](up_to(before + i)) end
        scan(job, row)
        if before > 0 then job:send_operand(before - 1, before, row[5](up_to(before - 1)), { tag = SCAN_TAG }) end
        local messages = before < 3 and { { before + 2, before + 3, results[2] } } or {}
        if not t:expect_messages("IMPI-229", row[1], job:receive_to_fence(#messages), messages)
            or not t:collective_completes("IMPI-229", row[1], job, results) then
          return
        end
      end
    end,
  }
end

-- One way along a communicator: every scripted process sends when it has received what comes before it.
local function along(t, job, row, order, cid)
  local before, results = {}, {}
  scan(job, row, { comm = "c" })
  for rank, world in ipairs(order) do
    local neighbour, whole = order[rank + 1], row[5] { table.unpack(order, 1, rank) }
    local sut, to_sut = world >= 2, neighbour and neighbour >= 2
    if sut then results[world - 2] = whole end
    if sut and neighbour and not to_sut then
      before = job:receive_to_fence(1)
      if not t:expect_messages("IMPI-229", "behind rank " .. rank - 1, before, { { world, neighbour, whole } }) then
        return false
      end
      t:expect_tag_and_context("IMPI-229", row[1], before, SCAN_TAG, cid)
      t:reconstructed("IMPI-229", "pk_lsrank", before[1].lsrank, rank - 1)
    elseif not sut and to_sut then
      job:send_operand(world, neighbour, whole, { tag = SCAN_TAG, cid = cid, lsrank = rank - 1 })
    end
  end
  return t:collective_completes("IMPI-229", row[1], job, results)
end

-- { name, ranks of the world in the communicator: 2 and 3 are under test }
for name, order in each { { "ends-elsewhere", { 2, 0, 3, 1 } }, { "begins-elsewhere", { 1, 3, 0, 2 } },
    { "reversed", { 3, 2, 1, 0 } } } do
  case {
    id = "scan-of-a-permuted-communicator-" .. name,
    title = "MPI_Scan goes from rank to rank of the communicator",
    purpose = "The communicator has the ranks of the world as " .. Operand.text(order)
      .. "; ranks 2 and 3 of the world are under test.",
    requirements = { "IMPI-229" }, ranks = 2,
    run = function(t)
      local job = job_of(t, 1, 2)
      local cid = job:create("c", Operand.text(order)) + 1
      for _, operation in ipairs(OPERATIONS) do
        if not along(t, job, operation, order, cid) then return end
      end
    end,
  }
end
