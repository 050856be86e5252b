// SPDX-License-Identifier: MIT

import Foundation
import Persistence
import TestKit
import Testing

/// A receiver that keeps every delivery in a file, one key a line, and takes each key's effect once.
private struct Receiver: Sendable {
    let path: String

    func take(_ item: OutboxItem) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(file) }
        let line = Array("\(item.idempotencyKey)\n".utf8)
        guard write(file, line, line.count) == line.count else { throw POSIXError(.EIO) }
    }

    func deliveries() throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}

@Suite(.timeLimit(.minutes(5))) struct OutboxProcessTests {
    private static let configuration = Outbox.Configuration(lease: .milliseconds(300))
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func killedBetweenTheEffectAndTheNoteItDeliversAgainAndTheEffectIsOne() async throws {
        let path = folder.database
        let received = folder.file("received")
        let outbox = try await Outbox(at: path, configuration: Self.configuration)
        for number in 1...3 {
            try await outbox.enqueue(
                OutboxMessage(payload: [], idempotencyKey: "item \(number)", orderingKey: "order"))
        }
        for _ in 1...2 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, received = received as String] in
                let outbox = try await Outbox(at: path, configuration: Self.configuration)
                let first = try await outbox.next()
                try Receiver(path: received).take(first.item)
                try await outbox.finish(first, .done)
                let second = try await outbox.next()
                try Receiver(path: received).take(second.item)
                kill(getpid(), SIGKILL)
            }
        }
        while let delivery = try await outbox.counts()[.leased, default: 0] > 0 ? outbox.next() : outbox.claim() {
            try Receiver(path: received).take(delivery.item)
            try await outbox.finish(delivery, .done)
        }
        let deliveries = try Receiver(path: received).deliveries()
        #expect(deliveries == ["item 1", "item 2", "item 2", "item 3", "item 3"])
        var effects: [String] = []
        for key in deliveries where !effects.contains(key) { effects.append(key) }
        #expect(effects == ["item 1", "item 2", "item 3"])
        #expect(try await outbox.counts().isEmpty)
    }

    @Test func twoProcessesShareTheWorkAndNeverAnItem() async throws {
        let path = folder.database
        let received = folder.file("received")
        let configuration = Outbox.Configuration(lease: .seconds(120))
        let outbox = try await Outbox(at: path, configuration: configuration)
        for number in 0..<60 {
            try await outbox.enqueue(
                OutboxMessage(payload: [], idempotencyKey: "\(number)", orderingKey: "\(number % 7)"))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(processExitsWith: .success) { [path = path as String, received = received as String] in
                    let outbox = try await Outbox(at: path, configuration: .init(lease: .seconds(120)))
                    while let delivery = try await outbox.claim() {
                        try Receiver(path: received).take(delivery.item)
                        try await outbox.finish(delivery, .done)
                    }
                }
            }
            group.addTask {
                while let delivery = try await outbox.claim() {
                    try Receiver(path: received).take(delivery.item)
                    try await outbox.finish(delivery, .done)
                }
            }
            try await group.waitForAll()
        }
        // Whatever the other held when one found nothing to do.
        while let delivery = try await outbox.claim() {
            try Receiver(path: received).take(delivery.item)
            try await outbox.finish(delivery, .done)
        }
        let deliveries = try Receiver(path: received).deliveries().compactMap { Int($0) }
        #expect(deliveries.sorted() == Array(0..<60))
        for key in 0..<7 {
            let ofKey = deliveries.filter { $0 % 7 == key }
            #expect(ofKey == ofKey.sorted())
        }
    }
}
