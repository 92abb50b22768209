-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Words for cases about flow control (chapter 3.6): jobs with chosen marks, many packets, and how many of them leave.

-- t:pair_with_marks(ackmark, hiwater [, job]): an open job like t:pair, in which these marks are in force; the scripted
-- hosts count by hand: PROTOACKs come and go like other packets. With nil for hiwater it is whatever the system under
-- test offers, up to 20, and no less than job.room: so many packets may be under way.
function Test:pair_with_marks(ackmark, hiwater, given)
  given = given or {}
  given.others = given.others or { { datalen = given.datalen } }
  for _, other in ipairs(given.others) do
    other.ackmark, other.hiwater = other.ackmark or ackmark, other.hiwater or hiwater
  end
  local job, rank, own, other, channel = self:pair(given)
  if not hiwater then
    hiwater = job.hiwater
    job:needs("hiwater", given.room)
  end
  if job.ackmark ~= ackmark or job.hiwater ~= hiwater then
    self:skip(string.format("the case needs ackmark %d and hiwater %d, and the system under test offers less", ackmark,
      hiwater))
  end
  for _, each in ipairs(job:each_channel()) do each.by_hand = true end
  return job, rank, own, other, channel
end

-- job:acknowledge_by_hand(): from here on the scripted hosts of such a job acknowledge what comes, as they must (a
-- source may wait for that long before its hiwater), and PROTOACKs that come are still packets like others.
function ImpiJob:acknowledge_by_hand()
  for _, each in ipairs(self:each_channel()) do
    function each:next_packet(ms)
      local packet, reason = Channel.next_packet(self, ms)
      local counts = packet and packet.type ~= "PROTOACK" and packet.type ~= "FINI"
      if counts and self.by_hand then self:count(packet) end
      return packet, reason
    end
  end
end

-- t:flood(rank, dest, count [, first]): so many empty messages with tags from `first` (1) on begin to leave.
function Test:flood(rank, dest, count, first)
  for i = 1, count do rank:start_send(self, "MPI_Isend", dest, 0, 0, { tag = (first or 1) + i - 1 }) end
end

-- t:expect_exactly(req, channel, src, count, first): judges that so many messages come, with tags from `first` on, and
-- then nothing more.
function Test:expect_exactly(req, channel, src, count, first)
  for i = 1, count do self:packet(req, channel, "DATA", { src = src, tag = first + i - 1 }) end
  self:channel_silent(req, "no packet beyond hiwater", channel)
end

-- t:expect_up_to(req, channel, src, most, least, first): judges that messages come with tags from `first` on, no more
-- than `most` and no fewer than `least`, and then nothing more. Returns how many.
function Test:expect_up_to(req, channel, src, most, least, first)
  local count, packet = 0, channel:receive()
  while packet do
    count = count + 1
    self:check(req, "packet " .. count, packet.type == "DATA" and packet.src == src and packet.tag == first + count - 1,
      "DATA with the tag " .. first + count - 1, IMPI.show_packet(packet))
    packet = count <= most and channel:receive(1000)
  end
  self:check(req, "packets without an acknowledgement", count >= least and count <= most,
    least == most and most or least .. " to " .. most, count)
  return count
end

-- t:needs_full_window(job): ends the case by a skip where the system under test lets fewer than hiwater packets leave
-- without an acknowledgement, which it may (3.6), as long as ackmark of them come: that is tried in a job with the same
-- marks.
function Test:needs_full_window(job)
  local _, rank, own, other, channel = self:pair_with_marks(job.ackmark, job.hiwater, { env = job.env })
  self:step("how many packets leave without an acknowledgement?")
  self:flood(rank, other, job.hiwater + 1)
  local count = 0
  while count <= job.hiwater and channel:receive(1000) do count = count + 1 end
  self:skip_if(count >= job.ackmark and count < job.hiwater, string.format("the case counts packets up to hiwater %d, "
    .. "and the system under test lets %d leave without an acknowledgement", job.hiwater, count))
end

-- channel:protoack(from, to): one PROTOACK.
function Channel:protoack(from, to)
  self:send_packet { type = "PROTOACK", src = from, dest = to }
end
