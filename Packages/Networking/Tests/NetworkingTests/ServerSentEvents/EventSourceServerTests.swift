// SPDX-License-Identifier: MIT

import Foundation
import Networking
import Testing

@Suite("The event source against a server over HTTP")
struct EventSourceServerTests {
    private let server: PythonPeer
    private let transport: CurlTransport

    init() throws {
        server = try PythonPeer("event_server.py", python: "/usr/bin/python3")
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        transport = try CurlTransport(configuration: configuration)
    }

    private func url(_ path: String) throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)"))
    }

    /// An event source whose own reconnection time no test would survive: it has to obey the server's.
    private func source(
        _ path: String, _ change: (inout EventSource.Configuration) -> Void = { _ in }
    ) throws -> EventSource {
        var configuration = EventSource.Configuration()
        configuration.reconnectionTime = .seconds(3600)
        change(&configuration)
        return EventSource(HTTPRequest(.get, try url(path)), transport: transport, configuration: configuration)
    }

    private func log() async throws -> [String] {
        let body = try await transport.send(HTTPRequest(.get, url("/log"))).body.collect()
        return String(decoding: body, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(.timeLimit(.minutes(5)))
    func `streams that are cut go on after the last whole event, until 204`() async throws {
        var events: [ServerSentEvent] = []
        for try await event in try source("/story") { events.append(event) }
        #expect(events.map(\.data) == ["one", "two\nlines", "after", "four", "five"])
        #expect(events.map(\.type) == ["message", "more", "message", "message", "message"])
        #expect(events.map(\.lastEventID) == ["1", "é2", "é2", "4", "4"])
        #expect(try await log() == ["-", "é2", "4", "4"].map { "/story text/event-stream \($0)" })
    }

    @Test(.timeLimit(.minutes(5)))
    func `a connection that falls silent is closed, and a new one made`() async throws {
        var events: [String] = []
        for try await event in try source("/silent", { $0.idleTimeout = .milliseconds(500) }) {
            events.append(event.data)
        }
        #expect(events == ["visit 1", "visit 2"])
        let log = try await log()
        #expect(log.filter { $0.hasPrefix("/silent") }.map { $0.last } == ["-", "1", "2"])
        // The 204 came after the first connection's end was seen, or it never was.
        #expect(log.contains("closed by the client"))
    }

    @Test(.timeLimit(.minutes(5)), arguments: [1, 2, 3])
    func `cut anywhere, each event comes once and in order`(seed: Int) async throws {
        var numbers: [Int] = []
        for try await event in try source("/random/\(seed)/600") {
            numbers.append(try #require(Int(event.lastEventID)))
            #expect(event.data.hasPrefix("\(event.lastEventID) "))
        }
        #expect(numbers == Array(1...600), "seed \(seed)")
        #expect(try await log().count > 5)
    }
}
