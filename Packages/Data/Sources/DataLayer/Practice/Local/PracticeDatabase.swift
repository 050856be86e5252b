// SPDX-License-Identifier: MIT

public import Diagnostics
import Domain
import Persistence

/// The one file with cues, results, recordings, evaluations, flags and waiting items.
///
/// Several processes may use one file. On a server, rows belong to accounts; on a device, to the account that is signed
/// in, or to no account until ``adopt(by:queue:)``.
public struct PracticeDatabase: Sendable {
    let database: Database

    /// The treatment of a damaged file.
    public enum DamagePolicy: Sendable {
        /// Changes nothing and throws.
        case refuse
        /// Renames the file, begins a new one with the readable part, and calls `report` with sentences about the saved
        /// part and the path of the old file. Throws while another program has the file open.
        case salvage(report: @Sendable (String) -> Void)
    }

    /// Opens the file, or makes it (mode 0600), and brings its tables up to date.
    ///
    /// - Parameters:
    ///   - damage: The action on a damaged file.
    ///   - seal: The key that the file is sealed with while the app lock is set.
    /// - Throws: `DomainError.storage`; `DomainError.unusable(.practice)` for a damaged file.
    public init(
        path: String, damage: DamagePolicy = .refuse, seal: DataSeal? = nil, logger: Logger = .disabled
    ) async throws {
        database = try await domainErrors(damage: UnusableData.practice) {
            do {
                return try await Self.opened(try await .opened(at: path, seal: seal, logger: logger))
            } catch let error as DatabaseError where error.code == .damaged {
                guard case .salvage(let report) = damage else { throw error }
                if let account = try await Self.salvage(path, seal) { report(account) }
                return try await Self.opened(try await .opened(at: path, seal: seal, logger: logger))
            }
        }
    }

    /// Keeps everything in memory, until the value is released.
    public init(logger: Logger = .disabled) async throws {
        database = try await domainErrors { try await Self.opened(try await Database.inMemory(logger: logger)) }
    }

    /// Closes the file; later uses throw.
    public func close() async { await database.close() }

    /// Reads the whole file and returns the damage found; empty if there is none.
    public func findDamage() async throws -> [String] {
        try await domainErrors(damage: UnusableData.practice) { try await database.integrityCheck() }
    }

    /// Reads the whole file; if it is damaged, sets it aside and replaces it by a new file with the readable part.
    ///
    /// Waits a while for other programs that have the file open, and throws if they keep it open.
    ///
    /// - Returns: Sentences about the saved part and the path of the damaged file; nil if the file is sound or missing.
    /// - Throws: `DomainError.storage`.
    public static func repair(path: String, seal: DataSeal? = nil) async throws -> String? {
        try await domainErrors { try await salvage(path, seal) }
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

    private static func opened(_ database: Database) async throws -> Database {
        do {
            try await database.migrate(PracticeSchema.migrations)
            return database
        } catch {
            // A program that salvages the file waits until it is closed.
            await database.close()
            throw error
        }
    }

    private static func salvage(_ path: String, _ seal: DataSeal?) async throws -> String? {
        guard let report = try await Database.recoverIfDamaged(path, seal: seal) else { return nil }
        let database = try await opened(try await .opened(at: path, seal: seal))
        // The index of the words refers to the cues and stores no text.
        try await database.write { try $0.execute("INSERT INTO cue_text (cue_text) VALUES ('rebuild')") }
        await database.close()
        let saved = ["practice_result", "recording"].map { name in
            let table = report.tables.first { $0.name == name }
            return (table?.rows ?? 0, table?.isComplete ?? false)
        }
        let rest = saved.allSatisfy(\.1) ? "" : " Others could not be read."
        return "The practice file \(path) was damaged. It is kept as \(report.setAside). Its \(saved[0].0) results and "
            + "\(saved[1].0) recordings are in the new one.\(rest)"
    }
}
