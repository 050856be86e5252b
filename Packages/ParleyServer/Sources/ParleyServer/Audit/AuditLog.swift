// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Diagnostics
import FoundationEssentials

/// Writes each audit event as one record of the category `audit`, at every level of the log, and counts it. With a store
/// most events are rows there, too, a second later (see ``AuditEvent/isStored``): the log has those that a crash takes.
final class AuditLog: Sendable {
    /// The labels of one counter of sign-ins.
    struct Outcome: Hashable, Comparable {
        let method: String
        let outcome: String

        static func < (first: Outcome, second: Outcome) -> Bool {
            (first.method, first.outcome) < (second.method, second.outcome)
        }
    }

    private static let batch = 200

    private let logger: Logger
    private let store: AuditStore?
    private let clock: AuthClock
    private let buffer = Guarded(AuditBuffer())
    private let counts = Guarded((signIns: [Outcome: Int](), events: [String: Int]()))

    /// - Parameter store: Gets the events at ``flush()``; nil for the log alone.
    init(_ logger: Logger, store: AuditStore? = nil, clock: AuthClock = .system) {
        self.logger = logger.with(category: "audit").with(minimumLevel: .trace)
        (self.store, self.clock) = (store, clock)
    }

    func record(_ event: AuditEvent) {
        counts.withLock { counts in
            counts.events[event.name, default: 0] += 1
            switch event {
            case .signedIn(let method, _): counts.signIns[Outcome(method: method, outcome: "accepted"), default: 0] += 1
            case .refused(let method, let code):
                counts.signIns[Outcome(method: method, outcome: code.rawValue), default: 0] += 1
            default: break
            }
        }
        if store != nil, event.isStored {
            let entry = entry(event)
            let isRefusal = if case .refused = event { true } else { false }
            buffer.withLock { $0.add(entry, isRefusal: isRefusal) }
        }
        var logger = logger.with("event", "\(event.name, privacy: .public)")
        for field in event.fields { logger = logger.with(field.name, "\(Self.id(field.value), privacy: .public)") }
        let level: LogLevel = if case .tokenReused = event { .warning } else { .notice }
        logger.log(level, "\(event.name, privacy: .public)")
    }

    /// Stores events each second until the task is cancelled.
    func run() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil { await flush() }
    }

    /// Stores the events so far. Those that cannot be stored wait for the next call, as far as there is room.
    func flush() async {
        guard let store else { return }
        let lost = buffer.withLock { $0.takeLost() }
        if lost > 0 { logger.warning("\(lost, privacy: .public) audit events are in the logs alone: too many at once") }
        while true {
            let entries = buffer.withLock { $0.take(Self.batch) }
            guard !entries.isEmpty else { return }
            do {
                try await store.append(entries)
                buffer.withLock { $0.isFailing = false }
            } catch {
                let wasFailing = buffer.withLock { buffer in
                    defer { buffer.isFailing = true }
                    buffer.putBack(entries)
                    return buffer.isFailing
                }
                guard !wasFailing else { return }
                return logger.error("audit events are not stored yet: \(String(describing: error), privacy: .public)")
            }
        }
    }

    /// Stored events of an account, the newest first; ``flush()`` stores the latest ones.
    ///
    /// - Parameter last: The last event of the page before; nil for the first page.
    func page(of account: String, after last: AuditEntry?, limit: Int) async throws -> [AuditEntry] {
        try await store?.entries(account: account, after: last, limit: limit) ?? []
    }

    private func entry(_ event: AuditEvent) -> AuditEntry {
        var details = Dictionary(event.fields.map { ($0.name, Self.id($0.value)) }) { $1 }
        let account = details.removeValue(forKey: "account")
        return AuditEntry(
            id: UUID().uuidString.lowercased(), at: clock.now(), event: event.name, account: account, details: details)
    }

    /// Sign-ins and refusals by method and outcome.
    var signIns: [Outcome: Int] { counts.withLock { $0.signIns } }

    /// Events by name.
    var events: [String: Int] { counts.withLock { $0.events } }

    /// The text if it has the form of an id or a time. Ids of sessions and receipts also arrive in requests, and may
    /// have any content there.
    private static func id(_ text: String) -> String {
        let isID =
            text.utf8.count <= 64
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":")].contains(byte)
            }
        return isID ? text : "invalid"
    }
}
