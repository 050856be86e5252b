// SPDX-License-Identifier: MIT

import Concurrency

/// Released messages, for any number of readers at their own pace: each reads from the first, and waits for more at the
/// end. Readers have no buffers of their own, so nothing is lost and a slow one costs nothing.
final class MessageLog: Sendable {
    private struct State {
        var messages: [Message] = []
        /// The number of messages that were cleared.
        var cleared = 0
        var isFinished = false
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter: UInt64 = 0

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            defer { waiting = [:] }
            return Array(waiting.values)
        }
    }

    private let state = Guarded(State())

    func append(_ messages: [Message]) {
        guard !messages.isEmpty else { return }
        let waiting = state.withLock { state in
            state.messages += messages
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Replaces the message with the same id, for readers that have not reached it yet.
    func replace(_ message: Message) {
        state.withLock { state in
            guard let index = state.messages.lastIndex(where: { $0.id == message.id }) else { return }
            state.messages[index] = message
        }
    }

    /// Removes all messages; a reader goes on with the next one.
    func clear() {
        state.withLock { state in
            state.cleared += state.messages.count
            state.messages = []
        }
    }

    /// Ends every reader after the last message.
    func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// A stream from the first message on. `owner` lives as long as the stream does.
    func stream(keeping owner: (any Sendable)? = nil) -> AsyncStream<Message> {
        let read = Guarded(0)
        return AsyncStream { [self] in
            _ = owner
            let index = read.withLock { index in
                index = max(index, state.withLock { $0.cleared })
                defer { index += 1 }
                return index
            }
            return await message(at: index)
        }
    }

    /// The message at an index, as soon as it exists; `nil` after the end, and when the task is cancelled.
    private func message(at index: Int) async -> Message? {
        while !Task.isCancelled {
            let (message, isFinished) = state.withLock { state -> (Message?, Bool) in
                let place = index - state.cleared
                return (state.messages.indices.contains(place) ? state.messages[place] : nil, state.isFinished)
            }
            if message != nil || isFinished { return message }
            await wait(beyond: index)
        }
        return nil
    }

    private func wait(beyond index: Int) async {
        let identifier = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.cleared + state.messages.count > index || state.isFinished { return true }
                    state.waiting[identifier] = continuation
                    return false
                }
                if isReady { continuation.resume() }
                // The handler below may have run before the entry.
                if Task.isCancelled { cancel(identifier) }
            }
        } onCancel: {
            cancel(identifier)
        }
    }

    private func cancel(_ identifier: UInt64) {
        let continuation = state.withLock { $0.waiting.removeValue(forKey: identifier) }
        continuation?.resume()
    }
}
