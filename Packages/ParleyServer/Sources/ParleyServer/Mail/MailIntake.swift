// SPDX-License-Identifier: MIT

import AuthServer
import Diagnostics
import FoundationEssentials
import Security

/// Puts mails into the queue, sealed, before the request for them is answered.
struct MailIntake: SignInMailer {
    let store: DeliveryStore
    let seal: DeliverySeal
    let composer: MailComposer
    let status: MailStatus
    let clock: AuthClock
    let logger: Logger
    /// Called when a mail is in the queue.
    var queued: @Sendable () -> Void = {}

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
            guard try await store.add(id, seal.seal(letter, id: id)) else {
                status.refused()
                logger.error("a sign-in mail was not queued: the queue is full")
                return false
            }
            queued()
            return true
        } catch {
            status.refused()
            logger.error("a sign-in mail was not queued: \(String(describing: error), privacy: .public)")
            return false
        }
    }
}
