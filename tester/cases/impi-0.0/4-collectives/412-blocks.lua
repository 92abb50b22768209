-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Where MPI_Gather, MPI_Scatter, MPI_Allgather, MPI_Alltoall and their vector forms put blocks (chapters 4.12 to 4.15,
-- 4.19, 4.20, 4.22 and 4.23): by the extent of a datatype, which may be more than its octets, and by the ranks of the
-- communicator. Two clients of two processes each, all of the system under test (lib/impi/results.lua).

defaults { role = "client", suite = "collective", ranks = 2 }

-- What stands where nothing belongs, as a fill and as an int: at each process something else, so that what another one
-- has there is seen where it comes along.
local function gap(number)
  return "byte/" .. 165 + number, (165 + number) * 0x01010101 - (1 << 32)
end

-- Datatype "d" in all processes: an int and a gap of two ints behind it.
local WIDE = 3

local function wide(world)
  world:all("MPI_Type_struct", { array_of_blocklengths = "1,1", array_of_displacements = "0,12",
    array_of_types = "MPI_INT,MPI_UB", newtype = "d" })
  world:all("MPI_Type_commit", { datatype = "d" })
end

-- A communicator "c" of all processes; order[i] is the rank in the world of its rank i - 1.
local ORDER = { 2, 1, 3, 0 }

local function permuted(world)
  local keys = {}
  for place, number in ipairs(ORDER) do keys[number] = place end
  world:each(function(rank, number)
    return rank:start_MPI_Comm_split { comm = "MPI_COMM_WORLD", color = 0, key = keys[number], newcomm = "c" }
  end)
end

-- The numbers of `room` elements in a process, each of `width` ints, of which values[place] (from 0) has one; as text.
local function layout(number, values, room, width)
  local numbers, _, empty = {}, gap(number)
  for place = 0, room - 1 do
    for i = 1, width do numbers[#numbers + 1] = i == 1 and values[place] or empty end
  end
  return table.concat(numbers, ",")
end

-- A region of these numbers, or of nothing but gaps.
local function region(rank, number, name, room, width, values)
  rank:octets(name, 4 * room * width, (gap(number)))
  if values then
    rank:call("write-values", { name = name, offset = 0, type = "int", values = layout(number, values, room, width) })
  end
end

-- What stands for `from` in `to`, as the number of this element of the block.
local function number_of(from, to, element)
  return 1000 * (from + 1) + 100 * (to + 1) + element
end

local COUNTS, DISPLS, ROOM = { 1, 2, 0, 2 }, { 5, 0, 9, 2 }, 10

local function text(list, count)
  return table.concat(list, ",", 1, count)
end

-- How many elements the block of a rank has, and where it begins.
local function place_of(vector, rank)
  return vector and COUNTS[rank + 1] or 2, vector and DISPLS[rank + 1] or 2 * rank
end

-- All blocks of one process in a communicator of this size, as `value(rank, element)` says.
local function blocks(vector, size, value)
  local values = {}
  for rank = 0, size - 1 do
    local count, first = place_of(vector, rank)
    for element = 0, count - 1 do values[first + element] = value(rank, element) end
  end
  return values
end

-- One block, from the beginning.
local function block(vector, rank, value)
  local values, count = {}, place_of(vector, rank)
  for element = 0, count - 1 do values[element] = value(element) end
  return values
end

-- Each gives the values of the call in the process of this rank, what is at "out" there, and what must be at "in"
-- (nil: nothing new). `type` is that of where the blocks stand, MPI_INT that of single ones.
local CALLS = {
  gather = function(vector, rank, root, datatype, size)
    return { sendcount = place_of(vector, rank), sendtype = "MPI_INT", recvcount = not vector and 2 or nil,
      recvcounts = vector and text(COUNTS), displs = vector and text(DISPLS), recvtype = datatype, root = root },
      { block(vector, rank, function(element) return number_of(rank, root, element) end), 1 },
      rank == root and { blocks(vector, size, function(from, element) return number_of(from, root, element) end) }
  end,
  allgather = function(vector, rank, _, datatype, size)
    return { sendcount = place_of(vector, rank), sendtype = "MPI_INT", recvcount = not vector and 2 or nil,
      recvcounts = vector and text(COUNTS), displs = vector and text(DISPLS), recvtype = datatype },
      { block(vector, rank, function(element) return number_of(rank, 9, element) end), 1 },
      { blocks(vector, size, function(from, element) return number_of(from, 9, element) end) }
  end,
  scatter = function(vector, rank, root, datatype, size)
    return { sendcount = not vector and 2 or nil, sendcounts = vector and text(COUNTS),
      displs = vector and text(DISPLS), sendtype = datatype, recvcount = place_of(vector, rank), recvtype = "MPI_INT",
      root = root },
      { blocks(vector, size, function(to, element) return number_of(rank, to, element) end) },
      { block(vector, rank, function(element) return number_of(root, rank, element) end), 1 }
  end,
  -- The vector form sends as many elements to each rank as that one's count, and places what comes in falling order.
  alltoall = function(vector, rank, _, datatype, size)
    local count, back = place_of(vector, rank), {}
    for from = 0, size - 1 do back[from + 1] = count * (size - 1 - from) end
    local arrived = {}
    for from = 0, size - 1 do
      for element = 0, count - 1 do
        arrived[(vector and back[from + 1] or 2 * from) + element] = number_of(from, rank, element)
      end
    end
    return { sendcount = not vector and 2 or nil, sendcounts = vector and text(COUNTS, size),
      sdispls = vector and text(DISPLS, size), sendtype = datatype, recvcount = not vector and 2 or nil,
      recvcounts = vector and text({ count, count, count, count }, size), rdispls = vector and text(back),
      recvtype = datatype },
      { blocks(vector, size, function(to, element) return number_of(rank, to, element) end) }, { arrived }
  end,
}

local ROOTED = { gather = true, scatter = true }

-- One call in all members of the communicator, whose ranks in the world are `order`, and what is there afterwards.
local function try(t, world, name, vector, given)
  local call, width = "MPI_" .. name:sub(1, 1):upper() .. name:sub(2) .. (vector and "v" or ""), given.width
  local expected, rank_of = {}, {}
  for place, number in ipairs(given.order) do rank_of[number] = place - 1 end
  world:each(function(rank, number)
    if not rank_of[number] then return nil end
    local values, out, result = CALLS[name](vector, rank_of[number], given.root, width == 1 and "MPI_INT" or "d",
      #given.order)
    region(rank, number, "out", ROOM, out[2] or width, out[1])
    region(rank, number, "in", ROOM, width)
    expected[number] = result and layout(number, result[1], ROOM, result[2] or width)
    values.sendbuf, values.recvbuf, values.comm = "out", "in", given.comm
    for key, value in pairs(values) do values[key] = value or nil end
    return rank["start_" .. call](rank, values)
  end)
  for _, number in ipairs(given.order) do
    local what = string.format("%s%s at rank %d", call, ROOTED[name] and ", root " .. given.root or "", rank_of[number])
    local whole = expected[number] or layout(number, {}, ROOM, width)
    local count = select(2, whole:gsub(",", ",")) + 1
    t:equal(world.req, what, world[number]:load("in", "int", count), whole)
  end
  for _, number in ipairs(given.order) do
    world[number]:free("in")
    world[number]:free("out")
  end
end

-- Communicators of two processes of one client and one of the other: { name, their ranks in the world }.
local UNEQUAL = { { "two-and-one", { 0, 1, 2 } }, { "one-between-two", { 3, 1, 2 } } }

local function part(world, name, order)
  local place_in = {}
  for place, number in ipairs(order) do place_in[number] = place end
  world:each(function(rank, number)
    return rank:start_MPI_Comm_split { comm = "MPI_COMM_WORLD", color = place_in[number] and 1 or 0,
      key = place_in[number] or 0, newcomm = name }
  end)
end

-- { call, requirement, chapter }
for name, req, chapter in each { { "gather", "IMPI-231", "4.12" }, { "scatter", "IMPI-232", "4.14" },
    { "allgather", "IMPI-234", "4.19" }, { "alltoall", "IMPI-235", "4.22" } } do
  case {
    id = "blocks-by-extent-" .. name,
    title = "Blocks stand where the extent of the datatype says: MPI_" .. name:sub(1, 1):upper() .. name:sub(2),
    purpose = "A datatype of an int with a gap of two behind it, in the plain and in the vector form; the gaps stay as they were, and so does what no block is for.",
    requirements = { req }, chapter = chapter,
    run = function(t)
      local world = t:two_clients(req)
      wide(world)
      for _, vector in ipairs { false, true } do
        for _, root in ipairs(ROOTED[name] and { 0, 1, 3 } or { 0 }) do
          try(t, world, name, vector, { root = root, width = WIDE, order = { 0, 1, 2, 3 }, comm = "MPI_COMM_WORLD" })
        end
      end
    end,
  }
  case {
    id = "blocks-by-rank-" .. name,
    title = "Blocks are in the order of the communicator's ranks: MPI_" .. name:sub(1, 1):upper() .. name:sub(2),
    purpose = "A communicator whose ranks 0 to 3 are 2, 1, 3, 0 of the world, in the plain and in the vector form.",
    requirements = { req }, chapter = chapter,
    run = function(t)
      local world = t:two_clients(req)
      permuted(world)
      for _, vector in ipairs { false, true } do
        for _, root in ipairs(ROOTED[name] and { 0, 1, 2, 3 } or { 0 }) do
          try(t, world, name, vector, { root = root, width = 1, order = ORDER, comm = "c" })
        end
      end
    end,
  }
end

for name, req, chapter in each { { "gather", "IMPI-231", "4.12" }, { "scatter", "IMPI-232", "4.14" },
    { "allgather", "IMPI-234", "4.19" }, { "alltoall", "IMPI-235", "4.22" } } do
  case {
    id = "blocks-of-unequal-clients-" .. name,
    title = "Blocks are in the order of ranks where clients have different numbers of processes: MPI_"
      .. name:sub(1, 1):upper() .. name:sub(2),
    purpose = "Communicators of two processes of one client and one of the other: ranks 0, 1, 2 of the world, and 3, 1, 2; in the plain and in the vector form, with each root.",
    requirements = { req }, chapter = chapter,
    run = function(t)
      local world = t:two_clients(req)
      for comm, order in each(UNEQUAL) do
        part(world, comm, order)
        for root = 0, ROOTED[name] and 2 or 0 do
          for _, vector in ipairs { false, true } do
            try(t, world, name, vector, { root = root, width = 1, order = order, comm = comm })
          end
        end
      end
    end,
  }
end

case {
  id = "blocks-of-three-alltoall",
  title = "In MPI_Alltoall among three processes each has a block of each",
  purpose = "A communicator of the ranks 0 to 2 of the world, of two clients; rank 3 is alone in another one.",
  requirements = { "IMPI-235" }, chapter = "4.22",
  run = function(t)
    local world = t:two_clients("IMPI-235")
    world:each(function(rank, number)
      return rank:start_MPI_Comm_split { comm = "MPI_COMM_WORLD", color = number // 3, key = number, newcomm = "c" }
    end)
    world:each(function(rank, number)
      local own = 10 * (number % 3)
      region(rank, number, "out", 3, 1, { [0] = own, own + 1, own + 2 })
      region(rank, number, "in", 3, 1)
      return rank:start_MPI_Alltoall { sendbuf = "out", sendcount = 1, sendtype = "MPI_INT", recvbuf = "in",
        recvcount = 1, recvtype = "MPI_INT", comm = "c" }
    end)
    for number = 0, 2 do
      t:equal("IMPI-235", "blocks at rank " .. number, world[number]:load("in", "int", 3),
        text { number, 10 + number, 20 + number })
    end
  end,
}
