// SPDX-License-Identifier: MIT

import FoundationEssentials
import Testing

@testable import Networking

struct RedirectPolicyTests {
    private static let secrets = [
        "Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key", "Api-Key", "apikey", "xi-api-key",
        "X-Auth-Token",
        "X-CSRF-Token", "X-Amz-Security-Token", "X-Goog-Signature", "Idempotency-Key", "X-Auth",
    ]

    private func follow(_ location: String) throws -> HTTPRequest {
        var headers: HTTPHeaders = ["Accept": "text/plain", "Host": "h.example"]
        for name in Self.secrets { headers[name] = "s" }
        let url = try #require(URL(string: "https://h.example/a"))
        var policy = RedirectPolicy()
        let step = policy.step(after: HTTPRequest(.get, url, headers: headers), status: 302, location: location)
        guard case .follow(let next) = step else { throw Stopped() }
        return next
    }

    @Test func `a service's own field is a credential if listed`() throws {
        var credentials = Redaction()
        credentials.headerNames.insert("x-acme-badge")
        let url = try #require(URL(string: "https://h.example/a"))
        let request = HTTPRequest(.get, url, headers: ["X-Acme-Badge": "s", "xi-api-key": "s", "Accept": "*/*"])
        for (list, kept) in [(credentials, ["Accept"]), (Redaction(), ["X-Acme-Badge", "Accept"])] {
            var policy = RedirectPolicy(credentials: list)
            guard case .follow(let next) = policy.step(after: request, status: 307, location: "https://e.example/b")
            else { throw Stopped() }
            #expect(next.headers.map(\.name) == kept)
        }
    }

    private struct Stopped: Error {}

    @Test(arguments: ["https://elsewhere.example/b", "https://h.example:8443/b", "//elsewhere.example/b"])
    func `a redirect to another origin takes no credential along`(location: String) throws {
        let next = try follow(location)
        #expect(next.headers.map(\.name) == ["Accept"])
        #expect(!next.options.isAuthorized)
    }

    @Test(arguments: ["/b", "https://H.example:443/b"])
    func `a redirect within its origin keeps every field`(location: String) throws {
        let next = try follow(location)
        #expect(next.headers.map(\.name).count == Self.secrets.count + 2)
        #expect(next.options.isAuthorized)
    }
}
