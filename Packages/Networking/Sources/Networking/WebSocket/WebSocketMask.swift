// SPDX-License-Identifier: MIT

/// The XOR of payloads (RFC 6455 §5.3), 32 bytes at a step.
public enum WebSocketMask {
    /// XORs the bytes in place with the four bytes of the mask, over and over.
    ///
    /// - Parameters:
    ///   - bytes: A part of the payload.
    ///   - mask: Its first byte is the lowest.
    ///   - offset: How many bytes of the payload came before this part.
    public static func apply(_ mask: UInt32, to bytes: UnsafeMutableRawBufferPointer, offset: Int) {
        guard let base = bytes.baseAddress else { return }
        // Turned so that its lowest byte belongs to the part's first byte.
        let turn = UInt32(truncatingIfNeeded: offset & 3) * 8
        let key = mask >> turn | mask << ((32 - turn) & 31)
        let wide = SIMD8<UInt32>(repeating: key.littleEndian)
        var index = 0
        while index + 32 <= bytes.count {
            let block = (base + index).loadUnaligned(as: SIMD8<UInt32>.self)
            (base + index).storeBytes(of: block ^ wide, as: SIMD8<UInt32>.self)
            index += 32
        }
        while index < bytes.count {
            let byte = UInt8(truncatingIfNeeded: key >> (UInt32(truncatingIfNeeded: index & 3) * 8))
            bytes[index] ^= byte
            index += 1
        }
    }
}
