// SPDX-License-Identifier: MIT

import Persistence

/// A cipher for tests, which need no secrecy from it: a stream by SplitMix64 and a checksum in place of a tag.
struct ScrambledPages: PageCipher {
    let key: UInt64
    /// The checksum fills the place of a tag of 16 bytes: a byte that nothing checked could change unseen.
    private static let tagOffsets = [0, 8]

    static func seal(key: UInt64) -> DatabaseSeal {
        DatabaseSeal { salt in
            let own = salt.reduce(key) { mixed($0 &+ UInt64($1)) }
            let check = (0..<16).map { UInt8(truncatingIfNeeded: mixed(own &+ $0)) }
            return (ScrambledPages(key: own), check)
        }
    }

    func seal(_ block: UnsafeRawBufferPointer, at context: UInt64, into sealed: UnsafeMutableRawBufferPointer) -> Bool {
        let nonce = UInt64.random(in: 0 ... .max)
        sealed.initializeMemory(as: UInt8.self, repeating: 0)
        sealed.storeBytes(of: nonce, as: UInt64.self)
        for index in block.indices { sealed[12 + index] = block[index] ^ stream(nonce, context, index) }
        let tag = tag(UnsafeRawBufferPointer(sealed), context)
        for offset in Self.tagOffsets {
            sealed.storeBytes(of: tag, toByteOffset: 12 + block.count + offset, as: UInt64.self)
        }
        return true
    }

    func open(_ sealed: UnsafeRawBufferPointer, at context: UInt64, into block: UnsafeMutableRawBufferPointer) -> Bool {
        let tag = tag(sealed, context)
        guard
            Self.tagOffsets.allSatisfy({
                sealed.loadUnaligned(fromByteOffset: 12 + block.count + $0, as: UInt64.self) == tag
            })
        else { return false }
        let nonce = sealed.loadUnaligned(as: UInt64.self)
        for index in block.indices { block[index] = sealed[12 + index] ^ stream(nonce, context, index) }
        return true
    }

    private func stream(_ nonce: UInt64, _ context: UInt64, _ index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: Self.mixed(key ^ nonce ^ context &* 0x9E37_79B9 &+ UInt64(index)) >> 24)
    }

    private func tag(_ sealed: UnsafeRawBufferPointer, _ context: UInt64) -> UInt64 {
        sealed.dropLast(16).reduce(Self.mixed(key ^ context)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } | 1
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
