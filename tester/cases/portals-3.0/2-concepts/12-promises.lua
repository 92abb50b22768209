-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 1 and 2: what the overview promises of every message: it comes once, it goes where its match bits say, it is
-- kept in no memory but the user's, and it is logged where its descriptor says.

defaults { suite = "promises", chapter = "1.4" }

local PUT, GET, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"

-- Opens the job. Every rank can put 16 octets mix/1 ("out-md"), without events. The last rank is the target and has a
-- queue "eq" for 64 events or so many. Returns target, sender, sender.
local function ranks(t, events)
  t:open {}
  local to = t.ranks[t.size - 1]
  for i = 0, t.size - 1 do t.ranks[i]:bind { region = "out", octets = 16, fill = "mix/1", md = "out-md" } end
  to:eq("eq", events or 64)
  return to, t.ranks[0], t.ranks[1]
end

-- Thirty rounds of a put of no octets, a put that is acknowledged, a get, and a get of no octets, each with its number:
-- the target has each request once and the sender each answer once.
local function mixed_once(t, to, from)
  local rounds <const> = 30
  to:attach { index = 1, region = "buf", ignorebits = -1, options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
  from:eq("answers", 256)
  from:bind { desc = "void", start = "null", length = 0, md = "void-md" }
  from:bind { desc = "void", start = "null", length = 0, md = "void-in-md", eventq = "answers" }
  from:bind { desc = "own-desc", region = "own", octets = 8, md = "own-md", eventq = "answers" }
  local request = { target = t.gid(to.id), portal = 1, cookie = 0, match_bits = "%I", offset = 0 }
  local function asking(verb, md, ack_req)
    local values = { mem_desc = md, ack_req = ack_req }
    for name, value in pairs(request) do values[name] = value end
    return { verb, values }
  end
  local sending = from:batch(rounds, { asking("PtlPut", "void-md", "PTL_NOACK_REQ"),
    asking("PtlPut", "own-md", "PTL_ACK_REQ"), asking("PtlGet", "own-md"),
    asking("PtlGet", "void-in-md") })
  t:sanity("all requests were called", sending.runs == rounds)
  t:flush(from, to)
  t:flush(to, from)
  local seen = {}
  local function note(event)
    local kind = ("%s of %d"):format(event.type, event.rlength)
    seen[kind] = seen[kind] or {}
    seen[kind][event.match_bits] = (seen[kind][event.match_bits] or 0) + 1
  end
  to:drain("eq", note)
  for _, event in ipairs(from:collect("answers", 4 * rounds)) do note(event) end
  for _, event in ipairs(from:drain("answers")) do
    if event.type ~= "PTL_EVENT_SENT" then note(event) end
  end
  for _, kind in ipairs { "PTL_EVENT_PUT of 0", "PTL_EVENT_PUT of 8", "PTL_EVENT_GET of 8", "PTL_EVENT_GET of 0",
    "PTL_EVENT_ACK of 8", "PTL_EVENT_REPLY of 8", "PTL_EVENT_REPLY of 0" } do
    local wrong = {}
    for number = 0, rounds - 1 do
      local times = seen[kind] and seen[kind][number] or 0
      if times ~= 1 then wrong[number] = times end
    end
    t:equal("P30-001", "numbers that have not one " .. kind .. ", with how many they have", wrong, {})
  end
end

case {
  id = "promise-exactly-once",
  only = true,
  title = "Each of many messages arrives exactly once",
  purpose = "Four hundred puts are numbered by their match bits. The target's queue must show every number, and none of them twice. Then puts of no octets, puts that ask for an acknowledgement, and gets, are numbered and mixed: each request comes once, and so does each answer.",
  requirements = { "P30-001" }, ranks = 2,
  run = function(t)
    local to, from = ranks(t, 1024)
    to:attach { octets = 16, ignorebits = -1, options = PUT .. "|" .. REMOTE, eventq = "eq" }
    local sending = from:batch(400, { { "PtlPut", { mem_desc = "out-md", ack_req = "PTL_NOACK_REQ",
      target = t.gid(to.id), portal = 0, cookie = 0, match_bits = "%I", offset = 0 } } })
    t:sanity("all puts were called", sending.runs == 400)
    t:flush(from, to)
    local times, wrong = {}, {}
    for _, event in ipairs(to:drain("eq")) do
      local number = event.match_bits
      times[number] = (times[number] or 0) + 1
    end
    local lost = false
    for number = 0, 399 do
      lost = lost or not times[number]
      if times[number] ~= 1 then wrong[number] = times[number] or 0 end
    end
    if lost and next(times) then core.symptom("loses", "messages", "", false) end
    t:equal("P30-001", "messages that did not come once, with how often they came", wrong, {})
    mixed_once(t, to, from)
  end,
}

case {
  id = "promise-nothing-kept",
  title = "A message for which nothing is provided is discarded, not kept for later",
  purpose = "A put comes to a portal without entries. A fitting entry and descriptor that are made afterwards stay empty and silent, and the put counts as dropped.",
  requirements = { "P30-004" }, ranks = 2,
  run = function(t)
    local to, from = ranks(t)
    local before = to:drop_count()
    to:region("buf", 16)
    from:put { mem_desc = "out-md", target = to, portal = 1, match_bits = 5 }
    t:flush(from, to)
    to:attach { index = 1, match_bits = 5, options = PUT, eventq = "eq" }
    t:flush(from, to)
    t:octets("P30-004", "memory that was provided too late", to, "buf", "byte/0")
    t:equal("P30-004", "events of the descriptor that was made too late", to:PtlEQCount().count, 0)
    t:equal("P30-004", "the drop count rises by", to:drop_count() - before, 1)
    from:put { mem_desc = "out-md", target = to, portal = 1, match_bits = 5 }
    t:event("P30-004", to, "eq", { type = "PTL_EVENT_PUT", mlength = 16, offset = 0 })
  end,
}

case {
  id = "promise-bits-of-each-octet-choose-the-place",
  title = "Match bits of each octet decide where a put goes",
  purpose = "For the lowest bit of each octet, and those at the ends of 32 and 64 bits, two entries that differ in it alone: one has it and wants another one besides, the one behind wants that other one only. A put without the bit goes to the second one, the same put with it to the first.",
  requirements = { "P30-005" }, chapter = "1.5", ranks = 2, deadline = 60,
  run = function(t)
    local to, from = ranks(t)
    for _, name in ipairs { "with", "without" } do to:region(name, 64) end
    for _, bit in ipairs { 0, 8, 16, 24, 31, 32, 33, 40, 48, 56, 63 } do
      local other = 1 << (bit + 29) % 64
      to:me_attach { match_bits = 1 << bit | other, handle = "with-me" }
      to:me_insert { match_bits = other, current = "with-me", handle = "without-me" }
      for _, name in ipairs { "with", "without" } do
        to:add_md { me = name .. "-me", md = name .. "-md", region = name, options = PUT .. "|" .. REMOTE,
          eventq = "eq", user_ptr = name == "with" and 1 or 2 }
        to:fill(name, "byte/0")
      end
      for mark, bits in ipairs { 1 << bit | other, other } do
        from:put { mem_desc = "out-md", target = to, match_bits = bits, offset = 24 * (mark - 1) }
        local event = t:event("P30-005", to, "eq", { type = "PTL_EVENT_PUT", match_bits = bits })
        t:equal("P30-005", "the entry that took " .. t.hex(bits), event.mem_desc.user_ptr, mark)
      end
      t:octets("P30-005", "the memory for bit " .. bit, to, "with", "mix/1", 0, 16)
      t:octets("P30-005", "the memory for the other bit alone", to, "without", "mix/1", 24, 16)
      to:me_unlink { entry = "without-me" }
      to:me_unlink { entry = "with-me" }
    end
  end,
}

case {
  id = "promise-bits-choose-the-place",
  title = "Match bits alone decide where a put goes",
  purpose = "Three entries of one portal want the bits 0, 16 and 32. Puts that are the same but for their bits, offset included, go to the memory of the entry that wants these bits; so do puts of no octets.",
  requirements = { "P30-005" }, chapter = "1.5", ranks = 2,
  run = function(t)
    local to, from = ranks(t)
    local last
    for _, bits in ipairs { 0, 16, 32 } do
      local me = "me" .. bits
      to:region("of-" .. bits, 64)
      if last then
        to:me_insert { match_bits = bits, current = last, handle = me }
      else
        to:me_attach { match_bits = bits, handle = me }
      end
      to:add_md { me = me, md = "md" .. bits, region = "of-" .. bits, options = PUT .. "|" .. REMOTE, eventq = "eq",
        user_ptr = bits }
      last = me
    end
    for _, bits in ipairs { 32, 16, 0 } do
      from:put { mem_desc = "out-md", target = to, match_bits = bits, offset = 24 }
      local event = t:event("P30-005", to, "eq", { type = "PTL_EVENT_PUT", match_bits = bits })
      t:equal("P30-005", "the entry that took bits " .. bits, event.mem_desc.user_ptr, bits)
      t:octets("P30-005", "the memory for bits " .. bits, to, "of-" .. bits, "mix/1", 24, 16)
      to:fill("of-" .. bits, "byte/0")
      for _, other in ipairs { 0, 16, 32 } do
        t:octets("P30-005", "the memory for bits " .. other, to, "of-" .. other, "byte/0")
      end
    end
    from:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    for _, bits in ipairs { 32, 16, 0 } do
      from:put { mem_desc = "void-md", target = to, match_bits = bits }
      local event = t:event("P30-005", to, "eq", { type = "PTL_EVENT_PUT", match_bits = bits, mlength = 0 })
      t:equal("P30-005", "the entry that took an empty put with bits " .. bits, event.mem_desc.user_ptr, bits)
    end
  end,
}

case {
  id = "promise-one-chosen-process",
  title = "A target can accept from one chosen process only",
  purpose = "An entry names one process, by group and rank and then by node and process. The same put, and the same get, is taken from this process and dropped from the other.",
  requirements = { "P30-006" }, chapter = "1.5", ranks = 3,
  run = function(t)
    local to, first, second = ranks(t)
    to:region("buf", 16)
    for _, addressing in ipairs { t.gid, t.nid } do
      for chosen, other in each { { first, second }, { second, first } } do
        to:attach { matchid = addressing(chosen.id), options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
        for _, verb in ipairs { "put", "get" } do
          local before = to:drop_count()
          other[verb](other, { mem_desc = "out-md", target = to })
          t:flush(other, to)
          chosen[verb](chosen, { mem_desc = "out-md", target = to })
          t:event("P30-006", to, "eq", { type = "PTL_EVENT_" .. verb:upper(), initiator = chosen.id })
          t:drops("P30-006", to, before, 1)
        end
      end
    end
  end,
}

case {
  id = "promise-one-process-ignored",
  title = "A target can ignore one process by having entries for all the others",
  purpose = "The target has entries for itself and for rank 0, by group and rank and then by node and process, and none for rank 1. Puts and gets of rank 1, of 16 octets and of none, are discarded and counted, and nothing is logged; those of the others are taken.",
  requirements = { "P30-007" }, chapter = "1.5", ranks = 3,
  run = function(t)
    local to, heard, ignored = ranks(t)
    to:region("buf", 16, { fill = "byte/7" })
    for _, rank in ipairs { to, heard, ignored } do
      rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    end
    for portal, addressing in ipairs { t.gid, t.nid } do
      to:attach { index = portal, matchid = addressing(to.id), options = PUT .. "|" .. GET .. "|" .. REMOTE,
        eventq = "eq" }
      to:me_insert { matchid = addressing(heard.id), current = "me", handle = "me2" }
      to:add_md { me = "me2", md = "md2", options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
      for _, verb in ipairs { "put", "get" } do
        for _, md in ipairs { "void-md", "out-md" } do
          local before = to:drop_count()
          ignored[verb](ignored, { mem_desc = md, target = to, portal = portal })
          t:drops("P30-007", to, before, 1)
          t:equal("P30-007", "events of a " .. verb .. " that is to be ignored", to:PtlEQCount().count, 0)
        end
        if verb == "put" then
          t:octets("P30-007", "memory behind what was ignored", to, "buf", portal == 1 and "byte/7" or "mix/1")
        end
        for _, rank in ipairs { heard, to } do
          rank[verb](rank, { mem_desc = "out-md", target = to, portal = portal })
          t:event("P30-007", to, "eq", { type = "PTL_EVENT_" .. verb:upper(), initiator = rank.id })
        end
      end
    end
  end,
}

case {
  id = "promise-put-brings-its-data",
  title = "A put request carries its data in the same message",
  purpose = "A scripted peer receives puts of 1, 40 and 5000 octets: each request's message has the data behind its header, and the next message is the next request.",
  requirements = { "P30-009" }, chapter = "2.1", wire = true,
  run = function(t)
    t:open {}
    local rank, peer, stream = t.ranks[0], t:peer {}, nil
    rank:region("source", 5000, { fill = "mix/3" })
    for _, length in ipairs { 1, 40, 5000 } do
      rank:bind { start = "source", length = length, md = "source-md" }
      t:setup(rank:PtlPut { mem_desc = "source-md", target = t.nid(peer.id), match_bits = length })
      stream = stream or t:accept(peer)
      local message = t:expect("P30-009", stream, "put", { match_bits = length, length = length })
      t:equal("P30-009", "the data in the message", message.data, t.mix(3, length))
    end
  end,
}

case {
  id = "promise-end-of-the-list",
  title = "A request that no entry takes leaves no trace but a count",
  purpose = "The list has an entry for other bits, one whose descriptor is for the other operation, one whose descriptor is too small, and one without any. A put, and a get, that reach the end change no memory, are not logged or answered, and are counted once each.",
  requirements = { "P30-021" }, chapter = "2.2", ranks = 2,
  run = function(t)
    local to, from = ranks(t)
    to:region("buf", 64)
    from:eq("answers")
    from:bind { region = "in", octets = 16, fill = "byte/7", md = "in-md", eventq = "answers" }
    for verb, own, other, portal in each { { "put", PUT, GET, 0 }, { "get", GET, PUT, 1 } } do
      local before = to:drop_count()
      to:attach { index = portal, match_bits = 1, me = "me1", md = "md1", options = own, eventq = "eq" }
      to:me_insert { current = "me1", handle = "me2" }
      to:add_md { me = "me2", md = "md2", options = other, eventq = "eq" }
      to:me_insert { current = "me2", handle = "me3" }
      to:add_md { me = "me3", md = "md3", length = 15, options = own, eventq = "eq" }
      to:me_insert { current = "me3", position = "PTL_INS_BEFORE", handle = "me4" }
      from[verb](from, { mem_desc = verb == "put" and "out-md" or "in-md", target = to, portal = portal })
      t:flush(from, to)
      t:octets("P30-021", "the memory of all entries", to, "buf", "byte/0")
      t:equal("P30-021", "events of a " .. verb, to:PtlEQCount().count, 0)
      t:equal("P30-021", "the drop count rises for a " .. verb .. " by", to:drop_count() - before, 1)
    end
    t:flush(to, from)
    t:equal("P30-021", "replies to the get", #from:collect("answers", 1, 0), 0)
    t:octets("P30-021", "the memory for the reply", from, "in", "byte/7")
  end,
}

case {
  id = "promise-logged-events-outlive-their-descriptor",
  title = "What has been logged stays in the queue when descriptor, entry or list are gone",
  purpose = "Three puts are logged. Then their descriptor is unlinked, or its entry, or other descriptors and another list take their place. The three events come out of the queue as they were logged.",
  requirements = { "P30-026" }, chapter = "2.2", ranks = 2,
  run = function(t)
    local to, from = ranks(t)
    from:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    for portal, go in ipairs {
      function() to:md_unlink {} end,
      function() to:me_unlink {} end,
      function() to:PtlMDAttach { handle = "new" } end,
      function() to:PtlMEAttach { index = 4, handle = "new-me" } end } do
      to:attach { index = portal, ignorebits = -1, start = "null", length = 0, options = PUT .. "|" .. REMOTE,
        eventq = "eq", user_ptr = portal }
      for i = 1, 3 do from:put { mem_desc = "void-md", target = to, portal = portal, match_bits = i } end
      t:flush(from, to)
      go()
      for i = 1, 3 do
        local event = t:event("P30-026", to, "eq", { type = "PTL_EVENT_PUT", portal = portal, match_bits = i })
        t:equal("P30-026", "the descriptor that event " .. i .. " shows", event.mem_desc.user_ptr, portal)
      end
      t:equal("P30-026", "further events", to:PtlEQCount().count, 0)
    end
  end,
}

case {
  id = "promise-logged-where-it-says",
  title = "An operation is logged once, in the queue that its descriptor names",
  purpose = "Two descriptors have a queue each. A put and a get on either of them give one event each in the queue of that descriptor, and none in the other.",
  requirements = { "P30-026" }, chapter = "2.2", ranks = 2,
  run = function(t)
    local to, from = ranks(t)
    to:eq("other-eq")
    to:region("buf", 64)
    from:eq("reply-eq")
    from:bind { desc = "in-desc", region = "in", octets = 16, md = "in-md", eventq = "reply-eq" }
    to:attach { index = 1, me = "me1", md = "md1", options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
    to:attach { index = 2, me = "me2", md = "md2", options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "other-eq" }
    for portal, queue in ipairs { "eq", "other-eq" } do
      from:put { mem_desc = "out-md", target = to, portal = portal }
      t:event("P30-026", to, queue, { type = "PTL_EVENT_PUT", portal = portal })
      from:get { mem_desc = "in-md", target = to, portal = portal }
      t:event("P30-026", to, queue, { type = "PTL_EVENT_GET", portal = portal })
      t:sanity("the reply comes", from:wait("reply-eq").event ~= nil)
      t:flush(from, to)
      for _, name in ipairs { "eq", "other-eq" } do
        t:equal("P30-026", "further events in " .. name, to:PtlEQCount { eventq = name }.count, 0)
      end
    end
  end,
}

case {
  id = "promise-silent-without-queue",
  title = "Operations on a descriptor without an event queue are performed and not logged",
  purpose = "A put, a get, the sending and the reply use descriptors with PTL_EQ_NONE. The data moves, and no queue of either process has an event of it.",
  requirements = { "P30-174" }, chapter = "3.7", ranks = 2,
  run = function(t)
    local to, from = ranks(t)
    from:eq("eq")
    from:bind { desc = "in-desc", region = "in", octets = 16, md = "in-md" }
    to:attach { octets = 16, options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "none" }
    t:rc("P30-174", from:PtlPut { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to }, "PTL_OK")
    t:flush(from, to)
    t:octets("P30-174", "what the put brought", to, "buf", "mix/1")
    t:rc("P30-174", from:PtlGet { mem_desc = "in-md", target = to }, "PTL_OK")
    local came = true
    for place = 0, 15 do came = came and from:wait_octet("in", place, t.mix(1, 1, place):byte()) end
    t:check("P30-174", "the reply comes", came, "all of its octets", "not all")
    t:octets("P30-174", "what the reply brought", from, "in", "mix/1")
    t:flush(to, from)
    t:flush(from, to)
    t:no_event("P30-174", to, "eq", 100)
    t:no_event("P30-174", from, "eq", 0)
  end,
}
