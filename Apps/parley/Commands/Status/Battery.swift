// SPDX-License-Identifier: MIT

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
        func text(_ path: String) -> String {
            let bytes = (try? OpenFile.contents(of: path, limit: 4_096)) ?? nil
            return String(String(decoding: bytes ?? [], as: UTF8.self).prefix { !$0.isNewline })
        }
        let supplies = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var charges: [Int] = []
        var isEmptied = false
        for supply in supplies.map({ "\(folder)/\($0)/" })
        where text(supply + "type") == "Battery" && text(supply + "scope") != "Device" {
            guard let percent = Int(text(supply + "capacity")), 0...100 ~= percent else { continue }
            charges.append(percent)
            if text(supply + "status") == "Discharging" { isEmptied = true }
        }
        guard !charges.isEmpty else { return nil }
        percent = charges.reduce(0, +) / charges.count
        isCharging = !isEmptied
    }
}
