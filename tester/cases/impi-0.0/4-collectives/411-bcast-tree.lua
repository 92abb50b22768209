-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI_Bcast as a tree (chapter 4.11): who has the data from whom and gives them to whom. The trees are written down
-- here for each place, not computed. The chapter's words are lost, so that another tree is a warning (t:reconstructed).

defaults { role = "client", suite = "collective", chapter = "4.11", ranks = 2 }

-- { masters, client of the root, the one under test, its parent, its children }
local TREES = {
  { 6, 0, 0, nil, { 1, 2, 4 } }, { 6, 0, 1, 0, { 3, 5 } }, { 6, 0, 2, 0, {} }, { 6, 0, 3, 1, {} }, { 6, 0, 4, 0, {} },
  { 6, 0, 5, 1, {} },
  { 6, 2, 2, nil, { 3, 4, 0 } }, { 6, 2, 3, 2, { 5, 1 } }, { 6, 2, 4, 2, {} }, { 6, 2, 5, 3, {} }, { 6, 2, 0, 2, {} },
  { 6, 2, 1, 3, {} },
  { 5, 1, 2, 1, { 4 } }, { 5, 4, 4, nil, { 0, 1, 3 } }, { 9, 5, 5, nil, { 6, 7, 0, 4 } }, { 9, 5, 6, 5, { 8, 1 } },
  { 9, 5, 8, 6, { 3 } }, { 9, 5, 3, 8, {} }, { 9, 5, 4, 5, {} },
}

-- Judges that master and others of the client under test have the data from `from` (nil: they have the root), and
-- that `to` is who sends them on to these clients.
local function judge_place(t, req, job, root, from, to, children)
  local own = root.sut and root.rank - job.ranks[0].world or nil
  job:start_bcast(root.rank, own)
  if from then
    if not t:reconstructed(req, "messages before the data have come", job:hops(0), {}) then
      return
    end
    job:send_bcast(from)
  end
  if t:reconstructed(req, "messages, by ranks", job:hops(#children), job:hops_from(to, children)) then
    t:bcast_completes(req, job)
  end
end

for count, client, place, parent, children in each(TREES) do
  case {
    id = string.format("bcast-tree-%d-of-%d-root-of-%d", place, count, client),
    title = string.format("Of %d masters, master %d takes its place in the tree that begins at master %d", count, place,
      client),
    purpose = parent and string.format("It sends nothing before master %d has sent it the data. Then %s.", parent,
      #children > 0 and "those below it get one message each" or "it has them, and sends nothing")
      or "It sends one message to each of those directly below it.",
    requirements = { "IMPI-220" }, incoming = place < count - 1,
    run = function(t)
      local job = t:job_of_clients(place, count, { np = 2 })
      judge_place(t, "IMPI-220", job, job:master(client), parent and job:master(parent), job:master(place), children)
    end,
  }
end

-- The same where the root is the second process of its client: { masters, client of the root, the one under test, its
-- parent's client, its children }
local ROOTS = {
  { 6, 0, 0, nil, { 1, 2, 4 } }, { 6, 0, 1, 0, { 3, 5 } }, { 6, 0, 2, 0, {} }, { 6, 0, 4, 0, {} }, { 6, 0, 5, 1, {} },
  { 6, 2, 2, nil, { 3, 4, 0 } }, { 6, 2, 3, 2, { 5, 1 } }, { 6, 2, 4, 2, {} }, { 6, 2, 0, 2, {} }, { 6, 2, 1, 3, {} },
  { 6, 5, 5, nil, { 0, 1, 3 } }, { 6, 5, 0, 5, { 2, 4 } },
}

for count, client, place, parent, children in each(ROOTS) do
  case {
    id = string.format("bcast-tree-%d-of-%d-root-is-no-master-of-%d", place, count, client),
    title = "A root that is no master stands in the tree for its own master",
    purpose = parent == nil
      and "The root, the second process under test, sends to those directly below; the master sends nothing."
      or parent == client and string.format("Master %d has the data from the second process of client %d.", place,
        client)
      or string.format("Master %d, further down, has the data from master %d.", place, parent),
    requirements = { "IMPI-221" }, incoming = place < count - 1,
    run = function(t)
      local job = t:job_of_clients(place, count, { np = 2, each = { 2 } })
      local root = job.processes[job:master(client).rank + 1]
      judge_place(t, "IMPI-221", job, root, parent and (parent == client and root or job:master(parent)),
        parent and job:master(place) or root, children)
    end,
  }
end

case {
  id = "bcast-tree-by-a-chosen-limit",
  title = "With four masters and a limit of two the broadcast is a tree",
  purpose = "The users of all clients have chosen the limit. Master 1 has the data from master 0 and gives them to master 3.",
  requirements = { "IMPI-220" }, incoming = true,
  run = function(t)
    local job = t:job_with_limit(1, 4, 2)
    judge_place(t, "IMPI-220", job, job:master(0), job:master(0), job:master(1), { 3 })
  end,
}

for limit, count, children in each { { 2, 4, { 3 } }, { 8, 6, {} } } do
  case {
    id = "client-maxlinear-of-bcast-" .. limit,
    title = string.format("A chosen limit moves the switch of a broadcast too: %d with %d masters", limit, count),
    purpose = "The users of all clients have chosen the limit. Master 1 has the data from master 0, the root"
      .. (#children > 0 and ", and gives them to master 3." or ", and sends nothing."),
    requirements = { "IMPI-067" }, chapter = "2.3.5", incoming = true,
    run = function(t)
      local job = t:job_with_limit(1, count, limit)
      judge_place(t, "IMPI-067", job, job:master(0), job:master(0), job:master(1), children)
    end,
  }
end

-- The masters of the communicator are, in their order, of clients 5 (under test), 3, 1, 0, 4, 2, with ranks 0, 1, 2, 3,
-- 5, 6; rank 4 is the other process under test.
case {
  id = "bcast-tree-of-a-permuted-communicator",
  title = "The tree is that of the communicator's masters, shifted by the root's",
  purpose = "Master 0 of the communicator is under test. With rank 1 as root it is the last of the tree and has the data from rank 2; with rank 6 it is next to the root and gives them to ranks 2 and 5.",
  requirements = { "IMPI-220" },
  run = function(t)
    local job = t:job_of_clients(5, 6, { np = 2 })
    local cid, own = job:create_as_the_last("c", "6,3,1,0,5,4,2") + 1, job.processes[6]
    job:start_bcast(1, nil, nil, "c"):send_bcast(job.processes[1], own, { cid = cid, lsrank = 2 })
    if t:bcast_completes("IMPI-220", job) and t:reconstructed("IMPI-220", "messages to other clients", job:hops(0),
      {}) then
      job:start_bcast(6, nil, nil, "c"):send_bcast(job.processes[2], own, { cid = cid, lsrank = 6 })
      t:reconstructed("IMPI-220", "messages, by ranks of the world", job:hops(2), { "6 to 1", "6 to 4" })
      t:bcast_completes("IMPI-220", job)
    end
  end,
}

-- { root in the communicator, in the world; who gives the data to the one under test, ranks there; whom it gives them }
for name, root, from, lsrank, to in each { { "the-first", 0, 0, 0, { 3, 5 } },
    { "beside-the-first", 1, 1, 1, { 3, 5 } }, { "its-own-second", 4, 7, 4, { 2, 3, 5 } } } do
  case {
    id = "bcast-tree-inner-master-root-is-" .. name,
    title = "An inner master of the tree whose rank is not its number: the root is " .. name:gsub("-", " "),
    purpose = "The client under test has ranks 2 and 4 of the communicator and is master 1 of six; masters 2, 3 and 5 have ranks 3, 5 and 7. Numbers say who is next in the tree, and ranks are sent to.",
    requirements = { "IMPI-220" }, ranks = 2,
    run = function(t)
      local job = t:inner_master()
      local own = job.processes[6]
      local head, wanted = from == 7 and job.processes[7] or own, {}
      job:start_bcast(root, from == 7 and 1 or nil, nil, "c")
      if from ~= 7 then job:send_bcast(job.processes[from], own, { cid = job.cid + 1, lsrank = lsrank }) end
      for i, world in ipairs(to) do wanted[i] = Bcast.hop(head, job.processes[world]) end
      t:reconstructed("IMPI-220", "messages, by ranks of the world", job:hops(#to), wanted)
      t:bcast_completes("IMPI-220", job)
    end,
  }
end
