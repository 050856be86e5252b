// SPDX-License-Identifier: MIT

import DataLayer
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
        let text: Sentence

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
    let clock: Sentence?
    /// The state for a person, a sentence each.
    let lines: [Sentence]

    private enum CodingKeys: String, CodingKey {
        case place, isPaused, waiting, waitingSince, lastExchange, failure, clockLead
    }

    init(_ settings: SyncSettings, _ summary: SyncSummary, now: Date = Date()) {
        (place, isPaused, waiting) = (settings.place.text, settings.isPaused, summary.waiting)
        waitingSince = summary.waitingSince?.formatted(.iso8601)
        lastExchange = summary.lastExchange?.formatted(.iso8601)
        failure = summary.failure.map {
            let (time, reason) = ($0.time.clockTime(now), $0.reason.printable)
            let text: Sentence =
                $0.time.isToday(now)
                ? "The exchange at \(time) failed: \(reason)" : "The exchange on \(time) failed: \(reason)"
            return Failure(time: $0.time.formatted(.iso8601), reason: $0.reason, text: text)
        }
        clock = summary.clockWarning?.sentence
        clockLead = summary.clockWarning.map { $0.lead / 1_000 }
        lines =
            [
                Self.waiting(waiting, since: summary.waitingSince?.clockTime(now)), failure?.text,
                Self.last(summary.lastExchange, now), clock,
                isPaused ? "Sync is paused. parley sync resume goes on." as Sentence : nil,
            ].compactMap { $0 }
    }

    private static func waiting(_ count: Int, since time: String?) -> Sentence {
        guard count > 0 else { return "Nothing waits." }
        guard let time else {
            return Sentence(
                one: "\(count) change waits. parley sync now sends them.",
                other: "\(count) changes wait. parley sync now sends them.", count: count)
        }
        return Sentence(
            one: "\(count) change waits since \(time). parley sync now sends them.",
            other: "\(count) changes wait since \(time). parley sync now sends them.", count: count)
    }

    private static func last(_ time: Date?, _ now: Date) -> Sentence {
        guard let time else { return "No exchange yet." }
        let words = time.clockTime(now)
        return time.isToday(now) ? "Last exchange at \(words)." : "Last exchange on \(words)."
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
        let parts = local
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min))"
        guard !isToday(now) else { return time }
        return "\(parts.tm_year + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) \(time)"
    }

    fileprivate func isToday(_ now: Date) -> Bool {
        let (parts, today) = (local, now.local)
        return parts.tm_yday == today.tm_yday && parts.tm_year == today.tm_year
    }
}
