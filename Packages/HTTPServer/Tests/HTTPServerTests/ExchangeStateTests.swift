// SPDX-License-Identifier: MIT

import Testing

@testable import HTTPServer

/// One request without the network.
@Suite struct ExchangeStateTests {
    private func started(_ framing: RequestFraming, canAnswerEarly: Bool = true) -> ExchangeState {
        var state = ExchangeState(canAnswerEarly: canAnswerEarly, maximumDiscarded: 100)
        _ = state.begin(framing, expectsContinue: false)
        return state
    }

    private func name(_ step: ExchangeState.Step) -> String {
        switch step {
        case .proceed: "proceed"
        case .suspend: "suspend"
        case .start: "start"
        case .answer: "answer"
        case .answerEarly: "answerEarly"
        case .close: "close"
        }
    }

    @Test func chunksThatFollowASuspensionDoNotSuspendAgain() {
        var state = started(.chunked)
        var effects = ExchangeState.Effects()
        #expect(state.isSuspended)
        // The library's loop over the chunks that it has goes on although it was told to suspend.
        var wanted = ExchangeState.Effects()
        state.wantBody(&wanted)
        #expect(wanted.resumesConnection)
        #expect(name(state.called(&effects)) == "proceed")
        let chunk = [UInt8](repeating: 0, count: ExchangeState.highWater / 2)
        #expect(name(state.received(chunk, count: chunk.count, &effects)) == "proceed")
        #expect(name(state.received(chunk, count: chunk.count, &effects)) == "suspend")
        #expect(name(state.received(chunk, count: chunk.count, &effects)) == "proceed")
        #expect(state.isSuspended)
        var ended = ExchangeState.Effects()
        state.breakOff(&ended)
        #expect(ended.resumesConnection && !state.isSuspended)
        #expect(name(state.called(&effects)) == "close")
    }

    @Test(arguments: [
        (RequestFraming.length(100), true, "proceed"), (.length(101), true, "answerEarly"),
        (.length(101), false, "answer"), (.chunked, true, "answerEarly"), (.chunked, false, "answer"),
    ])
    func anAnswerBeforeTheBody(_ framing: RequestFraming, canAnswerEarly: Bool, step: String) {
        var state = started(framing, canAnswerEarly: canAnswerEarly)
        var effects = ExchangeState.Effects()
        state.respond(.noContent, &effects)
        #expect(effects.resumesConnection)
        #expect(name(state.called(&effects)) == step)
    }

    @Test func whoWaitsForContinueIsAnsweredByTheLibrary() {
        var state = ExchangeState(canAnswerEarly: true, maximumDiscarded: 100)
        #expect(name(state.begin(.length(1_000), expectsContinue: true)) == "start")
        var effects = ExchangeState.Effects()
        state.respond(.noContent, &effects)
        #expect(name(state.called(&effects)) == "answer")
    }

    @Test func anUnwantedBodyIsDroppedUpToTheLimit() {
        for canAnswerEarly in [true, false] {
            var state = started(.chunked, canAnswerEarly: canAnswerEarly)
            var effects = ExchangeState.Effects()
            state.wantBody(&effects)
            _ = state.called(&effects)
            state.respond(.noContent, &effects)
            #expect(name(state.received([], count: 100, &effects)) == "proceed")
            let over = state.received([], count: 1, &effects)
            #expect(name(over) == (canAnswerEarly ? "answerEarly" : "close"))
            if canAnswerEarly {
                #expect(name(state.received([], count: 1 << 30, &effects)) == "proceed")
                #expect(name(state.called(&effects)) == "close")
            }
        }
    }

    @Test func `who hangs up is cancelled after the last byte`() {
        var state = started(.length(3))
        var (hangUp, effects) = (ExchangeState.Effects(), ExchangeState.Effects())
        state.wantBody(&effects)
        _ = state.called(&effects)
        state.hungUp(&hangUp)
        _ = state.received([1, 2, 3], count: 3, &effects)
        #expect(!hangUp.cancelsTask && !effects.cancelsTask)
        _ = state.called(&effects)
        #expect(effects.cancelsTask)
        state.completed(&effects)
        #expect(state.takeChunk() == [1, 2, 3])
    }

    @Test func nothingIsResumedTwice() {
        var state = started(.none)
        var effects = ExchangeState.Effects()
        #expect(name(state.called(&effects)) == "start")
        var first = ExchangeState.Effects()
        state.respond(.noContent, &first)
        var second = ExchangeState.Effects()
        state.breakOff(&second)
        #expect(first.resumesConnection && !second.resumesConnection)
        #expect(second.cancelsTask)
        #expect(name(state.called(&effects)) == "close")
    }

    @Test func outgoingBytesComeInOrderAndInPieces() {
        var body = OutgoingBody()
        body.remaining = 5
        let accepted = [[UInt8](), [1, 2, 3], [4, 5], [6]].map { body.append($0) }
        #expect(accepted == [true, true, true, false])
        body.finish()
        var pieces: [OutgoingBody.Piece] = []
        for _ in 0..<5 { pieces.append(body.take(limit: 2)) }
        #expect(pieces == [.bytes([1, 2]), .bytes([3]), .bytes([4, 5]), .end, .end])
    }

    @Test func aShortBodyFailsAfterItsLastByte() {
        var body = OutgoingBody()
        body.remaining = 2
        var pieces = [body.take(limit: 1)]
        _ = body.append([1])
        body.finish()
        for _ in 0..<2 { pieces.append(body.take(limit: 1)) }
        #expect(pieces == [.nothing, .bytes([1]), .failed])
    }
}
