// SPDX-License-Identifier: MIT

/// The side that speaks or writes in a turn.
public enum Speaker: String, Sendable, Hashable, CaseIterable {
    case user
    case assistant
}
