-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The matrix of return codes: every function with every code that its section or table 4 lists for it
-- (specs/portals-3.0.codes.json says which, and where the few others are provoked). Each case calls one function:
-- before PtlInit, with one bad argument after the other, and then well, which shows that what was refused did no harm.
-- Bad handles are handles of objects that are gone; nothing is assumed of their values.

defaults { suite = "return-codes", still = { "P32-106", "P32-175" } }

local UNKNOWN_KIND = { kind = "kind", number = 99, nid = 1, pid = 1, gid = 1, rid = 1 }
local ANYBODY = { kind = "gid", gid = 0, rid = 0 }
local WIRED = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE"
local ANY_SIZE = { PTL_OK = "the document does not say which sizes are invalid" }

-- A process with one living and one dead object of each kind: "ni", "eq", "me", "md", "bound" and "dead-..", and the
-- entries "bare" and "bare-too" without descriptors.
-- "good" is a legal descriptor structure, "bad" one of an octet at NULL, "wraps" one beyond the end of all addresses,
-- which sizes of less than 64 bits do not reach: then it is at NULL too.
local function furnish(rank)
  rank:ni_init { ptl_size = 8, acl_size = 4 }
  rank:eq("eq")
  rank:eq("dead-eq")
  rank:attach { octets = 64, me = "dead-me", index = 6, md = "dead-md" }
  rank:attach { options = WIRED, eventq = "eq" }
  rank:me_attach { index = 4, handle = "bare" }
  rank:me_attach { index = 3, handle = "bare-too" }
  rank:bind { desc = "good", md = "bound", length = 0 }
  rank:md { name = "bad", start = "null", length = 1 }
  local wide = rank:describe().ptl_size_t.octets >= 8
  rank:md { name = "wraps", start = wide and "buf" or "null", length = wide and -1 or 64 }
  rank:md { name = "queueless", eventq = "dead-eq" }
  rank:me_unlink { entry = "dead-me" }
  rank:eq_free { eventq = "dead-eq" }
end

-- More events than a queue of one holds, also where a library makes it larger than it was asked for.
local FLOOD = 1000

-- A queue of one that has lost all but a few of many PTL_EVENT_SENT. Returns how often `verb` tells of that when it
-- gives what was kept and two later events, and the code of the last one.
local function codes_of_loss(t, rank, verb)
  rank:eq("tiny", 1)
  rank:bind { desc = "sender", length = 0, md = "sender", eventq = "tiny" }
  local told, last = 0, "no event"
  for _, times in ipairs { FLOOD, 1, 1 } do
    t:sanity("all puts were called", rank:batch(times, { { "PtlPut", { mem_desc = "sender", ack_req = "PTL_NOACK_REQ",
      target = t.gid(rank.id), portal = 2, cookie = 0, match_bits = 0, offset = 0 } } }).runs == times)
    t:flush(rank, rank)
    while rank:PtlEQCount { eventq = "tiny" }.count > 0 do
      last = rank[verb](rank, { eventq = "tiny", deadline = 5000 }).rc
      told = told + (last == "PTL_EQ_DROPPED" and 1 or 0)
    end
  end
  return told, last
end

local function loss_is_told(req, verb)
  return function(t, rank)
    local told, last = codes_of_loss(t, rank, verb)
    t:check(req, verb .. " tells of the loss once", told == 1 and last == "PTL_OK", "one PTL_EQ_DROPPED, then PTL_OK",
      { told, last })
  end
end

-- PtlNIHandle of what is gone. Its argument is of no type, so that a living object of any type may have that value.
local function handles_are_refused(t, rank)
  for _, handle in ipairs { "dead-me", "dead-md", "dead-eq" } do
    t:refused("P30-103", rank, "PtlNIHandle", "handle", handle, "PTL_INV_HANDLE",
      { "ni", "eq", "me", "bare", "bare-too", "md", "bound" })
  end
end

-- PtlTransId of an address that nobody has, as far as is known: any value may be some process's, zero too. A
-- translation is right where it is to that address in another group.
local function nobody_is_unknown(t, rank)
  local nobody = { kind = "nid", nid = rank.id.nid, pid = rank:largest("ptl_id_t", 0xfffffff) }
  local result = rank:PtlTransId { id = nobody }
  local found = result.id
  if result.rc == "PTL_OK" and found.nid == nobody.nid and found.pid == nobody.pid and found.gid ~= rank.id.gid then
    return
  end
  t:rc("P30-070", result, "PTL_ADDR_UNKNOWN")
end

-- One element a function: before = arguments of the call before PtlInit; rows of code, requirement and arguments, or
-- of a function that provokes and judges; closed = rows for after PtlNIFini. `switch` names the switch by
-- which another code is a known reading, `others` codes that the document can be read to allow, `undo` the call that
-- takes back what one of them has done. What is wrong with the
-- address of an event is asked while an event waits: without one, PTL_EQ_EMPTY is as right.
local MATRIX = {
  { "PtlInit", chapter = "3.3", bare = true, { "PTL_OK", "P30-053", {} } },
  { "PtlGetId", chapter = "3.4", before = {}, bare = true,
    { "PTL_SEGV", "P30-067", { id = "null" } }, { "PTL_SEGV", "P30-067", { gsize = "null" } },
    { "PTL_OK", "P30-065", {} } },
  { "PtlTransId", chapter = "3.4", before = { id = ANYBODY }, bare = true,
    { "PTL_SEGV", "P30-073", { id = "null" } },
    { "PTL_ADDR_UNKNOWN", "P30-070", provoke = nobody_is_unknown },
    { "PTL_OK", "P30-068", function(rank) return { id = Test.gid(rank.id) } end },
    { "PTL_OK", "P30-069", function(rank) return { id = Test.nid(rank.id) } end } },
  { "PtlNIInit", chapter = "3.5", before = {}, bare = true,
    { "PTL_SEGV", "P30-083", { handle = "null" } }, { "PTL_INIT_INV", "P30-079", { interface = 99 } },
    { "PTL_INV_PSIZE", "P30-080", { ptl_size = 0 }, others = ANY_SIZE, undo = "ni_fini" },
    { "PTL_INV_ASIZE", "P30-081", { acl_size = 0 }, others = ANY_SIZE, undo = "ni_fini" },
    { "PTL_INV_ASIZE", "P30-081", { acl_size = 1 }, others = ANY_SIZE, undo = "ni_fini" },
    { "PTL_OK", "P30-076", {} },
    { "PTL_INIT_DUP", "P30-078", { handle = "again" },
      switch = { "duplicate_interface", { "refuse", "PTL_INIT_DUP" }, { "same_handle", "PTL_OK" } } } },
  { "PtlNIFini", chapter = "3.5", before = { interface = "zero" }, closed = { { "PTL_INV_NI", "P30-088", {} } },
    { "PTL_OK", "P30-087", {} } },
  { "PtlNIBarrier", chapter = "3.5", before = { interface = "zero" }, closed = { { "PTL_INV_NI", "P30-091", {} } },
    { "PTL_OK", "P30-090", {} } },
  { "PtlNIStatus", chapter = "3.5", before = { interface = "zero" }, closed = { { "PTL_INV_NI", "P30-095", {} } },
    { "PTL_INV_SR_INDX", "P30-094", { register = 0x7fff } }, { "PTL_SEGV", "P30-096", { status = "null" } },
    { "PTL_OK", "P30-092", {} } },
  { "PtlNIDist", chapter = "3.5", before = { interface = "zero", process = ANYBODY },
    closed = { { "PTL_INV_NI", "P30-100", function(rank) return { process = rank } end } },
    { "PTL_INV_PROC", "P30-099", { process = UNKNOWN_KIND } },
    { "PTL_INV_PROC", "P30-099", { process = Test.any_gid } },
    { "PTL_SEGV", "P30-100", function(rank) return { process = rank, distance = "null" } end },
    { "PTL_OK", "P30-097", function(rank) return { process = rank } end } },
  { "PtlNIHandle", chapter = "3.5", before = { handle = "zero" },
    closed = { { "PTL_INV_HANDLE", "P30-103", { handle = "ni" } } },
    { "PTL_INV_HANDLE", "P30-103", provoke = handles_are_refused },
    { "PTL_SEGV", "P30-104", { handle = "md", interface = "null" } },
    { "PTL_OK", "P30-101", { handle = "md", interface = "of" } },
    { "PTL_OK", "P30-102", { handle = "ni", interface = "of" } } },
  { "PtlMEAttach", chapter = "3.6", before = { interface = "zero" },
    closed = { { "PTL_INV_NI", "P30-121", {}, any_error = true } },
    { "PTL_INV_PTINDEX", "P30-117", { index = 8 } }, { "PTL_INV_PROC", "P30-118", { matchid = UNKNOWN_KIND } },
    { "PTL_SEGV", "P30-120", { handle = "null" } },
    { "PTL_OK", "P30-106", { index = 7, handle = "new" } } },
  { "PtlMEInsert", chapter = "3.6", before = { current = "zero" },
    { "PTL_INV_PROC", "P30-127", { matchid = UNKNOWN_KIND } }, { "PTL_INV_ME", "P30-125", { current = "dead-me" } },
    { "PTL_SEGV", "P30-127", { handle = "null" } },
    { "PTL_OK", "P30-122", { position = "PTL_INS_BEFORE", handle = "in-front" } },
    { "PTL_OK", "P30-123", { position = "PTL_INS_AFTER", handle = "behind" } } },
  { "PtlMEUnlink", chapter = "3.6", before = { entry = "zero" },
    { "PTL_INV_ME", "P30-133", { entry = "dead-me" } }, { "PTL_OK", "P30-129", {} }, { "PTL_INV_ME", "P30-133", {} } },
  { "PtlMDAttach", chapter = "3.7", before = { match = "zero" },
    { "PTL_INV_ME", "P30-183", { match = "dead-me", mem_desc = "good" } },
    { "PTL_ILL_MD", "P30-184", { match = "bare", mem_desc = "bad" } },
    { "PTL_ILL_MD", "P30-184", { match = "bare", mem_desc = "wraps" } },
    { "PTL_ILL_MD", "P30-184", { match = "bare", mem_desc = "queueless" },
      switch = { "bad_eventq_code", { "PTL_ILL_MD", "PTL_ILL_MD" }, { "PTL_INV_EQ", "PTL_INV_EQ" } } },
    { "PTL_OK", "P30-178", { match = "bare", mem_desc = "good", handle = "null" } },
    { "PTL_OK", "P30-175", { match = "bare-too", mem_desc = "good", handle = "new" } } },
  { "PtlMDInsert", chapter = "3.7", before = { current = "zero" },
    { "PTL_INV_MD", "P30-190", { mem_desc = "good", current = "dead-md" } },
    { "PTL_INV_MD", "P30-190", { mem_desc = "good", current = "bound" },
      others = { PTL_INV_ME = "3.7.3 lists this code for an entry that does not exist" } },
    { "PTL_ILL_MD", "P30-191", { mem_desc = "bad" } }, { "PTL_ILL_MD", "P30-191", { mem_desc = "wraps" } },
    { "PTL_ILL_MD", "P30-191", { mem_desc = "queueless" },
      switch = { "bad_eventq_code", { "PTL_ILL_MD", "PTL_ILL_MD" }, { "PTL_INV_EQ", "PTL_INV_EQ" } } },
    { "PTL_OK", "P30-188", { mem_desc = "good", handle = "new" } },
    { "PTL_OK", "P30-188", { mem_desc = "good", handle = "new", position = "PTL_INS_BEFORE" } } },
  { "PtlMDBind", chapter = "3.7", before = { interface = "zero" },
    closed = { { "PTL_INV_NI", "P30-195", { mem_desc = "good" } } },
    { "PTL_ILL_MD", "P30-195", { mem_desc = "bad" } }, { "PTL_ILL_MD", "P30-195", { mem_desc = "wraps" } },
    { "PTL_ILL_MD", "P30-195", { mem_desc = "queueless" },
      switch = { "bad_eventq_code", { "PTL_ILL_MD", "PTL_ILL_MD" }, { "PTL_INV_EQ", "PTL_INV_EQ" } } },
    { "PTL_SEGV", "P30-194", { mem_desc = "good", handle = "null" } },
    { "PTL_OK", "P30-193", { mem_desc = "good", handle = "new" } } },
  { "PtlMDUnlink", chapter = "3.7", before = { mem_desc = "zero" },
    { "PTL_INV_MD", "P30-200", { mem_desc = "dead-md" } },
    { "PTL_OK", "P30-197", { mem_desc = "md" } }, { "PTL_INV_MD", "P30-200", { mem_desc = "md" } },
    { "PTL_OK", "P30-198", { mem_desc = "bound" } }, { "PTL_INV_MD", "P30-200", { mem_desc = "bound" } } },
  { "PtlMDUpdate", chapter = "3.7", before = { mem_desc = "zero" },
    { "PTL_INV_MD", "P30-210", { mem_desc = "dead-md", old = "was" } },
    { "PTL_ILL_MD", "P30-210", { new = "bad" } }, { "PTL_ILL_MD", "P30-210", { new = "wraps" } },
    { "PTL_ILL_MD", "P30-210", { new = "queueless" },
      switch = { "bad_eventq_code", { "PTL_ILL_MD", "PTL_ILL_MD" }, { "PTL_INV_EQ", "PTL_INV_EQ" } } },
    { "PTL_INV_EQ", "P30-210", { new = "good", testq = "dead-eq" } },
    { "PTL_OK", "P30-203", { new = "good" } }, { "PTL_OK", "P30-202", { old = "was" } },
    { "PTL_OK", "P30-204", { new = "open", testq = "eq" } },
    { "PTL_NOUPDATE", "P30-205", { new = "good", testq = "eq" }, waiting = true },
    { "PTL_OK", "P30-207", { old = "was", testq = "eq" },
      others = { PTL_NOUPDATE = "3.7.6 has this code for whatever is not updated while testq holds an event" } } },
  { "PtlEQAlloc", chapter = "3.8", before = { interface = "zero" },
    closed = { { "PTL_INV_NI", "P30-237", { handle = "new" } } },
    { "PTL_SEGV", "P30-237", { handle = "null" } },
    { "PTL_NOSPACE", "P30-237", { count = 1 << 60, handle = "new" } },
    { "PTL_OK", "P30-236", { count = 1, handle = "new" } } },
  { "PtlEQFree", chapter = "3.8", before = { eventq = "zero" },
    { "PTL_INV_EQ", "P30-238", { eventq = "dead-eq" } }, { "PTL_OK", "P30-238", {} },
    { "PTL_INV_EQ", "P30-238", {} } },
  { "PtlEQCount", chapter = "3.8", before = { eventq = "zero" },
    { "PTL_INV_EQ", "P30-242", { eventq = "dead-eq" } }, { "PTL_SEGV", "P30-242", { count = "null" } },
    { "PTL_OK", "P30-240", {} } },
  { "PtlEQGet", chapter = "3.8", before = { eventq = "zero" },
    { "PTL_INV_EQ", "P30-248", { eventq = "dead-eq" } }, { "PTL_EQ_EMPTY", "P30-243", {} },
    { "PTL_SEGV", "P30-248", { event = "null" }, waiting = true }, { "PTL_OK", "P30-244", {} },
    { "PTL_EQ_DROPPED", "P30-246", provoke = loss_is_told("P30-246", "PtlEQGet") } },
  { "PtlEQWait", chapter = "3.8", before = { eventq = "zero" },
    { "PTL_INV_EQ", "P30-253", { eventq = "dead-eq" } },
    { "PTL_SEGV", "P30-253", { event = "null", deadline = 3000 }, waiting = true },
    { "PTL_OK", "P30-250", { deadline = 5000 } },
    { "PTL_EQ_DROPPED", "P30-252", provoke = loss_is_told("P30-252", "PtlEQWait") } },
  { "PtlACEntry", chapter = "3.9", before = { interface = "zero", req = "P30-044" },
    closed = { { "PTL_INV_NI", "P30-043", {} } },
    { "PTL_AC_INV_INDEX", "P30-040", { index = 4 } }, { "PTL_INV_PROC", "P30-041", { matchid = UNKNOWN_KIND } },
    { "PTL_INV_PTINDEX", "P30-042", { portal = 8 } }, { "PTL_OK", "P30-038", { portal = 7 } } },
  { "PtlPut", chapter = "3.10", before = { mem_desc = "zero", target = ANYBODY },
    { "PTL_INV_MD", "P30-264", function(rank) return { mem_desc = "dead-md", target = rank } end },
    { "PTL_INV_PROC", "P30-265", { mem_desc = "bound", target = Test.any_gid } },
    { "PTL_INV_PROC", "P30-265", { mem_desc = "bound", target = UNKNOWN_KIND } },
    { "PTL_OK", "P30-256", function(rank) return { mem_desc = "bound", target = rank } end } },
  { "PtlGet", chapter = "3.10", before = { mem_desc = "zero", target = ANYBODY },
    { "PTL_INV_MD", "P30-274", function(rank) return { mem_desc = "dead-md", target = rank } end },
    { "PTL_INV_PROC", "P30-274", { mem_desc = "bound", target = Test.any_gid } },
    { "PTL_INV_PROC", "P30-274", { mem_desc = "bound", target = UNKNOWN_KIND } },
    { "PTL_OK", "P30-270", function(rank) return { mem_desc = "bound", target = rank } end } },
}

-- One event comes to "eq" and stays there: what is put by "bound" is logged by "md" before a put behind it is logged
-- in "later-eq".
local function let_event_wait(t, rank)
  rank:eq("later-eq")
  rank:attach { me = "later-me", index = 5, md = "later-md", options = WIRED, eventq = "later-eq" }
  rank:put { mem_desc = "bound", target = rank }
  rank:put { mem_desc = "bound", target = rank, portal = 5 }
  t:sanity("a later put arrives", rank:wait("later-eq").event ~= nil)
end

local function judge_row(t, rank, verb, row)
  local code, req, given = row[1], row[2], row[3]
  t:judging(req)
  if row.provoke then return row.provoke(t, rank) end
  if row.waiting then let_event_wait(t, rank) end
  local result = rank[verb](rank, type(given) == "function" and given(rank) or given)
  if row.any_error then
    t:reading(req, "attach_bad_interface_code", result.call .. " returns", result.rc,
      { { "PTL_INV_NI", "PTL_INV_NI" }, { "any_error", result.rc ~= "PTL_OK" and result.rc or nil } })
  elseif code == "PTL_OK" and result.rc == "PTL_INIT_DUP" and result.beyond then -- a row before has had to close it
    t:reading(req, "interface_opened_again", result.call .. " returns", result.rc,
      { { "open", "PTL_OK" }, { "refuse", "PTL_INIT_DUP" } })
  elseif row.switch then
    t:reading(req, row.switch[1], result.call .. " returns", result.rc, { table.unpack(row.switch, 2) })
  else
    t:equal_or_warn(req, result.call .. " returns", result.rc, code, row.others or {})
    if row.undo and result.rc ~= code then rank[row.undo](rank) end
  end
end

local function requirements_of(entry)
  local list, seen = {}, {}
  local function add(req)
    if req and not seen[req] then
      seen[req] = true
      list[#list + 1] = req
    end
  end
  for _, rows in ipairs { entry, entry.closed or {} } do
    for _, row in ipairs(rows) do add(type(row) == "table" and row[2]) end
  end
  add(entry.before and (entry.before.req or "P30-054"))
  return list
end

local function call_before_init(t, rank, verb, before)
  local req = before.req or "P30-054"
  local given = {}
  for key, value in pairs(before) do given[key] = key ~= "req" and value or nil end
  rank:region("early", 8)
  rank:md { region = "early" }
  t:judging(req)
  t:rc(req, rank[verb](rank, given), "PTL_NOINIT")
end

for _, entry in ipairs(MATRIX) do
  local verb = entry[1]
  case {
    id = "returns-" .. verb:lower(),
    only = verb == "PtlEQGet" or verb == "PtlEQWait", -- later revisions lose events otherwise
    title = verb .. " returns each of the codes that the document lists for it",
    purpose = "It is called before PtlInit, with one bad argument after the other, well, and on a closed interface, as far as that applies. What was refused must not keep the good call from working.",
    requirements = requirements_of(entry), chapter = entry.chapter,
    run = function(t)
      local rank = t.ranks[0]
      if entry.before then call_before_init(t, rank, verb, entry.before) end
      if verb ~= "PtlInit" then
        t:init()
        rank = t.ranks[0]
      end
      if not entry.bare then
        furnish(rank)
        rank:md { name = "open", options = WIRED, eventq = "eq" }
      end
      for i = 2, #entry do judge_row(t, rank, verb, entry[i]) end
      if entry.closed then
        rank:PtlNIFini {}
        for _, row in ipairs(entry.closed) do judge_row(t, rank, verb, row) end
      end
    end,
  }
end

-- Addresses without memory: every output, and every input that is given by address. A library may have no means of
-- finding that out (the readings of these requirements say so): a crash gives a warning, and so does any other answer.
local UNMAPPED = {
  { "PtlGetId", "3.4", "P30-067", { id = "unmapped" }, { gsize = "unmapped" } },
  { "PtlTransId", "3.4", "P30-073", { id = "unmapped" } },
  { "PtlNIInit", "3.5", "P30-083", { interface = 1, handle = "unmapped" } },
  { "PtlNIStatus", "3.5", "P30-096", { status = "unmapped" } },
  { "PtlNIDist", "3.5", "P30-100", function(rank) return { process = rank, distance = "unmapped" } end },
  { "PtlNIHandle", "3.5", "P30-104", { handle = "md", interface = "unmapped" } },
  { "PtlMEAttach", "3.6", "P30-120", { handle = "unmapped" } },
  { "PtlMEInsert", "3.6", "P30-127", { handle = "unmapped" } },
  { "PtlMDAttach", "3.7", "P30-187", { match = "bare", mem_desc = "good", handle = "unmapped" } },
  { "PtlMDInsert", "3.7", "P30-191", { mem_desc = "good", handle = "unmapped" } },
  { "PtlMDBind", "3.7", "P30-194", { mem_desc = "good", handle = "unmapped" } },
  { "PtlMDUpdate", "3.7", "P30-210", { old = "unmapped" }, { new = "unmapped" } },
  { "PtlEQAlloc", "3.8", "P30-237", { handle = "unmapped" } },
  { "PtlEQCount", "3.8", "P30-242", { count = "unmapped" } },
  { "PtlEQGet", "3.8", "P30-248", { event = "unmapped" }, waiting = true },
  { "PtlEQWait", "3.8", "P30-253", { event = "unmapped", deadline = 3000 }, waiting = true },
}

local UNNOTICED = "no means of telling that an address has no memory"

for _, entry in ipairs(UNMAPPED) do
  local verb, req = entry[1], entry[3]
  case {
    id = "unmapped-" .. verb:lower(),
    title = verb .. " reports an unmapped address as an addressing violation",
    purpose = "PTL_SEGV for each parameter that is given by address. A crash or another answer gives a warning, since not every system can tell.",
    requirements = { req }, chapter = entry[2],
    run = function(t)
      local rank = t:init()
      furnish(rank)
      if entry.waiting then
        rank:md { name = "open", options = WIRED, eventq = "eq" }
        let_event_wait(t, rank)
      end
      t:tolerate_crash(UNNOTICED)
      for i = 4, #entry do
        local given = entry[i]
        local result = rank[verb](rank, type(given) == "function" and given(rank) or given)
        t:equal_or_warn(req, result.call .. " returns", result.rc, "PTL_SEGV", { [result.rc] = UNNOTICED })
      end
    end,
  }
end

for verb, req, given in each { { "PtlMDAttach", "P30-184", { match = "bare", mem_desc = "lost" } },
  { "PtlMDInsert", "P30-191", { mem_desc = "lost", handle = "new" } },
  { "PtlMDBind", "P30-195", { mem_desc = "lost", handle = "new" } }, { "PtlMDUpdate", "P30-210", { new = "lost" } } } do
  case {
    id = "unmapped-region-" .. verb:lower(),
    title = verb .. " refuses a descriptor whose region has no memory",
    purpose = "A descriptor of 40 octets at an address without memory: PTL_ILL_MD. Another answer gives a warning, since not every system can tell.",
    requirements = { req }, chapter = "3.7",
    run = function(t)
      local rank = t:init()
      furnish(rank)
      rank:md { name = "lost", start = "unmapped", length = 40 }
      t:tolerate_crash(UNNOTICED)
      local result = rank[verb](rank, given)
      t:equal_or_warn(req, result.call .. " returns", result.rc, "PTL_ILL_MD", { [result.rc] = UNNOTICED })
    end,
  }
end
