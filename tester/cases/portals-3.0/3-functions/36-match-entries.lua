-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.6: match entries and match lists. Where the criteria are judged a process puts to itself: matching is the
-- target's business alone, and the order of events is the order of the puts.

defaults { suite = "match-entries", chapter = "3.6", still = { "P32-106", "P32-116", "P32-127", "P32-130" } }

-- A rank with an event queue "eq", 64 octets "buf" and an empty descriptor "out" to put from.
local function alone(t, sizes)
  local rank = t:open(sizes or {})
  rank:eq("eq", 64)
  rank:bind { octets = 64, md = "out-md", length = 0 }
  return rank
end

-- Adds an entry with a descriptor that shows `mark` as user_ptr; the first one is attached, later ones follow `after`.
local function entry(rank, mark, given)
  local name = "me" .. mark
  if given.current then
    rank:me_insert { matchid = given.matchid, match_bits = given.match_bits, ignorebits = given.ignorebits,
      unlink = given.unlink, position = given.position, current = given.current, handle = name }
  else
    rank:me_attach { index = given.index, matchid = given.matchid, match_bits = given.match_bits,
      ignorebits = given.ignorebits, unlink = given.unlink, handle = name }
  end
  rank:add_md { me = name, md = "md" .. mark, threshold = given.threshold, md_unlink = given.md_unlink, eventq = "eq",
    user_ptr = mark, options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE" }
  return name
end

-- Puts nothing with these bits to itself and returns the mark of the entry that took it; nil when it was dropped.
-- A put to another portal goes the same way; when that has been logged the first one has been handled.
local function who_takes(t, rank, bits)
  rank:eq("later-eq")
  rank:attach { index = 5, me = "later-me", md = "later-md", options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE",
    eventq = "later-eq" }
  rank:put { mem_desc = "out-md", target = rank, match_bits = bits }
  rank:put { mem_desc = "out-md", target = rank, portal = 5 }
  t:sanity("a later put arrives", rank:wait("later-eq").event ~= nil)
  local result = rank:wait("eq", 0)
  return result.event and result.event.mem_desc.user_ptr
end

-- Puts with these bits; the entry behind `mark` must take it (or nobody, when mark is nil).
local function takes(t, req, rank, what, bits, mark)
  local before = rank:drop_count()
  rank:put { mem_desc = "out-md", target = rank, match_bits = bits }
  if mark then
    local event = t:event(req, rank, "eq", { type = "PTL_EVENT_PUT", match_bits = bits })
    t:equal(req, what .. ": the entry that takes it", event.mem_desc.user_ptr, mark)
  else
    t:drops(req, rank, before, 1)
    t:equal(req, what .. ": events", rank:PtlEQCount().count, 0)
  end
end

-- Puts nothing `count` times to itself; the marks of the entries that took it, in order.
local function order_of(rank, count)
  local order = {}
  for _ = 1, count do rank:put { mem_desc = "out-md", target = rank } end
  for i, event in ipairs((rank:collect("eq", count))) do order[i] = event.mem_desc.user_ptr end
  return order
end

case {
  id = "match-both-criteria",
  title = "Process id and match bits must both match",
  purpose = "Entry one wants rank 0 and bits 1; the four combinations of right and wrong are put, and rank 2 sends the right bits.",
  requirements = { "P30-105", "P30-106" }, ranks = 4,
  run = function(t)
    local first, second, third, to = t:open {}
    to:eq("eq")
    to:attach { octets = 64, matchid = t.gid(first.id), match_bits = 1, eventq = "eq" }
    for _, rank in ipairs { first, second, third } do rank:bind { md = "out-md", length = 0 } end
    for _, row in ipairs { { first, 2 }, { second, 1 }, { second, 2 }, { third, 1 } } do
      local before = to:drop_count()
      row[1]:put { mem_desc = "out-md", target = to, match_bits = row[2] }
      t:drops("P30-105", to, before, 1)
    end
    first:put { mem_desc = "out-md", target = to, match_bits = 1 }
    t:event("P30-106", to, "eq", { type = "PTL_EVENT_PUT", match_bits = 1, initiator = first.id })
    t:equal("P30-105", "other events", to:PtlEQCount().count, 0)
  end,
}

for kind, call in each { { "put", "puts" }, { "get", "gets" } } do
  case {
    id = "match-id-wildcards" .. (kind == "put" and "" or "-of-gets"),
    title = "PTL_ID_ANY in a match id stands for every value of that member alone, of who " .. call,
    purpose = "Wildcard rank, wildcard group, wildcard process and wildcard node admit rank 0; an entry that names another rank beside the wildcard does not.",
    requirements = { "P30-108", "P30-109", "P30-110" }, ranks = 2,
    run = function(t)
      local from, to = t:open {}
      to:eq("eq")
      to:region("buf", 64)
      from:eq("own-eq")
      from:bind { md = "out-md", length = 0, eventq = kind == "get" and "own-eq" or "none" }
      local id = from.id
      local rows = {
        { "P30-108", { kind = "gid", gid = id.gid, rid = "any" }, true },
        { "P30-109", { kind = "gid", gid = "any", rid = id.rid }, true },
        { "P30-109", { kind = "gid", gid = "any", rid = to.id.rid }, false },
        { "P30-108", { kind = "gid", gid = (id.gid + 1) & 0x7fffffff, rid = "any" }, false },
        { "P30-110", { kind = "nid", nid = id.nid, pid = "any" }, true },
        { "P30-110", { kind = "nid", nid = "any", pid = id.pid }, true },
        { "P30-110", { kind = "nid", nid = "any", pid = to.id.pid }, false },
        { "P30-110", { kind = "nid", nid = (id.nid + 1) & 0x7fffffff, pid = "any" }, false },
      }
      for _, row in ipairs(rows) do
        t:judging(row[1])
        to:attach { matchid = row[2], options = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE", eventq = "eq" }
        local before = to:drop_count()
        from[kind](from, { mem_desc = "out-md", target = to })
        if row[3] then
          t:event(row[1], to, "eq", { type = "PTL_EVENT_" .. kind:upper() })
          if kind == "get" then t:event(row[1], from, "own-eq", { type = "PTL_EVENT_REPLY" }) end
        else
          t:drops(row[1], to, before, 1)
        end
      end
    end,
  }
end

case {
  id = "match-ignore-bits",
  title = "Ignored bits are not compared",
  purpose = "An entry with bits 0x10 that ignores 0x0f takes 0x10 to 0x1f and neither 0x20 nor 0x0f.",
  requirements = { "P30-111" },
  run = function(t)
    local rank = alone(t)
    entry(rank, 1, { match_bits = 0x10, ignorebits = 0x0f })
    for bits = 0x10, 0x1f do takes(t, "P30-111", rank, t.hex(bits), bits, 1) end
    for _, bits in ipairs { 0x20, 0x0f, 0x00, 0x110 } do takes(t, "P30-111", rank, t.hex(bits), bits, nil) end
  end,
}

case {
  id = "match-every-bit-counts",
  title = "Without ignored bits each of the 64 bits must be equal",
  purpose = "For a random pattern, requests that differ in one bit are dropped, for each of the 64 positions; the pattern itself is taken.",
  requirements = { "P30-112" },
  run = function(t)
    local rank = alone(t)
    local pattern = (t.random(0x7fffffff) << 33) ~ (t.random(0x7fffffff) << 8) ~ t.random(0xff)
    entry(rank, 1, { match_bits = pattern })
    for bit = 0, 63 do takes(t, "P30-112", rank, "bit " .. bit .. " wrong", pattern ~ (1 << bit), nil) end
    takes(t, "P30-112", rank, "the pattern itself", pattern, 1)
  end,
}

case {
  id = "match-ignore-all",
  title = "An entry that ignores all bits takes every request",
  purpose = "Random match bits, zero and all ones, of puts and of gets.",
  requirements = { "P30-113" },
  run = function(t)
    local rank = alone(t)
    entry(rank, 1, { match_bits = 0, ignorebits = -1 })
    local samples = { 0, -1, 1 << 63 }
    for _ = 1, 8 do samples[#samples + 1] = (t.random(0x7fffffff) << 32) | t.random(0x7fffffff) end
    for _, bits in ipairs(samples) do takes(t, "P30-113", rank, t.hex(bits), bits, 1) end
    rank:attach { index = 1, me = "read-me", md = "read-md", length = 0, ignorebits = -1,
      options = "PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE", eventq = "eq" }
    for _, bits in ipairs(samples) do
      rank:get { mem_desc = "out-md", target = rank, portal = 1, match_bits = bits }
      t:event("P30-113", rank, "eq", { type = "PTL_EVENT_GET", match_bits = bits })
    end
  end,
}

case {
  id = "match-bits-inside-the-mask",
  title = "An entry's own bits inside its ignore mask have no influence",
  purpose = "An entry with bits 0x1f that ignores 0x0f and requests with bits 0x10 to 0x1f. The sentence as printed masks the incoming bits alone, so that the entry could never match; known implementations mask both. Either way all sixteen are treated the same, of puts and of gets.",
  requirements = { "P30-114" },
  run = function(t)
    local rank = alone(t)
    entry(rank, 1, { match_bits = 0x1f, ignorebits = 0x0f })
    local mark = who_takes(t, rank, 0x10)
    t:reading("P30-114", "match_masks_entry", "entry that takes bits 0x10", mark or "nobody",
      { { "both", 1 }, { "request_only", "nobody" } })
    for bits = 0x11, 0x1f do takes(t, "P30-114", rank, t.hex(bits) .. ", as 0x10", bits, mark) end
    rank:attach { index = 1, me = "read-me", md = "read-md", length = 0, match_bits = 0x1f, ignorebits = 0x0f,
      options = "PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE", eventq = "eq" }
    for bits = 0x10, 0x1f do
      local before = rank:drop_count()
      rank:get { mem_desc = "out-md", target = rank, portal = 1, match_bits = bits }
      if mark then
        t:event("P30-114", rank, "eq", { type = "PTL_EVENT_GET", match_bits = bits })
      else
        t:drops("P30-114", rank, before, 1)
      end
    end
    takes(t, "P30-114", rank, "bits 0x20", 0x20, nil)
  end,
}

case {
  id = "match-bits-inside-the-mask-in-a-long-list",
  title = "An entry's own bits inside its ignore mask have no influence in a long list either",
  purpose = "An entry with bits 0x1f that ignores 0x0f takes 0x10, or, by the reading of the printed sentence, does not. In front of sixty others it treats all of 0x10 to 0x1f like that.",
  requirements = { "P30-114" },
  run = function(t)
    local rank = alone(t)
    entry(rank, 1, { match_bits = 0x1f, ignorebits = 0x0f })
    local mark = who_takes(t, rank, 0x10)
    for i = 1, 60 do rank:me_insert { match_bits = (1 << 60) + i, current = "me1", handle = "filler" } end
    for bits = 0x10, 0x1f do takes(t, "P30-114", rank, t.hex(bits) .. ", as 0x10 in a short list", bits, mark) end
    takes(t, "P30-114", rank, "bits 0x20", 0x20, nil)
  end,
}

case {
  id = "match-bits-inside-the-mask-one-by-one",
  title = "Each bit of an entry that its ignore mask covers has no influence, the lowest as the highest",
  purpose = "For each of the 64 bits an entry that has and ignores it, and wants another one: requests with and without the ignored bit are taken, one without the other bit is not. By the reading of the printed sentence such an entry takes nothing: then none may.",
  requirements = { "P30-114" }, deadline = 60,
  run = function(t)
    local rank = alone(t)
    entry(rank, 1, { match_bits = 1 | 1 << 17, ignorebits = 1 })
    local mark = who_takes(t, rank, 1 << 17)
    t:reading("P30-114", "match_masks_entry", "entry that takes a request without its ignored bit", mark or "nobody",
      { { "both", 1 }, { "request_only", "nobody" } })
    for bit = 0, 63 do
      local own, other = 1 << bit, 1 << (bit + 17) % 64
      entry(rank, 1, { match_bits = own | other, ignorebits = own })
      takes(t, "P30-114", rank, "without the ignored bit " .. bit, other, mark)
      takes(t, "P30-114", rank, "with the ignored bit " .. bit, own | other, mark)
      if bit % 9 == 0 then takes(t, "P30-114", rank, "without the bit beside bit " .. bit, own, nil) end
    end
  end,
}

case {
  id = "match-attach-at-its-index",
  title = "PtlMEAttach makes the list at the index that it is given, and at no other",
  purpose = "Entries are attached at the indexes 1, 4 and 6 of eight. A put, and a get, to each of these is taken by the entry of that very index; those to the five others are dropped.",
  requirements = { "P30-106" },
  run = function(t)
    local rank, attached = alone(t, { ptl_size = 8 }), { [1] = true, [4] = true, [6] = true }
    for _, index in ipairs { 4, 1, 6 } do
      t:rc("P30-106", rank:PtlMEAttach { index = index, handle = "me" .. index }, "PTL_OK")
      rank:add_md { me = "me" .. index, md = "md" .. index, eventq = "eq", user_ptr = index,
        options = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE" }
    end
    for index = 0, 7 do
      for _, verb in ipairs { "put", "get" } do
        local before = rank:drop_count()
        rank[verb](rank, { mem_desc = "out-md", target = rank, portal = index, match_bits = 0 })
        if attached[index] then
          local event = t:event("P30-106", rank, "eq", { type = "PTL_EVENT_" .. verb:upper(), portal = index })
          t:equal("P30-106", "the index at which the entry was attached", event.mem_desc.user_ptr, index)
        else
          t:drops("P30-106", rank, before, 1)
        end
      end
    end
  end,
}

case {
  id = "match-attach-replaces",
  title = "PtlMEAttach to an index in use destroys the old list",
  purpose = "Four entries with descriptors are replaced by a fifth; the old handles are dead, the old memory receives nothing more.",
  requirements = { "P30-107" },
  run = function(t)
    local rank = alone(t)
    entry(rank, 1, {})
    for mark = 2, 4 do entry(rank, mark, { current = "me" .. mark - 1 }) end
    local result = rank:PtlMEAttach { handle = "me5" }
    t:reading("P30-107", "attach_to_occupied_index", "PtlMEAttach to an index in use returns", result.rc,
      { { "replace", "PTL_OK" }, { "refuse", "PTL_INUSE" }, { "refuse", "PTL_NOSPACE" } })
    if result.rc ~= "PTL_OK" then return end
    for mark = 1, 4 do
      t:rc("P30-107", rank:PtlMEUnlink { entry = "me" .. mark }, "PTL_INV_ME")
      t:rc("P30-107", rank:PtlMDUnlink { mem_desc = "md" .. mark }, "PTL_INV_MD")
    end
    rank:add_md { me = "me5", md = "md5", eventq = "eq", user_ptr = 5 }
    takes(t, "P30-107", rank, "after the replacement", 0, 5)
  end,
}

case {
  id = "match-unlink-flag-without-descriptor",
  title = "An entry with PTL_UNLINK that never had a descriptor stays",
  purpose = "Nothing was unlinked, so the flag has no occasion; inserting relative to the entry still works.",
  requirements = { "P30-116" },
  run = function(t)
    local rank = alone(t)
    rank:me_attach { unlink = "PTL_UNLINK", handle = "me1" }
    takes(t, "P30-116", rank, "an empty entry", 0, nil)
    t:rc("P30-116", rank:PtlMEInsert { current = "me1", handle = "me2" }, "PTL_OK")
    t:rc("P30-116", rank:PtlMEUnlink { entry = "me1" }, "PTL_OK")
  end,
}

case {
  id = "match-attach-errors",
  title = "PtlMEAttach has a return code of its own for each kind of bad argument",
  purpose = "An index outside the table, a process id of no kind, an output address that is none, and a handle that is no interface.",
  requirements = { "P30-117", "P30-118", "P30-120", "P30-121" },
  run = function(t)
    local rank = alone(t, { ptl_size = 4 })
    t:rc("P30-117", rank:PtlMEAttach { index = 4 }, "PTL_INV_PTINDEX")
    t:rc("P30-118", rank:PtlMEAttach { matchid = { kind = "kind", number = 99, nid = 1, pid = 1, gid = 1, rid = 1 } },
      "PTL_INV_PROC")
    t:judging("P30-120")
    t:rc("P30-120", rank:PtlMEAttach { handle = "null" }, "PTL_SEGV")
    local other = "eq"
    if rank:same("eq", "ni") then -- handles of two types may be alike
      rank:ni_fini {}
      other = "ni"
    end
    local rc = rank:PtlMEAttach { interface = other }.rc
    t:reading("P30-121", "attach_bad_interface_code", "PtlMEAttach with a handle that is no interface returns", rc,
      { { "PTL_INV_NI", "PTL_INV_NI" }, { "any_error", rc ~= "PTL_OK" and rc or nil } })
  end,
}

case {
  id = "match-insert-order",
  title = "PTL_INS_BEFORE and PTL_INS_AFTER put the new entry right beside the current one",
  purpose = "Five entries with equal criteria and descriptors for one put each are built by inserting around each other; five puts show their order.",
  requirements = { "P30-122", "P30-123", "P30-124" },
  run = function(t)
    local rank = alone(t)
    local once = { threshold = 1, md_unlink = "PTL_UNLINK", unlink = "PTL_UNLINK" }
    local function add(mark, position, current)
      local given = { position = position, current = current }
      for key, value in pairs(once) do given[key] = value end
      entry(rank, mark, given)
    end
    add(3)
    add(4, "PTL_INS_AFTER", "me3")   -- 3 4
    add(2, "PTL_INS_BEFORE", "me3")  -- 2 3 4
    add(1, "PTL_INS_BEFORE", "me2")  -- 1 2 3 4
    add(5, "PTL_INS_AFTER", "me3")   -- 1 2 3 5 4
    local order = {}
    for i = 1, 5 do
      rank:put { mem_desc = "out-md", target = rank }
      order[i] = t:event("P30-122", rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr
    end
    t:equal("P30-124", "the head of the list", order[1], 1)
    t:equal("P30-122", "the order before the entry that all were inserted around", { order[1], order[2], order[3] },
      { 1, 2, 3 })
    t:equal("P30-123", "the order after it", { order[3], order[4], order[5] }, { 3, 5, 4 })
  end,
}

case {
  id = "match-insert-before-the-third",
  title = "PTL_INS_BEFORE links the new entry immediately before the current one, wherever that stands",
  purpose = "A list has the entries 1, 2 and 3, with equal criteria and descriptors for one put each. Entry 9 is inserted before entry 3; four puts must find 1, 2, 9 and 3.",
  requirements = { "P30-122" },
  run = function(t)
    local rank = alone(t)
    for mark = 1, 3 do
      entry(rank, mark, { current = mark > 1 and "me" .. (mark - 1) or nil, threshold = 1 })
    end
    t:rc("P30-122", rank:PtlMEInsert { position = "PTL_INS_BEFORE", current = "me3", handle = "me9" }, "PTL_OK")
    rank:add_md { me = "me9", md = "md9", threshold = 1, eventq = "eq", user_ptr = 9 }
    t:equal("P30-122", "the entries that took four puts", order_of(rank, 4), { 1, 2, 9, 3 })
  end,
}

case {
  id = "match-insert-takes-its-criteria",
  title = "An inserted entry has the criteria and the unlink flag that the call gives it",
  purpose = "Behind an entry for other bits one is inserted for rank 0 alone and bits of which four are ignored, with PTL_UNLINK. It takes what fits from rank 0, nothing from rank 1 and nothing with other bits, and goes with its descriptor.",
  requirements = { "P30-105", "P30-111", "P30-115" }, ranks = 3,
  run = function(t)
    local first, second, to = t:open {}
    to:eq("eq")
    to:region("buf", 64)
    to:me_attach { match_bits = 1 }
    to:me_insert { matchid = t.gid(first.id), match_bits = 0x50, ignorebits = 0x0f, unlink = "PTL_UNLINK",
      current = "me", handle = "me2" }
    to:add_md { me = "me2", threshold = 2, md_unlink = "PTL_UNLINK", options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE",
      eventq = "eq" }
    for _, rank in ipairs { first, second } do rank:bind { md = "out-md", length = 0 } end
    for _, row in ipairs { { second, 0x50, "P30-105" }, { first, 0x40, "P30-111" }, { first, 0x150, "P30-111" } } do
      local before = to:drop_count()
      row[1]:put { mem_desc = "out-md", target = to, match_bits = row[2] }
      t:drops(row[3], to, before, 1)
    end
    for _, bits in ipairs { 0x50, 0x5f } do
      t:rc("P30-115", to:PtlMEInsert { current = "me2", match_bits = 2, handle = "behind" }, "PTL_OK")
      first:put { mem_desc = "out-md", target = to, match_bits = bits }
      t:event("P30-111", to, "eq", { type = "PTL_EVENT_PUT", match_bits = bits, initiator = first.id })
    end
    t:me_unlinked("P30-115", to, "me2")
  end,
}

case {
  id = "match-insert-errors",
  title = "PtlMEInsert has a return code of its own for each kind of bad argument",
  purpose = "An entry that was unlinked, handles of a descriptor, an interface and a queue and such as never were, a process id of no kind, and an output address that is none.",
  requirements = { "P30-125", "P30-127" }, still = {},
  run = function(t)
    local rank = alone(t)
    rank:me_attach {}
    t:rc("P30-127", rank:PtlMEInsert { matchid = { kind = "kind", number = 99, nid = 1, pid = 1, gid = 1, rid = 1 } },
      "PTL_INV_PROC")
    t:rc("P30-127", rank:PtlMEInsert { handle = "null" }, "PTL_SEGV")
    t:rc("P30-127", rank:PtlMEInsert { handle = "inserted" }, "PTL_OK")
    rank:me_unlink { entry = "me" }
    t:rc("P30-125", rank:PtlMEInsert { current = "me" }, "PTL_INV_ME")
    t:rc("P30-125", rank:PtlMEInsert { current = "eq" }, "PTL_INV_ME")
    entry(rank, 2, { match_bits = 7, index = 6 })
    rank:bind { start = "null", length = 0, md = "bound" }
    for _, other in ipairs { "md2", "bound", "ni", "eq", "zero", "ones" } do
      local of_nothing = other == "zero" or other == "ones"
      local living = of_nothing and rank:PtlNIHandle { handle = other }.rc == "PTL_OK"
      local alike = not of_nothing and (rank:same(other, "me2") or rank:same(other, "inserted"))
      if not living and not alike then -- handles of two types may be alike
        t:rc("P30-125", rank:PtlMEInsert { current = other, match_bits = 7 }, "PTL_INV_ME")
      end
    end
    rank:put { mem_desc = "out-md", target = rank, portal = 6, match_bits = 7 }
    local event = t:event("P30-125", rank, "eq", { type = "PTL_EVENT_PUT", portal = 6 })
    t:equal("P30-125", "the entry that takes a put after refused insertions", event.mem_desc.user_ptr, 2)
  end,
}

case {
  id = "match-emptied-index-is-free",
  title = "An index whose list has become empty can be attached again, however it became so",
  purpose = "An entry goes with its descriptor: used up by a put, used up by a get, or unlinked by a call. Each time another one is attached at the index and takes a put, twice over.",
  requirements = { "P30-134" }, still = {},
  run = function(t)
    local rank = alone(t)
    local number = 10
    for _ = 1, 2 do
      for _, how in ipairs { "put", "get", "call" } do
        rank:me_attach { unlink = "PTL_UNLINK", handle = "goes" }
        rank:add_md { me = "goes", md = "gone" .. number, threshold = 1, md_unlink = "PTL_UNLINK", eventq = "eq",
          options = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE" }
        if how == "call" then
          rank:me_unlink { entry = "goes" }
        else
          rank[how](rank, { mem_desc = "out-md", target = rank, match_bits = 0 })
          t:event("P30-134", rank, "eq", { type = "PTL_EVENT_" .. how:upper() })
          rank:until_unlinked("gone" .. number)
        end
        t:rc("P30-134", rank:PtlMEAttach { handle = "free" }, "PTL_OK")
        rank:add_md { me = "free", md = "md" .. number, eventq = "eq", user_ptr = number }
        takes(t, "P30-134", rank, "behind an entry that went by a " .. how, 0, number)
        rank:me_unlink { entry = "free" }
        number = number + 1
      end
    end
  end,
}

case {
  id = "match-unlink",
  title = "PtlMEUnlink takes the entry out of its list, with its descriptors",
  purpose = "The head, a middle entry and the last one are unlinked in turn; requests go to what is left, the handles are dead, and the index can be used anew.",
  requirements = { "P30-129", "P30-130", "P30-131", "P30-132", "P30-133", "P30-134" },
  run = function(t)
    local rank = alone(t)
    for mark = 1, 4 do
      entry(rank, mark, { match_bits = 7, current = mark > 1 and "me" .. (mark - 1) or nil })
    end
    t:judging("P30-131")
    t:rc("P30-129", rank:PtlMEUnlink { entry = "me2" }, "PTL_OK")
    takes(t, "P30-131", rank, "without the second entry", 7, 1)
    t:rc("P30-130", rank:PtlMDUnlink { mem_desc = "md2" }, "PTL_INV_MD")
    t:rc("P30-133", rank:PtlMEUnlink { entry = "me2" }, "PTL_INV_ME")
    rank:me_unlink { entry = "me1" }
    takes(t, "P30-132", rank, "without the head", 7, 3)
    rank:me_unlink { entry = "me3" }
    takes(t, "P30-129", rank, "with the last entry alone", 7, 4)
    rank:me_unlink { entry = "me4" }
    takes(t, "P30-129", rank, "with an empty list", 7, nil)
    t:rc("P30-134", rank:PtlMEAttach { match_bits = 7, handle = "me5" }, "PTL_OK")
    rank:add_md { me = "me5", md = "md5", eventq = "eq", user_ptr = 5 }
    takes(t, "P30-134", rank, "after attaching anew", 7, 5)
  end,
}

case {
  id = "match-unlink-passes-on",
  title = "What an unlinked entry would have taken goes to the entry behind it",
  purpose = "Of two entries with equal criteria the first takes a put. It is unlinked, and the second takes the next one; that is unlinked, and the third put is dropped.",
  requirements = { "P30-129" },
  run = function(t)
    local rank = alone(t)
    entry(rank, 1, {})
    entry(rank, 2, { current = "me1" })
    for mark = 1, 2 do
      takes(t, "P30-129", rank, "with entry " .. mark .. " in front", 0, mark)
      t:rc("P30-129", rank:PtlMEUnlink { entry = "me" .. mark }, "PTL_OK")
    end
    takes(t, "P30-129", rank, "with both unlinked", 0, nil)
  end,
}

case {
  id = "match-unlink-keeps-the-order",
  title = "Unlinking an entry from the middle leaves the others in their order",
  purpose = "Of six entries with equal criteria and descriptors for one put each, one is unlinked, each of them in turn and in a new list, then two and three of them. Puts find the others in their order.",
  requirements = { "P30-131" },
  run = function(t)
    local rank = alone(t)
    for _, gone in ipairs { { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 }, { 2, 4 }, { 4, 2 }, { 5, 2, 3 } } do
      local left, names = {}, {}
      for mark = 1, 6 do
        names[mark] = entry(rank, mark, { current = names[mark - 1], threshold = 1 })
        left[mark] = mark
      end
      for _, mark in ipairs(gone) do
        rank:me_unlink { entry = names[mark] }
        for place, other in ipairs(left) do
          if other == mark then table.remove(left, place) end
        end
      end
      t:equal("P30-131", "the entries that take puts without " .. table.concat(gone, ", "), order_of(rank, #left), left)
      takes(t, "P30-131", rank, "a put more", 0, nil)
      for _, mark in ipairs(left) do rank:me_unlink { entry = names[mark] } end
    end
  end,
}

case {
  id = "match-stale-handle",
  title = "A handle of an unlinked entry never refers to a later one",
  purpose = "An entry is unlinked and another is made, many times; the old handle must stay dead.",
  requirements = { "P30-133" },
  run = function(t)
    local rank = alone(t)
    rank:me_attach { handle = "old" }
    rank:me_unlink { entry = "old" }
    for round = 1, 8 do
      rank:me_attach { handle = "new" }
      t:refused("P30-133", rank, "PtlMEUnlink", "entry", "old", "PTL_INV_ME", { "new" })
      t:rc("P30-133", rank:PtlMEUnlink { entry = "new" }, "PTL_OK")
    end
  end,
}

case {
  id = "match-entries-run-out",
  title = "PtlMEAttach reports that there is no room for another entry, and succeeds again when one is unlinked",
  purpose = "List after list is filled, up to 1.2 million entries. If the library reaches its limit before, the code must be PTL_NOSPACE; after unlinking one entry the call must succeed.",
  requirements = { "P30-119", "P30-127" }, deadline = 120,
  run = function(t)
    local rank, made, until_ms = t:init(), 0, t:now() + 80000
    -- 32 lists hold what one may not; a system with fewer portals fills those that it has.
    local result, portals = rank:PtlNIInit { ptl_size = 32 }, 32
    if result.beyond and result.rc ~= "PTL_OK" then
      result, portals = rank:PtlNIInit { ptl_size = 8 }, 8
    elseif result.beyond then
      result.beyond, portals = nil, rank:granted("ptl_size", 32)
    end
    t:setup(result)
    for index = 0, portals - 2 do
      result = rank:PtlMEAttach { index = index, handle = "first" }
      if result.rc ~= "PTL_OK" or made > 1200000 then break end
      local filled = rank:batch_for(until_ms - t:now(), 1200000 - made, { { "PtlMEInsert", { matchid = t.any_gid,
        match_bits = 0, ignorebits = 0, unlink = "PTL_RETAIN", position = "PTL_INS_AFTER", current = "first",
        handle = "more" } } })
      made = made + 1 + filled.runs
      if filled.late then break end
    end
    if result.rc == "PTL_OK" then t:skip("no limit was met with " .. made .. " entries") end
    t:rc("P30-119", result, "PTL_NOSPACE")
    rank:me_unlink { entry = "more" }
    t:rc("P30-119", rank:PtlMEAttach { index = portals - 1, handle = "lone" }, "PTL_OK")
    local full = rank:batch(60000, { { "PtlMEInsert", { matchid = t.any_gid, match_bits = 0, ignorebits = 0,
      unlink = "PTL_RETAIN", position = "PTL_INS_AFTER", current = "lone", handle = "second" } } })
    t:equal("P30-127", "PtlMEInsert without room returns", full.rc, "PTL_NOSPACE")
    rank:me_unlink { entry = "first" }
    t:rc("P30-127", rank:PtlMEInsert { current = "lone", handle = "second" }, "PTL_OK")
  end,
}

case {
  id = "match-list-too-long",
  title = "The longest match list ends with PTL_ML_TOOLONG or PTL_NOSPACE, and nothing is lost",
  purpose = "Entries are inserted until the library refuses; then the list still works, and after unlinking one entry another can be inserted.",
  requirements = { "P30-126" }, deadline = 60,
  run = function(t)
    local rank = alone(t)
    entry(rank, 1, { match_bits = 1 })
    local result = rank:batch_for(30000, 200000, { { "PtlMEInsert", { matchid = t.any_gid, match_bits = 2,
      ignorebits = 0, unlink = "PTL_RETAIN", position = "PTL_INS_AFTER", current = "me1", handle = "more" } } })
    t:skip_if(result.line == 0, "no limit was met with " .. result.runs .. " entries in one list")
    t:equal_or_warn("P30-126", "PtlMEInsert into a full list returns", result.rc, "PTL_ML_TOOLONG",
      { PTL_NOSPACE = "memory ended before the list did" })
    takes(t, "P30-126", rank, "with a full list", 1, 1)
    rank:me_unlink { entry = "more" }
    t:rc("P30-126", rank:PtlMEInsert { match_bits = 2, current = "me1", handle = "more" }, "PTL_OK")
  end,
}
