// SPDX-License-Identifier: MIT

/// The reason why a request to a server would be in vain now.
public enum ConnectivityObstacle: Sendable, Hashable {
    /// This machine has no network.
    case noNetwork
    /// The server has failed several times of late; it can be tried again after this time.
    case failing(for: Duration)
}

/// Says if a server can be tried now, without trying. Every implementation passes `ConnectivityContract` in
/// `DomainTestSupport`.
public protocol Connectivity: Sendable {
    /// The obstacle now; nil if the server can be tried, which may fail nevertheless. Nothing is sent.
    func obstacle() async -> ConnectivityObstacle?

    /// Waits until there is no obstacle. Any number of tasks may wait.
    ///
    /// - Throws: `CancellationError`.
    func untilBack() async throws
}
