// SPDX-License-Identifier: MIT

import AudioKitLinux
import CommandLineArguments
import Domain
import TerminalKit

/// `parley devices`: lists the devices that can record and play.
struct DevicesCommand: Command {
    static let specification = CommandSpecification(
        path: ["devices"], summary: "List the sound devices, with the names that --device takes")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let devices = try app.devices()
        let width = devices.map(\.id.columns).max() ?? 0
        for device in devices {
            let name = device.id.fitted(to: width, glyphs: console.traits.glyphs)
            let ways = [
                device.directions.contains(.capture) ? "in" : "  ",
                device.directions.contains(.playback) ? "out" : "   ",
            ].joined(separator: " ")
            try console.show("\(console.styled(name, .strong))  \(ways)  \(device.description.printable)")
        }
        if devices.isEmpty {
            console.progress("There is no sound device. talk and say work with files: --input FILE, --output FILE.")
        }
        try console.emit(DevicesOutput(devices: devices.map(DevicesOutput.Device.init)))
        return .done
    }

    private struct DevicesOutput: Encodable {
        let devices: [Device]

        struct Device: Encodable {
            let name: String
            let description: String
            let capture: Bool
            let playback: Bool

            init(_ device: AudioDeviceInfo) {
                name = device.id
                description = device.description
                capture = device.directions.contains(.capture)
                playback = device.directions.contains(.playback)
            }
        }
    }
}
