// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// What a ``CacheStore`` holds under a key.
public struct CacheEntry: Sendable, Equatable {
    /// The content.
    public let bytes: [UInt8]
    /// What the caller keeps beside it, such as a response's headers.
    public let metadata: [UInt8]
    /// When it was stored, to the millisecond.
    public let storedAt: Date
}
