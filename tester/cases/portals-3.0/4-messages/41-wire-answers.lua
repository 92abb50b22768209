-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 4.1 at both ends of an answer: by which handle a request asks for it, when it must not come, what it is made
-- of, and what becomes of one that comes too late. A scripted peer is the other end.

defaults { suite = "wire", chapter = "4.1", wire = true }

local PUT, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_MANAGE_REMOTE"
local COOKIE, PORTAL = 2, 3

-- A rank that takes puts of everybody at portal 3 into "buf", and a peer with a stream that the rank opened.
local function meet(t, given)
  t:open { ptl_size = 8, acl_size = 4 }
  local rank, peer = t.ranks[0], t:peer(given or {})
  rank:ac_entry { index = COOKIE, matchid = t.any_nid, portal = "any" }
  rank:eq("eq", 64)
  rank:region("buf", 64)
  rank:attach { index = PORTAL, matchid = t.any_nid, ignorebits = -1, options = PUT .. "|" .. REMOTE, eventq = "eq" }
  rank:bind { desc = "void", md = "opener", length = 0 }
  rank:put { mem_desc = "opener", target = t.nid(peer.id) }
  local stream = t:accept(peer)
  local first = stream:receive()
  t:sanity("the first put arrives", first ~= nil and first.operation == "put")
  return rank, peer, stream, first
end

local function put_of(fields)
  local message = { operation = "put", portal = PORTAL, cookie = COOKIE, data = "data" }
  for key, value in pairs(fields) do message[key] = value end
  return message
end

case {
  id = "wire-put-names-its-target",
  only = true,
  title = "A put names its target by all ids that the sender knows",
  purpose = "The peer is rank 3 of a group of 5. Node and process are those of the call; group and rank are the peer's, or all ones as long as the sender does not know them.",
  requirements = { "P30-278" },
  run = function(t)
    t:open {}
    local rank, peer = t.ranks[0], t:peer { gid = t.ranks[0].id.gid ~ 1, rid = 3, group_size = 5 }
    rank:bind { length = 0, md = "out-md" }
    local stream
    for round = 1, 3 do
      rank:put { mem_desc = "out-md", target = t.nid(peer.id) }
      stream = stream or t:accept(peer)
      local put = t:expect("P30-278", stream, "put")
      for _, member in ipairs { "nid", "pid", "gid", "rid" } do
        local unknown = (member == "gid" or member == "rid") and put.target[member] == stream.UNKNOWN
        t:check("P30-278", member .. " of the target of put " .. round,
          unknown or put.target[member] == peer.id[member], peer.id[member], put.target[member])
      end
    end
  end,
}

case {
  id = "wire-put-without-queue",
  title = "A put from a descriptor without an event queue asks for no acknowledgement",
  purpose = "A get has told the descriptor's handle. With PTL_ACK_REQ the put carries PTL_MD_NONE, or as a known reading has it this very handle; anything else would ask for an answer that nobody could recognise.",
  requirements = { "P30-259" },
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:get { mem_desc = "opener", target = t.nid(peer.id) }
    local get = stream:receive()
    t:sanity("the get arrives", get ~= nil and get.operation == "get")
    rank:put { mem_desc = "opener", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id) }
    local put = t:expect("P30-259", stream, "put")
    local names = { [stream.NO_MD] = "PTL_MD_NONE", [get.md] = "the descriptor's handle" }
    t:reading("P30-259", "ack_needs_queue", "the descriptor field without an event queue",
      names[put.md] or t.hex(put.md), { { "no", "PTL_MD_NONE" }, { "yes", "the descriptor's handle" } })
  end,
}

case {
  id = "wire-put-handle-finds-its-way",
  title = "The handle of a put, echoed, leads to the descriptor from which it was put",
  purpose = "Two puts from two descriptors with a queue each; the peer acknowledges the second first, with the handles as they came. Each queue gets the acknowledgement of its own put.",
  requirements = { "P30-283" },
  run = function(t)
    local rank, peer, stream = meet(t)
    local puts = {}
    for i = 1, 2 do
      local name = "own" .. i
      rank:eq(name)
      rank:bind { desc = "void", md = name .. "-md", length = 0, eventq = name }
      rank:put { mem_desc = name .. "-md", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id), match_bits = i }
      puts[i] = t:expect("P30-283", stream, "put", { match_bits = i })
      t:sanity("the put is told as sent", rank:wait(name).event.type == "PTL_EVENT_SENT")
    end
    for _, i in ipairs { 2, 1 } do
      stream:answer(puts[i])
      t:event("P30-283", rank, "own" .. i, { type = "PTL_EVENT_ACK", match_bits = i })
      t:equal("P30-283", "events in the other queue", rank:PtlEQCount { eventq = "own" .. 3 - i }.count, 0)
    end
  end,
}

case {
  id = "wire-no-handle-no-ack",
  title = "A put with PTL_MD_NONE is taken and not acknowledged",
  purpose = "The next message of the rank is the acknowledgement of the put behind it, which has a handle.",
  requirements = { "P30-285" },
  run = function(t)
    local rank, peer, stream = meet(t)
    stream:send(put_of { match_bits = 1, md = stream.NO_MD })
    stream:send(put_of { match_bits = 2, md = 5 })
    t:event("P30-285", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = 1 })
    t:expect("P30-285", stream, "ack", { match_bits = 2, md = 5 })
    t:nothing_before("P30-285", stream, put_of { match_bits = 3, md = 6 })
  end,
}

case {
  id = "wire-ack-disabled",
  title = "PTL_MD_ACK_DISABLE suppresses acknowledgements, with and without an event queue",
  purpose = "Puts of four, no and 70000 octets ask for an acknowledgement: to a descriptor with the option and a queue, to one with the option alone, to one that cuts all of it off. None is acknowledged but one to a descriptor without the option; those to the first are logged.",
  requirements = { "P30-260" }, chapter = "3.10",
  run = function(t)
    local rank, peer, stream = meet(t)
    local silent = PUT .. "|" .. REMOTE .. "|PTL_MD_ACK_DISABLE"
    rank:attach { index = 4, matchid = t.any_nid, me = "me4", md = "md4", options = silent, eventq = "eq" }
    rank:attach { index = 5, matchid = t.any_nid, me = "me5", md = "md5", options = silent }
    rank:attach { index = 6, matchid = t.any_nid, me = "me6", md = "md6", start = "null", length = 0,
      options = silent .. "|PTL_MD_TRUNCATE" }
    for portal = 4, 6 do
      for _, octets in ipairs { 0, 70000 } do
        if octets == 0 or portal == 6 then
          stream:send(put_of { portal = portal, md = 10 * portal, data = string.rep("x", octets) })
        end
      end
    end
    t:event("P30-260", rank, "eq", { type = "PTL_EVENT_PUT", portal = 4, mlength = 0 })
    for _, portal in ipairs { 4, 5, 6, PORTAL } do stream:send(put_of { portal = portal, md = portal }) end
    t:expect("P30-260", stream, "ack", { md = PORTAL, portal = PORTAL })
    t:nothing_before("P30-260", stream, put_of { md = 6 })
    for _, portal in ipairs { 4, PORTAL } do
      t:event("P30-260", rank, "eq", { type = "PTL_EVENT_PUT", portal = portal })
    end
  end,
}

case {
  id = "wire-ack-kind",
  title = "The answer to a put has the operation code of an acknowledgement",
  purpose = "Puts that are taken whole, cut to nothing, and empty; the operation of each answer is looked at before anything else.",
  requirements = { "P30-287" },
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:attach { index = 4, matchid = t.any_nid, me = "me4", md = "md4", start = "null", length = 0,
      options = PUT .. "|PTL_MD_TRUNCATE" }
    for i, message in ipairs { put_of { md = 1 }, put_of { md = 2, portal = 4 }, put_of { md = 3, data = "" } } do
      stream:send(message)
      local answer, reason = stream:receive()
      t:equal("P30-287", "operation of answer " .. i, answer and answer.operation or reason, "ack")
    end
  end,
}

case {
  id = "wire-ack-is-bare",
  title = "The next message begins directly behind the last field of an acknowledgement",
  purpose = "Three puts with data; the octets of the second and third acknowledgement can only be read in their places when the one before brought no data.",
  requirements = { "P30-295" },
  run = function(t)
    local rank, peer, stream = meet(t)
    for i = 1, 3 do stream:send(put_of { md = i, data = t.mix(i, 40) }) end
    for i = 1, 3 do t:expect("P30-295", stream, "ack", { md = i, rlength = 40, mlength = 40 }) end
    t:nothing_before("P30-295", stream, put_of { md = 4 })
  end,
}

case {
  id = "wire-late-reply-writes-nothing",
  title = "A reply for a descriptor that was unlinked does not write to its memory",
  purpose = "The descriptor of a get is unlinked and its memory overwritten before the peer replies. A put behind the reply shows that it was handled: the memory has its new octets and no event came. The same reply was taken as long as the descriptor was there.",
  requirements = { "P30-304" }, negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:eq("late")
    rank:bind { desc = "in-desc", region = "in", octets = 32, md = "in-md", eventq = "late" }
    local function ask()
      rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
      local get = stream:receive()
      t:sanity("the get arrives", get ~= nil and get.operation == "get")
      return get
    end
    local early = ask()
    stream:answer(early)
    t:valid_counterpart(stream, stream:answer_of(early), rank:wait("late").event)
    local get = ask()
    local rc = rank:PtlMDUnlink { mem_desc = "in-md" }.rc
    if t:equal_or_warn("P30-304", "PtlMDUnlink with a reply outstanding returns", rc, "PTL_OK",
        { PTL_MD_INUSE = "refused until the reply has come" }) ~= "PTL_OK" then
      t:no_forgery_possible("the descriptor stays until the reply has come")
      return
    end
    rank:fill("in", "byte/90")
    t:send_invalid("P30-304", stream, stream:answer_of(get, { data = t.mix(9, 32) }), { state = "descriptor" })
    stream:send(put_of { match_bits = 1 })
    t:sanity("the put behind the reply is logged", rank:wait("eq").event ~= nil)
    t:octets("P30-304", "the memory that was given back", rank, "in", "byte/90")
    t:equal("P30-304", "events of the get", rank:count_events("late"), 0)
  end,
}

case {
  id = "wire-no-handle-no-ack-however-served",
  title = "A put with PTL_MD_NONE is not acknowledged, whatever became of it",
  purpose = "Puts without a handle that arrive whole, that are cut, to nothing too, however long they are, that have no octets, that use up their descriptor and that are dropped; the next message of the rank is the acknowledgement of a put behind them.",
  requirements = { "P30-285" },
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:attach { index = 4, matchid = t.any_nid, me = "me4", md = "md4", region = "ten", octets = 10, eventq = "eq",
      options = PUT .. "|" .. REMOTE .. "|PTL_MD_TRUNCATE" }
    rank:attach { index = 5, matchid = t.any_nid, me = "me5", md = "md5", region = "ten", length = 10, threshold = 1,
      md_unlink = "PTL_UNLINK", options = PUT .. "|" .. REMOTE .. "|PTL_MD_TRUNCATE", eventq = "eq" }
    for portal, offset, octets, taken in each { { 4, 0, 10, 10 }, { 4, 0, 16, 10 }, { 4, 7, 9, 3 }, { 4, 10, 4, 0 },
      { 4, 0, 0, 0 }, { 4, 0, 1 << 20, 10 }, { 4, 10, 1 << 20, 0 }, { 5, 0, 1 << 20, 10 } } do
      stream:send(put_of { portal = portal, offset = offset, md = stream.NO_MD, data = t.mix(3, octets) })
      t:event("P30-285", rank, "eq", { type = "PTL_EVENT_PUT", rlength = octets, mlength = taken })
    end
    stream:send(put_of { portal = 5, md = stream.NO_MD }) -- to nobody now
    stream:send(put_of { match_bits = 2, md = 5 })
    t:expect("P30-285", stream, "ack", { match_bits = 2, md = 5 })
    t:nothing_before("P30-285", stream, put_of { match_bits = 3, md = 6 })
  end,
}
