// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// The words of a command that the page starts, which go into its environment: all users of the machine can read a
/// process's arguments, and nobody else its environment (proc(5)). The arguments have the command's name alone.
enum HandedWords {
    private static let name = "PARLEY_PAGE_WORDS"

    /// The arguments of a command with these words.
    static func arguments(_ words: [String]) -> [String] { words.prefix(1).filter { !$0.hasPrefix("-") } }

    /// This program's environment with the words of a command.
    static func environment(_ words: [String]) throws -> [String: String] {
        let list = String(decoding: try JSONEncoder().encode(words), as: UTF8.self)
        return ProcessInfo.processInfo.environment.merging([name: list]) { $1 }
    }

    /// The words of this program: its arguments, or what the page handed over, which no program that this one starts
    /// gets to see.
    static func words(_ arguments: [String]) -> [String] {
        guard let list = ProcessInfo.processInfo.environment[name] else { return arguments }
        unsetenv(name)
        guard let words = try? JSONDecoder().decode([String].self, from: Data(list.utf8)),
            arguments == Self.arguments(words)
        else { return arguments }
        return words
    }
}
