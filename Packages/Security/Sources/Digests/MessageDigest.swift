// SPDX-License-Identifier: MIT

import COpenSSL

/// A hash of bytes that arrive in pieces, computed by OpenSSL's libcrypto.
///
/// SHA-1 is here because RFC 6455 and tus demand it, where it guards against confusion and not against forgery.
public struct MessageDigest: ~Copyable {
    /// The hash function.
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
    /// - Throws: ``DigestError``.
    public init(_ algorithm: Algorithm) throws(DigestError) {
        try LibCrypto.load()
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
        Self.finish(context, size)
    }

    /// The hash of the bytes given so far; more may be added afterwards.
    ///
    /// - Throws: ``DigestError`` with the code `unavailable` when libcrypto has no memory.
    public func current() throws(DigestError) -> [UInt8] {
        guard let copy = EVP_MD_CTX_new() else { throw .noMemory }
        defer { EVP_MD_CTX_free(copy) }
        guard EVP_MD_CTX_copy_ex(copy, context) == 1 else { throw .noMemory }
        return Self.finish(copy, size)
    }

    /// The hash of some bytes.
    public static func hash(
        _ bytes: some Sequence<UInt8>, _ algorithm: Algorithm
    ) throws(DigestError) -> [UInt8] {
        var digest = try MessageDigest(algorithm)
        Array(bytes).withUnsafeBytes { digest.update($0) }
        return digest.finish()
    }

    /// The SHA-256 of the key in a certificate: of its SubjectPublicKeyInfo (RFC 5280 §4.1.2.7), the value of a pin.
    ///
    /// - Parameter certificate: In DER.
    /// - Returns: The hash; nil for bytes that are not a certificate.
    /// - Throws: ``DigestError``.
    public static func publicKeyHash(ofCertificate certificate: [UInt8]) throws(DigestError) -> [UInt8]? {
        try LibCrypto.load()
        let key = certificate.withUnsafeBufferPointer { buffer -> [UInt8]? in
            var start = buffer.baseAddress
            guard let parsed = d2i_X509(nil, &start, buffer.count) else {
                ERR_clear_error()
                return nil
            }
            defer { X509_free(parsed) }
            var encoded: UnsafeMutablePointer<UInt8>?
            let count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(parsed), &encoded)
            guard count > 0, let encoded else { return nil }
            defer { CRYPTO_free(encoded, #file, #line) }
            return Array(UnsafeBufferPointer(start: encoded, count: Int(count)))
        }
        guard let key else { return nil }
        return try hash(key, .sha256)
    }

    private static func finish(_ context: OpaquePointer, _ size: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            var length: UInt32 = 0
            EVP_DigestFinal_ex(context, buffer.baseAddress, &length)
            count = Int(length)
        }
    }

    private static func unavailable(_ algorithm: Algorithm) -> DigestError {
        DigestError(
            code: .unavailable,
            message: "OpenSSL offers no \(algorithm) here. Check the system's OpenSSL configuration (FIPS mode).")
    }
}
