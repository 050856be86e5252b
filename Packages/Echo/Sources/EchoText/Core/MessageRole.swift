// SPDX-License-Identifier: MIT

/// Who a message is from.
public enum MessageRole: String, Sendable, Hashable, CaseIterable, Codable {
    case user
    case assistant
    /// What the program put into the conversation, such as what happened so far.
    case system
}
