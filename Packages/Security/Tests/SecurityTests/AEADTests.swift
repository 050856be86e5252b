// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import Security

@Suite struct AEADTests {
    @Test(arguments: GCMVector.table)
    func knownAnswer(_ vector: GCMVector) throws {
        let aead = try AEAD(key: SymmetricKey(bytes(vector.key)), nonces: NonceSequence(start: bytes(vector.nonce)))
        let sealed = bytes(vector.nonce + vector.ciphertext + vector.tag)
        let context = bytes(vector.context)
        if let message = vector.message {
            #expect(try aead.seal(bytes(message), authenticating: context) == sealed)
            #expect(try aead.open(sealed, authenticating: context) == bytes(message))
            #expect(try aead.openSecurely(sealed, authenticating: context).exposed == bytes(message))
        } else {
            #expect(throws: SecurityError.authenticationFailed) { try aead.open(sealed, authenticating: context) }
        }
    }

    @Test(arguments: [0, 1, 15, 16, 17, 33])
    func aFlippedBitAnywhereFails(count: Int) throws {
        let aead = try AEAD(key: SymmetricKey())
        let message = try SecureRandom.bytes(count)
        let context = utf8("recording 7, version 1")
        let sealed = try aead.seal(message, authenticating: context)
        #expect(sealed.count == count + AEAD.overhead)
        for bit in 0..<sealed.count * 8 {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: SecurityError.authenticationFailed) { try aead.open(changed, authenticating: context) }
        }
        for bit in 0..<context.count * 8 {
            var changed = context
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: SecurityError.authenticationFailed) { try aead.open(sealed, authenticating: changed) }
        }
        // One instance that has turned down a thousand forgeries still opens what is right.
        #expect(try aead.open(sealed, authenticating: context) == message)
    }

    @Test func everyLengthThatIsCutOrExtendedFails() throws {
        let aead = try AEAD(key: SymmetricKey())
        let sealed = try aead.seal(utf8("hello"), authenticating: utf8("a"))
        for count in 0..<sealed.count {
            #expect(throws: SecurityError.authenticationFailed) {
                try aead.open(sealed.prefix(count), authenticating: utf8("a"))
            }
        }
        #expect(throws: SecurityError.authenticationFailed) { try aead.open(sealed + [0], authenticating: utf8("a")) }
        #expect(throws: SecurityError.authenticationFailed) { try aead.open(sealed, authenticating: utf8("")) }
        #expect(throws: SecurityError.authenticationFailed) {
            try AEAD(key: SymmetricKey()).open(sealed, authenticating: utf8("a"))
        }
    }

    @Test func emptyMessagesAndContextsAndDataAreSealed() throws {
        let aead = try AEAD(key: SymmetricKey())
        #expect(try aead.open(aead.seal(Data(), authenticating: Data()), authenticating: [UInt8]()) == [])
        let data = Data([1, 2, 3])
        #expect(try aead.open(Data(aead.seal(data, authenticating: data)), authenticating: data) == [1, 2, 3])
    }

    @Test func anArrayCanBeReused() async throws {
        let aead = try AEAD(key: SymmetricKey())
        var (sealed, opened) = ([UInt8](), [UInt8]())
        for count in [0, 5, 5, 1_000, 1_000, 3, 0, 0] {
            let message = try SecureRandom.bytes(count)
            let before = sealed
            try aead.seal(message, authenticating: utf8("a"), into: &sealed)
            #expect(sealed != before && sealed.count == count + AEAD.overhead)
            try aead.open(sealed, authenticating: utf8("a"), into: &opened)
            #expect(opened == message)
            #expect(
                await code { try aead.open(sealed, authenticating: utf8("b"), into: &opened) } == .authenticationFailed)
            #expect(opened == [UInt8](repeating: 0, count: count))
        }
        #expect(
            await code { try aead.open([1, 2] as [UInt8], authenticating: [UInt8](), into: &opened) }
                == .authenticationFailed)
    }

    @Test func noNonceComesTwice() async throws {
        let aead = try AEAD(key: SymmetricKey())
        let nonces = await withTaskGroup(of: [ArraySlice<UInt8>].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<2_000).compactMap { _ in (try? aead.seal([UInt8](), authenticating: [UInt8]()))?.prefix(12) }
                }
            }
            return await group.reduce(into: Set<ArraySlice<UInt8>>()) { $0.formUnion($1) }
        }
        #expect(nonces.count == 16_000)
        // Another instance with any key starts elsewhere.
        let other = try AEAD(key: SymmetricKey()).seal([UInt8](), authenticating: [UInt8]())
        #expect(!nonces.contains(other.prefix(12)))
    }

    @Test func noncesCountUpAndWrap() throws {
        var nonces = NonceSequence(start: [UInt8](repeating: 0xFF, count: 11) + [0xFE])
        var seen: [[UInt8]] = []
        for _ in 0..<3 {
            var nonce = [UInt8](repeating: 1, count: 12)
            try nonce.withUnsafeMutableBytes { try nonces.next(into: #require($0.baseAddress)) }
            seen.append(nonce)
        }
        let full = [UInt8](repeating: 0xFF, count: 12)
        #expect(seen == [Array(full.dropLast()) + [0xFE], full, [UInt8](repeating: 0, count: 12)])
        var carry = NonceSequence(start: [0, 0, 0, 7] + [UInt8](repeating: 0xFF, count: 8))
        var nonce = [UInt8](repeating: 1, count: 12)
        for _ in 0..<2 { try nonce.withUnsafeMutableBytes { try carry.next(into: #require($0.baseAddress)) } }
        #expect(nonce == [0, 0, 0, 8] + [UInt8](repeating: 0, count: 8))
    }

    @Test func aKeyIsUsedForNoMoreMessagesThanIsSafe() async throws {
        let start = try SecureRandom.bytes(12)
        let last = NonceSequence(start: start, used: NonceSequence.limit - 1)
        let aead = try AEAD(key: SymmetricKey(), nonces: last)
        let sealed = try aead.seal(utf8("last"), authenticating: utf8(""))
        #expect(await code { _ = try aead.seal(utf8("one more"), authenticating: utf8("")) } == .keyExhausted)
        #expect(try aead.open(sealed, authenticating: utf8("")) == utf8("last"))
    }

    @Test func aMessageThatIsTooLongIsTurnedDown() async throws {
        let aead = try AEAD(key: SymmetricKey())
        let long = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: 1), count: AEAD.messageLimit + 1)
        let result = await code { _ = try aead.seal(long, authenticating: utf8("")) }
        #expect(result == .invalidParameter)
        #expect(throws: SecurityError.authenticationFailed) {
            try aead.open(
                UnsafeRawBufferPointer(start: long.baseAddress, count: long.count + AEAD.overhead),
                authenticating: utf8(""))
        }
    }
}
