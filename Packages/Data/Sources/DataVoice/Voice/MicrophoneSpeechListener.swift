// SPDX-License-Identifier: MIT

public import AudioKitLinux
import Concurrency
import DataLayer
public import Diagnostics
public import Domain
import Speech
public import VoiceActivity

/// Recognises one question from a device at a time: capture, endpointing and recognition at once, while the person
/// speaks.
public final class MicrophoneSpeechListener: SpeechListener {
    private let open: @Sendable () async throws -> AudioCapture
    private let recognizer: any UtteranceRecognizer
    /// Without words; each question begins with it.
    private let turnEnd = TurnEnd()
    private let detector: any VoiceActivityDetector & Sendable
    private let endpointing: Endpointer.Configuration
    private let patience: Duration
    private let showsWords: Bool
    private let stage = Guarded(Stage.idle)

    private enum Stage {
        case idle
        /// A device takes a while to open, and the person may have ended the question by then.
        case opening(isOver: Bool)
        case hearing(AudioCapture)
    }

    /// Makes a listener; the device is open only while ``listen(_:)`` runs.
    ///
    /// - Parameters:
    ///   - detector: The detector of voice activity, fresh; each question starts with a copy.
    ///   - endpointing: The configuration that fits the detector.
    ///   - patience: The time limit for the beginning of speech.
    ///   - showsWords: True to report the words while they are spoken, about twice a second.
    public convenience init(
        device: AudioDevice, recognizer: any UtteranceRecognizer,
        detector: any VoiceActivityDetector & Sendable = SpectralDetector(),
        endpointing: Endpointer.Configuration = .spectral, patience: Duration = .seconds(20),
        showsWords: Bool = false, logger: Logger = .disabled
    ) {
        self.init(
            recognizer: recognizer, detector: detector, endpointing: endpointing, patience: patience,
            showsWords: showsWords
        ) {
            try await AudioCapture.start(device: device, logger: logger)
        }
    }

    init(
        recognizer: any UtteranceRecognizer, detector: any VoiceActivityDetector & Sendable,
        endpointing: Endpointer.Configuration, patience: Duration, showsWords: Bool,
        open: @escaping @Sendable () async throws -> AudioCapture
    ) {
        self.open = open
        self.recognizer = recognizer
        self.detector = detector
        self.endpointing = endpointing.fitting(recognizer)
        self.patience = patience
        self.showsWords = showsWords
    }

    /// Ends the current question, as if the person had stopped speaking (push to talk), also while the device opens.
    public func finish() async {
        let capture: AudioCapture? = stage.withLock { stage in
            if case .hearing(let capture) = stage { return capture }
            if case .opening = stage { stage = .opening(isOver: true) }
            return nil
        }
        await capture?.stop()
    }

    /// See `SpeechListener`. Levels are reported ten times a second.
    public func listen(_ report: @Sendable (ListeningEvent) async -> Void) async throws -> Transcript {
        let capture = try await begin()
        await report(.reached(.listening, at: .now))
        let outcome: Result<Recognition?, any Error>
        do {
            outcome = .success(try await domainErrors { try await hear(capture, report) })
        } catch {
            outcome = .failure(error)
        }
        stage.withLock { $0 = .idle }
        await capture.stop()
        await recognizer.cancel()
        let transcript = try Transcript(of: outcome.get())
        await report(.reached(.transcriptReady, at: .now))
        return transcript
    }

    private func begin() async throws -> AudioCapture {
        stage.withLock { $0 = .opening(isOver: false) }
        do {
            let capture = try await domainErrors { try await open() }
            let isOver = stage.withLock { stage in
                defer { stage = .hearing(capture) }
                if case .opening(let isOver) = stage { return isOver }
                return false
            }
            if isOver { await capture.stop() }
            return capture
        } catch {
            stage.withLock { $0 = .idle }
            throw error
        }
    }

    private func hear(
        _ capture: AudioCapture, _ report: @Sendable (ListeningEvent) async -> Void
    ) async throws -> Recognition? {
        var tracker = UtteranceTracker(detector: detector, configuration: endpointing)
        var meter = LevelMeter()
        var hearing = Hearing(words: LiveWords(isOn: showsWords), end: turnEnd)
        for try await captured in capture.buffers {
            for level in meter.levels(after: captured.buffer) { await report(.level(level)) }
            if let recognition = try await perform(tracker.process(captured), &hearing, report) { return recognition }
            let heard = AudioFormat.speech.duration(ofFrames: captured.position + captured.buffer.frameCount)
            if tracker.start == nil, heard > patience { return nil }
        }
        try Task.checkCancellation()
        return try await perform(tracker.finish(), &hearing, report)
    }

    /// The state of the question that is heard.
    private struct Hearing {
        var words: LiveWords
        var end: TurnEnd
    }

    /// Performs the tracker's actions; a recognition ends the question.
    ///
    /// Recognition starts as soon as a pause begins, while the endpointer still waits for more speech, so that the
    /// words are ready when the pause has lasted.
    private func perform(
        _ actions: [UtteranceTracker.Action], _ hearing: inout Hearing,
        _ report: @Sendable (ListeningEvent) async -> Void
    ) async throws -> Recognition? {
        for action in actions {
            switch action {
            case .begin(let start):
                await report(.reached(.speechStarted, at: start))
                hearing.words.begin()
                await recognizer.begin()
            case .feed(let buffer):
                try await recognizer.process(buffer)
                guard hearing.words.isDue(after: buffer.frameCount) else { continue }
                if let words = hearing.words.show(try await recognizer.guess()) { await report(.draft(words)) }
            case .discard:
                hearing.end.forget()
                await recognizer.cancel()
            case .pause:
                let draft = try await recognizer.preview()
                hearing.end.pauseBegan(draft)
                if let draft, let words = hearing.words.show(draft.text) { await report(.draft(words)) }
                if let foreseen = hearing.end.foreseen { await report(.foreseen(foreseen)) }
            case .resume:
                hearing.end.forget()
            case .wait(let lastSpeech, let silence):
                guard let draft = hearing.end.question(after: silence) else { continue }
                return try await end(lastSpeech, draft, report)
            case .end(_, isCut: true):
                throw DomainError.speechTooLong(limit: Int(endpointing.longestSpeech.components.seconds))
            case .end(let lastSpeech, isCut: false):
                return try await end(lastSpeech, hearing.end.draft, report)
            }
        }
        return nil
    }

    private func end(
        _ lastSpeech: ContinuousClock.Instant, _ draft: Recognition?,
        _ report: @Sendable (ListeningEvent) async -> Void
    ) async throws -> Recognition {
        await report(.reached(.speechEnded, at: lastSpeech))
        await report(.reached(.endpointDetected, at: .now))
        if let draft { return draft }
        return try await recognizer.finish()
    }
}

/// The level of each tenth of a second.
struct LevelMeter {
    private static let frames = AudioFormat.speech.frames(in: .milliseconds(100))
    private var gathered = AudioBuffer(samples: [], format: .speech)

    /// The levels in dBFS (RMS) of the tenths of a second that `buffer` completes, in order.
    mutating func levels(after buffer: AudioBuffer) -> [Double] {
        gathered.samples += buffer.samples
        var levels: [Double] = []
        var done = 0
        while gathered.frameCount - done >= Self.frames {
            levels.append(Double(AudioLevel(of: gathered.frames(done..<done + Self.frames)).rms))
            done += Self.frames
        }
        gathered.samples.removeFirst(done)
        return levels
    }
}
