-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.7: descriptors that are used up and filled again, regions to their end, and values as large as their types
-- allow. A process puts to itself.

defaults { suite = "memory-descriptors", chapter = "3.7", still = { "P32-141", "P32-179", "P33-179" } }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local loopback, put, current, refuses = Descriptor.loopback, Descriptor.put, Descriptor.current, Descriptor.refuses

case {
  id = "md-threshold-set-again",
  title = "A descriptor that is used up serves, after an update, as many operations as its new threshold says",
  purpose = "A descriptor with PTL_RETAIN is used up by one put, given a threshold of two, used up again, and given a threshold of one: it serves two puts, then one, and what follows is dropped.",
  requirements = { "P30-141" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { options = PUT .. "|" .. REMOTE, threshold = 1, eventq = "eq" }
    for _, threshold in ipairs { 1, 2, 1 } do
      rank:md { name = "again", options = PUT .. "|" .. REMOTE, threshold = threshold, eventq = "eq" }
      rank:md_update { new = "again" }
      for _ = 1, threshold do
        put(rank)
        t:event("P30-141", rank, "eq", { type = "PTL_EVENT_PUT" })
      end
      refuses(t, "P30-141", rank)
    end
  end,
}

case {
  id = "md-unlinked-by-a-get",
  title = "A descriptor with PTL_UNLINK is unlinked by a get that uses it up, as by a put",
  purpose = "A descriptor for two operations is used up by a put and a get, and another by two gets. Each still lives after the first operation and is gone after the second.",
  requirements = { "P30-179" },
  run = function(t)
    local rank = loopback(t)
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    for portal, verbs in ipairs { { "put", "get" }, { "get", "get" } } do
      rank:attach { index = portal, options = PUT .. "|" .. GET .. "|" .. REMOTE, threshold = 2,
        md_unlink = "PTL_UNLINK", eventq = "eq" }
      for i, verb in ipairs(verbs) do
        rank[verb](rank, { mem_desc = "void-md", target = rank, portal = portal })
        t:event("P30-179", rank, "eq", { type = "PTL_EVENT_" .. verb:upper() })
        if i == 1 then t:rc("P30-179", rank:PtlMDUpdate { old = "was" }, "PTL_OK") end
      end
      t:md_unlinked("P30-179", rank)
    end
  end,
}

case {
  id = "md-region-filled-to-its-end",
  title = "A region that is full has no room, however it was filled",
  purpose = "Puts of 40 octets exactly fill regions of 40 and of 80 octets. A further put is dropped where nothing may be cut, and cut to nothing where it may; what was received stays.",
  requirements = { "P30-164" },
  run = function(t)
    local rank = loopback(t)
    for rounds = 1, 2 do
      for _, more in ipairs { "", "|" .. TRUNCATE } do
        rank:fill("buf", "byte/0")
        rank:attach { length = 40 * rounds, options = PUT .. more, eventq = "eq" }
        for i = 1, rounds do
          put(rank)
          t:event("P30-164", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40, offset = 40 * (i - 1) })
        end
        rank:fill("source", "mix/2")
        if more == "" then
          refuses(t, "P30-164", rank)
        else
          put(rank)
          t:event("P30-164", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 0 })
        end
        rank:fill("source", "mix/1")
        t:octets("P30-164", "the first forty octets of the full region", rank, "buf", "mix/1", 0, 40)
      end
    end
  end,
}

case {
  id = "md-update-wider-again",
  title = "An update makes a region narrower, and wide again",
  purpose = "A region of 100 octets is made one of 10, to which a put of 40 is cut, then one of 100 again, one of 5 and of none elsewhere, and one of 60 there: puts of 40 octets are stored as a whole where they fit, and not at all in a region of no octets.",
  requirements = { "P30-211" },
  run = function(t)
    local rank = loopback(t)
    rank:region("elsewhere", 60)
    rank:attach { options = PUT .. "|" .. REMOTE .. "|" .. TRUNCATE, eventq = "eq" }
    for region, length, stored in each { { "buf", 10, 10 }, { "buf", 100, 40 }, { "elsewhere", 5, 5 },
      { "elsewhere", 0, 0 }, { "elsewhere", 60, 40 } } do
      rank:md { name = "next", start = region, length = length, options = PUT .. "|" .. REMOTE .. "|" .. TRUNCATE,
        eventq = "eq" }
      rank:md_update { new = "next" }
      t:equal("P30-211", "length after the update", current(t, rank).length, length)
      rank:fill(region, "byte/0")
      put(rank)
      t:event("P30-211", rank, "eq", { type = "PTL_EVENT_PUT", mlength = stored })
      t:octets("P30-211", "what is stored in the new region", rank, region, "mix/1", 0, stored)
      t:octets("P30-211", "what is behind it", rank, region, "byte/0", stored, 60 - stored)
    end
  end,
}

case {
  id = "md-update-tests-for-a-mute-one",
  title = "The test queue of an update counts for a descriptor without a queue, too",
  purpose = "A descriptor has no event queue. Its update is refused while the queue that is named as the test queue holds an event, and done once it is empty.",
  requirements = { "P30-206" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { index = 1, me = "other-me", md = "other", options = PUT .. "|" .. REMOTE, eventq = "eq" }
    rank:attach { options = PUT, threshold = 5 }
    put(rank, { portal = 1 })
    t:flush(rank, rank)
    rank:md { name = "next", options = PUT, threshold = 9 }
    t:rc("P30-206", rank:PtlMDUpdate { new = "next", testq = "eq" }, "PTL_NOUPDATE")
    t:equal("P30-206", "threshold after the refused update", current(t, rank).threshold, 5)
    t:event("P30-206", rank, "eq", { type = "PTL_EVENT_PUT" })
    t:rc("P30-206", rank:PtlMDUpdate { new = "next", testq = "eq" }, "PTL_OK")
    t:equal("P30-206", "threshold after the update", current(t, rank).threshold, 9)
  end,
}

case {
  id = "md-neighbours-of-the-unlinked",
  only = true,
  title = "When a descriptor is unlinked from the midst of a list, those before and behind it stay",
  purpose = "Of four descriptors in one list the second is unlinked, then the third. After each call the handles of the others are good; in the end two puts use up the first and then the fourth.",
  requirements = { "P30-197" },
  run = function(t)
    local rank = loopback(t)
    local function describe(mark)
      return { options = PUT, threshold = 1, eventq = "eq", user_ptr = mark }
    end
    local first = describe(1)
    first.md, first.md_unlink = "md1", "PTL_UNLINK"
    rank:attach(first)
    for mark = 2, 4 do
      rank:md(describe(mark))
      rank:md_insert { unlink = "PTL_UNLINK", current = "md" .. mark - 1, handle = "md" .. mark }
    end
    for gone, others in each { { "md2", { "md1", "md3", "md4" } }, { "md3", { "md1", "md4" } } } do
      t:rc("P30-197", rank:PtlMDUnlink { mem_desc = gone }, "PTL_OK")
      for _, md in ipairs(others) do t:rc("P30-197", rank:PtlMDUpdate { mem_desc = md, old = "was" }, "PTL_OK") end
    end
    for _, mark in ipairs { 1, 4 } do
      put(rank)
      t:equal("P30-197", "the descriptor that takes the put",
        t:event("P30-197", rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, mark)
    end
  end,
}

case {
  id = "match-insert-into-three",
  title = "An entry that is inserted before the second, or after the first, stands between the two",
  purpose = "In a list of three entries with equal criteria a fourth is inserted before the second, and in another list after the first. Four puts use up the entries in their order.",
  requirements = { "P30-122", "P30-123" }, suite = "match-entries", chapter = "3.6",
  run = function(t)
    local rank = loopback(t)
    local function furnish(mark)
      rank:add_md { me = "me" .. mark, md = "md" .. mark, options = PUT, threshold = 1, md_unlink = "PTL_UNLINK",
        eventq = "eq", user_ptr = mark }
    end
    for req, position, current_me in each { { "P30-122", "PTL_INS_BEFORE", "me2" },
      { "P30-123", "PTL_INS_AFTER", "me1" } } do
      rank:me_attach { unlink = "PTL_UNLINK", handle = "me1" }
      for mark = 2, 3 do
        rank:me_insert { unlink = "PTL_UNLINK", current = "me" .. mark - 1, handle = "me" .. mark }
      end
      rank:me_insert { unlink = "PTL_UNLINK", position = position, current = current_me, handle = "me4" }
      for mark = 1, 4 do furnish(mark) end
      local order = {}
      for i = 1, 4 do
        put(rank)
        order[i] = t:event(req, rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr
      end
      t:equal(req, "the entries in the order in which they take puts", order, { 1, 4, 2, 3 })
    end
  end,
}

case {
  id = "md-update-endless-for-a-while",
  title = "A descriptor that was endless for a while is unlinked when its threshold is used up",
  purpose = "Descriptors with PTL_UNLINK, for puts and for gets, are made endless by an update and get a threshold of two by another one. The second operation behind that unlinks them.",
  requirements = { "P30-179" },
  run = function(t)
    local rank = loopback(t)
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    for verb, option in each { { "put", PUT }, { "get", GET } } do
      rank:attach { threshold = 5, md_unlink = "PTL_UNLINK", options = option, eventq = "eq" }
      local function ask()
        rank[verb](rank, { mem_desc = "void-md", target = rank })
        t:event("P30-179", rank, "eq", { type = "PTL_EVENT_" .. verb:upper() })
      end
      for _, threshold in ipairs { "inf", 2 } do
        ask()
        rank:md { name = "next", region = "buf", threshold = threshold, options = option, eventq = "eq" }
        rank:md_update { new = "next" }
      end
      ask()
      t:equal("P30-179", "what is left of a threshold of two", current(t, rank).threshold, 1)
      ask()
      t:md_unlinked("P30-179", rank)
    end
  end,
}

case {
  id = "md-update-shorter-than-the-offset",
  only = true,
  title = "A local offset that lies beyond a region is where it was when the region is long again",
  purpose = "Two puts fill 80 of 100 octets. The region is made one of 50 and then of 100 octets: the next put goes to 80, or, where updates begin anew, to the start, and nowhere between.",
  requirements = { "P30-211" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { options = PUT .. "|" .. TRUNCATE, eventq = "eq" }
    for i = 0, 1 do
      put(rank)
      t:event("P30-211", rank, "eq", { type = "PTL_EVENT_PUT", offset = 40 * i, mlength = 40 })
    end
    for _, length in ipairs { 50, 100 } do
      rank:md { name = "next", start = "buf", length = length, options = PUT .. "|" .. TRUNCATE, eventq = "eq" }
      rank:md_update { new = "next" }
    end
    rank:fill("buf", "byte/0")
    put(rank)
    local event = t:event("P30-211", rank, "eq", { type = "PTL_EVENT_PUT" })
    local reading = t:reading("P30-211", "update_keeps_offset", "offset of a put behind two updates", event.offset,
      { { "yes", 80 }, { "no", 0 } })
    local stored = reading == "yes" and 20 or 40
    t:equal("P30-211", "octets that are stored", event.mlength, stored)
    t:octets("P30-211", "what is stored", rank, "buf", "mix/1", event.offset, stored)
  end,
}
