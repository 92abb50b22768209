-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- A server that is lost, or that says what cannot be, while a client starts (robustness of chapter 2.3).

defaults { role = "client", suite = "startup", chapter = "2.3.5" }

-- How far the start-up goes before the server is lost.
local PHASES = {
  { "connected", "its connection", function() end },
  { "mask", "its mask", function(job) job:next("AUTH") end },
  { "impi", "its rank", function(job) job:authenticate(); job:next("IMPI") end },
  { "half-a-size", "half of the number of clients", function(job)
    job:authenticate()
    job:next("IMPI")
    job.server_link:send_raw("IMPI\0\0\0\4\0\0", "half of IMPI")
  end },
  { "size", "the number of clients", function(job) job:authenticate():join() end },
  { "label", "its third label", function(job)
    job:authenticate():join()
    job:labels("C_NHOSTS")
    job:next("COLL")
  end },
  { "half-a-broadcast", "half of a broadcast", function(job)
    job:authenticate():join()
    job:labels("C_VERSION")
    job:next("COLL")
    job.server_link:send_raw("COLL\0\0\0\16\0\0\x11\0\0\0\0\3\0\0", "half of COLL")
  end },
  { "done", "its DONE", function(job) job:authenticate():join():labels() end },
}

for _, row in ipairs(PHASES) do
  for _, way in ipairs { "closed", "reset" } do
    local name, what, reach = row[1], row[2], row[3]
    local cut = name:find("half") ~= nil and way == "closed"
    case {
      id = "client-loses-server-behind-" .. name .. "-" .. way,
      title = "A server that is lost behind " .. what .. " ends the client with a message (" .. way .. ")",
      purpose = "The connection is " .. way .. ". The client ends with a status other than 0 and does not hang.",
      requirements = { "IMPI-249" }, negative = cut,
      run = function(t)
        if cut then t:honest_job("IMPI-249") end
        local job = t:impi_job {}:start()
        reach(job)
        if way == "reset" then
          job.server_link:reset()
        else
          job.server_link:close()
        end
        if cut then t:confirm_violation("command-cut") end
        t:ends_with_error("IMPI-249", job)
      end,
    }
  end
end

for name, length in each { { "largest", 0x7fffffff }, { "negative", -4 }, { "smallest", -0x80000000 } } do
  case {
    id = "client-coll-length-" .. name,
    title = "A broadcast whose length is " .. length .. " ends the client with a message",
    purpose = "Twelve octets follow and the server closes. The client neither crashes nor hangs.",
    requirements = { "IMPI-249" }, negative = true,
    run = function(t)
      t:honest_job("IMPI-249")
      local job = t:impi_job {}:start():authenticate():join()
      job:next("COLL")
      job.server_link:send("COLL", "\0\0\x10\0\0\0\0\3\0\0\0\0", length)
      job.server_link:close()
      t:confirm_violation(length < 0 and "command-length" or { "version-form", "command-cut" })
      t:ends_with_error("IMPI-249", job)
    end,
  }
end
