// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// One reading of a cue.
public struct PracticeResult: Identifiable, Hashable, Sendable {
    /// The result's id; storing it again changes nothing.
    public let id: Identifier<PracticeResult>
    /// The cue that was practised.
    public let cue: Identifier<Cue>
    /// The cue's text at that time; cues change.
    public let cueText: String
    /// The cue's language.
    public let language: LanguageTag
    /// The recording, if it was kept.
    public let recording: Identifier<Recording>?
    /// The time of the practice (millisecond resolution once stored).
    public let practisedAt: Date
    /// The person's calendar day, in their time zone of that time.
    public let day: CalendarDate
    /// The rating, for the scheduler.
    public let rating: ReviewRating
    /// This device's evaluation.
    public let evaluation: Evaluation?

    /// A result.
    public init(
        id: Identifier<PracticeResult> = .init(), cue: Identifier<Cue>, cueText: String, language: LanguageTag,
        recording: Identifier<Recording>? = nil, practisedAt: Date, day: CalendarDate, rating: ReviewRating,
        evaluation: Evaluation? = nil
    ) {
        self.id = id
        self.cue = cue
        self.cueText = cueText
        self.language = language
        self.recording = recording
        self.practisedAt = practisedAt
        self.day = day
        self.rating = rating
        self.evaluation = evaluation
    }
}

/// A selection of results.
public struct PracticeQuery: Hashable, Sendable {
    /// The most results of one page.
    public static let limits = 1...200

    /// Only results of this cue; all when `nil`.
    public var cue: Identifier<Cue>?
    /// Only results in this language; "pt" includes "pt-BR".
    public var language: LanguageTag?
    /// Only results with one of these ratings; all when empty.
    public var ratings: Set<ReviewRating>
    /// Only results on this day or later.
    public var since: CalendarDate?
    /// Only results on this day or earlier.
    public var until: CalendarDate?
    /// The most results of a page, clamped to ``limits``.
    public var limit: Int { didSet { limit = min(max(limit, Self.limits.lowerBound), Self.limits.upperBound) } }

    /// A query; without arguments the newest 50 results.
    public init(
        cue: Identifier<Cue>? = nil, language: LanguageTag? = nil, ratings: Set<ReviewRating> = [],
        since: CalendarDate? = nil, until: CalendarDate? = nil, limit: Int = 50
    ) {
        self.cue = cue
        self.language = language
        self.ratings = ratings
        self.since = since
        self.until = until
        self.limit = min(max(limit, Self.limits.lowerBound), Self.limits.upperBound)
    }

    /// True if a result is in the selection.
    public func matches(_ result: PracticeResult) -> Bool {
        (cue.map { $0 == result.cue } ?? true) && (language.map { $0.matches(result.language) } ?? true)
            && (ratings.isEmpty || ratings.contains(result.rating)) && (since.map { $0 <= result.day } ?? true)
            && (until.map { result.day <= $0 } ?? true)
    }
}
