// SPDX-License-Identifier: MIT

/// The life of one request without its I/O: what libmicrohttpd reports and what the handler's task asks for go in, what
/// is to be done comes out.
///
/// The library calls three times: when the header is there, for each part of the body, and when the request is complete.
/// In between the connection is suspended, so that nothing is read that nobody waits for.
struct ExchangeState {
    /// What the library is told.
    enum Step {
        /// Go on.
        case proceed
        /// Wait until the connection is resumed.
        case suspend
        /// Start the handler, and wait.
        case start
        /// Send this answer.
        case answer(ServerResponse)
        /// Send this answer past the library, which takes none before the body has ended, and go on dropping the body.
        case answerEarly(ServerResponse)
        /// Close the connection.
        case close
    }

    /// What happens besides, once the state is unlocked.
    struct Effects {
        var body: (CheckedContinuation<[UInt8]?, any Error>, Result<[UInt8]?, any Error>)?
        var writer: (CheckedContinuation<Void, any Error>, Result<Void, any Error>)?
        var resumesConnection = false
        var cancelsTask = false
    }

    /// How much of a request's body may wait for the handler, and of an answer's for the network.
    static let highWater = 64 << 10

    private enum Phase {
        /// The header is not complete.
        case head
        /// The header is there, and no body will come.
        case complete
        /// The handler works; nothing of the body has been asked for.
        case beforeBody
        /// The body is coming in.
        case body
        /// The whole request is here.
        case received
        /// The answer is the library's now.
        case answered
        case finished
    }

    private var phase = Phase.head
    private var framing = RequestFraming.none
    private var expectsContinue = false
    private let canAnswerEarly: Bool
    private let maximumDiscarded: Int

    private(set) var isSuspended = false
    private var isAborted = false

    private var chunks: ArraySlice<[UInt8]> = []
    private var bufferedBytes = 0
    private var isBodyWanted = false
    private var reader: CheckedContinuation<[UInt8]?, any Error>?
    private var isDiscarding = false
    private var discardedBytes = 0
    /// Whether the answer was sent past the library.
    private var isLingering = false

    private var response: ServerResponse?
    private var outgoing = OutgoingBody()
    private var writer: CheckedContinuation<Void, any Error>?

    /// - Parameters:
    ///   - canAnswerEarly: Whether bytes can be sent past the library, which TLS does not allow.
    ///   - maximumDiscarded: How much of an unwanted body is read.
    init(canAnswerEarly: Bool, maximumDiscarded: Int) {
        self.canAnswerEarly = canAnswerEarly
        self.maximumDiscarded = maximumDiscarded
    }

    /// Whether the answer goes on until somebody ends it.
    var isEndless: Bool { response?.isEndless == true }
    var isFinished: Bool { if case .finished = phase { true } else { false } }
    /// Whether the body is being read from the network right now.
    var isReceiving: Bool { if case .body = phase { !isSuspended && !isLingering } else { false } }

    // MARK: The library's calls

    /// The header is complete and in order.
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
            serveReader(&effects)
            return answerOrSuspend()
        case .received:
            return answerOrSuspend()
        case .head, .answered, .finished:
            return .close
        }
    }

    /// A part of the body has come, which this takes completely.
    ///
    /// The library hands over all the chunks that it has, also after it was told to suspend the connection.
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

    /// The library has no use for the request any more.
    mutating func completed(_ effects: inout Effects) {
        phase = .finished
        isSuspended = false
        fail(&effects)
    }

    /// Only resuming takes the connection out of suspension, and suspending it twice would break the library's lists.
    private mutating func suspend() -> Step {
        if isSuspended { return .proceed }
        isSuspended = true
        return .suspend
    }

    private mutating func answerOrSuspend() -> Step {
        guard let response else { return suspend() }
        phase = .answered
        return .answer(response)
    }

    /// The handler has answered without wanting the body. A client that waits for "100 Continue" needs no more. Of the
    /// others a short body is read, for the sake of the connection; a long one would be in the way: closing a socket
    /// with bytes unread resets the connection, and the answer may be lost, so it is sent at once and the rest dropped
    /// for a while.
    private mutating func answerBeforeBody(_ response: ServerResponse) -> Step {
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

    private mutating func discard(_ count: Int) -> Step {
        discardedBytes += count
        guard discardedBytes > maximumDiscarded else { return .proceed }
        guard let response, canAnswerEarly, case .bytes = response.body else { return .close }
        isLingering = true
        return .answerEarly(response)
    }

    private mutating func serveReader(_ effects: inout Effects) {
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

    private mutating func takeChunk() -> [UInt8]? {
        guard let chunk = chunks.popFirst() else { return nil }
        bufferedBytes -= chunk.count
        return chunk
    }

    // MARK: The task's calls

    /// The handler wants the next part of the body; one reader at a time.
    mutating func read(_ continuation: CheckedContinuation<[UInt8]?, any Error>, _ effects: inout Effects) {
        guard !isAborted, !isFinished, reader == nil, response == nil else {
            effects.body = (continuation, .failure(CancellationError()))
            return
        }
        guard framing != .none else {
            effects.body = (continuation, .success(nil))
            return
        }
        reader = continuation
        serveReader(&effects)
        wantBody(&effects)
    }

    /// There is room for more of the body.
    mutating func wantBody(_ effects: inout Effects) {
        isBodyWanted = true
        switch phase {
        case .beforeBody: resume(&effects)
        case .body where bufferedBytes < Self.highWater / 2: resume(&effects)
        default: break
        }
    }

    mutating func cancelRead(_ effects: inout Effects) {
        guard let continuation = reader else { return }
        reader = nil
        effects.body = (continuation, .failure(CancellationError()))
    }

    /// The handler has answered.
    mutating func respond(_ response: ServerResponse, _ effects: inout Effects) {
        guard self.response == nil, !isFinished else { return }
        self.response = response
        if case .stream(let length, _) = response.body { outgoing.remaining = length }
        isDiscarding = true
        chunks = []
        bufferedBytes = 0
        resume(&effects)
    }

    /// Ends the request at once.
    mutating func breakOff(_ effects: inout Effects) {
        guard !isFinished else { return }
        isAborted = true
        fail(&effects)
        effects.cancelsTask = true
        resume(&effects)
    }

    private mutating func fail(_ effects: inout Effects) {
        if let reader { effects.body = (reader, .failure(CancellationError())) }
        if let writer { effects.writer = (writer, .failure(CancellationError())) }
        (reader, writer) = (nil, nil)
        chunks = []
        outgoing.fail()
    }

    private mutating func resume(_ effects: inout Effects) {
        guard isSuspended else { return }
        isSuspended = false
        effects.resumesConnection = true
    }

    // MARK: A body that is written while it is sent

    /// What the library gets for its buffer of `limit` bytes, and whether the connection is to be suspended.
    mutating func pull(limit: Int, _ effects: inout Effects) -> (piece: OutgoingBody.Piece, suspends: Bool) {
        guard !isAborted else { return (.failed, false) }
        let piece = outgoing.take(limit: limit)
        if let writer, outgoing.count < Self.highWater {
            effects.writer = (writer, .success(()))
            self.writer = nil
        }
        guard case .nothing = piece, case .suspend = suspend() else { return (piece, false) }
        return (piece, true)
    }

    mutating func write(
        _ bytes: [UInt8], _ continuation: CheckedContinuation<Void, any Error>, _ effects: inout Effects
    ) {
        guard !isAborted, !isFinished, writer == nil else {
            effects.writer = (continuation, .failure(CancellationError()))
            return
        }
        guard outgoing.append(bytes) else {
            effects.writer = (
                continuation,
                .failure(HTTPServerError(code: .invalidResponse, message: "The body is longer than was announced."))
            )
            return
        }
        if outgoing.count < Self.highWater {
            effects.writer = (continuation, .success(()))
        } else {
            writer = continuation
        }
        if case .answered = phase { resume(&effects) }
    }

    mutating func cancelWrite(_ effects: inout Effects) {
        guard let continuation = writer else { return }
        writer = nil
        effects.writer = (continuation, .failure(CancellationError()))
    }

    /// The body is complete, or will never be.
    mutating func finishWriting(succeeded: Bool, _ effects: inout Effects) {
        if succeeded { outgoing.finish() } else { outgoing.fail() }
        if case .answered = phase { resume(&effects) }
    }
}
