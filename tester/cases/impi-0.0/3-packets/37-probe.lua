-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Probing: when a message is there, and that looking at it is nobody else's affair (chapter 3.7.3).

defaults { role = "client", suite = "p2p", chapter = "3.7.3" }

case {
  id = "probe-causes-no-packets",
  title = "MPI_Iprobe sends nothing, with and without a message",
  purpose = "It is called for a while when nothing is there, and again when a short, a synchronous and a long message are.",
  requirements = { "IMPI-158" },
  run = function(t)
    local _, rank, own, other, channel = t:pair { others = { { datalen = 64 } } }
    t:not_probed("IMPI-158", "before anything is sent", rank, other, 1)
    other:send_short(own, 1, 1, 10)
    other:send_short(own, 2, 2, 10, { type = "DATASYNC" })
    other:send_long(own, 3, 3, 100)
    for tag, octets in ipairs { 10, 10, 100 } do
      t:probed("IMPI-158", "message " .. tag, rank, other, tag, octets)
    end
    t:mpi(rank:call("progress", { comm = "MPI_COMM_WORLD", ms = 200 }))
    t:channel_silent("IMPI-158", "MPI_Iprobe in a loop sends no packet", channel)
  end,
}

case {
  id = "probe-sees-whole-packets-only",
  title = "A message is there when its first packet has been read wholly, not before",
  purpose = "Header and half of the data come: MPI_Iprobe says no. The other half comes: yes, and the message is received.",
  requirements = { "IMPI-159" },
  run = function(t)
    local _, rank, own, other, channel = t:pair()
    local octets = IMPI.packet(other:packet(own, { type = "DATA", tag = 4, data = t.mix(4, 200) }))
    for _, part in ipairs { octets:sub(1, 100), octets:sub(101, 128), octets:sub(129, 328 - 1) } do
      channel:send_raw(part, "part of DATA")
      t:not_probed("IMPI-159", "a part of the packet", rank, other, 4)
    end
    channel:send_raw(octets:sub(-1), "last octet of DATA")
    t:probed("IMPI-159", "the whole packet", rank, other, 4, 200)
    local seen = rank:call("arrived", { source = "MPI_ANY_SOURCE", tag = "MPI_ANY_TAG", comm = "MPI_COMM_WORLD",
      ms = 8000, status = "s" })
    t:check("IMPI-159", "a probe of any source", seen.flag and seen.status.source == other.rank, "the message",
      Values.show(seen))
    t:receives("IMPI-159", "the message", rank, other, 4, 200, { tag = 4 })
  end,
}

for name, tag_of in each { { "smallest", function() return 0 end },
    { "largest", function(job) return job.tagub end } } do
  case {
    id = "probe-of-the-" .. name .. "-tag",
    title = "A message of the " .. name .. " tag is there for a probe",
    purpose = "MPI_Iprobe for this tag says no behind a message of another one, and yes when its own has come.",
    requirements = { "IMPI-159" },
    run = function(t)
      local job, rank, own, other = t:pair()
      local tag = tag_of(job)
      other:send_short(own, 7, 1, 12)
      t:probed("IMPI-159", "a message before it", rank, other, 7, 12)
      t:not_probed("IMPI-159", "before it has come", rank, other, tag)
      other:send_short(own, tag, 2, 20)
      t:probed("IMPI-159", "the message", rank, other, tag, 20)
      t:receives("IMPI-159", "the message", rank, other, 2, 20, { tag = tag })
    end,
  }
end

case {
  id = "probe-on-each-communicator",
  title = "A message is there for a probe on its own communicator, and not on another one",
  purpose = "A message on a duplicate of the world, and one on the world: MPI_Iprobe on either communicator tells of its own.",
  requirements = { "IMPI-159" },
  run = function(t)
    local job, rank, own, other = t:pair()
    local cid = job:dup("a")
    for tag, row in ipairs { { "a", "MPI_COMM_WORLD", cid, 20 }, { "MPI_COMM_WORLD", "a", 0, 12 } } do
      local comm, elsewhere, octets = row[1], row[2], row[4]
      other:send_short(own, tag, tag, octets, { cid = row[3] })
      local seen = rank:call("arrived", { source = other.rank, tag = tag, comm = comm, ms = 8000, status = "s" })
      t:check("IMPI-159", "a probe on " .. comm, seen.rc == "MPI_SUCCESS" and seen.flag and seen.status.tag == tag,
        "the message", Values.show(seen))
      t:equal("IMPI-159", "its length", t:mpi(rank:MPI_Get_count { status = "s", datatype = "MPI_BYTE" }).count, octets)
      seen = rank:call("arrived", { source = other.rank, tag = tag, comm = elsewhere, ms = 300 })
      t:equal("IMPI-159", "return code of a probe on " .. elsewhere, seen.rc, "MPI_SUCCESS")
      t:check("IMPI-159", "a probe on " .. elsewhere, not seen.flag, "no message", "a message")
      t:receives("IMPI-159", "the message", rank, other, tag, octets, { tag = tag, comm = comm })
    end
  end,
}

case {
  id = "probe-of-a-long-message",
  title = "The first packet of a long message is enough for a probe, which tells the whole length",
  purpose = "64 of 100,000 octets come. MPI_Iprobe and MPI_Probe tell source, tag and 100,000.",
  requirements = { "IMPI-160" },
  run = function(t)
    local _, rank, own, other = t:pair { others = { { datalen = 64 } } }
    other:send_long(own, 5, 5, 100000)
    t:probed("IMPI-160", "MPI_Iprobe", rank, other, 5, 100000)
    local result = t:rc("IMPI-160", rank:MPI_Probe { source = "MPI_ANY_SOURCE", tag = "MPI_ANY_TAG", status = "s" },
      "MPI_SUCCESS")
    t:equal("IMPI-160", "MPI_SOURCE", result.status.source, other.rank)
    t:equal("IMPI-160", "MPI_TAG", result.status.tag, 5)
    local count = t:mpi(rank:MPI_Get_count { status = "s", datatype = "MPI_BYTE" }).count
    t:equal("IMPI-160", "MPI_Get_count", count, 100000)
  end,
}

case {
  id = "probe-of-more-than-four-gibibytes",
  title = "The length that a probe tells is not cut to 32 bits",
  purpose = "The first packets of two messages come, which are to have 4 GiB and 400 octets, and 8 GiB less 8. MPI_Iprobe tells of them, and MPI_Get_count how many MPI_INT and MPI_DOUBLE they have. The rest never comes.",
  requirements = { "IMPI-160" },
  run = function(t)
    local _, rank, own, other = t:pair { others = { { datalen = 64 } } }
    for tag, length in ipairs { (1 << 32) + 400, (1 << 33) - 8 } do
      other:send_packet(own, { type = "DATASYNC", tag = tag, msglen = length, data = t.mix(tag, 64) })
      local result = t:rc("IMPI-160", rank:MPI_Probe { source = other.rank, tag = tag, status = "s" }, "MPI_SUCCESS")
      t:equal("IMPI-160", "MPI_TAG", result.status.tag, tag)
      for datatype, octets in each { { "MPI_INT", 4 }, { "MPI_DOUBLE", 8 } } do
        t:equal("IMPI-160", "MPI_Get_count of " .. length .. " octets in " .. datatype,
          t:mpi(rank:MPI_Get_count { status = "s", datatype = datatype }).count, length // octets)
      end
    end
  end,
}

for name, octets in each { { "short", 20 }, { "long", 200 } } do
  case {
    id = "probe-sends-no-syncack-" .. name,
    title = "Probing a " .. name .. " DATASYNC message does not acknowledge it; receiving it does",
    purpose = "MPI_Iprobe tells of the message, and no SYNCACK comes. The receive brings it.",
    requirements = { "IMPI-161" },
    run = function(t)
      local _, rank, own, other, channel = t:pair { others = { { datalen = 100 } } }
      local first = octets > 100 and other:send_long(own, 6, 6, octets)
        or other:send_short(own, 6, 6, octets, { type = "DATASYNC" })
      t:probed("IMPI-161", "the message", rank, other, 6, octets)
      t:channel_silent("IMPI-161", "probing sends no packet", channel)
      local post = rank:post_receive(t, other, octets, { tag = 6 })
      local ack = t:syncack("IMPI-161", other, first)
      if octets > 100 then other:send_rest(first, ack) end
      t:receive_completes("IMPI-161", "the receive", post, 6)
    end,
  }
end

case {
  id = "probe-tells-of-the-first",
  title = "Of several messages that fit, a probe tells of the one that is received next",
  purpose = "Two long messages, an empty and a short one of one tag: each is told by MPI_Iprobe with its length, and then received.",
  requirements = { "IMPI-160" },
  run = function(t)
    local _, rank, own, other = t:pair { others = { { datalen = 64 } } }
    local lengths, long = { 300, 500, 0, 20 }, {}
    for seed, octets in ipairs(lengths) do
      if octets > 64 then
        long[seed] = other:send_long(own, 5, seed, octets)
      else
        other:send_short(own, 5, seed, octets)
      end
    end
    for seed, octets in ipairs(lengths) do
      t:probed("IMPI-160", "message " .. seed, rank, other, 5, octets)
      local post = rank:post_receive(t, other, octets, { tag = 5 })
      if long[seed] then other:send_rest(long[seed], t:syncack("IMPI-160", other, long[seed])) end
      t:receive_completes("IMPI-160", "message " .. seed, post, seed)
    end
  end,
}

case {
  id = "probe-counts-elements",
  title = "The length that a probe tells is counted in elements as they travel",
  purpose = "Three MPI_LONG of 4 octets in a short message, twenty in a long one: MPI_Get_count tells 3 and 20, for the probe and for the receive.",
  requirements = { "IMPI-160" },
  run = function(t)
    local _, rank, own, other = t:pair { others = { { datalen = 64 } } }
    for tag, count in ipairs { 3, 20 } do
      local room = rank:new_region(16 * count)
      local first = count > 16 and other:send_long(own, tag, tag, 4 * count)
        or other:send_short(own, tag, tag, 4 * count)
      t:probed("IMPI-160", "the octets", rank, other, tag, 4 * count)
      t:equal("IMPI-160", "MPI_Get_count of the probe in MPI_LONG",
        t:mpi(rank:MPI_Get_count { status = "probed", datatype = "MPI_LONG" }).count, count)
      t:mpi(rank:MPI_Irecv { buf = room, count = count, datatype = "MPI_LONG", source = other.rank, tag = tag,
        request = "q" .. tag })
      if first.whole then other:send_rest(first, t:syncack("IMPI-160", other, first)) end
      t:completes("IMPI-160", "the receive", { rank = rank, request = "q" .. tag })
      t:equal("IMPI-160", "MPI_Get_count of the receive in MPI_LONG",
        t:mpi(rank:MPI_Get_count { status = "sq" .. tag, datatype = "MPI_LONG" }).count, count)
    end
  end,
}

for name, octets in each { { "short", 20 }, { "long", 200 } } do
  case {
    id = "probe-waits-for-a-" .. name .. "-message",
    title = "MPI_Probe that waits returns when a " .. name .. " message comes, and sends nothing before",
    purpose = "It is called when nothing is there. A message of another tag does not end it; the one that it waits for does.",
    requirements = { "IMPI-158", "IMPI-159" },
    run = function(t)
      local _, rank, own, other, channel = t:pair { others = { { datalen = 100 } } }
      t:judging("IMPI-159")
      local probe = rank:start_MPI_Probe { source = other.rank, tag = 6, status = "s" }
      other:send_short(own, 5, 5, 10)
      t:channel_silent("IMPI-158", "waiting for a message sends no packet", channel)
      t:check("IMPI-159", "MPI_Probe for another tag", not probe:done(), "has not returned", "has returned")
      if octets > 100 then
        other:send_long(own, 6, 6, octets)
      else
        other:send_short(own, 6, 6, octets)
      end
      local result = t:rc("IMPI-159", probe:finish(), "MPI_SUCCESS")
      t:equal("IMPI-159", "MPI_TAG", result.status.tag, 6)
      t:equal("IMPI-159", "its length", t:mpi(rank:MPI_Get_count { status = "s", datatype = "MPI_BYTE" }).count, octets)
    end,
  }
end

case {
  id = "probe-counts-no-half-elements",
  title = "A length that is no whole number of elements is told as such, by a probe and by the receive",
  purpose = "Three ints in a short message, seven in a long one: of a datatype of two ints MPI_Get_count says MPI_UNDEFINED.",
  requirements = { "IMPI-160" },
  run = function(t)
    local _, rank, own, other = t:pair { others = { { datalen = 16 } } }
    t:mpi(rank:MPI_Type_contiguous { count = 2, oldtype = "MPI_INT", newtype = "d" })
    t:mpi(rank:MPI_Type_commit { datatype = "d" })
    for tag, count in ipairs { 3, 7 } do
      local octets = 4 * count
      local first = octets > 16 and other:send_long(own, tag, tag, octets) or other:send_short(own, tag, tag, octets)
      t:probed("IMPI-160", "the octets", rank, other, tag, octets)
      t:equal("IMPI-160", "MPI_Get_count of the probe", t:mpi(rank:MPI_Get_count { status = "probed",
        datatype = "d" }).count, "MPI_UNDEFINED")
      t:mpi(rank:MPI_Irecv { buf = rank:new_region(64), count = 8, datatype = "d", source = other.rank, tag = tag,
        request = "q" .. tag })
      if first.whole then other:send_rest(first, t:syncack("IMPI-160", other, first)) end
      t:completes("IMPI-160", "the receive", { rank = rank, request = "q" .. tag })
      t:equal("IMPI-160", "MPI_Get_count of the receive", t:mpi(rank:MPI_Get_count { status = "sq" .. tag,
        datatype = "d" }).count, "MPI_UNDEFINED")
    end
  end,
}

case {
  id = "probe-tells-of-what-was-asked",
  title = "A probe tells of a message with the source, tag and communicator that were asked for",
  purpose = "Five messages of different lengths from two processes, of two tags, on two communicators, are all there: each is told by its own length, the last one first.",
  requirements = { "IMPI-160" },
  run = function(t)
    local job, rank, own, other = t:pair { others = { { hosts = { 2 } } } }
    local second, cid = job.processes[1], job:dup("a")
    other:send_short(own, 5, 1, 11, { cid = cid })
    other:send_short(own, 6, 2, 12)
    second:send_short(own, 5, 3, 13)
    second:send_short(own, 6, 4, 14)
    other:send_short(own, 5, 5, 15)
    other:send_short(own, 9, 9, 8) -- has come only when all others have
    t:receives("IMPI-160", "what was sent behind them", rank, other, 9, 8, { tag = 9 })
    for _, row in ipairs { { other, 5, 15 }, { second, 6, 14 }, { second, 5, 13 }, { other, 6, 12 } } do
      t:probed("IMPI-160", string.format("from process %d with tag %d", row[1].rank, row[2]), rank, row[1], row[2],
        row[3])
    end
    local result = t:rc("IMPI-160", rank:MPI_Probe { source = "MPI_ANY_SOURCE", tag = "MPI_ANY_TAG", comm = "a",
      status = "s" }, "MPI_SUCCESS")
    t:equal("IMPI-160", "MPI_TAG on the other communicator", result.status.tag, 5)
    t:equal("IMPI-160", "the length there", t:mpi(rank:MPI_Get_count { status = "s", datatype = "MPI_BYTE" }).count, 11)
  end,
}
