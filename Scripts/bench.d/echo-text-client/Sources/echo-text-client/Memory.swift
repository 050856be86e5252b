// SPDX-License-Identifier: MIT

import Foundation

@testable import EchoText

/// What a long answer takes, in one process each.
enum Memory {
    static func measure() async throws {
        // The small number first: what its process of events leaves is there for the other.
        let few = try await grown(deltas: 8_000, tokens: 16)
        let many = try await grown(deltas: 128_000, tokens: 1)
        emit("growth over 128,000 tokens, one to a delta", many, "MB", peer: "16 to a delta", few)
    }

    private static func grown(deltas: Int, tokens: Int) async throws -> Double {
        let delta = String(repeating: "tok ", count: tokens)
        let server = Server { send in
            send("data: \(Samples.lifecycle("response.created", 0))\n\n")
            for number in 1...deltas {
                send(
                    """
                    data: {"type":"response.output_text.delta","sequence_number":\(number),"item_id":"msg_1","output_index":0,\
                    "content_index":0,"delta":"\(delta)","logprobs":[]}\n\n
                    """)
            }
            send("data: \(Samples.lifecycle("response.completed", deltas + 1))\n\n")
        }
        var configuration = EchoConfiguration()
        configuration.endpoint = EchoEndpoint(baseURL: "http://127.0.0.1:\(server.port)/v1")
        let client = ResponsesClient(key: "k", configuration: configuration)
        var before = 0.0
        var most = 0.0
        var count = 0
        let stream = try await client.stream(ResponsesRequest(model: .gpt5, text: "x"))
        for try await _ in stream {
            count += 1
            if count == 1 { before = residentMegabytes() }
            if count % 500 == 0 { most = max(most, residentMegabytes()) }
        }
        precondition(stream.partial.outputText.utf8.count == 128_000 * 4)
        return max(most, residentMegabytes()) - before
    }
}
