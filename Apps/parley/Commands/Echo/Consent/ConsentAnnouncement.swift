// SPDX-License-Identifier: MIT

import DesktopNotifications
import Diagnostics
import TerminalKit

/// Announces on the desktop that a tool waits for consent. It has no buttons, since the notification does not show all
/// that would run.
actor ConsentAnnouncement {
    private let notifier = DesktopNotifier(application: "parley")
    private let logger: Logger
    private var last: UInt32?

    init(logger: Logger) { self.logger = logger }

    /// - Returns: True if a desktop shows it.
    func show(_ request: ConsentRequest) async -> Bool {
        do {
            last = try await notifier.show(
                DesktopNotification(
                    title: "A tool waits for your consent",
                    body:
                        "\(request.tool.printable) of \(request.server.printable). Read all of it and answer: parley approve"
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
