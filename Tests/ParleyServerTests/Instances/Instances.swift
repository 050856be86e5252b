// SPDX-License-Identifier: MIT

import AuthServer
import Diagnostics
import Foundation
import Networking
import PostgresTestSupport
import TestKit

@testable import ParleyServer

/// Instances of a server on one database, in one process.
final class Instances: Sendable {
    let url: String
    /// The key that they share.
    let rootKey: ServerRootKey
    let all: [ServerFixture]

    /// - Parameter change: Changes the options of an instance, by its number.
    init(_ count: Int = 2, _ change: @escaping @Sendable (Int, inout ServerOptions) -> Void = { _, _ in }) async throws
    {
        let url = try await DatabaseKind.newPostgresURL()
        let rootKey = try ServerRootKey(String(repeating: "5a", count: 32), at: "test")
        var all: [ServerFixture] = []
        for number in 0..<count {
            let home = try TemporaryFolder()
            if let first = all.first { try home.shareMails(of: first.home) }
            all.append(
                try await ServerFixture(home: home) { options in
                    options.clock = .system
                    options.database = url
                    options.rootKey = rootKey
                    // Tokens of one are tokens of all.
                    options.publicAddress = "http://127.0.0.1:1"
                    change(number, &options)
                })
        }
        (self.url, self.rootKey, self.all) = (url, rootKey, all)
    }

    subscript(_ number: Int) -> ServerFixture { all[number] }

    func database() async throws -> PostgresServerDatabase {
        try await PostgresServerDatabase.open(url, logger: .disabled)
    }

    func stop() async {
        for fixture in all { await fixture.stop() }
    }
}

extension TemporaryFolder {
    /// Lets a server's mails go to another home's folder: of servers on one database, any sends a mail.
    func shareMails(of other: TemporaryFolder) throws {
        try FileManager.default.createSymbolicLink(
            atPath: file("mail"), withDestinationPath: other.file("mail"))
    }
}
