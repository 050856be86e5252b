// SPDX-License-Identifier: MIT

/// What a committed transaction survives.
public enum Durability: Sendable {
    /// Power loss: the commit returns when the log is on the disk (`synchronous=FULL`).
    case full
    /// The end of the process at any instant, `kill -9` included; power loss may take the newest commits, in order, and
    /// never damages the file (`synchronous=NORMAL` with a write-ahead log). Much faster.
    case normal
}
