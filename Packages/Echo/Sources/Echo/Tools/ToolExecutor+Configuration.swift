// SPDX-License-Identifier: MIT

extension ToolExecutor {
    /// Limits and approval of tool calls.
    public struct Configuration: Sendable {
        /// The number of calls that run at once, at least 1.
        public var maximumParallelCalls = 4
        /// The time limit of a call; `nil` for none. Waiting for approval does not count.
        public var timeout: Duration? = .seconds(30)
        /// The number of times in one turn that the model may call tools before the turn ends with an error; by voice,
        /// before its calls are refused and it has to answer in words alone; if it calls even so, the turn ends with
        /// the error.
        public var maximumRounds = 16
        /// The limit of a tool's result for the model, in bytes of UTF-8; the rest is cut off, and the model is told
        /// so.
        public var maximumResultBytes = 100_000
        /// Decides on each call before it runs, one call after another in their order; `nil` lets all of them run.
        public var approval: (@Sendable (ToolCall) async -> ToolApproval)?

        /// Four at once, 30 seconds each, 16 rounds, and no approval.
        public init() {}
    }
}
