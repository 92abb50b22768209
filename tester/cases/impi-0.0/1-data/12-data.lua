-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- User data on their way: external32, element by element (chapter 1.2.2). Octets are written here by hand.

defaults { role = "client", suite = "packets", chapter = "1.2.2" }

-- What one datatype looks like: name, its C type, values, their octets on the way.
local INTEGERS = {
  { "MPI_CHAR", "signed-char", "1,127", "01 7f" },
  { "MPI_UNSIGNED_CHAR", "unsigned-char", "0,255", "00 ff" },
  { "MPI_SHORT", "short", "258,-2,-32768,32767", "01 02 ff fe 80 00 7f ff" },
  { "MPI_UNSIGNED_SHORT", "unsigned-short", "258,65535,32768", "01 02 ff ff 80 00" },
  { "MPI_INT", "int", "16909060,-2,-2147483648,2147483647", "01 02 03 04 ff ff ff fe 80 00 00 00 7f ff ff ff" },
  { "MPI_UNSIGNED", "unsigned-int", "16909060,4294967295,2147483648", "01 02 03 04 ff ff ff ff 80 00 00 00" },
  { "MPI_LONG", "long", "16909060,-2,-2147483648,2147483647", "01 02 03 04 ff ff ff fe 80 00 00 00 7f ff ff ff" },
  { "MPI_UNSIGNED_LONG", "unsigned-long", "16909060,4294967295", "01 02 03 04 ff ff ff ff" },
}

local FLOATS = {
  { "MPI_FLOAT", "float", "1.5,-0,-0.25,inf,-inf", "3f c0 00 00 80 00 00 00 be 80 00 00 7f 80 00 00 ff 80 00 00" },
  { "MPI_FLOAT", "float", "0x1p-149,-0x1p-126,0x1.fffffep+127", "00 00 00 01 80 80 00 00 7f 7f ff ff" },
  { "MPI_DOUBLE", "double", "1.5,-0,-0.25,inf", "3f f8 00 00 00 00 00 00 80 00 00 00 00 00 00 00"
    .. "bf d0 00 00 00 00 00 00 7f f0 00 00 00 00 00 00" },
  { "MPI_DOUBLE", "double", "-inf,0x1p-1074,-0x1p-1022,0x1.fffffffffffffp+1023", "ff f0 00 00 00 00 00 00"
    .. "00 00 00 00 00 00 00 01 80 10 00 00 00 00 00 00 7f ef ff ff ff ff ff ff" },
  { "MPI_LONG_DOUBLE", "long-double", "1.5,-2,-0,inf", "3f ff 80 00 00 00 00 00 00 00 00 00 00 00 00 00"
    .. "c0 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 80 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
    .. "7f ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00" },
}

local function count_of(list)
  return select(2, list:gsub(",", ",")) + 1
end

-- Sends the row's values; judges how many octets each takes, and which.
local function leaves(t, req, rank, own, other, channel, row)
  local name, ctype, list, octets = row[1], row[2], row[3], Values.octets(row[4])
  local count = count_of(list)
  local buf = rank:new_region(16 * count)
  rank:call("write-values", { name = buf, offset = 0, type = ctype, values = list })
  t:rc(req, rank:MPI_Isend { buf = buf, count = count, datatype = name, dest = other.rank, tag = 1,
    request = "q" .. buf }, "MPI_SUCCESS")
  local packet = t:packet(req, channel, "DATA", { src = own, tag = 1 })
  t:equal("IMPI-004", "octets of " .. count .. " " .. name, packet.msglen, #octets)
  t:equal(req, "octets of " .. name .. " " .. list, packet.data, octets)
end

-- The same the other way; judges the values that are received: those that the process has for the list itself.
local function arrives(t, req, rank, own, other, row)
  local name, ctype, list, octets = row[1], row[2], row[3], Values.octets(row[4])
  local count = count_of(list)
  local buf, native = rank:new_region(16 * count), rank:new_region(16 * count)
  rank:call("write-values", { name = native, offset = 0, type = ctype, values = list })
  other:send_packet(own, { type = "DATA", tag = 2, data = octets })
  t:rc(req, rank:MPI_Recv { buf = buf, count = count, datatype = name, source = other.rank, tag = 2, status = "s" },
    "MPI_SUCCESS")
  t:equal("IMPI-004", "MPI_Get_elements", t:mpi(rank:MPI_Get_elements { status = "s", datatype = name }).count, count)
  local got = rank:call("read-values", { name = buf, offset = 0, type = ctype, count = count }).values
  t:equal(req, "values of " .. name .. " " .. list, tostring(got),
    tostring(rank:call("read-values", { name = native, offset = 0, type = ctype, count = count }).values))
  t:equal(req, "MPI_Get_count", t:mpi(rank:MPI_Get_count { status = "s", datatype = name }).count, count)
end

for _, part in ipairs { { "integers", INTEGERS }, { "floats", FLOATS } } do
  case {
    id = "data-" .. part[1] .. "-leave",
    title = "Values are sent in external32: " .. part[1],
    purpose = "Big-endian, two's complement and IEEE floating point, each element as long as external32 makes it; an MPI_LONG has 4 octets.",
    requirements = { "IMPI-002", "IMPI-004" },
    run = function(t)
      local _, rank, own, other, channel = t:pair()
      for _, row in ipairs(part[2]) do leaves(t, "IMPI-002", rank, own, other, channel, row) end
    end,
  }
  case {
    id = "data-" .. part[1] .. "-arrive",
    title = "Values in external32 are received: " .. part[1],
    purpose = "Extreme values among them. A negative MPI_LONG of 4 octets is received as a negative long; MPI_Get_count and MPI_Get_elements count what came.",
    requirements = { "IMPI-003", "IMPI-004" },
    run = function(t)
      local _, rank, own, other = t:pair()
      for _, row in ipairs(part[2]) do
        if row[1]:find("LONG$") then arrives(t, "IMPI-004", rank, own, other, row) end
        arrives(t, "IMPI-003", rank, own, other, row)
      end
    end,
  }
end

case {
  id = "data-long-long",
  title = "An integer of a datatype for long long has eight octets on its way",
  purpose = "MPI_LONG_LONG_INT, MPI_LONG_LONG and MPI_UNSIGNED_LONG_LONG, as far as the system has them, in both directions: small numbers, and some that 32 bits do not hold.",
  requirements = { "IMPI-002", "IMPI-003", "IMPI-004" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local lacks, judged = tostring(rank:call("describe", {}).lacks), 0
    local signed = { "1,-2,1311768467463790320", "00 00 00 00 00 00 00 01 ff ff ff ff ff ff ff fe"
      .. "12 34 56 78 9a bc de f0" }
    local unsigned = { "1,18446744073709551615", "00 00 00 00 00 00 00 01 ff ff ff ff ff ff ff ff" }
    for name, row in each { { "MPI_LONG_LONG_INT", { "long-long", signed } },
        { "MPI_LONG_LONG", { "long-long", signed } },
        { "MPI_UNSIGNED_LONG_LONG", { "unsigned-long-long", unsigned } } } do
      if not ("," .. lacks .. ","):find("," .. name .. ",", 1, true) then
        leaves(t, "IMPI-004", rank, own, other, channel, { name, row[1], "1", "00 00 00 00 00 00 00 01" })
        leaves(t, "IMPI-002", rank, own, other, channel, { name, row[1], row[2][1], row[2][2] })
        arrives(t, "IMPI-003", rank, own, other, { name, row[1], row[2][1], row[2][2] })
        judged = judged + 1
      end
    end
    t:skip_if(judged == 0, "the header of the system under test has no datatype for long long")
  end,
}

-- Pairs of a value and an index: name, C type of the value, its value, their octets on the way. In memory there may be
-- a gap between both.
local PAIRS = {
  { "MPI_FLOAT_INT", "float", "1.5", "3f c0 00 00 00 00 01 02" },
  { "MPI_DOUBLE_INT", "double", "-0.25", "bf d0 00 00 00 00 00 00 00 00 01 02" },
  { "MPI_SHORT_INT", "short", "-2", "ff fe 00 00 01 02" },
  { "MPI_2INT", "int", "16909060", "01 02 03 04 00 00 01 02" },
  { "MPI_LONG_INT", "long", "-559038737", "de ad be ef 00 00 01 02" },
  { "MPI_LONG_DOUBLE_INT", "long-double", "1.5", "3f ff 80 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 02" },
}

case {
  id = "data-pairs",
  title = "Pairs of a value and an index travel without the padding between them",
  purpose = "MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_SHORT_INT, MPI_2INT, MPI_LONG_INT and MPI_LONG_DOUBLE_INT, in both directions.",
  requirements = { "IMPI-002", "IMPI-003", "IMPI-004" },
  run = function(t)
    local job, rank, own, other, channel = t:pair()
    job:needs("datalen", 20)
    for i, row in ipairs(PAIRS) do
      local name, ctype, value, octets = row[1], row[2], row[3], Values.octets(row[4])
      local buf, room = rank:new_region(48), rank:new_region(48)
      local place = math.max(rank:call("describe", {})[ctype].octets, 4) -- an int stands at a multiple of its length
      rank:call("write-values", { name = buf, offset = 0, type = ctype, values = value })
      rank:call("write-values", { name = buf, offset = place, type = "int", values = "258" })
      t:mpi(rank:MPI_Isend { buf = buf, count = 1, datatype = name, dest = other.rank, tag = i, request = "q" .. i })
      local packet = t:packet("IMPI-002", channel, "DATA", { src = own, tag = i })
      t:equal("IMPI-004", "octets of a " .. name, packet.msglen, #octets)
      t:equal("IMPI-002", "octets of " .. name .. " (" .. value .. ", 258)", packet.data, octets)
      other:send_packet(own, { type = "DATA", tag = i, data = octets })
      t:rc("IMPI-003", rank:MPI_Recv { buf = room, count = 1, datatype = name, source = other.rank, tag = i },
        "MPI_SUCCESS")
      for at, of in pairs { [0] = { ctype, value }, [place] = { "int", "258" } } do
        t:equal("IMPI-003", "a member of " .. name, tostring(rank:call("read-values", { name = room, offset = at,
          type = of[1], count = 1 }).values), of[2])
      end
    end
  end,
}

case {
  id = "data-not-a-number",
  title = "NaN is sent and received as NaN",
  purpose = "All exponent bits are set and the fraction is not zero, in MPI_FLOAT and MPI_DOUBLE.",
  requirements = { "IMPI-002", "IMPI-003" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    for _, row in ipairs { { "MPI_FLOAT", "float", ">I4", 0x7f800000, "7f c0 00 01" },
        { "MPI_DOUBLE", "double", ">I8", 0x7ff0000000000000, "7f f8 00 00 00 00 00 01" } } do
      local buf = rank:new_region(8)
      rank:call("write-values", { name = buf, offset = 0, type = row[2], values = "nan" })
      t:mpi(rank:MPI_Isend { buf = buf, count = 1, datatype = row[1], dest = other.rank, tag = 1,
        request = "q" .. buf })
      local packet = t:packet("IMPI-002", channel, "DATA", { src = own, msglen = string.packsize(row[3]) })
      local bits = string.unpack(row[3], packet.data)
      t:check("IMPI-002", row[1], bits & row[4] == row[4] and bits & ~(row[4] | 1 << (8 * #packet.data - 1)) ~= 0,
        "a NaN of IEEE", Values.show(packet.data))
      other:send_packet(own, { type = "DATA", tag = 2, data = Values.octets(row[5]) })
      t:rc("IMPI-003", rank:MPI_Recv { buf = buf, count = 1, datatype = row[1], source = other.rank, tag = 2 },
        "MPI_SUCCESS")
      local got = rank:call("read-values", { name = buf, offset = 0, type = row[2], count = 1 }).values
      t:check("IMPI-003", row[1], tostring(got):find("nan"), "nan", got)
    end
  end,
}

case {
  id = "data-bytes-unchanged",
  title = "MPI_BYTE and MPI_CHAR travel unchanged",
  purpose = "All 256 octets, in both directions.",
  requirements = { "IMPI-002", "IMPI-003" },
  run = function(t)
    local job, rank, own, other, channel = t:pair()
    job:needs("datalen", 256)
    local all = {}
    for i = 0, 255 do all[i + 1] = string.char(i) end
    all = table.concat(all)
    local buf = rank:new_region(256)
    rank:call("write", { name = buf, offset = 0, hex = Values.digits(all) })
    for i, datatype in ipairs { "MPI_BYTE", "MPI_CHAR", "MPI_UNSIGNED_CHAR" } do
      t:mpi(rank:MPI_Isend { buf = buf, count = 256, datatype = datatype, dest = other.rank, tag = i,
        request = "q" .. i })
      local packet = t:packet("IMPI-002", channel, "DATA", { src = own, tag = i })
      t:check("IMPI-002", datatype, packet.data == all, "00 to ff", Values.show(packet.data))
      other:send_packet(own, { type = "DATA", tag = i, data = t.mix(i, 256) })
      local room = rank:new_region(256)
      t:rc("IMPI-003", rank:MPI_Recv { buf = room, count = 256, datatype = datatype, source = other.rank, tag = i },
        "MPI_SUCCESS")
      t:octets("IMPI-003", datatype, rank, room, "mix/" .. i, 0, 256)
    end
  end,
}

case {
  id = "data-long-double-to-its-last-bit",
  title = "A long double travels with all of its bits",
  purpose = "1 and the least that a significand of 64 bits has more than 1, both signs. Where a long double has fewer bits there is nothing to judge.",
  requirements = { "IMPI-002", "IMPI-003" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local buf = rank:new_region(32)
    local function held(values)
      rank:call("write-values", { name = buf, offset = 0, type = "long-double", values = values })
      return tostring(rank:call("read-values", { name = buf, offset = 0, type = "long-double", count = 2 }).values)
    end
    local ones, more = held("1,-1"), held("0x1.0000000000000002p+0,-0x1.0000000000000002p+0")
    t:skip_if(more == ones, "a long double of the system under test has a significand of less than 64 bits")
    local octets = Values.octets("3f ff 00 00 00 00 00 00 00 02 00 00 00 00 00 00"
      .. "bf ff 00 00 00 00 00 00 00 02 00 00 00 00 00 00")
    t:mpi(rank:MPI_Isend { buf = buf, count = 2, datatype = "MPI_LONG_DOUBLE", dest = other.rank, tag = 1,
      request = "q" })
    t:equal("IMPI-002", "octets that leave", t:packet("IMPI-002", channel, "DATA", { src = own, tag = 1 }).data, octets)
    t:completes("IMPI-002", "the send", { rank = rank, request = "q" })
    held("0,0")
    other:send_packet(own, { type = "DATA", tag = 2, data = octets })
    t:rc("IMPI-003", rank:MPI_Recv { buf = buf, count = 2, datatype = "MPI_LONG_DOUBLE", source = other.rank, tag = 2 },
      "MPI_SUCCESS")
    t:equal("IMPI-003", "values that arrive", tostring(rank:call("read-values", { name = buf, offset = 0,
      type = "long-double", count = 2 }).values), more)
  end,
}

case {
  id = "data-long-double-below-the-normal-ones",
  title = "Long doubles whose exponent is the least, and those next to them, travel as they are",
  purpose = "2^-16383, 2^-16400 and 2^-16445, which are below the normal ones where an exponent has 15 bits, and 2^-16382, which is not; the signs differ. Where a long double has no such numbers there is nothing to judge.",
  requirements = { "IMPI-002", "IMPI-003" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local buf = rank:new_region(64)
    local function held(values)
      rank:call("write-values", { name = buf, offset = 0, type = "long-double", values = values })
      return tostring(rank:call("read-values", { name = buf, offset = 0, type = "long-double", count = 4 }).values)
    end
    local zeros, small = held("0,-0,0,-0"), held("0x1p-16400,-0x1p-16383,0x1p-16382,-0x1p-16445")
    t:skip_if(small == zeros, "a long double of the system under test has an exponent of less than 15 bits")
    local octets = Values.octets("00 00 00 00 40 00 00 00 00 00 00 00 00 00 00 00"
      .. "80 00 80 00 00 00 00 00 00 00 00 00 00 00 00 00" .. "00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
      .. "80 00 00 00 00 00 00 00 00 02 00 00 00 00 00 00")
    t:mpi(rank:MPI_Isend { buf = buf, count = 4, datatype = "MPI_LONG_DOUBLE", dest = other.rank, tag = 1,
      request = "q" })
    t:equal("IMPI-002", "octets that leave", t:packet("IMPI-002", channel, "DATA", { src = own, tag = 1 }).data, octets)
    t:completes("IMPI-002", "the send", { rank = rank, request = "q" })
    held("1,1,1,1")
    other:send_packet(own, { type = "DATA", tag = 2, data = octets })
    t:rc("IMPI-003", rank:MPI_Recv { buf = buf, count = 4, datatype = "MPI_LONG_DOUBLE", source = other.rank, tag = 2 },
      "MPI_SUCCESS")
    t:equal("IMPI-003", "values that arrive", tostring(rank:call("read-values", { name = buf, offset = 0,
      type = "long-double", count = 4 }).values), small)
    -- Text may hide how a number is held; what leaves again does not.
    t:mpi(rank:MPI_Isend { buf = buf, count = 4, datatype = "MPI_LONG_DOUBLE", dest = other.rank, tag = 3,
      request = "r" })
    t:equal("IMPI-003", "octets of what has arrived, sent on", t:packet("IMPI-003", channel, "DATA", { src = own,
      tag = 3 }).data, octets)
  end,
}

case {
  id = "data-long-double-next-to-a-power-of-two",
  title = "A long double that is next to a power of two is received as that, or as the nearest one below",
  purpose = "The largest numbers of 113 bits below 1, below 4 and below 2^-16382, one of them negative, arrive and are sent on. What leaves is the power of two, to which they may have been rounded, or begins with as many ones as a double has; the last one may be 0 where an exponent has fewer than 15 bits.",
  requirements = { "IMPI-003" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local buf = rank:new_region(48)
    local ones = string.rep("\xff", 14)
    local function held(value)
      rank:call("write-values", { name = buf, offset = 0, type = "long-double", values = value })
      return tostring(rank:call("read-values", { name = buf, offset = 0, type = "long-double", count = 1 }).values)
    end
    local nothing_below = held("0x1p-16383") == held("0")
    other:send_packet(own, { type = "DATA", tag = 2, data = "\x3f\xfe" .. ones .. "\xc0\x00" .. ones .. "\0\0"
      .. ones })
    t:rc("IMPI-003", rank:MPI_Recv { buf = buf, count = 3, datatype = "MPI_LONG_DOUBLE", source = other.rank, tag = 2 },
      "MPI_SUCCESS")
    t:mpi(rank:MPI_Isend { buf = buf, count = 3, datatype = "MPI_LONG_DOUBLE", dest = other.rank, tag = 3,
      request = "r" })
    local sent = t:packet("IMPI-003", channel, "DATA", { src = own, tag = 3 }).data
    for place, head, above in each { { 0, "\x3f\xfe", "\x3f\xff" }, { 16, "\xc0\x00", "\xc0\x01" },
        { 32, "\0\0", "\0\1" } } do
      local found = sent:sub(place + 1, place + 16)
      local none = place == 32 and nothing_below and found == string.rep("\0", 16)
      t:check("IMPI-003", "octets of a number next to a power of two, sent on",
        found == above .. string.rep("\0", 14) or found:sub(1, 8) == head .. ones:sub(1, 6) or none,
        "the power of two, or ones", (found:gsub(".", function(c) return string.format("%02x", c:byte()) end)))
    end
  end,
}

-- What stands where nothing is received: four octets of it are this int.
local GAP, EMPTY = "byte/165", "-1515870811"

-- Derived datatypes over a region of int 1..12 (or of a structure): how each is made, and which octets leave.
local DERIVED = {
  { "contiguous", function(rank) return rank:MPI_Type_contiguous { count = 3, oldtype = "MPI_INT", newtype = "d" } end,
    "00000001 00000002 00000003" },
  { "vector", function(rank)
    return rank:MPI_Type_vector { count = 3, blocklength = 2, stride = 4, oldtype = "MPI_INT", newtype = "d" }
  end, "00000001 00000002 00000005 00000006 00000009 0000000a" },
  { "indexed", function(rank)
    return rank:MPI_Type_indexed { array_of_blocklengths = "1,2", array_of_displacements = "7,0", oldtype = "MPI_INT",
      newtype = "d" }
  end, "00000008 00000001 00000002" },
  { "hvector", function(rank)
    return rank:MPI_Type_hvector { count = 3, blocklength = 1, stride = 16, oldtype = "MPI_INT", newtype = "d" }
  end, "00000001 00000005 00000009" },
  { "hindexed", function(rank)
    return rank:MPI_Type_hindexed { array_of_blocklengths = "2,1", array_of_displacements = "20,4", oldtype = "MPI_INT",
      newtype = "d" }
  end, "00000006 00000007 00000002" },
  { "of-a-vector", function(rank)
    rank:MPI_Type_vector { count = 2, blocklength = 1, stride = 3, oldtype = "MPI_INT", newtype = "v" }
    return rank:MPI_Type_contiguous { count = 2, oldtype = "v", newtype = "d" }
  end, "00000001 00000004 00000005 00000008" },
  { "backwards", function(rank)
    rank:MPI_Type_vector { count = 3, blocklength = 1, stride = -4, oldtype = "MPI_INT", newtype = "v" }
    return rank:MPI_Type_hindexed { array_of_blocklengths = "1", array_of_displacements = "32", oldtype = "v",
      newtype = "d" }
  end, "00000009 00000005 00000001" },
  { "with-an-empty-block", function(rank)
    return rank:MPI_Type_indexed { array_of_blocklengths = "1,0,2", array_of_displacements = "7,3,0",
      oldtype = "MPI_INT", newtype = "d" }
  end, "00000008 00000001 00000002" },
  { "before-and-behind", function(rank)
    rank:MPI_Type_indexed { array_of_blocklengths = "1,1", array_of_displacements = "-2,1", oldtype = "MPI_INT",
      newtype = "v" }
    return rank:MPI_Type_hindexed { array_of_blocklengths = "1", array_of_displacements = "16", oldtype = "v",
      newtype = "d" }
  end, "00000003 00000006" },
  { "between-markers", function(rank)
    rank:MPI_Type_struct { array_of_blocklengths = "1,1,1", array_of_displacements = "-4,0,8",
      array_of_types = "MPI_LB,MPI_INT,MPI_UB", newtype = "v" }
    return rank:MPI_Type_contiguous { count = 3, oldtype = "v", newtype = "d" }
  end, "00000001 00000004 00000007" },
}

for _, row in ipairs(DERIVED) do
  local name, make, octets = row[1], row[2], Values.octets(row[3])
  case {
    id = "data-derived-" .. name,
    title = "A derived datatype travels element by element in the order of its type map: " .. name,
    purpose = "Its octets leave without gaps, and what comes is put where the type map says.",
    requirements = { "IMPI-005" },
    run = function(t)
      local _, rank, own, other, channel = t:pair()
      local buf, room = rank:new_region(48), rank:new_region(48)
      rank:call("write-values", { name = buf, offset = 0, type = "int", values = "1,2,3,4,5,6,7,8,9,10,11,12" })
      rank:call("fill", { name = room, offset = 0, octets = 48, pattern = GAP })
      t:rc("IMPI-005", make(rank), "MPI_SUCCESS")
      t:rc("IMPI-005", rank:MPI_Type_commit { datatype = "d" }, "MPI_SUCCESS")
      t:rc("IMPI-005", rank:MPI_Isend { buf = buf, count = 1, datatype = "d", dest = other.rank, tag = 1,
        request = "q" }, "MPI_SUCCESS")
      local packet = t:packet("IMPI-005", channel, "DATA", { src = own, tag = 1 })
      t:equal("IMPI-005", "octets that leave", packet.data, octets)
      other:send_packet(own, { type = "DATA", tag = 2, data = octets })
      t:rc("IMPI-005", rank:MPI_Recv { buf = room, count = 1, datatype = "d", source = other.rank, tag = 2 },
        "MPI_SUCCESS")
      local expected = {}
      for i = 1, 12 do expected[i] = EMPTY end
      for at = 1, #octets, 4 do
        local value = string.unpack(">I4", octets, at)
        expected[value] = tostring(value)
      end
      local got = rank:call("read-values", { name = room, offset = 0, type = "int", count = 12 }).values
      t:equal("IMPI-005", "values that are received", got, table.concat(expected, ","))
    end,
  }
end

for _, row in ipairs { { "short", 64 }, { "long", 5 } } do
  local name, limit = row[1], row[2]
  case {
    id = "data-derived-octets-" .. name,
    title = "A strided column of octets travels without the gaps: a " .. name .. " message",
    purpose = "Of 16 octets in four rows of four the first two of each row travel, in both directions; nothing else is touched.",
    requirements = { "IMPI-005" },
    run = function(t)
      local _, rank, own, other = t:pair { others = { { datalen = limit } } }
      local buf, room = rank:new_region(16), rank:new_region(16)
      rank:call("write", { name = buf, offset = 0, hex = "000102030405060708090a0b0c0d0e0f" })
      rank:call("fill", { name = room, offset = 0, octets = 16, pattern = GAP })
      t:mpi(rank:MPI_Type_vector { count = 4, blocklength = 2, stride = 4, oldtype = "MPI_BYTE", newtype = "d" })
      t:rc("IMPI-005", rank:MPI_Type_commit { datatype = "d" }, "MPI_SUCCESS")
      t:rc("IMPI-005", rank:MPI_Isend { buf = buf, count = 1, datatype = "d", dest = other.rank, tag = 1,
        request = "put" }, "MPI_SUCCESS")
      local message, reason = other:receive { src = own, tag = 1 }
      t:check("IMPI-005", "the message", message, "comes", reason)
      t:equal("IMPI-005", "octets that leave", message.data, Values.octets "00 01 04 05 08 09 0c 0d")
      t:completes("IMPI-005", "the send", { rank = rank, request = "put" })
      t:rc("IMPI-005", rank:MPI_Irecv { buf = room, count = 1, datatype = "d", source = other.rank, tag = 2,
        request = "get" }, "MPI_SUCCESS")
      local sent, why = other:send(own, { tag = 2, data = Values.octets "11 12 13 14 15 16 17 18" })
      t:check("IMPI-005", "the message to the rank", sent, "is taken", why)
      t:completes("IMPI-005", "the receive", { rank = rank, request = "get" })
      t:equal("IMPI-005", "octets in memory", rank:call("read", { name = room, offset = 0, octets = 16 }).hex,
        "1112a5a51314a5a51516a5a51718a5a5")
    end,
  }
end

case {
  id = "data-derived-of-octets",
  title = "A derived datatype of octets that does not begin at the buffer travels from where it begins",
  purpose = "100 MPI_BYTE behind 16 others, in one packet and in two, in both directions; what stands before and behind them is neither sent nor touched.",
  requirements = { "IMPI-005" },
  run = function(t)
    for _, limit in ipairs { 100, 64 } do
      local _, rank, own, other = t:pair { others = { { datalen = limit } } }
      local buf, room = rank:new_region(128), rank:new_region(128)
      rank:call("fill", { name = buf, offset = 16, octets = 100, pattern = "mix/4" })
      t:mpi(rank:MPI_Type_indexed { array_of_blocklengths = "100", array_of_displacements = "16", oldtype = "MPI_BYTE",
        newtype = "d" })
      t:rc("IMPI-005", rank:MPI_Type_commit { datatype = "d" }, "MPI_SUCCESS")
      t:rc("IMPI-005", rank:MPI_Isend { buf = buf, count = 1, datatype = "d", dest = other.rank, tag = 1,
        request = "put" }, "MPI_SUCCESS")
      local message, reason = other:receive { src = own, tag = 1 }
      t:check("IMPI-005", "the message", message, "comes", reason)
      t:same_octets("IMPI-005", "its octets", message.data, t.mix(4, 100))
      t:rc("IMPI-005", rank:MPI_Irecv { buf = room, count = 1, datatype = "d", source = other.rank, tag = 2,
        request = "get" }, "MPI_SUCCESS")
      other:send(own, { tag = 2, data = t.mix(5, 100) })
      t:completes("IMPI-005", "the receive", { rank = rank, request = "get" })
      t:octets("IMPI-005", "what is received", rank, room, "mix/5", 16, 100)
      t:octets("IMPI-005", "before it", rank, room, "byte/0", 0, 16)
      t:octets("IMPI-005", "behind it", rank, room, "byte/0", 116, 12)
    end
  end,
}

case {
  id = "data-derived-struct",
  title = "A structure of a char and a double travels as 9 octets",
  purpose = "Two of them: the char and the double of each in order, without the gap that memory has between.",
  requirements = { "IMPI-005", "IMPI-004" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local buf, room = rank:new_region(32), rank:new_region(32)
    rank:call("fill", { name = room, offset = 0, octets = 32, pattern = GAP })
    for i, row in ipairs { { "65", "1.5" }, { "66", "-2" } } do
      rank:call("write-values", { name = buf, offset = 16 * i - 16, type = "signed-char", values = row[1] })
      rank:call("write-values", { name = buf, offset = 16 * i - 8, type = "double", values = row[2] })
    end
    t:mpi(rank:MPI_Type_struct { array_of_blocklengths = "1,1,1", array_of_displacements = "0,8,16",
      array_of_types = "MPI_CHAR,MPI_DOUBLE,MPI_UB", newtype = "d" })
    t:rc("IMPI-005", rank:MPI_Type_commit { datatype = "d" }, "MPI_SUCCESS")
    local octets = Values.octets "41 3f f8 00 00 00 00 00 00 42 c0 00 00 00 00 00 00 00"
    t:rc("IMPI-005", rank:MPI_Isend { buf = buf, count = 2, datatype = "d", dest = other.rank, tag = 1,
      request = "q" }, "MPI_SUCCESS")
    local packet = t:packet("IMPI-005", channel, "DATA", { src = own, tag = 1 })
    t:equal("IMPI-004", "octets of two structures", packet.msglen, 18)
    t:equal("IMPI-005", "octets that leave", packet.data, octets)
    other:send_packet(own, { type = "DATA", tag = 2, data = octets })
    t:rc("IMPI-005", rank:MPI_Recv { buf = room, count = 2, datatype = "d", source = other.rank, tag = 2 },
      "MPI_SUCCESS")
    for i, row in ipairs { { 65, "1.5" }, { 66, "-2" } } do
      t:equal("IMPI-005", "the char", rank:call("read-values", { name = room, offset = 16 * i - 16,
        type = "signed-char", count = 1 }).values, row[1])
      t:equal("IMPI-005", "the gap behind the char", rank:call("read", { name = room, offset = 16 * i - 15,
        octets = 7 }).hex, "a5a5a5a5a5a5a5")
      t:equal("IMPI-005", "the double", tostring(rank:call("read-values", { name = room, offset = 16 * i - 8,
        type = "double", count = 1 }).values), row[2])
    end
  end,
}

case {
  id = "data-cut-inside-an-element",
  title = "A long message whose packets end inside elements is put together",
  purpose = "datalen 7: ten MPI_INT and ten MPI_DOUBLE in both directions.",
  requirements = { "IMPI-002", "IMPI-003" },
  run = function(t)
    local _, rank, own, other = t:pair { others = { { datalen = 7 } } }
    for i, row in ipairs { { "MPI_INT", "int", ">i4" }, { "MPI_DOUBLE", "double", ">d" } } do
      local octets = {}
      for value = 1, 10 do octets[value] = string.pack(row[3], value) end
      octets = table.concat(octets)
      local buf, room = rank:new_region(80), rank:new_region(80)
      rank:call("write-values", { name = buf, offset = 0, type = row[2], values = "1,2,3,4,5,6,7,8,9,10" })
      t:mpi(rank:MPI_Isend { buf = buf, count = 10, datatype = row[1], dest = other.rank, tag = i,
        request = "put" .. i })
      local message, reason = other:receive { src = own, tag = i }
      t:check("IMPI-002", "the message", message, "comes", reason)
      t:equal("IMPI-002", "its octets", message.data, octets)
      t:mpi(rank:MPI_Irecv { buf = room, count = 10, datatype = row[1], source = other.rank, tag = i,
        request = "get" .. i })
      local sent, why = other:send(own, { tag = i, data = octets })
      t:check("IMPI-003", "the message to the rank", sent, "is taken", why)
      t:completes("IMPI-003", "the receive", { rank = rank, request = "get" .. i })
      local got = rank:call("read-values", { name = room, offset = 0, type = row[2], count = 10 }).values
      t:equal("IMPI-003", "values that are received", got, "1,2,3,4,5,6,7,8,9,10")
    end
  end,
}
