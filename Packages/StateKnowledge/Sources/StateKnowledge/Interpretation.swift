// SPDX-License-Identifier: MIT

/// The interpretation of a question, and the answer to it.
struct Interpretation {
    /// The kind of question, for explanations.
    let intent: String
    /// The answer, sentence by sentence.
    let sentences: [String]
    /// The states that it is about, as rows; those in the question first.
    let rows: [Int]
    /// The plainness of the wording, from 0 to 1.
    let plainness: Double
    /// Words that the kind of question accounts for, besides those of topics and names.
    var explained: Set<Int> = []
    /// Names that play no part in it.
    var unusedNames: [Range<Int>] = []
    /// True if the question may contain reasons for asking.
    var allowsContext = true
    /// True if the question only names a state.
    var isBareName = false
    /// The reason why a question that was understood has no answer.
    var missing: String?
}
