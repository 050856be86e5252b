// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials

// The answers of administration, in the form of `--json`: members in snake case, times in RFC 3339.

/// An account, for its operator.
public struct AccountReport: Encodable, Sendable, Hashable {
    /// The account's id.
    public let id: String
    /// Its address.
    public let email: String
    /// The time at which it was made.
    public let createdAt: String
    /// The time of the first sign-in; nil before.
    public let confirmedAt: String?
    /// The time of the newest invitation.
    public let invitedAt: String?
    /// The end of the block, if one holds.
    public let bannedUntil: String?

    init(_ account: Account, at now: AuthTime) {
        (id, email, createdAt) = (account.id, account.address.value, account.createdAt.reportText)
        (confirmedAt, invitedAt) = (account.confirmedAt?.reportText, account.invitedAt?.reportText)
        bannedUntil = account.isBanned(at: now) ? account.bannedUntil?.reportText : nil
    }
}

/// A page of accounts.
public struct AccountPage: Encodable, Sendable, Hashable {
    /// The accounts, the newest first.
    public let accounts: [AccountReport]
    /// The number of all that match.
    public let total: Int
}

/// A session, for the operator.
public struct SessionReport: Encodable, Sendable, Hashable {
    /// The session's id.
    public let id: String
    /// The program's name for itself.
    public let device: String
    /// The time of the sign-in.
    public let createdAt: String
    /// The time of the last refresh.
    public let lastUsedAt: String

    init(_ session: Session) {
        (id, device) = (session.id, session.device)
        (createdAt, lastUsedAt) = (session.createdAt.reportText, session.rotatedAt.reportText)
    }
}

/// An account with its sessions and the extent of its data.
public struct AccountDetails: Encodable, Sendable, Hashable {
    /// The account.
    public let account: AccountReport
    /// The sessions that can still be used, the newest first.
    public let sessions: [SessionReport]
    /// The time of the last sign of life of its programs.
    public let lastSeenAt: String?
    /// The number of recordings and unfinished uploads.
    public let recordings: Int
    /// Their bytes.
    public let bytes: Int
    /// The number of results.
    public let results: Int
    /// The number of objects at the relay.
    public let objects: Int
}

/// The receipt of a deletion.
public struct DeletionReport: Encodable, Sendable, Hashable {
    /// The receipt's id.
    public let receipt: String
    /// The number of deleted items by kind.
    public let counts: [String: Int]
}

/// A new service token. It is shown once.
public struct ServiceTokenReport: Encodable, Sendable, Hashable {
    /// The token.
    public let token: String
    /// The id, with which it can be revoked.
    public let id: String
    /// The time of its end.
    public let expiresAt: String
}

/// The evaluations of recordings.
public struct JobReport: Encodable, Sendable, Hashable {
    /// An evaluation that failed.
    public struct Failed: Encodable, Sendable, Hashable {
        /// The job's number.
        public let number: Int64
        /// The recording's account.
        public let account: String
        /// The recording.
        public let recording: String
        /// The number of attempts.
        public let attempts: Int
        /// The reason, for a person.
        public let reason: String
    }

    /// The number of jobs by state: waiting, running, done, failed.
    public let counts: [String: Int]
    /// The newest failed ones.
    public let failed: [Failed]
}

/// The mails and notifications that wait.
public struct QueueReport: Encodable, Sendable, Hashable {
    /// One queue.
    public struct Queue: Encodable, Sendable, Hashable {
        /// The number of messages.
        public let waiting: Int
        /// The time since which the oldest waits.
        public let oldestAt: String?
        /// The code of the newest failure.
        public let lastFailure: String?

        init(_ summary: DeliveryStore.Summary) {
            (waiting, oldestAt) = (summary.count, summary.oldestAt?.reportText)
            lastFailure = summary.failure
        }
    }

    /// Mails for people.
    public let mails: Queue
    /// Events for the hook.
    public let notifications: Queue
}

/// Audit events, the newest first.
public struct AuditReport: Encodable, Sendable, Hashable {
    /// One event.
    public struct Event: Encodable, Sendable, Hashable {
        /// The time.
        public let time: String
        /// The event's name, as in the log.
        public let event: String
        /// The account's id; nil for an event without one, or of an account that was deleted since.
        public let account: String?
        /// The other fields of the log record.
        public let details: [String: String]
    }

    /// The events.
    public let events: [Event]
}

/// The totals of a server.
public struct StatisticsReport: Encodable, Sendable, Hashable {
    /// All accounts.
    public let accounts: Int
    /// Accounts that are blocked now.
    public let blocked: Int
    /// Accounts that nobody has signed in to.
    public let unused: Int
    /// Sessions that can still be used.
    public let sessions: Int
    /// Recordings.
    public let recordings: Int
    /// Their bytes, and those of unfinished uploads.
    public let recordingBytes: Int
    /// Unfinished uploads.
    public let uploads: Int
    /// Objects at the relay.
    public let objects: Int
    /// Their bytes.
    public let objectBytes: Int
    /// Evaluations by state.
    public let jobs: [String: Int]
    /// Mails that wait.
    public let mails: Int
}

extension AuthTime {
    /// RFC 3339, in UTC.
    var reportText: String { Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(.iso8601) }
}
