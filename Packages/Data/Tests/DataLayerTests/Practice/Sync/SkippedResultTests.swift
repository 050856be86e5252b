// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Testing

@testable import DataLayer
@testable import PracticeWire

/// Results at the server that this program cannot read are asked for again by a newer one.
@Suite(.timeLimit(.minutes(5))) struct SkippedResultTests {
    private let server = ScriptedServer()
    private let database: PracticeDatabase
    private let result: PracticeResult

    init() async throws {
        database = try await PracticeDatabase()
        result = try PracticeSamples.result()
    }

    private func pull(_ program: String) async throws -> [Int] {
        let summary = try await ChangePuller(
            database, account: "ada", server: server.practice(), program: program
        ).pull()
        return [summary.added, summary.skipped]
    }

    private func stored() async throws -> PracticeResult? {
        try await SQLitePracticeRepository(database, owner: "ada").result(result.id)
    }

    /// A page with the result as another program writes it, and then no changes.
    private func serveUnreadable(_ item: String) throws {
        server.on("GET /changes", status: 200, text: #"{"items":[\#(item)],"deleted":[],"next":"7","has_more":false}"#)
        try server.on("GET /changes", json: PracticeChangesDTO(PracticeChanges(next: 7, hasMore: false)))
    }

    private var unreadable: String { #"{"id":"\#(result.id)","shape":"of a newer program"}"# }
    private var path: String { "GET /practice/\(result.id)" }

    @Test func `a newer program brings what an older one skipped`() async throws {
        try serveUnreadable(unreadable)
        try server.on(path, json: PracticeResultDTO(result))
        #expect(try await pull("1") == [0, 1])
        #expect(try await pull("1") == [0, 0], "the same program does not ask again")
        #expect(!server.requests.contains(path))
        #expect(try await pull("2") == [1, 0])
        #expect(try await stored() == result)
        #expect(try await pull("3") == [0, 0])
        #expect(server.requests.count { $0 == path } == 1, "once it is here nobody asks")
    }

    @Test func `what is unreadable still is asked for once a version`() async throws {
        try serveUnreadable(unreadable)
        server.on(path, status: 200, text: unreadable)
        for program in ["1", "2", "2", "3"] { _ = try await pull(program) }
        #expect(server.requests.count { $0 == path } == 2)
    }

    @Test func `what is gone by then is forgotten`() async throws {
        try serveUnreadable(unreadable)
        server.on(path, status: 404)
        for program in ["1", "2", "3"] { #expect(try await pull(program)[0] == 0) }
        #expect(server.requests.count { $0 == path } == 1)
    }

    @Test func `a server that fails is asked the next time`() async throws {
        try serveUnreadable(unreadable)
        server.on(path, status: 500)
        try server.on(path, json: PracticeResultDTO(result))
        _ = try await pull("1")
        await #expect(throws: DomainError.self) { try await pull("2") }
        #expect(try await pull("2") == [1, 0])
    }

    @Test func `an item without an id is left out alone`() async throws {
        try serveUnreadable(#"{"shape":"of nobody"},17"#)
        #expect(try await pull("1") == [0, 2])
        #expect(try await pull("2") == [0, 0])
    }
}
