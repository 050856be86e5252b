// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// Where a command's results and its progress go.
///
/// Results go to standard output, as text or as JSON; progress and errors go to standard error. Text from outside is
/// shown without control characters, so that it cannot drive the terminal.
struct Console: Sendable {
    let output: OutputStream
    let errors: OutputStream
    /// Whether results are JSON: one object, or one event a line.
    let isJSON: Bool
    /// What the terminal can show.
    let traits: TerminalTraits

    /// Writes one result for a person; nothing in JSON mode.
    func show(_ text: String) throws {
        if !isJSON { try output.write(WrappedText.lines(text, width: output.columns) + "\n") }
    }

    /// Writes one JSON object on a line of its own; nothing in text mode.
    func emit(_ value: some Encodable) throws {
        guard isJSON else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try output.write(String(decoding: try encoder.encode(value), as: UTF8.self) + "\n")
    }

    /// Says what is going on; lost when standard error is closed, since nothing depends on it.
    func progress(_ text: String) {
        try? errors.write(WrappedText.lines(text, width: errors.columns) + "\n")
    }

    /// Says that something went wrong beside the result, which stays as it is.
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

    /// The text in a colour where colours are allowed.
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

extension String {
    /// The text without C0 and C1 control characters, fit for a terminal.
    var printable: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
