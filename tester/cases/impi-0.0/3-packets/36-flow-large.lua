-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Flow control with marks that do not fit an octet (chapter 3.6), and for other processes than the first one.

defaults { role = "client", suite = "packets", chapter = "3.6" }

local ACKMARK, HIWATER = 260, 300

-- An open job in which these marks are in force, where the user of the system under test can choose them.
local function large(t)
  return t:pair_with_marks(ACKMARK, HIWATER, { env = { IMPI_ACKMARK = tostring(ACKMARK),
    IMPI_HIWATER = tostring(HIWATER) } })
end

case {
  id = "flow-large-hiwater",
  title = "A hiwater of " .. HIWATER .. " allows as many packets, and no more",
  purpose = "Five messages more than hiwater; one PROTOACK of ackmark " .. ACKMARK .. " brings the five.",
  requirements = { "IMPI-126", "IMPI-127" },
  run = function(t)
    local _, rank, own, other, channel = large(t)
    t:flood(rank, other, HIWATER + 5)
    t:expect_exactly("IMPI-126", channel, own, HIWATER, 1)
    channel:protoack(other, own)
    t:expect_exactly("IMPI-127", channel, own, 5, HIWATER + 1)
  end,
}

case {
  id = "flow-large-ackmark",
  title = "With an ackmark of " .. ACKMARK .. " a PROTOACK comes for as many packets, and none earlier",
  purpose = "One packet less brings nothing, the next one the PROTOACK.",
  requirements = { "IMPI-129" },
  run = function(t)
    local _, _, own, other, channel = large(t)
    for i = 1, ACKMARK - 1 do other:send_short(own, i, i, 4) end
    t:channel_silent("IMPI-129", "ackmark less one packets", channel)
    other:send_short(own, ACKMARK, 1, 4)
    t:packet("IMPI-129", channel, "PROTOACK", { src = own, dest = other })
  end,
}

case {
  id = "flow-protoack-of-the-second-process",
  title = "A PROTOACK releases the packets of the process that it names",
  purpose = "Two ranks have reached their hiwater. The PROTOACK for the second one brings its next messages, and none of the first.",
  requirements = { "IMPI-127", "IMPI-128" }, ranks = 2,
  run = function(t)
    local job, rank, own, other, channel = t:pair_with_marks(2, 3, { np = 2 })
    local second = job.processes[own.rank + 1]
    t:flood(rank, other, 5)
    t:expect_exactly("IMPI-127", channel, own, 3, 1)
    t:flood(job.ranks[1], other, 5, 101)
    t:expect_exactly("IMPI-127", channel, second, 3, 101)
    channel:protoack(other, second)
    t:expect_exactly("IMPI-128", channel, second, 2, 104)
    channel:protoack(other, own)
    t:expect_exactly("IMPI-128", channel, own, 2, 4)
  end,
}
