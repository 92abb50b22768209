-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 2.3 and 3.9: access control by user.

defaults { suite = "access-control", chapter = "2.3", ranks = 2, still = { "P33-357" } }

local COOKIE <const> = 2
-- The bit in which the id of another one differs: with the lowest one "nobody", -2, would give the wildcard.
local OTHER <const> = 256

local function pair(t)
  local from, to = t:open { ptl_size = 8, acl_size = 4 }
  to:eq()
  to:attach { index = 1, octets = 8, options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE", eventq = "eq" }
  from:bind { octets = 8, md = "out-md" }
  return from, to
end

local function admitted(t, req, from, to, cookie)
  from:put { mem_desc = "out-md", target = to, portal = 1, cookie = cookie }
  t:event(req, to, "eq", { type = "PTL_EVENT_PUT_START" })
  t:event(req, to, "eq", { type = "PTL_EVENT_PUT_END" })
end

local function refused(t, req, from, to, cookie)
  local before = to:drop_count()
  from:put { mem_desc = "out-md", target = to, portal = 1, cookie = cookie }
  t:drops(req, to, before, 1)
end

case {
  id = "access-at-first",
  title = "At first entry 0 admits the same user, and the others nobody",
  purpose = "Puts by each cookie to an interface that has just been opened.",
  requirements = { "P32-034", "P32-036" },
  run = function(t)
    local from, to = pair(t)
    t:judging("P32-034")
    admitted(t, "P32-034", from, to, 0)
    for cookie = 1, 3 do refused(t, "P32-036", from, to, cookie) end
  end,
}

case {
  id = "access-by-user",
  title = "An entry admits the user that it names, or every user",
  purpose = "An entry with the initiator's user id, with PTL_UID_ANY and with another user's id.",
  requirements = { "P32-357" },
  run = function(t)
    local from, to = pair(t)
    local uid = t:setup(from:PtlGetUid()).uid
    local function entry(values)
      values.index = COOKIE
      t:rc("P32-357", to:PtlACEntry(values), "PTL_OK")
    end
    entry { uid = uid }
    admitted(t, "P32-357", from, to, COOKIE)
    entry { uid = "any" }
    admitted(t, "P32-357", from, to, COOKIE)
    entry { uid = uid ~ OTHER }
    refused(t, "P32-357", from, to, COOKIE)
  end,
}

case {
  id = "access-entry-is-a-triple",
  title = "An entry admits whom its process id, its user id and its portal index all name",
  purpose = "Entries that differ from a good one in one member each admit nobody, also where the others are wildcards; the good one admits the initiator.",
  requirements = { "P32-028" },
  run = function(t)
    local from, to = pair(t)
    local uid = t:setup(from:PtlGetUid()).uid
    local id, other = t.nid(from.id), { kind = "nid", nid = from.id.nid, pid = from.id.pid ~ 1 }
    local away = { kind = "nid", nid = from.id.nid ~ OTHER, pid = from.id.pid }
    for _, values in ipairs { { uid, other, 1 }, { uid, away, 1 }, { "any", away, "any" }, { uid, id, 0 },
      { "any", id, 0 }, { uid, t.any_nid, 0 }, { uid, id, 2 }, { uid ~ OTHER, id, 1 }, { "any", other, 1 },
      { "any", id, 2 }, { uid, t.any_nid, 2 }, { uid ~ OTHER, t.any_nid, "any" }, { "any", other, "any" } } do
      t:setup(to:PtlACEntry { index = COOKIE, uid = values[1], matchid = values[2], portal = values[3] })
      refused(t, "P32-028", from, to, COOKIE)
    end
    t:setup(to:PtlACEntry { index = COOKIE, uid = uid, matchid = id, portal = 1 })
    admitted(t, "P32-028", from, to, COOKIE)
  end,
}

case {
  id = "access-of-another-user",
  title = "Entry 0 admits processes of the same user, and no others",
  purpose = "A scripted peer puts as the user of the process, as another one and as every one, and then as the first again.",
  wire = true, ranks = 1, negative = true, requirements = { "P32-034", "P32-028" },
  run = function(t)
    local rank, peer = t:open { ptl_size = 8, acl_size = 4 }, t:peer {}
    local uid = t:setup(rank:PtlGetUid()).uid
    rank:eq()
    rank:attach { index = 1, octets = 8, options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE", eventq = "eq" }
    local stream = t:connect(peer, rank)
    local function message(user, cookie)
      return { operation = "tagged-put", portal = 1, cookie = cookie, md = stream.NO_MD, uid = user, data = "octets.." }
    end
    local function served(req, user, cookie)
      stream:send(message(user, cookie))
      t:event(req, rank, "eq", { type = "PTL_EVENT_PUT_START", uid = user })
      local event = t:event(req, rank, "eq", { type = "PTL_EVENT_PUT_END", uid = user })
      t:valid_counterpart(stream, message(user, cookie), event)
    end
    local function dropped(req, user, cookie)
      local before = rank:drop_count()
      t:send_invalid(req, stream, message(user, cookie), { state = "access" })
      t:drops(req, rank, before, 1)
    end
    served("P32-034", uid, 0)
    dropped("P32-034", uid ~ OTHER, 0)
    dropped("P32-034", 0xffffffff, 0)
    served("P32-034", uid, 0)
    t:rc("P32-028", rank:PtlACEntry { index = COOKIE, uid = uid ~ OTHER }, "PTL_OK")
    served("P32-028", uid ~ OTHER, COOKIE)
    dropped("P32-028", uid, COOKIE)
  end,
}

case {
  id = "user-of-a-get",
  title = "The events of a get name the user whose it is",
  purpose = "Entry 2 admits every user. A scripted peer gets as the user of the process and as another one; the user in both events of each.",
  suite = "events", chapter = "3.8.2", wire = true, ranks = 1, requirements = { "P32-352" },
  run = function(t)
    local rank, peer = t:open { ptl_size = 8, acl_size = 4 }, t:peer {}
    local uid = t:setup(rank:PtlGetUid()).uid
    rank:eq()
    rank:attach { index = 1, octets = 8, options = "PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE", eventq = "eq" }
    t:setup(rank:PtlACEntry { index = COOKIE, uid = "any" })
    local stream = t:connect(peer, rank)
    for i, user in ipairs { uid, uid ~ OTHER } do
      stream:send { operation = "tagged-get", portal = 1, cookie = COOKIE, md = i, uid = user, length = 8 }
      t:event("P32-352", rank, "eq", { type = "PTL_EVENT_GET_START", uid = user })
      t:event("P32-352", rank, "eq", { type = "PTL_EVENT_GET_END", uid = user })
      t:expect("P32-352", stream, "reply", { md = i, mlength = 8 })
    end
  end,
}

case {
  id = "access-by-wildcards",
  title = "Node and process in an access control entry may be wildcards, each for itself",
  purpose = "Entries with a wildcard for the node, for the process and for both admit a put; those with a wildcard and a wrong number do not.",
  requirements = { "P32-032" },
  run = function(t)
    local from, to = pair(t)
    local nid, pid = from.id.nid, from.id.pid
    local function entry(node, process)
      return to:PtlACEntry { index = COOKIE, uid = "any", matchid = { kind = "nid", nid = node, pid = process } }
    end
    for node, process in each { { "any", pid }, { nid, "any" }, { "any", "any" } } do
      t:setup(entry(node, process))
      admitted(t, "P32-032", from, to, COOKIE)
    end
    for node, process in each { { "any", pid ~ 1 }, { nid ~ 1, "any" } } do
      if t:named(entry(node, process)) then refused(t, "P32-032", from, to, COOKIE) end
    end
  end,
}

case {
  id = "access-to-every-portal",
  title = "An access control entry may be for every portal",
  purpose = "An entry with PTL_PT_INDEX_ANY is made; puts by it to two portals arrive.",
  requirements = { "P32-033" },
  run = function(t)
    local from, to = pair(t)
    to:attach { index = 5, me = "me5", md = "md5", desc = "desc5", region = "buf5", octets = 8, eventq = "eq" }
    t:rc("P32-033", to:PtlACEntry { index = COOKIE, uid = "any", portal = "any" }, "PTL_OK")
    for _, portal in ipairs { 1, 5 } do
      from:put { mem_desc = "out-md", target = to, portal = portal, cookie = COOKIE }
      t:event("P32-033", to, "eq", { type = "PTL_EVENT_PUT_START", portal = portal })
      t:event("P32-033", to, "eq", { type = "PTL_EVENT_PUT_END", portal = portal })
    end
  end,
}
