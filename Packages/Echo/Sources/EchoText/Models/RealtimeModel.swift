// SPDX-License-Identifier: MIT

/// A model that listens and speaks.
///
/// Only the listed models are accepted, and those that the configuration's endpoint declares; any other is
/// ``EchoError/unsupportedModel(_:)`` before a request is made.
public struct RealtimeModel: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name by which the API knows it.
    public let rawValue: String

    /// A model by its name. Whether it may be used is decided when a request is made.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }

    /// `gpt-realtime`: the standard one.
    public static let gptRealtime = RealtimeModel(rawValue: "gpt-realtime")
    /// `gpt-realtime-mini`: the one that answers sooner.
    public static let gptRealtimeMini = RealtimeModel(rawValue: "gpt-realtime-mini")

    /// The models that every endpoint may be asked for.
    public static let supported: [RealtimeModel] = [.gptRealtime, .gptRealtimeMini]

    /// The most tokens that an answer may have; `nil` for a model of an endpoint's own.
    public var maximumOutputTokens: Int? {
        switch self {
        case .gptRealtime: 4_096
        case .gptRealtimeMini: 2_048
        default: nil
        }
    }
}
