// SPDX-License-Identifier: MIT

/// A name found in a question.
struct NameMention: Equatable {
    /// The words that it covers.
    let range: Range<Int>
    /// What it stands for.
    let meaning: NameMeaning
    /// How many edits it is away from the name.
    let distance: Int
    /// True if it was an abbreviation that is also a word.
    var isAmbiguous = false
    /// The name that was understood.
    let key: String
}
