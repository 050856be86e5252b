// SPDX-License-Identifier: MIT

public import AudioKitLinux
import DataLayer
public import Diagnostics
public import Domain
public import Speech
public import VoiceActivity

/// Hears a room by one capture stream: echo canceller, then voice activity, wake word and recogniser beside each other.
///
/// A device that disappears is opened again when it is back, with a report; a stream that stops delivering counts as
/// gone.
public actor MicrophoneListener: RoomListener {
    /// The engines that a listener hears with.
    public struct Engines: Sendable {
        let wakeWord: any WakeWordSpotting
        let recognizer: any UtteranceRecognizer
        let detector: any VoiceActivityDetector & Sendable
        let endpointing: Endpointer.Configuration
        let saving: PowerSaving?

        /// Gathers engines; the voice activity detector must be fresh.
        ///
        /// - Parameter saving: The way to save power; nil for never.
        public init(
            wakeWord: WakeWordDetector, recognizer: any UtteranceRecognizer,
            detector: any VoiceActivityDetector & Sendable, endpointing: Endpointer.Configuration,
            saving: PowerSaving? = nil
        ) {
            self.init(
                spotter: wakeWord, recognizer: recognizer, detector: detector, endpointing: endpointing, saving: saving)
        }

        init(
            spotter: any WakeWordSpotting, recognizer: any UtteranceRecognizer,
            detector: any VoiceActivityDetector & Sendable, endpointing: Endpointer.Configuration,
            saving: PowerSaving? = nil
        ) {
            wakeWord = spotter
            self.recognizer = recognizer
            self.detector = detector
            self.endpointing = endpointing.fitting(recognizer)
            self.saving = saving
        }
    }

    /// The device's buffer holds four times the largest piece, or twice if power is saved: that adds no latency, and a busy
    /// machine loses no sound.
    private static let stream = StreamConfiguration(
        period: HearingPace.period, buffer: HearingPace.period * (4 * HearingPace.mostPeriods))

    private let device: AudioDevice
    let engines: Engines
    let ownSound: OwnSound
    private let recovery: AudioRecovery
    let logger: Logger
    var turnEnd = TurnEnd()
    var state: ListenerState
    var watched = WatchLag()
    /// The stream while it runs.
    private var capture: AudioCapture?
    var waiter: CheckedContinuation<Void, Never>?
    var words: LiveWords
    var report: (@Sendable (ListenerReport) async -> Void)?
    /// Counts the events that make current actions stale: opening, closing, a new run.
    var generation = 0
    /// True while actions of the state are performed; others wait in `waitingToAct`. Sound must not reach the
    /// recogniser before an opening, which may take a while, has begun an utterance.
    var isActing = false
    var waitingToAct: [CheckedContinuation<Void, Never>] = []

    /// Makes a listener; the device is opened by ``listen(_:)`` and only for as long as that runs.
    ///
    /// - Parameters:
    ///   - ownSound: The sound that the process plays.
    ///   - recovery: The reaction to a failing device.
    ///   - showsWords: True to report the words of a question while they are spoken, about twice a second.
    public init(
        device: AudioDevice, engines: Engines, ownSound: OwnSound, recovery: AudioRecovery = .reopen,
        showsWords: Bool = false, logger: Logger = .disabled
    ) {
        self.device = device
        self.engines = engines
        self.ownSound = ownSound
        self.recovery = recovery
        self.logger = logger
        words = LiveWords(isOn: showsWords)
        state = ListenerState(detector: engines.detector, endpointing: engines.endpointing)
    }

    /// See `RoomListener`.
    public func listen(_ report: @escaping @Sendable (ListenerReport) async -> Void) async throws {
        self.report = report
        generation += 1
        turnEnd.forget()
        watched = WatchLag()
        state = ListenerState(detector: engines.detector, endpointing: engines.endpointing)
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

    /// See `RoomListener`.
    public func open() async {
        generation += 1
        // The speech so far is needed now, not when the piece is full.
        capture?.gather(periods: 1)
        await mend { try await inTurn(isUrgent: true) { state.open() } }
    }

    /// See `RoomListener`.
    public func close() async {
        generation += 1
        await mend { try await inTurn(isUrgent: true) { state.close() } }
    }
}

/// A wake word's detector, as a listener uses it: `WakeWordDetector`, or one whose failures a test chooses.
protocol WakeWordSpotting: Actor {
    /// See `WakeWordDetector`.
    func process(_ samples: AudioBuffer, at position: Int) async throws(SpeechError) -> [WakeWordDetector.Detection]

    /// See `WakeWordDetector`.
    func setPlaying(_ isPlaying: Bool) async

    /// See `WakeWordDetector`.
    func reset() async
}

extension WakeWordDetector: WakeWordSpotting {}
