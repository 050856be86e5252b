// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import parley

/// The battery as the kernel's files tell it.
@Suite struct BatteryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func supply(_ name: String, _ files: [String: String]) throws {
        let path = folder.file(name)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (file, text) in files { try Data((text + "\n").utf8).write(to: URL(filePath: path + "/" + file)) }
    }

    @Test func `a machine without a battery has none`() throws {
        #expect(Battery(folder: folder.path) == nil)
        #expect(Battery(folder: "/nonexistent") == nil)
        try supply("AC", ["type": "Mains", "online": "1"])
        try supply("mouse", ["type": "Battery", "scope": "Device", "capacity": "5", "status": "Discharging"])
        try supply("BAT9", ["type": "Battery", "capacity": "much"])
        #expect(Battery(folder: folder.path) == nil)
    }

    @Test func `two batteries are one`() throws {
        try supply("BAT0", ["type": "Battery", "capacity": "80", "status": "Full"])
        let full = try #require(Battery(folder: folder.path))
        #expect(full.percent == 80 && full.isCharging)
        try supply("BAT1", ["type": "Battery", "capacity": "41", "status": "Discharging"])
        let both = try #require(Battery(folder: folder.path))
        #expect(both.percent == 60 && !both.isCharging)
    }

    @Test func `power is saved on battery and in the saver profile`() throws {
        let profile = folder.file("profile")
        func isWanted(_ choice: LowPowerChoice = .auto) -> Bool {
            choice.isWanted(supplies: folder.file("supplies"), profile: profile)
        }
        #expect(!isWanted() && isWanted(.on))
        try Data("low-power\n".utf8).write(to: URL(filePath: profile))
        #expect(isWanted() && !isWanted(.off))
        try Data("balanced\n".utf8).write(to: URL(filePath: profile))
        try supply("supplies/BAT0", ["type": "Battery", "capacity": "80", "status": "Charging"])
        #expect(!isWanted())
        try supply("supplies/BAT0", ["type": "Battery", "capacity": "79", "status": "Discharging"])
        #expect(isWanted())
    }
}
