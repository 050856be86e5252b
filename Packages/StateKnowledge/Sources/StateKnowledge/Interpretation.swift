// SPDX-License-Identifier: MIT

/// What a question was understood to ask, and the answer to it.
struct Interpretation {
    /// The kind of question, for explanations.
    let intent: String
    /// The answer, sentence by sentence.
    let sentences: [String]
    /// The states that it is about, as rows; those asked for first.
    let rows: [Int]
    /// How plainly the question says what it asks, from 0 to 1.
    let plainness: Double
    /// Words that the kind of question accounts for, besides those of topics and names.
    var explained: Set<Int> = []
    /// Names that play no part in it.
    var unusedNames: [Range<Int>] = []
    /// True if reasons for asking may stand beside it.
    var allowsContext = true
    /// True if only a state is named and nothing is asked about it.
    var isBareName = false
    /// Why there is no answer although the question was understood.
    var missing: String?
}
