// SPDX-License-Identifier: MIT
import Glibc

/// Runs audio streams in a separate process, where they can be counted and measured as a whole.
///
/// usage: AudioStreamTestSupport threads [misbehave]
///        AudioStreamTestSupport soak SEED FAULTS SECONDS SPEED
@main
struct Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            switch arguments.first {
            case "threads": try await ThreadCount.run(misbehaves: arguments.last == "misbehave")
            case "soak":
                let numbers = arguments.dropFirst().compactMap { Int($0) }
                guard numbers.count == 4, numbers.allSatisfy({ $0 > 0 }) else { exit(2) }
                try await Soak(
                    seed: UInt64(numbers[0]), faults: numbers[1], seconds: numbers[2], speed: Double(numbers[3])
                ).run()
            default: exit(2)
            }
        } catch {
            print("failed: \(error)")
            exit(1)
        }
    }
}
