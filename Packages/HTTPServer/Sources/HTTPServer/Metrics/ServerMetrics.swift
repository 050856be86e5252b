// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
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
        var durations: [String: Histogram] = [:]
        var inFlight = 0
        var openConnections = 0
        var acceptedConnections = 0
        var cutConnections: [DeadlineKind: Int] = [:]
    }

    private let counts = Guarded(Counts())

    /// Everything at zero.
    public init() {}

    /// The number of requests in flight, answers that are still being sent included.
    public var requestsInFlight: Int { counts.withLock { $0.inFlight } }
    /// The number of open connections.
    public var openConnections: Int { counts.withLock { $0.openConnections } }
    /// The number of connections accepted since the start.
    public var acceptedConnections: Int { counts.withLock { $0.acceptedConnections } }

    /// A copy of all counts.
    var snapshot: Counts { counts.withLock { $0 } }

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
            counts.durations[route, default: Histogram()].add(seconds)
        }
    }
}

/// The number of values up to each of some bounds.
struct Histogram: Sendable {
    /// Bounds in seconds; a value above the last one is counted in the total only.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private(set) var counts = [Int](repeating: 0, count: Self.bounds.count)
    private(set) var total = 0
    private(set) var sum = 0.0

    mutating func add(_ seconds: Double) {
        total += 1
        sum += seconds
        if let index = Self.bounds.firstIndex(where: { seconds <= $0 }) { counts[index] += 1 }
    }

    /// The number of values that are at most each bound.
    var cumulative: [Int] {
        var count = 0
        return counts.map { next in
            count += next
            return count
        }
    }
}
