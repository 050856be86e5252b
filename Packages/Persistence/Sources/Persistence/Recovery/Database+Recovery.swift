// SPDX-License-Identifier: MIT

import Diagnostics
public import FoundationEssentials
import Glibc

extension Database {
    /// Looks for damage in every page, index and constraint; takes a time that grows with the file.
    ///
    /// - Returns: The problems, a sentence each, at most 100; empty when the database is sound.
    /// - Throws: ``DatabaseError`` (`damaged` when the damage prevents the check itself).
    public func integrityCheck() async throws -> [String] {
        try await read { connection in
            do {
                let problems = try connection.query("PRAGMA integrity_check(100)", as: String.self)
                let orphans = try connection.query("PRAGMA foreign_key_check") { row in
                    let (id, table) = (try row["rowid"] ?? 0 as Int64, try row["table", as: String.self])
                    return "row \(id) of \(table) refers to nothing in \(try row["parent", as: String.self])"
                }
                return Array((problems.filter { $0 != "ok" } + orphans).prefix(100))
            } catch let error as DatabaseError where error.code == .tooLarge {
                // A record that claims a value longer than any that SQLite writes.
                let message = DatabaseError.damageMessage(name: connection.name, detail: error.message)
                throw DatabaseError(code: .damaged, message: message, underlying: error.underlying)
            }
        }
    }

    /// Sets a damaged file aside, as ``setAside(_:now:)`` does, and puts a new one with all readable content in its
    /// place: table by table, row by row around damaged pages; then indexes, views and triggers.
    ///
    /// Nothing is deleted: the damaged file and its log stay as they are under their new name. The new file appears
    /// when it is complete. If the program ends before, the damaged file is under its new name and there is none under
    /// the old one.
    ///
    /// Damage that has changed values into others that look sound is not noticed. If the list of tables itself is
    /// unreadable, the new file is empty and the report says so. The totals of an ``Outbox`` are counted anew.
    ///
    /// No program of this package can have the file open meanwhile: this waits for those that do, and they wait for
    /// this.
    ///
    /// - Parameters:
    ///   - path: The damaged file.
    ///   - configuration: Its seal, which the new file gets, too.
    ///   - now: The time in the damaged file's new name.
    /// - Returns: The report on saved and lost content.
    /// - Throws: ``DatabaseError`` with `busy` while another program has the file open, `notFound`, `diskFull`,
    ///   `permission`, …; `CancellationError`. The damaged file is kept under its new name even so.
    public static func recover(
        _ path: String, configuration: Configuration = .init(), now: Date = Date()
    ) async throws -> RecoveryReport {
        let file = try DatabaseFile(path: path)
        let use = try await FileUse.exclusive(of: file)
        defer { extendLifetime(use) }
        return try await recover(file, configuration.withVFS(), now)
    }

    /// Recovers a file as `recover` does if it is damaged; nil if it is sound, as after another program has just
    /// recovered it. Other programs may have a sound file open.
    public static func recoverIfDamaged(
        _ path: String, configuration: Configuration = .init(), now: Date = Date()
    ) async throws -> RecoveryReport? {
        let file = try DatabaseFile(path: path)
        let configuration = try configuration.withVFS()
        if try await isSound(file, configuration, isAlone: false) { return nil }
        let use = try await FileUse.exclusive(of: file)
        defer { extendLifetime(use) }
        return try await isSound(file, configuration, isAlone: true) ? nil : try await recover(file, configuration, now)
    }

    /// Rows that refer to lost ones do not count: recovering the file again would not bring those back.
    private static func isSound(_ file: DatabaseFile, _ configuration: Configuration, isAlone: Bool) async throws
        -> Bool
    {
        let isThere = try ["", "-wal"].contains { try DatabaseFile.size(of: file.path + $0) != nil }
        guard isThere else { return true }
        let actor = try ConnectionActor(name: "db-check") {
            let use = isAlone ? nil : try file.use(timeout: .seconds(5), false)
            let connection = try Connection.open(file, role: .writer, configuration: configuration, logger: .disabled)
            connection.use = use
            return connection
        }
        let result: Result<Bool, any Error>
        do {
            result = .success(
                try await actor.run { connection in
                    try connection.reading { try $0.first("PRAGMA integrity_check(1)", as: String.self) == "ok" }
                })
        } catch let error as DatabaseError where [.damaged, .tooLarge].contains(error.code) {
            result = .success(false)
        } catch { result = .failure(error) }
        await actor.close()
        return try result.get()
    }

    private static func recover(_ file: DatabaseFile, _ configuration: Configuration, _ now: Date) async throws
        -> RecoveryReport
    {
        let aside = try DatabaseFile(path: setAside(file.path, now: now))
        let partial = try DatabaseFile(path: file.path + ".recovered-\(getpid())-\(UInt32.random(in: 0 ... .max))")
        do {
            let actor = try ConnectionActor(name: "db-recovery") {
                try Connection.open(partial, role: .writer, configuration: configuration, logger: .disabled)
            }
            let report = try await actor.run { target in
                let report = try Salvager(damaged: aside, configuration: configuration, target: target).run()
                try OutboxSchema.recount(on: target)
                return report
            }
            // Closing copies the log into the file.
            await actor.close()
            try put(partial, inPlaceOf: file, aside)
            return report
        } catch let error as DatabaseError where error.code == .alreadyExists {
            throw error
        } catch {
            for suffix in [""] + DatabaseFile.companions { unlink(partial.path + suffix) }
            throw error
        }
    }

    /// Gives the recovered file its name, unless a program that ignores the signs has made a file there: both stay.
    static func put(_ partial: DatabaseFile, inPlaceOf file: DatabaseFile, _ aside: DatabaseFile) throws {
        do {
            try DatabaseFile.move(partial.path, to: file.path)
        } catch let error as DatabaseError where error.code == .alreadyExists {
            throw DatabaseError(
                code: .alreadyExists,
                message: "Another program created \(file.path) again during its recovery. The recovered data is in "
                    + "\(partial.path), the damaged file is \(aside.path). End the other program, and move "
                    + "\(partial.path) to \(file.path).")
        }
        DatabaseFile.syncParent(of: file.path)
    }
}
