// SPDX-License-Identifier: MIT

#if DEBUG
    import Concurrency
    import Domain
    import FoundationEssentials
    import HTTPServer
    import Networking

    /// The newest requests that this program answered, for the developer's view of a development build: routes and not addresses, so that
    /// nothing of what people say is in it.
    final class PageRequests: Sendable {
        private struct Entry: Encodable {
            let time, method, url: String
            let status: Int
            let milliseconds: Double
            let requestBytes: Int
            let responseBytes: Int?
        }

        private static let limit = 500
        private let entries = Guarded<[Entry]>([])

        /// Notes each request and its answer.
        var middleware: HTTPMiddleware {
            { [self] handler in
                { request in
                    let (start, time) = (ContinuousClock.now, Date())
                    let response = try await handler(request)
                    var bytes: Int?
                    if case .bytes(let content) = response.body { bytes = content.count }
                    let entry = Entry(
                        time: time.formatted(.iso8601), method: request.method.rawValue, url: request.route ?? "?",
                        status: response.status, milliseconds: (ContinuousClock.now - start).milliseconds,
                        requestBytes: request.headers["Content-Length"].flatMap(Int.init) ?? 0, responseBytes: bytes)
                    self.entries.withLock { entries in
                        if entries.count == Self.limit { entries.removeFirst() }
                        entries.append(entry)
                    }
                    return response
                }
            }
        }

        /// The requests, the oldest first.
        var response: ServerResponse { get throws { try .json(["requests": entries.withLock { $0 }]) } }
    }
#endif
