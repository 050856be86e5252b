// SPDX-License-Identifier: MIT

/// The bytes before a frame's payload (RFC 6455 §5.2).
public struct WebSocketFrameHeader: Hashable, Sendable {
    /// True if it is the message's last fragment.
    public var isFinal: Bool
    /// The frame's type.
    public var opcode: WebSocketOpcode
    /// The four bytes that the payload is XORed with, the first in the lowest byte; nil if it is sent as it is.
    public var mask: UInt32?
    /// The size of the payload in bytes, without this header.
    public var payloadLength: Int

    /// A header.
    public init(isFinal: Bool = true, opcode: WebSocketOpcode, mask: UInt32? = nil, payloadLength: Int) {
        self.isFinal = isFinal
        self.opcode = opcode
        self.mask = mask
        self.payloadLength = payloadLength
    }

    /// The longest header: two bytes, eight of length, four of mask.
    public static let maximumSize = 14

    /// The encoded header: 2 to 14 bytes, the length in the shortest form.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.maximumSize)
        bytes.append((isFinal ? 0x80 : 0) | opcode.rawValue)
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        switch payloadLength {
        case ...125:
            bytes.append(maskBit | UInt8(truncatingIfNeeded: payloadLength))
        case ...0xFFFF:
            bytes.append(maskBit | 126)
            bytes.append(UInt8(truncatingIfNeeded: payloadLength >> 8))
            bytes.append(UInt8(truncatingIfNeeded: payloadLength))
        default:
            bytes.append(maskBit | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: payloadLength >> shift))
            }
        }
        if let mask {
            for shift in stride(from: 0, through: 24, by: 8) { bytes.append(UInt8(truncatingIfNeeded: mask >> shift)) }
        }
        return bytes
    }

    /// The size of the header in bytes, by its second byte.
    static func size(secondByte: UInt8) -> Int {
        let extended =
            switch secondByte & 0x7F {
            case 126: 2
            case 127: 8
            default: 0
            }
        return 2 + extended + (secondByte & 0x80 != 0 ? 4 : 0)
    }

    /// Reads a whole header.
    ///
    /// - Throws: The violation that makes the header invalid for the receiving end.
    init(_ bytes: UnsafeRawBufferPointer, receivedBy role: WebSocketRole) throws(NetworkError) {
        guard bytes[0] & 0x70 == 0 else {
            throw .webSocketViolation("A frame has reserved bits set, and no extension was agreed on.")
        }
        guard let opcode = WebSocketOpcode(rawValue: bytes[0] & 0x0F) else {
            throw .webSocketViolation("A frame has the reserved opcode \(bytes[0] & 0x0F).")
        }
        self.opcode = opcode
        isFinal = bytes[0] & 0x80 != 0
        let isMasked = bytes[1] & 0x80 != 0
        guard isMasked == (role == .server) else {
            throw .webSocketViolation(isMasked ? "A server's frame is masked." : "A client's frame is not masked.")
        }
        let short = Int(bytes[1] & 0x7F)
        if opcode.isControl {
            guard isFinal else { throw .webSocketViolation("A control frame is fragmented.") }
            guard short <= 125 else { throw .webSocketViolation("A control frame has more than 125 bytes.") }
        }
        switch short {
        case 126:
            payloadLength = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
            guard payloadLength > 125 else { throw .webSocketViolation("A length is not in its shortest form.") }
        case 127:
            let length = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
            guard let fitting = Int(exactly: length), length > 0xFFFF else {
                throw .webSocketViolation("A length is not in its shortest form, or negative.")
            }
            payloadLength = fitting
        default:
            payloadLength = short
        }
        let size = Self.size(secondByte: bytes[1])
        mask = isMasked ? UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: size - 4, as: UInt32.self)) : nil
    }
}

/// The type of a frame (RFC 6455 §5.2); the reserved numbers are not among them.
public enum WebSocketOpcode: UInt8, Sendable, CaseIterable {
    /// The next fragment of a message.
    case continuation = 0x0
    /// The first fragment of a text, or all of it.
    case text = 0x1
    /// The first fragment of a binary message, or all of it.
    case binary = 0x2
    /// The sender will send nothing more.
    case close = 0x8
    /// The receiver must answer with a pong of the same bytes.
    case ping = 0x9
    /// An answer to a ping, or a sign of life.
    case pong = 0xA

    /// True if the frame is allowed between the fragments of a message, is never fragmented itself, and carries 125
    /// bytes at most.
    public var isControl: Bool { rawValue & 0x8 != 0 }
}

/// The end of the connection. A client masks its frames and refuses masked ones; a server refuses frames that are not
/// masked (RFC 6455 §5.1).
public enum WebSocketRole: Sendable {
    /// The end that opened the connection.
    case client
    /// The end that accepted it.
    case server
}
