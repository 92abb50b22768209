-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.6: entries behind calls that were refused or that took the place of others, in front of a full list, at
-- every interface; and indices that are small in fewer bits.

defaults { suite = "match-entries", chapter = "3.6", still = { "P32-116" } }

-- A rank with a queue, and an empty "out-md".
local function alone(t)
  local rank = t:open {}
  rank:eq("eq", 16)
  rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
  return rank
end

-- An empty descriptor that takes one put and then goes.
local function once(rank, mark)
  return rank:md { name = "once", start = "null", length = 0, threshold = 1, options = "PTL_MD_OP_PUT", eventq = "eq",
    user_ptr = mark }
end

case {
  id = "match-flag-outlives-a-descriptor-attached-anew",
  title = "An entry with PTL_UNLINK whose descriptor was attached anew goes with the new one",
  purpose = "Descriptors are attached to an entry twice, three times where that replaces the one before; the last one is used up by a put. The entry is gone.",
  requirements = { "P30-115" },
  run = function(t)
    local rank = alone(t)
    rank:me_attach { unlink = "PTL_UNLINK" }
    for mark = 1, 3 do
      local result = rank:PtlMDAttach { mem_desc = once(rank, mark), unlink = "PTL_UNLINK" }
      if mark > 1 and (result.rc == "PTL_INUSE" or result.rc == "PTL_NOSPACE") then break end
      t:setup(result)
    end
    rank:put { mem_desc = "out-md", target = rank }
    t:event("P30-115", rank, "eq", { type = "PTL_EVENT_PUT" })
    t:me_unlinked("P30-115", rank, "me")
  end,
}

case {
  id = "match-empty-entry-outlives-refused-descriptors",
  title = "An empty entry with PTL_UNLINK stays when descriptors for it are refused",
  purpose = "Attached and inserted entries without descriptors are offered illegal ones: a region at address zero, a queue that is none. Then each gets a legal one and takes a put.",
  requirements = { "P30-116" },
  run = function(t)
    local rank = alone(t)
    rank:me_attach { unlink = "PTL_UNLINK", match_bits = 1, handle = "me1" }
    rank:me_insert { unlink = "PTL_UNLINK", match_bits = 2, current = "me1", handle = "me2" }
    rank:eq("dead-eq", 4)
    rank:eq_free { eventq = "dead-eq" }
    for mark = 1, 2 do
      for _, wrong in ipairs { { start = "null", length = 8 }, { start = "null", length = 0, eventq = "dead-eq" } } do
        wrong.name = "wrong"
        local result = rank:PtlMDAttach { match = "me" .. mark, mem_desc = rank:md(wrong), handle = "refused" }
        if result.rc == "PTL_OK" then rank:md_unlink { mem_desc = "refused" } end -- that is another case's concern
        t:skip_if(result.rc == "PTL_OK", "an illegal descriptor is taken")
      end
      t:rc("P30-116", rank:PtlMDAttach { match = "me" .. mark, mem_desc = once(rank, mark), handle = "md" }, "PTL_OK")
      rank:put { mem_desc = "out-md", target = rank, match_bits = mark }
      t:event("P30-116", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = mark })
    end
  end,
}

case {
  id = "match-list-too-long-in-front",
  title = "The longest match list takes no entry in front of its head, nor in its midst",
  purpose = "Entries are inserted behind the head until the library refuses. Then none can be inserted before the head or before its neighbour, until one is unlinked.",
  requirements = { "P30-126" }, deadline = 60,
  run = function(t)
    local rank = alone(t)
    rank:me_attach { match_bits = 1, handle = "me1" }
    local result = rank:batch_for(30000, 200000, { { "PtlMEInsert", { matchid = t.any_gid, match_bits = 2,
      ignorebits = 0, unlink = "PTL_RETAIN", position = "PTL_INS_AFTER", current = "me1", handle = "more" } } })
    t:skip_if(result.line == 0, "no limit was met with " .. result.runs .. " entries in one list")
    local refusals = result.rc == "PTL_ML_TOOLONG" and { "PTL_INS_BEFORE", "PTL_INS_AFTER" } or {}
    for _, position in ipairs(refusals) do -- where memory ends before the list does, some may be left for another place
      for _, current in ipairs { "me1", "more" } do
        local result = rank:PtlMEInsert { position = position, current = current, handle = "one-more" }
        t:rc("P30-126", result, "PTL_ML_TOOLONG")
      end
    end
    rank:me_unlink { entry = "more" }
    t:rc("P30-126", rank:PtlMEInsert { position = "PTL_INS_BEFORE", current = "me1", handle = "more" }, "PTL_OK")
  end,
}

case {
  id = "match-list-too-long-until-one-goes",
  title = "An entry that goes with its used descriptor makes room in the longest match list",
  purpose = "A list is filled until the library refuses. An entry that takes one put and then goes is given the last place; when it has gone another one can be inserted, and then no more.",
  requirements = { "P30-126" }, deadline = 60,
  run = function(t)
    local rank = alone(t)
    local function insert()
      return rank:PtlMEInsert { match_bits = 4, position = "PTL_INS_AFTER", current = "me1", handle = "one-more" }
    end
    rank:me_attach { match_bits = 1, handle = "me1" }
    local result = rank:batch_for(30000, 200000, { { "PtlMEInsert", { matchid = t.any_gid, match_bits = 2,
      ignorebits = 0, unlink = "PTL_RETAIN", position = "PTL_INS_AFTER", current = "me1", handle = "more" } } })
    t:skip_if(result.line == 0, "no limit was met with " .. result.runs .. " entries in one list")
    t:skip_if(result.rc ~= "PTL_ML_TOOLONG", "memory ends before the list does")
    rank:me_unlink { entry = "more" }
    rank:me_insert { match_bits = 3, unlink = "PTL_UNLINK", position = "PTL_INS_BEFORE", current = "me1",
      handle = "brief" }
    t:setup(rank:PtlMDAttach { match = "brief", mem_desc = once(rank, 1), unlink = "PTL_UNLINK", handle = "brief-md" })
    t:rc("P30-126", insert(), "PTL_ML_TOOLONG")
    rank:put { mem_desc = "out-md", target = rank, match_bits = 3 }
    t:sanity("the entry takes its put", rank:wait("eq").event ~= nil)
    rank:until_unlinked("brief-md")
    t:rc("P30-126", insert(), "PTL_OK")
    t:rc("P30-126", insert(), "PTL_ML_TOOLONG")
  end,
}

case {
  id = "match-list-too-long-until-it-is-replaced",
  title = "A list that takes the place of the longest one takes as many entries as that",
  purpose = "A list is filled until the library refuses, and replaced by one of a single entry. Behind that as many can be inserted as behind the first one before.",
  requirements = { "P30-126" }, deadline = 120, only = true,
  run = function(t)
    local rank = alone(t)
    local function fill(most)
      return rank:batch_for(40000, most, { { "PtlMEInsert", { matchid = t.any_gid, match_bits = 2, ignorebits = 0,
        unlink = "PTL_RETAIN", position = "PTL_INS_AFTER", current = "me1", handle = "more" } } })
    end
    rank:me_attach { match_bits = 1, handle = "me1" }
    local first = fill(200000)
    t:skip_if(first.line == 0, "no limit was met with " .. first.runs .. " entries in one list")
    t:skip_if(first.rc ~= "PTL_ML_TOOLONG", "memory ends before the list does")
    t:skip_if(rank:PtlMEAttach { match_bits = 3, handle = "me1" }.rc ~= "PTL_OK",
      "the system does not replace a list that is there")
    local second = fill(first.runs)
    t:check("P30-126", "entries that the new list takes behind its first one", second.line == 0, first.runs,
      second.runs .. ", then " .. tostring(second.rc))
  end,
}

case {
  id = "match-attach-replaces-on-a-second-interface",
  title = "On a second interface too PtlMEAttach takes the place of the list that is there",
  purpose = "At a portal of interface 1 a list of two entries is replaced. The handles of both are dead, and a put that only they fit is dropped.",
  requirements = { "P30-107" },
  run = function(t)
    local rank = alone(t)
    rank:ni_init { interface = 1, handle = "ni1" }
    rank:bind { interface = "ni1", desc = "void", start = "null", length = 0, md = "out1-md" }
    rank:attach { interface = "ni1", match_bits = 5, me = "me1", md = "md1", start = "null", length = 0 }
    rank:me_insert { match_bits = 5, current = "me1", handle = "me2" }
    local result = rank:PtlMEAttach { interface = "ni1", match_bits = 6, handle = "new" }
    if t:reading("P30-107", "attach_to_occupied_index", "PtlMEAttach to an index in use returns", result.rc,
        { { "replace", "PTL_OK" }, { "refuse", "PTL_INUSE" }, { "refuse", "PTL_NOSPACE" } }) == "refuse" then
      return
    end
    local before = rank:drop_count("ni1")
    rank:put { mem_desc = "out1-md", target = rank, match_bits = 5 }
    t:drops("P30-107", rank, before, 1, nil, "ni1")
    for mark = 1, 2 do t:rc("P30-107", rank:PtlMEUnlink { entry = "me" .. mark }, "PTL_INV_ME") end
  end,
}

case {
  id = "match-index-with-the-highest-bit",
  title = "An index whose highest bit is set is refused like any other beyond the table",
  purpose = "PtlMEAttach is asked for the largest value that the index has, for the one with the highest bit alone, and for that bit beside an index of the table. Where the type is signed these are negative.",
  requirements = { "P30-117" },
  run = function(t)
    local rank = alone(t)
    rank:attach { index = 3, start = "null", length = 0, eventq = "eq" }
    local half = rank:largest("ptl_pt_index_t", math.maxinteger) -- all bits but the highest
    local bits = 0
    while bits < 64 and half >> bits ~= 0 do bits = bits + 1 end
    for _, index in ipairs { half | 1 << bits, 1 << bits, 1 << bits | 3 } do
      t:rc("P30-117", rank:PtlMEAttach { index = index, handle = "new" }, "PTL_INV_PTINDEX")
    end
    rank:put { mem_desc = "out-md", target = rank, portal = 3 }
    t:event("P30-117", rank, "eq", { type = "PTL_EVENT_PUT", portal = 3 })
  end,
}

case {
  id = "match-index-of-any-size",
  title = "An index beyond the portal table is refused, whatever it is in fewer bits",
  purpose = "PtlMEAttach is asked for portals 2^8, 2^16 and 2^24 above two that have a list, and for the largest there are. Each time it returns PTL_INV_PTINDEX, and the lists that are there still take a put.",
  requirements = { "P30-117" },
  run = function(t)
    local rank = alone(t)
    rank:attach { index = 0, me = "me0", md = "md0", start = "null", length = 0, eventq = "eq" }
    rank:attach { index = 3, start = "null", length = 0, eventq = "eq" }
    local largest = rank:largest("ptl_pt_index_t")
    for _, index in ipairs { 0x100, 0x103, 0x10000, 0x10003, 0x1000000, 0x1000003, largest - 1,
      largest & ~0xffff | 3 } do
      if index >= rank:granted("ptl_size", 64) and index < largest then
        t:rc("P30-117", rank:PtlMEAttach { index = index, handle = "new" }, "PTL_INV_PTINDEX")
      end
    end
    for _, portal in ipairs { 3, 0 } do
      rank:put { mem_desc = "out-md", target = rank, portal = portal }
      t:event("P30-117", rank, "eq", { type = "PTL_EVENT_PUT", portal = portal })
    end
  end,
}

case {
  id = "match-long-masks-come-and-go",
  title = "In a long list entries with new ignore bits are found when all those with others have gone",
  purpose = "In a list of forty entries, entries with one mask at a time come, take a put and a get whose ignored bits differ, and go; two dozen masks, one after the other.",
  requirements = { "P30-111" },
  run = function(t)
    local rank = alone(t)
    rank:me_attach { match_bits = 1 << 60, handle = "me0" }
    for i = 1, 40 do rank:me_insert { match_bits = (1 << 60) + i, current = "me0", handle = "filler" } end
    for i = 0, 23 do
      local mask = 0x8001 << i
      rank:me_insert { match_bits = 1 << 50, ignorebits = mask, current = "me0", handle = "one" }
      rank:me_insert { match_bits = 1 << 51, ignorebits = mask, current = "one", handle = "two" }
      rank:add_md { me = "two", md = "two-md", start = "null", length = 0, options = "PTL_MD_OP_PUT|PTL_MD_OP_GET",
        eventq = "eq", user_ptr = i }
      for verb, bits in each { { "put", mask }, { "get", mask & -mask } } do
        rank[verb](rank, { mem_desc = "out-md", target = rank, match_bits = (1 << 51) | bits })
        local event = t:event("P30-111", rank, "eq", { type = "PTL_EVENT_" .. verb:upper() })
        t:equal("P30-111", "the round whose entry takes it", event.mem_desc.user_ptr, i)
      end
      rank:me_unlink { entry = "one" }
      rank:me_unlink { entry = "two" }
    end
  end,
}

case {
  id = "match-unlink-in-every-state",
  title = "An entry is unlinked whatever its descriptors are: none, inactive, used up, several",
  purpose = "In front of an entry that takes anything stand entries without a descriptor, with an inactive one, with one that a put has used up, and with an inactive one before an active one. Each is unlinked: its handle is dead, those of its descriptors too, and puts go to the last entry.",
  requirements = { "P30-129", "P30-130" },
  run = function(t)
    local rank = alone(t)
    local function desc(mark, count)
      return rank:md { start = "null", length = 0, threshold = count, options = "PTL_MD_OP_PUT", eventq = "eq",
        user_ptr = mark }
    end
    rank:me_attach { ignorebits = -1, handle = "last" }
    rank:md_attach { match = "last", mem_desc = desc(9, "inf"), handle = "last-md" }
    for state, counts in each { { "empty", {} }, { "inactive", { 0 } }, { "used", { 1 } }, { "several", { 0, 3 } },
      { "active", { 3 } } } do
      for _, unlink in ipairs { "PTL_RETAIN", "PTL_UNLINK" } do
        rank:me_insert { ignorebits = -1, unlink = unlink, position = "PTL_INS_BEFORE", current = "last",
          handle = "one" }
        for place, count in ipairs(counts) do
          if place == 1 then rank:md_attach { match = "one", mem_desc = desc(1, count), handle = "md1" } end
          if place == 2 then rank:md_insert { mem_desc = desc(2, count), current = "md1", handle = "md2" } end
        end
        if state == "used" then
          rank:put { mem_desc = "out-md", target = rank }
          t:sanity("the put uses the descriptor up", rank:wait("eq").event ~= nil)
        end
        t:rc("P30-129", rank:PtlMEUnlink { entry = "one" }, "PTL_OK")
        t:rc("P30-129", rank:PtlMEInsert { current = "one", match_bits = 1, handle = "beside" }, "PTL_INV_ME")
        for place in ipairs(counts) do
          t:rc("P30-130", rank:PtlMDUpdate { mem_desc = "md" .. place, old = "was" }, "PTL_INV_MD")
        end
        rank:put { mem_desc = "out-md", target = rank }
        local event = t:event("P30-129", rank, "eq", { type = "PTL_EVENT_PUT" })
        t:equal("P30-129", "the descriptor that takes the put", event.mem_desc.user_ptr, 9)
      end
    end
  end,
}

case {
  id = "match-one-wildcard-member-and-bits",
  title = "An entry with a wildcard in one member of its process id still compares the match bits, and the other member",
  purpose = "Entries name the own process by either pair with one member any, and one that differs in the other member. Puts and gets are taken where member and bits fit; with other bits, or at the entry for another process, they are dropped.",
  requirements = { "P30-105" },
  run = function(t)
    local rank = alone(t)
    for place, addressing in ipairs { t.gid, t.gid, t.nid, t.nid } do
      local id = addressing(rank.id)
      local names = id.kind == "gid" and { "gid", "rid" } or { "nid", "pid" }
      local open, compared = names[1 + place % 2], names[2 - place % 2]
      local other = addressing(rank.id)
      id[open], other[open], other[compared] = "any", "any", other[compared] ~ 1
      local named = t:named(rank:PtlMEAttach { index = 3, matchid = other, handle = "probe" })
      if named then rank:me_unlink { entry = "probe" } end
      for mark, matchid in ipairs { id, named and other or nil } do
        rank:attach { index = mark, me = "me" .. mark, md = "md" .. mark, matchid = matchid, match_bits = 1 << 40 | 5,
          start = "null", length = 0, options = "PTL_MD_OP_PUT|PTL_MD_OP_GET", eventq = "eq" }
      end
      for _, verb in ipairs { "put", "get" } do
        for portal, bits, fits in each { { 1, 5, false }, { 1, 1 << 40, false }, { 2, 1 << 40 | 5, false },
          { 1, 1 << 40 | 5, true } } do
          local before = rank:drop_count()
          rank[verb](rank, { mem_desc = "out-md", target = rank, portal = portal, match_bits = bits })
          if fits then
            t:event("P30-105", rank, "eq", { type = "PTL_EVENT_" .. verb:upper(), match_bits = bits })
          else
            t:drops("P30-105", rank, before, 1)
          end
        end
      end
    end
  end,
}
