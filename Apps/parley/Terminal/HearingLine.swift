// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import TerminalKit

/// The line at the bottom of a terminal while a question is heard: the level of the input and the words so far.
final class HearingLine: Sendable {
    private let status: StatusLine
    private let glyphs: Glyphs
    private let words = Guarded("")

    init(console: Console) {
        status = StatusLine(console: console)
        glyphs = console.traits.glyphs
    }

    /// Shows an event of a question that is heard; any other one clears the line.
    func show(_ event: TurnEvent) {
        switch event {
        case .level(let level):
            let bar = LevelBar.bar(level, glyphs: glyphs)
            status.show("\(bar) \(words.withLock { $0 })")
        case .draft(let text): words.withLock { $0 = text }
        case .reached: break
        case .transcript, .answering, .answer, .refused: clear()
        }
    }

    /// Removes the line.
    func clear() { status.clear() }
}
