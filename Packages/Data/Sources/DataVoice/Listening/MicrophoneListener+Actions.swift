// SPDX-License-Identifier: MIT

import AudioKitLinux
import Diagnostics
import Domain
import Speech

/// The listener's actions.
extension MicrophoneListener {
    /// Changes the state and performs the resulting actions, one change after another. An urgent change makes the
    /// current actions stale, so it is next.
    func inTurn(isUrgent: Bool = false, _ change: () -> [ListenerState.Action]) async throws {
        if isActing {
            await withCheckedContinuation { waitingToAct.insert($0, at: isUrgent ? 0 : waitingToAct.count) }
        }
        isActing = true
        defer {
            if waitingToAct.isEmpty { isActing = false } else { waitingToAct.removeFirst().resume() }
        }
        try await perform(change())
    }

    private func perform(_ actions: [ListenerState.Action]) async throws {
        let generation = generation
        var rest = actions[...]
        while let action = rest.popFirst() {
            if let others = try await perform(action) { rest = others[...] }
            if generation != self.generation { return }
        }
    }

    /// Performs an action; returns actions that replace the rest, if there are any.
    private func perform(_ action: ListenerState.Action) async throws -> [ListenerState.Action]? {
        let recognizer = engines.recognizer
        switch action {
        case .report(let event): await tell(event)
        case .begin:
            words.begin()
            await recognizer.begin()
        case .feed(let sound):
            try await recognizer.process(sound)
            if words.isDue(after: sound.frameCount) { await show(try await recognizer.guess()) }
        case .cancel: await recognizer.cancel()
        case .draft:
            let draft = try await recognizer.preview()
            turnEnd.pauseBegan(draft)
            if let draft { await show(draft.text) }
            if let foreseen = turnEnd.foreseen { await tell(.foreseen(foreseen)) }
        case .forgetDraft: turnEnd.forget()
        case .wait(let last, let silence):
            guard let draft = turnEnd.question(after: silence) else { return nil }
            let others = state.settled()
            await end(last, with: draft)
            return others
        case .finish(let last):
            var recognition = turnEnd.draft
            if recognition == nil { recognition = try await recognizer.finish() }
            if let recognition { await end(last, with: recognition) }
        }
        return nil
    }

    private func show(_ text: String) async {
        if let text = words.show(text) { await tell(.draft(text)) }
    }

    private func end(_ lastSpeech: ContinuousClock.Instant, with recognition: Recognition) async {
        turnEnd.forget()
        await engines.recognizer.cancel()
        await tell(.reached(.speechEnded, at: lastSpeech))
        await tell(.reached(.endpointDetected, at: .now))
        switch recognition.outcome {
        case .accepted:
            await tell(.reached(.transcriptReady, at: .now))
            await tell(.question(Transcript(text: recognition.text, confidence: recognition.confidence)))
        case .rejected: await tell(.notUnderstood)
        case .silence: await tell(.speechDiscarded)
        }
    }

    func tell(_ event: ListenerReport.Event) async { await report?(ListenerReport(event, at: state.position)) }

    /// Logs an error of the recogniser, which fails again at the next sound and ends the run there.
    func mend(_ body: () async throws -> Void) async {
        do { try await body() } catch { logger.error("\(error, privacy: .public)") }
    }
}
