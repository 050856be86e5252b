// SPDX-License-Identifier: MIT

public import Domain

/// An answerer, and questions to it.
public struct QuestionAnswererSubject: Sendable {
    let answerer: any QuestionAnswerer
    let known: [String]
    let refused: [String]
    let failing: Failing<any QuestionAnswerer>

    /// A subject.
    ///
    /// - Parameters:
    ///   - answerer: The answerer.
    ///   - known: Questions that it answers.
    ///   - refused: Questions that it refuses.
    ///   - failing: Answerers that fail at every question with `invalidQuery`, `generationFailed` or another error that
    ///     reaches the person.
    public init(
        answerer: any QuestionAnswerer, known: [String], refused: [String],
        failing: Failing<any QuestionAnswerer> = [:]
    ) {
        self.answerer = answerer
        self.known = known
        self.refused = refused
        self.failing = failing
    }
}

/// The contract of `QuestionAnswerer`.
public enum QuestionAnswererContract {
    /// Every promise.
    public static let checks: [ContractCheck<QuestionAnswererSubject>] = [
        .init("a known question has an answer about a state, the same each time") { subject in
            for question in subject.known {
                let answer = try await subject.answerer.answer(question)
                try require(answer.text.contains { !$0.isWhitespace }, "\(question): nothing to say")
                try require(!answer.states.isEmpty, "\(question): about no state")
                try require((0...1).contains(answer.confidence), "\(question): a confidence of \(answer.confidence)")
                try await require(subject.answerer.answer(question) == answer, "\(question): another answer")
            }
        },
        .init("what is not known is refused, never guessed") { subject in
            for question in subject.refused {
                try await requireError(code: "invalidQuery") { _ = try await subject.answerer.answer(question) }
            }
        },
        .init("answers and refusals are explained alike") { subject in
            for question in subject.known + subject.refused {
                try await require(!subject.answerer.explain(question).isEmpty, "\(question): not explained")
            }
        },
        .init("questions at the same time get their own answers") { subject in
            let questions = subject.known + subject.refused
            try await concurrently(24) { number in
                let question = questions[number % questions.count]
                let answer = try? await subject.answerer.answer(question)
                try require((answer != nil) == subject.known.contains(question), "\(question): another's answer")
                if let answer { try await require(subject.answerer.answer(question) == answer, "\(question)") }
            }
        },
        .init("a cancelled question is answered or says so") { subject in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await subject.answerer.answer(subject.known[0])
            }
            do { _ = try await task.value } catch is CancellationError {}
        },
        .init("a failure is a documented error") { subject in
            for (code, make) in subject.failing {
                let answerer = try await make()
                try await requireError(code: code) { _ = try await answerer.answer(subject.known[0]) }
            }
        },
    ]
}
