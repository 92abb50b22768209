-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Losses, and those behind others (2.1.1; binding 3.6): a packet that nobody acknowledges, a second gap, sequences that
-- go from 255 to 0, every plane, and every kind of packet.

defaults { suite = "link", chapter = "2.1.1", network = true, deadline = 60 }

-- The octets with one bit turned over in the last one before the CRC.
local function damaged(octets)
  local place = #octets - 4
  return octets:sub(1, place - 1) .. string.char(octets:byte(place) ~ 4) .. octets:sub(place + 1)
end

-- From here on the case is the link: card.due is the sequence of the next packet to the card under test.
local function by_hand(net, card)
  net:settled()
  net:rules(15, false, false)
  card.due = net:link().next
end

-- An RTS of a message that nobody takes, as octets: the so manieth sequence and message from those that are due.
local function rts_octets(card, ahead)
  local frame = card:rts(card:message { octets = 40, portal = 7, number = 1 + ahead })
  frame.sequence = (card.due + ahead) % 256
  return core.network_encode(frame)
end

local function acknowledged(t, req, net, card, ahead)
  net:transmit(rts_octets(card, ahead))
  t:frame(req, net, "acknowledge", { sequence = (card.due + ahead) % 256 })
end

local function asks_for(t, req, net, card, ahead)
  t:frame(req, net, "retransmit", { sequence = (card.due + ahead) % 256 })
end

case {
  id = "link-lost-packet",
  title = "A packet that nobody acknowledges is sent again as it was",
  purpose = "An RTS is received and not acknowledged; the same octets come again, until they are.",
  requirements = { "ICPT-010", "ICPT-063" },
  run = function(t)
    local _, card, net = t:meet()
    card:serves("ICPT-010")
    by_hand(net, card)
    card:gets_put(40)
    local first = t:frame("ICPT-010", net, "rts")
    for _ = 1, 2 do
      local again = net:take()
      t:check("ICPT-010", "it comes again", again, "rts", "nothing")
      t:same_octets("ICPT-063", "what is sent again on the link", again.octets, first.octets)
    end
    net:acknowledge(first.sequence)
    net:transmit(card:frame("msgend", { message_number = first.message_number, sequence = card.due }))
    card:gets_put(40)
    repeat
      local later = net:take()
      t:check("ICPT-010", "the process goes on", later, "what is next", "nothing")
    until later.message == "rts" and later.sequence ~= first.sequence
  end,
}

case {
  id = "link-asked-packet",
  title = "A packet that the link asks for comes again as it was, with its sequence",
  purpose = "An RTS is received and not acknowledged. The link asks for it four times: each time the same octets come, and nothing with another sequence.",
  requirements = { "ICPT-063" },
  run = function(t)
    local rank, card, net = t:meet()
    card:serves("ICPT-063")
    by_hand(net, card)
    card:gets_put(40)
    local first = t:frame("ICPT-063", net, "rts")
    for round = 1, 4 do
      net:ask(first.sequence)
      local again = net:take()
      t:check("ICPT-063", "it comes again when it is asked for the " .. round .. ". time", again, "rts", "nothing")
      t:same_octets("ICPT-063", "what is sent again on the link", again.octets, first.octets)
    end
    net:acknowledge(first.sequence)
    net:transmit(card:frame("msgend", { message_number = first.message_number, sequence = card.due }))
    t:event("ICPT-063", rank, "sent", { type = "PTL_EVENT_SENT" })
  end,
}

case {
  id = "loss-behind-a-loss",
  title = "Each lost packet is asked for, also behind others that were lost before",
  purpose = "A gap is asked for and closed; then another one, a damaged packet, and a third gap: each brings a request for what is due.",
  requirements = { "ICPT-283", "ICPT-008" },
  run = function(t)
    local rank, card, net = t:meet()
    card:serves("ICPT-283")
    by_hand(net, card)
    local before = rank:drop_count()
    for first = 0, 9, 3 do
      if first == 6 then
        net:transmit(damaged(rts_octets(card, first)))
        asks_for(t, "ICPT-008", net, card, first)
      else
        net:transmit(rts_octets(card, first + 2))
        asks_for(t, "ICPT-283", net, card, first)
      end
      for ahead = first, first + 2 do acknowledged(t, "ICPT-283", net, card, ahead) end
    end
    t:equal("ICPT-283", "further requests", net:waiting("retransmit"), 0)
    t:drops("ICPT-283", rank, before, 12)
  end,
}

case {
  id = "loss-where-sequences-wrap-in",
  title = "Gaps and duplicates are known as such where sequences go from 255 to 0",
  purpose = "The packet with the sequence 2 comes where 254 is due: that is asked for. When all have come, each comes once more: it is acknowledged, and not delivered.",
  requirements = { "ICPT-281", "ICPT-283", "ICPT-011" },
  run = function(t)
    local rank, card, net = t:meet()
    card:serves("ICPT-281")
    while net:link().next ~= 254 do card:serves("ICPT-281") end
    by_hand(net, card)
    local number, before = card.number, rank:drop_count()
    local octets = {}
    for ahead = 0, 4 do
      local frame = card:rts(card:message { octets = 40, portal = 7, number = number + ahead })
      frame.sequence = (card.due + ahead) % 256
      octets[ahead] = core.network_encode(frame)
    end
    net:transmit(octets[4])
    asks_for(t, "ICPT-281", net, card, 0)
    for _ = 1, 2 do
      for ahead = 0, 4 do
        net:transmit(octets[ahead])
        t:frame("ICPT-283", net, "acknowledge", { sequence = (card.due + ahead) % 256 })
      end
    end
    t:drops("ICPT-011", rank, before, 5)
  end,
}

case {
  id = "loss-where-sequences-wrap-out",
  title = "Packets are sent again, in their order, where sequences go from 255 to 0",
  purpose = "Data packets with sequences from about 253 on are not acknowledged: all of them come again, and all of the message when they are.",
  requirements = { "ICPT-283", "ICPT-281" },
  run = function(t)
    local rank, card, net = t:meet()
    local last
    repeat
      card:send_rts(card:message { octets = 8, portal = 7 })
      last = t:frame("ICPT-281", net, "msgend").sequence
    until last == 250
    card:gets_put(8088)
    local rts = card:take_rts("ICPT-281")
    by_hand(net, card)
    net:transmit(card:frame("cts", { message_number = rts.message_number, n = 16, mlength = 8088,
      sequence = card.due }))
    local packets, times, least = {}, {}, 0
    repeat
      local frame = net:await { "data", "stop_data", "last_data" }
      t:check("ICPT-283", "all outstanding packets come again", frame, "a data packet", "nothing more")
      times[frame.sequence] = (times[frame.sequence] or 0) + 1
      least = 9
      for _, count in pairs(times) do least = math.min(least, count) end
      packets[frame.packet_number] = frame
      if times[frame.sequence] == 2 then net:acknowledge(frame.sequence) end
    until packets[15] and least >= 2
    local list = {}
    for _, packet in pairs(packets) do list[#list + 1] = packet end
    t:same_octets("ICPT-281", "the message", Card.joined(rts, list), core.mix(5, 8088))
    card.due = (card.due + 1) % 256
    net:transmit(card:frame("msgend", { message_number = rts.message_number, sequence = card.due }))
    t:event("ICPT-283", rank, "sent", { type = "PTL_EVENT_SENT" })
  end,
}

case {
  id = "loss-on-each-plane",
  title = "Every plane asks for what was lost on it, and over it",
  purpose = "A damaged packet over each of four planes: the request names that plane and the sequence that is due there; the packet is then acknowledged there.",
  requirements = { "ICPT-008", "ICPT-012" },
  run = function(t)
    local rank, card, net = t:meet { planes = 15, some = true }
    card:serves("ICPT-008")
    local planes = net:planes()
    for i, plane in ipairs(planes) do -- no two planes have had as many packets
      for _ = 2, 2 * i - 1 do net:send(card:rts(card:message { octets = 8, portal = 7 }), plane) end
    end
    for _ = 1, #planes * (#planes - 1) do t:frame("ICPT-012", net, "msgend") end
    local before, number = rank:drop_count(), card.number
    by_hand(net, card)
    for i = #planes, 1, -1 do
      local plane = planes[i]
      local frame = card:rts(card:message { octets = 40, portal = 7 })
      frame.sequence = net:link(plane).next
      net:transmit(damaged(core.network_encode(frame)), plane)
      local asked = net:await("retransmit")
      t:check("ICPT-008", "a request for the packet over plane " .. plane, asked, "one", "none")
      t:equal("ICPT-008", "the sequence that is asked for", asked.sequence, frame.sequence)
      t:equal("ICPT-012", "its plane, and that in it", { asked.plane, asked.planes }, { plane, 1 << plane })
      net:transmit(frame, plane)
      local answer = net:await("acknowledge", { plane = plane, sequence = frame.sequence })
      t:check("ICPT-012", "an acknowledgement over plane " .. plane, answer, "one", "none")
    end
    t:drops("ICPT-008", rank, before, card.number - number)
  end,
}

case {
  id = "loss-out-on-each-plane",
  title = "What was lost is sent again over every plane",
  purpose = "Sixteen data packets over four planes, none of which is acknowledged: over each plane that carries some one comes again as it was.",
  requirements = { "ICPT-010", "ICPT-012" },
  run = function(t)
    local _, card, net = t:meet { planes = 15, some = true }
    card:gets_put(8088)
    local rts = card:take_rts("ICPT-010")
    by_hand(net, card)
    net:transmit(card:frame("cts", { message_number = rts.message_number, n = 16, mlength = 8088,
      sequence = card.due }))
    local first, planes, again = {}, {}, {}
    local function missing()
      for plane in pairs(planes) do
        if not again[plane] then return plane end
      end
    end
    while next(planes) == nil or missing() do
      local frame = net:await { "data", "stop_data", "last_data" }
      t:check("ICPT-010", "a packet comes again over plane " .. (missing() or "0 to 3"), frame, "one", "none")
      local earlier = first[frame.packet_number]
      if not earlier then
        first[frame.packet_number], planes[frame.plane] = frame, true
      elseif not again[earlier.plane] then -- later ones may be those of a plane that was given up
        t:equal("ICPT-012", "the plane over which a packet comes again", frame.plane, earlier.plane)
        t:same_octets("ICPT-010", "a packet that comes again", frame.octets, earlier.octets)
        again[earlier.plane] = true
      end
    end
  end,
}

case {
  id = "loss-of-every-kind-in",
  title = "Packets of every kind are taken intact only",
  purpose = "Each packet to the card comes with a damaged bit of its content first, credit, slices and blocks too: what the damaged ones say never counts.",
  requirements = { "ICPT-005" },
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(65536)
    card:serves("ICPT-005")
    net.send = function(self, frame, plane)
      frame.sequence = self:link().next
      self:transmit(damaged(core.network_encode(frame)))
      return Network.send(self, frame, plane)
    end
    card:put({ octets = 5000 }, "ICPT-005")
    t:event("ICPT-005", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 5000 })
    t:octets("ICPT-005", "a short message", rank, "buf", "mix/5", 0, 5000)
    card:gets_put(5000)
    t:same_octets("ICPT-005", "a message from the process", card:take_message("ICPT-005").whole, core.mix(5, 5000))
    for _ = 1, 2 do card:gets_put(9000) end
    card:take_connection("ICPT-005", 1)
    t:frame("ICPT-005", net, "try_match")
    card:serves("ICPT-005")
    t:equal("ICPT-005", "control messages beyond a credit of one", net:waiting("try_match"), 0)
    card.connected = true
    card:credit()
    card:long_put("ICPT-005", { octets = 20011, seed = 6, offset = 3, address = 0x10007 })
    t:event("ICPT-005", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 20011 })
    t:octets("ICPT-005", "a long message", rank, "buf", "mix/6", 3, 20011)
  end,
}

case {
  id = "loss-of-every-kind-out",
  title = "Packets of every kind are kept until they are acknowledged",
  purpose = "UPD_CONN, credit, TRY_MATCH and the packets of a slice are lost once: each comes again as it was.",
  requirements = { "ICPT-010", "ICPT-063" },
  run = function(t)
    local _, card, net = t:meet()
    by_hand(net, card)
    card:gets_put(20000)
    local function again(message, first)
      first = first or t:frame("ICPT-010", net, message)
      local second = net:await(message, { sequence = first.sequence })
      t:check("ICPT-010", message .. " comes again", second, "it", "nothing")
      t:same_octets("ICPT-063", "the " .. message .. " that comes again", second.octets, first.octets)
      net:acknowledge(first.sequence)
      return first
    end
    local function send(message, fields)
      local frame = card:frame(message, fields)
      frame.sequence, card.due = card.due, (card.due + 1) % 256
      net:transmit(frame)
    end
    again("upd_conn")
    again("command")
    send("command", { amount = 64 })
    local match = again("try_match")
    send("vdma_get", { key = match.key, channel_granted = 1, slice = 0, slices = 1, window_start = 0,
      address = match.address, slice_length = 8192 })
    local places, got = {}, 0
    while got < 8192 do
      local frame = t:frame("ICPT-010", net, "vdma_data")
      if not places[frame.window_address] then
        again("vdma_data", frame)
        places[frame.window_address], got = true, got + #frame.data
      end
    end
  end,
}

for name in each { {"acknowledge"}, {"retransmit"} } do
  case {
    id = "loss-of-" .. name,
    title = "A link answer whose CRC is wrong tells nothing, and is answered like a packet whose CRC is wrong",
    purpose = "An " .. name .. " for the RTS that is outstanding comes with one bit of its CRC turned over: a request "
      .. "comes, and the RTS again, until it is acknowledged by a frame that is right.",
    requirements = { "ICPT-005", "ICPT-008" },
    run = function(t)
      local _, card, net = t:meet()
      card:serves("ICPT-005")
      by_hand(net, card)
      card:gets_put(40)
      local rts = t:frame("ICPT-005", net, "rts")
      local octets = core.network_encode { message = name, planes = 1, sequence = rts.sequence }
      net:transmit(octets:sub(1, -2) .. string.char(octets:byte(-1) ~ 4))
      local asked = net:await("retransmit")
      t:check("ICPT-005", "the damage is noticed", asked, "a request", "none")
      t:equal("ICPT-008", "the sequence that is asked for", asked.sequence, card.due)
      for _ = 1, 2 do
        local again = net:await("rts", { sequence = rts.sequence })
        t:check("ICPT-005", "the RTS comes again", again, "rts", "nothing")
      end
      net:acknowledge(rts.sequence)
      acknowledged(t, "ICPT-008", net, card, 0)
    end,
  }
end

for name, place, octet in each { {"reserved", 12, 1}, {"reserved-last", 15, 128} } do
  case {
    id = "loss-answer-" .. name,
    title = "A link answer in which a reserved octet is not 0 is discarded",
    purpose = string.format("An acknowledgement of the RTS that is outstanding, with octet %d not 0 and the right "
      .. "CRC: the RTS comes again until it is acknowledged by a frame that is right.", place),
    requirements = { "ICPT-282" }, negative = true,
    run = function(t)
      local _, card, net = t:meet()
      card:serves("ICPT-282")
      by_hand(net, card)
      card:gets_put(40)
      local rts = t:frame("ICPT-282", net, "rts")
      local reserved = octet << 8 * (15 - place)
      net:transmit { message = "acknowledge", planes = 1, sequence = rts.sequence, reserved = reserved }
      t:confirm_violation("link-frame")
      for _ = 1, 2 do
        local again = net:await("rts", { sequence = rts.sequence })
        t:check("ICPT-282", "the RTS comes again", again, "rts", "nothing")
      end
      net:acknowledge(rts.sequence)
      net:transmit(rts_octets(card, 0))
      t:sanity("the link goes on", net:await("acknowledge", { sequence = card.due }))
    end,
  }
end

case {
  id = "link-overrun",
  title = "Packets that come faster than they are taken are not lost",
  purpose = "Four hundred messages are sent as fast as the link permits; each is delivered once, and answered.",
  requirements = { "ICPT-059", "ICPT-011" },
  run = function(t)
    local rank, card, net = t:meet()
    card:serves("ICPT-059")
    local before = rank:drop_count()
    for _ = 1, 7 do
      local last
      for _ = 1, 60 do
        last = card:message { octets = 408, portal = 7 }
        card:send_rts(last)
      end
      for _ = 1, 60 do t:frame("ICPT-059", net, "msgend") end
    end
    t:drops("ICPT-011", rank, before, 420)
  end,
}
