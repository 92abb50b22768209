-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.8: waiting for several queues, and queues for no event.

defaults { suite = "polling", chapter = "3.8" }

-- A rank with three queues and a portal for each of them, to which it puts.
local function three(t, count)
  local rank, other = t:open {}
  rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
  for i = 0, 2 do
    rank:eq("eq" .. i, count or 16)
    rank:attach { index = i, me = "me" .. i, md = "md" .. i, desc = "desc" .. i, region = "buf" .. i, octets = 8,
      options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE|PTL_MD_EVENT_START_DISABLE", eventq = "eq" .. i }
  end
  return rank, other
end

local ALL <const> = "eq0,eq1,eq2"

case {
  id = "poll-tells-which",
  title = "PtlEQPoll tells which queue the event comes from",
  purpose = "A put is logged in each of three queues in turn, also where the call is given them in another order, or two of them only.",
  requirements = { "P33-368" },
  run = function(t)
    local rank = three(t)
    for _, i in ipairs { 1, 0, 2, 1 } do
      rank:put { mem_desc = "out-md", target = rank, portal = i }
      local result = t:rc("P33-368", rank:PtlEQPoll { queues = ALL, timeout = 5000 }, "PTL_OK")
      t:equal("P33-368", "the queue", result.which, i)
      t:equal("P33-368", "the portal of the event", result.event.portal, i)
      t:equal("P33-368", "the event", result.event.type, "PTL_EVENT_PUT_END")
    end
    for queues, places in each { { "eq2,eq0,eq1", { [0] = 1, 2, 0 } }, { "eq2,eq1", { [1] = 1, [2] = 0 } } } do
      for portal, place in pairs(places) do
        rank:put { mem_desc = "out-md", target = rank, portal = portal }
        local result = t:rc("P33-368", rank:PtlEQPoll { queues = queues, timeout = 5000 }, "PTL_OK")
        t:equal("P33-368", "the place in " .. queues .. " of queue " .. portal, result.which, place)
        t:equal("P33-368", "the portal of the event", result.event.portal, portal)
      end
    end
  end,
}

for name, timeout, late in each { { "soon", 20000, 300 }, { "late", 20000, 3000 },
    { "without-end", "forever", 1500 } } do
  case {
    id = "poll-waits-" .. name,
    title = "PtlEQPoll waits as long as it is told for an event that comes late",
    purpose = "Another process puts while the call waits for three empty queues; it returns with that event, and not before.",
    requirements = { "P33-368" }, ranks = 2,
    run = function(t)
      local rank, from = three(t)
      from:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
      local waiting = rank:start_PtlEQPoll { queues = ALL, timeout = timeout, deadline = late + 17000 }
      from:pause(late)
      t:check("P33-368", "it waits while nothing comes", not waiting:done(), "waiting", "returned")
      from:put { mem_desc = "out-md", target = rank, portal = 2 }
      local result = t:rc("P33-368", waiting:finish(), "PTL_OK")
      t:equal("P33-368", "the queue", result.which, 2)
      t:equal("P33-368", "the event", result.event.type, "PTL_EVENT_PUT_END")
    end,
  }
end

for timeout in each { { 100000 }, { 4294968 }, { 2147483647 }, { 2147483648 }, { 4294967000 } } do
  case {
    id = "poll-for-weeks-" .. timeout,
    title = "PtlEQPoll does not return from a long wait before an event comes",
    purpose = "A process waits up to " .. timeout .. " ms for three empty queues, and another one puts after a while.",
    requirements = { "P33-369", "P33-368" }, ranks = 2,
    run = function(t)
      local rank, from = three(t)
      from:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
      local waiting = rank:start_PtlEQPoll { queues = ALL, timeout = timeout, deadline = 17000 }
      from:pause(300)
      if waiting:done() then -- it has returned, or its type of a time does not hold so many
        t:check("P33-369", "it waits while nothing comes", false, "waiting", waiting:finish().rc)
      end
      from:put { mem_desc = "out-md", target = rank, portal = 1 }
      local result = t:rc("P33-369", waiting:finish(), "PTL_OK")
      t:equal("P33-368", "the queue", result.which, 1)
    end,
  }
end

for timeout in each { { 0 }, { 30 }, { 1000 } } do
  case {
    id = "poll-in-vain-" .. timeout,
    title = "PtlEQPoll returns when no event has come in time",
    purpose = "Three empty queues, then one, twice each; no call takes seconds longer than it was given, nor a tenth less.",
    requirements = { "P33-369" },
    run = function(t)
      local rank = three(t)
      for _, queues in ipairs { ALL, "eq0", ALL, "eq0" } do
        local begun, lost = core.now(), core.host_lost()
        t:rc("P33-369", rank:PtlEQPoll { queues = queues, timeout = timeout }, "PTL_EQ_EMPTY")
        local whole = core.now() - begun
        local took = whole - (core.host_lost() - lost)
        t:check("P33-369", "the call took no less than nine tenths of " .. timeout .. " ms",
          10 * whole >= 9 * timeout - 100, "all of its time", whole .. " ms")
        t:check("P33-369", "the call took about " .. timeout .. " ms", took < timeout + 3000, "3 s more at most",
          took .. " ms")
      end
    end,
  }
end

case {
  id = "poll-in-passing",
  title = "PtlEQPoll for no time returns at once, however many queues it is given",
  purpose = "Three empty queues, then two, then one, twenty times each without any time: each twenty calls end within three seconds.",
  requirements = { "P33-369" },
  run = function(t)
    local rank = three(t)
    for _, queues in ipairs { ALL, "eq2,eq1", "eq0" } do
      local begun, lost = core.now(), core.host_lost()
      for _ = 1, 20 do
        t:rc("P33-369", rank:PtlEQPoll { queues = queues, timeout = 0 }, "PTL_EQ_EMPTY")
      end
      local took = core.now() - begun - (core.host_lost() - lost)
      t:check("P33-369", "twenty calls for no time with " .. queues, took < 3000, "within 3 s", took .. " ms")
    end
  end,
}

case {
  id = "poll-fair",
  title = "Every queue has its turn",
  purpose = "Eight events in each of three queues; all of them come out, and the last queue need not wait until the first is empty.",
  requirements = { "P33-370" },
  run = function(t)
    local rank = three(t)
    for i = 0, 2 do
      for _ = 1, 8 do rank:put { mem_desc = "out-md", target = rank, portal = i } end
    end
    t:flush(rank, rank)
    local turns = {}
    for k = 1, 24 do
      local result = rank:PtlEQPoll { queues = ALL, timeout = 5000 }
      t:sanity("event " .. k .. " comes", result.rc == "PTL_OK")
      turns[k] = result.which
    end
    local first = 24
    for k, which in ipairs(turns) do
      if which == 2 then first = math.min(first, k) end
    end
    t:should("P33-370", "the last queue has its turn before the first two are empty", first <= 16, true)
  end,
}

case {
  id = "poll-tells-a-loss",
  title = "PtlEQPoll tells of lost events",
  purpose = "The second of three queues is for two events and gets those of eight puts: all that is left is taken out by PtlEQPoll, and one call tells of the loss.",
  requirements = { "P33-356" },
  run = function(t)
    local rank = three(t, 2)
    local function put(times)
      for _ = 1, times do rank:put { mem_desc = "out-md", target = rank, portal = 1 } end
      t:flush(rank, rank)
    end
    local told, count = 0, 0
    local function poll()
      local result
      repeat
        result = rank:PtlEQPoll { queues = ALL, timeout = 0 }
        count = count + (result.event and 1 or 0)
        told = told + (result.rc == "PTL_EQ_DROPPED" and 1 or 0)
      until not result.event or count > 8
    end
    put(8)
    poll()
    t:check("P33-356", "some events are left", count > 0, "some", count)
    if count < 8 then
      if told == 0 then -- the first event behind a loss may tell of it
        put(1)
        poll()
      end
      t:equal("P33-356", "calls that tell of the loss", told, 1)
    end
  end,
}

case {
  id = "poll-no-queue",
  title = "PtlEQPoll refuses a list with a handle that is no queue",
  purpose = "The last of three handles is PTL_EQ_NONE, then each in turn one that has been freed while the first queue has an event, and the last one has. No call takes one of these out.",
  requirements = { "P33-371" },
  run = function(t)
    local rank = three(t)
    t:rc("P33-371", rank:PtlEQPoll { queues = "eq0,eq1,none" }, "PTL_INV_EQ")
    for _, portal in ipairs { 0, 2 } do rank:put { mem_desc = "out-md", target = rank, portal = portal } end
    t:flush(rank, rank)
    rank:eq("gone") -- last, so that nothing that lives has its handle again
    rank:eq_free { eventq = "gone" }
    for _, queues in ipairs { "eq0,eq1,gone", "eq0,gone,eq2", "gone,eq1,eq2" } do
      for _ = 1, 3 do t:rc("P33-371", rank:PtlEQPoll { queues = queues }, "PTL_INV_EQ") end
    end
    for i, wanted in ipairs { 1, 0, 1 } do
      t:equal("P33-371", "events that are left in queue " .. i - 1, #rank:drain("eq" .. i - 1), wanted)
    end
  end,
}

case {
  id = "queue-for-nothing",
  title = "A queue for no event is none",
  purpose = "PtlEQAlloc with a count of zero: another descriptor may name what it gives, or it is refused.",
  suite = "events", chapter = "3.8.3", requirements = { "P33-380" },
  run = function(t)
    local rank = t:open {}
    local result = rank:PtlEQAlloc { count = 0 }
    t:check("P33-380", "PtlEQAlloc with a count of zero", result.rc == "PTL_OK" or result.rc == "PTL_NOSPACE"
      or result.rc == "PTL_FAIL", "PTL_OK, or a refusal", result.rc)
    if result.rc == "PTL_OK" then
      rank:region("out", 16)
      rank:md { region = "out", eventq = "eq" }
      t:rc("P33-380", rank:PtlMDBind { handle = "out-md" }, "PTL_OK")
      t:rc("P33-380", rank:put { mem_desc = "out-md", target = rank }, "PTL_OK")
    end
  end,
}

case {
  id = "queue-for-nothing-of-no-interface",
  title = "A queue for no event is asked for as every other",
  purpose = "PtlEQAlloc with counts of four and zero: with a handle that is no interface's, an address that is none, and the handle of the interface when it is closed. Who refuses a count of zero may say so first.",
  suite = "events", chapter = "3.8.3", requirements = { "P33-237" },
  run = function(t)
    local rank = t:open {}
    rank:eq("eq")
    local takes_none = rank:PtlEQAlloc { count = 0, handle = "nothing" }.rc == "PTL_OK"
    local function refused(count, code, arguments)
      arguments.count = count
      if count == 0 and not takes_none then
        local rc = rank:PtlEQAlloc(arguments).rc
        t:check("P33-237", "PtlEQAlloc with a count of zero and a wrong argument", rc ~= "PTL_OK", "a refusal", rc)
      else
        t:rc("P33-237", rank:PtlEQAlloc(arguments), code)
      end
    end
    for _, count in ipairs { 4, 0 } do
      if not rank:same("eq", "ni") then -- handles of two types may be alike
        refused(count, "PTL_INV_NI", { interface = "eq", handle = "other" })
      end
      refused(count, "PTL_SEGV", { handle = "null" })
    end
    t:rc("P33-237", rank:PtlNIFini {}, "PTL_OK")
    for _, count in ipairs { 4, 0 } do refused(count, "PTL_INV_NI", { handle = "late" }) end
  end,
}

case {
  id = "poll-tells-where-a-loss-is",
  title = "PtlEQPoll tells the queue of an event that comes behind a loss",
  purpose = "Of three queues first the last, then the second and the first one are for two events and get those of eight puts, and again, behind up to two calls in vain. Whatever PtlEQPoll delivers, with PTL_OK or PTL_EQ_DROPPED, is an event of the queue that it names.",
  requirements = { "P33-368" },
  run = function(t)
    local rank = three(t, 2)
    for round = 0, 8 do
      local portal = 2 - round % 3
      for _ = 1, round // 3 do rank:PtlEQPoll { queues = ALL, timeout = 0 } end
      for _ = 1, 8 do rank:put { mem_desc = "out-md", target = rank, portal = portal } end
      t:flush(rank, rank)
      local count, result = 0, nil
      repeat
        result = rank:PtlEQPoll { queues = ALL, timeout = 0 }
        if result.event then
          count = count + 1
          t:equal("P33-368", "the portal of the event", result.event.portal, portal)
          t:equal("P33-368", "the queue of an event that comes with " .. result.rc, result.which, portal)
        end
      until not result.event or count > 8
      t:check("P33-368", "some events are left", count > 0, "some", count)
    end
  end,
}

case {
  id = "poll-many",
  title = "PtlEQPoll finds the event of whichever queue has one, among many",
  purpose = "Sixteen queues in one list: puts are logged in the first, the last and two others, and each is delivered with its place, without a limit of time, with one, and with none at all.",
  requirements = { "P33-368" }, ranks = 1,
  run = function(t)
    local rank, count <const> = t:open {}, 16
    t:skip_if(rank:granted("queues", 64) < count, "there are not so many queues")
    local names = {}
    rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
    for i = 0, count - 1 do
      rank:eq("q" .. i, 4)
      names[i + 1] = "q" .. i
      rank:attach { index = 0, me = "me" .. i, md = "md" .. i, desc = "desc" .. i, region = "buf" .. i, octets = 8,
        match_bits = i, options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE|PTL_MD_EVENT_START_DISABLE", eventq = "q" .. i }
    end
    for _, timeout in ipairs { 0, 5000, "forever" } do
      for _, i in ipairs { count - 1, 0, 12, 7 } do
        rank:put { mem_desc = "out-md", target = rank, match_bits = i }
        t:flush(rank, rank)
        local result = t:rc("P33-368", rank:PtlEQPoll { queues = table.concat(names, ","), timeout = timeout },
          "PTL_OK")
        t:equal("P33-368", "the queue", result.which, i)
        t:equal("P33-368", "the event", { result.event.type, result.event.match_bits }, { "PTL_EVENT_PUT_END", i })
      end
    end
  end,
}

case {
  id = "poll-queues-of-two-interfaces",
  title = "PtlEQPoll waits for queues of several interfaces",
  purpose = "A queue of each of two interfaces, where there are two: a put by either is delivered with the place of its queue, in either order of the list.",
  requirements = { "P33-368" }, ranks = 1,
  run = function(t)
    local rank = t:open {}
    rank:ni_init { interface = 1, handle = "ni1" }
    for _, ni in ipairs { "ni", "ni1" } do
      rank:eq_alloc { interface = ni, handle = ni .. "-eq" }
      rank:attach { interface = ni, me = ni .. "-me", md = ni .. "-md", desc = ni .. "-desc", region = ni .. "-buf",
        octets = 8, options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE|PTL_MD_EVENT_START_DISABLE", eventq = ni .. "-eq" }
      rank:bind { interface = ni, region = ni .. "-out", octets = 8, desc = ni .. "-from", md = ni .. "-out-md" }
    end
    for queues, places in each { { "ni-eq,ni1-eq", { ni = 0, ni1 = 1 } }, { "ni1-eq,ni-eq", { ni = 1, ni1 = 0 } } } do
      for _, ni in ipairs { "ni1", "ni" } do
        rank:put { mem_desc = ni .. "-out-md", target = rank }
        local result = t:rc("P33-368", rank:PtlEQPoll { queues = queues, timeout = 5000 }, "PTL_OK")
        t:equal("P33-368", "the queue of the event, by " .. ni, result.which, places[ni])
        t:equal("P33-368", "the event", result.event.type, "PTL_EVENT_PUT_END")
      end
    end
  end,
}
