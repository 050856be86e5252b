// SPDX-License-Identifier: MIT

/// A body that is written while it is sent.
extension ExchangeState {
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
