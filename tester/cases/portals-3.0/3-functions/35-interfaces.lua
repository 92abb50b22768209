-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.5: network interfaces: opening, closing, barrier, status registers, distance, and the handle of a handle.

defaults { suite = "interfaces", chapter = "3.5", still = { "P32-076" } }

local UNKNOWN_KIND = { kind = "kind", number = 99, nid = 1, pid = 1, gid = 1, rid = 1 }

case {
  id = "ni-default",
  title = "PTL_IFACE_DEFAULT opens the default interface",
  purpose = "The call succeeds, the drop count register exists and is zero, and the handle is good for other calls.",
  requirements = { "P30-050", "P30-051", "P30-086" },
  run = function(t)
    local rank = t:init()
    t:rc("P30-050", rank:PtlNIInit { interface = "default" }, "PTL_OK")
    local result = rank:PtlNIStatus { register = "PTL_SR_DROP_COUNT" }
    t:rc("P30-051", result, "PTL_OK")
    t:equal("P30-086", "drop count of a fresh interface", result.status, 0)
    t:rc("P30-050", rank:PtlEQAlloc {}, "PTL_OK")
  end,
}

case {
  id = "ni-default-everywhere",
  title = "Every process has a default interface, and the default interfaces of a job reach each other",
  purpose = "Each of three ranks opens PTL_IFACE_DEFAULT and puts to the next one over it.",
  requirements = { "P30-050" }, chapter = "3.2", ranks = 3,
  run = function(t)
    t:init()
    for i = 0, 2 do
      local rank = t.ranks[i]
      t:rc("P30-050", rank:PtlNIInit { interface = "default" }, "PTL_OK")
      rank:eq("eq")
      rank:attach { eventq = "eq", start = "null", length = 0 }
      rank:bind { desc = "nothing", start = "null", length = 0, md = "out-md" }
    end
    for i = 0, 2 do
      local from, to = t.ranks[i], t.ranks[(i + 1) % 3]
      t:rc("P30-050", from:PtlPut { mem_desc = "out-md", target = to }, "PTL_OK")
      t:event("P30-050", to, "eq", { type = "PTL_EVENT_PUT", initiator = from.id })
    end
  end,
}

case {
  id = "ni-portal-table-size",
  title = "The portal table has exactly as many entries as were asked for",
  purpose = "With a size of 5 the indexes 0 to 4 can be attached to and 5 cannot; the same with a table of one. A system that has no table of 5, such as one whose sizes are powers of two, is asked for one of 4.",
  requirements = { "P30-076", "P30-117" },
  run = function(t)
    local rank = t:init()
    for _, size in ipairs { 5, 1 } do
      if size == 5 and rank:PtlNIInit { ptl_size = size }.rc ~= "PTL_OK" then size = 4 end
      if size ~= 5 then rank:ni_init { ptl_size = size } end
      size = rank:granted("ptl_size", size)
      t:skip_if(size > 4096, "the table is so large that its end is not looked for")
      for index = math.max(0, size - 5), size - 1 do t:rc("P30-076", rank:PtlMEAttach { index = index }, "PTL_OK") end
      t:rc("P30-117", rank:PtlMEAttach { index = size }, "PTL_INV_PTINDEX")
      t:rc("P30-117", rank:PtlMEAttach { index = rank:largest("ptl_pt_index_t") }, "PTL_INV_PTINDEX")
      rank:ni_fini {}
    end
  end,
}

-- Numbers that name nothing: the largest that a type can say, and some that differ from small ones in higher octets.
local function far_numbers(rank, type)
  local most = rank:largest(type)
  local numbers = { most }
  for _, number in ipairs { 0x7fff, 0x100, 0x101, 0x10000, 0x10001, 0x1000000 } do
    if number < most then numbers[#numbers + 1] = number end
  end
  return numbers
end

-- A table of the largest size that its type can say is refused, and nothing is open then; that of a narrow type may be
-- had.
local function beyond_reason(t, rank, req, size, type, code)
  local most = rank:largest(type)
  local result = rank:PtlNIInit { [size] = most }
  t:rc(req, result, { code, "PTL_NOSPACE", most < 0x7fffffff and "PTL_OK" or nil })
  if result.rc ~= "PTL_OK" then t:rc(req, rank:PtlNIInit {}, "PTL_OK") end
  rank:ni_fini {}
end

case {
  id = "ni-init-errors",
  title = "PtlNIInit has a return code of its own for each kind of bad argument",
  purpose = "A second initialisation, an interface that does not exist, sizes beyond all reason, and an output address that is none; each by a process that has opened nothing before.",
  requirements = { "P30-078", "P30-079", "P30-080", "P30-081", "P30-083" }, ranks = 3,
  run = function(t)
    local rank, portals, access = t:init()
    t:judging("P30-079")
    t:rc("P30-079", rank:PtlNIInit { interface = 99 }, "PTL_INIT_INV")
    beyond_reason(t, portals, "P30-080", "ptl_size", "ptl_pt_index_t", "PTL_INV_PSIZE")
    beyond_reason(t, access, "P30-081", "acl_size", "ptl_ac_index_t", "PTL_INV_ASIZE")
    t:judging("P30-083")
    local nowhere = rank:PtlNIInit { handle = "null" }
    t:skip_if(nowhere.beyond, nowhere.beyond)
    t:rc("P30-083", nowhere, "PTL_SEGV")
    t:rc("P30-078", rank:PtlNIInit {}, "PTL_OK")
    local again = rank:PtlNIInit { handle = "ni2" }
    t:reading("P30-078", "duplicate_interface", "a second PtlNIInit of the same interface returns", again.rc,
      { { "refuse", "PTL_INIT_DUP" }, { "same_handle", "PTL_OK" } })
  end,
}

case {
  id = "ni-far-numbers",
  title = "PtlNIInit refuses numbers that are far from those of any interface",
  purpose = "Numbers that differ from small ones only in their higher octets, as far as ptl_interface_t can say them; the default interface can be opened afterwards.",
  requirements = { "P30-079" },
  run = function(t)
    local rank = t:init()
    for _, number in ipairs(far_numbers(rank, "ptl_interface_t")) do
      t:rc("P30-079", rank:PtlNIInit { interface = number }, "PTL_INIT_INV")
    end
    t:rc("P30-079", rank:PtlNIInit {}, "PTL_OK")
  end,
}

case {
  id = "ni-fini",
  title = "PtlNIFini releases the interface, and it can be opened again",
  purpose = "The handle and the handles of its objects are dead afterwards; a new initialisation has an empty portal table and works; it counts from zero, or, with a warning, goes on counting.",
  requirements = { "P30-087", "P30-088", "P30-085", "P30-086" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:eq("eq")
    to:attach { octets = 64, eventq = "eq" }
    from:bind { region = "out", octets = 16, fill = "mix/3", md = "out-md" }
    local before = to:drop_count()
    for _ = 1, 3 do from:put { mem_desc = "out-md", target = to, portal = 1 } end
    t:sanity("puts that nobody takes are counted", to:wait_drop_count(before + 3) == before + 3)
    t:rc("P30-087", to:PtlNIFini {}, "PTL_OK")
    t:rc("P30-088", to:PtlNIFini {}, "PTL_INV_NI")
    t:rc("P30-087", to:PtlNIStatus {}, "PTL_INV_NI")
    t:rc("P30-087", to:PtlMEUnlink {}, "PTL_INV_ME")
    t:skip_if(not t:opens_again("P30-087", to, { handle = "again" }), "a process opens an interface once only")
    t:refused("P30-088", to, "PtlNIFini", "interface", "ni", "PTL_INV_NI", { "again" })
    local count = to:drop_count("again")
    t:equal_or_warn("P30-086", "the drop count of the interface that was opened again", count, 0,
      { [3] = "the count of the process goes on: nothing says when it is reset (A104)" })
    from:put { mem_desc = "out-md", target = to }
    t:drops("P30-085", to, count, 1, nil, "again")
    t:octets("P30-085", "memory of the interface that was closed", to, "buf", "byte/0")
  end,
}

case {
  id = "ni-fresh-table-empty",
  title = "The portal table of a fresh interface is empty",
  purpose = "A put to each index is dropped and counted.",
  requirements = { "P30-085", "P30-092", "P30-093", "P30-321" }, ranks = 2,
  run = function(t)
    local from, to = t:open { ptl_size = 8 }
    from:bind { region = "out", octets = 16, fill = "mix/3", md = "out-md" }
    local before, own_before = to:drop_count(), from:drop_count()
    for index = 0, 7 do
      from:put { mem_desc = "out-md", target = to, portal = index }
      t:drops("P30-092", to, before + index, 1)
      t:equal("P30-093", "dropped requests, read once more", to:drop_count() - before, index + 1)
    end
    t:equal("P30-085", "dropped requests", to:drop_count() - before, 8)
    t:equal("P30-321", "dropped requests of the initiator", from:drop_count() - own_before, 0)
  end,
}

case {
  id = "ni-reopened-table-empty",
  title = "The portal table of an interface that is opened again is empty",
  purpose = "On a fresh interface a put to each of four portals is discarded and counted. Then each gets an entry, the interface is closed and opened again, and the four puts are discarded and counted as before.",
  requirements = { "P30-085" }, ranks = 2,
  run = function(t)
    local from, to = t:open { ptl_size = 4 }
    from:bind { region = "out", octets = 16, fill = "mix/3", md = "out-md" }
    to:region("buf", 16)
    for round = 1, 2 do
      local before = to:drop_count() -- a second opening may go on counting: A104
      for portal = 0, 3 do
        from:put { mem_desc = "out-md", target = to, portal = portal }
        t:drops("P30-085", to, before + portal, 1)
      end
      if round == 1 then
        for portal = 0, 3 do to:attach { index = portal, options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE" } end
        to:ni_fini {}
        to:ni_init { ptl_size = 4 }
      end
    end
    t:octets("P30-085", "the memory of the interface that was closed", to, "buf", "byte/0")
  end,
}

case {
  id = "ni-opens-without-the-others",
  title = "PtlNIInit needs no other process",
  purpose = "Of two ranks one initialises its interface alone. The call returns, although the other has not come. The document recommends that; a call that waits for the other gives a warning.",
  requirements = { "P30-084" }, ranks = 2,
  run = function(t)
    local rank, other = t:init()
    local pending, patience = rank:start_PtlNIInit {}, t:now() + 5000
    repeat
      other:compute(1)
    until pending:done() or t:now() > patience
    t:should("P30-084", "PtlNIInit returns before another process calls it", pending:done(), true)
    t:rc("P30-084", other:PtlNIInit {}, "PTL_OK")
    t:rc("P30-084", pending:finish(), "PTL_OK")
  end,
}

case {
  id = "ni-barrier",
  title = "No process leaves the barrier before the last has entered it",
  purpose = "Twenty rounds: all ranks but one enter; none may be out while the last one has not entered. The order of entering changes.",
  requirements = { "P30-090" }, ranks = 4,
  run = function(t)
    t:open {}
    for round = 1, 20 do
      local last = t.random(4) - 1
      local pending = {}
      for i = 0, 3 do
        if i ~= last then pending[#pending + 1] = t.ranks[i]:start_PtlNIBarrier {} end
      end
      t.ranks[last]:pause(10) -- what leaves too early is out by then, if not in this round then in another
      for _, waiting in ipairs(pending) do
        t:check("P30-090", "nobody is out before rank " .. last .. " is in", not waiting:done(), "inside", "outside")
      end
      pending[#pending + 1] = t.ranks[last]:start_PtlNIBarrier {}
      for _, waiting in ipairs(pending) do t:rc("P30-090", waiting:finish(), "PTL_OK") end
    end
  end,
}

case {
  id = "ni-barrier-drops-nothing",
  title = "A barrier is no request that is dropped",
  purpose = "Five barriers of four processes, entered in changing order; the drop count of each is what it was.",
  requirements = { "P30-090", "P30-092" }, ranks = 4,
  run = function(t)
    t:open {}
    local before = {}
    for i = 0, 3 do before[i] = t.ranks[i]:drop_count() end
    for round = 1, 5 do
      local pending = {}
      for i = 0, 3 do
        pending[#pending + 1] = t.ranks[(round + i) % 4]:start_PtlNIBarrier {}
      end
      for _, waiting in ipairs(pending) do t:rc("P30-090", waiting:finish(), "PTL_OK") end
    end
    for i = 0, 3 do
      t:equal("P30-092", "rank " .. i .. ": requests dropped in barriers", t.ranks[i]:drop_count() - before[i], 0)
    end
  end,
}

case {
  id = "ni-barrier-invalid",
  title = "PtlNIBarrier refuses a handle that is not an interface's",
  purpose = "The handle of an event queue, and the handle of an interface that was closed, also when it is open again.",
  requirements = { "P30-091" },
  run = function(t)
    local rank = t:open {}
    rank:eq("eq")
    if not rank:same("eq", "ni") then -- handles of two types may be alike
      t:rc("P30-091", rank:PtlNIBarrier { interface = "eq" }, "PTL_INV_NI")
    end
    rank:ni_fini {}
    t:rc("P30-091", rank:PtlNIBarrier {}, "PTL_INV_NI")
    t:refused_when_opened_again("P30-091", rank, "PtlNIBarrier")
  end,
}

case {
  id = "ni-status-errors",
  title = "PtlNIStatus has a return code of its own for each kind of bad argument",
  purpose = "An unknown register, an output address that is none, and the handle of an interface that was closed, also when it is open again.",
  requirements = { "P30-094", "P30-095", "P30-096" },
  run = function(t)
    local rank = t:open {}
    for _, register in ipairs(far_numbers(rank, "ptl_sr_index_t")) do
      t:rc("P30-094", rank:PtlNIStatus { register = register }, "PTL_INV_SR_INDX")
    end
    t:judging("P30-096")
    t:rc("P30-096", rank:PtlNIStatus { status = "null" }, "PTL_SEGV")
    rank:ni_fini {}
    t:rc("P30-095", rank:PtlNIStatus {}, "PTL_INV_NI")
    t:refused_when_opened_again("P30-095", rank, "PtlNIStatus")
  end,
}

case {
  id = "ni-distance",
  title = "PtlNIDist gives a distance that does not change",
  purpose = "To itself and to each peer, by either pair of ids, from either of them: finite, not negative, and the same after traffic and after a put that was dropped. That it stays the same is recommended; another distance gives a warning.",
  requirements = { "P30-097", "P30-098" }, ranks = 2,
  run = function(t)
    local rank, other = t:open {}
    other:attach { octets = 4096, options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE" }
    rank:eq("eq", 64)
    rank:bind { region = "out", octets = 4096, md = "out-md", eventq = "eq" }
    local function distance(target)
      local result = rank:PtlNIDist { process = target }
      t:rc("P30-097", result, "PTL_OK")
      local value = tonumber(result.distance)
      t:check("P30-097", "the distance is a finite number that is not negative",
        value and value >= 0 and value < math.huge, "0 or more", tostring(result.distance))
      return value
    end
    for _, by in ipairs { t.gid, t.nid } do
      distance(by(rank.id))
      distance(by(other.id))
    end
    local near, far = distance(rank), distance(other)
    for _ = 1, 20 do rank:put { mem_desc = "out-md", target = other } end
    t:should("P30-098", "distance to itself during traffic", distance(rank), near)
    t:should("P30-098", "distance to the other rank during traffic", distance(other), far)
    local before = rank:drop_count()
    rank:put { mem_desc = "out-md", target = rank }
    t:sanity("a put that nobody takes is counted", rank:wait_drop_count(before + 1) == before + 1)
    t:should("P30-098", "distance to the other rank after a put that was dropped", distance(other), far)
  end,
}

case {
  id = "ni-distance-errors",
  title = "PtlNIDist has a return code of its own for each kind of bad argument",
  purpose = "A rank that does not exist, any rank of the own group, any process of the own node, an id of no kind, an output address that is none, and the handle of an interface that was closed, also when it is open again.",
  requirements = { "P30-099", "P30-100" },
  run = function(t)
    local rank = t:open {}
    t:rc("P30-099", rank:PtlNIDist { process = { kind = "gid", gid = rank.id.gid, rid = 1 } }, "PTL_INV_PROC")
    for _, several in ipairs { { kind = "gid", gid = rank.id.gid, rid = "any" },
      { kind = "gid", gid = "any", rid = rank.id.rid }, { kind = "nid", nid = "any", pid = rank.id.pid },
      { kind = "nid", nid = rank.id.nid, pid = "any" }, t.any_gid, t.any_nid,
      { kind = "both", nid = rank.id.nid, pid = rank.id.pid, gid = rank.id.gid, rid = "any" },
      { kind = "both", nid = rank.id.nid, pid = "any", gid = rank.id.gid, rid = rank.id.rid } } do
      t:rc("P30-099", rank:PtlNIDist { process = several }, "PTL_INV_PROC")
    end
    local id = rank.id
    for _, strange in ipairs { UNKNOWN_KIND,
      { kind = "kind", number = 99, nid = id.nid, pid = id.pid, gid = id.gid, rid = id.rid } } do
      t:rc("P30-099", rank:PtlNIDist { process = strange }, "PTL_INV_PROC")
    end
    t:judging("P30-100")
    t:rc("P30-100", rank:PtlNIDist { process = rank, distance = "null" }, "PTL_SEGV")
    rank:ni_fini {}
    t:rc("P30-100", rank:PtlNIDist { process = rank }, "PTL_INV_NI")
    t:refused_when_opened_again("P30-100", rank, "PtlNIDist", { process = rank })
  end,
}

case {
  id = "ni-handle-errors",
  title = "PtlNIHandle refuses handles that refer to no object",
  purpose = "Handles of objects that are gone, also of an interface that was closed when it is open again, and an output address that is none.",
  requirements = { "P30-103", "P30-104" },
  run = function(t)
    local rank = t:open {}
    rank:eq("eq")
    rank:region("buf", 16)
    rank:attach {}
    t:judging("P30-104")
    t:rc("P30-104", rank:PtlNIHandle { handle = "me", interface = "null" }, "PTL_SEGV")
    rank:me_unlink {}
    rank:eq_free {}
    for _, gone in ipairs { "me", "md", "eq" } do
      if not rank:same(gone, "ni") then -- handles of two types may be alike
        t:rc("P30-103", rank:PtlNIHandle { handle = gone }, "PTL_INV_HANDLE")
      end
    end
    rank:ni_fini {}
    t:rc("P30-103", rank:PtlNIHandle { handle = "ni" }, "PTL_INV_HANDLE")
    if rank:PtlNIInit { handle = "again" }.rc == "PTL_OK" and not rank:same("ni", "again") then
      t:rc("P30-103", rank:PtlNIHandle { handle = "ni" }, "PTL_INV_HANDLE")
    end
  end,
}

case {
  id = "ni-handle-of-each-object",
  title = "PtlNIHandle tells the interface of every object, also where there are several",
  purpose = "Two interfaces have an entry, an attached and a bound descriptor, others in front of the attached one and behind it, and a queue each. For each of them, and for the interfaces, the handle of the right interface is delivered.",
  requirements = { "P30-101" },
  run = function(t)
    local rank = t:open {}
    rank:ni_init { interface = 1, handle = "ni1" }
    rank:region("buf", 16)
    for _, ni in ipairs { "ni", "ni1" } do
      rank:eq_alloc { interface = ni, handle = ni .. "-eq" }
      rank:attach { interface = ni, me = ni .. "-me", md = ni .. "-md", eventq = ni .. "-eq" }
      rank:bind { interface = ni, md = ni .. "-bound" }
      if Revision.name == "portals-3.0" then -- later ones have no PtlMDInsert
        rank:md {}
        for _, place in ipairs { "BEFORE", "AFTER" } do
          rank:md_insert { current = ni .. "-md", position = "PTL_INS_" .. place, handle = ni .. "-" .. place:lower() }
        end
      end
    end
    for _, ni in ipairs { "ni", "ni1" } do
      for _, object in ipairs { "-eq", "-me", "-md", "-bound", "",
        table.unpack(Revision.name == "portals-3.0" and { "-before", "-after" } or {}) } do
        t:rc("P30-101", rank:PtlNIHandle { handle = ni .. object, interface = "found" }, "PTL_OK")
        t:equal("P30-101", "the interface of " .. ni .. object .. " is " .. ni, rank:same("found", ni), true)
      end
    end
    t:equal("P30-101", "the two interfaces have the same handle", rank:same("ni", "ni1"), false)
  end,
}

case {
  id = "ni-objects-belong-to-it",
  title = "A descriptor cannot use an event queue of another interface",
  purpose = "PtlMDAttach, PtlMDBind, PtlMDInsert and PtlMDUpdate refuse such a descriptor with PTL_ILL_MD, at the first interface and at the second one.",
  requirements = { "P30-075", "P30-185" },
  run = function(t)
    local rank = t:open {}
    rank:ni_init { interface = 1, handle = "ni1" }
    rank:eq_alloc { interface = "ni1", handle = "eq1" }
    rank:region("buf", 16)
    rank:me_attach {}
    rank:md { eventq = "eq1" }
    t:rc("P30-185", rank:PtlMDAttach {}, "PTL_ILL_MD")
    t:rc("P30-075", rank:PtlMDBind {}, "PTL_ILL_MD")
    t:rc("P30-075", rank:PtlMDBind { interface = "ni1" }, "PTL_OK")
    rank:eq("eq")
    for own, foreign, portal in each { { "ni", "eq1", 1 }, { "ni1", "eq", 2 } } do
      rank:me_attach { interface = own, index = portal, handle = own .. "-me" }
      rank:md {}
      rank:md_attach { match = own .. "-me", handle = own .. "-md" }
      rank:md { eventq = foreign }
      if Revision.name == "portals-3.0" then -- later ones have no PtlMDInsert
        t:rc("P30-075", rank:PtlMDInsert { current = own .. "-md", handle = "wrong" }, "PTL_ILL_MD")
      end
      t:rc("P30-075", rank:PtlMDUpdate { mem_desc = own .. "-md", new = "desc" }, "PTL_ILL_MD")
    end
  end,
}

case {
  id = "ni-bound-descriptors-belong-to-it",
  title = "A descriptor that is bound cannot use an event queue of another interface, and can use one of its own",
  purpose = "Each of two interfaces has a queue; PtlMDBind at each refuses the other's with PTL_ILL_MD and takes its own.",
  requirements = { "P30-075" },
  run = function(t)
    local rank = t:open {}
    rank:ni_init { interface = 1, handle = "ni1" }
    rank:eq_alloc { handle = "eq-ni" }
    rank:eq_alloc { interface = "ni1", handle = "eq-ni1" }
    rank:region("buf", 16)
    for own, other in each { { "ni", "ni1" }, { "ni1", "ni" } } do
      rank:md { eventq = "eq-" .. other }
      t:rc("P30-075", rank:PtlMDBind { interface = own }, "PTL_ILL_MD")
      rank:md { eventq = "eq-" .. own }
      t:rc("P30-075", rank:PtlMDBind { interface = own }, "PTL_OK")
    end
  end,
}

case {
  id = "ni-traffic-during-fini",
  title = "After an interface is closed while messages arrive, its former memory is not written",
  purpose = "A peer keeps putting while the interface is closed. What PtlNIFini left in the memory must stay, guard pages around it included.",
  requirements = { "P30-089" }, ranks = 2,
  run = function(t)
    local from, to = t:open {}
    to:attach { octets = 4096, guard = "after", options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE", length = 4096 }
    from:bind { region = "out", octets = 4096, fill = "mix/3", md = "out-md" }
    local flood = from:start_batch(300, { { "PtlPut", { mem_desc = "out-md", ack_req = "PTL_NOACK_REQ",
      target = t.gid(to.id), portal = 0, cookie = 0, match_bits = 0, offset = 0 } } })
    t:rc("P30-089", to:PtlNIFini {}, "PTL_OK")
    to:fill("buf", "byte/90")
    t:sanity("all puts of the flood were called", flood:finish().runs == 300)
    from:eq("sent-eq")
    from:bind { region = "out", md = "late-md", eventq = "sent-eq" }
    from:put { mem_desc = "late-md", target = to }
    t:sanity("a put to the closed interface was sent", from:wait("sent-eq").event ~= nil)
    t:equal("P30-089", "the memory shows what was put behind the flood",
      to:wait_octet("buf", 0, t.mix(3, 1):byte(), 300), false)
    t:octets("P30-089", "the memory after the interface was closed", to, "buf", "byte/90")
    if not t:opens_again("P30-089", to, { handle = "again" }) then return end
    from:put { mem_desc = "late-md", target = to }
    t:sanity("a put to the interface that was opened again arrives", to:wait_drop_count(1, nil, "again") >= 1)
    t:octets("P30-089", "the memory after the interface was opened again", to, "buf", "byte/90")
  end,
}

case {
  id = "ni-default-after-refusals",
  title = "The default interface can be opened after calls of PtlNIInit that were refused",
  purpose = "PtlNIInit is refused for an interface that is none, for tables without entries and for an address that is none. Then PTL_IFACE_DEFAULT is opened, closed, and after one more refusal opened again; a put to oneself arrives.",
  requirements = { "P30-050" }, chapter = "3.2",
  run = function(t)
    local rank = t:init()
    local function refused(given)
      if rank:PtlNIInit(given).rc == "PTL_OK" then rank:ni_fini {} end -- later revisions take 0 for no wish
    end
    refused { interface = 99 }
    refused { interface = "default", ptl_size = 0 }
    refused { interface = "default", acl_size = 0 }
    refused { interface = "default", handle = "null" }
    t:judging("P30-050")
    for round = 1, 2 do
      t:rc("P30-050", rank:PtlNIInit { interface = "default" }, "PTL_OK")
      rank:eq("eq")
      rank:attach { eventq = "eq", start = "null", length = 0 }
      rank:bind { desc = "nothing", start = "null", length = 0, md = "out-md" }
      rank:put { mem_desc = "out-md", target = rank }
      t:event("P30-050", rank, "eq", { type = "PTL_EVENT_PUT" })
      rank:ni_fini {}
      if round == 2 or not t:opens_again("P30-050", rank, { interface = "default" }) then return end
      rank:ni_fini {}
      refused { interface = 99 }
    end
  end,
}
