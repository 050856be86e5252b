// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Persistence
import PracticeWire

/// The queue of recordings to evaluate and the outcomes: it survives the end of the process, and several processes share
/// it by leases.
struct EvaluationJobs: Sendable {
    /// One recording's turn.
    struct Job: Sendable, Hashable {
        let number: Int64
        let account: String
        let recording: Recording
        /// Counts the turns of the recording, so that the outcome of an earlier turn is not taken for this one's.
        let attempt: Int
    }

    /// The most attempts of an evaluation. One that crashes the process must not do so for ever.
    static let maximumAttempts = 3

    let database: any ServerDatabase
    /// The owner of the jobs that are claimed here.
    var instance: ServerInstance = .home

    /// Ends the leases that an earlier process of this instance left behind. Those of other instances end by their time.
    func recover() async throws {
        try await database.write { writer in
            try await writer.execute(
                """
                UPDATE evaluation_job SET lease_until = 0
                WHERE state = 'running' AND (owner = \(instance.id) OR owner IS NULL)
                """)
        }
    }

    /// Requeues the running jobs of this instance, as if they had not been started; for an orderly end.
    func release() async throws {
        try await database.write { writer in
            try await writer.execute(
                """
                UPDATE evaluation_job SET state = 'waiting', attempts = attempts - 1, owner = NULL, lease_until = NULL
                WHERE state = 'running' AND owner = \(instance.id)
                """)
        }
    }

    /// Starts a job whose lease has ended, or else the oldest one of the next account that has any, so that one account's
    /// recordings hold up nobody else's.
    ///
    /// - Parameter last: The account of the turn before; accounts follow each other by their ids, and then again.
    func claim(after last: String = "") async throws -> Job? {
        try await database.write { writer in
            while let next = try await Self.next(writer, after: last) {
                guard let id = Identifier<Recording>(next.recording),
                    let recording = try await RecordingStore.recording(id, of: next.account, writer)
                else {
                    try await writer.execute("DELETE FROM evaluation_job WHERE number = \(next.number)")
                    continue
                }
                // A job that waits has not been cut off at its last attempt.
                guard !next.wasRunning || next.attempts < Self.maximumAttempts else {
                    try await writer.execute(
                        """
                        UPDATE evaluation_job SET state = 'failed', owner = NULL, lease_until = NULL,
                            reason = 'The server ended while it listened to this recording.'
                        WHERE number = \(next.number)
                        """)
                    continue
                }
                try await writer.execute(
                    """
                    UPDATE evaluation_job SET state = 'running', attempts = attempts + 1, owner = \(instance.id),
                        lease_until = \(sql: writer.now) + \(Lease.milliseconds)
                    WHERE number = \(next.number)
                    """)
                return Job(
                    number: next.number, account: next.account, recording: recording, attempt: next.attempts + 1)
            }
            return nil
        }
    }

    private typealias Next = (number: Int64, account: String, recording: String, attempts: Int, wasRunning: Bool)

    nonisolated(nonsending) private static func next(
        _ writer: any SQLWriter, after last: String
    ) async throws -> Next? {
        func decode(_ row: SQLRow) throws -> Next {
            (
                number: try row["number"], account: try row["account"], recording: try row["recording"],
                attempts: try row["attempts"], wasRunning: try row["state", as: String.self] == "running"
            )
        }
        let columns: SQL = "number, account, recording, attempts, state FROM evaluation_job"
        let expired = try await writer.first(
            """
            SELECT \(sql: columns) WHERE state = 'running' AND lease_until <= \(sql: writer.now)
            ORDER BY number LIMIT 1 \(sql: writer.skippingTaken)
            """, decode)
        if let expired { return expired }
        for from in last.isEmpty ? [""] : [last, ""] {
            let next = try await writer.first(
                """
                SELECT \(sql: columns) WHERE state = 'waiting' AND account > \(from)
                ORDER BY account, number LIMIT 1 \(sql: writer.skippingTaken)
                """, decode)
            if let next { return next }
        }
        return nil
    }

    /// Extends the lease of a job.
    ///
    /// - Returns: False if another instance has the job, or if it ended.
    func renew(_ job: Job) async throws -> Bool {
        try await database.write(durability: .normal) { writer in
            try await writer.execute(
                """
                UPDATE evaluation_job SET lease_until = \(sql: writer.now) + \(Lease.milliseconds)
                WHERE \(sql: isOwn(job))
                """) == 1
        }
    }

    /// Requeues a job, as if it had not been started.
    func putBack(_ job: Job) async throws {
        try await database.write { writer in
            try await writer.execute(
                """
                UPDATE evaluation_job SET state = 'waiting', attempts = attempts - 1, owner = NULL, lease_until = NULL
                WHERE \(sql: isOwn(job))
                """)
        }
    }

    /// Stores the outcome of a job, unless another instance has it now. A recording that was deleted meanwhile stays
    /// deleted.
    func finish(_ job: Job, _ result: Result<Evaluation, EvaluationFailure>) async throws {
        let (state, reason, evaluation): (String, String?, Data?) =
            switch result {
            case .success(let value): ("done", nil, Data(try WireJSON.encode(EvaluationDTO(value))))
            case .failure(let failure): ("failed", failure.reason, nil)
            }
        try await database.write { writer in
            try await writer.execute(
                """
                UPDATE evaluation_job SET state = \(state), reason = \(reason), evaluation = \(evaluation),
                    owner = NULL, lease_until = NULL
                WHERE \(sql: isOwn(job))
                """)
        }
    }

    private func isOwn(_ job: Job) -> SQL {
        """
        number = \(job.number) AND account = \(job.account) AND recording = \(job.recording.id.description)
            AND state = 'running' AND owner = \(instance.id) AND attempts = \(job.attempt)
        """
    }

    /// The state of a recording's evaluation; `nil` if the account has no such recording.
    func state(of recording: Identifier<Recording>, account: String) async throws -> EvaluationStateDTO? {
        try await database.read { rows in
            try await rows.first(
                """
                SELECT job.state, job.reason, job.evaluation FROM recording
                LEFT JOIN evaluation_job AS job ON job.account = recording.account AND job.recording = recording.id
                WHERE recording.account = \(account) AND recording.id = \(recording.description)
                """, Self.state)
        }
    }

    /// The number of jobs in each state. Those that are done are not counted: each recording has one job.
    func counts() async throws -> [String: Int] {
        try await database.read { rows in
            let counted = try await rows.query(
                """
                SELECT state, count(*) AS number FROM evaluation_job
                WHERE state IN ('waiting', 'running', 'failed') GROUP BY state
                """
            ) { (try $0["state", as: String.self], try $0["number", as: Int.self]) }
            var counts = Dictionary(counted) { $1 }
            let done = try await RecordingUsage.totals(rows).recordings - counts.values.reduce(0, +)
            if done > 0 { counts["done"] = done }
            return counts
        }
    }

    /// The evaluations of an account's recordings, by the recordings' ids.
    func states(of account: String) async throws -> [String: EvaluationStateDTO] {
        try await database.read { rows in
            let states = try await rows.query(
                "SELECT state, reason, evaluation, recording FROM evaluation_job WHERE account = \(account)"
            ) { (try $0["recording", as: String.self], try Self.state($0)) }
            return Dictionary(states) { $1 }
        }
    }

    private static func state(_ row: SQLRow) throws -> EvaluationStateDTO {
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
