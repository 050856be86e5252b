// SPDX-License-Identifier: MIT

extension CacheStore {
    /// A cache's bounds. Programs that share a file should use the same.
    public struct Configuration: Sendable, Equatable {
        /// The most bytes of keys, metadata and contents; 100 MB by default.
        public var maximumBytes: Int
        /// Entries that are older are not returned, and removed with the next write; 7 days by default.
        public var maximumAge: Duration
        /// After this many hits, the order of use is written; 64 by default. Every other write takes it along.
        public var hitsPerWrite: Int

        /// A configuration.
        public init(
            maximumBytes: Int = 100_000_000, maximumAge: Duration = .seconds(7 * 86_400), hitsPerWrite: Int = 64
        ) {
            self.maximumBytes = maximumBytes
            self.maximumAge = maximumAge
            self.hitsPerWrite = hitsPerWrite
        }
    }
}
