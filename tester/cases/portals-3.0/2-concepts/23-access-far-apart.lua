-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 2.3, 3.9 and 4.2: the entries of a larger access control table are apart, and so are cookies and portals
-- that are alike in their lower bits; who owns the table is not beyond it.

defaults { suite = "access-control", chapter = "3.9", still = { "P32-034" } }

local ENTRIES = 40

case {
  id = "access-entries-far-apart",
  title = "Setting one entry of the access control table changes no other one, however far apart",
  purpose = "In a table of 40, entries whose numbers differ in one bit are set one after the other, each for a portal of its own. Each admits to its own portal and to no other; those that were not set admit nobody. The last one, set again for any portal, admits to all.",
  requirements = { "P30-033", "P30-038" }, ranks = 2,
  run = function(t)
    local from, to = t:open { acl_size = ENTRIES }
    to:eq("eq", 16)
    for portal = 0, 6 do
      to:attach { index = portal, me = "me", md = "md" .. portal, start = "null", length = 0, eventq = "eq" }
    end
    from:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    local set, others = { 2, 3, 6, 10, 18, 34, 39 }, { 5, 4, 8, 16, 32, 38 }
    to:ac_close(table.unpack(others))
    for place, index in ipairs(set) do to:ac_entry { index = index, portal = place - 1 } end
    local function put(req, portal, cookie, taken)
      local before = to:drop_count()
      from:put { mem_desc = "out-md", target = to, portal = portal, cookie = cookie }
      if taken then
        t:event(req, to, "eq", { type = "PTL_EVENT_PUT", portal = portal })
      else
        t:drops(req, to, before, 1)
      end
    end
    for place, index in ipairs(set) do
      put("P30-038", place - 1, index, true)
      put("P30-038", place % #set, index, false)
    end
    for _, index in ipairs(others) do put("P30-038", 0, index, false) end
    to:ac_entry { index = 39, portal = "any" }
    for portal = 0, 6 do put("P30-033", portal, 39, true) end
  end,
}

for name, size in each { { "eight", 8 }, { "hundreds", 300 } } do
  case {
    id = "access-any-portal-of-" .. name,
    title = "An entry for any portal admits to the last portal as to the first",
    purpose = "In a portal table of " .. size .. " an entry for any portal, and entry 0, admit to the first portals, "
      .. "to those around powers of two and to the last one.",
    requirements = { "P30-033", "P30-034" }, ranks = 2,
    run = function(t)
      local from, to = t:open { ptl_size = size }
      to:eq("eq", 16)
      from:bind { desc = "void", start = "null", length = 0, md = "out-md" }
      to:ac_entry { index = 2, portal = "any" }
      for _, portal in ipairs { 0, 1, 7, 31, 32, 63, 64, 127, 128, 255, 256, size - 1 } do
        if portal < size then
          to:attach { index = portal, me = "me", md = "md", start = "null", length = 0, eventq = "eq" }
          for cookie, req in each { { 2, "P30-033" }, { 0, "P30-034" } } do
            from:put { mem_desc = "out-md", target = to, portal = portal, cookie = cookie }
            t:event(req, to, "eq", { type = "PTL_EVENT_PUT", portal = portal })
          end
          to:me_unlink { entry = "me" }
        end
      end
    end,
  }
end

case {
  id = "access-holds-for-oneself",
  title = "An entry that does not name the process itself does not admit it",
  purpose = "Rank 1 sets entry 2 for rank 0 and entry 0 for rank 0 too. Its own puts and gets are dropped by both, those of rank 0 are served.",
  requirements = { "P30-030", "P30-039", "P30-318" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:eq("eq", 16)
    to:attach { start = "null", length = 0, options = "PTL_MD_OP_PUT|PTL_MD_OP_GET", eventq = "eq" }
    for i = 0, 1 do t.ranks[i]:bind { desc = "void", start = "null", length = 0, md = "out-md" } end
    for _, cookie in ipairs { 2, 0 } do
      to:ac_entry { index = cookie, matchid = t.gid(from.id) }
      local row = cookie == 0 and "P30-039" or "P30-030"
      for verb, req in each { { "put", row }, { "get", "P30-318" } } do
        t:judging(req)
        local before = to:drop_count()
        to[verb](to, { mem_desc = "out-md", target = to, cookie = cookie })
        t:drops(req, to, before, 1)
        from[verb](from, { mem_desc = "out-md", target = to, cookie = cookie })
        t:event(req, to, "eq", { type = "PTL_EVENT_" .. verb:upper(), initiator = from.id })
      end
    end
  end,
}

-- Numbers that are small in 8 or 16 bits, or below zero in 32.
local LARGE = { 0x100, 0x10000, 0x1000000, 0x7fffffff, 0x80000000, 0xffffff00, 0xfffffffe, 0xffffffff }

for field, req, state in each { { "cookie", "P30-317", "access" }, { "portal", "P30-316", "portal" } } do
  case {
    id = "receive-" .. field .. "-of-any-size",
    title = "A " .. field .. " beyond the table is dropped, whatever it is in fewer bits",
    purpose = "Entry 0 and entry 2 admit everybody, and portals 0 and 3 take anything. Puts and gets whose " .. field ..
      " is one of these plus 2^8, 2^16, 2^24, 2^31 or just below 2^32 are dropped and counted.",
    requirements = { req }, suite = "receiving", chapter = "4.2", wire = true, negative = true,
    run = function(t)
      local rank, _, stream = Receiver.set_up(t)
      rank:ac_entry { index = 0, matchid = t.any_nid }
      Receiver.take_anything(rank, 0)
      for place, number in ipairs(LARGE) do
        local low = place % 2 == 0 and (field == "cookie" and Receiver.COOKIE or Receiver.PORTAL) or 0
        local message = { operation = place % 3 == 0 and "get" or "put", portal = Receiver.PORTAL,
          cookie = Receiver.COOKIE, md = 5, length = 0, mlength = 0 }
        Receiver.discards(t, req, rank, stream, Receiver.with_field(message, field, number | low), { state = state })
        Receiver.accepts(t, rank, stream, message)
      end
    end,
  }
end

case {
  id = "access-portals-far-apart",
  title = "An entry for one portal is for no other one whose index is equal in its lowest bits",
  purpose = "In a portal table of 2048, or of 128, entry 2 is for portal 1. Puts and gets with cookie 2 to it are taken, those to others that differ from it in higher bits alone are dropped.",
  requirements = { "P30-031" }, chapter = "2.3",
  run = function(t)
    t:init()
    local rank, size = t.ranks[0], 2048
    if rank:PtlNIInit { ptl_size = size }.rc ~= "PTL_OK" then
      size = 128
      rank:ni_init { ptl_size = size }
    end
    size = rank:granted("ptl_size", size)
    rank:eq("eq", 16)
    rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    rank:ac_entry { index = 2, portal = 1 }
    for _, portal in ipairs { 17, 33, 65, 257, 513, 1025, 1 } do
      if portal < size then
        rank:attach { index = portal, me = "me", md = "md", start = "null", length = 0, eventq = "eq",
          options = "PTL_MD_OP_PUT|PTL_MD_OP_GET" }
        for _, verb in ipairs { "put", "get" } do
          local before = rank:drop_count()
          rank[verb](rank, { mem_desc = "out-md", target = rank, portal = portal, cookie = 2, match_bits = 0 })
          if portal == 1 then
            t:event("P30-031", rank, "eq", { type = "PTL_EVENT_" .. verb:upper(), portal = 1 })
          else
            t:drops("P30-031", rank, before, 1)
          end
        end
      end
    end
    t:equal("P30-031", "further events", rank:PtlEQCount().count, 0)
  end,
}
