// SPDX-License-Identifier: MIT

import Foundation

@testable import EchoText

/// From the moment before a byte is written to the socket until its delta is with the consumer.
enum Latency {
    private static let count = 6_000
    private static let warmUp = 500

    static func measure() async throws {
        let server = Server { send in
            send("data: \(Samples.lifecycle("response.created", 0))\n\n")
            for number in 1...count {
                usleep(1_000)
                send(
                    """
                    data: {"type":"response.output_text.delta","sequence_number":\(number),"item_id":"msg_1","output_index":0,\
                    "content_index":0,"delta":"\(nanoseconds(CLOCK_MONOTONIC))","logprobs":[]}\n\n
                    """)
            }
            send("data: \(Samples.lifecycle("response.completed", count + 1))\n\n")
        }
        var configuration = EchoConfiguration()
        configuration.endpoint = EchoEndpoint(baseURL: "http://127.0.0.1:\(server.port)/v1")
        let client = ResponsesClient(key: "k", configuration: configuration)
        var times: [Double] = []
        for try await event in try await client.stream(ResponsesRequest(model: .gpt5, text: "x")) {
            let now = nanoseconds(CLOCK_MONOTONIC)
            guard event.kind == .outputTextDelta, case .text(let delta) = event.detail, let then = UInt64(delta.text)
            else { continue }
            times.append(Double(now - then) / 1e6)
        }
        precondition(times.count == count)
        let sorted = times.dropFirst(warmUp).sorted()
        emit("socket to consumer, p50 of \(sorted.count)", sorted[sorted.count / 2], "ms")
        emit("socket to consumer, p99", sorted[sorted.count * 99 / 100], "ms")
        emit("socket to consumer, longest", sorted.last ?? 0, "ms")
    }
}
