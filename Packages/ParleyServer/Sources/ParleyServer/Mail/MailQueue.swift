// SPDX-License-Identifier: MIT

import AuthServer
import Diagnostics
import FoundationEssentials
import Networking
import Persistence
import Security

/// Mails between their request and the mail server. They are on the disk, sealed, before the request is answered, and
/// survive the end of the process; a mail is tried again until its link and its code have expired. After a crash the
/// mail server may get a message twice, with the same Message-ID.
struct MailQueue: SignInMailer {
    private static let parallelDeliveries = 4

    let status = MailStatus()
    private let outbox: Outbox
    private let seal: MailSeal
    private let composer: MailComposer
    private let transport: any MailTransport
    private let clock: AuthClock
    private let logger: Logger
    private let capacity: Int
    private let ending: AsyncStream<Never>
    private let end: AsyncStream<Never>.Continuation

    /// - Parameter key: Seals the mails.
    init(
        _ file: MailFile, key: SymmetricKey, _ transport: any MailTransport, composer: MailComposer, clock: AuthClock,
        logger: Logger
    ) throws {
        outbox = file.outbox
        capacity = file.capacity
        seal = try MailSeal(key: key)
        (ending, end) = AsyncStream.makeStream()
        (self.composer, self.transport, self.clock, self.logger) = (composer, transport, clock, logger)
    }

    func enqueue(_ mail: SignInMail) async -> Bool {
        do {
            let id = try SecureRandom.token(byteCount: 16)
            let now = clock.now()
            // Written, sealed and stored without a recipient, too, so that the time of the answer reveals nothing of
            // the address.
            let recipient = mail.recipient ?? composer.sender
            let letter = Letter(
                recipient: recipient.value, isDropped: mail.recipient == nil,
                message: Data(composer.message(mail, to: recipient, at: now, id: id)),
                expiresAt: now + max(mail.linkLifetime, mail.codeLifetime))
            _ = try await outbox.enqueue(OutboxMessage(payload: seal.seal(letter, id: id), idempotencyKey: id))
            return true
        } catch {
            status.refused()
            logger.error("a sign-in mail was not queued: \(String(describing: error), privacy: .public)")
            return false
        }
    }

    /// The number of mails that wait.
    func waiting() async throws -> Int { try await outbox.pendingCount() }

    /// True once the queue takes no more.
    func isFull() async throws -> Bool { try await waiting() >= capacity }

    /// Ends the waiting: ``run()`` tries once what is due, and returns.
    func finish() { end.finish() }

    /// Sends mails, some at a time, until ``finish()`` or cancellation. The next process sends the rest.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.parallelDeliveries { group.addTask { await work() } }
            for await _ in ending {}
            group.cancelAll()
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.parallelDeliveries {
                group.addTask { await drain() }
            }
        }
    }

    private func drain() async {
        do {
            try await outbox.drain { await outcome(of: $0) }
        } catch is CancellationError {
            return
        } catch {
            logger.error("the mail queue cannot be emptied: \(String(describing: error), privacy: .public)")
        }
    }

    private func work() async {
        while !Task.isCancelled {
            do {
                let delivery = try await outbox.next()
                // Not a child task: ``finish()`` must not interrupt a message that the mail server is about to accept.
                let sending = Task { await attempt(delivery) }
                await sending.value
            } catch is CancellationError {
                return
            } catch {
                logger.error("the mail queue cannot be read: \(String(describing: error), privacy: .public)")
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func attempt(_ delivery: OutboxDelivery) async {
        do {
            try await outbox.deliver(delivery) { await outcome(of: $0) }
        } catch {
            // The mail stays in the queue, and is sent once more.
            logger.error("a mail's end was not stored: \(String(describing: error), privacy: .public)")
        }
    }

    private func outcome(of item: OutboxItem) async -> OutboxOutcome {
        guard let letter = try? seal.open(item.payload, id: item.idempotencyKey) else {
            logger.error("a sign-in mail was sealed by other keys, and is dropped")
            return .done
        }
        guard clock.now() < letter.expiresAt else {
            status.expired()
            logger.error("a sign-in mail was not sent in time, and is dropped")
            return .done
        }
        do {
            try await transport.deliver(
                [UInt8](letter.message), from: composer.sender.value, to: letter.isDropped ? nil : letter.recipient)
            status.sent()
            return .done
        } catch is CancellationError {
            return .release
        } catch {
            status.failed(error)
            logger.warning("a sign-in mail is tried again: \(String(describing: error), privacy: .public)")
            return .retry(reason: "the mail server did not take it")
        }
    }
}

/// Delivers a finished message to a mailbox.
protocol MailTransport: Sendable {
    /// - Parameters:
    ///   - message: A message of RFC 5322, with CR LF at the ends of lines.
    ///   - recipient: The mailbox; nil to do the same work in the same time and deliver no message.
    func deliver(_ message: [UInt8], from sender: String, to recipient: String?) async throws
}

extension SMTPTransport: MailTransport {
    func deliver(_ message: [UInt8], from sender: String, to recipient: String?) async throws {
        if let recipient { try await send(message, from: sender, to: [recipient]) } else { try await rehearse() }
    }
}
