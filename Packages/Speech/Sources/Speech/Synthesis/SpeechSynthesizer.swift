// SPDX-License-Identifier: MIT

public import AudioKitLinux

/// Turns text into sound.
public protocol SpeechSynthesizer: Sendable {
    /// The format of every buffer that ``synthesize(_:)`` gives.
    var format: AudioFormat { get }

    /// Speaks `text`, sentence by sentence; a buffer comes as soon as its sentence, or a part of it, is ready.
    ///
    /// The stream holds what the consumer has not taken yet, without a limit: synthesis is many times faster than speech.
    /// It ends early when its consumer is cancelled or stops, and the work behind it stops too.
    ///
    /// - Throws: ``SpeechError`` out of the stream.
    func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error>
}
