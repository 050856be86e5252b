// SPDX-License-Identifier: MIT

import CLibCrypto

/// A hash of bytes that come in pieces, computed by OpenSSL's libcrypto.
///
/// SHA-1 is here because RFC 6455 and tus demand it, where it guards against confusion and not against forgery.
public struct MessageDigest: ~Copyable {
    /// Which hash.
    public enum Algorithm: Sendable, CaseIterable {
        /// 20 bytes (FIPS 180-4). Not secure against forgery.
        case sha1
        /// 32 bytes (FIPS 180-4).
        case sha256
    }

    private let context: OpaquePointer
    private let size: Int

    /// An empty digest.
    ///
    /// - Throws: ``NetworkError/Code/digestUnavailable`` where the system's OpenSSL forbids the algorithm.
    public init(_ algorithm: Algorithm) throws(NetworkError) {
        let function =
            switch algorithm {
            case .sha1: EVP_sha1()
            case .sha256: EVP_sha256()
            }
        guard let context = EVP_MD_CTX_new() else { throw Self.unavailable(algorithm) }
        guard EVP_DigestInit_ex(context, function, nil) == 1 else {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
            throw Self.unavailable(algorithm)
        }
        self.context = context
        size = Int(EVP_MD_get_size(function))
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Adds bytes at the end.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        _ = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    /// The hash of all bytes given.
    public consuming func finish() -> [UInt8] {
        let context = context
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            var length: UInt32 = 0
            EVP_DigestFinal_ex(context, buffer.baseAddress, &length)
            count = Int(length)
        }
    }

    /// The hash of some bytes.
    public static func hash(
        _ bytes: some Sequence<UInt8>, _ algorithm: Algorithm
    ) throws(NetworkError) -> [UInt8] {
        var digest = try MessageDigest(algorithm)
        Array(bytes).withUnsafeBytes { digest.update($0) }
        return digest.finish()
    }

    private static func unavailable(_ algorithm: Algorithm) -> NetworkError {
        NetworkError(
            code: .digestUnavailable,
            message: "OpenSSL offers no \(algorithm) here. Check the system's OpenSSL configuration (FIPS mode).")
    }
}

extension NetworkError.Code {
    /// The system's OpenSSL does not offer a hash that is needed.
    public static let digestUnavailable = Self(rawValue: "digestUnavailable")
}
