-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Forged packets for the handler, and for virtual NICs that are not the interface's: whence and where they come decides
-- what they are.

defaults { suite = "hostile", chapter = "2.2.2", network = true, deadline = 60 }

for name, fields in each { {"three", { source_vnic = 3 }}, {"one", { source_vnic = 1 }},
    {"fifteen", { source_vnic = 15 }} } do
  case {
    id = "hostile-control-from-vnic-" .. name,
    title = "A control message that does not come from the reserved virtual NIC is discarded",
    purpose = "A TRY_MATCH with the number that is due comes to VNIC 0 from VNIC " .. name .. ". The honest one of the "
      .. "same number begins.",
    requirements = { "ICPT-085" }, negative = true,
    run = function(t)
      local rank, card, net = t:meet()
      card:may_put(65536)
      card:connect("ICPT-085")
      card.connected = true
      local all = { message_number = 0, key = 99, address = 0x10000, match_length = 9000,
        data = card:header { rlength = 9000 } }
      for field, value in pairs(fields) do all[field] = value end
      t:send_forged("ICPT-085", card, card:frame("try_match", all), "control-way")
      local message = card:long_put("ICPT-085", { octets = 9000, offset = 512 })
      t:sanity("the honest one is answered", message.reply)
      t:event("ICPT-085", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 9000, offset = 512 })
      t:equal("ICPT-085", "GETs for the other one", net:waiting("vdma_get"), 0)
    end,
  }
end

case {
  id = "hostile-upd-conn-of-its-own",
  title = "A node does not connect to itself, whoever tells it to",
  purpose = "UPD_CONN and CONNECT come that have the node's own address for their source. It sends itself nothing: neither credit nor refusal; a card that connects gets its credit.",
  requirements = { "ICPT-109" }, chapter = "5.2.2", negative = true,
  run = function(t)
    local rank, card, net = t:meet()
    local own = net.sut << 16 | rank.id.pid
    t:send_forged("ICPT-109", card, card:frame("upd_conn", { source = net.sut, rank = own, nic_count = 1,
      data = string.pack(">I2", net.sut) }), "control-way")
    t:send_forged("ICPT-109", card, card:frame("connect", { source = net.sut, rank = own, key = 5, peer_rank = own }),
      "control-way")
    t:sanity("a card that connects gets its credit", card:connect("ICPT-109"))
    t:equal("ICPT-109", "credit and refusals for itself", net:waiting("command") + net:waiting("refuse"), 0)
  end,
}

case {
  id = "hostile-vdma-not-held-back",
  title = "A VDMA packet that has no channel is taken from the link, and does not hold it up",
  purpose = "Packets for each channel come while nothing is asked for: they are acknowledged, and so is the message behind them, which begins; a long put then arrives.",
  requirements = { "ICPT-058" }, chapter = "4.1", negative = true,
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(65536)
    card:serves("ICPT-058")
    card:connect("ICPT-058")
    card:credit()
    card.connected = true
    for channel = 0, 3 do
      t:send_forged("ICPT-058", card, card:frame("vdma_data", { channel = channel, data = string.rep("\xee", 512) }),
        "slice-of-nothing")
    end
    t:equal("ICPT-058", "all of them are acknowledged", net:settled(), true)
    card:put({ octets = 40 }, "ICPT-058")
    t:event("ICPT-058", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40 })
    local message = card:long_put("ICPT-058", { octets = 9000 })
    t:sanity("the honest message is answered", message.reply)
    t:event("ICPT-058", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 9000 })
    t:octets("ICPT-058", "the message", rank, "buf", "mix/5", 0, 9000)
  end,
}

case {
  id = "hostile-rts-for-another-vnic",
  title = "A message for another virtual NIC is not the interface's",
  purpose = "RTS come for VNIC 2, 3 and 9, whose interfaces are closed: nothing of them is stored. The message behind them, for VNIC 1, arrives.",
  requirements = { "ICPT-134" }, chapter = "5.2.3",
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(1024)
    card:serves("ICPT-134")
    for _, vnic in ipairs { 2, 3, 9 } do
      card:send_rts(card:message { octets = 100, seed = 9 }, { destination_vnic = vnic })
    end
    t:equal("ICPT-134", "all of them are acknowledged", net:settled(), true)
    card:send_rts(card:message { octets = 40, offset = 200 })
    t:event("ICPT-134", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40, offset = 200 })
    t:octets("ICPT-134", "what is stored of the others", rank, "buf", "byte/0", 0, 200)
    t:equal("ICPT-134", "further events", rank:count_events("eq"), 0)
  end,
}

for name, type in each { {"zero", 0}, {"nine", 9}, {"huge", 0x80000003} } do
  case {
    id = "hostile-type-unanswered-" .. name,
    title = "A packet of an unknown type is discarded, and not answered",
    purpose = "An RTS comes whose type is " .. type .. ": neither MSGERROR nor any other RMPP packet answers it; the "
      .. "honest message of the same number is answered.",
    requirements = { "ICPT-185" }, chapter = "5.3.2", negative = true,
    run = function(t)
      local rank, card, net = t:meet()
      card:may_put(1024)
      t:send_forged("ICPT-185", card, card:frame("rts", { message_number = 0, rmpp_type = type,
        data = card:header { rlength = 40 } .. core.mix(9, 40) }), "content")
      net:card():serves("ICPT-185")
      t:equal("ICPT-185", "answers to it", net:waiting("msgerror") + net:waiting("msgend") + net:waiting("cts"), 0)
      local message = card:put({ octets = 40 }, "ICPT-185")
      t:sanity("an honest put is answered", message.answer)
      t:event("ICPT-185", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40 })
    end,
  }
end

---- answers that are wrong in one thing -------------------------------------------------------------------------------

for name, req, rule, message, fields in each {
  {"cts-reserved", "ICPT-292", "reserved", "cts", { n = 2, mlength = 1000, body_reserved = 7 }},
  {"cts-longer", "ICPT-152", "content", "cts", { n = 2, mlength = 1000, rmpp_length = 40,
    padding = string.rep("\0", 8), length = 40 }},
  {"msgend-longer", "ICPT-152", "content", "msgend", { rmpp_length = 24, padding = string.rep("\0", 8), length = 24 }},
  {"msgerror-reserved", "ICPT-293", "reserved", "msgerror", { status = -2, body_reserved = 1 << 31 }} } do
  case {
    id = "hostile-answer-" .. name,
    title = "An answer that cannot be does not move the message for which it is",
    purpose = "A message of the process waits for its CTS when an answer comes that is wrong (" .. name .. "): no data "
      .. "and no event. The honest CTS and MSGEND are served.",
    requirements = { req }, chapter = "5.2.3", negative = true,
    run = function(t)
      local rank, card, net = t:meet()
      card:gets_put(8)
      card:answer("msgend", card:take_rts(req))
      t:event(req, rank, "sent", { type = "PTL_EVENT_SENT" })
      card:gets_put(1000)
      local rts, all = card:take_rts(req), { message_number = 1 }
      for field, value in pairs(fields) do all[field] = value end
      t:send_forged(req, card, card:frame(message, all), rule)
      net:card():serves(req)
      t:equal(req, "data packets", net:waiting("data") + net:waiting("last_data"), 0)
      t:equal(req, "events", rank:count_events("sent"), 0)
      card:grant(rts, 2)
      local packets = card:take_data(req, 2)
      t:sanity("the honest grant is served", #packets == 2)
      t:same_octets(req, "the message", Card.joined(rts, packets), core.mix(5, 1000))
      card:answer("msgend", rts)
      t:event(req, rank, "sent", { type = "PTL_EVENT_SENT" })
    end,
  }
end

case {
  id = "hostile-match-reply-reserved",
  title = "A MATCH_REPLY whose reserved octets are not 0 ends nothing",
  purpose = "It comes for a long message of the process: no event, and a GET is served; the honest one ends the message.",
  requirements = { "ICPT-299" }, chapter = "5.2.2", negative = true,
  run = function(t)
    local rank, card, net = t:meet()
    card:gets_put(9216)
    local match = card:take_try_match("ICPT-299")
    t:send_forged("ICPT-299", card, card:frame("match_reply", { key = match.key, status = 0, body_reserved = 7,
      mlength = 9216 }), "reserved")
    net:card():serves("ICPT-299")
    t:equal("ICPT-299", "events", rank:count_events("sent"), 0)
    t:sanity("the honest GET is served", #card:take_slice("ICPT-299", card:get(match, { slice_length = 9216 })) == 9216)
    card:match_reply(match)
    t:event("ICPT-299", rank, "sent", { type = "PTL_EVENT_SENT" })
  end,
}

for name, rule, fields in each { {"reserved", "reserved", { body_reserved = 1 }}, {"two-counted", "content",
    { nic_count = 2 }}, {"none-counted", "content", { nic_count = 0 }} } do
  case {
    id = "hostile-upd-conn-" .. name,
    title = "An UPD_CONN that cannot be connects nobody",
    purpose = "An UPD_CONN with one address is wrong (" .. name .. "): no credit answers it; an honest one has credit.",
    requirements = { "ICPT-300" }, chapter = "5.2.2", negative = true,
    run = function(t)
      local _, card, net = t:meet()
      local all = { nic_count = 1, data = string.pack(">I2", card.iuca) }
      for field, value in pairs(fields) do all[field] = value end
      t:send_forged("ICPT-300", card, card:frame("upd_conn", all), rule)
      net:card():serves("ICPT-300")
      t:equal("ICPT-300", "credit for it", net:waiting("command"), 0)
      t:sanity("an honest one is answered", card:connect("ICPT-300"))
    end,
  }
end

case {
  id = "hostile-lengths-differ",
  title = "Of a long message whose lengths differ no more octets are wanted than its sender has",
  purpose = "A TRY_MATCH says that its message has 9000 octets, and its Portals header 20000: no octet behind the 9000th is asked for or stored. A message behind it is answered.",
  requirements = { "ICPT-221" }, chapter = "5.3.2",
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(32768)
    card:serves("ICPT-221")
    card:connect("ICPT-221")
    card:credit()
    local answer, asked = nil, 0
    card:try_match(card:message { octets = 9000, seed = 9, rlength = 20000 })
    repeat -- until it is refused, or no more is asked for
      answer = net:await({ "vdma_get", "match_reply" }, nil, 1000)
      if answer and answer.message == "vdma_get" then
        asked = asked + answer.slice_length + answer.first_block_length + answer.last_block_length
      end
      t:check("ICPT-221", "octets that are asked for", asked <= 9000, "at most 9000", asked)
    until not answer or answer.message == "match_reply"
    t:octets("ICPT-221", "memory behind the message", rank, "buf", "byte/0", 9000, 10000)
    card:serves("ICPT-221")
  end,
}
