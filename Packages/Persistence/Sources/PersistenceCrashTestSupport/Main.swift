// SPDX-License-Identifier: MIT

import Glibc
import Persistence

/// The crash simulator: `soak` kills processes that it starts as `run`, and checks their files.
@main
enum Main {
    private static let usage = """
        usage: PersistenceCrashTestSupport soak FOLDER ROUNDS SEED
               PersistenceCrashTestSupport run FILE WRITER SEED
               PersistenceCrashTestSupport hold FILE

        """

    /// The seal of the databases, with `PARLEY_SOAK_SEALED` in the environment.
    static var seal: DatabaseSeal? { getenv("PARLEY_SOAK_SEALED") == nil ? nil : ScrambledPages.seal(key: 7) }

    static func main() async {
        let words = CommandLine.arguments
        do {
            switch words.count == 5 || words.count == 3 && words[1] == "hold" ? words[1] : "" {
            case "hold": try await Holder(path: words[2]).run()
            case "soak":
                guard let rounds = Int(words[3]), let seed = UInt64(words[4]) else { fallthrough }
                try await Soak(folder: words[2], rounds: rounds, seed: seed).run()
            case "run":
                guard let writer = Int(words[3]), let seed = UInt64(words[4]) else { fallthrough }
                try await Victim(path: words[2], workload: Workload(writer: writer, seed: seed)).run()
            default:
                complain(usage)
                exit(2)
            }
        } catch {
            let result = (error as? DatabaseError)?.underlying.map { " (SQLite result \($0))" } ?? ""
            complain("crash: FAILED: \(error)\(result)\n")
            exit(1)
        }
    }

    /// Writes a line to standard output at once.
    static func say(_ text: String) {
        let line = Array("\(text)\n".utf8)
        guard write(1, line, line.count) == line.count else { exit(4) }
    }

    /// Writes a problem to standard error.
    static func complain(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(2, bytes, bytes.count)
    }
}
