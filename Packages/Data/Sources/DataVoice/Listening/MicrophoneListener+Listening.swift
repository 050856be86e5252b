// SPDX-License-Identifier: MIT

import AudioKitLinux
import Diagnostics
import Domain
import Speech

/// The path of the sound through the listener.
extension MicrophoneListener {
    func listen(to capture: AudioCapture) async throws {
        let (pieces, wakeQueue) = AsyncStream<CapturedBuffer>.makeStream(bufferingPolicy: .unbounded)
        async let watching: Void = watch(pieces)
        async let _: Void = follow(capture.events)
        let canceller = try SpeexEchoCanceller(rate: AudioFormat.speech.sampleRate)
        let processor = try VoiceProcessor(canceller: canceller)
        var gate = EchoGate()
        var meter = LevelMeter()
        var pace = HearingPace()
        var power = PowerWatch()
        for try await captured in capture.buffers {
            for announcement in ownSound.take() { try processor.follow(announcement) }
            guard let clean = try processor.process(captured) else { continue }
            wakeQueue.yield(clean)
            watched.handedOver(clean)
            await waitForWatcher()
            if watched.hasEnded { break }
            let isPlaying = ownSound.wasPlaying(at: clean.capturedAt)
            let canBeSpeech = gate.admits(
                near: captured.buffer.power, output: clean.buffer.power, of: captured.buffer.duration,
                isPlaying: isPlaying, report: canceller.report)
            try await inTurn { state.process(clean, canBeSpeech: canBeSpeech) }
            for level in meter.levels(after: clean.buffer) { await tell(.level(level)) }
            if let saving = engines.saving,
                power.hasChanged(
                    after: clean.buffer.duration, mayChange: !state.isOpen && !state.isInSpeech && !isPlaying,
                    saving.isWanted)
            {
                if power.isSaving {
                    state.hear(with: saving.detector, saving.endpointing.fitting(engines.recognizer))
                } else {
                    state.hear(with: engines.detector, engines.endpointing)
                }
                await tell(.savesPower(power.isSaving))
            }
            capture.gather(
                periods: pace.periods(
                    isOpen: state.isOpen, isPlaying: isPlaying, isSpeech: state.isInSpeech, isSaving: power.isSaving,
                    after: clean.buffer.duration))
        }
        wakeQueue.finish()
        // The waiting sound is still searched for the wake word; a failed detector ends the run here.
        try await watching
        try Task.checkCancellation()
        try await inTurn { state.finish() }
    }

    /// Looks for the wake word, on the detector's own queue.
    private func watch(_ pieces: AsyncStream<CapturedBuffer>) async throws {
        var isPlaying = false
        defer { watcherEnded() }
        for await piece in pieces {
            if ownSound.wasPlaying(at: piece.capturedAt) != isPlaying {
                isPlaying.toggle()
                await engines.wakeWord.setPlaying(isPlaying)
            }
            for detection in try await engines.wakeWord.process(piece.buffer, at: piece.position) {
                logger.debug("wake word, score \(detection.score, privacy: .public)")
                try await inTurn { state.woken(commandStart: detection.commandStart) }
            }
            watched.taken(piece)
            wakeWaiter()
        }
    }

    /// Waits for the detector: after a late wake word, the sound of the command is no longer kept.
    private func waitForWatcher() async {
        guard watched.isTooFarBehind else { return }
        await withCheckedContinuation { waiter = $0 }
    }

    private func wakeWaiter() {
        guard !watched.isTooFarBehind else { return }
        waiter?.resume()
        waiter = nil
    }

    private func watcherEnded() {
        watched.hasEnded = true
        wakeWaiter()
    }

    private func follow(_ events: AsyncStream<AudioSession.Event>) async {
        for await event in events {
            switch event {
            case .interruptionBegan(.deviceLost): await tell(.device("The microphone is gone. Waiting for it."))
            case .interruptionEnded(.deviceLost, _): await tell(.device("The microphone is back."))
            case .interruptionEnded(.suspend, _): await tell(.device("Awake again after a suspend."))
            case .routeChanged(let old, let new) where old != new: await tell(.device("Listening on \(new)."))
            case .interruptionBegan, .interruptionEnded, .routeChanged, .gone: break
            }
        }
    }
}
