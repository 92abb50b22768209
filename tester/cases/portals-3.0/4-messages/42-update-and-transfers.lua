-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.7.4: an update on condition that a queue is empty, while an operation is under way that will be logged in
-- this queue. The queue is empty to the eye, yet the update must not slip between the operation and its event.

defaults { suite = "receiving", chapter = "3.7", wire = true }

local PUT, GET, REMOTE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE"
local COOKIE = Receiver.COOKIE
local set_up, check_alive = Receiver.set_up, Receiver.check_alive

local LARGE = 16777216

-- Judges that the descriptor "idle" cannot be updated on condition of the queue. When the event was logged at once, or
-- the library holds it back in some other way, there is nothing to judge.
local function refused(t, rank, what)
  rank:md { name = "next", start = "null", length = 0, threshold = 3 }
  local rc = rank:PtlMDUpdate { mem_desc = "idle", new = "next", testq = "test-eq" }.rc
  t:equal_or_warn("P30-205", "PtlMDUpdate " .. what .. " returns", rc, "PTL_NOUPDATE",
    { PTL_OK = "a queue that holds no event is empty, whatever is under way (A78)" })
  t:equal("P30-205", "the threshold afterwards",
    t:setup(rank:PtlMDUpdate { mem_desc = "idle", old = "was" }).old.threshold, rc == "PTL_OK" and 3 or "inf")
end

local function accepted(t, rank)
  t:rc("P30-204", rank:PtlMDUpdate { mem_desc = "idle", new = "next", testq = "test-eq" }, "PTL_OK")
end

case {
  id = "update-while-a-put-is-sent",
  title = "An update is refused while a put is being sent that will be logged in the test queue",
  purpose = "The peer does not read, and a put of 16 MiB cannot leave. The queue is empty, and the update is refused; when PTL_EVENT_SENT has been taken out it is done.",
  requirements = { "P30-204", "P30-205" },
  run = function(t)
    local rank, peer, stream = set_up(t)
    rank:eq("test-eq")
    rank:bind { desc = "void", start = "null", length = 0, md = "idle" }
    rank:bind { region = "large", octets = LARGE, fill = "mix/1", md = "large-md", eventq = "test-eq" }
    stream:stop_reading()
    rank:put { mem_desc = "large-md", target = t.nid(peer.id) }
    t:skip_if(rank:PtlEQCount { eventq = "test-eq" }.count > 0,
      "the system under test tells of a put as sent before its peer reads it")
    t:judging("P30-205")
    refused(t, rank, "while a put cannot leave")
    stream:resume_reading()
    t:expect("P30-205", stream, "put", { length = LARGE }, 20000)
    t:event("P30-205", rank, "test-eq", { type = "PTL_EVENT_SENT" })
    accepted(t, rank)
  end,
}

case {
  id = "update-while-a-get-is-answered",
  title = "An update is refused while a get is being answered that will be logged in the test queue",
  purpose = "The peer asks for 16 MiB and does not read. The queue is empty, and the update is refused; when PTL_EVENT_GET has been taken out it is done.",
  requirements = { "P30-204", "P30-205" },
  run = function(t)
    local rank, peer, stream = set_up(t)
    rank:eq("test-eq")
    rank:region("large", LARGE, { fill = "mix/1" })
    rank:bind { desc = "void", start = "null", length = 0, md = "idle" }
    rank:attach { index = 5, matchid = t.any_nid, me = "me5", md = "md5", region = "large",
      options = GET .. "|" .. REMOTE, eventq = "test-eq" }
    rank:attach { index = 6, matchid = t.any_nid, me = "me6", md = "md6", region = "behind", octets = 8, options = PUT }
    local other = Receiver.open_another(t, rank)
    stream:stop_reading()
    stream:send { operation = "get", portal = 5, cookie = COOKIE, md = 1, length = LARGE }
    stream:send { operation = "put", portal = 6, cookie = COOKIE, data = "behind" }
    if not rank:wait_octet("behind", 0, ("b"):byte(), 4000) then
      t:skip("the system under test does not go on to the next request before its peer reads the reply")
    elseif rank:PtlEQCount { eventq = "test-eq" }.count > 0 then
      t:skip("the system under test tells of a get as answered before its peer reads the reply")
    end
    t:judging("P30-205")
    refused(t, rank, "while a reply cannot leave")
    check_alive(t, rank, other)
    stream:resume_reading()
    t:expect("P30-205", stream, "reply", { md = 1, mlength = LARGE }, 20000)
    t:event("P30-205", rank, "test-eq", { type = "PTL_EVENT_GET" })
    accepted(t, rank)
  end,
}

case {
  id = "update-while-a-reply-arrives",
  title = "An update is refused while a reply is arriving that will be logged in the test queue",
  purpose = "Half of a reply has come. The queue is empty, and the update is refused; when PTL_EVENT_REPLY has been taken out it is done.",
  requirements = { "P30-204", "P30-205" },
  run = function(t)
    local rank, peer, stream = set_up(t)
    rank:eq("test-eq")
    rank:region("in", 100)
    rank:bind { desc = "void", start = "null", length = 0, md = "idle" }
    rank:bind { region = "in", md = "in-md", eventq = "test-eq" }
    rank:get { mem_desc = "in-md", target = t.nid(peer.id) }
    local get = stream:receive()
    t:sanity("the get arrives", get ~= nil and get.operation == "get")
    local octets = t:encode(stream:with_defaults(stream:answer_of(get, { data = string.rep("r", 100) })))
    stream:send_raw(octets:sub(1, 130))
    t:skip_if(not rank:wait_octet("in", 49, ("r"):byte(), 4000),
      "the system under test does not begin with a reply before all of it has come")
    t:judging("P30-205")
    refused(t, rank, "while half of a reply is missing")
    stream:send_raw(octets:sub(131))
    t:event("P30-205", rank, "test-eq", { type = "PTL_EVENT_REPLY", mlength = 100 })
    accepted(t, rank)
  end,
}
