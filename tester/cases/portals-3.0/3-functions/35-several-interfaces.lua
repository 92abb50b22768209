-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.5 where a process has two interfaces: what is done to one of them is nothing to the other.

defaults { suite = "interfaces", chapter = "3.5" }

local PUT, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_MANAGE_REMOTE"

-- Opens the interfaces "ni" and "ni1" in every rank; a system that has but one is skipped.
local function open_both(t)
  t:open {}
  for i = 0, t.size - 1 do t.ranks[i]:ni_init { interface = 1, handle = "ni1" } end
end

-- A rank takes everything at portal 0 of an interface, with events to NI-eq, and has an empty descriptor NI-out.
local function furnish(rank, ni)
  rank:eq_alloc { interface = ni, handle = ni .. "-eq" }
  rank:attach { interface = ni, me = ni .. "-me", md = ni .. "-md", start = "null", length = 0,
    options = PUT .. "|" .. REMOTE, eventq = ni .. "-eq" }
  rank:bind { interface = ni, desc = "void", start = "null", length = 0, md = ni .. "-out" }
end

for which, closed, other, number in each { { "first", "ni", "ni1", "default" }, { "second", "ni1", "ni", 1 } } do
  case {
    id = "ni-" .. which .. "-of-two-closed",
    title = "When the " .. which .. " of two interfaces is closed, the other one goes on as if nothing had happened",
    purpose = "Rank 1 has entries, descriptors and queues on both. It closes one; the handles of the other stay good, it still tells three drops, puts to it are taken and those from it arrive. Opened again, the closed one starts empty and the other still has what it had.",
    requirements = { "P30-074", "P30-087", "P30-183" }, ranks = 2,
    run = function(t)
      open_both(t)
      local from, to = t.ranks[0], t.ranks[1]
      for i = 0, 1 do
        furnish(t.ranks[i], "ni")
        furnish(t.ranks[i], "ni1")
      end
      local function exchange()
        t:rc("P30-074", from:PtlPut { mem_desc = other .. "-out", target = to }, "PTL_OK")
        t:event("P30-074", to, other .. "-eq", { type = "PTL_EVENT_PUT", initiator = from.id })
        t:rc("P30-074", to:PtlPut { mem_desc = other .. "-out", target = from }, "PTL_OK")
        t:event("P30-074", from, other .. "-eq", { type = "PTL_EVENT_PUT", initiator = to.id })
      end
      exchange()
      local lost = to:drop_count(other)
      for _ = 1, 3 do to:put { mem_desc = other .. "-out", target = to, portal = 1 } end
      t:sanity("puts that nobody takes are counted", to:wait_drop_count(lost + 3, nil, other) == lost + 3)
      t:judging("P30-087")
      t:rc("P30-087", to:PtlNIFini { interface = closed }, "PTL_OK")
      t:rc("P30-087", to:PtlEQCount { eventq = closed .. "-eq" }, "PTL_INV_EQ")
      t:rc("P30-087", to:PtlMDUnlink { mem_desc = closed .. "-out" }, "PTL_INV_MD")
      t:judging("P30-183")
      t:rc("P30-183", to:PtlMDAttach { match = closed .. "-me", mem_desc = "void", handle = "late" }, "PTL_INV_ME")
      t:judging("P30-074")
      t:rc("P30-074", to:PtlNIStatus { interface = other }, "PTL_OK")
      t:equal("P30-074", "dropped requests of the interface that stays open", to:drop_count(other) - lost, 3)
      t:rc("P30-074", to:PtlMDUpdate { mem_desc = other .. "-md", old = "was" }, "PTL_OK")
      exchange()
      if not t:opens_again("P30-087", to, { interface = number, handle = closed }) then return end
      local before, other_before = to:drop_count(closed), to:drop_count(other)
      from:put { mem_desc = closed .. "-out", target = to }
      t:drops("P30-087", to, before, 1, nil, closed)
      exchange()
      t:equal("P30-074", "dropped requests of the interface that stayed open", to:drop_count(other) - other_before, 0)
    end,
  }
end

case {
  id = "ni-barrier-of-its-own",
  title = "A barrier waits for the calls for its own interface",
  purpose = "Rank 0 enters the barrier of one interface and rank 1 that of the other: neither may leave, for on each interface one process is missing. Other threads then bring the missing calls, and all four return.",
  requirements = { "P30-090" }, ranks = 2, features = { "threads" },
  run = function(t)
    open_both(t)
    local first, second = t.ranks[0], t.ranks[1]
    first:thread("other")
    second:thread("other")
    for round = 1, 3 do
      local waiting = { first:start_PtlNIBarrier { interface = "ni", deadline = 20000 },
        second:start_PtlNIBarrier { interface = "ni1", deadline = 20000 } }
      for _, rank in ipairs { first, second } do
        rank:call("pause", { ms = 100 }, { thread = "other" }) -- who leaves too early is out by then
      end
      for i, call in ipairs(waiting) do
        t:check("P30-090", "rank " .. i - 1 .. " waits while its interface has no other caller, round " .. round,
          not call:done(), "inside", "outside")
      end
      waiting[3] = second:start_PtlNIBarrier { interface = "ni", thread = "other", deadline = 20000 }
      t:rc("P30-090", waiting[1]:finish(), "PTL_OK")
      t:rc("P30-090", waiting[3]:finish(), "PTL_OK")
      t:check("P30-090", "the barrier of the second interface still waits", not waiting[2]:done(), "inside", "outside")
      waiting[4] = first:start_PtlNIBarrier { interface = "ni1", thread = "other", deadline = 20000 }
      t:rc("P30-090", waiting[2]:finish(), "PTL_OK")
      t:rc("P30-090", waiting[4]:finish(), "PTL_OK")
    end
    first:join("other")
    second:join("other")
  end,
}

case {
  id = "access-entry-zero-of-each-interface",
  title = "Entry zero of each interface admits the own group from the start",
  purpose = "On a second interface, as on the first, puts of each of two ranks with cookie 0 are taken by the other and by itself.",
  requirements = { "P30-034" }, suite = "access-control", chapter = "2.3", ranks = 2,
  run = function(t)
    open_both(t)
    for _, ni in ipairs { "ni1", "ni" } do
      for i = 0, 1 do furnish(t.ranks[i], ni) end
      for from, to in each { { 0, 1 }, { 1, 0 }, { 0, 0 }, { 1, 1 } } do
        from, to = t.ranks[from], t.ranks[to]
        t:judging("P30-034")
        from:put { mem_desc = ni .. "-out", target = to }
        t:event("P30-034", to, ni .. "-eq", { type = "PTL_EVENT_PUT", initiator = from.id })
      end
    end
  end,
}

case {
  id = "ni-queue-of-the-other",
  title = "No call gives a descriptor the event queue of another interface",
  purpose = "PtlMDInsert and PtlMDUpdate are asked for a descriptor of one interface with a queue of the other, and the descriptor that was to be updated stays what it was. A queue that is freed is refused by the update too.",
  requirements = { "P30-075", "P30-191", "P30-212" }, chapter = "3.7",
  run = function(t)
    open_both(t)
    local rank = t.ranks[0]
    furnish(rank, "ni")
    rank:eq_alloc { interface = "ni1", handle = "ni1-eq" }
    rank:md { name = "foreign", start = "null", length = 0, options = PUT, eventq = "ni1-eq" }
    t:judging("P30-191")
    t:rc("P30-191", rank:PtlMDInsert { mem_desc = "foreign", current = "ni-md", handle = "other" }, "PTL_ILL_MD")
    t:rc("P30-212", rank:PtlMDUpdate { mem_desc = "ni-md", new = "foreign" }, "PTL_ILL_MD")
    rank:eq("gone")
    rank:md { name = "queueless", start = "null", length = 0, options = PUT, eventq = "gone" }
    rank:eq_free { eventq = "gone" }
    t:reading("P30-212", "bad_eventq_code", "PtlMDUpdate with a queue that is gone returns",
      rank:PtlMDUpdate { mem_desc = "ni-md", new = "queueless" }.rc,
      { { "PTL_ILL_MD", "PTL_ILL_MD" }, { "PTL_INV_EQ", "PTL_INV_EQ" } })
    rank:put { mem_desc = "ni-out", target = rank }
    t:event("P30-212", rank, "ni-eq", { type = "PTL_EVENT_PUT" })
    t:equal("P30-075", "events in the queue of the other interface", rank:PtlEQCount { eventq = "ni1-eq" }.count, 0)
  end,
}

case {
  id = "ni-portal-tables-apart",
  only = true,
  title = "What is done to the match list at a portal of one interface leaves that of the other as it is",
  purpose = "Rank 1 has a list at portal 2 of each of two interfaces. On one of them entries are attached, inserted and unlinked and the list is replaced, then on the other; each time a put over each interface is taken by the entry that stands there, or dropped where there is none.",
  requirements = { "P30-037" }, chapter = "3.9", ranks = 2,
  run = function(t)
    open_both(t)
    local from, to, names = t.ranks[0], t.ranks[1], { "ni", "ni1" }
    local function entry(ni, mark)
      to:attach { interface = ni, index = 2, me = ni .. "-me" .. mark, md = ni .. "-md" .. mark, start = "null",
        length = 0, options = PUT .. "|" .. REMOTE, eventq = ni .. "-eq", user_ptr = mark }
    end
    local function judge(ni, mark)
      local before = to:drop_count(ni)
      from:put { mem_desc = ni .. "-out", target = to, portal = 2 }
      if mark then
        local event = t:event("P30-037", to, ni .. "-eq", { type = "PTL_EVENT_PUT", portal = 2 })
        t:equal("P30-037", "the entry of " .. ni .. " that takes the put", event.mem_desc.user_ptr, mark)
      else
        t:drops("P30-037", to, before, 1, nil, ni)
      end
    end
    for _, ni in ipairs(names) do
      from:bind { interface = ni, desc = "void", start = "null", length = 0, md = ni .. "-out" }
      to:eq_alloc { interface = ni, handle = ni .. "-eq" }
    end
    for i, ni in ipairs(names) do
      local other = names[3 - i]
      entry(other, 1)
      judge(ni, nil)
      entry(ni, 2)
      judge(other, 1)
      judge(ni, 2)
      to:me_insert { position = "PTL_INS_BEFORE", current = ni .. "-me2", handle = ni .. "-me3" }
      to:add_md { me = ni .. "-me3", md = ni .. "-md3", start = "null", length = 0, options = PUT .. "|" .. REMOTE,
        eventq = ni .. "-eq", user_ptr = 3 }
      judge(other, 1)
      judge(ni, 3)
      entry(ni, 4)
      judge(other, 1)
      judge(ni, 4)
      to:me_unlink { entry = ni .. "-me4" }
      judge(ni, nil)
      judge(other, 1)
      to:me_unlink { entry = other .. "-me1" }
    end
  end,
}

case {
  id = "ni-both-answer",
  title = "A second interface acknowledges and replies as the first one does",
  purpose = "Over each of two interfaces rank 0 puts with an acknowledgement and gets, in turn. Each has its answer, its data, and its events on that interface, at both ends.",
  requirements = { "P30-011", "P30-171", "P30-262", "P30-272" }, ranks = 2,
  run = function(t)
    open_both(t)
    local from, to, names = t.ranks[0], t.ranks[1], { "ni", "ni1" }
    for _, ni in ipairs(names) do
      to:eq_alloc { interface = ni, handle = ni .. "-eq" }
      to:region(ni .. "-buf", 16)
      to:attach { interface = ni, me = ni .. "-me", md = ni .. "-md", region = ni .. "-buf",
        options = PUT .. "|PTL_MD_OP_GET|" .. REMOTE, eventq = ni .. "-eq" }
      from:eq_alloc { interface = ni, handle = ni .. "-eq" }
      from:region(ni .. "-own", 16)
      from:bind { interface = ni, region = ni .. "-own", md = ni .. "-out", eventq = ni .. "-eq" }
    end
    for round = 1, 2 do
      for i, ni in ipairs(names) do
        local pattern, before = "mix/" .. 2 * round + i, from:drop_count(ni)
        from:fill(ni .. "-own", pattern)
        t:judging("P30-171")
        from:put { mem_desc = ni .. "-out", ack_req = "PTL_ACK_REQ", target = to }
        local types = t.types((from:collect(ni .. "-eq", 2)))
        t:equal("P30-262", "answers that came over " .. ni .. " and were discarded", from:drop_count(ni) - before, 0)
        t:equal("P30-171", "events of a put over " .. ni, types, { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
        t:event("P30-171", to, ni .. "-eq", { type = "PTL_EVENT_PUT", initiator = from.id })
        from:fill(ni .. "-own", "byte/0")
        t:judging("P30-011")
        from:get { mem_desc = ni .. "-out", target = to }
        t:event("P30-011", from, ni .. "-eq", { type = "PTL_EVENT_REPLY", mlength = 16 })
        t:octets("P30-011", "what was put and fetched over " .. ni, from, ni .. "-own", pattern)
        t:event("P30-272", to, ni .. "-eq", { type = "PTL_EVENT_GET", initiator = from.id })
      end
    end
    for _, ni in ipairs(names) do
      t:equal("P30-272", "further events on " .. ni, from:count_events(ni .. "-eq") + to:count_events(ni .. "-eq"), 0)
    end
  end,
}

case {
  id = "ni-each-counts-drops",
  title = "Every interface has a drop count of its own, up to the last one",
  purpose = "All interfaces with numbers below 16 that can be opened are opened. Each has the register, which counts the puts that were dropped there, and no others.",
  requirements = { "P30-051" }, chapter = "3.2.7",
  run = function(t)
    local rank = t:open {}
    local opened = { "ni" }
    for number = 1, 15 do
      local ni = "ni" .. number
      if rank:PtlNIInit { interface = number, handle = ni }.rc == "PTL_OK" and not rank:same(ni, "ni") then
        opened[#opened + 1] = ni
      end
    end
    local before = {}
    for _, ni in ipairs(opened) do
      before[ni] = t:rc("P30-051", rank:PtlNIStatus { interface = ni, register = "PTL_SR_DROP_COUNT" }, "PTL_OK").status
    end
    for place, ni in ipairs(opened) do
      rank:bind { interface = ni, desc = "void", start = "null", length = 0, md = ni .. "-out" }
      for _ = 1, place do rank:put { mem_desc = ni .. "-out", target = rank, portal = 1 } end
    end
    for place, ni in ipairs(opened) do
      t:drops("P30-051", rank, before[ni], place, nil, ni)
    end
  end,
}

case {
  id = "ni-each-checks-its-arguments",
  title = "A second interface has the refusals of the first, and a table of its own size",
  purpose = "An interface is asked for without an address for its handle, on which it can be opened afterwards. Of two with tables of 4 and of 8 portals each takes its last portal, and refuses the one behind that and the largest one.",
  requirements = { "P30-083", "P30-117" },
  run = function(t)
    local rank = t:open { ptl_size = 4 }
    rank:ni_init { interface = 1, handle = "ni1", ptl_size = 8 }
    rank:ni_fini { interface = "ni1" }
    t:skip_if(not t:opens_again("P30-083", rank, { interface = 1, handle = "ni1" }),
      "a process opens an interface once only")
    rank:ni_fini { interface = "ni1" }
    t:rc("P30-083", rank:PtlNIInit { interface = 1, handle = "null", ptl_size = 8 }, "PTL_SEGV")
    t:rc("P30-083", rank:PtlNIInit { interface = 1, handle = "ni1", ptl_size = 8 }, "PTL_OK")
    for ni, asked in each { { "ni", 4 }, { "ni1", 8 } } do
      local size = rank:granted("ptl_size", asked, ni)
      t:rc("P30-117", rank:PtlMEAttach { interface = ni, index = size - 1, handle = ni .. "-me" }, "PTL_OK")
      for _, index in ipairs { size + t:kept_portals(), rank:largest("ptl_pt_index_t") } do
        t:rc("P30-117", rank:PtlMEAttach { interface = ni, index = index, handle = "beyond" }, "PTL_INV_PTINDEX")
      end
    end
  end,
}

case {
  id = "ni-queues-made-alike",
  title = "A queue of one interface is none of the other, also where both were made in the same way",
  purpose = "Four queues are made at each of two interfaces, one by one in turn. Attaching, inserting, binding and updating refuse those of the other interface, and take their own.",
  requirements = { "P30-075", "P30-185", "P30-191", "P30-195", "P30-210" }, chapter = "3.7",
  run = function(t)
    open_both(t)
    local rank = t.ranks[0]
    for i = 1, 4 do
      for _, ni in ipairs { "ni", "ni1" } do rank:eq_alloc { interface = ni, handle = ni .. "-eq" .. i, count = 4 } end
    end
    rank:region("buf", 16)
    for own, other in each { { "ni", "ni1" }, { "ni1", "ni" } } do
      local me, md = own .. "-me", own .. "-md"
      rank:attach { interface = own, me = me, md = md, region = "buf", eventq = own .. "-eq1" }
      rank:me_attach { interface = own, index = 1, handle = "bare" }
      for i = 1, 4 do
        rank:md { name = "wrong", eventq = other .. "-eq" .. i }
        rank:md { name = "right", eventq = own .. "-eq" .. i }
        local new = { match = "bare", mem_desc = "wrong", handle = "new" }
        t:rc("P30-185", rank:PtlMDAttach(new), "PTL_ILL_MD")
        t:rc("P30-191", rank:PtlMDInsert { mem_desc = "wrong", current = md, handle = "new" }, "PTL_ILL_MD")
        t:rc("P30-195", rank:PtlMDBind { interface = own, mem_desc = "wrong", handle = "new" }, "PTL_ILL_MD")
        t:rc("P30-210", rank:PtlMDUpdate { mem_desc = md, new = "wrong" }, "PTL_ILL_MD")
        t:rc("P30-075", rank:PtlMDUpdate { mem_desc = md, new = "right" }, "PTL_OK")
      end
    end
  end,
}

case {
  id = "ni-queue-of-the-other-is-no-test",
  title = "An update that is to test a queue of another interface is refused, or tests it",
  purpose = "PtlMDUpdate is given a queue of the other interface to test, first an empty one: it is refused and the descriptor is as it was, or it is made. Where it was made, it is not as soon as the queue has an event.",
  requirements = { "P30-210" }, chapter = "3.7",
  run = function(t)
    open_both(t)
    local rank = t.ranks[0]
    for own, other in each { { "ni", "ni1" }, { "ni1", "ni" } } do
      furnish(rank, other)
      rank:eq_alloc { interface = other, handle = other .. "-later" }
      rank:attach { interface = other, index = 1, me = other .. "-me1", md = other .. "-md1", start = "null",
        length = 0, options = PUT .. "|" .. REMOTE, eventq = other .. "-later" }
      rank:bind { interface = own, region = own .. "-own", octets = 8, md = own .. "-own-md", desc = own .. "-desc",
        threshold = 5 }
      local function update(threshold, wanted)
        rank:md { name = "new", region = own .. "-own", threshold = threshold }
        local result = rank:PtlMDUpdate { mem_desc = own .. "-own-md", new = "new", testq = other .. "-eq" }
        t:rc("P30-210", result, wanted)
        return result.rc
      end
      local tested = update(9, { "PTL_INV_EQ", "PTL_OK" }) == "PTL_OK"
      for portal = 0, 1 do rank:put { mem_desc = other .. "-out", target = rank, portal = portal } end
      t:event("P30-210", rank, other .. "-later", { type = "PTL_EVENT_PUT" })
      update(7, tested and "PTL_NOUPDATE" or "PTL_INV_EQ")
      t:equal("P30-210", "the threshold afterwards", Descriptor.current(t, rank, own .. "-own-md").threshold,
        tested and 9 or 5)
    end
  end,
}

case {
  id = "ni-second-is-a-whole-one",
  title = "A second interface is one like the first: asked at once, named by its own handle, counted anew each time it is opened",
  purpose = "The first that is done on a second interface is a get, which is answered. PtlNIHandle gives its handle for itself. It is closed and opened again three times; each time it has the register, counts one drop and is asked again.",
  requirements = { "P30-003", "P30-051", "P30-086", "P30-102" }, ranks = 2,
  run = function(t)
    open_both(t)
    local from, to = t.ranks[0], t.ranks[1]
    from:eq_alloc { interface = "ni1", handle = "answers" }
    from:bind { interface = "ni1", region = "in", octets = 16, md = "in-md", eventq = "answers" }
    for round = 1, 4 do
      to:attach { interface = "ni1", me = "served", md = "served-md", region = "out" .. round, octets = 16,
        fill = "mix/" .. round, options = "PTL_MD_OP_GET|" .. REMOTE }
      t:judging("P30-003")
      from:get { mem_desc = "in-md", target = to }
      t:event("P30-003", from, "answers", { type = "PTL_EVENT_REPLY", mlength = 16 })
      t:octets("P30-003", "what was read in round " .. round, from, "in", "mix/" .. round)
      t:judging("P30-102")
      for _, rank in ipairs { from, to } do
        t:rc("P30-102", rank:PtlNIHandle { handle = "ni1", interface = "of-ni1" }, "PTL_OK")
        t:equal("P30-102", "the interface of ni1 is ni1", rank:same("of-ni1", "ni1"), true)
      end
      t:judging("P30-051")
      local status = t:rc("P30-051", to:PtlNIStatus { interface = "ni1" }, "PTL_OK").status
      t:equal_or_warn("P30-086", "the drop count of the interface when it is opened, round " .. round, status, 0,
        { [round - 1] = "the count of the process goes on: nothing says when it is reset (A104)" })
      from:get { mem_desc = "in-md", target = to, portal = 1 }
      t:drops("P30-051", to, status, 1, nil, "ni1")
      if round < 4 then
        to:ni_fini { interface = "ni1" }
        if not t:opens_again("P30-051", to, { interface = 1, handle = "ni1" }) then return end
      end
    end
  end,
}
