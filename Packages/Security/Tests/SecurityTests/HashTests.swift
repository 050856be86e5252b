// SPDX-License-Identifier: MIT

import Testing

@testable import Security

@Suite struct HashTests {
    /// FIPS 180-4's examples.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func sha256(message: String, digest: String) throws {
        #expect(try SHA256.hash(utf8(message)) == bytes(digest))
    }

    /// RFC 4231 §4.2–4.8; §4.6's is truncated to 128 bits.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), utf8("Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            utf8("Jefe"), utf8("what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            Array(1...25), [UInt8](repeating: 0xCD, count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        ([UInt8](repeating: 0x0C, count: 20), utf8("Test With Truncation"), "a3b6167473100ee06e0c796c2955552b"),
        (
            [UInt8](repeating: 0xAA, count: 131), utf8("Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131),
            utf8(
                "This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm."),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ])
    func hmac(key: [UInt8], message: [UInt8], expected: String) throws {
        let code = try HMACSHA256.code(for: message, key: key)
        #expect(Array(code.prefix(expected.count / 2)) == bytes(expected))
        #expect(try HMACSHA256.isValid(code, for: message, key: key))
        for bit in 0..<256 {
            var changed = code
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(try !HMACSHA256.isValid(changed, for: message, key: key))
        }
        #expect(try !HMACSHA256.isValid(code.dropLast(), for: message, key: key))
    }

    @Test func anEmptyKeyIsNotTheKeyOfTheCallBefore() throws {
        let first = try HMACSHA256.code(for: utf8("a"), key: utf8("secret"))
        let empty = try HMACSHA256.code(for: utf8("a"), key: [UInt8]())
        #expect(first != empty)
        // A key shorter than the block is padded with zeros (RFC 2104 §2).
        #expect(try HMACSHA256.code(for: utf8("a"), key: [0] as [UInt8]) == empty)
    }

    @Test func constantTimeComparisonComparesEverything() {
        #expect(ConstantTime.areEqual([UInt8](), [UInt8]()))
        #expect(ConstantTime.areEqual(utf8("same"), utf8("same")))
        #expect(!ConstantTime.areEqual(utf8("same"), utf8("samE")))
        #expect(!ConstantTime.areEqual(utf8("Same"), utf8("same")))
        #expect(!ConstantTime.areEqual(utf8("same"), utf8("sam")))
        #expect(!ConstantTime.areEqual(utf8(""), utf8("s")))
    }

    @Test func randomBytesAndTokens() async throws {
        #expect(try SecureRandom.bytes(0) == [])
        let samples = try (0..<100).map { _ in try SecureRandom.bytes(16) }
        #expect(Set(samples).count == 100)
        // 1,600 random bytes miss 100 or more of the 256 values with a chance far below 2⁻⁶⁴.
        #expect(Set(samples.joined()).count > 156)
        let tokens = try (0..<100).map { _ in try SecureRandom.token() }
        #expect(Set(tokens).count == 100)
        #expect(tokens.allSatisfy { $0.count == 43 && $0.allSatisfy { $0.isASCII && !"+/=".contains($0) } })
        #expect(try SecureRandom.token(byteCount: 16).count == 22)
        #expect(await code { _ = try SecureRandom.token(byteCount: 15) } == .invalidParameter)
        #expect(await code { _ = try SecureRandom.bytes(-1) } == .invalidParameter)
    }
}
