// SPDX-License-Identifier: MIT

import Concurrency
import Networking

/// The change to another engine, and back.
extension VoiceEngine {
    func items() -> [ResponseItem] { handOver?.items ?? VoiceHandOver(machine).named }

    func fill(_ id: String, transcript: String) { feed(.command(.fill(id: id, text: transcript))) }

    func pause() async throws {
        let place = line.reserveFirst()
        phase = .pausing
        do {
            try await endTurns()
            try await line.wait(for: place)
            self.place = place
            await reach()
            handOver = VoiceHandOver(machine)
        } catch {
            if (try? await line.wait(for: place)) != nil { line.leave() }
            takeUp()
            throw error
        }
    }

    /// Ends all turns.
    private func endTurns() async throws {
        let outcome = Promise<Void>()
        let (clock, limits) = (clock, configuration.voice.limits)
        tasks.add {
            do {
                try await self.obey { .windUp($0, within: limits.windUp) }
                outcome.resolve(.success(()))
            } catch {
                outcome.resolve(.failure(error))
            }
        }
        let timer = Task {
            guard (try? await clock.sleep(limits.windUpEnd)) != nil else { return }
            outcome.resolve(.success(()))
        }
        defer { timer.cancel() }
        // A session that has failed has nothing more to end.
        do { try await outcome.valueOrGivingUp() } catch is EchoError {}
        openTurn = nil
        endWaiting(.stopped)
    }

    func resume() async {
        leavePlace()
        takeUp()
    }

    private func takeUp() {
        guard phase == .pausing else { return }
        phase = .running
        if let held = handOver.take()?.held, !held.isEmpty { effects.yield(.messages(held)) }
        feed(.command(.goOn))
    }

    func leavePlace() {
        guard place != nil else { return }
        place = nil
        line.leave()
    }

    // MARK: After another engine has taken over

    func retire() async {
        effects.yield(.retire)
        await reach()
        if phase != .closed { phase = .retired }
        await stream?.close()
        stream = nil
        leavePlace()
    }

    func linger(late: @escaping @Sendable (String, String) async -> Void) async {
        self.late = late
        for (id, transcript) in unheard { await late(id, transcript) }
        unheard = []
        if awaited.isEmpty { lingering.resolve(.success(())) }
        let (clock, lingering, limit) = (clock, lingering, configuration.voice.limits.late)
        let timer = Task {
            guard (try? await clock.sleep(limit)) != nil else { return }
            lingering.resolve(.success(()))
        }
        try? await lingering.valueOrGivingUp()
        timer.cancel()
        await close()
    }

    /// Waits until all earlier effects are done.
    private func reach() async {
        guard phase != .closed else { return }
        let outcome = Promise<Void>()
        effects.yield(.reached(outcome))
        try? await outcome.valueOrGivingUp()
    }

    /// Releases the messages that have no text yet.
    func settle() async {
        // The waiting messages belong to another engine.
        guard !hasRetired else { return }
        if let held = handOver.take()?.held { await context.queue.apply(held) }
        await releaseAll()
    }

    private func releaseAll() async {
        for message in await context.queue.getPendingMessages() {
            switch message.role {
            case .user:
                await context.queue.failTranscript(id: message.id, reason: "The transcript has not come yet.")
                awaited.insert(message.id)
            case .assistant, .system:
                await context.queue.updateTranscript(id: message.id, transcript: message.text, isInterrupted: true)
            }
        }
    }

    /// Puts all messages that the other engine was given at their positions, with or without text.
    func retireMessages() async {
        hasRetired = true
        guard let handOver else { return await releaseAll() }
        await context.queue.apply(handOver.placed)
        for turn in handOver.owed {
            await context.queue.enqueue(id: turn.id, role: .user, transcriptStatus: .notStarted, at: turn.place)
        }
        await releaseAll()
        await takeLate(handOver.held)
    }

    /// Fills messages that were released without text.
    func takeLate(_ operations: [TranscriptOrder.Operation]) async {
        for operation in operations {
            switch operation {
            case .insert(let id, .user, let text, _, _):
                if let name = handOver?.name(id), !text.isEmpty { await fillLate(name, text) }
            case .complete(let id, let text, _), .fill(let id, let text):
                await fillLate(handOver?.names[id] ?? id, text)
            // A message that was given up may still get its text.
            case .fail, .insert, .keepPlace, .append, .remove: break
            }
        }
        if awaited.isEmpty, late != nil { lingering.resolve(.success(())) }
    }

    private func fillLate(_ id: String, _ text: String) async {
        guard awaited.remove(id) != nil else { return }
        await context.queue.fillTranscript(id: id, transcript: text)
        if let late { await late(id, text) } else { unheard.append((id, text)) }
    }
}
