-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.7 and 3.8: thresholds, offsets and queues, whatever operation it is that uses them. A process puts to
-- itself and gets from itself.

defaults { suite = "events", chapter = "3.8" }

local PUT, GET, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"
local BOTH = PUT .. "|" .. GET .. "|" .. REMOTE
local loopback, put, current = Descriptor.loopback, Descriptor.put, Descriptor.current

-- Whether a queue holds an event, which may be logged a moment after what was asked behind it has been done.
local function holds(rank, eventq)
  for _ = 1, 40 do
    if rank:PtlEQCount { eventq = eventq }.count > 0 then return true end
    rank:pause(50)
  end
  return false
end

case {
  id = "md-update-held-back-by-every-kind",
  only = true,
  title = "An update is refused while its test queue holds an event, of whatever kind, and whoever's queue it is",
  purpose = "A queue holds one event: of a put, a get, a reply, or that a put was sent. An update of a descriptor that tests it returns PTL_NOUPDATE and changes nothing, whether the new value names that queue, another or none.",
  requirements = { "P30-205", "P30-206" }, suite = "memory-descriptors", chapter = "3.7.6",
  run = function(t)
    local rank = loopback(t)
    rank:attach { index = 1, me = "served", md = "served-md", options = BOTH }
    rank:attach { index = 2, me = "target", md = "target-md", options = PUT, user_ptr = 4 }
    for i, kind in ipairs { "PTL_EVENT_PUT", "PTL_EVENT_GET", "PTL_EVENT_REPLY", "PTL_EVENT_SENT" } do
      local held = "held" .. i
      rank:eq(held)
      rank:attach { index = 3, me = "taker" .. i, md = "taker-md" .. i, options = BOTH,
        eventq = i < 3 and held or "none" }
      rank:bind { region = "source", length = 8, md = "own" .. i, eventq = i > 2 and held or "none" }
      rank[i % 3 == 1 and "put" or "get"](rank, { mem_desc = "own" .. i, target = rank, portal = i < 3 and 3 or 1 })
      if i == 4 then rank:put { mem_desc = "own" .. i, target = rank, portal = 1 } end
      t:flush(rank, rank)
      t:sanity("the queue holds an event", holds(rank, held))
      for _, named in ipairs { "none", "eq", held } do
        rank:md { options = BOTH, eventq = named, user_ptr = 9 }
        local result = rank:PtlMDUpdate { mem_desc = "target-md", new = "desc", testq = held }
        t:rc(named == held and "P30-206" or "P30-205", result, "PTL_NOUPDATE")
        t:equal("P30-205", "user pointer behind an update that is held back by " .. kind,
          current(t, rank, "target-md").user_ptr, 4)
      end
    end
  end,
}

case {
  id = "queue-freed-beside-others",
  only = true,
  title = "A queue that is freed takes nothing from the others",
  purpose = "Three queues hold events. The second is freed, then the first: the events of the others stay, all of them, and come in order.",
  requirements = { "P30-238" },
  run = function(t)
    local rank, names = loopback(t), { "eq", "eq2", "eq3" }
    for i, name in ipairs(names) do
      if i > 1 then rank:eq(name) end
      rank:attach { index = i, me = "me" .. i, md = "md" .. i, options = BOTH, eventq = name }
      for n = 1, 4 do put(rank, { portal = i, offset = n }) end
    end
    t:flush(rank, rank)
    local third = rank:PtlEQCount { eventq = "eq3" }.count
    local first = rank:PtlEQCount { eventq = "eq" }.count
    t:rc("P30-238", rank:PtlEQFree { eventq = "eq2" }, "PTL_OK")
    t:equal("P30-238", "events of the first queue", rank:PtlEQCount { eventq = "eq" }.count, first)
    t:rc("P30-238", rank:PtlEQFree { eventq = "eq" }, "PTL_OK")
    t:equal("P30-238", "events of the third queue", rank:PtlEQCount { eventq = "eq3" }.count, third)
    for n = 1, 4 do t:event("P30-238", rank, "eq3", { type = "PTL_EVENT_PUT", offset = n }) end
  end,
}

case {
  id = "md-threshold-falls-unlogged",
  title = "Each put and each get lowers the threshold of a descriptor that has no queue",
  purpose = "A descriptor of threshold 4 without a queue takes puts and serves gets, of 40 octets and of none. Its threshold falls by one each time; the fifth request is dropped.",
  requirements = { "P30-142" }, suite = "memory-descriptors", chapter = "3.7.1",
  run = function(t)
    local rank = loopback(t)
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    for _, verb in ipairs { "put", "get" } do
      rank:attach { options = BOTH, threshold = 4 }
      for left = 3, 0, -1 do
        rank[verb](rank, { mem_desc = left % 2 == 0 and "void-md" or "out-md", target = rank })
        t:flush(rank, rank)
        t:equal("P30-142", "threshold behind a " .. verb, current(t, rank).threshold, left)
      end
      local before = rank:drop_count()
      rank[verb](rank, { mem_desc = "out-md", target = rank })
      t:drops("P30-142", rank, before, 1)
      rank:me_unlink {}
    end
  end,
}

case {
  id = "queue-capacity-for-every-kind",
  title = "A queue holds as many events as it was made for, whatever they are",
  purpose = "Queues of 1 to 5 events get so many puts, so many gets, and both in turn: all are logged, and none is dropped.",
  requirements = { "P30-236" },
  run = function(t)
    local rank = loopback(t)
    for places = 1, 5 do
      for name, kinds in each { { "puts", { "put", "put" } }, { "gets", { "get", "get" } },
        { "both", { "put", "get" } } } do
        local eq = ("of-%d-%s"):format(places, name)
        rank:eq(eq, places)
        rank:attach { options = BOTH, eventq = eq }
        local before = rank:drop_count()
        for i = 1, places do rank[kinds[i % 2 + 1]](rank, { mem_desc = "out-md", target = rank }) end
        t:flush(rank, rank)
        t:equal("P30-236", "dropped requests, queue of " .. places .. " for " .. name, rank:drop_count() - before, 0)
        for i = 1, places do
          t:event("P30-236", rank, eq, { type = "PTL_EVENT_" .. kinds[i % 2 + 1]:upper() })
        end
        rank:me_unlink {}
        rank:eq_free { eventq = eq }
      end
    end
  end,
}

case {
  id = "md-reply-leaves-the-local-offset",
  title = "A reply moves no local offset",
  purpose = "A descriptor in a list, with an offset of its own, gets 40 octets again and again; puts to it of ten octets go on at 0, 10 and 20.",
  requirements = { "P30-158" }, suite = "memory-descriptors", chapter = "3.7.1",
  run = function(t)
    local rank = loopback(t)
    rank:bind { region = "source", length = 10, md = "ten-md" }
    rank:attach { index = 1, me = "served", md = "served-md", region = "source", length = 40,
      options = GET .. "|" .. REMOTE }
    rank:attach { length = 40, options = PUT, eventq = "eq" }
    for i = 0, 2 do
      rank:get { mem_desc = "md", target = rank, portal = 1 }
      t:flush(rank, rank)
      t:sanity("the reply comes", rank:wait_done("eq").event)
      put(rank, { mem_desc = "ten-md" })
      t:event("P30-158", rank, "eq", { type = "PTL_EVENT_PUT", offset = 10 * i, mlength = 10 })
    end
  end,
}

case {
  id = "md-read-when-it-is-used-up",
  title = "A descriptor that is inactive is read with all that it was given",
  purpose = "A descriptor is read before and behind the put that uses it up: start, length, options, user pointer and queue are the same.",
  requirements = { "P30-202" }, suite = "memory-descriptors", chapter = "3.7.6",
  run = function(t)
    local rank = loopback(t)
    rank:attach { start = "buf+8", length = 64, threshold = 1, options = BOTH, user_ptr = 77, eventq = "eq" }
    local before = current(t, rank)
    put(rank)
    t:event("P30-202", rank, "eq", { type = "PTL_EVENT_PUT" })
    local behind = current(t, rank)
    t:equal("P30-202", "threshold", behind.threshold, 0)
    for _, member in ipairs { "start", "length", "options", "user_ptr", "eventq" } do
      t:equal("P30-202", member, behind[member], before[member])
    end
    t:equal("P30-202", "queue", behind.eventq, "eq")
  end,
}

case {
  id = "ni-oneself-on-a-second-interface",
  title = "On a second interface that is opened again a process puts to itself, gets from itself and knows its distance",
  purpose = "An acknowledged put and a get of the process to itself have all their events on a second interface, also when it has been closed and opened again, and PtlNIDist tells a distance each time.",
  requirements = { "P30-097", "P30-269" }, suite = "interfaces", chapter = "3.5",
  run = function(t)
    t:open {}
    local rank = t.ranks[0]
    rank:ni_init { interface = 1, handle = "ni1" }
    rank:region("own", 16)
    for round = 1, 2 do
      rank:eq_alloc { interface = "ni1", handle = "eq1" }
      rank:attach { interface = "ni1", me = "me1", md = "md1", region = "own", options = BOTH }
      rank:bind { interface = "ni1", region = "own", md = "own-md", eventq = "eq1" }
      local told = t:rc("P30-097", rank:PtlNIDist { interface = "ni1", process = rank }, "PTL_OK").distance
      local distance = tonumber(told)
      t:check("P30-097", "the distance is a finite number that is not negative",
        distance and distance >= 0 and distance < math.huge, "0 or more", tostring(told))
      t:judging("P30-269")
      rank:put { mem_desc = "own-md", ack_req = "PTL_ACK_REQ", target = rank }
      t:equal("P30-269", "events of an acknowledged put, round " .. round, t.types((rank:collect("eq1", 2))),
        { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
      rank:get { mem_desc = "own-md", target = rank }
      t:event("P30-269", rank, "eq1", { type = "PTL_EVENT_REPLY", mlength = 16 })
      if round == 1 then
        rank:ni_fini { interface = "ni1" }
        if not t:opens_again("P30-097", rank, { interface = 1, handle = "ni1" }) then return end
      end
    end
  end,
}
