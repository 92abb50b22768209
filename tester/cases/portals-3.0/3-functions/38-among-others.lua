-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.8: events of requests that are alike in all but their descriptor, lengths of whatever is not cut, and
-- PtlEQWait beside the other calls that look at its queue.

defaults { suite = "events", chapter = "3.8" }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local BOTH = PUT .. "|" .. GET .. "|" .. REMOTE

case {
  id = "queue-shared-by-equal-requests",
  title = "Requests that are alike each show the descriptor that served them",
  purpose = "Four entries with equal criteria have a descriptor for one operation each, and these share a queue. Four equal puts wait there together, then four equal gets, then two of each: every event shows the user pointer of its own descriptor, in their order.",
  requirements = { "P30-213" },
  run = function(t)
    local rank = Descriptor.loopback(t)
    for _, verbs in ipairs { { "put", "put", "put", "put" }, { "get", "get", "get", "get" },
      { "put", "get", "put", "get" } } do
      rank:me_attach { match_bits = 9, handle = "me1" }
      for mark = 1, 4 do
        if mark > 1 then rank:me_insert { current = "me" .. mark - 1, match_bits = 9, handle = "me" .. mark } end
        rank:add_md { me = "me" .. mark, md = "md" .. mark, options = BOTH, threshold = 1, user_ptr = 20 + mark,
          eventq = "eq" }
      end
      for _, verb in ipairs(verbs) do
        rank[verb](rank, { mem_desc = "out-md", target = rank, match_bits = 9 })
      end
      t:flush(rank, rank)
      for mark, verb in ipairs(verbs) do
        local event = t:event("P30-213", rank, "eq", { type = "PTL_EVENT_" .. verb:upper() })
        t:equal("P30-213", "user pointer in event " .. mark, event.mem_desc.user_ptr, 20 + mark)
      end
      for mark = 1, 4 do rank:me_unlink { entry = "me" .. mark } end
    end
  end,
}

case {
  id = "queue-shared-by-equal-operations",
  title = "Operations that are alike each show the descriptor from which they began",
  purpose = "Three bound descriptors share a queue. From each an acknowledged put goes to the same place with the same bits, then a get: there are three events of each kind, one with each user pointer.",
  requirements = { "P30-213" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:attach { octets = 40, match_bits = 9, options = BOTH }
    from:eq("eq", 64)
    from:region("own", 40)
    for mark = 1, 3 do from:bind { region = "own", md = "own" .. mark, user_ptr = 20 + mark, eventq = "eq" } end
    local function judge(count, what)
      local seen = {}
      for _, event in ipairs((from:collect("eq", count))) do
        local key = event.type .. " " .. event.mem_desc.user_ptr
        seen[key] = (seen[key] or 0) + 1
      end
      for _, kind in ipairs(what) do
        for mark = 1, 3 do
          t:equal("P30-213", kind .. " of descriptor " .. mark, seen[kind .. " " .. 20 + mark], 1)
        end
      end
    end
    for mark = 1, 3 do
      from:put { mem_desc = "own" .. mark, ack_req = "PTL_ACK_REQ", target = to, match_bits = 9 }
    end
    judge(6, { "PTL_EVENT_SENT", "PTL_EVENT_ACK" })
    for mark = 1, 3 do from:get { mem_desc = "own" .. mark, target = to, match_bits = 9 } end
    judge(3, { "PTL_EVENT_REPLY" })
  end,
}

case {
  id = "event-lengths-of-what-fits",
  title = "Where nothing is cut off mlength is rlength, in the events of both ends and at any length",
  purpose = "Puts that ask for an acknowledgement and puts that do not, and gets, of no, 1, 40 and 70000 octets. The target is as long as they are or one octet longer, may cut or not, and keeps an offset of its own or not.",
  requirements = { "P30-232" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    from:eq("eq", 64)
    to:eq("eq", 64)
    from:region("own", 70000)
    to:region("buf", 70001)
    local function same(event, octets, who)
      t:equal("P30-232", ("rlength and mlength in %s of %d octets at the %s"):format(event.type, octets, who),
        { event.rlength, event.mlength }, { octets, octets })
    end
    for _, octets in ipairs { 0, 1, 40, 70000 } do
      from:bind { region = "own", length = octets, md = "own-md", eventq = "eq" }
      for spare, options in each { { 0, BOTH }, { 1, BOTH .. "|" .. TRUNCATE }, { 0, PUT .. "|" .. GET } } do
        for _, row in ipairs { { "put", "PTL_NOACK_REQ", 1 }, { "put", "PTL_ACK_REQ", 2 }, { "get", nil, 1 } } do
          local verb, ack_req, own = row[1], row[2], row[3]
          to:attach { region = "buf", length = octets + spare, options = options, eventq = "eq" }
          from[verb](from, { mem_desc = "own-md", ack_req = ack_req, target = to })
          same(t:event("P30-232", to, "eq", { type = "PTL_EVENT_" .. verb:upper() }), octets, "target")
          local events = from:collect("eq", own)
          t:equal("P30-232", "events at the initiator of a " .. verb, #events, own)
          for _, event in ipairs(events) do same(event, octets, "initiator") end
        end
      end
      from:md_unlink { mem_desc = "own-md" }
    end
  end,
}

case {
  id = "queue-wait-beside-other-looks",
  only = true,
  title = "PtlEQWait returns at once, whatever was done before with the queue in which an event waits",
  purpose = "A queue of five gets three to five events, six times over, and no more come. Between calls of PtlEQWait the next event is taken by PtlEQGet, the queue counted, or tested by an update that it holds back: each PtlEQWait returns one more event.",
  requirements = { "P30-251" }, chapter = "3.8.7",
  run = function(t)
    local rank = Descriptor.loopback(t)
    rank:eq("five", 5)
    rank:attach { options = BOTH, eventq = "five", ignorebits = -1 }
    Descriptor.current(t, rank)
    local made, taken, seen = 0, 0, {}
    local function take(result) -- a get may be logged behind puts that came later
      taken = taken + 1
      t:rc("P30-251", result, "PTL_OK")
      local bits = result.event.match_bits
      t:check("P30-251", "event " .. taken .. " is one that nobody has had",
        bits >= 1 and bits <= made and not seen[bits], "one of " .. made, bits)
      seen[bits] = true
    end
    local looks = {
      function()
        local result = rank:PtlEQGet { eventq = "five" }
        if result.rc ~= "PTL_EQ_EMPTY" then take(result) end -- events may be told late
      end,
      function() rank:PtlEQCount { eventq = "five" } end,
      function() rank:PtlMDUpdate { new = "was", testq = "five" } end,
      function() end,
    }
    t:judging("P30-251")
    for round = 1, 6 do
      t:rc("P30-251", rank:PtlEQGet { eventq = "five" }, "PTL_EQ_EMPTY")
      for _ = 1, round % 3 + 3 do
        made = made + 1
        rank[made % 2 == 0 and "put" or "get"](rank, { mem_desc = "out-md", target = rank, match_bits = made })
      end
      t:flush(rank, rank)
      local waiting
      for _ = 1, 100 do -- an event may come a moment later than what is behind its operation
        waiting = rank:PtlEQCount { eventq = "five" }.count
        if waiting == made - taken then break end
        rank:pause(20)
      end
      t:sanity("all events are there", waiting == made - taken)
      for look = round, round + 4 do
        if taken < made then looks[look % 4 + 1]() end
        if taken < made then take(rank:PtlEQWait { eventq = "five", deadline = 5000 }) end
      end
    end
  end,
}

case {
  id = "queue-each-of-three-gaps-is-told",
  only = true, deadline = 90,
  title = "Of several gaps in one queue each is reported, and once",
  purpose = "Three times a queue of two gets so many sent events that it loses some, is emptied by PtlEQGet or by PtlEQWait, gets one more, and is emptied: each time one event comes with PTL_EQ_DROPPED.",
  requirements = { "P30-247" }, chapter = "3.8.6",
  run = function(t)
    local rank, plenty <const> = t:open {}, 3000
    rank:eq("tiny", 2)
    rank:bind { desc = "void", start = "null", length = 0, md = "sender", eventq = "tiny" }
    rank:attach { start = "null", length = 0, options = BOTH }
    local values = { mem_desc = "sender", ack_req = "PTL_NOACK_REQ", target = t.gid(rank.id), portal = 0, cookie = 0,
      match_bits = 0, offset = 0 }
    local function send(count)
      t:sanity("all puts were called", rank:batch(count, { { "PtlPut", values } }).runs == count)
      t:flush(rank, rank)
    end
    for round, verb in ipairs { "PtlEQGet", "PtlEQWait", "PtlEQGet" } do
      local marks, taken = 0, 0
      local function empty()
        while taken <= plenty and rank:PtlEQCount { eventq = "tiny" }.count > 0 do
          local result = rank[verb](rank, { eventq = "tiny", deadline = 5000 })
          marks, taken = marks + (result.rc == "PTL_EQ_DROPPED" and 1 or 0), taken + 1
        end
      end
      send(plenty)
      empty()
      t:skip_if(taken >= plenty, "a queue that was made for one holds thousands of events")
      send(1)
      empty()
      t:equal("P30-247", "how often gap number " .. round .. " is told", marks, 1)
    end
  end,
}

case {
  id = "queue-event-behind-a-gap-is-taken-once",
  only = true, deadline = 90,
  title = "The event that tells of a loss is taken out like any other",
  purpose = "A queue of two gets so many sent events that it loses some, and is emptied. One more event comes: it is the only one, PtlEQGet and in another round PtlEQWait delivers it, and the queue is empty.",
  requirements = { "P30-244", "P30-250" }, chapter = "3.8.6",
  run = function(t)
    local rank, plenty <const> = t:open {}, 3000
    rank:eq("tiny", 2)
    rank:bind { desc = "void", start = "null", length = 0, md = "sender", eventq = "tiny" }
    rank:attach { start = "null", length = 0, options = BOTH }
    local values = { mem_desc = "sender", ack_req = "PTL_NOACK_REQ", target = t.gid(rank.id), portal = 0, cookie = 0,
      match_bits = 0, offset = 0 }
    local function send(count)
      t:sanity("all puts were called", rank:batch(count, { { "PtlPut", values } }).runs == count)
      t:flush(rank, rank)
      return rank:PtlEQCount { eventq = "tiny" }.count
    end
    for req, verb in each { { "P30-244", "PtlEQGet" }, { "P30-250", "PtlEQWait" } } do
      for _, count in ipairs { plenty, 1 } do
        local held = send(count)
        t:skip_if(held >= plenty, "a queue that was made for one holds thousands of events")
        t:judging(req)
        for i = 1, held do
          local result = rank[verb](rank, { eventq = "tiny", deadline = 5000 })
          t:equal(req, "type of event " .. i .. " of " .. held, result.event and result.event.type, "PTL_EVENT_SENT")
          t:equal(req, "events that are left", rank:PtlEQCount { eventq = "tiny" }.count, held - i)
        end
        t:rc(req, rank:PtlEQGet { eventq = "tiny" }, "PTL_EQ_EMPTY")
      end
    end
  end,
}

-- What takes a put of 40 octets at these portals, and how much of it.
local TAKERS <const> = { { 40, "" }, { 16, "|" .. TRUNCATE }, { 0, "|" .. TRUNCATE } }

case {
  id = "event-ack-of-what-is-cut-in-its-own-queue",
  title = "A put that is taken, cut, or cut to nothing has one event of its sending and one of its acknowledgement",
  purpose = "Two descriptors of one entry and a bound one, with a queue each, put 40 octets to where all is taken, 16 octets and none, and ask for acknowledgements. Each time both events are in the queue of the one that was put from, and the others stay empty.",
  requirements = { "P30-220", "P30-222", "P30-262" }, ranks = 2,
  run = function(t)
    local function judge(from, to)
      for place, taker in ipairs(TAKERS) do
        to:attach { index = place, me = "taker" .. place, md = "taker-md" .. place, region = "taken", length = taker[1],
          options = PUT .. "|" .. REMOTE .. taker[2] }
      end
      from:me_attach { index = 5, handle = "listed" }
      for i, name in ipairs { "one", "two", "three" } do
        from:eq(name)
        from:md { region = "own", options = PUT, eventq = name, name = name .. "-desc" }
        if i == 1 then
          from:md_attach { match = "listed", mem_desc = "one-desc", handle = "one-md" }
        elseif i == 2 then
          from:md_insert { mem_desc = "two-desc", current = "one-md", handle = "two-md" }
        else
          from:md_bind { mem_desc = "three-desc", handle = "three-md" }
        end
      end
      for place, taker in ipairs(TAKERS) do
        for _, name in ipairs { "one", "two", "three" } do
          from:put { mem_desc = name .. "-md", ack_req = "PTL_ACK_REQ", target = to, portal = place }
          local events = from:collect(name, 2)
          t:flush(from, to)
          t:flush(to, from)
          for _, other in ipairs { "one", "two", "three" } do
            if other ~= name then t:equal("P30-262", "events in queue " .. other, from:count_events(other), 0) end
          end
          t:equal("P30-222", ("events of a put of which %d octets are taken"):format(taker[1]), t.types(events),
            { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
          for _, event in ipairs(events) do
            if event.type == "PTL_EVENT_ACK" then t:equal("P30-220", "octets told", event.mlength, taker[1]) end
          end
          t:equal("P30-220", "further events in its queue", from:count_events(name), 0)
        end
      end
    end
    local from, to = t:open {}
    to:region("taken", 40)
    from:region("own", 40)
    judge(from, to)
    from:md_unlink { mem_desc = "three-md" }
    for _, name in ipairs { "one", "two", "three" } do from:eq_free { eventq = name } end
    from:region("taken", 40)
    judge(from, from)
  end,
}

case {
  id = "event-sent-from-an-inactive-one",
  title = "A put from a descriptor that takes no requests has its events like any other",
  purpose = "Puts with and without an acknowledgement from descriptors of threshold zero, bound, listed and used up by a request: where the library does not refuse them by a known reading, each is told as sent once.",
  requirements = { "P30-222" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:attach { octets = 16, options = BOTH }
    to:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    from:region("own", 16)
    for name, threshold, bound in each { { "active", "inf", false }, { "bound", 0, true }, { "listed", 0, false },
      { "used-up", 1, false } } do
      from:eq(name, 16)
      local given = { index = 3, me = name .. "-me", md = name .. "-md", region = "own", threshold = threshold,
        eventq = name, options = bound and 0 or PUT .. "|" .. REMOTE }
      from[bound and "bind" or "attach"](from, given)
      if name == "used-up" then
        to:put { mem_desc = "void-md", target = from, portal = 3 }
        t:sanity("it is used up", from:wait(name).event)
      end
      for _, ack_req in ipairs { "PTL_NOACK_REQ", "PTL_ACK_REQ" } do
        local result = from:PtlPut { mem_desc = name .. "-md", ack_req = ack_req, target = to }
        if name == "active" then t:setup(result) end
        if result.rc == "PTL_OK" then
          local wanted = { ack_req == "PTL_ACK_REQ" and "PTL_EVENT_ACK" or nil }
          wanted[#wanted + 1] = "PTL_EVENT_SENT"
          t:equal("P30-222", ("events of a put with %s from a descriptor that is %s"):format(ack_req, name),
            t.types((from:collect(name, #wanted))), wanted)
          t:flush(from, to)
          t:flush(to, from)
          t:equal("P30-222", "further events", from:count_events(name), 0)
        end
      end
    end
  end,
}
