-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.6 and 3.7: what an entry or a descriptor has of its own, whatever its neighbour is like and whatever else
-- it is used for. A process puts to itself.

defaults { suite = "memory-descriptors", chapter = "3.7" }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local loopback, put, refuses = Descriptor.loopback, Descriptor.put, Descriptor.refuses

case {
  id = "match-ignored-bits-are-ones-own",
  title = "An entry that is inserted beside one that ignores bits ignores only its own",
  purpose = "Before and behind an entry for 0x100 that ignores eight bits stands one for 0x180 that ignores none. Puts with 0x1ff go to the one in the midst, and with 0x180 to the first.",
  requirements = { "P30-111" }, suite = "match-entries", chapter = "3.6",
  run = function(t)
    local rank = loopback(t)
    rank:attach { match_bits = 0x100, ignorebits = 0xff, options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 2 }
    for mark, position in each { { 1, "PTL_INS_BEFORE" }, { 3, "PTL_INS_AFTER" } } do
      rank:me_insert { match_bits = 0x180, position = position, current = "me", handle = "me" .. mark }
      rank:add_md { me = "me" .. mark, md = "md" .. mark, options = PUT .. "|" .. REMOTE, eventq = "eq",
        user_ptr = mark }
    end
    for bits, mark in each { { 0x1ff, 2 }, { 0x180, 1 }, { 0x181, 2 } } do
      put(rank, { match_bits = bits })
      local event = t:event("P30-111", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = bits })
      t:equal("P30-111", "the entry that takes bits " .. t.hex(bits), event.mem_desc.user_ptr, mark)
    end
    refuses(t, "P30-111", rank, { match_bits = 0x280 })
  end,
}

case {
  id = "md-insert-beside-an-inactive-one",
  title = "A descriptor that is inserted after an inactive one stands behind it",
  purpose = "Behind an inactive descriptor an active one is inserted: the entry takes no put, since only its first descriptor counts. When the first one has been unlinked, the second one takes it.",
  requirements = { "P30-188" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { threshold = 0, options = PUT, eventq = "eq", user_ptr = 1 }
    rank:md { options = PUT, eventq = "eq", user_ptr = 2 }
    rank:md_insert { position = "PTL_INS_AFTER" }
    refuses(t, "P30-188", rank)
    rank:md_unlink {}
    put(rank)
    t:equal("P30-188", "the descriptor that takes the put",
      t:event("P30-188", rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, 2)
  end,
}

case {
  id = "md-source-and-destination",
  title = "A descriptor in a list that is put from goes on receiving where it was",
  purpose = "A descriptor receives 40 octets, is the source of two puts to another one, and receives 40 more: these stand behind the first.",
  requirements = { "P30-160" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { options = PUT, eventq = "eq" }
    rank:attach { index = 1, me = "other-me", md = "other", start = "null", length = 0,
      options = PUT .. "|" .. REMOTE .. "|" .. TRUNCATE }
    put(rank)
    t:event("P30-160", rank, "eq", { type = "PTL_EVENT_PUT", offset = 0 })
    for _ = 1, 2 do
      put(rank, { mem_desc = "md", portal = 1 })
      t:event("P30-160", rank, "eq", { type = "PTL_EVENT_SENT" })
    end
    put(rank)
    t:event("P30-160", rank, "eq", { type = "PTL_EVENT_PUT", offset = 40 })
  end,
}

case {
  id = "md-local-offset-and-the-end",
  title = "What a descriptor has received leaves the rest of its region, and nothing behind it, for what follows",
  purpose = "Into a region of 100 octets in front of a guarded page go a put of 40 octets and one of 70 that may be cut: 60 of these are stored, and the process lives.",
  requirements = { "P30-140" },
  run = function(t)
    local rank = loopback(t)
    rank:region("edge", 100, { guard = "after" })
    rank:bind { region = "long", octets = 70, fill = "mix/2", md = "long-md" }
    rank:attach { region = "edge", options = PUT .. "|" .. TRUNCATE, eventq = "eq" }
    t:judging("P30-140")
    put(rank)
    put(rank, { mem_desc = "long-md" })
    for mlength, offset in each { { 40, 0 }, { 60, 40 } } do
      t:event("P30-140", rank, "eq", { type = "PTL_EVENT_PUT", mlength = mlength, offset = offset })
    end
    t:octets("P30-140", "the end of the region", rank, "edge", "mix/2", 40, 60)
  end,
}

case {
  id = "md-ack-disable-of-what-is-cut",
  title = "With PTL_MD_ACK_DISABLE no acknowledgement is sent for a put that is cut either",
  purpose = "Puts of 40 octets that ask for acknowledgements go into 100, into 10 and into no octets of a descriptor that disables them: each is told as sent, and nothing else comes.",
  requirements = { "P30-170" },
  run = function(t)
    local rank = loopback(t)
    rank:eq("own-eq")
    rank:bind { region = "source", md = "asking", eventq = "own-eq" }
    for _, length in ipairs { 100, 10, 0 } do
      rank:attach { length = length, options = PUT .. "|" .. REMOTE .. "|" .. TRUNCATE .. "|PTL_MD_ACK_DISABLE",
        eventq = "eq" }
      put(rank, { mem_desc = "asking", ack_req = "PTL_ACK_REQ" })
      t:event("P30-170", rank, "eq", { type = "PTL_EVENT_PUT", mlength = math.min(length, 40) })
      t:flush(rank, rank)
      t:equal("P30-170", "events of a put into " .. length .. " octets", t.types(rank:drain("own-eq")),
        { "PTL_EVENT_SENT" })
    end
  end,
}

case {
  id = "move-get-large",
  title = "A get asks for as many octets as its descriptor has, be they millions",
  purpose = "A get of 3 MiB of a process from itself: the events of both sides have this length, and every octet has come.",
  requirements = { "P30-270" }, suite = "movement", chapter = "3.10.2", deadline = 90,
  run = function(t)
    local rank = loopback(t)
    local octets = 3 << 20
    rank:attach { region = "from", octets = octets, fill = "mix/6", options = GET .. "|" .. REMOTE, eventq = "eq" }
    rank:eq("own-eq")
    rank:bind { region = "in", octets = octets, md = "in-md", eventq = "own-eq" }
    rank:get { mem_desc = "in-md", target = rank }
    t:event("P30-270", rank, "eq", { type = "PTL_EVENT_GET", rlength = octets }, 30000)
    t:event("P30-270", rank, "own-eq", { type = "PTL_EVENT_REPLY", mlength = octets }, 30000)
    t:octets("P30-270", "what was read", rank, "in", "mix/6")
  end,
}

case {
  id = "move-get-cut",
  title = "A get that is cut is answered with the octets at its offset",
  purpose = "Gets of 40 octets at offsets 80 and 30 of a region of 100 octets, and of one with an offset of its own: the reply has what stands there, as far as it goes.",
  requirements = { "P30-303" }, suite = "movement", chapter = "4.1",
  run = function(t)
    local rank = loopback(t)
    rank:fill("buf", "mix/7")
    rank:eq("own-eq")
    rank:bind { region = "in", octets = 40, md = "in-md", eventq = "own-eq" }
    rank:attach { options = GET .. "|" .. REMOTE .. "|" .. TRUNCATE }
    rank:attach { index = 1, me = "me1", md = "md1", options = GET .. "|" .. TRUNCATE }
    for portal, offset, found in each { { 0, 80, 80 }, { 0, 30, 30 }, { 1, 0, 0 }, { 1, 0, 40 }, { 1, 0, 80 } } do
      local octets = math.min(40, 100 - found)
      rank:fill("in", "byte/0")
      rank:get { mem_desc = "in-md", target = rank, portal = portal, offset = offset }
      t:event("P30-303", rank, "own-eq", { type = "PTL_EVENT_REPLY", mlength = octets })
      t:same_octets("P30-303", "the reply to the get at " .. found, rank:read("in", 0, octets),
        t.mix(7, octets, found))
    end
  end,
}

case {
  id = "event-reply-to-a-listed-inactive-one",
  title = "A descriptor in a list takes the reply to its get, also when it is inactive",
  purpose = "A descriptor in a list, with a threshold of zero, gets 40 octets. No put can reach it, and the reply does.",
  requirements = { "P30-314" }, suite = "events", chapter = "4.2",
  run = function(t)
    local rank = loopback(t)
    rank:attach { index = 1, me = "from-me", md = "from", region = "source", options = GET .. "|" .. REMOTE }
    rank:attach { threshold = 0, length = 40, options = PUT, eventq = "eq" }
    refuses(t, "P30-314", rank)
    local result = rank:PtlGet { target = rank, portal = 1 }
    t:skip_if(result.rc == "PTL_INV_MD", "by a known reading an inactive descriptor is not the source of a get")
    t:rc("P30-314", result, "PTL_OK")
    local event = rank:wait("eq").event
    t:reading("P30-314", "reply_to_inactive", "the event of the reply to an inactive descriptor",
      event and event.type or "none", { { "accept", "PTL_EVENT_REPLY" }, { "drop", "none" } })
  end,
}

case {
  id = "move-get-of-nothing-from-nobody",
  title = "A get that is discarded is not answered, also when it asks for no octets",
  purpose = "Gets of no and of 40 octets go to a portal without entries. They are counted, and when a later get has its reply there is none of theirs.",
  requirements = { "P30-329" }, suite = "movement", chapter = "4.2",
  run = function(t)
    local rank = loopback(t)
    rank:eq("own-eq")
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md", eventq = "own-eq" }
    rank:bind { region = "in", octets = 40, md = "in-md", eventq = "own-eq" }
    rank:attach { start = "null", length = 0, options = GET .. "|" .. REMOTE .. "|" .. TRUNCATE }
    for _, md in ipairs { "void-md", "in-md" } do
      local before = rank:drop_count()
      rank:get { mem_desc = md, target = rank, portal = 2, match_bits = 0 }
      t:drops("P30-329", rank, before, 1)
    end
    rank:get { mem_desc = "void-md", target = rank, portal = 0 }
    t:event("P30-329", rank, "own-eq", { type = "PTL_EVENT_REPLY", portal = 0 })
    t:equal("P30-329", "replies beside that of the later get", rank:count_events("own-eq"), 0)
  end,
}

case {
  id = "md-update-narrows-the-threshold",
  title = "A threshold that an update lowers is the one that holds",
  purpose = "A descriptor for five puts takes one and is given a threshold of one, and of two: it takes so many and drops what follows.",
  requirements = { "P30-203" },
  run = function(t)
    local rank = loopback(t)
    for _, threshold in ipairs { 1, 2 } do
      rank:attach { threshold = 5, options = PUT .. "|" .. REMOTE, eventq = "eq" }
      put(rank)
      t:event("P30-203", rank, "eq", { type = "PTL_EVENT_PUT" })
      rank:md { name = "fewer", threshold = threshold, options = PUT .. "|" .. REMOTE, eventq = "eq" }
      rank:md_update { new = "fewer" }
      for _ = 1, threshold do
        put(rank)
        t:event("P30-203", rank, "eq", { type = "PTL_EVENT_PUT" })
      end
      refuses(t, "P30-203", rank)
    end
  end,
}

case {
  id = "match-unlink-the-last-of-four",
  title = "Unlinking the last entry of a list leaves all others where they were",
  purpose = "Of four entries the last is unlinked. Three puts, each of which uses up an entry, go to the first, the second and the third, and a fourth is dropped.",
  requirements = { "P30-129" }, suite = "match-entries", chapter = "3.6",
  run = function(t)
    local rank = loopback(t)
    rank:me_attach { handle = "me1" }
    for mark = 2, 4 do rank:me_insert { current = "me" .. mark - 1, handle = "me" .. mark } end
    for mark = 1, 4 do
      rank:add_md { me = "me" .. mark, md = "md" .. mark, options = PUT, threshold = 1, eventq = "eq",
        user_ptr = mark }
    end
    t:rc("P30-129", rank:PtlMEUnlink { entry = "me4" }, "PTL_OK")
    for mark = 1, 3 do
      put(rank)
      t:equal("P30-129", "the entry that takes the put",
        t:event("P30-129", rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, mark)
    end
    refuses(t, "P30-129", rank)
  end,
}

case {
  id = "md-user-pointer-of-a-bound-one",
  title = "The user's value of a bound descriptor is in its events as it was given",
  purpose = "A bound descriptor with all bits of the value set puts with an acknowledgement and gets. PTL_EVENT_SENT, PTL_EVENT_ACK and PTL_EVENT_REPLY show the value, and so does PtlMDUpdate.",
  requirements = { "P30-173" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { length = 40, options = PUT .. "|" .. GET .. "|" .. REMOTE }
    rank:bind { region = "source", md = "bound", user_ptr = -1, eventq = "eq" }
    put(rank, { mem_desc = "bound", ack_req = "PTL_ACK_REQ" })
    local events = rank:collect("eq", 2)
    rank:get { mem_desc = "bound", target = rank }
    events[3] = rank:wait("eq").event
    t:equal("P30-173", "the events of a put and a get", t.types(events),
      { "PTL_EVENT_ACK", "PTL_EVENT_REPLY", "PTL_EVENT_SENT" })
    for _, event in ipairs(events) do
      t:equal("P30-173", "the user's value in " .. event.type, event.mem_desc.user_ptr, -1)
    end
    t:equal("P30-173", "the user's value that PtlMDUpdate tells", Descriptor.current(t, rank, "bound").user_ptr, -1)
  end,
}
