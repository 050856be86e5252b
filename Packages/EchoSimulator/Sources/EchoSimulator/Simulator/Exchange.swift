// SPDX-License-Identifier: MIT

import Concurrency
import HTTPServer
import Networking
import StructuredJSON

/// One request and its answer's progress, as the log keeps them.
struct Exchange: Sendable {
    let log: Monitor<[RecordedRequest]>
    let place: Int
    let path: String

    init(_ request: ServerRequest, log: Monitor<[RecordedRequest]>) {
        self.log = log
        path = "/" + request.path.joined(separator: "/")
        let query = Dictionary(request.query.items.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
        let record = RecordedRequest(method: request.method, path: path, query: query, headers: request.headers)
        place = log.withLock { requests in
            requests.append(record)
            return requests.count - 1
        }
    }

    func note(json: JSONValue?, size: Int) {
        update { request in
            request.json = json
            request.bodySize = size
        }
    }

    func note(form: [String: [String]], size: Int) {
        update { request in
            request.form = form
            request.bodySize = size
        }
    }

    /// Notes an event of a session of `/v1/realtime`.
    func note(event: JSONValue, size: Int) {
        update { request in
            request.events.append(event)
            request.bodySize += size
        }
    }

    /// Counts sound that a client appended in a session of `/v1/realtime`.
    func note(appended size: Int) {
        update { request in
            request.appendCount += 1
            request.bodySize += size
        }
    }

    func note(status: Int) { update { $0.status = status } }

    func note(outcome: RecordedRequest.Outcome) { update { $0.outcome = outcome } }

    private func update(_ change: (inout RecordedRequest) -> Void) {
        log.withLock { change(&$0[place]) }
    }
}
