// SPDX-License-Identifier: MIT

import Concurrency
import HTTPServer
import LocalPage
import Networking
import TestKit
import Testing

@Suite("Events for many tabs", .timeLimit(.minutes(5))) struct EventHubTests {
    /// A server whose only route is the hub, and a client of it.
    private static func serving(
        _ hub: EventHub, _ body: (HTTPClient) async throws -> Void
    ) async throws {
        var router = Router()
        router.get("/live") { request in hub.response(to: request) { _ in "all" } }
        let server = HTTPServer(handler: router.handler)
        let address = try await server.start()
        let client = try HTTPClient(baseURL: "http://127.0.0.1:\(address.port)")
        do { try await body(client) } catch {
            Issue.record(error)
        }
        hub.close()
        await client.close()
        await server.stop(grace: .zero)
    }

    private static func events(
        _ client: HTTPClient, after id: String? = nil, _ count: Int, _ body: () -> Void = {}
    ) async throws -> [ServerSentEvent] {
        var configuration = EventSource.Configuration()
        if let id { configuration.lastEventID = id }
        let request = try client.request(.get, "live")
        var events: [ServerSentEvent] = []
        for try await event in EventSource(request, transport: client, configuration: configuration) {
            events.append(event)
            if events.count == 1 { body() }
            if events.count == count { break }
        }
        return events
    }

    @Test func `a new reader gets a snapshot, then what happens`() async throws {
        let hub = EventHub()
        hub.send("before")
        try await Self.serving(hub) { client in
            let events = try await Self.events(client, 3) {
                hub.send("one")
                hub.send("two")
            }
            #expect(events.map(\.type) == ["snapshot", "message", "message"])
            #expect(events.map(\.data) == ["all", "one", "two"])
        }
    }

    @Test func `a reader that comes back gets what it missed, or a snapshot if that is gone`() async throws {
        let hub = EventHub(keptLimit: 4)
        try await Self.serving(hub) { client in
            let first = try await Self.events(client, 2) { hub.send("seen") }
            let last = try #require(first.last).lastEventID
            hub.send("level", isPassing: true)
            hub.send("missed")
            let second = try await Self.events(client, after: last, 1)
            #expect(second.map(\.data) == ["missed"])
            for number in 0..<20 { hub.send("\(number)") }
            #expect(try await Self.events(client, after: last, 1).map(\.type) == ["snapshot"])
            // Another run of the program has other numbers.
            #expect(try await Self.events(client, after: "other.1", 1).map(\.type) == ["snapshot"])
        }
    }

    @Test func `a reader that comes back gets all events that are kept`() async throws {
        let hub = EventHub(keptLimit: 300)
        try await Self.serving(hub) { client in
            let first = try await Self.events(client, 2) { hub.send("seen") }
            for number in 0..<590 { hub.send("\(number)") }
            var configuration = EventSource.Configuration()
            configuration.lastEventID = try #require(first.last).lastEventID
            var received: [String] = []
            let request = try client.request(.get, "live")
            for try await event in EventSource(request, transport: client, configuration: configuration) {
                if received.isEmpty { hub.send("live") }
                received.append(event.data)
                if event.data == "live" { break }
            }
            #expect(received == (0..<590).map { "\($0)" } + ["live"])
        }
    }

    @Test func `a reader that does not read is cut off, and holds up nobody`() async throws {
        let hub = EventHub(keptLimit: 10)
        try await Self.serving(hub) { client in
            // The answer is asked for and never read.
            let stuck = try await client.send(client.request(.get, "live"))
            try await eventually("the reader is there") { hub.readers == 1 }
            let text = String(repeating: "x", count: 100_000)
            for _ in 0..<300 { hub.send(text, isPassing: true) }
            #expect(hub.readers == 1, "a passing value cuts nobody off")
            for _ in 0..<300 { hub.send(text) }
            #expect(hub.readers == 0)
            let events = try await Self.events(client, 2) { hub.send("after") }
            #expect(events.map(\.data) == ["all", "after"])
            withExtendedLifetime(stuck) {}
        }
    }
}
