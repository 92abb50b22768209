-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.7, 3.8 and 3.10 while a put cannot leave, since its target does not read: which calls return all the same,
-- and what is told when it has left.

defaults { suite = "movement", chapter = "3.8", wire = true, still = { "P32-254", "P32-222" } }

local PUT, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_MANAGE_REMOTE"
local COOKIE, LARGE, RETURNS_MS = Receiver.COOKIE, 16 << 20, 10000

-- A put of "large-md", which stands in the list of an entry at portal 5, or in none, cannot leave on the stream that is
-- returned.
local function hold(t, bound)
  local rank, peer, stream = Receiver.set_up(t)
  rank:eq("own-eq")
  if bound then
    rank:bind { md = "large-md", region = "large", octets = LARGE, fill = "mix/1", eventq = "own-eq", user_ptr = 1 }
  else
    rank:attach { index = 5, matchid = t.any_nid, me = "large-me", md = "large-md", region = "large", octets = LARGE,
      fill = "mix/1", options = PUT .. "|" .. REMOTE, eventq = "own-eq", user_ptr = 1 }
  end
  stream:stop_reading()
  rank:put { mem_desc = "large-md", target = t.nid(peer.id) }
  t:skip_if(rank:PtlEQCount { eventq = "own-eq" }.count > 0,
    "the system under test tells of a put as sent before its peer reads it")
  return rank, stream, peer
end

-- Each call is made while the put cannot leave, whose descriptor stands in a list, or where `bound` is true in none.
for name, verb, values, bound in each {
  { "its-descriptor", "PtlMDUnlink", { mem_desc = "large-md" } },
  { "its-bound-descriptor", "PtlMDUnlink", { mem_desc = "large-md" }, true },
  { "its-entry", "PtlMEUnlink", { entry = "large-me" } },
  { "its-queue", "PtlEQFree", { eventq = "own-eq" } },
  { "the-queue-of-a-bound-one", "PtlEQFree", { eventq = "own-eq" }, true },
  { "an-update", "PtlMDUpdate", { mem_desc = "large-md", old = "was", new = "large-md-desc" } },
  { "an-update-of-a-bound-one", "PtlMDUpdate", { mem_desc = "large-md", old = "was", new = "large-md-desc" }, true },
  { "an-update-that-tests", "PtlMDUpdate", { mem_desc = "large-md", new = "large-md-desc", testq = "own-eq" } },
  { "a-list-in-the-place-of-its-own", "PtlMDAttach", { match = "large-me", mem_desc = "large-md-desc",
    handle = "new-md" } },
  { "a-descriptor-before-it", "PtlMDInsert", { current = "large-md", mem_desc = "large-md-desc",
    position = "PTL_INS_BEFORE", handle = "new-md" } },
  { "an-entry-in-the-place-of-its-own", "PtlMEAttach", { index = 5, handle = "new-me" } },
  { "a-look-at-its-queue", "PtlEQGet", { eventq = "own-eq" } },
  { "another-put-from-it", "PtlPut", { mem_desc = "large-md" }, true },
  { "a-get-into-it", "PtlGet", { mem_desc = "large-md" }, true },
  { "a-get", "PtlGet", { mem_desc = "large-md", portal = 3, cookie = COOKIE, to_itself = true } } } do
  case {
    id = "sending-does-not-block-" .. name,
    title = "While a put cannot leave " .. verb .. " returns, though it uses what the put uses",
    purpose = "A put of 16 MiB cannot leave, since its target does not read. " .. verb .. " returns, with "
      .. "whatever code, although nobody ever will read.",
    requirements = { "P30-254" }, only = verb == "PtlMDInsert",
    run = function(t)
      local rank, _, peer = hold(t, bound)
      t:judging("P30-254")
      local given = { deadline = RETURNS_MS }
      for key, value in pairs(values) do given[key] = value end
      given.to_itself = nil
      if verb == "PtlGet" or verb == "PtlPut" then given.target = t.nid(values.to_itself and rank.id or peer.id) end
      rank:md { name = "large-md-desc", region = "large", options = PUT .. "|" .. REMOTE, eventq = "own-eq" }
      local result = rank[verb](rank, given)
      t:check("P30-254", verb .. " has returned although the peer does not read", result.rc ~= nil, "a code", result.rc)
    end,
  }
end

for verb, name in each { { "PtlNIFini", "its-interface" }, { "PtlFini", "the-library" } } do
  case {
    id = "sending-does-not-block-the-end-of-" .. name,
    title = "While a put cannot leave " .. verb .. " returns",
    purpose = "A put of 16 MiB cannot leave, since its target does not read, and never does. " .. verb .. " returns.",
    requirements = { "P30-254" },
    run = function(t)
      local rank = hold(t)
      t:judging("P30-254")
      local result = rank[verb](rank, { deadline = RETURNS_MS })
      t:check("P30-254", verb .. " has returned although the peer does not read", result.rc ~= nil, "a code", result.rc)
    end,
  }
end

case {
  id = "queue-looked-at-while-a-put-cannot-leave",
  only = true,
  title = "PtlEQGet returns at once while the events of operations under way have yet to come",
  purpose = "A put of 16 MiB, which asks for an acknowledgement, cannot leave, nor can a get behind it: their queue is empty, and PtlEQGet says so at once, again and again.",
  requirements = { "P30-243" },
  run = function(t)
    local rank, peer, stream = Receiver.set_up(t)
    rank:eq("own-eq")
    rank:bind { region = "large", octets = LARGE, md = "large-md", eventq = "own-eq" }
    stream:stop_reading()
    rank:put { mem_desc = "large-md", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id) }
    rank:get { mem_desc = "large-md", target = t.nid(peer.id) }
    t:judging("P30-243")
    rank:drain("own-eq") -- that they were sent may be told sooner than others would say so
    for _ = 1, 3 do
      local result = rank:PtlEQGet { eventq = "own-eq", deadline = 5000 }
      t:check("P30-243", "PtlEQGet while they cannot leave returns", result.rc == "PTL_EQ_EMPTY" or result.event
        and result.event.type == "PTL_EVENT_SENT", "PTL_EQ_EMPTY", result.rc)
    end
  end,
}

case {
  id = "event-sent-of-what-was-unlinked",
  title = "A put is told as sent although its descriptor has been unlinked meanwhile",
  purpose = "A put of 16 MiB cannot leave, and its descriptor is unlinked. When the target has read it, PTL_EVENT_SENT comes: nobody else tells when the memory may be used again.",
  requirements = { "P30-222" },
  run = function(t)
    local rank, stream = hold(t)
    t:skip_if(rank:PtlMDUnlink { mem_desc = "large-md" }.rc ~= "PTL_OK",
      "the system under test does not unlink a descriptor that is in use")
    stream:resume_reading()
    t:expect("P30-222", stream, "put", { length = LARGE }, 20000)
    local event = rank:wait("own-eq", 5000).event
    t:equal_or_warn("P30-222", "the event of a put whose descriptor was unlinked before it had left",
      event and event.type or "none", "PTL_EVENT_SENT",
      { none = "what becomes of operations of a descriptor that is unlinked is not said (A80)" })
    t:equal("P30-222", "further events", rank:count_events("own-eq"), 0)
  end,
}

-- Gives "large-md" other values while its put cannot leave; the case ends where the system has none of it.
local function update(t, rank, given)
  given.name, given.region, given.options = "changed", "large", PUT .. "|" .. REMOTE
  rank:md(given)
  t:skip_if(rank:PtlMDUpdate { mem_desc = "large-md", new = "changed" }.rc ~= "PTL_OK",
    "the system under test does not update a descriptor that is in use")
end

case {
  id = "event-sent-shows-an-update",
  title = "The event of a put that was under way shows the descriptor as an update has made it meanwhile",
  purpose = "A put of 16 MiB cannot leave, and its descriptor gets another user pointer. When the target has read it, the copy in PTL_EVENT_SENT has that.",
  requirements = { "P30-234" },
  run = function(t)
    local rank, stream = hold(t)
    update(t, rank, { user_ptr = 2, eventq = "own-eq" })
    stream:resume_reading()
    t:expect("P30-234", stream, "put", { length = LARGE }, 20000)
    local event = t:event("P30-234", rank, "own-eq", { type = "PTL_EVENT_SENT" })
    t:equal_or_warn("P30-234", "the user pointer in the copy", event.mem_desc.user_ptr, 2,
      { [1] = "an operation keeps the values that it was begun with" })
  end,
}

case {
  id = "update-tests-a-queue-that-a-put-was-moved-from",
  title = "A queue is empty for an update when the put that was under way for it is over, whatever its descriptor has got",
  purpose = "A put of 16 MiB cannot leave, and its descriptor gets another queue. When the target has read it and all events are taken, updates that test the one queue and the other are done.",
  requirements = { "P30-204" },
  run = function(t)
    local rank, stream = hold(t)
    rank:eq("other-eq")
    update(t, rank, { eventq = "other-eq" })
    stream:resume_reading()
    t:expect("P30-204", stream, "put", { length = LARGE }, 20000)
    local ended = rank:wait("own-eq", 1000).event or rank:wait("other-eq").event
    t:check("P30-204", "the put is told as sent, in one queue or the other", ended and ended.type == "PTL_EVENT_SENT",
      "PTL_EVENT_SENT", ended and ended.type or "no event")
    for _, name in ipairs { "own-eq", "other-eq" } do
      rank:drain(name)
      t:rc("P30-204", rank:PtlMDUpdate { mem_desc = "large-md", new = "changed", testq = name }, "PTL_OK")
    end
  end,
}

case {
  id = "reading-while-a-put-cannot-leave",
  title = "A descriptor can be read while a put from it is under way",
  purpose = "A put of 16 MiB cannot leave. PtlMDUpdate without a new value returns the value, with the descriptor's queue to test and with none.",
  requirements = { "P30-207" }, chapter = "3.7",
  run = function(t)
    local rank, stream = hold(t)
    for _, testq in ipairs { "none", "own-eq" } do
      local result = t:rc("P30-207", rank:PtlMDUpdate { mem_desc = "large-md", old = "was", testq = testq }, "PTL_OK")
      t:equal("P30-207", "length and user pointer", { result.old.length, result.old.user_ptr }, { LARGE, 1 })
    end
    stream:resume_reading()
    t:sanity("the large put arrives", (stream:receive(20000) or {}).operation == "put")
  end,
}

case {
  id = "others-change-while-a-put-cannot-leave",
  title = "While a put cannot leave other descriptors can be updated and unlinked",
  purpose = "A put of 16 MiB cannot leave. A bound descriptor and one in a list, which have nothing to do with it, are given another user pointer, by an update without a queue to test, and unlinked.",
  requirements = { "P30-197", "P30-203" }, chapter = "3.7",
  run = function(t)
    local rank, stream = hold(t)
    rank:region("small", 8)
    rank:attach { index = 6, me = "other-me", md = "listed-md", region = "small", options = PUT }
    rank:bind { region = "small", md = "bound-md" }
    rank:md { name = "marked", region = "small", options = PUT, user_ptr = 7 }
    for _, md in ipairs { "listed-md", "bound-md" } do
      t:rc("P30-203", rank:PtlMDUpdate { mem_desc = md, new = "marked" }, "PTL_OK")
      t:equal("P30-203", "the user pointer", Descriptor.current(t, rank, md).user_ptr, 7)
      t:rc("P30-197", rank:PtlMDUnlink { mem_desc = md }, "PTL_OK")
    end
    stream:resume_reading()
    t:sanity("the large put arrives", (stream:receive(20000) or {}).operation == "put")
  end,
}

case {
  id = "event-sent-of-each-of-two",
  title = "Of two puts of one descriptor that are under way each has its own PTL_EVENT_SENT",
  purpose = "Two puts of 16 MiB from one descriptor, with other match bits and to other portals, cannot leave. When the target reads on both arrive, and there are two events, with the bits and the portal of the one and of the other.",
  requirements = { "P30-222", "P30-228", "P30-229" },
  run = function(t)
    local rank, peer, stream = Receiver.set_up(t)
    rank:eq("own-eq")
    rank:bind { region = "large", octets = LARGE, fill = "mix/1", md = "large-md", eventq = "own-eq" }
    stream:stop_reading()
    for mark = 1, 2 do
      rank:put { mem_desc = "large-md", target = t.nid(peer.id), portal = mark, match_bits = 0x10 + mark }
    end
    stream:resume_reading()
    for mark = 1, 2 do t:expect("P30-222", stream, "put", { portal = mark, length = LARGE }, 20000) end
    local events = rank:collect("own-eq", 2)
    t:equal("P30-222", "events of the two puts", t.types(events), { "PTL_EVENT_SENT", "PTL_EVENT_SENT" })
    local bits, portals = {}, {}
    for i, event in ipairs(events) do bits[i], portals[i] = event.match_bits, event.portal end
    table.sort(bits)
    table.sort(portals)
    t:equal("P30-229", "the match bits of the two events", bits, { 0x11, 0x12 })
    t:equal("P30-228", "the portals of the two events", portals, { 1, 2 })
  end,
}

case {
  id = "get-while-another-is-answered",
  title = "A descriptor serves others while its reply to one process cannot leave",
  purpose = "A peer asks for 16 MiB and does not read. Meanwhile another one gets 40 octets of the same descriptor, and puts 8 into it: both are served.",
  requirements = { "P30-153", "P30-154" }, chapter = "3.7.1",
  run = function(t)
    local rank, _, stream = Receiver.set_up(t)
    rank:attach { index = 5, matchid = t.any_nid, ignorebits = -1, me = "large-me", md = "large-md", region = "large",
      octets = LARGE, fill = "mix/1", options = PUT .. "|PTL_MD_OP_GET|" .. REMOTE .. "|PTL_MD_TRUNCATE" }
    local other = Receiver.open_another(t, rank)
    stream:stop_reading()
    stream:send { operation = "get", portal = 5, cookie = COOKIE, match_bits = 0, md = 1, length = LARGE }
    Receiver.check_alive(t, rank, other)
    other:send { operation = "get", portal = 5, cookie = COOKIE, match_bits = 0, md = 2, length = 40 }
    t:expect("P30-154", other, "reply", { md = 2, mlength = 40, data = t.mix(1, 40) })
    other:send { operation = "put", portal = 5, cookie = COOKIE, match_bits = 0, md = 3, offset = LARGE - 8,
      data = "12345678" }
    t:expect("P30-153", other, "ack", { md = 3, mlength = 8 })
    stream:resume_reading()
    t:expect("P30-154", stream, "reply", { md = 1, mlength = LARGE }, 20000)
  end,
}
