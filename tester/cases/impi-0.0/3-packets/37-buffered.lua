-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Buffered sends (chapter 3.7.1): they return whatever the way does, with as much room as MPI says that they need, and
-- what leaves is what the program has sent. The way is full at first, so that messages stay in the attached buffer.

defaults { role = "client", suite = "p2p", chapter = "3.7.1" }

local OCTETS = 100 -- no multiple of what memory is aligned to
local MARK = 2

-- A buffer "attached" with room for so many messages of `octets`: MPI_Pack_size and MPI_BSEND_OVERHEAD for each.
local function attach(t, rank, count, octets)
  local overhead = (rank:call("describe", {}).bsend or {}).overhead
  t:skip_if(not overhead, "the interpreter does not tell MPI_BSEND_OVERHEAD")
  local each = t:mpi(rank:MPI_Pack_size { incount = octets, datatype = "MPI_BYTE", comm = "MPI_COMM_WORLD" }).size
  local size = count * (each + overhead)
  rank:octets("attached", math.max(size, 1))
  t:mpi(rank:MPI_Buffer_attach { buffer = "attached", size = size })
  return size
end

-- An open pair whose way to the scripted process is full. next_packet(wanted): the next packet to it, for which there
-- is room.
local function full(t, req)
  local job, rank, own, other, channel = t:pair_with_marks(MARK, MARK)
  job:needs("datalen", OCTETS)
  t:flood(rank, other, MARK)
  t:expect_exactly(req, channel, own, MARK, 1)
  local under_way = MARK
  local function next_packet(wanted)
    if under_way == MARK then
      channel:protoack(other, own)
      under_way = 0
    end
    under_way = under_way + 1
    wanted.src = own
    return t:packet(req, channel, "DATA", wanted)
  end
  return rank, other, next_packet, channel
end

-- MPI_Bsend of a pattern, whose buffer the program uses again at once.
local function send(t, req, rank, other, tag)
  local buf = rank:new_region(OCTETS, tag)
  t:rc(req, rank:MPI_Bsend { buf = buf, count = OCTETS, dest = other.rank, tag = tag }, "MPI_SUCCESS")
  rank:call("fill", { name = buf, offset = 0, octets = OCTETS, pattern = "byte/90" })
end

case {
  id = "buffered-room-is-enough",
  title = "An attached buffer has room for as many messages as MPI says, again and again",
  purpose = "Room for three messages of 100 octets, by MPI_Pack_size and MPI_BSEND_OVERHEAD. The way is full: three MPI_Bsend return. When they have left there is room for three more; five rounds.",
  requirements = { "IMPI-141", "IMPI-002" },
  run = function(t)
    local rank, other, next_packet = full(t, "IMPI-141")
    attach(t, rank, 3, OCTETS)
    for round = 1, 5 do
      for i = 1, 3 do send(t, "IMPI-141", rank, other, 10 * round + i) end
      for i = 1, 3 do
        local tag = 10 * round + i
        t:same_octets("IMPI-002", "message " .. tag, next_packet({ tag = tag, len = OCTETS }).data, t.mix(tag, OCTETS))
      end
    end
  end,
}

case {
  id = "buffered-detach",
  title = "What a program has sent with MPI_Bsend leaves as it was, also where it takes its buffer back",
  purpose = "Two messages wait in the buffer when MPI_Buffer_detach is called. If it returns, the program fills the buffer anew; when the way is free both come as they were. Its result is the buffer.",
  requirements = { "IMPI-002" },
  run = function(t)
    local rank, other, next_packet, channel = full(t, "IMPI-002")
    local size = attach(t, rank, 2, OCTETS)
    for i = 1, 2 do send(t, "IMPI-002", rank, other, 10 + i) end
    local call = rank:start_MPI_Buffer_detach { deadline = 25000 }
    t:channel_silent("IMPI-002", "while the way is full", channel)
    if call:done() then
      rank:call("fill", { name = "attached", offset = 0, octets = size, pattern = "byte/90" })
    end
    for i = 1, 2 do
      t:same_octets("IMPI-002", "message " .. i, next_packet({ tag = 10 + i, len = OCTETS }).data,
        t.mix(10 + i, OCTETS))
    end
    t:equal("IMPI-002", "the size of the buffer", t:rc("IMPI-002", call:finish(), "MPI_SUCCESS").size, size)
  end,
}

case {
  id = "buffered-empty",
  title = "A buffered message without data is sent as DATA, and needs no more than the overhead",
  purpose = "MPI_Bsend, MPI_Ibsend and MPI_Bsend_init, twice started, with a buffer that has room for one such message.",
  requirements = { "IMPI-143" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    attach(t, rank, 1, 0)
    local function leaves(tag)
      t:packet("IMPI-143", channel, "DATA", { src = own, tag = tag, len = 0, msglen = 0 })
    end
    t:rc("IMPI-143", rank:MPI_Bsend { buf = "attached", count = 0, dest = other.rank, tag = 1 }, "MPI_SUCCESS")
    leaves(1)
    local begun = rank:start_send(t, "MPI_Ibsend", other, 0, 0, { tag = 2 }, "IMPI-143")
    leaves(2)
    t:completes("IMPI-143", "MPI_Ibsend", begun)
    t:mpi(rank:MPI_Bsend_init { buf = "attached", count = 0, dest = other.rank, tag = 3, request = "p" })
    for _ = 1, 2 do
      t:rc("IMPI-143", rank:MPI_Start { request = "p" }, "MPI_SUCCESS")
      leaves(3)
      t:completes("IMPI-143", "MPI_Bsend_init", { rank = rank, request = "p" })
    end
  end,
}

---- cancelled --------------------------------------------------------------------------------------------------------

case {
  id = "buffered-cancelled-before-it-leaves",
  title = "A buffered send at hiwater that is cancelled does not leave, and says so; or it leaves, and says that",
  purpose = "MPI_Ibsend waits for its way. MPI_Cancel sends nothing. When the way is free the message behind it leaves where MPI_Test_cancelled says yes, else its own does first.",
  requirements = { "IMPI-166" }, chapter = "3.7.4",
  run = function(t)
    local _, rank, own, other, channel = t:pair_with_marks(MARK, MARK)
    attach(t, rank, 1, OCTETS)
    t:flood(rank, other, MARK)
    t:expect_exactly("IMPI-166", channel, own, MARK, 1)
    t:never_leaves("IMPI-166", channel, own, rank, other, "MPI_Ibsend", 20, "DATA")
  end,
}

for name, octets in each { { "short", 20 }, { "long", 300 } } do
  for _, answer in ipairs { "CANCELYES", "CANCELNO" } do
    local granted = answer == "CANCELYES"
    case {
      id = "buffered-" .. name .. (granted and "-cancelled" or "-not-cancelled"),
      title = string.format("A %s buffered send whose CANCEL is answered %s is %s", name, answer,
        granted and "cancelled" or "not cancelled"),
      purpose = "MPI_Ibsend has left. Where MPI_Cancel asks, the answer decides; where it does not, the send is complete, and not cancelled. The buffer is free for the next one.",
      requirements = { granted and "IMPI-174" or "IMPI-175" }, chapter = "3.7.4",
      run = function(t)
        local req = granted and "IMPI-174" or "IMPI-175"
        local job, rank, own, other, channel = t:pair { others = { { datalen = 64 } } }
        attach(t, rank, 2, octets)
        for turn = 1, 2 do
          local begun = rank:start_send(t, "MPI_Ibsend", other, octets, turn, { tag = turn })
          local first = t:packet(req, channel, octets > job.datalen and "DATASYNC" or "DATA", { src = own, tag = turn })
          t:start_cancel(req, begun)
          local packet = channel:receive(3000)
          if packet then
            t:equal(req, "what comes", packet.type, "CANCEL")
            if not granted and octets > job.datalen then other:answer("SYNCACK", first, { drqid = 8 }) end
            other:answer(answer, first)
            local missing = not granted and octets - #first.data or 0
            while missing > 0 do missing = missing - #t:packet(req, channel, "DATA", { drqid = 8 }).data end
          end
          t:cancel_answered(req, "the send", begun, granted and packet ~= nil)
        end
        t:ping_pong(req, "afterwards", rank, own, other)
      end,
    }
  end
end
