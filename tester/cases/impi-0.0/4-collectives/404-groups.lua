-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Comm_create (chapter 4.4): the new communicator has the processes of the group in the group's order, however the
-- group was made. Two clients of two processes each, all of the system under test (lib/impi/results.lua).

defaults { role = "client", suite = "communicators", chapter = "4.4", ranks = 4 }

local REQ = "IMPI-192"

-- In all processes a group of these ranks of the world, in this order.
local function including(world, name, ranks)
  world:all("MPI_Group_incl", { group = "w", ranks = ranks, newgroup = name })
end

-- { name, how group "g" is made of the world's group "w", its members by their ranks in the world }
local GROUPS = {
  { "incl", function(world) including(world, "g", "2,0,3") end, { 2, 0, 3 } },
  { "excl", function(world)
    including(world, "a", "3,2,1,0")
    world:all("MPI_Group_excl", { group = "a", ranks = "1", newgroup = "g" })
  end, { 3, 1, 0 } },
  { "union", function(world)
    including(world, "a", "2,0")
    including(world, "b", "3,0,1")
    world:all("MPI_Group_union", { group1 = "a", group2 = "b", newgroup = "g" })
  end, { 2, 0, 3, 1 } },
  { "intersection", function(world)
    including(world, "a", "3,2,0")
    including(world, "b", "0,1,3")
    world:all("MPI_Group_intersection", { group1 = "a", group2 = "b", newgroup = "g" })
  end, { 3, 0 } },
  { "difference", function(world)
    including(world, "a", "3,2,0")
    including(world, "b", "1,2")
    world:all("MPI_Group_difference", { group1 = "a", group2 = "b", newgroup = "g" })
  end, { 3, 0 } },
  { "difference-of-nobody", function(world)
    including(world, "a", "3,2,1,0")
    including(world, "b", "0")
    including(world, "c", "1")
    world:all("MPI_Group_intersection", { group1 = "b", group2 = "c", newgroup = "e" })
    world:all("MPI_Group_difference", { group1 = "a", group2 = "e", newgroup = "g" })
  end, { 3, 2, 1, 0 } },
  { "range-incl", function(world)
    world:all("MPI_Group_range_incl", { group = "w", ranges = "3/1/-2,0/0/1", newgroup = "g" })
  end, { 3, 1, 0 } },
  { "range-excl", function(world)
    including(world, "a", "3,2,1,0")
    world:all("MPI_Group_range_excl", { group = "a", ranges = "2/0/-2", newgroup = "g" })
  end, { 2, 0 } },
}

local function text(list)
  return table.concat(list, ",")
end

-- Where each rank of the world is in the list, or MPI_UNDEFINED.
local function places(members)
  local list = {}
  for world = 0, 3 do
    list[world + 1] = "MPI_UNDEFINED"
    for place, member in ipairs(members) do
      if member == world then list[world + 1] = place - 1 end
    end
  end
  return list
end

for name, make, members in each(GROUPS) do
  case {
    id = "group-" .. name,
    title = "A communicator of a group has its processes in its order: MPI_Group_"
      .. name:gsub("%-of%-nobody", ""):gsub("-", "_"),
    purpose = "The group is ranks " .. text(members) .. " of the world, in this order: as MPI_Group_translate_ranks "
      .. "says, and by the ranks in the communicator that MPI_Comm_create makes of it.",
    requirements = { "IMPI-192" },
    run = function(t)
      local world, own, order = t:two_clients(REQ), places(members), {}
      for i = 1, #members do order[i] = i - 1 end
      world:all("MPI_Comm_group", { comm = "MPI_COMM_WORLD", group = "w" })
      make(world)
      for number = 0, 3 do
        local rank = world[number]
        local there = world:must_succeed(rank:MPI_Group_translate_ranks { group1 = "g", ranks1 = text(order),
          group2 = "w" })
        t:equal(REQ, "its members at rank " .. number, tostring(there.ranks2), text(members))
        local back = world:must_succeed(rank:MPI_Group_translate_ranks { group1 = "w", ranks1 = "0,1,2,3",
          group2 = "g" })
        t:equal(REQ, "places of the world's ranks in it at rank " .. number, tostring(back.ranks2), text(own))
        t:equal(REQ, "MPI_Group_rank at rank " .. number, world:must_succeed(rank:MPI_Group_rank { group = "g" }).rank,
          own[number + 1])
      end
      local made = world:all("MPI_Comm_create", { comm = "MPI_COMM_WORLD", group = "g", newcomm = "c" })
      for number = 0, 3 do
        local place, rank = own[number + 1], world[number]
        t:equal(REQ, "rank " .. number .. " is given MPI_COMM_NULL", made[number].newcomm == "MPI_COMM_NULL",
          place == "MPI_UNDEFINED")
        if place ~= "MPI_UNDEFINED" then
          t:equal(REQ, "MPI_Comm_rank of rank " .. number, t:mpi(rank:MPI_Comm_rank { comm = "c" }).rank, place)
          t:equal(REQ, "MPI_Comm_size at rank " .. number, t:mpi(rank:MPI_Comm_size { comm = "c" }).size, #members)
        end
      end
    end,
  }
end

-- { name, how group "g" of nobody is made of the world's group "w" }
for name, make in each {
  { "incl", function(world) world:all("MPI_Group_incl", { n = 0, group = "w", ranks = "0", newgroup = "g" }) end },
  { "excl", function(world) world:all("MPI_Group_excl", { group = "w", ranks = "0,1,2,3", newgroup = "g" }) end },
  { "range-excl", function(world)
    world:all("MPI_Group_range_excl", { group = "w", ranges = "3/0/-1", newgroup = "g" })
  end },
  { "intersection", function(world)
    including(world, "a", "0,2")
    including(world, "b", "3,1")
    world:all("MPI_Group_intersection", { group1 = "a", group2 = "b", newgroup = "g" })
  end },
  { "difference", function(world)
    world:all("MPI_Group_difference", { group1 = "w", group2 = "w", newgroup = "g" })
  end } } do
  case {
    id = "group-of-nobody-by-" .. name,
    title = "A group of nobody has the size 0, is MPI_GROUP_EMPTY, and makes no communicator: MPI_Group_"
      .. name:gsub("-", "_"),
    purpose = "In all four processes; MPI_Comm_create gives all MPI_COMM_NULL. A union with it has the processes of the other group.",
    requirements = { "IMPI-192" },
    run = function(t)
      local world = t:two_clients(REQ)
      world:all("MPI_Comm_group", { comm = "MPI_COMM_WORLD", group = "w" })
      make(world)
      world:all("MPI_Group_union", { group1 = "g", group2 = "w", newgroup = "u" })
      local made = world:all("MPI_Comm_create", { comm = "MPI_COMM_WORLD", group = "g", newcomm = "c" })
      for number = 0, 3 do
        local rank = world[number]
        t:equal(REQ, "its size at rank " .. number, world:must_succeed(rank:MPI_Group_size { group = "g" }).size, 0)
        t:equal(REQ, "compared with MPI_GROUP_EMPTY at rank " .. number, world:must_succeed(rank:MPI_Group_compare {
          group1 = "g", group2 = "MPI_GROUP_EMPTY" }).result, "MPI_IDENT")
        t:equal(REQ, "its union with the world's at rank " .. number,
          world:must_succeed(rank:MPI_Group_compare { group1 = "u", group2 = "w" }).result, "MPI_IDENT")
        t:equal(REQ, "what MPI_Comm_create gives rank " .. number, made[number].newcomm, "MPI_COMM_NULL")
      end
    end,
  }
end

-- { what, ranks of one, ranks of the other, what MPI_Group_compare says, what MPI_Comm_compare says }
local COMPARED = {
  { "the same in the same order", "0,1,2,3", "0,1,2,3", "MPI_IDENT", "MPI_CONGRUENT" },
  { "the same in another order", "0,1,2,3", "2,1,0,3", "MPI_SIMILAR", "MPI_SIMILAR" },
  { "others", "0,1,2", "0,1,3", "MPI_UNEQUAL", "MPI_UNEQUAL" },
  { "fewer", "0,1,2,3", "0,1", "MPI_UNEQUAL", "MPI_UNEQUAL" },
}

case {
  id = "group-compare",
  title = "Groups and communicators are compared by their members and their order",
  purpose = "Pairs of groups, and of communicators that MPI_Comm_create makes of them: identical, similar, unequal; a communicator is identical with itself alone.",
  requirements = { "IMPI-192" },
  run = function(t)
    local world = t:two_clients(REQ)
    world:all("MPI_Comm_group", { comm = "MPI_COMM_WORLD", group = "w" })
    for i, row in ipairs(COMPARED) do
      local what, one, other, of_groups, of_comms = table.unpack(row, 1, 5)
      including(world, "a" .. i, one)
      including(world, "b" .. i, other)
      for _, name in ipairs { "a", "b" } do
        world:all("MPI_Comm_create", { comm = "MPI_COMM_WORLD", group = name .. i, newcomm = "c" .. name .. i })
      end
      local results = world:all("MPI_Group_compare", { group1 = "a" .. i, group2 = "b" .. i })
      for number = 0, 3 do
        t:equal(REQ, "MPI_Group_compare of " .. what .. " at rank " .. number, results[number].result, of_groups)
      end
      t:equal(REQ, "MPI_Comm_compare of " .. what, world:must_succeed(world[0]:MPI_Comm_compare { comm1 = "ca" .. i,
        comm2 = "cb" .. i }).result, of_comms)
      t:equal(REQ, "MPI_Comm_compare with itself", world:must_succeed(world[0]:MPI_Comm_compare { comm1 = "ca" .. i,
        comm2 = "ca" .. i }).result, "MPI_IDENT")
    end
  end,
}

case {
  id = "group-of-a-duplicate",
  title = "A duplicate has the order of the communicator that it is made from, and a context of its own",
  purpose = "A communicator of ranks 2, 0, 3, 1 of the world is duplicated, and the duplicate too. Three messages of one tag, one on each, the last one's first: each is received on its own communicator.",
  requirements = { "IMPI-192", "IMPI-104" },
  run = function(t)
    local world, order, comms = t:two_clients(REQ), { 2, 0, 3, 1 }, { "c", "d", "e" }
    world:all("MPI_Comm_group", { comm = "MPI_COMM_WORLD", group = "w" })
    including(world, "g", text(order))
    world:all("MPI_Comm_create", { comm = "MPI_COMM_WORLD", group = "g", newcomm = "c" })
    world:all("MPI_Comm_dup", { comm = "c", newcomm = "d" })
    world:all("MPI_Comm_dup", { comm = "d", newcomm = "e" })
    for place, number in ipairs(order) do
      for _, comm in ipairs(comms) do
        t:equal(REQ, "MPI_Comm_rank of rank " .. number .. " in " .. comm,
          t:mpi(world[number]:MPI_Comm_rank { comm = comm }).rank, place - 1)
      end
    end
    for to = 1, 3 do -- to another client, and to the neighbour
      local from, receiver = world[order[1]], world[order[to + 1]]
      for i = 3, 1, -1 do
        from:octets("m" .. i, 20, "mix/" .. i)
        t:mpi(from:MPI_Isend { buf = "m" .. i, count = 20, dest = to, tag = 1, comm = comms[i], request = "q" .. i })
      end
      for i = 1, 3 do
        receiver:octets("room", 20)
        t:rc("IMPI-104", receiver:MPI_Recv { buf = "room", count = 20, source = 0, tag = 1, comm = comms[i] },
          "MPI_SUCCESS")
        t:octets("IMPI-104", "what is received on " .. comms[i], receiver, "room", "mix/" .. i, 0, 20)
        receiver:call("free", { name = "room" })
      end
      t:rc("IMPI-104", from:MPI_Waitall { array_of_requests = "q1,q2,q3" }, "MPI_SUCCESS")
      for i = 1, 3 do from:call("free", { name = "m" .. i }) end
    end
  end,
}
