-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.8.1 and 3.8.2 from where operations begin: which events a put and a get have at their initiator, of which
-- type, in which queue, and in which order.

defaults { suite = "events", chapter = "3.8", still = { "P32-224" } }

local PUT, GET, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"

-- Rank 1 takes puts and gets at portal 0 with bits 1; rank 0 has "out-md" with the queue "eq".
local function pair(t)
  local from, to = t:open {}
  to:eq("eq")
  to:attach { octets = 64, match_bits = 1, options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
  from:region("out", 64, { fill = "mix/1" })
  return from, to
end

-- Whether an id of any kind is that of the process: a library may know it by one of its two addressings.
local function same_process(id, process)
  if not Values.is_id(id) or id.kind == "kind" then return false end
  for _, member in ipairs(id.kind == "nid" and { "nid", "pid" } or { "gid", "rid" }) do
    if id[member] ~= process[member] then return false end
  end
  return id.kind ~= "both" or (id.nid == process.nid and id.pid == process.pid)
end

-- The first event of a get at its initiator that is not PTL_EVENT_SENT, which a known reading logs as well (P30-223).
local function event_of_get(rank, eq)
  local event = rank:wait(eq).event
  if event and event.type == "PTL_EVENT_SENT" then event = rank:wait(eq).event end
  return event
end

case {
  id = "event-types",
  title = "The type of an event is that of its operation, at both ends",
  purpose = "A put, a get and an acknowledged put, one at a time: SENT and PUT, REPLY and GET, SENT and ACK.",
  requirements = { "P30-226" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    from:eq("eq")
    from:bind { region = "out", md = "out-md", eventq = "eq" }
    local function judge(what, event, wanted)
      t:equal("P30-226", "type of the event " .. what, event and event.type, wanted)
    end
    from:put { mem_desc = "out-md", target = to, match_bits = 1 }
    judge("at the initiator of a put", from:wait("eq").event, "PTL_EVENT_SENT")
    judge("at its target", to:wait("eq").event, "PTL_EVENT_PUT")
    from:get { mem_desc = "out-md", target = to, match_bits = 1 }
    judge("at the initiator of a get", event_of_get(from, "eq"), "PTL_EVENT_REPLY")
    judge("at its target", to:wait("eq").event, "PTL_EVENT_GET")
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, match_bits = 1 }
    t:equal("P30-226", "types of the events of an acknowledged put", t.types((from:collect("eq", 2))),
      { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
    judge("at its target", to:wait("eq").event, "PTL_EVENT_PUT")
  end,
}

for octets, options in each { { 64, "0" }, { 0, "0" }, { 64, PUT .. "|" .. REMOTE }, { 0, GET },
    { 64, PUT .. "|" .. GET .. "|" .. REMOTE } } do
  case {
    id = "event-types-of-a-listed-source-of-" .. octets .. "-with-" .. (options == "0" and "nothing"
      or options:gsub("PTL_MD_OP_", ""):gsub("PTL_MD_MANAGE_REMOTE", "offset"):gsub("|", "-"):lower()),
    title = "The type of an event is that of its operation where the initiator's descriptor stands in a list",
    purpose = "A descriptor of a match list is put from, gets, and is put from with an acknowledgement: SENT, REPLY, ACK and SENT, as for one that stands in no list, whatever it responds to and however long it is.",
    requirements = { "P30-226" }, ranks = 2,
    run = function(t)
      local from, to = pair(t)
      from:eq("eq")
      from:attach { region = "out", length = octets, options = options, eventq = "eq" }
      for round = 1, 2 do
        local mine = { mem_desc = "md", target = to, match_bits = 1 }
        from:put(mine)
        t:equal("P30-226", "type of the event of put " .. round, (from:wait("eq").event or {}).type, "PTL_EVENT_SENT")
        from:get(mine)
        t:equal("P30-226", "type of the event of get " .. round, (event_of_get(from, "eq") or {}).type,
          "PTL_EVENT_REPLY")
        mine.ack_req = "PTL_ACK_REQ"
        from:put(mine)
        t:equal("P30-226", "types of the events of acknowledged put " .. round, t.types((from:collect("eq", 2))),
          { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
        for _, wanted in ipairs { "PUT", "GET", "PUT" } do
          t:equal("P30-226", "type of the event at the target", (to:wait("eq").event or {}).type,
            "PTL_EVENT_" .. wanted)
        end
      end
    end,
  }
end

case {
  id = "event-get-is-never-acknowledged",
  title = "A get of any length has a reply and no acknowledgement",
  purpose = "Gets of 0, 1 and 64 octets, and of 64 where the target has none or a few: of each comes one PTL_EVENT_REPLY, and behind all of them no event is left.",
  requirements = { "P30-172" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    from:eq("eq", 64)
    for index, length in ipairs { 0, 5 } do
      to:attach { index = index, me = "short-me" .. index, md = "short-md" .. index, desc = "short" .. index,
        region = "buf", length = length, options = GET .. "|PTL_MD_TRUNCATE|" .. REMOTE, eventq = "eq" }
    end
    for portal, octets in each { { 0, 0 }, { 0, 1 }, { 0, 64 }, { 1, 64 }, { 2, 64 }, { 1, 0 }, { 0, 0 } } do
      from:bind { region = "out", length = octets, md = "in-md", eventq = "eq" }
      from:get { mem_desc = "in-md", target = to, portal = portal, match_bits = portal == 0 and 1 or 0 }
      local event = event_of_get(from, "eq") or {}
      t:equal("P30-172", string.format("what a get of %d octets from portal %d has", octets, portal), event.type,
        "PTL_EVENT_REPLY")
      t:flush(to, from)
      local acknowledged = 0
      for _, other in ipairs((from:collect("eq", 8, 0))) do
        acknowledged = acknowledged + (other.type == "PTL_EVENT_ACK" and 1 or 0)
      end
      t:equal("P30-172", "acknowledgements of it", acknowledged, 0)
    end
  end,
}

case {
  id = "event-initiator-of-own-operations",
  title = "The initiator in events of a process's own operations has all members of one process",
  purpose = "SENT, REPLY, ACK and SENT of puts and gets of two ranks, from bound and from listed descriptors, some of no octets. Each shows the process that has called, or, by a reading, its peer: with both addresses, or with the one that the id's kind tells.",
  requirements = { "P30-061" }, ranks = 3,
  run = function(t)
    pair(t)
    local to = t.ranks[1]
    for _, i in ipairs { 0, 2 } do
      local rank = t.ranks[i]
      rank:region("own", 64)
      rank:eq("own-eq", 16)
      for _, octets in ipairs { 64, 0 } do
        rank:bind { desc = "own-desc", region = "own", length = octets, md = "bound-md", eventq = "own-eq" }
        rank:attach { index = 3, me = "listed-me", desc = "listed", region = "own", length = octets, md = "listed-md",
          eventq = "own-eq" }
        for _, md in ipairs { "bound-md", "listed-md" } do
          local mine = { mem_desc = md, target = to, match_bits = 1 }
          rank:get(mine)
          local events = { event_of_get(rank, "own-eq") }
          mine.ack_req = "PTL_ACK_REQ"
          rank:put(mine)
          for _, event in ipairs((rank:collect("own-eq", 2))) do events[#events + 1] = event end
          t:equal("P30-061", "events of a get and a put", t.types(events),
            { "PTL_EVENT_ACK", "PTL_EVENT_REPLY", "PTL_EVENT_SENT" })
          for _, event in ipairs(events) do
            local id = event.initiator
            t:check("P30-061", "the initiator in " .. event.type .. " of rank " .. i,
              same_process(id, rank.id) or same_process(id, to.id), Values.show(rank.id), Values.show(id))
          end
        end
      end
    end
  end,
}

case {
  id = "event-put-dropped",
  title = "A put that the target discards has PTL_EVENT_SENT and never PTL_EVENT_ACK",
  purpose = "A put that nobody takes asks for an acknowledgement, as does a good one behind it. Two sent events and the acknowledgement of the good one come, and nothing else.",
  requirements = { "P30-224" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    from:eq("eq")
    from:bind { region = "out", md = "out-md", eventq = "eq" }
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, match_bits = 2 }
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, match_bits = 1 }
    local events = from:collect("eq", 3)
    t:equal("P30-224", "events of the two puts", t.types(events),
      { "PTL_EVENT_ACK", "PTL_EVENT_SENT", "PTL_EVENT_SENT" })
    for _, event in ipairs(events) do
      if event.type == "PTL_EVENT_ACK" then
        t:equal("P30-224", "match bits of the acknowledged put", event.match_bits, 1)
      end
    end
    t:equal("P30-224", "further events", from:PtlEQCount().count, 0)
  end,
}

case {
  id = "event-ack-before-sent",
  title = "An acknowledgement may come while the put is still being sent",
  purpose = "The peer reads nothing of a put of 16 MiB and acknowledges it, before it can know that there is one, with manipulated length zero, as a target may that takes none of the data. Whichever of PTL_EVENT_SENT and PTL_EVENT_ACK is logged first, each is logged once.",
  requirements = { "P30-225" }, wire = true, negative = true,
  run = function(t)
    t:open { acl_size = 4 }
    local rank, peer, octets = t.ranks[0], t:peer {}, 16777216
    rank:ac_entry { index = 2, matchid = t.any_nid, portal = "any" }
    rank:eq("eq")
    rank:eq("seen")
    rank:attach { octets = 8, index = 3, matchid = t.any_nid, eventq = "seen" }
    rank:bind { region = "big", octets = octets, md = "big-md", eventq = "eq" }
    rank:get { mem_desc = "big-md", target = t.nid(peer.id) }
    local stream = t:accept(peer)
    local get = stream:receive()
    t:sanity("a get tells the descriptor's handle", get ~= nil and get.operation == "get")
    stream:stop_reading()
    rank:put { mem_desc = "big-md", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id) }
    t:send_invalid("P30-225", stream,
      stream.echo(get, { operation = "ack", md = get.md, rlength = octets, mlength = 0 }), "ack-for-get")
    stream:send { operation = "put", portal = 3, cookie = 2, data = "behind" }
    t:sanity("what was sent behind the acknowledgement has arrived", rank:wait("seen").event ~= nil)
    stream:resume_reading()
    t:expect("P30-225", stream, "put", { md = get.md }, 20000)
    t:equal("P30-225", "events of the put", t.types((rank:collect("eq", 2))), { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
    t:equal("P30-225", "further events", rank:count_events("eq"), 0)
  end,
}

case {
  id = "event-own-queue",
  title = "The events of an operation come to the queue of its descriptor and to no other",
  purpose = "Three descriptors with three queues; from the second one a put, an acknowledged put and a get begin. Neither the older nor the younger queue sees anything.",
  requirements = { "P30-261", "P30-262", "P30-272" }, chapter = "3.10", ranks = 2,
  run = function(t)
    local from, to = pair(t)
    for _, name in ipairs { "older", "right", "younger" } do
      from:eq(name)
      from:bind { region = "out", md = name .. "-md", eventq = name }
    end
    local function judge_others(req)
      for _, name in ipairs { "older", "younger" } do
        t:equal(req, "events in the " .. name .. " queue", from:PtlEQCount { eventq = name }.count, 0)
      end
    end
    from:put { mem_desc = "right-md", target = to, match_bits = 1 }
    t:event("P30-261", from, "right", { type = "PTL_EVENT_SENT" })
    judge_others("P30-261")
    t:judging("P30-262")
    from:put { mem_desc = "right-md", ack_req = "PTL_ACK_REQ", target = to, match_bits = 1 }
    t:equal("P30-262", "events of an acknowledged put in its queue", t.types((from:collect("right", 2))),
      { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
    judge_others("P30-262")
    t:judging("P30-272")
    from:get { mem_desc = "right-md", target = to, match_bits = 1 }
    local event = event_of_get(from, "right")
    t:equal("P30-272", "event of a get in its queue", event and event.type, "PTL_EVENT_REPLY")
    judge_others("P30-272")
  end,
}

case {
  id = "event-initiator-of-own",
  title = "Every event names the process that began its operation",
  purpose = "At the target PUT and GET name rank 0. SENT, ACK and REPLY belong to operations of rank 0 itself; implementations are known that give the peer instead.",
  requirements = { "P30-227" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    from:eq("eq")
    from:bind { region = "out", md = "out-md", eventq = "eq" }
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, match_bits = 1 }
    from:get { mem_desc = "out-md", target = to, match_bits = 1 }
    for _, event in ipairs((from:collect("eq", 3))) do
      local id = event.initiator
      t:reading("P30-227", "answer_event_initiator", "the initiator of " .. event.type,
        same_process(id, from.id) and "the process itself" or same_process(id, to.id) and "its peer" or id,
        { { "self", "the process itself" }, { "peer", "its peer" } })
    end
    for _, event in ipairs((to:collect("eq", 2))) do
      t:check("P30-227", "the initiator of " .. event.type, same_process(event.initiator, from.id), from.id,
        event.initiator)
    end
  end,
}
