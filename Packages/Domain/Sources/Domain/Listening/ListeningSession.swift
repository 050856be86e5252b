// SPDX-License-Identifier: MIT

/// One run of ``ListenAllDay``: takes events from one queue, asks the loop, and carries out its actions.
///
/// Everything passes through `queue` and is handled and reported one after the other. Slow work (finding an answer,
/// speaking it, a tone) runs beside it; `interrupt` and the end of the run cancel it.
actor ListeningSession {
    private enum Happening: Sendable {
        case reported(ListenerReport)
        case loop(VoiceLoop.Event)
        case answer(TurnID, SpeechText)
        case tell(RoomEvent)
        case control(RoomControl)
        case listenerStopped
        case inputIsOver
    }

    private let parts: ListenAllDay
    private let report: @Sendable (RoomEvent) async -> Void
    private let happenings: AsyncStream<Happening>
    private let queue: AsyncStream<Happening>.Continuation

    private var loop: VoiceLoop
    private let foresight: Foresight
    private var conversation: OngoingConversation?
    /// The id of the next question's turn.
    private var upcoming = TurnID()
    /// Measures the upcoming turn, from its first stage on.
    private var upcomingMeter: TurnMeter?
    private var question: Transcript?
    /// Measures the question's turn.
    private var meter: TurnMeter?
    /// The text of the answer that is spoken.
    private var answer = SpeechText()
    private var position = Duration.zero
    /// The start of the present run of the listener, on the session's time line.
    private var listenerBegan = Duration.zero
    private var isListenerBroken = false
    private var isMuted = false
    /// The present run of the listener.
    private var hearing: Task<Void, any Error>?
    /// True from a run's first report to its end: before it, opening has no effect.
    private var isHearing = false
    /// Ends the wait for the end of being muted.
    private var unmuted: CheckedContinuation<Void, Never>?
    private var search: Task<Void, Never>?
    private var speech: Task<Void, Never>?
    private var earcon: Task<Void, Never>?

    init(_ parts: ListenAllDay, report: @escaping @Sendable (RoomEvent) async -> Void) {
        self.parts = parts
        self.report = report
        loop = VoiceLoop(configuration: parts.configuration)
        foresight = Foresight(parts.answerQuestion, parts.speaker)
        (happenings, queue) = AsyncStream.makeStream()
    }

    /// Runs until the task is cancelled, or the sound is over and the last answer is spoken.
    func run() async throws {
        await report(.phase(loop.phase))
        await parts.preload?.begin()
        await withTaskGroup { group in
            group.addTask { await self.keepHearing() }
            if let controls = parts.controls {
                group.addTask { for await control in controls { self.queue.yield(.control(control)) } }
            }
            await follow()
            group.cancelAll()
        }
        await stop()
        try Task.checkCancellation()
    }

    /// Cancels the search for an answer and its speech, and waits for their end.
    private func stop() async {
        earcon?.cancel()
        await parts.preload?.stop()
        await stopAnswering()
        await earcon?.value
    }

    private func stopAnswering() async {
        search?.cancel()
        speech?.cancel()
        await search?.value
        await speech?.value
    }

    private func follow() async {
        var isInputOver = false
        for await happening in happenings {
            switch happening {
            case .reported(let heard): await take(heard)
            case .loop(let event): await handle(event)
            case .answer(let turn, let text):
                answer = text
                await handle(.answer(turn))
            case .tell(let event): await report(event)
            case .control(let control): await obey(control)
            case .listenerStopped:
                listenerBegan = position
                isHearing = false
                await handle(.deaf)
            case .inputIsOver: isInputOver = true
            }
            if isInputOver, loop.phase == .idle || loop.phase == .listening { return }
        }
    }

    private func handle(_ event: VoiceLoop.Event) async {
        let before = loop.phase
        let actions = loop.handle(event, at: position)
        if loop.phase != before {
            await report(.phase(loop.phase))
            if loop.phase == .idle { await parts.preload?.begin() } else { await parts.preload?.stop() }
        }
        for action in actions { await perform(action) }
    }

    private func perform(_ action: VoiceLoop.Action) async {
        switch action {
        case .openListener:
            // Nobody can ask while the microphone is closed. One that is about to open is opened with its first report.
            if isMuted { await handle(.deaf) } else if isHearing { await parts.listener.open() }
        case .closeListener: await parts.listener.close()
        case .playEarcon(let sound): play(sound)
        case .answer(let turn):
            guard let question else { return }
            let conversation = conversation ?? OngoingConversation(Conversation(startedAt: parts.now()))
            self.conversation = conversation
            search = Task { [meter] in await findAnswer(to: question, of: turn, in: conversation, meter) }
        case .speak(let turn):
            let earcon = earcon
            speech = Task { [answer, conversation, meter] in
                // The tone still holds a device that only one stream may use.
                await earcon?.value
                await say(answer, of: turn, in: conversation, meter)
            }
        case .interrupt(let turn):
            await stopAnswering()
            await report(.interrupted(turn))
        }
    }

    // MARK: Controls

    private func obey(_ control: RoomControl) async {
        switch control {
        case .interrupt: await handle(.stopped)
        case .wake where !isMuted: await wake()
        case .mute: await setMuted(true)
        case .unmute, .wake: await setMuted(false)
        }
    }

    private func wake() async {
        if loop.phase == .idle { conversation = nil }
        await report(.wakeWord)
        await handle(.wakeWord)
    }

    /// Muting ends the listener's run, so that the microphone is closed and not only ignored.
    private func setMuted(_ wanted: Bool) async {
        guard wanted != isMuted else { return }
        isMuted = wanted
        if wanted { hearing?.cancel() } else { unmuted.take()?.resume() }
        await report(.muted(wanted))
    }

    private func untilUnmuted() async {
        guard isMuted else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled || !isMuted { continuation.resume() } else { unmuted = continuation }
            }
        } onCancel: {
            Task { await self.endWait() }
        }
    }

    private func endWait() { unmuted.take()?.resume() }

    // MARK: Hearing

    private func take(_ heard: ListenerReport) async {
        position = listenerBegan + heard.position
        if !isHearing {
            isHearing = true
            if loop.phase == .listening { await parts.listener.open() }
        }
        switch heard.event {
        case .wakeWord: await wake()
        case .speechBegan: await handle(.speechBegan)
        case .speechDiscarded: await handle(.speechDiscarded)
        case .question(let transcript):
            question = transcript
            meter = meterOfUpcoming()
            await foresight.forget()
            await handle(.question(upcoming))
            (upcoming, upcomingMeter) = (TurnID(), nil)
        case .foreseen(let transcript): await foresight.expect(transcript, in: conversation)
        case .notUnderstood:
            await refuse(.notUnderstood)
            await handle(.notUnderstood)
        case .speechTooLong(let limit):
            if let turn = await refuse(.speechTooLong(limit: limit)) {
                await report(.turn(turn, .refused(.speechTooLong(limit: limit))))
                play(.notUnderstood)
            }
            // Stops listening: the person still speaks, and the rest is no question of its own.
            await handle(.stopped)
        case .reached(let stage, let instant):
            await meterOfUpcoming()?.reached(stage, at: instant)
            await report(.turn(upcoming, .reached(stage, at: instant)))
        case .draft(let words): await report(.turn(upcoming, .draft(words)))
        case .level(let level):
            await report(.level(level))
            await handle(.time)
        case .device(let text): await report(.device(text))
        case .savesPower(let saves): await report(.savesPower(saves))
        }
    }

    /// Ends the upcoming turn without a question.
    ///
    /// - Returns: The turn; nil for words after an answer, without the wake word: they may be for somebody else.
    @discardableResult
    private func refuse(_ error: DomainError) async -> TurnID? {
        guard case .listening(_, isFollowUp: false) = loop.state else { return nil }
        await meterOfUpcoming()?.ended(TurnOutcome(error))
        defer { (upcoming, upcomingMeter) = (TurnID(), nil) }
        return upcoming
    }

    private func meterOfUpcoming() -> TurnMeter? {
        upcomingMeter = upcomingMeter ?? parts.answerQuestion.meter(of: upcoming, .voice)
        return upcomingMeter
    }

    private func keepHearing() async {
        var wait = parts.retry.first
        while !Task.isCancelled {
            await untilUnmuted()
            do {
                let isOver = try await hear()
                queue.yield(isOver ? .inputIsOver : .listenerStopped)
                if isOver { return }
            } catch {
                if !isListenerBroken { wait = parts.retry.first }
                isListenerBroken = true
                let failure = error as? DomainError ?? .speechEngine("\(error)")
                queue.yield(.listenerStopped)
                queue.yield(.tell(.failed(.listener, failure, retry: wait)))
                do { try await parts.clock.sleep(for: wait) } catch { return }
                wait = min(wait * 2, parts.retry.longest)
                // A listener that was opened meanwhile is closed in its new run.
                queue.yield(.listenerStopped)
            }
        }
    }

    /// One run of the listener, in a task that muting cancels.
    ///
    /// - Returns: True if the sound is over; false if muting ended the run. The end may come after the person unmuted.
    private func hear() async throws -> Bool {
        let run = Task { try await parts.listener.listen { await self.pass($0) } }
        hearing = run
        defer { hearing = nil }
        return try await withTaskCancellationHandler {
            do { try await run.value } catch is CancellationError where run.isCancelled {}
            return !run.isCancelled
        } onCancel: {
            run.cancel()
        }
    }

    private func pass(_ heard: ListenerReport) {
        if isListenerBroken {
            isListenerBroken = false
            queue.yield(.tell(.recovered(.listener)))
        }
        queue.yield(.reported(heard))
    }

    // MARK: Answering

    private func findAnswer(
        to question: Transcript, of turn: TurnID, in conversation: OngoingConversation, _ meter: TurnMeter?
    ) async {
        let text = SpeechText()
        do {
            let found = try await parts.answerQuestion(spoken: question, of: turn, in: conversation, meter) { event in
                self.tell(.turn(turn, event))
                if case .answering(.delta(let piece)) = event, await text.add(piece) {
                    self.queue.yield(.answer(turn, text))
                }
            }
            tell(.turn(turn, .answer(found)))
            if await text.finish(found.text) { self.queue.yield(.answer(turn, text)) }
        } catch let error as DomainError where error.isSpokenOf {
            tell(.turn(turn, .refused(error)))
            if await text.add(parts.answerQuestion.wording(error)) { queue.yield(.answer(turn, text)) }
            await text.finish()
        } catch {
            if !(error is CancellationError) { fail(.answers, error) }
            await text.finish()
            queue.yield(.loop(.noAnswer(turn)))
        }
    }

    private func say(
        _ text: SpeechText, of turn: TurnID, in conversation: OngoingConversation?, _ meter: TurnMeter?
    ) async {
        do {
            let heard = try await parts.speaker.speak(text) { stage, instant in
                await meter?.reached(stage, at: instant)
                tell(.turn(turn, .reached(stage, at: instant)))
            }
            if let heard, let conversation {
                // The received part of the answer is stored first.
                await search?.value
                try await parts.answerQuestion.wasInterrupted(turn, in: conversation, heard: heard)
            }
        } catch let error as DomainError {
            fail(error.code == "storage" ? .answers : .voice, error)
        } catch {
            if !(error is CancellationError) { fail(.voice, error) }
        }
        await search?.value
        await meter?.spoken()
        queue.yield(.loop(.speechOver(turn)))
    }

    private func play(_ sound: VoiceLoop.Earcon) {
        let earlier = earcon
        earcon = Task {
            await earlier?.value
            do { try await parts.earcons.play(sound) } catch {
                if !(error is CancellationError) { fail(.voice, error) }
            }
        }
    }

    private nonisolated func tell(_ event: RoomEvent) { queue.yield(.tell(event)) }

    private nonisolated func fail(_ part: RoomEvent.Part, _ error: any Error) {
        tell(.failed(part, error as? DomainError ?? .generationFailed("\(error)"), retry: nil))
    }
}
