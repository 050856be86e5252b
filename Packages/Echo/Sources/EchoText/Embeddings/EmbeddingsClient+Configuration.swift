// SPDX-License-Identifier: MIT

extension EmbeddingsClient {
    /// How texts are sent.
    public struct Configuration: Sendable {
        /// The most texts of one request, at least 1.
        public var maximumTextsPerRequest = 100
        /// The most bytes of text in one request; a longer text goes alone. The API takes 300,000 tokens, and a token has a
        /// byte at least.
        public var maximumBytesPerRequest = 300_000
        /// How many requests are under way at once, at least 1.
        public var maximumConcurrentRequests = 4
        /// How many bytes of vectors are kept, in case the same text comes again; 0 keeps none.
        public var cacheBytes = 16 << 20

        /// A hundred texts a request, four requests at once, and 16 MB of vectors kept.
        public init() {}
    }
}
