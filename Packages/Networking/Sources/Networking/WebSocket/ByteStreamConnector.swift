// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// What opens byte streams.
public protocol ByteStreamConnector: Sendable {
    /// Connects to the host and port of an address, with TLS for `https`, through a proxy where one is configured. No
    /// request is sent.
    ///
    /// - Throws: `NetworkError` as `HTTPTransport.send` does, `CancellationError` when the task is cancelled.
    func connect(to url: URL) async throws -> any ByteStream
}
