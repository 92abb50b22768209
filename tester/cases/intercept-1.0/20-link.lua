-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- One link of the card under test (2.1.1; binding 3.6): CRC, sequences, acknowledgements, what is sent again. The card
-- has one plane, and the tester is the other end of its link.

defaults { suite = "link", chapter = "2.1.1", network = true, deadline = 60 }

-- The so manieth sequence from the one that is due when the case takes over.
local function at(card, ahead)
  return (card.due + ahead) % 256
end

-- An RTS of a message that nobody takes, as octets: the so manieth sequence and message from those that are due.
local function rts_octets(card, ahead, number)
  local frame = card:rts(card:message { octets = 40, portal = 7, number = 1 + number })
  frame.sequence = at(card, ahead)
  return core.network_encode(frame)
end

-- The octets with one bit turned over, so many octets from the beginning, or from the end where that is negative.
local function damaged(octets, place)
  place = place < 0 and #octets + place + 1 or place + 1
  return octets:sub(1, place - 1) .. string.char(octets:byte(place) ~ 4) .. octets:sub(place + 1)
end

-- From here on the case is the link: nothing is answered or sent again by itself.
local function by_hand(net, card)
  net:settled()
  net:rules(1, false, false)
  card.due = net:link().next
end

-- A process and a card that has booted.
local function begin(t, req)
  local rank, card, net = t:meet()
  card:serves(req)
  by_hand(net, card)
  return rank, card, net
end

-- What answers a packet: the next acknowledgement or retransmission request. Before it a packet that was sent earlier
-- may come again, where its own acknowledgement was late.
local function answer_of(net)
  local frame
  for _ = 1, 20 do
    frame = net:take()
    if not frame or frame.message == "acknowledge" or frame.message == "retransmit" then break end
  end
  return frame
end

-- The sequences of the packets (no link frames) that come until one comes again, in their order, and that one.
local function until_again(t, req, net)
  local order, seen = {}, {}
  while true do
    local frame = net:take()
    t:check(req, "what was sent comes again", frame, "a packet that came before", "nothing more")
    if frame.message ~= "acknowledge" and frame.message ~= "retransmit" then
      if seen[frame.sequence] then return order, frame, seen[frame.sequence] end
      seen[frame.sequence] = frame
      order[#order + 1] = frame.sequence
    end
  end
end

-- A put of the process of 8088 octets, of which the card has the RTS and has granted 16 packets; then by hand.
local function sixteen_granted(t, req)
  local _, card, net = t:meet()
  card:gets_put(8088)
  local rts = card:take_rts(req)
  by_hand(net, card)
  net:transmit(card:frame("cts", { message_number = rts.message_number, n = 16, mlength = 8088,
    sequence = net:link().next }))
  return card, net
end

case {
  id = "link-crc-sent",
  title = "Every frame that the card sends has the right CRC",
  purpose = "A packet and an acknowledgement, as they come over the link; the CRC-32 of IEEE 802.3 over all octets before it.",
  requirements = { "ICPT-005" },
  run = function(t)
    local _, card, net = begin(t, "ICPT-005")
    card:gets_put(40)
    local packet = net:take()
    t:equal("ICPT-005", "the packet, judged by its CRC", packet and packet.condition, "sound")
    net:transmit(rts_octets(card, 0, 0))
    local answer = net:await("acknowledge")
    t:equal("ICPT-005", "the acknowledgement, judged by its CRC", answer and answer.condition, "sound")
  end,
}

for name, place in each { {"kind", 0}, {"address", 5}, {"header", 11}, {"portals", 40}, {"data", 115}, {"crc", -1} } do
  case {
    id = "link-damaged-" .. name,
    title = "A packet with a bit turned over is asked for again, whichever bit it is",
    purpose = "The retransmission request names the sequence that is due; the packet that then comes intact is acknowledged, and delivered once.",
    requirements = { "ICPT-005", "ICPT-008", "ICPT-006" },
    run = function(t)
      local rank, card, net = begin(t, "ICPT-005")
      local before, octets = rank:drop_count(), rts_octets(card, 0, 0)
      net:transmit(damaged(octets, place))
      local answer = answer_of(net)
      t:check("ICPT-005", "the damage is noticed", not answer or answer.message ~= "acknowledge", "no acknowledgement",
        "one")
      t:equal("ICPT-008", "what answers the damaged packet", answer and answer.message, "retransmit")
      t:equal("ICPT-008", "the sequence that is asked for", answer.sequence, at(card, 0))
      net:transmit(octets)
      t:frame("ICPT-006", net, "acknowledge", { sequence = at(card, 0) })
      t:drops("ICPT-006", rank, before, 1)
    end,
  }
end

case {
  id = "link-acknowledged-singly",
  title = "Each good packet is answered with one acknowledgement of its own",
  purpose = "Six packets in their order, sent at once, bring six acknowledgements with their sequences, and none twice.",
  requirements = { "ICPT-007" },
  run = function(t)
    local _, card, net = begin(t, "ICPT-007")
    for sequence = 0, 5 do net:transmit(rts_octets(card, sequence, sequence)) end
    local seen = {}
    for _ = 1, 6 do
      local answer = t:frame("ICPT-007", net, "acknowledge")
      t:check("ICPT-007", "a sequence that was not acknowledged before", not seen[answer.sequence], "a new one",
        answer.sequence)
      t:check("ICPT-007", "a sequence that was sent", (answer.sequence - card.due) % 256 <= 5, "one of six",
        answer.sequence)
      seen[answer.sequence] = true
    end
    net:transmit(rts_octets(card, 6, 6))
    t:frame("ICPT-007", net, "acknowledge", { sequence = at(card, 6) })
  end,
}

case {
  id = "link-answer-layout",
  title = "A link answer says its kind, its plane and its sequence, and nothing else",
  purpose = "The octets of an acknowledgement and of a retransmission request, written by hand from the table of the binding.",
  requirements = { "ICPT-282" },
  run = function(t)
    local _, card, net = begin(t, "ICPT-282")
    net:transmit(rts_octets(card, 0, 0))
    local answer = t:frame("ICPT-282", net, "acknowledge")
    t:same_octets("ICPT-282", "the acknowledgement before its CRC", answer.octets:sub(1, 16),
      "\4\1\0" .. string.char(at(card, 0)) .. string.rep("\0", 12))
    t:equal("ICPT-282", "octets of the acknowledgement", #answer.octets, 20)
    net:transmit(damaged(rts_octets(card, 1, 1), 40))
    answer = t:frame("ICPT-282", net, "retransmit")
    t:same_octets("ICPT-282", "the request before its CRC", answer.octets:sub(1, 16),
      "\5\1\0" .. string.char(at(card, 1)) .. string.rep("\0", 12))
  end,
}

case {
  id = "link-answers-not-answered",
  title = "Acknowledgements and requests are not acknowledged",
  purpose = "An acknowledgement of what is outstanding and one of nothing bring no frame; the packet behind them does.",
  requirements = { "ICPT-282" },
  run = function(t)
    local _, card, net = begin(t, "ICPT-282")
    card:gets_put(40)
    local rts = net:await("rts")
    t:sanity("the process sends its RTS", rts)
    net:acknowledge(rts.sequence)
    net:acknowledge(rts.sequence)
    net:transmit(rts_octets(card, 0, 0))
    local answer = net:await({ "acknowledge", "retransmit" })
    t:equal("ICPT-282", "the one link answer that comes", answer and answer.message .. " " .. answer.sequence,
      "acknowledge " .. at(card, 0))
  end,
}

case {
  id = "link-window",
  title = "No more than seven packets are outstanding",
  purpose = "Sixteen data packets are granted and none is acknowledged: at most seven come, then the first of them again.",
  requirements = { "ICPT-009", "ICPT-010" },
  run = function(t)
    local card, net = sixteen_granted(t, "ICPT-009")
    local first = net:await({ "data", "stop_data", "last_data" })
    t:sanity("data packets come", first)
    table.insert(net.stash, 1, first)
    local order, again = until_again(t, "ICPT-010", net)
    t:check("ICPT-009", "packets that came before one came again", #order <= 7, "at most 7", #order)
    t:equal("ICPT-010", "the packet that came again first", again.sequence, order[1])
    card:gets_put(40) -- the card has more to send, and still nothing is acknowledged
    local outstanding, count, rounds = {}, 0, 0
    repeat
      local frame = net:take()
      t:check("ICPT-010", "what is outstanding comes again", frame, "a packet", "nothing more")
      if frame.message ~= "acknowledge" and frame.message ~= "retransmit" then
        if not outstanding[frame.sequence] then outstanding[frame.sequence], count = true, count + 1 end
        if frame.sequence == order[1] then rounds = rounds + 1 end
      end
      t:check("ICPT-009", "packets outstanding on a link that is silent", count <= 7, "at most 7", count)
    until rounds >= 2
  end,
}

case {
  id = "link-window-moves",
  title = "An acknowledgement of the oldest packet lets one more go",
  purpose = "Of the outstanding packets, as many as the card lets be, the first is acknowledged: one more comes, and no second.",
  requirements = { "ICPT-009" },
  run = function(t)
    local _, net = sixteen_granted(t, "ICPT-009")
    local order = until_again(t, "ICPT-009", net)
    net:acknowledge(order[1])
    local window = #order
    local behind = (order[1] + window) % 256
    local seen = {}
    repeat
      local frame = net:take()
      t:check("ICPT-009", "one more packet comes", frame, "sequence " .. behind, "nothing more")
      if frame.message ~= "acknowledge" then
        t:check("ICPT-009", "packets beyond the window", (frame.sequence - order[1]) % 256 <= window, "none",
          frame.sequence)
        seen[frame.sequence] = (seen[frame.sequence] or 0) + 1
      end
    until (seen[behind] or 0) >= 2
  end,
}

case {
  id = "link-go-back",
  title = "A request brings the packet that is named, and all behind it, in their order",
  purpose = "As many packets as the card lets be are outstanding; the third is asked for three times: the third to the last come again, and the fourth does not wait for the timer, which begins with the first.",
  requirements = { "ICPT-283" },
  run = function(t)
    local _, net = sixteen_granted(t, "ICPT-283")
    local order = until_again(t, "ICPT-283", net)
    if #order < 4 then t:skip("the card has fewer than four packets outstanding") end
    local wanted, behind = { table.unpack(order, 3) }, nil
    for _ = 1, 3 do
      local found, ahead, last = 0, false, nil
      net:ask(order[3])
      repeat -- what the timer sends again begins with a packet before it
        local frame = net:take()
        t:check("ICPT-283", "packets from the third on come in their order", frame, wanted[found + 1], "nothing")
        local sequence = frame.sequence
        t:check("ICPT-283", "the fourth packet comes again", sequence ~= wanted[2] or ahead, "behind the third",
          "without it")
        if last == wanted[1] and behind ~= wanted[2] then behind = sequence end
        last = (sequence ~= wanted[1] or last ~= order[2]) and sequence or nil -- the timer's third one is not asked for
        if sequence == wanted[1] or sequence == wanted[2] then ahead = sequence == wanted[1] end
        found = sequence == wanted[found + 1] and found + 1 or sequence == wanted[1] and 1 or found
      until found == #wanted
      t:equal("ICPT-283", "packets that came again in their order", found, #wanted)
    end
    t:equal("ICPT-283", "what comes behind the third packet when that is asked for", behind, wanted[2])
  end,
}

case {
  id = "link-acknowledged-not-again",
  title = "A packet that has been acknowledged is not sent again",
  purpose = "Of seven outstanding packets the second to the seventh are acknowledged, not the first: the first alone comes again. What the card had sent before it read that is told by a packet behind it, which it acknowledges.",
  requirements = { "ICPT-283" },
  run = function(t)
    local card, net = sixteen_granted(t, "ICPT-283")
    local order, settled = until_again(t, "ICPT-283", net), {}
    t:skip_if(#order < 2, "the card has one packet outstanding")
    for i = 2, #order do
      net:acknowledge(order[i])
      settled[order[i]] = true
    end
    net:transmit(rts_octets(card, 1, -1)) -- behind the CTS
    t:sanity("the packet behind is acknowledged", net:await("acknowledge", { sequence = at(card, 1) }))
    net.stash = {}
    net:ask(order[1])
    local seen = 0
    while seen < 4 do
      local frame = net:take()
      t:check("ICPT-283", "the first packet comes again", frame, order[1], "nothing")
      if frame.message == "acknowledge" or frame.message == "retransmit" then
        -- its sequence is one of the other direction
      elseif frame.sequence == order[1] then
        seen = seen + 1
      elseif seen >= 2 then -- before, it may be what was about to leave
        t:check("ICPT-283", "packets that come again although they have been acknowledged", not settled[frame.sequence],
          "none", frame.sequence)
      end
    end
  end,
}

case {
  id = "link-duplicate-where-sequences-wrap",
  title = "Packets that come again are acknowledged again and delivered once wherever the sequences stand",
  purpose = "Three hundred messages that nobody takes. Each packet comes again, and so do the one before it and the one that is a whole window behind. So each sequence from 0 to 255 is repeated, also over the end of the numbers.",
  requirements = { "ICPT-007", "ICPT-011" },
  run = function(t)
    local rank, card, net = begin(t, "ICPT-011")
    local before, packets = rank:drop_count(), {}
    for number = 0, 299 do
      packets[number] = rts_octets(card, number, number)
      for _, behind in ipairs { 0, 0, 1, 6 } do
        if behind <= number then
          net:transmit(packets[number - behind])
          t:frame("ICPT-007", net, "acknowledge", { sequence = at(card, number - behind) })
        end
      end
    end
    t:drops("ICPT-011", rank, before, 300)
  end,
}

case {
  id = "link-duplicate",
  title = "A packet that comes twice is acknowledged twice and delivered once",
  purpose = "As when the acknowledgement was lost: the same octets three times, and one message for Portals.",
  requirements = { "ICPT-011", "ICPT-283" },
  run = function(t)
    local rank, card, net = begin(t, "ICPT-011")
    local before, octets = rank:drop_count(), rts_octets(card, 0, 0)
    for _ = 1, 3 do
      net:transmit(octets)
      t:frame("ICPT-283", net, "acknowledge", { sequence = at(card, 0) })
    end
    net:transmit(rts_octets(card, 1, 1))
    t:frame("ICPT-283", net, "acknowledge", { sequence = at(card, 1) })
    t:drops("ICPT-011", rank, before, 2)
  end,
}

case {
  id = "link-duplicate-credit",
  title = "What a packet does is done once, however often it comes",
  purpose = "A process with two long puts gets credit for one message, in a packet that comes three times: one TRY_MATCH comes.",
  requirements = { "ICPT-011" },
  run = function(t)
    local rank, card, net = t:meet()
    card:gets_put(8)
    card:answer("msgend", card:take_rts("ICPT-011"))
    t:event("ICPT-011", rank, "sent", { type = "PTL_EVENT_SENT" })
    for _ = 1, 2 do card:gets_put(9000) end
    t:frame("ICPT-011", net, "command")
    net:settled()
    local due = net:link().next
    net:rules(1, true, false)
    for _ = 1, 3 do net:transmit(card:frame("command", { amount = 1, sequence = due })) end
    net:sequence(0, due + 1)
    t:frame("ICPT-011", net, "try_match")
    net:card():serves("ICPT-011")
    t:equal("ICPT-011", "further control messages", net:waiting("try_match"), 0)
  end,
}

case {
  id = "link-duplicate-late",
  title = "The packet that came seven before is known as a duplicate",
  purpose = "Seven packets are accepted; the first of them comes once more: it is acknowledged and not delivered.",
  requirements = { "ICPT-283", "ICPT-011" },
  run = function(t)
    local rank, card, net = begin(t, "ICPT-283")
    local before = rank:drop_count()
    for sequence = 0, 6 do
      net:transmit(rts_octets(card, sequence, sequence))
      t:frame("ICPT-283", net, "acknowledge", { sequence = at(card, sequence) })
    end
    net:transmit(rts_octets(card, 0, 0))
    t:frame("ICPT-283", net, "acknowledge", { sequence = at(card, 0) })
    t:drops("ICPT-011", rank, before, 7)
  end,
}

case {
  id = "link-acknowledged-alone",
  title = "An acknowledgement says nothing of the packets before it",
  purpose = "Of a window of data packets the last one alone is acknowledged: all before it come again.",
  requirements = { "ICPT-010" },
  run = function(t)
    local _, net = sixteen_granted(t, "ICPT-010")
    local order = until_again(t, "ICPT-010", net)
    if #order < 2 then t:skip("the card sends one packet at a time") end
    net:acknowledge(order[#order])
    local due, count = {}, #order - 1
    for i = 1, count do due[order[i]] = true end
    repeat
      local frame = net:take()
      t:check("ICPT-010", "the packets before the acknowledged one come again", frame, "a packet", "nothing more")
      if frame.message ~= "acknowledge" and due[frame.sequence] then
        due[frame.sequence], count = nil, count - 1
      end
    until count == 0
  end,
}

case {
  id = "link-timer-all",
  title = "When the timer runs out all outstanding packets are sent again",
  purpose = "Nothing is acknowledged: whenever the oldest packet has come three times, all others that came have come again.",
  requirements = { "ICPT-283" },
  run = function(t)
    local _, net = sixteen_granted(t, "ICPT-283")
    local oldest, times = nil, {}
    repeat
      local frame = net:await { "data", "stop_data", "last_data" }
      t:check("ICPT-283", "the oldest packet comes three times", frame, "a data packet", "nothing more")
      oldest = oldest or frame.sequence
      times[frame.sequence] = (times[frame.sequence] or 0) + 1
    until times[oldest] == 3
    for sequence, count in pairs(times) do
      t:check("ICPT-283", "how often the packet " .. sequence .. " came", count >= 2, "twice or more", count)
    end
  end,
}

for name, ahead in each { {"next", 1}, {"farthest", 6} } do
  case {
    id = "link-gap-" .. name,
    title = "A packet behind a lost one is asked for from the lost one on",
    purpose = string.format("The packet %d behind the one that is due comes: it is not acknowledged, and the lost "
      .. "one is asked for.", ahead),
    requirements = { "ICPT-283", "ICPT-010" },
    run = function(t)
      local rank, card, net = begin(t, "ICPT-283")
      local before = rank:drop_count()
      net:transmit(rts_octets(card, ahead, ahead))
      local answer = answer_of(net)
      t:equal("ICPT-283", "what answers it", answer and answer.message, "retransmit")
      t:equal("ICPT-283", "the sequence that is asked for", answer.sequence, at(card, 0))
      net:transmit(rts_octets(card, ahead, ahead))
      for sequence = 0, ahead do
        net:transmit(rts_octets(card, sequence, sequence))
        t:frame("ICPT-010", net, "acknowledge", { sequence = at(card, sequence) })
      end
      t:equal("ICPT-283", "further requests, when the packet behind came once more", net:waiting("retransmit"), 0)
      t:drops("ICPT-010", rank, before, ahead + 1)
    end,
  }
end

for name, sequence in each { {"beyond", 8}, {"half-way", 128}, {"before", 248} } do
  case {
    id = "link-far-" .. name,
    title = "A packet of a sequence that no window holds is discarded, and not delivered",
    purpose = string.format("A packet of sequence %d where 0 is due, with the right CRC; the packets behind are "
      .. "those that are due.", sequence),
    requirements = { "ICPT-281", "ICPT-011" }, negative = true,
    run = function(t)
      local rank, card, net = begin(t, "ICPT-281")
      local before = rank:drop_count()
      net:transmit(rts_octets(card, 0, 0))
      t:frame("ICPT-281", net, "acknowledge", { sequence = at(card, 0) })
      net:transmit(rts_octets(card, sequence + 1, 1))
      t:confirm_violation("sequence-jumps")
      net:transmit(rts_octets(card, 1, 1))
      local answer = net:await { "acknowledge" }
      t:sanity("the packet that is due is taken", answer)
      t:ignore_rules { "sequence-jumps" }
      t:equal("ICPT-281", "the packet that is acknowledged", answer.sequence, at(card, 1))
      t:equal("ICPT-281", "requests", net:waiting("retransmit"), 0)
      t:drops("ICPT-011", rank, before, 2)
    end,
  }
end

case {
  id = "link-foreign-answers",
  title = "Answers that name a packet which is not outstanding are ignored",
  purpose = "Acknowledgements of sequences that were never sent come first; the RTS still comes again until it is acknowledged itself.",
  requirements = { "ICPT-282", "ICPT-010" }, negative = true,
  run = function(t)
    local _, card, net = begin(t, "ICPT-282")
    card:gets_put(40)
    local rts = net:await("rts")
    t:sanity("the process sends its RTS", rts)
    for _, ahead in ipairs { 3, 100, 200 } do
      net:acknowledge((rts.sequence + ahead) % 256)
      t:confirm_violation("ack-of-nothing")
    end
    for _ = 1, 2 do
      local again = net:await("rts", { sequence = rts.sequence })
      t:check("ICPT-010", "the RTS comes again", again, "rts", "nothing")
    end
    net:acknowledge(rts.sequence)
    net:transmit(rts_octets(card, 0, 0))
    t:frame("ICPT-282", net, "acknowledge", { sequence = at(card, 0) })
  end,
}

case {
  id = "link-withdrawn",
  title = "A packet that a switch has withdrawn is discarded, and not asked for",
  purpose = "The complement of the right CRC: no request comes; the next packet has the same sequence, and is taken.",
  requirements = { "ICPT-038" },
  run = function(t)
    local rank, card, net = begin(t, "ICPT-038")
    local before = rank:drop_count()
    local frame = card:rts(card:message { octets = 40, portal = 7, number = 1 })
    frame.sequence, frame.crc = at(card, 0), "complement"
    net:transmit(frame)
    net:transmit(rts_octets(card, 0, 0))
    local answer = answer_of(net)
    t:equal("ICPT-038", "the first answer", answer and answer.message, "acknowledge")
    t:drops("ICPT-038", rank, before, 1)
  end,
}

case {
  id = "link-damaged-twice",
  title = "A packet that comes corrupt twice is asked for twice",
  purpose = "Each corrupt packet is answered with one request for the sequence that is due.",
  requirements = { "ICPT-008" },
  run = function(t)
    local _, card, net = begin(t, "ICPT-008")
    local octets = rts_octets(card, 0, 0)
    for _ = 1, 3 do
      net:transmit(damaged(octets, 100))
      t:frame("ICPT-008", net, "retransmit", { sequence = at(card, 0) })
    end
    net:transmit(octets)
    t:frame("ICPT-008", net, "acknowledge", { sequence = at(card, 0) })
  end,
}

for name, octets in each { {"too-short", -3}, {"too-long", 3}, {"nothing", -1000}, {"huge", 900} } do
  case {
    id = "link-datagram-" .. name,
    title = "A datagram that is not exactly its frame is like one with a wrong CRC",
    purpose = "An RTS with octets missing or behind it is not delivered; a whole one of the same number is.",
    requirements = { "ICPT-005", "ICPT-011" }, chapter = "2.1.1",
    run = function(t)
      local rank, card, net = begin(t, "ICPT-005")
      card:may_put(64)
      local other = card:rts(card:message { octets = 40, seed = 9, number = 1 }, { sequence = at(card, 0) })
      local honest = card:rts(card:message { octets = 40, number = 1 }, { sequence = at(card, 0) })
      local whole = core.network_encode(other)
      net:transmit(octets < 0 and whole:sub(1, math.max(0, #whole + octets)) or whole .. string.rep("\0", octets))
      net:transmit(honest)
      local answer = net:await("acknowledge")
      t:equal("ICPT-011", "the acknowledgement of the whole one", answer and answer.sequence, at(card, 0))
      t:event("ICPT-011", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40 })
      t:octets("ICPT-005", "the message", rank, "buf", "mix/5", 0, 40)
    end,
  }
end

case {
  id = "link-sequence-wraps",
  title = "Sequences count the packets of a link, and go from 255 to 0",
  purpose = "Three hundred short puts are answered; the sequences of the answers are one behind the other modulo 256.",
  requirements = { "ICPT-281" },
  run = function(t)
    local _, card, net = t:meet()
    local expected
    for number = 1, 300 do
      card:send_rts(card:message { octets = 8, portal = 7 })
      local answer = t:frame("ICPT-281", net, "msgend")
      if expected then t:equal("ICPT-281", "the sequence of answer " .. number, answer.sequence, expected) end
      expected = (answer.sequence + 1) % 256
    end
  end,
}

case {
  id = "link-first-sequences",
  title = "The numbering of both directions begins with the packet by which a card makes itself known",
  purpose = "That packet has the sequence 0, the first one after it 1; the first packet to the card has 0.",
  requirements = { "ICPT-108", "ICPT-281" },
  run = function(t)
    local net = t:network { planes = 1, acknowledges = false, repeats = false }
    local pending = core.job_start("env.ASSAY_INTERCEPT=" .. net.place .. " unset.ASSAY_FAULT=", 1)
    local ranks, why = core.job_await(pending, 20000)
    if not ranks then t:inconclusive("configuration", "the job does not start: " .. tostring(why)) end
    t.ranks, t.count = ranks, 1
    local rank = ranks[0]
    local opening = rank:start_batch(1, { { "PtlInit", {} },
      { "PtlNIInit", { interface = "default", ptl_size = 8, acl_size = 4, handle = "ni" } } })
    local known = t:frame("ICPT-108", net, "short_message", nil, 15000)
    t:equal("ICPT-281", "the sequence of the first packet", known.sequence, 0)
    t:equal("ICPT-108", "it goes out on the link, from the card to itself", known.destination, known.source)
    t:equal("ICPT-281", "its VNIC and its octets", { known.destination_vnic, known.length }, { 0, 0 })
    net.sut = known.source
    net:acknowledge(0)
    t:equal("ICPT-281", "PtlInit and PtlNIInit that have returned PTL_OK", opening:finish().runs, 1)
    rank.id = t:setup(rank:PtlGetId()).id
    t.initialised = true
    net.rank = rank
    local card = net:card()
    net:sequence(0, 0, 1)
    card:gets_put(8)
    t:frame("ICPT-281", net, "rts", { sequence = 1 })
    net:acknowledge(1)
    net:transmit(card:rts(card:message { octets = 8, portal = 7 }, { sequence = 0 }))
    t:frame("ICPT-281", net, "acknowledge", { sequence = 0 })
  end,
}
