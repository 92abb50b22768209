-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Memory of a process under test (specs/interpreter.md, section 4): named regions, what is in them, and the judgement
-- that it is what it should be. A region has no other name in the process.

-- rank:region(name, octets [, {guard="before"|"after", skew=n, fill="mix/7"}]): a region of zeros, or of the pattern.
-- Returns its name.
function Rank:region(name, octets, options)
  options = options or {}
  self:call("alloc", { name = name, octets = octets, guard = options.guard, skew = options.skew })
  self.regions[name] = octets
  if options.fill then self:fill(name, options.fill) end
  return name
end

local function range(rank, name, offset, octets)
  offset = offset or 0
  return offset, octets or (rank.regions[name] or 0) - offset
end

-- rank:fill(name, pattern [, offset [, octets]]): to the region's end unless told otherwise.
function Rank:fill(name, pattern, offset, octets)
  offset, octets = range(self, name, offset, octets)
  return self:call("fill", { name = name, offset = offset, octets = octets, pattern = pattern })
end

-- rank:compare(name, pattern [, offset [, octets]]): result with equal, and at, expected, found when not.
function Rank:compare(name, pattern, offset, octets)
  offset, octets = range(self, name, offset, octets)
  return self:call("compare", { name = name, offset = offset, octets = octets, pattern = pattern })
end

-- rank:write(name, offset, text): puts the octets of a Lua string there. rank:read(name, offset, octets): gets them.
function Rank:write(name, offset, text)
  return self:call("write", { name = name, offset = offset, hex = Values.digits(text) })
end

function Rank:read(name, offset, octets)
  offset, octets = range(self, name, offset, octets)
  local pending = self:start("read", { name = name, offset = offset, octets = octets })
  return core.unhex(core.wait(self.index, pending.id):match("hex=(%x*)"))
end

-- rank:free(name), rank:hash(name [, offset [, octets]]) -> FNV-1a of 64 bits.
function Rank:free(name)
  self.regions[name] = nil
  return self:call("free", { name = name })
end

function Rank:hash(name, offset, octets)
  offset, octets = range(self, name, offset, octets)
  return self:call("hash", { name = name, offset = offset, octets = octets }).fnv1a64
end

-- t:octets(req, what, rank, name, pattern [, offset [, octets]]): judges that the memory holds the pattern.
function Test:octets(req, what, rank, name, pattern, offset, octets)
  local result = rank:compare(name, pattern, offset, octets)
  if result.equal then return self:check(req, what, true, pattern, pattern) end
  self:check(req, what, false, string.format("%s: octet %s is %s", pattern, result.at, result.expected),
    string.format("octet %s is %s", result.at, result.found))
end
