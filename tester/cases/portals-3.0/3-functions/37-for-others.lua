-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.7.1: rules of a descriptor that are mostly tried by a process that puts to itself, where a library may take
-- a short way, hold for the requests of others. Rank 0 asks, rank 1 owns the descriptors.

defaults { suite = "memory-descriptors", chapter = "3.7", ranks = 2, still = { "P32-141", "P32-142", "P32-145" } }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local BOTH_WAYS <const> = { "put", "get" }

-- Rank 0 with descriptors of 0 and 40 octets mix/1, and rank 1 with a queue "eq" and a region "buf" of 100 octets.
local function pair(t)
  local from, to = t:open {}
  from:bind { desc = "void", start = "null", length = 0, md = "void-md" }
  from:bind { region = "out", octets = 40, fill = "mix/1", md = "out-md" }
  to:eq("eq", 64)
  to:region("buf", 100)
  return from, to
end

local function ask(verb, from, to, given)
  given = given or {}
  given.mem_desc, given.target, given.match_bits = given.mem_desc or "out-md", to, 0
  from[verb](from, given)
end

-- A request of another process that is served, or refused.
local function served(t, req, verb, from, to, given, fields)
  ask(verb, from, to, given)
  fields.type = "PTL_EVENT_" .. verb:upper()
  return t:event(req, to, "eq", fields)
end

local function refused(t, req, verb, from, to, given)
  local before = to:drop_count()
  ask(verb, from, to, given)
  t:drops(req, to, before, 1)
  t:equal(req, "events of a " .. verb .. " that is refused", to:PtlEQCount().count, 0)
end

case {
  id = "md-for-others-nothing",
  title = "A descriptor of no octets serves the empty requests of another process",
  purpose = "With a local offset and with that of the request: empty puts and gets are logged, of 40 octets they are refused.",
  requirements = { "P30-137" },
  run = function(t)
    local from, to = pair(t)
    for _, more in ipairs { "", "|" .. REMOTE } do
      to:attach { start = "null", length = 0, options = PUT .. "|" .. GET .. more, eventq = "eq" }
      for _, verb in ipairs(BOTH_WAYS) do
        served(t, "P30-137", verb, from, to, { mem_desc = "void-md" }, { rlength = 0, mlength = 0 })
        refused(t, "P30-137", verb, from, to)
      end
    end
  end,
}

case {
  id = "md-for-others-cut",
  title = "What another process asks for is cut to what is left, and refused beyond the end",
  purpose = "Puts and gets of 40 octets come to a region of 100 that cuts: at 60, 61, 99 and 100 of it, where 40, 39, 1 and no octets are moved, and at 101 and far beyond. A local offset that has come to the end serves, and moves nothing.",
  requirements = { "P30-166", "P30-167", "P30-168" },
  run = function(t)
    local from, to = pair(t)
    for verb, option in each { { "put", PUT }, { "get", GET } } do
      to:attach { options = option .. "|" .. REMOTE .. "|" .. TRUNCATE, eventq = "eq" }
      for _, offset in ipairs { 60, 61, 99, 100 } do
        to:fill("buf", "byte/0")
        served(t, offset == 100 and "P30-167" or "P30-166", verb, from, to, { offset = offset },
          { rlength = 40, mlength = 100 - offset, offset = offset })
        if verb == "put" then
          t:octets("P30-166", "what a put at " .. offset .. " moved", to, "buf", "mix/1", offset, 100 - offset)
          t:octets("P30-166", "the octets before it", to, "buf", "byte/0", 0, offset)
        end
      end
      for _, offset in ipairs { 101, 1 << 40 } do
        local before = to:drop_count()
        ask(verb, from, to, { offset = offset })
        t:flush(from, to)
        local event = to:wait("eq", 0).event
        t:reading("P30-168", "offset_beyond_end", "octets of a " .. verb .. " beyond the end",
          event and event.mlength or "dropped", { { "reject", "dropped" }, { "accept_zero", 0 } })
        t:equal("P30-168", "drops of a " .. verb .. " beyond the end", to:drop_count() - before, event and 0 or 1)
      end
      to:attach { index = 1, me = "me1", md = "md1", start = "buf", length = 80, options = option .. "|" .. TRUNCATE,
        eventq = "eq" }
      for i = 1, 3 do
        served(t, "P30-167", verb, from, to, { portal = 1 }, { rlength = 40, mlength = i < 3 and 40 or 0,
          offset = 40 * (i - 1) })
      end
      to:me_unlink { entry = "me1" }
    end
  end,
}

case {
  id = "md-for-others-counts",
  title = "The threshold counts what is served for another process, and not what is refused",
  purpose = "A descriptor of threshold 3 refuses what is too long, what is not enabled and what is beyond its end, and reads 3. It serves a put, an empty one and a third, and no fourth.",
  requirements = { "P30-141", "P30-144" },
  run = function(t)
    local from, to = pair(t)
    from:bind { desc = "long-desc", region = "long", octets = 101, md = "long-md" }
    to:attach { options = PUT .. "|" .. REMOTE, threshold = 3, eventq = "eq" }
    t:judging("P30-144")
    for verb, given in each { { "put", { mem_desc = "long-md" } }, { "get", {} }, { "put", { offset = 61 } },
      { "put", { offset = 101, mem_desc = "void-md" } } } do
      refused(t, "P30-144", verb, from, to, given)
      t:equal("P30-144", "the threshold behind a " .. verb .. " that is refused",
        Descriptor.current(t, to).threshold, 3)
    end
    for i, md in ipairs { "out-md", "void-md", "out-md" } do
      served(t, "P30-141", "put", from, to, { mem_desc = md }, {})
      t:equal("P30-141", "the threshold behind put " .. i, Descriptor.current(t, to).threshold, 3 - i)
    end
    for _, md in ipairs { "out-md", "void-md" } do refused(t, "P30-141", "put", from, to, { mem_desc = md }) end
  end,
}

case {
  id = "md-for-others-local-offset",
  title = "Another process cannot choose the place where a descriptor keeps its own offset",
  purpose = "Puts and gets of another process with offsets of 7, 60, 0 and 2^40 go to 0, 10, 20 and so on of the region.",
  requirements = { "P30-159" },
  run = function(t)
    local from, to = pair(t)
    from:bind { desc = "ten", start = "out", length = 10, md = "ten-md" }
    for verb, option in each { { "put", PUT }, { "get", GET } } do
      to:attach { options = option, eventq = "eq" }
      for i, offset in ipairs { 7, 60, 0, 1 << 40, 100, 5 } do
        t:equal("P30-159", "the place of a " .. verb .. " with offset " .. offset,
          served(t, "P30-159", verb, from, to, { mem_desc = "ten-md", offset = offset }, {}).offset, 10 * (i - 1))
      end
    end
  end,
}

case {
  id = "md-for-others-both",
  title = "A descriptor with both flags serves puts and gets of another process, whatever else it says",
  purpose = "Both flags with each set of the other options: puts and gets of no octets, of 40 and of 5000 are served in turn, twice.",
  requirements = { "P30-155" },
  run = function(t)
    local from, to = pair(t)
    to:region("wide", 5000)
    from:bind { desc = "wide-desc", region = "wide-out", octets = 5000, md = "wide-md" }
    for _, more in ipairs { "", TRUNCATE, "PTL_MD_ACK_DISABLE", TRUNCATE .. "|PTL_MD_ACK_DISABLE" } do
      to:attach { region = "wide", eventq = "eq",
        options = PUT .. "|" .. GET .. "|" .. REMOTE .. (more ~= "" and "|" .. more or "") }
      for _ = 1, 2 do
        for md, length in each { { "void-md", 0 }, { "out-md", 40 }, { "wide-md", 5000 } } do
          for _, verb in ipairs(BOTH_WAYS) do
            served(t, "P30-155", verb, from, to, { mem_desc = md }, { rlength = length, mlength = length })
          end
        end
      end
    end
  end,
}
