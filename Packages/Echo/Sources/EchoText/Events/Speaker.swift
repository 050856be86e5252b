// SPDX-License-Identifier: MIT

/// Who speaks or writes in a turn.
public enum Speaker: String, Sendable, Hashable, CaseIterable {
    case user
    case assistant
}
