// SPDX-License-Identifier: MIT

/// The decision of a person, or a rule, on a call of a tool.
public enum ToolApproval: Sendable, Hashable {
    /// It may run.
    case approved
    /// It may not; the model reads the reason.
    case denied(reason: String)
}
