// SPDX-License-Identifier: MIT

import HTTPServer
import Networking
import TestKit
import Testing

/// Bodies of answers that are written while they are sent.
@Suite(.timeLimit(.minutes(5))) struct StreamTests {
    private struct Fault: Error {}
    private let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func chunksArriveAsTheyAreWritten() async throws {
        let release = Signal()
        try await withServer(
            handler: { _ in
                .stream(headers: ["Content-Type": "text/plain"]) { writer in
                    try await writer.write("first")
                    await release.wait()
                    try await writer.write([])
                    try await writer.write("second")
                }
            },
            body: { server in
                let client = try server.connect()
                try client.send(get)
                let start = try await client.read(until: "5\r\nfirst\r\n")
                #expect(start.contains("Transfer-Encoding: chunked\r\n"))
                await release.fire()
                #expect(try await client.read(until: "0\r\n\r\n") == "6\r\nsecond\r\n0\r\n\r\n")
                // The connection is good for another request.
                try client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                #expect(String(decoding: try await client.readToEnd(), as: UTF8.self).hasSuffix("0\r\n\r\n"))
            })
    }

    @Test func aKnownLengthIsSent() async throws {
        try await withServer(
            handler: { _ in
                .stream(length: 6) { writer in
                    try await writer.write("abc")
                    // Before the last byte: with it the exchange may end, and its task is cancelled.
                    let error = await #expect(throws: HTTPServerError.self) { try await writer.write("defg") }
                    #expect(error?.code == .invalidResponse)
                    try await writer.write("def")
                }
            },
            body: { server in
                let answer = try await server.answer(to: get)
                #expect(answer.headers["Content-Length"] == "6")
                #expect(answer.text == "abcdef")
            })
    }

    @Test(arguments: [Int?.none, 100])
    func aBodyThatBreaksOffNeverLooksComplete(length: Int?) async throws {
        try await withServer(
            handler: { _ in
                .stream(length: length) { writer in
                    try await writer.write("abc")
                    throw Fault()
                }
            },
            body: { server in
                let text = try await server.everything(to: get)
                #expect(text.contains("abc"))
                #expect(!text.hasSuffix("0\r\n\r\n"))
                let response = try await server.transport().send(HTTPRequest(.get, try server.url("/")))
                await #expect(throws: NetworkError.self) { try await response.body.collect(upTo: 1 << 16) }
            })
    }

    @Test func aBodyThatIsTooShortNeverLooksComplete() async throws {
        try await withServer(handler: { _ in .stream(length: 9) { try await $0.write("abc") } }) { server in
            let response = try await server.transport().send(HTTPRequest(.get, try server.url("/")))
            await #expect(throws: NetworkError.self) { try await response.body.collect(upTo: 1 << 16) }
        }
    }

    @Test func aSlowReaderHoldsTheWriterBack() async throws {
        let (written, full) = (Signal(), Signal())
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        try await withServer(
            handler: { _ in
                .stream { writer in
                    for _ in 0..<64 {
                        try await writer.write(piece)
                        await written.fire()
                    }
                    await full.fire()
                }
            },
            body: { server in
                let client = try server.connect()
                try client.send(get)
                await written.wait()
                let other = try await server.answer(to: "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(other.status == 200)
                // What fits into the sockets' buffers is far less than 64 MB.
                #expect(await !full.hasFired)
                client.hangUp()
                try await eventually { server.server.metrics.requestsInFlight == 0 }
                #expect(await !full.hasFired)
            })
    }

    @Test func eventsReachAnEventSource() async throws {
        try await withServer(
            handler: { request in
                .events { events in
                    try await events.send(ServerSentEvent(type: "greeting", data: "a\nb", lastEventID: "7"))
                    try await events.send(ServerSentEvent(data: request.headers["Last-Event-ID"] ?? "-"))
                    await #expect(throws: HTTPServerError.self) {
                        try await events.send(ServerSentEvent(type: "x\ndata: y", data: ""))
                    }
                    await untilCancelled()
                }
            },
            body: { server in
                let source = EventSource(HTTPRequest(.get, try server.url("/")), transport: try server.transport())
                var received: [ServerSentEvent] = []
                for try await event in source {
                    received.append(event)
                    if received.count == 2 { break }
                }
                #expect(
                    received == [
                        ServerSentEvent(type: "greeting", data: "a\nb", lastEventID: "7"),
                        ServerSentEvent(data: "-", lastEventID: "7"),
                    ])
            })
    }

    @Test func heartbeatsAreSent() async throws {
        try await withServer(
            handler: { _ in .events(heartbeat: .milliseconds(1)) { _ in await untilCancelled() } },
            body: { server in
                let client = try server.connect()
                try client.send(get)
                _ = try await client.read(until: ":\n\n\r\n3\r\n:\n\n\r\n3\r\n:\n\n")
            })
    }
}
