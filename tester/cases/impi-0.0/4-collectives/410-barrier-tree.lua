-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Barrier as a tree (chapter 4.10): from which number of masters on, who waits for whom, who tells whom. The trees
-- are written down here for each number of masters, not computed.

defaults { role = "client", suite = "collective", chapter = "4.10" }

-- { masters, the one under test, its children, its parent }
local TREES = {
  { 5, 0, { 1, 2, 4 } }, { 5, 1, { 3 }, 0 }, { 5, 3, {}, 1 }, { 5, 4, {}, 0 },
  { 6, 0, { 1, 2, 4 } }, { 6, 1, { 3, 5 }, 0 }, { 6, 2, {}, 0 }, { 6, 5, {}, 1 },
  { 9, 0, { 1, 2, 4, 8 } }, { 9, 2, { 6 }, 0 }, { 9, 3, { 7 }, 1 }, { 9, 7, {}, 3 }, { 9, 8, {}, 0 },
}

-- What the sizes and places of chapter 4.2 come to, for 5 to 9 masters and for more than sixteen.
local SHAPES = {
  { 5, 1, { 3 }, 0 }, { 6, 4, {}, 0 }, { 7, 2, { 6 }, 0 }, { 7, 4, {}, 0 }, { 8, 3, { 7 }, 1 }, { 8, 1, { 3, 5 }, 0 },
  { 9, 0, { 1, 2, 4, 8 } }, { 9, 4, {}, 0 }, { 9, 6, {}, 2 }, { 16, 15, {}, 7 }, { 17, 0, { 1, 2, 4, 8, 16 } },
  { 18, 1, { 3, 5, 9, 17 }, 0 }, { 18, 17, {}, 1 },
}

-- The list without one.
local function without(list, left_out)
  local rest = {}
  for _, value in ipairs(list) do rest[#rest + 1] = value ~= left_out and value or nil end
  return rest
end

for count, place, children, parent in each(TREES) do
  case {
    id = string.format("barrier-tree-%d-of-%d", place, count),
    title = string.format("Of %d masters, master %d takes its place in a tree", count, place),
    purpose = parent and string.format("When those below it are there, it sends one message, to master %d.", parent)
      or "It answers when those directly below it are there, without having heard of the others.",
    requirements = { "IMPI-214" }, incoming = place < count - 1,
    run = function(t)
      local job = t:job_of_clients(place, count)
      job:start_barrier():send_barrier(children)
      if not parent then
        t:check("IMPI-214", "master 0", #job:receive_to_fence(#children) > 0, "answers those directly below it",
          "is silent")
      else
        t:equal("IMPI-214", "the message is for master", job:destinations(1), { parent })
        job:send_barrier { parent }
      end
      t:barrier_completes("IMPI-214", "afterwards", job)
    end,
  }
  for _, late in ipairs(children) do
    case {
      id = string.format("barrier-tree-%d-of-%d-waits-for-%d", place, count, late),
      title = string.format("Master %d of %d waits for master %d below it", place, count, late),
      purpose = "While that one is late, it sends nothing. When it comes, it does.",
      requirements = { "IMPI-216" }, incoming = place < count - 1,
      run = function(t)
        local job = t:job_of_clients(place, count)
        job:start_barrier():send_barrier(without(children, late))
        if t:reconstructed("IMPI-216", "messages while master " .. late .. " is missing are for", job:destinations(0),
          {}) then
          job:send_barrier { late }
          t:reconstructed("IMPI-216", "messages when all are there are for",
            job:destinations(parent and 1 or #children), parent and { parent } or children)
        end
      end,
    }
  end
  if parent and #children > 0 then
    case {
      id = string.format("barrier-tree-%d-of-%d-releases", place, count),
      title = string.format("Master %d of %d answers those below it behind the answer of master %d", place, count,
        parent),
      purpose = "While the parent has not answered, nobody is. Then each of those below gets one message.",
      requirements = { "IMPI-217" }, incoming = place < count - 1,
      run = function(t)
        local job = t:job_of_clients(place, count)
        job:start_barrier():send_barrier(children)
        if t:reconstructed("IMPI-217", "messages before the parent's answer are for", job:destinations(1),
          { parent }) then
          job:send_barrier { parent }
          t:reconstructed("IMPI-217", "messages behind it are for", job:destinations(#children), children)
        end
      end,
    }
  end
end

case {
  id = "barrier-tree-0-releases",
  title = "Master 0 of six answers masters 1, 2 and 4, and no other",
  purpose = "Those directly below it are there: each gets one message.",
  requirements = { "IMPI-182", "IMPI-217" }, incoming = true,
  run = function(t)
    local job = t:job_of_clients(0, 6)
    t:judging("IMPI-217")
    job:start_barrier():send_barrier { 1, 2, 4 }
    local answers = t:reconstructed("IMPI-217", "answers are for", job:destinations(3), { 1, 2, 4 })
    t:equal("IMPI-182", "further messages", job:destinations(0), {})
    if answers then
      t:barrier_completes("IMPI-217", "afterwards", job)
      t:equal("IMPI-182", "further messages until the job ends", #job:remaining_packets(), 0)
    end
  end,
}

case {
  id = "barrier-tree-highest-first",
  title = "Master 0 waits for those below it from the highest one on",
  purpose = "Masters 1, 2 and 4 send their messages synchronously. Only that of master 4 is there, then that of 2, then that of 1: each is acknowledged when it is received.",
  requirements = { "IMPI-216" }, incoming = true,
  run = function(t)
    local job = t:job_of_clients(0, 6)
    local own = job.processes[0]
    for _, child in ipairs { 1, 2 } do
      job.processes[child]:send_packet(own, { type = "DATASYNC", tag = 110, cid = 1 })
    end
    job:start_barrier()
    if t:reconstructed("IMPI-216", "acknowledgements before master 4 is there are for", job:destinations(0), {}) then
      job.processes[4]:send_packet(own, { type = "DATASYNC", tag = 110, cid = 1 })
      t:reconstructed("IMPI-216", "the number of acknowledgements and answers", #job:receive_to_fence(6), 6)
    end
  end,
}

for count, place, children, parent in each(SHAPES) do
  case {
    id = string.format("barrier-shape-%d-of-%d", place, count),
    title = string.format("The place of master %d in a tree of %d", place, count),
    purpose = "Whom it sends to when those below it are there, and whom behind that, as the bits of its number say.",
    requirements = { "IMPI-185" }, chapter = "4.2", incoming = place < count - 1,
    run = function(t)
      local job, good = t:job_of_clients(place, count), true
      job:start_barrier():send_barrier(children)
      if parent then
        good = t:reconstructed("IMPI-185", "the parent", job:destinations(1), { parent })
        job:send_barrier { parent }
      end
      if good then
        t:reconstructed("IMPI-185", "those below it", job:destinations(#children), children)
      end
    end,
  }
end

---- from which number on ---------------------------------------------------------------------------------------------

for name, count, limit, parent in each { { "chosen-low", 4, 2, 1 }, { "chosen-high", 6, 8, 0 } } do
  case {
    id = "barrier-limit-" .. name,
    title = string.format("With %d masters and a limit of %d the barrier is %s", count, limit, parent == 0 and "linear"
      or "a tree"),
    purpose = string.format("The users of all clients have chosen the limit. The last master sends to master %d.",
      parent),
    requirements = { "IMPI-214" },
    run = function(t)
      local job = t:job_with_limit(count - 1, count, limit)
      job:start_barrier()
      t:equal("IMPI-214", "the message is for master", job:destinations(1), { parent })
      job:send_barrier { parent }
      t:barrier_completes("IMPI-214", "afterwards", job)
    end,
  }
end

-- Which form the answer to a place in it is: the last master's parent.
local function form_of(t, job, linear, tree)
  job:start_barrier()
  local reached = job:destinations(1)
  local form = t:reading("IMPI-215", "barrier_at_limit", "the message is for master", reached,
    { { "linear", { linear } }, { "tree", { tree } } })
  job:send_barrier(reached)
  t:barrier_completes("IMPI-215", "afterwards", job)
  return form
end

for _, row in ipairs { { "by-default", 4, 3, 1 }, { "chosen-5", 5, 3, 1 }, { "chosen-6", 6, 5, 1 } } do
  local name, count, place, parent = row[1], row[2], row[3], row[4]
  case {
    id = "barrier-at-the-limit-" .. name,
    title = string.format("With exactly %d masters, which is the limit, the barrier has one form", count),
    purpose = string.format("Master %d sends to master 0, or to master %d; three times the same.", place, parent),
    requirements = { "IMPI-215" }, incoming = place < count - 1,
    run = function(t)
      local job = name == "by-default" and t:job_of_clients(place, count) or t:job_with_limit(place, count, count)
      local form = form_of(t, job, 0, parent)
      for _ = 1, 2 do t:equal("IMPI-215", "the form of a later barrier", form_of(t, job, 0, parent), form) end
    end,
  }
end

case {
  id = "barrier-at-the-limit-first-master",
  title = "With exactly four masters, master 0 waits for all others, or for those below it in a tree",
  purpose = "Masters 1 and 2 are there. In a tree they are answered; else nobody is before master 3 comes.",
  requirements = { "IMPI-215" }, incoming = true,
  run = function(t)
    local job = t:job_of_clients(0, 4)
    job:start_barrier():send_barrier { 1, 2 }
    local reached = job:destinations(0)
    if #reached == 0 then
      job:send_barrier { 3 }
      reached = job:destinations(3)
    end
    t:reading("IMPI-215", "barrier_at_limit", "answers are for", reached, { { "linear", { 1, 2, 3 } },
      { "tree", { 1, 2 } } })
    t:barrier_completes("IMPI-215", "afterwards", job)
  end,
}

case {
  id = "barrier-form-is-of-the-communicator",
  title = "Whether a barrier is a tree is told by the masters of its communicator, not of the world",
  purpose = "The users of all six clients have chosen a limit of five: a barrier on the world is a tree, one on a communicator of four clients is linear. The last of its masters sends to master 0.",
  requirements = { "IMPI-214" },
  run = function(t)
    local job = t:job_with_limit(5, 6, 5)
    local rank, own = job.ranks[0], job:master(5)
    t:mpi(rank:MPI_Comm_group { group = "world" })
    t:mpi(rank:MPI_Group_incl { group = "world", ranks = "0,1,2,5", newgroup = "four" })
    local call = job:fenced(rank):start_MPI_Comm_create { group = "four", newcomm = "c" }
    job:receive_to_fence(1)
    job:master(1):send(own, { tag = 120, cid = 1, data = string.pack(">I8", 301) })
    local late = t:now() + 6000
    while not call:done() do
      job:receive_packets(1, 50)
      t:skip_if(t:now() > late,
        "MPI_Comm_create of the system under test does not take what stands for the highest value of all")
    end
    t:mpi(call:finish())
    job:start_barrier("c")
    t:equal("IMPI-214", "the barrier's messages are for", job:destinations(1), { 0 })
    job:send_barrier({ 0 }, { cid = 303 })
    t:barrier_completes("IMPI-214", "behind the answer", job)
    job:start_barrier()
    t:equal("IMPI-214", "the messages of a barrier on the world are for", job:destinations(1), { 1 })
  end,
}

case {
  id = "barrier-tree-inner-master",
  title = "An inner master of the tree whose rank is not its number takes its place by its number",
  purpose = "The client under test has ranks 2 and 4 of the communicator and is master 1 of six. It waits for masters 3 and 5, which have ranks 5 and 7, sends to master 0, and answers them behind its answer.",
  requirements = { "IMPI-183", "IMPI-216", "IMPI-217" }, ranks = 2,
  run = function(t)
    local job = t:inner_master()
    local own = job.processes[6]
    local function from(world, lsrank)
      job.processes[world]:send(own, { tag = 110, cid = job.cid + 1, lsrank = lsrank })
    end
    job:start_barrier("c")
    from(5, 7)
    local good = t:reconstructed("IMPI-216", "messages while master 3 is missing are for", job:destinations(0), {})
    from(3, 5)
    local packets = job:receive_to_fence(1)
    t:equal("IMPI-183", "messages when both are there", #packets, 1)
    t:equal("IMPI-183", "world rank of the one that sends", packets[1].src.rank, 6)
    good = t:reconstructed("IMPI-216", "the message is for", packets[1].dest.rank, 0) and good
    if good then
      from(0, 0)
      t:reconstructed("IMPI-217", "messages behind the answer are for", job:destinations(2), { 3, 5 })
      t:barrier_completes("IMPI-217", "behind the answer", job)
    end
  end,
}

case {
  id = "barrier-form-goes-by-masters",
  title = "Whether a Barrier is linear goes by its masters, however many processes they have",
  purpose = "Six clients of three processes each, and a limit of eight that all have chosen: the last master sends to master 0, and not to its parent in a tree.",
  requirements = { "IMPI-214" }, ranks = 3,
  run = function(t)
    local job = t:job_with_limit(5, 6, 8, { np = 3, each = { 3 } })
    t:judging("IMPI-214")
    job:start_barrier()
    t:equal("IMPI-214", "the barrier's messages are for", job:destinations(1), { 0 })
    job:send_barrier { 0 }
    t:barrier_completes("IMPI-214", "behind the answer", job)
  end,
}
