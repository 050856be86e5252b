// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Testing

@Suite struct ChooseNextCueTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)
    private let schedule = CueSchedule()

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
        #expect(schedule.next(among: cues, states: states, at: now) == cues[1])
        #expect(schedule.next(among: cues, states: states, at: now, skipping: [cues[1].id]) == cues[0])
        #expect(schedule.next(among: cues, states: states, at: now, skipping: [cues[0].id, cues[1].id]) == cues[3])
        #expect(
            schedule.next(among: Array(cues.prefix(3)), states: states, at: now, skipping: [cues[0].id, cues[1].id])
                == cues[2]
        )
        #expect(schedule.next(among: [cues[1]], states: states, at: now, skipping: [cues[1].id]) == cues[1])
        #expect(schedule.next(among: [], states: states, at: now) == nil)
    }

    @Test func reviewsMayComeInAnyOrder() {
        let reviews: [(time: Date, rating: ReviewRating)] = [
            (now, .good), (now + 700, .again), (now + 86_400 * 3, .easy),
        ]
        let state = schedule.state(after: reviews)
        #expect(state != nil)
        #expect(schedule.state(after: reviews.reversed()) == state)
        #expect(schedule.state(after: []) == nil)
    }

    @Test func `a review moves a cue behind the new ones`() async throws {
        let stored = try CueSamples.cues(3).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        let results = InMemoryPracticeRepository()
        let choose = ChooseNextCue(cues: InMemoryCueStore(stored), results: results, query: CueQuery(limit: 1))
        #expect(try await choose.candidates() == stored)
        let first = try #require(try await choose(at: now))
        #expect(first == stored[0])
        try await results.store([PracticeSamples.result(at: now.timeIntervalSince1970, cue: first.id)])
        #expect(try await choose(at: now) == stored[1])
        #expect(try await choose(at: now, skipping: [stored[1].id]) == stored[2])
        #expect(try await choose(at: now + 400 * 86_400) == first)
        let other = ChooseNextCue(
            cues: InMemoryCueStore(stored), results: results, query: CueQuery(topic: "no such topic"))
        #expect(try await other(at: now) == nil)
    }
}
