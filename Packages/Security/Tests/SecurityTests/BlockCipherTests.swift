// SPDX-License-Identifier: MIT

import Security
import Testing

@Suite struct BlockCipherTests {
    private let key: SymmetricKey
    private let salt = [UInt8](repeating: 5, count: 32)
    private let block = (0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    init() throws {
        key = try SymmetricKey()
    }

    private func cipher(_ key: SymmetricKey? = nil, salt: [UInt8]? = nil, purpose: String = "test") throws
        -> BlockCipher
    {
        try BlockCipher(key: key ?? self.key, salt: salt ?? self.salt, purpose: purpose)
    }

    private func seal(_ cipher: BlockCipher, at place: UInt64) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: block.count + AEAD.overhead)
        let isSealed = block.withUnsafeBytes { block in
            sealed.withUnsafeMutableBytes { cipher.seal(block, at: place, into: $0) }
        }
        #expect(isSealed)
        return sealed
    }

    private func open(_ cipher: BlockCipher, _ sealed: [UInt8], at place: UInt64) -> [UInt8]? {
        var opened = [UInt8](repeating: 1, count: block.count)
        let isOpen = sealed.withUnsafeBytes { sealed in
            opened.withUnsafeMutableBytes { cipher.open(sealed, at: place, into: $0) }
        }
        return isOpen ? opened : nil
    }

    @Test func `a block opens only at its place in its file`() throws {
        let cipher = try cipher()
        let sealed = seal(cipher, at: 7)
        #expect(open(cipher, sealed, at: 7) == block)
        #expect(try open(self.cipher(), sealed, at: 7) == block)
        #expect(open(cipher, sealed, at: 8) == nil)
        let others = try [
            self.cipher(SymmetricKey()), self.cipher(salt: [UInt8](repeating: 6, count: 32)),
            self.cipher(purpose: "other"),
        ]
        for other in others {
            #expect(open(other, sealed, at: 7) == nil)
            #expect(other.check != cipher.check)
        }
        #expect(try self.cipher().check == cipher.check && cipher.check.count == 16)
    }

    @Test func `one block twice is two different ones`() throws {
        let cipher = try cipher()
        #expect(seal(cipher, at: 1) != seal(cipher, at: 1))
    }

    @Test func `any changed byte is noticed, and a wrong length refused`() throws {
        let cipher = try cipher()
        let sealed = seal(cipher, at: 1)
        for index in [0, 11, 12, 2_000, sealed.count - 17, sealed.count - 16, sealed.count - 1] {
            var changed = sealed
            changed[index] ^= 0x80
            #expect(open(cipher, changed, at: 1) == nil, "byte \(index)")
        }
        #expect(open(cipher, Array(sealed.dropLast()), at: 1) == nil)
    }
}
