-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The order of messages (5.2.3, 5.3.2) at its edges: boot messages of every kind, long messages where short ones are
-- tried, numbers of all that a process sends, what is given up, and a node that boots beside others.

defaults { suite = "order", chapter = "5.3.2", network = true, deadline = 60 }

-- A process with an entry that takes puts behind each other, and tells where; a card that is connected.
local function receiver(t, req, planes)
  local rank, card, net = t:meet { planes = planes, some = planes and true }
  card:may_put(65536, { options = "PTL_MD_OP_PUT" })
  card:connect(req)
  card.connected = true
  return rank, card, net
end

local function begins(t, req, rank, octets, offset)
  local event = t:event(req, rank, "eq", { type = "PTL_EVENT_PUT" })
  t:equal(req, "length and offset of the message", { event.rlength, event.offset }, { octets, offset })
end

-- What the process sends as its first message to the card, by name.
local BOOTS <const> = {
  ["an-empty-put"] = function(card) card:gets_put(0) end,
  ["a-full-put"] = function(card) card:gets_put(8088) end,
  ["a-get"] = function(card)
    card.net.rank:bind { region = "in", octets = 100, md = "in-md", eventq = "eq" }
    card.net.rank:get { mem_desc = "in-md", target = Test.nid(card.id) }
  end,
  ["an-acknowledgement"] = function(card, req) card:put({ octets = 40, md = 77 }, req) end,
  ["a-reply"] = function(card, req) card:put({ operation = "get", md = 77, rlength = 200 }, req) end,
}

for _, name in ipairs { "an-empty-put", "a-full-put", "a-get", "an-acknowledgement", "a-reply" } do
  case {
    id = "order-boot-by-" .. name,
    title = "Whatever the boot message is, its answer permits the others",
    purpose = "The first message of the process to a card is " .. name:gsub("-", " ") .. ". While it is not answered, "
      .. "neither a short nor a long put follows; when MSGEND has come, both do.",
    requirements = { "ICPT-177", "ICPT-178" },
    run = function(t)
      local _, card, net = t:meet()
      card:may_put(1024)
      card:connect("ICPT-177")
      card:credit()
      card.connected = true
      BOOTS[name](card, "ICPT-177")
      local boot = card:take_rts("ICPT-177", { message_number = 0 })
      card:gets_put(9000)
      card:gets_put(30)
      for _ = 1, 3 do net:card():serves("ICPT-177") end
      t:equal("ICPT-177", "RTS and TRY_MATCH before the boot message is answered",
        net:waiting("rts") + net:waiting("try_match"), 0)
      card:answer("msgend", boot)
      local match = net:await("try_match")
      t:check("ICPT-178", "the long put behind the boot message", match, "try_match", "nothing")
      t:equal("ICPT-178", "its number", match.message_number, 1)
      local rts = card:take_rts("ICPT-178", { message_number = 2 })
      card:match_reply(match, -1, 0)
      card:answer("msgend", rts)
    end,
  }
end

case {
  id = "order-numbers-of-every-kind",
  title = "Puts, gets, acknowledgements and replies to a node take their numbers from one sequence",
  purpose = "A process puts and gets, and has to acknowledge and to reply, in turn, short and long: every RTS and TRY_MATCH has the number behind the one before.",
  requirements = { "ICPT-171" }, chapter = "5.2.3",
  run = function(t)
    local _, card, net = t:meet()
    card:may_put(20000)
    card:connect("ICPT-171")
    card:credit()
    net.rank:bind { region = "in", octets = 100, md = "in-md", eventq = "eq" }
    local kinds <const> = { "put", "ack", "get", "long", "reply", "ack", "long-reply", "put", "get", "ack" }
    for number, kind in ipairs(kinds) do
      if kind == "put" then card:gets_put(40)
      elseif kind == "long" then card:gets_put(9000)
      elseif kind == "get" then net.rank:get { mem_desc = "in-md", target = t.nid(card.id) }
      elseif kind == "ack" then card:put({ octets = 40, md = 77 }, "ICPT-171")
      else card:put({ operation = "get", md = 77, rlength = kind == "reply" and 200 or 9000 }, "ICPT-171") end
      local is_long = kind == "long" or kind == "long-reply"
      local frame = net:await(is_long and "try_match" or "rts")
      t:check("ICPT-171", "the " .. kind .. " comes", frame, is_long and "try_match" or "rts", "nothing")
      t:equal("ICPT-171", "the number of the " .. kind, frame.message_number, number - 1)
      if is_long then card:match_reply(frame, -1, 0) else card:answer("msgend", frame) end
    end
  end,
}

case {
  id = "order-numbers-behind-what-was-given-up",
  title = "Messages that were never sent take no numbers",
  purpose = "The interface is closed while two puts wait behind one that is not answered. What the process sends to the card when it has opened it again, has the numbers behind the ones that came.",
  requirements = { "ICPT-171" }, chapter = "5.2.3", deadline = 90,
  run = function(t)
    local rank, card, net = t:meet()
    card:gets_put(8)
    local first = card:take_rts("ICPT-171", { message_number = 0 })
    for _ = 1, 2 do card:gets_put(16) end
    net:card():serves("ICPT-171")
    local known <const> = net:waiting("rts")
    t:setup(rank:PtlNIFini { interface = "ni" })
    t:setup(rank:PtlNIInit { interface = "default", ptl_size = 8, acl_size = 4, handle = "ni" })
    card:answer("msgend", first)
    rank:bind { region = "anew", octets = 24, fill = "mix/6", md = "anew-md" }
    rank:put { mem_desc = "anew-md", target = t.nid(card.id) }
    local number = 0
    repeat -- those that waited may come too
      local rts = card:take_rts("ICPT-171")
      number = number + 1
      t:equal("ICPT-171", "the number of the RTS that comes next", rts.message_number, number)
      card:answer("msgend", rts)
    until rts.portals.rlength == 24
    t:check("ICPT-171", "RTS before the boot message was answered", known == 0, "none", known)
  end,
}

for name, order in each { {"reversed", { 3, 2, 1, 0 }}, {"last-first", { 3, 0, 1, 2 }} } do
  case {
    id = "order-early-full-" .. name,
    title = "Messages that come too early keep all their octets, however many there are",
    purpose = "Four puts of 408, 300, 1000 and 408 octets come in another order, over several planes: they begin in "
      .. "that in which they were sent, and are whole.",
    requirements = { "ICPT-019" }, chapter = "2.1.3",
    run = function(t)
      local rank, card, net = t:meet { planes = 15, some = true }
      card:may_put(4096, { options = "PTL_MD_OP_PUT" })
      card:put({ octets = 8 }, "ICPT-019")
      t:event("ICPT-019", rank, "eq", { type = "PTL_EVENT_PUT", offset = 0 })
      local lengths <const>, messages = { [0] = 408, 300, 1000, 408 }, {}
      for i = 0, 3 do messages[i] = card:message { octets = lengths[i], seed = i + 1 } end
      local planes = net:planes()
      for place, i in ipairs(order) do
        net:send(card:rts(messages[i]), planes[(place - 1) % #planes + 1])
        net:settled()
      end
      card:take_cts("ICPT-019", messages[2])
      card:send_data(messages[2], 0, Card.packets(1000) - 1)
      for _ = 0, 3 do t:event("ICPT-019", rank, "eq", { type = "PTL_EVENT_PUT" }) end
      local offset = 8
      for i = 0, 3 do
        t:octets("ICPT-019", "message " .. i, rank, "buf", "mix/" .. i + 1, offset, lengths[i])
        offset = offset + lengths[i]
      end
    end,
  }
end

for name, behind in each { {"last", 0}, {"old", 2} } do
  case {
    id = "order-again-long-" .. name,
    title = "A long message whose number has been is discarded",
    purpose = "The TRY_MATCH of a message that has ended comes once more (" .. name .. "): no event, no GET and no "
      .. "answer; the next number begins.",
    requirements = { behind == 0 and "ICPT-175" or "ICPT-174" }, negative = true,
    run = function(t)
      local req = behind == 0 and "ICPT-175" or "ICPT-174"
      local rank, card, net = receiver(t, req)
      local offset = 0
      for octets = 9000, 9003 do
        card:long_put(req, { octets = octets })
        begins(t, req, rank, octets, offset)
        offset = offset + octets
      end
      card:credit(8)
      card:try_match(card:message { octets = 9000, number = 3 - behind })
      t:confirm_violation("number-again")
      local later = card:put({ octets = 32 }, req)
      t:sanity("an honest message is answered", later.answer)
      begins(t, req, rank, 32, offset)
      t:equal(req, "GETs and answers for the old number", net:waiting("vdma_get") + net:waiting("match_reply"), 0)
      t:equal(req, "further events", rank:count_events("eq"), 0)
    end,
  }
end

case {
  id = "order-again-unanswered",
  title = "A message whose number has been is not answered either",
  purpose = "The RTS of messages that have ended come once more, and data of numbers that have not begun: nothing answers them; the next number begins.",
  requirements = { "ICPT-174", "ICPT-184" }, negative = true,
  run = function(t)
    local rank, card, net = receiver(t, "ICPT-174")
    for i = 0, 5 do
      card:put({ octets = 16 }, "ICPT-174")
      begins(t, "ICPT-174", rank, 16, 16 * i)
    end
    for number = 0, 4 do -- not the first one, which would boot
      card:send_rts(card:message { octets = 16, number = number + 1 })
      t:confirm_violation("number-again")
    end
    net:card():serves("ICPT-174")
    t:equal("ICPT-174", "answers to old numbers", net:waiting("msgend") + net:waiting("msgerror")
      + net:waiting("cts"), 0)
    for _, number in ipairs { 70, 900, 1 << 40 } do
      net:send(card:frame("data", { message_number = number, packet_number = 0, data = string.rep("\1", 480) }))
      t:confirm_violation("data-of-nothing")
    end
    net:card():serves("ICPT-184")
    t:equal("ICPT-184", "answers to data of no message", net:waiting("msgend") + net:waiting("msgerror")
      + net:waiting("cts"), 0)
    local later = card:put({ octets = 32 }, "ICPT-174")
    t:sanity("an honest message is answered", later.answer)
    begins(t, "ICPT-174", rank, 32, 96)
  end,
}

for name, before in each { {"short", 3}, {"one", 1} } do
  case {
    id = "order-boot-again-by-a-long-one-" .. name,
    title = "A long boot message resets what is expected of its sender as a short one does",
    purpose = "A node boots behind " .. before .. " messages, and its first one is long: it begins, and the numbers "
      .. "behind it count from there.",
    requirements = { "ICPT-176" }, negative = true,
    run = function(t)
      local rank, card, net = receiver(t, "ICPT-176")
      for i = 1, before do
        card:put({ octets = 16 }, "ICPT-176")
        begins(t, "ICPT-176", rank, 16, 16 * (i - 1))
      end
      card.number = 0
      card:try_match(card:message { octets = 9000, portal = 7 })
      t:confirm_violation("number-again")
      t:frame("ICPT-176", net, "match_reply")
      local later = card:put({ octets = 48 }, "ICPT-176")
      t:sanity("the message behind it is answered", later.answer)
      begins(t, "ICPT-176", rank, 48, 16 * before)
    end,
  }
end

case {
  id = "order-boot-again-in-a-long-one",
  title = "A boot message ends the long messages of its node's former life",
  purpose = "A node boots while the process pulls two of its long messages: what it sends with the numbers from 0 begins and is answered, among them a long message that arrives whole.",
  requirements = { "ICPT-176" }, negative = true,
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(65536)
    card:connect("ICPT-176")
    card:credit()
    card.connected = true
    card:put({ octets = 16 }, "ICPT-176")
    t:event("ICPT-176", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 16 })
    for _ = 1, 2 do card:try_match(card:message { octets = 20000, seed = 9 }) end
    t:frame("ICPT-176", net, "vdma_get")
    net:card():serves("ICPT-176")
    net.stash = {}
    card.number = 0
    card:send_rts(card:message { octets = 40 })
    t:confirm_violation("number-again")
    t:frame("ICPT-176", net, "msgend", { message_number = 0 })
    for octets = 48, 50 do
      card:send_rts(card:message { octets = octets })
      local answer = t:frame("ICPT-176", net, "msgend", { message_number = octets - 47 })
      t:sanity("the message behind it is answered", answer)
    end
    card:long_put("ICPT-176", { octets = 9000, offset = 100 })
    local found
    repeat
      found = rank:wait("eq").event
      t:check("ICPT-176", "the long message of the new life arrives", found, "an event", "none")
    until found.rlength == 9000
    t:octets("ICPT-176", "the long message", rank, "buf", "mix/5", 100, 9000)
  end,
}

case {
  id = "order-boot-beside-others",
  title = "A node that boots leaves the messages of others as they are",
  purpose = "Three cards have sent messages, one of them has one open, when another boots again: the open message is completed, and those behind it begin with the numbers that are due.",
  requirements = { "ICPT-021", "ICPT-176" }, chapter = "2.1.3", negative = true,
  run = function(t)
    local rank, one, net = t:meet()
    one:may_put(8192)
    local two, three = net:card(), net:card()
    for _, card in ipairs { one, two, three } do
      for _ = 1, 3 do
        card:put({ octets = 16 }, "ICPT-021")
        t:event("ICPT-021", rank, "eq", { type = "PTL_EVENT_PUT" })
      end
    end
    local open = one:message { octets = 2000 }
    one:send_rts(open)
    one:take_cts("ICPT-021", open)
    two.number = 0
    two:send_rts(two:message { octets = 24 })
    t:confirm_violation("number-again")
    t:frame("ICPT-176", net, "msgend", { destination = two.iuca, message_number = 0 })
    t:event("ICPT-176", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 24 })
    one:send_data(open, 0, Card.packets(2000) - 1)
    t:frame("ICPT-021", net, "msgend", { destination = one.iuca, message_number = 3 })
    t:event("ICPT-021", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 2000 })
    for _, card in ipairs { three, one } do
      local later = card:put({ octets = 32 }, "ICPT-021")
      t:sanity("an honest message is answered", later.answer)
      t:event("ICPT-021", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 32 })
    end
  end,
}

case {
  id = "order-short-behind-a-long-one",
  title = "A short message that comes before the long one in front of it waits, however near it is",
  purpose = "RTS come whose numbers are one and two above that of a TRY_MATCH that is to come: nothing begins. With it all begin, in their order; and so where the long one is the last.",
  requirements = { "ICPT-190" }, chapter = "5.2.2",
  run = function(t)
    local rank, card, net = receiver(t, "ICPT-190")
    card:credit()
    card:put({ octets = 8 }, "ICPT-190")
    begins(t, "ICPT-190", rank, 8, 0)
    local long, one, two = card:message { octets = 12000 }, card:message { octets = 16 }, card:message { octets = 24 }
    card:send_rts(one)
    card:send_rts(two)
    net:card():serves("ICPT-190")
    t:equal("ICPT-190", "what has begun before its turn", net:waiting("msgend") + rank:count_events("eq"), 0)
    card:try_match(long)
    card:take_gets("ICPT-190", long)
    t:frame("ICPT-190", net, "match_reply", { key = long.key })
    local offsets = {}
    for _ = 1, 3 do
      local event = t:event("ICPT-190", rank, "eq", { type = "PTL_EVENT_PUT" })
      offsets[event.rlength] = event.offset
    end
    t:equal("ICPT-190", "where the messages lie", offsets, { [12000] = 8, [16] = 12008, [24] = 12024 })
  end,
}
