// SPDX-License-Identifier: MIT

/// The encoding of sound on the wire, always one channel.
public enum RealtimeAudioFormat: Sendable, Hashable, Codable {
    /// Samples of 16 bits, little-endian, 24,000 a second. The only rate that the API takes.
    case pcm
    /// G.711 µ-law, 8,000 samples a second.
    case pcmu
    /// G.711 A-law, 8,000 samples a second.
    case pcma

    /// Samples a second.
    public var rate: Int { self == .pcm ? 24_000 : 8_000 }

    /// The bytes of one sample.
    public var bytesPerFrame: Int { self == .pcm ? 2 : 1 }

    var json: JSONValue {
        switch self {
        case .pcm: ["type": "audio/pcm", "rate": 24_000]
        case .pcmu: ["type": "audio/pcmu"]
        case .pcma: ["type": "audio/pcma"]
        }
    }
}
