// SPDX-License-Identifier: MIT

/// A voice with the way in which it speaks, under a name of the person's.
public struct VoiceProfile: Identifiable, Hashable, Sendable {
    /// The factors of ``rate`` and ``pitch``.
    public static let factors = 0.5...2.0
    /// The values of ``stability`` and ``similarity``.
    public static let shares = 0.0...1.0
    /// The word that stands for no profile; it is not a name.
    public static let none = "none"

    /// The profile's id, the same on all devices.
    public let id: Identifier<VoiceProfile>
    /// The name: 1 to 64 ASCII letters, digits, `_` and `-`, and not ``none``.
    public let name: String
    /// The engine that speaks, by its name: 1 to 64 bytes of printable text.
    public let engine: String
    /// The engine's voice, by its id there: 1 to 256 bytes of printable text.
    public let voice: String
    /// The speed as a factor of the voice's own, in ``factors``.
    public let rate: Double
    /// The fundamental frequency as a factor of the voice's own, in ``factors``.
    public let pitch: Double
    /// Evenness between renderings, in ``shares``; for engines that have it.
    public let stability: Double
    /// Closeness to the original voice, in ``shares``; for engines that have it.
    public let similarity: Double

    /// A profile; a new one has a new id.
    ///
    /// - Throws: ``DomainError/invalidInput(_:)`` that names the value and its range.
    public init(
        id: Identifier<VoiceProfile> = .init(), name: String, engine: String, voice: String, rate: Double = 1,
        pitch: Double = 1, stability: Double = 0.75, similarity: Double = 0.75
    ) throws(DomainError) {
        guard Self.isName(name) else {
            throw .invalidInput(
                "A voice profile's name has 1 to 64 letters, digits, _ and -, and is not \(Self.none).")
        }
        for (word, text, limit) in [("engine", engine, 64), ("voice", voice, 256)] {
            guard Self.isWord(text, limit: limit) else {
                throw .invalidInput("The \(word) of a voice profile has 1 to \(limit) bytes of printable text.")
            }
        }
        for (word, value, range) in [
            ("rate", rate, Self.factors), ("pitch", pitch, Self.factors), ("stability", stability, Self.shares),
            ("similarity", similarity, Self.shares),
        ] {
            guard range.contains(value) else {
                throw .invalidInput(
                    "The \(word) of a voice profile is from \(range.lowerBound) to \(range.upperBound), not \(value).")
            }
        }
        (self.id, self.name, self.engine, self.voice) = (id, name, engine, voice)
        (self.rate, self.pitch, self.stability, self.similarity) = (rate, pitch, stability, similarity)
    }

    /// True for a text that a profile may have as its name.
    public static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text != none
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    private static func isWord(_ text: String, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && text.contains { !$0.isWhitespace }
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

/// Stores voice profiles. Every implementation passes `VoiceProfileRepositoryContract` in `DomainTestSupport`.
///
/// All methods throw ``DomainError`` or `CancellationError`, and may be called concurrently. When a method that stores or
/// deletes returns, its change survives a crash; one that throws changed nothing.
public protocol VoiceProfileRepository: Sendable {
    /// All profiles by name, and those of one name by id: two devices may have given the same name.
    func profiles() async throws -> [VoiceProfile]

    /// Stores a profile, in place of the one with its id.
    ///
    /// - Throws: ``DomainError/invalidInput(_:)`` if another profile has the name.
    func store(_ profile: VoiceProfile) async throws

    /// Removes a profile, which then is not the active one either; true if it was there.
    func delete(_ id: Identifier<VoiceProfile>) async throws -> Bool

    /// The profile that commands speak with if they are told no other; nil for none.
    func active() async throws -> VoiceProfile?

    /// Makes a stored profile the active one, or with nil none.
    ///
    /// - Throws: ``DomainError/notFound(_:)`` for an unknown id.
    func activate(_ id: Identifier<VoiceProfile>?) async throws
}
