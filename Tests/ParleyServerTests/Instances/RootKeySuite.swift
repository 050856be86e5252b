// SPDX-License-Identifier: MIT

import AuthServer
import Diagnostics
import Foundation
import Testing

@testable import ParleyServer

/// Tests about root keys: three keys, and files of them.
protocol RootKeySuite {}

extension RootKeySuite {
    static var old: String { digits("5a") }
    static var new: String { digits("77") }
    static var third: String { digits("93") }

    static func digits(_ pair: String) -> String { String(repeating: pair, count: 32) }

    func file(_ keys: String...) throws -> ServerRootKey {
        try ServerRootKey(keys.map { $0 + "\n" }.joined(), at: "test")
    }

    /// Lets the two minutes before a change on a real server pass.
    func passNotice(_ url: String, _ file: ServerRootKey) async throws {
        let database = try await PostgresServerDatabase.connect(url, logger: .disabled)
        let shared = SharedKeys(database: database, roots: try RootKeyRing(file.keys))
        let now = AuthClock.system.now()
        _ = try await shared.changeUse(or: RootKeyUse(of: [])) { use in
            RootKeyUse(of: [use.entries[0].key]).announcing(use.entries[1].key, from: now, at: now)
        }
        await database.close()
    }
}
