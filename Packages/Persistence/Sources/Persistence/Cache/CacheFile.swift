// SPDX-License-Identifier: MIT

import Diagnostics
import Glibc

/// Opens a cache's file, and puts it aside when it cannot be used: what a cache holds can be had again.
struct CacheFile {
    /// Which file a path leads to.
    private struct Identity: Equatable {
        let device: UInt
        let number: UInt
    }

    let path: String
    let logger: Logger

    func open() async throws -> Database {
        let before = identity
        do {
            let database = try await Database(at: path, logger: logger)
            do {
                try await database.migrate(CacheSchema.migrations)
                return database
            } catch {
                await database.close()
                throw error
            }
        } catch let error as DatabaseError where Self.isUnusable(error.code) {
            return try await anew(instead: before)
        }
    }

    /// Opens a new file in the place of a damaged one, unless another process has done so since.
    func reopen(instead database: Database) async throws -> Database {
        let before = identity
        await database.close()
        // Only a check of the whole file tells whether it is this one that is damaged or one that was in its place.
        do {
            let current = try await Database(at: path, logger: logger)
            let problems = try await current.integrityCheck()
            if problems.isEmpty {
                try await current.migrate(CacheSchema.migrations)
                return current
            }
            await current.close()
        } catch let error as DatabaseError where Self.isUnusable(error.code) {}
        return try await anew(instead: before)
    }

    private func anew(instead before: Identity?) async throws -> Database {
        if identity == before {
            do {
                let kept = try Database.setAside(path)
                logger.error("the cache was unusable; it is kept as \(kept), and a new one begins")
            } catch let error as DatabaseError where error.code == .notFound {
                // Another process was faster.
            }
        }
        let database = try await Database(at: path, logger: logger)
        try await database.migrate(CacheSchema.migrations)
        return database
    }

    private var identity: Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(device: UInt(status.st_dev), number: UInt(status.st_ino))
    }

    private static func isUnusable(_ code: DatabaseError.Code) -> Bool {
        [.damaged, .newer, .migrationChanged, .migrationFailed].contains(code)
    }
}
