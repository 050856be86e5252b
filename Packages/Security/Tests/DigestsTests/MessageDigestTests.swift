// SPDX-License-Identifier: MIT

import Digests
import Glibc
import Testing

@Suite("Message digests")
struct MessageDigestTests {
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    ])
    func `SHA-1 of the standard's samples`(text: String, hash: String) throws {
        #expect(Hexadecimal.text(try MessageDigest.hash(text.utf8, .sha1)) == hash)
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func `SHA-256 of the standard's samples`(text: String, hash: String) throws {
        #expect(Hexadecimal.text(try MessageDigest.hash(text.utf8, .sha256)) == hash)
    }

    @Test func `pieces give the same hash as the whole`() throws {
        let message = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for split in 0...message.count {
            var digest = try MessageDigest(.sha256)
            message[..<split].withUnsafeBytes { digest.update($0) }
            #expect(try digest.current() == MessageDigest.hash(message[..<split], .sha256))
            message[split...].withUnsafeBytes { digest.update($0) }
            #expect(try digest.current() == MessageDigest.hash(message, .sha256))
            #expect(try digest.finish() == MessageDigest.hash(message, .sha256))
        }
    }

    @Test func `a thread that outlives the exit of the process still gets hashes`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            // Runs after the handlers that are added later: libcrypto's, if there is one.
            atexit { _exit((try? MessageDigest.hash([1], .sha256)) == nil ? 1 : 7) }
            _ = try MessageDigest.hash([1], .sha256)
            exit(0)
        }
    }

    @Test func `what is no certificate has no key`() throws {
        #expect(try MessageDigest.publicKeyHash(ofCertificate: [1, 2, 3]) == nil)
        #expect(try MessageDigest.publicKeyHash(ofCertificate: []) == nil)
    }
}

@Suite struct HexadecimalTests {
    @Test func `every byte survives the way there and back`() {
        let bytes = (0...255).map { UInt8($0) }
        let text = Hexadecimal.text(bytes)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
        #expect(Hexadecimal.bytes(text) == bytes)
        #expect(Hexadecimal.bytes(text.uppercased()) == bytes)
    }

    @Test(arguments: ["0", "0g", " 00", "0x00", "é"])
    func `what is not hexadecimal has no bytes`(text: String) {
        #expect(Hexadecimal.bytes(text) == nil)
    }
}
