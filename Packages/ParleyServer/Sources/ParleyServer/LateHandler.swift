// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import HTTPServer
import Networking

/// A handler that is told what to do after the server listens, since its address is known only then. Until that, and it is
/// a matter of microseconds, requests are asked to come again.
final class LateHandler: Sendable {
    /// A closure that stands in a generic type by itself is wrapped anew whenever it is taken out to be changed, and the
    /// wrapped one is what is put back: each request would make the next one slower. Inside a structure it stays what it is.
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
