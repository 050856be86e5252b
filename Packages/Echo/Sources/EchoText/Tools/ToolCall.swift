// SPDX-License-Identifier: MIT

/// A function that the model wants called.
public struct ToolCall: Sendable, Hashable, Identifiable {
    /// Names the call; its result goes back under the same name.
    public let id: String
    /// The function's name.
    public let name: String
    /// The arguments, as JSON text the way the model wrote it. It may be invalid.
    public let arguments: String

    /// A call.
    public init(id: String, name: String, arguments: String) {
        self.id = id
        self.name = name
        self.arguments = arguments
    }
}
