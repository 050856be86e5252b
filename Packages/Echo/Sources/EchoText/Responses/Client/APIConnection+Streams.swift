// SPDX-License-Identifier: MIT

import Networking

extension APIConnection {
    /// The request of a stream: as long as it likes, but never silent for too long.
    func streaming(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.headers["Accept"] = "text/event-stream"
        request.maximumResponseBytes = .max
        request.timeouts?.idle = configuration.streamIdleTimeout
        return request
    }

    /// The answer without keys in what the server says about its failure.
    func redact(_ response: Response) -> Response {
        guard let failure = response.failure else { return response }
        var response = response
        response.failure = redact(failure)
        if response.failure != failure { response.json = nil }
        return response
    }

    /// The event without keys in what the server says about a failure.
    func redact(_ event: ResponseStreamEvent) -> ResponseStreamEvent {
        switch event {
        case .failed(var event):
            event.response = redact(event.response)
            return .failed(event)
        case .error(var event):
            event.failure = redact(event.failure)
            return .error(event)
        default: return event
        }
    }
}
