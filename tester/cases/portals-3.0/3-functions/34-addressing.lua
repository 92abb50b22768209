-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.4: how a process is named, and what others learn of its name. Every rank has a queue "eq" and accepts
-- everything at portal 0; "out-md" is what it puts.

defaults { suite = "ids", chapter = "3.4" }

local PUT, GET, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"

-- Makes of every rank what the head of this file says.
local function furnish(t)
  for i = 0, t.size - 1 do
    local rank = t.ranks[i]
    rank:eq("eq", 64)
    rank:region("buf", 16)
    rank:attach { matchid = t.any_nid, ignorebits = -1, options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
    rank:bind { region = "out", octets = 16, fill = "mix/" .. i, md = "out-md" }
  end
end

local function ranks(t)
  t:open {}
  furnish(t)
  return t.ranks[0], t.ranks[1], t.ranks[2]
end

-- A put of every rank to every rank, itself included, by the ids that `addressing` makes: it is taken by the process
-- that is meant, and by no other.
local function reach_all(t, req, addressing)
  t:judging(req)
  for i = 0, t.size - 1 do
    for j = 0, t.size - 1 do
      local from, to = t.ranks[i], t.ranks[j]
      t:rc(req, from:PtlPut { mem_desc = "out-md", target = addressing(to.id), match_bits = 10 * i + j }, "PTL_OK")
      t:event(req, to, "eq", { type = "PTL_EVENT_PUT", match_bits = 10 * i + j })
      t:octets(req, "what rank " .. j .. " has of rank " .. i, to, "buf", "mix/" .. i)
    end
  end
  for i = 0, t.size - 1 do t:equal(req, "further events of rank " .. i, t.ranks[i]:PtlEQCount().count, 0) end
end

case {
  id = "ids-by-node-and-process",
  title = "With PTL_ADDR_NID a process is named by node and process id alone",
  purpose = "Puts of every rank to every rank, named by nid and pid; the interpreter fills gid and rid with what no process has.",
  requirements = { "P30-062" }, ranks = 3,
  run = function(t)
    ranks(t)
    reach_all(t, "P30-062", t.nid)
  end,
}

case {
  id = "ids-by-group-and-rank",
  title = "With PTL_ADDR_GID a process is named by group and rank alone",
  purpose = "Puts of every rank to every rank, named by gid and rid, and to entries for one of them; the interpreter fills nid and pid with what no process has.",
  requirements = { "P30-063" }, ranks = 3,
  run = function(t)
    ranks(t)
    reach_all(t, "P30-063", t.gid)
    local from, to = t.ranks[0], t.ranks[1]
    to:attach { index = 1, matchid = t.gid(from.id), eventq = "eq" }
    from:put { mem_desc = "out-md", target = to, portal = 1 }
    t:event("P30-063", to, "eq", { type = "PTL_EVENT_PUT", portal = 1 })
  end,
}

-- What the pair of ids that an address kind does not name may hold, and the largest number that is tried for a kind.
local FOREIGN, KINDS_MOST = { "any", 0, 1 }, 63

for req, name, write in each {
  { "P30-062", "node-and-process", function(kind, id, other)
    return string.format("kind/%d/%s/%s/%s/%s", kind, id.nid, id.pid, other, other)
  end },
  { "P30-063", "group-and-rank", function(kind, id, other)
    return string.format("kind/%d/%s/%s/%s/%s", kind, other, other, id.gid, id.rid)
  end } } do
  case {
    id = "ids-by-" .. name .. "-alone",
    title = "Of an id that names one pair nobody looks at the other one, whatever it holds",
    purpose = "The number of the address kind is found by an id whose other pair is zero. With wildcards, zeros and ones in that pair puts and gets of that kind reach the same process, and PtlTransId and PtlNIDist take it.",
    requirements = { req }, ranks = 2,
    run = function(t)
      local from, to = ranks(t)
      local found
      for kind = 0, KINDS_MOST do
        local result = from:PtlPut { mem_desc = "out-md", target = write(kind, to.id, 0) }
        found = result.rc == "PTL_OK" and to:wait("eq").event and kind
        if found then break end
      end
      t:skip_if(not found, "the number of this address kind is not below " .. KINDS_MOST)
      for _, other in ipairs(FOREIGN) do
        for verb, call in each { { "put", "PtlPut" }, { "get", "PtlGet" } } do
          t:rc(req, from[call](from, { mem_desc = "out-md", target = write(found, to.id, other) }), "PTL_OK")
          t:event(req, to, "eq", { type = "PTL_EVENT_" .. verb:upper(), initiator = from.id })
        end
        local translated = from:PtlTransId { id = write(found, to.id, other) }
        t:rc(req, translated, "PTL_OK")
        t:equal(req, "translation of an id that names the other pair by " .. other, translated.id, to.id)
        t:rc(req, from:PtlNIDist { process = write(found, to.id, other) }, "PTL_OK")
      end
    end,
  }
end

case {
  id = "ids-distance-by-either-pair",
  title = "PtlNIDist takes an id by either of its two pairs",
  purpose = "The distances to oneself, to the one and to the other neighbour are asked for by node and process, and by group and rank.",
  requirements = { "P30-062", "P30-063" }, chapter = "3.5", ranks = 3,
  run = function(t)
    local rank = ranks(t)
    for i = 0, 2 do
      t:rc("P30-062", rank:PtlNIDist { process = t.nid(t.ranks[i].id) }, "PTL_OK")
      t:rc("P30-063", rank:PtlNIDist { process = t.gid(t.ranks[i].id) }, "PTL_OK")
    end
  end,
}

case {
  id = "ids-both-reach-the-right-process",
  title = "An id with PTL_ADDR_BOTH is refused, or names the process that both pairs name",
  purpose = "Rank 0 puts to each rank by the id that PtlGetId gave there. Where the put is accepted it arrives there and nowhere else.",
  requirements = { "P30-064" }, ranks = 3,
  run = function(t)
    local from, first, second = ranks(t)
    local function put(id, bits)
      return t:reading("P30-064", "both_addresses_as_input", "PtlPut to an id with PTL_ADDR_BOTH returns",
        from:PtlPut { mem_desc = "out-md", target = id, match_bits = bits }.rc,
        { { "accept", "PTL_OK" }, { "refuse", "PTL_INV_PROC" } })
    end
    for number, to in ipairs { second, first, from } do
      if put(to.id, number) == "accept" then
        t:event("P30-064", to, "eq", { type = "PTL_EVENT_PUT", match_bits = number, initiator = from.id })
      end
    end
    for _, rank in ipairs { from, first, second } do -- what went astray has come before this
      from:put { mem_desc = "out-md", target = rank, match_bits = 99 }
      t:event("P30-064", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = 99 })
    end
  end,
}

case {
  id = "ids-both-contradicting",
  title = "An id with PTL_ADDR_BOTH whose pairs name two processes reaches neither",
  purpose = "Rank 0 puts to the node and process of rank 1 with group and rank of rank 2. The document leaves open what becomes of PTL_ADDR_BOTH: a library that looks at one pair alone gives a warning.",
  requirements = { "P30-064" }, ranks = 3,
  run = function(t)
    local from, first, second = ranks(t)
    local mixed = { kind = "both", nid = first.id.nid, pid = first.id.pid, gid = second.id.gid, rid = second.id.rid }
    for _, verb in ipairs { "PtlPut", "PtlGet" } do
      t:equal_or_warn("P30-064", verb .. " to an id whose pairs contradict each other returns",
        from[verb](from, { mem_desc = "out-md", target = mixed }).rc, "PTL_INV_PROC",
        { PTL_OK = "one of the pairs is not looked at" })
    end
  end,
}

case {
  id = "ids-both-in-criteria",
  title = "An id with PTL_ADDR_BOTH in criteria is refused, or admits the process that both pairs name",
  purpose = "An entry is attached for the id that PtlGetId gave to rank 0. Where that is accepted, rank 0 is taken and rank 1 is not; with node and process of the one and group and rank of the other nobody is, or a warning says which pair is looked at alone.",
  requirements = { "P30-064" }, ranks = 3,
  run = function(t)
    local first, second, to = ranks(t)
    local function attach(id)
      return t:reading("P30-064", "both_addresses_as_input", "PtlMEAttach for an id with PTL_ADDR_BOTH returns",
        to:PtlMEAttach { index = 1, matchid = id, handle = "me1" }.rc,
        { { "accept", "PTL_OK" }, { "refuse", "PTL_INV_PROC" } }) == "accept"
    end
    local function admitted()
      to:add_md { me = "me1", md = "md1", options = PUT .. "|" .. REMOTE, eventq = "eq" }
      local found = {}
      for name, from in each { { "first", first }, { "second", second } } do
        from:put { mem_desc = "out-md", target = to, portal = 1, match_bits = 0 }
        from:put { mem_desc = "out-md", target = to, portal = 0 }
        local event = to:wait("eq").event
        if event and event.portal == 1 then
          found[#found + 1] = name
          event = to:wait("eq").event
        end
        t:sanity("a later put arrives", event ~= nil and event.portal == 0)
      end
      return #found == 0 and "nobody" or table.concat(found, " and ")
    end
    if not attach(first.id) then return end
    t:equal("P30-064", "whom an entry for the id of the first admits", admitted(), "first")
    t:setup(to:PtlMEUnlink { entry = "me1" })
    if attach { kind = "both", nid = first.id.nid, pid = first.id.pid, gid = second.id.gid, rid = second.id.rid } then
      t:equal_or_warn("P30-064", "whom an entry with the pairs of two processes admits", admitted(), "nobody",
        { first = "group and rank are not looked at", second = "node and process are not looked at" })
    end
  end,
}

case {
  id = "ids-own-id-is-ones-own",
  title = "The id that PtlGetId gives is that of the caller, in every process",
  purpose = "Every rank puts to the id that it was given, by either pair. The put comes back to the rank itself.",
  requirements = { "P30-065" }, ranks = 3,
  run = function(t)
    for _, pending in ipairs { t.ranks[0]:start_PtlInit(), t.ranks[1]:start_PtlInit(), t.ranks[2]:start_PtlInit() } do
      t:setup(pending:finish())
    end
    t.size = 3
    for i = 0, 2 do t.ranks[i]:ni_init {} end
    furnish(t)
    for i = 0, 2 do
      local rank = t.ranks[i]
      local own = t:rc("P30-065", rank:PtlGetId(), "PTL_OK").id
      for _, addressing in ipairs { t.gid, t.nid } do
        t:rc("P30-065", rank:PtlPut { mem_desc = "out-md", target = addressing(own) }, "PTL_OK")
        t:event("P30-065", rank, "eq", { type = "PTL_EVENT_PUT" })
        t:octets("P30-065", "what the rank sent to its own id", rank, "buf", "mix/" .. i)
      end
    end
  end,
}

case {
  id = "ids-in-every-message",
  title = "Every message carries all four ids of the process that sent it",
  purpose = "A scripted peer looks at a put, a get, acknowledgements and replies with data and without, of the second rank of two: the initiator of each is what PtlGetId gave, member by member.",
  requirements = { "P30-072" }, wire = true, ranks = 2,
  run = function(t)
    local _, rank = ranks(t)
    local peer = t:peer {}
    rank:ac_entry { index = 2, matchid = t.any_nid, portal = "any" }
    local function sent(stream, operation)
      local message = t:expect("P30-072", stream, operation)
      for _, member in ipairs { "nid", "pid", "gid", "rid" } do
        t:equal("P30-072", member .. " of the process that sent the " .. operation, message.initiator[member],
          rank.id[member])
      end
    end
    rank:put { mem_desc = "out-md", target = t.nid(peer.id) }
    local stream = t:accept(peer)
    sent(stream, "put")
    rank:get { mem_desc = "out-md", target = t.nid(peer.id) }
    sent(stream, "get")
    for length = 0, 1 do
      stream:send { operation = "put", cookie = 2, md = 1, data = ("x"):rep(length) }
      sent(stream, "ack")
      stream:send { operation = "get", cookie = 2, md = 1, length = length }
      sent(stream, "reply")
    end
  end,
}

case {
  id = "ids-translation-asks-nobody",
  title = "PtlTransId translates without sending a message",
  purpose = "Ids of the own group, of a scripted peer and of no process are translated. The peer, to which a stream is open, sees neither a message nor another stream. The document recommends that; a violation gives a warning.",
  requirements = { "P30-071" }, wire = true,
  run = function(t)
    local rank, peer = ranks(t), t:peer {}
    rank:put { mem_desc = "out-md", target = t.nid(peer.id), match_bits = 1 }
    local stream = t:accept(peer)
    local first = stream:receive()
    t:sanity("the first put arrives", first and first.match_bits == 1)
    for _, id in ipairs { t.gid(rank.id), t.nid(rank.id), t.nid(peer.id), t.gid(peer.id),
      { kind = "nid", nid = peer.id.nid, pid = 1 } } do
      rank:PtlTransId { id = id }
    end
    rank:put { mem_desc = "out-md", target = t.nid(peer.id), match_bits = 2 }
    local message, reason = stream:receive()
    local seen = message and (message.match_bits == 2 and "a later put" or "another message") or reason
    t:should("P30-071", "what the peer receives next", seen, "a later put")
    t:should("P30-071", "streams that the translation opened",
      select(2, peer:accept(50)) == "timeout" and "none" or "some", "none")
  end,
}

for req, name, write in each {
  { "P30-062", "node-and-process", function(kind, id, other)
    return string.format("kind/%d/%s/%s/%s/%s", kind, id.nid, id.pid, other.gid, other.rid)
  end },
  { "P30-063", "group-and-rank", function(kind, id, other)
    return string.format("kind/%d/%s/%s/%s/%s", kind, other.nid, other.pid, id.gid, id.rid)
  end } } do
  case {
    id = "ids-of-entries-by-" .. name,
    title = "Of the id in an entry too nobody looks at the pair that its kind does not name, were it that of a neighbour",
    purpose = "Match entries, attached and inserted, and an access control entry name rank 0 by one pair; the other one is that of rank 2, or zero. Rank 0 is admitted, and rank 2 is not.",
    requirements = { req }, chapter = "3.6", ranks = 3,
    run = function(t)
      local from, to, neighbour = ranks(t)
      local found
      for kind = 0, KINDS_MOST do
        local result = from:PtlPut { mem_desc = "out-md", target = write(kind, to.id, neighbour.id) }
        found = result.rc == "PTL_OK" and to:wait("eq").event and kind
        if found then break end
      end
      t:skip_if(not found, "the number of this address kind is not below " .. KINDS_MOST)
      local zeros = { nid = 0, pid = 0, gid = 0, rid = 0 }
      local function admits_one(portal, cookie)
        local before = to:drop_count()
        neighbour:put { mem_desc = "out-md", target = to, portal = portal, cookie = cookie }
        t:drops(req, to, before, 1)
        from:put { mem_desc = "out-md", target = to, portal = portal, cookie = cookie }
        t:event(req, to, "eq", { type = "PTL_EVENT_PUT", initiator = from.id })
      end
      for portal, other in ipairs { neighbour.id, zeros } do
        local matchid = write(found, from.id, other)
        to:attach { index = portal, me = "me" .. portal, md = "md" .. portal, matchid = matchid, eventq = "eq",
          options = PUT .. "|" .. REMOTE }
        admits_one(portal, 0)
        to:me_insert { current = "me" .. portal, handle = "in" .. portal, matchid = matchid,
          position = "PTL_INS_AFTER" }
        to:add_md { me = "in" .. portal, md = "in-md" .. portal, options = PUT .. "|" .. REMOTE, eventq = "eq" }
        to:me_unlink { entry = "me" .. portal }
        admits_one(portal, 0)
        to:ac_entry { index = 2, matchid = matchid, portal = "any" }
        admits_one(0, 2)
      end
    end,
  }
end
