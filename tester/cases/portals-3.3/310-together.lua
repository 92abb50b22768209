-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.7 and 3.10: least sizes beside thresholds, truncation and no queue; exchanges and the criteria of entries;
-- what happens where nobody is told. Rank 0 acts, rank 1 answers.

defaults { suite = "memory-descriptors", chapter = "3.7.1", ranks = 2 }

local BOTH <const> = "PTL_MD_OP_PUT|PTL_MD_OP_GET"
local SERVES <const> = BOTH .. "|PTL_MD_MANAGE_REMOTE"

for name, threshold in each { { "counted", 9 }, { "endless", "inf" } } do
  for cuts, option in each { { "", "" }, { "-that-cuts", "|PTL_MD_TRUNCATE" } } do
    case {
      id = "max-size-of-one-" .. name .. cuts,
      title = "A least size holds whatever the threshold is, what may be cut, and whoever is told",
      purpose = "Descriptors of 20 octets with a least size of 8 and a threshold of " .. threshold .. ", with a queue "
        .. "and without: two messages of 8 octets arrive, one of one octet is dropped. PTL_UNLINK: gone.",
      requirements = { "P33-347", "P33-179" }, ranks = 1,
      run = function(t)
        local rank = t:open {}
        rank:eq("eq", 64)
        rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md", desc = "out-desc" }
        rank:bind { region = "out", length = 1, md = "short-md", desc = "short-desc" }
        t:flush(rank, rank)
        for queue, unlink, portal in each { { "eq", "PTL_RETAIN", 1 }, { "eq", "PTL_UNLINK", 2 },
          { "none", "PTL_RETAIN", 3 }, { "none", "PTL_UNLINK", 4 } } do
          local md = "md" .. portal
          rank:attach { index = portal, me = "me" .. portal, md = md, desc = "desc" .. portal,
            region = "buf" .. portal, octets = 20, max_size = 8, threshold = threshold, md_unlink = unlink,
            options = BOTH .. "|PTL_MD_MAX_SIZE" .. option, eventq = queue }
          local before = rank:drop_count()
          for _ = 1, 2 do rank:put { mem_desc = "out-md", target = rank, portal = portal } end
          t:flush(rank, rank)
          t:equal("P33-347", "dropped messages of two that have room", rank:drop_count() - before, 0)
          rank:put { mem_desc = "short-md", target = rank, portal = portal }
          t:drops("P33-347", rank, before, 1)
          if unlink == "PTL_UNLINK" then
            t:md_unlinked("P33-179", rank, md)
          else
            t:rc("P33-179", rank:PtlMDUpdate { mem_desc = md, old = "was" }, "PTL_OK")
          end
        end
      end,
    }
  end
end

local BITS <const> = 0x8000000180000001

local function but_for_the_bit(number)
  return { match_bits = BITS ~ (1 << number) }
end

local function of_process(id, nid, pid)
  return { matchid = { kind = "nid", nid = id.nid ~ nid, pid = id.pid ~ pid } }
end

for name, req, given, takes in each {
  { "another-process", "P33-105", function(id) return of_process(id, 0, 1) end },
  { "another-node", "P33-105", function(id) return of_process(id, 1, 0) end },
  { "another-highest-bit", "P33-112", function() return but_for_the_bit(63) end },
  { "another-lowest-bit", "P33-112", function() return but_for_the_bit(0) end },
  { "another-bit-in-the-midst", "P33-112", function() return but_for_the_bit(32) end },
  { "ignored-bits", "P33-111", function() return { match_bits = ~BITS, ignorebits = -1 } end, true },
  { "an-ignored-bit", "P33-111", function()
    return { match_bits = BITS ~ (1 << 40), ignorebits = 1 << 40 }
  end, true } } do
  case {
    id = "get-put-meets-" .. name,
    title = "An exchange is matched as a put and a get are: " .. name:gsub("-", " "),
    purpose = "An entry with it, and one behind it that takes everything: who serves the exchange.",
    suite = "translation", chapter = "2.2", requirements = { req },
    run = function(t)
      local from, to = t:open {}
      to:eq("eq", 64)
      local entry = given(from.id)
      entry.index, entry.me, entry.md, entry.desc, entry.region = 1, "me1", "md1", "desc1", "buf1"
      entry.octets, entry.options, entry.eventq = 8, SERVES, "eq"
      entry.match_bits = Test.hex(entry.match_bits or BITS)
      to:attach(entry)
      to:attach { index = 1, me = "me2", md = "md2", desc = "desc2", region = "buf2", octets = 8, ignorebits = -1,
        position = "PTL_INS_AFTER", options = SERVES, eventq = "eq" }
      for _, region in ipairs { "new", "old" } do
        from:bind { region = region, octets = 8, desc = region .. "-desc", md = region .. "-md" }
      end
      t:setup(from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to, portal = 1,
        match_bits = Test.hex(BITS) })
      local event = to:wait_done("eq").event
      t:equal(req, "who serves it", event and { event.type, event.md_handle },
        { "PTL_EVENT_GETPUT_END", takes and "md1" or "md2" })
    end,
  }
end

case {
  id = "get-put-without-any-queue",
  title = "An exchange is done although neither side has a queue",
  purpose = "Two exchanges of 8 octets between descriptors without queues; both regions afterwards.",
  suite = "regions", chapter = "3.10.3", requirements = { "P33-364" },
  run = function(t)
    local from, to = t:open {}
    to:attach { octets = 24, fill = "mix/2", options = SERVES }
    from:bind { region = "old", octets = 8, desc = "old-desc", md = "old-md" }
    for i, found in ipairs { "mix/2/5", "mix/5" } do
      local new = "new" .. i
      from:bind { region = new, octets = 8, fill = "mix/" .. 4 + i, desc = new .. "-desc", md = new .. "-md" }
      t:rc("P33-364", from:PtlGetPut { mem_desc = "old-md", put_desc = new .. "-md", target = to, offset = 5 },
        "PTL_OK")
      t:flush(from, to)
      t:flush(to, from)
      t:octets("P33-364", "what exchange " .. i .. " found", from, "old", found)
      t:octets("P33-364", "what exchange " .. i .. " left", to, "buf", "mix/" .. 4 + i, 5, 8)
    end
  end,
}

for name, ask in each {
  { "a-put", function(from, given) return from:PtlPut(given) end },
  { "a-get", function(from, given) return from:PtlGet(given) end },
  { "an-exchange", function(from, given) given.put_desc = "new-md" return from:PtlGetPut(given) end } } do
  case {
    id = "bound-without-a-queue-used-up-by-" .. name,
    title = "A bound descriptor without a queue goes with its last operation if it was made so",
    purpose = "Descriptors with PTL_UNLINK and PTL_RETAIN and a threshold of 1, used up by " .. name:gsub("-", " ")
      .. "; then both handles.",
    chapter = "3.7.4", requirements = { "P33-196" },
    run = function(t)
      local from, to = t:open {}
      to:attach { octets = 8, options = SERVES }
      from:bind { region = "new", octets = 8, desc = "new-desc", md = "new-md" }
      t:flush(from, to)
      t:flush(to, from)
      for md, unlink in each { { "stays", "PTL_RETAIN" }, { "goes", "PTL_UNLINK" } } do
        from:bind { region = md .. "-buf", octets = 8, desc = md .. "-desc", md = md, threshold = 1,
          md_unlink = unlink }
        t:rc("P33-196", ask(from, { mem_desc = md, target = to }), "PTL_OK")
        t:flush(from, to)
        t:flush(to, from)
        if unlink == "PTL_UNLINK" then
          t:md_unlinked("P33-196", from, md)
        else
          t:rc("P33-196", from:PtlMDUpdate { mem_desc = md, old = "was" }, "PTL_OK")
        end
      end
    end,
  }
end

case {
  id = "acknowledgement-of-a-cut-part",
  title = "The acknowledgement of a part that was cut tells what was asked for and what was moved",
  purpose = "Parts of 41 octets are put where there is room for 20, for one and for none; the event of each acknowledgement.",
  suite = "regions", chapter = "3.10.1", requirements = { "P33-310", "P33-230", "P33-231" },
  run = function(t)
    local from, to = t:open {}
    from:eq("eq", 64)
    from:bind { region = "out", octets = 100, fill = "mix/1", md = "out-md", eventq = "eq" }
    to:attach { octets = 100, ignorebits = -1, options = SERVES .. "|PTL_MD_TRUNCATE" }
    for _, room in ipairs { 20, 1, 0 } do
      t:setup(from:PtlPutRegion { mem_desc = "out-md", ["local"] = 33, length = 41, ack_req = "PTL_ACK_REQ",
        target = to, offset = 100 - room, match_bits = 0x77 })
      local ack
      for _, event in ipairs(from:collect("eq", 3)) do ack = event.type == "PTL_EVENT_ACK" and event or ack end
      t:check("P33-310", "PTL_EVENT_ACK comes", ack ~= nil, "an event", "none")
      t:equal("P33-231", "what was moved", ack.mlength, room)
      t:equal("P33-310", "what was asked for, and the match bits", { ack.rlength, ack.match_bits }, { 41, 0x77 })
      t:equal("P33-230", "what was asked for", ack.rlength, 41)
    end
  end,
}

case {
  id = "max-size-and-threshold-at-once",
  title = "A message that leaves too little room and uses a descriptor up unlinks it once, and its entry as that was made",
  purpose = "A threshold of 2 and room for two messages: the second one is the last for both reasons, or for one of them. One PTL_EVENT_UNLINK comes. An entry with PTL_RETAIN takes another descriptor, one with PTL_UNLINK is gone.",
  requirements = { "P33-179", "P33-023", "P33-024" }, ranks = 1,
  run = function(t)
    local rank = t:open {}
    rank:eq("eq", 64)
    rank:bind { region = "out", octets = 8, fill = "mix/1", desc = "out-desc", md = "out-md" }
    local count = 0
    for octets, threshold in each { { 20, 2 }, { 20, 9 }, { 20, "inf" }, { 64, 2 } } do
      for _, unlink in ipairs { "PTL_RETAIN", "PTL_UNLINK" } do
        count = count + 1
        local me, md = "me" .. count, "md" .. count
        rank:attach { index = 1, me = me, md = md, desc = "desc-" .. md, region = "buf-" .. md, octets = octets,
          max_size = 8, threshold = threshold, unlink = unlink, md_unlink = "PTL_UNLINK",
          options = BOTH .. "|PTL_MD_MAX_SIZE", eventq = "eq" }
        for _ = 1, 2 do rank:put { mem_desc = "out-md", target = rank, portal = 1 } end
        t:flush(rank, rank)
        local told = 0
        local function look(event) told = told + (event.type == "PTL_EVENT_UNLINK" and 1 or 0) end
        repeat
          local event = rank:wait("eq").event
          if event then look(event) end
        until not event or told > 0
        t:flush(rank, rank)
        rank:drain("eq", look)
        t:equal("P33-179", "events that tell of the unlinking of " .. octets .. " octets and a threshold of "
          .. threshold, told, 1)
        if unlink == "PTL_UNLINK" then
          t:me_unlinked("P33-023", rank, me)
        else
          t:rc("P33-024", rank:PtlMDAttach { match = me, mem_desc = "desc-" .. md, handle = md }, "PTL_OK")
          rank:put { mem_desc = "out-md", target = rank, portal = 1 }
          t:flush(rank, rank)
          t:equal("P33-024", "events of the next descriptor", #rank:drain("eq"), 2)
          rank:me_unlink { entry = me }
        end
      end
    end
  end,
}

case {
  id = "full-until-an-update",
  title = "A descriptor that is full takes messages from its start on when it is updated",
  purpose = "Descriptors of 16 octets with and without a least size take two messages; each of two more is dropped. After an update two arrive where the first did.",
  chapter = "3.7.6", requirements = { "P33-209", "P33-321" }, ranks = 1,
  run = function(t)
    local rank = t:open {}
    rank:eq("eq", 64)
    rank:bind { region = "out", octets = 8, fill = "mix/1", desc = "out-desc", md = "out-md" }
    for portal, options in ipairs { BOTH, BOTH .. "|PTL_MD_MAX_SIZE" } do
      local names <const> = { index = portal, me = "me" .. portal, md = "md" .. portal, desc = "desc" .. portal,
        region = "buf" .. portal, octets = 16, max_size = 8, options = options .. "|PTL_MD_EVENT_START_DISABLE",
        eventq = "eq" }
      rank:attach(names)
      for round = 1, 2 do
        for i = 0, 1 do
          rank:put { mem_desc = "out-md", target = rank, portal = portal }
          t:event("P33-209", rank, "eq", { type = "PTL_EVENT_PUT_END", offset = 8 * i })
        end
        for _ = 1, 2 do
          local before = rank:drop_count()
          rank:put { mem_desc = "out-md", target = rank, portal = portal }
          t:drops("P33-321", rank, before, 1)
        end
        if round == 1 then
          t:rc("P33-209", rank:PtlMDUpdate { mem_desc = names.md, new = names.desc, testq = "eq" }, "PTL_OK")
        end
      end
    end
  end,
}

case {
  id = "in-use-no-longer-33",
  title = "PtlMDUnlink takes a descriptor away as soon as its parts and exchanges are complete",
  purpose = "Descriptors from which parts were put, into which parts were fetched, with which an exchange was made and which served one; the parts at the start, in the middle, of nothing at the end.",
  chapter = "3.7.5", requirements = { "P33-197" },
  run = function(t)
    local from, to = t:open {}
    from:eq("eq", 64)
    to:eq("eq", 64)
    to:region("buf", 64)
    for name, octets in each { { "part", 16 }, { "old", 8 }, { "new", 8 } } do from:region("of-" .. name, octets) end
    local function served(what, descriptors, act)
      to:attach { index = 1, options = SERVES, eventq = "eq" }
      for _, name in ipairs(descriptors) do
        from:bind { region = "of-" .. name, desc = "desc-" .. name, md = name, eventq = "eq" }
      end
      t:setup(act())
      t:flush(from, to)
      t:flush(to, from)
      for _, name in ipairs(descriptors) do
        t:equal("P33-197", "PtlMDUnlink behind " .. what .. ", where it came from",
          from:PtlMDUnlink { mem_desc = name }.rc, "PTL_OK")
      end
      t:equal("P33-197", "PtlMDUnlink behind " .. what .. ", where it went", to:PtlMDUnlink {}.rc, "PTL_OK")
      to:me_unlink {}
    end
    for at, length in each { { 0, 16 }, { 0, 8 }, { 5, 8 }, { 16, 0 } } do
      for _, verb in ipairs { "PtlPutRegion", "PtlGetRegion" } do
        served(verb .. " of " .. length .. " at " .. at, { "part" }, function()
          return from[verb](from, { mem_desc = "part", ["local"] = at, length = length, target = to, portal = 1 })
        end)
      end
    end
    served("PtlGetPut", { "old", "new" }, function()
      return from:PtlGetPut { mem_desc = "old", put_desc = "new", target = to, portal = 1 }
    end)
  end,
}

for name, option, kept in each { { "starts", "PTL_MD_EVENT_START_DISABLE", "_END$" },
  { "ends", "PTL_MD_EVENT_END_DISABLE", "_START$" } } do
  case {
    id = "numbers-without-" .. name,
    title = "Events that are not logged have no number",
    purpose = "Puts, gets and an exchange by descriptors that log no " .. name
      .. ", at both sides: the numbers of what is logged grow by one.",
    suite = "events", chapter = "3.8.2", requirements = { "P33-349" }, ranks = 1,
    run = function(t)
      local rank = t:open {}
      rank:eq("eq", 64)
      rank:bind { region = "out", octets = 8, fill = "mix/1", desc = "out-desc", md = "out-md", options = option,
        eventq = "eq" }
      rank:eq("in-eq", 64)
      rank:bind { region = "in", octets = 8, desc = "in-desc", md = "in-md", options = option, eventq = "in-eq" }
      rank:attach { index = 1, octets = 64, options = SERVES .. "|" .. option, eventq = "eq" }
      for _ = 1, 2 do
        rank:put { mem_desc = "out-md", target = rank, portal = 1 }
        rank:get { mem_desc = "in-md", target = rank, portal = 1 }
        t:setup(rank:PtlGetPut { mem_desc = "in-md", put_desc = "out-md", target = rank, portal = 1 })
        t:flush(rank, rank)
      end
      for eq, least in each { { "eq", 8 }, { "in-eq", 4 } } do
        local last, count, event = nil, 0, rank:wait_any(eq).event
        while event do
          t:check("P33-349", event.type .. " is one that is logged", event.type:find(kept) ~= nil, kept, event.type)
          if last then t:equal("P33-349", "the number of the next event, " .. event.type, event.sequence, last + 1) end
          last, count = event.sequence, count + 1
          event = (count < least and rank:wait_any(eq) or rank:PtlEQGet { eventq = eq }).event -- replies may be late
        end
        t:check("P33-349", "all events are there", count >= least, least .. " at least", count)
      end
    end,
  }
end

case {
  id = "get-put-that-comes-in-large-pieces",
  title = "A long exchange whose octets come late takes what is there then, or was there before all others",
  purpose = "One scripted peer sends half of an exchange of as many octets as the interface allows, 64 KiB at most; another one exchanges meanwhile; then the rest comes. Each gets what one other, or the region at first, had.",
  suite = "regions", chapter = "3.10.3", wire = true, ranks = 1, requirements = { "P33-365" },
  run = function(t)
    local rank, slow, quick = t:open { actual = "out" }, t:peer {}, t:peer {}
    local octets <const> = math.min(rank:granted("getput", 64), 65536)
    rank:attach { octets = octets, fill = "mix/1", options = SERVES }
    local uid = t:setup(rank:PtlGetUid()).uid
    local one, two = t:connect(slow, rank), t:connect(quick, rank)
    local function exchange(seed)
      return { operation = "getput", uid = uid, md = seed, match_bits = 0, length = octets, data = t.mix(seed, octets) }
    end
    local beginning, rest = one:split(exchange(2), octets // 2)
    one:send_raw(beginning)
    two:send(exchange(3))
    local answer = two:receive(2000)
    one:send_raw(rest)
    local late = one:receive()
    answer = answer or two:receive() -- a library may serve one after the other
    t:sanity("both are answered", late ~= nil and answer ~= nil)
    local got = { [late.data] = true, [answer.data] = true, [rank:read("buf", 0, octets)] = true }
    for seed = 1, 3 do
      t:check("P33-365", "what " .. (seed == 1 and "was there at first" or "exchange " .. seed - 1 .. " has put")
        .. " comes to one of the two or is left", got[t.mix(seed, octets)], "once", "nowhere")
    end
  end,
}
