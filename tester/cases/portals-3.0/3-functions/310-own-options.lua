-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.7.1 and 3.10: the options of a memory descriptor say how it responds to the requests of others. What its
-- owner begins from it is not affected, and gets are not by what is said of puts.

defaults { suite = "movement", chapter = "3.10", still = { "P32-223" } }

local PUT, GET, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"
local DISABLE, TRUNCATE = "PTL_MD_ACK_DISABLE", "PTL_MD_TRUNCATE"

-- Each option by itself, none and all.
local OPTIONS = { 0, PUT, GET, REMOTE, TRUNCATE, DISABLE, table.concat({ PUT, GET, REMOTE, TRUNCATE, DISABLE }, "|") }

case {
  id = "move-whatever-its-own-options",
  title = "A descriptor's options do not restrict its owner's own puts and gets",
  purpose = "Acknowledged puts and gets with an offset of 16 begin from descriptors with each option, with none and with all. The whole region is sent, the acknowledgement comes, and the reply, which is shorter than the region, is stored from the beginning. An inactive one sends likewise.",
  requirements = { "P30-255", "P30-257", "P30-271" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:eq("eq")
    to:attach { octets = 128, options = PUT .. "|" .. REMOTE, eventq = "eq" }
    to:attach { index = 1, me = "me1", md = "md1", start = "buf", length = 40, eventq = "eq",
      options = GET .. "|" .. REMOTE .. "|" .. TRUNCATE }
    from:eq("eq")
    from:region("own", 64)
    for round, options in ipairs(OPTIONS) do
      from:fill("own", "mix/" .. round)
      from:bind { region = "own", md = "own-md", options = options, eventq = "eq" }
      from:put { mem_desc = "own-md", ack_req = "PTL_ACK_REQ", target = to, offset = 16 }
      t:event("P30-255", to, "eq", { type = "PTL_EVENT_PUT", rlength = 64, mlength = 64, offset = 16 })
      t:octets("P30-255", "what was put with the options " .. options, to, "buf", "mix/" .. round, 16, 64)
      t:equal("P30-257", "events of a put with the options " .. options, t.types((from:collect("eq", 2))),
        { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
      to:fill("buf", "mix/" .. round + 20)
      from:get { mem_desc = "own-md", target = to, portal = 1, offset = 16 }
      t:event("P30-271", from, "eq", { type = "PTL_EVENT_REPLY", mlength = 24 })
      t:octets("P30-271", "what was fetched with the options " .. options, from, "own", "mix/" .. round + 20 .. "/16",
        0, 24)
      t:octets("P30-271", "the octets behind it", from, "own", "mix/" .. round .. "/24", 24, 40)
      t:sanity("the get is logged", to:wait("eq").event ~= nil)
    end
    from:bind { region = "own", md = "own-md", threshold = 0, eventq = "eq" }
    local result = from:PtlPut { mem_desc = "own-md", ack_req = "PTL_ACK_REQ", target = to }
    if result.rc == "PTL_OK" then -- by a known reading it is refused: P30-150
      t:event("P30-255", to, "eq", { type = "PTL_EVENT_PUT", rlength = 64, mlength = 64 })
      local types = t.types((from:collect("eq", 2)))
      table.sort(types)
      t:equal("P30-257", "events of a put from an inactive descriptor", types, { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
    end
  end,
}

case {
  id = "move-get-despite-ack-disable",
  title = "A get is answered even with PTL_MD_ACK_DISABLE",
  purpose = "Memory with PTL_MD_ACK_DISABLE is fetched by two gets: both have their reply and are logged. A put to it is not acknowledged.",
  requirements = { "P30-011", "P30-170" }, chapter = "3.7", ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:eq("eq")
    to:region("buf", 64, { fill = "mix/4" })
    to:attach { options = PUT .. "|" .. GET .. "|" .. REMOTE .. "|" .. DISABLE, eventq = "eq" }
    from:eq("eq")
    from:bind { region = "own", octets = 64, md = "own-md", eventq = "eq" }
    for _ = 1, 2 do
      from:fill("own", "byte/0")
      from:get { mem_desc = "own-md", target = to }
      t:event("P30-011", from, "eq", { type = "PTL_EVENT_REPLY", mlength = 64 })
      t:octets("P30-011", "what the reply brought", from, "own", "mix/4")
      t:event("P30-011", to, "eq", { type = "PTL_EVENT_GET", mlength = 64 })
    end
    from:put { mem_desc = "own-md", ack_req = "PTL_ACK_REQ", target = to }
    from:get { mem_desc = "own-md", target = to }
    t:equal("P30-170", "events of a put, and of a get behind it", t.types((from:collect("eq", 2))),
      { "PTL_EVENT_REPLY", "PTL_EVENT_SENT" })
    t:equal("P30-170", "further events", from:count_events("eq"), 0)
  end,
}

case {
  id = "move-gets-at-once",
  title = "Each of several gets that are under way from one descriptor has its reply",
  purpose = "A peer receives three gets from one descriptor before it answers the last, the first and the one between. Each reply is stored and logged with the bits of its get; none is dropped.",
  requirements = { "P30-223", "P30-272" }, wire = true,
  run = function(t)
    t:open {}
    local rank, peer = t.ranks[0], t:peer {}
    local before = rank:drop_count()
    rank:eq("eq")
    rank:bind { region = "in", octets = 32, md = "in-md", eventq = "eq" }
    local gets, stream = {}, nil
    for i = 1, 3 do
      rank:get { mem_desc = "in-md", target = t.nid(peer.id), match_bits = i }
      stream = stream or t:accept(peer)
      gets[i] = stream:receive()
      t:sanity("get " .. i .. " arrives", gets[i] ~= nil and gets[i].match_bits == i)
    end
    for _, i in ipairs { 3, 1, 2 } do
      stream:answer(gets[i], { data = t.mix(i, 32) })
      t:event("P30-223", rank, "eq", { type = "PTL_EVENT_REPLY", match_bits = i, mlength = 32 })
      t:octets("P30-272", "what reply " .. i .. " brought", rank, "in", "mix/" .. i)
    end
    t:equal("P30-223", "further events", rank:count_events("eq"), 0)
    t:equal("P30-223", "dropped messages", rank:drop_count() - before, 0)
  end,
}

case {
  id = "move-get-ignores-its-offset",
  title = "What a get asks for does not depend on what its descriptor has received",
  purpose = "A listed descriptor takes 24 octets, which move its local offset; a get from it still asks for as many octets as its region has. What comes is stored from the beginning, also when it is cut, and the next put goes to where the descriptor had stopped.",
  requirements = { "P30-270", "P30-271" }, chapter = "3.10.2", ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:eq("eq")
    to:region("buf", 64, { fill = "mix/4" })
    to:attach { options = GET .. "|" .. REMOTE, eventq = "eq" }
    to:attach { index = 1, me = "me1", md = "md1", length = 16, options = GET .. "|" .. REMOTE .. "|" .. TRUNCATE,
      eventq = "eq" }
    to:bind { desc = "part", length = 24, md = "part-md" }
    from:eq("eq")
    from:attach { region = "own", octets = 64, options = PUT, eventq = "eq", md = "listed" }
    to:put { mem_desc = "part-md", target = from }
    t:sanity("the descriptor takes 24 octets", from:wait("eq").event.mlength == 24)
    for portal, length in each { { 0, 64 }, { 1, 16 } } do
      from:fill("own", "byte/0")
      from:get { mem_desc = "listed", target = to, portal = portal }
      t:event("P30-270", to, "eq", { type = "PTL_EVENT_GET", rlength = 64, mlength = length })
      t:event("P30-271", from, "eq", { type = "PTL_EVENT_REPLY", mlength = length })
      t:octets("P30-271", "what was fetched from portal " .. portal, from, "own", "mix/4", 0, length)
    end
    to:put { mem_desc = "part-md", target = from }
    t:event("P30-271", from, "eq", { type = "PTL_EVENT_PUT", offset = 24 })
  end,
}
