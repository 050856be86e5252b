// SPDX-License-Identifier: MIT

import StructuredJSON

/// Reads Wyoming frames from a stream in pieces of any size. Pure; memory is bounded by the three limits.
///
/// Both forms are read: data within the line, and data behind it (`data_length`), which wins over the line's values of
/// the same names. After an error the position is lost, and each later call throws the same error.
public struct WyomingFrameParser: Sendable {
    /// The most bytes of a frame's line, its end not counted: 64 KiB, the reference reader's own limit.
    public static let maximumHeader = 64 << 10
    /// The most bytes of data behind the line: 1 MiB, since a `describe` of piper lists more than a hundred voices.
    public static let maximumData = 1 << 20
    /// The most bytes of payload: 1 MiB.
    public static let maximumPayload = 1 << 20

    /// A frame whose line was read, and the bytes that it waits for.
    private struct Pending {
        var frame: WyomingFrame
        var dataLength: Int
        var payloadLength: Int
    }

    private var buffer: [UInt8] = []
    /// The start of what was not consumed yet.
    private var start = 0
    /// The end of what was searched for a line's end.
    private var searched = 0
    private var pending: Pending?
    private var failure: WyomingFrameError?

    /// A parser at the beginning of a stream.
    public init() {}

    /// True if the stream may end here.
    public var isBetweenFrames: Bool { pending == nil && start == buffer.count && failure == nil }

    /// Takes the next piece and returns the frames that it completes, in order.
    ///
    /// The frames before a violation in the same piece are lost with it; use ``parse(_:onFrame:)`` to see them.
    public mutating func parse(_ bytes: [UInt8]) throws(WyomingFrameError) -> [WyomingFrame] {
        var frames: [WyomingFrame] = []
        try parse(bytes) { frames.append($0) }
        return frames
    }

    /// Takes the next piece and calls `onFrame` for each frame that it completes, in order.
    public mutating func parse(
        _ bytes: [UInt8], onFrame: (WyomingFrame) -> Void
    ) throws(WyomingFrameError) {
        if let failure { throw failure }
        buffer += bytes
        do throws(WyomingFrameError) {
            while let frame = try next() { onFrame(frame) }
        } catch {
            (failure, buffer, start, pending) = (error, [], 0, nil)
            throw error
        }
        // Moved once a piece, not once a frame.
        buffer.removeFirst(start)
        searched -= start
        start = 0
    }

    private mutating func next() throws(WyomingFrameError) -> WyomingFrame? {
        if pending == nil { pending = try readHeader() }
        guard var current = pending else { return nil }
        if current.dataLength > 0 {
            guard buffer.count - start >= current.dataLength else { return nil }
            let bytes = take(current.dataLength)
            guard let json = try? JSONValue(parsing: bytes, maximumDepth: Self.maximumDepth), let data = json.object
            else { throw .invalidData }
            for (name, value) in data { current.frame.data[name] = value }
            current.dataLength = 0
            pending = current
        }
        guard buffer.count - start >= current.payloadLength else { return nil }
        current.frame.payload = take(current.payloadLength)
        pending = nil
        return current.frame
    }

    /// The nested levels of a frame's JSON; `info` has five.
    private static let maximumDepth = 32

    private mutating func readHeader() throws(WyomingFrameError) -> Pending? {
        searched = max(searched, start)
        guard let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = buffer.count
            guard buffer.count - start <= Self.maximumHeader else { throw .headerTooLong }
            return nil
        }
        guard end - start <= Self.maximumHeader else { throw .headerTooLong }
        let line = take(end - start)
        start += 1
        guard let json = try? JSONValue(parsing: line, maximumDepth: Self.maximumDepth),
            let header = json.object, let type = header["type"]?.string, !type.isEmpty
        else { throw .invalidHeader }
        let (data, payload) = (try Self.length(header["data_length"]), try Self.length(header["payload_length"]))
        guard data <= Self.maximumData else { throw .dataTooLarge(data) }
        guard payload <= Self.maximumPayload else { throw .payloadTooLarge(payload) }
        let values = header["data"] ?? .null
        guard values.isNull || values.object != nil else { throw .invalidHeader }
        return Pending(
            frame: WyomingFrame(type, data: values.object ?? [:]), dataLength: data, payloadLength: payload)
    }

    /// A length; 0 if it is missing or null.
    private static func length(_ json: JSONValue?) throws(WyomingFrameError) -> Int {
        guard let json, !json.isNull else { return 0 }
        guard let length = json.integer, length >= 0 else { throw .invalidHeader }
        return length
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        defer { start += count }
        return Array(buffer[start..<start + count])
    }
}
