// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Networking
import NetworkingTestSupport
import TestKit
import Testing

@testable import EchoText

/// Any chunking of any stream gives the same events.
@Suite struct StreamChunkingTests {
    @Test func everySplitOfASmallStream() async throws {
        let bytes = stream([
            #"{"type":"response.created","response":{"id":"r"},"sequence_number":0}"#,
            #"{"type":"response.output_text.delta","delta":"é👋","sequence_number":1}"#,
            #"{"type":"response.completed","response":{"id":"r"},"sequence_number":2}"#,
        ])
        let whole = try await events(of: [bytes])
        #expect(whole.count == 3)
        for split in 1..<bytes.count {
            let parts = [Array(bytes[..<split]), Array(bytes[split...])]
            #expect(try await events(of: parts) == whole, "split at \(split)")
        }
        #expect(try await events(of: bytes.map { [$0] }) == whole)
    }

    @Test(arguments: 1...40) func anyChunkingOfAnyStream(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var texts = (0..<60).compactMap { _ in EventSamples.texts.randomElement(using: &random) }
            .filter { !$0.contains("response.completed") && !$0.contains("response.failed") }
            .filter { !$0.contains("response.incomplete") && !$0.contains(#""type":"error""#) }
        texts.append(#"{"type":"response.completed","response":{"id":"r"}}"#)
        let bytes = stream(texts, isVaried: true, using: &random)
        let whole = try await events(of: [bytes])
        #expect(whole.count == texts.count, "seed \(seed)")
        for _ in 0..<4 {
            var parts: [[UInt8]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let length = Int.random(in: 1...max(1, Int.random(in: 1...400, using: &random)), using: &random)
                parts.append(Array(rest.prefix(length)))
                rest = rest.dropFirst(length)
            }
            #expect(try await events(of: parts) == whole, "seed \(seed)")
        }
    }

    private func stream(_ texts: [String]) -> [UInt8] {
        var random = SeededGenerator(seed: 0)
        return stream(texts, isVaried: false, using: &random)
    }

    /// A stream with line ends of each kind, comments and names now and then.
    private func stream(_ texts: [String], isVaried: Bool, using random: inout SeededGenerator) -> [UInt8] {
        var stream = ""
        for text in texts {
            let end = isVaried ? ["\n", "\r\n", "\r"].randomElement(using: &random) ?? "\n" : "\n"
            if isVaried, Bool.random(using: &random) { stream += ": still here" + end }
            if isVaried, Bool.random(using: &random) { stream += "event: whatever" + end }
            stream += "data: " + text + end + end
        }
        return Array(stream.utf8)
    }

    /// The events that the driver makes of these chunks.
    private func events(of chunks: [[UInt8]]) async throws -> [ResponseStreamEvent] {
        let transport = ScriptedTransport { request in
            HTTPResponse(
                status: 200, headers: ["Content-Type": "text/event-stream"], url: request.url,
                body: HTTPResponseBody(source: ChunkedSource(chunks)))
        }
        var configuration = EchoConfiguration()
        configuration.transport = transport
        let client = ResponsesClient(key: "k", configuration: configuration)
        var events: [ResponseStreamEvent] = []
        for try await event in try await client.stream(ResponsesRequest(model: .gpt5, text: "x")) {
            events.append(event)
        }
        return events
    }
}

/// A body of these chunks, as they are.
final class ChunkedSource: HTTPBodySource {
    private let rest: Guarded<ArraySlice<[UInt8]>>
    let summary = HTTPTransferSummary()

    init(_ chunks: [[UInt8]]) { rest = Guarded(chunks[...]) }

    func next() async throws -> [UInt8]? { rest.withLock { $0.popFirst() } }
}
