-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Long messages: the first packet at once, the others behind the SYNCACK (chapter 3.7.2).

defaults { role = "client", suite = "p2p", chapter = "3.7.2" }

local LIMIT = 64

local function small()
  return { others = { { datalen = LIMIT } } }
end

for _, call in ipairs { "MPI_Send", "MPI_Bsend", "MPI_Rsend", "MPI_Ssend", "MPI_Isend", "MPI_Ibsend", "MPI_Irsend",
  "MPI_Issend" } do
  case {
    id = "long-begins-with-datasync-" .. call:sub(5):lower(),
    title = "The first packet of a long " .. call .. " is a DATASYNC that does not wait for others",
    purpose = "One octet more than the limit: the first packet comes, filled to the limit, and nothing more while there is no SYNCACK.",
    requirements = { "IMPI-148", "IMPI-149", "IMPI-150" },
    run = function(t)
      local _, rank, own, other, channel = t:pair(small())
      if call:find("bsend") or call:find("Bsend") then
        rank:octets("attached", 8192)
        t:mpi(rank:MPI_Buffer_attach { buffer = "attached", size = 8192 })
      end
      local values = { buf = rank:new_region(LIMIT + 1, 1), count = LIMIT + 1, dest = other.rank, tag = 1 }
      values.request = call:find("^MPI_I") and "q" or nil
      local sending = rank["start_" .. call](rank, values)
      local packet = t:packet("IMPI-148", channel, "DATASYNC", { src = own, tag = 1, msglen = LIMIT + 1 })
      t:reading("IMPI-149", "first_packet", "pk_len of the first packet is the limit", packet.len == LIMIT,
        { { "full", true }, { "smaller", packet.len > LIMIT } })
      t:same_octets("IMPI-148", "its octets", packet.data, t.mix(1, packet.len))
      t:channel_silent("IMPI-150", "without its SYNCACK nothing follows", channel)
      other:answer("SYNCACK", packet, { drqid = 1 })
      t:packet("IMPI-150", channel, "DATA", { srqid = packet.srqid })
      t:rc("IMPI-148", sending:finish(), "MPI_SUCCESS")
    end,
  }
end

for _, call in ipairs { "MPI_Isend", "MPI_Ibsend", "MPI_Irsend", "MPI_Issend" } do
  case {
    id = "long-of-many-packets-waits-" .. call:sub(5):lower(),
    title = "Of an " .. call .. " that takes many packets the first one alone leaves before the SYNCACK has come",
    purpose = "Ten times the limit and one octet: one packet, and nothing more while there is no SYNCACK. With it all the others come.",
    requirements = { "IMPI-150" },
    run = function(t)
      local octets = 10 * LIMIT + 1
      local job, rank, own, other, channel = t:pair(small())
      if call == "MPI_Ibsend" then
        rank:octets("attached", 8192)
        t:mpi(rank:MPI_Buffer_attach { buffer = "attached", size = 8192 })
      end
      t:sanity("the message is long", octets > 5 * job.datalen)
      local begun = rank:start_send(t, call, other, octets, 1, { tag = 1 })
      local first = t:packet("IMPI-150", channel, "DATASYNC", { src = own, tag = 1, msglen = octets })
      t:channel_silent("IMPI-150", "without its SYNCACK nothing follows", channel)
      other:answer("SYNCACK", first, { drqid = 1 })
      local data = first.data
      while #data < octets do
        data = data .. t:packet("IMPI-150", channel, "DATA", { src = own, srqid = first.srqid }).data
      end
      t:same_octets("IMPI-150", "the message", data, t.mix(1, octets))
      t:completes("IMPI-150", "the send", begun)
    end,
  }
end

for call, id in each { { "MPI_Isend", 0 }, { "MPI_Isend", -1 }, { "MPI_Isend", 0x1122334455667788 },
    { "MPI_Issend", 0x55 }, { "MPI_Ibsend", 0x56 }, { "MPI_Irsend", 0x57 } } do
  case {
    id = string.format("long-carries-drqid-%x", id),
    title = string.format("The later packets of an %s carry the drqid of the SYNCACK: 0x%x", call, id),
    purpose = "Three DATA packets follow the SYNCACK; each has the drqid that it gave.",
    requirements = { "IMPI-151" },
    run = function(t)
      local _, rank, own, other, channel = t:pair(small())
      if call == "MPI_Ibsend" then
        rank:octets("room", 8192) -- MPI_BSEND_OVERHEAD is the library's own
        t:mpi(rank:MPI_Buffer_attach { buffer = "room", size = 8192 })
      end
      rank:start_send(t, call, other, 4 * LIMIT, 1, { tag = 1 })
      local packet = t:packet("IMPI-151", channel, "DATASYNC", { src = own })
      other:answer("SYNCACK", packet, { drqid = id })
      for _ = 1, 3 do t:packet("IMPI-151", channel, "DATA", { src = own, drqid = id }) end
    end,
  }
end

for limit, octets in each { { 64, 65 }, { 64, 128 }, { 64, 129 }, { 1, 7 }, { 1000, 2500 } } do
  case {
    id = string.format("long-packets-%d-of-%d", octets, limit),
    title = string.format("A message of %d octets leaves in packets of at most %d that name it alike", octets, limit),
    purpose = "Later packets are DATA with srqid, tag, cid, lsrank and msglen of the first; their data together are the message.",
    requirements = { "IMPI-151", "IMPI-152", "IMPI-111" },
    run = function(t)
      local _, rank, own, other, channel = t:pair { others = { { datalen = limit } } }
      t:judging("IMPI-152")
      local begun = rank:start_send(t, "MPI_Isend", other, octets, 9, { tag = 77 })
      local first = t:packet("IMPI-152", channel, "DATASYNC", { src = own, tag = 77, cid = 0, lsrank = own.rank,
        msglen = octets })
      t:check("IMPI-111", "pk_len of the first packet", first.len <= limit, "at most " .. limit, first.len)
      other:answer("SYNCACK", first, { drqid = 33 })
      local data, empty = first.data, 0
      while #data < octets do
        local packet = t:packet("IMPI-152", channel, "DATA", { src = own, dest = other, srqid = first.srqid, tag = 77,
          cid = 0, lsrank = own.rank, msglen = octets })
        t:equal("IMPI-151", "drqid of the DATA", packet.drqid, 33)
        t:check("IMPI-111", "pk_len", packet.len <= limit, "at most " .. limit, packet.len)
        data, empty = data .. packet.data, packet.len == 0 and empty + 1 or empty
        t:check("IMPI-152", "packets without data", empty <= octets, "no more than octets", empty) -- 3.5 forbids none
      end
      t:equal("IMPI-152", "the octets of all packets", #data, octets)
      t:same_octets("IMPI-152", "the message", data, t.mix(9, octets))
      t:completes("IMPI-152", "the send", begun)
      t:channel_silent("IMPI-152", "nothing follows", channel)
    end,
  }
end

case {
  id = "long-packets-of-a-communicator",
  title = "All packets of a long message name the context identifier of its communicator, and the rank there",
  purpose = "Two processes send a long message on a communicator in which the ranks are the other way round, and receive one there. The first packet and the later ones carry its identifier and the sender's rank in it.",
  requirements = { "IMPI-104", "IMPI-152" }, ranks = 2,
  run = function(t)
    local job, _, _, other = t:pair { np = 2, others = { { datalen = LIMIT } } }
    local cid = job:create("b", "2,1,0")
    for i = 0, 1 do
      local rank, own = job.ranks[i], job.processes[1 + i]
      local fields = { src = own, dest = other, tag = 5, cid = cid, lsrank = 1 - i, msglen = 3 * LIMIT }
      local begun = rank:start_send(t, "MPI_Isend", { rank = 2 }, 3 * LIMIT, i, { tag = 5, comm = "b" })
      local channel = other:channel_to(own)
      local first = t:packet("IMPI-104", channel, "DATASYNC", fields)
      other:answer("SYNCACK", first, { drqid = 7 })
      local data = first.data
      while #data < 3 * LIMIT do
        data = data .. t:packet("IMPI-104", channel, "DATA", fields).data
      end
      t:same_octets("IMPI-152", "the message", data, t.mix(i, 3 * LIMIT))
      t:completes("IMPI-152", "the send", begun)
      local post = rank:post_receive(t, { rank = 2 }, 300, { tag = 6, comm = "b" })
      local long = other:send_long(own, 6, 3 + i, 300, { cid = cid, lsrank = 2 })
      other:send_rest(long, t:syncack("IMPI-104", other, long))
      t:receive_completes("IMPI-104", "the receive", post, 3 + i, 300, 6)
    end
  end,
}

case {
  id = "long-syncack-behind-match",
  title = "The receiver acknowledges a long message when its first packet has matched, not before",
  purpose = "The first packet comes: silence. Its receive brings the SYNCACK with the same srqid, without the rest having come.",
  requirements = { "IMPI-153" },
  run = function(t)
    local _, rank, own, other, channel = t:pair(small())
    local first = other:send_long(own, 1, 1, 1000, { srqid = 0x7fffffffffffff01 })
    t:probed("IMPI-153", "the message", rank, other, 1, 1000)
    rank:post_receive(t, other, 10, { tag = 2 })
    t:channel_silent("IMPI-153", "no receive fits", channel)
    local post = rank:post_receive(t, other, 1000, { tag = 1 })
    local ack = t:packet("IMPI-153", channel, "SYNCACK", { src = own, dest = other, srqid = first.srqid })
    t:stays_pending("IMPI-153", "the receive before the rest has come", post)
    other:send_rest(first, ack)
    t:receive_completes("IMPI-153", "the receive", post, 1)
  end,
}

for _, step in ipairs { 1, 17, LIMIT } do
  case {
    id = "long-in-packets-of-" .. step,
    title = "The rest of a long message may come in packets of " .. step .. " octets",
    purpose = "Any length up to the limit is allowed; the message is received whole.",
    requirements = { "IMPI-154" },
    run = function(t)
      local _, rank, own, other = t:pair(small())
      local post = rank:post_receive(t, other, 200, { tag = 1 })
      local first = other:send_long(own, 1, 1, 200)
      other:send_rest(first, t:syncack("IMPI-154", other, first), step)
      t:receive_completes("IMPI-154", "the receive", post, 1, 200, 1)
    end,
  }
end

case {
  id = "long-empty-packet-between",
  title = "A packet without data among those of a long message ends it no earlier",
  purpose = "Behind the SYNCACK a packet of no octets comes, then one of 30, another empty one, and the rest.",
  requirements = { "IMPI-154" },
  run = function(t)
    local _, rank, own, other = t:pair(small())
    local post = rank:post_receive(t, other, 200, { tag = 1 })
    local first = other:send_long(own, 1, 1, 200)
    local ack = t:syncack("IMPI-154", other, first)
    for _ = 1, 2 do
      other:send_packet(own, { type = "DATA", tag = 1, srqid = first.srqid, drqid = ack.drqid, msglen = 200,
        data = "" })
      other:send_rest(first, ack, 30, 1)
    end
    t:stays_pending("IMPI-154", "the receive before the rest has come", post)
    other:send_rest(first, ack)
    t:receive_completes("IMPI-154", "the receive", post, 1, 200, 1)
  end,
}

case {
  id = "long-first-packet-not-filled",
  title = "A first packet that is not filled is taken as well",
  purpose = "First packets of 0, 1 and limit less 1 octets; the rest follows behind the SYNCACK.",
  requirements = { "IMPI-153", "IMPI-154" },
  run = function(t)
    local _, rank, own, other = t:pair(small())
    for i, octets in ipairs { 0, 1, LIMIT - 1 } do
      local post = rank:post_receive(t, other, 300, { tag = i })
      local first = other:send_packet(own, { type = "DATASYNC", tag = i, msglen = 300, data = t.mix(i, octets) })
      first.whole, first.sent = t.mix(i, 300), octets
      other:send_rest(first, t:syncack("IMPI-153", other, first))
      t:receive_completes("IMPI-154", "a message that began with " .. octets .. " octets", post, i)
    end
  end,
}

case {
  id = "long-rests-in-reverse-order",
  title = "Later packets belong to the message whose drqid they carry",
  purpose = "Two long messages of one pair and tag have matched. The rest of the second comes first; then those of both, packet by packet in turn.",
  requirements = { "IMPI-154" },
  run = function(t)
    local _, rank, own, other = t:pair(small())
    local posts, firsts, acks = {}, {}, {}
    for i = 1, 4 do
      posts[i] = rank:post_receive(t, other, 500, { tag = 1 })
      firsts[i] = other:send_long(own, 1, i, 500)
      acks[i] = t:syncack("IMPI-154", other, firsts[i])
    end
    other:send_rest(firsts[2], acks[2])
    t:receive_completes("IMPI-154", "the second message", posts[2], 2)
    other:send_rest(firsts[1], acks[1])
    t:receive_completes("IMPI-154", "the first message", posts[1], 1)
    while firsts[3].sent < 500 or firsts[4].sent < 500 do
      other:send_rest(firsts[4], acks[4], 30, 1)
      other:send_rest(firsts[3], acks[3], 50, 1)
    end
    t:receive_completes("IMPI-154", "the third message", posts[3], 3)
    t:receive_completes("IMPI-154", "the fourth message", posts[4], 4)
  end,
}

case {
  id = "long-and-short-interleaved-received",
  title = "Between the packets of long messages others of the same pair may come",
  purpose = "Two long messages and five short ones: short ones stand between first packets and rests, and are received at once.",
  requirements = { "IMPI-155" },
  run = function(t)
    local _, rank, own, other = t:pair(small())
    local posts, firsts, acks = {}, {}, {}
    for i = 1, 2 do
      posts[i] = rank:post_receive(t, other, 300, { tag = i })
      firsts[i] = other:send_long(own, i, i, 300)
      other:send_short(own, 10 + i, 10 + i, 20)
    end
    for i = 1, 2 do acks[i] = t:syncack("IMPI-155", other, firsts[i]) end
    for i = 1, 3 do
      other:send_rest(firsts[1], acks[1], LIMIT, 1)
      other:send_short(own, 20 + i, 20 + i, 20)
      other:send_rest(firsts[2], acks[2], LIMIT, 1)
      t:receives("IMPI-155", "a short message", rank, other, 20 + i, 20, { tag = 20 + i })
    end
    for i = 1, 2 do
      t:receives("IMPI-155", "a short message", rank, other, 10 + i, 20, { tag = 10 + i })
      other:send_rest(firsts[i], acks[i])
      t:receive_completes("IMPI-155", "long message " .. i, posts[i], i)
    end
  end,
}

case {
  id = "long-among-300",
  title = "With 300 long messages begun at one process each goes on by its own numbers",
  purpose = "All have matched. The rest comes of the first, the last, and one in the middle before that of the others: each is received by itself, and those that were begun 256 before or behind it are open.",
  requirements = { "IMPI-154" }, deadline = 240,
  run = function(t)
    local _, rank, own, other = t:pair(small())
    local posts, firsts, acks = {}, {}, {}
    for i = 1, 300 do
      posts[i] = rank:post_receive(t, other, LIMIT + 8, { tag = i })
      firsts[i] = other:send_long(own, i, i % 200, LIMIT + 8)
    end
    for i = 1, 300 do acks[i] = t:syncack("IMPI-154", other, firsts[i]) end
    for i, neighbour in each { { 1, 257 }, { 300, 44 }, { 150, 151 } } do
      other:send_rest(firsts[i], acks[i])
      t:receive_completes("IMPI-154", "message " .. i, posts[i], i % 200)
      t:stays_pending("IMPI-154", "message " .. neighbour, posts[neighbour])
    end
    for i = 1, 300 do
      if i ~= 1 and i ~= 300 and i ~= 150 then other:send_rest(firsts[i], acks[i]) end
    end
    for _, i in ipairs { 2, 44, 257, 299 } do
      t:receive_completes("IMPI-154", "message " .. i, posts[i], i % 200)
    end
  end,
}

case {
  id = "long-holds-up-no-short",
  title = "Short messages are sent while a long one waits for its SYNCACK",
  purpose = "The SYNCACK of a long message is held back; two short ones and the first packet of another long one to the same process come meanwhile.",
  requirements = { "IMPI-155" },
  run = function(t)
    local _, rank, own, other, channel = t:pair(small())
    local long = rank:start_send(t, "MPI_Isend", other, 300, 1, { tag = 1 })
    local first = t:packet("IMPI-155", channel, "DATASYNC", { tag = 1 })
    for tag = 2, 3 do
      rank:start_send(t, "MPI_Isend", other, 20, tag, { tag = tag })
      t:packet("IMPI-155", channel, "DATA", { src = own, tag = tag, len = 20 })
    end
    local second = rank:start_send(t, "MPI_Isend", other, 300, 4, { tag = 4 })
    local other_first = t:packet("IMPI-155", channel, "DATASYNC", { tag = 4 })
    local data = { [1] = first.data, [2] = other_first.data }
    other:answer("SYNCACK", other_first, { drqid = 2 })
    other:answer("SYNCACK", first, { drqid = 1 })
    while #data[1] < 300 or #data[2] < 300 do
      local packet = t:packet("IMPI-155", channel, "DATA", { src = own, msglen = 300 })
      t:check("IMPI-155", "its drqid", data[packet.drqid], "1 or 2", packet.drqid)
      data[packet.drqid] = data[packet.drqid] .. packet.data
    end
    t:same_octets("IMPI-155", "the first message", data[1], t.mix(1, 300))
    t:same_octets("IMPI-155", "the second message", data[2], t.mix(4, 300))
    t:completes("IMPI-155", "the first send", long)
    t:completes("IMPI-155", "the second send", second)
  end,
}

for name, long_first in each { { "long-before-short", true }, { "short-before-long", false } } do
  for _, posted in ipairs { true, false } do
    case {
      id = "long-order-" .. name .. (posted and "-posted" or "-unexpected"),
      title = "Messages of one pair and tag match in the order of their first packets: " .. name:gsub("-", " "),
      purpose = "Two receives " .. (posted and "wait for them" or "come behind them")
        .. ". The rest of the long message comes last, and yet it belongs to its own receive.",
      requirements = { "IMPI-156" },
      run = function(t)
        local _, rank, own, other = t:pair(small())
        local posts, first = {}, nil
        local function post()
          for i = 1, 2 do posts[i] = rank:post_receive(t, other, 300, { tag = 1 }) end
        end
        if posted then post() end
        if long_first then
          first = other:send_long(own, 1, 1, 300)
          other:send_short(own, 1, 2, 20)
        else
          other:send_short(own, 1, 2, 20)
          first = other:send_long(own, 1, 1, 300)
        end
        if not posted then
          other:send_short(own, 9, 3, 8) -- has come only when both others have
          t:receives("IMPI-156", "what was sent behind both", rank, other, 3, 8, { tag = 9 })
          post()
        end
        local long, short = long_first and 1 or 2, long_first and 2 or 1
        t:receive_completes("IMPI-156", "receive " .. short, posts[short], 2, 20)
        other:send_rest(first, t:syncack("IMPI-156", other, first))
        t:receive_completes("IMPI-156", "receive " .. long, posts[long], 1)
      end,
    }
  end
end

case {
  id = "long-order-of-sending",
  title = "First packets are sent in the order of the send calls",
  purpose = "Long, short, synchronous, long, short, of one tag: they come in this order.",
  requirements = { "IMPI-156" },
  run = function(t)
    local _, rank, _, other, channel = t:pair(small())
    local kinds = { { "MPI_Isend", 300, "DATASYNC" }, { "MPI_Isend", 20, "DATA" }, { "MPI_Issend", 30, "DATASYNC" },
      { "MPI_Isend", 400, "DATASYNC" }, { "MPI_Isend", 0, "DATA" } }
    for i, kind in ipairs(kinds) do rank:start_send(t, kind[1], other, kind[2], i, { tag = 1 }) end
    for _, kind in ipairs(kinds) do t:packet("IMPI-156", channel, kind[3], { tag = 1, msglen = kind[2] }) end
  end,
}

for name, octets, room in each { { "short", 50, 20 }, { "synchronous", 50, 20 }, { "long", 300, 200 },
    { "long-below-first", 300, 20 }, { "none", 50, 0 }, { "long-none", 300, 0 } } do
  case {
    id = "long-truncated-" .. name,
    title = string.format("A receive of %d octets of a message of %d gives MPI_ERR_TRUNCATE (%s)", room, octets, name),
    purpose = "What lies behind the buffer stays untouched, and afterwards messages go both ways.",
    requirements = { "IMPI-157" },
    run = function(t)
      local _, rank, own, other = t:pair(small())
      local buf = rank:new_region(octets)
      t:mpi(rank:MPI_Irecv { buf = buf, count = room, source = other.rank, tag = 1, request = "q" })
      if octets > LIMIT then
        local first = other:send_long(own, 1, 1, octets)
        other:send_rest(first, t:syncack("IMPI-157", other, first))
      else
        other:send_short(own, 1, 1, octets, { type = name == "synchronous" and "DATASYNC" or "DATA" })
      end
      local _, result = rank:complete("q", 8000)
      t:equal("IMPI-157", "the receive's return code", result.rc, "MPI_ERR_TRUNCATE")
      t:octets("IMPI-157", "behind the buffer", rank, buf, "byte/0", room, octets - room)
      t:ping_pong("IMPI-157", "afterwards", rank, own, other)
    end,
  }
end

for name, count in each { { "short", 15 }, { "long", 18 } } do
  case {
    id = "long-truncated-elements-" .. name,
    title = string.format("A receive of 10 MPI_LONG of a message of %d gives MPI_ERR_TRUNCATE (%s)", count, name),
    purpose = "What counts is the room that the elements take as they travel, 40 octets, however many there are in memory.",
    requirements = { "IMPI-157" },
    run = function(t)
      local _, rank, own, other = t:pair(small())
      local buf = rank:new_region(16 * count)
      t:mpi(rank:MPI_Irecv { buf = buf, count = 10, datatype = "MPI_LONG", source = other.rank, tag = 1,
        request = "q" })
      if name == "long" then
        local first = other:send_long(own, 1, 1, 4 * count)
        other:send_rest(first, t:syncack("IMPI-157", other, first))
      else
        other:send_short(own, 1, 1, 4 * count)
      end
      local _, result = rank:complete("q", 8000)
      t:equal("IMPI-157", "the receive's return code", result.rc, "MPI_ERR_TRUNCATE")
      t:octets("IMPI-157", "behind ten elements of any size", rank, buf, "byte/0", 160, 16 * count - 160)
      t:ping_pong("IMPI-157", "afterwards", rank, own, other)
    end,
  }
end

for _, room in ipairs { 0, 19 } do
  case {
    id = "long-truncated-is-acknowledged-" .. room,
    title = string.format("A synchronous message of 20 octets that a receive of %d takes is acknowledged", room),
    purpose = "It has matched, although it is too long: one SYNCACK comes, and the receive gives MPI_ERR_TRUNCATE.",
    requirements = { "IMPI-146" },
    run = function(t)
      local _, rank, own, other = t:pair(small())
      t:mpi(rank:MPI_Irecv { buf = rank:new_region(20), count = room, source = other.rank, tag = 1, request = "q" })
      t:syncack("IMPI-146", other, other:send_short(own, 1, 1, 20, { type = "DATASYNC" }))
      t:sanity("the receive gives MPI_ERR_TRUNCATE", select(2, rank:complete("q", 8000)).rc == "MPI_ERR_TRUNCATE")
      t:ping_pong("IMPI-146", "afterwards", rank, own, other)
    end,
  }
end

for name, room in each { { "nothing", 0 }, { "less-than-the-first-packet", 20 }, { "the-first-packet", LIMIT },
    { "all-but-an-octet", 299 } } do
  case {
    id = "long-syncack-with-room-for-" .. name,
    title = string.format("A long message of 300 octets is acknowledged when it matches a receive of %d", room),
    purpose = "It matches, although it is too long: one SYNCACK with its srqid comes, as for a receive with room. Posted before, and behind it.",
    requirements = { "IMPI-153" },
    run = function(t)
      local _, rank, own, other = t:pair(small())
      for i, posted in ipairs { true, false } do
        local buf, request = rank:new_region(300), "q" .. i
        local receive = { buf = buf, count = room, source = other.rank, tag = i, request = request }
        if posted then t:mpi(rank:MPI_Irecv(receive)) end
        local first = other:send_long(own, i, i, 300)
        if not posted then
          t:probed("IMPI-153", "the message", rank, other, i, 300)
          t:mpi(rank:MPI_Irecv(receive))
        end
        other:send_rest(first, t:syncack("IMPI-153", other, first))
        t:sanity("the receive gives MPI_ERR_TRUNCATE", select(2, rank:complete(request, 8000)).rc == "MPI_ERR_TRUNCATE")
      end
      t:ping_pong("IMPI-153", "afterwards", rank, own, other)
    end,
  }
end

for name, call, given in each {
  { "indexed", "MPI_Type_hindexed", { array_of_blocklengths = "200", array_of_displacements = "24",
    oldtype = "MPI_CHAR" } },
  { "struct", "MPI_Type_struct", { array_of_blocklengths = "150,50", array_of_displacements = "24,174",
    array_of_types = "MPI_CHAR,MPI_CHAR" } } } do
  case {
    id = "long-behind-the-beginning-" .. name,
    title = "A long message into a datatype that begins behind its buffer goes to its place (" .. name .. ")",
    purpose = "200 octets are received as one element whose first octet is the buffer's twenty-fifth. What is before and behind it stays.",
    requirements = { "IMPI-154" },
    run = function(t)
      local _, rank, own, other = t:pair(small())
      given.newtype = "d"
      t:mpi(rank[call](rank, given))
      t:mpi(rank:MPI_Type_commit { datatype = "d" })
      local buf = rank:new_region(248)
      t:mpi(rank:MPI_Irecv { buf = buf, count = 1, datatype = "d", source = other.rank, tag = 1, request = "q" })
      local first = other:send_long(own, 1, 1, 200)
      other:send_rest(first, t:syncack("IMPI-154", other, first))
      t:completes("IMPI-154", "the receive", { rank = rank, request = "q" })
      t:octets("IMPI-154", "the octets of the datatype", rank, buf, "mix/1", 24, 200)
      t:octets("IMPI-154", "what is before them", rank, buf, "byte/0", 0, 24)
      t:octets("IMPI-154", "what is behind them", rank, buf, "byte/0", 224, 24)
    end,
  }
end
