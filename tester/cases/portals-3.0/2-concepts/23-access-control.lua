-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 2.3 and 3.9: the access control table. Rank 0 asks with a cookie, rank 1 owns the table. A request that must
-- be refused is followed by one that must be taken, so that "nothing came" is known and not guessed.

defaults { suite = "access-control", chapter = "2.3",
  still = { "P32-028", "P32-034", "P32-036", "P32-077" } }

-- Every portal of `to` from 0 to `portals` - 1 gets an entry and a descriptor that accept anything.
local function open_portals(to, portals)
  to:eq("eq", 64)
  to:region("buf", 64)
  for portal = 0, portals - 1 do
    to:attach { index = portal, ignorebits = -1, me = "me" .. portal, md = "md" .. portal, length = 64, eventq = "eq",
      user_ptr = portal, options = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE" }
  end
end

local function sender(rank)
  rank:bind { region = "out", octets = 8, fill = "mix/5", md = "out-md" }
end

local function send(from, to, portal, cookie, bits)
  from:put { mem_desc = "out-md", target = to, portal = portal, cookie = cookie, match_bits = bits or 0 }
end

local function open(t)
  t:open { ptl_size = 4, acl_size = 4 }
  local to = t.ranks[t.size - 1]
  open_portals(to, 4)
  for i = 0, t.size - 2 do sender(t.ranks[i]) end
  return t.ranks[0], to, t.ranks[1]
end

case {
  id = "access-entry-zero-default",
  title = "Entry zero admits the own group to every portal from the start",
  purpose = "On a fresh interface a put, and a get, with cookie 0 is taken by each portal.",
  requirements = { "P30-034" }, ranks = 2,
  run = function(t)
    local from, to = open(t)
    for portal = 0, 3 do
      send(from, to, portal, 0)
      t:event("P30-034", to, "eq", { type = "PTL_EVENT_PUT", portal = portal })
      from:get { mem_desc = "out-md", target = to, portal = portal, cookie = 0 }
      t:event("P30-034", to, "eq", { type = "PTL_EVENT_GET", portal = portal })
    end
  end,
}

case {
  id = "access-entry-zero-of-the-smallest-table",
  title = "Entry zero admits the own group also where there is only one other entry",
  purpose = "On a fresh interface with an access control list of two entries a put and a get with cookie 0 are taken by each portal.",
  requirements = { "P30-034" }, ranks = 2,
  run = function(t)
    local from, to = t:open { ptl_size = 4, acl_size = 2 }
    open_portals(to, 4)
    sender(from)
    for portal = 0, 3 do
      send(from, to, portal, 0)
      t:event("P30-034", to, "eq", { type = "PTL_EVENT_PUT", portal = portal })
      from:get { mem_desc = "out-md", target = to, portal = portal, cookie = 0 }
      t:event("P30-034", to, "eq", { type = "PTL_EVENT_GET", portal = portal })
    end
  end,
}

-- Whom the system counts as its own is left open, and the interpreter may run as one of them.
local SYSTEM = { [0xbad] = "entry 1 admits an ordinary process, unless those of its user count as system processes" }

case {
  id = "access-entry-one-system-only",
  title = "Entry one does not admit an ordinary process",
  purpose = "Entry one is for system processes. A put by an ordinary process of the group with cookie 1 must be refused; cookie 0 serves as the proof that the path works.",
  requirements = { "P30-035" }, ranks = 2,
  run = function(t)
    local from, to = open(t)
    local before = to:drop_count()
    send(from, to, 2, 1, 0xbad)
    send(from, to, 2, 0, 0x600d)
    local event = t:event("P30-035", to, "eq", { type = "PTL_EVENT_PUT" })
    if t:equal_or_warn("P30-035", "match_bits of the event", event.match_bits, 0x600d, SYSTEM) == 0xbad then
      t:event("P30-035", to, "eq", { type = "PTL_EVENT_PUT", match_bits = 0x600d })
      before = before - 1
    end
    t:drops("P30-035", to, before, 1)
  end,
}

case {
  id = "access-other-entries-closed",
  title = "From entry two on everything is closed at first",
  purpose = "On a fresh interface puts and gets by a member of the group with cookies 2 and 3 are refused, each counted once.",
  requirements = { "P30-036", "P30-318" }, ranks = 2,
  run = function(t)
    local from, to = open(t)
    local before = to:drop_count()
    for cookie = 2, 3 do
      send(from, to, 1, cookie, 0xbad)
      from:get { mem_desc = "out-md", target = to, portal = 1, cookie = cookie }
    end
    send(from, to, 1, 0, 0x600d)
    t:event("P30-036", to, "eq", { type = "PTL_EVENT_PUT", match_bits = 0x600d })
    t:drops("P30-318", to, before, 4)
  end,
}

case {
  id = "access-sender-must-match",
  title = "An entry for one process admits this process and no other",
  purpose = "Entry two names rank 0. Its put is taken; a put and a get of rank 1 are refused and counted.",
  requirements = { "P30-028", "P30-030" }, ranks = 3,
  run = function(t)
    local first, to, second = open(t)
    to:ac_entry { index = 2, matchid = t.gid(first.id), portal = "any" }
    local before = to:drop_count()
    t:judging("P30-030")
    send(second, to, 1, 2, 0xbad)
    second:get { mem_desc = "out-md", target = to, portal = 1, cookie = 2 }
    t:drops("P30-030", to, before, 2)
    send(first, to, 1, 2, 0x600d)
    t:event("P30-028", to, "eq", { type = "PTL_EVENT_PUT", match_bits = 0x600d, initiator = first.id })
    t:equal("P30-030", "dropped requests", to:drop_count() - before, 2)
  end,
}

case {
  id = "access-portal-must-match",
  title = "An entry for one portal admits to this portal and no other",
  purpose = "Entry two names portal 3. A put to portal 2 with this cookie is refused and counted, one to portal 3 is taken.",
  requirements = { "P30-031", "P30-319", "P30-028" }, ranks = 2,
  run = function(t)
    local from, to = open(t)
    to:ac_entry { index = 2, matchid = t.any_gid, portal = 3 }
    local before = to:drop_count()
    send(from, to, 2, 2, 0xbad)
    send(from, to, 3, 2, 0x600d)
    t:event("P30-031", to, "eq", { type = "PTL_EVENT_PUT", match_bits = 0x600d })
    t:drops("P30-319", to, before, 1)
    t:equal("P30-028", "events beside that of the admitted put", to:PtlEQCount().count, 0)
  end,
}

case {
  id = "access-entry-is-a-pair",
  title = "An entry admits its process to its portal, and neither of them without the other",
  purpose = "Entry two names rank 0 and portal 2 of four. Rank 0 is taken there alone; rank 1 is refused there as everywhere else: puts and gets, of 8 octets and of none.",
  requirements = { "P30-028" }, ranks = 3,
  run = function(t)
    local first, to, second = open(t)
    to:ac_entry { index = 2, matchid = t.gid(first.id), portal = 2 }
    for from, portal in each { { second, 2 }, { first, 1 }, { first, 3 }, { second, 1 }, { first, 2 } } do
      from:bind { desc = "void", start = "null", length = 0, md = "void-md" }
      for verb, md in each { { "put", "out-md" }, { "get", "out-md" }, { "put", "void-md" }, { "get", "void-md" } } do
        local before = to:drop_count()
        from[verb](from, { mem_desc = md, target = to, portal = portal, cookie = 2 })
        if from == first and portal == 2 then
          t:event("P30-028", to, "eq", { type = "PTL_EVENT_" .. verb:upper(), portal = 2, initiator = first.id })
        else
          t:drops("P30-028", to, before, 1)
          t:equal("P30-028", "events of a refused " .. verb, to:PtlEQCount().count, 0)
        end
      end
    end
  end,
}

case {
  id = "access-cookie-chooses-the-entry",
  title = "A request is judged by the entry that its cookie names, and by no other",
  purpose = "Entry three admits everybody, entry two nobody, entry zero to another portal. Puts and gets with the cookies 2 and 0 are refused, those with cookie 3 are taken.",
  requirements = { "P30-029" }, ranks = 2,
  run = function(t)
    local from, to = open(t)
    to:ac_close(2)
    to:ac_entry { index = 3, matchid = t.any_gid, portal = "any" }
    to:ac_entry { index = 0, matchid = t.any_gid, portal = 3 }
    for _, cookie in ipairs { 2, 0, 3 } do
      local before = to:drop_count()
      send(from, to, 1, cookie)
      from:get { mem_desc = "out-md", target = to, portal = 1, cookie = cookie }
      if cookie == 3 then
        t:event("P30-029", to, "eq", { type = "PTL_EVENT_PUT", portal = 1 })
        t:event("P30-029", to, "eq", { type = "PTL_EVENT_GET", portal = 1 })
      else
        t:drops("P30-029", to, before, 2)
        t:equal("P30-029", "events of refused requests", to:PtlEQCount().count, 0)
      end
    end
  end,
}

case {
  id = "access-named-entry-refuses-process",
  title = "A request that names an entry for another process is discarded and counted",
  purpose = "Entry two names rank 0, entry three rank 1. Puts and gets of rank 1 with cookie 2 are counted, one by one, and not taken, though entry three would admit it; with cookie 3 they are taken.",
  requirements = { "P30-318" }, chapter = "4.2", ranks = 3,
  run = function(t)
    local first, to, second = open(t)
    to:ac_entry { index = 2, matchid = t.gid(first.id), portal = "any" }
    to:ac_entry { index = 3, matchid = t.gid(second.id), portal = "any" }
    local before = to:drop_count()
    send(second, to, 1, 2, 0xbad)
    t:drops("P30-318", to, before, 1)
    second:get { mem_desc = "out-md", target = to, portal = 1, cookie = 2 }
    t:drops("P30-318", to, before, 2)
    send(second, to, 1, 3, 0x600d)
    t:event("P30-318", to, "eq", { type = "PTL_EVENT_PUT", match_bits = 0x600d })
    second:get { mem_desc = "out-md", target = to, portal = 1, cookie = 3 }
    t:event("P30-318", to, "eq", { type = "PTL_EVENT_GET" })
    t:equal("P30-318", "dropped requests in all", to:drop_count() - before, 2)
  end,
}

case {
  id = "access-named-entry-refuses-portal",
  title = "A request that names an entry for another portal is discarded and counted",
  purpose = "Entry two names portal 2, entry three any portal. Puts and gets with cookie 2 to the portals below and above are counted, one by one, though entry three would admit them; to portal 2 they are taken.",
  requirements = { "P30-319" }, chapter = "4.2", ranks = 2,
  run = function(t)
    local from, to = open(t)
    to:ac_entry { index = 2, matchid = t.any_gid, portal = 2 }
    to:ac_entry { index = 3, matchid = t.any_gid, portal = "any" }
    local before = to:drop_count()
    for i, portal in ipairs { 3, 1, 0 } do
      send(from, to, portal, 2, 0xbad)
      t:drops("P30-319", to, before, 2 * i - 1)
      from:get { mem_desc = "out-md", target = to, portal = portal, cookie = 2 }
      t:drops("P30-319", to, before, 2 * i)
    end
    send(from, to, 2, 2, 0x600d)
    t:event("P30-319", to, "eq", { type = "PTL_EVENT_PUT", portal = 2, match_bits = 0x600d })
    from:get { mem_desc = "out-md", target = to, portal = 2, cookie = 2 }
    t:event("P30-319", to, "eq", { type = "PTL_EVENT_GET", portal = 2 })
    t:equal("P30-319", "dropped requests in all", to:drop_count() - before, 6)
  end,
}

case {
  id = "access-wildcard-ids",
  only = true,
  title = "The members of an entry's process id may be wildcards, each for itself",
  purpose = "Entries with a wildcard group, a wildcard rank, both, a wildcard node and a wildcard process admit whom they describe; an entry that names another rank does not.",
  requirements = { "P30-032" }, ranks = 2,
  run = function(t)
    local from, to = open(t)
    local id = from.id
    local admitting = {
      { kind = "gid", gid = "any", rid = id.rid }, { kind = "gid", gid = id.gid, rid = "any" }, t.any_gid,
      { kind = "nid", nid = "any", pid = id.pid }, { kind = "nid", nid = id.nid, pid = "any" }, t.any_nid,
    }
    for i, matchid in ipairs(admitting) do
      t:rc("P30-032", to:PtlACEntry { index = 2, matchid = matchid, portal = "any" }, "PTL_OK")
      send(from, to, 1, 2, i)
      t:event("P30-032", to, "eq", { type = "PTL_EVENT_PUT", match_bits = i })
      from:get { mem_desc = "out-md", target = to, portal = 1, cookie = 2, match_bits = i }
      t:event("P30-032", to, "eq", { type = "PTL_EVENT_GET", match_bits = i })
    end
    local refusing = {
      { kind = "gid", gid = "any", rid = to.id.rid }, { kind = "gid", gid = (id.gid + 1) & 0x7fffffff, rid = "any" },
      { kind = "nid", nid = "any", pid = to.id.pid }, { kind = "nid", nid = (id.nid + 1) & 0x7fffffff, pid = "any" },
    }
    for _, matchid in ipairs(refusing) do
      local before = to:drop_count()
      to:ac_entry { index = 2, matchid = matchid, portal = "any" }
      send(from, to, 1, 2, 0xbad)
      t:drops("P30-032", to, before, 1)
      from:get { mem_desc = "out-md", target = to, portal = 1, cookie = 2 }
      t:drops("P30-032", to, before, 2)
    end
  end,
}

case {
  id = "access-each-member-counts",
  title = "Each member of an entry's process id must equal the sender's",
  purpose = "Entry two names rank 0 by either pair and is then changed in one member: group, rank, node or process. Rank 0 is refused each time, and taken again when the member is right. Where the library refuses to name nobody, the entry names rank 1 instead.",
  requirements = { "P30-030" }, ranks = 2,
  run = function(t)
    local from, to = open(t)
    for _, addressing in ipairs { t.gid, t.nid } do
      local right = addressing(from.id)
      for _, member in ipairs(right.kind == "gid" and { "gid", "rid" } or { "nid", "pid" }) do
        local wrong = addressing(from.id)
        wrong[member] = wrong[member] ~ 1
        local before = to:drop_count()
        -- A library may know who there is, and refuse others; the other rank is there.
        local result = to:PtlACEntry { index = 2, matchid = wrong, portal = "any" }
        if result.rc == "PTL_INV_PROC" then
          result = to:PtlACEntry { index = 2, matchid = addressing(to.id), portal = "any" }
        end
        t:setup(result)
        send(from, to, 1, 2, 0xbad)
        t:drops("P30-030", to, before, 1)
        to:ac_entry { index = 2, matchid = right, portal = "any" }
        send(from, to, 1, 2, 0x600d)
        t:event("P30-030", to, "eq", { type = "PTL_EVENT_PUT", match_bits = 0x600d })
      end
    end
  end,
}

case {
  id = "access-wildcard-portal",
  title = "PTL_PT_INDEX_ANY admits to every portal",
  purpose = "Entry two names rank 0 and the wildcard portal; puts and gets with this cookie reach each portal.",
  requirements = { "P30-033" }, ranks = 2,
  run = function(t)
    local from, to = open(t)
    to:ac_entry { index = 2, matchid = t.gid(from.id), portal = "any" }
    for portal = 0, 3 do
      send(from, to, portal, 2)
      t:event("P30-033", to, "eq", { type = "PTL_EVENT_PUT", portal = portal })
      from:get { mem_desc = "out-md", target = to, portal = portal, cookie = 2 }
      t:event("P30-033", to, "eq", { type = "PTL_EVENT_GET", portal = portal })
    end
  end,
}

case {
  id = "access-entry-replaced",
  title = "PtlACEntry replaces the former values of the entry",
  purpose = "Entry two first names portal 1, then portal 2; only the last rule may be effective. Then it is made wide, narrow and wide again, by its portal and by its process: it refuses whom it had admitted, and admits whom it had refused.",
  requirements = { "P30-038" }, chapter = "3.9", ranks = 2,
  run = function(t)
    local from, to = open(t)
    to:ac_entry { index = 2, matchid = t.any_gid, portal = 1 }
    send(from, to, 1, 2, 1)
    t:sanity("the first rule admits to portal 1", to:wait().event ~= nil)
    to:ac_entry { index = 2, matchid = t.any_gid, portal = 2 }
    local before = to:drop_count()
    send(from, to, 1, 2, 0xbad)
    send(from, to, 2, 2, 0x600d)
    t:event("P30-038", to, "eq", { type = "PTL_EVENT_PUT", match_bits = 0x600d })
    t:drops("P30-038", to, before, 1)
    for i, narrow in ipairs { { matchid = t.any_gid, portal = 1 }, { matchid = t.gid(to.id), portal = "any" } } do
      local wide = { index = 2, matchid = t.any_gid, portal = "any" }
      narrow.index = 2
      to:ac_entry(wide)
      to:ac_entry(narrow)
      before = to:drop_count()
      send(from, to, 2, 2, 0xbad)
      t:drops("P30-038", to, before, 1)
      to:ac_entry(wide)
      send(from, to, 2, 2, i)
      t:event("P30-038", to, "eq", { type = "PTL_EVENT_PUT", match_bits = i })
    end
  end,
}

case {
  id = "access-entry-zero-tightened",
  title = "Entry zero can be made narrower",
  purpose = "Entry zero is set to rank 1 alone; rank 0 is refused with cookie 0 from then on.",
  requirements = { "P30-039", "P30-006", "P30-007" }, chapter = "3.9", ranks = 3,
  run = function(t)
    local first, to, second = open(t)
    to:ac_entry { index = 0, matchid = t.gid(second.id), portal = "any" }
    local before = to:drop_count()
    send(first, to, 1, 0, 0xbad)
    t:drops("P30-007", to, before, 1)
    send(second, to, 1, 0, 0x600d)
    t:event("P30-006", to, "eq", { type = "PTL_EVENT_PUT", match_bits = 0x600d, initiator = second.id })
    t:equal("P30-039", "dropped requests", to:drop_count() - before, 1)
  end,
}

for how, by, named in each {
  { "", "by its group and rank", Test.gid }, { "-by-node", "by its node and process id", Test.nid },
} do
  case {
    id = "access-entry-zero-narrowed" .. how,
    title = "The entry that is there from the start can be narrowed",
    purpose = "Entry zero is set to rank 1, " .. by .. ", and portal 2. With cookie 0 rank 1 is taken there, and "
      .. "refused at portal 1; rank 0, which had been taken before, is refused at both: puts and gets. Then it is "
      .. "set to rank 0 and any portal, and it is the other way round.",
    requirements = { "P30-039" }, chapter = "3.9", ranks = 3,
    run = function(t)
      local first, to, second = open(t)
      send(first, to, 2, 0)
      t:sanity("entry zero admits the group at first", to:wait().event ~= nil)
      t:rc("P30-039", to:PtlACEntry { index = 0, matchid = named(second.id), portal = 2 }, "PTL_OK")
      for _, row in ipairs { { first, 2 }, { first, 1 }, { second, 1 } } do
        local before = to:drop_count()
        send(row[1], to, row[2], 0)
        t:drops("P30-039", to, before, 1)
        row[1]:get { mem_desc = "out-md", target = to, portal = row[2], cookie = 0 }
        t:drops("P30-039", to, before, 2)
      end
      send(second, to, 2, 0)
      t:event("P30-039", to, "eq", { type = "PTL_EVENT_PUT", portal = 2, initiator = second.id })
      second:get { mem_desc = "out-md", target = to, portal = 2, cookie = 0 }
      t:event("P30-039", to, "eq", { type = "PTL_EVENT_GET", portal = 2, initiator = second.id })
      t:equal("P30-039", "further events", to:PtlEQCount().count, 0)
      t:rc("P30-039", to:PtlACEntry { index = 0, matchid = named(first.id), portal = "any" }, "PTL_OK")
      for portal = 1, 2 do
        local before = to:drop_count()
        send(second, to, portal, 0)
        t:drops("P30-039", to, before, 1)
        send(first, to, portal, 0)
        t:event("P30-039", to, "eq", { type = "PTL_EVENT_PUT", portal = portal, initiator = first.id })
      end
    end,
  }
end

case {
  id = "access-cookie-beyond-table",
  title = "A cookie outside the table is refused at the target, not at the initiator",
  purpose = "The last entry admits everybody. Cookies equal to and far above the table's size: PtlPut and PtlGet return PTL_OK, the target discards and counts.",
  requirements = { "P30-317", "P30-266" }, chapter = "4.2", ranks = 2,
  run = function(t)
    local from, to = open(t)
    local size = to:granted("acl_size", 4)
    to:ac_entry { index = size - 1, matchid = t.any_gid, portal = "any" }
    local before = to:drop_count()
    for _, cookie in ipairs { size, size + 1, from:largest("ptl_ac_index_t") } do
      t:rc("P30-266", from:PtlPut { mem_desc = "out-md", target = to, portal = 1, cookie = cookie }, "PTL_OK")
      t:rc("P30-266", from:PtlGet { mem_desc = "out-md", target = to, portal = 1, cookie = cookie }, "PTL_OK")
    end
    send(from, to, 1, 0, 0x600d)
    t:event("P30-317", to, "eq", { type = "PTL_EVENT_PUT", match_bits = 0x600d })
    t:drops("P30-317", to, before, 6)
  end,
}

case {
  id = "access-return-codes",
  title = "PtlACEntry has a return code of its own for each kind of bad argument",
  purpose = "Indexes outside the table, a process id of no kind, portals outside the table and the handle of an interface that was closed, also when it is open again, give the codes that section 3.9.1 lists.",
  requirements = { "P30-040", "P30-041", "P30-042", "P30-043", "P30-077" }, chapter = "3.9",
  run = function(t)
    local rank = t:open { ptl_size = 4, acl_size = 4 }
    for index = 0, 3 do t:rc("P30-077", rank:PtlACEntry { index = index, portal = 3 }, "PTL_OK") end
    for _, index in ipairs { 4, 0x102, 0x10000, 0x10002, 0x1000000, 0x7ffffffe, rank:largest("ptl_ac_index_t") } do
      if index >= rank:granted("acl_size", 4) and index <= rank:largest("ptl_ac_index_t") then
        t:rc("P30-040", rank:PtlACEntry { index = index }, "PTL_AC_INV_INDEX")
      end
    end
    t:rc("P30-041", rank:PtlACEntry { matchid = { kind = "kind", number = 99, nid = 1, pid = 1, gid = 1, rid = 1 } },
      "PTL_INV_PROC")
    for _, portal in ipairs { 4, 0x103, 0x10000, 0x10003, 0x1000000, 0x7ffffffe } do
      if portal >= rank:granted("ptl_size", 4) and portal < rank:largest("ptl_pt_index_t") then
        t:rc("P30-042", rank:PtlACEntry { portal = portal }, "PTL_INV_PTINDEX")
      end
    end
    local taken = 0
    for _, portal in ipairs { -1, -2, -3, -17, -256 } do
      taken = taken + (rank:PtlACEntry { index = 3, portal = portal }.rc == "PTL_OK" and 1 or 0)
    end
    t:check("P30-042", "portals below zero that are taken, of which one may be the wildcard", taken <= 1, "1 at most",
      taken)
    rank:eq("queue")
    if not rank:same("queue", "ni") then -- handles of two types may be alike
      t:rc("P30-043", rank:PtlACEntry { interface = "queue" }, "PTL_INV_NI")
    end
    rank:ni_fini {}
    t:rc("P30-043", rank:PtlACEntry {}, "PTL_INV_NI")
    t:refused_when_opened_again("P30-043", rank, "PtlACEntry")
  end,
}

case {
  id = "access-table-outlives-other-openings",
  title = "An interface that is opened or closed leaves the tables of the others as they are",
  purpose = "Entry zero of the default interface is narrowed to rank 1 and portal 1, where an entry takes puts. Then interface 1 is opened, used and closed. All the while a put of rank 0 is refused and one of rank 1 is taken.",
  requirements = { "P30-037" }, chapter = "3.9", ranks = 2,
  run = function(t)
    local from, to = t:open { ptl_size = 4, acl_size = 4 }
    open_portals(to, 2)
    sender(from)
    sender(to)
    to:ac_entry { index = 0, matchid = t.gid(to.id), portal = 1 }
    local function judge(when)
      local before = to:drop_count()
      send(from, to, 1, 0)
      send(to, to, 0, 0)
      t:drops("P30-037", to, before, 2)
      send(to, to, 1, 0)
      t:event("P30-037", to, "eq", { type = "PTL_EVENT_PUT", portal = 1, initiator = to.id })
      t:equal("P30-037", "further events " .. when, to:PtlEQCount().count, 0)
    end
    judge("at first")
    to:ni_init { interface = 1, ptl_size = 4, acl_size = 4, handle = "ni1" }
    judge("with a second interface")
    to:ac_entry { interface = "ni1", index = 0, matchid = t.any_gid, portal = "any" }
    to:me_attach { interface = "ni1", index = 1, handle = "me-of-ni1" }
    judge("with changed tables of the second interface")
    to:ni_fini { interface = "ni1" }
    judge("when the second interface is closed")
  end,
}

case {
  id = "access-tables-of-two-interfaces",
  title = "Each interface has an access control table and a portal table of its own",
  purpose = "Entry zero of one interface is closed; the other interface of the same process still admits with cookie 0. Then it is the other way round.",
  requirements = { "P30-037", "P30-074" }, chapter = "3.9", ranks = 2,
  run = function(t)
    local from, to = t:open { ptl_size = 4, acl_size = 4 }
    for _, rank in ipairs { from, to } do
      rank:ni_init { interface = 1, ptl_size = 4, acl_size = 4, handle = "ni1" }
    end
    to:eq_alloc { interface = "ni1", handle = "eq1" }
    to:attach { octets = 64, interface = "ni1", index = 1, me = "me1", md = "md1", eventq = "eq1" }
    to:ac_entry { interface = "ni", index = 0, matchid = t.gid(to.id), portal = "any" }
    from:bind { interface = "ni1", region = "out", octets = 8, fill = "mix/5", md = "out1" }
    from:bind { interface = "ni", region = "out", md = "out0" }
    local before, other_before = to:drop_count("ni"), to:drop_count("ni1")
    from:put { mem_desc = "out1", target = to, portal = 1 }
    t:event("P30-037", to, "eq1", { type = "PTL_EVENT_PUT", portal = 1 })
    t:equal("P30-074", "dropped requests of the other interface", to:drop_count("ni") - before, 0)
    from:put { mem_desc = "out0", target = to, portal = 1 }
    t:drops("P30-037", to, before, 1, nil, "ni")
    t:equal("P30-074", "dropped requests of the other interface", to:drop_count("ni1") - other_before, 0)
    from:put { mem_desc = "out1", target = to, portal = 2 }
    t:drops("P30-074", to, other_before, 1, nil, "ni1")
    t:equal("P30-074", "dropped requests of the first interface", to:drop_count("ni") - before, 1)
    to:ac_entry { interface = "ni", index = 0, matchid = t.any_gid, portal = "any" }
    to:ac_entry { interface = "ni1", index = 0, matchid = t.gid(to.id), portal = "any" }
    to:eq("eq0")
    to:attach { region = "buf0", octets = 64, index = 1, me = "me0", md = "md0", eventq = "eq0" }
    from:put { mem_desc = "out1", target = to, portal = 1 }
    t:drops("P30-037", to, other_before + 1, 1, nil, "ni1")
    from:put { mem_desc = "out0", target = to, portal = 1 }
    t:event("P30-037", to, "eq0", { type = "PTL_EVENT_PUT", portal = 1 })
  end,
}
