-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.6: places of entries in a list, entries at any portal, wildcards; one descriptor for an entry.

defaults { suite = "match-entries", chapter = "3.6.1" }

local BOTH <const> = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE"

-- A rank with three entries that all match, attached at these positions in turn; each has a queue of its own.
local function three(t, positions, options)
  local rank = t:open {}
  rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
  for i, position in ipairs(positions) do
    rank:eq("eq" .. i)
    rank:attach { me = "me" .. i, md = "md" .. i, desc = "desc" .. i, region = "buf" .. i, octets = 32,
      position = position, eventq = "eq" .. i, options = options and options[i] }
  end
  return rank
end

-- The number of the queue in which a put to itself is logged.
local function receiver(rank)
  rank:put { mem_desc = "out-md", target = rank }
  for _ = 1, 100 do
    for i = 1, 3 do
      local event = rank:wait("eq" .. i, 20).event
      if event then
        if event.type == "PTL_EVENT_PUT_START" then rank:wait("eq" .. i) end
        return i
      end
    end
  end
end

case {
  id = "attach-position-before",
  title = "An entry attached with PTL_INS_BEFORE is the first of the list",
  purpose = "Three entries with equal criteria; a put arrives in the one that was attached last.",
  requirements = { "P32-106", "P32-341" },
  run = function(t)
    local rank = three(t, { "PTL_INS_AFTER", "PTL_INS_AFTER", "PTL_INS_BEFORE" })
    t:judging("P32-341")
    t:equal("P32-341", "the entry that receives", receiver(rank), 3)
    rank:me_unlink { entry = "me3" }
    t:equal("P32-106", "the entry that receives without it", receiver(rank), 1)
  end,
}

case {
  id = "attach-position-after",
  title = "An entry attached with PTL_INS_AFTER is the last of the list, and the others stay as they are",
  purpose = "Three entries with equal criteria; one after the other is unlinked, and puts arrive in the first that is left.",
  requirements = { "P32-106", "P32-107", "P32-342" },
  run = function(t)
    local rank = three(t, { "PTL_INS_AFTER", "PTL_INS_AFTER", "PTL_INS_AFTER" })
    t:judging("P32-342")
    t:equal("P32-342", "the entry that receives", receiver(rank), 1)
    rank:me_unlink { entry = "me1" }
    t:equal("P32-107", "the entry that receives then", receiver(rank), 2)
    rank:me_unlink { entry = "me2" }
    t:equal("P32-106", "the entry that receives last", receiver(rank), 3)
  end,
}

case {
  id = "attach-positions-in-a-long-list",
  title = "An entry is attached before or behind all others of a list of many",
  purpose = "Forty entries for forty match bits; others for the bits of the first, the last and one between them, which ignore no bit or some, are attached before all, and receive, then behind all, and do not.",
  requirements = { "P32-341", "P32-342" },
  run = function(t)
    local many <const> = 40
    local rank = t:open {}
    t:skip_if(math.min(rank:granted("entries", 64), rank:granted("list", 64)) < many + 6,
      "there are not so many entries")
    rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
    local function attach(name, bits, position, ignored)
      rank:eq("eq-" .. name, 8)
      rank:attach { me = "me-" .. name, md = "md-" .. name, desc = "desc-" .. name, region = "buf-" .. name,
        octets = 8, options = BOTH, match_bits = bits, ignorebits = ignored, position = position,
        eventq = "eq-" .. name }
    end
    for i = 1, many do attach(i, i, "PTL_INS_AFTER") end
    for req, position, where, ignored in each { { "P32-341", "PTL_INS_BEFORE", "-first", 0 },
      { "P32-341", "PTL_INS_BEFORE", "-first", 0xff00 }, { "P32-342", "PTL_INS_AFTER", "-last", 0 },
      { "P32-342", "PTL_INS_AFTER", "-last", 0xff00 } } do
      where = where .. ignored
      for _, bits in ipairs { 1, 17, many } do
        attach(bits .. where, bits, position, ignored)
        local owner <const> = bits .. (position == "PTL_INS_BEFORE" and where or "")
        rank:put { mem_desc = "out-md", target = rank, match_bits = bits }
        t:flush(rank, rank)
        t:equal(req, "events of the entry that comes first, of those for " .. bits, #rank:drain("eq-" .. owner), 2)
      end
      for _, bits in ipairs { 1, 17, many } do rank:me_unlink { entry = "me-" .. bits .. where } end
    end
  end,
}

case {
  id = "attach-positions-in-turn",
  title = "Each entry is attached at the end of the list that its position names",
  purpose = "Three entries with equal criteria, the second one at the head; puts find them in their order.",
  requirements = { "P32-106" },
  run = function(t)
    local rank = three(t, { "PTL_INS_AFTER", "PTL_INS_BEFORE", "PTL_INS_AFTER" })
    t:judging("P32-106")
    for _, entry in ipairs { 2, 1, 3 } do
      t:equal("P32-106", "the entry that receives", receiver(rank), entry)
      rank:me_unlink { entry = "me" .. entry }
    end
  end,
}

case {
  id = "attach-leaves-the-list",
  title = "Attaching an entry behind others leaves these in their order",
  purpose = "The first of two entries receives before and after a third one is attached, then the second one.",
  requirements = { "P32-107" },
  run = function(t)
    local rank = three(t, { "PTL_INS_AFTER", "PTL_INS_AFTER" })
    rank:eq("eq3")
    t:judging("P32-107")
    local first = receiver(rank)
    t:sanity("an entry receives before", first ~= nil)
    rank:attach { me = "me3", md = "md3", desc = "desc3", region = "buf3", octets = 8, position = "PTL_INS_AFTER",
      eventq = "eq3" }
    t:equal("P32-107", "the entry that receives afterwards", receiver(rank), first)
    rank:me_unlink { entry = "me" .. first }
    t:equal("P32-107", "the entry that receives without it", receiver(rank), 3 - first)
  end,
}

case {
  id = "attach-any-portal",
  title = "PtlMEAttachAny takes portals that have no list, until there are none",
  purpose = "Portals 0 and 2 of five have lists; entries at any portal get each of the others once, and puts find them. When none is left, the list of portal 0 goes, and the next entry gets that.",
  requirements = { "P32-343", "P32-344" },
  run = function(t)
    local rank = t:open { ptl_size = 5, acl_size = 2, actual = "out" }
    local size = rank:granted("ptl_size", 5)
    t:skip_if(size > 512, "the portal table is so large that it is not filled")
    rank:me_attach { index = 0, handle = "at0" }
    rank:me_attach { index = 2, handle = "at2" }
    rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
    rank:eq()
    rank:region("buf", 8)
    local taken = { [0] = true, [2] = true }
    for i = 1, size - 2 do
      local result = t:rc("P32-343", rank:PtlMEAttachAny { match_bits = i, handle = "any" .. i }, "PTL_OK")
      t:check("P32-343", "portal " .. tostring(result.index) .. " was free", result.index and not taken[result.index],
        "a portal without a list", result.index)
      taken[result.index] = true
      rank:add_md { me = "any" .. i, md = "md" .. i, desc = "desc" .. i, eventq = "eq" }
      rank:put { mem_desc = "out-md", target = rank, portal = result.index, match_bits = i }
      local event = rank:wait_done("eq").event
      t:equal("P32-343", "the put to it is logged with the portal", event and event.portal, result.index)
    end
    t:rc("P32-344", rank:PtlMEAttachAny { handle = "beyond" }, "PTL_PT_FULL")
    rank:me_unlink { entry = "at0" }
    local result = t:rc("P32-343", rank:PtlMEAttachAny { handle = "again" }, "PTL_OK")
    t:equal("P32-343", "the portal that has become free", result.index, 0)
    t:rc("P32-344", rank:PtlMEAttachAny { handle = "beyond" }, "PTL_PT_FULL")
  end,
}

case {
  id = "attach-any-beside-one-list",
  title = "PtlMEAttachAny finds another portal, whichever the one is that has a list",
  purpose = "Each portal of five in turn has the only list: an entry at any portal gets one of the others. Both are unlinked before the next one.",
  requirements = { "P32-343" },
  run = function(t)
    local rank = t:open { ptl_size = 5, acl_size = 2, actual = "out" }
    for portal = 0, math.min(rank:granted("ptl_size", 5), 64) - 1 do
      rank:me_attach { index = portal, handle = "only" }
      local result = t:rc("P32-343", rank:PtlMEAttachAny { handle = "any" }, "PTL_OK")
      t:check("P32-343", "the portal is not " .. portal, result.index ~= portal, "another portal", result.index)
      rank:me_unlink { entry = "only" }
      rank:me_unlink { entry = "any" }
    end
  end,
}

case {
  id = "attach-any-after-use",
  title = "A portal whose only entry was used up is free again",
  purpose = "All portals but 1 have a list. Ten times an entry at any portal gets portal 1, goes with its descriptor by a put, and the next one gets the same portal; with one that stays there is no portal more.",
  requirements = { "P32-343", "P32-344", "P32-023" },
  run = function(t)
    local rank = t:open { ptl_size = 5, acl_size = 2, actual = "out" }
    local size = rank:granted("ptl_size", 5)
    t:skip_if(size > 512, "the portal table is so large that it is not filled")
    rank:eq()
    rank:region("buf", 8)
    rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
    local free
    for i = 1, size do
      free = t:rc("P32-343", rank:PtlMEAttachAny { handle = "any" .. i }, "PTL_OK").index
    end
    rank:me_unlink { entry = "any" .. size }
    for round = 1, 10 do
      local result = t:rc("P32-343", rank:PtlMEAttachAny { handle = "once", unlink = "PTL_UNLINK" }, "PTL_OK")
      t:equal("P32-343", "the portal in round " .. round, result.index, free)
      t:rc("P32-344", rank:PtlMEAttachAny { handle = "beyond" }, "PTL_PT_FULL")
      rank:add_md { me = "once", md = "once-md", threshold = 1, md_unlink = "PTL_UNLINK", eventq = "eq" }
      rank:put { mem_desc = "out-md", target = rank, portal = free }
      local event
      repeat event = rank:wait("eq").event until not event or event.type == "PTL_EVENT_UNLINK"
      t:me_unlinked("P32-023", rank, "once")
    end
  end,
}

case {
  id = "attach-any-criteria",
  title = "An entry at any portal has the criteria that it was given, and stays when it was made to",
  purpose = "It is for one process and ignores the low bits. Puts of that process with other low bits arrive, one with another high bit and one of a third process do not; when its descriptor is used up, the entry is there.",
  chapter = "3.6", ranks = 3, requirements = { "P32-006", "P32-111", "P32-112", "P32-024" },
  run = function(t)
    local from, to, other = t:open {}
    to:eq()
    to:region("buf", 32)
    local portal = t:setup(to:PtlMEAttachAny { matchid = from, match_bits = 0x1200, ignorebits = 0xff }).index
    to:add_md { threshold = 2, md_unlink = "PTL_UNLINK", options = "PTL_MD_OP_PUT", eventq = "eq" }
    from:bind { octets = 8, md = "out-md" }
    other:bind { octets = 8, md = "out-md" }
    local function put(rank, bits)
      rank:put { mem_desc = "out-md", target = to, portal = portal, match_bits = bits }
    end
    local before = to:drop_count()
    put(from, 0x1300)
    t:drops("P32-112", to, before, 1)
    put(other, 0x1200)
    t:drops("P32-006", to, before, 2)
    for _, bits in ipairs { 0x1234, 0x12ff } do
      put(from, bits)
      local event = to:wait_done("eq").event
      t:check("P32-111", "a put with ignored bits arrives", event ~= nil, "an event", "none")
      t:equal("P32-111", "its bits", event.match_bits, bits)
    end
    to:until_unlinked()
    t:rc("P32-024", to:PtlMDAttach { handle = "again" }, "PTL_OK")
  end,
}

local IDS = { { "nid", "any", "pid" }, { "pid", "nid", "any" }, { "both", "any", "any" } }
for name, nid, pid in each(IDS) do
  case {
    id = "wildcard-" .. name,
    title = "A wildcard in an entry's process id matches every value of that member, and no other member",
    purpose = "An entry with a wildcard receives; the same entry with a wrong number in the other member does not.",
    requirements = { "P32-110" }, ranks = 2,
    run = function(t)
      local from, to = t:open {}
      local id = { kind = "nid", nid = nid == "nid" and from.id.nid or "any",
        pid = pid == "pid" and from.id.pid or "any" }
      to:eq()
      to:attach { octets = 8, matchid = id, eventq = "eq" }
      from:bind { octets = 8, md = "out-md" }
      from:put { mem_desc = "out-md", target = to }
      t:event("P32-110", to, "eq", { type = "PTL_EVENT_PUT_START" })
      t:event("P32-110", to, "eq", { type = "PTL_EVENT_PUT_END" })
      if name == "both" then return end
      local wrong = { kind = "nid", nid = id.nid, pid = id.pid }
      if name == "nid" then wrong.pid = from.id.pid ~ 1 else wrong.nid = from.id.nid ~ 1 end
      if not t:named(to:PtlMEAttach { index = 1, handle = "me1", matchid = wrong }) then return end
      to:add_md { me = "me1", md = "md1", desc = "desc1", region = "other", octets = 8, eventq = "eq" }
      local before = to:drop_count()
      from:put { mem_desc = "out-md", target = to, portal = 1 }
      t:drops("P32-110", to, before, 1)
    end,
  }
end

case {
  id = "one-descriptor",
  title = "An entry has one descriptor: a second one is refused, and the first one serves",
  purpose = "A put arrives in the descriptor of an entry, and another one does so after a second PtlMDAttach.",
  suite = "memory-descriptors", chapter = "3.7.2",
  requirements = { "P32-175", "P32-176", "P32-016" },
  run = function(t)
    local rank = t:open {}
    rank:eq()
    rank:attach { octets = 16, eventq = "eq" }
    rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
    t:judging("P32-175")
    rank:put { mem_desc = "out-md", target = rank }
    local event = rank:wait_done("eq").event
    t:check("P32-175", "the put is logged", event ~= nil, "an event", "none")
    t:octets("P32-016", "the region of the first descriptor", rank, "buf", "mix/1", 0, 8)
    rank:region("second", 8)
    rank:md { name = "other", region = "second", options = "PTL_MD_OP_PUT" }
    t:rc("P32-176", rank:PtlMDAttach { mem_desc = "other", handle = "md2" }, "PTL_INUSE")
    rank:put { mem_desc = "out-md", target = rank }
    event = rank:wait_done("eq").event
    t:equal("P32-176", "the descriptor that receives then", event and event.md_handle, "md")
    t:octets("P32-176", "the region of the second one", rank, "second", "byte/0")
  end,
}

case {
  id = "descriptor-that-refuses",
  title = "Where the descriptor of a matching entry refuses, the next entry is tried",
  purpose = "The first of three matching entries serves gets only; a put arrives in the second one.",
  suite = "translation", chapter = "2.2",
  requirements = { "P32-019" },
  run = function(t)
    local rank = three(t, { "PTL_INS_AFTER", "PTL_INS_AFTER", "PTL_INS_AFTER" }, { "PTL_MD_OP_GET" })
    t:judging("P32-019")
    t:equal("P32-019", "the entry that receives", receiver(rank), 2)
  end,
}

for name, unlink, requirement in each { { "unlinked", "PTL_UNLINK", "P32-023" },
  { "retained", "PTL_RETAIN", "P32-024" } } do
  case {
    id = "entry-" .. name,
    title = "Whether an entry goes with its descriptor is said when it is made",
    purpose = "A put comes before the entry has a descriptor; one with PTL_UNLINK and threshold 1 is exhausted by the next; PtlMDAttach asks for the entry.",
    chapter = "2.2", requirements = { requirement, "P32-116" },
    run = function(t)
      local rank = t:open {}
      rank:eq()
      rank:me_attach { unlink = unlink }
      rank:bind { octets = 8, region = "out", md = "out-md" }
      rank:put { mem_desc = "out-md", target = rank }
      t:flush(rank, rank)
      rank:region("buf", 8)
      rank:md { options = "PTL_MD_OP_PUT", threshold = 1, eventq = "eq" }
      t:rc("P32-116", rank:PtlMDAttach { unlink = "PTL_UNLINK" }, "PTL_OK")
      rank:put { mem_desc = "out-md", target = rank }
      local last
      for _ = 1, 3 do last = rank:wait("eq").event or last end
      t:equal(requirement, "the last event", last and last.type, "PTL_EVENT_UNLINK")
      t:rc(requirement, rank:PtlMDAttach { handle = "md2" }, name == "unlinked" and "PTL_INV_ME" or "PTL_OK")
    end,
  }
end

case {
  id = "entry-unlink-releases",
  title = "PtlMEUnlink releases the descriptor of the entry, and tells nobody",
  purpose = "After it the handle of the descriptor is not valid and the queue is empty; so is it after PtlMDUnlink.",
  chapter = "3.6.3", requirements = { "P32-130", "P32-355" },
  run = function(t)
    local rank = t:open {}
    rank:eq()
    rank:attach { octets = 8, eventq = "eq" }
    rank:me_unlink {}
    t:rc("P32-130", rank:PtlMDUnlink {}, "PTL_INV_MD")
    rank:bind { md = "bound", eventq = "eq" }
    rank:md_unlink { mem_desc = "bound" }
    t:flush(rank, rank)
    t:equal("P32-355", "what is in the queue", rank:PtlEQGet().rc, "PTL_EQ_EMPTY")
  end,
}

case {
  id = "insert-refused",
  title = "PtlMEInsert tells of a lack of room, and of an address that is none",
  purpose = "NULL for the handle; then more entries than the interface has.",
  suite = "return-codes", chapter = "3.6.2", requirements = { "P32-127" },
  run = function(t)
    local rank = t.ranks[0]
    rank:PtlInit()
    local most = t:setup(rank:PtlNIInit { ptl_size = 2, acl_size = 2, entries = 4, actual = "out" }).actual.entries
    t:skip_if(most > 4096, "the limit is so large that it is not reached")
    rank:me_attach {}
    t:rc("P32-127", rank:PtlMEInsert { handle = "null" }, "PTL_SEGV")
    for i = 2, most do
      local result = rank:PtlMEInsert { handle = "me" .. i }
      if result.rc == "PTL_ML_TOOLONG" or result.rc == "PTL_NOSPACE" then break end -- the list ends before the entries
      t:rc("P32-127", result, "PTL_OK")
    end
    t:rc("P32-127", rank:PtlMEInsert { handle = "beyond" }, { "PTL_NOSPACE", "PTL_ML_TOOLONG" })
  end,
}

case {
  id = "unlinking-calls-tell-nobody",
  title = "What a call unlinks is told to no queue, whatever the descriptor was to do by itself",
  purpose = "Attached descriptors, with PTL_RETAIN and PTL_UNLINK, that are fresh, half used or inactive, go by PtlMDUnlink and by PtlMEUnlink; the queue stays empty.",
  chapter = "3.8.1", suite = "events", requirements = { "P32-355" },
  run = function(t)
    local rank = t:open {}
    rank:eq()
    rank:region("buf", 16)
    rank:bind { region = "out", octets = 8, md = "out-md" }
    for _, unlink in ipairs { "PTL_UNLINK", "PTL_RETAIN" } do
      for _, entry_unlink in ipairs { "PTL_RETAIN", "PTL_UNLINK" } do
        for threshold, puts in each { { 2, 0 }, { 2, 1 }, { 0, 0 }, { "inf", 1 } } do
          for _, way in ipairs { "PtlMDUnlink", "PtlMEUnlink" } do
            rank:attach { unlink = entry_unlink, region = "buf", threshold = threshold, md_unlink = unlink,
              eventq = "eq" }
            for _ = 1, puts do
              rank:put { mem_desc = "out-md", target = rank }
              t:sanity("the put is served", rank:wait_done("eq").event)
            end
            rank:count_events("eq")
            t:setup(rank[way](rank, {}))
            if way == "PtlMDUnlink" then rank:PtlMEUnlink {} end -- unless it went with its descriptor
            t:flush(rank, rank)
            t:equal("P32-355", "what is in the queue behind " .. way .. ", " .. unlink, rank:PtlEQGet().rc,
              "PTL_EQ_EMPTY")
          end
        end
      end
    end
  end,
}

-- How a descriptor with a threshold of 1 goes: the call, whether it is the descriptor's own, and the event behind which
-- its unlinking is told.
local WAYS = { { "put-served", "put", false, "PTL_EVENT_PUT_END" }, { "get-served", "get", false, "PTL_EVENT_GET_END" },
  { "put-sent", "put", true, "PTL_EVENT_SEND_END" }, { "reply-taken", "get", true, "PTL_EVENT_REPLY_END" } }
for name, verb, own, last in each(WAYS) do
  case {
    id = "goes-with-its-entry-" .. name,
    title = "A descriptor that an operation uses up says so behind it, and takes its entry along: " .. name,
    purpose = "Descriptor and entry have PTL_UNLINK, the threshold is 1. An operation of 8 octets, and then of none on "
      .. "another one: " .. last .. " comes before PTL_EVENT_UNLINK, and then the entry is gone.",
    chapter = "2.2", requirements = { "P32-023", "P32-354" },
    run = function(t)
      local rank = t:open {}
      rank:eq("eq", 16)
      rank:region("buf", 8)
      rank:attach { index = 1, me = "server", md = "server-md", desc = "server-desc", octets = 8, region = "served",
        options = BOTH }
      for _, octets in ipairs { 8, 0 } do
        rank:attach { region = "buf", length = own and octets or 8, threshold = 1, unlink = "PTL_UNLINK",
          md_unlink = "PTL_UNLINK", options = BOTH, eventq = "eq" }
        rank:bind { region = "buf", length = octets, desc = "other", md = "other-md" }
        rank[verb](rank, { mem_desc = own and "md" or "other-md", target = rank, portal = own and 1 or 0 })
        local seen, event = {}, nil
        repeat
          event = rank:wait("eq").event
          t:check("P32-354", "PTL_EVENT_UNLINK comes", event ~= nil, "PTL_EVENT_UNLINK", "no event")
          seen[event.type] = true
        until event.type == "PTL_EVENT_UNLINK"
        t:check("P32-354", last .. " has come before", seen[last], last, "not yet")
        t:rc("P32-023", rank:PtlMDAttach { mem_desc = "other", handle = "again" }, "PTL_INV_ME")
        t:flush(rank, rank)
        for _, later in ipairs(rank:drain("eq")) do
          t:check("P32-354", "the unlinking is told once", later.type ~= "PTL_EVENT_UNLINK", "once", "twice")
        end
      end
    end,
  }
end

case {
  id = "goes-with-its-entry-no-fit",
  title = "A descriptor that goes when a message does not fit takes its entry along",
  purpose = "Descriptors of 12 octets that are to go then, in entries with PTL_UNLINK and PTL_RETAIN; the second message of 8 octets does not fit. The one entry is gone, the other one can have a descriptor again.",
  chapter = "2.2", only = true, requirements = { "P32-023", "P32-354" },
  run = function(t)
    local rank = t:open {}
    rank:eq("eq", 16)
    rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
    for portal, unlink in ipairs { "PTL_UNLINK", "PTL_RETAIN" } do
      rank:attach { index = portal, unlink = unlink, region = "buf" .. portal, octets = 12, nofit = "PTL_UNLINK",
        options = "PTL_MD_OP_PUT", eventq = "eq" }
      for _ = 1, 2 do rank:put { mem_desc = "out-md", target = rank, portal = portal } end
      local event
      repeat event = rank:wait("eq").event until not event or event.type == "PTL_EVENT_UNLINK"
      t:check("P32-354", "PTL_EVENT_UNLINK comes", event ~= nil, "PTL_EVENT_UNLINK", "no event")
      t:rc("P32-023", rank:PtlMDAttach { handle = "again" }, unlink == "PTL_UNLINK" and "PTL_INV_ME" or "PTL_OK")
      t:flush(rank, rank)
      for _, later in ipairs(rank:drain("eq")) do
        t:check("P32-354", "the unlinking is told once", later.type ~= "PTL_EVENT_UNLINK", "once", "twice")
      end
    end
  end,
}

for name, threshold, md_unlink in each { { "by-call", "inf", "PTL_RETAIN" }, { "by-threshold", 1, "PTL_UNLINK" } } do
  case {
    id = "entry-takes-one-after-the-other-" .. name,
    title = "An entry that has lost its descriptor can have another one, again and again",
    purpose = "Three descriptors in turn on an entry that stays, each unlinked " .. name:gsub("-", " ")
      .. " behind a put; while one is there another one is refused.",
    suite = "memory-descriptors", chapter = "3.7.2", requirements = { "P32-175" },
    run = function(t)
      local rank = t:open {}
      rank:eq()
      rank:me_attach {}
      rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
      for i = 1, 3 do
        rank:region("buf" .. i, 8)
        rank:md { region = "buf" .. i, options = "PTL_MD_OP_PUT", threshold = threshold, eventq = "eq" }
        t:rc("P32-175", rank:PtlMDAttach { unlink = md_unlink }, "PTL_OK")
        t:rc("P32-175", rank:PtlMDAttach { handle = "second" }, "PTL_INUSE")
        rank:put { mem_desc = "out-md", target = rank }
        local event = rank:wait_done("eq").event
        t:check("P32-175", "put " .. i .. " is logged", event ~= nil, "an event", "none")
        t:octets("P32-175", "the region of descriptor " .. i, rank, "buf" .. i, "mix/1")
        t:flush(rank, rank)
        rank:count_events("eq")
        if threshold == "inf" then t:setup(rank:PtlMDUnlink {}) else rank:until_unlinked() end
      end
    end,
  }
end

for name, threshold, update in each { { "inactive", 0, true }, { "used-up", 1, false } } do
  case {
    id = "one-descriptor-though-" .. name,
    title = "An entry has a descriptor also while that is inactive: a second one is refused",
    purpose = "The descriptor is " .. name .. " with PTL_RETAIN. A second one is refused; the first one is there, and "
      .. "takes a put when it is made active.",
    suite = "memory-descriptors", chapter = "3.7.2", requirements = { "P32-176" },
    run = function(t)
      local rank = t:open {}
      rank:eq()
      rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
      rank:attach { octets = 32, threshold = threshold, options = BOTH, eventq = "eq" }
      if not update then
        rank:put { mem_desc = "out-md", target = rank }
        t:sanity("the put is served", rank:wait_done("eq").event)
        t:flush(rank, rank)
        rank:count_events("eq")
      end
      rank:region("second", 8)
      rank:md { name = "other", region = "second", options = BOTH }
      for _, unlink in ipairs { "PTL_RETAIN", "PTL_UNLINK" } do
        t:rc("P32-176", rank:PtlMDAttach { mem_desc = "other", handle = "md2", unlink = unlink }, "PTL_INUSE")
      end
      rank:md { name = "armed", region = "buf", threshold = 1, options = BOTH, eventq = "eq" }
      t:rc("P32-176", rank:PtlMDUpdate { new = "armed" }, "PTL_OK")
      rank:put { mem_desc = "out-md", target = rank }
      local event = rank:wait_done("eq").event
      t:equal("P32-176", "the descriptor that receives then", event and event.md_handle, "md")
      t:octets("P32-176", "the region of the second one", rank, "second", "byte/0")
      t:flush(rank, rank)
      t:rc("P32-176", rank:PtlMDUpdate { new = "armed" }, "PTL_OK") -- it stays, as it was attached
    end,
  }
end

case {
  id = "attach-positions-many",
  title = "Entries that are attached before and behind others leave these in their order",
  purpose = "Seven entries with equal criteria and a descriptor for one put each, attached at either end by turns; seven puts find them in the order of the list.",
  requirements = { "P32-106", "P32-107" },
  run = function(t)
    local rank = t:open {}
    rank:eq("eq", 64)
    rank:region("buf", 8)
    rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
    local order = {}
    for i, position in ipairs { "AFTER", "AFTER", "BEFORE", "BEFORE", "AFTER", "BEFORE", "AFTER" } do
      rank:attach { me = "me" .. i, md = "md" .. i, desc = "desc" .. i, region = "buf", threshold = 1,
        position = "PTL_INS_" .. position, options = "PTL_MD_OP_PUT", eventq = "eq", user_ptr = i }
      table.insert(order, position == "BEFORE" and 1 or #order + 1, i)
    end
    for place, wanted in ipairs(order) do
      rank:put { mem_desc = "out-md", target = rank }
      local event = rank:wait_done("eq").event
      t:equal(place == 1 and "P32-106" or "P32-107", "the entry that takes put " .. place,
        event and event.mem_desc.user_ptr, wanted)
    end
  end,
}

case {
  id = "any-portal-of-each-interface",
  title = "Portals that have lists on one interface are free on another",
  purpose = "Of a second interface, where there is one, an entry at any portal takes one also when all portals of the first one have lists.",
  requirements = { "P32-343" },
  run = function(t)
    local rank = t:open { ptl_size = 5, acl_size = 2, actual = "out" }
    local size = rank:granted("ptl_size", 5)
    t:skip_if(size > 512, "the portal table is so large that it is not filled")
    rank:ni_init { interface = 1, handle = "ni1", ptl_size = 5, acl_size = 2 }
    local count = 0
    repeat
      count = count + 1
      local result = rank:PtlMEAttachAny { handle = "any" .. count }
    until result.rc ~= "PTL_OK" or count > size
    t:rc("P32-343", rank:PtlMEAttachAny { interface = "ni1", handle = "other" }, "PTL_OK")
  end,
}
