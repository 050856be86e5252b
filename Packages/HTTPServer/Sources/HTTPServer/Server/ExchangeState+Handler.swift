// SPDX-License-Identifier: MIT

/// What the handler's task asks for.
extension ExchangeState {
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

    mutating func fail(_ effects: inout Effects) {
        if let reader { effects.body = (reader, .failure(CancellationError())) }
        if let writer { effects.writer = (writer, .failure(CancellationError())) }
        (reader, writer) = (nil, nil)
        chunks = []
        outgoing.fail()
    }

    mutating func resume(_ effects: inout Effects) {
        guard isSuspended else { return }
        isSuspended = false
        effects.resumesConnection = true
    }
}
