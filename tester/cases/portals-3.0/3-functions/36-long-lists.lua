-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.6 and 4.2 for lists that are long. A library may keep them in another form than short ones, by which it
-- finds an entry without looking at all that stand before it; what it finds must be the same.

defaults { suite = "match-entries", chapter = "3.6", ranks = 2, still = { "P32-110" } }

local PUT, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_MANAGE_REMOTE"

-- Rank 1 gets a list of so many entries that fit nothing; the last one is "me0". Rank 0 has an empty "out-md".
local function pair(t, count)
  local from, to = t:open {}
  from:bind { desc = "void", start = "null", length = 0, md = "out-md" }
  to:eq("eq", 64)
  to:region("buf", 16)
  to:me_attach { match_bits = 1 << 40, handle = "me0" }
  for i = 1, count do
    to:me_insert { match_bits = (1 << 40) + i, position = "PTL_INS_BEFORE", current = "me0", handle = "before" }
  end
  return from, to
end

-- Inserts an entry "me<mark>" with a descriptor for one put.
local function insert(to, mark, given)
  given.handle = "me" .. mark
  to:me_insert(given)
  to:add_md { me = given.handle, md = "md" .. mark, threshold = 1, options = PUT .. "|" .. REMOTE, eventq = "eq",
    user_ptr = mark }
end

-- Judges which entries take puts with these bits, one after the other.
local function takers(t, req, from, to, bits, wanted)
  for i, mark in ipairs(wanted) do
    from:put { mem_desc = "out-md", target = to, match_bits = bits }
    local event = t:event(req, to, "eq", { type = "PTL_EVENT_PUT", match_bits = bits })
    t:equal(req, "the entry that takes put " .. i .. " with bits " .. t.hex(bits), event.mem_desc.user_ptr, mark)
  end
  local before = to:drop_count()
  from:put { mem_desc = "out-md", target = to, match_bits = bits }
  t:drops(req, to, before, 1)
end

case {
  id = "match-long-insert",
  title = "In the middle of a long list too an entry is inserted right beside the current one",
  purpose = "In a list of two hundred entries one for all senders is surrounded by entries of other kinds, some inserted before it and some behind it. Six puts, which fit all of them, find them in the order of the list.",
  requirements = { "P30-122", "P30-123" },
  run = function(t)
    local from, to = pair(t, 160)
    local rank, node = t.gid(from.id), t.nid(from.id)
    insert(to, 4, { match_bits = 7, current = "me0" })
    for i = 1, 40 do to:me_insert { match_bits = (1 << 41) + i, current = "me4", handle = "behind" } end
    insert(to, 3, { matchid = rank, match_bits = 7, position = "PTL_INS_BEFORE", current = "me4" })
    insert(to, 1, { match_bits = 6, ignorebits = 1, position = "PTL_INS_BEFORE", current = "me3" })
    insert(to, 2, { matchid = node, match_bits = 0, ignorebits = 0xff, current = "me1" })
    insert(to, 6, { ignorebits = -1, current = "me4" })
    insert(to, 5, { matchid = node, match_bits = 7, position = "PTL_INS_BEFORE", current = "me6" })
    local order = {}
    for i = 1, 6 do
      from:put { mem_desc = "out-md", target = to, match_bits = 7 }
      order[i] = t:event("P30-122", to, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr
    end
    t:equal("P30-122", "the entries before the one in the midst", { order[1], order[2], order[3] }, { 1, 2, 3 })
    t:equal("P30-123", "it, and the entries behind it", { order[4], order[5], order[6] }, { 4, 5, 6 })
  end,
}

case {
  id = "match-long-replaced",
  title = "PtlMEAttach destroys a long list as a whole",
  purpose = "A list of sixty entries, the last of which would take a put, is replaced by one entry for other bits. The put is dropped, and the handle of the last one is dead.",
  requirements = { "P30-107" },
  run = function(t)
    local from, to = pair(t, 58)
    local before = to:drop_count()
    insert(to, 1, { match_bits = 7, current = "me0" })
    local result = to:PtlMEAttach { match_bits = 1 << 42, handle = "new" }
    if t:reading("P30-107", "attach_to_occupied_index", "PtlMEAttach to an index in use returns", result.rc,
        { { "replace", "PTL_OK" }, { "refuse", "PTL_INUSE" }, { "refuse", "PTL_NOSPACE" } }) == "refuse" then
      return
    end
    from:put { mem_desc = "out-md", target = to, match_bits = 7 }
    t:drops("P30-107", to, before, 1)
    t:rc("P30-107", to:PtlMEUnlink { entry = "me1" }, "PTL_INV_ME")
  end,
}

-- Entries of two kinds in turn, each for bits of its own: what finds one kind must not hide the other.
case {
  id = "match-long-two-kinds",
  title = "In a long list entries of different kinds are found side by side",
  purpose = "Behind forty entries stand one that ignores a bit, an exact one, and one for any bits. Behind each other is inserted and found: the one that ignores a bit, after an exact one was made last.",
  requirements = { "P30-315" }, chapter = "4.2",
  run = function(t)
    local from, to = pair(t, 40)
    insert(to, 1, { match_bits = 6, ignorebits = 1, current = "me0" })
    insert(to, 2, { match_bits = 0, ignorebits = -1, current = "me1" })
    for mark = 3, 6 do insert(to, mark, { match_bits = 7, current = "me" .. mark - 1 }) end
    local order = {}
    for i = 1, 6 do
      from:put { mem_desc = "out-md", target = to, match_bits = 7 }
      local event = to:wait("eq").event
      order[i] = event and event.mem_desc.user_ptr or "none"
    end
    t:equal("P30-315", "the entries that take six puts", order, { 1, 2, 3, 4, 5, 6 })
  end,
}

case {
  id = "match-long-node-wildcards",
  title = "In a long list too a wildcard for node or process admits every value of that member",
  purpose = "Behind a hundred entries stand some for any process of the node of rank 0, for its process id on any node, for exactly rank 0, and for another node. A put for each finds the first three in their order.",
  requirements = { "P30-110" },
  run = function(t)
    local from, to = pair(t, 100)
    local id = from.id
    insert(to, 4, { matchid = { kind = "nid", nid = (id.nid + 1) & 0x7fffffff, pid = "any" }, current = "me0" })
    insert(to, 3, { matchid = t.nid(id), current = "me0" })
    insert(to, 2, { matchid = { kind = "nid", nid = "any", pid = id.pid }, current = "me0" })
    insert(to, 1, { matchid = { kind = "nid", nid = id.nid, pid = "any" }, current = "me0" })
    takers(t, "P30-110", from, to, 0, { 1, 2, 3 })
  end,
}

for name, req, make in each {
  { "rank", "P30-108", function(id) return Test.gid(id), { kind = "gid", gid = id.gid, rid = "any" } end },
  { "group", "P30-109", function(id) return Test.gid(id), { kind = "gid", gid = "any", rid = id.rid } end },
  { "process", "P30-110", function(id) return Test.nid(id), { kind = "nid", nid = id.nid, pid = "any" } end } } do
  case {
    id = "match-long-exact-before-any-" .. name,
    title = "In a long list of entries for one process an entry for any " .. name .. " is found too",
    purpose = "A hundred entries, with and without a mask, name the target itself exactly. One that leaves one of the two ids open stands in their midst, with their mask, and takes the put of rank 0 that fits it; so does one for everybody behind it.",
    requirements = { req },
    run = function(t)
      local from, to = pair(t, 0)
      for i = 1, 100 do
        local exact = make(to.id)
        to:me_insert { matchid = exact, match_bits = (1 << 41) + (i << 8), ignorebits = i % 2 * 0xf,
          position = "PTL_INS_BEFORE", current = "me0", handle = "me" .. 1000 + i }
      end
      local _, any = make(from.id)
      for mark, mask in ipairs { 0, 0xf } do
        insert(to, mark, { matchid = any, match_bits = mark << 50, ignorebits = mask, current = "me1050" })
        insert(to, 10 + mark, { match_bits = mark << 50, ignorebits = mask, current = "me1060" })
        takers(t, req, from, to, mark << 50, { mark, 10 + mark })
      end
    end,
  }
end

case {
  id = "match-long-many-masks",
  title = "In a long list every entry may have ignore bits of its own",
  purpose = "A hundred entries each ignore bits of their own. Requests find theirs whether the ignored bits are set or not, and a request that differs in another bit is dropped.",
  requirements = { "P30-111" },
  run = function(t)
    local from, to = pair(t, 0)
    local before = to:drop_count()
    local count = 100
    for i = 1, count do
      to:me_insert { match_bits = i << 32, ignorebits = i, current = i > 1 and "me" .. i - 1 or "me0",
        handle = "me" .. i }
      to:add_md { me = "me" .. i, md = "md" .. i, options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = i }
    end
    for i = count, 1, -1 do
      for _, bits in ipairs { i << 32, (i << 32) + i } do
        from:put { mem_desc = "out-md", target = to, match_bits = bits }
        local event = t:event("P30-111", to, "eq", { type = "PTL_EVENT_PUT", match_bits = bits })
        t:equal("P30-111", "the entry that takes bits " .. t.hex(bits), event.mem_desc.user_ptr, i)
      end
    end
    from:put { mem_desc = "out-md", target = to, match_bits = (1 << 32) + 2 }
    t:drops("P30-111", to, before, 1)
  end,
}

for name, place in each { { "first", 1 }, { "middle", 20 }, { "last", 40 } } do
  case {
    id = "match-long-all-but-the-" .. name,
    title = "Of many alike entries in a long list the only one that is left takes its requests",
    purpose = "Forty entries that ignore the same bits stand in a list of a hundred. All but the "
      .. name .. " are unlinked, from both ends in turn; after each one a put finds it.",
    requirements = { "P30-131" },
    run = function(t)
      local from, to = pair(t, 60)
      for i = 1, 40 do
        to:me_insert { match_bits = i << 8, ignorebits = 0xff, current = i > 1 and "me" .. i - 1 or "me0",
          handle = "me" .. i }
      end
      to:add_md { me = "me" .. place, md = "md", options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = place }
      local order = {}
      for i = 1, 40 do order[i] = i % 2 == 1 and (i + 1) // 2 or 41 - i // 2 end
      for _, gone in ipairs(order) do
        if gone ~= place then
          t:rc("P30-131", to:PtlMEUnlink { entry = "me" .. gone }, "PTL_OK")
          from:put { mem_desc = "out-md", target = to, match_bits = (place << 8) + gone }
          local event = t:event("P30-131", to, "eq", { type = "PTL_EVENT_PUT", match_bits = (place << 8) + gone })
          t:equal("P30-131", "the entry that takes it", event.mem_desc.user_ptr, place)
        end
      end
    end,
  }
end

-- Kinds of entries: what each leaves open. The bits that one of them waits for differ from those of all others.
local KINDS = {
  { "exact", 0 },
  { "masked", 0xff },
  { "high-masked", 0xff << 48 },
  { "of-one-process", 0, true },
}

for i, kind in ipairs(KINDS) do
  local name = kind[1]
  case {
    id = "match-long-unlinking-spares-" .. name,
    title = "In a long list entries stay where they are while many of another kind are unlinked",
    purpose = "Behind forty entries stand six of each of four kinds. Those of the other kinds are unlinked one by one, from the midst of the list; behind each one a put finds the entries of this kind that were made last and first.",
    requirements = { "P30-131" },
    run = function(t)
      local from, to = pair(t, 40)
      local function bits(number, mark) return number << 36 | mark << 16 end
      local order = { 1, 2, 3, 4 }
      table.remove(order, i)
      order[4] = i -- the kind that stays is made last
      local last = "me0"
      for _, number in ipairs(order) do
        for mark = 1, 6 do
          local handle = "me" .. 10 * number + mark
          to:me_insert { match_bits = bits(number, mark), ignorebits = KINDS[number][2],
            matchid = KINDS[number][3] and t.nid(from.id) or nil, current = last, handle = handle }
          last = handle
        end
      end
      for _, mark in ipairs { 1, 6 } do
        to:add_md { me = "me" .. 10 * i + mark, md = "md" .. mark, options = PUT .. "|" .. REMOTE, eventq = "eq",
          user_ptr = mark }
      end
      for place = 1, 3 do
        for mark = 1, 6 do
          t:rc("P30-131", to:PtlMEUnlink { entry = "me" .. 10 * order[place] + mark }, "PTL_OK")
          for _, left in ipairs { 6, 1 } do
            from:put { mem_desc = "out-md", target = to, match_bits = bits(i, left) }
            local event = t:event("P30-131", to, "eq", { type = "PTL_EVENT_PUT", match_bits = bits(i, left) })
            t:equal("P30-131", "the entry that takes it", event.mem_desc.user_ptr, left)
          end
        end
      end
    end,
  }
end

case {
  id = "match-list-grows-behind-alike-entries",
  title = "Alike entries keep their order while their list grows by hundreds of others",
  purpose = "Three entries that are alike stand among others. The list grows by 30, 100 and 300 entries at its end, and by as many at its beginning: each time puts find the three in their order.",
  requirements = { "P30-315" },
  run = function(t)
    local from, to = pair(t, 0)
    local places = { "me0" }
    for mark = 1, 3 do
      to:me_insert { match_bits = 7, ignorebits = 8, current = places[mark], handle = "me" .. mark }
      to:add_md { me = "me" .. mark, md = "md" .. mark, threshold = 1, options = PUT .. "|" .. REMOTE, eventq = "eq",
        user_ptr = mark }
      to:me_insert { match_bits = 1 << 42 | mark, current = "me" .. mark, handle = "between" .. mark }
      places[mark + 1] = "between" .. mark
    end
    for round, more in ipairs { 0, 30, 100, 300 } do
      for i = 1, more do
        to:me_insert { match_bits = 1 << 43 | round << 20 | i, current = "between3", handle = "behind" }
        to:me_insert { match_bits = 1 << 44 | round << 20 | i, current = "me0", position = "PTL_INS_BEFORE",
          handle = "ahead" }
      end
      takers(t, "P30-315", from, to, 7, { 1, 2, 3 })
      for mark = 1, 3 do
        to:md { name = "again", threshold = 1, options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = mark }
        to:md_update { mem_desc = "md" .. mark, new = "again" }
      end
    end
  end,
}

for apart in each { { 1 }, { 7 }, { 8 }, { 9 }, { 30 }, { 150 } } do
  case {
    id = "match-long-alike-" .. apart .. "-apart",
    title = "An entry that is inserted far before one that is alike is found first, and far behind it last",
    purpose = "In a list of hundreds, an entry is in the middle; " .. apart
      .. " others stand on both sides of it. One that is alike is inserted before these and one behind these. "
      .. "Three puts find them in the order of the list.",
    requirements = { "P30-122", "P30-123" },
    run = function(t)
      local from, to = pair(t, 100)
      insert(to, 2, { match_bits = 7, current = "me0" })
      local first, last = "me2", "me2"
      for i = 1, apart do
        to:me_insert { match_bits = 1 << 43 | i, position = "PTL_INS_BEFORE", current = first, handle = "a" .. i }
        to:me_insert { match_bits = 1 << 44 | i, current = last, handle = "b" .. i }
        first, last = "a" .. i, "b" .. i
      end
      for i = 1, 20 do to:me_insert { match_bits = 1 << 45 | i, current = last, handle = "c" .. i } end
      insert(to, 1, { match_bits = 7, position = "PTL_INS_BEFORE", current = first })
      insert(to, 3, { match_bits = 7, current = last })
      for mark, req in ipairs { "P30-122", "P30-123", "P30-123" } do
        from:put { mem_desc = "out-md", target = to, match_bits = 7 }
        local event = t:event(req, to, "eq", { type = "PTL_EVENT_PUT", match_bits = 7 })
        t:equal(req, "the entry that takes put " .. mark, event.mem_desc.user_ptr, mark)
      end
    end,
  }
end

case {
  id = "match-long-among-several-alike",
  title = "An entry that is inserted far from several that are alike takes its place among them",
  purpose = "In a list of two hundred three entries are alike, with thirty others before, between and behind them. One more is inserted in the midst of each thirty. Seven puts find all in the order of the list.",
  requirements = { "P30-122" },
  run = function(t)
    local from, to = pair(t, 80)
    local last, midst = "me0", {}
    for group = 0, 3 do
      for i = 1, 30 do
        local name = "other" .. group .. "_" .. i
        to:me_insert { match_bits = 1 << 43 | group << 8 | i, current = last, handle = name }
        last = name
      end
      midst[group] = "other" .. group .. "_15"
      if group < 3 then
        insert(to, 2 * group + 2, { match_bits = 7, current = last })
        last = "me" .. 2 * group + 2
      end
    end
    for _, group in ipairs { 1, 0, 3, 2 } do
      insert(to, 2 * group + 1, { match_bits = 7, position = "PTL_INS_BEFORE", current = midst[group] })
    end
    takers(t, "P30-122", from, to, 7, { 1, 2, 3, 4, 5, 6, 7 })
  end,
}

for name, position, req in each { { "behind", "PTL_INS_AFTER", "P30-123" },
    { "before", "PTL_INS_BEFORE", "P30-122" } } do
  case {
    id = "match-long-at-one-place-" .. name,
    title = "Many entries that are inserted right " .. name .. " the same one stand in the order of their insertion",
    purpose = "Into a list of a hundred sixty entries that fit, of three kinds in turn, are inserted one by one right "
      .. name .. " the same one. Puts find the " .. (name == "behind" and "latest" or "earliest") .. " one first.",
    requirements = { req },
    run = function(t)
      local from, to = pair(t, 100)
      local order = {}
      for mark = 1, 60 do
        insert(to, mark, { match_bits = 7, ignorebits = ({ 0, 1 << 50, 1 << 51 })[mark % 3 + 1], position = position,
          current = "me0" })
        order[name == "behind" and 61 - mark or mark] = mark
      end
      takers(t, req, from, to, 7, order)
    end,
  }
end
