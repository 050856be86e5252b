// SPDX-License-Identifier: MIT

/// One step of a schema's history. Once released, a migration is never changed: the next change is a new migration.
public struct Migration: Sendable {
    /// The migration's name, unique in its list, such as `2026-01 conversations`.
    public let name: String
    /// The value that differs between this migration and a changed one.
    public let checksum: String
    let apply: @Sendable (WritableConnection) throws -> Void

    /// A migration that runs SQL scripts of one or more statements each. Its checksum is taken from their text, spaces
    /// and comments included.
    public init(name: String, sql scripts: StaticString...) {
        self.name = name
        checksum = Self.checksum(of: scripts)
        apply = { connection in
            for script in scripts { try connection.executeScript(script) }
        }
    }

    /// A migration that runs code.
    ///
    /// - Parameters:
    ///   - name: The migration's name.
    ///   - checksum: A text that you change if ever you must change the code; files with another one are refused.
    ///   - apply: Performs the migration, inside its transaction.
    public init(name: String, checksum: String, apply: @escaping @Sendable (WritableConnection) throws -> Void) {
        self.name = name
        self.checksum = "code:" + checksum
        self.apply = apply
    }

    /// FNV-1a with 64 bits: it finds a mistake; it need not withstand an attacker, who could write the file as well.
    private static func checksum(of scripts: [StaticString]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for script in scripts {
            script.withUTF8Buffer { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 } }
            // Between scripts, so that moving a statement from one to the next is a change. No UTF-8 text holds it.
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        return "fnv1a64:" + String(hash, radix: 16)
    }
}
