// SPDX-License-Identifier: MIT

import Domain
import Foundation
import Testing

@Suite struct FSRSTests {
    private let start = Date(timeIntervalSince1970: 1_704_096_000)

    @Test func agreesWithThePublishedImplementation() throws {
        for (number, card) in FSRSTable.cards.enumerated() {
            var state: ReviewState?
            var time = start
            for row in card {
                time += row.wait
                let next = FSRS().review(state, try #require(ReviewRating(rawValue: row.rating)), at: time)
                #expect(abs(next.stability - row.stability) < 2e-6, "card \(number)")
                #expect(abs(next.difficulty - row.difficulty) < 2e-6, "card \(number)")
                #expect(next.due.timeIntervalSince(time) == row.interval, "card \(number)")
                #expect("\(next.phase)".hasPrefix(row.phase), "card \(number)")
                state = next
            }
        }
    }

    /// The example in the published implementation's own tests.
    @Test func publishedExample() throws {
        let ratings = [3, 3, 3, 3, 3, 3, 1, 1, 3, 3, 3, 3, 3]
        var state: ReviewState?
        var time = start
        var days: [Int] = []
        for rating in ratings {
            let next = FSRS().review(state, try #require(ReviewRating(rawValue: rating)), at: time)
            days.append(Int(next.due.timeIntervalSince(time) / 86_400))
            time = next.due
            state = next
        }
        #expect(days == [0, 2, 11, 46, 163, 498, 0, 0, 2, 4, 7, 12, 21])
    }

    @Test func publishedMemoryState() throws {
        var state: ReviewState?
        var time = start
        for (rating, days) in zip([1, 3, 3, 3, 3, 3], [0, 0, 1, 3, 8, 21]) {
            time += Double(days) * 86_400
            state = FSRS().review(state, try #require(ReviewRating(rawValue: rating)), at: time)
        }
        #expect(abs(try #require(state).stability - 53.62691) < 1e-4)
        #expect(abs(try #require(state).difficulty - 6.3574867) < 1e-4)
    }

    @Test func retrievabilityFallsFromOneToTheWantedOneAtTheStability() {
        let state = ReviewState(phase: .review, stability: 20, difficulty: 5, lastReview: start, due: start)
        #expect(FSRS().retrievability(of: state, at: start) == 1)
        #expect(abs(FSRS().retrievability(of: state, at: start + 20 * 86_400) - 0.9) < 1e-12)
        #expect(FSRS().retrievability(of: state, at: start - 86_400) == 1)
    }

    @Test func aHigherRetentionComesBackSoonerAndExtremesAreBroughtIn() {
        let state = ReviewState(phase: .review, stability: 50, difficulty: 5, lastReview: start, due: start)
        let dues = [0.7, 0.9, 0.99].map { FSRS(retention: $0).review(state, .good, at: start + 50 * 86_400).due }
        #expect(dues[0] > dues[1] && dues[1] > dues[2])
        #expect(FSRS(retention: 5).retention == 0.99)
        #expect(FSRS(retention: -1).retention == 0.7)
        let old = ReviewState(phase: .review, stability: 1e9, difficulty: 1, lastReview: start, due: start)
        #expect(FSRS().review(old, .easy, at: start).due == start + 36_500 * 86_400)
    }

    @Test func accuracyBecomesARating() {
        #expect(
            [0, 0.59, 0.6, 0.85, 0.979, 0.98, 1].map { ReviewRating(shareOfWordsRight: $0) }
                == [.again, .again, .hard, .good, .good, .easy, .easy])
    }
}
