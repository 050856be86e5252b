// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import SpeechEvaluation

@Suite struct SpokenTextTests {
    private static let examples: [(String, String)] = [
        ("The cat, the “mat”.", "the cat the mat"), ("Don’t — can't", "don't can't"),
        ("'tis the dogs' bone", "tis the dogs bone"),
        ("twenty-one", "twenty one"), ("21", "twenty one"),
        ("in 1984, and 2005", "in nineteen eighty four and two thousand five"),
        ("1,984", "one thousand nine hundred eighty four"), ("1906", "nineteen oh six"),
        ("3.5%", "three point five percent"),
        ("$5", "five dollars"), ("$1.20", "one dollar twenty cents"), ("£2", "two pounds"), ("the 1st", "the first"),
        ("22nd", "twenty second"), ("30th", "thirtieth"), ("7:30", "seven thirty"), ("7:05", "seven oh five"),
        ("007", "zero zero seven"), ("1000000", "one million"), ("salt & pepper", "salt and pepper"), ("U.S.", "u s"),
        ("at the end. The", "at the end the"), ("and/or", "and or"), ("Café", "cafe"), ("5th-floor", "fifth floor"),
        ("0", "zero"),
        ("12345678901234567", "one two three four five six seven eight nine zero one two three four five six seven"),
        ("A4", "a four"), ("…?!", ""), ("", ""), (" \n\t", ""), ("100", "one hundred"), ("110", "one hundred ten"),
        ("2,000,003", "two million three"), ("3.14.15", "three point one four fifteen"),
    ]

    @Test(arguments: examples) func wordsAreThoseThatOneSays(_ example: (String, String)) {
        let words = SpokenText(example.0, language: "en-US").words.map(\.text)
        #expect(words.joined(separator: " ") == example.1)
    }

    @Test func otherLanguagesKeepTheirNumbersAndLetters() {
        #expect(SpokenText("Die 21 Straßen", language: "de").words.map(\.text) == ["die", "21", "strassen"])
        #expect(SpokenText("こんにちは、世界", language: "ja").words.map(\.text) == ["こんにちは", "世界"])
        #expect(SpokenText.isEnglish("EN-gb") && !SpokenText.isEnglish("enm") && !SpokenText.isEnglish(""))
    }

    /// Words are words again, wherever they came from, and their places hold them.
    @Test(arguments: 0..<300) func textOfAnyCharacters(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let alphabet = Array("aBc'’-—.,:$%&1 2039 \n\t€stéß日ñ\u{301}“👍@/")
        let text = String(
            (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? "a"
            })
        for language in ["en", "fr"] {
            let words = SpokenText(text, language: language).words
            let again = SpokenText(words.map(\.text).joined(separator: " "), language: language).words
            #expect(again.map(\.text) == words.map(\.text), "\(text)")
            #expect(words.allSatisfy { !$0.text.isEmpty && $0.text == $0.text.lowercased() })
            let bytes = Array(text.utf8)
            #expect(words.allSatisfy { !$0.source.isEmpty && $0.source.upperBound <= bytes.count })
            #expect(words.allSatisfy { !bytes[$0.source].contains(0x20) })
        }
    }
}
