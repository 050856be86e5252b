// SPDX-License-Identifier: MIT

package import Diagnostics
import FoundationEssentials
public import Persistence
import Security

/// The key that a person's files are sealed with while the app lock is set.
public struct DataSeal: Sendable {
    let key: AppLockKey
    private let database: SymmetricKey
    private let lines: AEAD

    init(_ key: AppLockKey) throws {
        self.key = key
        database = try key.key(for: "databases")
        lines = try AEAD(key: key.key(for: "lines"))
    }

    /// The seal of databases: AES-256-GCM, page by page.
    public var pages: DatabaseSeal {
        DatabaseSeal { [database] salt in
            let cipher = try BlockCipher(key: database, salt: salt, purpose: "database")
            return (Pages(cipher: cipher), cipher.check)
        }
    }

    /// Seals a line of a text file: base64, which is a line, too.
    public func seal(line: [UInt8]) throws -> [UInt8] {
        Array(Data(try lines.seal(line, authenticating: Self.context)).base64EncodedData())
    }

    /// Opens a line that ``seal(line:)`` made; nil for any other line.
    public func open(line: [UInt8]) -> [UInt8]? {
        Data(base64Encoded: Data(line)).flatMap { try? lines.open($0, authenticating: Self.context) }
    }

    private static let context = Array("parley line 1".utf8)

    private struct Pages: PageCipher {
        let cipher: BlockCipher

        func seal(
            _ block: UnsafeRawBufferPointer, at context: UInt64, into sealed: UnsafeMutableRawBufferPointer
        ) -> Bool { cipher.seal(block, at: context, into: sealed) }

        func open(
            _ sealed: UnsafeRawBufferPointer, at context: UInt64, into block: UnsafeMutableRawBufferPointer
        ) -> Bool { cipher.open(sealed, at: context, into: block) }
    }
}

extension Database {
    /// Opens a file with its seal. A file that is not sealed yet, since a program had it open when the app lock was
    /// set, is used unsealed until no program has it open.
    package static func opened(
        at path: String, seal: DataSeal?, logger: Logger = .disabled
    ) async throws -> Database {
        do {
            guard let seal else { return try await Database(at: path, logger: logger) }
            return try await Database(at: path, configuration: .init(seal: seal.pages), logger: logger)
        } catch let error as DatabaseError where error.code == .notSealed {
            return try await Database(at: path, logger: logger)
        } catch let error as DatabaseError where [.sealed, .wrongKey].contains(error.code) {
            throw DatabaseError(
                code: error.code,
                message: "\(path) is sealed by an app lock whose key is not here. Restore the folder inbox beside it, "
                    + "or app-lock in the configuration folder, from a backup.")
        }
    }

    /// Recovers a file that may be sealed.
    static func recoverIfDamaged(
        _ path: String, seal: DataSeal?, finish: (Database) async throws -> Void
    ) async throws -> RecoveryReport? {
        var pages = seal?.pages
        if seal != nil, try await isSealed(path) == false { pages = nil }
        return try await recoverIfDamaged(path, configuration: .init(seal: pages), finish: finish)
    }
}
