// SPDX-License-Identifier: MIT

import Concurrency
import DesktopNotifications
import Diagnostics
import Domain
import Localization

/// The desktop notifications of alarms. Their button, and dismissing them, stops what rings.
actor AlarmNotifications {
    private let notifier = DesktopNotifier(application: "parley")
    private let watching = OwnedTasks()
    private let stop: @Sendable () async -> Void
    private let logger: Logger
    private let translator: Translator
    private var ringing: [Alarm] = []
    private var shown: UInt32?

    /// - Parameter stop: Stops what rings.
    init(logger: Logger, translator: Translator, stop: @escaping @Sendable () async -> Void) {
        (self.logger, self.translator) = (logger, translator)
        self.stop = stop
    }

    /// Shows an event; without a desktop the log alone says so.
    func show(_ event: AlarmEvent) async {
        do {
            switch event {
            case .ringing(let alarms): try await ring(alarms)
            case .ended(let alarms, let reason): try await end(alarms, reason)
            case .missed(let alarms):
                for alarm in alarms {
                    let text = await AlarmText([alarm])
                    try await notifier.show(
                        DesktopNotification(
                            title: translator("Missed: \(text.title)" as Sentence), body: text.body, urgency: .critical)
                    )
                }
            case .failed: break
            }
        } catch { logger.debug("no notification: \("\(error)", privacy: .public)") }
    }

    /// Waits for no more answers.
    func close() async { await watching.close() }

    private func ring(_ alarms: [Alarm]) async throws {
        ringing = alarms
        // A second call ends the stream of the first one, so that one task waits.
        let choices = try await notifier.choices()
        let text = await AlarmText(alarms)
        let number = try await notifier.show(
            DesktopNotification(
                title: text.title, body: text.body, urgency: .critical, action: translator("Stop" as Sentence)),
            replacing: shown)
        shown = number
        watching.add { [stop] in
            for await chosen in choices where chosen == number { await stop() }
        }
    }

    private func end(_ alarms: [Alarm], _ reason: Ringing.End) async throws {
        ringing.removeAll { alarms.contains($0) }
        guard let number = shown else { return }
        if !ringing.isEmpty { return try await ring(ringing) }
        shown = nil
        guard reason == .unanswered else { return try await notifier.close(number) }
        // It stays on the desktop, so that the person learns of it later.
        let text = await AlarmText(alarms)
        try await notifier.show(
            DesktopNotification(
                title: text.title, body: translator("\(text.body) Nobody stopped it." as Sentence), urgency: .critical),
            replacing: number)
    }
}
