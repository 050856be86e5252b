// SPDX-License-Identifier: MIT

/// The author of a message.
public enum MessageRole: String, Sendable, Hashable, CaseIterable, Codable {
    case user
    case assistant
    /// Text that the program adds, such as a summary of the past.
    case system
}
