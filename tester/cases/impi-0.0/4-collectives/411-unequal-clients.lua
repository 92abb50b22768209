-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Collective operations among three clients of one, three and two processes, all of the system under test
-- (lib/impi/results.lua): chapters 4.4, 4.11 to 4.20 and 4.22. Each operation is called on the world, and on a
-- communicator in which the processes have the opposite order, so that the clients have it too.

defaults { role = "client", suite = "collective", ranks = 6, deadline = 90 }

local SIZES, SIZE = { 1, 3, 2 }, 6
local UNUSED = -7 -- what an int holds that no block is for

local function text(list)
  return table.concat(list, ",")
end

-- The numbers of(0) to of(count - 1).
local function list(count, of)
  local all = {}
  for number = 0, count - 1 do all[#all + 1] = of(number) end
  return all
end

-- A communicator of the six processes: its name, and `world` by its ranks.
local Group = {}
Group.__index = Group

-- Calls in all processes at once: out(place) and given(place) are what "out" holds and the call's values, where the
-- call has any; "in" has room for so many ints. Then "in" holds wanted(place), where that is not nil.
function Group:try(call, room, out, given, wanted)
  for place = 0, SIZE - 1 do
    self[place]:store("out", "int", 4 * SIZE * SIZE, out(place))
    self[place]:store("in", "int", 4 * room, list(room, function() return UNUSED end))
  end
  self.world:each(function(_, number)
    local place = self.place[number]
    local values = given(place)
    values.comm = self.comm
    if not values.buffer then values.sendbuf, values.recvbuf = "out", "in" end
    return self[place]["start_" .. call](self[place], values)
  end)
  for place = 0, SIZE - 1 do
    local expected = wanted(place) or list(room, function() return UNUSED end)
    self.world.t:equal(self.world.req, string.format("%s on %s, what rank %d has", call, self.comm, place),
      self[place]:load("in", "int", room), text(expected))
  end
  self.world:free("out", "in")
end

-- The world and the communicator of the opposite order, one after the other.
local function groups(world)
  local made = {}
  world:each(function(rank, number)
    return rank:start_MPI_Comm_split { comm = "MPI_COMM_WORLD", color = 3, key = -number, newcomm = "turned" }
  end)
  for i, comm in ipairs { "MPI_COMM_WORLD", "turned" } do
    local group = setmetatable({ world = world, comm = comm, place = {} }, Group)
    for number = 0, SIZE - 1 do
      local place = i == 1 and number or SIZE - 1 - number
      group[place], group.place[number] = world[number], place
    end
    made[i] = group
  end
  return ipairs(made)
end

-- Values of a call by counts and displacements: `way` is "send" or "recv", and the other side has `count`.
local function by_counts(way, counts, displs, count, root)
  local other = way == "send" and "recv" or "send"
  return { [way .. "counts"] = text(counts), displs = text(displs), [way .. "type"] = "MPI_INT",
    [other .. "count"] = count, [other .. "type"] = "MPI_INT", root = root }
end

local function equal_blocks(root)
  return { sendcount = 1, sendtype = "MPI_INT", recvcount = 1, recvtype = "MPI_INT", root = root }
end

-- The block of a rank: as many ints as its rank; where all of them stand, the last one's first and a gap behind each.
local COUNTS = list(SIZE, function(place) return place end)
local DISPLS = list(SIZE, function(place) return 21 - (place + 1) * (place + 2) // 2 end)

local function block(place, count)
  return list(count, function(i) return 100 * place + i end)
end

local function bcast(group)
  for root = 0, SIZE - 1 do
    group:try("MPI_Bcast", 3, function() return {} end, function(place)
      if place == root then
        group[place]:call("write-values", { name = "in", offset = 0, type = "int", values = text(block(root, 3)) })
      end
      return { buffer = "in", count = 3, datatype = "MPI_INT", root = root }
    end, function() return block(root, 3) end)
  end
end

-- Sums of two ints, of which the places of the ranks can be told.
local function addend(place)
  return { 1 << 4 * place, place }
end

local function reduce(group)
  for root = 0, SIZE - 1 do
    group:try("MPI_Reduce", 2, addend, function()
      return { count = 2, datatype = "MPI_INT", op = "MPI_SUM", root = root }
    end, function(place) return place == root and { 0x111111, 15 } or nil end)
  end
  group:try("MPI_Allreduce", 2, addend, function()
    return { count = 2, datatype = "MPI_INT", op = "MPI_SUM" }
  end, function() return { 0x111111, 15 } end)
  group:try("MPI_Scan", 2, addend, function()
    return { count = 2, datatype = "MPI_INT", op = "MPI_SUM" }
  end, function(place) return { 0x111111 & (1 << 4 * (place + 1)) - 1, place * (place + 1) // 2 } end)
end

-- What stands in `room` ints: everybody's block by count and displacement.
local function laid_out(room)
  local all = list(room, function() return UNUSED end)
  for place = 0, SIZE - 1 do
    for i = 1, COUNTS[place + 1] do all[DISPLS[place + 1] + i] = 100 * place + i - 1 end
  end
  return all
end

local function own(place)
  return block(place, place)
end

local function gather(group)
  for root = 0, SIZE - 1 do
    group:try("MPI_Gather", SIZE, function(place) return { 100 * place } end, function() return equal_blocks(root) end,
      function(place) return place == root and list(SIZE, function(from) return 100 * from end) or nil end)
    group:try("MPI_Gatherv", 21, own, function(place) return by_counts("recv", COUNTS, DISPLS, place, root) end,
      function(place) return place == root and laid_out(21) or nil end)
  end
end

local function scatter(group)
  for root = 0, SIZE - 1 do
    group:try("MPI_Scatter", 1, function(place) return list(SIZE, function(to) return 100 * to + place end) end,
      function() return equal_blocks(root) end, function(place) return { 100 * place + root } end)
    group:try("MPI_Scatterv", SIZE, function() return laid_out(21) end,
      function(place) return by_counts("send", COUNTS, DISPLS, place, root) end, function(place)
        local all = own(place)
        for i = place + 1, SIZE do all[i] = UNUSED end
        return all
      end)
  end
end

local function allgather(group)
  group:try("MPI_Allgather", SIZE, function(place) return { 100 * place } end, function() return equal_blocks() end,
    function() return list(SIZE, function(from) return 100 * from end) end)
  group:try("MPI_Allgatherv", 21, own, function(place) return by_counts("recv", COUNTS, DISPLS, place) end,
    function() return laid_out(21) end)
end

local function alltoall(group)
  group:try("MPI_Alltoall", SIZE, function(place) return list(SIZE, function(to) return 100 * place + to end) end,
    function() return equal_blocks() end, function(place)
      return list(SIZE, function(from) return 100 * from + place end)
    end)
end

local function reduce_scatter(group)
  group:try("MPI_Reduce_scatter", SIZE,
    function(place) return list(15, function(i) return (1 << 4 * place) * i end) end,
    function() return { recvcounts = text(COUNTS), datatype = "MPI_INT", op = "MPI_SUM" } end, function(place)
      local first = place * (place - 1) // 2
      return list(SIZE, function(i) return i < place and 0x111111 * (first + i) or UNUSED end)
    end)
end

for name, req, chapter, about, run in each {
  { "bcast", "IMPI-222", "4.11", "MPI_Bcast from every root", bcast },
  { "reduce", "IMPI-228", "4.16", "MPI_Reduce to every root, MPI_Allreduce and MPI_Scan", reduce },
  { "gather", "IMPI-231", "4.12", "MPI_Gather to every root, and MPI_Gatherv with blocks of nothing and more", gather },
  { "scatter", "IMPI-232", "4.14", "MPI_Scatter from every root, and MPI_Scatterv with blocks of nothing and more",
    scatter },
  { "allgather", "IMPI-234", "4.19", "MPI_Allgather, and MPI_Allgatherv with blocks of nothing and more", allgather },
  { "alltoall", "IMPI-235", "4.22", "MPI_Alltoall", alltoall },
  { "reduce-scatter", "IMPI-233", "4.17", "MPI_Reduce_scatter to blocks of nothing and more", reduce_scatter },
} do
  case {
    id = "unequal-clients-" .. name,
    title = "Clients of one, three and two processes: " .. about,
    purpose = "What every process has afterwards, and what it had where no block belongs; on the world, and on a communicator of the opposite order.",
    chapter = chapter,
    requirements = { req },
    run = function(t)
      local world = t:clients_of_sizes(req, SIZES)
      for _, group in groups(world) do run(group) end
    end,
  }
end

case {
  id = "unequal-clients-split",
  title = "Clients of one, three and two processes: communicators across them have the ranks of their keys",
  purpose = "MPI_Comm_split puts the outer processes of the three clients into one communicator, by falling keys, and two inner ones into another; one has none. Each has its rank and size.",
  chapter = "4.4", suite = "communicators",
  requirements = { "IMPI-199" },
  run = function(t)
    local world = t:clients_of_sizes("IMPI-199", SIZES)
    local colors = { [0] = 5, 5, 2, "MPI_UNDEFINED", 2, 5 }
    local ranks, sizes = { [0] = 2, 1, 1, nil, 0, 0 }, { [2] = 2, [5] = 3 }
    local made = world:each(function(rank, number)
      return rank:start_MPI_Comm_split { comm = "MPI_COMM_WORLD", color = colors[number], key = 10 - number,
        newcomm = "part" }
    end)
    for number = 0, SIZE - 1 do
      local none, rank = ranks[number] == nil, world[number]
      t:equal("IMPI-199", "rank " .. number .. " is given MPI_COMM_NULL", made[number].newcomm == "MPI_COMM_NULL", none)
      if not none then
        t:equal("IMPI-199", "MPI_Comm_rank of rank " .. number, t:mpi(rank:MPI_Comm_rank { comm = "part" }).rank,
          ranks[number])
        t:equal("IMPI-199", "MPI_Comm_size at rank " .. number, t:mpi(rank:MPI_Comm_size { comm = "part" }).size,
          sizes[colors[number]])
      end
    end
  end,
}
