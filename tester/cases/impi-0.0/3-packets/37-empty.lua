-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Messages without data: they are matched, probed, acknowledged, cancelled and ordered as all others are (chapter 3.7).

defaults { role = "client", suite = "p2p", chapter = "3.7" }

for name, kind in each { { "short", "DATA" }, { "synchronous", "DATASYNC" } } do
  case {
    id = "empty-cancel-of-unmatched-" .. name,
    title = "A CANCEL for a " .. name .. " message without data that has not matched is answered CANCELYES",
    purpose = "MPI_Iprobe does not see it any more; a later message with the same tag is received.",
    requirements = { "IMPI-167", "IMPI-168" }, chapter = "3.7.4",
    run = function(t)
      local _, rank, own, other, channel = t:pair()
      local packet = other:send_short(own, 1, 1, 0, { type = kind })
      t:probed("IMPI-167", "the message", rank, other, 1, 0)
      other:send_packet(own, { type = "CANCEL", srqid = packet.srqid })
      t:packet("IMPI-167", channel, "CANCELYES", { src = own, dest = other, srqid = packet.srqid })
      t:not_probed("IMPI-168", "the message", rank, other, 1)
      other:send_short(own, 1, 2, 20)
      t:receives("IMPI-168", "a later message", rank, other, 2, 20, { tag = 1 })
    end,
  }
end

for name, kind in each { { "", "DATA" }, { "-synchronous", "DATASYNC" } } do
  case {
    id = "empty-probe" .. name,
    title = "A message without data is there when its header has been read: " .. kind,
    purpose = "MPI_Iprobe says no before it has come, and while a part of its header has; then yes, with length 0, though another message is in front of it. It is received.",
    requirements = { "IMPI-159" }, chapter = "3.7.3",
    run = function(t)
      local _, rank, own, other, channel = t:pair()
      local octets = IMPI.packet(other:packet(own, { type = kind, tag = 4, data = "" }))
      other:send_short(own, 9, 1, 20)
      t:probed("IMPI-159", "a message before it", rank, other, 9, 20)
      t:not_probed("IMPI-159", "before anything has come", rank, other, 4)
      channel:send_raw(octets:sub(1, 127), "part of " .. kind)
      t:not_probed("IMPI-159", "a part of the header", rank, other, 4)
      channel:send_raw(octets:sub(128), "last octet of " .. kind)
      t:probed("IMPI-159", "the whole packet", rank, other, 4, 0)
      t:receives("IMPI-159", "the message", rank, other, 4, 0, { tag = 4 })
    end,
  }
end

for name, before in each { { "unexpected", false }, { "posted", true } } do
  case {
    id = "empty-order-" .. name,
    title = "Messages with and without data of one tag are received in the order of sending: " .. name,
    purpose = "20 octets, none, 12 octets, none; "
      .. (before and "four receives are there before them." or "the receives come behind them."),
    requirements = { "IMPI-156" },
    run = function(t)
      local _, rank, own, other = t:pair()
      local lengths, posts = { 20, 0, 12, 0 }, {}
      for i = 1, before and 4 or 0 do posts[i] = rank:post_receive(t, other, 32, { tag = 1 }) end
      for i, octets in ipairs(lengths) do other:send_short(own, 1, i, octets) end
      for i, octets in ipairs(lengths) do
        local post = posts[i] or rank:post_receive(t, other, 32, { tag = 1 })
        t:receive_completes("IMPI-156", "receive " .. i, post, i, octets)
      end
    end,
  }
end

for name, call in each { { "isend", "MPI_Isend" }, { "issend", "MPI_Issend" }, { "irsend", "MPI_Irsend" } } do
  case {
    id = "empty-cancel-before-it-leaves-" .. name,
    title = "An " .. call .. " without data that waits at hiwater and is cancelled is settled locally",
    purpose = "No CANCEL comes, and the send is settled at once. When the way is free the next message leaves instead; behind it where MPI_Test_cancelled says no, which that of a synchronous send may not.",
    requirements = { "IMPI-166" }, chapter = "3.7.4",
    run = function(t)
      local _, rank, own, other, channel = t:pair_with_marks(2, 2)
      t:flood(rank, other, 2)
      t:expect_exactly("IMPI-166", channel, own, 2, 1)
      t:never_leaves("IMPI-166", channel, own, rank, other, call, 0, "DATA")
    end,
  }
end

for name, before in each { { "posted", true }, { "unexpected", false } } do
  case {
    id = "empty-synchronous-" .. name,
    title = "A synchronous message without data is acknowledged when it matches: " .. name,
    purpose = "Its DATASYNC has no data. One SYNCACK comes with its srqid, "
      .. (before and "since a receive waits for it." or "when it is received, and none before."),
    requirements = { "IMPI-146", "IMPI-145" }, chapter = "3.7.1",
    run = function(t)
      local _, rank, own, other, channel = t:pair()
      local post = before and rank:post_receive(t, other, 4, { tag = 7 })
      local packet = other:send_short(own, 7, 1, 0, { type = "DATASYNC" })
      if not post then
        t:channel_silent("IMPI-145", "no SYNCACK before its receive", channel)
        post = rank:post_receive(t, other, 4, { tag = 7 })
      end
      t:packet("IMPI-146", channel, "SYNCACK", { src = own, dest = other, srqid = packet.srqid })
      t:receive_completes("IMPI-145", "the message", post, 1, 0)
      t:channel_silent("IMPI-146", "no second SYNCACK", channel)
    end,
  }
end

case {
  id = "empty-tells-its-source",
  title = "The status of an empty message tells source, tag and length as that of any other",
  purpose = "Empty messages of two processes, short and synchronous, for receives and a probe of any source and tag.",
  requirements = { "IMPI-116" }, chapter = "3.5",
  run = function(t)
    local job, rank, own = t:pair { others = { { hosts = { 2 } } } }
    for i, row in ipairs { { 1, "DATA" }, { 0, "DATASYNC" }, { 0, "DATA" }, { 1, "DATASYNC" } } do
      local from, kind = job.processes[row[1]], row[2]
      local post = i < 3 and rank:post_receive(t, "MPI_ANY_SOURCE", 4, { tag = "MPI_ANY_TAG" })
      from:send_short(own, i, i, 0, { type = kind })
      if not post then
        local seen = rank:call("arrived", { source = "MPI_ANY_SOURCE", tag = "MPI_ANY_TAG", comm = "MPI_COMM_WORLD",
          ms = 8000, status = "s" })
        t:check("IMPI-116", "the probe of message " .. i, seen.flag and seen.status.source == from.rank
          and seen.status.tag == i, "its source and tag", Values.show(seen))
        post = rank:post_receive(t, "MPI_ANY_SOURCE", 4, { tag = "MPI_ANY_TAG" })
      end
      local result = t:receive_completes("IMPI-116", "message " .. i, post, i, 0, i)
      t:equal("IMPI-116", "MPI_SOURCE of message " .. i, result.status.source, from.rank)
    end
  end,
}
