// SPDX-License-Identifier: MIT
import Glibc

/// Runs audio streams in a process of its own, where they can be counted and measured as a whole.
///
/// usage: AudioStreamTestSupport threads [misbehave]
@main
struct Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            switch arguments.first {
            case "threads": try await ThreadCount.run(misbehaves: arguments.last == "misbehave")
            default: exit(2)
            }
        } catch {
            print("failed: \(error)")
            exit(1)
        }
    }
}
