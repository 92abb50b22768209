-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- AUTH as a client has to speak it: its mask, its key, and what it does when it is refused (chapter 2.3.3).

defaults { role = "client", suite = "startup", chapter = "2.3.3" }

-- The two methods that all must have. A client may have others besides (2.3.3).
local MANDATED = IMPI.NONE_BIT | IMPI.KEY_BIT

local QUIET = 400

-- A job whose user has set these variables, as far as its connection to the server; that it comes so far is judged by
-- `req`, if there is one.
local function started(t, none, key, req)
  local job = t:impi_job { env = { IMPI_AUTH_NONE = none, IMPI_AUTH_KEY = key } }
  if req then job:judging(req) end
  return job:start()
end

case {
  id = "client-begins-with-auth",
  title = "The first command that a client sends is AUTH with its mask",
  purpose = "Code, length and mask, big-endian; then it waits for the answer. The length is 4, or more for further masks, as the document advises for methods to come.",
  requirements = { "IMPI-026", "IMPI-001" },
  run = function(t)
    local job = started(t, "1", false)
    local head = job.server_link:take(8) or ""
    local length = #head == 8 and string.unpack(">I4", head, 5) or 0
    t:check("IMPI-026", "the first eight octets", head:sub(1, 4) == "AUTH" and length >= 4 and length <= 1024
      and length % 4 == 0, "AUTH and the length of a mask or a few", Values.show(head))
    -- Which methods it offers is for other cases to judge.
    local octets = job.server_link:take(length) or "\0\0\0\0"
    local mask, turned = string.unpack(">I4", octets), string.unpack("<I4", octets)
    t:check("IMPI-001", "the mask", mask & MANDATED ~= 0 or turned & MANDATED == 0, "most significant octet first",
      string.format("0x%x, which is 0x%x with its least significant octet first", mask, turned))
    t:link_silent("IMPI-026", "before the answer nothing follows", job.server_link, QUIET)
  end,
}

for _, row in ipairs { { "none-empty", "", false, 1 }, { "none-zero", "0", false, 1 }, { "none-one", "1", false, 1 },
    { "key", false, "5678", 2 }, { "both", "1", "5678", 3 }, { "none-and-key-zero", "", "0", 3 } } do
  local name, none, key, mask = row[1], row[2], row[3], row[4]
  case {
    id = "client-mask-" .. name,
    title = "The mask offers the methods that the environment makes available: " .. name:gsub("-", " "),
    purpose = "NONE by the presence of its variable, KEY by a value in its variable.",
    requirements = { "IMPI-027" },
    run = function(t)
      local job = started(t, none, key, "IMPI-027")
      local command = t:command("IMPI-027", job.server_link, "AUTH")
      t:check("IMPI-027", "how many masks there are", command.masks and #command.masks >= 1, "one, or more",
        command.masks and #command.masks)
      t:equal("IMPI-027", "the bits of the mandated methods", command.masks[1] & MANDATED, mask)
    end,
  }
end

case {
  id = "client-mask-key-empty",
  title = "A key variable without a value: recorded, with NONE judged",
  purpose = "The presence of a value makes KEY available. What an empty variable means is recorded; NONE is offered in any case.",
  requirements = { "IMPI-027" },
  run = function(t)
    local job = started(t, "1", "")
    local command = t:command("IMPI-027", job.server_link, "AUTH")
    t:equal("IMPI-027", "the bit of NONE", command.masks[1] & IMPI.NONE_BIT, IMPI.NONE_BIT)
    t:record("an empty key is offered", command.masks[1] & IMPI.KEY_BIT ~= 0)
  end,
}

case {
  id = "client-without-method",
  title = "A client without any method aborts with a message",
  purpose = "Neither variable is set: the client must end with a message and a status other than 0, and must not offer an empty mask.",
  requirements = { "IMPI-028" },
  run = function(t)
    local job = t:impi_job { env = { IMPI_AUTH_NONE = false, IMPI_AUTH_KEY = false } }:launch()
    t:ends_with_error("IMPI-028", job)
    local server_link = job.server:accept(0)
    local said = server_link and server_link:receive(0)
    t:check("IMPI-028", "what it says to the server", not said, "nothing", said and said.code)
  end,
}

for _, row in ipairs { { "example", "5678", "\0\0\0\0\0\0\x16\x2e" }, { "zero", "0", string.rep("\0", 8) },
    { "high-half", "4294967296", "\0\0\0\1\0\0\0\0" }, { "largest", "18446744073709551615", string.rep("\xff", 8) },
    { "top-bit", "9223372036854775808", "\x80" .. string.rep("\0", 7) },
    { "beside-none", "5678", "\0\0\0\0\0\0\x16\x2e", "1" } } do
  local name, text, octets, none = row[1], row[2], row[3], row[4] or false
  case {
    id = "client-key-" .. name,
    title = "KEY is answered by the eight octets of the key: " .. text .. (none and ", with NONE offered too" or ""),
    purpose = "The octets have no head of a command. Behind them comes IMPI, for the server does not answer a right key.",
    requirements = { "IMPI-030" },
    run = function(t)
      local job = started(t, none, text, "IMPI-030")
      t:command("IMPI-030", job.server_link, "AUTH")
      job.server_link:choose(IMPI.KEY)
      t:equal("IMPI-030", "the key", job.server_link:take(8), octets)
      t:command("IMPI-030", job.server_link, "IMPI", { length = 4, value = 1 })
    end,
  }
end

for suffix, key in each { { "", "5678" }, { "-of-a-key-of-64-bits", "18446744073709551615" },
    { "-of-a-key-of-zero", "0" }, { "-without-a-key", false } } do
  case {
    id = "client-none-sends-nothing" .. suffix,
    title = "NONE is answered by nothing: IMPI follows" .. suffix:gsub("-", " "),
    purpose = "A client that has offered both methods, or this one alone, is told NONE. A key must not be sent.",
    requirements = { "IMPI-030" },
    run = function(t)
      local job = started(t, "1", key)
      t:command("IMPI-030", job.server_link, "AUTH")
      job.server_link:choose(IMPI.NONE)
      t:command("IMPI-030", job.server_link, "IMPI", { length = 4, value = 1 })
    end,
  }
end

for name, reset in each { { "closed", false }, { "reset", true } } do
  case {
    id = "client-key-refused-" .. name,
    title = "A client whose connection is " .. name .. " after its key reports an error",
    purpose = "The document's example: the server disconnects, the client says so and ends with a status other than 0.",
    requirements = { "IMPI-032" },
    run = function(t)
      local job = started(t, false, "1234")
      t:sanity("the client offers KEY", job:next("AUTH").masks[1] & MANDATED == IMPI.KEY_BIT)
      job.server_link:choose(IMPI.KEY)
      t:sanity("the key comes", job.server_link:take(8) ~= nil)
      if reset then
        job.server_link:reset()
      else
        job.server_link:close()
      end
      t:ends_with_error("IMPI-032", job)
    end,
  }
end

for name, none, key, which in each { { "key-not-offered", "1", false, 1 }, { "none-not-offered", false, "5678", 0 },
    { "unknown", "1", "5678", 2 }, { "no-bit", "1", "5678", 32 }, { "negative", "1", "5678", -1 } } do
  case {
    id = "client-choice-" .. name,
    title = "A choice that the client did not offer is an error: " .. which,
    purpose = "The client sends neither key nor IMPI, and ends with a message.",
    requirements = { "IMPI-037" }, negative = true,
    run = function(t)
      local job = started(t, none, key)
      local masks = job:next("AUTH").masks
      local offered = masks[1]
      t:skip_if(which > 31 and #masks > 1, "the client has masks for methods of such numbers")
      t:sanity("the method was not offered", which < 0 or which > 31 or offered & (1 << which) == 0)
      job:may_end(true)
      job.server_link:choose(which)
      t:confirm_violation("choice-not-offered")
      t:disconnects("IMPI-037", "the client's connection", job.server_link)
      t:ends_with_error("IMPI-037", job)
    end,
  }
end
