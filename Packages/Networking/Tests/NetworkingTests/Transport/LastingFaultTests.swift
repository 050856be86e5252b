// SPDX-License-Identifier: MIT

import FoundationEssentials
import NetworkingTestSupport
import TestKit
import Testing

@testable import Networking

@Suite("What a fault means for those who connect again and again")
struct LastingFaultTests {
    private static let faults: [(NetworkError, isForGood: Bool)] = [
        (NetworkError(code: .proxy, message: "", status: 407), true),
        (NetworkError(code: .proxy, message: "", status: 403), true),
        (NetworkError(code: .proxy, message: "", status: 405), true),
        (NetworkError(code: .proxy, message: "the address is none"), true),
        (NetworkError(code: .proxy, message: "", status: 429), false),
        (NetworkError(code: .proxy, message: "", status: 500), false),
        (NetworkError(code: .connect, message: "", status: 502), false),
        (NetworkError(code: .connect, message: "nobody listens there"), false),
        (NetworkError(code: .resolve, message: ""), false),
        (NetworkError(code: .headerTooLarge, message: ""), true),
        (NetworkError(code: .outOfMemory, message: ""), false),
    ]

    private var random = SeededGenerator(seed: 11)

    @Test(arguments: faults)
    func `the one list`(error: NetworkError, isForGood: Bool) {
        #expect(error.isTransient != isForGood)
    }

    @Test(arguments: [
        NetworkError.Code.redirect, .requestBody, .file, .decoding, .unauthorized, .closed, .deliveryUnknown, .status,
    ])
    mutating func `what another attempt cannot change ends uploads and event sources`(code: NetworkError.Code) {
        let error = NetworkError(code: code, message: "")
        var upload = TusStateMachine(record: nil, length: 1, configuration: TusClient.Configuration())
        upload.failed(error, random: 0.5)
        #expect(upload.action == .fail(code, "", status: nil))
        var source = EventSourceStateMachine(configuration: EventSource.Configuration(), mayReconnect: true)
        guard case .fail = source.ended(error, lastEventID: nil, retry: nil, random: &random) else {
            Issue.record("the event source goes on")
            return
        }
    }

    @Test(arguments: faults)
    mutating func `an event source`(error: NetworkError, isForGood: Bool) {
        var machine = EventSourceStateMachine(configuration: EventSource.Configuration(), mayReconnect: true)
        switch machine.ended(error, lastEventID: nil, retry: nil, random: &random) {
        case .fail: #expect(isForGood)
        case .wait: #expect(!isForGood)
        default: Issue.record("neither an end nor a wait")
        }
    }

    @Test(arguments: faults)
    func `an upload`(error: NetworkError, isForGood: Bool) {
        var machine = TusStateMachine(record: nil, length: 1, configuration: TusClient.Configuration())
        machine.failed(error, random: 0.5)
        let end = TusStateMachine.Action.fail(error.code, error.message, status: error.status)
        #expect(machine.action == (isForGood ? end : .wait(.milliseconds(250))))
    }

    // Through libcurl, since the codes above are only as good as what really comes.
    @Test(.enabled(if: PythonPeer.isWanted, PythonPeer.skipped), arguments: ["403", "407"])
    func `an event source behind a proxy that refuses`(answer: String) async throws {
        let proxy = try PythonPeer("proxy.py", ["--answer", answer], python: "/usr/bin/python3")
        let clock = ManualClock()
        let source = try Self.source(behind: "http://127.0.0.1:\(proxy.port)", clock)
        await expectError(.proxy) { for try await _ in source {} }
        #expect(clock.remaining.isEmpty)
    }

    @Test func `an event source behind a proxy that is not there`() async throws {
        let clock = ManualClock()
        let source = try Self.source(behind: "http://127.0.0.1:\(refusingPort)", clock)
        let reader = Task { for try await _ in source {} }
        for _ in 0..<3 {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(60))
        }
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
    }

    private static func source(behind proxy: String, _ clock: ManualClock) throws -> EventSource {
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .url(proxy)
        let url = try #require(URL(string: "https://server.example/events"))
        let transport = try CurlTransport(configuration: configuration)
        return EventSource(HTTPRequest(.get, url), transport: transport, clock: clock)
    }
}
