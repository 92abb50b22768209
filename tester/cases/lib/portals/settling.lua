-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- How a case knows that a process has handled what another one has sent, without waiting for a while: messages of one
-- process to another come in order, so a last one that is logged stands behind all others. And what is in queues then.

local PORTAL = 7

-- How long a flood of requests may take to be handled.
local FLOOD_MS = 60000

-- As t:event names it: where no put has ever been logged in a run, nobody waits so long.
local NO_PUT = "no PTL_EVENT_PUT comes"

-- How long a library may take to tell that a put was sent, once it has been handled.
local SENT_MS = 1000

-- How often, and how far apart, a descriptor is looked for that goes late.
local UNLINK_ASKS, UNLINK_PAUSE_MS = 50, 20

-- t:flush(from, to): when this returns, all that `from` has put or asked for before has been handled by `to`, and
-- `from` has been told of what it has sent as far as it ever will. It takes portal 7 of the target, and is a sanity
-- step.
function Test:flush(from, to)
  if not to.settling then
    to.settling = true
    to:eq("settled-eq", 64)
    to:attach { index = PORTAL, me = "settled-me", desc = "settled", md = "settled-md", start = "null", length = 0,
      options = "PTL_MD_OP_PUT|PTL_MD_MANAGE_REMOTE", eventq = "settled-eq" }
  end
  if not from.settles then
    from.settles = true
    from:eq("settle-eq", 4)
    from:bind { desc = "settle", start = "null", length = 0, md = "settle-md", eventq = "settle-eq" }
  end
  from:put { mem_desc = "settle-md", target = to, portal = PORTAL }
  local came = to:wait_done("settled-eq", core.patience(NO_PUT, FLOOD_MS)).event
  if not came then
    core.missed(NO_PUT)
    core.symptom("missing", NO_PUT, "", true)
  end
  self:sanity("what " .. from.label .. " sent to " .. to.label .. " before has been handled", came ~= nil)
  from:wait_done("settle-eq", SENT_MS)
end

-- rank:settling_handles(kind): the names of the entries ("me") or descriptors ("md") that t:flush has made in this
-- process.
function Rank:settling_handles(kind)
  local names = { self.settling and "settled-" .. kind or nil }
  if self.settles and kind == "md" then names[#names + 1] = "settle-md" end
  return names
end

-- rank:drain(eq [, note]): takes out all events that are in a queue now and returns them, each with its return code;
-- note(event) is called for each, while later ones may still come in.
function Rank:drain(eq, note)
  local all = {}
  repeat
    local events = self:collect(eq, 256, 0)
    for _, event in ipairs(events) do
      all[#all + 1] = event
      if note then note(event) end
    end
  until #events == 0
  return all
end

-- rank:losses(eq, more): empties a queue; how many of the calls have told of a loss, and how many events there were. A
-- loss may be told by the first event behind it (3.8.6): where no call has told of one, more() makes another event.
function Rank:losses(eq, more)
  local function tell()
    local told, events = 0, self:drain(eq)
    for _, event in ipairs(events) do told = told + (event.rc == "PTL_EQ_DROPPED" and 1 or 0) end
    return told, #events
  end
  local told, count = tell()
  if told == 0 then
    more()
    told = tell()
  end
  return told, count
end

-- rank:until_unlinked([md]): waits a moment for a descriptor that has been used up to go: a library may unlink it some
-- time behind the last event of its last operation.
function Rank:until_unlinked(md)
  for _ = 1, UNLINK_ASKS do
    if self:PtlMDUpdate { mem_desc = md or "md", old = "was" }.rc ~= "PTL_OK" then return end
    self:pause(UNLINK_PAUSE_MS)
  end
end

-- Test.types(events): their types, sorted, where no order is promised.
function Test.types(events)
  local names = {}
  for i, event in ipairs(events) do names[i] = event.type end
  table.sort(names)
  return names
end
