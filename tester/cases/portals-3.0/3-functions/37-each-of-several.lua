-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.7: each descriptor of an entry is one by itself, wherever it stands in the list; and what holds for a
-- descriptor holds whichever call has made it. A process puts to itself.

defaults { suite = "memory-descriptors", chapter = "3.7" }

local PUT, GET, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"
local loopback, put, current = Descriptor.loopback, Descriptor.put, Descriptor.current

-- An entry at portal 1 with three descriptors "md1" to "md3", each of a region of its own ("own1", 16 octets mix/1),
-- with its number as user's value.
local function three(rank)
  rank:me_attach { index = 1, handle = "three" }
  for mark = 1, 3 do
    rank:region("own" .. mark, 16, { fill = "mix/" .. mark })
    rank:md { region = "own" .. mark, options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq", user_ptr = mark }
    if mark == 1 then
      rank:md_attach { match = "three", handle = "md1" }
    else
      rank:md_insert { current = "md" .. mark - 1, handle = "md" .. mark }
    end
  end
end

case {
  id = "move-from-each-of-three",
  title = "Of several descriptors of an entry each puts from its own region and gets into it",
  purpose = "Three descriptors stand in the list of one entry, each with a region of its own. From the third, the second and the first a put is sent and acknowledged, and a get brings what another region has.",
  requirements = { "P30-157", "P30-268", "P30-271" }, chapter = "3.10", only = true,
  run = function(t)
    local rank = loopback(t)
    three(rank)
    rank:attach { length = 16, options = PUT .. "|" .. GET .. "|" .. REMOTE }
    for mark = 3, 1, -1 do
      rank:fill("buf", "byte/0")
      t:rc("P30-268", rank:PtlPut { mem_desc = "md" .. mark, ack_req = "PTL_ACK_REQ", target = rank, portal = 0 },
        "PTL_OK")
      for _, event in ipairs((rank:collect("eq", 2))) do
        t:equal("P30-268", "the user's value in " .. event.type, event.mem_desc.user_ptr, mark)
      end
      t:octets("P30-268", "what was put from descriptor " .. mark, rank, "buf", "mix/" .. mark, 0, 16)
    end
    rank:fill("buf", "mix/9")
    for mark = 3, 1, -1 do
      t:judging("P30-271")
      t:rc("P30-271", rank:PtlGet { mem_desc = "md" .. mark, target = rank, portal = 0 }, "PTL_OK")
      local event = t:event("P30-157", rank, "eq", { type = "PTL_EVENT_REPLY", mlength = 16 })
      t:equal("P30-271", "the user's value in the event", event.mem_desc.user_ptr, mark)
      for other = 1, 3 do
        t:octets("P30-271", "region " .. other .. " behind the get of descriptor " .. mark, rank, "own" .. other,
          "mix/" .. (other >= mark and 9 or other), 0, 16)
      end
    end
  end,
}

case {
  id = "md-update-of-each-of-three",
  title = "Of several descriptors of an entry each is updated by itself",
  purpose = "Three descriptors of an entry are given other regions, thresholds and user's values, the last one first. They serve puts in turn, each as many as it was given, into its region; a used one is unlinked.",
  requirements = { "P30-203" }, only = true,
  run = function(t)
    local rank = loopback(t)
    three(rank)
    rank:region("new", 64)
    rank:bind { region = "source", length = 16, md = "short" }
    for mark = 3, 1, -1 do
      rank:md { name = "other", start = "new+" .. 16 * mark, length = 16, threshold = mark,
        options = PUT .. "|" .. REMOTE, eventq = "eq", user_ptr = 10 * mark }
      t:rc("P30-203", rank:PtlMDUpdate { mem_desc = "md" .. mark, new = "other" }, "PTL_OK")
    end
    for mark = 1, 3 do
      for round = 1, mark do
        put(rank, { mem_desc = "short", portal = 1 })
        local event = t:event("P30-203", rank, "eq", { type = "PTL_EVENT_PUT" })
        t:equal("P30-203", "the descriptor that serves put " .. round .. " of " .. mark, event.mem_desc.user_ptr,
          10 * mark)
        t:octets("P30-203", "what it has stored", rank, "new", "mix/1", 16 * mark, 16)
      end
      Descriptor.refuses(t, "P30-203", rank, { mem_desc = "short", portal = 1 })
      rank:md_unlink { mem_desc = "md" .. mark }
    end
  end,
}

case {
  id = "md-read-each-of-three",
  title = "Of several descriptors of an entry each is read by itself",
  purpose = "PtlMDUpdate tells of three descriptors of an entry what each of them is, before an update of the second one, at that, and behind it; the others are as before.",
  requirements = { "P30-202" }, only = true,
  run = function(t)
    local rank = loopback(t)
    three(rank)
    local function judge(second, when)
      for mark, wanted in ipairs { 1, second, 3 } do
        t:equal("P30-202", "the user's value of descriptor " .. mark .. when, current(t, rank, "md" .. mark).user_ptr,
          wanted)
      end
    end
    judge(2, "")
    rank:md { name = "other", region = "own2", threshold = 5, options = PUT, eventq = "eq", user_ptr = 20 }
    t:equal("P30-202", "the old user's value at the update of descriptor 2",
      t:setup(rank:PtlMDUpdate { mem_desc = "md2", old = "was", new = "other" }).old.user_ptr, 2)
    judge(20, " behind the update")
  end,
}

-- The calls that make a descriptor beside "md", or alone: the handle is "made" unless told otherwise.
local MAKERS = {
  { "attached", function(rank, desc, name)
    local index = name and 4 or 2
    rank:me_attach { index = index, handle = "bare" .. index }
    return rank:PtlMDAttach { match = "bare" .. index, mem_desc = desc, handle = name or "made" }
  end, 2 },
  { "inserted-before", function(rank, desc, name)
    return rank:PtlMDInsert { mem_desc = desc, position = "PTL_INS_BEFORE", current = "md", handle = name or "made" }
  end, 0 },
  { "inserted-behind", function(rank, desc, name)
    return rank:PtlMDInsert { mem_desc = desc, position = "PTL_INS_AFTER", current = "md", handle = name or "made" }
  end, 0, true },
  { "bound", function(rank, desc, name) return rank:PtlMDBind { mem_desc = desc, handle = name or "made" } end },
}

for name, make, portal, behind in each(MAKERS) do
  local only = name:find("inserted") ~= nil -- later revisions insert no descriptors

  case {
    id = "md-nothing-" .. name,
    title = "A descriptor without memory may be made by every call: " .. name:gsub("-", " "),
    purpose = "A descriptor whose address is NULL and whose length is zero is made, and takes what has no octets where a put can reach it. With one octet it is refused.",
    requirements = { "P30-135", "P30-136" }, chapter = "3.7.1", only = only,
    run = function(t)
      local rank = loopback(t)
      rank:attach { options = PUT, eventq = "eq" }
      rank:md { name = "nothing", start = "null", length = 0, options = PUT, eventq = "eq", user_ptr = 7 }
      rank:md { name = "octet", start = "null", length = 1, options = PUT, eventq = "eq" }
      t:rc("P30-135", make(rank, "nothing"), "PTL_OK")
      t:equal("P30-135", "its user's value", current(t, rank, "made").user_ptr, 7)
      t:rc("P30-136", make(rank, "octet", "refused"), "PTL_ILL_MD")
      if behind then rank:md_unlink {} end
      if portal then
        rank:bind { desc = "mute", start = "null", length = 0, md = "void" }
        put(rank, { mem_desc = "void", portal = portal })
        t:equal("P30-135", "the descriptor that takes a put of nothing",
          t:event("P30-135", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 0 }).mem_desc.user_ptr, 7)
      end
    end,
  }

  case {
    id = "md-inactive-" .. name,
    title = "A descriptor with threshold zero may be made by every call: " .. name:gsub("-", " "),
    purpose = "A descriptor is made with threshold zero and given one afterwards: where a put can reach it, it takes one then and not before.",
    requirements = { "P30-146" }, chapter = "3.7.1", only = only,
    run = function(t)
      local rank = loopback(t)
      rank:attach { options = PUT, eventq = "eq" }
      rank:md { name = "idle", region = "buf", threshold = 0, options = PUT, eventq = "eq", user_ptr = 7 }
      t:rc("P30-146", make(rank, "idle"), "PTL_OK")
      t:equal("P30-146", "its threshold", tostring(current(t, rank, "made").threshold), "0")
      if behind then rank:md_unlink {} end
      if portal then Descriptor.refuses(t, "P30-146", rank, { portal = portal }) end
      rank:md { name = "armed", region = "buf", threshold = 1, options = PUT, eventq = "eq", user_ptr = 8 }
      t:rc("P30-146", rank:PtlMDUpdate { mem_desc = "made", new = "armed" }, "PTL_OK")
      if portal then
        put(rank, { portal = portal })
        t:equal("P30-146", "the descriptor that takes the put",
          t:event("P30-146", rank, "eq", { type = "PTL_EVENT_PUT" }).mem_desc.user_ptr, 8)
      end
    end,
  }
end

for name, make, portal, behind in each(MAKERS) do
  if portal then
    local only = name:find("inserted") ~= nil

    case {
      id = "md-logs-when-" .. name,
      title = "What a descriptor does is logged in its queue, whichever call has made it: " .. name:gsub("-", " "),
      purpose = "A descriptor with a queue of its own is made beside one with another queue, and takes a put and a get: both are in its queue, and nothing is in the other.",
      requirements = { "P30-026" }, only = only,
      run = function(t)
        local rank = loopback(t)
        rank:eq("own-eq")
        rank:attach { options = PUT, eventq = "eq" }
        rank:md { name = "logged", region = "buf", options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "own-eq" }
        t:rc("P30-026", make(rank, "logged"), "PTL_OK")
        if behind then rank:md_unlink {} end
        put(rank, { portal = portal })
        t:event("P30-026", rank, "own-eq", { type = "PTL_EVENT_PUT", mlength = 40 })
        rank:bind { region = "in", octets = 40, md = "in-md" }
        rank:get { mem_desc = "in-md", target = rank, portal = portal }
        t:event("P30-026", rank, "own-eq", { type = "PTL_EVENT_GET", mlength = 40 })
        t:equal("P30-026", "events in the queue of the other descriptor", rank:count_events("eq"), 0)
      end,
    }
  end
end

for name, position in each { { "before", "PTL_INS_BEFORE" }, { "behind", "PTL_INS_AFTER" } } do
  for kind, options in each { { "puts", PUT }, { "gets", GET } } do
    case {
      id = "md-inserted-" .. name .. "-inactive-unlinked-by-" .. kind,
      title = "A descriptor that is inserted inactive and armed later is unlinked when it is used up",
      purpose = "A descriptor with PTL_UNLINK and threshold zero is inserted " .. name
        .. " another one and given a threshold of two; when that one has gone " .. kind
        .. " use it up. It is there until the second, and then it is gone.",
      requirements = { "P30-022" }, only = true,
      run = function(t)
        local rank = loopback(t)
        rank:me_attach { index = 1, handle = "list" }
        rank:md { options = "0" }
        rank:md_attach { match = "list", handle = "md1" }
        rank:md { name = "armed", region = "buf", length = 40, threshold = 0, options = options .. "|" .. REMOTE,
          eventq = "eq" }
        t:setup(rank:PtlMDInsert { mem_desc = "armed", unlink = "PTL_UNLINK", position = position, current = "md1",
          handle = "md2" })
        rank:md_unlink { mem_desc = "md1" }
        rank:md { name = "armed", region = "buf", length = 40, threshold = 2, options = options .. "|" .. REMOTE,
          eventq = "eq" }
        rank:md_update { mem_desc = "md2", new = "armed" }
        for left = 1, 0, -1 do
          rank[kind == "puts" and "put" or "get"](rank, { mem_desc = "out-md", target = rank, portal = 1 })
          t:event("P30-022", rank, "eq", { type = kind == "puts" and "PTL_EVENT_PUT" or "PTL_EVENT_GET" })
          if left > 0 then t:equal("P30-022", "the threshold", current(t, rank, "md2").threshold, left) end
        end
        t:md_unlinked("P30-022", rank, "md2")
      end,
    }
  end
end
