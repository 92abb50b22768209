-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 2.1, 2.2 and 4.2: what holds for puts holds for gets, and for requests of every length. A process asks
-- itself where nothing else is said.

defaults { suite = "translation", chapter = "2.2", still = { "P32-024" } }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local BOTH = PUT .. "|" .. GET .. "|" .. REMOTE
local loopback, put = Descriptor.loopback, Descriptor.put

-- Descriptors of 0, 1 and 40 octets to put from and to get into, of which no event tells: their names, by length.
local function add_lengths(rank)
  rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
  rank:bind { region = "source", length = 1, md = "one-md" }
  return { [0] = "void-md", "one-md", [40] = "out-md" }
end

-- A reply may come later than what was asked behind its get, and nothing tells of it where there is no queue.
local function await(rank, name, pattern, length)
  for _ = 1, 40 do
    if rank:compare(name, pattern, 0, length).equal then return end
    rank:pause(50)
  end
end

case {
  id = "translation-head-of-every-list",
  title = "Gets and puts are looked for from the head of the list, however long it is",
  purpose = "Lists of one to seven entries with equal criteria, each with octets of its own. A get reads from the first entry and a put is taken by it; without the first both go to the second.",
  requirements = { "P30-015" },
  run = function(t)
    local rank = loopback(t)
    rank:eq("answers")
    rank:bind { region = "in", octets = 8, md = "in-md", eventq = "answers" }
    for length = 1, 7 do
      for i = 1, length do
        local given = { me = "me" .. i, md = "md" .. i, region = ("own-%d-%d"):format(length, i), octets = 40,
          fill = "byte/" .. i, options = BOTH, eventq = "eq", user_ptr = i }
        if i == 1 then
          rank:attach(given)
        else
          rank:me_insert { current = "me" .. i - 1, handle = given.me }
          rank:add_md(given)
        end
      end
      for head = 1, length do
        local which = (", with %d of %d entries left"):format(length - head + 1, length)
        rank:get { mem_desc = "in-md", target = rank }
        t:equal("P30-015", "entry that served the get" .. which,
          t:event("P30-015", rank, "eq", { type = "PTL_EVENT_GET" }).mem_desc.user_ptr, head)
        t:event("P30-015", rank, "answers", { type = "PTL_EVENT_REPLY", mlength = 8 })
        t:octets("P30-015", "octets that were read" .. which, rank, "in", "byte/" .. head)
        put(rank)
        t:equal("P30-015", "entry that took the put" .. which,
          t:event("P30-015", rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, head)
        rank:me_unlink { entry = "me" .. head }
      end
    end
  end,
}

for how, empty in each {
  { "by-use", function(t, rank)
    put(rank)
    t:event("P30-024", rank, "eq", { type = "PTL_EVENT_PUT" })
    t:md_unlinked("P30-024", rank, "md1")
  end },
  { "by-a-get", function(t, rank)
    rank:get { mem_desc = "out-md", target = rank }
    t:event("P30-024", rank, "eq", { type = "PTL_EVENT_GET" })
    t:md_unlinked("P30-024", rank, "md1")
  end },
  { "by-call", function(_, rank) rank:md_unlink { mem_desc = "md1" } end },
} do
  case {
    id = "translation-emptied-entry-keeps-its-place-" .. how,
    title = "An entry that has lost its descriptor stays where it is in its list",
    purpose = "Of three entries with PTL_RETAIN and equal criteria the first loses its descriptor. The second takes the next put. The first is given another descriptor, and then it takes the put and a get, before the second. That one goes by a call, and with a third one the first entry takes a put once more.",
    requirements = { "P30-024" },
    run = function(t)
      local rank = loopback(t)
      for i = 1, 3 do
        if i == 1 then rank:me_attach { handle = "me1" } else
          rank:me_insert { current = "me" .. i - 1, handle = "me" .. i }
        end
        rank:add_md { me = "me" .. i, md = "md" .. i, md_unlink = i == 1 and "PTL_UNLINK" or nil,
          threshold = i == 1 and 1 or nil, options = BOTH, eventq = "eq", user_ptr = i }
      end
      empty(t, rank)
      put(rank)
      t:equal("P30-024", "entry that takes a put while the first has no descriptor",
        t:event("P30-024", rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, 2)
      rank:md { options = BOTH, eventq = "eq", user_ptr = 9 }
      t:rc("P30-024", rank:PtlMDAttach { match = "me1", handle = "another" }, "PTL_OK")
      put(rank)
      t:equal("P30-024", "descriptor that takes a put when the first entry has one again",
        t:event("P30-024", rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, 9)
      rank:get { mem_desc = "out-md", target = rank }
      t:equal("P30-024", "descriptor that serves a get",
        t:event("P30-024", rank, "eq", { type = "PTL_EVENT_GET" }).mem_desc.user_ptr, 9)
      rank:md_unlink { mem_desc = "another" }
      rank:md { options = BOTH, eventq = "eq", user_ptr = 10 }
      t:rc("P30-024", rank:PtlMDAttach { match = "me1", handle = "a-third" }, "PTL_OK")
      put(rank)
      t:equal("P30-024", "descriptor that takes a put when the first entry has had three",
        t:event("P30-024", rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, 10)
    end,
  }
end

case {
  id = "translation-cut-without-queue",
  title = "What is too long is cut by a descriptor without a queue like by any other",
  purpose = "Regions of 25 octets and of none, of which no event tells, may cut. Gets of 40 octets are answered with what there is, into a descriptor with a queue and into one without. Puts of 40 octets change the 25, and no more. Puts and gets of no octets are no drops either.",
  requirements = { "P30-027", "P30-174" }, still = { "P32-157" },
  run = function(t)
    local rank = loopback(t)
    rank:region("served", 30, { fill = "mix/2" })
    rank:fill("served", "byte/8", 25, 5)
    rank:attach { region = "served", length = 25, options = BOTH .. "|" .. TRUNCATE }
    rank:attach { index = 1, me = "me1", md = "md1", desc = "void", start = "null", length = 0,
      options = BOTH .. "|" .. TRUNCATE }
    local before = rank:drop_count()
    for _, eventq in ipairs { "eq", "none" } do
      for portal, length in pairs { [0] = 25, 0 } do
        local into = ("in-%s-%d"):format(eventq, portal)
        rank:bind { region = into, octets = 40, fill = "byte/9", md = into .. "-md", eventq = eventq }
        rank:get { mem_desc = into .. "-md", target = rank, portal = portal }
        if eventq == "eq" then
          t:event("P30-027", rank, "eq", { type = "PTL_EVENT_REPLY", rlength = 40, mlength = length })
        end
        t:flush(rank, rank)
        await(rank, into, "mix/2", length)
        t:octets("P30-174", "what was read of " .. length .. " octets", rank, into, "mix/2", 0, length)
        t:octets("P30-174", "memory behind it", rank, into, "byte/9", length, 40 - length)
      end
    end
    rank:bind { desc = "nothing", start = "null", length = 0, md = "nothing-md" }
    for portal = 0, 1 do
      put(rank, { portal = portal })
      for _, verb in ipairs { "put", "get" } do
        rank[verb](rank, { mem_desc = "nothing-md", target = rank, portal = portal })
      end
    end
    t:flush(rank, rank)
    t:octets("P30-027", "what was written", rank, "served", "mix/1", 0, 25)
    t:octets("P30-027", "memory behind it", rank, "served", "byte/8", 25, 5)
    t:equal("P30-027", "dropped messages", rank:drop_count() - before, 0)
  end,
}

case {
  id = "translation-answers-beside-entries",
  title = "An acknowledgement and a reply pass the entries by that stand at their portal in the process that asked",
  purpose = "Rank 0 puts to portals of rank 1 and gets from them. At the same portals it has entries of its own: one that takes all, one with other bits, one without a descriptor, one that is inactive, and behind each another one that takes all. Each put is acknowledged and each get answered; the entries see nothing of it.",
  requirements = { "P30-012" }, chapter = "2.1", ranks = 2,
  run = function(t)
    local from, to = t:open {}
    from:eq("eq")
    from:eq("own-eq")
    for portal, row in pairs { [0] = {}, { match_bits = 5 }, { empty = true }, { threshold = 0 } } do
      to:attach { index = portal, me = "me" .. portal, md = "md" .. portal, region = "served" .. portal,
        octets = 16, fill = "mix/3", options = BOTH }
      if row.empty then from:me_attach { index = portal, handle = "me" .. portal } else
        from:attach { index = portal, me = "me" .. portal, md = "md" .. portal, match_bits = row.match_bits,
          threshold = row.threshold, region = "own" .. portal, octets = 16, fill = "byte/7", options = BOTH,
          eventq = "own-eq" }
      end
      from:me_insert { current = "me" .. portal, handle = "behind" .. portal }
      from:add_md { me = "behind" .. portal, md = "behind-md" .. portal, desc = "behind", start = "null", length = 0,
        options = BOTH .. "|" .. TRUNCATE, eventq = "own-eq" }
      local into, md = "in" .. portal, "md-in" .. portal
      from:bind { region = into, octets = 16, fill = "byte/1", md = md, eventq = "eq" }
      t:judging("P30-012")
      from:get { mem_desc = md, target = to, portal = portal }
      t:event("P30-012", from, "eq", { type = "PTL_EVENT_REPLY", portal = portal, mlength = 16 })
      t:octets("P30-012", "what was read", from, into, "mix/3")
      from:put { mem_desc = md, ack_req = "PTL_ACK_REQ", target = to, portal = portal }
      t:equal("P30-012", "events of the put to portal " .. portal, t.types((from:collect("eq", 2))),
        { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
      if not row.empty then
        t:octets("P30-012", "memory of the entry at that portal", from, "own" .. portal, "byte/7")
      end
    end
    t:equal("P30-012", "events of the entries at these portals", from:PtlEQCount { eventq = "own-eq" }.count, 0)
  end,
}

case {
  id = "md-options-at-every-length",
  title = "A descriptor serves what its options say, whatever the length of the request",
  purpose = "Descriptors with neither of PTL_MD_OP_PUT and PTL_MD_OP_GET, with either and with both, each with all other options and with none. Puts and gets of 0, 1 and 40 octets come to them: they are served where the option is set, and dropped where it is not.",
  requirements = { "P30-324" }, chapter = "4.2",
  run = function(t)
    local rank = loopback(t)
    local lengths = add_lengths(rank)
    for _, options in ipairs { 0, PUT, GET, PUT .. "|" .. GET } do
      for _, others in ipairs { "", "|" .. REMOTE .. "|" .. TRUNCATE .. "|PTL_MD_ACK_DISABLE" } do
        local said = options .. others
        for verb, option in each { { "put", PUT }, { "get", GET } } do
          local serves = tostring(options):find(option, 1, true) ~= nil
          for _, length in ipairs { 0, 1, 40 } do
            rank:attach { length = 60, options = said, eventq = "eq" }
            local before = rank:drop_count()
            rank[verb](rank, { mem_desc = lengths[length], target = rank })
            t:flush(rank, rank)
            local which = (" a %s of %d octets by a descriptor with %s"):format(verb, length, said)
            t:equal("P30-324", "drops for" .. which, rank:drop_count() - before, serves and 0 or 1)
            local logged = rank:wait_done("eq", not serves and 0 or nil).event ~= nil
            t:equal("P30-324", "whether there is an event of" .. which, logged, serves)
            rank:count_events()
            rank:me_unlink {}
          end
        end
      end
    end
  end,
}

case {
  id = "md-cut-is-logged-as-what-it-is",
  title = "A put is logged as a put and a get as a get, however much of it is cut off",
  purpose = "Puts and gets of 0, 1 and 40 octets come to regions of 60, 40, 10, one and no octets that may cut.",
  requirements = { "P30-214", "P30-216" }, suite = "events", chapter = "3.8.1",
  run = function(t)
    local rank = loopback(t)
    local lengths = add_lengths(rank)
    for _, room in ipairs { 60, 40, 10, 1, 0 } do
      rank:attach { length = room, options = BOTH .. "|" .. TRUNCATE, eventq = "eq" }
      for _, length in ipairs { 0, 1, 40 } do
        for _, verb in ipairs { "put", "get" } do
          rank[verb](rank, { mem_desc = lengths[length], target = rank })
          local event = t:event(verb == "put" and "P30-216" or "P30-214", rank, "eq",
            { type = "PTL_EVENT_" .. verb:upper() })
          t:equal(verb == "put" and "P30-216" or "P30-214", ("lengths of a %s of %d octets in %d"):format(verb, length,
            room), { event.rlength, event.mlength }, { length, math.min(length, room) })
        end
      end
      rank:me_unlink {}
    end
  end,
}
