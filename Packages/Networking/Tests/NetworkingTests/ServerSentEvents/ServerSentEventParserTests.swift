// SPDX-License-Identifier: MIT

import Networking
import TestKit
import Testing

@Suite("The event stream parser")
struct ServerSentEventParserTests {
    private func parse(_ pieces: [[UInt8]]) throws -> [ServerSentEvent] {
        var parser = ServerSentEventParser()
        return try pieces.flatMap { try parser.parse($0) }
    }

    /// In one piece, in every two pieces, byte by byte, and byte by byte with empty pieces between.
    private func parseEveryWay(_ bytes: [UInt8]) throws -> Set<[ServerSentEvent]> {
        var results: Set<[ServerSentEvent]> = [try parse([bytes])]
        for cut in 0...bytes.count { results.insert(try parse([Array(bytes[..<cut]), Array(bytes[cut...])])) }
        results.insert(try parse(bytes.map { [$0] }))
        results.insert(try parse(bytes.flatMap { [[], [$0], []] }))
        return results
    }

    private func data(_ text: String) throws -> [String] {
        let results = try parseEveryWay(Array(text.utf8))
        #expect(results.count == 1, "the cut must not matter")
        return results.first?.map(\.data) ?? []
    }

    @Test(arguments: [
        ("data: one\n\n", ["one"]), ("data:one\n\n", ["one"]), ("data:  one\n\n", [" one"]),
        ("data: one\r\n\r\n", ["one"]), ("data: one\r\r", ["one"]), ("data: one\r\n\n", ["one"]),
        ("data: one\n\r\n", ["one"]), ("data: one\r\n\r", ["one"]), ("data: one\n\r", ["one"]),
        ("data: one\ndata: two\n\n", ["one\ntwo"]), ("data: one\rdata: two\r\r", ["one\ntwo"]),
        ("data\n\n", [""]), ("data:\n\n", [""]), ("data: \n\n", [""]), ("data\ndata\n\n", ["\n"]),
        ("data: one\n", []), ("data: one", []), ("\n\n\n", []), ("event: x\n\n", []), ("", []),
        ("data: one\n\ndata: two\n\ndata: three", ["one", "two"]),
        (": comment\ndata: one\n: comment\n\n:\n\n:::\n\n", ["one"]), ("data: a:b: c\n\n", ["a:b: c"]),
        ("Data: one\n\n", []), (" data: one\n\n", []), ("data : one\n\n", []), ("datas: one\n\n", []),
        ("dat: one\n\n", []), ("x\ny: z\ndata: one\n\n", ["one"]), ("data: \u{0}\n\n", ["\u{0}"]),
        ("\u{FEFF}data: one\n\n", ["one"]), ("\u{FEFF}\u{FEFF}data: one\n\n", []),
        ("\n\u{FEFF}data: one\n\n", []), ("data: \u{FEFF}one\n\n", ["\u{FEFF}one"]),
        ("data: é€😀\u{2028}\u{85}\u{B}\u{C}\n\n", ["é€😀\u{2028}\u{85}\u{B}\u{C}"]),
    ])
    func `data, lines, comments and the byte order mark`(stream: String, expected: [String]) throws {
        #expect(try data(stream) == expected)
        #expect(EventStreamOracle(Array(stream.utf8)).events.map(\.data) == expected)
    }

    @Test func `broken UTF-8 becomes replacement characters`() throws {
        let cases: [([UInt8], String)] = [
            ([0xFF], "\u{FFFD}"), ([0xC3], "\u{FFFD}"), ([0xE2, 0x82], "\u{FFFD}"), ([0xE2, 0x82, 0x41], "\u{FFFD}A"),
            ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"), ([0xF0, 0x9F, 0x98], "\u{FFFD}"),
            ([0xC0, 0xAF], "\u{FFFD}\u{FFFD}"), ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ]
        for (bytes, text) in cases {
            let results = try parseEveryWay(Array("data: ".utf8) + bytes + Array("\n\n".utf8))
            #expect(results == [[ServerSentEvent(data: text)]])
        }
        for beginning in [[0xEF], [0xEF, 0xBB], [0xEF, 0xBB, 0xBE], [0xBF]] as [[UInt8]] {
            let results = try parseEveryWay(beginning + Array("data: x\n\ndata: y\n\n".utf8))
            #expect(results == [[ServerSentEvent(data: "y")]], "the first line begins with \(beginning)")
        }
    }

    @Test func `the type lasts for one event, the identifier until the next`() throws {
        let stream =
            "event: a\nid: 1\ndata: x\n\ndata: y\n\nevent: b\n\nid\ndata: z\n\nid: 2\nevent: c\nevent: d\ndata:\n\n"
        #expect(
            try parseEveryWay(Array(stream.utf8)) == [
                [
                    ServerSentEvent(type: "a", data: "x", lastEventID: "1"),
                    ServerSentEvent(data: "y", lastEventID: "1"),
                    ServerSentEvent(data: "z"), ServerSentEvent(type: "d", data: "", lastEventID: "2"),
                ]
            ])
    }

    @Test func `an identifier with NUL is ignored, one without data counts, an unfinished one does not`() throws {
        var parser = ServerSentEventParser(lastEventID: "0")
        #expect(try parser.parse(Array("id: a\u{0}b\ndata: x\n\n".utf8)).map(\.lastEventID) == ["0"])
        #expect(try parser.parse(Array("id: 7\n".utf8)).isEmpty)
        #expect(parser.lastEventID == "0")
        #expect(try parser.parse(Array("\n".utf8)).isEmpty)
        #expect(parser.lastEventID == "7")
    }

    @Test(
        arguments: [
            ("retry: 1500\n", Duration.milliseconds(1500)), ("retry:0\n", .zero), ("retry: 007\n", .milliseconds(7)),
            ("retry: 99999999999999999999\n", .milliseconds(Int64.max)), ("retry\n", nil), ("retry: \n", nil),
            ("retry: -1\n", nil), ("retry: 1.5\n", nil), ("retry: 5s\n", nil), ("retry: +5\n", nil),
            ("retry:  5\n", nil),
            ("retry: ٥\n", nil), ("retry: 1\nretry: x\n", .milliseconds(1)), ("retry: 1", nil),
        ] as [(String, Duration?)])
    func `only digits set the reconnection time`(stream: String, expected: Duration?) throws {
        for size in [1, 3, 100] {
            var parser = ServerSentEventParser()
            for piece in Array(stream.utf8).pieces(of: size) { #expect(try parser.parse(piece).isEmpty) }
            #expect(parser.reconnectionTime == expected)
        }
    }

    @Test func `an event is handed out at once, at its last CR`() throws {
        var parser = ServerSentEventParser()
        #expect(try parser.parse(Array("data: one\r\r".utf8)).count == 1)
        #expect(try parser.parse(Array("\ndata: two\r\n\r".utf8)).map(\.data) == ["two"])
        #expect(try parser.parse(Array("\n".utf8)).isEmpty)
    }

    @Test func `an event over the limit is an error, wherever it is cut`() throws {
        let fits = "data: 123456789\n\n"
        let over = "data: 1234567890\n\n"
        let gathered = "data: 1234\ndata: 5678\ndata: 9\n\n"
        for (stream, isFine) in [(fits, true), (over, false), (gathered, false), ("x" + over, false)] {
            for size in 1...40 {
                var parser = ServerSentEventParser(maximumEventSize: 15)
                var events: [ServerSentEvent] = []
                var codes: Set<NetworkError.Code> = []
                for piece in Array(("data: ok\n\n" + stream).utf8).pieces(of: size) {
                    do throws(NetworkError) {
                        try parser.parse(piece.span) { events.append($0) }
                    } catch {
                        codes.insert(error.code)
                    }
                }
                #expect(events.first?.data == "ok")
                #expect(codes == (isFine ? [] : [.eventTooLarge]), "\(stream.debugDescription) in pieces of \(size)")
                #expect(events.count == (isFine ? 2 : 1))
            }
        }
    }

    @Test func `a stream and a comment may be endless`() throws {
        var parser = ServerSentEventParser(maximumEventSize: 64)
        var count = 0
        let comment = [UInt8](repeating: UInt8(ascii: ":"), count: 1000)
        let event = Array("data: 0123456789\n\n".utf8)
        for _ in 0..<1000 {
            try parser.parse(comment.span) { _ in count += 1 }
            try parser.parse(([10] + event + event).span) { _ in count += 1 }
        }
        #expect(count == 2000)
    }

    @Test func `random streams in random pieces agree with the standard's algorithm`() throws {
        let seed: UInt64 = 0x5553
        var random = SeededGenerator(seed: seed)
        let words: [[UInt8]] =
            ["data", "event", "id", "retry", ":", ": ", " ", "\n", "\r", "\r\n", "a", "12", "\u{0}", "é"]
            .map { Array($0.utf8) } + [[0xEF], [0xEF, 0xBB, 0xBF], [0xFF], [0xE2, 0x82]]
        for round in 0..<4000 {
            var stream: [UInt8] = []
            for _ in 0..<Int.random(in: 0...40, using: &random) { stream += words.randomElement(using: &random) ?? [] }
            let oracle = EventStreamOracle(stream)
            var parser = ServerSentEventParser()
            var events: [ServerSentEvent] = []
            var rest = stream[...]
            while !rest.isEmpty {
                let size = Int.random(in: 0...min(rest.count, 9), using: &random)
                events += try parser.parse(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(events == oracle.events, "\(stream), seed \(seed), round \(round)")
            #expect(parser.lastEventID == oracle.lastEventID, "\(stream), seed \(seed), round \(round)")
            #expect(parser.reconnectionTime == oracle.retry.map { .milliseconds($0) }, "\(stream), seed \(seed)")
        }
    }
}

extension Array where Element == UInt8 {
    /// The bytes in pieces of one size; the last may be shorter.
    func pieces(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
