-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What the system's conformance statement limits (specs/statement.md): so much can be had, and no more. A case belongs
-- to the runs whose statement declares its limit.

defaults { suite = "interfaces", chapter = "3.5", still = { "P32-076" }, deadline = 60 }

-- Later revisions grant limits, and tell them: portals-3.2/35-start.lua.
local GRANTED <const> = { match_entries = true, match_list_entries = true, descriptors = true, event_queues = true }

local BATCH_MS <const>, TRIED_MOST <const>, LISTS <const> = 30000, 1200000, 32

-- A table as large as is declared, and such as are larger.
local function table_of(size, code)
  local index <const> = size == "ptl_size" and "ptl_pt_index_t" or "ptl_ac_index_t"
  return function(t, req, rank, most)
    t:rc(req, rank:PtlNIInit { [size] = most + 1 }, code)
    for _, larger in ipairs { 2 * most, rank:largest(index), -1 } do
      if larger == -1 or larger > most + 1 and larger <= rank:largest(index) then
        t:rc(req, rank:PtlNIInit { [size] = larger }, code)
      end
    end
    local result = rank:PtlNIInit { [size] = most - (size == "ptl_size" and t:kept_portals() or 0) }
    t:skip_if(result.rc == "PTL_INIT_DUP" and result.beyond, result.beyond) -- it was open before
    t:rc(req, result, "PTL_OK")
  end
end

local function insert(t)
  return { "PtlMEInsert", { matchid = t.any_gid, match_bits = 0, ignorebits = 0, unlink = "PTL_RETAIN",
    position = "PTL_INS_AFTER", current = "me", handle = "more" } }
end

-- Makes one more than is declared, where the library lets it. `made` are there.
local function run_out(t, rank, most, made, command)
  t:skip_if(most > TRIED_MOST, "more than can be used up within a case")
  local result = rank:batch_for(BATCH_MS, most + 1 - made, { command })
  t:skip_if(result.late, "the system is too slow to be counted out")
  return result.runs + made, result.rc
end

-- The last of what is declared could be had, and what came then.
local function judge_all(t, req, what, most, made, rc, code, readings)
  t:equal(req, what .. " succeeds as often as is declared", made, most)
  t:equal_or_warn(req, what .. " beyond what is declared returns", rc, code, readings or {})
end

-- A structure with a region of so many octets.
local function region(rank, octets)
  return rank:md { name = "octets" .. octets, region = "large", length = octets }
end

-- By limit: the row that has a code for it, and what asks for all and for one too many.
local LIMITS <const> = {
  { "interfaces", "P30-079", function(t, req, rank, most)
    t:rc(req, rank:PtlNIInit { interface = most }, "PTL_INIT_INV")
    t:rc(req, rank:PtlNIInit { interface = most - 1 }, "PTL_OK")
  end },
  { "portal_table_entries", "P30-080", table_of("ptl_size", "PTL_INV_PSIZE") },
  { "access_table_entries", "P30-081", table_of("acl_size", "PTL_INV_ASIZE") },
  { "match_list_entries", "P30-126", function(t, req, rank, most)
    rank:ni_init {}
    rank:me_attach {}
    local made, rc = run_out(t, rank, most, 1, insert(t))
    judge_all(t, req, "PtlMEInsert", most, made, rc, "PTL_ML_TOOLONG", {
      PTL_NOSPACE = "memory ended before the list did" })
  end },
  { "match_entries", "P30-127", function(t, req, rank, most)
    local lists = math.min(LISTS, t:declared("limits", "portal_table_entries") or LISTS)
    rank:ni_init { ptl_size = lists }
    local made, rc = 0, nil
    for index = 0, lists - 1 do -- a list after the other, as far as each goes
      rc = rank:PtlMEAttach { index = index }.rc
      made = rc == "PTL_OK" and made + 1 or made
      if rc == "PTL_OK" and made <= most then made, rc = run_out(t, rank, most, made, insert(t)) end
      if rc ~= "PTL_ML_TOOLONG" then break end
    end
    t:skip_if(rc == "PTL_ML_TOOLONG", "the lists end before the entries do")
    judge_all(t, req, "making match entries", most, made, rc, "PTL_NOSPACE")
  end },
  { "descriptors", "P30-195", function(t, req, rank, most)
    rank:ni_init {}
    rank:md { name = "void", start = "null", length = 0 }
    local made, rc = run_out(t, rank, most, 0, { "PtlMDBind", { interface = "ni", mem_desc = "void",
      handle = "more" } })
    judge_all(t, req, "PtlMDBind", most, made, rc, "PTL_NOSPACE")
  end },
  { "region_octets", "P30-195", function(t, req, rank, most)
    rank:ni_init {}
    rank:region("large", most + 1)
    t:rc(req, rank:PtlMDBind { mem_desc = region(rank, most + 1) }, { "PTL_ILL_MD", "PTL_NOSPACE" })
    t:rc(req, rank:PtlMDBind { mem_desc = region(rank, most) }, "PTL_OK")
  end },
  { "event_queues", "P30-237", function(t, req, rank, most)
    rank:ni_init {}
    local made, rc = run_out(t, rank, most, 0, { "PtlEQAlloc", { interface = "ni", count = 4, handle = "more" } })
    judge_all(t, req, "PtlEQAlloc", most, made, rc, "PTL_NOSPACE")
  end },
  { "queue_events", "P30-237", function(t, req, rank, most)
    rank:ni_init {}
    t:rc(req, rank:PtlEQAlloc { count = most + 1, handle = "beyond" }, "PTL_NOSPACE")
    t:rc(req, rank:PtlEQAlloc { count = most, handle = "most" }, "PTL_OK")
  end },
}

for name, req, judge in each(LIMITS) do
  case {
    id = "declared-" .. name:gsub("_", "-"),
    title = "There is as much as the conformance statement declares, and no more: " .. name:gsub("_", " "),
    purpose = "The limit that the statement declares is used up: all of it can be had, and more is refused with the code that the document has for it.",
    requirements = { req }, limit = name, only = GRANTED[name],
    run = function(t)
      local most = t:declared("limits", name)
      t:judging(req)
      judge(t, req, t:init(), most)
    end,
  }
end
