// SPDX-License-Identifier: MIT

import Glibc

/// What one run came to, as a line of JSON.
struct Measurement {
    private var latencies: [Duration]
    private let wall: Duration
    private let processor: Double

    /// Runs `send` so many times from so many tasks at once, after a warm-up.
    static func run(
        count: Int, concurrency: Int, send: @escaping @Sendable () async throws -> Void
    ) async throws -> Measurement {
        for _ in 0..<min(200, count) { try await send() }
        let clock = ContinuousClock()
        let processorBefore = processorSeconds()
        let start = clock.now
        let latencies = try await withThrowingTaskGroup(of: [Duration].self) { group in
            for worker in 0..<concurrency {
                group.addTask {
                    var latencies: [Duration] = []
                    for _ in stride(from: worker, to: count, by: concurrency) {
                        let began = clock.now
                        try await send()
                        latencies.append(clock.now - began)
                    }
                    return latencies
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        return Measurement(
            latencies: latencies.sorted(), wall: clock.now - start, processor: processorSeconds() - processorBefore)
    }

    var json: String {
        let seconds = Self.seconds(wall)
        let count = Double(latencies.count)
        let median = Self.seconds(latencies[latencies.count / 2]) * 1e6
        let tail = Self.seconds(latencies[min(latencies.count - 1, latencies.count * 99 / 100)]) * 1e6
        return """
            {"per_second": \(count / seconds), "p50_us": \(median), "p99_us": \(tail), \
            "cpu_us": \(processor / count * 1e6), "peak_mb": \(Self.peakMegabytes())}
            """
    }

    /// The most memory that was resident, in megabytes.
    static func peakMegabytes() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_maxrss) / 1024
    }

    private static func processorSeconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    }
}
