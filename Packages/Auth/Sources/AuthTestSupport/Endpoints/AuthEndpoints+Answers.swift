// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials

extension AuthEndpoints {
    static let jsonHeaders = [
        (name: "Content-Type", value: "application/json"), (name: "Cache-Control", value: "no-store"),
    ]

    /// The most bytes of a request's content.
    static let bodyLimit = 65_536

    static func body(_ request: EndpointRequest) throws -> WireRequest {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard request.body.count <= bodyLimit,
            let body = try? decoder.decode(WireRequest.self, from: Data(request.body))
        else { throw AuthServerError(.badJSON, "The content is not the JSON that this call takes.") }
        return body
    }

    static func bearer(_ request: EndpointRequest) throws -> String {
        guard let bearer = request.bearer else {
            throw AuthServerError(.noAuthorization, "This call needs an access token.")
        }
        return bearer
    }

    static func json(_ value: some Encodable) throws -> EndpointAnswer {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return EndpointAnswer(status: 200, headers: jsonHeaders, body: Array(try encoder.encode(value)))
    }

    /// The statuses are GoTrue's, but that a token which may be refreshed is a 401, as all of HTTP has it.
    func refusal(_ error: AuthServerError) -> EndpointAnswer {
        let status =
            switch error.code {
            case .proofRefused, .sessionEnded: 403
            case .tooManyMails, .tooManyRequests: 429
            case .badAccessToken, .noAuthorization: 401
            case .authorizationCodeRefused: 404
            default: 400
            }
        let wait = error.retryAfter.map { max(1, ($0 - clock.now()) / .seconds(1)).rounded(.up) }
        return Self.problem(
            status, error.code.rawValue, error.message, attemptsLeft: error.attemptsLeft,
            retryAfter: wait.map { Int($0) })
    }

    static func problem(
        _ status: Int, _ code: String, _ message: String, attemptsLeft: Int? = nil, retryAfter: Int? = nil
    ) -> EndpointAnswer {
        let problem = WireRefusal(
            type: "about:blank", title: message, status: status, detail: message, code: status, errorCode: code,
            msg: message, attemptsLeft: attemptsLeft, retryAfter: retryAfter)
        var headers = [
            (name: "Content-Type", value: "application/problem+json"), (name: "Cache-Control", value: "no-store"),
        ]
        if let retryAfter { headers.append((name: "Retry-After", value: String(retryAfter))) }
        if status == 401 { headers.append((name: "WWW-Authenticate", value: "Bearer")) }
        let body = (try? json(problem))?.body ?? []
        return EndpointAnswer(status: status, headers: headers, body: body)
    }
}

extension AuthServerError.Code {
    /// The content is not JSON.
    static let badJSON = Self(rawValue: "bad_json")
    /// There is no access token.
    static let noAuthorization = Self(rawValue: "no_authorization")
}
