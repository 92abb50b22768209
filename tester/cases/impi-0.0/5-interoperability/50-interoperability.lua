-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Implementations meet: MPI programs as jobs of two clients of two processes each. Every program runs with the system
-- under test and the reference in all orders; the case of each meeting is one cell of the report's matrix.
-- Ranks 0 and 1 are client 0, ranks 2 and 3 client 1.

local DATALEN = 1000
local LONGEST_MS = 10000 -- what one message, or one round of them, may take by what the last ones took
local PATIENCE_MS = 3 * LONGEST_MS -- and what it may take at most

-- {MPI's type, C's type, octets here, values}: the ends of what external32 can carry are among them.
local TYPES = {
  { "MPI_CHAR", "signed-char", 1, { "0", "65", "122", "127" } },
  { "MPI_UNSIGNED_CHAR", "unsigned-char", 1, { "0", "1", "128", "255" } },
  { "MPI_BYTE", "unsigned-char", 1, { "0", "1", "128", "255" } },
  { "MPI_SHORT", "short", 2, { "-32768", "-1", "258", "32767" } },
  { "MPI_UNSIGNED_SHORT", "unsigned-short", 2, { "0", "1", "258", "65535" } },
  { "MPI_INT", "int", 4, { "-2147483648", "-1", "16909060", "2147483647" } },
  { "MPI_UNSIGNED", "unsigned-int", 4, { "0", "1", "16909060", "4294967295" } },
  { "MPI_LONG", "long", 16, { "-2147483648", "-1", "16909060", "2147483647" } },
  { "MPI_UNSIGNED_LONG", "unsigned-long", 16, { "0", "1", "16909060", "4294967295" } },
  { "MPI_FLOAT", "float", 4, { "0", "-1.5", "0x1.fffffep+127", "0x1p-149" } },
  { "MPI_DOUBLE", "double", 8, { "0", "-1.5", "0x1.fffffffffffffp+1023", "0x1p-1074" } },
  { "MPI_LONG_DOUBLE", "long-double", 16, { "0", "-1.5", "0x1p+16383", "0x1.8p-16382" } },
}

-- The values as the process that wrote them reads them: how a number is written differs, the number does not.
local function send_type(t, world, row, from, to)
  local count = #row[4]
  world[from]:store("here", row[2], row[3] * count, row[4])
  world[to]:octets("there", row[3] * count)
  local receive = world[to]:start_MPI_Recv { buf = "there", count = count, datatype = row[1], source = from, tag = 3,
    status = "status" }
  world:must_succeed(world[from]:MPI_Send { buf = "here", count = count, datatype = row[1], dest = to, tag = 3 })
  world:must_succeed(receive:finish())
  t:equal(world.req, row[1] .. " from " .. world[from].label .. " to " .. world[to].label,
    world[to]:load("there", row[2], count), world[from]:load("here", row[2], count))
  t:equal(world.req, "MPI_Get_count", world[to]:MPI_Get_count { status = "status", datatype = row[1] }.count, count)
  world[from]:call("free", { name = "here" })
  world[to]:call("free", { name = "there" })
end

local function types(t, world)
  for _, row in ipairs(TYPES) do
    send_type(t, world, row, 0, 2)
    send_type(t, world, row, 3, 1)
  end
end

-- How small packets are, and how few may be under way, is the systems' own affair, and nothing says how fast they are.
-- Returns a function of octets: whether so many are worth a try, from how long the last ones took.
local function patience()
  local begun, last = core.now(), 0
  return function(octets)
    local took = core.now() - begun
    begun = core.now()
    local good = last == 0 or took * octets < LONGEST_MS * last
    last = octets
    return good
  end
end

-- Sizes around multiples of the negotiated packet, there and back again.
local function sizes(t, world)
  local worth = patience()
  for _, octets in ipairs { 0, 1, DATALEN - 1, DATALEN, DATALEN + 1, 2 * DATALEN, 20 * DATALEN + 1, 300000 } do
    if not worth(octets) and octets > 2 * DATALEN then break end
    local pattern = "mix/" .. octets
    world[1]:octets("ball", octets + 1, pattern)
    world[2]:octets("ball", octets + 1)
    local there = world[2]:start_MPI_Recv { buf = "ball", count = octets, source = 1, tag = 5, status = "s",
      deadline = PATIENCE_MS }
    world:must_succeed(world[1]:MPI_Send { buf = "ball", count = octets, dest = 2, tag = 5, deadline = PATIENCE_MS })
    world:must_succeed(there:finish())
    t:octets(world.req, octets .. " octets there", world[2], "ball", pattern, 0, octets)
    t:equal(world.req, "MPI_Get_count", world[2]:MPI_Get_count { status = "s", datatype = "MPI_BYTE" }.count, octets)
    world[1]:call("fill", { name = "ball", offset = 0, octets = octets + 1, pattern = "byte/0" })
    local back = world[1]:start_MPI_Recv { buf = "ball", count = octets, source = 2, tag = 6, deadline = PATIENCE_MS }
    world:must_succeed(world[2]:MPI_Ssend { buf = "ball", count = octets, dest = 1, tag = 6, deadline = PATIENCE_MS })
    world:must_succeed(back:finish())
    t:octets(world.req, octets .. " octets back", world[1], "ball", pattern, 0, octets)
    for number = 1, 2 do world[number]:call("free", { name = "ball" }) end
  end
end

local function add(rank, amount)
  local value = tonumber(rank:load("token", "int", 1)) + amount
  rank:call("write-values", { name = "token", offset = 0, type = "int", values = tostring(value) })
  return value
end

-- A number goes round; everybody adds its rank. A send may end only when its receiver waits.
local function ring(t, world)
  world:each(function(rank, number)
    rank:store("token", "int", 4, { number == 0 and 1000 or 0 })
  end)
  local total = 1000
  for number = 0, world.size - 1 do
    local next = (number + 1) % world.size
    local receive = world[next]:start_MPI_Irecv { buf = "token", count = 1, datatype = "MPI_INT", source = number,
      tag = 1, request = "r" }
    world:must_succeed(receive:finish())
    local waiting = world[next]:start_MPI_Wait { request = "r" }
    world:must_succeed(world[number]:MPI_Send { buf = "token", count = 1, datatype = "MPI_INT", dest = next, tag = 1 })
    world:must_succeed(waiting:finish())
    total = total + next
    t:equal(world.req, "the token at rank " .. next, add(world[next], next), total)
  end
end

-- Workers send results to whoever takes them from any source; each gets an answer, until 24 pieces are done.
local function farm(t, world)
  local done, sum = {}, 0
  world:each(function(rank)
    rank:store("piece", "int", 4, { 0 })
  end)
  for round = 1, 8 do
    for number = 1, world.size - 1 do
      world[number]:call("write-values", { name = "piece", offset = 0, type = "int",
        values = tostring(round * 10 + number) })
      world:must_succeed(world[number]:MPI_Isend { buf = "piece", count = 1, datatype = "MPI_INT", dest = 0,
        tag = number, request = "r" .. round })
    end
    for _ = 1, world.size - 1 do
      local status = world:must_succeed(world[0]:MPI_Recv { buf = "piece", count = 1, datatype = "MPI_INT",
        source = "MPI_ANY_SOURCE", tag = "MPI_ANY_TAG", status = "s" }).status
      t:equal(world.req, "the tag of a piece", status.tag, status.source)
      t:equal(world.req, "the piece of rank " .. tostring(status.source), tonumber(world[0]:load("piece", "int", 1)),
        round * 10 + status.source)
      done[status.source] = (done[status.source] or 0) + 1
      sum = sum + 1
    end
    for number = 1, world.size - 1 do
      world:must_succeed(world[number]:MPI_Wait { request = "r" .. round })
    end
  end
  t:equal(world.req, "pieces", sum, 8 * (world.size - 1))
  t:equal(world.req, "pieces of each worker", done, { 8, 8, 8 })
end

-- Long messages of all processes at once, in both directions between both clients.
local function exchange_octets(t, world, octets)
  world:each(function(rank, number)
    local other = (number + 2) % world.size
    rank:octets("out", octets, "mix/" .. number)
    rank:octets("in", octets)
    world:must_succeed(rank:MPI_Irecv { buf = "in", count = octets, source = other, tag = 7, request = "r" })
    world:must_succeed(rank:MPI_Isend { buf = "out", count = octets, dest = other, tag = 7, request = "s" })
  end)
  world:each(function(rank) return rank:start_MPI_Waitall { array_of_requests = "r,s", deadline = PATIENCE_MS } end)
  for number = 0, world.size - 1 do
    local other = (number + 2) % world.size
    t:octets(world.req, "what rank " .. number .. " has received", world[number], "in", "mix/" .. other, 0, octets)
    world[number]:call("free", { name = "in" })
  end
  world:each(function(rank) rank:call("free", { name = "out" }) end)
end

local function exchange(t, world)
  local worth = patience()
  for _, octets in ipairs { 2000, 20000, 200000 } do
    if not worth(octets) then break end
    exchange_octets(t, world, octets)
  end
end

-- Every second of 8 integers, and a struct of an int and three shorts, arrive as what their type map says.
local function derived(t, world)
  local from, to = world[1], world[3]
  from:store("grid", "int", 32, { 10, 11, 12, 13, 14, 15, 16, 17 })
  to:store("column", "int", 16, { 0, 0, 0, 0 })
  world:must_succeed(from:MPI_Type_vector { count = 4, blocklength = 1, stride = 2, oldtype = "MPI_INT",
    newtype = "second" })
  world:must_succeed(from:MPI_Type_commit { datatype = "second" })
  local receive = to:start_MPI_Recv { buf = "column", count = 4, datatype = "MPI_INT", source = 1, tag = 9 }
  world:must_succeed(from:MPI_Send { buf = "grid", count = 1, datatype = "second", dest = 3, tag = 9 })
  world:must_succeed(receive:finish())
  t:equal(world.req, "every second integer", to:load("column", "int", 4), "10,12,14,16")
  for _, rank in ipairs { from, to } do
    rank:octets("record", 16, "byte/0")
    world:must_succeed(rank:MPI_Type_struct { array_of_blocklengths = "1,3", array_of_displacements = "0,4",
      array_of_types = "MPI_INT,MPI_SHORT", newtype = "mixed" })
    world:must_succeed(rank:MPI_Type_commit { datatype = "mixed" })
  end
  to:call("write-values", { name = "record", offset = 0, type = "int", values = "-77" })
  to:call("write-values", { name = "record", offset = 4, type = "short", values = "1,-2,3" })
  receive = from:start_MPI_Recv { buf = "record", count = 1, datatype = "mixed", source = 3, tag = 9, status = "s" }
  world:must_succeed(to:MPI_Send { buf = "record", count = 1, datatype = "mixed", dest = 1, tag = 9 })
  world:must_succeed(receive:finish())
  t:equal(world.req, "the integer of the struct", from:load("record", "int", 1), "-77")
  t:equal(world.req, "its shorts", tostring(from:call("read-values", { name = "record", offset = 4, type = "short",
    count = 3 }).values), "1,-2,3")
  t:equal(world.req, "MPI_Get_elements", from:MPI_Get_elements { status = "s", datatype = "mixed" }.count, 4)
end

local VISITS, VISIT_MS = 3, 400

-- MPI_Barrier begins in all processes but one, which has not come yet. They have posted receives for its visits.
local function enter(world, late)
  local pending = {}
  for number = 0, world.size - 1 do
    for visit = 1, number ~= late and VISITS or 0 do
      world:must_succeed(world[number]:MPI_Irecv { buf = "token", source = late, tag = 8, request = "visit" .. visit })
    end
    pending[number] = number ~= late and world[number]:start_MPI_Barrier { deadline = 20000 } or nil
  end
  return pending
end

-- The late one visits all others again and again: each has received its message, and has had its opportunity to leave
-- the barrier, before the next one comes; also if it had to hear from others for that. Who receives nothing inside of
-- a barrier has VISIT_MS.
local function visit(world, late, pending)
  local requests, ms = {}, VISIT_MS
  for visit = 1, VISITS do
    for number in pairs(pending) do
      local request = string.format("visit%d-%d", number, visit)
      world:must_succeed(world[late]:MPI_Issend { buf = "token", dest = number, tag = 8, request = request })
      requests[#requests + 1] = request
      ms = world[late]:complete(request, ms) and ms or 0
    end
  end
  return requests
end

-- Nobody leaves a barrier before all have come, whoever comes last.
local function barrier(t, world)
  for number = 0, world.size - 1 do world[number]:octets("token", 1) end
  for late = 0, world.size - 1 do
    local pending = enter(world, late)
    local requests = visit(world, late, pending)
    for number in pairs(pending) do
      t:check(world.req, "rank " .. number .. " is in the barrier", not pending[number]:done(), "while rank " .. late
        .. " is not", "has left it")
    end
    world:must_succeed(world[late]:MPI_Barrier { deadline = 20000 })
    for number, one in pairs(pending) do
      world:must_succeed(one:finish())
      for visit = 1, VISITS do world:must_succeed(world[number]:MPI_Wait { request = "visit" .. visit }) end
    end
    for _, request in ipairs(requests) do world:must_succeed(world[late]:MPI_Wait { request = request }) end
  end
end

local function ints(rank, name, values)
  rank:store(name, "int", 4 * #values, values)
end

-- Communicators of these ranks of the world, each a text; every process is in one of them, by this name. MPI_Comm_split
-- gathers with MPI_Allgather: that is lost with 4.19, so that two implementations need not understand each other in it.
local function partition(world, name, parts)
  world:all("MPI_Comm_group", { comm = "MPI_COMM_WORLD", group = "everybody" })
  for i, ranks in ipairs(parts) do
    world:all("MPI_Group_incl", { group = "everybody", ranks = ranks, newgroup = "part" .. i })
    world:each(function(rank, number)
      return rank:start_MPI_Comm_create { comm = "MPI_COMM_WORLD", group = "part" .. i,
        newcomm = ranks:find(tostring(number), 1, true) and name or "nobody" .. i }
    end)
  end
end

-- MPI_Alltoall of the numbers in "row": how two implementations exchange blocks is lost with 4.22, so that it goes
-- across the clients only where these are alike.
local function exchange_blocks(t, world)
  local comm = world.alike and "MPI_COMM_WORLD" or "own"
  if not world.alike then partition(world, comm, { "0,1", "2,3" }) end
  world:all("MPI_Alltoall", { sendbuf = "row", sendcount = 1, sendtype = "MPI_INT", recvbuf = "got", recvcount = 1,
    recvtype = "MPI_INT", comm = comm })
  for number = 0, world.size - 1 do
    local among, place = {}, 0
    for from = 0, world.size - 1 do
      if world.alike or world.client[from] == world.client[number] then
        if from == number then place = #among end
        among[#among + 1] = from
      end
    end
    for i, from in ipairs(among) do among[i] = 10 * from + place end
    t:equal("IMPI-235", "MPI_Alltoall at rank " .. number, world[number]:load("got", "int", #among),
      table.concat(among, ","))
  end
end

-- What collective calls bring to each process: integers, by every root and both ways across the clients.
local function collectives(t, world)
  local size = world.size
  local function all(req, what, name, count, expected)
    for number = 0, size - 1 do
      t:equal(req, what .. " at rank " .. number, world[number]:load(name, "int", count), expected(number))
    end
  end
  world:each(function(rank, number)
    ints(rank, "one", { number + 1 })
    ints(rank, "row", { 10 * number, 10 * number + 1, 10 * number + 2, 10 * number + 3 })
    ints(rank, "got", { 0, 0, 0, 0 })
  end)
  for root = 0, size - 1 do
    world:each(function(rank, number)
      ints(rank, "word" .. root, { number == root and 500 + root or 0 })
    end)
    world:all("MPI_Bcast", { buffer = "word" .. root, count = 1, datatype = "MPI_INT", root = root,
      comm = "MPI_COMM_WORLD" })
    all("IMPI-222", "MPI_Bcast from " .. root, "word" .. root, 1, function() return tostring(500 + root) end)
    world:all("MPI_Reduce", { sendbuf = "one", recvbuf = "got", count = 1, datatype = "MPI_INT", op = "MPI_SUM",
      root = root, comm = "MPI_COMM_WORLD" })
    t:equal("IMPI-228", "MPI_Reduce to " .. root, world[root]:load("got", "int", 1), "10")
    world:all("MPI_Gather", { sendbuf = "one", sendcount = 1, sendtype = "MPI_INT", recvbuf = "got", recvcount = 1,
      recvtype = "MPI_INT", root = root, comm = "MPI_COMM_WORLD" })
    t:equal("IMPI-231", "MPI_Gather to " .. root, world[root]:load("got", "int", 4), "1,2,3,4")
    world:all("MPI_Scatter", { sendbuf = "row", sendcount = 1, sendtype = "MPI_INT", recvbuf = "got", recvcount = 1,
      recvtype = "MPI_INT", root = root, comm = "MPI_COMM_WORLD" })
    all("IMPI-232", "MPI_Scatter from " .. root, "got", 1, function(number) return tostring(10 * root + number) end)
  end
  world:all("MPI_Allreduce", { sendbuf = "one", recvbuf = "got", count = 1, datatype = "MPI_INT", op = "MPI_MAX",
    comm = "MPI_COMM_WORLD" })
  all("IMPI-228", "MPI_Allreduce", "got", 1, function() return "4" end)
  world:all("MPI_Scan", { sendbuf = "one", recvbuf = "got", count = 1, datatype = "MPI_INT", op = "MPI_SUM",
    comm = "MPI_COMM_WORLD" })
  all("IMPI-228", "MPI_Scan", "got", 1, function(number) return tostring((number + 1) * (number + 2) // 2) end)
  exchange_blocks(t, world)
end

-- Messages of two communicators with equal tags do not mix; a communicator across the clients has its own ranks.
local function contexts(t, world)
  world:each(function(rank, number)
    rank:store("one", "int", 4, { 100 + number })
    rank:store("two", "int", 4, { 0 })
  end)
  world:all("MPI_Comm_dup", { comm = "MPI_COMM_WORLD", newcomm = "copy" })
  world:must_succeed(world[0]:MPI_Isend { buf = "one", count = 1, datatype = "MPI_INT", dest = 2, tag = 4,
    request = "w" })
  local receive = world[2]:start_MPI_Irecv { buf = "two", count = 1, datatype = "MPI_INT", source = 0, tag = 4,
    comm = "copy", request = "c" }
  world:must_succeed(receive:finish())
  t:equal(world.req, "a message on the world is there", world[2]:call("arrived", { source = 0, tag = 4,
    comm = "MPI_COMM_WORLD", ms = 10000 }, { deadline = 20000 }).flag, true)
  t:equal(world.req, "a receive on the copy, with a message on the world",
    world[2]:call("complete", { request = "c", ms = 100 }, { deadline = 10000 }).flag, false)
  world[1]:store("three", "int", 4, { 0 })
  world[0]:store("three", "int", 4, { 300 })
  world:must_succeed(world[0]:MPI_Isend { buf = "three", count = 1, datatype = "MPI_INT", dest = 2, tag = 4,
    comm = "copy", request = "x" })
  world:must_succeed(world[2]:MPI_Wait { request = "c" })
  t:equal(world.req, "what came on the copy", world[2]:load("two", "int", 1), "300")
  world:must_succeed(world[2]:MPI_Recv { buf = "two", count = 1, datatype = "MPI_INT", source = 0, tag = 4 })
  t:equal(world.req, "what came on the world", world[2]:load("two", "int", 1), "100")
  world:must_succeed(world[0]:MPI_Wait { request = "w" })
  world:must_succeed(world[0]:MPI_Wait { request = "x" })
  if world.alike then
    world:each(function(rank, number)
      return rank:start_MPI_Comm_split { comm = "MPI_COMM_WORLD", color = number % 2, key = -number, newcomm = "half" }
    end)
  else
    partition(world, "half", { "2,0", "3,1" })
  end
  local ranks = {}
  for number, result in pairs(world:all("MPI_Comm_rank", { comm = "half" })) do
    ranks[number + 1] = result.rank
  end
  t:equal(world.req, "ranks in the halves, which fall", ranks, { 1, 1, 0, 0 })
end

-- A synchronous send that nobody receives is cancelled; what is sent behind it arrives. A receive is cancelled too.
local function cancel(t, world)
  world[0]:store("one", "int", 4, { 1 })
  world[2]:store("two", "int", 4, { 0 })
  world:must_succeed(world[0]:MPI_Issend { buf = "one", count = 1, datatype = "MPI_INT", dest = 2, tag = 8,
    request = "r" })
  world:must_succeed(world[0]:MPI_Cancel { request = "r" })
  local nudge = world[2]:start("progress", { comm = "MPI_COMM_WORLD", ms = 500 })
  world:must_succeed(world[0]:MPI_Wait { request = "r", status = "s" })
  nudge:finish()
  t:equal(world.req, "the send is cancelled", world[0]:MPI_Test_cancelled { status = "s" }.flag, true)
  world[0]:call("write-values", { name = "one", offset = 0, type = "int", values = "2" })
  local receive = world[2]:start_MPI_Recv { buf = "two", count = 1, datatype = "MPI_INT", source = 0, tag = 8 }
  world:must_succeed(world[0]:MPI_Send { buf = "one", count = 1, datatype = "MPI_INT", dest = 2, tag = 8 })
  world:must_succeed(receive:finish())
  t:equal(world.req, "what is received", world[2]:load("two", "int", 1), "2")
  world[3]:octets("two", 4)
  world:must_succeed(world[3]:MPI_Irecv { buf = "two", count = 0, source = "MPI_ANY_SOURCE", tag = 8, request = "r" })
  world:must_succeed(world[3]:MPI_Cancel { request = "r" })
  world:must_succeed(world[3]:MPI_Wait { request = "r", status = "s" })
  t:equal(world.req, "the receive is cancelled", world[3]:MPI_Test_cancelled { status = "s" }.flag, true)
end

-- Probe tells source, tag and size before a message is received, in the order of the messages of a pair.
local function probe(t, world)
  world[3]:octets("out", 5000, "mix/3")
  world[0]:octets("in", 5000)
  for tag, octets in ipairs { 17, DATALEN, 5000 } do
    world:must_succeed(world[3]:MPI_Isend { buf = "out", count = octets, dest = 0, tag = tag, request = "r" .. tag })
  end
  for tag, octets in ipairs { 17, DATALEN, 5000 } do
    local found = world:must_succeed(world[0]:MPI_Probe { source = "MPI_ANY_SOURCE", tag = "MPI_ANY_TAG",
      status = "s" })
    t:equal(world.req, "source and tag", { found.status.source, found.status.tag }, { 3, tag })
    t:equal(world.req, "octets", world[0]:MPI_Get_count { status = "s", datatype = "MPI_BYTE" }.count, octets)
    world:must_succeed(world[0]:MPI_Recv { buf = "in", count = 5000, source = 3, tag = tag })
    t:octets(world.req, "what was received", world[0], "in", "mix/3", 0, octets)
    world:must_succeed(world[3]:MPI_Wait { request = "r" .. tag })
  end
end

-- The four attributes of IMPI: two clients of one host each.
local function attributes(t, world)
  for number = 0, world.size - 1 do
    if tostring(world[number]:call("describe", {}).lacks):find("IMPI_CLIENT_SIZE", 1, true) then
      t:skip("the header of " .. world[number].label .. " lacks the constants of IMPI")
    end
  end
  for name, expected in pairs { IMPI_CLIENT_SIZE = { 2, 2, 2, 2 }, IMPI_CLIENT_COLOR = { 0, 0, 1, 1 },
    IMPI_HOST_SIZE = { 2, 2, 2, 2 }, IMPI_HOST_COLOR = { 0, 0, 1, 1 } } do
    local observed = {}
    for number = 0, world.size - 1 do
      local result = world:must_succeed(world[number]:MPI_Attr_get { comm = "MPI_COMM_WORLD", keyval = name })
      observed[number + 1] = result.flag and result.attribute_val or "none"
    end
    t:equal(world.req, name, observed, expected)
  end
end

-- {name, requirement, chapter, what it does, function [, environment [, further requirements]]}
local PROGRAMS = {
  { "types", "IMPI-003", "1.2.2", "all basic types, their least and largest values, in both directions", types },
  { "sizes", "IMPI-061", "3.6", "messages of sizes around the packet's limit, there and back", sizes,
    { IMPI_DATALEN = tostring(DATALEN) } },
  { "ring", "IMPI-073", "2.3.5", "a token goes round all processes", ring },
  { "farm", "IMPI-099", "3.1", "one process takes from any source what all others send", farm },
  { "exchange", "IMPI-099", "3.1", "long messages of all processes at once, both ways", exchange },
  { "flow", "IMPI-126", "3.6", "the same with one packet under way at a time", exchange,
    { IMPI_DATALEN = "5000", IMPI_ACKMARK = "1", IMPI_HIWATER = "1" } },
  { "derived", "IMPI-005", "1.2.2", "a column of a grid, and a struct", derived },
  { "probe", "IMPI-099", "3.1", "messages are probed before they are received", probe },
  { "contexts", "IMPI-103", "3.3", "communicators that must not mix", contexts },
  { "barrier", "IMPI-088", "2.4", "a barrier in which each process in turn comes last", barrier },
  { "collectives", "IMPI-222", "4", "collective calls of all kinds, by every root", collectives, nil,
    { "IMPI-228", "IMPI-231", "IMPI-232", "IMPI-235" } },
  { "cancel", "IMPI-099", "3.1", "a send and a receive are cancelled", cancel },
  { "attributes", "IMPI-096", "2.5", "the attributes of clients and hosts", attributes },
}

-- {role of the system under test, server, client 0, client 1}
local MEETINGS = {
  { "client", "reference", "sut", "sut" }, { "client", "reference", "sut", "reference" },
  { "client", "reference", "reference", "sut" }, { "client", "reference", "reference", "reference" },
  { "client", "sut", "sut", "sut" }, { "client", "sut", "sut", "reference" },
  { "client", "sut", "reference", "sut" }, { "client", "sut", "reference", "reference" },
  { "server", "sut", "reference", "reference" },
}

local function letters_of(meeting)
  local short = { sut = "s", reference = "r" }
  return short[meeting[2]] .. short[meeting[3]] .. short[meeting[4]]
end

for _, meeting in ipairs(MEETINGS) do
  for _, program in ipairs(PROGRAMS) do
    local name, req, chapter, about, run, env, more = table.unpack(program, 1, 7)
    local cell = { meeting[2], meeting[3], meeting[4], name }
    case {
      id = string.format("meet-%s-%s-%s", name, meeting[1], letters_of(meeting)),
      title = string.format("%s: server %s, clients %s and %s", name, meeting[2], meeting[3], meeting[4]),
      purpose = "An MPI program runs as one job of two clients: " .. about .. ". Then the job ends in good order.",
      suite = "interop",
      role = meeting[1],
      chapter = chapter,
      ranks = 2,
      incoming = meeting[3] == "sut" and meeting[4] == "reference", -- the later client's host connects to the earlier's
      deadline = 90,
      cell = cell,
      requirements = { req, "IMPI-077", table.unpack(more or {}) },
      run = function(t)
        local world = t:interoperate(cell, req, env)
        run(t, world)
        world:finish("IMPI-077")
      end,
    }
  end
end
