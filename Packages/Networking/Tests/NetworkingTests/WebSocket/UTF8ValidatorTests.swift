// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import Networking

@Suite("Incremental UTF-8")
struct UTF8ValidatorTests {
    private func accepts(_ bytes: [UInt8]) -> Bool {
        var validator = UTF8Validator()
        return bytes.withUnsafeBytes { validator.accepts($0) } && validator.isComplete
    }

    @Test func `every sequence of up to two bytes, and every lead with hard continuations, as the library sees it`() {
        let bytes = (0...255).map { UInt8($0) }
        let edges: [UInt8] = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
        var sequences: [[UInt8]] = bytes.map { [$0] }
        for first in bytes {
            for second in bytes { sequences.append([first, second]) }
            for second in edges where first >= 0xC0 {
                for third in edges {
                    sequences.append([first, second, third])
                    for fourth: UInt8 in [0x7F, 0x80, 0xBF, 0xC0] { sequences.append([first, second, third, fourth]) }
                }
            }
        }
        let wrong = sequences.filter { accepts($0) != (String(validating: $0, as: UTF8.self) != nil) }
        #expect(wrong.isEmpty)
    }

    @Test func `it fails at the first impossible byte`() {
        // The first three can begin a character; the fourth cannot go on with it.
        for (text, position) in [
            ([0x41, 0xF4, 0x8F, 0xC0], 3), ([0xF4, 0x90], 1), ([0xED, 0xA0], 1), ([0xE0, 0x9F], 1), ([0xC1], 0),
            ([0xF0, 0x8F], 1), ([0xF5], 0), ([0xE2, 0x82, 0x28], 2),
        ] as [([UInt8], Int)] {
            var validator = UTF8Validator()
            for (index, byte) in text.enumerated() {
                #expect([byte].withUnsafeBytes { validator.accepts($0) } == (index < position), "\(text) at \(index)")
                if index == position { break }
            }
        }
    }

    @Test func `random text in random pieces, some of it damaged`() {
        var random = SeededGenerator(seed: 37)
        let alphabet = Array("aé€😀\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}".unicodeScalars)
        for round in 0..<2000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                if Bool.random(using: &random) {
                    bytes += [UInt8](repeating: 0x61, count: Int.random(in: 0...40, using: &random))
                }
                bytes += Array(String(alphabet.randomElement(using: &random) ?? "a").utf8)
            }
            if !bytes.isEmpty, round % 2 == 0 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var validator = UTF8Validator()
            var isValid = true
            var rest = bytes[...]
            while isValid, !rest.isEmpty {
                let size = Int.random(in: 1...min(rest.count, 70), using: &random)
                isValid = Array(rest.prefix(size)).withUnsafeBytes { validator.accepts($0) }
                rest = rest.dropFirst(size)
            }
            #expect((isValid && validator.isComplete) == (String(validating: bytes, as: UTF8.self) != nil), "seed 37")
        }
    }
}
