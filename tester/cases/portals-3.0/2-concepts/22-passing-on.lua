-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 2.2 and 4.2: for whatever reason the first descriptor of an entry rejects a request, put or get, the search
-- goes on; and a get finds its memory as a put does.

defaults { suite = "translation", chapter = "2.2", deadline = 90,
  still = { "P32-019", "P32-023", "P32-214", "P32-219" } }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"

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
  requirements = { "P30-019", "P30-144", "P30-315" },
  run = function(t)
    local rank = t:open {}
    local before = rank:drop_count()
    rank:eq("eq")
    rank:eq("own-eq")
    rank:region("buf", 128, { fill = "mix/2" })
    rank:bind { region = "own", octets = 40, fill = "mix/1", md = "own-md", eventq = "own-eq" }
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
      rank[verb:lower()](rank, { mem_desc = "own-md", target = rank, offset = 30 })
      local event = t:event("P30-019", rank, "eq", { type = "PTL_EVENT_" .. verb, mlength = 40, offset = 30 })
      t:equal("P30-315", "the descriptor that served it", event.mem_desc.user_ptr, 99)
      for i, row in ipairs(REASONS) do
        t:equal("P30-144", "the threshold of a descriptor with " .. row[1],
          t:setup(rank:PtlMDUpdate { mem_desc = "md" .. i, old = "was" }).old.threshold, row[2].threshold or 5)
      end
    end
    t:equal("P30-019", "dropped requests", rank:drop_count() - before, 0)
  end,
}

-- A queue may hold more events than were asked for; no library would add so many unasked.
local PLENTY = 1000

case {
  id = "translation-passes-a-full-queue",
  title = "A request for whose event there is no room goes on to the next entry",
  purpose = "In front of an entry without a queue stands one with a queue of two. Of a thousand puts those that find no place there are taken by the entry behind, and none is dropped; so are gets.",
  requirements = { "P30-019", "P30-326" }, chapter = "4.2",
  run = function(t)
    local rank = t:open {}
    local before = rank:drop_count()
    rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    for _, verb in ipairs { "PtlPut", "PtlGet" } do
      rank:eq("tiny", 2)
      rank:attach { start = "null", length = 0, options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "tiny" }
      rank:me_insert { handle = "behind" }
      rank:add_md { me = "behind", md = "behind-md", start = "null", length = 0, threshold = 2 * PLENTY,
        options = PUT .. "|" .. GET .. "|" .. REMOTE }
      local values = { mem_desc = "out-md", target = t.gid(rank.id), portal = 0, cookie = 0, match_bits = 0,
        offset = 0 }
      values.ack_req = verb == "PtlPut" and "PTL_NOACK_REQ" or nil
      t:sanity("all of them were called", rank:batch(PLENTY, { { verb, values } }).runs == PLENTY)
      t:flush(rank, rank)
      local held = rank:PtlEQCount { eventq = "tiny" }.count
      local behind = 2 * PLENTY - t:setup(rank:PtlMDUpdate { mem_desc = "behind-md", old = "was" }).old.threshold
      t:equal("P30-019", "dropped requests", rank:drop_count() - before, 0)
      if behind == 0 then
        t:reading("P30-326", "full_queue", "requests that found no place in a queue of two", "none",
          { { "refuse", "all but a few" }, { "overwrite", "none" } })
        return
      end
      t:equal("P30-326", "requests that were logged, and requests that the entry behind took", held + behind, PLENTY)
      rank:me_unlink {}
    end
  end,
}

-- Entries of rank 1 that match no get of rank 0 with the bits 0x300, or whose descriptors serve none; each with the
-- requirement that its serving would break. `first` and `second` are the descriptors of the entry, if it has any.
local function passed_over(t, from, to)
  return {
    { "P30-112", { match_bits = 0x301 }, { mark = 1 } },
    { "P30-105", { match_bits = 0x300, matchid = t.gid(to.id) }, { mark = 2 } },
    { "P30-020", { match_bits = 0x300 } },
    { "P30-145", { match_bits = 0x300, matchid = t.nid(from.id) }, { mark = 4, threshold = 0 },
      { req = "P30-017", mark = 5 } },
  }
end

case {
  id = "translation-of-gets",
  title = "A get finds its memory by the same rules as a put",
  purpose = "Four entries do not serve a get: one for other bits, one for another process, one without descriptors, one whose first descriptor is inactive while its second would serve. Behind them one serves that ignores eight bits, whether they are set or not.",
  requirements = { "P30-017", "P30-020", "P30-105", "P30-111", "P30-112", "P30-145" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:eq("eq", 64)
    to:region("buf", 16, { fill = "mix/2" })
    from:bind { region = "in", octets = 16, md = "in-md" }
    to:me_attach { match_bits = -1, handle = "me0" }
    local function descriptor(given)
      return to:md { options = GET .. "|" .. REMOTE, eventq = "eq", user_ptr = given.mark, threshold = given.threshold }
    end
    local rows = passed_over(t, from, to)
    for i, row in ipairs(rows) do
      local _, criteria, first, second = table.unpack(row)
      criteria.current, criteria.handle = "me" .. i - 1, "me" .. i
      to:me_insert(criteria)
      if first then to:md_attach { match = "me" .. i, mem_desc = descriptor(first) } end
      if second then to:md_insert { mem_desc = descriptor(second) } end
    end
    to:me_insert { match_bits = 0x300, ignorebits = 0xff, current = "me" .. #rows, handle = "last" }
    to:md_attach { match = "last", mem_desc = descriptor { mark = 99 } }
    t:judging("P30-020")
    for i, bits in ipairs { 0x300, 0x37f } do
      from:get { mem_desc = "in-md", target = to, match_bits = bits }
      local event = t:event(i == 1 and "P30-020" or "P30-111", to, "eq", { type = "PTL_EVENT_GET", match_bits = bits })
      local served = event.mem_desc.user_ptr
      for _, row in ipairs(rows) do
        for _, md in ipairs { row[3], row[4] } do
          t:check(md.req or row[1], "descriptor " .. md.mark .. " does not serve the get", served ~= md.mark,
            "another one", served)
        end
      end
      t:equal("P30-111", "the descriptor that serves the get with bits " .. t.hex(bits), served, 99)
    end
  end,
}

case {
  id = "translation-get-ends-its-entry",
  title = "A get that uses up the last descriptor of an entry unlinks the entry, as a put does",
  purpose = "Two entries with PTL_UNLINK stand in a row, each with a descriptor for one get. Two gets are served by the one and then by the other, both entries are gone, and a third get is dropped.",
  requirements = { "P30-022", "P30-023" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    local before = to:drop_count()
    to:eq("eq")
    to:region("buf", 16)
    from:bind { desc = "void", start = "null", length = 0, md = "in-md" }
    for mark = 1, 2 do
      if mark == 1 then
        to:me_attach { unlink = "PTL_UNLINK", handle = "me1" }
      else
        to:me_insert { unlink = "PTL_UNLINK", current = "me1", handle = "me2" }
      end
      to:add_md { me = "me" .. mark, md = "md" .. mark, threshold = 1, md_unlink = "PTL_UNLINK",
        options = GET .. "|" .. REMOTE, eventq = "eq", user_ptr = mark }
    end
    for mark = 1, 2 do
      from:get { mem_desc = "in-md", target = to }
      local event = t:event("P30-022", to, "eq", { type = "PTL_EVENT_GET" })
      t:equal("P30-022", "the descriptor that serves get " .. mark, event.mem_desc.user_ptr, mark)
      t:md_unlinked("P30-022", to, "md" .. mark)
      t:me_unlinked("P30-023", to, "me" .. mark)
    end
    from:get { mem_desc = "in-md", target = to }
    t:drops("P30-022", to, before, 1)
  end,
}

case {
  id = "move-gets-of-nothing",
  title = "A get of zero octets, asked for or returned, has all the events of a get",
  purpose = "An empty get, and one of 16 octets that is cut to none, are logged at the target and told at the initiator, each with its lengths.",
  requirements = { "P30-214", "P30-219" }, suite = "movement", chapter = "3.8", ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:eq("eq")
    to:attach { start = "null", length = 0, options = GET .. "|" .. REMOTE .. "|" .. TRUNCATE, eventq = "eq" }
    from:eq("eq")
    from:region("in", 16, { fill = "mix/3" })
    for _, length in ipairs { 0, 16 } do
      from:bind { start = "in", length = length, md = "in-md" .. length, eventq = "eq" }
      from:get { mem_desc = "in-md" .. length, target = to, match_bits = 0 }
      t:event("P30-214", to, "eq", { type = "PTL_EVENT_GET", rlength = length, mlength = 0 })
      t:event("P30-219", from, "eq", { type = "PTL_EVENT_REPLY", rlength = length, mlength = 0 })
    end
    t:octets("P30-219", "the memory for the replies", from, "in", "mix/3")
  end,
}
