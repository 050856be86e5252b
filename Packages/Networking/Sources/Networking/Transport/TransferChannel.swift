// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// Carries a response from the loop's thread to the tasks that read it.
///
/// The first end wins, be it the transfer's, a failure or a cancellation. At most one task waits at a time.
final class TransferChannel: Sendable {
    private enum Waiter {
        case head(CheckedContinuation<ResponseHead, any Error>)
        case chunk(CheckedContinuation<[UInt8]?, any Error>)
    }

    private struct State {
        var head: ResponseHead?
        var buffer = ChunkQueue()
        var end: Result<Void, any Error>?
        var waiter: Waiter?
        var isHeldBack = false
        var summary = HTTPTransferSummary()
    }

    private let state = Guarded(State())

    /// The facts about the transfer so far.
    var summary: HTTPTransferSummary { state.withLock { $0.summary } }

    /// True if the transfer has ended in any way.
    var isOver: Bool { state.withLock { $0.end != nil } }

    // MARK: The loop's side

    /// Hands on the data of one round.
    ///
    /// - Parameters:
    ///   - head: The header, if it arrived in this round.
    ///   - chunk: Bytes of body; taken out.
    ///   - end: The end, if it arrived.
    ///   - holdsBack: True if libcurl has to wait for the reader.
    /// - Returns: True if the reader has taken everything, so that libcurl may continue at once.
    func deliver(
        head: ResponseHead?, chunk: inout [UInt8], end: Result<Void, any Error>?, summary: HTTPTransferSummary?,
        holdsBack: Bool
    ) -> Bool {
        var chunkToResume: (CheckedContinuation<[UInt8]?, any Error>, Result<[UInt8]?, any Error>)?
        var headToResume: (CheckedContinuation<ResponseHead, any Error>, Result<ResponseHead, any Error>)?
        let isDrained = state.withLock { state in
            if let summary { state.summary = summary }
            if let head { state.head = head }
            if state.end == nil {
                state.buffer.take(&chunk)
                state.end = end
            }
            chunk.removeAll(keepingCapacity: true)
            switch state.waiter {
            case .head(let continuation):
                if let head = state.head {
                    state.waiter = nil
                    headToResume = (continuation, .success(head))
                } else if case .failure(let error) = state.end {
                    state.waiter = nil
                    headToResume = (continuation, .failure(error))
                }
            case .chunk(let continuation):
                if let next = Self.take(&state) {
                    state.waiter = nil
                    chunkToResume = (continuation, next)
                }
            case nil: break
            }
            state.isHeldBack = holdsBack && !state.buffer.isEmpty
            return state.buffer.isEmpty
        }
        if let (continuation, result) = headToResume { continuation.resume(with: result) }
        if let (continuation, result) = chunkToResume { continuation.resume(with: result) }
        return isDrained
    }

    /// Takes bytes of body before the round's end, when `deliver` resumes a waiting reader.
    func append(_ bytes: inout [UInt8]) {
        state.withLock { state in
            if state.end == nil { state.buffer.take(&bytes) }
            bytes.removeAll(keepingCapacity: true)
        }
    }

    /// The number of bytes that wait for the reader.
    var unread: Int { state.withLock { $0.buffer.count } }

    // MARK: The reader's side

    /// Ends the transfer from outside. Received bytes that were not read are dropped.
    ///
    /// - Returns: True if it had not ended before.
    func end(with error: any Error) -> Bool {
        let (first, waiter) = state.withLock { state in
            guard state.end == nil else { return (false, Waiter?.none) }
            state.end = .failure(error)
            state.head = nil
            state.buffer = ChunkQueue()
            defer { state.waiter = nil }
            return (true, state.waiter)
        }
        switch waiter {
        case .head(let continuation): continuation.resume(throwing: error)
        case .chunk(let continuation): continuation.resume(throwing: error)
        case nil: break
        }
        return first
    }

    func waitForHead() async throws -> ResponseHead {
        try await withCheckedThrowingContinuation { continuation in
            let ready: Result<ResponseHead, any Error>? = state.withLock { state in
                // A response that broke off before it was read is still one, up to there.
                if let head = state.head { return .success(head) }
                if case .failure(let error) = state.end { return .failure(error) }
                state.waiter = .head(continuation)
                return nil
            }
            if let ready { continuation.resume(with: ready) }
        }
    }

    /// The next bytes, or `nil` at the end.
    ///
    /// - Parameter release: Called if libcurl waits for the bytes that were just taken.
    func waitForChunk(release: () -> Void) async throws -> [UInt8]? {
        try await withCheckedThrowingContinuation { continuation in
            // All in one step: bytes that arrived between a look and the wait would be taken without a release.
            let (ready, isFreed) = state.withLock { state -> (Result<[UInt8]?, any Error>?, Bool) in
                if let next = Self.take(&state) {
                    let isFreed = state.isHeldBack && state.buffer.isEmpty
                    if isFreed { state.isHeldBack = false }
                    return (next, isFreed)
                }
                guard state.waiter == nil else {
                    return (.failure(NetworkError.invalidRequest("A body is read by one task at a time.")), false)
                }
                state.waiter = .chunk(continuation)
                return (nil, false)
            }
            if isFreed { release() }
            if let ready { continuation.resume(with: ready) }
        }
    }

    private static func take(_ state: inout State) -> Result<[UInt8]?, any Error>? {
        if let chunk = state.buffer.next() { return .success(chunk) }
        return state.end.map { $0.map { nil } }
    }
}
