// SPDX-License-Identifier: MIT

public import AudioKitLinux

/// Turns text into sound.
public protocol SpeechSynthesizer: Sendable {
    /// The format of every buffer of ``synthesize(_:)``.
    var format: AudioFormat { get }

    /// Speaks `text`, sentence by sentence; a buffer arrives as soon as its sentence, or a part of it, is ready.
    ///
    /// The stream buffers without a limit: synthesis is many times faster than speech. It ends early when its consumer
    /// is cancelled or stops, and the synthesis stops too.
    ///
    /// - Throws: ``SpeechError`` from the stream.
    func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error>
}
