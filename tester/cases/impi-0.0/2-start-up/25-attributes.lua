-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- How many clients and hosts a communicator has, and on which of them the asking process is (chapter 2.5).

defaults { role = "client", suite = "packets", chapter = "2.5" }

-- The value of an attribute; judges by IMPI-098 that a program can name it, that it is there and can be read as an int.
local function value(t, rank, comm, name)
  local lacks = tostring(rank:call("describe", {}).lacks)
  t:check("IMPI-098", name .. " in mpi.h", not lacks:find(name, 1, true), "a key of that name", "none")
  local result = t:rc("IMPI-098", rank:MPI_Attr_get { comm = comm, keyval = name }, "MPI_SUCCESS")
  t:check("IMPI-098", name .. " of " .. comm, result.flag and math.type(result.attribute_val), "an int",
    Values.show(result.attribute_val))
  return result.attribute_val
end

-- Judges that a colour lies between 0 and the number of colours less one, whichever it is.
local function judge_bounds(t, req, what, color, colors)
  t:check(req, what, color >= 0 and color < colors, "0 to " .. colors - 1, color)
end

-- Judges sizes and client's colour.
local function judge(t, rank, comm, req, clients, hosts, color)
  t:equal(req, "IMPI_CLIENT_SIZE of " .. comm, value(t, rank, comm, "IMPI_CLIENT_SIZE"), clients)
  t:equal(req, "IMPI_HOST_SIZE of " .. comm, value(t, rank, comm, "IMPI_HOST_SIZE"), hosts)
  local found = value(t, rank, comm, "IMPI_CLIENT_COLOR")
  judge_bounds(t, "IMPI-094", "IMPI_CLIENT_COLOR of " .. comm, found, clients)
  t:equal(req == "IMPI-093" and "IMPI-094" or req, "IMPI_CLIENT_COLOR of " .. comm, found, color)
end

for _, row in ipairs { { "one-client", {}, 1, 1 }, { "two-clients", { { hosts = { 1, 2 } } }, 2, 3 },
    { "five-clients", { {}, { hosts = { 1, 1, 1 } }, {}, { hosts = { 2 } } }, 5, 7 } } do
  local name, others, clients, hosts = row[1], row[2], row[3], row[4]
  case {
    id = "attributes-of-the-world-" .. name,
    title = string.format("MPI_COMM_WORLD of %d client(s) and %d host(s) says so", clients, hosts),
    purpose = "The client under test has one host and is the last one: its colour is the largest.",
    requirements = { "IMPI-093", "IMPI-094", "IMPI-098" },
    run = function(t)
      local job = t:impi_job { others = others }:open()
      judge(t, job.ranks[0], "MPI_COMM_WORLD", "IMPI-093", clients, hosts, clients - 1)
    end,
  }
end

for place = 0, 2 do
  case {
    id = "attributes-color-of-client-" .. place,
    title = "The colour of client " .. place .. " of three is " .. place .. ", for all its processes",
    purpose = "Colours are equal within a client and rise in the order of MPI_COMM_WORLD. Clients below the one under test have several hosts.",
    requirements = { "IMPI-094", "IMPI-098" }, ranks = 2, incoming = place < 2,
    run = function(t)
      local job = t:impi_job { rank = place, np = 2, others = { { hosts = { 1, 1 } }, { hosts = { 2, 1 } } } }:open()
      for i = 0, 1 do
        t:equal("IMPI-094", "IMPI_CLIENT_COLOR of rank " .. job.ranks[i].world,
          value(t, job.ranks[i], "MPI_COMM_WORLD", "IMPI_CLIENT_COLOR"), place)
      end
    end,
  }
end

case {
  id = "attributes-color-of-the-host",
  title = "IMPI_HOST_COLOR tells hosts apart",
  purpose = "The first client has two hosts; the host under test is the third. Read as the sentence is printed, the colour would be the client's.",
  requirements = { "IMPI-095", "IMPI-098" }, ranks = 2,
  run = function(t)
    local job = t:impi_job { np = 2, others = { { hosts = { 1, 1 } } } }:open()
    local colors = {}
    for i = 0, 1 do colors[i] = value(t, job.ranks[i], "MPI_COMM_WORLD", "IMPI_HOST_COLOR") end
    t:equal("IMPI-095", "colours of two processes of one host", colors[0], colors[1])
    t:reading("IMPI-095", "host_color", "IMPI_HOST_COLOR", colors[0], { { "host", 2 }, { "client", 1 } })
  end,
}

case {
  id = "attributes-colors-of-two-hosts",
  title = "Processes of two hosts of one client have different host colours and the same client's colour",
  purpose = "The client under test has two hosts with two processes each, below them a scripted host. Also in a communicator that leaves that one out.",
  requirements = { "IMPI-094", "IMPI-095", "IMPI-098" }, ranks = 4, hosts = true,
  run = function(t)
    local job = t:impi_job { np = 4, hosts = 2 }:open()
    t:judging("IMPI-095")
    job:create("own", "1,2,3,4")
    for i = 0, 3 do
      local rank = job.ranks[i]
      local host = job.processes[rank.world].host.rank
      t:reading("IMPI-095", "host_color", "IMPI_HOST_COLOR of rank " .. rank.world .. " without the first client",
        value(t, rank, "own", "IMPI_HOST_COLOR"), { { "host", host - 1 }, { "client", 0 } })
    end
    local colors = {}
    for i = 0, 3 do
      local rank = job.ranks[i]
      local host = job.processes[rank.world].host.rank
      t:equal("IMPI-094", "IMPI_CLIENT_COLOR of rank " .. rank.world, value(t, rank, "MPI_COMM_WORLD",
        "IMPI_CLIENT_COLOR"), 1)
      colors[i] = value(t, rank, "MPI_COMM_WORLD", "IMPI_HOST_COLOR")
      t:reading("IMPI-095", "host_color", "IMPI_HOST_COLOR of rank " .. rank.world, colors[i],
        { { "host", host }, { "client", 1 } })
    end
  end,
}

case {
  id = "attributes-of-self",
  title = "On MPI_COMM_SELF there is one client and one host, of colour 0",
  purpose = "All four attributes count the members of their communicator only, whatever the world is.",
  requirements = { "IMPI-094", "IMPI-095", "IMPI-096", "IMPI-098" }, ranks = 2,
  run = function(t)
    local job = t:impi_job { np = 2, others = { { hosts = { 1, 1 } }, {} } }:open()
    for i = 0, 1 do
      judge(t, job.ranks[i], "MPI_COMM_SELF", "IMPI-096", 1, 1, 0)
      judge_bounds(t, "IMPI-095", "IMPI_HOST_COLOR of MPI_COMM_SELF", value(t, job.ranks[i], "MPI_COMM_SELF",
        "IMPI_HOST_COLOR"), 1)
    end
  end,
}

case {
  id = "attributes-of-new-communicators",
  title = "New communicators have the attributes too, and count their own members",
  purpose = "Three clients with four hosts: a duplicate of the world, and a communicator that leaves the first client out, whose colours are without gaps.",
  requirements = { "IMPI-094", "IMPI-095", "IMPI-096", "IMPI-098" }, ranks = 2,
  run = function(t)
    local job = t:impi_job { np = 2, others = { { hosts = { 1, 1 } }, {} } }:open()
    job:dup("all")
    job:create("rest", "2,3,4")
    job:create("own", "4,3")
    for i = 0, 1 do
      judge(t, job.ranks[i], "all", "IMPI-096", 3, 4, 2)
      judge(t, job.ranks[i], "rest", "IMPI-096", 2, 2, 1)
      judge(t, job.ranks[i], "own", "IMPI-096", 1, 1, 0)
      for comm, hosts in pairs { all = 4, rest = 2, own = 1 } do
        judge_bounds(t, "IMPI-095", "IMPI_HOST_COLOR of " .. comm, value(t, job.ranks[i], comm, "IMPI_HOST_COLOR"),
          hosts)
      end
    end
  end,
}

case {
  id = "attributes-order-is-that-of-the-world",
  title = "Colours rise in the order of MPI_COMM_WORLD, also where ranks are reversed",
  purpose = "A communicator with all ranks of the world in reverse order: the last client still has the largest colour.",
  requirements = { "IMPI-094", "IMPI-098" }, ranks = 2,
  run = function(t)
    local job = t:impi_job { np = 2 }:open()
    job:create("r", "2,1,0")
    for i = 0, 1 do
      t:equal("IMPI-094", "IMPI_CLIENT_COLOR", value(t, job.ranks[i], "r", "IMPI_CLIENT_COLOR"), 1)
    end
  end,
}

case {
  id = "attributes-of-a-part-of-a-client",
  title = "Of a client with several hosts only those count that have a process in the communicator",
  purpose = "Three clients with two, two and one hosts. The communicators have one host of the first, one of the second, both in another order than the world.",
  requirements = { "IMPI-094", "IMPI-095", "IMPI-096", "IMPI-098" }, ranks = 2,
  run = function(t)
    local job = t:impi_job { np = 2, others = { { hosts = { 1, 2 } }, { hosts = { 1, 1 } } } }:open()
    t:judging("IMPI-096")
    for _, row in ipairs { { "a", "0,4,5", 3, 3, 2 }, { "b", "5,1,6", 2, 2, 1 }, { "c", "5,3,4,2,6,1", 3, 4, 2 },
        { "d", "6,5", 1, 1, 0 } } do
      local name, ranks, clients, hosts, color = table.unpack(row, 1, 5)
      job:create(name, ranks)
      if ranks:find("5") then
        judge(t, job.ranks[0], name, "IMPI-096", clients, hosts, color)
        t:reading("IMPI-095", "host_color", "IMPI_HOST_COLOR of " .. name,
          value(t, job.ranks[0], name, "IMPI_HOST_COLOR"), { { "host", hosts - 1 }, { "client", color } })
      end
    end
  end,
}

-- The four attributes of a communicator in all processes: expected(number) gives them for each rank of the world.
local function judge_all(t, world, comm, expected)
  for number = 0, world.size - 1 do
    for i, name in ipairs { "IMPI_CLIENT_SIZE", "IMPI_CLIENT_COLOR", "IMPI_HOST_SIZE", "IMPI_HOST_COLOR" } do
      t:equal("IMPI-096", string.format("%s of %s at rank %d", name, comm, number), value(t, world[number], comm, name),
        expected(number)[i])
    end
  end
end

case {
  id = "attributes-of-split-and-merged-communicators",
  title = "Communicators that were split off or merged count their own members, however they were made",
  purpose = "Two clients of two processes, all of the system under test: the world is split by clients, and across them; the halves meet and are merged.",
  requirements = { "IMPI-096", "IMPI-098" }, ranks = 2,
  run = function(t)
    local world = t:two_clients("IMPI-096")
    local function alone() return { 1, 0, 1, 0 } end
    local function both(number) return { 2, number // 2, 2, number // 2 } end
    world:each(function(rank, number)
      return rank:start_MPI_Comm_split { comm = "MPI_COMM_WORLD", color = number // 2, key = 0, newcomm = "half" }
    end)
    judge_all(t, world, "half", alone)
    world:each(function(rank, number)
      return rank:start_MPI_Comm_split { comm = "MPI_COMM_WORLD", color = number % 2, key = -number,
        newcomm = "across" }
    end)
    judge_all(t, world, "across", both)
    world:each(function(rank, number)
      return rank:start_MPI_Intercomm_create { local_comm = "half", local_leader = 0, peer_comm = "MPI_COMM_WORLD",
        remote_leader = number < 2 and 2 or 0, tag = 5, newintercomm = "inter" }
    end)
    world:each(function(rank, number)
      return rank:start_MPI_Intercomm_merge { intercomm = "inter", high = number < 2, newintracomm = "merged" }
    end)
    judge_all(t, world, "merged", both)
    world:all("MPI_Comm_dup", { comm = "half", newcomm = "copy" })
    judge_all(t, world, "copy", alone)
  end,
}

case {
  id = "attributes-of-intercommunicators",
  title = "An intercommunicator has the four attributes too, and so has its duplicate",
  purpose = "Its groups are two clients of two processes. Whether the group of the process counts or both do is not said: there are one or two clients and hosts, and colours below that.",
  requirements = { "IMPI-096" }, ranks = 2,
  run = function(t)
    local world = t:two_clients("IMPI-096")
    world:each(function(rank, number)
      return rank:start_MPI_Comm_split { comm = "MPI_COMM_WORLD", color = number // 2, key = 0, newcomm = "half" }
    end)
    world:each(function(rank, number)
      return rank:start_MPI_Intercomm_create { local_comm = "half", local_leader = 0, peer_comm = "MPI_COMM_WORLD",
        remote_leader = number < 2 and 2 or 0, tag = 5, newintercomm = "inter" }
    end)
    world:all("MPI_Comm_dup", { comm = "inter", newcomm = "copy" })
    local function one(rank, comm, name)
      local result = t:rc("IMPI-096", rank:MPI_Attr_get { comm = comm, keyval = name }, "MPI_SUCCESS")
      t:check("IMPI-096", name .. " of " .. comm, result.flag and math.type(result.attribute_val), "an int",
        Values.show(result.attribute_val))
      return result.attribute_val
    end
    for number = 0, world.size - 1 do
      for _, comm in ipairs { "inter", "copy" } do
        for _, what in ipairs { "CLIENT", "HOST" } do
          local size = one(world[number], comm, "IMPI_" .. what .. "_SIZE")
          t:check("IMPI-096", what .. "_SIZE of " .. comm, size == 1 or size == 2, "1 or 2", size)
          local color = one(world[number], comm, "IMPI_" .. what .. "_COLOR")
          judge_bounds(t, "IMPI-096", what .. "_COLOR of " .. comm, color, size)
        end
      end
    end
  end,
}

case {
  id = "attributes-sizes-of-parts",
  title = "Sizes count the clients and hosts that a communicator includes, not those that its clients have",
  purpose = "Three clients with three, two and one hosts. Each communicator lacks some hosts of a client that takes part, or a whole client; some have one process.",
  requirements = { "IMPI-093", "IMPI-098" }, ranks = 2,
  run = function(t)
    local job = t:impi_job { np = 2, others = { { hosts = { 1, 1, 2 } }, { hosts = { 1, 1 } } } }:open()
    for _, row in ipairs { { "first", "0,6", 2, 2 }, { "last", "3,7", 2, 2 }, { "two", "6,2,0", 2, 3 },
        { "without", "7,5,4", 2, 3 }, { "each", "4,6,1", 3, 3 }, { "one", "3,2,6,7", 2, 2 },
        { "alone", "7", 1, 1 }, { "both", "7,6", 1, 1 } } do
      local name, ranks, clients, hosts = table.unpack(row, 1, 4)
      job:create(name, ranks)
      for i = 0, 1 do
        if ranks:find(tostring(job.ranks[i].world), 1, true) then
          t:equal("IMPI-093", "IMPI_CLIENT_SIZE of " .. name, value(t, job.ranks[i], name, "IMPI_CLIENT_SIZE"), clients)
          t:equal("IMPI-093", "IMPI_HOST_SIZE of " .. name, value(t, job.ranks[i], name, "IMPI_HOST_SIZE"), hosts)
        end
      end
    end
    for i = 0, 1 do
      for _, name in ipairs { "IMPI_CLIENT_SIZE", "IMPI_HOST_SIZE" } do
        t:equal("IMPI-093", name .. " of MPI_COMM_SELF", value(t, job.ranks[i], "MPI_COMM_SELF", name), 1)
      end
    end
  end,
}
