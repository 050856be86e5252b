// SPDX-License-Identifier: MIT

/// When each phase of a transfer ended, counted from its start. Phases that a kept-alive connection skips are zero.
public struct HTTPTimings: Sendable, Hashable {
    /// The name was resolved.
    public var resolved: Duration
    /// TCP was connected, or the proxy's.
    public var connected: Duration
    /// TLS was agreed on.
    public var secured: Duration
    /// The request was about to be sent.
    public var requestStarted: Duration
    /// The first byte of the response came.
    public var firstByte: Duration
    /// The last byte so far came.
    public var total: Duration

    /// Timings; zero where a phase did not take place.
    public init(
        resolved: Duration = .zero, connected: Duration = .zero, secured: Duration = .zero,
        requestStarted: Duration = .zero, firstByte: Duration = .zero, total: Duration = .zero
    ) {
        self.resolved = resolved
        self.connected = connected
        self.secured = secured
        self.requestStarted = requestStarted
        self.firstByte = firstByte
        self.total = total
    }
}
