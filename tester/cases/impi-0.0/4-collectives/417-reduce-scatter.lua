-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Reduce_scatter (chapter 4.17): what each rank has afterwards, with unequal parts and empty ones. How its messages
-- go is lost to us: MPI_Reduce to rank 0 and MPI_Scatterv from there is a guess, so a system that goes another way is
-- judged within one client only.

defaults { role = "client", suite = "collective", chapter = "4.17" }

local SCATTERV_TAG = 160

-- As many numbers as the parts have: process `world` adds its octal digit to each, and the place to the first.
local function operand(total)
  return function(world)
    local values = {}
    for i = 1, total do values[i] = (i % 7 + 1) << 3 * world end
    return values
  end
end

-- The part of one rank of what these processes have come to.
local function part(parts, rank, worlds)
  local total, first, whole = 0, 0, {}
  for i, count in ipairs(parts) do
    first = i <= rank and first + count or first
    total = total + count
  end
  for i = first + 1, first + parts[rank + 1] do
    local value = 0
    for _, world in ipairs(worlds) do value = value + operand(total)(world)[i] end
    whole[#whole + 1] = value
  end
  return whole
end

local function begin(job, parts, comm, op)
  local total = 0
  for _, count in ipairs(parts) do total = total + count end
  return job:start_collective("MPI_Reduce_scatter", { value = operand(total), parts = parts, comm = comm, op = op })
end

-- What a process has given, behind the call.
local function operand_stays(t, one)
  if one.before then
    t:equal("IMPI-233", "the operand of rank " .. one.rank.world .. " afterwards",
      one.rank:load(one.input, one.kind, one.count), one.before)
  end
end

-- { name, parts of the four ranks }
local PARTS = {
  { "equal", { 2, 2, 2, 2 } }, { "unequal", { 1, 4, 2, 3 } }, { "falling", { 5, 3, 2, 1 } },
  { "first-is-empty", { 0, 3, 1, 2 } }, { "some-are-empty", { 2, 0, 0, 3 } }, { "last-is-empty", { 3, 1, 2, 0 } },
  { "only-one", { 0, 0, 6, 0 } }, { "all-are-empty", { 0, 0, 0, 0 } },
}

for _, how in ipairs { "MPI_SUM", "in-order" } do
  case {
    id = "reduce-scatter-" .. (how == "MPI_SUM" and "sum" or how),
    title = "MPI_Reduce_scatter gives each rank its part of the reduced vector",
    purpose = "Four processes of one client: equal, unequal and empty parts"
      .. (how == "MPI_SUM" and "." or ", by an operation that is not said to commute."),
    requirements = { "IMPI-233" }, ranks = 4,
    run = function(t)
      local job = t:impi_job { np = 4, others = {} }:open()
      job:op("in-order", "sum-int", false)
      for _, row in ipairs(PARTS) do
        begin(job, row[2], nil, how)
        for i = 0, 3 do
          local one = job.combining[i]
          t:rc("IMPI-233", one.call:finish(), "MPI_SUCCESS")
          local expected = part(row[2], i, { 0, 1, 2, 3 })
          expected[#expected + 1] = 0 -- what stands behind the part is left alone
          t:equal("IMPI-233", row[1] .. " parts: rank " .. i, one.rank:load(one.out, "int", #expected),
            Operand.text(expected))
          operand_stays(t, one)
        end
        job.combining = {}
      end
    end,
  }
end

case {
  id = "reduce-scatter-of-a-permuted-communicator",
  title = "Parts are in the order of the ranks in the communicator",
  purpose = "Three processes of one client make a communicator in another order, beside a client that has no part in it.",
  requirements = { "IMPI-233" }, ranks = 3,
  run = function(t)
    local job = t:job_of_clients(1, 2, { np = 3 })
    job:create("native", "3,1,2")
    for _, parts in ipairs { { 1, 0, 4 }, { 3, 2, 1 } } do
      begin(job, parts, "native")
      for rank, place in ipairs { 2, 0, 1 } do
        local one = job.combining[place]
        t:rc("IMPI-233", one.call:finish(), "MPI_SUCCESS")
        local expected = part(parts, rank - 1, { 1, 2, 3 })
        t:equal("IMPI-233", "rank " .. rank - 1, #expected == 0 and "" or one.rank:load(one.out, "int", #expected),
          Operand.text(expected))
      end
      job.combining = {}
    end
  end,
}

-- Ends the case unless all calls return: the way that the case has gone is not the one of the system under test.
local function returns(t, job)
  t:skip_if(not job:collective_returns(),
    "the system under test does not go by MPI_Reduce to rank 0 and MPI_Scatterv from there")
end

-- What is in the result regions of those under test, of which the first is this rank.
local function judge(t, job, parts, first)
  for i = 0, job.np - 1 do
    local one, expected = job.combining[i], part(parts, first + i, { 0, 1, 2 })
    t:rc("IMPI-233", one.call:finish(), "MPI_SUCCESS")
    if #expected > 0 then
      t:equal("IMPI-233", "the part of rank " .. first + i, one.rank:load(one.out, "int", #expected),
        Operand.text(expected))
    end
    operand_stays(t, one)
  end
  job.combining = {}
end

-- { name, parts of the three ranks }
for name, parts in each { { "unequal", { 1, 4, 2 } }, { "empty", { 2, 0, 3 } } } do
  case {
    id = "reduce-scatter-from-rank-0-" .. name,
    title = "MPI_Reduce_scatter of two clients, where rank 0 is scripted",
    purpose = "Ranks 1 and 2 are under test: what rank 0 sends to each is its part.",
    requirements = { "IMPI-233" }, ranks = 2,
    run = function(t)
      local job = t:job_of_clients(1, 2, { np = 2 })
      begin(job, parts)
      job:receive_to_fence(1)
      for rank = 1, 2 do job:send_operand(0, rank, part(parts, rank, { 0, 1, 2 }), { tag = SCATTERV_TAG }) end
      returns(t, job)
      judge(t, job, parts, 1)
    end,
  }
  case {
    id = "reduce-scatter-to-another-client-" .. name,
    title = "MPI_Reduce_scatter of two clients, where rank 0 is under test",
    purpose = "Ranks 0 and 1 are under test: the operand of rank 2 is in their parts, and rank 2 is sent its own.",
    requirements = { "IMPI-233" }, ranks = 2, incoming = true,
    run = function(t)
      local job = t:job_of_clients(0, 2, { np = 2 })
      begin(job, parts):send_operand(2, 0, operand(parts[1] + parts[2] + parts[3])(2))
      returns(t, job)
      judge(t, job, parts, 0)
      local data, late = "", job:receive_to_fence(0)
      for _, packet in ipairs(table.move(late, 1, #late, #job.besides + 1, job.besides)) do
        data = data .. packet.data
      end
      t:reconstructed("IMPI-233", "what rank 2 is sent", data, Operand.octets(part(parts, 2, { 0, 1, 2 })))
    end,
  }
end

for name, parts in each { { "unequal", { 1, 4, 2, 3 } }, { "empty", { 0, 3, 0, 2 } } } do
  case {
    id = "reduce-scatter-in-order-of-two-clients-" .. name,
    title = "MPI_Reduce_scatter by an operation that does not commute combines the processes of all clients in their order",
    purpose = "Ranks 0 and 1 are under test, 2 and 3 are scripted and send an operand each. The operation keeps the left one: that of rank 0.",
    requirements = { "IMPI-233" }, ranks = 2, incoming = true,
    run = function(t)
      local job = t:impi_job { rank = 0, np = 2, others = { { hosts = { 2 } } } }:open()
      local total = 0
      for _, count in ipairs(parts) do total = total + count end
      job:op("left", "left", false)
      begin(job, parts, nil, "left")
      for world = 3, 2, -1 do job:send_operand(world, 0, operand(total)(world)) end
      returns(t, job)
      for rank = 0, 1 do
        local one, expected = job.combining[rank], part(parts, rank, { 0 })
        t:rc("IMPI-233", one.call:finish(), "MPI_SUCCESS")
        if #expected > 0 then
          t:equal("IMPI-233", "the part of rank " .. rank, one.rank:load(one.out, "int", #expected),
            Operand.text(expected))
        end
      end
    end,
  }
end
