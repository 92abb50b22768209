-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What several files of cases do with memory descriptors in one process that puts to itself.

Descriptor = {}

-- Descriptor.loopback(t [, octets]): a rank with a queue "eq", a region "buf" of 100 octets (or so many), and a
-- descriptor "out-md" of 40 octets mix/1 to put from.
function Descriptor.loopback(t, octets)
  t:open {}
  local rank = t.ranks[0]
  rank:eq("eq", 64)
  rank:region("buf", octets or 100)
  rank:bind { region = "source", octets = 40, fill = "mix/1", md = "out-md" }
  return rank
end

-- Descriptor.put(rank [, given]): a put of the rank to itself, from "out-md" unless told otherwise.
function Descriptor.put(rank, given)
  given = given or {}
  given.mem_desc = given.mem_desc or "out-md"
  given.target = rank
  rank:put(given)
end

-- Descriptor.current(t, rank [, md]): the descriptor as PtlMDUpdate reports it.
function Descriptor.current(t, rank, md)
  return t:setup(rank:PtlMDUpdate { mem_desc = md or "md", old = "was" }).old
end

-- Descriptor.refuses(t, req, rank [, given]): a put that the descriptor under test must refuse: it is dropped and
-- counted, and no event comes to "eq".
function Descriptor.refuses(t, req, rank, given)
  local before = rank:drop_count()
  Descriptor.put(rank, given)
  t:drops(req, rank, before, 1)
  t:equal(req, "events of a refused request", rank:PtlEQCount().count, 0)
end
