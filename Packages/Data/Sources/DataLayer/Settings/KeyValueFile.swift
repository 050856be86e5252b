// SPDX-License-Identifier: MIT

import Concurrency
public import Diagnostics
public import Domain
import FoundationEssentials
public import Persistence

extension KeyValueKey<String> {
    /// The namespace of a person's settings.
    public static let settings = "settings"

    /// The text of a setting.
    public static func setting(_ name: String) -> KeyValueKey<String> { KeyValueKey(name, in: settings) }
}

/// A key-value file that is open, for sync.
public struct OpenKeyValueFile: Sendable {
    package let database: Database

    /// Closes the file; later uses throw.
    public func close() async { await database.close() }
}

/// Small values of a person in a key-value store of their own file, which the app lock seals.
///
/// The file is opened for each call. Reading a missing file makes none.
public struct KeyValueFile: PersonalDataSource {
    private let path: String
    private let seal: DataSeal?
    private let logger: Logger

    /// Makes the value for a file (mode 0600), which the first write makes.
    ///
    /// - Parameter seal: The key that the file is sealed with while the app lock is set.
    public init(path: String, seal: DataSeal? = nil, logger: Logger = .disabled) {
        (self.path, self.seal, self.logger) = (path, seal, logger)
    }

    /// Reads several keys at one moment; nil if the file is missing.
    ///
    /// - Throws: `DomainError.storage`, the closure's error, or `CancellationError`.
    public func read<Value: Sendable>(
        _ body: @Sendable (KeyValueTransaction<Connection>) throws -> Value
    ) async throws -> Value? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try await opened { try await $0.read { try body(KeyValueTransaction($0)) } }
    }

    /// Changes several keys, all or none, and makes the file if it is missing.
    ///
    /// - Throws: `DomainError.storage`, the closure's error, or `CancellationError`.
    public func write<Value: Sendable>(
        _ body: @Sendable (KeyValueTransaction<WritableConnection>) throws -> Value
    ) async throws -> Value {
        try await opened { try await $0.write { try body(KeyValueTransaction($0)) } }
    }

    /// Takes what was removed out of the file's log, too.
    func emptyLog() async throws { try await opened { try await $0.emptyLog() } }

    /// Opens the file, or makes it. The caller closes it.
    ///
    /// - Throws: `DomainError.storage`.
    public func open() async throws -> OpenKeyValueFile {
        try await domainErrors {
            let database = try await Database.opened(at: path, seal: seal, logger: logger)
            do {
                try await database.migrate(KeyValueStore.migrations)
                return OpenKeyValueFile(database: database)
            } catch {
                await database.close()
                throw error
            }
        }
    }

    /// Writes a line of JSON for each value into `settings.jsonl`. See `PersonalDataSource`.
    public func export(to archive: any ExportArchive) async throws -> [String: Int] {
        try Task.checkCancellation()
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        let lines = try await opened { database in
            try await database.read { connection in
                try connection.query("SELECT namespace, name, bytes FROM key_value ORDER BY namespace, name") { row in
                    let keys = try [row["namespace", as: String.self], row["name", as: String.self]].map(Self.json)
                    let value = String(decoding: try row["bytes", as: [UInt8].self], as: UTF8.self)
                    return "{\"namespace\":\(keys[0]),\"name\":\(keys[1]),\"value\":\(value)}\n"
                }
            }
        }
        guard !lines.isEmpty else { return [:] }
        try await archive.add("settings.jsonl", Array(lines.joined().utf8))
        return ["settings": lines.count]
    }

    private static func json(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }

    private func opened<Value: Sendable>(_ body: (Database) async throws -> Value) async throws -> Value {
        try await domainErrors {
            let file = try await open()
            return try await withCleanup {
                try await body(file.database)
            } cleanup: {
                await file.close()
            }
        }
    }
}
