// SPDX-License-Identifier: MIT

public import AudioKitLinux
import DataLayer
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

    /// The device holds four times what is taken at once when nothing happens: that costs no time, and a busy machine loses
    /// no sound.
    private static let stream = StreamConfiguration(
        period: HearingPace.period, buffer: HearingPace.period * (4 * HearingPace.mostPeriods))

    private let device: AudioDevice
    let engines: Engines
    let ownSound: OwnSound
    private let recovery: AudioRecovery
    let logger: Logger
    let questionEnd = QuestionEnd()
    var state: EarState
    var watched = WatchLag()
    /// The stream while it runs, and how much of it is taken at once.
    private var capture: AudioCapture?
    var waiter: CheckedContinuation<Void, Never>?
    var draft: Recognition?
    var report: (@Sendable (Heard) async -> Void)?
    /// Counts what makes actions under way stale: opening, closing, a new run.
    var generation = 0
    /// Whether somebody is carrying out what the state asked for, and who waits for that: sound must not come to the
    /// recogniser before an opening, which may take a while, has begun an utterance.
    var isActing = false
    var waitingToAct: [CheckedContinuation<Void, Never>] = []

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
            self.capture = capture
            defer { self.capture = nil }
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
        // What was said is wanted now, not when the piece is full.
        capture?.gather(periods: 1)
        await mend { try await inTurn(isUrgent: true) { state.open() } }
    }

    /// See `Ear`.
    public func close() async {
        generation += 1
        await mend { try await inTurn(isUrgent: true) { state.close() } }
    }
}

/// What an ear asks of a wake word's detector: `WakeWordDetector`, or one whose failures a test chooses.
protocol WakeWordSpotting: Actor {
    /// See `WakeWordDetector`.
    func process(_ samples: AudioBuffer, at position: Int) async throws(SpeechError) -> [WakeWordDetector.Detection]

    /// See `WakeWordDetector`.
    func setPlaying(_ isPlaying: Bool) async

    /// See `WakeWordDetector`.
    func reset() async
}

extension WakeWordDetector: WakeWordSpotting {}
