// SPDX-License-Identifier: MIT

public import Domain
import DurableFiles
import FoundationEssentials
import Glibc

/// The machine, its system and its battery, as the kernel and the distribution tell them in files.
public struct DeviceContextSource: ContextSource {
    private let modelFile: String
    private let systemFile: String
    private let supplies: String

    /// - Parameters:
    ///   - modelFile: The kernel's file with the name of the machine.
    ///   - systemFile: The file that names the system (os-release(5)).
    ///   - supplies: The kernel's folder of power supplies.
    public init(
        modelFile: String = "/sys/devices/virtual/dmi/id/product_name", systemFile: String = "/etc/os-release",
        supplies: String = "/sys/class/power_supply"
    ) {
        (self.modelFile, self.systemFile, self.supplies) = (modelFile, systemFile, supplies)
    }

    /// See `ContextSource`.
    public var part: ContextPart { .device }

    /// See `ContextSource`.
    public func read() async throws -> ContextReading {
        let system = lines(of: systemFile).first { $0.hasPrefix("PRETTY_NAME=") }
        let device = DeviceInfo(
            model: lines(of: modelFile).first, system: system.map { $0.dropFirst(12).filter { $0 != "\"" } },
            battery: DeviceInfo.Battery(supplies: supplies))
        guard device != DeviceInfo(model: nil, system: nil, battery: nil) else {
            throw DomainError.device("Nothing is known of this machine: \(modelFile) and \(systemFile) cannot be read.")
        }
        return .device(device)
    }
}

extension DeviceInfo.Battery {
    /// All batteries of the machine as one, by the kernel's files (Documentation/ABI/testing/sysfs-class-power); nil without
    /// a battery. Batteries of mice and other devices do not count. The whole is discharging if one of them is.
    public init?(supplies folder: String = "/sys/class/power_supply") {
        let supplies = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var (charges, states): ([Int], Set<String>) = ([], [])
        for supply in supplies.map({ "\(folder)/\($0)/" })
        where lines(of: supply + "type").first == "Battery" && lines(of: supply + "scope").first != "Device" {
            guard let percent = lines(of: supply + "capacity").first.flatMap(Int.init), 0...100 ~= percent else {
                continue
            }
            charges.append(percent)
            states.insert(lines(of: supply + "status").first ?? "")
        }
        guard !charges.isEmpty else { return nil }
        let level = Double(charges.reduce(0, +)) / Double(charges.count) / 100
        let state: State =
            if states.contains("Discharging") {
                level > 0 ? .discharging : .empty
            } else if !states.isDisjoint(with: ["Charging", "Not charging"]) {
                // One that is not charged, though it has a supply, is kept below its limit.
                .charging
            } else {
                states == ["Full"] ? .full : .unknown
            }
        self.init(level: level, state: state)
    }
}

/// The lines in the beginning of a file; none if it cannot be read.
private func lines(of path: String) -> [String] {
    guard let bytes = try? OpenFile(path, O_RDONLY | O_NONBLOCK).bytes(at: 0, maximum: 4_096) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
}
