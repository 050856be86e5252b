// SPDX-License-Identifier: MIT

import Domain
import Persistence

/// Orders to remove sound. They outlive the process, and the sound of an ordered name is nobody's until it is removed.
extension RecordingStore {
    /// A sound: its account, and its name, which is an id as a rule.
    typealias Place = (account: String, name: String)

    /// Orders the removal of the sounds that neither a recording nor an upload has.
    ///
    /// - Returns: Those that are to be removed.
    func orderRemoval(_ places: [Place]) async throws -> [Place] {
        guard !places.isEmpty else { return [] }
        return try await database.write(durability: .normal) { writer in
            var ordered: [Place] = []
            for (account, name) in places {
                // The name of a piece is its upload's with an ending.
                let upload = String(name.prefix { $0 != "." })
                let isKnown = try await writer.first(
                    """
                    SELECT 1 FROM recording WHERE account = \(account) AND id = \(name)
                    UNION ALL SELECT 1 FROM upload WHERE account = \(account) AND id = \(upload)
                    """, as: Int.self)
                guard isKnown == nil else { continue }
                try await writer.execute(
                    """
                    INSERT INTO sound_removal (account, name) VALUES (\(account), \(name))
                    ON CONFLICT (account, name) DO NOTHING
                    """)
                ordered.append((account: account, name: name))
            }
            return ordered
        }
    }

    /// Ends an order.
    func noteRemoved(_ name: String, of account: String) async throws {
        try await database.write(durability: .normal) { writer in
            try await writer.execute("DELETE FROM sound_removal WHERE account = \(account) AND name = \(name)")
        }
    }

    /// The names of an account whose removal is ordered.
    func orderedRemovals(of account: String) async throws -> [String] {
        try await database.read { rows in
            try await rows.query("SELECT name FROM sound_removal WHERE account = \(account)", as: String.self)
        }
    }

    /// The sounds whose removal is ordered; at most 1,000.
    func orderedRemovals() async throws -> [Place] {
        try await database.read { rows in
            try await rows.query("SELECT account, name FROM sound_removal ORDER BY account, name LIMIT 1000") {
                (account: try $0["account", as: String.self], name: try $0["name", as: String.self])
            }
        }
    }

    /// True if the sound of a name is being removed, so that no other may take its place yet.
    nonisolated(nonsending) static func isBeingRemoved(
        _ id: Identifier<Recording>, of account: String, _ rows: any SQLReader
    ) async throws -> Bool {
        try await rows.first(
            "SELECT 1 FROM sound_removal WHERE account = \(account) AND name = \(id.description)", as: Int.self) != nil
    }
}
