// SPDX-License-Identifier: MIT

public import AudioKitLinux
public import Diagnostics
public import Domain
public import Speech
public import VoiceActivity

/// Hears a room by one capture stream: echo canceller, then voice activity, wake word and recogniser beside each other.
///
/// A device that goes away is opened again when it is back, with a report; a stream that stands still counts as gone.
public actor MicrophoneEar: Ear {
    /// The engines that an ear hears with.
    public struct Engines: Sendable {
        let wakeWord: any WakeWordSpotting
        let recognizer: GrammarRecognizer
        let detector: any VoiceActivityDetector & Sendable
        let endpointing: Endpointer.Configuration

        /// Gathers engines; the voice activity detector is to be fresh.
        public init(
            wakeWord: WakeWordDetector, recognizer: GrammarRecognizer,
            detector: any VoiceActivityDetector & Sendable, endpointing: Endpointer.Configuration
        ) {
            self.init(
                spotter: wakeWord, recognizer: recognizer, detector: detector, endpointing: endpointing)
        }

        init(
            spotter: any WakeWordSpotting, recognizer: GrammarRecognizer,
            detector: any VoiceActivityDetector & Sendable, endpointing: Endpointer.Configuration
        ) {
            wakeWord = spotter
            self.recognizer = recognizer
            self.detector = detector
            self.endpointing = endpointing
        }
    }

    /// Each period wakes four threads, and it listens all day: twice the usual period, which barge-in can still afford.
    private static let stream = StreamConfiguration(period: .milliseconds(40), buffer: .milliseconds(160))

    private let device: AudioDevice
    private let engines: Engines
    private let ownSound: OwnSound
    private let recovery: AudioRecovery
    private let logger: Logger
    private var state: EarState
    private var watched = WatchLag()
    private var waiter: CheckedContinuation<Void, Never>?
    private var draft: Recognition?
    private var report: (@Sendable (Heard) async -> Void)?
    /// Counts what makes actions under way stale: opening, closing, a new run.
    private var generation = 0
    /// Whether somebody is carrying out what the state asked for, and who waits for that: sound must not come to the
    /// recogniser before an opening, which may take a while, has begun an utterance.
    private var isActing = false
    private var waitingToAct: [CheckedContinuation<Void, Never>] = []

    /// Makes an ear; the device is opened by ``hear(_:)`` and only for as long as that runs.
    ///
    /// - Parameters:
    ///   - ownSound: what the process plays itself.
    ///   - recovery: what happens when the device fails.
    public init(
        device: AudioDevice, engines: Engines, ownSound: OwnSound, recovery: AudioRecovery = .reopen,
        logger: Logger = .disabled
    ) {
        self.device = device
        self.engines = engines
        self.ownSound = ownSound
        self.recovery = recovery
        self.logger = logger
        state = EarState(detector: engines.detector, endpointing: engines.endpointing)
    }

    /// See `Ear`.
    public func hear(_ report: @escaping @Sendable (Heard) async -> Void) async throws {
        self.report = report
        generation += 1
        draft = nil
        watched = WatchLag()
        state = EarState(detector: engines.detector, endpointing: engines.endpointing)
        await engines.recognizer.cancel()
        await engines.wakeWord.reset()
        try await domainErrors {
            let capture = try await AudioCapture.start(
                device: device, configuration: Self.stream, recovery: recovery, logger: logger)
            do { try await listen(to: capture) } catch {
                await capture.stop()
                throw error
            }
            await capture.stop()
        }
    }

    /// See `Ear`.
    public func open() async {
        generation += 1
        await mend { try await inTurn(isUrgent: true) { state.open() } }
    }

    /// See `Ear`.
    public func close() async {
        generation += 1
        await mend { try await inTurn(isUrgent: true) { state.close() } }
    }

    private func listen(to capture: AudioCapture) async throws {
        let (pieces, wakeQueue) = AsyncStream<CapturedBuffer>.makeStream(bufferingPolicy: .unbounded)
        async let watching: Void = watch(pieces)
        async let _: Void = follow(capture.events)
        let canceller = try SpeexEchoCanceller(rate: AudioFormat.speech.sampleRate)
        let processor = try VoiceProcessor(canceller: canceller)
        var gate = EchoGate()
        var meter = LevelMeter()
        for try await captured in capture.buffers {
            for announcement in ownSound.take() { try processor.follow(announcement) }
            guard let clean = try processor.process(captured) else { continue }
            wakeQueue.yield(clean)
            watched.handedOver(clean)
            await waitForWatcher()
            if watched.hasEnded { break }
            let canBeSpeech = gate.admits(
                near: captured.buffer.power, output: clean.buffer.power, of: captured.buffer.duration,
                isPlaying: ownSound.wasPlaying(at: clean.capturedAt), report: canceller.report)
            try await inTurn { state.process(clean, canBeSpeech: canBeSpeech) }
            if let level = meter.level(after: clean.buffer) { await tell(.level(level)) }
        }
        wakeQueue.finish()
        // What is still waiting for the wake word counts too; a detector that failed ends the run here.
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

    /// A wake word that is found too late is of no use: what followed it is no longer kept.
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

    /// Changes the state and carries out what it asks for, one change after the other. What is urgent has made stale what
    /// is being done, so it comes next.
    private func inTurn(isUrgent: Bool = false, _ change: () -> [EarState.Action]) async throws {
        if isActing {
            await withCheckedContinuation { waitingToAct.insert($0, at: isUrgent ? 0 : waitingToAct.count) }
        }
        isActing = true
        defer {
            if waitingToAct.isEmpty { isActing = false } else { waitingToAct.removeFirst().resume() }
        }
        try await perform(change())
    }

    private func perform(_ actions: [EarState.Action]) async throws {
        let generation = generation
        var rest = actions[...]
        while let action = rest.popFirst() {
            if let others = try await perform(action) { rest = others[...] }
            if generation != self.generation { return }
        }
    }

    /// Returns what is to be done instead of the rest, if anything is.
    private func perform(_ action: EarState.Action) async throws -> [EarState.Action]? {
        let recognizer = engines.recognizer
        switch action {
        case .report(let event): await tell(event)
        case .begin: await recognizer.begin()
        case .feed(let sound): try await recognizer.process(sound)
        case .cancel: await recognizer.cancel()
        case .draft: draft = try await recognizer.draft()
        case .forgetDraft: draft = nil
        case .settle(let last):
            guard let draft, draft.outcome == .accepted else { return nil }
            let others = state.settled()
            await end(last, with: draft)
            return others
        case .finish(let last):
            var recognition = draft
            if recognition == nil { recognition = try await recognizer.finish() }
            if let recognition { await end(last, with: recognition) }
        }
        return nil
    }

    private func end(_ lastSpeech: ContinuousClock.Instant, with recognition: Recognition) async {
        draft = nil
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

    private func tell(_ event: Heard.Event) async { await report?(Heard(event, at: state.position)) }

    /// A failure of the recogniser shows again with the next sound, where it ends the run.
    private func mend(_ body: () async throws -> Void) async {
        do { try await body() } catch { logger.error("\(error, privacy: .public)") }
    }
}
