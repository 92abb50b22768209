-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Reduce: what its messages are, the local phase, and the linear form among the masters (chapter 4.16). The sums
-- are such that everybody who is in them can be told (Operand.digits).

defaults { role = "client", suite = "collective", chapter = "4.16" }

local DIGITS, SUM = Operand.digits, Operand.sum

-- A job of three clients: ranks 0 and 1, ranks 2 to 4 under test, rank 5.
local function of_three(t)
  return t:job_of_clients(1, 3, { np = 3, others = { { hosts = { 2 } }, { hosts = { 1 } } } })
end

---- messages (IMPI-223) ----------------------------------------------------------------------------------------------

-- { name, clients, place, whether the operation commutes, ranks that send, receiver }
local MARKS = {
  { "linear", 2, 1, true, { 1 }, 0 }, { "tree", 6, 5, true, { 5 }, 4 }, { "in-order", 2, 1, false, { 1, 2 }, 0 },
}

for name, count, place, commutes, senders, receiver in each(MARKS) do
  case {
    id = "reduce-message-" .. name,
    title = "A message of MPI_Reduce on MPI_COMM_WORLD has tag 190 and context identifier 1",
    purpose = string.format("%d process(es) under test, last of %d clients; the messages go to rank %d.", #senders,
      count, receiver),
    requirements = { "IMPI-223" }, ranks = #senders,
    run = function(t)
      local job = t:job_of_clients(place, count, { np = #senders })
      job:op("op", "sum-int", commutes)
      job:start_collective("MPI_Reduce", { value = DIGITS, root = 0, op = "op" })
      local packets, expected = job:receive_to_fence(#senders), {}
      for i, sender in ipairs(senders) do expected[i] = { sender, receiver, DIGITS(sender) } end
      t:expect_messages("IMPI-223", "the messages", packets, expected)
      t:expect_tag_and_context("IMPI-223", name, packets, 190, 1)
    end,
  }
end

case {
  id = "reduce-message-of-new-communicators",
  title = "MPI_Reduce goes over the context identifier behind that of the communicator",
  purpose = "On two new communicators and the world, in turns: one more than what was agreed on.",
  requirements = { "IMPI-223" },
  run = function(t)
    local job = t:job_of_clients(1, 2)
    local cids = { MPI_COMM_WORLD = 0, a = job:dup("a"), b = job:dup("b", 101) }
    for _, comm in ipairs { "b", "MPI_COMM_WORLD", "a" } do
      job:start_collective("MPI_Reduce", { value = DIGITS, root = 0, comm = comm })
      local packets = job:receive_to_fence(1)
      t:expect_messages("IMPI-223", "the messages on " .. comm, packets, { { 1, 0, DIGITS(1) } })
      t:expect_tag_and_context("IMPI-223", "on " .. comm, packets, 190, cids[comm] + 1)
      t:collective_completes("IMPI-223", "on " .. comm, job)
    end
  end,
}

-- What is no operand, although it looks like one.
local UNRELATED = {
  { "of-the-program", "a message of the program with the tag of MPI_Reduce", { tag = 190, cid = 0 } },
  { "with-another-tag", "a collective message with another tag", { tag = 191, cid = 1 } },
  { "of-another-communicator", "a message on another communicator's context", { tag = 190, cid = 3 } },
}

for name, words, fields in each(UNRELATED) do
  case {
    id = "reduce-does-not-take-a-message-" .. name,
    title = "MPI_Reduce does not take " .. words .. " for an operand",
    purpose = "The process under test is the root. Such a message comes first, then the operand: the sum has the operand alone.",
    requirements = { "IMPI-223" }, incoming = true,
    run = function(t)
      local job = t:job_of_clients(0, 2)
      job:send_operand(1, 0, SUM { 5, 6 }, fields):start_collective("MPI_Reduce", { value = DIGITS, root = 0 })
      t:expect_messages("IMPI-223", "messages behind it", job:receive_to_fence(0), {})
      if t:collective_blocks("IMPI-223", "before the operand", job) then
        job:send_operand(1, 0, DIGITS(1))
        t:collective_completes("IMPI-223", "behind the operand", job, { [0] = SUM { 0, 1 } })
      end
    end,
  }
end

---- the local phase (IMPI-224) ---------------------------------------------------------------------------------------

-- { operation, operands by rank, what those of ranks 2 to 4 come to }
local LOCAL = {
  { "MPI_SUM", DIGITS, SUM { 2, 3, 4 } },
  { "op", DIGITS, SUM { 2, 3, 4 } },
  { "op-2", DIGITS, SUM { 2, 3, 4 } },
  { "op-minus", DIGITS, SUM { 2, 3, 4 } },
  { "MPI_MAX", function(world) return { -world, world, (world * 3) % 5 } end, { -2, 4, 4 } },
  { "MPI_BXOR", function(world) return { 1 << world, 7 } end, { 28, 7 } },
  { "MPI_PROD", function(world) return { world, -1 } end, { 24, -1 } },
  { "MPI_MIN", function(world) return { -world, (world * 3) % 5 } end, { -4, 1 } },
}

case {
  id = "reduce-one-message-for-a-client",
  title = "A client's processes are combined before one message goes to the root",
  purpose = "Three processes under test, eight operations, roots in other clients, masters and not: each time one message, from the master to the root, and nothing else. That an operation of the program commutes is said by any value but 0.",
  requirements = { "IMPI-224" }, ranks = 3, incoming = true,
  run = function(t)
    local job = of_three(t)
    for op, commutes in each { { "op", true }, { "op-2", 2 }, { "op-minus", -1 } } do
      job:op(op, "sum-int", commutes)
    end
    for i, row in ipairs(LOCAL) do
      local op, root = row[1], ({ 0, 1, 5 })[i % 3 + 1]
      local what = op .. ", root " .. root
      job:start_collective("MPI_Reduce", { value = row[2], root = root, op = op })
      if not t:expect_messages("IMPI-224", what .. ": the messages", job:receive_to_fence(1), { { 2, root, row[3] } })
          or not t:collective_completes("IMPI-224", what, job) then
        return
      end
    end
  end,
}

-- Values and places, of two elements; what those of ranks 2 to 4 come to.
local function places(world)
  return { world % 3, world, 9 - world, 10 * world }
end

case {
  id = "reduce-one-message-of-pairs",
  title = "Values with their places are combined within a client before one message goes to the root",
  purpose = "MPI_MAXLOC and MPI_MINLOC of two MPI_2INT of each of three processes under test, to roots in other clients: one message, from the master to the root.",
  requirements = { "IMPI-224" }, ranks = 3, incoming = true,
  run = function(t)
    local job = of_three(t)
    job:needs("datalen", 16)
    for op, root, whole in each { { "MPI_MAXLOC", 0, { 2, 2, 7, 20 } }, { "MPI_MINLOC", 5, { 0, 3, 5, 40 } } } do
      job:start_collective("MPI_Reduce", { value = places, root = root, op = op, datatype = "MPI_2INT", count = 2 })
      if not t:expect_messages("IMPI-224", op .. ": the messages", job:receive_to_fence(1), { { 2, root, whole } })
          or not t:collective_completes("IMPI-224", op, job) then
        return
      end
    end
  end,
}

case {
  id = "reduce-one-message-of-a-derived-type",
  title = "Operands of a derived datatype are combined within a client before one message goes to the root",
  purpose = "Three elements of a datatype of one int, by an operation of the program that commutes, of each of three processes under test: one message, from the master to the root.",
  requirements = { "IMPI-224" }, ranks = 3, incoming = true,
  run = function(t)
    local job = of_three(t)
    t:skip_if(not tostring(job.ranks[0]:call("describe", {}).functions):find("sum-last", 1, true),
      "the interpreter has no operation that looks at the datatype")
    for i = 0, 2 do
      t:mpi(job.ranks[i]:MPI_Type_contiguous { count = 1, oldtype = "MPI_INT", newtype = "one" })
      t:mpi(job.ranks[i]:MPI_Type_commit { datatype = "one" })
    end
    job:op("last", "sum-last", true)
    for _, root in ipairs { 0, 1, 5 } do
      job:start_collective("MPI_Reduce", { value = DIGITS, root = root, op = "last", datatype = "one" })
      if not t:expect_messages("IMPI-224", "root " .. root, job:receive_to_fence(1), { { 2, root, SUM { 2, 3, 4 } } })
          or not t:collective_completes("IMPI-224", "root " .. root, job) then
        return
      end
    end
  end,
}

for late = 0, 2 do
  case {
    id = "reduce-master-waits-for-process-" .. late,
    title = string.format("Nothing leaves the client before its process %d has called MPI_Reduce", late),
    purpose = "Two of three processes under test have called it: silence. Then the third one does, and one message comes.",
    requirements = { "IMPI-224" }, ranks = 3, incoming = true,
    run = function(t)
      local job = of_three(t)
      job:start_collective("MPI_Reduce", { value = DIGITS, root = 1, places = { (late + 1) % 3, (late + 2) % 3 } })
      if t:expect_messages("IMPI-224", "messages while a process is missing", job:receive_to_fence(0), {}) then
        job:start_collective("MPI_Reduce", { value = DIGITS, root = 1, places = { late } })
        t:expect_messages("IMPI-224", "messages when all are there", job:receive_to_fence(1),
          { { 2, 1, SUM { 2, 3, 4 } } })
      end
    end,
  }
end

for root = 2, 4 do
  case {
    id = "reduce-root-hears-one-message-of-a-client-" .. root,
    title = "The root takes one message from each other client's master",
    purpose = string.format("Rank %d under test is the root; only ranks 0 and 5, masters, send to it. No process "
      .. "under test sends anything.", root),
    requirements = { "IMPI-224" }, ranks = 3, incoming = true,
    run = function(t)
      local job = of_three(t)
      job:start_collective("MPI_Reduce", { value = DIGITS, root = root }):send_operand(5, root,
        DIGITS(5)):send_operand(0, root, SUM { 0, 1 })
      if t:collective_completes("IMPI-224", "root " .. root, job, { [root - 2] = SUM { 0, 1, 2, 3, 4, 5 } }) then
        t:expect_messages("IMPI-224", "messages of those under test", job.besides, {})
        t:expect_messages("IMPI-224", "messages until the job ends", job:remaining_packets(), {})
      end
    end,
  }
end

case {
  id = "reduce-master-of-a-permuted-communicator",
  title = "In MPI_Reduce a client's process of lowest rank in the communicator speaks for it",
  purpose = "Ranks 2, 0, 1 of the world are not in their order: rank 4 of the world is the client's master there. Roots 0 and 3 of the communicator are scripted, roots 1 and 4 under test.",
  requirements = { "IMPI-224" }, ranks = 3, incoming = true,
  run = function(t)
    local job = of_three(t)
    local cid = job:create("c", "5,4,2,1,3,0") + 1
    for _, row in ipairs { { 0, 5 }, { 3, 1 } } do
      job:start_collective("MPI_Reduce", { value = DIGITS, root = row[1], comm = "c" })
      if not t:expect_messages("IMPI-224", "root " .. row[1], job:receive_to_fence(1),
        { { 4, row[2], SUM { 2, 3, 4 } } }) then
        return
      end
      t:collective_completes("IMPI-224", "root " .. row[1], job)
    end
    for _, row in ipairs { { 1, 4 }, { 4, 3 } } do
      job:start_collective("MPI_Reduce", { value = DIGITS, root = row[1], comm = "c" })
      job:send_operand(1, row[2], SUM { 0, 1 }, { cid = cid, lsrank = 3 }):send_operand(5, row[2], DIGITS(5),
        { cid = cid, lsrank = 0 })
      if not t:collective_completes("IMPI-224", "root " .. row[1], job,
        { [row[2] - 2] = SUM { 0, 1, 2, 3, 4, 5 } }) then
        return
      end
    end
  end,
}

case {
  id = "reduce-within-one-client",
  title = "MPI_Reduce on a communicator of one client sends nothing to others",
  purpose = "Three processes under test have a communicator of their own: the sum is right for every root, and there is silence between the clients.",
  requirements = { "IMPI-182", "IMPI-224" }, ranks = 3, incoming = true,
  run = function(t)
    local job = of_three(t)
    job:create("native", "3,4,2")
    t:judging("IMPI-224")
    for root, place in ipairs { 1, 2, 0 } do
      job:start_collective("MPI_Reduce", { value = DIGITS, root = root - 1, comm = "native" })
      t:collective_completes("IMPI-224", "root " .. root - 1, job, { [place] = SUM { 2, 3, 4 } })
      t:equal("IMPI-182", "messages to other clients", #job.besides + #job:receive_to_fence(0), 0)
    end
  end,
}

---- the linear form (IMPI-225) ---------------------------------------------------------------------------------------

-- { operation, datatype, C type, how a number travels, operands of ranks 0 to 2, the result [, elements] }
local OPERATIONS = {
  { "MPI_SUM", "MPI_INT", "int", ">i4", { DIGITS(0), DIGITS(1), DIGITS(2) }, SUM { 0, 1, 2 } },
  { "MPI_MAX", "MPI_INT", "int", ">i4", { { 9, -1, 0 }, { 2, 8, -7 }, { 1, 1, 5 } }, { 9, 8, 5 } },
  { "MPI_MIN", "MPI_INT", "int", ">i4", { { 9, -1, 0 }, { 2, 8, -7 }, { 1, 1, 5 } }, { 1, -1, -7 } },
  { "MPI_PROD", "MPI_DOUBLE", "double", ">d", { { 2, 0.5 }, { 3, -8 }, { 5, 3 } }, { "30", "-12" } },
  { "MPI_BXOR", "MPI_UNSIGNED", "unsigned-int", ">I4", { { 1, 4294967295 }, { 2, 1 }, { 4, 2 } },
    { 7, 4294967292 } },
  { "MPI_LAND", "MPI_INT", "int", ">i4", { { 1, 0, 1, 1 }, { 1, 1, 0, 1 }, { 1, 1, 1, 0 } }, { 1, 0, 0, 0 } },
  { "MPI_MINLOC", "MPI_2INT", "int", ">i4", { { 4, 10, 7, 11 }, { 4, 8, 9, 3 }, { 6, 1, 7, 2 } },
    { 4, 8, 7, 2 }, 2 },
}

-- One reduction to the rank under test. Whether it ends.
local function reduce_by(t, job, root, row)
  local op, datatype, kind, format, operands, whole, elements = table.unpack(row, 1, 7)
  job:start_collective("MPI_Reduce", { value = function(world) return operands[world + 1] end, root = root, op = op,
    datatype = datatype, kind = kind, count = elements })
  for from = 2, 0, -1 do
    if from ~= root then
      job:send_operand(from, root, operands[from + 1], { format = format })
    end
  end
  return t:collective_completes("IMPI-225", op, job, { [0] = whole })
    and t:expect_messages("IMPI-225", op .. ": messages of the root", job.besides, {})
end

for root = 0, 2 do
  case {
    id = "reduce-linear-to-" .. root,
    title = string.format("The root among three masters, master %d, combines every one of them, exactly", root),
    purpose = "Sum, maximum, minimum, product, exclusive or, and, the place of the least: the others send in falling order.",
    requirements = { "IMPI-225" }, incoming = root < 2,
    run = function(t)
      local job = t:job_of_clients(root, 3)
      for _, row in ipairs(OPERATIONS) do
        if not reduce_by(t, job, root, row) then return end
      end
    end,
  }
end

for count, root, late in each { { 2, 0, 1 }, { 2, 1, 0 }, { 3, 0, 2 }, { 3, 1, 0 }, { 3, 1, 2 }, { 3, 2, 0 } } do
  case {
    id = string.format("reduce-linear-root-%d-of-%d-waits-for-%d", root, count, late),
    title = string.format("The root of %d masters waits for master %d", count, late),
    purpose = "All others have sent their operands: MPI_Reduce does not return at the root. When the late one comes, it does, with the sum of all. Twice.",
    requirements = { "IMPI-225" }, incoming = root < count - 1,
    run = function(t)
      local job, all = t:job_of_clients(root, count), {}
      for i = 0, count - 1 do all[i + 1] = i end
      for round = 1, 2 do
        job:start_collective("MPI_Reduce", { value = DIGITS, root = root })
        for i = 0, count - 1 do
          if i ~= root and i ~= late then job:send_operand(i, root, DIGITS(i)) end
        end
        t:expect_messages("IMPI-225", "messages of the root", job:receive_to_fence(0), {})
        if not t:collective_blocks("IMPI-225", "round " .. round, job) then return end
        job:send_operand(late, root, DIGITS(late))
        if not t:collective_completes("IMPI-225", "round " .. round, job, { [0] = SUM(all) }) then
          return
        end
      end
    end,
  }
end

for place = 0, 2 do
  case {
    id = "reduce-linear-master-" .. place .. "-of-3",
    title = string.format("Of three masters, master %d sends to the root alone", place),
    purpose = "Every other process is the root once, also one that is no master: it is sent the operand, and no other process gets anything.",
    requirements = { "IMPI-225" }, incoming = place < 2,
    run = function(t)
      local job = t:job_of_clients(place, 3, { each = { 2 } })
      local own = job:master(place).rank
      for root = 0, job.world_size - 1 do
        if root ~= own then
          job:start_collective("MPI_Reduce", { value = DIGITS, root = root })
          t:expect_messages("IMPI-225", "root " .. root, job:receive_to_fence(1), { { own, root, DIGITS(own) } })
          if not t:collective_completes("IMPI-225", "root " .. root, job) then return end
        end
      end
    end,
  }
end

for _, place in ipairs { 0, 4 } do
  case {
    id = "reduce-linear-by-choice-" .. place,
    title = string.format("Where six masters are below the limit, master %d is linear too", place),
    purpose = "The users of all clients have chosen a limit of eight: all others send to rank 0 at once, and rank 0 takes all.",
    requirements = { "IMPI-225" }, incoming = true,
    run = function(t)
      local job = t:job_with_limit(place, 6, 8)
      job:start_collective("MPI_Reduce", { value = DIGITS, root = 0 })
      if place > 0 then
        t:expect_messages("IMPI-225", "the messages", job:receive_to_fence(1), { { place, 0, DIGITS(place) } })
        t:collective_completes("IMPI-225", "afterwards", job)
        return
      end
      for from = 1, 5 do job:send_operand(from, 0, DIGITS(from)) end
      t:collective_completes("IMPI-225", "when all are there", job, { [0] = SUM { 0, 1, 2, 3, 4, 5 } })
    end,
  }
end
