// SPDX-License-Identifier: MIT

/// The answer to a question.
public struct AssistantAnswer: Sendable, Hashable {
    /// One or more sentences, fit to be shown and to be spoken.
    public let text: String
    /// The part of the program that it comes from.
    public let source: AnswerSource
    /// The confidence that this was the question, from 0 to 1.
    public let confidence: Double
    /// The states that it is about, the one in the question first.
    public let states: [StateInformation]
    /// Its tokens and their price; nil if it comes from this machine.
    public let usage: AnswerUsage?

    /// Makes an answer.
    public init(
        text: String, source: AnswerSource, confidence: Double = 1, states: [StateInformation] = [],
        usage: AnswerUsage? = nil
    ) {
        self.text = text
        self.source = source
        self.confidence = confidence
        self.states = states
        self.usage = usage
    }
}
