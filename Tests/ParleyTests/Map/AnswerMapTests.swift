// SPDX-License-Identifier: MIT

import StateKnowledge
import TerminalKit
import Testing

@testable import parley

/// A map beside a spoken answer.
@Suite struct AnswerMapTests {
    private let traits = TerminalTraits(environment: ["LANG": "C.UTF-8", "NO_COLOR": "1"], isTerminal: true)
    private let text = "parley  The capital of Texas is Austin, which has been so since 1839."

    @Test(arguments: [76, 80, 120, 300])
    func `with room for both the map is at the right`(_ columns: Int) throws {
        let texas = try #require(StateKnowledgeBase().state(named: "Texas"))
        let map = try #require(AnswerMap(columns: columns, traits: traits))
        let lines = map.beside(text, [texas]).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { WrappedText.columns(of: String($0)) <= columns })
        #expect(lines.first?.hasPrefix("parley  The capital") == true)
        #expect(lines.contains { $0.contains("★") })
        let words = lines.map { $0.prefix(36) }.joined(separator: " ").split(separator: " ")
        #expect(words.starts(with: text.split(separator: " ")), "\(words)")
    }

    @Test func `without room for both the map is below`() throws {
        let texas = try #require(StateKnowledgeBase().state(named: "Texas"))
        let map = try #require(AnswerMap(columns: 60, traits: traits))
        let drawn = map.beside(text, [texas])
        #expect(drawn.hasPrefix(text + "\n"))
        let lines: [Substring] = drawn.split(separator: Character("\n"))
        #expect(lines.dropFirst().allSatisfy { $0.count <= 60 })
    }

    @Test func `no state, several states, and a narrow terminal have no map`() throws {
        let states = StateKnowledgeBase().states
        let map = try #require(AnswerMap(columns: 100, traits: traits))
        #expect(map.beside(text, []) == text)
        #expect(map.beside(text, Array(states.prefix(2))) == text)
        #expect(AnswerMap(columns: 39, traits: traits) == nil)
    }
}
