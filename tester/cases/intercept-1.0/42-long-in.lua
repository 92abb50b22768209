-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Long messages that the process under test receives (5.2.2): it pulls them by GETs, a slice each, and what alignment
-- leaves over by a GET_EXT_REPLY.

defaults { suite = "long-in", chapter = "5.2.2", network = true, deadline = 60 }

local LONG_MS = 30000 -- for megabytes, in packets of 512 octets

-- A process with an entry of so many octets, a card that is connected.
local function receiver(t, req, octets, given)
  local rank, card, net = t:meet()
  card:may_put(octets, given)
  card:connect(req)
  card.connected = true
  return rank, card, net
end

local function arrives(t, req, rank, octets, offset, ms)
  t:event(req, rank, "eq", { type = "PTL_EVENT_PUT", mlength = octets }, ms)
  t:octets(req, "the message", rank, "buf", "mix/5", offset or 0, octets)
end

-- The octets of slices and blocks that these GETs ask for, from the message's address on; judged to be all of it.
local function judge_cover(t, req, message, gets)
  local slices, blocks = 0, 0
  for _, get in ipairs(gets) do
    slices = slices + get.slice_length
    blocks = blocks + get.first_block_length + get.last_block_length
  end
  t:equal(req, "octets that are asked for", slices + blocks, #message.data)
end

for name, octets, offset, address in each { {"aligned", 16384, 0, 0x10000}, {"least", 8089, 0, 0x10000},
    {"first-block", 16384, 5, 0x10000}, {"last-block", 16391, 0, 0x10000}, {"both", 20011, 7, 0x10003},
    {"displaced", 16384, 0, 0x10011}, {"page-end", 12345, 4095, 0x10001} } do
  case {
    id = "longin-get-" .. name,
    title = "A long message is pulled by GETs that fit the alignment of VDMA",
    purpose = string.format("%d octets to offset %d, at the sender from %x on: slices begin at multiples of 32 of "
      .. "the window, have a length that is a multiple of 8 and at least 24, and the rest goes in blocks of at most "
        .. "31 octets.", octets, offset, address),
    requirements = { "ICPT-095", "ICPT-096", "ICPT-077", "ICPT-078", "ICPT-079", "ICPT-080", "ICPT-113", "ICPT-116",
      "ICPT-126" },
    run = function(t)
      local rank, card = receiver(t, "ICPT-095", 30000)
      local message = card:long_put("ICPT-095", { octets = octets, offset = offset, address = address }, function(get)
        t:equal("ICPT-077", "window start modulo 8", get.window_start % 8, 0)
        t:equal("ICPT-078", "window start modulo 32", get.window_start % 32, 0)
        t:equal("ICPT-079", "slice length modulo 8", get.slice_length % 8, 0)
        t:check("ICPT-080", "slice length", get.slice_length == 0 or get.slice_length >= 24, "0, or at least 24",
          get.slice_length)
        t:check("ICPT-116", "octets of the blocks", get.first_block_length <= 31 and get.last_block_length <= 31,
          "at most 31", { get.first_block_length, get.last_block_length })
        if get.first_block_length > 0 then
          t:equal("ICPT-113", "address of the first block", get.first_block_addr, address)
        end
        if get.last_block_length > 0 then
          t:equal("ICPT-113", "address of the last block", get.last_block_addr,
            address + octets - get.last_block_length)
        end
      end)
      local first = message.gets[1]
      t:equal("ICPT-113", "a key where there are blocks, and none where there are not", first.key_remaining ~= 0,
        first.first_block_length + first.last_block_length > 0)
      judge_cover(t, "ICPT-096", message, message.gets)
      t:equal("ICPT-126", "status and octets of the MATCH_REPLY", { message.reply.status, message.reply.mlength },
        { 0, octets })
      arrives(t, "ICPT-095", rank, octets, offset)
    end,
  }
end

case {
  id = "longin-get-everywhere",
  title = "First and last block of a long message are where they belong, wherever it begins in memory",
  purpose = "Puts of 9000 and of 8992 octets to each of 32 places that follow one another: with a first block, a last one, both or neither, of at most 31 octets each.",
  requirements = { "ICPT-113", "ICPT-111", "ICPT-116" },
  run = function(t)
    local rank, card = receiver(t, "ICPT-113", 10000)
    local address = 0x10000
    for offset = 0, 31 do
      if offset > 0 then card:credit(4) end -- for a GET and a MATCH_REPLY of each message
      for _, octets in ipairs { 9000, 8992 } do
        local message = card:long_put("ICPT-113", { octets = octets, offset = offset, address = address }, function(get)
          t:check("ICPT-116", "octets of the blocks", get.first_block_length <= 31 and get.last_block_length <= 31,
            "at most 31", { get.first_block_length, get.last_block_length })
          if get.first_block_length > 0 then
            t:equal("ICPT-113", "address of the first block", get.first_block_addr, address)
          end
          if get.last_block_length > 0 then
            t:equal("ICPT-113", "address of the last block", get.last_block_addr,
              address + octets - get.last_block_length)
          end
          t:equal("ICPT-113", "a key where there are blocks, and none where there are not", get.key_remaining ~= 0,
            get.first_block_length + get.last_block_length > 0)
        end)
        judge_cover(t, "ICPT-113", message, message.gets)
        arrives(t, "ICPT-111", rank, octets, offset)
      end
    end
  end,
}

case {
  id = "longin-get-of-little",
  title = "Where a descriptor takes little of a long message the GETs fit the alignment of VDMA too",
  purpose = "Of puts of 20000 octets a descriptor takes 1 to 121: blocks have at most 31 octets, slices a multiple of 8 and at least 24.",
  requirements = { "ICPT-079", "ICPT-080", "ICPT-116", "ICPT-125" },
  run = function(t)
    local rank, card = receiver(t, "ICPT-116", 200)
    for wanted = 1, 121, 4 do
      local total = 0
      card:long_put("ICPT-125", { octets = 20000, offset = 200 - wanted, address = 0x10003 }, function(get)
        total = total + get.first_block_length + get.slice_length + get.last_block_length
        t:check("ICPT-116", "octets of the blocks", get.first_block_length <= 31 and get.last_block_length <= 31,
          "at most 31", { get.first_block_length, get.last_block_length })
        t:equal("ICPT-079", "slice length modulo 8", get.slice_length % 8, 0)
        t:check("ICPT-080", "slice length", get.slice_length == 0 or get.slice_length >= 24, "0, or at least 24",
          get.slice_length)
      end)
      t:equal("ICPT-125", "octets that are asked for", total, wanted)
      t:event("ICPT-125", rank, "eq", { type = "PTL_EVENT_PUT", mlength = wanted })
    end
  end,
}

case {
  id = "longin-get-layout",
  title = "Every octet of a GET stands where the document has it",
  purpose = "The GET of a long put, octet by octet, from its own fields by the binding's table.",
  requirements = { "ICPT-296", "ICPT-113" },
  run = function(t)
    local _, card, net = receiver(t, "ICPT-296", 30000)
    local message = card:message { octets = 20000, offset = 5 }
    card:try_match(message)
    local get = t:frame("ICPT-296", net, "vdma_get", { key = message.key })
    t:equal("ICPT-296", "length of the control message", get.control_length, 96)
    t:same_octets("ICPT-296", "type and version", get.octets:sub(17, 20), string.pack(">I2I2", 3, 1))
    t:check("ICPT-296", "channel, slice, slices", get.channel_granted < 4 and get.slice == 0 and get.slices >= 1,
      "below 4, 0, at least 1", { get.channel_granted, get.slice, get.slices })
    t:equal("ICPT-296", "where slice and first block begin at the sender", get.address - get.first_block_length,
      message.address)
    t:check("ICPT-113", "lengths of the blocks", get.first_block_length <= 31 and get.last_block_length <= 31,
      "at most 31", { get.first_block_length, get.last_block_length })
    card:serve(message, get)
    for slice = 1, get.slices - 1 do
      card:credit(1)
      card:serve(message, t:frame("ICPT-296", net, "vdma_get", { key = message.key, slice = slice }))
    end
    t:frame("ICPT-296", net, "match_reply", { key = message.key })
  end,
}

case {
  id = "longin-slices",
  title = "A transfer is cut into slices of at most 1 MB, numbered from 0",
  purpose = "A put of 2.5 MB: GETs with their numbers, all with the same count; only the first asks for blocks, and those between leave no remainder.",
  requirements = { "ICPT-069", "ICPT-096", "ICPT-098", "ICPT-114", "ICPT-120", "ICPT-067" },
  run = function(t)
    local rank, card, net = receiver(t, "ICPT-069", 3 << 20)
    net.patience = LONG_MS
    local octets = 5 << 19
    local taken = 0
    local message = card:long_put("ICPT-098", { octets = octets + 9, offset = 3, address = 0x10007 }, function(get)
      taken = taken + 1
      t:check("ICPT-069", "octets of a slice", get.slice_length <= 1 << 20, "at most 1048576", get.slice_length)
      t:check("ICPT-067", "the slice in its window", get.window_start + get.slice_length <= 1 << 20, "within 256 pages",
        get.window_start + get.slice_length)
      t:equal("ICPT-096", "its number", get.slice, taken - 1)
      if taken > 1 then
        t:equal("ICPT-114", "what a later GET says of blocks", { get.key_remaining, get.first_block_length,
          get.last_block_length }, { 0, 0, 0 })
      end
      t:equal("ICPT-120", "octets of a slice modulo 8", get.slice_length % 8, 0)
      t:equal("ICPT-120", "where a slice begins, modulo 32", get.window_start % 32, 0)
    end)
    t:equal("ICPT-096", "how many slices each GET has said there are", message.gets[#message.gets].slices, taken)
    judge_cover(t, "ICPT-120", message, message.gets)
    arrives(t, "ICPT-098", rank, octets + 9, 3, LONG_MS)
  end,
}

for name, offset, address, octets in each { {"here", 32, 0x10000, (1 << 20) + 5000},
    {"there", 0, 0x10020, (1 << 20) + 5000}, {"both", 64, 0x10fe0, (1 << 20) + 5000},
    {"odd", 33, 0x10fff, (1 << 20) + 5000}, {"later-here", 64, 0x10020, 3 << 20},
    {"later-there", 32, 0x10fe0, 3 << 20} } do
  case {
    id = "longin-pages-" .. name,
    title = "A slice touches at most 256 pages, wherever it begins",
    purpose = "A put of " .. octets
      .. " octets to and from other places of a page: no slice touches a 257th page here or there.",
    requirements = { "ICPT-070", "ICPT-067" },
    run = function(t)
      local rank, card, net = receiver(t, "ICPT-070", octets + 4096)
      net.patience = LONG_MS
      card:long_put("ICPT-070", { octets = octets, offset = offset, address = address }, function(get)
        local here = (get.window_start + get.slice_length - 1) // 4096
        local there = (get.address + get.slice_length - 1) // 4096 - get.address // 4096
        t:check("ICPT-067", "pages at the receiver", get.slice_length == 0 or here < 256, "at most 256", here + 1)
        t:check("ICPT-070", "pages at the sender", get.slice_length == 0 or there < 256, "at most 256", there + 1)
      end)
      arrives(t, "ICPT-070", rank, octets, offset, LONG_MS)
    end,
  }
end

case {
  id = "longin-ahead",
  title = "At most three slices are asked for ahead of the one that is moved, each with a channel of its own",
  purpose = "A put of 8 MB of which nothing comes: not more than four GETs, with different channels below 4. When the first slice is complete the next one is asked for.",
  requirements = { "ICPT-066", "ICPT-074", "ICPT-099" },
  run = function(t)
    local _, card, net = receiver(t, "ICPT-066", 8 << 20)
    net.patience = LONG_MS
    local message, gets, channels = card:message { octets = 8 << 20 }, {}, {}
    card:try_match(message)
    gets[1] = t:frame("ICPT-099", net, "vdma_get")
    for _ = 1, 3 do net:card():serves("ICPT-074") end
    while net:waiting("vdma_get") > 0 do gets[#gets + 1] = net:await("vdma_get") end
    t:check("ICPT-074", "GETs before a slice is complete", #gets <= 4, "at most 4", #gets)
    for _, get in ipairs(gets) do
      t:check("ICPT-066", "the channel", get.channel_granted >= 0 and get.channel_granted < 4, "0 to 3",
        get.channel_granted)
      t:check("ICPT-066", "the channel is granted once", not channels[get.channel_granted], "once", get.channel_granted)
      channels[get.channel_granted] = true
    end
    local count = #gets
    card:serve(message, gets[1])
    local further = t:frame("ICPT-099", net, "vdma_get")
    t:equal("ICPT-099", "the slice that is asked for when the first is complete", further.slice, count)
  end,
}

-- The members of a list from its so manieth on, and then those before.
local function rotated(list, first)
  local all = {}
  for i = 1, #list do all[i] = list[(i + first - 2) % #list + 1] end
  return all
end

local function reversed(list)
  local all = {}
  for i = #list, 1, -1 do all[#all + 1] = list[i] end
  return all
end

for name, order in each { {"reversed", reversed}, {"rotated", function(list) return rotated(list, 11) end} } do
  case {
    id = "longin-packets-" .. name,
    title = "The order in which VDMA packets come makes no difference, and a slice is complete when all of it is there",
    purpose = "The packets of a slice in another order; before the last one to come there is no event and no reply.",
    requirements = { "ICPT-023", "ICPT-072", "ICPT-119" }, chapter = "2.1.3",
    run = function(t)
      local rank, card, net = receiver(t, "ICPT-023", 40000)
      local message = card:message { octets = 40000 }
      card:try_match(message)
      local get, first = card:last_get("ICPT-023", message)
      local frames = order(card:slice_packets(message, get))
      for i = 1, #frames - 1 do net:send(frames[i]) end
      card:serve_blocks(message, first)
      net:card():serves("ICPT-072")
      t:equal("ICPT-072", "MATCH_REPLY before the last packet", net:waiting("match_reply"), 0)
      t:equal("ICPT-119", "events before it", rank:count_events("eq"), 0)
      net:send(frames[#frames])
      arrives(t, "ICPT-023", rank, 40000)
      t:frame("ICPT-072", net, "match_reply", { key = message.key, status = 0 })
    end,
  }
end

for name, twice, missing in each { {"packet-twice", 1, -1}, {"last-packet-twice", -1, 1},
    {"neighbour-twice", 8, 9} } do
  case {
    id = "longin-" .. name,
    title = "A VDMA packet that comes twice is not taken for one that is missing",
    purpose = "All packets of a slice but one come, and one of them twice (" .. name .. "): no reply and no event "
      .. "before the missing one.",
    requirements = { "ICPT-072" }, chapter = "2.1.3", negative = true,
    run = function(t)
      local rank, card, net = receiver(t, "ICPT-072", 40000)
      local message = card:message { octets = 40000 }
      card:try_match(message)
      local get, first = card:last_get("ICPT-072", message)
      local frames = card:slice_packets(message, get)
      t:skip_if(#frames < math.max(twice, missing, 2), "the system asks for " .. get.slice_length .. " octets")
      local last = missing < 0 and #frames or missing
      for i, frame in ipairs(frames) do
        if i ~= last then net:send(frame) end
      end
      net:send(frames[twice < 0 and #frames or twice])
      card:serve_blocks(message, first)
      net:card():serves("ICPT-072")
      t:equal("ICPT-072", "MATCH_REPLY before the missing packet", net:waiting("match_reply"), 0)
      t:equal("ICPT-072", "events before it", rank:count_events("eq"), 0)
      net:send(frames[last])
      t:confirm_violation("slice-beyond")
      arrives(t, "ICPT-072", rank, 40000)
      t:sanity("the message is answered", t:frame("ICPT-072", net, "match_reply", { key = message.key, status = 0 }))
    end,
  }
end

for name, blocks_first in each { {"blocks-first", true}, {"blocks-last", false} } do
  case {
    id = "longin-complete-" .. name,
    title = "A transfer is complete when all slices and the GET_EXT_REPLY are there",
    purpose = "Slices and blocks come in either order: no MATCH_REPLY and no event before both.",
    requirements = { "ICPT-119", "ICPT-115", "ICPT-112" },
    run = function(t)
      local rank, card, net = receiver(t, "ICPT-119", 30000)
      local message = card:message { octets = 20011, offset = 3 }
      card:try_match(message)
      local get, first = card:last_get("ICPT-112", message)
      t:check("ICPT-115", "the key of the blocks", first.key_remaining ~= 0, "not 0", first.key_remaining)
      if blocks_first then
        card:serve_blocks(message, first)
      else
        for _, frame in ipairs(card:slice_packets(message, get)) do net:send(frame) end
      end
      net:card():serves("ICPT-119")
      t:equal("ICPT-119", "MATCH_REPLY before all is there", net:waiting("match_reply"), 0)
      t:equal("ICPT-119", "events before all is there", rank:count_events("eq"), 0)
      if blocks_first then
        for _, frame in ipairs(card:slice_packets(message, get)) do net:send(frame) end
      else
        card:serve_blocks(message, first)
      end
      arrives(t, "ICPT-119", rank, 20011, 3)
      t:frame("ICPT-119", net, "match_reply", { key = message.key })
    end,
  }
end

for name, room in each { {"some", 10000}, {"little", 100}, {"few", 20} } do
  case {
    id = "longin-truncated-" .. name,
    title = "As much is asked for as Portals wants, and no more",
    purpose = string.format("Of a put of 50000 octets a descriptor takes %d: so many are asked for, and the "
      .. "MATCH_REPLY says it.", room),
    requirements = { "ICPT-125", "ICPT-126" },
    run = function(t)
      local rank, card = receiver(t, "ICPT-125", room)
      local message = card:message { octets = 50000 }
      card:try_match(message)
      local total = 0
      for _, get in ipairs(card:take_gets("ICPT-125", message)) do
        total = total + get.slice_length + get.first_block_length + get.last_block_length
      end
      t:equal("ICPT-125", "octets that are asked for", total, room)
      t:frame("ICPT-126", card.net, "match_reply", { key = message.key, status = 0, mlength = room })
      arrives(t, "ICPT-125", rank, room)
    end,
  }
end

for name, fields in each { {"portal", { portal = 7 }}, {"cookie", { cookie = 3 }}, {"target", { target = { nid = 1,
  pid = 2 } }} } do
  case {
    id = "longin-unwanted-" .. name,
    title = "A TRY_MATCH that matches nothing is answered at once, and does not block later messages",
    purpose = "MATCH_REPLY with the status no match and length 0, no GET; it is counted as dropped once; a short put follows.",
    requirements = { "ICPT-128", "ICPT-127", "ICPT-188" }, chapter = "5.3.2",
    run = function(t)
      local rank, card, net = receiver(t, "ICPT-128", 30000)
      local before, given = rank:drop_count(), { octets = 20000 }
      for key, value in pairs(fields) do given[key] = value end
      local message = card:message(given)
      card:try_match(message)
      local answer = net:await { "vdma_get", "match_reply" }
      t:equal("ICPT-128", "the answer", answer and answer.message, "match_reply")
      t:equal("ICPT-128", "key, status and length", { answer.key, answer.status, answer.mlength },
        { message.key, -1, 0 })
      t:drops("ICPT-127", rank, before, 1)
      card:put({ octets = 100 }, "ICPT-188")
      arrives(t, "ICPT-188", rank, 100)
    end,
  }
end

case {
  id = "longin-match-reply-layout",
  title = "MATCH_REPLY is laid out as the document has it, and comes once",
  purpose = "Its octets by hand: type 8, 40 octets, the key, status 0, the length.",
  requirements = { "ICPT-299", "ICPT-126" },
  run = function(t)
    local _, card, net = receiver(t, "ICPT-299", 30000)
    local message = card:long_put("ICPT-126", { octets = 16384 })
    local reply = message.reply
    t:same_octets("ICPT-299", "type, version, length", reply.octets:sub(17, 24), string.pack(">I2I2I4", 8, 1, 40))
    t:same_octets("ICPT-299", "key, status, reserved octets, length", reply.octets:sub(33, 56),
      string.pack(">I8I4I4I8", message.key, 0, 0, 16384))
    card:serves("ICPT-126")
    t:equal("ICPT-126", "further replies", net:waiting("match_reply"), 0)
  end,
}

case {
  id = "longin-last-page",
  title = "A channel's page table has 256 entries, and the last one serves as the others do",
  purpose = "A put of a megabyte from page to page: what its GETs ask for comes to its place, up to the last page of the window.",
  requirements = { "ICPT-067" }, chapter = "2.1.3",
  run = function(t)
    local rank, card, net = receiver(t, "ICPT-067", 1 << 20)
    net.patience = LONG_MS
    card:long_put("ICPT-067", { octets = 1 << 20, offset = 0, address = 0x10000 }, function(get)
      t:check("ICPT-067", "the slice in its window", get.window_start + get.slice_length <= 1 << 20, "within 256 pages",
        get.window_start + get.slice_length)
    end)
    arrives(t, "ICPT-067", rank, 1 << 20, 0, LONG_MS)
  end,
}

case {
  id = "longin-several",
  title = "Several long messages at once arrive whole",
  purpose = "Six long puts of two cards are open at the same time, more than there are channels, and are served in turn.",
  requirements = { "ICPT-066", "ICPT-098", "ICPT-186" },
  run = function(t)
    local rank, one, net = receiver(t, "ICPT-066", 1 << 20)
    local other = net:card()
    other:connect("ICPT-098")
    one:serves("ICPT-098")
    other:serves("ICPT-098")
    local messages, pending = {}, 0
    for i = 0, 5 do
      local card = i % 2 == 0 and one or other
      local message = card:message { octets = 50001 + i, seed = i + 1, offset = 60000 * i }
      message.card, message.left = card, 0
      card:try_match(message)
      messages[card.iuca .. " " .. message.key] = message
      pending = pending + 1
    end
    while pending > 0 do
      local frame = net:await { "vdma_get", "match_reply" }
      t:check("ICPT-098", "GETs or replies of all messages come", frame, pending .. " more", "nothing")
      local message = messages[frame.destination .. " " .. frame.key]
      t:check("ICPT-186", "the message that a frame is for", message, "one that is open", frame.key)
      if frame.message == "vdma_get" then message.card:serve(message, frame) else pending = pending - 1 end
    end
    for i = 0, 3 do
      t:event("ICPT-066", rank, "eq", { type = "PTL_EVENT_PUT" })
    end
    for i = 0, 3 do t:octets("ICPT-186", "message " .. i, rank, "buf", "mix/" .. i + 1, 60000 * i, 50001 + i) end
  end,
}

for name, room in each { {"some", 10000}, {"little", 100}, {"few", 20}, {"slices", 1500001} } do
  case {
    id = "longin-truncated-from-a-page-" .. name,
    title = "What is left over at the end of a cut message is asked for to the octet",
    purpose = string.format("Of a put of 1600000 octets a descriptor that begins with a page takes %d: so many are "
      .. "asked for, and the MATCH_REPLY says it.", room),
    requirements = { "ICPT-125", "ICPT-126" },
    run = function(t)
      local rank, card = receiver(t, "ICPT-125", room, { guard = "before" })
      local message = card:message { octets = 1600000 }
      card:try_match(message)
      local total = 0
      for _, get in ipairs(card:take_gets("ICPT-125", message)) do
        total = total + get.slice_length + get.first_block_length + get.last_block_length
      end
      t:equal("ICPT-125", "octets that are asked for", total, room)
      t:frame("ICPT-126", card.net, "match_reply", { key = message.key, status = 0, mlength = room })
      arrives(t, "ICPT-125", rank, room, 0, LONG_MS)
    end,
  }
end

case {
  id = "longin-many-slices",
  title = "A message of many slices is asked for to its end, over every channel again and again",
  purpose = "A put of 18 MB and some octets: slices are asked for, each once and in their order, until there are no more; the message arrives whole and is answered once.",
  requirements = { "ICPT-098", "ICPT-126", "ICPT-114" }, deadline = 180,
  run = function(t)
    local octets <const> = (18 << 20) + 11
    local rank, card, net = receiver(t, "ICPT-098", octets)
    net.patience = LONG_MS
    local message = card:long_put("ICPT-098", { octets = octets, address = 0x10000 })
    judge_cover(t, "ICPT-098", message, message.gets)
    for i = 2, #message.gets do
      local get = message.gets[i]
      t:equal("ICPT-114", "what GET " .. i .. " says of blocks", { get.key_remaining, get.first_block_length,
        get.first_block_addr, get.last_block_length, get.last_block_addr }, { 0, 0, 0, 0, 0 })
    end
    t:equal("ICPT-126", "status and octets of the MATCH_REPLY", { message.reply.status, message.reply.mlength },
      { 0, octets })
    arrives(t, "ICPT-098", rank, octets, 0, LONG_MS)
    card:serves("ICPT-126")
    t:equal("ICPT-126", "further replies", net:waiting("match_reply"), 0)
  end,
}

for name, last in each { {"blocks", "blocks"}, {"slice", "slice"} } do
  case {
    id = "longin-reply-behind-the-last-" .. name,
    title = "MATCH_REPLY comes behind all of a message, whichever part of it is the last",
    purpose = "Of puts of 20011 octets and of 1.5 MB, with a block at either end, the " .. last
      .. (last == "blocks" and " come" or " comes") .. " last: no MATCH_REPLY before, and one behind.",
    requirements = { "ICPT-126" },
    run = function(t)
      local rank, card, net = receiver(t, "ICPT-126", 2 << 20)
      net.patience = LONG_MS
      for _, octets in ipairs { 20011, 3 << 19 } do
        local message = card:message { octets = octets, offset = 3 }
        message.address = 0x10007
        card:try_match(message)
        local first, late
        repeat
          local get = t:frame("ICPT-126", net, "vdma_get", { key = message.key })
          card:credit(1)
          first = first or get
          local packets = card:slice_packets(message, get)
          if last == "slice" and get.slice + 1 == get.slices then late = table.remove(packets) end
          for _, frame in ipairs(packets) do net:send(frame) end
        until get.slice + 1 == get.slices
        if last == "slice" then card:serve_blocks(message, first) end
        net:card():serves("ICPT-126")
        t:equal("ICPT-126", "MATCH_REPLY before the last part", net:waiting("match_reply"), 0)
        if late then net:send(late) else card:serve_blocks(message, first) end
        t:frame("ICPT-126", net, "match_reply", { key = message.key, status = 0, mlength = octets })
        arrives(t, "ICPT-126", rank, octets, 3, LONG_MS)
        card:serves("ICPT-126")
        t:equal("ICPT-126", "further replies", net:waiting("match_reply"), 0)
      end
    end,
  }
end

case {
  id = "longin-by-turns",
  title = "Slices of several messages whose packets come by turns are complete each for itself",
  purpose = "Four long puts are open: the packets of all slices that are asked for come by turns, the last one of each and the blocks from the last message to the first; each message is answered when all of it is there.",
  requirements = { "ICPT-072", "ICPT-119" },
  run = function(t)
    local rank, card, net = receiver(t, "ICPT-072", 1 << 17)
    card:serves("ICPT-072")
    local messages, gets = {}, {}
    for i = 1, 4 do
      local message = card:message { octets = 20003, seed = i, offset = 24576 * i + 3 }
      card:try_match(message)
      messages[message.key] = message
    end
    local left = 4
    repeat
      gets[1] = t:frame("ICPT-072", net, "vdma_get")
      for _ = 1, 3 do card:serves("ICPT-072") end
      while net:waiting("vdma_get") > 0 do gets[#gets + 1] = net:await("vdma_get") end
      local slices, most = {}, 0
      for i, get in ipairs(gets) do
        slices[i] = card:slice_packets(messages[get.key], get)
        most = math.max(most, #slices[i])
      end
      for place = 1, most do
        for i = 1, #gets do
          if place < #slices[i] then net:send(slices[i][place]) end
        end
      end
      for i = #gets, 1, -1 do
        local message = messages[gets[i].key]
        card:serves("ICPT-072")
        t:equal("ICPT-072", "replies before the last packet", net:waiting("match_reply"), 0)
        net:send(slices[i][#slices[i]])
        if gets[i].key_remaining ~= 0 then
          card:serves("ICPT-119")
          t:equal("ICPT-119", "replies before the blocks", net:waiting("match_reply"), 0)
          card:serve_blocks(message, gets[i])
        end
        message.complete = (message.complete or 0) + 1
        if message.complete == gets[i].slices then
          t:frame("ICPT-072", net, "match_reply", { key = gets[i].key, status = 0 })
          left = left - 1
        end
      end
      gets = {}
    until left == 0
    for i = 1, 4 do
      t:event("ICPT-072", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 20003 })
    end
    for i = 1, 4 do t:octets("ICPT-119", "message " .. i, rank, "buf", "mix/" .. i, 24576 * i + 3, 20003) end
  end,
}
