// SPDX-License-Identifier: MIT

/// What a person, or a rule, says to a call of a tool before it is carried out.
public enum ToolApproval: Sendable, Hashable {
    /// It may run.
    case approved
    /// It may not; the model reads the reason.
    case denied(reason: String)
}
