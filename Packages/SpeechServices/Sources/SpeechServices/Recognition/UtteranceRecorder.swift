// SPDX-License-Identifier: MIT

import AudioBuffers

/// The sound of one utterance as a WAV file, for services that take it whole.
struct UtteranceRecorder {
    let service: String
    let format: AudioFormat
    let limit: Int

    /// The file, when the stream has ended; nil for an utterance without a sample.
    func wav(of sound: AsyncStream<AudioBuffer>) async throws -> [UInt8]? {
        var file = WAVFile(format: format)
        for await buffer in sound {
            try check(buffer)
            file.append(buffer)
            guard file.bytes.count <= limit else {
                throw SpeechServiceError(
                    .tooLarge, "The utterance is over the limit of \(limit) bytes. Split it at its pauses.")
            }
        }
        try Task.checkCancellation()
        guard file.soundLength > 0 else { return nil }
        file.finish()
        return file.bytes
    }

    func check(_ buffer: AudioBuffer) throws(SpeechServiceError) {
        guard buffer.format == format else {
            throw SpeechServiceError(
                .wrongFormat, "\(service) takes \(format), not \(buffer.format). Convert the sound first.",
                actualFormat: buffer.format)
        }
    }
}
