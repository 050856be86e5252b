// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import LocalIntents

@Suite struct NumberTests {
    private func number(_ text: String) throws -> String? {
        let tokens = try #require(TextTokeniser.tokens(of: text))
        return NumberReader.signed(tokens, at: 0).flatMap { $0.end == tokens.count ? $0.value.description : nil }
    }

    @Test(arguments: [
        ("0", "0"), ("1,000", "1000"), ("1,234,567.5", "1234567.5"), ("3.14", "3.14"), ("-7", "-7"),
        ("minus three", "-3"),
        ("zero", "0"), ("seventeen", "17"), ("twenty-five", "25"), ("ninety nine", "99"), ("a hundred", "100"),
        ("one hundred and five", "105"), ("two thousand and six", "2006"), ("five hundred twelve thousand", "512000"),
        ("three million two hundred thousand and one", "3200001"), ("two point five", "2.5"),
        ("one point five million", "1500000"), ("a dozen", "12"), ("half a dozen", "6"), ("a quarter", "0.25"),
        ("three quarters", "0.75"), ("two and a half", "2.5"), ("5 million", "5000000"),
    ]) func `numbers in words and digits are read`(text: String, value: String) throws {
        #expect(try number(text) == value)
    }

    @Test(arguments: ["five six", "twenty eleven", "hundred and", "and five", "million", "point", "", "one two three"])
    func `other words are no number`(text: String) throws {
        #expect(try number(text) == nil)
    }

    private static let units = NumberReader.units.sorted { $0.value < $1.value }.map(\.key)

    private static func words(_ value: Int, hasAnd: Bool) -> String {
        let tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
        switch value {
        case 0..<20: return units[value]
        case 20..<100: return tens[value / 10] + (value % 10 == 0 ? "" : "-" + units[value % 10])
        case 100..<1000:
            let rest = value % 100 == 0 ? "" : (hasAnd ? " and " : " ") + words(value % 100, hasAnd: hasAnd)
            return units[value / 100] + " hundred" + rest
        default:
            let (scale, name) = value < 1_000_000 ? (1000, "thousand") : (1_000_000, "million")
            let rest = value % scale == 0 ? "" : " " + words(value % scale, hasAnd: hasAnd)
            return words(value / scale, hasAnd: hasAnd) + " \(name)" + rest
        }
    }

    @Test func `numbers written in words are read back`() throws {
        var generator = SeededGenerator(seed: 23)
        for _ in 0..<2_000 {
            let value = Int.random(
                in: 0..<[100, 1_000, 1_000_000, 1_000_000_000][Int.random(in: 0..<4, using: &generator)],
                using: &generator)
            let text = Self.words(value, hasAnd: Bool.random(using: &generator))
            #expect(try number(text) == "\(value)", "\(text)")
        }
    }

    @Test func `arithmetic of fractions is exact until it overflows`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            let parts = (0..<4).map { _ in Int.random(in: -1_000...1_000, using: &generator) }
            let left = ExactNumber(parts[0], over: parts[1] == 0 ? 1 : parts[1])
            let right = ExactNumber(parts[2], over: parts[3] == 0 ? 1 : parts[3])
            #expect(left + right - right == left)
            #expect(left - right == -(right - left))
            if let quotient = left / right {
                #expect(quotient * right == left)
            } else {
                #expect(right == ExactNumber(0))
            }
        }
        #expect(!(ExactNumber(Int.max) * ExactNumber(Int.max)).isExact)
        #expect((ExactNumber(Int.min) * ExactNumber(-1)).doubleValue == 0x1p63)
        #expect((ExactNumber(Int.max) + ExactNumber(1)).doubleValue == 0x1p63)
        #expect(ExactNumber(Int.min, over: -1).doubleValue == 0x1p63)
    }

    @Test func `a number is written with ten decimals at most`() {
        #expect(ExactNumber(1, over: 3).description == "0.3333333333")
        #expect(ExactNumber(-5, over: 2).description == "-2.5")
        #expect(ExactNumber(6, over: -3).description == "-2")
    }
}
