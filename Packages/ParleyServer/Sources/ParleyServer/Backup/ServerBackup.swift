// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Diagnostics
import FoundationEssentials
import Glibc
import ObjectStore
import Persistence
import Security

/// Copies a home while its server runs: databases of one moment, the sound of every recording in them, and the keys. The
/// rows of a shared database become files, as a home has them, so that a server of either kind can be restored.
/// Unfinished uploads and waiting mails are not included: clients restart uploads, and mails expire within minutes. The
/// relay's copy has no epoch, so that devices list a restored relay anew.
public struct ServerBackup: Sendable {
    /// The databases of every version's home.
    static let databases = ["server.sqlite", "practice.sqlite", "recordings.sqlite"]
    /// Missing in the home of an earlier version that has not run this one yet.
    private static let relay = "sync.sqlite"
    private static let mails = "mails.sqlite"
    private static let otherFiles = ["secrets", "secrets.key", "app-config.json", "app-config.good.json"]

    /// The result of a backup.
    public struct Report: Sendable, Equatable {
        /// Recordings with their sound.
        public var recordings = 0
        /// Recordings whose sound is missing in the home, too: as account and id.
        public var missing: [String] = []
    }

    /// A recording in the copied database.
    private struct Sound: Sendable {
        let account: String
        let id: String

        var path: String { "recordings/\(account)/\(id)" }
    }

    private let home: String
    private let folder: String
    private let objects: ServerOptions.Objects
    private let database: String?
    private let rootKey: ServerRootKey?

    /// - Parameters:
    ///   - home: The server's folder, or that of one of its instances.
    ///   - folder: The backup's folder, which must not exist; it appears under its name when it is complete.
    ///   - objects: The place of the recordings' sound, which is copied into the backup.
    ///   - database: The URL of the database that its instances share; nil for files in the home.
    ///   - rootKey: The key that its instances share, which is not put into the backup; nil for the home's own.
    public init(
        of home: String, to folder: String, objects: ServerOptions.Objects = .folder, database: String? = nil,
        rootKey: ServerRootKey? = nil
    ) {
        self.home = home
        self.objects = objects
        (self.database, self.rootKey) = (database, rootKey)
        self.folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    }

    /// Makes the backup.
    ///
    /// - Throws: ``BackupError``, or the errors of the databases.
    public func run() async throws -> Report {
        guard database != nil || DiskSpace.size(of: home + "/server.sqlite") > 0 else {
            throw BackupError.notAHome(home)
        }
        guard access(folder, F_OK) != 0 else { throw BackupError.exists(folder) }
        let lock = try HomeLock(home, for: .command)
        defer { lock.release() }
        try ServerRestore.checkFinished(home)
        removeLeftovers()
        let partial = "\(folder).partial-\(getpid())"
        let own = try BackupFiles.makeLockedFolder(partial)
        defer { close(own) }
        do {
            let report = try await fill(partial)
            guard rename(partial, folder) == 0 else { throw BackupError.system(folder, errno) }
            try BackupFiles.synchronize(folder: BackupFiles.parent(of: folder))
            return report
        } catch {
            try? FileManager.default.removeItem(atPath: partial)
            throw error
        }
    }

    /// Removes what killed backups left beside this one, under any name: it has keys. One that another container or
    /// machine fills has a number of its own, so its lock counts; in a container each backup has the same number.
    private func removeLeftovers() {
        let parent = BackupFiles.parent(of: folder)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] {
            let (path, parts) = ("\(parent)/\(name)", name.split(separator: "."))
            guard parts.count > 1, let end = parts.last, end.hasPrefix("partial-"),
                let process = Int32(end.dropFirst("partial-".count)), process > 0,
                process == getpid() || (kill(process, 0) != 0 && errno == ESRCH),
                BackupFiles.isOwnFolder(path), let lock = try? BackupFiles.lock(path)
            else { continue }
            try? FileManager.default.removeItem(atPath: path)
            close(lock)
        }
    }

    private func fill(_ partial: String) async throws -> Report {
        var report = Report()
        var lines =
            if let database {
                try await copyShared(database, to: partial, &report)
            } else {
                try await copyFiles(to: partial, &report)
            }
        for name in Self.databases + [Self.relay] + Self.otherFiles {
            guard let hash = try await BlockingCall.run({ try BackupFiles.hash("\(partial)/\(name)") }) else {
                if Self.databases.contains(name) { throw BackupError.system("\(partial)/\(name)", ENOENT) }
                continue
            }
            lines.append((hash, name))
        }
        let text = lines.sorted { $0.path < $1.path }.map { "\($0.hash)  \($0.path)\n" }.joined()
        let folders = BackupFiles.folders(of: lines.map(\.path))
        try await BlockingCall.run {
            for folder in folders {
                try BackupFiles.synchronize(folder: "\(partial)/\(folder)")
            }
            try BackupFiles.write(text, to: "\(partial)/\(BackupFiles.list)")
            try BackupFiles.synchronize(folder: partial)
        }
        return report
    }

    /// Copies databases, sound and keys of a home.
    ///
    /// - Returns: The sound with its hashes.
    private func copyFiles(to partial: String, _ report: inout Report) async throws -> [(hash: String, path: String)] {
        let sums = try await withLiveDatabases { live in
            try await SnapshotBarrier.copy(live.map { ($0.value, "\(partial)/\($0.key)") })
            if live[Self.relay] != nil { try await Self.removeEpoch(of: "\(partial)/\(Self.relay)") }
            guard let recordings = live["recordings.sqlite"] else { return [(hash: String, path: String)]() }
            return try await copySounds(
                to: partial, SQLiteServerDatabase(database: recordings, clock: .system), &report)
        }
        for name in try await copyOtherFiles(to: partial) where name.hasPrefix("secrets") {
            throw BackupError.notAHome(home)
        }
        return sums
    }

    /// Copies the rows of a shared database, the sound, and the keys.
    private func copyShared(
        _ url: String, to partial: String, _ report: inout Report
    ) async throws -> [(hash: String, path: String)] {
        let shared = try await PostgresServerDatabase.connect(url, logger: .disabled)
        var copied = Report()
        let sums = try await withCleanup {
            try await shared.check()
            try await TransferMark.checkFinished(shared)
            try await SharedSnapshot.copy(shared, to: partial)
            try FileManager.default.removeItem(atPath: "\(partial)/\(Self.mails)")
            try await Self.removeEpoch(of: "\(partial)/\(Self.relay)")
            let sums = try await copySounds(to: partial, shared, &copied)
            let missing = try await copyOtherFiles(to: partial)
            // With a key of its own an instance has both files.
            guard rootKey != nil || !missing.contains("secrets") else { throw BackupError.notAHome(home) }
            let secrets = try await FileSecretStore.open(
                partial + "/secrets", protection: .keyFile(partial + "/secrets.key"))
            try await ServerKeys.copySigningKeys(of: shared, root: rootKey, to: secrets)
            return sums
        } cleanup: {
            await shared.close()
        }
        report = copied
        return sums
    }

    /// - Returns: The files that the home lacks.
    private func copyOtherFiles(to partial: String) async throws -> [String] {
        var missing: [String] = []
        for name in Self.otherFiles {
            let (source, target) = ("\(home)/\(name)", "\(partial)/\(name)")
            let hash = try await BlockingCall.run { try BackupFiles.copy(source, to: target) }
            if hash == nil { missing.append(name) }
        }
        return missing
    }

    /// Opens the home's databases, while the server uses them, and closes them.
    private func withLiveDatabases<Value>(_ body: ([String: Database]) async throws -> Value) async throws -> Value {
        var open: [String: Database] = [:]
        let result: Result<Value, any Error>
        do {
            let present = DiskSpace.size(of: "\(home)/\(Self.relay)") > 0 ? [Self.relay] : []
            for name in Self.databases + present {
                guard DiskSpace.size(of: "\(home)/\(name)") > 0 else { throw BackupError.notAHome(home) }
                open[name] = try await Database(at: "\(home)/\(name)")
            }
            result = .success(try await body(open))
        } catch {
            result = .failure(error)
        }
        for database in open.values { await database.close() }
        return try result.get()
    }

    /// Numbers of the home that are younger than the copy mean something else in the restored one.
    private static func removeEpoch(of copy: String) async throws {
        let database = try await Database(at: copy)
        do {
            try await database.write { connection in
                // A server that was killed at its first start has left an empty file.
                let isMade = try connection.first("SELECT 1 FROM sqlite_schema WHERE name = 'relay'", as: Int.self)
                if isMade != nil { try connection.execute("DELETE FROM relay") }
            }
        } catch {
            await database.close()
            throw error
        }
        await database.close()
    }

    /// Copies the sound of every recording in the copied database, and removes from it the recordings without a sound.
    private func copySounds(
        to partial: String, _ live: any ServerDatabase, _ report: inout Report
    ) async throws -> [(hash: String, path: String)] {
        let copy = try await Database(at: "\(partial)/recordings.sqlite")
        do {
            let sums = try await copySounds(to: partial, live, copy, &report)
            try await copy.write { connection in
                // An earlier version has no such table: the migration that makes it counts.
                let isMade = try connection.first(
                    "SELECT 1 FROM sqlite_schema WHERE name = 'recording_usage'", as: Int.self)
                if isMade != nil { for statement in RecordingUsage.recountAll { try connection.execute(statement) } }
            }
            await copy.close()
            return sums
        } catch {
            await copy.close()
            throw error
        }
    }

    private func copySounds(
        to partial: String, _ live: any ServerDatabase, _ copy: Database, _ report: inout Report
    ) async throws -> [(hash: String, path: String)] {
        try await copy.write { try $0.execute("DELETE FROM upload") }
        let sounds = try await copy.read { connection in
            try connection.query("SELECT account, id FROM recording ORDER BY account, id") {
                Sound(account: try $0["account"], id: try $0["id"])
            }
        }
        let bucket = try objects.bucket()
        var sums: [(hash: String, path: String)] = []
        for sound in sounds {
            try Task.checkCancellation()
            if let hash = try await copySound(sound, to: "\(partial)/\(sound.path)", from: bucket) {
                sums.append((hash, sound.path))
                report.recordings += 1
            } else if try await Self.has(sound, in: live) {
                report.missing.append("\(sound.account)/\(sound.id)")
            } else {
                // Deleted since the snapshot: the backup does not bring it back.
                try await Self.remove(sound, from: copy)
            }
        }
        return sums
    }

    /// - Returns: The hash; nil if the sound is missing.
    private func copySound(_ sound: Sound, to target: String, from bucket: (any ObjectStore)?) async throws -> String? {
        let source = "\(home)/\(sound.path)"
        guard let bucket else { return try await BlockingCall.run { try BackupFiles.copy(source, to: target) } }
        try await BlockingCall.run { try BackupFiles.makeFolder(BackupFiles.parent(of: target)) }
        do { try await bucket.download(ObjectKey("\(sound.account)/\(sound.id)"), to: target) } catch let error
            as ObjectStoreError where error.code == .notFound
        { return nil }
        return try await BlockingCall.run {
            try BackupFiles.synchronize(file: target)
            return try BackupFiles.hash(target)
        }
    }

    private static func has(_ sound: Sound, in database: any ServerDatabase) async throws -> Bool {
        try await database.read { rows in
            try await rows.first(
                "SELECT 1 AS number FROM recording WHERE account = \(sound.account) AND id = \(sound.id)", as: Int.self)
                != nil
        }
    }

    private static func remove(_ sound: Sound, from database: Database) async throws {
        try await database.write { connection in
            try connection.execute("DELETE FROM recording WHERE account = \(sound.account) AND id = \(sound.id)")
            try connection.execute(
                "DELETE FROM evaluation_job WHERE account = \(sound.account) AND recording = \(sound.id)")
        }
    }
}
