// SPDX-License-Identifier: MIT

import Security
import TestKit
import Testing

@testable import Sync

/// The known answers come from a program of its own in Python: `hmac`, `cryptography`, and check words by trial.
struct RecoveryPhraseTests {
    private static let text =
        "abandon amount liar amount expire adjust cage candy arch gather drum bulk topic accuse"
    private static var words: [String] { text.split(separator: " ").map(String.init) }

    private func read(_ text: String) throws(SyncError) -> RecoveryPhrase {
        try RecoveryPhrase(reading: Sensitive(utf8: text))
    }

    private func message(_ words: [String]) -> String {
        let error = #expect(throws: SyncError.self) { _ = try read(words.joined(separator: " ")) }
        #expect(error?.code == .mistyped)
        return error?.message ?? ""
    }

    @Test(arguments: [
        ([UInt8](repeating: 0, count: 16), [String](repeating: "abandon", count: 14).joined(separator: " ")),
        ([UInt8](0..<16), text),
        (
            [UInt8](repeating: 255, count: 16),
            [String](repeating: "zoo", count: 11).joined(separator: " ") + " wrap drill drink"
        ),
    ]) func `known bits have known words`(entropy: [UInt8], text: String) throws {
        let phrase = RecoveryPhrase(entropy: Sensitive(entropy))
        #expect(phrase.words.withExposed { $0.joined(separator: " ") } == text)
        let again = try read(text)
        #expect(again.words.withExposed { $0 } == phrase.words.withExposed { $0 })
    }

    @Test func `a known phrase has known keys`() throws {
        let keys = try read(Self.text).secretKeys
        let secret = try keys.stored.withExposed { Hash($0)?.description }
        #expect(
            secret == "837d9355d79e58a525ff9a12c16364c7c79eab4a708165792d321cfbe4c9619f"
                + "43356cc50e757982a3e810a2d3ca0253ddfb9954b576b4e6527a646e37730b2f")
        #expect(
            Hash(keys.publicKeys.bytes)?.description
                == "1e22b84d1e4df8a3f1ae6715082b76c5231a5bdcd967d0f1a1eaa887e8ca125b"
                + "c7467951c43309794a05ed3636d7abe2ef1c339babbf223fb7afd610d194132b")
    }

    @Test func `fresh phrases differ, and each is read back`() throws {
        var seen: Set<[String]> = []
        for _ in 0..<20 {
            let words = try RecoveryPhrase().words.withExposed { $0 }
            let again = try read(words.joined(separator: " "))
            #expect(again.words.withExposed { $0 } == words)
            seen.insert(words)
        }
        #expect(seen.count == 20)
    }

    @Test func `space, case, numbers and four letters do not matter`() throws {
        let words = Self.words
        let numbered = words.enumerated().map { "\($0.offset + 1). \($0.element)" }
        let columns = zip(numbered.prefix(7), numbered.suffix(7)).map { $0 + "    " + $1 }
        let texts: [String] = [
            "\n  " + words.joined(separator: "\r\n\t ") + " \n",
            Self.text.uppercased(), words.joined(separator: ", ") + ".",
            numbered.joined(separator: "\n"),
            numbered.map { $0.replacing(". ", with: ")") }.joined(separator: " "),
            words.map { String($0.prefix(4)) }.joined(separator: " "), columns.joined(separator: "\n"),
        ]
        for text in texts {
            let phrase = try read(text)
            #expect(phrase.words.withExposed { $0 } == words, "\(text)")
        }
    }

    @Test func `one wrong word is named with the right one`() {
        for position in Self.words.indices {
            var words = Self.words
            words[position] = "zebra"
            let message = message(words)
            #expect(
                message.hasPrefix(
                    "Word \(position + 1) is wrong: it is “zebra” and should be “\(Self.words[position])”"))
        }
    }

    @Test func `a word that is not in the list is named`() {
        var words = Self.words
        words[2] = "lair"
        #expect(message(words) == "Word 3, “lair”, is not in the list of words; it should be “liar”.")
        words[2] = "qqqqqqqqqqqqqqqqqqqqqqqq"
        #expect(
            message(words) == "Word 3, “qqqqqqqqqqqqqqqqqqqq…”, is not in the list of words; it should be “liar”.")
        words[6] = "caqe"
        #expect(
            message(words).hasSuffix(
                "Word 7, “caqe”, is not in the list of words; it may be “cage”, “cake” or “case”."))
        words = Self.words
        (words[2], words[9]) = ("lair", "zebra")
        #expect(message(words).hasPrefix("Word 3, “lair”, is not in the list of words; it may be "))
    }

    @Test func `swapped neighbours are named`() {
        for position in Self.words.indices.dropLast() where Self.words[position] != Self.words[position + 1] {
            var words = Self.words
            words.swapAt(position, position + 1)
            #expect(
                message(words)
                    == "More than one word is wrong: words \(position + 1) and \(position + 2) seem to have changed places."
            )
        }
    }

    @Test func `more wrong words are not guessed at`() {
        var words = Self.words
        (words[0], words[5]) = ("zebra", "zoo")
        #expect(message(words).hasPrefix("More than one word is wrong. Compare"))
        #expect(message(Array(Self.words.reversed())).hasPrefix("More than one word is wrong"))
    }

    @Test(arguments: [0, 1, 12, 13, 15, 24]) func `another number of words is named`(count: Int) {
        let words = (0..<count).map { Self.words[$0 % 14] }
        #expect(message(words).hasPrefix("A recovery phrase has 14 words; this has \(count)."))
    }

    @Test func `a later kind of phrase asks for an update`() throws {
        var data = [Int](repeating: 0, count: 12)
        data[11] = 1
        let words = (data + PhraseCode.check(for: data)).map { WordList.word(at: $0) }
        let error = #expect(throws: SyncError.self) { _ = try read(words.joined(separator: " ")) }
        #expect(error?.code == .newer)
    }

    @Test func `a phrase does not print itself`() throws {
        let phrase = try read(Self.text)
        #expect("\(phrase) \(String(reflecting: phrase))" == "<RecoveryPhrase> <RecoveryPhrase>")
    }

    @Test func `any text is read or refused`() {
        var generator = SeededGenerator(seed: 4)
        let parts = Self.words + ["1.", "0", "é", "99999999999999999999", ";", "\u{0}", "abandonn", "\u{202E}", "-"]
        for _ in 0..<300 {
            let text = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                parts.randomElement(using: &generator) ?? ""
            }.joined(separator: " ")
            do throws(SyncError) { _ = try read(text) } catch {
                #expect([.mistyped, .newer].contains(error.code), "\(text)")
            }
        }
    }
}
