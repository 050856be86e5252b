// SPDX-License-Identifier: MIT

/// The decision of a person, or of a rule, on a call of a tool before it is carried out.
public enum ToolApproval: Sendable, Hashable {
    /// It may run.
    case approved
    /// It may not; the model reads the reason.
    case denied(reason: String)
}
