-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.7: descriptors without an event queue, whose operations count and which go as those of others do.

defaults { suite = "memory-descriptors", chapter = "3.7.1", ranks = 1 }

local BOTH <const> = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE"

-- A rank with a queue "eq" and a descriptor "out-md" without one.
local function alone(t)
  local rank = t:open {}
  rank:eq("eq", 64)
  rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
  return rank
end

case {
  id = "threshold-without-a-queue",
  title = "A threshold bounds the operations of a descriptor without a queue too",
  purpose = "A descriptor without a queue and with a threshold of 3: a put and two gets are performed, and those behind them are dropped.",
  requirements = { "P32-141" },
  run = function(t)
    local rank = alone(t)
    rank:attach { octets = 8, threshold = 3, options = BOTH }
    rank:bind { region = "in", octets = 8, desc = "in-desc", md = "in-md" }
    local before = rank:drop_count()
    rank:put { mem_desc = "out-md", target = rank }
    for _ = 1, 2 do rank:get { mem_desc = "in-md", target = rank } end
    t:flush(rank, rank)
    t:equal("P32-141", "operations of three that are dropped", rank:drop_count() - before, 0)
    rank:put { mem_desc = "out-md", target = rank }
    rank:get { mem_desc = "in-md", target = rank }
    t:drops("P32-141", rank, before, 2)
  end,
}

case {
  id = "sending-without-a-queue",
  title = "Sending from a descriptor without a queue lowers its threshold too",
  purpose = "A threshold of 5: five puts to another process arrive, one behind the other, and a sixth one is refused.",
  requirements = { "P32-150" }, ranks = 2,
  run = function(t)
    local rank, to = t:open {}
    to:eq("eq", 64)
    to:attach { octets = 8, options = BOTH, eventq = "eq" }
    rank:bind { region = "own", octets = 8, threshold = 5, desc = "own-desc", md = "own-md" }
    for i = 1, 5 do
      t:rc("P32-150", rank:PtlPut { mem_desc = "own-md", target = to }, "PTL_OK")
      t:check("P32-150", "put " .. i .. " arrives", to:wait_done("eq").event, "an event", "none")
    end
    t:flush(rank, to)
    local result = rank:PtlPut { mem_desc = "own-md", target = to }
    t:check("P32-150", "what one more returns", result.rc ~= "PTL_OK", "another code than PTL_OK", result.rc)
  end,
}

case {
  id = "replies-without-a-queue",
  title = "Replies into a descriptor without a queue lower its threshold too",
  purpose = "A threshold of 5: two gets bring their octets, and then the threshold is 3, or 1 where they may count when they begin as well.",
  requirements = { "P32-149" },
  run = function(t)
    local rank = alone(t)
    rank:attach { octets = 8, fill = "mix/2", options = BOTH }
    rank:bind { region = "in", octets = 8, threshold = 5, desc = "in-desc", md = "in-md" }
    for _ = 1, 2 do t:rc("P32-149", rank:PtlGet { mem_desc = "in-md", target = rank }, "PTL_OK") end
    t:flush(rank, rank)
    local threshold
    local twice <const> = Revision.name == "portals-3.2" and 1 or 3
    for _ = 1, 100 do
      threshold = t:setup(rank:PtlMDUpdate { mem_desc = "in-md", old = "was" }).old.threshold
      if (threshold == 3 or threshold == twice) and rank:compare("in", "mix/2", 0, 8).equal then break end
      rank:pause(50)
    end
    t:check("P32-149", "the threshold behind two replies", threshold == 3 or threshold == twice, twice, threshold)
    t:octets("P32-149", "what was asked for", rank, "in", "mix/2", 0, 8)
  end,
}

case {
  id = "unlinked-without-a-queue",
  title = "A descriptor without a queue goes when it is used up, as any other",
  purpose = "Descriptors with PTL_UNLINK and a threshold of 1, one for a put and one for a get; behind it neither is there.",
  requirements = { "P32-179" }, still = { "P33-179" },
  run = function(t)
    local rank = alone(t)
    rank:bind { region = "in", octets = 8, desc = "in-desc", md = "in-md" }
    for index = 0, 1 do
      rank:attach { index = index, me = "me" .. index, md = "md" .. index, desc = "desc" .. index,
        region = "buf" .. index, octets = 8, options = BOTH, threshold = 1, md_unlink = "PTL_UNLINK" }
    end
    rank:put { mem_desc = "out-md", target = rank }
    rank:get { mem_desc = "in-md", target = rank, portal = 1 }
    t:flush(rank, rank)
    for index = 0, 1 do
      rank:until_unlinked("md" .. index)
      t:refused("P32-179", rank, "PtlMDUnlink", "mem_desc", "md" .. index, "PTL_INV_MD", rank:settling_handles("md"))
    end
  end,
}
