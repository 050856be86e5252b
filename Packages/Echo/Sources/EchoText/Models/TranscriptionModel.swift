// SPDX-License-Identifier: MIT

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
