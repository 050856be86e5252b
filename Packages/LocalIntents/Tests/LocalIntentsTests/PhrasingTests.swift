// SPDX-License-Identifier: MIT

import Foundation
import LocalIntents
import Testing

/// The phrasings that the reader was written with, and sentences that are no intent's.
@Suite struct PhrasingTests {
    private let reader = IntentReader()

    static func lines(_ name: String) throws -> [String] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name).txt")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// The phrasings of a fixture, and those that are read otherwise than it says.
    private func wrong(in name: String) throws -> (count: Int, wrong: [String]) {
        let lines = try Self.lines(name)
        let wrong = lines.compactMap { line -> String? in
            let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            let reading = reader.read(parts[0])
            let found = reading.map { "\($0.kind)|\(values(of: $0.intent))" } ?? "nil"
            return found == "\(parts[1])|\(parts[2])" ? nil : "\(line) → \(found)"
        }
        return (lines.count, wrong)
    }

    @Test func `every phrasing is read with its values`() throws {
        let (count, wrong) = try wrong(in: "phrasings")
        #expect(count >= 150)
        #expect(wrong.isEmpty, "\(wrong.count) wrong:\n\(wrong.joined(separator: "\n"))")
    }

    /// At first sight 98 of them were read; then the patterns learned from them.
    @Test func `of the second set, whose author did not know the patterns, nine of ten are read and none misread`()
        throws
    {
        let (count, wrong) = try wrong(in: "second-phrasings")
        #expect(count == 150)
        #expect(wrong.count * 10 <= count, "\(wrong.count) wrong:\n\(wrong.joined(separator: "\n"))")
        let misread = wrong.filter { !$0.hasSuffix("→ nil") }
        #expect(misread.isEmpty, "\(misread.joined(separator: "\n"))")
    }

    /// Nothing was changed after these were written; the number is what was read then.
    @Test func `of the third set, whose author did not know the patterns, 98 are read and none misread`() throws {
        let (count, wrong) = try wrong(in: "third-phrasings")
        #expect(count == 150)
        #expect(wrong.count <= 52, "\(wrong.count) wrong:\n\(wrong.joined(separator: "\n"))")
        let misread = wrong.filter { !$0.hasSuffix("→ nil") }
        #expect(misread.isEmpty, "\(misread.joined(separator: "\n"))")
    }

    @Test func `an order is read beside a clause that asks nothing`() throws {
        let reading = try #require(reader.read("I'm up, cancel the 7 am alarm."))
        #expect(reading.kind == .cancelAlarm && reading.confidence < 0.9)
        let text = "I'm up, cancel the 7 am alarm."
        let clock = try #require(reading.entities.first)
        #expect(Array(text.utf8)[clock.range].elementsEqual("7 am".utf8))
        for other in [
            "I'm hungry, what time is it", "mute, and tell me about Paris", "stop. What is love?", "louder, quieter",
            "my, oh, my, a, stop", "the 0.5 second timer", "it took 1,000 second timer", "where is Bob? be quiet",
            "I have to be up by 8, set an alarm",
        ] {
            #expect(reader.read(other) == nil, "\(other)")
        }
    }

    @Test func `at most two percent of other sentences are taken`() throws {
        let lines = try Self.lines("other-sentences")
        // A place that must be known is looked up by the caller, who then gives the sentence up.
        let taken = lines.compactMap { line in
            reader.read(line).flatMap { $0.requiresKnownPlace ? nil : "\(line) → \($0.intent)" }
        }
        #expect(lines.count >= 150)
        #expect(taken.count * 50 <= lines.count, "\(taken.count) of \(lines.count):\n\(taken.joined(separator: "\n"))")
    }
}
