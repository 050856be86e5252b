// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import Networking

@Suite("The event source's decisions")
struct EventSourceStateMachineTests {
    private typealias Machine = EventSourceStateMachine

    private var random = SeededGenerator(seed: 92)

    private func machine(
        mayReconnect: Bool = true, _ change: (inout EventSource.Configuration) -> Void = { _ in }
    ) -> Machine {
        var configuration = EventSource.Configuration()
        change(&configuration)
        return Machine(configuration: configuration, mayReconnect: mayReconnect)
    }

    private func text(_ action: Machine.Action) -> String {
        switch action {
        case .connect(let identifier): "connect \(identifier)"
        case .read: "read"
        case .wait(let delay): "wait \(delay)"
        case .finish: "finish"
        case .fail(let error): "fail \(error.code)"
        }
    }

    private let lost = NetworkError(code: .connectionLost, message: "")

    @Test(
        arguments: [
            (200, "text/event-stream", "read"), (200, "Text/Event-Stream;charset=utf-8", "read"),
            (200, "text/event-stream ; x=y", "read"), (200, "text/html", "fail notAnEventStream"),
            (200, "text/event-stream2", "fail notAnEventStream"), (200, "text/event stream", "fail notAnEventStream"),
            (200, "", "fail notAnEventStream"), (200, nil, "fail notAnEventStream"), (204, nil, "finish"),
            (204, "text/event-stream", "finish"), (206, "text/event-stream", "fail notAnEventStream"),
            (301, "text/event-stream", "fail notAnEventStream"), (404, "text/event-stream", "fail notAnEventStream"),
            (500, "text/event-stream", "fail notAnEventStream"), (503, nil, "wait 3.0 seconds"),
        ] as [(Int, String?, String)])
    mutating func `what the header decides`(status: Int, type: String?, expected: String) {
        var machine = machine { $0.reconnectStatuses = [503] }
        #expect(text(machine.responded(status: status, contentType: type, random: &random)) == expected)
    }

    @Test mutating func `the end of the stream leads to a new connection after the server's time`() {
        var machine = machine { $0.lastEventID = "1" }
        #expect(text(machine.started()) == "connect 1")
        machine.received()
        #expect(text(machine.ended(nil, lastEventID: "2", retry: .seconds(7), random: &random)) == "wait 7.0 seconds")
        #expect(text(machine.waited()) == "connect 2")
        // It still holds on the next connection, which did not repeat it, and was not even opened.
        machine.received()
        #expect(text(machine.ended(lost, lastEventID: nil, retry: nil, random: &random)) == "wait 7.0 seconds")
        #expect(text(machine.waited()) == "connect 2")
        machine.received()
        #expect(text(machine.ended(nil, lastEventID: "", retry: nil, random: &random)) == "wait 7.0 seconds")
        #expect(text(machine.waited()) == "connect ")
    }

    @Test mutating func `failures in a row wait longer, within bounds, and a byte forgives them`() {
        var machine = machine { $0.maximumDelay = .seconds(20) }
        var delays: [Duration] = []
        for _ in 0..<40 {
            guard case .wait(let delay) = machine.ended(lost, lastEventID: nil, retry: nil, random: &random) else {
                Issue.record("it gave up")
                return
            }
            delays.append(delay)
        }
        #expect(delays[0] == .seconds(3))
        #expect(delays.allSatisfy { $0 >= .seconds(3) && $0 <= .seconds(20) })
        #expect(delays[1] <= .seconds(6))
        #expect(Set(delays.prefix(4)).count == 4)
        #expect(delays.max() == .seconds(20))
        machine.received()
        #expect(text(machine.ended(nil, lastEventID: nil, retry: nil, random: &random)) == "wait 3.0 seconds")
    }

    @Test mutating func `a server cannot make it hammer or sleep for ever`() {
        var machine = machine()
        machine.received()
        let long = machine.ended(nil, lastEventID: nil, retry: .milliseconds(Int64.max), random: &random)
        #expect(text(long) == "wait 60.0 seconds")
        _ = machine.ended(lost, lastEventID: nil, retry: .zero, random: &random)
        for _ in 0..<3 {
            guard case .wait(let delay) = machine.ended(lost, lastEventID: nil, retry: nil, random: &random) else {
                Issue.record("it gave up")
                return
            }
            #expect(delay >= .milliseconds(100))
        }
    }

    @Test mutating func `too many failures are told`() {
        var machine = machine { $0.maximumFailures = 2 }
        let actions = (0..<3).map { _ in text(machine.ended(lost, lastEventID: nil, retry: nil, random: &random)) }
        #expect(actions.map { $0.prefix(4) } == ["wait", "wait", "fail"])
    }

    @Test(arguments: [
        NetworkError.Code.certificate, .pin, .insecure, .invalidRequest, .eventTooLarge, .closed, .unauthorized,
    ])
    mutating func `what would fail again is told at once`(code: NetworkError.Code) {
        var machine = machine()
        let error = NetworkError(code: code, message: "")
        #expect(text(machine.ended(error, lastEventID: nil, retry: nil, random: &random)) == "fail \(code)")
    }

    @Test mutating func `an answer that may be asked for once ends with its stream`() {
        var machine = machine(mayReconnect: false)
        #expect(text(machine.ended(nil, lastEventID: nil, retry: nil, random: &random)) == "finish")
        #expect(text(machine.ended(lost, lastEventID: nil, retry: nil, random: &random)) == "fail connectionLost")
    }
}
