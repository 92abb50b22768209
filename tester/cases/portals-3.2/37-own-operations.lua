-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.7: a descriptor in a list that its own process uses too, what is used up and starts nothing, what goes with
-- which operation; the copies that every kind of event shows; calls that are refused for the address of a handle.

defaults { suite = "memory-descriptors", chapter = "3.7.1", ranks = 1 }

local BOTH <const> = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE"
local SINK <const> = 3

-- A rank with a queue "eq" and a descriptor of 8 octets at portal 3 that serves all.
local function alone(t, added)
  local rank = t:open {}
  rank:eq("eq", 64)
  rank:attach { index = SINK, me = "sink-me", md = "sink-md", desc = "sink", region = "sink-buf", octets = 8,
    options = BOTH .. (added or "") }
  return rank
end

-- Waits for an event of this type on "eq" and judges that it comes.
local function event_of(t, req, rank, wanted)
  local event
  repeat event = rank:wait("eq").event until not event or event.type == wanted
  t:check(req, wanted .. " comes", event ~= nil, wanted, "no event")
  return event
end

-- By how much a get, of these values, lowers the threshold of the descriptor that it begins on: its reply counts, and
-- in Portals 3.2, where a get may be logged as sent, perhaps its beginning (P32-142).
local function count_of_get(t, req, rank, given)
  rank:bind { region = "probe", octets = 8, threshold = 9, md = "probe-md", desc = "probe-desc", eventq = "eq" }
  rank:get { mem_desc = "probe-md", target = given.target, portal = given.portal }
  event_of(t, req, rank, "PTL_EVENT_REPLY_END")
  local count = 9 - Descriptor.current(t, rank, "probe-md").threshold
  if count ~= 2 or Revision.name ~= "portals-3.2" then t:equal(req, "what a get takes of the threshold", count, 1) end
  return count
end

-- Octets of each operation, where it begins at the other end, and what that has room for there.
for name, octets, offset in each { { "whole", 8, 0 }, { "empty", 0, 0 }, { "cut-to-nothing", 8, 8 } } do
  for where in each { { "attached" }, { "bound" } } do
    case {
      id = "own-operations-" .. where .. "-" .. name,
      title = "What a process does with a descriptor counts, also in a list, and whatever is moved",
      purpose = "A descriptor that is " .. where .. " with a threshold for these: a put from it, a get into it and "
        .. "an acknowledged put, of " .. octets .. " octets at offset " .. offset .. " of 8; what is left after each. "
        .. "Where it stands in a list, a put arrives there too. Then no more begins.",
      requirements = { "P32-150", "P32-149", "P32-142", "P32-145" },
      run = function(t)
        local rank = alone(t, "|PTL_MD_TRUNCATE")
        local own = { target = rank, portal = SINK, offset = offset }
        local by_get = count_of_get(t, "P32-149", rank, own)
        local left = 4 + by_get
        rank:region("buf", 8)
        rank[where == "bound" and "bind" or "attach"](rank, { index = 1, region = "buf", length = octets, md = "md",
          threshold = left, options = BOTH, eventq = "eq" })
        local function counts(req, what, by)
          left = left - (by or 1)
          t:equal(req, "what is left of the threshold behind " .. what, Descriptor.current(t, rank).threshold, left)
        end
        t:rc("P32-150", rank:PtlPut(own), "PTL_OK")
        event_of(t, "P32-150", rank, "PTL_EVENT_SEND_END")
        counts("P32-150", "a put from it")
        t:rc("P32-149", rank:PtlGet(own), "PTL_OK")
        event_of(t, "P32-149", rank, "PTL_EVENT_REPLY_END")
        counts("P32-149", "a reply into it", by_get)
        if where == "attached" then
          rank:bind { region = "out", octets = 8, length = octets, md = "out-md", desc = "out-desc" }
          rank:put { mem_desc = "out-md", target = rank, portal = 1 }
          event_of(t, "P32-142", rank, "PTL_EVENT_PUT_END")
        else
          t:rc("P32-150", rank:PtlPut(own), "PTL_OK")
          event_of(t, "P32-150", rank, "PTL_EVENT_SEND_END")
        end
        counts("P32-142", "one more")
        own.ack_req = "PTL_ACK_REQ"
        t:rc("P32-150", rank:PtlPut(own), "PTL_OK")
        own.ack_req = nil
        t:sanity("the put is sent and acknowledged", #rank:collect("eq", 3) == 3)
        left = left - 1
        if where == "attached" then counts("P32-142", "an acknowledged put from it") end -- a bound one may have gone
        for _, verb in ipairs { "PtlPut", "PtlGet" } do t:rc("P32-145", rank[verb](rank, own), "PTL_INV_MD") end
      end,
    }
  end
end

for name, prepare in each {
  { "made-so", function(rank, make) make("md", 0) end },
  { "updated", function(rank, make)
    make("md", 2)
    rank:md { name = "none-left", threshold = 0, options = BOTH, eventq = "eq" }
    rank:md_update { new = "none-left" }
  end },
  { "used-up", function(rank, make)
    make("md", 1)
    rank:put { target = rank, portal = SINK }
  end } } do
  for where in each { { "bound" }, { "attached" } } do
    case {
      id = "inactive-" .. where .. "-begins-nothing-" .. name,
      title = "From a descriptor whose threshold is zero neither a put nor a get begins",
      purpose = "One that is " .. where .. " and whose threshold is zero (" .. name:gsub("-", " ")
        .. "): both calls are refused, and nothing comes of them.",
      requirements = { "P32-145" },
      run = function(t)
        local rank = alone(t)
        prepare(rank, function(md, threshold)
          local given = { md = md, index = 1, region = "buf", octets = 8, threshold = threshold, options = BOTH,
            eventq = "eq" }
          if where == "bound" then rank:bind(given) else rank:attach(given) end
        end)
        t:flush(rank, rank)
        rank:count_events("eq")
        for _, ack in ipairs { "PTL_NOACK_REQ", "PTL_ACK_REQ" } do
          t:rc("P32-145", rank:PtlPut { ack_req = ack, target = rank, portal = SINK }, "PTL_INV_MD")
        end
        t:rc("P32-145", rank:PtlGet { target = rank, portal = SINK }, "PTL_INV_MD")
        t:flush(rank, rank)
        t:no_event("P32-145", rank, "eq", 0)
      end,
    }
  end
end

for name, verb, ack, threshold, last in each {
  { "a-reply", "get", nil, 1, "PTL_EVENT_REPLY_END" },
  { "an-acknowledgement", "put", "PTL_ACK_REQ", 2, "PTL_EVENT_ACK" } } do
  case {
    id = "unlinked-by-" .. name,
    title = "A descriptor in a list that " .. name:gsub("-", " ") .. " has used up goes if it was made so",
    purpose = "Descriptors with PTL_UNLINK and with PTL_RETAIN and a threshold of " .. threshold
      .. "; a " .. verb .. " by each, then both handles.",
    chapter = "3.7.2", requirements = { "P32-179" }, still = { "P33-179" },
    run = function(t)
      local rank = alone(t)
      t:flush(rank, rank) -- what it needs of its own must not get the handle that becomes free below
      for i, unlink in ipairs { "PTL_UNLINK", "PTL_RETAIN" } do
        rank:attach { index = i, me = "me" .. i, md = "md" .. i, desc = "desc" .. i, region = "buf" .. i, octets = 8,
          threshold = threshold, md_unlink = unlink, eventq = "eq" }
        rank[verb](rank, { mem_desc = "md" .. i, ack_req = ack, target = rank, portal = SINK })
        event_of(t, "P32-179", rank, last)
      end
      t:flush(rank, rank)
      t:md_unlinked("P32-179", rank, "md1")
      t:rc("P32-179", rank:PtlMDUpdate { mem_desc = "md2", old = "was" }, "PTL_OK")
    end,
  }
end

case {
  id = "unlinked-beyond-max-offset-by-gets",
  title = "Gets that take the offset beyond max_offset unlink a descriptor as puts do",
  purpose = "A region for five messages, a maximum offset of 12 and PTL_UNLINK: after one get it is there, after two it is gone, and says so. The same for a get behind a put.",
  chapter = "3.7.2", requirements = { "P32-179" }, still = {},
  run = function(t)
    local rank = alone(t)
    rank:bind { region = "in", octets = 8, md = "in-md", desc = "in-desc" }
    t:flush(rank, rank)
    for portal, first in ipairs { "get", "put" } do
      local md = "md" .. portal
      rank:attach { index = portal, me = "me" .. portal, md = md, desc = "desc" .. portal, region = "buf" .. portal,
        octets = 40, max_offset = 12, md_unlink = "PTL_UNLINK", options = "PTL_MD_OP_PUT|PTL_MD_OP_GET", eventq = "eq" }
      rank[first](rank, { mem_desc = "in-md", target = rank, portal = portal })
      event_of(t, "P32-179", rank, "PTL_EVENT_" .. first:upper() .. "_END")
      t:flush(rank, rank)
      t:rc("P32-179", rank:PtlMDUpdate { mem_desc = md, old = "was" }, "PTL_OK")
      rank:get { mem_desc = "in-md", target = rank, portal = portal }
      event_of(t, "P32-179", rank, "PTL_EVENT_UNLINK")
      t:rc("P32-179", rank:PtlMDUpdate { mem_desc = md, old = "was" }, "PTL_INV_MD")
    end
  end,
}

for name, verb in each { { "put", "put" }, { "get", "get" } } do
  case {
    id = "unlinked-beyond-max-offset-by-a-cut-" .. name,
    title = "A " .. name .. " that is cut takes the offset to the end, and unlinks where that is beyond max_offset",
    purpose = "A region of 12 octets with PTL_MD_TRUNCATE, a maximum offset of 10 and PTL_UNLINK: the second " .. name
      .. " of 8 octets is cut to 4, and the descriptor is gone.",
    chapter = "3.7.2", requirements = { "P32-179" }, still = {},
    run = function(t)
      local rank = alone(t)
      rank:bind { region = "other", octets = 8, md = "other-md", desc = "other-desc" }
      t:flush(rank, rank)
      rank:attach { index = 1, region = "buf", octets = 12, max_offset = 10, md_unlink = "PTL_UNLINK",
        options = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_TRUNCATE", eventq = "eq" }
      for _ = 1, 2 do
        t:rc("P32-179", rank:PtlMDUpdate { old = "was" }, "PTL_OK")
        rank[verb](rank, { mem_desc = "other-md", target = rank, portal = 1 })
        event_of(t, "P32-179", rank, "PTL_EVENT_" .. verb:upper() .. "_END")
        t:flush(rank, rank)
      end
      t:rc("P32-179", rank:PtlMDUpdate { old = "was" }, "PTL_INV_MD")
    end,
  }
end

case {
  id = "inactive-whatever-does-not-fit",
  title = "A descriptor with a threshold of zero responds to nothing, also where it is to go by what does not fit",
  purpose = "Puts of 8 octets, which fit, and of 20, which do not, are dropped and leave it as it is. Armed by an update it takes one that fits.",
  chapter = "3.7.2", only = true, requirements = { "P32-145" },
  run = function(t)
    local rank = alone(t)
    rank:bind { region = "out", octets = 20, length = 8, md = "out-md", desc = "out-desc" }
    rank:bind { region = "out", length = 20, md = "long-md", desc = "long-desc" }
    rank:attach { index = 1, region = "buf", octets = 12, threshold = 0, nofit = "PTL_UNLINK", eventq = "eq" }
    t:judging("P32-145")
    for _, source in ipairs { "out-md", "long-md", "out-md" } do
      local before = rank:drop_count()
      rank:put { mem_desc = source, target = rank, portal = 1 }
      t:drops("P32-145", rank, before, 1)
    end
    t:no_event("P32-145", rank, "eq", 0)
    rank:md { name = "armed", threshold = 1, options = "PTL_MD_OP_PUT", eventq = "eq" }
    t:rc("P32-145", rank:PtlMDUpdate { new = "armed" }, "PTL_OK")
    rank:put { mem_desc = "out-md", target = rank, portal = 1 }
    event_of(t, "P32-145", rank, "PTL_EVENT_PUT_END")
  end,
}

case {
  id = "cut-in-every-event",
  title = "Every event of an operation that is cut tells what was asked for and what was moved",
  purpose = "Puts with an acknowledgement and gets of 16 octets, of which a region with PTL_MD_TRUNCATE takes or gives 10, 1 and none; both lengths in the events at the target, of the acknowledgement and of the reply.",
  suite = "events", chapter = "3.8.2", requirements = { "P32-230", "P32-231" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    for i = 0, 1 do t.ranks[i]:eq("eq", 64) end
    from:bind { region = "out", octets = 16, md = "out-md", eventq = "eq" }
    to:attach { octets = 40, options = BOTH .. "|PTL_MD_TRUNCATE", eventq = "eq" }
    local function judge(rank, wanted, moved)
      local event = event_of(t, "P32-231", rank, wanted)
      t:equal("P32-231", "what was moved, in " .. wanted, event.mlength, moved)
      t:equal("P32-230", "what was asked for, in " .. wanted, event.rlength, 16)
    end
    for _, moved in ipairs { 10, 1, 0, 16 } do
      from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, offset = 40 - moved }
      for _, part in ipairs { "START", "END" } do judge(to, "PTL_EVENT_PUT_" .. part, moved) end
      judge(from, "PTL_EVENT_ACK", moved)
      t:flush(from, to)
      from:count_events("eq")
      from:get { mem_desc = "out-md", target = to, offset = 40 - moved }
      for _, part in ipairs { "START", "END" } do
        judge(to, "PTL_EVENT_GET_" .. part, moved)
        judge(from, "PTL_EVENT_REPLY_" .. part, moved)
      end
    end
  end,
}

case {
  id = "what-is-left-in-every-event",
  title = "Events of every kind show what is left of the threshold",
  purpose = "Operations of each kind, one after the other: the threshold in the event of each end, of an acknowledgement and of the unlinking, which lowers nothing.",
  suite = "events", chapter = "3.8.2", requirements = { "P32-234" },
  run = function(t)
    local rank = alone(t)
    rank:bind { region = "other", octets = 8, md = "other-md", desc = "other-desc" }
    local by_get = count_of_get(t, "P32-234", rank, { target = rank, portal = SINK })
    rank:attach { index = 1, region = "buf", octets = 8, threshold = 5 + by_get, options = BOTH,
      md_unlink = "PTL_UNLINK", eventq = "eq" }
    local function shows(wanted, left)
      local event = event_of(t, "P32-234", rank, wanted)
      t:reading("P32-234", "event_descriptor_copy", "threshold in " .. wanted, event.mem_desc.threshold,
        { { "after", left }, { "before", left + 1 } })
    end
    rank:put { target = rank, portal = SINK }
    shows("PTL_EVENT_SEND_END", 4 + by_get)
    rank:get { target = rank, portal = SINK }
    shows("PTL_EVENT_REPLY_END", 4)
    rank:put { mem_desc = "other-md", target = rank, portal = 1 }
    shows("PTL_EVENT_PUT_END", 3)
    rank:get { mem_desc = "other-md", target = rank, portal = 1 }
    shows("PTL_EVENT_GET_END", 2)
    rank:put { ack_req = "PTL_ACK_REQ", target = rank, portal = SINK }
    local acknowledged, event
    repeat -- the end of sending may come behind the acknowledgement
      event = rank:wait("eq").event
      if event and event.type == "PTL_EVENT_ACK" then acknowledged = event end
    until not event or event.type == "PTL_EVENT_UNLINK"
    t:check("P32-234", "PTL_EVENT_ACK comes", acknowledged ~= nil, "PTL_EVENT_ACK", "no event")
    local readings = { { "after", 0 }, { "before", 1 } }
    t:reading("P32-234", "event_descriptor_copy", "threshold in PTL_EVENT_ACK", acknowledged.mem_desc.threshold,
      readings)
    t:check("P32-234", "PTL_EVENT_UNLINK comes", event ~= nil, "PTL_EVENT_UNLINK", "no event")
    t:reading("P32-234", "event_descriptor_copy", "threshold in PTL_EVENT_UNLINK", event.mem_desc.threshold, readings)
  end,
}

-- What makes an object, how, and by which call it goes: each with NULL for the handle is refused and makes none.
local MAKERS <const> = {
  { "entries", "P32-127", "PtlMEInsert", {}, "entry" },
  { "entries", "P32-127", "PtlMEInsert", { position = "PTL_INS_BEFORE" }, "entry" },
  { "entries", "P32-120", "PtlMEAttach", { index = 1 }, "entry" },
  { "descriptors", "P32-194", "PtlMDBind", {}, "mem_desc" },
  { "queues", "P32-237", "PtlEQAlloc", { count = 2 }, "eventq" },
}
local GOING <const> = { entry = "PtlMEUnlink", mem_desc = "PtlMDUnlink", eventq = "PtlEQFree" }

for i, maker in ipairs(MAKERS) do
  local kind, req, verb, given, name = table.unpack(maker)
  case {
    id = "handle-without-a-place-" .. verb:lower() .. (i == 2 and "-before" or ""),
    title = "An object whose handle cannot be stored is not made: " .. verb,
    purpose = "Four " .. kind .. " are asked for. " .. verb .. " is called with NULL for the handle, more often than "
      .. "there are; then as many can be made as before.",
    suite = "return-codes", chapter = "3", requirements = { req },
    run = function(t)
      local rank = t.ranks[0]
      rank:PtlInit()
      local most = t:setup(rank:PtlNIInit { ptl_size = 8, acl_size = 2, [kind] = 4, actual = "out" }).actual[kind]
      t:skip_if(most > 512, "the limit is so large that it is not reached")
      rank:me_attach {}
      rank:md { start = "null", length = 0 }
      local function call(handle)
        local values = { handle = handle }
        for key, value in pairs(given) do values[key] = value end
        return rank[verb](rank, values)
      end
      local function room()
        local made = 0
        while made <= most and call("one" .. made + 1).rc == "PTL_OK" do made = made + 1 end
        for k = 1, made do t:setup(rank[GOING[name]](rank, { [name] = "one" .. k })) end
        return made
      end
      local before = room()
      for _ = 1, most + 1 do t:rc(req, call("null"), "PTL_SEGV") end
      t:equal(req, kind .. " that can be made", room(), before)
    end,
  }
end

case {
  id = "descriptor-without-a-place",
  title = "A descriptor whose handle cannot be stored is not attached",
  purpose = "PtlMDAttach with an address without memory for the handle; where that is refused another descriptor can be attached.",
  suite = "return-codes", chapter = "3.7.2", requirements = { "P32-187" },
  run = function(t)
    local rank = alone(t)
    local unnoticed <const> = "no means of telling that an address has no memory"
    rank:me_attach { index = 1 }
    rank:region("buf", 8)
    rank:md { options = BOTH }
    t:tolerate_crash(unnoticed)
    local result = rank:PtlMDAttach { handle = "unmapped" }
    t:equal_or_warn("P32-187", result.call .. " returns", result.rc, "PTL_SEGV", { [result.rc] = unnoticed })
    if result.rc == "PTL_SEGV" then
      t:should("P32-187", "what PtlMDAttach to the entry returns then", rank:PtlMDAttach {}.rc, "PTL_OK")
    end
  end,
}

case {
  id = "own-operations-of-a-full-queue",
  title = "What a process does is done although its own queue is full",
  purpose = "A queue of two events, of which none is taken: six puts from a descriptor with it all arrive, and then a get brings its octets.",
  suite = "events", chapter = "3.8.6", requirements = { "P32-356" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    from:eq("small", 2)
    to:eq("eq", 64)
    from:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md", eventq = "small" }
    to:attach { octets = 8, fill = "mix/2", options = BOTH, eventq = "eq" }
    for i = 1, 6 do
      t:rc("P32-356", from:PtlPut { mem_desc = "out-md", target = to }, "PTL_OK")
      local event = to:wait_done("eq").event
      t:equal("P32-356", "the event of put " .. i .. " at its target", event and event.type, "PTL_EVENT_PUT_END")
    end
    to:fill("buf", "mix/2")
    t:rc("P32-356", from:PtlGet { mem_desc = "out-md", target = to }, "PTL_OK")
    t:flush(from, to)
    t:flush(to, from)
    t:octets("P32-356", "what was asked for", from, "out", "mix/2")
  end,
}

for name, verb, ack, count in each { { "an-acknowledgement", "put", "PTL_ACK_REQ", 3 }, { "an-end", "put", nil, 2 } } do
  case {
    id = "loss-of-" .. name .. "-is-told",
    title = "The loss of an event is told, whichever event found no room",
    purpose = "A queue for one event less than a put logs at its initiator; where it holds no more, the loss is told "
      .. "when all are taken and those of one more put.",
    suite = "events", chapter = "3.8.6", requirements = { "P32-246" }, ranks = 2,
    run = function(t)
      local from, to = t:open {}
      from:eq("small", count - 1)
      to:attach { octets = 8, options = BOTH }
      from:bind { region = "out", octets = 8, md = "out-md", eventq = "small" }
      local seen, told = 0, 0
      local function take(acknowledged)
        from[verb](from, { mem_desc = "out-md", ack_req = acknowledged, target = to })
        t:flush(from, to)
        t:flush(to, from)
        local events = from:drain("small")
        for _, event in ipairs(events) do told = told + (event.rc == "PTL_EQ_DROPPED" and 1 or 0) end
        return #events
      end
      seen = take(ack)
      t:skip_if(seen >= count, "the queue holds more than it was made for")
      take(nil)
      t:check("P32-246", "the loss is told", told > 0, "PTL_EQ_DROPPED", "PTL_OK alone")
    end,
  }
end
