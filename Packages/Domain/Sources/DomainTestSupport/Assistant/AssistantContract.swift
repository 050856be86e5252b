// SPDX-License-Identifier: MIT

public import Domain
import TestKit

/// An assistant, and questions to it.
public struct AssistantSubject: Sendable {
    let assistant: any Assistant
    let known: [String]
    let refused: [String]
    let isConstant: Bool
    let failing: Failing<any Assistant>

    /// A subject.
    ///
    /// - Parameters:
    ///   - assistant: The assistant.
    ///   - known: Questions that it answers.
    ///   - refused: Questions that it refuses.
    ///   - isConstant: True if a question has the same answer each time.
    ///   - failing: Assistants that fail at every question with an error that reaches the person.
    public init(
        assistant: any Assistant, known: [String], refused: [String], isConstant: Bool = true,
        failing: Failing<any Assistant> = [:]
    ) {
        self.assistant = assistant
        self.known = known
        self.refused = refused
        self.isConstant = isConstant
        self.failing = failing
    }

    /// The answer to a first question, with the pieces that were reported.
    func answer(_ text: String) async throws -> (answer: AssistantAnswer, pieces: [String]) {
        let events = Collected<AnswerEvent>()
        let answer = try await assistant.answer(AssistantQuestion(text)) { await events.add($0) }
        return (answer, await events.all.compactMap { if case .delta(let piece) = $0 { piece } else { nil } })
    }
}

/// The contract of `Assistant`.
public enum AssistantContract {
    /// Every promise.
    public static let checks: [ContractCheck<AssistantSubject>] = [
        .init("a known question has an answer, and its pieces are the answer") { subject in
            for question in subject.known {
                let (answer, pieces) = try await subject.answer(question)
                try require(answer.text.contains { !$0.isWhitespace }, "\(question): nothing to say")
                try require((0...1).contains(answer.confidence), "\(question): a confidence of \(answer.confidence)")
                try require(pieces.isEmpty || pieces.joined() == answer.text, "\(question): pieces \(pieces)")
                guard subject.isConstant else { continue }
                try await require(subject.answer(question).answer == answer, "\(question): another answer")
            }
        },
        .init("what is foreseen of a question is its answer, and of what is refused nothing is") { subject in
            for question in subject.known {
                guard let foreseen = await subject.assistant.foresee(AssistantQuestion(question)) else { continue }
                guard subject.isConstant else { continue }
                try await require(subject.answer(question).answer == foreseen, "\(question): another answer")
            }
            for question in subject.refused {
                let foreseen = await subject.assistant.foresee(AssistantQuestion(question))
                try require(foreseen == nil, "\(question): foreseen")
            }
        },
        .init("what is not known is refused, never guessed, and nothing is reported of it") { subject in
            for question in subject.refused {
                let events = Collected<AnswerEvent>()
                try await requireError(code: "invalidQuery") {
                    _ = try await subject.assistant.answer(AssistantQuestion(question)) { await events.add($0) }
                }
                try await require(events.all.isEmpty, "\(question): reported something")
            }
        },
        .init("questions at the same time get their own answers") { subject in
            let questions = subject.known + subject.refused
            try await concurrently(24) { number in
                let question = questions[number % questions.count]
                let answer = try? await subject.answer(question).answer
                try require((answer != nil) == subject.known.contains(question), "\(question): another's answer")
                guard subject.isConstant, let answer else { return }
                try await require(subject.answer(question).answer == answer, "\(question)")
            }
        },
        .init("a cancelled question is answered or says so") { subject in
            let task = Task {
                cancelCurrentTask()
                return try await subject.answer(subject.known[0])
            }
            do { _ = try await task.value } catch is CancellationError {}
        },
        .init("a failure is a documented error") { subject in
            for (code, make) in subject.failing {
                let assistant = try await make()
                try await requireError(code: code) {
                    _ = try await assistant.answer(AssistantQuestion(subject.known[0])) { _ in }
                }
            }
        },
    ]
}
