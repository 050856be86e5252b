// SPDX-License-Identifier: MIT

/// The state of a question, as a screen shows it.
///
/// The transitions are those of ``QueryState/after(_:)``; any other is refused, so that a late answer never overwrites
/// a state that a person has left.
public enum QueryState: Sendable, Equatable {
    /// Nothing was asked; input is ready.
    case idle
    /// The question is being worked on.
    case loading(question: String)
    /// The question was answered.
    case success(AssistantAnswer)
    /// The question was turned down or could not be answered; it can be tried again.
    case error(DomainError, question: String)

    /// An event that changes the state.
    public enum Event: Sendable, Equatable {
        /// The person asked a question.
        case submit(String)
        /// The answer arrived.
        case succeed(AssistantAnswer)
        /// The guardrail turned the question down, or something failed.
        case fail(DomainError)
        /// The person asks the same question again after an error ("Retry").
        case retry
        /// The person returns to an empty input ("Try Again", "OK", or clearing an answer).
        case reset
    }

    /// The state after an event, or `nil` when the event has no meaning in this state and changes nothing.
    public func after(_ event: Event) -> QueryState? {
        switch (self, event) {
        case (.idle, .submit(let question)), (.success, .submit(let question)): .loading(question: question)
        case (.loading, .succeed(let answer)): .success(answer)
        case (.loading(let question), .fail(let error)): .error(error, question: question)
        case (.error(_, let question), .retry): .loading(question: question)
        case (.success, .reset), (.error, .reset): .idle
        default: nil
        }
    }
}
