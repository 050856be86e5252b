// SPDX-License-Identifier: MIT

import Glibc

/// What one run came to: figures by name.
struct Measurement {
    private var figures: [(name: String, value: Double)]

    init(_ figures: KeyValuePairs<String, Double> = [:]) {
        self.figures = figures.map { ($0.key, $0.value) }
    }

    /// The throughput of so many bytes.
    init(bytes: Int, in duration: Duration) {
        self.init(["mb_per_second": Double(bytes) / 1e6 / duration.seconds])
    }

    /// A line of JSON, with the most memory that the process has had resident.
    var json: String {
        let all = figures + [("peak_mb", Self.peakMegabytes)]
        return "{" + all.map { "\"\($0.name)\": \($0.value)" }.joined(separator: ", ") + "}"
    }

    /// Runs `send` so many times from so many tasks at once, after a warm-up.
    static func run(
        count: Int, concurrency: Int, send: @escaping @Sendable () async throws -> Void
    ) async throws -> Measurement {
        for _ in 0..<min(200, count / 5) { try await send() }
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
        }.sorted()
        let wall = (clock.now - start).seconds
        let processor = processorSeconds() - processorBefore
        return Measurement([
            "per_second": Double(count) / wall,
            "p50_us": latencies[count / 2].seconds * 1e6,
            "p99_us": latencies[min(count - 1, count * 99 / 100)].seconds * 1e6,
            "cpu_us": processor / Double(count) * 1e6,
        ])
    }

    // Not getrusage's, which starts with what the process that started this one had.
    private static var peakMegabytes: Double {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                .split { $0.isWhitespace }
            if words.first == "VmHWM:", words.count > 1, let kilobytes = Double(words[1]) { return kilobytes / 1024 }
        }
        return 0
    }

    private static func processorSeconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
