-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.7, 3.8 and 4.2: messages of which a part has arrived, when the rest keeps one waiting, never comes, or
-- comes after its descriptor has changed or gone.

defaults { suite = "receiving", chapter = "3.7", wire = true, still = { "P32-130", "P33-209" } }

local PUT, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_MANAGE_REMOTE"
local COOKIE, PORTAL = Receiver.COOKIE, Receiver.PORTAL
local set_up, open_another, check_alive = Receiver.set_up, Receiver.open_another, Receiver.check_alive

case {
  id = "receive-event-behind-the-last-octet",
  title = "An event comes when the last octet of the data has come, not before",
  purpose = "A put and a reply stop in the middle of their data. A put of another peer is served meanwhile, so the process is awake, and no event of the unfinished ones is there; with the rest of the data both events come.",
  requirements = { "P30-016", "P30-217", "P30-219", "P30-240", "P30-271" }, chapter = "3.8",
  run = function(t)
    local rank, peer, stream = set_up(t)
    local other = open_another(t, rank)
    rank:eq("half-eq")
    rank:region("half", 100)
    rank:attach { index = 5, matchid = t.any_nid, me = "me5", md = "md5", region = "half", eventq = "half-eq" }
    local function half_way(req, octets, kind)
      t:judging(req)
      stream:send_raw(octets:sub(1, 130))
      check_alive(t, rank, other)
      local count = rank:PtlEQCount { eventq = "half-eq" }.count
      local first = count > 0 and rank:PtlEQGet { eventq = "half-eq" } or {}
      t:check("P30-240", "events that PtlEQCount tells of are there to be fetched", first.rc ~= "PTL_EQ_EMPTY",
        "PtlEQGet fetches one", "PTL_EQ_EMPTY, and " .. count .. " counted")
      local early = first.event and first.event.type == kind and 1 or 0
      t:equal(req, "events while half of the data is missing", early + rank:count_events("half-eq"), 0)
      stream:send_raw(octets:sub(131))
      t:event(req, rank, "half-eq", { type = kind, mlength = 100 })
    end
    half_way("P30-217", t:encode { operation = "put", initiator = peer.id, target = rank.id, portal = 5,
      cookie = COOKIE, md = stream.NO_MD, data = t.mix(1, 100) }, "PTL_EVENT_PUT")
    t:octets_by_then("P30-217", "P30-016", "the data of the put", rank, "half", "mix/1")
    rank:bind { region = "in", octets = 100, md = "in-md", eventq = "half-eq" }
    rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
    local get = stream:receive()
    t:sanity("the get arrives", get ~= nil and get.operation == "get")
    half_way("P30-219", t:encode { operation = "reply", initiator = peer.id, target = rank.id, portal = get.portal,
      md = get.md, data = t.mix(2, 100) }, "PTL_EVENT_REPLY")
    t:octets_by_then("P30-219", "P30-271", "the data of the reply", rank, "in", "mix/2")
  end,
}

case {
  id = "receive-truncated-payload",
  title = "A stream that ends inside the data gives no event",
  purpose = "A put that promises 200 octets brings 50, then the end of the stream: no event, no acknowledgement, counted once; the descriptor can be used again.",
  requirements = { "P30-217", "P30-321" }, chapter = "4.2", negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    check_alive(t, rank, stream)
    local before = rank:drop_count()
    local broken = open_another(t, rank)
    local octets = t:encode { operation = "put", initiator = broken.peer.id, target = rank.id, portal = PORTAL,
      cookie = COOKIE, md = 5, data = t.mix(1, 200) }
    broken:send_raw(octets:sub(1, 126))
    broken:close()
    t:confirm_violation("cut-off", broken)
    local dropped = rank:wait_drop_count(before + 1) - before
    t:equal("P30-217", "events", rank:PtlEQCount().count, 0)
    t:equal("P30-321", "dropped messages", dropped, 1)
    check_alive(t, rank, stream)
    check_alive(t, rank, open_another(t, rank))
    t:equal("P30-321", "dropped messages", rank:drop_count() - before, 1)
  end,
}

case {
  id = "receive-truncated-reply",
  title = "A reply that is cut off gives no event",
  purpose = "A get is answered with half of its reply, then the end of the stream: no event, counted once, and the same get asked again is served.",
  requirements = { "P30-219", "P30-321" }, chapter = "4.2", negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    rank:bind { region = "in", octets = 100, md = "in-md", eventq = "eq" }
    local function ask(through)
      rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
      local get = through:receive()
      t:sanity("the get arrives", get ~= nil and get.operation == "get")
      return get
    end
    local get = ask(stream)
    local before = rank:drop_count()
    local octets = t:encode { operation = "reply", initiator = peer.id, target = rank.id, portal = get.portal,
      md = get.md, data = t.mix(1, 100) }
    stream:send_raw(octets:sub(1, 130))
    stream:close()
    t:confirm_violation("cut-off", stream)
    local dropped = rank:wait_drop_count(before + 1) - before
    t:equal("P30-219", "events", rank:count_events("eq"), 0)
    t:reading("P30-321", "count_dropped_answers", "messages counted of a reply that was cut off", dropped,
      { { "yes", 1 }, { "no", 0 } })
    local second = t:connect(peer, rank)
    get = ask(second)
    second:answer(get, { data = t.mix(2, 100) })
    t:event("P30-219", rank, "eq", { type = "PTL_EVENT_REPLY", mlength = 100 })
    t:octets("P30-219", "the data of the second reply", rank, "in", "mix/2")
  end,
}

-- A library that shows the first half of a message in memory does so in this time.
local HALF_MS = 4000

-- Sends the header and 50 of 100 octets of a put to portal 5, where "half" of 100 octets with the queue "half-eq" takes
-- it. Returns a function that sends the rest, whether the half was seen in the memory (a library may hold it back until
-- all has come), and the message.
local function put_half(t, rank, peer, stream)
  rank:eq("half-eq")
  rank:region("half", 100)
  rank:attach { index = 5, matchid = t.any_nid, me = "half-me", md = "half-md", region = "half", eventq = "half-eq" }
  local message = { operation = "put", portal = 5, cookie = COOKIE, data = t.mix(1, 100) }
  local octets = t:encode(stream:with_defaults(message))
  stream:send_raw(octets:sub(1, 126))
  local seen = rank:wait_octet("half", 49, t.mix(1, 50):byte(50), HALF_MS)
  return function()
    stream:send_raw(octets:sub(127))
  end, seen, message
end

case {
  id = "receive-update-during-arrival",
  title = "An update is refused while a put is arriving that will be logged in the test queue",
  purpose = "Half of a put has come. The queue is still empty, yet PtlMDUpdate must not slip between the operation and its event; when the event has been taken out the update is done.",
  requirements = { "P30-209", "P30-205" },
  run = function(t)
    local rank, peer, stream = set_up(t)
    local send_rest, seen = put_half(t, rank, peer, stream)
    t:skip_if(not seen, "the system under test does not begin with a put before all of it has come")
    rank:md { name = "new", threshold = 3, options = PUT, eventq = "eq" }
    t:equal("P30-209", "events in the test queue", rank:PtlEQCount { eventq = "half-eq" }.count, 0)
    t:rc("P30-209", rank:PtlMDUpdate { mem_desc = "md", new = "new", testq = "half-eq" }, "PTL_NOUPDATE")
    send_rest()
    t:event("P30-209", rank, "half-eq", { type = "PTL_EVENT_PUT", mlength = 100 })
    t:rc("P30-205", rank:PtlMDUpdate { mem_desc = "md", new = "new", testq = "half-eq" }, "PTL_OK")
  end,
}

case {
  id = "receive-unlink-during-arrival",
  only = true,
  title = "After PtlMDUnlink nothing more is written, although the rest of a put still comes",
  purpose = "Half of a put has come when its descriptor is unlinked and the memory overwritten. The rest of the put must not show there; the message is counted as dropped, not logged, and the stream goes on. With another descriptor the same put is taken.",
  requirements = { "P30-197", "P30-321" }, negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    local send_rest, _, message = put_half(t, rank, peer, stream)
    local before = rank:drop_count()
    if t:equal_or_warn("P30-197", "PtlMDUnlink while a put is arriving returns",
        rank:PtlMDUnlink { mem_desc = "half-md" }.rc, "PTL_OK",
        { PTL_MD_INUSE = "refused until the put has arrived" }) ~= "PTL_OK" then
      return
    end
    rank:fill("half", "byte/90")
    send_rest()
    t:declare_undeliverable(stream, message, "descriptor")
    check_alive(t, rank, stream)
    t:octets("P30-197", "the memory that was given back", rank, "half", "byte/90")
    t:equal("P30-197", "events", rank:PtlEQCount { eventq = "half-eq" }.count, 0)
    t:equal("P30-321", "dropped messages", rank:drop_count() - before, 1)
    rank:add_md { me = "half-me", md = "next-md", region = "half", eventq = "half-eq" }
    stream:send(message)
    t:valid_counterpart(stream, message, rank:wait("half-eq").event)
  end,
}

case {
  id = "receive-fini-during-arrival",
  title = "After PtlNIFini nothing more is written, although the rest of a put still comes",
  purpose = "Half of a put has come when the interface is closed and the memory overwritten. PtlNIFini must not wait for the rest, and the rest must not show in the memory, opened again or not.",
  requirements = { "P30-089", "P30-087" }, chapter = "3.5",
  run = function(t)
    local rank, peer, stream = set_up(t)
    local send_rest = put_half(t, rank, peer, stream)
    t:judging("P30-087")
    t:rc("P30-087", rank:PtlNIFini { deadline = 10000 }, "PTL_OK")
    rank:fill("half", "byte/90")
    t:judging("P30-089")
    send_rest()
    rank:ni_init { acl_size = 4, handle = "again" }
    rank:ac_entry { interface = "again", index = COOKIE, matchid = t.any_nid, portal = "any" }
    rank:eq_alloc { interface = "again", handle = "eq" }
    rank:me_attach { interface = "again", index = PORTAL, matchid = t.any_nid, ignorebits = -1 }
    rank:add_md { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    check_alive(t, rank, open_another(t, rank))
    t:octets("P30-089", "the memory that was given back", rank, "half", "byte/90")
  end,
}

-- What a begun transfer into the descriptor of "half-me" must not survive: each takes the descriptor away.
local ENDINGS = {
  { "entry-unlink", "PtlMEUnlink", "P30-130", { entry = "half-me" } },
  { "list-replace", "PtlMEAttach", "P30-107", { index = 5, handle = "new-me" }, "attach_to_occupied_index" },
  { "descriptor-replace", "PtlMDAttach", "P30-176", { match = "half-me", mem_desc = "new", handle = "new-md" },
    "attach_to_occupied_entry" },
}

for name, verb, req, given, switch in each(ENDINGS) do
  case {
    id = "receive-" .. name .. "-during-arrival",
    title = "After " .. verb .. " nothing more is written to the descriptor that it has ended",
    purpose = "Half of a put has come when the call ends its descriptor and the memory is overwritten. The rest of the put must not show there, the message is not logged there, and the stream goes on.",
    requirements = { req }, chapter = "3.6",
    run = function(t)
      local rank, peer, stream = set_up(t)
      local send_rest, seen = put_half(t, rank, peer, stream)
      rank:region("elsewhere", 100)
      rank:md { name = "new", region = "elsewhere", options = PUT .. "|" .. REMOTE, eventq = "none" }
      local before = rank:drop_count()
      local result = rank[verb](rank, given)
      if switch and t:reading(req, switch, verb .. " where something stands already returns", result.rc,
          { { "replace", "PTL_OK" }, { "refuse", "PTL_INUSE" }, { "refuse", "PTL_NOSPACE" } }) == "refuse" then
        return
      end
      if t:equal_or_warn(req, verb .. " while a put is arriving returns", result.rc, "PTL_OK",
          { PTL_INUSE = "refused until the put has arrived", PTL_MD_INUSE = "refused until the put has arrived" })
          ~= "PTL_OK" then
        return
      end
      rank:fill("half", "byte/90")
      send_rest()
      check_alive(t, rank, stream)
      t:octets(req, "the memory that was given back", rank, "half", "byte/90")
      t:equal(req, "events", rank:PtlEQCount { eventq = "half-eq" }.count, 0)
      if seen then
        t:equal(req, "messages that were cut off and counted", rank:drop_count() - before, 1)
      end
    end,
  }
end

case {
  id = "receive-cut-off-or-logged",
  title = "Of the puts that arrive while their entries go each is logged or counted",
  purpose = "Three entries for the same bits. Half of a put has come when its entry is unlinked; the rest comes, and behind it a whole put, which the next entry takes. The same again with that entry, and once more with the last one, which leaves nobody. Events and dropped messages are as many as puts.",
  requirements = { "P30-128" }, chapter = "3.6",
  run = function(t)
    local rank, _, stream = set_up(t)
    rank:eq("half-eq", 16)
    rank:attach { index = 5, matchid = t.any_nid, me = "me5-1", md = "md5-1", region = "half", octets = 100,
      options = PUT .. "|" .. REMOTE, eventq = "half-eq" }
    for i = 2, 3 do
      rank:me_insert { current = "me5-" .. i - 1, matchid = t.any_nid, handle = "me5-" .. i }
      rank:add_md { me = "me5-" .. i, md = "md5-" .. i, region = "half", options = PUT .. "|" .. REMOTE,
        eventq = "half-eq" }
    end
    local before, message = rank:drop_count(), { operation = "put", portal = 5, cookie = COOKIE, data = t.mix(1, 100) }
    local octets = t:encode(stream:with_defaults(message))
    t:judging("P30-128")
    for round = 1, 3 do
      rank:fill("half", "byte/0")
      stream:send_raw(octets:sub(1, 126))
      rank:wait_octet("half", 49, t.mix(1, 50):byte(50), HALF_MS)
      local gone = rank:PtlMEUnlink { entry = "me5-" .. round }
      t:check("P30-128", gone.call .. " returns", gone.rc == "PTL_OK" or gone.rc == "PTL_INUSE"
        or gone.rc == "PTL_MD_INUSE", "PTL_OK, or that it is in use", gone.rc)
      stream:send_raw(octets:sub(127))
      stream:send_raw(octets)
      check_alive(t, rank, stream)
      local ended = 0
      for _, event in ipairs((rank:collect("half-eq", 16, 0))) do
        ended = ended + (event.type == "PTL_EVENT_PUT" and 1 or 0)
      end
      local dropped = rank:drop_count() - before
      t:equal("P30-128", "events and dropped messages in round " .. round, ended + dropped, 2)
      before = before + dropped
      if gone.rc ~= "PTL_OK" then t:setup(rank:PtlMEUnlink { entry = "me5-" .. round }) end
    end
  end,
}

for verb, name, given in each { { "PtlMDUnlink", "descriptor", { mem_desc = "half-md" } },
    { "PtlMEUnlink", "entry", { entry = "half-me" } } } do
  case {
    id = "receive-rest-without-its-" .. name,
    title = "The rest of a large put whose " .. name .. " has gone is consumed, and what is behind it is understood",
    purpose = "Half of a put of a mebibyte has come when " .. verb .. " takes its " .. name .. " away. Behind the "
      .. "other half comes another put on the same stream, which is taken and acknowledged.",
    requirements = { "P30-323" }, chapter = "4.2",
    run = function(t)
      local rank, _, stream = set_up(t)
      local octets <const> = 1 << 20
      rank:region("half", octets)
      rank:attach { index = 5, matchid = t.any_nid, me = "half-me", md = "half-md", region = "half", eventq = "none" }
      local message = t:encode(stream:with_defaults { operation = "put", portal = 5, cookie = COOKIE,
        data = t.mix(1, octets) })
      stream:send_raw(message:sub(1, octets // 2))
      rank:wait_octet("half", 99, t.mix(1, 100):byte(100), HALF_MS)
      local rc = rank[verb](rank, given).rc
      t:skip_if(rc ~= "PTL_OK", verb .. " waits until the put has arrived: " .. tostring(rc))
      t:judging("P30-323")
      stream:send_raw(message:sub(octets // 2 + 1))
      stream:send { operation = "put", portal = PORTAL, cookie = COOKIE, md = 77, data = "honest" }
      t:expect("P30-323", stream, "ack", { md = 77, mlength = 6 }, 10000)
      t:same_octets("P30-323", "what came behind it", rank:read("buf", 0, 6), "honest")
    end,
  }
end

case {
  id = "receive-reading-during-arrival",
  title = "A descriptor can be read while a put arrives into it",
  purpose = "Half of a put has come. PtlMDUpdate without a new value returns the value, with the descriptor's queue to test and with none; then the put is logged.",
  requirements = { "P30-207" },
  run = function(t)
    local rank, peer, stream = set_up(t)
    local send_rest = put_half(t, rank, peer, stream)
    for _, testq in ipairs { "none", "half-eq" } do
      local result = t:rc("P30-207", rank:PtlMDUpdate { mem_desc = "half-md", old = "was", testq = testq }, "PTL_OK")
      t:equal("P30-207", "the length", result.old.length, 100)
    end
    send_rest()
    t:event("P30-207", rank, "half-eq", { type = "PTL_EVENT_PUT", mlength = 100 })
  end,
}

case {
  id = "receive-looking-during-arrival",
  title = "PtlEQGet returns at once while a put and a reply arrive that will be logged in its queue",
  purpose = "Half of a put has come, and half of a reply. PtlEQGet says that the queue is empty, and waits for neither; with the other halves both events are there.",
  requirements = { "P30-243" }, chapter = "3.8",
  run = function(t)
    local rank, peer, stream = set_up(t)
    t:judging("P30-243")
    local function looks(what)
      t:rc("P30-243", rank:PtlEQGet { eventq = "half-eq", deadline = 5000 }, "PTL_EQ_EMPTY")
      t:step("it has returned while " .. what .. " was missing")
    end
    local send_rest = put_half(t, rank, peer, stream)
    looks("half of the put")
    send_rest()
    t:event("P30-243", rank, "half-eq", { type = "PTL_EVENT_PUT", mlength = 100 })
    rank:bind { region = "in", octets = 100, md = "in-md", eventq = "half-eq" }
    rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
    local get = stream:receive()
    t:sanity("the get arrives", get ~= nil and get.operation == "get")
    rank:count_events("half-eq") -- a known reading has logged that it was sent: P30-223
    local octets = t:encode(stream:with_defaults(stream:answer_of(get, { data = t.mix(2, 100) })))
    stream:send_raw(octets:sub(1, #octets - 50))
    rank:wait_octet("in", 49, t.mix(2, 50):byte(50), HALF_MS)
    looks("half of the reply")
    stream:send_raw(octets:sub(-50))
    t:event("P30-243", rank, "half-eq", { type = "PTL_EVENT_REPLY", mlength = 100 })
  end,
}

case {
  id = "receive-update-spares-what-arrives",
  only = true,
  title = "An update changes what comes later, not what has begun to arrive",
  purpose = "Half of a put has come when its descriptor is given another region. The rest goes where the first half went and the event tells of all of it; the next put goes to the new region.",
  requirements = { "P30-203" },
  run = function(t)
    local rank, peer, stream = set_up(t)
    local send_rest, seen = put_half(t, rank, peer, stream)
    t:skip_if(not seen, "the system under test does not begin with a put before all of it has come")
    rank:region("elsewhere", 100)
    rank:md { name = "moved", region = "elsewhere", options = PUT .. "|" .. REMOTE, eventq = "half-eq" }
    if t:equal_or_warn("P30-203", "PtlMDUpdate of a descriptor into which a put is arriving returns",
        rank:PtlMDUpdate { mem_desc = "half-md", new = "moved" }.rc, "PTL_OK",
        { PTL_NOUPDATE = "refused until the put has arrived" }) ~= "PTL_OK" then
      return
    end
    send_rest()
    t:event("P30-203", rank, "half-eq", { type = "PTL_EVENT_PUT", mlength = 100 })
    t:octets("P30-203", "the region that the descriptor had when the put began", rank, "half", "mix/1")
    t:octets("P30-203", "the region that it was given", rank, "elsewhere", "byte/0")
    stream:send { operation = "put", portal = 5, cookie = COOKIE, md = stream.NO_MD, data = t.mix(2, 40) }
    t:event("P30-203", rank, "half-eq", { type = "PTL_EVENT_PUT", mlength = 40 })
    t:octets("P30-203", "what came after the update", rank, "elsewhere", "mix/2", 0, 40)
  end,
}

case {
  id = "receive-queue-freed-during-arrival",
  title = "A queue may be freed while a put is arriving that would be logged there",
  purpose = "Half of a put has come when its queue is freed and another one is made. The rest comes: the process lives, nothing is logged in the new queue, and the stream goes on.",
  requirements = { "P30-239" }, chapter = "3.8",
  run = function(t)
    local rank, peer, stream = set_up(t)
    local send_rest = put_half(t, rank, peer, stream)
    t:rc("P30-239", rank:PtlEQFree { eventq = "half-eq" }, "PTL_OK")
    rank:eq("later-eq")
    send_rest()
    check_alive(t, rank, stream)
    t:equal("P30-239", "events in the queue that was made later", rank:PtlEQCount { eventq = "later-eq" }.count, 0)
    for _ = 1, 3 do
      stream:send { operation = "put", portal = 5, cookie = COOKIE, md = stream.NO_MD, data = "behind" }
    end
    check_alive(t, rank, stream)
    t:rc("P30-239", rank:PtlMDUnlink { mem_desc = "half-md" }, "PTL_OK")
    t:rc("P30-239", rank:PtlEQFree { eventq = "later-eq" }, "PTL_OK")
  end,
}

case {
  id = "receive-unlink-during-reply",
  only = true,
  title = "A reply that has begun to arrive writes nothing more when its descriptor is unlinked",
  purpose = "Half of a reply has come when the descriptor of the get is unlinked and its memory overwritten. The rest must not show there and no event comes; a put behind it on the stream is served.",
  requirements = { "P30-304" }, chapter = "4.1",
  run = function(t)
    local rank, peer, stream = set_up(t)
    rank:eq("in-eq")
    rank:bind { region = "in", octets = 100, md = "in-md", eventq = "in-eq" }
    rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
    local get = stream:receive()
    t:sanity("the get arrives", get ~= nil and get.operation == "get")
    local octets = t:encode { operation = "reply", initiator = peer.id, target = rank.id, portal = get.portal,
      md = get.md, data = t.mix(2, 100) }
    stream:send_raw(octets:sub(1, 130))
    rank:wait_octet("in", 49, t.mix(2, 50):byte(50), HALF_MS) -- a library may hold it back until all has come
    local rc = rank:PtlMDUnlink { mem_desc = "in-md" }.rc
    if t:equal_or_warn("P30-304", "PtlMDUnlink while a reply is arriving returns", rc, "PTL_OK",
        { PTL_MD_INUSE = "refused until the reply has come" }) ~= "PTL_OK" then
      return
    end
    rank:fill("in", "byte/90")
    stream:send_raw(octets:sub(131))
    check_alive(t, rank, stream)
    t:octets("P30-304", "the memory that was given back", rank, "in", "byte/90")
    t:equal("P30-304", "events of the get", rank:count_events("in-eq"), 0)
  end,
}

case {
  id = "receive-cut-puts-leave-the-queue-as-it-was",
  only = true,
  title = "Puts that are cut off take no room in the queue of their descriptor",
  purpose = "A descriptor has a queue of four places. Four puts end with their stream in the middle of the data. Then the queue takes four events of whole puts, and an update that wants it empty is done.",
  requirements = { "P30-204", "P30-236" }, chapter = "3.8", negative = true,
  run = function(t)
    local rank, _, stream = set_up(t)
    rank:eq("narrow", 4)
    rank:region("half", 100)
    rank:attach { index = 5, matchid = t.any_nid, me = "half-me", md = "half-md", region = "half",
      ignorebits = -1, options = PUT .. "|" .. REMOTE, eventq = "narrow" }
    local before = rank:drop_count()
    for round = 1, 4 do
      local broken = open_another(t, rank)
      broken:send_raw(t:encode { operation = "put", initiator = broken.peer.id, target = rank.id, portal = 5,
        cookie = COOKIE, md = broken.NO_MD, data = t.mix(1, 100) }:sub(1, 126))
      broken:close()
      t:confirm_violation("cut-off", broken)
      t:sanity("the put that was cut off is dropped", rank:wait_drop_count(before + round) == before + round)
    end
    check_alive(t, rank, stream)
    for round = 1, 4 do
      stream:send { operation = "put", portal = 5, cookie = COOKIE, match_bits = round, md = stream.NO_MD,
        data = t.mix(2, 100) }
    end
    for round = 1, 4 do
      t:event("P30-236", rank, "narrow", { type = "PTL_EVENT_PUT", match_bits = round, mlength = 100 })
    end
    Descriptor.current(t, rank, "half-md")
    t:rc("P30-204", rank:PtlMDUpdate { mem_desc = "half-md", new = "was", testq = "narrow" }, "PTL_OK")
  end,
}
