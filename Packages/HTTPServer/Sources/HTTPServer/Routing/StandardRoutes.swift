// SPDX-License-Identifier: MIT

import Concurrency
public import Diagnostics
import Networking

/// Middlewares and handlers that most servers need.
public enum StandardRoutes {
    /// Writes a line for each request: method, route, status, time and the client's address, which is private. The path
    /// and the query are not written: both may contain secrets.
    ///
    /// - Parameter logger: The log; level `info`, `notice` for a 4xx and `error` for a 5xx.
    public static func requestLog(_ logger: Logger) -> HTTPMiddleware {
        { next in
            { request in
                let started = MonotonicTime.now
                func line(_ status: Int) {
                    let milliseconds = MonotonicTime.now.duration(since: started).wholeNanoseconds / 1_000_000
                    let level: LogLevel = status >= 500 ? .error : status >= 400 ? .notice : .info
                    let client = request.remoteAddress?.description ?? "?"
                    logger.with("request", "\(request.id, privacy: .public)").log(
                        level,
                        "\(request.method.rawValue, privacy: .public) \(request.route ?? "(none)", privacy: .public) \(status, privacy: .public) in \(milliseconds, privacy: .public) ms from \(client)"
                    )
                }
                do {
                    let response = try await next(request)
                    line(response.status)
                    return response
                } catch {
                    line((error as? ServerProblem)?.status ?? (error is CancellationError ? 503 : 500))
                    throw error
                }
            }
        }
    }

    /// `/healthz`: 200 with `ok`, or 503 while `isHealthy` returns false.
    public static func health(_ isHealthy: @escaping @Sendable () async -> Bool = { true }) -> HTTPHandler {
        { _ in
            guard await isHealthy() else {
                throw ServerProblem(status: 503, detail: "The server is not ready.", headers: ["Retry-After": "1"])
            }
            var response = ServerResponse.text("ok\n")
            response.headers["Cache-Control"] = "no-store"
            return response
        }
    }

    /// `/metrics`: all counters, in OpenMetrics' text format. It is for the operator, not for the public.
    public static func metrics(_ metrics: ServerMetrics) -> HTTPHandler {
        { _ in
            var response = ServerResponse.text(
                metrics.openMetrics(), contentType: "application/openmetrics-text; version=1.0.0; charset=utf-8")
            response.headers["Cache-Control"] = "no-store"
            return response
        }
    }
}
