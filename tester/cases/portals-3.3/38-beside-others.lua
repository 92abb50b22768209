-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.7 and 3.8: what one operation must not see of another: of one that has failed before, of one that still
-- arrives, of a queue that goes.

defaults { suite = "events", chapter = "3.8.2", ranks = 2 }

local PUT <const>, NO_START <const> = "PTL_MD_OP_PUT", "PTL_MD_EVENT_START_DISABLE"
local COOKIE <const>, PART_MS <const> = Receiver.COOKIE, 4000

case {
  id = "failure-is-told-of-nothing-else",
  title = "What arrives well is told as such, however many puts of the process have failed before",
  purpose = "Rank 1 puts to processes that there are not, whatever becomes of that; behind each, rank 0 puts to it and gets from it, without and with an acknowledgement. All events of what has arrived say PTL_NI_OK.",
  requirements = { "P33-353" },
  run = function(t)
    local from, to = t:open {}
    for _, rank in ipairs { from, to } do rank:eq("eq", 64) end
    to:eq("lost-eq", 64)
    to:bind { region = "lost", octets = 8, desc = "lost-desc", md = "lost-md", eventq = "lost-eq" }
    to:attach { octets = 64, options = PUT .. "|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE", eventq = "eq" }
    from:bind { region = "out", octets = 8, fill = "mix/1", md = "out-md", eventq = "eq" }
    for nid, pid in each { { 0, 1 }, { to.id.nid, 0 }, { 0xe0000001, 1 } } do
      to:PtlPut { mem_desc = "lost-md", target = { kind = "nid", nid = nid, pid = pid } }
      from:put { mem_desc = "out-md", target = to }
      from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to }
      from:get { mem_desc = "out-md", target = to }
      t:flush(from, to)
      for rank, least in each { { to, 6 }, { from, 7 } } do
        local events = rank:collect("eq", 64, 300)
        t:check("P33-353", rank.label .. ": events of two puts and a get", #events >= least, least .. " at least",
          #events)
        for _, event in ipairs(events) do
          t:equal("P33-353", "the kind of failure in " .. event.type, event.ni_fail_type, "PTL_NI_OK")
        end
      end
    end
  end,
}

case {
  id = "max-size-while-something-arrives",
  title = "A descriptor that a message fills goes although an earlier one still arrives into it",
  purpose = "A put of 40 octets has come in part when one of 30 from another process leaves less than the least size of the descriptor; then comes the rest of the first. Both are logged, and the descriptor is unlinked.",
  suite = "memory-descriptors", chapter = "3.7.2", wire = true, ranks = 1, requirements = { "P33-179" },
  run = function(t)
    local rank, _, stream = Receiver.set_up(t)
    rank:eq("two-eq")
    rank:region("two", 100)
    rank:attach { index = 5, matchid = t.any_nid, ignorebits = -1, me = "two-me", md = "two-md", region = "two",
      max_size = 40, md_unlink = "PTL_UNLINK", options = PUT .. "|PTL_MD_MAX_SIZE|" .. NO_START, eventq = "two-eq" }
    local octets = t:encode(stream:with_defaults { operation = "put", portal = 5, cookie = COOKIE, match_bits = 1,
      md = 1, data = t.mix(1, 40) })
    local other = Receiver.open_another(t, rank)
    stream:send_raw(octets:sub(1, #octets - 20))
    rank:wait_octet("two", 19, t.mix(1, 20):byte(20), PART_MS) -- a library may hold it back until all has come
    other:send { operation = "put", portal = 5, cookie = COOKIE, match_bits = 2, md = 2, data = t.mix(2, 30) }
    t:judging("P33-179")
    t:expect("P33-179", other, "ack", { md = 2, mlength = 30 })
    stream:send_raw(octets:sub(-20))
    t:expect("P33-179", stream, "ack", { md = 1, mlength = 40 })
    local kinds = t.types(rank:collect("two-eq", 3, 2000))
    t:equal("P33-179", "the events", kinds, { "PTL_EVENT_PUT_END", "PTL_EVENT_PUT_END", "PTL_EVENT_UNLINK" })
    t:md_unlinked("P33-179", rank, "two-md")
  end,
}

case {
  id = "full-list-refuses-every-call",
  title = "A list as long as its limit takes no entry by any call, at its head, at its tail or in its midst",
  purpose = "Lists of four are asked for, and one is filled. PtlMEAttach and PtlMEInsert are refused in each position until an entry has gone; then one call is served, and the next refused again.",
  suite = "limits", chapter = "3.6.1", requirements = { "P33-338" }, ranks = 1,
  run = function(t)
    local rank = t.ranks[0]
    rank:PtlInit()
    local granted = t:setup(rank:PtlNIInit { ptl_size = 8, acl_size = 2, entries = 40, list = 4, actual = "out" })
      .actual
    local most <const> = granted.list
    t:skip_if(most > 512 or granted.entries <= most, "the limits are not such that a list is full")
    for i = 1, most do t:rc("P33-338", rank:PtlMEAttach { handle = "me" .. i }, "PTL_OK") end
    local function calls(wanted)
      for _, position in ipairs { "PTL_INS_BEFORE", "PTL_INS_AFTER" } do
        t:rc("P33-338", rank:PtlMEAttach { position = position, handle = "one-more" }, wanted)
        t:rc("P33-338", rank:PtlMEInsert { position = position, current = "me2", handle = "one-more" }, wanted)
      end
    end
    calls { "PTL_ML_TOOLONG", "PTL_NOSPACE" }
    for _, position in ipairs { "PTL_INS_BEFORE", "PTL_INS_AFTER" } do
      t:setup(rank:PtlMEUnlink { entry = "me1" })
      t:rc("P33-338", rank:PtlMEAttach { position = position, handle = "me1" }, "PTL_OK")
      calls { "PTL_ML_TOOLONG", "PTL_NOSPACE" }
    end
  end,
}

case {
  id = "get-put-while-a-put-arrives",
  title = "An exchange is served while a put still arrives into the same descriptor",
  purpose = "Of a put of 40 octets a part has come. An exchange of another process behind them is answered, with what was there; then the put comes to its end.",
  suite = "regions", chapter = "3.10.3", wire = true, ranks = 1, requirements = { "P33-364" },
  run = function(t)
    local rank, _, stream = Receiver.set_up(t)
    rank:attach { index = 5, matchid = t.any_nid, ignorebits = -1, me = "two-me", md = "two-md", region = "two",
      octets = 100, fill = "mix/9", options = PUT .. "|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE" }
    local octets = t:encode(stream:with_defaults { operation = "put", portal = 5, cookie = COOKIE, match_bits = 1,
      md = 1, data = t.mix(1, 40) })
    local other = Receiver.open_another(t, rank)
    stream:send_raw(octets:sub(1, #octets - 20))
    rank:wait_octet("two", 19, t.mix(1, 20):byte(20), PART_MS) -- a library may hold it back until all has come
    t:judging("P33-364")
    other:send { operation = "getput", portal = 5, cookie = COOKIE, match_bits = 2, md = 2, offset = 60, length = 8,
      data = "exchange" }
    t:expect("P33-364", other, "reply", { md = 2, mlength = 8, data = t.mix(9, 8, 60) })
    stream:send_raw(octets:sub(-20))
    t:expect("P33-364", stream, "ack", { md = 1, mlength = 40 })
    t:same_octets("P33-364", "what the exchange has left", rank:read("two", 60, 8), "exchange")
    t:octets("P33-364", "the put that came in two parts", rank, "two", "mix/1", 0, 40)
  end,
}

for name, order in each { { "first", { "one", "two", "three" } }, { "last", { "three", "two", "one" } },
    { "middle", { "two", "one", "three" } } } do
  case {
    id = "freeing-the-" .. name .. "-queue-with-a-handler-returns",
    title = "Of several queues with handlers the " .. name .. " one can be freed, and the others serve on",
    purpose = "Three queues with a handler each are freed one by one, the " .. name
      .. " first. Each time PtlEQFree returns, and the handlers of those that are left hear of a put.",
    suite = "events", chapter = "3.8.3", requirements = { "P33-254", "P33-372" }, ranks = 1,
    verbs = { "handler-alloc", "handled" },
    run = function(t)
      local rank, portals = t:open {}, {}
      rank:bind { region = "out", octets = 8, md = "out-md" }
      for i, queue in ipairs { "one", "two", "three" } do
        t:rc("P33-372", rank:call("handler-alloc", { interface = "ni", count = 16, handle = queue }), "PTL_OK")
        portals[queue] = i
        rank:attach { index = i, me = "me" .. i, md = "md" .. i, desc = "desc" .. i, region = "buf" .. i, octets = 8,
          options = PUT .. "|PTL_MD_MANAGE_REMOTE|" .. NO_START, eventq = queue }
      end
      for gone = 1, #order do
        for left = gone, #order do
          local queue = order[left]
          rank:put { mem_desc = "out-md", target = rank, portal = portals[queue] }
          local heard = 0
          for _ = 1, 10 do
            heard = heard + rank:call("handled", { eventq = queue, count = 1, ms = 500 }).events
            if heard > 0 then break end
            rank:PtlNIStatus {}
          end
          t:equal("P33-372", "events that the handler of queue " .. queue .. " hears of", heard, 1)
        end
        rank:me_unlink { entry = "me" .. portals[order[gone]] }
        t:judging("P33-254")
        t:rc("P33-254", rank:PtlEQFree { eventq = order[gone], deadline = 10000 }, "PTL_OK")
        t:judging("P33-372")
      end
    end,
  }
end
