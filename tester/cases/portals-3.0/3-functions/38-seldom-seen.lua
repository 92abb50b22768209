-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.8: events of operations that move nothing, use up their descriptor or go to high portals, and queues that
-- are long or hold events when something is done to them. A process puts to itself.

defaults { suite = "events", chapter = "3.8", still = { "P32-222" } }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local loopback, put, current = Descriptor.loopback, Descriptor.put, Descriptor.current

-- Empty puts, so many, to the descriptor "md" without taking an event out.
local function put_nothing(t, rank, times)
  rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
  local batch = rank:batch(times, { { "PtlPut", { mem_desc = "void-md", ack_req = "PTL_NOACK_REQ",
    target = t.gid(rank.id), portal = 0, cookie = 0, match_bits = 0, offset = 0 } } })
  t:sanity("all puts were called", batch.runs == times)
  t:flush(rank, rank)
end

case {
  id = "event-put-of-nothing",
  title = "A put of no octets is told as sent, and as acknowledged, like any other",
  purpose = "Two empty puts, one of which asks for an acknowledgement, give two PTL_EVENT_SENT and one PTL_EVENT_ACK.",
  requirements = { "P30-222" },
  run = function(t)
    local rank = loopback(t)
    rank:eq("own-eq")
    rank:attach { start = "null", length = 0 }
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md", eventq = "own-eq" }
    put(rank, { mem_desc = "void-md" })
    put(rank, { mem_desc = "void-md", ack_req = "PTL_ACK_REQ" })
    t:equal("P30-222", "events of two empty puts", t.types((rank:collect("own-eq", 3))),
      { "PTL_EVENT_ACK", "PTL_EVENT_SENT", "PTL_EVENT_SENT" })
  end,
}

case {
  id = "event-at-a-high-portal",
  title = "Events show portal indexes beyond 255 as they are",
  purpose = "Puts and gets of a process to its own portals 255, 256 and 299; the events of both sides name them. Puts to portals beyond 65534, which nobody has, are told as sent to these.",
  requirements = { "P30-228" },
  run = function(t)
    t:open { ptl_size = 300 }
    local rank = t.ranks[0]
    rank:eq("eq", 64)
    rank:eq("own-eq", 64)
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md", eventq = "own-eq" }
    t:judging("P30-228")
    for _, portal in ipairs { 65535, 65536, 65541, rank:largest("ptl_pt_index_t") } do
      if portal <= rank:largest("ptl_pt_index_t") then
        rank:put { mem_desc = "void-md", target = rank, portal = portal } -- which nobody has
        t:event("P30-228", rank, "own-eq", { type = "PTL_EVENT_SENT", portal = portal })
      end
    end
    for _, portal in ipairs { 255, 256, 299 } do
      rank:attach { index = portal, start = "null", length = 0, options = PUT .. "|" .. GET .. "|" .. REMOTE,
        eventq = "eq" }
      rank:put { mem_desc = "void-md", target = rank, portal = portal }
      t:event("P30-228", rank, "eq", { type = "PTL_EVENT_PUT", portal = portal })
      t:event("P30-228", rank, "own-eq", { type = "PTL_EVENT_SENT", portal = portal })
      rank:get { mem_desc = "void-md", target = rank, portal = portal }
      t:event("P30-228", rank, "eq", { type = "PTL_EVENT_GET", portal = portal })
      t:event("P30-228", rank, "own-eq", { type = "PTL_EVENT_REPLY", portal = portal })
    end
  end,
}

case {
  id = "event-offset-of-nothing",
  title = "The event of an operation without octets tells its offset, too",
  purpose = "An empty put behind one of 40 octets, one that asks for offset 25, and one that is cut to nothing at the end of the region.",
  requirements = { "P30-233" },
  run = function(t)
    local rank = loopback(t)
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    rank:attach { options = PUT, eventq = "eq" }
    put(rank)
    put(rank, { mem_desc = "void-md" })
    t:event("P30-233", rank, "eq", { type = "PTL_EVENT_PUT", offset = 0 })
    t:event("P30-233", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 0, offset = 40 })
    rank:attach { index = 1, me = "me1", md = "md1", options = PUT .. "|" .. REMOTE .. "|" .. TRUNCATE, eventq = "eq" }
    put(rank, { mem_desc = "void-md", portal = 1, offset = 25 })
    t:event("P30-233", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 0, offset = 25 })
    put(rank, { portal = 1, offset = 100 })
    t:event("P30-233", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 0, offset = 100 })
  end,
}

case {
  id = "event-of-the-last-operation",
  title = "The event of the operation that uses a descriptor up shows a threshold of zero",
  purpose = "A put, and a get, that use up a descriptor which then is unlinked, and one that is retained. All other members of the copy are those of the descriptor.",
  requirements = { "P30-234", "P30-235" },
  run = function(t)
    local rank = loopback(t)
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    for i, flag in ipairs { "PTL_UNLINK", "PTL_RETAIN" } do
      for j, verb in ipairs { "put", "get" } do
        rank:attach { threshold = 1, md_unlink = flag, unlink = flag, options = PUT .. "|" .. GET, eventq = "eq",
          start = "buf+3", length = 50, user_ptr = 70 + 2 * i + j }
        rank[verb](rank, { mem_desc = "void-md", target = rank })
        local event = t:event("P30-234", rank, "eq", { type = "PTL_EVENT_" .. verb:upper() })
        t:reading("P30-234", "event_descriptor_copy", "threshold that the event of the last operation shows",
          event.mem_desc.threshold, { { "after", 0 }, { "before", 1 } })
        local found = event.mem_desc
        t:equal("P30-235", "start, length, user pointer and queue in the event of the last operation",
          { found.start, found.length, found.user_ptr, found.eventq }, { "buf+3", 50, 70 + 2 * i + j, "eq" })
      end
    end
  end,
}

case {
  id = "event-ids-are-complete",
  title = "The id in an event has all four members, on both sides and for each kind of event",
  purpose = "A process puts to itself with an acknowledgement, and gets. Whether an event names the process that asked or the one that answered, that is the process itself, by PTL_ADDR_BOTH.",
  requirements = { "P30-060" }, chapter = "3.4",
  run = function(t)
    local rank = loopback(t)
    rank:bind { region = "source", md = "logged-md", eventq = "eq" }
    rank:attach { options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
    put(rank, { mem_desc = "logged-md", ack_req = "PTL_ACK_REQ" })
    rank:get { mem_desc = "logged-md", target = rank }
    local events = rank:collect("eq", 5)
    t:equal("P30-060", "the events of a put and a get", t.types(events), { "PTL_EVENT_ACK", "PTL_EVENT_GET",
      "PTL_EVENT_PUT", "PTL_EVENT_REPLY", "PTL_EVENT_SENT" })
    for _, event in ipairs(events) do
      t:equal("P30-060", "the initiator that " .. event.type .. " shows", event.initiator, rank.id)
    end
  end,
}

case {
  id = "queue-of-thousands",
  title = "A queue for two thousand events holds two thousand, and PtlEQCount tells how many",
  purpose = "Two thousand empty puts are logged while nobody takes an event out. The count is 300 after the first 300 and 2000 in the end; none is lost or refused.",
  requirements = { "P30-236", "P30-240" }, deadline = 90,
  run = function(t)
    t:open {}
    local rank = t.ranks[0]
    local before = rank:drop_count()
    rank:eq("eq", 2000)
    rank:attach { start = "null", length = 0, options = PUT .. "|" .. REMOTE, eventq = "eq" }
    put_nothing(t, rank, 300)
    t:equal("P30-240", "events in the queue after 300 puts", rank:PtlEQCount().count, 300)
    put_nothing(t, rank, 1700)
    t:equal("P30-236", "puts that were refused", rank:drop_count() - before, 0)
    t:equal("P30-240", "events in the queue after 2000 puts", rank:PtlEQCount().count, 2000)
    local events = rank:drain("eq")
    t:equal("P30-236", "events that were taken out, and the code of the first", { #events, events[1].rc },
      { 2000, "PTL_OK" })
  end,
}

case {
  id = "queue-freed-with-events",
  title = "A queue that holds events is freed like an empty one",
  purpose = "Three puts are logged. The queue is freed, and its handle is dead for PtlEQCount, PtlEQGet, PtlEQWait and PtlEQFree.",
  requirements = { "P30-238" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { start = "null", length = 0, options = PUT .. "|" .. REMOTE, eventq = "eq" }
    put_nothing(t, rank, 3)
    t:sanity("the queue holds three events", rank:PtlEQCount().count == 3)
    rank:md_unlink {}
    t:rc("P30-238", rank:PtlEQFree {}, "PTL_OK")
    for _, verb in ipairs { "PtlEQCount", "PtlEQGet", "PtlEQWait", "PtlEQFree" } do
      t:rc("P30-238", rank[verb](rank), "PTL_INV_EQ")
    end
  end,
}

case {
  id = "queue-wait-takes-the-oldest",
  title = "PtlEQWait returns the oldest of several events, and takes that one out",
  purpose = "Five puts with different match bits are logged before PtlEQWait and PtlEQGet are called in turn: the events come in the order of the puts.",
  requirements = { "P30-250" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { start = "null", length = 0, ignorebits = -1, options = PUT .. "|" .. REMOTE .. "|" .. TRUNCATE,
      eventq = "eq" }
    for bits = 1, 5 do put(rank, { match_bits = bits }) end
    t:flush(rank, rank)
    local order = {}
    for i, verb in ipairs { "PtlEQWait", "PtlEQWait", "PtlEQGet", "PtlEQWait", "PtlEQWait" } do
      order[i] = t:setup(rank[verb](rank)).event.match_bits
    end
    t:equal("P30-250", "match bits of the events", order, { 1, 2, 3, 4, 5 })
    t:equal("P30-250", "events that are left", rank:PtlEQCount().count, 0)
  end,
}

case {
  id = "queue-full-for-what-would-be-cut",
  title = "A full queue keeps a descriptor from serving, also where the request would be cut",
  purpose = "The queue of a truncating descriptor is full. Further puts are dropped, none of their octets is stored, and the threshold stays as it is.",
  requirements = { "P30-326", "P30-322" }, chapter = "4.2", deadline = 90,
  run = function(t)
    local rank = loopback(t)
    local before = rank:drop_count()
    rank:eq("tiny", 2)
    rank:attach { length = 10, options = PUT .. "|" .. REMOTE .. "|" .. TRUNCATE, eventq = "tiny" }
    put(rank)
    t:flush(rank, rank)
    t:equal("P30-322", "requests that count as dropped when one was cut", rank:drop_count() - before, 0)
    put_nothing(t, rank, 3000)
    local dropped, held = rank:drop_count() - before, rank:PtlEQCount { eventq = "tiny" }.count
    if t:reading("P30-326", "full_queue", "three thousand puts for whose events a queue of two has no place",
        dropped > 0 and "refused" or "served", { { "refuse", "refused" }, { "overwrite", "served" } }) == "refuse" then
      t:equal("P30-326", "puts that were logged and puts that were dropped", held + dropped, 3001)
      rank:fill("source", "mix/2")
      put(rank)
      t:drops("P30-326", rank, before + dropped, 1)
      t:octets("P30-326", "the region of the descriptor", rank, "buf", "mix/1", 0, 10)
    end
  end,
}

case {
  id = "queue-looked-at-while-another-waits",
  title = "PtlEQGet returns at once while another thread waits at the same queue",
  purpose = "One thread waits in PtlEQWait. Another one looks five times into that queue and counts its events: none of the calls waits. Then a put comes, and the first thread has its event.",
  requirements = { "P30-243", "P30-254" }, features = { "threads" }, chapter = "3.8",
  run = function(t)
    local rank = Descriptor.loopback(t)
    rank:attach { options = "PTL_MD_OP_PUT", eventq = "eq" }
    rank:thread("waiter")
    local waiting = rank:start_PtlEQWait { thread = "waiter", deadline = 60000 }
    rank:pause(100)
    t:skip_if(waiting:done(), "PtlEQWait has returned already")
    t:judging("P30-243")
    for _ = 1, 5 do
      t:rc("P30-243", rank:PtlEQGet { deadline = 10000 }, "PTL_EQ_EMPTY")
      t:equal("P30-254", "events that are there", rank:PtlEQCount { deadline = 10000 }.count, 0)
    end
    Descriptor.put(rank)
    t:sanity("the waiting thread has the event", waiting:finish().rc == "PTL_OK")
    rank:join("waiter")
  end,
}
