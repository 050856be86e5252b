// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// One time that somebody practised a cue.
public struct PracticeResult: Identifiable, Hashable, Sendable {
    /// The result's name; storing it again changes nothing.
    public let id: Identifier<PracticeResult>
    /// What was practised.
    public let cue: Identifier<Cue>
    /// Its text as it was then; cues change.
    public let cueText: String
    /// Its language.
    public let language: LanguageTag
    /// The recording that was kept, if one was.
    public let recording: Identifier<Recording>?
    /// When (millisecond resolution once stored).
    public let practisedAt: Date
    /// Which day it was for the person, wherever they were.
    public let day: CalendarDate
    /// How well it went, for the scheduler.
    public let rating: ReviewRating
    /// What this device made of it.
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

/// Which results.
public struct PracticeQuery: Hashable, Sendable {
    /// The most results of one page.
    public static let limits = 1...200

    /// Only of this cue.
    public var cue: Identifier<Cue>?
    /// Only in this language; "pt" includes "pt-BR".
    public var language: LanguageTag?
    /// Only with one of these ratings; all when empty.
    public var ratings: Set<ReviewRating>
    /// Only on this day or later.
    public var since: CalendarDate?
    /// Only on this day or earlier.
    public var until: CalendarDate?
    /// How many of a page, brought into ``limits``.
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

    /// Whether a result is one of these.
    public func matches(_ result: PracticeResult) -> Bool {
        (cue.map { $0 == result.cue } ?? true) && (language.map { $0.matches(result.language) } ?? true)
            && (ratings.isEmpty || ratings.contains(result.rating)) && (since.map { $0 <= result.day } ?? true)
            && (until.map { result.day <= $0 } ?? true)
    }
}
