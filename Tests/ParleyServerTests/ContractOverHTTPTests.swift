// SPDX-License-Identifier: MIT

import Auth
import AuthServerTestSupport
import AuthTestSupport
import Concurrency
import Diagnostics
import Foundation
import Networking
import ParleyServer
import Testing

/// The client's half against the reference server, over real HTTP.
@Suite(.timeLimit(.minutes(5))) struct ContractOverHTTPTests {
    @Test(arguments: AuthContract.checks)
    func `the reference server keeps the contract over HTTP`(_ check: AuthContract.Check) async throws {
        let fixture = try await ServerFixture()
        let mailbox = Mailbox(fixture)
        try await check.run(
            AuthContract.Server(
                base: try #require(URL(string: fixture.server.address)), transport: mailbox,
                mail: { _ in
                    let mail = try ServerFixture.proofs(in: await mailbox.newest())
                    return mail.code.isEmpty ? nil : (mail.code, mail.link)
                },
                followLink: { _ in
                    let page = try await fixture.confirm(ServerFixture.proofs(in: mailbox.newest()).link)
                    let text = String(decoding: page.body, as: UTF8.self)
                    return text.firstMatch(of: /<code>([A-Za-z0-9_-]{43})<\/code>/).map { String($0.output.1) }
                },
                advance: { fixture.clock.advance(by: $0) }, listsSessions: true, countsAttempts: true,
                bindsLinks: true))
        await fixture.stop()
    }
}

/// Counts the mails that the server has promised, so that the newest can be waited for.
private final class Mailbox: HTTPTransport {
    private struct State {
        var promised = 0
        var known: Set<String> = []
        var newest = ""
    }

    private let fixture: ServerFixture
    private let state = Guarded(State())

    init(_ fixture: ServerFixture) {
        self.fixture = fixture
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let response = try await fixture.client.send(request)
        if request.url.path() == "/otp", response.status == 200 { state.withLock { $0.promised += 1 } }
        return response
    }

    /// The newest mail, when it has come. Of several that came since the last call it may be any.
    func newest() async throws -> String {
        while state.withLock({ $0.known.count < $0.promised }) {
            let known = state.withLock { $0.known }
            let mail = try await fixture.mail(besides: known)
            let names = try fixture.mailNames
            state.withLock { ($0.known, $0.newest) = (names, mail) }
        }
        return state.withLock { $0.newest }
    }
}
