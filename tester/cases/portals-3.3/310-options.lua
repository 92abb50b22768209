-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.7 and 3.10: functions that only 3.3 has, and options of it, together with what all descriptors keep to.
-- Rank 0 acts, rank 1 answers.

defaults { suite = "regions", chapter = "3.10", ranks = 2 }

local NO_START <const>, NO_END <const> = "PTL_MD_EVENT_START_DISABLE", "PTL_MD_EVENT_END_DISABLE"
local BOTH <const> = "PTL_MD_OP_PUT|PTL_MD_OP_GET"

-- Rank 0 with a descriptor of 100 octets, rank 1 with one that serves it at portal 1; both with a queue "eq".
local function pair(t, options, own)
  local from, to = t:open {}
  from:eq("eq", 64)
  to:eq("eq", 64)
  from:bind { region = "out", octets = 100, fill = "mix/1", md = "out-md", options = own, eventq = "eq" }
  to:attach { index = 1, octets = 200, fill = "mix/2", ignorebits = 0xff, eventq = "eq",
    options = options or BOTH .. "|PTL_MD_MANAGE_REMOTE" }
  return from, to
end

-- The types of all events that are in a queue, when `rank` and `other` have done all that was asked for.
local function types_of_all(t, rank, other)
  t:flush(rank, other)
  t:flush(other, rank)
  return Test.types(rank:collect("eq", 64, 200))
end

local function event_of(t, req, rank, wanted)
  local event
  repeat event = rank:wait("eq").event until not event or event.type == wanted
  t:check(req, rank.label .. ": " .. wanted .. " comes", event ~= nil, wanted, "no event")
  return event
end

local EARLY = {
  { "PtlGetJid", { interface = "zero" } }, { "PtlEQPoll", { queues = "none" } },
  { "PtlPutRegion", { mem_desc = "zero", length = 0, target = { kind = "nid", nid = 1, pid = 1 } } },
  { "PtlGetRegion", { mem_desc = "zero", length = 0, target = { kind = "nid", nid = 1, pid = 1 } } },
  { "PtlGetPut", { mem_desc = "zero", put_desc = "zero", target = { kind = "nid", nid = 1, pid = 1 } } },
}

case {
  id = "before-the-start-33",
  title = "What is called before PtlInit says so: functions that only 3.3 has",
  purpose = "Each is called in a process that has not called PtlInit.",
  suite = "return-codes", chapter = "3.3.1", ranks = 1, requirements = { "P33-054" },
  run = function(t)
    for verb, given in each(EARLY) do t:rc("P33-054", t.ranks[0][verb](t.ranks[0], given), "PTL_NOINIT") end
  end,
}

case {
  id = "put-region-acknowledged",
  title = "A part is acknowledged when that is asked for, and only then",
  purpose = "PtlPutRegion without and with PTL_ACK_REQ, of parts with octets and without; all events at the initiator.",
  chapter = "3.10.1", requirements = { "P33-257", "P33-258" },
  run = function(t)
    local from, to = pair(t)
    for at, length in each { { 10, 20 }, { 10, 0 }, { 100, 0 }, { 0, 100 } } do
      local part = { mem_desc = "out-md", ["local"] = at, length = length, target = to, portal = 1 }
      t:setup(from:PtlPutRegion(part))
      t:equal("P33-258", "the events of " .. length .. " octets at " .. at .. ", asking for nothing",
        types_of_all(t, from, to), { "PTL_EVENT_SEND_END", "PTL_EVENT_SEND_START" })
      part.ack_req = "PTL_ACK_REQ"
      t:setup(from:PtlPutRegion(part))
      t:equal("P33-257", "the events of " .. length .. " octets at " .. at .. ", asking for an acknowledgement",
        Test.types(from:collect("eq", 3)), { "PTL_EVENT_ACK", "PTL_EVENT_SEND_END", "PTL_EVENT_SEND_START" })
    end
  end,
}

case {
  id = "parts-on-the-wire",
  title = "The requests for parts carry all that the calls say",
  purpose = "A scripted peer receives a put and a get of a part, with portal, cookie, bits, offset and header data; then some whose offsets, bits and header data are taken to their extremes, and exchanges with the same.",
  suite = "wire", chapter = "4.1", ranks = 1, wire = true,
  requirements = { "P33-279", "P33-280", "P33-281", "P33-282", "P33-286", "P33-296", "P33-298", "P33-358" },
  run = function(t)
    local rank, peer = t:open {}, t:peer {}
    rank:bind { region = "out", octets = 100, fill = "mix/1", md = "out-md" }
    local part = { mem_desc = "out-md", ["local"] = 30, length = 20, target = t.nid(peer.id), portal = 5, cookie = 3,
      match_bits = "0x123456789abcdef0", offset = 17 }
    t:setup(rank:PtlGetRegion(part))
    part.hdr_data = "0xfedcba9876543210"
    t:setup(rank:PtlPutRegion(part))
    local stream = t:accept(peer)
    t:judging("P33-296")
    local get = t:expect("P33-296", stream, "get", { portal = 5, cookie = 3, match_bits = 0x123456789abcdef0,
      offset = 17 })
    t:equal("P33-298", "the length that is asked for", get.rlength, 20)
    t:judging("P33-279")
    local put = t:expect("P33-279", stream, "put", { portal = 5 })
    t:equal("P33-280", "cookie of the put", put.cookie, 3)
    t:equal("P33-281", "match bits of the put", put.match_bits, 0x123456789abcdef0)
    t:equal("P33-282", "offset of the put", put.offset, 17)
    t:equal("P33-286", "octets of the put", put.data, t.mix(1, 20, 30))
    t:equal("P33-358", "header data of the put", put.hdr_data, 0xfedcba9876543210)
    for _, value in ipairs { 0x100000000, 0xfedcba9876543210, 1 << 63, -1 } do
      part.offset, part.match_bits, part.hdr_data = value, t.hex(value), nil
      t:setup(rank:PtlGetRegion(part))
      t:expect("P33-296", stream, "get", { match_bits = value, offset = value })
      part.hdr_data = t.hex(value)
      t:setup(rank:PtlPutRegion(part))
      put = t:expect("P33-279", stream, "put", { portal = 5 })
      t:equal("P33-281", "match bits of the put", put.match_bits, value)
      t:equal("P33-282", "offset of the put", put.offset, value)
      t:equal("P33-358", "header data of the put", put.hdr_data, value)
    end
  end,
}

case {
  id = "parts-and-thresholds",
  title = "Parts lower the threshold as whole regions do",
  purpose = "Descriptors with a threshold of 2, from which two parts are put, or into which two are fetched, none at the start: then they are used up.",
  suite = "memory-descriptors", chapter = "3.7.1", requirements = { "P33-149", "P33-150", "P33-145" },
  run = function(t)
    local from, to = pair(t)
    for name, verb, req, ended in each { { "source", "PtlPutRegion", "P33-150", "PTL_EVENT_SEND_END" },
      { "sink", "PtlGetRegion", "P33-149", "PTL_EVENT_REPLY_END" } } do
      from:bind { region = "out", md = name, desc = name, threshold = 2, eventq = "eq" }
      local part = { mem_desc = name, ["local"] = 10, length = 20, target = to, portal = 1 }
      for left = 1, 0, -1 do
        t:setup(from[verb](from, part))
        event_of(t, req, from, ended)
        t:equal(req, "what is left behind " .. verb, Descriptor.current(t, from, name).threshold, left)
      end
      t:rc("P33-145", from[verb](from, part), "PTL_INV_MD")
    end
  end,
}

-- Descriptors of rank 0 for an exchange of so many octets, with these thresholds.
local function values(from, octets, threshold_of_new, threshold_of_old)
  from:bind { region = "new", octets = octets, fill = "mix/5", desc = "new-desc", md = "new-md",
    threshold = threshold_of_new }
  from:bind { region = "old", octets = octets, desc = "old-desc", md = "old-md", threshold = threshold_of_old,
    eventq = "eq" }
end

for name, of_new, of_old in each { { "gives", 0, "inf" }, { "gets", "inf", 0 } } do
  case {
    id = "get-put-used-up-" .. name,
    title = "No exchange begins with a descriptor that is used up",
    purpose = "The descriptor that " .. name .. " has a threshold of zero: the call is refused, nothing arrives.",
    chapter = "3.10.3", requirements = { "P33-145" },
    run = function(t)
      local from, to = pair(t)
      values(from, 8, of_new, of_old)
      t:rc("P33-145", from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to, portal = 1 },
        "PTL_INV_MD")
      t:flush(from, to)
      t:no_event("P33-145", to, "eq", 0)
      t:octets("P33-145", "the octets of the target", to, "buf", "mix/2")
    end,
  }
end

case {
  id = "get-put-moves-on",
  title = "Exchanges move a local offset on, and their events tell where they were and whose",
  purpose = "Two exchanges of 8 octets with a descriptor that keeps the offset; all members of the events at the target.",
  chapter = "3.10.3",
  requirements = { "P33-160", "P33-227", "P33-228", "P33-229", "P33-230", "P33-231", "P33-233" },
  run = function(t)
    local from, to = pair(t, BOTH)
    values(from, 8)
    for i = 0, 1 do
      t:setup(from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to, portal = 1, match_bits = 0x77,
        offset = 50 })
      local events = {}
      for k, part in ipairs { "START", "END" } do
        events[k] = t:event("P33-160", to, "eq", { type = "PTL_EVENT_GETPUT_" .. part })
      end
      t:octets("P33-160", "the octets at the local offset", to, "buf", "mix/5", 8 * i, 8)
      for _, event in ipairs(events) do
        t:equal("P33-233", "the offset in " .. event.type, event.offset, 8 * i)
        t:equal("P33-228", "the portal in " .. event.type, event.portal, 1)
        t:equal("P33-229", "the match bits in " .. event.type, event.match_bits, 0x77)
        t:equal("P33-230", "the requested length in " .. event.type, event.rlength, 8)
        t:equal("P33-231", "the manipulated length in " .. event.type, event.mlength, 8)
        t:equal("P33-227", "the initiator in " .. event.type, event.initiator, from.id)
      end
      event_of(t, "P33-160", from, "PTL_EVENT_REPLY_END")
    end
  end,
}

case {
  id = "get-put-passes-on",
  title = "An exchange that a descriptor has no room for goes to the entry behind it",
  purpose = "The first of two entries has 4 octets, the exchange 8.",
  suite = "translation", chapter = "2.2", requirements = { "P33-019" },
  run = function(t)
    local from, to = t:open {}
    to:eq("eq", 64)
    from:eq("eq", 64)
    for i, octets in ipairs { 4, 8 } do
      to:attach { index = 1, me = "me" .. i, md = "md" .. i, desc = "desc" .. i, region = "buf" .. i, octets = octets,
        position = "PTL_INS_AFTER", options = BOTH, eventq = "eq" }
    end
    values(from, 8)
    t:setup(from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to, portal = 1 })
    local event = event_of(t, "P33-019", to, "PTL_EVENT_GETPUT_END")
    t:equal("P33-019", "the descriptor that serves", event.md_handle, "md2")
  end,
}

case {
  id = "bound-and-used-up-by-a-reply",
  title = "A bound descriptor with PTL_UNLINK goes with its last reply",
  purpose = "A get into one with a threshold of 1; its events, then its handle.",
  suite = "memory-descriptors", chapter = "3.7.4", requirements = { "P33-196", "P33-354" },
  run = function(t)
    local from, to = pair(t)
    from:bind { region = "in", octets = 8, desc = "in-desc", md = "in-md", threshold = 1, md_unlink = "PTL_UNLINK",
      eventq = "eq" }
    from:get { mem_desc = "in-md", target = to, portal = 1 }
    event_of(t, "P33-196", from, "PTL_EVENT_REPLY_END")
    local event = from:wait("eq").event
    t:check("P33-196", "PTL_EVENT_UNLINK comes", event ~= nil, "PTL_EVENT_UNLINK", "no event")
    t:equal("P33-354", "the event behind the last one", event.type, "PTL_EVENT_UNLINK")
    t:rc("P33-196", from:PtlMDUnlink { mem_desc = "in-md" }, "PTL_INV_MD")
  end,
}

case {
  id = "silent-but-acknowledged",
  title = "Who wants no beginnings, or no ends, sees acknowledgements all the same",
  purpose = "Puts with PTL_ACK_REQ from descriptors with either option; all events at the initiator.",
  suite = "memory-descriptors", chapter = "3.7.1", requirements = { "P33-220", "P33-373", "P33-374" },
  run = function(t)
    local from, to = pair(t)
    for name, option, other, req in each { { "no-start", NO_START, "PTL_EVENT_SEND_END", "P33-373" },
      { "no-end", NO_END, "PTL_EVENT_SEND_START", "P33-374" } } do
      from:bind { region = "out", length = 8, md = name, desc = name, options = option, eventq = "eq" }
      from:put { mem_desc = name, ack_req = "PTL_ACK_REQ", target = to, portal = 1 }
      local types = Test.types(from:collect("eq", 2))
      t:check("P33-220", "PTL_EVENT_ACK is among the events", types[1] == "PTL_EVENT_ACK", "PTL_EVENT_ACK", types)
      t:equal(req, "the events with " .. option, types, { "PTL_EVENT_ACK", other })
    end
    t:flush(from, to)
    t:no_event("P33-373", from, "eq", 0)
  end,
}

for name, option in each { { "starts", NO_START }, { "ends", NO_END }, { "both", NO_START .. "|" .. NO_END } } do
  case {
    id = "unlinked-without-" .. name,
    title = "Unlinking is told to whoever has a queue, whatever else is not",
    purpose = "A put uses up a descriptor with PTL_UNLINK and " .. option .. "; its unlinking is logged.",
    suite = "memory-descriptors", chapter = "3.8.1", requirements = { "P33-354" }, ranks = 1,
    run = function(t)
      local rank = t:open {}
      rank:eq()
      rank:attach { octets = 8, threshold = 1, md_unlink = "PTL_UNLINK", options = "PTL_MD_OP_PUT|" .. option,
        eventq = "eq" }
      rank:bind { octets = 8, region = "out", md = "out-md" }
      rank:put { mem_desc = "out-md", target = rank }
      event_of(t, "P33-354", rank, "PTL_EVENT_UNLINK")
    end,
  }

  case {
    id = "unacknowledged-without-" .. name,
    title = "PTL_MD_ACK_DISABLE keeps acknowledgements back, whatever events are logged",
    purpose = "A put with PTL_ACK_REQ to a descriptor with it and " .. option .. "; all events at the initiator.",
    suite = "memory-descriptors", chapter = "3.7.1", requirements = { "P33-170" },
    run = function(t)
      local from, to = pair(t, "PTL_MD_OP_PUT|PTL_MD_ACK_DISABLE|" .. option)
      from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, portal = 1 }
      t:equal("P33-170", "the events at the initiator", types_of_all(t, from, to),
        { "PTL_EVENT_SEND_END", "PTL_EVENT_SEND_START" })
      t:octets("P33-170", "what was put", to, "buf", "mix/1", 0, 100)
    end,
  }
end

case {
  id = "least-size-in-copies",
  title = "A descriptor's least size comes back as it was given",
  purpose = "A descriptor with a least size, and one with a number there that does not count; the copies in the events of puts and from PtlMDUpdate.",
  suite = "memory-descriptors", chapter = "3.8.2", requirements = { "P33-235", "P33-202", "P33-347" }, ranks = 1,
  run = function(t)
    local rank = t:open {}
    rank:eq("eq", 64)
    rank:bind { octets = 8, region = "out", md = "out-md" }
    for i, option in ipairs { "|PTL_MD_MAX_SIZE", "" } do
      local md = "md" .. i
      rank:attach { index = i, me = "me" .. i, md = md, desc = "desc" .. i, region = "buf" .. i, octets = 16,
        max_size = 9, options = "PTL_MD_OP_PUT|" .. NO_START .. option, eventq = "eq" }
      rank:put { mem_desc = "out-md", target = rank, portal = i }
      local event = t:event("P33-235", rank, "eq", { type = "PTL_EVENT_PUT_END" })
      local old = t:setup(rank:PtlMDUpdate { mem_desc = md, old = "was" }).old
      if option ~= "" then
        t:equal("P33-235", "max_size in the event", event.mem_desc.max_size, 9)
        t:equal("P33-202", "max_size in the old value", old.max_size, 9)
      end
    end
    rank:put { mem_desc = "out-md", target = rank, portal = 2 }
    t:event("P33-347", rank, "eq", { type = "PTL_EVENT_PUT_END", md_handle = "md2", offset = 8 })
  end,
}

case {
  id = "poll-the-only-one",
  title = "PtlEQPoll of one queue tells its number too",
  purpose = "An event in the only queue, without time, with a limit and without one.",
  suite = "polling", chapter = "3.8", requirements = { "P33-368" }, ranks = 1,
  run = function(t)
    local rank = t:open {}
    rank:eq()
    rank:attach { octets = 8, options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE|" .. NO_START, eventq = "eq" }
    rank:bind { octets = 8, region = "out", md = "out-md" }
    for timeout in each { { 0 }, { 5000 }, { "forever" } } do
      rank:put { mem_desc = "out-md", target = rank }
      t:flush(rank, rank)
      local result = t:rc("P33-368", rank:PtlEQPoll { queues = "eq", timeout = timeout }, "PTL_OK")
      t:equal("P33-368", "the queue", result.which, 0)
    end
  end,
}

case {
  id = "get-put-dropped-once",
  title = "An exchange that finds no place is counted once, and not answered",
  purpose = "One to a portal without entries, one by a cookie that admits nobody, and one to a descriptor of puts.",
  suite = "receiving", chapter = "4.2", requirements = { "P33-321", "P33-329", "P33-317" },
  run = function(t)
    local from, to = pair(t, "PTL_MD_OP_PUT")
    values(from, 8)
    to:ac_close(1)
    for req, portal, cookie in each { { "P33-321", 3, 0 }, { "P33-317", 1, 1 }, { "P33-321", 1, 0 } } do
      local before = to:drop_count()
      t:setup(from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to, portal = portal,
        cookie = cookie })
      t:flush(from, to)
      t:drops(req, to, before, 1)
    end
    t:no_event("P33-329", from, "eq", 0)
  end,
}

for verb, row in each { { "PtlPutRegion", "P33-361" }, { "PtlGetRegion", "P33-363" } } do
  case {
    id = "refused-parts-do-not-count-" .. verb:lower(),
    title = "A part that is refused leaves the threshold as it is",
    purpose = "A descriptor with a threshold of 2 is asked three times for a part that is not in its region. Then two good parts are served.",
    suite = "memory-descriptors", chapter = "3.7.1", requirements = { "P33-142", row },
    run = function(t)
      local from, to = pair(t)
      from:bind { region = "out", md = "twice", desc = "twice", threshold = 2, eventq = "eq" }
      local function part(at, length)
        return from[verb](from, { mem_desc = "twice", ["local"] = at, length = length, target = to, portal = 1 })
      end
      for _, at in ipairs { 81, 101, 1 << 40 } do
        t:rc(row, part(at, 20), "PTL_ILL_MD")
        t:equal("P33-142", "threshold behind a refused part", Descriptor.current(t, from, "twice").threshold, 2)
      end
      for left = 1, 0, -1 do
        t:rc("P33-142", part(10, 20), "PTL_OK")
        event_of(t, "P33-142", from, verb == "PtlPutRegion" and "PTL_EVENT_SEND_END" or "PTL_EVENT_REPLY_END")
        t:equal("P33-142", "what is left of the threshold", Descriptor.current(t, from, "twice").threshold, left)
      end
    end,
  }
end
