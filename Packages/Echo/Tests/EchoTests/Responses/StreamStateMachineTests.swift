// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import EchoText

@Suite struct StreamStateMachineTests {
    private func delta(_ number: Int) -> ResponseStreamEvent {
        ResponseStreamEvent(.outputTextDelta, .text(TextEvent("\(number),", itemID: "m")), sequenceNumber: number)
    }

    private let created = ResponseStreamEvent(.created, .response(Response(id: "r")), sequenceNumber: 0)

    @Test func afterResumingDuplicatesAreDropped() {
        var machine = ResponseStreamStateMachine(maximumResumptions: 3)
        var delivered: [Int] = []
        func take(_ event: ResponseStreamEvent) {
            if case .deliver(let event) = machine.receive(event) { delivered.append(event.sequenceNumber ?? -1) }
        }
        take(created)
        for number in 1...4 { take(delta(number)) }
        guard case .resume("r", after: 4, attempt: 1) = machine.ended(.connectionLost, message: "", mayResume: true)
        else {
            Issue.record("no resumption")
            return
        }
        for number in [2, 4, 3, 5, 5, 1, 6] { take(delta(number)) }
        #expect(delivered == [0, 1, 2, 3, 4, 5, 6])
        #expect(machine.assembly.response.outputText == "1,2,3,4,5,6,")
    }

    /// Whatever is repeated after whichever breaks, every event is delivered once, in order.
    @Test(arguments: UInt64(1)...200) func anyBreaksGiveEveryEventOnce(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = 40
        var machine = ResponseStreamStateMachine(maximumResumptions: 2)
        var delivered: [Int] = []
        var start = 0
        var last = -1
        while delivered.count < count {
            for number in start..<count {
                if case .deliver(let event) = machine.receive(number == 0 ? created : delta(number)) {
                    delivered.append(event.sequenceNumber ?? -1)
                }
                if number > last, Int.random(in: 0..<6, using: &random) == 0 { break }
            }
            guard delivered.count < count else { break }
            guard case .resume("r", let after?, _) = machine.ended(.endedEarly, message: "", mayResume: true) else {
                Issue.record("seed \(seed): gave up")
                return
            }
            last = after
            // A server that repeats some events that were there.
            start = Int.random(in: max(0, after - 3)...(after + 1), using: &random)
        }
        #expect(delivered == Array(0..<count), "seed \(seed)")
    }

    @Test func itGivesUpAfterSoManyBreaksWithoutAnEvent() {
        var machine = ResponseStreamStateMachine(maximumResumptions: 2)
        _ = machine.receive(created)
        _ = machine.receive(delta(1))
        for attempt in 1...2 {
            guard case .resume(_, _, attempt) = machine.ended(.timedOut, message: "", mayResume: true) else {
                Issue.record("attempt \(attempt)")
                return
            }
        }
        guard
            case .fail(.streamInterrupted(let interruption)) = machine.ended(
                .timedOut, message: "slow", mayResume: true)
        else {
            Issue.record("no error")
            return
        }
        #expect(interruption.reason == .timedOut)
        #expect(interruption.partial.outputText == "1,")
        #expect(interruption.partial.status == .incomplete)
        #expect(interruption.lastSequenceNumber == 1)
    }

    @Test func whatCannotBeResumedFailsAtOnceWithWhatCame() {
        for reason in [StreamInterruption.Reason.malformedEvent, .connectionLost] {
            var machine = ResponseStreamStateMachine(maximumResumptions: 3)
            _ = machine.receive(created)
            _ = machine.receive(delta(1))
            let mayResume = reason == .malformedEvent
            guard case .fail(.streamInterrupted(let error)) = machine.ended(reason, message: "", mayResume: mayResume)
            else {
                Issue.record("\(reason)")
                continue
            }
            #expect(error.partial.outputText == "1,")
        }
    }

    @Test func nothingComesAfterTheLastEvent() {
        var machine = ResponseStreamStateMachine(maximumResumptions: 3)
        _ = machine.receive(ResponseStreamEvent(.completed, .response(Response(id: "r", status: .completed))))
        if case .deliver = machine.receive(delta(9)) { Issue.record("delivered") }
        guard case .finish = machine.ended(.connectionLost, message: "", mayResume: true) else {
            Issue.record("no end")
            return
        }
    }

    @Test func failuresAreWhatTheyAre() {
        func thrown(_ code: String, after events: [ResponseStreamEvent] = []) -> EchoError? {
            var machine = ResponseStreamStateMachine(maximumResumptions: 3)
            for event in events { _ = machine.receive(event) }
            _ = machine.receive(ResponseStreamEvent(.error, .error(APIFailure(code: code, message: "words"))))
            guard case .fail(let error)? = machine.end else { return nil }
            return error
        }
        guard case .contextTooLong? = thrown("context_length_exceeded"),
            case .quotaExceeded? = thrown("insufficient_quota"),
            case .rateLimitExceeded? = thrown("rate_limit_exceeded"), case .apiError? = thrown("server_error"),
            case .streamInterrupted(let late)? = thrown("server_error", after: [created, delta(1)])
        else {
            Issue.record("other errors")
            return
        }
        #expect(late.reason == .failure(APIFailure(code: "server_error", message: "words")))
        #expect(late.partial.outputText == "1,")

        var machine = ResponseStreamStateMachine(maximumResumptions: 3)
        let failed = Response(id: "r", status: .failed, failure: APIFailure(code: "server_error", message: "It broke."))
        _ = machine.receive(ResponseStreamEvent(.failed, .response(failed)))
        guard case .fail(.responseFailed(let failure))? = machine.end else {
            Issue.record("not failed")
            return
        }
        #expect(failure.message == "It broke.")
    }
}
