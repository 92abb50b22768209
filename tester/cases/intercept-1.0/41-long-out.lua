-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Long messages that the process under test sends (5.2.2): TRY_MATCH, the slices and blocks that GETs ask for, and what
-- ends them.

defaults { suite = "long-out", chapter = "5.2.2", network = true, deadline = 60 }

case {
  id = "longout-try-match",
  title = "A long message begins with a TRY_MATCH that says what and where it is, and brings none of it",
  purpose = "Number, address, length, and the Portals header in 80 octets; nothing else comes before a GET.",
  requirements = { "ICPT-124", "ICPT-129", "ICPT-299", "ICPT-087", "ICPT-143" },
  run = function(t)
    local _, card, net = t:meet()
    card:gets_put(30000)
    local match = card:take_try_match("ICPT-124")
    t:equal("ICPT-299", "length of the control message", match.control_length, 128)
    t:equal("ICPT-124", "octets behind the fields: the Portals header", #match.data, 80)
    t:equal("ICPT-129", "the length of the message", match.match_length, 30000)
    t:equal("ICPT-124", "the length in its header", match.portals.rlength, 30000)
    t:check("ICPT-087", "octets of the packet", match.length <= 504, "at most 504", match.length)
    net:card():serves("ICPT-143")
    t:equal("ICPT-124", "data before a GET", net:waiting("vdma_data") + net:waiting("rts"), 0)
    t:equal("ICPT-143", "further TRY_MATCH", net:waiting("try_match"), 0)
    local slice = card:take_slice("ICPT-129", card:get(match, { slice_length = 4096 })) -- both may be 0
    t:same_octets("ICPT-129", "what is at the address", slice, core.mix(5, 4096))
    card:match_reply(match)
  end,
}

for name, octets in each { {"least", 8089}, {"some", 30000}, {"million", 1 << 20} } do
  case {
    id = "longout-layout-" .. name,
    title = "Every octet of a TRY_MATCH stands where the document has it",
    purpose = string.format("The first TRY_MATCH of a put of %d octets and the one behind it, octet by octet: number, "
      .. "address and length, in 8 octets each, and the Portals header with the same length.", octets),
    requirements = { "ICPT-299" },
    run = function(t)
      local _, card, net = t:meet()
      for number = 0, 1 do
        card:gets_put(octets)
        local match = card:take_try_match("ICPT-299")
        local body = match.octets:sub(41, 64)
        t:same_octets("ICPT-299", "type, version and length of the control message", match.octets:sub(17, 24),
          string.pack(">I2I2I4", 7, 1, 128))
        t:same_octets("ICPT-299", "number and length of message " .. number, body:sub(1, 8) .. body:sub(17, 24),
          string.pack(">I8I8", number, octets))
        t:equal("ICPT-299", "the address, and that of the fields", string.unpack(">i8", body, 9), match.address)
        t:equal("ICPT-299", "the length in the Portals header", match.portals.rlength, octets)
        t:equal("ICPT-299", "octets of the frame, CRC included", #match.octets, 16 + 128 + 4)
        local slice = card:take_slice("ICPT-299", card:get(match, { slice_length = 4096 }))
        t:same_octets("ICPT-299", "what is at the address", slice, core.mix(5, 4096))
        card:match_reply(match)
      end
      t:equal("ICPT-299", "further TRY_MATCH", net:waiting("try_match"), 0)
    end,
  }
end

for name, slice in each { {"begin", { 0, 24 }}, {"small", { 64, 32 }}, {"page", { 0, 4096 }},
    {"odd-place", { 4072, 8200 }}, {"all", { 0, 30000 }} } do
  case {
    id = "longout-get-" .. name,
    title = "Who gets a GET sends that slice, and nothing else",
    purpose = string.format("A GET of %d octets from octet %d of the message on, to another place in its page than "
      .. "at the sender.", slice[2], slice[1]),
    requirements = { "ICPT-097", "ICPT-076", "ICPT-081", "ICPT-118" },
    run = function(t)
      local _, card, net = t:meet()
      for _, start in ipairs { 0, 32, 4064 } do
        card:gets_put(30000)
        local match = card:take_try_match("ICPT-097")
        local get = card:get(match, { from = slice[1], slice_length = slice[2], window_start = start })
        local octets, frames = card:take_slice("ICPT-097", get)
        t:same_octets(start == 0 and "ICPT-097" or "ICPT-118", "the slice at " .. start, octets,
          core.mix(5, slice[2], slice[1]))
        t:equal("ICPT-081", "the window address of the first octet", math.min(table.unpack((function()
          local list = {}
          for i, frame in ipairs(frames) do list[i] = frame.window_address end
          return list
        end)())), start)
        card:match_reply(match)
      end
      net:card():serves("ICPT-097")
      t:equal("ICPT-076", "packets beyond the slices", net:waiting("vdma_data"), 0)
    end,
  }
end

case {
  id = "longout-channels",
  title = "Packets go to the channel that the GET grants",
  purpose = "Four GETs at once, a channel each: each slice comes over its own, whole.",
  requirements = { "ICPT-025", "ICPT-097", "ICPT-074" },
  run = function(t)
    local _, card = t:meet()
    card:gets_put(16384)
    local match, gets = card:take_try_match("ICPT-097"), {}
    for channel = 0, 3 do
      gets[channel] = card:get(match, { channel_granted = 3 - channel, slice = channel, slices = 4,
        from = 4096 * channel, slice_length = 4096 })
    end
    for channel = 0, 3 do
      local octets, frames = card:take_slice("ICPT-074", gets[channel])
      t:same_octets("ICPT-097", "slice " .. channel, octets, core.mix(5, 4096, 4096 * channel))
      t:equal("ICPT-025", "the channel of its packets", frames[1].channel, 3 - channel)
    end
    card:match_reply(match)
  end,
}

for name, first, last in each { {"first", 5, 0}, {"last", 0, 31}, {"both", 31, 17}, {"quadwords", 8, 16},
    {"one-each", 1, 1} } do
  case {
    id = "longout-blocks-" .. name,
    title = "What alignment leaves over travels in one GET_EXT_REPLY",
    purpose = string.format("A GET asks for a first block of %d and a last one of %d octets besides its slice: one "
      .. "reply with its key, laid out as the binding says.", first, last),
    requirements = { "ICPT-112", "ICPT-298", "ICPT-116" },
    run = function(t)
      local rank, card, net = t:meet()
      card:gets_put(9000)
      local match = card:take_try_match("ICPT-112")
      local middle = 8192
      local key = name == "one-each" and match.key ~= 0 and match.key or 0x55aa -- it is the receiver's own, so any
      local get = card:get(match, { from = first, slice_length = middle, key_remaining = key,
        first_block_length = first, first_block_addr = first > 0 and match.address or 0, last_block_length = last,
        last_block_addr = last > 0 and match.address + first + middle or 0 })
      card:take_slice("ICPT-112", get)
      local reply = t:frame("ICPT-112", net, "get_ext_reply", { key = match.key, key_remaining = key })
      local padded = (first + 7) // 8 * 8
      t:equal("ICPT-298", "both lengths", { reply.first_length, reply.last_length }, { first, last })
      t:equal("ICPT-298", "length of the control message", reply.control_length, 40 + padded + last)
      t:check("ICPT-116", "octets of a block", reply.first_length <= 31 and reply.last_length <= 31, "at most 31",
        { reply.first_length, reply.last_length })
      t:same_octets("ICPT-112", "the first block", reply.data:sub(1, first), core.mix(5, first))
      t:same_octets("ICPT-298", "zeros up to a quadword", reply.data:sub(first + 1, padded),
        string.rep("\0", padded - first))
      t:same_octets("ICPT-112", "the last block", reply.data:sub(padded + 1), core.mix(5, last, first + middle))
      net:card():serves("ICPT-112")
      t:equal("ICPT-112", "further replies", net:waiting("get_ext_reply"), 0)
      card:match_reply(match)
      t:event("ICPT-112", rank, "sent", { type = "PTL_EVENT_SENT" })
    end,
  }
end

case {
  id = "longout-blocks-alone",
  title = "A GET may ask for blocks alone",
  purpose = "A slice of no octets with a first and a last block: the GET_EXT_REPLY comes, and no VDMA packet.",
  requirements = { "ICPT-112" },
  run = function(t)
    local _, card, net = t:meet()
    card:gets_put(9000)
    local match = card:take_try_match("ICPT-112")
    card:get(match, { slice_length = 0, key_remaining = 3, first_block_length = 10, first_block_addr = match.address,
      last_block_length = 20, last_block_addr = match.address + 10 })
    local reply = t:frame("ICPT-112", net, "get_ext_reply", { key_remaining = 3 })
    t:same_octets("ICPT-112", "first and last block", reply.data:sub(1, 10) .. reply.data:sub(17), core.mix(5, 30))
    t:equal("ICPT-112", "VDMA packets", net:waiting("vdma_data"), 0)
    card:match_reply(match)
  end,
}

for name, status in each { {"ok", 0}, {"no-match", -1} } do
  case {
    id = "longout-ended-" .. name,
    title = "Only MATCH_REPLY ends a long message at its sender",
    purpose = "All octets have been moved: no event until the reply comes; then the event, once.",
    requirements = { "ICPT-126", "ICPT-222", "ICPT-128" },
    run = function(t)
      local rank, card, net = t:meet()
      card:gets_put(8192 + 1024)
      local match = card:take_try_match("ICPT-126")
      if status == 0 then card:take_slice("ICPT-126", card:get(match, { slice_length = 9216 })) end
      net:card():serves("ICPT-126")
      t:equal("ICPT-126", "events before MATCH_REPLY", rank:count_events("sent"), 0)
      card:match_reply(match, status, status == 0 and 9216 or 0)
      t:event(status == 0 and "ICPT-126" or "ICPT-128", rank, "sent", { type = "PTL_EVENT_SENT" })
      net:card():serves("ICPT-222")
      t:equal("ICPT-222", "further events", rank:count_events("sent"), 0)
      t:equal("ICPT-128", "packets behind the end", net:waiting("vdma_data"), 0)
    end,
  }
end

case {
  id = "longout-reply",
  title = "A long reply is sent as a long put is",
  purpose = "The card gets 50000 octets of the process: the reply comes by TRY_MATCH, with the same kind of packets.",
  requirements = { "ICPT-131", "ICPT-076", "ICPT-224" },
  run = function(t)
    local rank, card = t:meet()
    card:may_put(50000)
    rank:fill("buf", "mix/9")
    card:put({ operation = "get", md = 77, rlength = 50000 }, "ICPT-131")
    local match = card:take_try_match("ICPT-131")
    t:equal("ICPT-224", "what the TRY_MATCH is for", match.portals.operation, "reply")
    t:equal("ICPT-131", "the descriptor of the get", match.portals.md, 77)
    local octets, frames = card:take_slice("ICPT-076", card:get(match, { slice_length = 50000 }))
    t:same_octets("ICPT-131", "the reply", octets, core.mix(9, 50000))
    t:equal("ICPT-076", "the kind of its packets", frames[1].kind, 1)
    card:match_reply(match)
  end,
}

case {
  id = "longout-two-keys",
  title = "The request key tells long messages apart",
  purpose = "Two long puts are open at the same time; the second is pulled first.",
  requirements = { "ICPT-129", "ICPT-097" },
  run = function(t)
    local rank, card = t:meet()
    card:gets_put(8)
    card:answer("msgend", card:take_rts("ICPT-129"))
    t:event("ICPT-129", rank, "sent", { type = "PTL_EVENT_SENT" })
    card:gets_put(10240)
    card:gets_put(20480)
    local first, second = card:take_try_match("ICPT-129"), card:take_try_match("ICPT-129")
    t:check("ICPT-129", "the two keys", first.key ~= second.key, "differ", first.key)
    for _, match in ipairs { second, first } do
      local octets = card:take_slice("ICPT-097", card:get(match, { slice_length = match.match_length }))
      t:same_octets("ICPT-097", "the message", octets, core.mix(5, match.match_length))
      card:match_reply(match)
      t:event("ICPT-129", rank, "sent", { type = "PTL_EVENT_SENT" })
    end
  end,
}

case {
  id = "longout-many-gets",
  title = "Who is asked for a message in many slices sends each of them",
  purpose = "A put of 30000 octets is asked for by 40 GETs of 744 octets and one for the rest, one behind the other, over the channels in turn, from the last slice to the first.",
  requirements = { "ICPT-097", "ICPT-126" },
  run = function(t)
    local rank, card, net = t:meet()
    local octets <const>, slice <const> = 30000, 744
    card:gets_put(octets)
    local match, count = card:take_try_match("ICPT-097"), octets // slice + 1
    for i = count - 1, 0, -1 do
      local length = math.min(slice, octets - i * slice)
      local sent = card:take_slice("ICPT-097", card:get(match, { channel_granted = i % 4, slice = i, slices = count,
        from = i * slice, slice_length = length }))
      t:same_octets("ICPT-097", "slice " .. i, sent, core.mix(5, length, i * slice))
    end
    net:card():serves("ICPT-126")
    t:equal("ICPT-126", "events before MATCH_REPLY", rank:count_events("sent"), 0)
    card:match_reply(match, 0, octets)
    t:event("ICPT-126", rank, "sent", { type = "PTL_EVENT_SENT" })
  end,
}

case {
  id = "longout-large-gets",
  title = "Slices of any multiple of 8 octets are sent to their last octet, also the last one",
  purpose = "A put of 30000 octets is asked for by slices of 8200, 8216, 8192 and 5392 octets, one behind the other.",
  requirements = { "ICPT-097" },
  run = function(t)
    local rank, card = t:meet()
    card:gets_put(30000)
    local match, from = card:take_try_match("ICPT-097"), 0
    for slice, length in ipairs { 8200, 8216, 8192, 5392 } do
      local sent = card:take_slice("ICPT-097", card:get(match, { channel_granted = slice - 1, slice = slice - 1,
        slices = 4, from = from, slice_length = length }))
      t:same_octets("ICPT-097", "slice " .. slice - 1, sent, core.mix(5, length, from))
      from = from + length
    end
    card:match_reply(match, 0, 30000)
    t:event("ICPT-097", rank, "sent", { type = "PTL_EVENT_SENT" })
  end,
}

case {
  id = "longout-least-slices",
  title = "Slices of 24 octets are sent as any longer ones",
  purpose = "Of a long put slices of 24, 32 and 40 octets are asked for, the first of them first and once more last.",
  requirements = { "ICPT-080" }, chapter = "2.2.2",
  run = function(t)
    local _, card = t:meet()
    card:gets_put(9000)
    local match, from = card:take_try_match("ICPT-080"), 0
    for slice, length in ipairs { 24, 32, 40, 24 } do
      local sent = card:take_slice("ICPT-080", card:get(match, { channel_granted = slice - 1, slice = slice - 1,
        slices = 4, from = from, slice_length = length }))
      t:same_octets("ICPT-080", "the slice of " .. length .. " octets", sent, core.mix(5, length, from))
      from = from + length
    end
    card:match_reply(match)
  end,
}

case {
  id = "longout-four-gets-at-once",
  title = "Who has been asked for four slices at once sends all of them",
  purpose = "A put of 30000 octets is asked for by four GETs at a time, over four channels, in two orders, and by two more; each slice comes whole.",
  requirements = { "ICPT-097", "ICPT-118" },
  run = function(t)
    local rank, card = t:meet()
    card:gets_put(30000)
    local match, slice <const> = card:take_try_match("ICPT-097"), 3000
    for _, round in ipairs { { 0, 1, 2, 3 }, { 7, 6, 5, 4 }, { 9, 8 } } do
      local gets = {}
      for place, i in ipairs(round) do
        gets[place] = card:get(match, { channel_granted = 4 - place, slice = i, slices = 10, from = slice * i,
          slice_length = slice })
      end
      for place, i in ipairs(round) do
        local octets = card:take_slice("ICPT-097", gets[place]) -- most of them lie otherwise here than there
        t:same_octets("ICPT-118", "slice " .. i, octets, core.mix(5, slice, slice * i))
      end
    end
    card:match_reply(match, 0, 30000)
    t:event("ICPT-097", rank, "sent", { type = "PTL_EVENT_SENT" })
  end,
}

case {
  id = "longout-displaced-of-two",
  title = "Slices of two messages that lie otherwise here than there do not disturb each other",
  purpose = "Two long puts are open and asked for by turns, four GETs at once, each for another place of its page; each slice comes whole, three times.",
  requirements = { "ICPT-118" },
  run = function(t)
    local _, card = t:meet()
    card:gets_put(8)
    card:answer("msgend", card:take_rts("ICPT-118"))
    for _ = 1, 2 do card:gets_put(30000) end
    local matches, slice <const> = { card:take_try_match("ICPT-118"), card:take_try_match("ICPT-118") }, 3000
    for round = 0, 2 do
      local gets = {}
      for place = 0, 3 do
        local from = 1000 + 6008 * place + 8 * round
        gets[place] = card:get(matches[place % 2 + 1], { channel_granted = place, slice = 2 * round + place // 2,
          slices = 6, from = from, slice_length = slice })
        gets[place].from = from
      end
      for place = 0, 3 do
        local from = gets[place].from
        t:same_octets("ICPT-118", "the slice at " .. from, (card:take_slice("ICPT-118", gets[place])),
          core.mix(5, slice, from))
      end
    end
    for _, match in ipairs(matches) do card:match_reply(match) end
  end,
}

case {
  id = "longout-slice-of-256-pages",
  title = "A slice may fill the window, from its first page to its last",
  purpose = "Of a put of 2 MB and more a megabyte is asked for that is 256 pages at both ends, then one that begins in the window's first page and ends with its last.",
  requirements = { "ICPT-097" },
  run = function(t)
    local _, card, net = t:meet()
    local whole <const>, window <const> = (2 << 20) + 8192, 1 << 20
    net.patience = 30000
    card:gets_put(whole)
    local match = card:take_try_match("ICPT-097")
    local from = -match.address % 4096
    for slice, start in ipairs { 0, 4064 } do
      local octets = card:take_slice("ICPT-097", card:get(match, { channel_granted = 3, slice = slice - 1, slices = 2,
        from = from, window_start = start, slice_length = window - start }))
      t:same_octets("ICPT-097", "the slice at " .. start, octets, core.mix(5, window - start, from))
      from = from + window
    end
    card:match_reply(match)
  end,
}

for name, status in each { {"fault", -2}, {"unknown", -4}, {"no-resources", -5} } do
  case {
    id = "longout-failed-" .. name,
    title = "A MATCH_REPLY that tells of a failure ends the message too",
    purpose = "A long put is answered by the status " .. status .. "; a GET of it then brings no octet, and the next "
      .. "message is served.",
    requirements = { "ICPT-126" }, negative = true,
    run = function(t)
      local _, card, net = t:meet()
      card:gets_put(9216)
      local match = card:take_try_match("ICPT-126")
      card:match_reply(match, status, 0)
      t:send_forged("ICPT-126", card, card:frame("vdma_get", { key = match.key, channel_granted = 0, slices = 1,
        address = match.address, slice_length = 9216 }), "get-of-nothing")
      net:card():serves("ICPT-126")
      t:equal("ICPT-126", "octets of a message that has ended", net:waiting("vdma_data"), 0)
      card:gets_put(9216)
      local later = card:take_try_match("ICPT-126")
      t:sanity("the next message is served", #card:take_slice("ICPT-126", card:get(later, { slice_length = 9216 }))
        == 9216)
      card:match_reply(later)
    end,
  }
end

case {
  id = "longout-end-of-another",
  title = "The end of a message does not touch the slices of another one that are being sent",
  purpose = "The process puts three long messages. Of the third a slice is asked for, and cannot leave since nothing is acknowledged, when the first two are refused. Then the whole slice comes.",
  requirements = { "ICPT-097" }, deadline = 120,
  run = function(t)
    local rank, card, net = t:meet()
    local matches = {}
    card:gets_put(8)
    card:answer("msgend", card:take_rts("ICPT-097")) -- the boot message
    t:event("ICPT-097", rank, "sent", { type = "PTL_EVENT_SENT" })
    for i = 1, 3 do
      card:gets_put(60000)
      matches[i] = i == 1 and card:take_try_match("ICPT-097") or net:await("try_match", { message_number = i }, 4000)
      t:skip_if(not matches[i], "the system under test sends one long message at a time")
    end
    net:settled()
    net:rules(1, false, true)
    local get = card:get(matches[3], { slice_length = 60000 - 60000 % 32 })
    local parts, got = {}, 0
    local function take(ms)
      local frame = net:await("vdma_data", { channel = get.channel_granted }, ms)
      t:check("ICPT-097", "octets of the slice that come", frame, get.slice_length, got)
      if not parts[frame.window_address] then
        parts[frame.window_address], got = frame.data, got + #frame.data
      end
    end
    take()
    for i = 1, 2 do card:match_reply(matches[i], -1, 0) end
    for _ = 1, 2 do t:event("ICPT-097", rank, "sent", { type = "PTL_EVENT_SENT" }) end
    net:rules(1, true, true)
    while got < get.slice_length do take(10000) end
    local whole, at = {}, get.window_start
    while parts[at] do
      whole[#whole + 1] = parts[at]
      at = at + #parts[at]
    end
    t:same_octets("ICPT-097", "the slice", table.concat(whole), core.mix(5, get.slice_length))
    card:match_reply(matches[3])
    t:event("ICPT-097", rank, "sent", { type = "PTL_EVENT_SENT" })
  end,
}
