// SPDX-License-Identifier: MIT

import Domain
import LocalIntents
import StateKnowledge

/// Decides from the words so far that a person who pauses has asked a whole question. Pure.
struct QuestionEnd: Sendable {
    /// The completeness of the words.
    enum Verdict: Sendable, Hashable {
        /// The words are no question, or not yet a whole one.
        case unfinished
        /// A question, though a longer one often begins in the same way: "texas", "the capital of washington", "what time
        /// is it".
        case likely
        /// A question that hardly ever continues.
        case certain
    }

    /// The least number of words of a certain question; fewer words often continue.
    private static let fewestWords = 4

    /// The intents whose phrases hardly ever continue; others end with a value that more words may complete.
    private static let closedIntents: Set<LocalIntent.Kind> = [
        .timeLeft, .listTimers, .listAlarms, .tellVolume, .mute, .unmute, .repeatAnswer, .stop, .speakSlower,
        .speakFaster,
        .help, .lastQuestion,
    ]
    private static let fewestWordsOfIntent = 3

    private let knowledge = StateKnowledgeBase()
    private let intents = IntentReader()
    /// Names, and beginnings of names, that others continue: "new", "washington" (D.C.), "peach" (blossom).
    private let beginnings: Set<String>

    /// Collects the names.
    init() {
        let states = QuestionPhrasing.spokenStates.flatMap(\.forms)
        let places =
            states + QuestionPhrasing.spokenCapitals.flatMap(\.forms)
            + QuestionPhrasing.spokenLargestCities.flatMap(\.forms)
        let creatures = QuestionPhrasing.spokenBirds.flatMap(\.forms) + QuestionPhrasing.spokenFlowers.flatMap(\.forms)
        // A person who ends with "of california" does not continue with "gull".
        beginnings = Set(places.flatMap(Self.beginnings)).union(
            Set(creatures.flatMap(Self.beginnings)).subtracting(states))
    }

    /// The completeness of `text`.
    func verdict(on text: String) -> Verdict {
        do throws(DomainError) { _ = try knowledge.answer(text) } catch {
            guard case .generationFailed = error else { return verdict(onIntent: text) }
        }
        let words = text.split(separator: " ")
        guard words.count >= Self.fewestWords else { return .likely }
        let isBeginning = (1...3).contains { beginnings.contains(words.suffix($0).joined(separator: " ")) }
        return isBeginning ? .likely : .certain
    }

    private func verdict(onIntent text: String) -> Verdict {
        guard let kind = intents.read(text)?.kind else { return .unfinished }
        let isLong = text.split(separator: " ").count >= Self.fewestWordsOfIntent
        return isLong && Self.closedIntents.contains(kind) ? .certain : .likely
    }

    /// The proper beginnings of a name, in whole words.
    private static func beginnings(of name: String) -> [String] {
        let words = name.split(separator: " ")
        return (1..<max(1, words.count)).map { words.prefix($0).joined(separator: " ") }
    }
}
