// SPDX-License-Identifier: MIT

import AuthServer
import Domain
import FoundationEssentials
import HTTPServer
import Networking
import Persistence
import PracticeWire

/// The requests of a program that becomes active: its account, its flags, and its heartbeats.
struct SessionEndpoints: Sendable {
    let config: AppConfigFile
    let presence: PresenceStore
    let clock: AuthClock

    func add(to router: inout Router, _ access: AuthenticationMiddleware) {
        router.member(.get, "/rpc/me", access) { member, _ in try .json(ProfileDTO(member.profile)) }
        router.member(.get, "/rpc/app_config", access) { _, request in
            try await .revalidated(config.body(), for: request)
        }
        router.member(.post, "/rpc/heartbeat", access) { member, _ in
            try await presence.seen(member.account, at: clock.now())
            return .noContent
        }
    }
}

extension Member {
    var profile: Profile {
        Profile(account: account, email: email, createdAt: RecordingRow.date(createdAt.milliseconds))
    }
}

/// The time at which an account was last seen.
struct PresenceStore: Sendable {
    let database: any ServerDatabase

    func seen(_ account: String, at now: AuthTime) async throws {
        // A loss by a power failure does no harm.
        try await database.write(durability: .normal) { writer in
            try await writer.execute(
                """
                INSERT INTO presence (account, seen_at) VALUES (\(account), \(now.milliseconds))
                ON CONFLICT (account) DO UPDATE SET seen_at = excluded.seen_at
                    WHERE presence.seen_at < excluded.seen_at
                """)
        }
    }

    func lastSeen(_ account: String) async throws -> AuthTime? {
        try await database.read { rows in
            try await rows.first("SELECT seen_at FROM presence WHERE account = \(account)") { row in
                AuthTime(milliseconds: try row["seen_at"])
            }
        }
    }
}
