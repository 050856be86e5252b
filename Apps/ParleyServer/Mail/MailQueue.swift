// SPDX-License-Identifier: MIT

import AuthServer
import Diagnostics
import Security

/// Mails between the request that asked for them and the mail server. They are in memory alone, since the server keeps no
/// link and no code; what a crash loses, the person asks for again.
struct MailQueue: SignInMailer {
    private let mails: AsyncStream<SignInMail>
    private let entry: AsyncStream<SignInMail>.Continuation
    private let composer: MailComposer
    private let transport: any MailTransport
    private let clock: AuthClock
    private let logger: Logger

    /// - Parameter capacity: How many mails wait at most; more are refused.
    init(
        _ transport: any MailTransport, composer: MailComposer, clock: AuthClock, logger: Logger, capacity: Int = 1_000
    ) {
        (mails, entry) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(capacity))
        self.composer = composer
        self.transport = transport
        self.clock = clock
        self.logger = logger
    }

    func enqueue(_ mail: SignInMail) -> Bool {
        if case .enqueued = entry.yield(mail) { return true }
        return false
    }

    /// No more mails; ``run()`` returns when those that wait are sent.
    func finish() {
        entry.finish()
    }

    /// Sends mails, four at a time, until ``finish()`` or cancellation.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for await mail in mails { await send(mail) }
                }
            }
        }
    }

    private func send(_ mail: SignInMail) async {
        guard let id = try? SecureRandom.token(byteCount: 16) else { return }
        // Written and sent for nobody, too: who asks again at once would notice that the server has nothing to do.
        let message = composer.message(mail, to: mail.recipient ?? composer.sender, at: clock.now(), id: id)
        // A person waits: after a minute they have asked again.
        for pause in [Duration.seconds(2), .seconds(10), .seconds(30), nil] {
            do {
                return try await transport.deliver(message, from: composer.sender.value, to: mail.recipient?.value)
            } catch {
                guard let pause, !Task.isCancelled else {
                    return logger.error("a sign-in mail was not sent: \(String(describing: error), privacy: .public)")
                }
                logger.notice("a sign-in mail is tried again: \(String(describing: error), privacy: .public)")
                try? await Task.sleep(for: pause)
            }
        }
    }
}
