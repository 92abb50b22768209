-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.7: memory descriptors: region, threshold, options, offsets, and the calls that make, change and end them. A
-- process puts
-- to itself where only the target's side matters.

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"

-- A rank with a queue "eq", a region "buf" of 100 octets, and a descriptor "out-md" of 40 octets mix/1 to put from.
local function alone(t, octets)
  t:open {}
  local rank = t.ranks[0]
  rank:eq("eq", 256)
  rank:region("buf", octets or 100)
  rank:region("source", 40, { fill = "mix/1" })
  rank:bind { region = "source", md = "out-md" }
  return rank
end

local function put(rank, given)
  given = given or {}
  given.mem_desc = given.mem_desc or "out-md"
  given.target = rank
  rank:put(given)
end

-- The descriptor as PtlMDUpdate reports it.
local function now(t, rank, md)
  return t:setup(rank:PtlMDUpdate { mem_desc = md or "md", old = "was" }).old
end

-- A put that must be refused by the descriptor under test: it is dropped and counted.
local function refused(t, req, rank, given)
  local before = rank:drop_count()
  put(rank, given)
  t:drops(req, rank, before, 1)
  t:equal(req, "events of a refused request", rank:PtlEQCount().count, 0)
end

case {
  id = "md-null-region",
  title = "A region of length zero needs no address, one with a length does",
  purpose = "NULL with length zero is attached and bound and takes a request of length zero; NULL with a length is PTL_ILL_MD, and so is a region that wraps around.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-135", "P30-136", "P30-137", "P30-184" },
  run = function(t)
    local rank = alone(t)
    rank:me_attach {}
    rank:md { name = "nothing", start = "null", length = 0, options = PUT, eventq = "eq" }
    t:judging("P30-135")
    t:rc("P30-135", rank:PtlMDAttach { mem_desc = "nothing" }, "PTL_OK")
    rank:md { name = "mute", start = "null", length = 0 }
    t:rc("P30-135", rank:PtlMDBind { mem_desc = "mute", handle = "empty" }, "PTL_OK")
    put(rank, { mem_desc = "empty" })
    t:event("P30-137", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 0, mlength = 0 })
    rank:md { name = "bad", start = "null", length = 1 }
    t:rc("P30-136", rank:PtlMDBind { mem_desc = "bad", handle = "bad-md" }, "PTL_ILL_MD")
    rank:md { name = "wraps", start = "buf", length = -1 }
    t:rc("P30-184", rank:PtlMDAttach { mem_desc = "wraps", handle = "bad-md" }, "PTL_ILL_MD")
    t:rc("P30-184", rank:PtlMDAttach { mem_desc = "bad", handle = "bad-md" }, "PTL_ILL_MD")
  end,
}

case {
  id = "md-alignment",
  title = "Neither address nor length needs any alignment",
  purpose = "Regions that begin 0 to 15 octets behind a page's start, with lengths from 0 to 129: each put must fill exactly its region.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-138", "P30-139", "P30-140" },
  run = function(t)
    local rank = alone(t, 512)
    rank:region("long", 129, { fill = "mix/9" })
    t:judging("P30-138")
    local lengths = { 0, 1, 2, 3, 5, 7, 8, 13, 16, 17, 31, 61, 64, 97, 127, 129 }
    for skew, length in ipairs(lengths) do
      rank:fill("buf", "byte/170")
      local start = 128 + skew - 1
      rank:attach { start = "buf+" .. start, length = length, eventq = "eq", options = PUT }
      rank:bind { desc = "part", start = "long", length = length, md = "part-md" }
      put(rank, { mem_desc = "part-md" })
      t:event("P30-139", rank, "eq", { type = "PTL_EVENT_PUT", mlength = length })
      t:octets("P30-138", "the region that begins at " .. start, rank, "buf", "mix/9", start, length)
      t:octets("P30-140", "the octets before it", rank, "buf", "byte/170", 0, start)
      t:octets("P30-140", "the octets behind it", rank, "buf", "byte/170", start + length)
    end
  end,
}

case {
  id = "md-guard-pages",
  title = "Nothing outside the region is touched, pages that cannot be touched included",
  purpose = "The region ends right before an inaccessible page, then begins right behind one; puts that fill it, that are truncated and gets of all of it must neither crash nor fail.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-140" },
  features = { "guard" },
  ranks = 2,
  run = function(t)
    t:open {}
    local from, to = t.ranks[0], t.ranks[1]
    from:eq("eq")
    from:region("out", 8192, { fill = "mix/4" })
    from:bind { region = "out", md = "out-md", eventq = "eq" }
    from:bind { start = "out", length = 5000, md = "in-md", eventq = "eq" }
    to:eq("eq")
    t:judging("P30-140")
    for _, guard in ipairs { "after", "before" } do
      to:region("edge-" .. guard, 5000, { guard = guard })
      to:attach { region = "edge-" .. guard, eventq = "eq", options = PUT .. "|" .. GET .. "|" .. REMOTE .. "|"
        .. TRUNCATE }
      from:put { mem_desc = "out-md", target = to }
      t:event("P30-140", to, "eq", { type = "PTL_EVENT_PUT", rlength = 8192, mlength = 5000 })
      t:octets("P30-140", "the region with a guard page " .. guard, to, "edge-" .. guard, "mix/4")
      from:get { mem_desc = "in-md", target = to }
      t:event("P30-140", to, "eq", { type = "PTL_EVENT_GET", mlength = 5000 })
    end
  end,
}

case {
  id = "md-threshold-counts",
  title = "The threshold is the number of operations that the descriptor takes",
  purpose = "With threshold 3 three puts are taken, each lowering it by one, and the fourth is dropped.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-141", "P30-142" },
  run = function(t)
    local rank = alone(t, 400)
    rank:attach { threshold = 3, eventq = "eq" }
    t:judging("P30-142")
    t:equal("P30-142", "threshold at first", now(t, rank).threshold, 3)
    for left = 2, 0, -1 do
      put(rank)
      t:event("P30-141", rank, "eq", { type = "PTL_EVENT_PUT" })
      t:equal("P30-142", "threshold after a put", now(t, rank).threshold, left)
    end
    refused(t, "P30-141", rank)
  end,
}

case {
  id = "md-threshold-get",
  title = "Gets count as puts do, truncated operations count, refused ones do not",
  purpose = "A descriptor of threshold 2 is asked for a truncated put and a get; requests that it refuses leave the threshold alone.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-142", "P30-143", "P30-144" },
  run = function(t)
    local rank = alone(t, 20)
    rank:attach { threshold = 2, eventq = "eq", options = TRUNCATE .. "|" .. PUT .. "|" .. REMOTE }
    t:judging("P30-143")
    put(rank)
    t:event("P30-143", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 40, mlength = 20 })
    t:equal("P30-143", "threshold after a truncated put", now(t, rank).threshold, 1)
    local before = rank:drop_count()
    rank:get { mem_desc = "out-md", target = rank }
    t:drops("P30-144", rank, before, 1)
    t:equal("P30-144", "threshold after a get that was refused", now(t, rank).threshold, 1)
    rank:md { name = "both", options = GET .. "|" .. REMOTE .. "|" .. TRUNCATE, threshold = 1, eventq = "eq" }
    rank:md_update { mem_desc = "md", new = "both" }
    rank:get { mem_desc = "out-md", target = rank }
    t:event("P30-142", rank, "eq", { type = "PTL_EVENT_GET" })
    t:equal("P30-142", "threshold after a get", now(t, rank).threshold, 0)
  end,
}

case {
  id = "md-threshold-zero",
  title = "A descriptor with threshold zero is inactive and can be made active",
  purpose = "It may be created so, whatever its unlink flag; it takes nothing until PtlMDUpdate gives it a threshold.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-145", "P30-146", "P30-181", "P30-203" },
  run = function(t)
    local rank = alone(t)
    rank:me_attach {}
    rank:md { options = PUT, threshold = 0, eventq = "eq" }
    t:judging("P30-146")
    t:rc("P30-146", rank:PtlMDAttach { unlink = "PTL_UNLINK" }, "PTL_OK")
    refused(t, "P30-145", rank)
    rank:md { name = "active", options = PUT, threshold = 1, eventq = "eq" }
    t:rc("P30-181", rank:PtlMDUpdate { new = "active" }, "PTL_OK")
    put(rank)
    t:event("P30-203", rank, "eq", { type = "PTL_EVENT_PUT" })
  end,
}

case {
  id = "md-threshold-infinite",
  title = "PTL_MD_THRESH_INF is never used up",
  purpose = "After two thousand puts the descriptor still takes requests and its threshold is still infinite.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-147" },
  run = function(t)
    local rank = alone(t)
    rank:attach { threshold = "inf", options = PUT .. "|" .. REMOTE, eventq = "none" }
    t:judging("P30-147")
    local before = rank:drop_count()
    local result = rank:batch(2000, { { "PtlPut", { mem_desc = "out-md", ack_req = "PTL_NOACK_REQ",
      target = t.gid(rank.id), portal = 0,
      cookie = 0, match_bits = 0, offset = 0 } } })
    t:equal("P30-147", "puts that were called", result.runs, 2000)
    rank:md { name = "seen", options = PUT .. "|" .. REMOTE, eventq = "eq" }
    rank:me_insert { match_bits = 1, current = "me", handle = "last" }
    rank:md_attach { match = "last", mem_desc = "seen", handle = "last-md" }
    put(rank, { match_bits = 1 })
    t:event("P30-147", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = 1 })
    t:equal("P30-147", "dropped requests", rank:drop_count() - before, 0)
    t:equal("P30-147", "threshold", now(t, rank).threshold, "inf")
  end,
}

case {
  id = "md-threshold-local-operations",
  title = "Local operations, replies and sends leave the threshold alone",
  purpose = "A bound descriptor of threshold 8 is read by PtlMDUpdate, put from twice and got into twice: all succeed and the threshold stays 8. Later revisions count whatever is logged.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-148", "P30-149", "P30-150", "P30-157" },
  run = function(t)
    local rank = alone(t)
    rank:attach { options = PUT .. "|" .. GET .. "|" .. REMOTE }
    rank:region("own", 40, { fill = "mix/2" })
    t:judging("P30-148")
    rank:md { region = "own", threshold = 8, options = 0, eventq = "eq" }
    rank:md_bind { handle = "once" }
    for _ = 1, 5 do
      now(t, rank, "once")
    end
    t:equal("P30-148", "threshold after reading it", now(t, rank, "once").threshold, 8)
    for _ = 1, 2 do
      t:rc("P30-150", rank:PtlPut { mem_desc = "once", target = rank }, "PTL_OK")
      t:event("P30-150", rank, "eq", { type = "PTL_EVENT_SENT" })
    end
    t:reading("P30-150", "threshold_counts", "threshold after sending twice", now(t, rank, "once").threshold,
      { { "remote_requests", 8 }, { "every_event", 6 } })
    for _ = 1, 2 do
      rank:get { mem_desc = "once", target = rank }
      t:event("P30-157", rank, "eq", { type = "PTL_EVENT_REPLY", mlength = 40 })
    end
    t:reading("P30-149", "threshold_counts", "threshold after two replies", now(t, rank, "once").threshold,
      { { "remote_requests", 8 }, { "every_event", 4 } })
  end,
}

case {
  id = "md-no-options",
  title = "A descriptor that responds to neither puts nor gets is no error",
  purpose = "Such a descriptor is bound and attached.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-156" },
  run = function(t)
    t:open {}
    local rank = t.ranks[0]
    rank:region("buf", 8)
    rank:me_attach {}
    rank:md { options = 0 }
    t:judging("P30-156")
    t:rc("P30-156", rank:PtlMDBind { handle = "bound" }, "PTL_OK")
    t:rc("P30-156", rank:PtlMDAttach {}, "PTL_OK")
  end,
}

case {
  id = "md-options-put-get",
  title = "A descriptor does what its options enable and nothing else",
  purpose = "For no option, put, get and both: a put and a get are tried on each.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-151", "P30-152", "P30-153", "P30-154", "P30-155", "P30-324" },
  run = function(t)
    local rank = alone(t)
    rank:region("in", 40)
    rank:eq("reply-eq")
    rank:bind { region = "in", md = "in-md", eventq = "reply-eq" }
    local rows = { { 0, false, false }, { PUT, true, false }, { GET, false, true }, { PUT .. "|" .. GET, true, true } }
    for _, row in ipairs(rows) do
      local options, takes_put, takes_get = table.unpack(row)
      rank:attach { options = options, eventq = "eq" }
      t:judging(takes_put and "P30-153" or "P30-151")
      if takes_put then
        put(rank)
        t:event(takes_get and "P30-155" or "P30-153", rank, "eq", { type = "PTL_EVENT_PUT" })
      else
        refused(t, "P30-151", rank)
      end
      local before = rank:drop_count()
      rank:get { mem_desc = "in-md", target = rank }
      if takes_get then
        t:event(takes_put and "P30-155" or "P30-154", rank, "eq", { type = "PTL_EVENT_GET" })
        t:sanity("the reply comes", rank:wait("reply-eq").event ~= nil)
      else
        t:drops(takes_put and "P30-324" or "P30-152", rank, before, 1)
      end
    end
  end,
}

case {
  id = "md-offset-local",
  title = "The local offset starts at zero, ignores the request's, and moves on by what was taken",
  purpose = "Puts of 40, 10 and 10 octets land at 0, 40 and 50 of a region of 100; one of 10 with an offset of 7 lands at 60; the next of 40 does not fit and is refused.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-158", "P30-159", "P30-160", "P30-165", "P30-267" },
  run = function(t)
    local rank = alone(t)
    rank:attach { eventq = "eq" }
    t:judging("P30-158")
    rank:bind { start = "source", length = 10, md = "ten" }
    put(rank)
    t:event("P30-158", rank, "eq", { type = "PTL_EVENT_PUT", offset = 0 })
    for _, offset in ipairs { 40, 50 } do
      put(rank, { mem_desc = "ten" })
      t:event("P30-160", rank, "eq", { type = "PTL_EVENT_PUT", offset = offset })
      t:octets("P30-160", "the put at " .. offset, rank, "buf", "mix/1", offset, 10)
    end
    put(rank, { mem_desc = "ten", offset = 7 })
    t:event("P30-159", rank, "eq", { type = "PTL_EVENT_PUT", offset = 60 })
    t:octets("P30-158", "the first put", rank, "buf", "mix/1", 0, 40)
    t:octets("P30-267", "the put with an offset", rank, "buf", "mix/1", 60, 10)
    refused(t, "P30-165", rank)
    t:octets("P30-165", "what is left of the region", rank, "buf", "byte/0", 70, 30)
  end,
}

case {
  id = "md-offset-shared",
  title = "Puts and gets move the same local offset",
  purpose = "A put of 10 octets, a get of 10 and a put of 10 find the offsets 0, 10 and 20.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-161" },
  run = function(t)
    local rank = alone(t)
    rank:attach { options = PUT .. "|" .. GET, eventq = "eq" }
    rank:bind { start = "source", length = 10, md = "ten" }
    t:judging("P30-161")
    put(rank, { mem_desc = "ten" })
    t:event("P30-161", rank, "eq", { type = "PTL_EVENT_PUT", offset = 0 })
    rank:get { mem_desc = "ten", target = rank }
    local event = t:event("P30-161", rank, "eq", { type = "PTL_EVENT_GET" })
    local own = t:reading("P30-161", "local_offset_shared", "offset of the get", event.offset,
      { { "yes", 10 }, { "no", 0 } }) == "no"
    put(rank, { mem_desc = "ten" })
    t:event("P30-161", rank, "eq", { type = "PTL_EVENT_PUT", offset = own and 10 or 20 })
  end,
}

case {
  id = "md-offset-remote",
  title = "With PTL_MD_MANAGE_REMOTE the request's offset is used, and nothing accumulates",
  purpose = "Puts with offsets 60, 60, 0 land there; the bound of the region is length minus offset, to the octet.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-162", "P30-163", "P30-164", "P30-325" },
  run = function(t)
    local rank = alone(t)
    rank:attach { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    t:judging("P30-162")
    for i, offset in ipairs { 60, 60, 0 } do
      put(rank, { offset = offset })
      t:event(i == 1 and "P30-162" or "P30-163", rank, "eq", { type = "PTL_EVENT_PUT", offset = offset, mlength = 40 })
      t:octets("P30-162", "the octets from " .. offset .. " on", rank, "buf", "mix/1", offset, 40)
    end
    for _, offset in ipairs { 61, 100, 101, 1 << 40, -1, -40 } do
      refused(t, offset == 61 and "P30-164" or "P30-325", rank, { offset = offset })
    end
    t:octets("P30-164", "the octets between", rank, "buf", "byte/0", 40, 20)
  end,
}

case {
  id = "md-truncate",
  title = "With PTL_MD_TRUNCATE a request is cut to what is available",
  purpose = "In a region of 100 octets, puts of 40 at the offsets 60, 61, 99 and 100 move 40, 39, 1 and 0 octets.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-166", "P30-167", "P30-140" },
  run = function(t)
    local rank = alone(t, 110)
    rank:attach { start = "buf", length = 100, options = PUT .. "|" .. REMOTE .. "|" .. TRUNCATE, eventq = "eq" }
    t:judging("P30-166")
    for _, offset in ipairs { 60, 61, 99, 100 } do
      rank:fill("buf", "byte/0")
      put(rank, { offset = offset })
      local moved = 100 - offset
      t:event(moved == 0 and "P30-167" or "P30-166", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 40,
        mlength = moved, offset = offset })
      t:octets("P30-166", "what was moved to " .. offset, rank, "buf", "mix/1", offset, moved)
      t:octets("P30-140", "the octets behind the region", rank, "buf", "byte/0", 100, 10)
    end
  end,
}

case {
  id = "md-truncate-beyond",
  title = "A remote offset beyond the region is refused, even with PTL_MD_TRUNCATE",
  purpose = "The memory available would be less than nothing.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-168" },
  run = function(t)
    local rank = alone(t)
    rank:attach { options = PUT .. "|" .. REMOTE .. "|" .. TRUNCATE, eventq = "eq" }
    t:judging("P30-168")
    for i, offset in ipairs { 101, 1 << 33, -1 } do
      put(rank, { offset = offset })
      put(rank, { offset = 100, match_bits = 0 })
      local event = rank:wait("eq").event
      local beyond = event and event.offset ~= 100
      t:reading("P30-168", "offset_beyond_end", "requests beyond the end that were dropped", rank:drop_count(),
        { { "reject", i }, { "accept_zero", 0 } })
      if beyond then
        t:equal("P30-168", "octets that a request beyond the end moved", event.mlength, 0)
        t:event("P30-168", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 0 })
      end
    end
    put(rank, { offset = 100 })
    t:event("P30-168", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 0 })
  end,
}

case {
  id = "md-truncate-get",
  title = "A get is cut to what the target has",
  purpose = "A get of 40 octets at offset 90 of a region of 100 brings 10 and says so; the rest of the initiator's memory stays.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-169", "P30-271" },
  run = function(t)
    local rank = alone(t)
    rank:fill("buf", "mix/8")
    rank:attach { options = GET .. "|" .. REMOTE .. "|" .. TRUNCATE }
    rank:region("in", 40, { fill = "byte/7" })
    rank:bind { region = "in", md = "in-md", eventq = "eq" }
    t:judging("P30-169")
    rank:get { mem_desc = "in-md", target = rank, offset = 90 }
    t:event("P30-169", rank, "eq", { type = "PTL_EVENT_REPLY", rlength = 40, mlength = 10 })
    t:octets("P30-271", "what the reply brought", rank, "in", "mix/8/90", 0, 10)
    t:octets("P30-169", "what it did not bring", rank, "in", "byte/7", 10, 30)
  end,
}

case {
  id = "md-ack-disable",
  title = "PTL_MD_ACK_DISABLE keeps acknowledgements back, without it they are sent",
  purpose = "Two entries, one of them with the option; both puts ask for an acknowledgement, exactly one comes.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-170", "P30-171", "P30-260" },
  ranks = 2,
  run = function(t)
    t:open {}
    local from, to = t.ranks[0], t.ranks[1]
    to:region("buf", 100)
    to:attach { match_bits = 1, me = "me1", md = "md1", options = PUT .. "|" .. REMOTE .. "|PTL_MD_ACK_DISABLE" }
    to:me_insert { match_bits = 2, current = "me1", handle = "me2" }
    to:add_md { me = "me2", md = "md2", options = PUT .. "|" .. REMOTE }
    from:eq("eq")
    from:region("out", 40)
    from:bind { region = "out", md = "out-md", eventq = "eq" }
    t:judging("P30-170")
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, match_bits = 1 }
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, match_bits = 2 }
    local acks, event = {}, nil
    repeat
      event = from:wait("eq").event
      acks[#acks + 1] = event and event.type == "PTL_EVENT_ACK" and event.match_bits or nil
    until event == nil or acks[#acks] == 2
    t:check("P30-171", "the put without the option is acknowledged", event ~= nil, "an acknowledgement for bits 2",
      acks)
    t:equal("P30-170", "the bits of all puts that were acknowledged", acks, { 2 })
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, match_bits = 1 }
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to, match_bits = 2 }
    repeat
      event = from:wait("eq").event
    until event == nil or event.type == "PTL_EVENT_ACK"
    t:check("P30-260", "of two more puts again only the second is acknowledged", event ~= nil and event.match_bits == 2,
      "an acknowledgement for bits 2", event and event.match_bits or "none")
  end,
}

case {
  id = "md-user-pointer",
  title = "The user's value comes back in events as it is",
  purpose = "Zero, one, all ones and a pattern.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-173", "P30-235" },
  run = function(t)
    local rank = alone(t)
    t:judging("P30-173")
    for _, value in ipairs { 0, 1, -1, 0x0123456789abcdef } do
      rank:attach { options = PUT, eventq = "eq", user_ptr = value }
      put(rank)
      local event = t:event("P30-173", rank, "eq", { type = "PTL_EVENT_PUT" })
      t:equal("P30-173", "user_ptr in the event", event.mem_desc.user_ptr, value)
      t:equal("P30-235", "start in the event", event.mem_desc.start, "buf+0")
      t:equal("P30-235", "length in the event", event.mem_desc.length, 100)
    end
  end,
}

case {
  id = "md-attach",
  title = "PtlMDAttach copies the structure, needs no place for the handle, and replaces a list",
  purpose = "The structure is overwritten after the call; a NULL handle is fine; a second attach to the same entry destroys the first descriptor.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-175", "P30-176", "P30-177", "P30-178" },
  run = function(t)
    local rank = alone(t)
    rank:me_attach {}
    rank:md { options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 1 }
    t:judging("P30-175")
    t:rc("P30-175", rank:PtlMDAttach {}, "PTL_OK")
    rank:poison("desc")
    put(rank)
    local event = t:event("P30-177", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40 })
    t:equal("P30-177", "user_ptr in the event", event.mem_desc.user_ptr, 1)
    rank:md { options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 2 }
    local result = rank:PtlMDAttach { handle = "null" }
    if result.rc == "PTL_INUSE" then
      t:reading("P30-176", "attach_to_occupied_entry", "PtlMDAttach to an entry that has a descriptor returns",
        result.rc, { { "replace", "PTL_OK" }, { "refuse", "PTL_INUSE" } })
      rank:md_unlink {}
      result = rank:PtlMDAttach { handle = "null" }
    end
    t:rc("P30-178", result, "PTL_OK")
    t:rc("P30-176", rank:PtlMDUnlink { mem_desc = "md" }, "PTL_INV_MD")
    put(rank)
    event = t:event("P30-176", rank, "eq", { type = "PTL_EVENT_PUT" })
    t:equal("P30-176", "the descriptor that takes the put", event.mem_desc.user_ptr, 2)
  end,
}

case {
  id = "md-unlink-flag",
  title = "A descriptor with PTL_UNLINK goes when an operation takes its threshold from one to zero",
  purpose = "With threshold 2 it is alive after one put and gone after two; with PTL_RETAIN it stays, inactive, and can be armed again; setting the threshold to zero by hand does not end it.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-179", "P30-180", "P30-182" },
  run = function(t)
    local rank = alone(t)
    local function arm(unlink)
      rank:attach { threshold = 2, md_unlink = unlink, options = PUT .. "|" .. REMOTE, eventq = "eq" }
    end
    local function take()
      put(rank)
      t:sanity("the put is taken", rank:wait().event ~= nil)
    end
    t:judging("P30-179")
    arm("PTL_UNLINK")
    take()
    local after_one = rank:PtlMDUpdate { old = "was" }
    t:rc("P30-179", after_one, "PTL_OK")
    t:equal("P30-179", "threshold after the first put", after_one.old.threshold, 1)
    take()
    t:rc("P30-179", rank:PtlMDUpdate { old = "was" }, "PTL_INV_MD")
    arm("PTL_RETAIN")
    take()
    take()
    refused(t, "P30-180", rank)
    rank:md { name = "again", threshold = 1, options = PUT .. "|" .. REMOTE, eventq = "eq" }
    t:rc("P30-180", rank:PtlMDUpdate { new = "again" }, "PTL_OK")
    take()
    arm("PTL_UNLINK")
    rank:md { name = "stopped", threshold = 0, options = PUT, eventq = "eq" }
    rank:md_update { new = "stopped" }
    t:rc("P30-182", rank:PtlMDUpdate { old = "was" }, "PTL_OK")
    refused(t, "P30-182", rank)
    t:rc("P30-182", rank:PtlMDUnlink {}, "PTL_OK")
  end,
}

case {
  id = "md-errors",
  title = "The calls that make descriptors tell each kind of bad argument apart",
  purpose = "Dead entry, descriptor and interface handles; a descriptor that stands in no list as a place; output addresses that are none; NULL where it is not allowed.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-183", "P30-190", "P30-191", "P30-194", "P30-195" },
  run = function(t)
    local rank = alone(t)
    rank:me_attach {}
    rank:md { options = PUT }
    rank:md { name = "bad", start = "null", length = 9 }
    t:judging("P30-183")
    rank:md_attach {}
    t:rc("P30-190", rank:PtlMDInsert { current = "eq", handle = "other" }, "PTL_INV_MD")
    t:rc("P30-190", rank:PtlMDInsert { current = "out-md", handle = "other" }, "PTL_INV_MD")
    t:judging("P30-191")
    t:rc("P30-191", rank:PtlMDInsert { mem_desc = "bad", handle = "other" }, "PTL_ILL_MD")
    t:judging("P30-194")
    t:rc("P30-194", rank:PtlMDBind { handle = "null" }, "PTL_SEGV")
    t:rc("P30-195", rank:PtlMDBind { interface = "eq", handle = "other" }, "PTL_INV_NI")
    t:rc("P30-195", rank:PtlMDBind { mem_desc = "bad", handle = "other" }, "PTL_ILL_MD")
    rank:me_unlink {}
    t:rc("P30-183", rank:PtlMDAttach { handle = "other" }, "PTL_INV_ME")
    t:rc("P30-190", rank:PtlMDInsert { current = "md", handle = "other" }, "PTL_INV_MD")
  end,
}

case {
  id = "md-unmapped-handle",
  title = "An output address without memory behind it is an addressing violation",
  purpose = "PtlMDAttach is told to write the handle to a page that is not there.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-187" },
  run = function(t)
    local rank = alone(t)
    rank:me_attach {}
    rank:md { options = PUT }
    t:judging("P30-187")
    t:rc("P30-187", rank:PtlMDAttach { handle = "unmapped" }, "PTL_SEGV")
  end,
}

case {
  id = "md-insert-order",
  title = "PtlMDInsert puts the new descriptor right beside the current one",
  purpose = "Four descriptors for one put each are inserted around each other in one entry's list; four puts show their order.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-188", "P30-189", "P30-192" },
  run = function(t)
    local rank = alone(t)
    rank:attach { md = "md2", threshold = 1, md_unlink = "PTL_UNLINK", eventq = "eq", user_ptr = 2 }
    local function insert(mark, position, current)
      rank:md { threshold = 1, options = PUT, eventq = "eq", user_ptr = mark }
      rank:md_insert { unlink = "PTL_UNLINK", position = position, current = current, handle = "md" .. mark }
    end
    insert(4, "PTL_INS_AFTER", "md2")
    insert(3, "PTL_INS_BEFORE", "md4")
    insert(1, "PTL_INS_BEFORE", "md2")
    t:judging("P30-188")
    local order = {}
    for i = 1, 4 do
      put(rank)
      order[i] = t:event("P30-192", rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr
    end
    t:equal("P30-189", "the descriptor that is considered first", order[1], 1)
    t:equal("P30-188", "the order of the list", order, { 1, 2, 3, 4 })
  end,
}

case {
  id = "md-bind",
  title = "A bound descriptor is in no list, and stays until it is unlinked",
  purpose = "Puts cannot reach it; it serves puts and gets of its owner as long as wanted; then its handle is dead and the user's memory is not.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-193", "P30-196", "P30-198", "P30-199", "P30-200" },
  run = function(t)
    local rank = alone(t)
    rank:fill("buf", "mix/6")
    rank:bind { md = "bound", options = PUT .. "|" .. GET, eventq = "eq", threshold = 1 }
    t:judging("P30-193")
    refused(t, "P30-193", rank)
    rank:region("target", 100)
    rank:attach { region = "target", options = PUT .. "|" .. REMOTE }
    for _ = 1, 3 do
      local rc = rank:PtlPut { mem_desc = "bound", target = rank }.rc
      if t:reading("P30-196", "bound_unlink", "PtlPut from a bound descriptor of threshold 1 returns", rc,
          { { "explicit", "PTL_OK" }, { "threshold", "PTL_INV_MD" } }) == "threshold" then
        rank:bind { md = "bound", options = PUT .. "|" .. GET, eventq = "eq" }
        break
      end
      t:event("P30-196", rank, "eq", { type = "PTL_EVENT_SENT" })
    end
    t:rc("P30-198", rank:PtlMDUnlink { mem_desc = "bound" }, "PTL_OK")
    t:rc("P30-198", rank:PtlPut { mem_desc = "bound", target = rank }, "PTL_INV_MD")
    t:rc("P30-200", rank:PtlMDUnlink { mem_desc = "bound" }, "PTL_INV_MD")
    t:octets("P30-199", "the user's memory", rank, "buf", "mix/6")
  end,
}

case {
  id = "md-unlink-from-list",
  title = "PtlMDUnlink takes the descriptor out of its list",
  purpose = "The next request goes to the next descriptor; an entry with PTL_UNLINK goes with its last descriptor, one with PTL_RETAIN stays.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-197", "P30-201" },
  run = function(t)
    local rank = alone(t)
    rank:attach { unlink = "PTL_UNLINK", md = "md1", eventq = "eq", user_ptr = 1 }
    rank:md { options = PUT, eventq = "eq", user_ptr = 2 }
    rank:md_insert { current = "md1", handle = "md2" }
    t:judging("P30-197")
    t:rc("P30-197", rank:PtlMDUnlink { mem_desc = "md1" }, "PTL_OK")
    put(rank)
    local event = t:event("P30-197", rank, "eq", { type = "PTL_EVENT_PUT" })
    t:equal("P30-197", "the descriptor that takes the put", event.mem_desc.user_ptr, 2)
    t:rc("P30-197", rank:PtlMDUnlink { mem_desc = "md2" }, "PTL_OK")
    t:reading("P30-201", "explicit_unlink_takes_entry", "PtlMEUnlink of the emptied entry returns",
      rank:PtlMEUnlink {}.rc, { { "yes", "PTL_INV_ME" }, { "no", "PTL_OK" } })
    rank:attach { unlink = "PTL_RETAIN", eventq = "eq" }
    rank:md_unlink {}
    t:rc("P30-201", rank:PtlMEUnlink {}, "PTL_OK")
  end,
}

case {
  id = "md-update-read",
  title = "PtlMDUpdate reports the descriptor as it is",
  purpose = "All members are compared; with a NULL `new` only the read happens, whatever the queue holds.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-202", "P30-207" },
  run = function(t)
    local rank = alone(t)
    rank:attach { start = "buf+8", length = 64, threshold = 5, options = PUT .. "|" .. TRUNCATE, user_ptr = 77,
      eventq = "eq" }
    t:judging("P30-202")
    local old = now(t, rank)
    t:equal("P30-202", "start", old.start, "buf+8")
    t:equal("P30-202", "length", old.length, 64)
    t:equal("P30-202", "threshold", old.threshold, 5)
    t:equal("P30-202", "user_ptr", old.user_ptr, 77)
    t:equal("P30-202", "eventq", old.eventq, "eq")
    local options = {}
    for name in tostring(old.options):gmatch("[^|]+") do
      options[name] = true
    end
    t:equal("P30-202", "options", options, { [PUT] = true, [TRUNCATE] = true })
    put(rank)
    rank:eq("later")
    rank:attach { index = 1, me = "me1", md = "md1", options = PUT, eventq = "later" }
    put(rank, { portal = 1 })
    t:sanity("a later put is taken", rank:wait("later").event ~= nil)
    t:sanity("the queue holds the event of the first", rank:PtlEQCount().count == 1)
    local read = rank:PtlMDUpdate { old = "was", testq = "eq" }
    t:rc("P30-207", read, "PTL_OK")
    t:equal("P30-207", "threshold that was read", read.old.threshold, 4)
  end,
}

case {
  id = "md-update-conditional",
  title = "PtlMDUpdate changes the descriptor exactly when the test queue is empty",
  purpose = "With both queues empty the update is done; with an event in the descriptor's own queue and another, empty test queue as well; with an event in the test queue PTL_NOUPDATE, no change, and the old value told all the same.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-204", "P30-205", "P30-206", "P30-208" },
  run = function(t)
    local rank = alone(t)
    rank:eq("other")
    rank:attach { options = PUT .. "|" .. REMOTE, eventq = "other" }
    rank:attach { index = 1, me = "target", md = "target-md", options = PUT .. "|" .. REMOTE, threshold = 4,
      eventq = "eq" }
    rank:eq("eq-2")
    rank:attach { index = 2, me = "me2", md = "md2", options = PUT .. "|" .. REMOTE, eventq = "eq-2" }
    rank:bind { length = 0, desc = "void", md = "empty" }
    local function update(threshold, req, wanted)
      rank:md { name = "new", options = PUT .. "|" .. REMOTE, threshold = threshold, eventq = "eq" }
      local result = rank:PtlMDUpdate { mem_desc = "target-md", old = "was", new = "new", testq = "other" }
      t:rc(req, result, wanted)
      return result
    end
    local function threshold_is(req, wanted)
      t:equal(req, "threshold afterwards", now(t, rank, "target-md").threshold, wanted)
    end
    t:judging("P30-204")
    update(7, "P30-204", "PTL_OK")
    threshold_is("P30-204", 7)
    put(rank, { portal = 1 })
    put(rank, { mem_desc = "empty", portal = 2 })
    t:sanity("the later put is taken", rank:wait("eq-2").event ~= nil)
    t:sanity("the descriptor's own queue holds the event of the first", rank:PtlEQCount().count == 1)
    update(8, "P30-206", "PTL_OK")
    threshold_is("P30-206", 8)
    put(rank)
    put(rank, { mem_desc = "empty", portal = 2 })
    t:sanity("the later put is taken", rank:wait("eq-2").event ~= nil)
    t:sanity("the test queue holds the event of the first", rank:PtlEQCount { eventq = "other" }.count == 1)
    local refused_update = update(9, "P30-205", "PTL_NOUPDATE")
    threshold_is("P30-205", 8)
    t:reading("P30-208", "refused_update_reads", "threshold that was told although the update was refused",
      refused_update.old and refused_update.old.threshold or "none", { { "yes", 8 }, { "no", "none" } })
  end,
}

case {
  id = "md-update-errors",
  title = "PtlMDUpdate tells each kind of bad argument apart",
  purpose = "A dead descriptor, an illegal new value, a dead test queue, and addresses that are none.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-210" },
  run = function(t)
    local rank = alone(t)
    rank:attach {}
    rank:eq("dead")
    rank:eq_free { eventq = "dead" }
    rank:md { name = "bad", start = "null", length = 9 }
    rank:md { name = "good" }
    t:judging("P30-210")
    t:rc("P30-210", rank:PtlMDUpdate { new = "bad" }, "PTL_ILL_MD")
    t:rc("P30-210", rank:PtlMDUpdate { new = "good", testq = "dead" }, "PTL_INV_EQ")
    rank:md_unlink {}
    t:rc("P30-210", rank:PtlMDUpdate { old = "was" }, "PTL_INV_MD")
  end,
}

case {
  id = "md-update-moves",
  title = "An update can move the region and change the queue",
  purpose = "After the update data goes to the new region only and events to the new queue only.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-211", "P30-212" },
  run = function(t)
    local rank = alone(t)
    rank:region("new", 100)
    rank:eq("new-eq")
    rank:attach { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    rank:md { name = "moved", region = "new", options = PUT .. "|" .. REMOTE, eventq = "new-eq" }
    t:judging("P30-211")
    rank:md_update { new = "moved" }
    put(rank)
    t:event("P30-212", rank, "new-eq", { type = "PTL_EVENT_PUT" })
    t:octets("P30-211", "the new region", rank, "new", "mix/1", 0, 40)
    t:octets("P30-211", "the old region", rank, "buf", "byte/0")
    t:equal("P30-212", "events in the old queue", rank:PtlEQCount().count, 0)
  end,
}

case {
  id = "md-run-out",
  title = "When there is no room for another descriptor PtlMDAttach says so, and one that is given back can be made anew",
  purpose = "Up to 1.2 million descriptors are bound. If the library reaches its limit before, PtlMDBind and PtlMDAttach must give PTL_NOSPACE; after unlinking one descriptor both succeed in turn.",
  suite = "memory-descriptors", chapter = "3.7",
  requirements = { "P30-186", "P30-191", "P30-195" },
  deadline = 120,
  run = function(t)
    t:open {}
    local rank = t.ranks[0]
    rank:me_attach {}
    rank:md { length = 0 }
    rank:md_bind { handle = "spare" }
    t:judging("P30-186")
    local result = rank:batch(1200000, { { "PtlMDBind", { interface = "ni", mem_desc = "desc", handle = "more" } } },
      { deadline = 100000 })
    if result.line == 0 then
      t:skip("no limit was met with " .. result.runs .. " descriptors")
    end
    t:equal("P30-195", "PtlMDBind without room returns", result.rc, "PTL_NOSPACE")
    t:rc("P30-186", rank:PtlMDAttach { handle = "one" }, "PTL_NOSPACE")
    rank:md_unlink { mem_desc = "more" }
    t:rc("P30-186", rank:PtlMDAttach { handle = "one" }, "PTL_OK")
    local full = rank:batch(60000, { { "PtlMDInsert", { mem_desc = "desc", unlink = "PTL_RETAIN",
      position = "PTL_INS_AFTER", current = "one", handle = "two" } } })
    t:equal("P30-191", "PtlMDInsert without room returns", full.rc, "PTL_NOSPACE")
    rank:md_unlink { mem_desc = "spare" }
    t:rc("P30-191", rank:PtlMDInsert { current = "one", handle = "two" }, "PTL_OK")
    rank:md_unlink { mem_desc = "one" }
    t:rc("P30-195", rank:PtlMDBind { handle = "more" }, "PTL_OK")
  end,
}
