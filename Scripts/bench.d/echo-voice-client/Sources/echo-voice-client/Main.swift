// SPDX-License-Identifier: MIT

import Foundation

/// The parts of `Scripts/bench echo-voice`, each in a process of its own.
@main
enum Main {
    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("echo-voice-client: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ words: [String]) async throws {
        let numbers = words.dropFirst(3).compactMap { Int($0) }
        switch words.first {
        case "service" where words.count == 3: try await Service.run(words[1], journal: words[2])
        case "talk" where numbers.count == 4:
            let talking = Talking(
                base: words[1], turns: numbers[0], periods: numbers[1], silence: numbers[2], gap: numbers[3],
                interrupts: words.last == "interrupt")
            try await talking.run()
            try talking.journal.write(to: words[2])
        case "switch" where numbers.count == 1:
            let switching = Switching(base: words[1], rounds: numbers[0])
            try await switching.run()
            try switching.journal.write(to: words[2])
        case "card" where numbers.count == 1:
            let conversation = OverCard(base: words[1], turns: numbers[0])
            try await conversation.run()
            try conversation.journal.write(to: words[2])
        default: throw Failure("usage: see Scripts/bench.d/echo-voice")
        }
    }
}
