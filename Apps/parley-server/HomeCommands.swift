// SPDX-License-Identifier: MIT

import Diagnostics
import FoundationEssentials
import ParleyServer
import PracticeWire

/// The words of a command that works on a server's home, without `--home DIR`.
struct HomeWords {
    let words: [String]
    private let given: String?
    private let environment: [String: String]

    /// - Throws: ``ArgumentError`` if `--home` has no value.
    init(_ words: some Sequence<String>, environment: [String: String]) throws {
        var words = Array(words)
        self.environment = environment
        guard let option = words.firstIndex(of: "--home") else {
            (self.words, given) = (words, nil)
            return
        }
        guard words.indices.contains(option + 1) else { throw ArgumentError("--home needs a value") }
        given = words[option + 1]
        words.removeSubrange(option...(option + 1))
        self.words = words
    }

    /// The folder that `--home` names, or else the default one.
    ///
    /// - Throws: ``ArgumentError`` if the environment has no home folder.
    func home() throws -> String { try given ?? ServeArguments.home(environment) }
}

/// `parley-server keys rotate`.
enum KeyCommands {
    static func rotate(_ arguments: HomeWords, log: Logger) async throws {
        guard arguments.words.isEmpty else { throw ArgumentError("keys rotate takes --home DIR and nothing else") }
        try await ParleyServer.rotateKeys(home: arguments.home(), logger: log)
    }
}

/// `parley-server backup DIR` and `parley-server restore DIR`.
enum BackupCommands {
    /// - Parameter write: Writes to standard output.
    static func run(_ arguments: HomeWords, write: (String) -> Void) async throws {
        let words = arguments.words
        guard words.count == 2, !words[1].isEmpty, !words[1].hasPrefix("-") else {
            throw ArgumentError("\(words[0]) takes DIR and --home DIR")
        }
        let home = try arguments.home()
        if words[0] == "restore" {
            write("\(try await ServerRestore(of: words[1], to: home).run()) files\n")
            return
        }
        let report = try await ServerBackup(of: home, to: words[1]).run()
        write("\(report.recordings) recordings\n")
        for name in report.missing { write("missing in the home, too: recordings/\(name)\n") }
    }
}

/// `parley-server cues import|list|remove`.
enum CueCommands {
    /// - Parameter write: Writes to standard output.
    static func run(_ arguments: HomeWords, write: (String) -> Void) async throws {
        let words = Array(arguments.words.dropFirst())
        guard let command = words.first, ["import", "list", "remove"].contains(command),
            words.count == (command == "list" ? 1 : 2)
        else { throw ArgumentError("cues takes import FILE, list, or remove ID, and --home DIR") }
        let text = command == "import" ? try read(words[1]) : ""
        let catalogue = try await CueCatalogue(home: arguments.home())
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
