// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import HTTPServer

/// The commands that the page may run. A stolen session must not give more than the page shows: no file's content, no server's address,
/// no program of somebody else's, no key.
enum PageCommands {
    /// Paths of commands; a first word stands for all commands of its group.
    private static let allowed: Set<[String]> = [
        ["ask"], ["assistant", "list"], ["assistant", "remove"], ["assistant", "show"], ["assistant", "use"],
        ["audio", "meter"], ["cache"], ["chat"], ["consent"], ["context"], ["conversations"], ["crash", "list"],
        ["crash", "show"], ["cues"], ["data"], ["devices"], ["doctor"], ["flags"], ["history"], ["later"], ["listen"],
        ["logs"], ["map"], ["mcp", "list"], ["models"], ["practice"], ["privacy"], ["progress"], ["prompts"],
        ["recordings", "delete"], ["recordings", "limit"], ["recordings", "list"], ["say"], ["sessions", "list"],
        ["settings"], ["speech", "list"], ["speech", "test"], ["speech", "use"], ["stats"], ["status"],
        ["suggestions"], ["sync", "devices"], ["sync", "now"], ["sync", "pause"], ["sync", "resume"],
        ["sync", "status"], ["talk"], ["timers"], ["trace", "last"], ["uploads"], ["voices"], ["whoami"],
    ]
    /// Options that read or write a file, ask another server, or leave out a question to the person.
    private static let refused: Set<String> = [
        "allow-tools", "attach", "base-url", "export", "input", "output", "server", "overwrite", "trace", "verbose",
    ]
    /// Settings that say to whom the person's words, or their key, go.
    private static let refusedSettings: Set<String> = ["api-key", "base-url"]
    /// Commands that hear: one whose page has gone must not go on.
    private static let hearing: Set<String> = ["audio", "listen", "practice", "talk"]

    /// The words to run, with `--json`.
    ///
    /// - Throws: ``ServerProblem`` with 400 for an error of usage; ``PageRefusal`` with 400 for a word that no command can
    ///   have, and with 403 for what the page may not run.
    static func checked(_ words: [String]) throws -> [String] {
        guard words.allSatisfy({ !$0.utf8.contains(0) }) else {
            throw PageRefusal("No word can have the character NUL.", status: 400)
        }
        let request: CommandTable.Request
        do { request = try Commands.table.parse(words) } catch {
            throw ServerProblem.badRequest(error.advice(of: "parley").english)
        }
        guard case .run(let invocation) = request, allows(invocation.command.path),
            refused.isDisjoint(with: invocation.givenOptions),
            !(invocation.command.path.first == "settings" && words.contains(where: refusedSettings.contains))
        else {
            throw PageRefusal("The page may not run this. Type it: parley \(words.joined(separator: " "))", status: 403)
        }
        let place = words.firstIndex(of: "--") ?? words.endIndex
        return words[..<place] + ["--json"] + words[place...]
    }

    /// True if the command uses the microphone.
    static func hears(_ words: [String]) -> Bool { words.first.map(hearing.contains) ?? false }

    /// True if it is what “Start listening” begins: no page reads its output, since its events come to all of them.
    static func listens(_ words: [String]) -> Bool { words == ["listen", "--json"] }

    private static func allows(_ path: [String]) -> Bool {
        allowed.contains(path) || allowed.contains(Array(path.prefix(1)))
    }
}
