-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.7.2 to 3.7.4: the calls that make, change and end memory descriptors. A process puts to itself where only
-- the target's side matters.

defaults { suite = "memory-descriptors", chapter = "3.7",
  still = { "P32-175", "P32-179", "P33-179", "P33-196", "P33-208" } }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local loopback, put, current, refuses = Descriptor.loopback, Descriptor.put, Descriptor.current, Descriptor.refuses

case {
  id = "md-attach",
  title = "PtlMDAttach copies the structure, accepts NULL for the handle, and replaces a list",
  purpose = "The structure is overwritten after the call; a NULL handle is fine; a second attach to the same entry destroys the first descriptor.",
  requirements = { "P30-175", "P30-176", "P30-177", "P30-178" },
  run = function(t)
    local rank = loopback(t)
    rank:me_attach {}
    rank:md { options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 1 }
    t:rc("P30-175", rank:PtlMDAttach {}, "PTL_OK")
    rank:poison("desc")
    put(rank)
    local event = t:event("P30-177", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40 })
    t:equal("P30-177", "user_ptr in the event", event.mem_desc.user_ptr, 1)
    rank:md { options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 2 }
    local result = rank:PtlMDAttach { handle = "null" }
    local replaced = result.rc == "PTL_OK"
    if not replaced then
      t:reading("P30-176", "attach_to_occupied_entry", "PtlMDAttach to an entry that has a descriptor returns",
        result.rc, { { "replace", "PTL_OK" }, { "refuse", "PTL_INUSE" }, { "refuse", "PTL_NOSPACE" } })
      rank:md_unlink {}
      result = rank:PtlMDAttach { handle = "null" }
    end
    t:rc("P30-178", result, "PTL_OK")
    rank:me_attach { index = 1, handle = "me1" }
    rank:md_attach { match = "me1", handle = "md1" }
    t:rc("P30-178", rank:PtlMDInsert { current = "md1", handle = "null" }, "PTL_OK")
    if replaced then t:refused("P30-176", rank, "PtlMDUnlink", "mem_desc", "md", "PTL_INV_MD", { "md1" }) end
    put(rank)
    event = t:event("P30-176", rank, "eq", { type = "PTL_EVENT_PUT" })
    t:equal("P30-176", "the descriptor that takes the put", event.mem_desc.user_ptr, 2)
  end,
}

case {
  id = "md-structure-is-copied",
  title = "Changing the structure after PtlMDAttach does not change the descriptor",
  purpose = "One structure is filled, attached, filled anew and attached to another entry, and then overwritten. Both descriptors are what the structure said at their time: as PtlMDUpdate tells, and as puts show.",
  requirements = { "P30-177" },
  run = function(t)
    local rank = loopback(t)
    for mark = 1, 2 do
      rank:region("buf" .. mark, 40 * mark)
      rank:me_attach { index = mark, handle = "me" .. mark }
      rank:md { region = "buf" .. mark, options = PUT .. "|" .. REMOTE, threshold = 10 * mark, eventq = "eq",
        user_ptr = mark }
      rank:md_attach { match = "me" .. mark, handle = "md" .. mark }
    end
    rank:poison("desc")
    for mark = 1, 2 do
      local value = current(t, rank, "md" .. mark)
      t:equal("P30-177", "start, length, threshold and user_ptr of descriptor " .. mark,
        { value.start, value.length, value.threshold, value.user_ptr }, { "buf" .. mark .. "+0", 40 * mark, 10 * mark,
          mark })
      put(rank, { portal = mark })
      local event = t:event("P30-177", rank, "eq", { type = "PTL_EVENT_PUT", portal = mark, mlength = 40 })
      t:equal("P30-177", "user_ptr in its event", event.mem_desc.user_ptr, mark)
      t:octets("P30-177", "its memory", rank, "buf" .. mark, "mix/1", 0, 40)
    end
  end,
}

case {
  id = "md-attach-to-that-entry",
  title = "PtlMDAttach attaches to the entry that it is given, and to no other",
  purpose = "A list has entries for the bits 1, 2 and 3, and only the second is given a descriptor. A put with bits 2 is taken, puts with the bits 1 and 3 are dropped.",
  requirements = { "P30-175" },
  run = function(t)
    local rank = loopback(t)
    rank:me_attach { match_bits = 1, handle = "me1" }
    rank:me_insert { match_bits = 2, current = "me1", handle = "me2" }
    rank:me_insert { match_bits = 3, current = "me2", handle = "me3" }
    rank:md { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    t:rc("P30-175", rank:PtlMDAttach { match = "me2" }, "PTL_OK")
    refuses(t, "P30-175", rank, { match_bits = 1 })
    refuses(t, "P30-175", rank, { match_bits = 3 })
    put(rank, { match_bits = 2 })
    t:event("P30-175", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = 2, mlength = 40 })
  end,
}

case {
  id = "md-unlink-flag",
  title = "A descriptor with PTL_UNLINK is unlinked when an operation takes its threshold from one to zero",
  purpose = "With threshold 2 it is alive after one put and gone after two; with PTL_RETAIN it stays, inactive, and can be armed again, also where its entry has PTL_UNLINK; setting the threshold to zero by hand does not end it.",
  requirements = { "P30-179", "P30-180", "P30-182" },
  run = function(t)
    local rank = loopback(t)
    local function arm(unlink, of_entry)
      rank:attach { unlink = of_entry, threshold = 2, md_unlink = unlink, options = PUT .. "|" .. REMOTE,
        eventq = "eq" }
    end
    local function take()
      put(rank)
      t:sanity("the put is taken", rank:wait().event ~= nil)
    end
    arm("PTL_UNLINK")
    take()
    local after_one = rank:PtlMDUpdate { old = "was" }
    t:rc("P30-179", after_one, "PTL_OK")
    t:equal("P30-179", "threshold after the first put", after_one.old.threshold, 1)
    take()
    t:md_unlinked("P30-179", rank)
    rank:md { name = "again", threshold = 1, options = PUT .. "|" .. REMOTE, eventq = "eq" }
    for _, of_entry in ipairs { "PTL_RETAIN", "PTL_UNLINK" } do
      arm("PTL_RETAIN", of_entry)
      take()
      take()
      refuses(t, "P30-180", rank)
      t:rc("P30-180", rank:PtlMDUpdate { new = "again" }, "PTL_OK")
      take()
    end
    arm("PTL_UNLINK")
    rank:md { name = "stopped", threshold = 0, options = PUT, eventq = "eq" }
    rank:md_update { new = "stopped" }
    t:rc("P30-182", rank:PtlMDUpdate { old = "was" }, "PTL_OK")
    refuses(t, "P30-182", rank)
    t:rc("P30-182", rank:PtlMDUnlink {}, "PTL_OK")
  end,
}

case {
  id = "md-errors",
  title = "The calls that make descriptors have a return code of their own for each kind of bad argument",
  purpose = "Dead entry, descriptor and interface handles; a descriptor that stands in no list as a place; output addresses that are none; NULL where it is not allowed.",
  requirements = { "P30-183", "P30-190", "P30-191", "P30-194", "P30-195" },
  run = function(t)
    local rank = loopback(t)
    rank:me_attach {}
    rank:md { options = PUT }
    rank:md { name = "bad", start = "null", length = 9 }
    rank:md_attach {}
    if not (rank:same("eq", "md") or rank:same("eq", "out-md")) then -- handles of two kinds may be alike
      t:rc("P30-190", rank:PtlMDInsert { current = "eq", handle = "other" }, "PTL_INV_MD")
    end
    local result = rank:PtlMDInsert { current = "out-md", handle = "other" }
    t:equal_or_warn("P30-190", result.call .. " returns", result.rc, "PTL_INV_MD",
      { PTL_INV_ME = "3.7.3 lists this code for an entry that does not exist" })
    t:judging("P30-191")
    t:rc("P30-191", rank:PtlMDInsert { mem_desc = "bad", handle = "other" }, "PTL_ILL_MD")
    t:judging("P30-194")
    t:rc("P30-194", rank:PtlMDBind { handle = "null" }, "PTL_SEGV")
    if not rank:same("eq", "ni") then
      t:rc("P30-195", rank:PtlMDBind { interface = "eq", handle = "other" }, "PTL_INV_NI")
    end
    t:rc("P30-195", rank:PtlMDBind { mem_desc = "bad", handle = "other" }, "PTL_ILL_MD")
    rank:me_unlink {}
    t:rc("P30-183", rank:PtlMDAttach { handle = "other" }, "PTL_INV_ME")
    t:rc("P30-190", rank:PtlMDInsert { current = "md", handle = "other" }, "PTL_INV_MD")
  end,
}

case {
  id = "md-unmapped-handle",
  title = "An output address without memory behind it is an addressing violation",
  purpose = "PtlMDAttach is told to write the handle to a page that is not there. A crash gives a warning, since not every system can tell.",
  requirements = { "P30-187" },
  run = function(t)
    local rank = loopback(t)
    rank:me_attach {}
    rank:md { options = PUT }
    t:tolerate_crash("no means of telling that an address has no memory")
    local result = rank:PtlMDAttach { handle = "unmapped" }
    t:should("P30-187", result.call .. " returns", result.rc, "PTL_SEGV")
  end,
}

case {
  id = "md-insert-order",
  title = "PtlMDInsert puts the new descriptor right beside the current one",
  purpose = "Four descriptors for one put each are inserted around each other in one entry's list; four puts show their order.",
  requirements = { "P30-188", "P30-189", "P30-192" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { md = "md2", threshold = 1, md_unlink = "PTL_UNLINK", eventq = "eq", user_ptr = 2 }
    local function insert(mark, position, current)
      rank:md { threshold = 1, options = PUT, eventq = "eq", user_ptr = mark }
      rank:md_insert { unlink = "PTL_UNLINK", position = position, current = current, handle = "md" .. mark }
    end
    insert(4, "PTL_INS_AFTER", "md2")
    insert(3, "PTL_INS_BEFORE", "md4")
    insert(1, "PTL_INS_BEFORE", "md2")
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
  id = "md-next-becomes-first",
  title = "When the first descriptor is unlinked, in whichever way, the next one becomes the first",
  purpose = "An entry has four descriptors. The first goes with its only put, the second and the third are unlinked by call; each time the next put lands in the memory of the one behind.",
  requirements = { "P30-192" },
  run = function(t)
    local rank = loopback(t)
    for mark = 1, 4 do
      rank:region("buf" .. mark, 40)
      rank:md { region = "buf" .. mark, options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = mark,
        threshold = mark == 1 and 1 or "inf" }
      if mark == 1 then
        rank:me_attach {}
        rank:md_attach { unlink = "PTL_UNLINK", handle = "md1" }
      else
        rank:md_insert { current = "md" .. (mark - 1), handle = "md" .. mark }
      end
    end
    for mark = 1, 4 do
      put(rank)
      local event = t:event("P30-192", rank, "eq", { type = "PTL_EVENT_PUT" })
      t:equal("P30-192", "the descriptor that took put " .. mark, event.mem_desc.user_ptr, mark)
      t:octets("P30-192", "its memory", rank, "buf" .. mark, "mix/1")
      if mark > 1 then t:setup(rank:PtlMDUnlink { mem_desc = "md" .. mark }) end
    end
  end,
}

case {
  id = "md-bind",
  only = true,
  title = "A bound descriptor is in no list, and stays until it is unlinked",
  purpose = "Puts cannot reach it; it serves puts and gets of its owner as long as wanted; then its handle is dead and the user's memory is not.",
  requirements = { "P30-193", "P30-196", "P30-198", "P30-199", "P30-200" },
  run = function(t)
    local rank = loopback(t)
    rank:fill("buf", "mix/6")
    rank:bind { md = "bound", options = PUT .. "|" .. GET, eventq = "eq", threshold = 1 }
    refuses(t, "P30-193", rank)
    rank:attach { region = "target", octets = 100, options = PUT .. "|" .. REMOTE }
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
  only = true,
  title = "PtlMDUnlink takes the descriptor out of its list",
  purpose = "The next request goes to the next descriptor; an entry with PTL_UNLINK goes with its last descriptor, one with PTL_RETAIN stays.",
  requirements = { "P30-197", "P30-201" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { unlink = "PTL_UNLINK", md = "md1", eventq = "eq", user_ptr = 1 }
    rank:md { options = PUT, eventq = "eq", user_ptr = 2 }
    rank:md_insert { current = "md1", handle = "md2" }
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
  purpose = "All members are compared; with a NULL `new` only the read happens, whatever the queue holds, and with a NULL `old` as well nothing.",
  requirements = { "P30-202", "P30-207" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { start = "buf+8", length = 64, threshold = 5, options = PUT .. "|" .. TRUNCATE, user_ptr = 77,
      eventq = "eq" }
    local old = current(t, rank)
    t:equal("P30-202", "start", old.start, "buf+8")
    t:equal("P30-202", "length", old.length, 64)
    t:equal("P30-202", "threshold", old.threshold, 5)
    t:equal("P30-202", "user_ptr", old.user_ptr, 77)
    t:equal("P30-202", "eventq", old.eventq, "eq")
    local options = {}
    for name in tostring(old.options):gmatch("[^|]+") do options[name] = true end
    t:equal("P30-202", "options", options, { [PUT] = true, [TRUNCATE] = true })
    put(rank)
    rank:eq("later")
    rank:attach { index = 1, me = "me1", md = "md1", options = PUT, eventq = "later" }
    put(rank, { portal = 1 })
    t:sanity("a later put is taken", rank:wait("later").event ~= nil)
    t:sanity("the queue holds the event of the first", rank:PtlEQCount().count == 1)
    local read = rank:PtlMDUpdate { old = "was", testq = "eq" }
    local refused = { PTL_NOUPDATE = "what is not updated while testq holds an event is told so, whether asked or not" }
    t:equal_or_warn("P30-207", read.call .. " returns", read.rc, "PTL_OK", refused)
    if read.rc == "PTL_OK" then t:equal("P30-207", "threshold that was read", read.old.threshold, 4) end
    local nothing = rank:PtlMDUpdate { testq = "eq" }
    t:equal_or_warn("P30-207", nothing.call .. " returns", nothing.rc, "PTL_OK", refused)
    t:rc("P30-207", rank:PtlMDUpdate {}, "PTL_OK")
  end,
}

case {
  id = "md-update-conditional",
  only = true,
  title = "PtlMDUpdate changes the descriptor exactly when the test queue is empty",
  purpose = "With both queues empty the update is done; with an event in the descriptor's own queue and another, empty test queue as well; with an event in the test queue PTL_NOUPDATE, no change, and the old value told all the same.",
  requirements = { "P30-204", "P30-205", "P30-206", "P30-208" },
  run = function(t)
    local rank = loopback(t)
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
      t:equal(req, "threshold afterwards", current(t, rank, "target-md").threshold, wanted)
    end
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
    rank:md { name = "idle", length = 0, threshold = 2 }
    rank:md_bind { mem_desc = "idle", handle = "idle-md" }
    t:rc("P30-205", rank:PtlMDUpdate { mem_desc = "idle-md", new = "new", testq = "other" }, "PTL_NOUPDATE")
    t:equal("P30-205", "threshold of a bound descriptor afterwards", current(t, rank, "idle-md").threshold, 2)
    local refused_update = update(9, "P30-205", "PTL_NOUPDATE")
    threshold_is("P30-205", 8)
    -- The interpreter clears the structure before the call, so one without an address was not written.
    local told = refused_update.old
    t:reading("P30-208", "refused_update_reads", "threshold that was told although the update was refused",
      told and told.start ~= "null" and told.threshold or "none", { { "yes", 8 }, { "no", "none" } })
  end,
}

case {
  id = "md-update-errors",
  title = "PtlMDUpdate has a return code of its own for each kind of bad argument",
  purpose = "A dead descriptor, an illegal new value, a dead test queue, and addresses that are none. Behind each refusal the descriptor is as it was.",
  requirements = { "P30-210" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { threshold = 5, user_ptr = 77 }
    rank:eq("dead")
    rank:eq_free { eventq = "dead" }
    rank:md { name = "bad", start = "null", length = 9, threshold = 6, user_ptr = 78 }
    rank:md { name = "good", threshold = 7, user_ptr = 79 }
    local function keeps()
      local old = t:rc("P30-210", rank:PtlMDUpdate { old = "was" }, "PTL_OK").old
      t:equal("P30-210", "threshold and user pointer behind it", { old.threshold, old.user_ptr }, { 5, 77 })
    end
    t:rc("P30-210", rank:PtlMDUpdate { new = "bad" }, "PTL_ILL_MD")
    keeps()
    t:rc("P30-210", rank:PtlMDUpdate { new = "good", testq = "dead" }, "PTL_INV_EQ")
    keeps()
    rank:md_unlink {}
    t:rc("P30-210", rank:PtlMDUpdate { old = "was" }, "PTL_INV_MD")
  end,
}

case {
  id = "md-update-moves",
  title = "An update can move the region and change the queue",
  purpose = "After the update data goes to the new region only and events to the new queue only.",
  requirements = { "P30-211", "P30-212" },
  run = function(t)
    local rank = loopback(t)
    rank:region("new", 100)
    rank:eq("new-eq")
    rank:attach { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    rank:md { name = "moved", region = "new", options = PUT .. "|" .. REMOTE, eventq = "new-eq" }
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
  title = "PtlMDAttach reports that there is no room for another descriptor, and succeeds again when one is unlinked",
  purpose = "Up to 1.2 million descriptors are bound. If the library reaches its limit before, PtlMDBind and PtlMDAttach must give PTL_NOSPACE; after unlinking one descriptor both succeed in turn.",
  requirements = { "P30-186", "P30-191", "P30-195" }, deadline = 120,
  run = function(t)
    local rank = t:open {}
    rank:me_attach {}
    rank:md { length = 0 }
    rank:md_bind { handle = "spare" }
    local result = rank:batch_for(80000, 1200000, { { "PtlMDBind", { interface = "ni", mem_desc = "desc",
      handle = "more" } } })
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

case {
  id = "md-run-out-until-one-is-used-up",
  title = "A descriptor that goes when it is used up makes room for another one",
  purpose = "Descriptors are bound until the library refuses. A descriptor that takes one put and then goes is given the last place; when it has gone another one can be bound, and then no more.",
  requirements = { "P30-186" }, deadline = 120,
  run = function(t)
    local rank = t:open {}
    rank:eq("eq", 4)
    rank:me_attach {}
    rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    rank:md { name = "once", start = "null", length = 0, threshold = 1, options = "PTL_MD_OP_PUT", eventq = "eq" }
    local made = rank:batch_for(80000, 1200000, { { "PtlMDBind", { interface = "ni", mem_desc = "void",
      handle = "more" } } })
    t:skip_if(made.line == 0, "no limit was met with " .. made.runs .. " descriptors")
    rank:md_unlink { mem_desc = "more" }
    t:rc("P30-186", rank:PtlMDAttach { mem_desc = "once", unlink = "PTL_UNLINK", handle = "brief" }, "PTL_OK")
    t:rc("P30-186", rank:PtlMDBind { mem_desc = "void", handle = "more" }, "PTL_NOSPACE")
    rank:put { mem_desc = "out-md", target = rank }
    t:sanity("the descriptor takes its put", rank:wait("eq").event ~= nil)
    local result = rank:PtlMDBind { mem_desc = "void", handle = "more" }
    for _ = 1, 20 do -- when a descriptor that is used up goes is open
      if result.rc == "PTL_OK" then break end
      rank:pause(100)
      result = rank:PtlMDBind { mem_desc = "void", handle = "more" }
    end
    t:rc("P30-186", result, "PTL_OK")
    t:rc("P30-186", rank:PtlMDBind { mem_desc = "void", handle = "one-more" }, "PTL_NOSPACE")
  end,
}
