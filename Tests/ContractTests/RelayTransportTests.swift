// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import Networking
import NetworkingTestSupport
import ParleyServer
import Sync
import SyncTransports
import SyncWire
import TestKit
import Testing

/// The client's transport against the real relay, on loopback.
@Suite(.timeLimit(.minutes(5))) struct RelayTransportTests {
    private static let group = [UInt8](repeating: 0x5C, count: SyncLimit.groupByteCount)

    private static func name(_ number: Int) -> SyncObjectName {
        .log(device: [UInt8](0..<16), first: UInt64(number), last: UInt64(number))
    }

    private func error(_ body: () async throws -> Void) async -> SyncError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? SyncError
        }
    }

    @Test func `what one device leaves another one reads`() async throws {
        try await ReferenceServer.run { server in
            let (one, other) = (server.relay(Self.group), server.relay(Self.group))
            let empty = try await one.list(after: nil)
            #expect(empty.objects.isEmpty && empty.isWhole && !empty.hasMore)
            #expect(try await other.list(after: nil).cursor == empty.cursor)
            #expect(empty.time ?? 0 > 1_700_000_000_000)
            let bytes = (0..<SyncLimit.objectByteCount).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 9) }
            try await one.create(Self.name(1), bytes)
            try await one.create(Self.name(1), bytes)
            try await one.create(Self.name(2), [])
            let listing = try await other.list(after: nil)
            #expect(
                listing.objects == [
                    SyncObject(name: Self.name(1), size: bytes.count), SyncObject(name: Self.name(2), size: 0),
                ])
            #expect(listing.isWhole && !listing.hasMore)
            #expect(try await other.read(Self.name(1)) == bytes)
            #expect(try await other.read(Self.name(2)).isEmpty)
            let taken = await error { try await other.create(Self.name(2), [1]) }
            #expect(taken?.code == .exists)
            for _ in 0..<2 { try await one.remove(Self.name(1)) }
            let gone = await error { _ = try await other.read(Self.name(1)) }
            #expect(gone?.code == .notFound && gone?.message.contains(Self.name(1).text) == true)
            try await one.create(Self.name(3), [3])
            let news = try await other.list(after: listing.cursor)
            #expect(news.objects == [SyncObject(name: Self.name(3), size: 1)] && !news.isWhole)
            #expect(try await other.list(after: SyncCursor("what another relay said")).objects.count == 2)
        }
    }

    @Test func `a long listing comes in pages`() async throws {
        try await ReferenceServer.run { server in
            let relay = server.relay(Self.group)
            let count = SyncLimit.listingCount + 1
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        for number in stride(from: 1 + writer, through: count, by: 4) {
                            try await relay.create(Self.name(number), [1])
                        }
                    }
                }
                try await group.waitForAll()
            }
            let first = try await relay.list(after: nil)
            #expect(first.hasMore && first.isWhole && first.objects.count == SyncLimit.listingCount)
            let second = try await relay.list(after: first.cursor)
            #expect(!second.hasMore && !second.isWhole)
            #expect(Set((first.objects + second.objects).map(\.name)) == Set((1...count).map { Self.name($0) }))
        }
    }

    @Test func `a new object is told to every device`() async throws {
        try await ReferenceServer.run { server in
            let (one, other) = (server.relay(Self.group), server.relay(Self.group))
            let changes = other.changes()
            var iterator = changes.makeAsyncIterator()
            // The stream is open: whatever comes now is told.
            #expect(await iterator.next() != nil)
            for number in 1...3 {
                try await one.create(Self.name(number), [1])
                #expect(await iterator.next() != nil)
                #expect(try await other.list(after: nil).objects.count == number)
            }
        }
    }

    @Test func `a consumer that is cancelled closes its stream`() async throws {
        try await ReferenceServer.run { server in
            let relay = server.relay(Self.group)
            let opened = Promise<Void>()
            let watching = Task {
                var count = 0
                for await _ in relay.changes() {
                    count += 1
                    opened.resolve()
                }
                return count
            }
            try await opened.value()
            watching.cancel()
            #expect(await watching.value == 1)
        }
    }

    @Test func `a full relay and a foreign account have their own errors`() async throws {
        try await ReferenceServer.run(change: { $0.sync.maximumObjects = 1 }) { server in
            let relay = server.relay(Self.group)
            try await relay.create(Self.name(1), [1])
            let full = await error { try await relay.create(Self.name(2), [1]) }
            #expect(full?.code == .full && full?.message.contains("Remove some") == true)
            let tooLarge = await error {
                try await relay.create(Self.name(2), [UInt8](repeating: 0, count: SyncLimit.objectByteCount + 1))
            }
            #expect(tooLarge?.code == .tooLarge)

            let stranger = RelayTransport(client: try server.client(token: nil), group: Self.group)
            let forged = RelayTransport(client: try server.client(token: "nonsense"), group: Self.group)
            for relay in [stranger, forged] {
                let refused = [
                    await error { _ = try await relay.list(after: nil) },
                    await error { _ = try await relay.read(Self.name(1)) },
                    await error { try await relay.create(Self.name(1), [1]) },
                    await error { try await relay.remove(Self.name(1)) },
                ]
                #expect(refused.map { $0?.code } == [.refused, .refused, .refused, .refused])
                // Watching ends instead of trying for ever.
                var count = 0
                for await _ in relay.changes() { count += 1 }
                #expect(count == 0)
            }
            #expect(try await relay.read(Self.name(1)) == [1])
        }
    }

    @Test func `a server that is out of reach is no refusal`() async throws {
        try await ReferenceServer.run { server in
            let relay = RelayTransport(
                client: try server.client(token: "any", address: "http://127.0.0.1:\(refusingPort)"), group: Self.group)
            let unreachable = await error { _ = try await relay.list(after: nil) }
            #expect(unreachable?.code == .unreachable)
            let call = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await relay.list(after: nil)
            }
            await #expect(throws: CancellationError.self) { try await call.value }
        }
    }
}
