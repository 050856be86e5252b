// SPDX-License-Identifier: MIT

import Networking
import Testing

@Suite("Message digests")
struct MessageDigestTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    ])
    func `SHA-1 of the standard's samples`(text: String, hash: String) throws {
        #expect(hex(try MessageDigest.hash(text.utf8, .sha1)) == hash)
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func `SHA-256 of the standard's samples`(text: String, hash: String) throws {
        #expect(hex(try MessageDigest.hash(text.utf8, .sha256)) == hash)
    }

    @Test func `pieces give the same hash as the whole`() throws {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let whole = try MessageDigest.hash(bytes, .sha256)
        for size in [1, 63, 64, 65, 999] {
            var digest = try MessageDigest(.sha256)
            for piece in bytes.pieces(of: size) { piece.withUnsafeBytes { digest.update($0) } }
            #expect(digest.finish() == whole)
        }
    }
}
