// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Diagnostics
import FoundationEssentials

/// Writes each audit event as one record of the category `audit`, at every level of the log, and counts it.
final class AuditLog: Sendable {
    /// The labels of one counter of sign-ins.
    struct Outcome: Hashable, Comparable {
        let method: String
        let outcome: String

        static func < (first: Outcome, second: Outcome) -> Bool {
            (first.method, first.outcome) < (second.method, second.outcome)
        }
    }

    private let logger: Logger
    private let counts = Guarded((signIns: [Outcome: Int](), events: [String: Int]()))

    init(_ logger: Logger) {
        self.logger = logger.with(category: "audit").with(minimumLevel: .trace)
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
        var logger = logger.with("event", "\(event.name, privacy: .public)")
        for field in event.fields { logger = logger.with(field.name, "\(Self.id(field.value), privacy: .public)") }
        let level: LogLevel = if case .tokenReused = event { .warning } else { .notice }
        logger.log(level, "\(event.name, privacy: .public)")
    }

    /// Sign-ins and refusals by method and outcome.
    var signIns: [Outcome: Int] { counts.withLock { $0.signIns } }

    /// Events by name.
    var events: [String: Int] { counts.withLock { $0.events } }

    /// The text if it has the form of an id. Ids of sessions and receipts also arrive in requests, and may have any
    /// content there.
    private static func id(_ text: String) -> String {
        let isID =
            text.utf8.count <= 64
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
        return isID ? text : "invalid"
    }
}
