// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// An assistant that gives kept answers to questions for facts, and keeps those of another one that last.
///
/// An answer is kept if the question is a ``FactQuestion`` and the first of its conversation, and if the other assistant
/// says that it lasts (``AssistantAnswer/lasts``). It is given in any conversation, since the question has no word that
/// points at what was said before.
/// If the person allows their situation to be read, a kept answer is given only in a similar situation.
public struct RememberingAssistant: Assistant {
    private let assistant: any Assistant
    private let cache: any AnswerCache
    private let now: @Sendable () -> Date

    /// - Parameter assistant: The assistant whose answers are kept.
    public init(
        _ assistant: any Assistant, cache: any AnswerCache, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.assistant = assistant
        self.cache = cache
        self.now = now
    }

    /// See ``Assistant``.
    public func answer(
        _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer {
        guard let fact = FactQuestion(question.text) else { return try await assistant.answer(question, report) }
        let context = question.context.map(ContextVector.init)
        if let kept = await cache.answer(to: fact), kept.fits(context) {
            try await report(.notice(.kept(since: kept.answeredAt, by: kept.model)))
            return AssistantAnswer(kept)
        }
        let answer = try await assistant.answer(question, report)
        if answer.lasts, question.asksForLastingFact, case .model(let model) = answer.source {
            await cache.keep(
                KeptAnswer(
                    question: question.text, text: answer.text, model: model, confidence: answer.confidence,
                    answeredAt: now(), context: context), to: fact)
        }
        return answer
    }

    /// See ``Assistant``: a kept answer is told for nothing.
    public func foresee(_ question: AssistantQuestion) async -> AssistantAnswer? {
        if let fact = FactQuestion(question.text), let kept = await cache.answer(to: fact) {
            return AssistantAnswer(kept)
        }
        return await assistant.foresee(question)
    }
}

extension AssistantAnswer {
    fileprivate init(_ kept: KeptAnswer) {
        self.init(text: kept.text, source: .cache, confidence: kept.confidence, answeredAt: kept.answeredAt)
    }
}
