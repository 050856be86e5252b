// SPDX-License-Identifier: MIT

extension ToolExecutor {
    /// How calls of tools are carried out.
    public struct Configuration: Sendable {
        /// How many calls run at once, at least 1.
        public var maximumParallelCalls = 4
        /// How long a call may take; `nil` is without limit. Waiting for approval does not count.
        public var timeout: Duration? = .seconds(30)
        /// How often in one turn the model may ask for calls, before the turn ends with an error; by voice, before its calls
        /// are refused and it is asked for words alone; should it call even so, the turn ends with the error.
        public var maximumRounds = 16
        /// How much of a tool's answer the model gets, in bytes of UTF-8; the rest is cut off, and the model told so.
        public var maximumResultBytes = 100_000
        /// Is asked before each call, one call after another in their order; `nil` lets all of them run.
        public var approval: (@Sendable (ToolCall) async -> ToolApproval)?

        /// Four at once, 30 seconds each, 16 rounds, and no questions asked.
        public init() {}
    }
}
