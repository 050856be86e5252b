// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// The cues that ship with the program, so that practice needs no network; a new server's catalogue begins with the
/// same cues, under the same ids.
public enum StarterCues {
    /// All starter cues, in the order of the catalogue: by number, and then by language.
    public static let all: [Cue] = StarterCueTable.languages.enumerated().flatMap { index, language in
        language.lines.split(separator: "\n").compactMap { cue(String($0), language.tag, index + 1) }
    }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }

    /// Reads a line of the table; `nil` for an invalid line, which a test looks for.
    static func cue(_ line: String, _ tag: String, _ languageNumber: Int) -> Cue? {
        let columns = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard columns.count == 5, let number = Int(columns[0]), let level = Int(columns[2]),
            let language = LanguageTag(tag), let id = identifier(languageNumber, number)
        else { return nil }
        return Cue(
            id: id, text: columns[3], language: language, topic: columns[1], level: level, hint: columns[4],
            createdAt: Date(timeIntervalSince1970: 1_767_225_600 + Double(number)))
    }

    /// The id, fixed for ever, since results refer to it. A UUID of version 8 (RFC 9562 §5.8) whose bits are the two
    /// numbers mixed (SplitMix64), so that ids differ from their first characters on.
    private static func identifier(_ language: Int, _ number: Int) -> Identifier<Cue>? {
        let seed = UInt64(language) << 32 | UInt64(number)
        let high = mixed(seed) & ~0xF000 | 0x8000
        let low = mixed(seed ^ 0x5C0E_5C0E_5C0E_5C0E) >> 2 | 1 << 63
        let digits = [high, low].map { word in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
        var name = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { name.append("-") }
            name.append(digit)
        }
        return Identifier(name)
    }

    private static func mixed(_ seed: UInt64) -> UInt64 {
        var value = seed &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

extension StarterCues {
    /// Puts the starter cues into a store without cues.
    public static func install(in store: SQLiteCueStore) async throws {
        if try await store.page(CueQuery(limit: 1), after: nil).cues.isEmpty { try await store.add(all) }
    }
}
