// SPDX-License-Identifier: MIT

public import AuthServer
import Persistence

/// The queues and the totals.
extension ServerAdministration {
    /// The evaluations by state, and the newest failed ones with their reasons.
    public func jobs(limit: Int) async throws -> JobReport {
        let report = JobReport(
            counts: try await stores.jobs.counts(), failed: try await stores.jobs.failed(limit: limit))
        record("jobs")
        return report
    }

    /// Lets a failed evaluation be made again; all of them if there is no number.
    ///
    /// - Returns: The number of evaluations.
    /// - Throws: ``AdministrationError``
    public func retryJobs(_ number: Int64? = nil) async throws -> Int {
        let count = try await stores.jobs.retry(number)
        if let number, count == 0 { throw AdministrationError.noFailedJob(number) }
        record("retry-jobs")
        return count
    }

    /// The mails and the notifications that wait.
    public func queues() async throws -> QueueReport {
        let mails = try await DeliveryStore(database: storage.mails, capacity: 0).summary()
        let events = try await DeliveryStore(database: storage.mails, table: .notifications, capacity: 0).summary()
        record("mails")
        return QueueReport(mails: .init(mails), notifications: .init(events))
    }

    /// Audit events of all instances, the newest first.
    ///
    /// - Parameters:
    ///   - time: The time of the oldest; nil for all that are stored.
    ///   - account: An account's id; nil for every event.
    public func auditEvents(since time: AuthTime?, account: String?, limit: Int) async throws -> AuditReport {
        let entries = try await auditStore.entries(since: time, account: account, limit: limit)
        record("audit", account: account)
        return AuditReport(
            events: entries.map {
                .init(time: $0.at.reportText, event: $0.event, account: $0.account, details: $0.details)
            })
    }

    /// The totals of the server.
    public func statistics() async throws -> StatisticsReport {
        let now = clock.now()
        let idle = now + (.zero - policy.sessionIdleLifetime)
        let oldest = now + (.zero - policy.sessionLifetime)
        let people = try await storage.accounts.read { rows in
            try await rows.first(
                """
                SELECT (SELECT count(*) FROM account) AS accounts,
                    (SELECT count(*) FROM account WHERE banned_until > \(now.milliseconds)) AS blocked,
                    (SELECT count(*) FROM account WHERE confirmed_at IS NULL) AS unused,
                    (SELECT count(*) FROM session WHERE end_reason IS NULL AND rotated_at > \(idle.milliseconds)
                        AND created_at > \(oldest.milliseconds)) AS sessions
                """
            ) { row in
                (
                    accounts: try row["accounts", as: Int.self], blocked: try row["blocked", as: Int.self],
                    unused: try row["unused", as: Int.self], sessions: try row["sessions", as: Int.self]
                )
            }
        }
        let sound = try await stores.recordings.totals()
        let objects = try await stores.sync.totals()
        let report = StatisticsReport(
            accounts: people?.accounts ?? 0, blocked: people?.blocked ?? 0, unused: people?.unused ?? 0,
            sessions: people?.sessions ?? 0, recordings: sound.recordings, recordingBytes: sound.bytes,
            uploads: sound.uploads, objects: objects.objects, objectBytes: objects.bytes,
            jobs: try await stores.jobs.counts(),
            mails: try await DeliveryStore(database: storage.mails, capacity: 0).count())
        record("stats")
        return report
    }
}

extension EvaluationJobs {
    /// The failed jobs, the newest first.
    func failed(limit: Int) async throws -> [JobReport.Failed] {
        try await database.read { rows in
            try await rows.query(
                """
                SELECT number, account, recording, attempts, reason FROM evaluation_job
                WHERE state = 'failed' ORDER BY number DESC LIMIT \(limit)
                """
            ) { row in
                JobReport.Failed(
                    number: try row["number"], account: try row["account"], recording: try row["recording"],
                    attempts: try row["attempts"], reason: try row["reason", as: String?.self] ?? "")
            }
        }
    }

    /// Requeues a failed job, or all of them.
    ///
    /// - Returns: The number of jobs.
    func retry(_ number: Int64?) async throws -> Int {
        let chosen: SQL = number.map { number -> SQL in "AND number = \(number)" } ?? ""
        return try await database.write { writer in
            try await writer.execute(
                """
                UPDATE evaluation_job SET state = 'waiting', attempts = 0, reason = NULL
                WHERE state = 'failed' \(sql: chosen)
                """)
        }
    }

    /// True if a job waits for its turn, or its lease has ended: a worker that could not store an outcome leaves such a
    /// job behind.
    func hasWaiting() async throws -> Bool {
        try await database.read { rows in
            try await rows.first(
                """
                SELECT number FROM evaluation_job
                WHERE state = 'waiting' OR (state = 'running' AND lease_until <= \(sql: rows.now)) LIMIT 1
                """, as: Int64.self) != nil
        }
    }
}
