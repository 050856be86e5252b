// SPDX-License-Identifier: MIT

import EchoText
import Glibc

/// 10,000 messages through the queue, one caller, with an emitter that nobody listens to.
enum Queue {
    private static let count = 10_000
    private static let rounds = 5

    static func measure() async throws {
        var texts = Double.infinity
        var transcripts = Double.infinity
        for _ in 0..<rounds {
            texts = min(texts, await text())
            transcripts = min(transcripts, await transcript())
        }
        emit("\(count) messages with their text", texts, "ms")
        emit("\(count) messages whose transcripts come last to first", transcripts, "ms")
    }

    private static func text() async -> Double {
        let queue = MessageQueue(eventEmitter: EventEmitter())
        let start = nanoseconds(CLOCK_MONOTONIC)
        for number in 0..<count { await queue.enqueue(role: .user, text: "message \(number)") }
        let messages = await queue.getOrderedMessages()
        let time = Double(nanoseconds(CLOCK_MONOTONIC) - start) / 1e6
        precondition(messages.count == count)
        return time
    }

    /// The worst order: nothing is released until the last transcript has come, and then everything is.
    private static func transcript() async -> Double {
        let queue = MessageQueue(eventEmitter: EventEmitter())
        let start = nanoseconds(CLOCK_MONOTONIC)
        for number in 0..<count { await queue.enqueue(id: "\(number)", role: .user, transcriptStatus: .inProgress) }
        for number in (0..<count).reversed() {
            _ = await queue.updateTranscript(id: "\(number)", transcript: "message \(number)")
        }
        let messages = await queue.getOrderedMessages()
        let time = Double(nanoseconds(CLOCK_MONOTONIC) - start) / 1e6
        precondition(messages.count == count)
        return time
    }
}
