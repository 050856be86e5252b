// SPDX-License-Identifier: MIT

/// One line at the bottom of a terminal that is written over and over; nothing where there is no terminal.
struct StatusLine: Sendable {
    private let console: Console
    /// Whether there is a terminal to show it.
    let isShown: Bool

    /// A line on standard error.
    init(console: Console) {
        self.console = console
        isShown = !console.isJSON && console.errors.isTerminal
    }

    /// Shows a text in place of the last one, cut to the terminal's width.
    func show(_ text: String) {
        guard isShown else { return }
        let width = (console.errors.columns ?? 80) - 1
        try? console.errors.write("\r\(text.printable.prefix(width))\u{1B}[K")
    }

    /// Takes the line away.
    func clear() {
        guard isShown else { return }
        try? console.errors.write("\r\u{1B}[K")
    }
}
