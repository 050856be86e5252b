// SPDX-License-Identifier: MIT

public import StructuredJSON

/// One event of the Wyoming protocol: a line of JSON, then JSON data, then bytes.
public struct WyomingFrame: Sendable, Hashable {
    /// The kind of event, such as `transcribe` or `audio-chunk`.
    public var type: String
    /// The event's values.
    public var data: JSONObject
    /// The event's bytes, such as samples; empty for most events.
    public var payload: [UInt8]

    /// Makes a frame.
    public init(_ type: String, data: JSONObject = [:], payload: [UInt8] = []) {
        self.type = type
        self.data = data
        self.payload = payload
    }

    /// The version of the protocol's reference implementation that the frames of this module agree with.
    static let version = "1.10.0"

    /// The frame as the reference writes it: the data always behind the line, with its length in the line.
    ///
    /// - Throws: ``WyomingFrameError`` with `payloadTooLarge` or `dataTooLarge` for a frame that no reader of this
    ///   module takes.
    public func bytes() throws(WyomingFrameError) -> [UInt8] {
        guard payload.count <= WyomingFrameParser.maximumPayload else { throw .payloadTooLarge(payload.count) }
        var header: JSONObject = ["type": .string(type), "version": .string(Self.version)]
        let body = data.isEmpty ? [] : JSONValue.object(data).bytes
        guard body.count <= WyomingFrameParser.maximumData else { throw .dataTooLarge(body.count) }
        if !body.isEmpty { header["data_length"] = .integer(body.count) }
        if !payload.isEmpty { header["payload_length"] = .integer(payload.count) }
        return JSONValue.object(header).bytes + [UInt8(ascii: "\n")] + body + payload
    }
}

/// A violation of the frame format.
public enum WyomingFrameError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line is longer than ``WyomingFrameParser/maximumHeader``.
    case headerTooLong
    /// The line is not a JSON object with a type and valid lengths.
    case invalidHeader
    /// The bytes behind the line are not a JSON object.
    case invalidData
    /// The data has so many bytes, more than ``WyomingFrameParser/maximumData``.
    case dataTooLarge(Int)
    /// The payload has so many bytes, more than ``WyomingFrameParser/maximumPayload``.
    case payloadTooLarge(Int)

    /// The violation in a few words.
    public var description: String {
        switch self {
        case .headerTooLong: "a header of more than \(WyomingFrameParser.maximumHeader) bytes"
        case .invalidHeader: "a header that is not a JSON object with a type and lengths"
        case .invalidData: "data that is not a JSON object"
        case .dataTooLarge(let count): "\(count) bytes of data"
        case .payloadTooLarge(let count): "\(count) bytes of payload"
        }
    }
}
