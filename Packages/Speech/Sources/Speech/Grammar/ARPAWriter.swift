// SPDX-License-Identifier: MIT

internal import Glibc

/// Lines of an ARPA file: probabilities as logarithms to the base 10 with four decimals.
struct ARPAWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int = 1 << 16) { bytes.reserveCapacity(capacity) }

    mutating func text(_ text: String) { bytes += text.utf8 }

    mutating func line(_ probability: Double, _ words: [String], _ backoff: Double?) {
        number(probability)
        for word in words {
            bytes.append(0x20)
            bytes += word.utf8
        }
        if let backoff {
            bytes.append(0x20)
            number(backoff)
        }
        bytes.append(0x0A)
    }

    private mutating func number(_ probability: Double) {
        let scaled = Int((-10_000 * log10(min(1, max(1e-12, probability)))).rounded())
        if scaled > 0 { bytes.append(0x2D) }
        bytes += String(scaled / 10_000).utf8
        bytes.append(0x2E)
        var digits = scaled % 10_000
        var place = 1000
        while place > 0 {
            bytes.append(0x30 + UInt8(digits / place))
            digits %= place
            place /= 10
        }
    }
}
