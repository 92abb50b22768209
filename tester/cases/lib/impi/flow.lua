-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Words for cases about flow control (chapter 3.6): jobs with chosen marks, many packets, and how many of them leave.

-- t:pair_with_marks(ackmark, hiwater [, job]): an open job like t:pair, in which these marks are in force; the scripted
-- hosts count by hand: PROTOACKs come and go like other packets.
function Test:pair_with_marks(ackmark, hiwater, given)
  given = given or {}
  given.others = given.others or { { datalen = given.datalen } }
  for _, other in ipairs(given.others) do
    other.ackmark, other.hiwater = other.ackmark or ackmark, other.hiwater or hiwater
  end
  local job, rank, own, other, channel = self:pair(given)
  if job.ackmark ~= ackmark or job.hiwater ~= hiwater then
    self:skip(string.format("the case needs ackmark %d and hiwater %d, and the system under test offers less", ackmark,
      hiwater))
  end
  for _, each in ipairs(job:each_channel()) do each.by_hand = true end
  return job, rank, own, other, channel
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

-- channel:protoack(from, to): one PROTOACK.
function Channel:protoack(from, to)
  self:send_packet { type = "PROTOACK", src = from, dest = to }
end
