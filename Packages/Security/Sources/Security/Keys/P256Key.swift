// SPDX-License-Identifier: MIT

import COpenSSL

/// A key on P-256 inside libcrypto, and the two forms of its signatures.
// SAFETY: the key is not changed after the initialiser, and libcrypto counts references atomically.
final class P256Key: @unchecked Sendable {
    let pointer: OpaquePointer

    /// A fresh private key.
    init() throws {
        try SecurityError.requireLibCrypto()
        guard let key = copenssl_generate_p256() else { throw SecurityError.unavailable("make a key") }
        pointer = key
    }

    /// A private key in DER.
    init(private der: UnsafeRawBufferPointer) throws {
        try SecurityError.requireLibCrypto()
        var next = der.assumingMemoryBound(to: UInt8.self).baseAddress
        guard let key = d2i_PrivateKey(EVP_PKEY_EC, nil, &next, der.count) else { throw Self.invalid }
        pointer = key
        var name = [CChar](repeating: 0, count: 40)
        guard next == der.assumingMemoryBound(to: UInt8.self).baseAddress.map({ $0 + der.count }),
            EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1,
            String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) == "prime256v1"
        else { throw Self.invalid }
    }

    /// A public key of 64 bytes: x and y. libcrypto refuses a point that is not on the curve.
    init(public bytes: [UInt8]) throws {
        guard bytes.count == 2 * P256.coordinateByteCount else { throw Self.invalid }
        try SecurityError.requireLibCrypto()
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else {
            throw SecurityError.unavailable("read a public key")
        }
        defer { EVP_PKEY_CTX_free(context) }
        // Uncompressed (SEC 1 §2.3.3).
        var point = [0x04] + bytes
        var group = Array("P-256".utf8CString)
        var made: OpaquePointer?
        // A parameter refers to its name, so the names must live as long as the call.
        let isDone = OSSL_PKEY_PARAM_GROUP_NAME.withCString { groupName in
            OSSL_PKEY_PARAM_PUB_KEY.withCString { pointName in
                point.withUnsafeMutableBytes { point in
                    group.withUnsafeMutableBufferPointer { group in
                        var parameters = [
                            OSSL_PARAM_construct_utf8_string(groupName, group.baseAddress, 0),
                            OSSL_PARAM_construct_octet_string(pointName, point.baseAddress, point.count),
                            OSSL_PARAM_construct_end(),
                        ]
                        return EVP_PKEY_fromdata_init(context) == 1
                            && EVP_PKEY_fromdata(context, &made, copenssl_public_key_selection(), &parameters) == 1
                    }
                }
            }
        }
        guard isDone, let made else { throw Self.invalid }
        pointer = made
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// x and y.
    func publicBytes() throws -> [UInt8] {
        var point = [UInt8](repeating: 0, count: 1 + 2 * P256.coordinateByteCount)
        var count = 0
        guard
            EVP_PKEY_get_octet_string_param(pointer, OSSL_PKEY_PARAM_PUB_KEY, &point, point.count, &count) == 1,
            count == point.count, point[0] == 0x04
        else { throw SecurityError.unavailable("read a public key") }
        return Array(point.dropFirst())
    }

    func withPrivateBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        let count = i2d_PrivateKey(pointer, nil)
        guard count > 0 else { throw SecurityError.unavailable("read a private key") }
        let bytes = try SecureBytes(count: Int(count)) { buffer in
            var next = buffer.assumingMemoryBound(to: UInt8.self).baseAddress
            guard i2d_PrivateKey(pointer, &next) == count else { throw SecurityError.unavailable("read a private key") }
        }
        return try bytes.withUnsafeBytes(body)
    }

    /// r and s in DER, for libcrypto; nil for another length than 64.
    static func encoded(_ signature: UnsafeRawBufferPointer) -> [UInt8]? {
        guard signature.count == P256.signatureByteCount, let pair = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(pair) }
        let bytes = signature.assumingMemoryBound(to: UInt8.self).baseAddress
        let half = Int32(P256.coordinateByteCount)
        let (r, s) = (BN_bin2bn(bytes, half, nil), BN_bin2bn(bytes?.advanced(by: Int(half)), half, nil))
        guard ECDSA_SIG_set0(pair, r, s) == 1 else {
            BN_free(r)
            BN_free(s)
            return nil
        }
        let count = i2d_ECDSA_SIG(pair, nil)
        guard count > 0 else { return nil }
        var encoded = [UInt8](repeating: 0, count: Int(count))
        let written = encoded.withUnsafeMutableBufferPointer { buffer in
            var next = buffer.baseAddress
            return i2d_ECDSA_SIG(pair, &next)
        }
        return written == count ? encoded : nil
    }

    /// r and s, 32 bytes each, from libcrypto's encoding.
    static func decoded(_ encoded: ArraySlice<UInt8>) -> [UInt8]? {
        let pair = encoded.withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            return d2i_ECDSA_SIG(nil, &next, buffer.count)
        }
        guard let pair else { return nil }
        defer { ECDSA_SIG_free(pair) }
        let half = P256.coordinateByteCount
        var signature = [UInt8](repeating: 0, count: 2 * half)
        let isDone = signature.withUnsafeMutableBufferPointer { buffer in
            BN_bn2binpad(ECDSA_SIG_get0_r(pair), buffer.baseAddress, Int32(half)) == half
                && BN_bn2binpad(ECDSA_SIG_get0_s(pair), buffer.baseAddress?.advanced(by: half), Int32(half)) == half
        }
        return isDone ? signature : nil
    }

    private static let invalid = SecurityError(
        code: .invalidParameter,
        message: "These bytes are not a key on P-256: 64 bytes of a point, or DER of a private key.")
}
