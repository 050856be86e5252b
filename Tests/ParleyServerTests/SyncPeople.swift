// SPDX-License-Identifier: MIT

import Foundation
import Networking
import ParleyServer
import SyncWire
import TestKit
import Testing

/// A group of devices, and names of its objects.
enum SyncSample {
    static let group = [UInt8](repeating: 0xA1, count: SyncLimit.groupByteCount)
    static let path = "/sync/" + String(repeating: "a1", count: SyncLimit.groupByteCount)

    static func name(_ number: Int = 1) -> SyncObjectName {
        .log(device: [UInt8](0..<16), first: UInt64(number), last: UInt64(number))
    }

    static func path(_ number: Int = 1) -> String { "\(path)/objects/\(name(number))" }
}

extension ServerFixture {
    func putObject(_ path: String, _ bytes: [UInt8], as person: Person) async throws -> Answer {
        try await send(.put, path, token: person.token, body: bytes, type: "application/octet-stream")
    }

    func listObjects(_ after: String? = nil, as person: Person) async throws -> RelayListing {
        let answer = try await call(
            .get, SyncSample.path + "/objects" + (after.map { "?after=\($0)" } ?? ""), as: person)
        try #require(answer.status == 200)
        return try decoded(answer)
    }

    /// The events of the group, as they come.
    func syncEvents(as person: Person, after last: String? = nil) async throws -> HTTPResponse {
        let url = try #require(URL(string: server.address + SyncSample.path + "/events"))
        var headers: HTTPHeaders = ["Authorization": "Bearer \(person.token)"]
        if let last { headers["Last-Event-ID"] = last }
        return try await client.send(HTTPRequest(.get, url, headers: headers))
    }
}

/// Reads the events of one connection.
struct SyncEventReader {
    private var bytes: HTTPResponseBody.AsyncIterator
    private var parser = ServerSentEventParser()
    private var events: [ServerSentEvent] = []

    init(_ response: HTTPResponse) {
        bytes = response.body.makeAsyncIterator()
    }

    /// The next event; nil once the server has ended the stream.
    mutating func next() async throws -> ServerSentEvent? {
        while events.isEmpty {
            guard let chunk = try await bytes.next() else { return nil }
            events = try parser.parse(chunk)
        }
        return events.removeFirst()
    }
}
