// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import Sync

struct PhraseCodeTests {
    private static func randomPhrase(_ generator: inout SeededGenerator) -> [Int] {
        let data = (0..<PhraseCode.dataCount).map { _ in Int.random(in: 0..<2_048, using: &generator) }
        return data + PhraseCode.check(for: data)
    }

    @Test func `the field has an inverse of each element`() {
        #expect((1..<2_048).allSatisfy { PhraseCode.product($0, PhraseCode.inverse($0)) == 1 })
        // 2047 = 23 · 89: the element x is primitive if none of these powers is 1.
        #expect([23, 89].allSatisfy { PhraseCode.power($0) != 1 } && PhraseCode.power(2_047) == 1)
    }

    @Test func `one wrong word is located, wherever it is`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20 {
            let phrase = Self.randomPhrase(&generator)
            #expect(PhraseCode.find(in: phrase) == .valid)
            for position in phrase.indices {
                var wrong = phrase
                wrong[position] ^= Int.random(in: 1..<2_048, using: &generator)
                #expect(PhraseCode.find(in: wrong) == .wrong(position: position, right: phrase[position]))
            }
        }
    }

    @Test func `words that changed places never look like one wrong word`() {
        var generator = SeededGenerator(seed: 2)
        var (swaps, located) = (0, 0)
        for _ in 0..<20 {
            let phrase = Self.randomPhrase(&generator)
            for first in phrase.indices.dropLast() {
                for second in (first + 1)..<phrase.count where phrase[first] != phrase[second] {
                    var swapped = phrase
                    swapped.swapAt(first, second)
                    swaps += 1
                    let finding = PhraseCode.find(in: swapped)
                    #expect(finding.isAboutOrder)
                    if finding == .swapped(first, second) { located += 1 }
                }
            }
            #expect(PhraseCode.find(in: phrase.shuffled(using: &generator)).isAboutOrder)
        }
        #expect(Double(located) / Double(swaps) > 0.9)
    }

    @Test func `two wrong words are noticed, and rarely taken for one`() {
        var generator = SeededGenerator(seed: 3)
        var taken = 0
        for _ in 0..<2_000 {
            var phrase = Self.randomPhrase(&generator)
            let positions = phrase.indices.shuffled(using: &generator).prefix(2)
            for position in positions { phrase[position] ^= Int.random(in: 1..<2_048, using: &generator) }
            let finding = PhraseCode.find(in: phrase)
            #expect(finding != .valid)
            if case .wrong = finding { taken += 1 }
        }
        #expect(taken < 2_000 / 146 * 2)
    }
}

extension PhraseCode.Finding {
    fileprivate var isAboutOrder: Bool {
        switch self {
        case .swapped, .outOfOrder: true
        case .valid, .wrong, .several: false
        }
    }
}
