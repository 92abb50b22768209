-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.7.1: where in the region of a descriptor a request goes, and how much of it: the two kinds of offset, and
-- truncation. A process puts to itself.

defaults { suite = "memory-descriptors", chapter = "3.7" }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local loopback, put, refuses = Descriptor.loopback, Descriptor.put, Descriptor.refuses

case {
  id = "md-offset-local",
  title = "The local offset starts at zero, ignores the request's, and moves on by what was taken",
  purpose = "Puts of 40, 10 and 10 octets land at 0, 40 and 50 of a region of 100; one of 10 with an offset of 7 lands at 60; the next of 40 does not fit and is refused.",
  requirements = { "P30-158", "P30-159", "P30-160", "P30-165", "P30-267" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { eventq = "eq" }
    rank:bind { start = "source", length = 10, md = "ten" }
    put(rank)
    t:event("P30-158", rank, "eq", { type = "PTL_EVENT_PUT", offset = 0 })
    for _, offset in ipairs { 40, 50 } do
      put(rank, { mem_desc = "ten" })
      t:event("P30-160", rank, "eq", { type = "PTL_EVENT_PUT", offset = offset })
      t:octets("P30-160", "the put at " .. offset, rank, "buf", "mix/1", offset, 10)
    end
    put(rank, { mem_desc = "ten", offset = 7 })
    t:event("P30-159", rank, "eq", { type = "PTL_EVENT_PUT", offset = 60 })
    t:octets("P30-158", "the first put", rank, "buf", "mix/1", 0, 40)
    t:octets("P30-267", "the put with an offset", rank, "buf", "mix/1", 60, 10)
    refuses(t, "P30-165", rank)
    t:octets("P30-165", "what is left of the region", rank, "buf", "byte/0", 70, 30)
  end,
}

case {
  id = "md-offset-begins-at-zero",
  title = "The local offset begins at zero, whatever the first request says",
  purpose = "The first put to a fresh descriptor has an offset of 33, the second one of 5: they are placed at 0 and at 40.",
  requirements = { "P30-158" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { eventq = "eq" }
    put(rank, { offset = 33 })
    t:event("P30-158", rank, "eq", { type = "PTL_EVENT_PUT", offset = 0, mlength = 40 })
    put(rank, { offset = 5 })
    t:event("P30-158", rank, "eq", { type = "PTL_EVENT_PUT", offset = 40, mlength = 40 })
    t:octets("P30-158", "the first put", rank, "buf", "mix/1", 0, 40)
    t:octets("P30-158", "the second put", rank, "buf", "mix/1", 40, 40)
    t:octets("P30-158", "the octets behind them", rank, "buf", "byte/0", 80, 20)
  end,
}

case {
  id = "md-offset-of-each-descriptor",
  only = true,
  title = "Each descriptor begins at zero, however far the one before it has got",
  purpose = "A descriptor has taken a put when others are inserted in front of it and behind it; two more follow when all have gone. Each places its first put at 0, and the first one its second put at 40.",
  requirements = { "P30-158" },
  run = function(t)
    local rank = loopback(t)
    local function takes(mark, offset)
      put(rank)
      local event = t:event("P30-158", rank, "eq", { type = "PTL_EVENT_PUT", offset = offset })
      t:equal("P30-158", "the descriptor that takes it", event.mem_desc.user_ptr, mark)
    end
    local function desc(mark)
      return rank:md { options = PUT, threshold = mark == 2 and 2 or 1, eventq = "eq", user_ptr = mark }
    end
    rank:me_attach {}
    rank:md_attach { mem_desc = desc(2), handle = "md2", unlink = "PTL_UNLINK" }
    takes(2, 0)
    rank:md_insert { mem_desc = desc(3), current = "md2", position = "PTL_INS_AFTER", unlink = "PTL_UNLINK",
      handle = "md3" }
    rank:md_insert { mem_desc = desc(1), current = "md2", position = "PTL_INS_BEFORE", unlink = "PTL_UNLINK",
      handle = "md1" }
    for mark, offset in each { { 1, 0 }, { 2, 40 }, { 3, 0 } } do
      takes(mark, offset)
      t:md_unlinked("P30-158", rank, "md" .. mark)
    end
    for mark = 4, 5 do
      rank:md_attach { mem_desc = desc(mark), handle = "md" .. mark, unlink = "PTL_UNLINK" }
      takes(mark, 0)
      t:md_unlinked("P30-158", rank, "md" .. mark)
    end
  end,
}

case {
  id = "md-offset-shared",
  title = "Puts and gets move the same local offset",
  purpose = "A put of 10 octets, a get of 10 and a put of 10 find the offsets 0, 10 and 20.",
  requirements = { "P30-161" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { options = PUT .. "|" .. GET, eventq = "eq" }
    rank:bind { start = "source", length = 10, md = "ten" }
    put(rank, { mem_desc = "ten" })
    t:event("P30-161", rank, "eq", { type = "PTL_EVENT_PUT", offset = 0 })
    rank:get { mem_desc = "ten", target = rank }
    local event = t:event("P30-161", rank, "eq", { type = "PTL_EVENT_GET" })
    local own = t:reading("P30-161", "local_offset_shared", "offset of the get", event.offset,
      { { "yes", 10 }, { "no", 0 } }) == "no"
    put(rank, { mem_desc = "ten" })
    t:event("P30-161", rank, "eq", { type = "PTL_EVENT_PUT", offset = own and 10 or 20 })
  end,
}

case {
  id = "md-offset-remote",
  title = "With PTL_MD_MANAGE_REMOTE the request's offset is used, and nothing accumulates",
  purpose = "Puts with offsets 60, 60, 0, 0, 20 and 0 land there; the bound of the region is length minus offset, to the octet.",
  requirements = { "P30-162", "P30-163", "P30-164", "P30-325" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    for i, offset in ipairs { 60, 60, 0, 0, 20, 0 } do
      rank:fill("buf", "byte/0")
      put(rank, { offset = offset })
      t:event(i == 1 and "P30-162" or "P30-163", rank, "eq", { type = "PTL_EVENT_PUT", offset = offset, mlength = 40 })
      t:octets("P30-162", "the octets from " .. offset .. " on", rank, "buf", "mix/1", offset, 40)
      t:octets("P30-163", "the octets before them", rank, "buf", "byte/0", 0, offset)
      t:octets("P30-163", "the octets behind them", rank, "buf", "byte/0", offset + 40)
    end
    for _, offset in ipairs { 61, 100, 101, 1 << 40, -1, -40 } do
      refuses(t, offset == 61 and "P30-164" or "P30-325", rank, { offset = offset })
    end
    t:octets("P30-164", "the octets behind the last put", rank, "buf", "byte/0", 40, 60)
  end,
}

case {
  id = "md-offset-remote-and-then-local",
  title = "Operations with the offset of the request leave the local offset where it was",
  purpose = "A descriptor with PTL_MD_MANAGE_REMOTE has taken puts at 60 and 20. Without that option, by PtlMDUpdate, the next put goes to the start: a local offset has not been used yet.",
  requirements = { "P30-163" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    for _, offset in ipairs { 60, 20 } do
      put(rank, { offset = offset })
      t:event("P30-163", rank, "eq", { type = "PTL_EVENT_PUT", offset = offset, mlength = 40 })
    end
    rank:md { name = "local", region = "buf", options = PUT, eventq = "eq" }
    t:setup(rank:PtlMDUpdate { new = "local" })
    put(rank, { offset = 7 })
    t:event("P30-163", rank, "eq", { type = "PTL_EVENT_PUT", offset = 0, mlength = 40 })
  end,
}

case {
  id = "md-truncate",
  title = "With PTL_MD_TRUNCATE a request is cut to what is available",
  purpose = "In a region of 100 octets, puts and gets of 40 at the offsets 60, 61, 99 and 100 move 40, 39, 1 and 0 octets, and touch no others. A descriptor with its own offset that two puts, or two gets, have filled takes a third one, and moves nothing; so does one of no octets.",
  requirements = { "P30-166", "P30-167", "P30-140" },
  run = function(t)
    local rank = loopback(t, 110)
    rank:attach { start = "buf", length = 100, options = PUT .. "|" .. REMOTE .. "|" .. TRUNCATE, eventq = "eq" }
    for _, offset in ipairs { 60, 61, 99, 100 } do
      rank:fill("buf", "byte/0")
      put(rank, { offset = offset })
      local moved = 100 - offset
      t:event(moved == 0 and "P30-167" or "P30-166", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 40,
        mlength = moved, offset = offset })
      t:octets("P30-166", "what was moved to " .. offset, rank, "buf", "mix/1", offset, moved)
      t:octets("P30-140", "the octets behind the region", rank, "buf", "byte/0", 100, 10)
    end
    rank:fill("buf", "mix/8")
    rank:eq("own-eq")
    rank:bind { region = "in", octets = 40, md = "in-md", eventq = "own-eq" }
    rank:attach { start = "buf", length = 100, options = GET .. "|" .. REMOTE .. "|" .. TRUNCATE, eventq = "eq" }
    for _, offset in ipairs { 60, 61, 99, 100 } do
      local moved = 100 - offset
      local req = moved == 0 and "P30-167" or "P30-166"
      rank:fill("in", "byte/7")
      rank:get { mem_desc = "in-md", target = rank, offset = offset }
      t:event(req, rank, "eq", { type = "PTL_EVENT_GET", rlength = 40, mlength = moved, offset = offset })
      t:event(req, rank, "own-eq", { type = "PTL_EVENT_REPLY", rlength = 40, mlength = moved })
      t:octets(req, "what a get at " .. offset .. " brought", rank, "in", "mix/8/" .. offset, 0, moved)
      t:octets(req, "what it did not bring", rank, "in", "byte/7", moved, 40 - moved)
    end
    for verb, option in each { { "put", PUT }, { "get", GET } } do
      rank:attach { start = "buf", length = 80, options = option .. "|" .. TRUNCATE, eventq = "eq" }
      for i = 1, 3 do
        rank[verb](rank, { mem_desc = verb == "put" and "out-md" or "in-md", target = rank, match_bits = 0 })
        t:event("P30-167", rank, "eq", { type = "PTL_EVENT_" .. verb:upper(), rlength = 40, mlength = i < 3 and 40 or 0,
          offset = 40 * (i - 1) })
      end
    end
    t:octets("P30-140", "the octets behind a full descriptor", rank, "buf", "mix/8/80", 80, 30)
    for _, more in ipairs { "", "|" .. REMOTE } do
      for verb, option in each { { "put", PUT }, { "get", GET } } do
        rank:attach { start = "buf+20", length = 0, options = option .. "|" .. TRUNCATE .. more, eventq = "eq" }
        rank[verb](rank, { mem_desc = verb == "put" and "out-md" or "in-md", target = rank, match_bits = 0 })
        t:event("P30-167", rank, "eq", { type = "PTL_EVENT_" .. verb:upper(), rlength = 40, mlength = 0, offset = 0 })
      end
    end
  end,
}

case {
  id = "md-truncate-gets",
  title = "A get that finds nothing left is answered, with nothing",
  purpose = "Gets of 40 octets at the offsets 99 and 100 of a region of 100, then of what a local offset has left, which is nothing in the end: all of them are served and answered, the last ones with 0 octets.",
  requirements = { "P30-160", "P30-167", "P30-169" },
  run = function(t)
    local rank = loopback(t)
    rank:eq("own-eq")
    rank:bind { region = "source", md = "own-md", eventq = "own-eq" }
    local function get(offset, wanted, moved)
      rank:get { mem_desc = "own-md", target = rank, offset = offset }
      local req = moved == 0 and "P30-167" or "P30-169"
      t:event(req, rank, "eq", { type = "PTL_EVENT_GET", rlength = 40, mlength = moved, offset = wanted })
      t:event(req, rank, "own-eq", { type = "PTL_EVENT_REPLY", rlength = 40, mlength = moved })
    end
    rank:attach { options = GET .. "|" .. REMOTE .. "|" .. TRUNCATE, eventq = "eq" }
    for _, offset in ipairs { 99, 100, 60, 100 } do get(offset, offset, math.min(40, 100 - offset)) end
    rank:attach { options = GET .. "|" .. TRUNCATE, eventq = "eq" }
    for _, offset in ipairs { 0, 40, 80 } do get(0, offset, math.min(40, 100 - offset)) end
    rank:get { mem_desc = "own-md", target = rank }
    local event = rank:wait("eq").event
    if t:reading("P30-160", "local_offset_advance", "offset of a get behind one that was cut",
      event and event.offset or "refused",
      { { "manipulated", 100 }, { "requested", 120 }, { "requested", "refused" } }) ~= "manipulated" then return end
    t:equal("P30-167", "octets of a get where nothing is left", event.mlength, 0)
    t:event("P30-167", rank, "own-eq", { type = "PTL_EVENT_REPLY", rlength = 40, mlength = 0 })
    get(0, 100, 0)
  end,
}

case {
  id = "md-truncate-beyond",
  title = "A remote offset beyond the region is refused, even with PTL_MD_TRUNCATE",
  purpose = "The memory available would be less than nothing, which is less than an empty put needs too.",
  requirements = { "P30-168" },
  run = function(t)
    local rank = loopback(t)
    local before = rank:drop_count()
    rank:attach { options = PUT .. "|" .. REMOTE .. "|" .. TRUNCATE, eventq = "eq" }
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    local sent = 0
    for offset, md in each { { 101 }, { 1 << 33 }, { -1 }, { 101, "void-md" }, { -1, "void-md" } } do
      put(rank, { offset = offset, mem_desc = md })
      put(rank, { offset = 100, match_bits = 0 })
      local event = rank:wait("eq").event
      local beyond = event and event.offset ~= 100
      sent = sent + 1
      t:reading("P30-168", "offset_beyond_end", "requests beyond the end that were dropped", rank:drop_count() - before,
        { { "reject", sent }, { "accept_zero", 0 } })
      if beyond then
        t:equal("P30-168", "octets that a request beyond the end moved", event.mlength, 0)
        t:event("P30-168", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 0 })
      end
    end
    put(rank, { offset = 100 })
    t:event("P30-168", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 0 })
  end,
}

case {
  id = "md-truncate-get",
  title = "A get is cut to what the target has",
  purpose = "A get of 40 octets at offset 90 of a region of 100 brings 10 and says so; the rest of the initiator's memory stays. One at its end, and one into a region of no octets, bring none, and are answered.",
  requirements = { "P30-169", "P30-271" },
  run = function(t)
    local rank = loopback(t)
    rank:fill("buf", "mix/8")
    rank:attach { options = GET .. "|" .. REMOTE .. "|" .. TRUNCATE }
    rank:bind { region = "in", octets = 40, fill = "byte/7", md = "in-md", eventq = "eq" }
    rank:get { mem_desc = "in-md", target = rank, offset = 90 }
    t:event("P30-169", rank, "eq", { type = "PTL_EVENT_REPLY", rlength = 40, mlength = 10 })
    t:octets("P30-271", "what the reply brought", rank, "in", "mix/8/90", 0, 10)
    t:octets("P30-169", "what it did not bring", rank, "in", "byte/7", 10, 30)
    rank:attach { index = 1, desc = "no-octets", start = "null", length = 0, me = "none-me", md = "none-md",
      options = GET .. "|" .. TRUNCATE }
    for portal, offset in pairs { [0] = 100, 0 } do
      rank:get { mem_desc = "in-md", target = rank, portal = portal, offset = offset }
      t:event("P30-169", rank, "eq", { type = "PTL_EVENT_REPLY", rlength = 40, mlength = 0 })
    end
    t:octets("P30-169", "what the empty replies did not bring", rank, "in", "byte/7", 10, 30)
  end,
}

case {
  id = "md-offset-left-by-refused",
  title = "A request that is refused moves neither the local offset nor the threshold",
  purpose = "Behind a put of 40 octets into a region of 100, a put that is too long and a get that is not enabled are refused. The next put lands at 40, and the threshold has counted two.",
  requirements = { "P30-144", "P30-158" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { options = PUT, threshold = 5, eventq = "eq" }
    rank:bind { desc = "long-desc", region = "long", octets = 61, md = "long-md" }
    t:judging("P30-158")
    put(rank)
    t:event("P30-158", rank, "eq", { type = "PTL_EVENT_PUT", offset = 0 })
    refuses(t, "P30-158", rank, { mem_desc = "long-md" })
    local before = rank:drop_count()
    rank:get { mem_desc = "long-md", target = rank }
    t:drops("P30-158", rank, before, 1)
    put(rank)
    t:event("P30-158", rank, "eq", { type = "PTL_EVENT_PUT", offset = 40, mlength = 40 })
    t:octets("P30-158", "both puts that were taken", rank, "buf", "mix/1", 40, 40)
    t:equal("P30-144", "the threshold", Descriptor.current(t, rank).threshold, 3)
  end,
}

case {
  id = "md-offset-left-by-own",
  title = "The owner's own operations on a descriptor do not move its local offset",
  purpose = "Behind a put of 40 octets the descriptor is put from and got into by its owner. The next put of others lands at 40.",
  requirements = { "P30-158" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { options = PUT, eventq = "eq", md = "listed" }
    rank:region("other", 100)
    rank:attach { index = 1, me = "me1", md = "md1", region = "other", options = PUT .. "|" .. GET .. "|" .. REMOTE }
    put(rank)
    t:event("P30-158", rank, "eq", { type = "PTL_EVENT_PUT", offset = 0 })
    rank:put { mem_desc = "listed", target = rank, portal = 1 }
    t:event("P30-158", rank, "eq", { type = "PTL_EVENT_SENT" })
    rank:get { mem_desc = "listed", target = rank, portal = 1 }
    local event = rank:wait("eq").event
    if event and event.type == "PTL_EVENT_SENT" then -- which a known reading logs as well: P30-223
      event = rank:wait("eq").event
    end
    t:sanity("the reply comes", event ~= nil and event.type == "PTL_EVENT_REPLY")
    put(rank)
    t:event("P30-158", rank, "eq", { type = "PTL_EVENT_PUT", offset = 40, mlength = 40 })
  end,
}

-- A rank whose 100 octets mix/8 can be got with the given options; "in-md" of 40 octets has the queue "eq".
local function gettable(t, options)
  local rank = loopback(t)
  rank:fill("buf", "mix/8")
  rank:attach { options = GET .. options }
  rank:bind { desc = "in-desc", region = "in", octets = 40, md = "in-md", eventq = "eq" }
  return rank
end

-- So long a reply is looked for that must not come.
local REFUSED_MS = 100

-- The reply of the next get, or nil when there is none. When a put behind it has been handled, so has the get: the drop
-- count tells whether a reply is on its way.
local function get(t, rank, offset, md)
  local before = rank:drop_count()
  rank:get { mem_desc = md or "in-md", target = rank, offset = offset }
  rank:eq("later-eq")
  rank:attach { index = 1, me = "later-me", md = "later-md", start = "null", length = 0,
    options = PUT .. "|" .. TRUNCATE, eventq = "later-eq" }
  put(rank, { portal = 1 })
  t:sanity("a later put arrives", rank:wait("later-eq").event ~= nil)
  local refused, event = rank:drop_count() > before, nil
  repeat
    event = rank:wait("eq", refused and REFUSED_MS or nil).event
  until event == nil or event.type == "PTL_EVENT_REPLY"
  return event
end

case {
  id = "md-offset-local-of-gets",
  title = "Gets move the local offset by what they fetched",
  purpose = "Three gets of 40 octets from a region of 100 that truncates bring what lies at 0, at 40, and the 20 octets at 80; a fourth brings nothing.",
  requirements = { "P30-160", "P30-169" },
  run = function(t)
    local rank = gettable(t, "|" .. TRUNCATE)
    for i, octets in ipairs { 40, 40, 20 } do
      local event = get(t, rank, 7)
      t:equal("P30-160", "octets of get " .. i, event and event.mlength, octets)
      t:octets("P30-160", "what get " .. i .. " brought", rank, "in", "mix/8/" .. 40 * (i - 1), 0, octets)
    end
    local event = get(t, rank, 7)
    t:reading("P30-160", "local_offset_advance", "octets of a get behind one that was cut",
      event and event.mlength or "refused", { { "manipulated", 0 }, { "requested", "refused" } })
    t:octets("P30-169", "the octets behind what the last get brought", rank, "in", "mix/8/60", 20, 20)
  end,
}

case {
  id = "md-offset-bounds-of-gets",
  title = "The bounds of a region apply to gets as to puts",
  purpose = "Without PTL_MD_TRUNCATE a get of 40 octets is served up to offset 60 and dropped from 61 on; so are gets of one octet up to 99. With it the get is cut, up to offset 100, and beyond that dropped.",
  requirements = { "P30-164", "P30-165", "P30-168" },
  run = function(t)
    local rank = gettable(t, "|" .. REMOTE)
    local before = rank:drop_count()
    t:judging("P30-165")
    for _, offset in ipairs { 0, 60 } do
      local event = get(t, rank, offset)
      t:equal("P30-164", "octets of a get at offset " .. offset, event and event.mlength, 40)
    end
    for i, offset in ipairs { 61, 62, 100, 101, -1 } do
      local req = i == 1 and "P30-164" or "P30-165"
      t:check(req, "a get at offset " .. offset .. " has no reply", get(t, rank, offset) == nil, "none",
        "a reply")
      t:equal(req, "dropped requests", rank:drop_count() - before, i)
    end
    rank:bind { desc = "one", start = "in", length = 1, md = "one-md", eventq = "eq" }
    t:equal("P30-164", "octets of a get of the last one", (get(t, rank, 99, "one-md") or {}).mlength, 1)
    t:check("P30-164", "a get of one octet behind the last has no reply", get(t, rank, 100, "one-md") == nil, "none",
      "a reply")
    rank:md { options = GET .. "|" .. REMOTE .. "|" .. TRUNCATE }
    rank:md_update { new = "desc" }
    for _, offset in ipairs { 61, 99, 100 } do
      local event = get(t, rank, offset)
      t:equal("P30-164", "octets of a get that is cut at offset " .. offset, event and event.mlength, 100 - offset)
    end
    t:judging("P30-168")
    for _, offset in ipairs { 101, 1 << 33, -1 } do
      local event = get(t, rank, offset)
      t:reading("P30-168", "offset_beyond_end", "a get beyond the end", event and event.mlength or "dropped",
        { { "reject", "dropped" }, { "accept_zero", 0 } })
    end
  end,
}

case {
  id = "md-offset-local-and-then-remote",
  title = "Where a descriptor had got by itself does not count once the request says where",
  purpose = "A descriptor with a local offset has taken two puts of 40. With PTL_MD_MANAGE_REMOTE, by PtlMDUpdate, puts with offsets 7, 60 and 0 and a get with offset 50 go exactly there.",
  requirements = { "P30-162" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { options = PUT, eventq = "eq" }
    for _ = 1, 2 do
      put(rank)
      t:event("P30-162", rank, "eq", { type = "PTL_EVENT_PUT" })
    end
    rank:md { name = "remote", region = "buf", options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
    t:setup(rank:PtlMDUpdate { new = "remote" })
    for _, offset in ipairs { 7, 60, 0 } do
      rank:fill("buf", "byte/0")
      put(rank, { offset = offset })
      t:event("P30-162", rank, "eq", { type = "PTL_EVENT_PUT", offset = offset, mlength = 40 })
      t:octets("P30-162", "the octets from " .. offset .. " on", rank, "buf", "mix/1", offset, 40)
      t:octets("P30-162", "the octets before them", rank, "buf", "byte/0", 0, offset)
      t:octets("P30-162", "the octets behind them", rank, "buf", "byte/0", offset + 40, 60 - offset)
    end
    rank:bind { region = "in", octets = 40, md = "in-md" }
    rank:get { mem_desc = "in-md", target = rank, offset = 50 }
    t:event("P30-162", rank, "eq", { type = "PTL_EVENT_GET", offset = 50, mlength = 40 })
  end,
}
