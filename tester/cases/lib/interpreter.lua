-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- A rank: one process of the system under test, driven through its interpreter. Fields: `label` ("rank 0"), `id` (after
-- t:init or t:open), `index` (its connection), and `latest` (the command sent last, pending). For the functions of the
-- library see portals.lua.

local DEADLINE_MS = 10000

-- How long a call of a batch may take, on top of that, before it counts as one that does not return.
local SLOW_MS, LONGEST_MS = 20, 3600000

-- Rank.PARAMETERS[verb]: the order in which a verb's pairs are written. Any other pairs follow by name.
Rank.PARAMETERS = {}

local function write_pairs(verb, values)
  local words, written = { verb }, {}
  for _, key in ipairs(Rank.PARAMETERS[verb] or {}) do
    if values[key] ~= nil then
      words[#words + 1] = key .. "=" .. Values.write(key, values[key])
      written[key] = true
    end
  end
  local rest = {}
  for key in pairs(values) do
    if not written[key] then rest[#rest + 1] = key end
  end
  table.sort(rest)
  for _, key in ipairs(rest) do words[#words + 1] = key .. "=" .. Values.write(key, values[key]) end
  return table.concat(words, " ")
end

-- Rank.CALLS[verb]: the function that a command calls again and again, where it is not named after it.
Rank.CALLS = {}

-- rank:start(verb, pairs [, {deadline=ms, thread=name, lines={..}}]): sends a command and returns it as pending.
function Rank:start(verb, values, options)
  options = options or {}
  local id = core.send(self.index, options.deadline or DEADLINE_MS, options.thread, write_pairs(verb, values or {}),
    options.lines, Rank.CALLS[verb] or verb)
  self.latest = setmetatable({ rank = self, id = id, verb = verb }, Pending)
  return self.latest
end

-- rank:call(verb, pairs [, options]): the same, and waits for the result: a table with `rc`, the reply's other
-- pairs, and `call`, the call's name for a report.
function Rank:call(verb, values, options)
  return self:start(verb, values, options):finish()
end

-- pending:finish(): waits and returns the result. pending:done(): whether the reply is there, without waiting.
function Pending:finish()
  if not self.result then
    self.result = Values.read_pairs(core.wait(self.rank.index, self.id, Rank.CALLS[self.verb]))
    self.result.verb = Rank.CALLS[self.verb] or self.verb
    self.result.call = self.rank.label .. " " .. self.verb
  end
  return self.result
end

function Pending:done()
  return self.result ~= nil or core.ready(self.rank.index, self.id)
end

-- Rank.patiently(ms, ask, done): calls ask(ms), and again with as much time as this machine had no processor for
-- meanwhile, until done(result). Returns the last result: what is late by that alone is not missed.
local PATIENCE, WORTH_MS, LONG_MS = 8, 20, 500

function Rank.patiently(ms, ask, done)
  local before, given = core.host_lost(), 0
  local result = ask(ms)
  while not done(result) do
    local more = math.min(core.host_lost() - before, PATIENCE * ms) - given
    if more < WORTH_MS then break end
    given = given + more
    result = ask(more)
  end
  if ms >= LONG_MS and not done(result) then core.waited_in_vain() end
  return result
end

-- rank:batch(repeats, { {verb, pairs}, .. } [, {deadline=ms, until_error=true}]): executes the commands in order,
-- `repeats` times, in one round trip. In values "%i" is the round's number, "%I" the same in hexadecimal. Result:
-- runs, line, rc.
function Rank:batch(repeats, commands, options)
  return self:start_batch(repeats, commands, options):finish()
end

-- rank:start_batch(...): the same, pending.
function Rank:start_batch(repeats, commands, options)
  options = options or {}
  local lines = {}
  for i, command in ipairs(commands) do
    lines[i] = write_pairs(command[1], command[2] or {})
    self.batched = self.batched or command[1] == "PtlPut"
  end
  local values = { lines = #lines, ["repeat"] = repeats, ["until"] = options.until_error and "error" or nil }
  local deadline = options.deadline or math.min(DEADLINE_MS + repeats * #lines * SLOW_MS, LONGEST_MS)
  return self:start("batch", values, { deadline = deadline, thread = options.thread, lines = lines })
end

-- rank:batch_for(ms, most, commands): the same up to `most` rounds, in as many round trips as it takes to stop after
-- about `ms`; "%i" begins anew with each of them. Result: runs of all of them, line and rc of the last, and `late`:
-- time was up before all rounds were done.
function Rank:batch_for(ms, most, commands)
  local begun, total, count, result = core.now(), 0, 100, nil
  repeat
    local before = core.now()
    result = self:batch(math.min(count, most - total), commands)
    total = total + result.runs
    if core.now() - before < 500 then count = 2 * count end
  until result.line ~= 0 or total == most or core.now() - begun > ms
  result.runs, result.late = total, result.line == 0 and total < most
  return result
end

-- rank:wait_end(ms): waits until the process has ended or its connection closed, and returns the reason; nil when it
-- has not. While this waits the end of the process is not a failure.
function Rank:wait_end(ms)
  return core.gone(self.index, ms)
end

-- rank:quit(): tells the process to end in good order. rank:abandon(): to end at once, without PtlFini.
function Rank:quit()
  return self:call("quit", {})
end

function Rank:abandon()
  return self:call("abandon", {})
end
