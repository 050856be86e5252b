// SPDX-License-Identifier: MIT

import Testing

@testable import Security

@Suite struct P256Tests {
    /// RFC 6979 appendix A.2.5, SHA-256, "sample".
    private let point = bytes(
        "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
            + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
    private let signature = bytes(
        "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
            + "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8")

    @Test func `the standard's signature is valid`() throws {
        let key = try P256.PublicKey(point)
        #expect(key.bytes == point)
        #expect(key.isValid(signature: signature, for: utf8("sample")))
        #expect(!key.isValid(signature: signature, for: utf8("Sample")))
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1
            #expect(!key.isValid(signature: changed, for: utf8("sample")), "byte \(index)")
        }
        for wrong in [[], Array(signature.dropLast()), signature + [0], [UInt8](repeating: 0, count: 64)] {
            #expect(!key.isValid(signature: wrong, for: utf8("sample")))
        }
    }

    @Test func `a key signs and comes back`() throws {
        let key = try P256.PrivateKey()
        let again = try P256.PrivateKey(try key.withUnsafeBytes { Array($0) })
        #expect(again.publicKey == key.publicKey)
        // Many, since r or s begins with a zero byte in one of 128 signatures.
        for number in 0..<400 {
            let message = utf8("message \(number)")
            let signature = try again.sign(message)
            #expect(signature.count == P256.signatureByteCount)
            #expect(key.publicKey.isValid(signature: signature, for: message))
        }
        #expect(try !P256.PrivateKey().publicKey.isValid(signature: key.sign(utf8("a")), for: utf8("a")))
        #expect("\(key)" == "<PrivateKey>")
    }

    @Test func `other bytes are no key`() throws {
        var off = point
        off[63] ^= 1
        for wrong in [[], off, Array(point.dropLast()), [0x04] + point, [UInt8](repeating: 0, count: 64)] {
            #expect(throws: SecurityError.self) { try P256.PublicKey(wrong) }
        }
        let der = try P256.PrivateKey().withUnsafeBytes { Array($0) }
        let edwards = try Ed25519.PrivateKey().withUnsafeBytes { Array($0) }
        for wrong in [[], edwards, Array(der.dropLast()), der + [0]] {
            #expect(throws: SecurityError.self) { try P256.PrivateKey(wrong) }
        }
    }
}
