// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Foundation
import Networking
import Persistence
import SyncWire
import TestKit
import Testing

@testable import ParleyServer

/// The server as a process of its own, ended by SIGKILL while devices write.
@Suite(.timeLimit(.minutes(5))) struct SyncKillTests {
    private static let writers = 4

    /// Objects by number: true once the server has acknowledged one.
    private final class Sent: Sendable {
        let values = Guarded<[Int: Bool]>([:])
    }

    /// Each acknowledged object is there, each other one is there whole or not at all, and the quota counts what is there.
    @Test func `a killed server has what it acknowledged`() async throws {
        let home = try TemporaryFolder()
        let arguments = ["--public", "http://127.0.0.1:1"]
        var server = try ServerProcess(home: home.path, arguments)
        let token = try await server.signIn(try ServerFixture.makeClient())
        let sent = Sent()
        for round in 0..<8 {
            let client = try ServerFixture.makeClient()
            let address = server.address
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<Self.writers {
                    group.addTask {
                        var number = 1 + round * 100_000 + writer * 10_000
                        while true {
                            sent.values.withLock { $0[number] = false }
                            let status = await Self.put(number, address, token, client)
                            guard let status else { return }
                            #expect(status == 201, "\(number): \(status)")
                            sent.values.withLock { $0[number] = true }
                            number += 1
                        }
                    }
                }
                let target = (round + 1) * 12 + round % 5
                try await eventually("objects are acknowledged") {
                    sent.values.withLock { $0.values.count { $0 } } >= target
                }
                server.kill()
                try await group.waitForAll()
            }
            server = try ServerProcess(home: home.path, arguments)
            let listed = try await Self.list(server.address, token)
            for (number, wasAcknowledged) in sent.values.withLock({ $0 }) {
                let size = listed[SyncSample.name(number).text]
                if wasAcknowledged {
                    #expect(size == Self.bytes(number).count, "\(number) is lost")
                } else {
                    #expect(size == nil || size == Self.bytes(number).count, "\(number)")
                }
                guard size != nil else { continue }
                // As a device that has heard no answer does: the same bytes are there already.
                let again = await Self.put(number, server.address, token, try ServerFixture.makeClient())
                #expect(again == 200, "\(number)")
                sent.values.withLock { $0[number] = true }
            }
            sent.values.withLock { $0 = $0.filter { $0.value } }
        }
        #expect(server.stop() == 0)
        let store = try await SyncStore(
            SQLiteServerDatabase.open(home.path + "/sync.sqlite", SyncSchema.migrations, clock: .system))
        let sizes = try await store.database.read { try await $0.query("SELECT size FROM sync_object", as: Int.self) }
        let totals = try await store.totals()
        #expect(totals.objects == sizes.count && totals.bytes == sizes.reduce(0, +))
        await store.database.close()
    }

    private static func bytes(_ number: Int) -> [UInt8] { SoundSample(1 + number % 9_000, seed: UInt64(number)).bytes }

    /// The status; nil if the server has gone.
    private static func put(_ number: Int, _ address: String, _ token: String, _ client: CurlTransport) async -> Int? {
        guard let url = URL(string: address + SyncSample.path(number)) else { return nil }
        let headers: HTTPHeaders = ["Authorization": "Bearer \(token)", "Content-Type": "application/octet-stream"]
        return try? await client.send(HTTPRequest(.put, url, headers: headers, body: .bytes(bytes(number)))).status
    }

    /// The objects' sizes by their names.
    private static func list(_ address: String, _ token: String) async throws -> [String: Int] {
        let client = try ServerFixture.makeClient()
        let url = try #require(URL(string: address + SyncSample.path + "/objects"))
        let listing: RelayListing = try await client.value(
            for: HTTPRequest(.get, url, headers: ["Authorization": "Bearer \(token)"]))
        #expect(listing.whole && !listing.more)
        return Dictionary(listing.objects.map { ($0.name, $0.size) }) { first, _ in
            Issue.record("an object is listed twice")
            return first
        }
    }
}
