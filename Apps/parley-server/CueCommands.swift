// SPDX-License-Identifier: MIT

import DataLayer
import FoundationEssentials
import ParleyServer

/// `parley-server cues import|list|remove`.
enum CueCommands {
    /// - Parameters:
    ///   - words: What follows `cues`.
    ///   - write: Writes to standard output.
    static func run(_ words: [String], home fallback: () throws -> String, write: (String) -> Void) async throws {
        var (words, home) = (words, String?.none)
        if let place = words.firstIndex(of: "--home") {
            guard words.indices.contains(place + 1) else { throw ArgumentError("--home needs a value") }
            home = words[place + 1]
            words.removeSubrange(place...(place + 1))
        }
        guard let command = words.first, ["import", "list", "remove"].contains(command),
            words.count == (command == "list" ? 1 : 2)
        else { throw ArgumentError("cues takes import FILE, list, or remove ID, and --home DIR") }
        let text = command == "import" ? try read(words[1]) : ""
        let catalogue = try await CueCatalogue(home: home ?? fallback())
        do {
            switch command {
            case "import": write("\(try await catalogue.add(jsonLines: text)) cues\n")
            case "list":
                try await catalogue.forEachPage { page in
                    for cue in page { write(String(decoding: try WireJSON.encode(cue), as: UTF8.self) + "\n") }
                }
            default:
                guard try await catalogue.remove(words[1]) else { throw NoSuchCue(id: words[1]) }
            }
        } catch {
            await catalogue.close()
            throw error
        }
        await catalogue.close()
    }

    private static func read(_ path: String) throws -> String {
        do {
            return try String(contentsOf: URL(filePath: path), encoding: .utf8)
        } catch {
            throw ArgumentError("\(path) cannot be read as UTF-8: check path, permissions and encoding")
        }
    }
}
