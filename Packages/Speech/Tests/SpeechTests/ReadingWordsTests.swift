// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import Speech

/// The words that a reader of a text may say, and how they sound.
@Suite struct ReadingWordsTests {
    @Test(arguments: [
        ("N EH T S", "N AH T S", true), ("N EH T S", "N EH S", true), ("N EH S", "N EH T S", true),
        // What ends otherwise only, or begins a phone later and ends otherwise.
        ("W AO K", "W AO K T", false), ("W AO K T", "W AO K", false), ("G EY T", "G EY D", true),
        ("K AE T", "K AE T", false), ("K AE T", "D AO G", false), ("S T AO R M", "T AO R M", true),
    ])
    func wordsThatSoundNearlyAlike(_ one: String, _ other: String, _ isNear: Bool) throws {
        #expect(try #require(Phones(one)).isNear(#require(Phones(other))) == isNear)
    }

    @Test func whatIsNoPhoneIsRefused() {
        #expect(Phones("") == nil && Phones("K AE X") == nil)
        #expect(Phones("K AE T")?.text == "K AE T")
    }

    @Test func unknownWordsArePronounced() {
        #expect(LetterToSound.phones(of: "blick")?.text == "B L IH K")
        #expect(LetterToSound.phones(of: "bcd")?.text == "B IY S IY D IY")
        #expect(LetterToSound.phones(of: "世界") == nil && LetterToSound.phones(of: "") == nil)
        #expect(LetterToSound.phones(of: String(repeating: "a", count: 41)) == nil)
    }

    /// A model that names what it does not have, or counts wrongly, is refused by the library or worse.
    @Test func theModelIsWholeAndAlwaysTheSame() throws {
        let model = ReadingLanguageModel(
            text: ["a", "b", "a", "c"], others: [("d", 1), ("e", 3)],
            near: ["b": [.init(word: "d", isFrequent: true)]], phones: ["~p"], shares: .init())
        let text = String(decoding: model.arpa(), as: UTF8.self)
        #expect(text == String(decoding: model.arpa(), as: UTF8.self))
        let sections = text.split(separator: "\n\n").map { $0.split(separator: "\n") }
        let counts = sections[0].dropFirst().compactMap { $0.split(separator: "=").last.flatMap { Int($0) } }
        #expect(counts == (1...3).map { sections[$0].count - 1 })
        var known: Set<[Substring]> = []
        for order in 1...3 {
            for line in sections[order].dropFirst() {
                let words = Array(line.split(separator: " ").dropFirst().prefix(order))
                #expect(order == 1 || known.contains(Array(words.dropLast())), "\(line)")
                known.insert(words)
            }
        }
        // All single words together, the beginning aside.
        let sum = sections[1].dropFirst().compactMap { Double($0.split(separator: " ")[0]) }.reduce(0) {
            $0 + pow(10, $1)
        }
        #expect(abs(sum - 1) < 1e-3)
        #expect(known.contains(["a", "d"]) && known.contains(["d", "a"]) && known.contains(["a", "b", "a"]))
    }
}
