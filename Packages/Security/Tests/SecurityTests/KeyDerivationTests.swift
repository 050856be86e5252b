// SPDX-License-Identifier: MIT

import Testing

@testable import Security

@Suite struct KeyDerivationTests {
    /// RFC 5869 A.1–A.3.
    @Test(
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 22), Array(0x00...0x0C), Array(0xF0...0xF9),
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
            ),
            (
                Array(0x00...0x4F), Array(0x60...0xAF), Array(0xB0...0xFF),
                "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
                    + "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"
            ),
            (
                [UInt8](repeating: 0x0B, count: 22), [], [],
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
            ),
        ] as [([UInt8], [UInt8], [UInt8], String)])
    func hkdf(secret: [UInt8], salt: [UInt8], info: [UInt8], expected: String) throws {
        let output = try SecureBytes(count: expected.count / 2) {
            try HKDF.derive(from: secret, salt: salt, info: info, into: $0)
        }
        #expect(output.exposed == bytes(expected))
        #expect(try HKDF.key(from: secret, salt: salt, info: info).exposed == Array(bytes(expected).prefix(32)))
    }

    @Test func keysForOtherPurposesAreOthers() throws {
        let secret = try SymmetricKey()
        let key = try HKDF.key(from: secret, salt: utf8("s"), info: utf8("a"))
        #expect(try HKDF.key(from: secret, salt: utf8("s"), info: utf8("b")).exposed != key.exposed)
        #expect(try HKDF.key(from: secret, salt: utf8("t"), info: utf8("a")).exposed != key.exposed)
    }

    /// RFC 7914 §12 without its last vector, which takes 1 GiB.
    @Test(
        arguments: [
            (
                "", "", 16, 1, 1,
                "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                    + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
            ),
            (
                "password", "NaCl", 1_024, 8, 16,
                "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                    + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
            ),
            (
                "pleaseletmein", "SodiumChloride", 16_384, 8, 1,
                "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                    + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
            ),
        ] as [(String, String, UInt64, UInt64, UInt64, String)])
    func scrypt(
        passphrase: String, salt: String, cost: UInt64, blockSize: UInt64, parallelization: UInt64, expected: String
    ) throws {
        let output = try SecureBytes(count: 64) {
            try Scrypt.derive(
                passphrase: utf8(passphrase), salt: utf8(salt), cost: cost, blockSize: blockSize,
                parallelization: parallelization, into: $0)
        }
        #expect(output.exposed == bytes(expected))
    }

    @Test func aKeyFromAPassphraseDependsOnAllOfIt() throws {
        let cheap = try ScryptParameters(costExponent: 14)
        let salt = [UInt8](repeating: 1, count: 16)
        let key = try Scrypt.key(passphrase: utf8("open sesame"), salt: salt, parameters: cheap).exposed
        #expect(try Scrypt.key(passphrase: utf8("open sesame"), salt: salt, parameters: cheap).exposed == key)
        #expect(try Scrypt.key(passphrase: utf8("open sesamE"), salt: salt, parameters: cheap).exposed != key)
        #expect(try Scrypt.key(passphrase: utf8("open sesame"), salt: salt + [0], parameters: cheap).exposed != key)
        let other = try ScryptParameters(costExponent: 14, parallelization: 2)
        #expect(try Scrypt.key(passphrase: utf8("open sesame"), salt: salt, parameters: other).exposed != key)
    }

    @Test func parametersAreBounded() async throws {
        for (cost, block, parallel) in [
            (13, 8, 1), (19, 8, 1), (14, 0, 1), (14, 17, 1), (14, 8, 0), (14, 8, 17), (18, 16, 1), (255, 255, 255),
        ] as [(UInt8, UInt8, UInt8)] {
            let result = await code {
                _ = try ScryptParameters(costExponent: cost, blockSize: block, parallelization: parallel)
            }
            #expect(result == .invalidParameter, "2^\(cost), \(block), \(parallel)")
        }
        #expect(try ScryptParameters(costExponent: 15, parallelization: 3) == .standard)
        #expect(
            try ScryptParameters(costExponent: 18, blockSize: 8).costExponent == 18, "256 MiB is the most, and allowed")
        let salt = [UInt8](repeating: 1, count: 16)
        #expect(await code { _ = try Scrypt.key(passphrase: [UInt8](), salt: salt) } == .invalidParameter)
        #expect(await code { _ = try Scrypt.key(passphrase: utf8("a"), salt: salt.dropLast()) } == .invalidParameter)
    }
}
