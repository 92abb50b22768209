-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- One link of the card under test (2.1.1; binding 3.6): damage to each octet that decides what a frame is, packets
-- without octets, packets that are too long, answers of another plane, and what a gap does to those behind it.

defaults { suite = "link", chapter = "2.1.1", network = true, deadline = 60 }

-- From here on the case is the link: nothing is answered or sent again by itself.
local function by_hand(net, card)
  net:settled()
  net:rules(1, false, false)
  card.due = net:link().next
end

-- A process and a card that has booted.
local function begin(t, req, take)
  local rank, card, net = t:meet()
  if take then card:may_put(1024) end
  card:serves(req)
  by_hand(net, card)
  return rank, card, net
end

local function at(card, ahead)
  return (card.due + ahead) % 256
end

-- A frame as octets, with the so manieth sequence from the one that is due.
local function octets_of(card, frame, ahead)
  frame.sequence = at(card, ahead)
  return core.network_encode(frame)
end

-- The octets with these bits of one octet turned over, counted from 0, or from the end where it is negative.
local function damaged(octets, place, bits)
  place = place < 0 and #octets + place + 1 or place + 1
  return octets:sub(1, place - 1) .. string.char(octets:byte(place) ~ bits) .. octets:sub(place + 1)
end

for name, place, bits in each { {"kind-none", 0, 2}, {"kind-other", 0, 128}, {"mask", 1, 15}, {"flags", 2, 2},
    {"sequence", 3, 1}, {"length-longer", 11, 8}, {"length-shorter", 11, 32}, {"length-huge", 10, 4},
    {"crc-1", -4, 128}, {"crc-2", -3, 1}, {"crc-3", -2, 64} } do
  case {
    id = "damage-" .. name,
    title = "A packet is asked for again whatever the damaged octet says now",
    purpose = "An RTS comes with one octet damaged (" .. name .. "), and brings a request for the sequence that is "
      .. "due; then it comes intact, is acknowledged, and delivered once.",
    requirements = { "ICPT-005", "ICPT-008" },
    run = function(t)
      local rank, card, net = begin(t, "ICPT-005")
      local before = rank:drop_count()
      local octets = octets_of(card, card:rts(card:message { octets = 40, portal = 7, number = 1 }), 0)
      net:transmit(damaged(octets, place, bits))
      local answer = net:await({ "acknowledge", "retransmit" })
      t:check("ICPT-005", "the damage is noticed", not answer or answer.message ~= "acknowledge", "no acknowledgement",
        "one")
      t:equal("ICPT-008", "what answers the damaged packet", answer and answer.message, "retransmit")
      t:equal("ICPT-008", "the sequence that is asked for", answer.sequence, at(card, 0))
      net:transmit(octets)
      t:frame("ICPT-008", net, "acknowledge", { sequence = at(card, 0) })
      t:drops("ICPT-005", rank, before, 1)
    end,
  }
end

for name, vnic, req in each { {"for-the-handler", 0, "ICPT-007"}, {"for-portals", 1, "ICPT-007"},
    {"for-another", 2, "ICPT-027"} } do
  case {
    id = "damage-of-a-packet-without-octets-" .. name,
    title = "The CRC of a packet without octets is looked at as any other's",
    purpose = "A short message of no octets for VNIC " .. vnic .. " with a wrong CRC brings a request; with the right "
      .. "one it is acknowledged, and so is the message behind it, which begins.",
    requirements = { "ICPT-005", req }, negative = true,
    run = function(t)
      local rank, card, net = begin(t, "ICPT-005", true)
      local empty = card:frame("short_message", { destination_vnic = vnic, source_vnic = vnic, flags = 0, planes = 1,
        data = "" })
      local octets = octets_of(card, empty, 0)
      net:transmit(damaged(octets, -2, 16))
      local answer = net:await({ "acknowledge", "retransmit" })
      t:equal("ICPT-005", "what answers the damaged packet", answer and answer.message, "retransmit")
      net:transmit(octets)
      t:confirm_violation("content")
      answer = net:await({ "acknowledge", "retransmit" })
      t:equal(req, "what answers the packet", answer and answer.message .. " " .. answer.sequence,
        "acknowledge " .. at(card, 0))
      net:transmit(octets_of(card, card:rts(card:message { octets = 40 }), 1))
      t:frame(req, net, "acknowledge", { sequence = at(card, 1) })
      t:event(req, rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40 })
      t:sanity_shown("an honest put")
    end,
  }
end

case {
  id = "damage-of-the-withdrawn",
  title = "No packet that a switch has withdrawn is asked for, or acknowledged, whichever kind it is",
  purpose = "An RTS, a VDMA packet, a command and a short message of no octets come with the complement of the right CRC: no answer; the honest packet with their sequence is taken.",
  requirements = { "ICPT-038" },
  run = function(t)
    local rank, card, net = begin(t, "ICPT-038")
    local before = rank:drop_count()
    for _, frame in ipairs { card:rts(card:message { octets = 40, portal = 7, number = 1 }),
      card:frame("vdma_data", { channel = 0, window_address = 0, data = core.mix(1, 512), planes = 1 }),
      card:frame("command", { amount = 1 }),
      card:frame("short_message", { destination_vnic = 1, source_vnic = 1, flags = 0, planes = 1, data = "" }) } do
      frame.sequence, frame.crc = at(card, 0), "complement"
      net:transmit(frame)
    end
    net:transmit(octets_of(card, card:rts(card:message { octets = 40, portal = 7, number = 1 }), 0))
    local answer = net:await({ "acknowledge", "retransmit" })
    t:equal("ICPT-038", "the first answer", answer and answer.message .. " " .. answer.sequence,
      "acknowledge " .. at(card, 0))
    t:drops("ICPT-038", rank, before, 1)
    t:equal("ICPT-038", "further answers", net:waiting("acknowledge") + net:waiting("retransmit"), 0)
  end,
}

case {
  id = "packet-of-64-quadwords",
  title = "A short message of more than 63 quadwords is discarded",
  purpose = "An RTS with 416 octets of data, which fill 64 quadwords, under a right CRC: nothing of it is stored. The honest message of the same number arrives.",
  requirements = { "ICPT-027" }, chapter = "2.1.2", negative = true,
  run = function(t)
    local rank, card, net = begin(t, "ICPT-027", true)
    local message = card:message { octets = 416, seed = 9, number = 1 }
    local forged = card:rts(message, { planes = 1 })
    forged.data = forged.data .. message.data:sub(409)
    net:transmit(octets_of(card, forged, 0))
    t:confirm_violation("bad-length")
    -- Whether it has taken a sequence is told by the packet behind it: it is the next one, or one is missing.
    net:transmit(octets_of(card, card:frame("command", { amount = 1 }), 1))
    local answer
    repeat
      answer = net:await({ "acknowledge", "retransmit" })
    until not answer or answer.message == "retransmit" or answer.sequence == at(card, 1)
    t:sanity("the packet behind is answered", answer)
    local ahead = answer.message == "retransmit" and 0 or 2
    net:transmit(octets_of(card, card:rts(card:message { octets = 40, number = 1 }), ahead))
    t:frame("ICPT-027", net, "acknowledge", { sequence = at(card, ahead) })
    t:event("ICPT-027", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 40, mlength = 40 })
    t:octets("ICPT-027", "what is stored", rank, "buf", "mix/5", 0, 40)
  end,
}

for name, planes in each { {"second", 2}, {"last", 8} } do
  case {
    id = "link-answer-for-planes-" .. name,
    title = "An answer that names another plane than the one over which it comes is ignored",
    purpose = "An acknowledgement of an RTS comes over plane 0 with the mask " .. planes
      .. ": the RTS still comes again, until it is acknowledged for plane 0.",
    requirements = { "ICPT-282" }, negative = true,
    run = function(t)
      local _, card, net = begin(t, "ICPT-282")
      card:gets_put(40)
      local rts = net:await("rts")
      t:sanity("the process sends its RTS", rts)
      net:transmit({ message = "acknowledge", planes = planes, sequence = rts.sequence })
      t:confirm_violation("wrong-plane")
      net:transmit(octets_of(card, card:rts(card:message { octets = 40, portal = 7, number = 1 }), 0))
      t:frame("ICPT-282", net, "acknowledge", { sequence = at(card, 0) })
      net.stash = {}
      t:check("ICPT-282", "the RTS comes again", net:await("rts", { sequence = rts.sequence }), "rts", "nothing")
      net:acknowledge(rts.sequence)
    end,
  }
end

case {
  id = "link-gap-delivers-nothing-early",
  title = "What comes behind a lost packet is not delivered before it, nor what came before it once more",
  purpose = "Credit for one message is taken; then a packet with credit for one comes behind a gap, and the first one once more. When the lost packet has come as well, and that behind it, credit is for three messages of five, and no more.",
  requirements = { "ICPT-011" },
  run = function(t)
    local rank, card, net = t:meet()
    card:gets_put(8)
    card:answer("msgend", card:take_rts("ICPT-011"))
    t:event("ICPT-011", rank, "sent", { type = "PTL_EVENT_SENT" })
    for _ = 1, 5 do card:gets_put(9000) end
    t:frame("ICPT-011", net, "command")
    net:settled()
    card.due = net:link().next
    net:rules(1, true, false)
    local function credit(ahead)
      net:transmit(octets_of(card, card:frame("command", { amount = 1 }), ahead))
    end
    for _, ahead in ipairs { 0, 2, 0, 1, 2, 1, 0 } do credit(ahead) end
    net:sequence(0, at(card, 3))
    for _ = 1, 3 do t:frame("ICPT-011", net, "try_match") end
    net:card():serves("ICPT-011")
    t:equal("ICPT-011", "control messages beyond the credit", net:waiting("try_match"), 0)
  end,
}

case {
  id = "plane-one-keeps-order-behind-a-loss",
  title = "Over one plane packets keep their order also where one of them is lost",
  purpose = "A message is lost at first, and the one behind it, with which its node boots again, comes before it. When both have come they begin in the order in which they were sent, each once.",
  requirements = { "ICPT-020" }, chapter = "2.1.3", negative = true,
  run = function(t)
    local rank, card, net = begin(t, "ICPT-020", true)
    local lost = octets_of(card, card:rts(card:message { octets = 16, number = 1 }), 0)
    local boot = octets_of(card, card:rts(card:message { octets = 24, number = 0 }), 1)
    net:transmit(boot)
    t:frame("ICPT-020", net, "retransmit", { sequence = at(card, 0) })
    net:transmit(lost)
    t:frame("ICPT-020", net, "acknowledge", { sequence = at(card, 0) })
    net:transmit(boot)
    t:confirm_violation("number-again")
    t:ignore_rules { "boot-first" }
    t:frame("ICPT-020", net, "acknowledge", { sequence = at(card, 1) })
    for _, octets in ipairs { 16, 24 } do
      local event = rank:wait("eq").event
      t:sanity("a message begins", event)
      t:equal("ICPT-020", "octets of the message that begins", event.rlength, octets)
    end
    t:sanity("the boot message is answered", net:await("msgend", { message_number = 0 }))
    t:equal("ICPT-020", "further events", rank:count_events("eq"), 0)
  end,
}

for name, octets in each { {"one-octet", 1}, {"part-of-the-header", 12}, {"one-less-than-the-least", 19},
    {"no-crc", 136}, {"one-more", 141} } do
  case {
    id = "damage-of-the-length-" .. name,
    title = "A datagram that is longer or shorter than its frame is asked for again",
    purpose = "Of an RTS of 140 octets " .. octets .. " come: a request for the sequence that is due answers. Then it "
      .. "comes whole, and is acknowledged.",
    requirements = { "ICPT-008" },
    run = function(t)
      local rank, card, net = begin(t, "ICPT-008")
      local before = rank:drop_count()
      local whole = octets_of(card, card:rts(card:message { octets = 24, portal = 7, number = 1 }), 0)
      t:sanity("the RTS has 140 octets", #whole == 140)
      net:transmit((whole .. "\0"):sub(1, octets))
      local answer = net:await({ "acknowledge", "retransmit" })
      t:equal("ICPT-008", "what answers", answer and answer.message .. " " .. answer.sequence,
        "retransmit " .. at(card, 0))
      net:transmit(whole)
      t:frame("ICPT-008", net, "acknowledge", { sequence = at(card, 0) })
      t:drops("ICPT-008", rank, before, 1)
    end,
  }
end

case {
  id = "link-acknowledges-what-it-discards",
  title = "A packet with a right CRC is acknowledged also where its content is wrong",
  purpose = "RTS come with a flag that is none, a reserved field that is not 0, a virtual NIC that does not exist, one that nobody has opened, and a type that is none: each is acknowledged, once, and none begins.",
  requirements = { "ICPT-007" }, negative = true,
  run = function(t)
    local rank, card, net = begin(t, "ICPT-007", true)
    local wrong <const> = { { "flags", { flags = 5 } }, { "reserved", { reserved = 1 } },
      { "vnic", { destination_vnic = 16 } }, { "vnic", { source_vnic = 255 } }, { "content", { rmpp_type = 9 } } }
    for place, each_one in ipairs(wrong) do
      local frame = card:rts(card:message { octets = 40, seed = 9, number = 1 }, each_one[2])
      net:transmit(octets_of(card, frame, place - 1))
      t:confirm_violation(each_one[1])
      t:frame("ICPT-007", net, "acknowledge", { sequence = at(card, place - 1) })
    end
    net:transmit(octets_of(card, card:rts(card:message { octets = 40, number = 1 }), #wrong))
    t:frame("ICPT-007", net, "acknowledge", { sequence = at(card, #wrong) })
    t:equal("ICPT-007", "further acknowledgements", net:waiting("acknowledge"), 0)
    t:event("ICPT-007", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40 })
    t:sanity_shown("an honest put")
  end,
}

case {
  id = "link-window-where-sequences-wrap",
  title = "No more than seven packets are outstanding where sequences go from 255 to 0 either",
  purpose = "The process has sent packets with sequences up to 250 when sixteen data packets are granted and none is acknowledged: at most seven come before one comes again, twice.",
  requirements = { "ICPT-009" }, deadline = 120,
  run = function(t)
    local _, card, net = t:meet()
    local last
    repeat
      card:send_rts(card:message { octets = 8, portal = 7 })
      last = t:frame("ICPT-009", net, "msgend").sequence
    until last == 250
    card:gets_put(8088)
    local rts = card:take_rts("ICPT-009")
    by_hand(net, card)
    net:transmit(card:frame("cts", { message_number = rts.message_number, n = 16, mlength = 8088,
      sequence = card.due }))
    local times, count, first = {}, 0, nil
    repeat
      local frame = net:await { "data", "stop_data", "last_data" }
      t:check("ICPT-009", "what is outstanding comes again", frame, "a data packet", "nothing more")
      first = first or frame.sequence
      count = count + (times[frame.sequence] and 0 or 1)
      times[frame.sequence] = (times[frame.sequence] or 0) + 1
      t:check("ICPT-009", "packets that came and are not acknowledged", count <= 7, "at most 7", count)
    until times[first] == 3
  end,
}
