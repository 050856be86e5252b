// SPDX-License-Identifier: MIT

import Domain
import Testing

@testable import StateKnowledge

@Suite struct PhrasingTests {
    private let knowledge = StateKnowledgeBase()
    private static let answered = AnsweredQuestionTable.rows + FramedQuestionTable.rows

    @Test(arguments: answered.indices)
    func isAnswered(_ index: Int) throws {
        let row = Self.answered[index]
        let answer = try knowledge.answer(row.question)
        #expect(
            answer.states.map(\.abbreviation).joined(separator: " ") == row.states, "\(row.question): \(answer.text)")
        #expect(answer.text.contains(row.words), "\(row.question): \(answer.text)")
        #expect((QuestionScorer.threshold...1).contains(answer.confidence))
    }

    @Test(arguments: RefusedQuestionTable.rows + RefusedFrameTable.rows)
    func isRefused(_ question: String) {
        #expect(throws: DomainError.invalidQuery) { try knowledge.answer(question) }
        #expect(knowledge.explain(question).last?.hasPrefix("verdict: refused, ") == true)
    }

    /// Every fact of every state, in one way of asking a topic that recognisers also write.
    @Test(arguments: StateTable.rows)
    func everyFactIsTold(_ state: StateInformation) throws {
        let name = QuestionPhrasing.spoken(state.name)
        let asked: [(String, String?)] = [
            ("what is the capital of \(name)", state.admission == nil ? nil : state.capital),
            ("what is the largest city in \(name)", state.admission == nil ? nil : state.largestCity),
            ("what is the bird of \(name)", state.bird), ("what is the flower of \(name)", state.flower),
            ("when did \(name) join the union", state.admission?.spoken),
            ("where is \(name)", "degrees north"), (name, state.capital), (state.abbreviation, nil),
        ]
        for (question, fact) in asked where !(question == state.abbreviation && state.abbreviation == "") {
            let answer = try knowledge.answer(question)
            #expect(answer.states == [state], "\(question): \(answer.text)")
            if let fact { #expect(answer.text.lowercased().contains(fact.lowercased()), "\(question): \(answer.text)") }
        }
    }

    /// Every name leads back to its state.
    @Test(arguments: StateTable.rows)
    func everyNameLeadsBack(_ state: StateInformation) throws {
        guard state.admission != nil, let bird = state.bird, let flower = state.flower else { return }
        for question in [
            "which state has \(state.capital) as its capital",
            "\(state.largestCity) is the largest city of which state?",
            "whose state bird is the \(bird)", "Which state's flower is the \(flower)?",
        ] {
            let answer = try knowledge.answer(question)
            #expect(answer.states.contains(state), "\(question): \(answer.text)")
        }
    }

    /// The spoken forms are what the recognition grammar is made of: each must be understood when it comes back.
    @Test func everySpokenFormIsUnderstood() throws {
        for (state, forms) in QuestionPhrasing.spokenStates {
            for form in forms {
                #expect(try knowledge.answer("what is the bird of \(form)").states == [state], "\(form)")
            }
        }
        let topics: [(String, [QuestionPhrasing.Entry])] = [
            ("capital", QuestionPhrasing.spokenCapitals), ("largest city", QuestionPhrasing.spokenLargestCities),
            ("bird", QuestionPhrasing.spokenBirds), ("flower", QuestionPhrasing.spokenFlowers),
        ]
        for (topic, entries) in topics {
            for (state, forms) in entries {
                for form in forms {
                    #expect(form.utf8.allSatisfy { $0 == 32 || (97...122).contains($0) }, "\(form)")
                    let answer = try knowledge.answer("which state has the \(form) as its \(topic)")
                    #expect(answer.states.contains(state), "\(form): \(answer.text)")
                }
            }
        }
    }

    @Test func emptyTextIsNoQuestion() {
        for text in ["", " ", "\n\t", "\u{00A0}"] {
            #expect(throws: DomainError.emptyQuery) { try knowledge.answer(text) }
        }
    }

    @Test func whatHasNoAnswerSaysSo() {
        #expect(throws: DomainError.generationFailed("No state joined the Union then.")) {
            try knowledge.answer("Which states joined the Union in 1900?")
        }
    }
}
