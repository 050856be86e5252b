// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking

extension APIFailure {
    /// The most bytes of an error's body that are read.
    private static let bodyLimit = 64 << 10

    /// The body of an error response; empty if it is longer than an error is.
    static func body(of response: HTTPResponse) async throws -> [UInt8] {
        do {
            return try await response.body.collect(upTo: bodyLimit)
        } catch is NetworkError {
            return []
        }
    }

    /// Reads the body of a response of a bad status: `{"error": …}` as OpenAI has it, vLLM's and FastAPI's forms, or nothing
    /// readable.
    init(_ response: HTTPResponse, body: [UInt8]) {
        let requestID = response.headers["x-request-id"]
        let retryAfter = response.headers.retryAfter(now: Date())
        guard let json = try? JSONValue(parsing: body), let object = json.object else {
            self.init(
                status: response.status, message: "The server answered \(response.status) without saying why.",
                requestID: requestID, retryAfter: retryAfter)
            return
        }
        self.init(
            json: object["error"] ?? object["detail"] ?? json, status: response.status, requestID: requestID,
            retryAfter: retryAfter)
    }
}
