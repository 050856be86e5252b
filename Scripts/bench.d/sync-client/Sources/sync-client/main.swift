// SPDX-License-Identifier: MIT

import Foundation
import Sync

// One process for each measurement, so that its memory and processor time are its own. Prints one JSON object.
let usage = """
    usage: sync-client found HOME | add HOME PLACE NEWCOMER | join HOME PLACE | exchange HOME PLACE ROUNDS
           write HOME PLACE ENTRIES MESSAGES EXCHANGES   so many entries of so many messages, exchanged as often
           one HOME PLACE ROUNDS                         a change and an exchange, so many times
           hear HOME PLACE OTHER ROUNDS                  an exchange that finds a change of another device
           group HOME PLACE DEVICES                      adds devices until there are so many
    """
let words = Array(CommandLine.arguments.dropFirst())
guard words.count >= 2 else {
    print(usage)
    exit(2)
}
let home = words[1]
let place = CountedPlace(words.count > 2 ? words[2] : "")
let now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }
func number(_ index: Int) -> Int { index < words.count ? Int(words[index]) ?? 1 : 1 }

func processorTime() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000_000
}

/// The most memory that the process ever had, in MB.
func peak() -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
    return (Double(line.split(separator: " ").dropFirst().first?.filter(\.isNumber) ?? "") ?? 0) / 1_024
}

func milliseconds(_ body: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await body()
    return start.duration(to: .now) / .milliseconds(1)
}

func median(_ values: [Double]) -> Double { values.isEmpty ? 0 : values.sorted()[values.count / 2] }

var results: [String: Double] = [:]
var start = processorTime()
let device: Device =
    switch words[0] {
    case "found": try await Device.found(home)
    case "join": try await Device.join(home)
    default: try await Device.open(home)
    }

switch words[0] {
case "found": break
case "add":
    try await device.add(words[3])
    _ = try await device.sync.sync(with: place, now: now, isWhole: true)
case "join":
    results["ms"] = try await milliseconds {
        let report = try await device.sync.sync(with: place, now: now, isWhole: true)
        results["read"] = Double(report.readCount)
    }
    results["processor"] = (processorTime() - start) * 1_000
    results["peak"] = peak()
    var (last, count) = (UInt64(0), 0)
    results["feed"] = try await milliseconds {
        while case let changes = try await device.sync.changes(after: last, limit: 200), let newest = changes.last {
            last = newest.number
            count += changes.count { $0.key.kind == 17 && $0.record != nil }
        }
    }
    results["messages"] = Double(count)
case "exchange":
    var times: [Double] = []
    results["first"] = try await milliseconds {
        _ = try await device.sync.sync(with: place, now: now, isWhole: false)
    }
    results["first processor"] = (processorTime() - start) * 1_000
    start = processorTime()
    for _ in 0..<max(1, number(3)) {
        times.append(try await milliseconds { _ = try await device.sync.sync(with: place, now: now, isWhole: false) })
    }
    results["processor"] = (processorTime() - start) * 1_000 / Double(times.count)
    results["ms"] = median(times)
case "write":
    let (entries, messages, exchanges) = (number(3), number(4), number(5))
    var times: [Double] = []
    for entry in 0..<entries {
        let changes = (0..<messages).map { Message.change(entry * messages + $0) }
        times.append(try await milliseconds { try await device.sync.write(changes, now: now()) })
        if (entry + 1) % max(1, entries / max(1, exchanges)) == 0 {
            _ = try await device.sync.sync(with: place, now: now, isWhole: false)
        }
    }
    results["ms"] = median(times)
    results["processor"] = (processorTime() - start) * 1_000
case "one", "hear":
    let other = words[0] == "hear" ? try await Device.open(words[3]) : device
    var (writes, exchanges): ([Double], [Double]) = ([], [])
    for round in 0..<number(words[0] == "hear" ? 4 : 3) {
        writes.append(
            try await milliseconds { try await other.sync.write([Message.change(round)], now: now()) })
        if words[0] == "hear" { _ = try await other.sync.sync(with: place, now: now, isWhole: false) }
        exchanges.append(
            try await milliseconds { _ = try await device.sync.sync(with: place, now: now, isWhole: false) })
    }
    (results["write"], results["exchange"]) = (median(writes), median(exchanges))
case "group":
    for _ in 1..<number(3) { try await device.sync.add(SecretKeys().publicKeys, name: "a device") }
    _ = try await device.sync.sync(with: place, now: now, isWhole: false)
default:
    print(usage)
    exit(2)
}
results["peak"] = results["peak"] ?? peak()
(results["bytes"], results["objects"]) = (Double(place.byteCount), Double(place.objectCount))
await device.database.close()
print(String(decoding: try JSONSerialization.data(withJSONObject: results, options: .sortedKeys), as: UTF8.self))
