// SPDX-License-Identifier: MIT

import Concurrency
public import Domain
import FoundationEssentials
import Glibc
import Persistence
public import Security

/// A folder of files that belong to a person, whatever their content and origin.
///
/// It uses only the names on the disk, so that files without a row, set aside, left by a crash or sealed with a lost
/// key are deleted, too. Symbolic links are deleted and not followed.
public struct PersonalFolder: PersonalDataStore {
    private let path: String
    private let count: String
    private let isWanted: @Sendable (String) -> Bool

    /// Makes the value for a folder.
    ///
    /// - Parameters:
    ///   - path: The folder; it stays, and a missing one is no error.
    ///   - count: The receipt's name for the files.
    ///   - isWanted: Returns true for a name directly in the folder that is to be deleted, with everything below it.
    public init(path: String, count: String, where isWanted: @escaping @Sendable (String) -> Bool = { _ in true }) {
        self.path = path
        self.count = count
        self.isWanted = isWanted
    }

    /// See `PersonalDataStore`.
    public func erase() async throws -> [String: Int] {
        let (removed, left) = await BlockingCall.run { removeAll() }
        guard left.isEmpty else {
            throw DomainError.file(
                "\(left.count) files in \(path) cannot be removed, such as \(left[0]). Look at their permissions, then delete "
                    + "again.")
        }
        return removed > 0 ? [count: removed] : [:]
    }

    private func removeAll() -> (removed: Int, left: [String]) {
        var (removed, left): (Int, [String]) = (0, [])
        guard let names = Self.names(in: path) else { return (0, [path]) }
        for name in names where isWanted(name) {
            Self.remove(path + "/" + name, &removed, &left)
        }
        // Makes the deletions durable after a power failure.
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor >= 0 {
            fsync(descriptor)
            close(descriptor)
        }
        return (removed, left)
    }

    private static func remove(_ path: String, _ removed: inout Int, _ left: inout [String]) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            if unlink(path) == 0 { removed += 1 } else if errno != ENOENT { left.append(path) }
            return
        }
        for name in names(in: path) ?? [] { remove(path + "/" + name, &removed, &left) }
        if rmdir(path) != 0, errno != ENOENT, left.isEmpty { left.append(path) }
    }

    /// The names in a folder, sorted; empty if the folder is missing, nil if it cannot be read.
    private static func names(in path: String) -> [String]? {
        var status = stat()
        if stat(path, &status) != 0, errno == ENOENT { return [] }
        return try? FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}

/// The rows of a database file that belongs to a person. They are deleted before the file, so that a program that has
/// it open no longer sends or shows them.
///
/// A sealed or damaged file is left to the deletion of files, since its rows cannot be read.
public struct StoredRows: PersonalDataStore {
    private let path: String
    private let body: @Sendable (String) async throws -> [String: Int]

    /// Results, recordings, evaluations and waiting items of all accounts.
    public static func practice(path: String) -> StoredRows {
        StoredRows(path: path) { path in
            let database = try await PracticeDatabase(path: path)
            return try await withCleanup {
                try await database.eraseAll()
            } cleanup: {
                await database.close()
            }
        }
    }

    /// Questions and answers, and the measurements of their turns.
    public static func conversations(path: String) -> StoredRows {
        StoredRows(path: path) { path in
            let repository = try await SQLiteConversationRepository(path: path, damage: .refuse)
            return try await withCleanup {
                let erased = try await repository.eraseAll()
                return ["messages": erased.messages, "measurements": erased.measurements]
            } cleanup: {
                await repository.close()
            }
        }
    }

    private init(path: String, _ body: @escaping @Sendable (String) async throws -> [String: Int]) {
        self.path = path
        self.body = body
    }

    /// See `PersonalDataStore`. It deletes all rows or none.
    public func erase() async throws -> [String: Int] {
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        do {
            if try await domainErrors({ try await Database.isSealed(path) }) == true { return [:] }
            return try await body(path)
        } catch DomainError.unusable(.practice), DomainError.unusable(.conversations) {
            return [:]
        } catch DomainError.storage(let reason) {
            throw DomainError.storage(
                "No row of \(path) was deleted, so another program that has the file open can still use them. \(reason) "
                    + "End the other programs, then delete again.")
        }
    }
}

extension PracticeDatabase {
    /// Deletes all personal rows, of every account and of no account. Cues stay.
    func eraseAll() async throws -> [String: Int] {
        try await write { connection in
            var counts: [String: Int] = [:]
            let tables: [(SQL, String?)] =
                SyncedKind.all.map { ($0.table, $0.plural) } + [
                    ("evaluation", "evaluations"), ("outbox_item", "waiting"), ("upload_held", "held"),
                    ("practice_change", nil),
                    ("evaluation_awaited", nil), ("pulled", nil), ("pull_skipped", nil), ("upload_consent", nil),
                    ("outbox_done", nil), ("runtime_config", nil), ("installation", nil),
                ]
            for (table, name) in tables {
                try connection.execute("DELETE FROM \(sql: table)")
                if let name { counts[name] = connection.changes }
            }
            return counts
        }
    }
}

/// The secrets of a person in a store: keys, sessions, and secrets that the person set. Deleting needs no key.
public struct StoredSecrets: PersonalDataStore {
    private let store: any SecretStore

    /// The secrets of a store.
    public init(_ store: any SecretStore) { self.store = store }

    /// See `PersonalDataStore`. A missing store has no secrets.
    public func erase() async throws -> [String: Int] {
        do {
            var count = 0
            for name in try await store.names(service: nil) where try await store.delete(name) { count += 1 }
            return count > 0 ? ["secrets": count] : [:]
        } catch let error as SecretStoreError where error.code == .unavailable {
            return [:]
        } catch let error as SecretStoreError where error.code == .locked {
            throw DomainError.unusable(.lockedKeyring)
        } catch let error as SecretStoreError {
            throw DomainError(translating: error)
        }
    }
}
