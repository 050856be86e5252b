// SPDX-License-Identifier: MIT

/// A message during sending, turned into frames a piece at a time: a message of any size is never copied as a whole.
///
/// Large messages are sent in fragments, so that pings, pongs and the close frame fit between them.
public struct WebSocketOutgoingMessage: Sendable {
    private var message: WebSocketMessage
    private let fragmentSize: Int
    private let count: Int
    /// The payload bytes that have been handed out.
    private var position = 0
    private var frame: WebSocketFrameHeader?
    private var frameEnd = 0
    /// True if the last piece has been handed out.
    public private(set) var isFinished = false

    /// A message before its first frame.
    ///
    /// - Parameters:
    ///   - message: The message to send.
    ///   - fragmentSize: The most payload bytes in one frame; at least one.
    public init(_ message: WebSocketMessage, fragmentSize: Int) {
        self.message = message
        if case .text(var text) = message {
            // Else every access to the bytes could mean a copy.
            text.makeContiguousUTF8()
            self.message = .text(text)
        }
        self.fragmentSize = max(1, fragmentSize)
        count = message.byteCount
    }

    /// True if a control frame may be sent now: between two frames of the message, before it and after it.
    public var isBetweenFrames: Bool { frame == nil }

    /// True if the first piece has been handed out.
    public var hasBegun: Bool { position > 0 || frame != nil || isFinished }

    /// Appends the next piece, up to the end of the current frame.
    ///
    /// - Parameters:
    ///   - bytes: The buffer to append to.
    ///   - limit: The most payload bytes of this piece; at least one.
    ///   - encoder: Makes the headers and masks.
    public mutating func write<Random>(
        to bytes: inout [UInt8], limit: Int, with encoder: inout WebSocketFrameEncoder<Random>
    ) {
        guard !isFinished else { return }
        let header = frame ?? begin(&bytes, &encoder)
        let frameStart = frameEnd - header.payloadLength
        let end = min(frameEnd, position + max(1, limit))
        withPayload { payload in
            let part = UnsafeRawBufferPointer(rebasing: payload[position..<end])
            WebSocketFrameEncoder<Random>.append(part, of: header, at: position - frameStart, to: &bytes)
        }
        position = end
        frame = position == frameEnd ? nil : header
        isFinished = frame == nil && header.isFinal
    }

    private mutating func begin<Random>(
        _ bytes: inout [UInt8], _ encoder: inout WebSocketFrameEncoder<Random>
    ) -> WebSocketFrameHeader {
        frameEnd = min(count, position + fragmentSize)
        let header = encoder.header(
            position == 0 ? message.opcode : .continuation, isFinal: frameEnd == count,
            payloadLength: frameEnd - position)
        bytes += header.bytes
        return header
    }

    private func withPayload(_ body: (UnsafeRawBufferPointer) -> Void) {
        switch message {
        case .binary(let bytes):
            bytes.withUnsafeBytes(body)
        case .text(let text):
            let done: Void? = text.utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
            if done == nil { Array(text.utf8).withUnsafeBytes(body) }
        }
    }
}
