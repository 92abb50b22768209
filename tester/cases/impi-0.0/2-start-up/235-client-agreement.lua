-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What all clients agree on counts every one of them: the first and the last, and as many as there are
-- (chapters 2.3.5 and 3.9).

defaults { role = "client", suite = "startup", chapter = "2.3.5" }

for key, value in each { { "xsize", 512 }, { "maxlinear", 7 } } do
  case {
    id = "client-differs-in-a-third-" .. key,
    title = "A client that agrees with the second does not agree with the third, and ends in an error: " .. key,
    purpose = "The client under test is the first; the last of three contributes another value. No MPI program must run.",
    requirements = { "IMPI-065" },
    run = function(t)
      local job = t:impi_job { rank = 0, others = { {}, { [key] = value } } }:start():authenticate():join()
      job:try_collect()
      t:ends_with_error("IMPI-065", job)
    end,
  }
end

case {
  id = "client-limits-of-the-last-client",
  title = "Tag bound and data length of a client of higher rank hold as well",
  purpose = "The client under test is the second of three; the third has the smallest of both. MPI_TAG_UB is its bound, and no packet to the first has more data than it takes.",
  requirements = { "IMPI-061", "IMPI-062" }, incoming = true,
  run = function(t)
    local job = t:impi_job { rank = 1, others = { { tagub = 50000, datalen = 1000 }, { tagub = 40000, datalen = 90 } } }
    job:judging("IMPI-062")
    job:open()
    local rank, own = job.ranks[0], job.processes[1]
    local result = t:rc("IMPI-062", rank:MPI_Attr_get { comm = "MPI_COMM_WORLD", keyval = "MPI_TAG_UB" }, "MPI_SUCCESS")
    t:equal("IMPI-062", "MPI_TAG_UB", result.attribute_val, 40000)
    rank:octets("buf", 91, "mix/1")
    for _, scripted in ipairs { 0, 2 } do
      local sending = rank:start_MPI_Send { count = 91, dest = scripted, tag = 40000 }
      local message, reason = job.processes[scripted]:receive { src = own, tag = 40000 }
      t:check("IMPI-061", "packets of the message to process " .. scripted, message and message.packets > 1,
        "more than one", message and message.packets or reason)
      t:rc("IMPI-061", sending:finish(), "MPI_SUCCESS")
    end
    job:finish("IMPI-062")
  end,
}

-- Where the smallest value stands: the others' ranks are 0 to 4, and the client under test is the third.
for name, at in each { { "first", 1 }, { "one-before-it", 2 }, { "one-behind-it", 3 }, { "last", 4 } } do
  case {
    id = "client-limits-smallest-of-the-" .. name,
    title = "Tag bound and data length are the smallest of five clients, that of the " .. name:gsub("-", " "),
    purpose = "The client under test is the third of five. One of the others has the smallest of both, and those beside it more and less than each other. MPI_TAG_UB is that bound, and no packet has more data.",
    requirements = { "IMPI-061", "IMPI-062" }, incoming = true,
    run = function(t)
      local others = {}
      for i, more in ipairs { 3000, 9000, 6000, 8000 } do others[i] = { tagub = 40000 + more, datalen = 200 + more } end
      others[at] = { tagub = 40000, datalen = 90 }
      local job = t:impi_job { rank = 2, others = others }
      job:judging("IMPI-062")
      job:open()
      local rank, own = job.ranks[0], job.processes[2]
      local result = t:rc("IMPI-062", rank:MPI_Attr_get { comm = "MPI_COMM_WORLD", keyval = "MPI_TAG_UB" },
        "MPI_SUCCESS")
      t:equal("IMPI-062", "MPI_TAG_UB", result.attribute_val, 40000)
      rank:octets("buf", 91, "mix/1")
      for _, scripted in ipairs { 0, 4 } do
        local sending = rank:start_MPI_Send { count = 91, dest = scripted, tag = 40000 }
        local message, reason = job.processes[scripted]:receive { src = own, tag = 40000 }
        t:check("IMPI-061", "packets of the message to process " .. scripted, message and message.packets > 1,
          "more than one", message and message.packets or reason)
        t:rc("IMPI-061", sending:finish(), "MPI_SUCCESS")
      end
      job:finish("IMPI-062")
    end,
  }
end

case {
  id = "client-of-32",
  title = "A mask with all 32 bits set is read as that of 32 clients",
  purpose = "The client under test is the last of 32. The last but one has the smallest data length. The job runs.",
  requirements = { "IMPI-055", "IMPI-061" }, deadline = 90,
  run = function(t)
    local others = {}
    for i = 1, 31 do others[i] = {} end
    others[31].datalen = 90
    local job = t:impi_job { others = others }
    job:judging("IMPI-055")
    job:open()
    t:ping_pong_with("IMPI-055", job, { 0, 15, 30 })
    local rank, own = job.ranks[0], job.processes[31]
    rank:octets("buf", 91, "mix/1")
    local sending = rank:start_MPI_Send { count = 91, dest = 30, tag = 1 }
    local message, reason = job.processes[30]:receive { src = own, tag = 1 }
    t:check("IMPI-061", "packets of a message of 91 octets", message and message.packets > 1, "more than one",
      message and message.packets or reason)
    t:rc("IMPI-061", sending:finish(), "MPI_SUCCESS")
    job:finish("IMPI-055")
  end,
}

case {
  id = "client-many-versions",
  title = "A list of a thousand versions is read whole",
  purpose = "The last client offers 0.0 to 0.999, which is 8000 octets, the one before 0.0 alone. The job runs by 0.0.",
  requirements = { "IMPI-059" },
  run = function(t)
    local versions = {}
    for minor = 0, 999 do versions[minor + 1] = { 0, minor } end
    local job = t:impi_job { others = { {}, { values = { C_VERSION = versions } } } }
    job:judging("IMPI-059")
    job:open()
    t:ping_pong_with("IMPI-059", job, { 0, 1 })
    job:finish("IMPI-059")
  end,
}
