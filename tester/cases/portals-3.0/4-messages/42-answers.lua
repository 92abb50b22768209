-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 4.2: acknowledgements and replies that cannot be taken: nobody asked for them, their descriptor is dead,
-- their lengths are impossible, or their event has no place.

defaults { suite = "receiving", chapter = "4.2", wire = true, still = { "P32-222" } }

local COOKIE = Receiver.COOKIE
local take_anything, set_up, check_alive = Receiver.take_anything, Receiver.set_up, Receiver.check_alive
local discards = Receiver.discards

-- Ends every descriptor of the rank, the named one too: from then on no handle whatever names a descriptor.
local function unlink_all(rank, also)
  for _, md in ipairs { "opener", "md", also } do rank:md_unlink { mem_desc = md } end
end

case {
  id = "receive-manipulated-above-requested",
  title = "An answer that moved more than was asked for is discarded",
  purpose = "The rank has a put and a get outstanding. An acknowledgement and a reply with right handles and a manipulated length above the requested one must have no effect; the honest answers that follow must be taken.",
  requirements = { "P30-321", "P30-310" }, negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    rank:bind { region = "in", octets = 16, md = "in-md", eventq = "eq" }
    rank:put { mem_desc = "in-md", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id) }
    local put = stream:receive()
    rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
    local get = stream:receive()
    t:sanity("both requests arrive", put and get and put.operation == "put" and get.operation == "get")
    t:sanity("the sent event comes", rank:wait("eq").event.type == "PTL_EVENT_SENT")
    local before = rank:drop_count()
    t:send_invalid("P30-321", stream, { operation = "ack", portal = put.portal, md = put.md, rlength = 16,
      mlength = 17 }, "overfull-answer")
    t:send_invalid("P30-321", stream, { operation = "reply", portal = get.portal, md = get.md, rlength = 16,
      mlength = 40, data = string.rep("F", 40) }, "overfull-answer")
    t:drops("P30-321", rank, before, 2)
    t:octets("P30-321", "the memory", rank, "in", "byte/0")
    stream:answer(put)
    t:event("P30-310", rank, "eq", { type = "PTL_EVENT_ACK", mlength = 16 })
    stream:answer(get, { data = t.mix(1, 16) })
    t:event("P30-310", rank, "eq", { type = "PTL_EVENT_REPLY", mlength = 16 })
  end,
}

case {
  id = "receive-answers-without-handle",
  title = "An acknowledgement and a reply with PTL_MD_NONE are discarded",
  purpose = "They answer nothing.",
  requirements = { "P30-308", "P30-311" }, negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    check_alive(t, rank, stream)
    discards(t, "P30-308", rank, stream, { operation = "ack", md = stream.NO_MD, rlength = 4, mlength = 4 },
      "answer-without-md")
    discards(t, "P30-311", rank, stream, { operation = "reply", md = stream.NO_MD, data = "data" }, "answer-without-md")
  end,
}

case {
  id = "receive-ack-for-dead-handle",
  title = "An acknowledgement for a handle that is not valid is dropped and counted",
  purpose = "Invented handles, and the handle of a descriptor that was unlinked.",
  requirements = { "P30-308", "P30-012", "P30-321" }, negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    rank:bind { length = 0, md = "gone", eventq = "eq" }
    rank:put { mem_desc = "gone", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id), match_bits = 0x60e }
    local put = stream:receive()
    t:sanity("the put arrives and wants an answer", put and put.operation == "put" and put.md ~= stream.NO_MD)
    t:sanity("the sent event comes", rank:wait("eq").event.type == "PTL_EVENT_SENT")
    t:judging("P30-012")
    stream:answer(put, { portal = 7777 })
    t:confirm_violation("ack-portal", stream)
    t:event("P30-012", rank, "eq", { type = "PTL_EVENT_ACK" })
    local before = rank:drop_count()
    unlink_all(rank, "gone")
    t:judging("P30-308")
    stream:answer(put)
    t:confirm_violation("ack-again", stream)
    local counts = t:reading("P30-308", "count_dropped_answers", "the drop count rises by",
      rank:wait_drop_count(before + 1) - before, { { "yes", 1 }, { "no", 0 } }) == "yes" and 1 or 0
    for i, handle in ipairs { put.md ~ 1, put.md ~ (1 << 32), put.md ~ (1 << 63), 0, -2 } do
      stream:answer(put, { md = handle })
      t:confirm_violation("ack-unasked", stream)
      t:drops("P30-321", rank, before + i * counts, counts)
    end
    t:equal("P30-308", "events", rank:PtlEQCount().count, 0)
    take_anything(rank)
    check_alive(t, rank, stream)
  end,
}

for long, octets in each { { "", 64 }, { "long-", 100000 } } do
  case {
    id = "receive-" .. long .. "reply-for-dead-handle",
    title = "A reply for a handle that is not valid is dropped and counted, and writes to no memory",
    purpose = "Invented handles and the handle of an unlinked descriptor, with " .. octets .. " octets; guard octets "
      .. "and the old memory stay.",
    requirements = { "P30-311", "P30-013", "P30-321" }, negative = true,
    run = function(t)
      local rank, peer, stream = set_up(t)
      rank:bind { region = "in", octets = octets, md = "gone", eventq = "eq" }
      rank:get { mem_desc = "gone", target = t.nid(peer.id) }
      local get = stream:receive()
      t:sanity("the get arrives", get and get.operation == "get")
      rank:ac_entry { index = 0, matchid = t.gid(rank.id), portal = 0 }
      rank:ac_entry { index = COOKIE, matchid = t.gid(rank.id), portal = 0 }
      t:judging("P30-013")
      stream:answer(get, { data = t.mix(1, octets) })
      t:event("P30-013", rank, "eq", { type = "PTL_EVENT_REPLY", mlength = octets })
      t:octets("P30-013", "the data", rank, "in", "mix/1")
      local before = rank:drop_count()
      unlink_all(rank, "gone")
      t:judging("P30-311")
      stream:answer(get, { data = t.mix(2, octets) })
      t:confirm_violation("reply-again", stream)
      local counts = t:reading("P30-311", "count_dropped_answers", "the drop count rises by",
        rank:wait_drop_count(before + 1) - before, { { "yes", 1 }, { "no", 0 } }) == "yes" and 1 or 0
      for i, handle in ipairs { get.md ~ 1, get.md ~ (1 << 32), get.md ~ (1 << 63), 0, -2 } do
        stream:answer(get, { md = handle, data = t.mix(3, octets) })
        t:confirm_violation("reply-unasked", stream)
        t:drops("P30-321", rank, before + i * counts, counts)
      end
      stream:answer(get, { md = get.md ~ 1, mlength = 0, data = "" })
      t:confirm_violation("reply-unasked", stream)
      t:drops("P30-311", rank, before + 6 * counts, counts)
      t:octets("P30-311", "the memory of the unlinked descriptor", rank, "in", "mix/1")
      t:equal("P30-311", "events", rank:PtlEQCount().count, 0)
    end,
  }
end

-- How many events a full queue holds. That puts were sent may be told some time after they are over: looks until there
-- is one, and then no other for 50 ms, 100 times at most.
local function settled_count(rank, eq)
  local count, before = rank:PtlEQCount { eventq = eq }.count, nil
  for _ = 1, 100 do
    rank:pause(50)
    before, count = count, rank:PtlEQCount { eventq = eq }.count
    if count == before and count ~= 0 then break end
  end
  return count
end

for name, octets, places in each {
  { "answers", 16, 1 }, { "empty-answers", 0, 1 }, { "answers-of-three", 16, 3 }, { "empty-answers-of-three", 0, 3 },
} do
  case {
    id = "receive-queue-full-" .. name,
    title = "Answers for whose event the queue has no room are dropped and counted",
    purpose = "A queue of " .. places .. ", and whatever more it may hold, is full of sent events: the "
      .. "acknowledgement of a put and then the reply to a get cannot be logged, which has " .. octets .. " octets. "
      .. "The same two were taken before, when it was empty, and two more fare as they do.",
    requirements = { "P30-309", "P30-312", "P30-321" }, negative = true,
    run = function(t)
      local rank, peer, stream = set_up(t)
      rank:eq("tiny", places)
      rank:bind { region = "in", octets = 16, md = "in-md", eventq = "tiny" }
      local function ask_put()
        rank:put { mem_desc = "in-md", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id) }
        local put = stream:receive()
        t:sanity("the put arrives", put ~= nil and put.operation == "put")
        return put
      end
      local function ask_get()
        rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
        local get = stream:receive()
        t:sanity("the get arrives", get ~= nil and get.operation == "get")
        rank:count_events("tiny") -- a known reading has logged that it was sent: P30-223
        return get
      end
      local function taken(request, kind, given)
        stream:answer(request, given)
        local event = rank:wait("tiny").event
        t:valid_counterpart(stream, stream:answer_of(request, given), event ~= nil and event.type == kind)
      end
      local early = ask_put()
      t:sanity("the sent event comes", rank:wait("tiny").event.type == "PTL_EVENT_SENT")
      taken(early, "PTL_EVENT_ACK")
      local reply <const> = { data = t.mix(4, octets), mlength = octets }
      taken(ask_get(), "PTL_EVENT_REPLY", reply)
      rank:fill("in", "byte/0")
      local put, get, next_put, next_get = ask_put(), ask_get(), ask_put(), ask_get()
      local plenty, lost = 1000, rank:drop_count()
      rank:bind { length = 0, desc = "void", md = "filler", eventq = "tiny" }
      rank:batch(plenty, { { "PtlPut", { mem_desc = "filler", ack_req = "PTL_NOACK_REQ", target = t.gid(rank.id),
        portal = 7, cookie = 0, match_bits = 0, offset = 0 } } })
      t:sanity("the puts that fill the queue were sent, and dropped",
        rank:wait_drop_count(lost + plenty, 20000) == lost + plenty)
      local before = lost + plenty
      local held = settled_count(rank, "tiny")
      t:send_invalid("P30-309", stream, stream:answer_of(put), { state = "queue" })
      check_alive(t, rank, stream)
      local after_ack = rank:drop_count() - before
      t:send_invalid("P30-312", stream, stream:answer_of(get, reply), { state = "queue" })
      check_alive(t, rank, stream)
      local after_reply = rank:drop_count() - before
      t:send_invalid("P30-309", stream, stream:answer_of(next_put), { state = "queue" })
      check_alive(t, rank, stream)
      local after_next_ack = rank:drop_count() - before
      t:send_invalid("P30-312", stream, stream:answer_of(next_get, reply), { state = "queue" })
      check_alive(t, rank, stream)
      local after_next_reply = rank:drop_count() - before
      local kept = 0
      for _, event in ipairs((rank:collect("tiny", held + 2, 0))) do
        kept = kept + (event.type == "PTL_EVENT_SENT" and 1 or 0)
      end
      -- What is counted was refused; what is not may have been refused all the same, as the queue and the memory tell.
      t:skip_if(octets == 0 and math.max(after_ack, after_reply) == 0, "what became of empty answers cannot be told")
      local refused = after_reply > 0 or (kept == held and rank:compare("in", "byte/0").equal)
      for _, req in ipairs { "P30-309", "P30-312" } do
        t:reading(req, "full_queue", "a queue without room for the event of an answer",
          refused and "refuses" or "overwrites", { { "refuse", "refuses" }, { "overwrite", "overwrites" } })
      end
      t:check("P30-321", "messages counted of each answer that was discarded",
        math.max(after_ack, after_reply - after_ack, after_next_ack - after_reply,
          after_next_reply - after_next_ack) <= 1, "one at most",
        { after_ack, after_reply, after_next_ack, after_next_reply })
      if refused then
        for req, counts in each { { "P30-309", after_ack }, { "P30-312", after_reply - after_ack } } do
          t:reading(req, "count_dropped_answers", "answers that were discarded and counted, of one", counts,
            { { "yes", 1 }, { "no", 0 } })
        end
        t:equal("P30-309", "messages counted after one more acknowledgement", after_next_ack, after_reply + after_ack)
        t:equal("P30-312", "messages counted after one more reply", after_next_reply, 2 * after_reply)
        t:octets("P30-312", "the memory", rank, "in", "byte/0")
        t:equal("P30-309", "events of the full queue that are left", kept, held)
        t:equal("P30-309", "further events", rank:PtlEQCount { eventq = "tiny" }.count, 0)
      end
    end,
  }
end

case {
  id = "receive-ack-not-asked-for",
  title = "An acknowledgement that is no longer awaited does not pass for the answer to another put",
  purpose = "The peer acknowledges a put with the portal, bits and lengths of that put but the handle of a descriptor that is gone; the put's own acknowledgement comes later and is the only one logged.",
  requirements = { "P30-308", "P30-222" }, negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    local function ask(md)
      rank:bind { length = 0, md = md, eventq = "eq" }
      rank:put { mem_desc = md, ack_req = "PTL_ACK_REQ", target = t.nid(peer.id), match_bits = 0xabc }
      t:sanity("the sent event comes", rank:wait("eq").event.type == "PTL_EVENT_SENT")
      local put = stream:receive()
      t:sanity("the put arrives", put ~= nil and put.operation == "put")
      return put
    end
    local dead = ask("dead").md
    local unlinked = rank:PtlMDUnlink { mem_desc = "dead" }
    t:skip_if(unlinked.rc == "PTL_MD_INUSE", "the descriptor stays until its acknowledgement has come")
    t:setup(unlinked)
    local put = ask("alive")
    t:skip_if(put.md == dead, "the system has given the handle's value again")
    local before = rank:drop_count()
    t:send_invalid("P30-308", stream, stream:answer_of(put, { md = dead }), { state = "descriptor" })
    t:reading("P30-308", "count_dropped_answers", "the drop count rises by",
      rank:wait_drop_count(before + 1) - before, { { "yes", 1 }, { "no", 0 } })
    stream:answer(put)
    t:valid_counterpart(stream, stream:answer_of(put), t:event("P30-222", rank, "eq", { type = "PTL_EVENT_ACK",
      match_bits = 0xabc }))
    t:equal("P30-222", "further events", rank:PtlEQCount().count, 0)
  end,
}
