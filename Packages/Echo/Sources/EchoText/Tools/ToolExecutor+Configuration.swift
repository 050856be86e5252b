// SPDX-License-Identifier: MIT

extension ToolExecutor {
    /// The limits of calls of tools, and their approval.
    public struct Configuration: Sendable {
        /// The number of calls at a time, at least 1.
        public var maximumParallelCalls = 4
        /// The time-out of a call; `nil` is without limit. Waiting for approval does not count.
        public var timeout: Duration? = .seconds(30)
        /// The limit of rounds of calls in one turn, before the turn ends with an error; by voice, before its calls
        /// are refused and it is asked for words alone; should it call even so, the turn ends with the error.
        public var maximumRounds = 16
        /// The limit of a tool's answer in bytes of UTF-8; the rest is cut off, and the model told so.
        public var maximumResultBytes = 100_000
        /// Decides on each call before it runs, one call after another in their order; `nil` lets all of them run.
        public var approval: (@Sendable (ToolCall) async -> ToolApproval)?

        /// Four at once, 30 seconds each, 16 rounds, and no approval.
        public init() {}
    }
}
