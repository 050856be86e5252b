// SPDX-License-Identifier: MIT

/// The calls of the handler's task.
extension ExchangeState {
    /// Requests the next part of the body; one reader at a time.
    mutating func read(_ continuation: CheckedContinuation<[UInt8]?, any Error>, _ effects: inout Effects) {
        guard !isAborted, reader == nil, response == nil, !isFinished || !chunks.isEmpty else {
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

    /// Asks the library for more of the body, if there is room.
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

    /// Takes the handler's answer.
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
        chunks = []
        fail(&effects)
        effects.cancelsTask = true
        resume(&effects)
    }

    mutating func fail(_ effects: inout Effects) {
        if let reader { effects.body = (reader, .failure(CancellationError())) }
        if let writer { effects.writer = (writer, .failure(CancellationError())) }
        (reader, writer) = (nil, nil)
        outgoing.fail()
    }

    mutating func resume(_ effects: inout Effects) {
        guard isSuspended else { return }
        isSuspended = false
        effects.resumesConnection = true
    }
}

/// A body that is written while it is sent.
extension ExchangeState {
    /// The result for the library's buffer of `limit` bytes; `suspends` is true if the connection must be suspended.
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

    /// Ends the body: it is complete, or will never be.
    mutating func finishWriting(succeeded: Bool, _ effects: inout Effects) {
        if succeeded { outgoing.finish() } else { outgoing.fail() }
        if case .answered = phase { resume(&effects) }
    }
}
