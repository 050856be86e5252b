// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A timer or an alarm that is set: a moment at which the machine rings.
public struct Alarm: Sendable, Hashable {
    /// The kind.
    public enum Kind: Sendable, Hashable {
        /// It rings after that time.
        case timer(Duration)
        /// It rings at a time on a clock.
        case alarm
    }

    /// The most characters of a label.
    public static let labelLimit = 60
    /// The time for which a claim holds: longer than anything rings, so that no second process rings meanwhile, and
    /// another one rings again after the first was killed.
    public static let claimLimit: TimeInterval = 90

    /// The id.
    public let id: Identifier<Alarm>
    /// The kind.
    public let kind: Kind
    /// The moment at which it rings, by the system's clock (CLOCK_REALTIME).
    public let due: Date
    /// The person's words for it, on one line; nil for none.
    public let label: String?
    /// The moment at which a process began to ring it; nil if none did.
    public var claimedAt: Date?

    /// Makes an alarm.
    ///
    /// - Parameter label: White space is joined, and what cannot be seen is left out; see ``labelLimit``.
    public init(
        id: Identifier<Alarm> = Identifier(), kind: Kind, due: Date, label: String? = nil, claimedAt: Date? = nil
    ) {
        self.id = id
        self.kind = kind
        self.due = due
        self.label = label.flatMap(Self.line)
        self.claimedAt = claimedAt
    }

    /// True while a process rings it.
    public func isRinging(at now: Date) -> Bool {
        guard let claimedAt else { return false }
        return (0..<Self.claimLimit).contains(now.timeIntervalSince(claimedAt))
    }

    private static func line(_ text: String) -> String? {
        let visible = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                scalar.properties.isWhitespace
            default: true
            }
        }
        let words = String(String.UnicodeScalarView(visible)).split(whereSeparator: \.isWhitespace)
        let line = words.joined(separator: " ").prefix(labelLimit)
        return line.isEmpty ? nil : String(line)
    }
}

/// The alarms of a moment: those that ring now, those that nobody rang in time, and the next one.
public struct DueAlarms: Sendable, Hashable {
    /// The longest delay with which an alarm still rings: the machine slept, or no program ran.
    public static let grace: TimeInterval = 600

    /// The alarms that ring now, the earliest first.
    public let ringing: [Alarm]
    /// The alarms that are too late to ring: a person is told of them once.
    public let missed: [Alarm]
    /// The moment of the next alarm.
    public let next: Date?

    /// Sorts alarms; those that another process rings at `now` are left out.
    public init(_ alarms: [Alarm], at now: Date) {
        let free = alarms.filter { !$0.isRinging(at: now) }.sorted { $0.due < $1.due }
        let due = free.filter { $0.due <= now }
        ringing = due.filter { now.timeIntervalSince($0.due) <= Self.grace }
        missed = due.filter { now.timeIntervalSince($0.due) > Self.grace }
        next = free.first { $0.due > now }?.due
    }
}
