// SPDX-License-Identifier: MIT

public import AudioKitLinux
import Concurrency
public import Diagnostics
import Dispatch

/// Listens to a stream of sound for one phrase, such as "hey jarvis", for ever and at little cost.
///
/// Three stages, each of which spares the next one work: voice activity, PocketSphinx's keyword spotting at a threshold that
/// lets much through, and a closer look at each candidate. What is found depends on the samples and their positions
/// alone, not on how they are cut into buffers. Everything runs on a queue of the actor's own.
///
/// ```swift
/// let detector = try await WakeWordDetector(phrase: .init("hey jarvis"))
/// for detection in try await detector.process(buffer, at: position) {
///     listen(from: detection.commandStart)
/// }
/// ```
public actor WakeWordDetector {
    /// The most that ``Detection/detectedAt`` lies after ``Detection/commandStart``, besides one call's samples: keep so
    /// much sound.
    public static let longestDelay: Duration = .seconds(2)

    private nonisolated let executor: QueueExecutor
    /// The phrase that it wakes up at.
    public nonisolated let phrase: Phrase
    private let engine: WakeWordEngine
    private let logger: Logger

    /// See `Actor`.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Loads the model and looks the phrase up.
    ///
    /// - Throws: ``SpeechError`` with `modelMissing`, `modelDamaged`, `invalidPhrase`, `unknownWords` (which says which
    ///   and what to do) or `outOfResources`.
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

    /// Takes the stream's next sound.
    ///
    /// - Parameters:
    ///   - samples: 16 kHz mono, any number of frames.
    ///   - position: the sample index of the first one in the stream. If it does not follow on what came before, sound
    ///     was lost or left out: what was being looked at is decided with what there is, and listening begins anew.
    /// - Returns: what was found, in order, seldom more than one.
    /// - Throws: ``SpeechError`` with `formatNotSupported`, or `recognitionFailed` when the library gives up; the
    ///   detector then begins anew with the next call.
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

    /// Accepted or not: what it rests on is what `Scripts/bench.d/wake-client/tune.py` fits the rule to.
    private func log(_ finding: WakeWordEngine.Finding) {
        let range = finding.detection.range
        let first = (finding.evidence.measures + finding.evidence.margins).map { "\($0)" }
        let again = finding.again.map { ["again"] + $0.map { "\($0)" } } ?? []
        let measures = (first + again).joined(separator: " ")
        logger.debug(
            "candidate \("\(range.lowerBound) \(range.upperBound) \(finding.detection.score)", privacy: .public) measures \("\(measures)", privacy: .public)"
        )
    }

    /// Says whether we play sound ourselves. While it is so, and for phrases that began before it ended, the detector
    /// has to be surer, so that it never wakes itself up.
    public func setPlaying(_ isPlaying: Bool) { engine.setPlaying(isPlaying) }

    /// Forgets the stream, also what was about to be found. The next samples may be at any position.
    public func reset() { engine.reset() }
}
