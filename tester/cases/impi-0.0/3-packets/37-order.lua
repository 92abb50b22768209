-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The order of messages and of receives: with wildcards, where the way is full, where many long messages come at once
-- (chapter 3.7.2).

defaults { role = "client", suite = "p2p", chapter = "3.7.2" }

local LIMIT = 64

local function small(hosts)
  return { others = { { datalen = LIMIT, hosts = hosts } } }
end

-- { name, source and tag of the first receive, those of the second; nil: the process itself, tag 1 }
for _, row in ipairs { { "any-source-first", "MPI_ANY_SOURCE", 1, nil, 1 },
    { "any-source-second", nil, 1, "MPI_ANY_SOURCE", 1 }, { "any-tag-first", nil, "MPI_ANY_TAG", nil, 1 },
    { "any-tag-second", nil, 1, nil, "MPI_ANY_TAG" },
    { "both-first", "MPI_ANY_SOURCE", "MPI_ANY_TAG", nil, 1 } } do
  local name, source, tag, second_source, second_tag = table.unpack(row, 1, 5)
  case {
    id = "order-of-receives-" .. name,
    title = "Messages go to receives in the order in which these were posted: " .. name:gsub("-", " "),
    purpose = "Two receives, one of them with a wildcard, fit two messages of one tag: a short one, and a long one behind it; then two more, the other way round.",
    requirements = { "IMPI-156" },
    run = function(t)
      local _, rank, own, other = t:pair(small())
      for turn = 1, 2 do
        local posts = { rank:post_receive(t, source or other, 300, { tag = tag }),
          rank:post_receive(t, second_source or other, 300, { tag = second_tag }) }
        local long = 3 - turn
        local first
        for i = 1, 2 do
          if i == long then
            first = other:send_long(own, 1, i, 300)
          else
            other:send_short(own, 1, i, 20)
          end
        end
        t:receive_completes("IMPI-156", "receive " .. 3 - long .. " in turn " .. turn, posts[3 - long], 3 - long, 20, 1)
        other:send_rest(first, t:syncack("IMPI-156", other, first))
        t:receive_completes("IMPI-156", "receive " .. long .. " in turn " .. turn, posts[long], long, 300, 1)
      end
    end,
  }
end

for name, source in each { { "the-process" }, { "anybody", "MPI_ANY_SOURCE" } } do
  case {
    id = "order-of-messages-for-any-tag-from-" .. name,
    title = "Receives with MPI_ANY_TAG get messages that have waited in the order of sending",
    purpose = "Four messages of different tags have come. The third is received by its tag; then receives with MPI_ANY_TAG get the first, the second and the last.",
    requirements = { "IMPI-156" },
    run = function(t)
      local _, rank, own, other = t:pair(small())
      local tags = { 7, 3, 9, 5 }
      for i, tag in ipairs(tags) do other:send_short(own, tag, i, 10 * i) end
      t:mpi(rank:MPI_Probe { source = other.rank, tag = 5 })
      for _, i in ipairs { 3, 1, 2, 4 } do
        local post = rank:post_receive(t, source or other, 64, { tag = i == 3 and 9 or "MPI_ANY_TAG" })
        t:receive_completes("IMPI-156", "message " .. i, post, i, 10 * i, tags[i])
      end
    end,
  }
end

case {
  id = "order-where-the-way-is-full",
  title = "Messages that wait at hiwater are sent in the order of the send calls",
  purpose = "hiwater 2 is reached. A long, a short, a synchronous and an empty message of one tag wait; the PROTOACKs bring them in this order.",
  requirements = { "IMPI-156" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(2, 2, small())
    local kinds = { { "MPI_Isend", 300, "DATASYNC" }, { "MPI_Isend", 20, "DATA" }, { "MPI_Issend", 30, "DATASYNC" },
      { "MPI_Isend", 0, "DATA" } }
    t:flood(rank, other, 2)
    t:expect_exactly("IMPI-156", channel, own, 2, 1)
    for i, kind in ipairs(kinds) do rank:start_send(t, kind[1], other, kind[2], i, { tag = 9 }) end
    for i, kind in ipairs(kinds) do
      if i % 2 == 1 then channel:protoack(other, own) end
      t:packet("IMPI-156", channel, kind[3], { src = own, tag = 9, msglen = kind[2] })
    end
  end,
}

case {
  id = "long-for-wildcards",
  title = "The rest of a long message reaches a receive that had a wildcard for its source",
  purpose = "Two processes send long messages of one tag to two receives with MPI_ANY_SOURCE. The rests come in turns, the second message's first.",
  requirements = { "IMPI-154" },
  run = function(t)
    local job, rank, own = t:pair(small { 2 })
    local posts, firsts, acks = {}, {}, {}
    for i = 1, 2 do
      posts[i] = rank:post_receive(t, "MPI_ANY_SOURCE", 300, { tag = i == 1 and "MPI_ANY_TAG" or 1 })
    end
    for i = 1, 2 do
      local other = job.processes[i - 1]
      firsts[i] = other:send_long(own, 1, i, 300, { srqid = 5 })
      acks[i] = t:syncack("IMPI-154", other, firsts[i])
    end
    while firsts[1].sent < 300 do
      for i = 2, 1, -1 do firsts[i].src:send_rest(firsts[i], acks[i], 50, 1) end
    end
    for i = 1, 2 do
      local result = t:receive_completes("IMPI-154", "message " .. i, posts[i], i, 300, 1)
      t:equal("IMPI-154", "MPI_SOURCE of message " .. i, result.status.source, i - 1)
    end
  end,
}

case {
  id = "long-many-at-once",
  title = "Forty long messages whose rests come in turns are told apart",
  purpose = "All have matched before the first rest comes. The rests come packet by packet, those of the last message first.",
  requirements = { "IMPI-154" },
  run = function(t)
    local _, rank, own, other = t:pair(small())
    local posts, firsts, acks = {}, {}, {}
    for i = 1, 40 do posts[i] = rank:post_receive(t, other, 200, { tag = 1 }) end
    for i = 1, 40 do firsts[i] = other:send_long(own, 1, i, 200) end
    for i = 1, 40 do acks[i] = t:syncack("IMPI-154", other, firsts[i]) end
    while firsts[1].sent < 200 do
      for i = 40, 1, -1 do other:send_rest(firsts[i], acks[i], LIMIT, 1) end
    end
    for i = 1, 40 do t:receive_completes("IMPI-154", "message " .. i, posts[i], i) end
  end,
}

case {
  id = "order-of-anybody-inside-and-outside",
  title = "A receive with MPI_ANY_SOURCE takes one message, from its own client or another one, and is then complete",
  purpose = "Two ranks under test. Pairs of receives with MPI_ANY_SOURCE are filled by the other rank and by the other client in turns, first the one, then the other.",
  requirements = { "IMPI-156" }, ranks = 2,
  run = function(t)
    local job, rank, own, other = t:pair { np = 2 }
    for turn = 1, 4 do
      local posts = {}
      for i = 1, 2 do posts[i] = rank:post_receive(t, "MPI_ANY_SOURCE", 20, { tag = 1 }) end
      for i = 1, 2 do
        local seed, outside = 10 * turn + i, (turn + i) % 2 == 0
        if outside then
          other:send_short(own, 1, seed, 20)
        else
          job.ranks[1]:start_send(t, "MPI_Isend", own, 20, seed, { tag = 1 })
        end
        local result = t:receive_completes("IMPI-156", "message " .. i .. " of turn " .. turn, posts[i], seed)
        t:equal("IMPI-156", "its MPI_SOURCE", result.status.source, outside and other.rank or own.rank + 1)
      end
    end
  end,
}

-- Messages that nobody waits for, so many of so many octets: all are kept, and received in falling order.
for name, count, octets in each { { "in-great-number", 280, 8 }, { "of-the-largest-size", 40, nil } } do
  case {
    id = "unexpected-messages-" .. name,
    title = string.format("%d messages for which no receive is posted are acknowledged and kept: %s", count,
      name:gsub("-", " ")),
    purpose = "Flow control is about packets that have not been read; how many messages wait for their receives it does not bound. They are received with the last one first.",
    requirements = { "IMPI-130" }, chapter = "3.6", deadline = 60,
    run = function(t)
      local job, rank, own, other = t:pair()
      local buf = rank:new_region(octets or job.datalen)
      for i = 1, count do other:send_short(own, i, i, octets or job.datalen) end
      for i = count, 1, -1 do
        t:rc("IMPI-130", rank:MPI_Recv { buf = buf, count = octets or job.datalen, source = other.rank, tag = i },
          "MPI_SUCCESS")
        t:octets("IMPI-130", "message " .. i, rank, buf, "mix/" .. i, 0, octets or job.datalen)
      end
    end,
  }
end

case {
  id = "long-sendrecv-both-ways",
  title = "MPI_Sendrecv takes a long message while its own one waits for its SYNCACK",
  purpose = "The first packet of its message has come and is not answered. A long message for it comes and is acknowledged; only then its own one is.",
  requirements = { "IMPI-155" },
  run = function(t)
    local _, rank, own, other = t:pair(small())
    local out, room = rank:new_region(200, 1), rank:new_region(300)
    local call = rank:start_MPI_Sendrecv { sendbuf = out, sendcount = 200, sendtype = "MPI_BYTE", dest = other.rank,
      sendtag = 1, recvbuf = room, recvcount = 300, recvtype = "MPI_BYTE", source = other.rank, recvtag = 2,
      comm = "MPI_COMM_WORLD" }
    local first = t:packet_to("IMPI-155", "its first packet", other, { src = own, type = "DATASYNC", tag = 1 })
    local incoming = other:send_long(own, 2, 2, 300)
    other:send_rest(incoming, t:syncack("IMPI-155", other, incoming))
    other:answer("SYNCACK", first, { drqid = 9 })
    local data = first.data
    while #data < 200 do
      data = data .. t:packet_to("IMPI-155", "a later packet", other, { src = own, type = "DATA", drqid = 9 }).data
    end
    t:rc("IMPI-155", call:finish(), "MPI_SUCCESS")
    t:same_octets("IMPI-155", "its message", data, t.mix(1, 200))
    t:octets("IMPI-155", "what it has received", rank, room, "mix/2", 0, 300)
  end,
}
