// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Dispatch
public import FoundationEssentials
import Glibc

/// Waits on 127.0.0.1 for the browser that a mail's link leads back to this program (RFC 8252 §7.3).
///
/// It has its own port, one path, and a state that only the mail's link contains; the state is compared in constant
/// time. All other input – garbage, slow or parallel connections, other paths, a wrong state – is answered or dropped
/// and does not use up the link. The right request ends the listener. It runs on a separate thread, and allows 16
/// connections at once, 8 KiB of header, and 10 s for each.
public final class LoopbackListener: Sendable {
    private enum State {
        case waiting(CheckedContinuation<SignInLink, any Error>?)
        case finished(Result<SignInLink, any Error>)
        case taken
    }

    /// The address to send with the request for the mail.
    public let redirect: SignInRedirect
    private let state: Guarded<State>
    private let waker: Guarded<Int32?>

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - server: The auth server that sent the link.
    ///   - lifetime: The longest wait for the link.
    ///   - headerTime: The longest time from a connection to the end of its request head.
    /// - Throws: ``AuthError`` with the code `invalidConfiguration` if the system provides no socket.
    public convenience init(
        server: URL, lifetime: Duration = .seconds(900), headerTime: Duration = .seconds(10)
    ) throws {
        guard let listener = try? ListeningSocket(.tcp(host: "127.0.0.1", port: 0)),
            case .tcp(_, let port) = listener.address
        else { throw Self.noSocket }
        guard let (read, write) = Self.wakerPipe() else {
            listener.close()
            throw Self.noSocket
        }
        do {
            try self.init(listener, UInt16(port), waker: (read, write), server, lifetime, headerTime)
        } catch {
            listener.close()
            for descriptor in [read, write] { Glibc.close(descriptor) }
            throw error
        }
    }

    private init(
        _ listener: ListeningSocket, _ port: UInt16, waker: (read: Int32, write: Int32), _ server: URL,
        _ lifetime: Duration,
        _ headerTime: Duration
    ) throws {
        let redirect = try SignInRedirect(to: "http://127.0.0.1:\(port)/signed-in")
        self.redirect = redirect
        state = Guarded(.waiting(nil))
        self.waker = Guarded(waker.write)
        let end = LoopbackLoop.now() + lifetime
        // The loop retains this object until it ends, so that releasing the last reference outside does not end it.
        DispatchQueue(label: "parley.auth.loopback").async {
            var loop = LoopbackLoop(
                listener: listener, waker: waker.read, end: end, headerTime: headerTime,
                answer: { LoopbackAnswer($0, port: port, state: redirect.state, server: server) },
                finish: { self.finish($0.mapError { $0 }) })
            loop.run()
            self.finish(.failure(Self.closed))
            // The writing end first: a byte into a pipe without a reader would raise SIGPIPE.
            self.waker.withLock { descriptor in
                if let descriptor { Glibc.close(descriptor) }
                descriptor = nil
            }
            Glibc.close(waker.read)
        }
    }

    /// Two ends of a pipe; the writing one wakes a poll on the other.
    private static func wakerPipe() -> (read: Int32, write: Int32)? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return (ends[0], ends[1])
    }

    private static let noSocket = AuthError(
        .invalidConfiguration, "No socket can be opened on 127.0.0.1. Use the code of the mail, or paste its link.")

    private static let closed = AuthError(.noPendingSignIn, "Nobody waits for a link any more.")

    /// Waits for the link; for one task, once. Cancelling it ends the listener.
    ///
    /// - Throws: ``AuthError``: `expired` if no link arrived in time, `noPendingSignIn` if the listener was closed;
    ///   `CancellationError`.
    public func link() async throws -> SignInLink {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<SignInLink, any Error>? in
                    switch state {
                    case .waiting(nil):
                        state = .waiting(continuation)
                        return nil
                    case .finished(let result):
                        state = .taken
                        return result
                    case .waiting, .taken: return .failure(Self.closed)
                    }
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            finish(.failure(CancellationError()))
            close()
        }
    }

    /// Ends the listener; its port is free soon after.
    public func close() {
        waker.withLock { descriptor in
            guard let descriptor else { return }
            var byte: UInt8 = 1
            _ = write(descriptor, &byte, 1)
        }
    }

    private func finish(_ result: Result<SignInLink, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<SignInLink, any Error>? in
            guard case .waiting(let continuation) = state else { return nil }
            state = continuation == nil ? .finished(result) : .taken
            return continuation
        }
        waiting?.resume(with: result)
    }
}
