// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A question that the person usually asks at this time.
public struct Suggestion: Sendable, Hashable, Codable {
    /// The id: equal for equal questions.
    public let id: String
    /// The words, as they were last said or typed.
    public let question: String

    /// A suggestion.
    public init(id: String, question: String) { (self.id, self.question) = (id, question) }
}

/// The person's choice about suggestions.
public struct SuggestionSettings: Sendable, Hashable, Codable {
    /// The permitted values of ``limit``.
    public static let limits = 1...20

    /// True if there are suggestions at all; false at first.
    public var isOn = false
    /// The most suggestions a day.
    public var limit = 3
    /// The beginning of the quiet hours, in minutes since midnight.
    public var quietFrom = 22 * 60
    /// The end of the quiet hours, in minutes since midnight; ``quietFrom`` for suggestions at any time.
    public var quietUntil = 7 * 60

    /// The choice before there was any.
    public init() {}

    /// True at a minute of the day that is quiet.
    public func isQuiet(at minute: Int) -> Bool {
        quietFrom <= quietUntil
            ? (quietFrom..<quietUntil).contains(minute) : minute >= quietFrom || minute < quietUntil
    }
}

/// The choice about suggestions, and what became of them.
public struct SuggestionState: Sendable, Hashable {
    /// A suggestion that was shown.
    public struct Shown: Sendable, Hashable, Codable {
        /// The suggestion.
        public let suggestion: Suggestion
        /// The time at which it was shown.
        public let shownAt: Date

        /// A suggestion that was shown.
        public init(_ suggestion: Suggestion, at shownAt: Date) {
            (self.suggestion, self.shownAt) = (suggestion, shownAt)
        }
    }

    /// The choice.
    public var settings: SuggestionSettings
    /// The shown ones of the last days, in any order.
    public var shown: [Shown]
    /// The ids of those that are never shown again.
    public var dismissed: Set<String>

    /// A state; by default the one before any choice.
    public init(settings: SuggestionSettings = .init(), shown: [Shown] = [], dismissed: Set<String> = []) {
        (self.settings, self.shown, self.dismissed) = (settings, shown, dismissed)
    }

    /// The last one that was shown within an hour and not dismissed since; nil for none.
    public func current(at now: Date) -> Shown? {
        shown.filter { shown in
            let age = now.timeIntervalSince(shown.shownAt)
            return age >= 0 && age < 3_600 && !dismissed.contains(shown.suggestion.id)
        }.max { $0.shownAt < $1.shownAt }
    }
}
