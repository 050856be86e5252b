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

/// The decision of a person, or a rule, on a call of a tool.
public enum ToolApproval: Sendable, Hashable {
    /// It may run.
    case approved
    /// It may not; the model reads the reason.
    case denied(reason: String)
}

/// A report of a ``ToolExecutor`` about a call.
public enum ToolExecution: Sendable, Hashable {
    /// It begins; one that cannot run, such as one of an unknown tool, does, too.
    case started(ToolCall)
    /// It has ended, after the given time.
    case ended(ToolCall, ToolResult, took: Duration)
    /// It was not allowed.
    case denied(ToolCall, reason: String)
}
