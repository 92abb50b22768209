-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.8.2, member by member: what an event of each of the five kinds says of its request, and of its descriptor.

defaults { suite = "events", chapter = "3.8" }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local BITS = 0xa5000000f0000017

-- Which requirement is about which member.
local MEMBERS = { { "portal", "P30-228" }, { "match_bits", "P30-229" }, { "rlength", "P30-230" },
  { "mlength", "P30-231" } }

local function options_of(text)
  local names = {}
  for name in tostring(text):gmatch("[^|]+") do names[name] = true end
  return names
end

-- The event's members, and the copy of the descriptor but for its threshold.
local function judge(t, event, wanted, desc)
  for member, req in each(MEMBERS) do
    t:equal(req, member .. " in " .. wanted.type, event[member], wanted[member])
  end
  for _, member in ipairs { "start", "length", "user_ptr", "eventq" } do
    t:equal("P30-235", member .. " of the descriptor in " .. wanted.type, event.mem_desc[member], desc[member])
  end
  t:equal("P30-235", "options of the descriptor in " .. wanted.type, options_of(event.mem_desc.options),
    options_of(desc.options))
end

-- The next event of this type; PTL_EVENT_SENT of a get, which a known reading logs (P30-223), is passed over.
local function next_of(t, rank, eq, kind)
  local event = rank:wait(eq).event
  if event and kind == "PTL_EVENT_REPLY" and event.type == "PTL_EVENT_SENT" then
    event = rank:wait(eq).event
  end
  t:sanity(kind .. " comes", event ~= nil and event.type == kind)
  return event
end

-- Rank 1 takes everything at portal 5 into 50 octets at 3; rank 0 has "out-md" of 40 octets at 9. Returns both and
-- what the two descriptors say.
local function pair(t)
  local from, to = t:open {}
  to:eq("theirs", 64)
  to:region("buf", 64, { fill = "mix/2" })
  to:attach { index = 5, ignorebits = -1, start = "buf+3", length = 50, user_ptr = 0x7e1,
    options = PUT .. "|" .. GET .. "|" .. REMOTE .. "|" .. TRUNCATE, eventq = "theirs" }
  from:eq("ours", 64)
  from:region("out", 64, { fill = "mix/1" })
  from:bind { start = "out+9", length = 40, md = "out-md", user_ptr = 0x7e0, options = TRUNCATE, eventq = "ours" }
  return from, to, { start = "out+9", length = 40, user_ptr = 0x7e0, options = TRUNCATE, eventq = "ours" },
    { start = "buf+3", length = 50, user_ptr = 0x7e1, options = PUT .. "|" .. GET .. "|" .. REMOTE .. "|" .. TRUNCATE,
      eventq = "theirs" }
end

case {
  id = "event-members-at-target",
  title = "The target events of a put and of a get describe request and descriptor alike",
  purpose = "A put and a get with bits of their own are taken whole, and again cut to 15 octets. Portal, bits, lengths and the copy of the descriptor are compared in PTL_EVENT_PUT and in PTL_EVENT_GET.",
  requirements = { "P30-228", "P30-229", "P30-230", "P30-231", "P30-235" }, ranks = 2,
  run = function(t)
    local from, to, _, desc = pair(t)
    for i, verb in ipairs { "put", "get" } do
      local kind = verb == "put" and "PTL_EVENT_PUT" or "PTL_EVENT_GET"
      for _, row in ipairs { { 10, 40 }, { 35, 15 } } do
        from[verb](from, { mem_desc = "out-md", target = to, portal = 5, match_bits = BITS + i, offset = row[1] })
        judge(t, next_of(t, to, "theirs", kind),
          { type = kind, portal = 5, match_bits = BITS + i, rlength = 40, mlength = row[2] }, desc)
      end
    end
  end,
}

case {
  id = "event-members-at-initiator",
  title = "The initiator events of a put and of a get describe the request and the initiator's descriptor",
  purpose = "An acknowledged put and a get, each with bits of its own. Portal, bits, lengths and the copy of the descriptor are compared in PTL_EVENT_SENT, PTL_EVENT_ACK and PTL_EVENT_REPLY.",
  requirements = { "P30-228", "P30-229", "P30-230", "P30-231", "P30-235" }, ranks = 2,
  run = function(t)
    local from, to, desc = pair(t)
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, portal = 5, match_bits = BITS, offset = 7 }
    local events = from:collect("ours", 2)
    t:sanity("both events of the put come", #events == 2 and events[1].type ~= events[2].type)
    for _, event in ipairs(events) do
      judge(t, event, { type = event.type, portal = 5, match_bits = BITS, rlength = 40, mlength = 40 }, desc)
    end
    from:get { mem_desc = "out-md", target = to, portal = 5, match_bits = BITS + 1, offset = 35 }
    judge(t, next_of(t, from, "ours", "PTL_EVENT_REPLY"),
      { type = "PTL_EVENT_REPLY", portal = 5, match_bits = BITS + 1, rlength = 40, mlength = 15 }, desc)
  end,
}

case {
  id = "event-of-a-region-of-no-octets",
  title = "An event of a descriptor without octets still says where its region is",
  purpose = "Descriptors of length 0 that start inside a region take an empty put, send it and are acknowledged, and take the reply of a get. Each event shows the descriptor as it was made.",
  requirements = { "P30-235" },
  run = function(t)
    local rank = t:open {}
    rank:region("buf", 64)
    for name, start, mark in each { { "theirs", "buf+3", 5 }, { "ours", "buf+9", 6 } } do
      rank:eq(name, 16)
      rank:md { name = name .. "-desc", start = start, length = 0, user_ptr = mark, options = PUT .. "|" .. GET .. "|"
        .. REMOTE, eventq = name }
    end
    rank:me_attach { index = 5, ignorebits = -1 }
    rank:md_attach { mem_desc = "theirs-desc" }
    rank:md_bind { mem_desc = "ours-desc", handle = "out-md" }
    rank:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = rank, portal = 5 }
    local events = rank:collect("ours", 2)
    rank:get { mem_desc = "out-md", target = rank, portal = 5 }
    events[#events + 1] = next_of(t, rank, "ours", "PTL_EVENT_REPLY")
    for _, kind in ipairs { "PTL_EVENT_PUT", "PTL_EVENT_GET" } do
      events[#events + 1] = next_of(t, rank, "theirs", kind)
    end
    t:equal("P30-235", "events", #events, 5)
    for _, event in ipairs(events) do
      local served = event.type == "PTL_EVENT_PUT" or event.type == "PTL_EVENT_GET"
      local found = event.mem_desc
      t:equal("P30-235", "the descriptor in " .. event.type, { found.start, found.length, found.user_ptr },
        served and { "buf+3", 0, 5 } or { "buf+9", 0, 6 })
    end
  end,
}

case {
  id = "event-offset-of-own",
  title = "SENT and ACK show the offset that was asked for, REPLY the place in the initiator's own region",
  purpose = "An acknowledged put and a get with an offset of 7. The document says of an event's offset no more than that it is where the operation used the region: other values give a warning.",
  requirements = { "P30-233" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, portal = 5, offset = 7 }
    local events = from:collect("ours", 2)
    t:sanity("both events of the put come", #events == 2)
    from:get { mem_desc = "out-md", target = to, portal = 5, offset = 7 }
    events[3] = next_of(t, from, "ours", "PTL_EVENT_REPLY")
    for _, event in ipairs(events) do
      local wanted = event.type == "PTL_EVENT_REPLY" and 0 or 7
      t:reading("P30-233", "answer_event_offset", "offset of " .. event.type,
        event.offset == wanted and wanted or "another",
        { { "request_then_zero", wanted }, { "unspecified", "another" } })
    end
  end,
}

case {
  id = "event-ack-is-what-came",
  title = "The event of an acknowledgement is built from the message, not from what the initiator remembers",
  purpose = "The peer acknowledges a put with other values in all fields but the handle. Section 4.2 has the receiver confirm no more than that there is a queue with room, and build the event from the message: it shows what came.",
  requirements = { "P30-310" }, chapter = "4.2", wire = true, negative = true,
  run = function(t)
    t:open {}
    local rank, peer = t.ranks[0], t:peer {}
    rank:eq("eq")
    rank:bind { region = "out", octets = 64, md = "out-md", eventq = "eq" }
    rank:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id), portal = 1, match_bits = 2 }
    local stream = t:accept(peer)
    local put = stream:receive()
    t:sanity("the put arrives", put ~= nil and put.operation == "put")
    t:sanity("the sent event comes", rank:wait("eq").event.type == "PTL_EVENT_SENT")
    t:send_invalid("P30-310", stream, stream:answer_of(put, { portal = 6, match_bits = BITS, offset = 12345,
      rlength = 0xf0000000, mlength = 0xefffffff }), { "ack-portal", "ack-match-bits", "ack-offset", "ack-rlength" })
    local event = t:event("P30-310", rank, "eq", { type = "PTL_EVENT_ACK", portal = 6, match_bits = BITS,
      rlength = 0xf0000000, mlength = 0xefffffff })
    t:reading("P30-310", "answer_event_offset", "offset of the event", event.offset == 12345 and 12345 or "another",
      { { "request_then_zero", 12345 }, { "unspecified", "another" } })
  end,
}
