// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// What is found out about a request on its way, for logs and metrics. Shared by all copies of the request.
final class RequestTrace: Sendable {
    private let name = Guarded<String?>(nil)

    /// The name of the route that answers.
    var route: String? {
        get { name.withLock { $0 } }
        set { name.withLock { $0 = newValue } }
    }
}
