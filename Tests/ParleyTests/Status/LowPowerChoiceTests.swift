// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import parley

/// The times at which listening saves power, by the kernel's files.
@Suite struct LowPowerChoiceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func supply(_ name: String, _ files: [String: String]) throws {
        let path = folder.file(name)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (file, text) in files { try Data((text + "\n").utf8).write(to: URL(filePath: path + "/" + file)) }
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
