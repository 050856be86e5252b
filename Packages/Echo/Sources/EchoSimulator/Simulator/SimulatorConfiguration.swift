// SPDX-License-Identifier: MIT

public import Diagnostics
import FoundationEssentials

/// Where the simulator listens, and what it accepts.
public struct SimulatorConfiguration: Sendable {
    /// The interface.
    public var host = "127.0.0.1"
    /// The port; 0 takes a free one.
    public var port = 0
    /// What identifiers are made from: the same requests in the same order get the same ones.
    public var seed: UInt64 = 1
    /// The only key that is right; `nil` accepts any, and none is wrong all the same where the dialect has keys.
    public var key: String?
    /// Called with each request that has a body in JSON, as one line of JSON with `method`, `path` and `body`.
    public var onRequest: (@Sendable (String) -> Void)?
    /// Where faults of the server itself go.
    public var logger = Logger.disabled
    /// Seconds since 1970 for `created_at`.
    public var now: @Sendable () -> Int = { Int(Date().timeIntervalSince1970) }
    /// What times pauses.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// The defaults.
    public init() {}
}
