-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.7.4: descriptors that stand in no list.

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"

case {
  id = "md-bind-unreachable",
  title = "No request reaches a bound descriptor, whatever its options",
  purpose = "A descriptor with all options is bound while an entry that matches everything has none; another such entry is attached behind it, and a third portal has no entry. Puts and gets to all three are dropped; the region stays as it was and serves its owner.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-193" },
  run = function(t)
    local rank = t:open {}
    local before = rank:drop_count()
    rank:eq("eq")
    rank:region("hidden", 64)
    rank:me_attach { index = 1, ignorebits = -1, handle = "bare" }
    rank:md { region = "hidden", options = PUT .. "|" .. GET .. "|" .. REMOTE .. "|" .. TRUNCATE, eventq = "eq" }
    t:rc("P30-193", rank:PtlMDBind { handle = "bound" }, "PTL_OK")
    rank:me_attach { index = 0, ignorebits = -1 }
    rank:bind { desc = "out-desc", region = "out", octets = 64, fill = "mix/4", md = "out-md" }
    for portal = 0, 2 do
      rank:put { mem_desc = "out-md", target = rank, portal = portal }
      rank:get { mem_desc = "out-md", target = rank, portal = portal }
    end
    t:drops("P30-193", rank, before, 6)
    t:octets("P30-193", "the region of the bound descriptor", rank, "hidden", "byte/0")
    t:equal("P30-193", "its events", rank:PtlEQCount().count, 0)
    rank:attach { octets = 64, index = 2, options = PUT .. "|" .. REMOTE, eventq = "eq" }
    rank:fill("hidden", "mix/5")
    t:rc("P30-193", rank:PtlPut { mem_desc = "bound", target = rank, portal = 2 }, "PTL_OK")
    t:sanity("the put and its sending are logged", #(rank:collect("eq", 2)) == 2)
    t:octets("P30-193", "what its owner put from it", rank, "buf", "mix/5")
  end,
}

-- A descriptor is ended before it was used, and behind each kind of use.
for name, use in each { { "unused" }, { "after-a-put", "put" }, { "after-a-get", "get" } } do
  case {
    id = "md-bound-is-gone-for-every-call-" .. name,
    title = "No call knows a bound descriptor any more that was unlinked",
    purpose = "PtlPut, PtlGet, PtlMDUpdate and PtlMDUnlink refuse its handle, twice; another descriptor that was bound beside it serves on, and nothing of the refused calls travels.",
    suite = "memory-descriptors", chapter = "3.7",
    requirements = { "P30-198" },
    run = function(t)
      local rank = t:open {}
      rank:eq("eq")
      rank:attach { octets = 64, options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
      rank:bind { desc = "first", octets = 40, region = "own", md = "gone-md", eventq = "eq" }
      rank:bind { desc = "second", octets = 24, region = "other", md = "other-md" }
      if use then
        rank[use](rank, { mem_desc = "gone-md", target = rank })
        t:sanity("it is used", #rank:collect("eq", 2) == 2)
      end
      t:rc("P30-198", rank:PtlMDUnlink { mem_desc = "gone-md" }, "PTL_OK")
      for _ = 1, 2 do
        t:rc("P30-198", rank:PtlGet { mem_desc = "gone-md", target = rank }, "PTL_INV_MD")
        t:rc("P30-198", rank:PtlPut { mem_desc = "gone-md", target = rank }, "PTL_INV_MD")
        t:rc("P30-198", rank:PtlMDUpdate { mem_desc = "gone-md", new = "first", testq = "none" }, "PTL_INV_MD")
        t:rc("P30-198", rank:PtlMDUnlink { mem_desc = "gone-md" }, "PTL_INV_MD")
      end
      rank:put { mem_desc = "other-md", target = rank }
      t:event("P30-198", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 24 })
      t:equal("P30-198", "events of calls that were refused", rank:PtlEQCount().count, 0)
    end,
  }
end
