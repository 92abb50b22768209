-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.7 and 3.8: what is as it was behind operations, with short and long messages, and what a new descriptor
-- does not inherit from the one before it.

defaults { suite = "memory-descriptors", chapter = "3.7.1", still = { "P32-142", "P32-145", "P32-157" } }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local LENGTHS = { 0, 1, 1000, 20000, 70000, 200000 }

-- Ranks 0 and 1 with a queue "eq"; rank 1 has a region "buf" of so many octets.
local function pair(t, octets)
  local from, to = t:open {}
  for i = 0, 1 do t.ranks[i]:eq("eq", 16) end
  to:region("buf", octets or 100, { fill = "mix/4" })
  return from, to
end

local function threshold(rank, md)
  return tostring(rank:PtlMDUpdate { mem_desc = md, old = "was" }.old.threshold)
end

local LATE_MS = 200 -- how long the end of sending is waited for where nobody knows whether it is told

case {
  id = "md-threshold-behind-long-operations",
  title = "An operation counts once, however much it moves",
  purpose = "Puts and gets of nothing to 200,000 octets go to a descriptor with threshold 20. After each the threshold is one less.",
  requirements = { "P30-142" }, ranks = 2,
  run = function(t)
    local from, to = pair(t, 200000)
    to:attach { options = PUT .. "|" .. GET .. "|" .. REMOTE, threshold = 20, eventq = "eq" }
    from:region("own", 200000)
    local left = 20
    for _, length in ipairs(LENGTHS) do
      for _, verb in ipairs { "put", "get" } do
        from:bind { desc = "own-desc", region = "own", length = length, md = "own-md" }
        from[verb](from, { mem_desc = "own-md", target = to })
        t:event("P30-142", to, "eq", { type = "PTL_EVENT_" .. verb:upper(), mlength = length })
        left = left - 1
        t:equal("P30-142", "threshold behind " .. verb .. " of " .. length .. " octets", threshold(to, "md"),
          tostring(left))
        t:flush(to, from)
        from:md_unlink { mem_desc = "own-md" }
      end
    end
  end,
}

case {
  id = "md-threshold-behind-own-messages",
  title = "A descriptor's threshold is the same behind acknowledged puts and gets of its own",
  purpose = "A bound descriptor and an attached one are used for two puts with acknowledgement each, others for two gets each. Their thresholds are still what they were: 5, and 3 for others, and 1 for one get.",
  requirements = { "P30-149", "P30-150" }, ranks = 2,
  run = function(t)
    local to, from = pair(t)
    to:region("buf", 100)
    to:attach { options = PUT .. "|" .. GET .. "|" .. REMOTE }
    local function own(verb, count, listed)
      local md = verb .. count .. (listed and "-listed" or "-bound")
      local given = { region = "buf", md = md, length = 8, threshold = count, options = GET, eventq = "eq" }
      if listed then
        given.index, given.me = 2, md .. "-me"
        from:attach(given)
      else
        from:bind(given)
      end
      return md
    end
    for verb, req, count, times, lowered in each { { "put", "P30-150", 5, 2, 4 }, { "get", "P30-149", 5, 2, 2 },
      { "get", "P30-149", 3, 1, 1 }, { "get", "P30-149", 1, 1, 1 } } do
      for _, listed in ipairs { false, true } do
        local md = own(verb, count, listed)
        for _ = 1, times do
          from[verb](from, { mem_desc = md, target = to, ack_req = verb == "put" and "PTL_ACK_REQ" or nil })
          for _ = 1, verb == "put" and 2 or 1 do t:event(req, from, "eq", {}) end
        end
        local left = from:PtlMDUpdate { mem_desc = md, old = "was" }.old
        local allowed = { { "requests", count }, { "every_event", count - lowered },
          { "every_event", math.max(count - 2 * lowered, 0) } }
        if not listed then allowed[#allowed + 1] = { "every_event", count - times } end -- each operation once (A24)
        t:reading(req, "threshold_counts", "threshold behind " .. times .. " of " .. verb .. ", " .. count .. " before",
          left and left.threshold or 0, allowed)
      end
    end
  end,
}

case {
  id = "md-next-begins-at-its-start",
  title = "The descriptor that comes to be the first has an offset of its own",
  purpose = "Of three descriptors on an entry two are used up, by puts of 10 octets, and go. The second and the third take their first put at offset 0.",
  requirements = { "P30-158", "P30-192" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    from:bind { region = "out", octets = 10, fill = "mix/7", md = "out-md" }
    to:me_attach {}
    to:md { length = 40, threshold = 2, options = PUT, eventq = "eq", user_ptr = 1 }
    to:md_attach { unlink = "PTL_UNLINK", handle = "md1" }
    for mark = 2, 3 do
      to:md { length = 40, threshold = 2, options = PUT, eventq = "eq", user_ptr = mark }
      to:md_insert { current = "md" .. mark - 1, unlink = "PTL_UNLINK", handle = "md" .. mark }
    end
    for mark = 1, 3 do
      for offset in each { { 0 }, { 10 } } do
        from:put { mem_desc = "out-md", target = to }
        local event = t:event("P30-192", to, "eq", { type = "PTL_EVENT_PUT" })
        t:equal("P30-192", "the descriptor that takes it", event.mem_desc.user_ptr, mark)
        t:equal("P30-158", "offset in descriptor " .. mark, event.offset, offset)
      end
    end
  end,
}

for name, req, position, wanted in each {
  { "behind", "P30-188", "PTL_INS_AFTER", { 1, 2, 3 } }, { "before", "P30-189", "PTL_INS_BEFORE", { 2, 1, 3 } } } do
  case {
    id = "md-inactive-one-inserted-" .. name,
    title = "A descriptor with threshold 0 stands where it was inserted: " .. name .. " the first one",
    purpose = "To a list of two descriptors one with threshold 0 is inserted, " .. name ..
      " the first. It is armed: puts find the three in the order of the list.",
    requirements = { req }, chapter = "3.7.3", ranks = 2,
    run = function(t)
      local from, to = pair(t)
      from:bind { desc = "void", start = "null", length = 0, md = "out-md" }
      local function desc(mark, count)
        return to:md { start = "null", length = 0, threshold = count, options = PUT, eventq = "eq", user_ptr = mark }
      end
      to:me_attach {}
      to:md_attach { mem_desc = desc(1, 1), unlink = "PTL_UNLINK", handle = "md1" }
      to:md_insert { mem_desc = desc(3, 1), unlink = "PTL_UNLINK", current = "md1", handle = "md3" }
      to:md_insert { mem_desc = desc(2, 0), unlink = "PTL_UNLINK", position = position, current = "md1",
        handle = "md2" }
      to:md_update { mem_desc = "md2", new = desc(2, 1) }
      for place, mark in ipairs(wanted) do
        from:put { mem_desc = "out-md", target = to }
        local event = t:event(req, to, "eq", { type = "PTL_EVENT_PUT" })
        t:equal(req, "the descriptor that takes put " .. place, event.mem_desc.user_ptr, mark)
      end
    end,
  }
end

for name, options, length in each { { "own-offset", PUT, 4 }, { "given-offset", PUT .. "|" .. REMOTE, 100 },
  { "cut", PUT .. "|" .. TRUNCATE, 64 }, { "cut-at-given-offset", PUT .. "|" .. TRUNCATE .. "|" .. REMOTE, 160 } } do
  case {
    id = "md-armed-anew-" .. name,
    title = "A descriptor that is armed again serves exactly as many requests as it is given: " .. name,
    purpose = "A descriptor serves two puts; then PtlMDUpdate gives it three, two, one, none and four, while some of the former are left or none. Each time so many puts are served, each of them counts one, and the next is dropped.",
    requirements = { "P30-142", "P30-143", "P30-145", "P30-203" }, ranks = 2,
    run = function(t)
      local from, to = pair(t)
      from:bind { region = "out", octets = length, md = "out-md" }
      local function desc(count) return to:md { threshold = count, options = options, eventq = "eq" } end
      to:me_attach {}
      to:md_attach { mem_desc = desc(2) }
      local function serve(count, row)
        for left = count - 1, 0, -1 do
          from:put { mem_desc = "out-md", target = to }
          local event = t:event(row, to, "eq", { type = "PTL_EVENT_PUT" })
          local counts = event.mlength < event.rlength and "P30-143" or "P30-142"
          t:equal(counts, "threshold behind a put", threshold(to, "md"), tostring(left))
        end
        local before = to:drop_count()
        from:put { mem_desc = "out-md", target = to }
        t:drops("P30-145", to, before, 1)
      end
      t:check("P30-142", "puts are counted", true)
      t:check("P30-143", "cut puts are counted", true)
      serve(2, "P30-203")
      for _, count in ipairs { 3, 2, 1, 0, 4 } do
        to:md_update { new = desc(count) }
        t:equal("P30-203", "threshold behind the update", threshold(to, "md"), tostring(count))
        serve(count, "P30-203")
      end
    end,
  }
end

case {
  id = "md-old-value-can-be-written-back",
  title = "What PtlMDUpdate tells of a descriptor is its value in full",
  purpose = "Descriptors with thresholds 0, 1, the largest and without end, and with all kinds of options, are read as attached and behind an update; each shows what was given.",
  requirements = { "P30-202" }, chapter = "3.7.6",
  run = function(t)
    local rank = t:open {}
    rank:eq("eq", 8)
    rank:region("buf", 64)
    for place, count in ipairs { 0, 1, 0x7ffffffe, "inf" } do
      local options = ({ "0", PUT, GET .. "|" .. REMOTE, PUT .. "|" .. TRUNCATE .. "|PTL_MD_ACK_DISABLE" })[place]
      for round = 1, 2 do
        rank:md { length = 64 - place, threshold = count, options = options, user_ptr = place * round,
          eventq = round == 1 and "eq" or "none" }
        if round == 1 then rank:bind { md = "md", length = 64 - place, threshold = count, options = options,
          user_ptr = place * round, eventq = "eq" } else rank:md_update { mem_desc = "md", new = "desc" } end
        local old = t:rc("P30-202", rank:PtlMDUpdate { old = "was" }, "PTL_OK").old
        t:equal("P30-202", "threshold", tostring(old.threshold), tostring(count))
        t:equal("P30-202", "length and user pointer", { old.length, old.user_ptr }, { 64 - place, place * round })
      end
      rank:md_unlink {}
    end
  end,
}

for name, options in each { { "puts", PUT }, { "gets", GET }, { "both", PUT .. "|" .. GET }, { "nothing", "0" },
  { "puts-cut", PUT .. "|" .. TRUNCATE .. "|" .. REMOTE } } do
  case {
    id = "md-takes-replies-serving-" .. name,
    title = "A descriptor takes replies whatever else it serves: " .. name,
    purpose = "A get into a bound descriptor and into an attached one, both with these options, brings the octets and PTL_EVENT_REPLY.",
    requirements = { "P30-157" }, ranks = 2,
    run = function(t)
      local from, to = pair(t)
      to:attach { options = GET .. "|" .. REMOTE }
      for _, region in ipairs { "one", "two" } do from:region(region, 100) end
      from:bind { region = "one", md = "one-md", options = options, eventq = "eq" }
      from:attach { index = 2, region = "two", md = "two-md", options = options, eventq = "eq" }
      for _, which in ipairs { "one", "two" } do
        from:get { mem_desc = which .. "-md", target = to }
        t:event("P30-157", from, "eq", { type = "PTL_EVENT_REPLY", mlength = 100 })
        t:octets("P30-157", "what the get has brought", from, which, "mix/4")
      end
    end,
  }
end

case {
  id = "md-update-behind-a-queue-that-went-round",
  title = "A test queue is empty when its events have been taken, however many there were",
  purpose = "Through a queue of four pass twenty events, one and two at a time. Whenever all have been taken a conditional update is done, and while one is there it is not.",
  requirements = { "P30-204", "P30-205" }, chapter = "3.7.6",
  run = function(t)
    local rank = t:open {}
    rank:eq("small-eq", 4)
    rank:attach { start = "null", length = 0, eventq = "small-eq" }
    rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    rank:md { name = "new", start = "null", length = 0, options = PUT, eventq = "small-eq" }
    for round = 1, 14 do
      for _ = 1, 1 + round % 2 do rank:put { mem_desc = "out-md", target = rank } end
      t:flush(rank, rank)
      t:rc("P30-205", rank:PtlMDUpdate { new = "new", testq = "small-eq" }, "PTL_NOUPDATE")
      for _ = 1, 1 + round % 2 do t:event("P30-204", rank, "small-eq", { type = "PTL_EVENT_PUT" }) end
      t:rc("P30-204", rank:PtlMDUpdate { new = "new", testq = "small-eq" }, "PTL_OK")
    end
  end,
}

case {
  id = "md-update-tests-one-queue",
  title = "Events in a descriptor's own queue do not keep back an update that tests another one",
  purpose = "An event of the descriptor stands in its queue; an update that tests an empty queue is done all the same, and one that tests the first is not.",
  requirements = { "P30-205", "P30-206" }, chapter = "3.7.6",
  run = function(t)
    local rank = t:open {}
    rank:eq("eq", 4)
    rank:eq("empty-eq", 4)
    rank:attach { start = "null", length = 0, eventq = "eq" }
    rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    rank:md { name = "new", start = "null", length = 0, threshold = 7, options = PUT, eventq = "eq" }
    rank:put { mem_desc = "out-md", target = rank }
    t:flush(rank, rank)
    t:rc("P30-206", rank:PtlMDUpdate { new = "new", testq = "empty-eq" }, "PTL_OK")
    t:equal("P30-206", "threshold behind the update", threshold(rank, "md"), "7")
    t:rc("P30-205", rank:PtlMDUpdate { new = "new", testq = "eq" }, "PTL_NOUPDATE")
  end,
}

case {
  id = "event-of-a-get-of-nothing",
  title = "A get of nothing is told to its initiator as any other get is",
  purpose = "Gets of nothing and of 16 octets, from an empty region and from a filled one, by turns: the events that each brings are the same, one PTL_EVENT_REPLY among them.",
  requirements = { "P30-223" }, suite = "events", chapter = "3.8.1", ranks = 2,
  run = function(t)
    local from, to = pair(t)
    from:region("in", 16)
    to:attach { options = GET .. "|" .. REMOTE }
    to:attach { index = 1, me = "me1", md = "md1", options = GET .. "|" .. TRUNCATE, start = "null", length = 0 }
    local kinds, count
    for length, portal in each { { 16, 0 }, { 0, 0 }, { 0, 1 }, { 16, 1 }, { 16, 0 } } do
      from:bind { region = "in", length = length, md = "in-md", eventq = "eq" }
      from:PtlGet { mem_desc = "in-md", target = to, portal = portal }
      local events, replied = {}, false
      repeat -- where the end of sending is told too, it may be told late
        local event = from:wait_any("eq").event
        events[#events + 1] = event
        replied = replied or event and event.type == "PTL_EVENT_REPLY"
      until not event or replied and #events >= (count or 1)
      t:flush(from, to)
      t:flush(to, from)
      if not count then events[#events + 1] = from:wait_any("eq", LATE_MS).event end
      for _, event in ipairs(from:drain("eq")) do events[#events + 1] = event end
      count = count or #events
      local types = t.types(events)
      table.sort(types)
      local told = table.concat(types, " ")
      kinds = kinds or told
      local but_sent = told:gsub(" ?PTL_EVENT_SENT", "")
      t:equal("P30-223", "events of a get of " .. length .. " octets", but_sent, "PTL_EVENT_REPLY")
      t:equal("P30-223", "events of a get of " .. length .. " octets, and of the first one", told, kinds)
      from:md_unlink { mem_desc = "in-md" }
    end
  end,
}

case {
  id = "event-initiator-of-every-rank",
  title = "An event names the process that has sent the request, whichever of the job it is",
  purpose = "Each of five ranks puts to and gets from each other one. The initiator of every event is the id that the sender has for itself.",
  requirements = { "P30-061" }, suite = "events", chapter = "3.4.1", ranks = 5,
  run = function(t)
    t:open {}
    for i = 0, 4 do
      local rank = t.ranks[i]
      rank:eq("eq", 16)
      rank:attach { start = "null", length = 0, options = PUT .. "|" .. GET, eventq = "eq" }
      rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    end
    for i = 0, 4 do
      for j = 0, 4 do
        local from, to = t.ranks[i], t.ranks[j]
        local verb = (i + j) % 2 == 0 and "put" or "get"
        from[verb](from, { mem_desc = "out-md", target = to })
        t:event("P30-061", to, "eq", { type = "PTL_EVENT_" .. verb:upper(), initiator = from.id })
      end
    end
  end,
}

case {
  id = "event-order-of-puts-and-gets",
  title = "Puts of one process are logged in their order, and no get before a put in front of it",
  purpose = "Puts and gets in changing order, with and without data, go to one descriptor. Its queue tells each once. A get may be told late, since its reply is sent first (3.8.1), but not early.",
  requirements = { "P30-245" }, suite = "events", chapter = "3.8.6", ranks = 2,
  run = function(t)
    local from, to = pair(t)
    to:attach { ignorebits = -1, options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
    from:bind { region = "own", octets = 50, md = "own-md" }
    from:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    local puts, gets, calls = {}, {}, {}
    for number, verb in ipairs { "put", "get", "get", "put", "put", "get", "put", "get", "put", "put", "get", "get" } do
      from[verb](from, { mem_desc = number % 3 == 0 and "void-md" or "own-md", target = to, match_bits = number })
      calls[#calls + 1] = number
      local same = verb == "put" and puts or gets
      same[#same + 1] = number
    end
    local told, of_gets = {}, {}
    for _, event in ipairs(to:collect("eq", #calls)) do
      local number <const> = event.match_bits
      if event.type == "PTL_EVENT_PUT" then
        told[#told + 1] = number
      else
        of_gets[#of_gets + 1] = number
        local before = 0
        for _, put in ipairs(puts) do before = before + (put < number and 1 or 0) end
        t:check("P30-245", "puts in front of get " .. number, #told >= before, "at least " .. before, #told)
      end
    end
    t:equal("P30-245", "puts in their order", told, puts)
    table.sort(of_gets)
    t:equal("P30-245", "the gets, each once", of_gets, gets)
    t:flush(from, to)
    t:check("P30-245", "there are no more", #to:drain("eq") == 0, "none", "others")
  end,
}

for verb, req in each { { "put", "P30-267" }, { "get", "P30-273" } } do
  case {
    id = "md-offset-of-a-" .. verb .. "-by-whose-choice",
    title = "The offset of a " .. verb .. " counts where the descriptor asks for it, and only there",
    purpose = "A descriptor with PTL_MD_MANAGE_REMOTE serves at each offset that is asked for, forth and back; one without serves one part behind the other, whatever is asked for.",
    requirements = { req }, chapter = "3.10", ranks = 2,
    run = function(t)
      local from, to = pair(t)
      from:bind { region = "own", octets = 10, fill = "mix/9", md = "own-md", eventq = "eq" }
      to:attach { options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
      to:attach { index = 1, me = "me1", md = "md1", options = PUT .. "|" .. GET, eventq = "eq" }
      for portal, offsets in each { { 0, { 37, 0, 90, 5 } }, { 1, { 37, 0, 90, 5 } } } do
        for place, offset in ipairs(offsets) do
          local wanted = portal == 0 and offset or 10 * (place - 1)
          to:fill("buf", "mix/4")
          from[verb](from, { mem_desc = "own-md", target = to, portal = portal, offset = offset })
          t:event(req, to, "eq", { type = "PTL_EVENT_" .. verb:upper(), offset = wanted })
          if verb == "put" then
            t:octets(req, "what was put", to, "buf", "mix/9", wanted, 10)
          else
            t:event(req, from, "eq", { type = "PTL_EVENT_REPLY" })
            t:same_octets(req, "what the get has brought", from:read("own", 0, 10),
              t.mix(4, 100):sub(wanted + 1, wanted + 10))
          end
          from:wait("eq", verb == "put" and 5000 or 0)
        end
      end
    end,
  }
end
