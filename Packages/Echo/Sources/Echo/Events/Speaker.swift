// SPDX-License-Identifier: MIT

/// The party that speaks or writes in a turn.
public enum Speaker: String, Sendable, Hashable, CaseIterable {
    case user
    case assistant
}
