// SPDX-License-Identifier: MIT

public import AudioKitLinux
public import SpeechEngines

extension GrammarRecognizer: SpeechRecognizer {
    /// 16 kHz mono.
    public nonisolated var format: AudioFormat { .speech }

    /// See `SpeechRecognizer`: the decoders run once, when the sound has ended, so there are no partial words. A rejected
    /// utterance has no words and the confidence 0. An utterance that was begun with ``begin()`` is not disturbed.
    public nonisolated func recognize(
        _ sound: AsyncStream<AudioBuffer>
    ) -> AsyncThrowingStream<RecognitionEvent, any Error> {
        let (stream, continuation) = AsyncThrowingStream<RecognitionEvent, any Error>.makeStream()
        let task = Task {
            do {
                var whole = AudioBuffer(samples: [], format: .speech)
                for await buffer in sound {
                    try Self.check(buffer, after: whole.frameCount)
                    whole.samples += buffer.samples
                }
                try Task.checkCancellation()
                continuation.yield(.final(try await recognition(of: whole).transcription))
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}

extension Recognition {
    /// The words as every engine returns them.
    fileprivate var transcription: Transcription {
        guard case .accepted = outcome else {
            return Transcription("", language: "en", confidence: outcome == .silence ? nil : 0)
        }
        let segments = words.map { Transcription.Segment(text: $0.text, start: $0.start, end: $0.end) }
        return Transcription(text, language: "en", confidence: confidence, segments: segments)
    }
}
