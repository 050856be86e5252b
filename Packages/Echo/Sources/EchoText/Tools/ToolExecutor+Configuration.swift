// SPDX-License-Identifier: MIT

extension ToolExecutor {
    /// The limits of calls of tools, and their approval.
    public struct Configuration: Sendable {
        /// The number of calls at a time, at least 1.
        public var maximumParallelCalls: Int
        /// The time-out of a call; `nil` is without limit. Waiting for approval does not count.
        public var timeout: Duration?
        /// The limit of rounds of calls in one turn, before the turn ends with an error; by voice, before its calls
        /// are refused and it is asked for words alone; should it call even so, the turn ends with the error.
        public var maximumRounds: Int
        /// The limit of a tool's answer in bytes of UTF-8; the rest is cut off, and the model told so.
        public var maximumResultBytes: Int
        /// Decides on each call before it runs, one call after another in their order; `nil` lets all of them run. An
        /// error that it throws ends all calls; by voice, the call is refused.
        public var approval: (@Sendable (ToolCall) async throws -> ToolApproval)?

        /// Limits. Without arguments: four calls at once, 30 seconds each, 16 rounds, and no approval.
        public init(
            maximumParallelCalls: Int = 4, timeout: Duration? = .seconds(30), maximumRounds: Int = 16,
            maximumResultBytes: Int = 100_000, approval: (@Sendable (ToolCall) async throws -> ToolApproval)? = nil
        ) {
            self.maximumParallelCalls = maximumParallelCalls
            self.timeout = timeout
            self.maximumRounds = maximumRounds
            self.maximumResultBytes = maximumResultBytes
            self.approval = approval
        }
    }
}
