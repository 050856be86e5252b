// SPDX-License-Identifier: MIT

/// A model that answers in text.
///
/// Only the listed models are accepted, and those that the configuration's endpoint declares; any other is
/// ``EchoError/unsupportedModel(_:)`` before a request is made.
public struct ResponsesModel: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The model's name in the API.
    public let rawValue: String

    /// A model by its name. The name is checked when a request is made.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }

    /// `gpt-5`: the most capable.
    public static let gpt5 = ResponsesModel(rawValue: "gpt-5")
    /// `gpt-5-mini`: between the two.
    public static let gpt5Mini = ResponsesModel(rawValue: "gpt-5-mini")
    /// `gpt-5-nano`: the fastest.
    public static let gpt5Nano = ResponsesModel(rawValue: "gpt-5-nano")

    /// The models that are allowed at every endpoint.
    public static let supported: [ResponsesModel] = [.gpt5, .gpt5Mini, .gpt5Nano]

    /// The most tokens of an answer, reasoning included; `nil` for a model of an endpoint's own.
    public var maximumOutputTokens: Int? {
        switch self {
        case .gpt5: 8_192
        case .gpt5Mini: 4_096
        case .gpt5Nano: 2_048
        default: nil
        }
    }

    /// True if it reads pictures. Every model of an endpoint's own counts as one that does.
    public var acceptsImages: Bool { self != .gpt5Nano }

    /// The limit of tokens for input and answer together; `nil` for a model of an endpoint's own.
    public var contextWindow: Int? { Self.supported.contains(self) ? 200_000 : nil }
}
