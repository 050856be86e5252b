// SPDX-License-Identifier: MIT

import Domain
import TestKit
import Testing

@Suite struct LexicalIndexTests {
    private let index = LexicalIndex([
        "How do I sharpen a kitchen knife?", "Which trains go to Málaga?", "東京の天気はどうですか", "", "!?",
        "Ich habe morgen einen Zahnarzttermin.", "Which trains go to Málaga?",
    ])

    @Test(arguments: [
        ("sharpening knives", 0), ("MALAGA", 1), ("天気", 2), ("Zahnarzt", 5), ("kichen", 0), ("don't sharpen", 0),
    ])
    func `other forms, cases, accents, parts and slips are found`(query: String, wanted: Int) {
        #expect(index.nearest(to: query).first?.index == wanted)
    }

    @Test func `the same text is wholly alike, and of equals the earlier is first`() {
        let found = index.nearest(to: "which trains go to malaga", least: 0.99)
        #expect(found.map(\.index) == [1, 6])
        #expect(found.allSatisfy { $0.similarity > 0.999_999 && $0.similarity <= 1 })
    }

    @Test func `a limit and a least likeness are kept`() {
        #expect(index.nearest(to: "trains to Málaga", limit: 1).count == 1)
        #expect(index.nearest(to: "trains to Málaga", limit: 0).isEmpty)
        #expect(index.nearest(to: "trains to the moon", least: 1.1).isEmpty)
    }

    @Test(arguments: ["", "  ", "?!", "’", "\u{0}", "qqqq zzzz"])
    func `a query that shares nothing finds nothing`(query: String) {
        #expect(index.nearest(to: query).isEmpty)
        #expect(LexicalIndex([]).nearest(to: query).isEmpty)
    }

    @Test func `whatever the texts are, the likeness is within bounds and in order`() throws {
        let seed = UInt64.random(in: 1...UInt64.max)
        var dice = SeededGenerator(seed: seed)
        let letters = Array("abcÄß東🙂 \u{301}\u{202E}'-9\n")
        func text() -> String {
            String((0..<Int.random(in: 0...40, using: &dice)).map { _ in letters.randomElement(using: &dice) ?? "a" })
        }
        for _ in 0..<50 {
            let texts = (0..<20).map { _ in text() }
            let found = LexicalIndex(texts).nearest(to: text(), limit: 20)
            #expect(found.allSatisfy { $0.similarity > 0 && $0.similarity <= 1 }, "seed \(seed)")
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.similarity >= $1.similarity }, "seed \(seed)")
        }
    }
}
