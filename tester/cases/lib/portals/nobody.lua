-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Criteria for a process that there is not. A library may know who there is, or which nodes there are, and then no
-- other process id is a valid one (3.4.1): it returns PTL_INV_PROC for an entry that is to name somebody else. Who
-- there is, is known from PtlGetId.

local MEMBERS = { nid = { "nid", "pid" }, gid = { "gid", "rid" }, both = { "nid", "pid", "gid", "rid" } }
local known = {}

local function names(criteria, id)
  for _, member in ipairs(MEMBERS[criteria.kind]) do
    if criteria[member] ~= "any" and criteria[member] ~= id[member] then return false end
  end
  return true
end

local function is_nobody(criteria)
  if type(criteria) ~= "table" or not MEMBERS[criteria.kind] then return false end
  for _, id in ipairs(known) do
    if names(criteria, id) then return false end
  end
  return #known > 0
end

local function when_finished(verb, note)
  local start = Rank["start_" .. verb]
  Rank["start_" .. verb] = function(rank, given)
    local pending = start(rank, given)
    local finish = pending.finish
    function pending.finish(self)
      local result = finish(self)
      note(result, given or {})
      return result
    end
    return pending
  end
end

when_finished("PtlGetId", function(result)
  if result.rc == "PTL_OK" and type(result.id) == "table" and MEMBERS[result.id.kind] then
    known[#known + 1] = result.id
  end
end)

for _, verb in ipairs { "PtlACEntry", "PtlMEAttach", "PtlMEAttachAny", "PtlMEInsert" } do
  when_finished(verb, function(result, given)
    result.nobody = result.rc == "PTL_INV_PROC" and is_nobody(given.matchid)
  end)
end

local setup = Test.setup
Test.setup = function(self, result, wanted)
  if result.nobody and wanted ~= "PTL_INV_PROC" then
    self:skip("the system knows who there is, and refuses criteria for others: " .. result.call
      .. " returned PTL_INV_PROC")
  end
  return setup(self, result, wanted)
end

-- t:named(result): as set-up, where a call has named a process that there is not: false where the library knows who
-- there is and refuses that, which is allowed.
function Test.named(t, result)
  return not result.nobody and t:setup(result) ~= nil
end
