// SPDX-License-Identifier: MIT

/// How well something was remembered, or said.
public enum ReviewRating: Int, Sendable, Hashable, CaseIterable {
    /// Forgotten.
    case again = 1
    /// Remembered with much effort.
    case hard
    /// Remembered.
    case good
    /// Remembered without effort.
    case easy

    /// The rating of a reading by the share of its words that were right, from 0 to 1: from 0.98 easy, 0.85 good, 0.6 hard.
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
