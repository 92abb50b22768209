-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Cancelling what the system under test sends, with all its windows (chapter 3.7.4).

defaults { role = "client", suite = "p2p", chapter = "3.7.4" }

local LIMIT = 64

local function small()
  return { others = { { datalen = LIMIT } } }
end

-- A synchronous or long send of the system under test, and its first packet.
local function sent(t, req, octets)
  local job, rank, own, other, channel = t:pair(small())
  t:judging(req)
  local begun = rank:start_send(t, octets > LIMIT and "MPI_Isend" or "MPI_Issend", other, octets, 1, { tag = 1 })
  local packet = t:packet(req, channel, "DATASYNC", { src = own, tag = 1 })
  return { job = job, rank = rank, own = own, other = other, channel = channel, begun = begun, packet = packet }
end

-- The same, with MPI_Cancel called, and its CANCEL come.
local function asked(t, req, octets)
  local s = sent(t, req, octets)
  t:start_cancel(req, s.begun)
  t:packet(req, s.channel, "CANCEL", { src = s.own, dest = s.other, srqid = s.packet.srqid })
  return s
end

for name, octets, req in each { { "synchronous", 20, "IMPI-162" }, { "empty-synchronous", 0, "IMPI-162" },
  { "long", 300, "IMPI-163" }, { "longer", 9000, "IMPI-163" } } do

  case {
    id = "cancel-" .. name .. "-asks",
    title = "MPI_Cancel of a " .. name .. " send whose SYNCACK has not come sends one CANCEL with its srqid",
    purpose = "The CANCEL comes, and nothing behind it; the request stays open until it is answered.",
    requirements = { req },
    run = function(t)
      local s = asked(t, req, octets)
      t:channel_silent(req, "one CANCEL", s.channel)
      t:open_before_answer(req, "the send before the reply", s.begun)
    end,
  }

  case {
    id = "cancel-" .. name .. "-yes",
    title = "CANCELYES makes a " .. name .. " send cancelled",
    purpose = "MPI_Test_cancelled says so, no data follow, and messages go on.",
    requirements = { "IMPI-174" },
    run = function(t)
      local s = asked(t, "IMPI-174", octets)
      s.other:answer("CANCELYES", s.packet)
      t:cancel_answered("IMPI-174", "the send", s.begun, true)
      t:channel_silent("IMPI-174", "no later data", s.channel)
      t:ping_pong("IMPI-174", "afterwards", s.rank, s.own, s.other)
    end,
  }

  for _, first in ipairs { "SYNCACK", "CANCELNO" } do
    case {
      id = "cancel-" .. name .. "-no-" .. first:lower() .. "-first",
      title = "A " .. name .. " send whose CANCEL is answered CANCELNO finishes normally (" .. first .. " first)",
      purpose = "SYNCACK and CANCELNO come in this order: the message is sent to its end, and MPI_Test_cancelled says no.",
      requirements = { "IMPI-175" },
      run = function(t)
        local s = asked(t, "IMPI-175", octets)
        for i, kind in ipairs { first, first == "SYNCACK" and "CANCELNO" or "SYNCACK" } do
          s.other:answer(kind, s.packet, { drqid = 8 })
          if i == 1 and first == "CANCELNO" then
            t:cancel_returns(s.begun)
            t:stays_pending("IMPI-175", "the send before its SYNCACK", s.begun)
          end
        end
        local data = s.packet.data
        while #data < octets do
          data = data .. t:packet("IMPI-175", s.channel, "DATA", { srqid = s.packet.srqid, drqid = 8 }).data
        end
        t:same_octets("IMPI-175", "the message", data, t.mix(1, octets))
        t:cancel_answered("IMPI-175", "the send", s.begun, false)
      end,
    }
  end

  case {
    id = "cancel-" .. name .. "-too-late",
    title = "After its SYNCACK has come MPI_Cancel of a " .. name .. " send is settled locally",
    purpose = "No CANCEL comes and the send is not cancelled.",
    requirements = { "IMPI-165" },
    run = function(t)
      local s = sent(t, "IMPI-165", octets)
      s.other:answer("SYNCACK", s.packet, { drqid = 8 })
      local sent_octets = #s.packet.data
      while sent_octets < octets do
        sent_octets = sent_octets + #t:packet("IMPI-165", s.channel, "DATA", { srqid = s.packet.srqid }).data
      end
      t:ping_pong("IMPI-165", "the SYNCACK has been read, since", s.rank, s.own, s.other)
      t:rc("IMPI-165", s.rank:MPI_Cancel { request = s.begun.request }, "MPI_SUCCESS")
      t:cancelled("IMPI-165", "the send", s.begun, false)
      t:channel_silent("IMPI-165", "no CANCEL", s.channel)
    end,
  }
end

for name, call, octets, req in each { { "synchronous", "MPI_Ssend_init", 20, "IMPI-162" },
  { "empty-synchronous", "MPI_Ssend_init", 0, "IMPI-162" }, { "long", "MPI_Send_init", 300, "IMPI-163" } } do
  case {
    id = "cancel-persistent-" .. name .. "-asks",
    title = "MPI_Cancel of a persistent " .. name .. " send whose SYNCACK has not come sends CANCEL each time",
    purpose = "The send is started three times: it is cancelled, finishes with a SYNCACK, and is cancelled again. Each CANCEL has the srqid of its message, and CANCELYES ends it.",
    requirements = { req },
    run = function(t)
      local _, rank, own, other, channel = t:pair(small())
      t:mpi(rank[call](rank, { buf = rank:new_region(octets, 1), count = octets, dest = other.rank, tag = 1,
        request = "p" }))
      for turn = 1, 3 do
        local begun = { rank = rank, request = "p" }
        t:rc(req, rank:MPI_Start { request = "p" }, "MPI_SUCCESS")
        local packet = t:packet(req, channel, "DATASYNC", { src = own, tag = 1 })
        if turn == 2 then
          other:answer("SYNCACK", packet, { drqid = 8 })
          local missing = octets - #packet.data
          while missing > 0 do missing = missing - #t:packet(req, channel, "DATA", { drqid = 8 }).data end
          t:cancelled(req, "the send that is not cancelled", begun, false)
        else
          t:start_cancel(req, begun)
          t:packet(req, channel, "CANCEL", { src = own, dest = other, srqid = packet.srqid })
          other:answer("CANCELYES", packet)
          t:cancel_answered(req, "the send, turn " .. turn, begun, true)
        end
      end
    end,
  }
end

case {
  id = "cancel-long-while-data-leave",
  title = "A long send that is held at hiwater behind its SYNCACK is not cancelled",
  purpose = "hiwater 3: three packets have left, the rest waits. MPI_Cancel sends nothing; the PROTOACKs bring the rest.",
  requirements = { "IMPI-165" },
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(2, 3, { others = { { datalen = LIMIT } } })
    local begun = rank:start_send(t, "MPI_Isend", other, 6 * LIMIT, 1, { tag = 1 })
    local first = t:packet("IMPI-165", channel, "DATASYNC", { src = own })
    other:answer("SYNCACK", first, { drqid = 4 })
    local missing = 6 * LIMIT - #first.data
    -- Packets behind the first need not be full, so that there may be more of them.
    local function take_two()
      for _ = 1, 2 do
        if missing > 0 then missing = missing - #t:packet("IMPI-165", channel, "DATA", { drqid = 4 }).data end
      end
    end
    take_two()
    t:rc("IMPI-165", rank:MPI_Cancel { request = begun.request }, "MPI_SUCCESS")
    t:channel_silent("IMPI-165", "no CANCEL", channel)
    while missing > 0 do
      channel:protoack(other, own)
      take_two()
    end
    t:cancelled("IMPI-165", "the send", begun, false)
  end,
}

case {
  id = "cancel-sent-short",
  title = "MPI_Cancel of a short standard send that has left asks, or is settled locally",
  purpose = "Both are allowed. Where a CANCEL comes, its srqid is the message's and CANCELYES makes the send cancelled; where none comes the send is not cancelled.",
  requirements = { "IMPI-164" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local begun = rank:start_send(t, "MPI_Isend", other, 20, 1, { tag = 1 })
    local message = t:packet("IMPI-164", channel, "DATA", { src = own, tag = 1 })
    t:start_cancel("IMPI-164", begun)
    local packet = channel:receive(3000)
    if packet then
      t:equal("IMPI-164", "what comes", packet.type, "CANCEL")
      t:equal("IMPI-164", "its srqid", packet.srqid, message.srqid)
      other:answer("CANCELYES", message)
    end
    t:reading("IMPI-164", "cancel_of_sent_short", "a CANCEL comes", packet ~= nil,
      { { "asks", true }, { "settles", false } })
    t:cancel_answered("IMPI-164", "the send", begun, packet ~= nil)
    t:ping_pong("IMPI-164", "afterwards", rank, own, other)
  end,
}

case {
  id = "cancel-sent-short-started-again",
  title = "A persistent send that was asked about is asked about again when it has been started again",
  purpose = "CANCELNO says of its first message that it was received, CANCELYES cancels the second one. A system that settles the first one by itself has nothing to judge.",
  requirements = { "IMPI-164" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    t:mpi(rank:MPI_Send_init { buf = rank:new_region(20, 1), count = 20, dest = other.rank, tag = 1, request = "p" })
    for turn, answer in ipairs { "CANCELNO", "CANCELYES" } do
      t:mpi(rank:MPI_Start { request = "p" })
      local message = t:packet("IMPI-164", channel, "DATA", { src = own, tag = 1 })
      local begun = { rank = rank, request = "p" }
      t:start_cancel("IMPI-164", begun)
      local packet, reason = channel:receive(3000)
      t:skip_if(turn == 1 and not packet, "the system under test sends no CANCEL for a short message that has left")
      t:equal("IMPI-164", "what comes for message " .. turn, packet and packet.type or reason, "CANCEL")
      t:equal("IMPI-164", "its srqid", packet.srqid, message.srqid)
      other:answer(answer, message)
      t:cancel_answered("IMPI-164", "message " .. turn, begun, turn == 2)
    end
  end,
}

for name, req, answer in each { { "yes", "IMPI-174", "CANCELYES" }, { "received", "IMPI-175", "CANCELNO" } } do
  local granted = answer == "CANCELYES"
  case {
    id = "cancel-sent-short-" .. name,
    title = string.format("A short standard send whose CANCEL is answered %s is %s", answer,
      granted and "cancelled" or "not cancelled"),
    purpose = "Where the system under test asks; else there is nothing to answer, and the send is not cancelled.",
    requirements = { req },
    run = function(t)
      local _, rank, own, other, channel = t:pair()
      local begun = rank:start_send(t, "MPI_Isend", other, 20, 1, { tag = 1 })
      local message = t:packet(req, channel, "DATA", { src = own, tag = 1 })
      t:start_cancel(req, begun)
      local packet = channel:receive(3000)
      if packet then other:answer(answer, message) end
      t:cancel_answered(req, "the send", begun, granted and packet ~= nil)
    end,
  }
end

for name, call, octets in each { { "isend", "MPI_Isend", 20 }, { "issend", "MPI_Issend", 20 },
    { "long", "MPI_Isend", 5 * LIMIT } } do
  case {
    id = "cancel-before-it-leaves-" .. name,
    title = "An " .. call .. " of " .. octets .. " octets at hiwater that is cancelled is settled locally",
    purpose = "No CANCEL comes, and the send is settled at once. When the way is free the next message leaves instead; behind it where MPI_Test_cancelled says no, which that of a synchronous send may not.",
    requirements = { "IMPI-166" },
    run = function(t)
      local _, rank, own, other, channel = t:pair_with_marks(2, 2, small())
      t:flood(rank, other, 2)
      t:expect_exactly("IMPI-166", channel, own, 2, 1)
      t:never_leaves("IMPI-166", channel, own, rank, other, call, octets, octets > LIMIT and "DATASYNC" or "DATA")
    end,
  }
end

case {
  id = "cancel-a-receive",
  title = "MPI_Cancel of a receive is settled locally",
  purpose = "Nothing is sent, the receive is cancelled, and a message that comes afterwards belongs to the next receive.",
  requirements = { "IMPI-166" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local post = rank:post_receive(t, other, 20, { tag = 1 })
    t:rc("IMPI-166", rank:MPI_Cancel { request = post.request }, "MPI_SUCCESS")
    t:cancelled("IMPI-166", "the receive", post, true)
    t:channel_silent("IMPI-166", "no packet", channel)
    other:send_short(own, 1, 1, 20)
    t:receives("IMPI-166", "the next receive", rank, other, 1, 20, { tag = 1 })
  end,
}

case {
  id = "cancel-a-receive-that-fills",
  title = "A receive to which a long message comes is not cancelled any more",
  purpose = "Its first packet has come and been answered by a SYNCACK. MPI_Cancel sends nothing; the rest comes, the receive has all of it, and MPI_Test_cancelled says no.",
  requirements = { "IMPI-166" },
  run = function(t)
    local _, rank, own, other, channel = t:pair(small())
    local post = rank:post_receive(t, other, 300, { tag = 1 })
    local first = other:send_long(own, 1, 1, 300)
    local ack = t:syncack("IMPI-166", other, first)
    t:rc("IMPI-166", rank:MPI_Cancel { request = post.request }, "MPI_SUCCESS")
    t:channel_silent("IMPI-166", "no packet", channel)
    other:send_rest(first, ack)
    t:cancelled("IMPI-166", "the receive", post, false)
    t:octets("IMPI-166", "what is received", rank, post.buf, "mix/1", 0, 300)
    t:ping_pong("IMPI-166", "afterwards", rank, own, other)
  end,
}

for name, chosen in each { { "first", 1 }, { "middle", 2 }, { "last", 3 } } do
  case {
    id = "cancel-the-" .. name .. "-of-three-that-wait",
    title = "Of three sends that wait at hiwater the " .. name .. " one is cancelled, and no other",
    purpose = "It is cancelled at once. The PROTOACKs bring the other two, in their order.",
    requirements = { "IMPI-166" },
    run = function(t)
      local _, rank, own, other, channel = t:pair_with_marks(2, 2)
      local begun = {}
      t:flood(rank, other, 2)
      t:expect_exactly("IMPI-166", channel, own, 2, 1)
      for i = 1, 3 do begun[i] = rank:start_send(t, "MPI_Issend", other, 8, i, { tag = 2 + i }) end
      t:rc("IMPI-166", rank:MPI_Cancel { request = begun[chosen].request }, "MPI_SUCCESS")
      t:cancelled("IMPI-166", "the send", begun[chosen], true)
      channel:protoack(other, own)
      for i = 1, 3 do
        if i ~= chosen then
          local packet = t:packet("IMPI-166", channel, "DATASYNC", { src = own, tag = 2 + i })
          t:same_octets("IMPI-166", "its data", packet.data, t.mix(i, 8))
          other:answer("SYNCACK", packet)
          t:cancelled("IMPI-166", "send " .. i, begun[i], false)
        end
      end
    end,
  }
end

case {
  id = "cancel-a-receive-from-anybody",
  title = "MPI_Cancel of a receive with MPI_ANY_SOURCE is settled locally, wherever its message might come from",
  purpose = "Nothing is sent, and the receive is cancelled. What comes afterwards from another client, and from a process of the own one, belongs to the next receives.",
  requirements = { "IMPI-166" }, ranks = 2,
  run = function(t)
    local job, rank, own, other, channel = t:pair { np = 2 }
    for i, source in ipairs { other, own, other } do
      local post = rank:post_receive(t, "MPI_ANY_SOURCE", 20, { tag = i < 3 and 1 or "MPI_ANY_TAG" })
      t:rc("IMPI-166", rank:MPI_Cancel { request = post.request }, "MPI_SUCCESS")
      t:cancelled("IMPI-166", "receive " .. i, post, true)
      if source == other then
        other:send_short(own, 1, i, 20)
      else
        job.ranks[1]:start_send(t, "MPI_Isend", own, 20, i, { tag = 1 })
      end
      t:receives("IMPI-166", "the next receive", rank, { rank = source == other and other.rank or own.rank + 1 }, i, 20,
        { tag = 1 })
    end
    t:channel_silent("IMPI-166", "no packet", channel)
  end,
}

case {
  id = "cancel-by-the-second-process",
  title = "The answer to a CANCEL goes to the process that has asked",
  purpose = "Both ranks have a synchronous send open, and both have asked. The second one is answered CANCELYES, the first one CANCELNO; then the other way round.",
  requirements = { "IMPI-174", "IMPI-175" }, ranks = 2,
  run = function(t)
    local job, _, own, other, channel = t:pair { np = 2 }
    for turn = 0, 1 do
      local begun, packets = {}, {}
      t:judging("IMPI-174")
      for i = 0, 1 do
        local src = job.processes[own.rank + i]
        begun[i] = job.ranks[i]:start_send(t, "MPI_Issend", other, 8, i, { tag = 1 })
        packets[i] = t:packet("IMPI-174", channel, "DATASYNC", { src = src, tag = 1 })
        t:start_cancel("IMPI-174", begun[i])
        t:packet("IMPI-174", channel, "CANCEL", { src = src, srqid = packets[i].srqid })
      end
      other:answer("CANCELYES", packets[1 - turn])
      t:cancel_answered("IMPI-174", "the send of rank " .. 1 - turn, begun[1 - turn], true)
      t:judging("IMPI-175")
      other:answer("CANCELNO", packets[turn])
      other:answer("SYNCACK", packets[turn])
      t:cancel_answered("IMPI-175", "the send of rank " .. turn, begun[turn], false)
    end
  end,
}

for name, octets in each { { "short", 20 }, { "long", 300 } } do
  case {
    id = "cancel-a-receive-that-has-its-" .. name .. "-message",
    title = "A receive that has got its " .. name .. " message is not cancelled any more",
    purpose = "A synchronous message has been answered by a SYNCACK and has come wholly when MPI_Cancel is called: nothing is sent, the receive has its data, and MPI_Test_cancelled says no.",
    requirements = { "IMPI-166" },
    run = function(t)
      local _, rank, own, other, channel = t:pair(small())
      local post = rank:post_receive(t, other, octets, { tag = 1 })
      local first = octets > LIMIT and other:send_long(own, 1, 1, octets)
        or other:send_short(own, 1, 1, octets, { type = "DATASYNC" })
      local ack = t:syncack("IMPI-166", other, first)
      if octets > LIMIT then other:send_rest(first, ack) end
      other:send_short(own, 2, 2, 8) -- has come only when the rest has
      t:receives("IMPI-166", "what was sent behind it", rank, other, 2, 8, { tag = 2 })
      t:rc("IMPI-166", rank:MPI_Cancel { request = post.request }, "MPI_SUCCESS")
      t:cancelled("IMPI-166", "the receive", post, false)
      t:holds("IMPI-166", "the receive", post, 1)
      t:channel_silent("IMPI-166", "no packet", channel)
    end,
  }
end
