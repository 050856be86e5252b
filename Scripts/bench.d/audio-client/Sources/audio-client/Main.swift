// SPDX-License-Identifier: MIT
import AudioKitLinux

/// Measures one thing on one device and prints it as a line of JSON: `audio-client periods|loopback|flush DEVICE SECONDS`,
/// or `audio-client echo`. DEVICE is "virtual", or the path of a PulseAudio server's socket with a sink "loop".
@main
enum Main {
    static func main() async throws {
        let words = CommandLine.arguments
        let device = words.count > 2 ? words[2] : "virtual"
        let seconds = words.count > 3 ? Double(words[3]) ?? 15 : 15
        switch words.count > 1 ? words[1] : "" {
        case "periods": try await Periods.measure(device, seconds: seconds)
        case "loopback": try await Devices.loopback(device)
        case "flush": try await Devices.flush(device)
        case "echo": try Echo.measure()
        default: print("usage: audio-client periods|loopback|flush DEVICE SECONDS, or audio-client echo")
        }
    }

    static func report(_ values: [(String, Double)]) {
        print("{" + values.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}")
    }

    static func percentile(_ values: [Double], _ share: Double) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .nan }
        return sorted[min(sorted.count - 1, max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1))]
    }
}
