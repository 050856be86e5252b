// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A selection of cues and their order.
public struct CueQuery: Hashable, Sendable {
    /// The order of a list of cues.
    public enum Order: Hashable, Sendable {
        /// By the time of their addition to the catalogue, the oldest first.
        case catalogue
        /// Mixed; the same seed gives the same order everywhere, and a new cue does not move the others.
        case shuffled(seed: UInt64)
    }

    /// The range of ``limit``.
    public static let limits = 1...200

    /// Only cues in this language; "pt" includes "pt-BR". All when `nil`.
    public var language: LanguageTag?
    /// Only cues of this topic, by its exact name. All when `nil`.
    public var topic: String?
    /// Only cues of this level. All when `nil`.
    public var level: Int?
    /// Only cues whose text or hint contains each of these words: whole words, case and accents ignored; nothing in it
    /// is an operator. All when `nil`; no cue when it contains no word.
    public var words: String?
    /// The order.
    public var order: Order
    /// The most cues of a page, clamped to ``limits``.
    public var limit: Int { didSet { limit = Self.clamped(limit) } }

    /// A query; without arguments the first 50 cues of the catalogue.
    public init(
        language: LanguageTag? = nil, topic: String? = nil, level: Int? = nil, words: String? = nil,
        order: Order = .catalogue, limit: Int = 50
    ) {
        self.language = language
        self.topic = topic
        self.level = level
        self.words = words
        self.order = order
        self.limit = Self.clamped(limit)
    }

    private static func clamped(_ limit: Int) -> Int { min(max(limit, limits.lowerBound), limits.upperBound) }
}

extension CueQuery.Order {
    /// A cue's sort key: lists are sorted by it and then by the cue's id.
    ///
    /// In the catalogue it is the time of addition in milliseconds since 1970; shuffled, a hash of the seed and the
    /// cue's id (the finaliser of SplitMix64, twice), which depends on nothing else.
    public func sortKey(of cue: Cue) -> Int64 {
        switch self {
        case .catalogue: Int64((cue.createdAt.timeIntervalSince1970 * 1_000).rounded())
        case .shuffled(let seed): Self.sortKey(of: cue.id, seed: seed)
        }
    }

    /// A cue's sort key in a shuffled list.
    public static func sortKey(of id: Identifier<Cue>, seed: UInt64) -> Int64 {
        let (high, low) = id.halves
        // One bit less: a key is never negative, so that it has one text form.
        return Int64(mixed(mixed(seed ^ high) &+ low) >> 1)
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
