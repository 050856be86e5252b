// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataAssistant
import Domain
import DurableFiles

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
        case .on: return true
        case .off: return false
        case .auto:
            if DeviceInfo.Battery(supplies: supplies)?.isEmptied == true { return true }
            let bytes = (try? OpenFile.contents(of: profile, limit: 4_096)) ?? nil
            return bytes?.starts(with: "low-power".utf8) == true
        }
    }
}
