// SPDX-License-Identifier: MIT

/// Knows about US states, and lets through only questions about them. Every implementation passes `QuestionAnswererContract` in
/// `DomainTestSupport`.
public protocol QuestionAnswerer: Sendable {
    /// Answers a question, or throws ``DomainError/invalidQuery`` when it is not about what is known of a US state.
    /// An implementation never guesses. May be called concurrently.
    func answer(_ question: String) async throws -> StateAnswer

    /// Why the question gets the answer or the refusal that it gets, one step a line, in the order of the decision.
    func explain(_ question: String) async throws -> [String]
}

/// The answer to a question about one or more states.
public struct StateAnswer: Sendable, Equatable {
    /// One or more sentences, fit to be shown and to be spoken.
    public let text: String
    /// The states that the answer is about, the one asked for first; never empty.
    public let states: [StateInformation]
    /// How sure it is that this was the question, from 0 to 1.
    public let confidence: Double

    /// Makes an answer about `state` and perhaps others.
    public init(text: String, state: StateInformation, others: [StateInformation] = [], confidence: Double) {
        self.text = text
        self.states = [state] + others
        self.confidence = confidence
    }

    /// The state asked for first.
    public var state: StateInformation { states[0] }
}
