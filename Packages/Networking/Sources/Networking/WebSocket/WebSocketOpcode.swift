// SPDX-License-Identifier: MIT

/// What a frame carries (RFC 6455 §5.2); the reserved numbers are not among them.
public enum WebSocketOpcode: UInt8, Sendable, CaseIterable {
    /// The next fragment of a message.
    case continuation = 0x0
    /// The first fragment of a text, or all of it.
    case text = 0x1
    /// The first fragment of a binary message, or all of it.
    case binary = 0x2
    /// The sender will send nothing more.
    case close = 0x8
    /// The receiver is to answer with a pong of the same bytes.
    case ping = 0x9
    /// An answer to a ping, or a sign of life.
    case pong = 0xA

    /// Whether the frame may stand between the fragments of a message, is never fragmented itself, and carries 125
    /// bytes at most.
    public var isControl: Bool { rawValue & 0x8 != 0 }
}
