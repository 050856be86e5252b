// SPDX-License-Identifier: MIT

import AuthServerTestSupport
import Diagnostics
import Foundation
import Networking
import TestKit
import Testing

@testable import ParleyServer

/// The audit log has each event, and nothing that a thief could use.
@Suite(.timeLimit(.minutes(5))) struct AuditTests {
    /// A whole session with everything that is audited, at a server that logs as much as it can.
    @Test func `every event is there, and no address or token`() async throws {
        let ring = RingSink(capacity: 10_000)
        let fixture = try await ServerFixture(logger: Logger(category: "server", minimumLevel: .trace, sink: ring))
        let address = "ada.planted@example.org"
        var secrets = [address, "ada.planted", "planted-garbage"]
        let mail = try await fixture.askForMail(address)
        let wrong = mail.code == "000000" ? "000001" : "000000"
        _ = try await fixture.problem("/verify", ["type": "email", "email": address, "token": wrong])
        let first = try await fixture.tokens("/verify", ["type": "email", "email": address, "token": mail.code])
        let second = try await fixture.tokens(
            "/token?grant_type=refresh_token", ["refresh_token": first.refreshToken])
        secrets += [mail.link, mail.code, wrong, first.accessToken, second.accessToken, first.refreshToken]
        secrets += [second.refreshToken]
        #expect(try await fixture.get("/account/export", token: second.accessToken).status == 200)
        #expect(try await fixture.send(.delete, "/account/data", token: second.accessToken).status == 200)
        _ = try await fixture.send(.delete, "/sessions/planted-garbage@x", token: second.accessToken)
        try await ParleyServer.rotateKeys(home: fixture.home.path, clock: fixture.clock.clock)
        try await fixture.server.reloadKeys()
        let third = try await fixture.tokens(
            "/token?grant_type=refresh_token", ["refresh_token": second.refreshToken])
        secrets += [third.accessToken, third.refreshToken]
        // The thief's turn: a token that was exchanged long ago.
        fixture.clock.advance(by: .seconds(60))
        let theft = try await fixture.problem(
            "/token?grant_type=refresh_token", ["refresh_token": first.refreshToken])
        #expect(theft.errorCode == "refresh_token_already_used")
        _ = try await fixture.problem("/token?grant_type=refresh_token", ["refresh_token": "planted-garbage"])
        let other = try await fixture.askForMail("bob.planted@example.org")
        secrets += ["bob.planted", other.link, other.code]
        let page = try await fixture.confirm("planted-garbage-planted-garbage-planted-garb")
        #expect(page.status == 400)
        let bob = try await fixture.tokens("/verify", ["type": "magiclink", "token_hash": other.link])
        #expect(try await fixture.post("/logout", [:], token: bob.accessToken).status == 204)
        secrets += [bob.accessToken, bob.refreshToken]
        await fixture.stop()

        let administration = try await ServerAdministration.open(
            ServerOptions(home: fixture.home.path, mail: .folder("")))
        let stored = try await administration.auditEvents(since: nil, account: nil, limit: 1_000)
        await administration.close()
        let rows = stored.events.map { event in
            "\(event.event) \(event.account ?? "-") "
                + event.details.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        }
        for event in ["sign-in", "refusal", "token-reuse", "export", "deletion", "key-rotation", "sign-out"] {
            #expect(rows.contains { $0.hasPrefix(event + " ") }, "\(event): \(rows)")
        }
        // The account of a reused token is that of its session.
        #expect(rows.contains { $0.contains(/^token-reuse [0-9a-f-]{36} session=/) }, "\(rows)")
        for secret in secrets {
            for row in rows { #expect(!row.contains(secret), "\(secret) in \(row)") }
        }

        let records = ring.snapshot()
        let audit = records.filter { $0.category == "audit" }
        let lines = audit.map { record in
            ([record.message.text] + record.metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text)" })
                .joined(separator: " ")
        }
        for event in ["sign-in", "refusal", "refresh", "token-reuse", "export", "deletion", "key-rotation", "sign-out"]
        {
            #expect(lines.contains { $0.hasPrefix(event + " ") }, "\(event): \(lines)")
        }
        let id = "[0-9a-f-]{36}"
        for pattern in [
            "sign-in account=\(id) event=sign-in method=verify", "refusal code=otp_expired event=refusal method=verify",
            "deletion account=\(id) event=deletion receipt=\(id) what=data", "export account=\(id) event=export",
            "refusal code=refresh_token_not_found event=refusal method=token",
        ] {
            let regex = try Regex(pattern)
            #expect(lines.contains { $0.wholeMatch(of: regex) != nil }, "\(pattern): \(lines)")
        }
        let reuse = try #require(audit.first { $0.message.text == "token-reuse" })
        #expect(reuse.level == .warning && reuse.metadata["session"]?.text.isEmpty == false)
        // The grep finds what is there.
        #expect(records.contains { whole($0).contains("token-reuse") })
        for secret in secrets {
            for record in records { #expect(!whole(record).contains(secret), "\(secret) in \(whole(record))") }
        }
    }

    @Test func `the audit log has no level`() {
        let ring = RingSink()
        let audit = AuditLog(Logger(category: "server", minimumLevel: .critical, sink: ring))
        audit.record(.exported(account: "a"))
        audit.record(.signedOut(session: "x@example.org\n"))
        #expect(ring.snapshot().map { $0.metadata["event"]?.text } == ["export", "sign-out"])
        #expect(ring.snapshot().last?.metadata["session"]?.text == "invalid")
    }

    private func whole(_ record: LogRecord) -> String {
        record.category + " " + record.message.text + " "
            + record.metadata.map { "\($0.key)=\($0.value.text)" }.joined(separator: " ")
    }
}
