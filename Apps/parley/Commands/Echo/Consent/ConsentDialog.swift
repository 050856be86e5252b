// SPDX-License-Identifier: MIT

import Domain
import Localization
import TerminalKit

/// The conversation in which a person reads everything that a tool would do, page by page, and answers with a whole
/// word. Pure: lines in, texts and the answer out. Only "yes" and a confirmed "always" allow anything, and only when
/// every page was shown.
struct ConsentDialog: Sendable {
    /// The next output.
    struct Turn: Equatable, Sendable {
        /// Lines that fit the terminal's width.
        let lines: [String]
        /// The prompt before the answer.
        let prompt: String
        /// The line to keep as the beginning of the next input, because it is no answer; nil otherwise.
        var kept: String?
    }

    /// The result of a line.
    enum Outcome: Equatable, Sendable {
        case turn(Turn)
        case answer(ConsentAnswer)
    }

    static let question: Sentence = "Allow it? Type yes, no or always, then press Enter: "
    private static let confirmation: Sentence =
        "Allow it from now on without asking? Type always again, yes for this once, or no, then press Enter: "

    private let pages: [[String]]
    private let translator: Translator
    private var shown = 0
    private var isConfirming = false

    /// - Parameters:
    ///   - columns: The terminal's width.
    ///   - rows: The terminal's height.
    init(_ request: ConsentRequest, columns: Int, rows: Int, translator: Translator = .english) {
        self.translator = translator
        let width = max(20, columns - 1)
        let lines = request.lines(by: translator).flatMap { Self.wrapped($0, width: width) }
        // Two rows for the prompt.
        let height = max(3, rows - 2)
        pages = stride(from: 0, to: lines.count, by: height).map { Array(lines[$0..<min($0 + height, lines.count)]) }
    }

    /// Returns the first page.
    mutating func begin() -> Turn { page() }

    /// Takes a line.
    mutating func take(_ line: String) -> Outcome {
        let word = line.trimmingWhitespace.lowercased()
        let hasMore = shown < pages.count
        switch word {
        case "no": return .answer(.no)
        case "" where hasMore: return .turn(page())
        case "all" where hasMore: return .turn(rest())
        case "yes" where !hasMore: return .answer(.yes)
        case "always" where !hasMore:
            if isConfirming { return .answer(.always) }
            isConfirming = true
            return .turn(Turn(lines: [], prompt: prompt))
        default: break
        }
        isConfirming = false
        var lines: [String] = []
        if hasMore, ["yes", "always"].contains(word) {
            lines = [translator("Not all of it was shown yet." as Sentence)]
        } else if !word.isEmpty {
            lines = [translator("\"\(String(line.revealed.prefix(40)))\" is not an answer." as Sentence)]
        }
        // Several words are no answer, but the beginning of another input.
        let isText = line.trimmingWhitespace.contains(where: \.isWhitespace)
        return .turn(Turn(lines: lines, prompt: prompt, kept: isText ? line : nil))
    }

    private var prompt: String {
        if shown < pages.count {
            let sentence: Sentence =
                "Page \(shown) of \(pages.count). Enter shows the next, all the rest, no refuses: "
            return translator(sentence)
        }
        return translator(isConfirming ? Self.confirmation : Self.question)
    }

    private mutating func page() -> Turn {
        shown += 1
        return Turn(lines: pages[shown - 1], prompt: prompt)
    }

    private mutating func rest() -> Turn {
        defer { shown = pages.count }
        return Turn(lines: Array(pages[shown...].joined()), prompt: translator(Self.question))
    }

    /// Cuts the line where the terminal would cut it, so that rows can be counted.
    private static func wrapped(_ line: String, width: Int) -> [String] {
        var rows = [""]
        var column = 0
        for character in line {
            let columns = String(character).columns
            if column + columns > width {
                rows.append("")
                column = 0
            }
            rows[rows.count - 1].append(character)
            column += columns
        }
        return rows
    }
}
