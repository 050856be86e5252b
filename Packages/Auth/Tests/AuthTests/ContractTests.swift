// SPDX-License-Identifier: MIT

import Auth
import AuthTestSupport
import FoundationEssentials
import Networking
import Testing

@Suite struct ContractTests {
    @Test(arguments: AuthContract.checks)
    func `the scripted GoTrue keeps the contract`(_ check: AuthContract.Check) async throws {
        let clock = TestClock()
        let server = ScriptedGoTrue { clock.date }
        try await check.run(
            AuthContract.Server(
                base: try #require(base), transport: server, mail: { server.mail(of: $0) },
                followLink: { server.followLink(of: $0) }, advance: { clock.advance(by: $0) }, listsSessions: false,
                countsAttempts: false, bindsLinks: false))
    }
}
