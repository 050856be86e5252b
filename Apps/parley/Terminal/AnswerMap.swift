// SPDX-License-Identifier: MIT

import Domain
import TerminalKit

/// Draws the states of an answer beside its text, for a terminal.
struct AnswerMap: Sendable {
    /// The columns of the text beside a map.
    private static let textColumns = 36
    /// The columns of a map.
    private static let mapColumns = 40...72

    /// The columns of the terminal.
    let columns: Int
    let traits: TerminalTraits

    /// Nil without a terminal with room for a map.
    init?(console: Console) {
        guard !console.isJSON, let columns = console.output.columns else { return nil }
        self.init(columns: columns, traits: console.traits)
    }

    /// Nil if the terminal is narrower than a map.
    init?(columns: Int, traits: TerminalTraits) {
        guard columns >= Self.mapColumns.lowerBound else { return nil }
        (self.columns, self.traits) = (columns, traits)
    }

    /// The text with a map of the state at its right, or, where there is no room for both, below it; the text alone if it
    /// is about no state or about several.
    func beside(_ text: String, _ states: [StateInformation]) -> String {
        guard states.count == 1 else { return text }
        let isWide = columns >= Self.textColumns + Self.mapColumns.lowerBound
        let renderer = BrailleMapRenderer(
            columns: min(Self.mapColumns.upperBound, isWide ? columns - Self.textColumns : columns),
            theme: traits.theme)
        // The state's name is in the answer.
        let drawn = renderer.render(MapPicture(of: states[0])).split(separator: "\n", omittingEmptySubsequences: false)
        let map = Array(drawn.prefix { !$0.isEmpty })
        guard isWide else { return text + "\n" + map.joined(separator: "\n") }
        let lines = WrappedText.lines(text, width: Self.textColumns - 2).split(separator: "\n")
        return (0..<max(lines.count, map.count)).map { row in
            let line = row < lines.count ? String(lines[row]) : ""
            guard row < map.count else { return line }
            let gap = Self.textColumns - WrappedText.columns(of: line)
            return line + String(repeating: " ", count: max(0, gap)) + map[row]
        }.joined(separator: "\n")
    }
}
