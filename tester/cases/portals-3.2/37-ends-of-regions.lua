-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.7: what 3.2 says of the end of a region, for gets as for puts, and after an update.

defaults { suite = "memory-descriptors", chapter = "3.7.1" }

-- A rank with a queue and a descriptor "out-md" of 8 octets to put from and to get into.
local function alone(t)
  local rank = t:open {}
  rank:eq("eq", 64)
  rank:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md" }
  return rank
end

-- The next event that ends an operation; nil when there is none.
local function done(rank)
  return rank:wait_done("eq").event
end

case {
  id = "inactive-for-gets-beyond-max-offset",
  title = "A descriptor whose offset has passed max_offset serves no gets either",
  purpose = "A region for five messages and a maximum offset of 12: a get and a put are served, then a put, a get and an empty get are dropped.",
  requirements = { "P32-347" },
  run = function(t)
    local rank = alone(t)
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    rank:attach { octets = 40, max_offset = 12, options = "PTL_MD_OP_PUT|PTL_MD_OP_GET", eventq = "eq" }
    for _, verb in ipairs { "get", "put" } do
      rank[verb](rank, { mem_desc = "out-md", target = rank })
      local event = done(rank)
      t:equal("P32-347", "the event of a " .. verb .. " before", event and event.type,
        "PTL_EVENT_" .. verb:upper() .. "_END")
    end
    local before = rank:drop_count()
    rank:put { mem_desc = "out-md", target = rank }
    for _, source in ipairs { "out-md", "void-md" } do rank:get { mem_desc = source, target = rank } end
    t:drops("P32-347", rank, before, 3)
  end,
}

case {
  id = "max-offset-by-update",
  title = "A largest offset that was updated holds from then on",
  purpose = "A descriptor of 64 octets and a largest offset of 60 takes a message of 8 octets and gets a largest offset of 20. It takes messages that begin at 20 at most, and the next one is dropped.",
  chapter = "3.7.6", requirements = { "P32-347", "P32-203" },
  run = function(t)
    local rank = alone(t)
    rank:attach { octets = 64, max_offset = 60, options = "PTL_MD_OP_PUT", eventq = "eq" }
    rank:put { mem_desc = "out-md", target = rank }
    local event = done(rank)
    t:equal("P32-203", "the event of the first message", event and event.type, "PTL_EVENT_PUT_END")
    rank:md { name = "next", region = "buf", max_offset = 20, options = "PTL_MD_OP_PUT", eventq = "eq" }
    t:rc("P32-203", rank:PtlMDUpdate { new = "next" }, "PTL_OK")
    local last
    repeat -- whether the offset stays or begins anew is a reading
      rank:put { mem_desc = "out-md", target = rank }
      event = done(rank)
      t:equal("P32-203", "the event of a message before", event and event.type, "PTL_EVENT_PUT_END")
      t:check("P32-347", "where a message begins", event.offset <= 20, "at most 20", event.offset)
      last = event.offset
    until last + 8 > 20
    local before = rank:drop_count()
    rank:put { mem_desc = "out-md", target = rank }
    t:drops("P32-347", rank, before, 1)
  end,
}

for name, verb in each { { "put", "put" }, { "get", "get" } } do
  case {
    id = "unlinked-by-no-fit-of-a-" .. name,
    title = "A " .. name .. " that does not fit unlinks a descriptor that is made so, and goes to the entry behind",
    purpose = "Two descriptors of 12 octets for puts and gets, and one of 40 behind them: the first " .. name
      .. " fits, the second one unlinks the first descriptor, and two more the second one.",
    chapter = "3.7.2", only = true, requirements = { "P32-346" },
    run = function(t)
      local rank = alone(t)
      for i, octets in ipairs { 12, 12, 40 } do
        rank:attach { me = "me" .. i, md = "md" .. i, desc = "desc" .. i, region = "buf" .. i, octets = octets,
          options = "PTL_MD_OP_PUT|PTL_MD_OP_GET", position = "PTL_INS_AFTER", nofit = "PTL_UNLINK", eventq = "eq" }
      end
      for _, taker in ipairs { "md1", "md2", "md3", "md3" } do
        rank[verb](rank, { mem_desc = "out-md", target = rank })
        local event = done(rank)
        if event and event.type == "PTL_EVENT_UNLINK" then event = done(rank) end
        t:equal("P32-346", "the event, and who serves", event and { event.type, event.md_handle },
          { "PTL_EVENT_" .. verb:upper() .. "_END", taker })
      end
      for i = 1, 2 do t:rc("P32-346", rank:PtlMDUnlink { mem_desc = "md" .. i }, "PTL_INV_MD") end
    end,
  }
end

case {
  id = "unlinked-together-by-one-message",
  title = "A message unlinks each descriptor on its way that it does not fit and that is made so",
  purpose = "Three descriptors of 4 octets and one of 40 behind them: a put of 8 octets arrives in the last one, and the handles of the others are not valid.",
  chapter = "3.7.2", only = true, requirements = { "P32-346" },
  run = function(t)
    local rank = alone(t)
    for i, octets in ipairs { 4, 4, 4, 40 } do
      rank:attach { me = "me" .. i, md = "md" .. i, desc = "desc" .. i, region = "buf" .. i, octets = octets,
        position = "PTL_INS_AFTER", nofit = "PTL_UNLINK", eventq = "eq" }
    end
    rank:put { mem_desc = "out-md", target = rank }
    local event
    repeat event = done(rank) until not event or event.type ~= "PTL_EVENT_UNLINK"
    t:equal("P32-346", "the event, and who serves", event and { event.type, event.md_handle },
      { "PTL_EVENT_PUT_END", "md4" })
    for i = 1, 3 do t:rc("P32-346", rank:PtlMDUnlink { mem_desc = "md" .. i }, "PTL_INV_MD") end
  end,
}

case {
  id = "max-offset-of-nothing",
  title = "With a largest offset of 0 a descriptor takes one message with octets",
  purpose = "Descriptors of 40 octets and a largest offset of 0 take an empty message, then one of 8 octets; the third is dropped. The one with PTL_UNLINK goes.",
  requirements = { "P32-347", "P32-179" },
  run = function(t)
    local rank = alone(t)
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    for portal, unlink in each { { 1, "PTL_RETAIN" }, { 2, "PTL_UNLINK" } } do
      rank:attach { index = portal, me = "me" .. portal, md = "md" .. portal, desc = "desc" .. portal,
        region = "buf" .. portal, octets = 40, max_offset = 0, md_unlink = unlink, options = "PTL_MD_OP_PUT",
        eventq = "eq" }
      for _, source in ipairs { "void-md", "out-md" } do
        rank:put { mem_desc = source, target = rank, portal = portal }
        local event = done(rank)
        t:equal("P32-347", "the event of a message before", event and event.type, "PTL_EVENT_PUT_END")
      end
      local before = rank:drop_count()
      rank:put { mem_desc = "out-md", target = rank, portal = portal }
      t:drops("P32-347", rank, before, 1)
      rank:drain("eq")
      t:rc("P32-179", rank:PtlMDUnlink { mem_desc = "md" .. portal },
        unlink == "PTL_UNLINK" and "PTL_INV_MD" or "PTL_OK")
    end
  end,
}

case {
  id = "beyond-max-offset-and-used-up",
  title = "A message that takes a descriptor beyond its largest offset and uses it up unlinks it once",
  purpose = "A threshold of 2 and a largest offset of 8: the second message of 8 octets is the last for both reasons. One PTL_EVENT_UNLINK comes, and the entry, made with PTL_RETAIN, takes another descriptor.",
  requirements = { "P32-179", "P32-024" },
  run = function(t)
    local rank = alone(t)
    rank:attach { octets = 40, max_offset = 8, threshold = 2, md_unlink = "PTL_UNLINK", options = "PTL_MD_OP_PUT",
      eventq = "eq" }
    for _ = 1, 2 do rank:put { mem_desc = "out-md", target = rank } end
    t:flush(rank, rank)
    local unlinked = 0
    for _, event in ipairs(rank:drain("eq")) do
      unlinked = unlinked + (event.type == "PTL_EVENT_UNLINK" and 1 or 0)
    end
    t:equal("P32-179", "events that tell of the unlinking", unlinked, 1)
    t:rc("P32-024", rank:PtlMDAttach {}, "PTL_OK")
    rank:put { mem_desc = "out-md", target = rank }
    local event = done(rank)
    t:equal("P32-024", "the event of the next descriptor", event and event.type, "PTL_EVENT_PUT_END")
  end,
}

for name, nofit in each { { "goes", "PTL_UNLINK" }, { "stays", "PTL_RETAIN" } } do
  case {
    id = "unfit-behind-an-update-" .. name,
    title = "An update does not change what becomes of a descriptor that a message does not fit: it " .. name,
    purpose = "A descriptor of 12 octets, attached with " .. nofit .. " for what does not fit, is updated "
      .. "twice, and takes a message of 8 octets. A second one goes to the next entry, and the descriptor " ..
        name .. ".",
    chapter = "3.7.6", requirements = { "P32-346" },
    run = function(t)
      local rank = t:open {}
      rank:eq("eq", 64)
      rank:bind { region = "out", octets = 8, fill = "mix/1", desc = "out-desc", md = "out-md" }
      rank:attach { region = "buf", octets = 12, options = "PTL_MD_OP_PUT", nofit = nofit, eventq = "eq" }
      rank:attach { region = "buf2", octets = 8, me = "me2", md = "md2", desc = "desc2", position = "PTL_INS_AFTER",
        options = "PTL_MD_OP_PUT", eventq = "eq" }
      for pointer = 1, 2 do
        rank:md { name = "next", region = "buf", options = "PTL_MD_OP_PUT", eventq = "eq", user_ptr = pointer }
        t:setup(rank:PtlMDUpdate { new = "next" })
      end
      for place = 1, 2 do
        rank:put { mem_desc = "out-md", target = rank }
        local event
        repeat event = rank:wait("eq").event until not event or event.type == "PTL_EVENT_PUT_END"
        t:equal("P32-346", "the descriptor that takes message " .. place, event and event.md_handle,
          place == 1 and "md" or "md2")
      end
      t:rc("P32-346", rank:PtlMDUpdate { old = "was" }, name == "goes" and "PTL_INV_MD" or "PTL_OK")
    end,
  }
end
