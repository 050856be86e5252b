// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// The destination of a command's results and of its progress.
///
/// Results go to standard output, as text or as JSON; progress and errors go to standard error. What is shown here cannot
/// drive the terminal: only line feeds, tabs and colours get through, and nothing that changes the direction of the text.
struct Console: Sendable {
    let output: OutputStream
    let errors: OutputStream
    /// True if results are JSON: one object, or one event a line.
    let isJSON: Bool
    /// The abilities of the terminal.
    let traits: TerminalTraits

    /// Writes one result for a person; nothing in JSON mode.
    func show(_ text: String) throws {
        guard !isJSON else { return }
        try output.write(
            WrappedText.lines(text, width: output.columns).drawable(withColors: traits.hasColors) + "\n")
    }

    /// Writes one JSON object on a line of its own; nothing in text mode.
    func emit(_ value: some Encodable) throws {
        guard isJSON else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try write(json: String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Writes a JSON text on a line of its own, in either mode. Outside of strings JSON is ASCII, so any character that
    /// could drive a terminal is inside of a string, and is escaped there (RFC 8259 §7).
    func write(json: String) throws {
        guard json.unicodeScalars.contains(where: { $0.isControl || $0.changesDirection }) else {
            return try output.write(json + "\n")
        }
        let escaped = json.unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isControl || scalar.changesDirection {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        try output.write(escaped + "\n")
    }

    /// Shows progress; lost if standard error is closed, since nothing depends on it.
    func progress(_ text: String) {
        try? errors.write(
            WrappedText.lines(text, width: errors.columns).drawable(withColors: traits.hasColors) + "\n")
    }

    /// Shows a problem beside the result, which stays valid.
    func warn(_ text: String) {
        progress("\(styled("parley:", .yellow)) \(text.printable)")
    }

    /// Shows an error: on standard error for a person, as an object on standard output in JSON mode.
    func report(_ error: any Error) {
        guard let report = ErrorReport(error) else { return }
        if isJSON {
            try? emit(ErrorOutput(error: report))
        } else {
            progress("\(styled("parley:", .red)) \(report.message)")
        }
    }

    /// The text in a colour if colours are allowed.
    func styled(_ text: String, _ style: Style) -> String {
        traits.hasColors ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Select Graphic Rendition parameters (ECMA-48 §8.3.117).
    enum Style: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }
}

/// One line at the bottom of a terminal that is overwritten repeatedly; nothing without a terminal.
struct StatusLine: Sendable {
    private let console: Console
    /// True if there is a terminal to show it.
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

    /// Removes the line.
    func clear() {
        guard isShown else { return }
        try? console.errors.write("\r\u{1B}[K")
    }
}

/// The abilities of a terminal beyond plain ASCII.
struct TerminalTraits: Sendable, Equatable {
    /// Colours: on a terminal that is not dumb, unless `NO_COLOR` is set (no-color.org).
    let hasColors: Bool
    /// Unicode: when the locale is UTF-8 (POSIX: the first of `LC_ALL`, `LC_CTYPE`, `LANG` that is not empty).
    let hasUnicode: Bool

    /// Reads the environment.
    init(environment: [String: String], isTerminal: Bool) {
        hasColors = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        hasUnicode = ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
    }
}
