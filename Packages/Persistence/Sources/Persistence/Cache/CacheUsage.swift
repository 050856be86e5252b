// SPDX-License-Identifier: MIT

/// How much a ``CacheStore`` holds, entries included that are too old but not removed yet.
public struct CacheUsage: Sendable, Equatable {
    /// How many entries.
    public let entries: Int
    /// The bytes of keys, metadata and contents; the file is larger by SQLite's own pages.
    public let bytes: Int
}
