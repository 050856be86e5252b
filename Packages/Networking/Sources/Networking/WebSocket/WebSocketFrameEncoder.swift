// SPDX-License-Identifier: MIT

/// Turns messages and control frames into the bytes to send (RFC 6455 §5).
///
/// A client masks every frame with four new random bytes, which have to be unpredictable (§10.3).
public struct WebSocketFrameEncoder<Random: RandomNumberGenerator & Sendable>: Sendable {
    /// The role of the sending end.
    public let role: WebSocketRole
    private var random: Random

    /// An encoder.
    ///
    /// - Parameters:
    ///   - role: The role of the sending end.
    ///   - random: The source of masks; in production a `SystemRandomNumberGenerator`.
    public init(role: WebSocketRole, random: Random) {
        self.role = role
        self.random = random
    }

    /// One whole frame.
    ///
    /// - Precondition: A control frame is final and has 125 bytes at most.
    public mutating func frame(_ opcode: WebSocketOpcode, isFinal: Bool = true, payload: [UInt8]) -> [UInt8] {
        precondition(!opcode.isControl || (isFinal && payload.count <= 125), "a control frame is short and whole")
        var bytes: [UInt8] = []
        let header = header(opcode, isFinal: isFinal, payloadLength: payload.count)
        bytes.reserveCapacity(WebSocketFrameHeader.maximumSize + payload.count)
        bytes += header.bytes
        payload.withUnsafeBytes { Self.append($0, of: header, at: 0, to: &bytes) }
        return bytes
    }

    /// A whole message in one frame. For large ones ``WebSocketOutgoingMessage`` needs less memory.
    public mutating func frame(_ message: WebSocketMessage) -> [UInt8] {
        switch message {
        case .text(let text): frame(.text, payload: Array(text.utf8))
        case .binary(let bytes): frame(.binary, payload: bytes)
        }
    }

    /// A close frame. A code that may not be sent is left out, and a reason of more than 123 bytes cut between two
    /// characters.
    public mutating func close(_ code: WebSocketCloseCode, reason: String = "") -> [UInt8] {
        guard code.isSendable else { return frame(.close, payload: []) }
        var payload = [UInt8(truncatingIfNeeded: code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)]
        for scalar in reason.unicodeScalars {
            guard payload.count + scalar.utf8.count <= 125 else { break }
            payload.append(contentsOf: scalar.utf8)
        }
        return frame(.close, payload: payload)
    }

    /// The header of a frame that this end sends now, with a new mask if it is a client.
    mutating func header(_ opcode: WebSocketOpcode, isFinal: Bool, payloadLength: Int) -> WebSocketFrameHeader {
        WebSocketFrameHeader(
            isFinal: isFinal, opcode: opcode, mask: role == .client ? random.next() : nil, payloadLength: payloadLength)
    }

    static func append(
        _ payload: UnsafeRawBufferPointer, of header: WebSocketFrameHeader, at offset: Int, to bytes: inout [UInt8]
    ) {
        let start = bytes.count
        bytes.append(contentsOf: payload)
        guard let mask = header.mask else { return }
        bytes.withUnsafeMutableBytes {
            WebSocketMask.apply(mask, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]), offset: offset)
        }
    }
}

/// The XOR of payloads (RFC 6455 §5.3), 32 bytes at a step.
public enum WebSocketMask {
    /// XORs the bytes in place with the four bytes of the mask, over and over.
    ///
    /// - Parameters:
    ///   - bytes: A part of the payload.
    ///   - mask: Its first byte is the lowest.
    ///   - offset: The number of payload bytes before this part.
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
