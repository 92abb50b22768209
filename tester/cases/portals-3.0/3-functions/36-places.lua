-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.6, 3.7.3 and 4.2: places in the midst of lists in which all entries, or all descriptors, are alike. Each
-- takes one put only, so that the order in which they take shows the order in which they stand. A list of hundreds may
-- be kept in another form than a short one.

defaults { suite = "match-entries", chapter = "3.6", ranks = 2, still = { "P32-019" } }

local PUT, REMOTE, ONCE = "PTL_MD_OP_PUT", "PTL_MD_MANAGE_REMOTE", "PTL_UNLINK"
local short, long = 0, 200

-- Rank 0 has an empty "out-md"; rank 1 has a queue "eq", and a list of so many entries that fit no request, the last of
-- which is "me0".
local function pair(t, count)
  local from, to = t:open {}
  from:bind { desc = "void", start = "null", length = 0, md = "out-md" }
  to:eq("eq", 64)
  to:region("buf", 16)
  to:me_attach { match_bits = 1 << 40, handle = "me0" }
  for i = 1, count do
    to:me_insert { match_bits = (1 << 40) + i, position = "PTL_INS_BEFORE", current = "me0", handle = "other" }
  end
  return from, to
end

-- An entry "me<mark>" beside another, with a descriptor that takes one put; `given` as for PtlMEInsert.
local function insert(to, mark, current, given)
  given = given or {}
  given.current, given.handle = "me" .. current, "me" .. mark
  to:me_insert(given)
  to:add_md { me = "me" .. mark, md = "md" .. mark, threshold = 1, md_unlink = ONCE, options = PUT .. "|" .. REMOTE,
    eventq = "eq", user_ptr = mark }
end

-- Judges that these marks stand directly behind each other.
local function adjacent(t, req, what, marks, first, second)
  for i, mark in ipairs(marks) do
    if mark == first then t:equal(req, what, marks[i + 1], second) end
  end
end

-- The marks of those that take the puts to come, in their order; one put more finds nobody.
local function order(t, req, from, to, count, bits)
  local before, marks = to:drop_count(), {}
  for _ = 1, count + 1 do from:put { mem_desc = "out-md", target = to, match_bits = bits or 0 } end
  t:drops(req, to, before, 1)
  for i = 1, count do marks[i] = t:event(req, to, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr end
  return marks
end

for length, others in each { { "short", short }, { "long", long } } do
  case {
    id = "match-alike-insert-" .. length,
    title = "Among identical entries an inserted one stands right beside the current one (a " .. length .. " list)",
    purpose = "Four entries are alike. One more is inserted before the third of them, and one behind the second. Six puts find all of them in their order.",
    requirements = { "P30-123", "P30-124" },
    run = function(t)
      local from, to = pair(t, others)
      for mark, current in ipairs { 0, 1, 2, 3 } do insert(to, mark, current) end
      insert(to, 5, 3, { position = "PTL_INS_BEFORE" })
      insert(to, 6, 2)
      local marks = order(t, "P30-123", from, to, 6)
      adjacent(t, "P30-123", "the entry behind the second", marks, 2, 6)
      adjacent(t, "P30-124", "the entry behind the one that was put before the third", marks, 5, 3)
      t:equal("P30-123", "all entries", marks, { 1, 2, 6, 5, 3, 4 })
    end,
  }

  case {
    id = "match-alike-before-the-first-" .. length,
    title = "An entry inserted before the first of its kind is found first (a " .. length .. " list)",
    purpose = "Before an entry one of the same kind is inserted, before that one for other bits, and before the second the third of the kind. Three puts find the third, the second and the first.",
    requirements = { "P30-122" },
    run = function(t)
      local from, to = pair(t, others)
      insert(to, 1, 0, { match_bits = 77 })
      insert(to, 2, 1, { match_bits = 77, position = "PTL_INS_BEFORE" })
      to:me_insert { match_bits = 1 << 50, position = "PTL_INS_BEFORE", current = "me2", handle = "other" }
      insert(to, 3, 2, { match_bits = 77, position = "PTL_INS_BEFORE" })
      t:equal("P30-122", "the entries in the order of the list", order(t, "P30-122", from, to, 3, 77), { 3, 2, 1 })
    end,
  }

  case {
    id = "match-alike-unlink-" .. length,
    title = "When one of several identical entries is unlinked, the others keep their order (a " .. length .. " list)",
    purpose = "Of five entries that are alike the second is unlinked. The puts find the first, the third, the fourth and the fifth.",
    requirements = { "P30-129", "P30-132" },
    run = function(t)
      local from, to = pair(t, others)
      for mark = 1, 5 do insert(to, mark, mark - 1) end
      to:me_unlink { entry = "me2" }
      t:equal("P30-129", "the entries that take the puts", order(t, "P30-129", from, to, 4), { 1, 3, 4, 5 })
      t:rc("P30-132", to:PtlMEUnlink { entry = "me1" }, "PTL_OK")
    end,
  }

  case {
    id = "match-alike-unlink-head-" .. length,
    title = "When the first of several identical entries is unlinked, the next one is the first (" .. length .. ")",
    purpose = "The entry at the head of the list is unlinked, and then twice the first of the six that are alike. The puts find the other four in their order.",
    requirements = { "P30-132" },
    run = function(t)
      local from, to = pair(t, 0)
      for mark = 1, 6 do insert(to, mark, mark - 1) end
      for i = 1, others do to:me_insert { match_bits = (1 << 40) + i, current = "me6", handle = "other" } end
      for _, mark in ipairs { 0, 1, 2 } do t:rc("P30-132", to:PtlMEUnlink { entry = "me" .. mark }, "PTL_OK") end
      t:equal("P30-132", "the entries that take the puts", order(t, "P30-132", from, to, 4), { 3, 4, 5, 6 })
    end,
  }

  case {
    id = "match-alike-some-refuse-" .. length,
    title = "Of several identical entries the first one that can accept the request takes it (a " .. length .. " list)",
    purpose = "Four entries are alike: the first has no descriptor, that of the second is for gets, that of the third is inactive, and the fourth takes puts. An entry that ignores bits stands between the second and the third, and takes the put behind that.",
    requirements = { "P30-015", "P30-019", "P30-315" },
    run = function(t)
      local from, to = pair(t, others)
      to:me_insert { current = "me0", handle = "me1" }
      to:me_insert { current = "me1", handle = "me2" }
      to:add_md { me = "me2", md = "md2", options = "PTL_MD_OP_GET", eventq = "eq", user_ptr = 2 }
      to:me_insert { current = "me2", handle = "me3" }
      to:add_md { me = "me3", md = "md3", threshold = 0, options = PUT, eventq = "eq", user_ptr = 3 }
      insert(to, 4, 3)
      t:equal("P30-315", "the entry that takes the put", order(t, "P30-019", from, to, 1), { 4 })
      insert(to, 5, 2, { ignorebits = 7 })
      insert(to, 6, 3)
      t:equal("P30-015", "the entries that take the puts", order(t, "P30-015", from, to, 2), { 5, 6 })
    end,
  }

  case {
    id = "match-all-bits-ignored-" .. length,
    title = "An entry that ignores all bits still accepts from its process alone (a " .. length .. " list)",
    purpose = "An entry that ignores all bits names rank 1 itself. A put of rank 0 passes it by, one of rank 1 is taken; likewise where the entry names its process by node and process id.",
    requirements = { "P30-105" },
    run = function(t)
      local from, to = pair(t, others)
      to:bind { desc = "void", start = "null", length = 0, md = "out-md" }
      for mark, matchid in ipairs { t.gid(to.id), t.nid(to.id) } do
        insert(to, mark, 0, { matchid = matchid, ignorebits = -1 })
        order(t, "P30-105", from, to, 0, 0x1234)
        t:equal("P30-105", "the entry that takes the put of its process", order(t, "P30-105", to, to, 1, 0x1234),
          { mark })
        to:me_unlink { entry = "me" .. mark }
      end
    end,
  }
end

case {
  id = "md-alike-insert",
  title = "Among the descriptors of an entry an inserted one stands right beside the current one",
  purpose = "An entry has four descriptors for one put each. One more is inserted before the third of them, and one behind the second. Six puts find all of them in their order.",
  requirements = { "P30-188", "P30-189" }, suite = "memory-descriptors", chapter = "3.7",
  run = function(t)
    local from, to = pair(t, short)
    local function add(mark, current, position)
      to:md { options = PUT .. "|" .. REMOTE, threshold = 1, eventq = "eq", user_ptr = mark }
      to:md_insert { unlink = ONCE, position = position, current = "md" .. current, handle = "md" .. mark }
    end
    insert(to, 1, 0)
    for mark = 2, 4 do add(mark, mark - 1) end
    add(5, 3, "PTL_INS_BEFORE")
    add(6, 2)
    local marks = order(t, "P30-188", from, to, 6)
    adjacent(t, "P30-188", "the descriptor behind the second", marks, 2, 6)
    adjacent(t, "P30-189", "the descriptor behind the one that was put before the third", marks, 5, 3)
    t:equal("P30-188", "all descriptors", marks, { 1, 2, 6, 5, 3, 4 })
  end,
}

case {
  id = "md-unlink-any-of-several",
  only = true,
  title = "An entry is unlinked with the last of its descriptors, whichever that is",
  purpose = "An entry with PTL_UNLINK has three descriptors. The last, the first and the remaining one are unlinked in this order: the entry is there until the third call, and takes a put in between. The same with one descriptor that is inactive.",
  requirements = { "P30-201" }, suite = "memory-descriptors", chapter = "3.7",
  run = function(t)
    local from, to = pair(t, short)
    to:me_insert { unlink = ONCE, current = "me0", handle = "me1" }
    to:add_md { me = "me1", md = "md1", options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 1 }
    for mark = 2, 3 do
      to:md { options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = mark }
      to:md_insert { current = "md" .. mark - 1, handle = "md" .. mark }
    end
    for _, row in ipairs { { "md3", 1 }, { "md1", 2 } } do
      t:rc("P30-201", to:PtlMDUnlink { mem_desc = row[1] }, "PTL_OK")
      from:put { mem_desc = "out-md", target = to }
      local event = t:event("P30-201", to, "eq", { type = "PTL_EVENT_PUT" })
      t:equal("P30-201", "the descriptor that takes a put after " .. row[1] .. " was unlinked", event.mem_desc.user_ptr,
        row[2])
    end
    t:rc("P30-201", to:PtlMDUnlink { mem_desc = "md2" }, "PTL_OK")
    local rc = to:PtlMEUnlink { entry = "me1" }.rc
    t:reading("P30-201", "explicit_unlink_takes_entry", "PtlMEUnlink of the emptied entry returns", rc,
      { { "yes", "PTL_INV_ME" }, { "no", "PTL_OK" } })
    to:me_insert { unlink = ONCE, current = "me0", handle = "me2" }
    to:add_md { me = "me2", md = "md4", options = PUT .. "|" .. REMOTE, threshold = 0 }
    t:rc("P30-201", to:PtlMDUnlink { mem_desc = "md4" }, "PTL_OK")
    t:equal("P30-201", "PtlMEUnlink of the entry whose only descriptor was inactive returns",
      to:PtlMEUnlink { entry = "me2" }.rc, rc)
  end,
}

case {
  id = "match-rank-of-any-group",
  only = true,
  title = "An entry for one rank of whatever group takes that rank's messages alone",
  purpose = "The criteria of an entry leave the group open and name the rank of a process. A put of the target to itself is dropped, one of the named process is taken; then the same with the ranks exchanged.",
  requirements = { "P30-105", "P30-109" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:eq("eq")
    for i = 0, 1 do t.ranks[i]:bind { desc = "void", start = "null", length = 0, md = "void-md" } end
    for _, pair in ipairs { { from, to }, { to, from } } do
      local named, other = pair[1], pair[2]
      to:attach { matchid = { kind = "gid", gid = "any", rid = named.id.rid }, start = "null", length = 0,
        eventq = "eq" }
      local before = to:drop_count()
      t:judging("P30-105")
      other:put { mem_desc = "void-md", target = to }
      t:drops("P30-105", to, before, 1)
      t:equal("P30-105", "events of a put of another rank", to:count_events("eq"), 0)
      t:judging("P30-109")
      named:put { mem_desc = "void-md", target = to }
      t:event("P30-109", to, "eq", { type = "PTL_EVENT_PUT", initiator = named.id })
    end
  end,
}
