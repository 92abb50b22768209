-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 4.1 and 4.2, field by field: every field of every message at its extremes, as the system under test sends it
-- and as it echoes it, and every field of every message forged, one at a time, in a message that is honest otherwise.

defaults { suite = "wire-fields", chapter = "4.1", wire = true }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local COOKIE, PORTAL = 2, 3
local BITS = { 0, 1, 1 << 31, 1 << 32, 1 << 63, -1, 0x0123456789abcdef }
local MEMBERS = { "nid", "pid", "gid", "rid" }

-- A rank of an interface, a peer, and a stream between them that the rank opened by an empty put of "opener".
local function meet(t)
  t:init()
  local rank, peer = t.ranks[0], t:peer {}
  rank:ni_init { ptl_size = 8, acl_size = 4 }
  rank:ac_entry { index = COOKIE, matchid = t.any_nid, portal = "any" }
  rank:eq("eq", 64)
  rank:bind { desc = "opener", md = "opener", length = 0 }
  rank:put { mem_desc = "opener", target = t.nid(peer.id) }
  local stream = t:accept(peer)
  local first = stream:receive()
  t:sanity("the first put arrives", first ~= nil and first.operation == "put")
  return rank, peer, stream
end

local function judge_ids(t, of_initiator, of_target, message, rank, peer)
  t:equal(of_initiator, "initiator", message.initiator, rank.id)
  t:equal(of_target, "node and process of the target", { message.target.nid, message.target.pid },
    { peer.id.nid, peer.id.pid })
end

case {
  id = "wire-fields-of-hello",
  title = "A HELLO tells interface, group size and rank as they are",
  purpose = "Both ranks of a job of two open streams to a peer, on the default interface and on a second one if there is one.",
  requirements = { "P30-058", "P30-059", "P30-072" }, ranks = 2,
  run = function(t)
    t:init()
    t:judging("P30-072")
    for interface = 0, 1 do
      for i = 0, 1 do
        local rank, peer, ni = t.ranks[i], t:peer {}, "ni" .. interface
        local number = interface == 0 and "default" or interface
        if rank:PtlNIInit { interface = number, handle = ni }.rc == "PTL_OK" then
          rank:bind { interface = ni, desc = "opener", md = ni .. "-md", length = 0 }
          rank:put { mem_desc = ni .. "-md", target = t.nid(peer.id) }
          local hello = t:accept(peer).hello
          t:equal("P30-072", "initiator of the HELLO", hello.initiator, rank.id)
          t:equal("P30-058", "node and process of its sender", { hello.initiator.nid, hello.initiator.pid },
            { rank.id.nid, rank.id.pid })
          t:equal("P30-059", "rank of its sender and size of the group", { hello.initiator.rid, hello.group_size },
            { i, 2 })
          t:equal("P30-072", "node and process of its target", { hello.target.nid, hello.target.pid },
            { peer.id.nid, peer.id.pid })
          t:equal("P30-072", "interface", hello.interface, interface)
          t:equal("P30-072", "major version", hello.version_major, 1)
        end
      end
    end
  end,
}

-- Arguments of PtlPut and PtlGet that take a field to its extremes, the others staying as they are.
local ARGUMENTS = {
  portal = { 0, 1, 7, 8, 65535, 0x7fffffff }, cookie = { 0, 1, 3, 65535, 0x7fffffff }, match_bits = BITS,
  offset = BITS,
}
local ORDER = { "portal", "cookie", "match_bits", "offset" }
local OF_PUT = { portal = "P30-279", cookie = "P30-280", match_bits = "P30-281", offset = "P30-282" }

case {
  id = "wire-fields-of-put",
  title = "Each field of a put carries every value of its argument",
  purpose = "Portal index, cookie, match bits, offset and length are taken to their extremes one by one; no field may leak into another.",
  requirements = { "P30-266", "P30-276", "P30-277", "P30-278", "P30-279", "P30-280", "P30-281", "P30-282", "P30-286" },
  run = function(t)
    local rank, peer, stream = meet(t)
    local fields = { portal = 5, cookie = 6, match_bits = 0x1111111122222222, offset = 0x3333333344444444 }
    t:judging("P30-276")

    local function put(md, length, data)
      local result = rank:PtlPut { mem_desc = md, target = t.nid(peer.id), portal = fields.portal,
        cookie = fields.cookie, match_bits = fields.match_bits, offset = fields.offset }
      t:rc("P30-266", result, "PTL_OK")
      local message = t:expect("P30-276", stream, "put")
      judge_ids(t, "P30-277", "P30-278", message, rank, peer)
      for _, name in ipairs(ORDER) do t:equal(OF_PUT[name], name, message[name], fields[name]) end
      t:equal("P30-286", "length", message.length, length)
      t:check("P30-286", "the data", message.data == data, length .. " octets of the region", #message.data)
    end

    for _, name in ipairs(ORDER) do
      local usual = fields[name]
      for _, value in ipairs(ARGUMENTS[name]) do
        fields[name] = value
        put("opener", 0, "")
      end
      fields[name] = usual
    end
    rank:region("src", 70000, { fill = "mix/6" })
    for i, length in ipairs { 1, 2, 76, 4096, 65535, 65536, 70000 } do
      rank:bind { desc = "part", start = "src", length = length, md = "part" .. i }
      put("part" .. i, length, t.mix(6, length))
    end
  end,
}

case {
  id = "wire-indices-above-31-bits",
  title = "Portal indices and cookies above 2^31 travel as they are",
  purpose = "Who has which portals only the target knows. Puts and gets name indices whose highest bit is set; a library whose types are narrower, or that refuses such numbers, is skipped.",
  requirements = { "P30-279", "P30-280", "P30-296" },
  run = function(t)
    local rank, peer, stream = meet(t)
    local types = rank:describe()
    t:skip_if(types["ptl_pt_index_t"].octets < 4 or types["ptl_ac_index_t"].octets < 4,
      "the system's types: its indices are narrower than 32 bits")
    for _, value in ipairs { 0x80000000, 0x80000005, 0xfffffffe } do
      for kind, rows in each { { "put", { portal = "P30-279", cookie = "P30-280" } },
          { "get", { portal = "P30-296", cookie = "P30-296" } } } do
        for name, req in pairs(rows) do
          local fields = { mem_desc = "opener", target = t.nid(peer.id), portal = 5, cookie = 6 }
          fields[name] = value
          local result = rank[kind == "put" and "PtlPut" or "PtlGet"](rank, fields)
          t:skip_if(result.rc ~= "PTL_OK", "the system refuses so large an index: " .. tostring(result.rc))
          local message = t:expect(req, stream, kind)
          t:equal(req, name .. " of a " .. kind, message[name], value)
        end
      end
    end
  end,
}

case {
  id = "wire-get-beyond-32-bits",
  title = "A get asks for a region of more than 4 GiB as a whole",
  purpose = "A descriptor of 2^32 + 90 octets gets: the request carries this length. Nobody answers it.",
  requirements = { "P30-270", "P30-298" },
  run = function(t)
    local rank, peer, stream = meet(t)
    local length = (1 << 32) + 90
    t:skip_if(rank:describe()["ptl_size_t"].octets < 8, "the system's type: its sizes are narrower than 64 bits")
    rank:region("huge", length)
    rank:bind { desc = "all", region = "huge", md = "huge-md" }
    t:judging("P30-298")
    t:rc("P30-298", rank:PtlGet { mem_desc = "huge-md", target = t.nid(peer.id) }, "PTL_OK")
    local get = t:expect("P30-298", stream, "get")
    t:equal("P30-298", "length", get.length, length)
    t:equal("P30-270", "length of the initiator's descriptor", get.length, length)
  end,
}

case {
  id = "get-of-a-descriptor-beyond-32-bits",
  title = "A get from a descriptor of more than 4 GiB asks for all of it, the second one too",
  purpose = "A descriptor of 2^32 + 90 octets gets twice: each request carries this length. Nobody answers them.",
  requirements = { "P30-270" },
  run = function(t)
    local rank, peer, stream = meet(t)
    local length = (1 << 32) + 90
    t:skip_if(rank:describe()["ptl_size_t"].octets < 8, "the system's type: its sizes are narrower than 64 bits")
    rank:region("huge", length)
    rank:bind { desc = "all", region = "huge", md = "huge-md" }
    t:judging("P30-270")
    for _ = 1, 2 do
      t:rc("P30-270", rank:PtlGet { mem_desc = "huge-md", target = t.nid(peer.id) }, "PTL_OK")
      t:equal("P30-270", "length", t:expect("P30-270", stream, "get").length, length)
    end
  end,
}

case {
  id = "wire-fields-of-get",
  title = "Each field of a get carries every value of its argument",
  purpose = "The same for gets, with lengths up to 16 MiB; each carries the handle of its own descriptor, and no data.",
  requirements = { "P30-270", "P30-296", "P30-297", "P30-298", "P30-299" },
  run = function(t)
    local rank, peer, stream = meet(t)
    local fields = { portal = 5, cookie = 6, match_bits = 0x1111111122222222, offset = 0x3333333344444444 }
    local handles = {}
    t:judging("P30-296")

    local function get(md, length)
      t:rc("P30-296", rank:PtlGet { mem_desc = md, target = t.nid(peer.id), portal = fields.portal,
        cookie = fields.cookie, match_bits = fields.match_bits, offset = fields.offset }, "PTL_OK")
      local message = t:expect("P30-299", stream, "get")
      judge_ids(t, "P30-296", "P30-296", message, rank, peer)
      for _, name in ipairs(ORDER) do t:equal("P30-296", name, message[name], fields[name]) end
      t:equal("P30-298", "length", message.length, length)
      t:equal("P30-270", "length of the initiator's descriptor", message.length, length)
      t:check("P30-297", "the descriptor field", message.md ~= stream.NO_MD and (handles[message.md] or md) == md,
        "the handle of " .. md, handles[message.md] or "PTL_MD_NONE")
      handles[message.md] = md
    end

    for _, name in ipairs(ORDER) do
      local usual = fields[name]
      for _, value in ipairs(ARGUMENTS[name]) do
        fields[name] = value
        get("opener", 0)
      end
      fields[name] = usual
    end
    rank:region("in", 16 << 20)
    for i, length in ipairs { 1, 255, 65536, 16 << 20 } do
      rank:bind { desc = "part", start = "in", length = length, md = "part" .. i }
      get("part" .. i, length)
    end
    rank:put { mem_desc = "opener", target = t.nid(peer.id) }
    t:expect("P30-299", stream, "put")
  end,
}

-- Takes everything at two portals: by an offset of its own, so that the request's may have any value.
local function take_all(rank, options)
  rank:region("buf", 64, { fill = "mix/9" })
  for _, portal in ipairs { 0, 7 } do
    rank:attach { index = portal, matchid = Test.any_nid, ignorebits = -1, me = "me" .. portal, md = "md" .. portal,
      options = options .. "|" .. TRUNCATE }
  end
end

-- Echoed fields, each taken to its extremes, with the requirement of acknowledgements.
local ECHOES = {
  { "portal", "P30-289", { 0, 7 } }, { "match_bits", "P30-290", BITS }, { "offset", "P30-291", BITS },
  { "md", "P30-292", { 0, 1, 1 << 32, 1 << 63, -2, 0x0123456789abcdef } },
}

local function each_echo(act)
  local fields = { portal = 7, match_bits = 0x1111111122222222, offset = 0x3333333344444444, md = 0x5555555566666666 }
  for name, req, values in each(ECHOES) do
    local usual = fields[name]
    for _, value in ipairs(values) do
      fields[name] = value
      act(fields, name, req)
    end
    fields[name] = usual
  end
end

case {
  id = "wire-fields-of-ack",
  title = "Each echoed field of an acknowledgement comes back whatever its value",
  purpose = "Portal index, match bits, offset and handle are taken to their extremes one by one, then the lengths around what fits.",
  requirements = { "P30-284", "P30-287", "P30-288", "P30-289", "P30-290", "P30-291", "P30-292", "P30-293", "P30-294" },
  run = function(t)
    local rank, peer, stream = meet(t)
    take_all(rank, PUT)

    local function put(fields, data)
      stream:send { operation = "put", portal = fields.portal, cookie = COOKIE, match_bits = fields.match_bits,
        offset = fields.offset, md = fields.md, data = data }
      local ack = t:expect("P30-284", stream, "ack")
      t:equal("P30-287", "operation", ack.operation, "ack")
      t:equal("P30-288", "initiator", ack.initiator, rank.id)
      t:equal("P30-288", "target", ack.target, peer.id)
      for _, row in ipairs(ECHOES) do t:equal(row[2], row[1], ack[row[1]], fields[row[1]]) end
      t:equal("P30-293", "requested length", ack.rlength, #data)
      return ack.mlength
    end

    each_echo(function(fields)
      t:equal("P30-294", "manipulated length of nothing", put(fields, ""), 0)
    end)
    local left = 64
    for _, length in ipairs { 1, 30, 33, 1, 4096 } do
      local fits = math.min(length, left)
      t:equal("P30-294", "manipulated length of " .. length, put({ portal = 7, match_bits = 1, offset = 2, md = 3 },
        string.rep("x", length)), fits)
      left = left - fits
    end
  end,
}

case {
  id = "wire-fields-of-reply",
  title = "Each echoed field of a reply comes back whatever its value",
  purpose = "The same for gets, and requested lengths up to the greatest that the binding has, 2^40: the reply carries what there is, and at last nothing.",
  requirements = { "P30-169", "P30-301", "P30-302", "P30-303" },
  run = function(t)
    local rank, peer, stream = meet(t)
    take_all(rank, GET)
    t:judging("P30-302")

    local function get(fields, length)
      stream:send { operation = "get", portal = fields.portal, cookie = COOKIE, match_bits = fields.match_bits,
        offset = fields.offset, md = fields.md, length = length }
      local reply = t:expect("P30-302", stream, "reply")
      t:equal("P30-301", "initiator", reply.initiator, rank.id)
      t:equal("P30-301", "target", reply.target, peer.id)
      for _, row in ipairs(ECHOES) do t:equal("P30-302", row[1], reply[row[1]], fields[row[1]]) end
      t:equal("P30-302", "requested length", reply.rlength, length)
      t:equal("P30-303", "octets of data", #reply.data, reply.mlength)
      return reply
    end

    each_echo(function(fields)
      t:equal("P30-303", "manipulated length of nothing", get(fields, 0).mlength, 0)
    end)
    local reply = get({ portal = 7, match_bits = 1, offset = 2, md = 3 }, 40)
    t:equal("P30-303", "data", reply.data, t.mix(9, 40))
    reply = get({ portal = 7, match_bits = 1, offset = 2, md = 3 }, (1 << 32) + 1)
    t:equal("P30-169", "data of a get for more than 2^32 octets", reply.data, t.mix(9, 24, 40))
    reply = get({ portal = 0, match_bits = 1, offset = 2, md = 3 }, 1 << 40)
    t:equal("P30-169", "data of a get for 2^40 octets", reply.data, t.mix(9, 64))
    reply = get({ portal = 0, match_bits = 1, offset = 2, md = 3 }, 30)
    t:equal("P30-303", "manipulated length where nothing is left", reply.mlength, 0)
  end,
}

---- the forger -----------------------------------------------------------------------------------------------------

-- A rank that takes puts and gets of everybody, with a put ("out-md") and a get ("in-md") outstanding at the peer.
local function meet_with_requests(t)
  local rank, peer, stream = meet(t)
  rank:region("buf", 64)
  rank:attach { index = PORTAL, matchid = t.any_nid, ignorebits = -1, options = PUT .. "|" .. GET .. "|" .. REMOTE,
    eventq = "eq" }
  rank:bind { desc = "in-desc", region = "in", octets = 64, md = "in-md", eventq = "eq" }
  rank:put { mem_desc = "in-md", ack_req = "PTL_ACK_REQ", target = t.nid(peer.id), match_bits = 4 }
  local put = stream:receive()
  rank:get { mem_desc = "in-md", target = t.nid(peer.id), match_bits = 5 }
  local get = stream:receive()
  t:sanity("both requests arrive", put and get and put.operation == "put" and get.operation == "get")
  t:sanity("the sent event comes", rank:wait("eq").event.type == "PTL_EVENT_SENT")
  return rank, peer, stream, put, get
end

-- The honest messages of the four kinds at this point of the conversation.
local function honest_messages(put, get)
  return {
    { operation = "put", portal = PORTAL, cookie = COOKIE, match_bits = 1, md = 11, data = "forged" },
    { operation = "get", portal = PORTAL, cookie = COOKIE, match_bits = 2, md = 12, length = 8 },
    { operation = "ack", portal = put.portal, match_bits = 4, md = put.md, rlength = 64, mlength = 64 },
    { operation = "reply", portal = get.portal, match_bits = 5, md = get.md, data = string.rep("f", 64) },
  }
end

local with = Receiver.with_field

-- Sends the forged message, then an honest put: that is answered next, logged next, and one drop is counted.
local function must_vanish(t, req, rank, stream, message, wrong, what)
  local before = rank:drop_count()
  t:send_invalid(req, stream, message, wrong)
  stream:send { operation = "put", portal = PORTAL, cookie = COOKIE, match_bits = 0xaf7e, md = 88, data = "after" }
  local ack, reason = stream:receive()
  t:check(req, what .. ": nothing is answered before the next honest put", ack ~= nil and ack.md == 88,
    "the acknowledgement of the honest put", ack and ack.operation or reason)
  local event = rank:wait("eq").event
  t:equal(req, what .. ": bits of the next event", event and event.match_bits, 0xaf7e)
  t:equal(req, what .. ": messages that were counted", rank:drop_count() - before, 1)
end

-- Fields, what is judged by operation, and the rules that are broken by member.
local FORGED_IDS = {
  { "target", { put = "P30-305", get = "P30-307", ack = "P30-307", reply = "P30-307" },
    { nid = "wrong-target", pid = "wrong-target", any = "wrong-rank" } },
  { "initiator", { put = "P30-030", get = "P30-030", ack = "P30-321", reply = "P30-321" },
    { any = "forged-initiator" } },
}

for field, reqs, wrong in each(FORGED_IDS) do
  case {
    id = "forged-" .. field .. "-members",
    only = true, -- later revisions have two members
    title = "A message of any kind with one wrong member of the " .. field .. " is discarded",
    purpose = "Node, process, group and rank are forged one at a time in a put, a get, an acknowledgement and a reply that are honest otherwise. Each is discarded without an answer and counted once, and the honest answers that follow are taken.",
    chapter = "4.2", negative = true,
    requirements = field == "target" and { "P30-305", "P30-307", "P30-310" } or { "P30-030", "P30-310", "P30-321" },
    run = function(t)
      local rank, peer, stream, put, get = meet_with_requests(t)
      local honest = field == "target" and rank.id or peer.id
      for _, message in ipairs(honest_messages(put, get)) do
        for _, member in ipairs(MEMBERS) do
          -- A bit is flipped in each member; the result still looks like a process.
          local other = honest[member] ~ 2
          local id = with(honest, member, other ~= Stream.UNKNOWN and other or honest[member] ~ 4)
          must_vanish(t, reqs[message.operation], rank, stream, with(message, field, id), wrong[member] or wrong.any,
            message.operation .. " with another " .. member)
        end
      end
      t:octets(reqs.reply, "the memory of the get", rank, "in", "byte/0")
      stream:answer(put)
      t:event("P30-310", rank, "eq", { type = "PTL_EVENT_ACK", match_bits = 4 })
      stream:answer(get, { data = t.mix(3, 64) })
      t:sanity("the honest reply is taken", rank:wait("eq").event.type == "PTL_EVENT_REPLY")
    end,
  }
end

case {
  id = "forged-echoes-of-reply",
  title = "A reply is dropped for nothing but its descriptor",
  purpose = "Portal index, match bits, offset and requested length of replies are not those of the get. Section 4.2 forbids to discard them for that: the data is stored and logged.",
  requirements = { "P30-311", "P30-313" }, chapter = "4.2", negative = true,
  run = function(t)
    local rank, peer, stream, _, get = meet_with_requests(t)
    t:judging("P30-313")
    for i, row in ipairs { { "portal", 6 }, { "match_bits", 0x77 }, { "offset", 12345 }, { "rlength", 100 } } do
      if i > 1 then
        rank:get { mem_desc = "in-md", target = t.nid(peer.id), match_bits = 5 }
        get = stream:receive()
        t:sanity("the next get arrives", get and get.operation == "get")
      end
      stream:answer(get, { [row[1]] = row[2], data = t.mix(i, 64) })
      t:confirm_violation("reply-echo", stream)
      t:event("P30-313", rank, "eq", { type = "PTL_EVENT_REPLY", mlength = 64 })
      t:octets("P30-313", "what a reply with another " .. row[1] .. " brought", rank, "in", "mix/" .. i)
    end
    local before = rank:drop_count()
    rank:get { mem_desc = "in-md", target = t.nid(peer.id), match_bits = 5 }
    get = stream:receive()
    for _, bit in ipairs { 0, 20, 63 } do
      stream:answer(get, { md = get.md ~ (1 << bit), data = t.mix(9, 64) })
      t:confirm_violation("reply-echo", stream)
    end
    stream:answer(get, { data = t.mix(4, 64) })
    t:event("P30-311", rank, "eq", { type = "PTL_EVENT_REPLY" })
    t:octets("P30-311", "the memory behind other handles and the right one", rank, "in", "mix/4")
    t:reading("P30-311", "count_dropped_answers", "the drop count rises by", rank:wait_drop_count(before + 3) - before,
      { { "yes", 3 }, { "no", 0 } })
  end,
}

-- Fields of requests that only the receiver's tables can judge; by which requirement, and by what state.
local REFUSED = {
  { "portal", "P30-316", "portal", { 8, 0x7fffffff, 0x80000000, 0xffffffff, PORTAL + 256, PORTAL + 65536 } },
  { "portal", "P30-320", "match", { 0, 7 } },
  { "cookie", "P30-317", "access", { 4, 0x7fffffff, 0x80000000, 0xffffffff, COOKIE + 256, COOKIE + 65536 } },
  { "cookie", "P30-318", "access", { 0, 3 } },
  { "match_bits", "P30-320", "match", { 0, 0xbeee, 0xbeef | 1 << 63 } },
  { "offset", "P30-325", "room", { 58, 65, 1 << 32, -4, -1 } },
}

case {
  id = "forged-request-fields",
  only = true,
  title = "A request with a field that does not fit the receiver is discarded, for each such field",
  purpose = "Portal index, cookie, match bits and offset of puts and gets, one at a time, at the bounds of the tables, at values that wrap round to good ones when cut to 8 or 16 bits, and as negative numbers. Each is counted once and not answered.",
  requirements = { "P30-316", "P30-317", "P30-318", "P30-320", "P30-325", "P30-329" }, chapter = "4.2", negative = true,
  run = function(t)
    local rank, peer, stream = meet(t)
    rank:region("buf", 64, { fill = "mix/9" })
    rank:attach { index = PORTAL, matchid = t.any_nid, match_bits = 0xbeef,
      options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
    local good = { portal = PORTAL, cookie = COOKIE, match_bits = 0xbeef, offset = 0 }
    local honest = {}
    for _, operation in ipairs { "put", "get" } do
      local message = { operation = operation, md = 5, portal = good.portal, cookie = good.cookie,
        match_bits = good.match_bits, offset = good.offset, length = 7, data = operation == "put" and "forgery" or nil }
      for name, req, state, values in each(REFUSED) do
        for _, value in ipairs(values) do
          local before = rank:drop_count()
          t:send_invalid(req, stream, with(message, name, value), { state = state })
          t:drops(req, rank, before, 1)
        end
      end
      honest[operation] = message
    end
    t:octets("P30-325", "the memory", rank, "buf", "mix/9")
    t:equal("P30-329", "events", rank:PtlEQCount().count, 0)
    stream:send { operation = "get", portal = PORTAL, cookie = COOKIE, match_bits = 0xbeef, md = 6, length = 64 }
    local reply = stream:receive()
    t:check("P30-329", "the next message is the reply to a good get", reply ~= nil and reply.operation == "reply"
      and reply.md == 6, "the reply", reply and reply.operation or "nothing")
    t:sanity("it is logged", rank:wait("eq").event ~= nil)
    Receiver.accepts(t, rank, stream, honest.get)
    Receiver.accepts(t, rank, stream, honest.put)
  end,
}
