// SPDX-License-Identifier: MIT

public import AudioBuffers

/// Turns text into sound: an engine on this machine, or a service.
public protocol SpeechSynthesizer: Sendable {
    /// The format of every buffer of ``synthesize(_:)``.
    var format: AudioFormat { get }

    /// Speaks `text`, sentence by sentence; a buffer arrives as soon as its sentence, or a part of it, is ready.
    ///
    /// The stream buffers without a limit: synthesis is many times faster than speech. It ends early when its consumer
    /// is cancelled or stops, and the synthesis stops too. A text without a letter or digit is an empty stream.
    ///
    /// - Throws: The engine's error from the stream: `SpeechError` of the module Speech, `SpeechServiceError` of
    ///   SpeechServices.
    func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error>
}
