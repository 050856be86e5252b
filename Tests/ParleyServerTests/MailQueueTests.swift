// SPDX-License-Identifier: MIT

import AuthServerTestSupport
import Concurrency
import Diagnostics
import Foundation
import Networking
import Security
import TestKit
import Testing

@testable import AuthServer
@testable import ParleyServer

/// The queue of mails, closed and opened again as a process that ends and one that starts do.
@Suite(.timeLimit(.minutes(5))) struct MailQueueTests {
    private let home: TemporaryFolder
    private let clock = VirtualAuthClock()
    private let key: SymmetricKey
    private let link = "a-link-token-that-nobody-may-find"
    private let code = "271828"

    init() throws {
        home = try TemporaryFolder()
        key = try SymmetricKey()
    }

    /// Takes messages once a gate is open, or refuses each.
    private final class ScriptedTransport: MailTransport {
        struct Delivery: Sendable, Equatable {
            let recipient: String?
            let message: String
        }

        let deliveries: AsyncStream<Delivery>
        private let taken: AsyncStream<Delivery>.Continuation
        private let failure: NetworkError?
        private let gate: Promise<Void>?
        private let acceptsAlways: Bool

        init(failure: NetworkError? = nil, gate: Promise<Void>? = nil, acceptsAlways: Bool = false) {
            (self.failure, self.gate, self.acceptsAlways) = (failure, gate, acceptsAlways)
            (deliveries, taken) = AsyncStream.makeStream()
        }

        func deliver(_ message: [UInt8], from sender: String, to recipient: String?) async throws {
            taken.yield(Delivery(recipient: recipient, message: String(decoding: message, as: UTF8.self)))
            if let failure { throw failure }
            if acceptsAlways { try await gate?.valueDespiteCancellation() } else { try await gate?.value() }
        }

        func next() async throws -> Delivery {
            for await delivery in deliveries { return delivery }
            throw CancellationError()
        }
    }

    private func mail(to address: String?) throws -> SignInMail {
        SignInMail(
            recipient: try address.map { try EmailAddress($0) }, token: Sensitive(link), code: Sensitive(code),
            linkLifetime: .seconds(900), codeLifetime: .seconds(600))
    }

    private func enqueue(_ queue: MailQueue, to address: String?) async throws -> Bool {
        await queue.enqueue(try mail(to: address))
    }

    /// Opens the queue for a test, and closes it.
    private func withQueue(
        _ transport: ScriptedTransport, key other: SymmetricKey? = nil, capacity: Int = 10,
        _ body: (MailQueue) async throws -> Void
    ) async throws {
        let database = try await SQLiteServerDatabase.open(
            home.path + "/mails.sqlite", MailSchema.migrations, clock: clock.clock)
        let composer = MailComposer(sender: try EmailAddress("parley@example.org"), address: "http://127.0.0.1:1")
        let cipher = try AEAD(key: other ?? key)
        let queue = MailQueue(
            DeliveryStore(database: database, capacity: capacity), seal: DeliverySeal { [cipher] }, transport,
            composer: composer, clock: clock.clock, logger: .disabled)
        try await body(queue)
        await database.close()
    }

    /// Runs the queue until the transport was called once, and ends it.
    private func delivered(_ queue: MailQueue, _ transport: ScriptedTransport) async throws
        -> ScriptedTransport.Delivery
    {
        async let run: Void = queue.run()
        let delivery = try await transport.next()
        queue.finish()
        await run
        return delivery
    }

    @Test func `a mail is sent by the next process`() async throws {
        try await withQueue(ScriptedTransport()) { queue in
            let isQueued = try await enqueue(queue, to: "ada@example.org")
            #expect(isQueued)
        }
        let failing = ScriptedTransport(failure: NetworkError(code: .connect, message: "nobody listens"))
        var first: ScriptedTransport.Delivery?
        try await withQueue(failing) { queue in
            first = try await delivered(queue, failing)
            let waiting = try await queue.waiting()
            #expect(waiting == 1)
            #expect(queue.status.counts.failedAttempts >= 1)
        }
        clock.advance(by: .seconds(5))
        let good = ScriptedTransport()
        try await withQueue(good) { queue in
            // The same message with the same Message-ID, so that a mail server can drop a second one.
            let second = try await delivered(queue, good)
            #expect(second == first)
            let waiting = try await queue.waiting()
            #expect(waiting == 0)
            #expect(queue.status.counts.sent == 1)
        }
        #expect(first?.recipient == "ada@example.org" && first?.message.contains(code) == true)
        #expect(first?.message.contains("Message-ID: <") == true)
    }

    @Test func `the file shows no address, link or code`() async throws {
        try await withQueue(ScriptedTransport()) { queue in
            let isQueued = try await enqueue(queue, to: "ada@example.org")
            #expect(isQueued)
            var bytes = Data()
            for name in try FileManager.default.contentsOfDirectory(atPath: home.path) where name.hasPrefix("mails") {
                let path = home.path + "/" + name
                bytes += try Data(contentsOf: URL(filePath: path))
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600, "\(name)")
            }
            // What is grepped for is found where it is there: the table's name.
            #expect(bytes.range(of: Data("letter_by_time".utf8)) != nil)
            for secret in ["ada@example.org", "example.org", link, code, "Sign in to Parley"] {
                #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)")
                #expect(
                    bytes.range(of: Data(Data(secret.utf8).base64EncodedString().prefix(8).utf8)) == nil, "\(secret)")
            }
        }
    }

    @Test func `a mail ends with its link and code`() async throws {
        let transport = ScriptedTransport()
        try await withQueue(transport) { queue in
            let isQueued = try await enqueue(queue, to: "old@example.org")
            #expect(isQueued)
        }
        clock.advance(by: .seconds(900))
        try await withQueue(transport) { queue in
            let isQueued = try await enqueue(queue, to: "new@example.org")
            #expect(isQueued)
            let recipient = try await delivered(queue, transport).recipient
            #expect(recipient == "new@example.org")
            let waiting = try await queue.waiting()
            #expect(waiting == 0)
            #expect(queue.status.counts.expired == 1)
        }
    }

    @Test func `a mail under a missing key waits for it`() async throws {
        let transport = ScriptedTransport()
        try await withQueue(transport) { queue in
            for name in ["old", "late"] {
                let isQueued = try await enqueue(queue, to: "\(name)@example.org")
                #expect(isQueued)
            }
        }
        let other = try SymmetricKey()
        try await withQueue(transport, key: other) { queue in
            let isQueued = try await enqueue(queue, to: "new@example.org")
            #expect(isQueued)
            let recipient = try await delivered(queue, transport).recipient
            #expect(recipient == "new@example.org")
            let summary = try await queue.summary()
            #expect(summary.count == 2 && summary.failure == "its root key is missing")
        }
        clock.advance(by: .seconds(60))
        try await withQueue(transport) { queue in
            async let run: Void = queue.run()
            let recipients = [try await transport.next().recipient, try await transport.next().recipient]
            #expect(Set(recipients) == ["old@example.org", "late@example.org"])
            queue.finish()
            await run
        }
    }

    @Test func `a mail whose key is lost ends after three days`() async throws {
        let transport = ScriptedTransport()
        try await withQueue(transport) { queue in
            let isQueued = try await enqueue(queue, to: "old@example.org")
            #expect(isQueued)
        }
        for (days, left) in [(0, 1), (2, 1), (3, 0)] {
            clock.advance(by: .seconds(days * 86_400))
            try await withQueue(transport, key: SymmetricKey()) { queue in
                queue.finish()
                await queue.run()
                let waiting = try await queue.waiting()
                #expect(waiting == left, "\(days) days more")
            }
        }
    }

    /// The server's grace period ends by cancellation. A mail that was accepted meanwhile is not sent again.
    @Test(arguments: [(false, false), (true, false), (true, true)])
    func `only cancellation interrupts a mail`(isCancelled: Bool, isAccepted: Bool) async throws {
        let gate = Promise<Void>()
        let transport = ScriptedTransport(gate: gate, acceptsAlways: isAccepted)
        try await withQueue(transport) { queue in
            let isQueued = try await enqueue(queue, to: "ada@example.org")
            #expect(isQueued)
            let run = Task { await queue.run() }
            _ = try await transport.next()
            queue.finish()
            if isCancelled { run.cancel() }
            if isAccepted || !isCancelled { gate.resolve() }
            await run.value
            let waiting = try await queue.waiting()
            #expect(waiting == (isCancelled && !isAccepted ? 1 : 0))
        }
    }

    @Test func `a mail for nobody goes the same way`() async throws {
        let transport = ScriptedTransport()
        try await withQueue(transport) { queue in
            let isQueued = try await enqueue(queue, to: nil)
            #expect(isQueued)
            let delivery = try await delivered(queue, transport)
            #expect(delivery.recipient == nil && delivery.message.contains(link))
        }
    }

    @Test func `a full queue refuses`() async throws {
        try await withQueue(ScriptedTransport(), capacity: 2) { queue in
            for _ in 0..<2 {
                let isQueued = try await enqueue(queue, to: "ada@example.org")
                #expect(isQueued)
            }
            let isQueued = try await enqueue(queue, to: "ada@example.org")
            #expect(!isQueued)
            let isFull = try await queue.isFull()
            #expect(isFull)
            #expect(queue.status.counts.refused == 1)
        }
    }

    /// Else a balancer would send no request that makes the next mail.
    @Test func `an outage ends with the last mail that waits`() async throws {
        try await withQueue(ScriptedTransport()) { queue in
            let isQueued = try await enqueue(queue, to: "ada@example.org")
            #expect(isQueued)
            for _ in 0..<3 { queue.status.failed(NetworkError(code: .connect, message: "")) }
            var isBroken = try await queue.isBroken()
            #expect(isBroken)
            clock.advance(by: .seconds(900))
            queue.finish()
            await queue.run()
            isBroken = try await queue.isBroken()
            #expect(!isBroken && queue.status.counts.expired == 1)
        }
    }

    @Test func `mails without their key make no outage`() async throws {
        try await withQueue(ScriptedTransport()) { queue in
            let isQueued = try await enqueue(queue, to: "ada@example.org")
            #expect(isQueued)
        }
        try await withQueue(ScriptedTransport(), key: SymmetricKey()) { queue in
            for _ in 0..<3 { queue.status.failed(NetworkError(code: .connect, message: "")) }
            var isBroken = try await queue.isBroken()
            #expect(isBroken, "nobody has looked at it")
            queue.finish()
            await queue.run()
            isBroken = try await queue.isBroken()
            let waiting = try await queue.waiting()
            #expect(!isBroken && waiting == 1)
        }
    }

    /// Else anybody who asks for mails to addresses that do not exist would make the server look broken.
    @Test func `refused recipients do not mean a broken mail server`() {
        let status = MailStatus()
        for _ in 0..<5 { status.failed(NetworkError(code: .status, message: "", status: 550)) }
        #expect(!status.isBroken)
        for _ in 0..<3 { status.failed(NetworkError(code: .connect, message: "")) }
        #expect(status.isBroken && status.counts.failedAttempts == 8)
        status.sent()
        #expect(!status.isBroken)
    }
}
