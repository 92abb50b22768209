-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.10 and what chapter 1 promises of it: put and get, progress without the application, order and reliability.

defaults { suite = "movement", chapter = "3.10", still = { "P32-157", "P32-222" } }

local PUT, GET, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"

local function pair(t, octets, events)
  local from, to = t:open {}
  from:eq("eq", 64)
  from:bind { region = "out", octets = octets or 64, fill = "mix/1", md = "out-md", eventq = "eq" }
  to:eq("eq", events or 64)
  to:region("buf", octets or 64)
  return from, to
end

case {
  id = "move-put",
  title = "A put moves the whole region of the descriptor",
  purpose = "The target gets as many octets as the initiator's region has, whatever happened to the descriptor before; the initiator asks for an acknowledgement and gets it.",
  requirements = { "P30-009", "P30-010", "P30-255", "P30-256", "P30-257" }, ranks = 2,
  run = function(t)
    local from, to = pair(t, 1000)
    to:attach { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    t:judging("P30-255")
    for round = 1, 3 do
      t:rc("P30-256", from:PtlPut { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to }, "PTL_OK")
      t:event("P30-255", to, "eq", { type = "PTL_EVENT_PUT", rlength = 1000, mlength = 1000 })
      t:octets("P30-009", "the data", to, "buf", "mix/1")
      local acks = 0
      for _, event in ipairs((from:collect("eq", 2))) do
        acks = acks + (event.type == "PTL_EVENT_ACK" and 1 or 0)
      end
      t:equal("P30-010", "acknowledgements in round " .. round, acks, 1)
      t:equal("P30-257", "further events", from:PtlEQCount().count, 0)
    end
  end,
}

case {
  id = "move-get",
  title = "A get fetches as many octets as the initiator's region has, to its beginning",
  purpose = "From an offset of the target's region that differs from anything at the initiator.",
  requirements = { "P30-011", "P30-270", "P30-271", "P30-272", "P30-273" }, ranks = 2,
  run = function(t)
    local from, to = pair(t, 100)
    to:attach { region = "big", octets = 1000, fill = "mix/8", options = GET .. "|" .. REMOTE, eventq = "eq" }
    t:judging("P30-270")
    from:get { mem_desc = "out-md", target = to, offset = 333 }
    t:event("P30-270", to, "eq", { type = "PTL_EVENT_GET", rlength = 100, offset = 333 })
    t:event("P30-272", from, "eq", { type = "PTL_EVENT_REPLY", rlength = 100, mlength = 100 })
    t:octets("P30-271", "what was fetched", from, "out", "mix/8/333")
    t:octets("P30-011", "the target's region", to, "big", "mix/8")
    to:attach { index = 1, me = "me1", md = "md1", region = "big", options = GET, eventq = "eq" }
    from:get { mem_desc = "out-md", target = to, portal = 1, offset = 333 }
    t:event("P30-273", from, "eq", { type = "PTL_EVENT_REPLY", mlength = 100 })
    t:octets("P30-273", "what was fetched with a local offset", from, "out", "mix/8")
  end,
}

case {
  id = "move-listed-descriptor-as-source",
  title = "A descriptor in a match list can be the source of a put and the destination of a get",
  purpose = "The handle of an attached descriptor is used by its owner.",
  requirements = { "P30-268", "P30-157" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    to:attach { options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
    from:region("own", 64, { fill = "mix/5" })
    from:attach { region = "own", options = 0, threshold = 9, eventq = "eq", md = "listed" }
    t:rc("P30-268", from:PtlPut { mem_desc = "listed", target = to }, "PTL_OK")
    t:event("P30-268", to, "eq", { type = "PTL_EVENT_PUT" })
    t:octets("P30-268", "the data", to, "buf", "mix/5")
    t:event("P30-268", from, "eq", { type = "PTL_EVENT_SENT" })
    to:fill("buf", "mix/6")
    from:get { mem_desc = "listed", target = to }
    t:event("P30-157", from, "eq", { type = "PTL_EVENT_REPLY", mlength = 64 })
    t:octets("P30-157", "what was fetched", from, "own", "mix/6")
  end,
}

case {
  id = "move-listed-source-keeps-its-threshold",
  only = true,
  title = "A descriptor in a match list that is put from still takes as many requests as its threshold says",
  purpose = "A descriptor of threshold 4 is put from twice by its owner. Its threshold is 4 behind that, and it takes four puts and no fifth. A library that counts whatever is logged, of a bound descriptor too, has a warning.",
  requirements = { "P30-268" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    to:attach { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    to:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    from:attach { region = "own", octets = 64, options = PUT .. "|" .. REMOTE, threshold = 4, eventq = "eq",
      md = "listed" }
    from:bind { region = "own", threshold = 4, eventq = "eq", md = "bound" }
    local function left_of(md)
      for _ = 1, 2 do
        t:rc("P30-268", from:PtlPut { mem_desc = md, target = to }, "PTL_OK")
        t:event("P30-268", from, "eq", { type = "PTL_EVENT_SENT" })
      end
      return t:setup(from:PtlMDUpdate { mem_desc = md, old = "was" }).old.threshold
    end
    local left = left_of("bound")
    t:equal_or_warn("P30-268", "threshold of a bound descriptor behind two puts", left, 4,
      { [2] = "whatever is logged counts: the reading threshold_counts = every_event" })
    local listed = left_of("listed")
    t:check("P30-268", "threshold of the one in the list behind two puts", listed == 4 or listed == left,
      left == 4 and "4" or "4, or " .. left .. " where a bound one has that", listed)
    left = listed
    for _ = 1, left do
      to:put { mem_desc = "void-md", target = from }
      t:event("P30-268", from, "eq", { type = "PTL_EVENT_PUT" })
    end
    local before = from:drop_count()
    to:put { mem_desc = "void-md", target = from }
    t:drops("P30-268", from, before, 1)
  end,
}

case {
  id = "move-source-ignores-its-offset",
  title = "What a descriptor sends does not depend on what it has received",
  purpose = "A listed descriptor takes 24 octets, which move its local offset; a put from it still sends the whole region from its start, and it takes the next 24 octets where it had stopped.",
  requirements = { "P30-255", "P30-268" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    to:attach { options = PUT .. "|" .. REMOTE, eventq = "eq" }
    to:bind { region = "part", octets = 24, fill = "byte/7", md = "part-md" }
    from:attach { region = "own", octets = 64, fill = "mix/5", options = PUT, eventq = "eq", md = "listed" }
    to:put { mem_desc = "part-md", target = from }
    t:sanity("the descriptor takes 24 octets", from:wait("eq").event.mlength == 24)
    from:fill("own", "mix/6")
    t:rc("P30-255", from:PtlPut { mem_desc = "listed", target = to }, "PTL_OK")
    t:event("P30-255", to, "eq", { type = "PTL_EVENT_PUT", rlength = 64, mlength = 64 })
    t:octets("P30-255", "the data", to, "buf", "mix/6")
    t:sanity("the put was sent", from:wait("eq").event.type == "PTL_EVENT_SENT")
    to:put { mem_desc = "part-md", target = from }
    t:event("P30-268", from, "eq", { type = "PTL_EVENT_PUT", offset = 24 })
  end,
}

case {
  id = "move-events-without-queue",
  title = "Without an event queue the initiator's events are discarded, and nothing else suffers",
  purpose = "A thousand puts that ask for acknowledgements from a descriptor without a queue; afterwards everything works and nothing was dropped.",
  requirements = { "P30-263", "P30-322" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    from:bind { region = "out", md = "mute" }
    to:attach { options = PUT .. "|" .. REMOTE }
    local before, own_before = to:drop_count(), from:drop_count()
    local result = from:batch(1000, { { "PtlPut", { mem_desc = "mute", ack_req = "PTL_ACK_REQ", target = t.gid(to.id),
      portal = 0, cookie = 0, match_bits = 0, offset = 0 } } })
    t:equal("P30-263", "puts that were called", result.runs, 1000)
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to }
    local types = t.types((from:collect("eq", 2, 20000)))
    t:equal("P30-263", "events of a later put with a queue", types, { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
    t:octets("P30-263", "the data", to, "buf", "mix/1")
    t:equal("P30-322", "dropped requests of the target", to:drop_count() - before, 0)
    t:equal_or_warn("P30-322", "dropped messages of the initiator", from:drop_count() - own_before, 0,
      { [1000] = "an acknowledgement of each put has come and found no queue: the reading ack_needs_queue = yes" })
  end,
}

case {
  id = "move-errors",
  title = "PtlPut and PtlGet have a return code of their own for each kind of bad argument",
  purpose = "A dead descriptor, a rank that does not exist, wildcards as a target, an id of no kind.",
  requirements = { "P30-264", "P30-265", "P30-274" },
  run = function(t)
    local rank = t:open {}
    rank:eq("eq")
    rank:bind { md = "out-md", length = 0 }
    local nobody = { { kind = "gid", gid = rank.id.gid, rid = 1 }, t.any_gid, t.any_nid, { kind = "gid",
      gid = rank.id.gid, rid = "any" },
      { kind = "nid", nid = "any", pid = rank.id.pid }, { kind = "nid", nid = rank.id.nid, pid = "any" },
      { kind = "kind", number = 99, nid = 1, pid = 1, gid = 1, rid = 1 } }
    t:judging("P30-265")
    for _, target in ipairs(nobody) do
      t:rc("P30-265", rank:PtlPut { mem_desc = "out-md", target = target }, "PTL_INV_PROC")
      t:rc("P30-274", rank:PtlGet { mem_desc = "out-md", target = target }, "PTL_INV_PROC")
    end
    if not rank:same("eq", "out-md") then -- handles of two types may be alike
      t:rc("P30-264", rank:PtlPut { mem_desc = "eq", target = rank }, "PTL_INV_MD")
    end
    if rank:describe().PTL_MD_NONE ~= false then -- a header may lack it
      t:rc("P30-264", rank:PtlPut { mem_desc = "none", target = rank }, "PTL_INV_MD")
    end
    rank:md_unlink { mem_desc = "out-md" }
    t:rc("P30-264", rank:PtlPut { mem_desc = "out-md", target = rank }, "PTL_INV_MD")
    t:rc("P30-274", rank:PtlGet { mem_desc = "out-md", target = rank }, "PTL_INV_MD")
  end,
}

case {
  id = "move-to-two-pairs-with-a-wildcard",
  only = true,
  title = "An id with both pairs of which one member is a wildcard is no target",
  purpose = "The own id with a wildcard in one of its four members, in both of one pair, and in all: PtlPut and PtlGet return PTL_INV_PROC, and nothing arrives.",
  requirements = { "P30-265", "P30-274" },
  run = function(t)
    local rank = t:open {}
    rank:eq("eq")
    rank:attach { start = "null", length = 0, options = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE",
      eventq = "eq" }
    rank:bind { desc = "void", start = "null", length = 0, md = "out-md" }
    local before = rank:drop_count()
    for _, members in ipairs { { "nid" }, { "pid" }, { "gid" }, { "rid" }, { "nid", "pid" }, { "gid", "rid" },
      { "nid", "pid", "gid", "rid" } } do
      local target = rank.id
      for _, member in ipairs(members) do target = Receiver.with_field(target, member, "any") end
      t:rc("P30-265", rank:PtlPut { mem_desc = "out-md", target = target }, "PTL_INV_PROC")
      t:rc("P30-274", rank:PtlGet { mem_desc = "out-md", target = target }, "PTL_INV_PROC")
    end
    t:flush(rank, rank)
    t:equal("P30-265", "requests that were taken, and dropped",
      { rank:PtlEQCount().count, rank:drop_count() - before }, { 0, 0 })
  end,
}

case {
  id = "move-by-a-handle-that-has-a-successor",
  title = "A descriptor that has gone is refused, though another one has come to its place",
  purpose = "Descriptors go by PtlMDUnlink, with their entry, or used up; after each a new one is made, bound or attached. Puts and gets by the old handle are refused, the new one is as it was, and nothing arrives.",
  requirements = { "P30-264", "P30-274" },
  run = function(t)
    local rank = t:open {}
    rank:eq("eq")
    rank:attach { index = 2, me = "to", md = "to-md", octets = 16,
      options = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE" }
    local function refused()
      if t:alike("P30-264", rank, "md", { "new" }) then
        t:alike("P30-274", rank, "md", { "new" })
        return
      end
      local before = rank:drop_count()
      for _, ack in ipairs { "PTL_NOACK_REQ", "PTL_ACK_REQ" } do
        t:rc("P30-264", rank:PtlPut { mem_desc = "md", ack_req = ack, target = rank, portal = 2 }, "PTL_INV_MD")
      end
      t:rc("P30-274", rank:PtlGet { mem_desc = "md", target = rank, portal = 2 }, "PTL_INV_MD")
      t:flush(rank, rank)
      t:equal("P30-264", "dropped requests", rank:drop_count() - before, 0)
      t:equal("P30-264", "events of calls that were refused", rank:PtlEQCount().count, 0)
    end
    local ways = {
      function() rank:md_unlink {} end,
      function() rank:me_unlink {} end,
      function()
        rank:bind { region = "buf", length = 4, desc = "four", md = "four-md" }
        rank:put { mem_desc = "four-md", target = rank, portal = 1 }
        t:event("P30-264", rank, "eq", { type = "PTL_EVENT_PUT" })
        t:md_unlinked("P30-264", rank)
        rank:count_events("eq")
      end,
    }
    for _, go in ipairs(ways) do
      for _, is_bound in ipairs { true, false } do
        rank:attach { index = 1, region = "buf", threshold = 1, md_unlink = "PTL_UNLINK", eventq = "eq" }
        go()
        if is_bound then
          rank:bind { region = "buf", md = "new", eventq = "eq" }
        else
          rank:attach { index = 3, me = "new-me", region = "buf", md = "new", eventq = "eq" }
        end
        refused()
        t:rc("P30-264", rank:PtlPut { mem_desc = "new", target = rank, portal = 2 }, "PTL_OK")
        t:flush(rank, rank)
        rank:count_events("eq")
        rank:md_unlink { mem_desc = "new" }
      end
    end
  end,
}

case {
  id = "move-remote-errors-are-remote",
  title = "A portal index that the target does not have is no error at the initiator",
  purpose = "Puts and gets to the first index outside the target's table and far beyond return PTL_OK; the target counts each of them.",
  requirements = { "P30-266", "P30-275", "P30-316" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    local before = to:drop_count()
    t:judging("P30-316")
    for _, portal in ipairs { 8, 9, from:largest("ptl_pt_index_t") } do
      t:rc("P30-266", from:PtlGet { mem_desc = "out-md", target = to, portal = portal }, "PTL_OK")
      t:rc("P30-266", from:PtlPut { mem_desc = "out-md", target = to, portal = portal }, "PTL_OK")
      t:event("P30-266", from, "eq", { type = "PTL_EVENT_SENT" })
    end
    t:drops("P30-316", to, before, 6)
    t:equal("P30-275", "events of the gets that were dropped", from:count_events("eq"), 0)
  end,
}

case {
  id = "move-offset-is-the-targets-choice",
  title = "The offset of a put is used where the target leaves it to the initiator, and nowhere else",
  purpose = "The same puts with offset 40 to a descriptor with PTL_MD_MANAGE_REMOTE and to one without: there both go to 40, here the first goes to the beginning and the second behind it.",
  requirements = { "P30-267" }, ranks = 2,
  run = function(t)
    local from, to = pair(t, 16)
    to:region("remote", 100)
    to:attach { index = 1, me = "me1", md = "md1", region = "remote", options = PUT .. "|" .. REMOTE, eventq = "eq" }
    to:attach { index = 2, me = "me2", md = "md2", region = "local", octets = 100, options = PUT, eventq = "eq" }
    for round = 0, 1 do
      from:fill("out", "mix/" .. round + 1)
      for portal, place in ipairs { 40, 16 * round } do
        from:put { mem_desc = "out-md", target = to, portal = portal, offset = 40 }
        t:event("P30-267", to, "eq", { type = "PTL_EVENT_PUT", portal = portal, offset = place })
        t:octets("P30-267", "the put to portal " .. portal, to, portal == 1 and "remote" or "local",
          "mix/" .. round + 1, place, 16)
        t:sanity("the put was sent", from:wait("eq").event ~= nil)
      end
    end
    t:octets("P30-267", "what lies behind the two puts", to, "local", "byte/0", 32)
  end,
}

case {
  id = "move-to-oneself",
  title = "A process can put to itself and get from itself, by either addressing",
  purpose = "With all events that a put and a get between two processes have, and the data.",
  requirements = { "P30-269" },
  run = function(t)
    local rank = t:open { acl_size = 4 }
    rank:eq("out")
    rank:eq("in")
    rank:attach { region = "own", octets = 48, options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "in" }
    rank:bind { octets = 48, md = "out-md", eventq = "out" }
    for round, target in ipairs { t.gid(rank.id), t.nid(rank.id) } do
      rank:fill("buf", "mix/" .. round)
      t:rc("P30-269", rank:PtlPut { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = target }, "PTL_OK")
      t:event("P30-269", rank, "in", { type = "PTL_EVENT_PUT", mlength = 48 })
      t:octets("P30-269", "what was put", rank, "own", "mix/" .. round)
      t:equal("P30-269", "events of the put at its initiator", #(rank:collect("out", 2)), 2)
      rank:fill("own", "mix/" .. 10 + round)
      t:rc("P30-269", rank:PtlGet { mem_desc = "out-md", target = target }, "PTL_OK")
      t:event("P30-269", rank, "in", { type = "PTL_EVENT_GET", mlength = 48 })
      t:sanity("the get is told to its initiator", rank:wait("out").event ~= nil)
      t:octets("P30-269", "what was fetched", rank, "buf", "mix/" .. 10 + round)
      rank:quiet("out", 0)
    end
  end,
}

for name, octets in each { { "a-page", 4097 }, { "pages", 70001 }, { "megabytes", (3 << 20) + 5 } } do
  case {
    id = "move-to-oneself-" .. name,
    title = "What a process puts to itself and gets from itself is whole, however long it is",
    purpose = octets .. " octets are put and fetched within a process; both regions are compared to their ends.",
    requirements = { "P30-269" },
    run = function(t)
      local rank = t:open {}
      rank:eq("out")
      rank:attach { region = "own", octets = octets, options = PUT .. "|" .. GET .. "|" .. REMOTE }
      rank:bind { region = "mine", octets = octets, fill = "mix/1", md = "out-md", eventq = "out" }
      rank:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = rank }
      t:equal("P30-269", "events of the put at its initiator", #(rank:collect("out", 2)), 2)
      t:octets("P30-269", "what was put", rank, "own", "mix/1")
      rank:fill("own", "mix/2")
      rank:get { mem_desc = "out-md", target = rank }
      t:event("P30-269", rank, "out", { type = "PTL_EVENT_REPLY", mlength = octets })
      t:octets("P30-269", "what was fetched", rank, "mine", "mix/2")
    end,
  }
end

case {
  id = "move-get-dropped",
  title = "A get that the target discards has no reply event at its initiator",
  purpose = "A get to a portal without entries, from one descriptor, is followed by a good one from another; both share a queue. Only the good one is told.",
  requirements = { "P30-275" }, ranks = 2,
  run = function(t)
    local from, to = pair(t)
    to:attach { options = GET .. "|" .. REMOTE }
    from:bind { region = "out", md = "lost-md", eventq = "eq", user_ptr = 1 }
    from:bind { region = "out", md = "good-md", eventq = "eq", user_ptr = 2 }
    from:get { mem_desc = "lost-md", target = to, portal = 5 }
    from:get { mem_desc = "good-md", target = to }
    local event = from:wait("eq").event
    while event and event.type == "PTL_EVENT_SENT" do -- which a known reading logs as well: P30-223
      event = from:wait("eq").event
    end
    t:equal("P30-275", "event of the good get", event and event.type, "PTL_EVENT_REPLY")
    t:equal("P30-275", "the descriptor of the first reply", event.mem_desc.user_ptr, 2)
    t:equal("P30-275", "further events", from:PtlEQCount().count, 0)
  end,
}

case {
  id = "move-bypass",
  title = "A target that does not call the library still answers",
  purpose = "Rank 1 reads one octet of its memory again and again, and calls nothing, until a put changes it. Before that put another one must be acknowledged and a get be answered; so the target cannot have left its loop meanwhile.",
  requirements = { "P30-008" }, chapter = "1.6", ranks = 2,
  run = function(t)
    local from, to = pair(t)
    to:attach { region = "big", octets = 128, options = PUT .. "|" .. GET .. "|" .. REMOTE }
    local last = t.mix(1, 64):byte(64)
    local looking = to:start("memory", { name = "big", offset = 127, value = last, ms = 20000 }, { deadline = 25000 })
    from:put { mem_desc = "out-md", ack_req = "PTL_ACK_REQ", target = to }
    t:equal("P30-008", "events of a put", #(from:collect("eq", 2)), 2)
    from:get { mem_desc = "out-md", target = to }
    t:event("P30-008", from, "eq", { type = "PTL_EVENT_REPLY", mlength = 64 })
    t:sanity("the target is still in its loop", not looking:done())
    from:put { mem_desc = "out-md", target = to, offset = 64 }
    t:check("P30-008", "the target sees the data without a call", looking:finish().reached, "the last octet of the put",
      "not within 20 s")
  end,
}

case {
  id = "move-order",
  title = "Messages between two processes arrive in the order in which they were sent, each exactly once",
  purpose = "Three hundred puts whose match bits are their numbers, in sizes from nothing to 64 KiB, into one descriptor with a local offset or none to spare.",
  requirements = { "P30-001", "P30-002" }, chapter = "1.4", ranks = 2,
  run = function(t)
    local from, to = pair(t, 65536)
    -- Five rounds at once where the system has a queue for all of them, else as many as every system's queue takes.
    local rounds, burst = 5, 60
    if to:eq_up_to("all", { 1024, 20 }) == 20 then rounds, burst = 1, 20 end
    local sizes = { 0, 8, 65536, 1, 4096, 64, 1500 }
    for i, size in ipairs(sizes) do from:bind { start = "out", length = size, md = "size" .. i } end
    to:attach { ignorebits = -1, options = PUT .. "|" .. REMOTE, eventq = "all" }
    to:told_by_starts()
    t:judging("P30-002")
    local commands = {}
    for i = 1, burst do
      commands[i] = { "PtlPut", { mem_desc = "size" .. (sizes[i] and i or t.random(#sizes)), ack_req = "PTL_NOACK_REQ",
        target = t.gid(to.id), portal = 0, cookie = 0, match_bits = i, offset = 0 } }
    end
    for _ = 1, 300 // (rounds * burst) do
      local sending = from:start_batch(rounds, commands)
      for i = 0, rounds * burst - 1 do
        local event = t:event("P30-001", to, "all", { type = "PTL_EVENT_PUT" })
        t:equal("P30-002", "number of message " .. i, event.match_bits, i % burst + 1)
      end
      t:sanity("all puts were called", sending:finish().runs == rounds)
    end
    t:equal("P30-001", "messages beyond those that were sent", to:PtlEQCount { eventq = "all" }.count, 0)
  end,
}

case {
  id = "move-large",
  title = "A put and a get of many mebibytes arrive unchanged",
  purpose = "32 MiB each way, with a pattern over all of it; the put is told as sent once.",
  requirements = { "P30-222", "P30-255", "P30-271" }, ranks = 2,
  run = function(t)
    local octets = 33554432
    local from, to = pair(t, octets)
    to:attach { options = PUT .. "|" .. GET .. "|" .. REMOTE, eventq = "eq" }
    t:judging("P30-255")
    from:put { mem_desc = "out-md", target = to }
    t:event("P30-255", to, "eq", { type = "PTL_EVENT_PUT", mlength = octets }, 20000)
    t:octets("P30-255", "the data of the put", to, "buf", "mix/1")
    t:event("P30-222", from, "eq", { type = "PTL_EVENT_SENT", mlength = octets }, 20000)
    t:equal("P30-222", "further events of the put", from:count_events("eq"), 0)
    to:fill("buf", "mix/2")
    from:get { mem_desc = "out-md", target = to }
    t:event("P30-271", from, "eq", { type = "PTL_EVENT_REPLY", mlength = octets }, 20000)
    t:octets("P30-271", "the data of the get", from, "out", "mix/2")
  end,
}

case {
  id = "move-dropped-payload-consumed",
  title = "The data of a put that is dropped does not disturb the messages behind it",
  purpose = "A put of one mebibyte that no entry takes, then a small one that an entry takes.",
  requirements = { "P30-323", "P30-021" }, chapter = "4.2", ranks = 2,
  run = function(t)
    local from, to = pair(t, 1048576)
    to:attach { match_bits = 1, options = PUT .. "|" .. REMOTE, eventq = "eq" }
    from:bind { start = "out", length = 24, md = "small" }
    local before = to:drop_count()
    from:put { mem_desc = "out-md", target = to, match_bits = 2 }
    from:put { mem_desc = "small", target = to, match_bits = 1 }
    t:event("P30-323", to, "eq", { type = "PTL_EVENT_PUT", match_bits = 1, mlength = 24 })
    t:octets("P30-323", "the data of the second put", to, "buf", "mix/1", 0, 24)
    t:octets("P30-021", "the memory behind it", to, "buf", "byte/0", 24)
    t:drops("P30-323", to, before, 1)
  end,
}

case {
  id = "move-peer-dies",
  title = "When a process dies, what it had sent stays delivered, and the others go on",
  purpose = "A peer puts, resets its connection and never says a word again. Its data and its event are there, puts and gets to it return, and a put of the rank to itself is served as before.",
  requirements = { "P30-001" }, chapter = "1.4", wire = true,
  run = function(t)
    t:open { acl_size = 4 }
    local rank, peer = t.ranks[0], t:peer {}
    rank:ac_entry { index = 2, matchid = t.any_nid, portal = "any" }
    rank:eq("eq")
    rank:attach { octets = 64, matchid = t.any_nid, ignorebits = -1, options = PUT .. "|" .. REMOTE, eventq = "eq" }
    rank:bind { length = 0, md = "out-md" }
    local stream = t:connect(peer, rank)
    stream:send { operation = "put", cookie = 2, match_bits = 1, md = 9, data = t.mix(1, 64) }
    t:expect("P30-001", stream, "ack", { md = 9, mlength = 64 })
    stream:reset()
    t:event("P30-001", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = 1, mlength = 64 })
    t:octets("P30-001", "the data", rank, "buf", "mix/1")
    for _ = 1, 3 do
      t:rc("P30-001", rank:PtlPut { mem_desc = "out-md", target = t.nid(peer.id), deadline = 5000 }, "PTL_OK")
    end
    rank:put { mem_desc = "out-md", target = rank, match_bits = 2 }
    t:event("P30-001", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = 2, initiator = rank.id })
  end,
}
