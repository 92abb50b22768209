-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Allgather and MPI_Allgatherv (chapters 4.19 and 4.20): what every process has afterwards. Two clients of two
-- processes each, all of the system under test (lib/impi/results.lua).

defaults { role = "client", suite = "collective", chapter = "4.19", ranks = 2, deadline = 90 }

-- What stands where no block belongs, at each process something else: what another one has there must not come along.
local function gap(number)
  return string.char(0xa5 + number)
end

-- The block of a process: no two are alike.
local function block(number, octets)
  return Test.mix(number + 1, octets)
end

-- MPI_Allgather of blocks of so many octets; `order` are the ranks of the world by their rank in the communicator.
local function gather_all(world, octets, comm, order)
  local all = {}
  world:carries(octets)
  for place = 1, world.size do all[place] = block(order[place], octets) end
  local blocks = table.concat(all)
  world:fill("mine", function(number) return block(number, octets) end)
  world:fill("all", function(number) return gap(number):rep(#blocks + 8) end)
  world:all("MPI_Allgather", { sendbuf = "mine", sendcount = octets, sendtype = "MPI_BYTE", recvbuf = "all",
    recvcount = octets, recvtype = "MPI_BYTE", comm = comm or "MPI_COMM_WORLD" })
  world:holds("all blocks of " .. octets .. " octets", "all", function(number)
    return blocks .. gap(number):rep(8)
  end)
  world:free("mine", "all")
end

-- MPI_Allgatherv of elements of four octets, as they are told by counts and displacements.
local function gather_all_v(world, counts, displs, room)
  local elements = {}
  world:carries(4 * math.max(table.unpack(counts)))
  for rank = 0, world.size - 1 do
    local octets = block(rank, 4 * counts[rank + 1])
    for i = 1, counts[rank + 1] do elements[displs[rank + 1] + i] = octets:sub(4 * i - 3, 4 * i) end
  end
  local function whole(number)
    local all = {}
    for place = 1, room do all[place] = elements[place] or gap(number):rep(4) end
    return table.concat(all)
  end
  world:fill("mine", function(number) return block(number, 4 * counts[number + 1]) end)
  world:fill("all", function(number) return gap(number):rep(4 * room) end)
  world:each(function(rank, number)
    return rank:start_MPI_Allgatherv { sendbuf = "mine", sendcount = counts[number + 1], sendtype = "MPI_INT",
      recvbuf = "all", recvcounts = table.concat(counts, ","), displs = table.concat(displs, ","), recvtype = "MPI_INT",
      comm = "MPI_COMM_WORLD" }
  end)
  world:holds("blocks where they belong, and the gaps", "all", whole)
  world:free("mine", "all")
end

for _, row in ipairs { { "short", 1, 255, 256 }, { "medium", 1024, 5000, 20000 }, { "long", 70000, 4, 150001 } } do
  local name = row[1]
  case {
    id = "allgather-" .. name,
    title = "MPI_Allgather gives the blocks of all to all, in the order of ranks",
    purpose = string.format("Blocks of %d, %d and %d octets; what stands behind the last one stays.", row[2], row[3],
      row[4]),
    requirements = { "IMPI-234" },
    run = function(t)
      local world = t:two_clients("IMPI-234")
      for i = 2, 4 do gather_all(world, row[i], nil, { 0, 1, 2, 3 }) end
    end,
  }
end

case {
  id = "allgather-of-several-packets",
  title = "MPI_Allgather where a packet holds 100 octets, and one may be under way",
  purpose = "Blocks of 99, 100, 101 and 1000 octets.",
  requirements = { "IMPI-234" },
  run = function(t)
    local world = t:two_clients("IMPI-234", { IMPI_DATALEN = "100", IMPI_ACKMARK = "1", IMPI_HIWATER = "1" })
    for _, octets in ipairs { 99, 100, 101, 1000 } do gather_all(world, octets, nil, { 0, 1, 2, 3 }) end
  end,
}

case {
  id = "allgather-by-values",
  title = "MPI_Allgather gives the values of all to all, for each type",
  purpose = "Two elements of each process: of MPI_SHORT, MPI_INT, MPI_DOUBLE and MPI_CHAR.",
  requirements = { "IMPI-234" },
  run = function(t)
    local world = t:two_clients("IMPI-234")
    for _, row in ipairs { { "MPI_SHORT", "short", 2 }, { "MPI_INT", "int", 4 }, { "MPI_DOUBLE", "double", 8 },
      { "MPI_CHAR", "signed-char", 1 } } do
      local datatype, kind, octets = row[1], row[2], row[3]
      world:each(function(rank, number)
        rank:store("two" .. kind, kind, 2 * octets, { 10 * number + 1, 10 * number + 2 })
        rank:octets("all" .. kind, 8 * octets)
      end)
      world:all("MPI_Allgather", { sendbuf = "two" .. kind, sendcount = 2, sendtype = datatype, recvbuf = "all" .. kind,
        recvcount = 2, recvtype = datatype, comm = "MPI_COMM_WORLD" })
      for number = 0, 3 do
        t:equal("IMPI-234", datatype .. " at rank " .. number, world[number]:load("all" .. kind, kind, 8),
          "1,2,11,12,21,22,31,32")
      end
    end
  end,
}

case {
  id = "allgather-in-a-permuted-communicator",
  title = "The order of blocks is that of the communicator's ranks",
  purpose = "MPI_Comm_split with keys that mix the processes of both clients: ranks 2, 1, 3, 0 of the world.",
  requirements = { "IMPI-234" },
  run = function(t)
    local world = t:two_clients("IMPI-234")
    local keys, pending = { [0] = 9, 4, -3, 7 }, {}
    for number = 0, 3 do
      pending[number] = world[number]:start_MPI_Comm_split { comm = "MPI_COMM_WORLD", color = 0, key = keys[number],
        newcomm = "mixed" }
    end
    for number = 0, 3 do t:mpi(pending[number]:finish()) end
    for _, octets in ipairs { 5, 1500 } do gather_all(world, octets, "mixed", { 2, 1, 3, 0 }) end
  end,
}

-- { name, counts, displacements, room }: elements of four octets.
local LAYOUTS = {
  { "gaps", { 3, 1, 5, 2 }, { 1, 6, 9, 16 }, 20 },
  { "mixed-up", { 3, 0, 5, 2 }, { 15, 0, 2, 9 }, 20 },
  { "empty-at-the-ends", { 0, 7, 4, 0 }, { 0, 0, 7, 11 }, 12 },
  { "one-only", { 0, 0, 0, 6 }, { 0, 0, 0, 3 }, 10 },
  { "nothing", { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, 2 },
  { "long", { 3000, 1, 700, 2500 }, { 3500, 0, 10, 1000 }, 6600 },
  { "longer-than-a-packet", { 20000, 5, 0, 17000 }, { 17100, 3, 0, 20 }, 37200 },
}

for _, row in ipairs(LAYOUTS) do
  case {
    id = "allgatherv-" .. row[1],
    title = "MPI_Allgatherv puts the block of each rank where counts and displacements say, at all ranks",
    purpose = string.format("Counts %s, displacements %s; gaps stay as they were.", table.concat(row[2], ", "),
      table.concat(row[3], ", ")),
    requirements = { "IMPI-234" }, chapter = "4.20",
    run = function(t)
      gather_all_v(t:two_clients("IMPI-234"), row[2], row[3], row[4])
    end,
  }
end
