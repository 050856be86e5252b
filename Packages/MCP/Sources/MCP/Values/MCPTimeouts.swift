// SPDX-License-Identifier: MIT

/// How long to wait for what.
public struct MCPTimeouts: Sendable, Hashable {
    /// For the handshake, from the start of the program or the connection on; 30 s.
    public var connect = Duration.seconds(30)
    /// For an answer whether the server is a stateless one, before the handshake is tried; 10 s.
    public var discover = Duration.seconds(10)
    /// For an answer, or for progress, which starts it anew; `nil` for ever. 60 s.
    public var request: Duration? = .seconds(60)
    /// For an answer, whatever progress comes; `nil` for ever. 10 minutes.
    public var longestRequest: Duration? = .seconds(600)
    /// For the program to end after its input was closed, and again after SIGTERM; then it is killed. 2 s.
    public var shutdown = Duration.seconds(2)

    /// The defaults.
    public init() {}
}
