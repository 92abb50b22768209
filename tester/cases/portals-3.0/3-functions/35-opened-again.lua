-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 2.3 and 3.5: tables that are large, interfaces that are opened a second time, and a second interface beside
-- the first one.

defaults { suite = "interfaces", chapter = "3.5", still = { "P32-034", "P32-036", "P32-055", "P32-076", "P32-077" } }

local PUT, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_MANAGE_REMOTE"

local function furnish(rank)
  rank:eq("eq", 64)
  rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
  return rank
end

-- A rank that puts nothing to itself; what it takes comes to "eq".
local function alone(t, sizes)
  t:open(sizes)
  return furnish(t.ranks[0])
end

-- The same with a table of 65536, or of as many as the library gives, which may state less. Returns the number as well.
local function with_large(t, size)
  t:init()
  local rank, said = t.ranks[0], "its index has fewer values"
  local most = rank:largest(size == "acl_size" and "ptl_ac_index_t" or "ptl_pt_index_t", 65536)
  for _, count in ipairs { 65536, 16384, 4096, 2048 } do
    local result = count <= most and rank:PtlNIInit { [size] = count }
    if result and result.rc == "PTL_OK" then
      local granted = math.min(count, result.actual and result.actual[size] or count)
      t:skip_if(granted < 2048, "no table of 2048 entries is to be had: " .. granted .. " were granted")
      return furnish(rank), granted
    end
    said = result and result.call .. " returned " .. result.rc or said
  end
  t:skip("no table of 2048 entries is to be had: " .. said)
end

local function provide(rank, portal, given)
  given = given or {}
  rank:attach { interface = given.ni, index = portal, me = "me" .. portal, md = "md" .. portal, start = "null",
    length = 0, options = PUT .. "|" .. REMOTE, eventq = given.eq or "eq", user_ptr = portal }
end

case {
  id = "ni-portal-table-large",
  title = "Every entry of a large portal table is independent of the others",
  purpose = "A table of 65536 entries, or of the most that the library gives, has lists at indexes that are equal in their lowest bits. Puts to these are taken there, and puts to others that are equal in such bits are dropped.",
  requirements = { "P30-014", "P30-076" },
  run = function(t)
    local rank, size = with_large(t, "ptl_size")
    t:judging("P30-076")
    local used = { 5, 5 + 256, 5 + size // 4, size - 1 }
    for _, portal in ipairs(used) do
      t:rc("P30-076", rank:PtlMEAttach { index = portal, handle = "me" .. portal }, "PTL_OK")
      rank:add_md { me = "me" .. portal, md = "md" .. portal, start = "null", length = 0, options = PUT .. "|"
        .. REMOTE, eventq = "eq", user_ptr = portal }
    end
    for _, portal in ipairs(used) do
      rank:put { mem_desc = "out-md", target = rank, portal = portal }
      local event = t:event("P30-014", rank, "eq", { type = "PTL_EVENT_PUT", portal = portal })
      t:equal("P30-076", "the portal whose descriptor took it", event.mem_desc.user_ptr, portal)
    end
    for _, portal in ipairs { 5 + 16, 5 + 512, 5 + size // 2, 255, size // 2 - 1, 0 } do
      local before = rank:drop_count()
      rank:put { mem_desc = "out-md", target = rank, portal = portal }
      t:drops("P30-014", rank, before, 1)
    end
    t:equal("P30-014", "further events", rank:PtlEQCount().count, 0)
  end,
}

case {
  id = "access-table-large",
  title = "Every entry of a large access control table is independent of the others",
  purpose = "In a table of 65536, or of the most that the library gives, three entries, the last one among them, are opened to everybody. Requests that name them are taken, and those that name others which are equal in some lowest bits are dropped.",
  requirements = { "P30-077" }, suite = "access-control",
  run = function(t)
    local rank, size = with_large(t, "acl_size")
    provide(rank, 1)
    for _, index in ipairs { 2 + 256, 2 + size // 4, size - 1 } do
      t:rc("P30-077", rank:PtlACEntry { index = index }, "PTL_OK")
      rank:put { mem_desc = "out-md", target = rank, portal = 1, cookie = index }
      t:event("P30-077", rank, "eq", { type = "PTL_EVENT_PUT", portal = 1 })
    end
    local others = { 2, 2 + 16, 2 + 512, 2 + size // 2, 255, size // 2 - 1 }
    rank:ac_close(table.unpack(others))
    for _, index in ipairs(others) do
      local before = rank:drop_count()
      rank:put { mem_desc = "out-md", target = rank, portal = 1, cookie = index }
      t:drops("P30-077", rank, before, 1)
    end
    t:equal("P30-077", "further events", rank:PtlEQCount().count, 0)
  end,
}

case {
  id = "access-table-of-a-fresh-interface",
  title = "An interface that is opened again has a fresh access control table",
  purpose = "Entry zero is narrowed to a portal and entry two opened to everybody; then the interface is closed and opened again with a table of the same size. Entry zero admits to every portal, and entry two to none.",
  requirements = { "P30-034", "P30-036" }, suite = "access-control", chapter = "2.3",
  run = function(t)
    local rank = alone(t, { acl_size = 4 })
    rank:ac_entry { index = 0, portal = 3 }
    rank:ac_entry { index = 2 }
    rank:ac_entry { index = 3, portal = 1 }
    rank:ni_fini {}
    rank:ni_init { acl_size = 4 }
    furnish(rank)
    for portal = 1, 2 do provide(rank, portal) end
    t:judging("P30-036")
    for cookie = 2, 3 do
      local before = rank:drop_count()
      rank:put { mem_desc = "out-md", target = rank, portal = 1, cookie = cookie }
      t:drops("P30-036", rank, before, 1)
    end
    t:equal("P30-036", "events of refused puts", rank:PtlEQCount().count, 0)
    for portal = 1, 2 do
      rank:put { mem_desc = "out-md", target = rank, portal = portal }
      t:event("P30-034", rank, "eq", { type = "PTL_EVENT_PUT", portal = portal })
    end
  end,
}

case {
  id = "access-entries-closed-at-first",
  title = "Every entry of a fresh access control table but the first two admits nobody",
  purpose = "In a table of 64 entries puts, puts of no octets and gets that name one of a dozen entries from 2 to 63 are dropped and counted; with cookie zero each of them is taken.",
  requirements = { "P30-036" }, suite = "access-control", chapter = "2.3",
  run = function(t)
    local rank = alone(t, { acl_size = 64 })
    rank:bind { region = "out", octets = 8, fill = "mix/5", md = "eight-md" }
    rank:attach { index = 1, octets = 8, options = PUT .. "|PTL_MD_OP_GET|" .. REMOTE, eventq = "eq" }
    local function ask(cookie)
      for verb, md in each { { "put", "out-md" }, { "put", "eight-md" }, { "get", "eight-md" } } do
        rank[verb](rank, { mem_desc = md, target = rank, portal = 1, cookie = cookie })
      end
    end
    for _, cookie in ipairs { 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 62, 63 } do
      local before = rank:drop_count()
      ask(cookie)
      t:drops("P30-036", rank, before, 3)
    end
    t:equal("P30-036", "events of requests that nobody admits", rank:PtlEQCount().count, 0)
    ask(0)
    t:event("P30-036", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 0 })
    t:event("P30-036", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 8 })
    t:event("P30-036", rank, "eq", { type = "PTL_EVENT_GET", rlength = 8 })
  end,
}

case {
  id = "access-entry-for-the-first-portal",
  title = "An entry for portal zero admits to portal zero and no other",
  purpose = "Entry two names everybody and portal 0. Puts and gets to the portals 1 and 3 are discarded and counted, a put to portal 0 is taken.",
  requirements = { "P30-031", "P30-319" }, suite = "access-control", chapter = "4.2",
  run = function(t)
    local rank = alone(t)
    for _, portal in ipairs { 0, 1, 3 } do provide(rank, portal) end
    rank:ac_entry { index = 2, portal = 0 }
    t:judging("P30-319")
    for _, portal in ipairs { 1, 3 } do
      local before = rank:drop_count()
      rank:put { mem_desc = "out-md", target = rank, portal = portal, cookie = 2 }
      t:drops("P30-319", rank, before, 1)
      rank:get { mem_desc = "out-md", target = rank, portal = portal, cookie = 2 }
      t:drops("P30-319", rank, before + 1, 1)
    end
    rank:put { mem_desc = "out-md", target = rank, portal = 0, cookie = 2 }
    t:event("P30-031", rank, "eq", { type = "PTL_EVENT_PUT", portal = 0 })
    t:equal("P30-031", "further events", rank:PtlEQCount().count, 0)
  end,
}

case {
  id = "ni-drop-count-large",
  title = "The drop count goes on beyond 2^16",
  purpose = "A process drops 66000 of its own puts. The register, which has at least 32 bits, shows all of them.",
  requirements = { "P30-092", "P30-321" }, chapter = "3.2", deadline = 120,
  run = function(t)
    local rank = alone(t)
    local before = rank:drop_count()
    local count = 66000
    t:judging("P30-321")
    local function flood(puts)
      t:sanity("all puts were called", rank:batch(puts, { { "PtlPut", { mem_desc = "out-md", ack_req = "PTL_NOACK_REQ",
        target = t.gid(rank.id), portal = 1, cookie = 0, match_bits = 0, offset = 0 } } }).runs == puts)
      t:flush(rank, rank)
    end
    local begun = t:now()
    flood(1000)
    t:skip_if(t:now() - begun > 1000, "so many requests take the system longer than a case may")
    flood(count - 1000)
    t:equal("P30-321", "dropped requests", rank:drop_count() - before, count)
    rank:put { mem_desc = "out-md", target = rank, portal = 1 }
    t:drops("P30-092", rank, before + count, 1)
  end,
}

for _, count in ipairs { 3, 5 } do
  case {
    id = "ni-barrier-of-" .. count,
    title = "A barrier of " .. count .. " processes holds them until the last has entered it",
    purpose = "Each process in turn is the last one to enter. As long as it has not, none of the others is out.",
    requirements = { "P30-090" }, ranks = count,
    run = function(t)
      t:open {}
      for round = 1, 2 * count do
        local last, pending = round % count, {}
        for i = 0, count - 1 do
          if i ~= last then pending[#pending + 1] = t.ranks[i]:start_PtlNIBarrier {} end
        end
        t.ranks[last]:pause(30) -- what leaves too early is out by then, if not in this round then in another
        for _, waiting in ipairs(pending) do
          t:check("P30-090", "nobody is out before rank " .. last .. " is in", not waiting:done(), "inside", "outside")
        end
        pending[#pending + 1] = t.ranks[last]:start_PtlNIBarrier {}
        for _, waiting in ipairs(pending) do t:rc("P30-090", waiting:finish(), "PTL_OK") end
      end
    end,
  }
end

case {
  id = "ni-barrier-opened-again",
  title = "The barrier of an interface that is opened again holds as before",
  purpose = "Two ranks pass three barriers, close the interface and open it again. In four more barriers, in which one or the other is late, neither leaves before both have come.",
  requirements = { "P30-090" }, ranks = 2,
  run = function(t)
    t:open {}
    for _ = 1, 3 do t:barrier() end
    for i = 0, 1 do t.ranks[i]:ni_fini {} end
    t:open {}
    for round = 0, 3 do
      local early, late = t.ranks[round % 2], t.ranks[(round + 1) % 2]
      local waiting = early:start_PtlNIBarrier { deadline = 20000 }
      late:pause(100) -- who leaves too early is out by then
      t:check("P30-090", early.label .. " waits for the other, round " .. round, not waiting:done(), "inside",
        "outside")
      t:rc("P30-090", late:PtlNIBarrier { deadline = 20000 }, "PTL_OK")
      t:rc("P30-090", waiting:finish(), "PTL_OK")
    end
  end,
}

case {
  id = "ni-handles-of-the-former",
  title = "Handles from before an interface was closed stay invalid when it is opened again",
  purpose = "Entry, descriptors and queue of an interface that is closed. On the interface that is opened again as many are made; the old handles are refused all the same, by PtlNIHandle and by the calls that end their objects.",
  requirements = { "P30-087", "P30-103" },
  run = function(t)
    local rank = t:open {}
    local function make(name)
      rank:eq(name .. "-eq")
      rank:attach { me = name .. "-me", md = name .. "-md", start = "null", length = 0, eventq = name .. "-eq" }
      rank:bind { md = name .. "-bound", start = "null", length = 0 }
    end
    make("old")
    rank:ni_fini {}
    rank:ni_init {}
    make("new")
    t:judging("P30-103")
    local living = { "ni", "new-eq", "new-me", "new-md", "new-bound" }
    for _, kind in ipairs { "-eq", "-me", "-md", "-bound" } do
      t:refused("P30-103", rank, "PtlNIHandle", "handle", "old" .. kind, "PTL_INV_HANDLE", living)
    end
    t:refused("P30-087", rank, "PtlMDUnlink", "mem_desc", "old-bound", "PTL_INV_MD", { "new-md", "new-bound" })
    t:refused("P30-087", rank, "PtlMDUnlink", "mem_desc", "old-md", "PTL_INV_MD", { "new-md", "new-bound" })
    t:refused("P30-087", rank, "PtlMEUnlink", "entry", "old-me", "PTL_INV_ME", { "new-me" })
    t:refused("P30-087", rank, "PtlEQFree", "eventq", "old-eq", "PTL_INV_EQ", { "new-eq" })
    for _, kind in ipairs { "-eq", "-me", "-md", "-bound" } do
      t:rc("P30-103", rank:PtlNIHandle { handle = "new" .. kind }, "PTL_OK")
    end
  end,
}

-- A system that has but one interface is skipped.
local function open_second(t, rank, given)
  given.interface, given.handle = 1, given.handle or "ni1"
  local result = rank:PtlNIInit(given)
  t:skip_if(result.beyond, result.beyond)
  return result
end

case {
  id = "ni-second-has-its-own-sizes",
  title = "A second interface has tables of the sizes that were asked for it",
  purpose = "Beside an interface of 4 portals and 4 access control entries one of 8 and 8 is opened, then one of 2 and 2, of 1 and 3, and of 3 and 5. Each index up to its own size is good, and none beyond.",
  requirements = { "P30-076", "P30-077" },
  run = function(t)
    local rank = t:open { ptl_size = 4, acl_size = 4 }
    for _, sizes in ipairs { { 8, 8 }, { 2, 2 }, { 1, 3 }, { 3, 5 } } do
      local result = open_second(t, rank, { ptl_size = sizes[1], acl_size = sizes[2] })
      if result.rc == "PTL_INV_PSIZE" or result.rc == "PTL_INV_ASIZE" then break end -- not all sizes need be valid
      t:setup(result)
      for ni, portals, entries in each { { "ni1", sizes[1], sizes[2] }, { "ni", 4, 4 } } do
        portals, entries = rank:granted("ptl_size", portals, ni), rank:granted("acl_size", entries, ni)
        t:skip_if(portals > 4096, "the tables are so large that their ends are not looked for")
        t:rc("P30-076", rank:PtlMEAttach { interface = ni, index = portals - 1, handle = ni .. "-me" }, "PTL_OK")
        t:rc("P30-076", rank:PtlMEAttach { interface = ni, index = portals, handle = "beyond" }, "PTL_INV_PTINDEX")
        t:rc("P30-077", rank:PtlACEntry { interface = ni, index = entries - 1, portal = portals - 1 }, "PTL_OK")
        t:rc("P30-077", rank:PtlACEntry { interface = ni, index = entries }, "PTL_AC_INV_INDEX")
        rank:me_unlink { entry = ni .. "-me" }
      end
      rank:ni_fini { interface = "ni1" }
    end
  end,
}

case {
  id = "ni-fresh-count-beside-another",
  title = "An interface that is opened beside another one has counted nothing, whatever that one has",
  purpose = "Three puts are dropped on the default interface. Interface 1 is opened and tells none, and the default one still three.",
  requirements = { "P30-086" },
  run = function(t)
    local rank = alone(t, {})
    local before = rank:drop_count()
    for _ = 1, 3 do rank:put { mem_desc = "out-md", target = rank, portal = 2 } end
    t:sanity("puts that nobody takes are counted", rank:wait_drop_count(before + 3) == before + 3)
    t:setup(open_second(t, rank, {}))
    t:equal("P30-086", "the drop count of the fresh interface", rank:drop_count("ni1"), 0)
    t:equal("P30-086", "the drop count of the other one", rank:drop_count() - before, 3)
  end,
}

case {
  id = "ni-second-is-opened-once",
  title = "A second interface too can be opened once only",
  purpose = "Interface 1 is opened beside the default one, and then again. The code is that of an interface that is open already; the first handle stays good.",
  requirements = { "P30-078" },
  run = function(t)
    local rank = t:open {}
    t:setup(open_second(t, rank, {}))
    t:reading("P30-078", "duplicate_interface", "a second PtlNIInit of interface 1 returns",
      rank:PtlNIInit { interface = 1, handle = "again" }.rc,
      { { "refuse", "PTL_INIT_DUP" }, { "same_handle", "PTL_OK" } })
    t:rc("P30-078", rank:PtlNIStatus { interface = "ni1" }, "PTL_OK")
  end,
}

case {
  id = "start-init-again",
  title = "A second PtlInit leaves the state of a process as it is",
  purpose = "A process with an open interface, an entry, a descriptor and a queue calls PtlInit again. Whatever that returns, a put to it is taken afterwards, its handles are good, an event that was there still is, its access control is what it was, and so is the number of its drops.",
  requirements = { "P30-055" }, suite = "start", chapter = "3.3",
  run = function(t)
    local rank = alone(t, {})
    provide(rank, 1)
    rank:ac_entry { index = 0, matchid = t.any_gid, portal = 1 }
    local before = rank:drop_count()
    for _ = 1, 3 do rank:put { mem_desc = "out-md", target = rank, portal = 2 } end
    rank:put { mem_desc = "out-md", target = rank, portal = 1, match_bits = 0 }
    t:sanity("puts to a portal that is closed are counted", rank:wait_drop_count(before + 3) == before + 3)
    t:reading("P30-055", "second_ptlinit", "a second PtlInit returns", rank:PtlInit().rc,
      { { "ok", "PTL_OK" }, { "fail", "PTL_FAIL" } })
    t:rc("P30-055", rank:PtlNIStatus {}, "PTL_OK")
    t:equal("P30-055", "dropped messages", rank:drop_count() - before, 3)
    t:event("P30-055", rank, "eq", { type = "PTL_EVENT_PUT", portal = 1 })
    t:rc("P30-055", rank:PtlPut { mem_desc = "out-md", target = rank, portal = 1 }, "PTL_OK")
    t:event("P30-055", rank, "eq", { type = "PTL_EVENT_PUT", portal = 1 })
    rank:put { mem_desc = "out-md", target = rank, portal = 2 }
    t:drops("P30-055", rank, before, 4)
  end,
}

case {
  id = "ni-early-drops-of-the-second",
  title = "Messages that came for an interface before it was initialised are counted there and nowhere else",
  purpose = "A peer puts to interface 1 of a process that has not initialised it. Then the default interface is opened, which counts nothing, and interface 1, which shows the drop. With an entry for it the same put is taken.",
  requirements = { "P30-074", "P30-306" }, chapter = "4.2", wire = true, negative = true,
  run = function(t)
    t:init()
    local rank, peer = t.ranks[0], t:peer {}
    t:setup(open_second(t, rank, {}))
    local fresh = rank:drop_count("ni1")
    rank:ni_fini { interface = "ni1" }
    local stream = peer:connect(rank, { interface = 1 })
    t:sanity("a connection is accepted", stream ~= nil)
    stream.hello = stream:receive_hello()
    t:sanity("the HELLO for interface 1 is answered", stream.hello ~= nil)
    local put = { operation = "put", portal = 3, cookie = 2, md = 5, data = "early" }
    t:send_invalid("P30-306", stream, put, { state = "interface" })
    t:check("P30-306", "nothing is answered", stream:silence(300), "silence", "a message")
    rank:ni_init {}
    t:equal("P30-306", "dropped messages of the default interface", rank:drop_count() - fresh, 0)
    t:setup(open_second(t, rank, { acl_size = 4 }))
    local counted = rank:wait_drop_count(fresh + 1, nil, "ni1") - fresh
    t:equal_or_warn("P30-306", "dropped messages of interface 1", counted, 1,
      { [0] = "what came earlier is not counted" })
    rank:ac_entry { interface = "ni1", index = 2, matchid = t.any_nid, portal = "any" }
    rank:eq_alloc { interface = "ni1", handle = "eq" }
    rank:region("buf", 16)
    rank:attach { interface = "ni1", index = 3, matchid = t.any_nid, options = PUT .. "|" .. REMOTE, eventq = "eq" }
    stream:send(put)
    t:valid_counterpart(stream, put, rank:wait("eq").event ~= nil)
    t:equal("P30-074", "dropped messages of the default interface", rank:drop_count() - fresh, 0)
  end,
}

case {
  id = "ni-opened-a-dozen-times",
  title = "An interface can be closed and opened again as often as one likes",
  purpose = "An interface is opened and closed a dozen times, each time with an entry that takes a put.",
  requirements = { "P30-087" }, deadline = 60,
  run = function(t)
    local rank = alone(t)
    for round = 1, 12 do
      provide(rank, 1)
      rank:put { mem_desc = "out-md", target = rank, portal = 1 }
      t:event("P30-087", rank, "eq", { type = "PTL_EVENT_PUT", portal = 1 })
      t:rc("P30-087", rank:PtlNIFini {}, "PTL_OK")
      if not t:opens_again("P30-087", rank) then return end
      furnish(rank)
    end
  end,
}

case {
  id = "ni-fini-leaves-nothing-behind",
  only = true,
  title = "An interface that is opened again has nothing of the one before: no list, no right, no descriptor",
  purpose = "All portals have lists, all free access control entries admit everybody, and entry zero admits to one portal only. The interface is closed and opened again with tables of the same size, twice. Each time requests by each right and to each portal are dropped, until it has lists of its own, to which entry zero admits.",
  requirements = { "P30-087" }, deadline = 60,
  run = function(t)
    local sizes <const> = { ptl_size = 8, acl_size = 6 }
    local rank = alone(t, sizes)
    for round = 1, 2 do
      for portal = 0, 7 do provide(rank, portal) end
      for index = 2, 5 do rank:ac_entry { index = index } end
      rank:ac_entry { index = 0, portal = 3 }
      t:rc("P30-087", rank:PtlNIFini {}, "PTL_OK")
      t:skip_if(not t:opens_again("P30-087", rank, sizes), "a process opens an interface once only")
      furnish(rank)
      for portal = 0, 7 do
        local before = rank:drop_count()
        rank:put { mem_desc = "out-md", target = rank, portal = portal }
        t:drops("P30-087", rank, before, 1)
      end
      for portal = 1, 4 do provide(rank, portal) end
      for cookie = 2, 5 do
        local before = rank:drop_count()
        rank:put { mem_desc = "out-md", target = rank, portal = 3, cookie = cookie }
        t:drops("P30-087", rank, before, 1)
      end
      t:equal("P30-087", "events of what nobody may and nobody takes", rank:PtlEQCount().count, 0)
      for portal = 1, 4 do
        rank:put { mem_desc = "out-md", target = rank, portal = portal }
        t:event("P30-087", rank, "eq", { type = "PTL_EVENT_PUT", portal = portal })
      end
    end
  end,
}
