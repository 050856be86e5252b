// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
public import Domain
import Speech
public import VoiceActivity

/// Transcribes the questions in a sound file, as fast as the machine can.
public struct FileTranscriber: Sendable {
    /// The greatest length of a file.
    public static let longestFile = Duration.seconds(600)

    private let recognizer: any UtteranceRecognizer
    private let detector: any VoiceActivityDetector & Sendable
    private let endpointing: Endpointer.Configuration

    /// Makes a transcriber; each file starts with a copy of the detector, which must be fresh.
    public init(
        recognizer: any UtteranceRecognizer, detector: any VoiceActivityDetector & Sendable = SpectralDetector(),
        endpointing: Endpointer.Configuration = .spectral
    ) {
        self.recognizer = recognizer
        self.detector = detector
        self.endpointing = endpointing.fitting(recognizer)
    }

    /// Calls `take` with every utterance in the file, in order, as soon as it is recognised: its words, or
    /// `DomainError.notUnderstood`. One that is longer than the recogniser takes comes in pieces. Noise that turns out to be no speech is skipped.
    ///
    /// - Throws: `DomainError.file` (with what to do), `DomainError.noSpeech` for a file without speech,
    ///   `DomainError.speechEngine`, `CancellationError`, and the errors of `take`.
    public func transcribeAll(
        _ path: String, _ take: (Result<Transcript, DomainError>) throws -> Void
    ) async throws {
        let reader = try await domainErrors { try Self.reader(of: path) }
        var tracker = UtteranceTracker(detector: detector, configuration: endpointing)
        var (position, count, isOver) = (0, 0, false)
        while !isOver {
            try Task.checkCancellation()
            let recognitions = try await domainErrors {
                guard let buffer = try reader.readConverted(to: .speech, frames: 1600) else {
                    isOver = true
                    return try await perform(tracker.finish())
                }
                let captured = CapturedBuffer(buffer: buffer, position: position, capturedAt: .now)
                position += buffer.frameCount
                return try await perform(tracker.process(captured))
            }
            for recognition in recognitions {
                let utterance = Result { () throws(DomainError) in try Transcript(of: recognition) }
                if utterance == .failure(.noSpeech) { continue }
                count += 1
                try take(utterance)
            }
        }
        if count == 0 { throw DomainError.noSpeech }
    }

    private static func reader(of path: String) throws -> SoundFileReader {
        let reader = try SoundFileReader(path: path)
        guard reader.duration <= longestFile else {
            throw DomainError.file(
                "\(path) is longer than \(longestFile.components.seconds / 60) minutes. Cut out the question.")
        }
        return reader
    }

    private func perform(_ actions: [UtteranceTracker.Action]) async throws -> [Recognition] {
        var recognitions: [Recognition] = []
        for action in actions {
            switch action {
            case .begin: await recognizer.begin()
            case .feed(let buffer): try await recognizer.process(buffer)
            case .discard: await recognizer.cancel()
            case .pause, .wait, .resume: break
            case .end: recognitions.append(try await recognizer.finish())
            }
        }
        return recognitions
    }
}

extension Transcript {
    /// The words of an accepted recognition; `nil` if there was nothing to recognise.
    ///
    /// - Throws: ``DomainError/noSpeech`` or ``DomainError/notUnderstood``.
    init(of recognition: Recognition?) throws(DomainError) {
        guard let recognition else { throw .noSpeech }
        switch recognition.outcome {
        case .accepted: self.init(text: recognition.text, confidence: recognition.confidence)
        case .rejected: throw .notUnderstood
        case .silence: throw .noSpeech
        }
    }
}
