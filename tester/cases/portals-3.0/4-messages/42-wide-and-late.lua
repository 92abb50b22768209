-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 4.2: requests whose numbers only look small in 32 bits, and answers for what is no longer there. A scripted
-- peer is the other end.

defaults { suite = "receiving", chapter = "4.2", wire = true }

local PUT, GET, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"
local COOKIE = Receiver.COOKIE
local set_up, discards, accepts, with_field = Receiver.set_up, Receiver.discards, Receiver.accepts, Receiver.with_field

case {
  id = "receive-numbers-beyond-32-bits",
  title = "An offset and a length are compared in all of their 64 bits",
  purpose = "At a descriptor of 64 octets that cuts nothing, a put with the offset 2^32 + 8 and a get of 2^32 + 16 octets have no room and are dropped. Without the 2^32 they are served.",
  requirements = { "P30-162", "P30-165" }, chapter = "3.7", negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    rank:attach { index = 5, me = "me5", md = "md5", region = "small", octets = 64, matchid = t.any_nid,
      options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
    local put = { operation = "put", portal = 5, cookie = COOKIE, md = 5, offset = 8, data = "eight" }
    local get = { operation = "get", portal = 5, cookie = COOKIE, md = 5, length = 16, mlength = 0 }
    t:judging("P30-162")
    discards(t, "P30-162", rank, stream, with_field(put, "offset", (1 << 32) + 8), { state = "room" })
    t:octets("P30-162", "the descriptor's region", rank, "small", "byte/0")
    accepts(t, rank, stream, put)
    t:judging("P30-165")
    discards(t, "P30-165", rank, stream, with_field(get, "length", (1 << 32) + 16), { state = "room" })
    accepts(t, rank, stream, get)
  end,
}

case {
  id = "receive-ack-for-a-freed-queue",
  title = "An acknowledgement whose queue was freed is dropped and counted like one whose descriptor is gone",
  purpose = "Two descriptors put twice each and ask for acknowledgements. The first ones are taken. Then the one descriptor is unlinked and the queue of the other is freed before the second ones come: a system counts both of them or none.",
  requirements = { "P30-308" }, negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    local counted = {}
    for name, state in each { { "unlinked", "descriptor" }, { "queueless", "queue" } } do
      rank:eq(name .. "-eq")
      rank:bind { desc = "void", start = "null", length = 0, md = name, eventq = name .. "-eq" }
      local function ask()
        rank:put { mem_desc = name, ack_req = "PTL_ACK_REQ", target = t.nid(peer.id) }
        local put = stream:receive()
        t:sanity("the put arrives and is told as sent", put ~= nil and rank:wait(name .. "-eq").event ~= nil)
        return put
      end
      local ack = stream:answer_of(ask())
      stream:send(ack)
      local event = t:event("P30-308", rank, name .. "-eq", { type = "PTL_EVENT_ACK" })
      t:valid_counterpart(stream, ack, event)
      local again, before = stream:answer_of(ask()), rank:drop_count()
      if state == "queue" then
        rank:eq_free { eventq = name .. "-eq" }
      else
        local unlinked = rank:PtlMDUnlink { mem_desc = name }
        if unlinked.rc == "PTL_MD_INUSE" then stream:send(again) end
        t:skip_if(unlinked.rc == "PTL_MD_INUSE", "the descriptor stays until its acknowledgement has come")
        t:setup(unlinked)
      end
      t:send_invalid("P30-308", stream, again, { state = state })
      Receiver.check_alive(t, rank, stream)
      counted[#counted + 1] = rank:drop_count() - before
    end
    t:equal("P30-308", "the drop count rises for the one whose queue was freed by", counted[2], counted[1])
    t:reading("P30-308", "count_dropped_answers", "the drop count rises for the one whose descriptor is gone by",
      counted[1], { { "yes", 1 }, { "no", 0 } })
  end,
}

case {
  id = "receive-reply-into-nothing",
  title = "A reply whose descriptor has been made empty is cut to nothing, and logged",
  purpose = "After a get of 16 octets the descriptor is given a region of none. The reply has an event with a length of zero, and no octet of the former region changes.",
  requirements = { "P30-313" },
  run = function(t)
    local rank, peer, stream = set_up(t)
    rank:bind { region = "in", octets = 16, md = "in-md", eventq = "eq" }
    rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
    local get = stream:receive()
    t:sanity("the get arrives", get ~= nil and get.operation == "get")
    rank:md { name = "empty", start = "null", length = 0, eventq = "eq" }
    rank:md_update { mem_desc = "in-md", new = "empty" }
    stream:answer(get, { data = t.mix(3, 16) })
    local event = rank:wait("eq").event
    if t:reading("P30-313", "reply_truncation", "the event of a reply to an empty descriptor",
        event and event.type or "none", { { "always", "PTL_EVENT_REPLY" }, { "option", "none" } }) == "always" then
      t:equal("P30-313", "lengths of the event", { event.rlength, event.mlength }, { 16, 0 })
    end
    t:octets("P30-313", "the region that the descriptor had", rank, "in", "byte/0")
  end,
}

case {
  id = "receive-reply-while-updated",
  only = true,
  title = "A reply whose descriptor is updated while it arrives is logged in the descriptor's queue",
  purpose = "Half of a reply of 64 octets has come when the descriptor is made 20 octets long. With the rest of the reply its event comes.",
  requirements = { "P30-272" }, chapter = "3.10.2",
  run = function(t)
    local rank, peer, stream = set_up(t)
    rank:bind { region = "in", octets = 64, md = "in-md", eventq = "eq" }
    rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
    local get = stream:receive()
    t:sanity("the get arrives", get ~= nil and get.operation == "get")
    local reply = t:encode { operation = "reply", initiator = peer.id, target = rank.id, portal = get.portal,
      md = get.md, data = t.mix(2, 64) }
    stream:send_raw(reply:sub(1, -33))
    Receiver.check_alive(t, rank, Receiver.open_another(t, rank))
    rank:md { name = "shorter", start = "in", length = 20, eventq = "eq" }
    rank:md_update { mem_desc = "in-md", new = "shorter" }
    stream:send_raw(reply:sub(-32))
    t:event("P30-272", rank, "eq", { type = "PTL_EVENT_REPLY", rlength = 64 })
  end,
}

case {
  id = "access-wildcard-group-is-any-group",
  only = true,
  title = "An access control entry with a wildcard group admits processes of other groups",
  purpose = "Entry 3 names the peer's rank in any group, the group of no process and the rank of nobody in any group, one after the other. The peer, of a group of its own, is admitted by the first of them only.",
  requirements = { "P30-032" }, suite = "access-control", chapter = "2.3", negative = true,
  run = function(t)
    local rank, peer, stream = set_up(t)
    local id = peer.id
    local put = { operation = "put", portal = Receiver.PORTAL, cookie = 3, md = 5, data = "anybody" }
    rank:ac_entry { index = 3, matchid = { kind = "gid", gid = "any", rid = id.rid }, portal = "any" }
    stream:send(put)
    t:event("P30-032", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 7 })
    t:valid_counterpart(stream, put, stream:receive() ~= nil)
    for _, matchid in ipairs { { kind = "gid", gid = id.gid ~ 1, rid = "any" },
      { kind = "gid", gid = "any", rid = id.rid ~ 1 } } do
      rank:ac_entry { index = 3, matchid = matchid, portal = "any" }
      discards(t, "P30-032", rank, stream, put, { state = "access" })
    end
  end,
}
