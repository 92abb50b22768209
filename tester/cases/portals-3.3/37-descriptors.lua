-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.7: events that are not wanted, least sizes, the unlinking of bound descriptors, updates. And what 3.3 has
-- in addition of names: jobs, handles, failures.

defaults { suite = "memory-descriptors", chapter = "3.7.1", ranks = 2 }

local SERVES <const> = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE"
local NO_START <const>, NO_END <const> = "PTL_MD_EVENT_START_DISABLE", "PTL_MD_EVENT_END_DISABLE"
-- The bit in which the id of another one differs: with the lowest one "nobody", -2, would give the wildcard.
local OTHER <const> = 256

local function pair(t, options, own)
  local from, to = t:open {}
  from:eq("eq", 64)
  to:eq("eq", 64)
  from:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md", options = own, eventq = "eq" }
  to:attach { octets = 64, options = SERVES .. "|" .. options, eventq = "eq" }
  return from, to
end

-- All events in the queues of both once a put and a get are done, without what a get may log of sending.
local function all_types(t, from, to)
  from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to }
  t:flush(from, to)
  from:bind { region = "in", octets = 8, desc = "in-desc", md = "in-md", options = from.own, eventq = "eq" }
  from:get { mem_desc = "in-md", target = to }
  t:flush(from, to)
  local types = {}
  for _, rank in ipairs { from, to } do
    for _, event in ipairs(rank:collect("eq", 64, 300)) do types[#types + 1] = event.type end
  end
  table.sort(types)
  return types
end

local SILENT = {
  { "starts", NO_START, "_START$", "P33-373", { "PTL_EVENT_PUT_END", "PTL_EVENT_SEND_END", "PTL_EVENT_ACK",
    "PTL_EVENT_GET_END", "PTL_EVENT_REPLY_END" } },
  { "ends", NO_END, "_END$", "P33-374", { "PTL_EVENT_PUT_START", "PTL_EVENT_SEND_START", "PTL_EVENT_GET_START",
    "PTL_EVENT_REPLY_START" } },
}
for name, option, pattern, requirement, wanted in each(SILENT) do
  case {
    id = "events-without-" .. name,
    title = "A descriptor logs no events of the kind that its options take away, and all others",
    purpose = "A put with an acknowledgement and a get between two descriptors with the option; all events of both sides.",
    requirements = { requirement },
    run = function(t)
      local from, to = pair(t, option, option)
      from.own = option
      local seen = {}
      for _, kind in ipairs(all_types(t, from, to)) do
        t:check(requirement, kind .. " is not among the events", not kind:find(pattern), "none of the kind", kind)
        seen[kind] = true
      end
      for _, kind in ipairs(wanted) do
        t:check(requirement, kind .. " is among the events", seen[kind], kind, "it is not")
      end
    end,
  }
end

for name, option, pattern, requirement in each(SILENT) do
  case {
    id = "unlinking-told-without-" .. name,
    title = "A descriptor that goes says so, though it logs no events of a kind",
    purpose = "Descriptors with PTL_UNLINK and the option go by a put that arrives, by a get that is served, by a put that is sent and by a reply: among the events of each is that of its unlinking, and none of the kind.",
    requirements = { requirement }, ranks = 1,
    run = function(t)
      local rank = t:open {}
      rank:attach { octets = 64, options = SERVES }
      rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
      local function once(call, values, own)
        local eq = "eq-" .. call .. (own and "-own" or "")
        rank:eq(eq)
        local given = { me = "once-me", md = "once-md", desc = "once", region = "of-" .. eq, octets = 8, threshold = 1,
          md_unlink = "PTL_UNLINK", options = own and option or SERVES .. "|" .. option, eventq = eq, index = 1 }
        rank[own and "bind" or "attach"](rank, given)
        values.target = rank
        rank[call](rank, values)
        local event
        repeat
          event = rank:wait(eq).event
          t:check(requirement, "PTL_EVENT_UNLINK comes to " .. eq, event ~= nil, "PTL_EVENT_UNLINK", "no event")
          t:check(requirement, event.type .. " is not logged", not event.type:find(pattern), "none of the kind",
            event.type)
        until event.type == "PTL_EVENT_UNLINK"
      end
      once("put", { mem_desc = "out-md", portal = 1 })
      once("get", { mem_desc = "out-md", portal = 1 })
      once("put", { mem_desc = "once-md" }, true)
      once("get", { mem_desc = "once-md" }, true)
    end,
  }
end

case {
  id = "ack-of-the-silent",
  title = "A descriptor that logs nothing acknowledges all the same",
  purpose = "Puts with an acknowledgement to a descriptor with both options: of 8 octets, of none, and of 8 that are cut to 3 and to none.",
  requirements = { "P33-375" },
  run = function(t)
    local from, to = pair(t, NO_START .. "|" .. NO_END .. "|PTL_MD_TRUNCATE", NO_START)
    from:bind { desc = "void", start = "null", length = 0, md = "void-md", options = NO_START, eventq = "eq" }
    for md, offset, moved in each { { "out-md", 0, 8 }, { "void-md", 0, 0 }, { "out-md", 61, 3 },
      { "out-md", 64, 0 } } do
      to:fill("buf", "byte/0")
      from:put { mem_desc = md, ack_req = "PTL_ACK_REQ", target = to, offset = offset }
      local events, told = from:collect("eq", 2), {}
      for _, event in ipairs(events) do told[event.type] = event.mlength end
      t:equal("P33-375", "the events at the initiator", Test.types(events), { "PTL_EVENT_ACK", "PTL_EVENT_SEND_END" })
      t:equal("P33-375", "octets that the acknowledgement tells of", told.PTL_EVENT_ACK, moved)
      if moved > 0 then t:octets("P33-375", "what was put", to, "buf", "mix/1", offset, moved) end
      t:no_event("P33-375", to, "eq", 0)
    end
  end,
}

local ROOM = { { "that-is-enough", 24, 8, 8, 3 }, { "for-parts", 20, 8, 4, 4 }, { "for-one", 15, 8, 8, 1 },
  { "of-one-octet", 17, 2, 8, 2 } }
for name, octets, least, length, fitting in each(ROOM) do
  case {
    id = "max-size-room-" .. name,
    title = "A descriptor is inactive as soon as less than its least size is left, and not before",
    purpose = octets .. " octets, a least size of " .. least .. ", messages of " .. length .. ": " .. fitting
      .. " of them arrive, and then one of a single octet goes to the entry behind it.",
    requirements = { "P33-347", "P33-179" }, ranks = 1,
    run = function(t)
      local rank = t:open {}
      rank:eq("eq", 64)
      rank:eq("next", 16)
      rank:bind { region = "out", octets = length, fill = "mix/1", md = "out-md" }
      rank:bind { region = "short", octets = 1, desc = "short-desc", md = "short-md" }
      rank:attach { octets = octets, max_size = least, options = "PTL_MD_OP_PUT|PTL_MD_MAX_SIZE|" .. NO_START,
        md_unlink = "PTL_UNLINK", eventq = "eq" }
      rank:attach { me = "me2", md = "md2", desc = "desc2", region = "buf2", octets = 8, eventq = "next",
        options = "PTL_MD_OP_PUT|" .. NO_START }
      for i = 1, fitting do
        rank:put { mem_desc = "out-md", target = rank }
        t:event("P33-347", rank, "eq", { type = "PTL_EVENT_PUT_END", offset = (i - 1) * length })
        if i < fitting then t:no_event("P33-179", rank, "eq", 0) end
      end
      t:event("P33-179", rank, "eq", { type = "PTL_EVENT_UNLINK" })
      rank:put { mem_desc = "short-md", target = rank }
      t:event("P33-347", rank, "next", { type = "PTL_EVENT_PUT_END", mlength = 1 })
    end,
  }
end

case {
  id = "unlinked-last-of-all",
  title = "The unlinking of a descriptor that is used up is logged behind its last operation, with what it was",
  purpose = "Descriptors with a threshold of 1, one with PTL_UNLINK, one with PTL_RETAIN, and a put to each; the events of both in their order, and the copy in that of the unlinking.",
  chapter = "3.7.2", requirements = { "P33-179", "P33-354", "P33-235" }, ranks = 1,
  run = function(t)
    local rank = t:open {}
    rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
    for i, unlink in ipairs { "PTL_UNLINK", "PTL_RETAIN" } do
      rank:eq("eq" .. i)
      rank:attach { index = i, me = "me" .. i, md = "md" .. i, desc = "desc" .. i, region = "buf" .. i, octets = 20,
        options = "PTL_MD_OP_PUT", threshold = 1, md_unlink = unlink, eventq = "eq" .. i, user_ptr = 0x7654 + i }
    end
    for i = 1, 2 do rank:put { mem_desc = "out-md", target = rank, portal = i } end
    local last
    for _, kind in ipairs { "PTL_EVENT_PUT_START", "PTL_EVENT_PUT_END", "PTL_EVENT_UNLINK" } do
      last = rank:wait("eq1").event
      t:equal("P33-354", "the next event of the one that goes", last and last.type, kind)
    end
    t:equal("P33-235", "the user pointer, the length and the options in PTL_EVENT_UNLINK",
      { last.mem_desc.user_ptr, last.mem_desc.length, last.mem_desc.options }, { 0x7655, 20, "PTL_MD_OP_PUT" })
    t:equal("P33-179", "the events of the one that stays", Test.types(rank:collect("eq2", 2)),
      { "PTL_EVENT_PUT_END", "PTL_EVENT_PUT_START" })
    t:rc("P33-179", rank:PtlMDUnlink { mem_desc = "md1" }, "PTL_INV_MD")
    t:rc("P33-179", rank:PtlMDUnlink { mem_desc = "md2" }, "PTL_OK")
  end,
}

case {
  id = "max-size-by-update",
  title = "A least size that was updated holds from then on, and one that no region has is never left",
  purpose = "A descriptor of 32 octets and a least size of 4 gets one of 16 and takes a message of 20: one of a single octet is dropped. So is one to a descriptor of 4 octets, if it may have a least size of 8.",
  chapter = "3.7.6", requirements = { "P33-203", "P33-347" }, ranks = 1,
  run = function(t)
    local rank = t:open {}
    local options = "PTL_MD_OP_PUT|PTL_MD_MAX_SIZE|" .. NO_START
    rank:eq("eq", 64)
    rank:bind { region = "out", octets = 20, fill = "mix/1", md = "out-md" }
    rank:bind { region = "short", octets = 1, desc = "short-desc", md = "short-md" }
    local function refuses(req, portal)
      local before = rank:drop_count()
      rank:put { mem_desc = "short-md", target = rank, portal = portal }
      t:drops(req, rank, before, 1)
    end
    rank:attach { octets = 32, max_size = 4, options = options, eventq = "eq" }
    rank:md { name = "larger", region = "buf", max_size = 16, options = options, eventq = "eq" }
    t:rc("P33-203", rank:PtlMDUpdate { new = "larger" }, "PTL_OK")
    rank:put { mem_desc = "out-md", target = rank }
    t:event("P33-203", rank, "eq", { type = "PTL_EVENT_PUT_END", offset = 0 })
    refuses("P33-203", 0)
    t:judging("P33-347")
    rank:region("small", 4)
    rank:me_attach { index = 1, handle = "me1" }
    rank:md { name = "tight", region = "small", max_size = 8, options = options, eventq = "eq" }
    if rank:PtlMDAttach { match = "me1", mem_desc = "tight", handle = "md1" }.rc == "PTL_OK" then
      refuses("P33-347", 1)
    else
      t:check("P33-347", "the descriptor is refused", true)
    end
  end,
}

case {
  id = "max-size-to-the-last",
  title = "A descriptor that stays serves as long as its least size is left",
  purpose = "Room for two messages of the least size: both arrive, and what comes then, a single octet, is dropped.",
  requirements = { "P33-347" }, ranks = 1,
  run = function(t)
    local rank = t:open {}
    rank:eq("eq", 64)
    rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
    rank:bind { region = "short", octets = 1, desc = "short-desc", md = "short-md" }
    rank:attach { octets = 16, max_size = 8, options = "PTL_MD_OP_PUT|PTL_MD_MAX_SIZE|" .. NO_START, eventq = "eq" }
    for i = 0, 1 do
      rank:put { mem_desc = "out-md", target = rank }
      t:event("P33-347", rank, "eq", { type = "PTL_EVENT_PUT_END", offset = 8 * i })
    end
    local before = rank:drop_count()
    rank:put { mem_desc = "short-md", target = rank }
    t:drops("P33-347", rank, before, 1)
  end,
}

for name, unlink in each { { "retained", "PTL_RETAIN" }, { "unlinked", "PTL_UNLINK" } } do
  case {
    id = "max-size-" .. name,
    title = "A descriptor with less room left than its least size is inactive, and goes if it was made so",
    purpose = "Room for two and a half messages and a least size of one: the third message is dropped.",
    requirements = { "P33-347", "P33-179", "P33-354" }, ranks = 1,
    run = function(t)
      local rank = t:open {}
      rank:eq("eq", 64)
      rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
      rank:bind { region = "short", octets = 2, desc = "short-desc", md = "short-md" }
      rank:attach { octets = 20, max_size = 8, options = "PTL_MD_OP_PUT|PTL_MD_MAX_SIZE|" .. NO_START,
        md_unlink = unlink, eventq = "eq" }
      t:judging("P33-347")
      for _ = 1, 2 do
        rank:put { mem_desc = "out-md", target = rank }
        t:event("P33-347", rank, "eq", { type = "PTL_EVENT_PUT_END" })
      end
      local before = rank:drop_count()
      rank:put { mem_desc = "short-md", target = rank }
      t:drops("P33-347", rank, before, 1)
      if unlink == "PTL_UNLINK" then
        t:event("P33-354", rank, "eq", { type = "PTL_EVENT_UNLINK" })
      else
        t:no_event("P33-354", rank, "eq", 0)
      end
      t:rc("P33-179", rank:PtlMDUnlink {}, unlink == "PTL_UNLINK" and "PTL_INV_MD" or "PTL_OK")
    end,
  }

  case {
    id = "bound-" .. name,
    title = "A bound descriptor goes with its threshold if it was made so",
    purpose = "A put from a bound descriptor without options and with a threshold of 1; that it goes is told.",
    chapter = "3.7.4", requirements = { "P33-196", "P33-345", "P33-354" }, ranks = 1,
    run = function(t)
      local rank = t:open {}
      rank:eq()
      rank:attach { octets = 8 }
      rank:region("out", 8)
      rank:md { region = "out", threshold = 1, options = 0, eventq = "eq" }
      t:rc("P33-345", rank:PtlMDBind { unlink = unlink, handle = "out-md" }, "PTL_OK")
      rank:put { mem_desc = "out-md", target = rank }
      local wanted = unlink == "PTL_UNLINK" and "PTL_EVENT_UNLINK" or "PTL_EVENT_SEND_END"
      local event
      repeat event = rank:wait("eq").event until not event or event.type == wanted
      t:check(unlink == "PTL_UNLINK" and "P33-354" or "P33-196", wanted .. " comes", event ~= nil, wanted, "no event")
      t:rc("P33-196", rank:PtlMDUnlink { mem_desc = "out-md" }, unlink == "PTL_UNLINK" and "PTL_INV_MD" or "PTL_OK")
      t:no_event("P33-354", rank, "eq", 0)
    end,
  }
end

case {
  id = "bound-and-updated",
  title = "A bound descriptor that is updated keeps the unlink operation with which it was bound",
  purpose = "Descriptors with PTL_UNLINK and PTL_RETAIN are updated to a threshold of 1 and used up by a put; one is gone.",
  chapter = "3.7.4", requirements = { "P33-196" }, ranks = 1,
  run = function(t)
    local rank = t:open {}
    rank:eq()
    rank:attach { octets = 8, options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE" }
    rank:region("new-buf", 8)
    rank:md { name = "last", region = "new-buf", threshold = 1, options = 0, eventq = "eq" }
    for md, unlink in each { { "stays", "PTL_RETAIN" }, { "goes", "PTL_UNLINK" } } do
      rank:bind { region = md .. "-buf", octets = 8, desc = md .. "-desc", md = md, md_unlink = unlink, eventq = "eq" }
      t:rc("P33-196", rank:PtlMDUpdate { mem_desc = md, new = "last" }, "PTL_OK")
      t:rc("P33-196", rank:PtlPut { mem_desc = md, target = rank }, "PTL_OK")
      local wanted = unlink == "PTL_UNLINK" and "PTL_EVENT_UNLINK" or "PTL_EVENT_SEND_END"
      local event
      repeat event = rank:wait("eq").event until not event or event.type == wanted
      t:check("P33-196", wanted .. " comes", event ~= nil, wanted, "no event")
      t:rc("P33-196", rank:PtlMDUnlink { mem_desc = md }, unlink == "PTL_UNLINK" and "PTL_INV_MD" or "PTL_OK")
    end
  end,
}

case {
  id = "update-starts-anew",
  title = "An update sets the local offset to zero, and is refused while events wait",
  purpose = "A put, a refused update, then one that is performed, one without a queue and one with another queue; the offsets of the puts behind them.",
  chapter = "3.7.6", requirements = { "P33-208", "P33-209" }, ranks = 1,
  run = function(t)
    local rank = t:open {}
    rank:eq("eq", 64)
    rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
    rank:attach { octets = 64, options = "PTL_MD_OP_PUT|" .. NO_START, eventq = "eq" }
    local function put(offset, requirement)
      rank:put { mem_desc = "out-md", target = rank }
      t:event(requirement, rank, "eq", { type = "PTL_EVENT_PUT_END", offset = offset })
    end
    put(0, "P33-209")
    rank:put { mem_desc = "out-md", target = rank }
    t:flush(rank, rank)
    t:rc("P33-208", rank:PtlMDUpdate { new = "desc", testq = "eq" }, "PTL_NOUPDATE")
    t:event("P33-208", rank, "eq", { type = "PTL_EVENT_PUT_END", offset = 8 })
    put(16, "P33-208")
    t:rc("P33-209", rank:PtlMDUpdate { new = "desc", testq = "eq" }, "PTL_OK")
    put(0, "P33-209")
    put(8, "P33-209")
    t:rc("P33-209", rank:PtlMDUpdate { new = "desc" }, "PTL_OK")
    put(0, "P33-209")
    rank:eq("quiet-eq", 8)
    t:rc("P33-209", rank:PtlMDUpdate { new = "desc", testq = "quiet-eq" }, "PTL_OK")
    put(0, "P33-209")
  end,
}

case {
  id = "update-refused-changes-nothing",
  title = "An update that is refused while events wait changes no member of the descriptor",
  purpose = "A descriptor is updated to another start, length, threshold, size, options, user pointer and queue while an event waits. It shows what it showed before, and serves as before.",
  chapter = "3.7.6", requirements = { "P33-208" }, ranks = 1,
  run = function(t)
    local rank = t:open {}
    rank:eq("eq", 64)
    rank:eq("other-eq", 8)
    rank:region("new-buf", 60)
    rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
    rank:attach { octets = 64, options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE|" .. NO_START, threshold = 7,
      eventq = "eq", user_ptr = 11, max_size = 5 }
    rank:md { name = "new", region = "new-buf", options = "PTL_MD_OP_PUT|PTL_MD_OP_GET", threshold = 3,
      eventq = "other-eq", user_ptr = 22, max_size = 9 }
    rank:put { mem_desc = "out-md", target = rank }
    t:flush(rank, rank)
    local before = Descriptor.current(t, rank)
    t:rc("P33-208", rank:PtlMDUpdate { new = "new", testq = "eq" }, "PTL_NOUPDATE")
    local now = Descriptor.current(t, rank)
    for _, member in ipairs { "start", "length", "threshold", "options", "user_ptr", "eventq", "max_size" } do
      t:equal("P33-208", member .. " behind the refused update", now[member], before[member])
    end
    t:event("P33-208", rank, "eq", { type = "PTL_EVENT_PUT_END", offset = 0 })
    rank:put { mem_desc = "out-md", target = rank, offset = 50 }
    local event = t:event("P33-208", rank, "eq", { type = "PTL_EVENT_PUT_END", offset = 50 })
    t:equal("P33-208", "the user pointer in its event", event.mem_desc.user_ptr, 11)
    t:octets("P33-208", "what it took", rank, "buf", "mix/1", 50, 8)
    t:octets("P33-208", "the region that it did not get", rank, "new-buf", "byte/0")
  end,
}

case {
  id = "handles-are-equal",
  title = "PtlHandleIsEqual knows one object by its handles",
  purpose = "Handles with themselves and with those of other objects; where there is a second interface, with those of its objects, made in the same order.",
  suite = "types", chapter = "3.2.2", requirements = { "P33-376" }, ranks = 1,
  run = function(t)
    local rank = t:open {}
    rank:attach { octets = 8 }
    rank:eq()
    rank:eq("eq2")
    for _, name in ipairs { "ni", "me", "md", "eq" } do
      for _, other in ipairs { "ni", "me", "md", "eq", "eq2" } do
        t:equal("P33-376", name .. " and " .. other .. " are equal", rank:PtlHandleIsEqual { a = name, b = other }.same,
          name == other)
      end
    end
    if rank:PtlNIInit { interface = 1, handle = "ni1" }.rc ~= "PTL_OK" then return end
    rank:attach { interface = "ni1", me = "me-of-1", md = "md-of-1", region = "buf-of-1", octets = 8 }
    rank:eq_alloc { interface = "ni1", handle = "eq-of-1" }
    for one, other in each { { "ni", "ni1" }, { "me", "me-of-1" }, { "md", "md-of-1" }, { "eq", "eq-of-1" } } do
      t:equal("P33-376", one .. " and " .. other .. " are equal", rank:PtlHandleIsEqual { a = one, b = other }.same,
        false)
    end
  end,
}

case {
  id = "text-of-a-failure",
  title = "PtlNIFailStr has a text for PTL_NI_OK",
  purpose = "It is called with an interface and PTL_NI_OK.",
  suite = "interfaces", chapter = "3.5", requirements = { "P33-377" }, ranks = 1,
  run = function(t)
    local length = t:open {}:PtlNIFailStr().length
    t:check("P33-377", "a text comes back", length > 0, "a text", length < 0 and "NULL" or "an empty text")
  end,
}

case {
  id = "ids-of-one-job",
  title = "All processes of a job have the same job id",
  purpose = "PtlGetJid in each of four processes, twice.",
  suite = "ids", chapter = "3.4", requirements = { "P33-378" }, ranks = 4,
  run = function(t)
    t:open {}
    local jid = t:rc("P33-378", t.ranks[0]:PtlGetJid(), "PTL_OK").jid
    for i = 0, 7 do
      t:equal("P33-378", "job id of rank " .. i % 4, t:rc("P33-378", t.ranks[i % 4]:PtlGetJid(), "PTL_OK").jid, jid)
    end
  end,
}

case {
  id = "ids-of-jobs",
  title = "Processes of a job have one job id, and events and access control know it",
  purpose = "PtlGetJid in two processes; the events of a put and a get by an entry with that id, at both sides, and a put by one with another.",
  suite = "ids", chapter = "3.4", requirements = { "P33-378", "P33-379", "P33-357" },
  run = function(t)
    local from, to = pair(t, NO_START)
    local jid = t:rc("P33-378", from:PtlGetJid(), "PTL_OK").jid
    t:equal("P33-378", "job id of the other process", t:rc("P33-378", to:PtlGetJid(), "PTL_OK").jid, jid)
    t:flush(from, to)
    from:get { mem_desc = "out-md", target = to }
    local told = { to:wait("eq").event or {}, from:wait("eq").event or {} }
    local agreed = told[1].jid == told[2].jid and told[1].jid or jid
    t:check("P33-378", "the job that the events of both sides tell", agreed == jid,
      "PtlGetJid's " .. jid, told[1].jid)
    from:drain("eq")
    to:drain("eq")
    for _, admitted in ipairs { jid, "any" } do
      t:rc("P33-357", to:PtlACEntry { index = 2, jid = admitted }, "PTL_OK")
      from:put { mem_desc = "out-md", target = to, cookie = 2 }
      t:event("P33-379", to, "eq", { type = "PTL_EVENT_PUT_END", jid = jid })
    end
    t:flush(from, to)
    from:get { mem_desc = "out-md", target = to, cookie = 2 }
    t:event("P33-379", to, "eq", { type = "PTL_EVENT_GET_END", jid = jid })
    repeat
      local event = from:wait("eq").event
      t:check("P33-379", "the events of the get come", event ~= nil, "PTL_EVENT_REPLY_END", "none")
      t:equal("P33-379", "the job in " .. event.type, event.jid, jid)
    until event.type == "PTL_EVENT_REPLY_END"
    t:rc("P33-357", to:PtlACEntry { index = 2, jid = jid ~ OTHER }, "PTL_OK")
    local before = to:drop_count()
    from:put { mem_desc = "out-md", target = to, cookie = 2 }
    t:drops("P33-357", to, before, 1)
  end,
}

case {
  id = "access-by-each-member",
  title = "An access control entry admits whom all of its members fit",
  purpose = "Entries with the initiator's ids or wildcards admit a put; those that differ from a good one in the user, the job, the node, the process or the portal refuse it, a get and an exchange, also where another member is a wildcard.",
  suite = "access-control", chapter = "3.9.1", requirements = { "P33-028", "P33-357" },
  run = function(t)
    local from, to = pair(t, NO_START)
    for name in each { { "new" }, { "old" } } do
      from:bind { region = name, octets = 8, desc = name .. "-desc", md = name .. "-md" }
    end
    local uid, jid = t:setup(from:PtlGetUid()).uid, t:setup(from:PtlGetJid()).jid
    local nid, pid = from.id.nid, from.id.pid
    local function entry(values)
      local good = { index = 2, uid = uid, jid = jid, matchid = { kind = "nid", nid = nid, pid = pid }, portal = 0 }
      for member, value in pairs(values) do good[member] = value end
      -- Where the library refuses to name nobody, the other rank is there.
      local result = to:PtlACEntry(good)
      if result.nobody then
        good.matchid = t.nid(to.id)
        result = to:PtlACEntry(good)
      end
      t:rc("P33-357", result, "PTL_OK")
    end
    for _, values in ipairs { {}, { uid = "any" }, { jid = "any" }, { uid = "any", jid = "any", portal = "any" },
      { matchid = { kind = "nid", nid = "any", pid = pid } },
      { matchid = { kind = "nid", nid = nid, pid = "any" } } } do
      entry(values)
      from:put { mem_desc = "out-md", target = to, cookie = 2 }
      t:event("P33-357", to, "eq", { type = "PTL_EVENT_PUT_END" })
    end
    for req, values in each { { "P33-357", { uid = uid ~ OTHER } }, { "P33-357", { jid = jid ~ OTHER } },
      { "P33-357", { uid = "any", jid = jid ~ OTHER } }, { "P33-357", { uid = uid ~ OTHER, jid = "any" } },
      { "P33-028", { matchid = { kind = "nid", nid = nid ~ 1, pid = pid } } },
      { "P33-028", { matchid = { kind = "nid", nid = nid, pid = pid ~ 1 } } }, { "P33-028", { portal = 1 } } } do
      entry(values)
      local before = to:drop_count()
      for _, verb in ipairs { "put", "get" } do from[verb](from, { mem_desc = "out-md", target = to, cookie = 2 }) end
      t:setup(from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to, cookie = 2 })
      t:drops(req, to, before, 3)
    end
  end,
}

case {
  id = "list-is-used-as-a-queue",
  title = "A list has room for another entry as soon as one has gone from its front",
  purpose = "Lists of four are asked for. One is filled, and then more often than it has entries the first entry is unlinked and another one put behind the last. It is never refused; one more always is.",
  suite = "limits", chapter = "3.6.2", requirements = { "P33-126" }, ranks = 1,
  run = function(t)
    local rank = t.ranks[0]
    rank:PtlInit()
    local granted = t:setup(rank:PtlNIInit { ptl_size = 8, acl_size = 2, entries = 40, list = 4, actual = "out" })
      .actual
    local most = granted.list
    t:skip_if(most > 64 or granted.entries <= most, "the limits are not such that a list is full")
    rank:me_attach { handle = "me1" }
    for i = 2, most do t:setup(rank:PtlMEInsert { current = "me" .. i - 1, handle = "me" .. i }) end
    for i = 1, 2 * most do
      local last <const> = { current = "me" .. most + i - 1, handle = "me" .. most + i }
      t:rc("P33-126", rank:PtlMEInsert(last), "PTL_ML_TOOLONG")
      t:setup(rank:PtlMEUnlink { entry = "me" .. i })
      t:rc("P33-126", rank:PtlMEInsert(last), "PTL_OK")
    end
  end,
}

case {
  id = "refused-entries-take-no-place",
  title = "A PtlMEInsert that a full list refuses takes no place of another entry",
  purpose = "Twelve entries are asked for, and lists of four. One list is filled, and PtlMEInsert into it is refused more often than there are entries; then lists at other portals can be filled, up to as many entries as there are.",
  suite = "limits", chapter = "3.6.2", requirements = { "P33-126", "P33-338" }, ranks = 1,
  run = function(t)
    local rank = t.ranks[0]
    rank:PtlInit()
    local granted = t:setup(rank:PtlNIInit { ptl_size = 8, acl_size = 2, entries = 12, list = 4, actual = "out" })
      .actual
    local most, list = granted.entries, granted.list
    t:skip_if(most > 512 or list >= most, "the limits are not such that a list is full before there is no entry left")
    rank:me_attach { handle = "me1" }
    for i = 2, list do t:setup(rank:PtlMEInsert { current = "me1", handle = "me" .. i }) end
    for _ = 1, most + 1 do
      t:rc("P33-126", rank:PtlMEInsert { current = "me1", handle = "refused" }, "PTL_ML_TOOLONG")
    end
    local portals <const> = granted.ptl_size - 1
    for i = list + 1, math.min(most, list * (portals + 1)) do
      t:rc("P33-338", rank:PtlMEAttach { index = 1 + i % portals, handle = "me" .. i }, "PTL_OK")
    end
  end,
}

case {
  id = "max-size-raised-at-the-end",
  title = "A least size that an update raises above what is there makes the descriptor inactive",
  purpose = "A descriptor of 16 octets with a least size of 4 takes a message. With a least size of 17 it takes none, and with one of 16 it takes one again.",
  chapter = "3.7.6", requirements = { "P33-347" }, ranks = 1,
  run = function(t)
    local rank = t:open {}
    local options = "PTL_MD_OP_PUT|PTL_MD_MAX_SIZE|" .. NO_START
    rank:eq("eq", 64)
    rank:bind { region = "short", octets = 1, desc = "short-desc", md = "short-md" }
    rank:attach { octets = 16, max_size = 4, options = options, eventq = "eq" }
    local function update(least)
      rank:md { name = "next", region = "buf", max_size = least, options = options, eventq = "eq" }
      return rank:PtlMDUpdate { new = "next" }.rc == "PTL_OK"
    end
    local function takes()
      rank:put { mem_desc = "short-md", target = rank }
      t:event("P33-347", rank, "eq", { type = "PTL_EVENT_PUT_END", mlength = 1 })
    end
    takes()
    if update(17) then -- a library may refuse what can never be left
      local before = rank:drop_count()
      rank:put { mem_desc = "short-md", target = rank }
      t:drops("P33-347", rank, before, 1)
    end
    t:sanity("the least size is updated to the length of the region", update(16))
    takes()
    local before = rank:drop_count()
    rank:put { mem_desc = "short-md", target = rank }
    t:drops("P33-347", rank, before, 1)
  end,
}
