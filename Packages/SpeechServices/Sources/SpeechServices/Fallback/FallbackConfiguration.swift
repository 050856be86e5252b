// SPDX-License-Identifier: MIT

public import AudioBuffers
public import Concurrency

/// The behaviour of a pair of engines.
public struct FallbackConfiguration: Sendable {
    /// Converts a buffer into a format; a program with AudioKitLinux passes `{ try $0.converted(to: $1) }`.
    public typealias Converter = @Sendable (AudioBuffer, AudioFormat) throws -> AudioBuffer

    /// The time within which the chosen engine must go on: its first sound or words, and each further one. A pause is
    /// answered by the local engine instead, in 1 s with the 100 ms that it needs for a sentence. Raise it for a slow
    /// server that is preferred all the same. A recogniser has as much for each ten seconds of an utterance.
    public var patience = Duration.milliseconds(900)
    /// The waits until the chosen engine is tried again.
    public var backoff = Backoff(first: .seconds(5), longest: .seconds(300), jitter: .half)
    /// Converts between the two engines' formats; not called where they are equal.
    public var convert: Converter
    /// Called at each change, from any thread: return at once.
    public var onEvent: @Sendable (FallbackEvent) -> Void

    /// The defaults.
    public init(
        convert: @escaping Converter, onEvent: @escaping @Sendable (FallbackEvent) -> Void = { _ in }
    ) {
        self.convert = convert
        self.onEvent = onEvent
    }
}
