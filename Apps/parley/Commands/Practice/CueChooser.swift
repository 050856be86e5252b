// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// What to practise next, of what is stored here.
struct CueChooser: Sendable {
    private let practice: Practice
    private let query: CueQuery
    private let choose: ChooseNextCue

    init(practice: Practice, query: CueQuery, flags: FlagResolver) {
        self.practice = practice
        self.query = query
        choose = ChooseNextCue(scheduler: FSRS(retention: flags.value(Flags.wantedRetention, at: Date())))
    }

    /// Every cue of the query.
    func all() async throws -> [Cue] {
        var (cues, cursor): ([Cue], CueCursor?) = ([], nil)
        var query = query
        query.limit = CueQuery.limits.upperBound
        repeat {
            let page = try await practice.storage.cues.page(query, after: cursor)
            cues += page.cues
            cursor = page.next
        } while cursor != nil
        return cues
    }

    /// The next one by the reviews there were; `nil` without any cue.
    func next(skipping practised: Set<Identifier<Cue>>) async throws -> Cue? {
        let reviews = try await practice.storage.results.all(PracticeQuery(limit: PracticeQuery.limits.upperBound))
        let states = Dictionary(grouping: reviews, by: \.cue).compactMapValues { results in
            choose.state(after: results.map { ($0.practisedAt, $0.rating) })
        }
        return choose(among: try await all(), states: states, at: Date(), skipping: practised)
    }
}
