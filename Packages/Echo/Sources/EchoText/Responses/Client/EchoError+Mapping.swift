// SPDX-License-Identifier: MIT

import Networking

extension EchoError {
    /// The error for a refusal by the server.
    package init(_ failure: APIFailure) {
        let code = failure.code ?? failure.type ?? ""
        if QuotaTransport.codes.contains(code) {
            self = .quotaExceeded(failure)
        } else if Self.isTooLong(failure) {
            self = .contextTooLong(failure)
        } else {
            switch failure.status {
            case 401?, 403?: self = .unauthorized(failure)
            case 404?: self = .notFound(failure)
            case 429?: self = .rateLimitExceeded
            case nil where code == "rate_limit_exceeded": self = .rateLimitExceeded
            case nil where code == "invalid_api_key": self = .unauthorized(failure)
            default: self = .apiError(failure)
            }
        }
    }

    /// OpenAI and llama.cpp have codes for it; vLLM has only a message.
    private static func isTooLong(_ failure: APIFailure) -> Bool {
        let codes = ["context_length_exceeded", "exceed_context_size_error", "string_above_max_length"]
        if [failure.code, failure.type].contains(where: { codes.contains($0 ?? "") }) { return true }
        return failure.status == 400 && failure.message.contains("maximum context length")
    }

    /// The error for a failure of the transport.
    init(_ error: NetworkError, message: String) {
        switch error.code {
        case .connectTimeout, .firstByteTimeout, .idleTimeout, .timeout: self = .timedOut(message)
        case .invalidRequest, .insecure: self = .invalidConfiguration(message)
        case .responseTooLarge, .invalidResponse, .eventTooLarge, .decoding:
            self = .malformedResponse(message, requestID: nil)
        default: self = .connectionFailed(message)
        }
    }
}
