-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What all other cases rest on: each function that makes an object, or by which a case sees what has happened, called
-- once as its section says. These cases come first, so that a run whose set-up fails later has named the requirement
-- that is broken.

defaults { suite = "foundations", still = { "P32-106", "P32-175" } }

for id, chapter, req, what, call in each {
  { "entry", "3.6", "P30-106", "A match entry is made", function(rank) return rank:PtlMEAttach {} end },
  { "descriptor", "3.7", "P30-175", "A memory descriptor is attached to an entry", function(rank)
    rank:region("buf", 16)
    rank:me_attach {}
    return rank:PtlMDAttach { mem_desc = rank:md { options = "PTL_MD_OP_PUT" } }
  end },
  { "bound-descriptor", "3.7", "P30-193", "A memory descriptor outside every list is made", function(rank)
    rank:region("buf", 16)
    return rank:PtlMDBind { mem_desc = rank:md {} }
  end },
  { "queue", "3.8", "P30-236", "An event queue is made", function(rank) return rank:PtlEQAlloc {} end },
  { "count", "3.8", "P30-240", "An event queue tells how many events it has", function(rank)
    rank:eq()
    return rank:PtlEQCount {}
  end },
  { "status", "3.5", "P30-092", "An interface tells its drop count", function(rank) return rank:PtlNIStatus {} end },
} do
  case {
    id = "first-" .. id,
    title = what,
    purpose = "The function is called once, with plain arguments, in one process: whatever else is judged rests on its doing well.",
    chapter = chapter, requirements = { req },
    run = function(t)
      t:rc(req, call(t:open {}), "PTL_OK")
    end,
  }
end

case {
  id = "first-look-into-a-queue",
  title = "PtlEQGet returns when a queue is empty",
  purpose = "The queue has just been made. All cases that look for events rest on this call's coming back.",
  chapter = "3.8", requirements = { "P30-243" },
  run = function(t)
    local rank = t:open {}
    rank:eq()
    t:rc("P30-243", rank:PtlEQGet { deadline = 5000 }, "PTL_EQ_EMPTY")
  end,
}
