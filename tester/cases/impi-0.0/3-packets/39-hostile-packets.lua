-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Packets that no correct peer sends: what cannot be in a header, data that do not fit, acknowledgements of nothing
-- (robustness of chapters 3.5 to 3.7). A job bears them and goes on, or ends with a message; never in a crash, a hang
-- or damaged memory.

defaults { role = "client", suite = "packets", chapter = "3.5" }

local LIMIT = 64

local function small()
  return { others = { { datalen = LIMIT } } }
end

-- Gives a receive that waits under the name "q" the time to put into its buffer what it will.
local function settle(rank)
  rank:complete("q", 300)
end

for _, number in ipairs { 8, 0x100, 0x107, 0x10000, 0x01000000, 0x07000000, 0x80000001, 0xffffffff } do
  case {
    id = string.format("hostile-type-%x", number),
    title = string.format("A packet of type 0x%x is reported or ends the job", number),
    purpose = "The header is otherwise that of a message of no octets. An honest message stands behind it.",
    requirements = { "IMPI-254" }, negative = true,
    run = function(t)
      local job, rank, own, other = t:pair()
      local trial = t:trial(job, rank, own, other)
      t:survives("IMPI-254", trial, { other:packet(own, { type = number, tag = 1 }) }, "packet-type")
      t:check("IMPI-254", "the job's output", core.job_line(job.job, trial.said + 1, nil, 5000), "tells of it",
        "nothing more than before")
    end,
  }
end

for kind, more in each { { "DATA", 1 }, { "DATASYNC", 1 }, { "DATA", 4000 }, { "DATASYNC", 4000 } } do
  case {
    id = "hostile-length-limit-and-" .. more .. "-" .. kind:lower(),
    title = string.format("A %s with %d octets more than the negotiated length overruns no buffer", kind, more),
    purpose = "A message of just the negotiated length is received before. Then a receive of exactly so many octets waits; what lies behind its buffer stays untouched.",
    requirements = { "IMPI-255" }, negative = true,
    run = function(t)
      local job, rank, own, other, channel = t:pair(small())
      local octets = LIMIT + more
      other:send_short(own, 1, 1, job.datalen, { type = kind })
      t:receives("IMPI-255", "a message of the negotiated length", rank, other, 1, job.datalen, { tag = 1 })
      if kind == "DATASYNC" then t:packet("IMPI-255", channel, "SYNCACK") end
      local buf = rank:new_region(octets + 100)
      t:mpi(rank:MPI_Irecv { buf = buf, count = octets, source = other.rank, tag = 1, request = "q" })
      local trial = t:trial(job, rank, own, other)
      local goes_on = t:survives("IMPI-255", trial, { other:packet(own, { type = kind, tag = 1,
        data = string.rep("\xee", octets) }) }, kind == "DATA" and { "data-limit", "long-by-data" } or "data-limit")
      if goes_on then
        settle(rank)
        t:octets("IMPI-255", "behind the buffer", rank, buf, "byte/0", octets, 100)
      end
    end,
  }
end

-- What follows the header may be taken for a packet, and end the job before what it has done to a process shows.
for length, behind in each { { 0x80000000, 1000 }, { 0xffffffff, 1000 }, { 0x7fffffff, 1000 },
  { 0x80000000, 0 }, { 0xffffffff, 0 }, { 0x7fffffff, 0 } } do
  case {
    id = string.format("hostile-length-%x", length) .. (behind == 0 and "-alone" or ""),
    title = string.format("A pk_len of 0x%x overruns no buffer%s", length,
      behind == 0 and ", the header by itself" or ""),
    purpose = string.format("%d octets follow, and the channel is closed%s: the job ends with a status, not 0, " ..
      "or says what has happened.", behind, behind == 0 and " a second later" or ""),
    requirements = { "IMPI-255" }, negative = true,
    run = function(t)
      local job, rank, own, other, channel = t:pair(small())
      job:needs("hiwater", 4) -- what is forged waits for no PROTOACK
      t:ping_pong("IMPI-255", "before", rank, own, other)
      local said = #job:output()
      job:may_end(true)
      t:send_invalid_packet("IMPI-255", channel, other:packet(own,
        { type = "DATA", tag = 1, data = string.rep("\xee", behind), len = length, msglen = length }), "data-limit")
      if behind == 0 then core.job_ended(job.job, 1000) end
      channel:close()
      t:ignore_violations({ "closed-inside" }, channel) -- unless the other side was first
      t:ends_abnormally("IMPI-255", job, said)
    end,
  }
end

-- Processes that do not exist, made from a process that exists.
local NOBODIES = {
  { "pid", "another process identifier", function(process) return { id = process.id, pid = process.pid + 1000 } end },
  { "host", "another host identifier", function(process)
    return { id = process.id:sub(1, 15) .. string.char(process.id:byte(16) ~ 0x80), pid = process.pid }
  end },
  { "zero", "all zero", function() return { id = string.rep("\0", 16), pid = 0 } end },
  { "ones", "all ones", function() return { id = string.rep("\xff", 16), pid = -1 } end },
}

for name, what, make in each(NOBODIES) do
  case {
    id = "hostile-to-nobody-" .. name,
    title = "Packets to a process that does not exist are dropped or reported: " .. what,
    purpose = "A message, a SYNCACK, a PROTOACK and a CANCEL. None of them reaches the rank, and the others go on.",
    requirements = { "IMPI-256" }, negative = true,
    run = function(t)
      local job, rank, own, other = t:pair()
      local begun = rank:start_send(t, "MPI_Issend", other, 4, 1, { tag = 5 })
      local message = t:packet("IMPI-256", other:channel_to(own), "DATASYNC", { tag = 5 })
      local trial, nobody = t:trial(job, rank, own, other), make(own)
      local goes_on = t:survives("IMPI-256", trial, {
        other:packet(nobody, { type = "DATA", tag = 1, data = "to nobody" }),
        other:packet(nobody, { type = "SYNCACK", srqid = message.srqid }),
        other:packet(nobody, { type = "PROTOACK" }),
        other:packet(nobody, { type = "CANCEL", srqid = 3 }),
      }, { "packet-dest", "syncack-unasked", "protoack-early" })
      if goes_on then
        t:not_probed("IMPI-256", "the message to nobody", rank, other, 1)
        t:stays_pending("IMPI-256", "the send whose SYNCACK went to nobody", begun)
        other:answer("SYNCACK", message)
        t:completes("IMPI-256", "the send", begun)
      end
    end,
  }
  case {
    id = "hostile-from-nobody-" .. name,
    title = "Packets from a process that does not exist are dropped or reported: " .. what,
    purpose = "A message, a SYNCACK and a CANCEL. No receive takes the message, and the others go on.",
    requirements = { "IMPI-256" }, negative = true,
    run = function(t)
      local job, rank, own, other = t:pair()
      local begun = rank:start_send(t, "MPI_Issend", other, 4, 1, { tag = 5 })
      local message = t:packet("IMPI-256", other:channel_to(own), "DATASYNC", { tag = 5 })
      local post = rank:post_receive(t, "MPI_ANY_SOURCE", 9, { tag = 1 })
      local trial, nobody = t:trial(job, rank, own, other), make(other)
      local function forged(fields)
        fields.src, fields.dest = nobody, own
        return fields
      end
      local goes_on = t:survives("IMPI-256", trial, {
        forged { type = "DATA", tag = 1, data = "by nobody" },
        forged { type = "SYNCACK", srqid = message.srqid },
        forged { type = "CANCEL", srqid = 3 },
      }, { "packet-source", "syncack-unasked" })
      if goes_on then
        t:stays_pending("IMPI-256", "a receive from anybody", post)
        t:stays_pending("IMPI-256", "the send whose SYNCACK came from nobody", begun)
        other:answer("SYNCACK", message)
        t:completes("IMPI-256", "the send", begun)
      end
    end,
  }
end

for name, octets, spoil in each {
  { "to-nobody", 40, function(packet) packet.dest = { id = packet.dest.id, pid = packet.dest.pid + 1000 } end },
  { "from-nobody", 0, function(packet) packet.src = { id = packet.src.id, pid = packet.src.pid + 1000 } end },
} do
  case {
    id = "hostile-among-others-" .. name,
    title = "Messages before and behind packets that are " .. name:gsub("-", " ") .. " are received, in one write",
    purpose = "Two messages of different lengths, one of which each comes behind a packet that names a process that does not exist. That is dropped or reported, and nothing else is.",
    requirements = { "IMPI-256" }, negative = true,
    run = function(t)
      local job, rank, own, other = t:pair()
      local posts, packets = {}, {}
      for tag = 1, 2 do posts[tag] = rank:post_receive(t, other, 8 * tag, { tag = tag }) end
      local trial = t:trial(job, rank, own, other)
      for tag = 1, 2 do
        packets[#packets + 1] = other:packet(own, { type = "DATA", tag = tag, data = t.mix(tag, 8 * tag) })
        packets[#packets + 1] = other:packet(own, { type = "DATA", tag = tag, data = string.rep("\xee", octets) })
        spoil(packets[#packets])
      end
      if t:survives("IMPI-256", trial, packets, name == "to-nobody" and "packet-dest" or "packet-source") then
        for tag = 1, 2 do t:receive_completes("IMPI-256", "message " .. tag, posts[tag], tag) end
      end
    end,
  }
end

case {
  id = "hostile-from-a-process-of-another-host",
  title = "A packet that names a process of another host as its source is dropped or reported",
  purpose = "Host 0 sends a message in the name of a process of host 1, and one in the name of the rank under test.",
  requirements = { "IMPI-256" }, negative = true,
  run = function(t)
    local job, rank, own, other = t:pair { others = { { hosts = { 1, 1 } } } }
    local second = job.processes[1]
    local post = rank:post_receive(t, "MPI_ANY_SOURCE", 4, { tag = 1 })
    local trial = t:trial(job, rank, own, other)
    local goes_on = t:survives("IMPI-256", trial, {
      second:packet(own, { type = "DATA", tag = 1, data = "fake" }),
      own:packet(own, { type = "DATA", tag = 1, data = "self", srqid = 9 }),
    }, "packet-source")
    if goes_on then
      t:stays_pending("IMPI-256", "a receive from anybody", post)
      second:send_short(own, 1, 3, 4)
      t:receive_completes("IMPI-256", "a message of the true process", post, 3)
    end
  end,
}

case {
  id = "hostile-to-a-process-of-another-host",
  title = "A packet to a process that is not of this host is dropped or reported",
  purpose = "The destination is a scripted process itself. Whatever the host sends is in the name of its own processes.",
  requirements = { "IMPI-256", "IMPI-112" }, negative = true,
  run = function(t)
    local job, rank, own, other = t:pair { others = { { hosts = { 2 } } } }
    local trial = t:trial(job, rank, own, other)
    local astray = other:packet(job.processes[1], { type = "DATA", tag = 1, data = "astray" })
    t:survives("IMPI-256", trial, { astray }, "packet-dest")
    local packet = other:channel_to(own):receive(300)
    t:check("IMPI-112", "what the host sends behind it", not packet or packet.src == own, "in the name of its process",
      packet and IMPI.show_packet(packet))
  end,
}

-- Data that do not fit their message; `octets` and `msglen` of the packet that comes for a receive of 100 octets.
for _, row in ipairs { { "above", 50, 4, "data-above-message" }, { "above-nothing", 50, 0, "data-above-message" },
    { "below", 4, 50, "short-in-parts" }, { "below-huge", 4, -1, "long-by-data" } } do
  local name, octets, msglen, wrong = table.unpack(row)
  for _, kind in ipairs { "DATA", "DATASYNC" } do
    if kind == "DATA" or octets > msglen and msglen >= 0 then
      case {
        id = "hostile-msglen-" .. name .. "-" .. kind:lower(),
        title = string.format("A %s with %d octets of a message of %d corrupts no memory", kind, octets, msglen),
        purpose = "A receive for four octets waits. What lies behind its buffer stays untouched.",
        requirements = { "IMPI-257" }, negative = true,
        run = function(t)
          local job, rank, own, other = t:pair(small())
          local buf = rank:new_region(200)
          t:mpi(rank:MPI_Irecv { buf = buf, count = 4, source = other.rank, tag = 1, request = "q" })
          local trial = t:trial(job, rank, own, other)
          local goes_on = t:survives("IMPI-257", trial, { other:packet(own, { type = kind, tag = 1, msglen = msglen,
            data = string.rep("\xee", octets) }) }, wrong)
          if goes_on then
            settle(rank)
            t:octets("IMPI-257", "behind the buffer", rank, buf, "byte/0", 4, 196)
          end
        end,
      }
    end
  end
end

case {
  id = "hostile-rest-too-long",
  title = "More data than pk_msglen promised in the rest of a long message corrupt no memory",
  purpose = "Of a message of 100 octets 64 come first; the rest is a packet of 60 octets, and another one.",
  requirements = { "IMPI-257" }, chapter = "3.7.2", negative = true,
  run = function(t)
    local job, rank, own, other = t:pair(small())
    local buf = rank:new_region(400)
    t:mpi(rank:MPI_Irecv { buf = buf, count = 100, source = other.rank, tag = 1, request = "q" })
    local first = other:send_long(own, 1, 1, 100)
    local ack = t:syncack("IMPI-257", other, first)
    local trial = t:trial(job, rank, own, other)
    local rest = other:packet(own, { type = "DATA", tag = 1, srqid = first.srqid, drqid = ack.drqid, msglen = 100,
      data = string.rep("\xee", 60) })
    if t:survives("IMPI-257", trial, { rest, rest }, "long-too-much") then
      settle(rank)
      t:octets("IMPI-257", "the first packet's octets", rank, buf, "mix/1", 0, 64)
      t:octets("IMPI-257", "behind the buffer", rank, buf, "byte/0", 100, 300)
    end
  end,
}

for name, change in each { { "unknown", function(id) return id + 1000 end }, { "zero", function() return 0 end },
    { "ones", function() return -1 end } } do
  case {
    id = "hostile-drqid-" .. name,
    title = "A later packet with a drqid that was not given corrupts no memory: " .. name,
    purpose = "It comes while a long message is under way; the honest rest comes behind it and the message is received.",
    requirements = { "IMPI-257" }, chapter = "3.7.2", negative = true,
    run = function(t)
      local job, rank, own, other = t:pair(small())
      local post = rank:post_receive(t, other, 100, { tag = 1 })
      local first = other:send_long(own, 1, 1, 100)
      local ack = t:syncack("IMPI-257", other, first)
      t:skip_if(change(ack.drqid) == ack.drqid, "the system under test gives this drqid itself")
      local trial = t:trial(job, rank, own, other)
      local stray = other:packet(own, { type = "DATA", tag = 1, srqid = first.srqid + 5, drqid = change(ack.drqid),
        msglen = 100, data = string.rep("\xee", 36) })
      if t:survives("IMPI-257", trial, { stray }, "long-echo") then
        t:stays_pending("IMPI-257", "the receive", post)
        other:send_rest(first, ack)
        t:receive_completes("IMPI-257", "the receive", post, 1)
      end
    end,
  }
end

case {
  id = "hostile-drqid-of-another-process",
  title = "A later packet of a process whose message is not under way does not go on with another's",
  purpose = "Of two processes of one host one has begun a long message; a packet of the other one carries its drqid and srqid. The honest rest comes behind it and the message is received.",
  requirements = { "IMPI-257" }, chapter = "3.7.2", negative = true,
  run = function(t)
    local job, rank, own, other = t:pair { others = { { hosts = { 2 }, datalen = LIMIT } } }
    local post = rank:post_receive(t, other, 100, { tag = 1 })
    local first = other:send_long(own, 1, 1, 100)
    local ack = t:syncack("IMPI-257", other, first)
    local trial = t:trial(job, rank, own, other)
    local stray = job.processes[1]:packet(own, { type = "DATA", tag = 1, srqid = first.srqid, drqid = ack.drqid,
      msglen = 100, data = string.rep("\xee", 36) })
    if t:survives("IMPI-257", trial, { stray }, "long-by-data") then
      t:stays_pending("IMPI-257", "the receive", post)
      other:send_rest(first, ack)
      t:receive_completes("IMPI-257", "the receive", post, 1)
    end
  end,
}

case {
  id = "hostile-rest-of-nothing",
  title = "A later packet of a message that never began corrupts no memory",
  purpose = "DATA with 64 of a million octets, when nothing is under way; a receive waits.",
  requirements = { "IMPI-257" }, chapter = "3.7.2", negative = true,
  run = function(t)
    local job, rank, own, other = t:pair(small())
    local buf = rank:new_region(100)
    t:mpi(rank:MPI_Irecv { buf = buf, count = 64, source = other.rank, tag = 1, request = "q" })
    local trial = t:trial(job, rank, own, other)
    if t:survives("IMPI-257", trial, { other:packet(own, { type = "DATA", tag = 1, drqid = 1, msglen = 1000000,
        data = string.rep("\xee", 64) }) }, "long-by-data") then
      settle(rank)
      t:octets("IMPI-257", "behind the buffer", rank, buf, "byte/0", 64, 36)
    end
  end,
}

for _, rank_given in ipairs { -1, 2, 0x7fffffff, -0x80000000 } do
  case {
    id = string.format("hostile-lsrank-%x", rank_given & 0xffffffff),
    title = "A pk_lsrank of " .. rank_given .. " is not used as an index",
    purpose = "Messages with it are received with MPI_ANY_SOURCE and from their process: error or value, but no crash. Then messages go both ways.",
    requirements = { "IMPI-259" }, negative = true,
    run = function(t)
      local job, rank, own, other = t:pair(small())
      local anybody = rank:post_receive(t, "MPI_ANY_SOURCE", 4, { tag = 1 })
      local trial = t:trial(job, rank, own, other)
      local packets = {}
      for tag = 1, 2 do
        packets[tag] = other:packet(own, { type = "DATA", tag = tag, data = t.mix(tag, 4), lsrank = rank_given })
      end
      packets[3] = other:packet(own, { type = "DATASYNC", tag = 3, data = t.mix(3, LIMIT), msglen = 100,
        lsrank = rank_given })
      if t:survives("IMPI-259", trial, packets, "lsrank") then
        local flag, result = rank:complete(anybody.request, 400)
        t:record("a receive from anybody", flag and Values.show(result) or "is not complete")
        result = rank:call("arrived", { source = "MPI_ANY_SOURCE", tag = 2, comm = "MPI_COMM_WORLD", ms = 400 })
        t:record("a probe for anybody's message", Values.show(result))
        result = rank:call("arrived", { source = "MPI_ANY_SOURCE", tag = 3, comm = "MPI_COMM_WORLD", ms = 400 })
        t:record("a probe for anybody's long message", Values.show(result))
        t:ping_pong("IMPI-259", "afterwards", rank, own, other)
      end
    end,
  }
end

for ackmark, hiwater in each { { 1, 1 }, { 3, 5 }, { 10, 20 } } do
  case {
    id = string.format("hostile-flood-%d-%d", ackmark, hiwater),
    title = string.format("A peer that ignores a hiwater of %d does not crash the receiver", hiwater),
    purpose = "Ten times hiwater messages that are not received come in one write. The job goes on, or ends with a message.",
    requirements = { "IMPI-260" }, chapter = "3.6", negative = true,
    run = function(t)
      local job, rank, own, other = t:pair_with_marks(ackmark, hiwater)
      local trial, packets = t:trial(job, rank, own, other), {}
      for i = 1, 10 * hiwater do
        packets[i] = other:packet(own, { type = "DATA", tag = 1, data = t.mix(i, 100) })
      end
      if t:survives("IMPI-260", trial, packets, "above-hiwater") then
        t:receives("IMPI-260", "the first message", rank, other, 1, 100, { tag = 1 })
      end
    end,
  }
end

case {
  id = "hostile-flood-of-large-packets",
  title = "A flood of packets of the largest size does not crash the receiver",
  purpose = "Two hundred packets with as many octets as are allowed, hiwater 5, while the rank computes.",
  requirements = { "IMPI-260" }, chapter = "3.6", negative = true, deadline = 60,
  run = function(t)
    local job, rank, own, other = t:pair_with_marks(3, 5)
    local computing = rank:start("compute", { ms = 300 })
    local trial, packets = t:trial(job, rank, own, other), {}
    for i = 1, 200 do
      packets[i] = other:packet(own, { type = "DATA", tag = 1, data = string.rep(string.char(i), job.datalen) })
    end
    if t:survives("IMPI-260", trial, packets, "above-hiwater") then
      computing:finish()
      t:record("the job", "takes the flood")
    end
  end,
}

for name, octets, count in each { { "one-packet", 60, 1 }, { "all-the-buffer", 64, 3 } } do
  case {
    id = "hostile-rest-beyond-the-message-" .. name,
    title = "Data beyond pk_msglen do not reach what is behind the message in a larger buffer: " .. name,
    purpose = "A receive for 400 octets takes a message of 100, of which 64 come first; the rest is " .. count
      .. " packets of " .. octets .. " octets. What lies behind the 100 stays untouched.",
    requirements = { "IMPI-257" }, chapter = "3.7.2", negative = true,
    run = function(t)
      local job, rank, own, other = t:pair(small())
      local buf = rank:new_region(400)
      t:mpi(rank:MPI_Irecv { buf = buf, count = 400, source = other.rank, tag = 1, request = "q" })
      local first = other:send_long(own, 1, 1, 100)
      local ack = t:syncack("IMPI-257", other, first)
      local trial = t:trial(job, rank, own, other)
      local rest = {}
      for i = 1, count do
        rest[i] = other:packet(own, { type = "DATA", tag = 1, srqid = first.srqid, drqid = ack.drqid, msglen = 100,
          data = string.rep("\xee", octets) })
      end
      if t:survives("IMPI-257", trial, rest, "long-too-much") then
        settle(rank)
        t:octets("IMPI-257", "the first packet's octets", rank, buf, "mix/1", 0, 64)
        t:octets("IMPI-257", "behind the message", rank, buf, "byte/0", 100, 300)
      end
    end,
  }
end
