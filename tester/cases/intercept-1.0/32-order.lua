-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The order of messages (5.2.3, 5.3.2): their numbers, the boot message, what comes too early, too late or again.

defaults { suite = "order", chapter = "5.3.2", network = true, deadline = 60 }

-- A process with an entry that takes puts behind each other, and tells where.
local function receiver(t, planes)
  local rank, card, net = t:meet { planes = planes }
  card:may_put(16384, { options = "PTL_MD_OP_PUT" })
  return rank, card, net
end

local function begins(t, req, rank, octets, offset)
  local event = t:event(req, rank, "eq", { type = "PTL_EVENT_PUT" })
  t:equal(req, "length and offset of the message", { event.rlength, event.offset }, { octets, offset })
end

case {
  id = "order-boot-number",
  title = "The first message to a node has the boot number 0, and the next ones count from there",
  purpose = "Six puts of the process: RTS with the numbers 0 to 5.",
  requirements = { "ICPT-171", "ICPT-290" }, chapter = "5.2.3",
  run = function(t)
    local _, card = t:meet()
    for number = 0, 5 do
      card:gets_put(16)
      local rts = card:take_rts("ICPT-171")
      if number == 0 then
        t:same_octets("ICPT-290", "the boot number's octets", rts.octets:sub(25, 32), string.rep("\0", 8))
      end
      t:equal("ICPT-171", "the number of message " .. number, rts.message_number, number)
      card:answer("msgend", rts)
    end
  end,
}

for name, end_it in each { {"msgend", function(card, rts) card:answer("msgend", rts) end},
    {"cts", function(card, rts) card:grant(rts, 16) end},
    {"msgerror", function(card, rts) card:answer("msgerror", rts, { status = -5 }) end} } do
  case {
    id = "order-boot-answered-" .. name,
    title = "Until the boot message is answered no other is sent; then they are, in the order in which they were issued",
    purpose = "Three puts at once: one RTS comes; when it has been answered by " .. name .. " the two others come.",
    requirements = { "ICPT-177", "ICPT-178", "ICPT-179" },
    run = function(t)
      local _, card, net = t:meet()
      for i = 0, 2 do card:gets_put(8088 - i) end
      local boot = card:take_rts("ICPT-177", { message_number = 0 })
      for _ = 1, 3 do net:card():serves("ICPT-177") end
      t:equal("ICPT-177", "further RTS before the boot message is answered", net:waiting("rts"), 0)
      end_it(card, boot)
      for number = 1, 2 do
        local rts = card:take_rts("ICPT-178")
        t:equal("ICPT-179", "octets of the message with the number " .. rts.message_number, rts.portals.rlength,
          8088 - rts.message_number)
        t:equal("ICPT-178", "the number of the RTS", rts.message_number, number)
        card:answer("msgend", rts)
      end
    end,
  }
end

case {
  id = "order-boot-long",
  title = "A long boot message permits further ones when it has been answered",
  purpose = "A put of 20000 octets and one of 10: the TRY_MATCH has number 0; the RTS comes when the receiver has sent its MATCH_REPLY.",
  requirements = { "ICPT-177", "ICPT-178", "ICPT-190", "ICPT-176" },
  run = function(t)
    local _, card, net = t:meet()
    card:gets_put(20000)
    card:gets_put(10)
    local match = card:take_try_match("ICPT-190")
    t:equal("ICPT-176", "the number of the first message", match.message_number, 0)
    for _ = 1, 3 do net:card():serves("ICPT-177") end
    t:equal("ICPT-177", "RTS before the boot message is answered", net:waiting("rts"), 0)
    card:match_reply(match, -1, 0)
    local rts = card:take_rts("ICPT-178")
    t:equal("ICPT-190", "the number of the short message", rts.message_number, 1)
    card:answer("msgend", rts)
  end,
}

case {
  id = "order-one-sequence",
  title = "Long and short messages take their numbers from one sequence",
  purpose = "Long and short puts of the process in turn: RTS and TRY_MATCH have the numbers in the order of the calls.",
  requirements = { "ICPT-190", "ICPT-299" },
  run = function(t)
    local _, card = t:meet()
    card:gets_put(8)
    card:answer("msgend", card:take_rts("ICPT-190"))
    for number = 1, 6 do
      card:gets_put(number % 2 == 1 and 9000 or 90)
      if number % 2 == 1 then
        local match = card:take_try_match("ICPT-299")
        t:equal("ICPT-299", "the number in the TRY_MATCH", match.message_number, number)
        card:match_reply(match, -1, 0)
      else
        card:answer("msgend", card:take_rts("ICPT-190", { message_number = number }))
      end
    end
  end,
}

for name, early in each { {"one", 1}, {"five", 5}, {"thirty", 30} } do
  case {
    id = "order-early-" .. name,
    title = "A message whose number is too high waits for those before it",
    purpose = string.format("%d messages come before the one that is due: nothing begins; when that comes, all do, "
      .. "in their order.", early),
    requirements = { "ICPT-172", "ICPT-173", "ICPT-141" },
    run = function(t)
      local rank, card, net = receiver(t)
      card:put({ octets = 16 }, "ICPT-141")
      begins(t, "ICPT-141", rank, 16, 0)
      local messages = {}
      for i = 0, early do messages[i] = card:message { octets = 16 + 8 * i } end
      for i = early, 1, -1 do card:send_rts(messages[i]) end
      net:card():serves("ICPT-172")
      t:equal("ICPT-172", "events before the message that is due", rank:count_events("eq"), 0)
      t:equal("ICPT-172", "answers before it", net:waiting("msgend"), 0)
      card:send_rts(messages[0])
      local req = early > 5 and "ICPT-172" or "ICPT-173" -- few show that they are looked through, many that they wait
      local offset = 16
      for i = 0, early do
        begins(t, req, rank, 16 + 8 * i, offset)
        offset = offset + 16 + 8 * i
        local ended = t:frame("ICPT-173", net, "msgend")
        t:equal("ICPT-141", "the message that is answered", ended.message_number, i + 1)
      end
    end,
  }
end

case {
  id = "order-early-unfinished",
  title = "Messages that have waited begin although none before them has ended",
  purpose = "Six puts, each of more than its RTS holds, come in the reverse order. With the one that is due all six begin: six CTS in their order, before any data.",
  requirements = { "ICPT-141", "ICPT-173" },
  run = function(t)
    local rank, card, net = receiver(t)
    card:put({ octets = 16 }, "ICPT-141")
    begins(t, "ICPT-141", rank, 16, 0)
    local messages = {}
    for i = 1, 6 do messages[i] = card:message { octets = 1000 + i, seed = i } end
    for i = 6, 1, -1 do card:send_rts(messages[i]) end
    for i = 1, 6 do
      local cts = t:frame("ICPT-173", net, "cts")
      t:equal("ICPT-141", "the message that begins", cts.message_number, i)
      messages[i].granted, messages[i].wanted = cts.n, cts.mlength
    end
    for i = 6, 1, -1 do
      card:send_data(messages[i], 0, Card.packets(1000 + i) - 1)
      t:frame("ICPT-173", net, "msgend", { message_number = i })
    end
    for _ = 1, 6 do t:event("ICPT-173", rank, "eq", { type = "PTL_EVENT_PUT" }) end
  end,
}

case {
  id = "order-early-long",
  title = "A long message waits for a short one before it, and the other way round",
  purpose = "A TRY_MATCH comes before the RTS that was sent before it, and an RTS before the TRY_MATCH: each waits for its turn.",
  requirements = { "ICPT-190", "ICPT-172", "ICPT-141" }, chapter = "5.2.2",
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(65536, { options = "PTL_MD_OP_PUT" })
    card:connect("ICPT-190")
    card:put({ octets = 8 }, "ICPT-141")
    begins(t, "ICPT-141", rank, 8, 0)
    local short, long, last = card:message { octets = 16 }, card:message { octets = 12000 },
      card:message { octets = 24 }
    card:send_rts(last)
    card:try_match(long)
    net:card():serves("ICPT-172")
    t:equal("ICPT-190", "what has begun before its turn", net:waiting("vdma_get") + net:waiting("match_reply")
      + net:waiting("msgend"), 0)
    card:send_rts(short)
    card:take_gets("ICPT-190", long)
    t:frame("ICPT-190", net, "match_reply", { key = long.key })
    local offsets = {}
    for _ = 1, 3 do
      local event = t:event("ICPT-190", rank, "eq", { type = "PTL_EVENT_PUT" })
      offsets[event.rlength] = event.offset
    end
    t:equal("ICPT-190", "where the messages lie", offsets, { [16] = 8, [12000] = 24, [24] = 12024 })
  end,
}

for name, again in each { {"last", 0}, {"before-last", 1}, {"old", 4} } do
  case {
    id = "order-again-" .. name,
    title = "A message whose number has been is discarded",
    purpose = "The RTS of a message that has ended comes once more: no event, no answer; the next number begins.",
    requirements = { "ICPT-174", "ICPT-175" }, negative = true,
    run = function(t)
      local rank, card, net = receiver(t)
      for _ = 1, 6 do
        card:put({ octets = 16 }, "ICPT-174")
        t:event("ICPT-174", rank, "eq", { type = "PTL_EVENT_PUT" })
      end
      local req = again == 0 and "ICPT-175" or "ICPT-174"
      card:send_rts(card:message { octets = 16, number = 5 - again })
      t:confirm_violation("number-again")
      local later = card:put({ octets = 32 }, req)
      t:sanity("an honest message is answered", later.answer)
      begins(t, req, rank, 32, 96)
      t:equal("ICPT-174", "answers to the old number", net:waiting("msgend"), 0)
      t:equal("ICPT-175", "further events", rank:count_events("eq"), 0)
    end,
  }
end

case {
  id = "order-waits-again",
  title = "A message that waits is not doubled when it comes again",
  purpose = "The RTS of the next but one message comes twice, then the next: two messages begin.",
  requirements = { "ICPT-172", "ICPT-175" }, negative = true,
  run = function(t)
    local rank, card, net = receiver(t)
    card:put({ octets = 16 }, "ICPT-172")
    begins(t, "ICPT-172", rank, 16, 0)
    local first, second = card:message { octets = 16 }, card:message { octets = 24 }
    card:send_rts(second)
    card:send_rts(second)
    t:confirm_violation("number-again")
    card:send_rts(first)
    begins(t, "ICPT-172", rank, 16, 16)
    begins(t, "ICPT-172", rank, 24, 32)
    local later = card:put({ octets = 8 }, "ICPT-175")
    t:sanity("an honest message is answered", later.answer)
    begins(t, "ICPT-175", rank, 8, 56)
    t:check("ICPT-175", "answers", net:waiting("msgend") <= 2, "at most 2 more", net:waiting("msgend"))
  end,
}

for name, inside, count in each { {"idle", false, 5}, {"after-one", false, 1}, {"in-data", true, 5} } do
  case {
    id = "order-boot-again-" .. name,
    title = "A boot message resets what is expected of its sender",
    purpose = inside and "A node boots while one of its messages is granted: what it sends with the numbers from 0 "
      .. "begins."
      or "A node boots (" .. name .. "): its numbers count from 0 again.",
    requirements = { "ICPT-176" }, negative = true,
    run = function(t)
      local rank, card, net = receiver(t)
      for _ = 1, count do
        card:put({ octets = 16 }, "ICPT-176")
        t:event("ICPT-176", rank, "eq", { type = "PTL_EVENT_PUT" })
      end
      if inside then
        local open = card:message { octets = 3000, portal = 0 }
        card:send_rts(open)
        card:take_cts("ICPT-176", open)
        card:send_data(open, 0, 2)
      end
      card.number = 0
      local message = card:message { octets = 40 }
      card:send_rts(message)
      t:confirm_violation("number-again")
      t:frame("ICPT-176", net, "msgend", { message_number = 0 })
      local found
      repeat
        found = rank:wait("eq").event
        t:check("ICPT-176", "the boot message arrives", found, "an event", "none")
      until found.rlength == 40
      card:send_rts(card:message { octets = 48 })
      local answer = t:frame("ICPT-176", net, "msgend", { message_number = 1 })
      t:sanity("the message behind it is answered", answer)
      t:event("ICPT-176", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 48 })
    end,
  }
end

case {
  id = "order-boot-again-early",
  title = "What came too early before a node boots again is not a message of its new life",
  purpose = "An RTS with the number 7 waits when the node boots; after the numbers 0 to 6 the new message 7 begins, and not that one.",
  requirements = { "ICPT-176" }, negative = true,
  run = function(t)
    local rank, card, net = receiver(t)
    for _ = 1, 5 do
      card:put({ octets = 16 }, "ICPT-176")
      t:event("ICPT-176", rank, "eq", { type = "PTL_EVENT_PUT" })
    end
    card:send_rts(card:message { octets = 99, number = 7 })
    card.number = 0
    for number = 0, 7 do
      card:send_rts(card:message { octets = 40 + number })
      if number == 0 then t:confirm_violation("number-again") end
      local answer = t:frame("ICPT-176", net, "msgend", { message_number = number })
      t:event("ICPT-176", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 40 + number })
      if number == 7 then t:sanity("the message of the new life is answered", answer) end
    end
  end,
}

case {
  id = "order-beyond",
  title = "A number far beyond what is due does not disturb the messages that are due",
  purpose = "RTS with numbers 2^40 and 2^64-1: they never begin, and the next number does.",
  requirements = { "ICPT-172" },
  run = function(t)
    local rank, card = receiver(t)
    card:put({ octets = 16 }, "ICPT-172")
    begins(t, "ICPT-172", rank, 16, 0)
    for _, number in ipairs { 1 << 40, -1 } do card:send_rts(card:message { octets = 24, number = number }) end
    for i = 1, 3 do
      card:put({ octets = 16 }, "ICPT-172")
      begins(t, "ICPT-172", rank, 16, 16 * i)
    end
  end,
}

case {
  id = "order-numbers-of-several-nodes",
  title = "Each node's messages have numbers of their own",
  purpose = "Puts to three cards by turns, to one of them two in a row: for each card the RTS are numbered 0, 1, 2 and so on.",
  requirements = { "ICPT-171" }, chapter = "5.2.3",
  run = function(t)
    local _, one, net = t:meet()
    local cards = { one, net:card(), net:card() }
    local function take(card, number)
      local rts = t:frame("ICPT-171", net, "rts", { destination = card.iuca })
      t:equal("ICPT-171", "the number of message " .. number .. " to its card", rts.message_number, number)
      card:answer("msgend", rts)
    end
    for i, card in ipairs(cards) do card.asked = i > 1 and 100 * i or nil end
    local sent = { 0, 0, 0 }
    for _, place in ipairs { 1, 2, 1, 3, 3, 2, 1, 1, 2, 3 } do
      for _ = 1, place == 3 and 2 or 1 do
        cards[place]:gets_put(16)
        take(cards[place], sent[place])
        sent[place] = sent[place] + 1
      end
    end
  end,
}

case {
  id = "order-early-nothing",
  title = "A message of no octets waits for those before it as any other, and is not lost",
  purpose = "Empty puts and puts of 16 octets come in the reverse order, in front of the one that is due; all begin, in their order.",
  requirements = { "ICPT-217", "ICPT-172" },
  run = function(t)
    local rank, card, net = receiver(t)
    card:put({ octets = 0 }, "ICPT-217")
    begins(t, "ICPT-217", rank, 0, 0)
    local messages, at = {}, 0
    for i = 0, 5 do messages[i] = card:message { octets = i % 3 == 2 and 16 or 0 } end
    for i = 5, 1, -1 do card:send_rts(messages[i]) end
    net:card():serves("ICPT-172")
    t:equal("ICPT-172", "events before the message that is due", rank:count_events("eq"), 0)
    card:send_rts(messages[0])
    for i = 0, 5 do
      local octets = i % 3 == 2 and 16 or 0
      begins(t, "ICPT-217", rank, octets, at)
      t:frame("ICPT-217", net, "msgend", { message_number = i + 1 })
      at = at + octets
    end
  end,
}

case {
  id = "order-nodes-alike",
  title = "Nodes whose addresses differ in one high bit are told apart",
  purpose = "Three cards have the address of the card under test but for one bit of the upper octet. Their puts come by turns with the same numbers, and each answer goes to its card; puts to all three are open at the same time, and the last one is granted first.",
  requirements = { "ICPT-186" }, chapter = "5.3.2",
  run = function(t)
    local rank, one, net = t:meet()
    local cards, opened = { one, net:card(), net:card() }, {}
    one:may_put(16384)
    for i, bit in ipairs { 0x100, 0x200, 0x8000 } do
      cards[i].iuca = net.sut ~ bit
      cards[i].id.nid = cards[i].iuca
    end
    for number = 0, 1 do
      for i, card in ipairs(cards) do
        local message = card:put({ octets = 900 + i, seed = 3 * number + i, offset = 1000 * (3 * number + i) },
          "ICPT-186")
        t:equal("ICPT-186", "destination and number of the answer",
          { message.answer.destination, message.answer.message_number }, { card.iuca, number })
        t:event("ICPT-186", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 900 + i })
      end
    end
    for k = 1, 6 do t:octets("ICPT-186", "put " .. k, rank, "buf", "mix/" .. k, 1000 * k, 900 + (k - 1) % 3 + 1) end
    for i, card in ipairs(cards) do
      card.asked = i > 1 and 100 * i or nil
      card:gets_put(900)
    end
    for _ = 1, 3 do
      local rts = t:frame("ICPT-186", net, "rts", { message_number = 0 })
      opened[rts.destination] = rts
    end
    for i = 3, 1, -1 do
      local rts = opened[cards[i].iuca]
      t:check("ICPT-186", "an RTS to each card", rts, "one", "none")
      cards[i]:grant(rts, Card.packets(900), 900)
      for _, packet in ipairs(cards[i]:take_data("ICPT-186", Card.packets(900))) do
        t:equal("ICPT-186", "the card to which data packets go", packet.destination, cards[i].iuca)
      end
      cards[i]:answer("msgend", rts)
      t:event("ICPT-186", rank, "sent", { type = "PTL_EVENT_SENT" })
    end
  end,
}

case {
  id = "order-msgerror-of-the-later",
  title = "MSGERROR ends the message that it names, and no other",
  purpose = "Of two messages that are open the second is aborted: the first is granted and comes whole, and the next has the next number.",
  requirements = { "ICPT-191" },
  run = function(t)
    local _, card = t:meet()
    card:gets_put(8)
    card:answer("msgend", card:take_rts("ICPT-191"))
    card:gets_put(2000)
    local first = card:take_rts("ICPT-191")
    card:gets_put(5000)
    card:answer("msgerror", card:take_rts("ICPT-191", { message_number = first.message_number + 1 }), { status = -2 })
    card:serves("ICPT-191")
    local packets = Card.packets(2000)
    card:grant(first, packets)
    local whole = Card.joined(first, card:take_data("ICPT-191", packets))
    t:same_octets("ICPT-191", "the message that was not aborted", whole, core.mix(5, 2000))
    card:answer("msgend", first)
    card:gets_put(300)
    card:answer("msgend", card:take_rts("ICPT-191", { message_number = first.message_number + 2 }))
  end,
}
