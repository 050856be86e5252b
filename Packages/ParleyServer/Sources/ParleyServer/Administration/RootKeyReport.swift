// SPDX-License-Identifier: MIT

import AuthServer
import Persistence

/// The root keys, for the operator.
public struct RootKeyReport: Encodable, Sendable, Hashable {
    /// A root key.
    public struct Key: Encodable, Sendable, Hashable {
        /// Identifies the key, and reveals nothing of it.
        public let id: String
        /// The key's part.
        public internal(set) var state: State
        /// The begin of its use, if it is known.
        public internal(set) var from: String?
        /// The end of its use.
        public internal(set) var until: String?
        /// The living sessions that were last refreshed before the end; nil for a key whose use has not ended.
        public internal(set) var sessions: Int?
        /// The waiting mails and notifications from before the end.
        public internal(set) var messages: Int?

        /// The error of a file without the key.
        var loss: ServerSetupError {
            guard let sessions, let messages else { return .lacksRootKey(id) }
            return .needsRootKey(id, sessions: sessions, messages: messages)
        }
    }

    /// The part of a key.
    public enum State: String, Encodable, Sendable {
        /// It makes everything new.
        case inUse = "in use"
        /// It is announced: all instances that have it will use it soon.
        case next
        /// It is accepted, and has made nothing.
        case unused = "not used yet"
        /// Something that it has made may still be shown.
        case needed
        /// Everything that it has made has ended or was made anew.
        case notNeeded = "not needed"
        /// It is in use, announced or needed, and the file lacks it.
        case missing
    }

    /// The keys in the order of the file, then those that are missing.
    public let keys: [Key]

    init(_ keys: ServerKeys, _ storage: ServerStorage, _ policy: AuthPolicy, at now: AuthTime) async throws {
        let (use, inFile) = (try await keys.use(), keys.roots.inFile.map(\.id))
        let others = use.entries.reversed().map(\.key).filter { !inFile.contains($0) }
        var report: [Key] = []
        for id in inFile + others {
            var key = Key(id: id, state: .unused)
            if id == use.current(at: now) {
                key.state = .inUse
            } else if id == use.next(at: now)?.key {
                key.state = .next
            } else if let end = use.end(of: id) {
                // A minute more, for requests that began before.
                let limit = end + .seconds(60)
                let (sessions, messages) = (
                    try await Self.sessions(storage, before: limit, policy, at: now),
                    try await Self.messages(storage, before: limit)
                )
                (key.sessions, key.messages, key.until) = (sessions, messages, end.reportText)
                let proofs = limit + max(policy.linkLifetime, policy.codeLifetime)
                key.state = sessions + messages > 0 || now < proofs ? .needed : .notNeeded
            }
            // Its begin is not known if the server had it before keys could change.
            key.from = use.entry(of: id).flatMap { $0.from.milliseconds > 0 ? $0.from.reportText : nil }
            if !inFile.contains(id) {
                if key.state == .notNeeded { continue }
                key.state = .missing
            }
            report.append(key)
        }
        self.keys = report
    }

    /// The sessions that may hold a refresh token from before a time.
    private static func sessions(
        _ storage: ServerStorage, before time: AuthTime, _ policy: AuthPolicy, at now: AuthTime
    ) async throws -> Int {
        let idle = now + (.zero - policy.sessionIdleLifetime)
        let oldest = now + (.zero - policy.sessionLifetime)
        // Spares the look at all sessions.
        guard idle < time else { return 0 }
        return try await storage.accounts.read { rows in
            try await rows.first(
                """
                SELECT count(*) FROM session WHERE end_reason IS NULL AND rotated_at < \(time.milliseconds)
                    AND rotated_at > \(idle.milliseconds) AND created_at > \(oldest.milliseconds)
                """, as: Int.self) ?? 0
        }
    }

    /// The mails and notifications that may have been sealed before a time.
    private static func messages(_ storage: ServerStorage, before time: AuthTime) async throws -> Int {
        try await storage.mails.read { rows in
            try await rows.first(
                """
                SELECT (SELECT count(*) FROM letter WHERE queued_at IS NULL OR queued_at < \(time.milliseconds))
                    + (SELECT count(*) FROM notification WHERE queued_at IS NULL OR queued_at < \(time.milliseconds))
                """, as: Int.self) ?? 0
        }
    }
}

extension ServerAdministration {
    /// The root keys of the file, or the home's own, and the need for each.
    public func rootKeys() async throws -> RootKeyReport {
        let report = try await RootKeyReport(keys, storage, policy, at: clock.now())
        record("keys")
        return report
    }
}
