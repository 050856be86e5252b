// SPDX-License-Identifier: MIT

/// Accepts connections, and runs a task for each.
public struct SocketServer: Sendable {
    /// The most connections at once; one more gets ``refusal`` and is closed.
    public var maximumConnections = 64
    /// The bytes that a connection too many gets.
    public var refusal: [UInt8] = []
    private let socket: ListeningSocket

    /// A server on a socket, which it closes at its end.
    public init(_ socket: ListeningSocket) { self.socket = socket }

    /// Serves until the task is cancelled; the tasks of connections are then cancelled too and awaited.
    ///
    /// - Parameter serve: Serves one connection, which is closed when it returns. Connections do not wait for each other.
    /// - Throws: ``SocketError``: `outOfResources` if there is no thread to wait on, `closed` after the socket was closed;
    ///   `CancellationError`.
    public func run(_ serve: @escaping @Sendable (SocketStream) async -> Void) async throws {
        defer { socket.close() }
        let loop = try SocketLoop(name: "sockets")
        defer { loop.close() }
        let open = Monitor(0)
        try await withThrowingDiscardingTaskGroup { group in
            defer { group.cancelAll() }
            while true {
                let descriptor = socket.descriptor
                guard descriptor >= 0 else { throw SocketError(.closed, "The socket is closed. Open another one.") }
                try await loop.wait(for: descriptor, .reading)
                do {
                    while let stream = try next(loop) {
                        guard open.withLock({ $0 < maximumConnections }) else {
                            stream.writeAtOnce(refusal)
                            stream.close()
                            continue
                        }
                        open.withLock { $0 += 1 }
                        group.addTask {
                            await serve(stream)
                            stream.close()
                            open.withLock { $0 -= 1 }
                        }
                    }
                } catch is SocketError {
                    // The connection still waits, so the socket is ready at once; a descriptor gets free meanwhile.
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
        }
    }

    private func next(_ loop: SocketLoop) throws(SocketError) -> SocketStream? {
        try socket.accept().map { SocketStream($0, loop: loop) }
    }
}
