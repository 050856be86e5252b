// SPDX-License-Identifier: MIT

import Diagnostics
import HTTPServer
import Networking

/// The metrics of requests and of the server's state, in OpenMetrics' text format.
struct OperatorMetrics: Sendable {
    let http: ServerMetrics
    /// The metrics other than those of requests.
    let families: @Sendable () async throws -> [MetricFamily]

    var handler: HTTPHandler {
        { _ in
            let text = OpenMetrics.text(of: http.families + (try await families()))
            var response = ServerResponse.text(text, contentType: OpenMetrics.contentType)
            response.headers["Cache-Control"] = "no-store"
            return response
        }
    }
}
