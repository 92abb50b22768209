-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.7: what stays of a descriptor that is read, used up or changed, and what its length, address and options
-- must not make different. A process puts to itself and gets from itself.

defaults { suite = "memory-descriptors", chapter = "3.7.1", still = { "P32-157" } }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local loopback, put, current, refuses = Descriptor.loopback, Descriptor.put, Descriptor.current, Descriptor.refuses

case {
  id = "md-reading-moves-nothing",
  title = "A descriptor that is only read goes on where it was",
  purpose = "Between puts of ten octets, and between gets, PtlMDUpdate reads the descriptor, with and without a queue that it may test, and with one that holds an event. Each request is served behind the one before, at the offsets 0 to 70.",
  requirements = { "P30-207" }, chapter = "3.7.6",
  run = function(t)
    local rank = loopback(t)
    rank:eq("held")
    rank:eq("empty")
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md", eventq = "held" }
    rank:attach { index = 1, me = "other-me", md = "other", desc = "void", options = PUT }
    rank:put { mem_desc = "void-md", target = rank, portal = 1 }
    t:flush(rank, rank)
    t:sanity("a queue holds an event", rank:PtlEQCount { eventq = "held" }.count > 0)
    rank:bind { region = "source", length = 10, md = "ten-md" }
    for _, verb in ipairs { "put", "get" } do
      rank:attach { length = 80, options = PUT .. "|" .. GET, eventq = "eq" }
      for i, testq in ipairs { "none", "none", "empty", "empty", "held", "held", "none", "empty" } do
        rank[verb](rank, { mem_desc = "ten-md", target = rank })
        t:event("P30-207", rank, "eq", { type = "PTL_EVENT_" .. verb:upper(), offset = 10 * (i - 1), mlength = 10 })
        rank:PtlMDUpdate { old = "was", testq = testq } -- what it returns is judged by md-update-read
        rank:PtlMDUpdate { testq = testq }
      end
      t:rc("P30-207", rank:PtlMDUpdate { old = "was" }, "PTL_OK")
      rank:me_unlink {}
    end
  end,
}

for thresholds, first in each { { "one", 1 }, { "two", 2 } } do
  case {
    id = "md-used-up-keeps-its-place-of-" .. thresholds,
    only = true,
    title = "A descriptor with PTL_RETAIN that has been used up keeps its place in its list",
    purpose = "Three descriptors stand in an entry, the first with a threshold. When it has been used up, by puts and gets, requests pass the whole entry by. Activated by PtlMDUpdate, it takes the next one.",
    requirements = { "P30-180" }, chapter = "3.7.2",
    run = function(t)
      local rank = loopback(t)
      local options = PUT .. "|" .. GET .. "|" .. REMOTE
      rank:attach { options = options, threshold = first, eventq = "eq", user_ptr = 1 }
      for mark = 3, 2, -1 do
        rank:md { options = options, eventq = "eq", user_ptr = mark }
        rank:md_insert { current = "md", handle = "md" .. mark }
      end
      for round, verb in ipairs { "put", "get", "put" } do
        for _ = 1, first do
          rank[verb](rank, { mem_desc = "out-md", target = rank })
          t:equal("P30-180", "descriptor that serves in round " .. round,
            t:event("P30-180", rank, "eq", { type = "PTL_EVENT_" .. verb:upper() }).mem_desc.user_ptr, 1)
        end
        refuses(t, "P30-180", rank)
        rank:md { options = options, threshold = first, eventq = "eq", user_ptr = 1 }
        t:rc("P30-180", rank:PtlMDUpdate { new = "desc" }, "PTL_OK")
      end
    end,
  }
end

case {
  id = "md-inserted-beside-one-that-has-served",
  only = true,
  title = "A descriptor is inserted where the call says, though the one beside it has been used",
  purpose = "The only descriptor of an entry takes a put and serves a get. Another is inserted before it and takes the next put; one inserted behind that takes nothing until the first of them is gone.",
  requirements = { "P30-188", "P30-189" }, chapter = "3.7.3",
  run = function(t)
    local rank = loopback(t, 200)
    local function serves(req, mark)
      put(rank)
      t:equal(req, "descriptor that takes the put",
        t:event(req, rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, mark)
    end
    rank:attach { options = PUT .. "|" .. GET, eventq = "eq", user_ptr = 1 }
    serves("P30-189", 1)
    rank:get { mem_desc = "out-md", target = rank }
    t:event("P30-189", rank, "eq", { type = "PTL_EVENT_GET" })
    rank:md { options = PUT, eventq = "eq", user_ptr = 2 }
    rank:md_insert { position = "PTL_INS_BEFORE", current = "md", handle = "md2" }
    serves("P30-189", 2)
    rank:md { options = PUT, eventq = "eq", user_ptr = 3 }
    rank:md_insert { position = "PTL_INS_AFTER", current = "md2", handle = "md3" }
    serves("P30-188", 2)
    rank:md_unlink { mem_desc = "md2" }
    serves("P30-188", 3)
    rank:md_unlink { mem_desc = "md3" }
    serves("P30-188", 1)
  end,
}

case {
  id = "md-local-offset-whatever-the-call-says",
  title = "A locally managed offset goes on from operation to operation, whatever offsets the calls name",
  purpose = "A region of 100 octets that may cut takes puts and serves gets of 40 octets that name the offsets 8, 0, 99, 100, 101 and more: at the offsets 0 and 40, of 20 octets at 80, and of none at 100, where it stays.",
  requirements = { "P30-267", "P30-273", "P30-164" }, chapter = "3.10",
  run = function(t)
    local rank = loopback(t)
    for _, verb in ipairs { "put", "get" } do
      local req = verb == "put" and "P30-267" or "P30-273"
      rank:fill("buf", "byte/5")
      rank:attach { options = PUT .. "|" .. GET .. "|" .. TRUNCATE, eventq = "eq" }
      for i, offset in ipairs { 8, 1, 99, 8, 0, 99, 100, 101, 1 << 31 } do
        rank[verb](rank, { mem_desc = "out-md", target = rank, offset = offset })
        local row = i == 3 and "P30-164" or req
        t:event(row, rank, "eq", { type = "PTL_EVENT_" .. verb:upper(), offset = math.min(100, 40 * (i - 1)),
          mlength = math.min(40, math.max(0, 140 - 40 * i)) })
      end
      if verb == "put" then
        for i, octets in ipairs { 40, 40, 20 } do
          t:octets(req, "octets of put " .. i, rank, "buf", "mix/1", 40 * (i - 1), octets)
        end
      end
      rank:me_unlink {}
      rank:fill("source", "mix/1")
    end
  end,
}

for length, octets in each { { "70001", 70001 }, { "300007", 300007 }, { "mebi-and-one", (1 << 20) + 1 } } do
  case {
    id = "md-odd-address-and-length-" .. length,
    title = "Long messages of odd length go from any address to any other, whole",
    purpose = "Octets are put from an odd address to an odd address, and read back to another. All of them come, and none beside.",
    requirements = { "P30-009", "P30-138", "P30-139" },
    run = function(t)
      t:open {}
      local rank = t.ranks[0]
      for name, fill in pairs { from = "mix/4", to = "byte/1", back = "byte/2" } do
        rank:region(name, octets + 8, { fill = fill })
      end
      rank:eq("eq", 16)
      rank:eq("own-eq", 16)
      rank:fill("from", "mix/6", 3, octets)
      rank:attach { start = "to+1", length = octets, options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
      rank:bind { start = "from+3", length = octets, md = "from-md", eventq = "own-eq" }
      rank:bind { start = "back+5", length = octets, md = "back-md", eventq = "own-eq" }
      rank:put { mem_desc = "from-md", target = rank }
      t:event("P30-009", rank, "eq", { type = "PTL_EVENT_PUT", rlength = octets, mlength = octets })
      t:octets("P30-138", "octets that were put", rank, "to", "mix/6", 1, octets - 1)
      t:octets("P30-139", "the last octet that was put", rank, "to", "mix/6/" .. octets - 1, octets, 1)
      t:octets("P30-139", "octet before them", rank, "to", "byte/1", 0, 1)
      t:octets("P30-139", "octets behind them", rank, "to", "byte/1", octets + 1, 7)
      t:event("P30-009", rank, "own-eq", { type = "PTL_EVENT_SENT" })
      rank:get { mem_desc = "back-md", target = rank }
      local event = t:event("P30-138", rank, "own-eq", { type = "PTL_EVENT_REPLY" })
      t:equal("P30-139", "lengths of the get", { event.rlength, event.mlength }, { octets, octets })
      t:octets("P30-138", "octets that were read", rank, "back", "mix/6", 5, octets - 1)
      t:octets("P30-139", "the last octet that was read", rank, "back", "mix/6/" .. octets - 1, octets + 4, 1)
      t:octets("P30-139", "octets before them", rank, "back", "byte/2", 0, 5)
      t:octets("P30-139", "octets behind them", rank, "back", "byte/2", octets + 5, 3)
    end,
  }
end

case {
  id = "md-options-come-and-go",
  title = "PtlMDUpdate sets options, and takes them away again",
  purpose = "A descriptor of 25 octets is updated to one that may cut and one that may not, to one that takes puts, gets, both and neither, forth and back. Puts and gets of 40 octets, and of 20, are served as its options say each time.",
  requirements = { "P30-203" }, chapter = "3.7.6",
  run = function(t)
    local rank = loopback(t)
    rank:bind { region = "source", length = 20, md = "short-md" }
    rank:attach { length = 25, options = REMOTE, eventq = "eq" }
    for _, options in ipairs { { PUT, TRUNCATE }, { PUT }, { GET, TRUNCATE }, {}, { PUT, GET }, { GET },
      { PUT, GET, TRUNCATE }, { TRUNCATE }, { GET, TRUNCATE }, { PUT } } do
      local set = { [REMOTE] = true }
      for _, option in ipairs(options) do set[option] = true end
      local text = table.concat({ REMOTE, table.unpack(options) }, "|")
      rank:md { length = 25, options = text, eventq = "eq" }
      t:rc("P30-203", rank:PtlMDUpdate { new = "desc" }, "PTL_OK")
      for verb, option in each { { "put", PUT }, { "get", GET } } do
        for md, octets in each { { "short-md", 20 }, { "out-md", 40 } } do
          local before = rank:drop_count()
          rank[verb](rank, { mem_desc = md, target = rank })
          t:flush(rank, rank)
          local serves = set[option] and (octets < 25 or set[TRUNCATE]) or false
          t:equal("P30-203", ("drops for a %s of %d octets by 25 with %s"):format(verb, octets, text),
            rank:drop_count() - before, serves and 0 or 1)
          if serves then t:sanity("its event comes", rank:wait_done("eq").event) end
        end
      end
      rank:count_events()
    end
  end,
}

case {
  id = "md-options-that-were-taken-away",
  title = "A descriptor that has served refuses what an update has taken from its options",
  purpose = "A descriptor of 25 octets serves a put and a get of 40, which it cuts. By an update it loses PTL_MD_OP_PUT, PTL_MD_OP_GET or PTL_MD_TRUNCATE: a put, a get, or both are dropped then.",
  requirements = { "P30-151", "P30-152", "P30-165" },
  run = function(t)
    local rank = loopback(t)
    for req, left, refused in each { { "P30-151", { GET, TRUNCATE }, { "put" } },
      { "P30-152", { PUT, TRUNCATE }, { "get" } }, { "P30-165", { PUT, GET }, { "put", "get" } } } do
      rank:attach { length = 25, options = table.concat({ PUT, GET, TRUNCATE, REMOTE }, "|"), eventq = "eq" }
      for _, verb in ipairs { "put", "get" } do
        rank[verb](rank, { mem_desc = "out-md", target = rank })
        t:flush(rank, rank)
        t:sanity("the " .. verb .. " is served at first", rank:wait_done("eq").event)
      end
      rank:md { length = 25, options = table.concat(left, "|") .. "|" .. REMOTE, eventq = "eq" }
      t:rc(req, rank:PtlMDUpdate { new = "desc" }, "PTL_OK")
      for _, verb in ipairs(refused) do
        local before = rank:drop_count()
        rank[verb](rank, { mem_desc = "out-md", target = rank })
        t:flush(rank, rank)
        t:equal(req, ("drops for a %s by what has %s left"):format(verb, table.concat(left, " and ")),
          rank:drop_count() - before, 1)
      end
      rank:count_events()
    end
  end,
}

for verb, event in each { { "put", "PTL_EVENT_PUT" }, { "get", "PTL_EVENT_GET" } } do
  case {
    id = "md-update-changes-who-chooses-the-place-of-a-" .. verb,
    title = "An update decides whether a request or the descriptor chooses the place of a " .. verb,
    purpose = "A descriptor whose place requests choose is updated to one that keeps its own offset, and one that keeps its own to one whose place requests choose. Two requests of 8 octets name offset 16: they find 0 and 8 at the first descriptor, and 16 each time at the second.",
    requirements = { "P30-159", "P30-162" },
    run = function(t)
      local rank = loopback(t)
      rank:bind { region = "eight", octets = 8, fill = "mix/3", md = "eight-md" }
      for req, before, after, offsets in each { { "P30-159", "|" .. REMOTE, "", { 0, 8 } },
        { "P30-162", "", "|" .. REMOTE, { 16, 16 } } } do
        local options = PUT .. "|" .. GET
        rank:attach { options = options .. before, eventq = "eq" }
        rank:md { name = "next", region = "buf", options = options .. after, eventq = "eq" }
        t:rc(req, rank:PtlMDUpdate { new = "next" }, "PTL_OK")
        for _, offset in ipairs(offsets) do
          rank[verb](rank, { mem_desc = "eight-md", target = rank, offset = 16 })
          t:event(req, rank, "eq", { type = event, offset = offset, mlength = 8 })
        end
      end
    end,
  }
end

for verb, event in each { { "put", "PTL_EVENT_PUT" }, { "get", "PTL_EVENT_GET" } } do
  case {
    id = "md-cut-counts-each-time-" .. verb,
    title = "Each " .. verb .. " that is cut counts on the threshold, from the first to the last",
    purpose = "Descriptors of threshold 1 to 4 that may cut, of 25 octets and of none, get requests of 40. Each is served so often and no more; its threshold falls by one each time.",
    requirements = { "P30-143" },
    run = function(t)
      local rank = loopback(t)
      for threshold = 1, 4 do
        for _, length in ipairs { 25, 0 } do
          rank:attach { length = length, threshold = threshold, options = PUT .. "|" .. GET .. "|" .. TRUNCATE
            .. "|" .. REMOTE, eventq = "eq" }
          for left = threshold - 1, 0, -1 do
            rank[verb](rank, { mem_desc = "out-md", target = rank })
            t:event("P30-143", rank, "eq", { type = event, rlength = 40, mlength = length })
            t:equal("P30-143", ("threshold of %d behind a %s that was cut"):format(threshold, verb),
              current(t, rank).threshold, left)
          end
          local before = rank:drop_count()
          rank[verb](rank, { mem_desc = "out-md", target = rank })
          t:drops("P30-143", rank, before, 1)
          rank:me_unlink {}
        end
      end
    end,
  }
end

case {
  id = "md-takes-replies-with-any-options",
  title = "A descriptor takes replies with any set of options",
  purpose = "All 32 sets of options, in a list and bound: each descriptor gets 20 octets from another one, from its start or from the midst, and has them at its own start, with one event.",
  requirements = { "P30-157" },
  run = function(t)
    local rank = loopback(t)
    local names = { PUT, GET, REMOTE, TRUNCATE, "PTL_MD_ACK_DISABLE" }
    rank:attach { region = "source", length = 40, options = GET .. "|" .. REMOTE }
    for set = 0, 31 do
      local chosen = {}
      for i, name in ipairs(names) do chosen[#chosen + 1] = set >> (i - 1) & 1 == 1 and name or nil end
      local options = #chosen > 0 and table.concat(chosen, "|") or 0
      rank:bind { region = "buf", length = 20, options = options, md = "bound", eventq = "eq" }
      rank:attach { index = 1, me = "me1", md = "listed", length = 20, options = options, eventq = "eq" }
      for i, md in ipairs { "bound", "listed" } do
        local offset = (set + i) % 2 * 13
        rank:fill("buf", "byte/5")
        rank:get { mem_desc = md, target = rank, offset = offset }
        t:event("P30-157", rank, "eq", { type = "PTL_EVENT_REPLY", mlength = 20 })
        t:octets("P30-157", "octets for a descriptor with " .. options, rank, "buf", "mix/1/" .. offset, 0, 20)
        t:octets("P30-157", "octets behind it", rank, "buf", "byte/5", 20)
      end
      rank:me_unlink { entry = "me1" }
      rank:md_unlink { mem_desc = "bound" }
    end
  end,
}
