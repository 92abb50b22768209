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
          t:rc("P33-179", rank:PtlMDUpdate { mem_desc = md, old = "was" },
            unlink == "PTL_UNLINK" and "PTL_INV_MD" or "PTL_OK")
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
      for md, unlink, after in each { { "stays", "PTL_RETAIN", "PTL_OK" }, { "goes", "PTL_UNLINK", "PTL_INV_MD" } } do
        from:bind { region = md .. "-buf", octets = 8, desc = md .. "-desc", md = md, threshold = 1,
          md_unlink = unlink }
        t:rc("P33-196", ask(from, { mem_desc = md, target = to }), "PTL_OK")
        t:flush(from, to)
        t:flush(to, from)
        t:rc("P33-196", from:PtlMDUpdate { mem_desc = md, old = "was" }, after)
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
