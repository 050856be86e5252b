// SPDX-License-Identifier: MIT

import CCurl
import Concurrency

/// Something with an easy handle in the loop's multi handle. Every requirement is called on the loop only,
/// but `connectionKey`.
protocol CurlLoopMember: AnyObject, Sendable {
    /// What tells where its connection leads, if it may be started on the caller's thread once such a connection
    /// stands: when that never blocks.
    var connectionKey: Int? { get }

    /// Sets the options of a handle that was reset. The member keeps the handle until `release`.
    ///
    /// - Throws: What makes it impossible to start; the loop then calls `fail` and `release`.
    func start(_ easy: CurlEasy, in core: CurlLoopCore) throws

    /// Takes notice that libcurl is done: the transfer ended, or a CONNECT_ONLY connection stands.
    ///
    /// - Returns: Whether the handle leaves the multi handle now.
    func complete(_ result: CURLcode) -> Bool

    /// Hands on what the callbacks gathered while libcurl worked.
    func flush()

    /// The next moment at which `expire` wants to be called.
    var deadline: MonotonicTime? { get }

    /// Says which time-out has passed by now, if one has.
    func expire(at now: MonotonicTime) -> NetworkError?

    /// Ends with an error. Called once at most, and not after `complete` returned true.
    func fail(_ error: any Error)

    /// Gives the handle back. Nothing is called any more.
    func release() -> CurlEasy?

    /// The socket to watch besides libcurl's own, and for what.
    var watched: CurlWatchedSocket? { get }

    /// The watched socket is ready.
    func socketIsReady(readable: Bool, writable: Bool)
}

/// A socket that the loop polls for one of its members.
struct CurlWatchedSocket {
    var descriptor: curl_socket_t
    var reads: Bool
    var writes: Bool
    /// Whether the member is to be told that it is readable without polling first.
    var isKnownReadable: Bool
}

extension CurlLoopMember {
    var connectionKey: Int? { nil }
    var watched: CurlWatchedSocket? { nil }
    func socketIsReady(readable: Bool, writable: Bool) {}
}
