// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

@testable import Networking

/// One end of a connection inside the process. What is written waits unbounded until the other end reads it, unless
/// the test holds writing back.
final class MemoryByteStream: ByteStream {
    private struct State {
        var chunks: ArraySlice<[UInt8]> = []
        var isFinished = false
        var isClosed = false
        var isDeaf = false
        var reader: CheckedContinuation<[UInt8], any Error>?
        var reads = 0
        var isHeld = false
        var held: [CheckedContinuation<Void, any Error>] = []
        var heldWatchers: [CheckedContinuation<Void, Never>] = []
    }

    private let incoming: Guarded<State>
    private let peerState: PeerBox
    /// The most bytes of one read, so that tests can cut where they want.
    private let readSize: Int

    /// The other end, known once both exist.
    private final class PeerBox: Sendable {
        private let peer = Guarded<Weak>(Weak())
        private struct Weak { weak var value: MemoryByteStream? }
        var value: MemoryByteStream? { peer.withLock { $0.value } }
        func set(_ value: MemoryByteStream) { peer.withLock { $0.value = value } }
    }

    private init(readSize: Int) {
        incoming = Guarded(State())
        peerState = PeerBox()
        self.readSize = readSize
    }

    static func pair(readSize: Int = .max) -> (MemoryByteStream, MemoryByteStream) {
        let (first, second) = (MemoryByteStream(readSize: readSize), MemoryByteStream(readSize: readSize))
        first.peerState.set(second)
        second.peerState.set(first)
        return (first, second)
    }

    /// How often this end was read.
    var readCount: Int { incoming.withLock { $0.reads } }

    /// Makes this end's writes fail, as those to an end that has hung up do.
    func breakWrites() { incoming.withLock { $0.isDeaf = true } }

    /// Makes this end's writes wait until `release`.
    func holdWrites() { incoming.withLock { $0.isHeld = true } }

    /// Waits until a write waits.
    func waitForHeldWrite() async {
        await withCheckedContinuation { watcher in
            let isHeld = incoming.withLock { state in
                if state.held.isEmpty { state.heldWatchers.append(watcher) }
                return !state.held.isEmpty
            }
            if isHeld { watcher.resume() }
        }
    }

    func releaseWrites() {
        let held = incoming.withLock { state in
            state.isHeld = false
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    func read() async throws -> [UInt8] {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                update { state in
                    state.reads += 1
                    state.reader = continuation
                }
                if Task.isCancelled { cancelRead() }
            }
        } onCancel: {
            cancelRead()
        }
    }

    private func cancelRead() {
        let reader = incoming.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(throwing: CancellationError())
    }

    /// Changes the state, and resumes the reader without the lock if there is something for it.
    private func update(_ change: (inout State) -> Void) {
        let reading = incoming.withLock { state in
            change(&state)
            return Self.reading(&state, readSize)
        }
        if let (reader, result) = reading { reader.resume(with: result) }
    }

    private static func reading(
        _ state: inout State, _ readSize: Int
    ) -> (reader: CheckedContinuation<[UInt8], any Error>, result: Result<[UInt8], any Error>)? {
        guard let reader = state.reader else { return nil }
        let result: Result<[UInt8], any Error>
        if state.isClosed {
            result = .failure(NetworkError(code: .closed, message: "closed"))
        } else if let first = state.chunks.popFirst() {
            if first.count > readSize { state.chunks = [Array(first[readSize...])] + state.chunks }
            result = .success(Array(first.prefix(readSize)))
        } else if state.isFinished {
            result = .success([])
        } else {
            return nil
        }
        state.reader = nil
        return (reader, result)
    }

    func write(_ bytes: [UInt8]) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let watchers = incoming.withLock { state -> [CheckedContinuation<Void, Never>]? in
                guard state.isHeld, !state.isClosed else { return nil }
                state.held.append(continuation)
                defer { state.heldWatchers = [] }
                return state.heldWatchers
            }
            guard let watchers else { return continuation.resume() }
            watchers.forEach { $0.resume() }
        }
        guard !incoming.withLock({ $0.isClosed || $0.isDeaf }), let peer = peerState.value else {
            throw NetworkError(code: .connectionLost, message: "broken pipe")
        }
        peer.update { $0.chunks.append(bytes) }
    }

    /// Sends nothing more; the other end reads the end.
    func finish() {
        peerState.value?.update { $0.isFinished = true }
    }

    func close() {
        update { $0.isClosed = true }
        let held = incoming.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume(throwing: NetworkError(code: .closed, message: "closed")) }
        finish()
    }
}
