// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The content of an ``AppLock``'s file, as JSON. Version 1 had a verifier of the passphrase and sealed nothing.
struct AppLockRecord: Codable, Equatable {
    /// Version 1's check of a passphrase.
    struct Verifier: Equatable {
        private static let label = Array("parley app lock".utf8)

        let salt: Data
        let costExponent: UInt8
        let blockSize: UInt8
        let parallelization: UInt8
        /// A value that is derived from the passphrase only to check it.
        let verifier: Data

        var parameters: ScryptParameters {
            get throws {
                try ScryptParameters(costExponent: costExponent, blockSize: blockSize, parallelization: parallelization)
            }
        }

        /// True if this is the passphrase. Takes as long as its parameters say.
        func accepts(_ passphrase: Sensitive<[UInt8]>) throws -> Bool {
            guard passphrase.withExposed({ !$0.isEmpty }) else { return false }
            let parameters = try parameters
            let key = try passphrase.withExposed { try Scrypt.key(passphrase: $0, salt: salt, parameters: parameters) }
            let found = try HKDF.key(from: key, salt: salt, info: Self.label).withUnsafeBytes { Data($0) }
            return ConstantTime.areEqual(found, verifier)
        }
    }

    /// The content that the passphrase opens.
    enum Gate: Equatable {
        /// No key: only wrong passphrases are counted, for a store with its own header.
        case none
        case verifier(Verifier)
        case header(AppLockHeader)
    }

    var gate: Gate
    var failures = AppLockFailures()

    private enum Key: String, CodingKey {
        case version, header, failures
        case salt, costExponent, blockSize, parallelization, verifier
    }

    init(_ gate: Gate) {
        self.gate = gate
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        failures = try values.decode(AppLockFailures.self, forKey: .failures)
        switch try values.decode(Int.self, forKey: .version) {
        case 1:
            let verifier = Verifier(
                salt: try values.decode(Data.self, forKey: .salt),
                costExponent: try values.decode(UInt8.self, forKey: .costExponent),
                blockSize: try values.decode(UInt8.self, forKey: .blockSize),
                parallelization: try values.decode(UInt8.self, forKey: .parallelization),
                verifier: try values.decode(Data.self, forKey: .verifier))
            guard verifier.salt.count == Scrypt.saltByteCount, (try? verifier.parameters) != nil else {
                throw DecodingError.dataCorruptedError(forKey: .salt, in: values, debugDescription: "not a verifier")
            }
            gate = .verifier(verifier)
        case 2: gate = .header(try AppLockHeader(parsing: Array(try values.decode(Data.self, forKey: .header))))
        // A changed byte must not turn a lock into this case.
        case 0 where values.allKeys.count == 2: gate = .none
        default:
            throw DecodingError.dataCorruptedError(forKey: .version, in: values, debugDescription: "unknown version")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(failures, forKey: .failures)
        switch gate {
        case .verifier(let verifier):
            try values.encode(1, forKey: .version)
            try values.encode(verifier.salt, forKey: .salt)
            try values.encode(verifier.costExponent, forKey: .costExponent)
            try values.encode(verifier.blockSize, forKey: .blockSize)
            try values.encode(verifier.parallelization, forKey: .parallelization)
            try values.encode(verifier.verifier, forKey: .verifier)
        case .header(let header):
            try values.encode(2, forKey: .version)
            try values.encode(Data(header.bytes), forKey: .header)
        case .none: try values.encode(0, forKey: .version)
        }
    }

    /// Reads the file; `nil` if it is missing.
    ///
    /// - Throws: ``SecurityError`` with the code `damaged` for an unreadable file: a lock fails closed.
    static func load(from path: String) throws -> AppLockRecord? {
        do {
            let bytes = try PrivateFile.contents(of: path, limit: 1 << 16)
            guard let record = try? JSONDecoder().decode(AppLockRecord.self, from: Data(bytes)),
                record.failures.count >= 0
            else {
                throw SecurityError(
                    code: .damaged,
                    message: "\(path) is damaged, so the app stays locked. Restore it from a backup.")
            }
            return record
        } catch let error as SecurityError where error.code == .notFound {
            return nil
        }
    }

    func save(to path: String) throws {
        try PrivateFile.replace(path, with: try JSONEncoder().encode(self))
    }
}
