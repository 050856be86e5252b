// SPDX-License-Identifier: MIT

import Foundation
import Networking
import NetworkingTestSupport
import Testing

/// Cancellation, back-pressure and streams in both directions.
struct StreamingTests {
    private func transport() throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        configuration.timeouts = HTTPTimeouts(connect: nil, firstByte: nil, idle: nil)
        return try CurlTransport(configuration: configuration)
    }

    @Test func cancellingBeforeTheHeaderThrowsAndFreesTheConnection() async throws {
        let connections = AsyncStream.makeStream(of: Void.self)
        let proxy = try FaultProxy(upstream: .response(FaultTests.response)) { _ in
            connections.continuation.yield()
            return Fault(.stall, .beforeResponse)
        }
        defer { proxy.close() }
        let transport = try transport()
        let url = try #require(URL(string: "http://127.0.0.1:\(proxy.port)/"))
        let task = Task { try await transport.send(HTTPRequest(.get, url)) }
        for await _ in connections.stream { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await transport.send(HTTPRequest(.get, url))
        }
        await #expect(throws: CancellationError.self) { try await early.value }
    }

    @Test func cancellingWhileReadingThrows() async throws {
        let proxy = try FaultProxy(upstream: .response(FaultTests.response), fault: Fault(.stall, .inBody(10)))
        defer { proxy.close() }
        let transport = try transport()
        let url = try #require(URL(string: "http://127.0.0.1:\(proxy.port)/"))
        let response = try await transport.send(HTTPRequest(.get, url))
        let chunks = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for try await _ in response.body { chunks.continuation.yield() }
        }
        for await _ in chunks.stream { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aSlowReaderHoldsTheServerBack() async throws {
        let size = 20 << 20
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n".utf8)
        let proxy = try FaultProxy(upstream: .response(head + [UInt8](repeating: 7, count: size)), fault: nil)
        defer { proxy.close() }
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        // Time in which the reader is slow does not count as idle.
        configuration.timeouts = HTTPTimeouts(idle: .seconds(1))
        let transport = try CurlTransport(configuration: configuration)
        let url = try #require(URL(string: "http://127.0.0.1:\(proxy.port)/"))
        let response = try await transport.send(HTTPRequest(.get, url))
        let silent = try FaultProxy(upstream: .response(FaultTests.response), fault: Fault(.stall, .inBody(10)))
        defer { silent.close() }
        let silentURL = try #require(URL(string: "http://127.0.0.1:\(silent.port)/"))
        var largest = 0
        var total = 0
        var iterator = response.body.makeAsyncIterator()
        var number = 0
        while let chunk = try await iterator.next() {
            largest = max(largest, chunk.count)
            total += chunk.count
            number += 1
            // The reader is slow: meanwhile two other transfers run into the same time-out.
            if number == 3 {
                for _ in 0..<2 {
                    await #expect(throws: NetworkError.self) {
                        for try await _ in try await transport.send(HTTPRequest(.get, silentURL)).body {}
                    }
                }
            }
        }
        #expect(total == size)
        #expect(largest <= (256 << 10) + (64 << 10), "\(largest)")
    }

    @Test func droppingABodyClosesTheTransfer() async throws {
        let proxy = try FaultProxy(upstream: .response(FaultTests.response), fault: Fault(.stall, .inBody(10)))
        defer { proxy.close() }
        let transport = try transport()
        let url = try #require(URL(string: "http://127.0.0.1:\(proxy.port)/"))
        for _ in 0..<5 { _ = try await transport.send(HTTPRequest(.get, url)).status }
        #expect(proxy.connectionCount == 5)
    }

    @Test func aFailingSourceOfTheBodyIsTheCause() async throws {
        struct Broken: Error {}
        let server = try NginxServer.shared.get()
        let transport = try transport()
        let chunks = AsyncThrowingStream<[UInt8], any Error> { stream in
            stream.yield([1])
            stream.finish(throwing: Broken())
        }
        do {
            _ = try await transport.send(
                HTTPRequest(.put, server.plain("/put/broken"), body: .stream(HTTPBodyStream(chunks))))
            Issue.record("no error")
        } catch let error as NetworkError {
            #expect(error.code == .requestBody)
            #expect(error.underlying is Broken)
        }
    }

    /// The bytes of a body, and a word to whoever waits for it when the last that holds on to them lets go.
    private struct Source: AsyncSequence {
        final class Mark: Sendable {
            let isGone: AsyncStream<Void>.Continuation
            init(_ isGone: AsyncStream<Void>.Continuation) { self.isGone = isGone }
            deinit { isGone.finish() }
        }

        enum End: CaseIterable {
            case whole, failure, never
        }

        let mark: Mark
        let end: End

        func makeAsyncIterator() -> AsyncThrowingStream<[UInt8], any Error>.Iterator {
            AsyncThrowingStream { [mark, end] continuation in
                continuation.onTermination = { _ in withExtendedLifetime(mark) {} }
                continuation.yield([1, 2, 3])
                switch end {
                case .whole: continuation.finish()
                case .failure: continuation.finish(throwing: CancellationError())
                case .never: break
                }
            }.makeAsyncIterator()
        }
    }

    /// Not at the next occasion, when the idle loop looks at its deadlines after a minute: the time limit is the test.
    @Test(.timeLimit(.minutes(5)), arguments: Source.End.allCases)
    private func everyEndLetsGoOfTheBodysSource(end: Source.End) async throws {
        let server = try NginxServer.shared.get()
        var configuration = server.configuration
        configuration.timeouts.whole = end == .never ? .milliseconds(200) : nil
        let transport = try CurlTransport(configuration: configuration)
        for isCancelled in [false, true] {
            let gone = AsyncStream.makeStream(of: Void.self)
            let task = Task { [url = try server.plain("/put/source")] in
                let source = Source(mark: .init(gone.continuation), end: end)
                _ = try await transport.send(HTTPRequest(.put, url, body: .stream(HTTPBodyStream(source))))
            }
            if isCancelled { task.cancel() }
            _ = await task.result
            for await _ in gone.stream {}
        }
    }
}
