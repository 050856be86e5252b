// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Persistence
import PracticeWire

/// The queue of recordings to evaluate and the outcomes, in SQLite: it survives the end of the process.
struct EvaluationJobs: Sendable {
    /// One recording's turn.
    struct Job: Sendable, Hashable {
        let number: Int64
        let account: String
        let recording: Recording
    }

    /// The most attempts of an evaluation. One that crashes the process must not do so for ever.
    static let maximumAttempts = 3

    let database: Database

    /// Requeues the jobs that were running when the process ended.
    func recover() async throws {
        try await database.write(durability: .full) { connection in
            try connection.execute(
                """
                UPDATE evaluation_job SET state = 'failed', reason = 'The server ended while it listened to this recording.'
                WHERE state = 'running' AND attempts >= \(Self.maximumAttempts)
                """)
            try connection.execute("UPDATE evaluation_job SET state = 'waiting' WHERE state = 'running'")
        }
    }

    /// Requeues the running jobs, as if they had not been started; for an orderly end.
    func release() async throws {
        try await database.write(durability: .full) { connection in
            try connection.execute(
                "UPDATE evaluation_job SET state = 'waiting', attempts = attempts - 1 WHERE state = 'running'")
        }
    }

    /// Starts the job that has waited longest.
    func claim() async throws -> Job? {
        try await database.write(durability: .full) { connection in
            while let next = try Self.next(connection) {
                guard let id = Identifier<Recording>(next.recording),
                    let recording = try RecordingStore.recording(id, of: next.account, connection)
                else {
                    try connection.execute("DELETE FROM evaluation_job WHERE number = \(next.number)")
                    continue
                }
                try connection.execute(
                    "UPDATE evaluation_job SET state = 'running', attempts = attempts + 1 WHERE number = \(next.number)"
                )
                return Job(number: next.number, account: next.account, recording: recording)
            }
            return nil
        }
    }

    private static func next(_ connection: Connection) throws -> (number: Int64, account: String, recording: String)? {
        try connection.first(
            "SELECT number, account, recording FROM evaluation_job WHERE state = 'waiting' ORDER BY number LIMIT 1"
        ) { (number: try $0["number"], account: try $0["account"], recording: try $0["recording"]) }
    }

    /// Stores the outcome of a job. A recording that was deleted meanwhile stays deleted.
    func finish(_ job: Job, _ result: Result<Evaluation, EvaluationFailure>) async throws {
        var (state, reason, evaluation) = ("done", String?.none, Data?.none)
        switch result {
        case .success(let value): evaluation = Data(try WireJSON.encode(EvaluationDTO(value)))
        case .failure(let failure): (state, reason) = ("failed", failure.reason)
        }
        try await database.write(durability: .full) { [state, reason, evaluation] connection in
            try connection.execute(
                """
                UPDATE evaluation_job SET state = \(state), reason = \(reason), evaluation = \(evaluation)
                WHERE number = \(job.number) AND account = \(job.account)
                    AND recording = \(job.recording.id.description) AND state = 'running'
                """)
        }
    }

    /// The state of a recording's evaluation; `nil` if the account has no such recording.
    func state(of recording: Identifier<Recording>, account: String) async throws -> EvaluationStateDTO? {
        try await database.read { connection in
            try connection.first(
                """
                SELECT job.state, job.reason, job.evaluation FROM recording
                LEFT JOIN evaluation_job AS job ON job.account = recording.account AND job.recording = recording.id
                WHERE recording.account = \(account) AND recording.id = \(recording.description)
                """, Self.state)
        }
    }

    /// The number of jobs in each state.
    func counts() async throws -> [String: Int] {
        try await database.read { connection in
            let rows = try connection.query("SELECT state, count(*) AS number FROM evaluation_job GROUP BY state") {
                (try $0["state", as: String.self], try $0["number", as: Int.self])
            }
            return Dictionary(rows) { $1 }
        }
    }

    /// The evaluations of an account's recordings, by the recordings' ids.
    func states(of account: String) async throws -> [String: EvaluationStateDTO] {
        try await database.read { connection in
            let rows = try connection.query(
                "SELECT state, reason, evaluation, recording FROM evaluation_job WHERE account = \(account)"
            ) { (try $0["recording", as: String.self], try Self.state($0)) }
            return Dictionary(rows) { $1 }
        }
    }

    private static func state(_ row: borrowing Row) throws -> EvaluationStateDTO {
        let stage = try row["state", as: String?.self].flatMap(EvaluationStateDTO.Stage.init) ?? .waiting
        var state = EvaluationStateDTO(stage, reason: try row["reason"])
        state.evaluation = try row["evaluation", as: [UInt8]?.self].map {
            try WireJSON.decode(EvaluationDTO.self, from: $0)
        }
        return state
    }
}

/// The reason why a recording cannot be evaluated and will not be tried again.
public struct EvaluationFailure: Error, Hashable {
    /// A sentence for a person.
    public let reason: String

    /// A failure with a sentence for a person.
    public init(reason: String) { self.reason = reason }
}
