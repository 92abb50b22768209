-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Reduce with an operation that does not commute (chapter 4.16): every process outside the root's client sends its
-- own operand to the root, which combines them in the order of ranks. The operation composes functions x -> a*x + b,
-- which are products of matrices of two rows and columns.

defaults { role = "client", suite = "collective", chapter = "4.16", incoming = true }

local AFFINE, CHAIN = Operand.affine, Operand.chain

-- Ranks 0 and 1, ranks 2 and 3 under test, ranks 4 and 5.
local function between(t)
  local job = t:job_of_clients(1, 3, { np = 2, others = { { hosts = { 2 } }, { hosts = { 2 } } } })
  job:op("affine", "affine", false)
  job:op("left", "left", false)
  return job
end

local function reduce(job, root, op, comm)
  return job:start_collective("MPI_Reduce", { value = AFFINE, root = root, op = op, comm = comm, datatype = "MPI_2INT",
    count = 1 })
end

-- The operands of the others, the highest rank first, rank 0 last.
local function give(job, root, late)
  for _, from in ipairs { 5, 1, 4, 0 } do
    if from ~= late then job:send_operand(from, root, AFFINE(from)) end
  end
end

for root = 0, 5 do
  local under = root == 2 or root == 3
  case {
    id = "reduce-in-order-to-" .. root,
    title = under and "The root combines the operands of all processes in the order of ranks"
      or "Every process sends its own operand to the root",
    purpose = under and string.format("Rank %d under test is the root. Each process of other clients sends its "
      .. "operand, the highest rank first, rank 0 last.", root)
      or string.format("Rank %d is the root: it is sent the operands of both processes under test, each by itself.",
        root),
    requirements = { "IMPI-227" }, ranks = 2,
    run = function(t)
      local job = between(t)
      for op, whole in pairs { affine = CHAIN { 0, 1, 2, 3, 4, 5 }, left = AFFINE(0) } do
        local expected = { { 2, root, AFFINE(2) }, { 3, root, AFFINE(3) } }
        reduce(job, root, op)
        if under then
          give(job, root)
        elseif not t:expect_messages("IMPI-227", op .. ": the messages", job:receive_to_fence(2), expected) then
          return
        end
        if not t:collective_completes("IMPI-227", op, job, { [root - 2] = whole })
            or not t:expect_messages("IMPI-227", op .. ": further messages", job.besides, {}) then
          return
        end
      end
    end,
  }
end

for root, late in each { { 2, 1 }, { 3, 4 } } do
  case {
    id = string.format("reduce-in-order-to-%d-waits-for-%d", root, late),
    title = string.format("Without rank %d the root has not all operands of an operation that does not commute", late),
    purpose = string.format("Rank %d under test is the root. Of the other clients' processes one is late: "
      .. "MPI_Reduce does not return there.", root),
    requirements = { "IMPI-227" }, ranks = 2,
    run = function(t)
      local job = between(t)
      reduce(job, root, "affine")
      give(job, root, late)
      t:expect_messages("IMPI-227", "messages of those under test", job:receive_to_fence(0), {})
      if t:reconstructed("IMPI-227", "the root has returned", job.combining[root - 2].call:done(), false) then
        job:send_operand(late, root, AFFINE(late))
        t:collective_completes("IMPI-227", "when all are there", job, { [root - 2] = CHAIN { 0, 1, 2, 3, 4, 5 } })
      end
    end,
  }
end

-- { name, ranks of the world in the communicator }
for name, order in each { { "mixed", { 4, 2, 0, 3, 5, 1 } }, { "reversed", { 5, 4, 3, 2, 1, 0 } } } do
  case {
    id = "reduce-in-order-of-a-permuted-communicator-" .. name,
    title = "The order of operands is that of the communicator",
    purpose = "The communicator has the ranks of the world as " .. Operand.text(order)
      .. ". Every process is the root once.",
    requirements = { "IMPI-227" }, ranks = 2,
    run = function(t)
      local job = between(t)
      local cid = job:create("c", Operand.text(order)) + 1
      for root, world in ipairs(order) do
        local what = "root " .. root - 1
        reduce(job, root - 1, "affine", "c")
        if world ~= 2 and world ~= 3 then
          if not t:expect_messages("IMPI-227", what, job:receive_to_fence(2),
            { { 2, world, AFFINE(2) }, { 3, world, AFFINE(3) } }) then
            return
          end
        else
          for place, from in ipairs(order) do
            if from ~= 2 and from ~= 3 then
              job:send_operand(from, world, AFFINE(from), { cid = cid, lsrank = place - 1 })
            end
          end
        end
        if not t:collective_completes("IMPI-227", what, job, { [world - 2] = CHAIN(order) }) then
          return
        end
      end
    end,
  }
end

for _, place in ipairs { 0, 3 } do
  case {
    id = "reduce-in-order-of-many-" .. place,
    title = "An operation that does not commute has no tree",
    purpose = string.format("Client %d of six: rank 0 takes the operands of all, and every other one sends its own "
      .. "there at once.", place),
    requirements = { "IMPI-227" },
    run = function(t)
      local job = t:job_of_clients(place, 6)
      job:op("affine", "affine", false)
      reduce(job, 0, "affine")
      if place > 0 then
        t:expect_messages("IMPI-227", "the messages", job:receive_to_fence(1), { { place, 0, AFFINE(place) } })
        t:collective_completes("IMPI-227", "afterwards", job)
        return
      end
      for from = 1, 5 do job:send_operand(from, 0, AFFINE(from)) end
      t:collective_completes("IMPI-227", "when all are there", job, { [0] = CHAIN { 0, 1, 2, 3, 4, 5 } })
    end,
  }
end

case {
  id = "reduce-one-message-behind-operations-in-order",
  title = "An operation commutes if its program says so, whatever others it has made before",
  purpose = "An operation that does not commute is made and used; then one that does: the client sends one message, the sum of both its processes.",
  requirements = { "IMPI-224" }, ranks = 2, incoming = false,
  run = function(t)
    local job = t:job_of_clients(1, 2, { np = 2 })
    job:op("affine", "affine", false)
    reduce(job, 0, "affine")
    if not t:expect_messages("IMPI-224", "the operation that does not commute", job:receive_to_fence(2),
      { { 1, 0, AFFINE(1) }, { 2, 0, AFFINE(2) } }) then
      return
    end
    t:collective_completes("IMPI-224", "the operation that does not commute", job)
    job:op("sum", "sum-int", true)
    job:start_collective("MPI_Reduce", { value = Operand.digits, root = 0, op = "sum" })
    t:expect_messages("IMPI-224", "the operation that commutes", job:receive_to_fence(1),
      { { 1, 0, Operand.sum { 1, 2 } } })
    t:collective_completes("IMPI-224", "the operation that commutes", job)
  end,
}
