// SPDX-License-Identifier: MIT

import Diagnostics

/// Opens a cache's file, and sets it aside when it cannot be used: a cache's content can be fetched again.
struct CacheFile {
    let path: String
    var seal: DatabaseSeal?
    let logger: Logger

    func open() async throws -> Database {
        let lock = try await CacheFileLock(for: path)
        defer { extendLifetime(lock) }
        do {
            return try await opened()
        } catch let error as DatabaseError where Self.isUnusable(error.code) {
            return try await anew()
        }
    }

    /// Opens a new file in the place of a damaged one, unless another task or process has done so since.
    func reopen(instead database: Database) async throws -> Database {
        let lock = try await CacheFileLock(for: path)
        defer { extendLifetime(lock) }
        await database.close()
        do {
            let current = try await opened()
            // Only this check tells the damaged file from one that has taken its place.
            if try await current.integrityCheck().isEmpty { return current }
            await current.close()
        } catch let error as DatabaseError where Self.isUnusable(error.code) {}
        return try await anew()
    }

    private func anew() async throws -> Database {
        let kept = try Database.setAside(path)
        logger.error("the cache was unusable; it is kept as \(kept), and a new one begins")
        return try await opened()
    }

    private func opened() async throws -> Database {
        let database = try await Database(at: path, configuration: .init(seal: seal), logger: logger)
        do {
            try await database.migrate(CacheSchema.migrations)
            return database
        } catch {
            await database.close()
            throw error
        }
    }

    private static func isUnusable(_ code: DatabaseError.Code) -> Bool {
        [.damaged, .newer, .migrationChanged, .migrationFailed, .notSealed, .wrongKey].contains(code)
    }
}
