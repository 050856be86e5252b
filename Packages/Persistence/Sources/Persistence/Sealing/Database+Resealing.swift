// SPDX-License-Identifier: MIT

import Diagnostics
import FoundationEssentials
import Glibc

extension Database {
    /// Seals a plain file, unseals it, or seals it with another key: a copy of every page takes its place.
    ///
    /// After a crash at any moment the file is the old one or the new one. The disk's remains of the replaced file are
    /// not overwritten.
    ///
    /// - Parameters:
    ///   - path: The file; if it is missing, nothing happens.
    ///   - from: The present seal; nil for a plain file.
    ///   - to: The new seal; nil for a plain file.
    ///   - timeout: The longest wait for programs that have the file open.
    /// - Throws: ``DatabaseError`` with `busy` while another program has the file open, `sealed`, `notSealed`,
    ///   `wrongKey`, `damaged`, `diskFull`, …; `CancellationError`.
    public static func reseal(
        _ path: String, from: DatabaseSeal?, to: DatabaseSeal?, timeout: Duration = .seconds(5)
    ) async throws {
        let file = try DatabaseFile(path: path)
        guard try DatabaseFile.size(of: file.path) != nil else { return }
        let use = try await FileUse.exclusive(of: file, timeout: timeout)
        defer { extendLifetime(use) }
        try endInterrupted(file)
        let source = try Configuration(seal: from).withVFS()
        let target = try Configuration(seal: to).withVFS()
        let partial = try DatabaseFile(path: file.path + copy + "\(getpid())-\(UInt32.random(in: 0 ... .max))")
        let actor = try ConnectionActor(name: "db-reseal") {
            try Connection.open(file, role: .writer, configuration: source, logger: .disabled)
        }
        do {
            try await actor.run { connection in
                try connection.reading { connection in
                    _ = try connection.first("SELECT 1 FROM sqlite_schema LIMIT 1", as: Int.self)
                    try connection.copy(to: partial, target, pagesPerStep: 1_024) { _ in }
                }
            }
            // Closing copies the log into the file that is replaced, and deletes it: nothing may be written to that
            // file afterwards.
            await actor.close()
            guard try DatabaseFile.size(of: file.path + "-wal") ?? 0 == 0 else {
                throw DatabaseError(code: .busy, message: "Another program has \(path) open. End it, then try again.")
            }
            try sync(partial.path)
            guard rename(partial.path, file.path) == 0 else {
                throw DatabaseError(systemError: errno, doing: "replace", path: file.path)
            }
            DatabaseFile.syncParent(of: file.path)
        } catch {
            await actor.close()
            for suffix in [""] + DatabaseFile.companions { unlink(partial.path + suffix) }
            throw error
        }
    }

    /// True if a file is sealed; nil if it is missing or empty.
    ///
    /// - Throws: ``DatabaseError``, not for damage.
    public static func isSealed(_ path: String) async throws -> Bool? {
        let file = try DatabaseFile(path: path)
        guard let size = try DatabaseFile.size(of: file.path), size > 0 else { return nil }
        // By SQLite: closing another descriptor of the file would drop the locks of this process on it.
        let actor = try ConnectionActor(name: "db-seal") {
            var configuration = Configuration()
            configuration.isReadOnly = true
            return try Connection.open(file, role: .reader, configuration: configuration, logger: .disabled)
        }
        let result: Result<Bool, any Error>
        do {
            try await actor.run { _ in }
            result = .success(false)
        } catch let error as DatabaseError where [.sealed, .damaged].contains(error.code) {
            result = .success(error.code == .sealed)
        } catch { result = .failure(error) }
        await actor.close()
        return try result.get()
    }

    /// Removes the copies of a file that programs left when they ended while they sealed or recovered it. The file may be
    /// missing: a copy that was about to take its place does.
    ///
    /// - Parameter timeout: The longest wait for programs that have the file open.
    /// - Throws: ``DatabaseError`` with `busy` while another program has the file open; `CancellationError`.
    public static func removeCopies(of path: String, timeout: Duration = .seconds(5)) async throws {
        let file = try DatabaseFile(path: path)
        guard !copies(of: file.path).isEmpty else { return }
        let use = try await FileUse.exclusive(of: file, timeout: timeout)
        defer { extendLifetime(use) }
        try endInterrupted(file)
    }

    private static let copy = ".resealed-"

    /// The copies of programs that were killed.
    static func copies(of path: String) -> [String] {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : "./"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { name in
            [copy, recoveredSuffix].contains { name.hasPrefix("\(parts.last ?? "")\($0)") }
        }.map { folder + $0 }
    }

    private static func sync(_ path: String) throws {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw DatabaseError(systemError: errno, doing: "open", path: path) }
        defer { Glibc.close(file) }
        guard fsync(file) == 0 else { throw DatabaseError(systemError: errno, doing: "save", path: path) }
    }
}
