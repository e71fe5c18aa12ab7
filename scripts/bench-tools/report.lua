-- wrk's result as one line of JSON, for scripts/bench.
function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '{"requestsPerSecond":%.1f,"p50Microseconds":%d,"p99Microseconds":%d,"requests":%d,"failed":%d}\n',
    summary.requests * 1e6 / summary.duration, latency:percentile(50), latency:percentile(99), summary.requests,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
