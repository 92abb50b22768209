-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.7: what counts on the threshold, when a descriptor is unlinked, what is inactive.

defaults { suite = "memory-descriptors", chapter = "3.7.1", still = { "P33-179", "P33-196" } }

-- A rank with a queue and a descriptor "out-md" of 8 octets to put from.
local function alone(t)
  local rank = t:open {}
  rank:eq("eq", 64)
  rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
  return rank
end

-- A process with descriptors "opener-md" of nothing and "large-md" of 16 MiB, and a peer that has taken a put and does
-- not read any more.
local function before_a_large_put(t)
  local rank, peer = t:open {}, t:peer {}
  rank:eq()
  rank:bind { length = 0, start = "null", desc = "opener", md = "opener-md" }
  rank:put { mem_desc = "opener-md", target = t.nid(peer.id) }
  local stream = t:accept(peer)
  t:sanity("the first put arrives", stream:receive() ~= nil)
  stream:stop_reading()
  rank:bind { region = "large", octets = 16 << 20, md = "large-md", eventq = "eq" }
  return rank, peer, stream
end

-- The next event that ends an operation; nil when there is none.
local function done(rank, eq)
  return rank:wait_done(eq or "eq").event
end

case {
  id = "threshold-of-requests",
  title = "A descriptor performs as many operations as its threshold says",
  purpose = "A threshold of 2 and three puts: the third one is dropped. The copies in the events tell what is left.",
  requirements = { "P32-141", "P32-142" },
  run = function(t)
    local rank = alone(t)
    rank:attach { octets = 32, threshold = 2, eventq = "eq" }
    local left = {}
    for i = 1, 2 do
      rank:put { mem_desc = "out-md", target = rank }
      local event = done(rank)
      t:check("P32-141", "a put within the threshold is logged", event ~= nil, "an event", "none")
      left[i] = Descriptor.current(t, rank).threshold
    end
    local before = rank:drop_count()
    rank:put { mem_desc = "out-md", target = rank }
    t:drops("P32-141", rank, before, 1)
    t:equal("P32-142", "what was left of the threshold", left, { 1, 0 })
  end,
}

case {
  id = "threshold-beyond-16-bits",
  title = "A threshold is more than its lowest 16 bits",
  purpose = "A threshold of 0x20002 and three puts: all of them arrive, and the copies tell what is left.",
  requirements = { "P32-141", "P32-142" },
  run = function(t)
    local rank = alone(t)
    rank:attach { octets = 32, threshold = 0x20002, eventq = "eq" }
    for i = 1, 3 do
      rank:put { mem_desc = "out-md", target = rank }
      local event = done(rank)
      t:check("P32-141", "put " .. i .. " is logged", event ~= nil, "an event", "none")
    end
    t:equal("P32-142", "what is left of the threshold", Descriptor.current(t, rank).threshold, 0x1ffff)
  end,
}

case {
  id = "threshold-raised-from-zero",
  title = "A descriptor that was made with a threshold of zero serves once it has a higher one",
  purpose = "It drops a put, is given a threshold of 1 by PtlMDUpdate, takes the next put and drops the third.",
  requirements = { "P32-146", "P32-145" },
  run = function(t)
    local rank = alone(t)
    local function refuses()
      local before = rank:drop_count()
      rank:put { mem_desc = "out-md", target = rank }
      t:drops("P32-145", rank, before, 1)
    end
    rank:attach { octets = 32, threshold = 0, eventq = "eq" }
    refuses()
    rank:md { name = "armed", threshold = 1, options = "PTL_MD_OP_PUT", eventq = "eq" }
    t:rc("P32-146", rank:PtlMDUpdate { new = "armed" }, "PTL_OK")
    rank:put { mem_desc = "out-md", target = rank }
    local event = done(rank)
    t:equal("P32-146", "the event of the next put", event and event.type, "PTL_EVENT_PUT_END")
    refuses()
  end,
}

for name, threshold in each { { "operations", 6 }, { "many-operations", 0x10006 },
    { "most-operations", 0x7fffffff } } do
  case {
    id = "threshold-of-own-" .. name,
    title = "A put and the reply to a get lower the threshold of the descriptor they begin on",
    purpose = "Both on one descriptor with a threshold of " .. threshold
      .. "; behind their last events it is what is left. A second put is acknowledged, which counts too.",
    requirements = { "P32-142" },
    run = function(t)
      local rank = alone(t)
      rank:attach { octets = 64, options = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE" }
      rank:bind { region = "own", octets = 8, threshold = threshold, md = "own-md", eventq = "eq" }
      local function left()
        return t:setup(rank:PtlMDUpdate { mem_desc = "own-md", old = "was" }).old.threshold
      end
      t:skip_if(left() == "inf", "PTL_MD_THRESH_INF is this number")
      rank:put { mem_desc = "own-md", target = rank }
      local event = done(rank)
      t:check("P32-142", "the put is logged", event ~= nil, "an event", "none")
      t:equal("P32-142", "what is left behind the put", left(), threshold - 1)
      rank:get { mem_desc = "own-md", target = rank }
      repeat event = done(rank) until not event or event.type == "PTL_EVENT_REPLY_END" -- a get may be told as sent, too
      local by_get = threshold - 1 - (event and left() or 0)
      if by_get ~= 2 or Revision.name ~= "portals-3.2" then -- which may count a get when it begins as well
        t:equal("P32-142", "what the reply takes of the threshold", by_get, 1)
      end
      rank:put { mem_desc = "own-md", ack_req = "PTL_ACK_REQ", target = rank }
      t:sanity("the second put is sent and acknowledged", #rank:collect("eq", 3) == 3)
      t:equal("P32-142", "what is left behind the acknowledgement", left(), threshold - 3 - by_get)
    end,
  }
end

case {
  id = "threshold-of-sending",
  title = "Sending lowers the threshold of a descriptor, and without any left nothing is sent from it",
  purpose = "A bound descriptor with a threshold of 1: one put, then another one.",
  requirements = { "P32-150", "P32-145" },
  run = function(t)
    local rank = alone(t)
    rank:attach { octets = 64, options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE" }
    rank:bind { region = "once", octets = 8, threshold = 1, md = "once-md", eventq = "eq" }
    t:rc("P32-150", rank:PtlPut { mem_desc = "once-md", target = rank }, "PTL_OK")
    local event = done(rank)
    t:equal("P32-150", "the event that ends the operation", event and event.type, "PTL_EVENT_SEND_END")
    local now = rank:PtlMDUpdate { mem_desc = "once-md", old = "was" }
    local left = now.old and now.old.threshold
    -- In 3.2 a bound descriptor may go by itself when nothing is left.
    t:check("P32-150", "what is left of the threshold", left == 0 or now.rc == "PTL_INV_MD", 0, left or now.rc)
    t:rc("P32-145", rank:PtlPut { mem_desc = "once-md", target = rank }, "PTL_INV_MD")
  end,
}

case {
  id = "threshold-of-replies",
  title = "A reply lowers the threshold of the descriptor that receives it",
  purpose = "A get into a bound descriptor with a threshold of 5, and one into an attached one; neither has options.",
  requirements = { "P32-149", "P32-157", "P32-314" },
  run = function(t)
    local rank = alone(t)
    rank:attach { octets = 8, fill = "mix/3", options = "PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE" }
    rank:bind { region = "in", octets = 8, threshold = 5, md = "in-md", eventq = "eq" }
    rank:get { mem_desc = "in-md", target = rank }
    local event
    repeat event = done(rank) until not event or event.type == "PTL_EVENT_REPLY_END"
    t:check("P32-314", "the reply is logged", event ~= nil, "PTL_EVENT_REPLY_END", "none")
    t:octets("P32-157", "what was asked for", rank, "in", "mix/3")
    local left = Descriptor.current(t, rank, "in-md").threshold
    t:check("P32-149", "the threshold is lower", left < 5, "below 5", left)
    rank:attach { index = 2, me = "kept-me", md = "kept-md", desc = "kept", region = "kept-buf", octets = 8,
      options = 0, eventq = "eq" }
    rank:get { mem_desc = "kept-md", target = rank }
    repeat event = done(rank) until not event or event.type == "PTL_EVENT_REPLY_END"
    t:check("P32-314", "the reply to an attached one is logged", event ~= nil, "PTL_EVENT_REPLY_END", "none")
    t:octets("P32-314", "what the attached one asked for", rank, "kept-buf", "mix/3")
  end,
}

for name, options in each { { "acknowledgements", "PTL_MD_ACK_DISABLE" }, { "cutting", "PTL_MD_TRUNCATE" },
  { "puts", "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE" } } do
  case {
    id = "reply-whatever-options-" .. name,
    title = "A descriptor takes replies whatever its options are",
    purpose = "A get into a descriptor with " .. options .. ".",
    requirements = { "P32-157" },
    run = function(t)
      local rank = alone(t)
      rank:attach { octets = 8, fill = "mix/3", options = "PTL_MD_OP_GET" }
      rank:bind { region = "in", octets = 8, options = options, md = "in-md", eventq = "eq" }
      rank:get { mem_desc = "in-md", target = rank }
      local event
      repeat event = done(rank) until not event or event.type == "PTL_EVENT_REPLY_END"
      t:check("P32-157", "the reply is logged", event ~= nil, "PTL_EVENT_REPLY_END", "none")
      t:octets("P32-157", "what was asked for", rank, "in", "mix/3")
    end,
  }
end

case {
  id = "unlinked-by-threshold",
  title = "A descriptor with PTL_UNLINK goes when its threshold is exhausted, one with PTL_RETAIN stays",
  purpose = "Both with a threshold of 1 and a put to each.",
  chapter = "3.7.2", requirements = { "P32-179", "P32-354" },
  run = function(t)
    local rank = alone(t)
    for i, unlink in ipairs { "PTL_UNLINK", "PTL_RETAIN" } do
      rank:eq("eq" .. i)
      rank:attach { index = i, me = "me" .. i, md = "md" .. i, desc = "desc" .. i, region = "buf" .. i, octets = 8,
        threshold = 1, md_unlink = unlink, eventq = "eq" .. i }
    end
    for i = 1, 2 do rank:put { mem_desc = "out-md", target = rank, portal = i } end
    local kept, gone = rank:collect("eq2", 2), rank:collect("eq1", 3)
    t:equal("P32-179", "the events of the one that stays", Test.types(kept),
      { "PTL_EVENT_PUT_END", "PTL_EVENT_PUT_START" })
    t:equal("P32-354", "the number of events of the one that goes", #gone, 3)
    t:equal("P32-354", "the last of them", gone[3].type, "PTL_EVENT_UNLINK")
    t:rc("P32-179", rank:PtlMDUnlink { mem_desc = "md1" }, "PTL_INV_MD")
    t:rc("P32-179", rank:PtlMDUnlink { mem_desc = "md2" }, "PTL_OK")
  end,
}

local UNLINKING = { { "unlink", "PTL_UNLINK", "PTL_UNLINK" }, { "retain", "PTL_RETAIN", "PTL_RETAIN" },
  { "either", "PTL_UNLINK", "PTL_RETAIN" }, { "other", "PTL_RETAIN", "PTL_UNLINK" } }
for name, unlink, nofit in each(UNLINKING) do
  case {
    id = "attach-words-" .. name,
    title = "PtlMDAttach takes PTL_UNLINK and PTL_RETAIN for both occasions of unlinking",
    purpose = "A descriptor is attached with this pair of words, and a put arrives.",
    chapter = "3.7.2", requirements = { "P32-345" },
    run = function(t)
      local rank = alone(t)
      rank:me_attach {}
      rank:region("buf", 8)
      rank:md { options = "PTL_MD_OP_PUT", eventq = "eq" }
      t:rc("P32-345", rank:PtlMDAttach { unlink = unlink, nofit = nofit }, "PTL_OK")
      rank:put { mem_desc = "out-md", target = rank }
      local event = done(rank)
      t:equal("P32-345", "the event of a put", event and event.type, "PTL_EVENT_PUT_END")
    end,
  }
end

for name, unlink, nofit in each(UNLINKING) do
  case {
    id = "attach-words-mean-" .. name,
    title = "Each of the two words of PtlMDAttach says what it is for, whatever the other one says",
    purpose = "Descriptors of 12 octets with " .. unlink .. ", for what does not fit " .. nofit
      .. ", with a largest offset of 10 and with none: one has no room for a second message, and one serves the only "
      .. "one that it is for; then their handles.",
    chapter = "3.7.2", requirements = { "P32-345" },
    run = function(t)
      local rank = alone(t)
      rank:bind { region = "long", octets = 12, desc = "long-desc", md = "long-md" }
      local function attached(index, threshold, offset)
        rank:attach { index = index, me = "me" .. index, md = "md" .. index, desc = "desc" .. index,
          region = "buf" .. index, octets = 12, max_offset = offset, threshold = threshold, md_unlink = unlink,
          nofit = nofit, options = "PTL_MD_OP_PUT", eventq = "eq" }
      end
      local function gone(index, word)
        t:flush(rank, rank)
        t:rc("P32-345", rank:PtlMDUpdate { mem_desc = "md" .. index, old = "was" },
          word == "PTL_UNLINK" and "PTL_INV_MD" or "PTL_OK")
      end
      for index, offset in each { { 0, 10 }, { 1, nil } } do
        attached(index, 9, offset)
        for _, source in ipairs { "out-md", "long-md" } do
          rank:put { mem_desc = source, target = rank, portal = index }
        end
        gone(index, nofit)
        attached(index + 2, 1, offset)
        rank:put { mem_desc = "out-md", target = rank, portal = index + 2 }
        gone(index + 2, unlink)
      end
    end,
  }
end

case {
  id = "unlinked-by-no-fit",
  title = "A descriptor that is to go when a message does not fit goes then, and the next entry is tried",
  purpose = "A descriptor with room for one and a half messages; the second message arrives in the entry behind it.",
  chapter = "3.7.2", requirements = { "P32-346" },
  run = function(t)
    local rank = alone(t)
    rank:eq("next", 16)
    rank:attach { octets = 12, nofit = "PTL_UNLINK", eventq = "eq" }
    rank:attach { me = "me2", md = "md2", desc = "desc2", region = "buf2", octets = 8, eventq = "next" }
    rank:put { mem_desc = "out-md", target = rank }
    t:judging("P32-346")
    local event = done(rank)
    t:equal("P32-346", "the event of the message that fits", event and event.type, "PTL_EVENT_PUT_END")
    rank:put { mem_desc = "out-md", target = rank }
    event = done(rank, "next")
    t:equal("P32-346", "the event of the one that does not, at the next entry", event and event.type,
      "PTL_EVENT_PUT_END")
    t:octets("P32-346", "its octets", rank, "buf2", "mix/1")
    t:rc("P32-346", rank:PtlMDUnlink {}, "PTL_INV_MD")
  end,
}

case {
  id = "stays-when-it-can-be-cut",
  title = "A descriptor that is to go when a message does not fit takes one that it may cut",
  purpose = "A descriptor of 12 octets with PTL_MD_TRUNCATE: the second message of 8 octets is cut to 4 there, and no entry behind it gets it.",
  chapter = "3.7.2", requirements = { "P32-346" },
  run = function(t)
    local rank = alone(t)
    rank:attach { octets = 12, options = "PTL_MD_OP_PUT|PTL_MD_TRUNCATE", nofit = "PTL_UNLINK", eventq = "eq" }
    rank:attach { me = "me2", md = "md2", desc = "desc2", region = "buf2", octets = 8, eventq = "eq" }
    for _, length in ipairs { 8, 4 } do
      rank:put { mem_desc = "out-md", target = rank }
      local event = done(rank)
      t:equal("P32-346", "where it arrives, and how much of it", event and { event.md_handle, event.mlength },
        { "md", length })
    end
  end,
}

case {
  id = "stays-when-nothing-comes",
  title = "A message of no octets always fits",
  purpose = "A descriptor of 12 octets that is to go when a message does not fit takes one of no octets, one of 8, one of 4, and one of no octets behind its end. It is still there, and goes with the next one of 8.",
  chapter = "3.7.2", requirements = { "P32-346" },
  run = function(t)
    local rank = alone(t)
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    rank:bind { region = "out", length = 4, desc = "half", md = "half-md" }
    rank:attach { octets = 12, nofit = "PTL_UNLINK", eventq = "eq" }
    rank:attach { me = "me2", md = "md2", desc = "desc2", region = "buf2", octets = 8, eventq = "eq" }
    for source, octets, taker in each { { "void-md", 0, "md" }, { "out-md", 8, "md" }, { "half-md", 4, "md" },
      { "void-md", 0, "md" }, { "out-md", 8, "md2" } } do
      rank:put { mem_desc = source, target = rank }
      local event = done(rank)
      if event and event.type == "PTL_EVENT_UNLINK" then event = done(rank) end
      t:equal("P32-346", "who takes " .. octets .. " octets", event and { event.type, event.md_handle, event.mlength },
        { "PTL_EVENT_PUT_END", taker, octets })
    end
    t:rc("P32-346", rank:PtlMDUnlink {}, "PTL_INV_MD")
  end,
}

case {
  id = "unlinked-by-sending",
  title = "A descriptor in a list that sending has used up goes as if it had been used up by requests",
  purpose = "Descriptors with a threshold of 1, with PTL_UNLINK and with PTL_RETAIN, each the source of a put; then both handles.",
  chapter = "3.7.2", requirements = { "P32-179" }, still = { "P33-179" },
  run = function(t)
    local rank = alone(t)
    rank:attach { index = 3, me = "sink-me", md = "sink-md", desc = "sink", region = "sink-buf", octets = 8 }
    t:flush(rank, rank) -- what it needs of its own must not get the handle that becomes free below
    for i, unlink in ipairs { "PTL_UNLINK", "PTL_RETAIN" } do
      rank:attach { index = i, me = "me" .. i, md = "md" .. i, desc = "desc" .. i, region = "buf" .. i, octets = 8,
        threshold = 1, md_unlink = unlink }
    end
    for i = 1, 2 do rank:put { mem_desc = "md" .. i, target = rank, portal = 3 } end
    t:flush(rank, rank)
    t:md_unlinked("P32-179", rank, "md1")
    t:rc("P32-179", rank:PtlMDUpdate { mem_desc = "md2", old = "was" }, "PTL_OK")
  end,
}

case {
  id = "largest-offset-in-copies",
  title = "A descriptor's largest offset comes back as it was given",
  purpose = "A descriptor of 40 octets with 12 as max_offset: the copies in the event of a put and from PtlMDUpdate.",
  only = true, requirements = { "P32-235", "P32-202" },
  run = function(t)
    local rank = alone(t)
    rank:attach { octets = 40, max_offset = 12, eventq = "eq" }
    rank:put { mem_desc = "out-md", target = rank }
    local event = done(rank)
    t:equal("P32-235", "max_offset in the event", event and event.mem_desc.max_offset, 12)
    t:equal("P32-202", "max_offset in the old value", t:setup(rank:PtlMDUpdate { old = "was" }).old.max_offset, 12)
  end,
}

case {
  id = "stays-when-it-is-not-asked",
  title = "A descriptor that is to go when a message does not fit stays when it would not serve the message anyway",
  purpose = "A get that is too long for a descriptor of puts: it is dropped, and a put that fits arrives there.",
  chapter = "3.7.2", requirements = { "P32-346" },
  run = function(t)
    local rank = alone(t)
    rank:bind { region = "in", octets = 20, desc = "in-desc", md = "in-md" }
    rank:attach { octets = 12, nofit = "PTL_UNLINK", eventq = "eq" }
    local before = rank:drop_count()
    rank:get { mem_desc = "in-md", target = rank }
    t:judging("P32-346")
    t:drops("P32-346", rank, before, 1)
    rank:put { mem_desc = "out-md", target = rank }
    local event = done(rank)
    t:equal("P32-346", "the event of the put", event and event.type, "PTL_EVENT_PUT_END")
    t:rc("P32-346", rank:PtlMDUnlink {}, "PTL_OK")
  end,
}

case {
  id = "unlinked-beyond-max-offset",
  title = "A descriptor with PTL_UNLINK goes when its offset passes max_offset, and not before",
  purpose = "A region for five messages and a maximum offset of 12: it takes two messages and is gone.",
  chapter = "3.7.2", requirements = { "P32-179" }, still = {},
  run = function(t)
    local rank = alone(t)
    rank:attach { octets = 40, max_offset = 12, md_unlink = "PTL_UNLINK", eventq = "eq" }
    rank:put { mem_desc = "out-md", target = rank }
    t:judging("P32-179")
    local event = done(rank)
    t:equal("P32-179", "the event of the first message", event and event.type, "PTL_EVENT_PUT_END")
    t:flush(rank, rank)
    t:equal("P32-179", "what the queue has besides", rank:PtlEQGet().rc, "PTL_EQ_EMPTY")
    rank:put { mem_desc = "out-md", target = rank }
    t:flush(rank, rank)
    t:rc("P32-179", rank:PtlMDUnlink {}, "PTL_INV_MD")
  end,
}

case {
  id = "inactive-beyond-max-offset",
  title = "A descriptor whose offset has passed max_offset is inactive, and not before",
  purpose = "A region for five messages and a maximum offset of 12: the third message is dropped. With one of 16, where that message begins, the fourth one is.",
  requirements = { "P32-347" },
  run = function(t)
    local rank = alone(t)
    for portal, most, fitting in each { { 0, 12, 2 }, { 1, 16, 3 } } do
      rank:attach { index = portal, me = "me" .. portal, md = "md" .. portal, desc = "desc" .. portal,
        region = "buf" .. portal, octets = 40, max_offset = most, eventq = "eq" }
      for _ = 1, fitting do
        rank:put { mem_desc = "out-md", target = rank, portal = portal }
        local event = done(rank)
        t:equal("P32-347", "the event of a message before", event and event.type, "PTL_EVENT_PUT_END")
      end
      local before = rank:drop_count()
      rank:put { mem_desc = "out-md", target = rank, portal = portal }
      t:drops("P32-347", rank, before, 1)
    end
  end,
}

case {
  id = "update-tests-queue",
  title = "An update is performed only when the queue that it names is empty",
  purpose = "A put is logged in the queue of another descriptor; an update that names that queue is refused until both its events are taken.",
  chapter = "3.7.6", requirements = { "P32-203", "P32-204", "P32-205", "P32-206" },
  run = function(t)
    local rank = alone(t)
    rank:eq("other", 16)
    rank:attach { octets = 64, eventq = "eq" }
    rank:attach { index = 1, me = "me1", md = "md1", desc = "desc1", region = "buf1", octets = 8, eventq = "other" }
    rank:put { mem_desc = "out-md", target = rank, portal = 1 }
    t:flush(rank, rank)
    rank:md { name = "new", threshold = 9, options = "PTL_MD_OP_PUT", eventq = "eq" }
    for _ = 1, 2 do
      t:rc("P32-205", rank:PtlMDUpdate { new = "new", testq = "other" }, "PTL_NOUPDATE")
      t:rc("P32-206", rank:PtlMDUpdate { old = "was" }, "PTL_OK")
      rank:wait("other")
    end
    t:rc("P32-204", rank:PtlMDUpdate { new = "new", testq = "other" }, "PTL_OK")
    local result = t:rc("P32-204", rank:PtlMDUpdate { old = "was" }, "PTL_OK")
    t:equal("P32-204", "the threshold behind the update", result.old.threshold, 9)
    rank:md { name = "new", threshold = 7, options = "PTL_MD_OP_PUT", eventq = "eq" }
    t:rc("P32-203", rank:PtlMDUpdate { new = "new" }, "PTL_OK")
    result = t:rc("P32-203", rank:PtlMDUpdate { old = "was" }, "PTL_OK")
    t:equal("P32-203", "the threshold behind an update without a queue", result.old.threshold, 7)
  end,
}

case {
  id = "bound-stays-or-tells",
  only = true,
  title = "A bound descriptor stays until it is unlinked, or tells that it has gone",
  purpose = "A put exhausts its threshold of 1. Then it can be unlinked, and nothing else is logged; or it is gone, and an event says so.",
  chapter = "3.7.4", requirements = { "P32-196" },
  run = function(t)
    local rank = alone(t)
    rank:attach { octets = 8 }
    rank:bind { region = "once", octets = 8, threshold = 1, md = "once-md", eventq = "eq" }
    rank:put { mem_desc = "once-md", target = rank }
    local event = done(rank)
    t:equal("P32-196", "the last event of the put", event and event.type, "PTL_EVENT_SEND_END")
    local result = t:rc("P32-196", rank:PtlMDUnlink { mem_desc = "once-md" }, { "PTL_OK", "PTL_INV_MD" })
    if result.rc == "PTL_OK" then
      t:no_event("P32-196", rank, "eq", 0)
    else
      t:event("P32-196", rank, "eq", { type = "PTL_EVENT_UNLINK" })
    end
  end,
}

case {
  id = "bound-out-of-reach",
  title = "No request reaches a bound descriptor, and PtlMDUnlink releases it but not its memory",
  purpose = "A put to a portal without entries is dropped; the descriptor is unlinked, and its octets are as they were.",
  chapter = "3.7.4", requirements = { "P32-193", "P32-198", "P32-199", "P32-200" },
  run = function(t)
    local rank = alone(t)
    rank:bind { region = "bound", octets = 8, fill = "mix/4", md = "bound-md",
      options = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE" }
    local before = rank:drop_count()
    rank:put { mem_desc = "out-md", target = rank }
    t:drops("P32-193", rank, before, 1)
    t:rc("P32-198", rank:PtlMDUnlink { mem_desc = "bound-md" }, "PTL_OK")
    t:rc("P32-198", rank:PtlPut { mem_desc = "bound-md", target = rank }, "PTL_INV_MD")
    t:rc("P32-200", rank:PtlMDUnlink { mem_desc = "bound-md" }, "PTL_INV_MD")
    t:octets("P32-199", "the memory", rank, "bound", "mix/4")
  end,
}

case {
  id = "unlink-empties-entry",
  title = "PtlMDUnlink takes a descriptor from its entry, and an entry with PTL_UNLINK goes too",
  purpose = "The next entry receives; the entry's handle is not valid any more.",
  chapter = "3.7.5", requirements = { "P32-197", "P32-201" },
  run = function(t)
    local rank = alone(t)
    rank:attach { octets = 8, unlink = "PTL_UNLINK" }
    rank:attach { me = "me2", md = "md2", desc = "desc2", region = "buf2", octets = 8, eventq = "eq" }
    t:rc("P32-197", rank:PtlMDUnlink {}, "PTL_OK")
    t:rc("P32-201", rank:PtlMDAttach { handle = "again" }, "PTL_INV_ME")
    rank:put { mem_desc = "out-md", target = rank }
    local event = done(rank)
    t:equal("P32-197", "the descriptor that receives", event and event.md_handle, "md2")
  end,
}

case {
  id = "unlink-in-use",
  title = "PtlMDUnlink is refused while an operation on the descriptor is not complete",
  purpose = "A large put to a peer that does not read; when it has read all of it, the descriptor can be unlinked.",
  chapter = "3.7.5", wire = true, requirements = { "P32-359", "P32-254" },
  run = function(t)
    local rank, peer, stream = before_a_large_put(t)
    t:judging("P32-254")
    t:rc("P32-254", rank:PtlPut { mem_desc = "large-md", target = t.nid(peer.id) }, "PTL_OK")
    t:event("P32-359", rank, "eq", { type = "PTL_EVENT_SEND_START" })
    for _ = 1, 2 do t:rc("P32-359", rank:PtlMDUnlink { mem_desc = "large-md" }, "PTL_MD_INUSE") end
    stream:resume_reading()
    t:sanity("the large put arrives", stream:receive(20000) ~= nil)
    t:event("P32-359", rank, "eq", { type = "PTL_EVENT_SEND_END" }, 20000)
    local now = Descriptor.current(t, rank, "large-md")
    t:equal("P32-359", "threshold and length after it", { now.threshold, now.length }, { "inf", 16 << 20 })
    t:rc("P32-359", rank:PtlPut { mem_desc = "large-md", target = t.nid(peer.id) }, "PTL_OK")
    t:sanity("a second large put arrives", stream:receive(20000) ~= nil)
    t:event("P32-359", rank, "eq", { type = "PTL_EVENT_SEND_START" })
    t:event("P32-359", rank, "eq", { type = "PTL_EVENT_SEND_END" }, 20000)
    t:rc("P32-359", rank:PtlMDUnlink { mem_desc = "large-md" }, "PTL_OK")
  end,
}

case {
  id = "put-returns-while-nobody-reads",
  title = "PtlPut returns although its target takes nothing, and the message comes when the target reads again",
  purpose = "A put of 16 MiB and one of nothing, each called while the peer does not read.",
  chapter = "3.10", wire = true, requirements = { "P32-256" },
  run = function(t)
    local rank, peer, stream = before_a_large_put(t)
    t:judging("P32-256")
    for _, md in ipairs { "large-md", "opener-md" } do
      t:rc("P32-256", rank:PtlPut { mem_desc = md, target = t.nid(peer.id), deadline = 5000 }, "PTL_OK")
    end
    stream:resume_reading()
    t:expect("P32-256", stream, "put", { length = 16 << 20 }, 20000)
    t:expect("P32-256", stream, "put", { length = 0 }, 20000)
    local event = done(rank)
    t:equal("P32-256", "what is told at the end", event and event.type, "PTL_EVENT_SEND_END")
  end,
}

case {
  id = "refused-update-tells-the-old-value",
  title = "An update that is refused tells what the descriptor is",
  purpose = "The threshold is 7 after a put; an update to 9 is refused, since the event of the put waits in the test queue.",
  chapter = "3.7.6", only = true, requirements = { "P32-208" },
  run = function(t)
    local rank = alone(t)
    rank:attach { octets = 64, threshold = 8, eventq = "eq" }
    rank:put { mem_desc = "out-md", target = rank }
    t:flush(rank, rank)
    rank:md { name = "new", region = "buf", threshold = 9, eventq = "eq" }
    local result = rank:PtlMDUpdate { old = "was", new = "new", testq = "eq" }
    t:rc("P32-208", result, "PTL_NOUPDATE")
    -- The interpreter clears the structure before the call, so one without an address was not written.
    t:reading("P32-208", "refused_update_reads", "threshold that was told although the update was refused",
      result.old and result.old.start ~= "null" and result.old.threshold or "none", { { "yes", 7 }, { "no", "none" } })
  end,
}
