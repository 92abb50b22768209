-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.7.2 to 3.7.4: what a change of a descriptor, of its list or of its neighbours leaves as it was. A process
-- puts to itself.

defaults { suite = "memory-descriptors", chapter = "3.7", still = { "P32-116", "P32-179", "P33-179" } }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local loopback, put, current, refuses = Descriptor.loopback, Descriptor.put, Descriptor.current, Descriptor.refuses

case {
  id = "md-attach-keeps-the-entry",
  title = "An entry with PTL_UNLINK stays when its descriptors are replaced",
  purpose = "A second PtlMDAttach replaces the three descriptors of an entry with PTL_UNLINK, an inactive one among them. The list is never empty, so the entry stays: the new descriptor takes a put, and the entry goes with it.",
  requirements = { "P30-116", "P30-176" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { unlink = "PTL_UNLINK", options = PUT, eventq = "eq", user_ptr = 1 }
    rank:md { options = PUT, eventq = "eq", user_ptr = 2 }
    rank:md_insert { handle = "md2" }
    rank:md { options = PUT, threshold = 0, eventq = "eq", user_ptr = 4 }
    rank:md_insert { current = "md2", handle = "inactive" }
    rank:md { options = PUT, threshold = 1, eventq = "eq", user_ptr = 3 }
    t:judging("P30-176")
    local result = rank:PtlMDAttach { unlink = "PTL_UNLINK", handle = "md3" }
    if t:reading("P30-176", "attach_to_occupied_entry", "PtlMDAttach to an entry that has descriptors returns",
        result.rc, { { "replace", "PTL_OK" }, { "refuse", "PTL_INUSE" }, { "refuse", "PTL_NOSPACE" } }) == "refuse" then
      t:rc("P30-116", rank:PtlMEInsert { match_bits = 9, handle = "probe" }, "PTL_OK")
      return
    end
    t:rc("P30-176", rank:PtlMDUnlink { mem_desc = "md" }, "PTL_INV_MD")
    t:rc("P30-176", rank:PtlMDUnlink { mem_desc = "md2" }, "PTL_INV_MD")
    t:rc("P30-176", rank:PtlMDUnlink { mem_desc = "inactive" }, "PTL_INV_MD")
    t:rc("P30-176", rank:PtlMEInsert { match_bits = 9, handle = "probe" }, "PTL_OK")
    put(rank)
    local event = t:event("P30-176", rank, "eq", { type = "PTL_EVENT_PUT" })
    t:equal("P30-176", "the descriptor that takes the put", event.mem_desc.user_ptr, 3)
    t:me_unlinked("P30-116", rank)
  end,
}

case {
  id = "md-inactive-keeps-the-entry",
  title = "An entry with PTL_UNLINK stays as long as it has a descriptor, though an inactive one",
  purpose = "Its descriptor is used up and stays. Another one before that takes a put and goes, and the entry is still there: PtlMEInsert finds it.",
  requirements = { "P30-116" }, still = {},
  run = function(t)
    local rank = loopback(t)
    rank:attach { unlink = "PTL_UNLINK", md_unlink = "PTL_RETAIN", options = PUT, threshold = 1, eventq = "eq" }
    put(rank)
    t:event("P30-116", rank, "eq", { type = "PTL_EVENT_PUT" })
    rank:md { options = PUT, threshold = 1, eventq = "eq", user_ptr = 2 }
    rank:md_insert { unlink = "PTL_UNLINK", position = "PTL_INS_BEFORE", handle = "md2" }
    put(rank)
    t:equal("P30-116", "the descriptor that takes the second put",
      t:event("P30-116", rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, 2)
    t:md_unlinked("P30-116", rank, "md2")
    t:rc("P30-116", rank:PtlMEInsert { match_bits = 9, handle = "probe" }, "PTL_OK")
  end,
}

case {
  id = "md-insert-has-its-own-flag",
  title = "An inserted descriptor has the unlink flag of its own call, not that of its neighbour",
  purpose = "Beside a descriptor with PTL_UNLINK one with PTL_RETAIN is inserted, and beside one with PTL_RETAIN one with PTL_UNLINK. Used up, those with PTL_RETAIN stay, inactive, and those with PTL_UNLINK are gone.",
  requirements = { "P30-179", "P30-180" }, still = {},
  run = function(t)
    local rank = loopback(t)
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    for portal, flags in ipairs { { "PTL_UNLINK", "PTL_RETAIN" }, { "PTL_RETAIN", "PTL_UNLINK" } } do
      for _, position in ipairs { "PTL_INS_BEFORE", "PTL_INS_AFTER" } do
        rank:attach { index = portal, md_unlink = flags[1], options = PUT, eventq = "eq" }
        rank:md { options = PUT, threshold = 1, eventq = "eq", user_ptr = 2 }
        rank:md_insert { unlink = flags[2], position = position, handle = "md2" }
        if position == "PTL_INS_AFTER" then rank:md_unlink {} end
        put(rank, { mem_desc = "void-md", portal = portal })
        t:equal("P30-179", "the descriptor that took the put",
          t:event("P30-179", rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, 2)
        if flags[2] == "PTL_UNLINK" then
          t:md_unlinked("P30-179", rank, "md2")
        else
          t:rc("P30-180", rank:PtlMDUpdate { mem_desc = "md2", old = "was" }, "PTL_OK")
          t:rc("P30-180", rank:PtlMDUnlink { mem_desc = "md2" }, "PTL_OK")
        end
      end
    end
  end,
}

case {
  id = "md-unnamed-goes-as-any-other",
  title = "A descriptor whose handle was not wanted is unlinked as any other",
  purpose = "To an entry with PTL_UNLINK a descriptor with PTL_UNLINK is attached for two puts, with NULL as the address of the handle. It takes both, and with the second it goes, by which its entry goes too.",
  requirements = { "P30-022", "P30-178" },
  run = function(t)
    local rank = loopback(t)
    rank:me_attach { unlink = "PTL_UNLINK" }
    rank:md { options = PUT .. "|" .. REMOTE, threshold = 2, eventq = "eq", user_ptr = 7 }
    t:rc("P30-178", rank:PtlMDAttach { unlink = "PTL_UNLINK", handle = "null" }, "PTL_OK")
    for _ = 1, 2 do
      put(rank)
      t:equal("P30-178", "the descriptor that takes the put",
        t:event("P30-178", rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, 7)
    end
    t:me_unlinked("P30-022", rank, "me")
  end,
}

case {
  id = "md-update-keeps-the-flag",
  title = "A descriptor that an update has made active is unlinked as its unlink flag says",
  purpose = "Two inactive descriptors, one with PTL_UNLINK and one with PTL_RETAIN, are given a threshold of one. After a put each the first is gone and the second is inactive.",
  requirements = { "P30-179", "P30-180" },
  run = function(t)
    local rank = loopback(t)
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    for portal, flag in ipairs { "PTL_UNLINK", "PTL_RETAIN" } do
      rank:attach { index = portal, threshold = 0, md_unlink = flag, options = PUT, eventq = "eq" }
      rank:md { name = "armed", threshold = 1, options = PUT, eventq = "eq" }
      rank:md_update { new = "armed" }
      put(rank, { mem_desc = "void-md", portal = portal })
      t:event("P30-179", rank, "eq", { type = "PTL_EVENT_PUT", portal = portal })
      if flag == "PTL_UNLINK" then
        t:md_unlinked("P30-179", rank)
      else
        t:rc("P30-180", rank:PtlMDUpdate { old = "was" }, "PTL_OK")
      end
    end
  end,
}

case {
  id = "md-update-switches-acknowledgements",
  title = "An update decides whether a descriptor acknowledges, whatever it did before",
  purpose = "A descriptor with PTL_MD_ACK_DISABLE loses the option by an update and gets it back, and one without gets it and loses it again. Each put asks for an acknowledgement, and has it exactly where the option is not set.",
  requirements = { "P30-203" },
  run = function(t)
    local rank = loopback(t)
    rank:eq("own-eq")
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md", eventq = "own-eq" }
    for portal, rounds in ipairs { { true, false, true }, { false, true, false } } do
      for i, silent in ipairs(rounds) do
        local options = PUT .. "|" .. REMOTE .. (silent and "|PTL_MD_ACK_DISABLE" or "")
        if i == 1 then
          rank:attach { index = portal, options = options, eventq = "eq" }
        else
          rank:md { name = "next", region = "buf", options = options, eventq = "eq" }
          rank:md_update { new = "next" }
        end
        put(rank, { mem_desc = "void-md", portal = portal, ack_req = "PTL_ACK_REQ" })
        t:event("P30-203", rank, "eq", { type = "PTL_EVENT_PUT", portal = portal })
        t:flush(rank, rank)
        t:equal("P30-203", "events of a put to a descriptor " .. (silent and "with" or "without")
          .. " PTL_MD_ACK_DISABLE", t.types((rank:collect("own-eq", silent and 1 or 2))),
          silent and { "PTL_EVENT_SENT" } or { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
        t:equal("P30-203", "further events", rank:count_events("own-eq"), 0)
      end
    end
  end,
}

case {
  id = "md-update-forbids-acknowledgements",
  title = "A descriptor that is given PTL_MD_ACK_DISABLE by an update acknowledges nothing any more",
  purpose = "A descriptor acknowledges a put and is then updated. Two more puts, of no octets and of 40, ask for an acknowledgement and have none.",
  requirements = { "P30-170" },
  run = function(t)
    local rank = loopback(t)
    rank:eq("own-eq")
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md", eventq = "own-eq" }
    rank:bind { region = "out", octets = 40, fill = "mix/2", md = "forty-md", eventq = "own-eq" }
    rank:attach { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    put(rank, { mem_desc = "void-md", ack_req = "PTL_ACK_REQ" })
    t:sanity("the first put is sent and acknowledged", #rank:collect("own-eq", 2) == 2)
    rank:md { name = "next", region = "buf", options = PUT .. "|" .. REMOTE .. "|PTL_MD_ACK_DISABLE", eventq = "eq" }
    rank:md_update { new = "next" }
    for _, md in ipairs { "void-md", "forty-md" } do
      put(rank, { mem_desc = md, ack_req = "PTL_ACK_REQ" })
      t:flush(rank, rank)
      t:equal("P30-170", "events of a put that must not be acknowledged", t.types((rank:collect("own-eq", 1))),
        { "PTL_EVENT_SENT" })
      t:equal("P30-170", "further events", rank:count_events("own-eq"), 0)
    end
  end,
}

case {
  id = "md-update-of-each-member",
  title = "An update changes each member of the value, of a descriptor in a list as of a bound one",
  purpose = "Region, length, threshold, options, user's value and queue are changed one by one, to nothing and to no end where there is such a value; the update tells the old one, and the new one is read back. Then puts and gets show that options, threshold, queue and region hold.",
  requirements = { "P30-202", "P30-203", "P30-212" },
  run = function(t)
    local rank = loopback(t)
    rank:region("new", 64)
    rank:eq("new-eq")
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    rank:attach { threshold = 5, options = PUT, eventq = "eq" }
    rank:bind { desc = "bound", region = "source", threshold = 5, options = PUT, eventq = "eq", md = "bound-md" }
    local value = { start = "buf+0", length = 40, threshold = 5, options = PUT, user_ptr = 0, eventq = "eq" }
    t:judging("P30-203")
    for _, row in ipairs { { "start", "new+8" }, { "length", 33 }, { "threshold", "inf" }, { "threshold", 1 },
      { "threshold", 0 }, { "threshold", 9 }, { "options", GET .. "|" .. REMOTE },
      { "options", PUT .. "|" .. TRUNCATE },
      { "user_ptr", -1 }, { "user_ptr", 0 }, { "user_ptr", 7 }, { "eventq", "none" }, { "eventq", "new-eq" } } do
      value[row[1]], value.name = row[2], "next"
      rank:md(value)
      for _, md in ipairs { "md", "bound-md" } do
        local before = current(t, rank, md)[row[1]]
        local result = t:rc("P30-203", rank:PtlMDUpdate { mem_desc = md, old = "was", new = "next" }, "PTL_OK")
        t:equal("P30-202", row[1] .. " of " .. md .. " that the update tells as the old one", result.old[row[1]],
          before)
        t:equal(row[1] == "eventq" and "P30-212" or "P30-203", row[1] .. " of " .. md .. " after it was changed",
          current(t, rank, md)[row[1]], row[2])
      end
    end
    put(rank, { mem_desc = "void-md" })
    t:event("P30-212", rank, "new-eq", { type = "PTL_EVENT_PUT" })
    rank:md { name = "next", region = "new", threshold = 1, options = PUT, eventq = "none" }
    rank:md_update { new = "next" }
    put(rank)
    refuses(t, "P30-203", rank)
    t:octets("P30-203", "the region that the descriptor was given", rank, "new", "mix/1", 0, 40)
    t:equal("P30-212", "events in the queue that it had", rank:PtlEQCount { eventq = "new-eq" }.count, 0)
    rank:fill("new", "mix/3")
    rank:attach { index = 1, region = "buf", me = "me1", md = "md1", options = PUT, eventq = "eq" }
    rank:md { name = "next", region = "new", eventq = "none" }
    rank:md_update { mem_desc = "bound-md", new = "next" }
    rank:fill("buf", "byte/0")
    put(rank, { mem_desc = "bound-md", portal = 1 })
    t:event("P30-203", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 64 })
    t:octets("P30-203", "what was put from the region that the bound descriptor was given", rank, "buf", "mix/3", 0, 64)
  end,
}

case {
  id = "md-shrunk-below-its-offset",
  title = "A region that is made smaller than what it has received has no room left",
  purpose = "Behind a put of 40 octets the descriptor is given 24 octets of its 100. With and without PTL_MD_TRUNCATE no octet of a further put is stored, be it dropped or cut to nothing; the octets behind the 24 stay.",
  requirements = { "P30-140", "P30-164" },
  run = function(t)
    local rank = loopback(t)
    for _, more in ipairs { "", "|" .. TRUNCATE } do
      rank:fill("buf", "byte/0")
      rank:attach { options = PUT .. more, eventq = "eq" }
      put(rank)
      t:sanity("the first put is taken", rank:wait("eq").event ~= nil)
      rank:fill("buf", "byte/85")
      rank:md { name = "less", start = "buf", length = 24, options = PUT .. more, eventq = "eq" }
      rank:md_update { new = "less" }
      put(rank)
      t:flush(rank, rank)
      local offset = current(t, rank) and rank:wait("eq", 0).event
      t:check("P30-164", "octets behind the region that a put was told to have moved", not offset
        or offset.mlength == 0 or offset.offset + offset.mlength <= 24, "none", offset and offset.mlength)
      t:octets("P30-140", "the octets behind the region", rank, "buf", "byte/85", 24, 76)
    end
  end,
}

case {
  id = "md-insert-behind-an-unlinked-tail",
  title = "Behind a descriptor that has become the last one another can be inserted",
  purpose = "Of three descriptors the last one is unlinked by call, later the then last one by its operation. Each time another is inserted behind what is left, and the puts find all of them in their order.",
  requirements = { "P30-188" },
  run = function(t)
    local rank = loopback(t)
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    rank:me_attach {}
    local function add(mark, current)
      rank:md { options = PUT, threshold = 1, eventq = "eq", user_ptr = mark }
      if current then
        rank:md_insert { unlink = "PTL_UNLINK", current = current, handle = "md" .. mark }
      else
        rank:md_attach { unlink = "PTL_UNLINK", handle = "md" .. mark }
      end
    end
    local function takes(marks)
      for _, mark in ipairs(marks) do
        put(rank, { mem_desc = "void-md" })
        local event = t:event("P30-188", rank, "eq", { type = "PTL_EVENT_PUT" })
        t:equal("P30-188", "the descriptor that takes the put", event.mem_desc.user_ptr, mark)
      end
    end
    add(1)
    add(2, "md1")
    add(3, "md2")
    rank:md_unlink { mem_desc = "md3" }
    add(4, "md2")
    add(5, "md4")
    rank:md_unlink { mem_desc = "md5" }
    add(6, "md4")
    takes { 1, 2, 4, 6 }
  end,
}

case {
  id = "md-unlink-from-the-midst",
  title = "Unlinking a descriptor from the middle of its list leaves the others in their order",
  purpose = "Of five descriptors for one put each the second and the fourth are unlinked by call. Three puts find the first, the third and the fifth, and a fourth one none.",
  requirements = { "P30-192", "P30-197" },
  run = function(t)
    local rank = loopback(t)
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    rank:me_attach {}
    for mark = 1, 5 do
      rank:md { options = PUT, threshold = 1, eventq = "eq", user_ptr = mark }
      if mark == 1 then
        rank:md_attach { unlink = "PTL_UNLINK", handle = "md1" }
      else
        rank:md_insert { unlink = "PTL_UNLINK", current = "md" .. mark - 1, handle = "md" .. mark }
      end
    end
    t:judging("P30-197")
    for _, mark in ipairs { 2, 4 } do
      t:rc("P30-197", rank:PtlMDUnlink { mem_desc = "md" .. mark }, "PTL_OK")
    end
    for _, mark in ipairs { 1, 3, 5 } do
      put(rank, { mem_desc = "void-md" })
      local event = t:event("P30-192", rank, "eq", { type = "PTL_EVENT_PUT" })
      t:equal("P30-192", "the descriptor that takes the put", event.mem_desc.user_ptr, mark)
    end
    refuses(t, "P30-197", rank, { mem_desc = "void-md" })
  end,
}

for kind, listed in each { { "listed", true }, { "bound", false } } do
  case {
    id = "md-update-refused-changes-no-member-of-a-" .. kind .. "-one",
    title = "An update that is refused because of its test queue changes no member of the descriptor",
    purpose = "While an event waits in the queue a descriptor is updated to another start, length, threshold, options, user pointer and queue, by each of two structures. It is refused, the descriptor shows what it showed before, and serves as before.",
    requirements = { "P30-205" }, chapter = "3.7.6",
    run = function(t)
      local rank = Descriptor.loopback(t)
      rank:region("new-buf", 60)
      rank:eq("other-eq", 8)
      rank:attach { index = 1, me = "told-me", md = "told-md", start = "null", length = 0, eventq = "other-eq",
        options = "PTL_MD_OP_PUT|PTL_MD_TRUNCATE" }
      local fields = { region = "buf", options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE", threshold = 7, eventq = "eq",
        user_ptr = 11, desc = "first" }
      if listed then rank:attach(fields) else rank:bind(fields) end
      rank:md { name = "second", region = "new-buf", options = "PTL_MD_OP_PUT|PTL_MD_OP_GET", threshold = 3,
        eventq = "other-eq", user_ptr = 22 }
      rank:md { name = "third", start = "null", length = 0, options = "0", threshold = "inf", eventq = "none" }
      rank:put { mem_desc = "out-md", target = rank, portal = 1 }
      t:flush(rank, rank)
      local before = Descriptor.current(t, rank)
      for _, new in ipairs { "second", "third" } do
        t:rc("P30-205", rank:PtlMDUpdate { new = new, testq = "other-eq" }, "PTL_NOUPDATE")
        local now = Descriptor.current(t, rank)
        for _, member in ipairs { "start", "length", "threshold", "options", "user_ptr", "eventq" } do
          t:equal("P30-205", member .. " behind the refused update to the " .. new, now[member], before[member])
        end
      end
      if listed then
        rank:put { mem_desc = "out-md", target = rank, offset = 50 }
        local event = t:event("P30-205", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40, offset = 50 })
        t:equal("P30-205", "the user pointer in its event", event.mem_desc.user_ptr, 11)
        t:octets("P30-205", "what it took", rank, "buf", "mix/1", 50, 40)
      end
      t:octets("P30-205", "the region that it did not get", rank, "new-buf", "byte/0")
    end,
  }
end
