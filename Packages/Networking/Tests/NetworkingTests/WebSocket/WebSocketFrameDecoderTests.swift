// SPDX-License-Identifier: MIT

import Networking
import Testing

@Suite("WebSocket frames")
struct WebSocketFrameDecoderTests {
    private typealias Event = WebSocketFrameDecoder.Event

    private struct Outcome: Hashable {
        var events: [Event] = []
        var error: NetworkError.Code?
    }

    private func decode(_ pieces: [[UInt8]], role: WebSocketRole = .client, limit: Int = 1 << 20) -> Outcome {
        var decoder = WebSocketFrameDecoder(role: role, maximumMessageSize: limit)
        var outcome = Outcome()
        for piece in pieces {
            do throws(NetworkError) {
                try decoder.decode(piece.span) { outcome.events.append($0) }
            } catch {
                outcome.error = error.code
            }
        }
        return outcome
    }

    /// In one piece, in every two pieces and byte by byte; all must come out the same.
    private func decodeEveryWay(_ bytes: [UInt8], role: WebSocketRole = .client, limit: Int = 1 << 20) -> Outcome {
        let whole = decode([bytes], role: role, limit: limit)
        for cut in 0...bytes.count {
            #expect(decode([Array(bytes[..<cut]), Array(bytes[cut...])], role: role, limit: limit) == whole)
        }
        #expect(decode(bytes.map { [$0] }, role: role, limit: limit) == whole)
        return whole
    }

    @Test func `the standard's samples`() {
        #expect(decodeEveryWay([0x81, 0x05] + Array("Hello".utf8)).events == [.message(.text("Hello"))])
        let masked: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(decodeEveryWay(masked, role: .server).events == [.message(.text("Hello"))])
        let fragments: [UInt8] = [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F]
        #expect(decodeEveryWay(fragments).events == [.message(.text("Hello"))])
        #expect(decodeEveryWay([0x89, 0x05] + Array("Hello".utf8)).events == [.ping(Array("Hello".utf8))])
        let pong: [UInt8] = [0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(decodeEveryWay(pong, role: .server).events == [.pong(Array("Hello".utf8))])
        let medium: [UInt8] = [0x82, 0x7E, 0x01, 0x00] + [UInt8](repeating: 7, count: 256)
        #expect(decodeEveryWay(medium).events == [.message(.binary([UInt8](repeating: 7, count: 256)))])
        let large: [UInt8] = [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 7, count: 65_536)
        #expect(decode(large.pieces(of: 1000)).events == [.message(.binary([UInt8](repeating: 7, count: 65_536)))])
    }

    @Test func `control frames stand between fragments`() {
        let bytes: [UInt8] = [0x01, 1, 0xC3, 0x89, 1, 9, 0x00, 0, 0x8A, 0, 0x80, 1, 0xA9, 0x88, 2, 0x03, 0xE8, 0x89, 0]
        #expect(
            decodeEveryWay(bytes)
                == Outcome(events: [.ping([9]), .pong([]), .message(.text("é")), .close(.normal, reason: "")]))
    }

    @Test(
        arguments: [
            ("a reserved bit", [0xC1, 0]), ("another", [0xA1, 0]), ("the third", [0x91, 0]), ("opcode 3", [0x83, 0]),
            ("opcode 7", [0x87, 0]), ("opcode 11", [0x8B, 0]), ("opcode 15", [0x8F, 0]),
            ("a masked frame", [0x81, 0x80, 0, 0, 0, 0]),
            ("a fragmented ping", [0x09, 0]), ("a fragmented close", [0x08, 0]), ("a long ping", [0x89, 126, 0, 126]),
            ("a continuation of nothing", [0x80, 0]), ("text in text", [0x01, 0, 0x81, 0]),
            ("binary in text", [0x01, 0, 0x02, 0]), ("16 bits for 125", [0x82, 126, 0, 125]),
            ("64 bits for 65535", [0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]),
            ("a negative length", [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0]), ("half a close code", [0x88, 1, 3]),
        ] as [(String, [UInt8])])
    func `a violation is found at its header`(what: String, bytes: [UInt8]) {
        #expect(decodeEveryWay(bytes) == Outcome(error: .webSocketProtocol), "\(what)")
    }

    @Test func `a client's frame has to be masked`() {
        #expect(decodeEveryWay([0x81, 0x00], role: .server).error == .webSocketProtocol)
    }

    @Test func `every close code, allowed or not`() {
        for code in UInt16.min...UInt16.max {
            let outcome = decode([[0x88, 2, UInt8(code >> 8), UInt8(code & 0xFF)]])
            let isAllowed = [1000...1003, 1007...1014, 3000...4999].contains { $0.contains(code) }
            let event = Event.close(WebSocketCloseCode(rawValue: code), reason: "")
            #expect(outcome == (isAllowed ? Outcome(events: [event]) : Outcome(error: .webSocketProtocol)))
        }
        #expect(decodeEveryWay([0x88, 0]).events == [.close(.noStatus, reason: "")])
        #expect(
            decodeEveryWay([0x88, 4, 0x0F, 0xA0, 0xC3, 0xA9]).events == [.close(.init(rawValue: 4000), reason: "é")])
        #expect(decodeEveryWay([0x88, 3, 0x03, 0xE8, 0xC3]) == Outcome(error: .webSocketText))
    }

    @Test func `text that is not UTF-8 fails at its first wrong byte`() {
        // The frame announces ten bytes; the second of them is wrong, and the rest never comes.
        #expect(decode([[0x81, 10, 0xF4, 0x90]]).error == .webSocketText)
        #expect(decode([[0x81, 10, 0xF4]]).error == nil)
        #expect(decode([[0x01, 1, 0xF4], [0x80, 4, 0x90]]).error == .webSocketText)
        #expect(decodeEveryWay([0x81, 1, 0xC3]).error == .webSocketText)
        #expect(decodeEveryWay([0x82, 1, 0xC3]).events == [.message(.binary([0xC3]))])
    }

    @Test func `a message over the limit fails at the header that announces it`() {
        let limit = 10
        #expect(decodeEveryWay([0x82, 10] + [UInt8](repeating: 0, count: 10), limit: limit).events.count == 1)
        #expect(decodeEveryWay([0x82, 11], limit: limit).error == .webSocketMessageTooBig)
        let fragments: [UInt8] = [0x02, 6, 0, 0, 0, 0, 0, 0, 0x80, 5]
        #expect(decodeEveryWay(fragments, limit: limit).error == .webSocketMessageTooBig)
        #expect(decode([[0x82, 127, 0x7F, 255, 255, 255, 255, 255, 255, 255]]).error == .webSocketMessageTooBig)
        // A ping between them is not part of the message.
        let ping: [UInt8] = [0x02, 6, 0, 0, 0, 0, 0, 0, 0x89, 5, 0, 0, 0, 0, 0, 0x80, 4, 0, 0, 0, 0]
        #expect(decodeEveryWay(ping, limit: limit).events.count == 2)
    }

    @Test func `errors and closes are final`() throws {
        var decoder = WebSocketFrameDecoder(role: .client)
        #expect(throws: NetworkError.self) { try decoder.decode([0xC1, 0]) }
        #expect(throws: NetworkError.self) { try decoder.decode([0x81, 0]) }
        var closed = WebSocketFrameDecoder(role: .client)
        #expect(try closed.decode([0x88, 0, 0xFF, 0xFF]).count == 1)
        #expect(try closed.decode([0x81, 0, 0xFF]).isEmpty)
    }

    @Test func `many small fragments take linear time`() {
        let count = 200_000
        var bytes: [UInt8] = [0x02, 0]
        bytes.reserveCapacity(3 * count)
        for _ in 0..<count { bytes += [0x00, 1, 5] }
        bytes += [0x80, 0]
        #expect(decode([bytes]).events == [.message(.binary([UInt8](repeating: 5, count: count)))])
    }
}
