-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.6, 3.7.1 and 4.2: requests and replies of no octets, offsets far beyond a region, and what an object does
-- not take over from the one beside it. A process puts to itself and gets from itself.

defaults { suite = "memory-descriptors", chapter = "3.7", still = { "P32-157" } }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local loopback, put, current, refuses = Descriptor.loopback, Descriptor.put, Descriptor.current, Descriptor.refuses

-- A descriptor "void-md" of no octets to put from and to get into.
local function add_void(rank, eventq)
  rank:bind { desc = "void", start = "null", length = 0, md = "void-md", eventq = eventq }
end

case {
  id = "md-far-offsets",
  title = "No offset is so large that a request of it reaches the region, or the memory around it",
  purpose = "A region lies in the midst of others. Puts of 40 octets name offsets behind its end that lie in it when cut to 32 bits, when taken as negative, or when the length is added: all are dropped, and no octet changes. Gets of the same offsets bring nothing.",
  requirements = { "P30-140", "P30-164" },
  run = function(t)
    local rank = loopback(t, 300)
    rank:attach { start = "buf+100", length = 100, options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
    local offsets = { 1 << 31, 1 << 32, (1 << 32) + 60, (1 << 48) + 8, 1 << 63, -1, -8, -39, -40, -41, -100 }
    local before = rank:drop_count()
    for _, offset in ipairs(offsets) do
      put(rank, { offset = offset })
      rank:get { mem_desc = "out-md", target = rank, offset = offset }
    end
    t:flush(rank, rank)
    t:octets("P30-140", "the memory before the region", rank, "buf", "byte/0", 0, 100)
    t:octets("P30-140", "the memory behind the region", rank, "buf", "byte/0", 200, 100)
    t:octets("P30-164", "the region", rank, "buf", "byte/0", 100, 100)
    t:octets("P30-164", "the memory of the gets", rank, "source", "mix/1")
    t:drops("P30-164", rank, before, 2 * #offsets)
    t:equal("P30-164", "events of requests that do not fit", rank:PtlEQCount().count, 0)
    put(rank, { offset = 60 })
    t:event("P30-164", rank, "eq", { type = "PTL_EVENT_PUT", offset = 60, mlength = 40 })
  end,
}

case {
  id = "md-nothing-fits-a-full-region",
  title = "A request of no octets fits a region that is full, and one at its very end",
  purpose = "A put fills a region; an empty put and an empty get follow, with the local offset. With the request's offset the same at the end of a region, and in a region of no octets. All are taken, though nothing may be cut.",
  requirements = { "P30-137", "P30-164" },
  run = function(t)
    local rank = loopback(t)
    add_void(rank)
    rank:attach { length = 40, options = PUT .. "|" .. GET, eventq = "eq" }
    put(rank)
    t:event("P30-164", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40 })
    rank:attach { index = 1, length = 40, me = "me1", md = "md1", options = PUT .. "|" .. GET .. "|" .. REMOTE,
      eventq = "eq" }
    rank:attach { index = 2, desc = "no-octets", start = "null", length = 0, me = "me2", md = "md2",
      options = PUT .. "|" .. GET, eventq = "eq" }
    for portal, offset in pairs { [0] = 0, 40, 0 } do
      for _, verb in ipairs { "put", "get" } do
        rank[verb](rank, { mem_desc = "void-md", target = rank, portal = portal, offset = offset })
        t:event(portal == 2 and "P30-137" or "P30-164", rank, "eq",
          { type = "PTL_EVENT_" .. verb:upper(), portal = portal, rlength = 0, mlength = 0 })
      end
    end
  end,
}

case {
  id = "md-empty-replies",
  title = "A reply of no octets is taken by every descriptor, with and without a queue",
  purpose = "Descriptors with and without octets, in a list and bound, with and without a queue, get from one of no octets. Those with a queue have a reply's event each; nothing is counted as dropped, and no octet changes.",
  requirements = { "P30-157", "P30-322" },
  run = function(t)
    local rank = loopback(t)
    add_void(rank)
    rank:attach { desc = "served", start = "null", length = 0, options = GET .. "|" .. TRUNCATE }
    rank:region("in", 40, { fill = "byte/7" })
    local before = rank:drop_count()
    for _, eventq in ipairs { "eq", "none" } do
      add_void(rank, eventq)
      rank:bind { region = "in", md = "in-md", eventq = eventq }
      rank:attach { index = 1, me = "me1", md = "listed", region = "buf", options = 0, eventq = eventq }
      for _, md in ipairs { "void-md", "in-md", "listed" } do
        rank:get { mem_desc = md, target = rank }
        if eventq == "eq" then
          t:event("P30-157", rank, "eq", { type = "PTL_EVENT_REPLY", mlength = 0 })
        end
      end
      t:flush(rank, rank)
      t:octets("P30-157", "memory to which nothing was brought", rank, "in", "byte/7")
    end
    t:equal("P30-157", "messages dropped", rank:drop_count() - before, 0)
    t:equal("P30-322", "events that are left", rank:PtlEQCount().count, 0)
  end,
}

case {
  id = "md-listed-as-source",
  title = "A descriptor in a list that is put from, and got into, keeps its threshold",
  purpose = "A descriptor of threshold 3 in a list is put from twice, and got into twice. Its threshold stays 3, and it takes three puts and no more. Later revisions count whatever is logged.",
  requirements = { "P30-149", "P30-150" },
  run = function(t)
    local rank = loopback(t)
    add_void(rank)
    rank:attach { index = 1, me = "other-me", md = "other", region = "buf",
      options = PUT .. "|" .. GET .. "|" .. REMOTE }
    rank:region("own", 40)
    rank:attach { region = "own", threshold = 3, options = PUT .. "|" .. REMOTE, eventq = "eq" }
    for _ = 1, 2 do
      rank:put { mem_desc = "md", target = rank, portal = 1 }
      t:event("P30-150", rank, "eq", { type = "PTL_EVENT_SENT" })
    end
    local counts = t:reading("P30-150", "threshold_counts", "threshold after sending twice",
      current(t, rank).threshold, { { "remote_requests", 3 }, { "every_event", 1 } }) == "every_event"
    if counts then
      rank:get { mem_desc = "md", target = rank, portal = 1 }
      t:event("P30-149", rank, "eq", { type = "PTL_EVENT_REPLY" })
      return
    end
    for _ = 1, 2 do
      rank:get { mem_desc = "md", target = rank, portal = 1 }
      t:event("P30-149", rank, "eq", { type = "PTL_EVENT_REPLY", mlength = 40 })
    end
    t:equal("P30-149", "threshold after two replies", current(t, rank).threshold, 3)
    for _ = 1, 3 do
      put(rank, { mem_desc = "void-md" })
      t:event("P30-149", rank, "eq", { type = "PTL_EVENT_PUT" })
    end
    refuses(t, "P30-149", rank, { mem_desc = "void-md" })
  end,
}

case {
  id = "match-entry-stays-with-inactive-ones",
  only = true,
  title = "An entry with PTL_UNLINK stays as long as it has a descriptor, though none of them is active",
  purpose = "Behind the first descriptor of an entry stand two that are inactive. A put uses up the first, which is unlinked. The entry and both others are there; given a threshold of one, each takes a put, and the entry goes with the last.",
  requirements = { "P30-115" }, suite = "match-entries", chapter = "3.6",
  run = function(t)
    local rank = loopback(t)
    add_void(rank)
    rank:attach { unlink = "PTL_UNLINK", md_unlink = "PTL_UNLINK", threshold = 1, options = PUT, eventq = "eq" }
    for mark = 3, 2, -1 do
      rank:md { options = PUT, threshold = 0, eventq = "eq", user_ptr = mark }
      rank:md_insert { unlink = "PTL_UNLINK", current = "md", handle = "md" .. mark }
    end
    put(rank, { mem_desc = "void-md" })
    t:event("P30-115", rank, "eq", { type = "PTL_EVENT_PUT" })
    t:md_unlinked("P30-115", rank)
    for mark = 2, 3 do
      t:rc("P30-115", rank:PtlMEInsert { match_bits = 9, current = "me", handle = "probe" }, "PTL_OK")
      rank:md { name = "armed", options = PUT, threshold = 1, eventq = "eq", user_ptr = mark }
      t:rc("P30-115", rank:PtlMDUpdate { mem_desc = "md" .. mark, new = "armed" }, "PTL_OK")
      put(rank, { mem_desc = "void-md" })
      t:equal("P30-115", "the descriptor that takes the put",
        t:event("P30-115", rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, mark)
    end
    t:me_unlinked("P30-115", rank)
  end,
}

case {
  id = "match-insert-beside-a-catch-all",
  title = "An exact entry beside one that takes everything takes what is meant for it, and nothing else",
  purpose = "Before and behind an entry that ignores all bits and all ids exact ones are inserted, in all bits and for a process that does not put. Puts that differ from an exact entry's bits in one bit, and one of its bits from another process, pass it by.",
  requirements = { "P30-105", "P30-112" }, suite = "match-entries", chapter = "3.6",
  run = function(t)
    local rank = loopback(t)
    add_void(rank)
    local elsewhere = { kind = "nid", nid = rank.id.nid, pid = rank.id.pid ~ 1, gid = 0, rid = 0 }
    rank:me_attach { ignorebits = -1, handle = "all-me" }
    rank:add_md { me = "all-me", md = "all", options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 9 }
    for mark, given in ipairs { { match_bits = 0x55 }, { match_bits = 0xaa, matchid = elsewhere } } do
      given.position, given.current, given.handle = "PTL_INS_BEFORE", "all-me", "me" .. mark
      -- A library may know who there is, and refuse an entry for others.
      local result = rank:PtlMEInsert(given)
      if not given.matchid or result.rc ~= "PTL_INV_PROC" then
        t:setup(result)
        rank:add_md { me = "me" .. mark, md = "md" .. mark, options = PUT .. "|" .. REMOTE, eventq = "eq",
          user_ptr = mark }
      end
    end
    local function takes(req, bits, mark)
      put(rank, { mem_desc = "void-md", match_bits = bits })
      t:equal(req, ("the entry that takes a put of the bits %#x"):format(bits),
        t:event(req, rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, mark)
    end
    takes("P30-112", 0x55, 1)
    for bit = 0, 63, 9 do takes("P30-112", 0x55 ~ 1 << bit, 9) end
    takes("P30-105", 0xaa, 9)
    rank:me_insert { match_bits = 0x77, position = "PTL_INS_AFTER", current = "all-me", handle = "last" }
    rank:add_md { me = "last", md = "last-md", options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 3 }
    rank:me_unlink { entry = "all-me" }
    takes("P30-112", 0x77, 3)
    refuses(t, "P30-112", rank, { mem_desc = "void-md", match_bits = 0x76 })
  end,
}

case {
  id = "match-alike-that-go",
  title = "When the first of entries that are alike has gone, the one behind it is the first",
  purpose = "Nine entries are alike and go with their first request. As many puts find them in their order.",
  requirements = { "P30-315" }, suite = "match-entries", chapter = "3.6",
  run = function(t)
    local rank, count = loopback(t), 9
    add_void(rank)
    for mark = 1, count do
      local attach = mark == 1 and rank.me_attach or rank.me_insert
      attach(rank, { current = mark > 1 and "me" .. mark - 1 or nil, unlink = "PTL_UNLINK", handle = "me" .. mark })
      rank:add_md { me = "me" .. mark, md = "md" .. mark, threshold = 1, md_unlink = "PTL_UNLINK",
        options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = mark }
    end
    for mark = 1, count do
      put(rank, { mem_desc = "void-md" })
      t:equal("P30-315", "the entry that takes put " .. mark,
        t:event("P30-315", rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, mark)
    end
  end,
}

case {
  id = "match-alike-while-growing",
  title = "However long a list grows, the first of those alike takes the first request",
  purpose = "To a list of entries that are all alike one after the other is added, up to 140. As many puts find them in their order.",
  requirements = { "P30-015", "P30-315" }, suite = "match-entries", chapter = "3.6",
  run = function(t)
    local rank, count = loopback(t), 140
    add_void(rank)
    rank:me_attach { handle = "me1" }
    for mark = 1, count do
      if mark > 1 then
        local result = rank:PtlMEInsert { current = "me" .. mark - 1, handle = "me" .. mark }
        t:skip_if(result.rc == "PTL_ML_TOOLONG" or result.rc == "PTL_NOSPACE",
          "a match list may not have " .. count .. " entries")
        t:setup(result)
      end
      rank:add_md { me = "me" .. mark, md = "md" .. mark, threshold = 1, md_unlink = "PTL_UNLINK",
        options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = mark }
    end
    for mark = 1, count do
      put(rank, { mem_desc = "void-md" })
      t:equal(mark == 1 and "P30-015" or "P30-315", "the entry that takes put " .. mark,
        t:event("P30-015", rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, mark)
    end
  end,
}
