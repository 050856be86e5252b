// SPDX-License-Identifier: MIT

public import AudioKitLinux
import Concurrency
public import Diagnostics
import Dispatch

/// Detects one phrase, such as "hey jarvis", in a stream of sound, continuously and at little cost.
///
/// Three stages, each of which saves the next one work: voice activity, PocketSphinx's keyword spotting at a low
/// threshold, and a closer look at each candidate. Detections depend on the samples and their positions alone, not on
/// the sizes of the buffers. Everything runs on the actor's own queue.
///
/// ```swift
/// let detector = try await WakeWordDetector(phrase: .init("hey jarvis"))
/// for detection in try await detector.process(buffer, at: position) {
///     listen(from: detection.commandStart)
/// }
/// ```
public actor WakeWordDetector {
    /// The longest time from ``Detection/commandStart`` to ``Detection/detectedAt``, besides one call's samples: keep
    /// this much sound.
    public static let longestDelay: Duration = .seconds(2)

    private nonisolated let executor: QueueExecutor
    /// The wake word.
    public nonisolated let phrase: Phrase
    private let engine: WakeWordEngine
    private let logger: Logger

    /// See `Actor`.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Loads the model and looks up the phrase.
    ///
    /// - Throws: ``SpeechError`` with `modelMissing`, `modelDamaged`, `invalidPhrase`, `unknownWords` (whose message
    ///   lists them, with advice) or `outOfResources`.
    public init(
        phrase: Phrase, configuration: Configuration = .standard, model: AcousticModel = .englishUS,
        logger: Logger = .disabled
    ) async throws(SpeechError) {
        let clock = ContinuousClock()
        let began = clock.now
        let loaded = try await BlockingCall.run { () throws(SpeechError) in try WakeWordModel(phrase, model: model) }
        engine = WakeWordEngine(loaded, phrase: phrase, configuration: configuration)
        executor = QueueExecutor(label: "speech.wake")
        self.phrase = phrase
        self.logger = logger.with(category: "speech")
        let elapsed = clock.now - began
        self.logger.debug("loaded the wake word detector in \("\(elapsed)", privacy: .public)")
    }

    /// Processes the stream's next sound.
    ///
    /// - Parameters:
    ///   - samples: 16 kHz mono, any number of frames.
    ///   - position: The first sample's index in the stream. If it does not follow the last one, sound was lost or left
    ///     out: a pending candidate is decided with the sound so far, and detection begins anew.
    /// - Returns: The detections, in order, seldom more than one.
    /// - Throws: ``SpeechError`` with `formatNotSupported`, or `recognitionFailed` if the library fails; the detector
    ///   then begins anew with the next call.
    public func process(_ samples: AudioBuffer, at position: Int) throws(SpeechError) -> [Detection] {
        guard samples.format == .speech else {
            throw SpeechError(
                .formatNotSupported,
                "The wake word detector takes \(AudioFormat.speech), not \(samples.format). Convert the sound first.")
        }
        let findings = try engine.process(samples.samples, at: position)
        for finding in findings { log(finding) }
        return findings.filter(\.isAccepted).map(\.detection)
    }

    /// Logs accepted and rejected findings with the measures for `Scripts/bench.d/wake-client/tune.py`.
    private func log(_ finding: WakeWordEngine.Finding) {
        let range = finding.detection.range
        let first = (finding.evidence.measures + finding.evidence.margins).map { "\($0)" }
        let again = finding.again.map { ["again"] + $0.map { "\($0)" } } ?? []
        let heard = finding.heard.map { ["network", "\($0)"] } ?? []
        let measures = (first + again + heard).joined(separator: " ")
        logger.debug(
            "candidate \("\(range.lowerBound) \(range.upperBound) \(finding.detection.score)", privacy: .public) measures \("\(measures)", privacy: .public)"
        )
    }

    /// Set to true while the app plays sound itself. During that time, and for phrases that began before its end, the
    /// detector needs a higher score, so that it never wakes itself up.
    public func setPlaying(_ isPlaying: Bool) { engine.setPlaying(isPlaying) }

    /// Drops the stream and any pending detection. The next samples may have any position.
    public func reset() { engine.reset() }
}
