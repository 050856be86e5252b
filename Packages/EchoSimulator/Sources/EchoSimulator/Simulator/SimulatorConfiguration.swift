// SPDX-License-Identifier: MIT

public import Diagnostics
import FoundationEssentials

/// The simulator's address, key and functions.
public struct SimulatorConfiguration: Sendable {
    /// The interface.
    public var host = "127.0.0.1"
    /// The port; 0 takes a free one.
    public var port = 0
    /// The seed of identifiers: the same requests in the same order get the same ones.
    public var seed: UInt64 = 1
    /// The only valid key; `nil` accepts any. A missing key is an error all the same if the dialect has keys.
    public var key: String?
    /// Called with each request that has a body in JSON, as one line of JSON with `method`, `path` and `body`.
    public var onRequest: (@Sendable (String) -> Void)?
    /// The log of the server's own faults.
    public var logger = Logger.disabled
    /// Seconds since 1970 for `created_at`.
    public var now: @Sendable () -> Int = { Int(Date().timeIntervalSince1970) }
    /// The clock of pauses.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// The age at which a session of `/v1/realtime` expires; 60 minutes.
    public var sessionLimit = Duration.seconds(60 * 60)
    /// Turns speech into words, of samples at 24 kHz, one channel; without it the words say how long the sound is. An
    /// error that it throws fails the transcript.
    public var transcribe: (@Sendable ([Int16]) async throws -> String)?
    /// Answers a message of the user's in `/v1/realtime` that no turn of the scenario answers. The answer is plausible
    /// if it returns `nil` or is missing. An error that it throws fails the answer.
    public var answer: (@Sendable (String) async throws -> String?)?
    /// Turns words into speech, as samples at 24 kHz, one channel; without it there are tones, as long as the words
    /// would take. An error that it throws fails the answer.
    public var speak: (@Sendable (String) async throws -> [Int16])?

    /// The defaults.
    public init() {}
}
