// SPDX-License-Identifier: MIT

import Domain
import Synchronization

/// What is reported, to be waited for.
final class RoomReports: Sendable {
    private let stream: AsyncStream<RoomEvent>
    private let continuation: AsyncStream<RoomEvent>.Continuation
    private let all = Mutex<[RoomEvent]>([])

    init() { (stream, continuation) = AsyncStream.makeStream() }

    var events: [RoomEvent] { all.withLock { $0 } }

    func add(_ event: RoomEvent) {
        all.withLock { $0.append(event) }
        continuation.yield(event)
    }

    /// Waits for the next event that `matches`, and for what comes before it.
    func next(_ matches: (RoomEvent) -> Bool) async {
        for await event in stream where matches(event) { return }
    }

    func next(_ phase: VoiceLoop.Phase) async {
        await next { if case .phase(phase) = $0 { true } else { false } }
    }
}
