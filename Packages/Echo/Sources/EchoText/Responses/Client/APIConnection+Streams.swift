// SPDX-License-Identifier: MIT

import Networking

extension APIConnection {
    /// The request of a stream: without a limit of size, but with an idle time limit.
    func streaming(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.headers["Accept"] = "text/event-stream"
        request.maximumResponseBytes = .max
        request.timeouts?.idle = configuration.streamIdleTimeout
        return request
    }

    /// The answer, with keys removed from the server's description of its failure.
    func redact(_ response: Response) -> Response {
        guard let failure = response.failure else { return response }
        var response = response
        response.failure = redact(failure)
        if response.failure != failure { response.json = nil }
        return response
    }

    /// The event, with keys removed from the server's description of a failure.
    func redact(_ event: ResponseStreamEvent) -> ResponseStreamEvent {
        var event = event
        switch event.detail {
        case .response(let response): event.detail = .response(redact(response))
        case .error(let failure): event.detail = .error(redact(failure))
        default: break
        }
        return event
    }
}
