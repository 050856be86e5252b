// SPDX-License-Identifier: MIT

import Echo
import FoundationEssentials
import TestKit
import Testing

/// The calls that the original package's tests and README make of the message queue and of events, as they stand there.
@Suite("The original package's calls", .timeLimit(.minutes(5)))
struct OriginalQueueTests {
    private let queue = MessageQueue(eventEmitter: MockEventEmitter())

    @Test func `numbers begin at 0`() async {
        await queue.enqueue(role: .user, text: "First")
        await queue.enqueue(role: .assistant, text: "Second")
        await queue.enqueue(role: .system, text: "Third")
        #expect(await queue.getOrderedMessages().map(\.sequenceNumber) == [0, 1, 2])
    }

    @Test func `sound stays with its message`() async {
        let sound = Data([1, 2, 3, 4])
        let id = await queue.enqueue(role: .user, audioData: sound, transcriptStatus: .inProgress)
        await queue.enqueue(role: .user, text: "Both", audioData: nil, transcriptStatus: .notApplicable)
        #expect(await queue.pendingCount() == 2)
        await queue.updateTranscript(id: id, transcript: "Question")
        #expect(await queue.getOrderedMessages().map(\.audioData) == [sound, nil])
        #expect(await queue.pendingCount() == 0)
        #expect(await queue.completedCount() == 2)
    }

    @Test func `a cleared queue begins again`() async throws {
        var messages = queue.messages.makeAsyncIterator()
        await queue.enqueue(role: .user, text: "First batch")
        await queue.enqueue(role: .assistant, text: "Unread")
        #expect(await messages.next()?.text == "First batch")
        await queue.enqueue(role: .user, audioData: Data([1]), transcriptStatus: .inProgress)
        await queue.clear()
        #expect(await queue.getOrderedMessages().isEmpty)
        #expect(await queue.pendingCount() == 0)
        #expect(await queue.completedCount() == 0)
        await queue.enqueue(role: .user, text: "Second batch")
        #expect(await queue.getOrderedMessages().map(\.sequenceNumber) == [0])
        #expect(await messages.next()?.text == "Second batch")
    }

    @Test func `an unknown transcript changes nothing, an empty one releases`() async {
        let id = await queue.enqueue(role: .user, audioData: Data([1]), transcriptStatus: .inProgress)
        await queue.updateTranscript(id: "nonexistent-id", transcript: "Should not crash")
        await queue.updateTranscript(id: id, transcript: "")
        #expect(await queue.getOrderedMessages().map(\.text) == [""])
    }

    @Test func `concurrent messages are numbered without a gap`() async {
        await withTaskGroup(of: String.self) { group in
            for number in 0..<10 {
                group.addTask { [queue] in await queue.enqueue(role: .user, text: "Message \(number)") }
            }
        }
        #expect(await queue.getOrderedMessages().map(\.sequenceNumber) == Array(0..<10))
    }

    @Test func `a finalised message is matched in the event`() async throws {
        let emitter = EventEmitter()
        let texts = Collected<String>()
        emitter.when([.messageFinalized]) { event in
            if case .messageFinalized(let message) = event {
                texts.append("\(message.role): \(message.text)")
            }
        }
        let queue = MessageQueue(eventEmitter: emitter)
        await queue.enqueue(role: .user, text: "Hello")
        #expect(try await texts.first(1) == ["user: Hello"])
        emitter.close()
    }
}
