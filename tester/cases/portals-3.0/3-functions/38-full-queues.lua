-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.8.6 and 4.2: queues without room, beyond the first time and beyond puts. See 38-events.lua for these.

defaults { suite = "events", deadline = 90 }

local PUT, GET, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"

-- A queue may hold more events than were asked for. So it is made full with so many as no library would add unasked.
local PLENTY = 3000

-- A rank; what it does to itself is known to be handled by t:flush.
local function alone(t)
  t:open {}
  return t.ranks[0]
end

local function many(t, rank, verb, values, count)
  count = count or PLENTY
  values.target, values.portal, values.cookie, values.match_bits, values.offset = t.gid(rank.id), 0, 0, 0, 0
  local function call(so_many)
    t:sanity("all of them were called", rank:batch(so_many, { { verb, values } }).runs == so_many)
    t:flush(rank, rank)
  end
  local first, begun = math.min(count, 100), t:now()
  call(first)
  if count == first then return end
  t:skip_if(t:now() - begun > 1000, "so many requests take the system longer than a case may")
  call(count - first)
end

-- Takes all events out of a queue and returns how many came with PTL_EQ_DROPPED, how many there were, and the last
-- return code.
local function drain(t, req, rank, eq, kind)
  local marks, latest = 0, nil
  local events = rank:drain(eq, function(event)
    t:equal(req, "type of an event in the queue", event.type, kind)
    marks, latest = marks + (event.rc == "PTL_EQ_DROPPED" and 1 or 0), event.rc
  end)
  return marks, #events, latest
end

-- Waits for so many replies in "replies" and returns how many there are. PTL_EVENT_SENT of a get is a known reading
-- (P30-223) and not counted.
local function replies_of(rank, wanted)
  local replies = 0
  repeat
    local event = rank:wait("replies", replies < wanted and 5000 or 0).event
    replies = replies + (event and event.type == "PTL_EVENT_REPLY" and 1 or 0)
  until event == nil
  return replies
end

case {
  id = "queue-full-refuses-gets",
  title = "A get for whose event the target's queue has no room is refused and not answered",
  purpose = "A queue of one is filled with the events of gets that nobody fetches. The gets that do not fit are dropped and counted, and have no reply; once an event has been fetched the next get is served.",
  requirements = { "P30-144", "P30-326" }, chapter = "4.2",
  run = function(t)
    local rank = alone(t)
    local before = rank:drop_count()
    rank:eq("tiny", 1)
    rank:eq("replies", 2 * PLENTY + 16)
    rank:attach { start = "null", length = 0, threshold = 2 * PLENTY, options = GET .. "|" .. REMOTE, eventq = "tiny" }
    rank:bind { desc = "void", start = "null", length = 0, md = "in-md", eventq = "replies" }
    many(t, rank, "PtlGet", { mem_desc = "in-md" })
    local dropped, held = rank:drop_count() - before, rank:PtlEQCount { eventq = "tiny" }.count
    if dropped == 0 then
      t:reading("P30-326", "full_queue", "gets that were dropped", "none",
        { { "refuse", "those for which the queue of one has no place" }, { "overwrite", "none" } })
      t:check("P30-144", "no get was refused", true)
      return
    end
    t:equal("P30-326", "gets that were logged and gets that were dropped", held + dropped, PLENTY)
    t:equal("P30-144", "threshold after the gets that were logged, and those that were refused",
      t:setup(rank:PtlMDUpdate { old = "was" }).old.threshold, 2 * PLENTY - held)
    t:equal("P30-326", "replies to the gets that were logged", replies_of(rank, held), held)
    t:event("P30-326", rank, "tiny", { type = "PTL_EVENT_GET" })
    rank:get { mem_desc = "in-md", target = rank }
    t:equal("P30-326", "replies to a get for which there is room again", replies_of(rank, 1), 1)
    t:equal("P30-326", "dropped requests in all", rank:drop_count() - before, dropped)
  end,
}

case {
  id = "queue-full-is-not-empty",
  title = "PtlMDUpdate is refused while its test queue is full, as while there is one event in it",
  purpose = "Queues of 1, 2, 3, 4 and 16 get as many events as they are for, and the one of 3 thousands more, which it may refuse. Each time an update that tests the queue returns PTL_NOUPDATE.",
  requirements = { "P30-205" }, chapter = "3.7.6",
  run = function(t)
    local rank = alone(t)
    rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    for _, count in ipairs { 1, 2, 3, 4, 16 } do
      rank:eq("tiny", count)
      rank:attach { start = "null", length = 0, options = PUT .. "|" .. REMOTE, eventq = "tiny" }
      for _, puts in ipairs(count == 3 and { count, PLENTY } or { count }) do
        many(t, rank, "PtlPut", { mem_desc = "out-md", ack_req = "PTL_NOACK_REQ" }, puts)
        t:rc("P30-205", rank:PtlMDUpdate { mem_desc = "out-md", new = "void", testq = "tiny" }, "PTL_NOUPDATE")
      end
      rank:me_unlink {}
      rank:eq_free { eventq = "tiny" }
    end
  end,
}

case {
  id = "queue-loss-told-again",
  only = true,
  title = "Each loss of events is reported, the second one like the first",
  purpose = "A queue of two overflows three times with PTL_EVENT_SENT and is emptied each time. Each overflow is told once by PTL_EQ_DROPPED; what is logged when there is room comes with PTL_OK.",
  requirements = { "P30-246", "P30-247" }, chapter = "3.8",
  run = function(t)
    local rank = alone(t)
    rank:eq("tiny", 2)
    rank:bind { desc = "void", start = "null", length = 0, md = "sender", eventq = "tiny" }
    rank:attach { start = "null", length = 0, options = PUT .. "|" .. REMOTE }
    local function put_twice()
      for _ = 1, 2 do rank:put { mem_desc = "sender", target = rank } end
      t:flush(rank, rank)
    end
    for round = 1, 3 do
      many(t, rank, "PtlPut", { mem_desc = "sender", ack_req = "PTL_NOACK_REQ" })
      local marks, kept = drain(t, "P30-246", rank, "tiny", "PTL_EVENT_SENT")
      t:skip_if(kept >= PLENTY, "a queue that was made for one holds thousands of events")
      put_twice()
      local later, count, latest = drain(t, "P30-246", rank, "tiny", "PTL_EVENT_SENT")
      t:check("P30-246", "loss number " .. round .. " is told", marks + later >= 1, "one PTL_EQ_DROPPED", "none")
      t:equal("P30-247", "how often it is told", marks + later, 1)
      t:equal("P30-247", "events behind it, and the code of the last one", { count, latest }, { 2, "PTL_OK" })
    end
  end,
}

case {
  id = "queue-count-behind-a-loss",
  only = true,
  title = "PtlEQCount behind a loss is the number of events that can be taken, no more",
  purpose = "A queue of two overflows with PTL_EVENT_SENT. PtlEQCount is told before each event is taken, and is one less each time until there is none.",
  requirements = { "P30-240" }, chapter = "3.8.5",
  run = function(t)
    local rank = alone(t)
    rank:eq("tiny", 2)
    rank:bind { desc = "void", start = "null", length = 0, md = "sender", eventq = "tiny" }
    rank:attach { start = "null", length = 0, options = PUT .. "|" .. REMOTE }
    many(t, rank, "PtlPut", { mem_desc = "sender", ack_req = "PTL_NOACK_REQ" })
    local told, taken = {}, 0
    repeat
      told[#told + 1] = rank:PtlEQCount { eventq = "tiny" }.count
      local event = rank:wait_any("tiny", 0).event
      taken = taken + (event and 1 or 0)
    until not event or taken > PLENTY
    for place, count in ipairs(told) do
      t:equal("P30-240", "PtlEQCount before event " .. place, count, taken + 1 - place)
    end
  end,
}

case {
  id = "queue-loss-told-to-who-waits",
  only = true,
  title = "A loss is told to who waits for the next event, although the queue was emptied before",
  purpose = "A queue of two overflows with PTL_EVENT_SENT and is emptied. PtlEQWait is called on the empty queue and returns with the event of a peer's put. Of all that was fetched one event came with PTL_EQ_DROPPED: where the newest are lost, the last.",
  requirements = { "P30-252" }, chapter = "3.8.7", ranks = 2,
  run = function(t)
    local rank = alone(t)
    local peer = t.ranks[1]
    rank:eq("tiny", 2)
    rank:bind { desc = "void", start = "null", length = 0, md = "sender", eventq = "tiny" }
    rank:attach { start = "null", length = 0, options = PUT .. "|" .. REMOTE }
    rank:attach { index = 1, me = "me1", md = "md1", start = "null", length = 0, options = PUT .. "|" .. REMOTE,
      eventq = "tiny" }
    peer:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    many(t, rank, "PtlPut", { mem_desc = "sender", ack_req = "PTL_NOACK_REQ" })
    local marks, kept = drain(t, "P30-252", rank, "tiny", "PTL_EVENT_SENT")
    t:skip_if(kept >= PLENTY, "a queue that was made for one holds thousands of events")
    local waiting = rank:start_PtlEQWait { eventq = "tiny", deadline = 20000 }
    peer:pause(100)
    peer:put { mem_desc = "out-md", target = rank, portal = 1 }
    local result = waiting:finish()
    t:equal("P30-252", "type of the event that was waited for", result.event and result.event.type, "PTL_EVENT_PUT")
    t:equal("P30-252", "how often the loss is told", marks + (result.rc == "PTL_EQ_DROPPED" and 1 or 0), 1)
  end,
}

case {
  id = "full-queue-closes-the-whole-list-of-descriptors",
  title = "A request that finds the first descriptor's queue full does not go to the descriptor behind it",
  purpose = "An entry has three descriptors, the first with a queue of one place that holds an event, the others with queues that are empty. A put goes to the entry behind; when the event is fetched, the first descriptor takes the next one.",
  requirements = { "P30-017", "P30-019" }, chapter = "2.2",
  run = function(t)
    local rank = Descriptor.loopback(t)
    local puts = 0
    rank:eq("full", 1)
    rank:eq("second")
    rank:eq("behind")
    local options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE"
    rank:attach { md = "first", options = options, eventq = "full" }
    rank:md { name = "other", region = "buf", options = options, eventq = "second" }
    for _, md in ipairs { "last", "next" } do
      rank:md_insert { mem_desc = "other", position = "PTL_INS_AFTER", current = "first", handle = md }
    end
    rank:me_insert { position = "PTL_INS_AFTER", current = "me", handle = "me-behind" }
    rank:add_md { me = "me-behind", md = "md-behind", region = "buf", options = options, eventq = "behind" }
    while puts < 64 and rank:PtlEQCount { eventq = "behind" }.count == 0 do
      Descriptor.put(rank)
      t:flush(rank, rank)
      puts = puts + 1
      t:equal("P30-017", "events of descriptors that are not the first", rank:count_events("second"), 0)
    end
    t:skip_if(puts == 64, "the queue for one event has room for 64")
    t:event("P30-019", rank, "behind", { type = "PTL_EVENT_PUT" })
    t:sanity("the first descriptor has taken puts", rank:count_events("full") > 0)
    Descriptor.put(rank)
    t:event("P30-019", rank, "full", { type = "PTL_EVENT_PUT" })
    t:equal("P30-017", "events of descriptors that are not the first", rank:count_events("second"), 0)
  end,
}

case {
  id = "queue-full-moves-no-offset",
  title = "Requests that are refused since their queue is full leave the local offset where it was",
  purpose = "A descriptor takes a put of 8 octets. Then its queue is filled by others, and it refuses two puts and two gets. When the queue is empty again the next put stands behind the first one.",
  requirements = { "P30-144", "P30-160", "P30-326" }, chapter = "4.2",
  run = function(t)
    local rank = alone(t)
    rank:eq("tiny", 1)
    rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    rank:bind { region = "source", octets = 8, fill = "mix/1", md = "eight-md" }
    rank:attach { me = "void-me", md = "void-md", start = "null", length = 0, options = PUT .. "|" .. REMOTE,
      eventq = "tiny" }
    rank:attach { index = 1, octets = 64, options = PUT .. "|" .. GET, threshold = 50, eventq = "tiny" }
    rank:put { mem_desc = "eight-md", target = rank, portal = 1 }
    t:event("P30-160", rank, "tiny", { type = "PTL_EVENT_PUT", offset = 0 })
    many(t, rank, "PtlPut", { mem_desc = "out-md", ack_req = "PTL_NOACK_REQ" })
    if rank:drop_count() == 0 then
      t:reading("P30-326", "full_queue", "puts that were dropped", "none",
        { { "refuse", "those for which the queue of one has no place" }, { "overwrite", "none" } })
      t:skip("by a known reading no request is refused for its queue")
    end
    local before = rank:drop_count()
    for _ = 1, 2 do
      rank:put { mem_desc = "eight-md", target = rank, portal = 1 }
      rank:get { mem_desc = "eight-md", target = rank, portal = 1 }
    end
    t:drops("P30-326", rank, before, 4)
    rank:drain("tiny")
    t:equal("P30-144", "the threshold after one put and four refused requests",
      t:setup(rank:PtlMDUpdate { old = "was" }).old.threshold, 49)
    rank:put { mem_desc = "eight-md", target = rank, portal = 1 }
    t:event("P30-160", rank, "tiny", { type = "PTL_EVENT_PUT", offset = 8 })
  end,
}

case {
  id = "update-behind-a-loss",
  title = "A queue from which all events were taken is empty for PtlMDUpdate, also when others were lost",
  purpose = "Puts of a descriptor with a queue for one event are told there as sent until it has lost some. When all that it holds has been taken out an update on condition of that queue is done, and one more event comes and is taken before another one.",
  requirements = { "P30-204" }, chapter = "3.7.6",
  run = function(t)
    local rank = alone(t)
    rank:eq("tiny", 1)
    rank:attach { start = "null", length = 0, options = PUT .. "|" .. REMOTE }
    rank:bind { desc = "void", start = "null", length = 0, md = "out-md", eventq = "tiny" }
    many(t, rank, "PtlPut", { mem_desc = "out-md", ack_req = "PTL_NOACK_REQ" })
    local lost = PLENTY - #rank:drain("tiny")
    t:skip_if(lost == 0, "the queue has room for all of them")
    for round = 1, 2 do
      rank:md { name = "new", start = "null", length = 0, threshold = 100 + round, eventq = "tiny" }
      t:rc("P30-204", rank:PtlMDUpdate { mem_desc = "out-md", new = "new", testq = "tiny" }, "PTL_OK")
      local left = t:setup(rank:PtlMDUpdate { mem_desc = "out-md", old = "was" }).old.threshold
      t:equal("P30-204", "the threshold that it was given", left, 100 + round)
      many(t, rank, "PtlPut", { mem_desc = "out-md", ack_req = "PTL_NOACK_REQ" }, 1)
      rank:drain("tiny")
    end
  end,
}

case {
  id = "queue-of-70000",
  only = true,
  title = "A queue for more than 65,536 events holds as many as were asked for",
  purpose = "A queue for 70,000 events, where the system has such, and as many puts of no octets that nobody fetches: all are there, and none was dropped.",
  requirements = { "P30-236" }, chapter = "3.8.3",
  run = function(t)
    local rank, wanted <const> = alone(t), 70000
    local made = rank:PtlEQAlloc { count = wanted, handle = "vast" }
    t:skip_if(made.rc == "PTL_NOSPACE", "the system has no queue for so many events")
    t:setup(made)
    rank:attach { start = "null", length = 0, options = PUT .. "|" .. REMOTE, eventq = "vast" }
    rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    local before, begun = rank:drop_count(), t:now()
    for sent = 0, wanted - 1, 2000 do
      many(t, rank, "PtlPut", { mem_desc = "out-md", ack_req = "PTL_NOACK_REQ" }, math.min(100, wanted - sent))
      many(t, rank, "PtlPut", { mem_desc = "out-md", ack_req = "PTL_NOACK_REQ" }, math.min(1900, wanted - sent - 100))
      t:skip_if(t:now() - begun > 40000, "so many requests take the system longer than a case may")
    end
    t:equal("P30-236", "dropped puts", rank:drop_count() - before, 0)
    t:equal("P30-236", "events in the queue", rank:PtlEQCount { eventq = "vast" }.count, wanted)
  end,
}

case {
  id = "queue-full-passing-on-is-no-drop",
  title = "A request that a later entry takes is not counted as dropped, whatever has refused it before",
  purpose = "Descriptors without the option, without room, inactive and with a full queue stand before one that takes everything. Puts and gets that only that one takes leave the drop count as it is.",
  requirements = { "P30-322" }, chapter = "4.2",
  run = function(t)
    local rank, BOTH <const> = alone(t), PUT .. "|" .. GET .. "|" .. REMOTE
    rank:eq("full", 1)
    rank:bind { length = 0, desc = "void", md = "void-md" }
    rank:region("first", 8)
    rank:attach { options = BOTH, length = 8, region = "first", eventq = "full" }
    many(t, rank, "PtlPut", { mem_desc = "void-md", ack_req = "PTL_NOACK_REQ" })
    local before = rank:drop_count()
    rank:put { mem_desc = "void-md", target = rank }
    t:flush(rank, rank)
    t:skip_if(rank:drop_count() == before, "a queue that is full does not refuse")
    local last = "me"
    for i, given in ipairs { { options = "0", length = 8 }, { options = BOTH, length = 4 },
      { options = BOTH, threshold = 0, length = 8 }, { options = BOTH, length = 8 } } do
      local me = "me-behind" .. i
      rank:me_insert { current = last, handle = me }
      given.me, given.md, given.region, last = me, "md-behind" .. i, "first", me
      rank:add_md(given)
    end
    rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
    before = rank:drop_count()
    for _, verb in ipairs { "put", "get", "put" } do
      rank[verb](rank, { mem_desc = "out-md", target = rank })
      t:flush(rank, rank)
      t:equal("P30-322", "messages dropped behind a " .. verb, rank:drop_count() - before, 0)
    end
    t:octets("P30-322", "what was put", rank, "first", "mix/1")
  end,
}
