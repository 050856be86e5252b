// SPDX-License-Identifier: MIT

/// What the server does with an input that is too long for the model.
public enum Truncation: String, Sendable, Hashable {
    /// It drops items from the middle.
    case auto
    /// It refuses.
    case disabled
}
