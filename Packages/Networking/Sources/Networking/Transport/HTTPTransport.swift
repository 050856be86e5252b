// SPDX-License-Identifier: MIT

/// What sends requests: a network, a cassette, a script, or a stage in front of another transport.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns when the response's header has come; the body comes while it is read.
    ///
    /// - Throws: `NetworkError` if there is no response; a response of any status is not an error.
    ///   `CancellationError` when the task is cancelled: the connection is then closed or free for others.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
