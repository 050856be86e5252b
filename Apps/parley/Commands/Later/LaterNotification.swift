// SPDX-License-Identifier: MIT

import DesktopNotifications
import Diagnostics
import Domain
import TerminalKit

/// The desktop notification of an answer that a question had to wait for.
struct LaterNotification {
    private let notification: DesktopNotification

    init(_ question: WaitingQuestion, _ answer: AssistantAnswer) {
        notification = DesktopNotification(
            title: ForeignText.short(question.text, limit: 80), body: ForeignText.short(answer.text, limit: 400))
    }

    /// Shows it; without a desktop it is logged alone.
    func show(by notifier: DesktopNotifier, _ logger: Logger) async {
        do { try await notifier.show(notification) } catch {
            logger.debug("no notification: \("\(error)", privacy: .public)")
        }
    }
}
