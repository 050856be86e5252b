// SPDX-License-Identifier: MIT

import DataLayer
import FoundationEssentials
import Networking
import Persistence

/// The tables of a home's files, compared with this version's without changing them.
enum HomeSchema {
    /// - Parameter present: The files that the home has.
    /// - Throws: ``TransferError/otherVersion(file:has:wants:)``.
    static func check(_ present: [TransferTable.File: Database]) async throws {
        for (file, database) in present.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let (found, wanted) = (try await names(in: database), try await migrations(of: file))
            guard found == wanted else {
                throw TransferError.otherVersion(
                    file: file.rawValue + ".sqlite", has: found.last ?? "no tables", wants: wanted.last ?? "")
            }
        }
    }

    private static func migrations(of file: TransferTable.File) async throws -> [String] {
        switch file {
        case .server: return AuthSchema.migrations.map(\.name)
        case .recordings: return RecordingSchema.migrations.map(\.name)
        case .sync: return SyncSchema.migrations.map(\.name)
        case .mails: return MailSchema.migrations.map(\.name)
        case .practice:
            // Its list is another package's: a new file has all of it.
            let path = FileManager.default.temporaryDirectory.appending(path: "parley-\(UUID().uuidString)").path
            defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
            await (try PracticeDatabase(path: path)).close()
            let database = try await Database(at: path)
            do {
                let names = try await names(in: database)
                await database.close()
                return names
            } catch {
                await database.close()
                throw error
            }
        }
    }

    private static func names(in database: Database) async throws -> [String] {
        try await database.read { connection in
            let exists = try connection.first(
                "SELECT 1 FROM sqlite_schema WHERE name = 'schema_migration'", as: Int.self)
            guard exists != nil else { return [] }
            return try connection.query("SELECT name FROM schema_migration ORDER BY position", as: String.self)
        }
    }
}
