-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The first steps: one put with its events, one get, and one message seen on the wire. Who fails here need not look at
-- the rest.

defaults { suite = "smoke", chapter = "3.10", still = { "P32-016", "P32-222" } }

case {
  id = "smoke-put",
  title = "A put moves the data, and both sides get their events",
  purpose = "One rank puts a pattern into a memory descriptor of another rank; the data, the target's event and both of the "
    .. "initiator's events must be there.",
  requirements = { "P30-016", "P30-026", "P30-222" }, ranks = 2,
  run = function(t)
    local from, to = t:open { ptl_size = 8, acl_size = 4 }
    to:eq("eq")
    to:attach { octets = 256, index = 3, match_bits = 0x11, eventq = "eq" }
    from:eq("eq")
    from:bind { octets = 64, fill = "mix/7", eventq = "eq" }

    t:step("rank 0 puts 64 octets and asks for an acknowledgement")
    from:put { ack_req = "PTL_ACK_REQ", target = to, portal = 3, match_bits = 0x11 }
    t:event("P30-026", to, "eq", { type = "PTL_EVENT_PUT", mlength = 64, match_bits = 0x11 })
    t:octets("P30-016", "the data is in the target's region", to, "buf", "mix/7", 0, 64)
    local events = from:collect("eq", 2)
    local kinds = {}
    for i, event in ipairs(events) do kinds[i] = event.type end
    table.sort(kinds)
    t:equal("P30-222", "the initiator's events", kinds, { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
    t:equal("P30-222", "further events", from:PtlEQCount().count, 0)
  end,
}

case {
  id = "smoke-get",
  title = "A get fetches the data",
  purpose = "One rank gets from a memory descriptor of another rank; the reply's data and event must be there.",
  requirements = { "P30-011", "P30-272" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:attach { octets = 4096, fill = "mix/9", index = 0, options = "PTL_MD_OP_GET" }
    from:eq("eq")
    from:bind { octets = 4096, eventq = "eq" }

    t:step("rank 0 gets 4096 octets")
    from:get { target = to }
    t:event("P30-272", from, "eq", { type = "PTL_EVENT_REPLY", mlength = 4096 })
    t:octets("P30-011", "the data is in the initiator's region", from, "buf", "mix/9")
  end,
}

case {
  id = "smoke-wire-put",
  title = "A put on the wire carries what table 6 lists",
  purpose = "A put to a scripted peer opens a stream; the message's fields are the call's arguments and its data is the memory.",
  chapter = "4.1", wire = true,
  requirements = { "P30-276", "P30-279", "P30-280", "P30-281", "P30-282", "P30-285", "P30-286" },
  run = function(t)
    t:open {}
    local rank, peer = t.ranks[0], t:peer {}
    rank:region("buf", 40, { fill = "mix/3" })
    rank:bind {}

    t:step("the rank puts 40 octets to the peer")
    rank:put { target = t.nid(peer.id), portal = 5, cookie = 2, match_bits = 0x123456789abcdef0, offset = 24 }
    local stream = t:accept(peer)
    local message = t:expect("P30-276", stream, "put")
    t:equal("P30-279", "portal index", message.portal, 5)
    t:equal("P30-280", "cookie", message.cookie, 2)
    t:equal("P30-281", "match bits", message.match_bits, 0x123456789abcdef0)
    t:equal("P30-282", "offset", message.offset, 24)
    t:equal("P30-285", "memory descriptor", message.md, stream.NO_MD)
    t:equal("P30-286", "length", message.length, 40)
    t:equal("P30-286", "data", message.data, t.mix(3, 40))
  end,
}
