// SPDX-License-Identifier: MIT

/// A model that turns text into vectors.
///
/// Only the listed models are accepted, and those that the configuration's endpoint declares; any other is
/// ``EchoError/unsupportedModel(_:)`` before a request is made.
public struct EmbeddingModel: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The model's name in the API.
    public let rawValue: String

    /// A model by its name. The name is checked when a request is made.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }

    /// `text-embedding-3-small`: the cheaper one.
    public static let textEmbedding3Small = EmbeddingModel(rawValue: "text-embedding-3-small")
    /// `text-embedding-3-large`: the more exact one.
    public static let textEmbedding3Large = EmbeddingModel(rawValue: "text-embedding-3-large")
    /// `text-embedding-ada-002`: an older one, with one length only.
    public static let textEmbeddingAda002 = EmbeddingModel(rawValue: "text-embedding-ada-002")

    /// The models that are allowed at every endpoint.
    public static let supported: [EmbeddingModel] = [.textEmbedding3Small, .textEmbedding3Large, .textEmbeddingAda002]

    /// The default length of a vector; `nil` for a model of an endpoint's own.
    public var dimensions: Int? {
        switch self {
        case .textEmbedding3Small, .textEmbeddingAda002: 1_536
        case .textEmbedding3Large: 3_072
        default: nil
        }
    }

    /// True if a request may set a shorter length.
    public var takesDimensions: Bool { self != .textEmbeddingAda002 }
}
