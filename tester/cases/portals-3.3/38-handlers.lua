-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.8.3: queues with a handler. Whether events also stay in such a queue, on which thread and in which order
-- the handler is called, is left open.

defaults { suite = "events", chapter = "3.8.3", verbs = { "handler-alloc", "handled" } }

local REQ <const> = "P33-372"
local ROUNDS <const>, ROUND_MS <const> = 10, 500
local BURST <const>, ASKED_MOST <const> = 200, 256
local HANDLERS_MOST <const> = 4 -- that an interpreter has
local PUTS <const> = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE"
local BOTH <const> = PUTS .. "|PTL_MD_OP_GET"

-- A queue with a handler.
local function with_handler(t, rank, name, count)
  local result = rank:call("handler-alloc", { interface = "ni", count = count or 64, handle = name })
  t:skip_if(result.rc == "PTL_NOSPACE" and (count or 64) > (t:declared("limits", "queue_events") or 64),
    "the system has no queue for so many events")
  return t:rc(REQ, result, "PTL_OK")
end

-- The events of a reply of `handled`, and how often the handler has been called in all.
local function ask(rank, name, count, ms)
  local result, list = rank:call("handled", { eventq = name, count = count, ms = ms }), {}
  for i = 1, result.events do list[i] = result["e" .. (i - 1)] end
  return list, result.calls
end

-- The events with which the handler of a queue has been called: waits for `count`, calling the library now and then
-- for those that work in calls only, and a moment longer for what would be too many.
local function handled(rank, name, count)
  local seen = {}
  for _ = 1, ROUNDS do
    table.move(ask(rank, name, math.min(count - #seen, ASKED_MOST), ROUND_MS), 1, ASKED_MOST, #seen + 1, seen)
    if #seen >= count then break end
    rank:PtlNIStatus {}
  end
  rank:drop_count()
  table.move(ask(rank, name, ASKED_MOST, 100), 1, ASKED_MOST, #seen + 1, seen)
  return seen
end

-- What `describe` says of each event, in an order of its own.
local function listed(events, describe)
  local list = {}
  for i, event in ipairs(events) do list[i] = describe(event) end
  table.sort(list)
  return list
end

local function kind(event) return event.type end

-- Rank 0, which puts, and rank 1 with a queue with a handler, in which puts to portal 0 are logged.
local function pair(t, options, count)
  local from, to = t:open {}
  from:eq("eq", 64)
  with_handler(t, to, "eq", count)
  from:bind { region = "out", octets = 40, fill = "mix/1", md = "out-md", eventq = "eq" }
  to:attach { octets = 100, options = options or BOTH, eventq = "eq", user_ptr = 77 }
  return from, to
end

case {
  id = "handler-is-called-for-each-put",
  title = "The handler of a queue is called with the event of each put",
  purpose = "Five puts with header data to a descriptor without start events: five calls, each with the event of one of them.",
  requirements = { "P33-372" }, ranks = 2,
  run = function(t)
    local from, to = pair(t, PUTS .. "|PTL_MD_EVENT_START_DISABLE")
    local wanted = {}
    for i = 1, 5 do
      from:put { mem_desc = "out-md", target = to, hdr_data = i, offset = 8 * i, match_bits = 0 }
      wanted[i] = string.format("PTL_EVENT_PUT_END data %d offset %d length 40 pointer 77 portal 0", i, 8 * i)
    end
    local events = handled(to, "eq", #wanted)
    t:equal(REQ, "the events with which it is called", listed(events, function(event)
      return string.format("%s data %d offset %d length %d pointer %d portal %d", event.type, event.hdr_data,
        event.offset, event.mlength, event.mem_desc.user_ptr, event.portal)
    end), wanted)
    local _, calls = ask(to, "eq", 1, 0)
    t:equal(REQ, "calls", calls, #wanted)
  end,
}

for side, first in each { { "target", 1 }, { "initiator", 0 } } do
  case {
    id = "handler-of-the-" .. side .. "-is-called-for-every-kind",
    title = "The handler of a queue is called for starts, ends, acknowledgements and unlinking",
    purpose = "A put with an acknowledgement, a get and an exchange, the last of which unlinks: the events of the "
      .. side .. " by kind, each once.",
    requirements = { "P33-372" }, ranks = 2,
    run = function(t)
      local from, to = t:open {}
      for i, rank in ipairs { from, to } do
        if i - 1 == first then with_handler(t, rank, "eq") else rank:eq("eq", 64) end
      end
      to:attach { octets = 100, options = BOTH, threshold = 3, md_unlink = "PTL_UNLINK", eventq = "eq" }
      for _, name in ipairs { "put", "get", "old" } do
        from:bind { region = name, octets = 8, desc = name .. "-desc", md = name .. "-md", eventq = "eq" }
      end
      from:bind { region = "new", octets = 8, desc = "new-desc", md = "new-md" }
      from:put { mem_desc = "put-md", ack_req = "PTL_ACK_REQ", target = to }
      from:get { mem_desc = "get-md", target = to }
      t:setup(from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to })
      local wanted = first == 1 and { "GETPUT_END", "GETPUT_START", "GET_END", "GET_START", "PUT_END", "PUT_START",
        "UNLINK" } or { "ACK", "REPLY_END", "REPLY_END", "REPLY_START", "REPLY_START", "SEND_END", "SEND_START" }
      for i, name in ipairs(wanted) do wanted[i] = "PTL_EVENT_" .. name end
      local rank = first == 1 and to or from
      local found = listed(handled(rank, "eq", #wanted), kind)
      -- what a get or an exchange logs when its request has been sent is not demanded, nor forbidden
      if first == 0 then
        local sends, rest = 0, {}
        for _, name in ipairs(found) do
          if name:find("_SEND_") then sends = sends + 1 else rest[#rest + 1] = name end
        end
        t:check(REQ, "calls for sending", sends >= 2, "2 at least", sends)
        found = rest
        for _ = 1, 2 do table.remove(wanted) end
      end
      t:equal(REQ, "the kinds of events with which it is called", found, wanted)
    end,
  }
end

case {
  id = "handler-of-each-queue",
  title = "Each queue has the handler that it was made with",
  purpose = "Two queues with a handler and, made between them, one with none: puts to the descriptors of all three in turn.",
  requirements = { "P33-372" }, ranks = 1,
  run = function(t)
    local rank = t:open {}
    with_handler(t, rank, "eq0")
    rank:eq("eq1", 64)
    with_handler(t, rank, "eq2")
    rank:bind { region = "out", octets = 8, md = "out-md" }
    for i = 0, 2 do
      rank:attach { index = i, me = "me" .. i, md = "md" .. i, desc = "desc" .. i, region = "buf" .. i, octets = 8,
        options = PUTS .. "|PTL_MD_EVENT_START_DISABLE", eventq = "eq" .. i }
    end
    for _, i in ipairs { 2, 0, 1, 0, 2, 2 } do rank:put { mem_desc = "out-md", target = rank, portal = i } end
    for i, count in pairs { [0] = 2, [2] = 3 } do
      local portals = listed(handled(rank, "eq" .. i, count), function(event) return event.portal end)
      t:equal(REQ, "portals of the events of queue " .. i, portals, table.move({ i, i, i }, 1, count, 1, {}))
    end
    t:equal(REQ, "events in the queue without a handler", #rank:drain("eq1"), 1)
  end,
}

case {
  id = "handler-while-the-queue-is-read",
  title = "The handler is called for events that the program takes from the queue too",
  purpose = "Ten puts in turn; after each the process under test looks into its queue. Whether it finds the event there is left open.",
  requirements = { "P33-372" }, ranks = 2,
  run = function(t)
    local from, to = pair(t, PUTS)
    for i = 1, 10 do
      from:put { mem_desc = "out-md", target = to, hdr_data = i }
      t:flush(from, to)
      to:collect("eq", 2, 0)
    end
    local kinds = {}
    for _, event in ipairs(handled(to, "eq", 20)) do kinds[event.type] = (kinds[event.type] or 0) + 1 end
    t:equal(REQ, "the calls", kinds, { PTL_EVENT_PUT_START = 10, PTL_EVENT_PUT_END = 10 })
  end,
}

-- So many puts one after the other, as fast as they go, with header data from 0.
local function burst(t, from, to)
  t:sanity("all puts were called", from:batch(BURST, { { "PtlPut", { mem_desc = "out-md", ack_req = "PTL_NOACK_REQ",
    target = t.nid(to.id), portal = 0, cookie = 0, match_bits = 0, offset = 0, hdr_data = "%i" } } }).runs == BURST)
  t:flush(from, to)
end

-- Judges that none of these events is there twice; returns how many of a burst are missing.
local function missed(t, events)
  local seen, count = {}, BURST
  for _, event in ipairs(events) do
    t:check(REQ, "event " .. event.hdr_data .. " comes once", not seen[event.hdr_data], "once", "again")
    seen[event.hdr_data], count = true, count - 1
  end
  return count
end

case {
  id = "handler-of-a-short-queue",
  title = "The handler of a queue that overflows is called all the same",
  purpose = "A queue for two events, from which nobody takes any, and two hundred puts one after the other as fast as they go: the handler hears of some, and of none twice. That it misses none is recommended.",
  requirements = { "P33-372" }, ranks = 2,
  run = function(t)
    local from, to = pair(t, PUTS .. "|PTL_MD_EVENT_START_DISABLE", 2)
    burst(t, from, to)
    local events = handled(to, "eq", BURST)
    t:check(REQ, "the handler is called", #events > 0, "some calls", 0)
    t:should(REQ, "events that it misses", missed(t, events), 0)
  end,
}

case {
  id = "handler-of-a-full-queue-that-is-freed",
  title = "The handler of a queue is called for what has come before that is freed",
  purpose = "Two hundred puts one after the other, and the queue is freed at once: the handler hears of none twice, and of none when PtlEQFree has returned. That it has heard of all is recommended.",
  requirements = { "P33-372" }, ranks = 2,
  run = function(t)
    local from, to = pair(t, PUTS .. "|PTL_MD_EVENT_START_DISABLE", BURST)
    burst(t, from, to)
    to:me_unlink {}
    t:rc(REQ, to:PtlEQFree { eventq = "eq" }, "PTL_OK")
    local events, calls = ask(to, "eq", BURST, 0)
    t:should(REQ, "events that it misses", missed(t, events), 0)
    local _, calls_later = ask(to, "eq", 1, 100)
    t:equal(REQ, "calls, some time after the queue was freed", calls_later, calls)
  end,
}

case {
  id = "handler-of-a-freed-queue",
  title = "The handler of a queue that has been freed is not called any more",
  purpose = "A queue with a handler is freed after two puts; another one, with a handler of its own, takes the next two. Each handler is called for those of its queue.",
  requirements = { "P33-372" }, ranks = 2,
  run = function(t)
    local from, to = pair(t, PUTS .. "|PTL_MD_EVENT_START_DISABLE")
    local function put_two(first)
      for i = first, first + 1 do from:put { mem_desc = "out-md", target = to, hdr_data = i } end
      t:flush(from, to)
    end
    local function data(name)
      return listed(handled(to, name, 2), function(event) return event.hdr_data end)
    end
    put_two(1)
    t:equal(REQ, "the events of the first queue", data("eq"), { 1, 2 })
    to:me_unlink {}
    t:rc(REQ, to:PtlEQFree { eventq = "eq" }, "PTL_OK")
    with_handler(t, to, "eq-two")
    to:attach { octets = 100, region = "buf-two", options = PUTS .. "|PTL_MD_EVENT_START_DISABLE", eventq = "eq-two" }
    put_two(3)
    t:equal(REQ, "the events of the second queue", data("eq-two"), { 3, 4 })
    local _, calls = ask(to, "eq", 1, 0)
    t:equal(REQ, "calls of the handler of the first queue", calls, 2)
  end,
}

case {
  id = "handler-of-no-interface",
  title = "A queue with a handler is made on an interface only",
  purpose = "PtlEQAlloc with a handler and a handle that is no interface, and then with one that is: the first is refused, and its handler is not called.",
  requirements = { "P33-237", "P33-372" }, ranks = 1,
  run = function(t)
    local rank = t:open {}
    t:rc("P33-237", rank:call("handler-alloc", { interface = "zero", count = 4, handle = "bad" }), "PTL_INV_NI")
    with_handler(t, rank, "eq")
    rank:bind { region = "out", octets = 8, md = "out-md", eventq = "eq",
      options = "PTL_MD_EVENT_START_DISABLE" }
    rank:put { mem_desc = "out-md", target = rank }
    t:equal(REQ, "the events", listed(handled(rank, "eq", 1), kind), { "PTL_EVENT_SEND_END" })
    local _, calls = ask(rank, "bad", 1, 0)
    t:equal(REQ, "calls of the handler of the queue that was refused", calls, 0)
  end,
}

case {
  id = "handlers-take-no-place",
  title = "As many queues can have a handler as the interface has queues",
  purpose = "An interface is opened for two queues. As many as it has are made with handlers, and one more is refused; when one is freed another can be made, and its handler is called.",
  requirements = { "P33-338" }, ranks = 1,
  run = function(t)
    local rank = t:open { ptl_size = 4, acl_size = 2, entries = 16, descriptors = 16, queues = 2, actual = "out" }
    local most = rank:granted("queues", 2)
    t:skip_if(most < 2 or most > HANDLERS_MOST - 1, "the limit of queues is not one that can be reached with handlers")
    local function make(name)
      return rank:call("handler-alloc", { interface = "ni", count = 4, handle = name })
    end
    for i = 1, most do t:rc("P33-338", make("eq" .. i), "PTL_OK") end
    t:rc("P33-338", make("one-more"), "PTL_NOSPACE")
    t:setup(rank:PtlEQFree { eventq = "eq1" })
    t:rc("P33-338", make("again"), "PTL_OK")
    rank:bind { region = "out", octets = 8, md = "out-md", eventq = "again", options = "PTL_MD_EVENT_START_DISABLE" }
    rank:put { mem_desc = "out-md", target = rank }
    t:equal("P33-338", "the events of the one that was made last", listed(handled(rank, "again", 1), kind),
      { "PTL_EVENT_SEND_END" })
  end,
}
