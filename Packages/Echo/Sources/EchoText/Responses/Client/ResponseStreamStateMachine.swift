// SPDX-License-Identifier: MIT

/// Decides the next step of a stream of events: pure, so that every way of breaking can be tried.
struct ResponseStreamStateMachine: Sendable {
    /// The step after an event.
    enum Step: Sendable {
        case deliver(ResponseStreamEvent)
        /// It was delivered before, or follows the last one.
        case drop
    }

    /// The step after the last byte.
    enum End: Sendable {
        case finish
        case fail(EchoError)
        /// Ask for the events after that one. The attempt is counted from one since the last event.
        case resume(responseID: String, after: Int?, attempt: Int)
    }

    private let maximumResumptions: Int
    private(set) var assembly = ResponseAssembly()
    /// The answer's id, once it is known.
    private(set) var identifier: String?
    /// The number of the last event that was delivered.
    private(set) var lastSequenceNumber: Int?
    /// The end of the stream, once known: after a last event, or for good.
    private(set) var end: End?
    private var isResumed: Bool
    private var resumptions = 0

    init(maximumResumptions: Int, responseID: String? = nil, after: Int? = nil) {
        self.maximumResumptions = maximumResumptions
        identifier = responseID
        lastSequenceNumber = after
        isResumed = responseID != nil
    }

    /// Handles an event.
    mutating func receive(_ event: ResponseStreamEvent) -> Step {
        guard end == nil else { return .drop }
        if let number = event.sequenceNumber {
            if isResumed, let lastSequenceNumber, number <= lastSequenceNumber { return .drop }
            lastSequenceNumber = max(number, lastSequenceNumber ?? number)
        }
        resumptions = 0
        assembly.apply(event)
        switch (event.kind, event.detail) {
        case (.completed, _), (.incomplete, _): end = .finish
        case (.failed, _): end = .fail(Self.error(of: assembly.response))
        case (_, .response(let response)): identifier = response.id
        case (_, .error(let failure)): end = .fail(error(failure))
        default: break
        }
        return .deliver(event)
    }

    /// Handles the end of the bytes, for that reason.
    mutating func ended(_ reason: StreamInterruption.Reason, message: String, mayResume: Bool) -> End {
        if let end { return end }
        let isPassing = [.connectionLost, .endedEarly, .timedOut].contains(reason)
        if mayResume, isPassing, let identifier, resumptions < maximumResumptions {
            isResumed = true
            resumptions += 1
            return .resume(responseID: identifier, after: lastSequenceNumber, attempt: resumptions)
        }
        let failure = End.fail(interruption(reason, message))
        end = failure
        return failure
    }

    /// The error of a failed answer.
    static func error(of response: Response) -> EchoError {
        let failure = response.failure ?? APIFailure(message: "The server gave no reason.")
        switch EchoError(failure) {
        case .apiError: return .responseFailed(failure)
        case let known: return known
        }
    }

    /// Before any output, an `error` event is treated like an error response; later the error contains the answer so
    /// far.
    private func error(_ failure: APIFailure) -> EchoError {
        if assembly.response.output.isEmpty { return EchoError(failure) }
        return interruption(.failure(failure), failure.description)
    }

    private func interruption(_ reason: StreamInterruption.Reason, _ message: String) -> EchoError {
        .streamInterrupted(
            StreamInterruption(
                reason: reason, message: message, partial: assembly.interrupted, lastSequenceNumber: lastSequenceNumber)
        )
    }
}
