// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Diagnostics
import Foundation
import Persistence
import PostgresTestSupport
import TestKit

@testable import ParleyServer

/// The kinds of databases that every store's contract runs over.
enum DatabaseKind: CaseIterable, Sendable {
    case memory
    case file
    case postgres

    /// The tables of one store.
    enum Tables: Sendable {
        case accounts
        case recordings
        case sync
        case mails

        var migrations: [Migration] {
            switch self {
            case .accounts: AuthSchema.migrations
            case .recordings: RecordingSchema.migrations
            case .sync: SyncSchema.migrations
            case .mails: MailSchema.migrations
            }
        }
    }

    /// Makes an empty database with tables.
    ///
    /// - Parameters:
    ///   - folder: The place of files.
    ///   - clock: The database's time, where it has no clock of its own.
    func make(
        _ tables: Tables, in folder: TemporaryFolder, clock: AuthClock = .system
    ) async throws -> any ServerDatabase {
        switch self {
        case .memory: try await SQLiteServerDatabase.open(nil, tables.migrations, clock: clock)
        case .file:
            try await SQLiteServerDatabase.open(
                folder.file("\(UUID().uuidString).sqlite"), tables.migrations, clock: clock)
        case .postgres: try await PostgresServerDatabase.open(Self.newPostgresURL(), logger: .disabled)
        }
    }

    /// The URL of a new empty database of the cluster that these tests share.
    static func newPostgresURL() async throws -> String {
        let cluster = try await sharedCluster.value
        return try cluster.makeDatabase()
    }
}

private let sharedCluster = Task { try await PostgresCluster.start() }

extension ServerDatabase {
    /// Ends the leases of a table, as time does.
    func endLeases(of table: SQL) async throws {
        try await write {
            try await $0.execute("UPDATE \(sql: table) SET lease_until = 1 WHERE lease_until IS NOT NULL")
        }
    }
}

extension ServerFixture {
    /// The stores of a home, opened beside its server or after it.
    static func stores(_ home: String) async throws -> PracticeStores {
        try await PracticeStores(ServerStorage.open(home: home, clock: .system), home: home)
    }
}
