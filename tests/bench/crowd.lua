-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What a connection of bench_web.py's crowd asks for (wrk -s crowd.lua URL -- KIND RUNS IMPLEMENTATION CSRF): of KIND
-- "reads", pages of one run after another; of "makes", runs, which it cancels again.

local PAGES = { "/api/v1/runs/run%013d", "/api/v1/runs/run%013d/results", "/api/v1/runs/run%013d/report.html" }
local threads = 0
local kind, runs, order
local made, at = {}, 0

-- Threads begin at different runs.
function setup(thread)
    thread:set("number", threads)
    threads = threads + 1
end

function init(arguments)
    kind, runs = arguments[1], tonumber(arguments[2])
    order = ('{"implementation":"%s","profile":"portals-3.0"}'):format(arguments[3])
    wrk.headers["Content-Type"] = "application/json"
    wrk.headers["X-Assay-CSRF"] = arguments[4]
    at = math.floor(number * runs / 2)
end

function request()
    at = at + 1
    if kind == "reads" then
        return wrk.format("GET", PAGES[at % #PAGES + 1]:format(at % runs))
    elseif #made > 0 then
        return wrk.format("POST", "/api/v1/runs/" .. table.remove(made) .. "/cancel")
    end
    return wrk.format("POST", "/api/v1/runs", nil, order)
end

function response(status, _, text)
    if status == 201 then
        made[#made + 1] = text:match('"id":"([^"]+)"')
    end
end
