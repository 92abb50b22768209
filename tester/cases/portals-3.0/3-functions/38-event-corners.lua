-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.8 at its corners: thresholds in the copies that events carry, lengths that need more than 32 bits, queues
-- that go round while they are not empty, and several threads at one queue.

defaults { suite = "events", chapter = "3.8", deadline = 90 }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"

case {
  id = "event-threshold-in-copies",
  title = "The copy of a descriptor in an event shows the threshold that the descriptor has",
  purpose = "Endless thresholds stay endless in the events of a put and a get at both ends. A threshold of 9 at the initiator shows as PtlMDUpdate tells it, in PTL_EVENT_SENT, PTL_EVENT_ACK and PTL_EVENT_REPLY.",
  requirements = { "P30-234", "P30-235" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:eq("eq")
    to:attach { octets = 16, options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
    from:eq("eq")
    from:region("own", 16)
    for _, threshold in ipairs { "inf", 9 } do
      from:bind { region = "own", md = "own-md", threshold = threshold, eventq = "eq" }
      local function judge(events)
        local now = t:setup(from:PtlMDUpdate { mem_desc = "own-md", old = "was" }).old.threshold
        for i, event in ipairs(events) do
          -- A library that counts whatever is logged has counted all of these by now, and may show what it was before.
          local more = now ~= "inf" and now < 9 and math.tointeger(event.mem_desc.threshold)
          more = more and more - now - (#events - i)
          t:check("P30-235", "the threshold in " .. event.type, event.mem_desc.threshold == now or more == 0
            or more == 1, now, event.mem_desc.threshold)
        end
      end
      from:put { mem_desc = "own-md", ack_req = "PTL_ACK_REQ", target = to }
      local events = from:collect("eq", 2)
      t:sanity("both events of the put come", #events == 2)
      judge(events)
      from:get { mem_desc = "own-md", target = to }
      local reply = from:wait("eq").event
      t:sanity("the reply comes", reply ~= nil and reply.type == "PTL_EVENT_REPLY")
      judge { reply }
      for _, kind in ipairs { "PTL_EVENT_PUT", "PTL_EVENT_GET" } do
        local event = t:event("P30-234", to, "eq", { type = kind })
        t:equal("P30-234", "the endless threshold in " .. kind, event.mem_desc.threshold, "inf")
      end
    end
  end,
}

case {
  id = "event-length-beyond-32-bits",
  title = "The event of a get shows the length that was asked for, however large",
  purpose = "A peer asks for 2^32 + 5 and for 2^40 octets of a region of 64 that truncates: the events show these lengths, and 64 as what was moved.",
  requirements = { "P30-230", "P30-231" }, wire = true,
  run = function(t)
    local rank, peer, stream = Receiver.set_up(t)
    rank:attach { index = 5, matchid = t.any_nid, me = "me5", md = "md5", region = "big", octets = 64, fill = "mix/3",
      options = GET .. "|" .. REMOTE .. "|" .. TRUNCATE, eventq = "eq" }
    t:skip_if(rank:describe()["ptl_size_t"].octets < 8, "the system's type: its sizes are narrower than 64 bits")
    for i, length in ipairs { (1 << 32) + 5, 1 << 40, 65 } do
      stream:send { operation = "get", portal = 5, cookie = Receiver.COOKIE, md = i, length = length }
      t:expect("P30-231", stream, "reply", { md = i, mlength = 64 })
      t:event("P30-230", rank, "eq", { type = "PTL_EVENT_GET", rlength = length, mlength = 64 })
    end
  end,
}

case {
  id = "queue-size-beyond-32-bits",
  title = "A queue for more than 2^32 events is refused, or holds more than a few",
  purpose = "PtlEQAlloc is asked for 2^32 + 2 events. Where it has not the memory it says so; a queue that it makes must hold three events, none of which may be lost or refused.",
  requirements = { "P30-236", "P30-237" },
  run = function(t)
    local rank = t:open {}
    t:skip_if(rank:describe()["ptl_size_t"].octets < 8, "the system's type: its sizes are narrower than 64 bits")
    local result = rank:PtlEQAlloc { count = (1 << 32) + 2, handle = "huge" }
    if result.rc ~= "PTL_OK" then
      t:rc("P30-237", result, "PTL_NOSPACE")
      t:check("P30-236", "no queue was made", true)
      return
    end
    rank:attach { start = "null", length = 0, options = PUT .. "|" .. REMOTE, ignorebits = -1, eventq = "huge" }
    rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    for bits = 1, 3 do rank:put { mem_desc = "out-md", target = rank, match_bits = bits } end
    for bits = 1, 3 do t:event("P30-236", rank, "huge", { type = "PTL_EVENT_PUT", match_bits = bits }) end
  end,
}

case {
  id = "queue-goes-round",
  title = "A queue that wraps around while it holds events keeps them, counts them and delivers them in order",
  purpose = "A queue of 7 holds four events from the beginning on. Three more are put and three taken, twelve times over; the count is right each time, and every event comes once and in order.",
  requirements = { "P30-236", "P30-240", "P30-245" },
  run = function(t)
    local rank = t:open {}
    local before = rank:drop_count()
    rank:eq("queue", 7)
    rank:attach { start = "null", length = 0, options = PUT .. "|" .. TRUNCATE, ignorebits = -1, eventq = "queue" }
    rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    local made, taken = 0, 0
    local function add(count)
      for _ = 1, count do
        made = made + 1
        rank:put { mem_desc = "out-md", target = rank, match_bits = made }
      end
      t:flush(rank, rank)
    end
    add(4)
    for round = 1, 12 do
      add(3)
      t:equal("P30-236", "dropped requests, round " .. round, rank:drop_count() - before, 0)
      t:equal("P30-240", "events that wait, round " .. round, rank:PtlEQCount { eventq = "queue" }.count, 7)
      for _ = 1, 3 do
        taken = taken + 1
        local result = rank:PtlEQGet { eventq = "queue" }
        t:rc("P30-236", result, "PTL_OK")
        t:equal("P30-245", "bits of event " .. taken, result.event.match_bits, taken)
      end
      t:equal("P30-240", "events that are left, round " .. round, rank:PtlEQCount { eventq = "queue" }.count, 4)
    end
  end,
}

case {
  id = "queue-several-waiters",
  only = true,
  title = "Each event wakes one of several threads that wait, and a queue that is freed wakes all of them",
  purpose = "Three threads wait at one queue. One put releases one of them with its event while the others go on waiting, two more puts release these. As often as they wait again, three puts in a row release all of them. In the end the queue is freed, and all three are told PTL_INV_EQ.",
  requirements = { "P30-238", "P30-249", "P30-250" }, features = { "threads" },
  run = function(t)
    t:open {}
    local rank, names = t.ranks[0], { "alpha", "beta", "gamma" }
    rank:eq("queue")
    rank:attach { start = "null", length = 0, options = PUT .. "|" .. TRUNCATE, ignorebits = -1, eventq = "queue" }
    rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    local waiting = {}
    local function wait_all()
      for i, name in ipairs(names) do
        waiting[i] = rank:start_PtlEQWait { eventq = "queue", thread = name, deadline = 8000 }
      end
      rank:pause(20) -- lets them reach their wait; a library that has not let them do so is judged all the same
    end
    local function returned()
      local list = {}
      for i in ipairs(names) do list[#list + 1] = waiting[i] and waiting[i]:done() and i or nil end
      return list
    end
    for _, name in ipairs(names) do rank:thread(name) end
    t:judging("P30-249")
    wait_all()
    rank:put { mem_desc = "out-md", target = rank, match_bits = 1 }
    t:flush(rank, rank)
    rank:pause(100) -- who is woken for nothing has returned by then
    local first = returned()
    t:check("P30-249", "threads that have returned behind one event", #first <= 1, "one at most", #first)
    for bits = 2, 3 do rank:put { mem_desc = "out-md", target = rank, match_bits = bits } end
    local seen = {}
    for i in ipairs(names) do
      local result = waiting[i]:finish()
      t:rc("P30-249", result, "PTL_OK")
      seen[result.event.match_bits] = (seen[result.event.match_bits] or 0) + 1
    end
    t:equal("P30-250", "how often the events 1, 2 and 3 were returned", seen, { 1, 1, 1 })
    for round = 1, 8 do
      wait_all()
      local putting = rank:batch(1, Values.repeated({ "PtlPut", { mem_desc = "out-md", ack_req = "PTL_NOACK_REQ",
        target = t.gid(rank.id), portal = 0, cookie = 0, match_bits = 4, offset = 0 } }, #names))
      t:sanity("as many puts were called as threads wait", putting.runs == 1)
      for i, name in ipairs(names) do
        t:equal("P30-249", "code of the wait of thread " .. name .. ", round " .. round, waiting[i]:finish().rc,
          "PTL_OK")
      end
    end
    wait_all()
    t:judging("P30-238")
    t:rc("P30-238", rank:PtlEQFree { eventq = "queue" }, "PTL_OK")
    for i in ipairs(names) do t:rc("P30-238", waiting[i]:finish(), "PTL_INV_EQ") end
    for _, name in ipairs(names) do rank:join(name) end
  end,
}

case {
  id = "queue-fresh-is-empty",
  title = "A queue that is made after another one was freed is empty, and reports no lost events",
  purpose = "Queues of 4 are freed while they hold events, and after they have lost some. The next queue of 4 is empty, its first event is the first that comes to it, and that is returned with PTL_OK.",
  requirements = { "P30-240", "P30-243", "P30-247" },
  run = function(t)
    local rank = t:open {}
    rank:attach { start = "null", length = 0, options = PUT .. "|" .. REMOTE }
    for round, count in ipairs { 0, 3, 3000 } do
      rank:eq("queue", 4)
      t:equal("P30-240", "events in queue " .. round .. " when it is made",
        rank:PtlEQCount { eventq = "queue" }.count, 0)
      t:rc("P30-243", rank:PtlEQGet { eventq = "queue" }, "PTL_EQ_EMPTY")
      rank:bind { desc = "void", start = "null", length = 0, md = "sender", eventq = "queue" }
      rank:put { mem_desc = "sender", target = rank, match_bits = round }
      local first = rank:wait("queue")
      t:rc("P30-247", first, "PTL_OK")
      t:equal("P30-240", "match bits of the first event in queue " .. round, first.event and first.event.match_bits,
        round)
      if count > 0 then
        t:sanity("all puts were called", rank:batch(count,
          { { "PtlPut", { mem_desc = "sender", ack_req = "PTL_NOACK_REQ",
          target = t.gid(rank.id), portal = 0, cookie = 0, match_bits = 0, offset = 0 } } }).runs == count)
      end
      t:flush(rank, rank)
      rank:eq_free { eventq = "queue" }
      rank:md_unlink { mem_desc = "sender" }
    end
    rank:eq("queue", 4)
    t:rc("P30-243", rank:PtlEQGet { eventq = "queue" }, "PTL_EQ_EMPTY")
    rank:bind { desc = "void", start = "null", length = 0, md = "sender", eventq = "queue" }
    rank:put { mem_desc = "sender", target = rank }
    t:rc("P30-247", rank:wait("queue"), "PTL_OK")
  end,
}
