// SPDX-License-Identifier: MIT

import Networking
import TestKit
import Testing

@Suite("WebSocket frames there and back")
struct WebSocketRoundTripTests {
    private func message(_ random: inout SeededGenerator) -> WebSocketMessage {
        let sizes = [0, 1, 2, 125, 126, 127, 500, 65_535, 65_536, 70_000]
        let size = sizes.randomElement(using: &random) ?? 0
        if Bool.random(using: &random) {
            return .binary((0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
        return .text(String(repeating: ["a", "é", "€", "😀"].randomElement(using: &random) ?? "a", count: size / 4))
    }

    @Test(arguments: [WebSocketRole.client, .server])
    func `random messages, fragments, pieces and pings`(sender: WebSocketRole) throws {
        let seed: UInt64 = 6455
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            var encoder = WebSocketFrameEncoder(role: sender, random: SeededGenerator(seed: random.next()))
            var decoder = WebSocketFrameDecoder(role: sender == .client ? .server : .client)
            var sent: [WebSocketMessage] = []
            var received: [WebSocketMessage] = []
            var pings = 0
            var wire: [UInt8] = []
            for _ in 0..<4 {
                let original = message(&random)
                sent.append(original)
                let fragment = [1 << 20, 1 << 16, 1000].randomElement(using: &random) ?? 1000
                var outgoing = WebSocketOutgoingMessage(original, fragmentSize: fragment)
                #expect(!outgoing.hasBegun)
                while !outgoing.isFinished {
                    if outgoing.isBetweenFrames, Int.random(in: 0..<4, using: &random) == 0 {
                        wire += encoder.frame(.ping, payload: [1, 2, 3])
                        pings += 1
                    }
                    outgoing.write(to: &wire, limit: Int.random(in: 1...40_000, using: &random), with: &encoder)
                }
            }
            var rest = wire[...]
            while !rest.isEmpty {
                let size = Int.random(in: 1...min(rest.count, 50_000), using: &random)
                for event in try decoder.decode(Array(rest.prefix(size))) {
                    switch event {
                    case .message(let message): received.append(message)
                    case .ping(let payload):
                        pings -= 1
                        #expect(payload == [1, 2, 3])
                    default: Issue.record("\(event), seed \(seed)")
                    }
                }
                rest = rest.dropFirst(size)
            }
            #expect(received == sent, "seed \(seed)")
            #expect(pings == 0, "seed \(seed)")
        }
    }

    @Test func `headers take the shortest form`() {
        for (length, size) in [(0, 2), (125, 2), (126, 4), (65_535, 4), (65_536, 10)] {
            #expect(WebSocketFrameHeader(opcode: .binary, payloadLength: length).bytes.count == size)
            #expect(WebSocketFrameHeader(opcode: .binary, mask: 1, payloadLength: length).bytes.count == size + 4)
        }
    }

    @Test func `each frame has its own mask`() {
        var encoder = WebSocketFrameEncoder(role: .client, random: SeededGenerator(seed: 1))
        let masks = (0..<100).map { _ in Array(encoder.frame(.text, payload: [])[2..<6]) }
        #expect(Set(masks).count == 100)
    }

    @Test func `a close frame fits and keeps its characters whole`() throws {
        var encoder = WebSocketFrameEncoder(role: .server, random: SeededGenerator(seed: 1))
        var decoder = WebSocketFrameDecoder(role: .client)
        let frame = encoder.close(.goingAway, reason: String(repeating: "é", count: 100))
        #expect(frame.count == 2 + 124)
        let events = try decoder.decode(frame)
        #expect(events == [.close(.goingAway, reason: String(repeating: "é", count: 61))])
        #expect(encoder.close(.noStatus, reason: "x") == [0x88, 0])
    }

    @Test func `random bytes never crash the decoder`() {
        let seed: UInt64 = 0xF022
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            var decoder = WebSocketFrameDecoder(role: Bool.random(using: &random) ? .client : .server)
            var bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            // Mostly a plausible first byte, else nearly all end at it.
            if !bytes.isEmpty, Bool.random(using: &random) { bytes[0] &= 0x8A }
            var size = 0
            do throws(NetworkError) {
                for event in try decoder.decode(bytes) {
                    if case .message(let message) = event { size += message.byteCount }
                }
            } catch {
                #expect(error.webSocketCloseCode.isSendable, "seed \(seed)")
            }
            #expect(size <= bytes.count, "seed \(seed)")
        }
    }
}
