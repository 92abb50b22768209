-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 2.2 and 4.2: for whatever reason the first descriptor of an entry rejects a request, put or get, the search
-- goes on. A process asks itself.

local PUT, GET, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"

-- Why a descriptor of 64 octets rejects a put, and a get, of 40 octets with an offset of 30.
local REASONS = {
  { "an operation that is not enabled", { options = { PUT = GET .. "|" .. REMOTE, GET = PUT .. "|" .. REMOTE } } },
  { "no operation that is enabled", { options = REMOTE } },
  { "a threshold of zero", { threshold = 0 } },
  { "too little room behind the offset", {} },
  { "no room at all", { length = 0 } },
  { "an offset beyond the end", { length = 20 } },
}

case {
  id = "translation-passes-on",
  title = "A request that a descriptor rejects, for whatever reason, goes on to the next entry",
  purpose = "In front of an entry that takes puts and gets stand others that match as well, one for each reason to reject. A put and a get pass them all, are served by the last one, and none of the others changes.",
  suite = "translation", chapter = "2.2",
  requirements = { "P30-019", "P30-144", "P30-315" },
  run = function(t)
    t:open {}
    local rank = t.ranks[0]
    rank:eq("eq")
    rank:eq("own-eq")
    rank:region("buf", 128, { fill = "mix/2" })
    rank:region("own", 40, { fill = "mix/1" })
    rank:bind { region = "own", md = "own-md", eventq = "own-eq" }
    for _, verb in ipairs { "PUT", "GET" } do
      for i, row in ipairs(REASONS) do
        local given = row[2]
        local options = given.options or PUT .. "|" .. GET .. "|" .. REMOTE
        local desc = { me = "me" .. i, md = "md" .. i, length = given.length or 64, threshold = given.threshold or 5,
          options = type(options) == "table" and options[verb] or options, eventq = "eq", user_ptr = i }
        if i == 1 then
          rank:me_attach { handle = "me1" }
        else
          rank:me_insert { current = "me" .. i - 1, handle = "me" .. i }
        end
        rank:add_md(desc)
      end
      rank:me_insert { current = "me" .. #REASONS, handle = "last" }
      rank:add_md { me = "last", md = "last-md", options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq",
        user_ptr = 99 }
      t:judging("P30-019")
      rank[verb:lower()](rank, { mem_desc = "own-md", target = rank, offset = 30 })
      local event = t:event("P30-019", rank, "eq", { type = "PTL_EVENT_" .. verb, mlength = 40, offset = 30 })
      t:equal("P30-315", "the descriptor that served it", event.mem_desc.user_ptr, 99)
      for i, row in ipairs(REASONS) do
        t:equal("P30-144", "the threshold of a descriptor with " .. row[1],
          t:setup(rank:PtlMDUpdate { mem_desc = "md" .. i, old = "was" }).old.threshold, row[2].threshold or 5)
      end
    end
    t:equal("P30-019", "dropped requests", rank:drop_count(), 0)
  end,
}

-- A queue may hold more events than were asked for; no library would add so many unasked.
local PLENTY = 3000

case {
  id = "translation-passes-a-full-queue",
  title = "A request for whose event there is no room goes on to the next entry",
  purpose = "In front of an entry without a queue stands one with a queue of two. Of three thousand puts those that find no place there are taken by the entry behind, and none is dropped; so are gets.",
  suite = "translation", chapter = "4.2",
  requirements = { "P30-019", "P30-326" },
  run = function(t)
    t:open {}
    local rank = t.ranks[0]
    rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    for _, verb in ipairs { "PtlPut", "PtlGet" } do
      rank:eq("tiny", 2)
      rank:attach { start = "null", length = 0, options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "tiny" }
      rank:me_insert { handle = "behind" }
      rank:add_md { me = "behind", md = "behind-md", start = "null", length = 0, threshold = 2 * PLENTY,
        options = PUT .. "|" .. GET .. "|" .. REMOTE }
      t:judging("P30-019")
      local values = { mem_desc = "out-md", target = t.gid(rank.id), portal = 0, cookie = 0, match_bits = 0,
        offset = 0 }
      values.ack_req = verb == "PtlPut" and "PTL_NOACK_REQ" or nil
      t:sanity("all of them were called", rank:batch(PLENTY, { { verb, values } }).runs == PLENTY)
      t:settle(rank, rank)
      local held = rank:PtlEQCount { eventq = "tiny" }.count
      local behind = 2 * PLENTY - t:setup(rank:PtlMDUpdate { mem_desc = "behind-md", old = "was" }).old.threshold
      if behind == 0 and rank:drop_count() == 0 then
        t:reading("P30-326", "full_queue", "requests that found no place in a queue of two", "none",
          { { "refuse", "all but a few" }, { "overwrite", "none" } })
        t:check("P30-019", "no request was dropped", true)
        return
      end
      t:equal("P30-019", "dropped requests", rank:drop_count(), 0)
      t:equal("P30-326", "requests that were logged, and requests that the entry behind took", held + behind, PLENTY)
      rank:me_unlink {}
    end
  end,
}
