// SPDX-License-Identifier: MIT

import AuthServer
import Diagnostics
import FoundationEssentials
import Security

/// The parts of a running server that the operator's endpoints read.
struct ServerState: Sendable {
    private static let databases = [
        "server.sqlite", "practice.sqlite", "recordings.sqlite", "sync.sqlite", "mails.sqlite",
    ]

    let home: String
    let minimumFreeBytes: Int
    let storage: ServerStorage
    let practice: PracticeServices
    let keys: ServerKeys
    let clock: AuthClock
    /// Nil without a shared database.
    let databaseClock: DatabaseClock?
    let mails: MailQueue
    let audit: AuditLog
    let totals: OperatorTotals

    /// The checks of `/readyz`.
    var checks: [Readiness.Check] {
        // A home's own folder is checked with the disk.
        let objects = practice.hasBucket ? [Readiness.Check(name: "objects") { try await practice.checkObjects() }] : []
        return objects + clockChecks + [
            .init(name: "databases") {
                try await storage.check()
            },
            .init(name: "disk") {
                guard let free = DiskSpace.free(at: home) else {
                    throw Readiness.Failure(description: "the file system of \(home) does not answer")
                }
                guard free >= minimumFreeBytes else {
                    throw Readiness.Failure(
                        description: "\(free) bytes are free, and minimum_free_bytes is \(minimumFreeBytes)")
                }
            },
            .init(name: "keys") { try await keys.check(at: clock.now()) },
            .init(name: "mail") {
                if try await mails.isBroken() {
                    throw Readiness.Failure(description: "the mail server cannot be reached or rejects the sign-in")
                }
                if try await mails.isFull() { throw Readiness.Failure(description: "the mail queue is full") }
            },
        ]
    }

    /// A wrong time of day harms no session, since all instances use the database's. Logs and certificates need it.
    private var clockChecks: [Readiness.Check] {
        guard let databaseClock else { return [] }
        return [
            .init(name: "clock") {
                try await databaseClock.refresh()
                let lead = databaseClock.lead
                guard max(lead, .zero - lead) > DatabaseClock.tolerance else { return }
                throw Readiness.Warning(
                    word: "skewed",
                    description:
                        "this machine's time of day is \(lead.components.seconds) seconds ahead of the database's")
            }
        ]
    }

    /// The metrics of `/metrics` other than those of requests.
    func families() async throws -> [MetricFamily] {
        let mail = mails.status.counts
        let (waiting, (totals, age)) = (try await mails.waiting(), try await totals.current())
        func one(_ value: Int) -> [MetricFamily.Sample] { [.init(value: value)] }
        return [
            .init(
                name: "parley_sign_ins", kind: .counter, help: "Sign-ins and refusals by outcome.",
                samples: audit.signIns.sorted { $0.key < $1.key }.map { key, count in
                    .init(labels: [("method", key.method), ("outcome", key.outcome)], value: count)
                }),
            .init(
                name: "parley_audit_events", kind: .counter, help: "Records of the audit log by event.",
                samples: audit.events.sorted { $0.key < $1.key }.map {
                    .init(labels: [("event", $0.key)], value: $0.value)
                }
            ),
            .init(name: "parley_mails_waiting", kind: .gauge, help: "Mails in the queue.", samples: one(waiting)),
            .init(
                name: "parley_mails_sent", kind: .counter, help: "Mails that the mail server took.",
                samples: one(mail.sent)),
            .init(
                name: "parley_mail_failures", kind: .counter, help: "Attempts to send that failed.",
                samples: one(mail.failedAttempts)),
            .init(
                name: "parley_mails_lost", kind: .counter,
                help: "Mails that were void before they were sent, or refused.",
                samples: [
                    .init(labels: [("reason", "expired")], value: mail.expired),
                    .init(labels: [("reason", "queue_full")], value: mail.refused),
                ]),
            .init(
                name: "parley_evaluations", kind: .gauge, help: "Recordings by the state of their evaluation.",
                samples: ["waiting", "running", "done", "failed"].map { state in
                    .init(labels: [("state", state)], value: totals.evaluations[state, default: 0])
                }),
            .init(
                name: "parley_disk_free_bytes", kind: .gauge, help: "Bytes that the home's file system has left.",
                samples: one(DiskSpace.free(at: home) ?? 0)),
            .init(
                name: "parley_database_bytes", kind: .gauge, help: "Size of each database with its log.",
                samples: (storage.isShared ? [] : Self.databases).map { name in
                    let size = DiskSpace.size(of: "\(home)/\(name)") + DiskSpace.size(of: "\(home)/\(name)-wal")
                    return .init(labels: [("database", name)], value: size)
                }),
            .init(
                name: "parley_recording_bytes", kind: .gauge, help: "Size of all recordings and uploads.",
                samples: one(totals.recordingBytes)),
            .init(
                name: "parley_sync_objects", kind: .gauge, help: "Objects that devices have left at the relay.",
                samples: one(totals.objects)),
            .init(
                name: "parley_sync_bytes", kind: .gauge, help: "Size of all objects at the relay.",
                samples: one(totals.objectBytes)),
            .init(
                name: "parley_sync_streams", kind: .gauge, help: "Open event streams of the relay.",
                samples: one(practice.syncStreams)),
            .init(
                name: "parley_totals_age_seconds", kind: .gauge,
                help: "Age of parley_evaluations, parley_recording_bytes, parley_sync_objects and parley_sync_bytes.",
                samples: one(age)),
        ]
    }
}
