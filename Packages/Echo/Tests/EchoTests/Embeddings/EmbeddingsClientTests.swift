// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Echo
import Testing

/// Makes a vector of a text's first bytes, and keeps what it was asked.
private final class LetterEmbeddings: EmbeddingsService {
    private struct State {
        var requests: [EmbeddingsRequest] = []
        var running = 0
        var most = 0
    }

    private let state = Guarded(State())
    let gate = Gate()
    let started = Collected<Void>()

    var requests: [EmbeddingsRequest] { state.withLock { $0.requests } }
    var mostAtOnce: Int { state.withLock { $0.most } }

    init(isOpen: Bool = true) { if isOpen { gate.open() } }

    static func vector(_ text: String, _ dimensions: Int) -> [Float] {
        var vector = text.utf8.prefix(dimensions).map(Float.init)
        vector += Array(repeating: 0.5, count: dimensions - vector.count)
        return vector
    }

    func create(_ request: EmbeddingsRequest) async throws -> EmbeddingsResponse {
        state.withLock { state in
            state.requests.append(request)
            state.running += 1
            state.most = max(state.most, state.running)
        }
        started.append(())
        await gate.pass()
        state.withLock { $0.running -= 1 }
        let dimensions = request.dimensions ?? request.model.dimensions ?? 4
        return EmbeddingsResponse(vectors: request.input.map { Self.vector($0, dimensions) })
    }
}

@Suite("Embeddings client", .timeLimit(.minutes(5)))
struct EmbeddingsClientTests {
    @Test("More than a hundred texts are split, and come back in order", arguments: [1, 99, 100, 101, 250, 1001])
    func batches(count: Int) async throws {
        let service = LetterEmbeddings()
        let client = EmbeddingsClient(service: service)
        let texts = (0..<count).map { "\($0) text" }
        let vectors = try await client.embeddings(from: texts, dimensions: 8)
        #expect(vectors == texts.map { LetterEmbeddings.vector($0, 8) })
        #expect(service.requests.count == (count + 99) / 100)
        #expect(service.requests.allSatisfy { $0.input.count <= 100 && $0.dimensions == 8 })
        #expect(service.mostAtOnce <= 4)
    }

    @Test("Batches are split by bytes, too; a text over the limit goes alone")
    func batchBytes() async throws {
        let service = LetterEmbeddings()
        var configuration = EmbeddingsClient.Configuration()
        configuration.maximumBytesPerRequest = 10
        configuration.maximumConcurrentRequests = 1
        let client = EmbeddingsClient(service: service, configuration: configuration)
        let texts = ["aaaa", "bbbb", "cccc", String(repeating: "d", count: 50), "e", "f"]
        _ = try await client.embeddings(from: texts, dimensions: 2)
        #expect(service.requests.map(\.input.count) == [2, 1, 1, 2])
        #expect(service.requests.flatMap(\.input) == texts)
    }

    @Test("No more requests are under way than allowed")
    func concurrency() async throws {
        let service = LetterEmbeddings(isOpen: false)
        var configuration = EmbeddingsClient.Configuration()
        configuration.maximumTextsPerRequest = 1
        configuration.maximumConcurrentRequests = 3
        let client = EmbeddingsClient(service: service, configuration: configuration)
        async let vectors = client.embeddings(from: (0..<20).map(String.init), dimensions: 2)
        _ = try await service.started.first(3)
        service.gate.open()
        #expect(try await vectors.count == 20)
        #expect(service.mostAtOnce == 3)
    }

    @Test("A text is sent once; another model or length is another vector; same looks are not same bytes")
    func cache() async throws {
        let service = LetterEmbeddings()
        let client = EmbeddingsClient(service: service)
        let texts = ["a", "b", "a", "\u{e9}", "e\u{301}"]
        let first = try await client.embeddings(from: texts, dimensions: 4)
        #expect(first[0] == first[2])
        #expect(first[3] != first[4])
        #expect(service.requests.map(\.input.count) == [4])
        #expect(try await client.embeddings(from: ["b", "a"], dimensions: 4) == [first[1], first[0]])
        #expect(service.requests.count == 1)
        _ = try await client.embeddings(from: ["a"], dimensions: 5)
        _ = try await client.embeddings(from: ["a"], model: .textEmbedding3Large, dimensions: 4)
        #expect(service.requests.count == 3)
    }

    @Test("The cache is bounded, and what was used of late stays")
    func cacheBound() async throws {
        let service = LetterEmbeddings()
        var configuration = EmbeddingsClient.Configuration()
        configuration.cacheBytes = 10 * (4 * 4 + 128)
        let client = EmbeddingsClient(service: service, configuration: configuration)
        for number in 0..<50 {
            _ = try await client.embeddings(from: ["often", "\(number)"], dimensions: 4)
        }
        let sent = service.requests.flatMap(\.input)
        #expect(sent.filter { $0 == "often" }.count == 1)
        _ = try await client.embeddings(from: ["0"], dimensions: 4)
        #expect(service.requests.flatMap(\.input).filter { $0 == "0" }.count == 2)
    }

    @Test("Models and dimensions are checked before anything is sent")
    func validation() async throws {
        let service = LetterEmbeddings()
        let own = EchoEndpoint(baseURL: "http://localhost:8080/v1", models: ["nomic-embed"])
        let client = EmbeddingsClient(service: service, endpoint: own)
        await #expect { try await client.embeddings(from: ["a"], model: EmbeddingModel(rawValue: "gpt-4")) } throws: {
            if case EchoError.unsupportedModel("gpt-4") = $0 { true } else { false }
        }
        for (model, dimensions) in [
            (EmbeddingModel.textEmbedding3Small, 0), (.textEmbedding3Small, 1537), (.textEmbedding3Large, 3073),
            (.textEmbeddingAda002, 512), (.textEmbedding3Small, -1),
        ] {
            await #expect {
                try await client.embeddings(from: ["a"], model: model, dimensions: dimensions)
            } throws: {
                if case EchoError.invalidConfiguration = $0 { true } else { false }
            }
        }
        await #expect { try await client.embeddings(from: ["a", ""]) } throws: {
            if case EchoError.invalidConfiguration = $0 { true } else { false }
        }
        #expect(service.requests.isEmpty)
        #expect(try await client.embeddings(from: []).isEmpty)
        #expect(service.requests.isEmpty)
        _ = try await client.embeddings(from: ["a"], model: .textEmbeddingAda002, dimensions: 1536)
        #expect(service.requests.last?.dimensions == nil)
        #expect(
            try await client.embeddings(from: ["a"], model: EmbeddingModel(rawValue: "nomic-embed")).first?.count == 4)
    }

    @Test("Vectors of another length or number than asked for are an error")
    func wrongAnswers() async throws {
        struct Fixed: EmbeddingsService {
            let vectors: [[Float]]
            func create(_ request: EmbeddingsRequest) async throws -> EmbeddingsResponse {
                EmbeddingsResponse(vectors: vectors)
            }
        }
        for vectors in [[], [[1, 2, 3]], [[1, 2], [3, 4]]] as [[[Float]]] {
            let client = EmbeddingsClient(service: Fixed(vectors: vectors))
            await #expect { try await client.embeddings(from: ["a"], dimensions: 2) } throws: {
                if case EchoError.malformedResponse = $0 { true } else { false }
            }
        }
    }
}
