// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
import Persistence
import PracticeWire

/// The evaluations of one owner's recordings, in an SQLite database.
public struct SQLiteEvaluationStore: EvaluationStore {
    private let database: PracticeDatabase
    private let owner: String

    /// Makes the store of an owner; `nil` for no account.
    public init(_ database: PracticeDatabase, owner: String?) {
        self.database = database
        self.owner = owner ?? ""
    }

    /// See `EvaluationStore`.
    public func store(_ evaluation: Evaluation, of recording: Identifier<Recording>) async throws {
        let owner = owner
        try await database.write { connection in
            let body = try StoredJSON.text(EvaluationDTO(evaluation))
            try connection.execute(
                """
                INSERT OR REPLACE INTO evaluation (owner, recording, source, body)
                VALUES (\(owner), \(recording.description), \(evaluation.source.rawValue), \(body))
                """)
            if evaluation.source == .server {
                try AwaitedEvaluations(connection: connection, owner: owner).remove(recording)
            }
        }
    }

    /// See `EvaluationStore`.
    public func evaluations(of recording: Identifier<Recording>) async throws -> [Evaluation.Source: Evaluation] {
        let owner = owner
        let stored = try await database.read { connection in
            try connection.query(
                "SELECT body FROM evaluation WHERE owner = \(owner) AND recording = \(recording.description)"
            ) { row in try StoredJSON.evaluation(row["body"]) }
        }
        return Dictionary(stored.map { ($0.source, $0) }) { first, _ in first }
    }
}
