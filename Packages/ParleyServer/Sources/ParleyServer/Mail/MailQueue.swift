// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Diagnostics
import Networking
import Security

/// Mails between their request and the mail server. They are on the disk, sealed, before the request is answered, and
/// survive the end of the process; a mail is tried again until its link and its code have expired. After a crash the
/// mail server may get a message twice, with the same Message-ID.
struct MailQueue: SignInMailer {
    let status = MailStatus()
    private let queue: DeliveryQueue
    private let intake: MailIntake

    /// - Parameter seal: Seals the mails.
    init(
        _ store: DeliveryStore, seal: DeliverySeal, _ transport: any MailTransport, composer: MailComposer,
        clock: AuthClock, logger: Logger
    ) {
        let delivery = MailDelivery(
            seal: seal, transport: transport, sender: composer.sender, status: status, clock: clock, logger: logger)
        let queue = DeliveryQueue(store, name: "mails", logger: logger) { await delivery.attempt($0) }
        self.queue = queue
        intake = MailIntake(
            store: store, seal: seal, composer: composer, status: status, clock: clock, logger: logger,
            queued: { queue.ring() })
    }

    func enqueue(_ mail: SignInMail) async -> Bool { await intake.enqueue(mail) }

    /// The number of mails that wait.
    func waiting() async throws -> Int { try await queue.store.count() }

    /// The state of the queue; for tests.
    func summary() async throws -> DeliveryStore.Summary { try await queue.store.summary() }

    /// True if mails wait and the last attempts did not reach the mail server. Without a mail no attempt ends this; one
    /// that waits for its key makes none.
    func isBroken() async throws -> Bool { status.isBroken ? try await queue.store.hasReadable() : false }

    /// True once the queue takes no more.
    func isFull() async throws -> Bool { try await waiting() >= queue.store.capacity }

    /// Ends the waiting: ``run()`` tries once what is due, and returns.
    func finish() { queue.finish() }

    /// Sends mails, some at a time, until ``finish()`` or cancellation. The next process sends the rest.
    func run() async { await queue.run() }
}

/// Sends one mail of the queue.
private struct MailDelivery: Sendable {
    let seal: DeliverySeal
    let transport: any MailTransport
    let sender: EmailAddress
    let status: MailStatus
    let clock: AuthClock
    let logger: Logger

    func attempt(_ delivery: DeliveryStore.Delivery) async -> DeliveryQueue.Outcome {
        guard let letter = seal.open(delivery.content, id: delivery.id, as: Letter.self) else { return .unreadable }
        guard clock.now() < letter.expiresAt else {
            status.expired()
            logger.error("a sign-in mail was not sent in time, and is dropped")
            return .done
        }
        do {
            try await transport.deliver(
                [UInt8](letter.message), from: sender.value, to: letter.isDropped ? nil : letter.recipient)
            status.sent()
            return .done
        } catch is CancellationError {
            return .failed(nil)
        } catch {
            status.failed(error)
            logger.warning("a sign-in mail is tried again: \(String(describing: error), privacy: .public)")
            // The code alone: a mail server's reply may repeat the address.
            return .failed((error as? NetworkError)?.code.rawValue ?? "the mail could not be written")
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
