// SPDX-License-Identifier: MIT

import Glibc

/// A line of an event stream, cut into name and value (WHATWG HTML §9.2.6).
struct EventStreamField {
    enum Name: Equatable {
        case data
        case event
        case id
        case retry
        case comment
        case unknown
    }

    let name: Name
    /// Part of the line that it was made from, and valid as long as that.
    let value: UnsafeBufferPointer<UInt8>

    init(line: UnsafeBufferPointer<UInt8>) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.count
        var start = min(colon + 1, line.count)
        if start < line.count, line[start] == UInt8(ascii: " ") { start += 1 }
        name = Self.name(line[..<colon], hasColon: colon < line.count)
        value = UnsafeBufferPointer(rebasing: line[start...])
    }

    private static func name(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, hasColon: Bool) -> Name {
        switch bytes.count {
        case 0 where hasColon: .comment
        case 2 where equal(bytes, "id"): .id
        case 4 where equal(bytes, "data"): .data
        case 5 where equal(bytes, "event"): .event
        case 5 where equal(bytes, "retry"): .retry
        default: .unknown
        }
    }

    private static func equal(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ name: StaticString) -> Bool {
        guard let start = UnsafeBufferPointer(rebasing: bytes).baseAddress else { return false }
        return memcmp(start, name.utf8Start, bytes.count) == 0
    }

    /// The value as a number of milliseconds: nil unless it is one digit or more and nothing else. A value over the
    /// limit of the type becomes that limit.
    var milliseconds: Int64? {
        guard !value.isEmpty else { return nil }
        var result: Int64 = 0
        for byte in value {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int64(digit))
            result = overflow || carry ? .max : sum
        }
        return result
    }
}
