-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.10: what events tell of parts of a region, how many there are, and what counts on a threshold whichever
-- events are logged. Rank 0 acts, rank 1 answers.

defaults { suite = "regions", chapter = "3.10", ranks = 2 }

local NO_START <const>, NO_END <const> = "PTL_MD_EVENT_START_DISABLE", "PTL_MD_EVENT_END_DISABLE"
local SERVES <const> = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE"
local OCTETS <const> = 100

local function pair(t)
  local from, to = t:open {}
  for i = 0, 1 do t.ranks[i]:eq("eq", 64) end
  from:bind { region = "out", octets = OCTETS, fill = "mix/1", md = "out-md", eventq = "eq" }
  to:attach { octets = OCTETS, options = SERVES, eventq = "eq" }
  return from, to
end

-- All events of both sides, when everything that was asked for is done; what a get may log of sending is left out.
local function events_of_all(t, from, to, gets)
  t:flush(from, to)
  t:flush(to, from)
  local all = {}
  for _, rank in ipairs { from, to } do
    for _, event in ipairs(rank:collect("eq", 64, 300)) do
      if not (gets and event.type:find("SEND")) then all[#all + 1] = event end
    end
  end
  return all
end

local PARTS <const> = { { "first", 0, 20 }, { "one", 33, 1 }, { "last", 90, 10 }, { "nothing", 50, 0 },
  { "nothing-at-the-end", OCTETS, 0 } }
for name, at, octets in each(PARTS) do
  case {
    id = "events-of-parts-" .. name,
    title = "The events of a part tell of the part, and there are as many as of a whole region",
    purpose = octets .. " octets at " .. at .. " of 100 are fetched, and put with an acknowledgement: all events of "
      .. "both sides, and the lengths in them.",
    suite = "events", chapter = "3.8.2", requirements = { "P33-222", "P33-223", "P33-230", "P33-231" },
    run = function(t)
      local from, to = pair(t)
      local function judge(req, events, types)
        t:equal(req, "the events of both sides", Test.types(events), types)
        for _, event in ipairs(events) do
          t:equal("P33-230", "the requested length in " .. event.type, event.rlength, octets)
          if event.type ~= "PTL_EVENT_SEND_START" then -- nothing has been moved yet
            t:equal("P33-231", "the manipulated length in " .. event.type, event.mlength, octets)
          end
        end
      end
      local part = { mem_desc = "out-md", ["local"] = at, length = octets, target = to }
      t:rc("P33-223", from:PtlGetRegion(part), "PTL_OK")
      judge("P33-223", events_of_all(t, from, to, true), { "PTL_EVENT_GET_END", "PTL_EVENT_GET_START",
        "PTL_EVENT_REPLY_END", "PTL_EVENT_REPLY_START" })
      part.ack_req = "PTL_ACK_REQ"
      t:rc("P33-222", from:PtlPutRegion(part), "PTL_OK")
      judge("P33-222", events_of_all(t, from, to), { "PTL_EVENT_ACK", "PTL_EVENT_PUT_END", "PTL_EVENT_PUT_START",
        "PTL_EVENT_SEND_END", "PTL_EVENT_SEND_START" })
    end,
  }
end

for name, option in each { { "with-all-events", "" }, { "without-starts", "|" .. NO_START },
  { "without-ends", "|" .. NO_END } } do
  case {
    id = "requests-count-" .. name,
    title = "Requests of every kind lower the threshold, whichever of their events are logged",
    purpose = "A descriptor with a threshold of 3 serves a put, a get and an exchange, and what is left is one less each time; one more of each kind is dropped.",
    suite = "memory-descriptors", chapter = "3.7.1", requirements = { "P33-142", "P33-141" },
    run = function(t)
      local from, to = pair(t)
      to:attach { index = 1, me = "few-me", md = "few", desc = "few-desc", region = "few-buf", octets = 8,
        options = SERVES .. option, threshold = 3, eventq = "eq" }
      for _, region in ipairs { "new", "old" } do
        from:bind { region = region, octets = 8, desc = region .. "-desc", md = region .. "-md" }
      end
      local KINDS <const> = { { "PtlPut", "new-md" }, { "PtlGet", "old-md" }, { "PtlGetPut", "old-md", "new-md" } }
      local function ask(kind)
        t:setup(from[kind[1]](from, { mem_desc = kind[2], put_desc = kind[3], target = to, portal = 1 }))
        t:flush(from, to)
      end
      for i, kind in ipairs(KINDS) do
        ask(kind)
        t:equal("P33-142", "what " .. kind[1] .. " has left of the threshold",
          Descriptor.current(t, to, "few").threshold, 3 - i)
      end
      local before = to:drop_count()
      for _, kind in ipairs(KINDS) do ask(kind) end
      t:drops("P33-141", to, before, 3)
    end,
  }
end

-- What every event of an exchange has, but for what its kind alone tells: row, member, value.
local function judge_members(t, event, members)
  for req, member, value in each(members) do
    t:equal(req, member .. " in " .. event.type, event[member], value)
  end
end

for name, octets, offset, moved in each { { "whole", 8, 16, 8 }, { "cut", 8, 94, 6 } } do
  case {
    id = "get-put-in-every-member-" .. name,
    title = "The events of an exchange have all members that those of other operations have",
    purpose = "An exchange of " .. octets .. " octets, of which " .. moved .. " are there: user, job, failure, handle, "
      .. "lengths, copy of the descriptor and number in each event at the target, and the copy at the initiator.",
    suite = "events", chapter = "3.8.2",
    requirements = { "P33-352", "P33-379", "P33-353", "P33-351", "P33-230", "P33-231", "P33-233", "P33-235",
      "P33-349" },
    run = function(t)
      local from, to = t:open {}
      for i = 0, 1 do t.ranks[i]:eq("eq", 64) end
      to:attach { index = 1, octets = OCTETS, options = SERVES .. "|PTL_MD_TRUNCATE", eventq = "eq", user_ptr = 0x7711 }
      from:bind { region = "new", octets = octets, desc = "new-desc", md = "new-md" }
      from:bind { region = "old", octets = octets, desc = "old-desc", md = "old-md", eventq = "eq", user_ptr = 0x7722 }
      local uid, jid = t:setup(from:PtlGetUid()).uid, t:setup(from:PtlGetJid()).jid
      local before = to:drop_count()
      t:setup(from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to, portal = 1, offset = offset })
      t:flush(from, to)
      t:skip_if(moved < octets and to:drop_count() > before, "what does not fit is not exchanged")
      local last
      for _, part in ipairs { "START", "END" } do
        local event = t:event("P33-351", to, "eq", { type = "PTL_EVENT_GETPUT_" .. part })
        judge_members(t, event, { { "P33-352", "uid", uid }, { "P33-379", "jid", jid },
          { "P33-353", "ni_fail_type", "PTL_NI_OK" }, { "P33-351", "md_handle", "md" },
          { "P33-230", "rlength", octets }, { "P33-231", "mlength", moved }, { "P33-233", "offset", offset } })
        t:equal("P33-235", "start, length and user pointer in " .. event.type,
          { event.mem_desc.start, event.mem_desc.length, event.mem_desc.user_ptr }, { "buf+0", OCTETS, 0x7711 })
        t:check("P33-349", "the number of " .. event.type .. " is the next one", not last or event.sequence == last + 1,
          last and last + 1, event.sequence)
        last = event.sequence
      end
      for _, part in ipairs { "START", "END" } do
        local event
        repeat event = from:wait("eq").event until not event or event.type == "PTL_EVENT_REPLY_" .. part
        t:check("P33-235", "PTL_EVENT_REPLY_" .. part .. " comes", event ~= nil, "an event", "none")
        judge_members(t, event, { { "P33-353", "ni_fail_type", "PTL_NI_OK" }, { "P33-351", "md_handle", "old-md" } })
        t:equal("P33-235", "start, length and user pointer in " .. event.type,
          { event.mem_desc.start, event.mem_desc.length, event.mem_desc.user_ptr }, { "old+0", octets, 0x7722 })
      end
    end,
  }
end

case {
  id = "parts-remote-errors-are-remote",
  title = "A portal index or cookie that the target does not have is no error of a call for parts, nor of an exchange",
  purpose = "PtlPutRegion, PtlGetRegion and PtlGetPut with a portal and with a cookie far beyond the tables return PTL_OK; the target counts each of them.",
  requirements = { "P33-266" },
  run = function(t)
    local from, to = pair(t)
    from:bind { region = "new", octets = 8, desc = "new-desc", md = "new-md" }
    from:bind { region = "old", octets = 8, desc = "old-desc", md = "old-md" }
    local before = to:drop_count()
    local portals, cookies = from:largest("ptl_pt_index_t"), from:largest("ptl_ac_index_t")
    for portal, cookie in each { { portals - 1, 0 }, { 0, cookies - 1 } } do
      local part = { mem_desc = "out-md", ["local"] = 8, length = 8, target = to, portal = portal, cookie = cookie }
      t:rc("P33-266", from:PtlPutRegion(part), "PTL_OK")
      t:rc("P33-266", from:PtlGetRegion(part), "PTL_OK")
      t:rc("P33-266", from:PtlGetPut { mem_desc = "old-md", put_desc = "new-md", target = to, portal = portal,
        cookie = cookie }, "PTL_OK")
    end
    t:flush(from, to)
    t:drops("P33-266", to, before, 6)
  end,
}

case {
  id = "get-put-with-oneself",
  title = "A process exchanges octets with itself",
  purpose = "Two exchanges at one place: the first one finds what was there, the second one what the first has left.",
  chapter = "3.10.3", requirements = { "P33-364", "P33-269" }, ranks = 1,
  run = function(t)
    local rank = t:open {}
    rank:eq("eq", 64)
    rank:attach { octets = 24, fill = "mix/2", options = SERVES }
    rank:bind { region = "old", octets = 8, desc = "old-desc", md = "old-md", eventq = "eq" }
    for i, found in ipairs { "mix/2/13", "mix/5" } do
      local new = "new" .. i
      rank:bind { region = new, octets = 8, fill = "mix/" .. 4 + i, desc = new .. "-desc", md = new .. "-md" }
      t:rc("P33-269", rank:PtlGetPut { mem_desc = "old-md", put_desc = new .. "-md", target = rank, offset = 13 },
        "PTL_OK")
      local event
      repeat event = rank:wait("eq").event until not event or event.type == "PTL_EVENT_REPLY_END"
      t:check("P33-269", "PTL_EVENT_REPLY_END comes", event ~= nil, "an event", "none")
      t:octets("P33-364", "what exchange " .. i .. " found", rank, "old", found)
      t:octets("P33-364", "what exchange " .. i .. " left", rank, "buf", "mix/" .. 4 + i, 13, 8)
    end
  end,
}

case {
  id = "parts-of-an-attached-one",
  title = "What a descriptor sends and fetches does not depend on where others have put into it",
  purpose = "Twenty octets are put into a descriptor that keeps its offset; then a part of it is sent, all of it, and a part is fetched.",
  requirements = { "P33-360", "P33-255", "P33-362" },
  run = function(t)
    local from, to = pair(t)
    from:eq("served", 16)
    from:attach { index = 1, me = "own-me", md = "own", desc = "own-desc", region = "own-buf", octets = OCTETS,
      fill = "mix/3", options = "PTL_MD_OP_PUT", eventq = "served" }
    to:bind { region = "there", octets = 20, fill = "mix/3", desc = "there-desc", md = "there-md" }
    to:put { mem_desc = "there-md", target = from, portal = 1 }
    t:sanity("the put moves the offset", from:wait_done("served").event)
    t:rc("P33-360", from:PtlPutRegion { mem_desc = "own", ["local"] = 10, length = 20, target = to, offset = 50 },
      "PTL_OK")
    t:flush(from, to)
    t:octets("P33-360", "the part that was sent", to, "buf", "mix/3/10", 50, 20)
    t:rc("P33-255", from:PtlPut { mem_desc = "own", target = to }, "PTL_OK")
    t:flush(from, to)
    t:octets("P33-255", "the region that was sent", to, "buf", "mix/3", 0, OCTETS)
    to:fill("buf", "mix/4")
    t:rc("P33-362", from:PtlGetRegion { mem_desc = "own", ["local"] = 10, length = 20, target = to, offset = 7 },
      "PTL_OK")
    t:flush(from, to)
    t:flush(to, from)
    t:octets("P33-362", "the part that was fetched", from, "own-buf", "mix/4/7", 10, 20)
    t:octets("P33-362", "the octets before it", from, "own-buf", "mix/3", 0, 10)
    t:octets("P33-362", "the octets behind it", from, "own-buf", "mix/3/30", 30)
  end,
}

for name, threshold, last, ask in each {
  { "an-acknowledgement", 2, "PTL_EVENT_ACK",
    function(from, given) given.ack_req = "PTL_ACK_REQ" return from:PtlPut(given) end },
  { "sending-a-part", 1, "PTL_EVENT_SEND_END",
    function(from, given) given["local"], given.length = 1, 3 return from:PtlPutRegion(given) end },
  { "a-part-that-comes", 1, "PTL_EVENT_REPLY_END",
    function(from, given) given["local"], given.length = 1, 3 return from:PtlGetRegion(given) end },
  { "an-exchange", 1, "PTL_EVENT_REPLY_END",
    function(from, given) given.put_desc = "new-md" return from:PtlGetPut(given) end } } do
  case {
    id = "bound-and-used-up-by-" .. name,
    title = "A bound descriptor goes with its last operation, of whatever kind, if it was made so",
    purpose = "Descriptors with PTL_UNLINK and PTL_RETAIN and a threshold of " .. threshold .. ", used up by "
      .. name:gsub("-", " ") .. "; then both handles.",
    suite = "memory-descriptors", chapter = "3.7.4", requirements = { "P33-196" },
    run = function(t)
      local from, to = pair(t)
      from:bind { region = "new", octets = 8, desc = "new-desc", md = "new-md" }
      t:flush(from, to) -- what it needs of its own must not get the handle that becomes free below
      t:flush(to, from)
      for md, unlink in each { { "stays", "PTL_RETAIN" }, { "goes", "PTL_UNLINK" } } do
        from:bind { region = md .. "-buf", octets = 8, desc = md .. "-desc", md = md, threshold = threshold,
          md_unlink = unlink, eventq = "eq" }
        t:rc("P33-196", ask(from, { mem_desc = md, target = to }), "PTL_OK")
        local event
        repeat event = from:wait("eq").event until not event or event.type == last
        t:check("P33-196", last .. " comes", event ~= nil, last, "no event")
        t:flush(from, to)
        t:flush(to, from)
        if unlink == "PTL_UNLINK" then
          t:md_unlinked("P33-196", from, md)
        else
          t:rc("P33-196", from:PtlMDUpdate { mem_desc = md, old = "was" }, "PTL_OK")
        end
      end
    end,
  }
end
