// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Chooses the next cue to practise by spaced repetition, of those on this device that match a query.
public struct ChooseNextCue: Sendable {
    private let cues: any CueRepository
    private let results: any PracticeRepository
    private let query: CueQuery
    private let schedule: CueSchedule

    /// A use case.
    ///
    /// - Parameter query: The selection of cues; its limit and order are ignored.
    public init(
        cues: any CueRepository, results: any PracticeRepository, query: CueQuery,
        schedule: CueSchedule = CueSchedule()
    ) {
        self.cues = cues
        self.results = results
        self.query = query
        self.schedule = schedule
    }

    /// Every cue of the query, in the catalogue's order.
    ///
    /// - Throws: ``DomainError`` or `CancellationError`.
    public func candidates() async throws -> [Cue] {
        var (found, cursor): ([Cue], CueCursor?) = ([], nil)
        var query = query
        query.limit = CueQuery.limits.upperBound
        repeat {
            let page = try await cues.page(query, after: cursor)
            found += page.cues
            cursor = page.next
        } while cursor != nil
        return found
    }

    /// The next cue by the reviews so far; nil if there is no cue.
    ///
    /// - Parameters:
    ///   - time: Now.
    ///   - skipped: The cues that were just practised; chosen only if no other cue is left.
    /// - Throws: ``DomainError`` or `CancellationError`.
    public func callAsFunction(at time: Date, skipping skipped: Set<Identifier<Cue>> = []) async throws -> Cue? {
        let reviews = try await results.all(PracticeQuery(limit: PracticeQuery.limits.upperBound))
        let states = Dictionary(grouping: reviews, by: \.cue).compactMapValues { results in
            schedule.state(after: results.map { ($0.practisedAt, $0.rating) })
        }
        return schedule.next(among: try await candidates(), states: states, at: time, skipping: skipped)
    }
}

/// The order in which cues are reviewed. Pure.
public struct CueSchedule: Sendable {
    private let scheduler: FSRS

    /// A schedule; by default FSRS with its published weights.
    public init(scheduler: FSRS = FSRS()) { self.scheduler = scheduler }

    /// The state of a cue after its reviews.
    ///
    /// - Parameter reviews: All reviews of one cue, in any order.
    public func state(after reviews: some Sequence<(time: Date, rating: ReviewRating)>) -> ReviewState? {
        reviews.sorted { $0.time < $1.time }.reduce(nil) { scheduler.review($0, $1.rating, at: $1.time) }
    }

    /// The next cue: of those that are due the one least likely to be remembered, else the first that is new, else the
    /// one that is due first; nil if there is no cue.
    ///
    /// - Parameters:
    ///   - cues: The candidates, in the order in which new ones are introduced.
    ///   - states: The states of the reviewed cues.
    ///   - time: Now.
    ///   - skipped: The cues that were just practised or passed over; chosen only if no other cue is left.
    public func next(
        among cues: [Cue], states: [Identifier<Cue>: ReviewState], at time: Date,
        skipping skipped: Set<Identifier<Cue>> = []
    ) -> Cue? {
        let open = cues.filter { !skipped.contains($0.id) }
        let choice = open.isEmpty ? cues : open
        let reviewed = choice.compactMap { cue in states[cue.id].map { (cue: cue, state: $0) } }
        let due = reviewed.filter { $0.state.due <= time }
            .min { scheduler.retrievability(of: $0.state, at: time) < scheduler.retrievability(of: $1.state, at: time) }
        return due?.cue ?? choice.first { states[$0.id] == nil } ?? reviewed.min { $0.state.due < $1.state.due }?.cue
    }
}

extension PracticeRepository {
    /// The results of a query, page by page.
    ///
    /// - Throws: ``DomainError`` or `CancellationError`.
    public func all(_ query: PracticeQuery, limit: Int = .max) async throws -> [PracticeResult] {
        var results: [PracticeResult] = []
        var cursor: PracticeCursor?
        repeat {
            let page = try await page(query, after: cursor)
            results += page.results
            cursor = page.next
        } while cursor != nil && results.count < limit
        return Array(results.prefix(limit))
    }
}
