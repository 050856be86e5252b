// SPDX-License-Identifier: MIT

/// The messages and control frames to send, in their order: control frames first, but never in the middle of a frame.
struct WebSocketOutbox<Random: RandomNumberGenerator & Sendable>: Sendable {
    /// Bytes to write now.
    struct Chunk {
        var bytes: [UInt8] = []
        /// The ids of the messages that end in it.
        var finished: [UInt64] = []
        /// True if the close frame is its end.
        var hasClose = false
    }

    private struct Entry {
        let identifier: UInt64
        var message: WebSocketOutgoingMessage
        let size: Int
    }

    private var encoder: WebSocketFrameEncoder<Random>
    private var entries: ArraySlice<Entry> = []
    private var pings = 0
    private var pongs: ArraySlice<[UInt8]> = []
    private var close: [UInt8]?
    /// True if the messages before the close frame are sent first.
    private var closeIsLast = false
    /// True if the close frame was handed out: nothing may follow it.
    private(set) var isClosed = false
    /// Payload bytes of the messages that are not finished.
    private(set) var messageBytes = 0

    /// The most answers to pings that are kept while the other end does not read. The protocol allows answering only
    /// the latest (RFC 6455 §5.5.3).
    static var maximumPongs: Int { 64 }

    init(role: WebSocketRole, random: Random) {
        encoder = WebSocketFrameEncoder(role: role, random: random)
    }

    mutating func enqueue(_ message: WebSocketMessage, identifier: UInt64, fragmentSize: Int) {
        let size = message.byteCount
        messageBytes += size
        entries.append(
            Entry(
                identifier: identifier, message: WebSocketOutgoingMessage(message, fragmentSize: fragmentSize),
                size: size))
    }

    /// Removes a message; false if a part of it was handed out.
    mutating func withdraw(_ identifier: UInt64) -> Bool {
        guard let index = entries.firstIndex(where: { $0.identifier == identifier }), !entries[index].message.hasBegun
        else { return false }
        messageBytes -= entries[index].size
        entries.remove(at: index)
        return true
    }

    mutating func ping() { pings = 1 }

    mutating func pong(_ payload: [UInt8]) {
        if pongs.count == Self.maximumPongs { pongs.removeFirst() }
        pongs.append(payload)
    }

    /// Adds a close frame.
    ///
    /// - Parameter afterMessages: True to send the messages before it; else they are dropped.
    mutating func close(_ code: WebSocketCloseCode, reason: String, afterMessages: Bool) {
        guard !isClosed else { return }
        if close == nil { close = encoder.close(code, reason: reason) }
        closeIsLast = afterMessages
    }

    /// The next bytes to write, or `nil` if there are none.
    ///
    /// - Parameters:
    ///   - limit: The number of bytes after which no new frame or piece is begun.
    ///   - mayBegin: Called right before a message's first byte; false drops the message.
    mutating func next(limit: Int, mayBegin: (_ identifier: UInt64) -> Bool) -> Chunk? {
        var chunk = Chunk()
        while chunk.bytes.count < limit, !isClosed {
            let isBetweenFrames = entries.first?.message.isBetweenFrames ?? true
            if isBetweenFrames, appendControl(to: &chunk) { continue }
            guard !entries.isEmpty else { break }
            chunk.bytes.reserveCapacity(min(limit, messageBytes) + WebSocketFrameHeader.maximumSize)
            let index = entries.startIndex
            guard entries[index].message.hasBegun || mayBegin(entries[index].identifier) else {
                messageBytes -= entries[index].size
                entries.removeFirst()
                continue
            }
            entries[index].message.write(to: &chunk.bytes, limit: limit - chunk.bytes.count, with: &encoder)
            guard entries[index].message.isFinished else { continue }
            chunk.finished.append(entries[index].identifier)
            messageBytes -= entries[index].size
            entries.removeFirst()
        }
        return chunk.bytes.isEmpty ? nil : chunk
    }

    private mutating func appendControl(to chunk: inout Chunk) -> Bool {
        if let pong = pongs.popFirst() {
            chunk.bytes += encoder.frame(.pong, payload: pong)
        } else if pings > 0 {
            pings = 0
            chunk.bytes += encoder.frame(.ping, payload: [])
        } else if let close, !closeIsLast || entries.isEmpty {
            chunk.bytes += close
            chunk.hasClose = true
            isClosed = true
            entries = []
            messageBytes = 0
        } else {
            return false
        }
        return true
    }
}
