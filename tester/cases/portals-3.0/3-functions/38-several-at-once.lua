-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.8: several queues, several descriptors at one queue, and which event belongs where.

defaults { suite = "events", chapter = "3.8" }

local PUT, GET, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"
local BOTH = PUT .. "|" .. GET .. "|" .. REMOTE

-- So many events no queue holds that was made for one.
local PLENTY = 3000
-- So many as fill most queues.
local MANY = 600

case {
  id = "queue-shared-by-puts-and-gets",
  title = "Events of puts and gets that wait in one queue each show the descriptor that served",
  purpose = "Three descriptors share a queue. Twelve puts and gets come to them in turn, and no event is fetched before all have been served. Each event shows the kind, portal and user pointer of its own operation.",
  requirements = { "P30-213" },
  run = function(t)
    local rank = Descriptor.loopback(t)
    for portal = 0, 2 do
      rank:attach { index = portal, me = "me" .. portal, md = "md" .. portal, options = BOTH, eventq = "eq",
        user_ptr = 11 + portal }
    end
    for i = 1, 12 do
      rank[i % 4 < 2 and "get" or "put"](rank, { mem_desc = "out-md", target = rank, portal = i % 3 })
    end
    t:flush(rank, rank)
    for i = 1, 12 do
      local event = t:event("P30-213", rank, "eq", { type = i % 4 < 2 and "PTL_EVENT_GET" or "PTL_EVENT_PUT",
        portal = i % 3 })
      t:equal("P30-213", "user pointer in event " .. i, event.mem_desc.user_ptr, 11 + i % 3)
    end
  end,
}

case {
  id = "queue-empty-behind-a-loss",
  only = true, deadline = 120,
  title = "A queue that has lost events holds those that are in it, and no more",
  purpose = "A queue of one gets thousands of sent events, most of which are lost. As many calls of PtlEQGet as it counts events deliver one each, and every further one returns PTL_EQ_EMPTY.",
  requirements = { "P30-243" }, chapter = "3.8.6",
  run = function(t)
    t:open {}
    local rank = t.ranks[0]
    rank:eq("tiny", 1)
    rank:attach { start = "null", length = 0, options = BOTH }
    rank:bind { desc = "void", start = "null", length = 0, md = "sender", eventq = "tiny" }
    local values = { mem_desc = "sender", ack_req = "PTL_NOACK_REQ", target = t.gid(rank.id), portal = 0, cookie = 0,
      match_bits = 0, offset = 0 }
    for _ = 1, 2 do
      t:sanity("all puts were called", rank:batch(PLENTY, { { "PtlPut", values } }).runs == PLENTY)
      t:flush(rank, rank)
      local held = rank:PtlEQCount { eventq = "tiny" }.count
      t:skip_if(held >= PLENTY, "a queue that was made for one holds thousands of events")
      for i = 1, held do
        t:equal("P30-243", "type of event " .. i, rank:wait_any("tiny", 0).event.type, "PTL_EVENT_SENT")
      end
      for _ = 1, 3 do t:rc("P30-243", rank:PtlEQGet { eventq = "tiny" }, "PTL_EQ_EMPTY") end
    end
  end,
}

case {
  id = "queue-wait-through-other-traffic",
  only = true,
  title = "PtlEQWait goes on waiting while events come to other queues and requests are dropped",
  purpose = "Rank 1 waits at a queue. Rank 0 puts to a descriptor with another queue and to one with none, gets, and puts to a portal without entries; the wait goes on. Then a put is logged in the queue, and the wait returns its event.",
  requirements = { "P30-249" }, chapter = "3.8.7", ranks = 2,
  run = function(t)
    local from, to = t:open {}
    from:eq("eq", 64)
    from:bind { octets = 16, fill = "mix/1", md = "out-md", eventq = "eq" }
    for portal, eventq in pairs { [0] = "awaited", "other", "none" } do
      if eventq ~= "none" then to:eq(eventq, 64) end
      to:attach { index = portal, me = "me" .. portal, md = "md" .. portal, region = "own" .. portal, octets = 16,
        options = BOTH, eventq = eventq }
    end
    local waiting = to:start_PtlEQWait { eventq = "awaited", deadline = 20000 }
    for round = 1, 4 do
      from:put { mem_desc = "out-md", target = to, portal = 3 }
      for portal = 1, 2 do
        from:get { mem_desc = "out-md", target = to, portal = portal }
        from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, portal = portal }
      end
      t:sanity("answers of round " .. round .. " came", #(from:collect("eq", 7)) == 7)
      from:pause(20) -- who has been woken for nothing has returned by then, if not in this round then in another
      t:check("P30-249", "it waits while others are served, round " .. round, not waiting:done(), "waiting",
        "returned")
    end
    from:put { mem_desc = "out-md", target = to, portal = 0 }
    local result = waiting:finish()
    t:rc("P30-249", result, "PTL_OK")
    t:equal("P30-249", "portal of the event", result.event.portal, 0)
  end,
}

case {
  id = "event-own-queue-at-any-length",
  title = "The events of an operation are in the queue of its descriptor, whatever its length",
  purpose = "Descriptors with an older, a younger and a third queue put octets from none to 300000 and get them. Each time the events are in the queue of the descriptor, and the two others stay empty.",
  requirements = { "P30-261", "P30-262", "P30-272" }, chapter = "3.10",
  run = function(t)
    t:open {}
    local rank, names = t.ranks[0], { "older", "middle", "younger" }
    for _, name in ipairs(names) do rank:eq(name) end
    rank:region("own", 300000)
    rank:region("taken", 300000)
    rank:attach { region = "taken", options = BOTH }
    for _, length in ipairs { 0, 40, 5000, 70000, 300000 } do
      for _, name in ipairs(names) do
        local md = name .. length
        rank:bind { region = "own", length = length, md = md, eventq = name }
        local function judge(req, wanted)
          t:flush(rank, rank)
          local which = (" of %d octets in the %s queue"):format(length, name)
          t:equal(req, "events" .. which, t.types((rank:collect(name, #wanted))), wanted)
          for _, other in ipairs(names) do
            t:equal(req, "events in the " .. other .. " queue that are left, behind those" .. which,
              rank:count_events(other), 0)
          end
        end
        rank:put { mem_desc = md, target = rank }
        judge("P30-261", { "PTL_EVENT_SENT" })
        rank:put { mem_desc = md, ack_req = "PTL_ACK_REQ", target = rank }
        judge("P30-262", { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
        rank:get { mem_desc = md, target = rank }
        judge("P30-272", { "PTL_EVENT_REPLY" })
      end
    end
  end,
}

case {
  id = "event-no-acknowledgement-unasked",
  title = "A put that asks for no acknowledgement has none, from whatever descriptor it goes",
  purpose = "Descriptors that are bound or attached, with a threshold or without, and one without octets put with PTL_NOACK_REQ. Each put has its sent event and no other; with PTL_ACK_REQ each has both.",
  requirements = { "P30-258" }, chapter = "3.10.1", only = true,
  run = function(t)
    local rank = Descriptor.loopback(t)
    rank:attach { options = BOTH }
    for i, row in ipairs { { "bind" }, { "attach", 40, "inf" }, { "attach", 40, 9 }, { "attach", 0, 9 },
      { "bind", 0 } } do
      local md = "md" .. i
      rank:eq("own-eq" .. i)
      rank[row[1]](rank, { index = i, me = "me" .. i, md = md, region = "source", length = row[2] or 40,
        threshold = row[3] or "inf", options = BOTH, eventq = "own-eq" .. i })
      for round = 1, 2 do
        local which = (" descriptor %d in round %d"):format(i, round)
        rank:put { mem_desc = md, ack_req = "PTL_NOACK_REQ", target = rank }
        t:flush(rank, rank)
        t:equal("P30-258", "events of a put without acknowledgement by" .. which, t.types(rank:drain("own-eq" .. i)),
          { "PTL_EVENT_SENT" })
        rank:put { mem_desc = md, ack_req = "PTL_ACK_REQ", target = rank }
        t:flush(rank, rank)
        t:equal("P30-258", "events of a put with acknowledgement by" .. which,
          t.types((rank:collect("own-eq" .. i, 2))), { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
      end
    end
  end,
}

-- A reply may come later than what was asked behind its get, and nothing tells of it where there is no queue.
local function await(rank, name, pattern, length)
  for _ = 1, 40 do
    if rank:compare(name, pattern, 0, length).equal then return end
    rank:pause(50)
  end
end

case {
  id = "queue-none-beside-full-ones",
  title = "A descriptor without a queue serves puts and gets while all queues of the process are full",
  purpose = "The queues of a process get hundreds of events that nobody fetches. A descriptor without a queue takes puts and serves gets, of 40 octets and of none, and nothing is dropped.",
  requirements = { "P30-327" }, chapter = "4.2", deadline = 90,
  run = function(t)
    t:open {}
    local rank = t.ranks[0]
    rank:eq("first", 1)
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    rank:bind { region = "source", octets = 40, fill = "mix/1", md = "out-md" }
    rank:bind { region = "in", octets = 40, md = "in-md" }
    rank:attach { index = 1, me = "noisy", md = "noisy-md", desc = "void", start = "null", length = 0, options = BOTH,
      eventq = "first" }
    rank:attach { region = "served", octets = 40, fill = "mix/3", options = BOTH }
    local values = { mem_desc = "void-md", ack_req = "PTL_NOACK_REQ", target = t.gid(rank.id), portal = 1, cookie = 0,
      match_bits = 0, offset = 0 }
    t:sanity("all puts were called", rank:batch(MANY, { { "PtlPut", values } }).runs == MANY)
    t:flush(rank, rank)
    local before = rank:drop_count()
    for _, md in ipairs { "void-md", "in-md" } do
      rank:get { mem_desc = md, target = rank }
      t:flush(rank, rank)
      t:equal("P30-327", "drops behind a get into " .. md, rank:drop_count() - before, 0)
    end
    await(rank, "in", "mix/3", 40)
    t:octets("P30-327", "octets that were read", rank, "in", "mix/3")
    for _, md in ipairs { "void-md", "out-md" } do
      rank:put { mem_desc = md, target = rank }
      t:flush(rank, rank)
      t:equal("P30-327", "drops behind a put from " .. md, rank:drop_count() - before, 0)
    end
    t:octets("P30-327", "octets that were written", rank, "served", "mix/1")
  end,
}

case {
  id = "ni-status-of-many-drops",
  title = "A large drop count is told whole, each time it is asked for, also behind calls that failed",
  purpose = "300 puts are dropped, with readings in between, by PtlNIStatus with an address that is none and with a register that there is not. Each reading gives the number of all that were dropped. Then puts and gets of no octets and of 5000 are dropped, at portals that there are and at one that there is not.",
  requirements = { "P30-092", "P30-093", "P30-096" }, suite = "interfaces", chapter = "3.5.4",
  run = function(t)
    t:open {}
    local rank = t.ranks[0]
    rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    local before, sent = rank:drop_count(), 0
    for _, count in ipairs { 1, 7, 2, 90, 155, 1, 44 } do
      t:sanity("the puts were called", rank:batch(count, { { "PtlPut", { mem_desc = "out-md",
        ack_req = "PTL_NOACK_REQ", target = t.gid(rank.id), portal = 1, cookie = 0, match_bits = 0,
        offset = 0 } } }).runs == count)
      sent = sent + count
      t:drops("P30-092", rank, before, sent)
      t:judging("P30-096")
      t:rc("P30-096", rank:PtlNIStatus { status = "null" }, "PTL_SEGV")
      rank:PtlNIStatus { register = 0x7fff }
      t:judging("P30-093")
      for i = 1, 2 do
        t:equal("P30-093", ("drops of %d that reading %d tells"):format(sent, i), rank:drop_count() - before, sent)
      end
    end
    rank:bind { region = "out", octets = 5000, md = "long-md" }
    for _, verb in ipairs { "put", "get" } do
      for _, md in ipairs { "out-md", "long-md" } do
        for portal in pairs { [1] = true, [6] = true, [0x7000] = true } do
          rank[verb](rank, { mem_desc = md, target = rank, portal = portal, cookie = 0, match_bits = 0 })
          sent = sent + 1
          t:drops("P30-092", rank, before, sent)
        end
      end
    end
  end,
}
