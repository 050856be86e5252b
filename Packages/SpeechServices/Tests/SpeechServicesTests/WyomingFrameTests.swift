// SPDX-License-Identifier: MIT

import SpeechServices
import StructuredJSON
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct WyomingFrameTests {
    private static let frames = [
        WyomingFrame("describe"),
        WyomingFrame("audio-chunk", data: ["rate": 16_000, "width": 2, "channels": 1], payload: [0, 10, 255, 10]),
        WyomingFrame("transcript", data: ["text": "grüß\ngott “x”", "language": "de"]),
        WyomingFrame("x", data: ["nested": ["a": [1, 2.5, nil, true]]], payload: [10]),
    ]

    private static func stream() throws -> [UInt8] { try frames.flatMap { try $0.bytes() } }

    @Test func `every split of a stream gives the same frames`() throws {
        let bytes = try Self.stream()
        for split in 0...bytes.count {
            var parser = WyomingFrameParser()
            var found = try parser.parse(Array(bytes[..<split]))
            found += try parser.parse(Array(bytes[split...]))
            #expect(found == Self.frames)
            #expect(parser.isBetweenFrames)
        }
        var parser = WyomingFrameParser()
        var found: [WyomingFrame] = []
        for byte in bytes { found += try parser.parse([byte]) }
        #expect(found == Self.frames)
    }

    @Test func `data within the line and behind it is merged`() throws {
        var parser = WyomingFrameParser()
        let line = #"{"type": "info", "data": {"a": 1, "b": 2}, "data_length": 8, "payload_length": null}"#
        let found = try parser.parse(Array((line + "\n" + #"{"b": 3}"# + #"{"type":"x","data":null}"# + "\n").utf8))
        #expect(found == [WyomingFrame("info", data: ["a": 1, "b": 3]), WyomingFrame("x")])
    }

    @Test(arguments: [
        ("\n", WyomingFrameError.invalidHeader), ("[]\n", .invalidHeader), ("{\"type\": 1}\n", .invalidHeader),
        ("{\"type\": \"\"}\n", .invalidHeader), ("{\"type\": \"x\", \"data\": []}\n", .invalidHeader),
        ("{\"type\": \"x\", \"data_length\": -1}\n", .invalidHeader),
        ("{\"type\": \"x\", \"payload_length\": 1.5}\n", .invalidHeader),
        ("{\"type\": \"x\", \"payload_length\": \"9\"}\n", .invalidHeader),
        ("{\"type\": \"x\", \"payload_length\": 1048577}\n", .payloadTooLarge(1_048_577)),
        ("{\"type\": \"x\", \"data_length\": 99999999999}\n", .dataTooLarge(99_999_999_999)),
        ("{\"type\": \"x\", \"data_length\": 2}\n[]", .invalidData),
        ("{\"type\": \"x\", \"data_length\": 2}\nab", .invalidData),
        ("HTTP/1.1 200 OK\r\n", .invalidHeader),
    ])
    func `a damaged frame is an error, now and later`(text: String, expected: WyomingFrameError) throws {
        var parser = WyomingFrameParser()
        #expect(throws: expected) { _ = try parser.parse(Array(text.utf8)) }
        #expect(throws: expected) { _ = try parser.parse([]) }
        #expect(!parser.isBetweenFrames)
    }

    @Test func `limits hold to the byte`() throws {
        let largest = WyomingFrame("x", payload: [UInt8](repeating: 7, count: WyomingFrameParser.maximumPayload))
        var parser = WyomingFrameParser()
        let bytes = try largest.bytes()
        #expect(try parser.parse(bytes) == [largest])
        var larger = largest
        larger.payload.append(7)
        #expect(throws: WyomingFrameError.payloadTooLarge(larger.payload.count)) { _ = try larger.bytes() }
        let text = String(repeating: " ", count: WyomingFrameParser.maximumHeader - #"{"type":"x"}"#.utf8.count)
        #expect(try parser.parse(Array((#"{"type":"x"}"# + text + "\n").utf8)) == [WyomingFrame("x")])
        #expect(throws: WyomingFrameError.headerTooLong) {
            _ = try parser.parse([UInt8](repeating: 32, count: WyomingFrameParser.maximumHeader + 1))
        }
    }

    @Test func `the reference reads ours, and we read the reference's`() async throws {
        let peer = try PeerProgram.start("wyoming_frames.py", input: .bytes(try Self.stream()))
        let output = await peer.detached { peer in
            var output: [UInt8] = []
            while case let part = peer.bytes(), !part.isEmpty { output += part }
            return output
        }
        var parser = WyomingFrameParser()
        let found = try parser.parse(output)
        #expect(found == Self.frames)
    }
}
