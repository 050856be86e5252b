// SPDX-License-Identifier: MIT

import Domain
import TerminalKit

extension Sequence<Sentence> {
    /// The parts of a list, as one sentence.
    var listed: Sentence {
        reduce(nil as Sentence?) { text, next in text.map { "\($0), \(next)" } ?? next } ?? ""
    }

    /// The sentences one after another, as one.
    var joined: Sentence {
        reduce(nil as Sentence?) { text, next in text.map { "\($0) \(next)" } ?? next } ?? ""
    }
}

extension String {
    /// The text with spaces behind it, up to a number of columns.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }

    /// The text without whitespace and line ends at both ends.
    var trimmingWhitespace: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
