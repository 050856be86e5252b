// SPDX-License-Identifier: MIT

import AudioKitLinux
import Foundation
import Speech
import SpeechEvaluation
import TestKit
import Testing

/// How often words are judged rightly, over readings that voices of flite make from a seed.
@Suite(.serialized, .timeLimit(.minutes(15))) struct ReadingRatesTests {
    enum Kind: String, CaseIterable {
        case right, leftOut, added, replaced, different
    }

    struct Reading {
        let kind: Kind
        let expected: String
        let spoken: String
    }

    /// What was found, of how much.
    struct Tally: CustomStringConvertible {
        /// Words that were said and called right, of those that were said.
        var right = 0
        var said = 0
        /// Words that were not said and called missed, of those that were not said.
        var missed = 0
        var unsaid = 0
        /// Words called inserted: rightly so, wrongly so, and those that were not noticed.
        var inserted = 0
        var wronglyInserted = 0
        var unnoticed = 0

        static func + (one: Tally, other: Tally) -> Tally {
            var sum = one
            sum.right += other.right
            sum.said += other.said
            sum.missed += other.missed
            sum.unsaid += other.unsaid
            sum.inserted += other.inserted
            sum.wronglyInserted += other.wronglyInserted
            sum.unnoticed += other.unnoticed
            return sum
        }

        private func share(_ part: Int, _ whole: Int) -> String {
            whole > 0 ? "\(part) of \(whole)" : "–"
        }

        var description: String {
            "\(share(right, said)) | \(share(missed, unsaid)) | \(share(missed, missed + said - right)) | "
                + "\(share(inserted, inserted + unnoticed)) | \(share(inserted, inserted + wronglyInserted))"
        }
    }

    static func readings(seed: UInt64, rows: [ReadingTable.Row]) -> [Reading] {
        var generator = SeededGenerator(seed: seed)
        return rows.enumerated().flatMap { index, row -> [Reading] in
            let words = row.text.split(separator: " ").map(String.init)
            var (fewer, more) = (words, words)
            fewer.remove(at: Int.random(in: words.indices, using: &generator))
            more.insert(
                ReadingTable.addedWords.randomElement(using: &generator) ?? "very",
                at: Int.random(in: 1..<words.count, using: &generator))
            let other = words.map { $0 == row.word ? row.similar : $0 }
            let texts =
                [words, fewer, more, other].map { $0.joined(separator: " ") } + [rows[(index + 5) % rows.count].text]
            return zip(Kind.allCases, texts).map { Reading(kind: $0, expected: row.text, spoken: $1) }
        }
    }

    /// Compares the verdicts with the alignment of what was really said.
    static func tally(_ found: ReadingEvaluation, of reading: Reading) throws -> Tally {
        let words = { (text: String) in SpokenText(text, language: "en").words.map(\.text) }
        let truth = try WordAlignment(expected: words(reading.expected), heard: words(reading.spoken))
        var wasSaid: [Bool] = []
        var besides = 0
        for step in truth.steps {
            switch step {
            case .hit: wasSaid.append(true)
            case .deletion: wasSaid.append(false)
            case .insertion: besides += 1
            case .substitution:
                wasSaid.append(false)
                besides += 1
            }
        }
        let verdicts = (found.words ?? []).map(\.verdict)
        let judged = verdicts.filter { $0 != .inserted }
        let inserted = verdicts.count { $0 == .inserted }
        var tally = Tally()
        for (said, verdict) in zip(wasSaid, judged) {
            tally.said += said ? 1 : 0
            tally.right += said && verdict == .right ? 1 : 0
            tally.unsaid += said ? 0 : 1
            tally.missed += !said && verdict == .missed ? 1 : 0
        }
        tally.inserted = min(besides, inserted)
        tally.wronglyInserted = max(0, inserted - besides)
        tally.unnoticed = max(0, besides - inserted)
        return tally
    }

    /// Thirty texts, read by two voices each, clean and at 20 dB. `READING_ROWS` (by default `0..<6`, at most `0..<16`) and
    /// `READING_VOICES` (up to 4) ask for others, to measure: nothing is asserted then.
    @Test func wordsAreJudgedRightly() async throws {
        let environment = ProcessInfo.processInfo.environment
        let bounds = (environment["READING_ROWS"] ?? "0..<6").split(separator: "..<").compactMap { Int($0) }
        let rows = Array(ReadingTable.rows[(bounds.first ?? 0)..<(bounds.last ?? 6)])
        let voices = FliteSynthesizer.Voice.allCases
        let each = environment["READING_VOICES"].flatMap { Int($0) } ?? 2
        let evaluator = ReadingEvaluator()
        var tallies: [String: Tally] = [:]
        for (index, reading) in Self.readings(seed: 12, rows: rows).enumerated() {
            for turn in 0..<each {
                for (condition, decibels) in [("clean", Float(70)), ("20 dB", 20)] {
                    let voice = voices[(index + index / 5 + turn) % voices.count]
                    var background = Background(seed: UInt64(index))
                    let samples = background.surround(
                        try await ReadingVoice(voice: voice).read(reading.spoken), decibels: decibels)
                    let found = try await evaluator.evaluate(
                        AudioBuffer(samples: samples, format: .speech), expected: reading.expected, language: "en-US")
                    let tally = try Self.tally(found, of: reading)
                    for name in ["\(reading.kind.rawValue), \(condition)", condition] {
                        tallies[name] = (tallies[name] ?? Tally()) + tally
                    }
                    if environment["READING_VERBOSE"] != nil {
                        let heard = (found.words ?? []).map {
                            "\($0.text ?? "?")\($0.verdict == .right ? "" : "[\($0.verdict)]")"
                        }
                        print(voice, condition, reading.kind, "|", reading.spoken, "|", heard.joined(separator: " "))
                    }
                }
            }
        }
        print(
            "reading | said and right | unsaid and missed | missed and unsaid | added and noticed | inserted and added")
        for (name, tally) in tallies.sorted(by: { $0.key < $1.key }) { print("\(name) | \(tally)") }
        guard environment["READING_ROWS"] == nil, environment["READING_VOICES"] == nil else { return }
        func expect(_ name: String, _ part: KeyPath<Tally, Int>, of whole: (Tally) -> Int, atLeast share: Double) {
            let tally = tallies[name] ?? Tally()
            #expect(Double(tally[keyPath: part]) >= share * Double(whole(tally)), "\(name): \(tally)")
        }
        expect("right, clean", \.right, of: { $0.said }, atLeast: 0.92)
        expect("right, 20 dB", \.right, of: { $0.said }, atLeast: 0.90)
        expect("leftOut, clean", \.missed, of: { $0.unsaid }, atLeast: 0.66)
        expect("replaced, clean", \.missed, of: { $0.unsaid }, atLeast: 0.5)
        expect("added, clean", \.inserted, of: { $0.inserted + $0.unnoticed }, atLeast: 0.8)
        expect("different, clean", \.missed, of: { $0.unsaid }, atLeast: 0.85)
        for (condition, shares) in [("clean", [0.91, 0.83, 0.75, 0.85]), ("20 dB", [0.88, 0.82, 0.70, 0.66])] {
            expect(condition, \.right, of: { $0.said }, atLeast: shares[0])
            expect(condition, \.missed, of: { $0.unsaid }, atLeast: shares[1])
            expect(condition, \.missed, of: { $0.missed + $0.said - $0.right }, atLeast: shares[2])
            expect(condition, \.inserted, of: { $0.inserted + $0.unnoticed }, atLeast: shares[3])
        }
    }
}
