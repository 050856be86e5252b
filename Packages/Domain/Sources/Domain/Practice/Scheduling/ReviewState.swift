// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// What the scheduler knows of one cue and one person after a review.
public struct ReviewState: Hashable, Sendable {
    /// How far the cue is in being learnt.
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
    /// How hard it is for this person, from 1 to 10.
    public let difficulty: Double
    /// When it was reviewed last.
    public let lastReview: Date
    /// When it should be reviewed again.
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
