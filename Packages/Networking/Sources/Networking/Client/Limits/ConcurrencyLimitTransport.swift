// SPDX-License-Identifier: MIT

/// Lets so many requests to one origin run at once; the others wait in the order in which they came.
///
/// A request runs until its response's body was read or dropped.
public final class ConcurrencyLimitTransport: HTTPTransport {
    private struct Line {
        var running = 0
        var waiting: [Promise<Void>] = []
    }

    private let next: any HTTPTransport
    private let limit: Int
    private let lines = Guarded<[String: Line]>([:])

    /// The stage in front of `next`.
    public init(next: any HTTPTransport, limit: Int) {
        self.next = next
        self.limit = max(limit, 1)
    }

    /// Sends the request when there is room.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let origin = RedirectPolicy.origin(of: request.url)
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

    private func enter(_ origin: String) async throws {
        let promise: Promise<Void>? = lines.withLock { lines in
            guard lines[origin, default: Line()].running >= limit else {
                lines[origin, default: Line()].running += 1
                return nil
            }
            let promise = Promise<Void>()
            lines[origin]?.waiting.append(promise)
            return promise
        }
        guard let promise else { return }
        try await promise.value()
        // The place may have been given in the moment of cancellation.
        if Task.isCancelled {
            leave(origin)
            throw CancellationError()
        }
    }

    private func leave(_ origin: String) {
        lines.withLock { lines in
            guard var line = lines[origin] else { return }
            // The place goes to whoever has waited longest and still does.
            while !line.waiting.isEmpty {
                if line.waiting.removeFirst().resolve(.success(())) {
                    lines[origin] = line
                    return
                }
            }
            line.running -= 1
            lines[origin] = line.running == 0 ? nil : line
        }
    }
}
