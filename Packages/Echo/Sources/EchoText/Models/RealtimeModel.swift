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
}
