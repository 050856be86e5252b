// SPDX-License-Identifier: MIT

/// A word of a text, or one that was said besides.
public struct JudgedWord: Codable, Hashable, Sendable {
    /// What became of it.
    public enum Verdict: String, Codable, Sendable, CaseIterable {
        /// Said as it stands there.
        case right
        /// In the text, and not said; another word may have been said in its place, which follows as `inserted`.
        case missed
        /// Said, and not in the text.
        case inserted
        /// In the text, and without a pronunciation, so that nobody can tell.
        case unjudged
    }

    /// What became of it.
    public let verdict: Verdict
    /// The word in lower case as it is spoken ("twenty" for the 20 of the text), for an inserted one as it was heard; nil for
    /// an inserted one that is no word that the recogniser knows.
    public let text: String?
    /// Where the text has what the word is made from: UTF-8 offsets. Several words may share a place ("21"); nil for an
    /// inserted word.
    public let source: Range<Int>?
    /// When it begins, in seconds from the start of the recording; nil when it was not heard.
    public let start: Double?
    /// When it ends, in seconds from the start of the recording; nil when it was not heard.
    public let end: Double?
}
