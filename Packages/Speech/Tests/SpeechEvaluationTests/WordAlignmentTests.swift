// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import SpeechEvaluation

@Suite struct WordAlignmentTests {
    /// The fewest edits, and the most hits with these, by trying everything.
    private static func best(_ expected: ArraySlice<String>, _ heard: ArraySlice<String>) -> (edits: Int, hits: Int) {
        guard let word = expected.first else { return (heard.count, 0) }
        guard let other = heard.first else { return (expected.count, 0) }
        let isHit = word == other
        let both = best(expected.dropFirst(), heard.dropFirst())
        let without = best(expected.dropFirst(), heard)
        let besides = best(expected, heard.dropFirst())
        let ways = [
            (both.edits + (isHit ? 0 : 1), both.hits + (isHit ? 1 : 0)), (without.edits + 1, without.hits),
            (besides.edits + 1, besides.hits),
        ]
        return ways.min { ($0.0, -$0.1) < ($1.0, -$1.1) } ?? (0, 0)
    }

    @Test(arguments: 0..<300) func itIsTheBestOfAll(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let words = { (most: Int) in
            (0..<Int.random(in: 0...most, using: &generator)).map { _ in
                ["a", "b", "c"].randomElement(using: &generator) ?? "a"
            }
        }
        let (expected, heard) = (words(6), words(6))
        let alignment = try WordAlignment(expected: expected, heard: heard)
        let best = Self.best(expected[...], heard[...])
        #expect(alignment.substitutions + alignment.deletions + alignment.insertions == best.edits)
        #expect(alignment.hits == best.hits)
        // Every word once, in order, and hits are equal words.
        var (rows, columns): ([Int], [Int]) = ([], [])
        for step in alignment.steps {
            switch step {
            case .hit(let row, let column):
                #expect(expected[row] == heard[column])
                rows.append(row)
                columns.append(column)
            case .substitution(let row, let column):
                #expect(expected[row] != heard[column])
                rows.append(row)
                columns.append(column)
            case .deletion(let row): rows.append(row)
            case .insertion(let column): columns.append(column)
            }
        }
        #expect(rows == Array(expected.indices) && columns == Array(heard.indices))
    }

    @Test func theExampleOfTheDocumentation() throws {
        let alignment = try WordAlignment(
            expected: ["the", "cat", "sat", "on", "the", "mat"], heard: ["the", "bat", "on", "the", "the", "mat"])
        #expect(alignment.errorRate == 0.5)
        #expect(
            [alignment.hits, alignment.substitutions, alignment.deletions, alignment.insertions] == [4, 1, 1, 1])
    }

    @Test func tiesAreAlwaysBrokenTheSameWay() throws {
        let alignment = try WordAlignment(expected: ["a", "a"], heard: ["a"])
        #expect(alignment.steps == [.deletion(expected: 0), .hit(expected: 1, heard: 0)])
        let other = try WordAlignment(expected: ["a"], heard: ["a", "a"])
        #expect(other.steps == [.insertion(heard: 0), .hit(expected: 0, heard: 1)])
        let swapped = try WordAlignment(expected: ["a", "b"], heard: ["b", "a"])
        #expect(swapped.hits == 1 && swapped.steps.first == .insertion(heard: 0))
    }

    @Test func whatIsNoWordEqualsNone() throws {
        #expect(try WordAlignment(expected: ["a"], heard: [nil]).substitutions == 1)
        #expect(try WordAlignment(expected: [], heard: [nil]).errorRate == 1)
        #expect(try WordAlignment(expected: [], heard: []).errorRate == 0)
    }

    @Test func moreThanTheMemoryIsForIsRefused() throws {
        let words = [String](repeating: "a", count: 20_000)
        let error = #expect(throws: EvaluationError.self) { _ = try WordAlignment(expected: words, heard: words) }
        #expect(error?.code == .textTooLong)
    }
}
