// SPDX-License-Identifier: MIT

import DataSync
import Domain
import FoundationEssentials
import Glibc
import Sync
import TerminalKit

/// The state of sync on this machine, for `parley status`, `parley sync status` and `parley doctor`.
struct SyncState: Encodable {
    /// A failed exchange.
    struct Failure: Encodable {
        let time: String
        let reason: String
        /// The failure for a person.
        let text: String

        private enum CodingKeys: String, CodingKey { case time, reason }
    }

    let place: String
    let isPaused: Bool
    let waiting: Int
    let waitingSince: String?
    let lastExchange: String?
    let failure: Failure?
    /// The seconds by which this machine's clock is ahead of another one, negative if it is behind; nil if both are right.
    let clockLead: Int64?
    /// A wrong clock for a person.
    let clock: String?
    /// The state for a person, a sentence each.
    let lines: [String]

    private enum CodingKeys: String, CodingKey {
        case place, isPaused, waiting, waitingSince, lastExchange, failure, clockLead
    }

    init(_ settings: SyncSettings, _ summary: SyncSummary, now: Date = Date()) {
        (place, isPaused, waiting) = (settings.place.text, settings.isPaused, summary.waiting)
        waitingSince = summary.waitingSince?.formatted(.iso8601)
        lastExchange = summary.lastExchange?.formatted(.iso8601)
        failure = summary.failure.map {
            let text = "The exchange \($0.time.moment(now)) failed: \($0.reason.printable)"
            return Failure(time: $0.time.formatted(.iso8601), reason: $0.reason, text: text)
        }
        clock = summary.clockWarning?.sentence.english
        clockLead = summary.clockWarning.map { $0.lead / 1_000 }
        var lines: [String] = []
        if waiting == 0 {
            lines.append("Nothing waits.")
        } else {
            let since = summary.waitingSince.map { " since \($0.clockTime(now))" } ?? ""
            lines.append(
                "\(waiting) \(waiting == 1 ? "change waits" : "changes wait")\(since). parley sync now sends them.")
        }
        if let failure { lines.append(failure.text) }
        lines.append(summary.lastExchange.map { "Last exchange \($0.moment(now))." } ?? "No exchange yet.")
        if let clock { lines.append(clock) }
        if isPaused { lines.append("Sync is paused. parley sync resume goes on.") }
        self.lines = lines
    }
}

extension ClockWarning {
    /// The warning for a person, with what to do.
    var sentence: Sentence {
        let minutes = lead.magnitude / 60_000
        let distance: Sentence =
            switch minutes {
            case ..<120: "\(minutes) minutes"
            case ..<2_880: "\(minutes / 60) hours"
            default: "\(minutes / 1_440) days"
            }
        let remedy: Sentence = "timedatectl set-ntp true lets the network set a clock; then parley sync now."
        return switch witness {
        case .place where lead < 0:
            "This machine's clock is \(distance) behind the clock of the place where your devices meet. Of two changes the "
                + "wrong one may win. Set it right: \(remedy)"
        case .place:
            "This machine's clock is \(distance) ahead of the clock of the place where your devices meet. Of two changes the "
                + "wrong one may win. Set it right: \(remedy)"
        case .device(let id):
            "The clock of device \(id) is \(distance) ahead of this machine's. Of two changes the wrong one may win. Set "
                + "the one that is wrong right (parley sync devices lists them): \(remedy)"
        }
    }
}

extension Date {
    /// The local time: "14:05", with the day before it if that is not today's.
    func clockTime(_ now: Date) -> String {
        let (parts, today) = (local, now.local)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min))"
        guard parts.tm_yday != today.tm_yday || parts.tm_year != today.tm_year else { return time }
        return "\(parts.tm_year + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) \(time)"
    }

    /// "at 14:05", or "on 2026-01-31 14:05".
    fileprivate func moment(_ now: Date) -> String {
        let text = clockTime(now)
        return (text.contains(" ") ? "on " : "at ") + text
    }

    private var local: tm {
        var seconds = time_t(timeIntervalSince1970)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }
}
