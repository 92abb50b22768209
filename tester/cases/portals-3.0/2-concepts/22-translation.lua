-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 2.2: from a portal address to a memory descriptor. Every case has two ranks: rank 0 asks, rank 1 owns the
-- portals.
-- What must not happen is looked for after a later request on the same path was seen to arrive.

defaults { suite = "translation", chapter = "2.2", ranks = 2, still = { "P32-016", "P32-019", "P32-024" } }

-- Opens the job; the initiator gets a bound descriptor of 64 octets mix/1 with event queue "eq", the target an event
-- queue "eq".
local function pair(t, sizes)
  local from, to = t:open(sizes or { ptl_size = 8, acl_size = 4 })
  from:eq("eq", 64)
  from:bind { octets = 64, fill = "mix/1", eventq = "eq", options = 0 }
  to:eq("eq", 64)
  return from, to
end

-- A put that asks for an acknowledgement and waits for it: afterwards everything that was sent before it has been
-- handled. Returns the event, and how many replies came before it.
local function put_and_settle(t, from, to, portal, match_bits)
  from:put { ack_req = "PTL_ACK_REQ", target = to, portal = portal, match_bits = match_bits }
  local event, replies = nil, 0
  repeat
    event = from:wait("eq").event
    replies = replies + (event and event.type == "PTL_EVENT_REPLY" and 1 or 0)
  until event == nil or event.type == "PTL_EVENT_ACK"
  t:sanity("the settling put is acknowledged", event ~= nil)
  return event, replies
end

case {
  id = "translation-portal-index",
  title = "The portal index selects the match list",
  purpose = "Two portals have entries with the same criteria. A put to one of them must never touch the other.",
  requirements = { "P30-014", "P30-016" },
  run = function(t)
    local from, to = pair(t)
    to:attach { index = 3, me = "me3", md = "md3", region = "three", octets = 64, eventq = "eq", user_ptr = 3 }
    to:attach { index = 4, me = "me4", md = "md4", region = "four", octets = 64, eventq = "eq", user_ptr = 4 }
    from:put { target = to, portal = 4 }
    local event = t:event("P30-016", to, "eq", { type = "PTL_EVENT_PUT", mlength = 64 })
    t:equal("P30-014", "descriptor that took the put to portal 4", event.mem_desc.user_ptr, 4)
    t:octets("P30-016", "the data is in the descriptor of portal 4", to, "four", "mix/1")
    t:octets("P30-014", "the descriptor of portal 3 is untouched", to, "three", "byte/0")
  end,
}

case {
  id = "translation-full-descriptor-takes-nothing-more",
  title = "A descriptor whose last octet is taken still accepts requests of no octets",
  purpose = "A put of 64 octets fills a region of 64; two of no octets arrive in it and not in the entry behind it, then one of 64 in that.",
  requirements = { "P30-016" },
  run = function(t)
    local from, to = pair(t)
    from:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    to:attach { me = "me", md = "md", region = "first", octets = 64, eventq = "eq", user_ptr = 1,
      options = "PTL_MD_OP_PUT" }
    to:me_insert { current = "me", position = "PTL_INS_AFTER", handle = "me2" }
    to:add_md { me = "me2", md = "md2", region = "second", octets = 64, eventq = "eq", user_ptr = 2 }
    for i, row in ipairs { { "md", 64, 1 }, { "void-md", 0, 1 }, { "void-md", 0, 1 }, { "md", 64, 2 } } do
      from:put { mem_desc = row[1], target = to }
      local event = t:event("P30-016", to, "eq", { type = "PTL_EVENT_PUT", mlength = row[2] })
      t:equal("P30-016", "the entry that took put " .. i, event.mem_desc.user_ptr, row[3])
    end
  end,
}

case {
  id = "translation-from-the-head",
  title = "Of two entries with equal criteria the first receives",
  purpose = "The match list is walked from its head, and the walk ends at the first entry whose descriptor accepts.",
  requirements = { "P30-015", "P30-315" },
  run = function(t)
    local from, to = pair(t)
    to:attach { me = "me", md = "md", region = "first", octets = 64, eventq = "eq", user_ptr = 1 }
    to:me_insert { current = "me", position = "PTL_INS_AFTER", handle = "me2" }
    to:add_md { me = "me2", md = "md2", region = "second", octets = 64, eventq = "eq", user_ptr = 2 }
    from:put { target = to }
    local event = t:event("P30-315", to, "eq", { type = "PTL_EVENT_PUT" })
    t:equal("P30-015", "the entry that took the put", event.mem_desc.user_ptr, 1)
    t:octets("P30-315", "the second entry's memory is untouched", to, "second", "byte/0")
  end,
}

case {
  id = "translation-from-the-head-each-time",
  title = "Each put is looked for from the head of the list, not where the one before was found",
  purpose = "An entry has taken a put. An entry with equal criteria is put before it, and then between the two; the put that follows goes to the first one. When that is inactive the second one takes it, and the first one again as soon as it is active.",
  requirements = { "P30-015" },
  run = function(t)
    local from, to = pair(t)
    local function taken_by(mark)
      from:put { target = to }
      local event = t:event("P30-015", to, "eq", { type = "PTL_EVENT_PUT" })
      t:equal("P30-015", "the entry that took the put", event.mem_desc.user_ptr, mark)
    end
    local function describe(mark, count)
      return to:md { name = "desc" .. mark, region = "buf", options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE",
        threshold = count or "inf", eventq = "eq", user_ptr = mark }
    end
    to:region("buf", 64)
    to:me_attach { handle = "me3" }
    to:md_attach { match = "me3", mem_desc = describe(3), handle = "md3" }
    taken_by(3)
    for mark, current, position in each { { 1, "me3", "PTL_INS_BEFORE" }, { 2, "me1", "PTL_INS_AFTER" } } do
      to:me_insert { current = current, position = position, handle = "me" .. mark }
      to:md_attach { match = "me" .. mark, mem_desc = describe(mark), handle = "md" .. mark }
      taken_by(1)
    end
    for _, count in ipairs { 0, 2 } do
      t:rc("P30-015", to:PtlMDUpdate { mem_desc = "md1", new = describe(1, count) }, "PTL_OK")
      taken_by(count == 0 and 2 or 1)
    end
  end,
}

case {
  id = "translation-long-list",
  title = "In a long list too the first matching entry receives, whatever kind of criteria it has",
  purpose = "Behind a hundred entries that do not fit stand six that do, exact ones and wildcards of bits and of ranks in turn, each for one put. Six puts must find them in the order of the list.",
  requirements = { "P30-315", "P30-015" }, chapter = "4.2",
  run = function(t)
    local from, to = pair(t)
    local before = to:drop_count()
    to:region("buf", 64)
    to:me_attach { match_bits = 1000, handle = "me0" }
    local function append(i, given)
      to:me_insert { matchid = given.matchid, match_bits = given.match_bits, ignorebits = given.ignorebits,
        unlink = "PTL_UNLINK", current = "me" .. i - 1, handle = "me" .. i }
    end
    for i = 1, 100 do append(i, { match_bits = 1000 + i }) end
    local any, rank = t.any_gid, t.gid(from.id)
    local rows = { { any, 7, 0 }, { any, 0, -1 }, { rank, 7, 0 }, { rank, 0, -1 }, { any, 7, 0 }, { any, 6, 1 } }
    for i, row in ipairs(rows) do
      append(100 + i, { matchid = row[1], match_bits = row[2], ignorebits = row[3] })
      to:add_md { me = "me" .. 100 + i, md = "md" .. i, threshold = 1, md_unlink = "PTL_UNLINK", eventq = "eq",
        user_ptr = i }
    end
    local order = {}
    for i = 1, #rows do
      from:put { target = to, match_bits = 7 }
      order[i] = t:event("P30-015", to, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr
    end
    t:equal("P30-315", "the entries that received", order, { 1, 2, 3, 4, 5, 6 })
    from:put { target = to, match_bits = 7 }
    t:drops("P30-015", to, before, 1)
  end,
}

case {
  id = "translation-only-first-descriptor",
  title = "Only the first memory descriptor of an entry is considered",
  purpose = "An entry whose first descriptor is inactive, or too small, or takes the other operation only, or has no octets, and whose second would accept must be passed over as a whole, by puts and by gets.",
  requirements = { "P30-017", "P30-019" },
  run = function(t)
    local from, to = pair(t)
    to:region("ready", 64)
    to:region("next", 64)
    to:region("refusing", 64)
    from:bind { desc = "in-desc", region = "in", octets = 64, md = "in-md" }
    for verb, own, other in each { { "put", "PTL_MD_OP_PUT", "PTL_MD_OP_GET" },
      { "get", "PTL_MD_OP_GET", "PTL_MD_OP_PUT" } } do
      for place, first in ipairs { { threshold = 0 }, { length = 63 }, { options = other }, { length = 0 } } do
        local portal = place - 1 + (verb == "get" and 4 or 0)
        to:fill("next", "byte/0")
        first.index, first.me, first.md, first.region = portal, "me", "md", "refusing"
        first.eventq, first.user_ptr, first.options = "eq", 1, first.options or own
        to:attach(first)
        to:md { name = "ready-desc", region = "ready", options = own, eventq = "eq", user_ptr = 2 }
        to:md_insert { mem_desc = "ready-desc", current = "md", position = "PTL_INS_AFTER", handle = "md2" }
        to:me_insert { current = "me", position = "PTL_INS_AFTER", handle = "me2" }
        to:add_md { me = "me2", md = "md3", region = "next", options = own, eventq = "eq", user_ptr = 3 }
        from[verb](from, { mem_desc = verb == "get" and "in-md" or nil, target = to, portal = portal })
        local event = t:event("P30-019", to, "eq", { type = "PTL_EVENT_" .. verb:upper() })
        t:equal("P30-017", "the descriptor that served the " .. verb, event.mem_desc.user_ptr, 3)
        t:octets("P30-017", "the second descriptor of the first entry is untouched", to, "ready", "byte/0")
        t:octets("P30-019", "the next entry has the data", to, "next", verb == "put" and "mix/1" or "byte/0")
      end
    end
  end,
}

case {
  id = "translation-criteria-fail",
  title = "An entry whose criteria do not match is passed over",
  purpose = "The first entry wants other match bits, the second wants those of the request.",
  requirements = { "P30-018", "P30-005" },
  run = function(t)
    local from, to = pair(t)
    to:attach { match_bits = 0x10, me = "me", region = "ten", octets = 64, eventq = "eq", user_ptr = 0x10 }
    to:me_insert { match_bits = 0x20, current = "me", handle = "me2" }
    to:add_md { me = "me2", md = "md2", region = "twenty", octets = 64, eventq = "eq", user_ptr = 0x20 }
    from:put { target = to, match_bits = 0x20 }
    local event = t:event("P30-018", to, "eq", { type = "PTL_EVENT_PUT", match_bits = 0x20 })
    t:equal("P30-018", "the entry that took bits 0x20", event.mem_desc.user_ptr, 0x20)
    from:put { target = to, match_bits = 0x10 }
    event = t:event("P30-005", to, "eq", { type = "PTL_EVENT_PUT", match_bits = 0x10 })
    t:equal("P30-005", "the entry that took bits 0x10", event.mem_desc.user_ptr, 0x10)
  end,
}

case {
  id = "translation-descriptor-rejects",
  title = "An entry whose first descriptor rejects the request is passed over, whatever the reason",
  purpose = "Matching entries are in front whose descriptors only allow gets, are too small, and are inactive; the fourth takes the put.",
  requirements = { "P30-019", "P30-315" },
  run = function(t)
    local from, to = pair(t)
    to:attach { octets = 64, me = "me1", md = "md1", options = "PTL_MD_OP_GET", eventq = "eq", user_ptr = 1 }
    to:me_insert { current = "me1", handle = "me2" }
    to:add_md { me = "me2", md = "md2", length = 63, eventq = "eq", user_ptr = 2 }
    to:me_insert { current = "me2", handle = "me3" }
    to:add_md { me = "me3", md = "md3", threshold = 0, eventq = "eq", user_ptr = 3 }
    to:me_insert { current = "me3", handle = "me4" }
    to:add_md { me = "me4", md = "md4", eventq = "eq", user_ptr = 4 }
    from:put { target = to }
    local event = t:event("P30-019", to, "eq", { type = "PTL_EVENT_PUT", mlength = 64 })
    t:equal("P30-315", "the descriptor that took the put", event.mem_desc.user_ptr, 4)
  end,
}

case {
  id = "translation-empty-entry",
  title = "A matching entry without any descriptor does not stop the walk",
  purpose = "The first entry matches and has no memory descriptor, whether it is to be unlinked when it has lost one or not; the second takes the put, and the get.",
  requirements = { "P30-020" },
  run = function(t)
    local from, to = pair(t)
    to:region("buf", 64)
    for portal, unlink in ipairs { "PTL_RETAIN", "PTL_UNLINK" } do
      to:me_attach { index = portal, handle = "me", unlink = unlink }
      to:me_insert { current = "me", handle = "me2" }
      to:add_md { me = "me2", eventq = "eq", user_ptr = 2,
        options = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE" }
      for _, verb in ipairs { "put", "get" } do
        from[verb](from, { target = to, portal = portal, match_bits = 0 })
        local event = t:event("P30-020", to, "eq", { type = "PTL_EVENT_" .. verb:upper() })
        t:equal("P30-020", "the descriptor that took the " .. verb, event.mem_desc.user_ptr, 2)
      end
    end
  end,
}

case {
  id = "translation-end-of-list",
  title = "A request that no entry takes is discarded and counted",
  purpose = "The portal has one entry with other match bits than those of a put and a get. Nothing may change but the drop count, nothing is acknowledged or answered, and no memory attached later may show the data.",
  requirements = { "P30-021", "P30-004", "P30-320" },
  run = function(t)
    local from, to = pair(t)
    to:attach { octets = 64, index = 1, match_bits = 1, eventq = "eq" }
    local before = to:drop_count()
    from:put { ack_req = "PTL_ACK_REQ", target = to, portal = 1, match_bits = 2 }
    t:drops("P30-320", to, before, 1)
    from:get { target = to, portal = 1, match_bits = 2 }
    t:drops("P30-320", to, before, 2)
    t:octets("P30-021", "the entry's memory is untouched", to, "buf", "byte/0")
    to:me_insert { match_bits = 2, current = "me", handle = "me2" }
    to:add_md { me = "me2", md = "md2", region = "late", octets = 64, eventq = "eq" }
    local first, replies = put_and_settle(t, from, to, 1, 1)
    t:equal("P30-021", "replies to the discarded get", replies, 0)
    t:equal("P30-021", "the bits of the first put that is acknowledged", first.match_bits, 1)
    t:octets("P30-004", "memory attached after the drop stays empty", to, "late", "byte/0")
    t:event("P30-021", to, "eq", { type = "PTL_EVENT_PUT", match_bits = 1 })
    t:equal("P30-021", "events beside that of the accepted put", to:PtlEQCount().count, 0)
    t:equal("P30-021", "the drop count rises by", to:drop_count() - before, 2)
  end,
}

case {
  id = "translation-exhausted-descriptor-goes",
  title = "An exhausted descriptor with PTL_UNLINK leaves its list, and the next one takes over",
  purpose = "Two descriptors of threshold one are in the list of an entry that is retained, and of one that is unlinked. Two puts must land in the one and then in the other, and the handles must die in that order.",
  requirements = { "P30-022", "P30-192" },
  run = function(t)
    local from, to = pair(t)
    to:region("one", 64)
    to:region("two", 64)
    for _, unlink in ipairs { "PTL_RETAIN", "PTL_UNLINK" } do
      to:attach { unlink = unlink, md = "md1", region = "one", threshold = 1, md_unlink = "PTL_UNLINK", eventq = "eq",
        user_ptr = 1 }
      to:md { name = "desc2", region = "two", options = "PTL_MD_OP_PUT", threshold = 1, eventq = "eq", user_ptr = 2 }
      to:md_insert { mem_desc = "desc2", current = "md1", unlink = "PTL_UNLINK", handle = "md2" }
      from:put { target = to }
      local event = t:event("P30-022", to, "eq", { type = "PTL_EVENT_PUT" })
      t:equal("P30-022", "the first put's descriptor", event.mem_desc.user_ptr, 1)
      t:md_unlinked("P30-022", to, "md1")
      from:put { target = to }
      event = t:event("P30-192", to, "eq", { type = "PTL_EVENT_PUT" })
      t:equal("P30-192", "the second put's descriptor", event.mem_desc.user_ptr, 2)
      t:md_unlinked("P30-022", to, "md2")
    end
  end,
}

case {
  id = "translation-emptied-entry-goes",
  title = "When its last descriptor is unlinked, an entry with PTL_UNLINK is unlinked as well",
  purpose = "The entry has two descriptors of threshold one. It must stay after the first is exhausted and be gone after the second.",
  requirements = { "P30-023", "P30-115" },
  run = function(t)
    local from, to = pair(t)
    to:attach { octets = 64, unlink = "PTL_UNLINK", md = "md1", threshold = 1, md_unlink = "PTL_UNLINK", eventq = "eq" }
    to:md { name = "desc2", options = "PTL_MD_OP_PUT", threshold = 1, eventq = "eq" }
    to:md_insert { mem_desc = "desc2", current = "md1", unlink = "PTL_UNLINK", handle = "md2" }
    t:judging("P30-115")
    from:put { target = to }
    t:event("P30-115", to, "eq", { type = "PTL_EVENT_PUT" })
    t:rc("P30-115", to:PtlMEInsert { current = "me", match_bits = 9, handle = "probe" }, "PTL_OK")
    from:put { target = to }
    t:event("P30-023", to, "eq", { type = "PTL_EVENT_PUT" })
    t:me_unlinked("P30-023", to)
  end,
}

case {
  id = "translation-emptied-by-any-operation",
  title = "An entry with PTL_UNLINK goes with the operation that empties it, however much of that was done",
  purpose = "Entries with a descriptor for one operation that may cut, with each other option: puts and gets of 64 octets and of none come to regions of 64, 10 and no octets. Descriptor and entry are gone each time.",
  requirements = { "P30-022", "P30-023" },
  run = function(t)
    local from, to = pair(t)
    to:region("buf", 64)
    from:bind { desc = "void", start = "null", length = 0, md = "void-md", eventq = "eq" }
    for _, verb in ipairs { "put", "get" } do
      for _, md in ipairs { "md", "void-md" } do
        for i, length in ipairs { 64, 10, 0, 64, 10, 0 } do
          to:attach { unlink = "PTL_UNLINK", threshold = 1, md_unlink = "PTL_UNLINK", eventq = "eq", length = length,
            options = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_TRUNCATE"
              .. (i > 3 and "|PTL_MD_MANAGE_REMOTE|PTL_MD_ACK_DISABLE" or "") }
          from[verb](from, { mem_desc = md, target = to, match_bits = 0 })
          t:event("P30-022", to, "eq", { type = "PTL_EVENT_" .. verb:upper(), mlength = md == "md" and length or 0 })
          t:md_unlinked("P30-022", to)
          t:me_unlinked("P30-023", to)
        end
      end
    end
  end,
}

case {
  id = "translation-half-emptied-entry-stays",
  only = true,
  title = "An entry with PTL_UNLINK stays as long as one of its descriptors is left, however the others went",
  purpose = "An entry has two descriptors. One of them is unlinked by a call, the first or the second, or used up by a put or a get. The entry can be inserted at and receives with the other one, and is gone when that is used up.",
  requirements = { "P30-115" },
  run = function(t)
    local from, to = pair(t)
    to:region("buf", 64)
    local both <const> = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE"
    for portal, how in ipairs { "first", "second", "put", "get" } do
      to:attach { index = portal, unlink = "PTL_UNLINK", md = "md1", threshold = 1, md_unlink = "PTL_UNLINK",
        options = both, eventq = "eq", user_ptr = 1 }
      to:md { name = "desc2", options = both, threshold = 1, eventq = "eq", user_ptr = 2 }
      to:md_insert { mem_desc = "desc2", current = "md1", unlink = "PTL_UNLINK", handle = "md2" }
      local left = 2
      if how == "first" or how == "second" then
        left = how == "first" and 2 or 1
        to:md_unlink { mem_desc = "md" .. 3 - left }
      else
        from[how](from, { target = to, portal = portal, match_bits = 0 })
        t:event("P30-115", to, "eq", { type = "PTL_EVENT_" .. how:upper() })
        t:md_unlinked("P30-115", to, "md1")
      end
      t:rc("P30-115", to:PtlMEInsert { current = "me", match_bits = 9, handle = "probe" }, "PTL_OK")
      from:put { target = to, portal = portal }
      local event = t:event("P30-115", to, "eq", { type = "PTL_EVENT_PUT" })
      t:equal("P30-115", "the descriptor that is left when one went by " .. how, event.mem_desc.user_ptr, left)
      t:me_unlinked("P30-115", to)
    end
  end,
}

case {
  id = "translation-emptied-entry-stays",
  title = "When its last descriptor is unlinked, an entry with PTL_RETAIN stays",
  purpose = "After its only descriptor is exhausted and gone, a new descriptor can be attached to the entry and receives.",
  requirements = { "P30-024" },
  run = function(t)
    local from, to = pair(t)
    to:attach { octets = 64, unlink = "PTL_RETAIN", threshold = 1, md_unlink = "PTL_UNLINK", eventq = "eq" }
    from:put { target = to }
    t:event("P30-024", to, "eq", { type = "PTL_EVENT_PUT" })
    to:md { name = "desc2", options = "PTL_MD_OP_PUT", eventq = "eq", user_ptr = 2 }
    to:until_unlinked()
    t:rc("P30-024", to:PtlMDAttach { match = "me", mem_desc = "desc2", handle = "md2" }, "PTL_OK")
    from:put { target = to }
    local event = t:event("P30-024", to, "eq", { type = "PTL_EVENT_PUT" })
    t:equal("P30-024", "the second put's descriptor", event.mem_desc.user_ptr, 2)
  end,
}

case {
  id = "translation-unlink-before-event",
  only = true,
  title = "Unlinking is done before the event is logged",
  purpose = "As soon as the event of the last operation, a put or a get, can be read, both handles must be dead and the event's copy of the descriptor must show threshold zero. Many rounds give a late unlinking a chance to be seen.",
  requirements = { "P30-025" },
  run = function(t)
    local from, to = pair(t)
    to:region("buf", 64)
    for round = 1, 40 do
      local verb = round % 2 == 0 and "get" or "put"
      to:attach { unlink = "PTL_UNLINK", threshold = 1, md_unlink = "PTL_UNLINK", eventq = "eq", length = 64,
        options = "PTL_MD_OP_PUT|PTL_MD_OP_GET" }
      local waiting = to:start_PtlEQWait { deadline = 10000 }
      from[verb](from, { target = to, match_bits = 0 })
      local result = waiting:finish()
      t:equal("P30-025", "type of the event", result.event and result.event.type, "PTL_EVENT_" .. verb:upper())
      local late = t:reading("P30-025", "unlink_before_event", "PtlMDUnlink when the event can be seen returns",
        to:PtlMDUnlink {}.rc, { { "before", "PTL_INV_MD" }, { "after", "PTL_OK" } }) == "after"
      local rc = to:PtlMEUnlink {}.rc
      t:check("P30-025", "the entry goes with its descriptor", rc == "PTL_INV_ME" or late, "PTL_INV_ME", rc)
      t:reading("P30-025", "event_descriptor_copy", "threshold in the event of round " .. round,
        result.event.mem_desc.threshold, { { "after", 0 }, { "before", 1 } })
    end
  end,
}

case {
  id = "translation-event-per-operation",
  title = "Every accepted operation is logged once",
  purpose = "Five puts and five gets on one descriptor give five put events and five get events. So do puts and gets of no octets, and those that are acknowledged.",
  requirements = { "P30-026", "P30-155" },
  run = function(t)
    local from, to = pair(t)
    to:attach { octets = 1024, options = "PTL_MD_OP_PUT|PTL_MD_OP_GET", eventq = "eq" }
    from:bind { desc = "sink-desc", region = "sink", octets = 64, md = "sink-md", eventq = "eq" }
    for _ = 1, 5 do
      from:put { target = to, match_bits = 0 }
      from:get { mem_desc = "sink-md", target = to, match_bits = 0 }
    end
    local count = { PTL_EVENT_PUT = 0, PTL_EVENT_GET = 0 }
    for _, event in ipairs(to:collect("eq", 10)) do count[event.type] = (count[event.type] or 0) + 1 end
    t:equal("P30-155", "put events and get events", { count.PTL_EVENT_PUT, count.PTL_EVENT_GET }, { 5, 5 })
    from:collect("eq", 10)
    t:equal("P30-026", "events beyond one for each operation", to:PtlEQCount().count, 0)
    from:bind { desc = "void", start = "null", length = 0, md = "void-md", eventq = "eq" }
    for md, length in each { { "void-md", 0 }, { "sink-md", 64 } } do
      for _, ack in ipairs { "PTL_NOACK_REQ", "PTL_ACK_REQ" } do
        from:put { mem_desc = md, target = to, match_bits = 0, ack_req = ack }
        t:event("P30-026", to, "eq", { type = "PTL_EVENT_PUT", rlength = length })
      end
      from:get { mem_desc = md, target = to, match_bits = 0 }
      t:event("P30-026", to, "eq", { type = "PTL_EVENT_GET", rlength = length })
    end
    t:equal("P30-026", "events beyond one for each of these", to:PtlEQCount().count, 0)
  end,
}

case {
  id = "translation-silent-without-queue",
  title = "A descriptor without an event queue works silently",
  purpose = "The data must arrive, the put must be acknowledged, and no queue of the target may show an event. Likewise where a descriptor is for puts, for gets or for both: a get is answered.",
  requirements = { "P30-027", "P30-174", "P30-327" },
  run = function(t)
    local from, to = pair(t)
    to:attach { octets = 64, eventq = "none" }
    local before = to:drop_count()
    from:put { ack_req = "PTL_ACK_REQ", target = to }
    local kinds = {}
    for _, event in ipairs(from:collect("eq", 2)) do kinds[event.type] = true end
    t:check("P30-327", "the put is accepted and acknowledged", kinds.PTL_EVENT_ACK, "PTL_EVENT_ACK", "none")
    t:octets("P30-027", "the data is in the memory", to, "buf", "mix/1")
    t:equal("P30-174", "events in the target's queue", to:PtlEQCount().count, 0)
    t:equal("P30-027", "dropped requests", to:drop_count() - before, 0)
    from:eq("answers")
    from:bind { desc = "in-desc", region = "in", octets = 64, md = "in-md", eventq = "answers" }
    for portal, options in ipairs { "PTL_MD_OP_GET", "PTL_MD_OP_PUT", "PTL_MD_OP_PUT|PTL_MD_OP_GET" } do
      to:fill("buf", "mix/" .. portal)
      to:attach { index = portal, region = "buf", eventq = "none", options = options .. "|PTL_MD_MANAGE_REMOTE" }
      if options:find("GET", 1, true) then
        from:get { mem_desc = "in-md", target = to, portal = portal }
        t:event("P30-027", from, "answers", { type = "PTL_EVENT_REPLY", mlength = 64 })
        t:octets("P30-027", "what was read by " .. options, from, "in", "mix/" .. portal)
      end
      if options:find("PUT", 1, true) then
        put_and_settle(t, from, to, portal, 0)
        t:octets("P30-027", "what was written by " .. options, to, "buf", "mix/1")
      end
    end
    t:equal("P30-027", "events in the target's queue in the end", to:PtlEQCount().count, 0)
    t:equal("P30-027", "dropped requests in the end", to:drop_count() - before, 0)
  end,
}

case {
  id = "translation-every-kind-in-front",
  title = "Entries that do not match, that reject and that have no descriptor are passed over in any order",
  purpose = "In front of the entry that receives stand all three kinds, in each of their orders, and behind it another that would take it; the first that does both receives, twice.",
  requirements = { "P30-315" },
  run = function(t)
    local from, to = pair(t)
    local bits_of = { foreign = 0x10, rejecting = 0, bare = 0 }
    local orders = { { "foreign", "rejecting", "bare" }, { "bare", "foreign", "rejecting" },
      { "rejecting", "bare", "foreign" }, { "bare", "bare", "rejecting" }, { "rejecting", "rejecting", "bare" } }
    local function add(portal, place, bits)
      local handle = "me" .. place
      if place == 1 then
        to:me_attach { index = portal, match_bits = bits, handle = handle }
      else
        to:me_insert { match_bits = bits, current = "me" .. place - 1, handle = handle }
      end
      return handle
    end
    to:region("served", 128)
    local function serve(handle, mark, options)
      to:add_md { me = handle, md = "md" .. mark, region = "served", options = options, eventq = "eq", user_ptr = mark }
    end
    for portal, order in ipairs(orders) do
      for place, kind in ipairs(order) do
        local handle = add(portal, place, bits_of[kind])
        if kind ~= "bare" then serve(handle, place, kind == "rejecting" and "PTL_MD_OP_GET" or nil) end
      end
      for place, mark in ipairs { 40, 50 } do
        serve(add(portal, #order + place, 0), mark)
      end
      for _ = 1, 2 do
        from:put { target = to, portal = portal }
        local event = t:event("P30-315", to, "eq", { type = "PTL_EVENT_PUT" })
        t:equal("P30-315", "the descriptor that took the put behind " .. table.concat(order, ", "),
          event.mem_desc.user_ptr, 40)
      end
    end
  end,
}
