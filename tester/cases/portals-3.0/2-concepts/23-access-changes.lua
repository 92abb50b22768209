-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 2.3 and 3.9: access control entries that are set again, and what they admit then. Ranks 0 and 1 ask with a
-- cookie, rank 2 owns the table. Each put is settled before the next, taken or counted as dropped.

defaults { suite = "access-control", chapter = "3.9", ranks = 3, still = { "P32-034" } }

local PORTALS <const> = 4

-- Rank 2 with an entry and a descriptor that take anything at each portal; ranks 0 and 1, which have an "out-md".
local function open(t)
  t:open { ptl_size = PORTALS, acl_size = 4 }
  local to = t.ranks[2]
  to:eq("eq", 64)
  to:region("buf", 8)
  for portal = 0, PORTALS - 1 do
    to:attach { index = portal, ignorebits = -1, me = "me" .. portal, md = "md" .. portal, length = 8, eventq = "eq",
      options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE" }
  end
  for i = 0, 1 do t.ranks[i]:bind { desc = "void", start = "null", length = 0, md = "out-md" } end
  return to, t.ranks[0], t.ranks[1]
end

-- Whether rank 2 takes a put by this cookie, judged by `req`.
local function judge(t, req, from, to, portal, cookie, taken)
  local before = to:drop_count()
  from:put { mem_desc = "out-md", target = to, portal = portal, cookie = cookie }
  if taken then
    t:event(req, to, "eq", { type = "PTL_EVENT_PUT", portal = portal, initiator = from.id })
  else
    t:drops(req, to, before, 1)
    t:equal(req, "events of a refused put", to:PtlEQCount().count, 0)
  end
end

case {
  id = "access-entry-set-again",
  title = "An access control entry that is set again has the values of the last call",
  purpose = "Entry 2 is set to any process and any portal, then to rank 0 and any portal, to rank 1 and portal 1, to rank 0 and portal 3, and to any process and portal 0. After each call both ranks put to the portals concerned.",
  requirements = { "P30-039" },
  run = function(t)
    local to, first, second = open(t)
    for matchid, portal, tries in each {
      { t.any_gid, "any", { { first, 0, true }, { second, 3, true } } },
      { t.gid(first.id), "any", { { first, 0, true }, { second, 0, false }, { second, 3, false } } },
      { t.gid(second.id), 1, { { second, 1, true }, { second, 2, false }, { first, 1, false } } },
      { t.nid(first.id), 3, { { first, 3, true }, { first, 1, false }, { second, 1, false } } },
      { t.any_nid, 0, { { second, 0, true }, { first, 0, true }, { first, 3, false } } } } do
      t:rc("P30-039", to:PtlACEntry { index = 2, matchid = matchid, portal = portal }, "PTL_OK")
      for _, try in ipairs(tries) do judge(t, "P30-039", try[1], to, try[2], 2, try[3]) end
    end
  end,
}

case {
  id = "access-entry-for-each-portal",
  title = "An entry for one portal admits to that portal alone, be it the first or the last one",
  purpose = "Entries 2 and 3 are set to portals 0 and 1, then to portals 2 and 3. A put by each of them to each portal is taken where the two fit, and refused everywhere else.",
  requirements = { "P30-319" },
  run = function(t)
    local to, from = open(t)
    for first = 0, PORTALS - 2, 2 do
      for i = 0, 1 do to:ac_entry { index = 2 + i, matchid = t.any_gid, portal = first + i } end
      for cookie = 2, 3 do
        for portal = 0, PORTALS - 1 do judge(t, "P30-319", from, to, portal, cookie, first + cookie - 2 == portal) end
      end
    end
  end,
}

case {
  id = "access-entry-for-one-process-of-a-node",
  title = "An entry for one process does not admit another one that shares its node or its process id",
  purpose = "Entry 2 names rank 0 by node and process id, entry 3 by group and rank; rank 1 is refused by both. Then entry 2 names the node of rank 0 with a process id that nobody has, entry 3 a node that is not there with its process id: rank 0 is refused by both.",
  requirements = { "P30-318" },
  run = function(t)
    local to, first, second = open(t)
    local id, bit = first.id, to:id_bit(0x40000000)
    local nobody = { { kind = "nid", nid = id.nid, pid = id.pid ~ bit },
      { kind = "nid", nid = id.nid ~ bit, pid = id.pid } }
    for entries, taken in each { { { t.nid(id), t.gid(id) }, true }, { nobody, false } } do
      for i, matchid in ipairs(entries) do
        local result = to:PtlACEntry { index = 1 + i, matchid = matchid, portal = "any" }
        -- A library may know who there is, and refuse others.
        if t:named(result) then
          judge(t, "P30-318", second, to, 1, 1 + i, false)
          judge(t, "P30-318", first, to, 1, 1 + i, taken)
        end
      end
    end
  end,
}

case {
  id = "access-entry-survives-refused-calls",
  title = "A refused PtlACEntry leaves the entry as it was",
  purpose = "Entry 2 admits rank 0 to portal 1. It is set to a portal outside the table and to a process id of no kind, which is refused; an entry outside the table and a dead interface likewise. Rank 0 is still admitted, rank 1 and portal 2 are not.",
  requirements = { "P30-040", "P30-041", "P30-042", "P30-043" },
  run = function(t)
    local to, first, second = open(t)
    to:ac_entry { index = 2, matchid = t.gid(first.id), portal = 1 }
    for req, given, code in each {
      { "P30-040", { index = 4, matchid = t.gid(second.id), portal = 2 }, "PTL_AC_INV_INDEX" },
      { "P30-041", { index = 2, portal = 2,
        matchid = { kind = "kind", number = 99, nid = 1, pid = 1, gid = 1, rid = 1 } }, "PTL_INV_PROC" },
      { "P30-042", { index = 2, matchid = t.gid(second.id), portal = PORTALS }, "PTL_INV_PTINDEX" },
      { "P30-043", { interface = "eq", index = 2, matchid = t.gid(second.id), portal = 2 }, "PTL_INV_NI" } } do
      t:judging(req)
      if not (given.interface and to:same(given.interface, "ni")) then -- handles of two types may be alike
        t:rc(req, to:PtlACEntry(given), code)
      end
      judge(t, req, first, to, 1, 2, true)
      judge(t, req, first, to, 2, 2, false)
      judge(t, req, second, to, 1, 2, false)
    end
  end,
}

case {
  id = "access-entry-one-can-be-set",
  title = "Entry one, which is for system processes at first, can be set like any other",
  purpose = "Entry 1 is set to rank 0 and portal 2, and then to nobody: a put of rank 0 is taken, and then refused.",
  requirements = { "P30-038" },
  run = function(t)
    local to, first, second = open(t)
    t:rc("P30-038", to:PtlACEntry { index = 1, matchid = t.gid(first.id), portal = 2 }, "PTL_OK")
    judge(t, "P30-038", first, to, 2, 1, true)
    judge(t, "P30-038", second, to, 2, 1, false)
    t:rc("P30-038", to:PtlACEntry { index = 1, matchid = t.gid(to.id), portal = 2 }, "PTL_OK")
    judge(t, "P30-038", first, to, 2, 1, false)
  end,
}

case {
  id = "access-entry-zero-of-many-portals",
  title = "Entry zero admits the own group to the last of many portals as to the first",
  purpose = "On an interface with 100 portals puts with cookie 0 are taken at portals 0, 31, 32, 63, 64 and 99.",
  requirements = { "P30-034" }, chapter = "2.3", ranks = 2,
  run = function(t)
    local from, to = t:open { ptl_size = 100 }
    to:eq("eq")
    from:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    for _, portal in ipairs { 0, 31, 32, 63, 64, 99 } do
      to:attach { index = portal, start = "null", length = 0, eventq = "eq" }
      judge(t, "P30-034", from, to, portal, 0, true)
    end
  end,
}

case {
  id = "access-wildcard-in-one-member",
  title = "A wildcard in one member of an entry's process id leaves the other one and the portal to be compared",
  purpose = "Entry two names rank 0 by either pair, with one member any. It admits the puts and gets of rank 0; with the other member changed, or another portal, it refuses both.",
  requirements = { "P30-030", "P30-031", "P30-319" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:eq("eq", 16)
    to:attach { start = "null", length = 0, options = "PTL_MD_OP_PUT|PTL_MD_OP_GET", eventq = "eq" }
    from:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    for _, addressing in ipairs { t.gid, t.nid } do
      local kind = addressing(from.id).kind
      local names = kind == "gid" and { "gid", "rid" } or { "nid", "pid" }
      for place, open in ipairs(names) do
        local right, wrong, compared = addressing(from.id), addressing(from.id), names[3 - place]
        right[open], wrong[open] = "any", "any"
        wrong[compared] = wrong[compared] ~ 1
        for _, verb in ipairs { "put", "get" } do
          for req, matchid, portal in each { { "P30-030", wrong, "any" }, { "P30-031", right, 1 },
            { "P30-030", wrong, 0 }, { "P30-319", right, 2 } } do
            if t:named(to:PtlACEntry { index = 2, matchid = matchid, portal = portal }) then
              local before = to:drop_count()
              from[verb](from, { mem_desc = "out-md", target = to, cookie = 2 })
              t:drops(req, to, before, 1)
            end
          end
          for _, portal in ipairs { "any", 0 } do
            to:ac_entry { index = 2, matchid = right, portal = portal }
            from[verb](from, { mem_desc = "out-md", target = to, cookie = 2 })
            t:event("P30-030", to, "eq", { type = "PTL_EVENT_" .. verb:upper() })
          end
        end
      end
    end
  end,
}

case {
  id = "access-entry-named-by-the-other-pair",
  title = "An access control entry that is set again by another kind of id has nothing of the former one",
  purpose = "Entry 2 names rank 0 and rank 1 by turns, by group and rank and by node and process, with entries for anybody between; after each call the one that is named is taken, and the other one is not.",
  requirements = { "P30-038" },
  run = function(t)
    local to, one, two = open(t)
    for matchid, first, second in each { { t.gid(one.id), true, false }, { t.nid(two.id), false, true },
      { t.gid(two.id), false, true }, { t.nid(one.id), true, false }, { t.any_gid, true, true },
      { t.nid(two.id), false, true }, { t.any_nid, true, true }, { t.gid(one.id), true, false },
      { t.nid(one.id), true, false }, { t.gid(one.id), true, false } } do
      to:ac_entry { index = 2, matchid = matchid, portal = "any" }
      judge(t, "P30-038", one, to, 1, 2, first)
      judge(t, "P30-038", two, to, 1, 2, second)
    end
  end,
}
