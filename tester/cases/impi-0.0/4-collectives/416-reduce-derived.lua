-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Reductions of derived datatypes by a program's own operation (chapters 4.16 to 4.18 and 4.21): the function is told
-- the datatype and as many elements as there are, and finds them where the datatype says; what is beside them stays as
-- it was. Two clients of two processes each, all of the system under test (lib/impi/results.lua).

defaults { role = "client", suite = "collective", chapter = "4.16", ranks = 4 }

-- What stands where nothing belongs, as a fill and as an int: at each process something else, so that what another one
-- has there is seen where it comes along.
local function gap(number)
  return "byte/" .. 165 + number, (165 + number) * 0x01010101 - (1 << 32)
end

local BESIDE_OPERANDS = 4 -- more than what stands beside results: a process has other gaps in both
local ROOM, MIDDLE, COUNT = 24, 12, 3 -- ints of a region; which of them is the buffer's address; elements

-- Each: how datatype "d" is made in all processes; where, in ints from the address, element 0 ends with the int that
-- the operation adds up; how many ints further the next one does; which ints of an element are besides (from that one).
local SHAPES = {
  { "behind-the-address", function(world)
    world:all("MPI_Type_hindexed", { array_of_blocklengths = "1", array_of_displacements = "8", oldtype = "MPI_INT",
      newtype = "d" })
  end, 2, 1, {} },
  { "before-the-address", function(world)
    world:all("MPI_Type_hindexed", { array_of_blocklengths = "1", array_of_displacements = "-32", oldtype = "MPI_INT",
      newtype = "d" })
  end, -8, 1, {} },
  { "of-two", function(world)
    world:all("MPI_Type_contiguous", { count = 2, oldtype = "MPI_INT", newtype = "d" })
  end, 1, 2, { -1 } },
  { "with-gaps", function(world)
    world:all("MPI_Type_struct", { array_of_blocklengths = "1,1,1", array_of_displacements = "-4,4,8",
      array_of_types = "MPI_LB,MPI_INT,MPI_UB", newtype = "d" })
  end, 1, 3, {} },
}

-- The ints of a region in a process, `values[element]` at the places of a shape.
local function layout(number, shape, values)
  local all, first, step, beside = {}, shape[3], shape[4], shape[5]
  for i = 1, ROOM do all[i] = select(2, gap(number)) end
  for element = 0, #values - 1 do
    local at = MIDDLE + first + step * element + 1
    all[at] = values[element + 1]
    for _, place in ipairs(beside) do all[at + place] = 0 end
  end
  return table.concat(all, ",")
end

local function operand(number)
  return { 1 << 3 * number, 2 << 3 * number, 3 << 3 * number }
end

-- What the operands of these processes come to.
local function sum(from, to)
  local total = { 0, 0, 0 }
  for number = from, to do
    for i, value in ipairs(operand(number)) do total[i] = total[i] + value end
  end
  return total
end

-- Who has the result of a call, and which: nil for nobody's.
local CALLS = {
  { "MPI_Reduce", { root = 0 }, function(number) return number == 0 and sum(0, 3) or nil end },
  { "MPI_Reduce", { root = 3 }, function(number) return number == 3 and sum(0, 3) or nil end },
  { "MPI_Allreduce", {}, function() return sum(0, 3) end },
  { "MPI_Scan", {}, function(number) return sum(0, number) end },
}

-- The ints of a region as text, those that are beside the sums as 0.
local function found(rank, name, shape, count)
  local all, place = {}, 0
  for value in rank:load(name, "int", ROOM):gmatch("%-?%d+") do
    place = place + 1
    all[place] = value
  end
  for element = 0, count - 1 do
    for _, beside in ipairs(shape[5]) do all[MIDDLE + shape[3] + shape[4] * element + 1 + beside] = "0" end
  end
  return table.concat(all, ",")
end

for _, shape in ipairs(SHAPES) do
  case {
    id = "reduce-derived-" .. shape[1],
    title = "A program's own operation reduces a derived datatype: " .. shape[1]:gsub("-", " "),
    purpose = "Three elements of each process, by MPI_Reduce to the first and the last rank, MPI_Allreduce and MPI_Scan; by an operation that commutes, and by one that need not. Operands and all that is beside the elements stay as they were.",
    requirements = { "IMPI-228" },
    run = function(t)
      local world = t:two_clients("IMPI-228")
      t:skip_if(not tostring(world[0]:call("describe", {}).functions):find("sum-last", 1, true),
        "the interpreter has no operation that looks at the datatype")
      shape[2](world)
      world:all("MPI_Type_commit", { datatype = "d" })
      for _, commute in ipairs { true, false } do
        local op = commute and "either" or "ordered"
        world:all("MPI_Op_create", { ["function"] = "sum-last", commute = commute, op = op })
        for call, given, result in each(CALLS) do
          world:each(function(rank, number)
            rank:octets("in", 4 * ROOM, (gap(BESIDE_OPERANDS + number)))
            rank:octets("out", 4 * ROOM, (gap(number)))
            rank:call("write-values", { name = "in", offset = 0, type = "int",
              values = layout(BESIDE_OPERANDS + number, shape, operand(number)) })
            return rank["start_" .. call](rank, { sendbuf = "in+" .. 4 * MIDDLE, recvbuf = "out+" .. 4 * MIDDLE,
              count = COUNT, datatype = "d", op = op, root = given.root, comm = "MPI_COMM_WORLD" })
          end)
          for number = 0, 3 do
            local what = string.format("%s at rank %d, an operation that %s", call, number,
              commute and "commutes" or "need not commute")
            local wanted = result(number) or {}
            t:equal("IMPI-228", what, found(world[number], "out", shape, #wanted), layout(number, shape, wanted))
            t:equal("IMPI-228", what .. ": its operand", world[number]:load("in", "int", ROOM),
              layout(BESIDE_OPERANDS + number, shape, operand(number)))
          end
          world:free("in", "out")
        end
      end
    end,
  }
end

case {
  id = "reduce-of-very-many-elements",
  title = "All of very many elements are combined, to the last one",
  purpose = "4,096, 4,097, 16,385 and 65,537 ints of each process, which are alike in all octets: so are the sums. MPI_Reduce to the first and the last rank, MPI_Allreduce and MPI_Scan.",
  requirements = { "IMPI-228" }, deadline = 60,
  run = function(t)
    local world = t:two_clients("IMPI-228")
    for _, count in ipairs { 4096, 4097, 16385, 65537 } do
      world:carries(4 * count)
      for call, given in each { { "MPI_Reduce", { 0 } }, { "MPI_Reduce", { 3 } }, { "MPI_Allreduce", {} },
          { "MPI_Scan", {} } } do
        world:each(function(rank, number)
          rank:octets("in", 4 * count, "byte/" .. number + 1)
          rank:octets("out", 4 * count, "byte/0")
          return rank["start_" .. call](rank, { sendbuf = "in", recvbuf = "out", count = count, datatype = "MPI_INT",
            op = "MPI_SUM", root = given[1], comm = "MPI_COMM_WORLD" })
        end)
        for number = 0, 3 do
          if given[1] == nil or given[1] == number then
            local sum = call == "MPI_Scan" and (number + 1) * (number + 2) // 2 or 10
            t:octets("IMPI-228", string.format("%s of %d elements at rank %d", call, count, number), world[number],
              "out", "byte/" .. sum, 0, 4 * count)
          end
        end
        world:free("in", "out")
      end
    end
  end,
}
