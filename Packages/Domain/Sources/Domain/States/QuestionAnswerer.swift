// SPDX-License-Identifier: MIT

/// Answers questions about US states, and refuses all others. Every implementation passes `QuestionAnswererContract` in
/// `DomainTestSupport`.
public protocol QuestionAnswerer: Sendable {
    /// Answers a question, or throws ``DomainError/invalidQuery`` if it is not about a known fact of a US state.
    /// An implementation never guesses. May be called concurrently.
    func answer(_ question: String) async throws -> StateAnswer

    /// The reasons for the answer or the refusal, one step a line, in the order of the decision.
    func explain(_ question: String) async throws -> [String]
}

/// The answer to a question about one or more states.
public struct StateAnswer: Sendable, Equatable {
    /// One or more sentences, fit to be shown and to be spoken.
    public let text: String
    /// The states that the answer is about, the one in the question first; never empty.
    public let states: [StateInformation]
    /// The confidence that this was the question, from 0 to 1.
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
