// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The scheduler's state of one cue for one person after a review.
public struct ReviewState: Hashable, Sendable {
    /// The phase of learning.
    public enum Phase: Hashable, Sendable {
        /// New; the next step of ``FSRS/learningSteps``.
        case learning(step: Int)
        /// Learnt; reviewed at intervals of days.
        case review
        /// Forgotten after it was learnt; the next step of ``FSRS/relearningSteps``.
        case relearning(step: Int)
    }

    /// The phase.
    public let phase: Phase
    /// The days after which it is still remembered with a probability of 90%.
    public let stability: Double
    /// The difficulty for this person, from 1 to 10.
    public let difficulty: Double
    /// The time of the last review.
    public let lastReview: Date
    /// The time at which the next review is due.
    public let due: Date

    /// A state.
    public init(phase: Phase, stability: Double, difficulty: Double, lastReview: Date, due: Date) {
        self.phase = phase
        self.stability = stability
        self.difficulty = difficulty
        self.lastReview = lastReview
        self.due = due
    }
}

/// The rating of a review.
public enum ReviewRating: Int, Sendable, Hashable, CaseIterable {
    /// Forgotten.
    case again = 1
    /// Remembered with much effort.
    case hard
    /// Remembered.
    case good
    /// Remembered without effort.
    case easy

    /// The rating of a reading by the share of its words that were right, from 0 to 1: from 0.98 easy, 0.85 good, 0.6
    /// hard.
    public init(shareOfWordsRight share: Double) {
        self =
            switch share {
            case 0.98...: .easy
            case 0.85...: .good
            case 0.6...: .hard
            default: .again
            }
    }
}
