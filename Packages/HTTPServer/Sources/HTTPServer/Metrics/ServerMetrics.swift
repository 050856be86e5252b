// SPDX-License-Identifier: MIT

import Concurrency
public import Diagnostics
import Networking

/// The counters of a server, or of several that share them.
public final class ServerMetrics: Sendable {
    /// The labels of requests that are counted together.
    struct RequestKey: Hashable, Comparable {
        let route: String
        let method: String
        let statusClass: Int

        static func < (first: RequestKey, second: RequestKey) -> Bool {
            (first.route, first.method, first.statusClass) < (second.route, second.method, second.statusClass)
        }
    }

    struct Counts {
        var requests: [RequestKey: Int] = [:]
        var durations: [String: MetricHistogram] = [:]
        var inFlight = 0
        var openConnections = 0
        var acceptedConnections = 0
        var cutConnections: [DeadlineKind: Int] = [:]
    }

    private let counts = Guarded(Counts())

    /// Everything at zero.
    public init() {}

    /// The number of requests in flight, answers that are still being sent included.
    package var requestsInFlight: Int { counts.withLock { $0.inFlight } }
    /// The number of open connections.
    package var openConnections: Int { counts.withLock { $0.openConnections } }
    /// The number of connections accepted since the start.
    package var acceptedConnections: Int { counts.withLock { $0.acceptedConnections } }

    /// A copy of all counts.
    private var snapshot: Counts { counts.withLock { $0 } }

    func connectionOpened() {
        counts.withLock { counts in
            counts.openConnections += 1
            counts.acceptedConnections += 1
        }
    }

    func connectionClosed() {
        counts.withLock { $0.openConnections -= 1 }
    }

    func connectionCut(_ kind: DeadlineKind) {
        counts.withLock { $0.cutConnections[kind, default: 0] += 1 }
    }

    func requestBegan() {
        counts.withLock { $0.inFlight += 1 }
    }

    func requestEnded() {
        counts.withLock { $0.inFlight -= 1 }
    }

    func requestAnswered(route: String, method: HTTPMethod?, status: Int, duration: Duration) {
        // A client may invent methods, and each new label costs memory for ever.
        let known: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options]
        let name = method.map { known.contains($0) ? $0.rawValue : "other" } ?? "other"
        let key = RequestKey(route: route, method: name, statusClass: status / 100)
        let seconds = Double(duration.wholeNanoseconds) / 1e9
        counts.withLock { counts in
            counts.requests[key, default: 0] += 1
            counts.durations[route, default: MetricHistogram()].add(seconds)
        }
    }
}

extension ServerMetrics {
    /// Everything so far, for `OpenMetrics`.
    public var families: [MetricFamily] {
        let counts = snapshot
        func one(_ value: Int) -> [MetricFamily.Sample] { [.init(value: value)] }
        return [
            MetricFamily(
                name: "http_requests", kind: .counter, help: "Requests that were answered.",
                samples: counts.requests.sorted { $0.key < $1.key }.map { key, count in
                    .init(
                        labels: [
                            ("route", key.route), ("method", key.method), ("status", "\(key.statusClass)xx"),
                        ], value: count)
                }),
            MetricFamily(
                name: "http_request_duration_seconds", kind: .histogram, unit: "seconds",
                help: "From the request line to the handler's answer.",
                samples: counts.durations.sorted { $0.key < $1.key }.flatMap { route, histogram in
                    histogram.samples(labels: [("route", route)])
                }),
            MetricFamily(
                name: "http_requests_in_flight", help: "Requests that are being read, worked at or answered.",
                samples: one(counts.inFlight)),
            MetricFamily(
                name: "http_connections_open", help: "Connections that are open.", samples: one(counts.openConnections)),
            MetricFamily(
                name: "http_connections", kind: .counter, help: "Connections that were accepted.",
                samples: one(counts.acceptedConnections)),
            MetricFamily(
                name: "http_connections_cut", kind: .counter, help: "Connections that were cut off at a deadline.",
                samples: DeadlineKind.allCases.map { kind in
                    .init(labels: [("deadline", kind.name)], value: counts.cutConnections[kind, default: 0])
                }),
        ]
    }
}
