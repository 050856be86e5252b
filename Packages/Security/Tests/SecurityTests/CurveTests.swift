// SPDX-License-Identifier: MIT

import Testing

@testable import Security

@Suite struct CurveTests {
    /// RFC 7748 §5.2 and both directions of §6.1.
    @Test(arguments: [
        (
            "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
            "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
            "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
        ),
        (
            "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
            "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
            "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"
        ),
        (
            "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
            "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
            "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
        ),
        (
            "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
            "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a",
            "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
        ),
    ])
    func x25519(scalar: String, coordinate: String, expected: String) throws {
        let key = try X25519.PrivateKey(bytes(scalar))
        #expect(try key.sharedSecret(with: X25519.PublicKey(bytes(coordinate))).exposed == bytes(expected))
        #expect(try key.withUnsafeBytes { Array($0) } == bytes(scalar))
    }

    @Test func x25519PublicKeyOfAlice() throws {
        let alice = try X25519.PrivateKey(bytes("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"))
        #expect(
            alice.publicKey.bytes == bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"))
    }

    /// RFC 7748 §5.2: the result of 1,000 rounds.
    @Test func x25519Iterated() throws {
        var scalar = [9] + [UInt8](repeating: 0, count: 31)
        var coordinate = scalar
        for _ in 0..<1_000 {
            let result = try X25519.PrivateKey(scalar).sharedSecret(with: X25519.PublicKey(coordinate)).exposed
            (scalar, coordinate) = (result, scalar)
        }
        #expect(scalar == bytes("684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"))
    }

    @Test func bothSidesGetOneKeyAndOthersGetAnother() throws {
        let (ada, bob, eve) = (try X25519.PrivateKey(), try X25519.PrivateKey(), try X25519.PrivateKey())
        let (salt, info) = (utf8("salt"), utf8("sync"))
        let key = try ada.sharedKey(with: bob.publicKey, salt: salt, info: info).exposed
        #expect(try bob.sharedKey(with: ada.publicKey, salt: salt, info: info).exposed == key)
        #expect(try eve.sharedKey(with: ada.publicKey, salt: salt, info: info).exposed != key)
        #expect(try bob.sharedKey(with: ada.publicKey, salt: salt, info: utf8("other")).exposed != key)
    }

    @Test func aPublicKeyOfSmallOrderIsTurnedDown() async throws {
        let key = try X25519.PrivateKey()
        for coordinate in [
            String(repeating: "0", count: 64), "01" + String(repeating: "0", count: 62),
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        ] {
            let point = try X25519.PublicKey(bytes(coordinate))
            #expect(
                await code { _ = try key.sharedKey(with: point, salt: [UInt8](), info: [UInt8]()) } == .invalidParameter
            )
        }
    }

    /// RFC 8032 §7.1: tests 1, 2, 3 and SHA(abc).
    @Test(arguments: [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
                + "d25bf5f0595bbe24655141438e7a100b"
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
                + "387b2eaeb4302aeeb00d291612bb0c00"
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
                + "4a7c15e9716ed28dc027beceea1ec40a"
        ),
        (
            "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
            "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd"
                + "454d4423643ce80e2a9ac94fa54ca49f",
            "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e030"
                + "3dca179c138ac17ad9bef1177331a704"
        ),
    ])
    func ed25519(secret: String, publicKey: String, message: String, signature: String) throws {
        let key = try Ed25519.PrivateKey(bytes(secret))
        #expect(key.publicKey.bytes == bytes(publicKey))
        #expect(try key.sign(bytes(message)) == bytes(signature))
        #expect(try key.withUnsafeBytes { Array($0) } == bytes(secret))
        let verifier = try Ed25519.PublicKey(bytes(publicKey))
        #expect(verifier.isValid(signature: bytes(signature), for: bytes(message)))
        #expect(!verifier.isValid(signature: bytes(signature), for: bytes(message) + [0]))
        #expect(!verifier.isValid(signature: bytes(signature).dropLast(), for: bytes(message)))
        for bit in 0..<512 {
            var changed = bytes(signature)
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(!verifier.isValid(signature: changed, for: bytes(message)))
        }
    }

    @Test func freshKeysSignAndDiffer() throws {
        let (one, two) = (try Ed25519.PrivateKey(), try Ed25519.PrivateKey())
        let signature = try one.sign(utf8("hello"))
        #expect(one.publicKey.isValid(signature: signature, for: utf8("hello")))
        #expect(!two.publicKey.isValid(signature: signature, for: utf8("hello")))
    }

    @Test(arguments: [0, 31, 33])
    func keysOfAnotherLengthAreTurnedDown(count: Int) async throws {
        let wrong = [UInt8](repeating: 9, count: count)
        #expect(await code { _ = try X25519.PrivateKey(wrong) } == .invalidParameter)
        #expect(await code { _ = try X25519.PublicKey(wrong) } == .invalidParameter)
        #expect(await code { _ = try Ed25519.PrivateKey(wrong) } == .invalidParameter)
        #expect(await code { _ = try Ed25519.PublicKey(wrong) } == .invalidParameter)
        #expect(await code { _ = try SymmetricKey(wrong) } == .invalidParameter)
    }
}
