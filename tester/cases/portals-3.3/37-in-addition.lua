-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What 3.3 has in addition, where two things meet or one is used again: options that an update changes, gets and
-- exchanges beside puts, replies that are shorter than what was asked for, jobs in events of every kind. Rank 0 acts,
-- rank 1 answers.

defaults { suite = "memory-descriptors", chapter = "3.7.1", ranks = 2 }

local NO_START <const>, NO_END <const> = "PTL_MD_EVENT_START_DISABLE", "PTL_MD_EVENT_END_DISABLE"
local BOTH <const>, REMOTE <const> = "PTL_MD_OP_PUT|PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"

-- Rank 0 with a descriptor of 100 octets, rank 1 with one of 100 that serves it with these options; both with a queue.
local function pair(t, options)
  local from, to = t:open {}
  from:eq("eq", 64)
  to:eq("eq", 64)
  from:bind { region = "out", octets = 100, fill = "mix/1", md = "out-md", eventq = "eq" }
  to:attach { octets = 100, fill = "mix/2", options = options or BOTH .. "|" .. REMOTE, eventq = "eq" }
  return from, to
end

-- Descriptors of rank 0 for an exchange of so many octets.
local function for_exchanges(from, octets)
  from:bind { region = "new", octets = 8, length = octets, desc = "new-desc", md = "new-md", eventq = "eq" }
  from:bind { region = "old", octets = 8, length = octets, desc = "old-desc", md = "old-md", eventq = "eq" }
end

-- The events of a rank up to one of this type.
local function events_until(t, req, rank, last)
  local seen = {}
  repeat
    seen[#seen + 1] = rank:wait("eq").event
    t:check(req, rank.label .. ": " .. last .. " comes", seen[#seen] and #seen < 64, last, "no event")
  until seen[#seen].type == last
  return seen
end

case {
  id = "job-in-every-event",
  title = "Events of every kind tell the job of the initiator",
  purpose = "A put with an acknowledgement, a get and an exchange; the job in all events of both sides.",
  chapter = "3.8.2", requirements = { "P33-379" },
  run = function(t)
    local from, to = pair(t)
    for_exchanges(from, 8)
    local jid = t:setup(from:PtlGetJid()).jid
    local function judge(events)
      for _, event in ipairs(events) do
        t:equal_or_warn("P33-379", "the job in " .. event.type, event.jid, jid,
          event.type == "PTL_EVENT_ACK" and { [0] = "acknowledgements name no job" } or {})
      end
    end
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to }
    judge(events_until(t, "P33-379", to, "PTL_EVENT_PUT_END"))
    local mine = from:collect("eq", 3)
    t:sanity("the put is acknowledged", #mine == 3)
    judge(mine)
    from:get { mem_desc = "out-md", target = to }
    judge(events_until(t, "P33-379", to, "PTL_EVENT_GET_END"))
    judge(events_until(t, "P33-379", from, "PTL_EVENT_REPLY_END"))
    t:setup(from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to })
    judge(events_until(t, "P33-379", to, "PTL_EVENT_GETPUT_END"))
    judge(events_until(t, "P33-379", from, "PTL_EVENT_REPLY_END"))
  end,
}

case {
  id = "job-whichever-interface",
  title = "The job of a process is the same by each interface, and when one is opened again",
  purpose = "PtlGetJid by the default interface, by the second one, where there is one, and by the default one when it was closed and opened again.",
  suite = "ids", chapter = "3.4", requirements = { "P33-378" },
  run = function(t)
    local rank = t:open {}
    local jid = t:rc("P33-378", rank:PtlGetJid(), "PTL_OK").jid
    if rank:PtlNIInit { interface = 1, handle = "ni1" }.rc == "PTL_OK" then
      t:equal("P33-378", "the job by the second interface", rank:PtlGetJid { interface = "ni1" }.jid, jid)
    end
    rank:ni_fini {}
    if t:opens_again("P33-378", rank, {}) then
      t:equal("P33-378", "the job by the interface that was opened again", rank:PtlGetJid().jid, jid)
    end
  end,
}

for name, option, silenced, heard, requirement in each {
  { "starts", NO_START, "_START$", "PTL_EVENT_PUT_END", "P33-373" },
  { "ends", NO_END, "_END$", "PTL_EVENT_PUT_START", "P33-374" } } do
  case {
    id = "events-updated-without-" .. name,
    title = "An update takes events away, and another one gives them back",
    purpose = "A descriptor with " .. option .. " by PtlMDUpdate, and then without it; the events of puts before, "
      .. "between and behind.",
    chapter = "3.7.6", requirements = { requirement },
    run = function(t)
      local from, to = pair(t)
      local function seen(added)
        local options = BOTH .. "|" .. REMOTE .. added
        to:md { name = "next", region = "buf", options = options, eventq = "eq" }
        t:setup(to:PtlMDUpdate { new = "next" })
        from:put { mem_desc = "out-md", target = to }
        t:flush(from, to)
        return to:collect("eq", added == "" and 2 or 1)
      end
      for _ = 1, 2 do
        t:equal(requirement, "the events without the option", Test.types(seen("")),
          { "PTL_EVENT_PUT_END", "PTL_EVENT_PUT_START" })
        for _, event in ipairs(seen("|" .. option)) do
          t:check(requirement, event.type .. " is not logged", not event.type:find(silenced), heard, event.type)
        end
        t:no_event(requirement, to, "eq", 0)
      end
    end,
  }
end

for name, offset, moved in each { { "short", 80, 20 }, { "of-one-octet", 99, 1 }, { "empty", 100, 0 } } do
  case {
    id = "get-region-answered-" .. name,
    title = "A reply that is shorter than what was asked for goes to the start of the part",
    purpose = "41 octets are fetched behind 33 others, of which the target has " .. moved .. "; the rest of the region "
      .. "is as it was. A second one goes elsewhere.",
    suite = "regions", chapter = "3.10.2", requirements = { "P33-362" },
    run = function(t)
      local from, to = pair(t, BOTH .. "|" .. REMOTE .. "|PTL_MD_TRUNCATE")
      for _, at in ipairs { 33, 50 } do
        from:fill("out", "mix/1")
        t:rc("P33-362", from:PtlGetRegion { mem_desc = "out-md", ["local"] = at, length = 41, target = to,
          offset = offset }, "PTL_OK")
        local events = events_until(t, "P33-362", from, "PTL_EVENT_REPLY_END")
        t:equal("P33-362", "octets of the reply", events[#events].mlength, moved)
        t:octets("P33-362", "the octets before the part", from, "out", "mix/1", 0, at)
        if moved > 0 then t:octets("P33-362", "the part", from, "out", "mix/2/" .. offset, at, moved) end
        t:octets("P33-362", "the octets behind it", from, "out", "mix/1/" .. at + moved, at + moved)
      end
    end,
  }
end

for name, unlink in each { { "retained", "PTL_RETAIN" }, { "unlinked", "PTL_UNLINK" } } do
  case {
    id = "unlink-words-and-thresholds-" .. name,
    title = "PtlMDAttach and PtlMDBind take both words whatever the threshold is",
    purpose = "Descriptors with " .. unlink .. " and thresholds of 0, 1, 2, 1000 and without limit, with a queue and "
      .. "without.",
    chapter = "3.7.4", ranks = 1, requirements = { "P33-345" },
    run = function(t)
      local rank = t:open {}
      rank:eq()
      rank:region("buf", 8)
      for _, threshold in ipairs { 0, 1, 2, 1000, "inf" } do
        for _, eventq in ipairs { "eq", "none" } do
          rank:md { region = "buf", threshold = threshold, options = BOTH, eventq = eventq }
          rank:me_attach {}
          t:rc("P33-345", rank:PtlMDAttach { unlink = unlink }, "PTL_OK")
          t:rc("P33-345", rank:PtlMDBind { unlink = unlink, handle = "bound" }, "PTL_OK")
          rank:PtlMDUnlink { mem_desc = "bound" }
          rank:PtlMEUnlink {}
        end
      end
    end,
  }
end

case {
  id = "max-size-for-all-requests",
  title = "Too little room makes a descriptor inactive for gets and exchanges as for puts",
  purpose = "A descriptor of 20 octets with a least size of 8 serves a get and a put of 8 octets. Gets, puts and exchanges of one octet are dropped then.",
  ranks = 1, requirements = { "P33-347" },
  run = function(t)
    local rank = t:open {}
    rank:eq("eq", 64)
    rank:bind { region = "out", octets = 8, fill = "mix/1", desc = "eight", md = "eight-md" }
    rank:bind { region = "out", length = 1, desc = "one", md = "one-md" }
    rank:bind { region = "in", octets = 1, desc = "in-desc", md = "in-md" }
    rank:attach { octets = 20, max_size = 8, options = BOTH .. "|PTL_MD_MAX_SIZE|" .. NO_START, eventq = "eq" }
    for i, verb in ipairs { "get", "put" } do
      rank[verb](rank, { mem_desc = "eight-md", target = rank })
      t:event("P33-347", rank, "eq", { type = "PTL_EVENT_" .. verb:upper() .. "_END", offset = 8 * (i - 1) })
    end
    for _ = 1, 2 do
      local before = rank:drop_count()
      rank:get { mem_desc = "one-md", target = rank }
      rank:put { mem_desc = "one-md", target = rank }
      t:setup(rank:PtlGetPut { mem_desc = "in-md", put_desc = "one-md", target = rank })
      t:drops("P33-347", rank, before, 3)
    end
    t:no_event("P33-347", rank, "eq", 0)
  end,
}

case {
  id = "get-put-of-nothing",
  title = "An exchange without octets is logged as all others",
  purpose = "Descriptors of no octets are exchanged, twice; the events of both sides, and the lengths in them.",
  suite = "regions", chapter = "3.10.3", requirements = { "P33-366" },
  run = function(t)
    local from, to = pair(t)
    for_exchanges(from, 0)
    for _ = 1, 2 do
      local result = from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to, offset = 40 }
      t:skip_if(result.rc ~= "PTL_OK", "no exchange of nothing is begun: " .. result.rc)
      for _, kind in ipairs { "PTL_EVENT_GETPUT_START", "PTL_EVENT_GETPUT_END" } do
        local event = t:event("P33-366", to, "eq", { type = kind })
        t:equal("P33-366", "both lengths in " .. kind, { event.rlength, event.mlength }, { 0, 0 })
      end
      local seen = {}
      for _, event in ipairs(events_until(t, "P33-366", from, "PTL_EVENT_REPLY_END")) do
        if event.type:find("REPLY") then seen[#seen + 1] = event end
      end
      t:equal("P33-366", "the events of the reply", Test.types(seen),
        { "PTL_EVENT_REPLY_END", "PTL_EVENT_REPLY_START" })
      for _, event in ipairs(seen) do
        t:equal("P33-366", "the descriptor in " .. event.type, event.md_handle, "old-md")
      end
    end
    t:octets("P33-366", "the octets of the target", to, "buf", "mix/2")
  end,
}

case {
  id = "get-put-again-and-again",
  title = "The same two descriptors exchange as often as wanted, what they have then",
  purpose = "Three exchanges of 8 octets at two places by turns; the descriptor that is put has other octets each time, and the one that gets what was there.",
  suite = "regions", chapter = "3.10.3", requirements = { "P33-364" },
  run = function(t)
    local from, to = pair(t)
    for_exchanges(from, 8)
    local there = { [40] = "mix/2/40", [92] = "mix/2/92" }
    for i, offset in ipairs { 40, 92, 40, 92, 40 } do
      from:fill("new", "mix/" .. 10 + i)
      local result = from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to, offset = offset }
      t:rc("P33-364", result, "PTL_OK")
      events_until(t, "P33-364", from, "PTL_EVENT_REPLY_END")
      t:octets("P33-364", "what exchange " .. i .. " got", from, "old", there[offset])
      there[offset] = "mix/" .. 10 + i
      t:octets("P33-364", "what is there now", to, "buf", there[offset], offset, 8)
      t:octets("P33-364", "what was put", from, "new", there[offset])
    end
    t:octets("P33-364", "what is before them", to, "buf", "mix/2", 0, 40)
    t:octets("P33-364", "what is between them", to, "buf", "mix/2/48", 48, 44)
  end,
}

case {
  id = "put-region-cut",
  title = "Of a part that is cut the first octets arrive",
  purpose = "Parts of 41 octets are put where there is room for 20, for one and for none; what arrives, and what is around it.",
  suite = "regions", chapter = "3.10.1", requirements = { "P33-360" },
  run = function(t)
    local from, to = pair(t, BOTH .. "|" .. REMOTE .. "|PTL_MD_TRUNCATE")
    for _, room in ipairs { 20, 1, 0 } do
      to:fill("buf", "mix/2")
      t:rc("P33-360", from:PtlPutRegion { mem_desc = "out-md", ["local"] = 33, length = 41, target = to,
        offset = 100 - room }, "PTL_OK")
      local events = events_until(t, "P33-360", to, "PTL_EVENT_PUT_END")
      t:equal("P33-360", "both lengths", { events[#events].rlength, events[#events].mlength }, { 41, room })
      if room > 0 then t:octets("P33-360", "what arrives", to, "buf", "mix/1/33", 100 - room, room) end
      t:octets("P33-360", "what is before it", to, "buf", "mix/2", 0, 100 - room)
    end
  end,
}

case {
  id = "get-put-cut",
  title = "An exchange that is cut exchanges what there is, and leaves all other octets",
  purpose = "Of 8 octets a region with PTL_MD_TRUNCATE has 6 behind the offset: these are put and come back, and the last two of the descriptor that gets are as they were.",
  suite = "regions", chapter = "3.10.3", requirements = { "P33-364" },
  run = function(t)
    local from, to = pair(t, BOTH .. "|" .. REMOTE .. "|PTL_MD_TRUNCATE")
    for_exchanges(from, 8)
    from:fill("new", "mix/3")
    from:fill("old", "byte/7")
    local before = to:drop_count()
    t:setup(from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to, offset = 94 })
    t:flush(from, to)
    t:skip_if(to:drop_count() > before, "what does not fit is not exchanged")
    local events = events_until(t, "P33-364", from, "PTL_EVENT_REPLY_END")
    t:equal("P33-364", "the octets that the reply tells of", events[#events].mlength, 6)
    t:octets("P33-364", "the octets that came back", from, "old", "mix/2/94", 0, 6)
    t:octets("P33-364", "the octets behind them", from, "old", "byte/7", 6, 2)
    t:octets("P33-364", "the octets that were put", to, "buf", "mix/3", 94, 6)
    t:octets("P33-364", "the octets before them", to, "buf", "mix/2", 0, 94)
  end,
}

case {
  id = "get-put-that-does-not-fit",
  title = "An exchange that does not fit goes to the next entry, as a put and a get do",
  purpose = "Eight octets to the last six of a descriptor without PTL_MD_TRUNCATE, and another entry behind it, where they fit. Then an exchange that fits nowhere, which is dropped.",
  suite = "regions", chapter = "3.10.3", requirements = { "P33-165" },
  run = function(t)
    local from, to = pair(t)
    to:attach { me = "me2", md = "md2", desc = "desc2", region = "buf2", octets = 102, fill = "mix/4",
      options = BOTH .. "|" .. REMOTE }
    for_exchanges(from, 8)
    from:fill("new", "mix/3")
    t:setup(from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to, offset = 94 })
    events_until(t, "P33-165", from, "PTL_EVENT_REPLY_END")
    t:octets("P33-165", "the octets that came back", from, "old", "mix/4/94", 0, 8)
    local before = to:drop_count()
    t:setup(from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to, offset = 95 })
    t:drops("P33-165", to, before, 1)
    t:octets("P33-165", "the region in which they do not fit", to, "buf", "mix/2", 0, 100)
  end,
}

case {
  id = "max-size-of-remote-offsets",
  title = "A least size does not close a descriptor whose offsets come from its senders",
  purpose = "A descriptor of 16 octets with a least size of 8 and PTL_MD_MANAGE_REMOTE, then, where it may be, one with a least size of 17: puts arrive at its end, at its start and at its end again.",
  ranks = 1, requirements = { "P33-347" },
  run = function(t)
    local rank = t:open {}
    rank:eq("eq", 64)
    rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
    rank:region("buf", 16)
    for index, least in ipairs { 8, 17 } do
      rank:me_attach { index = index, handle = "me" .. index }
      rank:md { region = "buf", max_size = least, options = BOTH .. "|PTL_MD_MAX_SIZE|" .. REMOTE .. "|" .. NO_START,
        eventq = "eq" }
      local result = rank:PtlMDAttach { match = "me" .. index, handle = "md" .. index }
      t:check("P33-347", "a least size of " .. least .. " is taken, or one that no region has is refused",
        result.rc == "PTL_OK" or least > 16, "PTL_OK", result.rc)
      for _, offset in ipairs(result.rc == "PTL_OK" and { 8, 0, 8 } or {}) do
        rank:put { mem_desc = "out-md", target = rank, portal = index, offset = offset }
        t:event("P33-347", rank, "eq", { type = "PTL_EVENT_PUT_END", offset = offset })
      end
    end
  end,
}

for name, verb in each { { "gets", "get" }, { "exchanges", "getput" } } do
  case {
    id = "max-size-used-up-by-" .. name,
    title = "Operations of every kind unlink a descriptor of which they leave less than its least size",
    purpose = "A descriptor of 20 octets with a least size of 8 and PTL_UNLINK, and two " .. name .. " of 8 octets: "
      .. "with the second one it goes.",
    ranks = 1, requirements = { "P33-179" },
    run = function(t)
      local rank = t:open {}
      rank:eq("eq", 64)
      for_exchanges(rank, 8)
      rank:eq("seen", 64)
      rank:attach { octets = 20, max_size = 8, options = BOTH .. "|PTL_MD_MAX_SIZE|" .. NO_START,
        md_unlink = "PTL_UNLINK", eventq = "seen" }
      for i = 0, 1 do
        if verb == "get" then
          rank:get { mem_desc = "old-md", target = rank }
        else
          t:setup(rank:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = rank })
        end
        t:event("P33-179", rank, "seen", { type = "PTL_EVENT_" .. verb:upper() .. "_END", offset = 8 * i })
        if i == 0 then t:no_event("P33-179", rank, "seen", 0) end
      end
      t:event("P33-179", rank, "seen", { type = "PTL_EVENT_UNLINK" })
      t:rc("P33-179", rank:PtlMDUnlink {}, "PTL_INV_MD")
    end,
  }
end

case {
  id = "exchanges-of-a-full-queue",
  title = "Exchanges are performed although the queue for their events is full",
  purpose = "A queue of four events at the target, of which none is taken, and ten exchanges of a number: each brings back the number before.",
  suite = "events", chapter = "3.8.6", requirements = { "P33-356" },
  run = function(t)
    local from, to = t:open {}
    to:eq("small", 4)
    to:attach { octets = 8, options = BOTH .. "|" .. REMOTE, eventq = "small" }
    from:eq("eq", 64)
    for_exchanges(from, 8)
    for i = 1, 10 do
      from:write("new", 0, string.pack(">I8", i))
      t:setup(from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to })
      events_until(t, "P33-356", from, "PTL_EVENT_REPLY_END")
      t:equal("P33-356", "the number that comes back", string.unpack(">I8", from:read("old", 0, 8)), i - 1)
    end
  end,
}

case {
  id = "job-of-the-initiator-from-elsewhere",
  title = "An event tells the job of its initiator, also where that is another one",
  purpose = "Two scripted peers of other jobs than the rank's put and get: the events of each tell one job, which is neither the rank's nor that of the other. How jobs are numbered is the system's.",
  suite = "ids", chapter = "3.8.2", wire = true, ranks = 1, requirements = { "P33-379" },
  run = function(t)
    local rank = t:open { ptl_size = 8, acl_size = 4 }
    rank:ac_entry { index = Receiver.COOKIE, matchid = t.any_nid, portal = "any" }
    rank:eq("eq", 64)
    rank:region("buf", 256)
    Receiver.take_anything(rank)
    local own = t:rc("P33-379", rank:PtlGetJid(), "PTL_OK").jid
    local jobs = { [own] = "the rank" }
    for _, other in ipairs { 4, 8 } do
      local gid <const>, jid = (own ~ other) & 0x7fffffff, nil
      local stream = t:connect(t:peer { gid = gid, rid = 1, group_size = 4 }, rank)
      for _, message in ipairs { { operation = "put", data = "hello" }, { operation = "get", length = 5 } } do
        message.portal, message.cookie, message.md = Receiver.PORTAL, Receiver.COOKIE, 7
        stream:send(message)
        stream:receive()
        local events = { rank:wait("eq").event }
        t:sanity("an event tells of it", #events > 0)
        for _, event in ipairs(rank:drain("eq")) do events[#events + 1] = event end
        for _, event in ipairs(events) do
          jid = jid or event.jid
          t:equal("P33-379", "the job in " .. event.type, event.jid, jid)
          t:check("P33-379", "whose job it is", not jobs[jid], "nobody else's", jobs[jid])
        end
      end
      if jid then jobs[jid] = "the peer before" end
    end
  end,
}

case {
  id = "reading-leaves-the-place",
  title = "PtlMDUpdate without a new value changes nothing, the local offset neither",
  purpose = "A descriptor with a local offset takes a put of 8 octets, is read, with a test queue and without, and takes another one: that lies behind the first.",
  chapter = "3.7.6", ranks = 1, requirements = { "P33-207" },
  run = function(t)
    local rank = t:open {}
    rank:eq("eq", 64)
    rank:eq("quiet", 4)
    rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md", desc = "out-desc" }
    rank:attach { octets = 64, options = "PTL_MD_OP_PUT", eventq = "eq" }
    for place = 0, 3 do
      rank:put { mem_desc = "out-md", target = rank }
      local event
      repeat event = rank:wait("eq").event until not event or event.type == "PTL_EVENT_PUT_END"
      t:equal("P33-207", "the offset of put " .. place, event and event.offset, 8 * place)
      t:rc("P33-207", rank:PtlMDUpdate { old = "was", testq = place % 2 == 0 and "none" or "quiet" }, "PTL_OK")
    end
  end,
}
