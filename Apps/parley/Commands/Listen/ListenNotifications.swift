// SPDX-License-Identifier: MIT

import Concurrency
import DesktopNotifications
import Diagnostics
import Domain
import Localization
import TerminalKit

/// The desktop notifications of an assistant that listens all day: each answer, in place of the last one, and what happens
/// to the microphone. Without a session bus it shows nothing and says so in the log alone.
final class ListenNotifications: Sendable {
    private let stream: AsyncStream<DesktopNotification>
    private let queue: AsyncStream<DesktopNotification>.Continuation
    private let notifier = DesktopNotifier(application: "parley")
    private let question = Guarded("")
    private let logger: Logger
    private let translator: Translator

    init(logger: Logger, translator: Translator) {
        (self.logger, self.translator) = (logger, translator)
        // A slow desktop must not hold up the loop, so only the newest few notifications wait.
        (stream, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4))
    }

    /// Takes an event; never waits.
    func note(_ event: RoomEvent) {
        switch event {
        case .turn(_, .transcript(let transcript)): question.withLock { $0 = transcript.text }
        case .turn(_, .answer(let answer)): show(question.withLock { $0 }, answer.text)
        case .turn(_, .refused(let error)): show(question.withLock { $0 }, translator(error.sentence))
        case .device(let text): show("Parley", translator(text), .low)
        case .failed(_, let error, _): show("Parley", translator(error.sentence), .critical)
        case .phase, .level, .wakeWord, .turn, .interrupted, .recovered, .savesPower, .muted: break
        }
    }

    /// Shows the waiting notifications until the task is cancelled.
    func run() async {
        var last: UInt32?
        for await notification in stream {
            do { last = try await notifier.show(notification, replacing: last) } catch {
                logger.debug("no notification: \("\(error)", privacy: .public)")
            }
        }
    }

    private func show(_ title: String, _ body: String, _ urgency: DesktopNotification.Urgency = .normal) {
        queue.yield(DesktopNotification(title: title.printable, body: body.printable, urgency: urgency))
    }
}
