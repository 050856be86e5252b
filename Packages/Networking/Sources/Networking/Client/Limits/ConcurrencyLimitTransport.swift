// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// Limits the concurrent requests to one origin; the others wait in their order of arrival.
///
/// A request runs until its response's body was read or dropped.
final class ConcurrencyLimitTransport: HTTPTransport {
    private struct Line {
        var running = 0
        var waiting: [Promise<Void>] = []

        /// Takes a place, or queues up for one.
        mutating func enter(limit: Int) -> Promise<Void>? {
            guard running >= limit else {
                running += 1
                return nil
            }
            let promise = Promise<Void>()
            waiting.append(promise)
            return promise
        }

        /// Gives the place to the request that has waited longest and still does.
        mutating func leave() {
            while !waiting.isEmpty {
                if waiting.removeFirst().resolve() { return }
            }
            running -= 1
        }
    }

    private let next: any HTTPTransport
    private let limit: Int
    private let lines = Guarded<[Origin: Line]>([:])

    /// The stage in front of `next`.
    init(next: any HTTPTransport, limit: Int) {
        self.next = next
        self.limit = max(limit, 1)
    }

    /// Sends the request when there is room.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let origin = Origin(request.url)
        try await enter(origin)
        do {
            var response = try await next.send(request)
            response.body = HTTPResponseBody(
                source: ObservedBody(response.body) { [weak self] _ in self?.leave(origin) })
            return response
        } catch {
            leave(origin)
            throw error
        }
    }

    /// The number of requests that wait for a place.
    var waiterCount: Int { lines.withLock { lines in lines.values.reduce(0) { $0 + $1.waiting.count } } }

    private func enter(_ origin: Origin) async throws {
        let promise = lines.withLock { $0[origin, default: Line()].enter(limit: limit) }
        guard let promise else { return }
        try await promise.valueOrGivingUp()
        // The place may have been given in the moment of cancellation.
        if Task.isCancelled {
            leave(origin)
            throw CancellationError()
        }
    }

    private func leave(_ origin: Origin) {
        lines.withLock { lines in
            lines[origin]?.leave()
            if lines[origin]?.running == 0 { lines[origin] = nil }
        }
    }
}
