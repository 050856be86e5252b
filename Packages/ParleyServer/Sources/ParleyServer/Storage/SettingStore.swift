// SPDX-License-Identifier: MIT

import Persistence

/// Texts that the server remembers under a name.
struct SettingStore: Sendable {
    let database: any ServerDatabase

    /// The text under a name; nil if there is none.
    func value(_ name: String) async throws -> String? {
        try await database.read { rows in
            try await rows.first("SELECT value FROM setting WHERE name = \(name)", as: String.self)
        }
    }

    func set(_ name: String, to value: String, durability: Durability = .full) async throws {
        try await database.write(durability: durability) { writer in
            try await writer.execute(
                """
                INSERT INTO setting (name, value) VALUES (\(name), \(value))
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """)
        }
    }
}
