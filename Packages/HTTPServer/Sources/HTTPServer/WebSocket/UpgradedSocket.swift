// SPDX-License-Identifier: MIT

import CMicroHTTPD
import Concurrency
import Diagnostics
import Glibc
import Networking

/// The socket of an upgraded connection: TCP itself, or with TLS one end of a pair whose other end libmicrohttpd
/// encrypts.
///
/// Reading and writing never block: bytes that the system does not take or give at once wait for the watch.
final class UpgradedSocket: ByteStream {
    // SAFETY: the handle is only returned to the library, once, by `close`.
    struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// The wait of one direction. Events are edge-triggered, so an event before the wait is kept.
    private struct Direction {
        var isReady = true
        var waiter: CheckedContinuation<Void, any Error>?
    }

    private struct State {
        var reading = Direction()
        var writing = Direction()
        var isClosed = false
    }

    let socket: Int32
    /// The bytes that arrived with the request's head.
    let firstBytes: [UInt8]
    private let handle: Handle
    private let connection: ServerConnection
    private let watch: ConnectionWatch
    private let identifier: UInt64
    private let state = Guarded(State())

    private static let readSize = 64 << 10

    /// - Parameter connection: The connection that was upgraded.
    init(
        socket: Int32, handle: Handle, firstBytes: [UInt8], connection: ServerConnection, watch: ConnectionWatch
    ) {
        self.socket = socket
        self.handle = handle
        self.firstBytes = firstBytes
        self.connection = connection
        self.watch = watch
        identifier = ConnectionWatch.upgradedBit | connection.identifier
        watch.add(self, identifier: identifier, replaces: socket == connection.socket)
    }

    /// On the watch's thread: takes the system's report of what is possible now.
    func ready(_ events: UInt32) {
        let isBroken = events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
        let (reader, writer) = state.withLock { state in
            (
                isBroken || events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0
                    ? Self.wake(&state.reading) : nil,
                isBroken || events & EPOLLOUT.rawValue != 0 ? Self.wake(&state.writing) : nil
            )
        }
        reader?.resume()
        writer?.resume()
    }

    private static func wake(_ direction: inout Direction) -> CheckedContinuation<Void, any Error>? {
        direction.isReady = true
        defer { direction.waiter = nil }
        return direction.waiter
    }

    func read() async throws -> [UInt8] {
        while true {
            if let bytes = try receive() { return bytes }
            try await withTaskCancellationHandler {
                try await wait(\.reading)
            } onCancel: {
                cancelRead()
            }
        }
    }

    func write(_ bytes: [UInt8]) async throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try send(rest)
            rest = rest.dropFirst(count)
            if count == 0 { try await wait(\.writing) }
        }
    }

    /// The bytes that have arrived, empty at the end; `nil` if there are none now.
    private func receive() throws -> [UInt8]? {
        try state.withLock { state in
            // In the lock: after `close` the number may be another socket's.
            guard !state.isClosed else { throw Self.closed }
            state.reading.isReady = false
            var result = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.readSize) { buffer, count in
                result = recv(socket, buffer.baseAddress, buffer.count, SocketConstants.dontWait)
                count = max(0, result)
            }
            if result >= 0 {
                // There may be more bytes, and no event reports those that were there before.
                state.reading.isReady = true
                return bytes
            }
            guard errno == EAGAIN || errno == EINTR else { throw Self.lost() }
            if errno == EINTR { state.reading.isReady = true }
            return nil
        }
    }

    private func send(_ bytes: ArraySlice<UInt8>) throws -> Int {
        try state.withLock { state in
            guard !state.isClosed else { throw Self.closed }
            state.writing.isReady = false
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, SocketConstants.noSignal | SocketConstants.dontWait)
            }
            if count >= 0 {
                state.writing.isReady = true
                return count
            }
            guard errno == EAGAIN || errno == EINTR else { throw Self.lost() }
            if errno == EINTR { state.writing.isReady = true }
            return 0
        }
    }

    private func wait(_ direction: any WritableKeyPath<State, Direction> & Sendable) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let result: Result<Void, any Error>? = state.withLock { state in
                if state.isClosed { return .failure(Self.closed) }
                if state[keyPath: direction].isReady { return .success(()) }
                state[keyPath: direction].waiter = continuation
                return nil
            }
            if let result { continuation.resume(with: result) }
            // The handler of `read` may have run before the continuation was stored.
            if direction == \.reading, Task.isCancelled { cancelRead() }
        }
    }

    private func cancelRead() {
        let waiter = state.withLock { state in
            defer { state.reading.waiter = nil }
            return state.reading.waiter
        }
        waiter?.resume(throwing: CancellationError())
    }

    func close() {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, any Error>?]? in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            defer { (state.reading.waiter, state.writing.waiter) = (nil, nil) }
            return [state.reading.waiter, state.writing.waiter]
        }
        guard let waiters else { return }
        watch.remove(self, identifier: identifier)
        for waiter in waiters { waiter?.resume(throwing: Self.closed) }
        _ = cmhd_upgrade_close(handle.pointer)
        // With TLS the library (0.9.75) may have checked its end of the pair before it learnt of the close; then it
        // waits for the client. The end of the receiving side makes it check again.
        if socket != connection.socket { connection.finishReceiving() }
    }

    private static var closed: NetworkError {
        NetworkError(code: .closed, message: "The connection was closed.")
    }

    private static func lost() -> NetworkError {
        NetworkError(code: .connectionLost, message: "The connection broke: \(String(cString: strerror(errno))).")
    }
}
