-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Derived datatypes once more (chapter 1.2.2): addresses, exchanges of one buffer, messages that are shorter than their
-- receive, and what is counted of them. What a process has beside the elements that are received stays as it was.

defaults { role = "client", suite = "packets", chapter = "1.2.2" }

local GAP, EMPTY = "byte/165", "-1515870811" -- four octets of 0xa5

local NUMBERS = "1,2,3,4,5,6,7,8,9,10,11,12"

-- A region of twelve ints: 1 to 12, or nothing but gaps.
local function ints(rank, values)
  local name = rank:new_region(48)
  rank:call("fill", { name = name, offset = 0, octets = 48, pattern = GAP })
  if values then
    rank:call("write-values", { name = name, offset = 0, type = "int", values = values })
  end
  return name
end

local function read(rank, name)
  return tostring(rank:call("read-values", { name = name, offset = 0, type = "int", count = 12 }).values)
end

-- Twelve ints as text, `values[place]` (from 1) at their places and gaps at all others.
local function layout(values)
  local all = {}
  for i = 1, 12 do all[i] = tostring(values[i] or EMPTY) end
  return table.concat(all, ",")
end

case {
  id = "data-derived-of-addresses",
  title = "A datatype of absolute addresses travels from MPI_BOTTOM",
  purpose = "Two ints of two regions, by MPI_Address, are sent as one element; two that come are put into two other regions.",
  requirements = { "IMPI-005" },
  run = function(t)
    local _, rank, own, other = t:pair()
    local function addressed(first, second, name)
      local displacements = {}
      for i, place in ipairs { first .. "+8", second .. "+4" } do
        displacements[i] = t:mpi(rank:MPI_Address { location = place }).address
      end
      t:mpi(rank:MPI_Type_hindexed { array_of_blocklengths = "1,1",
        array_of_displacements = table.concat(displacements, ","), oldtype = "MPI_INT", newtype = name })
      t:mpi(rank:MPI_Type_commit { datatype = name })
    end
    local there, here = { ints(rank, NUMBERS), ints(rank, NUMBERS) }, { ints(rank), ints(rank) }
    addressed(there[1], there[2], "there")
    addressed(here[1], here[2], "here")
    t:rc("IMPI-005", rank:MPI_Isend { buf = "MPI_BOTTOM", count = 1, datatype = "there", dest = other.rank, tag = 1,
      request = "q" }, "MPI_SUCCESS")
    local message, reason = other:receive { src = own, tag = 1 }
    t:check("IMPI-005", "the message", message, "comes", reason)
    t:equal("IMPI-005", "octets that leave", message.data, Values.octets "00000003 00000002")
    t:completes("IMPI-005", "the send", { rank = rank, request = "q" })
    local call = rank:start_MPI_Recv { buf = "MPI_BOTTOM", count = 1, datatype = "here", source = other.rank, tag = 2 }
    other:send(own, { tag = 2, data = Values.octets "00000015 00000016" })
    t:rc("IMPI-005", call:finish(), "MPI_SUCCESS")
    t:equal("IMPI-005", "the first region", read(rank, here[1]), layout { [3] = 21 })
    t:equal("IMPI-005", "the second region", read(rank, here[2]), layout { [2] = 22 })
  end,
}

for name, limit in each { { "short", 64 }, { "long", 5 } } do
  case {
    id = "data-derived-replaced-" .. name,
    title = "MPI_Sendrecv_replace sends what was in the buffer, and puts what comes into its place: a "
      .. name .. " message",
    purpose = "Three of twelve ints, none of them at the beginning of the buffer. The message for it is there before the call.",
    requirements = { "IMPI-005" },
    run = function(t)
      local _, rank, own, other = t:pair { others = { { datalen = limit } } }
      local buf, first = ints(rank, NUMBERS), nil
      t:mpi(rank:MPI_Type_vector { count = 3, blocklength = 1, stride = 2, oldtype = "MPI_INT", newtype = "v" })
      t:mpi(rank:MPI_Type_hindexed { array_of_blocklengths = "1", array_of_displacements = "20", oldtype = "v",
        newtype = "d" })
      t:mpi(rank:MPI_Type_commit { datatype = "d" })
      local data = Values.octets "00000029 0000002a 0000002b"
      first = other:send_packet(own, { type = #data > limit and "DATASYNC" or "DATA", tag = 2, msglen = #data,
        data = data:sub(1, limit) })
      first.whole, first.sent = data, math.min(limit, #data)
      t:probed("IMPI-005", "the message for it", rank, other, 2, #data)
      local call = rank:start_MPI_Sendrecv_replace { buf = buf, count = 1, datatype = "d", dest = other.rank,
        sendtag = 1, source = other.rank, recvtag = 2, comm = "MPI_COMM_WORLD" }
      if first.sent < #data then other:send_rest(first, t:syncack("IMPI-005", other, first)) end
      local message, reason = other:receive { src = own, tag = 1 }
      t:check("IMPI-005", "the message", message, "comes", reason)
      t:equal("IMPI-005", "octets that leave", message.data, Values.octets "00000006 00000008 0000000a")
      t:rc("IMPI-005", call:finish(), "MPI_SUCCESS")
      t:equal("IMPI-005", "values in the buffer", read(rank, buf), "1,2,3,4,5,41,7,42,9,43,11,12")
    end,
  }
  case {
    id = "data-shorter-than-the-receive-" .. name,
    title = "What is behind a message that is shorter than its receive stays as it was: a " .. name .. " message",
    purpose = "Two ints come for a receive of six; two and a half elements of two ints each for one of three with a gap between both; four and two for two blocks of three. MPI_Get_elements counts the ints.",
    requirements = { "IMPI-003", "IMPI-004" },
    run = function(t)
      local _, rank, own, other = t:pair { others = { { datalen = limit } } }
      t:mpi(rank:MPI_Type_vector { count = 2, blocklength = 1, stride = 2, oldtype = "MPI_INT", newtype = "v" })
      t:mpi(rank:MPI_Type_struct { array_of_blocklengths = "1,1", array_of_displacements = "0,16",
        array_of_types = "v,MPI_UB", newtype = "d" })
      t:mpi(rank:MPI_Type_vector { count = 2, blocklength = 3, stride = 5, oldtype = "MPI_INT", newtype = "blocks" })
      for _, datatype in ipairs { "d", "blocks" } do t:mpi(rank:MPI_Type_commit { datatype = datatype }) end
      for tag, row in ipairs { { "MPI_INT", 6, 2, { 101, 102 } },
          { "d", 3, 5, { 101, nil, 102, nil, 103, nil, 104, nil, 105 } },
          { "blocks", 1, 4, { 101, 102, 103, nil, nil, 104 } }, { "blocks", 1, 2, { 101, 102 } } } do
        local datatype, count, sent, expected = table.unpack(row, 1, 4)
        local room, data = ints(rank), {}
        for i = 1, sent do data[i] = string.pack(">i4", 100 + i) end
        t:rc("IMPI-003", rank:MPI_Irecv { buf = room, count = count, datatype = datatype, source = other.rank,
          tag = tag, request = "q" .. tag }, "MPI_SUCCESS")
        local left, why = other:send(own, { tag = tag, data = table.concat(data) })
        t:check("IMPI-003", "the message to the rank", left, "is taken", why)
        t:completes("IMPI-003", "the receive", { rank = rank, request = "q" .. tag })
        t:equal("IMPI-003", "values of " .. datatype, read(rank, room), layout(expected))
        t:equal("IMPI-004", "MPI_Get_elements of " .. datatype,
          t:mpi(rank:MPI_Get_elements { status = "sq" .. tag, datatype = datatype }).count, sent)
      end
    end,
  }
end

-- { name, constructor, its parameters, place in the buffer, elements, places in the order of the type map, and how many
-- stand one behind the other in an element }
for name, make, given, from, count, places, several in each {
  { "turned-blocks", "MPI_Type_indexed", { array_of_blocklengths = "1,2,1", array_of_displacements = "3,1,0" }, 0, 2,
    { 4, 2, 3, 1, 8, 6, 7, 5 } },
  { "turned-octets", "MPI_Type_hindexed", { array_of_blocklengths = "1,1", array_of_displacements = "4,0" }, 8, 3,
    { 4, 3, 6, 5, 8, 7 } },
  { "struct-turned", "MPI_Type_struct", { array_of_blocklengths = "2,1", array_of_displacements = "4,0",
    array_of_types = "MPI_INT,MPI_INT" }, 0, 2, { 2, 3, 1, 5, 6, 4 } },
  { "stride-below-zero", "MPI_Type_vector", { count = 3, blocklength = 1, stride = -1 }, 8, 2, { 3, 2, 1, 6, 5, 4 } },
  { "blocks-below-zero", "MPI_Type_vector", { count = 2, blocklength = 2, stride = -3 }, 12, 2,
    { 4, 5, 1, 2, 9, 10, 6, 7 } },
  { "empty-block-behind", "MPI_Type_indexed", { array_of_blocklengths = "1,0", array_of_displacements = "0,3" }, 0, 3,
    { 1, 2, 3 } },
  { "empty-block-of-a-wider-type", "MPI_Type_struct", { array_of_blocklengths = "1,0", array_of_displacements = "0,4",
    array_of_types = "MPI_INT,MPI_DOUBLE" }, 0, 3, { 1, 2, 3 } },
  { "no-marker", "MPI_Type_struct", { array_of_blocklengths = "1,0,0", array_of_displacements = "0,-8,12",
    array_of_types = "MPI_INT,MPI_LB,MPI_UB" }, 0, 3, { 1, 2, 3 } },
  { "two-upper-bounds", "MPI_Type_struct", { array_of_blocklengths = "1,1,1", array_of_displacements = "0,12,8",
    array_of_types = "MPI_INT,MPI_UB,MPI_UB" }, 0, 3, { 1, 4, 7 } },
  { "two-lower-bounds", "MPI_Type_struct", { array_of_blocklengths = "1,1,1", array_of_displacements = "-8,-4,0",
    array_of_types = "MPI_LB,MPI_LB,MPI_INT" }, 8, 3, { 3, 6, 9 } },
  { "upper-bound-below-the-lower", "MPI_Type_struct", { array_of_blocklengths = "1,1,1",
    array_of_displacements = "0,0,-4", array_of_types = "MPI_LB,MPI_INT,MPI_UB" }, 8, 3, { 3, 2, 1 } },
  { "octets-below-zero", "MPI_Type_hvector", { count = 2, blocklength = 1, stride = -8 }, 8, 2, { 3, 1, 6, 4 } },
  { "several-between-markers", "MPI_Type_struct", { array_of_blocklengths = "1,1,1", array_of_displacements = "-4,0,8",
    array_of_types = "MPI_LB,MPI_INT,MPI_UB" }, 4, 2, { 2, 5, 8, 11 }, 2 },
  { "behind-a-lower-marker", "MPI_Type_struct", { array_of_blocklengths = "1,1,1", array_of_displacements = "0,4,12",
    array_of_types = "MPI_LB,MPI_INT,MPI_UB" }, 0, 3, { 2, 5, 8 } },
  { "two-behind-a-lower-marker", "MPI_Type_struct", { array_of_blocklengths = "1,2,1",
    array_of_displacements = "0,4,16", array_of_types = "MPI_LB,MPI_INT,MPI_UB" }, 0, 2, { 2, 3, 6, 7 } },
  { "before-a-lower-marker", "MPI_Type_struct", { array_of_blocklengths = "1,1,1", array_of_displacements = "8,0,20",
    array_of_types = "MPI_LB,MPI_INT,MPI_UB" }, 0, 3, { 1, 4, 7 } },
  { "several-behind-a-lower-marker", "MPI_Type_struct", { array_of_blocklengths = "1,1,1",
    array_of_displacements = "0,8,12", array_of_types = "MPI_LB,MPI_INT,MPI_UB" }, 0, 2, { 3, 6, 9, 12 }, 2 },
  { "several-before-a-marker", "MPI_Type_struct", { array_of_blocklengths = "1,1,1", array_of_displacements = "4,0,12",
    array_of_types = "MPI_INT,MPI_INT,MPI_UB" }, 0, 1, { 2, 1, 5, 4, 8, 7 }, 3 },
  { "vector-of-padded", "MPI_Type_vector", { count = 2, blocklength = 2, stride = 3, oldtype = "padded" }, 0, 1,
    { 1, 3, 7, 9 } },
  { "hvector-of-padded", "MPI_Type_hvector", { count = 2, blocklength = 2, stride = 20, oldtype = "padded" }, 0, 1,
    { 1, 3, 6, 8 } },
  { "indexed-of-padded", "MPI_Type_indexed", { array_of_blocklengths = "1,2", array_of_displacements = "4,1",
    oldtype = "padded" }, 0, 1, { 9, 3, 5 } },
  { "hindexed-of-padded", "MPI_Type_hindexed", { array_of_blocklengths = "1,2", array_of_displacements = "28,4",
    oldtype = "padded" }, 0, 1, { 8, 2, 4 } },
  { "contiguous-of-padded", "MPI_Type_contiguous", { count = 3, oldtype = "padded" }, 0, 2, { 1, 3, 5, 7, 9, 11 } },
  { "struct-of-several", "MPI_Type_struct", { array_of_blocklengths = "1,1,1,2,1",
    array_of_displacements = "44,0,8,16,32", array_of_types = "MPI_INT,MPI_INT,padded,two,padded" }, 0, 1,
    { 12, 1, 3, 5, 6, 7, 8, 9 } } } do
  case {
    id = "data-derived-" .. name,
    title = "Several elements of a derived datatype travel in the order of its type map: " .. name,
    purpose = "Elements whose later parts lie before the earlier ones, or that markers keep apart, are sent, and others received.",
    requirements = { "IMPI-005" },
    run = function(t)
      local _, rank, own, other = t:pair()
      local values = { newtype = several and "one" or "d", oldtype = not given.array_of_types and "MPI_INT" or nil }
      for key, value in pairs(given) do values[key] = value end
      t:mpi(rank:MPI_Type_struct { array_of_blocklengths = "1,1", array_of_displacements = "0,8",
        array_of_types = "MPI_INT,MPI_UB", newtype = "padded" }) -- an int, and room for another one
      t:mpi(rank:MPI_Type_contiguous { count = 2, oldtype = "MPI_INT", newtype = "two" })
      t:mpi(rank[make](rank, values))
      if several then t:mpi(rank:MPI_Type_contiguous { count = several, oldtype = "one", newtype = "d" }) end
      t:mpi(rank:MPI_Type_commit { datatype = "d" })
      local buf, room = ints(rank, NUMBERS), ints(rank)
      local sent, coming, expected = {}, {}, {}
      for i, place in ipairs(places) do
        sent[i], coming[i], expected[place] = string.pack(">i4", place), string.pack(">i4", 100 + i), 100 + i
      end
      t:rc("IMPI-005", rank:MPI_Isend { buf = buf .. "+" .. from, count = count, datatype = "d", dest = other.rank,
        tag = 1, request = "put" }, "MPI_SUCCESS")
      local message, reason = other:receive { src = own, tag = 1 }
      t:check("IMPI-005", "the message", message, "comes", reason)
      t:equal("IMPI-005", "octets that leave", Values.digits(message.data), Values.digits(table.concat(sent)))
      t:completes("IMPI-005", "the send", { rank = rank, request = "put" })
      t:rc("IMPI-005", rank:MPI_Irecv { buf = room .. "+" .. from, count = count, datatype = "d", source = other.rank,
        tag = 2, request = "get" }, "MPI_SUCCESS")
      local left, why = other:send(own, { tag = 2, data = table.concat(coming) })
      t:check("IMPI-005", "the message to the rank", left, "is taken", why)
      t:completes("IMPI-005", "the receive", { rank = rank, request = "get" })
      t:equal("IMPI-005", "what is received", read(rank, room), layout(expected))
    end,
  }
end

for name, limit in each { { "short", 64 }, { "long", 5 } } do
  case {
    id = "data-derived-octets-apart-" .. name,
    title = "Elements of three octets that are five apart travel without what is between: a " .. name .. " message",
    purpose = "Three of them in one call, in both directions: what is between them is neither sent nor touched.",
    requirements = { "IMPI-005" },
    run = function(t)
      local _, rank, own, other = t:pair { others = { { datalen = limit } } }
      local buf, room = rank:new_region(16), rank:new_region(16)
      rank:call("write", { name = buf, offset = 0, hex = "000102030405060708090a0b0c0d0e0f" })
      rank:call("fill", { name = room, offset = 0, octets = 16, pattern = GAP })
      t:mpi(rank:MPI_Type_struct { array_of_blocklengths = "3,1", array_of_displacements = "0,5",
        array_of_types = "MPI_BYTE,MPI_UB", newtype = "d" })
      t:mpi(rank:MPI_Type_commit { datatype = "d" })
      t:rc("IMPI-005", rank:MPI_Isend { buf = buf, count = 3, datatype = "d", dest = other.rank, tag = 1,
        request = "put" }, "MPI_SUCCESS")
      local message, reason = other:receive { src = own, tag = 1 }
      t:check("IMPI-005", "the message", message, "comes", reason)
      t:equal("IMPI-005", "octets that leave", message.data, Values.octets "00 01 02 05 06 07 0a 0b 0c")
      t:completes("IMPI-005", "the send", { rank = rank, request = "put" })
      t:rc("IMPI-005", rank:MPI_Irecv { buf = room, count = 3, datatype = "d", source = other.rank, tag = 2,
        request = "get" }, "MPI_SUCCESS")
      local left, why = other:send(own, { tag = 2, data = Values.octets "11 12 13 14 15 16 17 18 19" })
      t:check("IMPI-005", "the message to the rank", left, "is taken", why)
      t:completes("IMPI-005", "the receive", { rank = rank, request = "get" })
      t:equal("IMPI-005", "octets in memory", rank:call("read", { name = room, offset = 0, octets = 16 }).hex,
        "111213a5a5141516a5a5171819a5a5a5")
    end,
  }
end

case {
  id = "data-derived-the-same-block-again",
  title = "A datatype with a stride of 0 sends its block again and again",
  purpose = "Three blocks of one int at one place, by MPI_Type_vector and by MPI_Type_hvector.",
  requirements = { "IMPI-005" },
  run = function(t)
    local _, rank, own, other = t:pair()
    local buf = ints(rank, NUMBERS)
    for tag, make in ipairs { "MPI_Type_vector", "MPI_Type_hvector" } do
      local name, request = "d" .. tag, "q" .. tag
      t:mpi(rank[make](rank, { count = 3, blocklength = 1, stride = 0, oldtype = "MPI_INT", newtype = name }))
      t:mpi(rank:MPI_Type_commit { datatype = name })
      t:rc("IMPI-005", rank:MPI_Isend { buf = buf, count = 1, datatype = name, dest = other.rank, tag = tag,
        request = request }, "MPI_SUCCESS")
      local message, reason = other:receive { src = own, tag = tag }
      t:check("IMPI-005", "the message", message, "comes", reason)
      t:equal("IMPI-005", "octets that leave of a " .. make, Values.digits(message.data),
        Values.digits(Values.octets "00000001 00000001 00000001"))
      t:completes("IMPI-005", "the send", { rank = rank, request = request })
    end
  end,
}

case {
  id = "data-derived-freed-under-way",
  title = "A datatype may be freed while messages of it are under way",
  purpose = "A send that waits for its SYNCACK and a receive that waits for its message keep the layout that they were begun with; new datatypes are made meanwhile.",
  requirements = { "IMPI-005" },
  run = function(t)
    local _, rank, own, other = t:pair { others = { { datalen = 5 } } }
    local buf, room = ints(rank, NUMBERS), ints(rank)
    t:mpi(rank:MPI_Type_vector { count = 3, blocklength = 1, stride = 4, oldtype = "MPI_INT", newtype = "d" })
    t:mpi(rank:MPI_Type_commit { datatype = "d" })
    t:rc("IMPI-005", rank:MPI_Isend { buf = buf, count = 1, datatype = "d", dest = other.rank, tag = 1,
      request = "put" }, "MPI_SUCCESS")
    t:rc("IMPI-005", rank:MPI_Irecv { buf = room, count = 1, datatype = "d", source = other.rank, tag = 2,
      request = "get" }, "MPI_SUCCESS")
    t:mpi(rank:MPI_Type_free { datatype = "d" })
    for i = 1, 4 do
      t:mpi(rank:MPI_Type_vector { count = 2, blocklength = 2, stride = 3, oldtype = "MPI_INT", newtype = "e" .. i })
      t:mpi(rank:MPI_Type_commit { datatype = "e" .. i })
    end
    local message, reason = other:receive { src = own, tag = 1 }
    t:check("IMPI-005", "the message", message, "comes", reason)
    t:equal("IMPI-005", "octets that leave", message.data, Values.octets "00000001 00000005 00000009")
    t:completes("IMPI-005", "the send", { rank = rank, request = "put" })
    local left, why = other:send(own, { tag = 2, data = Values.octets "00000033 00000034 00000035" })
    t:check("IMPI-005", "the message to the rank", left, "is taken", why)
    t:completes("IMPI-005", "the receive", { rank = rank, request = "get" })
    t:equal("IMPI-005", "values that are received", read(rank, room), layout { [1] = 51, [5] = 52, [9] = 53 })
  end,
}
