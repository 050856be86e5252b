// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Which cue to practise next, by spaced repetition.
public struct ChooseNextCue: Sendable {
    private let scheduler: FSRS

    /// A use case with a scheduler; FSRS with its published weights by default.
    public init(scheduler: FSRS = FSRS()) { self.scheduler = scheduler }

    /// Where a cue stands after the reviews there were.
    ///
    /// - Parameter reviews: All of one cue, in any order.
    public func state(after reviews: some Sequence<(time: Date, rating: ReviewRating)>) -> ReviewState? {
        reviews.sorted { $0.time < $1.time }.reduce(nil) { scheduler.review($0, $1.rating, at: $1.time) }
    }

    /// The next cue: of those that are due the one least likely to be remembered, else the first that is new, else the one
    /// that is due first; `nil` without any cue.
    ///
    /// - Parameters:
    ///   - cues: The choice, in the order in which new ones are taken up.
    ///   - states: Where those stand that were reviewed.
    ///   - time: Now.
    ///   - skipped: What was just practised or passed over; taken only when nothing else is there.
    public func callAsFunction(
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
