-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- A call that was refused has changed nothing: what stood before it stands after it. (Refused changes of the access
-- control table: 2-concepts/23-access-changes.lua.)

defaults { suite = "return-codes", chapter = "3.7" }

local PUT, GET, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"
local loopback, put, current = Descriptor.loopback, Descriptor.put, Descriptor.current

-- A put is taken by the descriptor of this mark, and the next one too.
local function takes(t, req, rank, mark)
  for _ = 1, 2 do
    put(rank)
    local event = t:event(req, rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40 })
    t:equal(req, "the descriptor that takes the put", event.mem_desc.user_ptr, mark)
  end
end

case {
  id = "refused-attach-keeps-the-descriptor",
  title = "A refused PtlMDAttach leaves the entry its descriptor",
  purpose = "To an entry with a descriptor one is attached that has a length and no start, and one whose queue was freed. The calls are refused, and the first descriptor takes puts as before.",
  requirements = { "P30-176", "P30-184" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 1 }
    rank:eq("dead")
    rank:eq_free { eventq = "dead" }
    for desc, given in each {
      { "nowhere", { start = "null", length = 9, options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 2 } },
      { "queueless", { region = "buf", options = PUT .. "|" .. REMOTE, eventq = "dead", user_ptr = 2 } } } do
      given.name = desc
      rank:md(given)
      local result = rank:PtlMDAttach { mem_desc = desc, handle = "new" }
      t:check("P30-184", "PtlMDAttach of an illegal descriptor is refused", result.rc ~= "PTL_OK", "not PTL_OK",
        result.rc)
      takes(t, "P30-176", rank, 1)
    end
    t:rc("P30-176", rank:PtlMDUnlink {}, "PTL_OK")
  end,
}

case {
  id = "refused-update-keeps-every-member",
  title = "A refused PtlMDUpdate leaves every member of the descriptor as it was",
  purpose = "The new value differs in every member, and is illegal by its start or by a queue that was freed, or is legal while the test queue is a dead one, or holds an event. Afterwards the descriptor reads as before and takes puts as before.",
  requirements = { "P30-205", "P30-210" },
  run = function(t)
    local rank = loopback(t)
    rank:eq("dead")
    rank:eq("other", 4)
    rank:attach { options = PUT .. "|" .. REMOTE, threshold = 40, eventq = "eq", user_ptr = 1 }
    rank:eq_free { eventq = "dead" } -- behind all that is made, so that nothing has got its value
    rank:region("elsewhere", 50)
    rank:md { name = "bad", start = "null", length = 9, options = GET, threshold = 3, eventq = "other", user_ptr = 2 }
    rank:md { name = "good", region = "elsewhere", length = 30, options = GET, threshold = 3, eventq = "other",
      user_ptr = 2 }
    rank:md { name = "queueless", region = "elsewhere", length = 30, options = GET, threshold = 3, eventq = "dead",
      user_ptr = 2 }
    local before = current(t, rank)
    for req, given, code in each {
      { "P30-210", { new = "bad" }, "PTL_ILL_MD" }, { "P30-210", { new = "good", testq = "dead" }, "PTL_INV_EQ" },
      { "P30-210", { new = "queueless" }, "any" }, { "P30-205", { new = "good", testq = "eq" }, "PTL_NOUPDATE" } } do
      t:judging(req)
      local busy = code == "PTL_NOUPDATE"
      if busy then
        put(rank)
        t:flush(rank, rank)
        before.threshold = before.threshold - 1
      end
      local result = rank:PtlMDUpdate(given)
      if code == "any" then
        t:check(req, "PtlMDUpdate to a queue that was freed is refused", result.rc ~= "PTL_OK", "not PTL_OK", result.rc)
      else
        t:rc(req, result, code)
      end
      t:equal(req, "the descriptor after the refused update", current(t, rank), before)
      if busy then t:event(req, rank, "eq", { type = "PTL_EVENT_PUT" }) end
      takes(t, req, rank, 1)
      before.threshold = before.threshold - 2
    end
  end,
}

case {
  id = "refused-insert-keeps-the-list",
  title = "A refused PtlMEInsert or PtlMEAttach leaves the match list as it was",
  purpose = "Beside an entry another one is inserted for a process id of no kind, and beside an entry that is gone; one is attached for a process id of no kind. The calls are refused; the entry takes puts as before, and can be unlinked.",
  requirements = { "P30-118", "P30-125", "P30-127" }, chapter = "3.6",
  run = function(t)
    local rank = loopback(t)
    local nobody = { kind = "kind", number = 99, nid = 1, pid = 1, gid = 1, rid = 1 }
    rank:attach { options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 1 }
    rank:me_insert { current = "me", position = "PTL_INS_AFTER", handle = "gone" }
    rank:me_unlink { entry = "gone" }
    for req, call, given, code in each {
      { "P30-127", "PtlMEInsert", { matchid = nobody, position = "PTL_INS_BEFORE", current = "me" }, "PTL_INV_PROC" },
      { "P30-125", "PtlMEInsert", { position = "PTL_INS_BEFORE", current = "gone" }, "PTL_INV_ME" },
      { "P30-118", "PtlMEAttach", { matchid = nobody }, "PTL_INV_PROC" } } do
      t:judging(req)
      given.handle = "new"
      t:rc(req, rank[call](rank, given), code)
      takes(t, req, rank, 1)
    end
    t:rc("P30-127", rank:PtlMEUnlink {}, "PTL_OK")
  end,
}

case {
  id = "refused-attach-keeps-every-list",
  title = "A refused PtlMEAttach leaves every match list as it was, also that at the index which it names",
  purpose = "Entries stand at the first and at the last portal. PtlMEAttach is called for the index behind the last one, and with an address for the handle that is none. Both entries take puts as before.",
  requirements = { "P30-117", "P30-120" }, chapter = "3.6",
  run = function(t)
    local rank = loopback(t)
    for _, portal in ipairs { 0, 7 } do
      rank:attach { index = portal, me = "me" .. portal, md = "md" .. portal, options = PUT .. "|" .. REMOTE,
        eventq = "eq" }
    end
    local beyond = rank:granted("ptl_size", 8)
    if beyond > 4096 then beyond = rank:largest("ptl_pt_index_t") end
    for req, given, code in each { { "P30-117", { index = beyond }, "PTL_INV_PTINDEX" },
      { "P30-120", { index = 0, handle = "null" }, "PTL_SEGV" },
      { "P30-120", { index = 7, handle = "null" }, "PTL_SEGV" },
      { "P30-120", { index = 0, handle = "null", unlink = "PTL_UNLINK", match_bits = 5 }, "PTL_SEGV" },
      { "P30-120", { index = 7, handle = "null", unlink = "PTL_UNLINK", ignorebits = -1 }, "PTL_SEGV" } } do
      t:judging(req)
      given.handle = given.handle or "new"
      t:rc(req, rank:PtlMEAttach(given), code)
      for _, portal in ipairs { 0, 7 } do
        put(rank, { portal = portal })
        t:event(req, rank, "eq", { type = "PTL_EVENT_PUT", portal = portal })
      end
    end
  end,
}

case {
  id = "refused-init-opens-nothing",
  title = "A refused PtlNIInit neither opens an interface nor changes one that is open",
  purpose = "PtlNIInit without a good address is refused; the next call opens the interface. A second one is refused, or, by a known reading, gives the same handle again; the drop count and an access control entry that were there are there after it.",
  requirements = { "P30-078", "P30-083" }, chapter = "3.5",
  run = function(t)
    local rank = t:init()
    t:judging("P30-083")
    t:rc("P30-083", rank:PtlNIInit { handle = "null" }, "PTL_SEGV")
    t:rc("P30-083", rank:PtlNIInit {}, "PTL_OK")
    rank:eq("eq")
    rank:attach { index = 1, octets = 8, eventq = "eq" }
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    rank:ac_entry { index = 2, matchid = t.any_gid, portal = 1 }
    local before = rank:drop_count()
    rank:put { mem_desc = "void-md", target = rank, portal = 2 }
    t:sanity("a put that nobody takes is counted", rank:wait_drop_count(before + 1) == before + 1)
    t:reading("P30-078", "duplicate_interface", "a second PtlNIInit of an open interface returns",
      rank:PtlNIInit { handle = "again", ptl_size = 1, acl_size = 2 }.rc,
      { { "refuse", "PTL_INIT_DUP" }, { "same_handle", "PTL_OK" } })
    t:equal("P30-078", "the drop count after it", rank:drop_count() - before, 1)
    rank:put { mem_desc = "void-md", target = rank, portal = 1, cookie = 2 }
    t:event("P30-078", rank, "eq", { type = "PTL_EVENT_PUT", portal = 1 })
  end,
}

case {
  id = "refused-status-keeps-the-count",
  title = "A refused PtlNIStatus leaves the drop count as it was",
  purpose = "A put that nobody takes is counted. PtlNIStatus is called for a register that does not exist, and with an address that is none: the count is still one.",
  requirements = { "P30-093" }, chapter = "3.5",
  run = function(t)
    local rank = loopback(t)
    local before = rank:drop_count()
    put(rank, { portal = 3 })
    t:drops("P30-093", rank, before, 1)
    for _, given in ipairs { { register = 999 }, { status = "null" } } do
      t:judging("P30-093")
      local rc = rank:PtlNIStatus(given).rc
      t:equal("P30-093", "the drop count after a call that returned " .. rc, rank:drop_count() - before, 1)
    end
  end,
}

case {
  id = "refused-get-keeps-the-event",
  only = true,
  title = "PtlEQGet and PtlEQWait that are refused leave the event in its queue",
  purpose = "Two events wait in a queue. The calls are refused for an address that is none; the queue still holds both events, in their order.",
  requirements = { "P30-248", "P30-253" }, chapter = "3.8",
  run = function(t)
    local rank = loopback(t)
    rank:attach { options = PUT .. "|" .. REMOTE, ignorebits = -1, eventq = "eq" }
    for req, verb in each { { "P30-248", "PtlEQGet" }, { "P30-253", "PtlEQWait" } } do
      for bits = 1, 2 do put(rank, { match_bits = bits }) end
      t:flush(rank, rank)
      t:judging(req)
      t:rc(req, rank[verb](rank, { event = "null", deadline = 3000 }), "PTL_SEGV")
      t:equal(req, "events that the queue holds after " .. verb .. " was refused", rank:PtlEQCount().count, 2)
      for bits = 1, 2 do t:event(req, rank, "eq", { match_bits = bits }) end
    end
  end,
}

case {
  id = "refused-insert-takes-no-place",
  title = "A refused PtlMEInsert takes no place in the match list",
  purpose = "A list is filled until the library refuses, and one entry is unlinked. PtlMEInsert is refused for a process id of no kind and for an address that is none; then there is place for one entry, and for no more.",
  requirements = { "P30-127" }, chapter = "3.6", deadline = 60,
  run = function(t)
    local rank = loopback(t)
    rank:me_attach { match_bits = 1 }
    local result = rank:batch_for(30000, 200000, { { "PtlMEInsert", { matchid = t.any_gid, match_bits = 2,
      ignorebits = 0, unlink = "PTL_RETAIN", position = "PTL_INS_AFTER", current = "me", handle = "more" } } })
    t:skip_if(result.line == 0, "no limit was met with " .. result.runs .. " entries in one list")
    t:skip_if(result.rc ~= "PTL_ML_TOOLONG", "memory ends before the list does")
    rank:me_unlink { entry = "more" }
    local nobody = { kind = "kind", number = 99, nid = 1, pid = 1, gid = 1, rid = 1 }
    for given, code in each { { { matchid = nobody }, "PTL_INV_PROC" }, { { handle = "null" }, "PTL_SEGV" } } do
      given.current, given.handle = "me", given.handle or "refused"
      t:rc("P30-127", rank:PtlMEInsert(given), code)
    end
    t:rc("P30-127", rank:PtlMEInsert { current = "me", handle = "more" }, "PTL_OK")
    t:sanity("the list is full", rank:PtlMEInsert { current = "me", handle = "beyond" }.rc == "PTL_ML_TOOLONG")
  end,
}

case {
  id = "refused-queue-changes-nothing",
  only = true, -- later revisions have no PtlEQCount; to count events there is to take them
  title = "A refused PtlEQAlloc leaves the queues that are there as they were",
  purpose = "Events wait in a queue. PtlEQAlloc is refused for an address that is none, for an interface that was closed, and, where the memory does not suffice, for the largest size. After each call the queue holds its events and takes another one, and a queue can be made.",
  requirements = { "P30-237" }, chapter = "3.8",
  run = function(t)
    local rank = loopback(t)
    rank:attach { options = PUT .. "|" .. REMOTE, ignorebits = -1, eventq = "eq" }
    local refused = { { { handle = "null" }, "PTL_SEGV" }, { { count = rank:largest("ptl_size_t") }, "PTL_NOSPACE" } }
    if rank:PtlNIInit { interface = 1, handle = "ni1" }.rc == "PTL_OK" then
      t:setup(rank:PtlNIFini { interface = "ni1" })
      if not rank:same("ni1", "ni") then refused[3] = { { interface = "ni1" }, "PTL_INV_NI" } end
    end
    for round, row in ipairs(refused) do
      put(rank, { match_bits = 2 * round })
      t:flush(rank, rank)
      t:judging("P30-237")
      row[1].handle = row[1].handle or "refused"
      local result = rank:PtlEQAlloc(row[1])
      if result.rc ~= "PTL_OK" or row[2] ~= "PTL_NOSPACE" then t:rc("P30-237", result, row[2]) end
      t:equal("P30-237", "events that the queue holds after it", rank:PtlEQCount().count, 1)
      put(rank, { match_bits = 2 * round + 1 })
      for bits = 2 * round, 2 * round + 1 do t:event("P30-237", rank, "eq", { match_bits = bits }) end
      t:rc("P30-237", rank:PtlEQAlloc { count = 4, handle = "next" }, "PTL_OK")
      rank:eq_free { eventq = "next" }
      if result.rc == "PTL_OK" then rank:eq_free { eventq = "refused" } end
    end
  end,
}

case {
  id = "refused-put-is-not-being-sent",
  title = "A put that was refused keeps no descriptor from being updated",
  purpose = "Puts to a rank that is none, to a node that is not there and to wildcards are refused. An update on the condition that the queue of these puts is empty is done, and a put that is taken goes on as ever.",
  requirements = { "P30-204" }, chapter = "3.7.6",
  run = function(t)
    local rank = loopback(t)
    local id, bit = rank.id, rank:id_bit(0x40000000)
    rank:attach { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    -- who takes such a put may try to send it for a while: each has its own descriptor and queue
    for i, target in ipairs { { kind = "gid", gid = id.gid, rid = t.size }, t.any_nid,
      { kind = "nid", nid = id.nid, pid = id.pid ~ bit }, { kind = "nid", nid = id.nid ~ bit, pid = 1 }, rank } do
      local own, sender = "own" .. i, "sender" .. i
      rank:eq(own, 8)
      rank:bind { region = "source" .. i, desc = "sent" .. i, md = sender, eventq = own, user_ptr = 1 }
      local result = rank:PtlPut { mem_desc = sender, target = target }
      if result.rc ~= "PTL_OK" then
        rank:md { name = "value", region = "source" .. i, eventq = own, user_ptr = 2 }
        local updated
        repeat -- an event that tells of the put may come late; an update that is refused without one is wrong
          rank:drain(own)
          updated = rank:PtlMDUpdate { mem_desc = sender, new = "value", testq = own }
        until updated.rc == "PTL_OK" or #rank:collect(own, 1) == 0
        t:rc("P30-204", updated, "PTL_OK")
        rank:put { mem_desc = sender, target = rank }
        t:event("P30-204", rank, "eq", { type = "PTL_EVENT_PUT" })
      end
    end
    t:event("P30-204", rank, "eq", { type = "PTL_EVENT_PUT" })
  end,
}

for flag, other in each { { "PTL_UNLINK", "PTL_RETAIN" }, { "PTL_RETAIN", "PTL_UNLINK" } } do
  case {
    id = "refused-insert-leaves-its-neighbour-" .. (flag == "PTL_UNLINK" and "to-go" or "to-stay"),
    title = "A refused PtlMDInsert leaves the descriptor beside which it was to stand as it is",
    purpose = "A descriptor with " .. flag .. " and a threshold of one. Illegal ones with " .. other
      .. " are to be inserted before and behind it. It takes its put; then it is unlinked only with PTL_UNLINK.",
    requirements = { "P30-191" }, chapter = "3.7.3",
    run = function(t)
      local rank = loopback(t)
      rank:attach { options = PUT, threshold = 1, md_unlink = flag, eventq = "eq", user_ptr = 5 }
      local before = current(t, rank)
      rank:md { name = "nowhere", start = "null", length = 9, options = GET, threshold = 3, eventq = "eq" }
      for _, position in ipairs { "PTL_INS_BEFORE", "PTL_INS_AFTER" } do
        t:rc("P30-191", rank:PtlMDInsert { mem_desc = "nowhere", unlink = other, position = position, current = "md",
          handle = "new" }, "PTL_ILL_MD")
        t:equal("P30-191", "the descriptor beside it", current(t, rank), before)
      end
      put(rank)
      t:event("P30-191", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40 })
      t:flush(rank, rank)
      if flag == "PTL_UNLINK" then
        t:md_unlinked("P30-191", rank)
      else
        t:rc("P30-191", rank:PtlMDUpdate { old = "was" }, "PTL_OK")
      end
    end,
  }
end
