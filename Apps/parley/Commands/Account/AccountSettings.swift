// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// The server of `parley sign-in`, for the other commands. Nothing in it is secret.
struct AccountSettings: Codable, Sendable, Equatable {
    var version = 1
    /// The server's address.
    var server: String
    /// The name of the secret that is the server's API key; nil if the server needs none.
    var apiKey: String?
    /// The store that has the session.
    var store: SecretStoreChoice.Kind

    /// Reads a file; nil if it is missing.
    static func load(from path: String) throws -> AccountSettings? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        try OwnFile.require(path)
        let content = FileManager.default.contents(atPath: path)
        guard let settings = content.flatMap({ try? JSONDecoder().decode(AccountSettings.self, from: $0) }),
            settings.version == 1
        else {
            throw DomainError.file(
                "\(path.printable) cannot be read, or is damaged. Remove it, and give --server URL once.")
        }
        return settings
    }

    /// Writes the file as a whole, for its owner alone.
    func save(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try OutputFile.write(Array(try encoder.encode(self)) + [UInt8(ascii: "\n")], to: path, mode: 0o600)
    }
}
