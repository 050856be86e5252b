// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials
import Networking
import Security

/// Signs each attempt of a request anew, since a signature is good for minutes and credentials change.
final class S3SigningTransport: HTTPTransport {
    private let next: any HTTPTransport
    private let credentials: S3CredentialCache
    let region: String
    private let host: String
    private let clock: ClientClock
    /// The seconds by which the store's clock is ahead.
    let skew = Guarded(0.0)

    init(
        next: any HTTPTransport, credentials: S3CredentialCache, region: String, host: String, clock: ClientClock
    ) {
        (self.next, self.credentials, self.region) = (next, credentials, region)
        (self.host, self.clock) = (host, clock)
    }

    /// The store's time.
    var time: Date { clock.date().addingTimeInterval(skew.withLock { $0 }) }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let credentials = try await credentials.credentials()
        let signature = SignatureV4(credentials: credentials, region: region, time: time)
        var request = request
        request.headers["x-amz-date"] = signature.stamp
        if let token = credentials.sessionToken {
            request.headers["x-amz-security-token"] = token.withExposed { String(decoding: $0, as: UTF8.self) }
        }
        let address = request.url.absoluteString
        let path = address.dropFirst((request.url.scheme?.utf8.count ?? 0) + 3).drop { $0 != "/" }
        let parts = path.split(separator: "?", maxSplits: 1)
        let query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: String(sides[0]), value: sides.count > 1 ? String(sides[1]) : "")
        }
        let own = request.headers.filter { $0.name.lowercased().hasPrefix("x-amz-") }
        request.headers["Authorization"] = try signature.authorization(
            for: SignatureV4.Request(
                method: request.method.rawValue, path: String(parts.first ?? "/"), query: query,
                headers: [(name: "host", value: host)] + own.map { (name: $0.name, value: $0.value) },
                payload: request.headers["x-amz-content-sha256"] ?? SignatureV4.unsignedPayload))
        return try await next.send(request)
    }
}
