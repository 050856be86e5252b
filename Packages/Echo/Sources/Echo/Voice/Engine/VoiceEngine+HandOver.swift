// SPDX-License-Identifier: MIT

import Concurrency
import Networking

/// The change to another engine, and back.
extension VoiceEngine {
    func fill(_ id: String, transcript: String) { feed(.command(.fill(id: id, text: transcript))) }

    func pause() async throws {
        let place = line.reserveFirst()
        phase = .pausing
        do {
            let limit = configuration.voice.limits.windUp
            try await obey { .windUp($0, within: limit) }
            try await line.wait(for: place)
            self.place = place
            await reach()
        } catch {
            if (try? await line.wait(for: place)) != nil { line.leave() }
            takeUp()
            throw error
        }
    }

    func resume() async {
        leavePlace()
        takeUp()
    }

    private func takeUp() {
        guard phase == .pausing else { return }
        phase = .running
        feed(.command(.goOn))
    }

    func leavePlace() {
        guard place != nil else { return }
        place = nil
        line.leave()
    }

    // MARK: After another engine has taken over

    func retire() async {
        feed(.command(.handOver))
        await closeDevice()
        await reach()
        if phase != .closed { phase = .retired }
        leavePlace()
    }

    func linger(late: @escaping @Sendable (String, String) async -> Void) async {
        self.late = late
        for (id, transcript) in unheard { await late(id, transcript) }
        unheard = []
        let limit = configuration.voice.limits.late
        try? await obey { .awaitLateWords($0, within: limit) }
        await close()
    }

    /// Waits until all earlier effects are done.
    private func reach() async {
        guard phase != .closed else { return }
        let outcome = Promise<Void>()
        effects.yield(.reached(outcome))
        try? await outcome.valueOrGivingUp()
    }

    /// Applies changes to the transcript. Words that come after another engine has taken over are news to it.
    func apply(_ changes: [Transcript.Change]) async {
        await context.queue.apply(changes)
        guard phase == .retired else { return }
        for case .fill(let id, let text) in changes {
            if let late { await late(id, text) } else { unheard.append((id, text)) }
        }
    }
}
