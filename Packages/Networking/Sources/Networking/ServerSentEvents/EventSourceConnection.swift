// SPDX-License-Identifier: MIT

/// The I/O of an event source: sends the request, and reads with an idle time-out.
struct EventSourceConnection: Sendable {
    let request: HTTPRequest
    let transport: any HTTPTransport
    let idleTimeout: Duration?
    let clock: any Clock<Duration>

    func open(lastEventID: String) async throws -> HTTPResponse {
        var request = request
        request.headers["Last-Event-ID"] = lastEventID.isEmpty ? nil : lastEventID
        return try await transport.send(request)
    }

    /// The next chunk, or `nil` at the end.
    ///
    /// - Throws: `NetworkError` with the code `idleTimeout` when no byte arrived for too long; the transfer is then
    ///   closed.
    func read(_ body: HTTPResponseBody) async throws -> [UInt8]? {
        guard let idleTimeout else {
            var iterator = body.makeAsyncIterator()
            return try await iterator.next()
        }
        return try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            group.addTask {
                var iterator = body.makeAsyncIterator()
                return try await iterator.next()
            }
            group.addTask { [clock] in
                try await clock.sleep(for: idleTimeout)
                throw NetworkError(
                    code: .idleTimeout, message: "The server sent no event and no comment for \(idleTimeout).")
            }
            defer { group.cancelAll() }
            // The group has two tasks, so a first result exists.
            guard let first = try await group.next() else { return nil }
            return first
        }
    }
}
