// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import FoundationEssentials
import Localization
import TerminalKit

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
    private(set) var traits: TerminalTraits
    /// The person's language.
    private(set) var personalTranslator = Translator.english
    /// The language of what is shown. JSON is English; only its errors have the person's language beside it.
    var translator: Translator { isJSON ? .english : personalTranslator }

    /// The same destination in another theme.
    func themed(_ name: Theme.Name) -> Console {
        var console = self
        console.traits = traits.themed(name)
        return console
    }

    /// The same destination in another language.
    func translated(by translator: Translator) -> Console {
        var console = self
        console.personalTranslator = translator
        return console
    }

    /// True if the person's language is not English.
    var isTranslated: Bool { translator.language.code != Language.english.code }

    /// The sentence in the person's language, without what could drive the terminal.
    func text(_ sentence: Sentence) -> String { translator(sentence) }

    /// Writes one result for a person; nothing in JSON mode.
    func show(_ text: String) throws {
        guard !isJSON else { return }
        try output.write(
            WrappedText.lines(text, width: output.columns).drawable(withColors: traits.hasColors) + "\n")
    }

    /// Writes one result that is a sentence, in the person's language; nothing in JSON mode.
    func tell(_ sentence: Sentence) throws { try show(text(sentence)) }

    /// Writes one JSON object on a line of its own; nothing in text mode.
    func emit(_ value: some Encodable) throws {
        guard isJSON else { return }
        try write(json: String(decoding: try JSONEncoder(for: personalTranslator).encode(value), as: UTF8.self))
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
    func progress(_ sentence: Sentence, _ role: ColorRole? = nil) {
        let text = text(sentence)
        progress(verbatim: role.map { styled(text, $0) } ?? text)
    }

    /// Shows progress that needs no translation, or has it.
    func progress(verbatim text: String) {
        try? errors.write(
            WrappedText.lines(text, width: errors.columns).drawable(withColors: traits.hasColors) + "\n")
    }

    /// Shows a problem beside the result, which stays valid.
    func warn(_ sentence: Sentence) {
        progress(verbatim: "\(styled("parley:", .warning)) \(text(sentence))")
    }

    /// Shows an error: on standard error for a person, as an object on standard output in JSON mode.
    func report(_ error: any Error) {
        guard let report = ErrorReport(error) else { return }
        if isJSON {
            try? emit(ErrorOutput(error: report))
        } else {
            progress(verbatim: "\(styled("parley:", .failure)) \(report.text(by: translator))")
        }
    }

    /// The text in the look of a role, if the terminal has any.
    func styled(_ text: String, _ role: ColorRole) -> String {
        traits.theme.styled(text, role)
    }
}
