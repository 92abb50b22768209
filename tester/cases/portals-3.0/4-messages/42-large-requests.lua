-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 2.3, 3.6, 3.7 and 4.2: the rules by which a request is refused or taken hold for requests of 100,000 octets.

defaults { suite = "receiving", chapter = "4.2", ranks = 2 }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local LARGE <const> = 100000
local KINDS <const> = { put = "PTL_EVENT_PUT", get = "PTL_EVENT_GET" }

-- All ranks have a region "own" for what they put and get; the last one has a queue "eq" and a region "buf".
local function open(t, given)
  t:open(given or {})
  local to = t.ranks[t.size - 1]
  to:eq("eq", 64)
  to:region("buf", LARGE)
  for i = 0, t.size - 1 do
    t.ranks[i]:bind { region = "own", octets = LARGE, fill = "mix/3", desc = "own-desc", md = "own-md" }
  end
  return t.ranks[0], to, t.ranks[1]
end

-- An entry and a descriptor of this mark, by default for all requests from anybody.
local function attach(to, mark, given)
  for name, value in pairs { me = "me" .. mark, md = "md" .. mark, region = "buf", options = PUT .. "|" .. GET .. "|" ..
    REMOTE, eventq = "eq", user_ptr = mark } do
    if given[name] == nil then given[name] = value end
  end
  to:attach(given)
end

-- The same, behind the entry of another mark.
local function insert(to, mark, current, given, options)
  given.current, given.handle = "me" .. current, "me" .. mark
  to:me_insert(given)
  to:add_md { me = "me" .. mark, md = "md" .. mark, region = "buf", options = options or PUT .. "|" .. GET .. "|" ..
    REMOTE, eventq = "eq", user_ptr = mark }
end

-- A put or get is taken by the descriptor of this mark, and by none where it is nil.
local function judge(t, req, from, to, verb, given, mark)
  local before = to:drop_count()
  given.mem_desc, given.target = "own-md", to
  from[verb](from, given)
  if mark then
    local event = t:event(req, to, "eq", { type = KINDS[verb], rlength = LARGE })
    t:equal(req, "the descriptor that takes the " .. verb, event.mem_desc.user_ptr, mark)
    return event
  end
  t:drops(req, to, before, 1)
  t:equal(req, "events of a refused " .. verb, to:PtlEQCount().count, 0)
end

case {
  id = "large-requests-need-access",
  title = "Large requests are judged by the access control entry that they name",
  purpose = "Entry 2 names rank 0 and portal 1. Puts and gets of 100,000 octets by rank 1, to portal 2, and with a cookie outside the table are discarded and counted; those by rank 0 to portal 1 are taken.",
  requirements = { "P30-317", "P30-318", "P30-319" }, ranks = 3,
  run = function(t)
    local from, to, other = open(t, { ptl_size = 4, acl_size = 4 })
    for portal = 1, 2 do attach(to, portal, { index = portal }) end
    to:ac_entry { index = 2, matchid = t.gid(from.id), portal = 1 }
    for _, verb in ipairs { "put", "get" } do
      judge(t, "P30-317", from, to, verb, { portal = 1, cookie = to:granted("acl_size", 4) }, nil)
      judge(t, "P30-318", other, to, verb, { portal = 1, cookie = 2 }, nil)
      judge(t, "P30-319", from, to, verb, { portal = 2, cookie = 2 }, nil)
      judge(t, "P30-318", from, to, verb, { portal = 1, cookie = 2 }, 1)
    end
  end,
}

case {
  id = "large-requests-must-match",
  title = "Large requests are matched by process and by all bits that are not ignored, entry after entry",
  purpose = "Of five entries the first is for another process, the second differs in its highest bit, the third ignores the lower half, the fourth serves gets only and the fifth everything. Puts and gets of 100,000 octets find the first one that fits and accepts; where none does they are dropped.",
  requirements = { "P30-105", "P30-111", "P30-112", "P30-019" }, chapter = "3.6", still = { "P32-019" },
  run = function(t)
    local from, to = open(t)
    attach(to, 1, { matchid = t.gid(to.id), match_bits = 7 })
    insert(to, 2, 1, { match_bits = 1 << 63 | 7 })
    insert(to, 3, 2, { match_bits = 5 << 32, ignorebits = 0xffffffff })
    insert(to, 4, 3, { match_bits = 9 }, GET .. "|" .. REMOTE)
    insert(to, 5, 4, { match_bits = 9 })
    for _, verb in ipairs { "put", "get" } do
      judge(t, "P30-112", from, to, verb, { match_bits = 6 << 32 | 9 }, nil)
      judge(t, "P30-105", from, to, verb, { match_bits = 7 }, nil)
      judge(t, "P30-105", to, to, verb, { match_bits = 7 }, 1)
      judge(t, "P30-112", to, to, verb, { match_bits = 1 << 63 | 7 }, 2)
      judge(t, "P30-111", from, to, verb, { match_bits = 5 << 32 | 0xdead }, 3)
      judge(t, "P30-019", from, to, verb, { match_bits = 9 }, verb == "put" and 5 or 4)
    end
  end,
}

case {
  id = "large-requests-must-be-served",
  title = "A descriptor refuses large requests by the same rules as short ones",
  purpose = "Requests of 100,000 octets come to descriptors that serve the other operation, are inactive, or have less room at the offset and do not truncate. Each is dropped, and its neighbour that may be done is done, at the offset that the sender names.",
  requirements = { "P30-145", "P30-151", "P30-152", "P30-162", "P30-163", "P30-325" }, chapter = "3.7.1",
  still = { "P32-145" },
  run = function(t)
    local from, to = open(t)
    local both = PUT .. "|" .. GET .. "|" .. REMOTE
    for mark, given in ipairs { { options = GET .. "|" .. REMOTE }, { options = PUT .. "|" .. REMOTE },
      { threshold = 0 }, {}, { options = both .. "|" .. TRUNCATE } } do
      given.index = mark
      attach(to, mark, given)
    end
    for _, verb in ipairs { "put", "get" } do
      judge(t, "P30-151", from, to, verb, { portal = 1 }, verb == "get" and 1 or nil)
      judge(t, "P30-152", from, to, verb, { portal = 2 }, verb == "put" and 2 or nil)
      judge(t, "P30-145", from, to, verb, { portal = 3 }, nil)
      for place, offset in ipairs { 20000, 0, 7 } do
        local req = place == 1 and "P30-162" or "P30-163"
        local event = judge(t, req, from, to, verb, { portal = 5, offset = offset }, 5)
        t:equal(req, "offset of the " .. verb, event.offset, offset)
        t:equal(req, "what fits behind that offset", event.mlength, LARGE - offset)
      end
      judge(t, "P30-325", from, to, verb, { portal = 4, offset = 1 }, nil)
    end
  end,
}

case {
  id = "large-requests-advance-the-offset",
  title = "A locally managed offset advances by what large requests move, and the last one unlinks",
  purpose = "A descriptor of 300,000 octets takes three puts of 100,000, another one three gets, and each begins where the one before has ended; a third one, for two puts, goes with the second.",
  requirements = { "P30-160", "P30-179" }, chapter = "3.7.1", still = { "P32-179", "P33-179" },
  run = function(t)
    local from, to = open(t)
    to:region("room", 3 * LARGE)
    for mark, verb in ipairs { "put", "get" } do
      attach(to, mark, { index = mark, region = "room", options = PUT .. "|" .. GET .. "|" .. TRUNCATE })
      for place = 0, 2 do
        local event = judge(t, "P30-160", from, to, verb, { portal = mark }, mark)
        t:equal("P30-160", "offset of " .. verb .. " " .. place + 1, event.offset, LARGE * place)
        t:equal("P30-160", "length of " .. verb .. " " .. place + 1, event.mlength, LARGE)
      end
    end
    attach(to, 3, { index = 3, region = "room", options = PUT, threshold = 2, md_unlink = "PTL_UNLINK" })
    for place = 0, 1 do
      local event = judge(t, "P30-160", from, to, "put", { portal = 3 }, 3)
      t:equal("P30-160", "offset of put " .. place + 1, event.offset, LARGE * place)
    end
    t:md_unlinked("P30-179", to, "md3")
  end,
}
