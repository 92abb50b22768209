-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Reduce as a tree among the masters (chapter 4.16). Masters are counted from the root's on, in a circle: v sends
-- to v without its lowest set bit. The trees are written down here, with the numbers of clients, not computed.

defaults { role = "client", suite = "collective" }

local DIGITS = Operand.digits

-- { masters, the root's client, the one under test, { { a client below it, all clients whose operands it sends } },
-- the client that the one under test sends to }
local TREES = {
  { 5, 0, 0, { { 1, { 1 } }, { 2, { 2, 3 } }, { 4, { 4 } } } },
  { 5, 0, 4, {}, 0 },
  { 6, 0, 0, { { 1, { 1 } }, { 2, { 2, 3 } }, { 4, { 4, 5 } } } },
  { 6, 0, 1, {}, 0 },
  { 6, 0, 2, { { 3, { 3 } } }, 0 },
  { 6, 0, 3, {}, 2 },
  { 6, 0, 4, { { 5, { 5 } } }, 0 },
  { 6, 0, 5, {}, 4 },
  { 6, 4, 4, { { 5, { 5 } }, { 0, { 0, 1 } }, { 2, { 2, 3 } } } },
  { 6, 4, 5, {}, 4 },
  { 6, 4, 0, { { 1, { 1 } } }, 4 },
  { 6, 4, 1, {}, 0 },
  { 6, 4, 2, { { 3, { 3 } } }, 4 },
  { 6, 4, 3, {}, 2 },
  { 7, 3, 0, { { 1, { 1 } }, { 2, { 2 } } }, 3 },
  { 7, 3, 1, {}, 0 },
  { 7, 3, 5, { { 6, { 6 } } }, 3 },
  { 9, 0, 4, { { 5, { 5 } }, { 6, { 6, 7 } } }, 0 },
  { 9, 0, 8, {}, 0 },
  { 9, 0, 0, { { 1, { 1 } }, { 2, { 2, 3 } }, { 4, { 4, 5, 6, 7 } }, { 8, { 8 } } } },
}

-- The job of a row. With `beside`, the root is no master but the second process of its client.
local function job_of(t, row, beside)
  local count, home, place = row[1], row[2], row[3]
  local others, np = {}, 1
  if beside and home == place then
    np = 2
  elseif beside then
    others[home < place and home + 1 or home] = { hosts = { 2 } }
  end
  return t:job_of_clients(place, count, { np = np, others = others })
end

-- What all processes of these clients come to.
local function sum(job, clients)
  local worlds = {}
  for _, client in ipairs(clients) do
    for i = 0, job.clients[client].np - 1 do worlds[#worlds + 1] = job:master(client).rank + i end
  end
  return Operand.sum(worlds)
end

-- Who speaks for a client: the root for its own, the master for every other.
local function head(job, row, root, client)
  return client == row[2] and root or job:master(client).rank
end

-- Those below it send what they have, all of them or only, or not, the one that is late.
local function give(job, row, root, late, only)
  for _, child in ipairs(row[4]) do
    if not late or (child[1] == late) == only then
      job:send_operand(job:master(child[1]).rank, head(job, row, root, row[3]), sum(job, child[2]))
    end
  end
end

-- What the one under test does when all below it are there.
local function ends(t, job, row, root)
  local place, parent = row[3], row[5]
  local under = { place }
  for _, child in ipairs(row[4]) do table.move(child[2], 1, #child[2], #under + 1, under) end
  if parent then
    local message = { job:master(place).rank, head(job, row, root, parent), sum(job, under) }
    return t:expect_messages("IMPI-226", "messages when all below are there", job:receive_to_fence(1), { message })
      and t:collective_completes("IMPI-226", "afterwards", job)
  end
  return t:collective_completes("IMPI-226", "when all below are there", job, { [job.np - 1] = sum(job, under) })
    and t:expect_messages("IMPI-226", "messages of the root", job.besides, {})
end

local function declare(row, beside)
  local count, home, place, children, parent = table.unpack(row, 1, 5)
  local root_is = beside and "a process beside master " .. home or "master " .. home
  case {
    id = string.format("reduce-tree-%d-of-%d-root-%s%d", place, count, beside and "beside-" or "", home),
    title = string.format("Of %d masters, master %d takes its place in the tree of a reduction to %s", count, place,
      root_is),
    purpose = parent and string.format("When those below it are there, one message goes to the head of client %d: "
      .. "all that it has, combined.", parent)
      or "When those directly below it are there the result is complete, and no message is sent.",
    ranks = beside and home == place and 2 or 1, incoming = place < count - 1,
    chapter = "4.16", requirements = { "IMPI-226" },
    run = function(t)
      local job = job_of(t, row, beside)
      local root = job:master(home).rank + (beside and 1 or 0)
      job:start_collective("MPI_Reduce", { value = DIGITS, root = root })
      give(job, row, root)
      ends(t, job, row, root)
    end,
  }
  for late in each((beside or count == 7) and {} or children) do
    case {
      id = string.format("reduce-tree-%d-of-%d-root-%d-waits-for-%d", place, count, home, late),
      title = string.format("In a reduction to master %d, master %d of %d waits for master %d below it", home, place,
        count, late),
      purpose = "While that one is late it sends nothing, and the root does not return. When it comes, all of them are combined.",
      requirements = { "IMPI-226" }, chapter = "4.16", incoming = place < count - 1,
      run = function(t)
        local job = job_of(t, row)
        local root = job:master(home).rank
        job:start_collective("MPI_Reduce", { value = DIGITS, root = root })
        give(job, row, root, late, false)
        if t:expect_messages("IMPI-226", "messages while one is missing", job:receive_to_fence(0), {})
            and (parent or t:collective_blocks("IMPI-226", "while one is missing", job)) then
          give(job, row, root, late, true)
          ends(t, job, row, root)
        end
      end,
    }
  end
end

for _, row in ipairs(TREES) do
  declare(row, false)
  if row[1] == 6 and row[2] == 4 then declare(row, true) end
end

case {
  id = "reduce-tree-by-a-chosen-limit",
  title = "With four masters and a limit of two the reduction is a tree",
  purpose = "The users of all clients have chosen the limit. Master 3 sends what it has to master 2, and not to the root.",
  requirements = { "IMPI-226" }, chapter = "4.16", incoming = true,
  run = function(t)
    local job = t:job_with_limit(3, 4, 2)
    job:start_collective("MPI_Reduce", { value = DIGITS, root = 0 })
    local own = job:master(3).rank
    local message = { own, job:master(2).rank, DIGITS(own) }
    if t:expect_messages("IMPI-226", "messages of master 3", job:receive_to_fence(1), { message }) then
      t:collective_completes("IMPI-226", "afterwards", job)
    end
  end,
}

-- { limit, masters, whom master 3 sends to }
for limit, count, parent in each { { 2, 4, 2 }, { 8, 6, 0 } } do
  case {
    id = "client-maxlinear-of-reduce-" .. limit,
    title = string.format("A chosen limit moves the switch of a reduction too: %d with %d masters", limit, count),
    purpose = string.format("The users of all clients have chosen the limit. Master 3 sends what it has to master %d.",
      parent),
    requirements = { "IMPI-067" }, chapter = "2.3.5", incoming = true,
    run = function(t)
      local job = t:job_with_limit(3, count, limit)
      job:start_collective("MPI_Reduce", { value = DIGITS, root = 0 })
      local own = job:master(3).rank
      local message = { own, job:master(parent).rank, DIGITS(own) }
      if t:expect_messages("IMPI-067", "messages of master 3", job:receive_to_fence(1), { message }) then
        t:collective_completes("IMPI-067", "afterwards", job)
      end
    end,
  }
end

case {
  id = "reduce-tree-of-several-operations",
  title = "A tree combines by the operation that is asked for",
  purpose = "Master 2 of six, below it master 3: maximum, exclusive or and an own operation, each combined before it goes to rank 0.",
  requirements = { "IMPI-226" }, chapter = "4.16", incoming = true,
  run = function(t)
    local job = t:job_of_clients(2, 6)
    job:op("own", "sum-int", true)
    for _, row in ipairs { { "MPI_MAX", { 5, -3, 2 } }, { "MPI_BXOR", { 6, 8, 3 } }, { "own", { 9, -8, 3 } } } do
      job:start_collective("MPI_Reduce", { value = function() return { 5, -3, 1 } end, root = 0, op = row[1] })
      local theirs = row[1] == "MPI_BXOR" and { 3, -11, 2 } or { 4, -5, 2 }
      job:send_operand(3, 2, theirs)
      if not t:expect_messages("IMPI-226", row[1], job:receive_to_fence(1), { { 2, 0, row[2] } })
          or not t:collective_completes("IMPI-226", row[1], job) then
        return
      end
    end
  end,
}

-- { root, in the world; who is below, { rank in the world, in the communicator, all whose operands it sends } }
for name, root, world, below in each { { "the-first", 0, 0, {} },
    { "the-last", 7, 5, { { 2, 3, { 2 } } } }, { "its-own-second", 4, 7, { { 2, 3, { 2 } }, { 3, 5, { 3, 4 } },
      { 5, 7, { 5, 0, 1 } } } } } do
  case {
    id = "reduce-tree-inner-master-root-is-" .. name,
    title = "A master of the tree whose rank is not its number: the root is " .. name:gsub("-", " "),
    purpose = "The client under test has ranks 2 and 4 of the communicator and is master 1 of six; masters 2, 3 and 5 have ranks 3, 5 and 7. Numbers say who is next in the tree, and ranks are sent to.",
    requirements = { "IMPI-226" }, ranks = 2, chapter = "4.16",
    run = function(t)
      local job = t:inner_master()
      local head, under = world == 7 and 7 or 6, { 6, 7 }
      job:start_collective("MPI_Reduce", { value = DIGITS, root = root, comm = "c" })
      for _, row in ipairs(below) do
        table.move(row[3], 1, #row[3], #under + 1, under)
        job:send_operand(row[1], head, Operand.sum(row[3]), { cid = job.cid + 1, lsrank = row[2] })
      end
      if world == 7 then
        t:collective_completes("IMPI-226", "when all below are there", job, { [1] = Operand.sum(under) })
      elseif t:expect_messages("IMPI-226", "messages when all below are there", job:receive_to_fence(1),
          { { 6, world, Operand.sum(under) } }) then
        t:collective_completes("IMPI-226", "afterwards", job)
      end
    end,
  }
end
