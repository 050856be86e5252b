// SPDX-License-Identifier: MIT

import Diagnostics
import HTTPServer
import Networking

/// A handler that is told what to do after the server listens, since its address is known only then. Until that, and it is
/// a matter of microseconds, requests are asked to come again.
final class LateHandler: Sendable {
    private let next = Guarded<HTTPHandler?>(nil)

    func set(_ handler: @escaping HTTPHandler) {
        next.withLock { $0 = handler }
    }

    var handler: HTTPHandler {
        { [self] request in
            guard let handler = next.withLock({ $0 }) else {
                throw ServerProblem(status: 503, detail: "The server is starting.", headers: ["Retry-After": "1"])
            }
            return try await handler(request)
        }
    }
}
