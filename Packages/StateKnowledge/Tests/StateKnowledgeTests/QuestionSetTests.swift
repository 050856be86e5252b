// SPDX-License-Identifier: MIT

import Domain
import Foundation
import StateKnowledge
import Testing

/// The question set that the guardrail is judged by: at least 97% right, and nothing answered that must not be.
@Suite struct QuestionSetTests {
    private struct Expected: Decodable {
        let q: String
        let kind: String
        let answered: Bool
        let states: [String]?
        let contains: [String]?
        let code: String?
    }

    private static func load(_ name: String) throws -> [Expected] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name).jsonl")
        let text = try String(contentsOf: file, encoding: .utf8)
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Expected.self, from: Data($0.utf8)) }
    }

    private static func failure(of expected: Expected, _ knowledge: StateKnowledgeBase) -> String? {
        do {
            let answer = try knowledge.answer(expected.q)
            guard expected.answered else { return "answered: \(answer.text)" }
            let states = expected.states ?? []
            let isRight =
                answer.states[0].name == states.first && Set(answer.states.map(\.name)) == Set(states)
                && (expected.contains ?? []).allSatisfy { answer.text.lowercased().contains($0.lowercased()) }
            return isRight ? nil : "\(answer.states.map(\.name)): \(answer.text)"
        } catch {
            guard expected.answered else { return error.code == expected.code ? nil : "refused as \(error.code)" }
            return "refused as \(error.code)"
        }
    }

    @Test(arguments: ["questions", "diverse"])
    func isUnderstood(_ name: String) throws {
        let questions = try Self.load(name)
        #expect(questions.count >= 300)
        let knowledge = StateKnowledgeBase()
        var wrong = 0
        for question in questions {
            guard let failure = Self.failure(of: question, knowledge) else { continue }
            wrong += 1
            print("\(question.kind): \(question.q.prefix(120)) — \(failure)")
            if !question.answered {
                #expect(!failure.hasPrefix("answered"), "\(question.q) must not be answered")
            }
        }
        #expect(
            Double(questions.count - wrong) / Double(questions.count) >= 0.97, "\(wrong) of \(questions.count) wrong")
    }

    @Test func theJudgeSeesAWrongAnswer() throws {
        let wrong = Expected(
            q: "capital of Texas", kind: "", answered: true, states: ["Texas"], contains: ["Houston"], code: nil)
        #expect(Self.failure(of: wrong, StateKnowledgeBase()) != nil)
        let answered = Expected(
            q: "capital of Texas", kind: "", answered: false, states: nil, contains: nil, code: "invalidQuery")
        #expect(Self.failure(of: answered, StateKnowledgeBase())?.hasPrefix("answered") == true)
    }
}
