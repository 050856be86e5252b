// SPDX-License-Identifier: MIT

public import Diagnostics
import Domain
package import Persistence

/// The one file with cues, results, recordings, evaluations, flags and waiting items.
///
/// Several processes may use one file. On a server, rows belong to accounts; on a device, to the account that is signed
/// in, or to no account until ``adopt(by:queue:)``.
public struct PracticeDatabase: Sendable {
    private static let file = DatabaseFile(
        migrations: PracticeSchema.migrations, tables: [("practice_result", .results), ("recording", .recordings)]
    ) { connection in
        try SyncNotes.afterSalvage(on: connection) {
            try connection.execute("INSERT INTO cue_text (cue_text) VALUES ('rebuild')")
        }
    }

    package let database: Database

    /// Opens the file, or makes it (mode 0600), and brings its tables up to date.
    ///
    /// - Parameters:
    ///   - damage: The treatment of a damaged file.
    ///   - seal: The key that the file is sealed with while the app lock is set.
    /// - Throws: `DomainError.storage`; `DomainError.unusable(.practice)` for a damaged file.
    public init(
        path: String, damage: DamagePolicy = .refuse, seal: DataSeal? = nil, logger: Logger = .disabled
    ) async throws {
        database = try await domainErrors(damage: UnusableData.practice) {
            try await Self.file.open(path, damage, seal, logger)
        }
    }

    /// Keeps everything in memory, until the value is released.
    public init(logger: Logger = .disabled) async throws {
        database = try await domainErrors { try await Self.file.inMemory(logger) }
    }

    /// Closes the file; later uses throw.
    public func close() async { await database.close() }

    /// Reads the whole file and returns the damage found; empty if the file is sound.
    public func findDamage() async throws -> [String] {
        try await domainErrors(damage: UnusableData.practice) { try await database.integrityCheck() }
    }

    /// Reads the whole file, and if it is damaged, sets it aside and puts a new one with what can be read in its place.
    ///
    /// Waits a while for the other programs that have the file open, and throws while they do.
    ///
    /// - Returns: The file that was set aside; nil when it is sound or there is none.
    /// - Throws: `DomainError.storage`.
    public static func repair(path: String, seal: DataSeal? = nil) async throws -> SalvagedFile? {
        try await domainErrors { try await file.salvage(path, seal) }
    }

    func read<Value: Sendable>(_ body: @Sendable (Connection) throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        return try await domainErrors(damage: UnusableData.practice) { try await database.read(body) }
    }

    func write<Value: Sendable>(
        durability: Durability = .full, _ body: @Sendable (WritableConnection) throws -> Value
    ) async throws -> Value {
        try await domainErrors(damage: UnusableData.practice) { try await database.write(durability: durability, body) }
    }
}
