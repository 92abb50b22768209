-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Chapter 3.7.1 as Portals 3.3 has it: which events operations of all kinds and lengths log on descriptors that want no
-- beginnings, no ends, or neither. A process puts to itself, gets from itself and exchanges with itself.

defaults { suite = "memory-descriptors", chapter = "3.7.1" }

local NO_START, NO_END = "PTL_MD_EVENT_START_DISABLE", "PTL_MD_EVENT_END_DISABLE"
local BOTH = "PTL_MD_OP_PUT|PTL_MD_OP_GET|PTL_MD_MANAGE_REMOTE"

-- So many events, which may come later than a put that was made behind their operation, and all others that are there.
-- That the request of a get was sent may be logged too, or not.
local function events_of(rank, eq, count, kind)
  local list = {}
  repeat
    local event = rank:wait(eq, #list >= count and 0 or nil).event
    if not (event and kind == "PTL_EVENT_REPLY" and event.type:find("^PTL_EVENT_SEND")) then
      list[#list + 1] = event
    end
  until not event
  return list
end

for name, options, starts, ends in each { { "nothing", "", true, true }, { "starts", "|" .. NO_START, false, true },
  { "ends", "|" .. NO_END, true, false }, { "both", "|" .. NO_START .. "|" .. NO_END, false, false } } do
  case {
    id = "silent-at-every-length-" .. name,
    title = "What a descriptor wants no events of is not logged, and all else is, whatever the length",
    purpose = "Puts, gets and exchanges of 0, 1 and 8 octets from and to descriptors that keep quiet about: " .. name
      .. ". All events at both ends.",
    requirements = { "P33-366", "P33-373", "P33-374" },
    run = function(t)
      local rank = t:open {}
      rank:eq("eq", 64)
      rank:eq("own", 64)
      rank:attach { octets = 40, options = BOTH .. options, eventq = "eq" }
      local req = name == "ends" and "P33-374" or "P33-373"
      local function judge(which, eq, kind, what)
        local wanted = {}
        if ends then wanted[1] = kind .. "_END" end
        if starts then wanted[#wanted + 1] = kind .. "_START" end
        t:equal(which, ("events of %s in queue %s"):format(what, eq), t.types(events_of(rank, eq, #wanted, kind)),
          wanted)
      end
      for _, length in ipairs { 0, 1, 8 } do
        local md, other = "md-of-" .. length, "new-of-" .. length
        rank:bind { region = "in" .. length, octets = 8, length = length, desc = md, md = md,
          options = "PTL_MD_OP_PUT" .. options, eventq = "own" }
        rank:bind { region = "out" .. length, octets = 8, length = length, desc = other, md = other }
        rank:put { mem_desc = md, target = rank }
        t:flush(rank, rank)
        judge(req, "eq", "PTL_EVENT_PUT", "a put of " .. length)
        judge(req, "own", "PTL_EVENT_SEND", "a put of " .. length)
        rank:get { mem_desc = md, target = rank }
        t:flush(rank, rank)
        judge(req, "eq", "PTL_EVENT_GET", "a get of " .. length)
        judge("P33-374", "own", "PTL_EVENT_REPLY", "a get of " .. length)
        local result = rank:PtlGetPut { mem_desc = md, put_desc = other, target = rank }
        if length > 0 then t:rc("P33-366", result, "PTL_OK") end
        if result.rc == "PTL_OK" then -- one of nothing may be refused
          t:flush(rank, rank)
          judge("P33-366", "eq", "PTL_EVENT_GETPUT", "an exchange of " .. length)
          judge("P33-366", "own", "PTL_EVENT_REPLY", "an exchange of " .. length)
        end
      end
      t:check("P33-373", "all operations were looked at", true)
    end,
  }
end
