// SPDX-License-Identifier: MIT

import CommandLineArguments
import DurableFiles
import FoundationEssentials

/// The charge of the machine's battery, as the kernel tells it (Documentation/ABI/testing/sysfs-class-power).
struct Battery: Sendable, Equatable, Encodable {
    /// The charge, 0 ... 100; of several batteries their mean.
    let percent: Int
    /// True while none is being emptied.
    let isCharging: Bool

    /// The machine's batteries, without those of mice and other devices; nil if there is none.
    init?(folder: String = "/sys/class/power_supply") {
        let supplies = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var charges: [Int] = []
        var isEmptied = false
        for supply in supplies.map({ "\(folder)/\($0)/" })
        where firstLine(of: supply + "type") == "Battery" && firstLine(of: supply + "scope") != "Device" {
            guard let percent = Int(firstLine(of: supply + "capacity")), 0...100 ~= percent else { continue }
            charges.append(percent)
            if firstLine(of: supply + "status") == "Discharging" { isEmptied = true }
        }
        guard !charges.isEmpty else { return nil }
        percent = charges.reduce(0, +) / charges.count
        isCharging = !isEmptied
    }
}

/// The times at which listening saves power.
enum LowPowerChoice: String, Sendable, CaseIterable {
    /// On battery, and in a power-saver profile.
    case auto
    case on
    case off

    static let option = ValueOption<LowPowerChoice>(
        "low-power", placeholder: "WHEN",
        help: "Listen with less power: auto (default: on battery or in a power-saver profile), on or off",
        choices: allCases)

    /// True if power is to be saved now.
    ///
    /// - Parameters:
    ///   - supplies: The kernel's folder of power supplies.
    ///   - profile: The kernel's file with the machine's profile (Documentation/ABI/testing/sysfs-platform_profile), which
    ///     the desktop's power-saver switch writes.
    func isWanted(
        supplies: String = "/sys/class/power_supply", profile: String = "/sys/firmware/acpi/platform_profile"
    ) -> Bool {
        switch self {
        case .on: true
        case .off: false
        case .auto: Battery(folder: supplies)?.isCharging == false || firstLine(of: profile) == "low-power"
        }
    }
}

/// The first line of a small file of the kernel; empty if it cannot be read.
private func firstLine(of path: String) -> String {
    let bytes = (try? OpenFile.contents(of: path, limit: 4_096)) ?? nil
    return String(String(decoding: bytes ?? [], as: UTF8.self).prefix { !$0.isNewline })
}
