-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The crossover size (chapter 4.1, IMPI_C_COLL_XSIZE of 2.3.5) decides between short and long protocols, and changes no
-- result: every collective operation just below it, at it and above it. Two clients of two processes each, all of the
-- system under test (lib/impi/results.lua). Results are written down from the blocks of all processes.

local SIZE = 4
local BYTES = { sendtype = "MPI_BYTE", recvtype = "MPI_BYTE", datatype = "MPI_BYTE" }

-- The block of one process for another: no two are alike.
local function block(from, to, octets)
  return Test.mix(10 * from + to + 1, octets)
end

-- What one process sends that has the same for all.
local function own(number, octets)
  return block(number, 7, octets)
end

-- The first `count` processes' own blocks by exclusive or.
local function combined(count, octets)
  local result, parts = {}, {}
  for number = 0, count - 1 do parts[number] = own(number, octets) end
  for i = 1, octets do
    local value = 0
    for number = 0, count - 1 do value = value ~ parts[number]:byte(i) end
    result[i] = string.char(value)
  end
  return table.concat(result)
end

local function joined(part)
  local parts = {}
  for number = 0, SIZE - 1 do parts[number + 1] = part(number) end
  return table.concat(parts)
end

-- Unequal counts for ranks 0 to 3, and where their blocks begin: n is the longest, and its block is not the first.
local function counts_of(n)
  return { 1, n, n // 2, n - 1 }, { 2 * n, 0, n, 2 * n + 1 }
end

-- The region of 3n + 16 octets that blocks of these counts fill.
local function scattered(n, part)
  local counts, displs = counts_of(n)
  local gap = "\x5a"
  local blocks = { part(1, counts[2]), part(2, counts[3]), part(0, counts[1]), part(3, counts[4]) }
  return blocks[1] .. blocks[2] .. gap:rep(displs[1] - n - counts[3]) .. blocks[3] .. blocks[4] .. gap:rep(16)
end

local function text(list)
  return table.concat(list, ",")
end

-- Each gives, for blocks of n octets and a root: the call's values, what is at "out" in each process before, how many
-- octets "in" has, and what is there afterwards (nil: not looked at). Octets at "in" are 0x5a before.
local CALLS = {
  MPI_Bcast = function(n, root)
    return { buffer = "in", count = n, root = root }, nil, n, function() return own(root, n) end,
      function(number) return number == root and own(root, n) or ("\x5a"):rep(n) end
  end,
  MPI_Reduce = function(n, root)
    return { sendbuf = "out", recvbuf = "in", count = n, op = "MPI_BXOR", root = root },
      function(number) return own(number, n) end, n,
      function(number) return number == root and combined(SIZE, n) or nil end
  end,
  MPI_Allreduce = function(n)
    return { sendbuf = "out", recvbuf = "in", count = n, op = "MPI_BXOR" }, function(number) return own(number, n) end,
      n, function() return combined(SIZE, n) end
  end,
  MPI_Scan = function(n)
    return { sendbuf = "out", recvbuf = "in", count = n, op = "MPI_BXOR" }, function(number) return own(number, n) end,
      n, function(number) return combined(number + 1, n) end
  end,
  MPI_Reduce_scatter = function(n)
    local counts, first = { n // 2, 0, n - n // 2 - 1, 1 }, { 0, n // 2, n // 2, n - 1 }
    return { sendbuf = "out", recvbuf = "in", recvcounts = text(counts), op = "MPI_BXOR" },
      function(number) return own(number, n) end, n, function(number)
        return combined(SIZE, n):sub(first[number + 1] + 1, first[number + 1] + counts[number + 1])
          .. ("\x5a"):rep(n - counts[number + 1])
      end
  end,
  MPI_Gather = function(n, root)
    return { sendbuf = "out", sendcount = n, recvbuf = "in", recvcount = n, root = root },
      function(number) return own(number, n) end, SIZE * n, function(number)
        return number == root and joined(function(from) return own(from, n) end) or nil
      end
  end,
  MPI_Allgather = function(n)
    return { sendbuf = "out", sendcount = n, recvbuf = "in", recvcount = n },
      function(number) return own(number, n) end, SIZE * n,
      function() return joined(function(from) return own(from, n) end) end
  end,
  MPI_Scatter = function(n, root)
    return { sendbuf = "out", sendcount = n, recvbuf = "in", recvcount = n, root = root },
      function(number) return joined(function(to) return block(number, to, n) end) end, n,
      function(number) return block(root, number, n) end
  end,
  MPI_Alltoall = function(n)
    return { sendbuf = "out", sendcount = n, recvbuf = "in", recvcount = n },
      function(number) return joined(function(to) return block(number, to, n) end) end, SIZE * n,
      function(number) return joined(function(from) return block(from, number, n) end) end
  end,
  MPI_Gatherv = function(n, root)
    local counts, displs = counts_of(n)
    return { sendbuf = "out", sendcount = function(number) return counts[number + 1] end, recvbuf = "in",
      recvcounts = text(counts), displs = text(displs), root = root },
      function(number) return own(number, counts[number + 1]) end, nil,
      function(number) return number == root and scattered(n, own) or nil end
  end,
  MPI_Allgatherv = function(n)
    local counts, displs = counts_of(n)
    return { sendbuf = "out", sendcount = function(number) return counts[number + 1] end, recvbuf = "in",
      recvcounts = text(counts), displs = text(displs) },
      function(number) return own(number, counts[number + 1]) end, nil, function() return scattered(n, own) end
  end,
  MPI_Scatterv = function(n, root)
    local counts, displs = counts_of(n)
    return { sendbuf = "out", sendcounts = text(counts), displs = text(displs), recvbuf = "in",
      recvcount = function(number) return counts[number + 1] end, root = root },
      function(number)
        return scattered(n, function(to, octets) return block(number, to, octets) end)
      end, nil,
      function(number) return block(root, number, counts[number + 1]) end
  end,
  MPI_Alltoallv = function(n)
    local counts, displs = counts_of(n)
    return { sendbuf = "out", sendcounts = text(counts), sdispls = text(displs), recvbuf = "in",
      recvcounts = function(number) return text { counts[number + 1], counts[number + 1], counts[number + 1],
        counts[number + 1] } end,
      rdispls = function(number)
        local count = counts[number + 1]
        return text { 3 * count, 0, count, 2 * count }
      end },
      function(number)
        return scattered(n, function(to, octets) return block(number, to, octets) end)
      end, SIZE * n, function(number)
        local count = counts[number + 1]
        return block(1, number, count) .. block(2, number, count) .. block(3, number, count) .. block(0, number, count)
          .. ("\x5a"):rep(SIZE * (n - count))
      end
  end,
}

local ROOTED = { MPI_Bcast = true, MPI_Reduce = true, MPI_Gather = true, MPI_Gatherv = true, MPI_Scatter = true,
  MPI_Scatterv = true }

-- The values of a process: those that the call has for all, and its own.
local function values_of(given, number)
  local values = { comm = "MPI_COMM_WORLD" }
  for _, key in ipairs(given.sendcount == nil and given.sendcounts == nil and { "datatype" } or { "sendtype",
    "recvtype" }) do
    values[key] = BYTES[key]
  end
  for key, value in pairs(given) do
    values[key] = type(value) == "function" and value(number) or value
  end
  return values
end

local function try(world, call, n, root)
  world:carries(n)
  local given, out, room, result, before = CALLS[call](n, root)
  room = room or #scattered(n, own)
  world:fill("in", before or function() return ("\x5a"):rep(room) end)
  if out then world:fill("out", out) end
  world:each(function(rank, number) return rank["start_" .. call](rank, values_of(given, number)) end)
  world:holds(string.format("%s of %d octets%s", call, n, root and ", root " .. root or ""), "in", result)
  world:free("in", table.unpack(out and { "out" } or {}))
end

-- { name, what the users have chosen, sizes }: where the data of all four processes count, 256 octets of each are 1024.
local CHOICES = {
  { "by-default", false, { 255, 256, 257, 1023, 1024, 1025 } },
  { "chosen-0", "0", { 1, 1023, 1024, 1025 } },
  { "chosen-100000", "100000", { 1023, 1024, 1025, 24999, 25001 } },
  { "chosen-64", "64", { 15, 16, 17, 63, 64, 65 } },
}

local NAMES = {}
for call in pairs(CALLS) do
  NAMES[#NAMES + 1] = call
end
table.sort(NAMES)

for _, call in ipairs(NAMES) do
  for _, choice in ipairs(CHOICES) do
    case {
      id = string.format("crossover-%s-%s", call:sub(5):lower():gsub("_", "-"), choice[1]),
      title = call .. " has the same result below, at and above the crossover size",
      purpose = string.format("Blocks of %s octets%s; the crossover size is %s.", text(choice[3]),
        ROOTED[call] and ", the root in each client" or "", choice[2] or "1024, which nobody has chosen"),
      role = "client", ranks = 2, suite = "collective", chapter = "4.1", deadline = 90,
      requirements = { "IMPI-236" },
      run = function(t)
        local world = t:two_clients("IMPI-236", { IMPI_COLL_XSIZE = choice[2] })
        for _, n in ipairs(choice[3]) do
          for _, root in ipairs(ROOTED[call] and { 1, 2 } or { 0 }) do
            try(world, call, n, ROOTED[call] and root or nil)
          end
        end
      end,
    }
  end
end
