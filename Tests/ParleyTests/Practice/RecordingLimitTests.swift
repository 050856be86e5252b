// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import Security
import TestKit
import Testing

@testable import parley

@Suite struct RecordingLimitTests {
    private static let day = 86_400.0
    private static let start = 1_790_000_000.0

    /// A moment by its days since the start, on both clocks.
    private func moment(_ wall: Double, uptime: Double? = nil, boot: String = "a") -> AppLockTime {
        AppLockTime(
            boot: boot, uptime: (uptime ?? wall) * Self.day + 100, wall: Self.start + wall * Self.day)
    }

    private func days(_ clock: RetentionClock) -> Double? {
        clock.time == .distantPast ? nil : (clock.time.timeIntervalSince1970 - Self.start) / Self.day
    }

    @Test func `a recording is too old a day after it was first seen so`() {
        var clock = RetentionClock(moment(0))
        #expect(days(clock) == nil)
        clock.note(moment(0.5))
        #expect(days(clock) == nil)
        clock.note(moment(1))
        #expect(days(clock) == 0)
        clock.note(moment(1.5))
        #expect(days(clock) == 0)
        clock.note(moment(9, uptime: 0.1, boot: "b"))
        #expect(days(clock) == 1, "the machine was off")
    }

    @Test func `a clock that was set ahead deletes nothing`() {
        var clock = RetentionClock(moment(365))
        #expect(days(clock) == nil, "at the first look")
        clock.note(moment(730, uptime: 365.1))
        #expect(days(clock) == nil, "twice within a day")
        clock = RetentionClock(moment(0))
        clock.note(moment(1))
        clock.note(moment(366, uptime: 0.1, boot: "b"))
        #expect(days(clock) == 1, "after a start of the machine")
        clock.note(moment(2, uptime: 0.2, boot: "b"))
        #expect(days(clock) == 1, "the clock was mended")
        clock.note(moment(3, uptime: 1.2, boot: "b"))
        #expect(days(clock) == 2)
        clock.note(moment(-5, uptime: 1.3, boot: "b"))
        #expect(days(clock) == -5, "nothing is older than by the clock")
    }

    @Test func `the clock is kept, and a damaged one is a first look`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("clock.json")
        #expect(days(.noted(at: path, moment(0))) == nil)
        #expect(days(.noted(at: path, moment(1))) == 0)
        try Data("{}".utf8).write(to: URL(filePath: path))
        #expect(days(.noted(at: path, moment(2))) == nil)
        #expect(days(.noted(at: path, moment(3))) == 2)
        #expect(days(.noted(at: folder.file("none/clock.json"), moment(3))) == nil)
    }

    @Test(arguments: [#"{"days":200000000000000}"#, #"{"megabytes":9000000000000000000}"#, #"{"count":0}"#])
    func `a limit that no command sets is damaged`(json: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("recordings.json")
        try Data((json.dropLast() + #","includesUnsent":false}"#).utf8).write(to: URL(filePath: path))
        #expect {
            try RecordingLimit.load(from: path)
        } throws: {
            "\($0)".contains("damaged")
        }
    }

    @Test func `room of any size is counted`() {
        var status = statvfs()
        (status.f_bavail, status.f_frsize) = (.max, 4_096)
        #expect(StorageObstacle.room(status) == .max)
        (status.f_bavail, status.f_frsize) = (1 << 52, 4_096)
        #expect(StorageObstacle.room(status) == .max)
        (status.f_bavail, status.f_frsize) = (3, 4_096)
        #expect(StorageObstacle.room(status) == 12_288)
    }
}
