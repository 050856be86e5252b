// SPDX-License-Identifier: MIT

/// A model that listens and speaks.
///
/// Only the listed models are accepted, and those that the configuration's endpoint declares; any other is
/// ``EchoError/unsupportedModel(_:)`` before a request is made.
public struct RealtimeModel: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The model's name in the API.
    public let rawValue: String

    /// A model by its name. The name is checked when a request is made.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }

    /// `gpt-realtime`: the standard one.
    public static let gptRealtime = RealtimeModel(rawValue: "gpt-realtime")
    /// `gpt-realtime-mini`: the faster one.
    public static let gptRealtimeMini = RealtimeModel(rawValue: "gpt-realtime-mini")

    /// The models that are allowed at every endpoint.
    public static let supported: [RealtimeModel] = [.gptRealtime, .gptRealtimeMini]

    /// The most tokens of an answer; `nil` for a model of an endpoint's own.
    public var maximumOutputTokens: Int? {
        switch self {
        case .gptRealtime: 4_096
        case .gptRealtimeMini: 2_048
        default: nil
        }
    }

    /// True if it takes an effort of reasoning. The listed ones refuse it; every model of an endpoint's own counts as one
    /// that takes it.
    public var reasons: Bool { !Self.supported.contains(self) }

    /// True if it reads pictures. Every model of an endpoint's own counts as one that does.
    public var acceptsImages: Bool { true }

    /// The limit of tokens for input and answer together; `nil` for a model of an endpoint's own.
    public var contextWindow: Int? { Self.supported.contains(self) ? 128_000 : nil }
}

/// A model that turns speech into text.
///
/// Only the listed models are accepted, and those that the configuration's endpoint declares; any other is
/// ``EchoError/unsupportedModel(_:)`` before a request is made.
public struct TranscriptionModel: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The model's name in the API.
    public let rawValue: String

    /// A model by its name. The name is checked when a request is made.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }

    /// `whisper-1`: speech to text.
    public static let whisper1 = TranscriptionModel(rawValue: "whisper-1")

    /// The models that are allowed at every endpoint.
    public static let supported: [TranscriptionModel] = [.whisper1]
}
