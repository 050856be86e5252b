// SPDX-License-Identifier: MIT

/// The result of a call of a function, for the model.
public struct ToolResult: Sendable, Hashable, Codable {
    /// The ``ToolCall/id`` of the call.
    public let callID: String
    /// The text for the model: the function's answer, or the failure in words that help it.
    public let output: String
    /// True if the call failed.
    public let isError: Bool

    /// A result.
    public init(callID: String, output: String, isError: Bool = false) {
        self.callID = callID
        self.output = output
        self.isError = isError
    }
}
