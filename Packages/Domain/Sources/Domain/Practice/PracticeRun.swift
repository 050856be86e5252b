// SPDX-License-Identifier: MIT

/// One run of ``PractiseCues``: takes commands and events from one queue, asks ``PracticeState``, and carries out what
/// follows.
actor PracticeRun {
    enum Happening: Sendable {
        case command(PractiseCues.Command)
        case commandsAreOver
        case meter(RecordingMeter)
        case recordingEnded
        case event(PracticeState.Event, Identifier<Recording>)
        case stored(PracticeResult)
        case uploading(Int, of: Int, Identifier<Recording>)
        case tell(PractiseCues.Event)
    }

    let ports: PractiseCues.Ports
    let report: @Sendable (PractiseCues.Event) async -> Void
    private let happenings: AsyncStream<Happening>
    let queue: AsyncStream<Happening>.Continuation

    var state: PracticeState
    /// The cues that were practised or passed over since the run began, or since all of them were.
    var seen: Set<Identifier<Cue>> = []
    private var active: (any ActiveRecording)?
    var taken: (any TakenRecording)?
    private var metering: Task<Void, Never>?
    private var playing: Task<Void, Never>?
    /// The storing and this device's evaluation. The run waits for them at its end, but not for the server's
    /// evaluation.
    var keeping: Task<Void, Never>?
    var asking: Task<Void, Never>?

    init(_ cue: Cue, _ ports: PractiseCues.Ports, report: @escaping @Sendable (PractiseCues.Event) async -> Void) {
        self.ports = ports
        self.report = report
        state = .viewing(cue)
        (happenings, queue) = AsyncStream.makeStream()
    }

    func follow(_ commands: AsyncStream<PractiseCues.Command>) async throws {
        await report(.state(state))
        await withTaskGroup { group in
            group.addTask { [queue] in
                for await command in commands { queue.yield(.command(command)) }
                queue.yield(.commandsAreOver)
            }
            for await happening in happenings {
                if case .commandsAreOver = happening { break }
                await take(happening)
            }
            group.cancelAll()
        }
        await end()
        try Task.checkCancellation()
    }

    private func take(_ happening: Happening) async {
        switch happening {
        case .command(let command): await carryOut(command)
        case .commandsAreOver: break
        case .meter(let meter): await report(.meter(meter))
        case .recordingEnded: await finishRecording()
        case .tell(let event): await report(event)
        case .uploading(let sent, of: let total, let id):
            if taken?.recording.id == id { await report(.uploading(sent, of: total)) }
        case .event(let event, let id):
            // An event of a recording that is no longer on the screen is late and is not shown.
            if taken?.recording.id == id { await move(event) }
        case .stored(let result):
            await report(.stored(result))
            if taken?.recording.id == result.recording { await move(.stored(result.evaluation)) }
        }
    }

    /// Moves to the next state.
    ///
    /// - Returns: True if the event had a meaning in the present state.
    @discardableResult
    func move(_ event: PracticeState.Event) async -> Bool {
        guard let next = state.after(event) else { return false }
        state = next
        await report(.state(next))
        return true
    }

    private func carryOut(_ command: PractiseCues.Command) async {
        switch command {
        case .record: await record()
        case .pause: await change(.pause) { try await $0.pause() }
        case .resume: await change(.resume) { try await $0.resume() }
        case .stop: await finishRecording()
        case .discard: await discard()
        case .play: await play()
        case .stopPlaying: await stopPlaying()
        case .keep(let rating): await keep(rating)
        case .next: await next()
        }
    }
}

/// Recording and playing.
extension PracticeRun {
    private func record() async {
        guard case .recording(let cue, _)? = state.after(.record) else { return }
        await stopPlaying()
        await dropTaken()
        do {
            let active = try await ports.recorder.start(cue)
            self.active = active
            metering = Task { [queue] in
                for await meter in active.meter { queue.yield(.meter(meter)) }
                if !Task.isCancelled { queue.yield(.recordingEnded) }
            }
            await move(.record)
        } catch {
            await move(.fail(domainError(error)))
        }
    }

    private func change(
        _ event: PracticeState.Event, _ change: (any ActiveRecording) async throws -> Void
    ) async {
        guard let active, state.after(event) != nil else { return }
        do {
            try await change(active)
            await move(event)
        } catch {
            await report(.problem(domainError(error)))
        }
    }

    private func finishRecording() async {
        guard let active else { return }
        self.active = nil
        metering?.cancel()
        do {
            let (taken, interruption) = try await active.finish()
            self.taken = taken
            await move(.recorded(taken.recording, interrupted: interruption))
        } catch {
            await move(.fail(domainError(error)))
        }
    }

    private func discard() async {
        guard state.after(.discard) != nil else { return }
        await stopPlaying()
        await dropActive()
        await dropTaken()
        await move(.discard)
    }

    private func play() async {
        guard let taken, playing == nil else { return }
        playing = Task { [queue, ports] in
            do {
                try await ports.player.play(taken.recording) { queue.yield(.tell(.playing($0))) }
            } catch let error as DomainError {
                queue.yield(.tell(.problem(error)))
            } catch {
                // Cancellation stops the playback.
            }
            queue.yield(.tell(.playing(nil)))
            playing = nil
        }
    }

    func stopPlaying() async {
        playing?.cancel()
        await playing?.value
        playing = nil
    }

    func dropActive() async {
        metering?.cancel()
        await active?.discard()
        active = nil
    }

    /// Removes what was recorded, unless it is kept.
    func dropTaken() async {
        await taken?.discard()
        taken = nil
    }

    func domainError(_ error: any Error) -> DomainError {
        (error as? DomainError) ?? .generationFailed("\(error)")
    }
}
