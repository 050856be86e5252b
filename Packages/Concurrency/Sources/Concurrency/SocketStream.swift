// SPDX-License-Identifier: MIT

import Glibc

/// A connected socket whose calls wait in the task.
public final class SocketStream: Sendable {
    private let loop: SocketLoop
    /// −1 once closed.
    private let descriptor: Guarded<Int32>

    /// Takes over a connected socket that does not block.
    public init(_ descriptor: Int32, loop: SocketLoop) {
        self.descriptor = Guarded(descriptor)
        self.loop = loop
    }

    deinit { close() }

    /// The bytes that are there, at least one; empty at the end, when the peer will send nothing more. One reader at a
    /// time.
    ///
    /// - Throws: ``SocketError`` with `broken` or `closed`; `CancellationError`, and the next call continues.
    public func read(atMost limit: Int = 64 << 10) async throws -> [UInt8] {
        while true {
            let attempt = try attempt(.reading) { socket in
                var result = 0
                let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                    result = recv(socket, buffer.baseAddress, buffer.count, 0)
                    count = max(0, result)
                }
                return result < 0 ? nil : bytes
            }
            switch attempt {
            case .done(let bytes): return bytes
            case .blocked(let wait): try await loop.finish(wait)
            }
        }
    }

    /// Returns when the system has taken all the bytes. One writer at a time.
    ///
    /// - Throws: ``SocketError`` with `broken` or `closed`, and `CancellationError`; it is then unknown how much was
    ///   sent.
    public func write(_ bytes: [UInt8]) async throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let attempt = try attempt(.writing) { socket in
                let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                return count < 0 ? nil : count
            }
            switch attempt {
            case .done(let count): rest = rest.dropFirst(count)
            case .blocked(let wait): try await loop.finish(wait)
            }
        }
    }

    /// Sends as much as the system takes at once, and nothing more: for a last word before closing.
    public func writeAtOnce(_ bytes: [UInt8]) {
        descriptor.withLock { descriptor in
            guard descriptor >= 0 else { return }
            _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Tells the peer that nothing more is sent; reading goes on.
    public func endWriting() {
        descriptor.withLock { descriptor in if descriptor >= 0 { _ = shutdown(descriptor, Int32(SHUT_WR)) } }
    }

    /// Closes both directions; calls that wait throw. A second call does nothing.
    public func close() {
        descriptor.withLock { descriptor in
            guard descriptor >= 0 else { return }
            loop.forget(descriptor)
            Glibc.close(descriptor)
            descriptor = -1
        }
    }

    private enum Attempt<Value: Sendable>: Sendable {
        case done(Value)
        case blocked(SocketLoop.Wait)
    }

    /// Makes a call, which returns nil for an error in `errno`.
    private func attempt<Value: Sendable>(
        _ direction: SocketLoop.Direction, _ body: (Int32) -> Value?
    ) throws(SocketError) -> Attempt<Value> {
        try descriptor.withLock { descriptor throws(SocketError) in
            guard descriptor >= 0 else { throw SocketLoop.closed }
            while true {
                if let value = body(descriptor) { return .done(value) }
                switch errno {
                case EINTR: continue
                case EAGAIN: return .blocked(try loop.begin(descriptor, direction))
                default: throw Self.broken(errno)
                }
            }
        }
    }

    private static func broken(_ code: Int32) -> SocketError {
        SocketError(.broken, "The connection is broken: \(String(cString: strerror(code))).")
    }
}
