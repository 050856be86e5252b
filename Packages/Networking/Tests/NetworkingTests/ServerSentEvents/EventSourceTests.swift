// SPDX-License-Identifier: MIT

import Foundation
import Networking
import Synchronization
import TestKit
import Testing

@Suite("The event source")
struct EventSourceTests {
    /// A body that gives its chunks, then ends, breaks, or is silent until the reader is cancelled.
    private final class Body: HTTPBodySource {
        enum End { case clean, broken, silent }

        let summary = HTTPTransferSummary()
        private let chunks: Mutex<[String]>
        private let end: End

        init(_ chunks: [String], _ end: End) {
            self.chunks = Mutex(chunks)
            self.end = end
        }

        func next() async throws -> [UInt8]? {
            let chunk = chunks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let chunk { return Array(chunk.utf8) }
            switch end {
            case .clean: return nil
            case .broken: throw NetworkError(code: .connectionLost, message: "")
            case .silent:
                // Only cancelling ends it.
                try await ManualClock().sleep(until: ManualClock.Instant(offset: .seconds(1)))
                return nil
            }
        }
    }

    private final class Server: HTTPTransport {
        let requests = Mutex<[HTTPRequest]>([])
        private let answers: Mutex<[Result<HTTPResponse, NetworkError>]>

        init(_ answers: [Result<HTTPResponse, NetworkError>]) {
            self.answers = Mutex(answers)
        }

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            requests.withLock { $0.append(request) }
            return try answers.withLock {
                $0.isEmpty ? .failure(NetworkError(code: .closed, message: "")) : $0.removeFirst()
            }
            .get()
        }

        var lastEventIDs: [String?] { requests.withLock { $0.map { $0.headers["Last-Event-ID"] } } }
    }

    private let url = URL(filePath: "/")

    private func answer(
        _ chunks: [String] = [], _ end: Body.End = .clean, status: Int = 200, type: String = "text/event-stream"
    ) -> Result<HTTPResponse, NetworkError> {
        .success(
            HTTPResponse(
                status: status, headers: ["Content-Type": type], url: url,
                body: HTTPResponseBody(source: Body(chunks, end))))
    }

    private func source(
        _ server: Server, _ clock: ManualClock, method: HTTPMethod = .get,
        _ change: (inout EventSource.Configuration) -> Void = { _ in }
    ) -> EventSource {
        var configuration = EventSource.Configuration()
        change(&configuration)
        return EventSource(
            HTTPRequest(method, url), transport: server, configuration: configuration, clock: clock,
            random: SeededGenerator(seed: 1))
    }

    @Test func `it comes back with the last identifier after the server's time, until 204`() async throws {
        let server = Server([
            answer(["retry: 700\nid: 1\ndata: one\n\nid: 2\nda", "ta: two\n\nid: 3\ndata: cut off"]),
            answer(["data: three\n\nid\ndata: four\n\n"], .broken), answer(status: 204),
        ])
        let clock = ManualClock()
        let states = Mutex<[EventSource.State]>([])
        let source = source(server, clock) { configuration in
            configuration.onState = { state in states.withLock { $0.append(state) } }
        }
        let all = Task {
            var texts: [String] = []
            for try await event in source { texts.append("\(event.lastEventID) \(event.data)") }
            return texts
        }
        for _ in 0..<2 {
            // Of the two sleeps that there can be, the idle time-out is the one that is cancelled soon.
            await clock.waitForSleeper(of: .milliseconds(700))
            clock.advance(by: .milliseconds(700))
        }
        #expect(try await all.value == ["1 one", "2 two", "2 three", " four"])
        #expect(server.lastEventIDs == [nil, "2", nil])
        #expect(
            states.withLock { $0 } == [
                .connecting, .open, .waiting(.milliseconds(700)), .connecting, .open, .waiting(.milliseconds(700)),
                .connecting, .closed,
            ])
        let request = try #require(server.requests.withLock { $0.first })
        #expect(request.headers["Accept"] == "text/event-stream")
        #expect(request.maximumResponseBytes == .max)
    }

    @Test func `silence ends the connection and leads to the next`() async throws {
        let server = Server([answer(["data: one\n\n"], .silent), answer(["data: two\n\n"])])
        let clock = ManualClock()
        let source = source(server, clock) { $0.idleTimeout = .seconds(20) }
        var events = source.makeAsyncIterator()
        #expect(try await events.next()?.data == "one")
        let driver = Task {
            await clock.waitForSleeper(of: .seconds(20))
            clock.advance(by: .seconds(20))
            await clock.waitForSleeper(of: .seconds(3))
            clock.advance(by: .seconds(3))
        }
        #expect(try await events.next()?.data == "two")
        await driver.value
        #expect(server.lastEventIDs.count == 2)
    }

    @Test(arguments: [(200, "text/html"), (404, "text/event-stream"), (500, "text/event-stream")])
    func `another answer is an error`(status: Int, type: String) async throws {
        var events = source(Server([answer(status: status, type: type)]), ManualClock()).makeAsyncIterator()
        await expectError(.notAnEventStream) { _ = try await events.next() }
        #expect(try await events.next() == nil)
    }

    @Test func `an event over the limit is an error after those before it`() async throws {
        let server = Server([answer(["data: fine\n\ndata: " + String(repeating: "x", count: 200)])])
        var events = source(server, ManualClock()) { $0.maximumEventSize = 100 }.makeAsyncIterator()
        #expect(try await events.next()?.data == "fine")
        await expectError(.eventTooLarge) { _ = try await events.next() }
    }

    @Test func `the answer to a POST is read once`() async throws {
        let server = Server([answer(["data: one\n\n"])])
        var texts: [String] = []
        for try await event in source(server, ManualClock(), method: .post) { texts.append(event.data) }
        #expect(texts == ["one"])
        #expect(server.lastEventIDs.count == 1)
    }

    @Test func `cancelling ends the wait`() async throws {
        let source = source(Server([answer([], .silent)]), ManualClock())
        let waiting = Task { for try await _ in source {} }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
