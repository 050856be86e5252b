// SPDX-License-Identifier: MIT

/// A text that is being edited on a terminal where nothing is written anew: for a person to whom a program reads the
/// screen, and for a terminal without escape sequences.
///
/// Typed characters are added to the line and deleted ones are taken back; for any other change the whole text is written
/// on a new line. No escape sequence is written.
public struct StaticPrompt: Sendable {
    private let width: Int
    private var prompt: String
    private var text: [Character]
    private var cursor: Int

    /// Makes a prompt for an empty line of the terminal; ``start`` shows it.
    ///
    /// - Parameters:
    ///   - prompt: The text before the line that is edited.
    ///   - cursor: The index of the character after the cursor.
    ///   - width: The columns of the terminal.
    public init(prompt: String, text: [Character] = [], cursor: Int = 0, width: Int) {
        (self.prompt, self.text, self.width) = (prompt, text, max(4, width))
        self.cursor = min(max(0, cursor), text.count)
    }

    /// The bytes that show it, with nothing before it on its line.
    public var start: String { shown(prompt) + rest(text, from: 0) + back(text[cursor...]) }

    /// Takes another text; returns the bytes that show the difference.
    public mutating func show(prompt: String, text new: [Character], cursor place: Int) -> String {
        let (old, was) = (text, cursor)
        let isOther = prompt != self.prompt
        (self.prompt, text, cursor) = (prompt, new, min(max(0, place), new.count))
        guard !isOther, !isBroken(old), !isBroken(new) || new.starts(with: old) else { return "\r\n" + start }
        if old == new, cursor <= was { return back(old[cursor..<was]) }
        if old == new { return rest(new, from: was) + back(new[cursor...]) }
        if new.starts(with: old), was == old.count, cursor == new.count { return rest(new, from: old.count) }
        if old.starts(with: new), was == old.count, cursor == new.count {
            let columns = String(old[new.count...]).columns
            let steps = String(repeating: "\u{8}", count: columns)
            return steps + String(repeating: " ", count: columns) + steps
        }
        return "\r\n" + start
    }

    /// True if the text takes more than one line, so that no step back reaches its beginning.
    private func isBroken(_ text: [Character]) -> Bool {
        text.contains("\n") || prompt.columns + String(text).columns >= width
    }

    private func rest(_ text: [Character], from index: Int) -> String {
        shown(String(text[index...])).replacing("\n", with: "\r\n")
    }

    private func back(_ passed: ArraySlice<Character>) -> String {
        isBroken(text) ? "" : String(repeating: "\u{8}", count: shown(String(passed)).columns)
    }

    private func shown(_ text: String) -> String { ForeignText.shown(text).replacing("\t", with: " ") }
}
