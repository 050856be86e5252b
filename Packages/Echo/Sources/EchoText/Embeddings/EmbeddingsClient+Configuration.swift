// SPDX-License-Identifier: MIT

extension EmbeddingsClient {
    /// The limits of sending and keeping.
    public struct Configuration: Sendable {
        /// The most texts of one request, at least 1.
        public var maximumTextsPerRequest = 100
        /// The most bytes of text in one request; a longer text is sent alone. The API accepts 300,000 tokens, and a
        /// token has a byte at least.
        public var maximumBytesPerRequest = 300_000
        /// The number of requests at a time, at least 1.
        public var maximumConcurrentRequests = 4
        /// The size of the cache of vectors in bytes; 0 keeps none.
        public var cacheBytes = 16 << 20

        /// A hundred texts a request, four requests at once, and 16 MB of vectors kept.
        public init() {}
    }
}
