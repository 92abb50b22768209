-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Allreduce (chapter 4.21): a reduction to rank 0, then a broadcast from there. With two masters both are linear,
-- with six they are trees.

defaults { role = "client", suite = "collective", chapter = "4.21" }

local DIGITS, SUM = Operand.digits, Operand.sum
local REDUCE_TAG, BROADCAST_TAG = 190, 120

-- What comes now: these messages, with this tag, on the collective context of the world.
local function sent(t, what, packets, expected, tag)
  t:expect_tag_and_context("IMPI-230", what, packets, tag, 1)
  return t:expect_messages("IMPI-230", what, packets, expected)
end

for _, commutes in ipairs { true, false } do
  case {
    id = "allreduce-of-another-client-" .. (commutes and "combined" or "in-order"),
    title = "MPI_Allreduce sends to rank 0 with tag 190, and takes what rank 0 broadcasts with tag 120",
    purpose = "Two processes under test, rank 0 is scripted. Before the broadcast no process returns; behind it both have what was broadcast. Twice.",
    requirements = { "IMPI-230" }, ranks = 2,
    run = function(t)
      local job = t:job_of_clients(1, 2, { np = 2 })
      local operands = commutes and { { 1, 0, SUM { 1, 2 } } } or { { 1, 0, DIGITS(1) }, { 2, 0, DIGITS(2) } }
      job:op("sum", "sum-int", commutes)
      for other = 5, 6 do
        local whole = SUM { 1, 2, other }
        job:start_collective("MPI_Allreduce", { value = DIGITS, op = "sum" })
        if not sent(t, "towards rank 0", job:receive_to_fence(#operands), operands, REDUCE_TAG)
            or not t:collective_blocks("IMPI-230", "before the broadcast", job) then
          return
        end
        job:send_operand(0, 1, whole, { tag = BROADCAST_TAG })
        if not t:collective_completes("IMPI-230", "behind the broadcast", job, { [0] = whole, whole }) then
          return
        end
        t:expect_messages("IMPI-230", "further messages", job.besides, {})
      end
    end,
  }
end

case {
  id = "allreduce-of-rank-0",
  title = "Rank 0 takes all operands with tag 190, then broadcasts with tag 120",
  purpose = "Ranks 0 and 1 are under test. Nothing goes out before the other client has sent; then its master gets the sum, and both ranks have it.",
  requirements = { "IMPI-230" }, ranks = 2, incoming = true,
  run = function(t)
    local job, whole = t:job_of_clients(0, 2, { np = 2 }), SUM { 0, 1, 2 }
    for _ = 1, 2 do
      job:start_collective("MPI_Allreduce", { value = DIGITS })
      if not t:expect_messages("IMPI-230", "before all operands are there", job:receive_to_fence(0), {})
          or not t:collective_blocks("IMPI-230", "before all operands are there", job) then
        return
      end
      job:send_operand(2, 0, DIGITS(2))
      if not sent(t, "from rank 0", job:receive_to_fence(1), { { 0, 2, whole } }, BROADCAST_TAG)
          or not t:collective_completes("IMPI-230", "behind it", job, { [0] = whole, whole }) then
        return
      end
    end
  end,
}

for name, order, first in each { { "scripted", "1,2,0,3", 1 }, { "under-test", "3,0,1,2", 3 } } do
  case {
    id = "allreduce-of-a-permuted-communicator-rank-0-" .. name,
    title = "It is rank 0 of the communicator to which MPI_Allreduce reduces",
    purpose = "The communicator has the ranks of the world as " .. order
      .. "; ranks 2 and 3 of the world are under test.",
    requirements = { "IMPI-230" }, ranks = 2,
    run = function(t)
      local job, whole = t:job_of_clients(1, 2, { np = 2, each = { 2 } }), SUM { 0, 1, 2, 3 }
      local cid = job:create("c", order) + 1
      job:start_collective("MPI_Allreduce", { value = DIGITS, comm = "c" })
      if first == 1 then
        local packets = job:receive_to_fence(1)
        t:expect_tag_and_context("IMPI-230", "towards rank 0", packets, REDUCE_TAG, cid)
        if not t:expect_messages("IMPI-230", "towards rank 0", packets, { { 2, 1, SUM { 2, 3 } } }) then
          return
        end
        job:send_operand(1, 2, whole, { tag = BROADCAST_TAG, cid = cid, lsrank = 0 })
      else
        job:send_operand(0, 3, SUM { 0, 1 }, { cid = cid, lsrank = 1 })
        local packets = job:receive_to_fence(1)
        t:expect_tag_and_context("IMPI-230", "from rank 0", packets, BROADCAST_TAG, cid)
        if not t:expect_messages("IMPI-230", "from rank 0", packets, { { 3, 0, whole } }) then
          return
        end
      end
      t:collective_completes("IMPI-230", "behind the broadcast", job, { [0] = whole, whole })
    end,
  }
end

-- { name, place of the client under test, processes of all three clients, operands that come: { from, of ranks },
-- messages of the reduction, those to whom the result goes }
local UNEQUAL = {
  { "middle", 1, { 1, 3, 2 }, {}, { { 1, 0, SUM { 1, 2, 3 } } }, {} },
  { "last", 2, { 3, 1, 2 }, {}, { { 4, 0, SUM { 4, 5 } } }, {} },
  { "first", 0, { 2, 3, 1 }, { { 5, { 5 } }, { 2, { 2, 3, 4 } } }, {}, { 2, 5 } },
}

for name, place, counts, operands, up, down in each(UNEQUAL) do
  case {
    id = "allreduce-of-unequal-clients-" .. name,
    title = "MPI_Allreduce goes by the masters of clients that have different numbers of processes",
    purpose = "Three clients of " .. Operand.text(counts) .. " processes. Twice: the results tell who is in them.",
    requirements = { "IMPI-230" }, ranks = counts[place + 1], incoming = place < 2,
    run = function(t)
      local others, results, whole = {}, {}, SUM { 0, 1, 2, 3, 4, 5 }
      for i, count in ipairs(counts) do others[#others + 1] = i ~= place + 1 and { hosts = { count } } or nil end
      local job = t:job_of_clients(place, 3, { np = counts[place + 1], others = others })
      for i = 0, job.np - 1 do results[i] = whole end
      for _ = 1, 2 do
        job:start_collective("MPI_Allreduce", { value = DIGITS })
        for _, row in ipairs(operands) do job:send_operand(row[1], 0, SUM(row[2])) end
        if place > 0 then
          if not sent(t, "towards rank 0", job:receive_to_fence(1), up, REDUCE_TAG) then return end
          job:send_operand(0, up[1][1], whole, { tag = BROADCAST_TAG })
        else
          local told = {}
          for i, to in ipairs(down) do told[i] = { 0, to, whole } end
          if not sent(t, "from rank 0", job:receive_to_fence(2), told, BROADCAST_TAG) then return end
        end
        if not t:collective_completes("IMPI-230", "behind it", job, results) then return end
      end
    end,
  }
end

---- six masters ------------------------------------------------------------------------------------------------------

-- { place, { { a master below it in the reduction, all whose operands it sends } }, the one it sends to, the one that
-- sends it the result, those to whom it passes the result on }
local PLACES = {
  { 0, { { 1, { 1 } }, { 2, { 2, 3 } }, { 4, { 4, 5 } } }, nil, nil, { 1, 2, 4 } },
  { 1, {}, 0, 0, { 3, 5 } },
  { 2, { { 3, { 3 } } }, 0, 0, {} },
  { 4, { { 5, { 5 } } }, 0, 0, {} },
  { 5, {}, 4, 1, {} },
}

for _, row in ipairs(PLACES) do
  local place, below, parent, teller, told = table.unpack(row, 1, 5)
  case {
    id = string.format("allreduce-%d-of-6", place),
    title = string.format("Of six masters, master %d first takes part in the reduction, then in the broadcast", place),
    purpose = "Messages of the reduction have tag 190, those of the broadcast 120, and none of the second kind comes before the result is there.",
    requirements = { "IMPI-230" }, incoming = place < 5,
    run = function(t)
      local job, mine, whole, results = t:job_of_clients(place, 6), { place }, SUM { 0, 1, 2, 3, 4, 5 }, {}
      job:start_collective("MPI_Allreduce", { value = DIGITS })
      for _, child in ipairs(below) do
        job:send_operand(child[1], place, SUM(child[2]))
        table.move(child[2], 1, #child[2], #mine + 1, mine)
      end
      if parent then
        if not sent(t, "the reduction", job:receive_to_fence(1), { { place, parent, SUM(mine) } }, REDUCE_TAG)
            or not t:collective_blocks("IMPI-230", "before the broadcast", job) then
          return
        end
        job:send_operand(teller, place, whole, { tag = BROADCAST_TAG })
      end
      for i, child in ipairs(told) do results[i] = { place, child, whole } end
      if sent(t, "the broadcast", job:receive_to_fence(#told), results, BROADCAST_TAG) then
        t:collective_completes("IMPI-230", "behind it", job, { [0] = whole })
      end
    end,
  }
end

for place = 0, 1 do
  case {
    id = "allreduce-of-nothing-" .. (place == 0 and "answers" or "asks"),
    title = "MPI_Allreduce of no elements still has its messages",
    purpose = place == 0 and "Rank 0 waits for the other's empty message and answers it, and so with three numbers."
      or "An empty message goes to rank 0, and the call waits for its answer; and so with three numbers.",
    requirements = { "IMPI-230" }, incoming = place == 0,
    run = function(t)
      local job = t:job_of_clients(place, 2)
      for _, count in ipairs { 0, 3 } do
        local what, other = "of " .. count .. " elements", 1 - place
        local function numbers(values) return count > 0 and values or {} end
        local whole = numbers(SUM { 0, 1 })
        job:start_collective("MPI_Allreduce", { value = function() return numbers(DIGITS(place)) end })
        if place == 0 then job:send_operand(other, place, numbers(DIGITS(other))) end
        if not sent(t, what, job:receive_to_fence(1), { { place, other, place == 0 and whole or numbers(DIGITS(1)) } },
            place == 0 and BROADCAST_TAG or REDUCE_TAG) then
          return
        end
        if place == 1 then
          if not t:collective_blocks("IMPI-230", what .. ", before the answer", job) then return end
          job:send_operand(other, place, whole, { tag = BROADCAST_TAG })
        end
        if not t:collective_completes("IMPI-230", what, job, count > 0 and { [0] = whole } or nil) then return end
      end
    end,
  }
end
