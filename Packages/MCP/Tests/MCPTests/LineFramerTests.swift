// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import MCP

@Suite struct LineFramerTests {
    private let text = Array("{\"a\":1}\n\r\nüber\r\n\nxxxxxxxxxxxxxxxxxxxx\nlast\nrest".utf8)
    private let expected: [LineFramer.Element] = [
        .line(Array("{\"a\":1}".utf8)), .line(Array("über".utf8)), .oversized, .line(Array("last".utf8)),
        .line(Array("rest".utf8)),
    ]

    private func elements(_ pieces: [ArraySlice<UInt8>]) -> [LineFramer.Element] {
        var framer = LineFramer(maximumLineBytes: 12)
        return pieces.flatMap { framer.append(Array($0)) } + framer.finish()
    }

    @Test func everySplitGivesTheSameLines() {
        for first in 0...text.count {
            for second in first...text.count {
                let pieces = [text[..<first], text[first..<second], text[second...]]
                #expect(elements(pieces) == expected, "\(first) \(second)")
            }
        }
        #expect(elements(text.indices.map { text[$0...$0] }) == expected)
    }

    @Test(arguments: 1...50) func messagesSurviveAnyChunking(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let messages: [JSONRPCMessage] = (0..<20).map { number in
            let parameters: JSONObject = ["text": .string(String(repeating: "ä\n\"", count: number))]
            return switch number % 4 {
            case 0: .request(id: .integer(number), method: "m", parameters: parameters)
            case 1: .notification(method: "n", parameters: [:])
            case 2: .result(id: .string("\(number)"), .object(parameters))
            default: .failure(id: nil, JSONRPCFault(code: -number, message: "x", data: [1, 2.5, nil]))
            }
        }
        var rest: ArraySlice<UInt8> = []
        for message in messages { rest += message.bytes + [10] }
        var framer = LineFramer(maximumLineBytes: 10_000)
        var readings: [JSONRPCMessage.Reading] = []
        while !rest.isEmpty {
            let count = Int.random(in: 1...60, using: &random)
            for case .line(let line) in framer.append(Array(rest.prefix(count))) {
                readings += JSONRPCMessage.read(line)
            }
            rest = rest.dropFirst(count)
        }
        #expect(readings == messages.map { .message($0) }, "seed \(seed)")
    }

    @Test(arguments: 1...200) func damagedMessagesAreReadAsSomething(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let message = JSONRPCMessage.request(id: .integer(1), method: "tools/call", parameters: ["a": ["b": [1, nil]]])
        for _ in 0..<50 {
            var bytes = message.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            var session = JSONRPCSession()
            for reading in JSONRPCMessage.read(bytes) { _ = session.received(reading, now: .zero) }
        }
    }
}
