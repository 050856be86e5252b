// SPDX-License-Identifier: MIT

import Concurrency
import TerminalKit

/// One line at the bottom of a terminal that is overwritten repeatedly; nothing without a terminal.
///
/// A terminal that cannot redraw (``TerminalTraits/canRedraw``) gets only the texts that a person must read, a line for each.
final class StatusLine: Sendable {
    private let console: Console
    private let isPerson: Bool
    private let announced = Guarded("")

    /// True if there is a terminal to show it.
    let isShown: Bool

    /// A line on standard error.
    init(console: Console) {
        self.console = console
        isPerson = !console.isJSON && console.errors.isTerminal
        isShown = isPerson && console.traits.canRedraw
    }

    /// The text as it fits on one line of a terminal that is so wide, with an ellipsis in place of what does not.
    static func fitted(_ text: String, width: Int, glyphs: Glyphs) -> String {
        let text = text.printable
        return text.columns < width ? text : text.fitted(to: width - 1, glyphs: glyphs)
    }

    /// The columns that are left behind a text.
    func room(behind text: String) -> Int { (console.errors.columns ?? 80) - 1 - text.columns }

    /// Shows a text in place of the last one, cut to the terminal's width.
    ///
    /// - Parameter spoken: The line to write where nothing is written anew, unless it was the last one; nil for none.
    func show(_ text: String, spoken: String? = nil) {
        guard isShown else { return announce(spoken) }
        let columns = console.errors.columns ?? 80
        let shown = Self.fitted(text, width: columns, glyphs: console.traits.glyphs)
        try? console.errors.write(ControlSequence.replacingLine(with: shown, columns: columns))
    }

    /// Shows a text that a person must read, wherever there is a terminal.
    func announce(_ text: String) { show(text, spoken: text) }

    private func announce(_ text: String?) {
        guard isPerson, let text else { return }
        let isNew = announced.withLock { last in
            defer { last = text }
            return last != text
        }
        if isNew { console.progress(verbatim: text.printable) }
    }

    /// Removes the line.
    func clear() {
        guard isShown else { return }
        try? console.errors.write(ControlSequence.clearLine)
    }
}
