// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Sends requests: a network, a cassette, a script, or a client in front of another transport.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns when the response's header has arrived; the body arrives while it is read.
    ///
    /// - Throws: `NetworkError` if there is no response; a response of any status is not an error.
    ///   `CancellationError` when the task is cancelled: the connection is then closed or free for others.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse

    /// The coding with which `value(_:for:)` reads JSON; ``JSONCoding/standard`` unless a transport has its own.
    var coding: JSONCoding { get }

    /// The date that dates in headers are compared with; the system's unless a transport has a clock.
    var currentDate: Date { get }
}

extension HTTPTransport {
    /// ISO 8601 dates, and keys as they are written.
    public var coding: JSONCoding { .standard }

    /// The system's date.
    public var currentDate: Date { Date() }
}
