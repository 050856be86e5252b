// SPDX-License-Identifier: MIT

/// How long each phase of a request may take, to the millisecond. `nil` waits for ever.
public struct HTTPTimeouts: Sendable, Hashable {
    /// From the start until the connection stands: name, proxy, TCP and TLS. Waiting for a free connection counts.
    public var connect: Duration?
    /// From the last byte sent until the first line of the response. Interim (1xx) responses do not end it.
    public var firstByte: Duration?
    /// Between two pieces of the response. Time in which the reader is slow does not count.
    public var idle: Duration?
    /// From the start until the last byte of the response was received, redirects included.
    public var whole: Duration?

    /// Time-outs for each phase; by default 10 s, 30 s, 30 s and no limit on the whole.
    public init(
        connect: Duration? = .seconds(10), firstByte: Duration? = .seconds(30), idle: Duration? = .seconds(30),
        whole: Duration? = nil
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.idle = idle
        self.whole = whole
    }
}
