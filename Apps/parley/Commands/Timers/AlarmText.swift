// SPDX-License-Identifier: MIT

import DataAssistant
import Domain
import FoundationEssentials
import TerminalKit

/// Alarms in words, and as JSON.
struct AlarmText: Sendable {
    /// A headline.
    let title: String
    /// The reason why it rings.
    let body: String

    /// The text of alarms that ring or were missed.
    init(_ alarms: [Alarm], zones: SystemTimeZones = SystemTimeZones()) async {
        guard let first = alarms.first, alarms.count == 1 else {
            title = alarms.count.of("timer") + " and alarms"
            body = alarms.map { AlarmWords.title($0).printable }.joined(separator: "\n")
            return
        }
        title = AlarmWords.title(first).printable
        body = await AlarmWords.reason(first, zones: zones)
    }
}

/// An alarm as JSON.
struct AlarmOutput: Encodable {
    private let id: String
    private let kind: String
    private let due: String
    private let label: String?
    /// The duration of a timer in seconds.
    private let seconds: Double?
    private let ringing: Bool

    init(_ alarm: Alarm, at now: Date = Date()) {
        id = alarm.id.description
        due = alarm.due.formatted(.iso8601)
        label = alarm.label
        ringing = alarm.isRinging(at: now)
        if case .timer(let duration) = alarm.kind {
            (kind, seconds) = ("timer", duration / .seconds(1))
        } else {
            (kind, seconds) = ("alarm", nil)
        }
    }
}

/// An event of alarms as JSON: "ringing", "stopped", "cancelled", "unanswered" or "missed".
private struct AlarmEventOutput: Encodable {
    let event = "alarm"
    let state: String
    let alarms: [AlarmOutput]
    private enum CodingKeys: String, CodingKey { case event, state, alarms }
}

private struct AlarmFailureOutput: Encodable {
    let event = "failure"
    let part = "alarms"
    let error: ErrorReport
    private enum CodingKeys: String, CodingKey { case event, part, error }
}

extension Console {
    /// Shows an event of alarms.
    ///
    /// - Parameter hint: The way to stop what rings.
    func show(_ event: AlarmEvent, hint: Sentence) async throws {
        switch event {
        case .ringing(let alarms):
            let text = await AlarmText(alarms)
            try show("\(styled(text.title, .strong))\n\(text.body) \(styled(self.text(hint), .muted))")
            try emit(AlarmEventOutput(state: "ringing", alarms: alarms.map { AlarmOutput($0) }))
        case .ended(let alarms, let reason):
            if reason == .unanswered { try tell("\(await AlarmText(alarms).title): nobody stopped it." as Sentence) }
            try emit(AlarmEventOutput(state: reason.rawValue, alarms: alarms.map { AlarmOutput($0) }))
        case .missed(let alarms):
            for alarm in alarms {
                let text = await AlarmText([alarm])
                try tell("Missed while nothing could ring: \(text.title). \(text.body)" as Sentence)
            }
            try emit(AlarmEventOutput(state: "missed", alarms: alarms.map { AlarmOutput($0) }))
        case .failed(let error):
            if isJSON {
                try emit(AlarmFailureOutput(error: ErrorReport(code: error.code, error.sentence)))
            } else {
                warn(error.sentence)
            }
        }
    }
}
