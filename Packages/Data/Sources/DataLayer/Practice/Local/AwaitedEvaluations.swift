// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Persistence

/// The recordings of an owner that the server has, and whose server evaluation has not arrived; inside one transaction.
struct AwaitedEvaluations<Access: Connection> {
    let connection: Access
    let owner: String

    /// Awaits an evaluation, unless it has arrived.
    func add(_ recording: Identifier<Recording>) throws where Access == WritableConnection {
        try connection.execute(
            """
            INSERT OR IGNORE INTO evaluation_awaited (owner, recording, since, asked_at)
            SELECT \(owner), \(recording.description), unixepoch() * 1000, 0 WHERE NOT EXISTS (
                SELECT 1 FROM evaluation WHERE owner = \(owner) AND recording = \(recording.description)
                    AND source = \(Evaluation.Source.server.rawValue))
            """)
    }

    /// Stops waiting for an evaluation.
    func remove(_ recording: Identifier<Recording>) throws where Access == WritableConnection {
        try connection.execute(
            "DELETE FROM evaluation_awaited WHERE owner = \(owner) AND recording = \(recording.description)")
    }

    /// Some awaited recordings; those with the oldest request first.
    func list(limit: Int) throws -> [(recording: Identifier<Recording>, since: Date)] {
        try connection.query(
            """
            SELECT recording, since FROM evaluation_awaited WHERE owner = \(owner)
            ORDER BY asked_at, since, recording LIMIT \(limit)
            """
        ) { row in
            guard let id = Identifier<Recording>(try row["recording"]) else {
                throw DomainError.unusable(.row("evaluation"))
            }
            return (recording: id, since: try row["since"])
        }
    }

    func count() throws -> Int {
        try connection.first("SELECT count(*) FROM evaluation_awaited WHERE owner = \(owner)", as: Int.self) ?? 0
    }

    /// Notes the time of a request.
    func noteAsked(_ recording: Identifier<Recording>, at time: Date) throws where Access == WritableConnection {
        try connection.execute(
            """
            UPDATE evaluation_awaited SET asked_at = \(time)
            WHERE owner = \(owner) AND recording = \(recording.description)
            """)
    }
}
