-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What a process sees of the network through Portals: the address that it has, and that messages of every length and
-- alignment arrive once and begin in their order, whichever protocol carries them.

defaults { suite = "node", chapter = "5.2" }

local PUT, GET, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"
local PAGE, THRESHOLD = 4096, 408 + 16 * 480

-- Two ranks; the second one receives into "buf" of so many octets, at offsets that the sender says.
local function pair(t, octets, options)
  local from, to = t:open {}
  from:eq("eq", 64)
  to:eq("eq", 64)
  to:attach { octets = octets, options = (options or PUT) .. "|" .. REMOTE, eventq = "eq" }
  return from, to
end

-- Puts `length` octets of "out" from `from_offset`, to `offset` of "buf"; judges the event and the data there.
local function put_lands(t, req, from, to, length, from_offset, offset)
  from:bind { start = "out+" .. from_offset, length = length, md = "out-md", eventq = "eq" }
  from:put { mem_desc = "out-md", target = to, offset = offset }
  t:event(req, to, "eq", { type = "PTL_EVENT_PUT", rlength = length, mlength = length, offset = offset })
  t:octets(req, string.format("%d octets from %d at %d", length, from_offset, offset), to, "buf",
    "mix/5/" .. from_offset, offset, length)
  t:event(req, from, "eq", { type = "PTL_EVENT_SENT" })
  t:setup(from:PtlMDUnlink { mem_desc = "out-md" })
end

case {
  id = "node-address",
  title = "A process's nid is an address of 16 bits, its pid one that no other process of the node has",
  purpose = "Three processes ask for their ids; each node id is the address of a card, and the pairs differ.",
  requirements = { "ICPT-001", "ICPT-106", "ICPT-206" }, ranks = 3, chapter = "5.2.2",
  run = function(t)
    local pending, seen = {}, {}
    for i = 0, 2 do pending[i] = t.ranks[i]:start_PtlInit() end
    for i = 0, 2 do t:setup(pending[i]:finish()) end
    for i = 0, 2 do -- not by t:open, for which colliding ids end a case
      local rank, id = t.ranks[i], t:setup(t.ranks[i]:PtlGetId()).id
      t:check("ICPT-001", rank.label .. ": nid", id.nid >= 0 and id.nid <= 0xffff, "0 to 65535", id.nid)
      t:check("ICPT-206", rank.label .. ": pid", id.pid ~= 0, "another than 0", id.pid)
      local name = id.nid .. "/" .. id.pid
      t:check("ICPT-106", rank.label .. ": the pair of nid and pid", not seen[name], "its own", name)
      seen[name] = true
    end
  end,
}

case {
  id = "node-distance",
  title = "PtlNIDist tells the process itself from others",
  purpose = "The distance to the process itself is 0, that to a process on another node is more.",
  requirements = { "ICPT-212" }, ranks = 2, chapter = "5.3.2",
  run = function(t)
    local own, other = t:open {}
    local near = t:rc("ICPT-212", own:PtlNIDist { process = t.nid(own.id) }, "PTL_OK")
    local far = t:rc("ICPT-212", own:PtlNIDist { process = t.nid(other.id) }, "PTL_OK")
    t:equal("ICPT-212", "the distance to itself", tonumber(near.distance), 0)
    t:check("ICPT-212", "the distance to another node", tonumber(far.distance) > 0, "more than 0", far.distance)
  end,
}

case {
  id = "node-self",
  title = "A process can put to itself, however long the message is",
  purpose = "The card has no way to itself; puts of 0, 40, 20000 and 5000001 octets to the own process arrive all the same, each once, and are told as sent.",
  requirements = { "ICPT-110" }, chapter = "5.2.2",
  run = function(t)
    t:open {}
    local rank = t.ranks[0]
    rank:eq("eq", 64)
    rank:eq("sent", 8)
    rank:attach { octets = 5000001, options = PUT .. "|" .. REMOTE, eventq = "eq" }
    rank:region("out", 5000001, { fill = "mix/5" })
    for _, length in ipairs { 0, 40, 20000, 5000001 } do
      rank:bind { start = "out", length = length, md = "out-md", eventq = "sent" }
      rank:put { mem_desc = "out-md", target = rank }
      t:event("ICPT-110", rank, "eq", { type = "PTL_EVENT_PUT", mlength = length })
      t:octets("ICPT-110", length .. " octets", rank, "buf", "mix/5", 0, length)
      t:event("ICPT-110", rank, "sent", { type = "PTL_EVENT_SENT" })
      t:equal("ICPT-110", "further events", rank:count_events("eq"), 0)
      t:setup(rank:PtlMDUnlink { mem_desc = "out-md" })
    end
  end,
}

case {
  id = "node-self-get",
  title = "A process can get from itself, however much it is",
  purpose = "Gets of 0, 40, 20000 and 300001 octets from the own process bring their replies.",
  requirements = { "ICPT-110" }, chapter = "5.2.2",
  run = function(t)
    t:open {}
    local rank = t.ranks[0]
    rank:eq("eq", 64)
    rank:region("from", 300001, { fill = "mix/9" })
    rank:attach { region = "from", options = GET .. "|" .. REMOTE }
    rank:region("to", 300001)
    for _, length in ipairs { 0, 40, 20000, 300001 } do
      rank:bind { start = "to", length = length, md = "in-md", eventq = "eq" }
      rank:get { mem_desc = "in-md", target = rank }
      t:event("ICPT-110", rank, "eq", { type = "PTL_EVENT_REPLY", mlength = length })
      t:octets("ICPT-110", "what was fetched", rank, "to", "mix/9", 0, length)
      t:setup(rank:PtlMDUnlink { mem_desc = "in-md" })
    end
  end,
}

for name, length in each { {"nothing", 0}, {"one-octet", 1}, {"rts-full", 408}, {"rts-and-one", 409},
    {"one-packet", 888}, {"grant-less-one", THRESHOLD - 1}, {"grant", THRESHOLD}, {"grant-and-one", THRESHOLD + 1},
    {"two-pages", 2 * PAGE + 24}, {"slice", 1 << 20}, {"slice-and-one", (1 << 20) + 1} } do
  case {
    id = "node-length-" .. name,
    title = string.format("A message of %d octets arrives as it was sent", length),
    purpose = "Which protocol carries it, and how it is cut, makes no difference to Portals.",
    requirements = length == 0 and { "ICPT-217", "ICPT-222" } or { "ICPT-111", "ICPT-222" }, ranks = 2,
    deadline = 60,
    run = function(t)
      local from, to = pair(t, length + 64)
      from:region("out", length + 1, { fill = "mix/5" })
      put_lands(t, length == 0 and "ICPT-217" or "ICPT-111", from, to, length, 0, 0)
      t:no_event("ICPT-222", to, "eq", 100)
      t:no_event("ICPT-222", from, "eq", 100)
    end,
  }
end

for name, length in each { {"short", 700}, {"long", 9001}, {"slices", (1 << 20) + 77} } do
  case {
    id = "node-alignment-" .. name,
    title = "Where a message begins at either end makes no difference to what arrives",
    purpose = string.format("Puts of %d octets from and to addresses of different displacement modulo 8, 32 and 4096.",
      length),
    requirements = { "ICPT-111", "ICPT-118" }, ranks = 2, chapter = "5.2.2", deadline = 120,
    run = function(t)
      local from, to = pair(t, length + PAGE + 64)
      from:region("out", length + PAGE + 64, { fill = "mix/5" })
      t:judging("ICPT-118")
      for own, other in each { {0, 0}, {7, 7}, {1, 0}, {0, 1}, {8, 40}, {31, 33}, {PAGE - 1, 3}, {24, PAGE - 8} } do
        put_lands(t, own % 32 == other % 32 and "ICPT-111" or "ICPT-118", from, to, length, own, other)
      end
    end,
  }
end

case {
  id = "node-many-of-each-length",
  title = "Of many messages of each length all arrive as they were sent",
  purpose = "Of each of several lengths five hundred puts, more than a buffer of a card holds at once, so that these begin anew again and again, at another place each time. As many arrive, with the octets that were sent.",
  requirements = { "ICPT-111" }, ranks = 2, chapter = "2.1.3", deadline = 180,
  run = function(t)
    local from, to = pair(t, 408)
    from:region("out", 408, { fill = "mix/5" })
    t:judging("ICPT-111")
    for _, length in ipairs { 400, 392, 144, 224, 0, 400, 96, 401 } do
      from:bind { start = "out", length = length, md = "out-md" }
      for _ = 1, 10 do
        t:sanity("all puts were called", from:batch(50, { { "PtlPut", { mem_desc = "out-md",
          ack_req = "PTL_NOACK_REQ", target = t.nid(to.id), portal = 0, cookie = 0, match_bits = 0,
          offset = 0 } } }).runs == 50)
        local events = to:collect("eq", 50, 10000)
        t:equal("ICPT-111", "messages of fifty of " .. length .. " octets that arrive", #events, 50)
        for _, event in ipairs(events) do t:equal("ICPT-111", "octets of a message", event.mlength, length) end
        t:octets("ICPT-111", "the octets", to, "buf", "mix/5", 0, length)
        to:fill("buf", "byte/0")
      end
      t:flush(to, from)
      t:setup(from:PtlMDUnlink { mem_desc = "out-md" })
    end
  end,
}

case {
  id = "node-order",
  title = "Long and short messages begin in the order in which they were sent",
  purpose = "Puts of 20000 and of 8 octets alternate, all of them at once, to a descriptor with a local offset: where each one lies tells when it began.",
  requirements = { "ICPT-141", "ICPT-190", "ICPT-179" }, ranks = 2, chapter = "5.2.2", deadline = 60,
  run = function(t)
    local from, to = t:open {}
    to:eq("eq", 64)
    to:attach { octets = 8 * 20008, options = PUT, eventq = "eq" }
    from:region("out", 20000, { fill = "mix/5" })
    from:bind { start = "out", length = 20000, md = "long" }
    from:bind { start = "out", length = 8, md = "short" }
    t:judging("ICPT-141")
    for number = 1, 16 do
      from:put { mem_desc = number % 2 == 1 and "long" or "short", target = to }
    end
    local events, lengths, wanted = {}, {}, {}
    for number = 1, 16 do
      events[number] = t:event("ICPT-141", to, "eq", { type = "PTL_EVENT_PUT" })
      wanted[number] = number % 2 == 1 and 20000 or 8
    end
    table.sort(events, function(one, other) return one.offset < other.offset end)
    for number, event in ipairs(events) do lengths[number] = event.rlength end
    t:equal("ICPT-179", "the message that begins first, before any other was permitted", lengths[1], wanted[1])
    t:equal("ICPT-190", "the lengths of the messages as they lie behind each other", lengths, wanted)
  end,
}

for name, length in each { {"short", 300}, {"data", 5000}, {"long", 100000} } do
  case {
    id = "node-get-" .. name,
    title = string.format("A reply of %d octets comes back", length),
    purpose = "The driver's thread, and not the process, sends it; that makes no difference.",
    requirements = { "ICPT-131", "ICPT-224" }, ranks = 2, chapter = "5.3.2", deadline = 60,
    run = function(t)
      local from, to = t:open {}
      from:eq("eq")
      to:attach { octets = length, fill = "mix/9", options = GET }
      from:bind { octets = length, eventq = "eq" }
      from:get { target = to }
      t:event("ICPT-131", from, "eq", { type = "PTL_EVENT_REPLY", mlength = length })
      t:octets("ICPT-224", "what was fetched", from, "buf", "mix/9")
    end,
  }
end

for name, length, room in each { {"short", 2000, 1000}, {"in-rts", 4000, 100}, {"long", 100000, 9999} } do
  case {
    id = "node-truncated-" .. name,
    title = string.format("Of %d octets %d are taken", length, room),
    purpose = "A descriptor that truncates takes what it has room for, whichever protocol carries the message.",
    requirements = { "ICPT-221", "ICPT-222" }, ranks = 2, chapter = "5.3.2", deadline = 60,
    run = function(t)
      local from, to = t:open {}
      from:eq("eq")
      to:eq("eq")
      to:region("buf", room, { guard = "after" })
      to:attach { region = "buf", options = PUT .. "|PTL_MD_TRUNCATE", eventq = "eq" }
      from:bind { region = "out", octets = length, fill = "mix/5", md = "out-md", eventq = "eq" }
      from:put { mem_desc = "out-md", target = to }
      t:event("ICPT-221", to, "eq", { type = "PTL_EVENT_PUT", rlength = length, mlength = room })
      t:octets("ICPT-221", "what was taken", to, "buf", "mix/5", 0, room)
      t:event("ICPT-222", from, "eq", { type = "PTL_EVENT_SENT" })
      t:no_event("ICPT-222", to, "eq", 100)
    end,
  }
end

for name, length in each { {"short", 4000}, {"long", 100000} } do
  case {
    id = "node-dropped-" .. name,
    title = string.format("A message of %d octets that matches nothing ends for its sender, and is counted once",
      length),
    purpose = "Nothing is stored; the sender hears that the message was sent, the receiver counts it as dropped.",
    requirements = { length > THRESHOLD and "ICPT-127" or "ICPT-168" }, ranks = 2, chapter = "5.3.2", deadline = 60,
    run = function(t)
      local req = length > THRESHOLD and "ICPT-127" or "ICPT-168"
      local from, to = t:open {}
      local before = to:drop_count()
      from:eq("eq")
      from:bind { region = "out", octets = length, fill = "mix/5", md = "out-md", eventq = "eq" }
      from:put { mem_desc = "out-md", target = to }
      t:event(req, from, "eq", { type = "PTL_EVENT_SENT" })
      t:drops(req, to, before, 1)
    end,
  }
end

case {
  id = "node-address-of-nobody",
  title = "What is sent to an address that no process has reaches nobody else",
  purpose = "One of three processes puts to a node that is not there, messages of several lengths. The library may refuse that. Nothing comes to the others, and nothing is counted as dropped there; puts to them arrive.",
  requirements = { "ICPT-002" }, ranks = 3, chapter = "2.1.2", deadline = 60,
  run = function(t)
    local from, others = t:open {}, { t.ranks[1], t.ranks[2] }
    local nobody, before = 9, {}
    while nobody == from.id.nid or nobody == others[1].id.nid or nobody == others[2].id.nid do nobody = nobody + 1 end
    from:region("out", 20000, { fill = "mix/5" })
    for i, rank in ipairs(others) do
      rank:eq("eq", 16)
      rank:attach { octets = 64, matchid = t.any_nid, ignorebits = -1, options = PUT .. "|PTL_MD_TRUNCATE|" .. REMOTE,
        eventq = "eq" }
      before[i] = rank:drop_count()
    end
    t:judging("ICPT-002")
    for i, length in ipairs { 0, 40, 400, 4000 } do
      from:bind { start = "out", length = length, md = "out-md" .. i }
      from:PtlPut { mem_desc = "out-md" .. i, target = t.nid { nid = nobody, pid = others[1].id.pid } }
    end
    for _ = 1, 2 do
      for i, rank in ipairs(others) do
        t:flush(from, rank)
        t:equal("ICPT-002", "events of what was not for it", rank:PtlEQCount().count, 0)
        t:equal("ICPT-002", "dropped messages that were not for it", rank:drop_count() - before[i], 0)
      end
    end
  end,
}
