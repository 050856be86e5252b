-- SPDX-License-Identifier: MIT
-- What every load prints at its end: one line of JSON. Answers other than 2xx spoil the run.
local threads = {}

function setup(thread)
   thread:set("id", #threads + 1)
   table.insert(threads, thread)
end

function done(summary, latency, requests)
   local errors, refused, exhausted = summary.errors, 0, 0
   for _, thread in ipairs(threads) do
      refused = refused + (thread:get("refused") or 0)
      exhausted = exhausted + (thread:get("exhausted") or 0)
   end
   io.write(string.format(
      '\n{"per_second":%.1f,"p50_us":%.0f,"p99_us":%.0f,"max_us":%.0f,"requests":%d,"refused":%d,"exhausted":%d}\n',
      summary.requests / (summary.duration / 1e6), latency:percentile(50), latency:percentile(99), latency.max,
      summary.requests,
      refused + errors.connect + errors.read + errors.write + errors.timeout + errors.status, exhausted))
end
