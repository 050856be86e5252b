// SPDX-License-Identifier: MIT

/// One event of a `text/event-stream` (WHATWG HTML §9.2).
public struct ServerSentEvent: Hashable, Sendable {
    /// The `event` field; `message` if the stream has none.
    public var type: String
    /// The `data` fields, joined by line feeds.
    public var data: String
    /// The last `id` of the stream up to and with this event; empty if it had none.
    public var lastEventID: String

    /// An event.
    public init(type: String = "message", data: String, lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }
}

/// Reads a `text/event-stream` as the WHATWG standard demands (HTML §9.2.5 and §9.2.6), in pieces of any size.
///
/// Feed it the body as it arrives; it returns each event at the line end that completes it, without waiting for more.
/// An event that the stream's end cuts off is dropped, as the standard demands. Time is linear in the bytes. Memory is
/// bounded by `maximumEventSize` for a stream of any length; comments take none.
///
/// A value; not for two tasks at once. After an error it has lost its position: start a new one on a new stream.
public struct ServerSentEventParser: Sendable {
    /// The most bytes that an unfinished event may take: its data, type and identifier so far, and the current line.
    public let maximumEventSize: Int
    /// The `id` after the last finished block: the `Last-Event-ID` of the next connection.
    public private(set) var lastEventID: String
    /// The stream's latest valid `retry` field.
    public private(set) var reconnectionTime: Duration?

    /// The line that the next piece continues, empty between lines.
    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var type: [UInt8] = []
    private var identifier: [UInt8] = []
    private var hasIdentifier = false
    private var hasData = false
    /// The number of bytes of a byte order mark at the stream's start; nil once that is decided.
    private var markLength: Int? = 0
    private var lastByteWasCR = false
    private var isInComment = false
    private var failure: NetworkError?

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// A parser at the beginning of a stream.
    ///
    /// - Parameters:
    ///   - lastEventID: The id of events until the stream sets one. The standard starts every stream with an empty one;
    ///     browsers keep that of the previous connection, and so does ``EventSource``.
    ///   - maximumEventSize: The most bytes of an event.
    public init(lastEventID: String = "", maximumEventSize: Int = 1 << 20) {
        self.lastEventID = lastEventID
        self.maximumEventSize = maximumEventSize
    }

    /// Takes the next piece and returns the events that it completes, in order.
    ///
    /// - Throws: ``NetworkError/Code/eventTooLarge``. The events of the piece before the one that is too large are
    ///   lost with it; use ``parse(_:onEvent:)`` to see them.
    public mutating func parse(_ bytes: [UInt8]) throws(NetworkError) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        try parse(bytes.span) { events.append($0) }
        return events
    }

    /// Takes the next piece and calls `onEvent` for each event that it completes, in order.
    ///
    /// - Throws: ``NetworkError/Code/eventTooLarge``, now and at every later call.
    public mutating func parse(
        _ bytes: Span<UInt8>, onEvent: (ServerSentEvent) -> Void
    ) throws(NetworkError) {
        if let failure { throw failure }
        do throws(NetworkError) {
            try bytes.withUnsafeBufferPointer { buffer throws(NetworkError) in
                try consume(buffer, onEvent)
            }
        } catch {
            failure = error
            throw error
        }
    }

    private mutating func consume(
        _ piece: UnsafeBufferPointer<UInt8>, _ onEvent: (ServerSentEvent) -> Void
    ) throws(NetworkError) {
        var lines = LineEndScanner(bytes: piece, from: try skipByteOrderMark(piece))
        if lastByteWasCR, lines.position < piece.count {
            lastByteWasCR = false
            if piece[lines.position] == UInt8(ascii: "\n") { lines.position += 1 }
        }
        while lines.position < piece.count {
            let start = lines.position
            guard let end = lines.next() else {
                try keep(piece[start...])
                return
            }
            if isInComment {
                isInComment = false
            } else if line.isEmpty {
                try process(UnsafeBufferPointer(rebasing: piece[start..<end]), onEvent)
            } else {
                try keep(piece[start..<end])
                let whole = line
                line.removeAll(keepingCapacity: true)
                try whole.span.withUnsafeBufferPointer { buffer throws(NetworkError) in
                    try process(buffer, onEvent)
                }
            }
            lastByteWasCR = lines.endedAtLastCR
        }
    }

    /// The start of the text in this piece. Bytes that only looked like a mark are put in front of the first line.
    private mutating func skipByteOrderMark(_ piece: UnsafeBufferPointer<UInt8>) throws(NetworkError) -> Int {
        var position = 0
        while let length = markLength, position < piece.count {
            guard piece[position] == Self.byteOrderMark[length] else {
                line.append(contentsOf: Self.byteOrderMark.prefix(length))
                markLength = nil
                break
            }
            position += 1
            markLength = length == 2 ? nil : length + 1
        }
        return position
    }

    /// Keeps the beginning of a line whose end has not arrived.
    private mutating func keep(_ part: Slice<UnsafeBufferPointer<UInt8>>) throws(NetworkError) {
        if isInComment || (line.isEmpty && part.first == UInt8(ascii: ":")) {
            isInComment = true
            return
        }
        try checkSize(adding: part.count)
        line.append(contentsOf: part)
    }

    private func checkSize(adding count: Int) throws(NetworkError) {
        let kept = line.count + data.count + type.count + identifier.count
        guard kept + count <= maximumEventSize else {
            throw NetworkError(
                code: .eventTooLarge,
                message: "The server sent an event of more than \(maximumEventSize) bytes. "
                    + "Raise maximumEventSize if such events are expected.")
        }
    }

    private mutating func process(
        _ line: UnsafeBufferPointer<UInt8>, _ onEvent: (ServerSentEvent) -> Void
    ) throws(NetworkError) {
        if line.isEmpty { return dispatch(onEvent) }
        let field = EventStreamField(line: line)
        // Checked for the whole line, so that the result does not depend on the pieces of the stream.
        if field.name != .comment { try checkSize(adding: line.count) }
        switch field.name {
        case .data:
            data.append(contentsOf: field.value)
            data.append(UInt8(ascii: "\n"))
            hasData = true
        case .event:
            // Into the same memory for each event: an allocation costs as much as the rest of a short line.
            type.removeAll(keepingCapacity: true)
            type.append(contentsOf: field.value)
        case .id:
            guard !field.value.contains(0) else { break }
            identifier.removeAll(keepingCapacity: true)
            identifier.append(contentsOf: field.value)
            hasIdentifier = true
        case .retry:
            if let milliseconds = field.milliseconds { reconnectionTime = .milliseconds(milliseconds) }
        case .comment, .unknown:
            break
        }
    }

    private mutating func dispatch(_ onEvent: (ServerSentEvent) -> Void) {
        if hasIdentifier {
            lastEventID = String(decoding: identifier, as: UTF8.self)
            identifier.removeAll(keepingCapacity: identifier.capacity <= 1 << 16)
            hasIdentifier = false
        }
        defer {
            data.removeAll(keepingCapacity: data.capacity <= 1 << 16)
            type.removeAll(keepingCapacity: type.capacity <= 1 << 16)
            hasData = false
        }
        guard hasData else { return }
        data.removeLast()
        onEvent(
            ServerSentEvent(
                type: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self),
                data: String(decoding: data, as: UTF8.self),
                lastEventID: lastEventID))
    }
}
