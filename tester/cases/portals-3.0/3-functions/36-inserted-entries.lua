-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.6: what PtlMEAttach does with criteria and places, PtlMEInsert does too; and an entry that goes takes all
-- of its descriptors along.

defaults { suite = "match-entries", chapter = "3.6", ranks = 2, still = { "P32-024" } }

local PUT, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_MANAGE_REMOTE"

-- Rank 0 has an empty "out-md"; rank 1 has a queue "eq".
local function pair(t)
  local from, to = t:open {}
  for i = 0, 1 do t.ranks[i]:bind { desc = "void", start = "null", length = 0, md = "out-md" } end
  to:eq("eq", 64)
  to:region("buf", 16)
  return from, to
end

local function add_md(to, mark, given)
  given = given or {}
  to:add_md { me = given.me or "me" .. mark, md = "md" .. mark, options = PUT .. "|" .. REMOTE, eventq = "eq",
    threshold = given.threshold, user_ptr = mark }
end

-- A put with these bits must be taken by the entry of this mark, or by none.
local function judge(t, req, from, to, bits, mark, portal)
  local before = to:drop_count()
  from:put { mem_desc = "out-md", target = to, match_bits = bits, portal = portal or 0 }
  if not mark then
    t:drops(req, to, before, 1)
    t:equal(req, "events of a put that nobody takes", to:PtlEQCount().count, 0)
    return
  end
  local event = t:event(req, to, "eq", { type = "PTL_EVENT_PUT", match_bits = bits })
  t:equal(req, "the entry that takes bits " .. t.hex(bits), event.mem_desc.user_ptr, mark)
end

case {
  id = "match-insert-criteria-in-full",
  title = "The criteria of an inserted entry are what the call says, in every bit and member",
  purpose = "Entries are inserted for the node and process of rank 0, for its process id on another node, for its rank of any group, and for ids of which one member is another; then one that ignores bits in the upper and the lower half, some of which are set in its own bits. Each takes what it describes and nothing else.",
  requirements = { "P30-006", "P30-105", "P30-109", "P30-110", "P30-111", "P30-114" },
  run = function(t)
    local from, to = pair(t)
    local id = from.id
    to:me_attach { match_bits = -1, handle = "me0" }
    local function insert(given)
      given.current, given.handle = "me0", "me1"
      to:me_insert(given)
      add_md(to, 1)
    end
    for req, matchid, admitted, refused in each {
      { "P30-105", t.nid(id), from, to }, { "P30-105", t.gid(id), from, to }, { "P30-105", t.nid(to.id), to, from },
      { "P30-110", { kind = "nid", nid = "any", pid = id.pid }, from, id.pid ~= to.id.pid and to or nil },
      { "P30-110", { kind = "nid", nid = id.nid, pid = "any" }, from },
      { "P30-109", { kind = "gid", gid = "any", rid = id.rid }, from, to },
      { "P30-110", { kind = "nid", nid = (id.nid + 1) & 0x7fffffff, pid = "any" }, nil, from } } do
      t:judging(req)
      insert { matchid = matchid }
      if admitted then judge(t, req, admitted, to, 0, 1) end
      if refused then judge(t, req, refused, to, 0, nil) end
      to:me_unlink { entry = "me1" }
    end
    for _, given in ipairs { t.nid(id), t.gid(id) } do
      local req = given.kind == "nid" and "P30-105" or "P30-006"
      for _, member in ipairs(given.kind == "nid" and { "nid", "pid" } or { "gid", "rid" }) do
        local wrong = given.kind == "nid" and t.nid(id) or t.gid(id)
        wrong[member] = wrong[member] ~ to:id_bit(0x40000000)
        -- A library may know who there is, and refuse others: PTL_INV_PROC; the other rank is there.
        if to:PtlMEInsert { matchid = wrong, current = "me0", handle = "me1" }.rc == "PTL_INV_PROC" then
          wrong = given.kind == "nid" and t.nid(to.id) or t.gid(to.id)
        else
          to:me_unlink { entry = "me1" }
        end
        insert { matchid = wrong }
        judge(t, req, from, to, 0, nil)
        to:me_unlink { entry = "me1" }
        to:me_attach { index = 1, matchid = wrong, handle = "me2" }
        add_md(to, 2)
        judge(t, req, from, to, 0, nil, 1)
      end
    end
    t:judging("P30-111")
    local mask, own = 0xff000000000000f0, 0x0023456700000000
    insert { match_bits = own, ignorebits = mask }
    for _, bits in ipairs { own, own ~ mask, own | mask } do judge(t, "P30-111", from, to, bits, 1) end
    judge(t, "P30-111", from, to, own ~ (1 << 55), nil)
    to:me_unlink { entry = "me1" }
    insert { match_bits = own | mask, ignorebits = mask }
    local before = to:drop_count()
    for _, bits in ipairs { own, own | mask, own ~ 0xf0 } do
      from:put { mem_desc = "out-md", target = to, match_bits = bits }
    end
    t:flush(from, to)
    local taken = to:count_events("eq")
    t:equal("P30-114", "requests that were taken and requests that were dropped", taken + to:drop_count() - before, 3)
    t:reading("P30-114", "match_masks_entry", "requests that were taken of three that differ in ignored bits", taken,
      { { "both", 3 }, { "request_only", 0 } })
  end,
}

case {
  id = "match-insert-at-every-portal",
  title = "An entry is inserted into the list of its neighbour, at whatever portal that is",
  purpose = "At portal 3 an entry is inserted before the head and one behind the tail, while portal 0 has an entry of its own. Puts to portal 3 find the three in their order, puts to portal 0 its own alone.",
  requirements = { "P30-014", "P30-123", "P30-124" },
  run = function(t)
    local from, to = pair(t)
    to:me_attach { index = 0, handle = "me9" }
    add_md(to, 9)
    to:me_attach { index = 3, handle = "me2" }
    t:judging("P30-124")
    t:rc("P30-124", to:PtlMEInsert { current = "me2", position = "PTL_INS_BEFORE", handle = "me1" }, "PTL_OK")
    t:rc("P30-123", to:PtlMEInsert { current = "me2", position = "PTL_INS_AFTER", handle = "me3" }, "PTL_OK")
    for mark = 1, 3 do add_md(to, mark, { threshold = 1 }) end
    judge(t, "P30-124", from, to, 0, 1, 3)
    judge(t, "P30-124", from, to, 0, 2, 3)
    judge(t, "P30-123", from, to, 0, 3, 3)
    judge(t, "P30-123", from, to, 0, nil, 3)
    judge(t, "P30-014", from, to, 0, 9)
  end,
}

case {
  id = "match-insert-behind-an-unlinked-tail",
  title = "Behind an entry that has become the last one another can be inserted",
  purpose = "The last of three entries is unlinked and another one inserted behind the second; the same again with the head of a list of two. The puts find all that are left in their order.",
  requirements = { "P30-123", "P30-131" },
  run = function(t)
    local from, to = pair(t)
    local function add(mark, current)
      if current then
        to:me_insert { current = current, handle = "me" .. mark }
      else
        to:me_attach { handle = "me" .. mark }
      end
      add_md(to, mark, { threshold = 1 })
    end
    add(1)
    add(2, "me1")
    add(3, "me2")
    to:me_unlink { entry = "me3" }
    add(4, "me2")
    add(5, "me4")
    to:me_unlink { entry = "me5" }
    to:me_unlink { entry = "me1" }
    add(6, "me4")
    for i, mark in ipairs { 2, 4, 6 } do judge(t, i == 1 and "P30-131" or "P30-123", from, to, 0, mark) end
    judge(t, "P30-131", from, to, 0, nil)
  end,
}

case {
  id = "match-unlink-takes-all-descriptors",
  title = "Unlinking an entry unlinks all of its descriptors",
  purpose = "Entries with three descriptors each go by PtlMEUnlink and by PtlMEAttach in their place. Afterwards each handle is dead, and no put is stored.",
  requirements = { "P30-107", "P30-130" },
  run = function(t)
    local from, to = pair(t)
    for portal, req in ipairs { "P30-130", "P30-107" } do
      t:judging(req)
      to:me_attach { index = portal, handle = "me1" }
      add_md(to, 1)
      to:md_insert { current = "md1", handle = "md2" }
      to:md_insert { current = "md2", handle = "md3" }
      if req == "P30-130" then
        t:rc(req, to:PtlMEUnlink { entry = "me1" }, "PTL_OK")
      elseif t:reading(req, "attach_to_occupied_index", "PtlMEAttach to an index in use returns",
          to:PtlMEAttach { index = portal, handle = "new" }.rc,
              { { "replace", "PTL_OK" }, { "refuse", "PTL_INUSE" }, { "refuse", "PTL_NOSPACE" } }) == "refuse" then
        return
      end
      for mark = 1, 3 do
        t:rc(req, to:PtlMDUpdate { mem_desc = "md" .. mark, old = "was" }, "PTL_INV_MD")
        t:rc(req, to:PtlMDUnlink { mem_desc = "md" .. mark }, "PTL_INV_MD")
      end
      judge(t, req, from, to, 0, nil, portal)
    end
  end,
}

case {
  id = "match-insert-has-its-own-flag",
  title = "An inserted entry has the unlink flag of its own call, not that of its neighbour",
  purpose = "Beside an entry with PTL_UNLINK one with PTL_RETAIN is inserted, before it and behind it, and the same the other way round. Each loses its only descriptor by a put: those with PTL_RETAIN stay, those with PTL_UNLINK are gone.",
  requirements = { "P30-024", "P30-115" },
  run = function(t)
    local from, to = pair(t)
    for portal, flags in ipairs { { "PTL_UNLINK", "PTL_RETAIN" }, { "PTL_RETAIN", "PTL_UNLINK" } } do
      for mark, position in ipairs { "PTL_INS_BEFORE", "PTL_INS_AFTER" } do
        to:me_attach { index = portal, match_bits = -1, unlink = flags[1], handle = "me0" }
        to:me_insert { unlink = flags[2], position = position, current = "me0", handle = "me" .. mark }
        to:add_md { me = "me" .. mark, md = "md" .. mark, threshold = 1, md_unlink = "PTL_UNLINK", options = PUT,
          eventq = "eq", user_ptr = mark }
        judge(t, "P30-024", from, to, 0, mark, portal)
        if flags[2] == "PTL_UNLINK" then
          t:me_unlinked("P30-115", to, "me" .. mark)
        else
          t:md_unlinked("P30-024", to, "md" .. mark)
          t:rc("P30-024", to:PtlMEUnlink { entry = "me" .. mark }, "PTL_OK")
        end
      end
    end
  end,
}

case {
  id = "match-any-group-is-every-group",
  only = true,
  title = "A wildcard for the group admits the rank of every group, not of the own one only",
  purpose = "The first entry of a list is for rank 1 of any group, the second for everybody. The first takes the puts of the own rank 1 and of rank 1 of another group, the second that of rank 2 of that group.",
  requirements = { "P30-109" }, wire = true,
  run = function(t)
    local to, from = t:open { acl_size = 4 }
    to:ac_entry { index = 2, matchid = t.any_nid, portal = "any" }
    to:eq("eq")
    to:attach { matchid = { kind = "gid", gid = "any", rid = 1 }, start = "null", length = 0, eventq = "eq",
      user_ptr = 1 }
    to:me_insert { matchid = t.any_gid, current = "me", handle = "last" }
    to:add_md { me = "last", md = "last-md", start = "null", length = 0, eventq = "eq", user_ptr = 2 }
    from:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    from:put { mem_desc = "out-md", target = to }
    local function taken_by(mark)
      local event = t:event("P30-109", to, "eq", { type = "PTL_EVENT_PUT" })
      t:equal("P30-109", "the entry that takes the put", event.mem_desc.user_ptr, mark)
    end
    taken_by(1)
    for rid = 1, 2 do
      local stream = t:connect(t:peer { gid = to.id.gid ~ to:id_bit(0x10000), rid = rid, group_size = 4 }, to)
      stream:send { operation = "put", cookie = 2, data = "" }
      taken_by(rid)
    end
  end,
}

case {
  id = "match-insert-for-one-of-a-node",
  title = "An entry for one process takes nothing of another, by whichever of node and process id that differs",
  purpose = "Entries for rank 0 and for rank 1, by node and process id, are attached, and inserted before and behind one that fits nothing. Each takes the put of its rank, and that of the other one is dropped.",
  requirements = { "P30-006" },
  run = function(t)
    local from, to = pair(t)
    for _, position in ipairs { "attached", "PTL_INS_BEFORE", "PTL_INS_AFTER" } do
      for _, one in ipairs { from, to } do
        if position == "attached" then
          to:me_attach { matchid = t.nid(one.id), handle = "me1" }
        else
          to:me_attach { match_bits = -1, handle = "me0" }
          to:me_insert { matchid = t.nid(one.id), position = position, current = "me0", handle = "me1" }
        end
        add_md(to, 1)
        judge(t, "P30-006", one, to, 0, 1)
        judge(t, "P30-006", one == from and to or from, to, 0, nil)
        to:me_unlink { entry = "me1" }
        if position ~= "attached" then to:me_unlink { entry = "me0" } end
      end
    end
  end,
}

case {
  id = "match-fresh-entry-outlives-its-neighbours",
  title = "An entry with PTL_UNLINK that has never had a descriptor stays when those beside it go",
  purpose = "Of five entries with PTL_UNLINK the second and the fourth have had no descriptor. The first is used up by a put, the third by a get, the fifth unlinked by a call. The two are still there: each is given a descriptor and takes a put.",
  requirements = { "P30-116" },
  run = function(t)
    local rank = t:open {}
    rank:eq("eq")
    rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    for i = 1, 5 do
      if i == 1 then
        rank:me_attach { unlink = "PTL_UNLINK", handle = "me1" }
      else
        rank:me_insert { unlink = "PTL_UNLINK", current = "me" .. i - 1, handle = "me" .. i }
      end
      if i % 2 == 1 then
        rank:add_md { me = "me" .. i, md = "md" .. i, start = "null", length = 0, threshold = 1, eventq = "eq",
          md_unlink = "PTL_UNLINK", options = i == 3 and "PTL_MD_OP_GET" or "PTL_MD_OP_PUT" }
      end
    end
    for i, verb in ipairs { "put", "get" } do
      rank[verb](rank, { mem_desc = "out-md", target = rank, match_bits = 0 })
      t:event("P30-116", rank, "eq", { type = "PTL_EVENT_" .. verb:upper() })
      t:me_unlinked("P30-116", rank, "me" .. 2 * i - 1)
    end
    rank:me_unlink { entry = "me5" }
    for i = 2, 4, 2 do
      rank:md { start = "null", length = 0, options = "PTL_MD_OP_PUT", threshold = 1, eventq = "eq", user_ptr = i }
      t:rc("P30-116", rank:PtlMDAttach { match = "me" .. i, handle = "new" }, "PTL_OK")
      rank:put { mem_desc = "out-md", target = rank }
      t:equal("P30-116", "the entry that takes a put",
        t:event("P30-116", rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, i)
    end
  end,
}
