-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Values of the interpreter protocol (specs/interpreter.md, section 3): how Lua's values are written into a
-- command, how a reply's pairs become a table, how a value is shown in a report, and when two values are the same.
--
-- The engine gives this folder the table `core` of primitives and the empty classes Test, Rank, Pending, Peer and
-- Stream.

Values = {}

local KINDS = {
  both = { "nid", "pid", "gid", "rid" },
  nid = { "nid", "pid" },
  gid = { "gid", "rid" },
  kind = { "number", "nid", "pid", "gid", "rid" },
}

-- These parameters are patterns of bits: integers are written in hexadecimal.
local BITS = { match_bits = true, ignorebits = true, user_ptr = true }

-- Values.is_id(value): whether it is a table that describes a process.
function Values.is_id(value)
  return type(value) == "table" and KINDS[value.kind] ~= nil
end

-- Values.write_id(id): "both/1/2/3/4" and so on. A component may be an integer or "any".
function Values.write_id(id)
  local parts = { id.kind }
  for _, member in ipairs(KINDS[id.kind]) do
    if id[member] == nil then
      error("a process id of kind " .. id.kind .. " needs the member " .. member, 0)
    end
    parts[#parts + 1] = tostring(id[member])
  end
  return table.concat(parts, "/")
end

-- Values.write(key, value): the text of one value in a command.
function Values.write(key, value)
  if math.type(value) == "integer" then
    return BITS[key] and string.format("0x%x", value) or string.format("%d", value)
  elseif type(value) == "boolean" then
    return tostring(value)
  elseif Values.is_id(value) then
    return Values.write_id(value)
  elseif type(value) == "string" and value ~= "" and not value:find("[^\33-\126]") then
    return value
  end
  error("the value of " .. key .. " cannot be written into a command: " .. Values.show(value), 0)
end

local function read_id(text)
  local kind, rest = text:match("^(%l+)/(.*)$")
  local members = kind and KINDS[kind]
  if not members then return nil end
  local id, index = { kind = kind }, 0
  for part in rest:gmatch("[^/]+") do
    index = index + 1
    if members[index] then id[members[index]] = core.integer(part) or part end
  end
  return index == #members and id or nil
end

local function unescape(text)
  return (text:gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end))
end

-- Values.read(text): integers, booleans, process ids; anything else stays text.
function Values.read(text)
  if text == "true" or text == "false" then return text == "true" end
  return core.integer(text) or read_id(text) or unescape(text)
end

local function place(result, path, value)
  local node, last = result, nil
  for key in path:gmatch("[^.]+") do
    if last then
      if type(node[last]) ~= "table" then node[last] = {} end
      node = node[last]
    end
    last = key
  end
  node[last] = value
end

-- Values.read_pairs(text): a reply's pairs as a table; `event.mem_desc.length=8` becomes
-- result.event.mem_desc.length.
function Values.read_pairs(text)
  local result = {}
  for key, value in text:gmatch("([^ =]+)=([^ ]*)") do
    if key == "rc" or key:find("%.rc$") then
      place(result, key, value) -- return codes stay text, whatever they look like
    else
      place(result, key, Values.read(value))
    end
  end
  return result
end

-- Values.same(a, b): equality by content; two process ids are the same when the members that both have are.
function Values.same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for key, value in pairs(a) do
    if not Values.same(value, b[key]) then return false end
  end
  for key in pairs(b) do
    if a[key] == nil then return false end
  end
  return true
end

local SHOWN_OCTETS = 48

local function show_text(text)
  if not text:find("[^\32-\126]") then return text end
  local shown = text:sub(1, SHOWN_OCTETS):gsub(".", function(octet) return string.format("%02x ", octet:byte()) end)
  return string.format("%d octets %s%s", #text, shown, #text > SHOWN_OCTETS and "..." or "")
end

-- Values.show(value): the value as a person reads it in a report.
function Values.show(value)
  if type(value) == "string" then
    return show_text(value)
  elseif type(value) ~= "table" then
    return tostring(value)
  elseif Values.is_id(value) then
    return Values.write_id(value)
  end
  local keys, parts = {}, {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for _, key in ipairs(keys) do
    local text = Values.show(value[key])
    parts[#parts + 1] = math.type(key) and text or tostring(key) .. "=" .. text
  end
  return "{" .. table.concat(parts, ", ") .. "}"
end

-- Values.repeated(value, count): a list that holds the value so many times.
function Values.repeated(value, count)
  local list = {}
  for i = 1, count do list[i] = value end
  return list
end

-- each(list): for a loop over a table of cases, the members of each row by name:
--
--   for name, label in each { { "lowest", 0x1000 }, { "highest", 0x2500 } } do
--
-- The first member of a row is never nil; a row may lack the last ones.
local ROW_MAX = 10

function each(list)
  local i = 0
  return function()
    i = i + 1
    if list[i] then return table.unpack(list[i], 1, ROW_MAX) end
  end
end

local DIGITS = {}
for octet = 0, 255 do
  DIGITS[string.char(octet)] = string.format("%02x", octet)
end

-- Values.octets(text): the octets of hexadecimal digits, with blanks between them or without. Values.digits(octets):
-- the reverse, without.
function Values.octets(text)
  return (text:gsub("%s+", ""):gsub("%x%x", function(digits) return string.char(tonumber(digits, 16)) end))
end

function Values.digits(octets)
  return (octets:gsub(".", DIGITS))
end
