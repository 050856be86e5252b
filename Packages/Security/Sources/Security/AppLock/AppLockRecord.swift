// SPDX-License-Identifier: MIT

import FoundationEssentials

/// What an ``AppLock`` keeps in its file, as JSON.
struct AppLockRecord: Codable, Equatable {
    private static let label = Array("parley app lock".utf8)

    var version = 1
    let salt: Data
    let costExponent: UInt8
    let blockSize: UInt8
    let parallelization: UInt8
    /// Derived from the passphrase, and of no other use.
    let verifier: Data
    var failures = AppLockFailures()

    init(passphrase: Sensitive<[UInt8]>, parameters: ScryptParameters) throws {
        salt = Data(try SecureRandom.bytes(Scrypt.saltByteCount))
        costExponent = parameters.costExponent
        blockSize = parameters.blockSize
        parallelization = parameters.parallelization
        verifier = try Self.verifier(of: passphrase, salt: salt, parameters)
    }

    /// Whether this is the passphrase. Takes as long as its parameters say.
    func accepts(_ passphrase: Sensitive<[UInt8]>) throws -> Bool {
        let parameters = try ScryptParameters(
            costExponent: costExponent, blockSize: blockSize, parallelization: parallelization)
        guard passphrase.withExposed({ !$0.isEmpty }) else { return false }
        return ConstantTime.areEqual(try Self.verifier(of: passphrase, salt: salt, parameters), verifier)
    }

    private static func verifier(
        of passphrase: Sensitive<[UInt8]>, salt: Data, _ parameters: ScryptParameters
    ) throws -> Data {
        let key = try passphrase.withExposed { try Scrypt.key(passphrase: $0, salt: salt, parameters: parameters) }
        return try HKDF.key(from: key, salt: salt, info: label).withUnsafeBytes { Data($0) }
    }

    /// Reads the file; `nil` if there is none.
    ///
    /// - Throws: ``SecurityError`` with the code `damaged` for one that cannot be read: a lock fails closed.
    static func load(from path: String) throws -> AppLockRecord? {
        let damaged = SecurityError(
            code: .damaged,
            message: "\(path) is damaged, so the app stays locked. Restore it, or remove it and with it the app lock.")
        do {
            let bytes = try PrivateFile.contents(of: path, limit: 1 << 16)
            guard let record = try? JSONDecoder().decode(AppLockRecord.self, from: Data(bytes)), record.version == 1
            else {
                throw damaged
            }
            let isUsable =
                (try? ScryptParameters(
                    costExponent: record.costExponent, blockSize: record.blockSize,
                    parallelization: record.parallelization)) != nil
            guard isUsable, record.salt.count == Scrypt.saltByteCount, record.failures.count >= 0 else { throw damaged }
            return record
        } catch let error as SecurityError where error.code == .notFound {
            return nil
        }
    }

    func save(to path: String) throws {
        try PrivateFile.replace(path, with: try JSONEncoder().encode(self))
    }
}
