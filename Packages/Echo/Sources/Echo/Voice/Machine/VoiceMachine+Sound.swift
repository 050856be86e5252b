// SPDX-License-Identifier: MIT

/// Sound from the microphone and to the loudspeaker.
extension VoiceMachine {
    /// True if the user's sound belongs to the conversation.
    var isListening: Bool { !isMuted && !isWindingUp }

    mutating func captured(_ sound: [UInt8], at now: Duration) {
        let duration = Duration.microseconds(sound.count * 1_000_000 / 48_000)
        if turns.mode == .manual, !turns.isUserSpeaking {
            guard !programBeginsTurns, !turns.isAnswering else { return }
            openCaptured += duration
        }
        updateTurns(.captured(duration), at: now)
        history.send(.inputAudioAppend(sound))
        guard let number = lifecycle.session else { return }
        sentSound.sent(sound.count, at: now)
        actions.append(.send(number, ClientEvent(.inputAudioAppend(sound))))
    }

    /// Ends the user's speech with the silence that the server waits for: nothing is sent while muted.
    mutating func endSpeech(at now: Duration) {
        guard case .automatic(let detection) = turns.mode, turns.isUserSpeaking else { return }
        // A semantic detector waits for 8 s at most.
        let silence = detection.detector == .loudness ? detection.silenceDuration : .seconds(8)
        // 200 ms more, since it may measure in frames.
        captured([UInt8](repeating: 0, count: min(silence.wholeMilliseconds, 60_000) * 48 + 9_600), at: now)
    }

    mutating func heard(_ frames: Int, at now: Duration) {
        playback.heard(frames: frames, at: now)
        guard let part = firstPart, case let heard = playback.heardFrames(of: part), heard > 0 else { return }
        firstPart = nil
        let began = now - .microseconds(heard * 1_000_000 / 24_000)
        if let latency = ledger.note(.audible, turn: turnNumber, at: began) { emit(.turnTimed(latency)) }
    }

    /// Handles the device's voice detection: earlier than the server's, and less reliable.
    mutating func deviceHeard(_ isSpeech: Bool, at now: Duration) {
        guard turns.mode.isAutomatic, isSpeech, localVoice == nil, !turns.isUserSpeaking, !turns.isPaused,
            playback.isActive
        else { return }
        localVoice = now + configuration.localVoice
        performPlayback(playback.pause(at: now))
    }

    /// Resumes when the server detected nothing.
    mutating func resumeAfterLocalVoice() {
        localVoice = nil
        guard !turns.isPaused else { return }
        playback.resume()
    }

    mutating func performPlayback(_ steps: [AnswerPlayback.Step]) {
        for step in steps {
            switch step {
            case .play(_, let bytes): actions.append(.play(bytes))
            case .flush: actions.append(.flush)
            }
        }
    }

    mutating func fillDevice(at now: Duration) { performPlayback(playback.fillDevice(at: now)) }

    /// Ends the assistant's turn once all sound was heard.
    mutating func settlePlayback(at now: Duration) {
        settleMessages()
        if playback.isDone, turns.isPlaying, !answers.values.contains(where: { $0.hold?.sound.isEmpty == false }) {
            updateTurns(.playbackFinished, at: now)
        }
    }

    /// Handles a device that reports nothing about its sound.
    mutating func deviceIsStuck(at now: Duration) {
        actions.append(.report(.timedOut))
        updateTurns(.interrupt, at: now)
        finishCuts(at: now)
    }
}
