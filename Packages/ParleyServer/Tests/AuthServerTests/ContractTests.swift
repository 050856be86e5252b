// SPDX-License-Identifier: MIT

import Auth
import AuthServerTestSupport
import AuthTestSupport
import FoundationEssentials
import Testing

/// The client's half against the server's rules, in one process.
@Suite struct ContractTests {
    @Test(arguments: AuthContract.checks, ["https://auth.example.org", "https://example.org/auth/v1"])
    func `the server's rules in process keep the contract`(_ check: AuthContract.Check, _ base: String) async throws {
        let base = try #require(URL(string: base))
        let server = try InProcessAuthServer(base: base)
        try await check.run(
            AuthContract.Server(
                base: base, transport: server,
                mail: { email in server.mail(of: email).flatMap { mail in mail.code.map { ($0, mail.token) } } },
                followLink: { try await server.followLink(of: $0) }, advance: { server.advance(by: $0) },
                listsSessions: true, countsAttempts: true, bindsLinks: true))
    }
}
