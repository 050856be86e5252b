// SPDX-License-Identifier: MIT

/// Turns received bytes into messages and control frames (RFC 6455 §5), in pieces of any size.
///
/// Each payload byte is copied once, into the message that it belongs to. A violation, a text that is not UTF-8 and a
/// message over the limit are found at the first byte that shows them, not at the message's end. After an error every
/// call throws it again; bytes after a close frame are ignored (§5.5.1).
public struct WebSocketFrameDecoder: Sendable {
    /// A decoded message or control frame.
    public enum Event: Hashable, Sendable {
        /// A whole message.
        case message(WebSocketMessage)
        /// A ping, to be answered by a pong with the same bytes.
        case ping([UInt8])
        /// The answer to a ping, or an unrequested pong.
        case pong([UInt8])
        /// The other end will send nothing more. The code is ``WebSocketCloseCode/noStatus`` if the frame has none.
        case close(WebSocketCloseCode, reason: String)
    }

    /// The role of the receiving end.
    public let role: WebSocketRole
    /// The most bytes of a message over all its fragments.
    public let maximumMessageSize: Int

    private var header: [UInt8] = []
    private var frame: WebSocketFrameHeader?
    private var received = 0
    /// The payload of the control frame that is being received.
    private var control: [UInt8] = []
    /// The kind of the message whose fragments are being received.
    private var messageKind: WebSocketOpcode?
    private var message: [UInt8] = []
    private var text = UTF8Validator()
    private var isClosed = false
    private var failure: NetworkError?

    /// A decoder at the beginning of a connection, right after the handshake.
    public init(role: WebSocketRole, maximumMessageSize: Int = 16 << 20) {
        self.role = role
        self.maximumMessageSize = maximumMessageSize
    }

    /// Decodes the next bytes and returns the events that they complete, in order.
    ///
    /// - Throws: ``NetworkError/Code/webSocketProtocol``, ``NetworkError/Code/webSocketText`` or
    ///   ``NetworkError/Code/webSocketMessageTooBig``. Events before the fault are lost with it; use
    ///   ``decode(_:onEvent:)`` to see them.
    public mutating func decode(_ bytes: [UInt8]) throws(NetworkError) -> [Event] {
        var events: [Event] = []
        try decode(bytes.span) { events.append($0) }
        return events
    }

    /// Decodes the next bytes and calls `onEvent` for each event that they complete, in order.
    public mutating func decode(_ bytes: Span<UInt8>, onEvent: (Event) -> Void) throws(NetworkError) {
        if let failure { throw failure }
        do throws(NetworkError) {
            try bytes.withUnsafeBufferPointer { buffer throws(NetworkError) in
                try consume(UnsafeRawBufferPointer(buffer), onEvent)
            }
        } catch {
            failure = error
            message = []
            throw error
        }
    }

    private mutating func consume(_ bytes: UnsafeRawBufferPointer, _ onEvent: (Event) -> Void) throws(NetworkError) {
        var rest = bytes
        while !isClosed {
            guard let frame else {
                guard try readHeader(&rest) else { return }
                continue
            }
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(frame.payloadLength - received))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
            try readPayload(part, of: frame)
            guard received == frame.payloadLength else { return }
            self.frame = nil
            try finish(frame, onEvent)
        }
    }

    /// True if the header is complete.
    private mutating func readHeader(_ rest: inout UnsafeRawBufferPointer) throws(NetworkError) -> Bool {
        while header.count < 2 || header.count < WebSocketFrameHeader.size(secondByte: header[1]) {
            guard let byte = rest.first else { return false }
            header.append(byte)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
        }
        let frame = try header.span.withUnsafeBufferPointer { buffer throws(NetworkError) in
            try WebSocketFrameHeader(UnsafeRawBufferPointer(buffer), receivedBy: role)
        }
        header.removeAll(keepingCapacity: true)
        try begin(frame)
        self.frame = frame
        received = 0
        return true
    }

    private mutating func begin(_ frame: WebSocketFrameHeader) throws(NetworkError) {
        switch frame.opcode {
        case .close, .ping, .pong:
            return control.removeAll(keepingCapacity: true)
        case .continuation:
            guard messageKind != nil else { throw .webSocketViolation("A fragment continues no message.") }
        case .text, .binary:
            guard messageKind == nil else {
                throw .webSocketViolation("A message starts before the fragmented one has ended.")
            }
            messageKind = frame.opcode
            text = UTF8Validator()
        }
        guard frame.payloadLength <= maximumMessageSize - message.count else {
            throw NetworkError(
                code: .webSocketMessageTooBig,
                message: "The other end sent a message of more than \(maximumMessageSize) bytes. "
                    + "Raise maximumMessageSize if such messages are expected.")
        }
        // The announced size is within the limit, and pages that no byte reaches take no memory. At least the double,
        // so that many small fragments do not copy the message each time.
        let needed = message.count + frame.payloadLength
        if needed > message.capacity { message.reserveCapacity(max(needed, 2 * message.count)) }
    }

    private mutating func readPayload(
        _ part: UnsafeRawBufferPointer, of frame: WebSocketFrameHeader
    ) throws(NetworkError) {
        if frame.opcode.isControl {
            Self.append(part, to: &control, mask: frame.mask, offset: received)
        } else {
            let start = message.count
            Self.append(part, to: &message, mask: frame.mask, offset: received)
            if messageKind == .text {
                let isText = message.withUnsafeBytes { text.accepts(UnsafeRawBufferPointer(rebasing: $0[start...])) }
                guard isText else { throw .webSocketTextInvalid }
            }
        }
        received += part.count
    }

    private static func append(_ part: UnsafeRawBufferPointer, to bytes: inout [UInt8], mask: UInt32?, offset: Int) {
        let start = bytes.count
        bytes.append(contentsOf: part)
        guard let mask else { return }
        bytes.withUnsafeMutableBytes {
            WebSocketMask.apply(mask, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]), offset: offset)
        }
    }

    private mutating func finish(
        _ frame: WebSocketFrameHeader, _ onEvent: (Event) -> Void
    ) throws(NetworkError) {
        switch frame.opcode {
        case .ping:
            onEvent(.ping(control))
        case .pong:
            onEvent(.pong(control))
        case .close:
            let (code, reason) = try Self.closePayload(control)
            isClosed = true
            onEvent(.close(code, reason: reason))
        case .text, .binary, .continuation:
            guard frame.isFinal else { return }
            let isText = messageKind == .text
            messageKind = nil
            guard !isText || text.isComplete else { throw .webSocketTextInvalid }
            let bytes = message
            message = []
            onEvent(.message(isText ? .text(String(decoding: bytes, as: UTF8.self)) : .binary(bytes)))
        }
    }

    private static func closePayload(_ bytes: [UInt8]) throws(NetworkError) -> (WebSocketCloseCode, String) {
        if bytes.isEmpty { return (.noStatus, "") }
        guard bytes.count >= 2 else { throw .webSocketViolation("A close frame has half a code.") }
        let code = WebSocketCloseCode(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        guard code.isSendable else { throw .webSocketViolation("A close frame has the code \(code), which none may.") }
        guard let reason = String(validating: bytes[2...], as: UTF8.self) else { throw .webSocketTextInvalid }
        return (code, reason)
    }
}
