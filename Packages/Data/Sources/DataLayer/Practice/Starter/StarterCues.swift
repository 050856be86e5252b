// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// The cues that ship with the program, so that there is something to practise before there is a network; a new server's
/// catalogue begins with the same ones, under the same names.
public enum StarterCues {
    /// All of them, in the order of the catalogue: by number, and then by language.
    public static let all: [Cue] = StarterCueTable.languages.enumerated().flatMap { index, language in
        language.lines.split(separator: "\n").compactMap { cue(String($0), language.tag, index + 1) }
    }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }

    /// `nil` for a line that is not what the table says; a test looks for those.
    static func cue(_ line: String, _ tag: String, _ languageNumber: Int) -> Cue? {
        let columns = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard columns.count == 5, let number = Int(columns[0]), let level = Int(columns[2]),
            let language = LanguageTag(tag), let id = identifier(languageNumber, number)
        else { return nil }
        return Cue(
            id: id, text: columns[3], language: language, topic: columns[1], level: level, hint: columns[4],
            createdAt: Date(timeIntervalSince1970: 1_767_225_600 + Double(number)))
    }

    /// Fixed for good: results refer to it. Made from the numbers as a UUID of version 8 (RFC 9562 §5.8).
    private static func identifier(_ language: Int, _ number: Int) -> Identifier<Cue>? {
        func padded(_ number: Int, _ width: Int) -> String {
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        return Identifier("5c0e5c0e-\(padded(language, 4))-8000-8000-\(padded(number, 12))")
    }
}
