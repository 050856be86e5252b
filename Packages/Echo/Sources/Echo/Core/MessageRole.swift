// SPDX-License-Identifier: MIT

/// The author of a message.
public enum MessageRole: String, Sendable, Hashable, CaseIterable, Codable {
    case user
    case assistant
    /// The program, which adds text such as the events so far.
    case system
}
