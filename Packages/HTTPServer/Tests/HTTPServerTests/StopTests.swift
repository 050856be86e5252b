// SPDX-License-Identifier: MIT

import Foundation
import HTTPServer
import Networking
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct StopTests {
    @Test func requestsInFlightMayEnd() async throws {
        let (begun, release) = (Signal(), Signal())
        let server = HTTPServer { _ in
            await begun.fire()
            await release.wait()
            return .text("done")
        }
        let port = try await server.start().port
        let client = try RawClient(port: port)
        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await begun.wait()
        let idle = try RawClient(port: port)
        async let stopping: Void = server.stop(grace: .seconds(3600))
        // Idle connections go at once, and nobody gets in any more.
        #expect(try await idle.readToEnd() == [])
        try await eventually { (try? RawClient(port: port)) == nil }
        await release.fire()
        let text = String(decoding: try await client.readToEnd(), as: UTF8.self)
        #expect(text.hasSuffix("\r\n\r\ndone"))
        #expect(text.lowercased().contains("\r\nconnection: close\r\n"))
        await stopping
        #expect(server.metrics.openConnections == 0)
    }

    @Test func whatDoesNotEndIsCutOff() async throws {
        let (begun, cancelled) = (Signal(), Signal())
        let server = HTTPServer { request in
            if request.path == ["stream"] {
                // A stream that has not begun by the time the server stops never does.
                return .stream { writer in
                    try await writer.write("x")
                    await begun.fire()
                    await untilCancelled()
                    await cancelled.fire()
                }
            }
            await begun.fire()
            if request.path == ["body"] {
                do {
                    _ = try await request.body.collect()
                } catch {
                    await cancelled.fire()
                    throw error
                }
            }
            await untilCancelled()
            await cancelled.fire()
            return .noContent
        }
        let port = try await server.start().port
        let clients = try ["GET /", "GET /stream", "POST /body"].map { start in
            let client = try RawClient(port: port)
            try client.send("\(start) HTTP/1.1\r\nHost: x\r\nContent-Length: \(start == "POST /body" ? 9 : 0)\r\n\r\n")
            return client
        }
        await begun.wait(for: 3)
        async let first: Void = server.stop(grace: .zero)
        async let second: Void = server.stop(grace: .seconds(3600))
        _ = await (first, second)
        await cancelled.wait(for: 3)
        for client in clients { _ = try await client.readToEnd() }
        #expect(server.metrics.openConnections == 0)
        #expect(server.metrics.requestsInFlight == 0)
    }

    @Test func stoppingUnderLoadNeverHangs() async throws {
        for _ in 0..<20 {
            let server = HTTPServer { request in
                await disturbOrder()
                return .bytes(try await request.body.collect())
            }
            let port = try await server.start().port
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        while !Task.isCancelled, let client = try? RawClient(port: port) {
                            try? client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")
                            _ = try? await client.readAnswer()
                        }
                    }
                }
                try await eventually { server.metrics.acceptedConnections > 20 }
                await server.stop(grace: .zero)
                try await group.waitForAll()
            }
            #expect(server.metrics.openConnections == 0)
        }
    }

    /// The thread that answers is busy at the moment of each stop. `HTTP_STOPS=5000` takes some minutes.
    @Test(arguments: [1, 2]) func `no stop meets a busy thread's socket`(threads: Int) async throws {
        let stops = ProcessInfo.processInfo.environment["HTTP_STOPS"].flatMap { Int($0) } ?? 60
        var configuration = HTTPServerConfiguration.patient
        configuration.threads = threads
        // Each client begins again when it is answered, so that there is a busy moment again and again.
        let request = "GET / HTTP/1.1\r\nHost: x\r\n"
        let burst = String(repeating: request + "\r\n", count: 20) + request + "Connection: close\r\n\r\n"
        for _ in 0..<stops {
            let server = HTTPServer(configuration: configuration) { _ in .noContent }
            let port = try await server.start().port
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        while !Task.isCancelled, let client = try? RawClient(port: port) {
                            try? client.send(burst)
                            _ = try? await client.readToEnd()
                        }
                    }
                }
                try await eventually { server.metrics.requestsInFlight > 0 }
                await server.stop(grace: .zero)
                try await group.waitForAll()
            }
            #expect(server.metrics.openConnections == 0)
        }
    }

    @Test func `a full server stops with its last connection`() async throws {
        let (begun, release) = (Signal(), Signal())
        var configuration = HTTPServerConfiguration.patient
        configuration.maximumConnections = 1
        let server = HTTPServer(configuration: configuration) { _ in
            await begun.fire()
            await release.wait()
            return .text("done")
        }
        let port = try await server.start().port
        let client = try RawClient(port: port)
        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await begun.wait()
        async let stopping: Void = server.stop(grace: .seconds(3600))
        try await eventually { (try? RawClient(port: port)) == nil }
        await release.fire()
        #expect(String(decoding: try await client.readToEnd(), as: UTF8.self).hasSuffix("\r\n\r\ndone"))
        await stopping
        #expect(server.metrics.openConnections == 0)
    }

    @Test func aServerThatNeverStartedStops() async throws {
        let server = HTTPServer { _ in .noContent }
        await server.stop()
        await #expect(throws: HTTPServerError.self) { try await server.start() }
    }
}
