-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Long messages that the process under test receives (5.2.2): what its GETs say of slices and blocks where pages lie
-- differently at both ends, and where several messages are open.

defaults { suite = "long-in", chapter = "5.2.2", network = true, deadline = 60 }

local LONG_MS = 30000 -- for megabytes, in packets of 512 octets

for name, octets, offset, address in each { {"one-more", 1 << 20, 0, 0x10fe0}, {"odd", 1 << 20, 33, 0x10fff},
    {"three", 3 << 20, 64, 0x10020}, {"alike", 2 << 20, 0, 0x10000},
    {"seven", 6 << 20, 32, 0x10fe0} } do
  case {
    id = "longin-count-" .. name,
    title = "Every GET says how many slices the transfer has, wherever its pages begin",
    purpose = string.format("A put of %d octets to offset %d, at the sender from %x on: as many GETs come as each of "
      .. "them says, numbered from 0, for all of the message.", octets, offset, address),
    requirements = { "ICPT-296" },
    run = function(t)
      local rank, card, net = t:meet()
      net.patience = LONG_MS
      card:may_put(8 << 20)
      card:connect("ICPT-296")
      local message, asked, gets = card:message { octets = octets, offset = offset }, 0, {}
      message.address = address
      card:try_match(message)
      while asked < octets do
        local get = t:frame("ICPT-296", net, "vdma_get", { key = message.key, slice = #gets })
        t:check("ICPT-296", "the slice asks for octets", get.slice_length > 0 or get.key_remaining ~= 0, "some", "none")
        asked = asked + get.slice_length + get.first_block_length + get.last_block_length
        gets[#gets + 1] = get
        card:credit(1)
        card:serve(message, get)
      end
      for i, get in ipairs(gets) do t:equal("ICPT-296", "slices that GET " .. i .. " tells of", get.slices, #gets) end
      t:frame("ICPT-296", net, "match_reply", { key = message.key, status = 0, mlength = octets })
      t:event("ICPT-296", rank, "eq", { type = "PTL_EVENT_PUT", mlength = octets }, LONG_MS)
    end,
  }
end

case {
  id = "longin-blocks-of-several",
  title = "First and last blocks of several messages come to the message for which they were asked",
  purpose = "Three long puts with a block at either end are open; their slices come first, then their blocks from the last message to the first. Each is answered with its own blocks, and has its octets.",
  requirements = { "ICPT-115" },
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(1 << 17)
    card:connect("ICPT-115")
    card:serves("ICPT-115")
    local messages, gets = {}, {}
    for i = 1, 3 do
      local message = card:message { octets = 20003, seed = i, offset = 24576 * i + 3 }
      card:try_match(message)
      messages[i], messages[message.key] = message, message
    end
    local left = 3
    while left > 0 do -- as many are open at once as the process likes
      gets[1] = t:frame("ICPT-115", net, "vdma_get")
      for _ = 1, 3 do card:serves("ICPT-115") end
      while net:waiting("vdma_get") > 0 do gets[#gets + 1] = net:await("vdma_get") end
      for _, get in ipairs(gets) do
        for _, frame in ipairs(card:slice_packets(messages[get.key], get)) do net:send(frame) end
      end
      for i = #gets, 1, -1 do
        local message = messages[gets[i].key]
        card:serve_blocks(message, gets[i])
        message.complete = (message.complete or 0) + 1
        if message.complete == gets[i].slices then
          local reply = t:frame("ICPT-115", net, "match_reply", { status = 0 })
          t:check("ICPT-115", "the key of the MATCH_REPLY", messages[reply.key], "that of a message", reply.key)
          left = left - 1
        end
      end
      gets = {}
    end
    for _ = 1, 3 do t:event("ICPT-115", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 20003 }) end
    for i = 1, 3 do t:octets("ICPT-115", "message " .. i, rank, "buf", "mix/" .. i, 24576 * i + 3, 20003) end
  end,
}

case {
  id = "longin-cut-at-the-end-of-the-region",
  title = "Of a message that is cut to a few octets as many are asked for, wherever they lie",
  purpose = "Puts of 20000 octets to places of a region of 100 octets that leave 1 to 35 of them, most of them in front of the next multiple of 32: so many octets are asked for, the MATCH_REPLY says it, and they are stored there and nowhere else.",
  requirements = { "ICPT-125", "ICPT-116" },
  run = function(t)
    local rank, card = t:meet()
    card:may_put(100, { guard = "before" })
    card:connect("ICPT-125")
    for _, offset in ipairs { 99, 98, 97, 95, 92, 81, 68, 65 } do
      rank:fill("buf", "byte/238")
      local message = card:message { octets = 20000, offset = offset }
      local room <const> = 100 - offset
      card:try_match(message)
      local total = 0
      for _, get in ipairs(card:take_gets("ICPT-125", message)) do
        total = total + get.slice_length + get.first_block_length + get.last_block_length
        t:check("ICPT-116", "octets of the blocks", get.first_block_length <= 31 and get.last_block_length <= 31,
          "at most 31", { get.first_block_length, get.last_block_length })
      end
      t:equal("ICPT-125", "octets that are asked for at offset " .. offset, total, room)
      t:frame("ICPT-125", card.net, "match_reply", { key = message.key, status = 0, mlength = room })
      t:event("ICPT-125", rank, "eq", { type = "PTL_EVENT_PUT", mlength = room })
      t:octets("ICPT-125", "what is stored", rank, "buf", "mix/5", offset, room)
      t:octets("ICPT-125", "what is before it", rank, "buf", "byte/238", 0, offset)
    end
  end,
}

case {
  id = "longin-slices-complete-at-once",
  title = "Slices of which the last packets come together are all counted",
  purpose = "Of puts of 5 MB and some octets all slices that are asked for are sent but for their last packets; then these come one right behind the other. The next slices are asked for, the message arrives and is answered.",
  requirements = { "ICPT-098", "ICPT-119" }, deadline = 180,
  run = function(t)
    local octets <const> = (5 << 20) + 40000
    local rank, card, net = t:meet()
    net.patience = 30000
    card:may_put(octets)
    card:connect("ICPT-098")
    for round = 1, 3 do
      local message = card:message { octets = octets, seed = round }
      card:try_match(message)
      local reply, asked = nil, 0
      repeat
        local lasts, frame = {}, net:await { "vdma_get", "match_reply" }
        t:check("ICPT-098", "a GET or the MATCH_REPLY comes", frame, "one", "nothing")
        while frame and frame.message == "vdma_get" do
          card:credit(1)
          local packets = card:slice_packets(message, frame)
          lasts[#lasts + 1] = table.remove(packets)
          asked = asked + frame.slice_length + frame.first_block_length + frame.last_block_length
          for _, packet in ipairs(packets) do net:send(packet) end
          card:serve_blocks(message, frame)
          frame = net:waiting("vdma_get") > 0 and net:await("vdma_get") or nil
        end
        net:settled()
        for _, packet in ipairs(lasts) do net:send(packet) end
        reply = frame and frame.message == "match_reply" and frame
      until reply
      t:equal("ICPT-119", "octets that had been asked for when the message was taken for complete", asked, octets)
      t:equal("ICPT-098", "status and octets of the MATCH_REPLY", { reply.status, reply.mlength }, { 0, octets })
      t:event("ICPT-098", rank, "eq", { type = "PTL_EVENT_PUT", mlength = octets })
    end
  end,
}

case {
  id = "longin-get-of-little-at-every-end",
  title = "However the end of the memory lies, a slice has at least 24 octets",
  purpose = "Of puts of 20000 octets a descriptor whose length leaves every remainder of 32 takes the last 15, 31, 47 or 70: no GET asks for a slice of less than 24 octets.",
  requirements = { "ICPT-080" }, deadline = 120,
  run = function(t)
    local rank, card = t:meet()
    local options <const> = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE|PTL_MD_TRUNCATE"
    card:may_put(400, { guard = "before" })
    for length = 193, 224 do
      rank:md { name = "shorter", start = "buf", length = length, options = options, eventq = "eq" }
      rank:md_update { new = "shorter" }
      for i = 0, 1 do
        local wanted = ({ 15, 31, 47, 70 })[(length + i) % 4 + 1]
        card:long_put("ICPT-080", { octets = 20000, offset = length - wanted, address = 0x10003 }, function(get)
          t:check("ICPT-080", string.format("slice length of a GET of the last %d of %d octets", wanted, length),
            get.slice_length == 0 or get.slice_length >= 24, "0, or at least 24", get.slice_length)
        end)
        t:event("ICPT-080", rank, "eq", { type = "PTL_EVENT_PUT", mlength = wanted })
        t:octets("ICPT-080", "what came of it", rank, "buf", "mix/5", length - wanted, wanted)
        card:credit(4)
      end
    end
  end,
}

case {
  id = "longin-page-tables-anew",
  title = "The page table of a channel is made anew for each slice",
  purpose = "Long puts of 9000 and of 70000 octets come one behind the other to places of the region that lie differently in their pages: each has its octets, and those before it keep theirs.",
  requirements = { "ICPT-096" },
  run = function(t)
    local rank, card = t:meet()
    card:may_put(1 << 19)
    card:connect("ICPT-096")
    card:credit()
    card.connected = true
    for i, put in ipairs { { 0, 9000 }, { 40000, 9000 }, { 131072, 70000 }, { 10016, 9000 }, { 220007, 70000 },
      { 300000, 9000 }, { 400064, 70000 } } do
      local place <const>, octets <const> = put[1], put[2]
      local message = card:long_put("ICPT-096", { octets = octets, seed = i, offset = place })
      t:equal("ICPT-096", "status of the MATCH_REPLY", message.reply.status, 0)
      t:event("ICPT-096", rank, "eq", { type = "PTL_EVENT_PUT", mlength = octets })
      t:octets("ICPT-096", "the message at " .. place, rank, "buf", "mix/" .. i, place, octets)
    end
    t:octets("ICPT-096", "the first message", rank, "buf", "mix/1", 0, 9000)
  end,
}

case {
  id = "longin-complete-one-block",
  title = "A transfer with a first block alone, or a last one, is not complete without it",
  purpose = "Puts of 9000 and of 8992 octets to each of 32 places that follow one another: of those that have one block only, all slices come first, and no MATCH_REPLY and no event before the block does.",
  requirements = { "ICPT-119" },
  run = function(t)
    local rank, card, net = t:meet()
    card:may_put(10000)
    card:connect("ICPT-119")
    local fence, judged = net:card(), 0
    for offset = 0, 31 do
      if offset > 0 then card:credit(4) end
      for _, octets in ipairs { 9000, 8992 } do
        local message = card:message { octets = octets, offset = offset }
        card:try_match(message)
        local get, first = card:last_get("ICPT-119", message)
        for _, frame in ipairs(card:slice_packets(message, get)) do net:send(frame) end
        if (first.first_block_length > 0) ~= (first.last_block_length > 0) then
          judged = judged + 1
          fence:serves("ICPT-119")
          t:equal("ICPT-119", "MATCH_REPLY before the block is there", net:waiting("match_reply"), 0)
          t:equal("ICPT-119", "events before it is there", rank:count_events("eq"), 0)
        end
        card:serve_blocks(message, first)
        t:event("ICPT-119", rank, "eq", { type = "PTL_EVENT_PUT", mlength = octets })
        t:octets("ICPT-119", "the message", rank, "buf", "mix/5", offset, octets)
        t:frame("ICPT-119", net, "match_reply", { key = message.key })
      end
    end
    t:check("ICPT-119", "messages with one block", judged > 0, "some", judged)
  end,
}
