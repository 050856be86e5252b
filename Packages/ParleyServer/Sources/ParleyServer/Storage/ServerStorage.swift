// SPDX-License-Identifier: MIT

import AuthServer
import DataLayer
import Diagnostics
import Domain

/// The databases of a server: files of its home, or one database that several instances share.
struct ServerStorage: Sendable {
    /// Accounts, sessions and addresses.
    let accounts: any ServerDatabase
    /// Recordings, uploads, evaluations, receipts and settings.
    let recordings: any ServerDatabase
    /// The relay's objects.
    let sync: any ServerDatabase
    /// The mail queue.
    let mails: any ServerDatabase
    /// The catalogue and the results of all accounts.
    let practice: any PracticeStorage
    /// The owner of the leases that this process takes.
    let instance: ServerInstance

    /// True if other instances may use the databases at the same time.
    var isShared: Bool { recordings.isShared }

    /// The database that carries hints between instances; nil for files of a home, and behind a pooler of transactions.
    var hints: (any HintedDatabase)? {
        guard let database = recordings as? any HintedDatabase, database.carriesHints else { return nil }
        return database
    }

    /// Each database once.
    private var databases: [any ServerDatabase] { isShared ? [accounts] : [accounts, recordings, sync, mails] }

    /// Opens the databases that the options name, and brings their tables up to date.
    static func open(_ options: ServerOptions, logger: Logger) async throws -> ServerStorage {
        guard let url = options.database else { return try await open(home: options.home, clock: options.clock) }
        let database = try await PostgresServerDatabase.open(url, logger: logger)
        do { try await TransferMark.checkFinished(database) } catch {
            await database.close()
            throw error
        }
        return ServerStorage(
            accounts: database, recordings: database, sync: database, mails: database,
            practice: SQLPracticeStorage(database: database), instance: .random())
    }

    /// Opens the files of a home, or makes them.
    static func open(home: String, clock: AuthClock) async throws -> ServerStorage {
        var opened: [any ServerDatabase] = []
        do {
            for (name, migrations) in [
                ("server", AuthSchema.migrations), ("recordings", RecordingSchema.migrations),
                ("sync", SyncSchema.migrations), ("mails", MailSchema.migrations),
            ] {
                opened.append(try await SQLiteServerDatabase.open("\(home)/\(name).sqlite", migrations, clock: clock))
            }
            return ServerStorage(
                accounts: opened[0], recordings: opened[1], sync: opened[2], mails: opened[3],
                practice: SQLitePracticeStorage(database: try await PracticeDatabase(path: home + "/practice.sqlite")),
                instance: .home)
        } catch {
            for database in opened { await database.close() }
            throw error
        }
    }

    /// Throws unless every database answers.
    func check() async throws {
        for database in databases { try await database.check() }
        _ = try await practice.cues.count()
    }

    func close() async {
        await practice.close()
        for database in databases.reversed() { await database.close() }
    }
}
