// SPDX-License-Identifier: MIT

import Echo
import TestKit
import Testing

@Suite("MessageQueue", .timeLimit(.minutes(5)))
struct MessageQueueTests {
    @Test("Messages ordered by sequence")
    func testSequencing() async throws {
        let queue = MessageQueue(eventEmitter: MockEventEmitter())

        // Add messages
        await queue.enqueue(role: .user, text: "First")
        await queue.enqueue(role: .assistant, text: "Second")

        // Verify order
        let messages = await queue.getOrderedMessages()
        #expect(messages[0].text == "First")
        #expect(messages[1].text == "Second")
    }

    @Test("Handles out-of-order transcripts")
    func testTranscriptOrdering() async throws {
        let queue = MessageQueue(eventEmitter: MockEventEmitter())

        // User message without transcript
        let id = await queue.enqueue(
            role: .user,
            transcriptStatus: .inProgress
        )

        // Assistant responds before transcript
        await queue.enqueue(role: .assistant, text: "Response")

        // Transcript arrives
        await queue.updateTranscript(id: id, transcript: "Question")

        // Verify correct order
        let messages = await queue.getOrderedMessages()
        #expect(messages[0].role == .user)
        #expect(messages[1].role == .assistant)
    }

    @Test("What waits is not released, and is numbered provisionally")
    func waiting() async {
        let emitter = MockEventEmitter()
        let queue = MessageQueue(eventEmitter: emitter, conversationID: "talk")
        await queue.enqueue(role: .user, text: "One")
        let id = await queue.enqueue(role: .user, transcriptStatus: .notStarted)
        await queue.enqueue(role: .assistant, text: "Answer")
        #expect(await queue.getOrderedMessages().map(\.text) == ["One"])
        #expect(await queue.getPendingMessages().map(\.sequenceNumber) == [1, 2])
        #expect(await queue.appendTranscript(id: id, delta: "Tw"))
        #expect(await queue.getPendingMessages().first?.text == "Tw")
        #expect(await queue.getPendingMessages().first?.transcriptStatus == .inProgress)
        #expect(emitter.events.count == 1)
        #expect(await queue.updateTranscript(id: id, transcript: "Two"))
        #expect(
            emitter.events.map(\.type) == [
                .messageFinalized, .userTranscriptionCompleted, .messageFinalized, .messageFinalized,
            ])
        #expect(emitter.events.compactMap(\.detail.message).map(\.sequenceNumber) == [0, 1, 2])
        #expect(emitter.events.allSatisfy { $0.conversationID == "talk" })
        #expect(await queue.updateTranscript(id: id, transcript: "Three") == false)
        #expect(await queue.updateTranscript(id: "nobody", transcript: "x") == false)
        #expect(await queue.getOrderedMessages().map(\.text) == ["One", "Two", "Answer"])
    }

    @Test("A transcript that fails releases what waits behind it")
    func failedTranscript() async {
        let queue = MessageQueue(eventEmitter: MockEventEmitter())
        await queue.enqueue(id: "a", role: .user, transcriptStatus: .inProgress)
        await queue.enqueue(id: "b", role: .assistant, text: "Pardon?")
        #expect(await queue.failTranscript(id: "a", reason: "noise"))
        let messages = await queue.getOrderedMessages()
        #expect(messages.map(\.id) == ["a", "b"])
        #expect(messages.map(\.transcriptFailure) == ["noise", nil])
    }

    @Test("Items are placed by what they follow, also when announced late")
    func places() async {
        let queue = MessageQueue(eventEmitter: MockEventEmitter())
        await queue.enqueue(id: "user", role: .user, transcriptStatus: .inProgress)
        await queue.enqueue(id: "answer", role: .assistant, text: "answer")
        await queue.enqueuePlaceholder(id: "call", at: .after("user"))
        await queue.enqueue(id: "more", role: .assistant, text: "more", at: .after("call"))
        await queue.enqueue(id: "first", role: .system, text: "first", at: .beginning)
        await queue.enqueue(id: "late", role: .user, text: "late", at: .after("first"))
        await queue.enqueue(id: "last", role: .user, text: "last", at: .after("never heard of"))
        await queue.enqueue(id: "more", role: .assistant, text: "a second time")
        #expect(await queue.getOrderedMessages().map(\.id) == ["first", "late"])
        await queue.updateTranscript(id: "user", transcript: "question")
        #expect(
            await queue.getOrderedMessages().map(\.id) == ["first", "late", "user", "more", "answer", "last"])
        #expect(await queue.getOrderedMessages().map(\.sequenceNumber) == Array(0..<6))
    }

    @Test("A removed message releases what waits behind it, and is in no history")
    func removal() async {
        let queue = MessageQueue(eventEmitter: MockEventEmitter())
        await queue.enqueue(id: "a", role: .assistant, transcriptStatus: .inProgress)
        await queue.enqueue(id: "b", role: .user, text: "b")
        #expect(await queue.remove(id: "a"))
        #expect(await queue.remove(id: "a") == false)
        #expect(await queue.getOrderedMessages().map(\.id) == ["b"])
    }

    @Test("Each stream has all messages from the first, and ends with the queue")
    func streams() async {
        var queue: MessageQueue? = MessageQueue(eventEmitter: MockEventEmitter())
        await queue?.enqueue(role: .user, text: "0")
        let early = queue?.messages
        for number in 1..<2000 { await queue?.enqueue(role: .user, text: "\(number)") }
        let late = queue?.messages
        queue = nil
        for stream in [early, late] {
            var texts: [String] = []
            if let stream { for await message in stream { texts.append(message.text) } }
            #expect(texts == (0..<2000).map(String.init))
        }
    }

    @Test("A stream that waits goes on with the next message, and ends when its task is cancelled")
    func waitingStream() async throws {
        let queue = MessageQueue(eventEmitter: MockEventEmitter())
        let got = Collected<String>()
        let reader = Task { for await message in queue.messages { got.append(message.text) } }
        await queue.enqueue(role: .user, text: "a")
        #expect(try await got.first(1) == ["a"])
        await queue.enqueue(role: .user, text: "b")
        #expect(try await got.first(2) == ["a", "b"])
        reader.cancel()
        await reader.value
    }

    @Test("Events keep the messages' order, though the emitter suspends and many call at once")
    func concurrentCalls() async {
        actor SlowEmitter: EventEmitterProtocol {
            var numbers: [Int] = []
            func emit(_ event: ConversationEvent) async {
                // Some take longer than those after them.
                await disturbOrder((event.detail.message?.sequenceNumber ?? 0) % 7)
                if let message = event.detail.message { numbers.append(message.sequenceNumber) }
            }
        }
        let emitter = SlowEmitter()
        let queue = MessageQueue(eventEmitter: emitter)
        await withTaskGroup { group in
            for _ in 0..<200 { group.addTask { await queue.enqueue(role: .user, text: "x") } }
        }
        #expect(await emitter.numbers == Array(0..<200))
    }
}
