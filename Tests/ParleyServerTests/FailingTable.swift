// SPDX-License-Identifier: MIT

import Foundation
import Persistence
import TestKit

/// A table of a running server whose statements fail, as on a full or broken disk: by a trigger in the server's own file.
struct FailingTable: Sendable, CustomStringConvertible {
    let file: String
    /// Makes the trigger `broken`.
    let trigger: SQL

    var description: String { trigger.text }

    func breakIt(in home: TemporaryFolder) async throws { try await run(trigger, in: home) }

    func mendIt(in home: TemporaryFolder) async throws { try await run("DROP TRIGGER broken", in: home) }

    private func run(_ statement: SQL, in home: TemporaryFolder) async throws {
        let database = try await Database(at: home.path + "/" + file)
        try await database.write { try $0.execute(statement) }
        await database.close()
    }
}

extension TemporaryFolder {
    /// The files in which a text stands, besides the mails.
    func files(containing text: String) throws -> Set<String> {
        Set(
            try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
                guard !name.hasPrefix("mail"), let bytes = FileManager.default.contents(atPath: path + "/" + name)
                else { return false }
                return bytes.range(of: Data(text.utf8)) != nil
            })
    }

    /// Puts a folder where a sound file is expected, which `unlink` cannot remove.
    func obstructRemoval(of account: String) throws -> String {
        let path = path + "/recordings/\(account)/obstacle"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}
