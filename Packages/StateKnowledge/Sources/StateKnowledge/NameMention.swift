// SPDX-License-Identifier: MIT

/// A name found in a question.
struct NameMention: Equatable {
    /// The words of the name.
    let range: Range<Int>
    /// The meaning of the name.
    let meaning: NameMeaning
    /// The number of edits between the question's words and the name.
    let distance: Int
    /// True if it was an abbreviation that is also a word.
    var isAmbiguous = false
    /// The name in its known spelling.
    let key: String
}
