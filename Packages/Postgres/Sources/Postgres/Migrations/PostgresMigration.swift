// SPDX-License-Identifier: MIT

/// One step of a schema's history. Once released, a migration is never changed: the next change is a new migration.
public struct PostgresMigration: Sendable {
    /// The migration's name, unique in its list, such as `2026-01 accounts`.
    public let name: String
    /// The value that differs between this migration and a changed one.
    public let checksum: String
    let scripts: [String]

    /// A migration that runs SQL scripts of one or more statements each, in one transaction. Its checksum is taken from
    /// their text, spaces and comments included.
    ///
    /// A statement that ends or begins a transaction is refused, and so is one that cannot run in a transaction. A
    /// function's body stands in quotes or dollar quotes.
    public init(name: String, sql scripts: StaticString...) {
        self.init(name: name, scripts: scripts.map(\.description))
    }

    init(name: String, scripts: [String]) {
        (self.name, self.scripts, checksum) = (name, scripts, Self.checksum(of: scripts))
    }

    /// FNV-1a with 64 bits, as Persistence has it: it finds a mistake, and need not withstand an attacker.
    private static func checksum(of scripts: [String]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for script in scripts {
            for byte in script.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            // Between scripts, so that moving a statement from one to the next is a change. No UTF-8 text holds it.
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        return "fnv1a64:" + String(hash, radix: 16)
    }
}
