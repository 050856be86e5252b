// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// Values that come from anywhere, and a wait until enough are there.
final class Collected<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var waiting: [Int: (count: Int, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var lastWaiter = 0
    }

    private let state = Guarded(State())

    var values: [Value] { state.withLock { $0.values } }

    func append(_ value: Value) {
        let ready = state.withLock { state in
            state.values.append(value)
            let count = state.values.count
            let ready = state.waiting.filter { $0.value.count <= count }
            for number in ready.keys { state.waiting[number] = nil }
            return ready.values.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// The first values, as soon as there are so many.
    ///
    /// - Throws: ``TimeIsOver`` when the test's time limit cancels it.
    func first(_ count: Int) async throws -> [Value] {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.values.count >= count { return true }
                    state.waiting[number] = (count, continuation)
                    return false
                }
                if isReady { continuation.resume() }
                // The handler below may have come before the entry.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
        return Array(values.prefix(count))
    }

    private func cancel(_ number: Int) {
        let (waiter, count) = state.withLock { ($0.waiting.removeValue(forKey: number), $0.values.count) }
        waiter?.continuation.resume(
            throwing: TimeIsOver("\(count) of \(waiter?.count ?? 0) values have come: \(values.suffix(20))"))
    }
}

/// A test has waited in vain for as long as it may.
struct TimeIsOver: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
