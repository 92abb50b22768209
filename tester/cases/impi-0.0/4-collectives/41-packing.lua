-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Pack and MPI_Unpack on a communicator of several clients: bare external32 (chapter 4.1). Octets are written here
-- by hand.

defaults { role = "client", suite = "packets", chapter = "4.1" }

-- Datatype, its C type, values, their octets in external32.
local ROWS = {
  { "MPI_CHAR", "signed-char", "1,127", "01 7f" },
  { "MPI_SHORT", "short", "258,-2", "01 02 ff fe" },
  { "MPI_INT", "int", "1,16909060,-2", "00 00 00 01 01 02 03 04 ff ff ff fe" },
  { "MPI_LONG", "long", "16909060,-2", "01 02 03 04 ff ff ff fe" },
  { "MPI_FLOAT", "float", "1.5,-0.25", "3f c0 00 00 be 80 00 00" },
  { "MPI_DOUBLE", "double", "1.5", "3f f8 00 00 00 00 00 00" },
}

local BEFORE, BEHIND, ROOM = 3, 5, 200

local function count_of(list)
  return select(2, list:gsub(",", ",")) + 1
end

-- Judges that `count` of a datatype in a region are packed as these octets, and that MPI_Pack_size says how many.
local function packs(t, rank, buf, count, datatype, octets, comm)
  comm = comm or "MPI_COMM_WORLD"
  local size = t:rc("IMPI-181", rank:MPI_Pack_size { incount = count, datatype = datatype, comm = comm },
    "MPI_SUCCESS").size
  t:equal("IMPI-181", "MPI_Pack_size of " .. count .. " " .. datatype, size, #octets)
  local out = rank:fresh_name()
  rank:octets(out, ROOM, "byte/90")
  local result = t:rc("IMPI-181", rank:MPI_Pack { inbuf = buf, incount = count, datatype = datatype, outbuf = out,
    outsize = BEFORE + #octets, position = BEFORE, comm = comm }, "MPI_SUCCESS")
  t:equal("IMPI-181", "the position behind " .. datatype, result.position, BEFORE + #octets)
  result = t:rc("IMPI-181", rank:MPI_Pack { inbuf = buf, incount = 0, datatype = datatype, outbuf = out,
    outsize = BEFORE + #octets, position = BEFORE + #octets, comm = comm }, "MPI_SUCCESS")
  t:equal("IMPI-181", "the position behind nothing more", result.position, BEFORE + #octets)
  t:equal("IMPI-181", "octets that MPI_Pack writes for " .. datatype,
    rank:call("read", { name = out, offset = 0, octets = BEFORE + #octets + BEHIND }).hex,
    Values.digits(string.rep("Z", BEFORE) .. octets .. string.rep("Z", BEHIND)))
end

-- A struct of a char and two doubles around a gap, as datatype "d": two of them in the region `buf`, and their octets.
local STRUCTS = "41 3ff8000000000000 4000000000000000 42 c000000000000000 bfd0000000000000"

local function structs(t, rank)
  local buf = rank:new_region(48)
  for i, row in ipairs { { "65", "1.5,2" }, { "66", "-2,-0.25" } } do
    rank:call("write-values", { name = buf, offset = 24 * i - 24, type = "signed-char", values = row[1] })
    rank:call("write-values", { name = buf, offset = 24 * i - 16, type = "double", values = row[2] })
  end
  t:mpi(rank:MPI_Type_struct { array_of_blocklengths = "1,2,1", array_of_displacements = "0,8,24",
    array_of_types = "MPI_CHAR,MPI_DOUBLE,MPI_UB", newtype = "d" })
  t:mpi(rank:MPI_Type_commit { datatype = "d" })
  return buf
end

-- The first and the third of three longs as datatype "longs", which take other octets in memory: a region, and octets.
local LONGS <const> = "01020304 fffffffe"

local function longs(t, rank)
  local buf = rank:new_region(64)
  rank:call("write-values", { name = buf, offset = 0, type = "long", values = "16909060,7,-2" })
  t:mpi(rank:MPI_Type_vector { count = 2, blocklength = 1, stride = 2, oldtype = "MPI_LONG", newtype = "longs" })
  t:mpi(rank:MPI_Type_commit { datatype = "longs" })
  return buf
end

case {
  id = "pack-makes-external32",
  title = "MPI_Pack on a communicator of two clients yields bare external32, and MPI_Pack_size its exact length",
  purpose = "Six datatypes, a structure with a gap and longs with one, behind three octets that are there already, on the world; two of them on a duplicate of it. There is just room enough, and for nothing more behind it; no octet before or behind is touched.",
  requirements = { "IMPI-181" },
  run = function(t)
    local job, rank = t:pair()
    job:dup("copy")
    for i, row in ipairs(ROWS) do
      local buf = rank:new_region(64)
      rank:call("write-values", { name = buf, offset = 0, type = row[2], values = row[3] })
      packs(t, rank, buf, count_of(row[3]), row[1], Values.octets(row[4]))
      if i > 4 then
        packs(t, rank, buf, count_of(row[3]), row[1], Values.octets(row[4]), "copy")
      end
    end
    packs(t, rank, structs(t, rank), 2, "d", Values.octets(STRUCTS))
    packs(t, rank, longs(t, rank), 1, "longs", Values.octets(LONGS))
  end,
}

case {
  id = "pack-for-the-other-group",
  title = "MPI_Pack on an intercommunicator of two clients yields bare external32",
  purpose = "The local group is of one client, two processes and then one, and the remote one of another: six datatypes and a structure with a gap.",
  requirements = { "IMPI-181" }, ranks = 2,
  run = function(t)
    for _, group in ipairs { { 3, 4 }, { 3 } } do
      local inter = t:inter(group, { 0 })
      local rank = inter.ranks[1]
      for _, row in ipairs(ROWS) do
        local buf = rank:new_region(64)
        rank:call("write-values", { name = buf, offset = 0, type = row[2], values = row[3] })
        packs(t, rank, buf, count_of(row[3]), row[1], Values.octets(row[4]), inter.name)
      end
      packs(t, rank, structs(t, rank), 2, "d", Values.octets(STRUCTS), inter.name)
    end
  end,
}

case {
  id = "pack-is-understood",
  title = "MPI_Unpack on the world of two clients takes bare external32",
  purpose = "The octets were packed by hand, and stand behind three others.",
  requirements = { "IMPI-181" },
  run = function(t)
    local _, rank = t:pair()
    for _, row in ipairs(ROWS) do
      local octets, count, packed, out = Values.octets(row[4]), count_of(row[3]), rank:new_region(64),
        rank:new_region(64)
      rank:call("write", { name = packed, offset = BEFORE, hex = Values.digits(octets) })
      local result = t:rc("IMPI-181", rank:MPI_Unpack { inbuf = packed, insize = BEFORE + #octets, position = BEFORE,
        outbuf = out, outcount = count, datatype = row[1], comm = "MPI_COMM_WORLD" }, "MPI_SUCCESS")
      t:equal("IMPI-181", "the position behind " .. row[1], result.position, BEFORE + #octets)
      result = t:rc("IMPI-181", rank:MPI_Unpack { inbuf = packed, insize = BEFORE + #octets,
        position = BEFORE + #octets, outbuf = out, outcount = 0, datatype = row[1], comm = "MPI_COMM_WORLD" },
        "MPI_SUCCESS")
      t:equal("IMPI-181", "the position behind nothing more", result.position, BEFORE + #octets)
      t:equal("IMPI-181", "values of " .. row[1],
        tostring(rank:call("read-values", { name = out, offset = 0, type = row[2], count = count }).values), row[3])
    end
  end,
}

case {
  id = "pack-travels-as-it-is",
  title = "What MPI_Pack made leaves as it is, and what comes may be unpacked or received as what it is made of",
  purpose = "Two structures: packed and sent as MPI_PACKED; received as MPI_PACKED and unpacked; received as structures.",
  requirements = { "IMPI-181" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local buf, octets = structs(t, rank), Values.octets(STRUCTS)
    local out, room = rank:new_region(64), rank:new_region(48)
    local before = rank:call("read", { name = buf, offset = 0, octets = 48 }).hex
    t:mpi(rank:MPI_Pack { inbuf = buf, incount = 2, datatype = "d", outbuf = out, outsize = 64, position = 0,
      comm = "MPI_COMM_WORLD" })
    t:mpi(rank:MPI_Isend { buf = out, count = #octets, datatype = "MPI_PACKED", dest = other.rank, tag = 1,
      request = "q" })
    t:equal("IMPI-181", "octets that leave as MPI_PACKED", t:packet("IMPI-181", channel, "DATA", { src = own }).data,
      octets)
    for tag, datatype in ipairs { "MPI_PACKED", "d" } do
      local target = rank:new_region(64)
      other:send_packet(own, { type = "DATA", tag = tag, data = octets })
      t:rc("IMPI-181", rank:MPI_Recv { buf = target, count = datatype == "d" and 2 or 64, datatype = datatype,
        source = other.rank, tag = tag, status = "s" }, "MPI_SUCCESS")
      t:equal("IMPI-181", "MPI_Get_count in " .. datatype,
        t:mpi(rank:MPI_Get_count { status = "s", datatype = datatype }).count, datatype == "d" and 2 or #octets)
      if datatype == "MPI_PACKED" then
        t:rc("IMPI-181", rank:MPI_Unpack { inbuf = target, insize = #octets, position = 0, outbuf = room, outcount = 2,
          datatype = "d", comm = "MPI_COMM_WORLD" }, "MPI_SUCCESS")
        target = room
      end
      t:equal("IMPI-181", "the structures that come as " .. datatype,
        rank:call("read", { name = target, offset = 0, octets = 48 }).hex, before)
    end
  end,
}
