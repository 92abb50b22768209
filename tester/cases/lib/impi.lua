-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- The words of IMPI's start-up (chapter 2.3 of the IMPI 0.0 document): codes, labels, and how commands and values
-- become octets and texts. All integers are big-endian. What is written here is written from the document, apart from
-- the codec of wire/: a judge that shares no octet with what it judges.

IMPI = {}

-- Makes a class whose objects also have what `parent` has.
local function class(parent)
  local made = setmetatable({}, parent and { __index = parent })
  made.__index = made
  return made
end

-- The classes of the files impi_*.lua.
Link = class()        -- a connection of the start-up
Client = class(Link)  -- a scripted client's
ServerLink = class(Link)   -- a scripted server's
SutServer = class()   -- the system under test as a server
Server = class()      -- a scripted server
ImpiJob = class()     -- a job with the system under test as a client
Host = class()        -- of such a job
Process = class()
Channel = class(Link) -- a connection between hosts

-- IMPI.CODES.AUTH = 0x41555448 and so on; IMPI.code_name(number): its four letters, or "0x5859...".
IMPI.CODES = { AUTH = 0x41555448, IMPI = 0x494d5049, COLL = 0x434f4c4c, DONE = 0x444f4e45, FINI = 0x46494e49 }

local CODE_NAMES = {}
for name, number in pairs(IMPI.CODES) do
  CODE_NAMES[number] = name
end

function IMPI.code_name(number)
  return CODE_NAMES[number] or string.format("0x%08x", number)
end

-- Authentication methods, and the bits of the masks that offer them.
IMPI.NONE, IMPI.KEY = 0, 1
IMPI.NONE_BIT, IMPI.KEY_BIT = 1, 2

-- IMPI.LABELS: the labels of version 0.0 in their order: name, number, the form of one value (string.pack), what each
-- client gives one of ("client", "host", "process").
IMPI.LABELS = {
  { "C_VERSION", 0x1000, ">I4I4", "client" },
  { "C_NHOSTS", 0x1100, ">I4", "client" },
  { "C_NPROCS", 0x1200, ">I4", "client" },
  { "C_DATALEN", 0x1300, ">I4", "client" },
  { "C_TAGUB", 0x1400, ">i4", "client" },
  { "C_COLL_XSIZE", 0x1500, ">i4", "client" },
  { "C_COLL_MAXLINEAR", 0x1600, ">i4", "client" },
  { "H_IPV6", 0x2000, "c16", "host" },
  { "H_PORT", 0x2100, ">I4", "host" },
  { "H_NPROCS", 0x2200, ">I4", "host" },
  { "H_ACKMARK", 0x2300, ">I4", "host" },
  { "H_HIWATER", 0x2400, ">I4", "host" },
  { "P_IPV6", 0x3000, "c16", "process" },
  { "P_PID", 0x3100, ">i8", "process" },
}

local BY_NAME, BY_NUMBER = {}, {}
for _, row in ipairs(IMPI.LABELS) do
  local label = { name = row[1], number = row[2], form = row[3], per = row[4] }
  BY_NAME[label.name], BY_NUMBER[label.number] = label, label
end

-- IMPI.label(which): the label of that name or number; a number that is none is a label of opaque octets.
function IMPI.label(which)
  local known = BY_NAME[which] or BY_NUMBER[which]
  if not known and math.type(which) ~= "integer" then
    error("IMPI has no label " .. tostring(which), 0)
  end
  return known or { name = string.format("label 0x%x", which), number = which, per = "client" }
end

-- IMPI.values(which, values): the octets of a label's values. Octets stay as they are; else each value of the list is
-- written in the label's form (a version is {major, minor}).
function IMPI.values(which, values)
  if type(values) == "string" then return values end
  local label, parts = IMPI.label(which), {}
  for i, value in ipairs(values) do
    parts[i] = type(value) == "table" and string.pack(label.form, table.unpack(value))
      or string.pack(label.form or ">I4", value)
  end
  return table.concat(parts)
end

-- IMPI.read_values(which, octets): the reverse, as a list; nil when the octets are no whole number of values.
function IMPI.read_values(which, octets)
  local form = IMPI.label(which).form or ">I4"
  local width = string.packsize(form)
  if #octets % width ~= 0 then return nil end
  local values = {}
  for at = 1, #octets, width do
    local first, second = string.unpack(form, octets, at)
    values[#values + 1] = form == ">I4I4" and { first, second } or first
  end
  return values
end

-- IMPI.command(code, payload [, length]): octets of a command. `length` may lie.
function IMPI.command(code, payload, length)
  payload = payload or ""
  return string.pack(">I4I4", (IMPI.CODES[code] or code) & 0xffffffff, (length or #payload) & 0xffffffff) .. payload
end

-- IMPI.coll(which, values): octets of a client's COLL.
function IMPI.coll(which, values)
  return IMPI.command("COLL", string.pack(">I4", IMPI.label(which).number) .. IMPI.values(which, values))
end

-- IMPI.broadcast(which, mask, values): octets of the server's COLL.
function IMPI.broadcast(which, mask, values)
  local head = string.pack(">I4I4", IMPI.label(which).number, mask)
  return IMPI.command("COLL", head .. IMPI.values(which, values))
end

-- IMPI.key(number): octets of a key. IMPI.mask(...): octets of masks.
function IMPI.key(number)
  return string.pack(">i8", number)
end

function IMPI.mask(...)
  local parts = {}
  for i, mask in ipairs { ... } do parts[i] = string.pack(">I4", mask) end
  return table.concat(parts)
end

local SHOWN_VALUES = 8

-- IMPI.show_host(octets): 16 octets as a host: "127.0.0.1" in either form of IPv4, else hexadecimal.
function IMPI.show_host(octets)
  local prefix = octets:sub(1, 12)
  if prefix == string.rep("\0", 12) or prefix == string.rep("\0", 10) .. "\xff\xff" then
    return string.format("%s%d.%d.%d.%d", prefix:byte(12) == 255 and "::ffff:" or "::", octets:byte(13, 16))
  end
  return (octets:gsub(".", function(octet) return string.format("%02x", octet:byte()) end))
end

local function show_value(form, value)
  if form == "c16" then return IMPI.show_host(value) end
  return type(value) == "table" and value[1] .. "." .. value[2] or tostring(value)
end

local function show_values(which, octets)
  local form, shown = IMPI.label(which).form, {}
  local width = form and string.packsize(form)
  if not form or #octets % width ~= 0 then return Values.show(octets) end
  local first = IMPI.read_values(which, octets:sub(1, SHOWN_VALUES * width))
  for i, value in ipairs(first) do shown[i] = show_value(form, value) end
  local count = #octets // width
  return table.concat(shown, " ") .. (count > SHOWN_VALUES and string.format(" .. (%d values)", count) or "")
end

local function show_payload(code, payload, of_server)
  local head = of_server and 8 or 4
  if code == "COLL" and #payload >= head then
    local label = string.unpack(">I4", payload)
    local mask = of_server and string.format(" mask 0x%x", (string.unpack(">I4", payload, 5))) or ""
    return IMPI.label(label).name .. mask .. ": " .. show_values(label, payload:sub(head + 1))
  elseif (code == "AUTH" or code == "IMPI") and #payload > 0 and #payload % 4 == 0 then
    return show_values("C_COLL_XSIZE", payload)
  end
  return #payload > 0 and Values.show(payload) or ""
end

-- IMPI.describe(code, length, payload, of_server): a command on one line, for transcript and ladder.
function IMPI.describe(code, length, payload, of_server)
  local name = CODE_NAMES[code] or code
  return string.format("%s, %d %s", CODE_NAMES[code] and name or IMPI.code_name(code), length,
    show_payload(name, payload, of_server))
end

-- IMPI.host(address): the 16 octets of an IPv4 address, in the form of ten zero octets and two of ff.
function IMPI.host(address)
  local parts = {}
  for part in address:gmatch("%d+") do parts[#parts + 1] = string.char(tonumber(part)) end
  return string.rep("\0", 10) .. "\xff\xff" .. table.concat(parts)
end

-- IMPI.address(octets): the IPv4 address of 16 octets in either form, or nil.
function IMPI.address(octets)
  return IMPI.show_host(octets):match("(%d+%.%d+%.%d+%.%d+)$")
end

-- IMPI.ended_with_error(status): whether a command has ended by itself with a status other than 0.
function IMPI.ended_with_error(status)
  return status ~= nil and status:find("^status [1-9]") ~= nil
end

-- IMPI.escape(text): percent-encoded for a pair of the agent's.
function IMPI.escape(text)
  return (text:gsub("[^%w%-._~/:,+@]", function(octet) return string.format("%%%02X", octet:byte()) end))
end
