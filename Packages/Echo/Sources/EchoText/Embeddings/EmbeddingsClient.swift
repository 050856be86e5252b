// SPDX-License-Identifier: MIT

/// Turns any number of texts into vectors, in batches and in order, each text only once.
package final class EmbeddingsClient: Sendable {
    private let service: any EmbeddingsService
    private let endpoint: EchoEndpoint
    private let configuration: Configuration
    private let cache: EmbeddingsCache

    /// A client.
    ///
    /// - Parameters:
    ///   - service: Makes the vectors.
    ///   - endpoint: Declares the models besides the listed ones.
    package init(
        service: any EmbeddingsService, endpoint: EchoEndpoint = .openAI, configuration: Configuration = Configuration()
    ) {
        self.service = service
        self.endpoint = endpoint
        self.configuration = configuration
        cache = EmbeddingsCache(limit: configuration.cacheBytes)
    }

    /// A vector for each text, in the order of the texts. A repeated text is sent once; a text whose vector is in the
    /// cache is not sent.
    ///
    /// - Parameters:
    ///   - texts: None may be empty; each has at most 8,192 tokens, the API's limit.
    ///   - dimensions: The length of the vectors, from 1 to the model's own length.
    /// - Throws: ``EchoError``: `unsupportedModel` and `invalidConfiguration` before anything is sent.
    package func embeddings(
        from texts: [String], model: EmbeddingModel = .textEmbedding3Small, dimensions: Int? = nil
    ) async throws -> [[Float]] {
        try endpoint.validate(model)
        try validate(texts, model, dimensions)
        let keys = try texts.map { try EmbeddingKey($0, model: model, dimensions: dimensions) }
        var vectors: [EmbeddingKey: [Float]] = [:]
        var missing: [(key: EmbeddingKey, text: String)] = []
        var seen: Set<EmbeddingKey> = []
        for (key, text) in zip(keys, texts) where seen.insert(key).inserted {
            if let vector = cache[key] { vectors[key] = vector } else { missing.append((key, text)) }
        }
        for (key, vector) in try await fetch(missing, model, dimensions) {
            vectors[key] = vector
            cache.add(vector, for: key)
        }
        return keys.compactMap { vectors[$0] }
    }

    private func validate(_ texts: [String], _ model: EmbeddingModel, _ dimensions: Int?) throws(EchoError) {
        if let place = texts.firstIndex(where: \.isEmpty) {
            throw .invalidConfiguration("Text \(place) is empty: an empty text has no vector. Leave it out.")
        }
        guard let dimensions, dimensions != model.dimensions else { return }
        guard model.takesDimensions else {
            throw .invalidConfiguration("\(model) makes vectors of one length only: leave dimensions out.")
        }
        guard dimensions >= 1, dimensions <= model.dimensions ?? .max else {
            throw .invalidConfiguration(
                "\(model) makes vectors of 1 to \(model.dimensions ?? .max) dimensions, not \(dimensions).")
        }
    }

    private func fetch(
        _ missing: [(key: EmbeddingKey, text: String)], _ model: EmbeddingModel, _ dimensions: Int?
    ) async throws -> [(EmbeddingKey, [Float])] {
        // A model with one length may refuse the parameter.
        let wanted = model.takesDimensions ? dimensions : nil
        return try await withThrowingTaskGroup(of: [(EmbeddingKey, [Float])].self) { group in
            var all: [(EmbeddingKey, [Float])] = []
            for (index, batch) in batches(missing).enumerated() {
                if index >= max(1, configuration.maximumConcurrentRequests) { all += try await group.next() ?? [] }
                group.addTask { [service] in
                    let request = EmbeddingsRequest(model: model, input: batch.map(\.text), dimensions: wanted)
                    let vectors = try await service.create(request).vectors
                    try Self.check(vectors, count: batch.count, dimensions: dimensions ?? model.dimensions)
                    return Array(zip(batch.map(\.key), vectors))
                }
            }
            for try await vectors in group { all += vectors }
            return all
        }
    }

    private static func check(_ vectors: [[Float]], count: Int, dimensions: Int?) throws(EchoError) {
        guard vectors.count == count else {
            throw .malformedResponse("\(vectors.count) vectors came for \(count) texts.", requestID: nil)
        }
        if let dimensions, let other = vectors.first(where: { $0.count != dimensions }) {
            throw .malformedResponse(
                "A vector has \(other.count) dimensions instead of \(dimensions).", requestID: nil)
        }
    }

    private func batches(
        _ texts: [(key: EmbeddingKey, text: String)]
    ) -> [[(key: EmbeddingKey, text: String)]] {
        var batches: [[(key: EmbeddingKey, text: String)]] = []
        var bytes = 0
        for text in texts {
            let size = text.text.utf8.count
            let isFull =
                (batches.last?.count ?? .max) >= max(1, configuration.maximumTextsPerRequest)
                || bytes + size > configuration.maximumBytesPerRequest
            if isFull || batches.isEmpty {
                batches.append([])
                bytes = 0
            }
            batches[batches.count - 1].append(text)
            bytes += size
        }
        return batches
    }
}

extension EmbeddingsClient {
    /// The limits of sending and keeping.
    package struct Configuration: Sendable {
        /// The most texts of one request, at least 1.
        package var maximumTextsPerRequest: Int
        /// The most bytes of text in one request; a longer text is sent alone. The API accepts 300,000 tokens, and a
        /// token has a byte at least.
        package var maximumBytesPerRequest: Int
        /// The number of requests at a time, at least 1.
        package var maximumConcurrentRequests: Int
        /// The size of the cache of vectors in bytes; 0 keeps none.
        package var cacheBytes: Int

        /// Limits. Without arguments: 100 texts a request, four requests at once, and 16 MB of vectors kept.
        package init(
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
