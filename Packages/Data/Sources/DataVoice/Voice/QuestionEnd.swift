// SPDX-License-Identifier: MIT

import Domain
import Speech
import StateKnowledge

/// Tells from the words so far whether somebody who pauses has asked all of a question. Pure.
struct QuestionEnd: Sendable {
    /// What may come after the words.
    enum Verdict: Sendable, Hashable {
        /// They make no question: the rest of it is still to come, or it is none.
        case unfinished
        /// A question, though a longer one often begins like that: "texas", "the capital of washington".
        case likely
        /// A question to which hardly anybody adds something.
        case certain
    }

    /// Fewer words are often the beginning of more.
    private static let fewestWords = 4

    private let knowledge = StateKnowledgeBase()
    /// Names, and beginnings of names, that others continue: "new", "washington" (D.C.), "peach" (blossom).
    private let beginnings: Set<String>

    /// Looks the names through once.
    init() {
        let states = QuestionPhrasing.spokenStates.flatMap(\.forms)
        let places =
            states + QuestionPhrasing.spokenCapitals.flatMap(\.forms)
            + QuestionPhrasing.spokenLargestCities.flatMap(\.forms)
        let creatures = QuestionPhrasing.spokenBirds.flatMap(\.forms) + QuestionPhrasing.spokenFlowers.flatMap(\.forms)
        // Nobody who ends with "of california" goes on with "gull".
        beginnings = Set(places.flatMap(Self.beginnings)).union(
            Set(creatures.flatMap(Self.beginnings)).subtracting(states))
    }

    /// What may come after `text`.
    func verdict(on text: String) -> Verdict {
        do throws(DomainError) { _ = try knowledge.answer(text) } catch {
            guard case .generationFailed = error else { return .unfinished }
        }
        let words = text.split(separator: " ")
        guard words.count >= Self.fewestWords else { return .likely }
        let isBeginning = (1...3).contains { beginnings.contains(words.suffix($0).joined(separator: " ")) }
        return isBeginning ? .likely : .certain
    }

    /// Whether what the recogniser makes of the words so far is over with a pause that has lasted, a short or a long one.
    func isOver(_ draft: Recognition?, isShort: Bool) -> Bool {
        guard let draft, draft.outcome == .accepted else { return false }
        switch verdict(on: draft.text) {
        case .unfinished: return false
        case .likely: return !isShort
        case .certain: return true
        }
    }

    /// All that a name begins with and is not the name.
    private static func beginnings(of name: String) -> [String] {
        let words = name.split(separator: " ")
        return (1..<max(1, words.count)).map { words.prefix($0).joined(separator: " ") }
    }
}
