// SPDX-License-Identifier: MIT

import Diagnostics
import Persistence

/// The treatment of a database file that turns out to be damaged when it is opened.
public enum DamagePolicy: Sendable {
    /// Touch nothing and throw.
    case refuse
    /// Set the file aside, begin a new one with what can still be read, and report that. Throws while another program has the file
    /// open.
    case salvage(report: @Sendable (SalvagedFile) -> Void)
}

/// A damaged database file that was set aside; what could be read of it is in a new one in its place.
public struct SalvagedFile: Hashable, Sendable {
    /// The kinds of things that a person misses.
    public enum Kind: String, Hashable, Sendable {
        case messages, results, recordings
    }

    /// The things of a kind in the new file.
    public struct Saved: Hashable, Sendable {
        /// Their kind.
        public let kind: Kind
        /// Their number.
        public let count: Int
        /// True if all that the damaged file had are there.
        public let isComplete: Bool

        /// Things of a kind.
        public init(_ kind: Kind, count: Int, isComplete: Bool) {
            (self.kind, self.count, self.isComplete) = (kind, count, isComplete)
        }
    }

    /// The file.
    public let path: String
    /// The damaged file, by its new name.
    public let setAside: String
    /// The things in the new file, by kind.
    public let saved: [Saved]

    /// A file that was set aside.
    public init(path: String, setAside: String, saved: [Saved]) {
        (self.path, self.setAside, self.saved) = (path, setAside, saved)
    }
}

/// A kind of database file: its tables, and the way to save what can be read of a damaged one.
struct DatabaseFile: Sendable {
    /// The steps that bring the tables up to date.
    let migrations: [Migration]
    /// The tables of what a person misses.
    let tables: [(name: String, kind: SalvagedFile.Kind)]
    /// Makes the index of the words anew, which refers to rows and holds none itself.
    let indexWords: @Sendable (WritableConnection) throws -> Void

    /// Opens the file, or makes it, and brings its tables up to date.
    func open(_ path: String, _ damage: DamagePolicy, _ seal: DataSeal?, _ logger: Logger) async throws -> Database {
        do {
            return try await migrated(try await .opened(at: path, seal: seal, logger: logger))
        } catch let error as DatabaseError where error.code == .damaged {
            guard case .salvage(let report) = damage else { throw error }
            if let file = try await salvage(path, seal) { report(file) }
            return try await migrated(try await .opened(at: path, seal: seal, logger: logger))
        }
    }

    /// Keeps everything in memory.
    func inMemory(_ logger: Logger) async throws -> Database {
        try await migrated(try await Database.inMemory(logger: logger))
    }

    /// Reads the whole file, and if it is damaged, sets it aside and puts a new one with what can be read in its place.
    ///
    /// Waits a while for the other programs that have the file open, and throws while they do.
    ///
    /// - Returns: Nil when the file is sound or there is none.
    func salvage(_ path: String, _ seal: DataSeal?) async throws -> SalvagedFile? {
        // Before the file takes its place: a search of a file that was cut short here would find nothing for good.
        let report = try await Database.recoverIfDamaged(path, seal: seal) { database in
            try await database.restoreMigrationList(migrations)
            try await database.migrate(migrations)
            try await database.write { try indexWords($0) }
        }
        guard let report else { return nil }
        let saved = tables.map { name, kind in
            let table = report.tables.first { $0.name == name }
            return SalvagedFile.Saved(kind, count: table?.rows ?? 0, isComplete: table?.isComplete ?? false)
        }
        return SalvagedFile(path: path, setAside: report.setAside, saved: saved)
    }

    private func migrated(_ database: Database) async throws -> Database {
        do {
            try await database.migrate(migrations)
            return database
        } catch {
            // Who salvages the file waits until it is closed.
            await database.close()
            throw error
        }
    }
}
