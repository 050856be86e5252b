// SPDX-License-Identifier: MIT

/// The voice that the model speaks with. It cannot be changed once the model has spoken.
public enum RealtimeVoice: Sendable, Hashable, Codable {
    /// One of the server's voices, such as `marin`.
    case named(String)
    /// A voice that was made for you, by its id.
    case custom(id: String)

    /// `marin`, one of the two that OpenAI recommends.
    public static let marin = RealtimeVoice.named("marin")
    /// `cedar`, the other.
    public static let cedar = RealtimeVoice.named("cedar")

    var json: JSONValue {
        switch self {
        case .named(let name): .string(name)
        case .custom(let id): ["id": .string(id)]
        }
    }
}
