// SPDX-License-Identifier: MIT

extension EmbeddingsClient {
    /// The limits of sending and keeping.
    public struct Configuration: Sendable {
        /// The most texts of one request, at least 1.
        public var maximumTextsPerRequest: Int
        /// The most bytes of text in one request; a longer text is sent alone. The API accepts 300,000 tokens, and a
        /// token has a byte at least.
        public var maximumBytesPerRequest: Int
        /// The number of requests at a time, at least 1.
        public var maximumConcurrentRequests: Int
        /// The size of the cache of vectors in bytes; 0 keeps none.
        public var cacheBytes: Int

        /// Limits. Without arguments: 100 texts a request, four requests at once, and 16 MB of vectors kept.
        public init(
            maximumTextsPerRequest: Int = 100, maximumBytesPerRequest: Int = 300_000,
            maximumConcurrentRequests: Int = 4, cacheBytes: Int = 16 << 20
        ) {
            self.maximumTextsPerRequest = maximumTextsPerRequest
            self.maximumBytesPerRequest = maximumBytesPerRequest
            self.maximumConcurrentRequests = maximumConcurrentRequests
            self.cacheBytes = cacheBytes
        }
    }
}
