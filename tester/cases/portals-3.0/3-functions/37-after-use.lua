-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.7.1 and 3.10: descriptors that have served others before, requests of no octets, and the largest
-- threshold. A process puts to itself and gets from itself.

defaults { suite = "memory-descriptors", chapter = "3.7", still = { "P32-141", "P32-142" } }

local PUT, GET, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"
local loopback, put, current, refuses = Descriptor.loopback, Descriptor.put, Descriptor.current, Descriptor.refuses

case {
  id = "md-threshold-largest",
  title = "The largest threshold is counted like any other",
  purpose = "A descriptor has the threshold 2^31 - 1. After two puts it is less by two; after an update to 2 it takes two more and no third.",
  requirements = { "P30-141", "P30-142", "P30-234" },
  run = function(t)
    local rank, most = loopback(t), 0x7fffffff
    rank:attach { options = PUT .. "|" .. REMOTE, threshold = most, eventq = "eq" }
    t:skip_if(current(t, rank).threshold == "inf", "PTL_MD_THRESH_INF is this number")
    for _ = 1, 2 do put(rank) end
    local events = rank:collect("eq", 2)
    t:equal("P30-142", "the threshold after two puts", current(t, rank).threshold, most - 2)
    for i, event in ipairs(events) do
      t:reading("P30-234", "event_descriptor_copy", "the threshold in the copy of event " .. i,
        event.mem_desc.threshold, { { "after", most - i }, { "before", most - i + 1 } })
    end
    rank:md { name = "two", region = "buf", options = PUT .. "|" .. REMOTE, threshold = 2, eventq = "eq" }
    rank:md_update { new = "two" }
    for _ = 1, 2 do
      put(rank)
      t:event("P30-141", rank, "eq", { type = "PTL_EVENT_PUT" })
    end
    refuses(t, "P30-141", rank)
  end,
}

case {
  id = "md-empty-requests-count",
  title = "A request of no octets counts like any other",
  purpose = "A descriptor of threshold 3 takes an empty put, an empty get and another empty put; a fourth request is refused.",
  requirements = { "P30-141" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { options = PUT .. "|" .. GET, threshold = 3, eventq = "eq" }
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    for i, kind in ipairs { "PUT", "GET", "PUT" } do
      rank[kind:lower()](rank, { mem_desc = "void-md", target = rank })
      t:event("P30-141", rank, "eq", { type = "PTL_EVENT_" .. kind, mlength = 0 })
      t:equal("P30-141", "the threshold after " .. i .. " empty requests", current(t, rank).threshold, 3 - i)
    end
    refuses(t, "P30-141", rank, { mem_desc = "void-md" })
  end,
}

case {
  id = "md-switched-off-after-use",
  title = "A descriptor that has served is inactive after an update of its threshold to 0",
  purpose = "Descriptors with PTL_UNLINK and PTL_RETAIN take a put, are updated to threshold 0 and refuse; they are still there, and after an update to 1 they take one put.",
  requirements = { "P30-146", "P30-182" },
  run = function(t)
    local rank = loopback(t)
    for index, flag in ipairs { "PTL_UNLINK", "PTL_RETAIN" } do
      rank:attach { index = index, md_unlink = flag, options = PUT, threshold = 5, eventq = "eq" }
      put(rank, { portal = index })
      t:event("P30-146", rank, "eq", { type = "PTL_EVENT_PUT" })
      for _, threshold in ipairs { 0, 1 } do
        rank:md { name = "changed", region = "buf", options = PUT, threshold = threshold, eventq = "eq" }
        t:rc("P30-182", rank:PtlMDUpdate { new = "changed" }, "PTL_OK")
        if threshold == 0 then refuses(t, "P30-146", rank, { portal = index }) end
      end
      put(rank, { portal = index })
      t:event("P30-146", rank, "eq", { type = "PTL_EVENT_PUT" })
    end
  end,
}

case {
  id = "md-reply-after-serving",
  title = "A reply goes to the start of a descriptor that took requests, and moves neither offset nor threshold",
  purpose = "A descriptor that keeps its own offset takes a put. Then it gets 40 octets from another one, with match bits that its own entry does not have: they stand at its start, and its threshold is as the put has left it. After a second and a third put the same.",
  requirements = { "P30-013", "P30-149", "P30-160", "P30-271", "P30-313" }, chapter = "3.10",
  run = function(t)
    local rank = loopback(t, 150) -- the third reply is longer than what is behind the puts
    rank:attach { options = PUT, threshold = 9, eventq = "eq" }
    rank:attach { index = 1, match_bits = 9, region = "wanted", octets = 40, fill = "mix/7", me = "other", md = "asked",
      options = GET .. "|PTL_MD_TRUNCATE|" .. REMOTE }
    for round = 1, 3 do
      put(rank)
      local served = t:event("P30-149", rank, "eq", { type = "PTL_EVENT_PUT" })
      t:equal("P30-160", "the offset of put " .. round, served.offset, 40 * (round - 1))
      local before = current(t, rank).threshold
      rank:get { mem_desc = "md", target = rank, portal = 1, match_bits = 9 }
      local event = t:event("P30-013", rank, "eq", { type = "PTL_EVENT_REPLY" })
      t:equal("P30-313", "octets that the descriptor takes of a reply of 40", event.mlength, 40)
      t:octets("P30-271", "the start of the region", rank, "buf", "mix/7", 0, 40)
      if round == 2 then
        t:octets("P30-271", "what the second put has stored behind it", rank, "buf", "mix/1", 40, 40)
      end
      t:reading("P30-149", "threshold_counts", "the threshold after the reply", current(t, rank).threshold,
        { { "remote_requests", before }, { "every_event", before - 1 } })
    end
  end,
}

case {
  id = "movement-cut-to-nothing",
  title = "A get that is cut to nothing is answered all the same, and its event has all match bits",
  purpose = "Gets and puts of 40 octets and of none to a region of none, and behind the last octet of one, which cut what is too long. Each is logged at both ends, with the match bits of all 64 places.",
  requirements = { "P30-011", "P30-229" }, chapter = "3.10",
  run = function(t)
    local rank = loopback(t)
    rank:eq("own", 16)
    rank:bind { region = "in", octets = 40, fill = "mix/3", desc = "in-desc", md = "in-md", eventq = "own" }
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md", eventq = "own" }
    local bits = 0x7edcba9876543210
    local function moves(verb, own, served, source, options, length)
      rank:attach { region = "buf", length = length, ignorebits = -1, eventq = "eq",
        options = PUT .. "|" .. GET .. "|PTL_MD_TRUNCATE" .. options } -- afresh: how far a cut one moves is open
      bits = bits + (1 << 60)
      rank[verb](rank, { mem_desc = source, target = rank, offset = length, match_bits = bits })
      local req = verb == "get" and "P30-011" or "P30-229"
      for eq, kind in pairs { own = own, eq = served } do
        local event = t:event(req, rank, eq, { type = kind, mlength = kind ~= "PTL_EVENT_SENT" and 0 or nil })
        t:equal("P30-229", "match bits of " .. kind, event.match_bits, bits)
      end
    end
    for options, length in each { { "", 0 }, { "|" .. REMOTE, 40 } } do
      for _, source in ipairs { "in-md", "void-md" } do
        moves("get", "PTL_EVENT_REPLY", "PTL_EVENT_GET", source, options, length)
        moves("put", "PTL_EVENT_SENT", "PTL_EVENT_PUT", source, options, length)
      end
    end
    t:octets("P30-011", "the memory of the gets", rank, "in", "mix/3")
  end,
}

case {
  id = "ack-of-nothing-by-the-last-use",
  title = "A put that is cut to nothing is acknowledged also by a descriptor that it uses up",
  purpose = "Descriptors of no octets that cut and have a threshold of one, with PTL_UNLINK and PTL_RETAIN, and one of 60 octets whose second put is its last: each acknowledgement tells how much was taken.",
  requirements = { "P30-333" }, chapter = "3.10",
  run = function(t)
    local rank = loopback(t)
    rank:eq("own", 16)
    rank:bind { region = "sent", octets = 60, desc = "sent-desc", md = "sent-md", eventq = "own" }
    for index, flag in ipairs { "PTL_UNLINK", "PTL_RETAIN" } do
      for portal, length in pairs { [index] = 0, [index + 2] = 60 } do
        rank:attach { index = portal, me = "me" .. portal, md = "md" .. portal, region = "buf", length = length,
          threshold = length == 0 and 1 or 2, md_unlink = flag, options = PUT .. "|PTL_MD_TRUNCATE", eventq = "eq" }
        for _, taken in ipairs(length == 0 and { 0 } or { 60, 0 }) do
          rank:put { mem_desc = "sent-md", target = rank, portal = portal, ack_req = "PTL_ACK_REQ" }
          t:event("P30-333", rank, "eq", { type = "PTL_EVENT_PUT", mlength = taken })
          local ack
          for _, event in ipairs((rank:collect("own", 2))) do
            ack = event.type == "PTL_EVENT_ACK" and event or ack
          end
          t:equal("P30-333", "length that the acknowledgement tells", ack and ack.mlength, taken)
        end
      end
    end
  end,
}

case {
  id = "movement-of-nothing",
  title = "An empty put is acknowledged and an empty get is answered",
  purpose = "A descriptor of no octets is put and gets, each with a queue: the events of both sides come, and tell of 0 octets. A descriptor without a queue answers an empty get too.",
  requirements = { "P30-011", "P30-262", "P30-272" }, chapter = "3.10",
  run = function(t)
    local rank = loopback(t)
    rank:eq("own", 16)
    rank:attach { options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md", eventq = "own" }
    rank:put { mem_desc = "void-md", ack_req = "PTL_ACK_REQ", target = rank }
    t:event("P30-262", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 0, mlength = 0 })
    local types = t.types(rank:collect("own", 2))
    table.sort(types)
    t:equal("P30-262", "events of the empty put", types, { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
    rank:get { mem_desc = "void-md", target = rank }
    t:event("P30-011", rank, "eq", { type = "PTL_EVENT_GET", rlength = 0, mlength = 0 })
    t:event("P30-272", rank, "own", { type = "PTL_EVENT_REPLY", rlength = 0, mlength = 0 })
    rank:attach { index = 1, me = "silent-me", md = "silent-md", options = GET .. "|" .. REMOTE }
    rank:get { mem_desc = "void-md", target = rank, portal = 1 }
    t:event("P30-011", rank, "own", { type = "PTL_EVENT_REPLY", rlength = 0, mlength = 0 })
  end,
}

case {
  id = "md-refused-update-leaves-the-offset",
  title = "An update that is refused leaves the local offset where it was, and all other values",
  purpose = "Between puts of 10 octets updates are refused: for an event in the test queue, for an illegal region, and for queues that are none. Each put stands behind the one before it, and PtlMDUpdate reads what was attached.",
  requirements = { "P30-160", "P30-205", "P30-210" }, chapter = "3.7.6",
  run = function(t)
    local rank = loopback(t)
    rank:bind { region = "source", length = 10, md = "ten-md" }
    rank:eq("busy-eq", 4)
    rank:attach { index = 1, me = "me1", md = "md1", start = "null", length = 0,
      options = PUT .. "|PTL_MD_TRUNCATE", eventq = "busy-eq" }
    put(rank, { portal = 1 })
    t:flush(rank, rank)
    rank:eq("gone-eq")
    rank:eq_free { eventq = "gone-eq" }
    rank:attach { options = PUT, threshold = 20, user_ptr = 7, eventq = "eq" }
    local function step(req, offset)
      put(rank, { mem_desc = "ten-md" })
      t:event(req, rank, "eq", { type = "PTL_EVENT_PUT", offset = offset })
      local now = current(t, rank)
      t:equal(req, "length, threshold and user pointer behind a put to " .. offset,
        { now.length, now.threshold, now.user_ptr }, { 100, 19 - offset // 10, 7 })
    end
    step("P30-160", 0)
    rank:md { name = "good", region = "source", length = 40, threshold = 3, user_ptr = 8, options = PUT, eventq = "eq" }
    rank:md { name = "bad", start = "null", length = 40, threshold = 3, user_ptr = 9, options = PUT, eventq = "eq" }
    rank:md { name = "lost", region = "source", length = 40, threshold = 3, user_ptr = 9, options = PUT,
      eventq = "gone-eq" }
    for place, row in ipairs {
      { "P30-205", { new = "good", testq = "busy-eq" }, "PTL_NOUPDATE" },
      { "P30-210", { new = "bad" }, "PTL_ILL_MD" },
      { "P30-210", { new = "lost" }, "any error" }, -- which one is a reading of P30-184
      { "P30-210", { new = "good", testq = "gone-eq" }, "PTL_INV_EQ" },
      { "P30-205", { new = "good", old = "was", testq = "busy-eq" }, "PTL_NOUPDATE" } } do
      local result = rank:PtlMDUpdate(row[2])
      if row[3] == "any error" then
        t:check(row[1], "PtlMDUpdate to a queue that was freed is refused", result.rc ~= "PTL_OK",
          "not PTL_OK", result.rc)
      else
        t:rc(row[1], result, row[3])
      end
      step(row[1], 10 * place)
    end
  end,
}

case {
  id = "md-refused-update-tells-what-is-left",
  title = "A refused update tells every member as it is now, behind puts and other updates",
  purpose = "A descriptor of threshold 9 takes two puts, is updated to other values and takes three more. Behind each step an update is refused for an event in the test queue, and what it tells is what an update of nothing tells.",
  requirements = { "P30-208" }, chapter = "3.7.6",
  run = function(t)
    local rank = loopback(t)
    rank:eq("busy-eq", 16)
    rank:attach { index = 1, me = "me1", md = "md1", start = "null", length = 0, eventq = "busy-eq",
      options = PUT .. "|PTL_MD_TRUNCATE|" .. REMOTE }
    put(rank, { portal = 1 })
    t:flush(rank, rank)
    rank:attach { options = PUT .. "|" .. REMOTE, threshold = 9, user_ptr = 7, eventq = "eq" }
    rank:md { name = "other", region = "buf", length = 90, options = PUT .. "|" .. GET .. "|" .. REMOTE, threshold = 20,
      user_ptr = 8, eventq = "eq" }
    rank:md { name = "never", region = "source", length = 40, threshold = 3, user_ptr = 9, eventq = "eq" }
    local function step(count, left)
      for _ = 1, count do
        put(rank)
        t:event("P30-208", rank, "eq", { type = "PTL_EVENT_PUT" })
      end
      t:flush(rank, rank)
      local result = rank:PtlMDUpdate { old = "was", new = "never", testq = "busy-eq" }
      t:rc("P30-208", result, "PTL_NOUPDATE")
      local now, told = current(t, rank), result.old
      t:sanity("the threshold is what is left", now.threshold == left)
      -- The interpreter clears the structure before the call, so one without an address was not written.
      if t:reading("P30-208", "refused_update_reads", "threshold that was told although the update was refused",
        told and told.start ~= "null" and told.threshold or "none", { { "yes", left }, { "no", "none" } }) == "yes" then
        t:equal("P30-208", "all that was told, behind " .. count .. " puts", told, now)
      end
    end
    step(0, 9)
    step(2, 7)
    t:setup(rank:PtlMDUpdate { new = "other" })
    step(0, 20)
    step(3, 17)
  end,
}

case {
  id = "md-empty-requests-keep-the-offset",
  title = "Requests that move nothing leave the local offset where it is",
  purpose = "Puts and gets of no octets, and puts and gets that are too long and refused, come between puts of 40 octets: each put stands right behind the one before it.",
  requirements = { "P30-160", "P30-325" },
  run = function(t)
    local rank = loopback(t, 130)
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    rank:bind { region = "large", octets = 131, md = "large-md" }
    rank:attach { options = PUT .. "|" .. GET, threshold = 99, eventq = "eq" }
    for round = 0, 2 do
      for _, kind in ipairs { "PUT", "GET" } do
        rank[kind:lower()](rank, { mem_desc = "void-md", target = rank })
        t:event("P30-160", rank, "eq", { type = "PTL_EVENT_" .. kind, mlength = 0,
          offset = kind == "PUT" and 40 * round or nil }) -- by a known reading gets have an offset of their own
        local before = rank:drop_count()
        rank[kind:lower()](rank, { mem_desc = "large-md", target = rank })
        t:drops("P30-325", rank, before, 1)
      end
      put(rank)
      t:event("P30-160", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40, offset = 40 * round })
    end
    for round = 0, 2 do t:octets("P30-160", "put " .. round, rank, "buf", "mix/1", 40 * round, 40) end
  end,
}

for name, last in each { { "used-up", 2 }, { "switched-off", 9 } } do
  case {
    id = "event-reply-to-one-" .. name,
    title = "A descriptor that is inactive after it has served takes the reply to its get",
    purpose = "A descriptor with an offset of its own takes two puts and is inactive then ("
      .. name .. "). It gets 100 octets three times: each reply is logged, and fills its region.",
    requirements = { "P30-314" }, suite = "events", chapter = "4.2", still = {},
    run = function(t)
      local rank = loopback(t)
      rank:attach { index = 1, me = "from-me", md = "from", desc = "from-desc", region = "wanted", octets = 100,
        fill = "mix/7", options = GET .. "|" .. REMOTE }
      rank:attach { threshold = last, options = PUT, eventq = "eq" }
      for _ = 1, 2 do
        put(rank)
        t:event("P30-314", rank, "eq", { type = "PTL_EVENT_PUT" })
      end
      rank:md { name = "off", region = "buf", threshold = 0, options = PUT, eventq = "eq" }
      if last > 2 then rank:md_update { new = "off" } end
      refuses(t, "P30-314", rank)
      for _ = 1, 3 do
        rank:fill("buf", "byte/0")
        local result = rank:PtlGet { target = rank, portal = 1, match_bits = 0 }
        t:skip_if(result.rc == "PTL_INV_MD", "by a known reading an inactive descriptor is not the source of a get")
        t:rc("P30-314", result, "PTL_OK")
        local event = rank:wait("eq").event
        t:reading("P30-314", "reply_to_inactive", "the event of the reply to an inactive descriptor",
          event and event.type or "none", { { "accept", "PTL_EVENT_REPLY" }, { "drop", "none" } })
        if event then t:octets("P30-314", "the reply", rank, "buf", "mix/7", 0, 100) end
      end
    end,
  }
end

case {
  id = "md-offset-behind-a-shorter-region",
  title = "A descriptor that was made shorter than its local offset takes nothing until it is longer again",
  purpose = "A descriptor of 200 octets takes a put of 40, as one of 160 another, and is updated to 79, 40, 1 and 0: each time it refuses puts of 40 octets and of one. With 200 again the next put stands behind the two.",
  requirements = { "P30-164", "P30-165", "P30-211" },
  run = function(t)
    local rank = loopback(t, 200)
    rank:bind { region = "one", octets = 1, md = "one-md" }
    rank:attach { options = PUT, eventq = "eq" }
    local function update(length)
      rank:md { name = "next", start = "buf", length = length, options = PUT, eventq = "eq" }
      rank:md_update { new = "next" }
    end
    put(rank)
    t:event("P30-164", rank, "eq", { type = "PTL_EVENT_PUT", offset = 0 })
    update(160) -- another region: who sets the offset back may do so only then
    put(rank)
    local event = t:event("P30-164", rank, "eq", { type = "PTL_EVENT_PUT" })
    if t:reading("P30-211", "update_keeps_offset", "the offset after an update", event.offset,
        { { "yes", 40 }, { "no", 0 } }) == "no" then
      t:skip("by a known reading an update sets the offset back")
    end
    for _, length in ipairs { 79, 40, 1, 0 } do
      update(length)
      refuses(t, "P30-165", rank)
      refuses(t, "P30-165", rank, { mem_desc = "one-md" })
    end
    t:octets("P30-165", "what is behind the two puts", rank, "buf", "byte/0", 80, 120)
    update(200)
    put(rank)
    t:event("P30-211", rank, "eq", { type = "PTL_EVENT_PUT", offset = 80, mlength = 40 })
  end,
}

case {
  id = "md-region-of-nothing-keeps-its-address",
  title = "A region that is made empty keeps its start",
  purpose = "A descriptor is updated to length 0 at three places of its region: PtlMDUpdate tells the start that was given, and the event of an empty put does.",
  requirements = { "P30-202", "P30-235" },
  run = function(t)
    local rank = loopback(t)
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    rank:attach { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    for _, at in ipairs { 0, 1, 99 } do
      local given = {}
      for _, length in ipairs { 1, 0 } do
        rank:md { name = "next", start = "buf+" .. at, length = length, options = PUT .. "|" .. REMOTE, eventq = "eq" }
        rank:md_update { new = "next" }
        given[length] = current(t, rank).start
      end
      t:equal("P30-202", "the start of a region of nothing", given[0], given[1])
      put(rank, { mem_desc = "void-md" })
      local event = t:event("P30-235", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 0 })
      t:equal("P30-235", "the start that the event shows", event.mem_desc.start, given[1])
    end
  end,
}

for name, ends in each { { "by-a-call" }, { "by-its-last-descriptor" }, { "by-another-list" } } do
  case {
    id = "md-attach-to-an-entry-gone-" .. name,
    title = "No descriptor can be attached by the handle of an entry that is gone, however many have been made since",
    purpose = "An entry is ended. Then forty others are made and ended one after the other. While each of them lives the old handle is refused, and a descriptor of the new entry takes a put.",
    requirements = { "P30-183" },
    run = function(t)
      local rank = loopback(t)
      rank:md { name = "stray", region = "buf", options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 99 }
      t:flush(rank, rank)
      rank:me_attach { handle = "old", unlink = name == "by-its-last-descriptor" and "PTL_UNLINK" or nil }
      if name == "by-a-call" then
        rank:me_unlink { entry = "old" }
      elseif name == "by-its-last-descriptor" then
        rank:add_md { me = "old", md = "old-md", region = "buf", options = PUT, threshold = 1, md_unlink = "PTL_UNLINK",
          eventq = "eq" }
        put(rank)
        t:sanity("the put is taken", rank:wait("eq").event ~= nil)
        t:flush(rank, rank)
      else
        rank:me_attach { handle = "between" }
      end
      t:judging("P30-183")
      for round = 1, 40 do
        rank:me_attach { ignorebits = -1, handle = "new" }
        if not t:alike("P30-183", rank, "old", { "new" }) then
          t:rc("P30-183", rank:PtlMDAttach { match = "old", mem_desc = "stray", handle = "stray-md" }, "PTL_INV_ME")
        end
        rank:add_md { me = "new", md = "new-md", region = "buf", options = PUT .. "|" .. REMOTE, eventq = "eq",
          user_ptr = round }
        put(rank)
        local event = t:event("P30-183", rank, "eq", { type = "PTL_EVENT_PUT" })
        t:equal("P30-183", "the descriptor that takes put " .. round, event.mem_desc.user_ptr, round)
        rank:me_unlink { entry = "new" }
      end
    end,
  }
end
