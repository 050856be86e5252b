// SPDX-License-Identifier: MIT

import Testing

@testable import Echo

@Suite("Transcripts in order")
struct TranscriptOrderTests {
    private let speech = ResponseItem.message(
        MessageItem(id: "u", role: .user, content: [.inputAudio(nil, transcript: nil)]))

    private func transcript(_ text: String, _ id: String = "u") -> ServerEvent.Detail {
        .transcriptCompleted(RealtimeTranscript(itemID: id, text: text))
    }

    @Test("The answer that comes before the transcript waits for it")
    func answerFirst() async {
        let queue = MessageQueue(eventEmitter: MockEventEmitter())
        var order = TranscriptOrder()
        let answer = ResponseItem.message(
            MessageItem(
                id: "a", role: .assistant, content: [.outputAudio(nil, transcript: "Hi.")], status: .completed))
        let begun = ResponseItem.message(MessageItem(id: "a", role: .assistant, content: [], status: .inProgress))
        for event: ServerEvent.Detail in [
            .inputAudioCommitted(itemID: "u", at: .beginning), .itemAdded(speech, at: .beginning),
            .itemAdded(begun, at: .after("u")),
            .audioTranscriptDelta(AnswerPlace(responseID: "r", itemID: "a"), delta: "Hi."),
            .itemDone(answer, at: .after("u")),
        ] { await queue.apply(order.handle(event, at: .zero)) }
        #expect(await queue.getOrderedMessages().isEmpty)
        await queue.apply(order.handle(transcript("Hello?"), at: .zero))
        #expect(await queue.getOrderedMessages().map(\.text) == ["Hello?", "Hi."])
        #expect(order.deadline == nil)
    }

    @Test("A transcript that never comes is waited for so long, and one that comes after that still fills its place")
    func late() async {
        let emitter = MockEventEmitter()
        let queue = MessageQueue(eventEmitter: emitter)
        var order = TranscriptOrder()
        await queue.apply(order.handle(.inputAudioCommitted(itemID: "u", at: .beginning), at: .seconds(1)))
        #expect(order.deadline == .seconds(11))
        await queue.apply(order.advance(to: .milliseconds(10_999)))
        #expect(await queue.getOrderedMessages().isEmpty)
        await queue.apply(order.advance(to: .seconds(11)))
        let placeholder = await queue.getOrderedMessages()
        #expect(placeholder.map(\.transcriptFailure) == ["No transcript came within 10.0 seconds of the speech."])
        await queue.apply(order.handle(transcript("Hello?"), at: .seconds(60)))
        await queue.apply(order.handle(transcript("Again"), at: .seconds(61)))
        let filled = await queue.getOrderedMessages()
        #expect(filled.map(\.text) == ["Hello?"])
        #expect(filled.map(\.transcriptFailure) == [nil])
        var iterator = queue.messages.makeAsyncIterator()
        #expect(await iterator.next()?.text == "Hello?")
        #expect(await queue.fillTranscript(id: "u", transcript: "No") == false)
    }

    @Test("A failed transcript says why, at once; a piece of a transcript gives it more time")
    func failedAndSlow() {
        var order = TranscriptOrder()
        _ = order.handle(.inputAudioCommitted(itemID: "u", at: .beginning), at: .zero)
        _ = order.handle(.transcriptDelta(itemID: "u", contentIndex: 0, delta: "He", logprobs: []), at: .seconds(9))
        #expect(order.advance(to: .seconds(18)) == [])
        let failure = APIFailure(message: "Noise.")
        #expect(
            order.handle(.transcriptFailed(itemID: "u", contentIndex: 0, failure), at: .seconds(18))
                == [.fail(id: "u", reason: "Noise.")])
        #expect(order.handle(transcript("Hello?"), at: .seconds(19)) == [.fill(id: "u", text: "Hello?")])
    }

    @Test("An item waits for the one it follows, and goes to the end if nobody tells of that")
    func predecessor() {
        var order = TranscriptOrder()
        let text = ResponseItem.message(MessageItem(id: "b", role: .user, text: "B"))
        #expect(order.handle(.itemAdded(text, at: .after("a")), at: .zero) == [])
        #expect(
            order.advance(to: .seconds(2))
                == [.insert(id: "b", role: .user, text: "B", status: .notApplicable, at: .end)])
    }

    @Test("A cancelled answer is released as far as it came")
    func cancelled() {
        var order = TranscriptOrder()
        let begun = ResponseItem.message(MessageItem(id: "a", role: .assistant, content: [], status: .inProgress))
        _ = order.handle(.itemAdded(begun, at: .beginning), at: .zero)
        _ = order.handle(.audioTranscriptDelta(AnswerPlace(responseID: "r", itemID: "a"), delta: "I th"), at: .zero)
        #expect(
            order.handle(.responseDone(RealtimeResponse(id: "r", status: .cancelled)), at: .zero)
                == [.complete(id: "a", text: "I th", isInterrupted: true)])
    }

    @Test("A deleted item is gone, whether it has its place or not")
    func deleted() {
        var order = TranscriptOrder()
        _ = order.handle(.inputAudioCommitted(itemID: "u", at: .beginning), at: .zero)
        #expect(order.handle(.itemDeleted(id: "u"), at: .zero) == [.remove(id: "u")])
        _ = order.handle(.inputAudioCommitted(itemID: "w", at: .after("v")), at: .zero)
        #expect(order.handle(.itemDeleted(id: "w"), at: .zero) == [])
        #expect(
            order.handle(
                .itemAdded(.functionCall(FunctionCallItem(id: "v", callID: "c", name: "n", arguments: "")), at: .end),
                at: .zero)
                == [.keepPlace(id: "v", at: .end), .keepPlace(id: "w", at: .after("v"))])
    }

    @Test("When the session is over, answers under way are released")
    func sessionEnded() {
        var order = TranscriptOrder()
        let begun = ResponseItem.message(MessageItem(id: "a", role: .assistant, content: [], status: .inProgress))
        _ = order.handle(.itemAdded(begun, at: .beginning), at: .zero)
        _ = order.handle(.textDelta(AnswerPlace(responseID: "r", itemID: "a"), delta: "On"), at: .zero)
        #expect(order.sessionEnded(at: .zero) == [.complete(id: "a", text: "On", isInterrupted: true)])
    }
}
