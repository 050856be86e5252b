// SPDX-License-Identifier: MIT

import HTTPServer
import Networking
import StructuredJSON

/// One request and how its answer goes, as the log keeps them.
struct Exchange: Sendable {
    let log: RequestLog
    let place: Int
    let path: String

    init(_ request: ServerRequest, log: RequestLog) {
        self.log = log
        path = "/" + request.path.joined(separator: "/")
        let query = Dictionary(request.query.items.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
        place = log.add(
            RecordedRequest(method: request.method, path: path, query: query, headers: request.headers))
    }

    func note(json: JSONValue?, size: Int) {
        log.update(place) { request in
            request.json = json
            request.bodySize = size
        }
    }

    func note(form: [String: [String]], size: Int) {
        log.update(place) { request in
            request.form = form
            request.bodySize = size
        }
    }

    /// An event of a session of `/v1/realtime`.
    func note(event: JSONValue, size: Int) {
        log.update(place) { request in
            request.events.append(event)
            request.bodySize += size
        }
    }

    /// More bytes of such a session.
    func note(size: Int) { log.update(place) { $0.bodySize += size } }

    func note(status: Int) { log.update(place) { $0.status = status } }

    func note(outcome: RecordedRequest.Outcome) { log.update(place) { $0.outcome = outcome } }
}
