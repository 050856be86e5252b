// SPDX-License-Identifier: MIT

import Networking

/// The stage next to the network: reads the body of a 429, since only some are worth another attempt.
///
/// An account without credit becomes an error that the retries do not repeat; any other 429 passes with its body.
struct QuotaTransport: HTTPTransport {
    let next: any HTTPTransport
    let key: APIKey

    static let codes: Set<String> = ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active"]

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        var response = try await next.send(request)
        guard response.status == 429 else { return response }
        let bytes = try await APIFailure.body(of: response)
        let failure = key.redact(APIFailure(response, body: bytes))
        if [failure.code, failure.type].contains(where: { Self.codes.contains($0 ?? "") }) {
            throw NetworkError(
                code: .quota, message: failure.message, underlying: EchoError.quotaExceeded(failure), status: 429)
        }
        response.body = HTTPResponseBody(bytes)
        return response
    }
}

extension NetworkError.Code {
    /// The account has no credit left.
    fileprivate static let quota = Self(rawValue: "quota")
}
