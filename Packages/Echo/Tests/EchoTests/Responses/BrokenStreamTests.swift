// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Echo
import FoundationEssentials
import HTTPServer
import Networking
import NetworkingTestSupport
import TestKit
import Testing

/// Streams that break, stall, are given up, or are read slowly: over real connections.
@Suite(.timeLimit(.minutes(5))) struct BrokenStreamTests {
    private static let request = ResponsesRequest(model: .gpt5, text: "Hi")

    private static var background: ResponsesRequest {
        var request = request
        request.background = true
        return request
    }

    /// Reads to the end or the error.
    private func read(_ stream: ResponseStream) async -> (text: String, numbers: [Int], error: EchoError?) {
        var text = ""
        var numbers: [Int] = []
        do {
            for try await event in stream {
                numbers.append(event.sequenceNumber ?? -1)
                if event.kind == .outputTextDelta, case .text(let delta) = event.detail { text += delta.text }
            }
            return (text, numbers, nil)
        } catch {
            return (text, numbers, error as? EchoError)
        }
    }

    private static let texts = (0..<50).map { "word \($0) " }

    @Test(arguments: [Fault.Action.reset, .close, .garbage([0xFF, 0x00, 0x41])])
    func aCutStreamHasWhatCame(action: Fault.Action) async throws {
        let server = try await ResponsesServer { _, _ in ResponsesServer.events(Sample.stream(Self.texts)) }
        let proxy = try FaultProxy(upstream: .port(UInt16(server.port)), fault: Fault(action, .inBody(3_000)))
        let client = ResponsesClient(key: "k", configuration: server.configuration(port: Int(proxy.port)))
        let (text, numbers, error) = await read(try await client.stream(Self.request))
        guard case .streamInterrupted(let interruption)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(numbers.count > 5)
        #expect(numbers.count < 52)
        #expect(interruption.partial.outputText == text)
        #expect(Self.texts.joined().hasPrefix(text))
        #expect(interruption.partial.id == "resp_1")
        #expect(interruption.lastSequenceNumber == numbers.last)
        #expect(server.requests.count == 1)
        #expect(client.meter.totals.requestsWithoutUsage == 1)
        proxy.close()
        await server.stop()
    }

    /// A server that keeps the stream, and begins it again where it is asked to, or a little before.
    private func keeping(_ events: [JSONValue], repeating: Int = 0) async throws -> ResponsesServer {
        try await ResponsesServer { asked, _ in
            guard asked.method == .get else { return ResponsesServer.events(events) }
            let after = asked.query["starting_after"].flatMap { Int($0) } ?? -1
            return ResponsesServer.events(Array(events.dropFirst(max(0, after + 1 - repeating))))
        }
    }

    @Test(arguments: [0, 3]) func aBackgroundAnswerGoesOnWhereItBroke(repeating: Int) async throws {
        let server = try await keeping(Sample.stream(Self.texts), repeating: repeating)
        let proxy = try FaultProxy(upstream: .port(UInt16(server.port))) { connection in
            connection < 4 ? Fault(.reset, .inBody(1_500 + connection * 100)) : nil
        }
        let client = ResponsesClient(key: "k", configuration: server.configuration(port: Int(proxy.port)))
        let stream = try await client.stream(Self.background)
        let (text, numbers, error) = await read(stream)
        #expect(error == nil)
        #expect(text == Self.texts.joined())
        #expect(numbers == Array(0..<52))
        #expect(stream.partial.status == .completed)
        let asked = server.requests
        #expect(asked.count == 5)
        #expect(asked[0].body["background"] == true)
        for request in asked.dropFirst() {
            #expect(request.path == "/v1/responses/resp_1")
            #expect(request.query["stream"] == "true")
            #expect(request.query["starting_after"] != nil)
        }
        #expect(client.meter.totals.usage["gpt-5"]?.outputTokens == 200)
        proxy.close()
        await server.stop()
    }

    @Test func resumingEndsAfterSoManyTries() async throws {
        let whole = Sample.stream(["a", "b"])
        let server = try await ResponsesServer { asked, _ in
            ResponsesServer.events(asked.method == .get ? [] : Array(whole.prefix(2)))
        }
        let client = ResponsesClient(key: "k", configuration: server.configuration())
        let (text, _, error) = await read(try await client.stream(Self.background))
        guard case .streamInterrupted(let interruption)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(text == "a")
        #expect(interruption.reason == .endedEarly)
        #expect(server.requests.count == 4)
        await server.stop()
    }

    @Test func anAnswerThatIsGoneIsNotAskedForAgain() async throws {
        let server = try await ResponsesServer { asked, _ in
            asked.method == .get
                ? ResponsesServer.json(["error": ["message": "gone"]], status: 404)
                : ResponsesServer.events(Array(Sample.stream(["a"]).prefix(2)))
        }
        let client = ResponsesClient(key: "k", configuration: server.configuration())
        let (_, _, error) = await read(try await client.stream(Self.background))
        guard case .streamInterrupted(let interruption)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(interruption.message.contains("gone"))
        #expect(interruption.partial.outputText == "a")
        #expect(server.requests.count == 2)
        await server.stop()
    }

    @Test func aKeptStreamCanBeReadLater() async throws {
        let server = try await keeping(Sample.stream(["a", "b", "c"]))
        let client = ResponsesClient(key: "k", configuration: server.configuration())
        let (text, numbers, error) = await read(try await client.resume("resp_1", after: 1))
        #expect(error == nil)
        #expect(text == "bc")
        #expect(numbers == [2, 3, 4])
        await server.stop()
    }

    @Test func aSilentStreamTimesOut() async throws {
        let server = try await ResponsesServer { _, _ in ResponsesServer.events(Sample.stream(Self.texts)) }
        let proxy = try FaultProxy(upstream: .port(UInt16(server.port)), fault: Fault(.stall, .inBody(2_000)))
        let configuration = server.configuration(port: Int(proxy.port)) { $0.streamIdleTimeout = .seconds(1) }
        let client = ResponsesClient(key: "k", configuration: configuration)
        let (text, _, error) = await read(try await client.stream(Self.request))
        guard case .streamInterrupted(let interruption)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(interruption.reason == .timedOut)
        #expect(interruption.partial.outputText == text)
        #expect(!text.isEmpty)
        proxy.close()
        await server.stop()
    }

    @Test func aMalformedEventEndsTheStreamAfterThoseBeforeIt() async throws {
        let broken = ServerResponse(
            headers: ["Content-Type": "text/event-stream"],
            body: .bytes(
                Array(
                    (Sample.stream(["a", "b"]).prefix(3).map { "data: \($0.text)\n\n" }.joined()
                        + "data: {\"type\":\"response.output_text.delta\"}\n\ndata: {}\n\n").utf8)))
        let server = try await ResponsesServer { _, _ in broken }
        let client = ResponsesClient(key: "k", configuration: server.configuration())
        let (text, _, error) = await read(try await client.stream(Self.background))
        guard case .streamInterrupted(let interruption)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(text == "ab")
        #expect(interruption.reason == .malformedEvent)
        #expect(interruption.message.contains("delta"))
        #expect(server.requests.count == 1)
        await server.stop()
    }

    @Test(arguments: [false, true]) func cancellingReachesTheServer(isBackground: Bool) async throws {
        let gone = Collected<Bool>()
        let server = try await ResponsesServer { asked, _ in
            guard asked.body["stream"] == true else {
                return ResponsesServer.json(Sample.response("", status: "cancelled"))
            }
            return .stream(headers: ["Content-Type": "text/event-stream"]) { writer in
                for event in Sample.stream(["a", "b"]).prefix(2) { try await writer.write("data: \(event.text)\n\n") }
                // Until it is cancelled, because the client has gone.
                let (never, continuation) = AsyncStream<Void>.makeStream()
                for await _ in never {}
                continuation.finish()
                gone.append(true)
            }
        }
        let client = ResponsesClient(key: "k", configuration: server.configuration())
        let read = Collected<String>()
        let reader = Task {
            for try await event in try await client.stream(isBackground ? Self.background : Self.request) {
                read.append(event.type)
            }
        }
        _ = try await read.first(2)
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        // The server's handler is told that nobody reads any more.
        _ = try await gone.first(1)
        #expect(server.requests.dropFirst().map(\.path) == (isBackground ? ["/v1/responses/resp_1/cancel"] : []))
        #expect(client.meter.totals.requestsWithoutUsage == 1)
        await server.stop()
    }

    /// A consumer that does not read makes the server wait: what is written goes into the buffers on the way and no
    /// further.
    @Test func aSlowReaderHoldsTheServerBack() async throws {
        let written = Guarded(0)
        let total = 60_000
        let delta = Sample.stream([String(repeating: "x", count: 400)])[1]
        let server = try await ResponsesServer { _, _ in
            .stream(headers: ["Content-Type": "text/event-stream"]) { writer in
                try await writer.write("data: \(Sample.stream([])[0].text)\n\n")
                for _ in 0..<total {
                    try await writer.write("data: \(delta.text)\n\n")
                    written.withLock { $0 += 1 }
                }
                try await writer.write("data: \(Sample.stream([])[1].text)\n\n")
            }
        }
        let client = ResponsesClient(key: "k", configuration: server.configuration())
        let stream = try await client.stream(Self.request)
        var iterator = stream.makeAsyncIterator()
        var count = 0
        var largestLead = 0
        while let event = try await iterator.next() {
            if event.kind == .outputTextDelta { count += 1 }
            if count == 1 {
                // Until the server cannot go on: what it has written stands still. Not for long: beside busy tests each step
                // takes its time, and the server gives up a reader that takes nothing for half a minute.
                var last = -1
                while last != written.withLock({ $0 }) {
                    last = written.withLock { $0 }
                    await disturbOrder(100)
                }
            }
            largestLead = max(largestLead, written.withLock { $0 } - count)
        }
        #expect(count == total)
        // 35 MB in all; buffers of the kernel and of both sides hold a part.
        #expect(largestLead < total / 2, "\(largestLead)")
        await server.stop()
    }
}
