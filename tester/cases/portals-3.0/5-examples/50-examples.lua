-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 5, and what it rests on: the uses for which Portals was made, each reduced to what a library must get right.

defaults { suite = "examples", chapter = "5.1", deadline = 90, still = { "P33-209" } }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"

case {
  id = "example-parallel-file-server",
  title = "Several servers fill one region of a client",
  purpose = "Three ranks put their stripes of 1001 octets in turn into one region of rank 0, each at its own remote offsets, which are multiples of nothing that a machine is fond of. The region is whole at the end, and the manipulated lengths add up to its size.",
  requirements = { "P30-330" }, ranks = 4,
  run = function(t)
    t:open {}
    local client, stripes, octets = t.ranks[0], 12, 1001
    client:eq("eq", 64)
    client:region("file", stripes * octets)
    client:attach { index = 2, region = "file", options = PUT .. "|" .. REMOTE, eventq = "eq" }
    for i = 1, 3 do
      local server = t.ranks[i]
      for stripe = i - 1, stripes - 1, 3 do
        local name = "stripe" .. stripe
        server:region(name, octets)
        server:fill(name, "mix/9/" .. stripe * octets)
        server:bind { region = name, md = name .. "-md" }
        server:put { mem_desc = name .. "-md", target = client, portal = 2, offset = stripe * octets }
      end
    end
    local sum = 0
    for _, event in ipairs((client:collect("eq", stripes))) do sum = sum + event.mlength end
    t:equal("P30-330", "octets that the events tell of", sum, stripes * octets)
    t:octets("P30-330", "the whole region", client, "file", "mix/9")
  end,
}

case {
  id = "example-admit-one-group",
  title = "An entry for any rank of one group admits its members to one portal, and no other",
  purpose = "Entry two names the group and portal 3: both ranks pass, at portal 4 they do not, and a peer of another group does not pass at all before the entry names everybody.",
  requirements = { "P30-331" }, ranks = 2, wire = true, negative = true,
  run = function(t)
    local from, to = t:open { acl_size = 4 }
    local before = to:drop_count()
    to:ac_entry { index = 2, matchid = { kind = "gid", gid = to.id.gid, rid = "any" }, portal = 3 }
    to:eq("eq")
    to:region("buf", 64)
    for _, portal in ipairs { 3, 4 } do
      to:attach { index = portal, matchid = t.any_nid, me = "me" .. portal, md = "md" .. portal,
        options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
    end
    for _, member in ipairs { from, to } do
      member:bind { length = 0, desc = "void", md = "out-md" }
      for _, verb in ipairs { "put", "get" } do
        member[verb](member, { mem_desc = "out-md", target = to, portal = 3, cookie = 2 })
        t:event("P30-331", to, "eq", { type = "PTL_EVENT_" .. verb:upper(), portal = 3, initiator = member.id })
        member[verb](member, { mem_desc = "out-md", target = to, portal = 4, cookie = 2 })
        t:drops("P30-331", to, before, 1)
        before = before + 1
      end
    end
    local outsider = t:connect(t:peer {}, to)
    local put = { operation = "put", portal = 3, cookie = 2, md = 1, data = "strange" }
    local get = { operation = "get", portal = 3, cookie = 2, md = 1, length = 7 }
    for _, request in ipairs { put, get } do
      t:send_invalid("P30-331", outsider, request, { state = "access" })
      t:drops("P30-331", to, before, 1)
      before = before + 1
    end
    t:equal("P30-331", "further events", to:PtlEQCount().count, 0)
    to:ac_entry { index = 2, matchid = t.any_nid, portal = 3 }
    Receiver.accepts(t, to, outsider, put)
    Receiver.accepts(t, to, outsider, get)
  end,
}

case {
  id = "example-catch-all",
  title = "A truncating descriptor of length zero at the end of a list logs what no other entry takes",
  purpose = "Requests that match the entry in front go there; others, puts and gets of several lengths, give an event with their requested length and manipulated length zero, and are not counted as dropped.",
  requirements = { "P30-332" }, chapter = "5.2", ranks = 2,
  run = function(t)
    local from, to = t:open {}
    local before = to:drop_count()
    to:eq("eq", 64)
    to:attach { octets = 64, match_bits = 1, options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 1 }
    to:me_insert { matchid = t.any_gid, ignorebits = -1, current = "me", handle = "last" }
    to:add_md { me = "last", md = "last-md", start = "null", length = 0, options = PUT .. "|" .. GET .. "|" .. TRUNCATE,
      eventq = "eq", user_ptr = 2 }
    from:region("out", 1 << 20, { fill = "mix/1" })
    from:eq("replies")
    for i, length in ipairs { 64, 0, 1, 63, 70000, 1 << 20 } do
      from:bind { start = "out", length = length, md = "out-md" }
      from:put { mem_desc = "out-md", target = to, match_bits = 1000 + i }
      local event = t:event("P30-332", to, "eq", { type = "PTL_EVENT_PUT", rlength = length, mlength = 0,
        match_bits = 1000 + i })
      t:equal("P30-332", "the descriptor that took it", event.mem_desc.user_ptr, 2)
      from:put { mem_desc = "out-md", target = to, match_bits = 1 }
      local fits = length <= 64
      event = t:event("P30-332", to, "eq", { type = "PTL_EVENT_PUT", rlength = length, mlength = fits and length or 0 })
      t:equal("P30-332", "the descriptor that took the expected one", event.mem_desc.user_ptr, fits and 1 or 2)
      from:bind { start = "out", length = length, md = "in-md", eventq = "replies" }
      from:get { mem_desc = "in-md", target = to, match_bits = 2000 + i }
      event = t:event("P30-332", to, "eq", { type = "PTL_EVENT_GET", rlength = length, mlength = 0,
        match_bits = 2000 + i })
      t:equal("P30-332", "the descriptor that took the get", event.mem_desc.user_ptr, 2)
      t:event("P30-332", from, "replies", { type = "PTL_EVENT_REPLY", mlength = 0 })
    end
    t:equal("P30-332", "dropped requests", to:drop_count() - before, 0)
  end,
}

case {
  id = "example-list-under-traffic",
  title = "Entries come and go while requests arrive, and every request ends in one place",
  purpose = "Rank 0 puts 2000 times with bits 1 while rank 1 inserts an entry for them in front of its last one and unlinks it, again and again. Each is logged once, in their order, by one entry or the other, or is counted as dropped: an unlinked entry may cut off what it had begun to take.",
  requirements = { "P30-128" }, chapter = "3.6", ranks = 2,
  run = function(t)
    t:open {}
    local from, to, puts = t.ranks[0], t.ranks[1], 2000
    local before = to:drop_count()
    to:eq("eq", puts + 16)
    to:region("buf", puts + 16)
    to:attach { match_bits = 1, me = "last", md = "last-md", options = PUT .. "|" .. REMOTE, eventq = "eq" }
    to:md { name = "front-desc", options = PUT .. "|" .. REMOTE, eventq = "eq" }
    from:eq("eq")
    from:bind { length = 0, md = "quiet-md" }
    from:bind { length = 0, md = "out-md", eventq = "eq" }
    local sending = from:start_batch(puts, { { "PtlPut", { mem_desc = "quiet-md",
      ack_req = "PTL_NOACK_REQ", target = t.gid(to.id), portal = 0, cookie = 0, match_bits = 1, offset = "%i" } } })
    local changing = to:start_batch(400, {
      { "PtlMEInsert", { matchid = t.any_gid, match_bits = 1, ignorebits = 0, unlink = "PTL_RETAIN",
        position = "PTL_INS_BEFORE", current = "last", handle = "front" } },
      { "PtlMDAttach", { match = "front", mem_desc = "front-desc", unlink = "PTL_RETAIN", handle = "front-md" } },
      { "PtlMEUnlink", { entry = "front" } },
    })
    t:equal("P30-128", "changes of the list that were made", changing:finish().runs, 400)
    t:sanity("all puts were called", sending:finish().runs == puts)
    t:setup(from:PtlPut { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, match_bits = 1, offset = puts })
    t:equal("P30-128", "events of the last put, its acknowledgement included", #(from:collect("eq", 2, 20000)), 2)
    local logged, latest = 0, -1
    repeat
      local events = to:collect("eq", 256, 0)
      -- An acknowledgement may come before its put is logged.
      if #events == 0 and latest < puts then events = to:collect("eq", 1) end
      for _, event in ipairs(events) do
        t:check("P30-128", "the numbers of the puts ascend", event.offset > latest, "more than " .. latest,
          event.offset)
        latest, logged = event.offset, logged + 1
      end
    until #events == 0
    t:equal("P30-128", "logged and dropped puts together", logged + to:drop_count() - before, puts + 1)
    t:equal("P30-128", "the last put", latest, puts)
  end,
}

case {
  id = "example-list-changed-between-requests",
  title = "A process that changes its list between its own requests loses none of them",
  purpose = "In each of 20 rounds an entry is inserted in front of the only other one, gets its descriptor and is unlinked; a put to itself arrives before the descriptor is there and one behind. Each put is logged once, or counted as dropped.",
  requirements = { "P30-128" }, chapter = "3.6", ranks = 1,
  run = function(t)
    t:open {}
    local rank, rounds = t.ranks[0], 20
    local before = rank:drop_count()
    rank:eq("eq", 2 * rounds + 16)
    rank:region("buf", rounds)
    rank:attach { match_bits = 1, ignorebits = 2, me = "last", md = "last-md", options = PUT .. "|" .. REMOTE,
      eventq = "eq" }
    rank:md { name = "front-desc", options = PUT .. "|" .. REMOTE, eventq = "eq" }
    rank:bind { length = 0, md = "quiet-md" }
    t:judging("P30-128")
    for round = 0, rounds - 1 do
      rank:me_insert { match_bits = 1, ignorebits = 2, position = "PTL_INS_BEFORE", current = "last", handle = "front" }
      rank:put { mem_desc = "quiet-md", target = rank, match_bits = 1, offset = round }
      t:flush(rank, rank)
      rank:md_attach { match = "front", mem_desc = "front-desc", handle = "front-md" }
      rank:put { mem_desc = "quiet-md", target = rank, match_bits = 3, offset = round }
      t:flush(rank, rank)
      rank:me_unlink { entry = "front" }
    end
    local seen, logged = {}, 0
    repeat
      local events = rank:collect("eq", 256, 0)
      for _, event in ipairs(events) do
        local name = string.format("put %d with bits %d", event.offset, event.match_bits)
        t:check("P30-128", name .. " is logged once", not seen[name], "one event", "two events")
        seen[name], logged = true, logged + 1
      end
    until #events == 0
    t:equal("P30-128", "logged and dropped puts together", logged + rank:drop_count() - before, 2 * rounds)
  end,
}

-- The MPI example of 5.3: messages that nobody expects yet are caught by an entry at the end of the list, with a
-- descriptor that keeps them. To receive, a process looks through the events of what was caught, inserts an entry with
-- an inactive descriptor in front of the catch-all, and makes it active by an update that is refused while an event is
-- unread. So a message is found either among the caught ones or by the new entry.
case {
  id = "example-mpi-receive",
  title = "The receive protocol of the MPI example loses no message and delivers none twice",
  purpose = "Rank 1 receives 120 numbered messages in a random order with the protocol of section 5.3. Rank 0 sends half of them as fast as it can, so that each is found among the unexpected ones or taken by a posted entry, which only the conditional update keeps apart; the others it sends one by one when their receives have been posted.",
  requirements = { "P30-209", "P30-334" }, chapter = "5.3", ranks = 2,
  run = function(t)
    t:open {}
    local from, to, messages, unasked = t.ranks[0], t.ranks[1], 120, 60
    to:eq("eq", 64)
    to:region("unexpected", 8 * messages)
    to:region("posted", 8 * messages)
    to:me_attach { ignorebits = -1, handle = "catch" }
    to:add_md { me = "catch", md = "catch-md", region = "unexpected", options = PUT, eventq = "eq", user_ptr = 9999 }
    -- No more descriptors than every system has: message i is what message i - sources was.
    local sources <const> = 30
    local function source(i) return 1 + (i - 1) % sources end
    from:region("out", 8 * sources, { fill = "mix/5" })
    for i = 1, sources do from:bind { start = "out+" .. 8 * (i - 1), length = 8, md = "out" .. i } end
    local commands = {}
    for i = 1, unasked do
      commands[i] = { "PtlPut", { mem_desc = "out" .. source(i), ack_req = "PTL_NOACK_REQ", target = t.gid(to.id),
        portal = 0, cookie = 0, match_bits = i, offset = 0 } }
    end
    t:judging("P30-334")
    local caught, by_entry, waiting = {}, {}, nil

    local function note(event)
      if event.mem_desc.user_ptr == 9999 then
        t:check("P30-209", "message " .. event.match_bits .. " does not pass an active receive",
          event.match_bits ~= waiting, "taken by the posted entry", "caught as unexpected")
        t:check("P30-334", "message " .. event.match_bits .. " is caught once", not caught[event.match_bits], "once",
          "twice")
        caught[event.match_bits] = event.offset
      else
        t:equal("P30-334", "the message that the receive took", event.match_bits, event.mem_desc.user_ptr)
        by_entry[event.match_bits] = true
      end
    end

    local function drain()
      local result = to:PtlEQGet {}
      while result.event do
        note(result.event)
        result = to:PtlEQGet {}
      end
    end

    -- Posts a receive for message i; true when it is active, false when the message was found among the caught ones.
    local function post(i)
      local place = "posted+" .. 8 * (i - 1)
      to:me_insert { match_bits = i, unlink = "PTL_UNLINK", position = "PTL_INS_BEFORE", current = "catch",
        handle = "recv" }
      to:add_md { me = "recv", md = "recv-md", start = place, length = 8, threshold = 0, md_unlink = "PTL_UNLINK",
        options = PUT, eventq = "eq", user_ptr = i }
      to:md { name = "armed", start = place, length = 8, threshold = 1, options = PUT, eventq = "eq", user_ptr = i }
      repeat
        drain()
        if caught[i] then
          to:me_unlink { entry = "recv" }
          return false
        end
        local rc = to:PtlMDUpdate { mem_desc = "recv-md", new = "armed", testq = "eq" }.rc
        t:check("P30-209", "the update is done or refused", rc == "PTL_OK" or rc == "PTL_NOUPDATE",
          "PTL_OK or PTL_NOUPDATE", rc)
      until rc == "PTL_OK"
      waiting = i
      return true
    end

    local function await(i)
      while not by_entry[i] do
        local result = to:wait("eq")
        t:check("P30-334", "message " .. i .. " comes", result.event ~= nil, "an event", result.rc)
        note(result.event)
      end
      waiting = nil
    end

    local order = {}
    for i = 1, messages do order[i] = i end
    for i = messages, 2, -1 do
      local j = t.random(i)
      order[i], order[j] = order[j], order[i]
    end
    local sending = from:start_batch(1, commands)
    for _, i in ipairs(order) do
      local active = post(i)
      if i > unasked then
        t:check("P30-334", "the receive of message " .. i .. ", which nobody has sent, is posted", active, "active",
          "found among the caught ones")
        from:put { mem_desc = "out" .. source(i), target = to, match_bits = i }
      end
      if active then await(i) end
    end
    t:sanity("all puts were called", sending:finish().runs == 1)
    for i = 1, messages do
      t:check("P30-334", "message " .. i .. " came in one way", (caught[i] ~= nil) ~= (by_entry[i] == true), "one way",
        caught[i] and "two ways" or "no way")
      local name = caught[i] and "unexpected" or "posted"
      t:octets("P30-334", "the data of message " .. i, to, name, "mix/5/" .. 8 * (source(i) - 1),
        caught[i] or 8 * (i - 1), 8)
    end
  end,
}
