// SPDX-License-Identifier: MIT

import AudioKitLinux
public import Domain
public import Speech
public import VoiceActivity

/// Writes down the question that a sound file holds, as fast as the machine can.
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
        let recognition: Recognition? = try await domainErrors {
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
                if let recognition = try await perform(tracker.process(captured)) { return recognition }
            }
            return try await perform(tracker.finish())
        }
        return try Transcript(of: recognition)
    }

    private func perform(_ actions: [UtteranceTracker.Action]) async throws -> Recognition? {
        for action in actions {
            switch action {
            case .begin: await recognizer.begin()
            case .feed(let buffer): try await recognizer.process(buffer)
            case .discard: await recognizer.cancel()
            case .pause, .settle, .resume: break
            case .end: return try await recognizer.finish()
            }
        }
        return nil
    }
}
