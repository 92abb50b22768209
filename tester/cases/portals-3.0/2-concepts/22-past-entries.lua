-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 2.2 and 4.2: what a search goes past, where it ends, and what is counted then. A process puts to itself, or
-- rank 0 asks and rank 1 owns the portals.

defaults { suite = "translation", chapter = "2.2" }

local PUT, GET, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"

-- A queue "eq", and a descriptor "void-md" of no octets to put from and get into.
local function furnish(rank)
  rank:eq("eq", 64)
  rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
  return rank
end

-- A rank that has them.
local function alone(t)
  return furnish(t:open {})
end

-- What serves puts and gets of no octets, with events to "eq".
local function serving(given)
  given.start, given.length, given.eventq, given.options = "null", 0, "eq", PUT .. "|" .. GET .. "|" .. REMOTE
  return given
end

local BOTH_WAYS <const> = { "put", "get" }

case {
  id = "translation-empty-portals",
  title = "A request to a portal without entries is dropped, whatever stands at the others",
  purpose = "At portals 0 and 2 entries take anything. At portal 1 there never was one, and at portal 3 it was unlinked: puts and gets to these two are dropped, and each is counted.",
  requirements = { "P30-014", "P30-021", "P30-321" },
  run = function(t)
    local rank = alone(t)
    for _, portal in ipairs { 0, 2, 3 } do
      rank:attach(serving { index = portal, me = "me" .. portal, md = "md" .. portal, ignorebits = -1 })
    end
    rank:me_unlink { entry = "me3" }
    for _, portal in ipairs { 1, 3 } do
      for _, verb in ipairs(BOTH_WAYS) do
        local before = rank:drop_count()
        rank[verb](rank, { mem_desc = "void-md", target = rank, portal = portal })
        t:flush(rank, rank)
        t:equal("P30-014", "events of a " .. verb .. " to portal " .. portal .. ", where no entry is",
          rank:count_events("eq"), 0)
        t:drops("P30-321", rank, before, 1)
      end
    end
    rank:put { mem_desc = "void-md", target = rank, portal = 2 }
    t:event("P30-021", rank, "eq", { type = "PTL_EVENT_PUT", portal = 2 })
  end,
}

case {
  id = "translation-portals-far-apart",
  title = "Portals whose indexes are equal in their lowest bits have lists of their own",
  purpose = "In a table of 2048 portals, or of 128, several have entries, each with its own mark. Puts and gets to each are served there, and dropped where there is none.",
  requirements = { "P30-014" },
  run = function(t)
    t:init()
    local rank, size = t.ranks[0], 2048
    if rank:PtlNIInit { ptl_size = size }.rc ~= "PTL_OK" then
      size = 128
      rank:ni_init { ptl_size = size }
    end
    size = rank:granted("ptl_size", size)
    furnish(rank)
    local portals = {}
    for _, portal in ipairs { 1, 33, 65, 257, 513, 1025 } do
      if portal < size then portals[#portals + 1] = portal end
    end
    for _, portal in ipairs(portals) do
      rank:attach(serving { index = portal, me = "me" .. portal, md = "md" .. portal, user_ptr = portal })
    end
    for _, portal in ipairs(portals) do
      for _, verb in ipairs(BOTH_WAYS) do
        rank[verb](rank, { mem_desc = "void-md", target = rank, portal = portal })
        local event = t:event("P30-014", rank, "eq", { type = "PTL_EVENT_" .. verb:upper(), portal = portal })
        t:equal("P30-014", "the mark of the descriptor at portal " .. portal, event.mem_desc.user_ptr, portal)
      end
    end
    for i, portal in ipairs { 17, 49, 129, 289, 769, 1281 } do
      if portal < size then
        local before, verb = rank:drop_count(), BOTH_WAYS[i % 2 + 1]
        rank[verb](rank, { mem_desc = "void-md", target = rank, portal = portal })
        t:drops("P30-014", rank, before, 1)
      end
    end
  end,
}

case {
  id = "translation-past-strangers",
  only = true,
  title = "A search goes past entries for other processes and past empty ones, however many stand in a row",
  purpose = "In front of an entry that takes anything stand two for another rank and two of no group, then three that match and are empty. A put and a get reach the last one.",
  requirements = { "P30-018", "P30-020" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:eq("eq", 64)
    from:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    for _, verb in ipairs(BOTH_WAYS) do
      local kind = "PTL_EVENT_" .. verb:upper()
      to:me_attach { matchid = t.gid(to.id), handle = "me0" }
      to:add_md(serving { me = "me0", md = "md0", user_ptr = 1 })
      local nobody = { kind = "gid", gid = from.id.gid ~ to:id_bit(0x40000000), rid = "any" }
      for i, matchid in ipairs { t.nid(to.id), nobody, nobody } do
        to:me_insert { matchid = matchid, current = "me" .. i - 1, handle = "me" .. i }
        to:add_md(serving { me = "me" .. i, md = "md" .. i, user_ptr = 1 })
      end
      to:me_insert { current = "me3", handle = "strange", matchid = t.gid(from.id) }
      to:add_md(serving { me = "strange", md = "last", user_ptr = 18 })
      from[verb](from, { mem_desc = "void-md", target = to })
      local event = t:event("P30-018", to, "eq", { type = kind })
      t:equal("P30-018", "the descriptor behind the entries for others", event.mem_desc.user_ptr, 18)
      to:md_unlink { mem_desc = "last" }
      for i = 1, 2 do to:me_insert { current = "strange", handle = "empty" .. i } end
      to:me_insert { current = "empty1", handle = "behind" } -- the latest stands directly behind "strange"
      to:add_md(serving { me = "behind", md = "last", user_ptr = 20 })
      from[verb](from, { mem_desc = "void-md", target = to })
      event = t:event("P30-020", to, "eq", { type = kind })
      t:equal("P30-020", "the descriptor behind three empty entries", event.mem_desc.user_ptr, 20)
    end
  end,
}

for name, count, value in each { { "of-one-kind", 60, function(i) return { match_bits = i } end },
    { "of-many-kinds", 250, function(i) return { match_bits = i << 32 | 1 << 20, ignorebits = i } end } } do
  case {
    id = "translation-far-behind-" .. name,
    title = "A search goes past as many entries as there are that do not match",
    purpose = "In front of an entry that takes anything stand " .. count
      .. " whose criteria are others than the request's. A put and a get reach the last one; so they do behind half of "
      .. "them.",
    requirements = { "P30-018" },
    run = function(t)
      local rank = alone(t)
      local wanted = math.min(count, rank:granted("list", count + 2) - 2, rank:granted("entries", count + 2) - 2)
      rank:me_attach { match_bits = -1, handle = "front" }
      local function last(mark)
        rank:me_insert { ignorebits = -1, current = "front", handle = "last" .. mark }
        rank:add_md(serving { me = "last" .. mark, md = "md" .. mark, user_ptr = mark })
      end
      local function reached(mark)
        for _, verb in ipairs(BOTH_WAYS) do
          rank[verb](rank, { mem_desc = "void-md", target = rank, match_bits = 1 << 50 })
          local event = t:event("P30-018", rank, "eq", { type = "PTL_EVENT_" .. verb:upper() })
          t:equal("P30-018", "the descriptor that is reached", event.mem_desc.user_ptr, mark)
        end
      end
      last(1)
      for i = 1, wanted do
        local given = value(i)
        given.current, given.handle = "front", "between"
        rank:me_insert(given)
        if i == wanted // 2 then reached(1) end
      end
      reached(1)
    end,
  }
end

case {
  id = "promise-get-comes-first",
  title = "A process may read from another one before it has sent anything to anybody",
  purpose = "The first request of rank 0 is a get from rank 1, which has done nothing but to open its interface and to attach a descriptor.",
  requirements = { "P30-003" }, chapter = "1.4", ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:attach { octets = 32, fill = "mix/4", options = GET .. "|" .. REMOTE }
    from:eq("eq")
    from:bind { region = "in", octets = 32, md = "in-md", eventq = "eq" }
    t:rc("P30-003", from:PtlGet { mem_desc = "in-md", target = to }, "PTL_OK")
    t:event("P30-003", from, "eq", { type = "PTL_EVENT_REPLY", mlength = 32 })
    t:octets("P30-003", "what rank 0 has read", from, "in", "mix/4")
  end,
}

case {
  id = "move-answers-from-a-larger-table",
  title = "Answers that name a portal which the initiator itself does not have are taken",
  purpose = "Rank 0 has two portals, rank 1 has eight. Rank 0 puts to portal 6 of rank 1, which acknowledges it, and gets from there.",
  requirements = { "P30-012" }, chapter = "2.1", ranks = 2,
  run = function(t)
    local from, to = t:init()
    from:ni_init { ptl_size = 2 }
    to:ni_init { ptl_size = 8 }
    to:attach { index = 6, octets = 16, fill = "mix/5", options = PUT .. "|" .. GET .. "|" .. REMOTE }
    from:eq("eq")
    from:bind { region = "in", octets = 16, md = "in-md", eventq = "eq" }
    from:get { mem_desc = "in-md", target = to, portal = 6 }
    t:event("P30-012", from, "eq", { type = "PTL_EVENT_REPLY", portal = 6, mlength = 16 })
    from:put { mem_desc = "in-md", target = to, portal = 6, ack_req = "PTL_ACK_REQ" }
    t:equal("P30-012", "the events of a put to a portal that the initiator does not have",
      t.types((from:collect("eq", 2))), { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
  end,
}

case {
  id = "move-answers-past-a-closed-table",
  title = "Acknowledgements and replies are taken from a process that may send no requests",
  purpose = "Rank 0 closes entry zero of its table for all but itself, and has no match list. It puts 16 octets to rank 1 and none, and gets 16 and none: each is acknowledged or answered, while a put of rank 1 is dropped.",
  requirements = { "P30-013" }, chapter = "2.1", ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:attach { octets = 16, fill = "mix/5", options = PUT .. "|" .. GET .. "|" .. REMOTE }
    from:ac_entry { index = 0, matchid = t.gid(from.id), portal = "any" }
    from:eq("eq", 16)
    from:bind { region = "in", octets = 16, md = "in-md", eventq = "eq" }
    from:bind { desc = "void", start = "null", length = 0, md = "void-md", eventq = "eq" }
    to:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    for md, length in each { { "in-md", 16 }, { "void-md", 0 } } do
      t:judging("P30-013")
      from:get { mem_desc = md, target = to }
      t:event("P30-013", from, "eq", { type = "PTL_EVENT_REPLY", mlength = length })
      t:octets("P30-013", "what was read", from, "in", "mix/5")
      from:put { mem_desc = md, target = to, ack_req = "PTL_ACK_REQ" }
      t:equal("P30-013", "the events of a put of " .. length .. " octets", t.types((from:collect("eq", 2))),
        { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
    end
    local before = from:drop_count()
    to:put { mem_desc = "void-md", target = from }
    t:drops("P30-013", from, before, 1)
  end,
}

case {
  id = "move-one-acknowledgement",
  title = "Each put is acknowledged once, also the one that uses its descriptor up, and none that does not ask for it",
  purpose = "A descriptor serves two puts that ask for an acknowledgement, and is then inactive, or unlinked. Their sender has two acknowledgements and no more when a later put is through. For puts that ask for none, of eight octets and of none, nothing comes back; nor for those that ask for one and are dropped, for whatever reason. One that is cut has one acknowledgement.",
  requirements = { "P30-010" }, chapter = "2.1", ranks = 2,
  run = function(t)
    local from, to = t:open {}
    from:eq("eq", 64)
    from:bind { desc = "void", start = "null", length = 0, md = "void-md", eventq = "eq" }
    for _, flag in ipairs { "PTL_RETAIN", "PTL_UNLINK" } do
      to:attach { start = "null", length = 0, threshold = 2, md_unlink = flag }
      for _ = 1, 2 do from:put { mem_desc = "void-md", target = to, ack_req = "PTL_ACK_REQ" } end
      t:sanity("two acknowledgements and two sent events come", #from:collect("eq", 4) == 4)
      t:flush(from, to)
      t:equal("P30-010", "events beside two sent ones and two acknowledgements", from:count_events("eq"), 0)
    end
    to:attach { octets = 8 }
    from:bind { region = "out", octets = 8, md = "eight-md", eventq = "eq" }
    local before = from:drop_count()
    for _, md in ipairs { "void-md", "eight-md" } do from:put { mem_desc = md, target = to } end
    from:put { mem_desc = "void-md", target = to, ack_req = "PTL_ACK_REQ" }
    t:sanity("an acknowledgement and three sent events come", #from:collect("eq", 4) == 4)
    t:equal("P30-010", "events beside them", from:count_events("eq"), 0)
    t:equal("P30-010", "messages that the sender has dropped", from:drop_count() - before, 0)
    local lost = to:drop_count()
    to:region("narrow", 8)
    for portal, refusing in ipairs { { match_bits = 9 }, { length = 7 }, { options = GET }, { threshold = 0 },
      { index = 6 } } do
      refusing.index, refusing.region = refusing.index or portal, "narrow"
      to:attach(refusing)
      from:put { mem_desc = "eight-md", target = to, portal = portal, ack_req = "PTL_ACK_REQ" }
    end
    t:flush(from, to)
    t:flush(to, from)
    t:sanity("all five were dropped", to:drop_count() - lost == 5)
    t:equal("P30-010", "events of puts that were dropped", t.types((from:collect("eq", 6, 200))),
      Values.repeated("PTL_EVENT_SENT", 5))
    to:attach { index = 6, region = "narrow", length = 4, options = PUT .. "|PTL_MD_TRUNCATE" }
    for _ = 1, 2 do from:put { mem_desc = "eight-md", target = to, portal = 6, ack_req = "PTL_ACK_REQ" } end
    t:sanity("two acknowledgements and two sent events come of puts that are cut", #from:collect("eq", 4) == 4)
    t:flush(from, to)
    t:flush(to, from)
    t:equal("P30-010", "events beside them", from:count_events("eq"), 0)
    t:equal("P30-010", "messages that the sender has dropped in the end", from:drop_count() - before, 0)
  end,
}

case {
  id = "translation-second-interface-logs",
  title = "Puts and gets on a second interface are logged in the queue of their descriptor",
  purpose = "A process has two interfaces. On the second one it puts to itself and gets from itself; the queue there has both events.",
  requirements = { "P30-026" },
  run = function(t)
    local rank = alone(t)
    rank:ni_init { interface = 1, handle = "ni1" }
    rank:eq_alloc { interface = "ni1", handle = "second-eq" }
    local given = serving { interface = "ni1" }
    given.eventq = "second-eq"
    rank:attach(given)
    rank:bind { interface = "ni1", desc = "void", start = "null", length = 0, md = "second-md" }
    for _, verb in ipairs(BOTH_WAYS) do
      rank[verb](rank, { mem_desc = "second-md", target = rank })
      t:event("P30-026", rank, "second-eq", { type = "PTL_EVENT_" .. verb:upper() })
    end
  end,
}
