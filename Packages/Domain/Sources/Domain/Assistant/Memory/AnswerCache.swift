// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// An answer that was kept for the next time.
public struct KeptAnswer: Sendable, Hashable, Codable {
    /// The question, as it was asked.
    public let question: String
    /// The words of the answer.
    public let text: String
    /// The name of the model that gave it.
    public let model: String
    /// The confidence that this was the question, from 0 to 1.
    public let confidence: Double
    /// The time of the answer.
    public let answeredAt: Date
    /// The person's situation when it was given; nil if none was read.
    public let context: ContextVector?

    /// An answer.
    public init(
        question: String, text: String, model: String, confidence: Double, answeredAt: Date,
        context: ContextVector? = nil
    ) {
        self.question = question
        self.text = text
        self.model = model
        self.confidence = confidence
        self.answeredAt = answeredAt
        self.context = context
    }

    /// True if it may be given in a situation: either is missing, or they are similar.
    func fits(_ now: ContextVector?) -> Bool {
        guard let now, let context else { return true }
        return context.similarity(to: now) > ContextVector.threshold
    }
}

/// Answers to questions for facts, for a limited time. What cannot be kept or read costs the answer, and nothing else.
/// Every implementation passes `AnswerCacheContract` in `DomainTestSupport`.
public protocol AnswerCache: Sendable {
    /// The answer to a question that was kept last; nil for none, and for one that is too old.
    func answer(to question: FactQuestion) async -> KeptAnswer?

    /// Keeps an answer, in the place of an earlier one to the same question.
    func keep(_ answer: KeptAnswer, to question: FactQuestion) async
}
