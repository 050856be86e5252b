// SPDX-License-Identifier: MIT

import Networking
import TestKit
import Testing

@Suite("A WebSocket between two ends")
struct WebSocketConnectionTests {
    private struct Pair {
        let client: WebSocketConnection
        let server: WebSocketConnection
        let clientStream: MemoryByteStream
        let serverStream: MemoryByteStream
        let clock = ManualClock()
    }

    private func open(
        readSize: Int = .max, _ change: (inout WebSocketConfiguration) -> Void = { _ in }
    ) async -> Pair {
        let (near, far) = MemoryByteStream.pair(readSize: readSize)
        let clock = ManualClock()
        var configuration = WebSocketConfiguration()
        configuration.pingInterval = nil
        change(&configuration)
        let client = WebSocketConnection(stream: near, role: .client, configuration: configuration, clock: clock)
        let server = WebSocketConnection(stream: far, role: .server, configuration: configuration, clock: clock)
        await client.start()
        await server.start()
        return Pair(client: client, server: server, clientStream: near, serverStream: far)
    }

    /// A client whose other end is played by the test, byte by byte.
    private func openAgainstBytes(
        _ change: (inout WebSocketConfiguration) -> Void = { _ in }
    ) async -> (client: WebSocketConnection, peer: MemoryByteStream, clock: ManualClock) {
        let (near, far) = MemoryByteStream.pair()
        let clock = ManualClock()
        var configuration = WebSocketConfiguration()
        configuration.pingInterval = nil
        change(&configuration)
        let client = WebSocketConnection(stream: near, role: .client, configuration: configuration, clock: clock)
        await client.start()
        return (client, far, clock)
    }

    /// What the client sends next.
    private func frames(_ peer: MemoryByteStream) async throws -> [WebSocketFrameDecoder.Event] {
        var decoder = WebSocketFrameDecoder(role: .server)
        while true {
            let events = try decoder.decode(try await peer.read())
            if !events.isEmpty { return events }
        }
    }

    @Test(arguments: [1, 7, 1000, Int.max])
    func `messages go both ways in order`(readSize: Int) async throws {
        let pair = await open(readSize: readSize) { $0.fragmentSize = 100 }
        let messages: [WebSocketMessage] = [
            .text(""), .text("héllo"), .binary([]), .binary([UInt8](repeating: 9, count: 5000)), .text("end"),
        ]
        for message in messages {
            try await pair.client.send(message)
            #expect(try await pair.server.receive() == message)
            try await pair.server.send(message)
        }
        for message in messages { #expect(try await pair.client.receive() == message) }
        await pair.client.close()
        #expect(try await pair.server.receive() == nil)
    }

    @Test func `the closing handshake is clean at both ends`() async throws {
        let pair = await open()
        await pair.client.close(.init(rawValue: 4321), reason: "done")
        #expect(try await pair.server.receive() == nil)
        let (near, far) = (await pair.client.closure, await pair.server.closure)
        #expect(near?.isClean == true && far?.isClean == true)
        #expect(far?.code.rawValue == 4321 && far?.reason == "done")
        #expect(near?.code.rawValue == 4321)
        await #expect(throws: NetworkError.self) { try await pair.client.send("late") }
        #expect(try await pair.client.receive() == nil)
    }

    @Test func `both may close at once`() async throws {
        let pair = await open()
        async let first: Void = pair.client.close(.normal)
        async let second: Void = pair.server.close(.goingAway)
        _ = await (first, second)
        #expect(await pair.client.closure?.isClean == true)
        #expect(await pair.server.closure?.isClean == true)
    }

    @Test func `a close that is not answered ends by the time-out`() async throws {
        let (client, peer, clock) = await openAgainstBytes()
        async let closed: Void = client.close()
        #expect(try await frames(peer) == [.close(.normal, reason: "")])
        await clock.waitForSleepers()
        #expect(clock.remaining == [.seconds(5)])
        clock.advance(by: .seconds(5))
        await closed
        #expect(await client.closure?.error?.code == .timeout)
        #expect(await client.closure?.code == .abnormal)
    }

    @Test func `after the other end's close this one answers and waits for its end`() async throws {
        let (client, peer, _) = await openAgainstBytes()
        try await peer.write([0x81, 1, 0x61, 0x88, 2, 0x03, 0xE9])
        #expect(try await client.receive() == .text("a"))
        #expect(try await frames(peer) == [.close(.goingAway, reason: "")])
        #expect(await client.closure == nil)
        peer.finish()
        #expect(try await client.receive() == nil)
        #expect(await client.closure?.code == .goingAway)
        #expect(await client.closure?.isClean == true)
    }

    @Test(arguments: [true, false])
    func `who hangs up on a writer has said why`(says: Bool) async throws {
        let (near, far) = MemoryByteStream.pair()
        let clock = ManualClock()
        var configuration = WebSocketConfiguration()
        configuration.pingInterval = nil
        let client = WebSocketConnection(stream: near, role: .client, configuration: configuration, clock: clock)
        await client.start()
        near.breakWrites()
        let sent = Task { try await client.send("more") }
        await clock.waitForSleepers()
        // 1008, "quota".
        if says { try await far.write([0x88, 7, 0x03, 0xf0] + Array("quota".utf8)) } else { far.finish() }
        await #expect(throws: NetworkError.self) { try await sent.value }
        let closure = await client.closure
        #expect(closure?.code.rawValue == (says ? 1008 : 1006) && closure?.reason == (says ? "quota" : ""))
        #expect(says || closure?.error?.message == "broken pipe")
    }

    @Test func `a broken connection is an error with 1006`() async throws {
        let (client, peer, _) = await openAgainstBytes()
        try await peer.write([0x81, 5, 0x61])
        peer.finish()
        let error = await #expect(throws: NetworkError.self) { try await client.receive() }
        #expect(error?.code == .connectionLost)
        #expect(await client.closure?.code == .abnormal)
    }

    @Test(
        arguments: [
            ([0xC1, 0], WebSocketCloseCode.protocolError, NetworkError.Code.webSocketProtocol),
            ([0x81, 1, 0xFF], .invalidPayload, .webSocketText),
            ([0x82, 126, 0x01, 0x00], .messageTooBig, .webSocketMessageTooBig),
        ] as [([UInt8], WebSocketCloseCode, NetworkError.Code)])
    func `a violation is answered by its code`(
        bytes: [UInt8], code: WebSocketCloseCode, error: NetworkError.Code
    ) async throws {
        let (client, peer, _) = await openAgainstBytes { $0.maximumMessageSize = 200 }
        try await peer.write([0x81, 2, 0x6F, 0x6B] + bytes)
        #expect(try await client.receive() == .text("ok"))
        #expect(try await frames(peer) == [.close(code, reason: "")])
        peer.finish()
        let thrown = await #expect(throws: NetworkError.self) { try await client.receive() }
        #expect(thrown?.code == error)
        #expect(await client.closure?.code == code)
    }

    @Test func `pings are answered in order, between fragments too`() async throws {
        let (client, peer, _) = await openAgainstBytes()
        try await peer.write([0x01, 1, 0x61, 0x89, 1, 1, 0x89, 1, 2, 0x80, 1, 0x62])
        #expect(try await client.receive() == .text("ab"))
        var decoder = WebSocketFrameDecoder(role: .server)
        var pongs: [WebSocketFrameDecoder.Event] = []
        while pongs.count < 2 { pongs += try decoder.decode(try await peer.read()) }
        #expect(pongs == [.pong([1]), .pong([2])])
        peer.finish()
        await #expect(throws: NetworkError.self) { try await client.receive() }
    }

    @Test func `a flood of pings is answered within bounds`() async throws {
        let (near, far) = MemoryByteStream.pair()
        near.holdWrites()
        let client = WebSocketConnection(stream: near, role: .client, clock: ManualClock())
        await client.start()
        for number in 0..<300 { try await far.write([0x89, 2, UInt8(number >> 8), UInt8(number & 255)]) }
        try await far.write([0x81, 0])
        #expect(try await client.receive() == .text(""))
        near.releaseWrites()
        try await client.send("end")
        var decoder = WebSocketFrameDecoder(role: .server)
        var events: [WebSocketFrameDecoder.Event] = []
        while events.last != .message(.text("end")) { events += try decoder.decode(try await far.read()) }
        // The first batch was on its way already; of the rest the latest are kept.
        #expect(events.count <= 300 && events.count >= 65)
        #expect(events.dropLast().last == .pong([1, 43]))
        far.finish()
    }

    @Test func `a missing pong breaks the connection, any byte saves it`() async throws {
        let (client, peer, clock) = await openAgainstBytes { $0.pingInterval = .seconds(10) }
        for round in 0..<3 {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(10))
            #expect(try await frames(peer) == [.ping([])])
            await clock.waitForSleepers()
            #expect(clock.remaining == [.seconds(20)])
            if round < 2 {
                try await peer.write([0x82, 0])
                #expect(try await client.receive() == .binary([]))
            }
            clock.advance(by: .seconds(20))
        }
        let error = await #expect(throws: NetworkError.self) { try await client.receive() }
        #expect(error?.code == .idleTimeout)
        #expect(await client.closure?.code == .abnormal)
    }

    @Test func `a full inbox stops reading, and a slow consumer loses nothing`() async throws {
        let (near, peer) = MemoryByteStream.pair()
        var configuration = WebSocketConfiguration()
        configuration.maximumInboxMessages = 4
        configuration.pingInterval = nil
        let client = WebSocketConnection(
            stream: near, role: .client, configuration: configuration, clock: ManualClock())
        await client.start()
        for number in 0..<20 { try await peer.write([0x82, 1, UInt8(number)]) }
        #expect(try await client.receive() == .binary([0]))
        // Four wait in the inbox, and reading begins again only as they are taken.
        #expect(near.readCount <= 6)
        for number in 1..<20 {
            #expect(try await client.receive() == .binary([UInt8(number)]))
            #expect(near.readCount <= 6 + number)
        }
        peer.finish()
        await #expect(throws: NetworkError.self) { try await client.receive() }
    }

    @Test func `a full outbox makes senders wait`() async throws {
        let (near, far) = MemoryByteStream.pair()
        near.holdWrites()
        var configuration = WebSocketConfiguration()
        configuration.maximumOutboxBytes = 1000
        configuration.pingInterval = nil
        let client = WebSocketConnection(
            stream: near, role: .client, configuration: configuration, clock: ManualClock())
        await client.start()
        let server = WebSocketConnection(stream: far, role: .server, clock: ManualClock())
        await server.start()
        let senders = (0..<20).map { number in
            Task { try await client.send([UInt8](repeating: UInt8(number), count: 600)) }
        }
        near.releaseWrites()
        var received: Set<UInt8> = []
        for _ in 0..<20 {
            guard case .binary(let bytes)? = try await server.receive() else { break }
            received.insert(bytes[0])
        }
        for sender in senders { try await sender.value }
        #expect(received.count == 20)
        await client.close()
    }

    @Test func `cancelling takes back what has not begun`() async throws {
        let (client, peer, _) = await openAgainstBytes()
        let receiver = Task { try await client.receive() }
        receiver.cancel()
        await #expect(throws: CancellationError.self) { try await receiver.value }
        let sender = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await client.send("never")
        }
        await #expect(throws: CancellationError.self) { try await sender.value }
        try await client.send("first")
        #expect(try await frames(peer) == [.message(.text("first"))])
        try await peer.write([0x81, 1, 0x61])
        #expect(try await client.receive() == .text("a"))
        peer.finish()
    }

    @Test func `cancelling has no effect on what has begun`() async throws {
        let pair = await open()
        pair.clientStream.holdWrites()
        let sender = Task { try await pair.client.send("begun") }
        await pair.clientStream.waitForHeldWrite()
        sender.cancel()
        pair.clientStream.releaseWrites()
        try await sender.value
        #expect(try await pair.server.receive() == .text("begun"))
        await pair.client.close()
    }

    @Test func `a connection without any room has room for one`() async throws {
        let pair = await open {
            ($0.maximumInboxMessages, $0.maximumInboxBytes, $0.maximumOutboxBytes) = (0, 0, -1)
        }
        try await pair.client.send("a")
        #expect(try await pair.server.receive() == .text("a"))
        await pair.client.close()
    }

    @Test func `whenever it is cancelled, a message arrives if its send returned, and only then`() async throws {
        let pair = await open { $0.maximumOutboxBytes = 4 }
        let arrivals = Task {
            var arrived: [WebSocketMessage] = []
            while let message = try await pair.server.receive() { arrived.append(message) }
            return arrived
        }
        let sent = await withTaskGroup(of: WebSocketMessage?.self) { group in
            for number in 0..<2000 {
                group.addTask {
                    let sender = Task { try await pair.client.send("\(number)") }
                    await disturbOrder(number % 7)
                    sender.cancel()
                    if case .success = await sender.result { return .text("\(number)") }
                    return nil
                }
            }
            return await group.reduce(into: Set<WebSocketMessage>()) { sent, message in
                if let message { sent.insert(message) }
            }
        }
        await pair.client.close()
        let arrived = try await arrivals.value
        #expect(Set(arrived) == sent)
        #expect(arrived.count == sent.count)
    }

    @Test(.timeLimit(.minutes(5)))
    func `nothing outlives the closing handshake`() async throws {
        weak var client: WebSocketConnection?
        weak var server: WebSocketConnection?
        let clock: ManualClock
        do {
            let pair = await open { $0.pingInterval = .seconds(20) }
            (client, server, clock) = (pair.client, pair.server, pair.clock)
            try await pair.client.send("hello")
            await pair.client.close()
            #expect(try await pair.server.receive() == .text("hello"))
            #expect(try await pair.server.receive() == nil)
        }
        // Their tasks hold them while they run; the actors are gone when the last has ended.
        try await eventually { client == nil && server == nil }
        #expect(clock.remaining.isEmpty)
    }

    @Test func `what was being sent when the connection broke is told as unknown`() async throws {
        let (near, far) = MemoryByteStream.pair()
        near.holdWrites()
        var configuration = WebSocketConfiguration()
        configuration.pingInterval = nil
        let client = WebSocketConnection(
            stream: near, role: .client, configuration: configuration, clock: ManualClock())
        await client.start()
        let begun = Task { try await client.send([UInt8](repeating: 1, count: 200_000)) }
        await near.waitForHeldWrite()
        far.finish()
        let error = await #expect(throws: NetworkError.self) { try await begun.value }
        #expect(error?.code == .deliveryUnknown)
        let late = await #expect(throws: NetworkError.self) { try await client.send("late") }
        #expect(late?.code == .closed)
    }
}
