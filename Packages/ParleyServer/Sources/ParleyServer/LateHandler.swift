// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import HTTPServer
import Networking

/// A handler that gets its function after the server listens, since the address is known only then. Until that, for
/// some microseconds, requests get a 503 with `Retry-After`.
final class LateHandler: Sendable {
    /// A wrapper, since a closure directly in a generic type is wrapped anew whenever it is taken out to be changed,
    /// and the wrapped one is stored: each request would make the next one slower. Inside a structure it stays
    /// unchanged.
    private struct Next {
        var handler: HTTPHandler?
    }

    private let next = Guarded(Next())

    func set(_ handler: @escaping HTTPHandler) {
        next.withLock { $0.handler = handler }
    }

    var handler: HTTPHandler {
        { [self] request in
            guard let handler = next.withLock({ $0.handler }) else {
                throw ServerProblem(status: 503, detail: "The server is starting.", headers: ["Retry-After": "1"])
            }
            return try await handler(request)
        }
    }
}
