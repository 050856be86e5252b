// SPDX-License-Identifier: MIT

import Diagnostics
import HTTPServer
import Networking
import TestKit
import Testing

/// Clients that are slow on purpose, and clients that go away. Deadlines are short here, and tests wait for what they
/// bring about.
@Suite(.timeLimit(.minutes(5))) struct DeadlineTests {
    private func configuration(_ change: (inout HTTPServerConfiguration) -> Void) -> HTTPServerConfiguration {
        var configuration = HTTPServerConfiguration.patient
        change(&configuration)
        return configuration
    }

    private func cuts(_ metrics: ServerMetrics, _ kind: String) -> Bool {
        OpenMetrics.text(of: metrics.families).contains("http_connections_cut_total{deadline=\"\(kind)\"} 1\n")
    }

    /// Sends a byte every ten milliseconds until the server says or does something.
    private func drip(_ byte: String, into client: RawClient) async throws {
        // The connection may be cut between the look and the byte.
        try await TestThread.run { while !client.hasSomethingToRead { try? client.send(byte) } }
    }

    @Test func aHeaderInSmallPiecesIsCutOff() async throws {
        let metrics = ServerMetrics()
        let configuration = configuration { $0.headerTimeout = .milliseconds(200) }
        try await withServer(configuration, metrics: metrics, handler: { _ in .noContent }) { server in
            let client = try server.connect()
            try client.send("GET / HTTP/1.1\r\nHost: x\r\n")
            // There is always a byte: only a deadline for the whole ends this.
            try await drip("a", into: client)
            #expect(try await client.readToEnd() == [])
            #expect(cuts(metrics, "header"))
        }
    }

    @Test func aLaterHeaderInSmallPiecesIsCutOffToo() async throws {
        let metrics = ServerMetrics()
        let configuration = configuration { $0.headerTimeout = .milliseconds(300) }
        try await withServer(configuration, metrics: metrics, handler: { _ in .noContent }) { server in
            let client = try server.connect()
            try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.readAnswer().status == 204)
            try client.send("GET / HTTP/1.1\r\nHost: x\r\n")
            try await drip("a", into: client)
            #expect(try await client.readToEnd() == [])
            #expect(cuts(metrics, "header"))
        }
    }

    @Test func aConnectionThatSaysNothingIsCutOff() async throws {
        let metrics = ServerMetrics()
        let configuration = configuration { $0.headerTimeout = .milliseconds(100) }
        try await withServer(configuration, metrics: metrics, handler: { _ in .noContent }) { server in
            let client = try server.connect()
            #expect(try await client.readToEnd() == [])
            #expect(cuts(metrics, "header"))
        }
    }

    @Test func anIdleConnectionIsClosed() async throws {
        let metrics = ServerMetrics()
        let configuration = configuration { $0.idleTimeout = .milliseconds(100) }
        try await withServer(configuration, metrics: metrics, handler: { _ in .text("x") }) { server in
            let client = try server.connect()
            try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.readAnswer().status == 200)
            #expect(try await client.readToEnd() == [])
            #expect(cuts(metrics, "idle"))
        }
    }

    @Test func aBodyThatStopsIsCutOffAndItsHandlerCancelled() async throws {
        let (metrics, cancelled) = (ServerMetrics(), Signal())
        let configuration = configuration { $0.bodyIdleTimeout = .milliseconds(100) }
        try await withServer(
            configuration, metrics: metrics,
            handler: { request in
                do {
                    return .bytes(try await request.body.collect())
                } catch {
                    #expect(error is CancellationError)
                    await cancelled.fire()
                    throw error
                }
            },
            body: { server in
                let client = try server.connect()
                try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc")
                _ = try await client.readToEnd()
                await cancelled.wait()
                #expect(cuts(metrics, "body"))
            })
    }

    @Test func aBodyThatTricklesIsCutOff() async throws {
        let metrics = ServerMetrics()
        let configuration = configuration { configuration in
            configuration.transferGrace = .milliseconds(200)
            configuration.minimumBytesPerSecond = 100_000_000
            configuration.maximumBodyBytes = .max
        }
        try await withServer(
            configuration, metrics: metrics,
            handler: { request in
                for try await _ in request.body {}
                return .noContent
            },
            body: { server in
                let client = try server.connect()
                try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n")
                try await drip("a", into: client)
                #expect(try await client.readToEnd() == [])
                #expect(cuts(metrics, "body"))
            })
    }

    @Test func aHandlerMayTakeItsTimeOverABody() async throws {
        let (begun, release, metrics) = (Signal(), Signal(), ServerMetrics())
        let configuration = configuration { $0.bodyIdleTimeout = .seconds(1) }
        try await withServer(
            configuration, metrics: metrics,
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
                try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n")
                try client.send([UInt8](repeating: 0, count: 300_000))
                await begun.wait()
                // A deadline twice as long proves that the time has passed.
                try await waitForHeaderDeadline(.seconds(2))
                await release.fire()
                #expect(try await client.readAnswer().text == "300000")
            })
    }

    @Test func anAnswerThatNobodyReadsIsCutOff() async throws {
        let (metrics, ended) = (ServerMetrics(), Signal())
        let configuration = configuration { $0.writeTimeout = .milliseconds(100) }
        try await withServer(
            configuration, metrics: metrics,
            handler: { _ in
                .stream { writer in
                    do {
                        while true { try await writer.write([UInt8](repeating: 0, count: 64 << 10)) }
                    } catch {
                        await ended.fire()
                        throw error
                    }
                }
            },
            body: { server in
                let client = try server.connect()
                try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                await ended.wait()
                #expect(cuts(metrics, "write"))
                withExtendedLifetime(client) {}
            })
    }

    @Test(arguments: [true, false])
    func aClientThatGoesAwayCancelsAWaitingHandler(byReset: Bool) async throws {
        let (begun, cancelled) = (Signal(), Signal())
        try await withServer(
            handler: { _ in
                await begun.fire()
                await withTaskCancellationHandler {
                    await cancelled.wait()
                } onCancel: {
                    Task { await cancelled.fire() }
                }
                return .text("too late")
            },
            body: { server in
                let client = try server.connect()
                try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                await begun.wait()
                if byReset { client.reset() } else { client.hangUp() }
                await cancelled.wait()
                try await eventually { server.server.metrics.requestsInFlight == 0 }
                try await eventually { server.server.metrics.openConnections == 0 }
            })
    }

    @Test func aClientThatGoesAwayEndsAStreamThatIsSilent() async throws {
        let (begun, ended) = (Signal(), Signal())
        try await withServer(
            handler: { _ in
                .events(heartbeat: .seconds(3600)) { events in
                    try await events.send(ServerSentEvent(data: "one\ntwo"))
                    await begun.fire()
                    await untilCancelled()
                    await ended.fire()
                }
            },
            body: { server in
                let client = try server.connect()
                try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                let text = try await client.read(until: "data: two\n\n")
                #expect(text.contains("Content-Type: text/event-stream\r\n"))
                await begun.wait()
                client.hangUp()
                await ended.wait()
                try await eventually { server.server.metrics.requestsInFlight == 0 }
            })
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["GET / HTTP/1.1\r\nHost: x\r\n", "GET", "\r\n", ""])
    func aClientThatGoesAwayInItsHeaderIsNotWaitedFor(start: String) async throws {
        let configuration = configuration { $0.headerTimeout = .seconds(3600) }
        try await withServer(configuration, handler: { _ in .noContent }) { server in
            let client = try server.connect()
            try client.send(start)
            client.finish()
            #expect(try await client.readToEnd() == [])
        }
    }

    @Test func aClientThatOnlyFinishesSendingGetsItsAnswer() async throws {
        try await withServer(handler: { _ in .text("answer") }) { server in
            let client = try server.connect()
            try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            client.finish()
            #expect(String(decoding: try await client.readToEnd(), as: UTF8.self).hasSuffix("\r\n\r\nanswer"))
        }
    }
}

/// Waits for a server of its own to cut a silent connection off.
private func waitForHeaderDeadline(_ timeout: Duration) async throws {
    var configuration = HTTPServerConfiguration.patient
    configuration.headerTimeout = timeout
    try await withServer(configuration, handler: { _ in .noContent }) { server in
        _ = try await server.connect().readToEnd()
    }
}
