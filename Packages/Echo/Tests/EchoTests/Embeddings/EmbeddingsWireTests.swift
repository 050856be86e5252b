// SPDX-License-Identifier: MIT

import Echo
import FoundationEssentials
import TestKit
import Testing

@Suite("Embeddings on the wire")
struct EmbeddingsWireTests {
    private func base64(_ vector: [Float]) -> JSONValue {
        let bytes = vector.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> ($0 * 8)) }
        }
        return .string(Data(bytes).base64EncodedString())
    }

    @Test("The request asks for base64, and for dimensions only if some are wanted")
    func request() {
        let request = EmbeddingsRequest(model: .textEmbedding3Small, input: ["a", "b"])
        #expect(
            request.json
                == ["model": "text-embedding-3-small", "input": ["a", "b"], "encoding_format": "base64"])
        #expect(EmbeddingsRequest(model: .textEmbedding3Large, input: [], dimensions: 7).json["dimensions"] == 7)
    }

    @Test("Vectors are read from base64, little end first, and put in order by index; numbers are read, too")
    func response() throws {
        let json: JSONValue = [
            "object": "list", "model": "text-embedding-3-small", "usage": ["prompt_tokens": 7, "total_tokens": 7],
            "data": [
                ["object": "embedding", "index": 1, "embedding": "AACAPwAAAMA="],
                ["object": "embedding", "index": 0, "embedding": [0.25, 3]],
            ],
        ]
        let response = try EmbeddingsResponse(json: json, count: 2)
        #expect(response.vectors == [[0.25, 3], [1, -2]])
        #expect(response.usage?.inputTokens == 7)
    }

    @Test("Every bit pattern survives", arguments: 0..<10)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let vector = (0..<100).map { _ in Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &random)) }
        let json: JSONValue = ["data": [["index": 0, "embedding": base64(vector)]]]
        let read = try EmbeddingsResponse(json: json, count: 1).vectors[0]
        #expect(read.map(\.bitPattern) == vector.map(\.bitPattern))
    }

    @Test(
        "What is no answer is an error",
        arguments: [
            "[]", "{}", #"{"data":[]}"#, #"{"data":[{"index":1,"embedding":[1]}]}"#,
            #"{"data":[{"index":-1,"embedding":[1]}]}"#, #"{"data":[{"index":0,"embedding":[]}]}"#,
            #"{"data":[{"index":0,"embedding":"AAA="}]}"#, #"{"data":[{"index":0,"embedding":"?"}]}"#,
            #"{"data":[{"index":0,"embedding":["x"]}]}"#, #"{"data":[{"index":0}]}"#,
            #"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#,
        ])
    func malformed(text: String) throws {
        let json = try JSONValue(parsing: text)
        #expect(throws: WireError.self) { try EmbeddingsResponse(json: json, count: 1) }
        #expect(throws: WireError.self) { try EmbeddingsResponse(json: json, count: 2) }
    }

    @Test("Vectors of different lengths are an error")
    func lengths() {
        let json: JSONValue = ["data": [["index": 0, "embedding": [1]], ["index": 1, "embedding": [1, 2]]]]
        #expect(throws: WireError.self) { try EmbeddingsResponse(json: json, count: 2) }
    }
}
