// SPDX-License-Identifier: MIT

import Foundation
import Networking
import ParleyServer
import Testing

/// One mail that many use at once, over HTTP and SQLite. `AUTH_USES=10000` takes a minute.
@Suite(.timeLimit(.minutes(5))) struct AttackLinkTests {
    private let uses = ProcessInfo.processInfo.environment["AUTH_USES"].flatMap { Int($0) } ?? 1_000

    @Test func ofManyWhoUseOneLinkAtOnceOneWins() async throws {
        let fixture = try await ServerFixture { $0.proxyCount = 1 }
        let mail = try await fixture.askForMail(challenge: fixture.challenge)
        let statuses = try await statuses { number in
            let headers = Self.network(number)
            if number.isMultiple(of: 2) {
                return try await fixture.send(
                    .post, "/verify/confirm", headers: headers, body: Array("token=\(mail.link)".utf8),
                    type: "application/x-www-form-urlencoded"
                ).status
            }
            return try await fixture.post(
                "/verify", ["type": "magiclink", "token_hash": mail.link, "code_verifier": fixture.verifier],
                headers: headers
            ).status
        }
        #expect(statuses == [200: 1, 403: uses - 1])
        await fixture.stop()
    }

    @Test func ofManyWhoUseOneCodeAtOnceOneWins() async throws {
        let fixture = try await ServerFixture { $0.proxyCount = 1 }
        let mail = try await fixture.askForMail()
        let statuses = try await statuses { number in
            try await fixture.post(
                "/verify", ["type": "email", "email": "ada@example.org", "token": mail.code],
                headers: Self.network(number)
            ).status
        }
        #expect(statuses == [200: 1, 403: uses - 1])
        await fixture.stop()
    }

    /// How often each status came, of requests of which as many are under way as the client has connections.
    private func statuses(_ request: @escaping @Sendable (Int) async throws -> Int) async throws -> [Int: Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            var statuses: [Int: Int] = [:]
            for number in 0..<uses {
                if number >= 64, let status = try await group.next() { statuses[status, default: 0] += 1 }
                group.addTask { try await request(number) }
            }
            return try await group.reduce(into: statuses) { $0[$1, default: 0] += 1 }
        }
    }

    /// Each from a network of its own, so that no limit of a network helps.
    private static func network(_ number: Int) -> HTTPHeaders {
        ["X-Forwarded-For": "10.\(number / 250).\(number % 250).1"]
    }
}
