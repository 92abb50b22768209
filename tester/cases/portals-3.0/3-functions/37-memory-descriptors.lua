-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.7.1: what a memory descriptor says: its region, its threshold, its options, its user's value. A process
-- puts to itself where only the target's side matters.

defaults { suite = "memory-descriptors", chapter = "3.7", deadline = 90, still = { "P32-141", "P32-142", "P32-145" } }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local loopback, put, current, refuses = Descriptor.loopback, Descriptor.put, Descriptor.current, Descriptor.refuses

case {
  id = "md-null-region",
  title = "A region of length zero needs no address; any other does",
  purpose = "NULL with length zero is attached, bound and given by an update, and takes a put and a get of length zero; NULL with a length is PTL_ILL_MD, and so is a region that wraps around, where sizes have the 64 bits for one.",
  requirements = { "P30-135", "P30-136", "P30-137", "P30-184" },
  run = function(t)
    local rank = loopback(t)
    rank:me_attach {}
    rank:md { name = "nothing", start = "null", length = 0, options = PUT .. "|" .. GET, eventq = "eq" }
    t:rc("P30-135", rank:PtlMDAttach { mem_desc = "nothing" }, "PTL_OK")
    rank:md { name = "mute", start = "null", length = 0 }
    t:rc("P30-135", rank:PtlMDBind { mem_desc = "mute", handle = "empty" }, "PTL_OK")
    put(rank, { mem_desc = "empty" })
    t:event("P30-137", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 0, mlength = 0 })
    rank:get { mem_desc = "empty", target = rank }
    t:event("P30-137", rank, "eq", { type = "PTL_EVENT_GET", rlength = 0, mlength = 0 })
    t:rc("P30-135", rank:PtlMDUpdate { mem_desc = "out-md", new = "mute" }, "PTL_OK")
    rank:md { name = "bad", start = "null", length = 1 }
    t:rc("P30-136", rank:PtlMDBind { mem_desc = "bad", handle = "bad-md" }, "PTL_ILL_MD")
    rank:me_attach { index = 1, handle = "bare" }
    if rank:describe().ptl_size_t.octets >= 8 then
      rank:md { name = "wraps", start = "buf", length = -1 }
      t:rc("P30-184", rank:PtlMDAttach { match = "bare", mem_desc = "wraps", handle = "bad-md" }, "PTL_ILL_MD")
    end
    t:rc("P30-184", rank:PtlMDAttach { match = "bare", mem_desc = "bad", handle = "bad-md" }, "PTL_ILL_MD")
  end,
}

case {
  id = "md-alignment",
  title = "Neither address nor length needs any alignment",
  purpose = "Regions that begin 0 to 15 octets behind a page's start, with lengths from 0 to 129: each put must fill exactly its region.",
  requirements = { "P30-138", "P30-139", "P30-140" },
  run = function(t)
    local rank = loopback(t, 512)
    rank:region("long", 129, { fill = "mix/9" })
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
  id = "md-alignment-of-gets",
  title = "Neither the region that is read nor the one that is read into needs any alignment",
  purpose = "Gets of 0 to 129 octets into regions that begin 0 to 15 octets behind a page's start: each brings exactly its octets.",
  requirements = { "P30-139", "P30-140" },
  run = function(t)
    local rank = loopback(t, 512)
    rank:eq("own")
    rank:region("long", 129, { fill = "mix/9" })
    for skew, length in ipairs { 0, 1, 2, 3, 5, 7, 8, 13, 16, 17, 31, 61, 64, 97, 127, 129 } do
      rank:fill("buf", "byte/170")
      local start = 128 + skew - 1
      rank:attach { start = "long", length = length, options = GET }
      rank:bind { desc = "part", start = "buf+" .. start, length = length, md = "part-md", eventq = "own" }
      rank:get { mem_desc = "part-md", target = rank }
      t:event("P30-139", rank, "own", { type = "PTL_EVENT_REPLY", mlength = length })
      t:octets("P30-139", length .. " octets that were read", rank, "buf", "mix/9", start, length)
      t:octets("P30-140", "the octets before them", rank, "buf", "byte/170", 0, start)
      t:octets("P30-140", "the octets behind them", rank, "buf", "byte/170", start + length)
    end
  end,
}

case {
  id = "md-guard-pages",
  title = "Nothing outside the region is touched, pages that cannot be touched included",
  purpose = "The region ends right before an inaccessible page, then begins right behind one; puts that fill it, that are truncated and gets of all of it must neither crash nor fail.",
  requirements = { "P30-140" }, ranks = 2, features = { "guard" },
  run = function(t)
    local from, to = t:open {}
    from:eq("eq")
    from:bind { region = "out", octets = 8192, fill = "mix/4", md = "out-md", eventq = "eq" }
    from:bind { start = "out", length = 5000, md = "in-md", eventq = "eq" }
    to:eq("eq")
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
  requirements = { "P30-141", "P30-142" },
  run = function(t)
    local rank = loopback(t, 400)
    rank:attach { threshold = 3, eventq = "eq" }
    t:judging("P30-142")
    t:equal("P30-142", "threshold at first", current(t, rank).threshold, 3)
    for left = 2, 0, -1 do
      put(rank)
      t:event("P30-141", rank, "eq", { type = "PTL_EVENT_PUT" })
      t:equal("P30-142", "threshold after a put", current(t, rank).threshold, left)
    end
    refuses(t, "P30-141", rank)
  end,
}

case {
  id = "md-threshold-passes-on",
  title = "What is beyond a descriptor's threshold goes to the next entry",
  purpose = "A descriptor of threshold 3 stands in front of one without an end. Of five puts the first three are taken by the one, the others by the other.",
  requirements = { "P30-141" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { threshold = 3, options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 1 }
    rank:me_insert { current = "me", handle = "me2" }
    rank:add_md { me = "me2", md = "md2", options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 2 }
    local order = {}
    for i = 1, 5 do
      put(rank)
      order[i] = t:event("P30-141", rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr
    end
    t:equal("P30-141", "the descriptors that took five puts", order, { 1, 1, 1, 2, 2 })
  end,
}

case {
  id = "md-threshold-get",
  title = "Gets count as puts do, truncated operations count, refused ones do not",
  purpose = "A descriptor of threshold 2 is asked for a truncated put, for a truncated get and for a get as a whole; requests that it refuses leave the threshold alone.",
  requirements = { "P30-142", "P30-143", "P30-144" },
  run = function(t)
    local rank = loopback(t, 20)
    rank:attach { threshold = 2, eventq = "eq", options = TRUNCATE .. "|" .. PUT .. "|" .. REMOTE }
    t:judging("P30-143")
    put(rank)
    t:event("P30-143", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 40, mlength = 20 })
    t:equal("P30-143", "threshold after a truncated put", current(t, rank).threshold, 1)
    local before = rank:drop_count()
    rank:get { mem_desc = "out-md", target = rank }
    t:drops("P30-144", rank, before, 1)
    t:equal("P30-144", "threshold after a get that was refused", current(t, rank).threshold, 1)
    rank:md { name = "both", options = GET .. "|" .. REMOTE .. "|" .. TRUNCATE, threshold = 1, eventq = "eq" }
    rank:md_update { mem_desc = "md", new = "both" }
    rank:get { mem_desc = "out-md", target = rank }
    t:event("P30-143", rank, "eq", { type = "PTL_EVENT_GET", rlength = 40, mlength = 20 })
    t:equal("P30-143", "threshold after a truncated get", current(t, rank).threshold, 0)
    rank:md { name = "both", options = GET .. "|" .. REMOTE, threshold = 1, eventq = "eq" }
    rank:md_update { mem_desc = "md", new = "both" }
    rank:bind { desc = "less-desc", region = "less", octets = 20, md = "less-md" }
    rank:get { mem_desc = "less-md", target = rank }
    t:event("P30-142", rank, "eq", { type = "PTL_EVENT_GET", mlength = 20 })
    t:equal("P30-142", "threshold after a get", current(t, rank).threshold, 0)
  end,
}

case {
  id = "md-threshold-zero",
  title = "A descriptor with threshold zero is inactive and can be made active",
  purpose = "It may be created so, whatever its unlink flag; it takes nothing until PtlMDUpdate gives it a threshold.",
  requirements = { "P30-145", "P30-146", "P30-181", "P30-203" },
  run = function(t)
    local rank = loopback(t)
    rank:me_attach {}
    rank:md { options = PUT, threshold = 0, eventq = "eq" }
    t:judging("P30-146")
    t:rc("P30-146", rank:PtlMDAttach { unlink = "PTL_UNLINK" }, "PTL_OK")
    refuses(t, "P30-145", rank)
    rank:md { name = "active", options = PUT, threshold = 1, eventq = "eq" }
    t:rc("P30-181", rank:PtlMDUpdate { new = "active" }, "PTL_OK")
    put(rank)
    t:event("P30-146", rank, "eq", { type = "PTL_EVENT_PUT" })
    rank:attach { index = 1, me = "me1", md = "md1", options = PUT, threshold = 0, eventq = "eq" }
    t:rc("P30-203", rank:PtlMDUpdate { mem_desc = "md1", new = "active" }, "PTL_OK")
    put(rank, { portal = 1 })
    t:event("P30-203", rank, "eq", { type = "PTL_EVENT_PUT", portal = 1 })
  end,
}

-- More than a counter of 16 bits holds, where a system is fast enough.
local MANY_PUTS <const>, MANY_MS <const> = 70000, 5000

case {
  id = "md-threshold-without-end-by-update",
  title = "PTL_MD_THRESH_INF can be given and taken away by an update",
  purpose = "Descriptors of threshold 0, 2 and 5, of which two have taken a put, are updated to PTL_MD_THRESH_INF: they take six puts and six gets and read the same. Updated to 1 they take one more, and with PTL_MD_THRESH_INF again any number.",
  requirements = { "P30-146", "P30-147" },
  run = function(t)
    local rank = loopback(t)
    local options <const> = PUT .. "|" .. GET .. "|" .. REMOTE
    local function update(threshold)
      rank:md { name = "new", region = "buf", options = options, threshold = threshold, eventq = "eq" }
      rank:md_update { new = "new" }
    end
    local function serves(req, verb)
      rank[verb](rank, { mem_desc = "out-md", target = rank, match_bits = 0 })
      t:event(req, rank, "eq", { type = "PTL_EVENT_" .. verb:upper() })
    end
    for _, threshold in ipairs { 0, 2, 5 } do
      local req = threshold == 0 and "P30-146" or "P30-147"
      rank:attach { options = options, threshold = threshold, eventq = "eq" }
      if threshold > 0 then serves(req, "put") end
      update("inf")
      for _ = 1, 6 do
        for _, verb in ipairs { "put", "get" } do serves(req, verb) end
        t:equal("P30-147", "threshold", current(t, rank).threshold, "inf")
      end
      update(1)
      serves("P30-147", "put")
      refuses(t, "P30-147", rank)
      update("inf")
      for _ = 1, 3 do serves("P30-146", "put") end
      t:equal("P30-147", "threshold in the end", current(t, rank).threshold, "inf")
    end
  end,
}

case {
  id = "md-threshold-infinite",
  title = "PTL_MD_THRESH_INF is never used up",
  purpose = "After two thousand puts, and after as many more as there is time for, up to seventy thousand, the descriptor still takes requests and its threshold is still infinite.",
  requirements = { "P30-147" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { threshold = "inf", options = PUT .. "|" .. REMOTE, eventq = "none" }
    local before = rank:drop_count()
    local begin, puts = t:now(), 0
    repeat
      local result = rank:batch(2000, { { "PtlPut", { mem_desc = "out-md", ack_req = "PTL_NOACK_REQ",
        target = t.gid(rank.id), portal = 0, cookie = 0, match_bits = 0, offset = 0 } } })
      t:equal("P30-147", "puts that were called", result.runs, 2000)
      t:flush(rank, rank)
      puts = puts + result.runs
    until puts >= MANY_PUTS or t:now() - begin > MANY_MS
    rank:md { name = "seen", options = PUT .. "|" .. REMOTE, eventq = "eq" }
    rank:me_insert { match_bits = 1, current = "me", handle = "last" }
    rank:md_attach { match = "last", mem_desc = "seen", handle = "last-md" }
    put(rank, { match_bits = 1 })
    t:event("P30-147", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = 1 })
    t:equal("P30-147", "dropped requests", rank:drop_count() - before, 0)
    t:equal("P30-147", "threshold", current(t, rank).threshold, "inf")
  end,
}

for ending, attached, of_replies in each { { "", false, "P30-149" }, { "-of-an-attached-one", true, "P30-148" } } do
  case {
    id = "md-threshold-local-operations" .. ending,
    title = "Local operations, replies and sends leave the threshold alone" .. (attached and ", also in a list" or ""),
    purpose = "A bound descriptor of threshold 8, or one that stands in a list, is read by PtlMDUpdate, put from twice and got into twice, then twice more by replies of no octets: all succeed and the threshold stays 8. Later revisions count whatever is logged.",
    requirements = { "P30-148", "P30-150", "P30-157", not attached and "P30-149" or nil },
    run = function(t)
      local rank = loopback(t)
      rank:attach { options = PUT .. "|" .. GET .. "|" .. REMOTE }
      rank:region("own", 40, { fill = "mix/2" })
      if attached then
        rank:attach {
          index = 1, me = "own-me", region = "own", threshold = 8, options = PUT, md = "once", eventq = "eq",
        }
      else
        rank:md { region = "own", threshold = 8, options = 0, eventq = "eq" }
        rank:md_bind { handle = "once" }
      end
      for _ = 1, 5 do current(t, rank, "once") end
      t:equal("P30-148", "threshold after reading it", current(t, rank, "once").threshold, 8)
      for _ = 1, 2 do
        t:rc("P30-150", rank:PtlPut { mem_desc = "once", target = rank }, "PTL_OK")
        t:event("P30-150", rank, "eq", { type = "PTL_EVENT_SENT" })
      end
      t:reading("P30-150", "threshold_counts", "threshold after sending twice", current(t, rank, "once").threshold,
        { { "remote_requests", 8 }, { "every_event", 6 } })
      for _ = 1, 2 do
        rank:get { mem_desc = "once", target = rank }
        t:event("P30-157", rank, "eq", { type = "PTL_EVENT_REPLY", mlength = 40 })
      end
      t:reading(of_replies, "threshold_counts", "threshold after two replies",
        current(t, rank, "once").threshold, { { "remote_requests", 8 }, { "every_event", 4 } })
      rank:attach { index = 2, me = "void-me", md = "void-md", desc = "void", start = "null", length = 0,
        options = GET .. "|" .. REMOTE .. "|" .. TRUNCATE }
      for _ = 1, 2 do
        rank:get { mem_desc = "once", target = rank, portal = 2 }
        t:event("P30-157", rank, "eq", { type = "PTL_EVENT_REPLY", mlength = 0 })
      end
      t:reading(of_replies, "threshold_counts", "threshold after two replies of no octets",
        current(t, rank, "once").threshold, { { "remote_requests", 8 }, { "every_event", 2 } })
    end,
  }
end

case {
  id = "md-threshold-of-one-left-by-own-messages",
  title = "A descriptor of threshold 1 sends, and is got into, as often as its owner likes",
  purpose = "Descriptors of threshold 1, bound and in lists that keep or unlink them, are put from twice, with an acknowledgement and without, and got into twice. The threshold stays 1. Later revisions count whatever is logged.",
  requirements = { "P30-149", "P30-150" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { options = PUT .. "|" .. GET .. "|" .. REMOTE }
    rank:region("own", 40)
    for i, kind in ipairs { "bound", "PTL_RETAIN", "PTL_UNLINK" } do
      local md = "one" .. i
      rank:md { name = "desc" .. i, region = "own", threshold = 1, options = PUT, eventq = "eq" }
      if kind == "bound" then
        rank:md_bind { mem_desc = "desc" .. i, handle = md }
      else
        rank:me_attach { index = i, handle = "me" .. i }
        rank:md_attach { match = "me" .. i, mem_desc = "desc" .. i, handle = md, unlink = kind }
      end
      local function counts(req, what)
        local now = rank:PtlMDUpdate { mem_desc = md, old = "was" }
        return t:reading(req, "threshold_counts", "threshold after " .. what,
          now.rc == "PTL_OK" and now.old.threshold or 0, { { "remote_requests", 1 }, { "every_event", 0 } })
          ~= "remote_requests"
      end
      for _, ack in ipairs { "PTL_NOACK_REQ", "PTL_ACK_REQ" } do
        t:rc("P30-150", rank:PtlPut { mem_desc = md, target = rank, ack_req = ack }, "PTL_OK")
        rank:collect("eq", ack == "PTL_ACK_REQ" and 2 or 1)
        if counts("P30-150", "a put") then
          return t:check("P30-149", "replies are not looked at where sending counts", true)
        end
      end
      for _ = 1, 2 do
        rank:get { mem_desc = md, target = rank }
        t:event("P30-149", rank, "eq", { type = "PTL_EVENT_REPLY", mlength = 40 })
        counts("P30-149", "a reply")
      end
    end
  end,
}

case {
  id = "md-threshold-left-by-refused-updates",
  title = "An update that is refused leaves the threshold alone",
  purpose = "A descriptor of threshold 8, in a list and bound, is to be updated while its test queue holds an event, to values that are illegal, and with a queue that is gone; and it is read while the test queue holds an event. The threshold stays 8.",
  requirements = { "P30-148" },
  run = function(t)
    local rank = loopback(t)
    rank:eq("busy")
    rank:attach { index = 1, me = "busy-me", md = "busy-md", options = PUT, eventq = "busy" }
    put(rank, { portal = 1 })
    t:flush(rank, rank)
    rank:attach { threshold = 8, options = PUT, md = "listed" }
    rank:md { name = "eight", threshold = 8, options = 0 }
    rank:md_bind { mem_desc = "eight", handle = "bound" }
    rank:md { name = "wrong", start = "null", length = 1, threshold = 8 }
    rank:eq("gone")
    rank:eq_free { eventq = "gone" }
    for _, md in ipairs { "listed", "bound" } do
      local refused = 0
      for _, given in ipairs { { new = "eight", testq = "busy" }, { new = "wrong" }, { new = "eight", testq = "gone" },
        { old = "was", testq = "busy" } } do
        given.mem_desc = md
        refused = refused + (rank:PtlMDUpdate(given).rc ~= "PTL_OK" and 1 or 0)
        t:equal("P30-148", "threshold of the " .. md .. " one", current(t, rank, md).threshold, 8)
      end
      t:sanity("the updates were refused", refused >= 3)
    end
  end,
}

case {
  id = "md-options-of-nothing",
  title = "What a descriptor does not respond to it rejects also where no octet is asked for",
  purpose = "Puts and gets of no octets come to descriptors of 60 octets and of none, for no operation, for puts and for gets: what is not enabled is dropped.",
  requirements = { "P30-151", "P30-152", "P30-153", "P30-154" },
  run = function(t)
    local rank = loopback(t)
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    for _, length in ipairs { 60, 0 } do
      for _, options in ipairs { "0", PUT, GET, REMOTE, TRUNCATE } do
        for verb, option, refused, taken in each { { "put", PUT, "P30-151", "P30-153" },
          { "get", GET, "P30-152", "P30-154" } } do
          rank:attach { start = length == 0 and "null" or "buf", length = length, options = options, eventq = "eq" }
          local before = rank:drop_count()
          rank[verb](rank, { mem_desc = "void-md", target = rank })
          if options == option then
            t:event(taken, rank, "eq", { type = "PTL_EVENT_" .. verb:upper(), mlength = 0 })
          else
            t:drops(refused, rank, before, 1)
            t:equal(refused, "events of a " .. verb .. " that is not enabled", rank:PtlEQCount().count, 0)
          end
        end
      end
    end
  end,
}

case {
  id = "md-no-options",
  title = "A descriptor that responds to neither puts nor gets is no error",
  purpose = "Such a descriptor is bound and attached.",
  requirements = { "P30-156" },
  run = function(t)
    local rank = t:open {}
    rank:region("buf", 8)
    rank:me_attach {}
    rank:md { options = 0 }
    t:rc("P30-156", rank:PtlMDBind { handle = "bound" }, "PTL_OK")
    t:rc("P30-156", rank:PtlMDAttach {}, "PTL_OK")
  end,
}

case {
  id = "md-options-put-get",
  title = "A descriptor does what its options enable and nothing else",
  purpose = "For no option, put, get and both, and for put and get beside each other option: a put and a get are tried on each.",
  requirements = { "P30-151", "P30-152", "P30-153", "P30-154", "P30-155", "P30-324" },
  run = function(t)
    local rank = loopback(t)
    rank:eq("reply-eq")
    rank:bind { region = "in", octets = 40, md = "in-md", eventq = "reply-eq" }
    local rows = { { 0, false, false }, { PUT, true, false }, { GET, false, true }, { PUT .. "|" .. GET, true, true } }
    for _, beside in ipairs { TRUNCATE, REMOTE, "PTL_MD_ACK_DISABLE" } do
      rows[#rows + 1] = { PUT .. "|" .. beside, true, false }
      rows[#rows + 1] = { GET .. "|" .. beside, false, true }
    end
    for options, takes_put, takes_get in each(rows) do
      rank:attach { options = options, eventq = "eq" }
      t:judging(takes_put and "P30-153" or "P30-151")
      if takes_put then
        put(rank)
        t:event(takes_get and "P30-155" or "P30-153", rank, "eq", { type = "PTL_EVENT_PUT" })
      else
        refuses(t, "P30-151", rank)
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
  id = "md-ack-disable",
  title = "PTL_MD_ACK_DISABLE suppresses acknowledgements; without it they are sent",
  purpose = "Two entries, one of them with the option; both puts ask for an acknowledgement, exactly one comes.",
  requirements = { "P30-170", "P30-171", "P30-260" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:region("buf", 100)
    to:attach { match_bits = 1, me = "me1", md = "md1", options = PUT .. "|" .. REMOTE .. "|PTL_MD_ACK_DISABLE" }
    to:me_insert { match_bits = 2, current = "me1", handle = "me2" }
    to:add_md { me = "me2", md = "md2", options = PUT .. "|" .. REMOTE }
    from:eq("eq")
    from:bind { region = "out", octets = 40, md = "out-md", eventq = "eq" }
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
  id = "md-ack-for-all-that-is-accepted",
  title = "Every accepted put that requests it is acknowledged, however much of it was stored",
  purpose = "A region of 60 octets with a local offset takes a put of 40 whole, one of 40 in half, one of 40 not at all, and an empty one. Each has its acknowledgement, which says how much was taken.",
  requirements = { "P30-171" },
  run = function(t)
    local rank = loopback(t, 60)
    rank:eq("acks")
    rank:attach { options = PUT .. "|" .. TRUNCATE }
    rank:bind { desc = "forty", region = "source", md = "forty-md", eventq = "acks" }
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md", eventq = "acks" }
    for i, row in ipairs { { "forty-md", 40 }, { "forty-md", 20 }, { "forty-md", 0 }, { "void-md", 0 } } do
      put(rank, { mem_desc = row[1], ack_req = "PTL_ACK_REQ" })
      local acks = {}
      for _, event in ipairs((rank:collect("acks", 2))) do
        acks[#acks + 1] = event.type == "PTL_EVENT_ACK" and event.mlength or nil
      end
      t:equal("P30-171", "manipulated length in the acknowledgements of put " .. i, acks, { row[2] })
    end
    t:equal("P30-171", "further events", rank:PtlEQCount { eventq = "acks" }.count, 0)
  end,
}

case {
  id = "md-user-pointer",
  title = "The user pointer comes back in events unchanged",
  purpose = "Zero, one, all ones and a pattern.",
  requirements = { "P30-173", "P30-235" },
  run = function(t)
    local rank = loopback(t)
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
  id = "md-null-region-always-refused",
  title = "No address and a length are refused whatever else a descriptor says",
  purpose = "NULL with a length of 1, 2 and 100 octets, with thresholds of 0, 1 and without end, and with options and without: none is bound, attached or given by an update.",
  requirements = { "P30-136" },
  run = function(t)
    local rank = loopback(t)
    rank:me_attach { index = 1, handle = "bare" }
    for _, length in ipairs { 1, 2, 100 } do
      for _, threshold in ipairs { 0, 1, "inf" } do
        for _, options in ipairs { "0", PUT .. "|" .. GET, TRUNCATE } do
          rank:md { name = "bad", start = "null", length = length, threshold = threshold, options = options }
          t:rc("P30-136", rank:PtlMDBind { mem_desc = "bad", handle = "bad-md" }, "PTL_ILL_MD")
          t:rc("P30-136", rank:PtlMDAttach { match = "bare", mem_desc = "bad", handle = "bad-md" }, "PTL_ILL_MD")
          t:rc("P30-136", rank:PtlMDUpdate { mem_desc = "out-md", new = "bad" }, "PTL_ILL_MD")
        end
      end
    end
  end,
}

case {
  id = "md-no-options-in-every-way",
  title = "A descriptor that responds to nothing is no error, whatever else it says",
  purpose = "With neither put nor get, but other options or none, thresholds of 0, 1 and without end, and either unlink flag, descriptors are bound, attached, inserted and updated.",
  requirements = { "P30-156" },
  run = function(t)
    local rank = t:open {}
    rank:region("buf", 8)
    for _, unlink in ipairs { "PTL_RETAIN", "PTL_UNLINK" } do
      for _, threshold in ipairs { 0, 1, "inf" } do
        for _, options in ipairs { "0", TRUNCATE, REMOTE, TRUNCATE .. "|" .. REMOTE .. "|PTL_MD_ACK_DISABLE" } do
          rank:md { region = "buf", options = options, threshold = threshold }
          rank:me_attach {}
          t:rc("P30-156", rank:PtlMDAttach { unlink = unlink }, "PTL_OK")
          t:rc("P30-156", rank:PtlMDBind { handle = "bound" }, "PTL_OK")
          for _, md in ipairs { "bound", "md" } do
            t:rc("P30-156", rank:PtlMDUpdate { mem_desc = md, new = "desc" }, "PTL_OK")
          end
          if Revision.name == "portals-3.0" then -- later ones have no PtlMDInsert
            t:rc("P30-156", rank:PtlMDInsert { unlink = unlink, current = "md", handle = "more" }, "PTL_OK")
          end
          rank:me_unlink {}
          rank:md_unlink { mem_desc = "bound" }
        end
      end
    end
  end,
}
