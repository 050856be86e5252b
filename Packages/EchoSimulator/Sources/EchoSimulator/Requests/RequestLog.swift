// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// The requests so far, and who waits for one.
final class RequestLog: Sendable {
    private struct Waiting {
        let name: Int
        let condition: @Sendable ([RecordedRequest]) -> Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var requests: [RecordedRequest] = []
        var waiting: [Waiting] = []
        var nextName = 0
        var cancelled: Set<Int> = []
    }

    private let state = Guarded(State())

    var requests: [RecordedRequest] { state.withLock { $0.requests } }

    /// Adds a request, and returns its place.
    func add(_ request: RecordedRequest) -> Int {
        let (place, ready) = state.withLock { state in
            state.requests.append(request)
            return (state.requests.count - 1, Self.ready(&state))
        }
        ready.forEach { $0.resume() }
        return place
    }

    func update(_ place: Int, _ change: @Sendable (inout RecordedRequest) -> Void) {
        let ready = state.withLock { state in
            change(&state.requests[place])
            return Self.ready(&state)
        }
        ready.forEach { $0.resume() }
    }

    /// Returns as soon as the condition holds.
    func wait(_ condition: @escaping @Sendable ([RecordedRequest]) -> Bool) async throws {
        let name = state.withLock { state in
            state.nextName += 1
            return state.nextName
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    if state.cancelled.remove(name) != nil { return .failure(CancellationError()) }
                    if condition(state.requests) { return .success(()) }
                    state.waiting.append(Waiting(name: name, condition: condition, continuation: continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiting = state.withLock { state -> Waiting? in
                guard let place = state.waiting.firstIndex(where: { $0.name == name }) else {
                    state.cancelled.insert(name)
                    return nil
                }
                return state.waiting.remove(at: place)
            }
            waiting?.continuation.resume(throwing: CancellationError())
        }
    }

    private static func ready(_ state: inout State) -> [CheckedContinuation<Void, any Error>] {
        let requests = state.requests
        let ready = state.waiting.filter { $0.condition(requests) }
        state.waiting.removeAll { waiting in ready.contains { $0.name == waiting.name } }
        return ready.map(\.continuation)
    }
}
