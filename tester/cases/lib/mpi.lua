-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- MPI as cases speak it (specs/interpreter.md, section 7): rank:MPI_Send{...} calls and gives the result with `rc`, for
-- the case to judge; rank:start_MPI_Send{...} does not wait. Parameters have the standard's names; `comm` is
-- MPI_COMM_WORLD, `datatype` MPI_BYTE, `buf` the region "buf" and `tag` 0 unless given.

local WAIT_MS = 10000

local DEFAULTS = { comm = "MPI_COMM_WORLD", datatype = "MPI_BYTE", buf = "buf", tag = 0, count = 0 }

-- Which of the defaults a call takes, and the order in which its pairs are written.
local CALLS = {
  MPI_Init = {}, MPI_Initialized = {}, MPI_Finalize = {}, MPI_Abort = { "comm", "errorcode" },
  MPI_Wtime = {}, MPI_Error_string = { "errorcode" }, MPI_Errhandler_set = { "comm", "errhandler" },
  MPI_Comm_rank = { "comm" }, MPI_Comm_size = { "comm" }, MPI_Comm_dup = { "comm", "newcomm" },
  MPI_Comm_split = { "comm", "color", "key", "newcomm" }, MPI_Comm_create = { "comm", "group", "newcomm" },
  MPI_Comm_free = { "comm" }, MPI_Comm_group = { "comm", "group" }, MPI_Comm_remote_size = { "comm" },
  MPI_Attr_get = { "comm", "keyval" }, MPI_Barrier = { "comm" },
  MPI_Probe = { "source", "tag", "comm", "status" }, MPI_Iprobe = { "source", "tag", "comm", "status" },
  MPI_Recv = { "buf", "count", "datatype", "source", "tag", "comm", "status" },
  MPI_Irecv = { "buf", "count", "datatype", "source", "tag", "comm", "request" },
  MPI_Recv_init = { "buf", "count", "datatype", "source", "tag", "comm", "request" },
  MPI_Wait = { "request", "status" }, MPI_Test = { "request", "status" }, MPI_Start = { "request" },
  MPI_Cancel = { "request" }, MPI_Request_free = { "request" }, MPI_Test_cancelled = { "status" },
  MPI_Get_count = { "status", "datatype" }, MPI_Get_elements = { "status", "datatype" },
  MPI_Buffer_attach = { "buffer", "size" }, MPI_Buffer_detach = {},
}
for _, form in ipairs { "MPI_Send", "MPI_Bsend", "MPI_Ssend", "MPI_Rsend" } do
  CALLS[form] = { "buf", "count", "datatype", "dest", "tag", "comm" }
  CALLS[form .. "_init"] = { "buf", "count", "datatype", "dest", "tag", "comm", "request" }
end
for _, form in ipairs { "MPI_Isend", "MPI_Ibsend", "MPI_Issend", "MPI_Irsend" } do
  CALLS[form] = CALLS.MPI_Send_init
end

local function define(verb, order)
  Rank.PARAMETERS[verb] = order
  Rank["start_" .. verb] = function(rank, given)
    local values, options = {}, {}
    for _, key in ipairs(order or {}) do values[key] = DEFAULTS[key] end
    for key, value in pairs(given or {}) do values[key] = value end
    options.deadline, options.thread = values.deadline, values.thread
    values.deadline, values.thread = nil, nil
    rank.called = rank:start(verb, values, options)
    return rank.called
  end
  Rank[verb] = function(rank, given) return rank["start_" .. verb](rank, given):finish() end
end

for verb, order in pairs(CALLS) do
  define(verb, order)
end

-- Any other function of MPI: the pairs as they are given.
setmetatable(Rank, { __index = function(class, name)
  local verb = type(name) == "string" and (name:match("^start_(MPI_%w[%w_]*)$") or name:match("^(MPI_%w[%w_]*)$"))
  if verb then
    define(verb, nil)
    return rawget(class, name)
  end
end })

-- t:mpi(result): a call that only prepares the case must return MPI_SUCCESS, else the case is inconclusive. Returns the
-- result.
function Test:mpi(result)
  return self:setup(result, "MPI_SUCCESS")
end

-- rank:octets(name, count [, pattern]): a region filled with a pattern ("mix/SEED", "byte/V").
function Rank:octets(name, count, pattern)
  self:call("alloc", { name = name, octets = count })
  if pattern then
    self:call("fill", { name = name, offset = 0, octets = count, pattern = pattern })
  end
end

-- rank:complete(request [, ms [, status]]): waits until a request is complete; false when it is not.
function Rank:complete(request, ms, status)
  ms = ms or WAIT_MS
  local result = Rank.patiently(ms, function(wait)
    return self:call("complete", { request = request, ms = wait, status = status }, { deadline = wait + WAIT_MS })
  end, function(found) return found.rc ~= "MPI_SUCCESS" or found.flag end)
  return result.rc == "MPI_SUCCESS" and result.flag, result
end
