// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// The buffers between the loop's thread and the tasks that read and write a `CurlByteStream`: bytes received ahead,
/// and one piece being sent.
///
/// A change of thread costs as much as copying some hundred kilobytes, so the loop takes all that the system has before
/// it hands anything on, and reads ahead while the reader is busy.
final class CurlByteStreamBuffers: CurlConnectOnlyHandler {
    private struct State {
        var opening: CheckedContinuation<Void, any Error>?
        var isOpen = false
        var end: (any Error)?
        /// Why nothing can be sent any more; what the peer had sent before can still be read.
        var writeEnd: (any Error)?
        var received: [UInt8] = []
        /// The size of the next chunk: it follows the received bytes, so that a quiet connection needs little.
        var chunkSize = CurlByteStreamBuffers.chunkSizes.lowerBound
        var isAtEnd = false
        /// True while the loop must not read.
        var isPaused = false
        var reader: CheckedContinuation<[UInt8], any Error>?
        var unsent: [UInt8] = []
        var sentCount = 0
        var writer: CheckedContinuation<Void, any Error>?
    }

    private let state = Guarded(State())
    private static let chunkSizes = 16 << 10...256 << 10

    func waitUntilOpen() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let result: Result<Void, any Error>? = state.withLock { state in
                if let end = state.end { return .failure(end) }
                if state.isOpen { return .success(()) }
                state.opening = continuation
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// Returns the bytes that are ready, or lets the reader wait.
    ///
    /// - Returns: True if the loop must be told to read on.
    func read(_ continuation: CheckedContinuation<[UInt8], any Error>) -> Bool {
        let (result, mustResume): (Result<[UInt8], any Error>?, Bool) = state.withLock { state in
            guard !state.received.isEmpty || state.isAtEnd else {
                if let end = state.end { return (.failure(end), false) }
                guard state.reader == nil else { return (.failure(NetworkError.secondUser("reader")), false) }
                state.reader = continuation
                return (nil, Self.unpause(&state))
            }
            let bytes = state.received
            state.received = []
            return (.success(bytes), Self.unpause(&state))
        }
        if let result { continuation.resume(with: result) }
        return mustResume
    }

    private static func unpause(_ state: inout State) -> Bool {
        guard state.isPaused, !state.isAtEnd, state.end == nil else { return false }
        state.isPaused = false
        return true
    }

    func cancelRead() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(throwing: CancellationError())
    }

    /// Takes the bytes.
    ///
    /// - Returns: True if the loop must send them.
    func write(_ bytes: [UInt8], _ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let end: (any Error)? = state.withLock { state in
            if let end = state.end ?? state.writeEnd { return end }
            guard state.writer == nil else { return NetworkError.secondUser("writer") }
            state.unsent = bytes
            state.sentCount = 0
            state.writer = continuation
            return nil
        }
        if let end { continuation.resume(throwing: end) }
        return end == nil
    }

    func end(with error: any Error) {
        let (opening, reader, writer) = state.withLock { state in
            if state.end == nil { state.end = error }
            defer {
                state.opening = nil
                state.reader = nil
                state.writer = nil
                state.unsent = []
            }
            return (state.opening, state.reader, state.writer)
        }
        opening?.resume(throwing: error)
        reader?.resume(throwing: error)
        writer?.resume(throwing: error)
    }

    // MARK: On the loop's thread

    func connectionDidOpen(_ connection: CurlConnectOnly) {
        let opening = state.withLock { state in
            state.isOpen = true
            defer { state.opening = nil }
            return state.opening
        }
        opening?.resume()
    }

    func connectionDidEnd(_ connection: CurlConnectOnly, error: NetworkError) {
        end(with: error)
    }

    func connectionIsReadable(_ connection: CurlConnectOnly) {
        while connection.isReading {
            let (bytes, stop) = receive(from: connection)
            if !bytes.isEmpty { deliver(bytes, to: connection) }
            switch stop {
            case .full: continue
            case .drained: return
            case .atEnd: return deliver([], to: connection)
            case .broken(let error):
                end(with: error)
                return connection.close()
            }
        }
    }

    /// The reason why a chunk was not filled further.
    private enum Stop {
        case full, drained, atEnd
        case broken(any Error)
    }

    /// Takes the system's bytes, up to a chunk.
    private func receive(from connection: CurlConnectOnly) -> ([UInt8], Stop) {
        let size = state.withLock { $0.chunkSize }
        var stop = Stop.full
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            do {
                while count < size {
                    let rest = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[count..<size]))
                    guard let received = try connection.receive(into: rest) else { return stop = .drained }
                    guard received > 0 else { return stop = .atEnd }
                    count += received
                }
            } catch {
                stop = .broken(error)
            }
        }
        return (bytes, stop)
    }

    /// Empty bytes are the end.
    private func deliver(_ bytes: [UInt8], to connection: CurlConnectOnly) {
        let (reader, chunk): (CheckedContinuation<[UInt8], any Error>?, [UInt8]) = state.withLock { state in
            state.isAtEnd = bytes.isEmpty
            if bytes.count == state.chunkSize {
                state.chunkSize = min(2 * state.chunkSize, Self.chunkSizes.upperBound)
            } else if bytes.count < state.chunkSize / 4 {
                state.chunkSize = max(state.chunkSize / 2, Self.chunkSizes.lowerBound)
            }
            if let reader = state.reader {
                state.reader = nil
                connection.isReading = !bytes.isEmpty
                return (reader, bytes)
            }
            if state.received.isEmpty { state.received = bytes } else { state.received += bytes }
            state.isPaused = state.isAtEnd || state.received.count >= Self.chunkSizes.upperBound
            connection.isReading = !state.isPaused
            return (nil, [])
        }
        reader?.resume(returning: chunk)
    }

    func connectionIsWritable(_ connection: CurlConnectOnly) {
        do {
            let writer: CheckedContinuation<Void, any Error>? = try state.withLock { state in
                while state.sentCount < state.unsent.count {
                    let count = try state.unsent.withUnsafeBytes {
                        try connection.send(UnsafeRawBufferPointer(rebasing: $0[state.sentCount...]))
                    }
                    guard count > 0 else { break }
                    state.sentCount += count
                }
                connection.wantsToWrite = state.sentCount < state.unsent.count
                guard !connection.wantsToWrite else { return nil }
                state.unsent = []
                state.sentCount = 0
                defer { state.writer = nil }
                return state.writer
            }
            writer?.resume()
        } catch {
            // A peer that hangs up often says why first. The reader finds that, and then the end.
            let writer = state.withLock { state in
                state.writeEnd = error
                state.unsent = []
                defer { state.writer = nil }
                return state.writer
            }
            connection.wantsToWrite = false
            writer?.resume(throwing: error)
        }
    }
}

extension NetworkError {
    fileprivate static func secondUser(_ who: String) -> NetworkError {
        NetworkError.invalidRequest("A connection has one \(who) at a time. Wait for the first one's end.")
    }
}
