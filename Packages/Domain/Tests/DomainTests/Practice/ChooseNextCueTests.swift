// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Testing

@Suite struct ChooseNextCueTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)
    private let choose = ChooseNextCue()

    private func state(stability: Double, dueIn days: Double) -> ReviewState {
        ReviewState(
            phase: .review, stability: stability, difficulty: 5, lastReview: now - 5 * 86_400, due: now + days * 86_400)
    }

    @Test func whatIsDueAndLeastRememberedComesFirst() throws {
        let cues = try CueSamples.cues(4)
        let states = [
            cues[0].id: state(stability: 9, dueIn: -1), cues[1].id: state(stability: 2, dueIn: 0),
            cues[2].id: state(stability: 1, dueIn: 1),
        ]
        #expect(choose(among: cues, states: states, at: now) == cues[1])
        #expect(choose(among: cues, states: states, at: now, skipping: [cues[1].id]) == cues[0])
        #expect(choose(among: cues, states: states, at: now, skipping: [cues[0].id, cues[1].id]) == cues[3])
        #expect(
            choose(among: Array(cues.prefix(3)), states: states, at: now, skipping: [cues[0].id, cues[1].id]) == cues[2]
        )
        #expect(choose(among: [cues[1]], states: states, at: now, skipping: [cues[1].id]) == cues[1])
        #expect(choose(among: [], states: states, at: now) == nil)
    }

    @Test func reviewsMayComeInAnyOrder() {
        let reviews: [(time: Date, rating: ReviewRating)] = [
            (now, .good), (now + 700, .again), (now + 86_400 * 3, .easy),
        ]
        let state = choose.state(after: reviews)
        #expect(state != nil)
        #expect(choose.state(after: reviews.reversed()) == state)
        #expect(choose.state(after: []) == nil)
    }
}
