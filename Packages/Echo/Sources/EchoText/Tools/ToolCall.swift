// SPDX-License-Identifier: MIT

/// A function call that the model requests.
public struct ToolCall: Sendable, Hashable, Identifiable {
    /// The call's id; its result has the same id.
    public let id: String
    /// The function's name.
    public let name: String
    /// The arguments, as JSON text by the model. It may be invalid.
    public let arguments: String

    /// A call.
    public init(id: String, name: String, arguments: String) {
        self.id = id
        self.name = name
        self.arguments = arguments
    }
}
