// SPDX-License-Identifier: MIT

/// Where a response's body goes.
protocol ResponseSink: Sendable {
    /// Returns when there is room for more.
    func write(_ bytes: [UInt8]) async throws
}

/// Writes the body of one answer. One writer at a time.
public struct ResponseWriter: Sendable {
    private let sink: any ResponseSink

    init(_ sink: any ResponseSink) {
        self.sink = sink
    }

    /// Writes bytes, and returns when less than some 64 KB wait for the network.
    ///
    /// - Throws: `CancellationError` when the client has gone, the task was cancelled, or the server stops; a
    ///   ``HTTPServerError`` with the code `invalidResponse` over the announced length.
    public func write(_ bytes: [UInt8]) async throws {
        if bytes.isEmpty { return }
        try await sink.write(bytes)
    }

    /// Writes text in UTF-8.
    public func write(_ text: String) async throws {
        try await write(Array(text.utf8))
    }
}
