// SPDX-License-Identifier: MIT

public import Security

/// The code that a person carries from a device of the group to a new one: 50 random bits in ten characters, and an
/// eleventh that finds typing mistakes.
///
/// The characters are Crockford's base 32, without I, L, O and U. The last one is the sum of the others, each times
/// another power of x in GF(2)[x] ∕ (x⁵ + x² + 1): one wrong character never passes, and neither do two that changed
/// places. A code is used once, for at most ten minutes.
public struct PairingCode: Sendable, Redacted {
    static let dataCount = 10
    static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// The ten characters that count.
    let data: Sensitive<[UInt8]>

    /// A fresh code.
    ///
    /// - Throws: ``SyncError`` with the code `store` when the system has no randomness.
    public init() throws(SyncError) {
        let random = try Crypto.failing { try SecureRandom.bytes(Self.dataCount) }
        self.init(symbols: random.map { $0 & 31 })
    }

    init(symbols: [UInt8]) {
        data = Sensitive(symbols.compactMap { Self.alphabet[Int($0)].asciiValue })
    }

    /// The code of its ten characters.
    init(data: [UInt8]) throws(SyncError) {
        let symbols = data.compactMap { byte in
            Self.alphabet.firstIndex { $0.asciiValue == byte }.map { UInt8($0) }
        }
        guard symbols.count == Self.dataCount, data.count == symbols.count else {
            throw .invalid("a code has another length")
        }
        self.init(symbols: symbols)
    }

    /// Reads what a person typed. Case, spaces and hyphens do not matter; O is read as 0, I and L as 1.
    ///
    /// - Throws: ``SyncError`` with the code `mistyped`, whose message says what is wrong.
    public init(reading text: some StringProtocol) throws(SyncError) {
        var symbols: [UInt8] = []
        for character in text where !character.isWhitespace && !"-‐‑–—_".contains(character) {
            guard let symbol = Self.symbol(of: character) else {
                throw .mistyped("Character \(symbols.count + 1) of the code, “\(character)”, is not used in codes.")
            }
            // A pasted file is no code.
            if symbols.count <= Self.dataCount + 20 { symbols.append(symbol) }
        }
        guard symbols.count == Self.dataCount + 1 else {
            let count = symbols.count > Self.dataCount + 20 ? "more" : "\(symbols.count)"
            throw .mistyped("A code has \(Self.dataCount + 1) characters; this has \(count).")
        }
        guard Self.check(symbols.dropLast()) == symbols[Self.dataCount] else {
            throw .mistyped("The code has a typing mistake. Compare it with the other device, character by character.")
        }
        self.init(symbols: symbols.dropLast())
    }

    /// The code as a person reads it, `XXXXX-XXXXX-X`.
    public var text: Sensitive<String> {
        Sensitive(
            data.withExposed { data in
                let symbols = data.compactMap { Self.symbol(of: Character(UnicodeScalar($0))) }
                let characters = (symbols + [Self.check(symbols)]).map { Self.alphabet[Int($0)] }
                return "\(String(characters[..<5]))-\(String(characters[5..<10]))-\(String(characters[10...]))"
            })
    }

    private static func symbol(of character: Character) -> UInt8? {
        let character: Character =
            switch character {
            case "o", "O": "0"
            case "i", "I", "l", "L": "1"
            case "a"..."z": Character(character.uppercased())
            default: character
            }
        return alphabet.firstIndex(of: character).map { UInt8($0) }
    }

    /// The sum of the symbols, the first times x, the second times x² and so on.
    private static func check(_ symbols: some BidirectionalCollection<UInt8>) -> UInt8 {
        symbols.reversed().reduce(0) { sum, symbol in
            let shifted = (sum ^ symbol) << 1
            return shifted & 32 == 0 ? shifted : shifted ^ 0b100101
        }
    }
}
