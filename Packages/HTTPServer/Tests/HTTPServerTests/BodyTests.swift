// SPDX-License-Identifier: MIT

import Concurrency
import HTTPServer
import Networking
import Testing

/// Bodies of requests: limits, "100 Continue", what is left unread, and memory.
@Suite struct BodyTests {
    private let chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"

    private func collect(_ limit: Int = 1_000) -> HTTPHandler {
        { request in .text("\(try await request.body.collect(upTo: limit).count)") }
    }

    @Test func aLengthOverTheLimitIsRefusedAtOnce() async throws {
        try await withServer(handler: collect()) { server in
            // Nothing of the body is sent.
            let answer = try await server.answer(
                to: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\nExpect: 100-continue\r\n\r\n")
            #expect(answer.status == 413)
            #expect(answer.headers["Content-Type"] == "application/problem+json")
            let unexpecting = try await server.answer(
                to: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n")
            #expect(unexpecting.status == 413)
            #expect(unexpecting.headers["Connection"]?.lowercased() == "close")
        }
    }

    @Test func chunksOverTheLimitAreRefused() async throws {
        try await withServer(handler: collect()) { server in
            let client = try server.connect()
            try client.send(chunked)
            let piece = "1000\r\n" + String(repeating: "a", count: 4096) + "\r\n"
            // Until the server answers and then closes; the answer must survive what is still sent.
            async let sending: Void = TestThread.run {
                for _ in 0..<1_000 { if (try? client.send(piece)) == nil { return } }
            }
            #expect(try await client.readAnswer().status == 413)
            client.hangUp()
            try await sending
        }
    }

    @Test func aShortBodyThatNobodyReadsDoesNotCostTheConnection() async throws {
        try await withServer(handler: { _ in .text("unread") }) { server in
            let client = try server.connect()
            for _ in 0..<3 {
                try client.send(
                    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n"
                        + String(repeating: "a", count: 100_000))
                #expect(try await client.readAnswer().text == "unread")
            }
            #expect(server.server.metrics.acceptedConnections == 1)
        }
    }

    @Test func goingOnIsSaidWhenTheHandlerReads() async throws {
        let (begun, release) = (Signal(), Signal())
        try await withServer(
            handler: { request in
                await begun.fire()
                await release.wait()
                return .bytes(try await request.body.collect())
            },
            body: { server in
                let client = try server.connect()
                try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
                await begun.wait()
                await release.fire()
                #expect(try await client.readAnswer().status == 100)
                try client.send("body")
                #expect(try await client.readAnswer().text == "body")
            })
    }

    @Test(arguments: [
        "zz\r\n", "-1\r\n", "3\r\nabcd\r\n", "\r\n", "ffffffffffffffffff\r\n", "0x3\r\nabc\r\n",
    ])
    func malformedChunksAreRefused(_ body: String) async throws {
        try await withServer(handler: collect()) { server in
            let text = try await server.everything(to: chunked + body)
            #expect(text.hasPrefix("HTTP/1.1 4"), "\(text)")
            #expect(!text.contains("200 OK"))
        }
    }

    /// libmicrohttpd 1.0.0 and 1.0.1 take the line feed after an extension for content, and then find the chunk malformed.
    @Test func anExtensionOfAChunkIsIgnoredOrRefused() async throws {
        try await withServer(handler: collect()) { server in
            let client = try server.connect()
            try client.send(chunked + "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n")
            let answer = try await client.readAnswer()
            #expect(answer.text == "5" || answer.status == 400, "\(answer.text)")
        }
    }

    @Test func aHandlerThatDoesNotReadHoldsTheClientBack() async throws {
        let (begun, release, sent) = (Signal(), Signal(), Signal())
        let size = 64 << 20
        var configuration = HTTPServerConfiguration.patient
        configuration.maximumBodyBytes = size
        try await withServer(
            configuration,
            handler: { request in
                var count = 0
                for try await chunk in request.body {
                    count += chunk.count
                    await begun.fire()
                    await release.wait()
                }
                return .text("\(count)")
            },
            body: { server in
                let client = try server.connect()
                async let sending: Void = {
                    try await TestThread.run {
                        try client.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: \(size)\r\n\r\n")
                        try client.send([UInt8](repeating: 7, count: size))
                    }
                    await sent.fire()
                }()
                await begun.wait()
                // The server answers others meanwhile, and the rest does not fit into the sockets.
                for _ in 0..<50 { _ = try await server.answer(to: "GET / HTTP/1.1\r\nHost: x\r\n\r\n") }
                #expect(await !sent.hasFired)
                await release.fire()
                try await sending
                #expect(try await client.readAnswer().text == "\(size)")
            })
    }

    @Test(arguments: ["Content-Length: 1000000", "Transfer-Encoding: chunked"])
    func `what a client sent before it went away is read`(_ framing: String) async throws {
        let (begun, release, read) = (Signal(), Signal(), Signal())
        let count = Guarded(0)
        try await withServer(
            handler: { request in
                await begun.fire()
                await release.wait()
                do {
                    for try await chunk in request.body { count.withLock { $0 += chunk.count } }
                } catch {
                    await read.fire()
                    throw error
                }
                return .noContent
            },
            body: { server in
                let client = try server.connect()
                try client.send("PUT / HTTP/1.1\r\nHost: x\r\n\(framing)\r\n\r\n")
                if framing.hasPrefix("T") { try client.send("493e0\r\n") }
                try client.send([UInt8](repeating: 7, count: 300_000))
                await begun.wait()
                client.hangUp()
                await release.fire()
                await read.wait()
                #expect(count.withLock { $0 } == 300_000)
            })
    }

    @Test func `a client that only ends its sending is answered`() async throws {
        try await withServer(handler: collect(1 << 20)) { server in
            let client = try server.connect()
            try client.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n")
            try client.send([UInt8](repeating: 7, count: 300_000))
            client.finish()
            #expect(try await client.readAnswer().text == "300000")
        }
    }

    @Test func curlUploadsInBothFramings() async throws {
        try await withServer(handler: collect(1 << 20)) { server in
            let transport = try server.transport()
            let bytes = [UInt8](repeating: 1, count: 300_000)
            let known = try await transport.send(HTTPRequest(.put, try server.url("/"), body: .bytes(bytes)))
            #expect(try await known.body.collect(upTo: 100) == Array("300000".utf8))
            let chunks = AsyncStream<[UInt8]> { continuation in
                for _ in 0..<30 { continuation.yield(Array(bytes.prefix(10_000))) }
                continuation.finish()
            }
            let unknown = try await transport.send(
                HTTPRequest(.put, try server.url("/"), body: .stream(HTTPBodyStream(chunks))))
            #expect(try await unknown.body.collect(upTo: 100) == Array("300000".utf8))
        }
    }
}
