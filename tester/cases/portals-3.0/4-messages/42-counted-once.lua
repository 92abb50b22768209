-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 4.2: what is dropped counts once, whatever its size; and every member of a target's address counts.

defaults { suite = "receiving", chapter = "4.2" }

case {
  id = "drop-counts-once-at-any-length",
  title = "A dropped message counts once, however long it is",
  purpose = "Puts and gets of nothing to a MiB come to a portal without entries, one at a time. The drop count rises by one for each.",
  requirements = { "P30-321" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    from:region("own", 1 << 20)
    for _, length in ipairs { 0, 1, 1000, 5000, 20000, 70000, 300000, 1 << 20 } do
      for _, verb in ipairs { "put", "get" } do
        -- It stays: a message may be in its sender's hands still when it has been dropped.
        local md = ("%s-of-%d"):format(verb, length)
        from:bind { region = "own", length = length, md = md }
        local before = to:drop_count()
        from[verb](from, { mem_desc = md, target = to, portal = 1 })
        t:flush(from, to)
        t:drops("P30-321", to, before, 1)
      end
    end
  end,
}

case {
  id = "receive-target-in-every-member",
  only = true,
  title = "A message whose target differs from the process in one member is for somebody else",
  purpose = "Puts and gets whose target has another node, process, group or rank, each changed in a low and in a high bit, are dropped and counted; the same for this process are served.",
  requirements = { "P30-305" }, wire = true, negative = true,
  run = function(t)
    local rank, _, stream = Receiver.set_up(t)
    local place = 0
    for _, member in ipairs { "nid", "pid", "gid", "rid" } do
      for _, bit in ipairs { 1, 1 << 20, 1 << 30 } do
        place = place + 1
        local target = { nid = rank.id.nid, pid = rank.id.pid, gid = rank.id.gid, rid = rank.id.rid }
        local message = { operation = place % 2 == 0 and "get" or "put", portal = Receiver.PORTAL,
          cookie = Receiver.COOKIE, md = 5, length = 0, mlength = 0, target = target }
        local wrong = Receiver.with_field(target, member, target[member] ~ bit)
        Receiver.discards(t, "P30-305", rank, stream, Receiver.with_field(message, "target", wrong),
          (member == "nid" or member == "pid") and "wrong-target" or "wrong-rank")
        Receiver.accepts(t, rank, stream, message)
      end
    end
  end,
}

case {
  id = "drop-counts-nothing-that-is-cut-to-nothing",
  title = "Puts and gets that are taken and cut, and their answers, are not counted as dropped",
  purpose = "Descriptors with PTL_MD_TRUNCATE and without memory, and with 16 octets, take acknowledged puts and gets of 40 and of 70,000 octets. Each is logged at both ends, and the drop count stays.",
  requirements = { "P30-322" },
  run = function(t)
    local rank = Descriptor.loopback(t)
    rank:eq("own-eq", 16)
    local options = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_TRUNCATE"
    rank:attach { start = "null", length = 0, options = options, eventq = "eq" }
    rank:attach { index = 1, me = "me1", md = "md1", region = "buf", length = 16,
      options = options .. "|PTL_MD_MANAGE_REMOTE", eventq = "eq" }
    rank:region("long", 70000)
    for length, portal in each { { 40, 0 }, { 70000, 0 }, { 40, 1 }, { 70000, 1 } } do
      rank:bind { region = "long", length = length, md = "long-md", eventq = "own-eq" }
      for verb, kind in each { { "put", "PTL_EVENT_PUT" }, { "get", "PTL_EVENT_GET" } } do
        local before = rank:drop_count()
        rank[verb](rank, { mem_desc = "long-md", target = rank, portal = portal,
          ack_req = verb == "put" and "PTL_ACK_REQ" or nil })
        t:event("P30-322", rank, "eq", { type = kind, rlength = length, mlength = 16 * portal })
        rank:collect("own-eq", verb == "put" and 2 or 1)
        t:flush(rank, rank)
        t:equal("P30-322", "messages dropped", rank:drop_count() - before, 0)
        rank:drain("own-eq")
      end
      rank:md_unlink { mem_desc = "long-md" }
    end
  end,
}
