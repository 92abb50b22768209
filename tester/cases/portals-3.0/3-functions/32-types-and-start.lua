-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapters 3.2 to 3.4: base types, initialisation, process identification.

defaults { suite = "ids", chapter = "3.4", still = { "P32-045" } }

case {
  id = "types-sizes",
  title = "The base types have the properties that the document gives them",
  purpose = "Sizes are unsigned, match bits hold 64 bits, status values are signed and have at least 32 bits. The interpreter's compiler tells.",
  requirements = { "P30-045", "P30-052" }, suite = "types", chapter = "3.2", still = { "P32-045", "P33-052" },
  run = function(t)
    local facts = t.ranks[0]:describe()
    t:equal("P30-045", "ptl_size_t is signed", facts["ptl_size_t"].signed, false)
    t:equal_or_warn("P30-052", "ptl_sr_value_t is signed", facts["ptl_sr_value_t"].signed, true,
      Revision.name == "portals-3.3" and { [false] = "a known library of this revision has an unsigned one" } or {})
    t:check("P30-052", "ptl_sr_value_t has at least 32 bits", facts["ptl_sr_value_t"].octets >= 4, "4 octets or more",
      facts["ptl_sr_value_t"].octets)
  end,
}

case {
  id = "types-handles-to-any",
  title = "Every handle survives conversion to ptl_handle_any_t and back",
  purpose = "Handles of each kind are converted to the generic type and back; the result is the same and works.",
  requirements = { "P30-046" }, suite = "types", chapter = "3.2",
  run = function(t)
    local rank = t:open {}
    rank:eq("eq")
    rank:attach { octets = 16, eventq = "eq" }
    for _, handle in ipairs { "ni", "eq", "me", "md" } do
      t:equal("P30-046", handle .. " is the same afterwards", rank:roundtrip(handle, handle .. "-back"), true)
    end
    t:rc("P30-046", rank:PtlEQCount { eventq = "eq-back" }, "PTL_OK")
    t:rc("P30-046", rank:PtlMDUnlink { mem_desc = "md-back" }, "PTL_OK")
    t:rc("P30-046", rank:PtlMEUnlink { entry = "me-back" }, "PTL_OK")
    t:rc("P30-046", rank:PtlNIFini { interface = "ni-back" }, "PTL_OK")
  end,
}

case {
  id = "types-handle-knows-interface",
  title = "A handle tells the interface that its object belongs to",
  purpose = "PtlNIHandle gives the creating interface for entries, descriptors and queues, and an interface's handle for itself.",
  requirements = { "P30-048", "P30-101", "P30-102" }, suite = "types", chapter = "3.2",
  run = function(t)
    local rank = t:open {}
    rank:eq("eq")
    rank:attach { octets = 16, eventq = "eq" }
    rank:bind { md = "bound", region = "buf" }
    t:judging("P30-101")
    for _, handle in ipairs { "eq", "me", "md", "bound" } do
      t:rc("P30-101", rank:PtlNIHandle { handle = handle, interface = "of-" .. handle }, "PTL_OK")
      t:equal("P30-048", "the interface of " .. handle .. " is ni", rank:same("of-" .. handle, "ni"), true)
    end
    t:rc("P30-102", rank:PtlNIHandle { handle = "ni", interface = "of-ni" }, "PTL_OK")
    t:equal("P30-102", "the interface of ni is ni", rank:same("of-ni", "ni"), true)
  end,
}

case {
  id = "types-match-bits-64",
  title = "Match bits keep all of their 64 bits",
  purpose = "Entries that differ in the highest bit alone are told apart, and the event shows all 64 bits. So does each event of a put and of a get, at either end, for the highest bit alone, all of them and a pattern that differs in every octet.",
  requirements = { "P30-049" }, suite = "types", chapter = "3.2",
  run = function(t)
    local rank = t:open {}
    rank:eq("eq")
    rank:attach { octets = 16, match_bits = 0x7fffffffffffffff, me = "low", md = "low-md", eventq = "eq", user_ptr = 1 }
    rank:me_insert { match_bits = -1, current = "low", handle = "high" }
    rank:add_md { me = "high", md = "high-md", eventq = "eq", user_ptr = 2 }
    rank:bind { md = "out-md", length = 0 }
    rank:put { mem_desc = "out-md", target = rank, match_bits = -1 }
    local event = t:event("P30-049", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = -1 })
    t:equal("P30-049", "the entry that took all ones", event.mem_desc.user_ptr, 2)
    rank:put { mem_desc = "out-md", target = rank, match_bits = 0x7fffffffffffffff }
    event = t:event("P30-049", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = 0x7fffffffffffffff })
    t:equal("P30-049", "the entry that took all but the highest", event.mem_desc.user_ptr, 1)
    rank:eq("own")
    rank:bind { md = "own-md", length = 0, eventq = "own" }
    for _, bits in ipairs { 1 << 63, -1, 0x0123456789abcdef, 0x00000000ffffffff } do
      rank:attach { length = 0, index = 1, match_bits = bits, options = "PTL_MD_OP_PUT|PTL_MD_OP_GET", eventq = "eq" }
      rank:put { mem_desc = "own-md", target = rank, portal = 1, match_bits = bits, ack_req = "PTL_ACK_REQ" }
      t:event("P30-049", rank, "eq", { type = "PTL_EVENT_PUT", match_bits = bits })
      local told = rank:collect("own", 2)
      t:equal("P30-049", "events of the put", t.types(told), { "PTL_EVENT_ACK", "PTL_EVENT_SENT" })
      for _, one in ipairs(told) do
        t:equal("P30-049", "match bits of " .. one.type, t.hex(one.match_bits), t.hex(bits))
      end
      rank:get { mem_desc = "own-md", target = rank, portal = 1, match_bits = bits }
      t:event("P30-049", rank, "eq", { type = "PTL_EVENT_GET", match_bits = bits })
      t:event("P30-049", rank, "own", { type = "PTL_EVENT_REPLY", match_bits = bits })
    end
  end,
}

-- One call of every function but PtlInit and PtlFini, with arguments that would be fine after PtlInit. PtlFini returns
-- nothing (A60).
local BEFORE_INIT = {
  { "PtlGetId", {} }, { "PtlTransId", { id = { kind = "gid", gid = 0, rid = 0 } } }, { "PtlNIInit", {} },
  { "PtlNIFini", { interface = "zero" } }, { "PtlNIBarrier", { interface = "zero" } }, { "PtlNIStatus",
    { interface = "zero" } },
  { "PtlNIDist", { interface = "zero", process = { kind = "gid", gid = 0, rid = 0 } } }, { "PtlNIHandle",
    { handle = "zero" } },
  { "PtlMEAttach", { interface = "zero" } }, { "PtlMEInsert", { current = "zero" } }, { "PtlMEUnlink",
    { entry = "zero" } },
  { "PtlMDAttach", { match = "zero" } }, { "PtlMDInsert", { current = "zero" } }, { "PtlMDBind",
    { interface = "zero" } },
  { "PtlMDUnlink", { mem_desc = "zero" } }, { "PtlMDUpdate", { mem_desc = "zero" } }, { "PtlEQAlloc",
    { interface = "zero" } },
  { "PtlEQFree", { eventq = "zero" } }, { "PtlEQCount", { eventq = "zero" } }, { "PtlEQGet", { eventq = "zero" } },
  { "PtlEQWait", { eventq = "zero" } }, { "PtlACEntry", { interface = "zero" } },
  { "PtlPut", { mem_desc = "zero", target = { kind = "gid", gid = 0, rid = 0 } } },
  { "PtlGet", { mem_desc = "zero", target = { kind = "gid", gid = 0, rid = 0 } } },
}

case {
  id = "start-everything-needs-init",
  only = true,
  title = "Before PtlInit every function returns PTL_NOINIT",
  purpose = "Each of the 24 functions that return a code is called in a process that has not initialised the library.",
  requirements = { "P30-054", "P30-044" }, suite = "start", chapter = "3.3",
  run = function(t)
    local rank = t.ranks[0]
    rank:region("buf", 16)
    rank:md {}
    for _, row in ipairs(BEFORE_INIT) do
      local result = rank[row[1]](rank, row[2])
      t:rc(row[1] == "PtlACEntry" and "P30-044" or "P30-054", result, "PTL_NOINIT")
    end
  end,
}

case {
  id = "start-init",
  title = "PtlInit initialises the library",
  purpose = "It returns PTL_OK in every process of a job when all call it, and afterwards the other functions work. A second call is recorded: later texts let it succeed.",
  requirements = { "P30-053", "P30-055", "P30-056" }, suite = "start", chapter = "3.3", ranks = 3,
  run = function(t)
    t:judging("P30-056")
    local pending = {}
    for i = 0, 2 do pending[i] = t.ranks[i]:start_PtlInit() end
    for i = 0, 2 do t:rc("P30-056", pending[i]:finish(), "PTL_OK") end
    t:rc("P30-053", t.ranks[0]:PtlGetId(), "PTL_OK")
    t:reading("P30-055", "second_ptlinit", "a second PtlInit returns", t.ranks[0]:PtlInit().rc,
      { { "ok", "PTL_OK" }, { "fail", "PTL_FAIL" } })
    t:rc("P30-055", t.ranks[0]:PtlNIInit {}, "PTL_OK")
  end,
}

case {
  id = "start-init-succeeds",
  title = "PtlInit returns PTL_OK in every process",
  purpose = "Two ranks call it one right after the other, and each of them is told that it has succeeded.",
  requirements = { "P30-053" }, suite = "start", chapter = "3.3", ranks = 2,
  run = function(t)
    local first, second = t.ranks[0]:start_PtlInit(), t.ranks[1]:start_PtlInit()
    t:rc("P30-053", first:finish(), "PTL_OK")
    t:rc("P30-053", second:finish(), "PTL_OK")
  end,
}

case {
  id = "start-fini",
  title = "After PtlFini a process can exit in order, and the others are not affected",
  purpose = "A process with an open interface and live objects calls PtlFini and ends; nothing hangs, and two other processes go on exchanging messages.",
  requirements = { "P30-057" }, suite = "start", chapter = "3.3", ranks = 3,
  run = function(t)
    t:open {}
    for i = 0, 2 do
      t.ranks[i]:eq("eq")
      t.ranks[i]:attach { octets = 64, eventq = "eq", options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE" }
      t.ranks[i]:bind { desc = "nothing", length = 0, md = "out-md" }
    end
    t.ranks[0]:put { mem_desc = "out-md", target = t.ranks[1] }
    t.ranks[1]:put { mem_desc = "out-md", target = t.ranks[0] }
    t:sanity("both puts arrive", t.ranks[0]:wait().event ~= nil and t.ranks[1]:wait().event ~= nil)
    t:equal("P30-057", "PtlFini returns", t.ranks[0]:PtlFini().rc, "void")
    t.ranks[0]:quit()
    t:check("P30-057", "the process ends", t.ranks[0]:wait_end(5000) ~= nil, "the process has ended", "it still runs")
    for _, row in ipairs { { 1, 2 }, { 2, 1 } } do
      local from, to = t.ranks[row[1]], t.ranks[row[2]]
      t:rc("P30-057", from:PtlPut { mem_desc = "out-md", target = to }, "PTL_OK")
      t:event("P30-057", to, "eq", { type = "PTL_EVENT_PUT", initiator = from.id })
    end
    t:equal("P30-057", "PtlFini returns in another process", t.ranks[1]:PtlFini().rc, "void")
    t:equal("P30-057", "PtlFini returns in the last process", t.ranks[2]:PtlFini().rc, "void")
  end,
}

for of, count in each { { "", 4 }, { "-of-one", 1 }, { "-of-six", 6 } } do
  case {
    id = "ids-distinct" .. of,
    title = "Every process has a unique id in both addressings",
    purpose = "The processes of a job of " .. count .. ": node and process id distinct, one group, ranks from 0, and "
      .. "the group size.",
    requirements = { "P30-058", "P30-059", "P30-060", "P30-065", "P30-066" }, ranks = count,
    run = function(t)
      local pending, ranks, addresses, all, gid = {}, {}, {}, {}, nil
      for i = 0, count - 1 do pending[i] = t.ranks[i]:start_PtlInit() end
      for i = 0, count - 1 do t:setup(pending[i]:finish()) end
      t:judging("P30-065")
      for i = 0, count - 1 do
        local result = t.ranks[i]:PtlGetId()
        t:rc("P30-065", result, "PTL_OK")
        t:equal("P30-060", "addr_kind of the id of a rank", result.id.kind, "both")
        t:equal("P30-066", "group size", result.gsize, count)
        gid = gid or result.id.gid
        t:equal("P30-059", "group id", result.id.gid, gid)
        ranks[result.id.rid] = true
        local address = result.id.nid .. "/" .. result.id.pid
        t:check("P30-058", "node and process id are unique", not addresses[address], "no other process has it", address)
        addresses[address] = true
      end
      for i = 0, count - 1 do all[i] = true end
      t:equal("P30-059", "rank ids", ranks, all)
    end,
  }
end

case {
  id = "ids-self-put",
  title = "The id that PtlGetId gives reaches the process itself",
  purpose = "A put to the own id, in each addressing, arrives and shows all four ids of its initiator.",
  requirements = { "P30-062", "P30-063", "P30-061", "P30-269", "P30-065" },
  run = function(t)
    local rank = t:open {}
    rank:eq("eq")
    rank:attach { octets = 64, eventq = "eq" }
    rank:bind { region = "out", octets = 16, fill = "mix/3", md = "out-md" }
    t:judging("P30-269")
    rank:put { mem_desc = "out-md", target = t.nid(rank.id) }
    local event = t:event("P30-062", rank, "eq", { type = "PTL_EVENT_PUT" })
    t:equal("P30-061", "initiator", event.initiator, rank.id)
    rank:put { mem_desc = "out-md", target = t.gid(rank.id) }
    event = t:event("P30-063", rank, "eq", { type = "PTL_EVENT_PUT" })
    t:equal("P30-065", "initiator", event.initiator, rank.id)
    t:octets("P30-269", "the data arrived", rank, "buf", "mix/3", 16, 16)
  end,
}

case {
  id = "ids-addressings-between-ranks",
  title = "A process can be named in either addressing, and the members of the other one do not count",
  purpose = "Puts to rank 1 by node and process id and by group and rank id; the interpreter fills the other members with rubbish.",
  requirements = { "P30-062", "P30-063", "P30-061", "P30-003" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:eq("eq")
    to:attach { octets = 64, eventq = "eq" }
    from:bind { region = "out", octets = 16, fill = "mix/3", md = "out-md" }
    t:judging("P30-003")
    t:rc("P30-003", from:PtlPut { mem_desc = "out-md", target = t.nid(to.id) }, "PTL_OK")
    local event = t:event("P30-062", to, "eq", { type = "PTL_EVENT_PUT" })
    t:equal("P30-061", "initiator", event.initiator, from.id)
    from:put { mem_desc = "out-md", target = t.gid(to.id) }
    t:event("P30-063", to, "eq", { type = "PTL_EVENT_PUT", initiator = from.id })
  end,
}

case {
  id = "ids-both-as-input",
  title = "An id with PTL_ADDR_BOTH as an argument",
  purpose = "The text does not allow it, its own example in 5.3 passes one. Acceptance is the reading taken; PTL_INV_PROC is the strict one.",
  requirements = { "P30-064" },
  run = function(t)
    local rank = t:open {}
    rank:bind { md = "out-md", length = 0 }
    t:reading("P30-064", "both_addresses_as_input", "PtlPut to an id with PTL_ADDR_BOTH returns",
      rank:PtlPut { mem_desc = "out-md", target = rank.id }.rc,
      { { "accept", "PTL_OK" }, { "refuse", "PTL_INV_PROC" } })
  end,
}

case {
  id = "ids-translation",
  title = "PtlTransId translates every member of the group in both directions",
  purpose = "From group and rank to node and process and back, compared with what PtlGetId said in each process.",
  requirements = { "P30-068", "P30-069", "P30-060" }, ranks = 3,
  run = function(t)
    t:init()
    for i = 0, 2 do
      for j = 0, 2 do
        local id = t.ranks[j].id
        local result = t.ranks[i]:PtlTransId { id = t.gid(id) }
        t:rc("P30-068", result, "PTL_OK")
        t:equal("P30-068", "rank " .. j .. " by its rank", result.id, id)
        t:equal("P30-060", "addr_kind", result.id.kind, "both")
        result = t.ranks[i]:PtlTransId { id = t.nid(id) }
        t:rc("P30-069", result, "PTL_OK")
        t:equal("P30-069", "rank " .. j .. " by its address", result.id, id)
        result = t.ranks[i]:PtlTransId { id = id } -- which may be refused
        if result.rc == "PTL_OK" then t:equal("P30-060", "rank " .. j .. " by both pairs", result.id, id) end
      end
    end
  end,
}

case {
  id = "ids-translation-unknown",
  title = "PtlTransId reports an id that it cannot translate",
  purpose = "A rank as large as the group, another group and wildcards for each member of either pair give PTL_ADDR_UNKNOWN, and so does an address that nobody has, unless the implementor has a translation for it: then it is that of no member.",
  requirements = { "P30-070" }, ranks = 2,
  run = function(t)
    t:init()
    local rank, id = t.ranks[0], t.ranks[0].id
    t:rc("P30-070", rank:PtlTransId { id = { kind = "gid", gid = id.gid, rid = 2 } }, "PTL_ADDR_UNKNOWN")
    for _, several in ipairs {
      { kind = "gid", gid = id.gid, rid = "any" }, { kind = "gid", gid = "any", rid = id.rid }, t.any_gid,
      { kind = "nid", nid = id.nid, pid = "any" }, { kind = "nid", nid = "any", pid = id.pid }, t.any_nid,
    } do
      t:rc("P30-070", rank:PtlTransId { id = several }, "PTL_ADDR_UNKNOWN")
    end
    t:rc("P30-070", rank:PtlTransId { id = { kind = "gid", gid = (id.gid + 1) & 0x7fffffff, rid = 0 } },
      "PTL_ADDR_UNKNOWN")
    local other = t.ranks[1].id
    for _, nobody in ipairs {
      { kind = "nid", nid = id.nid, pid = rank:largest("ptl_id_t", 0xfffffff) },
      { kind = "nid", nid = id.nid ~ rank:id_bit(0x100000), pid = id.pid },
      { kind = "nid", nid = id.nid ~ rank:id_bit(0x100000), pid = other.pid },
    } do
      local result = rank:PtlTransId { id = nobody }
      if result.rc == "PTL_OK" then
        local found = result.id
        local same = found.kind == "both" and found.nid == nobody.nid and found.pid == nobody.pid
        t:check("P30-070", "the translation of an address that nobody has", same and found.gid ~= id.gid,
          "the address, and another group", found)
      else
        t:rc("P30-070", result, "PTL_ADDR_UNKNOWN")
      end
    end
  end,
}

case {
  id = "ids-null-addresses",
  title = "PtlGetId and PtlTransId refuse invalid addresses",
  purpose = "NULL and, where the system can tell, an address without memory, for each output.",
  requirements = { "P30-067", "P30-073" },
  run = function(t)
    local rank = t:init()
    t:rc("P30-067", rank:PtlGetId { id = "null" }, "PTL_SEGV")
    t:rc("P30-067", rank:PtlGetId { gsize = "null" }, "PTL_SEGV")
    t:judging("P30-073")
    t:rc("P30-073", rank:PtlTransId { id = "null" }, "PTL_SEGV")
  end,
}

case {
  id = "types-handles-of-two-interfaces",
  title = "Handles of the objects of two interfaces tell which of them it was",
  purpose = "Two interfaces have a queue, two entries, a descriptor that is attached and two that are bound, made in turn. Each handle gives its own interface, also when objects of the other one have gone.",
  requirements = { "P30-048" }, suite = "types", chapter = "3.2",
  run = function(t)
    local rank = t:open {}
    rank:ni_init { interface = 1, handle = "ni1" }
    rank:region("buf", 16)
    local kinds = { "-eq", "-me", "-md", "-me2", "-bound", "-idle" }
    for _, ni in ipairs { "ni", "ni1" } do rank:eq_alloc { interface = ni, handle = ni .. "-eq" } end
    for _, ni in ipairs { "ni1", "ni" } do
      rank:attach { interface = ni, me = ni .. "-me", md = ni .. "-md", eventq = ni .. "-eq" }
      rank:me_insert { current = ni .. "-me", handle = ni .. "-me2" }
    end
    for _, ni in ipairs { "ni", "ni1" } do
      rank:bind { interface = ni, md = ni .. "-bound", eventq = ni .. "-eq" }
      rank:bind { interface = ni, md = ni .. "-idle", threshold = 0 }
    end
    local function look(ni)
      for _, kind in ipairs(kinds) do
        t:rc("P30-048", rank:PtlNIHandle { handle = ni .. kind, interface = "found" }, "PTL_OK")
        t:equal("P30-048", "the interface of " .. ni .. kind .. " is " .. ni, rank:same("found", ni), true)
      end
    end
    look("ni")
    look("ni1")
    for _, md in ipairs { "ni-bound", "ni-md" } do rank:md_unlink { mem_desc = md } end
    look("ni1")
  end,
}
