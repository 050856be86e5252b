// SPDX-License-Identifier: MIT

/// A pronunciation: phones of the CMU dictionary by number, a byte each.
struct Phones: Hashable, Sendable {
    static let names = [
        "AA", "AE", "AH", "AO", "AW", "AY", "B", "CH", "D", "DH", "EH", "ER", "EY", "F", "G", "HH", "IH", "IY", "JH",
        "K",
        "L", "M", "N", "NG", "OW", "OY", "P", "R", "S", "SH", "T", "TH", "UH", "UW", "V", "W", "Y", "Z", "ZH",
    ]
    private static let numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, UInt8($0)) })

    let codes: [UInt8]

    /// Reads phones between blanks; nil if one is unknown.
    init?(_ text: some StringProtocol) {
        var codes: [UInt8] = []
        for name in text.split(separator: " ") {
            guard let code = Self.numbers[String(name)] else { return nil }
            codes.append(code)
        }
        guard !codes.isEmpty else { return nil }
        self.codes = codes
    }

    /// The phones in the notation of the decoder's dictionary.
    var text: String { codes.map { Self.names[Int($0)] }.joined(separator: " ") }

    /// True if a single phone makes the difference: another phone in any position, or one more or less before the last.
    ///
    /// Words that differ only by a further last phone ("walk", "walked") cannot be told apart in running speech.
    func isNear(_ other: Phones) -> Bool {
        let (short, long) = codes.count <= other.codes.count ? (codes, other.codes) : (other.codes, codes)
        guard long.count - short.count <= 1 else { return false }
        var first = 0
        while first < short.count, short[first] == long[first] { first += 1 }
        guard first < short.count else { return false }
        let rest = short.count == long.count ? first + 1 : first
        return short[rest...].elementsEqual(long[(first + 1)...])
    }
}
