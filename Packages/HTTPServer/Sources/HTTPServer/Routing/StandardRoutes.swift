// SPDX-License-Identifier: MIT

import Concurrency
public import Diagnostics
import FoundationEssentials
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
                    var logger = logger.with("request", "\(request.id, privacy: .public)")
                    if let context = request.traceContext {
                        logger = logger.with("trace", "\(context.trace.grouped, privacy: .public)")
                    }
                    logger.log(
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

    /// Makes a span of each request that has a `traceparent`, as its child: method, route and status.
    ///
    /// - Parameter note: Gets the span when the handler has answered.
    public static func requestSpans(_ note: @escaping @Sendable (TraceID, TraceSpan) -> Void) -> HTTPMiddleware {
        { next in
            { request in
                guard let context = request.traceContext else { return try await next(request) }
                let (start, began) = (Date().nanoseconds, MonotonicTime.now)
                func end(_ status: Int) {
                    let duration = MonotonicTime.now.duration(since: began).wholeNanoseconds
                    note(
                        context.trace,
                        TraceSpan(
                            "\(request.method.rawValue) \(request.route ?? "(none)")", parent: context.span,
                            kind: .server,
                            start: start, end: start + UInt64(max(0, duration)),
                            attributes: ["http.response.status_code": .number(status)], isFailed: status >= 500))
                }
                do {
                    let response = try await next(request)
                    end(response.status)
                    return response
                } catch {
                    end((error as? ServerProblem)?.status ?? (error is CancellationError ? 503 : 500))
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
                OpenMetrics.text(of: metrics.families), contentType: OpenMetrics.contentType)
            response.headers["Cache-Control"] = "no-store"
            return response
        }
    }
}
