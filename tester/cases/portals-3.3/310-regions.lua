-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.10: parts of a descriptor's region, and the exchange of octets. Rank 0 acts, rank 1 answers.

defaults { suite = "regions", chapter = "3.10", ranks = 2 }

local SERVES <const> = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE"
local OCTETS <const> = 100

local function pair(t)
  local from, to = t:open {}
  from:eq("eq", 64)
  to:eq("eq", 64)
  from:bind { region = "out", octets = OCTETS, fill = "mix/1", md = "out-md", eventq = "eq" }
  to:attach { octets = OCTETS, options = SERVES, eventq = "eq" }
  return from, to
end

-- Waits for an event of this type, and judges that it comes.
local function until_type(t, req, rank, wanted)
  local event
  repeat event = rank:wait("eq").event until not event or event.type == wanted
  t:check(req, rank.label .. ": " .. wanted .. " comes", event ~= nil, wanted, "no event")
  return event
end

local PARTS = { { "first", 0, 10 }, { "middle", 33, 41 }, { "last", 90, 10 }, { "all", 0, OCTETS },
  { "nothing", 50, 0 }, { "nothing-at-the-end", OCTETS, 0 } }
for name, at, octets in each(PARTS) do
  case {
    id = "put-region-" .. name,
    title = "PtlPutRegion sends the part of the region that it names",
    purpose = "The octets of the part are in the target's region, and those around it are as they were.",
    chapter = "3.10.1", requirements = { "P33-360" },
    run = function(t)
      local from, to = pair(t)
      t:rc("P33-360", from:PtlPutRegion { mem_desc = "out-md", ["local"] = at, length = octets, target = to,
        offset = at }, "PTL_OK")
      local event = until_type(t, "P33-360", to, "PTL_EVENT_PUT_END")
      t:equal("P33-360", "the requested length", event.rlength, octets)
      if octets > 0 then t:octets("P33-360", "the part", to, "buf", "mix/1/" .. at, at, octets) end
      if at > 0 then t:octets("P33-360", "the octets before it", to, "buf", "byte/0", 0, at) end
      if at + octets < OCTETS then t:octets("P33-360", "the octets behind it", to, "buf", "byte/0", at + octets) end
    end,
  }

  case {
    id = "get-region-" .. name,
    title = "PtlGetRegion fetches into the part of the region that it names",
    purpose = "The octets of the target are in the part, and those around it are as they were.",
    chapter = "3.10.2", requirements = { "P33-362" },
    run = function(t)
      local from, to = pair(t)
      to:fill("buf", "mix/2")
      t:rc("P33-362", from:PtlGetRegion { mem_desc = "out-md", ["local"] = at, length = octets, target = to,
        offset = OCTETS - octets }, "PTL_OK")
      local event = until_type(t, "P33-362", from, "PTL_EVENT_REPLY_END")
      t:equal("P33-362", "the requested length", event.rlength, octets)
      if at ~= OCTETS - octets then -- what an event of a reply says is left open (P33-233)
        t:reading("P33-362", "answer_event_offset", "the offset of the reply", event.offset == at and at or "another",
          { { "request_then_zero", at }, { "unspecified", "another" } })
      end
      if octets > 0 then t:octets("P33-362", "the part", from, "out", "mix/2/" .. OCTETS - octets, at, octets) end
      if at > 0 then t:octets("P33-362", "the octets before it", from, "out", "mix/1", 0, at) end
      if at + octets < OCTETS then
        t:octets("P33-362", "the octets behind it", from, "out", "mix/1/" .. at + octets, at + octets)
      end
    end,
  }
end

case {
  id = "parts-of-a-large-region",
  title = "Parts of more than a mebibyte are sent from and fetched to where they are named",
  purpose = "Of 3 MiB the last two but for an octet are put to the start of a region of that length, and fetched back behind its first octet; a few octets are fetched to places far behind.",
  chapter = "3.10.1", requirements = { "P33-360", "P33-362" },
  run = function(t)
    local from, to = t:open {}
    local length <const>, part <const> = 3 << 20, (2 << 20) - 1
    for i = 0, 1 do t.ranks[i]:eq("eq", 64) end
    from:bind { region = "out", octets = length, fill = "mix/1", md = "out-md", eventq = "eq" }
    to:attach { octets = length, options = SERVES, eventq = "eq" }
    t:rc("P33-360", from:PtlPutRegion { mem_desc = "out-md", ["local"] = length - part, length = part, target = to },
      "PTL_OK")
    until_type(t, "P33-360", to, "PTL_EVENT_PUT_END")
    t:octets("P33-360", "the part", to, "buf", "mix/1/" .. length - part, 0, part)
    t:rc("P33-362", from:PtlGetRegion { mem_desc = "out-md", ["local"] = 1, length = part, target = to }, "PTL_OK")
    until_type(t, "P33-362", from, "PTL_EVENT_REPLY_END")
    t:octets("P33-362", "the part that was fetched", from, "out", "mix/1/" .. length - part, 1, part)
    t:octets("P33-362", "the octets behind it", from, "out", "mix/1/" .. part + 1, part + 1)
    for _, place in ipairs { 70001, (2 << 20) + 5 } do
      from:fill("out", "byte/2", place - 8, 32)
      t:rc("P33-362", from:PtlGetRegion { mem_desc = "out-md", ["local"] = place, length = 16, target = to }, "PTL_OK")
      until_type(t, "P33-362", from, "PTL_EVENT_REPLY_END")
      t:octets("P33-362", "the few octets fetched to " .. place, from, "out", "mix/1/" .. length - part, place, 16)
      for _, beside in ipairs { place - 8, place + 16 } do
        t:octets("P33-362", "the octets beside them", from, "out", "byte/2", beside, 8)
      end
    end
  end,
}

local BEYOND = { { "end", 91, 10 }, { "start", OCTETS + 1, 0 }, { "both", 200, 10 }, { "wraps", -8, 16 },
  { "length-wraps", 8, -4 }, { "length-wraps-to-all", 50, -50 }, { "length-without-end", 0, -1 } }
for name, at, octets in each(BEYOND) do
  case {
    id = "region-beyond-" .. name,
    title = "A part that does not lie in the region is refused",
    purpose = "PtlPutRegion and PtlGetRegion with such a part; nothing is sent.",
    requirements = { "P33-361", "P33-363" },
    run = function(t)
      local from, to = pair(t)
      local part = { mem_desc = "out-md", ["local"] = at, length = octets, target = to }
      t:rc("P33-361", from:PtlPutRegion(part), "PTL_ILL_MD")
      t:rc("P33-363", from:PtlGetRegion(part), "PTL_ILL_MD")
      t:flush(from, to)
      t:no_event("P33-361", to, "eq", 0)
      t:no_event("P33-363", from, "eq", 0)
    end,
  }
end

for octets in each { { 1 }, { 8 }, { 13 } } do
  case {
    id = "get-put-" .. octets,
    title = "PtlGetPut exchanges octets with the target",
    purpose = "What was there comes to one descriptor, what the other one has is there; events tell it on both sides.",
    chapter = "3.10.3", requirements = { "P33-364", "P33-366" },
    run = function(t)
      local from, to = pair(t)
      local most = to:granted("getput", octets)
      t:skip_if(octets > most, "this interface exchanges " .. most .. " octets at most")
      to:fill("buf", "mix/2")
      from:bind { region = "new", octets = octets, fill = "mix/5", desc = "new-desc", md = "new-md", eventq = "eq" }
      from:bind { region = "old", octets = octets, desc = "old-desc", md = "old-md", eventq = "eq" }
      local data <const> = 0x0123456789abcdef
      t:rc("P33-364", from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to, offset = 40,
        hdr_data = Test.hex(data) }, "PTL_OK")
      t:event("P33-366", to, "eq", { type = "PTL_EVENT_GETPUT_START", hdr_data = data })
      t:event("P33-366", to, "eq", { type = "PTL_EVENT_GETPUT_END", rlength = octets, mlength = octets, offset = 40,
        hdr_data = data })
      local event = until_type(t, "P33-366", from, "PTL_EVENT_REPLY_END")
      t:equal("P33-366", "the descriptor of the reply", event.md_handle, "old-md")
      t:octets("P33-364", "what was at the target", from, "old", "mix/2/40")
      t:octets("P33-364", "what is there now", to, "buf", "mix/5", 40, octets)
      t:octets("P33-364", "the octets before it", to, "buf", "mix/2", 0, 40)
      t:octets("P33-364", "the octets behind it", to, "buf", "mix/2/" .. 40 + octets, 40 + octets)
    end,
  }
end

case {
  id = "region-refused-does-not-count",
  title = "Refused operations on parts of a region and refused exchanges count on no threshold",
  purpose = "A descriptor with a threshold of two: four parts that do not lie in it and an exchange of unequal lengths are refused. Then it sends twice and no more.",
  requirements = { "P33-361", "P33-363", "P33-367" },
  run = function(t)
    local from, to = pair(t)
    from:bind { region = "twice", octets = 10, threshold = 2, desc = "twice-desc", md = "twice-md" }
    local most = to:granted("getput", 8)
    from:bind { region = "much", octets = most < 65536 and most + 1 or 9, desc = "much-desc", md = "much-md" }
    for _, part in ipairs { { 0, 11 }, { 11, 0 } } do
      local given = { mem_desc = "twice-md", ["local"] = part[1], length = part[2], target = to }
      t:rc("P33-361", from:PtlPutRegion(given), "PTL_ILL_MD")
      t:equal("P33-361", "the threshold after it", Descriptor.current(t, from, "twice-md").threshold, 2)
      t:rc("P33-363", from:PtlGetRegion(given), "PTL_ILL_MD")
      t:equal("P33-363", "the threshold after it", Descriptor.current(t, from, "twice-md").threshold, 2)
    end
    for _, swapped in ipairs { false, true } do
      local exchanged = from:PtlGetPut { mem_desc = swapped and "much-md" or "twice-md",
        put_desc = swapped and "twice-md" or "much-md", target = to }
      if exchanged.rc ~= "PTL_OK" then
        t:equal("P33-367", "the threshold after an exchange that was refused",
          Descriptor.current(t, from, "twice-md").threshold, 2)
      end
    end
    t:check("P33-367", "exchanges were tried", true)
  end,
}

case {
  id = "get-put-behind-each-other",
  title = "A descriptor that keeps its offset exchanges octets behind those that it has exchanged",
  purpose = "Three exchanges of one octet with a descriptor that has an offset of its own, each of another value: each finds what was there at first, and a put in between moves the offset too.",
  chapter = "3.10.3", requirements = { "P33-364" },
  run = function(t)
    local from, to = pair(t)
    to:attach { index = 1, me = "own-me", md = "own-md", desc = "own-desc", region = "own", octets = 8, fill = "mix/2",
      options = "PTL_MD_OP_PUT|PTL_MD_OP_GET", eventq = "eq" }
    from:bind { region = "old", octets = 1, desc = "old-desc", md = "old-md", eventq = "eq" }
    for i, at in ipairs { 0, 1, 3 } do
      local new = "new" .. i
      from:bind { region = new, octets = 1, fill = "byte/" .. 0xa0 + i, desc = new .. "-desc", md = new .. "-md" }
      t:rc("P33-364", from:PtlGetPut { mem_desc = "old-md", put_desc = new .. "-md", target = to, portal = 1,
        offset = 5 }, "PTL_OK")
      until_type(t, "P33-364", from, "PTL_EVENT_REPLY_END")
      until_type(t, "P33-364", to, "PTL_EVENT_GETPUT_END")
      t:octets("P33-364", "what exchange " .. i .. " found", from, "old", "mix/2/" .. at)
      t:octets("P33-364", "what exchange " .. i .. " left", to, "own", "byte/" .. 0xa0 + i, at, 1)
      if i == 2 then
        from:put { mem_desc = "new1-md", target = to, portal = 1 }
        until_type(t, "P33-364", to, "PTL_EVENT_PUT_END")
      end
    end
    t:octets("P33-364", "the octets behind them", to, "own", "mix/2/4", 4)
  end,
}

-- Rank 0 exchanges 8 octets, rank 1 serves them by a descriptor with these options, in front of one with others.
local function exchange(t, from, to, options, behind)
  to:attach { index = 1, me = "first-me", md = "first-md", desc = "first", region = "first-buf", octets = 8,
    fill = "mix/2", options = options .. "|PTL_MD_MANAGE_REMOTE", eventq = "eq" }
  if behind then
    to:me_insert { current = "first-me", handle = "second-me" }
    to:add_md { me = "second-me", md = "second-md", desc = "second", region = "second-buf", octets = 8, eventq = "eq",
      options = behind }
  end
  from:bind { region = "new", octets = 8, fill = "mix/5", desc = "new-desc", md = "new-md" }
  from:bind { region = "old", octets = 8, desc = "old-desc", md = "old-md", eventq = "eq" }
  t:setup(from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to, portal = 1 })
end

for name, option in each { { "puts", "PTL_MD_OP_PUT" }, { "gets", "PTL_MD_OP_GET" } } do
  case {
    id = "get-put-to-one-for-" .. name,
    title = "A descriptor that serves only puts, or only gets, serves no exchange",
    purpose = "An exchange with a descriptor that has " .. option .. " alone goes to the entry behind it.",
    suite = "memory-descriptors", chapter = "4.2", requirements = { "P33-324" },
    run = function(t)
      local from, to = pair(t)
      exchange(t, from, to, option, SERVES)
      local event = until_type(t, "P33-324", to, "PTL_EVENT_GETPUT_END")
      t:equal("P33-324", "the descriptor that serves", event.md_handle, "second-md")
      t:octets("P33-324", "the region of the other one", to, "first-buf", "mix/2")
    end,
  }
end

for name, option, wanted, requirement in each {
  { "starts", "PTL_MD_EVENT_START_DISABLE", "PTL_EVENT_GETPUT_END", "P33-373" },
  { "ends", "PTL_MD_EVENT_END_DISABLE", "PTL_EVENT_GETPUT_START", "P33-374" } } do
  case {
    id = "get-put-without-" .. name,
    title = "Of an exchange too only those events are logged that are wanted",
    purpose = "An exchange with a descriptor that has " .. option .. ": the other event comes, and no more.",
    suite = "memory-descriptors", chapter = "3.7.1", requirements = { requirement },
    run = function(t)
      local from, to = pair(t)
      exchange(t, from, to, "PTL_MD_OP_PUT|PTL_MD_OP_GET|" .. option)
      t:event(requirement, to, "eq", { type = wanted })
      until_type(t, requirement, from, "PTL_EVENT_REPLY_END")
      t:flush(from, to)
      t:no_event(requirement, to, "eq", 0)
    end,
  }
end

case {
  id = "get-put-answer",
  title = "The reply to an exchange echoes what it answers",
  purpose = "A scripted peer exchanges 8 octets with match bits, an offset, a handle and header data; the reply has all but these.",
  suite = "wire", chapter = "4.1", wire = true, ranks = 1, requirements = { "P33-302" },
  run = function(t)
    local rank, peer = t:open {}, t:peer {}
    rank:attach { index = 2, octets = 24, fill = "mix/2", ignorebits = -1, options = SERVES }
    local stream = t:connect(peer, rank)
    stream:send { operation = "getput", uid = t:setup(rank:PtlGetUid()).uid, portal = 2, md = 0x1234567890,
      match_bits = 0x0123456789abcdef, offset = 13, hdr_data = 77, length = 8, data = "exchange" }
    t:expect("P33-302", stream, "reply", { portal = 2, md = 0x1234567890, match_bits = 0x0123456789abcdef, offset = 13,
      rlength = 8, mlength = 8 })
  end,
}

case {
  id = "get-region-shortened",
  title = "A reply that comes late is not written where the region does not reach any more",
  purpose = "A scripted peer is asked for the last 50 of 100 octets. The region is shortened to 60 octets, which may be refused, and then the reply comes: the octets from 60 on stay as they were.",
  suite = "memory-descriptors", chapter = "3.7.1", wire = true, ranks = 1, requirements = { "P33-140" },
  run = function(t)
    local rank, peer = t:open {}, t:peer {}
    rank:eq("eq", 64)
    rank:eq("seen")
    rank:attach { index = 2, octets = 8, options = SERVES, eventq = "seen" }
    rank:region("in", OCTETS)
    rank:bind { region = "in", md = "in-md", options = "PTL_MD_TRUNCATE", eventq = "eq" }
    t:setup(rank:PtlGetRegion { mem_desc = "in-md", ["local"] = 50, length = 50, target = t.nid(peer.id) })
    local stream = t:accept(peer)
    local get = t:expect("P33-140", stream, "get")
    rank:md { name = "short", start = "in", length = 60, options = "PTL_MD_TRUNCATE", eventq = "eq" }
    local updated = rank:PtlMDUpdate { mem_desc = "in-md", new = "short" }.rc == "PTL_OK"
    stream:send(stream:answer_of(get, { operation = "tagged-reply", uid = get.uid, local_offset = get.local_offset,
      data = t.mix(9, 50) }))
    stream:send { operation = "tagged-put", uid = t:setup(rank:PtlGetUid()).uid, portal = 2, md = stream.NO_MD,
      data = "behind" }
    t:sanity("what the peer puts behind the reply arrives", rank:wait("seen", 5000).event ~= nil)
    t:octets("P33-140", "the octets before the part", rank, "in", "byte/0", 0, 50)
    if updated then t:octets("P33-140", "the octets behind the shorter region", rank, "in", "byte/0", 60) end
  end,
}

case {
  id = "get-regions-answered-in-another-order",
  title = "Each reply goes to the part that was asked for with its get, whichever is answered first",
  purpose = "A scripted peer is asked for three parts of one descriptor, and answers the last get first.",
  chapter = "3.10.2", wire = true, ranks = 1, requirements = { "P33-362" },
  run = function(t)
    local rank, peer = t:open {}, t:peer {}
    rank:eq("eq", 64)
    rank:bind { region = "in", octets = OCTETS, md = "in-md", eventq = "eq" }
    local parts, gets, stream = { { 60, 30 }, { 0, 10 }, { 25, 20 } }, {}, nil
    for i, part in ipairs(parts) do
      t:setup(rank:PtlGetRegion { mem_desc = "in-md", ["local"] = part[1], length = part[2], target = t.nid(peer.id) })
      stream = stream or t:accept(peer)
      gets[i] = t:expect("P33-362", stream, "get", { rlength = part[2] })
    end
    for i = 3, 1, -1 do
      stream:send(stream:answer_of(gets[i], { operation = "tagged-reply", uid = gets[i].uid,
        local_offset = gets[i].local_offset, data = t.mix(i, parts[i][2]) }))
      until_type(t, "P33-362", rank, "PTL_EVENT_REPLY_END")
    end
    for i, part in ipairs(parts) do t:octets("P33-362", "part " .. i, rank, "in", "mix/" .. i, part[1], part[2]) end
    for at, octets in each { { 10, 15 }, { 45, 15 }, { 90, 10 } } do
      t:octets("P33-362", "the octets between", rank, "in", "byte/0", at, octets)
    end
  end,
}

case {
  id = "get-put-links",
  title = "Both events of an exchange have one link, and another one than the next exchange",
  purpose = "Two exchanges in turn; the links of the events at the target, and of those of the replies.",
  chapter = "3.10.3", requirements = { "P33-348" },
  run = function(t)
    local from, to = pair(t)
    from:bind { region = "new", octets = 8, desc = "new-desc", md = "new-md" }
    from:bind { region = "old", octets = 8, desc = "old-desc", md = "old-md", eventq = "eq" }
    local links = {}
    for _ = 1, 2 do
      t:setup(from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to })
      for _, side in ipairs { { to, "GETPUT" }, { from, "REPLY" } } do
        local rank, kind = side[1], "PTL_EVENT_" .. side[2]
        local began = until_type(t, "P33-348", rank, kind .. "_START")
        local ended = until_type(t, "P33-348", rank, kind .. "_END")
        t:equal("P33-348", "the link of " .. kind .. "_END", ended.link, began.link)
        t:check("P33-348", "the link is another one than before", links[rank] ~= ended.link, "another one", ended.link)
        links[rank] = ended.link
      end
    end
  end,
}

for name, asked, wish in each { { "too-long", "as many as usual" }, { "too-long-for-the-wish", "8", 8 } } do
  case {
    id = "get-put-" .. name,
    title = "PtlGetPut refuses more octets than the interface exchanges",
    purpose = "It is opened with " .. asked .. " octets wished for. As many as the actual limit are exchanged with a "
      .. "descriptor without queue, one more is refused. The refused descriptor can still be used once.",
    chapter = "3.10.3", requirements = { "P33-367", "P33-338", "P33-364" },
    run = function(t)
      local from, to = t:open { getput = wish, actual = "out" }
      local most = t:setup(from:open_again { actual = "out", handle = "again" }).actual.getput
      t:check("P33-367", "the limit is positive", most > 0, "> 0", most)
      t:skip_if(most > 1 << 20, "the limit is so large that it is not reached")
      to:attach { octets = most + 1, options = SERVES, fill = "mix/2" }
      from:eq("eq")
      for i, octets in ipairs { most, most + 1 } do
        from:bind { region = "new" .. i, octets = octets, fill = "mix/5", desc = "new-desc" .. i, md = "new-md" .. i }
        from:bind { region = "old" .. i, octets = octets, desc = "old-desc" .. i, md = "old-md" .. i, eventq = "eq",
          threshold = 1 }
      end
      t:rc("P33-338", from:PtlGetPut { mem_desc = "old-md1", put_desc = "new-md1", target = to }, "PTL_OK")
      until_type(t, "P33-338", from, "PTL_EVENT_REPLY_END")
      t:octets("P33-364", "what is at the target now", to, "buf", "mix/5", 0, most)
      local result = from:PtlGetPut { mem_desc = "old-md2", put_desc = "new-md2", target = to }
      t:check("P33-367", "what one octet more returns", result.rc ~= "PTL_OK", "another code than PTL_OK", result.rc)
      t:rc("P33-367", from:PtlGet { mem_desc = "old-md2", target = to }, "PTL_OK")
      until_type(t, "P33-367", from, "PTL_EVENT_REPLY_END")
    end,
  }
end

case {
  id = "get-put-longer-than-the-limit-comes",
  title = "An exchange of more octets than the interface exchanges is discarded when it comes",
  purpose = "A scripted peer exchanges one octet more than the actual limit, between two of as many as it allows: the one is counted, and only the others are answered.",
  suite = "receiving", chapter = "4.2", wire = true, ranks = 1, requirements = { "P33-321", "P33-329" },
  negative = true, run = function(t)
    local rank, peer = t:open { actual = "out" }, t:peer {}
    local most = rank:granted("getput", 64)
    t:skip_if(most > 1 << 20, "the limit is so large that it is not reached")
    rank:attach { octets = most + 1, options = SERVES, fill = "mix/2" }
    local stream = t:connect(peer, rank)
    local uid = t:setup(rank:PtlGetUid()).uid
    local before = rank:drop_count()
    local function exchange(md, octets)
      return { operation = "getput", uid = uid, md = md, length = octets, data = t.mix(md, octets) }
    end
    local first = exchange(1, most)
    stream:send(first)
    local answer = stream:receive()
    t:valid_counterpart(stream, first, answer and answer.operation == "reply")
    t:send_invalid("P33-329", stream, exchange(3, most + 1), { state = "exchange" })
    stream:send(exchange(2, most))
    t:expect("P33-329", stream, "reply", { md = 2, rlength = most, mlength = most, data = t.mix(1, most) })
    t:drops("P33-321", rank, before, 1)
    t:octets("P33-321", "what they left behind it", rank, "buf", "mix/2/" .. most, most)
  end,
}

case {
  id = "get-put-atomic",
  title = "Exchanges of several processes at one place lose nothing",
  purpose = "Two processes exchange up to 40 tokens each, two descriptors for each of them, at one place; all of them, and what was there first, are found once.",
  chapter = "3.10.3", ranks = 3, deadline = 90, requirements = { "P33-365" },
  run = function(t)
    local one, two, home = t:open { actual = "out" }
    home:attach { octets = 8, options = SERVES }
    local places <const> = math.min(one:granted("descriptors", 80), two:granted("descriptors", 80))
    local TOKENS <const> = math.min(40, places // 2)
    local seen = {}
    for i, rank in ipairs { one, two } do
      rank:eq("eq", 2 * TOKENS)
      rank:region("new", 8 * TOKENS)
      rank:region("old", 8 * TOKENS)
      for k = 0, TOKENS - 1 do
        rank:write("new", 8 * k, string.pack(">I8", 1000 * i + k))
        rank:bind { start = "new+" .. 8 * k, length = 8, desc = "n" .. k, md = "new" .. k }
        rank:bind { start = "old+" .. 8 * k, length = 8, desc = "o" .. k, md = "old" .. k, eventq = "eq" }
      end
    end
    for k = 0, TOKENS - 1 do
      for _, rank in ipairs { one, two } do
        rank:start_PtlGetPut { mem_desc = "old" .. k, put_desc = "new" .. k, target = home }
      end
    end
    for _, rank in ipairs { one, two } do
      for _ = 1, TOKENS do until_type(t, "P33-365", rank, "PTL_EVENT_REPLY_END") end
      for k = 0, TOKENS - 1 do
        local token = string.unpack(">I8", rank:read("old", 8 * k, 8))
        t:check("P33-365", "the token " .. token .. " comes back once", not seen[token], "once", "twice")
        seen[token] = true
      end
    end
    local last = string.unpack(">I8", home:read("buf", 0, 8))
    t:check("P33-365", "the token that is left has not come back", not seen[last], "another", last)
    seen[last] = true
    local count = 0
    for _ in pairs(seen) do count = count + 1 end
    t:equal("P33-365", "different tokens, with the one that was there first", count, 2 * TOKENS + 1)
  end,
}

case {
  id = "get-put-that-comes-in-pieces",
  title = "An exchange whose octets come late takes what is there then, or was there before all others",
  purpose = "One scripted peer sends the beginning of an exchange; another one exchanges meanwhile; then the rest comes. Each gets what one other, or the region at first, had.",
  chapter = "3.10.3", wire = true, ranks = 1, requirements = { "P33-365" },
  run = function(t)
    local rank, slow, quick = t:open {}, t:peer {}, t:peer {}
    rank:attach { octets = 8, options = SERVES }
    rank:write("buf", 0, "at first")
    local uid = t:setup(rank:PtlGetUid()).uid
    local one, two = t:connect(slow, rank), t:connect(quick, rank)
    local function exchange(stream, data)
      return { operation = "getput", uid = uid, md = 7, match_bits = 0, length = #data, data = data }
    end
    local beginning, rest = one:split(exchange(one, "the slow"), 4)
    one:send_raw(beginning)
    rank:pause(50) -- so that it has been looked at before the other one comes
    two:send(exchange(two, "thequick"))
    local answer = two:receive(2000)
    one:send_raw(rest)
    local late = one:receive()
    answer = answer or two:receive() -- a library may serve one after the other
    t:sanity("both are answered", late ~= nil and answer ~= nil)
    local now = rank:read("buf", 0, 8)
    local got = { [late.data] = true, [answer.data] = true, [now] = true }
    for _, octets in ipairs { "at first", "the slow", "thequick" } do
      t:check("P33-365", "\"" .. octets .. "\" comes to one of the two or is left", got[octets], "once", "nowhere")
    end
  end,
}
