-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The four planes of a card (2.1.3): which packets take which, what becomes of their order, and planes that are not
-- there, or fail.

defaults { suite = "planes", chapter = "2.1.3", network = true, deadline = 60 }

local CONTROL = { connect = true, refuse = true, vdma_get = true, vdma_put = true, done = true, get_ext_reply = true,
  try_match = true, match_reply = true, upd_conn = true }

-- A put of 8088 octets of the process: its RTS, and the frames of its sixteen data packets.
local function sixteen(t, req, card)
  card:gets_put(8088)
  local rts = card:take_rts(req)
  card:grant(rts, 16)
  local packets = card:take_data(req, 16)
  card:answer("msgend", rts)
  return rts, packets
end

-- Puts to and from the process, of both kinds, arrive.
local function works(t, req, rank, card)
  card:may_put(40000)
  for _, octets in ipairs { 100, 5000, 20000 } do
    if octets > 8088 then card:long_put(req, { octets = octets }) else card:put({ octets = octets }, req) end
    t:event(req, rank, "eq", { type = "PTL_EVENT_PUT", mlength = octets })
    t:octets(req, octets .. " octets", rank, "buf", "mix/5", 0, octets)
  end
  card:gets_put(5000)
  t:same_octets(req, "5000 octets from the process", card:take_message(req).whole, core.mix(5, 5000))
  card:gets_put(20000)
  t:same_octets(req, "20000 octets from the process", card:pull(req, card:take_try_match(req)), core.mix(5, 20000))
end

case {
  id = "plane-within-mask",
  title = "A packet travels over a plane of its mask",
  purpose = "All that the process sends for a short and a long put: the plane on which a packet comes is one of its mask.",
  requirements = { "ICPT-014", "ICPT-012" },
  run = function(t)
    local _, card, net = t:meet { planes = 15, some = true }
    sixteen(t, "ICPT-014", card)
    card:gets_put(60000)
    local match = card:take_try_match("ICPT-014")
    local get = card:get(match, { slice_length = 60000 - 60000 % 32 })
    local _, frames = card:take_slice("ICPT-014", get)
    card:match_reply(match)
    for _, frame in ipairs { match, table.unpack(frames) } do
      t:check("ICPT-014", "the mask of a " .. frame.message .. " on plane " .. frame.plane,
        frame.planes >> frame.plane & 1 == 1, "has the plane", frame.planes)
      t:check("ICPT-014", "the mask", frame.planes >= 1 and frame.planes <= 15, "1 to 15", frame.planes)
    end
    for _, plane in ipairs(net:planes()) do
      t:equal("ICPT-012", "packets on plane " .. plane .. " that were sent and not acknowledged there",
        net:settled() and net:link(plane).outstanding, 0)
    end
  end,
}

case {
  id = "plane-within-mask-where-it-is-full",
  title = "A packet does not take a plane that its mask forbids, although its own are full",
  purpose = "No plane is acknowledged. Twenty long puts and six short ones begin: control messages have masks of one plane, and wait for it. Each packet that comes, and that comes again, is on a plane of its mask.",
  requirements = { "ICPT-014" },
  run = function(t)
    local _, card, net = t:meet { planes = 15, some = true }
    card:gets_put(20000)
    card:match_reply(card:take_try_match("ICPT-014"))
    card:credit(64)
    net:settled()
    net:rules(15, false, true)
    for i = 1, 26 do card:gets_put(i % 4 == 0 and 40 or 20000) end
    local judged, frame = { try_match = 0, rts = 0 }, net:take()
    while frame do
      if judged[frame.message] then
        judged[frame.message] = judged[frame.message] + 1
        t:check("ICPT-014", "the mask of a " .. frame.message .. " on plane " .. frame.plane,
          frame.planes >> frame.plane & 1 == 1, "has the plane", frame.planes)
      end
      frame = judged.try_match + judged.rts < 200 and net:take(400)
    end
    t:check("ICPT-014", "a TRY_MATCH comes", judged.try_match > 0, "one", "none")
  end,
}

case {
  id = "plane-answers",
  title = "A packet is acknowledged on the plane on which it came",
  purpose = "A packet over each plane in turn: the acknowledgement of its sequence comes over the same plane, and names that plane.",
  requirements = { "ICPT-012" },
  run = function(t)
    local _, card, net = t:meet { planes = 15, some = true }
    card:serves("ICPT-012")
    net:rules(15, false, true) -- what was sent before may be acknowledged, or once more, from here on
    for _, plane in ipairs(net:planes()) do
      local due = net:link(plane).next
      net:send(card:rts(card:message { octets = 8, portal = 7 }), plane)
      local answer = net:await("acknowledge", { plane = plane, sequence = due })
      t:check("ICPT-012", "an acknowledgement of the packet over plane " .. plane, answer, "one", "none")
      t:equal("ICPT-012", "the mask of the acknowledgement", answer.planes, 1 << plane)
    end
  end,
}

case {
  id = "plane-of-slices",
  title = "Each packet of a slice travels on one plane, over which it is acknowledged",
  purpose = "A put of 60000 octets is pulled over all planes that there are: the slices come whole, and nothing stays unacknowledged on any of them.",
  requirements = { "ICPT-012" },
  run = function(t)
    local _, card, net = t:meet { planes = 15, some = true }
    card:gets_put(60000)
    t:same_octets("ICPT-012", "the message", card:pull("ICPT-012", card:take_try_match("ICPT-012")),
      core.mix(5, 60000))
    t:equal("ICPT-012", "all is acknowledged", net:settled(), true)
    for _, plane in ipairs(net:planes()) do
      t:equal("ICPT-012", "packets on plane " .. plane .. " that were not acknowledged there",
        net:link(plane).outstanding, 0)
    end
  end,
}

case {
  id = "plane-mask-short",
  title = "Short messages may take all planes that the node uses",
  purpose = "The masks of RTS and of data packets have all planes that the card has, as a rule four.",
  requirements = { "ICPT-139" }, chapter = "5.2.3",
  run = function(t)
    local _, card, net = t:meet { planes = 15, some = true }
    local rts, packets = sixteen(t, "ICPT-139", card)
    t:equal("ICPT-139", "the mask of the RTS", rts.planes, net.mask)
    for _, packet in ipairs(packets) do t:equal("ICPT-139", "the mask of a data packet", packet.planes, net.mask) end
  end,
}

case {
  id = "plane-spread",
  title = "The card distributes packets over the planes, evenly",
  purpose = "Of 64 data packets that may take four planes each plane carries some, and none more than twice its part.",
  requirements = { "ICPT-057", "ICPT-015" },
  run = function(t)
    local _, card, net = t:meet { planes = 15, some = true }
    local counts = { [0] = 0, 0, 0, 0 }
    for _ = 1, 4 do
      local _, packets = sixteen(t, "ICPT-057", card)
      for _, packet in ipairs(packets) do counts[packet.plane] = counts[packet.plane] + 1 end
    end
    local used, most = 0, 0
    for plane = 0, 3 do
      used, most = used + (counts[plane] > 0 and 1 or 0), math.max(most, counts[plane])
    end
    t:check("ICPT-057", "planes that were used", used > 1, "more than one", used)
    t:should("ICPT-015", "all planes are used, none for more than twice its part of the packets",
      used == #net:planes() and most <= 128 // used, true)
  end,
}

for mask, among in each { { 3, 2 }, { 11, 3 }, { 13, 3 }, { 14, 3 } } do
  case {
    id = "plane-spread-" .. mask,
    title = "Packets are spread evenly over the planes that are there, with a gap between them too",
    purpose = "Of 192 data packets over the planes of the mask " .. mask .. " none carries much more than the others.",
    requirements = { "ICPT-015" },
    run = function(t)
      local _, card = t:meet { planes = mask }
      local counts, most = { [0] = 0, 0, 0, 0 }, 0
      for _ = 1, 12 do
        local _, packets = sixteen(t, "ICPT-015", card)
        for _, packet in ipairs(packets) do counts[packet.plane] = counts[packet.plane] + 1 end
      end
      for plane = 0, 3 do most = math.max(most, counts[plane]) end
      t:should("ICPT-015", "no plane carries a tenth of all packets more than its part",
        most <= 192 // among + 19, true)
    end,
  }
end

case {
  id = "plane-spread-slices",
  title = "The packets of a long message are spread evenly over the planes too",
  purpose = "Of the packets of a slice of 10240 octets, which may take all planes that there are, each plane carries some, and none more than twice its part.",
  requirements = { "ICPT-015" },
  run = function(t)
    local _, card, net = t:meet { planes = 15, some = true }
    card:gets_put(10240)
    local match = card:take_try_match("ICPT-015")
    local whole, frames = card:take_slice("ICPT-015", card:get(match, { slice_length = 10240 }))
    t:same_octets("ICPT-015", "the message", whole, core.mix(5, 10240))
    local counts, used, most = { [0] = 0, 0, 0, 0 }, 0, 0
    for _, frame in ipairs(frames) do counts[frame.plane] = counts[frame.plane] + 1 end
    for plane = 0, 3 do
      used, most = used + (counts[plane] > 0 and 1 or 0), math.max(most, counts[plane])
    end
    t:should("ICPT-015", "all planes are used, none for more than twice its part of the packets",
      used == #net:planes() and most <= 2 * #frames // used + 1, true)
    card:match_reply(match)
  end,
}

case {
  id = "plane-control",
  title = "Control messages take one plane, and always the same",
  purpose = "UPD_CONN, credit, GETs and the answer of a long message: each mask has one bit, and it is the same one.",
  requirements = { "ICPT-086" }, chapter = "4.1.1",
  run = function(t)
    local _, card, net = t:meet { planes = 15, some = true }
    net.patience = 30000
    card:may_put(3 << 20)
    local message = card:long_put("ICPT-086", { octets = (2 << 20) + 100, offset = 5 })
    local first = message.gets[1]
    t:check("ICPT-086", "the mask of the first GET has one bit", first.planes & first.planes - 1 == 0, "one bit",
      first.planes)
    for _, get in ipairs(message.gets) do t:equal("ICPT-086", "the mask of a GET", get.planes, first.planes) end
    t:equal("ICPT-086", "the mask of the MATCH_REPLY", message.reply.planes, first.planes)
    t:equal("ICPT-086", "the plane on which it came", 1 << message.reply.plane, first.planes)
  end,
}

-- A process on a network of which only the planes of the mask are cabled: PtlInit is judged.
local function cabled(t, mask)
  local net = t:network { planes = mask }
  local ranks, why = core.job_await(core.job_start("env.ASSAY_INTERCEPT=" .. net.place .. " unset.ASSAY_FAULT=", 1),
    20000)
  if not ranks then t:inconclusive("configuration", "the job does not start: " .. tostring(why)) end
  t.ranks, t.count, net.rank = ranks, 1, ranks[0]
  t:rc("ICPT-016", ranks[0]:start_PtlInit():finish(), "PTL_OK")
  ranks[0].id = t:setup(ranks[0]:PtlGetId()).id
  t.initialised = true
  t:open()
  ranks[0]:ac_entry { index = 2, matchid = t.any_nid, portal = "any" }
  net:known()
  return ranks[0], net:card(), net
end

for name, mask in each { {"first", 1}, {"second", 2}, {"two", 5}, {"three", 11}, {"last-three", 14} } do
  case {
    id = "plane-cabled-" .. name,
    title = "A card with some of its planes does all that one with four does",
    purpose = string.format("Only the planes of the mask %d answer: short and long messages arrive, and nothing is "
      .. "sent over the others.", mask),
    requirements = { "ICPT-016", "ICPT-017" },
    run = function(t)
      local rank, card, net = cabled(t, mask)
      card:gets_put(20000)
      local match, got = card:take_try_match("ICPT-016"), 0
      card:get(match, { slice_length = 19968 })
      repeat
        local frame = net:await("vdma_data")
        t:equal("ICPT-017", "packets of a slice on planes on which nobody answers", net:strays(15 & ~mask), 0)
        t:check("ICPT-016", "octets of the slice that come", frame, 19968, got)
        got = got + #frame.data
      until got == 19968
      card:match_reply(match)
      works(t, "ICPT-016", rank, card)
      t:equal("ICPT-017", "packets on planes on which nobody answers", net:strays(15 & ~mask), 0)
    end,
  }
end

case {
  id = "plane-fails",
  title = "A plane that fails does not end the traffic of the others",
  purpose = "The third plane, of two the second, is cut while data packets are on their way: all of them come, over the other planes, and later messages too.",
  requirements = { "ICPT-018" }, deadline = 120,
  run = function(t)
    local rank, card, net = t:meet { planes = 15, some = true }
    card:gets_put(8088)
    local rts = card:take_rts("ICPT-018")
    local planes = net:planes()
    local left = net.mask & ~(1 << planes[#planes > 2 and 3 or 2])
    net:cut(net.mask & ~left)
    local cts = card:frame("cts", { message_number = rts.message_number, n = 16, mlength = 8088, planes = left })
    net:send(cts, planes[1])
    local packets = card:take_data("ICPT-018", 16, 60000)
    t:same_octets("ICPT-018", "the message", Card.joined(rts, packets), core.mix(5, 8088))
    net.mask = left
    card:answer("msgend", rts)
    t:event("ICPT-018", rank, "sent", { type = "PTL_EVENT_SENT" })
    works(t, "ICPT-018", rank, card)
  end,
}

case {
  id = "planes-fail-one-by-one",
  title = "Planes that fail one after the other do not end the traffic of those that are left",
  purpose = "Planes 2, 1 and 3 are cut, each while data packets are on their way: all of them come over the planes that are left, and later messages too.",
  requirements = { "ICPT-018" }, deadline = 240,
  run = function(t)
    local rank, card, net = t:meet { planes = 15 }
    for plane, left in each { { 2, 11 }, { 1, 9 }, { 3, 1 } } do
      card:gets_put(8088)
      local rts = card:take_rts("ICPT-018")
      net:cut(1 << plane)
      net:send(card:frame("cts", { message_number = rts.message_number, n = 16, mlength = 8088, planes = left }), 0)
      local packets = card:take_data("ICPT-018", 16, 60000)
      t:same_octets("ICPT-018", "the message while plane " .. plane .. " fails", Card.joined(rts, packets),
        core.mix(5, 8088))
      net.mask = left
      card:answer("msgend", rts)
      t:event("ICPT-018", rank, "sent", { type = "PTL_EVENT_SENT" })
    end
    works(t, "ICPT-018", rank, card)
  end,
}

case {
  id = "plane-of-control-fails",
  title = "The plane that control messages take may fail as any other",
  purpose = "The first plane is cut before a slice is asked for: the slice comes over the other planes, and later messages too, short and long.",
  requirements = { "ICPT-018" }, deadline = 120,
  run = function(t)
    local rank, card, net = t:meet { planes = 15, some = true }
    net.patience = 30000
    card:gets_put(60000)
    local match = card:take_try_match("ICPT-018")
    net:settled()
    local first = net.mask & -net.mask
    net:cut(first)
    net.mask = net.mask & ~first
    local get = card:get(match, { slice_length = 60000 - 60000 % 32 })
    t:same_octets("ICPT-018", "the slice", (card:take_slice("ICPT-018", get)), core.mix(5, get.slice_length))
    card:match_reply(match)
    t:event("ICPT-018", rank, "sent", { type = "PTL_EVENT_SENT" })
    works(t, "ICPT-018", rank, card)
  end,
}

case {
  id = "plane-of-control-fails-under-way",
  title = "Control messages that are on their way over a plane that fails come over another one",
  purpose = "The plane that control messages take is cut before a long put begins, and again, over another one, before a second: all that it takes comes over the planes that are left.",
  requirements = { "ICPT-018" }, deadline = 180,
  run = function(t)
    local rank, card, net = t:meet { planes = 15 }
    net.patience = 30000
    for round = 1, 2 do
      local plane
      if round == 1 then
        card:gets_put(9000)
        local match = card:take_try_match("ICPT-018")
        plane = match.plane
        card:match_reply(match, -1, 0)
        t:event("ICPT-018", rank, "sent", { type = "PTL_EVENT_SENT" })
      else
        plane = math.floor(math.log(net.mask & -net.mask, 2))
      end
      net:settled()
      net.mask = net.mask & ~(1 << plane)
      net:cut(15 & ~net.mask)
      card:gets_put(20000)
      local match = t:frame("ICPT-018", net, "try_match")
      t:same_octets("ICPT-018", "the message", card:pull("ICPT-018", match), core.mix(5, 20000))
      t:event("ICPT-018", rank, "sent", { type = "PTL_EVENT_SENT" }, 30000)
    end
  end,
}

case {
  id = "plane-overrun",
  title = "Packets that come faster than they are taken are not lost, whichever plane they come over",
  purpose = "Four hundred messages are sent over four planes as fast as the links permit; each is delivered once, and answered.",
  requirements = { "ICPT-059" },
  run = function(t)
    local rank, card, net = t:meet { planes = 15, some = true }
    card:serves("ICPT-059")
    local before = rank:drop_count()
    for _ = 1, 7 do
      for _ = 1, 60 do card:send_rts(card:message { octets = 408, portal = 7 }) end
      for _ = 1, 60 do t:frame("ICPT-059", net, "msgend") end
    end
    t:drops("ICPT-059", rank, before, 420)
  end,
}

case {
  id = "plane-dead-answers",
  title = "What was acknowledged before a plane failed is not delivered twice",
  purpose = "A message over each plane, then the second plane is cut, then more: each is delivered once.",
  requirements = { "ICPT-018", "ICPT-011" }, deadline = 120,
  run = function(t)
    local rank, card, net = t:meet { planes = 15, some = true }
    local before = rank:drop_count()
    for _ = 1, 8 do card:put({ octets = 8, portal = 7 }, "ICPT-018") end
    local planes = net:planes()
    net:cut(1 << planes[2])
    net.mask, net.patience = net.mask & ~(1 << planes[2]), 30000
    for _ = 1, 8 do card:put({ octets = 8, portal = 7 }, "ICPT-018") end
    t:drops("ICPT-011", rank, before, 16)
  end,
}

for name, order in each { {"reversed", { 3, 2, 1, 0 }}, {"last-first", { 3, 0, 1, 2 }}, {"swapped", { 1, 0, 3, 2 }} } do
  case {
    id = "plane-order-" .. name,
    title = "Messages whose RTS came over several planes in another order begin in that in which they were sent",
    purpose = "Four puts with a local offset; the numbers come in another order, each over a plane of its own where there are four.",
    requirements = { "ICPT-019", "ICPT-172" },
    run = function(t)
      local rank, card, net = t:meet { planes = 15, some = true }
      card:may_put(4096, { options = "PTL_MD_OP_PUT" })
      card:put({ octets = 8 }, "ICPT-019")
      t:event("ICPT-019", rank, "eq", { type = "PTL_EVENT_PUT", offset = 0 })
      local messages = {}
      for i = 0, 3 do messages[i] = card:message { octets = 8 * (i + 1) } end
      local planes = net:planes()
      for at, i in ipairs(order) do
        net:send(card:rts(messages[i]), planes[(at - 1) % #planes + 1])
        net:settled()
      end
      local offset = 8
      for i = 0, 3 do
        local event = t:event("ICPT-019", rank, "eq", { type = "PTL_EVENT_PUT" })
        t:equal("ICPT-172", "length and offset of message " .. i, { event.rlength, event.offset },
          { 8 * (i + 1), offset })
        offset = offset + 8 * (i + 1)
      end
    end,
  }
end

case {
  id = "plane-one-keeps-order",
  title = "Over one plane the packets of a sender keep their order",
  purpose = "Sixteen data packets over the one plane that there is come in the order of their numbers. A sender may have an order of its own: then a second message's come in the same.",
  requirements = { "ICPT-020" },
  run = function(t)
    local _, card = t:meet { planes = 1 }
    local function order()
      local _, packets = sixteen(t, "ICPT-020", card)
      local numbers = {}
      for i, packet in ipairs(packets) do numbers[i] = packet.packet_number end
      return numbers
    end
    local found, wanted = order(), {}
    for i = 1, 16 do wanted[i] = i - 1 end
    if table.concat(found, " ") ~= table.concat(wanted, " ") then wanted = order() end
    t:equal("ICPT-020", "the order of the packets", found, wanted)
  end,
}
