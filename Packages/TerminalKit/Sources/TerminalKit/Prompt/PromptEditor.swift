// SPDX-License-Identifier: MIT

/// A text that is being edited, of one line or several, with earlier lines. Pure: keys in, results out.
public struct PromptEditor: Sendable {
    /// The outcome of a key.
    public enum Happening: Equatable, Sendable {
        /// The person has finished the text.
        case line(String)
        /// Ctrl-C. The text is deleted; `wasEmpty` is true if it was empty.
        case interrupt(wasEmpty: Bool)
        /// Ctrl-D on an empty line.
        case end
        /// Ctrl-L.
        case clearScreen
    }

    /// The greatest length of the text in characters; further input is ignored.
    public static let limit = 1_000_000

    /// The characters of the text.
    public private(set) var text: [Character] = []
    /// The index of the character after the cursor.
    public private(set) var cursor = 0
    /// Earlier inputs, oldest first.
    public var history: [String] = []
    /// The number of the shown entry, from the newest on; 0 is the line that is being typed.
    private var place = 0
    private var draft: [Character] = []
    private var cut: [Character] = []

    /// The text.
    public var line: String { String(text) }

    /// Makes an empty text without earlier lines.
    public init() {}

    /// Takes a key.
    public mutating func take(_ key: PromptKey) -> Happening? {
        switch key {
        case .character(let character): insert([character])
        case .paste(let text): insert(Array(text))
        case .lineBreak: insert(["\n"])
        case .enter:
            defer { clear() }
            return .line(line)
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(text.count, cursor + 1)
        case .wordLeft: cursor = wordStart
        case .wordRight: cursor = wordEnd
        case .home: cursor = lineStart
        case .end: cursor = lineEnd
        case .up: if !moveLine(-1) { show(place + 1) }
        case .down: if !moveLine(1) { show(place - 1) }
        case .backspace: remove(max(0, cursor - 1)..<cursor)
        case .delete: remove(cursor..<min(text.count, cursor + 1))
        case .deleteWord: keep(wordStart..<cursor)
        case .deleteToStart: keep(lineStart..<cursor)
        case .deleteToEnd: keep(cursor..<lineEnd)
        case .putBack: insert(cut)
        case .interrupt:
            defer { clear() }
            return .interrupt(wasEmpty: text.isEmpty)
        case .endOfInput:
            if text.isEmpty { return .end }
            remove(cursor..<min(text.count, cursor + 1))
        case .clearScreen: return .clearScreen
        }
        return nil
    }

    private mutating func insert(_ characters: [Character]) {
        guard text.count + characters.count <= Self.limit else { return }
        // Input arrives scalar by scalar, so an accent joins the letter before it.
        if cursor > 0, let first = characters.first, case let joined = "\(text[cursor - 1])\(first)", joined.count == 1
        {
            text.replaceSubrange((cursor - 1)..<cursor, with: joined)
            return insert(Array(characters.dropFirst()))
        }
        text.insert(contentsOf: characters, at: cursor)
        cursor += characters.count
    }

    private mutating func remove(_ range: Range<Int>) {
        text.removeSubrange(range)
        cursor = range.lowerBound
    }

    /// Removes a range that can be put back.
    private mutating func keep(_ range: Range<Int>) {
        if !range.isEmpty { cut = Array(text[range]) }
        remove(range)
    }

    private mutating func clear() {
        (text, cursor, place, draft) = ([], 0, 0, [])
    }

    private mutating func show(_ next: Int) {
        guard next != place, (0...history.count).contains(next) else { return }
        if place == 0 { draft = text }
        place = next
        text = next == 0 ? draft : Array(history[history.count - next])
        cursor = text.count
    }

    private var lineStart: Int { (text[..<cursor].lastIndex(of: "\n") ?? -1) + 1 }
    private var lineEnd: Int { text[cursor...].firstIndex(of: "\n") ?? text.count }

    private var wordStart: Int {
        var index = cursor
        while index > 0, !Self.isWord(text[index - 1]) { index -= 1 }
        while index > 0, Self.isWord(text[index - 1]) { index -= 1 }
        return index
    }

    private var wordEnd: Int {
        var index = cursor
        while index < text.count, !Self.isWord(text[index]) { index += 1 }
        while index < text.count, Self.isWord(text[index]) { index += 1 }
        return index
    }

    private static func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }

    /// Moves to the line above or below in a text of several lines; false on the first or last one.
    private mutating func moveLine(_ direction: Int) -> Bool {
        let column = cursor - lineStart
        if direction < 0 {
            guard lineStart > 0 else { return false }
            cursor = lineStart - 1
            cursor = min(lineStart + column, cursor)
        } else {
            guard lineEnd < text.count else { return false }
            cursor = lineEnd + 1
            cursor = min(lineStart + column, lineEnd)
        }
        return true
    }
}
