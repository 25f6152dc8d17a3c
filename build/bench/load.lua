-- The load for wrk. Callers take turns, so that nobody runs into a limit:
--   wrk ... -s load.lua URL -- CALLERS PATHS HEADER COUNT
-- CALLERS: a file with a header a line, such as "x-api-key: ...". PATHS: a file with a path a line, taken in order; an {n} in one
-- is another number each time. HEADER: one more header, or "-". COUNT: "count" to count each status, which costs time.
local callers, paths = {}, {}
local caller, path, n = 0, 0, 0
counted = ""

local function lines(name, into, make)
  for line in io.lines(name) do into[#into + 1] = make(line) end
end

function init(args)
  local header = args[3] == "-" and "" or (args[3] .. "\r\n")
  local rest = " HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: */*\r\n" .. header
  lines(args[1], callers, function(line) return rest .. line .. "\r\n\r\n" end)
  lines(args[2], paths, function(line)
    local head, tail = line:match("^(.-){n}(.*)$")
    return { head = "GET " .. (head or line), tail = tail }
  end)
  math.randomseed(os.time())
  n = math.random(1, 1000000) * 1000
  if args[4] == "count" then
    local seen = {}
    response = function(status)
      seen[status] = (seen[status] or 0) + 1
      counted = ""
      for code, times in pairs(seen) do counted = counted .. code .. ":" .. times .. " " end
    end
  end
end

function request()
  caller = caller % #callers + 1
  path = path % #paths + 1
  local one = paths[path]
  if one.tail then
    n = n + 1
    return one.head .. n .. one.tail .. callers[caller]
  end
  return one.head .. callers[caller]
end

local threads = {}
function setup(thread) threads[#threads + 1] = thread end

function done(summary, latency)
  local e = summary.errors
  print(string.format(
    'RESULT {"requests":%d,"micros":%d,"bytes":%d,"refused":%d,"failed":%d,"p50":%d,"p99":%d,"counted":"%s"}',
    summary.requests, summary.duration, summary.bytes, e.status, e.connect + e.read + e.write + e.timeout,
    latency:percentile(50), latency:percentile(99), threads[1]:get("counted") or ""
  ))
end
