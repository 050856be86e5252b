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

    /// Makes a new file with all readable content of a damaged one: table by table, row by row around damaged pages;
    /// then indexes, views and triggers. Then sets the damaged one aside, as ``setAside(_:now:)`` does, and puts the new
    /// one in its place.
    ///
    /// Nothing is deleted: the damaged file and its log stay as they are under their new name. Until the new file is
    /// complete, the damaged one is not touched: if the program ends before, nothing has changed. If it ends after, the
    /// next one that opens the file finds the new one.
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
    ///   - finish: Completes the new file before it takes its place, for example its text indexes.
    /// - Returns: The report on saved and lost content.
    /// - Throws: ``DatabaseError`` with `busy` while another program has the file open, `notFound`, `diskFull`,
    ///   `permission`, …; `CancellationError`; the errors of `finish`.
    public static func recover(
        _ path: String, configuration: Configuration = .init(), now: Date = Date(),
        finish: (Database) async throws -> Void = { _ in }
    ) async throws -> RecoveryReport {
        let file = try DatabaseFile(path: path)
        let use = try await FileUse.exclusive(of: file)
        defer { extendLifetime(use) }
        return try await recover(file, configuration, now, finish)
    }

    /// Recovers a file as `recover` does if it is damaged; nil if it is sound, as after another program has just
    /// recovered it. Other programs may have a sound file open.
    public static func recoverIfDamaged(
        _ path: String, configuration: Configuration = .init(), now: Date = Date(),
        finish: (Database) async throws -> Void = { _ in }
    ) async throws -> RecoveryReport? {
        let file = try DatabaseFile(path: path)
        if try await isSound(file, try configuration.withVFS(), isAlone: false) { return nil }
        let use = try await FileUse.exclusive(of: file)
        defer { extendLifetime(use) }
        try endInterrupted(file)
        if try await isSound(file, try configuration.withVFS(), isAlone: true) { return nil }
        return try await recover(file, configuration, now, finish)
    }

    /// Rows that refer to lost ones do not count: recovering the file again would not bring those back.
    private static func isSound(_ file: DatabaseFile, _ configuration: Configuration, isAlone: Bool) async throws
        -> Bool
    {
        let isThere = try ["", "-wal"].contains { try DatabaseFile.size(of: file.path + $0) != nil }
        guard isThere else { return try DatabaseFile.size(of: file.recovered) == nil }
        // Otherwise its end would copy the log into a damaged file.
        var configuration = configuration
        configuration.isReadOnly = true
        let actor = try ConnectionActor(name: "db-check") { [configuration] in
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

    private static func recover(
        _ file: DatabaseFile, _ configuration: Configuration, _ now: Date, _ finish: (Database) async throws -> Void
    ) async throws -> RecoveryReport {
        try endInterrupted(file)
        let suffixes = [""] + DatabaseFile.companions
        guard try suffixes.contains(where: { try DatabaseFile.size(of: file.path + $0) != nil }) else {
            throw DatabaseError(systemError: ENOENT, doing: "find", path: file.path)
        }
        let partial = try DatabaseFile(path: file.recovered + "-\(getpid())-\(UInt32.random(in: 0 ... .max))")
        var report: RecoveryReport
        do {
            report = try await salvage(file, into: partial, configuration)
            let database = try await Database(at: partial.path, configuration: configuration)
            do { try await finish(database) } catch {
                await database.close()
                throw error
            }
            await database.close()
            report.setAside = try replace(file, by: partial, now: now)
        } catch {
            for suffix in suffixes { unlink(partial.path + suffix) }
            throw error
        }
        return report
    }

    /// Sets a damaged file aside and puts its recovered copy in its place. If the program is killed in between, the
    /// next one that opens the file finds the copy by its name.
    ///
    /// - Parameter between: Called in between; tests stop there.
    static func replace(
        _ file: DatabaseFile, by partial: DatabaseFile, now: Date, between: () throws -> Void = {}
    ) throws -> String {
        let whole = try DatabaseFile(path: file.recovered)
        try DatabaseFile.move(partial.path, to: whole.path)
        DatabaseFile.syncParent(of: file.path)
        let aside: String
        do { aside = try setAside(file.path, now: now) } catch {
            unlink(whole.path)
            throw error
        }
        try between()
        try put(whole, inPlaceOf: file, DatabaseFile(path: aside))
        return aside
    }

    /// Ends what programs that were killed had begun: the whole copy of a file that was set aside takes its place, and
    /// all other copies go. No program has the file open.
    static func endInterrupted(_ file: DatabaseFile) throws {
        if try DatabaseFile.size(of: file.path) == nil, try DatabaseFile.size(of: file.recovered) != nil {
            // A log that was not set aside yet is not the copy's.
            if try DatabaseFile.companions.contains(where: { try DatabaseFile.size(of: file.path + $0) != nil }) {
                _ = try setAside(file.path)
            }
            try DatabaseFile.move(file.recovered, to: file.path)
        }
        for path in copies(of: file.path) { unlink(path) }
    }

    /// Copies what can be read of a damaged file into a new one.
    private static func salvage(
        _ file: DatabaseFile, into partial: DatabaseFile, _ configuration: Configuration
    ) async throws -> RecoveryReport {
        let configuration = try configuration.withVFS()
        let actor = try ConnectionActor(name: "db-recovery") {
            try Connection.open(partial, role: .writer, configuration: configuration, logger: .disabled)
        }
        let result: Result<RecoveryReport, any Error>
        do {
            result = .success(
                try await actor.run { target in
                    let report = try Salvager(damaged: file, configuration: configuration, target: target).run()
                    try OutboxSchema.recount(on: target)
                    return report
                })
        } catch { result = .failure(error) }
        // Closing copies the log into the file.
        await actor.close()
        return try result.get()
    }

    /// Gives the recovered file its name, unless a program that ignores the signs has made a file there: both stay.
    static func put(_ partial: DatabaseFile, inPlaceOf file: DatabaseFile, _ aside: DatabaseFile) throws {
        do {
            try DatabaseFile.move(partial.path, to: file.path)
        } catch let error as DatabaseError where error.code == .alreadyExists {
            let kept = aside.path + ".recovered"
            try DatabaseFile.move(partial.path, to: kept)
            throw DatabaseError(
                code: .alreadyExists,
                message: "Another program created \(file.path) again during its recovery. The recovered data is in "
                    + "\(kept), the damaged file is \(aside.path). End the other program, and move \(kept) to "
                    + "\(file.path).")
        }
        DatabaseFile.syncParent(of: file.path)
    }

    /// The end of the name of a whole recovered copy, after the name of the file whose place it is about to take.
    public static let recoveredSuffix = ".recovered"
}

extension DatabaseFile {
    /// The path of the whole recovered copy.
    var recovered: String { path + Database.recoveredSuffix }
}
