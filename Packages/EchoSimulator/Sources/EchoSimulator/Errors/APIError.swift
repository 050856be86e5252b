// SPDX-License-Identifier: MIT

import HTTPServer
import Networking
import StructuredJSON

/// An error as the API answers it: `{"error": {"message", "type", "param", "code"}}`.
struct APIError: Error {
    var status: Int
    var message: String
    var type = "invalid_request_error"
    var param: String?
    var code: String?
    var headers: HTTPHeaders = [:]
    /// A scenario's body in place of the error.
    var body: JSONValue?

    var json: JSONValue {
        [
            "error": [
                "message": .string(message), "type": .string(type), "param": param.map(JSONValue.string) ?? nil,
                "code": code.map(JSONValue.string) ?? nil,
            ]
        ]
    }

    /// The error as `dialect`'s server words it.
    func response(in dialect: Scenario.Dialect) -> ServerResponse {
        var response = ServerResponse.bytes(
            (body ?? dialect.body(of: self)).bytes, status: status, contentType: "application/json")
        for field in headers { response.headers.add(name: field.name, value: field.value) }
        return response
    }
}

extension APIError {
    static let missingKey = APIError(
        status: 401,
        message: "You didn't provide an API key. You need to provide your API key in an Authorization header using "
            + "Bearer auth (i.e. Authorization: Bearer YOUR_KEY).")

    static let wrongKey = APIError(
        status: 401, message: "Incorrect API key provided.", code: "invalid_api_key")

    static let notJSON = APIError(
        status: 400, message: "We could not parse the JSON body of your request. The API expects a JSON object.")

    static func unknownModel(_ model: String) -> APIError {
        APIError(
            status: 404, message: "The model `\(model)` does not exist or you do not have access to it.",
            param: "model", code: "model_not_found")
    }

    static func noSuchPath(_ request: ServerRequest) -> APIError {
        APIError(
            status: 404, message: "Invalid URL (\(request.method) /\(request.path.joined(separator: "/")))")
    }

    /// The API's error for a status that a scenario asks for.
    static func fault(_ status: Int) -> APIError {
        switch status {
        case 401: .wrongKey
        case 403: APIError(status: status, message: "You are not allowed to do that.", code: "permission_denied")
        case 429:
            APIError(
                status: status, message: "Rate limit reached. Please try again later.", type: "requests",
                code: "rate_limit_exceeded")
        case 503:
            APIError(
                status: status, message: "The server is overloaded. Please try again later.",
                type: "service_unavailable_error")
        case 500...:
            APIError(
                status: status, message: "The server had an error while processing your request.",
                type: "server_error")
        default: APIError(status: status, message: "The request cannot be answered.")
        }
    }

    static func invalidValue(_ param: String, _ message: String, code: String = "invalid_value") -> APIError {
        APIError(status: 400, message: message, param: param, code: code)
    }
}

/// The header fields that say when to try again.
enum RetryHeaders {
    static func headers(for retry: Scenario.Retry, now: Int) -> HTTPHeaders {
        switch retry {
        case .seconds(let seconds): ["Retry-After": "\(seconds)"]
        case .date(let seconds):
            ["Retry-After": HTTPDate(secondsSince1970: Int64(now + seconds)).map { "\($0)" } ?? "0"]
        case .milliseconds(let milliseconds): ["retry-after-ms": "\(milliseconds)"]
        case .reset(let requests, let tokens):
            [
                "x-ratelimit-limit-requests": "500", "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": requests, "x-ratelimit-limit-tokens": "30000",
                "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": tokens,
            ]
        }
    }
}
