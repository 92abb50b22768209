-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.3 to 3.5: the start, limits of an interface, ids of processes and users.

defaults { suite = "limits", chapter = "3.5.1" }

-- The bit in which the id of another one differs: with the lowest one "nobody", -2, would give the wildcard.
local OTHER <const> = 256

case {
  id = "init-number-of-interfaces",
  title = "PtlInit tells how many interfaces can be opened",
  purpose = "It is called with NULL, then twice with an address, where it tells the same; a put arrives afterwards, also behind calls beside an open interface.",
  suite = "start", chapter = "3.3.1",
  requirements = { "P32-335", "P32-336", "P32-055" },
  run = function(t)
    local rank = t.ranks[0]
    t:rc("P32-336", rank:PtlInit { max_interfaces = "null" }, "PTL_OK")
    local result = t:rc("P32-055", rank:PtlInit { max_interfaces = "out" }, "PTL_OK")
    t:check("P32-335", "the number of interfaces is at least one", result.max_interfaces >= 1, ">= 1",
      result.max_interfaces)
    t:equal("P32-335", "the number that the next call tells",
      t:rc("P32-055", rank:PtlInit { max_interfaces = "out" }, "PTL_OK").max_interfaces, result.max_interfaces)
    t:open {}
    rank:region("buf", 8)
    rank:eq()
    rank:attach { options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE", eventq = "eq" }
    rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
    rank:put { mem_desc = "out-md", target = rank }
    local event = rank:wait_done("eq").event
    t:check("P32-055", "a put arrives after the second call", event ~= nil, "an event", "none")
    t:octets("P32-055", "what was put", rank, "buf", "mix/1")
    t:equal("P32-055", "the number that a call beside an open interface tells",
      t:rc("P32-055", rank:PtlInit { max_interfaces = "out" }, "PTL_OK").max_interfaces, result.max_interfaces)
    t:rc("P32-055", rank:PtlInit { max_interfaces = "null" }, "PTL_OK")
    t:rc("P32-055", rank:PtlPut { mem_desc = "out-md", target = rank }, "PTL_OK")
    t:check("P32-055", "a put arrives after these calls", rank:wait_done("eq").event ~= nil, "an event", "none")
  end,
}

case {
  id = "interface-opened-twice",
  title = "An interface that is open already gives its handle once more",
  purpose = "PtlNIInit is called twice with different limits; both handles are one.",
  requirements = { "P32-078" }, still = { "P33-078" },
  run = function(t)
    local rank = t:open { ptl_size = 8, acl_size = 4 }
    local again = t:rc("P32-078", rank:open_again { ptl_size = 16, acl_size = 8, handle = "again" }, "PTL_OK")
    t:equal_or_warn("P32-078", "the code of the second call", again.code, "PTL_OK",
      { PTL_IFACE_DUP = "an interface that is open has a code of its own" })
    t:check("P32-078", "both handles have the same octets", rank:same("ni", "again"), "the same", "others")
    rank:me_attach { interface = "again" }
    rank:PtlNIHandle { handle = "me", interface = "of" }
    t:check("P32-078", "the entry belongs to the interface of the first handle", rank:same("ni", "of"), "the same",
      "another")
  end,
}

case {
  id = "opened-twice-keeps-what-is-set",
  title = "A second PtlNIInit changes nothing of the interface",
  purpose = "Entry 2 of the access control table admits everybody, entry 3 another user, and a message by it has been discarded. After a second PtlNIInit the count is the same, and a put by entry 2 arrives.",
  requirements = { "P32-078", "P32-357" }, still = { "P33-078", "P33-357" },
  run = function(t)
    local rank = t:open { ptl_size = 8, acl_size = 4 }
    local function put(cookie) rank:put { mem_desc = "out-md", target = rank, portal = 1, cookie = cookie } end
    rank:eq()
    rank:attach { index = 1, octets = 8, options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE", eventq = "eq" }
    rank:bind { region = "out", octets = 8, md = "out-md" }
    t:setup(rank:PtlACEntry { index = 2, uid = "any" })
    t:setup(rank:PtlACEntry { index = 3, uid = t:setup(rank:PtlGetUid()).uid ~ OTHER })
    local before = rank:drop_count()
    put(3)
    t:drops("P32-357", rank, before, 1)
    t:rc("P32-078", rank:open_again { ptl_size = 8, acl_size = 4, handle = "again" }, "PTL_OK")
    t:equal("P32-078", "discarded messages", rank:drop_count(), before + 1)
    put(2)
    t:event("P32-078", rank, "eq", { type = "PTL_EVENT_PUT_START" })
    t:event("P32-078", rank, "eq", { type = "PTL_EVENT_PUT_END" })
  end,
}

local TABLES = { { "portals", "ptl_size", "P32-076" }, { "access", "acl_size", "P32-077" } }
for name, pair, requirement in each(TABLES) do
  case {
    id = "limits-" .. name,
    title = "The highest index of a table is the actual limit",
    purpose = "The limits are asked for as 8; the highest index that came back is taken, and the next one refused.",
    requirements = { requirement, "P32-337" },
    run = function(t)
      local rank = t.ranks[0]
      rank:PtlInit()
      local result = t:rc(requirement, rank:PtlNIInit { ptl_size = 8, acl_size = 8, actual = "out" }, "PTL_OK")
      for limit, value in pairs(result.actual) do
        if limit ~= "list" and limit ~= "getput" then
          t:check("P32-337", "the actual limit of " .. limit, math.type(value) == "integer" and value >= 1, ">= 1",
            value)
        end
      end
      local size = result.actual[pair]
      t:skip_if(size > 4096, "the table is so large that its end is not looked for")
      local function take(index)
        if pair == "ptl_size" then return rank:PtlMEAttach { index = index, handle = "at" .. index } end
        return rank:PtlACEntry { index = index }
      end
      t:rc(requirement, take(size - 1), "PTL_OK")
      t:rc(requirement, take(size), pair == "ptl_size" and "PTL_INV_PTINDEX" or "PTL_AC_INV_INDEX")
    end,
  }
end

local OBJECTS = { { "entries", "PtlMEAttach", {} }, { "descriptors", "PtlMDBind", {} }, { "queues", "PtlEQAlloc",
  { count = 2 } } }
for name, verb, values in each(OBJECTS) do
  case {
    id = "limits-kept-" .. name,
    title = "As many objects can be made as the actual limit says, and no more",
    purpose = "Five objects of each kind are asked for; all that came back are made, and one beyond.",
    requirements = { "P32-338" }, deadline = 60,
    run = function(t)
      local rank = t.ranks[0]
      rank:PtlInit()
      local limits = { ptl_size = 4, acl_size = 2, entries = 5, descriptors = 5, queues = 5, actual = "out" }
      local most = t:rc("P32-338", rank:PtlNIInit(limits), "PTL_OK").actual[name]
      t:skip_if(most > 4096, "the limit is so large that it is not reached")
      local portals = rank:granted("ptl_size", 4)
      t:skip_if(verb == "PtlMEAttach" and most >= portals * rank:granted("list", most),
        "all match lists are full before the limit is reached")
      rank:md { start = "null", length = 0 }
      for i = 1, most do
        local one = { handle = "o" .. i, index = verb == "PtlMEAttach" and i % portals or nil }
        for key, value in pairs(values) do one[key] = value end
        t:rc("P32-338", rank[verb](rank, one), "PTL_OK")
      end
      local beyond = { handle = "beyond" }
      for key, value in pairs(values) do beyond[key] = value end
      t:rc("P32-338", rank[verb](rank, beyond), "PTL_NOSPACE")
    end,
  }
end

for name, limit in each { { "entries", "match_entries" }, { "descriptors", "descriptors" },
    { "queues", "event_queues" }, { "list", "match_list_entries" }, { "ptl_size", "portal_table_entries" },
    { "acl_size", "access_table_entries" } } do
  case {
    id = "declared-" .. limit:gsub("_", "-"),
    title = "PtlNIInit grants as much as the conformance statement declares, and no more: " .. limit:gsub("_", " "),
    purpose = "PtlNIInit is asked for one more than is declared; the limit that comes back is the declared one.",
    requirements = { "P32-337" }, limit = limit,
    run = function(t)
      local rank, most = t.ranks[0], t:declared("limits", limit)
      t:skip_if(name == "list" and Revision.name == "portals-3.2", "it comes with a later revision")
      rank:PtlInit()
      local result = t:rc("P32-337", rank:PtlNIInit { [name] = most + 1, actual = "out" }, "PTL_OK")
      t:equal("P32-337", "the limit that is granted to who asks for one more", result.actual[name], most)
    end,
  }
end

case {
  id = "limits-kept-after-use",
  title = "What the library has unlinked by itself leaves room for as many objects as before",
  purpose = "Five descriptors and entries are asked for. Entries with a descriptor are made and used up, each by one put, three times as many as the limits say. Then all descriptors that the limit says can be made.",
  requirements = { "P32-338" }, deadline = 60,
  run = function(t)
    local rank = t:open { ptl_size = 4, acl_size = 2, entries = 5, descriptors = 5, queues = 5, actual = "out" }
    local actual = rank:granted("descriptors", 5)
    local most = math.max(actual, rank:granted("entries", 5))
    t:skip_if(most > 1000, "the limits are so large that they are not reached")
    rank:md { name = "void", start = "null", length = 0 }
    rank:md_bind { mem_desc = "void", handle = "out-md" }
    rank:eq("eq", 64)
    for i = 1, 3 * most do
      rank:me_attach { handle = "me" .. i, unlink = "PTL_UNLINK" }
      rank:md { name = "once", start = "null", length = 0, threshold = 1, options = "PTL_MD_OP_PUT", eventq = "eq" }
      t:rc("P32-338", rank:PtlMDAttach { match = "me" .. i, mem_desc = "once", handle = "md" .. i,
        unlink = "PTL_UNLINK" }, "PTL_OK")
      rank:put { mem_desc = "out-md", target = rank }
      local event
      repeat event = rank:wait("eq").event until not event or event.type == "PTL_EVENT_UNLINK"
      t:md_unlinked("P32-338", rank, "md" .. i)
    end
    for i = 2, actual do
      t:rc("P32-338", rank:PtlMDBind { mem_desc = "void", handle = "bound" .. i }, "PTL_OK")
    end
  end,
}

for name, verb, values in each { { "entries", "PtlMEAttach", { interface = "ni", index = 0, matchid = Test.any_nid,
    match_bits = 0, ignorebits = 0, unlink = "PTL_RETAIN", handle = "one" } },
    { "descriptors", "PtlMDBind", { interface = "ni", mem_desc = "desc", handle = "one" } },
    { "queues", "PtlEQAlloc", { interface = "ni", count = 2, handle = "one" } } } do
  case {
    id = "limits-kept-unasked-" .. name,
    title = "As many objects can be made as the limit says that is told to who asks for none",
    purpose = "PtlNIInit is given NULL for what is desired; all that came back are made, and one beyond.",
    requirements = { "P32-337", "P32-338" }, deadline = 60, features = { "null-limits" },
    run = function(t)
      local rank = t.ranks[0]
      rank:PtlInit()
      t:tolerate_crash("NULL for the limits that are desired is taken for an address")
      local result = rank:PtlNIInit { desired = "null", actual = "out" }
      t:skip_if(result.rc ~= "PTL_OK", "the system takes no NULL for the limits that are desired: " .. result.rc)
      local most = result.actual[name]
      t:check("P32-337", "the actual limit of " .. name, math.type(most) == "integer" and most >= 1, ">= 1", most)
      local listed = verb == "PtlMEAttach"
      local list = listed and result.actual.list or most + 1 -- 3.2 does not tell it
      t:skip_if(most > 1 << 17, "the limit is so large that it is not reached")
      rank:md { start = "null", length = 0 }
      local made, batch = 0, nil
      for index = 0, listed and result.actual.ptl_size - 1 or 0 do
        local wanted = math.min(list, most + 1 - made)
        values.index = listed and index or nil
        batch = rank:batch(wanted, { { verb, values } })
        made = made + batch.runs
        if batch.runs < wanted or made > most then break end
      end
      t:skip_if(made <= most and batch.rc == "PTL_OK", "all match lists are full before the limit is reached")
      t:skip_if(listed and not result.actual.list and made < most, "the match list is full before the limit is reached")
      t:equal("P32-338", "objects that were made", made, most)
      if not (listed and batch.rc == "PTL_ML_TOOLONG") then -- a full list may be told first
        t:equal("P32-338", "what the last call returned", batch.rc, "PTL_NOSPACE")
      end
    end,
  }
end

case {
  id = "ids-of-processes",
  title = "Processes that leave their ids to the implementation have different ones",
  purpose = "Three processes open an interface with PTL_PID_ANY and compare who they are.",
  suite = "ids", chapter = "3.4", ranks = 3,
  requirements = { "P32-339" },
  run = function(t)
    local pending, seen = {}, {}
    for _, step in ipairs { "start_PtlInit", "start_PtlNIInit" } do
      local given <const> = { pid = step == "start_PtlNIInit" and "any" or nil }
      for i = 0, 2 do pending[i] = t.ranks[i][step](t.ranks[i], given) end
      for i = 0, 2 do t:setup(pending[i]:finish()) end
    end
    for i = 0, 2 do -- not by t:open, for which colliding ids end a case
      local id = Values.show(t:setup(t.ranks[i]:PtlGetId()).id)
      t:check("P32-339", t.ranks[i].label .. " has an id of its own", not seen[id], "another", id)
      seen[id] = true
    end
  end,
}

case {
  id = "ids-of-users",
  title = "Processes of a job have one user id, and events tell it",
  purpose = "PtlGetUid in two processes; both events of a put at the target.",
  suite = "ids", chapter = "3.4", ranks = 2,
  requirements = { "P32-340", "P32-352" },
  run = function(t)
    local from, to = t:open {}
    local uid = t:rc("P32-340", from:PtlGetUid(), "PTL_OK").uid
    t:equal("P32-340", "user id of the other process", t:rc("P32-340", to:PtlGetUid(), "PTL_OK").uid, uid)
    to:eq()
    to:attach { octets = 8, eventq = "eq" }
    from:bind { octets = 8, md = "out-md" }
    from:put { mem_desc = "out-md", target = to }
    t:event("P32-352", to, "eq", { type = "PTL_EVENT_PUT_START", uid = uid })
    t:event("P32-352", to, "eq", { type = "PTL_EVENT_PUT_END", uid = uid })
  end,
}

case {
  id = "size-type",
  title = "ptl_size_t is unsigned and has 64 bits",
  purpose = "The interpreter tells its size and its sign.",
  suite = "types", chapter = "3.2.1", requirements = { "P32-045" },
  run = function(t)
    local fact = t.ranks[0]:describe().ptl_size_t
    t:equal("P32-045", "octets of ptl_size_t", fact.octets, 8)
    t:equal("P32-045", "whether it is signed", fact.signed, false)
  end,
}

case {
  id = "id-address",
  title = "PtlGetId tells of an address that is none",
  purpose = "It is called with NULL, and with an address that has no memory.",
  suite = "return-codes", chapter = "3.4.2", requirements = { "P32-067" },
  run = function(t)
    local rank = t:open {}
    t:rc("P32-067", rank:PtlGetId { id = "null" }, "PTL_SEGV")
    t:tolerate_crash("an address that is not mapped is not told from others")
    t:rc("P32-067", rank:PtlGetId { id = "unmapped" }, "PTL_SEGV")
  end,
}

case {
  id = "ids-in-messages",
  title = "Messages carry the node id and the process id of who sent them",
  purpose = "A put and a get of two processes to a third; the initiators in the target's events.",
  suite = "ids", chapter = "3.4", ranks = 3, requirements = { "P32-072" },
  run = function(t)
    local one, two, target = t:open {}
    target:eq("eq", 64)
    target:attach { octets = 8, options = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE", eventq = "eq" }
    for _, rank in ipairs { one, two } do
      rank:bind { octets = 8, md = "out-md" }
      for _, call in ipairs { "put", "get" } do
        rank[call](rank, { mem_desc = "out-md", target = target })
        for _, part in ipairs { "START", "END" } do
          t:event("P32-072", target, "eq", { type = "PTL_EVENT_" .. call:upper() .. "_" .. part, initiator = rank.id })
        end
      end
    end
  end,
}

case {
  id = "ids-differ",
  title = "Every process has another id",
  purpose = "Three processes are asked who they are, each twice.",
  suite = "ids", chapter = "3.4", ranks = 3, requirements = { "P32-058", "P32-065" },
  run = function(t)
    local pending, seen = {}, {}
    for i = 0, 2 do pending[i] = t.ranks[i]:start_PtlInit() end
    for i = 0, 2 do t:setup(pending[i]:finish()) end
    for i = 0, 2 do
      t:setup(t.ranks[i]:PtlNIInit {})
      local id = t:rc("P32-065", t.ranks[i]:PtlGetId(), "PTL_OK").id
      t:equal("P32-065", t.ranks[i].label .. ": its id when asked again", t.ranks[i]:PtlGetId().id, id)
      local name = Values.show(id)
      t:check("P32-058", t.ranks[i].label .. ": no other process has " .. name, not seen[name], "another id", name)
      seen[name] = true
    end
  end,
}

case {
  id = "limits-kept-when-opened-again",
  title = "What a second opening tells of limits is kept too",
  purpose = "Four queues are asked for at first and forty when the interface is opened again: as many as are told last are made, and one beyond is refused.",
  requirements = { "P32-338" }, deadline = 60,
  run = function(t)
    local rank = t.ranks[0]
    rank:PtlInit()
    t:setup(rank:PtlNIInit { ptl_size = 4, acl_size = 2, queues = 4, actual = "out" })
    local most = t:setup(rank:open_again { ptl_size = 4, acl_size = 2, queues = 40, actual = "out" }).actual.queues
    t:skip_if(most > 4096, "the limit is so large that it is not reached")
    for i = 1, most do t:rc("P32-338", rank:PtlEQAlloc { count = 2, handle = "eq" .. i }, "PTL_OK") end
    t:rc("P32-338", rank:PtlEQAlloc { count = 2, handle = "beyond" }, "PTL_NOSPACE")
  end,
}

for name, verb, limit, wrong, good in each {
  { "entries", "PtlMEAttach", "entries", nil, {} },
  { "descriptors", "PtlMDBind", "descriptors", { mem_desc = "bad" }, {} },
  { "attached", "PtlMDAttach", "descriptors", { mem_desc = "bad" }, { match = "me" } } } do
  case {
    id = "limits-kept-behind-refusals-" .. name,
    title = "What is refused takes no place of what the limit promises, and what is unlinked gives its place back",
    purpose = "More calls with a bad argument are refused than there are places. Then all places are filled, one more is refused, twice; one object goes, and one more can be made.",
    requirements = { "P32-338" }, deadline = 60,
    run = function(t)
      local rank = t.ranks[0]
      rank:PtlInit()
      local most = t:setup(rank:PtlNIInit { ptl_size = 4, acl_size = 2, entries = 6, descriptors = 6, actual = "out" })
        .actual[limit]
      t:skip_if(most > 512, "the limit is so large that it is not reached")
      local portals = rank:granted("ptl_size", 4)
      t:skip_if(name == "entries" and most >= portals * rank:granted("list", most),
        "all match lists are full before the limit is reached")
      rank:md { start = "null", length = 0 }
      rank:md { name = "bad", start = "null", length = 9 }
      if name == "attached" then rank:me_attach {} end
      local function make(handle, given, index)
        local all = { handle = handle, index = name == "entries" and (index or 0) % portals or nil }
        for _, values in ipairs { good, given } do
          for key, value in pairs(values) do all[key] = value end
        end
        return rank[verb](rank, all)
      end
      for _ = 1, most + 1 do
        t:skip_if(make("bad-one", wrong or { index = portals }).rc == "PTL_OK", "what was to be refused is taken")
      end
      local filler = name == "attached" and "PtlMDBind" or verb
      local attached = name == "attached" and 1 or 0
      if attached == 1 then t:rc("P32-338", make("o0", {}), "PTL_OK") end
      for i = 1, most - attached do
        local result = filler == verb and make("o" .. i, {}, i) or rank[filler](rank, { handle = "o" .. i })
        t:rc("P32-338", result, "PTL_OK")
      end
      local function beyond()
        return filler == verb and make("beyond", {}, most) or rank[filler](rank, { handle = "beyond" })
      end
      for _ = 1, 2 do t:rc("P32-338", beyond(), "PTL_NOSPACE") end
      if name == "entries" then
        t:setup(rank:PtlMEUnlink { entry = "o1" })
      else
        t:setup(rank:PtlMDUnlink { mem_desc = "o1" })
      end
      t:rc("P32-338", beyond(), "PTL_OK")
    end,
  }
end
