// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
import Diagnostics
import Domain
import Glibc
import Speech
import VoiceActivity

/// Listens for hours of sound as fast as the machine can, and checks that memory does not grow.
///
/// usage: ListeningSoakTestSupport HOURS SEED MEGABYTES FOLDER
@main
struct Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.prefix(3).compactMap { Int($0) }
        guard arguments.count == 4, numbers.count == 3, numbers.allSatisfy({ $0 > 0 }), let folder = arguments.last
        else { exit(2) }
        // The same setting as in parley listen.
        AllocatedMemory.shareOneArena()
        do {
            try await ListeningSoak(
                hours: numbers[0], seed: UInt64(numbers[1]), allowedGrowth: numbers[2], folder: folder
            ).run()
        } catch {
            print("failed: \(error)")
            exit(1)
        }
    }
}

struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
