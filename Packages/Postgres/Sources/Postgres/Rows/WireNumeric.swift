// SPDX-License-Identifier: MIT

/// A `numeric` in the server's binary form (`numeric_send`): groups of four decimal digits, the weight of the first
/// group as a power of 10,000, a sign, and the number of decimal digits to show.
struct WireNumeric {
    private enum Sign {
        case positive
        case negative
        case special(String)
    }

    private let sign: Sign
    private let weight: Int
    private let scale: Int
    private let groups: [Int]

    /// Reads one; nil for bytes that no server sends.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 8 else { return nil }
        func word(_ index: Int) -> Int { Int(bytes[2 * index]) << 8 | Int(bytes[2 * index + 1]) }
        let count = word(0)
        guard bytes.count == 8 + 2 * count else { return nil }
        switch word(2) {
        case 0: sign = .positive
        case 0x4000: sign = .negative
        case 0xC000: sign = .special("NaN")
        case 0xD000: sign = .special("Infinity")
        case 0xF000: sign = .special("-Infinity")
        default: return nil
        }
        scale = word(3)
        // No server sends zeros in front; they would be digits of the text.
        let sent = (0..<count).map { word(4 + $0) }
        let zeros = sent.prefix { $0 == 0 }.count
        groups = Array(sent.dropFirst(zeros))
        weight = groups.isEmpty ? 0 : Int(Int16(truncatingIfNeeded: word(1))) - zeros
        guard scale < 1 << 14, groups.allSatisfy({ $0 < 10_000 }) else { return nil }
    }

    /// The number with all its digits.
    var text: String {
        if case .special(let name) = sign { return name }
        var text = if case .negative = sign { "-" } else { "" }
        if weight < 0 { text += "0" }
        for power in stride(from: weight, through: 0, by: -1) {
            let group = String(self.group(ofPower: power))
            // The first group has no zeros before it.
            text += power == weight ? group : String(repeating: "0", count: 4 - group.count) + group
        }
        guard scale > 0 else { return text }
        var fraction = ""
        var power = -1
        while fraction.utf8.count < scale {
            let group = String(self.group(ofPower: power))
            fraction += String(repeating: "0", count: 4 - group.count) + group
            power -= 1
        }
        return text + "." + fraction.prefix(scale)
    }

    /// The number, if it is whole and fits.
    var integer: Int64? {
        if case .special = sign { return nil }
        // A group below the point that is not zero is a fraction.
        for (index, group) in groups.enumerated() where weight - index < 0 && group != 0 { return nil }
        let isNegative = if case .negative = sign { true } else { false }
        var value: Int64 = 0
        for power in stride(from: weight, through: 0, by: -1) {
            let group = Int64(self.group(ofPower: power))
            let (product, overflows) = value.multipliedReportingOverflow(by: 10_000)
            let (sum, overflowsAgain) =
                isNegative ? product.subtractingReportingOverflow(group) : product.addingReportingOverflow(group)
            if overflows || overflowsAgain { return nil }
            value = sum
        }
        return value
    }

    private func group(ofPower power: Int) -> Int {
        let index = weight - power
        return groups.indices.contains(index) ? groups[index] : 0
    }
}
