// SPDX-License-Identifier: MIT

public import Security

/// The words on paper that bring a group of devices back when all devices are lost.
///
/// 128 random bits in twelve words, and two check words (`PhraseCode`). Whoever has the phrase can read everything at
/// the place and add a device.
public struct RecoveryPhrase: Sendable, Redacted {
    /// The number of words.
    public static let wordCount = PhraseCode.count
    static let entropyByteCount = 16
    /// The last bits of the twelve words, which are zero. Another value is for a later kind of phrase.
    static let spareBitCount = PhraseCode.dataCount * WordList.bitCount - entropyByteCount * 8

    private let entropy: Sensitive<[UInt8]>

    /// A fresh phrase.
    ///
    /// - Throws: ``SyncError`` with the code `store` when the system has no randomness.
    public init() throws(SyncError) {
        self.init(entropy: Sensitive(try Crypto.failing { try SecureRandom.bytes(Self.entropyByteCount) }))
    }

    init(entropy: Sensitive<[UInt8]>) { self.entropy = entropy }

    /// Reads what a person typed or pasted.
    ///
    /// White space, capitals, punctuation and numbers do not matter; numbers from 1 to 14 give the order of the words.
    /// The first four letters of a word are enough.
    ///
    /// - Throws: ``SyncError`` with the code `mistyped`. Its message says which word is wrong and which one it should be,
    ///   as far as the check words tell, and so may hold words of the phrase: it is for the person who typed it and for no
    ///   log. Nothing is mended silently. The code is `newer` for a later kind of phrase.
    public init(reading text: Sensitive<[UInt8]>) throws(SyncError) {
        let result = text.withExposed { bytes in
            Result { () throws(SyncError) in
                try Self.entropy(of: PhraseReading(String(decoding: bytes, as: UTF8.self)).symbols())
            }
        }
        self.init(entropy: Sensitive(try result.get()))
    }

    /// The fourteen words, for the person.
    public var words: Sensitive<[String]> {
        Sensitive(entropy.withExposed { Self.symbols(of: $0) }.map { WordList.word(at: $0) })
    }

    /// The keys that sign and read in the name of the phrase, derived by HKDF-SHA256.
    ///
    /// - Throws: ``SyncError`` with the code `store` when the cryptography of this machine fails.
    public var secretKeys: SecretKeys {
        get throws(SyncError) {
            try Crypto.failing {
                try entropy.withExposed { entropy in
                    func key(_ salt: String) throws -> SymmetricKey {
                        try HKDF.key(from: entropy, salt: Array(salt.utf8), info: Crypto.Label.recovery.bytes)
                    }
                    return SecretKeys(
                        signing: try Ed25519.PrivateKey(key("signing")),
                        agreement: try X25519.PrivateKey(key("agreement")))
                }
            }
        }
    }

    // MARK: Bits

    private static func symbols(of entropy: [UInt8]) -> [Int] {
        let bits = entropy.flatMap { byte in (0..<8).map { Int(byte >> (7 - $0) & 1) } }
        let all = bits + [Int](repeating: 0, count: spareBitCount)
        let data = (0..<PhraseCode.dataCount).map { word in
            all[word * WordList.bitCount..<(word + 1) * WordList.bitCount].reduce(0) { $0 << 1 | $1 }
        }
        return data + PhraseCode.check(for: data)
    }

    private static func entropy(of symbols: [Int]) throws(SyncError) -> [UInt8] {
        guard hasNoSpareBits(symbols) else {
            throw SyncError(code: .newer, message: "This recovery phrase is of a newer kind. Update Parley to use it.")
        }
        let bits = symbols.prefix(PhraseCode.dataCount).flatMap { symbol in
            (0..<WordList.bitCount).map { symbol >> (WordList.bitCount - 1 - $0) & 1 }
        }
        return (0..<entropyByteCount).map { byte in
            UInt8(bits[byte * 8..<(byte + 1) * 8].reduce(0) { $0 << 1 | $1 })
        }
    }

    /// True if the last of the twelve words ends with zeros.
    static func hasNoSpareBits(_ symbols: [Int]) -> Bool {
        symbols[PhraseCode.dataCount - 1] & (1 << spareBitCount - 1) == 0
    }
}
