// SPDX-License-Identifier: MIT

import LocalIntents
import TestKit
import Testing

@Suite struct RobustnessTests {
    private let reader = IntentReader()
    private static let words = [
        "set", "a", "timer", "for", "five", "minutes", "the", "alarm", "at", "7", ":", "30", "pm", "what", "is", "time",
        "in",
        "(", ")", "-", "+", "*", "/", "percent", "%", "of", "square", "root", "million", "and", "half", "please",
        "cancel",
        "all", "tokyo", "how", "many", "feet", "mile", "spell", "volume", "up", "to", "?", ".", "é", "🦊", "2027-05-03",
        "'",
        "minus", "monday", "next", "may", "third", "um", "tell me", "divided by", "0", "1,000", "x", "°", "½",
    ]

    private func expectValid(_ text: String) {
        guard let reading = reader.read(text) else { return }
        #expect((0.6...1).contains(reading.confidence), "\(text)")
        var end = 0
        for entity in reading.entities {
            #expect(entity.range.lowerBound >= end && !entity.range.isEmpty, "\(text): \(entity)")
            #expect(entity.range.upperBound <= text.utf8.count, "\(text): \(entity)")
            let start = text.utf8.index(text.startIndex, offsetBy: entity.range.lowerBound)
            let stop = text.utf8.index(text.startIndex, offsetBy: entity.range.upperBound)
            #expect(
                start.samePosition(in: text.unicodeScalars) != nil && stop.samePosition(in: text.unicodeScalars) != nil)
            end = entity.range.upperBound
        }
        for alternative in reading.alternatives {
            #expect(alternative.intent != reading.intent && alternative.confidence >= reading.confidence - 0.25)
        }
    }

    @Test func `random words are read or not, with valid ranges`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<3_000 {
            let count = Int.random(in: 1...12, using: &generator)
            expectValid(
                (0..<count).compactMap { _ in Self.words.randomElement(using: &generator) }.joined(separator: " "))
        }
    }

    @Test func `random scalars are read or not, with valid ranges`() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<1_000 {
            let count = Int.random(in: 0...60, using: &generator)
            let scalars = (0..<count).compactMap { _ in
                Unicode.Scalar(
                    UInt32.random(in: 0...(Bool.random(using: &generator) ? 0x7F : 0x10FFFF), using: &generator))
            }
            expectValid(String(String.UnicodeScalarView(scalars)))
        }
    }

    @Test func `a text over the limit is refused`() {
        #expect(reader.read(String(repeating: "what time is it ", count: 70_000)) == nil)
        #expect(reader.read("what time is it" + String(repeating: " ", count: IntentReader.textLimit)) == nil)
        #expect(reader.read("") == nil && reader.read("please") == nil && reader.read(" \n?!") == nil)
        #expect(reader.read("what time is it\u{0}") == nil && reader.read("what\u{202E} time is it") == nil)
    }

    @Test(arguments: [
        "please ", "what is ", "1 + ", "(", "- ", "square root of ", "set a timer for ", "one million ", "half of ",
        "a ",
        "tell me the time in ", "what time is it in new ", "remind me to ", "in ", "cancel the alarm at 7 ", "1/2 ",
        "x ",
        "how many feet in ", "15 percent of ", "an hour and ", "and ", "um ", "the ", "0", "1,000,", "a.b.", "? ",
        "timer ",
    ]) func `a repeated part takes steps in proportion to it`(part: String) {
        let text = String(repeating: part, count: 990 / part.count)
        expectValid(text)
        expectValid("what is " + text.prefix(900))
        expectValid("remind me to " + text.prefix(400) + " at 7 pm")
    }

    @Test func `entities have their place in the text`() throws {
        let text = "Hey, set a  timer for “5 minutes” called Crème brûlée, please!"
        let reading = try #require(reader.read(text))
        #expect(reading.intent == .setTimer(.seconds(300), label: "Crème brûlée"))
        #expect(reading.entities.map(\.value) == [.duration(.seconds(300)), .label("Crème brûlée")])
        let parts = reading.entities.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) }
        #expect(parts == ["5 minutes", "Crème brûlée"])
    }

    @Test func `fillers and misspellings lower the confidence`() throws {
        #expect(reader.read("set a timer")?.confidence == 1)
        #expect(reader.read("please set a timer")?.confidence == 0.98)
        #expect(reader.read("cancel the tmier")?.intent == .cancelTimer(.only))
        #expect(reader.read("cancel the tmier")?.confidence == 0.9)
        #expect(reader.read("cnacel all of the timesr")?.intent == .cancelTimer(.all))
        #expect(reader.read("cancel the house timer")?.intent == .cancelTimer(.labelled("house")))
    }
}
