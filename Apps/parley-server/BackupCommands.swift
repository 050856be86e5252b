// SPDX-License-Identifier: MIT

import ParleyServer

/// `parley-server backup DIR` and `parley-server restore DIR`.
enum BackupCommands {
    /// - Parameters:
    ///   - words: The command and what follows it.
    ///   - write: Writes to standard output.
    static func run(_ words: [String], home fallback: () throws -> String, write: (String) -> Void) async throws {
        var (words, home) = (words, String?.none)
        if let place = words.firstIndex(of: "--home") {
            guard words.indices.contains(place + 1) else { throw ArgumentError("--home needs a value") }
            home = words[place + 1]
            words.removeSubrange(place...(place + 1))
        }
        guard words.count == 2, !words[1].isEmpty, !words[1].hasPrefix("-") else {
            throw ArgumentError("\(words[0]) takes DIR and --home DIR")
        }
        let place = try home ?? fallback()
        if words[0] == "restore" {
            write("\(try await ServerRestore(of: words[1], to: place).run()) files\n")
            return
        }
        let report = try await ServerBackup(of: place, to: words[1]).run()
        write("\(report.recordings) recordings\n")
        for name in report.missing { write("missing in the home, too: recordings/\(name)\n") }
    }
}
