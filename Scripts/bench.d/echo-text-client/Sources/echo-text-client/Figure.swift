// SPDX-License-Identifier: MIT

import Glibc

/// Prints a result line.
func emit(_ metric: String, _ value: Double, _ unit: String, peer: String? = nil, _ peerValue: Double? = nil) {
    func number(_ value: Double?) -> String { value.map { "\(($0 * 10_000).rounded() / 10_000)" } ?? "null" }
    print(
        """
        {"metric": "\(metric)", "value": \(number(value)), "unit": "\(unit)", \
        "peer": \(peer.map { "\"\($0)\"" } ?? "null"), "peer_value": \(number(peerValue)), \
        "ratio": \(number(peerValue.map { value / $0 }))}
        """)
}

/// A clock in nanoseconds.
func nanoseconds(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// The process's memory in megabytes.
func residentMegabytes() -> Double {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
        separator: " ")
    return words.count > 1 ? (Double(words[1]) ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6 : 0
}
