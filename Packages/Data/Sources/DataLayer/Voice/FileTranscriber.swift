// SPDX-License-Identifier: MIT

import AudioKitLinux
public import Domain
public import Speech
public import VoiceActivity

/// Writes down the questions that a sound file holds, as fast as the machine can.
public struct FileTranscriber: Sendable {
    /// The longest file that is looked at.
    public static let longestFile = Duration.seconds(600)

    private let recognizer: GrammarRecognizer
    private let detector: any VoiceActivityDetector & Sendable
    private let endpointing: Endpointer.Configuration

    /// Makes a transcriber; each file starts with a copy of the detector, which is to be fresh.
    public init(
        recognizer: GrammarRecognizer, detector: any VoiceActivityDetector & Sendable = SpectralDetector(),
        endpointing: Endpointer.Configuration = .spectral
    ) {
        self.recognizer = recognizer
        self.detector = detector
        self.endpointing = endpointing
    }

    /// The first utterance in the file; the silence around it does not matter.
    ///
    /// - Throws: ``DomainError/file(_:)`` (with what to do), ``DomainError/noSpeech``, ``DomainError/notUnderstood``,
    ///   ``DomainError/speechEngine(_:)``, `CancellationError`.
    public func transcribe(_ path: String) async throws -> Transcript {
        for try await utterance in utterances(in: path) { return try utterance.get() }
        throw DomainError.noSpeech
    }

    /// Every utterance in the file, in order, as soon as it is recognised: its words, or ``DomainError/notUnderstood``.
    /// Noise that turns out to be no speech is passed over.
    ///
    /// - Throws: Out of the stream, what ``transcribe(_:)`` throws; ``DomainError/noSpeech`` for a file without speech.
    public func utterances(in path: String) -> AsyncThrowingStream<Result<Transcript, DomainError>, any Error> {
        let (stream, continuation) = AsyncThrowingStream<Result<Transcript, DomainError>, any Error>.makeStream()
        let work = Task {
            do {
                var count = 0
                try await domainErrors {
                    try await recognize(path) { recognition in
                        let utterance = Result { () throws(DomainError) in try Transcript(of: recognition) }
                        if case .failure(.noSpeech) = utterance { return }
                        count += 1
                        continuation.yield(utterance)
                    }
                }
                continuation.finish(throwing: count == 0 ? DomainError.noSpeech : nil)
            } catch { continuation.finish(throwing: error) }
        }
        continuation.onTermination = { _ in work.cancel() }
        return stream
    }

    private func recognize(_ path: String, _ take: (Recognition) -> Void) async throws {
        let reader = try SoundFileReader(path: path)
        guard reader.duration <= Self.longestFile else {
            throw DomainError.file(
                "\(path) is longer than \(Self.longestFile.components.seconds / 60) minutes. Cut out the question.")
        }
        var tracker = UtteranceTracker(detector: detector, configuration: endpointing)
        var position = 0
        while let buffer = try reader.readConverted(to: .speech, frames: 1600) {
            try Task.checkCancellation()
            let captured = CapturedBuffer(buffer: buffer, position: position, capturedAt: .now)
            position += buffer.frameCount
            for recognition in try await perform(tracker.process(captured)) { take(recognition) }
        }
        for recognition in try await perform(tracker.finish()) { take(recognition) }
    }

    private func perform(_ actions: [UtteranceTracker.Action]) async throws -> [Recognition] {
        var recognitions: [Recognition] = []
        for action in actions {
            switch action {
            case .begin: await recognizer.begin()
            case .feed(let buffer): try await recognizer.process(buffer)
            case .discard: await recognizer.cancel()
            case .pause, .settle, .resume: break
            case .end: recognitions.append(try await recognizer.finish())
            }
        }
        return recognitions
    }
}
