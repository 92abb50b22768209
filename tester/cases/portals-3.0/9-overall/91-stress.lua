-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What only load shows: lists, descriptors and queues that change while requests pour in, big lists, every bit, every
-- alignment at the edge of what may be touched. Nothing here depends on how fast anybody is: whatever interleaving
-- happens, the books must balance, and the order of each sender must stand.

defaults { suite = "stress", chapter = "3.7", deadline = 90, still = { "P32-222", "P33-209" } }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"

-- A put of a batch: bits and offset may contain %i.
local function flood_put(t, to, given)
  return { "PtlPut", { mem_desc = given.mem_desc or "out-md", ack_req = given.ack_req or "PTL_NOACK_REQ",
    target = t.gid(to.id), portal = given.portal or 0, cookie = 0, match_bits = given.match_bits or 0,
    offset = given.offset or 0 } }
end

case {
  id = "stress-descriptors-under-flood",
  only = true,
  title = "Descriptors are inserted and unlinked while two processes flood their entry",
  purpose = "Two ranks put 1000 times each while the target inserts a descriptor before the first one and unlinks it, 400 times. Every put is logged once by one descriptor or the other, in the order of its sender, or counted as dropped.",
  requirements = { "P30-001", "P30-002", "P30-128", "P30-321" }, ranks = 3,
  run = function(t)
    t:open {}
    local to, puts = t.ranks[0], 1000
    local before = to:drop_count()
    to:eq("eq", 2 * puts + 16)
    to:attach { octets = 4096, md = "last-md", options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 1 }
    to:md { name = "front-desc", options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 2 }
    local sending = {}
    for i = 1, 2 do t.ranks[i]:bind { length = 0, md = "out-md" } end
    t:judging("P30-128")
    for i = 1, 2 do sending[i] = t.ranks[i]:start_batch(puts, { flood_put(t, to, { offset = "%i" }) }) end
    local changing = to:start_batch(400, {
      { "PtlMDInsert", { mem_desc = "front-desc", unlink = "PTL_RETAIN", position = "PTL_INS_BEFORE",
        current = "last-md", handle = "front-md" } },
      { "PtlMDUnlink", { mem_desc = "front-md" } },
    })
    t:equal("P30-128", "changes of the list that were made", changing:finish().runs, 400)
    local logged, latest = 0, {}
    for i = 1, 2 do
      t:sanity("all puts were called", sending[i]:finish().runs == puts)
      latest[t.ranks[i].id.rid] = -1
      t:flush(t.ranks[i], to)
    end
    to:drain("eq", function(event)
      local rid = event.initiator.rid
      t:check("P30-002", "the numbers of a sender's puts ascend", event.offset > latest[rid],
        "more than " .. latest[rid], event.offset)
      t:check("P30-128", "a descriptor of the entry logs the put", event.mem_desc.user_ptr == 1
        or event.mem_desc.user_ptr == 2, "1 or 2", event.mem_desc.user_ptr)
      latest[rid], logged = event.offset, logged + 1
    end)
    t:check("P30-001", "no put is logged twice or out of nothing", logged <= 2 * puts, 2 * puts, logged)
    t:equal("P30-321", "logged and dropped puts together", logged + to:drop_count() - before, 2 * puts)
    -- However the flood has met the changes, the list must be what it was.
    to:md_insert { mem_desc = "front-desc", position = "PTL_INS_BEFORE", current = "last-md", handle = "front-md" }
    for _, mark in ipairs { 2, 1 } do
      t.ranks[1]:put { target = to, mem_desc = "out-md" }
      t:equal("P30-128", "the descriptor that takes a put after the flood",
        t:event("P30-128", to, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, mark)
      if mark == 2 then to:md_unlink { mem_desc = "front-md" } end
    end
  end,
}

case {
  id = "stress-update-against-arrivals",
  title = "A conditional update is done before a message or after it, never in the middle of it",
  purpose = "A peer puts, at first without pause and then with longer ones, until 60 updates have been done meanwhile. The target gives its descriptor a new mark, on condition that the queue is empty. Once that has been done no event with an older mark may come: it would have been logged between test and update.",
  requirements = { "P30-204", "P30-205", "P30-209" }, ranks = 2,
  run = function(t)
    t:open {}
    local from, to, wanted = t.ranks[0], t.ranks[1], 60
    to:eq("eq", 4096) -- more than all puts need
    to:attach { octets = 8192, options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 0 }
    from:bind { length = 0, md = "out-md" }
    t:judging("P30-209")
    local line, mark = flood_put(t, to, { offset = "%i" }), 0
    local function note(event)
      t:equal("P30-209", "the mark of an event behind an update", event.mem_desc.user_ptr, mark)
    end
    local function update()
      to:drain("eq", note)
      to:md { name = "marked", region = "buf", options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = mark + 1 }
      local rc = to:PtlMDUpdate { new = "marked", testq = "eq" }.rc
      if rc == "PTL_OK" then
        t:equal("P30-204", "the code of an update that was done", rc, "PTL_OK")
        mark = mark + 1
      else
        t:equal("P30-205", "the code of an update that was not done", rc, "PTL_NOUPDATE")
      end
    end
    -- While messages come too quickly for this machine the queue is never empty: an update that is done behind the last
    -- of them shows nothing.
    for pause, count in each { { 1, 600 }, { 5, 200 }, { 20, 100 }, { 60, 60 } } do
      local sending = from:start_batch(count, { line, line, { "pause", { ms = pause } } })
      repeat update() until sending:done() or mark >= wanted
      t:sanity("all puts were called", sending:finish().runs == count)
      t:flush(from, to)
      to:drain("eq", note)
      if mark >= wanted then break end
    end
    while mark < wanted do update() end
    from:put { mem_desc = "out-md", target = to }
    t:flush(from, to)
    t:rc("P30-205", to:PtlMDUpdate { new = "marked", testq = "eq" }, "PTL_NOUPDATE")
    note(to:wait("eq").event)
  end,
}

case {
  id = "stress-update-is-whole",
  title = "An update changes all of a descriptor at once",
  purpose = "Two values of a descriptor, each with a region and a mark of its own, are exchanged 3000 times while a peer puts. Every event must show one of the two as a whole, and the data must lie in the regions alone.",
  requirements = { "P30-140", "P30-203", "P30-209", "P30-234" }, ranks = 2,
  run = function(t)
    t:open {}
    local from, to, puts = t.ranks[0], t.ranks[1], 1500
    local before = to:drop_count()
    to:eq("eq", puts + 16)
    to:region("guarded", 4 * 256)
    to:fill("guarded", "byte/85")
    to:attach { start = "guarded+256", length = 100, options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 1 }
    local places = { { 256, 100 }, { 600, 61 } }
    for i, place in ipairs(places) do
      to:md { name = "value" .. i, start = "guarded+" .. place[1], length = place[2], options = PUT .. "|" .. REMOTE
        .. "|" .. TRUNCATE, eventq = "eq", user_ptr = i }
    end
    to:md_update { new = "value1" }
    from:bind { region = "out", octets = 100, fill = "mix/3", md = "out-md" }
    t:judging("P30-209")
    local line = flood_put(t, to, {})
    local sending = from:start_batch(puts // 5, { line, line, line, line, line, { "pause", { ms = 1 } } })
    local changing = to:start_batch(3000, {
      { "PtlMDUpdate", { mem_desc = "md", old = "null", new = "value2", testq = "none" } },
      { "PtlMDUpdate", { mem_desc = "md", old = "null", new = "value1", testq = "none" } },
    })
    t:equal("P30-203", "updates that were made", changing:finish().runs, 3000)
    t:sanity("all puts were called", sending:finish().runs == puts // 5)
    t:flush(from, to)
    local logged = #to:drain("eq", function(event)
      local i = event.mem_desc.user_ptr
      t:check("P30-209", "the mark of an event", places[i] ~= nil, "1 or 2", i)
      t:equal("P30-209", "the region that belongs to the mark", event.mem_desc.start, "guarded+" .. places[i][1])
      t:equal("P30-209", "the length that belongs to the mark", event.mem_desc.length, places[i][2])
      t:equal("P30-234", "the length in the copy, which the put has filled", event.mem_desc.length, event.mlength)
    end)
    t:equal("P30-203", "logged and dropped puts together", logged + to:drop_count() - before, puts)
    local from_octet = 0
    for _, place in ipairs { places[1], places[2], { 1024, 0 } } do
      t:octets("P30-140", "the octets before the region at " .. place[1], to, "guarded", "byte/85", from_octet,
        place[1] - from_octet)
      from_octet = place[1] + place[2]
    end
  end,
}

case {
  id = "stress-queue-overflow",
  title = "A queue that is full under load refuses requests, and the events that it holds are complete and in order",
  purpose = "A peer puts 600 times with acknowledgements while the target fetches events from a queue of 16 in bursts. Accepted and refused puts add up; there is an acknowledgement for each that was accepted and for no other.",
  requirements = { "P30-171", "P30-245", "P30-326", "P30-329" }, chapter = "4.2", ranks = 2,
  run = function(t)
    t:open {}
    local from, to, puts = t.ranks[0], t.ranks[1], 600
    local before = to:drop_count()
    to:eq("tiny", 16)
    to:attach { octets = 4096, options = PUT .. "|" .. REMOTE, eventq = "tiny" }
    from:eq("eq", 4 * puts)
    from:bind { length = 0, md = "out-md", eventq = "eq" }
    t:judging("P30-326")
    local sending = from:start_batch(puts, { flood_put(t, to, { ack_req = "PTL_ACK_REQ", match_bits = 0,
      offset = "%i" }) })
    local accepted, latest, overwritten = 0, -1, false
    local function note(event)
      overwritten = overwritten or event.rc == "PTL_EQ_DROPPED"
      t:check("P30-245", "the numbers of the puts ascend", event.offset > latest, "more than " .. latest, event.offset)
      latest, accepted = event.offset, accepted + 1
    end
    repeat
      to:drain("tiny", note)
    until sending:done()
    t:sanity("all puts were called", sending:finish().runs == puts)
    t:flush(from, to)
    to:drain("tiny", note)
    if overwritten then
      t:reading("P30-326", "full_queue", "a full queue", "overwrites",
        { { "refuse", "refuses" }, { "overwrite", "overwrites" } })
    end
    local dropped = to:drop_count() - before
    if not overwritten then
      t:equal("P30-326", "accepted and refused puts together", accepted + dropped, puts)
    end
    local acks, sent = {}, 0
    while #acks + sent < 2 * puts - dropped do
      local result = from:wait("eq")
      t:check("P30-171", "the events of the initiator come", result.event ~= nil, 2 * puts - dropped, #acks + sent)
      if result.event.type == "PTL_EVENT_ACK" then
        acks[#acks + 1] = result.event.offset
      else
        sent = sent + 1
      end
    end
    t:equal("P30-171", "acknowledgements", #acks, puts - dropped)
    t:equal("P30-329", "events that are left", from:PtlEQCount().count, 0)
  end,
}

case {
  id = "stress-thousands-of-entries",
  title = "Among two thousand entries each request finds its match",
  purpose = "Entries that differ in their bits alone, each with a descriptor for one octet of a region; two thousand puts, one for each, in an order of their own. No entry may take another's, none may be lost, and a request for which there is no entry is dropped.",
  requirements = { "P30-015", "P30-018", "P30-112" }, chapter = "3.6", ranks = 2, deadline = 60,
  run = function(t)
    t:open {}
    local from, to, count = t.ranks[0], t.ranks[1], 2000
    local before = to:drop_count()
    to:eq("eq", count + 16)
    to:region("buf", count)
    to:me_attach { match_bits = -1, handle = "head" }
    t:judging("P30-018")
    local built = to:batch(count, {
      { "PtlMEInsert", { matchid = t.any_gid, match_bits = "%I", ignorebits = 0, unlink = "PTL_RETAIN",
        position = "PTL_INS_AFTER", current = "head", handle = "entry" } },
      { "md", { name = "one", start = "buf+%i", length = 1, threshold = "inf", options = PUT .. "|" .. REMOTE,
        user_ptr = "%I", eventq = "eq" } },
      { "PtlMDAttach", { match = "entry", mem_desc = "one", unlink = "PTL_RETAIN", handle = "one-md" } },
    })
    t:within_limits(built, "PtlMEInsert", count)
    t:equal("P30-018", "entries that were made", built.runs, count)
    from:bind { region = "out", octets = 1, fill = "byte/1", md = "out-md" }
    local commands = {}
    local latest = 0
    for bits = 0, count - 1 do
      latest = (latest + 1237) % count -- 1237 and 2000 have no common factor: each number once
      commands[#commands + 1] = flood_put(t, to, { match_bits = latest })
      if #commands == 64 or bits == count - 1 then
        t:sanity("all puts were called", from:batch(1, commands).line == 0)
        commands = {}
      end
    end
    t:flush(from, to)
    local wanted, found = 0, 0
    to:drain("eq", function(event)
      wanted = (wanted + 1237) % count
      found = found + 1
      t:equal("P30-112", "bits of event " .. found, event.match_bits, wanted)
      t:equal("P30-018", "the entry that took bits " .. wanted, event.mem_desc.user_ptr, wanted)
    end)
    t:equal("P30-018", "requests that were taken", found, count)
    t:octets("P30-018", "the octets of all descriptors", to, "buf", "byte/1")
    from:put { mem_desc = "out-md", target = to, match_bits = count }
    t:drops("P30-112", to, before, 1)
    to:add_md { me = "head", md = "head-md", start = "buf", length = 1, options = PUT .. "|" .. REMOTE, eventq = "eq",
      user_ptr = 9999 }
    from:put { mem_desc = "out-md", target = to, match_bits = -1 }
    t:equal("P30-015", "the entry that the list begins with", t:event("P30-015", to, "eq",
      { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, 9999)
  end,
}

case {
  id = "stress-each-ignored-bit",
  title = "Each of the 64 bits can be ignored by itself",
  purpose = "For each position: an entry that ignores this bit alone takes requests with and without it, and none in which the next bit is wrong too.",
  requirements = { "P30-111", "P30-112" }, chapter = "3.6",
  run = function(t)
    t:open {}
    local rank, pattern = t.ranks[0], 0x5a3cf00fc3a55aa5
    rank:eq("eq", 64)
    rank:bind { octets = 8, length = 0, md = "out-md" }
    for bit = 0, 63 do
      local one, other = 1 << bit, 1 << ((bit + 1) % 64)
      rank:attach { match_bits = pattern & ~one, ignorebits = one, options = PUT .. "|" .. REMOTE, eventq = "eq" }
      local before = rank:drop_count()
      for _, bits in ipairs { pattern, pattern ~ one, pattern ~ other, pattern ~ one ~ other, pattern } do
        rank:put { mem_desc = "out-md", target = rank, match_bits = bits }
      end
      t:event("P30-111", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = pattern })
      t:event("P30-111", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = pattern ~ one })
      t:event("P30-112", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = pattern })
      t:equal("P30-112", "requests that were refused for another bit than " .. bit, rank:drop_count() - before, 2)
    end
  end,
}

case {
  id = "stress-guarded-lengths",
  title = "Regions of every alignment may begin and end at the edge of accessible memory",
  purpose = "Regions of 1 to 4097 octets right before and right behind a page that cannot be touched: filled by a put that is one octet too long, read by a get that wants one more, put from as a whole and got into as a whole.",
  requirements = { "P30-138", "P30-139", "P30-140" }, ranks = 2, features = { "guard" },
  run = function(t)
    local from, to = t:open {}
    for _, rank in ipairs { from, to } do rank:eq("eq") end
    t:judging("P30-140")
    for i, length in ipairs { 1, 3, 8, 63, 4095, 4097 } do
      for _, guard in ipairs { "after", "before" } do
        local name = guard .. length
        to:region(name, length, { guard = guard })
        to:attach { region = name, eventq = "eq", options = PUT .. "|" .. GET .. "|" .. REMOTE .. "|" .. TRUNCATE }
        from:region("long-" .. name, length + 1, { guard = guard, fill = "mix/" .. i })
        from:bind { region = "long-" .. name, md = "long-md", eventq = "eq" }
        from:put { mem_desc = "long-md", target = to }
        t:event("P30-140", to, "eq", { type = "PTL_EVENT_PUT", rlength = length + 1, mlength = length })
        t:octets("P30-139", "a region of " .. length .. " octets, page " .. guard, to, name, "mix/" .. i)
        t:sanity("the sent event comes", from:wait("eq").event ~= nil)
        from:fill("long-" .. name, "byte/0")
        from:get { mem_desc = "long-md", target = to }
        t:event("P30-140", to, "eq", { type = "PTL_EVENT_GET", rlength = length + 1, mlength = length })
        t:event("P30-138", from, "eq", { type = "PTL_EVENT_REPLY", mlength = length })
        t:octets("P30-138", "what the get brought", from, "long-" .. name, "mix/" .. i, 0, length)
        t:octets("P30-140", "the octet behind it", from, "long-" .. name, "byte/0", length, 1)
        from:md_unlink { mem_desc = "long-md" }
      end
    end
  end,
}

case {
  id = "stress-two-interfaces",
  title = "Two interfaces carry traffic at once without mixing it",
  purpose = "Two ranks put 300 times each way and on each interface through the same portal with the same bits. Every event comes to a queue of the interface that the put took, the orders stand, and what has no entry on one interface is counted there alone.",
  requirements = { "P30-002", "P30-051", "P30-074" }, chapter = "3.5", ranks = 2,
  run = function(t)
    t:open {}
    for i = 0, 1 do t.ranks[i]:ni_init { interface = 1, handle = "ni1" } end
    local names, puts = { "ni", "ni1" }, 300
    for i = 0, 1 do
      local rank = t.ranks[i]
      rank:region("buf", 1024)
      rank:told_by_starts()
      for n, ni in ipairs(names) do
        rank:eq_alloc { interface = ni, handle = ni .. "-eq", count = puts + 16 }
        rank:attach { interface = ni, me = ni .. "-me", md = ni .. "-md", options = PUT .. "|" .. REMOTE,
          eventq = ni .. "-eq", user_ptr = n }
        rank:bind { interface = ni, length = 0, md = ni .. "-out" }
      end
    end
    t:judging("P30-074")
    local sending, before = {}, {}
    for i = 0, 1 do before[i] = { t.ranks[i]:drop_count("ni"), t.ranks[i]:drop_count("ni1") } end
    for i = 0, 1 do
      sending[i] = t.ranks[i]:start_batch(puts, {
        flood_put(t, t.ranks[1 - i], { mem_desc = "ni-out", offset = "%i" }),
        flood_put(t, t.ranks[1 - i], { mem_desc = "ni1-out", offset = "%i" }),
        flood_put(t, t.ranks[1 - i], { mem_desc = "ni1-out", portal = 3 }),
      })
    end
    for i = 0, 1 do t:sanity("all puts were called", sending[i]:finish().runs == puts) end
    for i = 0, 1 do
      local rank = t.ranks[i]
      t:equal("P30-051", "requests dropped on the second interface",
        rank:wait_drop_count(before[i][2] + puts, 20000, "ni1") - before[i][2], puts)
      for n, ni in ipairs(names) do
        for number = 0, puts - 1 do
          local event = number % 100 == 0 and t:event("P30-074", rank, ni .. "-eq", { type = "PTL_EVENT_PUT" })
            or rank:wait(ni .. "-eq").event
          t:equal("P30-002", "number of the put on " .. ni, event and event.offset, number)
          t:equal("P30-074", "the descriptor that took it", event.mem_desc.user_ptr, n)
        end
      end
      t:equal("P30-051", "requests dropped on the first interface", rank:drop_count("ni") - before[i][1], 0)
    end
  end,
}

case {
  id = "stress-threads-put",
  title = "Several threads put at once, each with a descriptor of its own",
  purpose = "Three threads of one process put 200 times each with acknowledgements while another process sends to them. Each thread's puts arrive in their order, once, and each has its PTL_EVENT_SENT and PTL_EVENT_ACK.",
  requirements = { "P30-001", "P30-002", "P30-222" }, chapter = "3.10", ranks = 2, features = { "threads" },
  deadline = 90,
  run = function(t)
    t:open {}
    local from, to, puts, threads = t.ranks[0], t.ranks[1], 200, { "alpha", "beta", "gamma" }
    to:eq("eq", 3 * puts + 16)
    to:attach { octets = 1024, ignorebits = -1, options = PUT .. "|" .. REMOTE, eventq = "eq" }
    to:told_by_starts()
    from:region("src", 64, { fill = "mix/1" })
    local sending = {}
    for i, name in ipairs(threads) do
      from:thread(name)
      from:eq(name .. "-eq", 2 * puts + 16)
      from:bind { desc = name .. "-desc", region = "src", md = name .. "-md", eventq = name .. "-eq" }
    end
    for i, name in ipairs(threads) do
      sending[i] = from:start_batch(puts, { flood_put(t, to, { mem_desc = name .. "-md", ack_req = "PTL_ACK_REQ",
        match_bits = i, offset = "%i" }) }, { thread = name })
    end
    for i = 1, #threads do
      t:sanity("all puts of the thread were called", sending[i]:finish().runs == puts)
    end
    for i, name in ipairs(threads) do
      local seen = {}
      for _ = 1, 2 * puts do
        local event = from:wait(name .. "-eq", 20000).event
        t:check("P30-222", "the events of thread " .. name .. " come", event ~= nil, 2 * puts, seen)
        seen[event.type] = (seen[event.type] or 0) + 1
      end
      t:equal("P30-222", "events of thread " .. name, seen, { PTL_EVENT_SENT = puts, PTL_EVENT_ACK = puts })
    end
    local nexts = { 0, 0, 0 }
    local count = #to:drain("eq", function(event)
      t:equal("P30-002", "number of the put of thread " .. event.match_bits, event.offset, nexts[event.match_bits])
      nexts[event.match_bits] = nexts[event.match_bits] + 1
    end)
    t:equal("P30-001", "puts that arrived", count, 3 * puts)
    for _, name in ipairs(threads) do from:join(name) end
  end,
}

case {
  id = "stress-thread-waits-others-work",
  title = "While one thread waits in PtlEQWait every other call returns, and the event wakes it",
  purpose = "A thread waits on an empty queue. The main thread makes, changes and unlinks objects, puts and gets, none of which may wait for the waiter; then it puts what the thread waits for. A second waiter is released with PTL_INV_EQ when its queue is freed.",
  requirements = { "P30-249", "P30-250", "P30-254" }, chapter = "3.8", features = { "threads" },
  run = function(t)
    local rank = t:open {}
    rank:eq("waited-eq")
    rank:eq("eq")
    rank:region("buf", 64)
    rank:attach { index = 1, me = "waited-me", md = "waited-md", options = PUT .. "|" .. REMOTE, eventq = "waited-eq" }
    rank:thread("waiter")
    t:judging("P30-254")
    local waiting = rank:start_PtlEQWait { eventq = "waited-eq", thread = "waiter", deadline = 25000 }
    rank:attach { options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq", deadline = 5000 }
    rank:bind { md = "out-md", eventq = "eq" }
    t:rc("P30-254", rank:PtlPut { mem_desc = "out-md", target = rank, deadline = 5000 }, "PTL_OK")
    t:rc("P30-254", rank:PtlGet { mem_desc = "out-md", target = rank, deadline = 5000 }, "PTL_OK")
    t:equal("P30-254", "events of a put and a get to itself", #rank:collect("eq", 4), 4)
    t:rc("P30-254", rank:PtlMDUpdate { old = "was", deadline = 5000 }, "PTL_OK")
    t:rc("P30-254", rank:PtlMEUnlink { deadline = 5000 }, "PTL_OK")
    t:rc("P30-254", rank:PtlNIStatus { deadline = 5000 }, "PTL_OK")
    rank:count_events("eq") -- a known reading logs that the get was sent, and may do so late: P30-223
    t:rc("P30-254", rank:PtlEQGet { deadline = 5000 }, "PTL_EQ_EMPTY")
    t:check("P30-249", "the thread still waits", not waiting:done(), "waiting", "returned")
    t:judging("P30-249")
    rank:put { mem_desc = "out-md", target = rank, portal = 1, match_bits = 0 }
    local result = waiting:finish()
    t:rc("P30-249", result, "PTL_OK")
    t:equal("P30-250", "the event that woke it", { result.event.type, result.event.portal }, { "PTL_EVENT_PUT", 1 })
    waiting = rank:start_PtlEQWait { eventq = "waited-eq", thread = "waiter", deadline = 20000 }
    rank:pause(20) -- lets the thread reach its wait; should it not, PTL_INV_EQ is right as well
    rank:eq_free { eventq = "waited-eq" }
    t:rc("P30-249", waiting:finish(), "PTL_INV_EQ")
    rank:join("waiter")
  end,
}

-- The process that dies is played by a peer: a launcher may end the whole job when one of its ranks ends.
case {
  id = "stress-peer-dies-in-transfer",
  title = "A process that ends in the middle of transfers does not delay the others",
  purpose = "A peer does not read while rank 0 puts 24 MiB to it and asks for as much, twice; it has sent the beginning of a reply when its connection breaks, and it does not listen any more. All later calls return, the ranks still reach each other, what was cut off gives no event, and the interfaces close.",
  requirements = { "P30-087", "P30-219", "P30-254" }, chapter = "3.8", ranks = 2, wire = true,
  run = function(t)
    t:open { acl_size = 4 }
    local rank, other, peer = t.ranks[0], t.ranks[1], t:peer {}
    local octets, target = 24 << 20, t.nid(peer.id)
    for _, each in ipairs { rank, other } do
      each:ac_entry { index = 2, matchid = t.any_nid, portal = "any" }
      each:eq("eq", 64)
      each:attach { octets = 4096, matchid = t.any_nid, options = PUT .. "|" .. REMOTE, eventq = "eq" }
      each:bind { length = 0, md = "out-md" }
    end
    rank:eq("big-eq", 64)
    rank:bind { region = "big", octets = octets, md = "big-md", eventq = "big-eq" }
    rank:put { mem_desc = "out-md", target = target }
    local stream = t:accept(peer)
    t:sanity("the first put arrives", stream:receive() ~= nil)
    t:judging("P30-254")
    t:rc("P30-254", rank:PtlGet { mem_desc = "big-md", target = target, deadline = 5000 }, "PTL_OK")
    local get = stream:receive()
    t:sanity("the get arrives", get and get.operation == "get")
    stream:stop_reading()
    for _ = 1, 2 do
      t:rc("P30-254", rank:PtlPut { mem_desc = "big-md", target = target, deadline = 5000 }, "PTL_OK")
      t:rc("P30-254", rank:PtlGet { mem_desc = "big-md", target = target, deadline = 5000 }, "PTL_OK")
    end
    local reply = t:encode { operation = "reply", initiator = peer.id, target = rank.id, portal = get.portal,
      match_bits = get.match_bits, offset = get.offset, md = get.md, length = octets, data = t.mix(1, 4096) }
    stream:send_raw(reply)
    stream:reset()
    for _ = 1, 3 do
      t:rc("P30-254", rank:PtlPut { mem_desc = "out-md", target = target, deadline = 10000 }, "PTL_OK")
    end
    for i, each in ipairs { rank, other } do
      local to = i == 1 and other or rank
      each:put { mem_desc = "out-md", target = to }
      t:event("P30-254", to, "eq", { type = "PTL_EVENT_PUT", initiator = each.id })
    end
    local replies = 0
    for _, event in ipairs((rank:collect("big-eq", 8, 0))) do
      replies = replies + (event.type == "PTL_EVENT_REPLY" and 1 or 0)
    end
    t:equal("P30-219", "replies that came", replies, 0)
    t:judging("P30-087")
    for _, each in ipairs { rank, other } do
      t:rc("P30-087", each:PtlNIFini { deadline = 20000 }, "PTL_OK")
    end
  end,
}
