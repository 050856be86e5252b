// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import FoundationEssentials

/// Writes every exchange into a log, at its end.
final class LogTransport: HTTPTransport {
    private let next: any HTTPTransport
    private let log: NetworkLog
    private let clock: ClientClock

    /// The stage in front of `next`.
    init(next: any HTTPTransport, log: NetworkLog, clock: ClientClock = .system) {
        self.next = next
        self.log = log
        self.clock = clock
    }

    /// Sends the request.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let number = log.begin()
        let date = clock.date()
        let start = clock.now()
        let note: @Sendable (HTTPResponse?, Int, HTTPTransferSummary, NetworkExchange.Outcome) -> Void = {
            [log, clock] response, count, summary, outcome in
            log.append(
                NetworkExchange(
                    number: number, started: date, duration: clock.now() - start, method: request.method,
                    url: log.redaction.redacted((response?.url ?? request.url).absoluteString),
                    requestHeaders: log.redaction.redacted(request.headers), status: response?.status,
                    responseHeaders: log.redaction.redacted(response?.headers ?? [:]), version: response?.version,
                    contentBytes: count, summary: summary, outcome: outcome))
        }
        do {
            var response = try await next.send(request)
            let head = response
            let body = response.body
            let count = ByteCount()
            response.body = HTTPResponseBody(
                source: ObservedBody(body) { chunk in
                    count.value.withLock { $0 += chunk.count }
                } finish: { [redaction = log.redaction] end in
                    let outcome: NetworkExchange.Outcome =
                        switch end {
                        case .complete: .complete
                        case .dropped: .dropped
                        case .failed(let error): Self.outcome(error, redaction)
                        }
                    note(head, count.value.withLock { $0 }, body.summary, outcome)
                })
            return response
        } catch {
            note(nil, 0, HTTPTransferSummary(), Self.outcome(error, log.redaction))
            throw error
        }
    }

    private static func outcome(_ error: any Error, _ redaction: Redaction) -> NetworkExchange.Outcome {
        guard let error = error as? NetworkError else { return .cancelled }
        return .failed(error.code, message: redaction.redacted(error.message))
    }
}

private final class ByteCount: Sendable {
    let value = Guarded(0)
}
