// SPDX-License-Identifier: MIT

/// What a call of a function gave, for the model.
public struct ToolResult: Sendable, Hashable {
    /// The ``ToolCall/id`` of the call.
    public let callID: String
    /// What the model reads: the function's answer, or what went wrong in words that help the model.
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
