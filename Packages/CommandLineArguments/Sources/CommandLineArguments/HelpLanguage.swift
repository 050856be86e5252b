// SPDX-License-Identifier: MIT

/// The language of help: the table's texts are English, and are the keys of their translations.
public struct HelpLanguage: Sendable {
    /// The text in the language; the text itself without a translation.
    let translate: @Sendable (String) -> String
    private let columns: @Sendable (String) -> Int

    /// The texts as the table has them.
    public static let english = HelpLanguage { $0 }

    /// - Parameters:
    ///   - columns: The width of a text on a terminal.
    ///   - translate: The translation of a whole text of the table, or of one of the few words around them; the text itself if
    ///     there is none.
    public init(
        columns: @escaping @Sendable (String) -> Int = { $0.count }, translate: @escaping @Sendable (String) -> String
    ) {
        (self.columns, self.translate) = (columns, translate)
    }

    /// A word before a list.
    func heading(_ word: String) -> String { translate("{heading}:").replacing("{heading}", with: translate(word)) }

    /// A summary, which has no full stop in a list, as a sentence.
    func sentence(_ summary: String) -> String {
        translate("{sentence}.").replacing("{sentence}", with: translate(summary))
    }

    func more(_ command: String) -> String {
        translate("{command} says more about one of them.").replacing("{command}", with: command)
    }

    /// Rows of a name and a text, the texts below each other.
    func table(_ rows: [(String, String)]) -> String {
        let width = rows.map { columns($0.0) }.max() ?? 0
        return rows.map { "  \(padded($0.0, to: width))  \(translate($0.1))" }.joined(separator: "\n")
    }

    func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - columns(text)))
    }
}
