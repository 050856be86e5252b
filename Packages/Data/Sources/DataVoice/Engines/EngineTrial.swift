// SPDX-License-Identifier: MIT

public import AudioKitLinux
import DataLayer
import Domain
import Speech
public import SpeechEngines
import SpeechServices

/// Tries an engine with a sentence and a sound, and measures what a person waits for.
public struct EngineTrial: Sendable {
    /// A sentence that an engine spoke.
    public struct Spoken: Sendable {
        /// The format of the sound.
        public let format: AudioFormat
        /// The time until the first sound.
        public let latency: Duration
        /// The length of the sound.
        public let duration: Duration
    }

    /// An utterance that an engine heard.
    public struct Heard: Sendable {
        /// The words; empty if it heard none.
        public let words: String
        /// The time from the end of the sound until the words.
        public let latency: Duration
        /// True if words came before the sound had ended.
        public let streams: Bool
    }

    /// The sentence that is spoken: as long as most answers, since engines without a stream take longer for more.
    public static let sentence = "The capital of Texas is Austin, and its largest city is Houston."

    private let clock = ContinuousClock()

    /// Makes a trial.
    public init() {}

    /// Lets an engine speak, in the format that it has.
    ///
    /// - Throws: `DomainError`, `CancellationError`.
    public func speak(
        by make: (_ rate: Int?) throws -> any SpeechSynthesizer
    ) async throws -> Spoken {
        try await domainErrors {
            do { return try await speak(by: make(nil)) } catch let error as SpeechServiceError {
                guard let format = error.actualFormat else { throw error }
                return try await speak(by: make(format.sampleRate))
            }
        }
    }

    private func speak(by synthesizer: any SpeechSynthesizer) async throws -> Spoken {
        let start = clock.now
        var first: Duration?
        var frames = 0
        for try await buffer in synthesizer.synthesize(Self.sentence) {
            if first == nil { first = clock.now - start }
            frames += buffer.frameCount
        }
        try Task.checkCancellation()
        guard let first, frames > 0 else {
            throw SpeechServiceError(.cut, "The voice said nothing. Choose another one.")
        }
        return Spoken(
            format: synthesizer.format, latency: first, duration: synthesizer.format.duration(ofFrames: frames))
    }

    /// Lets an engine hear a sound of at most a minute.
    ///
    /// - Throws: `DomainError`, `CancellationError`.
    public func hear(_ sound: AudioBuffer, by recognizer: any SpeechRecognizer) async throws -> Heard {
        try await domainErrors {
            let (stream, feed) = AsyncStream<AudioBuffer>.makeStream()
            let piece = recognizer.format.frames(in: .milliseconds(100))
            for start in stride(from: 0, to: sound.frameCount, by: piece) {
                feed.yield(sound.frames(start..<start + piece))
            }
            feed.finish()
            let start = clock.now
            var streams = false
            for try await event in recognizer.recognize(stream) {
                guard case .final(let words) = event else {
                    streams = true
                    continue
                }
                return Heard(words: words.text, latency: clock.now - start, streams: streams)
            }
            try Task.checkCancellation()
            throw SpeechServiceError(.cut, "The engine ended without an answer. Try again.")
        }
    }

    /// The sound for a trial: a file's, or the sentence by this machine's voice.
    ///
    /// - Throws: `DomainError.file`, `DomainError.speechEngine`, `CancellationError`.
    public static func sound(of path: String?) async throws -> AudioBuffer {
        try await domainErrors {
            var whole = AudioBuffer(samples: [], format: .speech)
            guard let path else {
                for try await buffer in try FliteSynthesizer().synthesize(sentence) { whole.samples += buffer.samples }
                return whole
            }
            let reader = try SoundFileReader(path: path)
            guard reader.duration <= .seconds(60) else {
                throw DomainError.file("\(path) is longer than a minute. Cut out a sentence.")
            }
            while let buffer = try reader.readConverted(to: .speech, frames: 16_000) { whole.samples += buffer.samples }
            return whole
        }
    }
}
