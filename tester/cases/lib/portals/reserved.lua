-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Which portals cases have. The document does not say that all indexes of a portal table are the application's (3.5.1).
-- Cases count their portals from 0; where a system keeps the first ones for itself, as the preflight has found out,
-- they are its portals from the first on that is free, and a table is larger by those that are kept. Calls, events and
-- messages are changed here, and nowhere else.

-- Above this are numbers that no portal has: they are meant as they stand.
local LARGEST <const> = 4096

-- t:kept_portals(): how many portals, from the first one on, are not the application's.
function Test:kept_portals()
  return core.facts().first_portal
end

local function kept()
  return core.facts().first_portal
end

local function is_ours(number)
  return math.type(number) == "integer" and number >= 0 and number <= LARGEST
end

local PARAMETERS = { PtlNIInit = "ptl_size", PtlMEAttach = "index", PtlACEntry = "portal", PtlPut = "portal",
  PtlGet = "portal", PtlPutRegion = "portal", PtlGetRegion = "portal", PtlGetPut = "portal" }

-- The values of a call as the system has them.
local function values_of(verb, values, first)
  local name = PARAMETERS[verb]
  local number = name and values and values[name]
  if not is_ours(number) or number == 0 and verb == "PtlNIInit" then return values end
  local copy = {}
  for key, value in pairs(values) do copy[key] = value end
  copy[name] = number + first
  return copy
end

local start, start_batch = Rank.start, Rank.start_batch

Rank.start = function(self, verb, values, options)
  return start(self, verb, kept() > 0 and values_of(verb, values, kept()) or values, options)
end

Rank.start_batch = function(self, repeats, commands, options)
  local changed = {}
  for i, command in ipairs(commands) do
    changed[i] = { command[1], kept() > 0 and values_of(command[1], command[2], kept()) or command[2] }
  end
  return start_batch(self, repeats, changed, options)
end

-- What came back with a portal, an event or a message, as cases have it.
local function shown(found, first)
  if is_ours(found.portal) and found.portal >= first then found.portal = found.portal - first end
end

local finish = Pending.finish
Pending.finish = function(self)
  local first, known = kept(), self.result
  local result = finish(self)
  if first > 0 and not known then
    for _, value in pairs(result) do
      if type(value) == "table" then shown(value, first) end
    end
    if is_ours(result.index) then result.index = result.index - first end -- what PtlMEAttachAny chose
    local granted = result.actual
    if granted and granted.ptl_size then granted.ptl_size = granted.ptl_size - first end
  end
  return result
end

local with_defaults, receive = Stream.with_defaults, Stream.receive

Stream.with_defaults = function(self, message)
  local full = with_defaults(self, message)
  if is_ours(full.portal) and not full.complete then full.portal = full.portal + kept() end
  full.complete = true -- and is as it goes out, also where it is made so once more
  return full
end

Stream.receive = function(self, ms)
  local message, reason = receive(self, ms)
  if message then shown(message, kept()) end
  return message, reason
end
