// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
import Domain
import DurableFiles
public import SpeechEngines

/// Speech in a sound file, made as fast as the machine can.
///
/// The file appears when it is complete; until then it has a temporary name, and an existing file stays. A device is
/// written to directly.
public struct SpeechFile: Sendable {
    /// The greatest absolute sample that counts as silence.
    private static let silence: Float = 0.001

    private let synthesizer: any SpeechSynthesizer

    /// Makes files with the synthesizer's voice.
    public init(_ synthesizer: any SpeechSynthesizer) { self.synthesizer = synthesizer }

    /// Speaks `text` into the file at `path`, in the encoding of its name's ending.
    ///
    /// - Parameter progress: Called with the length of the speech so far.
    /// - Returns: The length of the speech.
    /// - Throws: `DomainError.file`, `DomainError.speechEngine` (also for inaudible speech), `CancellationError`; then
    ///   there is no file.
    @discardableResult
    public func write(_ text: String, to path: String, progress: (Duration) -> Void = { _ in }) async throws -> Duration
    {
        try await domainErrors {
            let pending = PendingFile(path)
            do {
                let duration = try await speak(text, into: pending.partial, as: path, progress)
                do throws(FileError) { try pending.commit() } catch {
                    throw DomainError.file("\(path) cannot be written: \(error.reason).")
                }
                return duration
            } catch {
                pending.discard()
                throw error
            }
        }
    }

    private func speak(
        _ text: String, into path: String, as name: String, _ progress: (Duration) -> Void
    ) async throws -> Duration {
        do {
            let encoding = SoundFileEncoding(path: name)
            let format = Self.format(for: encoding, of: synthesizer.format)
            let writer = try SoundFileWriter(path: path, format: format, encoding: encoding)
            var converter = try FormatConverter(from: synthesizer.format, to: format)
            var isHeard = false
            for try await buffer in synthesizer.synthesize(text) {
                try Task.checkCancellation()
                isHeard = isHeard || buffer.samples.contains { abs($0) > Self.silence }
                if let sound = converter.convert(buffer) { try writer.write(sound) }
                progress(format.duration(ofFrames: writer.framesWritten))
            }
            try Task.checkCancellation()
            if let rest = converter.finish() { try writer.write(rest) }
            guard isHeard else {
                throw DomainError.speechEngine("This voice makes no sound of that text. Write it in other words.")
            }
            try writer.sync()
            try writer.close()
            return format.duration(ofFrames: writer.framesWritten)
        } catch let error as AudioError {
            throw AudioError(error.code, error.message.replacing(path, with: name), underlying: error.underlying)
        }
    }

    /// Opus has few rates (RFC 7845 §5.1); the next higher one keeps all of the sound.
    private static func format(for encoding: SoundFileEncoding, of format: AudioFormat) -> AudioFormat {
        guard encoding == .oggOpus else { return format }
        let rate = [8_000, 12_000, 16_000, 24_000].first { $0 >= format.sampleRate } ?? 48_000
        return AudioFormat(sampleRate: rate, channels: format.channels)
    }
}
