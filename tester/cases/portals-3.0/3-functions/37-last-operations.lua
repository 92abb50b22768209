-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.7.1 and 3.7.2: what ends with a threshold and what does not, thresholds that are large, and operations
-- that move nothing. A process puts to itself.

defaults { suite = "memory-descriptors", chapter = "3.7", still = { "P32-141", "P32-142", "P32-214" } }

local PUT, GET, REMOTE, TRUNCATE = "PTL_MD_OP_PUT", "PTL_MD_OP_GET", "PTL_MD_MANAGE_REMOTE", "PTL_MD_TRUNCATE"
local loopback, put, current, refuses = Descriptor.loopback, Descriptor.put, Descriptor.current, Descriptor.refuses

case {
  id = "md-last-operation-is-whole",
  title = "The operation that uses up a descriptor is acknowledged, answered and logged as any other",
  purpose = "A descriptor with PTL_UNLINK and threshold one takes an acknowledged put, and another such one a get. Both ends have all their events and the data, and the descriptors are gone.",
  requirements = { "P30-011", "P30-022", "P30-171", "P30-214" },
  run = function(t)
    local rank = loopback(t)
    rank:eq("own-eq")
    rank:bind { region = "source", md = "own-md", eventq = "own-eq" }
    local function arm(options)
      rank:attach { unlink = "PTL_UNLINK", threshold = 1, md_unlink = "PTL_UNLINK", options = options, eventq = "eq" }
    end
    t:judging("P30-171")
    arm(PUT)
    put(rank, { mem_desc = "own-md", ack_req = "PTL_ACK_REQ" })
    t:equal("P30-171", "events of the put at its initiator", t.types((rank:collect("own-eq", 2))),
      { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
    t:event("P30-171", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40 })
    t:md_unlinked("P30-022", rank)
    t:judging("P30-011")
    arm(GET)
    rank:fill("buf", "mix/7")
    rank:get { mem_desc = "own-md", target = rank }
    t:event("P30-011", rank, "own-eq", { type = "PTL_EVENT_REPLY", mlength = 40 })
    t:octets("P30-011", "what the reply brought", rank, "source", "mix/7", 0, 40)
    t:event("P30-214", rank, "eq", { type = "PTL_EVENT_GET", mlength = 40 })
    t:md_unlinked("P30-022", rank)
  end,
}

case {
  id = "md-threshold-of-nothing",
  title = "Operations that move nothing count on the threshold as all others",
  purpose = "A descriptor of threshold 3 takes an empty put, a put that is cut to nothing and an empty get. Each lowers the threshold by one, and a fourth request is refused.",
  requirements = { "P30-141", "P30-142", "P30-143" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { start = "null", length = 0, threshold = 3, options = PUT .. "|" .. GET .. "|" .. TRUNCATE,
      eventq = "eq" }
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    t:judging("P30-142")
    put(rank, { mem_desc = "void-md" })
    t:event("P30-142", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 0, mlength = 0 })
    t:equal("P30-142", "threshold after an empty put", current(t, rank).threshold, 2)
    put(rank)
    t:event("P30-143", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 40, mlength = 0 })
    t:equal("P30-143", "threshold after a put that was cut to nothing", current(t, rank).threshold, 1)
    rank:get { mem_desc = "void-md", target = rank }
    t:event("P30-142", rank, "eq", { type = "PTL_EVENT_GET", rlength = 0, mlength = 0 })
    t:equal("P30-142", "threshold after an empty get", current(t, rank).threshold, 0)
    refuses(t, "P30-141", rank, { mem_desc = "void-md" })
  end,
}

case {
  id = "md-threshold-large",
  title = "A threshold of many thousands is kept as it is",
  purpose = "Descriptors are given thresholds around 2^15, 2^16 and 2^24. Each takes a put, and is one lower afterwards.",
  requirements = { "P30-141" },
  run = function(t)
    local rank = loopback(t)
    for _, threshold in ipairs { 127, 128, 255, 256, 32767, 32768, 65535, 65536, 65537, 1 << 24 } do
      rank:attach { threshold = threshold, options = PUT .. "|" .. REMOTE, eventq = "eq" }
      put(rank)
      t:event("P30-141", rank, "eq", { type = "PTL_EVENT_PUT" })
      t:equal("P30-141", "the threshold behind a put", current(t, rank).threshold, threshold - 1)
    end
  end,
}

case {
  id = "md-full-takes-nothing",
  title = "A region that is full accepts a request of zero octets",
  purpose = "A put of 40 octets fills a region of 40, by a local offset and at the end of a remote one. An empty put is taken there, without PTL_MD_TRUNCATE and with it.",
  requirements = { "P30-137" },
  run = function(t)
    local rank = loopback(t, 40)
    rank:bind { desc = "void", start = "null", length = 0, md = "void-md" }
    for _, more in ipairs { "", "|" .. TRUNCATE, "|" .. REMOTE, "|" .. REMOTE .. "|" .. TRUNCATE } do
      rank:attach { options = PUT .. more, eventq = "eq" }
      put(rank)
      t:event("P30-137", rank, "eq", { type = "PTL_EVENT_PUT", mlength = 40, offset = 0 })
      put(rank, { mem_desc = "void-md", offset = 40 })
      t:event("P30-137", rank, "eq", { type = "PTL_EVENT_PUT", rlength = 0, mlength = 0, offset = 40 })
      t:octets("P30-137", "the region", rank, "buf", "mix/1")
    end
  end,
}

case {
  id = "md-offset-of-a-fresh-descriptor",
  title = "The local offset of a descriptor that is made where another one was ended begins at zero",
  purpose = "Descriptors take a put of 40 octets each and are ended by call, by their entry, and by that put; the next one has its first put at zero each time.",
  requirements = { "P30-158" },
  run = function(t)
    local rank = loopback(t)
    for round, ending in ipairs { "call", "entry", "put", "call", "none" } do
      rank:fill("buf", "byte/0")
      rank:attach { options = PUT, eventq = "eq", threshold = ending == "put" and 1 or "inf", md_unlink = "PTL_UNLINK" }
      put(rank)
      t:event("P30-158", rank, "eq", { type = "PTL_EVENT_PUT", offset = 0, mlength = 40 })
      t:octets("P30-158", "what was put into descriptor " .. round, rank, "buf", "mix/1", 0, 40)
      if ending == "call" then
        rank:md_unlink {}
      elseif ending == "entry" then
        rank:me_unlink {}
      end
    end
  end,
}

case {
  id = "md-unlinked-though-made-inactive",
  title = "A descriptor that was made inactive is unlinked when it has been activated and used up",
  purpose = "A descriptor with PTL_UNLINK is attached with threshold zero and updated to two. The first put leaves it with one, the second one unlinks it, and with it its entry.",
  requirements = { "P30-022", "P30-023", "P30-179" },
  run = function(t)
    local rank = loopback(t)
    rank:attach { unlink = "PTL_UNLINK", threshold = 0, md_unlink = "PTL_UNLINK", options = PUT .. "|" .. REMOTE,
      eventq = "eq" }
    rank:md { name = "two", region = "buf", threshold = 2, options = PUT .. "|" .. REMOTE, eventq = "eq" }
    t:setup(rank:PtlMDUpdate { mem_desc = "md", new = "two" })
    put(rank)
    t:event("P30-179", rank, "eq", { type = "PTL_EVENT_PUT" })
    t:equal("P30-179", "the threshold behind the first put", current(t, rank).threshold, 1)
    put(rank)
    t:event("P30-179", rank, "eq", { type = "PTL_EVENT_PUT" })
    t:md_unlinked("P30-022", rank)
    t:me_unlinked("P30-023", rank)
  end,
}
