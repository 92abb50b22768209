-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.5 and 3.7.5: descriptors into which messages arrive, with and without a queue; interfaces that are
-- opened again with other limits, or beside another one.

defaults { suite = "memory-descriptors", chapter = "3.7.5" }

local REMOTE <const> = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE"
local COOKIE <const>, PART_MS <const> = Receiver.COOKIE, 4000

for queue, suffix, words in each { { "eq", "", "a queue" }, { "none", "-without-a-queue", "no queue" } } do
  case {
    id = "unlink-under-arrivals" .. suffix,
    title = "PtlMDUnlink is refused until all messages that arrive in the descriptor are complete",
    purpose = "Puts of two peers have come in part to a descriptor with " .. words .. ". PtlMDUnlink is refused, also "
      .. "when one of them is complete; when both are, the descriptor goes.",
    requirements = { "P32-359" }, wire = true,
    run = function(t)
      local rank, _, stream = Receiver.set_up(t)
      rank:region("half", 200)
      rank:attach { index = 5, matchid = t.any_nid, me = "half-me", md = "half-md", region = "half", options = REMOTE,
        eventq = queue }
      local streams, rests = { stream, Receiver.open_another(t, rank) }, {}
      for i, one in ipairs(streams) do
        local octets = t:encode(one:with_defaults { operation = "put", portal = 5, cookie = COOKIE, md = one.NO_MD,
          offset = 100 * i - 100, data = t.mix(i, 100) })
        one:send_raw(octets:sub(1, -51))
        rests[i] = octets:sub(-50)
        t:skip_if(not rank:wait_octet("half", 100 * i - 51, t.mix(i, 50):byte(50), PART_MS),
          "the system under test does not begin with a put before all of it has come")
      end
      for i, one in ipairs(streams) do
        t:rc("P32-359", rank:PtlMDUnlink { mem_desc = "half-md" }, "PTL_MD_INUSE")
        one:send_raw(rests[i])
        rank:wait_octet("half", 100 * i - 1, t.mix(i, 100):byte(100), PART_MS)
        t:flush(rank, rank)
        t:octets("P32-359", "put " .. i, rank, "half", "mix/" .. i, 100 * i - 100, 100)
      end
      t:rc("P32-359", rank:PtlMDUnlink { mem_desc = "half-md" }, "PTL_OK")
    end,
  }
end

case {
  id = "unlink-when-all-is-done",
  title = "PtlMDUnlink takes a descriptor away as soon as its operations are complete, whatever they were",
  purpose = "Descriptors from which a put was sent, to an entry, to nobody, and with an acknowledgement; into which a get was replied, in full and cut; to which a put and a get came, that were served, cut or refused. A get that nobody answers is never complete.",
  ranks = 2, requirements = { "P32-197" },
  run = function(t)
    local from, to = t:open {}
    from:eq("eq", 64)
    to:eq("eq", 64)
    local cases <const> = {
      { "put" }, { "put", { ack_req = "PTL_ACK_REQ" } }, { "put", { portal = 3 } }, { "put", { offset = 60 } },
      { "get" }, { "get", { offset = 60 } } }
    for i, one in ipairs(cases) do
      local call, values = one[1], one[2] or {}
      for _, options in ipairs { "", "|PTL_MD_TRUNCATE" } do
        local name <const> = i .. (options == "" and "" or "-cut")
        from:bind { region = "out-" .. name, octets = 16, fill = "mix/1", desc = "from-" .. name,
          md = "from-md-" .. name, eventq = "eq" }
        to:attach { index = 1, me = "me-" .. name, md = "to-md-" .. name, desc = "to-" .. name,
          region = "buf-" .. name, octets = 64, options = REMOTE .. "|PTL_MD_OP_GET" .. options, eventq = "eq" }
        values.mem_desc, values.target, values.portal = "from-md-" .. name, to, values.portal or 1
        from[call](from, values)
        t:flush(from, to)
        t:flush(to, from)
        local what <const> = name .. ": PtlMDUnlink behind a " .. call
        if call == "put" or not values.offset or options ~= "" then
          t:equal("P32-197", what .. ", where it came from", from:PtlMDUnlink { mem_desc = "from-md-" .. name }.rc,
            "PTL_OK")
        end
        t:equal("P32-197", what .. ", where it went", to:PtlMDUnlink { mem_desc = "to-md-" .. name }.rc, "PTL_OK")
        to:me_unlink { entry = "me-" .. name }
      end
    end
  end,
}

case {
  id = "unlink-while-sent-without-a-queue",
  title = "PtlMDUnlink is refused while a put of a descriptor without a queue cannot leave",
  purpose = "A put of 16 MiB from a descriptor without a queue, to a peer that does not read.",
  requirements = { "P32-359" }, wire = true,
  run = function(t)
    local rank, peer, stream = Receiver.set_up(t)
    rank:bind { region = "large", octets = 16 << 20, md = "large-md" }
    stream:stop_reading()
    rank:put { mem_desc = "large-md", target = t.nid(peer.id) }
    t:rc("P32-359", rank:PtlMDUnlink { mem_desc = "large-md" }, "PTL_MD_INUSE")
    stream:resume_reading()
    t:sanity("the large put arrives", stream:receive(20000) ~= nil)
  end,
}

case {
  id = "limits-of-each-opening",
  title = "An interface that is opened again keeps the limits that it tells then",
  purpose = "An interface is opened for two queues, closed, and opened for six. As many queues are made as it says.",
  suite = "interfaces", chapter = "3.5.1", requirements = { "P32-338" },
  run = function(t)
    local rank = t.ranks[0]
    rank:PtlInit()
    for _, queues in ipairs { 2, 6, 3 } do
      local result = rank:PtlNIInit { ptl_size = 4, acl_size = 2, entries = 8, descriptors = 8, queues = queues,
        actual = "out", handle = "ni" .. queues }
      t:skip_if(queues ~= 2 and result.rc ~= "PTL_OK", "the system opens an interface only once")
      local most = t:rc("P32-338", result, "PTL_OK").actual.queues
      t:skip_if(most > 1000, "the limits are so large that they are not reached")
      for i = 1, most + 1 do
        t:rc("P32-338", rank:PtlEQAlloc { interface = "ni" .. queues, count = 2, handle = "eq" .. queues .. "-" .. i },
          i <= most and "PTL_OK" or "PTL_NOSPACE")
      end
      t:setup(rank:PtlNIFini { interface = "ni" .. queues })
    end
  end,
}

case {
  id = "second-of-two-opened-again",
  title = "PtlNIInit of an interface that is open delivers the handle of that one, not of another",
  purpose = "Two interfaces are open, and each is opened again: the handle is its own.",
  suite = "interfaces", chapter = "3.5.1", requirements = { "P32-078" }, still = { "P33-078" },
  run = function(t)
    local rank = t:open {}
    rank:ni_init { interface = 1, handle = "ni1" }
    for _, number in ipairs { 1, 0 } do
      t:rc("P32-078", rank:open_again { interface = number > 0 and number or nil, ptl_size = 8, acl_size = 4,
        handle = "again" }, "PTL_OK")
      t:check("P32-078", "the handle is that of interface " .. number,
        rank:same("again", number > 0 and "ni1" or "ni"), "the same", "another one")
    end
  end,
}

case {
  id = "queues-freed-under-arrivals-give-their-place",
  title = "A queue that is freed while a put is arriving makes room for another one",
  purpose = "An interface is opened for three queues. As often as it has queues one is freed with half of a put under way to it; then as many as before can be made.",
  suite = "events", chapter = "3.8.4", requirements = { "P32-338" }, wire = true,
  run = function(t)
    local peer = t:peer {}
    local rank = t:open { ptl_size = 8, acl_size = 4, entries = 16, descriptors = 16, queues = 3, actual = "out" }
    local most = rank:granted("queues", 3)
    t:skip_if(most < 2 or most > 64, "the limit of queues is not one that can be reached in a short time")
    rank:ac_entry { index = COOKIE, matchid = t.any_nid, portal = "any" }
    rank:eq("eq", 64)
    rank:region("buf", 256)
    rank:region("half", 100)
    Receiver.take_anything(rank)
    local stream = t:connect(peer, rank)
    for i = 1, most do
      t:rc("P32-338", rank:PtlEQAlloc { count = 4, handle = "half-eq" .. i }, "PTL_OK")
      rank:attach { index = 5, matchid = t.any_nid, me = "half-me" .. i, md = "half-md" .. i, region = "half",
        options = REMOTE, unlink = "PTL_UNLINK", threshold = 1, md_unlink = "PTL_UNLINK", eventq = "half-eq" .. i }
      local octets = t:encode(stream:with_defaults { operation = "put", portal = 5, cookie = COOKIE,
        md = stream.NO_MD, data = t.mix(i, 100) })
      stream:send_raw(octets:sub(1, -51))
      rank:wait_octet("half", 49, t.mix(i, 50):byte(50), PART_MS)
      t:setup(rank:PtlEQFree { eventq = "half-eq" .. i })
      stream:send_raw(octets:sub(-50))
      stream:send { operation = "put", portal = Receiver.PORTAL, cookie = COOKIE, md = 77, data = "behind" }
      t:sanity("what comes behind is taken", (stream:receive() or {}).operation == "ack")
    end
    for i = 2, most do t:rc("P32-338", rank:PtlEQAlloc { count = 4, handle = "one" .. i }, "PTL_OK") end
  end,
}

case {
  id = "unlink-behind-what-was-cut-off",
  title = "PtlMDUnlink takes a descriptor away when those who were sending to it are gone",
  purpose = "Half of a put has come to one descriptor, and half of a reply to another, when the streams end. Neither is in use any more, and both go.",
  requirements = { "P32-197" }, wire = true, negative = true,
  run = function(t)
    local rank, peer, stream = Receiver.set_up(t)
    local broken, before = Receiver.open_another(t, rank), rank:drop_count()
    rank:region("half", 100)
    rank:attach { index = 5, matchid = t.any_nid, me = "half-me", md = "half-md", region = "half", options = REMOTE }
    rank:bind { region = "in", octets = 100, md = "in-md", desc = "in-desc" }
    rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
    local get = stream:receive()
    t:sanity("the get arrives", get ~= nil and get.operation == "get")
    local function cut(one, region, octets)
      one:send_raw(octets:sub(1, -51))
      rank:wait_octet(region, 49, t.mix(1, 50):byte(50), PART_MS)
      one:close()
      t:confirm_violation("cut-off", one)
    end
    cut(broken, "half", t:encode(broken:with_defaults { operation = "put", portal = 5, cookie = COOKIE,
      md = broken.NO_MD, data = t.mix(1, 100) }))
    cut(stream, "in", t:encode(stream:with_defaults(stream:answer_of(get, { data = t.mix(1, 100) }))))
    t:sanity("what was cut off is counted", rank:wait_drop_count(before + 1) > before)
    local other = Receiver.open_another(t, rank)
    other:send { operation = "put", portal = Receiver.PORTAL, cookie = COOKIE, md = 77, data = "behind" }
    t:sanity("what comes behind is taken", (other:receive() or {}).operation == "ack")
    for _, md in ipairs { "half-md", "in-md" } do
      local result
      local patience = t:now() + 4000 -- that a stream has ended may be noticed late
      repeat result = rank:PtlMDUnlink { mem_desc = md } until result.rc ~= "PTL_MD_INUSE" or t:now() > patience
      t:rc("P32-197", result, "PTL_OK")
    end
  end,
}
