// SPDX-License-Identifier: MIT

import DesktopNotifications
import Diagnostics
import Domain
import Localization
import TerminalKit

/// Announces on the desktop that a tool waits for consent. It has no buttons, since the notification does not show all
/// that would run.
actor ConsentAnnouncement {
    private let notifier = DesktopNotifier(application: "parley")
    private let logger: Logger
    private let translator: Translator
    private var last: UInt32?

    init(logger: Logger, translator: Translator) { (self.logger, self.translator) = (logger, translator) }

    /// - Returns: True if a desktop shows it.
    func show(_ request: ConsentRequest) async -> Bool {
        do {
            last = try await notifier.show(
                DesktopNotification(
                    title: translator("A tool waits for your consent" as Sentence),
                    body: translator(
                        "\(request.tool) of \(request.server). Read all of it and answer: parley approve" as Sentence)
                ), replacing: last)
            return true
        } catch {
            logger.debug("no notification: \("\(error)", privacy: .public)")
            return false
        }
    }

    /// Closes the notification.
    func close() async {
        guard let number = last else { return }
        last = nil
        try? await notifier.close(number)
    }
}
