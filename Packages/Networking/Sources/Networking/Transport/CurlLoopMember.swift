// SPDX-License-Identifier: MIT

import CCurl
import Concurrency

/// A user of an easy handle in the loop's multi handle. Every requirement is called on the loop only, but
/// `connectionKey`.
protocol CurlLoopMember: AnyObject, Sendable {
    /// Identifies the origin. Non-nil if an open connection lets it start on the caller's thread without blocking.
    var connectionKey: Int? { get }

    /// Sets the options of a handle that was reset. The member keeps the handle until `release`.
    ///
    /// - Throws: The reason why it cannot start; the loop then calls `fail` and `release`.
    func start(_ easy: CurlEasy, in core: CurlLoopCore) throws

    /// Handles the end of libcurl's work: the transfer ended, or a CONNECT_ONLY connection is open.
    ///
    /// - Returns: True if the handle leaves the multi handle now.
    func complete(_ result: CURLcode) -> Bool

    /// Hands on the data that the callbacks gathered while libcurl worked.
    func flush()

    /// The next time at which `expire` must be called.
    var deadline: MonotonicTime? { get }

    /// The time-out that has passed by now, if one has.
    func expire(at now: MonotonicTime) -> NetworkError?

    /// Ends with an error. Called once at most, and not after `complete` returned true.
    func fail(_ error: any Error)

    /// Gives the handle back. No other method is called any more.
    func release() -> CurlEasy?

    /// The socket to watch besides libcurl's own, and the events to watch for.
    var watched: CurlWatchedSocket? { get }

    /// Handles the readiness of the watched socket.
    func socketIsReady(readable: Bool, writable: Bool)
}

/// A socket that the loop polls for one of its members.
struct CurlWatchedSocket {
    var descriptor: curl_socket_t
    var reads: Bool
    var writes: Bool
    /// True if the member must be called as readable without polling first.
    var isKnownReadable: Bool
}

extension CurlLoopMember {
    var connectionKey: Int? { nil }
    var watched: CurlWatchedSocket? { nil }
    func socketIsReady(readable: Bool, writable: Bool) {}
}
