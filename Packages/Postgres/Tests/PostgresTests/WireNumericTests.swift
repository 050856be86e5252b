// SPDX-License-Identifier: MIT

import Testing

@testable import Postgres

@Suite struct WireNumericTests {
    /// The words are those of `numeric_send`: the number of groups, the weight, the sign, the scale, and the groups.
    @Test(
        arguments: [
            ([1, 0, 0, 0, 5], "5", 5), ([2, 1, 0x4000, 2, 1, 20], "-10020.00", -10_020), ([0, 0, 0, 2], "0.00", 0),
            // No server sends zeros in front; they are no digits.
            ([0, 3_328, 0, 2], "0.00", 0), ([2, 1, 0, 0, 0, 5], "5", 5), ([3, 2, 0, 4, 0, 0, 7], "7.0000", 7),
            ([2, 0, 0, 4, 0, 5], "0.0005", nil),
        ] as [([Int], String, Int64?)])
    func `a number and its text are the same`(words: [Int], text: String, integer: Int64?) throws {
        let bytes = words.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let number = try #require(bytes.withUnsafeBytes { WireNumeric($0) })
        #expect(number.text == text && number.integer == integer)
    }
}
