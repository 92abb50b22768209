-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What the predefined operations come to, type by type (chapters 4.16 to 4.18 and 4.21): by calls of MPI alone, in a
-- job of two clients that are both the system under test. And operations on nothing, which are operations all the same.

defaults { role = "client", suite = "collective", chapter = "4.16" }

-- Types of which MPI-1.1 (4.9.2) does not say that they can be reduced, or not that C has them: a system may refuse
-- them, everywhere.
local UNLISTED = { MPI_CHAR = true, MPI_UNSIGNED_CHAR = true, MPI_COMPLEX = true, MPI_DOUBLE_COMPLEX = true,
  MPI_2REAL = true, MPI_2DOUBLE_PRECISION = true, MPI_LONG_LONG_INT = true,
  MPI_UNSIGNED_LONG_LONG = true }

-- Whether the calls, one in each process, have been refused where they may be; else they must have done well.
local function refused(world, datatype, pending)
  local count = 0
  for number = 0, world.size - 1 do
    local result = pending[number]:finish()
    if UNLISTED[datatype] and result.rc ~= "MPI_SUCCESS" then
      count = count + 1
    else
      world:must_succeed(result)
    end
  end
  return count == world.size
end

-- Whether the header has the type, and with as many octets as its values are.
local function has(world, datatype, kind, each)
  local facts = world[0]:call("describe", {})
  if ("," .. tostring(facts.lacks) .. ","):find("," .. datatype .. ",", 1, true) then return false end
  return not each or world[0]:MPI_Type_size { datatype = datatype }.size == each * facts[kind].octets
end

-- MPI_Allreduce of one row: { operation, datatype, C type, operands of ranks 0 to 3, result }. `each` values are an
-- element, one if it is left out. What the C type cannot hold is not judged.
local function judge(t, world, row)
  local op, datatype, kind, operands, whole = table.unpack(row, 1, 5)
  local count, room, pending, before, held = #whole, 16 * #whole, {}, {}, true
  for number = 0, world.size - 1 do
    local rank = world[number]
    rank:store("in", kind, room, operands[number + 1])
    rank:octets("out", room, "byte/0")
    before[number] = rank:load("in", kind, count)
    held = held and (not row.exact or before[number] == table.concat(operands[number + 1], ","))
  end
  if not held then return world:free("in", "out") end
  for number = 0, world.size - 1 do
    pending[number] = world[number]:start_MPI_Allreduce { sendbuf = "in", recvbuf = "out",
      count = count // (row.each or 1), datatype = datatype, op = op, comm = "MPI_COMM_WORLD" }
  end
  local none = refused(world, datatype, pending)
  for number = 0, none and -1 or world.size - 1 do
    t:equal(world.req, string.format("%s of %s at rank %d", op, datatype, number),
      world[number]:load("out", kind, count), table.concat(whole, ","))
    t:equal(world.req, string.format("the operand of rank %d behind %s of %s", number, op, datatype),
      world[number]:load("in", kind, count), before[number])
  end
  world:free("in", "out")
end

-- Largest and smallest values: the highest bit is a sign, or it is none.
local EXTREMES = {
  { "MPI_MAX", "MPI_UNSIGNED", "unsigned-int", { { 1, 2 }, { 4294967295, 1 }, { 2147483648, 7 }, { 0, 0 } },
    { 4294967295, 7 } },
  { "MPI_MIN", "MPI_UNSIGNED", "unsigned-int", { { 4294967295, 9 }, { 3, 8 }, { 2147483648, 7 }, { 2147483647, 6 } },
    { 3, 6 } },
  { "MPI_MAX", "MPI_UNSIGNED_SHORT", "unsigned-short", { { 1, 2 }, { 65535, 1 }, { 32768, 7 }, { 0, 0 } },
    { 65535, 7 } },
  { "MPI_MIN", "MPI_UNSIGNED_CHAR", "unsigned-char", { { 255, 9 }, { 3, 8 }, { 128, 7 }, { 127, 6 } }, { 3, 6 } },
  { "MPI_MAX", "MPI_UNSIGNED_CHAR", "unsigned-char", { { 1, 2 }, { 255, 1 }, { 128, 7 }, { 0, 0 } }, { 255, 7 } },
  { "MPI_MAX", "MPI_UNSIGNED_LONG", "unsigned-long", { { 1, 2 }, { 4294967295, 1 }, { 2147483648, 7 }, { 0, 0 } },
    { 4294967295, 7 } },
  { "MPI_MAX", "MPI_SHORT", "short", { { -1, -5 }, { -32768, -7 }, { 32767, -6 }, { 0, -8 } }, { 32767, -5 } },
  { "MPI_MIN", "MPI_SHORT", "short", { { -1, 5 }, { -32768, 7 }, { 32767, 6 }, { 0, 8 } }, { -32768, 5 } },
  { "MPI_MIN", "MPI_LONG", "long", { { -1, 5 }, { -2147483648, 7 }, { 2147483647, 6 }, { 0, 8 } }, { -2147483648, 5 } },
  { "MPI_MAX", "MPI_FLOAT", "float", { { -1.5, -0.5 }, { -2.5, -0.75 }, { -8.5, -1.5 }, { -1.25, -2.5 } },
    { -1.25, -0.5 } },
  { "MPI_MIN", "MPI_DOUBLE", "double", { { 1.5, -0.5 }, { 2.5, -0.75 }, { 8.5, -1.5 }, { 1.25, -2.5 } },
    { 1.25, -2.5 } },
}

-- Every operation of every type for which MPI-1.1 has it. The operands are small enough for all, and different enough
-- for no operation to come to what another does.
local WHOLE = { { "MPI_INT", "int" }, { "MPI_LONG", "long" }, { "MPI_SHORT", "short" },
  { "MPI_UNSIGNED_SHORT", "unsigned-short" }, { "MPI_UNSIGNED", "unsigned-int" },
  { "MPI_UNSIGNED_LONG", "unsigned-long" } }
local FRACTIONS = { { "MPI_FLOAT", "float" }, { "MPI_DOUBLE", "double" }, { "MPI_LONG_DOUBLE", "long-double" } }
local OCTETS = { { "MPI_BYTE", "unsigned-char" } }
local SMALL = { { 3, 1, 5, 2 }, { 2, 1, 1, 4 }, { 1, 7, 2, 1 }, { 3, 1, 9, 6 } }
local COME_TO = { { "MPI_MAX", { 3, 7, 9, 6 } }, { "MPI_MIN", { 1, 1, 1, 1 } }, { "MPI_SUM", { 9, 10, 17, 13 } },
  { "MPI_PROD", { 18, 7, 90, 48 } } }
local PATTERNS = { { 0x73, 0x0f, 0x3c, 1 }, { 0x71, 0x35, 0x3c, 1 }, { 0x72, 0x0f, 0x3c, 1 }, { 0x7f, 0x55, 0x40, 1 } }
local BITS_COME_TO = { { "MPI_BAND", { 0x70, 0x05, 0, 1 } }, { "MPI_BOR", { 0x7f, 0x7f, 0x7c, 1 } },
  { "MPI_BXOR", { 0x0f, 0x60, 0x7c, 0 } } }

-- Adds a row for each of these types and operations.
local function add_rows(rows, types, operands, results)
  for datatype, kind in each(types) do
    for op, whole in each(results) do rows[#rows + 1] = { op, datatype, kind, operands, whole } end
  end
end

local EACH = {}
add_rows(EACH, WHOLE, SMALL, COME_TO)
add_rows(EACH, FRACTIONS, SMALL, COME_TO)
add_rows(EACH, WHOLE, PATTERNS, BITS_COME_TO)
add_rows(EACH, OCTETS, PATTERNS, BITS_COME_TO)

-- Anything but 0 is true; what is true is compared as 1.
local LOGICAL = {
  { "MPI_LAND", "MPI_INT", "int", { { 2, 4, 0, -1 }, { 5, 3, 0, 8 }, { 1, 0, 0, 16 }, { 8, 1, 0, 256 } },
    { 1, 0, 0, 1 } },
  { "MPI_LOR", "MPI_INT", "int", { { 0, 0, -1, 2 }, { 0, 256, 1, 2 }, { 0, 0, 0, 2 }, { 0, 0, 1, 2 } },
    { 0, 1, 1, 1 } },
  { "MPI_LXOR", "MPI_INT", "int", { { 2, 4, 0, 7 }, { 5, 3, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 0, 0 } }, { 0, 1, 0, 1 } },
}

add_rows(LOGICAL, WHOLE, { { 2, 0, 0, 4 }, { 1, 0, 3, 2 }, { 4, 0, 1, 9 }, { 8, 0, 0, 0 } },
  { { "MPI_LAND", { 1, 0, 0, 0 } }, { "MPI_LOR", { 1, 0, 1, 1 } }, { "MPI_LXOR", { 0, 0, 0, 1 } } })

-- Numbers that are not 0, though some or most of their octets are.
local LOGICAL_OF_OCTETS = {
  { "MPI_LOR", "MPI_INT", "int", { { 256, 0, 0, -2147483648 }, { 0, 65536, 0, 0 }, { 0, 0, 0, 0 }, { 0, 0, 0, 0 } },
    { 1, 1, 0, 1 } },
  { "MPI_LAND", "MPI_INT", "int", { { 256, 1, 1, -2147483648 }, { 512, 65536, 0, 1 }, { 1, 256, 1, 256 },
    { 16777216, 1, 1, 65536 } }, { 1, 1, 0, 1 } },
  { "MPI_LXOR", "MPI_INT", "int", { { 256, 1, 256, 0 }, { 0, 65536, 65536, 0 }, { 0, 0, 1, 0 }, { 0, 0, 0, 0 } },
    { 1, 0, 1, 0 } },
}

-- Bits of all octets.
local BITS = {
  { "MPI_BAND", "MPI_INT", "int", { { -1, 0x7f00ff01 }, { 0x7fffffff, -2 }, { -16, 0x7000ff00 }, { -1, -1 } },
    { 0x7ffffff0, 0x7000ff00 } },
  { "MPI_BOR", "MPI_UNSIGNED", "unsigned-int", { { 1, 0 }, { 0x80000000, 2 }, { 0x00ff0000, 0 }, { 1, 0 } },
    { 0x80ff0001, 2 } },
  { "MPI_BXOR", "MPI_SHORT", "short", { { 0x0f0f, 1 }, { 0x00ff, 1 }, { 0x7000, 1 }, { 0, 1 } }, { 0x7ff0, 0 } },
  { "MPI_BOR", "MPI_BYTE", "unsigned-char", { { 1, 128 }, { 2, 0 }, { 4, 0 }, { 8, 1 } }, { 15, 129 } },
}

-- Numbers that need all digits of their type: a narrower one on the way would lose some.
local EXACT = {}
for datatype, kind, large in each { { "MPI_FLOAT", "float", 1 << 23 }, { "MPI_DOUBLE", "double", 1 << 52 },
    { "MPI_LONG_DOUBLE", "long-double", 1 << 60 }, { "MPI_INT", "int", (1 << 30) + 1 },
    { "MPI_UNSIGNED", "unsigned-int", (1 << 31) + 1 } } do
  for op, operands, whole in each {
    { "MPI_SUM", { { large, 2 }, { 1, 1 }, { 1, large }, { 1, 0 } }, { large + 3, large + 3 } },
    { "MPI_MAX", { { large + 1, 7 }, { large, 1 }, { large + 3, large + 1 }, { large + 2, large } },
      { large + 3, large + 1 } },
    { "MPI_MIN", { { large + 3, large + 2 }, { large + 1, large + 2 }, { large + 2, large + 3 },
      { large + 3, large + 4 } }, { large + 1, large + 2 } } } do
    EXACT[#EXACT + 1] = { op, datatype, kind, operands, whole, exact = true }
  end
end
-- Three factors make seven binary digits more.
for datatype, kind, factor in each { { "MPI_FLOAT", "float", (1 << 16) + 1 },
    { "MPI_DOUBLE", "double", (1 << 45) + 1 }, { "MPI_LONG_DOUBLE", "long-double", (1 << 55) + 1 },
    { "MPI_INT", "int", (1 << 24) + 1 }, { "MPI_UNSIGNED", "unsigned-int", (1 << 25) + 1 } } do
  EXACT[#EXACT + 1] = { "MPI_PROD", datatype, kind, { { factor, 3 }, { 3, 5 }, { 5, 1 }, { 7, factor } },
    { 105 * factor, 15 * factor }, exact = true }
end

-- Whole numbers that 32 bits do not hold, in their upper and in their lower half.
local LONG = {}
for datatype, kind in each { { "MPI_LONG_LONG_INT", "long-long" },
    { "MPI_UNSIGNED_LONG_LONG", "unsigned-long-long" } } do
  local high, mid = 1 << 40, 1 << 32
  for op, operands, whole in each {
    { "MPI_SUM", { { high, 1 }, { high, mid }, { 5, mid }, { mid, high } },
      { 2 * high + mid + 5, high + 2 * mid + 1 } },
    { "MPI_PROD", { { mid, 3 }, { 3, high + 1 }, { 5, 2 }, { 1, 1 } }, { 15 * mid, 6 * high + 6 } },
    { "MPI_MAX", { { high, 1 }, { mid + 1, mid }, { high + 1, 7 }, { 9, mid - 1 } }, { high + 1, mid } },
    { "MPI_MIN", { { high, mid }, { mid + 9, high }, { high + 1, mid + 1 }, { mid + 3, high + 5 } }, { mid + 3, mid } },
    { "MPI_BXOR", { { high | 1, mid }, { high, mid }, { mid, mid }, { 1, 8 } }, { mid, mid | 8 } } } do
    LONG[#LONG + 1] = { op, datatype, kind, operands, whole }
  end
end

-- Two complex numbers in each process, of which no part is zero by chance.
local COMPLEX = {}
for datatype, kind in each { { "MPI_COMPLEX", "float" }, { "MPI_DOUBLE_COMPLEX", "double" } } do
  local operands = { { 1, 2, 3, -1 }, { 2, -1, 0, 1 }, { 1, 1, 2, 0 }, { 0, 3, 1, -2 } }
  local sum, product = { 0, 0, 0, 0 }, { 1, 0, 1, 0 }
  for _, one in ipairs(operands) do
    for i = 1, 4 do sum[i] = sum[i] + one[i] end
    for i = 1, 3, 2 do
      local real, imaginary = product[i], product[i + 1]
      product[i] = real * one[i] - imaginary * one[i + 1]
      product[i + 1] = real * one[i + 1] + imaginary * one[i]
    end
  end
  COMPLEX[#COMPLEX + 1] = { "MPI_SUM", datatype, kind, operands, sum, each = 2 }
  COMPLEX[#COMPLEX + 1] = { "MPI_PROD", datatype, kind, operands, product, each = 2 }
end

for _, part in ipairs { { "extremes", "The largest and the smallest value are told by the type", EXTREMES },
    { "bits", "Operations on bits reach all octets of an element", BITS },
    { "of-all-types", "Each operation comes to its result for each type that has it", EACH },
    { "exact", "No digit of a result is lost that its type has", EXACT },
    { "long-long", "Numbers of 64 bits are combined in all of them", LONG },
    { "complex", "Complex numbers are added and multiplied as such", COMPLEX, { "fortran-types" } } } do
  case {
    id = "reduce-results-" .. part[1],
    title = part[2],
    purpose = "MPI_Allreduce of four processes of two clients, by several operations and types.",
    requirements = { "IMPI-228" }, ranks = 4, features = part[4],
    run = function(t)
      local world, judged = t:two_clients("IMPI-228"), 0
      for _, row in ipairs(part[3]) do
        if has(world, row[2], row[3], row.each) then
          judge(t, world, row)
          judged = judged + 1
        end
      end
      t:skip_if(judged == 0, "the system under test has none of these types")
    end,
  }
end

for suffix, rows in each { { "", LOGICAL }, { "-of-single-octets", LOGICAL_OF_OCTETS } } do
  case {
    id = "reduce-results-logical" .. suffix,
    title = "Every number but 0 is true for the logical operations" .. suffix:gsub("-", " "),
    purpose = "MPI_LAND, MPI_LOR and MPI_LXOR of numbers that have no bit in common. What is not 0 in the result is true.",
    requirements = { "IMPI-228" }, ranks = 4,
    run = function(t)
      local world = t:two_clients("IMPI-228")
      for _, row in ipairs(rows) do
        local op, datatype, kind, operands, whole = table.unpack(row, 1, 5)
        world:each(function(rank, number)
          rank:store("in", kind, 64, operands[number + 1])
          rank:octets("out", 64, "byte/0")
          return rank:start_MPI_Allreduce { sendbuf = "in", recvbuf = "out", count = 4, datatype = datatype, op = op,
            comm = "MPI_COMM_WORLD" }
        end)
        for number = 0, world.size - 1 do
          local got = world[number]:load("out", kind, 4):gsub("%-?%d+", function(text)
            return text == "0" and "0" or "1"
          end)
          t:equal("IMPI-228", string.format("what of %s is true at rank %d", op, number), got, table.concat(whole, ","))
        end
        world:free("in", "out")
      end
    end,
  }
end

-- { operation, pairs {value, index} of ranks 0 to 3, the result }
local PLACES = {
  { "MPI_MAXLOC", { { 7, 3 }, { 9, 12 }, { 9, 5 }, { -9, 1 } }, { 9, 5 } },
  { "MPI_MAXLOC", { { 9, 5 }, { 9, 12 }, { 7, 3 }, { 9, 70000 } }, { 9, 5 } },
  { "MPI_MAXLOC", { { -7, 70003 }, { -9, 2 }, { -8, 1 }, { -7, 70002 } }, { -7, 70002 } },
  { "MPI_MINLOC", { { 7, 3 }, { -9, 12 }, { -9, 5 }, { 9, 1 } }, { -9, 5 } },
  { "MPI_MINLOC", { { -9, 5 }, { -9, 12 }, { 7, 3 }, { -9, 70000 } }, { -9, 5 } },
  { "MPI_MINLOC", { { 7, 70003 }, { 9, 2 }, { 8, 1 }, { 7, 70002 } }, { 7, 70002 } },
  { "MPI_MAXLOC", { { 9, 4 }, { 9, -2 }, { 9, -1 }, { 3, -70000 } }, { 9, -2 } },
  { "MPI_MINLOC", { { 5, -1 }, { 5, 0 }, { 7, -9 }, { 5, -2147483648 } }, { 5, -2147483648 } },
}

-- { pair type, C type of its value, behind which its index stands, aligned; C type of the index if it is no int }
for _, row in ipairs { { "MPI_2INT", "int" }, { "MPI_FLOAT_INT", "float" }, { "MPI_DOUBLE_INT", "double" },
    { "MPI_LONG_INT", "long" }, { "MPI_SHORT_INT", "short" }, { "MPI_LONG_DOUBLE_INT", "long-double" },
    { "MPI_2REAL", "float", "float" }, { "MPI_2DOUBLE_PRECISION", "double", "double" } } do
  local datatype, kind, index_kind = row[1], row[2], row[3] or "int"
  -- All digits of an index come back.
  local function within(number) return index_kind == "float" and math.max(number, -(1 << 23)) or number end
  case {
    id = "reduce-results-places-of-" .. datatype:sub(5):lower():gsub("_", "-"),
    title = "Of equal values the lowest index is the place: " .. datatype,
    purpose = "MPI_MAXLOC and MPI_MINLOC of pairs of which two or three have the value that is looked for.",
    requirements = { "IMPI-228" }, ranks = 4, features = row[3] and { "fortran-types" } or nil,
    run = function(t)
      local world = t:two_clients("IMPI-228")
      t:skip_if(row[3] and not has(world, datatype, kind, 2), "the system under test has no such type")
      local index, room = math.max(world[0]:call("describe", {})[kind].octets, 4), 48
      for i, place in ipairs(PLACES) do
        local op, operands, whole = place[1], place[2], place[3]
        local pending = {}
        for number = 0, world.size - 1 do
          local rank = world[number]
          rank:store("in", kind, room, { operands[number + 1][1] })
          rank:call("write-values", { name = "in", offset = index, type = index_kind,
            values = tostring(within(operands[number + 1][2])) })
          rank:octets("out", room, "byte/0")
          pending[number] = rank:start_MPI_Allreduce { sendbuf = "in", recvbuf = "out", count = 1,
            datatype = datatype, op = op, comm = "MPI_COMM_WORLD" }
        end
        t:skip_if(refused(world, datatype, pending), "the system under test does not reduce this type")
        for number = 0, world.size - 1 do
          local what = string.format("%s, row %d, at rank %d", op, i, number)
          t:equal("IMPI-228", what .. ": the value", tonumber(world[number]:load("out", kind, 1)), whole[1])
          t:equal("IMPI-228", what .. ": the place", tonumber(world[number]:call("read-values",
            { name = "out", offset = index, type = index_kind, count = 1 }).values), within(whole[2]))
        end
        world:free("in", "out")
      end
    end,
  }
end

case {
  id = "reduce-results-in-order",
  title = "An operation that does not commute combines the operands in the order of ranks",
  purpose = "MPI_Scan, MPI_Allreduce, and MPI_Reduce to each rank, by the composition of functions; two operands of each process.",
  requirements = { "IMPI-228" }, ranks = 4,
  run = function(t)
    local world = t:two_clients("IMPI-228")
    world:all("MPI_Op_create", { ["function"] = "affine", commute = false, op = "affine" })
    for _, call in ipairs { "Scan", "Allreduce", "Reduce 0", "Reduce 1", "Reduce 2", "Reduce 3" } do
      local verb, root = call:match("%a+"), tonumber(call:match("%d"))
      world:each(function(rank, number)
        local first, second = Operand.affine(number), Operand.affine(number + 10)
        rank:store("in", "int", 16, { first[1], first[2], second[1], second[2] })
        rank:octets("out", 16, "byte/0")
        return rank["start_MPI_" .. verb](rank, { sendbuf = "in", recvbuf = "out", count = 2, datatype = "MPI_2INT",
          op = "affine", root = root, comm = "MPI_COMM_WORLD" })
      end)
      for number = 0, world.size - 1 do
        local whole, second = {}, {}
        for rank = 0, verb == "Scan" and number or world.size - 1 do
          whole[rank + 1], second[rank + 1] = rank, rank + 10
        end
        if (root or number) == number then
          t:equal("IMPI-228", string.format("MPI_%s at rank %d", call, number), world[number]:load("out", "int", 4),
            Operand.text(Operand.chain(whole)) .. "," .. Operand.text(Operand.chain(second)))
        end
      end
      world:free("in", "out")
    end
  end,
}

---- of nothing --------------------------------------------------------------------------------------------------------

-- { name, call, requirement, chapter, tag, whether the operation does not commute }
for name, call, req, chapter, tag, ordered in each { { "reduce", "MPI_Reduce", "IMPI-225", "4.16", 190 },
    { "reduce-in-order", "MPI_Reduce", "IMPI-227", "4.16", 190, true },
    { "scan", "MPI_Scan", "IMPI-229", "4.18", 200 } } do
  local from = call == "MPI_Scan" and "before" or "other"

  case {
    id = "reduction-of-nothing-is-told-" .. name,
    title = call .. " of no elements still sends its message" .. (ordered and ", in order" or ""),
    purpose = "An empty message goes out, and behind it the three numbers of the next call.",
    requirements = { req }, chapter = chapter, incoming = call == "MPI_Scan",
    run = function(t)
      local place = call == "MPI_Scan" and 0 or 1
      local job = t:job_of_clients(place, 2)
      if ordered then job:op("op", "sum-int", false) end
      for _, values in ipairs { {}, Operand.digits(place) } do
        job:start_collective(call, { value = function() return values end, op = ordered and "op",
          root = call == "MPI_Reduce" and 0 or nil })
        local packets = job:receive_to_fence(1)
        if not t:expect_messages(req, "of " .. #values .. " elements", packets, { { place, 1 - place, values } }) then
          return
        end
        t:expect_tag_and_context(req, call, packets, tag, 1)
        t:collective_completes(req, call, job)
      end
    end,
  }

  case {
    id = "reduction-of-nothing-is-awaited-" .. name,
    title = call .. " of no elements takes the message of the " .. from .. " one all the same"
      .. (ordered and ", in order" or ""),
    purpose = "An empty message comes, and behind it the numbers of the next call, which are in its result.",
    requirements = { req }, chapter = chapter, incoming = call == "MPI_Reduce",
    run = function(t)
      local place = call == "MPI_Scan" and 1 or 0
      local job = t:job_of_clients(place, 2)
      if ordered then job:op("op", "sum-int", false) end
      job:send_operand(1 - place, place, {}, { tag = tag }):send_operand(1 - place, place, Operand.digits(1 - place),
        { tag = tag })
      for _, count in ipairs { 0, 3 } do
        local own = count > 0 and Operand.digits(place) or {}
        job:start_collective(call, { value = function() return own end, op = ordered and "op",
          root = call == "MPI_Reduce" and 0 or nil })
        local whole = count > 0 and Operand.sum { 0, 1 } or nil
        if not t:collective_completes(req, "of " .. count .. " elements", job, { [0] = whole }) then
          return
        end
      end
    end,
  }
end

---- one behind the other ----------------------------------------------------------------------------------------------

-- { clients, requirement, senders in the order in which they send, all that each of them brings }
for count, req, senders in each { { 3, "IMPI-225", { { 1, { 1 } }, { 2, { 2 } } } },
    { 3, "IMPI-225", { { 2, { 2 } }, { 1, { 1 } } } },
    { 6, "IMPI-226", { { 2, { 2, 3 } }, { 1, { 1 } }, { 4, { 4, 5 } } } },
    { 6, "IMPI-226", { { 4, { 4, 5 } }, { 2, { 2, 3 } }, { 1, { 1 } } } } } do
  case {
    id = string.format("reductions-of-%d-begun-by-%d", count, senders[1][1]),
    title = "Operands belong to the reduction for which they were sent, however fast their senders are",
    purpose = string.format("Rank 0 of %d masters is under test. Master %d has sent its part of two reductions before "
      .. "any other has sent anything.", count, senders[1][1]),
    requirements = { req }, incoming = true,
    run = function(t)
      local job, whole = t:job_of_clients(0, count), { Operand.digits(0), Operand.digits(0) }
      local function part(turn, worlds)
        local values = Operand.sum(worlds)
        for i = 1, 3 do
          values[i] = turn * values[i]
          whole[turn][i] = whole[turn][i] + values[i]
        end
        return values
      end
      job:start_collective("MPI_Reduce", { value = Operand.digits, root = 0 })
      for i, sender in ipairs(senders) do
        for turn = 1, 2 do job:send_operand(sender[1], 0, part(turn, sender[2])) end
        if i < #senders then
          t:expect_messages(req, "messages of the root", job:receive_to_fence(0), {})
        end
      end
      for turn = 1, 2 do
        if turn == 2 then
          job:start_collective("MPI_Reduce", { value = Operand.digits, root = 0 })
        end
        if not t:collective_completes(req, "reduction " .. turn, job, { [0] = whole[turn] }) then
          return
        end
      end
    end,
  }
end

case {
  id = "reduce-of-many-elements",
  title = "All of many elements are combined, with those of all ranks",
  purpose = "257 and 1,000 ints of each process, by MPI_Reduce to the first and the last rank, MPI_Allreduce and MPI_Scan.",
  requirements = { "IMPI-228" }, ranks = 4,
  run = function(t)
    local world = t:two_clients("IMPI-228")
    for _, count in ipairs { 257, 1000 } do
      local function multiples(factor)
        local all = {}
        for i = 1, count do all[i] = factor * i end
        return table.concat(all, ",")
      end
      for call, given in each { { "MPI_Reduce", { 0 } }, { "MPI_Reduce", { 3 } }, { "MPI_Allreduce", {} },
          { "MPI_Scan", {} } } do
        world:each(function(rank, number)
          for _, name in ipairs { "in", "out" } do rank:octets(name, 4 * count, "byte/0") end
          rank:call("write-values", { name = "in", offset = 0, type = "int", values = multiples(1 << 4 * number) })
          return rank["start_" .. call](rank, { sendbuf = "in", recvbuf = "out", count = count, datatype = "MPI_INT",
            op = "MPI_SUM", root = given[1], comm = "MPI_COMM_WORLD" })
        end)
        for number = 0, 3 do
          if given[1] == nil or given[1] == number then
            local factor = call == "MPI_Scan" and ({ 0x1, 0x11, 0x111, 0x1111 })[number + 1] or 0x1111
            t:equal("IMPI-228", string.format("%s of %d elements at rank %d", call, count, number),
              world[number]:load("out", "int", count), multiples(factor))
          end
        end
        world:free("in", "out")
      end
    end
  end,
}
