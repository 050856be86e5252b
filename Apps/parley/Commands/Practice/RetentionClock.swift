// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Security

/// The time by which recordings are too old: that of an earlier look, after which the clock has gone on for a day. So a
/// clock that was set ahead deletes nothing at once.
struct RetentionClock: OwnFileValue, Equatable {
    /// Somewhat less than a day: a person who looks once a day does not wait for the look after the next.
    private static let day = 23 * 3_600.0

    /// Seconds since 1970; nil before the first day.
    private var believed: Double?
    private var look: AppLockTime

    static let remedy: Sentence = ""
    var isValid: Bool { true }

    /// The clock of a first look.
    init(_ now: AppLockTime) { look = now }

    /// The time by which ages count.
    var time: Date { believed.map(Date.init(timeIntervalSince1970:)) ?? .distantPast }

    /// Notes a look.
    mutating func note(_ now: AppLockTime) {
        let passed = now.boot == look.boot ? min(now.uptime - look.uptime, now.wall - look.wall) : now.wall - look.wall
        if now.wall < look.wall {
            (believed, look) = (believed.map { min($0, now.wall) }, now)
        } else if passed >= Self.day {
            (believed, look) = (look.wall, now)
        }
    }
}

extension RetentionClock {
    /// The clock of a file, with a look at this moment. Without the file no recording is too old.
    static func noted(at path: String, _ now: AppLockTime = .now()) -> RetentionClock {
        let stored = try? load(from: path)
        var clock = stored ?? RetentionClock(now)
        clock.note(now)
        // In a home without data there is nothing to delete, and no folder for the file.
        if clock != stored { try? clock.save(to: path) }
        return clock
    }
}
