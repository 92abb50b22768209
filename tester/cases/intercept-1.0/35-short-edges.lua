-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- RMPP (5.2.3) at its edges: grants octet by octet and behind the first one, what ends a message of several grants,
-- what finds no room, and what short messages do without.

defaults { suite = "short-in", chapter = "5.2.3", network = true, deadline = 60 }

-- A put of so many octets to the process by RMPP; look(answer, granted) is called for each grant. Returns the MSGEND.
local function granted_put(t, req, card, octets, look)
  local message, count, granted = card:message { octets = octets }, Card.packets(octets), 0
  card:send_rts(message)
  local answer = t:frame(req, card.net, "cts")
  message.wanted = octets
  while true do
    look(answer, granted, count, message)
    message.granted = granted + answer.n
    card:send_data(message, granted, message.granted - 1)
    granted = message.granted
    if granted >= count then break end
    answer = t:frame(req, card.net, "next_cts")
  end
  return t:frame(req, card.net, "msgend")
end

case {
  id = "in-grants-octet-by-octet",
  title = "CTS and NEXT_CTS are laid out as the document has them, each of them",
  purpose = "A put of 20000 octets by RMPP, behind another one: the body of each grant, octet by octet.",
  requirements = { "ICPT-292" },
  run = function(t)
    local _, card = t:meet()
    card:may_put(32768)
    for _ = 1, 2 do
      granted_put(t, "ICPT-292", card, 20000, function(answer, granted)
        local body = string.pack(">I4I4", answer.n, 0) .. (granted == 0 and string.pack(">I8", 20000) or "")
        t:same_octets("ICPT-292", "the body of the " .. answer.message, answer.octets:sub(33, -5), body)
      end)
    end
  end,
}

case {
  id = "in-default-grants-behind-the-first",
  title = "Where nothing else was configured every grant is of 16 packets, or of those that are still needed",
  purpose = "A put of 20000 octets by RMPP needs 41 packets: the grants are of 16, 16 and 9.",
  requirements = { "ICPT-303" },
  run = function(t)
    local _, card = t:meet()
    card:may_put(32768)
    granted_put(t, "ICPT-303", card, 20000, function(answer, granted, count)
      t:equal("ICPT-303", "packets that the " .. answer.message .. " grants", answer.n, math.min(16, count - granted))
    end)
  end,
}

case {
  id = "packet-order-of-octets",
  title = "Every number that a card sends has its most significant octet first",
  purpose = "Numbers whose octets differ, in each kind of packet that the process sends for short and long messages, looked for where the document has them.",
  requirements = { "ICPT-278" },
  run = function(t)
    local rank, card, net = t:meet()
    local octets <const> = 5000
    card:may_put(40000)
    local function has(what, frame, place, layout, ...)
      local wanted = string.pack(layout, ...)
      t:same_octets("ICPT-278", what .. " of the " .. frame.message, frame.octets:sub(place + 1, place + #wanted),
        wanted)
    end
    granted_put(t, "ICPT-278", card, octets, function(cts)
      has("grant and wanted length", cts, 32, ">I4I4I8", Card.packets(octets), 0, octets)
      has("type, length and number", cts, 16, ">I4I4I8", 2, 32, 0)
    end)
    card:gets_put(octets)
    local rts = card:take_rts("ICPT-278")
    has("type, length and number", rts, 16, ">I4I4I8", 1, 16 + 80 + 408, 0)
    card:grant(rts, Card.packets(octets))
    local packets = card:take_data("ICPT-278", Card.packets(octets))
    for _, packet in ipairs(packets) do
      has("number", packet, 32, ">I4I4", packet.packet_number, 0)
      t:check("ICPT-278", "the number of a data packet", packet.packet_number < #packets, "below " .. #packets,
        packet.packet_number)
    end
    card:answer("msgend", rts)
    card:gets_put(9001)
    local upd = t:frame("ICPT-278", net, "upd_conn")
    has("type, version, length", upd, 16, ">I2I2I4", 9, 1, 34)
    has("count and address", upd, 40, ">I4I4I2", 1, 0, net.sut)
    has("command and amount", t:frame("ICPT-278", net, "command"), 12, ">I2I2", 1, 64)
    card:credit()
    card.connected = true
    local match = card:take_try_match("ICPT-278")
    has("number, address and length", match, 40, ">I8i8I8", 1, match.address, 9001)
    has("rank", match, 24, ">I8", net.sut << 16 | rank.id.pid)
    local get = card:get(match, { slice_length = 8992, window_start = 32 + 256, key_remaining = 0x0102030405060708,
      last_block_length = 9, last_block_addr = match.address + 8992 })
    local slice, frames = card:take_slice("ICPT-278", get)
    t:same_octets("ICPT-278", "the slice", slice, core.mix(5, 8992))
    has("channel, length, window address", frames[1], 8, ">I2I2I4", 0, #frames[1].data, frames[1].window_address)
    local blocks = t:frame("ICPT-278", net, "get_ext_reply")
    has("key and lengths", blocks, 40, ">I8I4I4", 0x0102030405060708, 0, 9)
    card:match_reply(match)
    local message = card:long_put("ICPT-278", { octets = 9003, address = 0x12340 })
    has("status and length", message.reply, 40, ">I4I4I8", 0, 0, 9003)
    for _, asked in ipairs(message.gets) do
      has("channel, slice and slices", asked, 40, ">I4I4I4", asked.channel_granted, asked.slice, #message.gets)
    end
    has("address", message.gets[1], 56, ">I8", 0x12340 + message.gets[1].first_block_length)
  end,
}

case {
  id = "out-short-without-connection",
  title = "Short messages need no connection, however many packets they take",
  purpose = "Puts of 8, 5000 and 8088 octets, a get, an acknowledgement and replies of a process that nobody has connected: no UPD_CONN, CONNECT or credit comes.",
  requirements = { "ICPT-140" },
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(8192)
    for _, octets in ipairs { 8, 5000, 8088 } do
      card:gets_put(octets)
      card:take_message("ICPT-140")
    end
    rank:bind { region = "in", octets = 100, md = "in-md", eventq = "eq" }
    rank:get { mem_desc = "in-md", target = t.nid(card.id) }
    card:take_message("ICPT-140", { message_number = 3 }, true)
    card:put({ octets = 4000, md = 77 }, "ICPT-140")
    card:answer("msgend", card:take_rts("ICPT-140"))
    card:put({ operation = "get", md = 77, rlength = 8000 }, "ICPT-140")
    local rts = card:take_rts("ICPT-140")
    card:grant(rts, 16)
    card:take_data("ICPT-140", Card.packets(8000))
    card:answer("msgend", rts)
    net:card():serves("ICPT-140")
    t:equal("ICPT-140", "UPD_CONN, CONNECT and credit",
      net:waiting("upd_conn") + net:waiting("connect") + net:waiting("command"), 0)
  end,
}

case {
  id = "out-ended-behind-its-last-grant",
  title = "A message of several grants is not ended before MSGEND has come either",
  purpose = "Sixteen packets are granted by a CTS and two NEXT_CTS. When all have come there is no event; when MSGEND has come there is one.",
  requirements = { "ICPT-169" },
  run = function(t)
    local rank, card, net = t:meet()
    card:gets_put(8088)
    local rts = card:take_rts("ICPT-169")
    card:grant(rts, 4)
    card:take_data("ICPT-169", 4)
    for _, n in ipairs { 5, 7 } do
      net:card():serves("ICPT-169")
      t:equal("ICPT-169", "events while more is to come", rank:count_events("sent"), 0)
      card:answer("next_cts", rts, { n = n })
      card:take_data("ICPT-169", n)
    end
    net:card():serves("ICPT-169")
    t:equal("ICPT-169", "events before MSGEND", rank:count_events("sent"), 0)
    card:answer("msgend", rts)
    t:event("ICPT-169", rank, "sent", { type = "PTL_EVENT_SENT" })
  end,
}

case {
  id = "out-threshold-and-one",
  title = "One octet more than RTS and sixteen data packets hold takes VDMA",
  purpose = "A put of 8089 octets, and one of 8090: no RTS comes for them, but a TRY_MATCH.",
  requirements = { "ICPT-165" },
  run = function(t)
    local _, card, net = t:meet()
    for octets = 8089, 8090 do
      card:gets_put(octets)
      local first = net:await { "rts", "upd_conn", "try_match" }
      t:check("ICPT-165", octets .. " octets do not go by RMPP", first and first.message ~= "rts", "VDMA",
        first and first.message or "nothing")
      table.insert(net.stash, 1, first)
      local match = card:take_try_match("ICPT-165")
      t:equal("ICPT-165", "the length of the message", match.match_length, octets)
      card:match_reply(match, -1, 0)
    end
  end,
}

case {
  id = "in-aborted",
  title = "MSGERROR is marked, says why, and has its layout",
  purpose = "An RTS says that its message has 3000 octets, and brings only 100 of those for which it has room. A process that aborts the message says so as the document has it; one that does not is not judged.",
  requirements = { "ICPT-056", "ICPT-293", "ICPT-279", "ICPT-289" },
  run = function(t)
    local _, card, net = t:meet()
    card:may_put(4096)
    card:put({ octets = 8 }, "ICPT-293")
    card:send_rts(card:message { octets = 100, rlength = 3000 })
    t:ignore_rules { "rts-not-full" }
    local answer = net:await { "cts", "msgend", "msgerror", "short_message" }
    t:check("ICPT-289", "what answers it has a code of the document's", not answer or answer.message ~= "short_message",
      "1 to 8", answer and #answer.octets > 20 and string.unpack(">I4", answer.octets, 17))
    t:skip_if(not answer or answer.message ~= "msgerror", "the process aborts no message that begins like this")
    t:equal("ICPT-056", "the interrupt flag of the MSGERROR", answer.flags & 1, 1)
    t:same_octets("ICPT-279", "the reserved octets of its network header", answer.octets:sub(13, 16),
      string.rep("\0", 4))
    t:same_octets("ICPT-293", "type, length and number", answer.octets:sub(17, 32),
      string.pack(">I4I4I8", 8, answer.rmpp_length, 1))
    local status = string.unpack(">i4", answer.octets, 33)
    t:check("ICPT-293", "the status", status < 0 and status >= -5, "-1 to -5", status)
    t:equal("ICPT-293", "octets of text", #answer.data, answer.rmpp_length - 24)
    t:same_octets("ICPT-293", "reserved octets", answer.octets:sub(37, 40), string.rep("\0", 4))
  end,
}

case {
  id = "in-next-cts-postponed",
  title = "NEXT_CTS that finds no room is sent later",
  purpose = "Twenty-four messages of the card have their first grant, and data packets of the process fill what the card has of room, since nothing is acknowledged, when their STOP_DATA come. When the link goes on each message is granted more.",
  requirements = { "ICPT-181" }, chapter = "5.3.2", deadline = 120,
  run = function(t)
    local rank, card, net = t:meet()
    local count <const> = 12
    card:may_put(65536)
    card:gets_put(8)
    card:answer("msgend", card:take_rts("ICPT-181"))
    local messages, opened = {}, {}
    for i = 1, 24 do -- so many that what is left of the room is too little for their grants
      local message = card:message { octets = 12000, offset = 1000 * i }
      card:send_rts(message)
      card:take_cts("ICPT-181", message)
      card:send_data(message, 0, message.granted - 2)
      messages[i] = message
    end
    for _ = 1, count do card:gets_put(8088) end
    opened[1] = card:take_rts("ICPT-181", { message_number = 1 })
    for _ = 1, 3 do net:card():serves("ICPT-181") end
    while net:waiting("rts") > 0 do opened[#opened + 1] = card:take_rts("ICPT-181") end
    net:settled()
    net:rules(1, false, true)
    for _, rts in ipairs(opened) do card:grant(rts, 16) end
    for _, message in ipairs(messages) do net:send(card:data(message, message.granted - 1)) end
    net:settled()
    local first = net:await { "data", "stop_data", "last_data", "next_cts" }
    t:sanity("packets come", first)
    net.stash = {}
    net:sequence(0, nil, first.sequence)
    net:rules(1, true, true)
    local seen, answers = {}, 0
    while answers < #messages do
      local frame = net:await("next_cts")
      t:check("ICPT-181", "messages that are granted more", frame, #messages, answers)
      if not seen[frame.message_number] then seen[frame.message_number], answers = true, answers + 1 end
    end
    t:equal("ICPT-181", "all is acknowledged", net:settled(), true)
  end,
}

case {
  id = "out-once-of-every-grant",
  title = "No data packet is sent again, whichever place in its grant it has",
  purpose = "Sixteen packets are granted in four parts, while the links lose nothing and others are served between: each packet comes once.",
  requirements = { "ICPT-143" },
  run = function(t)
    local rank, card, net = t:meet()
    card:gets_put(8088)
    local rts, seen = card:take_rts("ICPT-143"), {}
    for place, n in ipairs { 5, 1, 3, 7 } do
      if place == 1 then card:grant(rts, n) else card:answer("next_cts", rts, { n = n }) end
      for _, packet in ipairs(card:take_data("ICPT-143", n)) do
        t:check("ICPT-143", "a packet of that number came before", not seen[packet.packet_number], "no",
          packet.packet_number)
        seen[packet.packet_number] = true
      end
      for _ = 1, 3 do net:card():serves("ICPT-143") end
      t:equal("ICPT-143", "further data packets",
        net:waiting("data") + net:waiting("stop_data") + net:waiting("last_data"), 0)
    end
    card:answer("msgend", rts)
    t:event("ICPT-143", rank, "sent", { type = "PTL_EVENT_SENT" })
  end,
}

case {
  id = "in-msgend-of-little",
  title = "MSGEND ends a message of which no more is wanted than its RTS has brought",
  purpose = "Of puts of 300, 408 and 5000 octets a descriptor takes 100: MSGEND comes, once, and nothing else.",
  requirements = { "ICPT-150" },
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(100)
    for number, octets in ipairs { 300, 408, 5000 } do
      card:send_rts(card:message { octets = octets })
      local answer = net:await { "cts", "msgend", "msgerror" }
      t:equal("ICPT-150", "the answer", answer and answer.message, "msgend")
      t:equal("ICPT-150", "the message that it ends", answer.message_number, number - 1)
      t:event("ICPT-150", rank, "eq", { type = "PTL_EVENT_PUT", rlength = octets, mlength = 100 })
      t:octets("ICPT-150", "what is stored", rank, "buf", "mix/5", 0, 100)
    end
    net:card():serves("ICPT-150")
    t:equal("ICPT-150", "further answers", net:waiting("msgend") + net:waiting("msgerror") + net:waiting("cts"), 0)
  end,
}
