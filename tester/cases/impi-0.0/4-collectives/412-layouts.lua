-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Blocks that are sent in one layout and received in another, blocks before the address that is given, and blocks of
-- nothing among others (chapters 4.11 to 4.15, 4.19, 4.20, 4.22 and 4.23). Two clients of two processes each, all of
-- the system under test (lib/impi/results.lua).

defaults { role = "client", suite = "collective", ranks = 4 }

-- What an int holds that no block is for, at each process something else: what another one has there must not come
-- along.
local EMPTY = -1515870811

local ROOM, MIDDLE = 24, 10 -- ints of a region; which of them is the buffer's address

local function text(list)
  return table.concat(list, ",")
end

-- As many ints of a process, of which values[place] are given, places counted from the middle; as text.
local function layout(values, number)
  local all = {}
  for place = -MIDDLE, ROOM - MIDDLE - 1 do all[#all + 1] = values[place] or EMPTY + number end
  return text(all)
end

-- A region of them.
local function region(rank, number, name, values)
  rank:octets(name, 4 * ROOM)
  rank:call("write-values", { name = name, offset = 0, type = "int", values = layout(values or {}, number) })
end

-- Judges a region in all processes: expected[number] are its values.
local function judge(t, world, what, expected)
  for number = 0, 3 do
    t:equal(world.req, what .. " at rank " .. number, world[number]:load("in", "int", ROOM),
      layout(expected[number] or {}, number))
  end
  world:free("in", "out")
end

-- One call in all processes. given(number) are its values, what is in "out" and what must be in "in" afterwards.
local function try(t, world, call, what, given)
  local expected = {}
  world:each(function(rank, number)
    local values, out, wanted = given(number)
    region(rank, number, "out", out)
    region(rank, number, "in")
    expected[number] = wanted
    values.sendbuf, values.recvbuf = "out+" .. 4 * MIDDLE, "in+" .. 4 * MIDDLE
    values.comm = "MPI_COMM_WORLD"
    return rank["start_" .. call](rank, values)
  end)
  judge(t, world, call .. ", " .. what, expected)
end

---- lists ------------------------------------------------------------------------------------------------------------

-- Where the blocks of up to two ints stand, some before the address; how many ints they have, call by call.
local DISPLS = { -4, 3, -10, 6 }
local COUNTS = { { 1, 2, 0, 2 }, { 2, 0, 1, 0 }, { 0, 0, 0, 0 }, { 2, 2, 2, 2 }, { 0, 1, 2, 1 } }

local function value(from, to, element)
  return 1000 * (from + 1) + 100 * (to + 1) + element
end

-- Adds the block that `from` has for `to` to the values of a region.
local function put(values, first, count, from, to)
  for element = 0, count - 1 do values[first + element] = value(from, to, element) end
  return values
end

-- All blocks at their displacements; from(place) and to(place) say whose they are.
local function blocks(counts, from, to)
  local values = {}
  for place = 0, 3 do put(values, DISPLS[place + 1], counts[place + 1], from(place), to(place)) end
  return values
end

local function constant(number)
  return function() return number end
end

local function same(place)
  return place
end

-- How many ints rank `from` has for rank `to` in MPI_Alltoallv: some have nothing for those who have some for them.
local function between(turn, from, to)
  return (turn * from + 2 * to + turn) % 3
end

local LISTS = {
  MPI_Gatherv = function(counts, number, root)
    return { sendcount = counts[number + 1], sendtype = "MPI_INT", recvcounts = text(counts), displs = text(DISPLS),
      recvtype = "MPI_INT", root = root }, put({}, 0, counts[number + 1], number, root),
      number == root and blocks(counts, same, constant(root)) or nil
  end,
  MPI_Scatterv = function(counts, number, root)
    return { sendcounts = text(counts), displs = text(DISPLS), sendtype = "MPI_INT", recvcount = counts[number + 1],
      recvtype = "MPI_INT", root = root }, blocks(counts, constant(number), same),
      put({}, 0, counts[number + 1], root, number)
  end,
  MPI_Allgatherv = function(counts, number)
    return { sendcount = counts[number + 1], sendtype = "MPI_INT", recvcounts = text(counts), displs = text(DISPLS),
      recvtype = "MPI_INT" }, put({}, 0, counts[number + 1], number, 0), blocks(counts, same, constant(0))
  end,
  MPI_Alltoallv = function(_, number, _, turn)
    local out, back = {}, {}
    for other = 0, 3 do
      out[other + 1], back[other + 1] = between(turn, number, other), between(turn, other, number)
    end
    return { sendcounts = text(out), sdispls = text(DISPLS), sendtype = "MPI_INT", recvcounts = text(back),
      rdispls = text(DISPLS), recvtype = "MPI_INT" }, blocks(out, constant(number), same),
      blocks(back, same, constant(number))
  end,
}

for call, req, chapter, roots in each { { "MPI_Gatherv", "IMPI-231", "4.13", { 0, 3 } },
    { "MPI_Scatterv", "IMPI-232", "4.15", { 0, 3 } }, { "MPI_Allgatherv", "IMPI-234", "4.20", { 0 } },
    { "MPI_Alltoallv", "IMPI-235", "4.23", { 0 } } } do
  case {
    id = "layouts-lists-" .. call:sub(5):lower(),
    title = call .. " places blocks before and behind the address, also where some are empty",
    purpose = "Five calls one after the other: displacements are negative and positive, in no order; who has nothing in one call has something in the next. What no block is for stays as it was.",
    requirements = { req }, chapter = chapter,
    run = function(t)
      local world = t:two_clients(req)
      for turn, counts in ipairs(COUNTS) do
        for _, root in ipairs(roots) do
          try(t, world, call, string.format("call %d, root %d", turn, root), function(number)
            return LISTS[call](counts, number, root, turn)
          end)
        end
      end
    end,
  }
end

---- two layouts -------------------------------------------------------------------------------------------------------

-- Layouts of two ints: how a datatype is named, how many of it they are, and where its ints are.
local LAYOUTS = {
  { name = "row", datatype = "MPI_INT", count = 2, places = { 0, 1 }, width = 2 },
  { name = "pair", datatype = "pair", count = 1, places = { 0, 1 }, width = 2 },
  { name = "column", datatype = "column", count = 1, places = { 0, 3 }, width = 1 },
  { name = "backwards", datatype = "backwards", count = 1, places = { 1, 0 }, width = 2 },
  { name = "wide", datatype = "wide", count = 1, places = { 0, 2 }, width = 3 },
}

-- pair: two ints; column: the first and the fourth, so that the next column begins behind the first; backwards: the
-- second before the first; wide: the first and the third.
local function layouts(world)
  world:all("MPI_Type_contiguous", { count = 2, oldtype = "MPI_INT", newtype = "pair" })
  world:all("MPI_Type_vector", { count = 2, blocklength = 1, stride = 3, oldtype = "MPI_INT", newtype = "v" })
  world:all("MPI_Type_struct", { array_of_blocklengths = "1,1", array_of_displacements = "0,4",
    array_of_types = "v,MPI_UB", newtype = "column" })
  world:all("MPI_Type_indexed", { array_of_blocklengths = "1,1", array_of_displacements = "1,0", oldtype = "MPI_INT",
    newtype = "backwards" })
  world:all("MPI_Type_vector", { count = 2, blocklength = 1, stride = 2, oldtype = "MPI_INT", newtype = "wide" })
  for _, name in ipairs { "pair", "column", "backwards", "wide" } do
    world:all("MPI_Type_commit", { datatype = name })
  end
end

-- Adds a block of two ints in this layout at its place among others.
local function arrange(values, shape, place, from, to)
  for element, at in ipairs(shape.places) do values[place * shape.width + at] = value(from, to, element) end
  return values
end

local function all_of(shape, from, to)
  local values = {}
  for place = 0, 3 do arrange(values, shape, place, from(place), to(place)) end
  return values
end

-- Each gives values, what is in "out", what must be in "in": `a` is the layout of what is sent, `b` that of the rest.
local MOVES = {
  MPI_Gather = function(a, b, number, root)
    return { root = root }, arrange({}, a, 0, number, root),
      number == root and all_of(b, same, constant(root)) or nil
  end,
  MPI_Scatter = function(a, b, number, root)
    return { root = root }, all_of(a, constant(number), same), arrange({}, b, 0, root, number)
  end,
  MPI_Allgather = function(a, b, number)
    return {}, arrange({}, a, 0, number, 0), all_of(b, same, constant(0))
  end,
  MPI_Alltoall = function(a, b, number)
    return {}, all_of(a, constant(number), same), all_of(b, same, constant(number))
  end,
}

-- Columns of three rows hold three columns beside each other; a fourth one would stand on the first one's second row.
local function fits(shape)
  return shape.name ~= "column"
end

for call, req, chapter in each { { "MPI_Gather", "IMPI-231", "4.12" }, { "MPI_Scatter", "IMPI-232", "4.14" },
    { "MPI_Allgather", "IMPI-234", "4.19" }, { "MPI_Alltoall", "IMPI-235", "4.22" } } do
  case {
    id = "layouts-of-two-" .. call:sub(5):lower(),
    title = call .. " receives in another layout than it sends in",
    purpose = "Two ints as two elements, as one, as one the other way round, as one with a gap, in all pairs; where there is one block only also as a column. The own block of each process is among them.",
    requirements = { req }, chapter = chapter,
    run = function(t)
      local world = t:two_clients(req)
      layouts(world)
      for _, a in ipairs(LAYOUTS) do
        for _, b in ipairs(LAYOUTS) do
          local sends = fits(a) or call == "MPI_Gather" or call == "MPI_Allgather"
          local receives = fits(b) or call == "MPI_Scatter"
          if sends and receives and a ~= b then
            try(t, world, call, a.name .. " to " .. b.name, function(number)
              local values, out, wanted = MOVES[call](a, b, number, 2)
              values.sendcount, values.sendtype, values.recvcount, values.recvtype = a.count, a.datatype, b.count,
                b.datatype
              return values, out, wanted
            end)
          end
        end
      end
    end,
  }
end

-- The same by lists: the block of a rank stands where it does above, and displacements are counted in elements of the
-- datatype that they belong to. Each gives the call's lists and values.
local function four(number)
  return text { number, number, number, number }
end

local function displs(shape)
  return text { 0, shape.count, 2 * shape.count, 3 * shape.count }
end

local BY_LISTS = {
  MPI_Gatherv = { "MPI_Gather", function(a, b)
    return { sendcount = a.count, recvcounts = four(b.count), displs = displs(b) }
  end },
  MPI_Scatterv = { "MPI_Scatter", function(a, b)
    return { sendcounts = four(a.count), displs = displs(a), recvcount = b.count }
  end },
  MPI_Allgatherv = { "MPI_Allgather", function(a, b)
    return { sendcount = a.count, recvcounts = four(b.count), displs = displs(b) }
  end },
  MPI_Alltoallv = { "MPI_Alltoall", function(a, b)
    return { sendcounts = four(a.count), sdispls = displs(a), recvcounts = four(b.count), rdispls = displs(b) }
  end },
}

for call, req, chapter in each { { "MPI_Gatherv", "IMPI-231", "4.13" }, { "MPI_Scatterv", "IMPI-232", "4.15" },
    { "MPI_Allgatherv", "IMPI-234", "4.20" }, { "MPI_Alltoallv", "IMPI-235", "4.23" } } do
  case {
    id = "layouts-of-two-" .. call:sub(5):lower(),
    title = call .. " receives in another layout than it sends in",
    purpose = "Two ints as two elements, as one, as one the other way round, as one with a gap, in all pairs: displacements are counted in elements of their own datatype.",
    requirements = { req }, chapter = chapter,
    run = function(t)
      local world, plain, lists = t:two_clients(req), table.unpack(BY_LISTS[call])
      layouts(world)
      for _, a in ipairs(LAYOUTS) do
        for _, b in ipairs(LAYOUTS) do
          if fits(a) and fits(b) and a ~= b then
            try(t, world, call, a.name .. " to " .. b.name, function(number)
              local values, out, wanted = MOVES[plain](a, b, number, 2)
              for key, value in pairs(lists(a, b)) do values[key] = value end
              values.sendtype, values.recvtype = a.datatype, b.datatype
              return values, out, wanted
            end)
          end
        end
      end
    end,
  }
end

for call, req, chapter in each { { "MPI_Gather", "IMPI-231", "4.12" }, { "MPI_Scatter", "IMPI-232", "4.14" },
    { "MPI_Allgather", "IMPI-234", "4.19" }, { "MPI_Alltoall", "IMPI-235", "4.22" } } do
  case {
    id = "layouts-downwards-" .. call:sub(5):lower(),
    title = call .. " places blocks of a datatype whose extent is negative below each other",
    purpose = "The upper bound of two ints is eight octets below their lower bound: each block stands before the one of the rank before. Sent so, received as a row, and the other way round.",
    requirements = { req }, chapter = chapter,
    run = function(t)
      local world = t:two_clients(req)
      world:all("MPI_Type_struct", { array_of_blocklengths = "2,1,1", array_of_displacements = "0,0,-8",
        array_of_types = "MPI_INT,MPI_LB,MPI_UB", newtype = "downwards" })
      world:all("MPI_Type_commit", { datatype = "downwards" })
      local row, down = LAYOUTS[1], { datatype = "downwards", count = 1, places = { 0, 1 }, width = -2 }
      for a, b in each { { down, row }, { row, down } } do
        try(t, world, call, a.datatype .. " to " .. b.datatype, function(number)
          local values, out, wanted = MOVES[call](a, b, number, 2)
          values.sendcount, values.sendtype, values.recvcount, values.recvtype = a.count, a.datatype, b.count,
            b.datatype
          return values, out, wanted
        end)
      end
    end,
  }
end

case {
  id = "layouts-of-two-bcast",
  title = "MPI_Bcast is received in another layout than it is sent in",
  purpose = "Two ints as two elements, as one, as one the other way round, as a column with a gap, in all pairs; from the first and the last rank. What the layout does not have stays as it was.",
  requirements = { "IMPI-222" }, chapter = "4.11",
  run = function(t)
    local world = t:two_clients("IMPI-222")
    layouts(world)
    for _, a in ipairs(LAYOUTS) do
      for _, b in ipairs(LAYOUTS) do
        for root = a == b and 3 or 0, 3, 3 do
          world:each(function(rank, number)
            local shape = number == root and a or b
            region(rank, number, "in", number == root and arrange({}, a, 0, root, 0) or {})
            return rank:start_MPI_Bcast { buffer = "in+" .. 4 * MIDDLE, count = shape.count, datatype = shape.datatype,
              root = root, comm = "MPI_COMM_WORLD" }
          end)
          for number = 0, 3 do
            t:equal("IMPI-222", string.format("%s to %s, root %d, at rank %d", a.name, b.name, root, number),
              world[number]:load("in", "int", ROOM), layout(arrange({}, number == root and a or b, 0, root, 0), number))
          end
          world:free("in")
        end
      end
    end
  end,
}

case {
  id = "layouts-of-several-bcast",
  title = "MPI_Bcast reaches all of several elements of a derived datatype, in all processes",
  purpose = "Four elements that are two ints with a gap, three that are turned round, and none; sent and received in one layout or in two, from the first rank and from the last.",
  requirements = { "IMPI-222" }, chapter = "4.11",
  run = function(t)
    local world = t:two_clients("IMPI-222")
    layouts(world)
    local wide, backwards, row = LAYOUTS[5], LAYOUTS[4], LAYOUTS[1]
    for a, b, count in each { { wide, wide, 4 }, { wide, row, 4 }, { row, wide, 4 }, { backwards, backwards, 3 },
        { wide, wide, 0 } } do
      for root = 0, 3, 3 do
        local function several(shape)
          local values = {}
          for place = 0, count - 1 do arrange(values, shape, place, root, place) end
          return values
        end
        world:each(function(rank, number)
          local shape = number == root and a or b
          region(rank, number, "in", number == root and several(a) or {})
          return rank:start_MPI_Bcast { buffer = "in+" .. 4 * MIDDLE, count = shape.count * count,
            datatype = shape.datatype, root = root, comm = "MPI_COMM_WORLD" }
        end)
        for number = 0, 3 do
          t:equal("IMPI-222", string.format("%d of %s to %s, root %d, at rank %d", count, a.name, b.name, root, number),
            world[number]:load("in", "int", ROOM), layout(several(number == root and a or b), number))
        end
        world:free("in")
      end
    end
  end,
}

case {
  id = "bcast-of-every-length",
  title = "MPI_Bcast of any length reaches all processes",
  purpose = "0, 1, 4,095, 4,096, 65,535, 65,536, 65,537 and 262,147 octets, from the first process and from the last; what stands behind them stays as it was.",
  requirements = { "IMPI-222" }, chapter = "4.11", deadline = 60,
  run = function(t)
    local world = t:two_clients("IMPI-222")
    for _, octets in ipairs { 0, 1, 4095, 4096, 65535, 65536, 65537, 262147 } do
      world:carries(octets)
      for root = 0, 3, 3 do
        world:each(function(rank, number)
          rank:octets("in", octets + 8, "byte/165")
          if number == root and octets > 0 then
            rank:call("fill", { name = "in", offset = 0, octets = octets, pattern = "mix/" .. root + 1 })
          end
          return rank:start_MPI_Bcast { buffer = "in", count = octets, datatype = "MPI_BYTE", root = root,
            comm = "MPI_COMM_WORLD" }
        end)
        for number = 0, 3 do
          local what = string.format("%d octets from rank %d at rank %d", octets, root, number)
          if octets > 0 then
            t:octets("IMPI-222", what, world[number], "in", "mix/" .. root + 1, 0, octets)
          end
          t:octets("IMPI-222", "behind " .. what, world[number], "in", "byte/165", octets, 8)
        end
        world:free("in")
      end
    end
  end,
}
