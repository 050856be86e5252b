// SPDX-License-Identifier: MIT

/// The server's treatment of an input that is too long for the model.
public enum Truncation: String, Sendable, Hashable {
    /// It drops items from the middle.
    case auto
    /// It refuses.
    case disabled
}
