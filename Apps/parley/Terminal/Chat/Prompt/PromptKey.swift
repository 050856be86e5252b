// SPDX-License-Identifier: MIT

/// What a person presses while editing a line.
enum PromptKey: Equatable, Sendable {
    case character(Character)
    /// A pasted text, its line breaks as line feeds.
    case paste(String)
    case enter
    /// A line break within the text: Alt-Enter.
    case lineBreak
    case left, right, up, down, home, end, wordLeft, wordRight
    case backspace, delete, deleteWord, deleteToStart, deleteToEnd, putBack
    /// Ctrl-C.
    case interrupt
    /// Ctrl-D.
    case endOfInput
    /// Ctrl-L.
    case clearScreen
}
