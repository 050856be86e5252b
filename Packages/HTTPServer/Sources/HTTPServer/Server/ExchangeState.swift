// SPDX-License-Identifier: MIT

/// The life of one request without its I/O: it takes libmicrohttpd's reports and the requests of the handler's task,
/// and returns the actions to do.
///
/// The library calls three times: when the header has arrived, for each part of the body, and when the request is
/// complete. In between the connection is suspended, so that nothing is read before the handler wants it.
struct ExchangeState {
    /// The result for the library.
    enum Step {
        /// Continue.
        case proceed
        /// Wait until the connection is resumed.
        case suspend
        /// Start the handler, and wait.
        case start
        /// Send this answer.
        case answer(ServerResponse)
        /// Send this answer without the library, which takes none before the body has ended, and continue to drop the
        /// body.
        case answerEarly(ServerResponse)
        /// Close the connection.
        case close
    }

    /// The actions that follow once the state is unlocked.
    struct Effects {
        var body: (CheckedContinuation<[UInt8]?, any Error>, Result<[UInt8]?, any Error>)?
        var writer: (CheckedContinuation<Void, any Error>, Result<Void, any Error>)?
        var resumesConnection = false
        var cancelsTask = false
    }

    /// The most bytes of a request's body that wait for the handler, and of an answer's for the network.
    static let highWater = 64 << 10

    enum Phase {
        /// The header is not complete.
        case head
        /// The header has arrived, and no body will follow.
        case complete
        /// The handler runs, and has not requested the body.
        case beforeBody
        /// The body is arriving.
        case body
        /// The whole request has arrived.
        case received
        /// The library has the answer.
        case answered
        case finished
    }

    var phase = Phase.head
    var framing = RequestFraming.none
    var expectsContinue = false
    let canAnswerEarly: Bool
    let maximumDiscarded: Int

    var isSuspended = false
    var isAborted = false
    var hasHungUp = false

    var chunks: ArraySlice<[UInt8]> = []
    var bufferedBytes = 0
    var isBodyWanted = false
    var reader: CheckedContinuation<[UInt8]?, any Error>?
    var isDiscarding = false
    var discardedBytes = 0
    /// True if the answer was sent without the library.
    var isLingering = false

    var response: ServerResponse?
    var outgoing = OutgoingBody()
    var writer: CheckedContinuation<Void, any Error>?

    /// - Parameters:
    ///   - canAnswerEarly: True if bytes can be sent past the library, which TLS does not allow.
    ///   - maximumDiscarded: The most bytes that are read of an unwanted body.
    init(canAnswerEarly: Bool, maximumDiscarded: Int) {
        self.canAnswerEarly = canAnswerEarly
        self.maximumDiscarded = maximumDiscarded
    }

    /// True if the answer continues until one side ends it.
    var isEndless: Bool { response?.isEndless == true }
    var isFinished: Bool { if case .finished = phase { true } else { false } }
    /// True if the body is being read from the network right now.
    var isReceiving: Bool { if case .body = phase { !isSuspended && !isLingering } else { false } }

    // MARK: The library's calls

    /// The header is complete and valid.
    mutating func begin(_ framing: RequestFraming, expectsContinue: Bool) -> Step {
        if isAborted { return .close }
        self.framing = framing
        self.expectsContinue = expectsContinue
        guard framing == .none else {
            phase = .beforeBody
            isSuspended = true
            return .start
        }
        phase = .complete
        return .proceed
    }

    /// The library calls without bytes of the body, after `begin`.
    mutating func called(_ effects: inout Effects) -> Step {
        if isAborted { return .close }
        switch phase {
        case .complete:
            phase = .received
            isSuspended = true
            return .start
        case .beforeBody:
            if let response { return answerBeforeBody(response) }
            guard isBodyWanted else { return suspend() }
            phase = .body
            return .proceed
        case .body:
            phase = .received
            if isLingering { return .close }
            if hasHungUp { effects.cancelsTask = true }
            serveReader(&effects)
            return answerOrSuspend()
        case .received:
            return answerOrSuspend()
        case .head, .answered, .finished:
            return .close
        }
    }

    /// Takes a part of the body completely.
    ///
    /// The library delivers all the chunks that it has, also after it was told to suspend the connection.
    mutating func received(_ bytes: @autoclosure () -> [UInt8], count: Int, _ effects: inout Effects) -> Step {
        if isAborted { return .close }
        guard case .body = phase else { return .close }
        if isLingering { return .proceed }
        if isDiscarding { return discard(count) }
        chunks.append(bytes())
        bufferedBytes += count
        serveReader(&effects)
        return bufferedBytes < Self.highWater ? .proceed : suspend()
    }

    /// The client has closed its side. The bytes that it sent before are still read: the library reports the end after
    /// them.
    mutating func hungUp(_ effects: inout Effects) {
        hasHungUp = true
        switch phase {
        case .beforeBody, .body: effects.cancelsTask = response != nil
        case .head, .complete, .received, .answered, .finished: effects.cancelsTask = true
        }
    }

    /// The library no longer uses the request. The handler may still read what has arrived.
    mutating func completed(_ effects: inout Effects) {
        phase = .finished
        isSuspended = false
        fail(&effects)
    }

    /// Suspends the connection once: only resuming ends the suspension, and suspending twice would break the library's
    /// lists.
    mutating func suspend() -> Step {
        if isSuspended { return .proceed }
        isSuspended = true
        return .suspend
    }

    mutating func answerOrSuspend() -> Step {
        guard let response else { return suspend() }
        phase = .answered
        return .answer(response)
    }

    /// The handler has answered without reading the body. A client that waits for "100 Continue" needs no more. For the
    /// others a short body is read, so that the connection can be kept; a long one would take too long. Closing a
    /// socket with unread bytes resets the connection, and the answer may be lost, so the answer is sent at once and
    /// the rest is dropped for a while.
    mutating func answerBeforeBody(_ response: ServerResponse) -> Step {
        if case .length(let length) = framing, length <= maximumDiscarded, !expectsContinue {
            isDiscarding = true
            phase = .body
            return .proceed
        }
        if !expectsContinue, canAnswerEarly, case .bytes = response.body {
            isLingering = true
            phase = .body
            return .answerEarly(response)
        }
        phase = .answered
        return .answer(response)
    }

    mutating func discard(_ count: Int) -> Step {
        discardedBytes += count
        guard discardedBytes > maximumDiscarded else { return .proceed }
        guard let response, canAnswerEarly, case .bytes = response.body else { return .close }
        isLingering = true
        return .answerEarly(response)
    }

    mutating func serveReader(_ effects: inout Effects) {
        guard let continuation = reader else { return }
        if let chunk = takeChunk() {
            effects.body = (continuation, .success(chunk))
        } else if case .received = phase {
            effects.body = (continuation, .success(nil))
        } else {
            return
        }
        reader = nil
    }

    mutating func takeChunk() -> [UInt8]? {
        guard let chunk = chunks.popFirst() else { return nil }
        bufferedBytes -= chunk.count
        return chunk
    }
}
