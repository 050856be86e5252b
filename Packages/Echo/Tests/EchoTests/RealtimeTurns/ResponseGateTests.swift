// SPDX-License-Identifier: MIT

import Testing

@testable import Echo

@Suite("Answers one at a time")
struct ResponseGateTests {
    private typealias Request = ResponseGate.Request

    @Test("A request waits for the answer under way, and those that wait together become one")
    func waits() {
        var gate = ResponseGate()
        #expect(gate.handle(.request(Request(id: "a")), at: .zero) == [.create(Request(id: "a"))])
        #expect(
            gate.handle(.created(responseID: "1", requestID: "a"), at: .zero) == [
                .answering(requestID: "a", responseID: "1")
            ])
        #expect(gate.handle(.request(Request(id: "b", items: ["x"])), at: .zero) == [])
        #expect(gate.handle(.request(Request(id: "c", items: ["y"])), at: .zero) == [])
        #expect(gate.handle(.done(responseID: "1"), at: .zero) == [.create(Request(id: "b", items: ["x", "y"]))])
        #expect(
            gate.handle(.created(responseID: "2", requestID: "b"), at: .zero)
                == [.answering(requestID: "b", responseID: "2"), .answering(requestID: "c", responseID: "2")])
    }

    @Test("An interruption stops the answer as soon as it is known, and the next waits for its end")
    func interruptsEarly() {
        var gate = ResponseGate()
        _ = gate.handle(.request(Request(id: "a")), at: .zero)
        #expect(gate.handle(.interrupt, at: .zero) == [])
        #expect(gate.handle(.request(Request(id: "b")), at: .zero) == [])
        #expect(
            gate.handle(.created(responseID: "1", requestID: "a"), at: .zero)
                == [.answering(requestID: "a", responseID: "1"), .cancel(responseID: "1")])
        #expect(gate.handle(.done(responseID: "1"), at: .zero) == [.create(Request(id: "b"))])
    }

    @Test("While the server is about to begin by itself, nothing is asked for, but not for ever")
    func expects() {
        var gate = ResponseGate()
        _ = gate.handle(.expectServerResponse, at: .zero)
        #expect(gate.handle(.request(Request(id: "a", items: ["x"])), at: .seconds(1)) == [])
        #expect(gate.deadline == .seconds(3))
        #expect(gate.advance(to: .seconds(2)) == [])
        #expect(gate.advance(to: .seconds(3)) == [.create(Request(id: "a", items: ["x"]))])
    }

    @Test("An answer of the server's own does for what it had read, and for nothing else")
    func covered() {
        var gate = ResponseGate()
        _ = gate.handle(.expectServerResponse, at: .zero)
        _ = gate.handle(.request(Request(id: "a", items: ["x"])), at: .zero)
        _ = gate.handle(.itemAdded(id: "x"), at: .zero)
        #expect(
            gate.handle(.created(responseID: "1", requestID: nil), at: .zero)
                == [.answering(requestID: "a", responseID: "1")])
        #expect(gate.handle(.request(Request(id: "b", items: ["y"])), at: .zero) == [])
        #expect(gate.handle(.done(responseID: "1"), at: .zero) == [.create(Request(id: "b", items: ["y"]))])
    }

    @Test("A server that says nothing is given up: of a request, of an end, of an answer")
    func silence() {
        var gate = ResponseGate()
        _ = gate.handle(.request(Request(id: "a")), at: .zero)
        #expect(gate.advance(to: .seconds(15)) == [.dropped(requestID: "a", .timedOut)])
        _ = gate.handle(.request(Request(id: "b")), at: .seconds(20))
        _ = gate.handle(.created(responseID: "1", requestID: "b"), at: .seconds(20))
        _ = gate.handle(.interrupt, at: .seconds(21))
        #expect(gate.advance(to: .seconds(26)) == [])
        #expect(!gate.isBusy)
        _ = gate.handle(.request(Request(id: "c")), at: .seconds(30))
        _ = gate.handle(.created(responseID: "2", requestID: "c"), at: .seconds(30))
        #expect(gate.advance(to: .seconds(630)) == [.lost(responseID: "2")])
        #expect(gate.deadline == nil)
    }

    @Test("Busy with something that the server did not tell of: asked again after a pause")
    func busy() {
        var gate = ResponseGate()
        _ = gate.handle(.request(Request(id: "a")), at: .zero)
        #expect(gate.handle(.failed(eventID: "a", code: ResponseGate.busyCode), at: .zero) == [])
        #expect(gate.advance(to: .milliseconds(500)) == [.create(Request(id: "a"))])
        #expect(
            gate.handle(.failed(eventID: "a", code: "rate_limit_exceeded"), at: .seconds(1))
                == [.dropped(requestID: "a", .refused(code: "rate_limit_exceeded"))])
    }

    @Test("A broken connection: what was asked for waits, the answer under way is lost, late words change nothing")
    func disconnected() {
        var gate = ResponseGate()
        _ = gate.handle(.request(Request(id: "a")), at: .zero)
        #expect(gate.handle(.disconnected, at: .zero) == [])
        #expect(gate.handle(.connected, at: .zero) == [.create(Request(id: "a"))])
        _ = gate.handle(.created(responseID: "1", requestID: "a"), at: .zero)
        #expect(gate.handle(.disconnected, at: .zero) == [.lost(responseID: "1")])
        _ = gate.handle(.created(responseID: "1", requestID: "a"), at: .zero)
        #expect(!gate.isBusy)
    }

    @Test("Answers outside of the conversation pass by")
    func outside() {
        var gate = ResponseGate()
        _ = gate.handle(.request(Request(id: "a")), at: .zero)
        let aside = Request(id: "b", response: RealtimeResponseRequest(isInConversation: false))
        #expect(gate.handle(.request(aside), at: .zero) == [.create(aside)])
        #expect(gate.handle(.created(responseID: "1", requestID: "b", isInConversation: false), at: .zero) == [])
        #expect(gate.activeResponseID == nil)
    }
}
